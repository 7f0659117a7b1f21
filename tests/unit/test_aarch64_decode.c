/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64 decoding. The expected opcodes and operands are what llvm-mc-19 -disassemble -show-inst prints for the word
 * (attributes: all); r: LLVM's register number, else an immediate. */
#include <slotledger/isa.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void put_word(uint8_t bytes[4], uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(word >> (8 * i));
    }
}

/* "r5 16 -1" */
static void operands_text(const struct sl_insn *insn, char *text, size_t room)
{
    size_t at = 0;
    text[0] = '\0';
    for (unsigned n = 0; n < insn->n_operands && at < room; n++) {
        const struct sl_operand *operand = &insn->operand[n];
        const char *space = n == 0 ? "" : " ";
        int wrote = operand->kind == SL_OPERAND_REG
                        ? snprintf(text + at, room - at, "%sr%u", space, operand->reg)
                        : snprintf(text + at, room - at, "%s%lld", space, (long long)operand->imm);
        at += wrote < 0 ? room : (size_t)wrote;
    }
}

static const struct known_word {
    uint32_t word;
    const char *opcode, *operands;
} known_words[] = {
    { 0x91001020, "ADDXri", "r236 r237 4 0" }, /* add x0, x1, #4 */
    { 0x114007e3, "ADDWri", "r208 r9 1 12" }, /* add w3, wsp, #1, lsl #12 */
    { 0xab2648bf, "ADDSXrx", "r11 r241 r211 18" }, /* cmn x5, w6, uxtw #2 */
    { 0xd10083ff, "SUBXri", "r7 r7 32 0" }, /* sub sp, sp, #32 */
    { 0x92089c20, "ANDXri", "r236 r237 551" }, /* and x0, x1, #0xff00ff00ff00ff00 */
    { 0x32010462, "ORRWri", "r207 r208 65" }, /* orr w2, w3, #0x80000001 */
    { 0xcacbfd49, "EORXrs", "r245 r246 r247 255" }, /* eor x9, x10, x11, ror #63 */
    { 0xd2e24680, "MOVZXi", "r236 4660 48" }, /* mov x0, #1311673391471656960 */
    { 0x729fffe1, "MOVKWi", "r206 r206 65535 0" }, /* movk w1, #65535 */
    { 0x30ffffe5, "ADR", "r241 -3" }, /* adr x5, #-3 */
    { 0xb0000006, "ADRP", "r242 1" }, /* adrp x6, #4096 */
    { 0x17ffffff, "B", "-1" }, /* b #-4 */
    { 0x94000002, "BL", "2" }, /* bl #8 */
    { 0x54000081, "Bcc", "1 4" }, /* b.ne #16 */
    { 0x34800003, "CBZW", "r208 -262144" }, /* cbz w3, #-1048576 */
    { 0xb7fc0004, "TBNZX", "r240 63 -8192" }, /* tbnz x4, #63, #-32768 */
    { 0xd61f0220, "BR", "r253" }, /* br x17 */
    { 0xd65f03c0, "RET", "r5" }, /* ret */
    { 0xd63f03c0, "BLR", "r5" }, /* blr x30 */
    { 0x9b031041, "MADDXrrr", "r237 r238 r239 r240" }, /* madd x1, x2, x3, x4 */
    { 0x9bc37c41, "UMULHrr", "r237 r238 r239" }, /* umulh x1, x2, x3 */
    { 0x1ac30841, "UDIVWr", "r206 r207 r208" }, /* udiv w1, w2, w3 */
    { 0xb345fc41, "BFMXri", "r237 r237 r238 5 63" }, /* bfxil x1, x2, #5, #59 */
    { 0x93c34441, "EXTRXrri", "r237 r238 r239 17" }, /* extr x1, x2, x3, #17 */
    { 0x9a9f8020, "CSELXr", "r236 r237 r11 8" }, /* csel x0, x1, xzr, hi */
    { 0x7a5fb82f, "CCMPWi", "r206 31 15 11" }, /* ccmp w1, #31, #15, lt */
    { 0x5ac00441, "REV16Wr", "r206 r207" }, /* rev16 w1, w2 */
    { 0xf97ffc20, "LDRXui", "r236 r237 4095" }, /* ldr x0, [x1, #32760] */
    { 0xb8627820, "LDRWroX", "r205 r237 r238 0 1" }, /* ldr w0, [x1, x2, lsl #2] */
    { 0xb8a2c820, "LDRSWroW", "r236 r237 r207 1 0" }, /* ldrsw x0, [x1, w2, sxtw] */
    { 0xf8500020, "LDURXi", "r236 r237 -256" }, /* ldur x0, [x1, #-256] */
    { 0x3c810fff, "STRQpre", "r7 r172 r7 16" }, /* str q31, [sp, #16]! */
    { 0xfc5f8460, "LDRDpost", "r239 r45 r239 -8" }, /* ldr d0, [x3], #-8 */
    { 0xa8df7bfd, "LDPXpost", "r7 r2 r5 r7 62" }, /* ldp x29, x30, [sp], #496 */
    { 0x29200861, "STPWi", "r206 r207 r239 -64" }, /* stp w1, w2, [x3, #-256] */
    { 0x69df8861, "LDPSWpre", "r239 r237 r238 r239 63" }, /* ldpsw x1, x2, [x3, #252]! */
    { 0x58800007, "LDRXl", "r243 -262144" }, /* ldr x7, #-1048576 */
    { 0x885f7c41, "LDXRW", "r206 r238" }, /* ldxr w1, [x2] */
    { 0xc87f8861, "LDAXPX", "r237 r238 r239" }, /* ldaxp x1, x2, [x3] */
    { 0xc809ffe8, "STLXRX", "r214 r244 r7" }, /* stlxr w9, x8, [sp] */
    { 0xc8dffc83, "LDARX", "r239 r240" }, /* ldar x3, [x4] */
    { 0xc8a17c62, "CASX", "r237 r237 r238 r239" }, /* cas x1, x2, [x3] */
    { 0x48227cc4, "CASPX", "r568 r568 r569 r242" }, /* casp x2, x3, x4, x5, [x6] */
    { 0xb8e10062, "LDADDALW", "r207 r206 r239" }, /* ldaddal w1, w2, [x3] */
    { 0x38218062, "SWPB", "r207 r206 r239" }, /* swpb w1, w2, [x3] */
    { 0xf9800400, "PRFMui", "0 r236 1" }, /* prfm pldl1keep, [x0, #8] */
    { 0x1e622820, "FADDDrr", "r45 r46 r47" }, /* fadd d0, d1, d2 */
    { 0x1f020c20, "FMADDSrrr", "r173 r174 r175 r176" }, /* fmadd s0, s1, s2, s3 */
    { 0x1e602068, "FCMPDri", "r48" }, /* fcmp d3, #0.0 */
    { 0x1e620c20, "FCSELDrrr", "r45 r46 r47 0" }, /* fcsel d0, d1, d2, eq */
    { 0x1e6e1000, "FMOVDi", "r45 112" }, /* fmov d0, #1.00000000 */
    { 0x9e58f020, "FCVTZSSXDri", "r236 r46 4" }, /* fcvtzs x0, d1, #4 */
    { 0x1e220020, "SCVTFUWSri", "r173 r206" }, /* scvtf s0, w1 */
    { 0x4ea28420, "ADDv4i32", "r141 r142 r143" }, /* add v0.4s, v1.4s, v2.4s */
    { 0x4f728820, "MULv8i16_indexed", "r141 r142 r143 7" }, /* mul v0.8h, v1.8h, v2.h[7] */
    { 0x4fc21820, "FMLAv2i64_indexed", "r141 r141 r142 r143 1" }, /* fmla v0.2d, v1.2d, v2.d[1] */
    { 0x4f0d0420, "SSHRv16i8_shift", "r141 r142 3" }, /* sshr v0.16b, v1.16b, #3 */
    { 0x4f7f5420, "SHLv2i64_shift", "r141 r142 63" }, /* shl v0.2d, v1.2d, #63 */
    { 0x4f108420, "SHRNv8i16_shift", "r141 r141 r142 16" }, /* shrn2 v0.8h, v1.4s, #16 */
    { 0x4cdf6000, "LD1Threev16b_POST", "r236 r505 r236 r11" }, /* ld1 { v0.16b, v1.16b, v2.16b }, [x0], #48 */
    { 0x4de6b0bf, "LD4i32_POST", "r241 r504 r504 3 r241 r242" }, /* ld4 { v31.s, v0.s, v1.s, v2.s }[3], [x5], x6 */
    { 0x4d2084a2, "ST2i64", "r443 1 r241" }, /* st2 { v2.d, v3.d }[1], [x5] */
    { 0x4e056020, "TBLv16i8Four", "r141 r474 r146" }, /* tbl v0.16b, { v1.16b, v2.16b, v3.16b, v4.16b }, v5.16b */
    { 0x6e027820, "EXTv16i8", "r141 r142 r143 15" }, /* ext v0.16b, v1.16b, v2.16b, #15 */
    { 0x6f05e540, "MOVIv2d_ns", "r141 170" }, /* movi v0.2d, #0xff00ff00ff00ff00 */
    { 0x4f00d421, "MOVIv4s_msl", "r142 1 272" }, /* movi v1.4s, #1, msl #16 */
    /* 64-bit vectors with an immediate: D registers, as the assembler reads them; the disassembler says Q. */
    { 0x2f00960e, "BICv4i16", "r59 r59 16 0" }, /* bic v14.4h, #16 */
    { 0x0f0717e3, "ORRv2i32", "r48 r48 255 0" }, /* orr v3.2s, #255 */
    { 0x0f00e4e1, "MOVIv8b_ns", "r46 7" }, /* movi v1.8b, #7 */
    { 0x0f00c422, "MOVIv2s_msl", "r47 1 264" }, /* movi v2.2s, #1, msl #8 */
    { 0x0f03f605, "FMOVv2f32_ns", "r50 112" }, /* fmov v5.2s, #1.0 */
    { 0x2f00845f, "MVNIv4i16", "r76 2 0" }, /* mvni v31.4h, #2 */
    { 0x6f009427, "BICv8i16", "r148 r148 1 0" }, /* bic v7.8h, #1 */
    { 0x4e1c0420, "DUPv4i32lane", "r141 r142 3" }, /* dup v0.4s, v1.s[3] */
    { 0x4e1f1c20, "INSvi8gpr", "r141 r141 15 r206" }, /* mov v0.b[15], w1 */
    { 0x0e163c20, "UMOVvi16", "r205 r142 5" }, /* umov w0, v1.h[5] */
    { 0x4e823820, "ZIP1v4i32", "r141 r142 r143" }, /* zip1 v0.4s, v1.4s, v2.4s */
    { 0x4e284820, "AESErr", "r141 r141 r142" }, /* aese v0.16b, v1.16b */
    { 0x5e024020, "SHA256Hrrr", "r141 r141 r142 r143" }, /* sha256h q0, q1, v2.4s */
    { 0x4fa2e820, "SDOTlanev16i8", "r141 r141 r142 r143 3" }, /* sdot v0.4s, v1.16b, v2.4b[3] */
    { 0x4f62f020, "BF16DOTlanev8bf16", "r141 r141 r142 r143 1" }, /* bfdot v0.4s, v1.8h, v2.2h[1] */
    { 0x9ac25c20, "CRC32CXrr", "r205 r206 r238" }, /* crc32cx w0, w1, x2 */
    { 0xd53bd040, "MRS", "r236 56962" }, /* mrs x0, TPIDR_EL0 */
    { 0xd51b4205, "MSR", "55824 r241" }, /* msr NZCV, x5 */
    { 0xd50342df, "MSRpstateImm4", "30 2" }, /* msr DAIFSet, #2 */
    { 0xd503415f, "MSRpstateImm4", "26 1" }, /* msr DIT, #1 */
    { 0xd5033bbf, "DMB", "11" }, /* dmb ish */
    { 0xd5033fdf, "ISB", "15" }, /* isb */
    { 0xd503245f, "HINT", "34" }, /* bti c */
    { 0xd503201f, "HINT", "0" }, /* nop */
    { 0xd4000001, "SVC", "0" }, /* svc #0 */
    { 0xd43fffe0, "BRK", "65535" }, /* brk #0xffff */
    { 0xd50b7522, "SYSxt", "3 7 5 1 r238" }, /* ic ivau, x2 */
    { 0xd503225f, "TSB", "" }, /* tsb csync */
    { 0xdac10041, "PACIA", "r237 r237 r238" }, /* pacia x1, x2 */
    { 0xd65f0bff, "RETAA", "" }, /* retaa */
    { 0x9ac21020, "IRG", "r236 r237 r238" }, /* irg x0, x1, x2 */
    { 0xd9200041, "STZGM", "r237 r238" }, /* stzgm x1, [x2] */
    { 0x19010440, "CPYFP", "r236 r237 r238 r236 r237 r238" }, /* cpyfp [x0]!, [x1]!, x2! */
    { 0x19c28420, "SETE", "r236 r237 r236 r237 r238" }, /* sete [x0]!, x1!, x2 */
    { 0x2598e0e3, "PTRUE_S", "r112 7" }, /* ptrue p3.s, vl7 */
    { 0x25221c20, "WHILELO_PXX_B", "r109 r237 r238" }, /* whilelo p0.b, x1, x2 */
    { 0xa5434440, "LD1W", "r265 r110 r238 r239" }, /* ld1w { z0.s }, p1/z, [x2, x3, lsl #2] */
    { 0xc5e35c41, "GLD1D_SXTW_SCALED", "r266 r116 r238 r268" }, /* ld1d { z1.d }, p7/z, [x2, z3.d, sxtw #3] */
    { 0xa5e8e45f, "LD4D_IMM", "r644 r110 r238 -8" }, /* ld4d { z31.d, z0.d, z1.d, z2.d }, p1/z, [x2, #-32, mul vl] */
    { 0xe427e440, "ST1B_H_IMM", "r265 r110 r238 7" }, /* st1b { z0.h }, p1, [x2, #7, mul vl] */
    { 0x04800440, "ADD_ZPmZ_S", "r265 r110 r265 r267" }, /* add z0.s, p1/m, z0.s, z2.s */
    { 0x2560ffe1, "ADD_ZI_H", "r266 r266 255 8" }, /* add z1.h, z1.h, #65280 */
    { 0x05c3ffc3, "DUPM_ZI", "r268 8190" }, /* dupm z3.d, #0xfffffffffffffffe */
    { 0x65e20c20, "FMLA_ZPmZZ_D", "r265 r112 r265 r266 r267" }, /* fmla z0.d, p3/m, z1.d, z2.d */
    { 0x25100871, "CMPGT_PPzZI_B", "r110 r111 r268 -16" }, /* cmpgt p1.b, p2/z, z3.b, #-16 */
    { 0x04808400, "ASR_ZPmI_D", "r265 r110 r265 64" }, /* asr z0.d, p1/m, z0.d, #64 */
    { 0x04309420, "LSR_ZZI_H", "r265 r266 16" }, /* lsr z0.h, z1.h, #16 */
    { 0x043fe060, "INCB_XPiI", "r236 r236 3 16" }, /* incb x0, vl3, mul #16 */
    { 0x04e1e3e1, "CNTD_XPiI", "r237 31 2" }, /* cntd x1, all, mul #2 */
    { 0x04a14a00, "INDEX_IR_S", "r265 -16 r206" }, /* index z0.s, #-16, w1 */
    { 0x057f1c20, "EXT_ZZI_B", "r265 r582 255" }, /* ext z0.b, { z1.b, z2.b }, #255 */
    { 0x05632820, "TBL_ZZZZ_H", "r265 r582 r268" }, /* tbl z0.h, { z1.h, z2.h }, z3.h */
    { 0x25f04440, "PSEL_PPPRI_S", "r109 r110 r111 r217 3" }, /* psel p0, p1, p2.s[w12, 3] */
    { 0x85a04023, "LDR_ZXI", "r268 r237 -256" }, /* ldr z3, [x1, #-256, mul vl] */
    { 0xd503477f, "MSRpstatesvcrImm1", "3 1" }, /* smstart */
    { 0xc0080055, "ZERO_M", "85" }, /* zero {za0.h} */
    { 0xc00205e0, "EXTRACT_ZPMXI_H_B", "r265 r265 r110 r297 r217 15" }, /* mov z0.b, p1/m, za0h.b[w12, 15] */
    { 0x80844463, "FMOPA_MPPZZ_S", "r327 r327 r110 r111 r268 r269" }, /* fmopa za3.s, p1/m, p2/m, z3.s, z4.s */
    { 0xe083c44b, "LD1_MXIPXX_V_S", "r326 r219 3 r110 r238 r239" }, /* ld1w {za2v.s[w14, 3]}, p1/z, [x2, x3, lsl #2] */
    { 0xe1002027, "LDR_ZA", "r12 r218 7 r237 7" }, /* ldr za[w13, 7], [x1, #7, mul vl] */
    { 0xc1a11b97, "ADD_VG4_M4Z4Z_S", "r12 r12 r213 7 r641 r613" }, /* add za.s[w8, 7, vgx4], { z28.s - z31.s }, { z0.s - z3.s } */
    { 0xa148c020, "LD1W_4Z_STRIDED_IMM", "r697 r133 r237 -8" }, /* ld1w { z0.s, z4.s, z8.s, z12.s }, pn8/z, [x1, #-32, mul vl] */
    { 0xc0cad020, "LUTI4_ZTZI_H", "r265 r328 r266 3" }, /* luti4 z0.h, zt0, z1[3] */
    { 0xc1220c37, "BFMLAL_MZZ_HtoS", "r12 r12 r213 7 r266 r267" }, /* bfmlal za.s[w8, 14:15], z1.h, z2.h */
    { 0xc1a2cc24, "SCLAMP_VG4_4Z4Z_S", "r617 r617 r266 r267" }, /* sclamp { z4.s - z7.s }, z1.s, z2.s */
    { 0x256075f0, "PEXT_2PCI_H", "r425 r140 1" }, /* pext { p0.h, p1.h }, pn15[1] */
    { 0x25e26031, "WHILEGE_CXX_D", "r134 r237 r238 1" }, /* whilege pn9.d, x1, x2, vlx4 */
    { 0x00000007, "UDF", "7" }, /* udf #7 */
};

