/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `slotledger mca`: llvm-mca's own, and those for machine-code input. */
#include "mca_options.h"

#include <string.h>

#define AT(member) offsetof(struct mca_options, member)

static const struct option_choice skip_choices[] = {
    { "none", "Exit with an error when an instruction is unsupported for any reason (default)" },
    { "lack-sched", "Skip instructions on input which lack scheduling information" },
    { "parse-failure", "Skip lines or bytes on the input which fail to parse or to decode" },
    { "any", "Skip instructions or lines on input which are unsupported for any reason" },
    { NULL, NULL },
};

static const struct option_choice loop_path_choices[] = {
    { "straight", "From the first block on, without a jump where that leads back to it (default)" },
    { "all", "Every block once, in the order of addresses" },
    { NULL, NULL },
};

/* name, kind, hidden, offset, value name, help, choices, group */
static const struct option table[] = {
    { "help", OPTION_ACTION, false, AT(help), NULL, "Display available options (--help-hidden for more)", NULL,
      "Generic Options" },
    { "h", OPTION_ACTION, true, AT(help), NULL, "Alias for --help", NULL, NULL },
    { "help-list", OPTION_ACTION, true, AT(help), NULL, "Alias for --help", NULL, NULL },
    { "help-hidden", OPTION_ACTION, true, AT(help_hidden), NULL, "Display all available options", NULL, NULL },
    { "help-list-hidden", OPTION_ACTION, true, AT(help_hidden), NULL, "Alias for --help-hidden", NULL, NULL },
    { "version", OPTION_ACTION, false, AT(version), NULL, "Display the version of this program", NULL, NULL },
    { "list-cpus", OPTION_ACTION, false, AT(list_cpus), NULL, "List the processors that have a model", NULL, NULL },

    { "assembler", OPTION_STRING, false, AT(assembler), "<auto|llvm-mc|clang|as|path>",
      "Assembler for assembly input (default: the first one installed)", NULL, "Input Options" },
    { "symbol", OPTION_STRING, false, AT(symbol), "<name>",
      "Analyse this function of an ELF file; a pattern with *, ? or [...]: all that match", NULL, NULL },
    { "range", OPTION_STRING, false, AT(range), "<start-end>",
      "Analyse this address range; in an object file offsets into .text; the end is excluded", NULL, NULL },
    { "loops", OPTION_BOOL, false, AT(loops), NULL,
      "Find the loops of the selected functions (default: of all) and analyse each innermost one as a loop body", NULL, NULL },
    { "outer-loops", OPTION_BOOL, false, AT(outer_loops), NULL, "With --loops: loops with loops inside, too", NULL, NULL },
    { "loop-path", OPTION_ENUM, false, AT(loop_path), NULL, "With --loops: the way through a loop of several blocks",
      loop_path_choices, NULL },
    { "pcs", OPTION_STRING, false, AT(pcs), "<file>",
      "Analyse the hottest blocks by sampled addresses: lines ADDRESS [COUNT], or a capture dump with SPE records", NULL,
      NULL },
    { "pcs-base", OPTION_STRING, false, AT(pcs_base), "<address>",
      "With --pcs: where the sampled program was loaded; subtracted from each address", NULL, NULL },
    { "hottest", OPTION_UINT, false, AT(hottest), NULL, "With --pcs: number of blocks to analyse (default 5)", NULL, NULL },
    { "raw", OPTION_BOOL, false, AT(raw), NULL, "The input is bare machine code", NULL, NULL },
    { "isa", OPTION_STRING, false, AT(isa), "<isa>", "Instruction set of raw input: aarch64, x86_64, riscv64 or riscv32", NULL,
      NULL },
    { "base", OPTION_STRING, false, AT(base), "<address>", "Address of the first byte of raw input", NULL, NULL },

    { "all-symbols", OPTION_BOOL, false, AT(all_symbols), NULL, "Analyse every function of the ELF files", NULL,
      "Batch Options (any of them: several files may be given, and what fails does not end the rest)" },
    { "batch", OPTION_BOOL, false, AT(batch), NULL, "Take several files", NULL, NULL },
    { "jobs", OPTION_UINT, false, AT(jobs), NULL, "Processes that share the work (default 1)", NULL, NULL },
    { "json-lines", OPTION_BOOL, false, AT(json_lines), NULL,
      "Print one JSON object a line and region: File, Region, and Report or Error", NULL, NULL },

    { "dispatch", OPTION_UINT, false, AT(dispatch), NULL, "Override the processor dispatch width", NULL,
      "Tool Options" },
    { "instruction-tables", OPTION_BOOL, false, AT(instruction_tables), NULL, "Print instruction tables", NULL, NULL },
    { "html", OPTION_STRING, false, AT(html), "<file>",
      "Beside the report, write a page with timeline, wait reasons, dependencies, unit pressure and slots", NULL, NULL },
    { "iterations", OPTION_UINT, false, AT(iterations), NULL, "Number of iterations to run (default 100)", NULL, NULL },
    { "json", OPTION_BOOL, false, AT(json), NULL, "Print the output in json format", NULL, NULL },
    { "lqueue", OPTION_UINT, false, AT(lqueue), NULL, "Size of the load queue", NULL, NULL },
    { "march", OPTION_STRING, false, AT(march), NULL, "Target architecture: x86-64, aarch64, arm64, riscv64 or riscv32",
      NULL, NULL },
    { "mattr", OPTION_STRING, false, AT(mattr), "<a1,+a2,-a3,...>",
      "Target specific attributes, for the assembler", NULL, NULL },
    { "mcpu", OPTION_STRING, false, AT(mcpu), "<cpu-name>",
      "Target a specific cpu type (default native; --list-cpus for details)", NULL, NULL },
    { "load-latency", OPTION_STRING, false, AT(load_latency), "<level=cycles:share,...>",
      "Cycles of loads by memory level, for example l1=4:0.9,l2=14:0.08,mem=120:0.02", NULL, NULL },
    { "model", OPTION_STRING, false, AT(model), "<file>", "Scheduling model from a YAML file or blob (slotledger model)", NULL, NULL },
    { "mtriple", OPTION_STRING, false, AT(mtriple), NULL, "Target triple", NULL, NULL },
    { "noalias", OPTION_BOOL, false, AT(noalias), NULL, "If set, assume that loads and stores do not alias", NULL,
      NULL },
    { "no-extrapolate", OPTION_BOOL, false, AT(no_extrapolate), NULL,
      "Simulate every iteration, also where the machine's state recurs (the result is the same)", NULL, NULL },
    { "show-extrapolation", OPTION_BOOL, false, AT(show_extrapolation), NULL,
      "Say on standard error after how many iterations the machine's state recurs", NULL, NULL },
    { "no-quirks", OPTION_BOOL, false, AT(no_quirks), NULL,
      "Leave out llvm-mca's known defects, which results otherwise repeat", NULL, NULL },
    { "o", OPTION_STRING, false, AT(output), "<filename>", "Output filename", NULL, NULL },
    { "output-asm-variant", OPTION_INT, false, AT(output_asm_variant), NULL,
      "Syntax variant to use for output printing", NULL, NULL },
    { "print-imm-hex", OPTION_BOOL, false, AT(print_imm_hex), NULL,
      "Prefer hex format when printing immediate values", NULL, NULL },
    { "register-file-size", OPTION_UINT, false, AT(register_file_size), NULL,
      "Maximum number of physical registers which can be used for register mappings", NULL, NULL },
    { "squeue", OPTION_UINT, false, AT(squeue), NULL, "Size of the store queue", NULL, NULL },
    { "call-latency", OPTION_UINT, true, AT(call_latency), NULL, "Number of cycles to assume for a call instruction",
      NULL, NULL },
    { "decoder-throughput", OPTION_UINT, true, AT(decoder_throughput), NULL,
      "Maximum throughput from the decoders (instructions per cycle)", NULL, NULL },
    { "micro-op-queue-size", OPTION_UINT, true, AT(micro_op_queue_size), NULL,
      "Number of entries in the micro-op queue", NULL, NULL },

    { "all-stats", OPTION_BOOL, false, AT(all_stats), NULL, "Print all hardware statistics", NULL, "View Options" },
    { "all-views", OPTION_BOOL, false, AT(all_views), NULL, "Print all views including hardware statistics", NULL,
      NULL },
    { "bottleneck", OPTION_BOOL, false, AT(findings), NULL,
      "Say in sentences where slots were lost; in-order processors, too", NULL, NULL },
    { "bottleneck-analysis", OPTION_BOOL, false, AT(bottleneck), NULL,
      "Enable bottleneck analysis (disabled by default)", NULL, NULL },
    { "disable-cb", OPTION_BOOL, false, AT(disable_cb), NULL,
      "Disable custom behaviour (use the default class which does nothing).", NULL, NULL },
    { "disable-im", OPTION_BOOL, false, AT(disable_im), NULL,
      "Disable instrumentation manager (use the default class which ignores instruments.).", NULL, NULL },
    { "dispatch-stats", OPTION_BOOL, false, AT(dispatch_stats), NULL, "Print dispatch statistics", NULL, NULL },
    { "instruction-info", OPTION_BOOL, false, AT(instruction_info), NULL,
      "Print the instruction info view (enabled by default)", NULL, NULL },
    { "register-file-stats", OPTION_BOOL, false, AT(register_file_stats), NULL, "Print register file statistics", NULL,
      NULL },
    { "resource-pressure", OPTION_BOOL, false, AT(resource_pressure), NULL,
      "Print the resource pressure view (enabled by default)", NULL, NULL },
    { "retire-stats", OPTION_BOOL, false, AT(retire_stats), NULL, "Print retire control unit statistics", NULL, NULL },
    { "scheduler-stats", OPTION_BOOL, false, AT(scheduler_stats), NULL, "Print scheduler statistics", NULL, NULL },
    { "show-barriers", OPTION_BOOL, false, AT(show_barriers), NULL,
      "Print memory barrier information in the instruction info view", NULL, NULL },
    { "show-encoding", OPTION_BOOL, false, AT(show_encoding), NULL,
      "Print encoding information in the instruction info view", NULL, NULL },
    { "skip-unsupported-instructions", OPTION_ENUM, false, AT(skip), NULL,
      "Force analysis to continue in the presence of unsupported instructions", skip_choices, NULL },
    { "slots", OPTION_BOOL, false, AT(slots), NULL, "Print the simulation's slots as a Top-Down tree", NULL, NULL },
    { "summary-view", OPTION_BOOL, true, AT(summary), NULL, "Print summary view (enabled by default)", NULL, NULL },
    { "timeline", OPTION_BOOL, false, AT(timeline), NULL, "Print the timeline view", NULL, NULL },
    { "timeline-max-cycles", OPTION_UINT, false, AT(timeline_max_cycles), NULL,
      "Maximum number of cycles in the timeline view, or 0 for unlimited. Defaults to 80 cycles", NULL, NULL },
    { "waits", OPTION_BOOL, false, AT(waits), NULL,
      "Print what each instruction waits for, and in whose way it is; beside the timeline, too", NULL, NULL },
    { "timeline-max-iterations", OPTION_UINT, false, AT(timeline_max_iterations), NULL,
      "Maximum number of iterations to print in timeline view", NULL, NULL },
};

