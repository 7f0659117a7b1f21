/* SPDX-License-Identifier: Apache-2.0 */
/* Looking things up in a model: codes of events, events of formulas, rows. */
#include "topdown_internal.h"

uint64_t sl_topdown_event_code(const struct sl_topdown_model *model, unsigned i)
{
    const struct sl_topdown_event *event = &model->events[i];
    switch (event->code_high) {
    case SL_TOPDOWN_HIGH_FIXED:
        return SL_TOPDOWN_FIXED(event->code);
    case SL_TOPDOWN_HIGH_CLASS:
        return SL_TOPDOWN_CLASS(event->code);
    case SL_TOPDOWN_HIGH_PAPER:
        return SL_TOPDOWN_PAPER(event->code);
    case SL_TOPDOWN_HIGH_SBI:
        return SL_TOPDOWN_SBI(event->code);
    default:
        return (uint64_t)event->code_high << 32 | event->code;
    }
}

/* The other code of an event: that of the fixed counter it has; its own one if there is none. */
uint64_t topdown_other_code(const struct sl_topdown_model *model, unsigned i)
{
    const struct sl_topdown_event *event = &model->events[i];
    if (event->fixed == SL_TOPDOWN_NO_FIXED || event->code_high == SL_TOPDOWN_HIGH_CLASS)
        return sl_topdown_event_code(model, i);
    return SL_TOPDOWN_FIXED(event->fixed);
}

unsigned sl_topdown_event_find(const struct sl_topdown_model *model, uint64_t code)
{
    for (unsigned i = 0; i < model->n_events; i++) {
        if (sl_topdown_event_code(model, i) == code || topdown_other_code(model, i) == code)
            return i;
    }
    return SL_TOPDOWN_EVENTS;
}

const struct sl_topdown_row *sl_topdown_row_at(const struct sl_topdown_model *model, unsigned i)
{
    for (unsigned part = 0; part < SL_TOPDOWN_MODEL_PARTS; part++) {
        const struct sl_topdown_rows *rows = &model->parts[part];
        if (i < rows->n_rows)
            return &rows->rows[i];
        i -= (unsigned)rows->n_rows;
    }
    return NULL;
}

uint64_t topdown_formula_events(const uint8_t *formula, bool optional)
{
    struct formula_step step;
    uint64_t events = 0;
    while (formula && formula_next(&formula, &step)) {
        if (step.op == F_EVENT || step.op == F_OR || (step.op == F_OPT && optional))
            events |= (uint64_t)1 << step.event;
        if (step.op == F_OR)
            formula += step.byte;
    }
    return events;
}

uint64_t sl_topdown_row_events(const struct sl_topdown_row *row)
{
    return topdown_formula_events(row->formula, false);
}
