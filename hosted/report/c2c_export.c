/* SPDX-License-Identifier: Apache-2.0 */
/* Losses, verdicts and CSV. */
#include "c2c_export.h"

#include <string.h>

#include "c2c_member.h"
#include "c2c_verdict.h"

static const char *const counter_names[SL_C2C_COUNTERS] = {
    [SL_C2C_STORE] = "stores",
    [SL_C2C_STORE_L1_HIT] = "store_l1_hit",
    [SL_C2C_STORE_L1_MISS] = "store_l1_miss",
    [SL_C2C_STORE_NA] = "store_no_level",
    [SL_C2C_LOAD] = "loads",
    [SL_C2C_LOCAL_HITM] = "local_hitm",
    [SL_C2C_REMOTE_HITM] = "remote_hitm",
    [SL_C2C_LOCAL_PEER] = "local_peer",
    [SL_C2C_REMOTE_PEER] = "remote_peer",
    [SL_C2C_SAMPLES] = "samples",
    [SL_C2C_LOCKED] = "locked",
    [SL_C2C_STORE_UNCACHED] = "store_uncached",
    [SL_C2C_STORE_NO_ADDRESS] = "store_no_address",
    [SL_C2C_LOAD_EXCLUSIVE] = "load_exclusive",
    [SL_C2C_LOAD_SHARED] = "load_shared",
    [SL_C2C_LOAD_UNCACHED] = "load_uncached",
    [SL_C2C_LOAD_IO] = "load_io",
    [SL_C2C_LOAD_MISS] = "load_miss",
    [SL_C2C_LOAD_NO_ADDRESS] = "load_no_address",
    [SL_C2C_LOAD_FILL_BUFFER] = "load_fill_buffer",
    [SL_C2C_LOAD_L1] = "load_l1",
    [SL_C2C_LOAD_L2] = "load_l2",
    [SL_C2C_LOAD_LLC] = "load_llc",
    [SL_C2C_REMOTE_HIT] = "remote_hit",
    [SL_C2C_LOCAL_DRAM] = "local_dram",
    [SL_C2C_REMOTE_DRAM] = "remote_dram",
    [SL_C2C_BLOCKED_DATA] = "blocked_data",
    [SL_C2C_BLOCKED_ADDRESS] = "blocked_address",
    [SL_C2C_NO_MAP] = "no_map",
    [SL_C2C_NOT_PARSED] = "not_parsed",
};

const char *c2c_counter_name(enum sl_c2c_counter counter)
{
    return counter_names[counter];
}

bool c2c_has_loss(const struct c2c_report *r)
{
    const struct c2c_loss *l = &r->loss;
    const struct sl_c2c_losses *t = &r->table->losses;
    return l->lost_events || l->lost_samples || l->aux_truncated || l->aux_partial || l->aux_collisions ||
           l->aux_errors || l->unknown_records || l->unknown_ids || l->bad_bytes || t->lines_evicted ||
           t->samples_unplaced;
}

void c2c_loss_text(const struct c2c_report *r, const char *before, FILE *out)
{
    const struct c2c_loss *l = &r->loss;
    const struct sl_c2c_losses *t = &r->table->losses;
    fprintf(
        out,
        "%s%u samples; lost: %llu events, %llu samples; AUX: %llu truncated, %llu with gaps, %llu collided of %llu; "
        "unparsed: %u sources, %llu records, %llu bytes; dropped: %u lines (%llu samples, each line < %u contended), "
        "%llu samples without an entry\n",
        before, r->totals.n[SL_C2C_SAMPLES], (unsigned long long)l->lost_events, (unsigned long long)l->lost_samples,
        (unsigned long long)l->aux_truncated, (unsigned long long)l->aux_partial, (unsigned long long)l->aux_collisions,
        (unsigned long long)l->aux_records, r->totals.n[SL_C2C_NOT_PARSED],
        (unsigned long long)(l->unknown_records + l->unknown_ids), (unsigned long long)l->bad_bytes, t->lines_evicted,
        (unsigned long long)t->samples_evicted, t->missed_max + 1, (unsigned long long)t->samples_unplaced);
}

/* ---- verdicts
 * ----------------------------------------------------------------------------------------------------------- */

static void agents_text(const struct c2c_agents *agents, const char *what, const char *kind, FILE *out)
{
    if (!agents->any)
        return;
    if (agents->several)
        fprintf(out, ", %s by several %ss", what, kind);
    else
        fprintf(out, ", %s by %s %u", what, kind, agents->first);
}

