/* SPDX-License-Identifier: Apache-2.0 */
/* Names of classes, opcodes, registers, instruction sets and CPUs, and the way back. */
#include "model_text.h"

#include <stdlib.h>
#include <string.h>

/* LLVM's longest class names are longer than what ISO C promises for a string. */
#pragma GCC diagnostic ignored "-Woverlength-strings"
#define class_names aarch64_class_names
#include "core/gen/aarch64_class_names.inc"
#undef class_names
#define class_names x86_64_class_names
#include "core/gen/x86_64_class_names.inc"
#undef class_names
#define class_names riscv_class_names
#include "core/gen/riscv_class_names.inc"
#undef class_names
#define class_names arm_class_names
#include "core/gen/arm_class_names.inc"
#undef class_names
#define class_names thumbm_class_names
#include "core/gen/thumbm_class_names.inc"
#undef class_names

const char *const model_confidence_names[MODEL_CONFIDENCES] = { "unmarked", "measured", "manual", "stand-in", "guess" };

struct isa_names {
    const struct sl_isa *isa;
    const char *const *classes;
    const char *(*op)(uint16_t op);
    const char *(*reg)(uint16_t reg);
};

static const struct isa_names all_isas[] = {
    { &sl_isa_aarch64, aarch64_class_names, sl_aarch64_op_name, sl_aarch64_reg_name },
    { &sl_isa_x86_64, x86_64_class_names, sl_x86_64_op_name, sl_x86_64_reg_name },
    { &sl_isa_riscv64, riscv_class_names, sl_riscv_op_name, sl_riscv_reg_name },
    { &sl_isa_riscv32, riscv_class_names, sl_riscv_op_name, sl_riscv_reg_name },
    { &sl_isa_thumbm, thumbm_class_names, sl_thumbm_op_name, sl_thumbm_reg_name },
    { &sl_isa_arm, arm_class_names, sl_arm_op_name, sl_arm_reg_name },
    { &sl_isa_thumb, arm_class_names, sl_arm_op_name, sl_arm_reg_name },
};

#define N_ISAS (sizeof all_isas / sizeof all_isas[0])

static const struct isa_names *names_of(const struct sl_isa *isa)
{
    size_t i = 0;
    while (i + 1 < N_ISAS && all_isas[i].isa != isa)
        i++;
    return &all_isas[i];
}

const char *model_class_name(const struct sl_isa *isa, unsigned sched_class)
{
    return sched_class ? names_of(isa)->classes[sched_class] : "none";
}

const char *model_op_name(const struct sl_isa *isa, unsigned op)
{
    return names_of(isa)->op((uint16_t)op);
}

static const char *plain_reg(const struct isa_names *names, unsigned reg)
{
    const char *name = names->reg((uint16_t)reg);
    return name + (*name == '%');
}

const char *model_reg_name(const struct sl_isa *isa, unsigned reg, char *buffer, size_t size)
{
    const struct isa_names *names = names_of(isa);
    const char *name = plain_reg(names, reg);
    unsigned n = 1;
    if (reg == 0)
        return "none";
    for (unsigned i = 1; i < reg; i++)
        n += !strcmp(plain_reg(names, i), name);
    if (n == 1)
        return name;
    snprintf(buffer, size, "%s#%u", name, n);
    return buffer;
}

unsigned model_find_reg(const struct sl_isa *isa, const char *name)
{
    char buffer[64];
    for (unsigned i = 0; i < isa->n_regs; i++) {
        if (!strcmp(model_reg_name(isa, i, buffer, sizeof buffer), name))
            return i;
    }
    return isa->n_regs;
}

unsigned model_find_class(const struct sl_isa *isa, const char *name)
{
    unsigned c = 0;
    while (c < isa->n_classes && strcmp(model_class_name(isa, c), name) != 0)
        c++;
    return c;
}

unsigned model_find_op(const struct sl_isa *isa, const char *name)
{
    unsigned op = 1;
    while (op < isa->n_ops && strcmp(model_op_name(isa, op), name) != 0)
        op++;
    return op;
}

const struct sl_isa *model_find_isa(const char *name)
{
    for (size_t i = 0; i < N_ISAS; i++) {
        if (!strcmp(all_isas[i].isa->name, name))
            return all_isas[i].isa;
    }
    return NULL;
}

const struct sl_cpu_name *model_cpu_at(size_t index)
{
    const struct {
        const struct sl_cpu_name *names;
        size_t n;
    } lists[] = { { sl_cpus_aarch64, sl_n_cpus_aarch64 }, { sl_cpus_x86_64, sl_n_cpus_x86_64 },
                  { sl_cpus_riscv64, sl_n_cpus_riscv64 }, { sl_cpus_riscv32, sl_n_cpus_riscv32 },
                  { sl_cpus_arm, sl_n_cpus_arm },         { sl_cpus_thumbm, sl_n_cpus_thumbm } };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (index < lists[i].n)
            return &lists[i].names[index];
        index -= lists[i].n;
    }
    return NULL;
}

/* "cortex-a57" is one name of two instruction sets: "arm/cortex-a57" tells them apart, the first one is the default. */
const struct sl_cpu *model_find_cpu(const char *name)
{
    const char *slash = strchr(name, '/');
    for (size_t i = 0; model_cpu_at(i); i++) {
        const struct sl_cpu_name *entry = model_cpu_at(i);
        const char *isa = entry->cpu->isa->name;
        if (slash && (strlen(isa) != (size_t)(slash - name) || memcmp(isa, name, strlen(isa)) != 0))
            continue;
        if (!strcmp(entry->name, slash ? slash + 1 : name))
            return entry->cpu;
    }
    return NULL;
}
