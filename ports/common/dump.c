/* SPDX-License-Identifier: Apache-2.0 */
/* A core, its groups and its regions as records of a capture. */
#include <slotledger/dump.h>

/* What only one architecture has; a test's registers have all of it. */
#ifdef SL_PORT_FAKE
#define ON_X86   1
#define ON_ARM   1
#define ON_RISCV 1
#else
#if defined(__x86_64__)
#define ON_X86 1
#else
#define ON_X86 0
#endif
#if defined(__arm__)
#define ON_ARM 1
#else
#define ON_ARM 0
#endif
#if defined(__riscv)
#define ON_RISCV 1
#else
#define ON_RISCV 0
#endif
#endif

/* Who and which bit, for reasons that have one. A board links those of its own architecture. */
struct reason {
    uint8_t owner; /* enum sl_capture_owner */
    uint8_t space;
    uint8_t bit;
    uint32_t number;
};

#define DFR0  SL_CAPTURE_SYSREG(3, 0, 0, 5, 0)
#define PMCR  SL_CAPTURE_SYSREG(3, 3, 9, 12, 0)
#define MDCR2 SL_CAPTURE_SYSREG(3, 4, 1, 1, 1)

static struct reason reason_of(unsigned why)
{
    static const struct {
        uint8_t why;
        struct reason reason;
    } reasons[] = {
#if defined(__aarch64__) || defined(SL_PORT_FAKE)
        {SL_PORT_WHY_PMUVER_0, {SL_OWNER_UNKNOWN, SL_SPACE_SYSREG, 8, DFR0}},
        {SL_PORT_WHY_PMUVER_IMPDEF, {SL_OWNER_UNKNOWN, SL_SPACE_SYSREG, 8, DFR0}},
        {SL_PORT_WHY_HPMN_0, {SL_OWNER_EL2, SL_SPACE_SYSREG, 0, MDCR2}},
        {SL_PORT_WHY_TPM, {SL_OWNER_EL2, SL_SPACE_SYSREG, 6, MDCR2}},
        {SL_PORT_WHY_PMCR_E, {SL_OWNER_OTHER_SOFTWARE, SL_SPACE_SYSREG, 0, PMCR}},
        {SL_PORT_WHY_PMSVER_0, {SL_OWNER_UNKNOWN, SL_SPACE_SYSREG, 32, DFR0}},
        {SL_PORT_WHY_PMBIDR_P, {SL_OWNER_EL2, SL_SPACE_SYSREG, 4, SL_CAPTURE_SYSREG(3, 0, 9, 10, 7)}},
#endif
#if defined(__arm__) || defined(SL_PORT_FAKE)
        {SL_PORT_WHY_TRCENA, {SL_OWNER_UNKNOWN, SL_SPACE_MMIO, 24, 0xe000edfcu}},
        {SL_PORT_WHY_NOCYCCNT, {SL_OWNER_UNKNOWN, SL_SPACE_MMIO, 25, 0xe0001000u}},
        {SL_PORT_WHY_NOPRFCNT, {SL_OWNER_UNKNOWN, SL_SPACE_MMIO, 24, 0xe0001000u}},
        {SL_PORT_WHY_STUCK, {SL_OWNER_DEBUGGER, SL_SPACE_MMIO, 23, 0xe0001000u}},
        {SL_PORT_WHY_DEVARCH, {SL_OWNER_UNKNOWN, SL_SPACE_MMIO, 0, 0xe0003fbcu}},
        {SL_PORT_WHY_DWT_BUSY, {SL_OWNER_DEBUGGER, SL_SPACE_MMIO, 0, 0xe0001000u}},
        {SL_PORT_WHY_SYSTICK, {SL_OWNER_OTHER_SOFTWARE, SL_SPACE_MMIO, 0, 0xe000e010u}},
#endif
#if defined(__riscv) || defined(SL_PORT_FAKE)
        {SL_PORT_WHY_NO_INHIBIT, {SL_OWNER_UNKNOWN, SL_SPACE_CSR, 0, 0x320}},
        {SL_PORT_WHY_NO_HPM, {SL_OWNER_UNKNOWN, SL_SPACE_CSR, 0, 0xb03}},
        {SL_PORT_WHY_SBI_NO_PMU, {SL_OWNER_M_MODE, SL_SPACE_SBI, 0, 0x504d55}},
        {SL_PORT_WHY_SBI_DENIED, {SL_OWNER_M_MODE, SL_SPACE_SBI, 0, 0x504d55}},
#endif
#if defined(__x86_64__)
        {SL_PORT_WHY_LEAF_A, {SL_OWNER_UNKNOWN, SL_SPACE_CPUID, 0, 0xa}},
        {SL_PORT_WHY_VPMU_OFF, {SL_OWNER_HYPERVISOR, SL_SPACE_CPUID, 0, 0xa}},
        {SL_PORT_WHY_NO_METRICS, {SL_OWNER_UNKNOWN, SL_SPACE_MSR, 15, 0x345}},
        {SL_PORT_WHY_READ_BACK, {SL_OWNER_HYPERVISOR, SL_SPACE_MSR, 0, 0xc1}},
#endif
    };
    for (unsigned i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].why == why) {
            return reasons[i].reason;
        }
    }
    return (struct reason){0};
}

