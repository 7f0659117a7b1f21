/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as perf prints them. */
#include "c2c_table.h"

#include <string.h>

const char *c2c_dashed(struct pool *pool, const char *text, size_t width)
{
    struct text out = {NULL, 0, 0};
    const char *kept;

    text_add_char(&out, '-', width / 2 - strlen(text) / 2 - 1);
    text_printf(&out, " %s ", text);
    if (out.len < width)
        text_add_char(&out, '-', width - out.len);
    kept = pool_text(pool, out.data, out.len);
    text_free(&out);
    return kept;
}

/* A text that spans columns is printed where the last of them ends, as wide as it is. */
static void header_line(FILE *out, const struct c2c_column *columns, size_t n, unsigned line)
{
    const struct c2c_column *head = NULL;
    unsigned span = 0;

    fputs("# ", out);
    for (size_t i = 0; i < n; i++) {
        const struct c2c_column *c = &columns[i];
        if (i && !span)
            fputs("  ", out);
        if (c->is_text) {
            head = c;
        } else if (span) {
            span--;
        } else {
            span = line == 0 ? c->span : 0;
            head = c;
        }
        if (!span)
            fprintf(out, "%*s", (int)head->width, head->head[line]);
    }
    fputc('\n', out);
}

void c2c_table_header(FILE *out, const struct c2c_column *columns, size_t n)
{
    header_line(out, columns, n, 0);
    header_line(out, columns, n, 1);
    fputs("# ", out);
    for (size_t i = 0; i < n; i++) {
        if (i)
            fputs("  ", out);
        for (size_t k = 0; k < columns[i].width; k++)
            fputc('.', out);
    }
    fputs("\n#\n", out);
}

size_t c2c_table_limit(const struct c2c_column *columns, size_t n)
{
    /* perf's buffer: the widths, the gaps, and 28 colour codes of 8 bytes. */
    size_t limit = 2 * (n - 1) + 4 + 28 * 8 - 1;
    for (size_t i = 0; i < n; i++)
        limit += columns[i].width;
    return limit;
}

void c2c_table_row(FILE *out, const struct c2c_column *columns, size_t n, struct c2c_cell *cell, size_t limit)
{
    struct text row = {NULL, 0, 0};

    for (size_t i = 0; i < n; i++) {
        size_t from;
        text_add(&row, "  ", 2);
        from = row.len;
        cell->column = &columns[i];
        cell->width = columns[i].width;
        cell->room = row.len < limit ? limit - row.len : 0;
        columns[i].print(cell, &row);
        if (i + 1 < n && row.len - from < cell->width)
            text_add_char(&row, ' ', cell->width - (row.len - from));
    }
    fwrite(row.data, 1, row.len < limit ? row.len : limit, out);
    fputc('\n', out);
    text_free(&row);
}
