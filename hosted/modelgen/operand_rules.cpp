/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of operand rules: vary one operand at a time, then enumerate what matters. */
#include "operand_rules.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <slotledger/model.h>

#include "probe.h"
#include "rule_list.h"

namespace modelgen
{

namespace
{

using Inst = llvm::MCInst;

/* Values that tell the predicates apart: every small one, and some of every magnitude. */
const std::vector<int64_t> &probe_values()
{
    static std::vector<int64_t> values;
    if (values.empty()) {
        for (int64_t v = 0; v < 512; v++)
            values.push_back(v);
        for (int64_t v = -1; v >= -128; v--)
            values.push_back(v);
        for (int bit = 9; bit < 32; bit++)
            for (int64_t near : {-1, 0, 1})
                for (int64_t sign : {1, -1})
                    values.push_back(sign * ((int64_t(1) << bit) + near));
    }
    return values;
}

class Learner
{
  public:
    Learner(const Target &which, const Samples &all, const std::vector<Inst> &list, const Labeller &labeller)
        : target(which), samples(all), desc(which.mcii->get(list[0].getOpcode())), observed(list), label_of(labeller)
    {
        contexts.assign(list.begin(), list.begin() + static_cast<long>(std::min<size_t>(list.size(), 16)));
    }

    bool run(std::vector<OperandRule> &rules)
    {
        prepare();
        find_relevant();
        for (unsigned i : relevant)
            is_register(i) ? add_register_atoms(i) : add_immediate_atoms(i);
        add_flag_atoms();
        add_list_atoms();
        std::stable_sort(atoms.begin(), atoms.end(),
                         [](const Atom &a, const Atom &b) { return effort(a) < effort(b); });
        return learn(rules);
    }

  private:
    bool is_register(unsigned i) const { return contexts[0].getOperand(i).isReg(); }
    bool is_immediate(unsigned i) const { return contexts[0].getOperand(i).isImm(); }
    bool tied(unsigned i) const { return desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) >= 0; }

    const std::set<unsigned> &registers(unsigned i) const { return domains[i]; }

    /* The declared operand that a register list starts with. */
    unsigned list_at() const
    {
        return is_arm(target.isa) && desc.isVariadic() ? desc.getNumOperands() - 1 : desc.getNumOperands();
    }

    Inst with_list_of(const Inst &inst, const Inst &other) const
    {
        Inst changed = inst;
        while (changed.getNumOperands() > list_at())
            changed.erase(changed.end() - 1);
        for (unsigned k = list_at(); k < other.getNumOperands(); k++)
            changed.addOperand(other.getOperand(k));
        return changed;
    }

    /* The samples, and two made lists of each length that an instruction can have: the lowest registers, the highest.
     * Random words hold the rare lengths seldom or never. */
    std::vector<Inst> lists_of_every_length() const
    {
        std::set<unsigned> pool;
        for (const auto &inst : observed)
            for (unsigned k = list_at(); k < inst.getNumOperands(); k++)
                pool.insert(inst.getOperand(k).getReg());
        if (!pool.empty() && !strchr("SD", target.mri->getName(*pool.rbegin())[0]))
            for (const char *name : {"R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7"}) /* few samples may show few of them */
                pool.insert(register_by_name(target, name));
        const std::vector<unsigned> regs(pool.begin(), pool.end());
        size_t longest = regs.size();
        if (!regs.empty() && target.mri->getName(regs[0])[0] == 'D')
            longest = std::min<size_t>(longest, 16);
        std::vector<Inst> all;
        for (size_t n = 1; n <= longest; n++)
            for (size_t from : {size_t(0), regs.size() - n}) {
                Inst inst = observed[0];
                while (inst.getNumOperands() > list_at())
                    inst.erase(inst.end() - 1);
                for (size_t k = 0; k < n; k++)
                    inst.addOperand(llvm::MCOperand::createReg(regs[from + k]));
                all.push_back(inst);
            }
        all.insert(all.end(), observed.begin(), observed.end());
        return all;
    }

