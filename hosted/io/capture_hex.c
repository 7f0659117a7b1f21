/* SPDX-License-Identifier: Apache-2.0 */
/* A console log's hexadecimal lines back into the bytes of a capture. */
#include "capture_hex.h"

#include <slotledger/capture.h>

#include <stdlib.h>
#include <string.h>

/* A hole is not filled beyond this: its length is in the problem, and only its end modulo the alignment matters. */
#define FILL_MAX 4096u

/* Shortest beginning of a line that is one that was damaged, and not other text: "$SL" and four digits. */
#define LINE_MIN 7u

struct chunk {
    struct sl_capture_hex_line line;
    uint32_t segment; /* of all, in the order of their beginning */
    uint32_t number;  /* line of the log */
    size_t offset;
};

/* Chunks found by segment and offset: an open table of indexes + 1. */
struct table {
    uint32_t *slots;
    size_t mask;
};

struct importing {
    struct hex_import *import;
    struct chunk *chunks;
    size_t n_chunks, chunks_room, problems_room;
    uint32_t *segments[256]; /* by the core number's upper byte, then its lower: current one, + 1; NULL: none yet */
    struct pool pool;
    uint32_t n_segments;
    struct table table;
};

static struct hex_problem *add_problem(struct importing *importing, enum hex_problem_kind kind, size_t offset,
                                       uint32_t number)
{
    struct hex_import *import = importing->import;
    struct hex_problem *problem;
    import->problems = array_grow(import->problems, import->n_problems, &importing->problems_room, sizeof *problem);
    problem = &import->problems[import->n_problems++];
    memset(problem, 0, sizeof *problem);
    problem->kind = kind;
    problem->offset = offset;
    problem->line = number;
    return problem;
}

static size_t hash(uint32_t segment, uint32_t offset)
{
    uint64_t x = ((uint64_t)segment << 32 | offset) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(x ^ x >> 32);
}

/* The slot of the chunk with that segment and offset, or the free one where it would be. */
static uint32_t *slot(const struct importing *importing, uint32_t segment, uint32_t offset)
{
    const struct table *table = &importing->table;
    size_t at = hash(segment, offset) & table->mask;
    while (table->slots[at]) {
        const struct chunk *chunk = &importing->chunks[table->slots[at] - 1];
        if (chunk->segment == segment && chunk->line.offset == offset)
            break;
        at = (at + 1) & table->mask;
    }
    return &table->slots[at];
}

/* At most half full. */
static void grow_table(struct importing *importing)
{
    struct table *table = &importing->table;
    if (table->slots && importing->n_chunks * 2 < table->mask)
        return;
    free(table->slots);
    table->mask = table->slots ? table->mask * 2 + 1 : 63;
    table->slots = calloc(table->mask + 1, sizeof *table->slots);
    if (!table->slots)
        abort();
    for (size_t i = 0; i < importing->n_chunks; i++)
        *slot(importing, importing->chunks[i].segment, importing->chunks[i].line.offset) = (uint32_t)i + 1;
}

static bool same_bytes(const struct sl_capture_hex_line *a, const struct sl_capture_hex_line *b)
{
    return a->len_bytes == b->len_bytes && !memcmp(a->bytes, b->bytes, a->len_bytes);
}

static uint32_t *segment_of(struct importing *importing, uint16_t core)
{
    uint32_t **page = &importing->segments[core >> 8];
    if (!*page)
        *page = pool_take(&importing->pool, 256 * sizeof **page);
    return &(*page)[core & 0xff];
}

