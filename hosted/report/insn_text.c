/* SPDX-License-Identifier: Apache-2.0 */
/* Register names by instruction set. */
#include "insn_text.h"

insn_reg_name_fn *insn_reg_name(const struct sl_isa *isa)
{
    if (isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32)
        return sl_riscv_reg_name;
    return isa == &sl_isa_aarch64 ? sl_aarch64_reg_name : sl_x86_64_reg_name;
}
