/* SPDX-License-Identifier: Apache-2.0 */
/* verify-x86_64: key enumeration, random and mutated encodings, real code, text round trips. */
#include "decode_x86_compare.h"
#include "stages.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace modelgen {
namespace x86 {

uint64_t verify_text(const Target &target, Comparer &comparer, uint64_t count, uint64_t seed);

namespace {

/* xorshift64: the runs are repeatable. */
struct Random {
    uint64_t state;
    uint64_t next()
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    }
    unsigned below(unsigned n) { return static_cast<unsigned>((next() >> 16) % n); }
};

/* Every key with the default operands. */
uint64_t verify_keys(Comparer &comparer)
{
    Encoding encoding;
    for (const MapSlot &slot : map_slots)
        for (unsigned opcode = 0; opcode < 256; opcode++)
            for (unsigned context = 0; context < context_count(slot.space); context++)
                for (unsigned modrm = 0; modrm < 256; modrm++) {
                    encode({slot, static_cast<uint8_t>(opcode), context, static_cast<uint8_t>(modrm)}, Fields(),
                           Form::memory, encoding);
                    comparer.check(encoding.bytes, sizeof encoding.bytes);
                }
    return comparer.report("keys");
}

uint64_t verify_random(Comparer &comparer, uint64_t count)
{
    Random random{88172645463325252u};
    for (uint64_t i = 0; i < count; i++) {
        uint64_t words[2] = {random.next(), random.next()};
        comparer.check(reinterpret_cast<const uint8_t *>(words), 15);
    }
    return comparer.report("random bytes");
}

void randomize(Random &random, const MapSlot &slot, Fields &f)
{
    bool evex = slot.space == Space::evex;
    f.reg = static_cast<uint8_t>(random.below(evex ? 32 : 16));
    f.rm = static_cast<uint8_t>(random.below(evex ? 32 : 16));
    f.vvvv = static_cast<uint8_t>(random.below(2) ? 0 : random.below(evex ? 32 : 16));
    f.aaa = static_cast<uint8_t>(1 + random.below(7));
    f.base = static_cast<uint8_t>(random.below(16));
    f.index = static_cast<uint8_t>(random.below(16));
    f.scale = static_cast<uint8_t>(random.below(4));
    f.disp = static_cast<uint32_t>(random.next());
    f.rex = random.below(2);
    static const uint8_t segments[] = {0, 0, 0, 0, 0, 0, 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65};
    f.segment = segments[random.below(sizeof segments)];
    for (uint8_t &byte : f.imm)
        byte = static_cast<uint8_t>(random.next() >> 24);
}

} // namespace

/* A random encoding that has a fair chance to be an instruction; sometimes one more prefix in front. */
void random_encoding(uint64_t &state, Encoding &encoding)
{
    Random random{state};
    const MapSlot &slot = map_slots[random.below(SL_X86_N_MAPS)];
    Key key{slot, static_cast<uint8_t>(random.below(256)), random.below(context_count(slot.space)),
            static_cast<uint8_t>(random.below(256))};
    Fields fields;
    randomize(random, slot, fields);
    fields.reg = static_cast<uint8_t>((fields.reg & ~7u) | (key.modrm >> 3 & 7u));
    Encoding plain;
    encode(key, fields, Form::memory, plain);
    static const uint8_t prefixes[] = {0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x2e, 0x3e, 0x64};
    unsigned extra = random.below(8) == 0;
    if (extra)
        encoding.bytes[0] = prefixes[random.below(sizeof prefixes)];
    memcpy(encoding.bytes + extra, plain.bytes, sizeof plain.bytes - extra);
    state = random.state;
}

namespace {

uint64_t verify_mutated(Comparer &comparer, uint64_t count, double seconds)
{
    uint64_t state = 2463534242u;
    Encoding encoding;
    auto start = std::chrono::steady_clock::now();
    for (uint64_t i = 0; i < count; i++) {
        random_encoding(state, encoding);
        comparer.check(encoding.bytes, 20);
        if (i % 4096 == 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds)
            break;
    }
    return comparer.report("mutated encodings");
}

/* A raw image of a .text section. */
uint64_t verify_code(Comparer &comparer, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "modelgen: cannot read %s\n", path);
        return 1;
    }
    std::vector<uint8_t> code;
    uint8_t block[65536];
    size_t n;
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        code.insert(code.end(), block, block + n);
    fclose(f);
    for (size_t at = 0; at < code.size();)
        at += comparer.check(&code[at], std::min<size_t>(code.size() - at, 64));
    return comparer.report(path);
}

int usage()
{
    fprintf(stderr, "usage: verify-x86_64 [keys | random COUNT | mutated COUNT | text COUNT | code FILE... | sample SECONDS]\n");
    return 2;
}

} // namespace
} // namespace x86
} // namespace modelgen

int stage_verify_x86_64(int argc, char **argv)
{
    using namespace modelgen;
    Target target(Isa::x86_64);
    x86::Comparer comparer(target);
    const char *mode = argc > 1 ? argv[1] : "sample";
    uint64_t number = argc > 2 ? strtoull(argv[2], nullptr, 0) : 10, bad = 0;
    if (!strcmp(mode, "keys")) {
        bad = x86::verify_keys(comparer);
    } else if (!strcmp(mode, "random") && argc == 3) {
        bad = x86::verify_random(comparer, number);
    } else if (!strcmp(mode, "mutated") && argc == 3) {
        bad = x86::verify_mutated(comparer, number, 1e9);
    } else if (!strcmp(mode, "text") && argc == 3) {
        bad = x86::verify_text(target, comparer, number, 1);
    } else if (!strcmp(mode, "code") && argc >= 3) {
        for (int i = 2; i < argc; i++)
            bad += x86::verify_code(comparer, argv[i]);
    } else if (!strcmp(mode, "sample")) {
        bad = x86::verify_random(comparer, 200000);
        bad += x86::verify_mutated(comparer, UINT64_MAX, static_cast<double>(number));
    } else {
        return x86::usage();
    }
    return bad ? 1 : 0;
}