/* Other bytes at the same offset: the board has started again. */
static void add_line(struct importing *importing, const struct sl_capture_hex_line *line, size_t offset,
                     uint32_t number)
{
    uint32_t *segment = segment_of(importing, line->core), *place;
    struct chunk *chunk;
    importing->import->n_lines++;
    grow_table(importing);
    if (*segment == 0)
        *segment = ++importing->n_segments;
    place = slot(importing, *segment, line->offset);
    if (*place && same_bytes(&importing->chunks[*place - 1].line, line)) {
        importing->import->n_repeated++;
        return;
    }
    if (*place) {
        *segment = ++importing->n_segments;
        place = slot(importing, *segment, line->offset);
    }
    importing->chunks =
        array_grow(importing->chunks, importing->n_chunks, &importing->chunks_room, sizeof *importing->chunks);
    chunk = &importing->chunks[importing->n_chunks++];
    chunk->line = *line;
    chunk->segment = *segment;
    chunk->number = number;
    chunk->offset = offset;
    *place = (uint32_t)importing->n_chunks;
}

static void read_lines(struct importing *importing, const char *text, size_t len)
{
    struct sl_capture_hex_line line;
    uint32_t number = 1;
    size_t skip;
    for (size_t at = 0; at < len; at += skip) {
        enum sl_status status;
        skip = 1;
        if (text[at] == '\n')
            number++;
        if (text[at] != '$')
            continue;
        status = sl_capture_hex_read(text + at, len - at, &line, &skip);
        if (status == SL_OK)
            add_line(importing, &line, at, number);
        else if (skip >= LINE_MIN)
            add_problem(importing, status == SL_E_TRUNCATED ? HEX_CUT : HEX_DAMAGED, at, number);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct chunk *x = a, *y = b;
    if (x->segment != y->segment)
        return x->segment < y->segment ? -1 : 1;
    return x->line.offset < y->line.offset ? -1 : x->line.offset > y->line.offset;
}

/* `next`: offset behind the last byte put out. */
static void put_chunk(struct importing *importing, const struct chunk *chunk, uint64_t *next)
{
    struct text *bytes = &importing->import->bytes;
    uint64_t from = chunk->line.offset, end = from + chunk->line.len_bytes, skip = 0;
    struct hex_problem *problem;
    if (from > *next) {
        uint64_t hole = from - *next;
        problem = add_problem(importing, HEX_HOLE, chunk->offset, chunk->number);
        problem->core = chunk->line.core;
        problem->from = *next;
        problem->to = from - 1;
        text_add_char(bytes, '\0', (size_t)(hole <= FILL_MAX ? hole : FILL_MAX + hole % SL_CAPTURE_ALIGN));
    } else if (from < *next) {
        skip = (end < *next ? end : *next) - from;
        problem = add_problem(importing, HEX_OVERLAP, chunk->offset, chunk->number);
        problem->core = chunk->line.core;
        problem->from = from;
        problem->to = from + skip - 1;
    }
    text_add(bytes, (const char *)chunk->line.bytes + skip, (size_t)(end - from - skip));
    *next = end > *next ? end : *next;
}

/* Streams begin at multiples of eight bytes, as records do. */
static void put_out(struct importing *importing)
{
    uint32_t segment = 0;
    uint64_t next = 0;
    if (importing->n_chunks > 1)
        qsort(importing->chunks, importing->n_chunks, sizeof *importing->chunks, by_place);
    for (size_t i = 0; i < importing->n_chunks; i++) {
        if (importing->chunks[i].segment != segment) {
            next = 0;
            text_add_char(&importing->import->bytes, '\0', -importing->import->bytes.len % SL_CAPTURE_ALIGN);
        }
        segment = importing->chunks[i].segment;
        put_chunk(importing, &importing->chunks[i], &next);
    }
}

bool hex_import(struct hex_import *import, const char *text, size_t len)
{
    struct importing importing = {.import = import};
    memset(import, 0, sizeof *import);
    read_lines(&importing, text, len);
    put_out(&importing);
    import->n_streams = importing.n_segments;
    pool_free(&importing.pool);
    free(importing.table.slots);
    free(importing.chunks);
    return import->n_lines > 0;
}

void hex_import_free(struct hex_import *import)
{
    text_free(&import->bytes);
    free(import->problems);
    memset(import, 0, sizeof *import);
}
