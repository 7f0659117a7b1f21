/* SPDX-License-Identifier: Apache-2.0 */
/* Cache-to-cache analysis: memory samples -> cache lines -> accesses to each line, in memory of a chosen size.
 *
 *     sl_c2c_need, memory, sl_c2c_init; sl_c2c_add for each sample; walk sl_c2c_line_at and the entries of each line.
 *
 * Samples share a line when mode, mapped file and address within that file agree, so that two processes that map one
 * file share its lines, and private memory is told apart by process. The samples of a line share an entry when their
 * offset in the line and what the configuration names (instruction, thread, process, image) agree.
 *
 * Bounded memory. When lines or entries run out, the line with the fewest contended samples gives way (the
 * Space-Saving algorithm of Metwally, Agrawal and El Abbadi, ICDT 2005, over the weight HITM + peer):
 *   - contended(line) <= true count <= contended(line) + line->missed_max;
 *   - a line that is not in the table had at most table->missed_max contended samples;
 *   - as long as entries suffice (table->entry_shortages is 0), missed_max <= W / n_lines, W being all contended
 *     samples: every line with more than that is in the table.
 * sl_c2c_totals always counts every sample. Nothing is dropped unnoticed: see sl_c2c_losses.
 *
 * Partial tables merge: sl_c2c_save writes a table in a canonical form, sl_c2c_merge adds one to a table. The result
 * does not depend on the order of merging. Counters are 32 bits wide and wrap, as the reference's do. */
#ifndef SLOTLEDGER_C2C_H
#define SLOTLEDGER_C2C_H

#include <slotledger/mem_sample.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is counted. The first SL_C2C_ENTRY_COUNTERS are kept for each entry, all of them for each line. */
enum sl_c2c_counter {
    SL_C2C_STORE,
    SL_C2C_STORE_L1_HIT,
    SL_C2C_STORE_L1_MISS,
    SL_C2C_STORE_NA,
    SL_C2C_LOAD,
    SL_C2C_LOCAL_HITM,
    SL_C2C_REMOTE_HITM,
    SL_C2C_LOCAL_PEER,
    SL_C2C_REMOTE_PEER,
    SL_C2C_ENTRY_COUNTERS,
    SL_C2C_SAMPLES = SL_C2C_ENTRY_COUNTERS,
    SL_C2C_LOCKED,
    SL_C2C_STORE_UNCACHED,
    SL_C2C_STORE_NO_ADDRESS,
    SL_C2C_LOAD_EXCLUSIVE,
    SL_C2C_LOAD_SHARED,
    SL_C2C_LOAD_UNCACHED,
    SL_C2C_LOAD_IO,
    SL_C2C_LOAD_MISS,
    SL_C2C_LOAD_NO_ADDRESS,
    SL_C2C_LOAD_FILL_BUFFER,
    SL_C2C_LOAD_L1,
    SL_C2C_LOAD_L2,
    SL_C2C_LOAD_LLC,
    SL_C2C_REMOTE_HIT,
    SL_C2C_LOCAL_DRAM,
    SL_C2C_REMOTE_DRAM,
    SL_C2C_BLOCKED_DATA,
    SL_C2C_BLOCKED_ADDRESS,
    SL_C2C_NO_MAP,
    SL_C2C_NOT_PARSED,
    SL_C2C_COUNTERS
};

struct sl_c2c_stats {
    uint32_t n[SL_C2C_COUNTERS];
};

/* Sums of counters, in 32 bits. */
uint32_t sl_c2c_llc_misses(const struct sl_c2c_stats *stats);
uint32_t sl_c2c_loads(const struct sl_c2c_stats *stats);   /* that hit anywhere or missed the last level */
uint32_t sl_c2c_records(const struct sl_c2c_stats *stats); /* the same plus stores with a known level */

/* What one sample counts for: one more of each counter in `once`, another one of each in `twice`. */
struct sl_c2c_class {
    uint32_t once, twice; /* bit sets of enum sl_c2c_counter */
};

/* mapped: both the data address and the instruction belong to a known map. */
struct sl_c2c_class sl_c2c_classify(uint64_t source, bool has_address, bool mapped);

/* The kind of load that a latency belongs to; a sample has one. */
enum sl_c2c_latency {
    SL_C2C_LATENCY_REMOTE_HITM,
    SL_C2C_LATENCY_LOCAL_HITM,
    SL_C2C_LATENCY_REMOTE_PEER,
    SL_C2C_LATENCY_LOCAL_PEER,
    SL_C2C_LATENCY_LOAD,
    SL_C2C_LATENCIES,
    SL_C2C_LATENCY_NONE = SL_C2C_LATENCIES
};

