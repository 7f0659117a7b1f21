# SPDX-License-Identifier: Apache-2.0
# Bare-metal programs for the boards that run in QEMU: tests/qemu/NAME.c -> build/aarch64/qemu/NAME.elf.

PICOLIBC_AARCH64 ?= /usr/lib/picolibc/aarch64-linux-gnu/picolibc.specs
QEMU_BIN := $(patsubst tests/qemu/%.c,build/aarch64/qemu/%.elf,$(wildcard tests/qemu/*.c))

# strict-align: with the MMU off all memory is Device memory, where a real core faults on an unaligned access.
build/aarch64/qemu/%.elf: tests/qemu/%.c linker/aarch64_virt.ld build/aarch64/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)aarch64-linux-gnu-gcc --specs=$(PICOLIBC_AARCH64) --oslib=semihost --crt0=semihost \
	  $(COMMON) -O2 -g -mcpu=cortex-a53 -mstrict-align -static -no-pie -fno-pie -DPICOLIBC_INTEGER_PRINTF_SCANF \
	  -Wl,--gc-sections $< linker/aarch64_virt.ld build/aarch64/libslotledger.a -o $@
-include $(QEMU_BIN:.elf=.d)

.PHONY: qemu
qemu: $(QEMU_BIN) $(TOOL) ## the bare-metal program in QEMU, and the same numbers on the host
	@sh tests/qemu/run.sh build/aarch64/qemu/mca_self.elf $(TOOL)
