/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated regions as one HTML file: what was found out goes into it as JSON, the script draws it. */
#include "mca_html.h"

#include "mca_internal.h"
#include "mca_waits.h"

#define SHARE 10000u /* hundredths of a percent */

struct mca_report_options mca_html_views(const struct mca_report_options *asked)
{
    return (struct mca_report_options){ .summary = true, .resource_pressure = true, .timeline = true, .waits = true,
                                        .slots = true, .timeline_max_iterations = asked->timeline_max_iterations,
                                        .timeline_max_cycles = asked->timeline_max_cycles };
}

/* A JSON string inside of a script element: no '<', which could end the element, and no control characters. */
static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p < 0x20 || *p == 0x7f || *p == '<' || *p == '>' || *p == '&' || *p == '"' || *p == '\\')
            fprintf(out, "\\u%04x", *p);
        else
            putc(*p, out);
    }
    putc('"', out);
}

static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<' || *text == '&')
            fputs(*text == '<' ? "&lt;" : "&amp;", out);
        else
            putc(*text, out);
    }
}

static void put_lines(FILE *out, const char *const *lines)
{
    for (; *lines; lines++)
        fputs(*lines, out);
}

void mca_html_begin(struct mca_html *html, FILE *out, const char *title, const char *cpu)
{
    *html = (struct mca_html){ .out = out };
    put_lines(out, mca_html_head);
    fputs("<title>", out);
    put_text(out, title);
    fputs(" on ", out);
    put_text(out, cpu);
    fputs("</title>\n<body>\n<h1></h1>\n<script type=\"application/json\" id=\"data\">\n[", out);
}

static void put_summary(FILE *out, const struct mca_report *report)
{
    struct mca_summary s;

    mca_summary(report, &s);
    fprintf(out, "\"summary\":{\"Iterations\":%u,\"Instructions\":%u,\"Total Cycles\":%u,\"Total uOps\":%u,"
            "\"Dispatch Width\":%u,\"uOps Per Cycle\":\"%.2f\",\"IPC\":\"%.2f\",\"Block RThroughput\":\"%.1f\"},\n",
            s.iterations, s.instructions, s.cycles, s.uops, s.dispatch_width, s.uops_per_cycle, s.ipc,
            s.block_throughput);
}

/* Rows of the timeline: dispatched, ready, issued, executed, retired; null: not within the cycles shown. */
static void put_timeline(FILE *out, const struct sl_obs_timeline *o)
{
    fprintf(out, "\"last\":%u,\n\"rows\":[", o->last_cycle);
    for (uint32_t i = 0; i < o->n_entries; i++) {
        const struct sl_timeline_entry *e = &o->entries[i];

        if (e->retired == 0 && e->executed != 0)
            break;
        fprintf(out, "%s[%d,%u,%u,%u,%u]", i ? "," : "", e->dispatched, e->ready, e->issued, e->executed, e->retired);
    }
    fputs("],\n", out);
}

/* The sentence of a wait of a dynamic instruction. */
static const char *reason(const struct mca_report *report, const struct mca_report_input *input,
                          const struct sl_wait_segment *s, char text[WAITS_TEXT_ROOM])
{
    uint32_t n = report->m->n_insns;
    bool known = s->culprit != SL_MCA_NOBODY;
    struct sl_wait_charge charge = { .amount = s->cycles, .position = s->iid % n,
                                     .culprit = known ? s->culprit % n : SL_MCA_NOBODY, .what = s->what,
                                     .distance = known && s->iid >= s->culprit ? s->iid / n - s->culprit / n : 0,
                                     .cause = s->cause, .stage = s->stage };

    return mca_waits_reason(report, input, &charge, text);
}

