/* SPDX-License-Identifier: Apache-2.0 */
/* Register names by instruction set. */
#include "insn_text.h"

static const char *intel_reg_name(uint16_t reg)
{
    const char *name = sl_x86_64_reg_name(reg);
    return name != NULL && *name == '%' ? name + 1 : name;
}

insn_reg_name_fn *insn_reg_name(const struct sl_isa *isa, bool intel)
{
    if (isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32)
        return sl_riscv_reg_name;
    if (isa == &sl_isa_thumbm)
        return sl_thumbm_reg_name;
    if (isa == &sl_isa_thumb || isa == &sl_isa_arm)
        return sl_arm_reg_name;
    if (isa == &sl_isa_aarch64)
        return sl_aarch64_reg_name;
    return intel ? intel_reg_name : sl_x86_64_reg_name;
}
