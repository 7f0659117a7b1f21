/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines: any text is read and written back as it was understood, or is one error; compared with itself it is the same. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "hosted/io/baseline.h"
#include "hosted/report/check_text.h"

static void round_trip(const struct baseline *baseline)
{
    static const struct baseline_tolerance none[BASELINE_FIGURES];
    struct baseline again = {0};
    struct diag diag = {.stream = NULL};
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    struct check_counts counts;
    fuzz_require(out != NULL);
    baseline_write(baseline, out);
    fclose(out);
    struct source source = {"again", text, len};
    fuzz_require(baseline_parse(&again, &source, &diag));
    fuzz_require(again.n_entries == baseline->n_entries && again.iterations == baseline->iterations);
    out = fopen("/dev/null", "w");
    fuzz_require(out != NULL);
    counts = check_text(baseline, &again, none, out);
    fclose(out);
    fuzz_require(counts.same == baseline->n_entries && !check_failed(&counts) && counts.added == 0);
    baseline_free(&again);
    free(text);
}

/* Input: a byte, then the text, or with an even byte a list of tolerances. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = {.stream = NULL};
    struct baseline baseline = {0};
    char *text;
    if (size < 2) {
        return 0;
    }
    text = malloc(size - 1);
    fuzz_require(text != NULL);
    memcpy(text, data + 1, size - 1);
    if (data[0] % 2 == 0) {
        struct baseline_tolerance tolerance[BASELINE_FIGURES] = {{0, false}};
        text[size - 2] = '\0';
        if (baseline_tolerances(text, tolerance)) {
            for (unsigned f = 0; f < BASELINE_FIGURES; f++) {
                fuzz_require(!baseline_is_worse(&tolerance[f], 1000, 1000));
            }
        }
    } else {
        struct source source = {"fuzz", text, size - 1};
        if (baseline_parse(&baseline, &source, &diag)) {
            round_trip(&baseline);
        } else {
            fuzz_require(diag.n_errors == 1);
        }
    }
    baseline_free(&baseline);
    free(text);
    return 0;
}
