/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what slotledger decodes from bytes with what LLVM's assembler parsed from the text: reads the output of
 * llvm-mc -show-inst -show-encoding on standard input. usage: parsed ISA [unset] < TEXT */
#include <slotledger/isa.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 64 };

struct parsed {
    char text[256], name[64];
    uint8_t bytes[8];
    size_t n_bytes, n_operands;
    char kind[MAX_OPERANDS];
    long long value[MAX_OPERANDS];
};

static const struct sl_isa *isa;
static bool list_unset; /* print which operands the parser leaves unset */
static struct sl_thumb_block block;
static unsigned long compared, different, shown[8192];

static const char *op_name(uint16_t op)
{
    return isa == &sl_isa_thumbm ? sl_thumbm_op_name(op) : sl_arm_op_name(op);
}

static const char *difference(const struct parsed *p, const struct sl_insn *insn)
{
    if (strcmp(p->name, op_name(insn->op)) != 0)
        return "opcode";
    if (p->n_operands != insn->n_operands)
        return "count";
    for (unsigned i = 0; i < insn->n_operands; i++) {
        bool stored = i < sl_insn_stored(insn), reg = !stored || insn->operand[i].kind == SL_OPERAND_REG;
        if (p->kind[i] == 'E')
            continue;
        if (reg != (p->kind[i] == 'R'))
            return "kind";
        if (reg && p->value[i] != (stored ? insn->operand[i].reg : sl_insn_list_reg(isa, insn, i - sl_insn_stored(insn))))
            return "register";
        if (!reg && p->value[i] != insn->operand[i].imm)
            return "immediate";
    }
    return NULL;
}

static void compare(const struct parsed *p)
{
    struct sl_insn insn;
    const char *what = "refused";
    if (!p->name[0] || !p->n_bytes)
        return;
    compared++;
    if (isa->decode(p->bytes, p->n_bytes, &insn) == SL_OK) {
        if (isa != &sl_isa_arm)
            sl_thumb_next(isa, &block, &insn);
        what = difference(p, &insn);
    }
    if (!what)
        return;
    different++;
    if (list_unset && strcmp(what, "refused") != 0 && !strcmp(p->name, op_name(insn.op))) {
        unsigned mask = 0;
        for (unsigned i = 0; i < p->n_operands && i < sl_insn_stored(&insn); i++)
            mask |= (unsigned)(p->kind[i] == 'I' && p->value[i] == 0 && insn.operand[i].kind == SL_OPERAND_REG) << i;
        if (mask && shown[insn.op & 8191]++ == 0)
            printf("    {\"%s\", 0x%x},\n", p->name, mask);
        return;
    }
    if (list_unset || shown[insn.op & 8191]++ > 0)
        return;
    printf("%s %s (ours %s): %s\n", what, p->name, strcmp(what, "refused") ? op_name(insn.op) : "-", p->text);
    for (unsigned i = 0; i < p->n_operands; i++)
        printf(" %c%lld", p->kind[i], p->value[i]);
    printf(" |");
    for (unsigned i = 0; strcmp(what, "refused") && i < sl_insn_stored(&insn); i++)
        printf(" %c%lld", insn.operand[i].kind == SL_OPERAND_REG ? 'R' : 'I',
               insn.operand[i].kind == SL_OPERAND_REG ? insn.operand[i].reg : (long long)insn.operand[i].imm);
    printf("\n");
}

int main(int argc, char **argv)
{
    struct parsed p = {.name = ""};
    char line[1024];
    isa = argc < 2 ? NULL : !strcmp(argv[1], "thumbm") ? &sl_isa_thumbm : !strcmp(argv[1], "thumb") ? &sl_isa_thumb : &sl_isa_arm;
    if (!isa)
        return 2;
    list_unset = argc > 2;
    while (fgets(line, sizeof line, stdin)) {
        char *encoding = strstr(line, "encoding: ["), *inst = strstr(line, "<MCInst #"), *operand = strstr(line, "<MCOperand ");
        if (encoding) {
            compare(&p);
            memset(&p, 0, sizeof p);
            snprintf(p.text, sizeof p.text, "%.*s", (int)(strcspn(line, "@") < 90 ? strcspn(line, "@") : 90), line);
            for (char *at = encoding + 11; *at && *at != ']' && p.n_bytes < 8; at += strcspn(at, ",]"), at += *at == ',')
                p.bytes[p.n_bytes++] = (uint8_t)(at[0] == '0' ? strtoul(at, NULL, 16) : 0);
        }
        if (inst)
            sscanf(inst, "<MCInst #%*u %63[A-Za-z0-9_]", p.name);
        if (operand && p.n_operands < MAX_OPERANDS) {
            p.kind[p.n_operands] = operand[11];
            p.value[p.n_operands++] = strtoll(operand + 15, NULL, 10);
        }
    }
    compare(&p);
    fprintf(list_unset ? stderr : stdout, "%lu compared, %lu different\n", compared, different);
    return different != 0;
}
