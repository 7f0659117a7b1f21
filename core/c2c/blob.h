/* SPDX-License-Identifier: Apache-2.0 */
/* The form of a partial table: LEB128 numbers, least significant 7 bits first.
 *
 * table: MAGIC, line_bytes, keys (4), metric, node_counts, n_cpus, n_nodes, n_lines, n_entries, losses (6), evicted
 *        counters, then lines in the order of sl_c2c_compare_lines.
 * line:  key (8), address, first_time, period, phys_changes, missed_max, counters, set of CPUs, set of nodes (32 bits a
 *        number), n_entries, then entries in the order of sl_c2c_compare_entries.
 * entry: ip, offset, pid, tid, image + 1, first_time, shown_offset, thread, code, flags, phys_changes, samples,
 * records, counters, latency samples, latency cycles, sets as above, for each node metric and stores. */
#ifndef CORE_C2C_BLOB_H
#define CORE_C2C_BLOB_H

#include "internal.h"

/* Called from many places, or with much on its stack: inlining would only cost size. */
#if defined(__GNUC__)
#define SL_C2C_OUT_OF_LINE __attribute__((noinline))
#else
#define SL_C2C_OUT_OF_LINE
#endif

#define SL_C2C_MAGIC   0x31433243u /* "C2C1" */
#define SL_C2C_LOSSES  6u
#define SL_C2C_KEY_LEN 8u

/* Members of a line's key as numbers, in the order of the form. */
static inline void sl_c2c_key_numbers(const struct sl_c2c_line_key *key, uint64_t n[SL_C2C_KEY_LEN])
{
    n[0] = key->mode;
    n[1] = key->unmapped;
    n[2] = key->major;
    n[3] = key->minor;
    n[4] = key->inode;
    n[5] = key->generation;
    n[6] = key->pid;
    n[7] = key->address;
}

#endif
