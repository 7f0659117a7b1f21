/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64 encodings and what LLVM 19's assembler made them from: opcode, operands in MCInst order, prefix flags.
 * The list is the output of LLVM's assembly parser and code emitter for the texts in the first column; branches,
 * whose targets the parser keeps as expressions, are the disassembler's. */
#include <slotledger/isa.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct encoding {
    const char *text, *hex, *insn;
    const char *flags; /* L lock, R rep, N repne, T notrack */
};

static const struct encoding encodings[] = {
    {"incl (%rax)", "ff00", "INC32m %rax 1 - 0 -", ""},
    {"lock incl (%rax)", "f0ff00", "INC32m %rax 1 - 0 -", "L"},
    {"lock", "f0", "LOCK_PREFIX", ""},
    {"rep movsb", "f3a4", "MOVSB %rdi %rsi -", "R"},
    {"rep movsw", "f366a5", "MOVSW %rdi %rsi -", "R"},
    {"rep stosq", "f348ab", "STOSQ %rdi", "R"},
    {"repne scasb", "f2ae", "SCASB %rdi", "N"},
    {"repz cmpsb", "f3a6", "CMPSB %rdi %rsi -", "R"},
    {"rep", "f3", "REP_PREFIX", ""},
    {"repne", "f2", "REPNE_PREFIX", ""},
    {"rep ret", "f3c3", "RET64", "R"},
    {"ret", "c3", "RET64", ""},
    {"notrack jmp *%rax", "3effe0", "JMP64r %rax", "T"},
    {"notrack jmp *(%rax)", "3eff20", "JMP64m %rax 1 - 0 -", "T"},
    {"notrack call *8(%r11,%rcx,2)", "3e41ff544b08", "CALL64m %r11 2 %rcx 8 -", "T"},
    {"data16", "66", "DATA16_PREFIX", ""},
    {"addr32", "67", "ADDR32_PREFIX", ""},
    {"cs", "2e", "CS_PREFIX", ""},
    {"gs", "65", "GS_PREFIX", ""},
    {"rex64", "48", "REX64_PREFIX", ""},
    {"nop", "90", "NOOP", ""},
    {"pause", "f390", "PAUSE", ""},
    {"nopw 512(%rax,%rax)", "660f1f840000020000", "NOOPW %rax 1 %rax 512 -", ""},
    {"xchg %eax, %eax", "87c0", "XCHG32rr %eax %eax %eax %eax", ""},
    {"xchg %rax, %r8", "4990", "XCHG64ar %r8 %r8", ""},
    {"xchg %r9d, %eax", "4191", "XCHG32ar %r9d %r9d", ""},
    {"movb %ah, %bl", "88e3", "MOV8rr %bl %ah", ""},
    {"movb %sil, %bl", "4088f3", "MOV8rr %bl %sil", ""},
    {"movb %r9b, (%rsp)", "44880c24", "MOV8mr %rsp 1 - 0 - %r9b", ""},
    {"movl 8(%rip), %eax", "8b0508000000", "MOV32rm %eax %rip 1 - 8 -", ""},
    {"movl 8(%eip), %eax", "678b0508000000", "MOV32rm %eax %eip 1 - 8 -", ""},
    {"movl 16, %eax", "8b042510000000", "MOV32rm %eax - 1 - 16 -", ""},
    {"movl %gs:40, %eax", "658b042528000000", "MOV32rm %eax - 1 - 40 %gs", ""},
    {"movl (%rax,%riz,2), %ebx", "8b1c60", "MOV32rm %ebx %rax 2 %riz 0 -", ""},
    {"movl (%rax,%riz), %ebx", "8b1c20", "MOV32rm %ebx %rax 1 %riz 0 -", ""},
    {"movl (%rsp), %eax", "8b0424", "MOV32rm %eax %rsp 1 - 0 -", ""},
    {"movl (%r12), %eax", "418b0424", "MOV32rm %eax %r12 1 - 0 -", ""},
    {"movl (%rbp), %eax", "8b4500", "MOV32rm %eax %rbp 1 - 0 -", ""},
    {"movl (%r13), %eax", "418b4500", "MOV32rm %eax %r13 1 - 0 -", ""},
    {"movl -8(,%r9,8), %ebx", "428b1ccdf8ffffff", "MOV32rm %ebx - 8 %r9 -8 -", ""},
    {"movl (%eax,%edx,4), %ecx", "678b0c90", "MOV32rm %ecx %eax 4 %edx 0 -", ""},
    {"movabsl 0x1122334455667788, %eax", "a18877665544332211", "MOV32ao64 1234605616436508552 -", ""},
    {"movabsq %rax, 0x1122334455667788", "48a38877665544332211", "MOV64o64a 1234605616436508552 -", ""},
    {"movabsq $-2, %r10", "49bafeffffffffffffff", "MOV64ri %r10 -2", ""},
    {"movq $-1, %rax", "48c7c0ffffffff", "MOV64ri32 %rax -1", ""},
    {"movw $300, %ax", "66b82c01", "MOV16ri %ax 300", ""},
    {"addl $-1, %eax", "83c0ff", "ADD32ri8 %eax %eax -1", ""},
    {"addl $0x12345, %eax", "0545230100", "ADD32i32 74565", ""},
    {"addq $-129, %rbx", "4881c37fffffff", "ADD64ri32 %rbx %rbx -129", ""},
    {"addb $127, (%rdx)", "80027f", "ADD8mi %rdx 1 - 0 - 127", ""},
    {"subw $1000, %cx", "6681e9e803", "SUB16ri %cx %cx 1000", ""},
    {"imull $100, %edx, %eax", "6bc264", "IMUL32rri8 %eax %edx 100", ""},
    {"shldl $5, %ecx, (%rdi)", "0fa40f05", "SHLD32mri8 %rdi 1 - 0 - %ecx 5", ""},
    {"push $-1", "6aff", "PUSH64i8 -1", ""},
    {"push $1000", "68e8030000", "PUSH64i32 1000", ""},
    {"pushq %r12", "4154", "PUSH64r %r12", ""},
    {"popq (%rax)", "8f00", "POP64rmm %rax 1 - 0 -", ""},
    {"enter $4, $5", "c8040005", "ENTER 4 5", ""},
    {"int $0x80", "cd80", "INT 128", ""},
    {"outb %al, $200", "e6c8", "OUT8ir 200", ""},
    {"inw %dx, %ax", "66ed", "IN16rr", ""},
    {"movsb %gs:(%rsi), %es:(%rdi)", "65a4", "MOVSB %rdi %rsi %gs", ""},
    {"movsb (%esi), %es:(%edi)", "67a4", "MOVSB %edi %esi -", ""},
    {"outsb", "6e", "OUTSB %rsi -", ""},
    {"bswap %r10", "490fca", "BSWAP64r %r10 %r10", ""},
    {"movbe %eax, (%rdx)", "0f38f102", "MOVBE32mr %rdx 1 - 0 - %eax", ""},
    {"crc32w (%rax), %ebx", "66f20f38f118", "CRC32r32m16 %ebx %ebx %rax 1 - 0 -", ""},
    {"popcntw %ax, %bx", "66f30fb8d8", "POPCNT16rr %bx %ax", ""},
    {"tzcnt %rax, %r9", "f34c0fbcc8", "TZCNT64rr %r9 %rax", ""},
    {"cmovne %eax, %ebx", "0f45d8", "CMOV32rr %ebx %ebx %eax 5", ""},
    {"setg %dl", "0f9fc2", "SETCCr %dl 15", ""},
    {"setp (%rax)", "0f9a00", "SETCCm %rax 1 - 0 - 10", ""},
    {"cmpxchg16b (%rdi)", "480fc70f", "CMPXCHG16B %rdi 1 - 0 -", ""},
    {"xaddl %eax, (%rbx)", "0fc103", "XADD32rm %eax %eax %rbx 1 - 0 -", ""},
    {"rdrand %rax", "480fc7f0", "RDRAND64r %rax", ""},
    {"rdfsbase %r8", "f3490faec0", "RDFSBASE64 %r8", ""},
    {"endbr64", "f30f1efa", "ENDBR64", ""},
    {"syscall", "0f05", "SYSCALL", ""},
    {"cpuid", "0fa2", "CPUID", ""},
    {"rdtscp", "0f01f9", "RDTSCP", ""},
    {"xgetbv", "0f01d0", "XGETBV", ""},
    {"clzero", "0f01fc", "CLZERO64r", ""},
    {"monitorx", "0f01fa", "MONITORX64rrr", ""},
    {"lfence", "0faee8", "LFENCE", ""},
    {"mfence", "0faef0", "MFENCE", ""},
    {"clflushopt (%rax)", "660fae38", "CLFLUSHOPT %rax 1 - 0 -", ""},
    {"invlpg (%rax)", "0f0138", "INVLPG %rax 1 - 0 -", ""},
    {"movq %cr8, %rax", "440f20c0", "MOV64rc %rax %cr8", ""},
    {"movq %rax, %dr7", "0f23f8", "MOV64dr %dr7 %rax", ""},
    {"movw %ds, %ax", "668cd8", "MOV16rs %ax %ds", ""},
    {"movw %ax, %es", "8ec0", "MOV32sr %es %eax", ""},
    {"lgdt (%rax)", "0f0110", "LGDT64m %rax 1 - 0 -", ""},
    {"ltr %ax", "0f00d8", "LTRr %ax", ""},
    {"fld %st(3)", "d9c3", "LD_Frr %st(3)", ""},
    {"fldt (%rax)", "db28", "LD_F80m %rax 1 - 0 -", ""},
    {"fadd %st, %st(2)", "dcc2", "ADD_FrST0 %st(2)", ""},
    {"faddp %st, %st(1)", "dec1", "ADD_FPrST0 %st(1)", ""},
    {"fistpll 8(%rsp)", "df7c2408", "IST_FP64m %rsp 1 - 8 -", ""},
    {"fcomi %st(1), %st", "dbf1", "COM_FIr %st(1)", ""},
    {"fnstsw %ax", "dfe0", "FNSTSW16r", ""},
    {"fnstcw (%rsp)", "d93c24", "FNSTCW16m %rsp 1 - 0 -", ""},
    {"fldpi", "d9eb", "FLDPI", ""},
    {"movq %mm3, %mm4", "0f6fe3", "MMX_MOVQ64rr %mm4 %mm3", ""},
    {"paddb (%rax), %mm1", "0ffc08", "MMX_PADDBrm %mm1 %mm1 %rax 1 - 0 -", ""},
    {"pshufw $27, %mm0, %mm1", "0f70c81b", "MMX_PSHUFWri %mm1 %mm0 27", ""},
    {"pfadd %mm0, %mm1", "0f0fc89e", "PFADDrr %mm1 %mm1 %mm0", ""},
    {"pfrcp 4(%rax,%rbx), %mm7", "0f0f7c180496", "PFRCPrm %mm7 %rax 1 %rbx 4 -", ""},
    {"pswapd %mm1, %mm2", "0f0fd1bb", "PSWAPDrr %mm2 %mm1", ""},
    {"addps %xmm1, %xmm9", "440f58c9", "ADDPSrr %xmm9 %xmm9 %xmm1", ""},
    {"addss (%rax), %xmm0", "f30f5800", "ADDSSrm_Int %xmm0 %xmm0 %rax 1 - 0 -", ""},
    {"cvtsi2sd %rax, %xmm3", "f2480f2ad8", "CVTSI642SDrr_Int %xmm3 %xmm3 %rax", ""},
    {"cvttsd2si %xmm3, %rax", "f2480f2cc3", "CVTTSD2SI64rr_Int %rax %xmm3", ""},
    {"shufps $255, %xmm0, %xmm1", "0fc6c8ff", "SHUFPSrri %xmm1 %xmm1 %xmm0 255", ""},
    {"cmpltps %xmm0, %xmm1", "0fc2c801", "CMPPSrri %xmm1 %xmm1 %xmm0 1", ""},
    {"insertq $200, $100, %xmm1, %xmm2", "f20f78d164c8", "INSERTQI %xmm2 %xmm2 %xmm1 100 200", ""},
    {"pextrw $3, %xmm1, %eax", "660fc5c103", "PEXTRWrr %eax %xmm1 3", ""},
    {"blendvps %xmm0, %xmm2, %xmm3", "660f3814da", "BLENDVPSrr0 %xmm3 %xmm3 %xmm2", ""},
    {"aesenc %xmm1, %xmm2", "660f38dcd1", "AESENCrr %xmm2 %xmm2 %xmm1", ""},
    {"pcmpistri $3, %xmm1, %xmm2", "660f3a63d103", "PCMPISTRIrri %xmm2 %xmm1 3", ""},
    {"sha256rnds2 %xmm0, %xmm1, %xmm2", "0f38cbd1", "SHA256RNDS2rr %xmm2 %xmm2 %xmm1", ""},
    {"gf2p8affineqb $7, %xmm1, %xmm2", "660f3aced107", "GF2P8AFFINEQBrri %xmm2 %xmm2 %xmm1 7", ""},
    {"vaddps %ymm1, %ymm2, %ymm3", "c5ec58d9", "VADDPSYrr %ymm3 %ymm2 %ymm1", ""},
    {"vaddps (%r9), %ymm12, %ymm3", "c4c11c5819", "VADDPSYrm %ymm3 %ymm12 %r9 1 - 0 -", ""},
    {"vmovaps %xmm8, %xmm9", "c4417828c8", "VMOVAPSrr %xmm9 %xmm8", ""},
    {"vzeroupper", "c5f877", "VZEROUPPER", ""},
    {"vblendvps %xmm1, %xmm2, %xmm3, %xmm14", "c463614af210", "VBLENDVPSrrr %xmm14 %xmm3 %xmm2 %xmm1", ""},
    {"vpermil2ps $1, %xmm1, %xmm2, %xmm3, %xmm4", "c4e36148e211", "VPERMIL2PSrr %xmm4 %xmm3 %xmm2 %xmm1 1", ""},
    {"vfmadd231pd 8(%rax), %ymm4, %ymm5", "c4e2ddb86808", "VFMADD231PDYm %ymm5 %ymm5 %ymm4 %rax 1 - 8 -", ""},
    {"vfmaddps %xmm1, %xmm2, %xmm3, %xmm4", "c4e3e168e120", "VFMADDPS4rr %xmm4 %xmm3 %xmm2 %xmm1", ""},
    {"vgatherdps %xmm1, (%rax,%xmm2,4), %xmm3", "c4e271921c90", "VGATHERDPSrm %xmm3 %xmm1 %xmm3 %rax 4 %xmm2 0 - %xmm1", ""},
    {"vpgatherqq %ymm1, 8(%rax,%ymm12,8), %ymm3", "c4a2f5915ce008", "VPGATHERQQYrm %ymm3 %ymm1 %ymm3 %rax 8 %ymm12 8 - %ymm1", ""},
    {"andn %rax, %rbx, %rcx", "c4e2e0f2c8", "ANDN64rr %rcx %rbx %rax", ""},
    {"bextr %ecx, (%rax), %edx", "c4e270f710", "BEXTR32rm %edx %rax 1 - 0 - %ecx", ""},
    {"pdep %rax, %rbx, %rcx", "c4e2e3f5c8", "PDEP64rr %rcx %rbx %rax", ""},
    {"rorx $7, %rax, %rbx", "c4e3fbf0d807", "RORX64ri %rbx %rax 7", ""},
    {"mulx %rax, %rbx, %rcx", "c4e2e3f6c8", "MULX64rr %rcx %rbx %rax", ""},
    {"bextr $100000, %eax, %ebx", "8fea7810d8a0860100", "BEXTRI32ri %ebx %eax 100000", ""},
    {"blcfill %eax, %ebx", "8fe96001c8", "BLCFILL32rr %ebx %eax", ""},
    {"lwpins $77, %eax, %ebx", "8fea6012c04d000000", "LWPINS32rri %ebx %eax 77", ""},
    {"vprotb $3, %xmm1, %xmm2", "8fe878c0d103", "VPROTBri %xmm2 %xmm1 3", ""},
    {"vpcmov %xmm1, (%rax), %xmm3, %xmm4", "8fe860a22010", "VPCMOVrmr %xmm4 %xmm3 %rax 1 - 0 - %xmm1", ""},
    {"vfrczpd (%rax), %ymm1", "8fe97c8108", "VFRCZPDYrm %ymm1 %rax 1 - 0 -", ""},
    {"vpcomw $9, %xmm0, %xmm1, %xmm2", "8fe870cdd009", "VPCOMWri %xmm2 %xmm1 %xmm0 9", ""},
    {"kmovw %k1, %eax", "c5f893c1", "KMOVWrk %eax %k1", ""},
    {"kandq %k1, %k2, %k3", "c4e1ec41d9", "KANDQrr %k3 %k2 %k1", ""},
    {"kshiftlw $3, %k1, %k2", "c4e3f932d103", "KSHIFTLWri %k2 %k1 3", ""},
    {"vaddps %zmm1, %zmm2, %zmm3", "62f16c4858d9", "VADDPSZrr %zmm3 %zmm2 %zmm1", ""},
    {"vaddps %zmm17, %zmm2, %zmm31 {%k3}", "62216c4b58f9", "VADDPSZrrk %zmm31 %zmm31 %k3 %zmm2 %zmm17", ""},
    {"vaddps %zmm17, %zmm2, %zmm31 {%k3} {z}", "62216ccb58f9", "VADDPSZrrkz %zmm31 %k3 %zmm2 %zmm17", ""},
    {"vaddps {rd-sae}, %zmm1, %zmm2, %zmm3", "62f16c3858d9", "VADDPSZrrb %zmm3 %zmm2 %zmm1 1", ""},
    {"vaddps {rz-sae}, %zmm1, %zmm2, %zmm3 {%k1}", "62f16c7958d9", "VADDPSZrrbk %zmm3 %zmm3 %k1 %zmm2 %zmm1 3", ""},
    {"vaddps 64(%rax), %zmm2, %zmm3", "62f16c48585801", "VADDPSZrm %zmm3 %zmm2 %rax 1 - 64 -", ""},
    {"vaddps 65(%rax), %zmm2, %zmm3", "62f16c48589841000000", "VADDPSZrm %zmm3 %zmm2 %rax 1 - 65 -", ""},
    {"vaddps 4(%rax){1to16}, %zmm2, %zmm3", "62f16c58585801", "VADDPSZrmb %zmm3 %zmm2 %rax 1 - 4 -", ""},
    {"vaddpd -16(%rax), %xmm20, %xmm3", "62f1dd005858ff", "VADDPDZ128rm %xmm3 %xmm20 %rax 1 - -16 -", ""},
    {"vaddss 4(%rax), %xmm20, %xmm3", "62f15e00585801", "VADDSSZrm_Int %xmm3 %xmm20 %rax 1 - 4 -", ""},
    {"vcmpps $9, {sae}, %zmm1, %zmm2, %k2", "62f16c18c2d109", "VCMPPSZrrib %k2 %zmm2 %zmm1 9", ""},
    {"vpcmpub $3, %ymm17, %ymm2, %k5 {%k6}", "62b36d2e3ee903", "VPCMPUBZ256rrik %k5 %k6 %ymm2 %ymm17 3", ""},
    {"vgatherdps (%rax,%zmm1), %zmm2 {%k1}", "62f27d49921408", "VGATHERDPSZrm %zmm2 %k1 %zmm2 %k1 %rax 1 %zmm1 0 -", ""},
    {"vpscatterqd %ymm3, 4(%rbx,%zmm30,2) {%k2}", "62b27d42a15c7301", "VPSCATTERQDZmr %k2 %rbx 2 %zmm30 4 - %k2 %ymm3", ""},
    {"vbroadcastss %xmm1, %zmm9", "62727d4818c9", "VBROADCASTSSZrr %zmm9 %xmm1", ""},
    {"vpbroadcastd %r10d, %zmm9 {%k1}", "62527d497cca", "VPBROADCASTDrZrrk %zmm9 %zmm9 %k1 %r10d", ""},
    {"vpternlogd $150, %zmm1, %zmm2, %zmm3", "62f36d4825d996", "VPTERNLOGDZrri %zmm3 %zmm3 %zmm2 %zmm1 150", ""},
    {"vmovdqu8 (%rax), %xmm17 {%k1} {z}", "62e17f896f08", "VMOVDQU8Z128rmkz %xmm17 %k1 %rax 1 - 0 -", ""},
    {"vpdpbusd %zmm1, %zmm2, %zmm3", "62f26d4850d9", "VPDPBUSDZr %zmm3 %zmm3 %zmm2 %zmm1", ""},
    {"vaddph %zmm1, %zmm2, %zmm3", "62f56c4858d9", "VADDPHZrr %zmm3 %zmm2 %zmm1", ""},
    {"vfmadd231sh (%rax), %xmm1, %xmm2", "62f67508b910", "VFMADD231SHZm_Int %xmm2 %xmm2 %xmm1 %rax 1 - 0 -", ""},
    {"vcvtneps2bf16 %zmm1, %ymm2", "62f27e4872d1", "VCVTNEPS2BF16Zrr %ymm2 %zmm1", ""},
    {"v4fmaddps (%rax), %zmm4, %zmm2", "62f25f489a10", "V4FMADDPSrm %zmm2 %zmm2 %zmm4 %rax 1 - 0 -", ""},
    {"vp2intersectd %zmm1, %zmm2, %k2", "62f26f4868d1", "VP2INTERSECTDZrr %K2_K3 %zmm2 %zmm1", ""},
    {"vcvtsi2sd %r9, {rn-sae}, %xmm1, %xmm2", "62d1f7182ad1", "VCVTSI642SDZrrb_Int %xmm2 %xmm1 %r9 0", ""},
    {"ldtilecfg (%rax)", "c4e2784900", "LDTILECFG %rax 1 - 0 -", ""},
    {"tileloadd 8(%rax,%rbx,2), %tmm3", "c4e27b4b5c5808", "TILELOADD %tmm3 %rax 2 %rbx 8 -", ""},
    {"tdpbssd %tmm1, %tmm2, %tmm3", "c4e2735eda", "TDPBSSD %tmm3 %tmm3 %tmm2 %tmm1", ""},
    {"tilerelease", "c4e27849c0", "TILERELEASE", ""},
    {"wrssq %rax, (%rbx)", "480f38f603", "WRSSQ %rbx 1 - 0 - %rax", ""},
    {"rdsspq %rax", "f3480f1ec8", "RDSSPQ %rax %rax", ""},
    {"incsspq %rax", "f3480faee8", "INCSSPQ %rax", ""},
    {"movdir64b (%rax), %rbx", "660f38f818", "MOVDIR64B64 %rbx %rax 1 - 0 -", ""},
    {"movdir64b (%eax), %ebx", "67660f38f818", "MOVDIR64B32 %ebx %eax 1 - 0 -", ""},
    {"enqcmd (%rax), %rbx", "f20f38f818", "ENQCMD64 %rbx %rax 1 - 0 -", ""},
    {"umwait %eax", "f20faef0", "UMWAIT %eax", ""},
    {"tpause %eax", "660faef0", "TPAUSE %eax", ""},
    {"hreset $1", "f30f3af0c001", "HRESET 1", ""},
    {"serialize", "0f01e8", "SERIALIZE", ""},
    {"xbegin . + 7", "c7f801000000", "XBEGIN_4 1", ""},
    {"xabort $7", "c6f807", "XABORT 7", ""},
    {"ud2", "0f0b", "TRAP", ""},
    {"ud1 %eax, %ebx", "0fb9d8", "UD1Lr %ebx %eax", ""},
    {"int3", "cc", "INT3", ""},
    {"iretq", "48cf", "IRET64", ""},
    {"sysexitq", "480f35", "SYSEXIT64", ""},
    {"vmrun", "0f01d8", "VMRUN64", ""},
    {"vmcall", "0f01c1", "VMCALL", ""},
    {"vmread %rax, %rbx", "0f78c3", "VMREAD64rr %rbx %rax", ""},
    {"skinit", "0f01de", "SKINIT", ""},
    {"encls", "0f01cf", "ENCLS", ""},
    {"pconfig", "0f01c5", "PCONFIG", ""},
    {"wbnoinvd", "f30f09", "WBNOINVD", ""},
    {"ptwrite %rax", "f3480faee0", "PTWRITE64r %rax", ""},
    {"prefetchw (%rax)", "0f0d08", "PREFETCHW %rax 1 - 0 -", ""},
    {"prefetcht0 (%rax)", "0f1808", "PREFETCHT0 %rax 1 - 0 -", ""},
    {"xsavec64 (%rax)", "480fc720", "XSAVEC64 %rax 1 - 0 -", ""},
    {"fxsave64 (%rax)", "480fae00", "FXSAVE64 %rax 1 - 0 -", ""},
    {"jmpq *%r9", "41ffe1", "JMP64r %r9", ""},
    {"callq *(%rax)", "ff10", "CALL64m %rax 1 - 0 -", ""},
    {"ljmpl *(%rax)", "ff28", "FARJMP32m %rax 1 - 0 -", ""},
    {"lretq", "48cb", "LRET64", ""},
    {"leave", "c9", "LEAVE64", ""},
    {"cltq", "4898", "CDQE", ""},
    {"cqto", "4899", "CQO", ""},
    {"fwait", "9b", "WAIT", ""},
    {"xlatb", "d7", "XLAT", ""},
    {"mwait", "0f01c9", "MWAITrr", ""},
    {"lahf", "9f", "LAHF", ""},
    {"sti", "fb", "STI", ""},
    {"je . + 18", "7410", "JCC_1 16 4", ""},
    {"je . + 22", "0f8410000000", "JCC_4 16 4", ""},
    {"jmp .", "ebfe", "JMP_1 -2", ""},
    {"jmp . + 3", "e9feffffff", "JMP_4 -2", ""},
    {"call . + 4101", "e800100000", "CALL64pcrel32 4096", ""},
    {"jrcxz . + 7", "e305", "JRCXZ 5", ""},
    {"jecxz . + 8", "67e305", "JECXZ 5", ""},
    {"loop . - 14", "e2f0", "LOOP -16", ""},
    {"xsha256", "f30fa6d0", "XSHA256", ""},
    {"nop with a data prefix, as LLVM disassembles it", "6690", "NOOP", ""},
    {"data16 cs nopw 512(%rax,%rax)", "66662e0f1f840000020000", "NOOPW %rax 1 %rax 512 %cs", ""},
};

