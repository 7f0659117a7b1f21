/* SPDX-License-Identifier: Apache-2.0 */
/* Learning of assembly texts: LLVM's instruction printer is the oracle, templates with conditions are the result. */
#ifndef MODELGEN_TEXT_H
#define MODELGEN_TEXT_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "../report/disasm_table.h"
#include "decode_fixed.h"
#include "opspace.h"
#include "target.h"

namespace modelgen {

/* A dialect of the printer, without and with hexadecimal immediates. */
class TextOracle {
  public:
    TextOracle(const Target &target, unsigned dialect);
    /* Without leading blanks and without comments. */
    std::string print(const llvm::MCInst &inst, bool hex) const;
    /* "%rax"; as core's names. Of the target of the oracle that was made last. */
    static const char *reg_name(uint16_t reg);
    const Target &target;
    const unsigned dialect;

  private:
    std::unique_ptr<llvm::MCInstPrinter> plain, hexadecimal;
};

/* What is printed, and what core's decoder gives for it: on Arm not always the same. */
struct TextInst {
    llvm::MCInst printed, operands;
};

/* As core's decoder gives it, without address and length. */
sl_insn to_insn(const Target &target, const OpSpace &space, const llvm::MCInst &inst);

/* A piece of text that is either fixed or made from operands. */
struct TextToken {
    enum Kind : char { word = 'W', number = 'N', hash = 'H', memory = 'M', punctuation = 'P' } kind;
    std::array<std::string, 2> text; /* without and with hexadecimal immediates */
    uint8_t operand;                 /* memory: its first operand */
};

struct TextMemory {
    std::array<std::string, 2> text;
    uint8_t operand; /* text_list: the registers of a list */
};
const uint8_t text_list = 255;

/* A part of the mnemonic that is a token of its own, perhaps empty: Arm's S, condition and vector condition. */
struct TextMark {
    size_t at, length;
};

struct TextSample {
    sl_insn insn;
    std::vector<TextToken> tokens;
    std::string shape; /* kinds; punctuation as itself */
};

/* Fills in tokens and shape. False: the two texts do not have the same shape. `memories` are the texts of x86 memory
 * operands, which count as one token. */
bool tokenize(const std::array<std::string, 2> &text, const std::vector<TextMemory> &memories,
              const std::vector<TextMark> &marks, TextSample &sample);

using NameTable = std::map<int32_t, std::string>;
using NumberKey = std::tuple<int64_t, int64_t, int64_t, uint8_t, uint8_t, uint8_t>;
using SlotKey = std::tuple<uint8_t, uint8_t, uint8_t, uint16_t>;

/* What the texts of one dialect consist of, and each opcode's tree. */
struct TextTables {
    std::vector<NameTable> names;
    std::vector<disasm_number> numbers;
    std::vector<disasm_slot> slots;
    std::vector<std::vector<int64_t>> sets;
    std::vector<disasm_node> nodes;
    std::vector<std::pair<std::string, std::string>> leaves; /* mnemonic, pattern */
    std::vector<uint16_t> roots;
    int32_t largest_key = 511; /* of tables of immediates: the samples hold every value up to it */
    bool by_operand = false;   /* or: of the opcode that is being learned they hold every value of these operands */
    uint32_t small_operands = 0;
    uint8_t first_general = 0; /* Arm: number of R0 */

    explicit TextTables(size_t n_ops) : roots(n_ops, DISASM_NOTHING) {}
    uint16_t number(const disasm_number &number);
    uint16_t slot(const disasm_slot &slot);
    uint16_t set(const std::vector<int64_t> &values);
    uint16_t leaf(const std::string &mnemonic, const std::string &pattern);
    uint16_t node(const disasm_node &node);
    /* A table that says what `names` says, and perhaps more; with `exact` no more: what is not in it means something. */
    uint16_t table(const NameTable &names, bool exact = false);
    /* Number of a table that holds all of `names` already, -1 if none does. */
    int known_table(const NameTable &names, bool exact = false) const;

