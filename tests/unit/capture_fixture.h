/* SPDX-License-Identifier: Apache-2.0 */
/* Captures to test with: a small stream with one record of each type. */
#ifndef SLOTLEDGER_TESTS_CAPTURE_FIXTURE_H
#define SLOTLEDGER_TESTS_CAPTURE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SLOTLEDGER_TESTS_NO_CMOCKA
#include <cmocka.h>
#endif

#include <slotledger/capture.h>

#define FIXTURE_SESSION 0x5e551011u

/* Records of fixture_write: FILE CPU REGS CLOCK GROUP REGION CALIBRATION SAMPLE SPE NOTE END. */
#define FIXTURE_RECORDS 11u

static inline void fixture_head(struct sl_capture *c)
{
    const struct sl_capture_file file = {
        .arch = SL_ARCH_AARCH64, .n_cores = 1, .n_regions = 1, .library_version = 0x100};
    const struct sl_capture_cpu cpu = {.affinity = 0x80000000u,
                                       .level = 1,
                                       .slots_per_cycle = 5,
                                       .slots_source = 1,
                                       .pmu = SL_PMU_ARM_PMUV3,
                                       .n_counters = 6,
                                       .counter_bits = 32,
                                       .spe_state = SL_STATE_NOT_PRESENT,
                                       .name = "test"};
    const struct sl_capture_register regs[2] = {
        {SL_SPACE_SYSREG, SL_STATE_OK, 0, SL_CAPTURE_SYSREG(3, 0, 0, 0, 0), 0x410fd493u},
        {SL_SPACE_SYSREG, SL_STATE_NOT_PERMITTED, 0, SL_CAPTURE_SYSREG(3, 3, 9, 12, 0), 0},
    };
    const struct sl_capture_clock clock = {.kind = SL_CLOCK_CNTVCT, .width_bits = 64, .hz = 62500000};
    const struct sl_capture_group group = {.id = 3, .n_counters = 2};
    const struct sl_capture_counter counters[2] = {{.counter = SL_COUNTER_FIXED | 31u, .width_bits = 64, .event = 0x11},
                                                   {.counter = 0, .width_bits = 32, .event = 0x3e}};

    (void)sl_capture_file(c, &file);
    (void)sl_capture_cpu(c, &cpu);
    (void)sl_capture_regs(c, SL_REGS_PROBED, regs, 2);
    (void)sl_capture_clock(c, &clock);
    (void)sl_capture_group(c, &group, counters);
    (void)sl_capture_region(c, 7, SL_REGION_NONE, 0, "inner loop");
}

static inline void fixture_sample(struct sl_capture *c, enum sl_capture_type type, uint64_t cycles)
{
    const struct sl_capture_sample sample = {.region = type == SL_CAPTURE_SAMPLE ? 7 : SL_REGION_NONE,
                                             .group = 3,
                                             .n_counts = 2,
                                             .parts = SL_SAMPLE_METRICS | SL_SAMPLE_SQUARES,
                                             .start = 100,
                                             .stop = 100 + cycles,
                                             .invocations = 1,
                                             .enabled = cycles,
                                             .running = cycles};
    const struct sl_capture_count counts[2] = {{cycles, 0, 0}, {cycles / 2, 1, SL_QUALITY_WRAPPED}};
    const struct sl_capture_metrics metrics = {1, 2, 3, 4};
    const struct sl_capture_square squares[2] = {{11, 12}, {13, 14}};

    (void)sl_capture_sample(c, type, &sample, counts, &metrics, squares);
}

static inline void fixture_write(struct sl_capture *c)
{
    const struct sl_capture_spe spe = {.midr = 0x410fd493u, .drain = 2, .flags = SL_SPE_COLLISION};
    const struct sl_capture_note note = {.code = SL_NOTE_DENIED, .severity = 1, .detail = SL_OWNER_EL2};

    fixture_head(c);
    fixture_sample(c, SL_CAPTURE_CALIBRATION, 12);
    fixture_sample(c, SL_CAPTURE_SAMPLE, 1000000);
    (void)sl_capture_spe(c, &spe, "\xb0\x01\x02\x03\x04", 5);
    (void)sl_capture_note(c, &note, "PMCR_EL0 traps");
    (void)sl_capture_finish(c);
}

static inline void fixture_ram(struct sl_capture *c, enum sl_capture_sink sink, void *mem, uint32_t mem_bytes)
{
    const struct sl_capture_config config = {
        .sink = sink, .session = FIXTURE_SESSION, .mem = mem, .mem_bytes = mem_bytes};

    assert_int_equal(sl_capture_init(c, &config), SL_OK);
}

#endif
