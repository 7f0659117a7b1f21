/* SPDX-License-Identifier: Apache-2.0 */
/* spe_share.c after the verdict's advice. */
#define SHARE_APART 1
#include "spe_share.c"
