/* SPDX-License-Identifier: Apache-2.0 */
/* The check of core's decoders of 32-bit Arm. */
#include "decode_fixed_verify.h"
#include "stages.h"

/* Thumb: words of 16 bits all, the others as asked. */
static int verify_thumb(modelgen::Isa isa, const sl_isa &tables, int argc, char **argv)
{
    using namespace modelgen;
    static char exhaustive[] = "--exhaustive";
    Target target(isa);
    FixedOracle half(target, arm_config(isa, 16)), full(target, arm_config(isa, 32));
    char *every[] = {argv[0], exhaustive};
    int status = verify_fixed(half, tables, 2, every);
    return verify_fixed(full, tables, argc, argv) || status;
}

int stage_verify_thumbm(int argc, char **argv)
{
    return verify_thumb(modelgen::Isa::thumbm, sl_isa_thumbm, argc, argv);
}

int stage_verify_thumb(int argc, char **argv)
{
    return verify_thumb(modelgen::Isa::thumb, sl_isa_thumb, argc, argv);
}

int stage_verify_arm(int argc, char **argv)
{
    using namespace modelgen;
    Target target(Isa::arm);
    FixedOracle oracle(target, arm_config(Isa::arm, 32));
    return verify_fixed(oracle, sl_isa_arm, argc, argv);
}
