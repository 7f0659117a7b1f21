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
    /* Words and their bytes; a word of Thumb holds its first half on top. */
    uint32_t word(const uint8_t *bytes) const;
    void bytes(uint32_t word, uint8_t out[4]) const;
    uint32_t full() const { return word_bits == 32 ? 0xffffffffu : (1u << word_bits) - 1; }
    size_t n_pairs() const { return field_shift.size() * (field_shift.size() - 1) / 2; }
    /* Positions of the n-th pair of register fields. */
    std::pair<unsigned, unsigned> pair(size_t n) const;
};

const FixedConfig &aarch64_config();
const FixedConfig &riscv_config(Isa isa, unsigned word_bits);
const FixedConfig &arm_config(Isa isa, unsigned word_bits);

/* LLVM's disassembler over words. */
class FixedOracle {
  public:
    FixedOracle(const Target &target, const FixedConfig &config);
    /* The LLVM opcode, or 0 when LLVM refuses the word. A SoftFail (unpredictable) counts as decoded. */
    unsigned opcode(uint32_t word) const;
    /* False when refused; `soft` tells a SoftFail. Registers are those of the operands' classes, as the assembler gives
     * them: LLVM's disassembler writes Q registers into the 64-bit vector modified-immediate opcodes. Operands beyond
     * the declared ones are dropped unless they are a list's: it writes some predicates twice. */
    bool decode(uint32_t word, llvm::MCInst &inst, bool *soft = nullptr) const;

    /* Opcodes of which decode() changed a register. */
    mutable std::set<unsigned> reclassified;

    const Target &target;
    const FixedConfig &config;

  private:
    void as_parsed(llvm::MCInst &inst) const;
    void as_parsed_a32(llvm::MCInst &inst) const;
    unsigned bx = 0, bx_return = 0, add = 0, subtract = 0, a32_adr = 0, lr = 0, pc = 0;
    const unsigned adr;
    std::vector<uint8_t> unset; /* [LLVM opcode] operands that the assembler leaves at 0 */
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

/* How an immediate follows from its field where it is no sum of weighted bits; the numbers are core's FORM_* codes. */
enum class FixedCode {
    plain,
    sign_magnitude, /* bit 30 is set: the rest, else its negative; -0 is INT32_MIN */
    values,         /* an entry of a table */
    thumb_constant, /* 12 bits that stand for a 32-bit constant */
    thumb_branch,   /* 25 bits S:J1:J2:imm:0 */
    bit_field,      /* 10 bits: last and first bit of a field; the mask of all others */
    magnitude_sign  /* as sign_magnitude, but bit 30 is clear in front of a positive number */
};

/* One MCInst operand as a function of the word. */
struct FixedOperand {
    enum Kind { const_reg, reg, const_imm, imm } kind;
    FixedCode code = FixedCode::plain;
    std::vector<uint8_t> bits;  /* source bits, least significant first */
    std::vector<int64_t> map;   /* reg, values: by field value; reg: -1 where no valid word has that value */
    int64_t base;               /* const_*: the value; imm: the value of an all-zero field */
    std::vector<int64_t> weight; /* imm: what each of `bits` adds */
    bool operator<(const FixedOperand &o) const
    {
        return std::tie(kind, code, bits, map, base, weight) <
               std::tie(o.kind, o.code, o.bits, o.map, o.base, o.weight);
    }
    bool operator==(const FixedOperand &o) const { return !(*this < o) && !(o < *this); }
    /* The register number or immediate of a word. */
    int64_t value(uint32_t word) const;
    bool is_reg() const { return kind == const_reg || kind == reg; }
};

using FixedSignature = std::vector<FixedOperand>;

/* What a field of FixedOperand's code stands for. */
int64_t decoded_field(FixedCode code, uint32_t field);

/* The register list that ends the operands of LDM, VLDM and their like. */
struct FixedList {
    enum Kind { none, mask, run } kind = none;
    uint32_t plain = 0;     /* mask: word bit n stands for the n-th general register */
    unsigned from = 0;      /* mask: this bit of the word */
    unsigned to = 0;        /*   stands for that register; 0: no such bit */
    unsigned first = 0;     /* run: number of register 0; the first one's index is in `bits` */
    std::vector<uint8_t> bits;
    unsigned count_shift = 0, most = 0; /* run: word & 255 >> count_shift registers, at least 1, at most `most` */
    unsigned tail = 0;      /* run: one more register */
    bool operator<(const FixedList &o) const
    {
        return std::tie(kind, plain, from, to, first, bits, count_shift, most, tail) <
               std::tie(o.kind, o.plain, o.from, o.to, o.first, o.bits, o.count_shift, o.most, o.tail);
    }
    /* Register numbers of a word's list. */
    std::vector<unsigned> registers(uint32_t word, const std::vector<unsigned> &general) const;
};

/* R0 to R12, SP, LR, PC, APSR. */
std::vector<unsigned> general_registers(const Target &target);

/* Everything that is learned. */
struct FixedDecoder {
    explicit FixedDecoder(const FixedConfig &config) : table(config) {}
    FixedRows table;
    std::vector<FixedSignature> signature; /* [LLVM opcode] */
    std::vector<FixedList> list;           /* likewise */
};

void learn_rows(const FixedOracle &oracle, FixedRows &table);
/* Words that decode to the opcode, from its rows. */
std::vector<uint32_t> sample_words(const FixedOracle &oracle, unsigned opcode,
                                   const std::vector<const FixedRow *> &rows, unsigned count);
bool learn_list(const FixedOracle &oracle, unsigned opcode, const std::vector<uint32_t> &words, FixedList &list);
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
