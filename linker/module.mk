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

# $(call memory,FLASH,FLASH_SIZE,RAM,RAM_SIZE,STACK): for picolibc's linker script
memory = -Wl,--defsym=__flash=$(1),--defsym=__flash_size=$(2),--defsym=__ram=$(3),--defsym=__ram_size=$(4),--defsym=__stack_size=$(5)
build/rv64/qemu/mca_self.elf: tests/qemu/mca_self.c build/rv64/libslotledger.a linker/module.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)riscv64-unknown-elf-gcc --specs=picolibc.specs --oslib=semihost --crt0=semihost $(COMMON) -O2 -g \
	  -march=rv64imac -mabi=lp64 -mcmodel=medany -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--gc-sections \
	  $(call memory,0x80000000,0x800000,0x80800000,0x800000,0x4000) $< build/rv64/libslotledger.a -o $@
# Cortex-M7: the image that has to fit into 64 KB of flash and 64 KB of RAM, so for size; Cortex-M55: with MVE's
# decoder, and without low-overhead loops, which LLVM's model of that core refuses.
$(eval $(call core_rules,build/cortex_m7,arm-none-eabi-gcc,-mthumb -mcpu=cortex-m7 -mfloat-abi=soft -Os,arm-none-eabi-ar))
build/cortex_m7/qemu/mca_self.elf: M_FLAGS = -Os -mcpu=cortex-m7 $(call memory,0,0x10000,0x20000000,0x10000,0x1000)
build/armv81m/qemu/mca_self.elf: M_FLAGS = -O2 -mcpu=cortex-m55 -DMCA_SELF_CORTEX_M55 -fno-branch-count-reg $(call memory,0,0x40000,0x20000000,0x20000,0x1000)
build/cortex_m7/qemu/mca_self.elf build/armv81m/qemu/mca_self.elf: build/%/qemu/mca_self.elf: tests/qemu/mca_self.c \
    build/%/libslotledger.a linker/module.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)arm-none-eabi-gcc --specs=picolibc.specs --oslib=semihost --crt0=semihost $(COMMON) -g -mthumb \
	  -mfloat-abi=soft -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--gc-sections $(M_FLAGS) $< build/$*/libslotledger.a -o $@
MCA_SELF := $(foreach target,aarch64 rv64 cortex_m7 armv81m,build/$(target)/qemu/mca_self.elf)

