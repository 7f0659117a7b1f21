/* SPDX-License-Identifier: Apache-2.0 */
/* Text of the bottleneck analysis. */
#include "mca_internal.h"

static void share(struct text_out *out, const char *title, uint32_t count, uint32_t cycles)
{
    text_put(out, title);
    TEXT_LITERAL(out, "[ ");
    text_rounded(out, (double)count * 100.0 / cycles, 2);
    TEXT_LITERAL(out, "% ]");
}

static void causes(struct text_out *out, const struct sl_obs_bottleneck *o)
{
    const struct sl_cpu *cpu = o->m->cpu;
    uint32_t cycles = o->m->cycles;

    share(out, "\n\nCycles with backend pressure increase ", o->pressure, cycles);
    share(out, "\nThroughput Bottlenecks: \n  Resource Pressure       ", o->resource_pressure, cycles);
    for (unsigned i = 0; i < cpu->n_resources; i++) {
        if (o->busy[i] == 0)
            continue;
        text_put(out, "\n  - ");
        text_put(out, mca_resource_name(cpu, i));
        share(out, "  ", o->busy[i], cycles);
    }
    share(out, "\n  Data Dependencies:      ", o->data_pressure, cycles);
    share(out, "\n  - Register Dependencies ", o->register_pressure, cycles);
    share(out, "\n  - Memory Dependencies   ", o->memory_pressure, cycles);
    text_newline(out);
}

static void instruction(struct text_out *out, const char *margin, uint32_t position,
                        const struct mca_report_input *input)
{
    text_put(out, margin);
    text_u32(out, position);
    text_char(out, '.');
    text_pad(out, 14);
    text_put(out, input->texts[position]);
}

static void dependency(struct text_out *out, const struct sl_obs_bottleneck *o, const struct sl_dependency_edge *edge,
                       const struct mca_report_input *input)
{
    const char *reg;

    text_pad(out, 58);
    switch (edge->kind) {
    case SL_DEPENDENCY_REGISTER:
        reg = input->reg_name((uint16_t)edge->id);
        TEXT_LITERAL(out, "## REGISTER dependency:  ");
        text_put(out, reg != NULL ? reg : "");
        break;
    case SL_DEPENDENCY_MEMORY: TEXT_LITERAL(out, "## MEMORY dependency."); break;
    case SL_DEPENDENCY_RESOURCE:
        TEXT_LITERAL(out, "## RESOURCE interference:  ");
        text_put(out, mca_resource_name(o->m->cpu, o->resource_of[sl_ctz64(edge->id)]));
        TEXT_LITERAL(out, " [ probability: ");
        text_u32(out, edge->frequency * 100u / o->m->config.iterations);
        TEXT_LITERAL(out, "% ]");
        break;
    }
}

static const char outside[] = "\n        ", between[] = "\n |      ", start[] = "\n +----< ", target[] = "\n +----> ",
                  carried[] = "\n |\n |    < loop carried > \n |";

static void sequence(struct text_out *out, const struct sl_obs_bottleneck *o, const struct mca_report_input *input)
{
    const struct sl_dependency_edge *edge = &o->edges[o->sequence[0]];
    uint32_t n = o->m->n_insns, from = edge->from % n, current = 0;

    text_put(out, "\nCritical sequence based on the simulation:\n\n");
    text_pad(out, 14);
    TEXT_LITERAL(out, "Instruction");
    text_pad(out, 58);
    TEXT_LITERAL(out, "Dependency Information");
    if (from >= edge->to % n) {
        instruction(out, start, from, input);
        text_put(out, carried);
    } else {
        while (current < from)
            instruction(out, outside, current++, input);
        instruction(out, start, current++, input);
    }
    for (uint32_t i = 0; i < o->n_sequence; i++) {
        uint32_t to, last;

        edge = &o->edges[o->sequence[i]];
        to = edge->to % n;
        last = current > to ? n : to;
        while (current < last)
            instruction(out, between, current++, input);
        if (current != to)
            text_put(out, carried);
        instruction(out, target, to, input);
        dependency(out, o, edge, input);
        current++; /* past a loop-carried target the reference does not go back to it */
    }
    while (current < n)
        instruction(out, outside, current++, input);
    text_newline(out);
}

void mca_text_bottleneck(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input)
{
    const struct sl_obs_bottleneck *o = &report->bottleneck;

    if (!o->stalled || o->pressure == 0) {
        text_put(out, "\n\nNo resource or data dependency bottlenecks discovered.\n");
        return;
    }
    causes(out, o);
    if (o->n_sequence != 0)
        sequence(out, o, input);
}
