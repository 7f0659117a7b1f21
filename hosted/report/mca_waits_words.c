/* SPDX-License-Identifier: Apache-2.0 */
/* Wait reasons in words. */
#include "mca_waits.h"

#include <stdarg.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct sl_wait_charge *x = a, *y = b;
    const uint32_t left[] = {x->position, x->cause, x->culprit, x->what, x->distance, x->by, x->by_what};
    const uint32_t right[] = {y->position, y->cause, y->culprit, y->what, y->distance, y->by, y->by_what};

    if (x->amount != y->amount)
        return x->amount > y->amount ? -1 : 1;
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static int compare_grouped(const void *a, const void *b)
{
    const struct sl_wait_charge *x = a, *y = b;

    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return compare(a, b);
}

struct sl_wait_charge *mca_waits_sorted(const struct sl_obs_waits *o, enum sl_wait_stage stage, bool grouped, size_t *n)
{
    struct sl_wait_charge *list;

    *n = 0;
    for (uint32_t i = 0; i < o->charge_room; i++)
        *n += o->charges[i].amount != 0 && o->charges[i].stage == (uint8_t)stage;
    list = malloc((*n + 1) * sizeof *list);
    *n = 0;
    for (uint32_t i = 0; list != NULL && i < o->charge_room; i++)
        if (o->charges[i].amount != 0 && o->charges[i].stage == (uint8_t)stage)
            list[(*n)++] = o->charges[i];
    if (list != NULL && *n != 0)
        qsort(list, *n, sizeof *list, grouped ? compare_grouped : compare);
    return list;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
append(char *text, const char *format, ...)
{
    size_t len = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text + len, WAITS_TEXT_ROOM - len, format, arguments);
    va_end(arguments);
}

/* "[3] vmulps" */
static void append_insn(char *text, const struct mca_report_input *input, uint32_t position)
{
    const char *insn;

    if (position == SL_MCA_NOBODY) {
        append(text, "an instruction that is not known");
        return;
    }
    insn = input->texts[position];
    append(text, "[%u] %.*s", position, (int)strcspn(insn, " \t"), insn);
}

static void append_iteration(char *text, uint32_t distance)
{
    if (distance == 1)
        append(text, " of the iteration before");
    else if (distance != 0)
        append(text, " of %u iterations before", distance);
}

static const char *resource(const struct mca_report *report, unsigned what)
{
    return mca_resource_name(report->m->cpu, what);
}

static const char *file_name(const struct mca_report *report, unsigned file)
{
    const struct sl_cpu *cpu = report->m->cpu;

    return file != 0 && file < cpu->n_files ? cpu->names + cpu->files[file].name : "of all registers";
}

const char *mca_waits_reason(const struct mca_report *report, const struct mca_report_input *input,
                             const struct sl_wait_charge *c, char text[WAITS_TEXT_ROOM])
{
    text[0] = '\0';
    switch ((enum sl_wait)c->cause) {
    case SL_WAIT_EXECUTING:
        append(text, "executing");
        return text;
    case SL_WAIT_PIPELINE:
        append(text, "steps of the pipeline");
        return text;
    case SL_WAIT_REGISTER:
        append(text, "waiting for %s from ", input->reg_name(c->what));
        break;
    case SL_WAIT_MEMORY:
        append(text, c->what ? "memory order: waiting for the end of " : "memory order: waiting for the issue of ");
        break;
    case SL_WAIT_UNIT:
        append(text, "waiting for unit %s, taken by ", resource(report, c->what));
        break;
    case SL_WAIT_RETIRE_ORDER:
        append(text, "executed, retires after ");
        break;
    case SL_WAIT_RETIRE_WIDTH:
        append(text, "executed, no more instructions retire in a cycle");
        return text;
    case SL_WAIT_WRITE_BACK:
        append(text, "must not write back before ");
        break;
    case SL_WAIT_CARRY:
        append(text, "micro-ops being issued of ");
        break;
    case SL_WAIT_WIDTH:
        append(text, "the cycle's slots are used up");
        return text;
    case SL_WAIT_GROUP:
        append(text, "dispatch group closed by ");
        break;
    case SL_WAIT_REORDER_BUFFER:
        append(text, "reorder buffer full, the oldest in it ");
        break;
    case SL_WAIT_REGISTER_FILE:
        append(text, "register file %s full, the oldest in flight ", file_name(report, c->what));
        break;
    case SL_WAIT_QUEUE:
        append(text, "buffer of %s full, the oldest in it ", resource(report, c->what));
        break;
    case SL_WAIT_HAZARD:
        append(text, "unit %s has no buffer and is taken by ", resource(report, c->what));
        break;
    case SL_WAIT_LOAD_QUEUE:
        append(text, "load queue full, the oldest in it ");
        break;
    case SL_WAIT_STORE_QUEUE:
        append(text, "store queue full, the oldest in it ");
        break;
    case SL_WAIT_MICRO_OP_QUEUE:
        append(text, "micro-op queue empty");
        return text;
    case SL_WAIT_END:
        append(text, "no instruction left");
        return text;
    default:
        append(text, "not known");
        return text;
    }
    append_insn(text, input, c->culprit);
    append_iteration(text, c->distance);
    return text;
}

