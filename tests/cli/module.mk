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
# Dumps: whole, damaged and hostile ones, made by a program of their own.
CHECK_MORE += cli-capture
.PHONY: cli-capture
CAPTURE_MAKE := $(B)/tests/capture_make
$(CAPTURE_MAKE): $(B)/obj/tests/cli/capture_make.o $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(OPT) $(EXTRA) $(CFLAGS) $(HOST_LINK) $(LDFLAGS) $^ -o $@
-include $(B)/obj/tests/cli/capture_make.d
cli-capture: $(TOOL) $(CAPTURE_MAKE)
	@sh tests/cli/capture.sh $(TOOL) $(CAPTURE_MAKE)

CHECK_MORE += cli-batch
.PHONY: cli-batch
cli-batch: $(TOOL)
	@sh tests/cli/batch.sh $(TOOL) build/cli-batch

CHECK_MORE += cli-loops
.PHONY: cli-loops
cli-loops: $(TOOL)
	@sh tests/cli/loops.sh $(TOOL) build/cli-loops

CHECK_MORE += cli-pcs
.PHONY: cli-pcs
cli-pcs: $(TOOL) $(ORACLE_OUT)/gendump
	@GENDUMP=$(ORACLE_OUT)/gendump sh tests/cli/pcs.sh $(TOOL) build/cli-pcs

CHECK_MORE += cli-check
.PHONY: cli-check
cli-check: $(TOOL)
	@sh tests/cli/check.sh $(TOOL) build/cli-check

# Every built-in model through YAML and a blob, and back: the same reports.
CHECK_MORE += cli-model-trip
.PHONY: cli-model-trip
cli-model-trip: $(TOOL)
	@sh tests/cli/model_trip.sh $(TOOL) build/cli-model-trip all

CHECK_MORE += cli-waits
.PHONY: cli-waits check-waits
cli-waits: $(TOOL)
	@sh tests/cli/waits.sh $(TOOL)
WAIT_BLOCKS ?= 22000
check-oracle: check-waits
check-waits: $(B)/unit/test_waits_laws ## wait reasons close to the cycle on WAIT_BLOCKS random blocks of all models
	@SLOTLEDGER_WAIT_BLOCKS=$(WAIT_BLOCKS) $<
CHECK_MORE += cli-model
.PHONY: cli-model
cli-model: $(TOOL)
	@sh tests/cli/model.sh $(TOOL) build/cli-model $(B)/libslotledger.a $(CC)

# Members of structs by address, out of what two compilers wrote of them.
CHECK_MORE += cli-members
.PHONY: cli-members
MEMBER_AT := $(B)/tests/member_at
$(MEMBER_AT): tests/cli/members/member_at.c $(HOSTED_LIB_OBJ) $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) -D_GNU_SOURCE $(OPT) $(EXTRA) $(HOST_LINK) $^ $(ELF_LIBS) -o $@
cli-members: $(MEMBER_AT)
	@sh tests/cli/members.sh $(MEMBER_AT) build/cli-members

CHECK_MORE += cli-html
.PHONY: cli-html
cli-html: $(TOOL)
	@sh tests/cli/html.sh $(TOOL) build/cli-html
