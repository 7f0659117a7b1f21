/* SPDX-License-Identifier: Apache-2.0 */
/* The rules applied to each stream of a capture, and what no rule can say: which event is in no list of the core. */
#include "doctor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture_names.h"

/* What of a stream is not in its registers. */
struct facts {
    uint32_t stream;
    uint32_t quality, spe_flags, note_codes; /* or-ed; note_codes: a bit each */
    bool counted, any_count;                 /* programmable counters were read; ... and one was not 0 */
    bool has_clock, has_hz;
    size_t first_group, end_group;
};

struct cursor {
    size_t clocks, groups, samples, spes, notes;
};

static void sample_facts(struct facts *facts, const struct capture *capture, const struct capture_sample *sample)
{
    facts->quality |= sample->sample.quality;
    for (uint32_t i = 0; i < sample->sample.n_counts; i++) {
        const struct sl_capture_count *count = &sample->counts[i];
        bool fixed =
            sample->group != CAPTURE_NONE && capture->groups[sample->group].counters[i].counter & SL_COUNTER_FIXED;
        facts->quality |= count->quality;
        if (fixed || sample->calibration || count->quality & SL_QUALITY_UNAVAILABLE)
            continue;
        facts->counted = true;
        facts->any_count |= count->value != 0;
    }
}

