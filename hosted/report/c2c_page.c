/* SPDX-License-Identifier: Apache-2.0 */
/* A page of text on a terminal. */
#include "c2c_page.h"

#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_STEP    16u
#define ESCAPE_MS    25  /* how long the rest of a key's sequence may take */
#define HIGH         5.0 /* percents shown in colour, as perf does */
#define MIDDLE       0.5
#define COLOR_HIGH   1
#define COLOR_MIDDLE 2

/* ---- text ------------------------------------------------------------------------------------------------------- */

size_t page_add(struct page *page, const char *text, uint32_t row)
{
    size_t before = page->n_items;

    while (*text) {
        size_t len = strcspn(text, "\n");
        char *line = pool_text(&page->pool, text, len);
        if (line[0] != '#') {
            page->items = array_grow(page->items, page->n_items, &page->capacity, sizeof *page->items);
            page->items[page->n_items++] = (struct page_item){line, row};
        } else if (page->n_heads < PAGE_HEADS) {
            line[0] = ' ';
            page->heads[page->n_heads++] = line;
        }
        text += len + (text[len] == '\n');
    }
    return before;
}

void page_clear(struct page *page)
{
    free(page->items);
    page->items = NULL;
    page->n_items = page->capacity = page->n_heads = 0;
    pool_free(&page->pool);
}

void page_go_to(struct page *page, uint32_t row)
{
    for (size_t i = 0; i < page->n_items; i++) {
        if (page->items[i].row == row) {
            page->cursor = i;
            return;
        }
    }
}

uint32_t page_row(const struct page *page)
{
    return page->cursor < page->n_items ? page->items[page->cursor].row : PAGE_NO_ROW;
}

/* ---- terminal --------------------------------------------------------------------------------------------------- */

bool page_terminal_begin(void)
{
    setlocale(LC_ALL, "");
    if (!newterm(NULL, stdout, stdin))
        return false;
    raw(); /* Ctrl-C is a key */
    noecho();
    keypad(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    curs_set(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
        init_pair(COLOR_HIGH, COLOR_RED, -1);
        init_pair(COLOR_MIDDLE, COLOR_GREEN, -1);
    }
    return true;
}

void page_terminal_end(void)
{
    endwin();
}

/* Colour of the percentage that ends at text[end] == '%'; 0: none. */
static short colour_of(const char *text, size_t end, size_t *start)
{
    double value;

    for (*start = end; *start > 0 && strchr("0123456789.", text[*start - 1]);)
        (*start)--;
    if (*start == end)
        return 0;
    value = strtod(text + *start, NULL);
    return value >= HIGH ? COLOR_HIGH : value > MIDDLE ? COLOR_MIDDLE : 0;
}

/* One line, from column `left` on, filled up with blanks. */
static void draw_text(int y, const char *text, size_t left, bool selected)
{
    size_t len = strlen(text), start;
    int width = getmaxx(stdscr);
    const char *shown = left < len ? text + left : "";

    attrset(selected ? A_REVERSE : A_NORMAL);
    mvprintw(y, 0, "%-*.*s", width, width, shown);
    for (size_t i = left; !selected && has_colors() && i < len && i < left + (size_t)width; i++) {
        short colour = text[i] == '%' ? colour_of(text, i, &start) : 0;
        if (colour && start >= left)
            mvchgat(y, (int)(start - left), (int)(i - start + 1), A_NORMAL, colour, NULL);
    }
    attrset(A_NORMAL);
}

static size_t room_of(const struct page *page)
{
    int rows = getmaxy(stdscr) - 2 - (int)page->n_heads;
    return rows > 1 ? (size_t)rows : 1;
}

static void draw(struct page *page)
{
    size_t room = room_of(page);
    int y = 0;

    if (page->cursor >= page->n_items)
        page->cursor = page->n_items ? page->n_items - 1 : 0;
    if (page->top > page->cursor)
        page->top = page->cursor;
    if (page->top + room <= page->cursor)
        page->top = page->cursor - room + 1;
    erase();
    draw_text(y++, page->title, 0, false);
    for (size_t i = 0; i < page->n_heads; i++)
        draw_text(y++, page->heads[i], page->indent + page->left, false);
    for (size_t i = page->top; i < page->n_items && i < page->top + room; i++)
        draw_text(y++, page->items[i].text, page->indent + page->left, i == page->cursor);
    draw_text(getmaxy(stdscr) - 1, page->help, 0, false);
    refresh();
}

static bool move_by(struct page *page, long by)
{
    long to = (long)page->cursor + by, last = page->n_items ? (long)page->n_items - 1 : 0;
    page->cursor = (size_t)(to < 0 ? 0 : to > last ? last : to);
    return true;
}

static bool moves(struct page *page, int key)
{
    long room = (long)room_of(page);

    switch (key) {
    case KEY_UP:
        return move_by(page, -1);
    case KEY_DOWN:
        return move_by(page, 1);
    case KEY_PPAGE:
        return move_by(page, -room);
    case KEY_NPAGE:
    case ' ':
        return move_by(page, room);
    case KEY_HOME:
        return move_by(page, -(long)page->n_items);
    case KEY_END:
        return move_by(page, (long)page->n_items);
    case KEY_LEFT:
        page->left -= page->left < SIDE_STEP ? page->left : SIDE_STEP;
        return true;
    case KEY_RIGHT:
        page->left += SIDE_STEP;
        return true;
    case KEY_RESIZE:
        return true;
    default:
        return false;
    }
}

int page_key(struct page *page)
{
    for (;;) {
        int key;
        draw(page);
        key = getch();
        if (key == ERR)
            return 'q'; /* the terminal is gone */
        if (key == KEY_ENTER || key == '\r')
            return PAGE_KEY_ENTER;
        if (!moves(page, key))
            return key;
    }
}

void page_help(const char *const *lines, size_t n)
{
    struct page page = {.title = "Help", .help = "Press any key..."};
    for (size_t i = 0; i < n; i++)
        page_add(&page, lines[i], PAGE_NO_ROW);
    (void)page_key(&page);
    page_clear(&page);
}
