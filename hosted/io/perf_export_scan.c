/* SPDX-License-Identifier: Apache-2.0 */
/* What an export has to know of its buffers and program images before it writes them. */
#include "perf_export_scan.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf_file.h"

#define MAX_CORES    65536u
#define MAX_CONTEXTS 65536u
#define PAGE_BYTES   4096u
/* A byte that begins no packet. */
#define BAD_BYTE 0x07u

static int by_core(const void *a, const void *b)
{
    const struct perf_export_buffer *x = a, *y = b;

    if (x->input->core != y->input->core)
        return x->input->core < y->input->core ? -1 : 1;
    return x->input < y->input ? -1 : x->input > y->input;
}

/* ---- contexts: an open hash set, emptied into a sorted list -------------------------------------------------------
 */

struct context_set {
    uint64_t *slots; /* context + 1; 0: free */
    size_t n, mask;
    uint32_t last; /* most records repeat it */
    bool has_last;
};

static void set_insert(struct context_set *set, uint32_t context)
{
    size_t at = (context * UINT64_C(0x9e3779b97f4a7c15) >> 32) & set->mask;

    while (set->slots[at] && set->slots[at] != (uint64_t)context + 1)
        at = (at + 1) & set->mask;
    set->n += set->slots[at] == 0;
    set->slots[at] = (uint64_t)context + 1;
}

