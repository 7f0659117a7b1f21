/* SPDX-License-Identifier: Apache-2.0 */
/* Options of commands that read a board's SPE buffers. */
#ifndef HOSTED_CLI_SPE_OPTIONS_H
#define HOSTED_CLI_SPE_OPTIONS_H

#include "../io/perf_export.h"
#include "options.h"

struct spe_options {
    bool raw;
    uint32_t midr, hz;
    const char *base;
    const char *elf;
};

/* Rows of an option table; AT(member) gives the offset of a member named spe. */
#define SPE_OPTIONS(AT)                                                                                                \
    {"spe-raw",   OPTION_BOOL,    false,                                                                               \
     AT(spe.raw), NULL,           "The input is bare SPE bytes: FILE[@CORE] for each core, not a capture dump",        \
     NULL,        "Input Options"},                                                                                    \
        {"midr", OPTION_UINT, false, AT(spe.midr), "<number>", "MIDR_EL1 of the cores, for their data sources",        \
         NULL,   NULL},                                                                                                \
        {"hz", OPTION_UINT, false, AT(spe.hz), "<number>", "Frequency of the generic timer", NULL, NULL},              \
        {"base", OPTION_STRING, false, AT(spe.base), "<address>", "Address of the first byte of bare buffers",         \
         NULL,   NULL},                                                                                                \
    {                                                                                                                  \
        "elf", OPTION_STRING, false, AT(spe.elf), "<image[@base],...>",                                                \
            "Programs that ran, with what their addresses are moved by", NULL, NULL                                    \
    }

/* The programs of --elf. false: reported. */
bool spe_options_programs(const struct spe_options *options, struct perf_export_options *out, struct diag *diag);
/* Reads the inputs. false: reported; input is to be freed in any case. */
bool spe_options_read(const struct spe_options *options, const char *const *names, size_t n_names,
                      struct spe_input *input, struct diag *diag);

#endif
