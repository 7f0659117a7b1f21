/* SPDX-License-Identifier: Apache-2.0 */
/* A page of text on a terminal: a title, headings, rows with a cursor. */
#ifndef HOSTED_REPORT_C2C_PAGE_H
#define HOSTED_REPORT_C2C_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../io/pool.h"

#define PAGE_NO_ROW UINT32_MAX
#define PAGE_HEADS  2u

struct page_item {
    char *text;
    uint32_t row; /* what it belongs to, or PAGE_NO_ROW */
};

struct page {
    const char *title;
    const char *help; /* of the bottom line */
    const char *heads[PAGE_HEADS];
    size_t n_heads;
    struct page_item *items;
    size_t n_items, capacity;
    size_t cursor, top; /* items */
    size_t indent;      /* columns that are never shown */
    size_t left;        /* columns scrolled away */
    struct pool pool;   /* holds the texts */
};

/* Zero-filled means empty. Takes a text apart: lines that begin with # are headings (a blank instead of it), of which
 * the first two are kept; the others are items and belong to `row`. Returns the number of items there were before. */
size_t page_add(struct page *page, const char *text, uint32_t row);
/* Forgets the text, and keeps the place. */
void page_clear(struct page *page);
/* Puts the cursor on the first item of a row. */
void page_go_to(struct page *page, uint32_t row);
/* Row under the cursor, or PAGE_NO_ROW. */
uint32_t page_row(const struct page *page);

/* Starts and ends the use of the terminal. false: it cannot be used. */
bool page_terminal_begin(void);
void page_terminal_end(void);
/* Shows the page and returns the next key that does not move about in it. */
int page_key(struct page *page);
/* Shows lines, and waits for a key. */
void page_help(const char *const *lines, size_t n);

#define PAGE_KEY_ENTER  '\n'
#define PAGE_KEY_ESCAPE 27
#define PAGE_KEY_TAB    '\t'
#define PAGE_KEY_BREAK  3 /* Ctrl-C */

#endif
