/* SPDX-License-Identifier: Apache-2.0 */
/* core/capture in RAM that is saved in the middle of a write, as a debugger's halt does: here a signal halts the writer
 * at some instruction, reads the memory, and lets it go on. */
#include "tests/unit/capture_fixture.h"

#include <signal.h>
#include <sys/time.h>

/* Records of 64 bytes: a ring of SLOTS behind one that is pinned. */
#define RECORD_BYTES 64u
#define SLOTS        31u
#define HALTS        1000u

static uint64_t memory[(SLOTS + 1u) * RECORD_BYTES / 8u];
static volatile uint32_t n_done; /* writes that have returned */
static volatile uint32_t n_halts, n_short, n_foreign, n_torn;

/* What is finished must be there: but for the two oldest records, whose place the unfinished write may have taken. */
static void halt(int signal_number)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    uint32_t done = n_done, oldest = done > SLOTS - 2u ? done - (SLOTS - 2u) : 1u, found = 0;

    (void)signal_number;
    sl_capture_reader_init(&reader, memory, sizeof memory);
    while (sl_capture_next(&reader, &item)) {
        uint32_t number = item.header.sequence;

        if (item.kind == SL_ITEM_UNUSED)
            continue;
        if (item.kind != SL_ITEM_RECORD) {
            n_torn++; /* the write that was halted */
            continue;
        }
        found += number == 0 || (number >= oldest && number < done);
        /* Its time stamp is its number: bytes of two records never make one. */
        n_foreign += number > done || sl_get_u32le(item.payload) != number;
    }
    n_short += found < 1u + done - oldest;
    n_halts++;
}

static void write_one(struct sl_capture *c, uint32_t number)
{
    const uint32_t payload[8] = {number, ~number, number * 3u, 4, 5, 6, 7, number};
    const struct sl_capture_span span = {payload, sizeof payload};

    (void)sl_capture_write(c, SL_CAPTURE_NOTE, &span, 1);
    n_done = number + 1u;
}

static void a_halt_at_any_time_finds_what_was_finished(void **state)
{
    const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = halt}, before;
    struct sl_capture c;

    (void)state;
    fixture_ram(&c, SL_SINK_RING, memory, sizeof memory);
    write_one(&c, 0);
    sl_capture_pin(&c);
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    for (uint32_t i = 1; n_halts < HALTS; i++)
        write_one(&c, i);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    assert_int_equal(n_short, 0);
    assert_int_equal(n_foreign, 0);
    print_message("%u halts, %u of them inside a write, %u records\n", n_halts, n_torn, n_done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_halt_at_any_time_finds_what_was_finished),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
