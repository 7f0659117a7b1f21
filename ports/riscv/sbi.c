/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V supervisor mode: the firmware programs the counters (SBI PMU extension); reading them is one instruction.
 *
 * A call of the firmware is hundreds of instructions, so counters run from config to restore and regions take
 * differences. */
#include <slotledger/capture.h>
#include <slotledger/region.h>

#include "regs.h"

#define EXT_BASE 0x10u
#define EXT_PMU  0x504d55u

enum {
    BASE_VERSION = 0,
    BASE_IMPLEMENTATION = 1,
    BASE_PROBE = 3,
    BASE_MVENDORID = 4,
    BASE_MARCHID = 5,
    BASE_MIMPID = 6
};
enum { PMU_NUM_COUNTERS, PMU_GET_INFO, PMU_CONFIG_MATCHING, PMU_START, PMU_STOP, PMU_FW_READ, PMU_FW_READ_HI };
enum { ERR_DENIED = -4, ERR_ALREADY_STARTED = -7 };

#define CONFIG_CLEAR_VALUE  2u
#define START_SET_INIT      1u
#define STOP_RESET          1u
#define EVENT_CYCLES        1u
#define EVENT_INSTRUCTIONS  2u
#define EVENT_RAW           0x20000u
#define SBI_EVENT_MARK      (UINT64_C(1) << 62)
#define INFO_CSR(info)      ((unsigned)(info)&0xfffu)
#define INFO_WIDTH(info)    (((unsigned)((info) >> 12) & 63u) + 1u)
#define INFO_FIRMWARE(info) ((info) >> (RV_XLEN - 1) != 0)
/* In sl_port_slot.flags: read by a call. */
#define SLOT_FIRMWARE 0x40u
#define NO_CSR        0xffu

static struct sl_rv_sbi call(uint32_t extension, uint32_t function, rv_word a0, rv_word a1, rv_word a2, uint64_t a3)
{
    /* 64-bit arguments take two registers on RV32. */
    const rv_word arguments[6] = {a0, a1, a2, (rv_word)a3, RV_XLEN == 32 ? (rv_word)(a3 >> 32) : 0, 0};
    return sl_rv_sbi_call(extension, function, arguments);
}

static struct sl_rv_sbi config_matching(rv_word candidates, uint32_t event, uint64_t data)
{
    const rv_word arguments[6] = {0,     candidates,    CONFIG_CLEAR_VALUE,
                                  event, (rv_word)data, RV_XLEN == 32 ? (rv_word)(data >> 32) : 0};
    return sl_rv_sbi_call(EXT_PMU, PMU_CONFIG_MATCHING, arguments);
}

static void note(struct sl_port_caps *caps, unsigned id, uint64_t value)
{
    caps->id[id] = value;
    caps->id_known = (uint16_t)(caps->id_known | 1u << id);
}

static enum sl_status probe(struct sl_port_caps *caps, uint32_t flags)
{
    *caps = (struct sl_port_caps){.arch = RV_XLEN == 32 ? SL_PORT_RV32 : SL_PORT_RV64, .level = 1};
    note(caps, SL_PORT_ID_MVENDORID, call(EXT_BASE, BASE_MVENDORID, 0, 0, 0, 0).value);
    note(caps, SL_PORT_ID_MARCHID, call(EXT_BASE, BASE_MARCHID, 0, 0, 0, 0).value);
    note(caps, SL_PORT_ID_MIMPID, call(EXT_BASE, BASE_MIMPID, 0, 0, 0, 0).value);
    note(caps, SL_PORT_ID_SBI_VERSION,
         (uint64_t)call(EXT_BASE, BASE_VERSION, 0, 0, 0, 0).value << 32 |
             (uint32_t)call(EXT_BASE, BASE_IMPLEMENTATION, 0, 0, 0, 0).value);
    caps->can = SL_PORT_CAN_TIME;
    struct sl_rv_sbi there = call(EXT_BASE, BASE_PROBE, EXT_PMU, 0, 0, 0);
    if (there.error != 0 || there.value == 0) {
        caps->why = SL_PORT_WHY_SBI_NO_PMU;
        return SL_E_ABSENT;
    }
    rv_word count = call(EXT_PMU, PMU_NUM_COUNTERS, 0, 0, 0, 0).value;
    note(caps, SL_PORT_ID_SBI_COUNTERS, count);
    caps->width = 64;
    caps->fixed_width = 64;
    for (rv_word n = 0; n < count && n < 32; n++) {
        struct sl_rv_sbi info = call(EXT_PMU, PMU_GET_INFO, n, 0, 0, 0);
        if (info.error != 0) {
            continue; /* a hole */
        }
        caps->counters |= UINT32_C(1) << n;
        if (!INFO_FIRMWARE(info.value) && INFO_WIDTH(info.value) < caps->width) {
            caps->width = (uint8_t)INFO_WIDTH(info.value);
        }
    }
    note(caps, SL_PORT_ID_HPM_MASK, caps->counters);
    if (caps->counters == 0) {
        caps->why = SL_PORT_WHY_SBI_DENIED;
        return SL_E_DENIED;
    }
    caps->fixed = 1u << SL_PORT_CYCLES | 1u << SL_PORT_INSTRUCTIONS;
    caps->can |= SL_PORT_CAN_COUNT | SL_PORT_CAN_WIDE;
    /* The firmware says nothing about overflow interrupts; scountovf is there where Sscofpmf is. */
    if (flags & SL_PORT_GUARD) {
        struct sl_rv_guard guard;
        rv_word ignored;
        sl_rv_guard_begin(&guard, true);
        caps->can |= RV_TRY_READ(CSR_SCOUNTOVF, &ignored) ? SL_PORT_CAN_INTERRUPT : 0;
        sl_rv_guard_end(&guard);
    }
    return SL_OK;
}

