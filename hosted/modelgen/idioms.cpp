/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of idioms. */
#include "idioms.h"

#include <cstdio>
#include <cstdlib>

#include <slotledger/model.h>

#include "writer.h"

namespace modelgen
{

/* In llvm-mca's order: the second question is asked only after a "no", and finds the mask as the first left it. */
IdiomAnswer ask_idiom(const CpuView &cpu, const llvm::MCInst &inst)
{
    const auto &analysis = *cpu.target->analysis;
    const unsigned processor = cpu.sti->getSchedModel().getProcessorID();
    llvm::APInt mask(1, 0);
    IdiomAnswer answer = {};
    answer.zero = analysis.isZeroIdiom(inst, mask, processor);
    answer.breaks = answer.zero || analysis.isDependencyBreaking(inst, mask, processor);
    answer.move = analysis.isOptimizableRegisterMove(inst, processor);
    answer.mask_width = 1;
    if (answer.breaks) {
        answer.mask_width = static_cast<uint8_t>(fit("idiom mask width", mask.getBitWidth(), 16));
        answer.mask = static_cast<uint16_t>(mask.getZExtValue());
    }
    return answer;
}

unsigned idiom_kind(const IdiomAnswer &answer)
{
    return (answer.zero ? SL_IDIOM_ZERO : 0u) | (answer.breaks ? SL_IDIOM_BREAK : 0u) |
           (answer.move ? SL_IDIOM_MOVE : 0u);
}

namespace
{

unsigned pack(const IdiomAnswer &answer)
{
    return idiom_kind(answer) | static_cast<unsigned>(answer.mask_width) << 8 |
           static_cast<unsigned>(answer.mask) << 16;
}

IdiomAnswer unpack(unsigned label)
{
    IdiomAnswer answer = {};
    answer.zero = label & SL_IDIOM_ZERO;
    answer.breaks = label & SL_IDIOM_BREAK;
    answer.move = label & SL_IDIOM_MOVE;
    answer.mask_width = static_cast<uint8_t>(label >> 8);
    answer.mask = static_cast<uint16_t>(label >> 16);
    return answer;
}

/* One register copied to every other register operand. */
llvm::MCInst all_equal(llvm::MCInst inst)
{
    const llvm::MCOperand *first = nullptr;
    for (auto &operand : inst) {
        if (!operand.isReg())
            continue;
        if (first)
            operand = *first;
        first = &operand;
    }
    return inst;
}

bool any_immediate(const Labeller &labeller, llvm::MCInst inst)
{
    const unsigned no = pack({false, false, false, 1, 0});
    for (auto &operand : inst) {
        if (!operand.isImm())
            continue;
        const int64_t kept = operand.getImm();
        for (int64_t value = -128; value < 256; value++) {
            operand.setImm(value);
            if (labeller(inst) != no)
                return true;
        }
        operand.setImm(kept);
    }
    return labeller(inst) != no;
}

/* Is the opcode ever an idiom? Looks at samples, at one with two or all registers equal, at two with every immediate.
 */
bool ever_idiom(const llvm::MCInstrDesc &desc, const std::vector<llvm::MCInst> &list, const Labeller &labeller)
{
    const unsigned no = pack({false, false, false, 1, 0});
    for (size_t i = 0; i < list.size() && i < 8; i++)
        if (labeller(list[i]) != no)
            return true;
    for (unsigned a = 0; a < desc.getNumOperands(); a++) {
        for (unsigned b = 0; b < desc.getNumOperands(); b++) {
            if (a == b || !list[0].getOperand(a).isReg() || !list[0].getOperand(b).isReg())
                continue;
            llvm::MCInst inst = list[0];
            inst.getOperand(b) = inst.getOperand(a);
            if (labeller(inst) != no)
                return true;
        }
    }
    return any_immediate(labeller, list[0]) || any_immediate(labeller, all_equal(list[0]));
}

/* "None unless the condition holds, else something" reads and packs better the other way round. */
void simplify(std::vector<OperandRule> &rules)
{
    if (rules.size() != 2 || rules[0].atoms.size() != 1 || idiom_kind(unpack(rules[0].label)))
        return;
    rules[0].atoms[0].kind ^= SL_ATOM_NOT;
    std::swap(rules[0].label, rules[1].label);
}

} // namespace

std::vector<Idiom> learn_idioms(const CpuView &cpu, const OpSpace &ops, const Samples &samples)
{
    std::vector<Idiom> idioms;
    const Labeller labeller = [&](const llvm::MCInst &inst) { return pack(ask_idiom(cpu, inst)); };
    bool good = true;
    for (size_t op = 1; op < ops.size(); op++) {
        const auto &desc = cpu.target->mcii->get(ops.to_llvm[op]);
        std::vector<OperandRule> rules;
        if (samples.of_op[op].empty() || !ever_idiom(desc, samples.of_op[op], labeller))
            continue;
        if (!learn_operand_rules(*cpu.target, samples, samples.of_op[op], labeller, rules)) {
            fprintf(stderr, "modelgen: %s: no rules tell when %s is an idiom\n", cpu.sti->getCPU().str().c_str(),
                    cpu.target->mcii->getName(ops.to_llvm[op]).str().c_str());
            good = false;
        }
        simplify(rules);
        for (const auto &rule : rules)
            if (!rule.atoms.empty() || idiom_kind(unpack(rule.label)))
                idioms.push_back({static_cast<uint16_t>(op), rule.atoms, unpack(rule.label)});
    }
    if (!good)
        exit(1);
    return idioms;
}

} // namespace modelgen
