/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's state, shared by the perf_*.c files only. */
#ifndef HOSTED_IO_PERF_INTERNAL_H
#define HOSTED_IO_PERF_INTERNAL_H

#include "perf_data.h"
#include "perf_format.h"
#include "pool.h"

/* For code that a constant argument makes small. */
#define PERF_INLINE inline __attribute__((always_inline))

/* ---- numbers of the file, in its byte order ---- */

static inline uint16_t perf_u16(bool swap, const uint8_t *p)
{
    return swap ? __builtin_bswap16(sl_get_u16le(p)) : sl_get_u16le(p);
}

static inline uint32_t perf_u32(bool swap, const uint8_t *p)
{
    return swap ? __builtin_bswap32(sl_get_u32le(p)) : sl_get_u32le(p);
}

static inline uint64_t perf_u64(bool swap, const uint8_t *p)
{
    return swap ? __builtin_bswap64(sl_get_u64le(p)) : sl_get_u64le(p);
}

/* A reader that stops at the end: `bad` is set by the first read that would pass it, and all reads give 0 from then on.
 */
struct perf_cursor {
    const uint8_t *at, *end;
    bool swap, bad;
};

uint32_t perf_cursor_u32(struct perf_cursor *cursor);
uint64_t perf_cursor_u64(struct perf_cursor *cursor);
/* A string of the header: length word, then bytes up to the first NUL. NULL with `bad` set. */
const char *perf_cursor_string(struct perf_cursor *cursor, struct pool *pool);

/* ---- where the words of a sample are ---- */

#define PERF_NO_WORD 0xffu

struct perf_layout {
    bool simple; /* all words up to the last wanted one have fixed places */
    uint8_t identifier, ip, tid, time, addr, id, cpu, period; /* word numbers in a sample's body, or PERF_NO_WORD */
    uint8_t weight, data_src, phys_addr;                      /* only when simple */
    uint8_t n_fixed;                                          /* words of the part that every sample has */
    uint8_t n_words;                                          /* simple: all of them */
    uint8_t trailer_words;                                    /* of the sample_id trailer of other records */
    uint8_t trailer_time, trailer_cpu, trailer_tid;           /* words from the end, 1 = last; 0: none */
    uint64_t weight_mask;
    uint8_t regs_user, regs_intr; /* words of a register dump */
};

struct perf_event_state {
    uint64_t read_format, regs_user, regs_intr;
    struct perf_layout layout;
};

/* Event by id. */
struct perf_id_slot {
    uint64_t id;
    uint32_t event; /* index + 1; 0: free */
    uint64_t count; /* of the event when this id was last read */
};

/* The counts that a sample with PERF_S_READ holds: perf makes a sample of each that has grown, with the growth as its
 * period, and none of the others. */
struct perf_reads {
    struct {
        uint64_t id, count;
    } * items;
    size_t n, capacity;
    size_t next;              /* to be delivered; n: none is left */
    struct sl_mem_sample mem; /* the fields they share */
};

/* ---- records that wait for their turn ---- */

#define PERF_REF_BITS   48u
#define PERF_REF_MASK   (((uint64_t)1 << PERF_REF_BITS) - 1)
#define PERF_REF_EVENT  0x7fffu             /* event unknown: look it up again */
#define PERF_REF_SAMPLE ((uint64_t)1 << 63) /* a SAMPLE record that may be skipped */

struct perf_queued {
    uint64_t time;
    uint64_t ref; /* address of the record, and above it the index of its event, and PERF_REF_SAMPLE */
};

struct perf_queue {
    struct perf_queued *entries, *spare;
    size_t n, capacity, spare_capacity;
    size_t head, deliver_end; /* [head, deliver_end) are being delivered */
    bool sorted;
    uint64_t newest; /* time of the latest entry */
    uint64_t max_time, next_flush;
    uint64_t last_delivered;
};

/* Copies of records that the file's mapping does not hold. */
struct perf_block {
    struct perf_block *next;
    size_t used;
    uint32_t live; /* records not yet delivered */
    bool open;     /* takes more records */
};

/* ---- a stream that cannot be mapped ---- */
struct perf_stream {
    uint8_t *buffer;
    size_t begin, end, capacity;
    uint64_t offset; /* of buffer[begin] in the stream */
    bool eof;
};

struct perf_unpacker; /* perf_zstd.c */
struct perf_spe;      /* perf_spe.c */

struct perf_memory_range {
    uint64_t start, end;
    int32_t node;
};

struct perf_maps_array {
    size_t n_users, n, capacity;
    struct perf_map *items[];
};

struct perf_maps {
    struct perf_maps_array *array; /* NULL: empty; never changed while others use it, too */
    const struct perf_map *last_code, *last_data;
    struct perf_maps *next; /* all of the recording */
};

