/* SPDX-License-Identifier: Apache-2.0 */
/* A small program whose functions, lines and variables the generated recordings name. It is built, never run.
 *
 * All variables have initial values: those without take file offsets that code may have, too, and which of two symbols
 * perf then finds depends on the shape of its tree. */
#include <stdint.h>

struct line {
    volatile uint64_t a, b, c, d, e, f, g, h;
};

struct line hot_line __attribute__((aligned(64))) = { .a = 1 };
struct line warm_line __attribute__((aligned(64))) = { .a = 1 };
struct line cold_line __attribute__((aligned(64))) = { .a = 1 };
static struct line own_line __attribute__((aligned(64))) = { .a = 1 };
static volatile uint32_t counters[64] = { 1 };

#define NOINLINE __attribute__((noinline))

uint64_t reader(struct line *line);
void writer(struct line *line, uint64_t value);
void locker(struct line *line);
uint64_t a_function_whose_name_is_far_longer_than_its_column(struct line *line);
uint64_t mixed(struct line *line);

NOINLINE uint64_t reader(struct line *line)
{
    return line->a + line->b;
}

NOINLINE void writer(struct line *line, uint64_t value)
{
    line->a = value;
    line->c = value + 1;
}

NOINLINE void locker(struct line *line)
{
    __sync_fetch_and_add(&line->d, 1);
}

NOINLINE uint64_t a_function_whose_name_is_far_longer_than_its_column(struct line *line)
{
    uint64_t sum = line->e;
    sum += line->f;
    return sum;
}

static NOINLINE uint64_t local(struct line *line)
{
    return line->g * 3;
}

static inline __attribute__((always_inline)) uint64_t inlined(struct line *line)
{
    return line->h ^ 5;
}

NOINLINE uint64_t mixed(struct line *line)
{
    line->b = 7;
    return local(line) + inlined(line);
}

int main(int argc, char **argv)
{
    uint64_t sum = 0;
    (void)argv;
    for (int i = 0; i < argc; i++) {
        writer(&hot_line, (uint64_t)i);
        sum += reader(&hot_line) + mixed(&cold_line) + mixed(&own_line);
        locker(&warm_line);
        sum += a_function_whose_name_is_far_longer_than_its_column(&hot_line);
        counters[i & 63] = (uint32_t)sum;
    }
    return (int)sum;
}
