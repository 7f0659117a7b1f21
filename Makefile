# SPDX-License-Identifier: Apache-2.0
# slotledger: one entry point. `make help` lists the targets; folders may add to it with a module.mk.
#
# Sources are found by wildcard: a new file in a room needs no edit here.
#   core/ROOM/*.c             -> build/TARGET/libslotledger.a (compiled once per model: see core/model/module.mk)
#   hosted/{cli,io,report,modeltext}/*.c -> build/host/slotledger
#   tests/unit/test_*.c       -> one cmocka program each
#   tests/fuzz/fuzz_*.c       -> one libFuzzer program each
#   tests/bench/*.c           -> one benchmark program each

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
# As many jobs as cores, unless the caller said how many.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

VERSION := 0.1.0
ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang-19
HOST_AR ?= ar
OPT ?= -O2
PREFIX ?= /usr/local
DESTDIR ?=

# One short line a step; V=1 shows the commands.
ifeq ($(V),)
say = @echo "  $(1) $(2)";
else
say =
endif

# ---- where and how the host is built -------------------------------------------------------------------------
ifdef SAN
B ?= build/host-san
OPT := -O1 -g
EXTRA := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
ifdef COV
B ?= build/host-cov
OPT := -O0 -g
EXTRA := --coverage
endif
B ?= build/host
# Generators and references of the comparison runs, which tests and benchmarks share.
ORACLE_OUT := $(if $(SAN)$(COV),$(B),build)/oracle

WARN := -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
        -Wvla -Wundef -Werror
COMMON = $(WARN) -MMD -MP -ffile-prefix-map=$(CURDIR)/= -Icore/include -I.
CORE_FLAGS = $(COMMON) -ffreestanding -ffunction-sections -fdata-sections -fstack-usage
# Objects are position independent, so that anybody can link the library; the tool is linked at a fixed address,
# so that its tables need no relocation at start-up and stay on disk until touched.
HOST_FLAGS := -fPIE
HOSTED_FLAGS = $(COMMON) -D_GNU_SOURCE -DSL_VERSION='"$(VERSION)"' $(HOST_FLAGS)
HOST_LINK := -no-pie -Wl,--gc-sections
archive = $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a))
# libdw reads DWARF and libelf ELF files (both of elfutils), zstd compressed recordings. Linked statically, the first two
# call zlib, liblzma and libbz2. Of the C++ runtime only the demangler is used.
ELF_ARCHIVES := dw elf zstd z lzma bz2 supc++
ELF_LIBS := $(foreach lib,$(ELF_ARCHIVES),$(call archive,$(lib)))
ifneq ($(words $(ELF_LIBS)),$(words $(ELF_ARCHIVES)))
ELF_LIBS := -ldw -lelf -lzstd -lstdc++
endif
# The terminal: ncurses with wide characters.
TUI_LIBS := $(foreach lib,ncursesw tinfo,$(call archive,$(lib)))
ELF_LIBS += $(if $(filter 2,$(words $(TUI_LIBS))),$(TUI_LIBS),-lncursesw -ltinfo)
# Models as text.
ELF_LIBS += $(or $(call archive,yaml),-lyaml)
# Without a dynamic linker where the libraries allow it: the tool ends in about a millisecond, a fifth of which that would take.
TOOL_LINK := $(if $(SAN)$(COV)$(filter -l%,$(ELF_LIBS)),,$(if $(call archive,c),-static))

# The simulator's inner loops cross files: with gcc the tool gets them optimised as one (the library's objects hold
# ordinary code beside that).
TUNE := $(if $(SAN)$(COV)$(filter-out gcc,$(notdir $(CC))),,-O3 -flto=auto -ffat-lto-objects)
$(B)/obj/core/mca/%.o $(B)/obj/core/observe/%.o $(B)/obj/core/c2c/%.o $(B)/obj/core/spe/%.o: HOT = $(TUNE)
$(B)/obj/hosted/io/perf_%.o $(B)/obj/hosted/cli/c2c_%.o: HOT = $(TUNE)