# ---- the board program: tests/qemu/board/main.c with one board's file -> build/qemu/IMAGE.elf -------------------------
BOARD_HDR := tests/qemu/board/board.h $(wildcard ports/include/slotledger/*.h) $(CORE_HDR)
BOARD_FLAGS = $(COMMON) $(PORT_FLAGS) -g -Wl,--gc-sections
PICOLIBC_BOARD := --oslib=semihost -DPICOLIBC_INTEGER_PRINTF_SCANF
board_libs = build/$(1)/libslotledger_ports.a $(call capture_objs,build/$(1)) $(call plan_objs,build/$(1))

# $(call board_image,IMAGE,TARGET,COMPILER,FLAGS,SOURCES)
define board_image
build/qemu/$(1).elf: $(5) $(BOARD_HDR) $(call board_libs,$(2)) linker/module.mk
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$(3) $$(BOARD_FLAGS) $(4) $(5) $(call board_libs,$(2)) -o $$@
BOARD_IMAGES += build/qemu/$(1).elf
endef
BOARD_IMAGES :=
BOARD_MAIN := tests/qemu/board/main.c
A64_BOARD := --specs=$(PICOLIBC_AARCH64) --crt0=semihost $(PICOLIBC_BOARD) -O2 -mcpu=cortex-a57 -mno-outline-atomics \
  -mstrict-align -mgeneral-regs-only -static -no-pie -fno-pie linker/aarch64_virt.ld
$(eval $(call board_image,aarch64,aarch64,aarch64-linux-gnu-gcc,$(A64_BOARD),$(BOARD_MAIN) tests/qemu/board/aarch64.c linker/aarch64_virt.S))
RV_BOARD := --specs=picolibc.specs $(PICOLIBC_BOARD) -O2 -nostartfiles
RV64_BOARD := $(RV_BOARD) -march=rv64imac -misa-spec=2.2 -mabi=lp64 -mcmodel=medany
RV32_BOARD := $(RV_BOARD) -march=rv32imac -misa-spec=2.2 -mabi=ilp32
RV_MACHINE := $(call memory,0x80000000,0x200000,0x80200000,0x200000,0x4000)
RV_SUPERVISOR := -DBOARD_SUPERVISOR $(call memory,0x80200000,0x200000,0x80400000,0x200000,0x4000)
RV_SRC := $(BOARD_MAIN) tests/qemu/board/riscv.c linker/riscv_virt.S
$(eval $(call board_image,rv64,rv64,riscv64-unknown-elf-gcc,$(RV64_BOARD) $(RV_MACHINE),$(RV_SRC)))
$(eval $(call board_image,rv64_smp,rv64,riscv64-unknown-elf-gcc,$(RV64_BOARD) $(RV_MACHINE) -DBOARD_HARTS=4,$(RV_SRC)))
$(eval $(call board_image,rv64_s,rv64,riscv64-unknown-elf-gcc,$(RV64_BOARD) $(RV_SUPERVISOR),$(RV_SRC)))
$(eval $(call board_image,rv32,rv32,riscv64-unknown-elf-gcc,$(RV32_BOARD) $(RV_MACHINE),$(RV_SRC)))
CM_BOARD := --specs=picolibc.specs --crt0=semihost $(PICOLIBC_BOARD) -mthumb -mfloat-abi=soft -Os
CM_SRC := $(BOARD_MAIN) tests/qemu/board/cortexm.c
$(eval $(call board_image,armv7m,armv7m,arm-none-eabi-gcc,$(CM_BOARD) -mcpu=cortex-m3 $(call memory,0,0x40000,0x20000000,0x20000,0x1000),$(CM_SRC)))
$(eval $(call board_image,cortex_m33,armv7m,arm-none-eabi-gcc,$(CM_BOARD) -mcpu=cortex-m33 $(call memory,0x10000000,0x40000,0x38000000,0x20000,0x1000),$(CM_SRC)))
$(eval $(call board_image,cortex_m55,armv81m,arm-none-eabi-gcc,$(CM_BOARD) -mcpu=cortex-m55 $(call memory,0,0x40000,0x20000000,0x20000,0x1000),$(CM_SRC)))
X86_BOARD := -O2 -nostdlib -static -no-pie -fno-pie -ffreestanding -mno-red-zone -mgeneral-regs-only -Wl,--build-id=none \
  -Wl,-z,noexecstack -Wl,--no-warn-rwx-segments -T linker/x86_64_pvh.ld
$(eval $(call board_image,x86_64,host-gcc,gcc,$(X86_BOARD),$(BOARD_MAIN) tests/qemu/board/x86_64.c linker/x86_64_pvh.S))

# A test source of the host under the shim: tests/unit/test_port_region.c -> build/qemu/region_TARGET.elf
SHIM := -isystem tests/qemu/shim tests/qemu/shim/shim.c tests/unit/test_port_region.c
SHARED_SRC := tests/unit/test_port_region.c tests/qemu/shim/shim.c tests/qemu/shim/cmocka.h
define shared_image
build/qemu/region_$(1).elf: $(SHARED_SRC) $(BOARD_HDR) $(call board_libs,$(1)) linker/module.mk
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$(2) $$(BOARD_FLAGS) $(3) $(SHIM) $(call board_libs,$(1)) -o $$@
BOARD_IMAGES += build/qemu/region_$(1).elf
endef
RV_CRT := --crt0=semihost $(call memory,0x80000000,0x200000,0x80200000,0x200000,0x4000)
$(eval $(call shared_image,aarch64,aarch64-linux-gnu-gcc,$(A64_BOARD)))
$(eval $(call shared_image,rv64,riscv64-unknown-elf-gcc,$(filter-out -nostartfiles,$(RV64_BOARD)) $(RV_CRT)))
$(eval $(call shared_image,rv32,riscv64-unknown-elf-gcc,$(filter-out -nostartfiles,$(RV32_BOARD)) $(RV_CRT)))
$(eval $(call shared_image,armv7m,arm-none-eabi-gcc,$(CM_BOARD) -mcpu=cortex-m3 $(call memory,0,0x40000,0x20000000,0x20000,0x1000)))

.PHONY: qemu qemu-ports
qemu-ports: $(BOARD_IMAGES) $(TOOL) ## the board program on every configuration of tests/qemu/configs.txt, each dump read by the host
	@sh tests/qemu/ports.sh tests/qemu/configs.txt build/qemu $(TOOL)
qemu: $(QEMU_BIN) $(MCA_SELF) $(TOOL) ## the bare-metal program in QEMU, and the same numbers on the host
	@sh tests/qemu/run.sh $(TOOL) $(MCA_SELF)
