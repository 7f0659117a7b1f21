/* SPDX-License-Identifier: Apache-2.0 */
/* Stage verify-text: random machine code, decoded and printed by the tool's code, against LLVM's printer. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../report/disasm.h"
#include "samples.h"
#include "stages.h"
#include "text.h"

namespace {

using namespace modelgen;

struct Counts {
    unsigned long same = 0, unknown = 0, different = 0;
};

class Comparison {
  public:
    Comparison(const Target &target, const OpSpace &space, const sl_isa &isa, unsigned dialect)
        : target(target), space(space), isa(isa), oracle(target, dialect)
    {
    }

    void check(const uint8_t *bytes, size_t len)
    {
        llvm::MCInst inst;
        sl_insn insn;
        /* Where core decodes what the assembler would read instead of what LLVM's disassembler says, the texts differ
         * for that reason alone. */
        if (isa.decode(bytes, len, &insn) || target.decode(bytes, len, inst) != insn.len_bytes ||
            space.of_llvm[inst.getOpcode()] != insn.op || prefix_flags(target.isa, inst.getFlags()) != insn.flags)
            return;
        for (unsigned hex = 0; hex < 2; hex++) {
            char text[DISASM_TEXT_BYTES];
            const disasm_options options = {oracle.dialect, hex != 0};
            const bool known = disasm_text(&isa, &insn, bytes, &options, nullptr, text, sizeof text);
            const std::string expected = oracle.print(inst, hex != 0);
            if (known && expected == text)
                counts.same++;
            else if (known && ++counts.different <= 40)
                printf("%s: '%s' instead of '%s'\n", target.mcii->getName(inst.getOpcode()).str().c_str(), text,
                       expected.c_str());
            counts.unknown += !known;
        }
    }

    /* The exit status. */
    int result() const
    {
        printf("verify-text: %s dialect %u: %lu texts equal, %lu without a text, %lu differ\n", isa.name, oracle.dialect,
               counts.same, counts.unknown, counts.different);
        return counts.different != 0;
    }

  private:
    const Target &target;
    const OpSpace &space;
    const sl_isa &isa;
    const TextOracle oracle;
    Counts counts;
};

int verify_fixed(const OpSpace &space, const Target &target, const sl_isa &isa, const std::vector<DecodeText> &texts,
                 unsigned long n)
{
    Comparison comparison(target, space, isa, 0);
    Random random(4711);
    for (unsigned long i = 0; i < n; i++) {
        const uint32_t word = static_cast<uint32_t>(random.next());
        const uint8_t bytes[4] = {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
        comparison.check(bytes, 4);
    }
    const auto check = [&](const uint8_t *bytes, size_t len, const TextInst &) { comparison.check(bytes, len); };
    const auto sampler = fixed_sampler(target, space, texts);
    for (size_t op = 1; op < space.size(); op++)
        sampler->sample(op, 40, check);
    return comparison.result();
}

int verify_x86_64(const OpSpace &space, const Target &target, unsigned dialect)
{
    Comparison comparison(target, space, sl_isa_x86_64, dialect);
    const auto check = [&](const uint8_t *bytes, size_t len, const TextInst &) { comparison.check(bytes, len); };
    const auto sampler = x86_sampler(target, space);
    for (size_t op = 1; op < space.size(); op++)
        sampler->sample(op, 40, check);
    return comparison.result();
}

} // namespace

/* [GEN_DIR [WORDS]]: random words beside samples of every opcode. */
int stage_verify_text(int argc, char **argv)
{
    const std::string gen_dir = argc > 1 ? argv[1] : "core/gen";
    const unsigned long n = argc > 2 ? strtoul(argv[2], nullptr, 10) : 200000;
    int status = 0;
    for (Isa isa : {Isa::aarch64, Isa::riscv64, Isa::riscv32}) {
        const Target target(isa);
        const OpSpace space(target);
        const sl_isa &ours = isa == Isa::aarch64 ? sl_isa_aarch64 : isa == Isa::riscv64 ? sl_isa_riscv64 : sl_isa_riscv32;
        const auto texts = isa == Isa::aarch64 ? std::vector<DecodeText>{{gen_dir + "/aarch64_decode.txt", 4}}
                                               : riscv_decode_texts(gen_dir, isa);
        status |= verify_fixed(space, target, ours, texts, n);
    }
    for (const auto &[isa, ours] : {std::pair{Isa::thumbm, &sl_isa_thumbm}, {Isa::thumb, &sl_isa_thumb}, {Isa::arm, &sl_isa_arm}}) {
        const Target target(isa);
        const OpSpace space(target);
        status |= verify_fixed(space, target, *ours, arm_decode_texts(gen_dir, isa), n);
    }
    const Target target(Isa::x86_64);
    const OpSpace space(target);
    for (unsigned dialect = 0; dialect < 2; dialect++)
        status |= verify_x86_64(space, target, dialect);
    return status;
}
