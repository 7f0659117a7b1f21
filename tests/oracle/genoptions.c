/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a random list of llvm-mca options from a seed: genoptions SEED basic|all. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t rng_state;

static unsigned pick(unsigned n)
{
    rng_state += 0x9e3779b97f4a7c15u;
    uint64_t z = rng_state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % n);
}

static bool chance(unsigned percent)
{
    return pick(100) < percent;
}

struct option_rule {
    const char *name;
    uint8_t percent;
    uint16_t low, high; /* both 0: the name is the whole option */
};

static const struct option_rule option_rules[] = {
    {"-timeline", 50, 0, 0},
    {"-timeline-max-cycles", 12, 0, 200},
    {"-timeline-max-iterations", 12, 1, 14},
    {"-dispatch", 20, 1, 9},
    {"-register-file-size", 15, 1, 90},
    {"-lqueue", 15, 1, 12},
    {"-squeue", 15, 1, 12},
    {"-noalias=0", 20, 0, 0},
    {"-micro-op-queue-size", 12, 1, 64},
    {"-decoder-throughput", 12, 1, 6},
    {"-call-latency", 10, 1, 160},
    {"-show-encoding", 12, 0, 0},
    {"-show-barriers", 12, 0, 0},
    {"-disable-cb", 4, 0, 0},
    {"-instruction-tables", 6, 0, 0},
    {"-print-imm-hex", 4, 0, 0},
    {"-instruction-info=0", 4, 0, 0},
    {"-resource-pressure=0", 4, 0, 0},
};

static const struct option_rule more_option_rules[] = {
    {"-all-views", 30, 0, 0},
    {"-bottleneck-analysis", 20, 0, 0},
    {"-all-stats", 12, 0, 0},
    {"-dispatch-stats", 12, 0, 0},
    {"-scheduler-stats", 12, 0, 0},
    {"-retire-stats", 12, 0, 0},
    {"-register-file-stats", 12, 0, 0},
    {"-json", 8, 0, 0},
};

static void print_options(const struct option_rule *rules, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!chance(rules[i].percent))
            continue;
        if (rules[i].high)
            printf("%s=%u ", rules[i].name, rules[i].low + pick(rules[i].high - rules[i].low + 1u));
        else
            printf("%s ", rules[i].name);
    }
}

static int options(bool more)
{
    static const unsigned iterations[] = {1, 2, 3, 7, 20, 50, 300};
    if (chance(60))
        printf("-iterations=%u ", iterations[pick(sizeof iterations / sizeof *iterations)]);
    print_options(option_rules, sizeof option_rules / sizeof *option_rules);
    if (more)
        print_options(more_option_rules, sizeof more_option_rules / sizeof *more_option_rules);
    putchar('\n');
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: genoptions SEED basic|all\n", stderr);
        return 2;
    }
    rng_state = strtoull(argv[1], NULL, 0);
    return options(!strcmp(argv[2], "all"));
}
