/* SPDX-License-Identifier: Apache-2.0 */
/* Counter values as text: "event,count" lines, or the output of `perf stat -x,`.
 *
 * Plain lines are EVENT,COUNT[,ENABLED,RUNNING[,WINDOWS,ALL_WINDOWS,SUM_OF_SQUARES]]; "group,N" starts the counts of
 * pass N; empty lines, "#" comments and an "event,count" heading are skipped. Events are names of the core's
 * architecture or Linux' generic ones, or codes: 0x3e, r3e, or a PMU's cpu/event=0x9c,umask=1/. Of perf's lines the
 * values are taken as perf scaled them, sets apart by CPU or core (-A, --per-core ...), and intervals (-I) summed up.
 */
#ifndef HOSTED_IO_COUNTS_H
#define HOSTED_IO_COUNTS_H

#include <stdint.h>

#include <slotledger/topdown.h>

#include "diag.h"
#include "pool.h"

#define COUNTS_MAX_SETS   1024u
#define COUNTS_MAX_EVENTS 512u /* of a set */

struct counts_set {
    const char *label; /* perf's "CPU0" or "S0-D0-C0"; NULL: the only set */
    struct sl_topdown_count *counts;
    size_t n_counts, room;
};

struct counts {
    struct counts_set *sets;
    size_t n_sets, room;
    size_t n_foreign; /* perf's lines of events that the model does not know */
    struct pool pool;
};

/* false: reported with the line's offset; free either way. name: for messages. width: slots per cycle, 0 = unknown. */
bool counts_read(struct counts *counts, const char *name, const char *text, size_t len,
                 const struct sl_topdown_model *model, unsigned width, struct diag *diag);
void counts_free(struct counts *counts);

/* Code of an event by what a user calls it; false: unknown. Names of events that the model uses go first; the paper's
 * FetchBubbles[>=N] must be those of the whole width. */
bool counts_event_code(const struct sl_topdown_model *model, unsigned width, const char *name, size_t len,
                       uint64_t *code);

#endif
