/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes, caller-given arenas, byte readers, bit sets and integer helpers. */
#ifndef SLOTLEDGER_BASE_H
#define SLOTLEDGER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define SL_STATIC_ASSERT(cond, name) static_assert(cond, #name)
#else
#define SL_STATIC_ASSERT(cond, name) _Static_assert(cond, #name)
#endif

#if defined(__GNUC__)
#define SL_MUST_CHECK __attribute__((warn_unused_result))
#else
#define SL_MUST_CHECK
#endif

/* Every fallible function returns one of these: 0, or a negative number. */
enum sl_status {
    SL_OK = 0,
    SL_E_ROOM = -1,         /* the caller's memory is too small; the context holds the missing byte count */
    SL_E_ARGUMENT = -2,     /* an argument is outside its documented range */
    SL_E_TRUNCATED = -3,    /* the input ends inside an item */
    SL_E_UNDECODABLE = -4,  /* the bytes are no instruction of this ISA */
    SL_E_UNSUPPORTED = -5,  /* the CPU's model marks the instruction as unsupported */
    SL_E_UNRESOLVED = -6,   /* the scheduling class is missing, or a variant class that no rule resolves */
    SL_E_ZERO_UOPS = -7,    /* an instruction of zero micro-ops that consumes scheduler resources */
    SL_E_OPERANDS = -8,     /* fewer register definitions than the opcode declares */
    SL_E_STUCK = -9,        /* the simulated machine can make no more progress (the reference program hangs here) */
    SL_E_AGAIN = -10,       /* the slice is used up: call again to go on */
    SL_E_DATA = -11,        /* a table or blob contradicts itself */
    SL_E_UNDEFINED = -12,   /* the reference program's result is undefined here (it crashes): no result is given */
    SL_E_ABSENT = -13,      /* the hardware has no such unit */
    SL_E_DENIED = -14,      /* the hardware has it, but a higher privilege level or another owner keeps it */
    SL_E_EVENT = -15,       /* the core does not count this event */
    SL_E_COUNTERS = -16,    /* more events than counters that can count them */
    SL_E_BUSY = -17         /* somebody else is using it */
};

/* One line of English for a status; never NULL. */
const char *sl_status_text(enum sl_status status);

/* A caller-given block of memory, handed out once from low to high addresses. Nothing is freed. */
struct sl_arena {
    unsigned char *base;
    size_t size_bytes;
    size_t used_bytes;    /* may exceed size_bytes when counting (base == NULL) or after a failed take */
};

/* All arena pieces are aligned to this. */
#define SL_ARENA_ALIGN 8u

void sl_arena_init(struct sl_arena *arena, void *mem, size_t mem_bytes);
/* Zero-filled, aligned piece, or NULL when the block is too small; used_bytes grows either way, so that a
 * failed or counting arena (base == NULL) tells the total need. `count * size` must not overflow size_t;
 * an overflow is answered with NULL and a saturated used_bytes. */
void *sl_arena_take(struct sl_arena *arena, size_t count, size_t size_bytes);
/* The same with its contents left as they are: memory that is not touched costs nothing. */
void *sl_arena_take_dirty(struct sl_arena *arena, size_t count, size_t size_bytes);

static inline uint16_t sl_get_u16le(const uint8_t *p)
{
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

static inline uint32_t sl_get_u32le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t sl_get_u64le(const uint8_t *p)
{
    return (uint64_t)sl_get_u32le(p) | (uint64_t)sl_get_u32le(p + 4) << 32;
}

/* CRC-32C (Castagnoli, reflected 0x82f63b78, as in RFC 3720) of `len` bytes behind those whose CRC is `crc`; 0 to begin. */
uint32_t sl_crc32c(uint32_t crc, const void *bytes, size_t len);

/* Index of the lowest / highest set bit. The argument must not be 0. Written out so that no compiler
 * turns them into a libgcc call on small cores. */
static inline unsigned sl_ctz64(uint64_t x)
{
#if defined(__x86_64__) || defined(__aarch64__)
    return (unsigned)__builtin_ctzll(x);
#else
    unsigned n = 0;
    uint32_t w = (uint32_t)x;
    if (w == 0) { n = 32; w = (uint32_t)(x >> 32); }
    if ((w & 0xffffu) == 0) { n += 16; w >>= 16; }
    if ((w & 0xffu) == 0) { n += 8; w >>= 8; }
    if ((w & 0xfu) == 0) { n += 4; w >>= 4; }
    if ((w & 3u) == 0) { n += 2; w >>= 2; }
    return n + ((w & 1u) == 0);
#endif
}

static inline unsigned sl_msb64(uint64_t x)
{
#if defined(__x86_64__) || defined(__aarch64__)
    return 63u - (unsigned)__builtin_clzll(x);
#else
    unsigned n = 0;
    uint32_t w = (uint32_t)(x >> 32);
    if (w != 0) { n = 32; } else { w = (uint32_t)x; }
    if (w >> 16) { n += 16; w >>= 16; }
    if (w >> 8) { n += 8; w >>= 8; }
    if (w >> 4) { n += 4; w >>= 4; }
    if (w >> 2) { n += 2; w >>= 2; }
    return n + (w >> 1);
#endif
}

static inline unsigned sl_popcount64(uint64_t x)
{
#if defined(__x86_64__) && defined(__POPCNT__)
    return (unsigned)__builtin_popcountll(x);
#else
    uint32_t a = (uint32_t)x, b = (uint32_t)(x >> 32);
    a = a - ((a >> 1) & 0x55555555u);
    b = b - ((b >> 1) & 0x55555555u);
    a = (a & 0x33333333u) + ((a >> 2) & 0x33333333u);
    b = (b & 0x33333333u) + ((b >> 2) & 0x33333333u);
    a = ((a + (a >> 4)) & 0x0f0f0f0fu) + ((b + (b >> 4)) & 0x0f0f0f0fu);
    return (unsigned)((a * 0x01010101u) >> 24);
#endif
}

/* Bit sets over caller memory: `words` points at (count + 31) / 32 words. */
static inline bool sl_bit_test(const uint32_t *words, uint32_t bit)
{
    return (words[bit >> 5] >> (bit & 31u)) & 1u;
}

static inline void sl_bit_set(uint32_t *words, uint32_t bit)
{
    words[bit >> 5] |= (uint32_t)1 << (bit & 31u);
}

static inline void sl_bit_clear(uint32_t *words, uint32_t bit)
{
    words[bit >> 5] &= ~((uint32_t)1 << (bit & 31u));
}

#define SL_BIT_WORDS(count) (((size_t)(count) + 31u) / 32u)

static inline uint32_t sl_min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t sl_max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

#ifdef __cplusplus
}
#endif
#endif
