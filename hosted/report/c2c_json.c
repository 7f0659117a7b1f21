/* SPDX-License-Identifier: Apache-2.0 */
/* The report as JSON. */
#include <string.h>

#include "c2c_export.h"
#include "c2c_functions.h"
#include "c2c_verdict.h"
#include "json_out.h"

static void text(struct json_out *j, const char *key, const char *value)
{
    if (value)
        json_string(j, key, value, strlen(value));
}

static void counters(struct json_out *j, const char *key, const uint32_t *n, unsigned count)
{
    json_open(j, key, '{');
    for (unsigned i = 0; i < count; i++) {
        if (n[i])
            json_integer(j, c2c_counter_name((enum sl_c2c_counter)i), n[i]);
    }
    json_close(j, '}');
}

static void losses(struct json_out *j, const struct c2c_report *r)
{
    const struct sl_c2c_losses *t = &r->table->losses;
    const struct {
        const char *key;
        uint64_t value;
    } rows[] = {{"lost_events", r->loss.lost_events},
                {"lost_samples", r->loss.lost_samples},
                {"aux_records", r->loss.aux_records},
                {"aux_truncated", r->loss.aux_truncated},
                {"aux_gaps", r->loss.aux_partial},
                {"aux_collisions", r->loss.aux_collisions},
                {"aux_errors", r->loss.aux_errors},
                {"unknown_records", r->loss.unknown_records},
                {"unknown_events", r->loss.unknown_ids},
                {"bad_bytes", r->loss.bad_bytes},
                {"not_parsed", r->totals.n[SL_C2C_NOT_PARSED]},
                {"lines_dropped", t->lines_evicted},
                {"samples_dropped", t->samples_evicted},
                {"contended_missed_max", t->missed_max},
                {"samples_without_entry", t->samples_unplaced}};
    json_open(j, "loss", '{');
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        json_integer(j, rows[i].key, rows[i].value);
    json_close(j, '}');
}

static void member(struct json_out *j, const struct data_member *m)
{
    if (!m)
        return;
    json_open(j, "member", '{');
    text(j, "path", m->path);
    text(j, "type", m->type);
    json_integer(j, "offset", m->offset);
    json_integer(j, "bytes", m->bytes);
    json_integer(j, "byte", m->into);
    json_bool(j, "of_union", m->is_choice);
    json_bool(j, "padding", m->is_padding);
    json_bool(j, "bit_field", m->is_bit_field);
    json_close(j, '}');
}

static void entry(struct json_out *j, const struct c2c_report *r, const struct c2c_row *row)
{
    static const char *const latencies[] = {"remote_hitm", "local_hitm", "remote_peer", "local_peer", "load"};
    const struct c2c_site *site = &row->site;
    double means[SL_C2C_LATENCIES];

    json_open(j, NULL, '{');
    json_integer(j, "offset", row->entry->shown_offset);
    json_integer(j, "ip", row->entry->ip);
    json_integer(j, "samples", row->entry->samples);
    json_integer(j, "records", row->entry->records);
    counters(j, "counts", row->entry->n, SL_C2C_ENTRY_COUNTERS);
    c2c_entry_means(r, row->entry, means);
    json_open(j, "mean_cycles", '{');
    for (unsigned i = 0; i < SL_C2C_LATENCIES; i++) {
        if (row->entry->latency_samples[i])
            json_double(j, latencies[i], means[i]);
    }
    json_close(j, '}');
    json_integer(j, "pid", (uint32_t)site->pid);
    json_integer(j, "tid", (uint32_t)site->tid);
    json_bool(j, "several_threads", row->entry->flags & SL_C2C_MANY_THREADS);
    text(j, "comm", site->comm);
    text(j, "symbol", site->symbol);
    text(j, "image", site->image_path);
    text(j, "source", site->source);
    text(j, "variable", site->data_symbol);
    if (site->data_symbol)
        json_integer(j, "variable_offset", site->data_symbol_offset);
    member(j, site->member);
    text(j, "memory_nodes", row->nodes);
    json_bool(j, "shown", !row->hidden);
    json_close(j, '}');
}

static void agents(struct json_out *j, const char *key, const struct c2c_agents *a)
{
    if (!a->any)
        return;
    json_open(j, key, '{');
    json_integer(j, "first", a->first);
    json_bool(j, "several", a->several);
    json_close(j, '}');
}

