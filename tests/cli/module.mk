# SPDX-License-Identifier: Apache-2.0
# The command line: beside llvm-mca-19's, and what llvm-mca does not have.

CHECK_MORE += cli-errors cli-inputs
.PHONY: cli-errors cli-inputs
cli-errors: $(TOOL)
	@sh tests/cli/errors.sh $(TOOL)
cli-inputs: $(TOOL)
	@sh tests/cli/inputs.sh $(TOOL)

CHECK_MORE += cli-topdown
.PHONY: cli-topdown
cli-topdown: $(TOOL)
	@sh tests/cli/topdown.sh $(TOOL)