static uint64_t read_slot(const struct sl_port_slot *slot)
{
    if (slot->flags & SLOT_FIRMWARE) {
        uint64_t low = call(EXT_PMU, PMU_FW_READ, slot->counter, 0, 0, 0).value;
#if RV_XLEN == 32
        struct sl_rv_sbi high = call(EXT_PMU, PMU_FW_READ_HI, slot->counter, 0, 0, 0);
        low |= high.error == 0 ? (uint64_t)high.value << 32 : 0; /* FID 6 came with SBI 2.0 */
#endif
        return low;
    }
    return sl_rv_read_user(slot->fixed);
}

/* `fixed` of a slot holds the CSR's number above 0xC00 here: what reading needs. The event itself tells what is
 * counted. */
static enum sl_status take(struct sl_port *port, unsigned i, const struct sl_port_event *event, rv_word candidates)
{
    uint32_t index = EVENT_RAW;
    uint64_t data = event->code;
    if (event->fixed != SL_PORT_PROGRAMMABLE || (event->code & SBI_EVENT_MARK) != 0) {
        index = event->fixed == SL_PORT_CYCLES         ? EVENT_CYCLES
                : event->fixed == SL_PORT_INSTRUCTIONS ? EVENT_INSTRUCTIONS
                                                       : (uint32_t)event->code;
        data = 0;
    }
    struct sl_rv_sbi got = config_matching(candidates, index, data);
    if (got.error != 0 || got.value >= 32) {
        port->why = got.error == ERR_DENIED ? SL_PORT_WHY_SBI_DENIED : SL_PORT_WHY_SBI_REFUSED;
        return got.error == ERR_DENIED ? SL_E_DENIED : SL_E_EVENT;
    }
    rv_word info = call(EXT_PMU, PMU_GET_INFO, got.value, 0, 0, 0).value;
    bool firmware = INFO_FIRMWARE(info);
    port->slots[i] = (struct sl_port_slot){.counter = (uint8_t)got.value,
                                           .width = firmware ? 64 : (uint8_t)INFO_WIDTH(info),
                                           .fixed = firmware ? NO_CSR : (uint8_t)(INFO_CSR(info) - CSR_CYCLE),
                                           .flags = (uint8_t)(event->flags | (firmware ? SLOT_FIRMWARE : 0)),
                                           .period = event->period};
    port->mask |= UINT64_C(1) << got.value;
    return SL_OK;
}

static void let_go(struct sl_port *port)
{
    if (port->mask != 0) {
        (void)call(EXT_PMU, PMU_STOP, 0, (rv_word)port->mask, STOP_RESET, 0);
        port->mask = 0;
    }
}

/* From this moment on the event is counted; where it overflows is set by what it starts with. */
static bool run(struct sl_port *port, unsigned i)
{
    struct sl_port_slot *slot = &port->slots[i];
    uint64_t first = 0 - (uint64_t)slot->period;
    struct sl_rv_sbi got = call(EXT_PMU, PMU_START, slot->counter, 1, slot->period != 0 ? START_SET_INIT : 0, first);
    /* cycle and instret run out of reset, and firmware may say so; that is as good. */
    if (got.error != 0 && got.error != ERR_ALREADY_STARTED) {
        port->why = got.error == ERR_DENIED ? SL_PORT_WHY_SBI_DENIED : SL_PORT_WHY_SBI_REFUSED;
        return false;
    }
    return true;
}