static void verdict(struct json_out *j, const struct c2c_report *r, const struct c2c_line *line)
{
    struct pool pool = {NULL, 0};
    struct c2c_verdict v;

    c2c_judge(line, &pool, &v);
    json_open(j, "verdict", '{');
    text(j, "sharing", c2c_sharing_name(v.sharing));
    text(j, "agents_are", v.by_cpu ? "cpus" : "threads");
    json_integer(j, "true_contended", v.true_contended);
    json_integer(j, "false_contended", v.false_contended);
    text(j, "advice", c2c_advice(&v, r->line_bytes, &pool));
    json_open(j, "places", '[');
    for (uint32_t i = 0; i < v.n_places; i++) {
        const struct c2c_place *p = &v.places[i];
        json_open(j, NULL, '{');
        json_integer(j, "offset", p->offset);
        member(j, p->row->site.member);
        json_integer(j, "loads", p->loads);
        json_integer(j, "stores", p->stores);
        json_integer(j, "contended", p->contended);
        json_bool(j, "agents_meet", p->is_true);
        agents(j, "readers", &p->readers);
        agents(j, "writers", &p->writers);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
    pool_free(&pool);
}

static void line(struct json_out *j, const struct c2c_report *r, const struct c2c_line *l)
{
    json_open(j, NULL, '{');
    json_integer(j, "index", l->index);
    json_integer(j, "address", l->address);
    json_integer(j, "contended", sl_c2c_contended(l->line));
    json_integer(j, "contended_missed_max", l->line->missed_max);
    counters(j, "counts", l->line->stats.n, SL_C2C_COUNTERS);
    text(j, "memory_nodes", l->nodes);
    verdict(j, r, l);
    json_open(j, "entries", '[');
    for (uint32_t i = 0; i < l->n_rows; i++)
        entry(j, r, &l->rows[i]);
    json_close(j, ']');
    json_close(j, '}');
}

static void function(struct json_out *j, const struct c2c_site *site, uint64_t stores)
{
    text(j, "symbol", site->symbol);
    text(j, "image", site->image_path);
    json_integer(j, "stores", stores);
}

static void functions(struct json_out *j, const struct c2c_report *r)
{
    struct c2c_functions f;

    c2c_functions_make(r, &f);
    json_open(j, "functions", '[');
    for (size_t i = 0; i < f.n; i++) {
        json_open(j, NULL, '{');
        function(j, f.readers[i].site, f.readers[i].stores);
        json_integer(j, "cycles", f.readers[i].cycles);
        json_double(j, "cycles_percent", f.readers[i].percent);
        json_open(j, "writers", '[');
        for (size_t k = 0; k < f.readers[i].n_writers; k++) {
            const struct c2c_writer *w = &f.readers[i].writers[k];
            json_open(j, NULL, '{');
            function(j, w->site, w->stores);
            json_open(j, "lines", '[');
            for (size_t n = 0; n < w->n_lines; n++) {
                json_open(j, NULL, '{');
                json_integer(j, "index", w->lines[n].line->index);
                json_integer(j, "stores", w->lines[n].stores);
                json_close(j, '}');
            }
            json_close(j, ']');
            json_close(j, '}');
        }
        json_close(j, ']');
        json_close(j, '}');
    }
    json_close(j, ']');
    c2c_functions_free(&f);
}

void c2c_json(const struct c2c_report *r, FILE *out)
{
    static const char *const metrics[] = {"tot", "rmt", "lcl", "peer"};
    struct json_out j = {out, 0, true};

    json_open(&j, NULL, '{');
    json_integer(&j, "schema", C2C_JSON_SCHEMA);
    text(&j, "input", r->input);
    json_integer(&j, "line_bytes", r->line_bytes);
    text(&j, "display", metrics[r->view.metric]);
    text(&j, "coalesce", r->view.coalesce);
    json_open(&j, "events", '[');
    for (uint32_t i = 0; i < r->events.n; i++)
        text(&j, NULL, r->events.names[i]);
    json_close(&j, ']');
    losses(&j, r);
    counters(&j, "totals", r->totals.n, SL_C2C_COUNTERS);
    json_integer(&j, "shared_lines", r->n_shared);
    counters(&j, "shared", r->shared.n, SL_C2C_COUNTERS);
    json_open(&j, "lines", '[');
    for (uint32_t i = 0; i < r->n_lines && !r->view.stats_only; i++) {
        if (!r->lines[i].hidden)
            line(&j, r, &r->lines[i]);
    }
    json_close(&j, ']');
    if (r->view.with_ip && !r->view.stats_only)
        functions(&j, r);
    json_close(&j, '}');
    fputc('\n', out);
}