static size_t bytes_of(const char *hex, uint8_t *bytes)
{
    size_t n = 0;
    for (; hex[2 * n] != '\0'; n++) {
        char pair[3] = {hex[2 * n], hex[2 * n + 1], '\0'};
        bytes[n] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return n;
}

/* From a block of exactly `len` bytes, so that a sanitizer sees every read beyond. */
static enum sl_status decode(const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    uint8_t *copy = malloc(len > 0 ? len : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, len);
    enum sl_status status = sl_decode_x86_64(copy, len, out);
    free(copy);
    return status;
}

static void print_insn(const struct sl_insn *insn, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s", sl_x86_64_op_name(insn->op));
    for (unsigned i = 0; i < insn->n_operands; i++) {
        const struct sl_operand *operand = &insn->operand[i];
        if (operand->kind == SL_OPERAND_IMM) {
            n += (size_t)snprintf(text + n, size - n, " %lld", (long long)operand->imm);
        } else {
            n += (size_t)snprintf(text + n, size - n, " %s", operand->reg ? sl_x86_64_reg_name(operand->reg) : "-");
        }
    }
}

static uint32_t flags_of(const char *letters)
{
    uint32_t flags = 0;
    for (; *letters; letters++) {
        flags |= *letters == 'L' ? SL_INSN_LOCK : *letters == 'R' ? SL_INSN_REP : *letters == 'N' ? SL_INSN_REPNE
                                                                                                  : SL_INSN_NOTRACK;
    }
    return flags;
}

static void test_encodings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        const struct encoding *e = &encodings[i];
        uint8_t bytes[16];
        size_t len = bytes_of(e->hex, bytes);
        struct sl_insn insn;
        char text[256];
        assert_int_equal(decode(bytes, len, &insn), SL_OK);
        print_insn(&insn, text, sizeof text);
        assert_string_equal(text, e->insn);
        assert_int_equal(insn.len_bytes, len);
        assert_int_equal(insn.flags, flags_of(e->flags));
    }
}

