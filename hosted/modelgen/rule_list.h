/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of an ordered rule list (conjunctions of at most three atoms) that separates labelled points exactly. */
#ifndef MODELGEN_RULE_LIST_H
#define MODELGEN_RULE_LIST_H

#include <vector>

namespace modelgen
{

/* truth[atom][point]; labels[point]. */
struct Evidence {
    std::vector<std::vector<bool>> truth;
    std::vector<unsigned> labels;
};

struct Literal {
    unsigned atom;
    bool negated;
};

struct ListRule {
    std::vector<Literal> literals; /* empty in the last rule */
    unsigned label;
};

/* False when no such list exists. */
bool learn_rule_list(const Evidence &evidence, std::vector<ListRule> &rules);

} // namespace modelgen

#endif
