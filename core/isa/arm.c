/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder of A32: 32-bit words. */
#include "arm_words.h"

#define SL_WORDS_LISTS
#define SL_WORDS_FILE  "../gen/arm_decode32.inc"
#define SL_WORDS_NAME  full_words
#define SL_WORDS_BYTES 4
#include "word_tables.inc"

enum sl_status sl_decode_arm(const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    return len < 4 ? SL_E_TRUNCATED : arm_word(&full_words, sl_get_u32le(bytes), out);
}
