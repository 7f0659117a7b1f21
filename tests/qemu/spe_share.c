/* SPDX-License-Identifier: Apache-2.0 */
/* Two cores of a board that share a line without sharing data, and one lock that they do share; the SPE records of both
 * as a capture on the console.
 *
 * QEMU has neither SPE nor caches. So each access writes the record that the unit would: its real addresses, and as
 * data source the other core where that one wrote the line since. The cores take turns, so that every run is the same.
 */
#include <stdio.h>

#include <slotledger/capture.h>
#include <slotledger/spe.h>

#define CORES        2u
#define ROUNDS       200u
#define LINE_BYTES   64u
#define BUFFER_BYTES 65536u
#define MIDR         0x413fd0c1u /* Neoverse N1 */

/* What the verdict advises. */
#ifdef SHARE_APART
#define APART _Alignas(LINE_BYTES)
#else
#define APART
#endif

struct server {
    uint32_t version;
    struct {
        uint64_t received;   /* core 0 */
        APART uint64_t sent; /* core 1 */
    } traffic;
};
struct queue {
    uint32_t lock; /* both */
    uint32_t length;
};
struct server server __attribute__((aligned(LINE_BYTES)));
struct queue queue __attribute__((aligned(LINE_BYTES)));
static uint64_t own[CORES][LINE_BYTES / 8] __attribute__((aligned(LINE_BYTES)));

struct core {
    struct sl_spe_encoder spe;
    uint64_t time;
    uint64_t stack[1024] __attribute__((aligned(16)));
    uint8_t records[BUFFER_BYTES];
    uint64_t dump[BUFFER_BYTES / 4];
};
static struct core cores[CORES];
static volatile uint32_t turn, rounds_done;

/* ---- what SPE and the caches would do ---- */

static struct {
    uintptr_t line;
    uint32_t has_it; /* cores with a copy */
} directory[8];

static bool misses(unsigned core, uintptr_t address, bool is_store)
{
    uintptr_t line = address / LINE_BYTES;
    unsigned i = 0;
    while (directory[i].line && directory[i].line != line)
        i++;
    bool hit = directory[i].has_it >> core & 1u, first = !directory[i].line;
    directory[i].line = line;
    directory[i].has_it = is_store ? 1u << core : directory[i].has_it | 1u << core;
    return !hit && !first;
}

static void sample(unsigned core, uintptr_t pc, const volatile void *at, bool is_store)
{
    struct core *c = &cores[core];
    bool peer = misses(core, (uintptr_t)at, is_store);
    struct sl_spe_record r = {.has = SL_SPE_HAS_OPERATION | SL_SPE_HAS_EVENTS | SL_SPE_HAS_TIMESTAMP |
                                     1u << SL_SPE_ADDRESS_PC | 1u << SL_SPE_ADDRESS_VIRTUAL |
                                     (unsigned)SL_SPE_HAS_COUNTER | (is_store ? 0u : (unsigned)SL_SPE_HAS_SOURCE),
                              .operation_class = SL_SPE_CLASS_MEMORY,
                              .operation = is_store,
                              .events = peer ? 0x0eu : 0x06u, /* retired, access to L1, refill of it */
                              .source = peer ? 9 : 0,
                              .timestamp = c->time += CORES};
    r.counter[SL_SPE_COUNTER_TOTAL] = peer ? 120 : 6;
    r.address[SL_SPE_ADDRESS_PC] = UINT64_C(1) << 63 | pc;
    r.address[SL_SPE_ADDRESS_VIRTUAL] = (uintptr_t)at;
    sl_spe_put_record(&c->spe, &r, 64);
}

/* The address of the code right here. */
#define HERE(pc) __asm__ volatile("adr %0, ." : "=r"(pc))

/* ---- the work ---- */

static inline __attribute__((always_inline)) void count_up(unsigned core, volatile uint64_t *counter)
{
    uintptr_t load, store;
    HERE(load);
    uint64_t value = *counter;
    sample(core, load, counter, false);
    HERE(store);
    *counter = value + 1;
    sample(core, store, counter, true);
}

__attribute__((noinline)) static void receive(void)
{
    count_up(0, &server.traffic.received);
    count_up(0, &own[0][0]);
}

__attribute__((noinline)) static void transmit(void)
{
    count_up(1, &server.traffic.sent);
    count_up(1, &own[1][0]);
}