#define EACH(member)                                                                                                   \
    for (; at->member < capture->n_##member && capture->member[at->member].stream == facts->stream; at->member++)

static void collect(struct facts *facts, const struct capture *capture, struct cursor *at)
{
    EACH(clocks)
    {
        facts->has_clock |= capture->clocks[at->clocks].clock.kind != SL_CLOCK_NONE;
        facts->has_hz |= capture->clocks[at->clocks].clock.hz != 0;
    }
    facts->first_group = at->groups;
    EACH(groups);
    facts->end_group = at->groups;
    EACH(samples)
    sample_facts(facts, capture, &capture->samples[at->samples]);
    EACH(spes)
    facts->spe_flags |= capture->spes[at->spes].spe.flags;
    EACH(notes)
    facts->note_codes |= capture->notes[at->notes].note.code < 32 ? 1u << capture->notes[at->notes].note.code : 0;
}

static uint64_t field_of(const struct sl_capture_register *reg, const struct doctor_condition *c)
{
    return c->width == 0 || c->width >= 64 ? reg->value >> c->shift
                                           : reg->value >> c->shift & (((uint64_t)1 << c->width) - 1);
}

static bool compare(const struct doctor_condition *c, uint64_t what)
{
    switch (c->op) {
    case DOCTOR_EQ:
        return what == c->value;
    case DOCTOR_NE:
        return what != c->value;
    case DOCTOR_LT:
        return what < c->value;
    case DOCTOR_GE:
        return what >= c->value;
    case DOCTOR_BIT:
        return (what & c->value) != 0;
    case DOCTOR_CLEAR:
        return (what & c->value) == 0;
    case DOCTOR_ONE_OF:
        return what < 64 && (c->value >> what & 1u);
    default:
        return false;
    }
}

static bool register_holds(const struct doctor_condition *c, const struct capture *capture, uint32_t stream)
{
    const struct sl_capture_register *reg = capture_register_find(capture, stream, c->space, c->sub, c->number);
    bool known = reg && reg->state == SL_STATE_OK;
    if (c->op == DOCTOR_TRAPPED)
        return reg && reg->state == SL_STATE_NOT_PERMITTED;
    if (c->op == DOCTOR_UNREAD)
        return !known;
    return known && compare(c, field_of(reg, c));
}

/* Conditions on what the cpu record says; they do not hold without one. */
static bool cpu_holds(const struct doctor_condition *c, const struct sl_capture_cpu *cpu)
{
    switch (c->source) {
    case DOCTOR_LEVEL:
        return compare(c, cpu->level);
    case DOCTOR_PMU:
        return compare(c, cpu->pmu);
    case DOCTOR_PMU_STATE:
        return compare(c, cpu->pmu_state);
    case DOCTOR_SPE_STATE:
        return compare(c, cpu->spe_state);
    case DOCTOR_REASON:
        return cpu->pmu_reason.space == c->space && cpu->pmu_reason.number == c->number;
    case DOCTOR_COUNTERS:
        return compare(c, cpu->n_counters);
    case DOCTOR_FLAGS:
        return compare(c, cpu->flags);
    default:
        return false;
    }
}

static bool holds(const struct doctor_condition *c, const struct capture *capture, const struct facts *facts)
{
    const struct capture_stream *stream = &capture->streams[facts->stream];
    switch (c->source) {
    case DOCTOR_REGISTER:
        return register_holds(c, capture, facts->stream);
    case DOCTOR_ARCH:
        return stream->has_file && compare(c, stream->file.arch);
    case DOCTOR_QUALITY:
        return compare(c, facts->quality);
    case DOCTOR_SPE_FLAGS:
        return compare(c, facts->spe_flags);
    case DOCTOR_NOTE:
        return facts->note_codes >> c->value & 1u;
    case DOCTOR_ALL_ZERO:
        return compare(c, facts->counted && !facts->any_count);
    case DOCTOR_CLOCK_HZ:
        return facts->has_clock && compare(c, facts->has_hz);
    default:
        return stream->has_cpu && cpu_holds(c, &stream->cpu);
    }
}

static void add_register(struct text *text, const struct doctor_condition *c, const struct capture *capture,
                         uint32_t stream)
{
    const struct sl_capture_register *reg = capture_register_find(capture, stream, c->space, c->sub, c->number);
    char name[CAPTURE_REGISTER_TEXT];
    if (!reg)
        return;
    capture_register_text(name, c->space, c->sub, c->number);
    text_printf(text, "%s%s", text->len ? "; " : "", name);
    if (reg->state != SL_STATE_OK)
        text_printf(text, " %s", reg->state == SL_STATE_NOT_PERMITTED ? "traps" : "does not exist");
    else
        text_printf(text, " = 0x%" PRIx64 ", %s = 0x%" PRIx64, reg->value, c->field, field_of(reg, c));
}

/* What the board itself gave as the reason. */
static void add_reason(struct text *text, const char *what, uint8_t owner, const struct sl_capture_bit *bit)
{
    char name[CAPTURE_REGISTER_TEXT];
    if (bit->space == SL_SPACE_NONE && owner == SL_OWNER_UNKNOWN)
        return;
    text_printf(text, "%s%s:", text->len ? "; " : "", what);
    if (owner != SL_OWNER_UNKNOWN)
        text_printf(text, " kept by %s", capture_owner_name(owner));
    if (bit->space == SL_SPACE_NONE)
        return;
    capture_register_text(name, bit->space, bit->sub, bit->number);
    text_printf(text, "%s%s bit %u", owner != SL_OWNER_UNKNOWN ? ", " : " ", name, bit->bit);
}

static void add_evidence(struct text *text, const struct doctor_condition *c, const struct capture *capture,
                         uint32_t stream)
{
    const struct sl_capture_cpu *cpu = &capture->streams[stream].cpu;
    if (c->source == DOCTOR_REGISTER)
        add_register(text, c, capture, stream);
    else if (c->source == DOCTOR_PMU_STATE)
        add_reason(text, "the board says of its counters", cpu->pmu_owner, &cpu->pmu_reason);
    else if (c->source == DOCTOR_SPE_STATE)
        add_reason(text, "the board says of SPE", cpu->spe_owner, &cpu->spe_reason);
}

static struct doctor_finding *add_finding(struct doctor_report *report, uint32_t stream, enum doctor_severity severity,
                                          const char *name)
{
    struct doctor_finding *finding;
    report->findings = array_grow(report->findings, report->n_findings, &report->room, sizeof *finding);
    finding = &report->findings[report->n_findings++];
    memset(finding, 0, sizeof *finding);
    finding->stream = stream;
    finding->severity = severity;
    finding->name = name;
    finding->evidence = "";
    report->n_problems += severity == DOCTOR_PROBLEM;
    return finding;
}

static void apply(struct doctor_report *report, const struct doctor_rule *rule, const struct capture *capture,
                  const struct facts *facts)
{
    struct doctor_finding *finding;
    struct text evidence = {.data = NULL};
    for (size_t i = 0; i < DOCTOR_CONDITIONS && rule->when[i].source != DOCTOR_NOTHING; i++) {
        if (!holds(&rule->when[i], capture, facts))
            return;
    }
    finding = add_finding(report, facts->stream, rule->severity, rule->name);
    finding->finding = rule->finding;
    finding->advice = rule->advice;
    for (size_t i = 0; i < DOCTOR_CONDITIONS && rule->when[i].source != DOCTOR_NOTHING; i++)
        add_evidence(&evidence, &rule->when[i], capture, facts->stream);
    if (evidence.data)
        finding->evidence = pool_text(&report->pool, evidence.data, evidence.len);
    text_free(&evidence);
}

/* Which PMCEID bit tells of an event: 0x00-0x3f and 0x4000-0x403f have one (Arm ARM, PMCEID0_EL0, PMCEID1_EL0). */
static const struct sl_capture_register *list_of(const struct capture *capture, uint32_t stream, uint64_t event,
                                                 unsigned *bit)
{
    unsigned low = (unsigned)(event & 0x3f);
    if (event > 0x3f && (event < 0x4000 || event > 0x403f))
        return NULL;
    *bit = (low & 31u) + (event > 0x3f ? 32u : 0u);
    return capture_register_find(capture, stream, SL_SPACE_SYSREG, 0, SL_CAPTURE_SYSREG(3, 3, 9, 12, low < 32 ? 6 : 7));
}

static void check_event(struct doctor_report *report, const struct capture *capture, const struct facts *facts,
                        const struct capture_group *group, uint32_t i)
{
    const struct sl_capture_counter *counter = &group->counters[i];
    const struct sl_capture_register *list;
    struct doctor_finding *finding;
    struct text text = {.data = NULL};
    char name[CAPTURE_REGISTER_TEXT];
    unsigned bit = 0;
    if (counter->kind != SL_EVENT_NATIVE || counter->counter & SL_COUNTER_FIXED)
        return;
    list = list_of(capture, facts->stream, counter->event, &bit);
    if (!list || list->state != SL_STATE_OK || list->value >> bit & 1u)
        return;
    capture_register_text(name, list->space, list->sub, list->number);
    text_printf(&text, "%s = 0x%" PRIx64 ", bit %u = 0; group %u, counter %u", name, list->value, bit, group->group.id,
                counter->counter);
    finding = add_finding(report, facts->stream, DOCTOR_PROBLEM, "event-not-listed");
    finding->evidence = pool_text(&report->pool, text.data, text.len);
    text_free(&text);
    text_printf(&text, "event 0x%" PRIx64 " is not in the core's list of events: its count means nothing",
                counter->event);
    finding->finding = pool_text(&report->pool, text.data, text.len);
    finding->advice = "count only what PMCEID0_EL0 and PMCEID1_EL0 list; sl_topdown_plan does";
    text_free(&text);
}

static void check_events(struct doctor_report *report, const struct capture *capture, const struct facts *facts)
{
    if (capture->streams[facts->stream].file.arch != SL_ARCH_AARCH64)
        return;
    for (size_t g = facts->first_group; g < facts->end_group; g++) {
        for (uint32_t i = 0; i < capture->groups[g].group.n_counters; i++)
            check_event(report, capture, facts, &capture->groups[g], i);
    }
}

void doctor_examine(struct doctor_report *report, const struct capture *capture)
{
    struct cursor at = {.clocks = 0};
    memset(report, 0, sizeof *report);
    for (uint32_t i = 0; i < capture->n_streams; i++) {
        struct facts facts = {.stream = i};
        collect(&facts, capture, &at);
        for (size_t r = 0; r < doctor_n_rules; r++)
            apply(report, &doctor_rules[r], capture, &facts);
        check_events(report, capture, &facts);
    }
}

void doctor_free(struct doctor_report *report)
{
    free(report->findings);
    pool_free(&report->pool);
    memset(report, 0, sizeof *report);
}