    /* Conditions on the length of a register list and on what is in it, if these matter. */
    void add_list_atoms()
    {
        if (list_at() == desc.getNumOperands())
            return;
        std::map<std::vector<unsigned>, ImmSet> by_answer;
        std::map<unsigned, unsigned> of_length;
        std::set<std::vector<unsigned>> answers;
        for (const auto &inst : lists_of_every_length()) {
            if (of_length[inst.getNumOperands()]++ >= 3)
                continue;
            std::vector<unsigned> answer;
            for (const auto &context : contexts)
                answer.push_back(label_of(with_list_of(context, inst)));
            lists.push_back(inst);
            answers.insert(answer);
            by_answer[answer][inst.getNumOperands() / 32] |= uint32_t(1) << (inst.getNumOperands() % 32);
        }
        for (unsigned i = 0; i < list_at(); i++)
            if (is_register(i) && !tied(i))
                add_base_lists(i, answers);
        if (answers.size() < 2) {
            lists.clear();
            return;
        }
        for (unsigned i = 0; i < list_at(); i++)
            if (is_register(i) && !tied(i))
                atoms.push_back({SL_ATOM_IN_LIST, static_cast<uint8_t>(i), static_cast<uint8_t>(list_at()), {}, {}});
        /* by the label alone: lengths that ever lead to it without the base in the list */
        std::map<unsigned, ImmSet> of_label;
        for (const auto &inst : lists)
            for (const auto &context : contexts)
                of_label[label_of(with_list_of(context, inst))][inst.getNumOperands() / 32] |=
                    uint32_t(1) << (inst.getNumOperands() % 32);
        for (const auto &entry : of_length) {
            ImmSet only = {}, most = {};
            only[entry.first / 32] |= uint32_t(1) << (entry.first % 32);
            for (unsigned n = 0; n <= entry.first; n++)
                most[n / 32] |= uint32_t(1) << (n % 32);
            atoms.push_back({SL_ATOM_COUNT, 0, 0, {}, most});
            atoms.push_back({SL_ATOM_COUNT, 0, 0, {}, only});
        }
        for (const auto &entry : by_answer)
            atoms.push_back({SL_ATOM_COUNT, 0, 0, {}, entry.second});
        for (const auto &entry : of_label)
            atoms.push_back({SL_ATOM_COUNT, 0, 0, {}, entry.second});
    }

    /* The register of operand i taken out of the list, which keeps its length. */
    Inst without_in_list(const Inst &inst, unsigned i) const
    {
        const unsigned base = inst.getOperand(i).getReg();
        Inst changed = inst;
        for (unsigned k = list_at(); k < changed.getNumOperands(); k++)
            if (changed.getOperand(k).getReg() == base)
                for (const char *name : {"R0", "R1"})
                    if (register_by_name(target, name) != base)
                        changed.getOperand(k).setReg(register_by_name(target, name));
        return changed;
    }

    /* Each list once with the base register in it. */
    void add_base_lists(unsigned base, std::set<std::vector<unsigned>> &answers)
    {
        const size_t n = lists.size();
        for (size_t l = 0; l < n; l++) {
            std::vector<unsigned> answer;
            for (const auto &context : contexts) {
                Inst changed = with_list_of(context, lists[l]);
                changed.getOperand(list_at()) = changed.getOperand(base);
                answer.push_back(label_of(changed));
            }
            answers.insert(answer);
        }
    }

    /* Sets operand i and the operands tied to it. */
    Inst with(const Inst &inst, unsigned i, const llvm::MCOperand &value) const
    {
        Inst changed = inst;
        changed.getOperand(i) = value;
        for (unsigned k = 0; k < desc.getNumOperands(); k++)
            if (desc.getOperandConstraint(k, llvm::MCOI::TIED_TO) == static_cast<int>(i))
                changed.getOperand(k) = value;
        return changed;
    }

