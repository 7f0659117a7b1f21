/* SPDX-License-Identifier: Apache-2.0 */
/* Options of commands that read a board's SPE buffers. */
#include "spe_options.h"

#include <string.h>

/* Splits "NAME@NUMBER" at the last @; without a number, *number keeps its value. The name goes into the pool. */
static const char *split_number(struct pool *pool, const char *text, size_t len, uint64_t *number)
{
    char *name = pool_text(pool, text, len), *at = strrchr(name, '@');

    if (at && options_number(at + 1, UINT64_MAX, number))
        *at = '\0';
    return name;
}

bool spe_options_programs(const struct spe_options *options, struct perf_export_options *out, struct diag *diag)
{
    const char *rest = options->elf;

    while (rest && *rest) {
        size_t len = strcspn(rest, ",");
        if (out->n_programs == PERF_EXPORT_IMAGES) {
            diag_say(diag, DIAG_ERROR, "more than %u programs in --elf", PERF_EXPORT_IMAGES);
            return false;
        }
        if (len) {
            struct perf_export_program *program = &out->programs[out->n_programs++];
            program->base = 0;
            program->path = split_number(&out->pool, rest, len, &program->base);
        }
        rest += len + (rest[len] == ',');
    }
    return true;
}

static bool set_overrides(const struct spe_options *options, struct spe_input *input, struct diag *diag)
{
    if (options->midr)
        input->midr = options->midr;
    if (options->hz)
        input->hz = options->hz;
    if (input->mixed_cores && !options->midr)
        diag_say(diag, DIAG_WARNING,
                 "the cores are of different kinds: data sources are read as the first one means them");
    if (!input->midr)
        diag_say(diag, DIAG_WARNING,
                 "without --midr, data sources are not known: cache levels are told by events alone");
    return true;
}

bool spe_options_read(const struct spe_options *options, const char *const *names, size_t n_names,
                      struct spe_input *input, struct diag *diag)
{
    uint64_t base = 0;

    if (options->base && !options_number(options->base, UINT64_MAX, &base)) {
        diag_say(diag, DIAG_ERROR, "'%s' is no address (--base)", options->base);
        return false;
    }
    for (size_t i = 0; i < n_names; i++) {
        uint64_t core = i;
        const char *name = names[i];
        if (options->raw)
            name = split_number(&input->pool, name, strlen(name), &core);
        if (core > UINT16_MAX) {
            diag_say(diag, DIAG_ERROR, "there is no core %llu", (unsigned long long)core);
            return false;
        }
        if (!spe_input_read(input, name, options->raw, (uint32_t)core, base, diag))
            return false;
    }
    return set_overrides(options, input, diag);
}
