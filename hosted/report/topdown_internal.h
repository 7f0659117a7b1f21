/* SPDX-License-Identifier: Apache-2.0 */
/* What the Top-Down renderers share. */
#ifndef HOSTED_REPORT_TOPDOWN_INTERNAL_H
#define HOSTED_REPORT_TOPDOWN_INTERNAL_H

#include "topdown_report.h"

#define TOPDOWN_TEXT_ROOM 256u

/* "clamped+adjusted", or "ok". */
const char *topdown_quality_text(uint32_t quality, char text[TOPDOWN_TEXT_ROOM]);
/* value / 10^decimals with so many decimals. */
const char *topdown_decimal(uint64_t value, unsigned decimals, char text[TOPDOWN_TEXT_ROOM]);
bool topdown_has_value(const struct sl_slot_value *v);
/* Within the level that was asked for. */
bool topdown_shown(const struct sl_slot_value *v, const struct topdown_options *options);
/* What a kind of tree is, in words. */
const char *topdown_kind_text(enum sl_slot_kind kind);
/* Number of a raw ratio, signed, with four decimals of a per cent. */
const char *topdown_raw_text(const struct sl_slot_value *v, char text[TOPDOWN_TEXT_ROOM]);
/* Index of the value of this node and domain; n_values: none. */
unsigned topdown_find(const struct sl_slot_tree *tree, uint8_t node, uint8_t domain);

#endif