    static Inst with_flags(const Inst &inst, unsigned flags)
    {
        Inst changed = inst;
        changed.setFlags(flags);
        return changed;
    }

    bool can_equal(unsigned a, unsigned b) const
    {
        if (a == b || !is_register(a) || !is_register(b) || tied(a) || tied(b))
            return false;
        const auto &x = registers(a), &y = registers(b);
        return std::any_of(x.begin(), x.end(), [&](unsigned reg) { return y.count(reg) != 0; });
    }

    /* Registers seen in such operands of any opcode; those outside the declared class only if this opcode showed one, or
     * on Arm, where an unpredictable PC is too rare for every opcode to show it. */
    void collect_domains()
    {
        domains.resize(desc.getNumOperands());
        const int memory = memory_operand(target, contexts[0]);
        for (unsigned i = 0; i < desc.getNumOperands(); i++) {
            const auto &info = desc.operands()[i];
            std::set<unsigned> own;
            bool inside = info.RegClass >= 0 && !info.isLookupPtrRegClass() && !is_arm(target.isa);
            for (const auto &inst : observed)
                if (inst.getOperand(i).isReg())
                    own.insert(inst.getOperand(i).getReg());
            for (unsigned reg : own)
                inside = inside && target.mri->getRegClass(static_cast<unsigned>(info.RegClass)).contains(reg);
            if (memory >= 0 && (static_cast<int>(i) == memory || static_cast<int>(i) == memory + 2))
                domains[i].insert(0); /* no base, no index: rare among random encodings */
            for (unsigned reg : samples.registers(info))
                if (!inside || !reg || target.mri->getRegClass(static_cast<unsigned>(info.RegClass)).contains(reg))
                    domains[i].insert(reg);
        }
    }

    /* What operand i may hold: registers of its domain, or immediates inside the range seen. */
    void collect_values()
    {
        values.resize(desc.getNumOperands());
        for (unsigned i = 0; i < desc.getNumOperands(); i++) {
            if (tied(i) || i >= list_at())
                continue;
            if (is_register(i))
                for (unsigned reg : registers(i))
                    values[i].push_back(llvm::MCOperand::createReg(reg));
            if (is_immediate(i))
                for (int64_t value : probe_values())
                    if (in_observed_range(i, value))
                        values[i].push_back(llvm::MCOperand::createImm(value));
            if (may_hold_symbol(target, contexts[0], i))
                values[i].push_back(symbol_operand(target));
        }
    }

    /* A field of k bits shows its top bit in some of the samples. */
    bool in_observed_range(unsigned i, int64_t value) const
    {
        uint64_t bits = 0;
        bool is_signed = false;
        for (const auto &inst : observed) {
            if (!inst.getOperand(i).isImm())
                continue;
            const int64_t seen = inst.getOperand(i).getImm();
            is_signed |= seen < 0;
            bits |= static_cast<uint64_t>(seen < 0 ? ~seen : seen);
        }
        for (unsigned shift = 1; shift < 64; shift *= 2)
            bits |= bits >> shift;
        if (value < 0)
            return is_signed && static_cast<uint64_t>(~value) <= bits;
        return static_cast<uint64_t>(value) <= bits;
    }

    /* Starting points: samples, the same with two registers made equal, with an immediate made 0. */
    void prepare()
    {
        collect_domains();
        collect_values();
        const size_t n = std::min<size_t>(contexts.size(), 3);
        for (size_t c = 0; c < n; c++) {
            const Inst base = contexts[c];
            for (unsigned a = 0; a < desc.getNumOperands(); a++) {
                if (is_immediate(a) && !tied(a))
                    contexts.push_back(with(base, a, llvm::MCOperand::createImm(0)));
                for (unsigned b = 0; b < desc.getNumOperands(); b++)
                    if (can_equal(a, b) && registers(b).count(base.getOperand(a).getReg()))
                        contexts.push_back(with(base, b, base.getOperand(a)));
            }
        }
    }

