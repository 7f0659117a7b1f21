/* SPDX-License-Identifier: Apache-2.0 */
/* slotledger c2c fold and c2c merge: recordings larger than a machine, as map and reduce. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "c2c.h"
#include "c2c_collect.h"
#include "c2c_options.h"
#include "c2c_part.h"
#include "c2c_recording.h"

#define EXIT_FAILED   255
#define EXIT_INVALID  234
#define AT(member)    offsetof(struct fold_options, member)
#define BOARD(member) offsetof(struct fold_options, report.member)

struct fold_options {
    struct c2c_options report;
    const char *output;
};

static const struct c2c_option fold_options[] = {
    {'o', "output", C2C_OPTION_TEXT, AT(output), "<file>", "the partial table (default: standard output)", NULL,
     C2C_OPTION_PERF},
    {'i', "input", C2C_OPTION_TEXT, AT(report.input), "<file>", "the recording", NULL, C2C_OPTION_PERF},
    {'k', "vmlinux", C2C_OPTION_TEXT, AT(report.vmlinux), "<file>", "vmlinux pathname", NULL, C2C_OPTION_PERF},
    {'d', "display", C2C_OPTION_TEXT, AT(report.display), "<type>", "tot,lcl,rmt,peer", NULL, C2C_OPTION_PERF},
    {'c', "coalesce", C2C_OPTION_TEXT, AT(report.coalesce), "<fields>", "coalesce fields: pid,tid,iaddr,dso", NULL,
     C2C_OPTION_PERF},
    {'f', "force", C2C_OPTION_FLAG, AT(report.force), NULL, "don't complain, do it", NULL, C2C_OPTION_PERF},
    {0, "line-size", C2C_OPTION_NUMBER, AT(report.line_size), "<bytes>", "lines of this size (default 64)", NULL,
     C2C_OPTION_PERF},
    {0, "no-source", C2C_OPTION_FLAG, AT(report.no_source), NULL, "no source lines", NULL, C2C_OPTION_PERF},
    C2C_BOARD_OPTIONS(BOARD),
};
static const struct c2c_command fold_command = {"slotledger c2c fold", fold_options,
                                                sizeof fold_options / sizeof fold_options[0]};
static const struct c2c_command merge_command = {"slotledger c2c merge -o FILE PART...", fold_options, 1};

static bool write_part(struct c2c_part *part, const struct sl_c2c *table, const char *output, struct diag *diag)
{
    FILE *out = output ? fopen(output, "wb") : stdout;
    bool good = out && c2c_part_write(part, table, out);
    if (out && output)
        good = !fclose(out) && good;
    if (!good)
        diag_say(diag, DIAG_ERROR, "%s: %s", output ? output : "standard output", strerror(errno));
    return good;
}

/* ---- fold
 * -------------------------------------------------------------------------------------------------------------- */

/* Numbers that lead back to the recording become numbers of names. */
static void name_entries(struct c2c_collect *c, const struct c2c_names *names, bool with_source, struct c2c_part *part)
{
    struct sl_c2c_line *line;
    uint32_t cursor = 0;

    while ((line = sl_c2c_next_line(&c->table, &cursor)) != NULL) {
        for (uint32_t at = line->first_entry; at != SL_C2C_NONE; at = sl_c2c_entry_at(&c->table, at)->next) {
            struct sl_c2c_entry *e = sl_c2c_entry_at(&c->table, at);
            struct c2c_site site;
            memset(&site, 0, sizeof site);
            names->site(names->context, line, e, with_source, &site);
            e->code = c2c_part_site(part, &site);
            e->thread = c2c_part_thread(part, &site);
            if (e->image != SL_C2C_NO_IMAGE)
                e->image = c2c_strings_number(&part->images, c->images[e->image], strlen(c->images[e->image]));
        }
    }
}

