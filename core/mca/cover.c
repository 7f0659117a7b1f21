/* SPDX-License-Identifier: Apache-2.0 */
/* Cover classes. Two registers that every write of the block defines together are one class: the machine keeps one
 * last definition per class, and most reads then look at a single class. Registers that no read overlaps have none. */
#include "lower.h"

/* Nothing ever defines a constant register. */
static void add_dense(const struct sl_isa *isa, struct mca_scratch *x, uint16_t reg)
{
    uint16_t regs[MCA_MAX_CLOSURE];
    unsigned n;

    if (reg == 0 || x->dense[reg] != 0 || (isa->reg_flags[reg] & SL_REG_CONSTANT) != 0)
        return;
    n = mca_closure(isa, reg, regs);
    for (unsigned i = 0; i < n; i++) {
        if (x->dense[regs[i]] != 0)
            continue;
        x->regs[x->n_dense] = regs[i];
        x->dense[regs[i]] = (uint16_t)++x->n_dense;
    }
}

static void find_dense(struct sl_mca *m, struct mca_scratch *x)
{
    struct sl_mca_state *s = m->state;

    for (size_t i = 0; i < m->n_insns; i++) {
        const struct mca_proto *p = &s->protos[i];
        for (unsigned k = 0; k < p->n_reads; k++) {
            add_dense(m->cpu->isa, x, s->reads[p->reads + k].reg);
            if (s->insns[i].optimizable_move)
                add_dense(m->cpu->isa, x, mca_root(x, s->reads[p->reads + k].reg));
        }
        for (unsigned k = 0; k < p->n_writes; k++)
            if (s->writes[p->writes + k].partial)
                add_dense(m->cpu->isa, x, mca_root(x, s->writes[p->writes + k].reg));
    }
}

/* Direct super-registers of dense registers. Sub-registers of a dense register are dense, so paths upwards are whole. */
static void link_up(const struct sl_isa *isa, struct mca_scratch *x)
{
    for (uint32_t i = 0; i < x->n_dense; i++)
        for (unsigned k = isa->direct_sub[x->regs[i]]; k < isa->direct_sub[x->regs[i] + 1u]; k++)
            x->up_begin[x->dense[isa->sub_list[k]]]++;
    for (uint32_t i = 1; i <= x->n_dense; i++)
        x->up_begin[i] = (uint16_t)(x->up_begin[i] + x->up_begin[i - 1u]);
    for (uint32_t i = 0; i < x->n_dense; i++)
        for (unsigned k = isa->direct_sub[x->regs[i]]; k < isa->direct_sub[x->regs[i] + 1u]; k++) {
            uint32_t d = x->dense[isa->sub_list[k]] - 1u;
            x->up[x->up_begin[d] + x->hits[d]++] = (uint16_t)i;
        }
    for (uint32_t i = 0; i < x->n_dense; i++)
        x->hits[i] = 0;
}

static void push(struct mca_scratch *x, uint16_t *list, uint16_t dense)
{
    if (sl_bit_test(x->mark, dense))
        return;
    sl_bit_set(x->mark, dense);
    list[++list[0]] = dense;
}

/* Dense registers that a write of `root` defines: itself, its sub-registers, its super-registers if it clears these. */
static uint16_t *cover_of(struct sl_mca *m, struct mca_scratch *x, uint16_t root, bool clears_super)
{
    uint16_t regs[MCA_MAX_CLOSURE], *list;
    uint32_t *known = &x->write_list[clears_super][root];
    unsigned n, from;

    if (*known != 0)
        return &m->state->class_lists[*known - 1u];
    list = &m->state->class_lists[x->list_used];
    *known = x->list_used + 1u;
    list[0] = 0;
    if (clears_super && x->dense[root] != 0) {
        push(x, list, (uint16_t)(x->dense[root] - 1u));
        for (from = 1; from <= list[0]; from++)
            for (unsigned k = x->up_begin[list[from]]; k < x->up_begin[list[from] + 1u]; k++)
                push(x, list, x->up[k]);
    }
    n = mca_closure(m->cpu->isa, root, regs);
    for (unsigned i = 0; i < n; i++)
        if (x->dense[regs[i]] != 0)
            push(x, list, (uint16_t)(x->dense[regs[i]] - 1u));
    for (unsigned i = 1; i <= list[0]; i++)
        sl_bit_clear(x->mark, list[i]);
    x->list_used += list[0] + 1u;
    return list;
}

/* Splits every class that the list covers in part. */
static void split_by(struct sl_mca_state *s, struct mca_scratch *x, const uint16_t *list)
{
    uint32_t first_new = s->n_classes;

    for (unsigned i = 1; i <= list[0]; i++)
        x->hits[x->class_of[list[i]]]++;
    for (unsigned i = 1; i <= list[0]; i++) {
        uint16_t c = x->class_of[list[i]];
        if (x->split[c] == 0 && x->hits[c] == x->members[c])
            continue;
        if (x->split[c] == 0) {
            x->split[c] = (uint16_t)s->n_classes;
            x->members[s->n_classes++] = 0;
        }
        x->class_of[list[i]] = x->split[c];
        x->members[x->split[c]]++;
    }
    for (uint32_t c = 0; c < first_new; c++) {
        if (x->split[c] != 0)
            x->members[c] = (uint16_t)(x->members[c] - x->members[x->split[c]]);
        x->split[c] = x->hits[c] = 0;
    }
}

