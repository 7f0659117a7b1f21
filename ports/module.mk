# SPDX-License-Identifier: Apache-2.0
# The ports: ports/common and one architecture's folder -> build/TARGET/libslotledger_ports.a for boards;
# all of them over scripted registers -> build/host/libports_fake.a for tests.

PORT_FLAGS = -Iports/include
PORT_SRC := $(wildcard ports/*/*.c)
port_src = $(wildcard ports/common/*.c ports/$(1)/*.c)

# $(call port_rules,FOLDER,COMPILER,FLAGS,AR,ARCHITECTURE)
define port_rules
$(1)/obj/ports/%.o: ports/%.c $(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$(2) $$(CORE_FLAGS) $$(PORT_FLAGS) $(3) -c $$< -o $$@
$(1)/libslotledger_ports.a: $(patsubst %.c,$(1)/obj/%.o,$(call port_src,$(5)))
	@rm -f $$@; mkdir -p $$(@D)
	@echo "  AR $$@"; $(4) rcsD $$@ $$^
-include $(patsubst %.c,$(1)/obj/%.d,$(call port_src,$(5)))
endef

port_arch_host := x86_64
port_arch_aarch64 := aarch64
port_arch_armv7m := cortexm
port_arch_armv81m := cortexm
port_arch_rv32 := riscv
port_arch_rv64 := riscv
# Reading CSRs: gcc has it in the base set up to version 2.2 of the ISA, clang as an extension of its own.
port_flags_gcc_rv32 := -march=rv32imac -misa-spec=2.2 -mabi=ilp32 -O2
port_flags_gcc_rv64 := -march=rv64imac -misa-spec=2.2 -mabi=lp64 -mcmodel=medany -O2
port_flags_clang_rv32 := -march=rv32imac_zicsr -mabi=ilp32 -O2
port_flags_clang_rv64 := -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O2
port_flags = $(or $(port_flags_$(1)_$(2)),$(flags_$(2)))
$(foreach t,$(BOARDS),$(eval $(call port_rules,build/$(t),$(gcc_$(t)),$(call port_flags,gcc,$(t)) -fcallgraph-info=su,$(patsubst %-gcc,%-ar,$(gcc_$(t))),$(port_arch_$(t)))))
$(foreach t,$(BOARDS),$(eval $(call port_rules,build/$(t)-clang,$(CLANG) $(clang_$(t)),$(call port_flags,clang,$(t)),llvm-ar-19,$(port_arch_$(t)))))
$(eval $(call port_rules,build/host-gcc,gcc,-O2 -mno-red-zone -mgeneral-regs-only -fcallgraph-info=su,ar,x86_64))
$(eval $(call port_rules,build/host-clang,$(CLANG),-O2 -mno-red-zone -mgeneral-regs-only,llvm-ar-19,x86_64))
# What ports need of core: enough for a board that only measures.
capture_objs = $(patsubst %.c,$(1)/obj/%.o,$(wildcard core/base/*.c core/capture/*.c))
# And to plan its passes: the models of core/topdown.
plan_objs = $(patsubst %.c,$(1)/obj/%.o,$(wildcard core/slots/*.c core/topdown/*.c))
PORT_DIRS := build/host-gcc $(BOARDS:%=build/%) build/host-clang $(BOARDS:%=build/%-clang)
PORT_LIBS := $(PORT_DIRS:%=%/libslotledger_ports.a)

.PHONY: port-libs port-stack port-size
port-libs: $(PORT_LIBS) $(foreach d,$(PORT_DIRS),$(call capture_objs,$(d)) $(call plan_objs,$(d))) ## the ports for their targets with gcc and clang, and their undefined symbols
	@BESIDE='obj/core/base/*.o obj/core/capture/*.o obj/core/topdown/*.o obj/core/slots/*.o' sh tests/symbols.sh $(PORT_LIBS)

# ---- budgets (issue 4) ---------------------------------------------------------------------------------------------
PORT_STACK_LIMIT := 256
port-stack: $(PORT_LIBS) ## largest stack frame of the ports for each target, and no recursion
	@ROOM=ports sh tests/stack.sh $(PORT_STACK_LIMIT) $(PORT_DIRS)
$(eval $(call core_rules,build/cortex_m33-os,arm-none-eabi-gcc,-mthumb -mcpu=cortex-m33 -mfloat-abi=soft -Os,arm-none-eabi-ar))
$(eval $(call port_rules,build/cortex_m33-os,arm-none-eabi-gcc,-mthumb -mcpu=cortex-m33 -mfloat-abi=soft -Os,arm-none-eabi-ar,cortexm))
$(eval $(call port_rules,build/aarch64-os,$(gcc_aarch64),-mstrict-align -mgeneral-regs-only -Os -fno-pie,aarch64-linux-gnu-ar,aarch64))
# A program that measures and does nothing else, without what it does not use.
SIZE_LINK := -nostdlib -static -Wl,--gc-sections -Wl,--sort-section=alignment -Wl,-e,measure -Wl,--build-id=none
port_size_program = $(1)/port_size.elf: tests/port_size.c $(1)/libslotledger_ports.a $(call capture_objs,$(1)) ; \
	$(2) $$(CORE_FLAGS) $$(PORT_FLAGS) $(3) $$(SIZE_LINK) $$^ -o $$@
$(eval $(call port_size_program,build/cortex_m33-os,arm-none-eabi-gcc,-mthumb -mcpu=cortex-m33 -mfloat-abi=soft -Os))
$(eval $(call port_size_program,build/aarch64-os,$(gcc_aarch64),-mstrict-align -mgeneral-regs-only -Os -fno-pie -no-pie))
port-size: build/cortex_m33-os/port_size.elf build/aarch64-os/port_size.elf build/qemu/cortex_m33.elf build/qemu/aarch64.elf ## code of the ports and the capture writer, memory of a core, against their limits
	@sh tests/port_size.sh build
# `make size` and `make stack` judge the ports, too.
size: port-size
stack: port-stack
CHECK_MORE += qemu-ports port-libs

# ---- the fakes -----------------------------------------------------------------------------------------------------
FAKE_FLAGS = $(COMMON) $(PORT_FLAGS) -ffreestanding $(HOST_FLAGS) $(OPT) $(EXTRA) $(CFLAGS) -DSL_PORT_FAKE
FAKE_OBJ := $(PORT_SRC:ports/%.c=$(B)/obj/ports-fake/%.o)
FAKE32_OBJ := $(patsubst ports/%.c,$(B)/obj/ports-fake32/%.o,$(wildcard ports/common/*.c ports/riscv/*.c))
$(B)/obj/ports-fake/%.o: ports/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(FAKE_FLAGS) -c $< -o $@
$(B)/obj/ports-fake32/%.o: ports/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(FAKE_FLAGS) -DRV_XLEN=32 -c $< -o $@
$(B)/libports_fake.a: $(FAKE_OBJ)
	@rm -f $@; echo "  AR $@"; $(HOST_AR) rcsD $@ $^
$(B)/libports_fake32.a: $(FAKE32_OBJ)
	@rm -f $@; echo "  AR $@"; $(HOST_AR) rcsD $@ $^
$(B)/obj/tests/unit/test_port_%.o: HOSTED_FLAGS += $(PORT_FLAGS) -DSL_PORT_FAKE
$(B)/unit/test_port_riscv32: $(B)/obj/tests/unit/test_port_riscv32.o $(B)/libports_fake32.a $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(OPT) $(EXTRA) $(CFLAGS) $(HOST_LINK) $(LDFLAGS) $^ -lcmocka -o $@
$(B)/unit/test_port_%: $(B)/obj/tests/unit/test_port_%.o $(B)/libports_fake.a $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(OPT) $(EXTRA) $(CFLAGS) $(HOST_LINK) $(LDFLAGS) $^ -lcmocka -o $@
-include $(FAKE_OBJ:.o=.d) $(FAKE32_OBJ:.o=.d)
