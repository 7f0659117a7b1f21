/* SPDX-License-Identifier: Apache-2.0 */
/* core/base: arena, integer helpers, status texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <slotledger/base.h>

static void bits(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 64; i++) {
        uint64_t one = (uint64_t)1 << i;
        assert_int_equal(sl_ctz64(one), i);
        assert_int_equal(sl_msb64(one), i);
        assert_int_equal(sl_ctz64(~(one - 1)), i);
        assert_int_equal(sl_msb64(one | (one - 1)), i);
        assert_int_equal(sl_popcount64(one - 1), i);
    }
    assert_int_equal(sl_popcount64(UINT64_MAX), 64);
    assert_int_equal(sl_popcount64(UINT64_C(0x8421000100010001)), 7);
}

static void bit_sets(void **state)
{
    uint32_t words[SL_BIT_WORDS(70)] = { 0 };

    (void)state;
    assert_int_equal(SL_BIT_WORDS(70), 3);
    sl_bit_set(words, 69);
    sl_bit_set(words, 0);
    assert_true(sl_bit_test(words, 69));
    assert_true(sl_bit_test(words, 0));
    assert_false(sl_bit_test(words, 68));
    sl_bit_clear(words, 69);
    assert_false(sl_bit_test(words, 69));
}

static void byte_readers(void **state)
{
    const uint8_t bytes[] = { 0x01, 0x02, 0x03, 0x84, 0x05, 0x06, 0x07, 0x88 };

    (void)state;
    assert_int_equal(sl_get_u16le(bytes), 0x0201);
    assert_int_equal(sl_get_u32le(bytes), 0x84030201u);
    assert_true(sl_get_u64le(bytes) == UINT64_C(0x8807060584030201));
}

static void arena_hands_out_aligned_zeros(void **state)
{
    unsigned char block[64 + SL_ARENA_ALIGN];
    struct sl_arena arena;
    unsigned char *a, *b;

    (void)state;
    memset(block, 0xee, sizeof block);
    sl_arena_init(&arena, block + 1, 64);
    a = sl_arena_take(&arena, 3, 1);
    b = sl_arena_take(&arena, 2, 8);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal((uintptr_t)a % SL_ARENA_ALIGN, 0);
    assert_int_equal(b - a, 8);
    for (int i = 0; i < 24; i++)
        assert_int_equal(a[i], 0);
}

static void arena_never_writes_past_its_block(void **state)
{
    unsigned char block[32];
    struct sl_arena arena;

    (void)state;
    memset(block, 0xee, sizeof block);
    sl_arena_init(&arena, block, 16);
    assert_null(sl_arena_take(&arena, 17, 1));
    assert_int_equal(arena.used_bytes, 24);
    assert_null(sl_arena_take(&arena, 1, 1)); /* once over, it stays over: the need goes on counting */
    assert_int_equal(arena.used_bytes, 32);
    for (unsigned i = 0; i < sizeof block; i++)
        assert_int_equal(block[i], 0xee);
}

static void arena_counts_without_memory(void **state)
{
    struct sl_arena arena;

    (void)state;
    sl_arena_init(&arena, NULL, 0);
    assert_null(sl_arena_take(&arena, 5, 4));
    assert_int_equal(arena.used_bytes, 24);
    assert_null(sl_arena_take(&arena, SIZE_MAX / 2, 4));
    assert_true(arena.used_bytes == SIZE_MAX);
    assert_null(sl_arena_take(&arena, 1, 1));
    assert_true(arena.used_bytes == SIZE_MAX);
}

static void every_status_has_a_text(void **state)
{
    (void)state;
    for (int s = 0; s >= SL_E_BUSY; s--) {
        assert_non_null(sl_status_text((enum sl_status)s));
        assert_string_not_equal(sl_status_text((enum sl_status)s), "unknown status");
        for (int t = 0; t > s; t--)
            assert_string_not_equal(sl_status_text((enum sl_status)s), sl_status_text((enum sl_status)t));
    }
    assert_string_equal(sl_status_text((enum sl_status)1), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits), cmocka_unit_test(bit_sets), cmocka_unit_test(byte_readers),
        cmocka_unit_test(arena_hands_out_aligned_zeros), cmocka_unit_test(arena_never_writes_past_its_block),
        cmocka_unit_test(arena_counts_without_memory), cmocka_unit_test(every_status_has_a_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
