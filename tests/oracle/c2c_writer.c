/* SPDX-License-Identifier: Apache-2.0 */
/* Writes perf.data files for comparisons. */
#include "c2c_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 104
#define ATTR_BYTES   128

void put(struct bytes *b, const void *data, size_t len)
{
    if (b->len + len > b->room) {
        b->room = 2 * b->room + len + 256;
        b->data = (uint8_t *)realloc(b->data, b->room);
        if (!b->data)
            abort();
    }
    if (len)
        memcpy(b->data + b->len, data, len);
    b->len += len;
}

void put32(struct bytes *b, uint32_t value)
{
    put(b, &value, sizeof value);
}

void put64(struct bytes *b, uint64_t value)
{
    put(b, &value, sizeof value);
}

void put_name(struct bytes *b, const char *text, size_t align)
{
    static const char zeros[64];
    size_t len = strlen(text) + 1;
    put(b, text, len);
    put(b, zeros, (align - len % align) % align);
}

void put_string(struct bytes *b, const char *text)
{
    put32(b, (uint32_t)((strlen(text) + 1 + 63) & ~(size_t)63));
    put_name(b, text, 64);
}

/* ---- records -------------------------------------------------------------------------------------------------------
 */

static size_t begin(struct recording *r, uint32_t type, uint16_t misc)
{
    size_t from = r->data.len;
    uint16_t size = 0;
    put32(&r->data, type);
    put(&r->data, &misc, 2);
    put(&r->data, &size, 2);
    return from;
}

static void end(struct recording *r, size_t from)
{
    uint16_t size = (uint16_t)(r->data.len - from);
    memcpy(r->data.data + from + 6, &size, 2);
}

static uint64_t id_of(const struct event *event, uint32_t cpu)
{
    return event->ids[event->n_ids > cpu ? cpu : 0];
}

/* The sample_id trailer of a side-band record. */
static void trailer(struct recording *r, const struct event *event, const struct origin *at)
{
    uint64_t type = event->sample_type;
    if (!(event->flags & 1u << 18))
        return;
    if (type & S_TID) {
        put32(&r->data, at->pid);
        put32(&r->data, at->tid);
    }
    if (type & S_TIME)
        put64(&r->data, at->time);
    if (type & S_ID)
        put64(&r->data, id_of(event, at->cpu));
    if (type & S_STREAM_ID)
        put64(&r->data, id_of(event, at->cpu));
    if (type & S_CPU)
        put64(&r->data, at->cpu);
    if (type & S_IDENTIFIER)
        put64(&r->data, id_of(event, at->cpu));
}

void write_mmap2(struct recording *r, const struct event *event, const struct origin *at, uint16_t misc,
                 const struct mapping *map)
{
    size_t from = begin(r, 10, misc);
    put32(&r->data, at->pid);
    put32(&r->data, at->tid);
    put64(&r->data, map->start);
    put64(&r->data, map->len);
    put64(&r->data, map->page_offset);
    put32(&r->data, map->major);
    put32(&r->data, map->minor);
    put64(&r->data, map->inode);
    put64(&r->data, map->generation);
    put32(&r->data, map->protection);
    put32(&r->data, map->flags);
    put_name(&r->data, map->name, 8);
    trailer(r, event, at);
    end(r, from);
}

void write_mmap(struct recording *r, const struct event *event, const struct origin *at, uint16_t misc,
                const struct mapping *map)
{
    size_t from = begin(r, 1, misc);
    put32(&r->data, at->pid);
    put32(&r->data, at->tid);
    put64(&r->data, map->start);
    put64(&r->data, map->len);
    put64(&r->data, map->page_offset);
    put_name(&r->data, map->name, 8);
    trailer(r, event, at);
    end(r, from);
}

void write_comm(struct recording *r, const struct event *event, const struct origin *at, const char *name)
{
    size_t from = begin(r, 3, 0);
    put32(&r->data, at->pid);
    put32(&r->data, at->tid);
    put_name(&r->data, name, 8);
    trailer(r, event, at);
    end(r, from);
}

