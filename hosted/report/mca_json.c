/* SPDX-License-Identifier: Apache-2.0 */
/* Regions as JSON: figures unrounded, members sorted by key. */
#include <string.h>

#include "json_out.h"
#include "mca_internal.h"
#include "mca_waits.h"

static void text(struct json_out *json, const char *key, const char *value)
{
    json_string(json, key, value, strlen(value));
}

static void dispatch(struct json_out *json, const struct sl_obs_dispatch *o)
{
    static const struct { const char *key; enum sl_mca_stall stall; } members[] = {
        { "GROUP", SL_MCA_STALL_DISPATCH_GROUP },       { "LQ", SL_MCA_STALL_LOAD_QUEUE_FULL },
        { "RAT", SL_MCA_STALL_REGISTER_FILE },          { "RCU", SL_MCA_STALL_RETIRE_CONTROL_UNIT },
        { "SCHEDQ", SL_MCA_STALL_SCHEDULER_QUEUE_FULL }, { "SQ", SL_MCA_STALL_STORE_QUEUE_FULL },
        { "USH", SL_MCA_STALL_CUSTOM_BEHAVIOUR },
    };

    json_open(json, "DispatchStatistics", '{');
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        json_integer(json, members[i].key, o->stalls[members[i].stall]);
    json_close(json, '}');
}

