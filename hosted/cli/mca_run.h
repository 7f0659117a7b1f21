/* SPDX-License-Identifier: Apache-2.0 */
/* One input with its options, on the way through the regions; and many inputs or functions in one process. */
#ifndef HOSTED_CLI_MCA_RUN_H
#define HOSTED_CLI_MCA_RUN_H

#include "../report/mca_html.h"
#include "../report/mca_report.h"
#include "code_text.h"
#include "mca_input.h"

struct run {
    const struct mca_options *options;
    struct mca_input *input;
    struct mca_report_options views;
    struct sl_mca_config config;
    struct disasm_options syntax; /* of texts that do not come from the input */
    struct diag *diag;
    FILE *out;
    struct mca_html *html; /* NULL or html->out NULL: no page */
    struct mca_report_json json;
    unsigned n_reported;
    uint32_t quirks; /* met so far, that change results */
    struct text notes; /* of the region being printed */
};

/* Settles views and configuration once the input and so the processor is known. */
void mca_run_settle(struct run *run, const unsigned *positions);

/* Lowers, simulates and prints one region. false: reported to run->diag, and nothing of the region printed. */
bool mca_run_region(struct run *run, const struct block_region *region);

/* What a run comes to. */
struct mca_figures {
    uint32_t iterations, instructions; /* instructions and micro-ops of one iteration */
    uint32_t cycles;                   /* of all */
    uint64_t uops, bytes;
    uint32_t width;                    /* of dispatch */
};

/* Lowers and simulates one region without a report. false: reported to run->diag. */
bool mca_run_measure(struct run *run, const struct block_region *region, struct mca_figures *figures);

/* --html: begins the page (html->out NULL without the option), and ends it. false: reported. */
bool mca_page_open(struct mca_html *html, const struct mca_options *options, const char *input, struct diag *diag);
bool mca_page_close(struct mca_html *html, const struct mca_options *options, struct diag *diag);

/* The parts of a JSON report that are not about a region. */
struct mca_report_json_target mca_run_json_target(const struct run *run);

/* Does the command line ask for many functions or files? */
bool mca_is_batch(const struct mca_options *options);
/* Likewise; and settles the options that this means others for. */
bool mca_settle_batch(struct mca_options *options);

/* Every region of every file, in order; what fails is reported and the rest goes on. Returns the exit status. */
int mca_batch(const char *program, const struct mca_options *options, const unsigned *positions,
              const char *const *files, size_t n_files);

#endif
