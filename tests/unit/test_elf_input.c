/* SPDX-License-Identifier: Apache-2.0 */
/* ELF and raw input. The files are put together here, byte by byte, after the ELF gABI. */
#include "cli_fixture.h"

#include <elf.h>

#include "hosted/io/elf_input.h"

#define IMAGE_BYTES 2048u
#define TEXT_AT 0x40u
#define TEXT_BYTES 16u
#define ADDRESS 0x1000u

/* nop; mov foo(%rip), %rax; ret; int3; nop; nop; ret; nop: `f` is the first three, `g` begins at 9. */
static const uint8_t code[TEXT_BYTES] = { 0x90, 0x48, 0x8b, 0x05, 0, 0, 0, 0, 0xc3, 0xcc, 0x90, 0x90, 0xc3, 0x90, 0x90,
                                          0x90 };
static const char names[] = "\0.text\0.symtab\0.strtab\0.shstrtab\0.rela.text";
static const char strings[] = "\0f\0g\0obj\0$d\0$x";

enum { S_NULL, S_TEXT, S_SYMTAB, S_STRTAB, S_SHSTRTAB, S_RELA, N_SECTIONS };

struct image {
    uint8_t bytes[IMAGE_BYTES];
    size_t used;
    Elf64_Ehdr header;
    Elf64_Shdr sections[N_SECTIONS];
};

static size_t append(struct image *image, const void *data, size_t size)
{
    size_t at = image->used;
    assert_true(at + size <= IMAGE_BYTES);
    memcpy(image->bytes + at, data, size);
    image->used = (at + size + 7) & ~(size_t)7;
    return at;
}

static void put_section(struct image *image, int index, uint32_t name, uint32_t type, const void *data, size_t size)
{
    Elf64_Shdr *s = &image->sections[index];
    s->sh_name = name;
    s->sh_type = type;
    s->sh_offset = append(image, data, size);
    s->sh_size = size;
}

static Elf64_Sym symbol(uint32_t name, uint8_t type, uint64_t value, uint64_t size)
{
    return (Elf64_Sym){ .st_name = name, .st_info = ELF64_ST_INFO(STB_GLOBAL, type), .st_shndx = S_TEXT,
                        .st_value = value, .st_size = size };
}

/* The header and the section table are written last, from image->header and image->sections. */
static void seal(struct image *image)
{
    memcpy(image->bytes, &image->header, sizeof image->header);
    memcpy(image->bytes + image->header.e_shoff, image->sections, sizeof image->sections);
}