/* By what, besides the offset, the samples of a line are told apart; also the order of entries. */
enum sl_c2c_key { SL_C2C_KEY_END, SL_C2C_KEY_IP, SL_C2C_KEY_TID, SL_C2C_KEY_PID, SL_C2C_KEY_IMAGE };
#define SL_C2C_MAX_KEYS 4

enum sl_c2c_metric { SL_C2C_TOTAL_HITM, SL_C2C_METRIC_REMOTE, SL_C2C_METRIC_LOCAL, SL_C2C_METRIC_PEER };

struct sl_c2c_config {
    uint32_t line_bytes;           /* a power of two from 16 to 4096; 0: 64 */
    uint32_t n_cpus;               /* CPUs 0 .. n_cpus - 1 are told apart; 0: 64 */
    uint32_t n_nodes;              /* NUMA nodes, likewise; 0: none */
    uint8_t keys[SL_C2C_MAX_KEYS]; /* enum sl_c2c_key; no key twice */
    uint8_t metric;                /* enum sl_c2c_metric: what is counted for each node */
    bool node_counts;              /* keep for each entry and node the metric and the stores */
    bool mergeable;                /* keep what sl_c2c_save needs */
    bool lines_only;               /* no entries: sl_c2c_add stops at the line; see sl_c2c_add_entry */
    uint32_t entry_extra_bytes;    /* the caller's own part of each entry: zero-filled when the entry is new */
    uint32_t max_lines;            /* at least 1 */
    uint32_t max_entries;          /* at least 1 */
};

/* place.flags */
#define SL_C2C_DATA_MAPPED 1u /* the data address belongs to a known map */
#define SL_C2C_SHARED      2u /* ... which is a shared one */
#define SL_C2C_BOTH_MAPPED 4u /* so does the instruction */

#define SL_C2C_NO_IMAGE 0xffffffffu
#define SL_C2C_NO_NODE  0xffffffffu

/* What the caller knows of a sample beyond the sample itself. The numbers of threads, code and images are the
 * caller's: those of the first sample are kept. */
struct sl_c2c_place {
    uint64_t data_address;      /* within the mapped file; the raw address when it is not mapped */
    uint64_t inode, generation; /* identity of the mapped file; all 0: anonymous */
    uint32_t major, minor;
    uint32_t thread, code;
    uint32_t image;       /* equal numbers are equal names; SL_C2C_NO_IMAGE */
    uint32_t memory_node; /* that owns the physical address; SL_C2C_NO_NODE: not known, and the address is ignored */
    uint32_t cpu_node;
    uint32_t flags; /* SL_C2C_* above */
};

/* The identity of a line; in the table's key order by member, top to bottom (generation is compared only when both
 * sides have one). */
struct sl_c2c_line_key {
    uint32_t mode;
    uint32_t unmapped;
    uint32_t major, minor;
    uint64_t inode, generation;
    uint32_t pid;     /* of private anonymous memory; 0 otherwise */
    uint64_t address; /* of the line in the mapped file */
};

#define SL_C2C_NONE 0xffffffffu

struct sl_c2c_line {
    struct sl_c2c_line_key key;
    uint64_t period; /* sum over its samples */
    uint64_t last_phys;
    struct sl_c2c_stats stats;
    uint64_t address;      /* raw data address of the first sample */
    uint64_t first_time;   /* of the first sample */
    uint32_t phys_changes; /* perf's "PA cnt": how often the physical address was another than before */
    uint32_t missed_max;   /* contended samples that may be missing from the counts */
    uint32_t first_entry;  /* newest first; SL_C2C_NONE ends */
    uint32_t n_entries;
    uint32_t hash;
    uint32_t heap_at;
    /* then the bit sets of CPUs and of memory nodes */
};

struct sl_c2c_entry {
    uint64_t ip;
    uint64_t last_phys;
    uint32_t line;     /* index; SL_C2C_NONE: the entry is free */
    uint32_t next;     /* of the same line */
    uint32_t pid, tid; /* these and the next four are those of the first sample */
    uint32_t thread, code, image;
    uint16_t offset;       /* raw address within the line: part of the identity */
    uint16_t shown_offset; /* address in the mapped file, within the line */
    uint32_t phys_changes;
    uint32_t n[SL_C2C_ENTRY_COUNTERS];
    uint32_t samples;
    uint32_t records; /* sl_c2c_records of its samples */
    uint32_t latency_samples[SL_C2C_LATENCIES];
    uint32_t flags; /* SL_C2C_ENTRY_* */
    /* then bit sets of CPUs and of memory nodes, node counts, what merging needs, the caller's bytes */
};

#define SL_C2C_MANY_THREADS 1u /* samples of more than one thread */