__attribute__((noinline)) static void enqueue(unsigned core)
{
    uintptr_t load, store;
    HERE(load);
    uint32_t value = *(volatile uint32_t *)&queue.lock;
    sample(core, load, &queue.lock, false);
    HERE(store);
    *(volatile uint32_t *)&queue.lock = value + 1;
    sample(core, store, &queue.lock, true);
}

static void work(unsigned core)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != core) {
        }
        if (core == 0)
            receive();
        else
            transmit();
        if (i % 4 == 0)
            enqueue(core);
        __atomic_store_n(&turn, 1 - core, __ATOMIC_RELEASE);
    }
    __atomic_fetch_add(&rounds_done, 1, __ATOMIC_ACQ_REL);
}

/* ---- the board ---- */

void second_core(void);
void second_work(void);
void second_work(void)
{
    work(1);
}
/* x0: the stack's end. CPACR_EL1.FPEN (Arm ARM, D19.2): vector registers do not trap. SPSR_EL1 0: EL0. */
__asm__(".text\n.global second_core\nsecond_core:\n\tmov x1, #0x300000\n\tmsr cpacr_el1, x1\n\tmsr sp_el0, x0\n"
        "\tadr x1, 1f\n\tmsr elr_el1, x1\n\tmsr spsr_el1, xzr\n\tisb\n\teret\n"
        "1:\tbl second_work\n2:\tb 2b\n");

/* From EL1 to EL0, where the application of a board with an operating system runs, on the same stack. */
static void leave_el1(void)
{
    __asm__ volatile("mov x1, sp\n\tmsr sp_el0, x1\n\tadr x1, 1f\n\tmsr elr_el1, x1\n\tmsr spsr_el1, xzr\n\tisb\n"
                     "\teret\n1:"
                     :
                     :
                     : "x1", "memory");
}

static int64_t start_second(void)
{
    register uint64_t x0 __asm__("x0") = 0xc4000003u; /* PSCI CPU_ON */
    register uint64_t x1 __asm__("x1") = 1;
    register uint64_t x2 __asm__("x2") = (uintptr_t)second_core;
    register uint64_t x3 __asm__("x3") = (uintptr_t)&cores[1].stack[1024];
    __asm__ volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
    return (int64_t)x0;
}

static bool print(void *context, const void *bytes, uint32_t len_bytes)
{
    (void)context;
    return fwrite(bytes, 1, len_bytes, stdout) == len_bytes;
}

static bool dump(uint16_t core)
{
    struct core *c = &cores[core];
    const struct sl_capture_file file = {.arch = SL_ARCH_AARCH64, .n_cores = CORES};
    const struct sl_capture_cpu cpu = {.affinity = core, .spe_state = SL_STATE_OK};
    const struct sl_capture_spe spe = {
        .affinity = core, .midr = MIDR, .clock_hz = 1000000000, .pmscr = 0x7b, .pmsfcr = 0x60000, .pmsirr = 0x1000};
    const struct sl_capture_config config = {
        .sink = SL_SINK_LINEAR, .core = core, .session = 1, .mem = c->dump, .mem_bytes = sizeof c->dump};
    struct sl_capture capture;
    struct sl_capture_hex hex;

    if (c->spe.used_bytes > sizeof c->records || sl_capture_init(&capture, &config) ||
        sl_capture_file(&capture, &file) || sl_capture_cpu(&capture, &cpu) ||
        sl_capture_spe(&capture, &spe, c->records, (uint32_t)c->spe.used_bytes) || sl_capture_finish(&capture))
        return false;
    sl_capture_hex_init(&hex, core, print, NULL);
    return sl_capture_hex_emit(&hex, c->dump, sl_capture_used_bytes(&capture)) && sl_capture_hex_flush(&hex);
}

int main(void)
{
    for (unsigned i = 0; i < CORES; i++) {
        cores[i].spe = (struct sl_spe_encoder){.bytes = cores[i].records, .room_bytes = BUFFER_BYTES};
        cores[i].time = 1000 + i;
    }
    if (start_second())
        return 1;
    leave_el1();
    work(0);
    while (__atomic_load_n(&rounds_done, __ATOMIC_ACQUIRE) != CORES) {
    }
    printf("received %u sent %u locked %u\n", (unsigned)server.traffic.received, (unsigned)server.traffic.sent,
           (unsigned)queue.lock);
    return dump(0) && dump(1) ? 0 : 2;
}
