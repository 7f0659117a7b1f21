/* SPDX-License-Identifier: Apache-2.0 */
/* The function view of perf-c2c(1). */
#include "c2c_functions.h"

#include <stdlib.h>
#include <string.h>

#include "c2c_member.h"

static bool same_function(const struct c2c_site *a, const struct c2c_site *b)
{
    return a->symbol_start == b->symbol_start && !strcmp(a->image_path, b->image_path);
}

static struct c2c_reader *reader_of(struct c2c_functions *f, const struct c2c_site *site)
{
    for (size_t i = 0; i < f->n; i++) {
        if (same_function(f->readers[i].site, site))
            return &f->readers[i];
    }
    f->readers = (struct c2c_reader *)array_grow(f->readers, f->n, &f->capacity, sizeof *f->readers);
    memset(&f->readers[f->n], 0, sizeof *f->readers);
    f->readers[f->n].site = site;
    return &f->readers[f->n++];
}

static struct c2c_writer *writer_of(struct c2c_reader *r, const struct c2c_site *site)
{
    for (size_t i = 0; i < r->n_writers; i++) {
        if (same_function(r->writers[i].site, site))
            return &r->writers[i];
    }
    r->writers = (struct c2c_writer *)array_grow(r->writers, r->n_writers, &r->capacity, sizeof *r->writers);
    memset(&r->writers[r->n_writers], 0, sizeof *r->writers);
    r->writers[r->n_writers].site = site;
    return &r->writers[r->n_writers++];
}

/* Means of two sets of samples together. */
static void add_latencies(const struct c2c_report *report, struct c2c_reader *r, const struct sl_c2c_entry *entry)
{
    double means[SL_C2C_LATENCIES];

    c2c_entry_means(report, entry, means);
    for (unsigned i = 0; i < SL_C2C_LATENCIES; i++) {
        double n = r->samples[i] + entry->latency_samples[i];
        if (entry->latency_samples[i])
            r->means[i] = (r->samples[i] * r->means[i] + entry->latency_samples[i] * means[i]) / n;
        r->samples[i] = n;
    }
}

static bool counts(const struct c2c_row *row, enum sl_c2c_counter counter)
{
    return !row->hidden && row->site.symbol && row->site.image_path && row->entry->n[counter];
}

/* What the writers of a line store in it, for one of its readers. */
static void add_writers(struct c2c_reader *r, const struct c2c_line *line)
{
    for (uint32_t i = 0; i < line->n_rows; i++) {
        const struct c2c_row *row = &line->rows[i];
        struct c2c_writer *w;
        if (!counts(row, SL_C2C_STORE))
            continue;
        w = writer_of(r, &row->site);
        if (!w->n_lines || w->lines[w->n_lines - 1].line != line) {
            w->lines = (struct c2c_shared_line *)array_grow(w->lines, w->n_lines, &w->capacity, sizeof *w->lines);
            w->lines[w->n_lines++] = (struct c2c_shared_line){line, 0};
        }
        w->lines[w->n_lines - 1].stores += row->entry->n[SL_C2C_STORE];
        w->stores += row->entry->n[SL_C2C_STORE];
        r->stores += row->entry->n[SL_C2C_STORE];
    }
}

static void add_line(const struct c2c_report *report, struct c2c_functions *f, const struct c2c_line *line)
{
    for (uint32_t i = 0; i < line->n_rows; i++) {
        const struct c2c_row *row = &line->rows[i];
        bool first = true;
        if (!counts(row, SL_C2C_LOAD))
            continue;
        add_latencies(report, reader_of(f, &row->site), row->entry);
        for (uint32_t k = 0; k < i && first; k++)
            first = !counts(&line->rows[k], SL_C2C_LOAD) || !same_function(&line->rows[k].site, &row->site);
        if (first)
            add_writers(reader_of(f, &row->site), line);
    }
}

/* ---- order
 * ------------------------------------------------------------------------------------------------------------ */

static int by_site(const struct c2c_site *a, const struct c2c_site *b)
{
    int order = a->symbol_start < b->symbol_start ? -1 : a->symbol_start > b->symbol_start;
    order = order ? order : strcmp(a->symbol, b->symbol);
    return order ? order : strcmp(a->image_path, b->image_path);
}

static int compare_lines(const void *a, const void *b)
{
    const struct c2c_shared_line *x = (const struct c2c_shared_line *)a, *y = (const struct c2c_shared_line *)b;
    if (x->stores != y->stores)
        return x->stores > y->stores ? -1 : 1;
    return x->line->index < y->line->index ? -1 : x->line->index > y->line->index;
}

static int compare_writers(const void *a, const void *b)
{
    const struct c2c_writer *x = (const struct c2c_writer *)a, *y = (const struct c2c_writer *)b;
    return x->stores != y->stores ? (x->stores > y->stores ? -1 : 1) : by_site(x->site, y->site);
}

