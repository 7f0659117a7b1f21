/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger c2c report` on a terminal. */
#include "c2c_tui.h"

#include <stdlib.h>
#include <string.h>

#include "c2c_page.h"
#include "c2c_table.h"
#include "c2c_tui_functions.h"

#define N_NODE_INFOS 3u
#define HELP_LINE    "? - help"

static const char *const list_help[] = {
    "d             Display cacheline details",
    "ENTER         Toggle callchains (if present)",
    "TAB           Switch to the function view",
    "q             Quit",
};

static const char *const detail_help[] = {
    "ENTER         Toggle callchains (if present)",
    "n             Toggle Node details info",
    "s             Toggle full length of symbol and source line columns",
    "q             Return back to cacheline list",
};

#define HELP(lines) page_help(lines, sizeof(lines) / sizeof((lines)[0]))

static const char *sort_name(enum sl_c2c_metric metric)
{
    static const char *const names[] = {"Total HITMs", "Remote HITMs", "Local HITMs", "Peer Snoop"};
    return names[metric];
}

static bool has_chain(const struct c2c_report *report, const struct c2c_row *row)
{
    const struct c2c_names *names = &report->names;
    const struct c2c_chain *chain = names->chain ? names->chain(names->context, row->entry) : NULL;
    return chain && chain->root.first_child;
}

/* With call chains, the first column tells whether an entry has some, and whether they are shown. */
static size_t indent_of(const struct c2c_report *report)
{
    for (uint32_t i = 0; i < report->n_lines; i++) {
        for (uint32_t k = 0; k < report->lines[i].n_rows; k++) {
            if (has_chain(report, &report->lines[i].rows[k]))
                return 0;
        }
    }
    return 2;
}

static bool is_quit(int key)
{
    return key == 'q' || key == PAGE_KEY_ESCAPE;
}

/* ---- the entries of one line --------------------------------------------------------------------------------------
 */

struct detail {
    struct c2c_report *report;
    const struct c2c_line *line;
    bool *open; /* [n_rows]: chains are shown */
    struct page page;
};

/* What a function prints, as a text to be freed. */
#define PRINTED(text, call)                                                                                            \
    do {                                                                                                               \
        size_t len_;                                                                                                   \
        FILE *out = open_memstream(&(text), &len_);                                                                    \
        if (out) {                                                                                                     \
            call;                                                                                                      \
            fclose(out);                                                                                               \
        }                                                                                                              \
    } while (0)

static void add_row(struct detail *d, uint32_t row)
{
    char *text = NULL;
    size_t first;

    PRINTED(text, c2c_text_line_row(d->report, d->line, row, d->open[row], out));
    first = page_add(&d->page, text ? text : "", row);
    free(text);
    if (first < d->page.n_items && has_chain(d->report, &d->line->rows[row]))
        d->page.items[first].text[0] = d->open[row] ? '-' : '+';
}

static void fill_detail(struct detail *d)
{
    char *text = NULL;

    page_clear(&d->page);
    PRINTED(text, c2c_text_line_header(d->report, d->line, out));
    page_add(&d->page, text ? text : "", PAGE_NO_ROW);
    free(text);
    for (uint32_t i = 0; i < d->line->n_rows; i++) {
        if (d->line->rows[i].hidden)
            continue;
        add_row(d, i);
    }
}

static void toggle_chain(struct detail *d)
{
    uint32_t row = page_row(&d->page);

    if (row == PAGE_NO_ROW)
        return;
    d->open[row] = !d->open[row];
    page_go_to(&d->page, row);
}

static void show_detail(struct c2c_report *report, const struct c2c_line *line, size_t indent)
{
    struct pool pool = {NULL, 0};
    struct detail d = {.report = report, .line = line};
    char title[64];

    snprintf(title, sizeof title, "Cacheline 0x%llx", (unsigned long long)line->address);
    d.open = pool_take(&pool, line->n_rows + 1u);
    d.page.title = title;
    d.page.help = HELP_LINE;
    d.page.indent = indent;
    report->view.full_symbols = false;
    for (;;) {
        int key;
        fill_detail(&d);
        key = page_key(&d.page);
        if (is_quit(key))
            break;
        if (key == 'n')
            report->view.node_info = (report->view.node_info + 1) % N_NODE_INFOS;
        else if (key == 's')
            report->view.full_symbols = !report->view.full_symbols;
        else if (key == PAGE_KEY_ENTER)
            toggle_chain(&d);
        else if (key == '?' || key == 'h')
            HELP(detail_help);
    }
    page_clear(&d.page);
    pool_free(&pool);
}

/* ---- the list -------------------------------------------------------------------------------------------------------
 */

/* Each row of the table belongs to the next line that is not hidden. */
static void fill_list(const struct c2c_report *report, struct page *page)
{
    char *text = NULL;
    size_t item = 0;

    PRINTED(text, c2c_text_lines(report, out));
    page_add(page, text ? text : "", PAGE_NO_ROW);
    free(text);
    for (uint32_t i = 0; i < report->n_lines && item < page->n_items; i++) {
        if (!report->lines[i].hidden)
            page->items[item++].row = i;
    }
}

bool c2c_tui(struct c2c_report *report)
{
    struct page page = {.help = HELP_LINE};
    char title[128];

    if (!page_terminal_begin())
        return false;
    page.indent = indent_of(report);
    fill_list(report, &page);
    snprintf(title, sizeof title, "Shared Data Cache Line Table     (%zu entries, sorted on %s)", page.n_items,
             sort_name(report->view.metric));
    page.title = title;
    for (;;) {
        int key = page_key(&page);
        if (key == 'q')
            break;
        if (key == 'd' && page_row(&page) != PAGE_NO_ROW)
            show_detail(report, &report->lines[page_row(&page)], page.indent);
        else if (key == PAGE_KEY_TAB)
            c2c_tui_functions(report, page.indent, show_detail);
        else if (key == '?' || key == 'h')
            HELP(list_help);
    }
    page_clear(&page);
    page_terminal_end();
    return true;
}
