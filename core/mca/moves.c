/* SPDX-License-Identifier: Apache-2.0 */
/* Move elimination at rename, and the registers known to be zero (7.2, 7.6). Only blocks with a candidate keep this. */
#include "internal.h"

uint32_t mca_read_classes(const struct sl_mca_state *s, const struct mca_read *read)
{
    if (s->alias[read->reg] == 0)
        return read->classes;
    return s->reg_classes[s->alias[read->reg]];
}

static uint16_t renamed(const struct sl_mca_state *s, uint16_t reg)
{
    return s->rename[reg] != 0 ? s->rename[reg] : reg;
}

static bool may_eliminate(const struct sl_mca_state *s, const struct mca_proto *p, unsigned file)
{
    for (unsigned i = 0; i < p->n_writes; i++) {
        const struct mca_read *r = &s->reads[p->reads + i];
        const struct mca_write *w = &s->writes[p->writes + p->n_writes - 1u - i];
        uint16_t root = s->rename[w->reg];

        if (s->reg_file[r->reg] != file || s->reg_file[w->reg] != file)
            return false;
        if (root == 0 || !sl_bit_test(s->allow_move, root))
            return false;
        if (root != w->reg && !w->clears_super)
            return false;
        if (s->files[file].zero_only && !sl_bit_test(s->zero, r->reg))
            return false;
    }
    return true;
}

/* A register list in move_lists: count, registers. */
static const uint16_t *next_list(const uint16_t *list)
{
    return list + 1 + list[0];
}

bool mca_eliminate_move(struct sl_mca *m, uint32_t slot, struct sl_mca_move *stats)
{
    struct sl_mca_state *s = m->state;
    const struct mca_proto *p = mca_proto_of(s, &s->slots[slot]);
    struct mca_file *file;
    unsigned f;

    *stats = (struct sl_mca_move){ 0 };
    if (p->n_writes != p->n_reads || p->n_writes == 0)
        return false;
    f = s->reg_file[s->writes[p->writes].reg];
    stats->candidates = (uint8_t)p->n_writes;
    stats->file = (uint8_t)f;
    file = &s->files[f];
    if (p->n_writes > 2 || (file->max_moves != 0 && file->moves_this_cycle + p->n_writes > file->max_moves))
        return false;
    if (!may_eliminate(s, p, f))
        return false;
    for (unsigned i = 0; i < p->n_writes; i++) {
        uint16_t read = s->reads[p->reads + i].reg;
        uint16_t from = renamed(s, read);
        const uint16_t *sub = &s->move_lists[s->writes[p->writes + p->n_writes - 1u - i].moves];

        if (s->alias[from] != 0)
            from = s->alias[from];
        for (unsigned k = 1; k <= sub[0]; k++) /* the destination and its sub-registers */
            s->alias[sub[k]] = from;
        stats->eliminated++;
        stats->zero = (uint8_t)(stats->zero + sl_bit_test(s->zero, read));
        s->slots[slot].moved_zero[i] = sl_bit_test(s->zero, read);
        file->moves_this_cycle++;
    }
    return true;
}

/* zero[] and alias[] after the writes of a dispatched instruction. */
void mca_moves_written(struct sl_mca *m, const struct mca_slot *slot)
{
    struct sl_mca_state *s = m->state;
    const struct mca_proto *p = mca_proto_of(s, slot);

    for (unsigned w = 0; w < p->n_writes; w++) {
        const struct mca_write *write = &s->writes[p->writes + w];
        const uint16_t *list = next_list(&s->move_lists[write->moves]);
        bool zero = slot->eliminated ? slot->moved_zero[p->n_writes - 1u - w] : write->zero;

        for (unsigned k = 1; k <= list[0]; k++) {
            if (zero)
                sl_bit_set(s->zero, list[k]);
            else
                sl_bit_clear(s->zero, list[k]);
        }
        list = next_list(list);
        if (!slot->eliminated && !write->shadowed)
            for (unsigned k = 1; k <= list[0]; k++)
                s->alias[list[k]] = 0;
    }
}