/* Does the write define the register `root` of a later write of the same instruction? */
static bool defines(const struct sl_isa *isa, const struct mca_scratch *x, const struct mca_write *write, uint16_t root)
{
    uint16_t regs[MCA_MAX_CLOSURE], own = mca_root(x, write->reg);
    unsigned n = mca_closure(isa, own, regs);

    for (unsigned i = 0; i < n; i++)
        if (regs[i] == root)
            return true;
    n = write->clears_super ? mca_closure(isa, root, regs) : 0;
    for (unsigned i = 0; i < n; i++)
        if (regs[i] == own)
            return true;
    return false;
}

/* A slower write of the same instruction to the same register wins (7.2). */
static void find_shadowed(struct sl_mca *m, const struct mca_scratch *x, const struct mca_proto *p)
{
    struct mca_write *writes = &m->state->writes[p->writes];

    for (unsigned k = 1; k < p->n_writes; k++) {
        for (unsigned v = k; v-- > 0;) {
            if (writes[v].reg == 0 || writes[v].shadowed || !defines(m->cpu->isa, x, &writes[v], mca_root(x, writes[k].reg)))
                continue;
            writes[k].shadowed = writes[v].latency > writes[k].latency;
            break;
        }
    }
}

/* Register numbers in a list become class numbers, each once. */
static void to_classes(struct mca_scratch *x, uint16_t *list)
{
    unsigned n = 0;

    for (unsigned i = 1; i <= list[0]; i++) {
        uint16_t c = x->class_of[list[i]];
        if (sl_bit_test(x->mark, c))
            continue;
        sl_bit_set(x->mark, c);
        list[++n] = c;
    }
    list[0] = (uint16_t)n;
    for (unsigned i = 1; i <= n; i++)
        sl_bit_clear(x->mark, list[i]);
}

uint32_t mca_class_list(struct sl_mca *m, struct mca_scratch *x, uint16_t reg)
{
    uint16_t regs[MCA_MAX_CLOSURE], *list = &m->state->class_lists[x->list_used];
    unsigned n;

    if (x->read_list[reg] != 0)
        return x->read_list[reg] - 1u;
    if (x->dense[reg] == 0)
        return 0; /* constant: the empty list */
    x->read_list[reg] = x->list_used + 1u;
    list[0] = 0;
    n = mca_closure(m->cpu->isa, reg, regs);
    for (unsigned i = 0; i < n; i++) {
        uint16_t c = x->class_of[x->dense[regs[i]] - 1u];
        if (x->hits[c] != 0 && !sl_bit_test(x->mark, c)) { /* defined by some write, and not in the list yet */
            sl_bit_set(x->mark, c);
            list[++list[0]] = c;
        }
    }
    for (unsigned i = 1; i <= list[0]; i++)
        sl_bit_clear(x->mark, list[i]);
    x->list_used += list[0] + 1u;
    return x->read_list[reg] - 1u;
}

static void split_classes(struct sl_mca *m, struct mca_scratch *x)
{
    struct sl_mca_state *s = m->state;

    s->n_classes = 1;
    x->members[0] = (uint16_t)x->n_dense;
    for (uint32_t w = 0; w < s->n_writes; w++) {
        struct mca_write *write = &s->writes[w];
        uint16_t root = mca_root(x, write->reg);
        bool known;
        uint16_t *list;
        if (write->reg == 0)
            continue;
        known = x->write_list[write->clears_super][root] != 0;
        list = cover_of(m, x, root, write->clears_super);
        write->classes = x->write_list[write->clears_super][root] - 1u;
        if (!known)
            split_by(s, x, list);
    }
}

void mca_lower_classes(struct sl_mca *m, struct mca_scratch *x)
{
    struct sl_mca_state *s = m->state;

    s->class_lists[0] = 0; /* the list of a write of no register */
    x->list_used = 1;
    find_dense(m, x);
    link_up(m->cpu->isa, x);
    split_classes(m, x);
    for (uint32_t at = 1; at < x->list_used; ) {
        uint16_t *list = &s->class_lists[at];
        at += list[0] + 1u;
        to_classes(x, list);
        for (unsigned i = 1; i <= list[0]; i++)
            x->hits[list[i]] = 1;
    }
    for (uint32_t r = 0; r < s->n_reads; r++)
        s->reads[r].classes = mca_class_list(m, x, s->reads[r].reg);
    for (uint32_t w = 0; w < s->n_writes; w++)
        if (s->writes[w].partial)
            s->writes[w].root_class = x->class_of[x->dense[mca_root(x, s->writes[w].reg)] - 1u];
    for (uint32_t i = 0; i < m->n_insns; i++)
        find_shadowed(m, x, &s->protos[i]);
}
