/* SPDX-License-Identifier: Apache-2.0 */
/* The ELF path takes any file: it reads nothing outside of it, and either decodes or says what is wrong. */
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "hosted/io/elf_input.h"

#define ROOM_BYTES ((size_t)1 << 20)

/* The selections by the first byte: whole text, a symbol, a range; bad bytes skipped or not. */
static void select_by(uint8_t byte, struct code_selection *selection)
{
    static const char *const symbols[] = { NULL, "f", "main", NULL };
    memset(selection, 0, sizeof *selection);
    selection->symbol = symbols[byte & 3u];
    selection->skip_undecodable = byte & 4u;
    if ((byte & 3u) == 3u) {
        selection->has_range = true;
        selection->range_start = byte >> 3;
        selection->range_end = selection->range_start + 40u;
    }
}

/* libelf has no instrumentation: a page that nobody may touch behind the file tells when it reads too far. */
static const uint8_t *before_guard(const uint8_t *data, size_t size)
{
    static uint8_t *room;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!room) {
        room = mmap(NULL, ROOM_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        fuzz_require(room != MAP_FAILED && !mprotect(room + ROOM_BYTES, page, PROT_NONE));
    }
    fuzz_require(size <= ROOM_BYTES);
    memcpy(room + ROOM_BYTES - size, data, size);
    return room + ROOM_BYTES - size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = { .stream = NULL };
    struct code_selection selection;
    struct elf_file elf;
    struct block block;
    const struct sl_isa *isa;
    bool ok;
    if (size < 1) {
        return 0;
    }
    select_by(data[0], &selection);
    if (!elf_open(&elf, "fuzz", before_guard(data + 1, size - 1), size - 1, &diag)) {
        fuzz_require(diag.n_errors > 0);
        return 0;
    }
    isa = elf_input_isa(&elf, &diag);
    fuzz_require(isa || diag.n_errors > 0);
    /* A damaged machine field must not hide the rest from the fuzzer. */
    block_init(&block, isa ? isa : &sl_isa_x86_64);
    diag.n_errors = 0;
    ok = elf_input_read(&block, &elf, &selection, &diag);
    fuzz_require(ok == (diag.n_errors == 0));
    for (size_t i = 0; i < block.n_insns; i++) {
        fuzz_require(block.insns[i].len_bytes <= block.isa->max_len_bytes && block.insns[i].insn.op > 0);
    }
    block_free(&block);
    elf_close(&elf);
    return 0;
}
