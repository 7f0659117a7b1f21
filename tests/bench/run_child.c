/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command several times with its output thrown away; prints the least wall time in microseconds (the machine's
 * other work only adds to it) and the largest resident memory in kilobytes. usage: run_child RUNS COMMAND [ARGUMENT...] */
#include <fcntl.h>
#include <spawn.h>
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

/* One run; negative when the command could not be run or failed. */
static int64_t time_of(char **command, const posix_spawn_file_actions_t *quiet)
{
    int64_t start = now_us();
    pid_t child;
    int status = 0;
    if (posix_spawnp(&child, command[0], quiet, NULL, command, environ) != 0 || waitpid(child, &status, 0) != child ||
        !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "run_child: %s failed (status %d)\n", command[0], status);
        return -1;
    }
    return now_us() - start;
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
    int64_t least = INT64_MAX;
    for (long i = 0; i < runs; i++) {
        int64_t us = time_of(argv + 2, &quiet);
        if (us < 0) {
            return 1;
        }
        least = us < least ? us : least;
    }
    posix_spawn_file_actions_destroy(&quiet);
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("%lld %ld\n", (long long)least, usage.ru_maxrss);
    return 0;
}
