/* SPDX-License-Identifier: Apache-2.0 */
/* Model blobs of any content: refused, or simulated within the blob and the memory that was announced. The blob of a
 * built-in CPU is damaged at places that the input names, and its checksum made good. */
#include "tests/fuzz/fuzz.h"

#include <slotledger/mca.h>
#include <slotledger/model_blob.h>
#include <stdlib.h>

#include "hosted/modeltext/model_text.h"

#define BLOCK_INSNS 8u
#define MAX_NEED ((size_t)4 << 20)

static const char *const names[] = { "rocket-rv64", "btver2", "cortex-a57", "neoverse-v2", "cortex-m85", "znver3", "sifive-e76" };
#define N_NAMES (sizeof names / sizeof names[0])

static struct {
    uint8_t *blob;
    size_t len;
    const struct sl_isa *isa;
} bases[N_NAMES];

static void make_base(size_t i)
{
    struct model model;
    struct model_tables tables;
    const char *what;
    model_of_cpu(&model, model_find_cpu(names[i]));
    fuzz_require(model_build(&tables, &model, &what));
    bases[i].blob = model_blob(&tables, &bases[i].len);
    bases[i].isa = tables.cpu.isa;
    model_tables_free(&tables);
    model_free(&model);
}

static void simulate(const struct sl_cpu *cpu, const uint8_t *bytes, size_t size, unsigned how)
{
    struct sl_mca_config config = { .iterations = 2, .slice_cycles = 500, .pressure = how & 1u, .may_alias = how & 2u,
                                    .instruction_tables = (how & 12u) == 12u };
    struct sl_insn block[BLOCK_INSNS];
    size_t n = 0, need;
    struct sl_mca machine;
    void *memory;
    memset(block, 0, sizeof block);
    for (size_t at = 0; at < size && n < BLOCK_INSNS;) {
        bool ok = fuzz_decode_into(cpu->isa, bytes + at, size - at, &block[n]) && sl_mca_check(cpu, &block[n]) == SL_OK;
        at += ok ? block[n].len_bytes : cpu->isa->min_len_bytes;
        n += ok;
    }
    if (n == 0)
        return;
    need = sl_mca_need_for(cpu, &config, block, n);
    if (need == 0 || need > MAX_NEED)
        return;
    memory = malloc(need);
    if (memory && sl_mca_init(&machine, cpu, &config, block, n, memory, need) == SL_OK)
        (void)!sl_mca_run(&machine);
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sl_cpu cpu;
    uint8_t *blob;
    size_t which, len, n, at = 3;
    uint32_t crc;
    if (size < 3)
        return 0;
    which = data[0] % N_NAMES;
    if (!bases[which].blob)
        make_base(which);
    len = bases[which].len;
    if (data[2] & 16u) /* shorter */
        len -= (size_t)data[1] * 4u < len ? (size_t)data[1] * 4u : 0;
    blob = malloc(len);
    fuzz_require(blob != NULL);
    memcpy(blob, bases[which].blob, len);
    for (n = data[1] % 8u; n > 0 && at + 4 <= size; n--, at += 4) {
        size_t place = (size_t)data[at] | (size_t)data[at + 1] << 8 | (size_t)data[at + 2] << 16;
        /* Half of the damage hits the header and what is behind it. */
        blob[(place & 1u ? place >> 1 : (place >> 1) % 400u) % len] = data[at + 3];
    }
    if (!(data[2] & 32u) && len >= 16) {
        uint32_t total = sl_get_u32le(blob + 8);
        crc = sl_crc32c(0, blob + 16, (total >= 16 && total <= len ? total : len) - 16);
        for (unsigned i = 0; i < 4; i++)
            blob[12 + i] = (uint8_t)(crc >> 8 * i);
    }
    if (sl_model_blob_open(&cpu, bases[which].isa, blob, len) == SL_OK) {
        (void)strlen(cpu.name);
        simulate(&cpu, data + at, size - at, data[2]);
        if (data[2] % 16u == 5)
            (void)sl_mca_need(&cpu, NULL, 4);
    }
    free(blob);
    return 0;
}
