/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of learned text tables: walks an opcode's tree to its template and fills in the slots. */
#include "disasm_render.h"

#include <string.h>

void disasm_put(struct disasm_out *out, const char *text)
{
    size_t len = strlen(text), room = out->size - out->used;
    if (!out->size)
        return;
    if (len >= room)
        len = room - 1;
    memcpy(out->text + out->used, text, len);
    out->used += len;
    out->text[out->used] = '\0';
}

static bool in_set(const struct disasm_tables *tables, unsigned set, int64_t value)
{
    const int64_t *values = tables->set_values + tables->sets[set].first;
    uint32_t low = 0, high = tables->sets[set].count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (values[middle] == value)
            return true;
        if (values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool holds(const struct disasm_tables *tables, const struct disasm_node *node, const struct sl_insn *insn)
{
    int64_t value;
    if (!disasm_feature_value((enum disasm_feature)node->feature, insn, node->a, node->b, &value))
        return false;
    return node->less ? value < tables->set_values[tables->sets[node->set].first] : in_set(tables, node->set, value);
}

static const char *find_name(const struct disasm_tables *tables, unsigned table, int64_t key)
{
    const struct disasm_name *names = tables->names + tables->tables[table].first;
    uint32_t low = 0, high = tables->tables[table].count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (names[middle].key == key)
            return tables->texts[names[middle].text];
        if (names[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool put_name(const struct disasm_tables *tables, const struct disasm_slot *slot, const struct sl_insn *insn,
                     struct disasm_out *out)
{
    char generic[DISASM_NUMBER_BYTES];
    int64_t key;
    const char *name;
    if (!disasm_feature_value((enum disasm_feature)slot->b, insn, slot->a, slot->a, &key))
        return false;
    name = find_name(tables, slot->param, key);
    if (!name && slot->kind == DISASM_SYSREG) {
        disasm_generic_sysreg((uint64_t)key, generic);
        name = generic;
    }
    if (name)
        disasm_put(out, name);
    return name != NULL;
}

static bool put_number(const struct disasm_tables *tables, const struct disasm_slot *slot, const struct sl_insn *insn,
                       const struct disasm_context *context, struct disasm_out *out)
{
    const struct disasm_number *number = &tables->numbers[slot->param];
    char text[DISASM_NUMBER_BYTES];
    int64_t value;
    const char *symbol = slot->a < SL_INSN_OPERANDS ? context->symbols[slot->a] : NULL;
    if (symbol && insn->operand[slot->a].kind != SL_OPERAND_REG) {
        if (context->symbol_mark)
            disasm_put(out, context->symbol_mark);
        disasm_put(out, symbol);
        return true;
    }
    if (!disasm_number_value(number, insn, slot->a, slot->b, &value))
        return false;
    disasm_number_text(number, value, context->hex, text);
    if (slot->kind == DISASM_HASH)
        disasm_put(out, "#");
    disasm_put(out, text);
    return true;
}

static bool put_list(const struct sl_insn *insn, const struct disasm_context *context, struct disasm_out *out)
{
    for (unsigned k = 0; k + sl_insn_stored(insn) < insn->n_operands; k++) {
        const char *name = context->reg_name(sl_insn_list_reg(context->isa, insn, k));
        if (!name)
            return false;
        disasm_put(out, k ? ", " : "");
        disasm_put(out, name);
    }
    return true;
}

static bool put_slot(const struct disasm_tables *tables, const struct disasm_slot *slot, const struct sl_insn *insn,
                     const struct disasm_context *context, struct disasm_out *out)
{
    switch (slot->kind) {
    case DISASM_NAME:
    case DISASM_SYSREG:
        return put_name(tables, slot, insn, out);
    case DISASM_MEMORY:
        return disasm_x86_memory(insn, slot->a, context, out);
    case DISASM_LIST:
        return put_list(insn, context, out);
    default:
        return put_number(tables, slot, insn, context, out);
    }
}

static bool put_template(const struct disasm_tables *tables, const char *template, const struct sl_insn *insn,
                         const struct disasm_context *context, struct disasm_out *out)
{
    for (const unsigned char *at = (const unsigned char *)template; *at; at++) {
        if (*at < 0x80) {
            const char literal[2] = { (char)*at, '\0' };
            disasm_put(out, literal);
            continue;
        }
        if (!put_slot(tables, &tables->slots[(at[0] - 0x80) * 128 + (at[1] - 0x80)], insn, context, out))
            return false;
        at++;
    }
    return true;
}

bool disasm_render(const struct disasm_tables *tables, const struct sl_insn *insn, const struct disasm_context *context,
                   struct disasm_out *out)
{
    unsigned reference = insn->op < tables->n_ops ? tables->roots[insn->op] : DISASM_NOTHING;
    const struct disasm_leaf *leaf;
    while (reference < DISASM_LEAF) {
        const struct disasm_node *node = &tables->nodes[reference];
        reference = holds(tables, node, insn) ? node->yes : node->no;
    }
    if (reference == DISASM_NOTHING)
        return false;
    leaf = &tables->leaves[reference - DISASM_LEAF];
    return put_template(tables, tables->mnemonics[leaf->mnemonic], insn, context, out) &&
           put_template(tables, tables->patterns[leaf->pattern], insn, context, out);
}
