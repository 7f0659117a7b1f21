/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy rule lists: always the shortest pure conjunction that covers the most remaining points. */
#include "rule_list.h"

#include <cstddef>

namespace modelgen
{
namespace
{

class Search
{
  public:
    explicit Search(const Evidence &which) : evidence(which), open(which.labels.size(), true) {}

    bool run(std::vector<ListRule> &rules)
    {
        while (!uniform()) {
            best_cover = 0;
            for (size_t depth = 1; depth <= 3 && best_cover == 0; depth++)
                extend({}, open, depth);
            if (best_cover == 0)
                return false;
            rules.push_back(best);
            for (size_t i = 0; i < open.size(); i++)
                if (covers(best.literals, i))
                    open[i] = false;
        }
        rules.push_back({{}, last_label});
        return true;
    }

  private:
    bool holds(const Literal &literal, size_t point) const
    {
        return evidence.truth[literal.atom][point] != literal.negated;
    }

    bool covers(const std::vector<Literal> &literals, size_t point) const
    {
        for (const auto &literal : literals)
            if (!holds(literal, point))
                return false;
        return true;
    }

    /* Do all remaining points agree? Sets last_label. */
    bool uniform()
    {
        bool first = true;
        for (size_t i = 0; i < open.size(); i++) {
            if (!open[i])
                continue;
            if (!first && evidence.labels[i] != last_label)
                return false;
            last_label = evidence.labels[i];
            first = false;
        }
        return true;
    }

    void judge(const std::vector<Literal> &literals, const std::vector<bool> &covered)
    {
        size_t count = 0;
        unsigned label = 0;
        for (size_t i = 0; i < covered.size(); i++) {
            if (!covered[i])
                continue;
            if (count && evidence.labels[i] != label)
                return;
            label = evidence.labels[i];
            count++;
        }
        if (count > best_cover) {
            best_cover = count;
            best = {literals, label};
        }
    }

    void extend(const std::vector<Literal> &literals, const std::vector<bool> &covered, size_t more)
    {
        const unsigned from = literals.empty() ? 0 : literals.back().atom + 1;
        for (unsigned atom = from; atom < evidence.truth.size(); atom++) {
            for (bool negated : {false, true}) {
                std::vector<Literal> longer = literals;
                longer.push_back({atom, negated});
                std::vector<bool> narrower(covered.size());
                for (size_t i = 0; i < covered.size(); i++)
                    narrower[i] = covered[i] && holds(longer.back(), i);
                if (more > 1)
                    extend(longer, narrower, more - 1);
                else
                    judge(longer, narrower);
            }
        }
    }

    const Evidence &evidence;
    std::vector<bool> open;
    ListRule best;
    size_t best_cover = 0;
    unsigned last_label = 0;
};

} // namespace

bool learn_rule_list(const Evidence &evidence, std::vector<ListRule> &rules)
{
    rules.clear();
    return Search(evidence).run(rules);
}

} // namespace modelgen