static void place_text(const struct c2c_place *p, bool by_cpu, FILE *out)
{
    const struct c2c_site *site = &p->row->site;
    struct text name = {NULL, 0, 0}, details = {NULL, 0, 0};
    fprintf(out, "    byte %4u  %6u contended %6u loads %6u stores", p->offset, p->contended, p->loads, p->stores);
    agents_text(&p->readers, "read", by_cpu ? "CPU" : "thread", out);
    agents_text(&p->writers, "written", by_cpu ? "CPU" : "thread", out);
    if (c2c_member_name(site, &name))
        fprintf(out, "; %s", name.data);
    if (c2c_member_details(site, &details))
        fprintf(out, " (%s)", details.data);
    text_free(&name);
    text_free(&details);
    if (site->symbol)
        fprintf(out, "; %s", site->symbol);
    if (site->source)
        fprintf(out, " (%s)", site->source);
    fputc('\n', out);
}

void c2c_verdict_text(const struct c2c_report *r, FILE *out)
{
    c2c_loss_text(r, "", out);
    for (uint32_t i = 0; i < r->n_lines; i++) {
        const struct c2c_line *line = &r->lines[i];
        struct pool pool = {NULL, 0};
        struct c2c_verdict v;
        const char *advice;
        c2c_judge(line, &pool, &v);
        advice = c2c_advice(&v, r->line_bytes, &pool);
        fprintf(out, "\nLine %u at 0x%llx: %u of %u samples contended; sharing: %s", line->index,
                (unsigned long long)line->address, sl_c2c_contended(line->line), line->line->stats.n[SL_C2C_SAMPLES],
                c2c_sharing_name(v.sharing));
        if (v.sharing == C2C_SHARING_BOTH)
            fprintf(out, " (%u contended where agents meet, %u where they do not)", v.true_contended,
                    v.false_contended);
        fputc('\n', out);
        for (uint32_t k = 0; k < v.n_places; k++)
            place_text(&v.places[k], v.by_cpu, out);
        if (advice)
            fprintf(out, "    advice: %s\n", advice);
        pool_free(&pool);
    }
}

/* ---- CSV
 * ------------------------------------------------------------------------------------------------------------------ */

static void quoted(const char *text, FILE *out)
{
    fputc('"', out);
    for (; text && *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void csv_row(const struct c2c_line *line, const struct c2c_row *row, FILE *out)
{
    const struct sl_c2c_entry *e = row->entry;
    const struct c2c_site *site = &row->site;

    fprintf(out, "%u,0x%llx,%u,0x%llx,%d,%d,", line->index, (unsigned long long)line->address, e->shown_offset,
            (unsigned long long)e->ip, site->pid, site->tid);
    for (unsigned i = 0; i < SL_C2C_ENTRY_COUNTERS; i++)
        fprintf(out, "%u,", e->n[i]);
    fprintf(out, "%u,%u,", e->samples, e->records);
    quoted(site->comm, out);
    fputc(',', out);
    quoted(site->symbol, out);
    fputc(',', out);
    quoted(site->image, out);
    fputc(',', out);
    quoted(site->source, out);
    fputc(',', out);
    quoted(site->data_symbol, out);
    fprintf(out, ",%llu,", (unsigned long long)site->data_symbol_offset);
    quoted(row->nodes, out);
    fputc(',', out);
    quoted(site->member ? site->member->path : NULL, out);
    fputc(',', out);
    quoted(site->member ? site->member->type : NULL, out);
    fputc('\n', out);
}

void c2c_csv(const struct c2c_report *r, FILE *out)
{
    c2c_loss_text(r, "# ", out);
    fputs("line,address,offset,ip,pid,tid,", out);
    for (unsigned i = 0; i < SL_C2C_ENTRY_COUNTERS; i++)
        fprintf(out, "%s,", counter_names[i]);
    fputs("samples,records,comm,symbol,image,source,variable,variable_offset,nodes,member,member_type\n", out);
    for (uint32_t i = 0; i < r->n_lines; i++) {
        for (uint32_t k = 0; k < r->lines[i].n_rows && !r->lines[i].hidden; k++) {
            if (!r->lines[i].rows[k].hidden)
                csv_row(&r->lines[i], &r->lines[i].rows[k], out);
        }
    }
}
