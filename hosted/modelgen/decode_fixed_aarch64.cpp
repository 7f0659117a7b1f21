/* SPDX-License-Identifier: Apache-2.0 */
/* The AArch64 decoder stage: every subtarget feature on, 32-bit words. */
#include <cstdio>

#include "decode_fixed.h"
#include "stages.h"

namespace modelgen {

const FixedConfig &aarch64_config()
{
    static const FixedConfig config = {
        Isa::aarch64,
        32,
        {0, 0},
        5,
        {0, 5, 10, 16},         /* Rd, Rn, Ra, Rm: FEAT_MOPS wants its three registers different */
        {{0xffc00000, 0xd5000000}}, /* system instructions: MSR (immediate) is valid for a few of 2^11 op1:CRm:op2 */
        21,
        11};
    return config;
}

} // namespace modelgen

int stage_decode_aarch64(const char *gen_dir)
{
    using namespace modelgen;
    Target target(Isa::aarch64);
    FixedOracle oracle(target, aarch64_config());
    OpSpace space(target);
    FixedDecoder decoder(oracle.config);
    learn_rows(oracle, decoder.table);
    if (learn_operands(oracle, decoder))
        return 1;
    for (unsigned opcode : oracle.reclassified)
        fprintf(stderr, "modelgen: %s: registers of the operand's class, not those of LLVM's disassembler\n",
                target.mcii->getName(opcode).str().c_str());
    std::string stem = std::string(gen_dir) + "/aarch64_decode";
    if (int status = write_text(oracle, decoder, stem + ".txt"))
        return status;
    return write_tables(oracle, decoder, space, stem + ".inc");
}
