/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy rule lists: always the shortest pure conjunction that covers the most remaining points. */
#include "rule_list.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace modelgen
{
namespace
{

/* A set of points, 64 to a word. */
using Points = std::vector<uint64_t>;

size_t count(const Points &set)
{
    size_t n = 0;
    for (uint64_t word : set)
        n += static_cast<size_t>(__builtin_popcountll(word));
    return n;
}

class Search
{
  public:
    explicit Search(const Evidence &which) : n_points(which.labels.size()), n_words((n_points + 63) / 64), open(n_words)
    {
        for (size_t i = 0; i < n_points; i++) {
            add(open, i);
            Points &same = of_label.emplace(which.labels[i], Points(n_words)).first->second;
            add(same, i);
        }
        std::set<std::vector<bool>> known; /* of conditions that no point tells apart the first one serves */
        for (const auto &truth : which.truth) {
            useful.push_back(known.insert(truth).second);
            Points yes(n_words), no(n_words);
            for (size_t i = 0; i < n_points; i++)
                add(truth[i] ? yes : no, i);
            holds.push_back({yes, no});
        }
    }

    bool run(std::vector<ListRule> &rules)
    {
        unsigned label = 0;
        while (count(open) && !pure(open, label)) {
            best_cover = 0;
            for (size_t depth = 1; depth <= 3 && best_cover == 0; depth++)
                extend({}, open, depth);
            if (best_cover == 0)
                return false;
            rules.push_back(best);
            Points covered = open;
            for (const auto &literal : best.literals)
                covered = both(covered, literal);
            for (size_t w = 0; w < n_words; w++)
                open[w] &= ~covered[w];
        }
        rules.push_back({{}, label});
        return true;
    }

  private:
    static void add(Points &set, size_t i) { set[i / 64] |= uint64_t(1) << (i % 64); }

    Points both(const Points &set, const Literal &literal) const
    {
        const Points &other = holds[literal.atom][literal.negated];
        Points result(n_words);
        for (size_t w = 0; w < n_words; w++)
            result[w] = set[w] & other[w];
        return result;
    }

    /* Do all points of a set that is not empty have the same label, and which? */
    bool pure(const Points &set, unsigned &label) const
    {
        for (const auto &entry : of_label) {
            bool some = false, others = false;
            for (size_t w = 0; w < n_words; w++) {
                some |= (set[w] & entry.second[w]) != 0;
                others |= (set[w] & ~entry.second[w]) != 0;
            }
            if (some) {
                label = entry.first;
                return !others;
            }
        }
        return false;
    }

    void judge(const std::vector<Literal> &literals, const Points &covered, size_t n)
    {
        unsigned label = 0;
        if (!pure(covered, label))
            return;
        best_cover = n;
        best = {literals, label};
    }

    /* Goes no further where no more points are left than the best one covers. */
    void extend(const std::vector<Literal> &literals, const Points &covered, size_t more)
    {
        const unsigned from = literals.empty() ? 0 : literals.back().atom + 1;
        for (unsigned atom = from; atom < holds.size(); atom++) {
            if (!useful[atom])
                continue;
            for (bool negated : {false, true}) {
                std::vector<Literal> longer = literals;
                longer.push_back({atom, negated});
                const Points narrower = both(covered, longer.back());
                const size_t n = count(narrower);
                if (n <= best_cover)
                    continue;
                if (more > 1)
                    extend(longer, narrower, more - 1);
                else
                    judge(longer, narrower, n);
            }
        }
    }

    const size_t n_points, n_words;
    Points open; /* not covered by a rule yet */
    std::map<unsigned, Points> of_label;
    std::vector<std::vector<Points>> holds; /* [atom]: where it holds, where it does not */
    std::vector<bool> useful;
    ListRule best;
    size_t best_cover = 0;
};

} // namespace

bool learn_rule_list(const Evidence &evidence, std::vector<ListRule> &rules)
{
    rules.clear();
    return Search(evidence).run(rules);
}

} // namespace modelgen
