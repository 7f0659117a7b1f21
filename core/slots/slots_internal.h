/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of core/slots share. */
#ifndef CORE_SLOTS_SLOTS_INTERNAL_H
#define CORE_SLOTS_SLOTS_INTERNAL_H

#include <slotledger/slots.h>

#define SLOT_SIBLINGS 12u

/* Indices of the members and the rest below `parent`, in the tree's order. */
unsigned slot_siblings(const struct sl_slot_tree *tree, enum sl_slot_node parent, enum sl_slot_domain domain,
                       uint8_t out[SLOT_SIBLINGS]);
bool slot_has_value(const struct sl_slot_value *v);
/* Its children of the same domain have values, and these add up to its own. */
bool slot_adds_up(const struct sl_slot_tree *tree, const struct sl_slot_value *v);

#endif
