/* SPDX-License-Identifier: Apache-2.0 */
/* Runs fixtures/models/dot-rv64.s a hundred times on a model that `slotledger model compile` wrote as C; prints cycles. */
#include <stdio.h>
#include <string.h>

#include <slotledger/mca.h>

extern const struct sl_cpu sl_cpu_tiny_rv64;

int main(void)
{
    /* ld a4,0(a0); ld a5,0(a1); mul a4,a4,a5; add a3,a3,a4; addi a0,a0,8; addi a1,a1,8; bne a0,a2,. */
    static const uint32_t words[] = { 0x00053703, 0x0005b783, 0x02f70733, 0x00e686b3, 0x00850513, 0x00858593, 0x00c51063 };
    static uint64_t memory[1 << 16];
    struct sl_insn code[7];
    struct sl_mca m;
    for (int i = 0; i < 7; i++) {
        uint8_t bytes[4] = { (uint8_t)words[i], (uint8_t)(words[i] >> 8), (uint8_t)(words[i] >> 16), (uint8_t)(words[i] >> 24) };
        if (sl_decode_riscv64(bytes, 4, &code[i]))
            return 1;
    }
    if (sl_mca_init(&m, &sl_cpu_tiny_rv64, NULL, code, 7, memory, sizeof memory) || sl_mca_run(&m))
        return 1;
    printf("%u\n", m.cycles);
    return 0;
}
