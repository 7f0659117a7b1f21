/* SPDX-License-Identifier: Apache-2.0 */
/* What a port is: one core's performance counters behind one const ops struct per architecture.
 *
 * Every call works on the core it runs on; a struct sl_port belongs to one core. No call allocates or takes a lock.
 * The order is probe -> config -> (start -> stop -> read)* -> restore; sl_region_begin/end (region.h) drive the middle.
 */
#ifndef SLOTLEDGER_PORT_H
#define SLOTLEDGER_PORT_H

#include <slotledger/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counters of one group: programmable ones first, fixed ones after them. */
#if defined(__x86_64__)
#define SL_PORT_EVENTS 12u /* slots, their eight classes, cycles, instructions, and one to spare */
#else
#define SL_PORT_EVENTS 10u
#endif

enum sl_port_arch {
    SL_PORT_AARCH64 = 1,
    SL_PORT_ARMV7M = 2,
    SL_PORT_ARMV8M = 3,
    SL_PORT_RV32 = 4,
    SL_PORT_RV64 = 5,
    SL_PORT_X86_64 = 6
};

/* Why something is missing: which register said so, and who owns it. sl_port_why_text() says it in words. */
enum sl_port_why {
    SL_PORT_WHY_NOTHING = 0,
    /* AArch64 */
    SL_PORT_WHY_PMUVER_0,      /* ID_AA64DFR0_EL1.PMUVer = 0 */
    SL_PORT_WHY_PMUVER_IMPDEF, /* ID_AA64DFR0_EL1.PMUVer = 15 */
    SL_PORT_WHY_HPMN_0,        /* PMCR_EL0.N = 0 at EL1: EL2 keeps every event counter (MDCR_EL2.HPMN) */
    SL_PORT_WHY_TPM,           /* a PMU access was trapped or made undefined: MDCR_EL2.TPM, MDCR_EL3.TPM */
    SL_PORT_WHY_PMCR_E,        /* PMCR_EL0.E with counters enabled: somebody is counting */
    SL_PORT_WHY_PMCEID,        /* PMCEID0/1 do not list the event */
    SL_PORT_WHY_PMSVER_0,      /* ID_AA64DFR0_EL1.PMSVer = 0: no statistical profiling */
    SL_PORT_WHY_PMBIDR_P,      /* PMBIDR_EL1.P: the profiling buffer belongs to a higher exception level */
    SL_PORT_WHY_PMBLIMITR_E,   /* PMBLIMITR_EL1.E: the profiling buffer is in use, or did not stay enabled */
    SL_PORT_WHY_SPE_ALIGN,     /* buffer not aligned to 4 KiB and PMBIDR_EL1.Align */
    SL_PORT_WHY_SPE_INTERVAL,  /* interval below PMSIDR_EL1.Interval */
    SL_PORT_WHY_MMU_OFF,       /* SCTLR_ELx.M = 0: buffer addresses are virtual */
    /* Cortex-M */
    SL_PORT_WHY_TRCENA,     /* DEMCR.TRCENA does not stick: no DWT, no PMU */
    SL_PORT_WHY_NOCYCCNT,   /* DWT_CTRL.NOCYCCNT */
    SL_PORT_WHY_NOPRFCNT,   /* DWT_CTRL.NOPRFCNT: no profiling counters */
    SL_PORT_WHY_STUCK,      /* the cycle counter does not move */
    SL_PORT_WHY_DEVARCH,    /* PMU_DEVARCH is not 0x47700A06 */
    SL_PORT_WHY_DWT_BUSY,   /* DWT counters are enabled: a debugger or the application owns them */
    SL_PORT_WHY_PMU_BUSY,   /* PMU_CTRL.E with counters enabled */
    SL_PORT_WHY_SYSTICK,    /* SYST_CSR.ENABLE: the application owns SysTick */
    SL_PORT_WHY_AUTHSTATUS, /* secure non-invasive debug is off: the event counters stand still */
    /* RISC-V */
    SL_PORT_WHY_NO_INHIBIT,  /* mcountinhibit traps: counters cannot be stopped */
    SL_PORT_WHY_NO_HPM,      /* no mhpmcounter can be written */
    SL_PORT_WHY_HPM_BUSY,    /* mhpmevent is programmed and not inhibited */
    SL_PORT_WHY_SBI_NO_PMU,  /* the firmware has no SBI PMU extension */
    SL_PORT_WHY_SBI_REFUSED, /* the firmware maps the event to no counter (SBI error -2 or -3) */
    SL_PORT_WHY_SBI_DENIED,  /* the firmware denies the counter (SBI error -4) */
    /* x86-64 */
    SL_PORT_WHY_LEAF_A,      /* CPUID leaf 0xA says version 0: no architectural counters */
    SL_PORT_WHY_VPMU_OFF,    /* the same under a hypervisor: it gives its guest no counters */
    SL_PORT_WHY_NO_METRICS,  /* IA32_PERF_CAPABILITIES bit 15 is clear: no PERF_METRICS */
    SL_PORT_WHY_READ_BACK,   /* a counter does not keep what is written to it */
    SL_PORT_WHY_GLOBAL_CTRL, /* IA32_PERF_GLOBAL_CTRL or an event select is enabled: somebody is counting */
    SL_PORT_WHY_EVENT_MASK,  /* CPUID leaf 0xA EBX says that the event is not available */
    /* All */
    SL_PORT_WHY_COUNTERS, /* more events than counters that can count them */
    SL_PORT_WHY_COUNT
};

