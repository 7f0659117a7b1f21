/* SPDX-License-Identifier: Apache-2.0 */
/* Predicted figures of many regions, and the text file that keeps them for the next build to be compared with.
 *
 *   slotledger-baseline 1
 *   cpu cortex-a57
 *   iterations 100
 *   regions loops
 *   cycles=7.010 slots=21.030 retiring=33.29% bytes=28 instructions=7 f loop 1
 *
 * Entries are sorted by name (bytes); # begins a comment line. */
#ifndef HOSTED_IO_BASELINE_H
#define HOSTED_IO_BASELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"
#include "pool.h"

#define BASELINE_VERSION 1u
#define BASELINE_MOST ((uint64_t)1 << 50) /* of any number */

/* Of one iteration. */
struct baseline_entry {
    const char *name;
    uint64_t cycles, slots; /* thousandths */
    uint32_t retiring;      /* share of the slots, hundredths of a percent */
    uint64_t bytes, instructions;
};

/* Zero-filled: empty. */
struct baseline {
    const char *cpu;
    uint32_t iterations;
    bool loops;
    struct baseline_entry *entries; /* sorted; no name twice */
    size_t n_entries, capacity;
    struct pool pool;
};

/* false: reported with its line. */
bool baseline_parse(struct baseline *baseline, const struct source *source, struct diag *diag);
/* Adds an entry; the name is copied, bytes that do not print become '?'. To be followed by baseline_sort. */
void baseline_add(struct baseline *baseline, const struct baseline_entry *entry);
/* Sorts; of entries of one name the later ones get " (2)", " (3)" ... in the order in which they were added. */
void baseline_sort(struct baseline *baseline);
void baseline_write(const struct baseline *baseline, FILE *out);
void baseline_free(struct baseline *baseline);

/* What may change: of the old value, up to 10000 hundredths of a percent; or thousandths, or units of bytes and instructions. */
struct baseline_tolerance {
    uint64_t amount;
    bool is_share;
};
enum baseline_figure { BASELINE_CYCLES, BASELINE_SLOTS, BASELINE_BYTES, BASELINE_INSTRUCTIONS, BASELINE_FIGURES };

extern const char *const baseline_figure_names[BASELINE_FIGURES];
uint64_t baseline_figure(const struct baseline_entry *entry, enum baseline_figure figure);

/* "cycles=2%,bytes=16": figures not named stay as they are. false: the text is not understood. */
bool baseline_tolerances(const char *text, struct baseline_tolerance tolerance[BASELINE_FIGURES]);
/* Is the new value larger than the old one and the tolerance allow? */
bool baseline_is_worse(const struct baseline_tolerance *tolerance, uint64_t before, uint64_t after);

#endif
