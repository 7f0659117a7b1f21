/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of core's x86-64 decoder with LLVM's disassembler and assembler. */
#include "decode_x86_compare.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace modelgen {
namespace x86 {

namespace {

constexpr unsigned max_len = 15;

bool is_legacy_prefix(uint8_t byte)
{
    return strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", byte) && byte;
}

size_t prefix_count(const uint8_t *bytes, size_t len)
{
    size_t n = 0;
    while (n < len && is_legacy_prefix(bytes[n]))
        n++;
    return n;
}

/* Copies without the prefixes that `drop` names; returns the new length. */
size_t copy_without(const uint8_t *bytes, size_t len, const char *drop, uint8_t *out)
{
    size_t n = 0, prefixes = prefix_count(bytes, len);
    for (size_t i = 0; i < len; i++)
        if (i >= prefixes || !strchr(drop, bytes[i]))
            out[n++] = bytes[i];
    return n;
}

/* Copies with the prefixes in the order segment, 67, 66, F2 or F3, each once and with the one that counts. */
size_t copy_ordered(const uint8_t *bytes, size_t len, uint8_t *out, size_t &dropped)
{
    size_t prefixes = prefix_count(bytes, len), n = 0;
    uint8_t segment = 0, adsize = 0, opsize = 0, rep = 0, lock = 0;
    for (size_t i = 0; i < prefixes; i++) {
        uint8_t &slot = bytes[i] == 0x67 ? adsize : bytes[i] == 0x66 ? opsize : bytes[i] >= 0xf2 ? rep : bytes[i] == 0xf0 ? lock : segment;
        slot = bytes[i];
    }
    for (uint8_t byte : {lock, segment, adsize, opsize, rep})
        if (byte)
            out[n++] = byte;
    dropped = prefixes - n;
    memcpy(out + n, bytes + prefixes, len - prefixes);
    return n + len - prefixes;
}

bool is_vex_behind_66(const uint8_t *bytes)
{
    size_t prefixes = prefix_count(bytes, max_len);
    uint8_t first = bytes[prefixes];
    return memchr(bytes, 0x66, prefixes) && (first == 0xc4 || first == 0xc5 || first == 0x8f);
}

} // namespace

Comparer::Comparer
(const Target &t)
    : target(t), ops(t), xacquire(opcode_by_name(*t.mcii, "XACQUIRE_PREFIX")),
      xrelease(opcode_by_name(*t.mcii, "XRELEASE_PREFIX")), ds(register_by_name(*t.mri, "DS"))
{
}

std::string Comparer::name(unsigned llvm_opcode) const
{
    return target.mcii->getName(llvm_opcode).str();
}

/* LLVM's answer with lock, xacquire and xrelease attached to the instruction, as its assembly parser does. */
unsigned Comparer::reference(const uint8_t *bytes, size_t len, llvm::MCInst &out) const
{
    uint8_t rest[64];
    len = std::min(len, sizeof rest);
    size_t n = copy_without(bytes, len, "\xf0", rest);
    size_t dropped = len - n;
    unsigned flags = dropped ? unsigned{mcinst_lock} : 0u;
    unsigned got = target.decode(rest, n, out);
    if (got && (out.getOpcode() == xacquire || out.getOpcode() == xrelease)) {
        uint8_t plain[64];
        flags |= out.getOpcode() == xacquire ? mcinst_repne : mcinst_rep;
        size_t m = copy_without(rest, n, "\xf2\xf3", plain);
        dropped += n - m;
        got = target.decode(plain, m, out);
    }
    out.setFlags(out.getFlags() | flags);
    unsigned total = got ? got + static_cast<unsigned>(dropped) : 0;
    return total <= max_len ? total : 0;
}

std::string Comparer::operand_difference(const llvm::MCInst &reference, const sl_insn &ours, bool parsed) const
{
    if (reference.getNumOperands() != ours.n_operands)
        return "operand count";
    for (unsigned j = 0; j < ours.n_operands; j++) {
        const llvm::MCOperand &r = reference.getOperand(j);
        const sl_operand &o = ours.operand[j];
        std::string where = " operand " + std::to_string(j);
        if (r.isExpr() && o.kind == SL_OPERAND_IMM)
            continue;
        if (r.isReg() != (o.kind == SL_OPERAND_REG))
            return "kind of" + where;
        if (r.isReg() && r.getReg() != o.reg && !((ours.flags & SL_INSN_NOTRACK) && r.getReg() == ds))
            return "register of" + where + ": " + target.mri->getName(r.getReg()) + " is " + target.mri->getName(o.reg);
        if (r.isImm() && r.getImm() != o.imm && !parsed)
            return "immediate of" + where;
    }
    return "";
}

std::string Comparer::difference(const llvm::MCInst &reference, const sl_insn &ours, bool parsed) const
{
    if (ops.of_llvm[reference.getOpcode()] != ours.op)
        return "opcode " + name(reference.getOpcode()) + " is " + name(ops.to_llvm[ours.op]);
    std::string what = operand_difference(reference, ours, parsed);
    if (!what.empty())
        return what + " of " + name(reference.getOpcode());
    static const struct {
        unsigned llvm;
        uint32_t ours;
    } flags[] = {{mcinst_lock, SL_INSN_LOCK}, {mcinst_rep, SL_INSN_REP}, {mcinst_repne, SL_INSN_REPNE}};
    uint32_t rep = ours.flags & (SL_INSN_REP | SL_INSN_REPNE);
    if (!parsed && rep && !(reference.getFlags() & (mcinst_rep | mcinst_repne)))
        return "expected: LLVM drops F2 or F3 without a meaning";
    for (const auto &flag : flags)
        if (!!(reference.getFlags() & flag.llvm) != !!(ours.flags & flag.ours))
            return "flags " + name(reference.getOpcode());
    return "";
}

bool Comparer::is_apx(const uint8_t *bytes, llvm::StringRef opcode)
{
    const uint8_t *p = bytes + prefix_count(bytes, max_len);
    return is_apx_name(opcode) || *p == 0xd5 || (*p == 0x62 && ((p[1] & 7) == 4 || (p[1] & 8) || !(p[2] & 4)));
}

/* What LLVM decodes and we refuse: prefixes alone, and APX. */
std::string Comparer::undecoded_class(const llvm::MCInst &reference, const uint8_t *bytes) const
{
    llvm::StringRef opcode = target.mcii->getName(reference.getOpcode());
    if (opcode.ends_with("_PREFIX"))
        return "expected: prefix bytes without an instruction";
    if (is_apx(bytes, opcode))
        return "expected: APX";
    return "LLVM decodes, we do not: " + opcode.str();
}

void Comparer::note(const std::string &what, bool expected, const uint8_t *bytes, size_t len)
{
    Class &c = classes[what];
    c.expected = expected;
    if (c.count++)
        return;
    for (size_t i = 0; i < len && i < max_len; i++) {
        char hex[8];
        snprintf(hex, sizeof hex, "%02x ", bytes[i]);
        c.example += hex;
    }
}

/* Empty if both agree. */
std::string Comparer::judge(const llvm::MCInst &inst, unsigned got, const uint8_t *bytes, const sl_insn *ours) const
{
    if (!ours)
        return got ? undecoded_class(inst, bytes) : "";
    if (!got)
        return "we decode, LLVM does not: " + name(ops.to_llvm[ours->op]);
    return got != ours->len_bytes ? "length of " + name(inst.getOpcode()) : difference(inst, *ours, false);
}

unsigned Comparer::check(const uint8_t *bytes, size_t len)
{
    llvm::MCInst inst, ordered_inst;
    sl_insn insn;
    unsigned got = reference(bytes, len, inst), step = got ? got : 1;
    const sl_insn *ours = sl_decode_x86_64(bytes, len, &insn) == SL_OK ? &insn : nullptr;
    std::string what = judge(inst, got, bytes, ours);
    if (what.empty()) {
        (got ? same : both_undecodable)++;
        return step;
    }
    if (what.compare(0, 9, "expected:") == 0) {
        note(what, true, bytes, len);
        return step;
    }
    /* LLVM lets the order of prefixes matter, processors do not: F2 and F3 go before 66 as opcode extension. */
    uint8_t ordered[64];
    size_t dropped;
    size_t n = copy_ordered(bytes, std::min<size_t>(len, 32), ordered, dropped);
    unsigned other = reference(ordered, n, ordered_inst);
    other = other && other + dropped <= max_len ? other + static_cast<unsigned>(dropped) : 0;
    std::string in_order = judge(ordered_inst, other, bytes, ours);
    if (in_order.empty() || in_order.compare(0, 9, "expected:") == 0)
        what = "expected: LLVM depends on the order of prefixes";
    else if (is_vex_behind_66(bytes))
        what = "expected: 66 before VEX or XOP (undefined on processors)";
    note(what, what.compare(0, 9, "expected:") == 0, bytes, len);
    return step;
}


/* Texts whose bytes cannot tell everything. */
std::string Comparer::parsed_class(const llvm::MCInst &parsed, const uint8_t *bytes, size_t len, const sl_insn *ours) const
{
    llvm::StringRef opcode = target.mcii->getName(parsed.getOpcode());
    if (len == 1 && (parsed.getOpcode() == xacquire || parsed.getOpcode() == xrelease))
        return "expected: xacquire and xrelease alone read as repne and rep";
    if (!ours)
        return (opcode.ends_with("_PREFIX") ? "expected: several prefixes alone: " : "undecodable after text: ") + opcode.str();
    if (ours->len_bytes != len)
        return "length of " + opcode.str();
    std::string what = difference(parsed, *ours, true);
    size_t reps = 0;
    for (size_t i = 0; i < prefix_count(bytes, len); i++)
        reps += bytes[i] == 0xf2 || bytes[i] == 0xf3;
    if (what.compare(0, 5, "flags") == 0 && reps > 0 && !(ours->flags & (SL_INSN_REP | SL_INSN_REPNE)))
        return "expected: a rep in front of an F2 or F3 that is part of the opcode";
    if (!what.empty() && bytes[len - 1] == 0x90 && opcode == "XCHG16ar")
        return "expected: xchg of ax with itself reads as nop, as with LLVM's disassembler";
    bool ds_text = false;
    for (const llvm::MCOperand &operand : parsed)
        ds_text = ds_text || (operand.isReg() && operand.getReg() == ds);
    if (what.compare(0, 8, "register") == 0 && ds_text && bytes[0] != 0x3e)
        return "expected: the assembler leaves out a redundant ds";
    return what;
}

void Comparer::check_parsed(const llvm::MCInst &parsed, const uint8_t *bytes, size_t len)
{
    sl_insn insn;
    const sl_insn *ours = sl_decode_x86_64(bytes, len, &insn) == SL_OK ? &insn : nullptr;
    std::string what = parsed_class(parsed, bytes, len, ours);
    if (what.empty())
        same++;
    else
        note(what, what.compare(0, 9, "expected:") == 0, bytes, len);
}

uint64_t Comparer::report(const char *what)
{
    std::vector<std::pair<uint64_t, std::string>> order;
    uint64_t expected = 0, unexpected = 0;
    for (const auto &entry : classes) {
        (entry.second.expected ? expected : unexpected) += entry.second.count;
        order.push_back({entry.second.count, entry.first});
    }
    printf("%s: %llu same, %llu undecodable for both, %llu expected differences, %llu unexpected\n", what,
           static_cast<unsigned long long>(same), static_cast<unsigned long long>(both_undecodable),
           static_cast<unsigned long long>(expected), static_cast<unsigned long long>(unexpected));
    std::sort(order.rbegin(), order.rend());
    for (size_t i = 0; i < order.size() && i < 40; i++)
        printf("  %8llu %s  [%s]\n", static_cast<unsigned long long>(order[i].first), order[i].second.c_str(),
               classes[order[i].second].example.c_str());
    classes.clear();
    same = both_undecodable = 0;
    return unexpected;
}

} // namespace x86
} // namespace modelgen
