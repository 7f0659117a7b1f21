/* SPDX-License-Identifier: Apache-2.0 */
/* A board's SPE buffers -> memory samples in the order of time, with the threads that an export gives them. */
#include "spe_samples.h"

#include "perf_export.h"

struct consumer {
    spe_sample_fn *sample;
    void *user;
};

static void thread_runs(void *user, uint32_t pid, uint32_t tid, uint32_t cpu)
{
    (void)user, (void)pid, (void)tid, (void)cpu;
}

/* All threads belong to the program, but for thread 0. */
static bool find_thread(void *user, uint32_t tid, uint32_t *pid, uint32_t *cpu)
{
    (void)user, (void)cpu;
    *pid = tid ? PERF_EXPORT_PID : 0;
    return true;
}

static void take_sample(void *user, const struct sl_mem_sample *sample, const struct sl_spe_record *record)
{
    const struct consumer *c = user;
    (void)record;
    c->sample(c->user, sample);
}

bool spe_samples(const struct spe_input *input, enum sl_spe_edition edition, spe_sample_fn *sample, void *user,
                 struct spe_samples_info *info, struct diag *diag)
{
    static const struct spe_stream_ops ops = {thread_runs, find_thread, take_sample, NULL};
    struct consumer consumer = {sample, user};
    const struct spe_stream_config config = {.family = sl_spe_family(input->midr, edition),
                                             .clock = spe_clock_of(input->hz),
                                             .kernel_start = UINT64_C(1) << 63,
                                             .sve_other_is_load = edition == SL_SPE_EDITION_PERF_6_1,
                                             .ops = &ops,
                                             .user = &consumer};
    struct spe_stream *stream = spe_stream_new(&config);
    bool ok = true;

    for (size_t i = 0; ok && i < input->n_buffers; i++) {
        const struct spe_buffer *b = &input->buffers[i];
        ok = spe_stream_add(stream, b->core, b->core, PERF_EXPORT_PID + b->core, b->bytes, b->len, b->base);
    }
    ok = ok && spe_stream_finish(stream);
    if (!ok)
        diag_say(diag, DIAG_ERROR, "too many cores");
    if (info) {
        spe_stream_counts(stream, &info->counts);
        for (size_t i = 0; i < input->n_buffers; i++)
            sl_spe_note_buffer(&info->counts, input->buffers[i].pmbsr);
        info->unknown = *spe_stream_unknown(stream);
    }
    spe_stream_free(stream);
    return ok;
}
