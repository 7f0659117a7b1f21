/* SPDX-License-Identifier: Apache-2.0 */
/* From a recording to the table. */
#include "c2c_collect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../io/symbols.h"

#define MANY_ENTRIES (1u << 27)
#define MANY_LINES   (1u << 25)

/* The caller's part of an entry. */
struct extra {
    double means[SL_C2C_LATENCIES];
    struct c2c_chain *chain; /* only with chains */
};

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

/* Equal short names have equal numbers. */
static uint32_t image_number(struct c2c_collect *c, const struct perf_dso *dso)
{
    uint32_t i = 0;
    while (c->n_dsos <= dso->index) {
        c->image_of_dso =
            (uint32_t *)array_grow(c->image_of_dso, c->n_dsos, &c->dsos_capacity, sizeof *c->image_of_dso);
        c->image_of_dso[c->n_dsos++] = 0;
    }
    if (c->image_of_dso[dso->index])
        return c->image_of_dso[dso->index] - 1;
    while (i < c->n_images && strcmp(c->images[i], dso->short_name))
        i++;
    if (i == c->n_images) {
        c->images = (const char **)array_grow((void *)c->images, c->n_images, &c->images_capacity, sizeof *c->images);
        c->images[c->n_images++] = dso->short_name;
    }
    c->image_of_dso[dso->index] = i + 1;
    return i;
}

static uint32_t thread_number(struct c2c_collect *c, const struct perf_thread *thread)
{
    while (c->n_threads <= thread->index) {
        c->threads = (const struct perf_thread **)array_grow((void *)c->threads, c->n_threads, &c->threads_capacity,
                                                             sizeof *c->threads);
        c->threads[c->n_threads++] = NULL;
    }
    c->threads[thread->index] = thread;
    return thread->index;
}

/* ---- samples ---------------------------------------------------------------------------------------------------- */

static void add_chain(struct c2c_collect *c, const struct perf_sample *sample, struct extra *extra)
{
    if (!extra->chain)
        extra->chain = (struct c2c_chain *)pool_take(&c->pool, sizeof *extra->chain);
    extra->chain->period += sample->mem.period;
    c2c_chain_add(extra->chain, &c->pool, &c->chain, c->frames, c2c_make_frames(c, sample), sample->mem.period);
}

static void describe(struct c2c_collect *c, const struct perf_sample *sample, struct sl_c2c_place *place)
{
    const struct perf_map *data = sample->data_map;

    memset(place, 0, sizeof *place);
    place->data_address = sample->data_address;
    if (data) {
        place->flags = SL_C2C_DATA_MAPPED | (data->flags & MAP_SHARED ? SL_C2C_SHARED : 0) |
                       (sample->has_ip_map ? SL_C2C_BOTH_MAPPED : 0);
        place->major = data->dso->major;
        place->minor = data->dso->minor;
        place->inode = data->dso->inode;
        place->generation = data->dso->generation;
    }
    place->thread = thread_number(c, sample->thread);
    if (sample->ip_map != c->last_ip_map) {
        c->last_ip_map = sample->ip_map;
        c->last_ip_number = c2c_number_of(&c->maps, sample->ip_map);
    }
    place->code = c->last_ip_number;
    place->image = sample->ip_map ? image_number(c, sample->ip_map->dso) : SL_C2C_NO_IMAGE;
    place->memory_node = (uint32_t)sample->memory_node;
    place->cpu_node = (uint32_t)sample->numa_node;
}

static void warn(struct c2c_collect *c, const struct sl_mem_sample *mem, const struct sl_c2c_place *place)
{
    if (mem->cpu == SL_MEM_NO_CPU && !c->warned_cpu) {
        c->warned_cpu = true;
        if (c->warnings)
            fputs("WARNING: no sample cpu value", c->warnings);
    }
    if (mem->phys_address && place->memory_node == SL_C2C_NO_NODE && !c->warned_node) {
        c->warned_node = true;
        if (c->warnings)
            fputs("WARNING: failed to find node\n", c->warnings);
    }
}

uint32_t c2c_collect_index(const struct c2c_collect *c, const struct sl_c2c_line *line)
{
    return (uint32_t)((size_t)((const unsigned char *)line - c->table.lines) / c->table.line_stride);
}

static void keep_data_map(struct c2c_collect *c, const struct sl_c2c_line *line, const struct perf_map *map)
{
    size_t index = c2c_collect_index(c, line);
    while (c->n_line_maps <= index) {
        c->line_maps = (const struct perf_map **)array_grow((void *)c->line_maps, c->n_line_maps,
                                                            &c->line_maps_capacity, sizeof *c->line_maps);
        c->line_maps[c->n_line_maps++] = NULL;
    }
    c->line_maps[index] = map;
}

