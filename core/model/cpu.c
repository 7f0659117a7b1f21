/* SPDX-License-Identifier: Apache-2.0 */
/* One scheduling model as a struct sl_cpu; compiled once per model with -DSL_CPU_ID=<isa>_<model>. */
#include "cpu.inc"
