/* SPDX-License-Identifier: Apache-2.0 */
/* Learns word -> opcode: seeds, cubes grown around them, then corrections by counter-example until none is found. */
#include "decode_fixed.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace modelgen {
namespace {

const size_t seeds_kept = 12;
const unsigned max_rounds = 40;

bool contains(const BitCube &outer, const BitCube &inner)
{
    return (outer.mask & ~inner.mask) == 0 && ((outer.value ^ inner.value) & outer.mask) == 0;
}

int fixed_bits(const BitCube &cube)
{
    return __builtin_popcount(cube.mask);
}

class Learner {
  public:
    Learner(const FixedOracle &oracle, FixedRows &table)
        : oracle(oracle), config(oracle.config), table(table), random(88172645463325252ull)
    {
    }
    void run();

  private:
    void add_seed(unsigned opcode, uint32_t word);
    void seed_random(uint64_t count);
    void seed_encoder();
    void seed_flips();
    BitCube grow(uint32_t word, unsigned opcode, uint32_t candidates, double share, unsigned samples);
    void first_rows();
    void rows_of(unsigned opcode);
    uint16_t distinct_pairs(const FixedRow &row);
    bool test(uint32_t word);
    void correct(uint32_t word, int row, unsigned opcode);
    void add_corrections();
    uint64_t round(unsigned number);
    uint64_t enumerate(const BitCube &region);

    const FixedOracle &oracle;
    const FixedConfig &config;
    FixedRows &table;
    FixedRandom random;
    std::map<unsigned, std::vector<uint32_t>> seeds;
    std::vector<FixedRow> corrections;
    unsigned corrections_each = 2; /* words of one row with one right answer that a round may correct */
    std::map<std::pair<int, unsigned>, unsigned> seen; /* (row, right opcode) -> corrections made in this round */
};

void Learner::add_seed(unsigned opcode, uint32_t word)
{
    if (opcode && seeds[opcode].size() < seeds_kept)
        seeds[opcode].push_back(word);
}

void Learner::seed_random(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t word = random.in(config.domain) & config.full();
        add_seed(oracle.opcode(word), word);
    }
}

/* Encodes every opcode with registers of the declared classes and small immediates. Nonsense operands are fine: a
 * seed counts for whatever opcode the word decodes to. */
void Learner::seed_encoder()
{
    static const int64_t plain[] = {0, 1, 4, 8, 16};
    const Target &t = oracle.target;
    for (unsigned opcode = 1; opcode < t.mcii->getNumOpcodes(); opcode++) {
        const llvm::MCInstrDesc &desc = t.mcii->get(opcode);
        if (desc.isPseudo())
            continue;
        for (unsigned variant = 0; variant < 12; variant++) {
            llvm::MCInst inst;
            inst.setOpcode(opcode);
            for (unsigned n = 0; n < desc.getNumOperands(); n++) {
                const llvm::MCOperandInfo &info = desc.operands()[n];
                int tied = desc.getOperandConstraint(n, llvm::MCOI::TIED_TO);
                uint32_t dice = random.word();
                if (tied >= 0 && static_cast<unsigned>(tied) < n) {
                    inst.addOperand(inst.getOperand(static_cast<unsigned>(tied)));
                } else if (info.RegClass >= 0 && !info.isLookupPtrRegClass()) {
                    const auto &regs = t.mri->getRegClass(static_cast<unsigned>(info.RegClass));
                    inst.addOperand(llvm::MCOperand::createReg(regs.getRegister(variant ? dice % regs.getNumRegs() : 0)));
                } else {
                    int64_t value = variant < 5 ? plain[variant] : (dice >> 8) >> (dice % 24);
                    inst.addOperand(llvm::MCOperand::createImm(value & 255));
                }
            }
            const std::vector<uint8_t> code = t.encode(inst);
            if (code.size() * 8 != config.word_bits)
                continue;
            const uint32_t word = config.word(code.data());
            add_seed(oracle.opcode(word), word);
        }
    }
}