struct perf_machine {
    struct perf_thread **threads; /* by task id: open addressing */
    size_t n_slots, n_used;
    uint32_t n_threads;
    uint64_t n_changes; /* of the threads, by samples among others */
    struct perf_maps kernel_maps;
    struct perf_maps *all_maps;
    size_t n_map_slots;           /* room taken by all arrays of maps */
    struct perf_dso_entry **dsos; /* by name: chained */
    size_t n_dso_slots;
    uint32_t n_dsos;
    struct perf_dso_entry *all_dsos;
    struct perf_dso *kernel;
    const char *kernel_reference; /* symbol whose address tells where the kernel was loaded, or NULL */
    uint64_t kernel_reference_address;
    uint64_t kernel_start;
};

struct perf_dso_entry {
    struct perf_dso dso;
    struct perf_dso_entry *next, *next_all;
};

enum perf_phase { PERF_PHASE_READING, PERF_PHASE_FINAL_FLUSH, PERF_PHASE_AUX_FLUSH, PERF_PHASE_DONE };

struct perf_data {
    struct pool pool;
    struct diag *diag;
    const char *name;
    struct perf_data_options options;
    int fd;
    const uint8_t *map;
    uint64_t map_size;
    bool map_is_given; /* the caller's memory, not a mapping */
    bool swap;
    int status;
    bool failed;
    struct perf_info info;
    struct perf_losses losses;

    uint64_t attrs_offset, attrs_size, attr_entry_size, data_offset, data_size;
    uint64_t features[4];

    struct perf_event *events;
    struct perf_event_state *states;
    size_t events_capacity, states_capacity;
    struct perf_id_slot *ids;
    size_t n_id_slots, n_ids;
    uint8_t sample_id_word, trailer_id_word; /* PERF_NO_WORD / 0: none */
    bool ids_known;                          /* the two above are computed */

    int32_t *cpu_nodes; /* [info.n_cpus_available] */
    bool numa_ok;
    struct perf_memory_range *memory;
    size_t n_memory;
    size_t last_memory;
    uint64_t (*aux_index)[2];
    uint64_t n_aux_index;
    uint32_t compressed_room; /* bytes that one compressed record may become; 0: feature is missing */

    enum perf_phase phase;
    uint64_t position, data_end;
    uint64_t touched; /* bytes since pages of the mapping were given back */
    struct perf_stream stream;
    struct perf_unpacker *unpacker;
    struct perf_queue queue;
    struct perf_block *blocks, *free_blocks;
    struct perf_machine machine;
    struct perf_spe *spe;
    uint64_t time_conv[5]; /* shift, mult, zero, cycles, mask */
    bool has_time_conv, time_conv_wraps;
    bool reported_unknown;

    const uint8_t *pending; /* record whose AUX data older than it are being delivered */
    uint32_t pending_event;
    uint64_t pending_offset;
    bool pending_queued;
    uint64_t n_sample_records; /* delivered or skipped */
    const uint32_t *skip;      /* bit set [n_skip] of these */
    uint64_t n_skip;
    struct perf_reads reads;
    uint64_t *chain; /* call chain in the host's byte order */
    size_t chain_capacity;
};

/* Reports once, at an offset of the file, and ends the reading. Returns false. */
bool perf_fail(struct perf_data *data, int status, uint64_t offset, const char *format, ...) DIAG_PRINTF(4, 5);

/* perf_header.c */
bool perf_header_read(struct perf_data *data);
/* One attribute at `cursor` (of `bytes` bytes at most) with its ids; used by HEADER_ATTR, too. */
bool perf_header_attribute(struct perf_data *data, const uint8_t *attr, size_t attr_bytes, const uint8_t *ids,
                           size_t n_ids);
/* Places of ids, once all events are known. false: the events disagree (reported). */
bool perf_header_check_events(struct perf_data *data);

/* perf_feature.c */
void perf_features_read(struct perf_data *data);
/* false: this feature's reader fails. */
bool perf_feature_read(struct perf_data *data, unsigned bit, const uint8_t *at, uint64_t size, const uint8_t *end);
void perf_build_id_record(struct perf_data *data, const uint8_t *record, size_t size);

/* perf_event.c */
void perf_event_layout(struct perf_data *data, uint32_t event);
void perf_event_default_name(struct perf_data *data, uint32_t event);
void perf_event_add_id(struct perf_data *data, uint64_t id, uint32_t event);
/* Index of the event with this id, or PERF_NO_EVENT. */
#define PERF_NO_EVENT UINT32_MAX
struct perf_id_slot *perf_event_slot(const struct perf_data *data, uint64_t id); /* NULL: no such id */
uint32_t perf_event_by_id(const struct perf_data *data, uint64_t id);
/* Event of a record; PERF_NO_EVENT: the record's id cannot be read, or is unknown. */
uint32_t perf_event_of_record(const struct perf_data *data, const uint8_t *record, size_t size);
/* Time of a record; all ones: none. false: too short. */
bool perf_event_time(const struct perf_data *data, uint32_t event, const uint8_t *record, size_t size, uint64_t *time);
/* Fields of a SAMPLE record. false: too short. */
bool perf_event_sample(struct perf_data *data, uint32_t event, const uint8_t *record, size_t size,
                       struct sl_mem_sample *sample);
