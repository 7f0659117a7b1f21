/* SPDX-License-Identifier: Apache-2.0 */
/* Defects of llvm-mca that its results hold, and results without them (--no-quirks). */
#ifndef HOSTED_CLI_QUIRKS_H
#define HOSTED_CLI_QUIRKS_H

#include <slotledger/mca.h>

#include "../io/diag.h"

/* Beside enum sl_mca_quirk. */
enum {
    QUIRK_VECTOR_TYPE = 1 << SL_MCA_QUIRKS,  /* RISC-V: the instruction-info view takes a vector type from elsewhere */
    QUIRK_MASK = 2 << SL_MCA_QUIRKS,         /* RISC-V: vadc, vmerge and the like do not wait for v0 */
    QUIRK_LOCATION = 4 << SL_MCA_QUIRKS      /* RISC-V: what la, li and the like become is in no marked region */
};

/* RISC-V: gives an instruction that reads v0 as a mask that operand. false: it is no such instruction. */
bool quirks_mask_operand(const struct sl_isa *isa, struct sl_insn *insn);
/* Does code of a region read v0 in a way that llvm-mca overlooks, and write it? */
bool quirks_mask_met(const struct sl_isa *isa, const struct sl_insn *code, size_t n);

/* Would the run have taken other than m->cycles cycles without the defects? It is done again without them. */
bool quirks_change_cycles(const struct sl_mca *m, const struct sl_insn *code, bool extrapolate);

/* One note that names them; nothing for 0. */
void quirks_note(uint32_t quirks, struct diag *diag);

#endif