/* What the instruction in the way was doing. */
static void append_state(char *text, const struct mca_report *report, const struct mca_report_input *input,
                         const struct sl_wait_charge *c)
{
    append_insn(text, input, c->position);
    switch ((enum sl_wait)c->cause) {
    case SL_WAIT_REGISTER:
        append(text, " waited for %s from ", input->reg_name(c->what));
        break;
    case SL_WAIT_MEMORY:
        append(text, c->what ? " had to wait for the end of " : " had to wait for the issue of ");
        break;
    case SL_WAIT_UNIT:
        append(text, " was ready, but unit %s was taken by ", resource(report, c->what));
        break;
    case SL_WAIT_WRITE_BACK:
        append(text, " would have written back before ");
        break;
    case SL_WAIT_RETIRE_ORDER:
        append(text, " could not retire before ");
        break;
    case SL_WAIT_RETIRE_WIDTH:
        append(text, " was executed, but no more instructions retire in a cycle");
        return;
    case SL_WAIT_EXECUTING:
        append(text, " was executing");
        return;
    case SL_WAIT_PIPELINE:
        append(text, " was on its way through the pipeline");
        return;
    default:
        append(text, " waited, it is not known for what");
        return;
    }
    append_insn(text, input, c->culprit);
    append_iteration(text, c->distance);
}

const char *mca_waits_sentence(const struct mca_report *report, const struct mca_report_input *input,
                               const struct sl_wait_charge *c, char text[WAITS_TEXT_ROOM])
{
    struct sl_wait_charge direct = *c;

    text[0] = '\0';
    switch ((enum sl_wait)c->by) {
    case SL_WAIT_REORDER_BUFFER:
        append(text, "the reorder buffer was full while ");
        break;
    case SL_WAIT_REGISTER_FILE:
        append(text, "register file %s was full while ", file_name(report, c->by_what));
        break;
    case SL_WAIT_QUEUE:
        append(text, "the buffer of %s was full while ", resource(report, c->by_what));
        break;
    case SL_WAIT_LOAD_QUEUE:
        append(text, "the load queue was full while ");
        break;
    case SL_WAIT_STORE_QUEUE:
        append(text, "the store queue was full while ");
        break;
    case SL_WAIT_REGISTER:
    case SL_WAIT_MEMORY:
    case SL_WAIT_UNIT:
    case SL_WAIT_WRITE_BACK:
        break;
    case SL_WAIT_WIDTH:
        append_insn(text, input, c->position);
        append(text, " did not fit into the slots that were left in the cycle");
        return text;
    case SL_WAIT_END:
        append(text, "no instruction was left: the last ones were finishing");
        return text;
    default:
        append_insn(text, input, c->position);
        append(text, " could not be dispatched: ");
        direct.cause = c->by;
        direct.what = c->by_what;
        {
            char reason[WAITS_TEXT_ROOM];
            append(text, "%s", mca_waits_reason(report, input, &direct, reason));
        }
        return text;
    }
    append_state(text, report, input, c);
    return text;
}

char mca_waits_letter(enum sl_wait wait)
{
    static const char letters[] = "e?dmuowbcsgrfqhlti??";

    SL_STATIC_ASSERT(sizeof letters == SL_WAITS + 1u, a_letter_each);
    return (unsigned)wait < SL_WAITS ? letters[wait] : '?';
}

const char *mca_waits_brief(const struct mca_report *report, const struct mca_report_input *input,
                            const struct sl_wait_segment *s, char text[WAITS_TEXT_ROOM])
{
    uint32_t n = report->m->n_insns;

    text[0] = '\0';
    switch ((enum sl_wait)s->cause) {
    case SL_WAIT_EXECUTING:
    case SL_WAIT_PIPELINE:
    case SL_WAIT_WIDTH:
    case SL_WAIT_RETIRE_WIDTH:
    case SL_WAIT_MICRO_OP_QUEUE:
        return text;
    case SL_WAIT_REGISTER:
        append(text, "%c: %s", mca_waits_letter(SL_WAIT_REGISTER), input->reg_name(s->what));
        break;
    case SL_WAIT_UNIT:
    case SL_WAIT_QUEUE:
    case SL_WAIT_HAZARD:
        append(text, "%c: %s", mca_waits_letter((enum sl_wait)s->cause), resource(report, s->what));
        break;
    default:
        append(text, "%c:", mca_waits_letter((enum sl_wait)s->cause));
        break;
    }
    if (s->culprit != SL_MCA_NOBODY)
        append(text, " [%u,%u]", s->culprit / n, s->culprit % n);
    return text;
}

static int by_iid(const void *a, const void *b)
{
    const struct sl_wait_segment *x = a, *y = b;

    if (x->iid != y->iid)
        return x->iid < y->iid ? -1 : 1;
    return (x->from_cycle > y->from_cycle) - (x->from_cycle < y->from_cycle);
}

void mca_waits_sort_segments(struct sl_obs_waits *o)
{
    if (o->n_segments != 0)
        qsort(o->segments, o->n_segments, sizeof *o->segments, by_iid);
}
