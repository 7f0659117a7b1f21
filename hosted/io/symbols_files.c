/* SPDX-License-Identifier: Apache-2.0 */
/* Where the symbols of an image are: itself, or a separate debug file at one of the usual places. */
#include <stdlib.h>
#include <string.h>

#include "symbols_internal.h"

#define MAX_ID 64u

/* What the places are made of. */
struct parts {
    const char *path;
    char *directory; /* without the last slash */
    const char *base;
    char id[2 * MAX_ID + 1];
    char link[256]; /* .gnu_debuglink, "" without */
    const char *home;
};

static bool is_set(const char *text)
{
    return text && *text;
}

static bool by_debuglink(const struct parts *parts, struct text *out)
{
    if (is_set(parts->link))
        text_printf(out, "%s/%s", parts->directory, parts->link);
    return is_set(parts->link);
}

static bool by_debuglink_hidden(const struct parts *parts, struct text *out)
{
    if (is_set(parts->link))
        text_printf(out, "%s/.debug/%s", parts->directory, parts->link);
    return is_set(parts->link);
}

static bool by_debuglink_global(const struct parts *parts, struct text *out)
{
    if (is_set(parts->link))
        text_printf(out, "/usr/lib/debug%s/%s", parts->directory, parts->link);
    return is_set(parts->link);
}

static bool in_cache(const struct parts *parts, struct text *out, const char *name)
{
    if (is_set(parts->id) && is_set(parts->home))
        text_printf(out, "%s/.debug/.build-id/%.2s/%s/%s", parts->home, parts->id, parts->id + 2, name);
    return out->len > 0;
}

static bool by_cache(const struct parts *parts, struct text *out)
{
    return in_cache(parts, out, "elf");
}

static bool by_cache_debug(const struct parts *parts, struct text *out)
{
    return in_cache(parts, out, "debug");
}

static bool by_fedora(const struct parts *parts, struct text *out)
{
    text_printf(out, "/usr/lib/debug%s.debug", parts->path);
    return parts->path[0] == '/';
}

static bool by_ubuntu(const struct parts *parts, struct text *out)
{
    text_printf(out, "/usr/lib/debug%s", parts->path);
    return parts->path[0] == '/';
}

static bool by_build_id(const struct parts *parts, struct text *out)
{
    if (is_set(parts->id))
        text_printf(out, "/usr/lib/debug/.build-id/%.2s/%s.debug", parts->id, parts->id + 2);
    return out->len > 0;
}

static bool by_itself(const struct parts *parts, struct text *out)
{
    text_printf(out, "%s", parts->path);
    return true;
}

static bool by_embedded(const struct parts *parts, struct text *out)
{
    text_printf(out, "%s/.debug/%s", parts->directory, parts->base);
    return true;
}

static bool by_mixed_up(const struct parts *parts, struct text *out)
{
    if (!strncmp(parts->path, "/usr/", 5))
        text_printf(out, "/usr/lib/debug%s", parts->path + 4);
    return out->len > 0;
}

/* In the order of perf, with its letters. */
static const struct {
    char origin;
    bool (*make)(const struct parts *parts, struct text *out);
} places[] = {
    {'l', by_debuglink},   {'l', by_debuglink_hidden}, {'l', by_debuglink_global}, {'B', by_cache},
    {'D', by_cache_debug}, {'f', by_fedora},           {'u', by_ubuntu},           {'b', by_build_id},
    {'d', by_itself},      {'o', by_embedded},         {'x', by_mixed_up},
};

static void read_link(struct parts *parts, const struct image *image)
{
    struct elf_section section;
    if (!image->is_open || !image_section(image, ".gnu_debuglink", 0, &section) || section.type == SHT_NOBITS ||
        !section.size)
        return;
    snprintf(parts->link, sizeof parts->link, "%.*s", (int)(section.size < 255 ? section.size : 255),
             (const char *)image->elf.data + section.offset);
}

static void make_parts(struct parts *parts, const struct symbols_request *request, const struct image *image)
{
    const char *slash = strrchr(request->path, '/');
    size_t id_bytes = request->build_id_bytes;
    const uint8_t *id = request->build_id;
    memset(parts, 0, sizeof *parts);
    parts->path = request->path;
    parts->base = slash ? slash + 1 : request->path;
    parts->directory = slash ? strndup(request->path, (size_t)(slash - request->path)) : strdup(".");
    parts->home = getenv("HOME");
    if (!id_bytes && image->is_open)
        id = image_build_id(image, &id_bytes);
    for (size_t i = 0; id && i < id_bytes && i < MAX_ID; i++)
        snprintf(parts->id + 2 * i, 3, "%02x", id[i]);
    read_link(parts, image);
}

static bool matches(const struct image *image, const struct symbols_request *request)
{
    size_t size;
    const uint8_t *id = image_build_id(image, &size);
    return !request->build_id_bytes || !id || (size == request->build_id_bytes && !memcmp(id, request->build_id, size));
}

static bool has_table(const struct image *image, const char *name, uint32_t type)
{
    struct elf_section section;
    return image_section(image, name, type, &section) && section.size > 0;
}

/* One place: its file may give the table, or the dynamic symbols, or both. */
static void try_place(struct symbols *symbols, const struct symbols_request *request, const char *path, char origin)
{
    struct image image;
    if (!image_open(&image, path))
        return;
    if (matches(&image, request)) {
        if (!symbols->table.is_open && has_table(&image, ".symtab", SHT_SYMTAB)) {
            symbols->table = image;
            symbols->origin = origin;
            /* A file with both serves as both. */
            return;
        }
        if (!symbols->runtime.is_open && has_table(&image, ".dynsym", SHT_DYNSYM)) {
            symbols->runtime = image;
            if (!symbols->table.is_open)
                symbols->origin = origin;
            return;
        }
    }
    image_close(&image);
}

static void try_places(struct symbols *symbols, const struct symbols_request *request)
{
    struct image itself;
    struct parts parts;
    bool open = image_open(&itself, request->path);
    make_parts(&parts, request, &itself);
    if (open)
        image_close(&itself);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct text path = {0};
        bool complete =
            symbols->table.is_open && (symbols->runtime.is_open || has_table(&symbols->table, ".dynsym", SHT_DYNSYM));
        if (complete)
            break;
        if ((!request->only_path || places[i].make == by_itself) && places[i].make(&parts, &path))
            try_place(symbols, request, path.data, places[i].origin);
        text_free(&path);
    }
    free(parts.directory);
}

struct symbols *symbols_load(const struct symbols_request *request)
{
    struct symbols *symbols = symbols_new();
    symbols->path = strdup(request->path);
    symbols->virtual_addresses = request->virtual_addresses;
    try_places(symbols, request);
    /* The file of the dynamic symbols alone is the table, too. */
    if (!symbols->table.is_open && symbols->runtime.is_open) {
        symbols->table = symbols->runtime;
        symbols->runtime.is_open = false;
    }
    /* perf tells where it looked even when there were no symbols. */
    if (!symbols->table.is_open)
        symbols->origin = '!';
    else
        (void)symbols_read(symbols, request->virtual_addresses);
    return symbols;
}