struct sl_c2c_node_count {
    uint32_t metric, stores;
};

/* What merging needs beyond the counts. */
struct sl_c2c_entry_sums {
    uint64_t first_time;
    uint64_t latency_cycles[SL_C2C_LATENCIES]; /* sums of weights */
};

/* What the bounds cost. */
struct sl_c2c_losses {
    uint32_t missed_max; /* a line that is not in the table had at most so many contended samples */
    uint32_t lines_evicted;
    uint32_t entries_evicted;
    uint64_t samples_evicted;  /* that were counted in lines evicted later */
    uint32_t entry_shortages;  /* lines evicted for want of entries */
    uint64_t samples_unplaced; /* counted in their line but in no entry: a single line outgrew all entries */
};

struct sl_c2c_slot {
    uint32_t hash, index_plus_1;
};

struct sl_c2c_slots {
    struct sl_c2c_slot *at;
    uint32_t mask; /* size in use - 1 */
    uint32_t max_mask;
    uint32_t used;
};

struct sl_c2c {
    struct sl_c2c_config config;
    struct sl_c2c_stats evicted; /* of lines that had to go */
    struct sl_c2c_losses losses; /* public */
    uint32_t n_lines, n_entries; /* public: in use */
    size_t missing_bytes;        /* after SL_E_ROOM of init */
    uint64_t error_offset;       /* after SL_E_DATA and SL_E_TRUNCATED of merge: in the blob */
    /* Private. */
    unsigned char *lines, *entries;
    uint32_t line_stride, entry_stride;
    uint32_t cpu_words, node_words;
    uint32_t key_bits;                 /* bit set of enum sl_c2c_key */
    uint32_t lines_top, entries_top;   /* records ever used */
    uint32_t free_lines, free_entries; /* heads of lists */
    struct sl_c2c_slots line_slots, entry_slots;
    uint32_t *heap; /* of lines by contended + missed_max; in use when heap_on */
    bool heap_on;
};

/* Bytes for a table, exact but for alignment; SIZE_MAX for a configuration that init refuses. */
size_t sl_c2c_need(const struct sl_c2c_config *config);
/* Memory is written only as it comes into use. SL_E_ARGUMENT, SL_E_ROOM. */
enum sl_status sl_c2c_init(struct sl_c2c *t, const struct sl_c2c_config *config, void *mem,
                           size_t mem_bytes) SL_MUST_CHECK;

/* Where a sample went. Pointers are good until the next add. */
struct sl_c2c_added {
    struct sl_c2c_line *line;
    struct sl_c2c_entry *entry; /* NULL: no room (samples_unplaced) */
    uint32_t latency;           /* enum sl_c2c_latency */
    bool new_entry;
};

/* place NULL: addresses are all that is known (a board without an operating system). */
void sl_c2c_add(struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                struct sl_c2c_added *added);

/* The same in three steps, for hosts where memory is far away: prepare some samples ahead of the one being added, then
 * fetch, then add. Steps one and two change nothing; other samples may be added in between. */
struct sl_c2c_hint {
    struct sl_c2c_line_key line;
    uint32_t line_hash, entry_hash;
};

void sl_c2c_prepare(const struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                    struct sl_c2c_hint *hint);
void sl_c2c_fetch(const struct sl_c2c *t, const struct sl_c2c_hint *hint);
void sl_c2c_add_prepared(struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                         const struct sl_c2c_hint *hint, struct sl_c2c_added *added);

/* The entry of a sample alone, its line being in the table and its counts done with: a second pass over a recording
 * that is interested in some lines only. The pass before had lines_only set, and so has the table. added->line is
 * given. */
void sl_c2c_add_entry(struct sl_c2c *t, const struct sl_mem_sample *sample, const struct sl_c2c_place *place,
                      const struct sl_c2c_hint *hint, struct sl_c2c_added *added);
/* Index of the line of a prepared sample, or SL_C2C_NONE. */
uint32_t sl_c2c_line_of(const struct sl_c2c *t, const struct sl_c2c_hint *hint);

/* Sums over all samples, evicted lines included. */
void sl_c2c_totals(const struct sl_c2c *t, struct sl_c2c_stats *totals);

/* Line and entry by index < lines_top / entries_top; NULL for a free one. */
static inline struct sl_c2c_line *sl_c2c_line_at(const struct sl_c2c *t, uint32_t index)
{
    return (struct sl_c2c_line *)(void *)(t->lines + (size_t)index * t->line_stride);
}

static inline struct sl_c2c_entry *sl_c2c_entry_at(const struct sl_c2c *t, uint32_t index)
{
    return (struct sl_c2c_entry *)(void *)(t->entries + (size_t)index * t->entry_stride);
}

