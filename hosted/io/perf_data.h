/* SPDX-License-Identifier: Apache-2.0 */
/* A recording of perf (perf.data): its header, and its samples in the order in which perf delivers them.
 *
 *     struct perf_data *data = perf_data_open("perf.data", &options, &diag, &status);
 *     while ((next = perf_data_next(data, &sample)) == PERF_NEXT_SAMPLE) ...
 *     perf_data_close(data);
 *
 * Samples stream: what is behind the reader is forgotten, but threads, maps and images, which results point at, live
 * until the recording is closed. Each sample comes with the maps that were in force when it was taken. Symbols are
 * looked up in images: struct symbol is that of symbols.h.
 *
 * Exit statuses are perf's: 255, or the low byte of a negative errno (234 for EINVAL, 242 for EFAULT). */
#ifndef HOSTED_IO_PERF_DATA_H
#define HOSTED_IO_PERF_DATA_H

#include <slotledger/mem_sample.h>

#include "diag.h"

#define PERF_EXIT_FORMAT  255
#define PERF_EXIT_INVALID 234
#define PERF_EXIT_FAULT   242

struct perf_data;
struct data_member;
struct symbol;
struct symbols;

struct perf_data_options {
    bool force;          /* no check of who owns the file */
    bool newer_sources;  /* SPE: also data sources of processors that perf 6.1 does not know */
    const char *vmlinux; /* kernel image for symbols, or NULL */
};

/* An event of the recording, in file order; events made while reading (SPE's "memory") follow. */
struct perf_event {
    const char *name;
    uint32_t type;
    uint64_t config, config1, config2;
    uint64_t period;      /* or the frequency */
    uint64_t sample_type; /* enum perf_sample_bit */
    uint64_t flags;       /* the attribute's flag word */
    uint64_t branch_sample_type;
    const uint64_t *ids;
    uint32_t n_ids;
};

struct perf_numa_node {
    uint32_t id;
    uint64_t total_kb, free_kb;
    const char *cpus; /* as in the file: "0-3,8" */
};

struct perf_cache {
    uint32_t level, line_bytes, sets, ways;
    const char *type, *size, *cpus;
};

/* What the header tells. Texts are NULL and numbers 0 where it does not. */
struct perf_info {
    const char *file;
    bool pipe; /* a pipe-form stream: no features before the first records */
    bool big_endian;
    bool has_stat;
    const char *hostname, *os_release, *version, *arch, *cpu_desc, *cpuid;
    bool has_n_cpus;
    uint32_t n_cpus_available, n_cpus_online;
    uint64_t total_mem_kb;
    const char *const *command_line;
    uint32_t n_command_line;
    const struct perf_event *events;
    uint32_t n_events;
    bool has_numa;
    const struct perf_numa_node *numa;
    uint32_t n_numa;
    bool has_memory_topology;
    const struct perf_cache *caches;
    uint32_t n_caches;
    bool has_sample_time;
    uint64_t sample_time_first, sample_time_last; /* ns */
};

/* What got lost or went wrong on the way, and what perf warns about. */
struct perf_losses {
    uint64_t n_records; /* delivered */
    uint64_t n_samples;
    uint64_t lost_chunks;  /* LOST records */
    uint64_t lost_events;  /* events they count */
    uint64_t lost_samples; /* of LOST_SAMPLES records */
    uint64_t aux_records, aux_truncated, aux_partial, aux_collisions;
    uint64_t aux_errors; /* AUXTRACE_ERROR records */
    uint64_t out_of_order;
    uint64_t unknown_records;
    uint64_t unknown_ids;     /* samples of an event that the header does not have */
    uint64_t spe_bad_bytes;   /* bytes of AUX data that are no packet */
    bool spe_without_context; /* task ids of SPE samples had to be guessed from context switches */
};

/* A file or a pseudo file that code or data were mapped from. */
struct perf_dso {
    const char *name;       /* full path, or "[kernel.kallsyms]", "//anon" and the like */
    const char *short_name; /* for tables */
    uint32_t major, minor;  /* identity of the file; all 0: not known */
    uint64_t inode, generation;
    uint8_t build_id[20];
    uint8_t build_id_bytes;  /* 0: not known */
    bool kernel;             /* the kernel itself */
    bool module;             /* a kernel module */
    bool no_symbols;         /* anonymous memory: there are none */
    uint32_t index;          /* 0, 1, 2 ... */
    uint32_t runtime_bytes;  /* length of a function that the kernel made at run time; 0: an ordinary image */
    struct symbols *symbols; /* loaded at the first look-up */
};

struct perf_map {
    uint64_t start, end; /* end is outside */
    uint64_t page_offset;
    uint32_t protection, flags; /* of mmap(2) */
    bool identity;              /* map-relative addresses are the addresses themselves */
    struct perf_dso *dso;       /* never NULL */
};