static void test_known_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_words / sizeof known_words[0]; i++) {
        const struct known_word *want = &known_words[i];
        struct sl_insn insn;
        uint8_t bytes[4];
        char text[128];

        put_word(bytes, want->word);
        assert_int_equal(sl_decode_aarch64(bytes, 4, &insn), SL_OK);
        assert_string_equal(sl_aarch64_op_name(insn.op), want->opcode);
        operands_text(&insn, text, sizeof text);
        if (strcmp(text, want->operands) != 0) {
            fail_msg("%08x %s: operands '%s', expected '%s'", want->word, want->opcode, text, want->operands);
        }
        assert_int_equal(insn.len_bytes, 4);
        assert_int_equal(insn.flags, 0);
    }
}

/* Words that llvm-mc-19 refuses: unallocated space, reserved sizes and immediates, MOPS with equal registers. */
static const uint32_t refused_words[] = {
    0xffffffff, 0x00010000, 0x02000000, 0x9240fc00, 0x1240fc00, 0x8bc00000, 0x0ec00000, 0x19000400,
    0x19010420, 0x1e60c800, 0x0e000c00, 0x4e003c00, 0x6fc00400, 0x0b00fc00, 0x6b600000, 0x13200000,
    0x13008000, 0x53808000, 0x72c00000, 0xd63f03ff, 0xd61f0001, 0xd4e00000,
};