    /* Operands whose value can change the label, given what is known of the others: each round starts from contexts
     * that satisfy the conditions found so far. */
    void find_relevant()
    {
        for (bool grown = true; grown;) {
            grown = false;
            for (unsigned i = 0; i < desc.getNumOperands(); i++) {
                if (std::count(relevant.begin(), relevant.end(), i) || !matters(i))
                    continue;
                grown = true;
                relevant.push_back(i);
                const Inst first = contexts[0], second = contexts[contexts.size() > 1];
                for (const auto &group : groups(i))
                    for (const Inst &base : {first, second})
                        contexts.push_back(with(base, i, group.second[0]));
                if (is_register(i))
                    add_equal_contexts(i);
            }
        }
        std::sort(relevant.begin(), relevant.end());
    }

    void add_equal_contexts(unsigned i)
    {
        const size_t n = contexts.size();
        for (unsigned k = 0; k < desc.getNumOperands(); k++)
            for (size_t c = n > 4 ? n - 4 : 0; c < n; c++)
                if (can_equal(k, i) && registers(i).count(contexts[c].getOperand(k).getReg()))
                    contexts.push_back(with(contexts[c], i, contexts[c].getOperand(k)));
    }

    bool matters(unsigned i) const
    {
        for (const auto &context : contexts) {
            const unsigned base = label_of(context);
            for (const auto &value : values[i])
                if (label_of(with(context, i, value)) != base)
                    return true;
        }
        return false;
    }

    using Groups = std::map<std::vector<unsigned>, std::vector<llvm::MCOperand>>;

    /* Values of operand i grouped by the labels they lead to in every context. A register is looked at while no
     * other operand equals it. */
    Groups groups(unsigned i) const
    {
        Groups by_answer;
        for (const auto &value : values[i]) {
            std::vector<unsigned> answer;
            for (const auto &context : contexts)
                answer.push_back(label_of(is_register(i) ? apart(context, i, value) : with(context, i, value)));
            by_answer[answer].push_back(value);
        }
        return by_answer;
    }

    /* Of two conditions that separate equally well the list keeps the one that reads simpler. */
    static unsigned effort(const Atom &atom)
    {
        unsigned bits = 0;
        for (uint32_t word : atom.imms)
            bits += static_cast<unsigned>(__builtin_popcount(word));
        return atom.kind == SL_ATOM_IMM ? 2 + bits : 1 + static_cast<unsigned>(atom.regs.size());
    }

    Inst apart(const Inst &context, unsigned i, const llvm::MCOperand &value) const
    {
        Inst inst = with(context, i, value);
        for (unsigned k = 0; k < desc.getNumOperands(); k++) {
            if (k == i || tied(k) || !is_register(k) || inst.getOperand(k).getReg() != value.getReg())
                continue;
            for (const auto &other : values[k])
                if (other.getReg() && other.getReg() != value.getReg())
                    inst = with(inst, k, other);
        }
        return inst;
    }

    /* The offsets of A32: an amount in the low bits; subtract, the kind of shift and the index mode above it. */
    void add_bit_atoms(unsigned i)
    {
        const auto add = [&](unsigned shift, std::initializer_list<unsigned> fields) {
            Atom atom = {SL_ATOM_BITS, static_cast<uint8_t>(i), static_cast<uint8_t>(shift), {}, {}};
            for (unsigned field : fields)
                atom.imms[field / 32] |= uint32_t(1) << (field % 32);
            atoms.push_back(atom);
        };
        const auto add_bit = [&](unsigned bit) {
            Atom atom = {SL_ATOM_BITS, static_cast<uint8_t>(i), static_cast<uint8_t>(bit), {}, {}};
            atom.imms.fill(0xaaaaaaaau);
            atoms.push_back(atom);
        };
        for (unsigned bit = 8; bit < 16; bit++)
            add_bit(bit);
        for (unsigned amount = 0; amount < 5; amount++)
            add(0, {amount});
        add(0, {1, 2, 3});
        for (unsigned kind = 0; kind < 6; kind++) /* bits 13 to 15 */
            add(12, {2 * kind, 2 * kind + 1, 16 + 2 * kind, 17 + 2 * kind, 32 + 2 * kind, 33 + 2 * kind});
        for (int64_t low : {0, 1, 2, 3, 4, 31})
            for (int64_t minus : {0, 1})
                for (int64_t kind = 0; kind < 6; kind++)
                    for (int64_t middle : {0, 1})
                        if (const int64_t value = low | middle << 8 | minus << 12 | kind << 13;
                            in_observed_range(i, kind ? (value & 0xfff) | 0x2000 : value)) /* any kind of shift, if one */
                            probes[i].push_back(llvm::MCOperand::createImm(value));
    }