static void build(struct image *image, uint16_t type, uint16_t machine)
{
    uint64_t base = type == ET_REL ? 0 : ADDRESS;
    Elf64_Sym symbols[] = { { 0 },
                            symbol(1, STT_FUNC, base, 9),
                            symbol(3, STT_FUNC, base + 9, 0),
                            symbol(5, STT_OBJECT, base, 4),
                            symbol(9, STT_NOTYPE, base + 4, 0),
                            symbol(12, STT_NOTYPE, base + 8, 0) };
    Elf64_Rela rela = { .r_offset = 4, .r_info = ELF64_R_INFO(1, R_X86_64_PC32), .r_addend = -4 };
    memset(image, 0, sizeof *image);
    image->used = sizeof image->header;
    put_section(image, S_TEXT, 1, SHT_PROGBITS, code, sizeof code);
    image->sections[S_TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    image->sections[S_TEXT].sh_addr = base;
    put_section(image, S_SYMTAB, 7, SHT_SYMTAB, symbols, sizeof symbols);
    image->sections[S_SYMTAB].sh_link = S_STRTAB;
    image->sections[S_SYMTAB].sh_entsize = sizeof symbols[0];
    put_section(image, S_STRTAB, 15, SHT_STRTAB, strings, sizeof strings);
    put_section(image, S_SHSTRTAB, 23, SHT_STRTAB, names, sizeof names);
    put_section(image, S_RELA, 33, SHT_RELA, &rela, sizeof rela);
    image->sections[S_RELA].sh_info = S_TEXT;
    image->sections[S_RELA].sh_link = S_SYMTAB;
    memcpy(image->header.e_ident, ELFMAG, SELFMAG);
    image->header.e_ident[EI_CLASS] = ELFCLASS64;
    image->header.e_ident[EI_DATA] = ELFDATA2LSB;
    image->header.e_ident[EI_VERSION] = EV_CURRENT;
    image->header.e_version = EV_CURRENT;
    image->header.e_type = type;
    image->header.e_machine = machine;
    image->header.e_shoff = append(image, image->sections, sizeof image->sections);
    image->header.e_shentsize = sizeof(Elf64_Shdr);
    image->header.e_shnum = N_SECTIONS;
    image->header.e_shstrndx = S_SHSTRTAB;
    seal(image);
}

/* Reads all that the selection wants; the number of instructions, or -1. */
static int read_image(const uint8_t *bytes, size_t size, const struct code_selection *selection, struct block *block,
                      struct diag *diag)
{
    struct elf_file elf;
    const struct sl_isa *isa;
    int count = -1;
    if (!elf_open(&elf, "t.o", bytes, size, diag))
        return -1;
    isa = elf_input_isa(&elf, diag);
    if (isa) {
        block_init(block, isa);
        count = elf_input_read(block, &elf, selection, diag) ? (int)block->n_insns : -1;
        if (count < 0)
            block_free(block);
    }
    elf_close(&elf);
    return count;
}

static void test_selections(void **state)
{
    static const struct {
        uint16_t type;
        struct code_selection selection;
        int count;
        uint64_t first;
    } cases[] = {
        { ET_REL, { .symbol = NULL }, 10, 0 },
        { ET_REL, { .symbol = "f" }, 3, 0 },
        { ET_REL, { .symbol = "g" }, 7, 9 },
        { ET_EXEC, { .symbol = "g" }, 7, ADDRESS + 9 },
        { ET_REL, { .has_range = true, .range_start = 8, .range_end = 10 }, 2, 8 },
        { ET_EXEC, { .has_range = true, .range_start = ADDRESS + 1, .range_end = ADDRESS + 8 }, 1, ADDRESS + 1 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image image;
        struct block block;
        struct sink sink;
        sink_open(&sink);
        build(&image, cases[i].type, EM_X86_64);
        assert_int_equal(read_image(image.bytes, image.used, &cases[i].selection, &block, &sink.diag), cases[i].count);
        assert_int_equal(block.insns[0].address, cases[i].first);
        assert_int_equal(block.regions[0].n_members, cases[i].count);
        block_free(&block);
        sink_expect(&sink, "");
    }
}

static void test_relocated_operand_is_an_expression(void **state)
{
    for (int object = 0; object < 2; object++) {
        struct image image;
        struct block block;
        struct sink sink;
        (void)state;
        sink_open(&sink);
        build(&image, object ? ET_REL : ET_EXEC, EM_X86_64);
        assert_int_equal(read_image(image.bytes, image.used, &(struct code_selection){ .symbol = "f" }, &block,
                                    &sink.diag), 3);
        /* mov foo(%rip), %rax: destination, base, scale, index, displacement, segment */
        assert_int_equal(block.insns[1].insn.operand[4].kind, object ? SL_OPERAND_EXPR : SL_OPERAND_IMM);
        block_free(&block);
        sink_expect(&sink, "");
    }
}

static void test_selection_errors(void **state)
{
    static const struct {
        struct code_selection selection;
        const char *message;
    } cases[] = {
        { { .symbol = "nope" }, "slotledger: t.o: no function 'nope' (6 symbols)\n" },
        { { .symbol = "obj" }, "slotledger: t.o: no function 'obj' (6 symbols)\n" },
        { { .has_range = true, .range_start = 8, .range_end = 17 },
          "slotledger: t.o: no executable section holds the range 0x8-0x11\n" },
        { { .has_range = true, .range_start = 3, .range_end = 4 },
          "slotledger: t.o:0x43: the code ends inside an instruction of x86_64 at address 0x3: 05\n" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image image;
        struct block block;
        struct sink sink;
        sink_open(&sink);
        build(&image, ET_REL, EM_X86_64);
        assert_int_equal(read_image(image.bytes, image.used, &cases[i].selection, &block, &sink.diag), -1);
        sink_expect(&sink, cases[i].message);
    }
}

static void test_undecodable_bytes(void **state)
{
    struct image image;
    struct block block;
    struct sink sink;
    (void)state;
    build(&image, ET_REL, EM_X86_64);
    image.bytes[TEXT_AT] = 0x06; /* push %es does not exist in 64-bit mode */
    sink_open(&sink);
    assert_int_equal(read_image(image.bytes, image.used, &(struct code_selection){ .symbol = "f" }, &block, &sink.diag),
                     -1);
    sink_expect(&sink, "slotledger: t.o:0x40: no instruction of x86_64 at address 0x0: 06 48 8b 05 00 00 00 00 c3\n");
    sink_open(&sink);
    assert_int_equal(read_image(image.bytes, image.used,
                                &(struct code_selection){ .symbol = "f", .skip_undecodable = true }, &block,
                                &sink.diag), 2);
    block_free(&block);
    sink_expect_part(&sink, "warning: no instruction at address 0x0 (06 48 8b 05 00 00 00 00 c3), skipping");
}

static void test_mapping_symbols_skip_data(void **state)
{
    static const uint8_t a64[TEXT_BYTES] = { 0x1f, 0x20, 0x03, 0xd5, 0xff, 0xff, 0xff, 0xff,
                                             0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6 };
    struct image image;
    struct block block;
    struct sink sink;
    (void)state;
    sink_open(&sink);
    build(&image, ET_EXEC, EM_AARCH64);
    memcpy(image.bytes + TEXT_AT, a64, sizeof a64);
    assert_int_equal(read_image(image.bytes, image.used, &(struct code_selection){ .symbol = NULL }, &block,
                                &sink.diag), 3);
    assert_int_equal(block.insns[1].address, ADDRESS + 8);
    block_free(&block);
    sink_expect(&sink, "");
}

static void test_damaged_headers(void **state)
{
    static const struct {
        unsigned at, width;
        uint64_t value;
        const char *message;
    } cases[] = {
        { 0, 1, 0, "t.o:0x0: not an ELF file" },
        { EI_CLASS, 1, 9, "t.o:0x4: unknown ELF class 9" },
        { EI_DATA, 1, 7, "t.o:0x5: unknown ELF byte order 7" },
        { EI_VERSION, 1, 2, "t.o:0x6: unknown ELF version 2" },
        { 18, 2, EM_386, "t.o:0x12: machine 3 is not supported" },
        { 40, 8, 0, "t.o:0x28: no section headers" },
        { 40, 8, 0xffffffffffffff00u, "t.o:0xffffffffffffff00: the table of 6 section headers ends behind" },
        { 58, 2, 8, "t.o:0x3a: section header size 8, expected 64" },
        { 60, 2, 0xfff0, "section headers ends behind the file's end" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image image;
        struct block block;
        struct sink sink;
        sink_open(&sink);
        build(&image, ET_REL, EM_X86_64);
        for (unsigned b = 0; b < cases[i].width; b++)
            image.bytes[cases[i].at + b] = (uint8_t)(cases[i].value >> (8 * b));
        assert_int_equal(read_image(image.bytes, image.used, &(struct code_selection){ .symbol = NULL }, &block,
                                    &sink.diag), -1);
        sink_expect_part(&sink, cases[i].message);
    }
}

/* What libelf would take, inflate or refuse without saying where. */
static void test_damaged_tables(void **state)
{
    static const struct {
        int section;
        Elf64_Shdr damage; /* members other than 0 replace */
        const char *message;
    } cases[] = {
        { S_SYMTAB, { .sh_flags = SHF_COMPRESSED }, "entries of section 2: compressed" },
        { S_SYMTAB, { .sh_size = 145 }, "entries of section 2: " },
        { S_SYMTAB, { .sh_link = 99 }, "section 99 of 6 is referred to" },
        { S_SYMTAB, { .sh_size = ~(uint64_t)0 }, "ends behind the file's end" },
        { S_STRTAB, { .sh_flags = SHF_COMPRESSED }, "no function 'f' (6 symbols)" },
        { S_STRTAB, { .sh_type = SHT_NOBITS }, "no function 'f' (6 symbols)" },
        { S_STRTAB, { .sh_size = 2 }, "no function 'f' (6 symbols)" },
        { S_RELA, { .sh_size = 25 }, "entries of section 5: " },
        { S_RELA, { .sh_flags = SHF_COMPRESSED }, "entries of section 5: compressed" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Elf64_Shdr *damage = &cases[i].damage;
        struct image image;
        struct block block;
        struct sink sink;
        Elf64_Shdr *s;
        sink_open(&sink);
        build(&image, ET_REL, EM_X86_64);
        s = &image.sections[cases[i].section];
        s->sh_flags = damage->sh_flags ? damage->sh_flags : s->sh_flags;
        s->sh_type = damage->sh_type ? damage->sh_type : s->sh_type;
        s->sh_size = damage->sh_size ? damage->sh_size : s->sh_size;
        s->sh_link = damage->sh_link ? damage->sh_link : s->sh_link;
        seal(&image);
        assert_int_equal(read_image(image.bytes, image.used, &(struct code_selection){ .symbol = "f" }, &block,
                                    &sink.diag), -1);
        sink_expect_part(&sink, cases[i].message);
    }
}

/* No prefix of a file may be read past its end (the sanitizers look), and none but the whole is accepted. */
static void test_truncated_files(void **state)
{
    struct image image;
    (void)state;
    build(&image, ET_REL, EM_X86_64);
    for (size_t size = 0; size < image.used; size++) {
        uint8_t *copy = malloc(size ? size : 1);
        struct block block;
        struct diag diag = { .stream = NULL };
        assert_non_null(copy);
        memcpy(copy, image.bytes, size);
        assert_int_equal(read_image(copy, size, &(struct code_selection){ .symbol = NULL }, &block, &diag), -1);
        assert_int_equal(diag.n_errors, 1);
        free(copy);
    }
}

static void test_raw_input(void **state)
{
    struct block block;
    struct sink sink;
    (void)state;
    sink_open(&sink);
    block_init(&block, &sl_isa_x86_64);
    assert_true(raw_input_read(&block, "t.bin", code, sizeof code, 0x8000,
                               &(struct code_selection){ .has_range = true, .range_start = 0x8008,
                                                         .range_end = 0x800a }, &sink.diag));
    assert_int_equal(block.n_insns, 2);
    assert_int_equal(block.insns[0].address, 0x8008);
    assert_false(raw_input_read(&block, "t.bin", code, sizeof code, 0x8000,
                                &(struct code_selection){ .has_range = true, .range_start = 0x7fff,
                                                          .range_end = 0x8001 }, &sink.diag));
    assert_false(raw_input_read(&block, "t.bin", code, 4, 0, &(struct code_selection){ .symbol = NULL }, &sink.diag));
    block_free(&block);
    sink_expect(&sink, "slotledger: t.bin: the range 0x7fff-0x8001 is outside of the code 0x8000-0x8010\n"
                       "slotledger: t.bin:0x1: the code ends inside an instruction of x86_64 at address 0x1: 48 8b 05\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selections),
        cmocka_unit_test(test_relocated_operand_is_an_expression),
        cmocka_unit_test(test_selection_errors),
        cmocka_unit_test(test_undecodable_bytes),
        cmocka_unit_test(test_mapping_symbols_skip_data),
        cmocka_unit_test(test_damaged_headers),
        cmocka_unit_test(test_damaged_tables),
        cmocka_unit_test(test_truncated_files),
        cmocka_unit_test(test_raw_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
