/* SPDX-License-Identifier: Apache-2.0 */
/* Recurrence of the simulated machine: a block that is run over and over sooner or later meets a state of the machine that
 * it has met before. What follows then follows again, so whole periods are counted instead of simulated, and the
 * result of any number of iterations is had for the price of some hundred. It is exact: all results are those of sl_mca_run.
 *
 * Use: sl_mca_init, attach the observers, sl_mca_recur_need, memory, sl_mca_recur_init, sl_mca_recur_run in the place of
 * sl_mca_run. Whoever does not call it does not link it. */
#ifndef SLOTLEDGER_RECUR_H
#define SLOTLEDGER_RECUR_H

#include <slotledger/mca.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the part of the observers ---------------------------------------------------------------------------------- */

/* A state, word by word: is written down, or compared with one that was. */
struct sl_mca_words {
    uint32_t *word;   /* [room] */
    size_t room, n;   /* n counts on beyond the room: room 0 measures */
    bool compares;
    bool same;        /* no difference so far; false as well for what did not find room */
};

static inline void sl_mca_word(struct sl_mca_words *w, uint32_t value)
{
    if (w->n >= w->room)
        w->same = false;
    else if (!w->compares)
        w->word[w->n] = value;
    else if (w->word[w->n] != value)
        w->same = false;
    w->n++;
}

/* The beginning of a cycle. */
struct sl_mca_moment {
    uint32_t cycle;
    uint32_t next_iid;   /* the next instruction to be fetched */
    uint32_t oldest_iid; /* no event of an older instruction will come */
};

/* Counters that grow by as much in each period: `count` numbers of 32 bits, or of 64 if wide, stride_bytes apart. */
struct sl_mca_counters {
    void *first;
    uint32_t count;
    uint32_t most;         /* that count can be in this run */
    uint32_t stride_bytes;
    bool wide;
};

/* An observer that can be extrapolated. Every function gets the observer. An observer without: nothing is skipped. */
struct sl_mca_recurring {
    /* Enters what is known by the beginning of this cycle into the counters; false while single instructions or cycles
     * are still being recorded. NULL: true. */
    bool (*settle)(struct sl_mca_observer *self, const struct sl_mca_moment *moment);
    /* Writes what decides how later events count, relative to the moment: always the same number of words. NULL: nothing. */
    void (*state)(const struct sl_mca_observer *self, const struct sl_mca_moment *moment, struct sl_mca_words *words);
    /* The index-th set of counters; false behind the last one. NULL: none. */
    bool (*counters)(struct sl_mca_observer *self, unsigned index, struct sl_mca_counters *counters);
    /* Moves what refers to cycles and dynamic instructions on by so many. The moment is the one before. NULL: nothing. */
    void (*shift)(struct sl_mca_observer *self, const struct sl_mca_moment *moment, uint32_t cycles, uint32_t iids);
};

/* ---- the finder --------------------------------------------------------------------------------------------------- */

/* The context. The caller places it; private but for the members marked public. */
struct sl_mca_recur {
    struct sl_mca *m;
    uint32_t period_iterations;  /* public: 0 until a recurrence is found */
    uint32_t period_cycles;      /* public */
    uint32_t found_at;           /* public: iterations begun by then */
    uint32_t skipped_iterations; /* public: not simulated */
    uint32_t *words;             /* the state saved last; */
    size_t words_room, words_used;
    uint32_t *counts;            /* and the observers' counters then, which */
    size_t counts_room;
    uint32_t cycle, iid;         /* belong to this moment */
    uint32_t seen, renew_at;     /* iterations looked at since; it is saved anew after so many */
    uint32_t look_at;            /* the next look is when this instruction has been fetched */
    int32_t credit;              /* words that may be compared */
    bool saved, searching;
};

/* Bytes of memory that sl_mca_recur_init needs for this machine and its observers, an upper bound for any run: one state and one
 * copy of the observers' counters, in words of 4 bytes. Of the machine's state these are at most
 *     256 + 8 resources + 4 units + 6 block instructions + 6 registers
 *     + instructions in flight * (48 + 6 operands + 3 dependencies)
 * with the most operands and dependencies that an instruction of the block has. 0: not possible here (an observer cannot take
 * part, or nothing is simulated). */
size_t sl_mca_recur_need(const struct sl_mca *m);

/* After all observers are attached and before the first run. SL_E_ROOM: m->missing_bytes. With sl_mca_recur_need of 0:
 * SL_OK, and sl_mca_recur_run is sl_mca_run. */
enum sl_status sl_mca_recur_init(struct sl_mca_recur *r, struct sl_mca *m, void *mem, size_t mem_bytes) SL_MUST_CHECK;

/* As sl_mca_run, whose slices it heeds. At the beginning of iterations the state is compared with one saved before;
 * the state at iterations 1, 2, 4, 8, ... after the last saved one is saved in turn (R. P. Brent, An improved Monte Carlo
 * factorization algorithm, BIT 20, 1980), so that a period of any length is found. Comparing ends at the first
 * difference, and the words compared are kept below 16 for each instruction simulated. */
enum sl_status sl_mca_recur_run(struct sl_mca_recur *r) SL_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
