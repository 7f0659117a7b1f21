/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a prediction rests on figures that nobody has measured. */
#include "model_trust.h"

#include <string.h>

static void part(struct text *text, const char *word, const uint64_t *of, const uint64_t *all, enum model_confidence c)
{
    text_printf(text, "%s %llu of %llu (%.1f%%)", word, (unsigned long long)of[c], (unsigned long long)*all,
                *all ? 100.0 * (double)of[c] / (double)*all : 0.0);
}

void model_trust_text(const struct model_note *notes, const struct sl_mca *m, const uint16_t *class_of, struct text *text)
{
    uint64_t latency[MODEL_CONFIDENCES] = { 0 }, units[MODEL_CONFIDENCES] = { 0 }, all_latency = 0, all_units = 0;
    bool any = false;
    for (uint32_t c = 0; c < (class_of ? 0u : m->cpu->n_classes); c++)
        any |= notes[c].confidence != MODEL_UNMARKED;
    for (uint32_t i = 0; i < m->n_insns; i++) {
        const struct sl_mca_desc *desc = m->insns[i].desc;
        unsigned c = class_of ? class_of[desc->sched_class] : desc->sched_class;
        uint64_t held = 0;
        for (unsigned k = 0; k < desc->n_resources; k++)
            held += (uint64_t)desc->resources[k].cycles * (desc->resources[k].reserved ? 0u : 1u);
        any |= notes[c].confidence != MODEL_UNMARKED;
        latency[notes[c].confidence] += desc->max_latency_cycles;
        units[notes[c].confidence] += held;
        all_latency += desc->max_latency_cycles;
        all_units += held;
    }
    if (!any)
        return;
    text_printf(text, "Model %s:", m->cpu->name);
    part(text, " latency cycles that are guesses", latency, &all_latency, MODEL_GUESS);
    part(text, ", unit cycles that are guesses", units, &all_units, MODEL_GUESS);
    if (latency[MODEL_STAND_IN] || units[MODEL_STAND_IN]) {
        part(text, "; stand-ins", latency, &all_latency, MODEL_STAND_IN);
        part(text, " and", units, &all_units, MODEL_STAND_IN);
    }
}
