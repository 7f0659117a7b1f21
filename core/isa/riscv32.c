/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder of RV32: 16-bit and 32-bit words. */
#include "riscv_words.h"

#define SL_WORDS_FILE "../gen/riscv32_decode16.inc"
#define SL_WORDS_NAME half_words
#define SL_WORDS_BYTES 2
#include "word_tables.inc"

#define SL_WORDS_FILE "../gen/riscv32_decode32.inc"
#define SL_WORDS_NAME full_words
#define SL_WORDS_BYTES 4
#include "word_tables.inc"

enum sl_status sl_decode_riscv32(const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    return riscv_insn(&half_words, &full_words, bytes, len, out);
}
