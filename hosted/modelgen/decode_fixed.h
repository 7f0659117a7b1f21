/* SPDX-License-Identifier: Apache-2.0 */
/* Learner of decoders for fixed-width instruction words: LLVM's disassembler is the oracle, tables are the result. */
#ifndef MODELGEN_DECODE_FIXED_H
#define MODELGEN_DECODE_FIXED_H

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "opspace.h"
#include "target.h"

namespace modelgen {

struct BitCube {
    uint32_t mask;
    uint32_t value;
    bool holds(uint32_t word) const { return (word & mask) == value; }
};

/* What differs between instruction sets of one word width. */
struct FixedConfig {
    Isa isa;
    unsigned word_bits;                /* 16 or 32 */
    BitCube domain;                    /* all words of the set */
    unsigned field_bits;               /* register fields that may have to differ from each other: width, */
    std::vector<unsigned> field_shift; /* and positions */
    std::vector<BitCube> hard;         /* regions that sampling does not cover: learned by enumerating every word */
    unsigned root_shift, root_width;   /* the field the decision tree asks first */
    uint32_t full() const { return word_bits == 32 ? 0xffffffffu : (1u << word_bits) - 1; }
    size_t n_pairs() const { return field_shift.size() * (field_shift.size() - 1) / 2; }
    /* Positions of the n-th pair of register fields. */
    std::pair<unsigned, unsigned> pair(size_t n) const;
};

const FixedConfig &aarch64_config();
const FixedConfig &riscv_config(Isa isa, unsigned word_bits);

/* LLVM's disassembler over words. */
class FixedOracle {
  public:
    FixedOracle(const Target &target, const FixedConfig &config) : target(target), config(config) {}
    /* The LLVM opcode, or 0 when LLVM refuses the word. A SoftFail (unpredictable) counts as decoded. */
    unsigned opcode(uint32_t word) const;
    /* False when refused; `soft` tells a SoftFail. Registers are those of the operands' classes, as the assembler gives
     * them: LLVM's disassembler writes Q registers into the 64-bit vector modified-immediate opcodes. */
    bool decode(uint32_t word, llvm::MCInst &inst, bool *soft = nullptr) const;

    /* Opcodes of which decode() changed a register. */
    mutable std::set<unsigned> reclassified;

    const Target &target;
    const FixedConfig &config;
};

/* Deterministic random words (xorshift64). */
class FixedRandom {
  public:
    explicit FixedRandom(uint64_t seed) : state(seed) {}
    uint32_t word()
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<uint32_t>(state >> 16);
    }
    /* A random word of the cube. */
    uint32_t in(const BitCube &cube) { return cube.value | (word() & ~cube.mask); }

  private:
    uint64_t state;
};

/* A word that lies in `cube` and whose register field pairs `distinct` (bit n: config.pair(n)) differ has `opcode`
 * (0: refused), unless an earlier row says otherwise. */
struct FixedRow {
    BitCube cube;
    uint16_t opcode;
    uint16_t distinct;
};

/* Rows in their order of precedence, with an index for fast look-up. */
class FixedRows {
  public:
    explicit FixedRows(const FixedConfig &config) : config(config) {}
    std::vector<FixedRow> rows;
    /* Most specific first; the order is total, so that tables are reproducible. */
    void sort();
    void build_index();
    /* Number of the row that decides the word, -1 if none does. */
    int find(uint32_t word) const;
    unsigned opcode(uint32_t word) const;
    bool distinct(uint16_t pairs, uint32_t word) const;
    const FixedConfig &config;

  private:
    void choose_bits(unsigned count);
    uint32_t key(uint32_t word) const;
    std::vector<unsigned> bits;
    std::vector<uint32_t> start;
    std::vector<uint16_t> list;
};

/* One MCInst operand as a function of the word. */
struct FixedOperand {
    enum Kind { const_reg, reg, const_imm, imm } kind;
    std::vector<uint8_t> bits;  /* source bits, least significant first */
    std::vector<int> map;       /* reg: register number by field value, -1 where no valid word has that value */
    int64_t base;               /* const_*: the value; imm: the value of an all-zero field */
    std::vector<int64_t> weight; /* imm: what each of `bits` adds */
    bool operator<(const FixedOperand &o) const
    {
        return std::tie(kind, bits, map, base, weight) < std::tie(o.kind, o.bits, o.map, o.base, o.weight);
    }
    bool operator==(const FixedOperand &o) const { return !(*this < o) && !(o < *this); }
    /* The register number or immediate of a word. */
    int64_t value(uint32_t word) const;
    bool is_reg() const { return kind == const_reg || kind == reg; }
};

using FixedSignature = std::vector<FixedOperand>;

/* Everything that is learned. */
struct FixedDecoder {
    explicit FixedDecoder(const FixedConfig &config) : table(config) {}
    FixedRows table;
    std::vector<FixedSignature> signature; /* [LLVM opcode] */
};

void learn_rows(const FixedOracle &oracle, FixedRows &table);
/* Number of opcodes whose operands could not be expressed. */
unsigned learn_operands(const FixedOracle &oracle, FixedDecoder &decoder);

/* References below this are ops, from here on nodes of the decision tree. */
const unsigned fixed_first_node = 0x2000;
/* The decision tree as 16-bit code units; see decode_fixed_tree.cpp for the node forms. The last unit is
 * the reference of the root. */
std::vector<uint16_t> build_tree(const FixedRows &table, const OpSpace &space);

int write_text(const FixedOracle &oracle, const FixedDecoder &decoder, const std::string &path);
int write_tables(const FixedOracle &oracle, const FixedDecoder &decoder, const OpSpace &space, const std::string &path);

} // namespace modelgen

#endif