# ---- sources -------------------------------------------------------------------------------------------------
# A model file is compiled once for each word of MODEL_IDS, with $(call model_flags,ID).
MODEL_SOURCE := core/model/cpu.c
MODEL_IDS :=
model_flags = -DSL_CPU_ID=$(1)
-include core/model/module.mk

CORE_SRC := $(filter-out $(MODEL_SOURCE),$(wildcard core/*/*.c))
CORE_HDR := $(wildcard core/include/slotledger/*.h)
HOSTED_SRC := $(wildcard hosted/cli/*.c hosted/io/*.c hosted/report/*.c hosted/modeltext/*.c)
UNIT_SRC := $(wildcard tests/unit/test_*.c)
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
BENCH_SRC := $(wildcard tests/bench/*.c)

core_objs = $(CORE_SRC:%.c=$(1)/obj/%.o) $(MODEL_IDS:%=$(1)/obj/core/model/cpu_%.o)

# ---- one build folder of core: $(call core_rules,FOLDER,COMPILER,FLAGS,AR) ------------------------------------
# FOLDER/flags changes when the command line does, and everything in the folder depends on it.
define core_rules
$(1)/flags: FORCE
	@mkdir -p $$(@D); echo '$(2) $(3)' | cmp -s - $$@ || echo '$(2) $(3)' > $$@
$(1)/obj/core/%.o: core/%.c $(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$(2) $$(CORE_FLAGS) $(3) $$(HOT) -c $$< -o $$@
$(foreach id,$(MODEL_IDS),
$(1)/obj/core/model/cpu_$(id).o: $(MODEL_SOURCE) $(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$(2) $$(CORE_FLAGS) $(3) $(call model_flags,$(id)) -c $$< -o $$@
)
$(1)/libslotledger.a: $(call core_objs,$(1))
	@rm -f $$@; mkdir -p $$(@D)
	@echo "  AR $$@"; echo $$^ | tr ' ' '\n' > $$@.rsp; $(4) rcsD $$@ @$$@.rsp
-include $$(patsubst %.o,%.d,$(call core_objs,$(1)))
endef

$(eval $(call core_rules,$(B),$(CC),$(OPT) $(EXTRA) $(CFLAGS) $(HOST_FLAGS),$(HOST_AR)))

# ---- the tool ------------------------------------------------------------------------------------------------
HOSTED_OBJ := $(HOSTED_SRC:%.c=$(B)/obj/%.o)
HOSTED_LIB_OBJ := $(filter-out $(B)/obj/hosted/cli/main.o,$(HOSTED_OBJ))
TOOL := $(B)/slotledger
HOST_ALL := $(B)/libslotledger.a
ifneq ($(wildcard hosted/cli/main.c),)
HOST_ALL += $(TOOL)
endif

.PHONY: all
all: $(HOST_ALL) ## build the tool build/host/slotledger and the library (the default)

$(B)/obj/hosted/%.o: hosted/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(HOSTED_FLAGS) $(OPT) $(EXTRA) $(CFLAGS) $(HOT) -c $< -o $@

$(TOOL): $(HOSTED_OBJ) $(B)/libslotledger.a
	$(call say,LINK,$@)$(CC) $(OPT) $(EXTRA) $(CFLAGS) $(TUNE) $(HOST_LINK) $(TOOL_LINK) $(LDFLAGS) $^ $(ELF_LIBS) -o $@

# ---- unit tests ----------------------------------------------------------------------------------------------
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(B)/unit/%)
.PHONY: unit-bins
unit-bins: $(UNIT_BIN)
.PRECIOUS: $(B)/obj/tests/%.o
$(B)/obj/tests/%.o: tests/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(HOSTED_FLAGS) $(OPT) $(EXTRA) $(CFLAGS) -c $< -o $@
$(B)/unit/%: $(B)/obj/tests/unit/%.o $(HOSTED_LIB_OBJ) $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(OPT) $(EXTRA) $(CFLAGS) -fno-lto $(HOST_LINK) $(LDFLAGS) $^ $(ELF_LIBS) -lcmocka -o $@

# ---- benchmark programs --------------------------------------------------------------------------------------
BENCH_BIN := $(BENCH_SRC:tests/bench/%.c=$(B)/bench/%)
.PHONY: bench-bins
bench-bins: $(BENCH_BIN)
$(B)/bench/%: $(B)/obj/tests/bench/%.o $(HOSTED_LIB_OBJ) $(B)/libslotledger.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(OPT) $(EXTRA) $(CFLAGS) -fno-lto $(HOST_LINK) $(LDFLAGS) $^ $(ELF_LIBS) -o $@

-include $(HOSTED_OBJ:.o=.d) $(UNIT_SRC:%.c=$(B)/obj/%.d) $(BENCH_SRC:%.c=$(B)/obj/%.d)

# ---- the six targets of core ---------------------------------------------------------------------------------
TARGETS := host aarch64 armv7m armv81m rv32 rv64
A64_FLAGS := -mstrict-align -mgeneral-regs-only -O2
gcc_aarch64 := aarch64-linux-gnu-gcc
gcc_armv7m := arm-none-eabi-gcc
gcc_armv81m := arm-none-eabi-gcc
gcc_rv32 := riscv64-unknown-elf-gcc
gcc_rv64 := riscv64-unknown-elf-gcc
flags_aarch64 := $(A64_FLAGS) -fno-pie
flags_armv7m := -mthumb -march=armv7-m -mfloat-abi=soft -O2
flags_armv81m := -mthumb -march=armv8.1-m.main -mfloat-abi=soft -O2
flags_rv32 := -march=rv32imac -mabi=ilp32 -O2
flags_rv64 := -march=rv64imac -mabi=lp64 -mcmodel=medany -O2
clang_aarch64 := --target=aarch64-none-elf
# -meabi gnu: memcpy and memset by their own names, not as __aeabi_memcpy and its relatives.
clang_armv7m := --target=armv7m-none-eabi -meabi gnu
clang_armv81m := --target=armv8.1m.main-none-eabi -meabi gnu
clang_rv32 := --target=riscv32-none-elf
clang_rv64 := --target=riscv64-none-elf
BOARDS := $(filter-out host,$(TARGETS))
$(foreach t,$(BOARDS),$(eval $(call core_rules,build/$(t),$(gcc_$(t)),$(flags_$(t)) -fcallgraph-info=su,$(patsubst %-gcc,%-ar,$(gcc_$(t))))))
$(foreach t,$(BOARDS),$(eval $(call core_rules,build/$(t)-clang,$(CLANG) $(clang_$(t)),$(flags_$(t)),llvm-ar-19)))
$(eval $(call core_rules,build/host-clang,$(CLANG),-O2 -fPIE,llvm-ar-19))
LIBS := $(TARGETS:%=build/%/libslotledger.a) $(TARGETS:%=build/%-clang/libslotledger.a)
# The size budget is about -Os.
$(eval $(call core_rules,build/aarch64-os,$(gcc_aarch64),-mstrict-align -mgeneral-regs-only -Os -fno-pie,aarch64-linux-gnu-ar))

.PHONY: libs
libs: $(LIBS) ## core for host, aarch64, armv7m, armv81m, rv32, rv64 with gcc and clang, and its undefined symbols
	sh tests/symbols.sh $(LIBS)

# ---- the offline generator (links LLVM; never part of the tool) ------------------------------------------------
LLVM_CONFIG ?= llvm-config-19
CXX_GEN ?= g++
# Checks link core and its tables, so they are a program of their own: a table can change its layout only if the
# generator builds without the old one.
GEN_SRC := $(filter-out %_verify.cpp %_compare.cpp,$(wildcard hosted/modelgen/*.cpp))
GEN_OBJ := $(GEN_SRC:%.cpp=build/host/obj/%.o)
GEN_FLAGS = -std=c++17 -O2 -Wall -Wextra -Werror -MMD -MP -fno-rtti -fno-exceptions -I. -Icore/include \
            -isystem $(shell $(LLVM_CONFIG) --includedir)
# LLVM's headers are looked for before the first object needs them.
.PHONY: deps-tables
deps-tables:
	@sh tests/deps.sh tables
build/host/obj/hosted/modelgen/%.o: hosted/modelgen/%.cpp | deps-tables
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(CXX_GEN) $(GEN_FLAGS) -c $< -o $@
build/host/modelgen: $(GEN_OBJ)
	$(call say,LINK,$@)$(CXX_GEN) $^ -L$(shell $(LLVM_CONFIG) --libdir) -lLLVM-19 -o $@
-include $(GEN_OBJ:.o=.d)
-include hosted/modelgen/module.mk

.PHONY: tables verify-tables tables-short
tables: build/host/modelgen ## write core/gen anew from LLVM 19's libraries (minutes)
	build/host/modelgen all core/gen
verify-tables: build/host/modelgen-verify ## decoders and models equal to LLVM's: AArch64 for all 2^32 words (half an hour)
	build/host/modelgen-verify verify-models all
	build/host/modelgen-verify verify-x86_64 keys
	build/host/modelgen-verify verify-x86_64 random 20000000
	build/host/modelgen-verify verify-x86_64 mutated 20000000
	build/host/modelgen-verify verify-aarch64 --exhaustive
	build/host/modelgen-verify verify-text
	build/host/modelgen-verify verify-riscv64 --exhaustive
	build/host/modelgen-verify verify-riscv32 --exhaustive
	build/host/modelgen-verify verify-thumbm --exhaustive
	build/host/modelgen-verify verify-thumbv8m --exhaustive
	build/host/modelgen-verify verify-thumb --exhaustive
	build/host/modelgen-verify verify-arm --exhaustive
# In `make check`: what takes seconds is made anew and compared with the committed tables, the decoders are sampled.
TABLES_SHORT := ops regs models
tables-short: build/host/modelgen build/host/modelgen-verify
	@rm -rf build/gen && mkdir -p build/gen
	@for stage in $(TABLES_SHORT); do echo "modelgen $$stage"; build/host/modelgen $$stage build/gen || exit 1; done
	@for file in $$(ls build/gen); do cmp build/gen/$$file core/gen/$$file || exit 1; done
	build/host/modelgen-verify verify-models all 20
	build/host/modelgen-verify verify-aarch64 --sample
	build/host/modelgen-verify verify-x86_64 sample 10
	build/host/modelgen-verify verify-riscv64 --sample 2000000
	build/host/modelgen-verify verify-riscv32 --sample 2000000
	build/host/modelgen-verify verify-arm --sample 1000000
	build/host/modelgen-verify verify-thumbv8m --sample 2000000

-include ports/module.mk
-include $(wildcard tests/*/module.mk) fixtures/module.mk
-include linker/module.mk tests/module.mk

# ---- installation ------------------------------------------------------------------------------------------------
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man

.PHONY: install
install: all ## install tool, library, headers, pkg-config file and man pages under PREFIX (default /usr/local; DESTDIR too)
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/slotledger $(DESTDIR)$(MANDIR)/man1
	install -m 755 $(TOOL) $(DESTDIR)$(BINDIR)/
	install -m 644 $(B)/libslotledger.a $(DESTDIR)$(LIBDIR)/
	install -m 644 $(CORE_HDR) $(DESTDIR)$(INCLUDEDIR)/slotledger/
	install -m 644 hosted/man/*.1 $(DESTDIR)$(MANDIR)/man1/
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' '' 'Name: slotledger' \
	  'Description: where the issue slots of a core went: a pipeline simulator in freestanding C' 'Version: $(VERSION)' \
	  'Libs: -L$${libdir} -lslotledger' 'Cflags: -I$${includedir}' > $(DESTDIR)$(LIBDIR)/pkgconfig/slotledger.pc

# ---- house keeping -------------------------------------------------------------------------------------------
.PHONY: deps help clean FORCE
deps: ## install what is missing (as root on Debian; otherwise say what to install)
	@sh tests/deps.sh all
help: ## this list
	@grep -hE '^[a-z][a-z0-9-]*:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort -u | awk -F '\t' '{printf "  %-14s %s\n", $$1, $$2}'
clean: ## remove build/
	rm -rf build
FORCE:
