/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder stage of 32-bit Arm: 16-bit and 32-bit words of Thumb, M profile and A profile, and A32. */
#include <cstdio>
#include <set>
#include <string>

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
        {Isa::thumbv8m, 16, any, 4, {}, {any}, 10, 6},
        {Isa::thumbv8m, 32, thumb, 4, {}, {multiple, coprocessor}, 23, 6},
    };
    if (isa == Isa::arm)
        return configs[4];
    if (isa == Isa::thumbv8m)
        return configs[word_bits == 16 ? 5 : 6];
    return configs[(word_bits == 16 ? 0 : 2) + (isa == Isa::thumb ? 1 : 0)];
}

} // namespace modelgen

using modelgen::Isa;

/* One word length of an instruction set. */
class DecoderOf
{
  public:
    DecoderOf(const modelgen::Target &target, unsigned word_bits)
        : oracle(target, modelgen::arm_config(target.isa, word_bits)), decoder(oracle.config)
    {
    }

    int learn()
    {
        fprintf(stderr, "modelgen: %s, words of %u bits\n", modelgen::isa_name(oracle.config.isa), oracle.config.word_bits);
        learn_rows(oracle, decoder.table);
        return learn_operands(oracle, decoder) != 0;
    }

    void opcodes(std::set<unsigned> &met) const
    {
        for (const modelgen::FixedRow &row : decoder.table.rows)
            if (row.opcode)
                met.insert(row.opcode);
    }

    int write(const modelgen::OpSpace &space, const std::string &gen_dir) const
    {
        const std::string stem =
            gen_dir + "/" + modelgen::isa_name(oracle.config.isa) + "_decode" + std::to_string(oracle.config.word_bits);
        const int status = write_text(oracle, decoder, stem + ".txt");
        return status ? status : write_tables(oracle, decoder, space, stem + ".inc");
    }

  private:
    modelgen::FixedOracle oracle;
    modelgen::FixedDecoder decoder;
};

static int write_decoder(Isa isa, unsigned word_bits, const char *gen_dir)
{
    modelgen::Target target(isa);
    DecoderOf words(target, word_bits);
    return words.learn() || words.write(modelgen::OpSpace(target), gen_dir);
}

/* For boards: numbers only the opcodes that are met, and so has an opcode table of its own. */
int stage_decode_thumbv8m(const char *gen_dir)
{
    modelgen::Target target(Isa::thumbv8m);
    DecoderOf half(target, 16), full(target, 32);
    std::set<unsigned> met;
    if (half.learn() || full.learn())
        return 1;
    half.opcodes(met);
    full.opcodes(met);
    const modelgen::OpSpace space(target, met);
    return modelgen::write_ops(target, space, gen_dir) || half.write(space, gen_dir) || full.write(space, gen_dir);
}

int stage_decode_thumbm(const char *gen_dir)
{
    return write_decoder(Isa::thumbm, 16, gen_dir) || write_decoder(Isa::thumbm, 32, gen_dir);
}

int stage_decode_thumb(const char *gen_dir)
{
    return write_decoder(Isa::thumb, 16, gen_dir) || write_decoder(Isa::thumb, 32, gen_dir);
}

int stage_decode_arm(const char *gen_dir)
{
    return write_decoder(Isa::arm, 32, gen_dir);
}
