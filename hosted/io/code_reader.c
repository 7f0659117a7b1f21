/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over a stretch of machine code and adds its instructions to a block. */
#include "code_reader.h"

#include <stdio.h>
#include <string.h>

#include "code_symbol.h"
#include "riscv_pseudo.h"

static const char *hex_text(const uint8_t *bytes, size_t len, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < len && used + 4 < size; i++)
        used += (size_t)snprintf(out + used, size - used, i ? " %02x" : "%02x", bytes[i]);
    return out;
}

static void report_undecodable(const struct code_stretch *s, uint64_t at, enum sl_status status, bool skip,
                               const struct sl_isa *isa, struct diag *diag)
{
    char hex[BLOCK_INSN_BYTES * 3 + 4];
    uint64_t left = s->size - at;
    size_t shown = left < isa->max_len_bytes ? (size_t)left : isa->max_len_bytes;
    const char *what = status == SL_E_TRUNCATED ? "the code ends inside an instruction" : "no instruction";
    hex_text(s->bytes + at, shown, hex, sizeof hex);
    if (skip)
        diag_say(diag, DIAG_WARNING, "%s at address 0x%llx (%s), skipping with -skip-unsupported-instructions, "
                 "note accuracy will be impacted", what, (unsigned long long)(s->address + at), hex);
    else
        diag_at_offset(diag, s->file, s->file_offset + at, "%s of %s at address 0x%llx: %s", what, isa->name,
                       (unsigned long long)(s->address + at), hex);
}

/* Index of the last map at or in front of `address`, or n_maps. */
static size_t map_at(const struct code_stretch *s, uint64_t address)
{
    size_t low = 0, high = s->n_maps;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->maps[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : s->n_maps;
}

/* Bytes of data that start here; 0: this is code. */
static uint64_t data_bytes(const struct code_stretch *s, uint64_t at)
{
    size_t i = map_at(s, s->address + at);
    if (i == s->n_maps || !s->maps[i].is_data)
        return 0;
    for (; i < s->n_maps; i++) {
        if (!s->maps[i].is_data)
            return s->maps[i].address - (s->address + at);
    }
    return s->size - at;
}

/* How to decode what starts at `at`. */
static const struct sl_isa *isa_at(const struct code_stretch *s, uint64_t at, const struct sl_isa *otherwise)
{
    size_t i = map_at(s, s->address + at);
    const struct sl_isa *isa = i == s->n_maps ? s->isa : s->maps[i].isa;
    return isa ? isa : otherwise;
}

/* The first patch at or behind `address`. */
static size_t first_patch(const struct code_stretch *s, uint64_t address)
{
    size_t low = 0, high = s->n_patches;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->patches[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* true: the second instruction of a RISC-V call that a relocation at the first one covers: one instruction, as in
 * assembly text. */
static bool join_pair(struct block *block, const struct code_stretch *s, uint64_t at, const struct sl_insn *decoded)
{
    struct block_insn *first = block->n_insns ? &block->insns[block->n_insns - 1] : NULL;
    if (!first || first->address + first->len_bytes != s->address + at)
        return false;
    for (size_t i = first_patch(s, first->address); i < s->n_patches && s->patches[i].address == first->address; i++) {
        if (s->patches[i].is_call_pair)
            return riscv_pseudo_pair(block, first, s->bytes + at, decoded);
    }
    return false;
}

static void add_insn(struct block *block, const struct sl_isa *isa, const struct code_stretch *s, uint64_t at,
                     const struct sl_insn *decoded, size_t *patch)
{
    struct block_insn *insn = block_add(block);
    uint64_t address = s->address + at;
    uint64_t end = address + decoded->len_bytes;
    insn->insn = *decoded;
    insn->isa = isa;
    insn->address = address;
    insn->source_offset = (size_t)(s->file_offset + at);
    insn->len_bytes = insn->encoding_len = decoded->len_bytes;
    memcpy(insn->bytes, s->bytes + at, decoded->len_bytes);
    memcpy(insn->encoding, s->bytes + at, decoded->len_bytes);
    while (*patch < s->n_patches && s->patches[*patch].address < address)
        (*patch)++;
    for (; *patch < s->n_patches && s->patches[*patch].address < end; (*patch)++) {
        const struct code_patch *p = &s->patches[*patch];
        if (p->bytes && p->address + p->bytes <= end)
            code_symbol_patch(block, isa, insn, p);
        if (p->has_place && p->bytes) {
            insn->has_target = true;
            insn->target = p->place + (p->counts_from_field ? end - p->address : 0);
        }
    }
    if (!insn->n_symbols)
        code_symbol_target(block, insn, s);
}

bool code_read(struct block *block, const struct code_stretch *s, bool skip_undecodable, struct diag *diag)
{
    const struct sl_isa *isa = block->isa;
    struct sl_thumb_block thumb = { 0 };
    size_t patch = first_patch(s, s->address);
    uint64_t at = 0;
    while (at < s->size) {
        uint64_t data = data_bytes(s, at);
        struct sl_insn decoded;
        enum sl_status status;
        if (data) {
            at += data < s->size - at ? data : s->size - at;
            continue;
        }
        if (s->n_maps || s->isa) {
            const struct sl_isa *here = isa_at(s, at, block->isa);
            if (here != isa)
                thumb = (struct sl_thumb_block){ 0 };
            isa = here;
        }
        status = isa->decode(s->bytes + at, (size_t)(s->size - at), &decoded);
        if (status) {
            report_undecodable(s, at, status, skip_undecodable, isa, diag);
            if (!skip_undecodable)
                return false;
            at += isa->min_len_bytes;
            continue;
        }
        if (isa == &sl_isa_thumb || isa == &sl_isa_thumbm)
            sl_thumb_next(isa, &thumb, &decoded);
        if (!join_pair(block, s, at, &decoded))
            add_insn(block, isa, s, at, &decoded, &patch);
        at += decoded.len_bytes;
    }
    return true;
}
