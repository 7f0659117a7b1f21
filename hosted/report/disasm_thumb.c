/* SPDX-License-Identifier: Apache-2.0 */
/* Learned texts of Thumb, A and R profile. */
#include "disasm_table.h"

#include "../../core/gen/thumb_text.inc"

const struct disasm_tables disasm_thumb = {
    .roots = roots, .nodes = nodes, .leaves = leaves, .mnemonics = mnemonics, .patterns = patterns, .slots = slots,
    .numbers = numbers, .sets = sets, .set_values = set_values, .tables = tables, .names = names, .texts = texts,
    .n_ops = sizeof roots / sizeof roots[0],
};
