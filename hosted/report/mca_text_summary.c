/* SPDX-License-Identifier: Apache-2.0 */
/* Text of the summary and of the instruction information. */
#include "mca_internal.h"

void mca_text_summary(struct text_out *out, const struct mca_report *report)
{
    struct mca_summary s;
    char text[512];

    mca_summary(report, &s);
    snprintf(text, sizeof text,
             "Iterations:        %u\nInstructions:      %u\nTotal Cycles:      %u\nTotal uOps:        %u\n\n"
             "Dispatch Width:    %u\nuOps Per Cycle:    ",
             s.iterations, s.instructions, s.cycles, s.uops, s.dispatch_width);
    text_put(out, text);
    text_rounded(out, s.uops_per_cycle, 2);
    text_put(out, "\nIPC:               ");
    text_rounded(out, s.ipc, 2);
    text_put(out, "\nBlock RThroughput: ");
    text_rounded(out, s.block_throughput, 1);
    text_newline(out);
}

static void info_header(struct text_out *out, const struct mca_report_options *options)
{
    text_put(out, "\n\nInstruction Info:\n[1]: #uOps\n[2]: Latency\n[3]: RThroughput\n[4]: MayLoad\n[5]: MayStore\n"
                  "[6]: HasSideEffects (U)\n");
    if (options->show_barriers)
        text_put(out, "[7]: LoadBarrier\n[8]: StoreBarrier\n");
    if (options->show_encoding)
        text_put(out, options->show_barriers ? "[9]: Encoding Size\n" : "[7]: Encoding Size\n");
    text_put(out, "\n[1]    [2]    [3]    [4]    [5]    [6]    ");
    if (options->show_barriers)
        text_put(out, "[7]    [8]    ");
    if (options->show_encoding) {
        text_put(out, options->show_barriers ? "[9]    " : "[7]    ");
        text_put(out, "Encodings:                    ");
    }
    text_put(out, "Instructions:\n");
}

/* Left-aligned in 3 columns, but without a limit. */
static void narrow(struct text_out *out, uint32_t value)
{
    text_u32(out, value);
    text_fill(out, ' ', value < 10 ? 2 : value < 100 ? 1 : 0);
}

static void flag(struct text_out *out, bool set, char mark)
{
    text_char(out, ' ');
    text_char(out, set ? mark : ' ');
    text_fill(out, ' ', 5);
}

static void encoding(struct text_out *out, const uint8_t *bytes, unsigned len)
{
    static const char hex[] = "0123456789abcdef";

    text_char(out, ' ');
    text_u32(out, len);
    text_fill(out, ' ', len < 10 ? 5 : 4);
    for (unsigned i = 0; i < len; i++) {
        char text[3] = { hex[bytes[i] >> 4], hex[bytes[i] & 15u], ' ' };

        text_plain(out, text, 3);
    }
    text_fill(out, ' ', 3u * len < 30 ? 30 - 3u * len : 1);
}

void mca_text_instruction_info(struct text_out *out, const struct mca_report *report,
                               const struct mca_report_input *input)
{
    const struct mca_report_options *options = &report->options;

    info_header(out, options);
    for (uint32_t i = 0; i < report->m->n_insns; i++) {
        const struct sl_mca_insn *insn = &report->m->insns[i];
        struct mca_insn_info info;

        mca_insn_info(report->m, input, i, &info);
        text_char(out, ' ');
        narrow(out, info.uops);
        text_fill(out, ' ', 4);
        narrow(out, info.latency_cycles);
        text_fill(out, ' ', 3);
        text_decimal(out, info.reciprocal_throughput, 2);
        text_fill(out, ' ', info.reciprocal_throughput < 10.0 ? 3 : info.reciprocal_throughput < 100.0 ? 2 : 1);
        flag(out, insn->may_load, '*');
        flag(out, insn->may_store, '*');
        flag(out, insn->side_effects, 'U');
        if (options->show_barriers) {
            flag(out, insn->load_barrier, '*');
            flag(out, insn->store_barrier, '*');
        }
        if (options->show_encoding)
            encoding(out, input->encodings[i], input->encoding_len[i]);
        text_put(out, input->texts[i]);
        text_newline(out);
    }
}
