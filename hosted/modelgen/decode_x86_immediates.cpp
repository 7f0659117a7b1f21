/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which immediate bytes make up an operand, from samples of their values. */
#include "decode_x86.h"

#include <algorithm>

namespace modelgen {
namespace x86 {

namespace {

int64_t immediate_value(const Fields &fields, unsigned offset, unsigned log2_size, bool is_signed)
{
    uint64_t value = 0;
    unsigned bits = 8u << log2_size;
    for (unsigned i = 0; i < bits / 8; i++)
        value |= uint64_t{fields.imm[offset + i]} << 8 * i;
    if (is_signed && bits < 64 && (value >> (bits - 1) & 1u))
        value |= ~uint64_t{0} << bits;
    return static_cast<int64_t>(value);
}

bool fits_all(const std::vector<ImmSample> &samples, unsigned offset, unsigned log2_size, bool is_signed)
{
    return std::all_of(samples.begin(), samples.end(), [=](const ImmSample &s) {
        return immediate_value(s.fields, offset, log2_size, is_signed) == s.value;
    });
}

bool fits_nibble(const std::vector<ImmSample> &samples, unsigned offset)
{
    return std::all_of(samples.begin(), samples.end(),
                       [=](const ImmSample &s) { return (s.fields.imm[offset] & 15) == s.value; });
}

uint16_t imm_item(unsigned argument)
{
    return static_cast<uint16_t>(SL_X86_ITEM_IMM << 12 | argument);
}

} // namespace

bool find_imm_item(const std::vector<ImmSample> &samples, unsigned imm_bytes, uint16_t &item)
{
    for (unsigned log2_size = 0; log2_size < 4; log2_size++)
        for (unsigned offset = 0; offset + (1u << log2_size) <= imm_bytes; offset++)
            for (unsigned is_signed = 0; is_signed < 2; is_signed++)
                if (fits_all(samples, offset, log2_size, is_signed)) {
                    item = imm_item(offset | log2_size << 3 | (is_signed ? SL_X86_IMM_SIGNED : 0u));
                    return true;
                }
    for (unsigned offset = 0; offset < imm_bytes; offset++)
        if (fits_nibble(samples, offset)) {
            item = imm_item(offset | SL_X86_IMM_NIBBLE);
            return true;
        }
    return false;
}

} // namespace x86
} // namespace modelgen
