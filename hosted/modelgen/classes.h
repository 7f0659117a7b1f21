/* SPDX-License-Identifier: Apache-2.0 */
/* Dense numbering of scheduling classes: first those of non-pseudo opcodes in LLVM's order, then variant outcomes. */
#ifndef MODELGEN_CLASSES_H
#define MODELGEN_CLASSES_H

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "opspace.h"

namespace modelgen
{

class ClassSpace
{
  public:
    ClassSpace(const llvm::MCInstrInfo &mcii, const OpSpace &ops)
    {
        std::set<unsigned> used;
        for (size_t op = 1; op < ops.size(); op++)
            used.insert(mcii.get(ops.to_llvm[op]).getSchedClass());
        used.erase(0);
        to_llvm.push_back(0);
        dense[0] = 0;
        for (unsigned llvm_class : used)
            add(llvm_class);
    }

    /* Number of an LLVM class, given out on first use. */
    uint16_t add(unsigned llvm_class)
    {
        auto found = dense.find(llvm_class);
        if (found != dense.end())
            return found->second;
        uint16_t number = static_cast<uint16_t>(to_llvm.size());
        dense[llvm_class] = number;
        to_llvm.push_back(llvm_class);
        return number;
    }

    std::vector<unsigned> to_llvm; /* [our class] -> LLVM class; 0 -> 0 */

  private:
    std::map<unsigned, uint16_t> dense;
};

} // namespace modelgen

#endif
