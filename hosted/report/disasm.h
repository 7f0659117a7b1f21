/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text of decoded instructions, as LLVM's instruction printers write it. */
#ifndef HOSTED_REPORT_DISASM_H
#define HOSTED_REPORT_DISASM_H

#include <stdbool.h>

#include <slotledger/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

struct disasm_options {
    unsigned dialect; /* x86: 0 AT&T, 1 Intel */
    bool hex;         /* hexadecimal immediates */
};

/* Enough for every instruction without symbols. */
#define DISASM_TEXT_BYTES 256u

/* Writes the text, without leading blanks, cut to size bytes with the final NUL. symbols[i], unless symbols or it is
 * NULL, stands for immediate operand i ("foo", ":lo12:foo+8", "foo@PLT"). An instruction whose text is not known becomes
 * its encoding (".inst 0x...", ".byte 0x..., ..."), and the answer is false. */
bool disasm_text(const struct sl_isa *isa, const struct sl_insn *insn, const uint8_t *bytes,
                 const struct disasm_options *options, const char *const *symbols, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
