/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of zero idioms, dependency-breaking instructions and optimizable register moves. */
#ifndef MODELGEN_IDIOMS_H
#define MODELGEN_IDIOMS_H

#include <cstdint>
#include <vector>

#include "variants.h"

namespace modelgen
{

/* What llvm-mca learns from MCInstrAnalysis about one instruction. */
struct IdiomAnswer {
    bool zero, breaks, move;
    uint8_t mask_width;
    uint16_t mask;
};

IdiomAnswer ask_idiom(const CpuView &cpu, const llvm::MCInst &inst);

/* One line of the table; see struct sl_idiom. */
struct Idiom {
    uint16_t op;
    std::vector<Atom> atoms;
    IdiomAnswer answer;
};

/* SL_IDIOM_* bits. */
unsigned idiom_kind(const IdiomAnswer &answer);

std::vector<Idiom> learn_idioms(const CpuView &cpu, const OpSpace &ops, const Samples &samples);

} // namespace modelgen

#endif
