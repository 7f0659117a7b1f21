/* SPDX-License-Identifier: Apache-2.0 */
/* The page that --html writes beside the report. */
#include <errno.h>
#include <string.h>

#include "mca_run.h"

bool mca_page_open(struct mca_html *html, const struct mca_options *options, const char *input, struct diag *diag)
{
    FILE *out;
    html->out = NULL;
    if (!options->html)
        return true;
    if (options->instruction_tables) {
        diag_say(diag, DIAG_ERROR, "--html draws a simulation: -instruction-tables has none");
        return false;
    }
    out = fopen(options->html, "w");
    if (!out) {
        diag_say(diag, DIAG_ERROR, "cannot write the page %s: %s", options->html, strerror(errno));
        return false;
    }
    mca_html_begin(html, out, options->symbol ? options->symbol : input, options->mcpu);
    return true;
}

bool mca_page_close(struct mca_html *html, const struct mca_options *options, struct diag *diag)
{
    bool failed;
    if (!html->out)
        return true;
    mca_html_end(html);
    failed = ferror(html->out) != 0;
    failed |= fclose(html->out) != 0;
    html->out = NULL;
    if (failed)
        diag_say(diag, DIAG_ERROR, "cannot write the page %s: %s", options->html, strerror(errno));
    return !failed;
}
