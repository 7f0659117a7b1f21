/* SPDX-License-Identifier: Apache-2.0 */
/* Text of the wait reasons: a table, the reasons of each instruction, and findings about lost slots in sentences. */
#include <stdlib.h>

#include "mca_waits.h"

#define MOST_REASONS  8u
#define MOST_FINDINGS 10u

static void text_u64(struct text_out *out, uint64_t value)
{
    char digits[24];

    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    text_put(out, digits);
}

static void each(struct text_out *out, uint64_t amount, uint32_t executions, unsigned column)
{
    char number[32];

    (void)snprintf(number, sizeof number, "%*.2f", (int)column, (double)amount / (executions != 0 ? executions : 1));
    text_put(out, number);
}

static uint64_t sum(const uint64_t *causes)
{
    uint64_t all = 0;

    for (unsigned i = 0; i < SL_WAITS; i++)
        all += causes[i];
    return all;
}

/* before, after, and of after: data, units, executing, retirement */
static void row(struct text_out *out, const struct sl_obs_waits *o, uint32_t position, uint64_t total[6])
{
    const uint64_t *before = &o->before[(size_t)position * SL_WAITS], *after = &o->after[(size_t)position * SL_WAITS];
    const uint64_t cells[6] = {sum(before),
                               sum(after),
                               after[SL_WAIT_REGISTER] + after[SL_WAIT_MEMORY],
                               after[SL_WAIT_UNIT],
                               after[SL_WAIT_EXECUTING],
                               after[SL_WAIT_RETIRE_ORDER] + after[SL_WAIT_RETIRE_WIDTH]};

    for (unsigned i = 0; i < 6; i++) {
        each(out, cells[i], o->m->config.iterations, 9);
        total[i] += cells[i];
    }
}

static void table(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input)
{
    const struct sl_obs_waits *o = &report->waits;
    uint64_t total[6] = {0};

    text_put(out, "\n\nWait reasons (cycles of one execution, on average):\n"
                  "[0]: Next in program order, but not dispatched\n"
                  "[1]: From dispatch to retirement, of these:\n"
                  "[2]: Waiting for data or for an older load or store\n"
                  "[3]: Ready, waiting for a unit\n"
                  "[4]: Executing\n"
                  "[5]: Executed, waiting for older instructions or a place to retire\n\n"
                  "           [0]      [1]      [2]      [3]      [4]      [5]\n");
    for (uint32_t i = 0; i < o->m->n_insns; i++) {
        char index[16];

        (void)snprintf(index, sizeof index, "%-5u", i);
        text_put(out, index);
        row(out, o, i, total);
        text_put(out, "   ");
        text_put(out, input->texts[i]);
        text_newline(out);
    }
    text_put(out, "     ");
    for (unsigned i = 0; i < 6; i++)
        each(out, total[i], o->m->config.iterations, 9);
    text_put(out, "   <one iteration>\n");
}

/* Those of one instruction, from *at on in a list that is grouped by instruction. */
static void reasons(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input,
                    uint32_t position, const struct sl_wait_charge *list, size_t n, size_t *at)
{
    const char *stage = n != 0 && list[0].stage == SL_WAIT_BEFORE ? "  before dispatch: " : "  ";
    uint32_t iterations = report->m->config.iterations;
    size_t first = *at;
    uint64_t rest = 0;
    char text[WAITS_TEXT_ROOM];

    for (; *at < n && list[*at].position == position; ++*at) {
        if (*at - first >= MOST_REASONS) {
            rest += list[*at].amount;
            continue;
        }
        each(out, list[*at].amount, iterations, 14);
        text_put(out, stage);
        text_put(out, mca_waits_reason(report, input, &list[*at], text));
        text_newline(out);
    }
    if (rest != 0) {
        each(out, rest, iterations, 14);
        text_put(out, stage);
        text_u64(out, *at - first - MOST_REASONS);
        text_put(out, " other reasons\n");
    }
}

static bool shown(const struct sl_wait_charge *c, uint64_t total)
{
    return c->amount >= total / 200 && c->by != SL_WAIT_END;
}

