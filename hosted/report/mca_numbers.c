/* SPDX-License-Identifier: Apache-2.0 */
/* The decimals of a report, in the reference's order of double operations. */
#include "mca_internal.h"

void mca_summary(const struct mca_report *report, struct mca_summary *s)
{
    const struct sl_mca *m = report->m;
    const struct sl_obs_summary *o = &report->summary;

    s->iterations = sl_obs_executions(m);
    s->instructions = m->n_insns * s->iterations;
    s->cycles = m->cycles;
    s->uops = o->uops * s->iterations;
    s->dispatch_width = m->config.dispatch_width;
    s->uops_per_cycle = (double)s->uops / s->cycles;
    s->ipc = (double)s->instructions / s->cycles;
    /* The rounded quotient of the largest ratio is the largest of the rounded quotients. */
    s->block_throughput = (double)o->throughput_cycles / o->throughput_divisor;
}

static uint32_t latency(const struct sl_cpu *cpu, const struct sl_class_row *row)
{
    int32_t latency = 0, advance = 0;

    for (unsigned i = 0; i < row->n_lat; i++) {
        int32_t cycles = cpu->write_lat[row->lat + i].cycles;

        if (cycles < 0) {
            latency = cycles;
            break;
        }
        latency = cycles > latency ? cycles : latency;
    }
    /* A negative read-advance that meets any write delays every user of that operand. */
    for (unsigned i = 0; i < sl_row_n_adv(row); i++) {
        const struct sl_read_adv *entry = &cpu->read_adv[row->adv + i];

        if (entry->write_id == 0 && entry->cycles < advance)
            advance = entry->cycles;
    }
    return (uint32_t)latency - (uint32_t)advance;
}

static double reciprocal_throughput(const struct sl_cpu *cpu, const struct sl_class_row *row, uint32_t uops)
{
    double least = 0.0;

    for (unsigned i = 0; i < row->n_res; i++) {
        const struct sl_write_res *entry = &cpu->write_res[row->res + i];
        double throughput;

        if (entry->release_cycle == 0)
            continue;
        throughput = cpu->resources[entry->resource].n_units * 1.0 / entry->release_cycle;
        if (least == 0.0 || throughput < least)
            least = throughput;
    }
    return least != 0.0 ? 1.0 / least : (double)uops / cpu->issue_width;
}

void mca_insn_info(const struct sl_mca *m, const struct mca_report_input *input, uint32_t position,
                   struct mca_insn_info *info)
{
    const struct sl_class_row *row = m->insns[position].desc->row;
    uint16_t sched_class;

    info->uops = m->insns[position].desc->uops;
    if (input->info_insns != NULL) {
        if (sl_cpu_resolve(m->cpu, &input->info_insns[position], &sched_class) != SL_OK)
            sched_class = 0; /* no class: its row says so */
        row = sl_cpu_class(m->cpu, sched_class);
        info->uops = row->uops & SL_UOPS_MASK;
    }
    info->latency_cycles = latency(m->cpu, row);
    info->reciprocal_throughput = reciprocal_throughput(m->cpu, row, info->uops);
}

double mca_pressure_cell(const struct mca_report *report, size_t cell)
{
    const struct sl_obs_pressure *o = &report->pressure;
    uint32_t denominator = o->denominator != NULL ? o->denominator[cell] : 1u;
    double cycles = o->cycles[cell];

    if (denominator != 1)
        cycles /= denominator;
    return cycles / sl_obs_executions(report->m);
}
