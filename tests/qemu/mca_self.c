/* SPDX-License-Identifier: Apache-2.0 */
/* A bare-metal program that predicts one of its own functions: it decodes the function from memory, simulates it on an
 * in-order model of its architecture (Cortex-A53, Rocket, Cortex-M7, Cortex-M55) and prints the lines that `slotledger mca`
 * prints on the host for the same bytes.
 *
 * Built for Cortex-M7 (-Os) it is also the minimal configuration for a microcontroller with 128 KB of RAM: one CPU's object
 * over the small decoder (sl_isa_thumbv8m), a block of up to BLOCK_INSNS decoded instructions, and an arena of ARENA_BYTES.
 * sl_mca_need_for() tells a block's exact need, sl_mca_init() what is missing. `make size` holds the image to its limits. */
#include <slotledger/mca.h>

#include <inttypes.h>
#include <stdio.h>

#if defined(__riscv)
extern const struct sl_cpu sl_cpu_riscv64_rocket_rv64;
#define CPU    (&sl_cpu_riscv64_rocket_rv64)
#define DECODE sl_decode_riscv64
#elif defined(MCA_SELF_CORTEX_M55)
extern const struct sl_cpu sl_cpu_thumbm_cortex_m55;
#define CPU    (&sl_cpu_thumbm_cortex_m55)
#define DECODE sl_decode_thumbm
#elif defined(__arm__)
#define CPU    (&sl_cpu_thumbv8m_cortex_m7)
#define DECODE sl_decode_thumbv8m
#else
extern const struct sl_cpu sl_cpu_aarch64_cortex_a53;
#define CPU    (&sl_cpu_aarch64_cortex_a53)
#define DECODE sl_decode_aarch64
#endif

#define ITERATIONS 100u
#define SLICE_CYCLES 64u

#if defined(__arm__)
#define BLOCK_INSNS 32u
#define ARENA_BYTES (32u * 1024u)
#else
#define BLOCK_INSNS 64u
/* At most two instructions are issued a cycle; a call, which counts 100 cycles, is the longest. */
#define ARENA_BYTES SL_MCA_ARENA_BYTES_AARCH64_IN_ORDER(BLOCK_INSNS, SL_MCA_IN_FLIGHT(2, 100))
#endif

/* The function under prediction has a section of its own, whose bounds the linker names. */
extern const uint8_t __start_predicted[];
extern const uint8_t __stop_predicted[];

__attribute__((section("predicted"), noipa, used))
static int64_t dot_product(const int32_t *a, const int32_t *b, uint32_t n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (int64_t)a[i] * b[i];
    }
    return sum;
}

struct counter {
    struct sl_mca_observer observer; /* first: the event function casts back */
    uint64_t uops;
    uint64_t retired;
};

static void count(struct sl_mca_observer *self, const struct sl_mca_event *event)
{
    struct counter *counter = (struct counter *)self;
    counter->retired++;
    counter->uops += event->insn->desc->uops;
}

static struct sl_insn block[BLOCK_INSNS];
static uint64_t arena[ARENA_BYTES / sizeof(uint64_t)];

/* Decodes the predicted function; 0 when a word is no instruction or the block is too long. */
static size_t decode_self(void)
{
    size_t n = 0;
#if defined(__arm__)
    struct sl_thumb_block it = {0};
#endif
    for (const uint8_t *p = __start_predicted; p < __stop_predicted; p += block[n++].len_bytes) {
        enum sl_status err = n == BLOCK_INSNS ? SL_E_ROOM
                                              : DECODE(p, (size_t)(__stop_predicted - p), &block[n]);
        if (err) {
            printf("decode: %p: %s\n", (const void *)p, sl_status_text(err));
            return 0;
        }
#if defined(__arm__)
        sl_thumb_next(CPU->isa, &it, &block[n]);
#endif
    }
    return n;
}

/* Simulates the first n instructions of the block; what machine and counter then hold is the answer. */
static int simulate(size_t n, struct sl_mca *machine, struct counter *counter)
{
    static const struct sl_mca_config config = {.iterations = ITERATIONS, .slice_cycles = SLICE_CYCLES};
    enum sl_status err = sl_mca_init(machine, CPU, &config, block, n, arena, sizeof arena);
    if (err) {
        printf("init: %s (instruction %u, missing %u bytes)\n", sl_status_text(err), (unsigned)machine->error_index,
               (unsigned)machine->missing_bytes);
        return 4;
    }
    *counter = (struct counter){.observer = {.event = count, .kinds = 1u << SL_MCA_RETIRED}};
    sl_mca_attach(machine, &counter->observer);
    unsigned slices = 1;
    while ((err = sl_mca_run(machine)) == SL_E_AGAIN) {
        slices++;
    }
    if (err) {
        printf("run: %s\n", sl_status_text(err));
        return 5;
    }
    /* Out-of-order and in-order pipelines alike retire every instruction; the block's size tells how many. */
    if (counter->retired != (uint64_t)n * ITERATIONS) {
        printf("retired %" PRIu64 " of %" PRIu64 "\n", counter->retired, (uint64_t)n * ITERATIONS);
        return 6;
    }
    printf("(%u instructions, %u slices, %u bytes of %u)\n", (unsigned)n, slices,
           (unsigned)sl_mca_need_for(CPU, &config, block, n), (unsigned)sizeof arena);
    return 0;
}

int main(void)
{
    /* Called for real first: what is predicted is what runs. */
    static const int32_t a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    if (dot_product(a, b, 4) != 70) {
        return 2;
    }
    size_t n = decode_self();
    if (n == 0) {
        return 3;
    }
    struct sl_mca machine;
    struct counter counter;
    int status = simulate(n, &machine, &counter);
    if (status) {
        return status;
    }
    printf("Iterations:        %u\n", ITERATIONS);
    printf("Instructions:      %" PRIu64 "\n", counter.retired);
    printf("Total Cycles:      %" PRIu32 "\n", machine.cycles);
    printf("Total uOps:        %" PRIu64 "\n", counter.uops);
    /* The longest block there is room for: the same code again and again. */
    for (size_t i = n; i < BLOCK_INSNS; i++) {
        block[i] = block[i - n];
    }
    return simulate(BLOCK_INSNS, &machine, &counter);
}
