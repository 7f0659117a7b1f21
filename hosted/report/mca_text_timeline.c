/* SPDX-License-Identifier: Apache-2.0 */
/* Text of the timeline and of the average wait times. */
#include "mca_internal.h"

/* Digits of the cycles 0..last whose tens digit is even (or odd), spaces elsewhere. */
static void ruler(struct text_out *out, uint32_t last, bool odd)
{
    for (uint32_t i = 0; i <= last; i++)
        text_char(out, (i / 10 & 1u) == odd ? (char)('0' + i % 10) : ' ');
    text_newline(out);
}

static void header(struct text_out *out, uint32_t last)
{
    text_put(out, "\n\nTimeline view:\n");
    if (last >= 10) {
        text_pad(out, 10);
        ruler(out, last, true);
    }
    text_put(out, "Index");
    text_pad(out, 10);
    ruler(out, last, false);
}

static void fill(struct text_out *out, char c, uint64_t from, uint64_t to)
{
    if (from < to)
        text_fill(out, c, (size_t)(to - from));
}

/* A dot at every fifth cycle from `from` to before `to`. */
static void dots(struct text_out *out, uint32_t from, uint32_t to)
{
    static const char pattern[] = ".    .    .    .    .    .    .    .    .    .    .    .    .    ";

    while (from < to) {
        uint32_t now = sl_min_u32(to - from, 60);

        text_plain(out, pattern + from % 5, now);
        from += now;
    }
}

static void stages(struct text_out *out, const struct sl_timeline_entry *entry, uint32_t last)
{
    uint32_t dispatched = (uint32_t)entry->dispatched;

    dots(out, 0, dispatched);
    text_char(out, 'D');
    if (dispatched != entry->executed) {
        fill(out, '=', (uint64_t)dispatched + 1, entry->issued);
        if (entry->issued != entry->executed) {
            if (dispatched != entry->issued)
                text_char(out, 'e');
            fill(out, 'e', (uint64_t)entry->issued + 1, entry->executed);
        }
        text_char(out, 'E');
    }
    fill(out, '-', (uint64_t)entry->executed + 1, entry->retired);
    if (entry->executed < entry->retired)
        text_char(out, 'R');
    dots(out, entry->retired + 1, last);
    if (entry->retired < last)
        text_char(out, '.');
}

static void table(struct text_out *out, const struct sl_obs_timeline *o, const struct mca_report_input *input)
{
    const struct sl_timeline_entry *entry = o->entries;

    for (uint32_t iteration = 0; iteration < o->iterations; iteration++) {
        for (uint32_t position = 0; position < o->n_insns; position++, entry++) {
            if (entry->retired == 0 && entry->executed != 0) {
                text_put(out, "Truncated display due to cycle limit\n");
                return;
            }
            if (entry == o->entries)
                text_newline(out);
            text_char(out, '[');
            text_u32(out, iteration);
            text_char(out, ',');
            text_u32(out, position);
            text_char(out, ']');
            text_pad(out, 10);
            stages(out, entry, o->last_cycle);
            text_fill(out, ' ', 3);
            text_put(out, input->texts[position]);
            text_newline(out);
        }
    }
}

static void average(struct text_out *out, uint32_t cycles, uint32_t executions, unsigned column)
{
    text_decimal(out, text_floor((double)(uint32_t)(cycles * 10u) / executions + 0.5) / 10, 1);
    text_pad(out, column);
}

static void averages(struct text_out *out, const struct sl_timeline_wait *wait, uint32_t shown, uint32_t executions)
{
    text_pad(out, 7);
    text_u32(out, shown);
    text_pad(out, 13);
    average(out, wait->queued, executions, 20);
    average(out, wait->ready, executions, 27);
    average(out, wait->written_back, executions, 34);
    text_fill(out, ' ', 3);
}

static void wait_times(struct text_out *out, const struct sl_obs_timeline *o, const struct mca_report_input *input)
{
    struct sl_timeline_wait total = { 0 };

    text_put(out, "\n\nAverage Wait times (based on the timeline view):\n[0]: Executions\n"
                  "[1]: Average time spent waiting in a scheduler's queue\n"
                  "[2]: Average time spent waiting in a scheduler's queue while ready\n"
                  "[3]: Average time elapsed from WB until retire stage\n\n"
                  "      [0]    [1]    [2]    [3]\n");
    for (uint32_t i = 0; i < o->n_insns; i++) {
        const struct sl_timeline_wait *wait = &o->waits[i];

        text_u32(out, i);
        text_char(out, '.');
        averages(out, wait, o->iterations, o->iterations);
        text_put(out, input->texts[i]);
        text_newline(out);
        total.queued += wait->queued;
        total.ready += wait->ready;
        total.written_back += wait->written_back;
    }
    if (o->n_insns == 1)
        return;
    averages(out, &total, o->iterations, o->iterations * o->n_insns);
    text_put(out, "<total>\n");
}

void mca_text_timeline(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input)
{
    const struct sl_obs_timeline *o = &report->timeline;

    header(out, o->last_cycle);
    table(out, o, input);
    wait_times(out, o, input);
}