static int fold_data(struct perf_data *data, const struct fold_options *o, struct diag *diag)
{
    const struct perf_info *info = perf_data_info(data);
    struct c2c_collect_config config = {.mergeable = true, .node_counts = true, .with_members = true};
    struct c2c_collect collect;
    struct c2c_names names;
    struct c2c_part part;
    struct c2c_view view;
    struct pool pool = {NULL, 0};
    int status = c2c_options_view(&o->report, c2c_is_arm64(info), &view, config.keys, diag);

    if (!status && !c2c_check_nodes(data, info, diag))
        status = EXIT_INVALID;
    if (status)
        return status;
    memset(&part, 0, sizeof part);
    config.metric = view.metric;
    config.line_bytes = o->report.line_size ? o->report.line_size : 64;
    if (!c2c_collect_open(&collect, data, &config, diag))
        status = EXIT_FAILED;
    else
        status = c2c_collect_run(&collect);
    if (!status) {
        c2c_collect_names(&collect, &names);
        part.n_cpus = info->n_cpus_available;
        part.metric = (uint32_t)view.metric;
        text_add(&part.coalesce, view.coalesce, strlen(view.coalesce));
        c2c_part_put_nodes(&part, c2c_make_nodes(info, &collect.table, &pool), info->n_numa, collect.table.cpu_words);
        c2c_take_losses(perf_data_losses(data), &part.loss);
        for (uint32_t i = 0; i < info->n_events; i++)
            c2c_part_event(&part, i, info->events[i].name);
        name_entries(&collect, &names, view.with_ip && !view.no_source, &part);
        status = write_part(&part, &collect.table, o->output, diag) ? 0 : EXIT_FAILED;
    }
    c2c_part_free(&part);
    c2c_collect_close(&collect);
    pool_free(&pool);
    return status;
}

static int fold_file(const struct fold_options *o, const char *name, struct diag *diag)
{
    const struct perf_data_options how = {.force = o->report.force || o->report.board.spe_raw,
                                          .newer_sources = o->report.board.newer_sources,
                                          .vmlinux = o->report.vmlinux};
    int status;
    struct perf_data *data = perf_data_open(name, &how, diag, &status);

    if (data) {
        status = fold_data(data, o, diag);
        perf_data_close(data);
    }
    return status;
}

int c2c_fold_main(int argc, char **argv)
{
    struct diag diag = {stderr, 0};
    struct fold_options o;
    struct spe_recording board = {NULL, ""};
    const char *input;
    int first, status;

    memset(&o, 0, sizeof o);
    status = c2c_parse(&fold_command, argc, argv, &o, &first, &diag);
    if (!status && first < argc) {
        c2c_usage(&fold_command, NULL, &diag);
        status = C2C_EXIT_USAGE;
    }
    if (status)
        return status;
    input = o.report.input ? o.report.input : "perf.data";
    if (c2c_board_is_input(&o.report.board, input)) {
        if (!c2c_board_record(&o.report.board, input, &board, &diag))
            return EXIT_FAILED;
        input = board.path;
    } else if (!c2c_is_readable(o.report.input, &diag)) {
        return EXIT_FAILED;
    }
    status = fold_file(&o, input, &diag);
    spe_recording_close(&board);
    return status;
}

/* ---- merge
 * -------------------------------------------------------------------------------------------------------------- */

struct loaded {
    struct file file;
    struct c2c_part part;
    const uint8_t *blob;
    size_t len;
    bool is_open;
};

/* Number of each string in the whole, by its number in the part. */
static uint32_t *renumber(struct c2c_strings *whole, const struct c2c_strings *part)
{
    uint32_t *numbers = (uint32_t *)calloc(part->n + 1, sizeof *numbers);
    if (!numbers)
        abort();
    for (size_t i = 0; i < part->n; i++)
        numbers[i] = c2c_strings_number(whole, part->items[i].data, part->items[i].len);
    return numbers;
}

static bool same_text(const struct text *a, const struct text *b)
{
    return a->len == b->len && (!a->len || !memcmp(a->data, b->data, a->len));
}

static void add_losses(struct c2c_loss *sum, const struct c2c_loss *loss)
{
    uint64_t a[sizeof *sum / 8], b[sizeof *sum / 8];
    memcpy(a, sum, sizeof a);
    memcpy(b, loss, sizeof b);
    for (size_t i = 0; i < sizeof a / 8; i++)
        a[i] += b[i];
    memcpy(sum, a, sizeof a);
}

/* Adds one part to the whole. */
static bool add_part(struct c2c_part *whole, struct sl_c2c *table, const struct loaded *l, struct diag *diag)
{
    const struct c2c_part *p = &l->part;
    struct sl_c2c_renumber numbers;
    bool good;

    if (p->n_cpus != whole->n_cpus || p->metric != whole->metric || !same_text(&p->coalesce, &whole->coalesce) ||
        p->n_nodes != whole->n_nodes || !same_text(&p->nodes, &whole->nodes)) {
        diag_at_offset(diag, l->file.name, 0, "of another machine, or made with other options than the first");
        return false;
    }
    add_losses(&whole->loss, &p->loss);
    free(renumber(&whole->events, &p->events));
    numbers = (struct sl_c2c_renumber){renumber(&whole->threads, &p->threads),
                                       renumber(&whole->sites, &p->sites),
                                       renumber(&whole->images, &p->images),
                                       (uint32_t)p->threads.n,
                                       (uint32_t)p->sites.n,
                                       (uint32_t)p->images.n};
    good = c2c_part_merge(table, &l->file, l->blob, l->len, &numbers, diag);
    c2c_renumber_free(&numbers);
    return good;
}

