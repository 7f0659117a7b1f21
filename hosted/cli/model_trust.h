/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a prediction rests on figures that nobody has measured. */
#ifndef HOSTED_CLI_MODEL_TRUST_H
#define HOSTED_CLI_MODEL_TRUST_H

#include <slotledger/mca.h>

#include "../modeltext/model_text.h"

/* A line on the instructions of one iteration: their latencies (the longest result of each), and the cycles for which they
 * hold units, each summed over the block, and the parts that come from entries marked as guesses and as stand-ins. Nothing
 * when no entry of the model is marked. class_of: as of struct load_latency, or NULL. */
void model_trust_text(const struct model_note *notes, const struct sl_mca *m, const uint16_t *class_of, struct text *text);

#endif
