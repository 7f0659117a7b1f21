/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V vector code: scheduling classes by what a vsetvli or a comment in front of an instruction says. */
#include "riscv_vtype.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t code;
} multipliers[] = { { "M1", 0 }, { "M2", 1 }, { "M4", 2 }, { "M8", 3 }, { "MF8", 5 }, { "MF4", 6 }, { "MF2", 7 } },
  widths[] = { { "E8", 1 }, { "E16", 2 }, { "E32", 3 }, { "E64", 4 } };

enum kind { KIND_UNKNOWN, KIND_LMUL, KIND_SEW };

/* "RISCV-LMUL M2": the kind, and behind one blank the data. */
static enum kind split(const char *text, const char **data)
{
    static const char lmul[] = "RISCV-LMUL", sew[] = "RISCV-SEW";
    size_t len = strcspn(text, " ");
    *data = text + len + (text[len] == ' ');
    if (len == sizeof lmul - 1 && !memcmp(text, lmul, len))
        return KIND_LMUL;
    return len == sizeof sew - 1 && !memcmp(text, sew, len) ? KIND_SEW : KIND_UNKNOWN;
}

/* Puts the value of an instrument into *vtype; false: there is no such value. */
static bool apply(const char *text, struct sl_riscv_vtype *vtype)
{
    const char *data;
    enum kind kind = split(text, &data);
    for (size_t i = 0; kind == KIND_LMUL && i < sizeof multipliers / sizeof multipliers[0]; i++) {
        if (strcmp(multipliers[i].name, data))
            continue;
        vtype->vlmul = multipliers[i].code;
        return true;
    }
    for (size_t i = 0; kind == KIND_SEW && i < sizeof widths / sizeof widths[0]; i++) {
        if (strcmp(widths[i].name, data))
            continue;
        vtype->sew = widths[i].code;
        return true;
    }
    return false;
}

bool riscv_instruments_check(const struct block *block, struct diag *diag, const struct source *source)
{
    bool ok = true;
    for (size_t i = 0; i < block->n_instruments; i++) {
        const struct block_instrument *instrument = &block->instruments[i];
        struct sl_riscv_vtype vtype;
        const char *data;
        int len = (int)strcspn(instrument->text, " ");
        enum kind kind = split(instrument->text, &data);
        if (apply(instrument->text, &vtype))
            continue;
        ok = false;
        if (!len)
            diag_at_source(diag, source, instrument->at, DIAG_ERROR,
                           "No instrumentation kind was provided in LLVM-MCA comment");
        else if (kind == KIND_UNKNOWN)
            diag_at_source(diag, source, instrument->at, DIAG_ERROR,
                           "Unknown instrumentation type in LLVM-MCA comment: %.*s", len, instrument->text);
        else if (!*data)
            diag_at_source(diag, source, instrument->at, DIAG_ERROR, "Failed to create %.*s instrument with no data",
                           len, instrument->text);
        else
            diag_at_source(diag, source, instrument->at, DIAG_ERROR, "Failed to create %.*s instrument with data: %s",
                           len, instrument->text, data);
    }
    return ok;
}

void riscv_vtype_apply(struct block *block)
{
    struct sl_riscv_vtype vtype = { .vlmul = 4 }; /* reserved: no class depends on it */
    size_t next = 0;
    for (size_t i = 0; i < block->n_insns; i++) {
        struct block_insn *insn = &block->insns[i];
        for (; next < block->n_instruments && block->instruments[next].insn <= i; next++)
            (void)apply(block->instruments[next].text, &vtype);
        insn->vtype = vtype;
        if (insn->status)
            continue;
        if (!sl_riscv_read_vtype(&insn->insn, &vtype))
            insn->insn.sched_class = sl_riscv_vector_class(insn->insn.op, &vtype);
        insn->vtype = vtype;
    }
}
