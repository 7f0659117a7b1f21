/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a decoder of core/isa with LLVM's disassembler, word by word. */
#ifndef MODELGEN_DECODE_FIXED_VERIFY_H
#define MODELGEN_DECODE_FIXED_VERIFY_H

#include <slotledger/isa.h>

#include "decode_fixed.h"

namespace modelgen {

/* verify-ISA [--sample [COUNT]] | --exhaustive [FIRST LAST [STEP]]
 * Returns 0 when every compared word agrees in opcode, operand count, kinds, registers and immediates. */
int verify_fixed(const FixedOracle &oracle, const sl_isa &tables, int argc, char **argv);
/* The same for tables that number their opcodes otherwise than their target. */
int verify_fixed(const FixedOracle &oracle, const sl_isa &tables, const OpSpace &space, int argc, char **argv);

} // namespace modelgen

#endif
