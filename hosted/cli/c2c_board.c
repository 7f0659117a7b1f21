/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger c2c` on what a board wrote. */
#include "c2c_board.h"

#include <string.h>

#include <slotledger/capture.h>

#include "spe_options.h"

#define MAX_FILES 1024u

static bool is_recording(const struct file *file)
{
    static const char *const magics[] = {"PERFILE2", "2ELIFREP", "PERFFILE"};

    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
        if (file->size >= 8 && !memcmp(file->data, magics[i], 8))
            return true;
    }
    return false;
}

/* Whether an intact record of a capture is found. */
static bool is_dump(const struct file *file)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;

    sl_capture_reader_init(&reader, file->data, file->size);
    while (sl_capture_next(&reader, &item)) {
        if (item.kind == SL_ITEM_RECORD)
            return true;
    }
    return false;
}

bool c2c_board_is_input(const struct c2c_board_options *options, const char *input)
{
    struct diag silent = {NULL, 0};
    struct file file;
    bool yes;

    if (options->spe_raw)
        return true;
    if (!strcmp(input, "-") || !file_read(&file, input, &silent))
        return false;
    yes = !is_recording(&file) && is_dump(&file);
    file_free(&file);
    return yes;
}

static bool read_number(const char *text, const char *option, uint64_t max, uint32_t *value, struct diag *diag)
{
    uint64_t number = 0;

    if (text && !options_number(text, max, &number)) {
        diag_say(diag, DIAG_ERROR, "'%s' is no number (--%s)", text, option);
        return false;
    }
    *value = (uint32_t)number;
    return true;
}

/* The names of --spe-raw, which commas part. */
static size_t split_names(struct pool *pool, const char *text, const char **names)
{
    size_t n = 0;

    while (*text && n < MAX_FILES) {
        size_t len = strcspn(text, ",");
        if (len)
            names[n++] = pool_text(pool, text, len);
        text += len + (text[len] == ',');
    }
    return n;
}

bool c2c_board_record(const struct c2c_board_options *options, const char *input, struct spe_recording *recording,
                      struct diag *diag)
{
    struct spe_options how = {.raw = options->spe_raw != NULL, .base = options->base, .elf = options->elf};
    struct perf_export_options export = {.command = "slotledger c2c report"};
    struct spe_input buffers = {.buffers = NULL};
    const char *names[MAX_FILES] = {input};
    size_t n = 1;
    bool ok;

    if (options->spe_raw)
        n = split_names(&buffers.pool, options->spe_raw, names);
    ok = read_number(options->midr, "midr", UINT32_MAX, &how.midr, diag) &&
         read_number(options->hz, "hz", UINT32_MAX, &how.hz, diag) && spe_options_programs(&how, &export, diag) &&
         spe_options_read(&how, names, n, &buffers, diag) && spe_recording_make(recording, &buffers, &export, diag);
    spe_input_free(&buffers);
    pool_free(&export.pool);
    return ok;
}