/* One line of English; never NULL. */
const char *sl_port_why_text(enum sl_port_why why);

/* Fixed counters, by what they count. A programmable counter has SL_PORT_PROGRAMMABLE. */
enum sl_port_fixed {
    SL_PORT_PROGRAMMABLE = 0,
    SL_PORT_CYCLES = 1,       /* PMCCNTR, PMU_CCNTR, DWT_CYCCNT, mcycle, fixed counter 1 */
    SL_PORT_INSTRUCTIONS = 2, /* PMICNTR, minstret, fixed counter 0 */
    SL_PORT_REF_CYCLES = 3,   /* x86 fixed counter 2 */
    SL_PORT_SLOTS = 4,        /* x86 fixed counter 3 */
    SL_PORT_X86_BAD = 5,      /* x86 fixed counters 4, 5, 6 (Skymont): slots lost to bad speculation, */
    SL_PORT_X86_FRONTEND = 6, /* to the frontend, */
    SL_PORT_X86_RETIRING = 7, /* and retired */
    SL_PORT_DWT_CPI = 8,      /* the five 8-bit profiling counters of the DWT */
    SL_PORT_DWT_EXC = 9,
    SL_PORT_DWT_SLEEP = 10,
    SL_PORT_DWT_LSU = 11,
    SL_PORT_DWT_FOLD = 12,
    SL_PORT_METRIC_0 = 16, /* ..23: byte 0..7 of PERF_METRICS times the slots of its window (255 is the whole) */
    SL_PORT_METRIC_7 = 23
};

enum {                       /* sl_port_event.flags */
       SL_PORT_WIDE = 1,     /* more than the counter's own width is wanted: a CHAIN pair where counters are narrow */
       SL_PORT_INTERRUPT = 2 /* an overflow interrupts; sl_port_ops.overflow_isr must be called then */
};

struct sl_port_event {
    uint64_t code; /* what is programmed: Arm event number; mhpmevent or SBI event_idx; x86 event | umask << 8 | … as in
                      PERFEVTSEL. 0 for fixed counters */
    uint32_t period;   /* increments from one overflow to the next; 0: the counter's whole width */
    uint32_t counters; /* programmable counters that can count it, a bit each; 0: any */
    uint8_t fixed;     /* enum sl_port_fixed */
    uint8_t flags;
};

/* Events of sl_port_riscv_sbi: a code is a raw selector as sl_port_riscv_machine takes it, or one of SBI's own
 * event_idx. */
#define SL_PORT_SBI_EVENT(event_idx) ((uint64_t)(event_idx) | UINT64_C(1) << 62)

struct sl_port_group {
    const struct sl_port_event *events;
    uint8_t count; /* 0 to SL_PORT_EVENTS; 0: time only */
    uint8_t pass;
    uint16_t id;
};

