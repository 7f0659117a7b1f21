/* SPDX-License-Identifier: Apache-2.0 */
/* Writer of perf.data for tests: both byte orders, compressed and pipe form. Knows nothing of the reader under test. */
#ifndef TESTS_ORACLE_PERF_WRITER_H
#define TESTS_ORACLE_PERF_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct bytes {
    uint8_t *data;
    size_t len, capacity;
};

struct attr {
    const char *name;
    uint32_t type;
    uint64_t config, sample_type, flags, period, read_format, branch_type, regs;
    uint32_t first_id, n_ids;
};

#define MAX_ATTRS    8
#define MAX_FEATURES 32

struct writer {
    bool swap;
    struct attr attrs[MAX_ATTRS];
    unsigned n_attrs;
    unsigned side_attr;      /* whose ids the records beside the samples have */
    struct bytes data;
    struct bytes features[MAX_FEATURES];
    struct bytes aux_index;  /* offsets in the data section */
    size_t n_aux;
    bool zstd;
    ZSTD_CCtx *packer;
    size_t unpacked_from;    /* start of what waits for compression */
    struct bytes packed;
};

enum {
    T_IP = 1 << 0, T_TID = 1 << 1, T_TIME = 1 << 2, T_ADDR = 1 << 3, T_READ = 1 << 4, T_CALLCHAIN = 1 << 5,
    T_ID = 1 << 6, T_CPU = 1 << 7, T_PERIOD = 1 << 8, T_STREAM = 1 << 9, T_RAW = 1 << 10, T_BRANCH = 1 << 11,
    T_REGS_USER = 1 << 12, T_STACK_USER = 1 << 13, T_WEIGHT = 1 << 14, T_DATA_SRC = 1 << 15, T_IDENTIFIER = 1 << 16,
    T_TRANSACTION = 1 << 17, T_REGS_INTR = 1 << 18, T_PHYS = 1 << 19, T_CGROUP = 1 << 21, T_DATA_PAGE = 1 << 22,
    T_CODE_PAGE = 1 << 23, T_WEIGHT_STRUCT = 1 << 24
};

#define A_SAMPLE_ID_ALL (UINT64_C(1) << 18)

static inline void put(struct bytes *b, const void *from, size_t n)
{
    if (b->len + n > b->capacity) {
        b->capacity = (b->len + n) * 2 + 64;
        b->data = realloc(b->data, b->capacity);
        if (!b->data) {
            abort();
        }
    }
    if (n) {
        memcpy(b->data + b->len, from, n);
    }
    b->len += n;
}

static inline void put_int(const struct writer *w, struct bytes *b, uint64_t value, unsigned n)
{
    uint8_t out[8];
    for (unsigned i = 0; i < n; i++) {
        out[i] = (uint8_t)(value >> 8 * (w->swap ? n - 1 - i : i));
    }
    put(b, out, n);
}

static inline void put32(const struct writer *w, struct bytes *b, uint64_t value) { put_int(w, b, value, 4); }
static inline void put64(const struct writer *w, struct bytes *b, uint64_t value) { put_int(w, b, value, 8); }

static inline void put_padded(struct bytes *b, const char *name, size_t align)
{
    static const char zeros[64];
    size_t len = strlen(name) + 1;
    put(b, name, len);
    put(b, zeros, (align - len % align) % align);
}

static inline void put_string(const struct writer *w, struct bytes *b, const char *text)
{
    put32(w, b, (strlen(text) + 64) / 64 * 64);
    put_padded(b, text, 64);
}

/* ---- records: begin, put, end ---- */

static inline size_t begin(struct writer *w, uint32_t type, uint16_t misc)
{
    size_t at = w->data.len;
    put32(w, &w->data, type);
    put_int(w, &w->data, misc, 2);
    put_int(w, &w->data, 0, 2);
    return at;
}

static inline void end(struct writer *w, size_t at)
{
    size_t size = w->data.len - at;
    w->data.data[at + (w->swap ? 7 : 6)] = (uint8_t)size;
    w->data.data[at + (w->swap ? 6 : 7)] = (uint8_t)(size >> 8);
}

