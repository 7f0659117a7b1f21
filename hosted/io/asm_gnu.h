/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly text -> block through GNU as, which prints no canonical text: its listing gives bytes and source lines. */
#ifndef HOSTED_IO_ASM_GNU_H
#define HOSTED_IO_ASM_GNU_H

#include "assembler.h"
#include "markers.h"

enum asm_input_result asm_gnu_read(struct block *block, const struct source *source,
                                   const struct assembler *assembler, const struct marker_scan *scan, struct diag *diag);

#endif