void write_fork(struct recording *r, const struct event *event, const struct origin *parent, uint32_t pid, uint32_t tid)
{
    size_t from = begin(r, 7, 0);
    put32(&r->data, pid);
    put32(&r->data, parent->pid);
    put32(&r->data, tid);
    put32(&r->data, parent->tid);
    put64(&r->data, parent->time);
    trailer(r, event, parent);
    end(r, from);
}

void write_lost(struct recording *r, const struct event *event, const struct origin *at, uint64_t n)
{
    size_t from = begin(r, 2, 0);
    put64(&r->data, id_of(event, 0));
    put64(&r->data, n);
    trailer(r, event, at);
    end(r, from);
}

void write_round(struct recording *r)
{
    end(r, begin(r, 68, 0));
}

static void sample_tail(struct bytes *b, uint64_t type, const struct access *a)
{
    if (type & S_CALLCHAIN) {
        put64(b, a->n_chain);
        put(b, a->chain, a->n_chain * sizeof *a->chain);
    }
    if (type & (S_WEIGHT | S_WEIGHT_STRUCT))
        put64(b, a->weight);
    if (type & S_DATA_SRC)
        put64(b, a->source);
    if (type & S_PHYS_ADDR)
        put64(b, a->phys);
    if (type & S_DATA_PAGE)
        put64(b, 4096);
}

void write_sample(struct recording *r, const struct event *event, const struct origin *at, const struct access *a)
{
    uint64_t type = event->sample_type;
    size_t from = begin(r, 9, a->mode);
    if (type & S_IDENTIFIER)
        put64(&r->data, id_of(event, at->cpu));
    if (type & S_IP)
        put64(&r->data, a->ip);
    if (type & S_TID) {
        put32(&r->data, at->pid);
        put32(&r->data, at->tid);
    }
    if (type & S_TIME)
        put64(&r->data, at->time);
    if (type & S_ADDR)
        put64(&r->data, a->address);
    if (type & S_ID)
        put64(&r->data, id_of(event, at->cpu));
    if (type & S_STREAM_ID)
        put64(&r->data, id_of(event, at->cpu));
    if (type & S_CPU)
        put64(&r->data, at->cpu);
    if (type & S_PERIOD)
        put64(&r->data, a->period);
    sample_tail(&r->data, type, a);
    end(r, from);
}

void write_time_conv(struct recording *r, uint64_t shift, uint64_t mult, uint64_t zero)
{
    size_t from = begin(r, 79, 0);
    put64(&r->data, shift);
    put64(&r->data, mult);
    put64(&r->data, zero);
    put64(&r->data, 0);
    put64(&r->data, ((uint64_t)1 << 56) - 1);
    put64(&r->data, 0x0101);
    end(r, from);
}

void write_auxtrace_info(struct recording *r, uint32_t pmu)
{
    size_t from = begin(r, 70, 0);
    put64(&r->data, 4);
    put64(&r->data, pmu);
    put64(&r->data, 1);
    end(r, from);
}

void write_aux(struct recording *r, const struct event *event, const struct origin *at, uint64_t len)
{
    size_t from = begin(r, 11, 0);
    put64(&r->data, 0);
    put64(&r->data, len);
    put64(&r->data, 0);
    trailer(r, event, at);
    end(r, from);
}

/* A queue for each cpu. */
void write_auxtrace(struct recording *r, const struct origin *at, const uint8_t *data, size_t len)
{
    size_t from = begin(r, 71, 0), pad = -len & 7;
    put64(&r->data, len + pad);
    put64(&r->data, 0);
    put64(&r->data, 0);
    put32(&r->data, at->cpu);
    put32(&r->data, 0xffffffff);
    put32(&r->data, at->cpu);
    put32(&r->data, 0);
    end(r, from);
    r->aux[r->n_aux++] = from;
    put(&r->data, data, len);
    put(&r->data, "\0\0\0\0\0\0\0", pad);
}

