/* SPDX-License-Identifier: Apache-2.0 */
/* What is in a capture: streams, and of each its core, clock, groups, regions and samples. */
#include "capture_text.h"

#include <inttypes.h>

#include "capture_names.h"

#define ITEM "  %-12s "

static void print_state(FILE *out, uint8_t state, uint8_t owner, const struct sl_capture_bit *reason)
{
    char name[CAPTURE_REGISTER_TEXT];
    fputs(capture_state_name(state), out);
    if (owner != SL_OWNER_UNKNOWN)
        fprintf(out, " (kept by %s)", capture_owner_name(owner));
    if (reason->space != SL_SPACE_NONE) {
        capture_register_text(name, reason->space, reason->sub, reason->number);
        fprintf(out, ", %s bit %u", name, reason->bit);
    }
}

static void print_cpu(const struct capture_stream *stream, FILE *out)
{
    static const char *const sources[] = {"unknown", "from a register", "from a table", "configured"};
    const struct sl_capture_cpu *cpu = &stream->cpu;
    fprintf(out, ITEM "%s%saffinity 0x%" PRIx64 ", %s%s%s\n", "cpu", cpu->name, *cpu->name ? ", " : "", cpu->affinity,
            capture_level_name(stream->file.arch, cpu->level),
            cpu->flags & SL_CPU_HYPERVISOR ? ", under a hypervisor" : "", cpu->flags & SL_CPU_SMT ? ", SMT" : "");
    fprintf(out, ITEM "%s, %u programmable of %u bits, %u fixed: ", "counters", capture_pmu_name(cpu->pmu),
            cpu->n_counters, cpu->counter_bits, cpu->n_fixed);
    print_state(out, cpu->pmu_state, cpu->pmu_owner, &cpu->pmu_reason);
    if (cpu->slots_per_cycle)
        fprintf(out, "\n" ITEM "%u a cycle, %s", "slots", cpu->slots_per_cycle,
                cpu->slots_source < 4 ? sources[cpu->slots_source] : sources[0]);
    if (stream->file.arch == SL_ARCH_AARCH64 && cpu->spe_state != SL_STATE_UNKNOWN) {
        fprintf(out, "\n" ITEM, "sampling");
        fputs("Arm SPE: ", out);
        print_state(out, cpu->spe_state, cpu->spe_owner, &cpu->spe_reason);
    }
    fputc('\n', out);
}

static void print_file(const struct capture_stream *stream, FILE *out)
{
    const struct sl_capture_file *file = &stream->file;
    fprintf(out, ITEM "%s, %s", "file", capture_arch_name(file->arch), capture_sink_name(file->sink));
    if (file->mem_bytes)
        fprintf(out, " of %" PRIu32 " bytes", file->mem_bytes);
    fprintf(out, ", format %u.%u, library %" PRIu32 ".%" PRIu32 ".%" PRIu32, file->major, file->minor,
            file->library_version >> 16, file->library_version >> 8 & 255u, file->library_version & 255u);
    if (file->build_id_bytes)
        fputs(", build ", out);
    for (uint32_t i = 0; i < file->build_id_bytes && i < sizeof file->build_id; i++)
        fprintf(out, "%02x", file->build_id[i]);
    fputc('\n', out);
}

static void print_group(const struct capture_group *entry, FILE *out)
{
    fprintf(out, ITEM "%u, pass %u:", "group", entry->group.id, entry->group.pass);
    for (uint32_t i = 0; i < entry->group.n_counters; i++) {
        const struct sl_capture_counter *counter = &entry->counters[i];
        fprintf(out, "%s 0x%" PRIx64 "%s on %s%u", i ? "," : "", counter->event,
                counter->kind == SL_EVENT_SBI        ? " (SBI)"
                : counter->kind == SL_EVENT_LINUX_HW ? " (Linux)"
                : counter->kind == SL_EVENT_DWT      ? " (DWT)"
                                                     : "",
                counter->counter & SL_COUNTER_FIXED ? "fixed " : "", counter->counter & ~SL_COUNTER_FIXED);
        if (counter->flags & SL_COUNTER_CHAIN)
            fputs(" (chained)", out);
        if (counter->flags & SL_COUNTER_UNADVERTISED)
            fputs(" (not advertised)", out);
    }
    fputc('\n', out);
}

/* Words for each bit of a quality. */
static void print_quality(FILE *out, uint32_t quality)
{
    static const char *const words[] = {"wrapped",     "frozen",    "interrupted", "migrated",  "clamped",
                                        "multiplexed", "ambiguous", "unavailable", "time only", "prohibited"};
    for (unsigned i = 0; i < 32; i++) {
        if (quality >> i & 1u)
            fprintf(out, " [%s]", i < sizeof words / sizeof words[0] ? words[i] : "?");
    }
}

static void print_counts(const struct capture *capture, const struct capture_sample *sample, FILE *out)
{
    for (uint32_t i = 0; i < sample->sample.n_counts; i++) {
        fprintf(out, "    ");
        if (sample->group != CAPTURE_NONE)
            fprintf(out, "0x%-10" PRIx64, capture->groups[sample->group].counters[i].event);
        else
            fprintf(out, "%-12s", "?");
        fprintf(out, " %20" PRIu64, sample->counts[i].value);
        if (sample->counts[i].overflows)
            fprintf(out, " %" PRIu32 " overflows", sample->counts[i].overflows);
        print_quality(out, sample->counts[i].quality);
        fputc('\n', out);
    }
    if (sample->metrics)
        fprintf(out, "    PERF_METRICS 0x%016" PRIx64 " to 0x%016" PRIx64 ", SLOTS %" PRIu64 " to %" PRIu64 "\n",
                sample->metrics->metrics_start, sample->metrics->metrics_stop, sample->metrics->slots_start,
                sample->metrics->slots_stop);
}

