/* SPDX-License-Identifier: Apache-2.0 */
/* Wait reasons and slots as JSON: the member "slotledger" of a region, only when one of them was asked for. Amounts are
 * whole cycles, or slots, of all iterations. */
#include <stdlib.h>
#include <string.h>

#include "json_out.h"
#include "mca_waits.h"

static void text(struct json_out *json, const char *key, const char *value)
{
    json_string(json, key, value, strlen(value));
}

static void culprit(struct json_out *json, const struct sl_wait_charge *c)
{
    if (c->culprit != SL_MCA_NOBODY)
        json_integer(json, "Culprit", c->culprit);
    if (c->stage != SL_WAIT_SLOTS)
        json_integer(json, "Cycles", c->amount);
    if (c->culprit != SL_MCA_NOBODY && (c->cause == SL_WAIT_REGISTER || c->cause == SL_WAIT_MEMORY))
        json_integer(json, "Distance", c->distance);
}

static void what(struct json_out *json, const struct mca_report *report, const struct mca_report_input *input,
                 const struct sl_wait_charge *c)
{
    if (c->cause == SL_WAIT_REGISTER)
        text(json, "Register", input->reg_name(c->what));
    if (c->cause == SL_WAIT_UNIT || c->cause == SL_WAIT_QUEUE || c->cause == SL_WAIT_HAZARD)
        text(json, "Resource", mca_resource_name(report->m->cpu, c->what));
}

/* Members in the order of their keys. */
static void charges(struct json_out *json, const char *key, const struct mca_report *report,
                    const struct mca_report_input *input, enum sl_wait_stage stage)
{
    size_t n;
    struct sl_wait_charge *list = mca_waits_sorted(&report->waits, stage, false, &n);

    json_open(json, key, '[');
    for (size_t i = 0; list != NULL && i < n; i++) {
        const struct sl_wait_charge *c = &list[i];
        char sentence[WAITS_TEXT_ROOM];

        json_open(json, NULL, '{');
        if (stage == SL_WAIT_SLOTS)
            text(json, "By", sl_wait_name((enum sl_wait)c->by));
        text(json, "Cause", sl_wait_name((enum sl_wait)c->cause));
        culprit(json, c);
        json_integer(json, "Instruction", c->position);
        what(json, report, input, c);
        text(json, "Sentence",
             stage == SL_WAIT_SLOTS ? mca_waits_sentence(report, input, c, sentence)
                                    : mca_waits_reason(report, input, c, sentence));
        if (stage == SL_WAIT_SLOTS)
            json_integer(json, "Slots", c->amount);
        json_close(json, '}');
    }
    json_close(json, ']');
    free(list);
}

static void slots(struct json_out *json, const struct mca_report *report)
{
    const struct sl_slot_tree *tree = &report->tree;
    const struct sl_cpu *cpu = report->m->cpu;

    json_open(json, "Slots", '{');
    json_open(json, "Bottleneck", '[');
    for (unsigned i = 0; i < tree->n_path; i++)
        text(json, NULL, sl_slot_node_name((enum sl_slot_node)tree->values[tree->path[i]].node));
    json_close(json, ']');
    json_open(json, "Nodes", '[');
    for (unsigned i = 0; i < tree->n_values; i++) {
        const struct sl_slot_value *v = &tree->values[i];

        json_open(json, NULL, '{');
        if (v->quality & SL_SLOT_NOT_MODELLED)
            json_bool(json, "Modelled", false);
        text(json, "Name", sl_slot_node_name((enum sl_slot_node)v->node));
        text(json, "Parent", sl_slot_node_name(sl_slot_node_parent((enum sl_slot_node)v->node)));
        if (!(v->quality & SL_SLOT_NOT_MODELLED))
            json_integer(json, "Slots", v->slots);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_integer(json, "Total", tree->total);
    json_open(json, "Units", '[');
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        if (report->unit_slots[i] == 0)
            continue;
        json_open(json, NULL, '{');
        text(json, "Resource", mca_resource_name(cpu, i));
        json_integer(json, "Slots", report->unit_slots[i]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_integer(json, "Width", report->waits.width);
    json_close(json, '}');
}

/* Stretches of the instructions of the timeline, in its order. */
static void timeline(struct json_out *json, const struct mca_report *report)
{
    const struct sl_obs_waits *o = &report->waits;
    static const char *const stages[] = {"before", "after"};

    json_open(json, "Timeline", '[');
    for (uint32_t i = 0; i < o->n_segments; i++) {
        const struct sl_wait_segment *s = &o->segments[i];

        json_open(json, NULL, '{');
        text(json, "Cause", sl_wait_name((enum sl_wait)s->cause));
        if (s->culprit != SL_MCA_NOBODY)
            json_integer(json, "Culprit", s->culprit);
        json_integer(json, "Cycles", s->cycles);
        json_integer(json, "From", s->from_cycle);
        json_integer(json, "Instruction", s->iid);
        text(json, "Stage", stages[s->stage == SL_WAIT_AFTER]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void mca_json_waits(struct json_out *json, struct mca_report *report, const struct mca_report_input *input)
{
    const struct mca_report_options *o = &report->options;

    if (!mca_has_waits(o))
        return;
    json_open(json, "slotledger", '{');
    if (o->waits) {
        charges(json, "AfterDispatch", report, input, SL_WAIT_AFTER);
        charges(json, "BeforeDispatch", report, input, SL_WAIT_BEFORE);
    }
    if (o->waits || o->findings)
        charges(json, "LostSlots", report, input, SL_WAIT_SLOTS);
    if (o->slots)
        slots(json, report);
    if (o->waits && o->timeline) {
        mca_waits_sort_segments(&report->waits);
        timeline(json, report);
    }
    json_close(json, '}');
}
