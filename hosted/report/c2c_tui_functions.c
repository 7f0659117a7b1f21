/* SPDX-License-Identifier: Apache-2.0 */
/* The function view on a terminal: readers, the functions that write what they read, the lines between them. */
#include "c2c_tui_functions.h"

#include <stdlib.h>
#include <string.h>

#include "c2c_functions.h"
#include "c2c_page.h"

#define COMPACT_NAME 30

static const char *const help[] = {
    "d             Display cacheline details (on a cacheline)",
    "e, +          Toggle the entry under the cursor",
    "TAB, ESC, q   Return back to cacheline list",
};

/* A row that can be there: a reader, one of its writers, one of the lines of both. */
struct node {
    const struct c2c_reader *reader;
    const struct c2c_writer *writer;    /* NULL: the reader itself */
    const struct c2c_shared_line *line; /* NULL: the writer itself */
    bool open;
};

struct view {
    const struct c2c_report *report;
    struct node *nodes; /* each before what is below it */
    size_t n, capacity;
    struct page page;
};

static void add_node(struct view *v, struct node node)
{
    v->nodes = (struct node *)array_grow(v->nodes, v->n, &v->capacity, sizeof *v->nodes);
    v->nodes[v->n++] = node;
}

static void make_nodes(struct view *v, const struct c2c_functions *functions)
{
    for (size_t i = 0; i < functions->n; i++) {
        const struct c2c_reader *r = &functions->readers[i];
        add_node(v, (struct node){.reader = r});
        for (size_t k = 0; k < r->n_writers; k++) {
            const struct c2c_writer *w = &r->writers[k];
            add_node(v, (struct node){.reader = r, .writer = w});
            for (size_t j = 0; j < w->n_lines; j++)
                add_node(v, (struct node){.reader = r, .writer = w, .line = &w->lines[j]});
        }
    }
}

static void put_function(struct text *out, const struct c2c_report *r, const struct c2c_site *site)
{
    if (r->view.verbose)
        text_printf(out, "%#llx ", (unsigned long long)site->shown_address);
    text_printf(out, "[%c] %.*s", site->level, r->view.full_symbols ? (int)strlen(site->symbol) : COMPACT_NAME - 4,
                site->symbol);
}

static void put_node(struct text *out, const struct c2c_report *r, const struct node *node)
{
    char sign = node->open ? '-' : '+';

    if (node->line) {
        text_printf(out, "%9s  %7llu        0x%llx", "", (unsigned long long)node->line->stores,
                    (unsigned long long)node->line->line->address);
    } else if (node->writer) {
        text_printf(out, "%9s  %7llu    %c ", "", (unsigned long long)node->writer->stores, sign);
        put_function(out, r, node->writer->site);
    } else {
        text_printf(out, "%c %6.2f%%  %7llu  %c ", sign, node->reader->percent,
                    (unsigned long long)node->reader->stores, sign);
        put_function(out, r, node->reader->site);
    }
}

/* The rows whose parents are all open. */
static void fill(struct view *v)
{
    bool reader_open = false, writer_open = false;

    page_clear(&v->page);
    (void)page_add(&v->page, "#  Cycles    Store\n#       %    count  Function / Contending function / Cacheline\n",
                   PAGE_NO_ROW);
    for (size_t i = 0; i < v->n; i++) {
        const struct node *node = &v->nodes[i];
        struct text text = {NULL, 0, 0};
        if ((node->writer && !reader_open) || (node->line && !writer_open))
            continue;
        if (!node->writer)
            reader_open = node->open;
        else if (!node->line)
            writer_open = node->open;
        put_node(&text, v->report, node);
        (void)page_add(&v->page, text.data, (uint32_t)i);
        text_free(&text);
    }
}

static bool leaves(int key)
{
    return key == 'q' || key == PAGE_KEY_TAB || key == PAGE_KEY_ESCAPE || key == PAGE_KEY_BREAK;
}

static void act(struct view *v, struct c2c_report *report, int key, size_t indent, c2c_show_line_fn *show)
{
    uint32_t row = page_row(&v->page);
    struct node *node = row == PAGE_NO_ROW ? NULL : &v->nodes[row];

    if (key == '?' || key == 'h')
        page_help(help, sizeof help / sizeof help[0]);
    else if (node && !node->line && (key == 'e' || key == '+'))
        node->open = !node->open;
    else if (node && node->line && key == 'd')
        show(report, node->line->line, indent);
}

void c2c_tui_functions(struct c2c_report *report, size_t indent, c2c_show_line_fn *show)
{
    static const char *const unavailable[] = {
        "The function view is unavailable: iaddr is not in --coalesce.",
    };
    struct c2c_functions functions;
    struct view v = {.report = report};
    char title[96];
    int key;

    if (!report->view.with_ip) {
        page_help(unavailable, 1);
        return;
    }
    memset(&functions, 0, sizeof functions);
    c2c_functions_make(report, &functions);
    make_nodes(&v, &functions);
    snprintf(title, sizeof title, "Shared Data Functions Table     (%zu entries, sorted on Cycles %%)", functions.n);
    v.page.title = title;
    v.page.help = "? - help";
    do {
        fill(&v);
        key = page_key(&v.page);
        act(&v, report, key, indent, show);
    } while (!leaves(key));
    page_clear(&v.page);
    free(v.nodes);
    c2c_functions_free(&functions);
}