static void print_sample(const struct capture *capture, const struct capture_sample *sample, bool counts, FILE *out)
{
    const struct sl_capture_sample *s = &sample->sample;
    fprintf(out, ITEM, sample->calibration ? "calibration" : "sample");
    if (sample->region != CAPTURE_NONE)
        fprintf(out, "%s, ", capture->regions[sample->region].label);
    else if (s->region != SL_REGION_NONE)
        fprintf(out, "region %u, ", s->region);
    if (s->n_counts)
        fprintf(out, "group %u, ", s->group);
    fprintf(out, "%" PRIu64 " times, %u counts, clock %" PRIu64 " to %" PRIu64, s->invocations, s->n_counts, s->start,
            s->stop);
    if (s->enabled && s->enabled != s->running)
        fprintf(out, ", running %" PRIu64 " of %" PRIu64, s->running, s->enabled);
    if (s->interrupts)
        fprintf(out, ", %" PRIu32 " interrupts", s->interrupts);
    print_quality(out, s->quality);
    fputc('\n', out);
    if (counts)
        print_counts(capture, sample, out);
}

static void print_spe(const struct capture_spe *spe, FILE *out)
{
    fprintf(out,
            ITEM "drain %" PRIu32 ", bytes 0x%" PRIx32 " to 0x%" PRIx64 " of %" PRIu32 ", MIDR 0x%" PRIx64 "%s%s%s%s\n",
            "SPE", spe->spe.drain, spe->spe.offset, (uint64_t)spe->spe.offset + spe->len_bytes, spe->spe.total_bytes,
            spe->spe.midr, spe->spe.flags & SL_SPE_TRUNCATED ? " [truncated]" : "",
            spe->spe.flags & SL_SPE_COLLISION ? " [collisions]" : "",
            spe->spe.flags & SL_SPE_FULL ? " [buffer full]" : "", spe->spe.flags & SL_SPE_FAULT ? " [fault]" : "");
}

static void print_register(const struct capture_register *entry, FILE *out)
{
    char name[CAPTURE_REGISTER_TEXT];
    capture_register_text(name, entry->reg.space, entry->reg.sub, entry->reg.number);
    fprintf(out, ITEM "%-24s ", "register", name);
    if (entry->reg.state == SL_STATE_OK)
        fprintf(out, "0x%016" PRIx64, entry->reg.value);
    else
        fprintf(out, "%-18s", capture_state_name(entry->reg.state));
    fprintf(out, " %s\n", capture_when_name(entry->when));
}

/* The arrays are in the order of streams: how far each has been printed. */
struct cursor {
    size_t clocks, registers, groups, samples, spes, notes;
};

#define EACH(member)                                                                                                   \
    for (; at->member < capture->n_##member && capture->member[at->member].stream == index; at->member++)

static void print_stream_head(const struct capture_stream *stream, FILE *out)
{
    fprintf(out,
            "\nsession 0x%08" PRIx32 ", core %u: %" PRIu32 " records, %" PRIu64 " missing (%" PRIu64
            " given up by the writer)%s\n",
            stream->session, stream->core, stream->n_records, stream->n_missing, stream->n_given_up,
            stream->ended ? "" : ", not closed");
    if (stream->has_file)
        print_file(stream, out);
    if (stream->has_cpu)
        print_cpu(stream, out);
}

static void print_stream(const struct capture *capture, uint32_t index, struct cursor *at,
                         const struct capture_text_options *options, FILE *out)
{
    size_t first = at->registers;
    print_stream_head(&capture->streams[index], out);
    EACH(clocks)
    {
        const struct sl_capture_clock *clock = &capture->clocks[at->clocks].clock;
        fprintf(out, ITEM "%s, %u bits, %" PRIu64 " Hz%s\n", "clock", capture_clock_name(clock->kind),
                clock->width_bits, clock->hz, clock->hz ? "" : " (unknown)");
    }
    EACH(registers)
    {
        if (options->registers)
            print_register(&capture->registers[at->registers], out);
    }
    if (at->registers > first && !options->registers)
        fprintf(out, ITEM "%zu (--registers lists them)\n", "registers", at->registers - first);
    EACH(groups)
    print_group(&capture->groups[at->groups], out);
    EACH(samples)
    print_sample(capture, &capture->samples[at->samples], options->counts, out);
    EACH(spes)
    print_spe(&capture->spes[at->spes], out);
    EACH(notes)
    fprintf(out, ITEM "%s\n", "note", capture->notes[at->notes].text);
}

void capture_print(const struct capture *capture, const struct capture_text_options *options, FILE *out)
{
    struct cursor at = {.clocks = 0};
    fprintf(out, "%s: %zu bytes, %zu records in %zu %s", capture->name, capture->size_bytes, capture->n_records,
            capture->n_streams, capture->n_streams == 1 ? "stream" : "streams");
    if (capture->n_unused_bytes)
        fprintf(out, ", %zu bytes unused", capture->n_unused_bytes);
    fputc('\n', out);
    for (uint32_t i = 0; i < capture->n_streams; i++)
        print_stream(capture, i, &at, options, out);
}
