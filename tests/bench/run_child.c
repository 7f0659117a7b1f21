/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command several times with its output thrown away; prints the least wall and the least processor time in
 * microseconds (the machine's other work only adds to them) and the largest resident memory in kilobytes.
 * usage: run_child RUNS COMMAND [ARGUMENT...] */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_RUNS 1000

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t us_of(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

struct cost {
    int64_t wall_us, cpu_us;
    long memory_kb;
};

/* One run; false when the command could not be run or failed. */
static bool run_once(char **command, const posix_spawn_file_actions_t *quiet, struct cost *cost)
{
    int64_t start = now_us();
    pid_t child;
    int status = 0;
    struct rusage usage;
    if (posix_spawnp(&child, command[0], quiet, NULL, command, environ) != 0 || wait4(child, &status, 0, &usage) != child ||
        !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "run_child: %s failed (status %d)\n", command[0], status);
        return false;
    }
    cost->wall_us = now_us() - start;
    cost->cpu_us = us_of(usage.ru_utime) + us_of(usage.ru_stime);
    cost->memory_kb = usage.ru_maxrss;
    return true;
}

int main(int argc, char **argv)
{
    long runs = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
    if (runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "usage: run_child RUNS COMMAND [ARGUMENT...]   (RUNS 1..%d)\n", MAX_RUNS);
        return 2;
    }
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (int fd = 0; fd <= 2; fd++) {
        posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
    }
    struct cost least = {INT64_MAX, INT64_MAX, 0};
    for (long i = 0; i < runs; i++) {
        struct cost cost;
        if (!run_once(argv + 2, &quiet, &cost)) {
            return 1;
        }
        least.wall_us = cost.wall_us < least.wall_us ? cost.wall_us : least.wall_us;
        least.cpu_us = cost.cpu_us < least.cpu_us ? cost.cpu_us : least.cpu_us;
        least.memory_kb = cost.memory_kb > least.memory_kb ? cost.memory_kb : least.memory_kb;
    }
    posix_spawn_file_actions_destroy(&quiet);
    printf("%lld %lld %ld\n", (long long)least.wall_us, (long long)least.cpu_us, least.memory_kb);
    return 0;
}
