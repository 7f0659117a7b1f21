/* SPDX-License-Identifier: Apache-2.0 */
/* One region of `slotledger mca`: lowered, simulated, printed. */
#include <stdlib.h>
#include <string.h>

#include "../report/insn_text.h"
#include "load_latency.h"
#include "mca_recur.h"
#include "mca_run.h"
#include "model_trust.h"
#include "quirks.h"

/* A region as the simulator and the report take it. */
struct lowered {
    struct sl_insn *code;
    const char **texts;
    const uint8_t **encodings;
    uint8_t *encoding_len;
    size_t *member;             /* index in the region, of each */
    struct sl_insn *info_insns; /* as mca_report_input takes it */
    size_t n;
};

static void *take(size_t count, size_t size)
{
    void *memory = count > SIZE_MAX / 2 / size ? NULL : malloc(count ? count * size : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

static void lowered_free(struct lowered *l)
{
    free(l->code);
    free(l->texts);
    free(l->encodings);
    free(l->encoding_len);
    free(l->member);
    free(l->info_insns);
}

/* llvm-mca's words for what its lowering refuses. */
static const char *refusal(enum sl_status status)
{
    switch (status) {
    case SL_E_UNSUPPORTED:
        return "found an unsupported instruction in the input assembly sequence";
    case SL_E_UNRESOLVED:
        return "unable to resolve scheduling class for write variant.";
    case SL_E_ZERO_UOPS:
        return "found an inconsistent instruction that decodes to zero opcodes and that consumes scheduler resources.";
    case SL_E_OPERANDS:
        return "Expected more register operand definitions.";
    case SL_E_UNDECODABLE:
    case SL_E_TRUNCATED:
        return "found an instruction whose bytes cannot be decoded";
    default:
        return sl_status_text(status);
    }
}

static void note_instruction(struct run *run, const struct block_insn *insn, const char *text)
{
    if (run->input->block.from_assembly)
        diag_say(run->diag, DIAG_NOTE, "instruction: \t%s", text);
    else
        diag_say(run->diag, DIAG_NOTE, "instruction at address 0x%llx: %s", (unsigned long long)insn->address, text);
}

/* true: go on without the instruction. */
static bool refuse(struct run *run, const struct block_insn *insn, const char *text, enum sl_status status)
{
    bool skip = mca_skips_unsupported(run->options);
    if (skip)
        diag_say(run->diag, DIAG_WARNING,
                 "%s, skipping with -skip-unsupported-instructions, note accuracy will be impacted:", refusal(status));
    else
        diag_say(run->diag, DIAG_ERROR,
                 "%s, use -skip-unsupported-instructions=lack-sched to ignore these on the input.", refusal(status));
    note_instruction(run, insn, text);
    return skip;
}

/* Calls and returns are said once a region; llvm-mca looks when the scheduling class is known. */
static void warn_control_flow(struct run *run, const struct sl_insn *insn, bool *call_seen, bool *return_seen)
{
    unsigned flags = sl_op_row(run->input->block.isa, insn->op)->flags;
    if ((flags & SL_OP_CALL) && !*call_seen) {
        *call_seen = true;
        diag_say(run->diag, DIAG_WARNING, "found a call in the input assembly sequence.");
        diag_say(run->diag, DIAG_NOTE, "call instructions are not correctly modeled. Assume a latency of %ucy.",
                 run->options->call_latency);
    }
    if ((flags & SL_OP_RETURN) && !*return_seen) {
        *return_seen = true;
        diag_say(run->diag, DIAG_WARNING, "found a return instruction in the input assembly sequence.");
        diag_say(run->diag, DIAG_NOTE, "program counter updates are ignored.");
    }
}

/* Takes over what the model accepts. false: the run fails, reported. */
static bool lower(struct run *run, const struct block_region *region, struct lowered *l)
{
    bool call_seen = false, return_seen = false;
    l->code = take(region->n_members, sizeof *l->code);
    l->texts = take(region->n_members, sizeof *l->texts);
    l->encodings = take(region->n_members, sizeof *l->encodings);
    l->encoding_len = take(region->n_members, sizeof *l->encoding_len);
    l->member = take(region->n_members, sizeof *l->member);
    l->n = 0;
    for (size_t i = 0; i < region->n_members; i++) {
        const struct block_insn *insn = &run->input->block.insns[region->members[i]];
        enum sl_status status = insn->status ? insn->status : sl_mca_check(run->input->cpu, &insn->insn);
        const char *text = code_text(&run->input->block, insn, &run->syntax);
        if (!insn->status && status != SL_E_UNSUPPORTED && status != SL_E_UNRESOLVED)
            warn_control_flow(run, &insn->insn, &call_seen, &return_seen);
        if (status) {
            if (!refuse(run, insn, text, status))
                return false;
            continue;
        }
        l->code[l->n] = insn->insn;
        if (run->options->no_quirks)
            (void)quirks_mask_operand(run->input->block.isa, &l->code[l->n]);
        l->texts[l->n] = text;
        l->encodings[l->n] = insn->encoding;
        l->encoding_len[l->n] = insn->encoding_len;
        l->member[l->n] = i;
        l->n++;
    }
    return true;
}

/* A defect of the reference: behind an instruction that it has dropped, its instruction-info view takes the vector type
 * from the instruction that stood at the same place of the region before; from none, if that one was dropped. */
static void shift_vector_types(struct run *run, const struct block_region *region, struct lowered *l)
{
    const struct sl_isa *isa = run->input->block.isa;
    if (l->n == region->n_members || run->options->disable_im || run->options->no_quirks ||
        (isa != &sl_isa_riscv64 && isa != &sl_isa_riscv32))
        return;
    l->info_insns = take(l->n, sizeof *l->info_insns);
    for (size_t i = 0, k = 0; i < l->n; i++) {
        const struct block_insn *here = &run->input->block.insns[region->members[i]];
        while (l->member[k] < i)
            k++;
        l->info_insns[i] = l->code[i];
        l->info_insns[i].sched_class = l->member[k] == i ? sl_riscv_vector_class(l->code[i].op, &here->vtype) : 0;
        if (l->info_insns[i].sched_class != l->code[i].sched_class && run->views.instruction_info)
            run->quirks |= QUIRK_VECTOR_TYPE;
    }
}

static struct mca_report_input report_input(struct run *run, const struct block_region *region, const struct lowered *l)
{
    return (struct mca_report_input){ .texts = l->texts, .encodings = l->encodings, .encoding_len = l->encoding_len,
                                      .reg_name = insn_reg_name(run->input->block.isa,
                                                                run->input->block.intel_syntax || run->syntax.dialect),
                                      .info_insns = l->info_insns, .region_name = region->name,
                                      .notes = run->notes.len ? run->notes.data : NULL };
}

static bool print_region(struct run *run, const struct block_region *region, struct mca_report *report,
                         const struct lowered *l)
{
    struct mca_report_input input = report_input(run, region, l);
    enum sl_status status;
    if (run->options->json) {
        status = mca_report_json_region(&run->json, report, &input);
    } else {
        if (block_region_marked(region))
            mca_report_region_header(run->out, run->n_reported, region->name);
        if (region->note)
            fprintf(run->out, "%s\n", region->note);
        status = mca_report_print(report, &input, run->out);
    }
    if (status)
        diag_say(run->diag, DIAG_ERROR, "cannot print the report: %s", sl_status_text(status));
    return !status;
}

static bool simulation_failed(struct run *run, enum sl_status status, uint32_t cycles)
{
    switch (status) {
    case SL_OK:
        return false;
    case SL_E_STUCK:
        diag_say(run->diag, DIAG_ERROR, "the simulated pipeline makes no more progress from cycle %u on", cycles);
        break;
    case SL_E_UNDEFINED:
        diag_say(run->diag, DIAG_ERROR, "the processor model leaves the result undefined from cycle %u on", cycles);
        break;
    default:
        diag_say(run->diag, DIAG_ERROR, "the simulation failed: %s", sl_status_text(status));
        break;
    }
    return true;
}

/* Adds the defects that have changed the region's result. */
static void find_quirks(struct run *run, const struct sl_mca *m, const struct sl_insn *code, const struct mca_report *report,
                        const struct lowered *l)
{
    uint32_t met = (sl_mca_quirks(m) | mca_report_quirks(report)) & ~run->quirks;
    if (run->config.instruction_tables || run->options->no_quirks)
        return;
    /* Wait reasons make the machine look for critical predecessors; only the bottleneck analysis shows them. */
    if (!run->views.bottleneck)
        met &= ~(uint32_t)(SL_MCA_QUIRK_CRITICAL | SL_MCA_QUIRK_UNITS | SL_MCA_QUIRK_SEQUENCE);
    /* That an operand is overlooked need not matter. */
    if ((met & SL_MCA_QUIRK_SHARED) && !quirks_change_cycles(m, code, !run->options->no_extrapolate))
        met &= ~(uint32_t)SL_MCA_QUIRK_SHARED;
    run->quirks |= met;
    if (quirks_mask_met(run->input->block.isa, l->code, l->n))
        run->quirks |= QUIRK_MASK;
}

static bool has_page(const struct run *run)
{
    return run->html && run->html->out && !run->config.instruction_tables;
}

static bool draw_region(struct run *run, const struct block_region *region, struct mca_report *page,
                        const struct lowered *l)
{
    struct mca_report_input input = report_input(run, region, l);
    enum sl_status status = mca_html_region(run->html, page, &input, region->note);
    if (status)
        diag_say(run->diag, DIAG_ERROR, "cannot draw the page: %s", sl_status_text(status));
    return !status;
}

/* What a report says above its views: of the model's figures, and of loads. */
static void describe(struct run *run, const struct sl_mca *m, const struct load_latency *x)
{
    run->notes.len = 0;
    if (run->input->model.notes)
        model_trust_text(run->input->model.notes, m, x->class_of, &run->notes);
    if (!run->options->load_latency)
        return;
    if (run->notes.len)
        text_add_char(&run->notes, '\n', 1);
    load_latency_text(x, &run->notes);
}

/* Runs the machine and prints what `seen` has seen. */
static bool run_and_print(struct run *run, const struct block_region *region, const struct lowered *l, struct sl_mca *m,
                          struct load_latency *x)
{
    bool levels = run->options->load_latency != NULL;
    struct mca_report *report = NULL, *page = NULL;
    struct mca_report_options page_views = mca_html_views(&run->views);
    struct mca_extrapolated extrapolated = { 0, 0, 0, 0 };
    struct sl_mca *seen = levels ? load_latency_seen(x, m) : m;
    enum sl_status status = mca_report_attach(&report, seen, &run->views);
    bool ok;
    if (!status && has_page(run))
        status = mca_report_attach(&page, seen, &page_views);
    if (levels)
        load_latency_begin(x);
    if (!status)
        status = mca_recur_run(m, !run->options->no_extrapolate, &extrapolated);
    if (levels)
        load_latency_end(x);
    describe(run, seen, x);
    ok = !simulation_failed(run, status, m->cycles) && print_region(run, region, report, l) &&
         (!page || draw_region(run, region, page, l));
    if (ok)
        find_quirks(run, m, levels ? x->code : l->code, report, l);
    if (ok && run->options->show_extrapolation)
        mca_recur_note(&extrapolated, run->diag);
    mca_report_free(report);
    mca_report_free(page);
    return ok;
}

/* Lowered code to report. */
static bool simulate(struct run *run, const struct block_region *region, const struct lowered *l)
{
    struct load_latency x = { .cpu = *run->input->cpu, .config = run->config, .code = l->code, .n = l->n };
    uint32_t iterations = run->config.iterations ? run->config.iterations : 100;
    bool ok = true;
    if (!run->config.instruction_tables && (uint64_t)iterations * l->n > UINT32_MAX) {
        diag_say(run->diag, DIAG_ERROR, "%u iterations of %zu instructions are too many: at most 4294967295 "
                 "instructions can be simulated", iterations, l->n);
        return false;
    }
    if (run->options->load_latency && run->config.instruction_tables) {
        diag_say(run->diag, DIAG_ERROR, "--load-latency needs a simulation: it does not go with -instruction-tables");
        return false;
    }
    if (run->options->load_latency)
        ok = load_levels_parse(&x.levels, "slotledger mca", run->options->load_latency, run->diag) &&
             load_latency_write_out(&x, run->input->cpu, &run->config, l->code, l->n, run->diag);
    if (ok) {
        size_t need = sl_mca_need_for(&x.cpu, &x.config, x.code, x.n);
        void *memory = take(need, 1);
        struct sl_mca m;
        enum sl_status status = sl_mca_init(&m, &x.cpu, &x.config, x.code, x.n, memory, need);
        if (status)
            diag_say(run->diag, DIAG_ERROR, "cannot set up the simulation: %s (-%d)", sl_status_text(status), -status);
        ok = !status && run_and_print(run, region, l, &m, &x);
        free(memory);
    }
    load_latency_free(&x);
    return ok;
}

bool mca_run_region(struct run *run, const struct block_region *region)
{
    struct lowered l = { .n = 0 };
    bool in_order = run->input->cpu->micro_op_buffer_size <= 1;
    bool ok = lower(run, region, &l);
    if (ok && l.n) {
        shift_vector_types(run, region, &l);
        if (in_order && run->views.bottleneck && !run->options->instruction_tables)
            diag_say(run->diag, DIAG_WARNING, "bottleneck analysis is not supported for in-order CPU '%s'.",
                     run->input->cpu_name);
        ok = simulate(run, region, &l);
        run->n_reported++;
    }
    lowered_free(&l);
    return ok;
}

static uint64_t code_bytes(const struct block *block, const struct block_region *region)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < region->n_members; i++)
        bytes += block->insns[region->members[i]].len_bytes;
    return bytes;
}

bool mca_run_measure(struct run *run, const struct block_region *region, struct mca_figures *figures)
{
    struct lowered l = { .n = 0 };
    const struct sl_cpu *cpu = run->input->cpu;
    void *memory = NULL;
    struct sl_mca m;
    bool ok = lower(run, region, &l) && l.n;
    if (ok) {
        size_t need = sl_mca_need_for(cpu, &run->config, l.code, l.n);
        enum sl_status status;
        memory = take(need, 1);
        status = sl_mca_init(&m, cpu, &run->config, l.code, l.n, memory, need);
        if (!status)
            status = mca_recur_run(&m, !run->options->no_extrapolate, NULL);
        ok = !simulation_failed(run, status, m.cycles);
    }
    if (ok) {
        *figures = (struct mca_figures){ .iterations = m.config.iterations, .instructions = (uint32_t)l.n,
                                         .cycles = m.cycles, .width = m.config.dispatch_width,
                                         .bytes = code_bytes(&run->input->block, region) };
        for (size_t i = 0; i < l.n; i++)
            figures->uops += m.insns[i].desc->uops;
    }
    free(memory);
    lowered_free(&l);
    return ok;
}