static void write_file(struct sl_capture *c, uint8_t arch, uint16_t n_cores)
{
    struct sl_capture_file file = {.arch = arch, .n_cores = n_cores, .library_version = 0x000100};
    (void)sl_capture_file(c, &file);
}

static uint8_t state_of(enum sl_status err)
{
    return err == SL_OK ? SL_STATE_OK : err == SL_E_DENIED ? SL_STATE_NOT_PERMITTED : SL_STATE_NOT_PRESENT;
}

/* Both architectures say in what was read that a hypervisor is there. */
static uint32_t cpu_flags(const struct sl_port_caps *caps)
{
    bool x86 = ON_X86 && caps->arch == SL_PORT_X86_64;
    return x86 && caps->id[SL_PORT_ID_SIGNATURE] >> 63 != 0 ? SL_CPU_HYPERVISOR : 0;
}

static void write_cpu(struct sl_capture *c, const struct sl_port_ops *ops, const struct sl_port_caps *caps,
                      enum sl_status probed)
{
    struct reason reason = reason_of(caps->why);
    struct sl_capture_cpu cpu = {
        .affinity = caps->affinity,
        .level = caps->level,
        .slots_per_cycle = caps->slots,
        .slots_source = caps->slots != 0,
        .pmu = ops->pmu,
        .pmu_state = state_of(probed),
        .pmu_owner = reason.owner,
        .counter_bits = caps->width,
        .n_counters = (uint16_t)sl_popcount64(caps->counters),
        .n_fixed = (uint16_t)sl_popcount64(caps->fixed & 0xffffu),
        .flags = cpu_flags(caps),
        .pmu_reason = {.space = reason.space, .bit = reason.bit, .number = reason.number},
        .spe_state = SL_STATE_NOT_PRESENT,
    };
    if (caps->can & SL_PORT_CAN_SPE) {
        cpu.spe_state = SL_STATE_OK;
    } else if (caps->arch == SL_PORT_AARCH64 && (caps->id_known >> SL_PORT_ID_PMBIDR & 1u) != 0) {
        /* There is one, but the buffer is somebody else's. */
        struct reason spe = reason_of(SL_PORT_WHY_PMBIDR_P);
        cpu.spe_state = SL_STATE_NOT_PERMITTED;
        cpu.spe_owner = spe.owner;
        cpu.spe_reason = (struct sl_capture_bit){.space = spe.space, .bit = spe.bit, .number = spe.number};
    }
    (void)sl_capture_cpu(c, &cpu);
}

/* In pieces: a board's stack is small. */
#define REGISTERS_AT_ONCE 4u

static void write_registers(struct sl_capture *c, const struct sl_port_ops *ops, const struct sl_port_caps *caps)
{
    struct sl_capture_register registers[REGISTERS_AT_ONCE];
    uint16_t n = 0;
    for (unsigned i = 0; i < ops->n_registers; i++) {
        const struct sl_port_register *r = &ops->registers[i];
        if (caps->id_known >> r->id & 1u) {
            uint64_t value = caps->id[r->id] >> r->shift;
            registers[n++] = (struct sl_capture_register){.space = r->space,
                                                          .sub = r->sub,
                                                          .number = r->number,
                                                          .value = ops->wide_registers ? value : (uint32_t)value};
        }
        if (n == REGISTERS_AT_ONCE || (n != 0 && i + 1u == ops->n_registers)) {
            (void)sl_capture_regs(c, SL_REGS_PROBED, registers, n);
            n = 0;
        }
    }
}

