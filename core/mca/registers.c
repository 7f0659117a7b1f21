/* SPDX-License-Identifier: Apache-2.0 */
/* Register geometry: sub-register closures, and what a CPU's register files rename each register as (7.1). */
#include "lower.h"

static bool is_in(const uint16_t *list, unsigned n, uint16_t reg)
{
    for (unsigned i = 0; i < n; i++)
        if (list[i] == reg)
            return true;
    return false;
}

unsigned mca_closure(const struct sl_isa *isa, uint16_t reg, uint16_t *out)
{
    unsigned n = 1;

    out[0] = reg;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = isa->direct_sub[out[i]]; k < isa->direct_sub[out[i] + 1u]; k++) {
            uint16_t sub = isa->sub_list[k];
            if (n < MCA_MAX_CLOSURE && !is_in(out, n, sub))
                out[n++] = sub;
        }
    }
    return n;
}

/* The register and all its super-registers, itself first. */
static unsigned all_supers(const struct sl_isa *isa, uint16_t reg, uint16_t *out)
{
    unsigned n = 1;

    out[0] = reg;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = isa->direct_super[out[i]]; k < isa->direct_super[out[i] + 1u]; k++)
            if (n < MCA_MAX_CLOSURE && !is_in(out, n, isa->super_list[k]))
                out[n++] = isa->super_list[k];
    return n;
}

struct mca_rename mca_rename_of(const struct sl_cpu *cpu, uint16_t reg)
{
    struct mca_rename r = { 0, 0, 1, false };
    uint16_t supers[MCA_MAX_CLOSURE];
    unsigned n = all_supers(cpu->isa, reg, supers);

    for (unsigned f = 1; f < cpu->n_files; f++) {
        const struct sl_register_file *file = &cpu->files[f];
        for (unsigned e = 0; e < file->n_costs; e++) {
            const struct sl_register_cost *cost = &cpu->costs[file->costs + e];
            const uint16_t *regs = &cpu->sets[cost->regs];
            for (unsigned i = 1; i <= regs[0]; i++) {
                if (regs[i] == reg)
                    r = (struct mca_rename){ regs[i], (uint8_t)f, cost->cost, cost->move_elimination != 0 };
                else if (r.file == 0 && is_in(supers, n, regs[i]))
                    r = (struct mca_rename){ regs[i], (uint8_t)f, cost->cost, false };
            }
        }
    }
    return r;
}

void mca_rename_all(const struct sl_cpu *cpu, struct mca_rename *table)
{
    uint16_t subs[MCA_MAX_CLOSURE];

    for (uint16_t r = 0; r < cpu->isa->n_regs; r++)
        table[r] = (struct mca_rename){ 0, 0, 1, false };
    for (unsigned f = 1; f < cpu->n_files; f++) {
        const struct sl_register_file *file = &cpu->files[f];
        for (unsigned e = 0; e < file->n_costs; e++) {
            const struct sl_register_cost *cost = &cpu->costs[file->costs + e];
            const uint16_t *regs = &cpu->sets[cost->regs];
            for (unsigned i = 1; i <= regs[0]; i++) {
                unsigned n = mca_closure(cpu->isa, regs[i], subs);
                table[regs[i]] = (struct mca_rename){ regs[i], (uint8_t)f, cost->cost, cost->move_elimination != 0 };
                for (unsigned k = 1; k < n; k++)
                    if (table[subs[k]].file == 0)
                        table[subs[k]] = (struct mca_rename){ regs[i], (uint8_t)f, cost->cost, false };
            }
        }
    }
}
