# SPDX-License-Identifier: Apache-2.0
# The comparison with llvm-mca-19, and the golden reports made by it.

ORACLE_BIN := $(ORACLE_OUT)/genblocks $(ORACLE_OUT)/genoptions
CHECK_MORE += oracle disasm
SEED ?= 1

$(ORACLE_OUT)/genblocks: tests/oracle/genblocks.c $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) $(OPT) $(EXTRA) $(HOST_LINK) $< $(B)/libslotledger.a -o $@
$(ORACLE_OUT)/genoptions: tests/oracle/genoptions.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) -O2 $< -o $@

.PHONY: oracle check-oracle bless
oracle: $(TOOL) $(ORACLE_BIN)
	@OUT=$(ORACLE_OUT) OURS='$(TOOL) mca' sh tests/oracle/run.sh --sample $(SEED)
check-oracle: $(TOOL) $(ORACLE_BIN) ## every kernel and > 20000 random blocks for all models: byte-equal to llvm-mca-19
	@OUT=$(ORACLE_OUT) OURS='$(TOOL) mca' sh tests/oracle/run.sh --full $(SEED)
bless: ## make the golden reports anew with llvm-mca-19; review them as a diff
	@sh tests/oracle/golden.sh bless

# Extrapolated against full simulation.
CHECK_MORE += extrapolate
.PHONY: extrapolate check-extrapolate
extrapolate: $(TOOL) $(ORACLE_BIN)
	@OUT=$(ORACLE_OUT) OURS='$(TOOL) mca' sh tests/oracle/extrapolate.sh sample $(SEED)
check-extrapolate: $(TOOL) $(ORACLE_BIN) $(B)/unit/test_recur ## kernels and > 20000 random blocks: extrapolated results equal to those of full simulation
	@OUT=$(ORACLE_OUT) OURS='$(TOOL) mca' sh tests/oracle/extrapolate.sh full $(SEED)
	@SLOTLEDGER_RECUR_BLOCKS=200 $(B)/unit/test_recur

.PHONY: disasm check-disasm
disasm: $(TOOL)
	@OUT=$(ORACLE_OUT) OURS=$(TOOL) sh tests/oracle/disasm.sh sample
check-disasm: $(TOOL) ## texts of all kernels for nine CPUs, equal to llvm-mc-19 --disassemble
	@OUT=$(ORACLE_OUT) OURS=$(TOOL) sh tests/oracle/disasm.sh full

# Arm SPE beside the installed perf.
CHECK_MORE += spe
SPE_BIN := $(ORACLE_OUT)/genspe $(ORACLE_OUT)/gendump
$(ORACLE_OUT)/genspe $(ORACLE_OUT)/gendump: $(ORACLE_OUT)/%: tests/oracle/%.c $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) $(OPT) $(EXTRA) $(HOST_LINK) $< $(B)/libslotledger.a -o $@
.PHONY: spe check-spe
check-oracle: check-spe
spe: $(TOOL) $(SPE_BIN)
	@OUT=$(ORACLE_OUT) OURS=$(TOOL) sh tests/oracle/spe.sh $(SEED) 40
check-spe: $(TOOL) $(SPE_BIN) ## SPE packets and samples of 2000 random buffers, equal to perf's (10 minutes)
	@OUT=$(ORACLE_OUT) OURS=$(TOOL) sh tests/oracle/spe.sh $(SEED) 2000