#if defined(__riscv) || defined(SL_PORT_FAKE)
/* CSRs whose absence the probe found by trying: no identification register tells of them. */
static void write_missing(struct sl_capture *c, const struct sl_port_ops *ops, const struct sl_port_caps *caps)
{
    struct sl_capture_register missing[2];
    uint16_t n = 0;
    if (ops->pmu == SL_PMU_RISCV_HPM && !(caps->can & SL_PORT_CAN_STOP)) {
        missing[n++] = (struct sl_capture_register){
            .space = SL_SPACE_CSR, .state = SL_STATE_NOT_PERMITTED, .number = 0x320}; /* mcountinhibit */
    }
    if (ops->pmu == SL_PMU_RISCV_HPM && !(caps->can & SL_PORT_CAN_INTERRUPT)) {
        missing[n++] = (struct sl_capture_register){
            .space = SL_SPACE_CSR, .state = SL_STATE_NOT_PERMITTED, .number = 0xda0}; /* scountovf */
    }
    if (n != 0) {
        (void)sl_capture_regs(c, SL_REGS_PROBED, missing, n);
    }
}
#endif

void sl_dump_core(struct sl_capture *c, const struct sl_port_ops *ops, const struct sl_port_caps *caps,
                  enum sl_status probed, uint16_t n_cores)
{
    write_file(c, caps->arch, n_cores);
    write_cpu(c, ops, caps, probed);
    write_registers(c, ops, caps);
#if defined(__riscv) || defined(SL_PORT_FAKE)
    write_missing(c, ops, caps);
#endif
    struct sl_capture_clock clock = {.kind = SL_CLOCK_NONE};
    if (caps->can & SL_PORT_CAN_TIME) {
        clock = (struct sl_capture_clock){.kind = ops->clock, .width_bits = 64, .hz = caps->time_hz};
    }
    (void)sl_capture_clock(c, &clock);
}

/* An event by the name that core/topdown's tables have for it. */
__attribute__((noinline)) static struct sl_capture_counter counter_of(const struct sl_port *port, unsigned i)
{
    const struct sl_port_slot *slot = &port->slots[i];
    const struct sl_port_event *event = &port->group->events[i];
    struct sl_capture_counter counter = {
        .counter = slot->counter,
        .width_bits = slot->width,
        .flags = slot->flags & SL_PORT_SLOT_CHAIN ? SL_COUNTER_CHAIN : 0,
        .kind = SL_EVENT_NATIVE,
        .event = event->code,
    };
    unsigned fixed = event->fixed;
    if (ON_X86 && fixed >= SL_PORT_METRIC_0) {
        counter.counter = (uint16_t)fixed;
        counter.event = UINT64_C(1) << 62 | (fixed - SL_PORT_METRIC_0); /* SL_TOPDOWN_CLASS(n) */
    } else if (ON_ARM && port->ops->pmu == SL_PMU_ARM_DWT) {
        /* CYCCNT, then CPICNT .. FOLDCNT, four bytes apart. */
        counter.kind = SL_EVENT_DWT;
        counter.event = 0xe0001004u + (fixed == SL_PORT_CYCLES ? 0 : 4 * (fixed - SL_PORT_DWT_CPI + 1));
        counter.counter = (uint16_t)(SL_COUNTER_FIXED | fixed);
    } else if (fixed != SL_PORT_PROGRAMMABLE) {
        counter.counter = (uint16_t)(SL_COUNTER_FIXED | port->ops->fixed_numbers[fixed]);
        counter.event = 0; /* nothing selects it */
    } else if (ON_RISCV && port->ops->pmu == SL_PMU_RISCV_SBI && (event->code >> 62 & 1u) != 0) {
        counter.kind = SL_EVENT_SBI;
        counter.event = (uint32_t)event->code;
    }
    return counter;
}

void sl_dump_group(struct sl_capture *c, const struct sl_port *port)
{
    struct sl_capture_counter counters[SL_PORT_EVENTS];
    struct sl_capture_group group = {
        .id = port->group->id, .pass = port->group->pass, .n_counters = port->group->count};
    if (port->ops->pmu == SL_PMU_ARM_PMUV3 && port->level >= 2) {
        group.filter = SL_FILTER_HYPERVISOR | (port->level == 3 ? SL_FILTER_SECURE | SL_FILTER_MACHINE : 0);
    } else if (ON_RISCV && port->ops->pmu == SL_PMU_RISCV_HPM) {
        group.filter = SL_FILTER_MACHINE;
    }
    for (unsigned i = 0; i < group.n_counters; i++) {
        counters[i] = counter_of(port, i);
    }
    (void)sl_capture_group(c, &group, counters);
}

