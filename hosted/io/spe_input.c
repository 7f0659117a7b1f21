/* SPDX-License-Identifier: Apache-2.0 */
/* SPE buffers of a board: those of a capture dump, or bare files of SPE bytes. */
#include "spe_input.h"

#include <stdlib.h>
#include <string.h>

#include <slotledger/capture.h>

static struct spe_buffer *new_buffer(struct spe_input *input)
{
    struct spe_buffer *buffer;

    input->buffers = array_grow(input->buffers, input->n_buffers, &input->capacity, sizeof *input->buffers);
    buffer = &input->buffers[input->n_buffers++];
    memset(buffer, 0, sizeof *buffer);
    return buffer;
}

bool spe_input_is_capture(const uint8_t *data, size_t size)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;

    sl_capture_reader_init(&reader, data, size);
    while (sl_capture_next(&reader, &item)) {
        if (item.kind == SL_ITEM_RECORD)
            return true;
    }
    return false;
}

/* The buffer that the piece goes on with, or NULL. Pieces of one drain follow each other; those of other cores may lie
 * between them. */
static struct spe_buffer *continued(struct spe_input *input, size_t first, const struct sl_capture_item *item,
                                    const struct sl_capture_spe *spe)
{
    for (size_t i = input->n_buffers; i-- > first;) {
        struct spe_buffer *b = &input->buffers[i];
        if (b->core == item->header.core && b->session == item->header.session)
            return b->drain == spe->drain && b->offset + b->len == spe->offset ? b : NULL;
    }
    return NULL;
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

static bool take_piece(struct spe_input *input, size_t first, const struct file *file,
                       const struct sl_capture_item *item, struct diag *diag)
{
    struct sl_capture_spe spe;
    uint32_t len;
    const uint8_t *bytes;
    struct spe_buffer *b;

    if (sl_capture_get(item, &spe, sizeof spe)) {
        diag_at_offset(diag, file->name, item->offset, "an SPE record of a layout that is not known");
        return false;
    }
    bytes = sl_capture_tail(item, &len);
    take_registers(input, &spe);
    b = continued(input, first, item, &spe);
    if (b && len) {
        if (!b->joined.data)
            text_add(&b->joined, (const char *)b->bytes, b->len);
        text_add(&b->joined, (const char *)bytes, len);
        b->bytes = (const uint8_t *)b->joined.data;
        b->len = b->joined.len;
    } else if (!b) {
        b = new_buffer(input);
        *b = (struct spe_buffer){.bytes = bytes,
                                 .len = len,
                                 .core = item->header.core,
                                 .base = spe.base + spe.offset,
                                 .has_gaps = spe.offset != 0,
                                 .session = item->header.session,
                                 .drain = spe.drain,
                                 .offset = spe.offset};
    }
    b->stop = spe.stop;
    b->pmbsr = spe.pmbsr;
    return true;
}

static bool read_capture(struct spe_input *input, const struct file *file, struct diag *diag)
{
    struct sl_capture_reader reader;
    struct sl_capture_item item;
    size_t first = input->n_buffers;
    bool ok = true;

    sl_capture_reader_init(&reader, file->data, file->size);
    while (sl_capture_next(&reader, &item)) {
        if (item.kind == SL_ITEM_RECORD) {
            if (item.header.type == SL_CAPTURE_SPE)
                ok &= take_piece(input, first, file, &item, diag);
            else if (item.header.type == SL_CAPTURE_END)
                input->lost_records += item.header.lost;
        } else if (item.kind != SL_ITEM_UNUSED) {
            input->damaged_records++;
        }
    }
    if (ok && input->n_buffers == first)
        diag_at_offset(diag, file->name, file->size, "the dump has no SPE record");
    return ok && input->n_buffers > first;
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
