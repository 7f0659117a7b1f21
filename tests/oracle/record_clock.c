/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder with a software clock in the place of memory events, for machines without a PMU (c2c_record.sh).
 * usage: record_clock FILE COMMAND... */
#include <stdio.h>
#include <sys/wait.h>

#include "hosted/io/perf_record.h"

int main(int argc, char **argv)
{
    static const char *const command_line[] = { "record_clock" };
    struct diag diag = { .stream = stderr };
    struct perf_record_options options = { .period = 100000, .n_command_line = 1 };
    struct perf_record_result result;
    struct perf_record_event *clock = &options.events[0];
    if (argc < 3)
        return 2;
    options.output = argv[1];
    options.command = argv + 2;
    options.command_line = command_line;
    options.n_events = 2;
    for (unsigned i = 0; i < 2; i++) {
        clock[i].name = i ? "task-clock" : "cpu-clock";
        clock[i].attr.type = PERF_TYPE_SOFTWARE;
        clock[i].attr.size = PERF_ATTR_SIZE_VER7;
        clock[i].attr.config = i ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_CPU_CLOCK;
    }
    if (!perf_record(&options, &result, &diag))
        return 1;
    fprintf(stderr, "%llu samples, %llu bytes\n", (unsigned long long)result.samples, (unsigned long long)result.bytes);
    return WEXITSTATUS(result.wait_status);
}
