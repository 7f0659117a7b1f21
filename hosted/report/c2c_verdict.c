/* SPDX-License-Identifier: Apache-2.0 */
/* True or false sharing of a line. */
#include "c2c_verdict.h"

#include <string.h>

#include "c2c_member.h"

static bool names_one_thread(const struct c2c_line *line)
{
    for (uint32_t i = 0; i < line->n_rows; i++) {
        if ((line->rows[i].entry->flags & SL_C2C_MANY_THREADS) ||
            line->rows[i].site.thread != line->rows[0].site.thread)
            return false;
    }
    return true;
}

static void add_agent(struct c2c_agents *agents, uint32_t agent, bool several)
{
    if (several || (agents->any && agents->first != agent))
        agents->several = true;
    if (!agents->any)
        agents->first = agent;
    agents->any = true;
}

static void add_agents(struct c2c_agents *agents, const struct c2c_row *row, bool by_cpu, uint32_t cpu_words)
{
    const uint32_t *cpus = sl_c2c_entry_cpus(row->entry);
    if (!by_cpu) {
        add_agent(agents, (uint32_t)row->site.tid, row->entry->flags & SL_C2C_MANY_THREADS);
        return;
    }
    for (uint32_t cpu = 0; cpu < cpu_words * 32; cpu++) {
        if (sl_bit_test(cpus, cpu))
            add_agent(agents, cpu, false);
    }
}

static uint32_t contended(const struct sl_c2c_entry *e)
{
    return e->n[SL_C2C_LOCAL_HITM] + e->n[SL_C2C_REMOTE_HITM] + e->n[SL_C2C_LOCAL_PEER] + e->n[SL_C2C_REMOTE_PEER];
}

/* Rows come by offset. */
static void make_places(const struct c2c_line *line, struct c2c_verdict *v, uint32_t cpu_words)
{
    for (uint32_t i = 0; i < line->n_rows; i++) {
        const struct c2c_row *row = &line->rows[i];
        const struct sl_c2c_entry *e = row->entry;
        struct c2c_place *p;
        if (!v->n_places || v->places[v->n_places - 1].offset != e->offset)
            v->places[v->n_places++] = (struct c2c_place){.offset = e->offset, .row = row};
        p = &v->places[v->n_places - 1];
        p->loads += e->n[SL_C2C_LOAD];
        p->stores += e->n[SL_C2C_STORE];
        p->contended += contended(e);
        if (e->n[SL_C2C_LOAD])
            add_agents(&p->readers, row, v->by_cpu, cpu_words);
        if (e->n[SL_C2C_STORE])
            add_agents(&p->writers, row, v->by_cpu, cpu_words);
        if (e->samples > p->row->entry->samples)
            p->row = row;
    }
}

static bool differ(const struct c2c_agents *a, const struct c2c_agents *b)
{
    return a->any && b->any && (a->several || b->several || a->first != b->first);
}

static bool conflict_within(const struct c2c_place *p)
{
    return p->writers.several || differ(&p->writers, &p->readers);
}

static bool conflict_between(const struct c2c_place *p, const struct c2c_place *q)
{
    return differ(&p->writers, &q->readers) || differ(&p->writers, &q->writers) || differ(&p->readers, &q->writers);
}

void c2c_judge(const struct c2c_line *line, struct pool *pool, struct c2c_verdict *v)
{
    bool is_true = false, is_false = false;

    memset(v, 0, sizeof *v);
    v->places = (struct c2c_place *)pool_take(pool, (line->n_rows + 1) * sizeof *v->places);
    v->by_cpu = names_one_thread(line);
    make_places(line, v, line->cpu_words);
    for (uint32_t i = 0; i < v->n_places; i++) {
        struct c2c_place *p = &v->places[i];
        bool between = false;
        p->is_true = conflict_within(p);
        for (uint32_t k = 0; k < v->n_places && !between; k++)
            between = k != i && conflict_between(p, &v->places[k]);
        is_true |= p->is_true;
        is_false |= between;
        v->true_contended += p->is_true ? p->contended : 0;
        v->false_contended += !p->is_true && between ? p->contended : 0;
    }
    v->sharing =
        is_true ? (is_false ? C2C_SHARING_BOTH : C2C_SHARING_TRUE) : (is_false ? C2C_SHARING_FALSE : C2C_SHARING_NONE);
}