static void test_refused_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused_words / sizeof refused_words[0]; i++) {
        struct sl_insn insn, before;
        uint8_t bytes[4];

        memset(&insn, 0x5a, sizeof insn);
        before = insn;
        put_word(bytes, refused_words[i]);
        if (sl_decode_aarch64(bytes, 4, &insn) != SL_E_UNDECODABLE) {
            fail_msg("%08x decodes", refused_words[i]);
        }
        assert_memory_equal(&insn, &before, sizeof insn);
    }
}

static void test_truncated_input(void **state)
{
    static const uint8_t nop[8] = { 0x1f, 0x20, 0x03, 0xd5, 0xff, 0xff, 0xff, 0xff };
    struct sl_insn insn, before;
    (void)state;
    memset(&insn, 0x5a, sizeof insn);
    before = insn;
    for (size_t len = 0; len < 4; len++) {
        assert_int_equal(sl_decode_aarch64(nop, len, &insn), SL_E_TRUNCATED);
        assert_memory_equal(&insn, &before, sizeof insn);
    }
    for (size_t len = 4; len <= sizeof nop; len++) {
        assert_int_equal(sl_decode_aarch64(nop, len, &insn), SL_OK);
        assert_int_equal(insn.len_bytes, 4);
    }
}

/* LLVM declares an operand for TSB that decoding never gives. */
static void test_fewer_operands_than_declared(void **state)
{
    static const uint8_t tsb_csync[4] = { 0x5f, 0x22, 0x03, 0xd5 };
    struct sl_insn insn;
    (void)state;
    assert_int_equal(sl_decode_aarch64(tsb_csync, 4, &insn), SL_OK);
    assert_string_equal(sl_aarch64_op_name(insn.op), "TSB");
    assert_int_equal(insn.n_operands, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_words),
        cmocka_unit_test(test_refused_words),
        cmocka_unit_test(test_truncated_input),
        cmocka_unit_test(test_fewer_operands_than_declared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
