/* SPDX-License-Identifier: Apache-2.0 */
/* What is mapped where: per process, sorted by address, without overlaps. A new mapping replaces what it covers. */
#include <stdlib.h>
#include <string.h>

#include "perf_internal.h"

/* All arrays of maps together: 512 MiB. No recording comes near; a hostile one could ask for the square of its size. */
#define MAX_SLOTS ((size_t)1 << 26)

/* Index of the first map that ends behind the address. */
static size_t first_ending_after(const struct perf_maps_array *array, uint64_t address)
{
    size_t low = 0, high = array->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (array->items[middle]->end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct perf_map *perf_maps_find(struct perf_maps *maps, uint64_t address, bool code)
{
    const struct perf_map **last = code ? &maps->last_code : &maps->last_data;
    const struct perf_maps_array *array = maps->array;
    size_t at;
    if (*last && address >= (*last)->start && address < (*last)->end)
        return *last;
    if (!array)
        return NULL;
    at = first_ending_after(array, address);
    if (at == array->n || array->items[at]->start > address)
        return NULL;
    *last = array->items[at];
    return *last;
}

static void unuse(struct perf_data *data, struct perf_maps_array *array)
{
    if (!array || --array->n_users)
        return;
    data->machine.n_map_slots -= array->capacity;
    free(array);
}

/* An array of its own with room for `more` maps. */
static bool own_array(struct perf_data *data, struct perf_maps *maps, size_t more)
{
    struct perf_maps_array *old = maps->array, *array;
    size_t n = old ? old->n : 0;
    size_t capacity;
    if (old && old->n_users == 1 && old->capacity - n >= more)
        return true;
    capacity = (n + more) * 2;
    if (capacity > MAX_SLOTS - data->machine.n_map_slots)
        return false;
    array = malloc(sizeof *array + capacity * sizeof array->items[0]);
    if (!array)
        return false;
    array->n_users = 1;
    array->n = n;
    array->capacity = capacity;
    if (n)
        memcpy(array->items, old->items, n * sizeof array->items[0]);
    data->machine.n_map_slots += capacity;
    unuse(data, old);
    maps->array = array;
    return true;
}

static struct perf_map *part_of(struct perf_data *data, const struct perf_map *map, uint64_t start, uint64_t end)
{
    struct perf_map *part = pool_take(&data->pool, sizeof *part);
    *part = *map;
    part->page_offset += start - map->start;
    part->start = start;
    part->end = end;
    return part;
}

bool perf_maps_insert(struct perf_data *data, struct perf_maps *maps, struct perf_map *map)
{
    struct perf_maps_array *array;
    struct perf_map *pieces[3];
    size_t first, last, n = 0;
    if (map->end <= map->start)
        return true;
    maps->last_code = maps->last_data = NULL;
    if (!own_array(data, maps, 2))
        return false;
    array = maps->array;
    first = last = first_ending_after(array, map->start);
    while (last < array->n && array->items[last]->start < map->end)
        last++;
    if (first < last && array->items[first]->start < map->start)
        pieces[n++] = part_of(data, array->items[first], array->items[first]->start, map->start);
    pieces[n++] = map;
    if (first < last && array->items[last - 1]->end > map->end)
        pieces[n++] = part_of(data, array->items[last - 1], map->end, array->items[last - 1]->end);
    memmove(array->items + first + n, array->items + last, (array->n - last) * sizeof array->items[0]);
    memcpy(array->items + first, pieces, n * sizeof pieces[0]);
    array->n = array->n + n - (last - first);
    return true;
}

void perf_maps_remove(struct perf_data *data, struct perf_maps *maps, uint64_t start)
{
    struct perf_maps_array *array;
    size_t at;
    maps->last_code = maps->last_data = NULL;
    if (!maps->array || !own_array(data, maps, 0))
        return;
    array = maps->array;
    at = first_ending_after(array, start);
    if (at == array->n || array->items[at]->start > start)
        return;
    memmove(array->items + at, array->items + at + 1, (array->n - at - 1) * sizeof array->items[0]);
    array->n--;
}

bool perf_maps_copy(struct perf_data *data, struct perf_maps *to, const struct perf_maps *from)
{
    if (!from->array || to == from)
        return true;
    if (!to->array) {
        to->array = from->array;
        from->array->n_users++;
        return true;
    }
    for (size_t i = 0; i < from->array->n; i++) {
        if (!perf_maps_insert(data, to, from->array->items[i]))
            return false;
    }
    return true;
}

struct perf_maps *perf_maps_new(struct perf_data *data)
{
    struct perf_maps *maps = pool_take(&data->pool, sizeof *maps);
    maps->next = data->machine.all_maps;
    data->machine.all_maps = maps;
    return maps;
}

void perf_maps_free(struct perf_data *data)
{
    unuse(data, data->machine.kernel_maps.array);
    for (struct perf_maps *maps = data->machine.all_maps; maps; maps = maps->next)
        unuse(data, maps->array);
}
