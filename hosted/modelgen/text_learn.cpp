/* SPDX-License-Identifier: Apache-2.0 */
/* Stages text-*: learns every opcode's text, compares with LLVM on other samples, and learns again with what differed. */
#include "text.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../report/disasm_render.h"
#include "probe.h"
#include "stages.h"

namespace modelgen {

namespace {

class TextStage {
  public:
    TextStage(const TextOracle &oracle, const OpSpace &space, TextSampler &sampler, bool intel)
        : oracle(oracle), space(space), sampler(sampler), intel(intel), tables(space.size()), extra(space.size())
    {
        if (is_riscv(oracle.target.isa))
            tables.largest_key = 4095; /* control and status registers */
        if (is_arm(oracle.target.isa)) {
            arm = std::make_unique<TextArm>(oracle.target, space);
            tables.by_operand = true;
            tables.first_general = static_cast<uint8_t>(register_by_name(oracle.target, "R0"));
        }
    }

    void learn_all()
    {
        seed_names();
        for (size_t op = 1; op < space.size(); op++)
            learn(op);
        std::vector<size_t> all, wrong;
        for (size_t op = 1; op < space.size(); op++)
            all.push_back(op);
        wrong = compare(all, 1);
        const unsigned last = arm ? 25 : 9; /* the round that decides */
        for (unsigned round = 2; round < last && !wrong.empty(); round++) {
            fprintf(stderr, "modelgen: texts, %zu opcodes with differences\n", wrong.size());
            for (size_t op : wrong)
                learn(op);
            wrong = compare(wrong, round);
        }
        wrong = compare(all, last);
        for (unsigned again = 1; arm && again < 10 && !wrong.empty(); again++) { /* rare operands: met only now */
            for (size_t op : wrong)
                learn(op);
            wrong = compare(wrong, last + again);
        }
        for (size_t op : wrong) {
            report(op, "not stable");
            tables.roots[op] = DISASM_NOTHING;
        }
    }
    const TextTables &result() const { return tables; }

  private:
    /* Names of sub-registers: aliases print an X register as its W register, lists print the parts of a tuple. Tables
     * that are there from the start are complete where an opcode's samples are few. */
    void seed_names()
    {
        const llvm::MCRegisterInfo &mri = *oracle.target.mri;
        for (unsigned index = 0; index < mri.getNumSubRegIndices(); index++) {
            NameTable names;
            for (unsigned reg = 1; reg < mri.getNumRegs(); reg++) {
                const unsigned part = index ? mri.getSubReg(reg, index).id() : reg;
                const std::string name = part ? TextOracle::reg_name(static_cast<uint16_t>(part)) : "";
                if (!name.empty())
                    names[static_cast<int32_t>(reg)] = name.substr(name[0] == '%');
            }
            if (!names.empty())
                tables.table(names);
        }
        if (oracle.target.isa == Isa::aarch64)
            tables.table(vector_names());
        for (unsigned by = 1; is_arm(oracle.target.isa) && by < 8; by++)
            tables.table(later_names(by));
    }

    /* AArch64: B3, H3, S3, D3 and Q3 as v3. The decoder may hold another size of a register than LLVM's. */
    static NameTable vector_names()
    {
        NameTable names;
        for (unsigned reg = 1; TextOracle::reg_name(static_cast<uint16_t>(reg)); reg++) {
            const std::string name = TextOracle::reg_name(static_cast<uint16_t>(reg));
            if (name.size() > 1 && strchr("bhsdq", name[0]) && name.find_first_not_of("0123456789", 1) == std::string::npos)
                names[static_cast<int32_t>(reg)] = "v" + name.substr(1);
        }
        return names;
    }

    /* Arm: lists of vector registers print the registers behind the one that is an operand. */
    NameTable later_names(unsigned by) const
    {
        NameTable names;
        const unsigned first = register_by_name(oracle.target, "D0");
        for (unsigned n = 0; n < 32; n++)
            names[static_cast<int32_t>(first + n)] = "d" + std::to_string((n + by) % 32);
        return names;
    }

    void report(size_t op, const char *what)
    {
        if (getenv("MODELGEN_VERBOSE"))
            fprintf(stderr, "%s %s\n", what, oracle.target.mcii->getName(space.to_llvm[op]).str().c_str());
    }

    /* False: a list without registers. */
    bool make_insn(const TextInst &text_inst, sl_insn &insn, std::string &list) const
    {
        insn = to_insn(oracle.target, space, text_inst.operands);
        return !arm || arm->list(text_inst, insn, list);
    }

    bool make_sample(const TextInst &text_inst, TextSample &sample) const
    {
        const llvm::MCInst &inst = text_inst.printed;
        std::vector<TextMemory> memories;
        std::vector<TextMark> marks;
        std::string list;
        if (!make_insn(text_inst, sample.insn, list))
            return false;
        const std::array<std::string, 2> text = {oracle.print(inst, false), oracle.print(inst, true)};
        if (!list.empty())
            memories.push_back({{list, list}, text_list});
        if (arm)
            marks = arm->marks(oracle, inst);
        const int first = memory_operand(oracle.target, inst);
        if (first >= 0)
            memories.push_back(memory(sample.insn, static_cast<unsigned>(first)));
        return tokenize(text, memories, marks, sample);
    }

    TextMemory memory(const sl_insn &insn, unsigned first) const
    {
        TextMemory result = {{}, static_cast<uint8_t>(first)};
        for (unsigned hex = 0; hex < 2; hex++) {
            char text[128] = "";
            disasm_context context = {};
            context.hex = hex != 0;
            context.intel = intel;
            context.reg_name = TextOracle::reg_name;
            disasm_out out = {text, sizeof text, 0};
            disasm_x86_memory(&insn, first, &context, &out);
            result.text[hex] = text;
        }
        return result;
    }

