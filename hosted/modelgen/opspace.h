/* SPDX-License-Identifier: Apache-2.0 */
/* Our opcode numbering: op = 1 + rank among the target's non-pseudo LLVM opcodes; 0 is "none". */
#ifndef MODELGEN_OPSPACE_H
#define MODELGEN_OPSPACE_H

#include <cstdint>
#include <vector>

#include "llvm/MC/MCInstrInfo.h"

namespace modelgen
{

struct OpSpace {
    std::vector<uint16_t> of_llvm; /* [LLVM opcode] -> op, 0 for pseudos */
    std::vector<unsigned> to_llvm; /* [op] -> LLVM opcode; entry 0 is unused */

    explicit OpSpace(const llvm::MCInstrInfo &mcii) : of_llvm(mcii.getNumOpcodes(), 0), to_llvm(1, 0)
    {
        for (unsigned opcode = 0; opcode < mcii.getNumOpcodes(); opcode++) {
            if (mcii.get(opcode).isPseudo())
                continue;
            of_llvm[opcode] = static_cast<uint16_t>(to_llvm.size());
            to_llvm.push_back(opcode);
        }
    }

    /* Including op 0. */
    size_t size() const { return to_llvm.size(); }
};

} // namespace modelgen

#endif
