/* SPDX-License-Identifier: Apache-2.0 */
/* What the renderers of wait reasons share: charges in order, and their words. */
#ifndef HOSTED_REPORT_MCA_WAITS_H
#define HOSTED_REPORT_MCA_WAITS_H

#include "mca_internal.h"

#define WAITS_TEXT_ROOM 512u

/* Charges of one stage, by amount, largest first; grouped: by block instruction, and by amount within. free() it; NULL:
 * no memory. SLOTS: what differs only in `by` stays apart. */
struct sl_wait_charge *mca_waits_sorted(const struct sl_obs_waits *o, enum sl_wait_stage stage, bool grouped,
                                        size_t *n);

/* "waiting for xmm2 from [0] vmulps": what a charge's cycles went into. */
const char *mca_waits_reason(const struct mca_report *report, const struct mca_report_input *input,
                             const struct sl_wait_charge *charge, char text[WAITS_TEXT_ROOM]);
/* "[1] vhaddps waited for ... while the reorder buffer was full": a sentence about lost slots, without its full stop.
 */
const char *mca_waits_sentence(const struct mca_report *report, const struct mca_report_input *input,
                               const struct sl_wait_charge *charge, char text[WAITS_TEXT_ROOM]);
/* One letter for a cycle of a timeline. */
char mca_waits_letter(enum sl_wait wait);
/* "xmm2 from [0,1]": the short form beside a timeline; "" for what the letter says alone. */
const char *mca_waits_brief(const struct mca_report *report, const struct mca_report_input *input,
                            const struct sl_wait_segment *segment, char text[WAITS_TEXT_ROOM]);

/* By instruction, then by time. */
void mca_waits_sort_segments(struct sl_obs_waits *o);

void mca_text_findings(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input);
void mca_text_waits(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input);
void mca_text_slots(struct text_out *out, const struct mca_report *report, const struct mca_report_input *input);
/* Rows of the timeline with a letter for each cycle. */
void mca_text_waits_timeline(struct text_out *out, struct mca_report *report, const struct mca_report_input *input);

/* The region's member "slotledger"; nothing unless one of these views is on. */
struct json_out;
void mca_json_waits(struct json_out *json, struct mca_report *report, const struct mca_report_input *input);

#endif
