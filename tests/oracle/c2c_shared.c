/* SPDX-License-Identifier: Apache-2.0 */
/* The program that generated recordings map: functions, some with long names, and variables that share lines. */
struct counters {
    long hits, misses;
    char padding[48];
    long writer_only;
};

struct counters hot_line __attribute__((aligned(64)));
static long warm[64] __attribute__((aligned(64))) = {1};

__attribute__((noinline)) long reader(void)
{
    return hot_line.hits + warm[3];
}

__attribute__((noinline)) void writer(long value)
{
    hot_line.misses = value;
    hot_line.writer_only += value;
}

__attribute__((noinline)) long a_function_with_a_really_long_name_that_overflows_its_column(long value)
{
    long sum = 0;
    for (int i = 0; i < 64; i++)
        sum += warm[i] * value;
    return sum;
}

static inline __attribute__((always_inline)) long inlined(long value)
{
    warm[8] += value;
    return warm[9];
}

int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < argc; i++) {
        writer(i + inlined(i));
        hot_line.hits += reader() + a_function_with_a_really_long_name_that_overflows_its_column(i);
    }
    return 0;
}
