/* SPDX-License-Identifier: Apache-2.0 */
/* Text of the dispatch, scheduler, retire and register-file statistics. */
#include "mca_internal.h"

/* " N<gap>count  (percent%)" for each value seen. */
struct histogram_style {
    unsigned gap;      /* spaces after the comma */
    bool gap_shrinks;  /* one fewer from N = 10 on */
    bool rounded;      /* percentages go through the reference's rounding first */
};

static void histogram(struct text_out *out, const struct sl_cycle_histogram *h, uint32_t cycles,
                      const struct histogram_style *style)
{
    struct sl_cycle_count item;
    uint32_t cursor = 0;

    while (sl_cycle_histogram_next(h, &cursor, &item)) {
        double percent = (double)item.cycles / cycles * 100.0;

        text_char(out, ' ');
        text_u32(out, item.value);
        text_char(out, ',');
        text_fill(out, ' ', style->gap - (style->gap_shrinks && item.value >= 10));
        text_u32(out, item.cycles);
        TEXT_LITERAL(out, "  (");
        if (style->rounded)
            text_rounded(out, percent, 1);
        else
            text_decimal(out, percent, 1);
        text_put(out, "%)\n");
    }
}

static void share(struct text_out *out, uint32_t count, double of)
{
    text_u32(out, count);
    TEXT_LITERAL(out, "  (");
    text_rounded(out, count / of * 100.0, 1);
    TEXT_LITERAL(out, "%)");
}

void mca_text_dispatch(struct text_out *out, const struct mca_report *report)
{
    static const struct { const char *text; enum sl_mca_stall stall; } lines[] = {
        { "RAT     - Register unavailable:                      ", SL_MCA_STALL_REGISTER_FILE },
        { "RCU     - Retire tokens unavailable:                 ", SL_MCA_STALL_RETIRE_CONTROL_UNIT },
        { "SCHEDQ  - Scheduler full:                            ", SL_MCA_STALL_SCHEDULER_QUEUE_FULL },
        { "LQ      - Load queue full:                           ", SL_MCA_STALL_LOAD_QUEUE_FULL },
        { "SQ      - Store queue full:                          ", SL_MCA_STALL_STORE_QUEUE_FULL },
        { "GROUP   - Static restrictions on the dispatch group: ", SL_MCA_STALL_DISPATCH_GROUP },
        { "USH     - Uncategorised Structural Hazard:           ", SL_MCA_STALL_CUSTOM_BEHAVIOUR },
    };
    static const struct histogram_style style = { .gap = 14, .rounded = true };
    uint32_t cycles = report->m->cycles;

    text_put(out, "\n\nDynamic Dispatch Stall Cycles:\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        uint32_t count = report->dispatch.stalls[lines[i].stall];

        text_put(out, lines[i].text);
        if (count != 0)
            share(out, count, cycles);
        else
            text_char(out, '0');
        text_newline(out);
    }
    text_put(out, "\n\nDispatch Logic - number of cycles where we saw N micro opcodes dispatched:\n"
                  "[# dispatched], [# cycles]\n");
    histogram(out, &report->dispatch.dispatched, cycles, &style);
}

static void buffer_usage(struct text_out *out, const struct mca_report *report)
{
    const struct sl_cpu *cpu = report->m->cpu;
    const struct sl_level *buffers = report->scheduler.buffers;
    bool used = false;

    for (unsigned i = 0; i < cpu->n_resources; i++)
        used |= buffers[i].max != 0;
    if (!used) {
        text_put(out, "No scheduler resources used.\n");
        return;
    }
    text_put(out, "[1] Resource name.\n[2] Average number of used buffer entries.\n"
                  "[3] Maximum number of used buffer entries.\n[4] Total number of buffer entries.\n\n"
                  " [1]            [2]        [3]        [4]\n");
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        double average;

        if (cpu->resources[i].buffer_size <= 0)
            continue;
        average = (double)buffers[i].sum / report->m->cycles;
        text_put(out, mca_resource_name(cpu, i));
        text_pad(out, 17);
        text_u32(out, (uint32_t)(text_floor(average * 10 + 0.5) / 10));
        text_pad(out, 28);
        text_u32(out, buffers[i].max);
        text_pad(out, 39);
        text_u32(out, (uint32_t)cpu->resources[i].buffer_size);
        text_newline(out);
    }
}