enum {                               /* sl_port_caps.can */
       SL_PORT_CAN_COUNT = 1,        /* at least the cycle counter works */
       SL_PORT_CAN_INTERRUPT = 2,    /* overflow interrupts */
       SL_PORT_CAN_STOP = 4,         /* one write stops all counters of a group */
       SL_PORT_CAN_WIDE = 8,         /* programmable counters are 64 bits wide */
       SL_PORT_CAN_CHAIN = 16,       /* two neighbours make a wide one */
       SL_PORT_CAN_METRICS = 32,     /* PERF_METRICS */
       SL_PORT_CAN_SPE = 64,         /* statistical profiling into a buffer */
       SL_PORT_CAN_TELL_EVENT = 128, /* id[] lists the events the core implements */
       SL_PORT_CAN_TIME = 256        /* sl_port_ops.now tells time; without it, it gives 0 */
};

/* Identification registers as read, for the dump: the host explains from them. Indices into sl_port_caps.id. */
enum sl_port_id {
    /* AArch64 */
    SL_PORT_ID_MIDR = 0,
    SL_PORT_ID_REVIDR = 1,
    SL_PORT_ID_DFR0 = 2,
    SL_PORT_ID_DFR1 = 3,
    SL_PORT_ID_PMCR = 4,
    SL_PORT_ID_PMCEID0 = 5,
    SL_PORT_ID_PMCEID1 = 6,
    SL_PORT_ID_PMMIR = 7,
    SL_PORT_ID_MDCR_EL2 = 8,
    SL_PORT_ID_MDCR_EL3 = 9,
    SL_PORT_ID_PMSIDR = 10,
    SL_PORT_ID_PMBIDR = 11,
    /* Cortex-M */
    SL_PORT_ID_CPUID = 0,
    SL_PORT_ID_ID_DFR0 = 1,
    SL_PORT_ID_DEMCR = 2,
    SL_PORT_ID_DWT_CTRL = 3,
    SL_PORT_ID_PMU_TYPE = 4,
    SL_PORT_ID_PMU_DEVARCH = 5,
    SL_PORT_ID_AUTHSTATUS = 6,
    /* RISC-V */
    SL_PORT_ID_MVENDORID = 0,
    SL_PORT_ID_MARCHID = 1,
    SL_PORT_ID_MIMPID = 2,
    SL_PORT_ID_MISA = 3,
    SL_PORT_ID_HPM_MASK = 4,    /* counters that exist, bit n = mhpmcounter n (S-mode: SBI counter n) */
    SL_PORT_ID_SBI_VERSION = 5, /* specification version << 32 | implementation id */
    SL_PORT_ID_SBI_COUNTERS = 6,
    /* x86-64 */
    SL_PORT_ID_VENDOR = 0, /* EBX | EDX << 32 of leaf 0 */
    SL_PORT_ID_VENDOR_2 = 1,
    SL_PORT_ID_SIGNATURE = 2, /* leaf 1 EAX | ECX << 32 */
    SL_PORT_ID_LEAF_A_AB = 3, /* leaf 0xA EAX | EBX << 32 */
    SL_PORT_ID_LEAF_A_CD = 4, /* leaf 0xA ECX | EDX << 32 */
    SL_PORT_ID_PERF_CAPS = 5,
    SL_PORT_ID_AMD_22 = 6, /* leaf 0x80000022 EAX | EBX << 32 */
    SL_PORT_ID_CORE_TYPE = 7,
    SL_PORT_ID_COUNT = 12
};

struct sl_port_caps {
    uint64_t id[SL_PORT_ID_COUNT]; /* enum sl_port_id; 0 where id_known has no bit */
    uint64_t affinity;             /* MPIDR, mhartid, initial APIC id, 0 */
    uint64_t time_hz;              /* of sl_port_ops.now; 0: unknown */
    uint32_t fixed;                /* bit n: enum sl_port_fixed n can be counted */
    uint32_t counters;             /* bit n: programmable counter n can be used */
    uint16_t id_known;
    uint16_t can;  /* SL_PORT_CAN_* */
    uint8_t arch;  /* enum sl_port_arch */
    uint8_t level; /* exception level 1..3; RISC-V mode 3 or 1; Cortex-M 1; x86 ring 0 */
    uint8_t width; /* bits of a programmable counter */
    uint8_t why;   /* enum sl_port_why: of what is missing, the most telling */
    uint8_t slots; /* issue slots a cycle, from a register; 0: unknown */
    uint8_t fixed_width;
};

enum {                    /* sl_port_open flags */
       SL_PORT_GUARD = 1, /* probe with a trap guard: takes the vector base for a moment, interrupts masked */
       SL_PORT_FORCE = 2  /* take counters that somebody else is using */
};

