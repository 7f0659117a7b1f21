/* SPDX-License-Identifier: Apache-2.0 */
/* modelgen: reads LLVM 19's MC libraries and writes core/gen, and checks core's tables against LLVM. */
#include <cstdio>
#include <cstring>

#include "stages.h"

namespace
{

struct WriteStage {
    const char *name;
    int (*run)(const char *gen_dir);
    const char *help;
};

struct VerifyStage {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
};

const WriteStage write_stages[] = {
    {"ops", stage_ops, "opcodes: operand counts, flags, implicit registers, names"},
    {"regs", stage_regs, "registers: sub-registers, flags, names"},
    {"models", stage_models, "scheduling models of every CPU but"},
    {"models-arm", stage_models_arm, "those of 32-bit Arm"},
    {"decode-aarch64", stage_decode_aarch64, "decoder tables, AArch64"},
    {"decode-riscv", stage_decode_riscv, "decoder tables, RV64 and RV32"},
    {"decode-x86_64", stage_decode_x86_64, "decoder tables, x86-64"},
    {"decode-thumbm", stage_decode_thumbm, "decoder tables, Thumb, M profile"},
    {"decode-thumbv8m", stage_decode_thumbv8m, "decoder and opcode tables, Thumb, up to Armv8-M, for boards"},
    {"decode-thumb", stage_decode_thumb, "decoder tables, Thumb, A and R profile"},
    {"decode-arm", stage_decode_arm, "decoder tables, A32"},
    {"text-aarch64", stage_text_aarch64, "assembly texts, AArch64"},
    {"text-riscv", stage_text_riscv, "assembly texts, RV64 and RV32"},
    {"text-arm", stage_text_arm, "assembly texts, Thumb of both profiles and A32"},
    {"text-x86_64", stage_text_x86_64, "assembly texts, x86-64"},
};

const VerifyStage verify_stages[] = {
    {"verify-models", stage_verify_models, "compare class resolution, idioms and descriptors with LLVM"},
    {"verify-aarch64", stage_verify_aarch64, "compare the AArch64 decoder with LLVM"},
    {"verify-riscv64", stage_verify_riscv64, "compare the RV64 decoder with LLVM"},
    {"verify-riscv32", stage_verify_riscv32, "compare the RV32 decoder with LLVM"},
    {"verify-thumbm", stage_verify_thumbm, "compare the Thumb decoder of the M profile with LLVM"},
    {"verify-thumbv8m", stage_verify_thumbv8m, "compare the Thumb decoder for boards with LLVM"},
    {"verify-thumb", stage_verify_thumb, "compare the Thumb decoder of the A profile with LLVM"},
    {"verify-arm", stage_verify_arm, "compare the A32 decoder with LLVM"},
    {"verify-x86_64", stage_verify_x86_64, "compare the x86-64 decoder with LLVM"},
    {"verify-text", stage_verify_text, "compare assembly texts with LLVM"},
};

int usage()
{
    fprintf(stderr, "usage: modelgen STAGE OUTDIR | modelgen all OUTDIR | modelgen verify-STAGE [ARGUMENTS]\n");
    for (const auto &stage : write_stages)
        fprintf(stderr, "  %-16s %s\n", stage.name, stage.help);
    for (const auto &stage : verify_stages)
        fprintf(stderr, "  %-16s %s\n", stage.name, stage.help);
    return 2;
}

int run_all(const char *gen_dir)
{
    for (const auto &stage : write_stages) {
        if (!stage.run)
            continue;
        int status = stage.run(gen_dir);
        if (status)
            return status;
    }
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage();
    if (argc == 3 && strcmp(argv[1], "all") == 0)
        return run_all(argv[2]);
    for (const auto &stage : write_stages)
        if (argc == 3 && stage.run && strcmp(argv[1], stage.name) == 0)
            return stage.run(argv[2]);
    for (const auto &stage : verify_stages)
        if (stage.run && strcmp(argv[1], stage.name) == 0)
            return stage.run(argc - 1, argv + 1);
    return usage();
}