/* CPU of the trailer of another record; SL_MEM_NO_CPU: none. */
uint32_t perf_event_trailer_cpu(const struct perf_data *data, uint32_t event, const uint8_t *record, size_t size);

/* perf_input.c */
enum perf_input { PERF_INPUT_RECORD, PERF_INPUT_END, PERF_INPUT_FAILED };
/* The next record of the data section or the stream. `*stable`: stays where it is until the recording is closed. */
enum perf_input perf_input_next(struct perf_data *data, const uint8_t **record, size_t *size, uint64_t *offset,
                                bool *stable);
/* Skips bytes behind the record that was read last; NULL when the file ends before (reported). The bytes stay. */
const uint8_t *perf_input_payload(struct perf_data *data, uint64_t size, uint64_t offset);
bool perf_input_is_mapped(const struct perf_data *data, const uint8_t *at);
/* Gives back the pages behind the reader now and then. */
void perf_input_trim(struct perf_data *data, uint64_t touched);
void perf_input_free(struct perf_data *data);
bool perf_stream_fill(struct perf_data *data, size_t need);

/* perf_zstd.c */
/* Adds one chunk. false: it cannot be decompressed. */
bool perf_unpack(struct perf_data *data, const uint8_t *chunk, size_t size, uint64_t offset);
/* Next complete record of what was unpacked; NULL: none. */
const uint8_t *perf_unpacked_next(struct perf_data *data, size_t *size, uint64_t *offset);
void perf_unpack_free(struct perf_data *data);

/* perf_queue.c */
void perf_queue_add(struct perf_data *data, uint64_t time, const uint8_t *record, size_t size, uint64_t offset,
                    uint32_t event, bool stable);
/* A SAMPLE record of the mapped file, whose event is known. */
void perf_queue_add_sample(struct perf_data *data, uint64_t time, const uint8_t *record, uint32_t event);
void perf_queue_round(struct perf_data *data);
void perf_queue_flush_all(struct perf_data *data);
/* Next record to deliver; NULL: none. Give it back by perf_queue_done. */
const uint8_t *perf_queue_next(struct perf_data *data, uint32_t *event, uint64_t *offset);
void perf_queue_done(struct perf_data *data, const uint8_t *record);
void perf_queue_free(struct perf_data *data);

/* perf_maps.c */
/* false: there are too many (reported by the caller). */
bool perf_maps_insert(struct perf_data *data, struct perf_maps *maps, struct perf_map *map);
const struct perf_map *perf_maps_find(struct perf_maps *maps, uint64_t address, bool code);
bool perf_maps_copy(struct perf_data *data, struct perf_maps *to, const struct perf_maps *from);
void perf_maps_remove(struct perf_data *data, struct perf_maps *maps, uint64_t start);
struct perf_maps *perf_maps_new(struct perf_data *data);
void perf_maps_free(struct perf_data *data);

/* perf_machine.c: threads, images */
void perf_machine_init(struct perf_data *data);
struct perf_thread *perf_thread_get(struct perf_data *data, int32_t pid, int32_t tid);
struct perf_thread *perf_thread_find(struct perf_data *data, int32_t tid);
/* A new one in the place of what has this id. */
struct perf_thread *perf_thread_fresh(struct perf_data *data, int32_t pid, int32_t tid);
struct perf_dso *perf_dso_get(struct perf_data *data, const char *name, const struct perf_dso *identity);
struct perf_dso *perf_dso_by_name(struct perf_data *data, const char *name);

/* perf_tool.c: records of the recorder, type PERF_REC_TOOL_MIN or more. false: reported. */
bool perf_tool_record(struct perf_data *data, uint32_t type, const uint8_t *record, size_t size, uint64_t offset);

/* perf_sideband.c: records that change threads, maps and images. false: reported. */
bool perf_sideband(struct perf_data *data, uint32_t type, const uint8_t *record, size_t size, uint64_t offset);

/* perf_sample.c */
void perf_sample_resolve(struct perf_data *data, struct perf_sample *sample);

/* perf_symbols.c */
void perf_symbols_free(struct perf_data *data);

/* perf_spe.c */
bool perf_spe_info(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset);
bool perf_spe_buffer(struct perf_data *data, const uint8_t *record, size_t size, uint64_t offset);
/* Prepares the samples that come before a record, or (type PERF_REC_FINISHED_ROUND) all that are left. */
bool perf_spe_before(struct perf_data *data, uint32_t type, uint32_t event, const uint8_t *record, size_t size);
/* The next of them. 0: none is left; 1: there is one; -1: reported. */
int perf_spe_next(struct perf_data *data, struct perf_sample *sample);
/* After them: what the record itself tells about threads. */
void perf_spe_after(struct perf_data *data, uint32_t type, uint32_t event, const uint8_t *record, size_t size);
void perf_spe_free(struct perf_data *data);

#endif