enum {                          /* sl_port.quality: what a region's counts have suffered */
       SL_PORT_Q_WRAPPED = 1,   /* an overflow flag was found without an interrupt: exactly one wrap is assumed */
       SL_PORT_Q_AMBIGUOUS = 2, /* an 8-bit counter ran for 256 cycles or more: only its value modulo 256 is known */
       SL_PORT_Q_SKEW = 4,      /* the counters did not start and stop with one write */
       SL_PORT_Q_LOST = 8,      /* the counters were taken away: they did not run when they should have */
       SL_PORT_Q_NESTED = 16    /* an interrupt's region met a begin or end at work and was left out */
};

struct sl_port_slot {
    uint8_t counter; /* hardware index; of a CHAIN pair the even one */
    uint8_t width;   /* 8 .. 64 */
    uint8_t fixed;
    uint8_t flags; /* SL_PORT_WIDE, SL_PORT_INTERRUPT, SL_PORT_SLOT_CHAIN */
    uint32_t period;
};
#define SL_PORT_SLOT_CHAIN 0x80u

#define SL_PORT_SAVED 7u

/* What decides how a region begins, looked at as one word. */
union sl_port_gate {
    struct {
        uint8_t busy;  /* begin or end is at work */
        uint8_t depth; /* regions open */
        uint8_t state; /* enum sl_port_state */
        uint8_t fast;  /* the port's own begin and end may be used */
    } is;
    uint32_t word;
};

/* One core's counters in use. The caller places it and fills it with zeros; its fields are the port's own. */
struct sl_port {
    const struct sl_port_ops *ops;
    const struct sl_port_group *group;
    uint64_t mask;       /* the group's enable bits, as the hardware numbers them */
    uint64_t start_word; /* what start and stop write */
    uint64_t stop_word;
    uint64_t last[SL_PORT_EVENTS];        /* what extends the counters beyond the hardware's width */
    uint64_t saved_type[SL_PORT_EVENTS];  /* what the counters were set to count before, */
    uint64_t saved_value[SL_PORT_EVENTS]; /* what they held, */
    uint64_t saved[SL_PORT_SAVED];        /* and the control registers */
    struct sl_port_slot slots[SL_PORT_EVENTS];
    volatile uint32_t overflows; /* handled by overflow_isr: reading notices that one came between */
    volatile union sl_port_gate gate;
    uint16_t can;
    uint8_t programmed; /* slots on programmable counters, the first ones */
    uint8_t fixed_slot; /* index of the fixed counter that the port reads apart + 1; 0: none */
    uint8_t quality;
    uint8_t why;
    uint8_t level;
};

enum sl_port_state { SL_PORT_CLOSED = 0, SL_PORT_READY = 1, SL_PORT_RUNNING = 2 };

/* Statistical profiling of AArch64. */
struct sl_port_spe {
    uint64_t interval;   /* operations between samples; below the hardware's minimum: SL_E_ARGUMENT */
    uint64_t filter;     /* PMSFCR_EL1 as to be programmed; 0: every operation */
    uint64_t events;     /* PMSEVFR_EL1 */
    uint64_t latency;    /* PMSLATFR_EL1 */
    void *buffer;        /* aligned to 4 KiB */
    size_t buffer_bytes; /* a multiple of 4 KiB */
    uint8_t physical;    /* physical timestamps (PCT), where EL2 permits */
};

struct sl_port_spe_state {
    /* as programmed, for the dump */
    uint64_t pmscr, pmsfcr, pmsevfr, pmslatfr, pmsirr, pmsidr, pmbidr;
    uint64_t pmbsr; /* at the last drain */
    uint64_t start_time, stop_time;
    const void *bytes; /* the last drain's records */
    size_t length_bytes;
    struct sl_port_spe config;
    uint8_t flags; /* SL_PORT_SPE_* of the last drain */
    uint8_t why;
    uint8_t running;
};

enum {                            /* sl_port_spe_state.flags */
       SL_PORT_SPE_TRUNCATED = 1, /* PMBSR.DL: the last record is not whole */
       SL_PORT_SPE_COLLIDED = 2,  /* PMBSR.COLL: samples were dropped; raise the interval */
       SL_PORT_SPE_FULL = 4,      /* the buffer was full before the drain */
       SL_PORT_SPE_FAULT = 8      /* a write faulted: PMBSR.EC and MSS say how */
};

