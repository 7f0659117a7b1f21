/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of idioms: unconditional, or on the equality of two register operands. */
#include "idioms.h"

#include <cstdio>
#include <cstdlib>

#include <slotledger/model.h>

#include "writer.h"

namespace modelgen {

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

namespace {

unsigned kind_of(const IdiomAnswer &answer)
{
    return (answer.zero ? SL_IDIOM_ZERO : 0u) | (answer.breaks ? SL_IDIOM_BREAK : 0u) |
           (answer.move ? SL_IDIOM_MOVE : 0u);
}

bool same_answer(const IdiomAnswer &a, const IdiomAnswer &b)
{
    return kind_of(a) == kind_of(b) && a.mask_width == b.mask_width && a.mask == b.mask;
}

bool registers_equal(const llvm::MCInst &inst, unsigned a, unsigned b)
{
    return inst.getOperand(a).isReg() && inst.getOperand(b).isReg() &&
           inst.getOperand(a).getReg() == inst.getOperand(b).getReg();
}

/* The samples, and each with every register operand copied over every other one. */
std::vector<llvm::MCInst> with_equal_registers(const llvm::MCInstrDesc &desc, const std::vector<llvm::MCInst> &list)
{
    std::vector<llvm::MCInst> all = list;
    for (size_t s = 0; s < list.size() && s < 8; s++) {
        for (unsigned a = 0; a < desc.getNumOperands(); a++) {
            for (unsigned b = 0; b < desc.getNumOperands(); b++) {
                if (a == b || !list[s].getOperand(a).isReg() || !list[s].getOperand(b).isReg())
                    continue;
                llvm::MCInst inst = list[s];
                inst.getOperand(b) = inst.getOperand(a);
                all.push_back(inst);
            }
        }
    }
    return all;
}

Idiom entry(size_t op, const IdiomAnswer &answer, unsigned a, unsigned b)
{
    return {static_cast<uint16_t>(op), static_cast<uint8_t>(kind_of(answer)), static_cast<uint8_t>(a),
            static_cast<uint8_t>(b), answer.mask_width, answer.mask};
}

/* Does "operands a and b are equal" (or "always", a == b) tell when the idiom holds, and always with the same answer? */
bool explains(const std::vector<llvm::MCInst> &all, const std::vector<IdiomAnswer> &answers, unsigned a, unsigned b,
              IdiomAnswer &yes)
{
    bool any = false;
    for (size_t i = 0; i < all.size(); i++) {
        const bool holds = a == b || registers_equal(all[i], a, b);
        if (holds != (kind_of(answers[i]) != 0))
            return false;
        if (holds && any && !same_answer(answers[i], yes))
            return false;
        if (holds) {
            yes = answers[i];
            any = true;
        }
    }
    return any;
}

bool learn_one(const CpuView &cpu, size_t op, const std::vector<llvm::MCInst> &list, std::vector<Idiom> &idioms)
{
    const auto &desc = cpu.target->mcii->get(list[0].getOpcode());
    const auto all = with_equal_registers(desc, list);
    std::vector<IdiomAnswer> answers;
    bool any = false;
    for (const auto &inst : all) {
        answers.push_back(ask_idiom(cpu, inst));
        any |= kind_of(answers.back()) != 0;
    }
    if (!any)
        return true;
    IdiomAnswer yes = {};
    for (unsigned a = 0; a < desc.getNumOperands(); a++) {
        for (unsigned b = a ? a + 1 : 0; b < desc.getNumOperands(); b++) {
            if (!explains(all, answers, a, b, yes))
                continue;
            idioms.push_back(entry(op, yes, a, b));
            return true;
        }
    }
    fprintf(stderr, "modelgen: %s: no idiom rule fits %s\n", cpu.sti->getCPU().str().c_str(),
            cpu.target->mcii->getName(list[0].getOpcode()).str().c_str());
    return false;
}

} // namespace

std::vector<Idiom> learn_idioms(const CpuView &cpu, const OpSpace &ops, const Samples &samples)
{
    std::vector<Idiom> idioms;
    bool good = true;
    for (size_t op = 1; op < ops.size(); op++)
        if (!samples.of_op[op].empty())
            good = learn_one(cpu, op, samples.of_op[op], idioms) && good;
    if (!good)
        exit(1);
    return idioms;
}

} // namespace modelgen
