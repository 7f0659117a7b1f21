/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes.h"

typedef uint64_t count_t;
struct inner {
    char tag;
    int x, y;
};
union either {
    uint32_t word;
    uint8_t bytes[12];
    struct inner in;
};
struct stats {
    volatile count_t reads;
    volatile count_t writes;
    const struct inner pos[3];
    union either u;
    struct {
        short anon_a;
        union {
            short anon_b;
            long anon_c;
        };
    };
    unsigned ready : 1, dirty : 3, wide : 12, : 0, late : 5;
    double *scale;
    int (*call)(int);
    _Atomic int turns;
    char *const *const names[2];
    char tail;
};
struct stats stats;
struct stats many[4][5];
struct flex {
    int n;
    long items[];
};
struct flex flex = {3, {1, 2, 3}};
static volatile struct {
    int a, b;
} hidden = {1, 2};
int grid[3][4][5];
extern int later[];
int later[6] = {1};
volatile int plain;
static struct {
    long kept[2];
    struct inner at;
} file_local[3], split[3]; /* of the second, only one word of each element is used */
#if defined(__clang__) && defined(__OPTIMIZE__)
#define SPLIT_SYMBOL "split.1" /* where the compiler keeps the word alone */
#define SPLIT_OFFSET 0u
#else
#define SPLIT_SYMBOL "split"
#define SPLIT_OFFSET sizeof split[0]
#endif
enum colour { RED, BLUE } colour = BLUE;
__attribute__((aligned(64))) struct inner lined[2];
typedef int vector __attribute__((vector_size(16)));
vector lanes = {1, 2, 3, 4};
struct {
    char first;
    char second __attribute__((aligned(32)));
} spread;

__attribute__((noinline)) int *bump(int i)
{
    static int calls[4];
    calls[i & 3]++;
    return calls;
}

#define S(expression, into, marks, type) MEMBER("stats", stats, stats.expression, into, marks, type)

static void tell_stats(void)
{
    S(reads, 0, "", "count_t");
    S(writes, 0, "", "count_t");
    S(writes, 7, "", "count_t");
    S(pos[0].tag, 0, "", "char");
    S(pos[1].x, 2, "", "int");
    S(pos[2].y, 3, "", "int");
    BYTE("stats", "stats.pos[1]", offsetof(struct stats, pos[1]) + 2, (size_t)0, " padding", "struct inner");
    S(u.word, 1, " union", "uint32_t");
    MEMBER("stats", stats, stats.u.bytes[5], 0, " union", "uint8_t");
    S(anon_a, 1, "", SHORT);
    S(anon_b, 0, " union", SHORT);
    shape("stats", "stats.anon_c", offsetof(struct stats, anon_c) + 3, offsetof(struct stats, anon_c), sizeof(long), "",
          LONG);
    BYTE("stats", "stats.ready|dirty|wide", offsetof(struct stats, anon_c) + 8, (size_t)1, " bits", "unsigned int");
    BYTE("stats", "stats.wide", offsetof(struct stats, anon_c) + 9, (size_t)1, " bits", "unsigned int");
    BYTE("stats", "stats.late", offsetof(struct stats, anon_c) + 12, (size_t)1, " bits", "unsigned int");
    BYTE("stats", "stats", offsetof(struct stats, anon_c) + 14, (size_t)0, " padding", "struct stats");
    S(scale, 4, "", "double *");
    S(call, 0, "", "function *");
    S(turns, 1, "", "int");
    S(names[1], 0, "", "char **");
    S(tail, 0, "", "char");
    BYTE("stats", "stats", sizeof stats - 1, (size_t)0, " padding", "struct stats");
}

int main(int argc, char **argv)
{
    shapes_tell = argc > 1;
    (void)argv;
    tell_stats();
    MEMBER("many", many, many[0][0].reads, 0, "", "count_t");
    MEMBER("many", many, many[3][4].tail, 0, "", "char");
    MEMBER("many", many, many[1][2].pos[2].x, 1, "", "int");
    MEMBER("flex", flex, flex.n, 0, "", "int");
    MEMBER("flex", flex, flex.items[2], 5, "", LONG);
    MEMBER("grid", grid, grid[2][3][4], 0, "", "int");
    MEMBER("grid", grid, grid[1][0][3], 2, "", "int");
    MEMBER("later", later, later[5], 1, "", "int");
    MEMBER("plain", plain, plain, 3, "", "int");
    MEMBER("hidden", hidden, hidden.b, 0, "", "int");
    MEMBER("file_local", file_local, file_local[2].at.y, 0, "", "int");
    MEMBER("colour", colour, colour, 0, "", "enum colour");
    MEMBER("lined", lined, lined[1].x, 0, "", "int");
    MEMBER("spread", spread, spread.second, 0, "", "char");
    BYTE("spread", "spread", (size_t)9, (size_t)0, " padding", "struct");
    shape("lanes", "lanes[2]", (size_t)9, (size_t)8, (size_t)4, "", "int");
    shape(STATIC_OF("bump", "calls"), "bump::calls[3]", 12, 12, sizeof(int), "", "int");
    if (shapes_tell)
        printf("split[1].kept[0] %zu %zu 3: %s\n", sizeof split[0], sizeof(long), LONG);
    else
        printf("%s\t%zu\n", SPLIT_SYMBOL, SPLIT_OFFSET + 3);
    hidden.a++;
    for (int i = 0; i < 3; i++)
        split[i].kept[0] += bump(i)[1] + argc; /* they stay in memory */
    for (int i = 0; i < 3; i++)
        file_local[(i + argc) % 3].at.y += argc;
    return later[argc] + hidden.b > 100;
}
