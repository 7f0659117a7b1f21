/* SPDX-License-Identifier: Apache-2.0 */
/* RISC-V: the scheduling class of a vector instruction by register group multiplier and element width. */
#ifndef MODELGEN_INSTRUMENTS_H
#define MODELGEN_INSTRUMENTS_H

#include <string>

#include "classes.h"
#include "samples.h"

namespace modelgen
{

/* Writes riscv_instruments.inc; classes that only instruments lead to get their numbers in `classes`. */
int write_instruments(const Target &target, const OpSpace &ops, const Samples &samples, ClassSpace &classes,
                      const std::string &gen_dir);

} // namespace modelgen

#endif
