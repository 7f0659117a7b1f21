/* SPDX-License-Identifier: Apache-2.0 */
/* Register names by instruction set. */
#ifndef HOSTED_REPORT_INSN_TEXT_H
#define HOSTED_REPORT_INSN_TEXT_H

#include <slotledger/isa.h>

/* Register name as the target's printer writes it; NULL when out of range. */
typedef const char *insn_reg_name_fn(uint16_t reg);
/* In Intel syntax x86 registers have no %. */
insn_reg_name_fn *insn_reg_name(const struct sl_isa *isa, bool intel);

#endif
