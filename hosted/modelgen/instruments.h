/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V: the scheduling class of a vector instruction by register group multiplier and element width. */
#ifndef MODELGEN_INSTRUMENTS_H
#define MODELGEN_INSTRUMENTS_H

#include <array>
#include <string>
#include <vector>

#include "classes.h"
#include "samples.h"

namespace modelgen
{

/* The LLVM class by vlmul and element width (0: not known); 0: the opcode's own. */
struct InstrumentRow {
    uint16_t op;
    std::array<unsigned, 8 * 5> classes;
};

/* The vector opcodes that have any, ascending; empty for other targets. */
std::vector<InstrumentRow> ask_instruments(const Target &target, const OpSpace &ops, const Samples &samples);

/* Writes riscv_instruments.inc; classes that only instruments lead to get their numbers in `classes`. */
int write_instruments(const Target &target, const OpSpace &ops, const std::vector<InstrumentRow> &rows,
                      ClassSpace &classes, const std::string &gen_dir);

} // namespace modelgen

#endif
