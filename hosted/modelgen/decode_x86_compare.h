/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of core's x86-64 decoder with LLVM, instruction by instruction, with a tally of difference classes. */
#ifndef MODELGEN_DECODE_X86_COMPARE_H
#define MODELGEN_DECODE_X86_COMPARE_H

#include <string>

#include "decode_x86.h"
#include "opspace.h"

#include <slotledger/isa.h>

namespace modelgen {
namespace x86 {

class Comparer {
public:
    explicit Comparer(const Target &t);

    /* Returns the number of bytes to go on by. */
    unsigned check(const uint8_t *bytes, size_t len);
    /* The same for an instruction LLVM has parsed from text; branch targets and expressions are not compared. */
    void check_parsed(const llvm::MCInst &parsed, const uint8_t *bytes, size_t len);
    /* Prints the tally and resets it; the result is the number of unexpected differences. */
    uint64_t report(const char *what);

    static bool is_apx(const uint8_t *bytes, llvm::StringRef opcode);

    uint64_t same = 0;

private:
    unsigned reference(const uint8_t *bytes, size_t len, llvm::MCInst &out) const;
    std::string difference(const llvm::MCInst &reference, const sl_insn &ours, bool parsed) const;
    std::string operand_difference(const llvm::MCInst &reference, const sl_insn &ours, bool parsed) const;
    std::string undecoded_class(const llvm::MCInst &reference, const uint8_t *bytes) const;
    std::string parsed_class(const llvm::MCInst &parsed, const uint8_t *bytes, size_t len, const sl_insn *ours) const;
    std::string judge(const llvm::MCInst &inst, unsigned got, const uint8_t *bytes, const sl_insn *ours) const;
    std::string name(unsigned llvm_opcode) const;
    void note(const std::string &what, bool expected, const uint8_t *bytes, size_t len);

    struct Class {
        uint64_t count = 0;
        bool expected = false;
        std::string example;
    };
    const Target &target;
    OpSpace ops;
    unsigned xacquire, xrelease, ds;
    uint64_t both_undecodable = 0;
    std::map<std::string, Class> classes;
};

} // namespace x86
} // namespace modelgen

#endif
