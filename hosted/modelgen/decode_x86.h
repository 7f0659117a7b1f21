/* SPDX-License-Identifier: Apache-2.0 */
/* Shared parts of the x86-64 decoder generator: instruction encodings, the oracle, signatures. */
#ifndef MODELGEN_DECODE_X86_H
#define MODELGEN_DECODE_X86_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "target.h"

#include "../../core/isa/x86_64_decode.h"

namespace modelgen {
namespace x86 {

enum class Space : uint8_t { legacy, now3d, vex, xop, evex };

/* One row of the table's map order (enum sl_x86_map); `map` is the number the encoding holds. */
struct MapSlot {
    Space space;
    uint8_t map;
};
extern const std::array<MapSlot, SL_X86_N_MAPS> map_slots;

unsigned context_count(Space space);

/* Everything of an encoding that does not choose the instruction. Register fields have their extension bits. */
struct Fields {
    uint8_t reg = 0;
    uint8_t rm = 0;
    uint8_t vvvv = 0;
    uint8_t aaa = 1; /* used when the context says aaa != 0 */
    uint8_t base = 3;
    uint8_t index = 1;
    uint8_t scale = 0;
    bool rex = false;
    uint8_t segment = 0;
    uint32_t disp = 0;
    std::array<uint8_t, 8> imm{};
};

struct Key {
    MapSlot slot;
    uint8_t opcode;
    unsigned context;
    uint8_t modrm;
};

/* How the bytes after the opcode are laid out. */
enum class Form { bare, modrm, memory };

struct Encoding {
    uint8_t bytes[40];
    unsigned prefix_bytes;  /* before the opcode; 3DNow counts its 0F 0F, and its suffix is an immediate byte */
    unsigned address_end;   /* where immediates begin */
};

void encode(const Key &key, const Fields &fields, Form form, Encoding &out);

/* LLVM's answer. `flags` are MCInst's; F2/F3 that LLVM splits off as XACQUIRE/XRELEASE are attached again. */
class Oracle {
public:
    explicit Oracle(const Target &t);
    unsigned decode(const Encoding &encoding, llvm::MCInst &out) const;

private:
    const Target &target;
    unsigned xacquire, xrelease;
    std::vector<bool> apx; /* by LLVM opcode: EVEX forms of VEX and legacy instructions */
};

/* Names that exist with APX only. */
bool is_apx_name(llvm::StringRef name);

unsigned opcode_by_name(const llvm::MCInstrInfo &mcii, const char *name);
unsigned register_by_name(const llvm::MCRegisterInfo &mri, const char *name);

/* MCInst.flags bits as the assembly parser sets them for lock, rep, repne, notrack; LLVM's header for them is private. */
enum : unsigned { mcinst_repne = 4, mcinst_rep = 8, mcinst_lock = 16, mcinst_notrack = 32 };

/* All opcodes of one block; 0 is "no instruction". */
struct BlockOpcodes {
    unsigned slot;
    uint8_t opcode;
    std::vector<uint16_t> llvm_opcode; /* [context << 8 | modrm] */
};

std::vector<BlockOpcodes> enumerate_blocks(const Oracle &oracle);

struct Signature {
    uint16_t must_be_zero = 0;
    uint8_t imm_bytes = 0;
    uint8_t disp_shift = 0;
    uint8_t flags = 0;
    std::vector<uint16_t> items;

    bool operator<(const Signature &o) const
    {
        return std::tie(must_be_zero, imm_bytes, disp_shift, flags, items) <
               std::tie(o.must_be_zero, o.imm_bytes, o.disp_shift, o.flags, o.items);
    }
};

/* Register maps, shared between signatures. Unknown entries may be filled by later users. */
class RegisterMaps {
public:
    using Map = std::array<uint16_t, SL_X86_REGISTER_MAP>;
    static constexpr uint16_t unknown = 0xfffe;

    uint16_t add(const Map &map);
    const std::vector<Map> &all() const { return maps; }

private:
    std::vector<Map> maps;
};

/* An operand's value under given immediate bytes. */
struct ImmSample {
    Fields fields;
    int64_t value;
};

/* The simplest SL_X86_ITEM_IMM that gives every sample's value; false if there is none. */
bool find_imm_item(const std::vector<ImmSample> &samples, unsigned imm_bytes, uint16_t &item);

/* The group of ModRM values (all memory or all register) under which one context of a block is one opcode. */
struct Group {
    MapSlot slot;
    uint8_t opcode;
    unsigned context;
    unsigned llvm_opcode;
    std::vector<uint8_t> modrm;
    bool has_modrm;
    bool keeps_rep; /* F2 and F3, if the context has them, do not choose the opcode */
};

class Learner {
public:
    Learner(const Target &t, const Oracle &o);
    /* false with a reason in `problem` when the instruction fits no known operand source. */
    bool learn(const Group &group, Signature &out);
    bool reads_modrm(const BlockOpcodes &block, unsigned context, unsigned llvm_opcode) const;

    std::string problem;
    RegisterMaps maps;

private:
    struct Sample;
    unsigned decode(const Sample &s, const Fields &fields, uint8_t opcode, uint8_t modrm, llvm::MCInst &out) const;
    bool same(const Sample &s, const Fields &fields, uint8_t opcode, uint8_t modrm, llvm::MCInst &out) const;
    bool pick(Sample &s) const;
    bool pick_memory(Sample &s) const;
    void learn_memory(Sample &s, Signature &out);
    void vary(Sample &s, unsigned kind);
    void take_k0(Sample &s);
    void learn_registers(Sample &s);
    void learn_segment(Sample &s);
    bool learn_immediate(Sample &s, unsigned operand, unsigned imm_bytes);
    bool learn_rest(Sample &s, unsigned imm_bytes);
    uint16_t zero_bits(const Sample &s) const;
    bool emits_rep(const Sample &s) const;
    bool finish(Sample &s, Signature &out);

    const Target &target;
    const Oracle &oracle;
    unsigned rcx, ecx, fs, k0;
};

} // namespace x86
} // namespace modelgen

#endif
