# SPDX-License-Identifier: Apache-2.0
# core/model/cpu.c is compiled once per generated model: -DSL_CPU_ID=aarch64_cortex_a53 defines sl_cpu_aarch64_cortex_a53.
MODEL_IDS := $(patsubst core/gen/model_%.inc,%,$(wildcard core/gen/model_*.inc))