static int compare_readers(const void *a, const void *b)
{
    const struct c2c_reader *x = (const struct c2c_reader *)a, *y = (const struct c2c_reader *)b;
    return x->cycles != y->cycles ? (x->cycles > y->cycles ? -1 : 1) : by_site(x->site, y->site);
}

static void free_reader(struct c2c_reader *r)
{
    for (size_t i = 0; i < r->n_writers; i++)
        free(r->writers[i].lines);
    free(r->writers);
}

static void finish(struct c2c_functions *f)
{
    size_t kept = 0;

    for (size_t i = 0; i < f->n; i++) {
        struct c2c_reader *r = &f->readers[i];
        double cycles = 0;
        if (!r->n_writers)
            continue;
        for (unsigned k = 0; k < SL_C2C_LATENCIES; k++)
            cycles += r->means[k] * r->samples[k];
        r->cycles = (uint64_t)cycles;
        f->cycles += r->cycles;
        for (size_t k = 0; k < r->n_writers; k++)
            qsort(r->writers[k].lines, r->writers[k].n_lines, sizeof *r->writers[k].lines, compare_lines);
        qsort(r->writers, r->n_writers, sizeof *r->writers, compare_writers);
        f->readers[kept++] = *r;
    }
    f->n = kept;
    if (kept)
        qsort(f->readers, kept, sizeof *f->readers, compare_readers);
    for (size_t i = 0; i < kept; i++)
        f->readers[i].percent = f->cycles ? 100. * (double)f->readers[i].cycles / (double)f->cycles : 0;
}

void c2c_functions_make(const struct c2c_report *report, struct c2c_functions *f)
{
    memset(f, 0, sizeof *f);
    for (uint32_t i = 0; i < report->n_lines; i++) {
        if (!report->lines[i].hidden)
            add_line(report, f, &report->lines[i]);
    }
    finish(f);
}

void c2c_functions_free(struct c2c_functions *f)
{
    for (size_t i = 0; i < f->n; i++)
        free_reader(&f->readers[i]);
    free(f->readers);
}

/* ---- text
 * --------------------------------------------------------------------------------------------------------------- */

static void function_row(const struct c2c_report *report, const struct c2c_site *site, int depth, FILE *out)
{
    fprintf(out, "%*s- ", 2 * depth, "");
    if (report->view.verbose)
        fprintf(out, "0x%llx ", (unsigned long long)site->address);
    fprintf(out, "[%c] %.*s\n", site->level, report->view.full_symbols ? 1 << 20 : 30, site->symbol);
}

/* Names of what a function loads or stores in a line, each once. */
static void members(const struct c2c_line *line, const struct c2c_site *site, enum sl_c2c_counter counter,
                    const char *before, FILE *out)
{
    struct text all = {NULL, 0, 0};

    for (uint32_t i = 0; i < line->n_rows; i++) {
        const struct c2c_row *row = &line->rows[i];
        struct text name = {NULL, 0, 0};
        bool seen = false;
        if (!counts(row, counter) || !same_function(&row->site, site) || !c2c_member_name(&row->site, &name))
            continue;
        for (const char *at = all.data; at && !seen; at = strchr(at + 1, ' '))
            seen = !strncmp(at + 1, name.data, name.len) && (at[1 + name.len] == ',' || !at[1 + name.len]);
        if (!seen)
            text_printf(&all, "%s %s", all.len ? "," : "", name.data);
        text_free(&name);
    }
    if (all.len)
        fprintf(out, "%s%s", before, all.data);
    text_free(&all);
}

/* Fully expanded. */
void c2c_functions_text(const struct c2c_report *report, const struct c2c_functions *f, FILE *out)
{
    fprintf(out, "Shared Data Functions Table     (%zu entries, sorted on Cycles %%)\n", f->n);
    fputs("  Cycles    Store\n       %    count  Function / Contending function / Cacheline\n", out);
    fputs("----------------------------------------------------------------------\n", out);
    for (size_t i = 0; i < f->n; i++) {
        const struct c2c_reader *r = &f->readers[i];
        fprintf(out, "- %6.2f%%  %7llu  ", r->percent, (unsigned long long)r->stores);
        function_row(report, r->site, 0, out);
        for (size_t k = 0; k < r->n_writers; k++) {
            const struct c2c_writer *w = &r->writers[k];
            fprintf(out, "           %7llu  ", (unsigned long long)w->stores);
            function_row(report, w->site, 1, out);
            for (size_t j = 0; j < w->n_lines; j++) {
                fprintf(out, "           %7llu        0x%llx", (unsigned long long)w->lines[j].stores,
                        (unsigned long long)w->lines[j].line->address);
                members(w->lines[j].line, w->site, SL_C2C_STORE, "  stores", out);
                members(w->lines[j].line, r->site, SL_C2C_LOAD, "; loads", out);
                fputc('\n', out);
            }
        }
    }
}
