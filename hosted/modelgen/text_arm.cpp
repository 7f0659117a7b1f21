/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of 32-bit Arm: what instructions are in IT and VPT blocks, register lists, conditions within mnemonics. */
#include "text.h"

#include <algorithm>

#include "probe.h"

namespace modelgen {

namespace {

const unsigned always = 14;
/* The target's own last two operand types: a vector predicate, and one with the register for inactive lanes. */
const unsigned vector_type = llvm::MCOI::OPERAND_FIRST_TARGET;

/* Index of the condition, -1: none. */
int condition_at(const llvm::MCInstrDesc &desc, bool &vector)
{
    vector = false;
    for (unsigned i = 0; i + 1 < desc.getNumOperands(); i++) {
        if (desc.operands()[i].isPredicate())
            return static_cast<int>(i);
        if (desc.operands()[i].OperandType >= vector_type) {
            vector = true;
            return static_cast<int>(i);
        }
    }
    return -1;
}

int optional_def(const llvm::MCInstrDesc &desc)
{
    for (unsigned i = 0; i < desc.getNumOperands(); i++)
        if (desc.operands()[i].isOptionalDef())
            return static_cast<int>(i);
    return -1;
}

size_t first_difference(const std::string &a, const std::string &b)
{
    const size_t length = std::min(a.size(), b.size());
    return static_cast<size_t>(std::mismatch(a.begin(), a.begin() + static_cast<long>(length), b.begin()).first - a.begin());
}

} // namespace

TextArm::TextArm(const Target &the_target, const OpSpace &)
    : target(the_target), full(the_target, arm_config(the_target.isa, 32)), general(general_registers(the_target)),
      list_regs(general.begin(), general.end()), status(register_by_name(the_target, "CPSR")),
      vector_predicate(register_by_name(the_target, "P0"))
{
    if (is_thumb(target.isa))
        half = std::make_unique<FixedOracle>(target, arm_config(target.isa, 16));
    lists.list_regs = list_regs.data();
}

bool TextArm::decode(const uint8_t *bytes, unsigned len_bytes, TextInst &inst) const
{
    const FixedOracle &oracle = len_bytes == 2 ? *half : full;
    return oracle.decode(oracle.config.word(bytes), inst.operands) &&
           target.decode(bytes, len_bytes, inst.printed) == len_bytes;
}

uint32_t TextArm::placed_operands(unsigned opcode) const
{
    bool vector;
    const int at = condition_at(target.mcii->get(opcode), vector);
    return at < 0 ? 0 : uint32_t(1) << at;
}

void TextArm::place(TextInst &inst, unsigned len_bytes, uint64_t random) const
{
    const auto &desc = target.mcii->get(inst.operands.getOpcode());
    bool vector;
    const int at = condition_at(desc, vector);
    if (!is_thumb(target.isa) || at < 0 || (random & 1) || inst.printed.getOpcode() != inst.operands.getOpcode())
        return;
    if (!vector && inst.operands.getOperand(static_cast<unsigned>(at)).getImm() != always)
        return; /* a conditional branch */
    const unsigned n = static_cast<unsigned>(at), condition = random >> 1 & 15, s = static_cast<unsigned>(optional_def(desc));
    for (llvm::MCInst *one : {&inst.printed, &inst.operands}) {
        if (vector) {
            one->getOperand(n).setImm(1 + (random >> 1 & 1));
            one->getOperand(n + 1).setReg(vector_predicate);
            if (desc.operands()[n].OperandType == vector_type)
                one->getOperand(n + 3).setReg(one->getOperand(0).getReg());
            continue;
        }
        one->getOperand(n).setImm(std::min(condition, always));
        one->getOperand(n + 1).setReg(condition < always ? status : 0);
        if (desc.hasOptionalDef() && len_bytes == 2)
            one->getOperand(s).setReg(0);
    }
}

/* Changed copies of the instruction tell what the operands add to the mnemonic, and where. */
std::vector<TextMark> TextArm::marks(const TextOracle &oracle, const llvm::MCInst &inst) const
{
    const auto &desc = target.mcii->get(inst.getOpcode());
    std::vector<TextMark> marks;
    bool vector;
    const int at = condition_at(desc, vector), s = optional_def(desc);
    llvm::MCInst plain = inst;
    const auto with_condition = [&](unsigned condition) {
        llvm::MCInst copy = plain;
        copy.getOperand(static_cast<unsigned>(at)).setImm(condition);
        copy.getOperand(static_cast<unsigned>(at) + 1).setReg(condition == (vector ? 0 : always) ? 0 : vector ? vector_predicate : status);
        return copy;
    };
    if (at >= 0 && (static_cast<unsigned>(at) + 1 >= inst.getNumOperands() || !inst.getOperand(static_cast<unsigned>(at)).isImm()))
        return marks;
    if (at >= 0)
        plain = with_condition(vector ? 0 : always);
    if (s >= 0) {
        llvm::MCInst without = plain, with = plain;
        without.getOperand(static_cast<unsigned>(s)).setReg(0);
        with.getOperand(static_cast<unsigned>(s)).setReg(status);
        const std::string a = oracle.print(without, false);
        std::string b = oracle.print(with, false);
        const size_t place = first_difference(a, b);
        if (b.size() != a.size() + 1 || b[place] != 's' || b.erase(place, 1) != a)
            return marks;
        marks.push_back({place, inst.getOperand(static_cast<unsigned>(s)).getReg() ? 1u : 0u});
    }
    if (at < 0)
        return marks;
    std::string a = oracle.print(with_condition(vector ? 1 : 0), false), b = oracle.print(with_condition(vector ? 2 : 1), false);
    const size_t place = first_difference(a, b), length = vector ? 1 : 2;
    const bool none = inst.getOperand(static_cast<unsigned>(at)).getImm() == (vector ? 0 : always);
    if (a.size() == b.size() && place + length <= a.size() && a.erase(place, length) == oracle.print(plain, false) &&
        b.erase(place, length) == a && (marks.empty() || place >= marks[0].at + marks[0].length))
        marks.push_back({place, none ? 0 : length});
    return marks;
}

bool TextArm::list(const TextInst &text_inst, sl_insn &insn, std::string &text) const
{
    const llvm::MCInst &inst = text_inst.operands;
    const auto &desc = target.mcii->get(inst.getOpcode());
    const unsigned first = desc.getNumOperands() - 1;
    if (!desc.isVariadic())
        return true;
    if (inst.getNumOperands() <= first || !inst.getOperand(first).isReg())
        return false;
    insn.list_at = static_cast<uint8_t>(first);
    insn.n_operands = static_cast<uint8_t>(inst.getNumOperands());
    insn.list_kind = SL_LIST_MASK;
    const unsigned lowest = inst.getOperand(first).getReg();
    unsigned run = 0;
    for (unsigned n = first; n < inst.getNumOperands(); n++) {
        const unsigned reg = inst.getOperand(n).getReg();
        const auto found = std::find(general.begin(), general.end(), reg);
        if (found != general.end())
            insn.list |= uint32_t(1) << (found - general.begin());
        else if (reg == lowest + run)
            run++;
        else
            run |= reg << 8; /* VPR */
        text += std::string(n > first ? ", " : "") + TextOracle::reg_name(static_cast<uint16_t>(reg));
    }
    if (run) {
        insn.list_kind = SL_LIST_RUN;
        insn.list = lowest | (run & 255) << 12 | run >> 8 << 20;
    }
    return true;
}

} // namespace modelgen
