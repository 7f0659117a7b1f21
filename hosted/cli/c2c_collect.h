/* SPDX-License-Identifier: Apache-2.0 */
/* From a recording to the table: every sample into the engine, with the numbers that lead back to names. */
#ifndef HOSTED_CLI_C2C_COLLECT_H
#define HOSTED_CLI_C2C_COLLECT_H

#include "../io/perf_data.h"
#include "../report/c2c_report.h"
#include "c2c_marks.h"

/* A list of things that were numbered by their address, from 1; 0 is "none". */
struct c2c_numbers {
    const void **items; /* [n + 1] */
    size_t n, capacity;
    uint32_t *slots;
    uint32_t mask;
};

/* Number of an item, which must stay where it is. 0: NULL. */
uint32_t c2c_number_of(struct c2c_numbers *numbers, const void *item);

#define C2C_RING       32u
#define C2C_MAX_FRAMES 127u /* kernel.perf_event_max_stack: perf's limit */

/* A sample on its way into the table. */
struct c2c_pending {
    struct sl_mem_sample mem;
    struct sl_c2c_place place;
    struct sl_c2c_hint hint;
    const struct perf_map *data_map;
    uint64_t record;
};

struct c2c_collect {
    struct perf_data *data;
    struct sl_c2c table;
    void *memory;
    size_t memory_bytes;
    bool with_chains;
    bool with_members; /* data symbols are told by DWARF, too */
    struct c2c_chain_view chain;
    /* Numbers: maps by address, threads by perf_thread.index, images by short name. */
    struct c2c_numbers maps;
    const struct perf_map *last_ip_map;
    uint32_t last_ip_number;
    const struct perf_thread **threads;
    size_t n_threads, threads_capacity;
    uint32_t *image_of_dso; /* by perf_dso.index; 0: not yet; else number + 1 */
    size_t n_dsos, dsos_capacity;
    const char **images;
    size_t n_images, images_capacity;
    uint32_t *image_rank;
    const uint32_t *wanted; /* second pass: bit set of line indices; NULL: all, and entries at once */
    uint64_t wanted_places; /* bit set of the low 6 bits of their numbers: address >> place_shift */
    unsigned place_shift;
    uint32_t wanted_hashes[2048]; /* bit set of their hashes' low 16 bits */
    struct c2c_marks marks;       /* with lines_only: for the second pass */
    uint32_t *unwanted;
    const struct perf_map **line_maps; /* by line: map of the data of its first sample */
    size_t n_line_maps, line_maps_capacity;
    struct c2c_frame *frames;
    struct pool pool;
    struct c2c_pending ring[C2C_RING];
    uint32_t ring_in, ring_out; /* samples ever put in and taken out */
    bool warned_cpu, warned_node;
    FILE *warnings;
};

struct c2c_collect_config {
    uint32_t line_bytes, max_lines, max_entries; /* 0: as many as memory has */
    uint8_t keys[SL_C2C_MAX_KEYS];
    enum sl_c2c_metric metric;
    bool node_counts, mergeable, with_chains, lines_only, with_members;
    struct c2c_chain_view chain;
};

/* false: reported (no memory). Warnings go to the diag's stream. */
bool c2c_collect_open(struct c2c_collect *c, struct perf_data *data, const struct c2c_collect_config *config,
                      struct diag *diag);
/* Reads the recording to its end. 0, or the exit status: reported. */
int c2c_collect_run(struct c2c_collect *c);
/* After a run with lines_only: reads the same recording, opened anew, for the entries of the lines [n] given by index.
 */
int c2c_collect_entries(struct c2c_collect *c, struct perf_data *again, const uint32_t *lines, uint32_t n);
/* Index of a line of the table. */
uint32_t c2c_collect_index(const struct c2c_collect *c, const struct sl_c2c_line *line);
/* Frames of a sample's chain, in c->frames. 0: the chain is not to be used. */
uint32_t c2c_make_frames(struct c2c_collect *c, const struct perf_sample *sample);
/* After run: names of what is in the table. */
void c2c_collect_names(struct c2c_collect *c, struct c2c_names *names);
void c2c_collect_close(struct c2c_collect *c);

#endif
