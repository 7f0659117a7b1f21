/* SPDX-License-Identifier: Apache-2.0 */
/* SPE packets and memory samples as text, in the words of perf 6.1. */
#include "spe_text.h"

#include <inttypes.h>

#define LINE_BYTES 16u

/* A word for each flag that is set, in the order of the table. */
struct word {
    uint32_t flag;
    const char *text;
};

static void put_words(FILE *out, uint32_t flags, const struct word *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (flags & words[i].flag)
            fputs(words[i].text, out);
    }
}

#define WORDS(out, flags, table) put_words(out, flags, table, sizeof(table) / sizeof((table)[0]))

/* perf 6.1 has no words for the events in between, nor for those of SPEv1.4. */
static const struct word event_words[] = {
    {1u << SL_SPE_EVENT_EXCEPTION, " EXCEPTION-GEN"},
    {1u << SL_SPE_EVENT_RETIRED, " RETIRED"},
    {1u << SL_SPE_EVENT_L1D_ACCESS, " L1D-ACCESS"},
    {1u << SL_SPE_EVENT_L1D_REFILL, " L1D-REFILL"},
    {1u << SL_SPE_EVENT_TLB_ACCESS, " TLB-ACCESS"},
    {1u << SL_SPE_EVENT_TLB_WALK, " TLB-REFILL"},
    {1u << SL_SPE_EVENT_NOT_TAKEN, " NOT-TAKEN"},
    {1u << SL_SPE_EVENT_MISPREDICTED, " MISPRED"},
    {1u << SL_SPE_EVENT_LLC_ACCESS, " LLC-ACCESS"},
    {1u << SL_SPE_EVENT_LLC_MISS, " LLC-REFILL"},
    {1u << SL_SPE_EVENT_REMOTE, " REMOTE-ACCESS"},
    {1u << SL_SPE_EVENT_MISALIGNED, " ALIGNMENT"},
    {1u << SL_SPE_EVENT_PARTIAL_PREDICATE, " SVE-PARTIAL-PRED"},
    {1u << SL_SPE_EVENT_EMPTY_PREDICATE, " SVE-EMPTY-PRED"},
};

static const struct word memory_words[] = {
    {SL_SPE_OP_ATOMIC, " AT"},        {SL_SPE_OP_EXCLUSIVE, " EXCL"}, {SL_SPE_OP_ACQUIRE_RELEASE, " AR"},
    {SL_SPE_OP_SIMD_FP, " SIMD-FP"},  {SL_SPE_OP_GENERAL, " GP-REG"}, {SL_SPE_OP_UNSPECIFIED, " UNSPEC-REG"},
    {SL_SPE_OP_SYSTEM, " NV-SYSREG"},
};

static const struct word vector_words[] = {
    {SL_SPE_OP_FLOATING, " FP"},
    {SL_SPE_OP_PREDICATED, " PRED"},
    {SL_SPE_OP_GATHER_SCATTER, " SG"},
};

static void put_operation(FILE *out, enum sl_spe_class class, uint8_t payload)
{
    uint32_t flags = sl_spe_operation(class, payload);

    switch (class) {
    case SL_SPE_CLASS_OTHER:
        if (!(flags & SL_SPE_OP_SVE)) {
            fputs(payload & 1u ? "OTHER COND-SELECT" : "OTHER INSN-OTHER", out);
            break;
        }
        fprintf(out, "SVE-OTHER EVLEN %u", (unsigned)sl_spe_vector_bits(payload));
        WORDS(out, flags, vector_words);
        break;
    case SL_SPE_CLASS_MEMORY:
        fputs(flags & SL_SPE_OP_STORE ? "ST" : "LD", out);
        WORDS(out, flags, memory_words);
        if (flags & SL_SPE_OP_SVE) {
            fprintf(out, " EVLEN %u", (unsigned)sl_spe_vector_bits(payload));
            WORDS(out, flags, vector_words);
        }
        break;
    case SL_SPE_CLASS_BRANCH:
        /* perf 6.1 names an indirect branch only where nothing else is said of it. */
        fprintf(out, "B%s%s", flags & SL_SPE_OP_CONDITIONAL ? " COND" : "", (payload & 0xfeu) == 2u ? " IND" : "");
        break;
    default:
        fprintf(out, "OP-TYPE 0x%x (%u)", payload, (unsigned)class);
        break;
    }
}

