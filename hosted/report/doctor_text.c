/* SPDX-License-Identifier: Apache-2.0 */
/* The findings as text: for each core what is there, then what is wrong, why, and what to set. */
#include "capture_names.h"
#include "doctor.h"

#define WIDTH 110u

/* Words of `text` in lines of at most WIDTH characters behind `label`. */
static void print_wrapped(FILE *out, const char *label, const char *text)
{
    size_t used = (size_t)fprintf(out, "    %-10s", label), indent = used;
    while (*text) {
        size_t len = 0;
        while (text[len] && text[len] != ' ')
            len++;
        if (used > indent && used + 1 + len > WIDTH)
            used = (size_t)fprintf(out, "\n%*s", (int)indent, "") - 1;
        used += (size_t)fprintf(out, "%s%.*s", used > indent ? " " : "", (int)len, text);
        text += len + (text[len] == ' ');
    }
    fputc('\n', out);
}

static void print_core(const struct capture_stream *stream, FILE *out)
{
    const struct sl_capture_cpu *cpu = &stream->cpu;
    fprintf(out, "core %u: %s", stream->core,
            stream->has_file ? capture_arch_name(stream->file.arch) : "unknown architecture");
    if (stream->has_cpu)
        fprintf(out, ", %s, %s: %s, %u programmable counters", capture_level_name(stream->file.arch, cpu->level),
                capture_pmu_name(cpu->pmu), capture_state_name(cpu->pmu_state), cpu->n_counters);
    fputc('\n', out);
}

void doctor_print(const struct doctor_report *report, const struct capture *capture, FILE *out)
{
    static const char *const severities[] = {"PROBLEM", "limit", "hint"};
    size_t at = 0;
    for (uint32_t i = 0; i < capture->n_streams; i++) {
        size_t first = at;
        print_core(&capture->streams[i], out);
        for (; at < report->n_findings && report->findings[at].stream == i; at++) {
            const struct doctor_finding *f = &report->findings[at];
            fprintf(out, "  %s: %s\n", severities[f->severity], f->name);
            print_wrapped(out, "what", f->finding);
            if (*f->evidence)
                print_wrapped(out, "seen", f->evidence);
            print_wrapped(out, "do", f->advice);
        }
        if (at == first)
            fputs("  nothing found\n", out);
    }
    fprintf(out, "%zu %s, %zu limits and hints\n", report->n_problems, report->n_problems == 1 ? "problem" : "problems",
            report->n_findings - report->n_problems);
}
