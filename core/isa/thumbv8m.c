/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder of Thumb as Cortex-M3 to M7, M33 and M35P have it, for boards: a third of the tables of all the M profile. */
#include "arm_words.h"

#define SL_WORDS_LISTS

#define SL_WORDS_FILE "../gen/thumbv8m_decode16.inc"
#define SL_WORDS_NAME half_words
#define SL_WORDS_BYTES 2
#include "word_tables.inc"

#define SL_WORDS_FILE "../gen/thumbv8m_decode32.inc"
#define SL_WORDS_NAME full_words
#define SL_WORDS_BYTES 4
#include "word_tables.inc"

enum sl_status sl_decode_thumbv8m(const uint8_t *bytes, size_t len, struct sl_insn *out)
{
    return thumb_insn(&half_words, &full_words, bytes, len, out);
}
