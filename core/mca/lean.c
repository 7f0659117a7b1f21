/* SPDX-License-Identifier: Apache-2.0 */
/* The machine once more, for the case that takes most of the time: dependencies are plain, and nobody watches but those
 * who count issues. The same sources, with everything else known to be absent and every unit inlined into the cycle.
 * Where size counts there is one machine only. */
#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__) /* see MCA_HAS_PLAIN */
#define MCA_LEAN 1
#define MCA_HOT static __attribute__((unused))
#include "feeds.c"
#include "inorder.c"
#include "lsunit.c"
#include "ooo.c"
#include "regfile.c"
#include "resource.c"
#include "scheduler.c"
#else
#include "internal.h"
#endif

bool mca_lean_cycle(struct sl_mca *m)
{
    return m->in_order ? mca_inorder_cycle(m) : mca_ooo_cycle(m);
}