/* One and two bit changes of the first seeds of each opcode, and of the opcodes this discovers. */
void Learner::seed_flips()
{
    std::vector<uint32_t> queue;
    for (const auto &[opcode, words] : seeds)
        queue.insert(queue.end(), words.begin(), words.begin() + static_cast<long>(std::min<size_t>(words.size(), 3)));
    for (size_t i = 0; i < queue.size(); i++)
        for (unsigned a = 0; a < config.word_bits; a++)
            for (unsigned b = a; b < config.word_bits; b++) {
                uint32_t word = queue[i] ^ (1u << a) ^ (a == b ? 0 : 1u << b);
                unsigned opcode = oracle.opcode(word);
                if (opcode && seeds[opcode].empty())
                    queue.push_back(word);
                add_seed(opcode, word);
            }
}

/* The largest cube around `word` that a greedy walk finds in which a `share` of sampled words has `opcode`. */
BitCube Learner::grow(uint32_t word, unsigned opcode, uint32_t candidates, double share, unsigned samples)
{
    uint32_t open = 0;
    bool changed = true;
    for (int pass = 0; pass < 3 && changed; pass++) {
        changed = false;
        for (unsigned bit = 0; bit < config.word_bits; bit++) {
            uint32_t flip = 1u << bit;
            if (!(candidates & flip) || (open & flip))
                continue;
            if (share >= 1 && oracle.opcode(word ^ flip) != opcode)
                continue;
            unsigned few = static_cast<unsigned>(__builtin_popcount(open));
            unsigned tries = few < 5 ? std::min(samples, 1u << few) : samples, good = 0, bad = 0;
            for (unsigned k = 0; k < tries && !(share >= 1 && bad); k++) {
                uint32_t probe = ((word ^ flip) & ~open) | (random.word() & open);
                (oracle.opcode(probe) == opcode ? good : bad)++;
            }
            if (bad == 0 || (share < 1 && good >= share * tries)) {
                open |= flip;
                changed = true;
            }
        }
    }
    uint32_t mask = ~open & config.full();
    return {mask, word & mask};
}

void Learner::rows_of(unsigned opcode)
{
    uint32_t open = config.full() & ~config.domain.mask;
    std::vector<BitCube> mine;
    for (uint32_t word : seeds[opcode]) {
        if (std::any_of(mine.begin(), mine.end(), [&](const BitCube &c) { return c.holds(word); }))
            continue;
        BitCube cube = grow(word, opcode, open, 0.4, 24);
        for (int k = 0; k < 3; k++) { /* a seed at the rim grows a small cube: try other members */
            uint32_t member = random.in(cube) & config.full();
            if (oracle.opcode(member) != opcode)
                continue;
            BitCube other = grow(member, opcode, open, 0.4, 24);
            if (fixed_bits(other) < fixed_bits(cube) && other.holds(word))
                cube = other;
        }
        if (std::any_of(mine.begin(), mine.end(), [&](const BitCube &c) { return contains(c, cube); }))
            continue;
        mine.erase(std::remove_if(mine.begin(), mine.end(), [&](const BitCube &c) { return contains(cube, c); }),
                   mine.end());
        mine.push_back(cube);
    }
    for (const BitCube &cube : mine)
        table.rows.push_back({cube, static_cast<uint16_t>(opcode), 0});
}

/* Pairs of free register fields that must differ: equal is never this opcode, different mostly is. */
uint16_t Learner::distinct_pairs(const FixedRow &row)
{
    uint32_t field = (1u << config.field_bits) - 1;
    unsigned pairs = 0;
    bool pure = true;
    for (int i = 0; i < 200; i++)
        pure &= oracle.opcode(random.in(row.cube) & config.full()) == row.opcode;
    for (size_t n = 0; !pure && n < config.n_pairs(); n++) {
        auto [a, b] = config.pair(n);
        if (((row.cube.mask >> a) & field) || ((row.cube.mask >> b) & field))
            continue;
        unsigned equal = 0, different = 0;
        for (int i = 0; i < 200 && !equal; i++) {
            uint32_t word = random.in(row.cube) & config.full();
            if (((word >> a) & field) != ((word >> b) & field))
                different += oracle.opcode(word) == row.opcode;
            uint32_t same = (word & ~(field << b)) | (((word >> a) & field) << b);
            equal += oracle.opcode(same) == row.opcode;
        }
        if (!equal && different > 100)
            pairs |= 1u << n;
    }
    return static_cast<uint16_t>(pairs);
}

void Learner::first_rows()
{
    for (const auto &entry : seeds)
        rows_of(entry.first);
    for (auto &row : table.rows)
        row.distinct = distinct_pairs(row);
    table.sort();
}