static uint32_t quality_of(uint8_t quality)
{
    return (quality & SL_PORT_Q_WRAPPED ? SL_QUALITY_WRAPPED : 0) | (quality & SL_PORT_Q_LOST ? SL_QUALITY_FROZEN : 0);
}

/* Frames stay small one by one: this one holds the counts, its caller the sample. */
__attribute__((noinline)) static void write_sample(struct sl_capture *c, const struct sl_port *port,
                                                   const struct sl_region *region, enum sl_capture_type type,
                                                   const struct sl_capture_sample *sample)
{
    struct sl_capture_count counts[SL_PORT_EVENTS];
    for (unsigned i = 0; i < sample->n_counts; i++) {
        bool narrow = port->slots[i].width == 8 && (region->quality & SL_PORT_Q_AMBIGUOUS) != 0;
        counts[i] = (struct sl_capture_count){.value = region->sums[i], .quality = narrow ? SL_QUALITY_AMBIGUOUS : 0};
    }
    (void)sl_capture_sample(c, type, sample, counts, NULL, NULL);
}

void sl_dump_region(struct sl_capture *c, const struct sl_port *port, const struct sl_region *region,
                    enum sl_capture_type type)
{
    struct sl_capture_sample sample = {
        .region = type == SL_CAPTURE_CALIBRATION ? SL_REGION_NONE : region->id,
        .group = port->group->id,
        .n_counts = port->group->count,
        .quality = quality_of(region->quality) | (port->group->count == 0 ? SL_QUALITY_TIME_ONLY : 0),
        .start = region->first_ticks,
        .stop = region->last_ticks,
        .invocations = region->count,
        .running = region->ticks,
    };
    write_sample(c, port, region, type, &sample);
    if (region->lost != 0) {
        struct sl_capture_note note = {.code = SL_NOTE_LOST, .severity = 1, .detail = region->id, .a = region->lost};
        (void)sl_capture_note(c, &note, "runs of a region that met another begin or end at work");
    }
}

void sl_dump_spe(struct sl_capture *c, const struct sl_port_caps *caps, const struct sl_port_spe_state *spe,
                 uint32_t drain)
{
    struct sl_capture_spe record = {
        .affinity = caps->affinity,
        .midr = caps->id[SL_PORT_ID_MIDR],
        .pmsidr = spe->pmsidr,
        .pmbidr = spe->pmbidr,
        .pmscr = spe->pmscr,
        .pmsfcr = spe->pmsfcr,
        .pmsevfr = spe->pmsevfr,
        .pmslatfr = spe->pmslatfr,
        .pmsirr = spe->pmsirr,
        .pmbsr = spe->pmbsr,
        .start = spe->start_time,
        .stop = spe->stop_time,
        .clock_hz = caps->time_hz,
        .base = (uint64_t)(uintptr_t)spe->bytes,
        .drain = drain,
        .flags = spe->flags,
        .pmsver = (uint16_t)(caps->id[SL_PORT_ID_DFR0] >> 32 & 15u),
        .clock_kind = spe->config.physical ? SL_CLOCK_CNTPCT : SL_CLOCK_CNTVCT,
    };
    (void)sl_capture_spe(c, &record, spe->bytes, (uint32_t)spe->length_bytes);
}

SL_STATIC_ASSERT((unsigned)SL_PORT_SPE_TRUNCATED == SL_SPE_TRUNCATED &&
                     (unsigned)SL_PORT_SPE_COLLIDED == SL_SPE_COLLISION && (unsigned)SL_PORT_SPE_FULL == SL_SPE_FULL &&
                     (unsigned)SL_PORT_SPE_FAULT == SL_SPE_FAULT,
                 spe_flags);
SL_STATIC_ASSERT((unsigned)SL_PORT_AARCH64 == SL_ARCH_AARCH64 && (unsigned)SL_PORT_X86_64 == SL_ARCH_X86_64 &&
                     (unsigned)SL_PORT_RV32 == SL_ARCH_RV32 && (unsigned)SL_PORT_ARMV8M == SL_ARCH_ARMV8M,
                 architectures);
