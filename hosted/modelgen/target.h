/* SPDX-License-Identifier: Apache-2.0 */
/* Owning bundle of the LLVM MC objects of one target, as every generator stage needs them. */
#ifndef MODELGEN_TARGET_H
#define MODELGEN_TARGET_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSchedule.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"

namespace modelgen
{

enum class Isa { aarch64, x86_64, riscv64, riscv32, thumbm, thumb, arm, thumbv8m };

/* "aarch64", "x86_64", "riscv64", "riscv32", "thumbm" (M profile), "thumb" and "arm" (A and R profile), "thumbv8m" (the M
 * profile up to Armv8-M, for boards): the prefix of file and symbol names. */
const char *isa_name(Isa isa);

/* Of opcode, register and class tables: "riscv" for both RISC-V instruction sets, which share them, "arm" for "thumb",
 * too. */
const char *family_name(Isa isa);

bool is_riscv(Isa isa);
bool is_arm(Isa isa); /* 32-bit */
bool is_thumb(Isa isa);
bool is_m_profile(Isa isa);

struct Target {
    Isa isa;
    std::string triple;
    const llvm::Target *target;
    llvm::MCTargetOptions options;
    std::unique_ptr<llvm::MCRegisterInfo> mri;
    std::unique_ptr<llvm::MCAsmInfo> mai;
    std::unique_ptr<llvm::MCInstrInfo> mcii;
    std::unique_ptr<llvm::MCSubtargetInfo> sti; /* the features the decoder runs with */
    std::unique_ptr<llvm::MCContext> context;
    mutable std::unique_ptr<llvm::MCDisassembler> disassembler;
    std::unique_ptr<llvm::MCInstrAnalysis> analysis;
    std::unique_ptr<llvm::MCInstPrinter> printer; /* the target's default dialect (AT&T on x86) */
    std::unique_ptr<llvm::MCCodeEmitter> emitter;

    /* 32-bit Arm gets the newest version of its profile; AArch64 every subtarget feature, RISC-V those without encodings that overlap, x86-64 none beyond the default
     * (its decoder looks at the mode only). */
    explicit Target(Isa which);

    /* The subtarget llvm-mca builds for -mcpu=cpu. */
    std::unique_ptr<llvm::MCSubtargetInfo> cpu_subtarget(const std::string &cpu) const;

    /* Decodes at address 0. Returns the length in bytes, 0 when LLVM refuses; `soft` tells a SoftFail. */
    unsigned decode(const uint8_t *bytes, size_t len, llvm::MCInst &out, bool *soft = nullptr) const;

    /* Thumb: makes the disassembler forget the IT or VPT block it is in. */
    void leave_block() const;
    bool opens_block(const llvm::MCInst &inst) const;

    /* The encoder's bytes; none when it crashes, as the Arm one does on operands that it does not expect. */
    std::vector<uint8_t> encode(const llvm::MCInst &inst) const;
};

/* Prefix flags of an MCInst as SL_INSN_* flags. */
uint32_t prefix_flags(Isa isa, unsigned llvm_flags);

/* All names with an instruction-level scheduling model: what llvm-mca accepts as -mcpu. Sorted. */
std::vector<std::string> mca_cpus(const Target &target);

} // namespace modelgen

#endif
