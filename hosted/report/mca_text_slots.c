/* SPDX-License-Identifier: Apache-2.0 */
/* Text of the simulation's slot tree. */
#include "mca_waits.h"

#define SCALE 1000u /* one decimal of a per cent */
#define BAR   20u
#define LABEL 34

static void number(struct text_out *out, uint64_t tenths, uint64_t slots)
{
    char text[80];
    char bar[BAR + 1u];

    for (unsigned i = 0; i < BAR; i++)
        bar[i] = i < (tenths * BAR + SCALE / 2) / SCALE ? '#' : '.';
    bar[BAR] = '\0';
    (void)snprintf(text, sizeof text, "%5llu.%llu %% %s %10llu", (unsigned long long)(tenths / 10),
                   (unsigned long long)(tenths % 10), bar, (unsigned long long)slots);
    text_put(out, text);
}

static void label(struct text_out *out, unsigned level, const char *name)
{
    char text[160];
    unsigned indent = level > 1 ? 2 * (level - 1) : 0;

    (void)snprintf(text, sizeof text, "  %*s%-*s", (int)indent, "", LABEL - (int)indent, name);
    text_put(out, text);
}

static void units(struct text_out *out, const struct mca_report *report, unsigned level)
{
    const struct sl_cpu *cpu = report->m->cpu;
    const struct sl_slot_tree *tree = &report->tree;

    for (unsigned i = 1; i < cpu->n_resources; i++) {
        uint64_t slots = report->unit_slots[i];

        if (slots == 0)
            continue;
        label(out, level, mca_resource_name(cpu, i));
        number(out, (slots * SCALE + tree->total / 2) / tree->total, slots);
        text_newline(out);
    }
}

void mca_text_slots(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input)
{
    const struct sl_slot_tree *tree = &report->tree;
    uint64_t tenths[SL_SLOT_ROOM];
    char text[160];

    (void)input;
    sl_slot_tree_round(tree, SCALE, tenths);
    (void)snprintf(text, sizeof text, "\n\nSlots (predicted): %u a cycle x %u cycles = %llu\n", report->waits.width,
                   report->m->cycles, (unsigned long long)tree->total);
    text_put(out, text);
    for (unsigned i = 0; i < tree->n_values; i++) {
        const struct sl_slot_value *v = &tree->values[i];
        unsigned level = sl_slot_node_level((enum sl_slot_node)v->node);

        label(out, level, sl_slot_node_label((enum sl_slot_node)v->node));
        if (v->quality & SL_SLOT_NOT_MODELLED)
            text_put(out, "      - not modelled");
        else
            number(out, tenths[i], v->slots);
        for (unsigned p = 0; p < tree->n_path; p++)
            if (tree->path[p] == i)
                text_put(out, "  <==");
        text_newline(out);
        if (v->node == SL_NODE_PORTS_UTILIZATION)
            units(out, report, level + 1);
    }
    text_put(out, tree->n_path != 0 ? "  Bottleneck:" : "  Bottleneck: none takes a twentieth of the slots");
    for (unsigned p = 0; p < tree->n_path; p++) {
        text_put(out, p != 0 ? " > " : " ");
        text_put(out, sl_slot_node_label((enum sl_slot_node)tree->values[tree->path[p]].node));
    }
    text_put(out, ".\n");
}
