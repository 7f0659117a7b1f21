/* SPDX-License-Identifier: Apache-2.0 */
/* One region's report: gives its observers memory, settles them, and prints the views in their order. */
#include "mca_report.h"

#include <stdlib.h>

#include "mca_internal.h"
#include "mca_waits.h"

/* Distinct dependencies kept for each block instruction. Untouched memory costs nothing. */
#define EDGES_BASE 65536u
#define EDGES_PER_INSN 64u

/* The views that the mode allows: instruction tables simulate nothing. */
static struct mca_report_options heeded(const struct sl_mca *m, const struct mca_report_options *options)
{
    struct mca_report_options o = *options;

    if (m->config.instruction_tables) {
        o = (struct mca_report_options){ 0 };
        o.instruction_info = options->instruction_info;
        o.show_encoding = options->show_encoding;
        o.show_barriers = options->show_barriers;
        o.resource_pressure = true;
    }
    return o;
}

static uint32_t edge_room(const struct sl_mca *m)
{
    uint64_t room = EDGES_BASE + (uint64_t)m->n_insns * EDGES_PER_INSN;

    return room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
}

/* Distinct reasons kept; a power of two. */
static uint32_t charge_room(const struct sl_mca *m)
{
    uint32_t room = (uint32_t)1 << 14;

    while (room < (uint64_t)m->n_insns * 512u && room < (uint32_t)1 << 24)
        room *= 2u;
    return room;
}

/* Single waits are shown beside a timeline only. */
static uint32_t wait_iterations(const struct mca_report_options *o)
{
    if (!o->waits || !o->timeline)
        return 0;
    return o->timeline_max_iterations != 0 ? o->timeline_max_iterations : 10u;
}

static uint32_t segment_room(const struct sl_mca *m, const struct mca_report_options *o)
{
    uint64_t room = 64u * (uint64_t)m->n_insns * sl_min_u32(wait_iterations(o), m->config.iterations);

    return room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
}

struct needs {
    size_t summary, pressure, timeline, dispatch, scheduler, retire, regfile, bottleneck, waits;
};

/* Sum of all needs; SIZE_MAX when it does not fit. */
static size_t all_needs(const struct sl_mca *m, const struct mca_report_options *o, struct needs *n)
{
    size_t each[9], sum = 0;

    each[0] = n->summary = o->summary ? sl_obs_summary_need(m) : 0;
    each[1] = n->pressure = o->resource_pressure ? sl_obs_pressure_need(m) : 0;
    each[2] = n->timeline = o->timeline ? sl_obs_timeline_need(m, o->timeline_max_iterations) : 0;
    each[3] = n->dispatch = o->dispatch_stats ? sl_obs_dispatch_need(m) : 0;
    each[4] = n->scheduler = o->scheduler_stats ? sl_obs_scheduler_need(m) : 0;
    each[5] = n->retire = o->retire_stats ? sl_obs_retire_need(m) : 0;
    each[6] = n->regfile = o->register_file_stats ? sl_obs_regfile_need(m) : 0;
    each[7] = n->bottleneck = o->bottleneck ? sl_obs_bottleneck_need(m, edge_room(m)) : 0;
    each[8] = n->waits = mca_has_waits(o) ? sl_obs_waits_need(m, charge_room(m), wait_iterations(o), segment_room(m, o)) : 0;
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        if (each[i] > SIZE_MAX - sum)
            return SIZE_MAX;
        sum += each[i];
    }
    return sum;
}

static enum sl_status attach_all(struct mca_report *r, struct sl_mca *m, const struct needs *n)
{
    const struct mca_report_options *o = &r->options;
    unsigned char *at = r->memory;
    enum sl_status err = SL_OK;

    if (!err && o->summary)
        err = sl_obs_summary_init(&r->summary, m, at, n->summary);
    at += n->summary;
    if (!err && o->resource_pressure)
        err = sl_obs_pressure_init(&r->pressure, m, at, n->pressure);
    at += n->pressure;
    if (!err && o->timeline)
        err = sl_obs_timeline_init(&r->timeline, m, o->timeline_max_iterations, o->timeline_max_cycles, at,
                                   n->timeline);
    at += n->timeline;
    if (!err && o->dispatch_stats)
        err = sl_obs_dispatch_init(&r->dispatch, m, at, n->dispatch);
    at += n->dispatch;
    if (!err && o->scheduler_stats)
        err = sl_obs_scheduler_init(&r->scheduler, m, at, n->scheduler);
    at += n->scheduler;
    if (!err && o->retire_stats)
        err = sl_obs_retire_init(&r->retire, m, at, n->retire);
    at += n->retire;
    if (!err && o->register_file_stats)
        err = sl_obs_regfile_init(&r->regfile, m, at, n->regfile);
    at += n->regfile;
    if (!err && o->bottleneck)
        err = sl_obs_bottleneck_init(&r->bottleneck, m, edge_room(m), at, n->bottleneck);
    at += n->bottleneck;
    if (!err && mca_has_waits(o))
        err = sl_obs_waits_init(&r->waits, m, charge_room(m), wait_iterations(o), segment_room(m, o), at, n->waits);
    return err;
}

