/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of a recording as the reader gives them, in the columns of `perf script` (perf_data.sh).
 * usage: perf_dump FILE [VMLINUX]    -q: only count them */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hosted/io/perf_data.h"
#include "hosted/io/symbols.h"

static void print_place(struct perf_data *data, const struct perf_map *map, uint64_t address)
{
    const struct symbol *symbol;
    const char *name;
    if (!map) {
        printf(" [unknown] ([unknown])");
        return;
    }
    name = map->dso->module ? map->dso->short_name : map->dso->name;
    symbol = perf_data_symbol(data, map->dso, address);
    if (symbol)
        printf(" %s+0x%" PRIx64 " (%s)", symbol->name, address - symbol->start, name);
    else
        printf(" [unknown] (%s)", name);
}

static void print_sample(struct perf_data *data, const struct perf_sample *s)
{
    printf("%s %d/%d [%03d] %" PRIu64 ".%09" PRIu64 ": %" PRIu64 " %s: %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIx64,
           s->thread->comm, (int)s->mem.pid, (int)s->mem.tid, (int)s->mem.cpu, s->mem.time / 1000000000,
           s->mem.time % 1000000000, s->mem.period, perf_data_info(data)->events[s->mem.event].name, s->mem.address,
           s->mem.source, s->mem.weight, s->mem.ip);
    print_place(data, s->ip_map, s->ip_address);
    printf(" %" PRIx64 "\n", s->mem.phys_address);
}

int main(int argc, char **argv)
{
    bool quiet = argc > 1 && !strcmp(argv[1], "-q");
    struct diag diag = { .stream = stderr };
    struct perf_data_options options = { .force = true };
    struct perf_data *data;
    struct perf_sample sample;
    enum perf_next next;
    uint64_t n = 0, sum = 0;
    int status = 1;
    argv += quiet;
    argc -= quiet;
    options.vmlinux = argc > 2 ? argv[2] : NULL;
    data = argc > 1 ? perf_data_open(argv[1], &options, &diag, &status) : NULL;
    if (!data)
        return status;
    while ((next = perf_data_next(data, &sample)) == PERF_NEXT_SAMPLE) {
        if (!quiet)
            print_sample(data, &sample);
        n++;
        sum += sample.mem.time ^ sample.data_address ^ sample.ip_address;
    }
    if (quiet)
        printf("%" PRIu64 " samples, sum %" PRIx64 "\n", n, sum);
    status = next == PERF_NEXT_FAILED ? perf_data_status(data) : 0;
    perf_data_close(data);
    return status;
}