/* What identifies a record beside the samples. */
static inline void put_trailer(struct writer *w, uint32_t pid, uint32_t tid, uint64_t time, uint32_t cpu)
{
    const struct attr *a = &w->attrs[w->side_attr];
    uint64_t id = a->first_id + (a->n_ids ? cpu % a->n_ids : 0);
    if (!(a->flags & A_SAMPLE_ID_ALL)) {
        return;
    }
    if (a->sample_type & T_TID) {
        put32(w, &w->data, pid);
        put32(w, &w->data, tid);
    }
    if (a->sample_type & T_TIME) {
        put64(w, &w->data, time);
    }
    if (a->sample_type & T_ID) {
        put64(w, &w->data, id);
    }
    if (a->sample_type & T_STREAM) {
        put64(w, &w->data, id);
    }
    if (a->sample_type & T_CPU) {
        put32(w, &w->data, cpu);
        put32(w, &w->data, 0);
    }
    if (a->sample_type & T_IDENTIFIER) {
        put64(w, &w->data, id);
    }
}

struct who {
    uint32_t pid, tid, cpu;
    uint64_t time;
};

static inline void end_with(struct writer *w, size_t at, const struct who *who)
{
    put_trailer(w, who->pid, who->tid, who->time, who->cpu);
    end(w, at);
}

/* ---- compression: all that was added since the last call becomes COMPRESSED records ---- */

#define CHUNK 32768u

static inline void pack_bytes(struct writer *w, const uint8_t *from, size_t n)
{
    static uint8_t out[65536 - 64];
    ZSTD_inBuffer in = { from, n, 0 };
    ZSTD_outBuffer to = { out, sizeof out, 0 };
    struct bytes record = { NULL, 0, 0 };
    if (!w->packer) {
        w->packer = ZSTD_createCCtx();
    }
    if (ZSTD_isError(ZSTD_compressStream2(w->packer, &to, &in, ZSTD_e_flush)) || in.pos < n) {
        abort();
    }
    put32(w, &record, 81);
    put_int(w, &record, 0, 2);
    put_int(w, &record, 8 + to.pos, 2);
    put(&record, out, to.pos);
    put(&w->packed, record.data, record.len);
    free(record.data);
}

/* A compressed record need not hold whole records; AUX data and what must be seen at once stay as they are. */
static inline void pack(struct writer *w)
{
    size_t at = w->unpacked_from;
    while (at < w->data.len) {
        size_t n = w->data.len - at < CHUNK ? w->data.len - at : CHUNK;
        pack_bytes(w, w->data.data + at, n);
        at += n;
    }
    w->unpacked_from = w->data.len;
}

static inline void pack_not(struct writer *w)
{
    put(&w->packed, w->data.data + w->unpacked_from, w->data.len - w->unpacked_from);
    w->unpacked_from = w->data.len;
}

/* ---- the file ---- */

#define ATTR_BYTES 128u

static inline uint64_t mirrored(uint64_t flags)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < 64; i++) {
        out |= (flags >> i & 1) << (i / 8 * 8 + 7 - i % 8);
    }
    return out;
}

static inline void put_attr(const struct writer *w, struct bytes *b, const struct attr *a)
{
    size_t start = b->len;
    uint64_t flags = w->swap ? mirrored(a->flags) : a->flags;
    put32(w, b, a->type);
    put32(w, b, ATTR_BYTES);
    put64(w, b, a->config);
    put64(w, b, a->period);
    put64(w, b, a->sample_type);
    put64(w, b, a->read_format);
    for (unsigned i = 0; i < 8; i++) {
        put_int(w, b, flags >> 8 * i & 0xff, 1);
    }
    while (b->len < start + 72) {
        put64(w, b, 0);
    }
    put64(w, b, a->branch_type);
    put64(w, b, a->regs);
    put64(w, b, 0);
    put64(w, b, a->regs);
    while (b->len < start + ATTR_BYTES) {
        put64(w, b, 0);
    }
}

static inline void put_event_desc(struct writer *w)
{
    struct bytes *b = &w->features[12];
    put32(w, b, w->n_attrs);
    put32(w, b, ATTR_BYTES);
    for (unsigned i = 0; i < w->n_attrs; i++) {
        put_attr(w, b, &w->attrs[i]);
        put32(w, b, w->attrs[i].n_ids);
        put_string(w, b, w->attrs[i].name);
        for (unsigned id = 0; id < w->attrs[i].n_ids; id++) {
            put64(w, b, w->attrs[i].first_id + id);
        }
    }
}

