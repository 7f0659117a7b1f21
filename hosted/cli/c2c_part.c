/* SPDX-License-Identifier: Apache-2.0 */
/* Partial tables in files. Numbers are 64 bits wide, little endian; texts have their length before them. */
#include "c2c_part.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char magic[8] = {'S', 'L', 'C', '2', 'P', 'A', 'R', '2'};

/* ---- strings -------------------------------------------------------------------------------------------------------
 */

static uint32_t hash_of(const char *data, size_t len)
{
    uint64_t hash = len;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)data[i]) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 32);
}

static void put_slot(struct c2c_strings *s, uint32_t number)
{
    uint32_t at = hash_of(s->items[number].data, s->items[number].len) & s->mask;
    while (s->slots[at])
        at = (at + 1) & s->mask;
    s->slots[at] = number + 1;
}

static void grow(struct c2c_strings *s)
{
    size_t size = s->slots ? 2 * ((size_t)s->mask + 1) : 256;
    free(s->slots);
    s->slots = (uint32_t *)calloc(size, sizeof *s->slots);
    if (!s->slots)
        abort();
    s->mask = (uint32_t)size - 1;
    for (uint32_t i = 0; i < s->n; i++)
        put_slot(s, i);
}

uint32_t c2c_strings_number(struct c2c_strings *s, const char *data, size_t len)
{
    if (!s->slots || 2 * s->n >= s->mask)
        grow(s);
    for (uint32_t at = hash_of(data, len) & s->mask; s->slots[at]; at = (at + 1) & s->mask) {
        const struct text *item = &s->items[s->slots[at] - 1];
        if (item->len == len && !memcmp(item->data, data, len))
            return s->slots[at] - 1;
    }
    s->items = (struct text *)array_grow(s->items, s->n, &s->capacity, sizeof *s->items);
    memset(&s->items[s->n], 0, sizeof *s->items);
    text_add(&s->items[s->n], data, len);
    put_slot(s, (uint32_t)s->n);
    return (uint32_t)s->n++;
}

static int compare_strings(const void *a, const void *b, void *context)
{
    const struct c2c_strings *s = (const struct c2c_strings *)context;
    const struct text *x = &s->items[*(const uint32_t *)a], *y = &s->items[*(const uint32_t *)b];
    int order = memcmp(x->data, y->data, x->len < y->len ? x->len : y->len);
    return order ? order : x->len < y->len ? -1 : x->len > y->len;
}

static uint32_t *sorted(struct c2c_strings *s)
{
    uint32_t *order = (uint32_t *)calloc(s->n + 1, sizeof *order);
    if (!order)
        abort();
    for (uint32_t i = 0; i < s->n; i++)
        order[i] = i;
    qsort_r(order, s->n, sizeof *order, compare_strings, s);
    return order;
}

void c2c_strings_rank(struct c2c_strings *s)
{
    uint32_t *order = sorted(s);
    free(s->rank);
    s->rank = (uint32_t *)calloc(s->n + 1, sizeof *s->rank);
    if (!s->rank)
        abort();
    for (uint32_t i = 0; i < s->n; i++)
        s->rank[order[i]] = i;
    free(order);
}

void c2c_strings_free(struct c2c_strings *s)
{
    for (size_t i = 0; i < s->n; i++)
        text_free(&s->items[i]);
    free(s->items);
    free(s->slots);
    free(s->rank);
    memset(s, 0, sizeof *s);
}

/* ---- numbers and texts in a string
 * ------------------------------------------------------------------------------------ */

static void put(struct text *out, uint64_t value)
{
    char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (char)(value >> 8 * i);
    text_add(out, bytes, 8);
}

/* NULL is another text than "". */
static void put_text(struct text *out, const char *text)
{
    put(out, text ? strlen(text) + 1 : 0);
    if (text)
        text_add(out, text, strlen(text) + 1);
}

struct input {
    const uint8_t *at, *end;
    bool bad;
};

static uint64_t get(struct input *in)
{
    uint64_t value;
    if (in->bad || in->end - in->at < 8) {
        in->bad = true;
        return 0;
    }
    value = sl_get_u64le(in->at);
    in->at += 8;
    return value;
}

static const uint8_t *get_bytes(struct input *in, uint64_t len)
{
    const uint8_t *bytes = in->at;
    if (in->bad || len > (uint64_t)(in->end - in->at)) {
        in->bad = true;
        return in->end;
    }
    in->at += len;
    return bytes;
}

