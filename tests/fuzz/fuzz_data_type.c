/* SPDX-License-Identifier: Apache-2.0 */
/* Members of variables out of DWARF that is damaged: whatever types lead to, a look-up ends, and what it names is
 * whole. The input are the bytes of .debug_abbrev and .debug_info, with a two-byte length of the first before them. */
#include "tests/fuzz/fuzz.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hosted/io/data_type.h"

static const char names[] = "\0.debug_abbrev\0.debug_info\0.shstrtab";
static const unsigned name_at[] = {1, 15, 27};

/* An ELF file around the two sections. */
static size_t wrap(const uint8_t *data, size_t size, uint8_t *out)
{
    size_t abbrev = (size_t)(data[0] | data[1] << 8), at = sizeof(Elf64_Ehdr), lens[3];
    const uint8_t *from[3] = {data + 2, NULL, (const uint8_t *)names};
    Elf64_Ehdr header = {.e_type = ET_EXEC,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 4,
                         .e_shstrndx = 3};
    Elf64_Shdr table[4] = {{0}};
    if (abbrev > size - 2)
        abbrev = size - 2;
    from[1] = data + 2 + abbrev;
    lens[0] = abbrev;
    lens[1] = size - 2 - abbrev;
    lens[2] = sizeof names;
    memcpy(header.e_ident, ELFMAG "\2\1\1", 7);
    for (unsigned i = 0; i < 3; i++) {
        table[i + 1] = (Elf64_Shdr){.sh_name = name_at[i],
                                    .sh_type = i == 2 ? SHT_STRTAB : SHT_PROGBITS,
                                    .sh_offset = at,
                                    .sh_size = lens[i],
                                    .sh_addralign = 1};
        if (lens[i])
            memcpy(out + at, from[i], lens[i]);
        at += lens[i];
    }
    while (at % 8)
        out[at++] = 0;
    header.e_shoff = at;
    memcpy(out, &header, sizeof header);
    memcpy(out + at, table, sizeof table);
    return at + sizeof table;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t image[1 << 20];
    const struct data_range range = {0x1000, 0x2000, "v"};
    struct data_types *types;
    Elf *elf;
    Dwarf *dwarf;
    if (size < 2 || size > 1 << 16)
        return 0;
    elf_version(EV_CURRENT);
    elf = elf_memory((char *)image, wrap(data, size, image));
    fuzz_require(elf != NULL);
    dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (dwarf) {
        types = data_types_new(dwarf);
        for (uint64_t address = 0x1000; address < 0x1080; address += 3) {
            const struct data_member *m = data_types_find(types, address, &range);
            fuzz_require(m == data_types_find(types, address, &range));
            fuzz_require(!m || (m->path && m->path[0] && m->type &&
                                (m->is_padding || m->into < m->bytes || !m->bytes || m->is_bit_field)));
        }
        data_types_free(types);
        dwarf_end(dwarf);
    }
    elf_end(elf);
    return 0;
}
