/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and source lines of a recording's images. */
#include <stdlib.h>
#include <string.h>

#include "perf_internal.h"
#include "file.h"
#include "symbols.h"

static bool has_file(const struct perf_dso *dso)
{
    return dso->name[0] != '[' && !(strlen(dso->name) > 14 && !strncmp(dso->name, "/tmp/perf-", 10));
}

/* The running kernel's build id is in its notes. */
static bool is_running_kernel(const struct perf_dso *dso)
{
    struct diag silent = {.stream = NULL};
    struct file notes;
    bool found = false;
    if (!file_read(&notes, "/sys/kernel/notes", &silent))
        return false;
    for (size_t at = 0; at + dso->build_id_bytes <= notes.size && !found; at += 4)
        found = !memcmp(notes.data + at, dso->build_id, dso->build_id_bytes);
    file_free(&notes);
    return found;
}

/* perf's cache of what it found while recording. */
static struct symbols *load_cached_kernel(const struct perf_dso *dso)
{
    const char *home = getenv("HOME");
    struct symbols *symbols;
    struct text path = {0};
    text_printf(&path, "%s/.debug/[kernel.kallsyms]/", home ? home : "");
    for (unsigned i = 0; i < dso->build_id_bytes; i++)
        text_printf(&path, "%02x", dso->build_id[i]);
    text_printf(&path, "/kallsyms");
    symbols = symbols_load_kallsyms(path.data);
    text_free(&path);
    return symbols;
}

static struct symbols *load_vmlinux(struct perf_data *data, const struct perf_dso *dso)
{
    struct symbols_request request = {.path = data->options.vmlinux,
                                      .virtual_addresses = true,
                                      .only_path = true,
                                      .build_id = dso->build_id,
                                      .build_id_bytes = dso->build_id_bytes};
    const struct perf_machine *machine = &data->machine;
    struct symbols *symbols = symbols_load(&request);
    uint64_t reference;
    if (symbols_loaded(symbols))
        symbols_set_origin(symbols, 'v');
    /* A kernel is where its image says, unless its reference symbol was somewhere else when recording. */
    if (machine->kernel_reference && machine->kernel_reference_address &&
        symbols_value_of(symbols, machine->kernel_reference, &reference))
        symbols_shift(symbols, machine->kernel_reference_address - reference);
    return symbols;
}

/* Without a build id nothing tells which kernel it was: as perf, take the one that runs. */
static struct symbols *load_kernel(struct perf_data *data, const struct perf_dso *dso)
{
    if (data->options.vmlinux)
        return load_vmlinux(data, dso);
    if (!dso->build_id_bytes || is_running_kernel(dso))
        return symbols_load_kallsyms("/proc/kallsyms");
    return load_cached_kernel(dso);
}

static struct symbols *load(struct perf_data *data, const struct perf_dso *dso)
{
    struct symbols_request request = {
        .path = dso->name, .build_id = dso->build_id, .build_id_bytes = dso->build_id_bytes};
    if (dso->kernel)
        return load_kernel(data, dso);
    if (dso->no_symbols || !has_file(dso))
        return symbols_new();
    return symbols_load(&request);
}

static struct symbols *symbols_of(struct perf_data *data, struct perf_dso *dso)
{
    if (dso->symbols)
        return dso->symbols;
    dso->symbols = load(data, dso);
    if (dso->runtime_bytes)
        symbols_add(dso->symbols, 0, dso->runtime_bytes, dso->name);
    return dso->symbols;
}

const struct symbol *perf_data_symbol(struct perf_data *data, struct perf_dso *dso, uint64_t address)
{
    return symbols_find(symbols_of(data, dso), address);
}

const struct data_member *perf_data_member(struct perf_data *data, struct perf_dso *dso, const struct symbol *symbol,
                                           uint64_t address)
{
    return symbols_member(symbols_of(data, dso), symbol, address);
}

uint64_t perf_data_object_address(struct perf_data *data, struct perf_dso *dso, uint64_t address)
{
    return symbols_object_address(symbols_of(data, dso), address);
}

char perf_data_symbol_origin(struct perf_data *data, struct perf_dso *dso)
{
    return symbols_origin(symbols_of(data, dso));
}

void perf_symbols_free(struct perf_data *data)
{
    for (struct perf_dso_entry *entry = data->machine.all_dsos; entry; entry = entry->next_all)
        symbols_free(entry->dso.symbols);
}

bool perf_data_source_line(struct perf_data *data, struct perf_dso *dso, uint64_t address, const char **text)
{
    struct symbols *symbols = symbols_of(data, dso);
    struct source_place place;
    const char *slash;
    struct text line = {0};
    if (dso->name[0] == '[' && !dso->kernel)
        return false;
    if (!symbols_source(symbols, symbols_object_address(symbols, address), &place))
        return false;
    slash = strrchr(place.file, '/');
    text_printf(&line, "%s:%u", slash ? slash + 1 : place.file, place.line);
    *text = pool_text(&data->pool, line.data, line.len);
    text_free(&line);
    return true;
}
