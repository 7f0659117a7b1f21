/* SPDX-License-Identifier: Apache-2.0 */
/* The check of core's AArch64 decoder. */
#include "decode_fixed_verify.h"
#include "stages.h"

int stage_verify_aarch64(int argc, char **argv)
{
    using namespace modelgen;
    Target target(Isa::aarch64);
    FixedOracle oracle(target, aarch64_config());
    return verify_fixed(oracle, sl_isa_aarch64, argc, argv);
}
