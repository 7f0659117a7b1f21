/* SPDX-License-Identifier: Apache-2.0 */
/* A capture's samples, summed up for each region of each core, as entries of a Top-Down report. */
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "topdown.h"
#include "topdown_identify.h"
#include "topdown_net.h"

#define MAX_ENTRIES 16384u /* each takes about 8 KB */

/* What event of a capture's counter has in core/topdown's terms; false: none. */
static bool counter_code(const struct sl_capture_counter *counter, const struct sl_topdown_model *model, uint64_t *code)
{
    static const uint8_t sbi_fixed[] = {0xff, 0, 2}; /* hardware events 1 cycles, 2 instructions */
    switch (counter->kind) {
    case SL_EVENT_LINUX_HW: /* PERF_COUNT_HW_CPU_CYCLES 0, _INSTRUCTIONS 1 */
        if (counter->event > 1)
            return false;
        *code = counter->event ? model->instructions : model->cycles;
        if (*code >= model->n_events)
            return false;
        *code = sl_topdown_event_code(model, (unsigned)*code);
        return true;
    case SL_EVENT_SBI:
        if (counter->event == 1 || counter->event == 2)
            *code = SL_TOPDOWN_FIXED(sbi_fixed[counter->event]);
        else
            *code = SL_TOPDOWN_SBI(counter->event & 0xffffu);
        return counter->event <= 0xffffu;
    case SL_EVENT_DWT:
        *code = counter->event;
        return true;
    default:
        /* Bit 62: a class of PERF_METRICS, counted by itself. */
        *code = counter->event >> 62 == 1 ? SL_TOPDOWN_CLASS(counter->event & 7u) : counter->event & 0xffffffffffu;
        if (counter->counter & SL_COUNTER_FIXED)
            *code = SL_TOPDOWN_FIXED(counter->counter & ~SL_COUNTER_FIXED);
        return true;
    }
}

static uint32_t count_quality(uint32_t quality)
{
    static const struct {
        uint32_t from, to;
    } map[] = {{SL_QUALITY_WRAPPED, SL_SLOT_WRAPPED},
               {SL_QUALITY_FROZEN | SL_QUALITY_INTERRUPTED | SL_QUALITY_MIGRATED, SL_SLOT_INTERRUPTED},
               {SL_QUALITY_CLAMPED, SL_SLOT_CLAMPED},
               {SL_QUALITY_MULTIPLEXED, SL_SLOT_MULTIPLEXED},
               {SL_QUALITY_AMBIGUOUS, SL_SLOT_AMBIGUOUS}};
    uint32_t result = 0;
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        result |= quality & map[i].from ? map[i].to : 0;
    return result;
}

/* One region of one core while its samples are summed up. */
struct builder {
    const struct capture *capture;
    struct topdown_entry *entry;
    struct pool *pool;
    bool net;
    uint32_t stream;
    struct sl_topdown_count *counts;
    size_t n_counts, room;
    size_t n_groups;
    uint64_t first_invocations, all_invocations;
    bool equal; /* all groups ran equally often: passes */
    bool time_only, prohibited, group_lost, overflow;
};

static uint64_t add(struct builder *b, uint64_t sum, uint64_t value)
{
    b->overflow = b->overflow || sum > UINT64_MAX - value;
    return sum + value;
}

static struct sl_topdown_count *append(struct builder *b, uint64_t code, uint16_t group)
{
    struct sl_topdown_count *count;
    b->counts = array_grow(b->counts, b->n_counts, &b->room, sizeof *b->counts);
    count = &b->counts[b->n_counts++];
    memset(count, 0, sizeof *count);
    count->code = code;
    count->group = group;
    return count;
}

/* The eight classes of one sample on top of those of the samples before. */
static void add_metrics(struct builder *b, const struct sl_capture_metrics *m, struct sl_topdown_count *classes)
{
    struct sl_topdown_count now[SL_TOPDOWN_CLASSES];
    if (sl_topdown_metrics(m->metrics_start, m->slots_start, m->metrics_stop, m->slots_stop, now)) {
        b->overflow = true;
        return;
    }
    for (unsigned i = 0; i < SL_TOPDOWN_CLASSES; i++) {
        classes[i].value = add(b, classes[i].value, now[i].value);
        classes[i].quality |= now[i].quality;
    }
}