/* What follows an instruction does not matter, on the way through the window of short inputs and without it. */
static void test_following_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        uint8_t bytes[64];
        size_t len = bytes_of(encodings[i].hex, bytes);
        if (len == 1 && strstr(encodings[i].insn, "_PREFIX") != NULL) {
            continue;
        }
        for (size_t total = len; total <= sizeof bytes; total++) {
            struct sl_insn insn;
            char text[256];
            memset(bytes + len, (int)(0x41 * total), sizeof bytes - len);
            assert_int_equal(decode(bytes, total, &insn), SL_OK);
            print_insn(&insn, text, sizeof text);
            assert_string_equal(text, encodings[i].insn);
            assert_int_equal(insn.len_bytes, len);
        }
    }
}

/* Every proper beginning of an instruction is truncated; a prefix byte alone is an instruction of its own. */
static void test_truncation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        uint8_t bytes[16];
        size_t len = bytes_of(encodings[i].hex, bytes);
        for (size_t n = 0; n < len; n++) {
            struct sl_insn insn, before;
            memset(&insn, 0xa5, sizeof insn);
            before = insn;
            enum sl_status status = decode(bytes, n, &insn);
            if (n == 1 && status == SL_OK) {
                assert_non_null(strstr(sl_x86_64_op_name(insn.op), "_PREFIX"));
                continue;
            }
            assert_int_equal(status, SL_E_TRUNCATED);
            assert_memory_equal(&insn, &before, sizeof insn);
        }
    }
}