static const char *get_text(struct input *in)
{
    uint64_t len = get(in);
    const uint8_t *bytes;
    if (in->bad || len == 0)
        return NULL;
    bytes = get_bytes(in, len);
    if (in->bad || bytes[len - 1] != 0) {
        in->bad = true;
        return NULL;
    }
    return (const char *)bytes;
}

/* ---- sites and threads
 * --------------------------------------------------------------------------------------------------- */

/* Path NULL: no member. */
static void put_member(struct text *out, const struct data_member *m)
{
    put_text(out, m ? m->path : NULL);
    put_text(out, m ? m->type : NULL);
    put(out, m ? m->offset : 0);
    put(out, m ? m->bytes : 0);
    put(out, m ? m->into : 0);
    put(out, m ? (uint64_t)m->is_choice | (uint64_t)m->is_padding << 1 | (uint64_t)m->is_bit_field << 2 : 0);
}

/* The pool's; NULL: none. */
static const struct data_member *get_member(struct input *in, struct pool *pool)
{
    struct data_member m, *kept;
    uint64_t marks;
    m.path = get_text(in);
    m.type = get_text(in);
    m.offset = get(in);
    m.bytes = get(in);
    m.into = get(in);
    marks = get(in);
    if (in->bad || !m.path || !m.type)
        return NULL;
    m.is_choice = marks & 1u;
    m.is_padding = marks >> 1 & 1u;
    m.is_bit_field = marks >> 2 & 1u;
    kept = (struct data_member *)pool_take(pool, sizeof *kept);
    *kept = m;
    return kept;
}

uint32_t c2c_part_site(struct c2c_part *part, const struct c2c_site *site)
{
    struct text out = {NULL, 0, 0};
    uint32_t number;

    put_text(&out, site->symbol);
    put_text(&out, site->image);
    put_text(&out, site->image_path);
    put_text(&out, site->source);
    put_text(&out, site->data_symbol);
    put(&out, site->symbol_is_object);
    put(&out, site->symbol_start);
    put(&out, site->address);
    put(&out, site->shown_address);
    put(&out, (unsigned char)site->level);
    put(&out, (unsigned char)site->origin);
    put(&out, site->data_symbol_offset);
    put_member(&out, site->member);
    number = c2c_strings_number(&part->sites, out.data, out.len);
    text_free(&out);
    return number;
}

uint32_t c2c_part_thread(struct c2c_part *part, const struct c2c_site *site)
{
    struct text out = {NULL, 0, 0};
    uint32_t number;

    put(&out, (uint32_t)site->pid);
    put(&out, (uint32_t)site->tid);
    put_text(&out, site->comm);
    number = c2c_strings_number(&part->threads, out.data, out.len);
    text_free(&out);
    return number;
}

void c2c_part_event(struct c2c_part *part, uint32_t position, const char *name)
{
    struct text out = {NULL, 0, 0};

    text_printf(&out, "%04u%s", position % 10000, name);
    (void)c2c_strings_number(&part->events, out.data, out.len);
    text_free(&out);
}

static void name_site(void *context, const struct sl_c2c_line *line, const struct sl_c2c_entry *entry, bool with_source,
                      struct c2c_site *site)
{
    struct c2c_part *part = (struct c2c_part *)context;
    const struct text *text = &part->sites.items[entry->code], *thread = &part->threads.items[entry->thread];
    struct input in = {(const uint8_t *)text->data, (const uint8_t *)text->data + text->len, false};

    (void)line;
    site->symbol = get_text(&in);
    site->image = get_text(&in);
    site->image_path = get_text(&in);
    site->source = get_text(&in);
    site->data_symbol = get_text(&in);
    site->symbol_is_object = get(&in) != 0;
    site->symbol_start = get(&in);
    site->address = get(&in);
    site->shown_address = get(&in);
    site->level = (char)get(&in);
    site->origin = (char)get(&in);
    site->data_symbol_offset = get(&in);
    site->member = get_member(&in, &part->pool);
    if (!with_source)
        site->source = NULL;
    in = (struct input){(const uint8_t *)thread->data, (const uint8_t *)thread->data + thread->len, false};
    site->pid = (int32_t)get(&in);
    site->tid = (int32_t)get(&in);
    site->comm = get_text(&in);
    if (!site->comm)
        site->comm = "";
    site->comm_len = (uint32_t)strlen(site->comm);
    site->thread = entry->thread;
}

