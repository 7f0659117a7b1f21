/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the captures that tests/cli/capture.sh works with: a stream, two cores as hexadecimal lines, a ring that went round.
 * usage: capture_make FOLDER */
#include <stdio.h>
#include <stdlib.h>

/* The fixture is shared with the unit tests; here there is no cmocka. */
#define SLOTLEDGER_TESTS_NO_CMOCKA
#define assert_int_equal(a, b) ((a) == (b) ? (void)0 : abort())
#include "tests/unit/capture_fixture.h"

static bool put(void *context, const void *bytes, uint32_t len)
{
    return fwrite(bytes, 1, len, context) == len;
}

static FILE *create(const char *folder, const char *name)
{
    char path[1024];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void stream(const char *folder)
{
    FILE *file = create(folder, "stream.capture");
    const struct sl_capture_config config = { .session = 1, .emit = put, .context = file };
    struct sl_capture c;
    assert_int_equal(sl_capture_init(&c, &config), SL_OK);
    fixture_write(&c);
    fclose(file);
}

/* As a board's console would show it: each core says its part, line by line. */
static void log_of_two_cores(const char *folder)
{
    FILE *file = create(folder, "two.log");
    for (uint16_t core = 0; core < 2; core++) {
        struct sl_capture_hex hex;
        const struct sl_capture_config config = { .session = 2, .core = core, .emit = sl_capture_hex_emit, .context = &hex };
        struct sl_capture c;
        sl_capture_hex_init(&hex, core, put, file);
        assert_int_equal(sl_capture_init(&c, &config), SL_OK);
        fixture_write(&c);
        (void)sl_capture_hex_flush(&hex);
    }
    fclose(file);
}

static void ring(const char *folder)
{
    static uint64_t memory[256];
    FILE *file = create(folder, "ring.capture");
    struct sl_capture c;
    fixture_ram(&c, SL_SINK_RING, memory, sizeof memory);
    fixture_head(&c);
    sl_capture_pin(&c);
    for (unsigned i = 0; i < 50; i++)
        fixture_sample(&c, SL_CAPTURE_SAMPLE, i);
    (void)sl_capture_finish(&c);
    (void)put(file, memory, sizeof memory);
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    stream(argv[1]);
    log_of_two_cores(argv[1]);
    ring(argv[1]);
    return 0;
}