  private:
    std::vector<bool> closed; /* [names]: exact */
    std::map<NumberKey, uint16_t> number_of;
    std::map<SlotKey, uint16_t> slot_of;
    std::map<std::vector<int64_t>, uint16_t> set_of;
    std::map<std::pair<std::string, std::string>, uint16_t> leaf_of;
    std::map<std::tuple<uint8_t, uint8_t, uint8_t, uint8_t, uint16_t, uint16_t, uint16_t>, uint16_t> node_of;
};

/* Learns one opcode's tree from samples of it; the root's reference, DISASM_NOTHING if no tree explains them all. */
uint16_t learn_text(TextTables &tables, const std::vector<const TextSample *> &samples);

/* The template that explains all samples. */
bool learn_template(TextTables &tables, const std::vector<const TextSample *> &samples, std::string &mnemonic,
                    std::string &pattern, size_t &unexplained);

/* The tables as the tool's interpreter takes them; only what the roots lead to. */
struct PackedText {
    explicit PackedText(const TextTables &tables);
    /* "" when unknown. */
    std::string text(const sl_insn &insn, bool hex, bool intel, const sl_isa *isa = nullptr) const;

    std::vector<uint16_t> roots;
    std::vector<disasm_node> nodes;
    std::vector<disasm_leaf> leaves;
    std::vector<std::string> mnemonics, patterns, texts;
    std::vector<disasm_slot> slots;
    std::vector<disasm_number> numbers;
    std::vector<disasm_stretch> sets, tables;
    std::vector<int64_t> set_values;
    std::vector<disasm_name> names;
    disasm_tables view;

  private:
    std::vector<const char *> mnemonic_pointers, pattern_pointers, text_pointers;
};

/* What is done with a sample: its encoding and what LLVM decodes from it. */
using TakeSample = std::function<void(const uint8_t *bytes, size_t size, const TextInst &inst)>;

/* Calls `take` for samples of op; `round` changes them. */
class TextSampler {
  public:
    virtual ~TextSampler() = default;
    virtual void sample(size_t op, unsigned round, const TakeSample &take) = 0;
    /* Bit n: the samples hold every value of operand n. */
    virtual uint32_t small_operands(size_t) const { return 0; }
};

/* 32-bit Arm's oddities: operands as assemblers give them, IT and VPT blocks, conditions within mnemonics. */
class TextArm {
  public:
    TextArm(const Target &target, const OpSpace &space);
    bool decode(const uint8_t *bytes, unsigned len_bytes, TextInst &inst) const;
    /* Makes of it what it is at some place of some block. */
    void place(TextInst &inst, unsigned len_bytes, uint64_t random) const;
    std::vector<TextMark> marks(const TextOracle &oracle, const llvm::MCInst &inst) const;
    /* Puts the list's registers into the instruction, and says how they are written. False: none. */
    bool list(const TextInst &inst, sl_insn &insn, std::string &text) const;
    /* Operands that place() changes. */
    uint32_t placed_operands(unsigned opcode) const;
    /* With the registers of lists. */
    const sl_isa &isa() const { return lists; }

  private:
    const Target &target;
    const FixedOracle full;
    std::unique_ptr<FixedOracle> half;
    std::vector<unsigned> general;
    std::vector<uint16_t> list_regs;
    sl_isa lists = {};
    unsigned status, vector_predicate;
};
/* What the decoder's generator wrote about words of one length. */
struct DecodeText {
    std::string path;
    unsigned len_bytes;
};
std::unique_ptr<TextSampler> fixed_sampler(const Target &target, const OpSpace &space,
                                           const std::vector<DecodeText> &decode_texts);
/* The two files of a RISC-V decoder. */
std::vector<DecodeText> riscv_decode_texts(const std::string &gen_dir, Isa isa);
std::vector<DecodeText> arm_decode_texts(const std::string &gen_dir, Isa isa);
std::unique_ptr<TextSampler> x86_sampler(const Target &target, const OpSpace &space);

/* core/gen/NAME_text.inc. */
int write_text_tables(const PackedText &packed, const std::string &gen_dir, const std::string &name);

} // namespace modelgen

#endif
