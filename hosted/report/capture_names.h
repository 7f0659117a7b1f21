/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what a capture holds as numbers. None is NULL: an unknown number's name says so. */
#ifndef HOSTED_REPORT_CAPTURE_NAMES_H
#define HOSTED_REPORT_CAPTURE_NAMES_H

#include <slotledger/capture.h>

const char *capture_type_name(uint8_t type);
const char *capture_arch_name(uint16_t arch);
const char *capture_sink_name(uint16_t sink);
const char *capture_pmu_name(uint8_t pmu);
const char *capture_state_name(uint8_t state);
const char *capture_owner_name(uint8_t owner);
const char *capture_clock_name(uint16_t kind);
const char *capture_when_name(uint16_t when);
/* Exception level or mode, as its architecture calls it: "EL1", "M-mode". */
const char *capture_level_name(uint16_t arch, uint16_t level);
/* NULL: not in the table; then space and number tell (capture_register_text). */
const char *capture_register_name(uint8_t space, uint16_t sub, uint32_t number);

#define CAPTURE_REGISTER_TEXT 48u
/* "PMCR_EL0", or "CSR 0x7c0" when there is no name. */
void capture_register_text(char text[CAPTURE_REGISTER_TEXT], uint8_t space, uint16_t sub, uint32_t number);

#endif
