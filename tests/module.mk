# SPDX-License-Identifier: Apache-2.0
# Everything that judges the build: `make check` and its parts. Each part closes with "N passed, N failed, N skipped".

FUZZ_RUNS ?= 1000000
CHECK_FUZZ_RUNS ?= 20000
CLANG_TIDY ?= clang-tidy-19
STACK_LIMIT := 512
COV_LIMIT := 95

# The parts of `make check`, in order: the cheap and telling ones first.
CHECK_PARTS ?= check-build clang-build unit $(CHECK_MORE) qemu unit-san fuzz-short tables-short lint libs stack size install-test

.PHONY: check check-build clang-build install-test unit unit-san fuzz fuzz-short lint size stack cov bench demo
check: ## build and run every test; closes with the counts
	@sh tests/deps.sh check
	@MAKE='$(MAKE)' sh tests/check.sh build/check $(CHECK_PARTS)

check-build: $(HOST_ALL) unit-bins bench-bins $(QEMU_BIN)
clang-build:
	@$(MAKE) --no-print-directory CC=$(CLANG) B=build/clang all unit-bins bench-bins

demo: ## build, then predict two small examples
	@sh tests/deps.sh build
	@$(MAKE) --no-print-directory all
	@CC='$(CC)' sh tests/demo.sh $(TOOL) $(B)

unit: $(UNIT_BIN) ## the cmocka programs of tests/unit
	@sh tests/unit/run.sh $(UNIT_BIN)
unit-san: ## the same under address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory unit SAN=1

# ---- fuzzing: libFuzzer needs clang; everything is built once more with its instrumentation --------------------
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=all
# Comparisons inside the table walks of core tell the fuzzer nothing and cost most of its time.
$(eval $(call core_rules,build/fuzz,$(CLANG),-O1 -g -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp $(FUZZ_SAN),llvm-ar-19))
FUZZ_HOSTED := $(filter-out build/fuzz/obj/hosted/cli/main.o,$(HOSTED_SRC:%.c=build/fuzz/obj/%.o))
FUZZ_BIN := $(FUZZ_SRC:tests/fuzz/%.c=build/fuzz/%)
build/fuzz/obj/hosted/%.o: hosted/%.c build/fuzz/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CLANG) $(HOSTED_FLAGS) -O1 -g -fsanitize=fuzzer-no-link $(FUZZ_SAN) -c $< -o $@
# A target links what it uses alone: libFuzzer walks over every counter of the program after each execution.
build/fuzz/hosted.a: $(FUZZ_HOSTED)
	@rm -f $@; llvm-ar-19 rcsD $@ $^
$(FUZZ_BIN): build/fuzz/%: tests/fuzz/%.c build/fuzz/hosted.a build/fuzz/libslotledger.a
	$(call say,LINK,$@)$(CLANG) $(HOSTED_FLAGS) -O1 -g -fsanitize=fuzzer $(FUZZ_SAN) $< build/fuzz/hosted.a \
	  build/fuzz/libslotledger.a $(ELF_LIBS) -o $@
-include $(FUZZ_HOSTED:.o=.d) $(FUZZ_BIN:%=%.d)

fuzz: $(FUZZ_BIN) ## every fuzz target for FUZZ_RUNS executions (10000000 is the full run)
	@sh tests/fuzz/run.sh $(FUZZ_RUNS) $(FUZZ_BIN)
fuzz-short: $(FUZZ_BIN)
	@sh tests/fuzz/run.sh $(CHECK_FUZZ_RUNS) $(FUZZ_BIN)

# ---- reading without running -------------------------------------------------------------------------------------
TIDY := $(CORE_SRC:%=build/tidy/%) $(HOSTED_SRC:%=build/tidy/%) $(PORT_SRC:%=build/tidy/%)
TIDY_HDR := $(CORE_HDR) $(wildcard core/*/*.h hosted/*/*.h)
build/tidy/core/%.c: core/%.c $(TIDY_HDR) tests/tidy.sh
	@sh tests/tidy.sh $< $@ -std=c11 -ffreestanding -Icore/include -I.
build/tidy/ports/%.c: ports/%.c $(TIDY_HDR) $(wildcard ports/*/*.h ports/include/slotledger/*.h) tests/tidy.sh
	@sh tests/tidy.sh $< $@ -std=c11 -ffreestanding -DSL_PORT_FAKE -Icore/include -Iports/include -I.
build/tidy/hosted/%.c: hosted/%.c $(TIDY_HDR) tests/tidy.sh
	@sh tests/tidy.sh $< $@ -std=c11 -D_GNU_SOURCE -DSL_VERSION='"$(VERSION)"' -Icore/include -I.
lint: $(TIDY) ## clang-tidy, include arrows between rooms, headers that stand alone, no libc in core
	@CC='$(CC)' sh tests/lint.sh $(TIDY)

# ---- budgets -----------------------------------------------------------------------------------------------------
# build/host has no notes: link-time optimisation takes its frames apart and together.
$(eval $(call core_rules,build/host-gcc,gcc,-O2 -fPIE -fcallgraph-info=su,ar))
STACK_DIRS := build/host-gcc $(BOARDS:%=build/%) $(TARGETS:%=build/%-clang)
stack: $(STACK_DIRS:%=%/libslotledger.a) ## largest stack frame of core for each target, and no recursion
	@sh tests/stack.sh $(STACK_LIMIT) $(STACK_DIRS)
size: build/aarch64-os/libslotledger.a build/host/bench/arena build/cortex_m7/qemu/mca_self.elf ## code, tables and arena against their limits
	@sh tests/size.sh $^
bench: $(TOOL) $(BENCH_BIN) ## speed, start-up time and memory beside llvm-mca-19
	@sh tests/bench/bench.sh $(TOOL) $(B)/bench
cov: ## line coverage of core by the tests, file by file
	@sh tests/deps.sh check
	@mkdir -p build; find build/host-cov -name '*.gcda' -delete 2> /dev/null || true
	@$(MAKE) --no-print-directory -k COV=1 $(COV_PARTS) > build/cov.log 2>&1 || { tail -20 build/cov.log; echo "cov: a test failed: see build/cov.log"; }
	@sh tests/cov.sh $(COV_LIMIT) build/host-cov
# With the library's own tests, what the comparison with llvm-mca reaches counts, too.
COV_PARTS ?= unit oracle

.PHONY: format
format: ## clang-format over the hand-written C and C++
	clang-format -i $(filter-out core/gen/%,$(CORE_SRC) $(MODEL_SOURCE) $(CORE_HDR) $(HOSTED_SRC) $(UNIT_SRC) $(FUZZ_SRC) $(BENCH_SRC) $(GEN_SRC))

install-test: $(HOST_ALL)
	@MAKE='$(MAKE)' sh tests/install.sh $(VERSION)

.PHONY: faults
faults: ## 22 single wrong lines in the simulator: each must be noticed by a part of make check (half an hour)
	@MAKE='$(MAKE)' sh tests/faults.sh build/faults $(FAULT)
