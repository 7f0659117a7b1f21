/* SPDX-License-Identifier: Apache-2.0 */
/* References between records: samples to groups and regions; pieces of an SPE drain to one another. */
#include <stdlib.h>
#include <string.h>

#include "capture_internal.h"

/* Something with a number, sorted so that all definitions of a number in a session lie together. */
struct named {
    uint32_t session;
    uint32_t id;
    uint32_t stream;
    uint32_t order;
    uint32_t index;
};

struct index {
    struct named *names;
    size_t n;
};

static int compare(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = compare(x->session, y->session);
    order = order ? order : compare(x->id, y->id);
    order = order ? order : compare(x->stream, y->stream);
    return order ? order : compare(x->order, y->order);
}

static bool names(const struct index *index, size_t at, const struct named *wanted)
{
    return at < index->n && index->names[at].session == wanted->session && index->names[at].id == wanted->id;
}

/* The last definition before `wanted` in its own stream; else a near one: one core may describe groups and regions for
 * all. */
static uint32_t find(const struct index *index, const struct named *wanted)
{
    size_t low = 0, high = index->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_name(&index->names[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && names(index, low - 1, wanted))
        return index->names[low - 1].index;
    return names(index, low, wanted) ? index->names[low].index : CAPTURE_NONE;
}

static void add_name(struct index *index, const struct capture *capture, uint32_t stream, uint32_t id, uint32_t order)
{
    struct named *name = &index->names[index->n];
    *name = (struct named){capture->streams[stream].session, id, stream, order, (uint32_t)index->n};
    index->n++;
}

static struct index index_groups(struct capture *capture)
{
    struct index index = {pool_take(&capture->pool, capture->n_groups * sizeof *index.names), 0};
    for (size_t i = 0; i < capture->n_groups; i++)
        add_name(&index, capture, capture->groups[i].stream, capture->groups[i].group.id, capture->groups[i].order);
    qsort(index.names, index.n, sizeof *index.names, by_name);
    return index;
}

static struct index index_regions(struct capture *capture)
{
    struct index index = {pool_take(&capture->pool, capture->n_regions * sizeof *index.names), 0};
    for (size_t i = 0; i < capture->n_regions; i++)
        add_name(&index, capture, capture->regions[i].stream, capture->regions[i].region.id, capture->regions[i].order);
    qsort(index.names, index.n, sizeof *index.names, by_name);
    return index;
}

static struct capture_problem *sample_problem(struct capture_reading *reading, enum capture_problem_kind kind,
                                              const struct capture_sample *sample)
{
    struct capture_problem *problem = capture_add_problem(reading, kind, sample->offset);
    problem->stream = sample->stream;
    problem->type = sample->calibration ? SL_CAPTURE_CALIBRATION : SL_CAPTURE_SAMPLE;
    return problem;
}

static void link_group(struct capture_reading *reading, const struct index *index, struct capture_sample *sample)
{
    const struct capture *capture = reading->capture;
    const struct named wanted = {capture->streams[sample->stream].session, sample->sample.group, sample->stream,
                                 sample->order, 0};
    struct capture_problem *problem;
    sample->group = find(index, &wanted);
    if (sample->group == CAPTURE_NONE) {
        /* A sample without counts is a time: it needs no group. */
        if (sample->sample.n_counts > 0)
            sample_problem(reading, CAPTURE_NO_GROUP, sample)->a = sample->sample.group;
    } else if (capture->groups[sample->group].group.n_counters != sample->sample.n_counts) {
        if (sample->sample.n_counts > 0) {
            problem = sample_problem(reading, CAPTURE_GROUP_SIZE, sample);
            problem->a = sample->sample.n_counts;
            problem->b = capture->groups[sample->group].group.n_counters;
        }
        sample->group = CAPTURE_NONE;
    }
}

static void link_samples(struct capture_reading *reading)
{
    struct capture *capture = reading->capture;
    struct index groups = index_groups(capture), regions = index_regions(capture);
    for (size_t i = 0; i < capture->n_samples; i++) {
        struct capture_sample *sample = &capture->samples[i];
        const struct named wanted = {capture->streams[sample->stream].session, sample->sample.region, sample->stream,
                                     sample->order, 0};
        link_group(reading, &groups, sample);
        if (sample->sample.region == SL_REGION_NONE)
            continue;
        sample->region = find(&regions, &wanted);
        if (sample->region == CAPTURE_NONE)
            sample_problem(reading, CAPTURE_NO_REGION, sample)->a = sample->sample.region;
    }
}

static void hole(struct capture_reading *reading, const struct capture_spe *near, uint32_t drain, uint32_t from,
                 uint32_t to)
{
    struct capture_problem *problem;
    if (from >= to)
        return;
    problem = capture_add_problem(reading, CAPTURE_SPE_HOLE, near->offset);
    problem->stream = near->stream;
    problem->type = SL_CAPTURE_SPE;
    problem->from = drain;
    problem->a = from;
    problem->b = to - 1;
}

/* The pieces of each drain have to lie side by side. */
static void link_spe(struct capture_reading *reading)
{
    const struct capture *capture = reading->capture;
    const struct capture_spe *last = NULL;
    uint32_t next = 0;
    for (size_t i = 0; i < capture->n_spes; i++) {
        const struct capture_spe *piece = &capture->spes[i];
        if (last && (last->stream != piece->stream || last->spe.drain != piece->spe.drain)) {
            hole(reading, last, last->spe.drain, next, last->spe.total_bytes);
            next = 0;
        }
        hole(reading, piece, piece->spe.drain, next, piece->spe.offset);
        next = piece->spe.offset + piece->len_bytes;
        last = piece;
    }
    if (last)
        hole(reading, last, last->spe.drain, next, last->spe.total_bytes);
}

void capture_link(struct capture_reading *reading)
{
    if (reading->capture->n_samples > 0)
        link_samples(reading);
    link_spe(reading);
}
