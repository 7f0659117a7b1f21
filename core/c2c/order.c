/* SPDX-License-Identifier: Apache-2.0 */
/* The order of lines and of entries, and sorting without extra memory. */
#include "internal.h"

static int by_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

int sl_c2c_compare_lines(const struct sl_c2c_line *a, const struct sl_c2c_line *b)
{
    const struct sl_c2c_line_key *x = &a->key, *y = &b->key;
    int order = by_u64(x->mode, y->mode);
    if (order == 0)
        order = by_u64(x->unmapped, y->unmapped);
    if (order == 0)
        order = by_u64(x->major, y->major);
    if (order == 0)
        order = by_u64(x->minor, y->minor);
    if (order == 0)
        order = by_u64(x->inode, y->inode);
    if (order == 0 && x->generation != 0 && y->generation != 0)
        order = by_u64(x->generation, y->generation);
    if (order == 0)
        order = by_u64(x->pid, y->pid);
    return order != 0 ? order : by_u64(x->address, y->address);
}

static uint32_t rank_of(uint32_t image, const uint32_t *image_rank)
{
    return image == SL_C2C_NO_IMAGE || image_rank == NULL ? image : image_rank[image];
}

static int by_key(uint8_t key, const struct sl_c2c_entry *a, const struct sl_c2c_entry *b, const uint32_t *image_rank)
{
    switch (key) {
    case SL_C2C_KEY_IP:
        return by_u64(a->ip, b->ip);
    case SL_C2C_KEY_TID:
        return by_u64((uint32_t)(a->tid ^ 0x80000000u), (uint32_t)(b->tid ^ 0x80000000u));
    case SL_C2C_KEY_PID:
        return by_u64((uint32_t)(b->pid ^ 0x80000000u), (uint32_t)(a->pid ^ 0x80000000u));
    default:
        return by_u64(rank_of(a->image, image_rank), rank_of(b->image, image_rank));
    }
}

int sl_c2c_compare_entries(const struct sl_c2c *t, const struct sl_c2c_entry *a, const struct sl_c2c_entry *b,
                           const uint32_t *image_rank)
{
    int order = by_u64(a->offset, b->offset);
    for (uint32_t i = 0; i < SL_C2C_MAX_KEYS && t->config.keys[i] != SL_C2C_KEY_END && order == 0; i++)
        order = by_key(t->config.keys[i], a, b, image_rank);
    return order;
}

static void sift(uint32_t *numbers, uint32_t at, uint32_t n, sl_c2c_compare_fn *compare, const void *context)
{
    uint32_t own = numbers[at], child;
    while ((child = 2 * at + 1) < n) {
        if (child + 1 < n && compare(context, numbers[child], numbers[child + 1]) < 0)
            child++;
        if (compare(context, numbers[child], own) <= 0)
            break;
        numbers[at] = numbers[child];
        at = child;
    }
    numbers[at] = own;
}

void sl_c2c_sort(uint32_t *numbers, uint32_t n, sl_c2c_compare_fn *compare, const void *context)
{
    for (uint32_t at = n / 2; at-- > 0;)
        sift(numbers, at, n, compare, context);
    while (n > 1) {
        uint32_t last = numbers[--n];
        numbers[n] = numbers[0];
        numbers[0] = last;
        sift(numbers, 0, n, compare, context);
    }
}
