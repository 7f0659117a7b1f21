/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of llvm-mc -show-encoding. The lines were printed by llvm-mc-19. */
#include "cli_fixture.h"

#include "hosted/io/asm_output.h"
#include "hosted/io/asm_walk.h"

static void test_instructions(void **state)
{
    static const struct {
        const char *line, *comment, *text, *bytes, *letters;
        unsigned n;
    } cases[] = {
        { "\tvmulps\t%xmm0, %xmm1, %xmm2             # encoding: [0xc5,0xf0,0x59,0xd0]", "#",
          "vmulps\t%xmm0, %xmm1, %xmm2", "\xc5\xf0\x59\xd0", "....", 4 },
        { "\tlock\t\tincl\t(%rax)                  # encoding: [0xf0,0xff,0x00]", "#", "lock\t\tincl\t(%rax)",
          "\xf0\xff\x00", "...", 3 },
        { "\tjmp\tfoo                             # encoding: [0xeb,A]", "#", "jmp\tfoo", "\xeb\x00", ".A", 2 },
        { "\tsbbq\t$foo-bar, foo(%rip) # encoding: [0x48,0x83,0x1d,A,A,A,A,B]", "#", "sbbq\t$foo-bar, foo(%rip)",
          "\x48\x83\x1d\0\0\0\0\0", "...AAAAB", 8 },
        { "\tb\tfoo                             // encoding: [A,A,A,0b000101AA]", "//", "b\tfoo", "\0\0\0\x14",
          "AAAA", 4 },
        { "\tadrp\tx3, foo                         // encoding: [0x03'A',A,A,0x90'A']", "//", "adrp\tx3, foo",
          "\x03\0\0\x90", "AAAA", 4 },
        { "\t.tlsdesccall foo                        // encoding: []", "//", ".tlsdesccall foo", "", "", 0 },
        { "\tjmp\t\"a # encoding: [0x90]\" # encoding: [0xeb,A]", "#", "jmp\t\"a # encoding: [0x90]\"", "\xeb\x00",
          ".A", 2 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct asm_line line;
        asm_output_line(cases[i].line, strlen(cases[i].line), cases[i].comment, "SL", &line);
        assert_int_equal(line.kind, ASM_LINE_INSN);
        assert_int_equal(line.text_len, strlen(cases[i].text));
        assert_memory_equal(line.text, cases[i].text, line.text_len);
        assert_int_equal(line.n_bytes, cases[i].n);
        for (unsigned b = 0; b < line.n_bytes; b++) {
            assert_int_equal(line.bytes[b], (uint8_t)cases[i].bytes[b]);
            assert_int_equal(line.letters[b], cases[i].letters[b] == '.' ? 0 : cases[i].letters[b]);
        }
    }
}

static void test_other_lines(void **state)
{
    static const struct {
        const char *line;
        enum asm_line_kind kind;
        unsigned number;
    } cases[] = {
        { "", ASM_LINE_OTHER, 0 },
        { "\t", ASM_LINE_OTHER, 0 },
        { "\t.text", ASM_LINE_OTHER, 0 },
        { "foo: # encoding: [0x90]", ASM_LINE_OTHER, 0 },
        { "\t.ascii\t\"# encoding: [0x90]\"", ASM_LINE_OTHER, 0 },
        { "                                        # imm = 0x3E8", ASM_LINE_OTHER, 0 },
        { "\t.globl\tSLm12", ASM_LINE_MARKER, 12 },
        { "\t.globl\tSLf3", ASM_LINE_FENCE, 3 },
        { "\t.globl\tSLm", ASM_LINE_OTHER, 0 },
        { "\t.globl\tSLm1x", ASM_LINE_OTHER, 0 },
        { "\t.globl\tmain", ASM_LINE_OTHER, 0 },
        { "\tnop # encoding: [0x9]", ASM_LINE_BROKEN, 0 },
        { "\tnop # encoding: [0x90", ASM_LINE_BROKEN, 0 },
        { "\tnop # encoding: [0x90,]", ASM_LINE_BROKEN, 0 },
        { "\tnop # encoding: [0x90] ", ASM_LINE_BROKEN, 0 },
        { "\tnop # encoding: [0b1]", ASM_LINE_BROKEN, 0 },
        { "\tnop # encoding: [0,1,2]", ASM_LINE_BROKEN, 0 },
        { "\tnop # encoding: [A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A]", ASM_LINE_BROKEN, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct asm_line line;
        asm_output_line(cases[i].line, strlen(cases[i].line), "#", "SL", &line);
        assert_int_equal(line.kind, cases[i].kind);
        if (line.kind == ASM_LINE_MARKER || line.kind == ASM_LINE_FENCE)
            assert_int_equal(line.number, cases[i].number);
    }
}

static void test_fixups(void **state)
{
    static const char good[] = "                                        #   fixup B - offset: 7, value: a, kind: b-c, "
                               "kind: FK_Data_1";
    static const char bad[] = "\t#   fixup B - offset: x, value: a, kind: FK_Data_1";
    struct asm_line line;
    (void)state;
    asm_output_line(good, sizeof good - 1, "#", "SL", &line);
    assert_int_equal(line.kind, ASM_LINE_FIXUP);
    assert_int_equal(line.letter, 'B');
    assert_int_equal(line.offset, 7);
    assert_int_equal(line.text_len, 9);
    assert_memory_equal(line.text, "FK_Data_1", 9);
    asm_output_line(bad, sizeof bad - 1, "#", "SL", &line);
    assert_int_equal(line.kind, ASM_LINE_OTHER);
}

/* llvm-mca-19 prints "ldaddal\tx0, xzr, [x2] // acquire semantics dropped since destination is zero", but no other comment. */
static void test_note_belongs_to_the_text(void **state)
{
    static const char note[] = "// acquire semantics dropped since destination is zero";
    static const char *const others[] = { "  // =0x10000", "  // acquire semantics", ("  // acquire semantics dropped since "
                                          "destination is zero, too") };
    static const char output[] = "\tldaddal\tx0, xzr, [x2]                   // encoding: [0x5f,0x00,0xe0,0xf8]\n"
                                 "                                        // acquire semantics dropped since destination "
                                 "is zero\n"
                                 "\tnop                                     // encoding: [0x1f,0x20,0x03,0xd5]\n";
    const struct source source = { "t.s", "", 0 };
    const struct marker_scan scan = { .n_markers = 0 };
    struct asm_line line;
    struct block block;
    struct sink sink;
    (void)state;
    sink_open(&sink);
    asm_output_line("\t// acquire semantics dropped since destination is zero", sizeof note, "//", "SL", &line);
    assert_int_equal(line.kind, ASM_LINE_NOTE);
    assert_int_equal(line.text_len, sizeof note - 1);
    assert_memory_equal(line.text, note, line.text_len);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        asm_output_line(others[i], strlen(others[i]), "//", "SL", &line);
        assert_int_equal(line.kind, ASM_LINE_OTHER);
    }
    block_init(&block, &sl_isa_aarch64);
    assert_true(asm_walk(&block, &source, &scan, "//", output, sizeof output - 1, &sink.diag));
    assert_int_equal(block.n_insns, 2);
    assert_string_equal(block.insns[0].text,
                        "ldaddal\tx0, xzr, [x2] // acquire semantics dropped since destination is zero");
    assert_string_equal(block.insns[1].text, "nop");
    block_free(&block);
    sink_expect(&sink, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_other_lines),
        cmocka_unit_test(test_fixups),
        cmocka_unit_test(test_note_belongs_to_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
