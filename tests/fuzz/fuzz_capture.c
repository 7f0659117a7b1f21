/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes are a capture with problems: its items cover them, its arrays agree with each other, nothing is lost
 * unseen. */
#include "tests/fuzz/capture_mutate.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "hosted/io/capture_file.h"
#include "hosted/report/capture_text.h"
#include "hosted/report/doctor.h"

static size_t count_bad_items(const uint8_t *data, size_t size)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    size_t at = 0, bad = 0;
    sl_capture_reader_init(&reader, data, size);
    while (sl_capture_next(&reader, &item)) {
        fuzz_require(item.offset == at && item.len_bytes > 0 && item.len_bytes <= size - at);
        at += item.len_bytes;
        bad += item.kind != SL_ITEM_RECORD && item.kind != SL_ITEM_UNUSED;
    }
    fuzz_require(at == size);
    return bad;
}

/* Arrays are in the order of streams; references are within bounds and agree. */
static void require_order(const struct capture *capture)
{
    for (size_t i = 0; i < capture->n_samples; i++) {
        const struct capture_sample *sample = &capture->samples[i];
        fuzz_require(sample->stream < capture->n_streams && (i == 0 || sample[-1].stream <= sample->stream));
        fuzz_require(sample->group == CAPTURE_NONE ||
                     (sample->group < capture->n_groups &&
                      capture->groups[sample->group].group.n_counters == sample->sample.n_counts));
        fuzz_require(sample->region == CAPTURE_NONE || sample->region < capture->n_regions);
        fuzz_require(sample->clock == CAPTURE_NONE || sample->clock < capture->n_clocks);
        fuzz_require(!sample->sample.n_counts || sample->counts);
    }
    for (size_t i = 0; i < capture->n_registers; i++)
        fuzz_require(i == 0 || capture->registers[i - 1].stream <= capture->registers[i].stream);
    for (size_t i = 0; i < capture->n_streams; i++)
        fuzz_require(capture->streams[i].n_given_up <= capture->streams[i].n_missing);
}

static FILE *nowhere(void)
{
    static FILE *file;
    if (!file)
        file = fopen("/dev/null", "w");
    return file;
}

/* What is printed from it. */
static void report(const struct capture *capture, FILE *out)
{
    const struct capture_text_options options = {.registers = true, .counts = true};
    struct doctor_report doctor;
    capture_print(capture, &options, out);
    doctor_examine(&doctor, capture);
    for (size_t i = 0; i < doctor.n_findings; i++)
        fuzz_require(doctor.findings[i].stream < capture->n_streams && doctor.findings[i].finding);
    doctor_print(&doctor, capture, out);
    doctor_free(&doctor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* What takes most of the time, not in each execution: texts of problems in one of 16, the items once more in one
     * of 4. */
    struct diag silent = {.stream = size % 16u ? NULL : nowhere()};
    struct capture capture;
    size_t bad = size % 4u ? 0 : count_bad_items(data, size), losses = 0;
    bool any = capture_read(&capture, "fuzz", data, size);
    fuzz_require(any == (capture.n_records > 0));
    fuzz_require(capture.n_problems >= bad);
    for (size_t i = 0; i < capture.n_problems; i++) {
        fuzz_require(capture.problems[i].offset <= size);
        losses += capture_problem_is_loss(capture.problems[i].kind);
    }
    require_order(&capture);
    if (silent.stream)
        report(&capture, silent.stream);
    fuzz_require(capture_say_problems(&capture, 50, &silent) == losses);
    capture_free(&capture);
    return 0;
}