static void note_context(struct context_set *set, uint32_t context)
{
    if ((set->has_last && set->last == context) || set->n >= MAX_CONTEXTS || context == UINT32_MAX)
        return;
    set->has_last = true;
    set->last = context;
    set_insert(set, context);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void sorted_contexts(const struct context_set *set, struct perf_export_scan *scan)
{
    size_t capacity = 0;

    for (size_t i = 0; i <= set->mask; i++) {
        if (!set->slots[i])
            continue;
        scan->contexts = array_grow(scan->contexts, scan->n_contexts, &capacity, sizeof *scan->contexts);
        scan->contexts[scan->n_contexts++] = (uint32_t)(set->slots[i] - 1);
    }
    if (scan->n_contexts)
        qsort(scan->contexts, scan->n_contexts, sizeof *scan->contexts, by_number);
}

/* ---- buffers --------------------------------------------------------------------------------------------------------
 */

static void note_record(struct perf_export_scan *scan, struct context_set *contexts, const struct sl_spe_record *r)
{
    if (r->has & SL_SPE_HAS_CONTEXT)
        note_context(contexts, r->context);
    if (r->has & 1u << SL_SPE_ADDRESS_PHYSICAL) {
        uint64_t physical = sl_spe_physical_address(r->address[SL_SPE_ADDRESS_PHYSICAL]);
        scan->max_physical = physical > scan->max_physical ? physical : scan->max_physical;
    }
    if (r->has & SL_SPE_HAS_TIMESTAMP) {
        scan->first_time = r->timestamp < scan->first_time ? r->timestamp : scan->first_time;
        scan->last_time = r->timestamp > scan->last_time ? r->timestamp : scan->last_time;
    }
}

static void scan_buffer(struct perf_export_scan *scan, struct context_set *contexts, struct sl_spe_decoder *decoder,
                        struct perf_export_buffer *buffer)
{
    uint64_t alignments = decoder->counts.alignments, bad = decoder->counts.bad_bytes;

    decoder->address = buffer->input->base;
    sl_spe_feed(decoder, buffer->input->bytes, buffer->input->len);
    while (sl_spe_next(decoder))
        note_record(scan, contexts, &decoder->record);
    buffer->has_alignments = decoder->counts.alignments != alignments;
    buffer->has_damage = decoder->counts.bad_bytes != bad;
}

static void scan_cores(struct perf_export_scan *scan, struct context_set *contexts)
{
    struct sl_spe_decoder decoder;
    uint64_t offset = 0;
    size_t capacity = 0;

    for (size_t i = 0; i < scan->n_buffers; i++) {
        struct perf_export_buffer *b = &scan->buffers[i];
        if (i == 0 || b->input->core != b[-1].input->core) {
            scan->cores = array_grow(scan->cores, scan->n_cores, &capacity, sizeof *scan->cores);
            scan->cores[scan->n_cores++] = b->input->core;
            sl_spe_init(&decoder, NULL);
            offset = 0;
        }
        b->offset = offset;
        offset += b->input->len;
        scan_buffer(scan, contexts, &decoder, b);
    }
}

bool perf_export_scan(const struct spe_input *input, struct perf_export_scan *scan, struct diag *diag)
{
    struct context_set contexts = {.mask = 2 * MAX_CONTEXTS - 1};
    struct pool pool = {NULL, 0};
    size_t capacity = 0;

    memset(scan, 0, sizeof *scan);
    scan->first_time = UINT64_MAX;
    for (size_t i = 0; i < input->n_buffers; i++) {
        if (input->buffers[i].core >= MAX_CORES) {
            diag_say(diag, DIAG_ERROR, "there is no core %u: at most %u", (unsigned)input->buffers[i].core, MAX_CORES);
            return false;
        }
        scan->buffers = array_grow(scan->buffers, scan->n_buffers, &capacity, sizeof *scan->buffers);
        memset(&scan->buffers[scan->n_buffers], 0, sizeof *scan->buffers);
        scan->buffers[scan->n_buffers++].input = &input->buffers[i];
    }
    if (!scan->n_buffers) {
        diag_say(diag, DIAG_ERROR, "there is no SPE buffer to export");
        return false;
    }
    qsort(scan->buffers, scan->n_buffers, sizeof *scan->buffers, by_core);
    contexts.slots = pool_take(&pool, (contexts.mask + 1) * sizeof *contexts.slots);
    scan_cores(scan, &contexts);
    sorted_contexts(&contexts, scan);
    pool_free(&pool);
    scan->n_cpus = scan->buffers[scan->n_buffers - 1].input->core + 1;
    if (scan->first_time > scan->last_time)
        scan->first_time = scan->last_time;
    return true;
}

void perf_export_scan_free(struct perf_export_scan *scan)
{
    free(scan->buffers);
    free(scan->cores);
    free(scan->contexts);
    memset(scan, 0, sizeof *scan);
}

void perf_export_settle(uint8_t *bytes, size_t len, uint64_t base, uint64_t position)
{
    bool after_bad = false;

    for (size_t at = 0; at < len;) {
        struct sl_spe_packet packet;

        sl_spe_packet_read(bytes + at, len - at, base + at, &packet);
        if (packet.kind == SL_SPE_BAD) {
            if (len % 8 != 0)
                bytes[at] = BAD_BYTE;
        } else if (packet.kind == SL_SPE_PAD && bytes[at] != 0) {
            uint32_t align = (uint32_t)2 << (bytes[at] & 15u);
            if (align > PAGE_BYTES || (base - position) % align != 0) {
                memset(bytes + at, 0, packet.len_bytes);
                if (after_bad) /* it must not become the header of an alignment packet */
                    bytes[at - 1] = BAD_BYTE;
            }
        }
        after_bad = packet.kind == SL_SPE_BAD;
        at += packet.len_bytes;
    }
}

/* ---- program images -------------------------------------------------------------------------------------------------
 */

static bool read_segments(const struct elf_file *elf, uint64_t base, struct perf_export_segment **segments, size_t *n)
{
    size_t count = 0, capacity = 0;

    *segments = NULL;
    *n = 0;
    if (elf_getphdrnum(elf->handle, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf->handle, (int)i, &header))
            return false;
        if (header.p_type != PT_LOAD || header.p_memsz == 0)
            continue;
        *segments = array_grow(*segments, *n, &capacity, sizeof **segments);
        (*segments)[(*n)++] = (struct perf_export_segment){
            .start = base + header.p_vaddr,
            .len = header.p_memsz,
            .offset = header.p_offset,
            .protection =
                (header.p_flags & PF_R ? 1u : 0) | (header.p_flags & PF_W ? 2u : 0) | (header.p_flags & PF_X ? 4u : 0),
            .executable = header.p_flags & PF_X,
        };
    }
    return *n > 0;
}

bool perf_export_segments(const struct perf_export_program *program, struct perf_export_segment **segments, size_t *n,
                          struct diag *diag)
{
    struct file file;
    struct elf_file elf;
    bool ok = false;

    if (!file_read(&file, program->path, diag))
        return false;
    if (elf_open(&elf, file.name, file.data, file.size, diag)) {
        ok = read_segments(&elf, program->base, segments, n);
        if (!ok) {
            diag_at_offset(diag, file.name, 0, "no loaded segment in this ELF file's program headers");
            free(*segments);
        }
        elf_close(&elf);
    }
    file_free(&file);
    return ok;
}
