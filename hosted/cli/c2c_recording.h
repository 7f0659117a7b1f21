/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of c2c ask of a recording's header. */
#ifndef HOSTED_CLI_C2C_RECORDING_H
#define HOSTED_CLI_C2C_RECORDING_H

#include "../io/perf_data.h"
#include "../report/c2c_report.h"

struct c2c_node *c2c_make_nodes(const struct perf_info *info, const struct sl_c2c *table, struct pool *pool);
const char *const *c2c_event_names(const struct perf_info *info, struct pool *pool);
bool c2c_is_arm64(const struct perf_info *info);
/* perf's words for nodes that are missing. */
bool c2c_check_nodes(struct perf_data *data, const struct perf_info *info, struct diag *diag);
void c2c_take_losses(const struct perf_losses *from, struct c2c_loss *to);
/* perf's words for a file that is not there or is empty. */
bool c2c_is_readable(const char *input, struct diag *diag);

#endif