void c2c_part_names(struct c2c_part *part, struct c2c_names *names)
{
    c2c_strings_rank(&part->images);
    *names = (struct c2c_names){.context = part, .site = name_site, .image_rank = part->images.rank};
}

/* ---- the file
 * ------------------------------------------------------------------------------------------------------------ */

static void put_strings(struct text *out, struct c2c_strings *s)
{
    uint32_t *order = sorted(s);
    put(out, s->n);
    for (size_t i = 0; i < s->n; i++) {
        put(out, s->items[order[i]].len);
        text_add(out, s->items[order[i]].data, s->items[order[i]].len);
    }
    free(order);
}

static bool get_strings(struct input *in, struct c2c_strings *s)
{
    uint64_t n = get(in);
    for (uint64_t i = 0; i < n && !in->bad; i++) {
        uint64_t len = get(in);
        const uint8_t *bytes = get_bytes(in, len);
        /* Twice the same would shift all numbers behind it. */
        if (in->bad || c2c_strings_number(s, (const char *)bytes, len) != i)
            in->bad = true;
    }
    return !in->bad;
}

static bool append(void *context, const uint8_t *data, size_t len)
{
    text_add((struct text *)context, (const char *)data, len);
    return true;
}

bool c2c_part_write(struct c2c_part *part, const struct sl_c2c *table, FILE *out)
{
    struct sl_c2c_renumber renumber;
    struct text head = {NULL, 0, 0}, blob = {NULL, 0, 0};
    uint32_t *order = (uint32_t *)calloc((size_t)table->lines_top + table->entries_top + 1, sizeof *order);
    uint64_t loss[sizeof part->loss / 8];
    bool good;

    c2c_strings_rank(&part->images);
    c2c_strings_rank(&part->threads);
    c2c_strings_rank(&part->sites);
    renumber = (struct sl_c2c_renumber){part->threads.rank,        part->sites.rank,        part->images.rank,
                                        (uint32_t)part->threads.n, (uint32_t)part->sites.n, (uint32_t)part->images.n};
    text_add(&head, magic, sizeof magic);
    put(&head, part->n_cpus);
    put(&head, part->metric);
    put_text(&head, part->coalesce.data ? part->coalesce.data : "");
    put(&head, part->n_nodes);
    put(&head, part->nodes.len);
    if (part->nodes.len)
        text_add(&head, part->nodes.data, part->nodes.len);
    memcpy(loss, &part->loss, sizeof loss);
    for (size_t i = 0; i < sizeof loss / 8; i++)
        put(&head, loss[i]);
    put_strings(&head, &part->events);
    put_strings(&head, &part->images);
    put_strings(&head, &part->threads);
    put_strings(&head, &part->sites);
    good = order && sl_c2c_save(table, &renumber, order, append, &blob) == SL_OK;
    good = good && fwrite(head.data, 1, head.len, out) == head.len && fwrite(blob.data, 1, blob.len, out) == blob.len &&
           !fflush(out);
    text_free(&head);
    text_free(&blob);
    free(order);
    return good;
}

bool c2c_part_is(const char *file)
{
    char head[sizeof magic];
    FILE *in = fopen(file, "rb");
    bool same = in && fread(head, 1, sizeof head, in) == sizeof head && !memcmp(head, magic, sizeof magic);
    if (in)
        fclose(in);
    return same;
}

/* Every number of the table leads to a name. */
bool c2c_part_read(struct c2c_part *part, const struct file *file, const uint8_t **blob, size_t *len, struct diag *diag)
{
    struct input in = {file->data, file->data + file->size, false};
    const uint8_t *bytes = get_bytes(&in, sizeof magic), *nodes;
    uint64_t loss[sizeof part->loss / 8], n;
    const char *coalesce;

    memset(part, 0, sizeof *part);
    if (in.bad || memcmp(bytes, magic, sizeof magic))
        in.bad = true;
    part->n_cpus = (uint32_t)get(&in);
    part->metric = (uint32_t)get(&in);
    coalesce = get_text(&in);
    part->n_nodes = (uint32_t)get(&in);
    n = get(&in);
    nodes = get_bytes(&in, n);
    for (size_t i = 0; i < sizeof loss / 8; i++)
        loss[i] = get(&in);
    memcpy(&part->loss, loss, sizeof loss);
    if (in.bad || part->metric > SL_C2C_METRIC_PEER || !coalesce || !get_strings(&in, &part->events) ||
        !get_strings(&in, &part->images) || !get_strings(&in, &part->threads) || !get_strings(&in, &part->sites)) {
        diag_at_offset(diag, file->name, (unsigned long long)(in.at - file->data),
                       "no partial table of c2c fold, or a cut one");
        c2c_part_free(part);
        return false;
    }
    text_add(&part->coalesce, coalesce, strlen(coalesce));
    text_add(&part->nodes, (const char *)nodes, n);
    *blob = in.at;
    *len = (size_t)(in.end - in.at);
    return true;
}

