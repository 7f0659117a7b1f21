/* SPDX-License-Identifier: Apache-2.0 */
/* The RISC-V decoder stage: 32-bit and 16-bit words of RV64 and RV32 with the ratified and the curated extensions. */
#include <cstdio>

#include "decode_fixed.h"
#include "stages.h"

namespace modelgen {

const FixedConfig &riscv_config(Isa isa, unsigned word_bits)
{
    /* MOP.R.n and MOP.RR.n are valid for some of their numbers only. */
    static const BitCube may_be_operations = {0x0000707f, 0x00004073};
    static const FixedConfig configs[] = {
        {Isa::riscv64, 32, {3, 3}, 5, {}, {may_be_operations}, 2, 5},
        {Isa::riscv32, 32, {3, 3}, 5, {}, {may_be_operations}, 2, 5},
        {Isa::riscv64, 16, {0, 0}, 5, {}, {{0, 0}}, 13, 3},
        {Isa::riscv32, 16, {0, 0}, 5, {}, {{0, 0}}, 13, 3},
    };
    return configs[(word_bits == 16 ? 2 : 0) + (isa == Isa::riscv32 ? 1 : 0)];
}

} // namespace modelgen

static int write_decoder(modelgen::Isa isa, unsigned word_bits, const char *gen_dir)
{
    using namespace modelgen;
    Target target(isa);
    FixedOracle oracle(target, riscv_config(isa, word_bits));
    OpSpace space(target);
    FixedDecoder decoder(oracle.config);
    learn_rows(oracle, decoder.table);
    if (learn_operands(oracle, decoder))
        return 1;
    std::string stem = std::string(gen_dir) + "/" + isa_name(isa) + "_decode" + std::to_string(word_bits);
    if (int status = write_text(oracle, decoder, stem + ".txt"))
        return status;
    return write_tables(oracle, decoder, space, stem + ".inc");
}

int stage_decode_riscv(const char *gen_dir)
{
    for (modelgen::Isa isa : {modelgen::Isa::riscv64, modelgen::Isa::riscv32})
        for (unsigned word_bits : {16, 32})
            if (int status = write_decoder(isa, word_bits, gen_dir))
                return status;
    return 0;
}
