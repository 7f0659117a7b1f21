/* SPDX-License-Identifier: Apache-2.0 */
/* Text of the resource pressure: the units, then cycles per iteration and for each instruction. */
#include "mca_internal.h"

/* A unit's label: [resource], or [resource.unit] where there are several. Resources are counted without groups. */
static void label(struct text_out *out, unsigned ordinal, unsigned unit, unsigned n_units)
{
    text_char(out, '[');
    text_u32(out, ordinal);
    if (n_units != 1) {
        text_char(out, '.');
        text_u32(out, unit);
    }
    text_char(out, ']');
}

static void resource_list(struct text_out *out, const struct sl_cpu *cpu)
{
    unsigned ordinal = 0;

    text_put(out, "\n\nResources:\n");
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        unsigned n_units = cpu->resources[i].n_units;

        if (cpu->resources[i].is_group || n_units == 0)
            continue;
        for (unsigned unit = 0; unit < n_units; unit++) {
            label(out, ordinal, unit, n_units);
            text_pad(out, 6);
            TEXT_LITERAL(out, "- ");
            text_put(out, mca_resource_name(cpu, i));
            text_newline(out);
        }
        ordinal++;
    }
}

static void labels(struct text_out *out, const struct sl_cpu *cpu)
{
    unsigned ordinal = 0, column = 0;

    for (unsigned i = 1; i < cpu->n_resources; i++) {
        unsigned n_units = cpu->resources[i].n_units;

        if (cpu->resources[i].is_group || n_units == 0)
            continue;
        for (unsigned unit = 0; unit < n_units; unit++) {
            label(out, ordinal, unit, n_units);
            text_pad(out, 7 * ++column);
        }
        ordinal++;
    }
}

static void cells(struct text_out *out, const struct mca_report *report, uint32_t row)
{
    uint32_t n_columns = report->pressure.n_columns;

    for (uint32_t column = 0; column < n_columns; column++) {
        double value = mca_pressure_cell(report, (size_t)row * n_columns + column);

        if (value < 0.005)
            TEXT_LITERAL(out, " - ");
        else
            text_rounded(out, value, 2);
        text_pad(out, 7 * (column + 1));
    }
}

void mca_text_pressure(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input)
{
    const struct sl_cpu *cpu = report->m->cpu;
    uint32_t n_insns = report->m->n_insns;

    resource_list(out, cpu);
    text_put(out, "\n\nResource pressure per iteration:\n");
    labels(out, cpu);
    text_newline(out);
    cells(out, report, n_insns);
    text_put(out, "\n\nResource pressure by instruction:\n");
    labels(out, cpu);
    text_put(out, "Instructions:\n");
    for (uint32_t i = 0; i < n_insns; i++) {
        cells(out, report, i);
        text_put(out, input->texts[i]);
        text_newline(out);
    }
}
