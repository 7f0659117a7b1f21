/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded sample instructions of every opcode LLVM's disassembler can produce. */
#ifndef MODELGEN_SAMPLES_H
#define MODELGEN_SAMPLES_H

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "opspace.h"
#include "target.h"

namespace modelgen
{

/* splitmix64: the same samples in every run. */
class Random
{
  public:
    explicit Random(uint64_t seed) : state(seed) {}
    uint64_t next()
    {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    uint64_t below(uint64_t limit) { return next() % limit; }

  private:
    uint64_t state;
};

struct Samples {
    std::vector<std::vector<llvm::MCInst>> of_op; /* [op] */

    /* At most `per_op` of each opcode; operands missing in LLVM's own MCInst are padded with the immediate 0, which
     * llvm-mca reads as "no register" too. */
    Samples(const Target &target, const OpSpace &ops, size_t per_op, uint64_t seed);
    size_t sampled_ops() const;

    /* Every register an operand of this kind was seen to hold, in any opcode; 0 is "no register". */
    const std::set<unsigned> &registers(const llvm::MCOperandInfo &info) const;

  private:
    void note_registers(const Target &target);
    void collect_aarch64(const Target &target, Random &random);
    void collect_riscv(const Target &target, Random &random);
    void collect_arm(const Target &target, Random &random);
    void collect_x86_64(const Target &target, Random &random);
    void collect_block(const Target &target, Random &random, const std::function<void(std::vector<uint8_t> &)> &head);
    void keep(const Target &target, llvm::MCInst inst);
    void encode_seeds(const Target &target, Random &random, std::vector<std::vector<uint8_t>> &seeds) const;

    const OpSpace &ops;
    size_t limit, kept = 0;
    std::map<std::pair<int, int>, std::set<unsigned>> seen; /* (register class, operand type) */
};

} // namespace modelgen

#endif