/* What perf keeps of an access beyond the engine's counts. */
static void add_extra(struct c2c_collect *c, const struct c2c_pending *p, const struct sl_c2c_added *added)
{
    struct extra *extra;

    if (!added->entry)
        return;
    if (added->line->n_entries == 1 && added->new_entry)
        keep_data_map(c, added->line, p->data_map);
    extra = (struct extra *)sl_c2c_entry_extra(&c->table, added->entry);
    if (added->latency != SL_C2C_LATENCY_NONE) {
        /* perf's running mean, rounding included. */
        double n = added->entry->latency_samples[added->latency], *mean = &extra->means[added->latency];
        *mean += ((double)p->mem.weight - *mean) / n;
    }
}

static void add_now(struct c2c_collect *c, const struct perf_sample *sample, const struct c2c_pending *p)
{
    struct sl_c2c_added added;

    if (c->wanted) {
        uint32_t line = sl_c2c_line_of(&c->table, &p->hint);
        if (line == SL_C2C_NONE || !sl_bit_test(c->wanted, line))
            return;
        added.line = sl_c2c_line_at(&c->table, line);
        sl_c2c_add_entry(&c->table, &p->mem, &p->place, &p->hint, &added);
    } else {
        sl_c2c_add_prepared(&c->table, &p->mem, &p->place, &p->hint, &added);
        if (c->marks.at)
            c2c_marks_note(&c->marks, p->record, c2c_collect_index(c, added.line));
    }
    add_extra(c, p, &added);
    if (c->with_chains && added.entry)
        add_chain(c, sample, (struct extra *)sl_c2c_entry_extra(&c->table, added.entry));
}

/* Samples wait in a ring while memory fetches what they will touch: the slots of the hash tables first, then the
 * records. */
static void start_sample(struct c2c_collect *c, const struct perf_sample *sample)
{
    struct c2c_pending *p = &c->ring[c->ring_in % C2C_RING];

    /* Most samples belong to lines that are not wanted, which some bits of their addresses tell. */
    if (c->wanted && !(c->wanted_places >> (sample->data_address >> c->place_shift & 63u) & 1u))
        return;
    c->ring_in++;
    describe(c, sample, &p->place);
    if (!c->wanted)
        warn(c, &sample->mem, &p->place);
    p->mem = sample->mem;
    p->mem.pid = (uint32_t)sample->thread->pid;
    p->mem.tid = (uint32_t)sample->thread->tid;
    p->data_map = sample->data_map;
    p->record = sample->record;
    if (sample->made_thread && !c->wanted)
        c2c_marks_keep(&c->marks, p->record);
    sl_c2c_prepare(&c->table, &p->mem, &p->place, &p->hint);
    if (c->wanted && !sl_bit_test(c->wanted_hashes, p->hint.line_hash & 0xffffu)) {
        c->ring_in--;
        return;
    }
    if (c->with_chains) {
        /* The chain does not outlive the next sample. */
        add_now(c, sample, p);
        c->ring_out = c->ring_in;
        return;
    }
    if (c->ring_in - c->ring_out >= C2C_RING / 2)
        sl_c2c_fetch(&c->table, &c->ring[(c->ring_in - C2C_RING / 2) % C2C_RING].hint);
    if (c->ring_in - c->ring_out == C2C_RING)
        add_now(c, NULL, &c->ring[c->ring_out++ % C2C_RING]);
}

#define HUGE_PAGE ((size_t)2 << 20)

/* Memory that costs nothing until it is touched; half as much where so much cannot be promised. Large pages, because
 * records are far apart: the table begins at one. */