    bool has_wide_groups(unsigned i) const
    {
        unsigned wide = 0;
        for (const auto &group : groups(i))
            wide += std::any_of(group.second.begin(), group.second.end(), [](const llvm::MCOperand &value) {
                return value.isImm() && (value.getImm() < 0 || value.getImm() > 255);
            });
        return wide > 1;
    }

    void add_immediate_atoms(unsigned i)
    {
        if (is_arm(target.isa) && has_wide_groups(i))
            add_bit_atoms(i);
        for (const auto &group : groups(i)) {
            Atom atom = {SL_ATOM_IMM, static_cast<uint8_t>(i), 0, {}, {}};
            bool wide = false, zero = false;
            size_t n = 0;
            for (const auto &value : group.second) {
                if (!value.isImm())
                    continue;
                const int64_t v = value.getImm();
                n++;
                zero |= v == 0;
                wide |= v < 0 || v > 255;
                if (v >= 0 && v < 256)
                    atom.imms[static_cast<size_t>(v / 32)] |= uint32_t(1) << (v % 32);
            }
            if (n == 1 && zero)
                atom = {SL_ATOM_IMMZ, static_cast<uint8_t>(i), 0, {}, {}};
            for (size_t k = 0; k < group.second.size() && k < 3; k++)
                probes[i].push_back(group.second[k]);
            probes[i].push_back(group.second.back());
            if (n && !wide)
                atoms.push_back(atom);
        }
        if (values[i].back().isImm())
            return;
        probes[i].push_back(values[i].back());
        atoms.push_back({SL_ATOM_ANY_IMM, static_cast<uint8_t>(i), 0, {}, {}});
    }

    /* The largest group is the ordinary registers, every other one is special. */
    void add_register_atoms(unsigned i)
    {
        const Groups by_answer = groups(i);
        auto ordinary = by_answer.begin();
        for (auto group = by_answer.begin(); group != by_answer.end(); ++group)
            if (group->second.size() > ordinary->second.size())
                ordinary = group;
        for (auto group = by_answer.begin(); group != by_answer.end(); ++group) {
            probes[i].push_back(group->second.front());
            probes[i].push_back(group->second[group->second.size() / 2]);
            if (group == ordinary)
                continue;
            Atom atom = {SL_ATOM_REG, static_cast<uint8_t>(i), 0, {}, {}};
            for (const auto &value : group->second)
                atom.regs.push_back(static_cast<uint16_t>(value.getReg()));
            atoms.push_back(atom);
        }
        for (unsigned k : relevant)
            if (k < i && can_equal(k, i))
                atoms.push_back({SL_ATOM_EQ, static_cast<uint8_t>(k), static_cast<uint8_t>(i), {}, {}});
    }

    void add_flag_atoms()
    {
        if (target.isa != Isa::x86_64)
            return;
        for (unsigned bit = 0; bit < 6; bit++) {
            bool changes = false;
            for (const auto &context : contexts)
                changes |= label_of(with_flags(context, 0)) != label_of(with_flags(context, 1u << bit));
            if (!changes)
                continue;
            flags.push_back(1u << bit);
            atoms.push_back({SL_ATOM_FLAG, static_cast<uint8_t>(prefix_flags(Isa::x86_64, 1u << bit)), 0, {}, {}});
        }
    }

