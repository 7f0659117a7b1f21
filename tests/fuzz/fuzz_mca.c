/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator on random decodable code, models and configurations: it ends with a status, keeps to the memory it
 * announced, gives the same cycles sliced or not, and retires each instruction once. */
#include "tests/fuzz/fuzz.h"

#include <slotledger/mca.h>

#include <sanitizer/asan_interface.h>

#define BLOCK_INSNS 12u
#define MAX_CYCLES 4000u
#define ARENA_BYTES ((size_t)4 * 1024u * 1024u)
#define HEADER_BYTES 16u

struct laws {
    struct sl_mca_observer observer; /* first: the event function casts back */
    uint64_t dispatched_uops;
    uint64_t retired;
    uint32_t last_cycle;
};

static void watch(struct sl_mca_observer *self, const struct sl_mca_event *event)
{
    struct laws *laws = (struct laws *)self;
    fuzz_require(event->cycle >= laws->last_cycle);
    laws->last_cycle = event->cycle;
    if (event->kind == SL_MCA_DISPATCHED) {
        laws->dispatched_uops += event->uops;
    } else if (event->kind == SL_MCA_RETIRED) {
        laws->retired++;
    }
}

/* All of it is poisoned but what the run has announced: faster than an allocation for each run, and watched alike. */
static uint64_t arena[ARENA_BYTES / sizeof(uint64_t)];

/* Runs the block, in slices when the configuration says so; false when it has no end that is worth waiting for. */
static bool run(const struct sl_cpu *cpu, const struct sl_mca_config *config, const struct sl_insn *code, size_t n,
                bool ask_bound, uint32_t *cycles)
{
    size_t exact = sl_mca_need_for(cpu, config, code, n);
    struct sl_mca machine;
    if (exact == 0) {
        fuzz_require(sl_mca_init(&machine, cpu, config, code, n, NULL, 0) != SL_OK);
        return false;
    }
    /* The bound for any block walks the model's tables: asked now and then. */
    fuzz_require(!ask_bound || exact <= sl_mca_need(cpu, config, n));
    if (exact > ARENA_BYTES - 8) {
        return false;
    }
    unsigned char *mem = (unsigned char *)arena;
    ASAN_UNPOISON_MEMORY_REGION(mem, exact);
    /* One byte too few is refused. */
    enum sl_status status = sl_mca_init(&machine, cpu, config, code, n, mem, exact - 1);
    fuzz_require(status == SL_E_ROOM && machine.missing_bytes > 0);
    status = sl_mca_init(&machine, cpu, config, code, n, mem, exact);
    fuzz_require(status == SL_OK);
    struct laws laws;
    memset(&laws, 0, sizeof laws);
    laws.observer.event = watch;
    laws.observer.kinds = (1u << SL_MCA_EVENT_KINDS) - 1u;
    sl_mca_attach(&machine, &laws.observer);
    do {
        status = sl_mca_run(&machine);
    } while (status == SL_E_AGAIN && machine.cycles < MAX_CYCLES);
    if (status == SL_OK && !config->instruction_tables) {
        /* The in-order machine forgets what finishes while another instruction is carried over, as LLVM 19's does. */
        uint64_t all = (uint64_t)n * machine.config.iterations;
        fuzz_require(machine.in_order ? laws.retired <= all : laws.retired == all);
    }
    *cycles = machine.cycles;
    ASAN_POISON_MEMORY_REGION(mem, exact);
    fuzz_require(status == SL_OK || status == SL_E_STUCK || status == SL_E_UNDEFINED || status == SL_E_AGAIN);
    return status == SL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER_BYTES + 4) {
        return 0;
    }
    static bool poisoned;
    if (!poisoned) {
        ASAN_POISON_MEMORY_REGION(arena, ARENA_BYTES);
        poisoned = true;
    }
    bool arm = data[0] & 1u;
    const struct sl_isa *isa = arm ? &sl_isa_aarch64 : &sl_isa_x86_64;
    const struct sl_cpu_name *names = arm ? sl_cpus_aarch64 : sl_cpus_x86_64;
    const struct sl_cpu *cpu = names[data[1] % (arm ? sl_n_cpus_aarch64 : sl_n_cpus_x86_64)].cpu;
    struct sl_mca_config config;
    memset(&config, 0, sizeof config);
    config.iterations = 1u + data[2] % 4u;
    config.dispatch_width = data[3] % 9u;
    config.register_file_size = data[4] % 4u ? 0 : 1u + data[5];
    config.load_queue = data[6] % 4u ? 0 : 1u + data[7] % 32u;
    config.store_queue = data[6] % 8u > 3u ? 0 : 1u + data[8] % 32u;
    config.micro_op_queue_size = data[9] % 4u ? 0 : 1u + data[10] % 64u;
    config.decoder_throughput = data[9] % 8u ? 0 : 1u + data[11] % 8u;
    config.may_alias = data[12] & 1u;
    config.no_barriers = data[12] & 2u;
    config.pressure = data[12] & 4u;
    config.instruction_tables = (data[12] & 0x38u) == 0x38u;
    config.call_latency_set = data[12] & 0x40u;
    config.call_latency = data[13];
    config.slice_cycles = MAX_CYCLES;

    struct sl_insn block[BLOCK_INSNS];
    memset(block, 0, sizeof block);
    size_t n = 0;
    for (size_t at = HEADER_BYTES; at < size && n < BLOCK_INSNS;) {
        if (fuzz_decode_into(isa, data + at, size - at, &block[n]) && sl_mca_check(cpu, &block[n]) == SL_OK) {
            at += block[n++].len_bytes;
        } else {
            at += isa->min_len_bytes;
        }
    }
    uint32_t whole = 0, sliced = 0;
    if (n > 0 && run(cpu, &config, block, n, data[15] % 16u == 1, &whole) && data[15] % 4u == 0) {
        config.slice_cycles = 1u + data[14] % 16u;
        fuzz_require(run(cpu, &config, block, n, false, &sliced) && sliced == whole);
    }
    return 0;
}