SL_STATIC_ASSERT(sizeof table / sizeof table[0] <= MCA_MAX_OPTIONS, positions_of_all_options);

struct command mca_command(const char *program)
{
    struct command command = {
        .name = program,
        .usage = "[options] <input file>",
        .overview = "predicts how a processor executes machine code (llvm-mca's reports, without LLVM).",
        .options = table,
        .n_options = sizeof table / sizeof table[0],
        .max_inputs = 1,
        .epilogue = "The input is assembly text, an ELF object or executable, or with --raw bare machine code;\n"
                    "- or nothing is standard input. Exit status: 0, or 1 with a message on standard error.\n",
    };
    return command;
}

void mca_options_defaults(struct mca_options *options)
{
    memset(options, 0, sizeof *options);
    options->mtriple = options->march = options->mattr = "";
    options->mcpu = "native";
    options->output = "-";
    options->output_asm_variant = -1;
    options->call_latency = 100;
    options->noalias = true;
    options->summary = options->instruction_info = options->resource_pressure = true;
    options->timeline_max_cycles = 80;
}

static unsigned position(const unsigned *positions, size_t offset)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].offset == offset)
            return positions[i];
    }
    return 0;
}

struct override {
    unsigned position;
    bool value;
};

static void apply(bool *value, const unsigned *positions, size_t offset, struct override by)
{
    unsigned own = position(positions, offset);
    if (own == 0 || own < by.position)
        *value = by.value;
}

