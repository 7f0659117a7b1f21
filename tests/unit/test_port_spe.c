/* SPDX-License-Identifier: Apache-2.0 */
/* Statistical profiling of the AArch64 port: the order of its writes (Arm ARM, D17), and what the buffer can have
 * become. No QEMU has it. */
#include "port_fake.h"

#include <ports/aarch64/bits.h>
#include <ports/aarch64/regs.h>

#define REG(op1, crn, crm, op2) A64_SYSREG(op1, crn, crm, op2)
#define PMSCR1                  REG(0, 9, 9, 0)
#define PMSCR2                  REG(4, 9, 9, 0)
#define PMSICR                  REG(0, 9, 9, 2)
#define PMSIRR                  REG(0, 9, 9, 3)
#define PMSFCR                  REG(0, 9, 9, 4)
#define PMSEVFR                 REG(0, 9, 9, 5)
#define PMSLATFR                REG(0, 9, 9, 6)
#define PMSIDR                  REG(0, 9, 9, 7)
#define PMBLIMITR               REG(0, 9, 10, 0)
#define PMBPTR                  REG(0, 9, 10, 1)
#define PMBSR                   REG(0, 9, 10, 3)
#define PMBIDR                  REG(0, 9, 10, 7)

static _Alignas(4096) uint8_t buffer[8192];

static uint64_t *reg(uint32_t number)
{
    return fake_cell(SL_FAKE_SYSREG, number);
}

static bool keep_off; /* somebody above does not let the buffer be enabled */

static bool on_write(enum sl_fake_space space, uint32_t number, uint64_t value)
{
    (void)space;
    if (number == PMBLIMITR && keep_off) {
        *reg(number) = value & ~PMBLIMITR_E;
        return true;
    }
    return false;
}

static void core(unsigned el)
{
    fake_reset();
    keep_off = false;
    fake.on_write = on_write;
    *reg(REG(0, 4, 2, 2)) = (uint64_t)el << 2;
    *reg(REG(0, 0, 5, 0)) = UINT64_C(2) << 32 | 4 << 8;
    *reg(REG(el == 1 ? 0 : 4, 1, 0, 0)) = SCTLR_M;
    *reg(PMSIDR) = 3 << 8; /* interval 768 or more */
    *reg(PMBIDR) = 6;      /* 64 bytes */
}

static const struct sl_port_spe good = {
    .interval = 1024, .buffer = buffer, .buffer_bytes = sizeof buffer, .filter = PMSFCR_FT, .latency = 30};

static void start_is_in_order(void **state)
{
    (void)state;
    for (unsigned el = 1; el <= 2; el++) {
        struct sl_port_spe_state spe;
        core(el);
        fake.logging = true;
        assert_int_equal(sl_port_aarch64_spe.start(&spe, &good), SL_OK);
        uint32_t pmscr = el == 1 ? PMSCR1 : PMSCR2;
        const uint32_t order[] = {pmscr, PMBSR, PMBPTR, PMBLIMITR, PMSFCR, PMSEVFR, PMSLATFR, PMSIRR, PMSICR, pmscr};
        unsigned at = 0;
        for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++) {
            char text[16];
            (void)snprintf(text, sizeof text, "%x", order[i]);
            at = fake_logged(text, at) + 1;
            if (order[i] == PMSIRR || order[i] == PMSICR) {
                assert_string_equal(fake.log[at], "isb");
            }
        }
        assert_string_equal(fake.log[fake.n_log - 1], "isb");
        assert_int_equal(*reg(PMBPTR), (uintptr_t)buffer);
        assert_int_equal(*reg(PMBLIMITR), ((uintptr_t)buffer + sizeof buffer) | PMBLIMITR_E);
        assert_int_equal(*reg(PMSIRR), 1024 << 8 | PMSIRR_RND);
        assert_int_equal(*reg(PMSFCR), PMSFCR_FT | PMSFCR_FL);
        assert_int_equal(*reg(pmscr) & (PMSCR_E1SPE | PMSCR_TS), PMSCR_E1SPE | PMSCR_TS);
        assert_int_equal(spe.running, 1);
    }
}

static void drain_says_what_became_of_the_buffer(void **state)
{
    (void)state;
    static const struct {
        uint64_t pmbsr, written;
        unsigned flags;
    } cases[] = {
        {0, 640, 0},
        {PMBSR_DL, 700, SL_PORT_SPE_TRUNCATED},
        {PMBSR_COLL, 64, SL_PORT_SPE_COLLIDED},
        {PMBSR_S | PMBSR_BSC_FULL, sizeof buffer, SL_PORT_SPE_FULL},
        {PMBSR_S | UINT64_C(0x24) << 26 | PMBSR_DL, 128, SL_PORT_SPE_FAULT | SL_PORT_SPE_TRUNCATED},
        {PMBSR_S | PMBSR_EA, 128, SL_PORT_SPE_FAULT},
    };
    struct sl_port_spe_state spe;
    core(1);
    assert_int_equal(sl_port_aarch64_spe.start(&spe, &good), SL_OK);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        *reg(PMBPTR) += cases[i].written;
        *reg(PMBSR) = cases[i].pmbsr;
        fake.logging = true;
        fake.n_log = 0;
        assert_int_equal(sl_port_aarch64_spe.drain(&spe), SL_OK);
        /* Sampling off, then PSB CSYNC and DSB, and only then the buffer off. */
        char text[16];
        (void)snprintf(text, sizeof text, "%x", PMBLIMITR);
        unsigned psb = fake_logged("psb", 0), dsb = fake_logged("dsb", psb);
        assert_true(psb < dsb && dsb < fake_logged(text, 0));
        assert_int_equal(spe.length_bytes, cases[i].written);
        assert_ptr_equal(spe.bytes, buffer);
        assert_int_equal(spe.flags, cases[i].flags);
        assert_int_equal(spe.pmbsr, cases[i].pmbsr);
        assert_int_equal(*reg(PMBSR), 0);
        assert_int_equal(*reg(PMBLIMITR), 0);
        assert_int_equal(sl_port_aarch64_spe.drain(&spe), SL_E_ARGUMENT);
        assert_int_equal(sl_port_aarch64_spe.resume(&spe), SL_OK);
        assert_int_equal(*reg(PMBPTR), (uintptr_t)buffer);
    }
    sl_port_aarch64_spe.stop(&spe);
    assert_int_equal(*reg(PMSCR1), 0);
    assert_int_equal(spe.running, 0);
}

