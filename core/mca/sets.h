/* SPDX-License-Identifier: Apache-2.0 */
/* The two forms of the scheduler's sets. */
#ifndef SLOTLEDGER_CORE_MCA_SETS_H
#define SLOTLEDGER_CORE_MCA_SETS_H

#include "internal.h"

void mca_exact_wait(struct sl_mca_state *s, uint32_t slot);
void mca_exact_pend(struct sl_mca_state *s, uint32_t slot);
void mca_exact_start(struct sl_mca_state *s, uint32_t slot);
uint32_t mca_exact_finish(struct sl_mca *m);
uint32_t mca_exact_promote_wait(struct sl_mca_state *s);
void mca_exact_promote_pending(struct sl_mca_state *s);

void mca_wheel_wait(struct sl_mca_state *s, uint32_t slot);
void mca_wheel_pend(struct sl_mca_state *s, uint32_t slot);
void mca_wheel_start(struct sl_mca_state *s, uint32_t slot);
uint32_t mca_wheel_finish(struct sl_mca *m);
uint32_t mca_wheel_promote_wait(struct sl_mca_state *s);
void mca_wheel_promote_pending(struct sl_mca_state *s);

#endif