void mca_text_scheduler(struct text_out *out, const struct mca_report *report)
{
    static const struct histogram_style style = { .gap = 10 };

    text_put(out, "\n\nSchedulers - number of cycles where we saw N micro opcodes issued:\n"
                  "[# issued], [# cycles]\n");
    histogram(out, &report->scheduler.issued, report->m->cycles, &style);
    text_put(out, "\nScheduler's queue usage:\n");
    buffer_usage(out, report);
}

/* value  ( percent% ) of the whole; a whole of 0 prints inf or -nan as the reference does. */
static void rob_share(struct text_out *out, uint32_t value, uint32_t total)
{
    text_u32(out, value);
    TEXT_LITERAL(out, "  ( ");
    text_rounded(out, (double)value / total * 100.0, 1);
    TEXT_LITERAL(out, "% )");
}

void mca_text_retire(struct text_out *out, const struct mca_report *report)
{
    static const struct histogram_style style = { .gap = 11, .gap_shrinks = true };
    const struct sl_obs_retire *o = &report->retire;
    uint32_t total = sl_obs_reorder_buffer(report->m->cpu);

    text_put(out, "\n\nRetire Control Unit - number of cycles where we saw N instructions retired:\n"
                  "[# retired], [# cycles]\n");
    histogram(out, &o->retired, report->m->cycles, &style);
    text_put(out, "\nTotal ROB Entries:                ");
    text_u32(out, total);
    text_put(out, "\nMax Used ROB Entries:             ");
    rob_share(out, o->in_use.max, total);
    text_put(out, "\nAverage Used ROB Entries per cy:  ");
    /* The reference sums in 32 bits. */
    rob_share(out, (uint32_t)((double)(uint32_t)o->in_use.sum / report->m->cycles), total);
    text_newline(out);
}

static void register_file(struct text_out *out, const struct sl_cpu *cpu, unsigned index,
                          const struct sl_register_usage *usage)
{
    text_put(out, "\n*  Register File #");
    text_u32(out, index);
    TEXT_LITERAL(out, " -- ");
    text_put(out, cpu->names + cpu->files[index].name);
    text_put(out, ":\n   Number of physical registers:     ");
    text_u32(out, cpu->files[index].n_physical);
    text_put(out, "\n   Total number of mappings created: ");
    text_u32(out, usage->total);
    text_put(out, "\n   Max number of mappings used:      ");
    text_u32(out, usage->max);
    text_newline(out);
    if (usage->move_candidates == 0)
        return;
    text_put(out, "   Number of optimizable moves:      ");
    text_u32(out, usage->move_candidates);
    text_put(out, "\n   Number of moves eliminated:       ");
    share(out, usage->moves_eliminated, usage->move_candidates);
    text_put(out, "\n   Number of zero moves:             ");
    share(out, usage->zero_moves, usage->move_candidates);
    text_put(out, "\n   Max moves eliminated per cycle:   ");
    text_u32(out, usage->max_moves);
    text_newline(out);
}

void mca_text_regfile(struct text_out *out, const struct mca_report *report)
{
    const struct sl_cpu *cpu = report->m->cpu;
    const struct sl_register_usage *files = report->regfile.files;

    text_put(out, "\n\nRegister File statistics:\nTotal number of mappings created:    ");
    text_u32(out, files[0].total);
    text_put(out, "\nMax number of mappings used:         ");
    text_u32(out, files[0].max);
    text_newline(out);
    for (unsigned i = 1; i < report->regfile.n_files; i++)
        if (cpu->files[i].n_physical != 0)
            register_file(out, cpu, i, &files[i]);
}
