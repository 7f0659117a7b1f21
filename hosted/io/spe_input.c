/* SPDX-License-Identifier: Apache-2.0 */
/* SPE buffers of a board: those of a capture dump, or bare files of SPE bytes. */
#include "spe_input.h"

#include <stdlib.h>
#include <string.h>

#include "capture_file.h"

static struct spe_buffer *new_buffer(struct spe_input *input)
{
    struct spe_buffer *buffer;

    input->buffers = array_grow(input->buffers, input->n_buffers, &input->capacity, sizeof *input->buffers);
    buffer = &input->buffers[input->n_buffers++];
    memset(buffer, 0, sizeof *buffer);
    return buffer;
}

static void take_registers(struct spe_input *input, const struct sl_capture_spe *spe)
{
    if (input->midr == 0) {
        input->midr = spe->midr;
        input->hz = spe->clock_hz;
        input->pmscr = spe->pmscr;
        input->pmsfcr = spe->pmsfcr;
        input->pmsevfr = spe->pmsevfr;
        input->pmsnevfr = spe->pmsnevfr;
        input->pmslatfr = spe->pmslatfr;
        input->pmsirr = spe->pmsirr;
    }
    /* Variant and revision do not matter for data sources. */
    if ((spe->midr ^ input->midr) & 0xff00fff0u)
        input->mixed_cores = true;
}

/* One piece of a drain. Pieces of one stream are in the order of writing, so that it goes on with the last one or not.
 */
static void take_piece(struct spe_input *input, const struct capture *capture, size_t index)
{
    const struct capture_spe *piece = &capture->spes[index], *before = index ? piece - 1 : NULL;
    struct spe_buffer *b = before ? &input->buffers[input->n_buffers - 1] : NULL;

    take_registers(input, &piece->spe);
    if (before && before->stream == piece->stream && before->spe.drain == piece->spe.drain &&
        before->spe.offset + before->len_bytes == piece->spe.offset) {
        if (!b->joined.data)
            text_add(&b->joined, (const char *)b->bytes, b->len);
        text_add(&b->joined, (const char *)piece->bytes, piece->len_bytes);
        b->bytes = (const uint8_t *)b->joined.data;
        b->len = b->joined.len;
    } else {
        b = new_buffer(input);
        *b = (struct spe_buffer){.bytes = piece->bytes,
                                 .len = piece->len_bytes,
                                 .core = capture->streams[piece->stream].core,
                                 .base = piece->spe.base + piece->spe.offset,
                                 .has_gap = piece->spe.offset != 0};
    }
    b->pmbsr = piece->spe.pmbsr;
}

static bool read_capture(struct spe_input *input, const struct file *file, struct diag *diag)
{
    struct capture capture;
    size_t n_losses = 0, n_spes;

    if (!capture_read(&capture, file->name, file->data, file->size)) {
        diag_at_offset(
            diag, file->name, 0,
            "no intact record of a capture (a console log: slotledger capture import; bare SPE bytes: --spe-raw)");
        capture_free(&capture);
        return false;
    }
    for (size_t i = 0; i < capture.n_spes; i++)
        take_piece(input, &capture, i);
    for (size_t i = 0; i < capture.n_problems; i++)
        n_losses += capture_problem_is_loss(capture.problems[i].kind);
    n_spes = capture.n_spes;
    capture_free(&capture);
    if (n_losses)
        diag_say(diag, DIAG_WARNING, "%s: %zu losses in the dump: slotledger capture info lists them", file->name,
                 n_losses);
    if (!n_spes)
        diag_at_offset(diag, file->name, file->size, "the dump has no SPE record");
    return n_spes > 0;
}

bool spe_input_read(struct spe_input *input, const char *name, bool is_raw, uint32_t core, uint64_t base,
                    struct diag *diag)
{
    struct file *file;
    struct spe_buffer *buffer;

    input->files = array_grow(input->files, input->n_files, &input->files_capacity, sizeof *input->files);
    file = &input->files[input->n_files];
    if (!file_read(file, name, diag))
        return false;
    input->n_files++;
    if (!is_raw)
        return read_capture(input, file, diag);
    buffer = new_buffer(input);
    *buffer = (struct spe_buffer){.bytes = file->data, .len = file->size, .core = core, .base = base};
    return true;
}

void spe_input_free(struct spe_input *input)
{
    for (size_t i = 0; i < input->n_buffers; i++)
        text_free(&input->buffers[i].joined);
    for (size_t i = 0; i < input->n_files; i++)
        file_free(&input->files[i]);
    free(input->buffers);
    free(input->files);
    pool_free(&input->pool);
    memset(input, 0, sizeof *input);
}
