/* SPDX-License-Identifier: Apache-2.0 */
/* Draws random straight-line blocks of decodable machine code for the comparison with llvm-mca. */
#include <slotledger/mca.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POOL = 1 << 17, PER_OP = 6, FAMILIES = 36, MAX_BYTES = 15, RECENT = 24 };

struct sample {
    uint16_t op;
    uint8_t len;
    uint8_t family;
    uint8_t memory; /* loads or stores */
    uint8_t bytes[MAX_BYTES];
};

static struct sample pool[MAX_POOL];
static size_t n_pool;
static size_t family_at[FAMILIES][MAX_POOL / 4];
static size_t family_size[FAMILIES];
static uint8_t seen[65536];
static uint64_t rng_state;

static uint64_t rng(void)
{
    rng_state += 0x9e3779b97f4a7c15u;
    uint64_t z = rng_state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static unsigned pick(unsigned n)
{
    return (unsigned)(rng() % n);
}

static bool chance(unsigned percent)
{
    return pick(100) < percent;
}

static bool is_x86(const struct sl_isa *isa)
{
    return isa == &sl_isa_x86_64;
}

static bool is_riscv(const struct sl_isa *isa)
{
    return isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32;
}

static bool is_arm(const struct sl_isa *isa)
{
    return isa == &sl_isa_arm || isa == &sl_isa_thumb || isa == &sl_isa_thumbm;
}

/* Coarse groups, so that the thousands of vector opcodes do not drown the scalar ones. */
static uint8_t family_of(const struct sl_isa *isa, const uint8_t *b, size_t len)
{
    if (is_riscv(isa)) /* the major opcode, and the compressed quadrants */
        return (b[0] & 3) == 3 ? b[0] >> 2 & 31 : 32 + (b[0] & 3);
    if (isa == &sl_isa_thumb || isa == &sl_isa_thumbm) /* 16 bits; or from 0xe800 on */
        return (uint8_t)(b[1] < 0xe8 ? b[1] >> 4 : 16 | (b[1] >> 1 & 15));
    if (isa == &sl_isa_arm) /* always, or the unconditional space */
        return (uint8_t)((b[3] & 15) | (b[3] >= 0xf0 ? 16 : 0));
    if (!is_x86(isa))
        return (b[3] >> 1) & 15;
    size_t i = 0;
    while (i < len && (b[i] == 0x66 || b[i] == 0x67 || b[i] == 0xf0 || b[i] == 0xf2 || b[i] == 0xf3 || (b[i] & 0xf0) == 0x40))
        i++;
    if (i == len)
        return 0;
    if (b[i] == 0xc4 || b[i] == 0xc5)
        return 1;
    if (b[i] == 0x62)
        return 2;
    if (b[i] == 0x8f && i + 1 < len && (b[i + 1] & 0x1f) >= 8)
        return 3;
    if (b[i] != 0x0f)
        return b[i] >= 0xd8 && b[i] <= 0xdf ? 4 : 0;
    return i + 1 < len && (b[i + 1] == 0x38 || b[i + 1] == 0x3a) ? 5 : 6;
}

static bool decode(const struct sl_isa *isa, const uint8_t *b, size_t len, struct sl_insn *out)
{
    return isa->decode(b, len, out) == SL_OK && (isa != &sl_isa_aarch64 || out->len_bytes == 4);
}

static void draw_x86(uint8_t *b)
{
    static const uint8_t prefixes[] = {0x66, 0xf2, 0xf3, 0x67, 0xf0};
    size_t i = 0;
    for (size_t k = 0; k < MAX_BYTES; k++)
        b[k] = (uint8_t)rng();
    switch (pick(5)) {
    case 0:
        b[0] = 0xc5;
        return;
    case 1:
        b[0] = 0xc4;
        b[1] = (uint8_t)((b[1] & 0xe0) | (1 + pick(3)));
        return;
    case 2:
        b[0] = 0x62;
        b[1] = (uint8_t)((b[1] & 0xf0) | (1 + pick(6)));
        b[2] |= 4;
        return;
    case 3:
        b[0] = 0x8f;
        b[1] = (uint8_t)((b[1] & 0xe0) | (8 + pick(3)));
        return;
    default:
        if (chance(40))
            b[i++] = prefixes[pick(sizeof prefixes)];
        if (chance(50))
            b[i++] = (uint8_t)(0x40 | pick(16));
        if (chance(65)) {
            b[i++] = 0x0f;
            if (chance(50))
                b[i++] = chance(70) ? 0x38 : 0x3a;
        }
    }
}

static void draw(const struct sl_isa *isa, uint8_t *b)
{
    if (is_x86(isa)) {
        draw_x86(b);
        return;
    }
    uint64_t w = rng();
    for (unsigned k = 0; k < 4; k++)
        b[k] = (uint8_t)(w >> (8 * k));
    if (isa == &sl_isa_arm && chance(90))
        b[3] = (uint8_t)((b[3] & 15) | (chance(80) ? 0xe0 : 0xf0));
    if ((isa == &sl_isa_thumb || isa == &sl_isa_thumbm) && chance(85))
        b[1] |= 0xe8;
    if (is_riscv(isa) && chance(80))
        b[0] = (uint8_t)((b[0] & 0x7f) | 3);
}

/* A neighbour of an encoding: other registers, other immediates, or just some other bits. */
static void mutate(const struct sl_isa *isa, uint8_t *b, size_t len)
{
    if (is_x86(isa)) {
        size_t at = pick((unsigned)len);
        if (chance(50))
            b[at] = (uint8_t)rng();
        else
            b[at] ^= (uint8_t)(1u << pick(8));
        if (chance(30) && len > 1)
            b[len - 1] = (uint8_t)(0xc0 | (pick(4) << 3) | pick(4));
        return;
    }
    /* Where registers stand; 32: not in these words. */
    static const unsigned fixed[] = {0, 5, 10, 16}, full[] = {7, 15, 20, 27}, half[] = {2, 7, 32, 32};
    static const unsigned a32[] = {0, 8, 12, 16}, thumb[] = {0, 16, 24, 28}, thumb_half[] = {0, 3, 6, 8};
    const unsigned *fields = !is_riscv(isa) ? fixed : len == 4 ? full : half;
    uint32_t width = is_arm(isa) ? len == 4 ? 15 : 7 : 31;
    if (is_arm(isa))
        fields = isa == &sl_isa_arm ? a32 : len == 4 ? thumb : thumb_half;
    uint32_t w = len == 4 ? sl_get_u32le(b) : sl_get_u16le(b);
    for (unsigned k = 0; k < 4; k++) {
        if (fields[k] == 32 || chance(40))
            continue;
        uint32_t v = chance(8) ? (is_riscv(isa) ? 0 : 31) : pick(chance(80) ? 4 : 32);
        if (is_riscv(isa) && chance(50))
            v |= 8; /* the registers that compressed instructions can name */
        w = (w & ~(width << fields[k])) | (v & width) << fields[k];
    }
    if (chance(30))
        w ^= 1u << pick(32);
    for (unsigned k = 0; k < len; k++)
        b[k] = (uint8_t)(w >> (8 * k));
}

static void keep(const struct sl_isa *isa, const uint8_t *b, const struct sl_insn *insn)
{
    if (n_pool == MAX_POOL || seen[insn->op] == PER_OP)
        return;
    seen[insn->op]++;
    struct sample *s = &pool[n_pool++];
    s->op = insn->op;
    s->len = insn->len_bytes;
    s->family = family_of(isa, b, insn->len_bytes);
    s->memory = (sl_op_row(isa, insn->op)->flags & (SL_OP_MAY_LOAD | SL_OP_MAY_STORE)) != 0;
    memcpy(s->bytes, b, insn->len_bytes);
}

/* Random strings find the common opcodes, neighbours of known encodings the rare ones. */
static void find_pool(const struct sl_isa *isa, unsigned rounds)
{
    struct sl_insn insn;
    uint8_t b[MAX_BYTES];
    for (unsigned i = 0; i < rounds; i++) {
        if (n_pool && (i & 1)) {
            const struct sample *s = &pool[pick((unsigned)n_pool)];
            for (size_t k = 0; k < MAX_BYTES; k++)
                b[k] = (uint8_t)rng();
            memcpy(b, s->bytes, s->len);
            b[pick(s->len)] ^= (uint8_t)(1u << pick(8));
            if (chance(50))
                b[pick(s->len)] ^= (uint8_t)(1u << pick(8));
        } else {
            draw(isa, b);
        }
        if (decode(isa, b, is_x86(isa) ? MAX_BYTES : 4, &insn))
            keep(isa, b, &insn);
    }
}

static void print_pool(const struct sl_isa *isa)
{
    size_t ops = 0;
    for (size_t i = 0; i < n_pool; i++) {
        for (size_t k = 0; k < pool[i].len; k++)
            printf("%02x", (unsigned)pool[i].bytes[k]);
        putchar('\n');
    }
    for (size_t i = 0; i < 65536; i++)
        ops += seen[i] != 0;
    fprintf(stderr, "%s: %zu opcodes, %zu encodings\n", isa->name, ops, n_pool);
}

/* Reads the pool and keeps what the CPU's model accepts (everything, for wild blocks). */
static int read_pool(const char *path, const struct sl_cpu *cpu, const struct sl_isa *isa, bool wild)
{
    FILE *f = fopen(path, "r");
    char line[64];
    if (!f) {
        perror(path);
        return 1;
    }
    while (fgets(line, sizeof line, f)) {
        uint8_t b[MAX_BYTES];
        size_t len = 0;
        struct sl_insn insn;
        unsigned v;
        while (len < MAX_BYTES && sscanf(line + 2 * len, "%2x", &v) == 1)
            b[len++] = (uint8_t)v;
        if (!decode(isa, b, len, &insn) || (!wild && sl_mca_check(cpu, &insn)))
            continue;
        keep(isa, b, &insn);
    }
    fclose(f);
    for (size_t i = 0; i < n_pool; i++) {
        unsigned k = pool[i].family;
        if (family_size[k] < MAX_POOL / 4)
            family_at[k][family_size[k]++] = i;
    }
    return n_pool == 0;
}

static const struct sample *pick_sample(bool memory)
{
    const struct sample *s = NULL;
    for (unsigned tries = 0; tries < 40; tries++) {
        unsigned k = pick(FAMILIES);
        if (!family_size[k])
            continue;
        s = &pool[family_at[k][pick((unsigned)family_size[k])]];
        if (!memory || s->memory)
            return s;
    }
    return s ? s : &pool[pick((unsigned)n_pool)];
}

/* Registers of the block so far; a candidate scores by using them again. */
struct recent {
    uint16_t reg[RECENT];
    size_t n;
};

static unsigned score(const struct sl_isa *isa, const struct recent *recent, const struct sl_insn *insn)
{
    unsigned points = 0;
    for (unsigned i = 0; i < sl_insn_stored(insn); i++) {
        const struct sl_operand *o = &insn->operand[i];
        if (o->kind != SL_OPERAND_REG || o->reg == 0)
            continue;
        if (isa->reg_flags[o->reg] & SL_REG_CONSTANT)
            points += pick(2);
        for (size_t k = 0; k < recent->n; k++)
            points += 2u * (recent->reg[k] == o->reg);
        for (unsigned k = 0; k < i; k++)
            points += insn->operand[k].kind == SL_OPERAND_REG && insn->operand[k].reg == o->reg;
    }
    return points;
}

static void remember(struct recent *recent, const struct sl_insn *insn)
{
    for (unsigned i = 0; i < sl_insn_stored(insn); i++)
        if (insn->operand[i].kind == SL_OPERAND_REG && insn->operand[i].reg != 0)
            recent->reg[recent->n < RECENT ? recent->n++ : pick(RECENT)] = insn->operand[i].reg;
}

/* The best of some neighbours of the sample, in b; the instruction in *insn. */
static size_t vary(const struct sl_cpu *cpu, const struct sl_isa *isa, const struct sample *s, const struct recent *recent, bool wild, uint8_t *b,
                   struct sl_insn *insn)
{
    unsigned best = 0, tries = chance(65) ? 16 : 2;
    memcpy(b, s->bytes, s->len);
    if (!decode(isa, b, s->len, insn))
        return 0;
    best = score(isa, recent, insn);
    for (unsigned t = 0; t < tries; t++) {
        uint8_t c[MAX_BYTES];
        struct sl_insn other;
        memcpy(c, chance(50) ? b : s->bytes, s->len);
        mutate(isa, c, s->len);
        if (!decode(isa, c, s->len, &other) || other.op != s->op || other.len_bytes != s->len)
            continue;
        if (!wild && sl_mca_check(cpu, &other))
            continue;
        unsigned points = score(isa, recent, &other);
        if (points >= best) {
            best = points;
            memcpy(b, c, s->len);
            *insn = other;
        }
    }
    return s->len;
}

/* llvm-mc --disassemble reads each bracketed group by itself. */
static void print_bytes(const uint8_t *b, size_t len)
{
    putchar('[');
    for (size_t k = 0; k < len; k++)
        printf("%s0x%02x", k ? " " : "", (unsigned)b[k]);
    puts("]");
}

/* Begins each block: brk #0x51ed, movabsq $0x51ed51ed51ed51ed, %r15, lui t6, 0x51ed5, and movw r11, #0x51ed. blocks.sh makes region markers
 * of it. */
static void print_boundary(const struct sl_isa *isa)
{
    static const uint8_t fixed[] = {0xa0, 0x3d, 0x2a, 0xd4};
    static const uint8_t x86[] = {0x49, 0xbf, 0xed, 0x51, 0xed, 0x51, 0xed, 0x51, 0xed, 0x51};
    static const uint8_t riscv[] = {0xb7, 0x5f, 0xed, 0x51};
    static const uint8_t a32[] = {0xed, 0xb1, 0x05, 0xe3}, thumb[] = {0x45, 0xf2, 0xed, 0x1b};
    if (is_x86(isa))
        print_bytes(x86, sizeof x86);
    else if (is_arm(isa))
        print_bytes(isa == &sl_isa_arm ? a32 : thumb, 4);
    else if (is_riscv(isa))
        print_bytes(riscv, sizeof riscv);
    else
        print_bytes(fixed, sizeof fixed);
}

/* RISC-V: vsetvli t0, a0, e.., m.., with any register group multiplier and element width that exists. */
static void print_vector_type(const struct sl_cpu *cpu, bool wild)
{
    static const uint32_t multipliers[] = {0, 1, 2, 3, 5, 6, 7};
    uint32_t w = 0x000572d7u | multipliers[pick(7)] << 20 | pick(4) << 23 | pick(4) << 26;
    uint8_t b[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24)};
    struct sl_insn insn;
    if (decode(cpu->isa, b, sizeof b, &insn) && (wild || !sl_mca_check(cpu, &insn)))
        print_bytes(b, sizeof b);
}

