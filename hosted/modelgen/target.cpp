/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of the LLVM MC objects. */
#include "target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <slotledger/isa.h>

#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

namespace modelgen
{

struct IsaNames {
    const char *isa, *family, *triple;
};

static const IsaNames &names_of(Isa isa)
{
    static const IsaNames names[] = {
        {"aarch64", "aarch64", "aarch64-linux-gnu"},
        {"x86_64", "x86_64", "x86_64-linux-gnu"},
        {"riscv64", "riscv", "riscv64-linux-gnu"},
        {"riscv32", "riscv", "riscv32-linux-gnu"},
    };
    return names[static_cast<int>(isa)];
}

const char *isa_name(Isa isa)
{
    return names_of(isa).isa;
}

const char *family_name(Isa isa)
{
    return names_of(isa).family;
}

bool is_riscv(Isa isa)
{
    return isa == Isa::riscv64 || isa == Isa::riscv32;
}

static void initialize_llvm()
{
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64Disassembler();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    LLVMInitializeX86AsmParser();
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVDisassembler();
    LLVMInitializeRISCVAsmParser();
}

static std::string all_features(const llvm::Target &target, const std::string &triple)
{
    std::unique_ptr<llvm::MCSubtargetInfo> plain(target.createMCSubtargetInfo(triple, "", ""));
    std::string features;
    for (const auto &feature : plain->getAllProcessorFeatures())
        features += std::string(features.empty() ? "+" : ",+") + feature.Key;
    return features;
}

/* All RISC-V features together would include vendors' extensions that claim the same encodings, and RVE. */
static const char riscv_features[] =
    "+m,+a,+f,+d,+c,+v,+h,+zba,+zbb,+zbc,+zbs,+zbkb,+zbkc,+zbkx,+zknd,+zkne,+zknh,+zksed,+zksh,+zkr,+zfh,+zfa,"
    "+zfbfmin,+zvfh,+zvfbfmin,+zvfbfwma,+zvbb,+zvbc,+zvkg,+zvkned,+zvknhb,+zvksed,+zvksh,+zicond,+zimop,+zcmop,"
    "+zcb,+zawrs,+zicbom,+zicbop,+zicboz,+zihintntl,+svinval,+zabha,+experimental-zacas,+experimental-zalasr,"
    "+experimental-zicfilp,+experimental-zicfiss,+zifencei,+zicsr";

static std::string decoder_features(const Target &target)
{
    if (is_riscv(target.isa))
        return riscv_features;
    return target.isa == Isa::aarch64 ? all_features(*target.target, target.triple) : "";
}

Target::Target(Isa which) : isa(which)
{
    initialize_llvm();
    triple = names_of(isa).triple;
    std::string error;
    target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target) {
        fprintf(stderr, "modelgen: %s\n", error.c_str());
        exit(1);
    }
    mri.reset(target->createMCRegInfo(triple));
    mai.reset(target->createMCAsmInfo(*mri, triple, options));
    mcii.reset(target->createMCInstrInfo());
    sti.reset(target->createMCSubtargetInfo(triple, "", decoder_features(*this)));
    context = std::make_unique<llvm::MCContext>(llvm::Triple(triple), mai.get(), mri.get(), sti.get());
    disassembler.reset(target->createMCDisassembler(*sti, *context));
    analysis.reset(target->createMCInstrAnalysis(mcii.get()));
    printer.reset(target->createMCInstPrinter(llvm::Triple(triple), mai->getAssemblerDialect(), *mai, *mcii, *mri));
    emitter.reset(target->createMCCodeEmitter(*mcii, *context));
}

std::unique_ptr<llvm::MCSubtargetInfo> Target::cpu_subtarget(const std::string &cpu) const
{
    return std::unique_ptr<llvm::MCSubtargetInfo>(target->createMCSubtargetInfo(triple, cpu, ""));
}

unsigned Target::decode(const uint8_t *bytes, size_t len, llvm::MCInst &out, bool *soft) const
{
    uint64_t size = 0;
    out = llvm::MCInst(); /* the AArch64 decoder looks at a stale opcode when a word matches nothing, and overruns */
    auto status = disassembler->getInstruction(out, size, llvm::ArrayRef<uint8_t>(bytes, len), 0, llvm::nulls());
    if (soft)
        *soft = status == llvm::MCDisassembler::SoftFail;
    return status == llvm::MCDisassembler::Fail ? 0 : static_cast<unsigned>(size);
}

uint32_t prefix_flags(Isa isa, unsigned llvm_flags)
{
    /* In the order of LLVM's bits 0..5; its header is not installed, the decoder's answers show the values. */
    static const uint32_t ours[] = {SL_INSN_DATA16, SL_INSN_ADDR32, SL_INSN_REPNE,
                                    SL_INSN_REP,    SL_INSN_LOCK,   SL_INSN_NOTRACK};
    uint32_t flags = 0;
    if (isa == Isa::x86_64)
        for (unsigned bit = 0; bit < 6; bit++)
            flags |= llvm_flags >> bit & 1 ? ours[bit] : 0;
    return flags;
}

std::vector<std::string> mca_cpus(const Target &target)
{
    std::vector<std::string> names;
    for (const auto &cpu : target.sti->getAllProcessorDescriptions())
        if (cpu.SchedModel->hasInstrSchedModel())
            names.push_back(cpu.Key);
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace modelgen
