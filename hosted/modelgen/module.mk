# SPDX-License-Identifier: Apache-2.0
# build/host/modelgen-verify: the generator with its checks of core against LLVM.
VERIFY_SRC := $(wildcard hosted/modelgen/*_verify.cpp hosted/modelgen/*_compare.cpp)
VERIFY_OBJ := $(VERIFY_SRC:%.cpp=build/host/obj/%.o)
# Texts are learned with the formatters that the tool prints with; these know no tables.
FORMATTERS := $(patsubst %,build/host/obj/hosted/report/%.o,disasm_format disasm_render disasm_x86_memory)
TEXT_OBJ := $(patsubst %,build/host/obj/hosted/report/%.o,disasm disasm_aarch64 disasm_thumbm disasm_thumb disasm_arm disasm_riscv64 disasm_riscv32 disasm_x86_64_att disasm_x86_64_intel)
build/host/modelgen: $(FORMATTERS) build/host/obj/core/isa/arm_list.o
build/host/modelgen-verify: $(FORMATTERS) $(TEXT_OBJ)
build/host/modelgen-verify: $(GEN_OBJ) $(VERIFY_OBJ) build/host/libslotledger.a
	$(call say,LINK,$@)$(CXX_GEN) $^ -L$(shell $(LLVM_CONFIG) --libdir) -lLLVM-19 -o $@
-include $(VERIFY_OBJ:.o=.d)

.PHONY: verify-models
verify-models: build/host/modelgen-verify ## compare scheduling classes, idioms and descriptors with LLVM, every CPU (needs llvm-19-dev)
	build/host/modelgen-verify verify-models