void mca_options_views(const struct mca_options *o, const unsigned *positions, bool in_order,
                       struct mca_report_options *v)
{
    struct override views = { position(positions, AT(all_views)), o->all_views };
    struct override stats = { position(positions, AT(all_stats)), o->all_stats };
    struct override last = views.position < stats.position ? stats : views;
    *v = (struct mca_report_options){
        .summary = o->summary, .bottleneck = o->bottleneck, .instruction_info = o->instruction_info,
        .dispatch_stats = o->dispatch_stats, .scheduler_stats = o->scheduler_stats, .retire_stats = o->retire_stats,
        .register_file_stats = o->register_file_stats, .resource_pressure = o->resource_pressure,
        .timeline = o->timeline, .waits = o->waits, .slots = o->slots, .findings = o->findings, .show_encoding = o->show_encoding, .show_barriers = o->show_barriers,
        .timeline_max_iterations = o->timeline_max_iterations, .timeline_max_cycles = o->timeline_max_cycles,
    };
    if (!views.position && !stats.position)
        return;
    if (views.position) {
        apply(&v->summary, positions, AT(summary), views);
        if (!in_order)
            apply(&v->bottleneck, positions, AT(bottleneck), views);
        apply(&v->resource_pressure, positions, AT(resource_pressure), views);
        apply(&v->timeline, positions, AT(timeline), views);
        apply(&v->instruction_info, positions, AT(instruction_info), views);
    }
    apply(&v->register_file_stats, positions, AT(register_file_stats), last);
    apply(&v->dispatch_stats, positions, AT(dispatch_stats), last);
    apply(&v->scheduler_stats, positions, AT(scheduler_stats), last);
    if (!in_order)
        apply(&v->retire_stats, positions, AT(retire_stats), last);
}

void mca_options_config(const struct mca_options *o, bool pressure, struct sl_mca_config *config)
{
    *config = (struct sl_mca_config){
        .iterations = o->iterations, .dispatch_width = o->dispatch, .register_file_size = o->register_file_size,
        .load_queue = o->lqueue, .store_queue = o->squeue, .micro_op_queue_size = o->micro_op_queue_size,
        .decoder_throughput = o->decoder_throughput, .call_latency = o->call_latency, .call_latency_set = true,
        .may_alias = !o->noalias, .no_barriers = o->disable_cb, .pressure = pressure,
        .instruction_tables = o->instruction_tables, .no_quirks = o->no_quirks,
    };
}
