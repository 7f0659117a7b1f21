/* SPDX-License-Identifier: Apache-2.0 */
/* The check of core's RISC-V decoders. */
#include "decode_fixed_verify.h"
#include "stages.h"

/* Compressed words all, the others as asked. */
static int verify_riscv(modelgen::Isa isa, const sl_isa &tables, int argc, char **argv)
{
    using namespace modelgen;
    static char exhaustive[] = "--exhaustive";
    Target target(isa);
    FixedOracle compressed(target, riscv_config(isa, 16)), full(target, riscv_config(isa, 32));
    char *every[] = {argv[0], exhaustive};
    int status = verify_fixed(compressed, tables, 2, every);
    return verify_fixed(full, tables, argc, argv) || status;
}

int stage_verify_riscv64(int argc, char **argv)
{
    return verify_riscv(modelgen::Isa::riscv64, sl_isa_riscv64, argc, argv);
}

int stage_verify_riscv32(int argc, char **argv)
{
    return verify_riscv(modelgen::Isa::riscv32, sl_isa_riscv32, argc, argv);
}