/* llvm-mc-19 -disassemble calls these invalid, except the APX ones and the one of 16 bytes, which are our own limits. */
static void test_undecodable(void **state)
{
    static const char *const cases[] = {
        "06",                   /* push %es: not in 64-bit mode */
        "27", "60", "9a0000000000000000", "ea0000000000000000",
        "0f24c0",               /* test registers */
        "0f04", "0f0fc811",     /* no such 3DNow operation */
        "8cf8",                 /* segment register 7 */
        "8f08",                 /* POP with a ModRM extension */
        "fff8", "fef8",
        "4040c3", "40c5f058c0", /* REX before REX, before VEX */
        "c4e47058d0",           /* VEX map 4 */
        "8febe8580000",         /* XOP map 11 */
        "62f2754878d0",         /* EVEX.vvvv without an operand for it */
        "c4e27bb8c0",
        "c4e2704b0400",
        "d50801c0",             /* APX: REX2 */
        "62f47c0801c0",         /* APX: EVEX map 4 */
        "62f9740858d0",         /* APX: EVEX B4 */
        "62f1700858d0",         /* APX: EVEX X4 */
        "666666666666666666666666666601c0", /* 16 bytes */
        "66666666666666666666666666666690",
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[32] = {0};
        struct sl_insn insn;
        (void)bytes_of(cases[i], bytes);
        if (decode(bytes, sizeof bytes, &insn) != SL_E_UNDECODABLE) {
            fail_msg("%s decodes", cases[i]);
        }
    }
}

static void test_longest(void **state)
{
    uint8_t bytes[32];
    struct sl_insn insn;
    (void)state;
    size_t len = bytes_of("666666666666666666666666666690", bytes);
    assert_int_equal(len, 15);
    assert_int_equal(decode(bytes, len, &insn), SL_OK);
    assert_int_equal(insn.len_bytes, 15);
    assert_string_equal(sl_x86_64_op_name(insn.op), "NOOP");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings), cmocka_unit_test(test_following_bytes), cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_undecodable), cmocka_unit_test(test_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