static void add_sample(struct builder *b, const struct capture_sample *s, size_t first)
{
    for (size_t j = 0; j < s->sample.n_counts; j++) {
        struct sl_topdown_count *count = &b->counts[first + j];
        uint32_t quality = s->counts[j].quality | s->sample.quality;
        count->value = add(b, count->value, s->counts[j].value);
        count->quality |= count_quality(quality);
        b->prohibited = b->prohibited || (quality & SL_QUALITY_PROHIBITED);
        if (quality & (SL_QUALITY_UNAVAILABLE | SL_QUALITY_PROHIBITED))
            count->code = UINT64_MAX; /* no event: there is no value to use */
        if (s->squares) {
            const struct sl_u128 square = {s->squares[j].low, s->squares[j].high};
            count->squares = sl_add128(count->squares, square);
        }
    }
}

/* What measuring the group that starts at counts[first] costs; with --net it comes off. */
static void calibrate(struct builder *b, const struct capture_sample *s, size_t first, uint64_t invocations)
{
    const struct topdown_own own = topdown_own_cost(b->capture, s, b->pool);
    const struct sl_topdown_model *model = b->entry->core->model;
    for (size_t i = 0; i < own.n_counts && own.invocations && !b->entry->own_invocations; i++) {
        if (sl_topdown_event_find(model, b->counts[first + i].code) == model->cycles) {
            b->entry->own_invocations = own.invocations;
            b->entry->own_cycles = own.values[i];
        }
    }
    if (b->net && own.invocations)
        topdown_subtract_own(&own, invocations, &b->counts[first]);
    b->entry->net = b->entry->net && own.invocations;
}

/* Samples of one group, all of the same size. */
static void add_group(struct builder *b, const uint32_t *order, size_t n)
{
    const struct capture *capture = b->capture;
    const struct capture_sample *s = &capture->samples[order[0]];
    const struct capture_group *group = &capture->groups[s->group];
    uint16_t number = (uint16_t)b->n_groups++;
    size_t first = b->n_counts, n_counters = s->sample.n_counts, classes;
    uint64_t invocations = 0, enabled = 0, running = 0, slots = 0;
    bool metrics = false;
    for (size_t j = 0; j < n_counters; j++) {
        uint64_t code = UINT64_MAX;
        if (!counter_code(&group->counters[j], b->entry->core->model, &code))
            code = UINT64_MAX;
        append(b, code, number);
    }
    classes = b->n_counts;
    for (size_t i = 0; i < n; i++)
        metrics = metrics || capture->samples[order[i]].metrics;
    for (unsigned c = 0; metrics && c < SL_TOPDOWN_CLASSES; c++)
        append(b, SL_TOPDOWN_CLASS(c), number);
    for (size_t i = 0; i < n; i++) {
        s = &capture->samples[order[i]];
        invocations = add(b, invocations, s->sample.invocations);
        enabled = add(b, enabled, s->sample.enabled ? s->sample.enabled : s->sample.running);
        running = add(b, running, s->sample.running);
        b->time_only = b->time_only || (s->sample.quality & SL_QUALITY_TIME_ONLY);
        add_sample(b, s, first);
        if (s->metrics) {
            add_metrics(b, s->metrics, &b->counts[classes]);
            slots = add(b, slots, s->metrics->slots_stop - s->metrics->slots_start);
        }
    }
    calibrate(b, s, first, invocations);
    if (metrics)
        append(b, SL_TOPDOWN_FIXED(3), number)->value = slots;
    for (size_t j = first; j < b->n_counts; j++) {
        b->counts[j].enabled = enabled;
        b->counts[j].running = running;
        b->counts[j].windows = invocations < UINT32_MAX ? (uint32_t)invocations : 0;
    }
    b->equal = b->equal && (b->n_groups == 1 || invocations == b->first_invocations);
    b->first_invocations = b->n_groups == 1 ? invocations : b->first_invocations;
    b->all_invocations = add(b, b->all_invocations, invocations);
}