# perf.data beside the installed perf: generated recordings of small programs that are built here.
PERF_TARGETS := perf_kernel perf_target perf_target_fixed perf_target_nodebug perf_target_stripped perf_target_aarch64
PERF_TARGET_FLAGS := -O1 -ffile-prefix-map=$(CURDIR)/=
PERF_TOOLS := $(ORACLE_OUT)/genperf $(ORACLE_OUT)/perf_dump $(PERF_TARGETS:%=$(ORACLE_OUT)/%)
CHECK_MORE += perf-data
$(ORACLE_OUT)/genperf: tests/oracle/genperf.c tests/oracle/perf_writer.h $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) -D_GNU_SOURCE $(OPT) $(EXTRA) $(HOST_LINK) $< $(B)/libslotledger.a $(ELF_LIBS) -o $@
$(ORACLE_OUT)/perf_dump: tests/oracle/perf_dump.c $(HOSTED_LIB_OBJ) $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) -D_GNU_SOURCE $(OPT) $(EXTRA) $(HOST_LINK) $^ $(ELF_LIBS) -o $@
$(ORACLE_OUT)/perf_target: tests/oracle/perf_target.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)gcc $(PERF_TARGET_FLAGS) -g -fPIE -pie $< -o $@
$(ORACLE_OUT)/perf_target_fixed: tests/oracle/perf_target.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)gcc $(PERF_TARGET_FLAGS) -g -fno-pie -no-pie $< -o $@
$(ORACLE_OUT)/perf_target_nodebug: tests/oracle/perf_target.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)gcc $(PERF_TARGET_FLAGS) -fPIE -pie $< -o $@
$(ORACLE_OUT)/perf_target_stripped: tests/oracle/perf_target.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)gcc $(PERF_TARGET_FLAGS) -s -fPIE -pie $< -o $@
$(ORACLE_OUT)/perf_kernel: tests/oracle/perf_kernel.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)gcc $(PERF_TARGET_FLAGS) -g -mcmodel=kernel -fno-pic -no-pie -nostdlib -static -Wl,--build-id \
	  -Wl,-Ttext=0xffffffff81000000 -Wl,-Tdata=0xffffffff81800000 $< -o $@
# No start files and no library: a cross compiler alone has none.
$(ORACLE_OUT)/perf_target_aarch64: tests/oracle/perf_target.c
	@mkdir -p $(@D)
	$(call say,LINK,$@)aarch64-linux-gnu-gcc $(PERF_TARGET_FLAGS) -g -mno-outline-atomics -nostdlib -static -Wl,-e,main $< -o $@
.PHONY: perf-data check-perf-data
check-oracle: check-perf-data
perf-data: $(PERF_TOOLS)
	@OUT=$(ORACLE_OUT) sh tests/oracle/perf_data.sh $(SEED) 60
check-perf-data: $(PERF_TOOLS) ## samples of 2000 random recordings, equal to those of perf script
	@OUT=$(ORACLE_OUT) sh tests/oracle/perf_data.sh $(SEED) 2000

# c2c report beside the installed perf.
CHECK_MORE += c2c
$(ORACLE_OUT)/genc2c: tests/oracle/genc2c.c tests/oracle/c2c_writer.c tests/oracle/c2c_writer.h $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) $(OPT) $(EXTRA) $(HOST_LINK) $(filter %.c %.a,$^) -o $@
.PHONY: c2c check-c2c
check-oracle: check-c2c
c2c: $(TOOL) $(ORACLE_OUT)/genc2c
	@OUT=$(ORACLE_OUT) OURS=$(TOOL) CC='$(CC)' sh tests/oracle/c2c.sh $(SEED) 60
check-c2c: $(TOOL) $(ORACLE_OUT)/genc2c ## reports of 2500 random recordings over all options, equal to perf's (20 minutes)
	@OUT=$(ORACLE_OUT)/full OURS=$(TOOL) GEN=$(ORACLE_OUT)/genc2c CC='$(CC)' sh tests/oracle/c2c.sh $(SEED) 2500

# `c2c record` beside the installed perf (needs root: a mount namespace with other PMUs).
CHECK_MORE += c2c-record
$(ORACLE_OUT)/record_clock: tests/oracle/record_clock.c $(HOSTED_LIB_OBJ) $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) -D_GNU_SOURCE $(OPT) $(EXTRA) $(HOST_LINK) $^ $(ELF_LIBS) -o $@
.PHONY: c2c-record
c2c-record: $(TOOL) $(ORACLE_OUT)/record_clock $(ORACLE_OUT)/perf_dump
	@OUT=$(ORACLE_OUT) OURS=$(TOOL) sh tests/oracle/c2c_record.sh

# The terminal view beside perf's own.
CHECK_MORE += c2c-tui
.PHONY: c2c-tui
c2c-tui: $(TOOL) $(ORACLE_OUT)/genc2c
	@OUT=$(ORACLE_OUT) OURS=$(TOOL) CC='$(CC)' sh tests/oracle/c2c_tui.sh 0 1 6
