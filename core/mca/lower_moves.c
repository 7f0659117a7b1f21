/* SPDX-License-Identifier: Apache-2.0 */
/* Register lists for move elimination (7.2, 7.6): what each write does to the zero and alias state. */
#include "lower.h"

/* Appends the register's super-registers. */
static void add_supers(const struct sl_isa *isa, uint16_t reg, uint16_t *list)
{
    unsigned first = list[0];
    uint16_t from = reg;

    for (unsigned done = first;; from = list[++done]) {
        for (uint16_t r = 1; r < isa->n_regs; r++) {
            for (unsigned k = isa->direct_sub[r]; k < isa->direct_sub[r + 1u]; k++) {
                unsigned i = first + 1u;
                if (isa->sub_list[k] != from)
                    continue;
                while (i <= list[0] && list[i] != r)
                    i++;
                if (i > list[0])
                    list[++list[0]] = r;
            }
        }
        if (done == list[0])
            return;
    }
}

static uint16_t *add_list(const struct sl_isa *isa, uint16_t *list, uint16_t reg, bool closure, uint16_t supers_of)
{
    list[0] = 0;
    if (closure)
        list[0] = (uint16_t)mca_closure(isa, reg, list + 1);
    if (supers_of != 0)
        add_supers(isa, supers_of, list);
    return list + list[0] + 1u;
}

static uint32_t write_lists(struct sl_mca *m, struct mca_scratch *x, const struct mca_write *w)
{
    const struct sl_isa *isa = m->cpu->isa;
    uint16_t root = mca_root(x, w->reg), *list = &m->state->move_lists[x->move_used];
    uint32_t at = x->move_used;

    list = add_list(isa, list, root, true, 0);
    list = add_list(isa, list, w->clears_super ? root : w->reg, true, w->clears_super && !w->shadowed ? root : 0);
    list = add_list(isa, list, root, true, w->clears_super ? root : 0);
    x->move_used = (uint32_t)(list - m->state->move_lists);
    return at;
}

void mca_lower_moves(struct sl_mca *m, struct mca_scratch *x)
{
    struct sl_mca_state *s = m->state;
    const struct sl_isa *isa = m->cpu->isa;

    for (uint16_t r = 0; r < isa->n_regs; r++) {
        s->rename[r] = x->rename[r].as;
        s->reg_file[r] = x->rename[r].file;
        if (x->rename[r].move)
            sl_bit_set(s->allow_move, r);
    }
    s->move_lists[0] = s->move_lists[1] = s->move_lists[2] = 0; /* a write of no register */
    x->move_used = 3;
    for (uint32_t i = 0; i < s->n_writes; i++) {
        struct mca_write *w = &s->writes[i];
        uint32_t *known = &x->move_list[w->clears_super][w->reg];
        if (w->reg == 0)
            continue;
        if (w->shadowed) {
            w->moves = write_lists(m, x, w);
            continue;
        }
        if (*known == 0)
            *known = write_lists(m, x, w);
        w->moves = *known;
    }
    for (uint32_t i = 0; i < m->n_insns; i++) {
        const struct mca_proto *p = &s->protos[i];
        for (unsigned k = 0; s->insns[i].optimizable_move && k < p->n_reads; k++) {
            uint16_t from = mca_root(x, s->reads[p->reads + k].reg);
            s->reg_classes[from] = mca_class_list(m, x, from);
        }
    }
}