static void instruction_info(struct json_out *json, const struct sl_mca *m, const struct mca_report_input *input)
{
    json_open(json, "InstructionInfoView", '{');
    json_open(json, "InstructionList", '[');
    for (uint32_t i = 0; i < m->n_insns; i++) {
        struct mca_insn_info info;

        mca_insn_info(m, input, i, &info);
        json_open(json, NULL, '{');
        json_integer(json, "Instruction", i);
        json_integer(json, "Latency", info.latency_cycles);
        json_integer(json, "NumMicroOpcodes", info.uops);
        json_double(json, "RThroughput", info.reciprocal_throughput);
        json_bool(json, "hasUnmodeledSideEffects", m->insns[i].side_effects);
        json_bool(json, "mayLoad", m->insns[i].may_load);
        json_bool(json, "mayStore", m->insns[i].may_store);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void pressure(struct json_out *json, const struct mca_report *report)
{
    const struct sl_obs_pressure *o = &report->pressure;
    size_t cell = 0;

    json_open(json, "ResourcePressureView", '{');
    json_open(json, "ResourcePressureInfo", '[');
    for (uint32_t row = 0; row < o->n_rows; row++) {
        for (uint32_t column = 0; column < o->n_columns; column++, cell++) {
            if (o->cycles[cell] == 0)
                continue;
            json_open(json, NULL, '{');
            json_integer(json, "InstructionIndex", row);
            json_integer(json, "ResourceIndex", column);
            json_double(json, "ResourceUsage", mca_pressure_cell(report, cell));
            json_close(json, '}');
        }
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void summary(struct json_out *json, const struct mca_report *report)
{
    struct mca_summary s;

    mca_summary(report, &s);
    json_open(json, "SummaryView", '{');
    json_double(json, "BlockRThroughput", s.block_throughput);
    json_integer(json, "DispatchWidth", s.dispatch_width);
    json_double(json, "IPC", s.ipc);
    json_integer(json, "Instructions", s.instructions);
    json_integer(json, "Iterations", s.iterations);
    json_integer(json, "TotalCycles", s.cycles);
    json_integer(json, "TotaluOps", s.uops);
    json_double(json, "uOpsPerCycle", s.uops_per_cycle);
    json_close(json, '}');
}

static void timeline(struct json_out *json, const struct sl_obs_timeline *o)
{
    json_open(json, "TimelineView", '{');
    json_open(json, "TimelineInfo", '[');
    for (uint32_t i = 0; i < o->n_entries; i++) {
        const struct sl_timeline_entry *entry = &o->entries[i];

        if (entry->retired == 0 && entry->executed != 0)
            break;
        json_open(json, NULL, '{');
        json_integer(json, "CycleDispatched", (uint32_t)entry->dispatched);
        json_integer(json, "CycleExecuted", entry->executed);
        json_integer(json, "CycleIssued", entry->issued);
        json_integer(json, "CycleReady", entry->ready);
        json_integer(json, "CycleRetired", entry->retired);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

/* The object's head is printed by hand: json_out starts at the depth of a list element. */
static struct json_out at_depth(FILE *file, unsigned depth, bool empty)
{
    return (struct json_out){ .file = file, .depth = depth, .empty = empty };
}

void mca_report_json_begin(struct mca_report_json *json, FILE *out)
{
    struct json_out j = at_depth(out, 0, true);

    json->out = out;
    json->n_regions = 0;
    json_open(&j, NULL, '{');
    json_open(&j, "CodeRegions", '[');
}

enum sl_status mca_report_json_region(struct mca_report_json *json, struct mca_report *report,
                                      const struct mca_report_input *input)
{
    struct json_out j = at_depth(json->out, 2, json->n_regions == 0);
    const struct mca_report_options *o = &report->options;
    enum sl_status err = mca_report_finish(report);

    if (err)
        return err;
    json->n_regions++;
    json_open(&j, NULL, '{');
    if (o->dispatch_stats)
        dispatch(&j, &report->dispatch);
    if (o->instruction_info)
        instruction_info(&j, report->m, input);
    json_open(&j, "Instructions", '[');
    for (uint32_t i = 0; i < report->m->n_insns; i++)
        text(&j, NULL, input->texts[i]);
    json_close(&j, ']');
    text(&j, "Name", input->region_name != NULL ? input->region_name : "");
    if (input->notes != NULL)
        text(&j, "Notes", input->notes);
    if (o->resource_pressure)
        pressure(&j, report);
    if (o->summary)
        summary(&j, report);
    if (o->timeline)
        timeline(&j, &report->timeline);
    mca_json_waits(&j, report, input);
    json_close(&j, '}');
    return SL_OK;
}

static void optional(struct json_out *json, const char *key, uint32_t value)
{
    if (value != 0)
        json_integer(json, key, value);
}

static void parameters(struct json_out *json, const struct mca_report_json_target *target)
{
    /* The options of the out-of-order pipeline are not reported for others. */
    static const struct sl_mca_config none = { 0 };
    const struct sl_mca_config *config = target->cpu->micro_op_buffer_size > 1 ? target->config : &none;

    json_open(json, "SimulationParameters", '{');
    optional(json, "-decoder-throughput", config->decoder_throughput);
    optional(json, "-dispatch", config->dispatch_width);
    optional(json, "-lqueue", config->load_queue);
    text(json, "-march", target->march);
    text(json, "-mcpu", target->mcpu);
    optional(json, "-micro-op-queue-size", config->micro_op_queue_size);
    text(json, "-mtriple", target->mtriple);
    if (config->may_alias)
        json_bool(json, "-noalias", false);
    optional(json, "-register-file-size", config->register_file_size);
    optional(json, "-squeue", config->store_queue);
    json_close(json, '}');
}

/* A unit of several is named after its resource and, as the reference has it, the character with its number. */
static void resources(struct json_out *json, const struct sl_cpu *cpu)
{
    json_open(json, "Resources", '[');
    for (unsigned i = 1; i < cpu->n_resources; i++) {
        const char *name = mca_resource_name(cpu, i);
        unsigned n_units = cpu->resources[i].is_group ? 0 : cpu->resources[i].n_units;

        for (unsigned unit = 0; unit < n_units; unit++) {
            char label[256];
            size_t len = (size_t)snprintf(label, sizeof label - 2u, "%s", name);

            if (n_units > 1) {
                label[len++] = '.';
                label[len++] = (char)unit;
            }
            json_string(json, NULL, label, len);
        }
    }
    json_close(json, ']');
}

void mca_report_json_end(struct mca_report_json *json, const struct mca_report_json_target *target)
{
    struct json_out j = at_depth(json->out, 2, json->n_regions == 0);

    json_close(&j, ']');
    parameters(&j, target);
    json_open(&j, "TargetInfo", '{');
    text(&j, "CPUName", target->mcpu);
    resources(&j, target->cpu);
    json_close(&j, '}');
    json_close(&j, '}');
    putc('\n', json->out);
}