    /* Every combination of the probes of the relevant operands; registers also copied from one another. */
    std::vector<Inst> enumerate() const
    {
        std::vector<Inst> points(contexts.begin(), contexts.begin() + (contexts.size() > 1 ? 2 : 1));
        for (unsigned i : relevant) {
            std::vector<Inst> next;
            for (const auto &point : points) {
                for (const auto &probe : probes.at(i))
                    next.push_back(with(point, i, probe));
                for (unsigned k : relevant)
                    if (k < i && is_register(i) && can_equal(k, i) && registers(i).count(point.getOperand(k).getReg()))
                        next.push_back(with(point, i, point.getOperand(k)));
            }
            points = std::move(next);
        }
        points.insert(points.end(), contexts.begin(), contexts.end());
        const size_t plain = points.size();
        for (const auto &list : lists)
            for (size_t k = 0; k < plain; k++) {
                points.push_back(with_list_of(points[k], list));
                for (unsigned i = 0; i < list_at(); i++) {
                    if (!is_register(i) || tied(i))
                        continue;
                    const Inst plain_list = with_list_of(points[k], list);
                    Inst changed = plain_list;
                    changed.getOperand(list_at()) = changed.getOperand(i);
                    points.push_back(changed);
                    points.push_back(without_in_list(plain_list, i));
                }
            }
        const size_t n = points.size();
        for (unsigned flag : flags)
            for (size_t k = 0; k < n; k++)
                points.push_back(with_flags(points[k], flag));
        return points;
    }

    bool learn(std::vector<OperandRule> &rules) const
    {
        const std::vector<Inst> points = enumerate();
        Evidence evidence;
        for (const auto &point : points)
            evidence.labels.push_back(label_of(point));
        for (const auto &atom : atoms) {
            evidence.truth.emplace_back();
            for (const auto &point : points)
                evidence.truth.back().push_back(atom_holds(target.isa, atom, point));
        }
        std::vector<ListRule> list;
        if (!learn_rule_list(evidence, list))
            return false;
        for (const auto &found : list) {
            OperandRule rule = {{}, found.label};
            for (const auto &literal : found.literals) {
                rule.atoms.push_back(atoms[literal.atom]);
                rule.atoms.back().kind ^= literal.negated ? SL_ATOM_NOT : 0;
            }
            rules.push_back(rule);
        }
        return true;
    }

    const Target &target;
    const Samples &samples;
    const llvm::MCInstrDesc &desc;
    const std::vector<Inst> &observed;
    const Labeller &label_of;
    std::vector<Inst> contexts;
    std::vector<std::set<unsigned>> domains;
    std::vector<std::vector<llvm::MCOperand>> values;
    std::vector<unsigned> relevant, flags;
    std::vector<Inst> lists; /* of every length; empty where they do not matter */
    std::vector<Atom> atoms;
    std::map<unsigned, std::vector<llvm::MCOperand>> probes;
};

/* "Unless the condition holds" becomes "if it holds": the same list whatever the samples were. */
void make_positive(std::vector<OperandRule> &rules)
{
    if (rules.size() != 2 || rules[0].atoms.size() != 1 || !(rules[0].atoms[0].kind & SL_ATOM_NOT))
        return;
    rules[0].atoms[0].kind ^= SL_ATOM_NOT;
    std::swap(rules[0].label, rules[1].label);
}

} // namespace

bool learn_operand_rules(const Target &target, const Samples &samples, const std::vector<llvm::MCInst> &list,
                         const Labeller &labeller, std::vector<OperandRule> &rules)
{
    if (!Learner(target, samples, list, labeller).run(rules))
        return false;
    make_positive(rules);
    return true;
}

} // namespace modelgen
