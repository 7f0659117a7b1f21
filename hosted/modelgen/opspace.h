/* SPDX-License-Identifier: Apache-2.0 */
/* Our opcode numbering: op = 1 + rank among the target's non-pseudo LLVM opcodes; 0 is "none". Behind them come those
 * pseudo-opcodes that an assembler's parser leaves for the emitter to expand, so that llvm-mca meets them (RISC-V). */
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
            add(opcode);
        }
        static const char *const left_by_parser[] = {"PseudoCALL", "PseudoCALLReg", "PseudoTAIL", "PseudoJump",
                                                     "PseudoTLSDESCCall"};
        for (unsigned opcode = 0; opcode < mcii.getNumOpcodes(); opcode++)
            for (const char *name : left_by_parser)
                if (mcii.getName(opcode) == name)
                    add(opcode);
    }

    /* Including op 0. */
    size_t size() const { return to_llvm.size(); }

  private:
    void add(unsigned opcode)
    {
        of_llvm[opcode] = static_cast<uint16_t>(to_llvm.size());
        to_llvm.push_back(opcode);
    }
};

} // namespace modelgen

#endif
