/* SPDX-License-Identifier: Apache-2.0 */
/* For programs of machine mode; one of supervisor mode brings its own list with sl_port_riscv_sbi. */
#include <slotledger/port.h>

const struct sl_port_ops *const sl_port_all[] = {&sl_port_riscv_machine, NULL};
