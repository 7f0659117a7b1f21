/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of the LLVM MC objects. */
#include "target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <csetjmp>
#include <csignal>

#include <slotledger/isa.h>

#include "llvm/MC/MCFixup.h"
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
        {"thumbm", "thumbm", "thumbv8.1m.main-none-eabi"},
        {"thumb", "arm", "thumbv8-linux-gnueabihf"},
        {"arm", "arm", "armv8-linux-gnueabihf"},
        {"thumbv8m", "thumbm", "thumbv8m.main-none-eabi"},
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

bool is_arm(Isa isa)
{
    return is_thumb(isa) || isa == Isa::arm;
}

bool is_thumb(Isa isa)
{
    return isa == Isa::thumbm || isa == Isa::thumb || isa == Isa::thumbv8m;
}

bool is_m_profile(Isa isa)
{
    return isa == Isa::thumbm || isa == Isa::thumbv8m;
}

static void initialize_llvm()
{
    LLVMInitializeARMTargetInfo();
    LLVMInitializeARMTargetMC();
    LLVMInitializeARMDisassembler();
    LLVMInitializeARMAsmParser();
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

/* Newest architecture and extensions of a profile; vendors' coprocessors (CDE, iwMMXt) claim encodings of others. */
static const char m_profile_features[] = "+mclass,+thumb-mode,+armv8.1-m.main,+mve.fp,+fp64,+fp-armv8d16,+fullfp16,"
                                         "+dsp,+lob,+pacbti,+ras,+hwdiv";
/* What Cortex-M3 to M7, M33 and M35P have: no MVE, no low-overhead loops, no half-precision arithmetic. */
static const char v8m_features[] = "+mclass,+thumb-mode,+armv8-m.main,+fp64,+fp-armv8d16,+dsp,+hwdiv";
static const char a_profile_features[] =
    "+armv9.5-a,+neon,+crypto,+fullfp16,+fp16fml,+dotprod,+i8mm,+bf16,+sb,+crc,+mp,+trustzone,+virtualization,+hwdiv,"
    "+hwdiv-arm,+fp-armv8,+d32,+ras,+acquire-release,+clrbhb";

static std::string decoder_features(const Target &target)
{
    if (target.isa == Isa::thumbm)
        return m_profile_features;
    if (target.isa == Isa::thumbv8m)
        return v8m_features;
    if (is_arm(target.isa))
        return std::string(target.isa == Isa::thumb ? "+thumb-mode," : "") + a_profile_features;
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

/* IT, VPST, VPT: the disassembler keeps a state from there on. */
bool Target::opens_block(const llvm::MCInst &inst) const
{
    const llvm::StringRef name = mcii->getName(inst.getOpcode());
    return name == "t2IT" || name.starts_with("MVE_VPST") || name.starts_with("MVE_VPTv");
}

unsigned Target::decode(const uint8_t *bytes, size_t len, llvm::MCInst &out, bool *soft) const
{
    uint64_t size = 0;
    out = llvm::MCInst(); /* the AArch64 decoder looks at a stale opcode when a word matches nothing, and overruns */
    auto status = disassembler->getInstruction(out, size, llvm::ArrayRef<uint8_t>(bytes, len), 0, llvm::nulls());
    if (soft)
        *soft = status == llvm::MCDisassembler::SoftFail;
    if (is_thumb(isa) && status != llvm::MCDisassembler::Fail && opens_block(out))
        leave_block();
    return status == llvm::MCDisassembler::Fail ? 0 : static_cast<unsigned>(size);
}

void Target::leave_block() const
{
    disassembler.reset(target->createMCDisassembler(*sti, *context));
}

static sigjmp_buf after_crash;

static void crashed(int)
{
    siglongjmp(after_crash, 1);
}

std::vector<uint8_t> Target::encode(const llvm::MCInst &inst) const
{
    llvm::SmallVector<char, 16> code;
    llvm::SmallVector<llvm::MCFixup, 4> fixups;
    struct sigaction caught = {}, before;
    caught.sa_handler = crashed;
    sigaction(SIGSEGV, &caught, &before);
    if (sigsetjmp(after_crash, 1) == 0)
        emitter->encodeInstruction(inst, code, fixups, *sti);
    else
        code.clear();
    sigaction(SIGSEGV, &before, nullptr);
    return {code.begin(), code.end()};
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