static void ownership_is_lost_while_running(void **state)
{
    (void)state;
    struct sl_port_spe_state spe;
    core(1);
    assert_int_equal(sl_port_aarch64_spe.start(&spe, &good), SL_OK);
    *reg(PMBPTR) += 64;
    *reg(PMBLIMITR) = 0; /* EL2 took it */
    assert_int_equal(sl_port_aarch64_spe.drain(&spe), SL_E_DENIED);
    assert_int_equal(spe.why, SL_PORT_WHY_PMBLIMITR_E);
    assert_int_equal(spe.length_bytes, 0);
    *reg(PMBIDR) |= PMBIDR_P;
    assert_int_equal(sl_port_aarch64_spe.resume(&spe), SL_E_DENIED);
    assert_int_equal(spe.why, SL_PORT_WHY_PMBIDR_P);
    core(1);
    assert_int_equal(sl_port_aarch64_spe.start(&spe, &good), SL_OK);
    *reg(PMBPTR) = (uintptr_t)buffer + sizeof buffer + 64; /* not where it can be */
    assert_int_equal(sl_port_aarch64_spe.drain(&spe), SL_E_DENIED);
}

static void refusals_write_nothing(void **state)
{
    (void)state;
    static const struct {
        unsigned el;
        uint32_t reg;
        uint64_t value;
        uint64_t interval;
        unsigned offset;
        enum sl_status status;
        enum sl_port_why why;
    } cases[] = {
        {1, REG(0, 0, 5, 0), 4 << 8, 1024, 0, SL_E_ABSENT, SL_PORT_WHY_PMSVER_0},
        {1, PMBIDR, PMBIDR_P, 1024, 0, SL_E_DENIED, SL_PORT_WHY_PMBIDR_P},
        {3, PMBIDR, 0, 1024, 0, SL_E_DENIED, SL_PORT_WHY_PMBIDR_P},
        {1, REG(0, 1, 0, 0), 0, 1024, 0, SL_E_DENIED, SL_PORT_WHY_MMU_OFF},
        {1, PMBLIMITR, PMBLIMITR_E, 1024, 0, SL_E_BUSY, SL_PORT_WHY_PMBLIMITR_E},
        {1, PMBIDR, 6, 1024, 64, SL_E_ARGUMENT, SL_PORT_WHY_SPE_ALIGN},
        {1, PMBIDR, 6, 767, 0, SL_E_ARGUMENT, SL_PORT_WHY_SPE_INTERVAL},
        {1, PMBIDR, 6, 1 << 24, 0, SL_E_ARGUMENT, SL_PORT_WHY_SPE_INTERVAL},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sl_port_spe_state spe;
        struct sl_port_spe config = good;
        core(cases[i].el);
        *reg(cases[i].reg) = cases[i].value;
        config.interval = cases[i].interval;
        config.buffer = buffer + cases[i].offset;
        fake.logging = true;
        assert_int_equal(sl_port_aarch64_spe.start(&spe, &config), cases[i].status);
        assert_int_equal(spe.why, cases[i].why);
        assert_int_equal(fake.n_log, 0);
    }
    struct sl_port_spe_state spe;
    core(1);
    keep_off = true;
    assert_int_equal(sl_port_aarch64_spe.start(&spe, &good), SL_E_DENIED);
    assert_int_equal(spe.why, SL_PORT_WHY_PMBLIMITR_E);
    assert_int_equal(*reg(PMSCR1), 0);
}

static void probe_tells_who_owns_the_buffer(void **state)
{
    (void)state;
    struct sl_port_caps caps;
    core(1);
    assert_int_equal(sl_port_aarch64.probe(&caps, 0), SL_OK);
    assert_int_equal(caps.can & SL_PORT_CAN_SPE, SL_PORT_CAN_SPE);
    assert_int_equal(caps.id[SL_PORT_ID_PMSIDR], 3 << 8);
    *reg(PMBIDR) |= PMBIDR_P;
    assert_int_equal(sl_port_aarch64.probe(&caps, 0), SL_OK);
    assert_int_equal(caps.can & SL_PORT_CAN_SPE, 0);
    assert_int_equal(caps.id_known >> SL_PORT_ID_PMBIDR & 1, 1);
    assert_int_equal(caps.id_known >> SL_PORT_ID_PMSIDR & 1, 0); /* reading it would trap */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_is_in_order),
        cmocka_unit_test(drain_says_what_became_of_the_buffer),
        cmocka_unit_test(ownership_is_lost_while_running),
        cmocka_unit_test(refusals_write_nothing),
        cmocka_unit_test(probe_tells_who_owns_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
