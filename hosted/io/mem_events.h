/* SPDX-License-Identifier: Apache-2.0 */
/* The events that sample memory accesses on this machine, and their attributes by what sysfs tells of its PMUs.
 *
 * Source of the choice: perf-c2c(1), "C2C RECORD". */
#ifndef HOSTED_IO_MEM_EVENTS_H
#define HOSTED_IO_MEM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"
#include "pool.h"

struct perf_event_attr;

enum mem_arch { MEM_ARCH_INTEL, MEM_ARCH_AMD, MEM_ARCH_POWERPC, MEM_ARCH_ARM, MEM_ARCH_OTHER };

#define MEM_EVENTS 6u

struct mem_event {
    const char *tag;  /* "ldlat-loads" */
    const char *name; /* as perf record takes it: "cpu/mem-loads,ldlat=30/P" */
    const char *pmu;
    bool is_load, is_combined;
    bool supported;
    bool selected;
};

struct mem_events {
    struct mem_event items[MEM_EVENTS];
    unsigned n;
    bool aux; /* loads need a second event in front of them */
    enum mem_arch arch;
    const char *root;   /* "" or where sysfs is mounted for a test */
    const char *reason; /* why nothing is supported, or NULL */
};

/* The machine this runs on. */
enum mem_arch mem_arch_here(void);
/* Fills in all events of the architecture with a least latency (cycles); names live in the pool. */
void mem_events_find(struct mem_events *events, enum mem_arch arch, const char *root, unsigned latency,
                     struct pool *pool);
/* Selects what a machine records without being told: the combined event, or loads and stores. */
void mem_events_select_default(struct mem_events *events);
/* Selects each event whose tag contains the text. false: none does. */
bool mem_events_select(struct mem_events *events, const char *text);

/* One event of a name: PMU and terms to a type and configurations. `group_second` is filled for "{a,b}:P" (then true is
 * in *has_second). false: reported. */
bool mem_event_attr(const struct mem_events *events, const struct mem_event *event, struct perf_event_attr *first,
                    struct perf_event_attr *second, bool *has_second, struct diag *diag);

#endif
