/* SPDX-License-Identifier: Apache-2.0 */
/* From a core's Top-Down model to what a port counts. */
#include <slotledger/capture.h>
#include <slotledger/plan.h>

#define IS_FIXED(code) ((code) >> 63 != 0)
#define IS_CLASS(code) ((code) >> 62 == 1)
#define FIXED_METRICS  48u /* the number that models give PERF_METRICS: its bit in IA32_PERF_GLOBAL_CTRL */

/* The port's name for the fixed counter that the model calls n; SL_PORT_PROGRAMMABLE: none. */
static unsigned fixed_of(const struct sl_port_ops *ops, unsigned n)
{
    if (ops->pmu == SL_PMU_ARM_DWT) {
        return n == 0 ? SL_PORT_CYCLES : n <= 5 ? SL_PORT_DWT_CPI + n - 1 : SL_PORT_PROGRAMMABLE;
    }
    for (unsigned fixed = SL_PORT_CYCLES; fixed <= SL_PORT_X86_RETIRING; fixed++) {
        /* 0 is no number but for the counter that has it: the first of these whose number it is. */
        if (ops->fixed_numbers[fixed] == n && (n != 0 || fixed <= SL_PORT_INSTRUCTIONS)) {
            return fixed;
        }
    }
    return SL_PORT_PROGRAMMABLE;
}

const struct sl_topdown_core *sl_plan_core(const struct sl_port_ops *ops, const struct sl_port_caps *caps)
{
    const uint64_t *id = caps->id;
#if defined(__aarch64__) || defined(SL_PORT_FAKE)
    if (caps->arch == SL_PORT_AARCH64) {
        return sl_topdown_core_arm(id[SL_PORT_ID_MIDR]);
    }
#endif
#if defined(__arm__) || defined(SL_PORT_FAKE)
    if (caps->arch == SL_PORT_ARMV7M || caps->arch == SL_PORT_ARMV8M) {
        bool dwt = (caps->fixed >> SL_PORT_DWT_CPI & 1u) != 0;
        return sl_topdown_core_cortexm((uint32_t)id[SL_PORT_ID_CPUID], ops->pmu == SL_PMU_ARM_M_PMU, dwt);
    }
#endif
#if defined(__riscv) || defined(SL_PORT_FAKE)
    if (caps->arch == SL_PORT_RV32 || caps->arch == SL_PORT_RV64) {
        return sl_topdown_core_riscv(id[SL_PORT_ID_MVENDORID], id[SL_PORT_ID_MARCHID], id[SL_PORT_ID_MIMPID]);
    }
#endif
#if defined(__x86_64__) || defined(SL_PORT_FAKE)
    /* Display family and model (Intel SDM 2A, CPUID leaf 1). */
    uint32_t signature = (uint32_t)id[SL_PORT_ID_SIGNATURE], family = signature >> 8 & 15u,
             model = signature >> 4 & 15u;
    model |= family == 6 || family == 15 ? signature >> 12 & 0xf0u : 0;
    family += family == 15 ? signature >> 20 & 0xffu : 0;
    if (ops->pmu == SL_PMU_INTEL) {
        return sl_topdown_core_intel(family, model, id[SL_PORT_ID_CORE_TYPE] >> 24 == 0x20);
    }
    return sl_topdown_core_amd(family, model);
#else
    (void)ops;
    return sl_topdown_core_at(0);
#endif
}

/* PMCEID0/1: events 0x0000-0x003f in their lower halves, 0x4000-0x403f in their upper ones. Others are listed nowhere.
 */
static bool listed(const struct sl_port_caps *caps, uint64_t code)
{
    unsigned upper = code >= 0x4000 ? 32 : 0;
    uint64_t n = code - (upper != 0 ? 0x4000 : 0);
    if (caps->arch != SL_PORT_AARCH64 || IS_FIXED(code) || n > 0x3f) {
        return true;
    }
    return (caps->id[n < 32 ? SL_PORT_ID_PMCEID0 : SL_PORT_ID_PMCEID1] >> (upper + (n & 31u)) & 1u) != 0;
}

void sl_plan_budget(const struct sl_port_ops *ops, const struct sl_port_caps *caps,
                    const struct sl_topdown_model *model, struct sl_topdown_budget *budget)
{
    unsigned counters = sl_popcount64(caps->counters);
    *budget = (struct sl_topdown_budget){.n_counters = (uint8_t)(counters < 8 ? counters : 8)};
    for (unsigned n = 0; n <= 32; n++) {
        unsigned fixed = fixed_of(ops, n);
        if (fixed != SL_PORT_PROGRAMMABLE && (caps->fixed >> fixed & 1u) != 0) {
            budget->fixed |= UINT64_C(1) << n;
        }
    }
    if (caps->can & SL_PORT_CAN_METRICS) {
        budget->fixed |= UINT64_C(1) << FIXED_METRICS;
    }
    for (unsigned i = 0; i < model->n_events; i++) {
        uint64_t code = sl_topdown_event_code(model, i);
        bool there = IS_CLASS(code)   ? (caps->can & SL_PORT_CAN_METRICS) != 0
                     : IS_FIXED(code) ? (code & 0xffu) < 64 && (budget->fixed >> (code & 0x3fu) & 1u) != 0
                                      : listed(caps, code);
        budget->available |= (uint64_t)there << i;
    }
}

enum sl_status sl_plan_events(const struct sl_port_ops *ops, const struct sl_topdown_model *model,
                              const struct sl_topdown_pass *pass, struct sl_port_event *events, uint8_t *count)
{
    unsigned n = 0;
    /* Ports want the programmable ones first. */
    for (unsigned turn = 0; turn < 2; turn++) {
        for (unsigned i = 0; i < model->n_events; i++) {
            uint64_t code = sl_topdown_event_code(model, i);
            bool on_fixed = (pass->on_fixed >> i & 1u) != 0;
            if ((pass->events >> i & 1u) == 0 || (on_fixed || IS_FIXED(code) || IS_CLASS(code)) != (turn == 1)) {
                continue;
            }
            if (n == SL_PORT_EVENTS) {
                return SL_E_COUNTERS;
            }
            struct sl_port_event event = {.code = code, .counters = model->events[i].counters};
            if (turn == 1) {
                unsigned fixed = IS_CLASS(code)
                                     ? SL_PORT_METRIC_0 + ((unsigned)code & 7u)
                                     : fixed_of(ops, IS_FIXED(code) ? (unsigned)code & 0xffu : model->events[i].fixed);
                event = (struct sl_port_event){.fixed = (uint8_t)fixed};
            }
            events[n++] = event;
        }
    }
    *count = (uint8_t)n;
    return SL_OK;
}
