/* SPDX-License-Identifier: Apache-2.0 */
/* A capture dump of SPE buffers, as a board with RAM sinks leaves it: gendump OUT MIDR HZ PMBSR FILE...
 * Each file is one drain of one core; the small memories make pieces of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slotledger/capture.h>

static uint8_t drain[1 << 20];
static uint64_t memory[(4 << 20) / 8];

static bool write_core(FILE *out, uint16_t core, const struct sl_capture_spe *spe, uint32_t len)
{
    const struct sl_capture_file file = {.arch = SL_ARCH_AARCH64, .n_cores = 4};
    const struct sl_capture_cpu cpu = {.affinity = core, .spe_state = SL_STATE_OK};
    /* Records take at most an eighth of the memory. */
    struct sl_capture_config config = {.sink = SL_SINK_LINEAR, .core = core, .session = 7, .mem = memory};
    struct sl_capture capture;
    config.mem_bytes = (len * 2 + 8192) / 8 * 8;
    if (config.mem_bytes > sizeof memory || sl_capture_init(&capture, &config) || sl_capture_file(&capture, &file) ||
        sl_capture_cpu(&capture, &cpu) || sl_capture_spe(&capture, spe, drain, len) || sl_capture_finish(&capture))
        return false;
    return fwrite(memory, 1, sl_capture_used_bytes(&capture), out) == sl_capture_used_bytes(&capture);
}

int main(int argc, char **argv)
{
    FILE *out = argc > 5 ? fopen(argv[1], "wb") : NULL;
    if (!out)
        return 2;
    for (int i = 5; i < argc; i++) {
        const struct sl_capture_spe spe = {.affinity = (uint64_t)i - 5,
                                           .midr = strtoull(argv[2], NULL, 0),
                                           .clock_hz = strtoull(argv[3], NULL, 0),
                                           .pmbsr = i == 5 ? strtoull(argv[4], NULL, 0) : 0,
                                           .pmscr = 0x7b, /* timestamps, physical addresses, contexts */
                                           .pmsfcr = 0x60000,
                                           .pmsirr = 0x1000};
        FILE *in = fopen(argv[i], "rb");
        uint32_t len;
        if (!in)
            return 2;
        len = (uint32_t)fread(drain, 1, sizeof drain, in);
        if (fclose(in) || !write_core(out, (uint16_t)(i - 5), &spe, len))
            return 3;
    }
    return fclose(out) ? 2 : 0;
}