/* Groups that ran a different number of times are time slices of the whole: each was there for its share of it. */
static void finish_groups(struct builder *b)
{
    struct topdown_entry *e = b->entry;
    uint64_t all = b->all_invocations;
    for (size_t i = 0; i < b->n_counts; i++) {
        struct sl_topdown_count *count = &b->counts[i];
        bool slices = !b->equal && count->windows && all && count->running >= count->enabled;
        if (slices) {
            count->enabled = all;
            count->running = count->windows;
        }
        count->all_windows = slices && all < UINT32_MAX ? (uint32_t)all : count->windows;
    }
    /* Counters without a value drop out. */
    e->n_counts = 0;
    for (size_t i = 0; i < b->n_counts; i++) {
        if (b->counts[i].code != UINT64_MAX)
            b->counts[e->n_counts++] = b->counts[i];
    }
    e->counts = b->counts;
    e->invocations = b->equal ? b->first_invocations : all;
    if (b->overflow)
        e->remark = "sums of this region are above 2^64";
    else if (b->group_lost)
        e->remark = "samples whose group record is lost are left out";
    else if (e->n_counts == 0)
        e->remark = topdown_absence(&b->capture->streams[b->stream].cpu);
    else if (b->net && !e->net)
        e->remark = "not every group of events was calibrated: nothing is taken off the others' counts";
    else if (b->prohibited)
        e->remark = "some counters did not move although cycles did: counting is not permitted there";
}

static int by_region(const void *a, const void *b, void *capture)
{
    const struct capture_sample *samples = ((const struct capture *)capture)->samples;
    const struct capture_sample *x = &samples[*(const uint32_t *)a], *y = &samples[*(const uint32_t *)b];
    uint32_t keys[2][5] = {{x->stream, x->sample.region, x->group, x->sample.n_counts, x->order},
                           {y->stream, y->sample.region, y->group, y->sample.n_counts, y->order}};
    for (size_t i = 0; i < 5; i++) {
        if (keys[0][i] != keys[1][i])
            return keys[0][i] < keys[1][i] ? -1 : 1;
    }
    return 0;
}

static bool same_region(const struct capture_sample *x, const struct capture_sample *y)
{
    return x->stream == y->stream && x->sample.region == y->sample.region;
}

static void describe(struct topdown_input *input, struct topdown_entry *e, const struct topdown_command *command,
                     const struct capture_sample *s)
{
    const struct capture *capture = &input->capture;
    const struct capture_stream *stream = &capture->streams[s->stream];
    char text[64];
    snprintf(text, sizeof text, input->several_sessions ? "core %u, session 0x%x" : "core %u", stream->core,
             stream->session);
    e->where = pool_text(&input->pool, text, strlen(text));
    if (s->region != CAPTURE_NONE) {
        e->region = capture->regions[s->region].label;
    } else {
        snprintf(text, sizeof text, "region %u", s->sample.region);
        e->region = pool_text(&input->pool, text, strlen(text));
    }
    if (s->clock != CAPTURE_NONE)
        e->hz = capture->clocks[s->clock].clock.hz;
    topdown_identify(capture, s->stream, e);
    e->config.penalty = command->penalty;
    e->config.thresholds = topdown_thresholds(command);
    if (command->width) {
        e->config.width = command->width;
        e->width_source = "option";
    }
}