static bool take_memory(struct c2c_collect *c, struct sl_c2c_config *config, bool bounded)
{
    for (;;) {
        size_t bytes = sl_c2c_need(config), skip;
        if (bytes > SIZE_MAX - HUGE_PAGE)
            return false;
        c->memory_bytes = bytes + HUGE_PAGE;
        c->memory =
            mmap(NULL, c->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (c->memory != MAP_FAILED) {
            (void)madvise(c->memory, c->memory_bytes, MADV_HUGEPAGE);
            skip = (size_t)(-(uintptr_t)c->memory & (HUGE_PAGE - 1));
            return sl_c2c_init(&c->table, config, (unsigned char *)c->memory + skip, bytes) == SL_OK;
        }
        c->memory = NULL;
        if (bounded || config->max_entries < 4096)
            return false;
        config->max_entries /= 2;
        config->max_lines = config->max_lines / 2 + 1;
    }
}

bool c2c_collect_open(struct c2c_collect *c, struct perf_data *data, const struct c2c_collect_config *config,
                      struct diag *diag)
{
    const struct perf_info *info = perf_data_info(data);
    struct sl_c2c_config table = {.line_bytes = config->line_bytes,
                                  .n_cpus = sl_min_u32(info->n_cpus_available ? info->n_cpus_available : 1, 1u << 16),
                                  .n_nodes = info->n_numa,
                                  .metric = (uint8_t)config->metric,
                                  .node_counts = config->node_counts,
                                  .mergeable = config->mergeable,
                                  .lines_only = config->lines_only,
                                  .entry_extra_bytes =
                                      config->with_chains ? sizeof(struct extra) : offsetof(struct extra, chain),
                                  .max_lines = config->max_lines ? config->max_lines : MANY_LINES,
                                  .max_entries = config->max_entries ? config->max_entries : MANY_ENTRIES};

    memset(c, 0, sizeof *c);
    if (table.line_bytes < 16 || table.line_bytes > 4096 || (table.line_bytes & (table.line_bytes - 1))) {
        diag_say(diag, DIAG_ERROR, "%u bytes are no size of a line: a power of two from 16 to 4096", table.line_bytes);
        return false;
    }
    memcpy(table.keys, config->keys, sizeof table.keys);
    c->data = data;
    c->with_chains = config->with_chains;
    c->with_members = config->with_members;
    c->chain = config->chain;
    c->warnings = diag->stream;
    if (config->lines_only)
        c2c_marks_open(&c->marks);
    c->frames = (struct c2c_frame *)pool_take(&c->pool, C2C_MAX_FRAMES * sizeof *c->frames);
    if (take_memory(c, &table, config->max_lines && config->max_entries))
        return true;
    diag_say(diag, DIAG_ERROR, "no memory for the table of lines");
    return false;
}

static int run(struct c2c_collect *c)
{
    struct perf_sample sample;
    enum perf_next next;

    while ((next = perf_data_next(c->data, &sample)) == PERF_NEXT_SAMPLE)
        start_sample(c, &sample);
    while (c->ring_out != c->ring_in)
        add_now(c, NULL, &c->ring[c->ring_out++ % C2C_RING]);
    return next == PERF_NEXT_END ? 0 : perf_data_status(c->data);
}

int c2c_collect_run(struct c2c_collect *c)
{
    return run(c);
}

/* Numbers of the first pass lead to threads and maps of the recording as it was opened then. */
static void forget_numbers(struct c2c_collect *c)
{
    free(c->maps.slots);
    c->maps.slots = NULL;
    c->maps.n = 0;
    c->last_ip_map = NULL;
    c->last_ip_number = 0;
    c->n_threads = c->n_dsos = c->n_images = c->n_line_maps = 0;
}

int c2c_collect_entries(struct c2c_collect *c, struct perf_data *again, const uint32_t *lines, uint32_t n)
{
    uint32_t *wanted = (uint32_t *)pool_take(&c->pool, SL_BIT_WORDS(c->table.lines_top + 1) * sizeof *wanted);

    c->place_shift = sl_msb64(c->table.config.line_bytes);
    c->wanted_places = 0;

    for (uint32_t i = 0; i < n; i++) {
        sl_bit_set(wanted, lines[i]);
        sl_bit_set(c->wanted_hashes, sl_c2c_line_at(&c->table, lines[i])->hash & 0xffffu);
        c->wanted_places |= (uint64_t)1 << (sl_c2c_line_at(&c->table, lines[i])->key.address >> c->place_shift & 63u);
    }
    /* A line that was evicted may have come back under another number. */
    if (c->marks.at && !c->table.losses.lines_evicted) {
        c->unwanted = c2c_marks_unwanted(&c->marks, lines, n);
        if (c->unwanted)
            perf_data_skip(again, c->unwanted, c->marks.n);
    }
    c2c_marks_close(&c->marks);
    c->wanted = wanted;
    c->data = again;
    forget_numbers(c);
    return run(c);
}

/* ---- names ---------------------------------------------------------------------------------------------------------
 */

static const char *source_text(struct c2c_collect *c, const struct perf_map *map, uint64_t address,
                               const struct symbol *symbol)
{
    struct text text = {NULL, 0, 0};
    const char *found;

    if (!map)
        return "??:0";
    if (perf_data_source_line(c->data, map->dso, address, &found))
        return found;
    if (symbol)
        text_printf(&text, "%s+%lld", symbol->name, (long long)(address - symbol->start));
    else
        text_printf(&text, "%s[%llx]", map->dso->short_name,
                    (unsigned long long)perf_data_object_address(c->data, map->dso, address));
    found = pool_text(&c->pool, text.data, text.len);
    text_free(&text);
    return found;
}

static void name_data(struct c2c_collect *c, const struct sl_c2c_line *line, const struct sl_c2c_entry *entry,
                      struct c2c_site *site)
{
    size_t index = c2c_collect_index(c, line);
    const struct perf_map *map = index < c->n_line_maps ? c->line_maps[index] : NULL;
    const struct symbol *symbol;
    uint64_t address = line->key.address + entry->shown_offset;

    if (!map || map->identity)
        return;
    symbol = perf_data_symbol(c->data, map->dso, address);
    if (symbol) {
        site->data_symbol = symbol->name;
        site->data_symbol_offset = address - symbol->start;
        site->member = c->with_members ? perf_data_member(c->data, map->dso, symbol, address) : NULL;
    }
}

static void name_site(void *context, const struct sl_c2c_line *line, const struct sl_c2c_entry *entry, bool with_source,
                      struct c2c_site *site)
{
    struct c2c_collect *c = (struct c2c_collect *)context;
    const struct perf_map *map = entry->code ? (const struct perf_map *)c->maps.items[entry->code] : NULL;
    const struct perf_thread *thread = c->threads[entry->thread];
    const struct symbol *symbol = NULL;

    site->address = site->shown_address = entry->ip;
    site->origin = '!';
    if (map) {
        site->address = perf_map_relative(map, entry->ip);
        site->shown_address = map->dso->kernel || map->dso->module ? entry->ip : site->address;
        site->image = map->dso->short_name;
        site->image_path = map->dso->name;
        symbol = perf_data_symbol(c->data, map->dso, site->address);
        site->origin = perf_data_symbol_origin(c->data, map->dso);
    }
    if (symbol) {
        site->symbol = symbol->name;
        site->symbol_start = symbol->start;
        site->symbol_is_object = symbol->is_object;
    }
    if (with_source)
        site->source = source_text(c, map, site->address, symbol);
    site->level = line->key.mode == SL_MEM_MODE_KERNEL ? 'k' : line->key.mode == SL_MEM_MODE_USER ? '.' : 'H';
    site->comm = thread->comm;
    site->comm_len = (uint32_t)strlen(thread->comm);
    site->pid = thread->pid;
    site->tid = thread->tid;
    site->thread = entry->thread;
    name_data(c, line, entry, site);
}

static const double *entry_means(void *context, const struct sl_c2c_entry *entry)
{
    const struct c2c_collect *c = (const struct c2c_collect *)context;
    return ((const struct extra *)sl_c2c_entry_extra(&c->table, entry))->means;
}

static const struct c2c_chain *entry_chain(void *context, const struct sl_c2c_entry *entry)
{
    const struct c2c_collect *c = (const struct c2c_collect *)context;
    return c->with_chains ? ((const struct extra *)sl_c2c_entry_extra(&c->table, entry))->chain : NULL;
}

static int compare_images(const void *a, const void *b, void *context)
{
    const struct c2c_collect *c = (const struct c2c_collect *)context;
    return strcmp(c->images[*(const uint32_t *)a], c->images[*(const uint32_t *)b]);
}

static void rank_images(struct c2c_collect *c)
{
    uint32_t *order = (uint32_t *)pool_take(&c->pool, (c->n_images + 1) * sizeof *order);
    c->image_rank = (uint32_t *)pool_take(&c->pool, (c->n_images + 1) * sizeof *c->image_rank);
    for (uint32_t i = 0; i < c->n_images; i++)
        order[i] = i;
    qsort_r(order, c->n_images, sizeof *order, compare_images, c);
    for (uint32_t i = 0; i < c->n_images; i++)
        c->image_rank[order[i]] = i;
}

void c2c_collect_names(struct c2c_collect *c, struct c2c_names *names)
{
    rank_images(c);
    *names = (struct c2c_names){
        .context = c, .site = name_site, .means = entry_means, .chain = entry_chain, .image_rank = c->image_rank};
}

void c2c_collect_close(struct c2c_collect *c)
{
    if (c->memory)
        munmap(c->memory, c->memory_bytes);
    c2c_marks_close(&c->marks);
    free(c->unwanted);
    free((void *)c->maps.items);
    free(c->maps.slots);
    free((void *)c->threads);
    free(c->image_of_dso);
    free((void *)c->images);
    free((void *)c->line_maps);
    pool_free(&c->pool);
}
