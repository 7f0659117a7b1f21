/* SPDX-License-Identifier: Apache-2.0 */
/* CPU names and the scheduling models behind them. */
#ifndef MODELGEN_CPUS_H
#define MODELGEN_CPUS_H

#include <memory>
#include <string>
#include <vector>

#include "target.h"

namespace modelgen
{

struct ModelGroup {
    std::string name;              /* the representative CPU */
    std::vector<std::string> cpus; /* every name with this model, sorted; aliases included */
    std::unique_ptr<llvm::MCSubtargetInfo> sti;
};

/* One per distinct model, sorted by representative. */
std::vector<ModelGroup> model_groups(const Target &target);

/* "cortex-a53" -> "aarch64_cortex_a53": the model's file and symbol suffix. */
std::string model_id(const Target &target, const ModelGroup &group);

} // namespace modelgen

#endif