/* Notes a correction for a word on which table and oracle differ: a row around it that takes precedence. */
void Learner::correct(uint32_t word, int row, unsigned opcode)
{
    uint32_t open = config.full() & ~config.domain.mask;
    BitCube cube;
    if (row < 0) {
        cube = grow(word, opcode, open, 0.4, 24);
        for (const auto &known : table.rows)
            if (known.cube.mask == cube.mask && known.cube.value == cube.value) {
                cube = grow(word, opcode, open, 1.0, 64);
                break;
            }
    } else {
        const BitCube &wrong = table.rows[static_cast<size_t>(row)].cube;
        if (opcode == 0) {
            cube = grow(word, 0, ~wrong.mask & config.full(), 1.0, 96);
        } else {
            cube = grow(word, opcode, open, 0.9, 32);
            if (fixed_bits(cube) <= fixed_bits(wrong))
                cube = grow(word, opcode, ~wrong.mask & config.full(), 1.0, 64);
        }
    }
    corrections.push_back({cube, static_cast<uint16_t>(opcode), 0});
}

bool Learner::test(uint32_t word)
{
    unsigned opcode = oracle.opcode(word);
    int row = table.find(word);
    if (opcode == (row < 0 ? 0 : table.rows[static_cast<size_t>(row)].opcode))
        return true;
    if (corrections.size() < 4000 && seen[{row, opcode}]++ < corrections_each)
        correct(word, row, opcode);
    return false;
}

void Learner::add_corrections()
{
    std::stable_sort(corrections.begin(), corrections.end(), [](const FixedRow &a, const FixedRow &b) {
        return fixed_bits(a.cube) < fixed_bits(b.cube);
    });
    std::vector<FixedRow> keep;
    for (const auto &row : corrections)
        if (std::none_of(keep.begin(), keep.end(), [&](const FixedRow &k) {
                return k.opcode == row.opcode && contains(k.cube, row.cube);
            }))
            keep.push_back(row);
    for (const auto &row : keep)
        if (std::none_of(table.rows.begin(), table.rows.end(), [&](const FixedRow &k) {
                return k.opcode == row.opcode && k.cube.mask == row.cube.mask && k.cube.value == row.cube.value;
            }))
            table.rows.push_back(row);
    corrections.clear();
    seen.clear();
    table.sort();
}

/* Compares table and oracle on random words, random members of every row, and the seeds. */
uint64_t Learner::round(unsigned number)
{
    uint64_t wrong = 0;
    table.build_index();
    for (uint64_t i = 0, n = number < 6 ? 1000000 : 4000000; i < n; i++)
        wrong += !test(random.in(config.domain) & config.full());
    unsigned members = number < 3 ? 100 : number < 8 ? 300 : 600;
    for (size_t n = 0; n < table.rows.size(); n++)
        for (unsigned k = 0; k < members; k++)
            wrong += !test(random.in(table.rows[n].cube) & config.full());
    for (const auto &entry : seeds)
        for (uint32_t word : entry.second)
            wrong += !test(word);
    add_corrections();
    return wrong;
}

uint64_t Learner::enumerate(const BitCube &region)
{
    uint64_t wrong = 0;
    if (is_arm(config.isa)) /* what is left is scattered over many lists and coprocessors */
        corrections_each = 40;
    uint32_t open = config.full() & ~region.mask, part = 0;
    table.build_index();
    do {
        wrong += !test(region.value | part);
        part = (part - open) & open;
    } while (part);
    add_corrections();
    return wrong;
}

void Learner::run()
{
    seed_random(config.word_bits == 32 ? 20000000 : 200000);
    seed_encoder();
    seed_flips();
    first_rows();
    for (unsigned number = 0, clean = 0; number < max_rounds && clean < 2; number++) {
        uint64_t wrong = round(number);
        fprintf(stderr, "modelgen: round %u: %zu rows, %llu wrong words\n", number, table.rows.size(),
                static_cast<unsigned long long>(wrong));
        clean = wrong ? 0 : clean + 1;
    }
    for (const auto &region : config.hard)
        while (uint64_t wrong = enumerate(region))
            fprintf(stderr, "modelgen: region %08x/%08x: %llu wrong words\n", region.value, region.mask,
                    static_cast<unsigned long long>(wrong));
    table.build_index();
}

} // namespace

void learn_rows(const FixedOracle &oracle, FixedRows &table)
{
    Learner(oracle, table).run();
}

} // namespace modelgen
