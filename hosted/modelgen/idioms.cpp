/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of idioms. */
#include "idioms.h"

namespace modelgen {

std::vector<Idiom> learn_idioms(const CpuView &, const OpSpace &, const Samples &)
{
    return {};
}

} // namespace modelgen
