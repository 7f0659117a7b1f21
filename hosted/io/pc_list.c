/* SPDX-License-Identifier: Apache-2.0 */
/* Sampled code addresses with their counts. */
#include "pc_list.h"

#include <slotledger/spe.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"
#include "spe_input.h"

#define MOST_SAMPLES ((uint64_t)1 << 62)
#define SHOWN 40

struct word {
    const char *text;
    size_t len;
};

static struct word next_word(const char **at, const char *end)
{
    struct word word;
    while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r'))
        (*at)++;
    word.text = *at;
    while (*at < end && **at != ' ' && **at != '\t' && **at != '\r')
        (*at)++;
    word.len = (size_t)(*at - word.text);
    return word;
}

static bool parse_number(struct word word, unsigned radix, uint64_t *value)
{
    *value = 0;
    if (radix == 16 && word.len > 2 && word.text[0] == '0' && (word.text[1] | 32) == 'x') {
        word.text += 2;
        word.len -= 2;
    }
    for (size_t i = 0; i < word.len; i++) {
        unsigned char c = (unsigned char)word.text[i];
        unsigned digit = isdigit(c) ? c - (unsigned)'0' : isxdigit(c) ? (unsigned)tolower(c) - 'a' + 10u : 16u;
        if (digit >= radix || *value > (UINT64_MAX - digit) / radix)
            return false;
        *value = *value * radix + digit;
    }
    return word.len != 0;
}

static bool complain(struct diag *diag, const struct source *source, unsigned line, const char *what, struct word word)
{
    char shown[SHOWN + 1] = ""; /* what a file holds goes to a terminal */
    for (size_t i = 0; i < word.len && i < SHOWN; i++)
        shown[i] = (char)(isprint((unsigned char)word.text[i]) ? word.text[i] : '?');
    diag_raw_error(diag, "slotledger: %s:%u: %s: '%s'; expected ADDRESS [COUNT], the address hexadecimal and the count "
                   "decimal\n", source->name, line, what, shown);
    return false;
}

static void add(struct pc_list *list, uint64_t address, uint64_t count)
{
    list->items = array_grow(list->items, list->n_items, &list->capacity, sizeof *list->items);
    list->items[list->n_items++] = (struct pc_count){ address, count };
    list->total += count;
}

static bool parse_line(struct pc_list *list, const struct source *source, unsigned number, const char *line, size_t len,
                       struct diag *diag)
{
    const char *comment = memchr(line, '#', len), *at = line, *end = comment ? comment : line + len;
    struct word address_word = next_word(&at, end), count_word = next_word(&at, end), rest = next_word(&at, end);
    uint64_t address, count = 1;
    if (!address_word.len)
        return true;
    if (!parse_number(address_word, 16, &address))
        return complain(diag, source, number, "no address", address_word);
    if (count_word.len && (!parse_number(count_word, 10, &count) || count == 0))
        return complain(diag, source, number, "no count", count_word);
    if (rest.len)
        return complain(diag, source, number, "more than an address and a count", rest);
    if (count > MOST_SAMPLES || list->total > MOST_SAMPLES)
        return complain(diag, source, number, "too many samples", count_word);
    add(list, address, count);
    return true;
}

static int compare_items(const void *a, const void *b)
{
    const struct pc_count *p = a, *q = b;
    return (p->address > q->address) - (p->address < q->address);
}

static void sort_items(struct pc_list *list)
{
    size_t kept = 0;
    if (list->n_items)
        qsort(list->items, list->n_items, sizeof *list->items, compare_items);
    for (size_t i = 0; i < list->n_items; i++) {
        if (kept && list->items[kept - 1].address == list->items[i].address)
            list->items[kept - 1].count += list->items[i].count;
        else
            list->items[kept++] = list->items[i];
    }
    list->n_items = kept;
}

bool pc_list_parse(struct pc_list *list, const struct source *source, struct diag *diag)
{
    const char *at = source->text, *end = source->text + source->len;
    for (unsigned number = 1; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop : end) - at);
        if (!parse_line(list, source, number, at, len, diag))
            return false;
        at += len + (stop != NULL);
    }
    if (!list->n_items) {
        diag_raw_error(diag, "slotledger: %s:1: no addresses\n", source->name);
        return false;
    }
    sort_items(list);
    return true;
}

/* Bits 55:0 of the payload are the address. Unlike perf, which takes EL1 and EL2 for a kernel's, bit 55 decides the rest as
 * it does for the MMU: firmware lies at low addresses. */
static uint64_t code_address(uint64_t payload)
{
    uint64_t address = payload & 0x00ffffffffffffffu;
    return address >> 55 ? address | 0xff00000000000000u : address;
}

static bool read_dump(struct pc_list *list, const char *name, struct diag *diag)
{
    struct spe_input input;
    bool ok;
    memset(&input, 0, sizeof input);
    ok = spe_input_read(&input, name, false, 0, 0, diag);
    for (size_t i = 0; ok && i < input.n_buffers; i++) {
        struct sl_spe_config config = { .base_address = input.buffers[i].base, .drop_broken = true };
        struct sl_spe_decoder decoder;
        sl_spe_init(&decoder, &config);
        sl_spe_feed(&decoder, input.buffers[i].bytes, input.buffers[i].len);
        while (sl_spe_next(&decoder)) {
            if (decoder.record.has & 1u << SL_SPE_ADDRESS_PC)
                add(list, code_address(decoder.record.address[SL_SPE_ADDRESS_PC]), 1);
        }
    }
    spe_input_free(&input);
    if (ok && !list->n_items) {
        diag_at_offset(diag, name, 0, "the dump's SPE records hold no program counters");
        ok = false;
    }
    sort_items(list);
    return ok;
}

/* The two bytes that every record of a dump begins with. No address does. */
static bool is_dump(const struct file *file)
{
    return file->size >= 2 && file->data[0] == 'S' && file->data[1] == 'L';
}

static bool subtract(struct pc_list *list, const char *name, uint64_t base, struct diag *diag)
{
    if (base && list->items[0].address < base) {
        diag_raw_error(diag, "slotledger: %s: address 0x%llx is below the base 0x%llx\n", name,
                       (unsigned long long)list->items[0].address, (unsigned long long)base);
        return false;
    }
    for (size_t i = 0; i < list->n_items; i++)
        list->items[i].address -= base;
    return true;
}

bool pc_list_read(struct pc_list *list, const char *name, uint64_t base, struct diag *diag)
{
    struct file file;
    bool ok;
    if (!file_read(&file, name, diag))
        return false;
    if (is_dump(&file)) {
        ok = read_dump(list, name, diag);
    } else {
        struct source source = { file.name, (const char *)file.data, file.size };
        ok = pc_list_parse(list, &source, diag);
    }
    file_free(&file);
    return ok && subtract(list, name, base, diag);
}

void pc_list_free(struct pc_list *list)
{
    free(list->items);
    memset(list, 0, sizeof *list);
}

size_t pc_list_at(const struct pc_list *list, uint64_t address)
{
    size_t low = 0, high = list->n_items;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