/* Row, first cycle, cycles, cause, stage, row of the culprit or -1, sentence. */
static void put_waits(FILE *out, struct mca_report *report, const struct mca_report_input *input)
{
    const struct sl_obs_waits *o = &report->waits;
    char text[WAITS_TEXT_ROOM];

    mca_waits_sort_segments(&report->waits);
    fputs("\"waits\":[", out);
    for (uint32_t i = 0; i < o->n_segments; i++) {
        const struct sl_wait_segment *s = &o->segments[i];

        fprintf(out, "%s[%u,%u,%u,", i ? ",\n" : "\n", s->iid, s->from_cycle, s->cycles);
        put_string(out, sl_wait_name((enum sl_wait)s->cause));
        fprintf(out, ",%u,%lld,", s->stage, s->culprit != SL_MCA_NOBODY ? (long long)s->culprit : -1LL);
        put_string(out, reason(report, input, s, text));
        putc(']', out);
    }
    fputs("],\n", out);
}

/* Names of units that are used, and cycles of one iteration of each instruction, the last row being the sum. */
static void put_pressure(FILE *out, const struct mca_report *report)
{
    const struct sl_obs_pressure *o = &report->pressure;
    const struct sl_cpu *cpu = report->m->cpu;
    bool first = true;

    fputs("\"units\":[", out);
    for (uint32_t i = 1; i < cpu->n_resources; i++) {
        unsigned n = cpu->resources[i].is_group ? 0 : cpu->resources[i].n_units;

        for (unsigned unit = 0; unit < n; unit++) {
            uint32_t column = (uint32_t)o->first_column[i] + unit;
            char name[80];

            if (o->cycles[(size_t)(o->n_rows - 1) * o->n_columns + column] == 0)
                continue;
            snprintf(name, sizeof name, n > 1 ? "%.60s.%u" : "%.60s", mca_resource_name(cpu, i), unit);
            fputs(first ? "[" : ",[", out);
            put_string(out, name);
            for (uint32_t row = 0; row < o->n_rows; row++)
                fprintf(out, ",%.2f", mca_pressure_cell(report, (size_t)row * o->n_columns + column));
            putc(']', out);
            first = false;
        }
    }
    fputs("],\n", out);
}

/* Level, label, share in hundredths of a percent (null: not modelled), slots, on the way to the bottleneck. */
static void put_slots(FILE *out, const struct mca_report *report)
{
    const struct sl_slot_tree *tree = &report->tree;
    uint64_t shares[SL_SLOT_ROOM];

    sl_slot_tree_round(tree, SHARE, shares);
    fputs("\"slots\":[", out);
    for (unsigned i = 0; i < tree->n_values; i++) {
        const struct sl_slot_value *v = &tree->values[i];
        bool path = false;

        for (unsigned p = 0; p < tree->n_path; p++)
            path |= tree->path[p] == i;
        fprintf(out, "%s[%u,", i ? "," : "", sl_slot_node_level((enum sl_slot_node)v->node));
        put_string(out, sl_slot_node_label((enum sl_slot_node)v->node));
        if (v->quality & SL_SLOT_NOT_MODELLED)
            fputs(",null,0,false]", out);
        else
            fprintf(out, ",%llu,%llu,%s]", (unsigned long long)shares[i], (unsigned long long)v->slots,
                    path ? "true" : "false");
    }
    fputs("]}", out);
}

enum sl_status mca_html_region(struct mca_html *html, struct mca_report *report, const struct mca_report_input *input,
                               const char *note)
{
    FILE *out = html->out;
    enum sl_status err = mca_report_finish(report);

    if (err)
        return err;
    fputs(html->n_regions++ ? ",\n{\"name\":" : "\n{\"name\":", out);
    put_string(out, input->region_name ? input->region_name : "");
    fputs(",\"note\":", out);
    put_string(out, note ? note : "");
    fputs(",\"insns\":[", out);
    for (uint32_t i = 0; i < report->m->n_insns; i++) {
        if (i)
            putc(',', out);
        put_string(out, input->texts[i]);
    }
    fputs("],\n", out);
    put_summary(out, report);
    put_timeline(out, &report->timeline);
    put_waits(out, report, input);
    put_pressure(out, report);
    put_slots(out, report);
    return SL_OK;
}

void mca_html_end(struct mca_html *html)
{
    fputs("]\n</script>\n<script>\n", html->out);
    put_lines(html->out, mca_html_script);
    fputs("</script>\n</body>\n</html>\n", html->out);
}