static inline void write_all(FILE *out, const struct bytes *b)
{
    if (b->len && fwrite(b->data, 1, b->len, out) != b->len) {
        abort();
    }
}

static inline void write_pipe(struct writer *w, FILE *out)
{
    struct bytes b = { NULL, 0, 0 };
    struct bytes rest = w->data;
    put(&b, w->swap ? "2ELIFREP" : "PERFILE2", 8);
    put64(w, &b, 16);
    write_all(out, &b);
    b.len = 0;
    memset(&w->data, 0, sizeof w->data);
    for (unsigned i = 0; i < MAX_FEATURES; i++) {
        size_t at;
        if (!w->features[i].len || i == 2 || i == 18) {
            continue;
        }
        at = begin(w, 80, 0);
        put64(w, &w->data, i);
        put(&w->data, w->features[i].data, w->features[i].len);
        while (w->data.len % 8) {
            put_int(w, &w->data, 0, 1);
        }
        end(w, at);
    }
    for (unsigned i = 0; i < w->n_attrs; i++) {
        size_t at = begin(w, 64, 0);
        put_attr(w, &w->data, &w->attrs[i]);
        for (unsigned id = 0; id < w->attrs[i].n_ids; id++) {
            put64(w, &w->data, w->attrs[i].first_id + id);
        }
        end(w, at);
    }
    write_all(out, &w->data);
    write_all(out, &rest);
}

static inline void write_file(struct writer *w, FILE *out)
{
    struct bytes head = { NULL, 0, 0 }, table = { NULL, 0, 0 };
    const struct bytes *body = w->zstd ? &w->packed : &w->data;
    uint64_t n_ids = 0, ids_offset = 104, bits = 0, at, n = 0;
    for (unsigned i = 0; i < w->n_attrs; i++) {
        n_ids += w->attrs[i].n_ids;
    }
    at = 104 + 8 * n_ids + w->n_attrs * (ATTR_BYTES + 16);
    if (w->n_aux) {
        put64(w, &w->features[18], w->n_aux);
        for (size_t i = 0; i < w->n_aux; i++) {
            uint64_t offset;
            memcpy(&offset, w->aux_index.data + 8 * i, 8);
            put64(w, &w->features[18], at + offset);
            put64(w, &w->features[18], 48);
        }
    }
    for (unsigned i = 0; i < MAX_FEATURES; i++) {
        bits |= (uint64_t)(w->features[i].len != 0) << i;
        n += w->features[i].len != 0;
    }
    put(&head, w->swap ? "2ELIFREP" : "PERFILE2", 8);
    put64(w, &head, 104);
    put64(w, &head, ATTR_BYTES + 16);
    put64(w, &head, 104 + 8 * n_ids);
    put64(w, &head, w->n_attrs * (ATTR_BYTES + 16));
    put64(w, &head, at);
    put64(w, &head, body->len);
    put64(w, &head, 0);
    put64(w, &head, 0);
    put64(w, &head, bits);
    for (unsigned i = 0; i < 3; i++) {
        put64(w, &head, 0);
    }
    for (unsigned i = 0; i < w->n_attrs; i++) {
        for (unsigned id = 0; id < w->attrs[i].n_ids; id++) {
            put64(w, &head, w->attrs[i].first_id + id);
        }
    }
    for (unsigned i = 0; i < w->n_attrs; i++) {
        put_attr(w, &head, &w->attrs[i]);
        put64(w, &head, ids_offset);
        put64(w, &head, (uint64_t)8 * w->attrs[i].n_ids);
        ids_offset += (uint64_t)8 * w->attrs[i].n_ids;
    }
    at += body->len + 16 * n;
    for (unsigned i = 0; i < MAX_FEATURES; i++) {
        if (w->features[i].len) {
            put64(w, &table, at);
            put64(w, &table, w->features[i].len);
            at += w->features[i].len;
        }
    }
    write_all(out, &head);
    write_all(out, body);
    write_all(out, &table);
    for (unsigned i = 0; i < MAX_FEATURES; i++) {
        write_all(out, &w->features[i]);
    }
    free(head.data);
    free(table.data);
}

#endif