/* Thumb: IT and as many instructions as it says are predicated, in a third of the blocks. */
static bool print_it(const struct sl_isa *isa)
{
    unsigned mask = 1 + pick(15), condition = pick(14);
    uint8_t b[2] = {(uint8_t)(mask | condition << 4), 0xbf};
    if ((isa != &sl_isa_thumb && isa != &sl_isa_thumbm) || !chance(30))
        return false;
    print_bytes(b, sizeof b);
    return true;
}

static void print_block(const struct sl_cpu *cpu, const struct sl_isa *isa, bool wild)
{
    struct recent recent = {.n = 0};
    unsigned n = 1 + pick(chance(85) ? 8 : 12);
    const struct sample *last = NULL;
    print_boundary(isa);
    print_it(isa);
    for (unsigned i = 0; i < n; i++) {
        uint8_t b[MAX_BYTES];
        struct sl_insn insn;
        if (is_riscv(isa) && chance(12))
            print_vector_type(cpu, wild);
        const struct sample *s = last && chance(20) ? last : pick_sample(chance(25));
        size_t len = vary(cpu, isa, s, &recent, wild, b, &insn);
        if (!len)
            continue;
        print_bytes(b, len);
        remember(&recent, &insn);
        last = s;
    }
}

struct set {
    const struct sl_isa *isa;
    const struct sl_cpu_name *cpus;
    const size_t *n_cpus;
};

