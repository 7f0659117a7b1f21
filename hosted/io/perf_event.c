/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a recording, and the fields of their records (perf_event_open(2), "PERF_RECORD_SAMPLE" and "sample_id"). */
#include <stdlib.h>
#include <string.h>

#include "perf_internal.h"

#define HEADER_BYTES 8u

/* ---- ids ---- */

static size_t id_slot(const struct perf_data *data, uint64_t id)
{
    size_t mask = data->n_id_slots - 1;
    size_t slot = (size_t)((id * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (data->ids[slot].event && data->ids[slot].id != id)
        slot = (slot + 1) & mask;
    return slot;
}

uint32_t perf_event_by_id(const struct perf_data *data, uint64_t id)
{
    if (!data->n_id_slots)
        return PERF_NO_EVENT;
    /* 0 - 1: PERF_NO_EVENT. */
    return data->ids[id_slot(data, id)].event - 1;
}

struct perf_id_slot *perf_event_slot(const struct perf_data *data, uint64_t id)
{
    struct perf_id_slot *slot = data->n_id_slots ? &data->ids[id_slot(data, id)] : NULL;
    return slot && slot->event ? slot : NULL;
}

static void grow_ids(struct perf_data *data)
{
    struct perf_id_slot *old = data->ids;
    size_t n_old = data->n_id_slots;
    data->n_id_slots = n_old ? n_old * 2 : 64;
    data->ids = pool_take(&data->pool, data->n_id_slots * sizeof *data->ids);
    for (size_t i = 0; i < n_old; i++) {
        if (old[i].event)
            data->ids[id_slot(data, old[i].id)] = old[i];
    }
}

void perf_event_add_id(struct perf_data *data, uint64_t id, uint32_t event)
{
    struct perf_id_slot *slot;
    if (2 * (data->n_ids + 1) > data->n_id_slots)
        grow_ids(data);
    slot = &data->ids[id_slot(data, id)];
    /* Of two events with one id the first is found. */
    if (slot->event)
        return;
    slot->id = id;
    slot->event = event + 1;
    data->n_ids++;
}

/* ---- layouts ---- */

static uint8_t take_word(uint8_t *at, uint64_t sample_type, uint64_t bit)
{
    return sample_type & bit ? (*at)++ : (uint8_t)PERF_NO_WORD;
}

static void layout_fixed(struct perf_layout *layout, uint64_t type, uint8_t *at)
{
    layout->identifier = take_word(at, type, PERF_S_IDENTIFIER);
    layout->ip = take_word(at, type, PERF_S_IP);
    layout->tid = take_word(at, type, PERF_S_TID);
    layout->time = take_word(at, type, PERF_S_TIME);
    layout->addr = take_word(at, type, PERF_S_ADDR);
    layout->id = take_word(at, type, PERF_S_ID);
    (void)take_word(at, type, PERF_S_STREAM_ID);
    layout->cpu = take_word(at, type, PERF_S_CPU);
    layout->period = take_word(at, type, PERF_S_PERIOD);
    layout->n_fixed = *at;
}

static void layout_trailer(struct perf_layout *layout, uint64_t type)
{
    uint8_t n = 0;
    n = (uint8_t)(n + !!(type & PERF_S_IDENTIFIER));
    if (type & PERF_S_CPU)
        layout->trailer_cpu = ++n;
    n = (uint8_t)(n + !!(type & PERF_S_STREAM_ID));
    n = (uint8_t)(n + !!(type & PERF_S_ID));
    if (type & PERF_S_TIME)
        layout->trailer_time = ++n;
    if (type & PERF_S_TID)
        layout->trailer_tid = ++n;
    layout->trailer_words = n;
}

void perf_event_layout(struct perf_data *data, uint32_t event)
{
    const uint64_t variable = PERF_S_READ | PERF_S_CALLCHAIN | PERF_S_RAW | PERF_S_BRANCH_STACK | PERF_S_REGS_USER |
                              PERF_S_STACK_USER | PERF_S_REGS_INTR | PERF_S_AUX;
    struct perf_event_state *state = &data->states[event];
    struct perf_layout *layout = &state->layout;
    uint64_t type = data->events[event].sample_type;
    uint8_t at = 0;
    memset(layout, 0, sizeof *layout);
    layout_fixed(layout, type, &at);
    layout->simple = !(type & variable);
    layout->weight = take_word(&at, type & PERF_S_WEIGHT ? PERF_S_WEIGHT : type,
                               type & PERF_S_WEIGHT ? PERF_S_WEIGHT : PERF_S_WEIGHT_STRUCT);
    /* The kernel has one of the two; the structure's low half is the latency of the access. */
    layout->weight_mask = type & PERF_S_WEIGHT ? UINT64_MAX : UINT32_MAX;
    layout->data_src = take_word(&at, type, PERF_S_DATA_SRC);
    (void)take_word(&at, type, PERF_S_TRANSACTION);
    layout->phys_addr = take_word(&at, type, PERF_S_PHYS_ADDR);
    layout->n_words = at;
    layout->regs_user = (uint8_t)sl_popcount64(state->regs_user);
    layout->regs_intr = (uint8_t)sl_popcount64(state->regs_intr);
    if (data->events[event].flags & PERF_A_SAMPLE_ID_ALL)
        layout_trailer(layout, type);
}

/* ---- records ---- */

uint32_t perf_event_of_record(const struct perf_data *data, const uint8_t *record, size_t size)
{
    size_t n_words = (size - HEADER_BYTES) / 8;
    bool is_sample = perf_u32(data->swap, record) == PERF_REC_SAMPLE;
    size_t word;
    uint64_t id;
    if (!data->info.n_events)
        return PERF_NO_EVENT;
    if (data->info.n_events == 1)
        return 0;
    if (!is_sample && !(data->events[0].flags & PERF_A_SAMPLE_ID_ALL))
        return 0;
    if (is_sample) {
        word = data->sample_id_word;
        if (word >= n_words)
            return PERF_NO_EVENT;
    } else {
        if (!data->trailer_id_word || data->trailer_id_word > n_words)
            return PERF_NO_EVENT;
        word = n_words - data->trailer_id_word;
    }
    id = perf_u64(data->swap, record + HEADER_BYTES + 8 * word);
    /* Records made up by the recorder have no id. */
    return id ? perf_event_by_id(data, id) : 0;
}

bool perf_event_time(const struct perf_data *data, uint32_t event, const uint8_t *record, size_t size, uint64_t *time)
{
    const struct perf_layout *layout = &data->states[event].layout;
    size_t n_words = (size - HEADER_BYTES) / 8;
    *time = UINT64_MAX;
    if (perf_u32(data->swap, record) == PERF_REC_SAMPLE) {
        if (layout->time == PERF_NO_WORD)
            return true;
        if (layout->time >= n_words)
            return false;
        *time = perf_u64(data->swap, record + HEADER_BYTES + 8u * layout->time);
        return true;
    }
    if (layout->trailer_words > n_words)
        return false;
    if (layout->trailer_time)
        *time = perf_u64(data->swap, record + HEADER_BYTES + 8 * (n_words - layout->trailer_time));
    return true;
}

uint32_t perf_event_trailer_cpu(const struct perf_data *data, uint32_t event, const uint8_t *record, size_t size)
{
    const struct perf_layout *layout = &data->states[event].layout;
    size_t n_words = (size - HEADER_BYTES) / 8;
    if (!layout->trailer_cpu || layout->trailer_words > n_words)
        return SL_MEM_NO_CPU;
    return perf_u32(data->swap, record + HEADER_BYTES + 8 * (n_words - layout->trailer_cpu));
}

static void skip_words(struct perf_cursor *cursor, uint64_t n)
{
    if (n > (uint64_t)(cursor->end - cursor->at) / 8) {
        cursor->bad = true;
        return;
    }
    cursor->at += 8 * n;
}

static void take_count(struct perf_data *data, struct perf_cursor *cursor, uint64_t format, bool has_id, uint64_t count)
{
    struct perf_reads *reads = &data->reads;
    reads->items = array_grow(reads->items, reads->n, &reads->capacity, sizeof *reads->items);
    reads->items[reads->n].count = count;
    reads->items[reads->n].id = has_id ? perf_cursor_u64(cursor) : 0;
    if (format & PERF_READ_LOST)
        (void)perf_cursor_u64(cursor);
    reads->n += !cursor->bad;
}

/* A single count always has its id; those of a group say so in their format. */
static void take_reads(struct perf_data *data, const struct perf_event_state *state, struct perf_cursor *cursor)
{
    uint64_t first = perf_cursor_u64(cursor);
    uint64_t format = state->read_format;
    data->reads.n = data->reads.next = 0;
    skip_words(cursor, !!(format & PERF_READ_TIME_ENABLED) + (uint64_t) !!(format & PERF_READ_TIME_RUNNING));
    if (!(format & PERF_READ_GROUP)) {
        take_count(data, cursor, format, true, first);
        return;
    }
    for (uint64_t i = 0; i < first && !cursor->bad; i++) {
        uint64_t count = perf_cursor_u64(cursor);
        take_count(data, cursor, format, format & PERF_READ_ID, count);
    }
}

static void take_chain(struct perf_data *data, struct perf_cursor *cursor, struct sl_mem_sample *sample)
{
    uint64_t n = perf_cursor_u64(cursor);
    const uint8_t *words = cursor->at;
    skip_words(cursor, n);
    if (cursor->bad)
        return;
    while (n > data->chain_capacity)
        data->chain = array_grow(data->chain, data->chain_capacity, &data->chain_capacity, sizeof *data->chain);
    for (size_t i = 0; i < n; i++)
        data->chain[i] = perf_u64(data->swap, words + 8 * i);
    sample->chain = data->chain;
    sample->chain_len = (uint32_t)n;
}

static void skip_bytes(struct perf_cursor *cursor, uint64_t n)
{
    if (n > (uint64_t)(cursor->end - cursor->at))
        cursor->bad = true;
    else
        cursor->at += n;
}

static void skip_regs(struct perf_cursor *cursor, uint8_t n_regs)
{
    if (perf_cursor_u64(cursor))
        skip_words(cursor, n_regs);
}

static void skip_stack(struct perf_cursor *cursor)
{
    uint64_t n = perf_cursor_u64(cursor);
    if (!n)
        return;
    skip_bytes(cursor, n);
    (void)perf_cursor_u64(cursor);
}

/* What lies between the fixed words and the weight. */
static void variable_parts(struct perf_data *data, uint32_t event, struct perf_cursor *cursor,
                           struct sl_mem_sample *sample)
{
    const struct perf_event_state *state = &data->states[event];
    uint64_t type = data->events[event].sample_type;
    if (type & PERF_S_READ)
        take_reads(data, state, cursor);
    if (type & PERF_S_CALLCHAIN)
        take_chain(data, cursor, sample);
    if (type & PERF_S_RAW)
        skip_bytes(cursor, perf_cursor_u32(cursor));
    if (type & PERF_S_BRANCH_STACK) {
        uint64_t n = perf_cursor_u64(cursor);
        if (data->events[event].branch_sample_type & PERF_BRANCH_HW_INDEX)
            (void)perf_cursor_u64(cursor);
        if (n > UINT16_MAX)
            cursor->bad = true;
        else
            skip_words(cursor, 3 * n);
    }
    if (type & PERF_S_REGS_USER)
        skip_regs(cursor, state->layout.regs_user);
    if (type & PERF_S_STACK_USER)
        skip_stack(cursor);
}

static bool sample_tail(struct perf_data *data, uint32_t event, const uint8_t *record, size_t size,
                        struct sl_mem_sample *sample)
{
    const struct perf_layout *layout = &data->states[event].layout;
    uint64_t type = data->events[event].sample_type;
    struct perf_cursor cursor = {record + HEADER_BYTES + 8u * layout->n_fixed, record + size, data->swap, false};
    variable_parts(data, event, &cursor, sample);
    if (type & (PERF_S_WEIGHT | PERF_S_WEIGHT_STRUCT))
        sample->weight = perf_cursor_u64(&cursor) & layout->weight_mask;
    if (type & PERF_S_DATA_SRC)
        sample->source = perf_cursor_u64(&cursor);
    if (type & PERF_S_TRANSACTION)
        (void)perf_cursor_u64(&cursor);
    if (type & PERF_S_REGS_INTR)
        skip_regs(&cursor, layout->regs_intr);
    if (type & PERF_S_PHYS_ADDR)
        sample->phys_address = perf_cursor_u64(&cursor);
    return !cursor.bad;
}

static inline uint64_t word_or(bool swap, const uint8_t *body, uint8_t word, uint64_t otherwise)
{
    return word == PERF_NO_WORD ? otherwise : perf_u64(swap, body + 8u * word);
}

/* The words that every sample has. */
static PERF_INLINE void fixed_words(const struct perf_data *data, uint32_t event, bool swap, const uint8_t *record,
                                    struct sl_mem_sample *sample)
{
    const struct perf_layout *layout = &data->states[event].layout;
    const uint8_t *body = record + HEADER_BYTES;
    *sample = (struct sl_mem_sample){.pid = SL_MEM_NO_ID, .tid = SL_MEM_NO_ID, .source = SL_MEM_SOURCE_UNKNOWN};
    sample->mode = (uint8_t)(perf_u16(swap, record + 4) & PERF_MISC_CPUMODE);
    sample->event = event;
    sample->ip = word_or(swap, body, layout->ip, 0);
    sample->address = word_or(swap, body, layout->addr, 0);
    sample->time = word_or(swap, body, layout->time, 0);
    sample->period = word_or(swap, body, layout->period, data->events[event].period);
    if (layout->tid != PERF_NO_WORD) {
        sample->pid = perf_u32(swap, body + 8u * layout->tid);
        sample->tid = perf_u32(swap, body + 8u * layout->tid + 4);
    }
    sample->cpu = layout->cpu == PERF_NO_WORD ? SL_MEM_NO_CPU : perf_u32(swap, body + 8u * layout->cpu);
}

/* And those behind them, when all are in fixed places. */
static PERF_INLINE void simple_words(const struct perf_layout *layout, bool swap, const uint8_t *body,
                                     struct sl_mem_sample *sample)
{
    sample->weight = word_or(swap, body, layout->weight, 0) & layout->weight_mask;
    sample->source = word_or(swap, body, layout->data_src, SL_MEM_SOURCE_UNKNOWN);
    sample->phys_address = word_or(swap, body, layout->phys_addr, 0);
}

bool perf_event_sample(struct perf_data *data, uint32_t event, const uint8_t *record, size_t size,
                       struct sl_mem_sample *sample)
{
    const struct perf_layout *layout = &data->states[event].layout;
    const uint8_t *body = record + HEADER_BYTES;
    if (size < HEADER_BYTES + 8u * layout->n_fixed)
        return false;
    /* Two copies of the same, so that the usual byte order costs no test for each word. */
    if (data->swap)
        fixed_words(data, event, true, record, sample);
    else
        fixed_words(data, event, false, record, sample);
    if (!layout->simple)
        return sample_tail(data, event, record, size, sample);
    if (size < HEADER_BYTES + 8u * layout->n_words)
        return false;
    if (data->swap)
        simple_words(layout, true, body, sample);
    else
        simple_words(layout, false, body, sample);
    return true;
}

/* ---- names of events that the file does not name ---- */

static const char *const hardware_names[] = {
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
static const char *const software_names[] = {"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
                                             "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
                                             "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void add_modifiers(struct text *text, uint64_t flags)
{
    bool any = flags & (PERF_A_EXCLUDE_USER | PERF_A_EXCLUDE_KERNEL | PERF_A_EXCLUDE_HV);
    unsigned precise = (unsigned)(flags >> PERF_A_PRECISE_SHIFT) & 3u;
    bool exclude_host = flags & PERF_A_EXCLUDE_HOST, exclude_guest = flags & PERF_A_EXCLUDE_GUEST;
    size_t at;
    text_add_char(text, ':', 1);
    at = text->len;
    if (any) {
        text_add_char(text, 'k', !(flags & PERF_A_EXCLUDE_KERNEL));
        text_add_char(text, 'u', !(flags & PERF_A_EXCLUDE_USER));
        text_add_char(text, 'h', !(flags & PERF_A_EXCLUDE_HV));
    }
    text_add_char(text, 'p', precise);
    if (exclude_host || exclude_guest == (any || precise)) {
        text_add_char(text, 'H', !exclude_host);
        text_add_char(text, 'G', !exclude_guest);
    }
    if (text->len == at)
        text->data[--text->len] = '\0';
}

void perf_event_default_name(struct perf_data *data, uint32_t event)
{
    struct perf_event *named = &data->events[event];
    struct text text = {0};
    switch (named->type) {
    case 0:
        if (named->config < COUNT(hardware_names))
            text_printf(&text, "%s", hardware_names[named->config]);
        else
            text_printf(&text, "unknown-hardware");
        add_modifiers(&text, named->flags);
        break;
    case 1:
        text_printf(&text, "%s",
                    named->config < COUNT(software_names) ? software_names[named->config] : "unknown-software");
        add_modifiers(&text, named->flags);
        break;
    case 2:
        text_printf(&text, "unknown tracepoint");
        break;
    case 4:
        text_printf(&text, "raw 0x%llx", (unsigned long long)named->config);
        add_modifiers(&text, named->flags);
        break;
    default:
        text_printf(&text, "unknown attr type: %u", (unsigned)named->type);
        break;
    }
    named->name = pool_text(&data->pool, text.data, text.len);
    text_free(&text);
}