static enum sl_status config(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags)
{
    (void)flags; /* the firmware keeps owners apart */
    port->mask = 0;
    port->programmed = group->count;
    bool interrupt = false;
    for (unsigned i = 0; i < group->count; i++) {
        const struct sl_port_event *event = &group->events[i];
        rv_word candidates = (rv_word)(caps->counters & ~(uint32_t)port->mask);
        if (event->counters != 0) {
            candidates &= event->counters;
        }
        enum sl_status err = take(port, i, event, candidates);
        if (err) {
            let_go(port);
            return err;
        }
        interrupt =
            interrupt || (event->flags & SL_PORT_INTERRUPT & (caps->can & SL_PORT_CAN_INTERRUPT ? 0xffu : 0)) != 0;
    }
    port->saved[0] = RV_READ(CSR_SIE);
    if (interrupt) {
        RV_CLEAR(CSR_SIP, IRQ_LCOFI);
        RV_SET(CSR_SIE, IRQ_LCOFI);
    }
    for (unsigned i = 0; i < group->count; i++) {
        if (!run(port, i)) {
            port->group = group;
            let_go(port);
            return port->why == SL_PORT_WHY_SBI_DENIED ? SL_E_DENIED : SL_E_EVENT;
        }
    }
    for (unsigned i = 0; i < group->count; i++) {
        port->last[i] = 0 - read_slot(&port->slots[i]);
    }
    port->quality |= SL_PORT_Q_SKEW;
    return SL_OK;
}

static void nothing(struct sl_port *port)
{
    (void)port;
}

static void read_all(struct sl_port *port, uint64_t *values)
{
    uint32_t seen;
    do {
        seen = port->overflows;
        for (unsigned i = 0; i < port->group->count; i++) {
            values[i] = read_slot(&port->slots[i]) + port->last[i];
        }
    } while (seen != port->overflows);
}

/* scountovf may have bits of counters that are somebody else's, or left over from boot: only ours are looked at. */
static uint32_t overflow_isr(struct sl_port *port)
{
    uint32_t hit = 0, overflowed = (uint32_t)RV_READ(CSR_SCOUNTOVF);
    for (unsigned i = 0; i < port->group->count; i++) {
        const struct sl_port_slot *slot = &port->slots[i];
        if ((slot->flags & (SL_PORT_INTERRUPT | SLOT_FIRMWARE)) == SL_PORT_INTERRUPT &&
            (overflowed >> slot->fixed & 1u) != 0) {
            hit |= 1u << i;
            (void)call(EXT_PMU, PMU_STOP, slot->counter, 1, 0, 0);
        }
    }
    /* Before they start again: the firmware keeps OF while the interrupt is pending, for a handler that has not looked
     * yet. */
    RV_CLEAR(CSR_SIP, IRQ_LCOFI);
    for (unsigned i = 0; i < port->group->count; i++) {
        if (hit >> i & 1u) {
            uint64_t count = read_slot(&port->slots[i]) + port->last[i];
            port->last[i] = count + port->slots[i].period;
            port->quality |= run(port, i) ? 0 : SL_PORT_Q_LOST;
        }
    }
    port->overflows++;
    return hit;
}

static void restore(struct sl_port *port)
{
    let_go(port);
    if ((port->saved[0] & IRQ_LCOFI) == 0) {
        RV_CLEAR(CSR_SIE, IRQ_LCOFI);
    }
    if (port->can & SL_PORT_CAN_INTERRUPT) {
        RV_CLEAR(CSR_SIP, IRQ_LCOFI); /* what our counters have left */
    }
}

static uint64_t now(struct sl_port *port)
{
    (void)port;
    return sl_rv_read_user(1);
}

/* Supervisor mode has no register for it: the board knows from its start (a0). */
static uint64_t affinity(void)
{
    return 0;
}

static const struct sl_port_register registers[] = {
    {SL_PORT_ID_SBI_VERSION, 32, SL_SPACE_SBI, BASE_VERSION, EXT_BASE},
    {SL_PORT_ID_SBI_VERSION, 0, SL_SPACE_SBI, BASE_IMPLEMENTATION, EXT_BASE},
    {SL_PORT_ID_MVENDORID, 0, SL_SPACE_SBI, BASE_MVENDORID, EXT_BASE},
    {SL_PORT_ID_MARCHID, 0, SL_SPACE_SBI, BASE_MARCHID, EXT_BASE},
    {SL_PORT_ID_MIMPID, 0, SL_SPACE_SBI, BASE_MIMPID, EXT_BASE},
    {SL_PORT_ID_SBI_COUNTERS, 0, SL_SPACE_SBI, PMU_NUM_COUNTERS, EXT_PMU},
};

static const uint8_t fixed_numbers[8] = {[SL_PORT_CYCLES] = 0, [SL_PORT_INSTRUCTIONS] = 2};

const struct sl_port_ops sl_port_riscv_sbi = {
    .name = "riscv-sbi",
    .pmu = SL_PMU_RISCV_SBI,
    .clock = SL_CLOCK_RISCV_TIME,
    .n_registers = sizeof registers / sizeof registers[0],
    .wide_registers = 1,
    .registers = registers,
    .fixed_numbers = fixed_numbers,
    .probe = probe,
    .config = config,
    .start = nothing,
    .stop = nothing,
    .read = read_all,
    .overflow_isr = overflow_isr,
    .restore = restore,
    .begin = sl_region_begin_any,
    .end = sl_region_end_any,
    .now = now,
    .affinity = affinity,
};