struct sl_port_spe_ops {
    /* SL_E_ABSENT, SL_E_DENIED, SL_E_BUSY or SL_E_ARGUMENT, the reason in spe->why; then nothing has changed. */
    enum sl_status (*start)(struct sl_port_spe_state *spe, const struct sl_port_spe *config);
    /* Stops, waits for the records to be written, gives them in bytes/length_bytes; they stay until `resume`. */
    enum sl_status (*drain)(struct sl_port_spe_state *spe);
    enum sl_status (*resume)(struct sl_port_spe_state *spe); /* from the start of the buffer */
    void (*stop)(struct sl_port_spe_state *spe); /* what had been programmed before is not restored: it was off */
};

/* A field of sl_port_caps.id for the dump: `bits` of it from `shift` on are one register. */
struct sl_port_register {
    uint8_t id;
    uint8_t shift;
    uint8_t space; /* enum sl_capture_space */
    uint8_t sub;
    uint32_t number;
};

struct sl_region;

struct sl_port_ops {
    const char *name;
    uint8_t pmu;   /* enum sl_capture_pmu */
    uint8_t clock; /* enum sl_capture_clock_kind of `now` */
    uint8_t n_registers;
    uint8_t wide_registers; /* registers are 64 bits, not 32 */
    const struct sl_port_register *registers;
    const uint8_t *fixed_numbers; /* by enum sl_port_fixed: the number that dumps and event lists give it; [8] */
    /* Fills caps from identification registers alone, or with SL_PORT_GUARD from guarded accesses. SL_OK, SL_E_ABSENT
     * or SL_E_DENIED (caps->why says which register and who); caps is filled as far as possible in each case. */
    enum sl_status (*probe)(struct sl_port_caps *caps, uint32_t flags);
    /* Saves what it changes and programs the group, stopped. SL_E_COUNTERS, SL_E_EVENT, SL_E_BUSY, SL_E_ARGUMENT, the
     * reason in port->why; nothing is changed then. */
    enum sl_status (*config)(struct sl_port *port, const struct sl_port_caps *caps, const struct sl_port_group *group,
                             uint32_t flags);
    void (*start)(struct sl_port *port);
    void (*stop)(struct sl_port *port);
    /* values[i] = increments of the group's event i since config, beyond the hardware's width; the counters are
     * stopped, or the values are not of one moment. */
    void (*read)(struct sl_port *port, uint64_t *values);
    /* To be called by the overflow interrupt's handler: counts the overflow, arms the counter anew and clears the
     * interrupt. Gives the group's events that overflowed, a bit each. NULL: this core has no such interrupt. */
    uint32_t (*overflow_isr)(struct sl_port *port);
    /* Puts everything back; the port is closed. */
    void (*restore)(struct sl_port *port);
    /* What sl_region_begin and sl_region_end do: sl_region_begin_any and sl_region_end_any, or the port's own for
     * groups that have set gate.is.fast. */
    void (*begin)(struct sl_port *port, struct sl_region *region);
    void (*end)(struct sl_port *port, struct sl_region *region);
    /* Time that runs on between regions, in units of 1 / time_hz seconds. */
    uint64_t (*now)(struct sl_port *port);
    uint64_t (*affinity)(void);
};

extern const struct sl_port_ops sl_port_aarch64;
extern const struct sl_port_spe_ops sl_port_aarch64_spe;
extern const struct sl_port_ops sl_port_cortexm_pmu; /* Armv8.1-M PMU */
extern const struct sl_port_ops sl_port_cortexm_dwt;
extern const struct sl_port_ops sl_port_cortexm_systick; /* time only */
extern const struct sl_port_ops sl_port_riscv_machine;
extern const struct sl_port_ops sl_port_riscv_sbi;
extern const struct sl_port_ops sl_port_x86_64_intel;
extern const struct sl_port_ops sl_port_x86_64_amd;

/* The ports of the target this is compiled for, best first; ends with NULL. */
extern const struct sl_port_ops *const sl_port_all[];

/* Probes the target's ports in turn until one can count. If none can: the first that tells time, with the most telling
 * reason of all in caps->why. SL_OK, SL_E_ABSENT or SL_E_DENIED. */
SL_MUST_CHECK enum sl_status sl_port_probe(const struct sl_port_ops **ops, struct sl_port_caps *caps, uint32_t flags);

#ifdef __cplusplus
}
#endif
#endif
