/* SPDX-License-Identifier: Apache-2.0 */
/* Things numbered by their address. */
#include <stdlib.h>

#include "c2c_collect.h"

static uint32_t slot_of(const void *item, uint32_t mask)
{
    return (uint32_t)(((uintptr_t)item >> 4) * 0x9e3779b97f4a7c15u >> 32) & mask;
}

static void put_slot(struct c2c_numbers *numbers, uint32_t number)
{
    uint32_t at = slot_of(numbers->items[number], numbers->mask);
    while (numbers->slots[at])
        at = (at + 1) & numbers->mask;
    numbers->slots[at] = number;
}

static void grow_slots(struct c2c_numbers *numbers)
{
    size_t size = numbers->slots ? 2 * ((size_t)numbers->mask + 1) : 256;
    free(numbers->slots);
    numbers->slots = (uint32_t *)calloc(size, sizeof *numbers->slots);
    if (!numbers->slots)
        abort();
    numbers->mask = (uint32_t)size - 1;
    for (uint32_t i = 1; i <= numbers->n; i++)
        put_slot(numbers, i);
}

uint32_t c2c_number_of(struct c2c_numbers *numbers, const void *item)
{
    if (!item)
        return 0;
    if (!numbers->slots || 2 * numbers->n >= numbers->mask)
        grow_slots(numbers);
    for (uint32_t at = slot_of(item, numbers->mask); numbers->slots[at]; at = (at + 1) & numbers->mask) {
        if (numbers->items[numbers->slots[at]] == item)
            return numbers->slots[at];
    }
    numbers->items =
        (const void **)array_grow((void *)numbers->items, ++numbers->n, &numbers->capacity, sizeof *numbers->items);
    numbers->items[numbers->n] = item;
    put_slot(numbers, (uint32_t)numbers->n);
    return (uint32_t)numbers->n;
}
