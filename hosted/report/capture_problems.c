/* SPDX-License-Identifier: Apache-2.0 */
/* One line for each thing that is wrong with a capture. */
#include <inttypes.h>

#include "capture_names.h"
#include "capture_text.h"

/* "core 3" or "core 3 of session 0x5" when there are several. */
static void say_stream(struct text *text, const struct capture *capture, uint32_t index)
{
    const struct capture_stream *stream;
    if (index == CAPTURE_NONE)
        return;
    stream = &capture->streams[index];
    text_printf(text, "core %u", stream->core);
    if (capture->streams[0].session != capture->streams[capture->n_streams - 1].session)
        text_printf(text, " of session 0x%08" PRIx32, stream->session);
    text_add(text, ": ", 2);
}

static void say_record(struct text *text, const struct capture_problem *problem)
{
    text_printf(text, "record %" PRIu32 " (%s)", problem->sequence, capture_type_name(problem->type));
}

static void say_missing(struct text *text, const struct capture_problem *problem)
{
    uint64_t n = (uint64_t)problem->to - problem->from + 1;
    if (n == 1)
        text_printf(text, "record %" PRIu32 " is missing", problem->from);
    else
        text_printf(text, "records %" PRIu32 " to %" PRIu32 " are missing (%" PRIu64 ")", problem->from, problem->to,
                    n);
    if (problem->given_up == n)
        text_printf(text, ": the writer had no room for %s", n == 1 ? "it" : "them");
    else if (problem->given_up)
        text_printf(text, ": the writer gave up %" PRIu32 ", the others were lost on the way", problem->given_up);
    else
        text_printf(text, ": lost on the way from the writer");
}

static void say_format(struct text *text, const struct capture_problem *problem)
{
    if (problem->b != SL_CAPTURE_ORDER_TAG)
        text_printf(text, "byte order tag 0x%08" PRIx64 ", expected 0x%08x: no stream of this format", problem->b,
                    SL_CAPTURE_ORDER_TAG);
    else
        text_printf(text, "format version %" PRIu64 ", this program reads version %u", problem->a, SL_CAPTURE_MAJOR);
}

static void say_lengths(struct text *text, const struct capture_problem *p)
{
    say_record(text, p);
    if (p->kind == CAPTURE_TRUNCATED)
        text_printf(text, " is cut off: %" PRIu64 " of its %" PRIu64 " bytes are there", p->a, p->b);
    else if (p->a < p->b)
        text_printf(text, " is damaged: CRC of its payload differs; another record begins in it");
    else
        text_printf(text, " is damaged: CRC of its payload differs");
}

static void say_more(struct text *text, const struct capture_problem *p)
{
    switch (p->kind) {
    case CAPTURE_NO_GROUP:
        text_printf(text, "group %" PRIu64 " of this %s is described nowhere: its counts have no names", p->a,
                    capture_type_name(p->type));
        break;
    case CAPTURE_NO_REGION:
        text_printf(text, "region %" PRIu64 " of this %s has no name", p->a, capture_type_name(p->type));
        break;
    case CAPTURE_GROUP_SIZE:
        text_printf(text, "%s with %" PRIu64 " counts, but its group has %" PRIu64 " counters: left without names",
                    capture_type_name(p->type), p->a, p->b);
        break;
    case CAPTURE_SPE_HOLE:
        text_printf(text, "SPE drain %" PRIu32 ": bytes 0x%" PRIx64 " to 0x%" PRIx64 " are missing (%" PRIu64 ")",
                    p->from, p->a, p->b, p->b - p->a + 1);
        break;
    case CAPTURE_END_COUNT:
        text_printf(text, "the end record counts %" PRIu64 " records before it, but is number %" PRIu64, p->a, p->b);
        break;
    case CAPTURE_NO_FILE:
        text_printf(text, "no file record: architecture and memory are unknown");
        break;
    case CAPTURE_NO_END:
        text_printf(text, "no end record: the memory was saved before the capture was closed");
        break;
    case CAPTURE_CUT_END:
        text_printf(text, "no end record: the capture is cut off, or was never closed");
        if (p->b)
            text_printf(text, " (%" PRIu64 " of the %" PRIu64 " bytes of its memory are there)", p->a, p->b);
        break;
    default:
        break;
    }
}

