/* SPDX-License-Identifier: Apache-2.0 */
/* Partial tables in files: what `c2c fold` writes, `c2c merge` adds up and `c2c report` reads. They hold the names of
 * what is in the table, so that neither the recording nor its programs are needed any more. Equal contents give equal
 * bytes. */
#ifndef HOSTED_CLI_C2C_PART_H
#define HOSTED_CLI_C2C_PART_H

#include "../io/file.h"
#include "../report/c2c_report.h"

/* Byte strings by number. */
struct c2c_strings {
    struct text *items;
    size_t n, capacity;
    uint32_t *slots;
    uint32_t mask;
    uint32_t *rank; /* by number: position in the order of bytes */
};

uint32_t c2c_strings_number(struct c2c_strings *strings, const char *data, size_t len);
/* Fills rank. */
void c2c_strings_rank(struct c2c_strings *strings);
void c2c_strings_free(struct c2c_strings *strings);

/* Everything about a part but its table. */
struct c2c_part {
    uint32_t n_cpus, metric;
    struct text coalesce;
    struct text nodes; /* ids and sets of CPUs, as in the file */
    uint32_t n_nodes;
    struct c2c_loss loss;
    struct c2c_strings events, images, threads, sites;
    struct pool pool;
};

/* Numbers of a site and of a thread, by what is known of them. */
uint32_t c2c_part_site(struct c2c_part *part, const struct c2c_site *site);
uint32_t c2c_part_thread(struct c2c_part *part, const struct c2c_site *site);

/* Events keep their position: it stands, four digits, before the name. */
#define C2C_PART_EVENT_NAME 4
void c2c_part_event(struct c2c_part *part, uint32_t position, const char *name);

/* Writes the table with its names; image numbers of the table are those of part->images. */
bool c2c_part_write(struct c2c_part *part, const struct sl_c2c *table, FILE *out);

bool c2c_part_is(const char *file);
/* Reads all but the table. *blob, *len: the table, within file->data. false: reported. */
bool c2c_part_read(struct c2c_part *part, const struct file *file, const uint8_t **blob, size_t *len,
                   struct diag *diag);
/* A table that holds the blob alone, or sums of blobs: room for so many lines and entries. *memory, *bytes: munmap
 * them. false: reported. */
bool c2c_part_table(const struct file *file, const uint8_t *blob, size_t len, uint32_t lines, uint32_t entries,
                    struct sl_c2c *table, void **memory, size_t *bytes, struct diag *diag);
/* Adds a part's blob; renumber leads from the part's numbers to the table's. */
bool c2c_part_merge(struct sl_c2c *table, const struct file *file, const uint8_t *blob, size_t len,
                    const struct sl_c2c_renumber *renumber, struct diag *diag);
/* The numbers themselves: for checking. Free the three. */
struct sl_c2c_renumber c2c_part_identity(const struct c2c_part *part);
void c2c_renumber_free(struct sl_c2c_renumber *renumber);
/* Node positions, from and to the part. */
void c2c_part_put_nodes(struct c2c_part *part, const struct c2c_node *nodes, uint32_t n, uint32_t words);
bool c2c_part_nodes(const struct c2c_part *part, uint32_t words, struct pool *pool, struct c2c_node **nodes);

void c2c_part_free(struct c2c_part *part);

/* Names for a report on the part; the part must stay. */
void c2c_part_names(struct c2c_part *part, struct c2c_names *names);

#endif