const char *c2c_sharing_name(enum c2c_sharing sharing)
{
    static const char *const names[] = {"none", "true", "false", "true and false"};
    return names[sharing];
}

static void name_place(struct text *out, const struct c2c_place *p)
{
    if (!c2c_member_name(&p->row->site, out))
        text_printf(out, "offset %u", p->offset);
}

/* "`stats.writes` (offset 8, 8 bytes, count_t; 12 stores)", or what is known. */
static void describe_place(struct text *out, const struct c2c_place *p, uint32_t count, const char *what)
{
    const char *quote = p->row->site.member ? "`" : "";
    text_printf(out, "%s", quote);
    name_place(out, p);
    text_printf(out, "%s (", quote);
    if (c2c_member_details(&p->row->site, out))
        text_printf(out, "; ");
    text_printf(out, "%u %s)", count, what);
}

/* Two places that share a line: how to part them. */
static void part_places(struct text *out, const struct c2c_place *written, const struct c2c_place *read,
                        uint32_t line_bytes)
{
    const struct c2c_site *a = &written->row->site, *b = &read->row->site;
    /* Aligned to a line, the later one leaves the line of the earlier one; the other way round it would take it along.
     */
    const struct c2c_site *later = written->offset > read->offset ? a : b, *earlier = later == a ? b : a;
    size_t array = c2c_member_array(a, b);

    text_printf(out, c2c_member_same(a, b) ? "agents use different bytes of " : "move ");
    describe_place(out, written, written->stores, "stores");
    text_printf(out, c2c_member_same(a, b) ? " and " : " to another line than ");
    describe_place(out, read, read->contended, "contended");
    if (c2c_member_same(a, b))
        text_printf(out, ": split `%s`", a->member->path);
    else if (array)
        text_printf(out, ": pad or align the elements of `%.*s` to %u bytes", (int)array, a->member->path, line_bytes);
    else if (later->member && !later->member->is_padding)
        text_printf(out, ": align `%.*s` to %u bytes, or pad before it", (int)c2c_member_apart(earlier, later),
                    later->member->path, line_bytes);
    else
        text_printf(out, ": pad or align to %u bytes", line_bytes);
}

static const struct c2c_place *most_written(const struct c2c_verdict *v)
{
    const struct c2c_place *written = NULL;
    for (uint32_t i = 0; i < v->n_places; i++) {
        const struct c2c_place *p = &v->places[i];
        if (p->stores && (!written || p->stores > written->stores))
            written = p;
    }
    return written;
}

/* Of those that conflict with it, the most contended one. */
static const struct c2c_place *victim_of(const struct c2c_verdict *v, const struct c2c_place *written)
{
    const struct c2c_place *read = NULL;
    for (uint32_t i = 0; i < v->n_places; i++) {
        const struct c2c_place *p = &v->places[i];
        if (p != written && conflict_between(p, written) && (!read || p->contended > read->contended))
            read = p;
    }
    return read;
}

static void advise_sharing_less(const struct c2c_verdict *v, struct text *out)
{
    const struct c2c_place *met = NULL;
    for (uint32_t i = 0; i < v->n_places; i++) {
        const struct c2c_place *p = &v->places[i];
        if (p->is_true && (!met || p->contended > met->contended))
            met = p;
    }
    if (met && met->row->site.member)
        describe_place(out, met, met->contended, "contended");
    else
        text_printf(out, "the same data");
    text_printf(out, " is written and used by several agents: use it less often, or give each agent its own");
}

const char *c2c_advice(const struct c2c_verdict *v, uint32_t line_bytes, struct pool *pool)
{
    const struct c2c_place *written = most_written(v), *read;
    struct text out = {NULL, 0, 0};
    const char *kept;

    if (v->sharing == C2C_SHARING_NONE || !written)
        return NULL;
    read = victim_of(v, written);
    if (v->sharing != C2C_SHARING_TRUE && !read)
        return NULL;
    if (v->sharing == C2C_SHARING_TRUE)
        advise_sharing_less(v, &out);
    else
        part_places(&out, written, read, line_bytes);
    kept = pool_text(pool, out.data, out.len);
    text_free(&out);
    return kept;
}