enum sl_status mca_report_attach(struct mca_report **report, struct sl_mca *m, const struct mca_report_options *options)
{
    struct mca_report *r = calloc(1, sizeof *r);
    struct needs needs;
    size_t bytes;

    *report = NULL;
    if (r == NULL)
        return SL_E_ROOM;
    r->m = m;
    r->options = heeded(m, options);
    bytes = all_needs(m, &r->options, &needs);
    r->memory = bytes < SIZE_MAX ? malloc(bytes + 1) : NULL;
    /* The needs are upper bounds, so that with the memory at hand no attachment fails. */
    if (r->memory == NULL || attach_all(r, m, &needs) != SL_OK) {
        mca_report_free(r);
        return SL_E_ROOM;
    }
    *report = r;
    return SL_OK;
}

uint32_t mca_report_quirks(const struct mca_report *report)
{
    return report->options.bottleneck && report->finished ? report->bottleneck.quirks : 0;
}

void mca_report_free(struct mca_report *report)
{
    if (report != NULL)
        free(report->memory);
    free(report);
}

enum sl_status mca_report_finish(struct mca_report *r)
{
    const struct mca_report_options *o = &r->options;

    if (r->finished)
        return SL_OK;
    if (o->bottleneck && sl_obs_bottleneck_finish(&r->bottleneck) != SL_OK)
        return SL_E_ROOM;
    if (mca_has_waits(o) && (r->waits.charges_lost || r->waits.segments_lost))
        return SL_E_ROOM;
    if (o->slots && sl_obs_waits_tree(&r->waits, &r->tree, r->unit_slots) != SL_OK)
        return SL_E_ROOM;
    if (o->summary)
        sl_obs_summary_finish(&r->summary);
    if (o->dispatch_stats)
        sl_obs_dispatch_finish(&r->dispatch);
    if (o->scheduler_stats)
        sl_obs_scheduler_finish(&r->scheduler);
    if (o->retire_stats)
        sl_obs_retire_finish(&r->retire);
    if (o->register_file_stats)
        sl_obs_regfile_finish(&r->regfile);
    if ((o->dispatch_stats && r->dispatch.dispatched.lost) || (o->scheduler_stats && r->scheduler.issued.lost) ||
        (o->retire_stats && r->retire.retired.lost))
        return SL_E_ROOM;
    r->finished = true;
    return SL_OK;
}

void mca_report_region_header(FILE *out, unsigned index, const char *name)
{
    bool named = name != NULL && name[0] != '\0';

    fprintf(out, "\n[%u] Code Region%s%s\n\n", index, named ? " - " : "", named ? name : "");
}

enum sl_status mca_report_print(struct mca_report *report, const struct mca_report_input *input, FILE *file)
{
    const struct mca_report_options *o = &report->options;
    enum sl_status err = mca_report_finish(report);
    struct text_out out;

    if (err)
        return err;
    if (input->notes != NULL)
        fprintf(file, "%s\n\n", input->notes);
    text_open(&out, file);
    if (o->summary)
        mca_text_summary(&out, report);
    if (o->bottleneck)
        mca_text_bottleneck(&out, report, input);
    if (o->instruction_info)
        mca_text_instruction_info(&out, report, input);
    if (o->dispatch_stats)
        mca_text_dispatch(&out, report);
    if (o->scheduler_stats)
        mca_text_scheduler(&out, report);
    if (o->retire_stats)
        mca_text_retire(&out, report);
    if (o->register_file_stats)
        mca_text_regfile(&out, report);
    if (o->resource_pressure)
        mca_text_pressure(&out, report, input);
    if (o->timeline)
        mca_text_timeline(&out, report, input);
    if (o->waits && o->timeline)
        mca_text_waits_timeline(&out, report, input);
    if (o->waits)
        mca_text_waits(&out, report, input);
    if (o->waits || o->findings)
        mca_text_findings(&out, report, input);
    if (o->slots)
        mca_text_slots(&out, report, input);
    text_flush(&out);
    return SL_OK;
}
