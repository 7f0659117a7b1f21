/* SPDX-License-Identifier: Apache-2.0 */
/* The check of core's decoders of 32-bit Arm. */
#include <set>

#include "decode_fixed_verify.h"
#include "probe.h"
#include "stages.h"

/* Thumb: words of 16 bits all, the others as asked. */
static int verify_thumb(const modelgen::Target &target, const sl_isa &tables, const modelgen::OpSpace &space, int argc,
                        char **argv)
{
    using namespace modelgen;
    static char exhaustive[] = "--exhaustive";
    FixedOracle half(target, arm_config(target.isa, 16)), full(target, arm_config(target.isa, 32));
    char *every[] = {argv[0], exhaustive};
    int status = verify_fixed(half, tables, space, 2, every);
    return verify_fixed(full, tables, space, argc, argv) || status;
}

/* The opcodes of the tables for boards, by their names. */
int stage_verify_thumbv8m(int argc, char **argv)
{
    modelgen::Target target(modelgen::Isa::thumbv8m);
    std::set<unsigned> known;
    for (uint16_t op = 1; op < sl_isa_thumbv8m.n_ops; op++)
        known.insert(modelgen::opcode_by_name(target, sl_thumbv8m_op_name(op)));
    return verify_thumb(target, sl_isa_thumbv8m, modelgen::OpSpace(target, known), argc, argv);
}

int stage_verify_thumbm(int argc, char **argv)
{
    modelgen::Target target(modelgen::Isa::thumbm);
    return verify_thumb(target, sl_isa_thumbm, modelgen::OpSpace(target), argc, argv);
}

int stage_verify_thumb(int argc, char **argv)
{
    modelgen::Target target(modelgen::Isa::thumb);
    return verify_thumb(target, sl_isa_thumb, modelgen::OpSpace(target), argc, argv);
}

int stage_verify_arm(int argc, char **argv)
{
    using namespace modelgen;
    Target target(Isa::arm);
    FixedOracle oracle(target, arm_config(Isa::arm, 32));
    return verify_fixed(oracle, sl_isa_arm, argc, argv);
}
