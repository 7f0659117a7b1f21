/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of instructions that came as bytes. */
#ifndef HOSTED_REPORT_INSN_TEXT_H
#define HOSTED_REPORT_INSN_TEXT_H

#include <slotledger/isa.h>

/* Register name as the target's printer writes it; NULL when out of range. */
typedef const char *insn_reg_name_fn(uint16_t reg);
insn_reg_name_fn *insn_reg_name(const struct sl_isa *isa);

/* "OPNAME<tab>operand, operand": the opcode's LLVM name and the operands in their order. Needs at most size bytes
 * with the final NUL; longer texts are cut. */
void insn_text(const struct sl_isa *isa, const struct sl_insn *insn, char *out, size_t size);

/* Enough for every instruction. */
#define INSN_TEXT_BYTES 384u

#endif