/* The same cause with several ways to be in the way counts several times: each is a finding. */
void mca_text_findings(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input)
{
    const struct sl_obs_waits *o = &report->waits;
    size_t n, said = 0;
    struct sl_wait_charge *list = mca_waits_sorted(o, SL_WAIT_SLOTS, false, &n);
    uint64_t total = (uint64_t)o->width * o->m->cycles, lost = total - o->used_slots;
    char text[WAITS_TEXT_ROOM], number[64];

    text_put(out, "\n\nWhere slots were lost (");
    text_u64(out, lost);
    text_put(out, " of ");
    text_u64(out, total);
    text_put(out, ": ");
    text_u32(out, o->width);
    text_put(out, " a cycle), largest first:\n");
    for (size_t i = 0; list != NULL && i < n && said < MOST_FINDINGS; i++) {
        if (!shown(&list[i], total))
            continue;
        said++;
        lost -= list[i].amount;
        (void)snprintf(number, sizeof number, "%5.1f %% (%llu slots, ", 100.0 * (double)list[i].amount / (double)total,
                       (unsigned long long)list[i].amount);
        text_put(out, number);
        (void)snprintf(number, sizeof number,
                       "%.2f cycles an iteration): ", (double)list[i].amount / o->width / o->m->config.iterations);
        text_put(out, number);
        text_put(out, mca_waits_sentence(report, input, &list[i], text));
        text_put(out, ".\n");
    }
    (void)snprintf(number, sizeof number, "%5.1f %% (%llu slots) ",
                   100.0 * (double)lost / (double)(total != 0 ? total : 1), (unsigned long long)lost);
    if (lost != 0) {
        text_put(out, number);
        text_put(out, said != 0 ? "for smaller reasons, and at the end of the run.\n" : "at the end of the run.\n");
    }
    free(list);
}

void mca_text_waits(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input)
{
    size_t n_before, n_after, before_at = 0, after_at = 0;
    struct sl_wait_charge *before = mca_waits_sorted(&report->waits, SL_WAIT_BEFORE, true, &n_before);
    struct sl_wait_charge *after = mca_waits_sorted(&report->waits, SL_WAIT_AFTER, true, &n_after);

    table(out, report, input);
    text_newline(out);
    for (uint32_t i = 0; before != NULL && after != NULL && i < report->m->n_insns; i++) {
        char index[16];

        (void)snprintf(index, sizeof index, "[%u] ", i);
        text_put(out, index);
        text_put(out, input->texts[i]);
        text_newline(out);
        reasons(out, report, input, i, before, n_before, &before_at);
        reasons(out, report, input, i, after, n_after, &after_at);
    }
    free(before);
    free(after);
}

/* ---- beside the timeline --------------------------------------------------------------------------------------- */

static void strip(struct text_out *out, const struct sl_wait_segment *s, size_t n,
                  const struct sl_timeline_entry *entry, uint32_t last)
{
    for (uint32_t cycle = 0; cycle <= last; cycle++) {
        char c = cycle % 5 == 0 ? '.' : ' ';

        for (size_t i = 0; i < n; i++)
            if (cycle >= s[i].from_cycle && cycle - s[i].from_cycle < s[i].cycles && s[i].cause != SL_WAIT_PIPELINE)
                c = mca_waits_letter((enum sl_wait)s[i].cause);
        if (entry->retired != 0 || entry->executed == 0) {
            if (cycle == entry->retired && entry->retired > entry->executed)
                c = 'R';
            if (cycle == entry->executed)
                c = 'E';
        }
        if (cycle == (uint32_t)entry->dispatched)
            c = 'D';
        text_char(out, c);
    }
}

static void culprits(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input,
                     const struct sl_wait_segment *s, size_t n)
{
    char text[WAITS_TEXT_ROOM], before[WAITS_TEXT_ROOM] = "";
    const char *separator = "   ; ";

    for (size_t i = 0; i < n; i++) {
        if (mca_waits_brief(report, input, &s[i], text)[0] == '\0' || !strcmp(text, before))
            continue;
        text_put(out, separator);
        text_put(out, text);
        memcpy(before, text, sizeof before);
        separator = ", ";
    }
}

void mca_text_waits_timeline(struct text_out *out, struct mca_report *report, const struct mca_report_input *input)
{
    const struct sl_obs_waits *o = &report->waits;
    const struct sl_obs_timeline *t = &report->timeline;
    size_t n = o->n_segments, from = 0;

    mca_waits_sort_segments(&report->waits);
    text_put(out, "\n\nTimeline with wait reasons (one letter a cycle):\n"
                  "D dispatched, e executing, E executed, R retired; d data, m memory order, u unit, o retire order, w "
                  "retire width;\n"
                  "not dispatched: s slots used up, g dispatch group, c micro-ops carried over, r reorder buffer, f "
                  "register file,\n"
                  "q scheduler buffer, h unit without a buffer, l load queue, t store queue, i micro-op queue, b "
                  "write-back order\n\n");
    for (uint32_t iid = 0; iid < t->n_entries && iid < o->segment_iids; iid++) {
        const struct sl_timeline_entry *entry = &t->entries[iid];
        size_t end = from;
        char index[32];

        while (end < n && o->segments[end].iid == iid)
            end++;
        if (entry->retired == 0 && entry->executed != 0)
            break;
        (void)snprintf(index, sizeof index, "[%u,%u]", iid / t->n_insns, iid % t->n_insns);
        text_put(out, index);
        text_pad(out, 10);
        strip(out, &o->segments[from], end - from, entry, t->last_cycle);
        text_put(out, "   ");
        text_put(out, input->texts[iid % t->n_insns]);
        culprits(out, report, input, &o->segments[from], end - from);
        text_newline(out);
        from = end;
    }
}
