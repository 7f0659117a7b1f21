/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one run: pieces that live until the pool is freed, and arrays that grow. */
#ifndef HOSTED_IO_POOL_H
#define HOSTED_IO_POOL_H

#include <stddef.h>

struct pool_chunk;

/* Zero-filled means empty. */
struct pool {
    struct pool_chunk *chunks;
    size_t used;
};

/* Zero-filled piece. Never NULL: without memory the program ends with a message (nothing useful can be done). */
/* Says so on standard error and ends the program: what every allocation of the tool does that fails. */
_Noreturn void out_of_memory(void);

void *pool_take(struct pool *pool, size_t bytes);
/* Copy with a final NUL. */
char *pool_text(struct pool *pool, const char *text, size_t len);
void pool_free(struct pool *pool);

/* Room for one more element of a malloc'ed array: doubles *capacity when needed. Never NULL, as above. */
void *array_grow(void *array, size_t count, size_t *capacity, size_t size);

/* A growing text. */
struct text {
    char *data; /* always NUL-terminated once something was added; free() it */
    size_t len;
    size_t capacity;
};

void text_add(struct text *text, const char *data, size_t len);
void text_add_char(struct text *text, char c, size_t times);
void text_printf(struct text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void text_free(struct text *text);

#endif
