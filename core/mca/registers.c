/* SPDX-License-Identifier: Apache-2.0 */
/* Register geometry: sub-register closures, and what a CPU's register files rename each register as (7.1). */
#include "lower.h"

unsigned mca_closure(const struct sl_isa *isa, uint16_t reg, uint16_t *out)
{
    unsigned n = 1;

    out[0] = reg;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = isa->direct_sub[out[i]]; k < isa->direct_sub[out[i] + 1u]; k++) {
            uint16_t sub = isa->sub_list[k];
            unsigned seen = 0;
            while (seen < n && out[seen] != sub)
                seen++;
            if (seen == n && n < MCA_MAX_CLOSURE)
                out[n++] = sub;
        }
    }
    return n;
}

static bool contains(const struct sl_isa *isa, uint16_t super, uint16_t reg)
{
    uint16_t regs[MCA_MAX_CLOSURE];
    unsigned n = mca_closure(isa, super, regs);

    for (unsigned i = 0; i < n; i++)
        if (regs[i] == reg)
            return true;
    return false;
}

struct mca_rename mca_rename_of(const struct sl_cpu *cpu, uint16_t reg)
{
    struct mca_rename r = { 0, 0, 1, false };

    for (unsigned f = 1; f < cpu->n_files; f++) {
        const struct sl_register_file *file = &cpu->files[f];
        for (unsigned e = 0; e < file->n_costs; e++) {
            const struct sl_register_cost *cost = &cpu->costs[file->costs + e];
            const uint16_t *regs = &cpu->sets[cost->regs];
            for (unsigned i = 1; i <= regs[0]; i++) {
                if (regs[i] == reg)
                    r = (struct mca_rename){ regs[i], (uint8_t)f, cost->cost, cost->move_elimination != 0 };
                else if (r.file == 0 && contains(cpu->isa, regs[i], reg))
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