/* The next line in use at or behind *cursor, which moves behind it; NULL at the end. Start with 0. */
struct sl_c2c_line *sl_c2c_next_line(const struct sl_c2c *t, uint32_t *cursor);

/* Contended samples: HITM and peer. */
static inline uint32_t sl_c2c_contended(const struct sl_c2c_line *line)
{
    const uint32_t *n = line->stats.n;
    return n[SL_C2C_LOCAL_HITM] + n[SL_C2C_REMOTE_HITM] + n[SL_C2C_LOCAL_PEER] + n[SL_C2C_REMOTE_PEER];
}

/* The parts behind a record. Sets: bit sets of config.n_cpus and config.n_nodes bits in 32-bit words. */
static inline uint32_t *sl_c2c_line_cpus(const struct sl_c2c_line *line)
{
    return (uint32_t *)(uintptr_t)(line + 1);
}

static inline uint32_t *sl_c2c_line_nodes(const struct sl_c2c *t, const struct sl_c2c_line *line)
{
    return sl_c2c_line_cpus(line) + t->cpu_words;
}

static inline uint32_t *sl_c2c_entry_cpus(const struct sl_c2c_entry *entry)
{
    return (uint32_t *)(uintptr_t)(entry + 1);
}

static inline uint32_t *sl_c2c_entry_nodes(const struct sl_c2c *t, const struct sl_c2c_entry *entry)
{
    return sl_c2c_entry_cpus(entry) + t->cpu_words;
}

/* [n_nodes], or NULL. */
struct sl_c2c_node_count *sl_c2c_entry_node_counts(const struct sl_c2c *t, const struct sl_c2c_entry *entry);
/* NULL unless config.mergeable. */
struct sl_c2c_entry_sums *sl_c2c_entry_sums(const struct sl_c2c *t, const struct sl_c2c_entry *entry);
/* The caller's bytes, 8-byte aligned. */
static inline void *sl_c2c_entry_extra(const struct sl_c2c *t, const struct sl_c2c_entry *entry)
{
    return (unsigned char *)(uintptr_t)entry + t->entry_stride - ((t->config.entry_extra_bytes + 7u) & ~7u);
}

/* Less, equal, greater: < 0, 0, > 0. image_rank: position of each image in the order of names, or NULL: the numbers
 * are in order. */
int sl_c2c_compare_lines(const struct sl_c2c_line *a, const struct sl_c2c_line *b);
int sl_c2c_compare_entries(const struct sl_c2c *t, const struct sl_c2c_entry *a, const struct sl_c2c_entry *b,
                           const uint32_t *image_rank);

/* Sorts [n] numbers by a comparison that knows no ties (heap sort: no extra memory, no recursion). */
typedef int sl_c2c_compare_fn(const void *context, uint32_t a, uint32_t b);
void sl_c2c_sort(uint32_t *numbers, uint32_t n, sl_c2c_compare_fn *compare, const void *context);

/* ---- partial tables -------------------------------------------------------------------------------------------- */

/* New numbers for old ones; NULL: as they are. A number outside its table is SL_E_DATA in merge. */
struct sl_c2c_renumber {
    const uint32_t *thread, *code, *image;
    uint32_t n_threads, n_codes, n_images;
};

/* Takes `len` bytes; false stops the saving. */
typedef bool sl_c2c_write_fn(void *context, const uint8_t *data, size_t len);

/* Writes the table: equal tables (whatever the order they were made in) give equal bytes. The table must be mergeable;
 * order: [lines_top + entries_top] numbers of work space. SL_E_ARGUMENT; SL_E_AGAIN when the writer stopped. */
enum sl_status sl_c2c_save(const struct sl_c2c *t, const struct sl_c2c_renumber *renumber, uint32_t *order,
                           sl_c2c_write_fn *write, void *context) SL_MUST_CHECK;

/* Adds what sl_c2c_save wrote. Configurations must agree in line_bytes, keys, metric and node_counts (SL_E_ARGUMENT
 * otherwise); n_cpus and n_nodes may differ, what does not fit is an error. Room is needed for all lines and entries
 * together: SL_E_ROOM before anything is changed. SL_E_TRUNCATED, SL_E_DATA: nothing is changed either. */
enum sl_status sl_c2c_merge(struct sl_c2c *t, const struct sl_c2c_renumber *renumber, const uint8_t *blob,
                            size_t len) SL_MUST_CHECK;

/* The configuration a blob was made with: max_lines and max_entries are what it holds. */
enum sl_status sl_c2c_peek(const uint8_t *blob, size_t len, struct sl_c2c_config *config) SL_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
