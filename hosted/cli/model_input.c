/* SPDX-License-Identifier: Apache-2.0 */
/* A scheduling model by CPU name or from a file. */
#include "model_input.h"

#include <slotledger/model_blob.h>

#include <stdlib.h>
#include <string.h>

#include "target.h"

bool model_input(struct model *model, const char *name, bool strict, struct diag *diag)
{
    const struct sl_cpu *cpu = model_find_cpu(name);
    struct file file;
    bool ok;
    if (cpu) {
        model_of_cpu(model, cpu);
        return true;
    }
    if (!strpbrk(name, "./") && strcmp(name, "-") != 0) {
        diag_raw_error(diag, "slotledger: '%s' is no built-in CPU, and for a file's name a '.' or '/' is missing\n", name);
        return false;
    }
    if (!file_read(&file, name, diag))
        return false;
    ok = model_load(model, file.name, (const char *)file.data, file.size, strict, diag);
    file_free(&file);
    return ok;
}

/* The instruction set whose tables the blob was made for. */
static bool open_blob(struct model_file *m, const struct file *file, struct diag *diag)
{
    static const char *const isas[] = { "aarch64", "x86_64", "riscv64", "riscv32", "thumbm", "arm", "thumb" };
    enum sl_status status = SL_E_UNSUPPORTED;
    m->memory = malloc(file->size);
    if (!m->memory)
        out_of_memory();
    memcpy(m->memory, file->data, file->size);
    for (size_t i = 0; i < sizeof isas / sizeof isas[0] && status == SL_E_UNSUPPORTED; i++)
        status = sl_model_blob_open(&m->blob_cpu, model_find_isa(isas[i]), m->memory, file->size);
    if (status) {
        diag_at_offset(diag, file->name, 0, "this model blob cannot be used: %s",
                       status == SL_E_UNSUPPORTED ? "it was made by another version" : sl_status_text(status));
        return false;
    }
    m->cpu = &m->blob_cpu;
    return true;
}

static bool open_yaml(struct model_file *m, const struct file *file, struct diag *diag)
{
    struct model model;
    const char *what;
    bool ok;
    if (!model_load(&model, file->name, (const char *)file->data, file->size, false, diag))
        return false;
    ok = model_build(&m->tables, &model, &what);
    if (!ok)
        model_error(diag, file->name, 1, "the model has too many %s", what);
    m->base = model.base ? pool_text(&m->tables.pool, model.base, strlen(model.base)) : NULL;
    m->base = m->base && strchr(m->base, '/') ? strchr(m->base, '/') + 1 : m->base;
    m->notes = m->tables.notes;
    for (unsigned c = 0; ok && c < m->tables.cpu.n_classes; c++) {
        const char *source = m->tables.notes[c].source;
        m->tables.notes[c].source = source ? pool_text(&m->tables.pool, source, strlen(source)) : NULL;
    }
    model_free(&model);
    m->cpu = ok ? &m->tables.cpu : NULL;
    return ok;
}

static bool read_model(struct model_file *m, const char *name, struct diag *diag)
{
    struct file file;
    bool ok;
    if (m->cpu)
        return true;
    if (!file_read(&file, name, diag))
        return false;
    if (file.size >= 4 && !memcmp(file.data, "SLMB", 4))
        ok = open_blob(m, &file, diag);
    else
        ok = open_yaml(m, &file, diag);
    file_free(&file);
    return ok;
}

const struct sl_isa *model_file_isa(struct model_file *file, const char *name, struct diag *diag)
{
    return read_model(file, name, diag) ? file->cpu->isa : NULL;
}

const struct sl_cpu *model_file_cpu(struct model_file *file, const char *name, const struct sl_isa *isa, struct diag *diag)
{
    if (!read_model(file, name, diag))
        return NULL;
    if (file->cpu->isa != isa && !(target_is_arm(isa) && target_is_arm(file->cpu->isa) &&
                                   (isa == &sl_isa_thumbm) == (file->cpu->isa == &sl_isa_thumbm))) {
        diag_raw_error(diag, "slotledger: %s: a model of %s, but the code is %s\n", name, file->cpu->isa->name, isa->name);
        return NULL;
    }
    return file->cpu;
}

void model_file_free(struct model_file *file)
{
    model_tables_free(&file->tables);
    free(file->memory);
    memset(file, 0, sizeof *file);
}
