/* SPDX-License-Identifier: Apache-2.0 */
/* Verification of decoders by sampling (seconds) or by all words of the set (minutes to half an hour). */
#include "decode_fixed_verify.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace modelgen {
namespace {

class Verifier {
  public:
    Verifier(const FixedOracle &oracle, const sl_isa &tables, const OpSpace &space)
        : oracle(oracle), tables(tables), decode(tables.decode), space(space), met(oracle.target.mcii->getNumOpcodes())
    {
    }
    void compare(uint32_t word);
    bool in_set(uint32_t word) const;
    void range(uint64_t first, uint64_t last, uint64_t step);
    void sample(uint64_t count);
    int report() const;

  private:
    const char *difference(const llvm::MCInst &theirs, const sl_insn &ours) const;

    const FixedOracle &oracle;
    const sl_isa &tables;
    sl_decode_fn *decode;
    const OpSpace &space;
    uint64_t words = 0, valid = 0, wrong = 0;
    std::vector<bool> met;          /* [LLVM opcode] */
    std::vector<uint32_t> examples; /* a word of each opcode met */
    std::map<std::pair<unsigned, std::string>, std::pair<uint64_t, uint32_t>> faults;
};

const char *Verifier::difference(const llvm::MCInst &theirs, const sl_insn &ours) const
{
    if (ours.op != space.of_llvm[theirs.getOpcode()])
        return "opcode";
    if (ours.len_bytes * 8 != oracle.config.word_bits)
        return "length";
    if (ours.n_operands != theirs.getNumOperands())
        return "operand count";
    if (ours.flags != theirs.getFlags())
        return "flags";
    for (unsigned n = sl_insn_stored(&ours); n < ours.n_operands; n++)
        if (sl_insn_list_reg(&tables, &ours, n - sl_insn_stored(&ours)) != theirs.getOperand(n).getReg())
            return "list";
    for (unsigned n = 0; n < sl_insn_stored(&ours); n++) {
        const llvm::MCOperand &operand = theirs.getOperand(n);
        if (operand.isReg() ? ours.operand[n].kind != SL_OPERAND_REG
                            : !operand.isImm() || ours.operand[n].kind != SL_OPERAND_IMM)
            return "operand kind";
        if (operand.isReg() && ours.operand[n].reg != operand.getReg())
            return "register";
        if (operand.isImm() && ours.operand[n].imm != operand.getImm())
            return "immediate";
    }
    return nullptr;
}

void Verifier::compare(uint32_t word)
{
    llvm::MCInst theirs;
    sl_insn ours;
    uint8_t bytes[4];
    oracle.config.bytes(word, bytes);
    bool is_valid = oracle.decode(word, theirs);
    enum sl_status status = decode(bytes, oracle.config.word_bits / 8, &ours);
    const char *what = nullptr;
    words++;
    valid += is_valid;
    if (is_valid && !met[theirs.getOpcode()]) {
        met[theirs.getOpcode()] = true;
        examples.push_back(word);
    }
    if (is_valid && status == SL_OK)
        what = difference(theirs, ours);
    else if (is_valid || status != SL_E_UNDECODABLE)
        what = is_valid ? "refused" : "accepted";
    if (!what)
        return;
    wrong++;
    auto &fault = faults[{is_valid ? theirs.getOpcode() : 0, what}];
    fault.first++;
    fault.second = word;
}

/* Of words of the set's length; a RISC-V word that starts with two ones is a longer one, as is a Thumb word from 0xe800
 * on. */
bool Verifier::in_set(uint32_t word) const
{
    const Isa isa = oracle.config.isa;
    const bool half = oracle.config.word_bits == 16;
    if ((is_riscv(isa) && half && (word & 3) == 3) || (is_thumb(isa) && (half ? word >= 0xe800 : word < 0xe8000000)))
        return false;
    return oracle.config.domain.holds(word);
}

void Verifier::range(uint64_t first, uint64_t last, uint64_t step)
{
    for (uint64_t word = first; word <= last; word += step) {
        if (in_set(static_cast<uint32_t>(word)))
            compare(static_cast<uint32_t>(word));
        if (step == 1 && (word & 0xfffffff) == 0xfffffff)
            fprintf(stderr, "modelgen: up to %08llx: %llu valid, %llu differ\n", static_cast<unsigned long long>(word),
                    static_cast<unsigned long long>(valid), static_cast<unsigned long long>(wrong));
    }
}

/* Random words; then changes of a few bits of a word of each opcode, also of the opcodes this discovers. */
void Verifier::sample(uint64_t count)
{
    FixedRandom random(20240229);
    for (uint64_t i = 0; i < count; i++)
        if (uint32_t word = random.in(oracle.config.domain) & oracle.config.full(); in_set(word))
            compare(word);
    for (size_t i = 0; i < examples.size(); i++)
        for (unsigned k = 0; k < 200; k++)
            if (uint32_t word = (examples[i] ^ (random.word() & random.word() & random.word())) & oracle.config.full();
                in_set(word))
                compare(word);
}

int Verifier::report() const
{
    for (const auto &[key, fault] : faults)
        printf("%-24s %s: %llu words, such as %08x\n",
               key.first ? oracle.target.mcii->getName(key.first).str().c_str() : "(no instruction)", key.second.c_str(),
               static_cast<unsigned long long>(fault.first), fault.second);
    printf("%s: %llu words compared, %llu valid, %zu opcodes, %llu differ from LLVM\n", isa_name(oracle.config.isa),
           static_cast<unsigned long long>(words), static_cast<unsigned long long>(valid), examples.size(),
           static_cast<unsigned long long>(wrong));
    for (unsigned opcode : oracle.reclassified)
        printf("%s: registers of the operand's class, not those of LLVM's disassembler\n",
               oracle.target.mcii->getName(opcode).str().c_str());
    return wrong != 0;
}

} // namespace

int verify_fixed(const FixedOracle &oracle, const sl_isa &tables, int argc, char **argv)
{
    return verify_fixed(oracle, tables, OpSpace(oracle.target), argc, argv);
}

int verify_fixed(const FixedOracle &oracle, const sl_isa &tables, const OpSpace &space, int argc, char **argv)
{
    Verifier verifier(oracle, tables, space);
    auto number = [&](int at, uint64_t otherwise) { return argc > at ? strtoull(argv[at], nullptr, 0) : otherwise; };
    if (argc > 1 && strcmp(argv[1], "--exhaustive") == 0) {
        verifier.range(number(2, 0), number(3, oracle.config.full()), number(4, 1));
    } else if (argc == 1 || strcmp(argv[1], "--sample") == 0) {
        verifier.sample(number(2, 8000000));
    } else {
        fprintf(stderr, "usage: modelgen %s [--sample [COUNT] | --exhaustive [FIRST LAST [STEP]]]\n", argv[0]);
        return 2;
    }
    return verifier.report();
}

} // namespace modelgen
