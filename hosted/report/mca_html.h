/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated regions as one HTML file that needs nothing else: timeline with wait reasons and dependency arrows, unit
 * pressure, slot tree. */
#ifndef HOSTED_REPORT_MCA_HTML_H
#define HOSTED_REPORT_MCA_HTML_H

#include "mca_report.h"

struct mca_html {
    FILE *out;
    size_t n_regions;
};

/* Views that a report needs to be drawn; sl_mca_config.pressure must be on. */
struct mca_report_options mca_html_views(const struct mca_report_options *asked);

/* Write errors are left in ferror(out). `title` and `cpu` are shown. */
void mca_html_begin(struct mca_html *html, FILE *out, const char *title, const char *cpu);
/* After sl_mca_run has returned SL_OK; note may be NULL. SL_E_ROOM: as mca_report_print. */
enum sl_status mca_html_region(struct mca_html *html, struct mca_report *report, const struct mca_report_input *input,
                               const char *note) SL_MUST_CHECK;
void mca_html_end(struct mca_html *html);

/* The page around the data. */
extern const char *const mca_html_head[];   /* ends with NULL, as do the others */
extern const char *const mca_html_script[]; /* below 10 KB */

#endif
