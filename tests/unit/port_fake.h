/* SPDX-License-Identifier: Apache-2.0 */
/* A scripted register file under the ports' regs.h: plain cells, and a model's hooks for those that do something. */
#ifndef TESTS_UNIT_PORT_FAKE_H
#define TESTS_UNIT_PORT_FAKE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <ports/fake.h>
#include <slotledger/region.h>

#define FAKE_CELLS 512u
#define FAKE_LOG   512u

struct fake_cell {
    enum sl_fake_space space;
    uint32_t reg;
    uint64_t value;
};

static struct {
    struct fake_cell cells[FAKE_CELLS];
    unsigned n_cells;
    /* What was written and which barriers came, in order. */
    char log[FAKE_LOG][24];
    unsigned n_log;
    bool logging;
    /* The model's side effects: true if the access is done with. */
    bool (*on_read)(enum sl_fake_space space, uint32_t reg, uint64_t *value);
    bool (*on_write)(enum sl_fake_space space, uint32_t reg, uint64_t value);
    bool (*on_trap)(enum sl_fake_space space, uint32_t reg);
    void (*on_sbi)(uint32_t extension, uint32_t function, const uint64_t *arguments, int64_t *error_value);
} fake;

static uint64_t *fake_cell(enum sl_fake_space space, uint32_t reg)
{
    for (unsigned i = 0; i < fake.n_cells; i++) {
        if (fake.cells[i].space == space && fake.cells[i].reg == reg) {
            return &fake.cells[i].value;
        }
    }
    assert_true(fake.n_cells < FAKE_CELLS);
    fake.cells[fake.n_cells] = (struct fake_cell){space, reg, 0};
    return &fake.cells[fake.n_cells++].value;
}

static void fake_log(const char *text)
{
    if (fake.logging && fake.n_log < FAKE_LOG) {
        (void)snprintf(fake.log[fake.n_log++], sizeof fake.log[0], "%s", text);
    }
}

uint64_t sl_fake_read(enum sl_fake_space space, uint32_t reg)
{
    uint64_t value;
    if (fake.on_read != NULL && fake.on_read(space, reg, &value)) {
        return value;
    }
    return *fake_cell(space, reg);
}

void sl_fake_write(enum sl_fake_space space, uint32_t reg, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%x", reg);
    fake_log(text);
    if (fake.on_write != NULL && fake.on_write(space, reg, value)) {
        return;
    }
    *fake_cell(space, reg) = value;
}

int sl_fake_traps(enum sl_fake_space space, uint32_t reg)
{
    return fake.on_trap != NULL && fake.on_trap(space, reg);
}
void sl_fake_barrier(const char *name)
{
    fake_log(name);
}
void sl_fake_sbi(uint32_t extension, uint32_t function, const uint64_t *arguments, int64_t *error_value)
{
    if (fake.on_sbi == NULL) {
        error_value[0] = -2;
        return;
    }
    fake.on_sbi(extension, function, arguments, error_value);
}

/* Everything is put back: the cells equal an earlier copy but for those that a test excepts. */
static struct fake_cell fake_before[FAKE_CELLS];
static unsigned fake_n_before;

static inline void fake_remember(void)
{
    memcpy(fake_before, fake.cells, sizeof fake.cells);
    fake_n_before = fake.n_cells;
}

static inline void fake_assert_restored(const uint32_t *except, unsigned n_except)
{
    for (unsigned i = 0; i < fake.n_cells; i++) {
        uint64_t before = i < fake_n_before ? fake_before[i].value : 0;
        bool skip = false;
        for (unsigned k = 0; k < n_except; k++) {
            skip = skip || fake.cells[i].reg == except[k];
        }
        if (!skip && fake.cells[i].value != before) {
            print_error("register %x: 0x%llx before, 0x%llx after\n", (unsigned)fake.cells[i].reg,
                        (unsigned long long)before, (unsigned long long)fake.cells[i].value);
            fail();
        }
    }
}

/* Index of the first `text` in the log from `from` on; fails if there is none. */
static inline unsigned fake_logged(const char *text, unsigned from)
{
    for (unsigned i = from; i < fake.n_log; i++) {
        if (strcmp(fake.log[i], text) == 0) {
            return i;
        }
    }
    print_error("not in the log from %u on: %s\n", from, text);
    fail();
    return 0;
}

static inline void fake_reset(void)
{
    memset(&fake, 0, sizeof fake);
}

#endif