static void put_address(FILE *out, unsigned index, uint64_t payload)
{
    unsigned ns = sl_spe_nonsecure(payload);
    uint64_t address = sl_spe_physical_address(payload);

    switch (index) {
    case SL_SPE_ADDRESS_PC:
    case SL_SPE_ADDRESS_TARGET:
        fprintf(out, "%s 0x%" PRIx64 " el%u ns=%u", index == SL_SPE_ADDRESS_PC ? "PC" : "TGT", address,
                sl_spe_level(payload), ns);
        break;
    case SL_SPE_ADDRESS_VIRTUAL:
        fprintf(out, "VA 0x%" PRIx64, payload);
        break;
    case SL_SPE_ADDRESS_PHYSICAL:
        fprintf(out, "PA 0x%" PRIx64 " ns=%u ch=%u pat=%x", address, ns, (unsigned)(payload >> 62 & 1u),
                sl_spe_top_byte(payload) & 15u);
        break;
    default:
        fprintf(out, "ADDR 0x%" PRIx64 " (%u)", payload, index);
        break;
    }
}

static void put_counter(FILE *out, unsigned index, uint64_t payload)
{
    static const char *const names[] = {"TOT", "ISSUE", "XLAT"};
    fprintf(out, "LAT %u %s", (unsigned)payload, index < SL_SPE_COUNTERS ? names[index] : "");
}

static void put_meaning(FILE *out, const struct sl_spe_packet *p)
{
    switch (p->kind) {
    case SL_SPE_PAD:
        fputs("PAD", out);
        break;
    case SL_SPE_END:
        fputs("END", out);
        break;
    case SL_SPE_TIMESTAMP:
        fprintf(out, "TS %" PRId64, (int64_t)p->payload);
        break;
    case SL_SPE_EVENTS:
        fputs("EV", out);
        WORDS(out, (uint32_t)p->payload, event_words);
        break;
    case SL_SPE_SOURCE:
        fprintf(out, "DATA-SOURCE %" PRId64, (int64_t)p->payload);
        break;
    case SL_SPE_CONTEXT:
        fprintf(out, "CONTEXT 0x%" PRIx64 " el%u", p->payload, p->index + 1u);
        break;
    case SL_SPE_OPERATION:
        put_operation(out, (enum sl_spe_class)p->index, (uint8_t)p->payload);
        break;
    case SL_SPE_ADDRESS:
        put_address(out, p->index, p->payload);
        break;
    case SL_SPE_COUNTER:
        put_counter(out, p->index, p->payload);
        break;
    default:
        fputs("Bad packet!", out);
        break;
    }
}

void spe_text_packet(FILE *out, size_t offset, const uint8_t *bytes, const struct sl_spe_packet *packet)
{
    uint32_t shown = packet->len_bytes;

    fprintf(out, ".  %08zx: ", offset);
    for (uint32_t i = 0; i < shown; i++)
        fprintf(out, " %02x", bytes[i]);
    for (uint32_t i = shown; i < LINE_BYTES; i++)
        fputs("   ", out);
    fputc(' ', out);
    put_meaning(out, packet);
    fputc('\n', out);
}

void spe_text_packets(FILE *out, const uint8_t *bytes, size_t len, uint64_t base)
{
    fprintf(out, ". ... ARM SPE data: size %#zx bytes\n", len);
    for (size_t at = 0; at < len;) {
        struct sl_spe_packet packet;

        sl_spe_packet_read(bytes + at, len - at, base + at, &packet);
        spe_text_packet(out, at, bytes + at, &packet);
        at += packet.len_bytes;
    }
}

void spe_text_sample(FILE *out, const struct sl_mem_sample *s)
{
    fprintf(out,
            "%03" PRIu32 " %" PRId32 " %" PRIu64 ".%09" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
            " %" PRIu64 "\n",
            s->cpu, (int32_t)s->tid, s->time / 1000000000u, s->time % 1000000000u, s->ip, s->address, s->phys_address,
            s->source, s->weight);
}
