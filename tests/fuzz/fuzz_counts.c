/* SPDX-License-Identifier: Apache-2.0 */
/* Counts files of any core: read, evaluated, and printed in every form. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "hosted/io/counts.h"
#include "hosted/report/topdown_report.h"

static void print(const struct topdown_report *report)
{
    static const struct topdown_options options = {.raw = true};
    FILE *out = fopen("/dev/null", "w");
    fuzz_require(out != NULL);
    topdown_text(report, &options, out);
    topdown_json(report, &options, out);
    topdown_csv(report, &options, out);
    topdown_diff(report, report, &options, TOPDOWN_TEXT, out);
    fclose(out);
}

/* Input: core, width, then the text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = {.stream = NULL};
    const struct sl_topdown_core *core;
    struct counts counts;
    size_t n_cores = 0;
    if (size < 2) {
        return 0;
    }
    while (sl_topdown_core_at(n_cores)) {
        n_cores++;
    }
    core = sl_topdown_core_at(data[0] % n_cores);
    if (counts_read(&counts, "fuzz", (const char *)data + 2, size - 2, core->model, data[1] % 20u, &diag)) {
        struct topdown_entry *entries = calloc(counts.n_sets, sizeof *entries);
        struct topdown_report report = {.source = "fuzz", .entries = entries, .n_entries = counts.n_sets};
        fuzz_require(entries != NULL && counts.n_sets > 0);
        for (size_t i = 0; i < counts.n_sets; i++) {
            entries[i].where = counts.sets[i].label;
            entries[i].core = core;
            entries[i].config.width = data[1] % 20u;
            entries[i].width_source = "option";
            entries[i].counts = counts.sets[i].counts;
            entries[i].n_counts = counts.sets[i].n_counts;
        }
        topdown_evaluate_all(&report);
        print(&report);
        free(entries);
    } else {
        fuzz_require(diag.n_errors == 1); /* one error, not a flood, and never silence */
    }
    counts_free(&counts);
    return 0;
}
