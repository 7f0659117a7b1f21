/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder stage of 32-bit Arm: 16-bit and 32-bit words of Thumb, M profile and A profile, and A32. */
#include <cstdio>

#include "decode_fixed.h"
#include "stages.h"

namespace modelgen {

const FixedConfig &arm_config(Isa isa, unsigned word_bits)
{
    /* Multiple loads and stores, and coprocessor instructions: validity hangs on lists and coprocessor numbers. */
    static const BitCube thumb = {0xe0000000, 0xe0000000}, any = {0, 0}, multiple = {0xfe400000, 0xe8000000},
                         coprocessor = {0xef000000, 0xee000000};
    static const FixedConfig configs[] = {
        {Isa::thumbm, 16, any, 4, {}, {any}, 10, 6},
        {Isa::thumb, 16, any, 4, {}, {any}, 10, 6},
        {Isa::thumbm, 32, thumb, 4, {}, {multiple, coprocessor}, 23, 6},
        {Isa::thumb, 32, thumb, 4, {}, {multiple, coprocessor}, 23, 6},
        {Isa::arm, 32, any, 4, {}, {}, 28, 4},
    };
    if (isa == Isa::arm)
        return configs[4];
    return configs[(word_bits == 16 ? 0 : 2) + (isa == Isa::thumb ? 1 : 0)];
}

} // namespace modelgen

static int write_decoder(modelgen::Isa isa, unsigned word_bits, const char *gen_dir)
{
    using namespace modelgen;
    Target target(isa);
    FixedOracle oracle(target, arm_config(isa, word_bits));
    OpSpace space(target);
    FixedDecoder decoder(oracle.config);
    fprintf(stderr, "modelgen: %s, words of %u bits\n", isa_name(isa), word_bits);
    learn_rows(oracle, decoder.table);
    if (learn_operands(oracle, decoder))
        return 1;
    std::string stem = std::string(gen_dir) + "/" + isa_name(isa) + "_decode" + std::to_string(word_bits);
    if (int status = write_text(oracle, decoder, stem + ".txt"))
        return status;
    return write_tables(oracle, decoder, space, stem + ".inc");
}

int stage_decode_thumbm(const char *gen_dir)
{
    return write_decoder(modelgen::Isa::thumbm, 16, gen_dir) || write_decoder(modelgen::Isa::thumbm, 32, gen_dir);
}

int stage_decode_thumb(const char *gen_dir)
{
    return write_decoder(modelgen::Isa::thumb, 16, gen_dir) || write_decoder(modelgen::Isa::thumb, 32, gen_dir);
}

int stage_decode_arm(const char *gen_dir)
{
    return write_decoder(modelgen::Isa::arm, 32, gen_dir);
}
