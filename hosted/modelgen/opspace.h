/* SPDX-License-Identifier: Apache-2.0 */
/* Our opcode numbering: op = 1 + rank among the target's non-pseudo LLVM opcodes; 0 is "none". Behind them come those
 * pseudo-opcodes that an assembler's parser leaves for the emitter to expand, so that llvm-mca meets them (RISC-V).
 * The M profile of Arm, for boards with little memory, numbers only opcodes of Thumb, MVE and the scalar
 * floating-point unit. */
#ifndef MODELGEN_OPSPACE_H
#define MODELGEN_OPSPACE_H

#include <cstdint>
#include <set>
#include <vector>

#include "target.h"

namespace modelgen
{

struct OpSpace {
    std::vector<uint16_t> of_llvm; /* [LLVM opcode] -> op, 0 for pseudos */
    std::vector<unsigned> to_llvm; /* [op] -> LLVM opcode; entry 0 is unused */

    explicit OpSpace(const Target &target) : of_llvm(target.mcii->getNumOpcodes(), 0), to_llvm(1, 0)
    {
        for (unsigned opcode = 0; opcode < of_llvm.size(); opcode++) {
            if (target.mcii->get(opcode).isPseudo() || (is_m_profile(target.isa) && !in_m_profile(target, opcode)))
                continue;
            add(opcode);
        }
        static const char *const left_by_parser[] = {"PseudoCALL", "PseudoCALLReg", "PseudoTAIL", "PseudoJump",
                                                     "PseudoTLSDESCCall"};
        for (unsigned opcode = 0; opcode < of_llvm.size(); opcode++)
            for (const char *name : left_by_parser)
                if (target.mcii->getName(opcode) == name)
                    add(opcode);
    }

    /* Of these LLVM opcodes alone. */
    OpSpace(const Target &target, const std::set<unsigned> &only) : of_llvm(target.mcii->getNumOpcodes(), 0), to_llvm(1, 0)
    {
        for (unsigned opcode : only)
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

    /* By LLVM's naming; bit 15 of its target flags is the execution domain of the scalar unit. */
    static bool in_m_profile(const Target &target, unsigned opcode)
    {
        const llvm::StringRef name = target.mcii->getName(opcode);
        const bool scalar_float = (name[0] == 'V' || name[0] == 'F') && (target.mcii->get(opcode).TSFlags >> 15 & 1);
        return name[0] == 't' || name.starts_with("MVE_") || scalar_float;
    }
};

/* Writes the opcode tables of the target's own instruction set, with these opcodes. Classes are numbered as in its family. */
int write_ops(const Target &target, const OpSpace &ops, const char *gen_dir);

} // namespace modelgen

#endif