/* ---- features and the file ------------------------------------------------------------------------------------------
 */

struct bytes *feature(struct recording *r, enum feature feature)
{
    r->has[feature] = true;
    return &r->features[feature];
}

void feature_string(struct recording *r, enum feature which, const char *text)
{
    put_string(feature(r, which), text);
}

static void put_attr(struct bytes *b, const struct event *event)
{
    size_t from = b->len;
    put32(b, event->type);
    put32(b, ATTR_BYTES);
    put64(b, event->config);
    put64(b, event->period);
    put64(b, event->sample_type);
    put64(b, 4); /* read_format: ids */
    put64(b, event->flags);
    while (b->len < from + ATTR_BYTES)
        put64(b, 0);
}

void feature_events(struct recording *r)
{
    struct bytes *b = feature(r, F_EVENT_DESC);
    put32(b, r->n_events);
    put32(b, ATTR_BYTES);
    for (uint32_t i = 0; i < r->n_events; i++) {
        put_attr(b, &r->events[i]);
        put32(b, r->events[i].n_ids);
        put_string(b, r->events[i].name);
        put(b, r->events[i].ids, r->events[i].n_ids * 8);
    }
}

static void put_header(struct recording *r, struct bytes *out, uint64_t data_at)
{
    uint64_t bits = 0, ids_at = HEADER_BYTES;
    for (uint32_t i = 0; i < FEATURES; i++)
        bits |= (uint64_t)r->has[i] << i;
    put(out, "PERFILE2", 8);
    put64(out, HEADER_BYTES);
    put64(out, ATTR_BYTES + 16);
    put64(out, data_at - r->n_events * (ATTR_BYTES + 16));
    put64(out, r->n_events * (ATTR_BYTES + 16));
    put64(out, data_at);
    put64(out, r->data.len);
    put64(out, 0);
    put64(out, 0);
    put64(out, bits);
    put64(out, 0);
    put64(out, 0);
    put64(out, 0);
    for (uint32_t i = 0; i < r->n_events; i++)
        put(out, r->events[i].ids, r->events[i].n_ids * 8);
    for (uint32_t i = 0; i < r->n_events; i++) {
        put_attr(out, &r->events[i]);
        put64(out, ids_at);
        put64(out, r->events[i].n_ids * 8);
        ids_at += r->events[i].n_ids * 8;
    }
}

bool write_file(struct recording *r, const char *name)
{
    struct bytes out = {NULL, 0, 0};
    uint64_t data_at = HEADER_BYTES + r->n_events * (ATTR_BYTES + 16), at;
    FILE *file = fopen(name, "wb");
    bool good;

    for (uint32_t i = 0; i < r->n_events; i++)
        data_at += r->events[i].n_ids * 8;
    if (r->n_aux) {
        struct bytes *b = feature(r, F_AUXTRACE);
        put64(b, r->n_aux);
        for (uint32_t i = 0; i < r->n_aux; i++) {
            put64(b, data_at + r->aux[i]);
            put64(b, 48);
        }
    }
    put_header(r, &out, data_at);
    put(&out, r->data.data, r->data.len);
    at = out.len;
    for (uint32_t i = 0; i < FEATURES; i++)
        at += r->has[i] ? 16 : 0;
    for (uint32_t i = 0; i < FEATURES; i++) {
        if (!r->has[i])
            continue;
        put64(&out, at);
        put64(&out, r->features[i].len);
        at += r->features[i].len;
    }
    for (uint32_t i = 0; i < FEATURES; i++)
        put(&out, r->features[i].data, r->features[i].len);
    good = file && fwrite(out.data, 1, out.len, file) == out.len;
    good = file && !fclose(file) && good;
    free(out.data);
    return good;
}
