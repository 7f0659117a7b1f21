# SPDX-License-Identifier: Apache-2.0
# SPE buffers decoded and folded on boards and on the host. The AArch64 program is one of linker/module.mk's.

CHECK_MORE += qemu-spe
SPE_FOLD := tests/qemu/spe_fold.c
SPE_FOLD_BIN := build/host/qemu/spe_fold build/aarch64/qemu/spe_fold.elf build/rv64/qemu/spe_fold.elf build/rv32/qemu/spe_fold.elf
RISCV_VIRT := --specs=picolibc.specs --oslib=semihost --crt0=semihost -DPICOLIBC_INTEGER_PRINTF_SCANF -Wl,--gc-sections \
  -Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=0x400000,--defsym=__ram=0x80400000,--defsym=__ram_size=0x1000000

build/host/qemu/spe_fold: $(SPE_FOLD) $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(COMMON) -O2 $(EXTRA) $(HOST_LINK) $< $(B)/libslotledger.a -o $@
build/rv64/qemu/spe_fold.elf build/rv32/qemu/spe_fold.elf: build/%/qemu/spe_fold.elf: $(SPE_FOLD) build/%/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)riscv64-unknown-elf-gcc $(COMMON) $(flags_$*) $(RISCV_VIRT) $< build/$*/libslotledger.a -o $@

.PHONY: qemu-spe
qemu-spe: $(SPE_FOLD_BIN) $(TOOL) ## SPE buffers fold to the same table on AArch64, RV64 and RV32 in QEMU and on the host
	@sh tests/qemu/spe.sh build $(TOOL)

# Two cores, one line: README's example of false sharing. Built by linker/module.mk.
CHECK_MORE += qemu-share
build/aarch64/qemu/spe_apart.elf: tests/qemu/spe_share.c
.PHONY: qemu-share
qemu-share: build/aarch64/qemu/spe_share.elf build/aarch64/qemu/spe_apart.elf $(TOOL) ## false sharing of two cores in QEMU, from the board's dump to the named struct member
	@sh tests/qemu/share.sh build $(TOOL)