/* The entry of samples order[0..n), all of one region of one core. */
static void build(struct topdown_input *input, const struct topdown_command *command, struct topdown_entry *e,
                  const uint32_t *order, size_t n)
{
    struct builder b = {.capture = &input->capture,
                        .entry = e,
                        .pool = &input->pool,
                        .net = command->net,
                        .stream = input->capture.samples[order[0]].stream,
                        .equal = true};
    e->net = command->net;
    for (size_t from = 0, to; from < n; from = to) {
        const struct capture_sample *s = &b.capture->samples[order[from]];
        for (to = from; to < n; to++) {
            const struct capture_sample *next = &b.capture->samples[order[to]];
            if (next->group != s->group || next->sample.n_counts != s->sample.n_counts)
                break;
            if (next->sample.stop > next->sample.start)
                e->duration = add(&b, e->duration, next->sample.stop - next->sample.start);
        }
        if (s->group == CAPTURE_NONE || s->sample.n_counts > b.capture->groups[s->group].group.n_counters)
            b.group_lost = true;
        else
            add_group(&b, order + from, to - from);
    }
    finish_groups(&b);
    /* The array grew outside of the pool that the report lives in. */
    if (e->n_counts > 0) {
        struct sl_topdown_count *counts = pool_take(&input->pool, e->n_counts * sizeof *counts);
        memcpy(counts, b.counts, e->n_counts * sizeof *counts);
        e->counts = counts;
    } else {
        e->counts = NULL;
    }
    free(b.counts);
}

/* Samples to show, in by_region's order; *n_entries: regions on cores among them. */
static uint32_t *sorted_samples(struct topdown_input *input, const char *region, size_t *n_samples, size_t *n_entries)
{
    const struct capture *capture = &input->capture;
    uint32_t *order = pool_take(&input->pool, (capture->n_samples + 1) * sizeof *order);
    size_t n = 0;
    for (size_t i = 0; i < capture->n_samples; i++) {
        const struct capture_sample *s = &capture->samples[i];
        if (!s->calibration &&
            (!region || (s->region != CAPTURE_NONE && !strcmp(capture->regions[s->region].label, region))))
            order[n++] = (uint32_t)i;
    }
    qsort_r(order, n, sizeof *order, by_region, &input->capture);
    *n_samples = n;
    *n_entries = n > 0;
    for (size_t i = 1; i < n; i++)
        *n_entries += !same_region(&capture->samples[order[i - 1]], &capture->samples[order[i]]);
    return order;
}

/* Entries of the capture that input holds. */
static bool add_entries(struct topdown_input *input, const struct topdown_command *command, struct diag *diag)
{
    const struct capture *capture = &input->capture;
    const struct sl_topdown_core *core = NULL;
    const char *source = NULL;
    unsigned width = 0;
    uint32_t *order;
    size_t n, n_entries;
    if (command->core) {
        core = topdown_named_core(command, &width, &source, diag);
        if (!core)
            return false;
    }
    input->report.named = true;
    order = sorted_samples(input, command->region, &n, &n_entries);
    if (n_entries == 0 || n_entries > MAX_ENTRIES) {
        diag_at_offset(diag, capture->name, 0, "%s",
                       n_entries         ? "more than 16384 regions and cores: choose one by --region"
                       : command->region ? "no samples of that region"
                                         : "no samples");
        return false;
    }
    for (size_t i = 1; i < capture->n_streams; i++)
        input->several_sessions |= capture->streams[i].session != capture->streams[0].session;
    input->report.entries = pool_take(&input->pool, n_entries * sizeof *input->report.entries);
    for (size_t from = 0, to; from < n; from = to) {
        struct topdown_entry *e = &input->report.entries[input->report.n_entries++];
        for (to = from; to < n && same_region(&capture->samples[order[from]], &capture->samples[order[to]]); to++)
            ;
        describe(input, e, command, &capture->samples[order[from]]);
        if (core) {
            e->core = core;
            e->config.width = width;
            e->width_source = source;
        }
        build(input, command, e, order + from, to - from);
    }
    return true;
}

bool topdown_from_capture(struct topdown_input *input, const struct topdown_command *command, const char *name,
                          struct diag *diag)
{
    if (!capture_open(&input->capture, &input->file, name, &input->losses, diag))
        return false;
    input->has_file = input->has_capture = true;
    input->report.source = input->file.name;
    return add_entries(input, command, diag);
}
