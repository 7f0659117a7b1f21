/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction-tables mode: each instruction's resource use spread evenly over units, no simulation (chapter 12). */
#include "internal.h"

static void spread(struct sl_mca_state *s, const struct sl_cpu *cpu, const struct sl_mca_resource *e)
{
    const struct sl_proc_resource *res = &cpu->resources[e->resource];
    unsigned members = res->is_group ? res->n_units : 1u;

    for (unsigned k = 0; k < members; k++) {
        uint8_t at = res->is_group ? cpu->members[res->members + k] : e->resource;
        unsigned n = cpu->resources[at].n_units;
        for (unsigned u = 0; u < n; u++)
            s->uses[s->n_uses++] = (struct sl_mca_use){ e->cycles, members * n, at, (uint8_t)u };
    }
}

void mca_tables_run(struct sl_mca *m)
{
    struct sl_mca_state *s = m->state;

    for (uint32_t i = 0; i < s->n_insns; i++) {
        const struct mca_slot slot = { .iid = i, .position = i };
        const struct sl_mca_desc *desc = s->insns[i].desc;

        s->n_uses = 0;
        for (unsigned k = 0; k < desc->n_resources; k++)
            spread(s, m->cpu, &desc->resources[k]);
        if (!mca_watched(m, SL_MCA_ISSUED))
            continue;
        s->event.uses = s->uses;
        s->event.n_uses = (uint16_t)s->n_uses;
        mca_emit(m, SL_MCA_ISSUED, &slot);
    }
}
