/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a decoded instruction stays within its room, whatever the operands are, and is not empty. The first byte
 * chooses instruction set, syntax and how the operands are changed, the second the room. */
#include "tests/fuzz/fuzz.h"

#include "hosted/report/disasm.h"

static const struct sl_isa *const isas[] = {&sl_isa_aarch64, &sl_isa_x86_64, &sl_isa_riscv64, &sl_isa_riscv32,
                                          &sl_isa_thumbm,  &sl_isa_thumb,  &sl_isa_arm};
enum { N_ISAS = sizeof isas / sizeof *isas, HEADER = 2 };

/* As relocations and other callers change a decoded instruction. */
static void change(struct sl_insn *insn, const char **symbols, uint8_t how)
{
    struct sl_operand *operand = &insn->operand[sl_insn_stored(insn) ? how % sl_insn_stored(insn) : 0];
    if (how & 0x10 && operand->kind == SL_OPERAND_IMM) {
        operand->kind = SL_OPERAND_EXPR;
        symbols[operand - insn->operand] = how & 0x20 ? "%hi(symbol+8)" : NULL;
    } else if (how & 0x20 && operand->kind == SL_OPERAND_IMM) {
        operand->imm = how & 0x40 ? INT64_MIN : INT64_MAX;
    }
}

static void print_one(const struct sl_isa *isa, const uint8_t *data, size_t size, uint8_t how, size_t room)
{
    const char *symbols[SL_INSN_OPERANDS] = {NULL};
    struct disasm_options options = {(how >> 2) & 1u, (how & 8) != 0};
    uint8_t bytes[16] = {0};
    char text[DISASM_TEXT_BYTES + 1], cut[DISASM_TEXT_BYTES + 1];
    struct sl_insn insn;
    memcpy(bytes, data, size < sizeof bytes ? size : sizeof bytes);
    if (isa->decode(bytes, sizeof bytes, &insn) != SL_OK)
        return;
    change(&insn, symbols, how);
    memset(text, 'x', sizeof text);
    memset(cut, 'x', sizeof cut);
    (void)disasm_text(isa, &insn, bytes, &options, symbols, text, DISASM_TEXT_BYTES);
    (void)disasm_text(isa, &insn, bytes, &options, symbols, cut, room);
    fuzz_require(text[DISASM_TEXT_BYTES] == 'x' && memchr(text, '\0', DISASM_TEXT_BYTES) != NULL && text[0] != '\0');
    fuzz_require(strlen(text) < DISASM_TEXT_BYTES - 1); /* nothing was cut */
    fuzz_require(cut[room] == 'x' && (room == 0 || (strlen(cut) < room && !strncmp(cut, text, strlen(cut)))));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > HEADER)
        print_one(isas[data[0] % N_ISAS], data + HEADER, size - HEADER, data[0], data[1] % DISASM_TEXT_BYTES);
    return 0;
}