static const struct set sets[] = {
    {&sl_isa_aarch64, sl_cpus_aarch64, &sl_n_cpus_aarch64},
    {&sl_isa_x86_64, sl_cpus_x86_64, &sl_n_cpus_x86_64},
    {&sl_isa_riscv64, sl_cpus_riscv64, &sl_n_cpus_riscv64},
    {&sl_isa_riscv32, sl_cpus_riscv32, &sl_n_cpus_riscv32},
    {&sl_isa_thumbm, sl_cpus_thumbm, &sl_n_cpus_thumbm},
    {&sl_isa_arm, sl_cpus_arm, &sl_n_cpus_arm},
    {&sl_isa_thumb, sl_cpus_arm, &sl_n_cpus_arm},
};
enum { N_SETS = sizeof sets / sizeof *sets };

static const struct sl_isa *find_isa(const char *name)
{
    for (size_t i = 0; i < N_SETS; i++)
        if (!strcmp(sets[i].isa->name, name))
            return sets[i].isa;
    return NULL;
}

static const struct sl_cpu *find_cpu(const struct sl_isa *isa, const char *name)
{
    for (size_t i = 0; i < N_SETS; i++)
        for (size_t k = 0; k < *sets[i].n_cpus; k++)
            if (sets[i].isa == isa && !strcmp(sets[i].cpus[k].name, name))
                return sets[i].cpus[k].cpu;
    return NULL;
}

static int usage(void)
{
    fputs("usage: genblocks pool ISA SEED | blocks ISA CPU POOL SEED COUNT tame|wild\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "pool")) {
        const struct sl_isa *isa = find_isa(argv[2]);
        if (!isa)
            return usage();
        rng_state = strtoull(argv[3], NULL, 0);
        find_pool(isa, 12000000);
        print_pool(isa);
        return 0;
    }
    if (argc == 8 && !strcmp(argv[1], "blocks")) {
        const struct sl_isa *isa = find_isa(argv[2]);
        const struct sl_cpu *cpu = isa ? find_cpu(isa, argv[3]) : NULL;
        bool wild = !strcmp(argv[7], "wild");
        if (!cpu)
            return usage();
        rng_state = strtoull(argv[5], NULL, 0);
        if (read_pool(argv[4], cpu, isa, wild))
            return 1;
        for (unsigned long n = strtoul(argv[6], NULL, 0); n; n--)
            print_block(cpu, isa, wild);
        return 0;
    }
    return usage();
}