static bool load(struct loaded *l, const char *name, uint64_t *lines, uint64_t *entries, struct diag *diag)
{
    struct sl_c2c_config config;

    if (!file_read(&l->file, name, diag))
        return false;
    if (!c2c_part_read(&l->part, &l->file, &l->blob, &l->len, diag)) {
        file_free(&l->file);
        return false;
    }
    l->is_open = true;
    if (sl_c2c_peek(l->blob, l->len, &config) != SL_OK || config.max_lines > l->len || config.max_entries > l->len) {
        diag_at_offset(diag, name, (unsigned long long)(l->blob - l->file.data), "no table");
        return false;
    }
    *lines += config.max_lines;
    *entries += config.max_entries;
    return true;
}

/* Numbers of strings depend on the order of the parts until they are written; what the engine keeps of first samples in
 * doubt goes by numbers. So the strings of all parts are numbered in the order of their bytes first. */
static void number_all(struct c2c_part *whole, struct loaded *parts, size_t n)
{
    struct c2c_strings *const of_whole[] = {&whole->threads, &whole->sites, &whole->images};
    for (size_t k = 0; k < 3; k++) {
        struct c2c_strings all, ordered;
        uint32_t *place;
        memset(&all, 0, sizeof all);
        memset(&ordered, 0, sizeof ordered);
        for (size_t i = 0; i < n; i++) {
            const struct c2c_strings *const own[] = {&parts[i].part.threads, &parts[i].part.sites,
                                                     &parts[i].part.images};
            free(renumber(&all, own[k]));
        }
        c2c_strings_rank(&all);
        place = (uint32_t *)calloc(all.n + 1, sizeof *place);
        if (!place)
            abort();
        for (uint32_t i = 0; i < all.n; i++)
            place[all.rank[i]] = i;
        for (size_t i = 0; i < all.n; i++)
            (void)c2c_strings_number(&ordered, all.items[place[i]].data, all.items[place[i]].len);
        free(place);
        c2c_strings_free(&all);
        *of_whole[k] = ordered;
    }
}

static int merge_parts(struct loaded *parts, size_t n, uint64_t lines, uint64_t entries, const char *output,
                       struct diag *diag)
{
    struct c2c_part whole;
    struct sl_c2c table;
    void *memory = NULL;
    size_t bytes = 0;
    bool good;

    memset(&whole, 0, sizeof whole);
    whole.n_cpus = parts[0].part.n_cpus;
    whole.metric = parts[0].part.metric;
    whole.n_nodes = parts[0].part.n_nodes;
    text_add(&whole.coalesce, parts[0].part.coalesce.data, parts[0].part.coalesce.len);
    if (parts[0].part.nodes.len)
        text_add(&whole.nodes, parts[0].part.nodes.data, parts[0].part.nodes.len);
    number_all(&whole, parts, n);
    good = lines < SL_C2C_NONE / 4 && entries < SL_C2C_NONE / 4 &&
           c2c_part_table(&parts[0].file, parts[0].blob, parts[0].len, (uint32_t)lines, (uint32_t)entries, &table,
                          &memory, &bytes, diag);
    for (size_t i = 0; i < n && good; i++)
        good = add_part(&whole, &table, &parts[i], diag);
    good = good && write_part(&whole, &table, output, diag);
    if (memory)
        munmap(memory, bytes);
    c2c_part_free(&whole);
    return good ? 0 : EXIT_FAILED;
}

int c2c_merge_main(int argc, char **argv)
{
    struct diag diag = {stderr, 0};
    struct fold_options o;
    struct loaded *parts;
    uint64_t lines = 0, entries = 0;
    int first, status;
    size_t n;

    memset(&o, 0, sizeof o);
    status = c2c_parse(&merge_command, argc, argv, &o, &first, &diag);
    if (!status && first == argc) {
        c2c_usage(&merge_command, NULL, &diag);
        status = C2C_EXIT_USAGE;
    }
    if (status)
        return status;
    n = (size_t)(argc - first);
    parts = (struct loaded *)calloc(n, sizeof *parts);
    if (!parts)
        abort();
    for (size_t i = 0; i < n && !status; i++)
        status = load(&parts[i], argv[first + (int)i], &lines, &entries, &diag) ? 0 : EXIT_FAILED;
    if (!status)
        status = merge_parts(parts, n, lines, entries, o.output, &diag);
    for (size_t i = 0; i < n; i++) {
        if (parts[i].is_open) {
            c2c_part_free(&parts[i].part);
            file_free(&parts[i].file);
        }
    }
    free(parts);
    return status;
}
