# SPDX-License-Identifier: Apache-2.0
# Benchmarks of the traced way, beside the installed perf.

BENCH_C2C_MILLIONS ?= 1 2 5
.PHONY: bench-c2c
bench: bench-c2c
bench-c2c: $(TOOL) $(ORACLE_OUT)/genc2c ## c2c report of 5 million samples: processor time and memory beside perf
	@OUT=build/bench-c2c OURS=$(TOOL) GEN=$(ORACLE_OUT)/genc2c sh tests/bench/c2c.sh $(BENCH_C2C_MILLIONS)