static void say(struct text *text, const struct capture *capture, const struct capture_problem *p)
{
    say_stream(text, capture, p->stream);
    switch (p->kind) {
    case CAPTURE_GARBAGE:
        text_printf(text, "%" PRIu64 " %s of no record", p->a, p->a == 1 ? "byte" : "bytes");
        break;
    case CAPTURE_DAMAGED:
    case CAPTURE_TRUNCATED:
        say_lengths(text, p);
        break;
    case CAPTURE_MISSING:
        say_missing(text, p);
        break;
    case CAPTURE_OVERWRITTEN:
        text_printf(text, "records %" PRIu32 " to %" PRIu32 " (%" PRIu64 ") made room for newer ones in the ring",
                    p->from, p->to, (uint64_t)p->to - p->from + 1);
        break;
    case CAPTURE_REPEATED:
        say_record(text, p);
        text_printf(text, " is the same as at 0x%" PRIx64 ": counted once", p->a);
        break;
    case CAPTURE_CONFLICT:
        say_record(text, p);
        text_printf(text, " is another one than at 0x%" PRIx64 " with the same number: left out", p->a);
        break;
    case CAPTURE_DISORDER:
        say_record(text, p);
        text_printf(text, " comes after record %" PRIu32 ": put into order", p->from);
        break;
    case CAPTURE_UNKNOWN:
        text_printf(text, "record %" PRIu32 " of unknown type %u version %u: skipped", p->sequence, p->type,
                    p->version);
        break;
    case CAPTURE_MALFORMED:
        say_record(text, p);
        text_printf(text, " is shorter than its own counts say: left out");
        break;
    case CAPTURE_FORMAT:
        say_format(text, p);
        break;
    default:
        say_more(text, p);
    }
}

size_t capture_say_problems(const struct capture *capture, size_t max, struct diag *diag)
{
    size_t losses = 0, notes = 0;
    for (size_t i = 0; i < capture->n_problems; i++) {
        const struct capture_problem *problem = &capture->problems[i];
        bool loss = capture_problem_is_loss(problem->kind);
        struct text text = {.data = NULL};
        if (++*(loss ? &losses : &notes) > max || !diag->stream)
            continue;
        say(&text, capture, problem);
        if (loss)
            diag_at_offset(diag, capture->name, problem->offset, "%s", text.data);
        else
            diag_say(diag, DIAG_NOTE, "%s:0x%zx: %s", capture->name, problem->offset, text.data);
        text_free(&text);
    }
    if (losses > max || notes > max)
        diag_say(diag, DIAG_NOTE, "%s: %zu more lines: 'slotledger capture verify' prints all of them", capture->name,
                 (losses > max ? losses - max : 0) + (notes > max ? notes - max : 0));
    return losses;
}

size_t capture_say_hex_problems(const struct hex_import *import, const char *name, struct diag *diag)
{
    for (size_t i = 0; i < import->n_problems; i++) {
        const struct hex_problem *p = &import->problems[i];
        switch (p->kind) {
        case HEX_DAMAGED:
            diag_at_offset(diag, name, p->offset, "line %" PRIu32 ": damaged: left out", p->line);
            break;
        case HEX_CUT:
            diag_at_offset(diag, name, p->offset, "line %" PRIu32 ": the log ends inside it", p->line);
            break;
        case HEX_HOLE:
            diag_at_offset(diag, name, p->offset,
                           "line %" PRIu32 ": core %u: bytes 0x%" PRIx64 " to 0x%" PRIx64
                           " before it are in no line (%" PRIu64 ")",
                           p->line, p->core, p->from, p->to, p->to - p->from + 1);
            break;
        case HEX_OVERLAP:
            diag_at_offset(diag, name, p->offset,
                           "line %" PRIu32 ": core %u: bytes 0x%" PRIx64 " to 0x%" PRIx64
                           " are in an earlier line, too",
                           p->line, p->core, p->from, p->to);
            break;
        }
    }
    return import->n_problems;
}