void c2c_part_free(struct c2c_part *part)
{
    text_free(&part->coalesce);
    text_free(&part->nodes);
    c2c_strings_free(&part->events);
    c2c_strings_free(&part->images);
    c2c_strings_free(&part->threads);
    c2c_strings_free(&part->sites);
    pool_free(&part->pool);
}

/* ---- tables
 * ---------------------------------------------------------------------------------------------------------------- */

static uint32_t *identity(size_t n)
{
    uint32_t *numbers = (uint32_t *)calloc(n + 1, sizeof *numbers);
    if (!numbers)
        abort();
    for (uint32_t i = 0; i < n; i++)
        numbers[i] = i;
    return numbers;
}

struct sl_c2c_renumber c2c_part_identity(const struct c2c_part *part)
{
    return (struct sl_c2c_renumber){identity(part->threads.n), identity(part->sites.n), identity(part->images.n),
                                    (uint32_t)part->threads.n, (uint32_t)part->sites.n, (uint32_t)part->images.n};
}

void c2c_renumber_free(struct sl_c2c_renumber *renumber)
{
    free((void *)(uintptr_t)renumber->thread);
    free((void *)(uintptr_t)renumber->code);
    free((void *)(uintptr_t)renumber->image);
}

bool c2c_part_table(const struct file *file, const uint8_t *blob, size_t len, uint32_t lines, uint32_t entries,
                    struct sl_c2c *table, void **memory, size_t *bytes, struct diag *diag)
{
    struct sl_c2c_config config;

    if (sl_c2c_peek(blob, len, &config) != SL_OK) {
        diag_at_offset(diag, file->name, (unsigned long long)(blob - file->data), "no table");
        return false;
    }
    config.max_lines = lines ? lines : 1;
    config.max_entries = entries ? entries : 1;
    *bytes = sl_c2c_need(&config);
    *memory = *bytes == SIZE_MAX
                  ? MAP_FAILED
                  : mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (*memory == MAP_FAILED) {
        *memory = NULL;
        diag_at_offset(diag, file->name, (unsigned long long)(blob - file->data), "no memory for a table of this size");
        return false;
    }
    return sl_c2c_init(table, &config, *memory, *bytes) == SL_OK;
}

bool c2c_part_merge(struct sl_c2c *table, const struct file *file, const uint8_t *blob, size_t len,
                    const struct sl_c2c_renumber *renumber, struct diag *diag)
{
    enum sl_status status = sl_c2c_merge(table, renumber, blob, len);
    if (status == SL_OK)
        return true;
    diag_at_offset(diag, file->name, (unsigned long long)(blob - file->data) + table->error_offset, "%s",
                   status == SL_E_ARGUMENT ? "made with other options than the first" : sl_status_text(status));
    return false;
}

void c2c_part_put_nodes(struct c2c_part *part, const struct c2c_node *nodes, uint32_t n, uint32_t words)
{
    part->n_nodes = n;
    for (uint32_t i = 0; i < n; i++) {
        put(&part->nodes, nodes[i].id);
        for (uint32_t k = 0; k < words; k++)
            put(&part->nodes, nodes[i].cpus[k]);
    }
}

bool c2c_part_nodes(const struct c2c_part *part, uint32_t words, struct pool *pool, struct c2c_node **nodes)
{
    struct input in = {(const uint8_t *)part->nodes.data, (const uint8_t *)part->nodes.data + part->nodes.len, false};

    if (part->nodes.len != (uint64_t)part->n_nodes * (words + 1) * 8)
        return false;
    *nodes = (struct c2c_node *)pool_take(pool, (part->n_nodes + 1) * sizeof **nodes);
    for (uint32_t i = 0; i < part->n_nodes; i++) {
        uint32_t *cpus = (uint32_t *)pool_take(pool, (words + 1) * sizeof *cpus);
        (*nodes)[i].id = (uint32_t)get(&in);
        (*nodes)[i].cpus = cpus;
        for (uint32_t k = 0; k < words; k++)
            cpus[k] = (uint32_t)get(&in);
    }
    return !in.bad;
}