    void learn(size_t op)
    {
        std::vector<TextSample> samples;
        const auto take = [&](TextInst inst) {
            TextSample sample;
            inst.printed.setFlags(0); /* prefixes are no part of the templates */
            inst.operands.setFlags(0);
            if (make_sample(inst, sample))
                samples.push_back(std::move(sample));
        };
        sampler.sample(op, 0, [&](const uint8_t *, size_t, const TextInst &inst) { take(inst); });
        for (const TextInst &inst : extra[op])
            take(inst);
        std::vector<const TextSample *> list;
        for (const TextSample &sample : samples)
            list.push_back(&sample);
        tables.small_operands = sampler.small_operands(op);
        tables.roots[op] = learn_text(tables, list);
        if (!list.empty() && tables.roots[op] == DISASM_NOTHING)
            report(op, "no tree");
    }

    std::string text_of(const PackedText &packed, const sl_insn &insn, bool hex) const
    {
        return packed.text(insn, hex, intel, arm ? &arm->isa() : nullptr);
    }

    bool same(const PackedText &packed, const sl_insn &insn, const llvm::MCInst &printed) const
    {
        return text_of(packed, insn, false) == oracle.print(printed, false) &&
               text_of(packed, insn, true) == oracle.print(printed, true);
    }

    std::vector<size_t> compare(const std::vector<size_t> &ops, unsigned round)
    {
        const PackedText packed(tables);
        std::vector<size_t> wrong;
        for (size_t op : ops) {
            if (tables.roots[op] == DISASM_NOTHING)
                continue;
            size_t found = 0;
            sampler.sample(op, round, [&](const uint8_t *, size_t, TextInst inst) {
                sl_insn insn;
                std::string list;
                inst.printed.setFlags(0);
                inst.operands.setFlags(0);
                if (!make_insn(inst, insn, list) || same(packed, insn, inst.printed))
                    return;
                if (found++ == 0 && (round > (arm ? 20 : 6) || wrong.size() < 6) && getenv("MODELGEN_VERBOSE"))
                    fprintf(stderr, "%s\n  %s\n", text_of(packed, insn, false).c_str(), oracle.print(inst.printed, false).c_str());
                extra[op].push_back(inst);
            });
            if (found)
                wrong.push_back(op);
        }
        return wrong;
    }

    const TextOracle &oracle;
    const OpSpace &space;
    TextSampler &sampler;
    const bool intel;
    TextTables tables;
    std::vector<std::vector<TextInst>> extra;
    std::unique_ptr<TextArm> arm;
};

int learn_dialect(const Target &target, const OpSpace &space, TextSampler &sampler, unsigned dialect, bool intel,
                  const char *gen_dir, const char *name)
{
    const TextOracle oracle(target, dialect);
    TextStage stage(oracle, space, sampler, intel);
    stage.learn_all();
    return write_text_tables(PackedText(stage.result()), gen_dir, name);
}

} // namespace

} // namespace modelgen

int stage_text_aarch64(const char *gen_dir)
{
    using namespace modelgen;
    const Target target(Isa::aarch64);
    const OpSpace space(target);
    const auto sampler = fixed_sampler(target, space, {{std::string(gen_dir) + "/aarch64_decode.txt", 4}});
    return learn_dialect(target, space, *sampler, 0, false, gen_dir, "aarch64");
}

std::vector<modelgen::DecodeText> modelgen::arm_decode_texts(const std::string &gen_dir, Isa isa)
{
    const std::string stem = gen_dir + "/" + isa_name(isa) + "_decode";
    if (isa == Isa::arm)
        return {{stem + "32.txt", 4}};
    return {{stem + "32.txt", 4}, {stem + "16.txt", 2}};
}

int stage_text_arm(const char *gen_dir)
{
    using namespace modelgen;
    for (Isa isa : {Isa::thumbm, Isa::thumb, Isa::arm}) {
        const Target target(isa);
        const OpSpace space(target);
        const auto sampler = fixed_sampler(target, space, arm_decode_texts(gen_dir, isa));
        if (int status = learn_dialect(target, space, *sampler, 0, false, gen_dir, isa_name(isa)))
            return status;
    }
    return 0;
}

std::vector<modelgen::DecodeText> modelgen::riscv_decode_texts(const std::string &gen_dir, Isa isa)
{
    const std::string stem = gen_dir + "/" + isa_name(isa) + "_decode";
    return {{stem + "32.txt", 4}, {stem + "16.txt", 2}};
}

int stage_text_riscv(const char *gen_dir)
{
    using namespace modelgen;
    for (Isa isa : {Isa::riscv64, Isa::riscv32}) {
        const Target target(isa);
        const OpSpace space(target);
        const auto sampler = fixed_sampler(target, space, riscv_decode_texts(gen_dir, isa));
        if (int status = learn_dialect(target, space, *sampler, 0, false, gen_dir, isa_name(isa)))
            return status;
    }
    return 0;
}

int stage_text_x86_64(const char *gen_dir)
{
    using namespace modelgen;
    const Target target(Isa::x86_64);
    const OpSpace space(target);
    const auto sampler = x86_sampler(target, space);
    const int status = learn_dialect(target, space, *sampler, 0, false, gen_dir, "x86_64_att");
    return status ? status : learn_dialect(target, space, *sampler, 1, true, gen_dir, "x86_64_intel");
}
