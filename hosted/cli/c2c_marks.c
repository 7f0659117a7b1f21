/* SPDX-License-Identifier: Apache-2.0 */
#include "c2c_marks.h"

#include <stdlib.h>
#include <sys/mman.h>

#include <slotledger/base.h>

#define KEEP  UINT16_MAX
#define LINES 65534u /* other values but 0, which is no line: lines share them */

void c2c_marks_open(struct c2c_marks *marks)
{
    void *at = mmap(NULL, C2C_MAX_MARKS * sizeof *marks->at, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    marks->at = at == MAP_FAILED ? NULL : (uint16_t *)at;
    marks->n = 0;
}

void c2c_marks_close(struct c2c_marks *marks)
{
    if (marks->at)
        munmap(marks->at, C2C_MAX_MARKS * sizeof *marks->at);
    marks->at = NULL;
    marks->n = 0;
}

static uint16_t mark_of(uint32_t line)
{
    return (uint16_t)(1u + line % LINES);
}

static void put(struct c2c_marks *marks, uint64_t record, uint16_t mark)
{
    if (!marks->at || record >= C2C_MAX_MARKS)
        return;
    if (record >= marks->n)
        marks->n = record + 1;
    marks->at[record] = marks->at[record] && marks->at[record] != mark ? KEEP : mark;
}

void c2c_marks_note(struct c2c_marks *marks, uint64_t record, uint32_t line)
{
    put(marks, record, mark_of(line));
}

void c2c_marks_keep(struct c2c_marks *marks, uint64_t record)
{
    put(marks, record, KEEP);
}

uint32_t *c2c_marks_unwanted(const struct c2c_marks *marks, const uint32_t *lines, uint32_t n)
{
    uint32_t wanted[SL_BIT_WORDS(UINT16_MAX + 1u)] = {0};
    uint32_t *unwanted = (uint32_t *)calloc(SL_BIT_WORDS(marks->n) + 1, sizeof *unwanted);

    if (!unwanted)
        return NULL;
    sl_bit_set(wanted, KEEP);
    for (uint32_t i = 0; i < n; i++)
        sl_bit_set(wanted, mark_of(lines[i]));
    for (uint64_t word = 0; word < SL_BIT_WORDS(marks->n); word++) {
        uint32_t bits = 0;
        for (uint64_t i = word * 32; i < marks->n && i < word * 32 + 32; i++)
            bits |= (uint32_t)!sl_bit_test(wanted, marks->at[i]) << i % 32;
        unwanted[word] = bits;
    }
    return unwanted;
}