struct perf_maps;

struct perf_thread {
    int32_t pid, tid; /* -1: not known */
    const char *comm; /* never NULL: the latest name, ":TID" when none was told */
    bool comm_set;
    int32_t cpu;    /* the last known, or -1 */
    uint32_t index; /* 0, 1, 2 ... over all threads of the recording */
    struct perf_maps *maps;
};

/* A sample with what is known about its addresses at that time. */
struct perf_sample {
    struct sl_mem_sample mem;
    struct perf_thread *thread;
    char level; /* 'k', '.', 'H' */
    bool guest;
    const struct perf_map *ip_map; /* NULL: none in the sample's mode */
    const struct perf_map *data_map;
    bool has_ip_map;     /* in any mode: the test for "no page map" */
    uint64_t ip_address; /* map-relative, or the raw address without a map */
    uint64_t data_address;
    int32_t numa_node;   /* index into perf_info.numa of the cpu (of cpu 0 when it is not known); -1: none */
    int32_t memory_node; /* id of the node that owns the physical address; -1: none or no such address */
    uint64_t record;  /* number of its SAMPLE record among all, as they are delivered; PERF_NO_RECORD: of other data */
    bool made_thread; /* what is known of threads has changed by it */
};
#define PERF_NO_RECORD UINT64_MAX

enum perf_next { PERF_NEXT_SAMPLE, PERF_NEXT_END, PERF_NEXT_FAILED };

/* Reads the header. "-" is standard input (pipe form). NULL: reported, and *status is the exit status. */
struct perf_data *perf_data_open(const char *name, const struct perf_data_options *options, struct diag *diag,
                                 int *status);
/* The same of a recording in memory, which must outlive it; for tests. */
struct perf_data *perf_data_open_memory(const char *name, const uint8_t *bytes, size_t size,
                                        const struct perf_data_options *options, struct diag *diag, int *status);
/* FAILED: reported; perf_data_status() tells the exit status. `sample` and its chain live until the next call. */
enum perf_next perf_data_next(struct perf_data *data, struct perf_sample *sample);
/* Of a recording that was read to its end before: SAMPLE records not to deliver again, a bit set by perf_sample.record
 * [n]. It must outlive the reading. A hint: any sample may come nevertheless, and skipping one that made a thread
 * would change the others. */
void perf_data_skip(struct perf_data *data, const uint32_t *records, uint64_t n);
void perf_data_close(struct perf_data *data);

const struct perf_info *perf_data_info(const struct perf_data *data);
const struct perf_losses *perf_data_losses(const struct perf_data *data);
int perf_data_status(const struct perf_data *data);
/* Bytes of the file behind the reader, and its size (0 for a pipe): for a progress bar. */
uint64_t perf_data_position(const struct perf_data *data, uint64_t *size);

/* Checks the NUMA topology as perf does when it sets up its nodes. false: a CPU in two nodes, or NRCPUS is missing. */
bool perf_data_numa_ok(struct perf_data *data);
/* Index of the NUMA node that has this CPU, or -1. */
int32_t perf_data_node_of_cpu(struct perf_data *data, uint32_t cpu);

uint32_t perf_data_n_threads(const struct perf_data *data);
uint32_t perf_data_n_dsos(const struct perf_data *data);

/* Map that covers an address in a mode (enum sl_mem_mode) of a thread; NULL: none. Valid between two samples: the maps
 * of that moment. */
const struct perf_map *perf_data_find_map(struct perf_data *data, struct perf_thread *thread, unsigned mode,
                                          uint64_t address);
static inline uint64_t perf_map_relative(const struct perf_map *map, uint64_t address)
{
    return map->identity ? address : address - map->start + map->page_offset;
}

/* Symbol at a map-relative address of an image; NULL: none. Loads the image's symbols when they are not yet. */
const struct symbol *perf_data_symbol(struct perf_data *data, struct perf_dso *dso, uint64_t address);
/* Variable and member at a map-relative address within a symbol, by DWARF (data_type.h). NULL: not known. */
const struct data_member *perf_data_member(struct perf_data *data, struct perf_dso *dso, const struct symbol *symbol,
                                           uint64_t address);
/* Source line of a map-relative address: "file.c:12" as perf's table shows it. false: not known. The text is the
 * recording's. */
bool perf_data_source_line(struct perf_data *data, struct perf_dso *dso, uint64_t address, const char **text);
/* Address by which the image's own tools know a map-relative address (objdump's address). */
uint64_t perf_data_object_address(struct perf_data *data, struct perf_dso *dso, uint64_t address);
/* Where the symbols came from: perf's letter of -v. */
char perf_data_symbol_origin(struct perf_data *data, struct perf_dso *dso);

#endif
