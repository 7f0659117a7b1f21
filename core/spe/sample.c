/* SPDX-License-Identifier: Apache-2.0 */
/* Records -> memory samples: what a load or store found, by the processor's data source and by events. */
#include <slotledger/spe.h>

#define HIT    SL_MEM_LVL_HIT
#define PEER   SL_MEM_SNOOPX_PEER
#define HITM   SL_MEM_SNOOP_HITM
#define REMOTE (SL_MEM_REMOTE | PEER)

#define L1           (SL_MEM_LVL_L1 | HIT | SL_MEM_LEVEL_L1)
#define L2           (SL_MEM_LVL_L2 | HIT | SL_MEM_LEVEL_L2)
#define L3           (SL_MEM_LVL_L3 | HIT | SL_MEM_LEVEL_L3)
#define LOCAL_DRAM   (SL_MEM_LVL_LOCAL_RAM | HIT | SL_MEM_LEVEL_RAM)
#define REMOTE_DRAM  (SL_MEM_LVL_REMOTE_RAM1 | HIT | SL_MEM_LEVEL_RAM | SL_MEM_REMOTE)
#define REMOTE_CACHE (SL_MEM_LVL_REMOTE_CACHE1 | HIT | SL_MEM_LEVEL_ANY_CACHE | REMOTE)

#define L1_HIT      L1 | SL_MEM_SNOOP_NONE
#define L2_HIT      L2 | SL_MEM_SNOOP_NONE
#define L3_HIT      L3 | SL_MEM_SNOOP_HIT
#define PEER_CORE   L2 | PEER
#define PEER_GROUP  L3 | PEER /* another core of the cluster, or another cluster */
#define DRAM_ACCESS LOCAL_DRAM | SL_MEM_SNOOP_NONE

/* Arm Neoverse N1 Technical Reference Manual, "Statistical Profiling Extension: data source packet"; N2 and V1 and
 * the Cortex cores of the list below use the same values. perf 6.1 tells of a remote cache without its level. */
static const struct sl_spe_source arm_perf_6_1[] = {
    [0x0] = {L1_HIT, "L1D"},
    [0x8] = {L2_HIT, "L2"},
    [0x9] = {PEER_CORE, "peer core"},
    [0xa] = {PEER_GROUP, "local cluster"},
    [0xb] = {L3_HIT, "system cache"},
    [0xc] = {PEER_GROUP, "peer cluster"},
    [0xd] = {SL_MEM_LVL_NA | SL_MEM_LEVEL_NA | REMOTE, "remote"},
    [0xe] = {DRAM_ACCESS, "DRAM"},
};

static const struct sl_spe_source arm[] = {
    [0x0] = {L1_HIT, "L1D"},          [0x8] = {L2_HIT, "L2"},
    [0x9] = {PEER_CORE, "peer core"}, [0xa] = {PEER_GROUP, "local cluster"},
    [0xb] = {L3_HIT, "system cache"}, [0xc] = {PEER_GROUP, "peer cluster"},
    [0xd] = {REMOTE_CACHE, "remote"}, [0xe] = {DRAM_ACCESS, "DRAM"},
};

static const struct sl_spe_source ampere[] = {
    [0x0] = {PEER_CORE, "peer core"}, [0x3] = {L3_HIT, "system cache"}, [0x5] = {REMOTE_CACHE, "remote"},
    [0x7] = {DRAM_ACCESS, "DRAM"},    [0x8] = {L1_HIT, "L1D"},          [0x9] = {L2_HIT, "L2"},
};

static const struct sl_spe_source hisilicon[] = {
    [0] = {L2 | PEER, "peer core"},
    [1] = {L2 | HITM | PEER, "peer core, modified"},
    [2] = {L3_HIT, "L3"},
    [3] = {L3 | HITM, "L3, modified"},
    [4] = {L3 | PEER, "peer cluster"},
    [5] = {L3 | HITM | PEER, "peer cluster, modified"},
    [6] = {REMOTE_CACHE, "remote socket"},
    [7] = {REMOTE_CACHE | HITM, "remote socket, modified"},
    [8] = {DRAM_ACCESS, "local memory"},
    [9] = {REMOTE_DRAM | SL_MEM_SNOOP_NONE, "remote memory"},
    [13] = {SL_MEM_LVL_IO | HIT, "device"},
    [16] = {L2_HIT, "L2"},
    [17] = {L2 | HITM, "L2, modified"},
    [18] = {L1_HIT, "L1D"},
};

#define FAMILY(name, table, newer)                                                                                     \
    {                                                                                                                  \
        name, table, sizeof(table) / sizeof((table)[0]), newer                                                         \
    }

static const struct sl_spe_family families[] = {
    FAMILY("Arm Neoverse and Cortex", arm_perf_6_1, false),
    FAMILY("Arm Neoverse and Cortex", arm, true),
    FAMILY("Ampere", ampere, true),
    FAMILY("HiSilicon", hisilicon, true),
};

static const struct sl_spe_family generic[] = {
    [SL_SPE_EDITION_PERF_6_1] = {.name = "generic"},
    [SL_SPE_EDITION_CURRENT] = {.name = "generic", .newer_events = true},
};

struct processor {
    uint8_t implementer; /* MIDR_EL1 31:24 */
    uint16_t part;       /* MIDR_EL1 15:4 */
    uint8_t edition;     /* the first that knows it */
    uint8_t family[2];   /* by edition */
};

/* Part numbers: the cores' technical reference manuals, MIDR_EL1. */
static const struct processor processors[] = {
    {0x41, 0xd0c, SL_SPE_EDITION_PERF_6_1, {0, 1}}, /* Neoverse N1 */
    {0x41, 0xd49, SL_SPE_EDITION_PERF_6_1, {0, 1}}, /* Neoverse N2 */
    {0x41, 0xd40, SL_SPE_EDITION_PERF_6_1, {0, 1}}, /* Neoverse V1 */
    {0x41, 0xd4f, SL_SPE_EDITION_CURRENT, {0, 1}},  /* Neoverse V2 */
    {0x41, 0xd81, SL_SPE_EDITION_CURRENT, {0, 1}},  /* Cortex-A720 */
    {0x41, 0xd87, SL_SPE_EDITION_CURRENT, {0, 1}},  /* Cortex-A725 */
    {0x41, 0xd4c, SL_SPE_EDITION_CURRENT, {0, 1}},  /* Cortex-X1C */
    {0x41, 0xd4e, SL_SPE_EDITION_CURRENT, {0, 1}},  /* Cortex-X3 */
    {0x41, 0xd85, SL_SPE_EDITION_CURRENT, {0, 1}},  /* Cortex-X925 */
    {0xc0, 0xac3, SL_SPE_EDITION_CURRENT, {0, 2}},  /* AmpereOne */
    {0xc0, 0xac4, SL_SPE_EDITION_CURRENT, {0, 2}},  /* AmpereOne A */
    {0x48, 0xd06, SL_SPE_EDITION_CURRENT, {0, 3}},  /* HiSilicon HIP12 */
};

const struct sl_spe_family *sl_spe_family(uint64_t midr, enum sl_spe_edition edition)
{
    uint32_t implementer = (uint32_t)(midr >> 24) & 0xffu, part = (uint32_t)(midr >> 4) & 0xfffu;

    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++) {
        const struct processor *p = &processors[i];
        if (p->implementer == implementer && p->part == part && p->edition <= edition)
            return &families[p->family[edition]];
    }
    return &generic[edition];
}

static bool event(const struct sl_spe_record *record, unsigned bit)
{
    return record->events >> bit & 1u;
}

/* Where the processor's data sources are not known, events tell of two cache levels. */
static uint64_t source_by_events(const struct sl_spe_record *record)
{
    uint64_t source = event(record, SL_SPE_EVENT_REMOTE) ? SL_MEM_REMOTE : 0;

    if (event(record, SL_SPE_EVENT_LLC_ACCESS) || event(record, SL_SPE_EVENT_LLC_MISS))
        source |= SL_MEM_LVL_L3 | (event(record, SL_SPE_EVENT_LLC_MISS) ? SL_MEM_LVL_MISS : HIT);
    else if (event(record, SL_SPE_EVENT_L1D_ACCESS) || event(record, SL_SPE_EVENT_L1D_REFILL))
        source |= SL_MEM_LVL_L1 | (event(record, SL_SPE_EVENT_L1D_REFILL) ? SL_MEM_LVL_MISS : HIT);
    return source;
}

/* The data source of a load or store. *is_known becomes false where the processor gave a value without a meaning. */
static uint64_t data_source(const struct sl_spe_record *record, const struct sl_spe_family *family, bool *is_known)
{
    bool is_load = record->has & SL_SPE_HAS_LOAD;
    uint64_t source = is_load ? SL_MEM_OP_LOAD : SL_MEM_OP_STORE;

    *is_known = true;
    if (family->n_sources == 0) {
        source |= source_by_events(record);
    } else if (record->has & SL_SPE_HAS_STORE) {
        source |= SL_MEM_LVL_NA | SL_MEM_LEVEL_NA | SL_MEM_SNOOP_NA;
    } else {
        uint64_t meaning = record->source < family->n_sources ? family->sources[record->source].data_source : 0;
        *is_known = meaning != 0;
        source |= meaning;
    }
    if (family->newer_events && event(record, SL_SPE_EVENT_DATA_MODIFIED) && event(record, SL_SPE_EVENT_DATA_SNOOPED))
        source = (source & ~(SL_MEM_SNOOP_NA | SL_MEM_SNOOP_NONE | SL_MEM_SNOOP_HIT)) | HITM;
    if (event(record, SL_SPE_EVENT_TLB_ACCESS) || event(record, SL_SPE_EVENT_TLB_WALK))
        source |= SL_MEM_TLB_WALKER | (event(record, SL_SPE_EVENT_TLB_WALK) ? SL_MEM_TLB_MISS : SL_MEM_TLB_HIT);
    return source;
}

bool sl_spe_sample(const struct sl_spe_record *record, const struct sl_spe_family *family, uint64_t kernel_start,
                   struct sl_mem_sample *sample)
{
    bool is_known;

    if (!(record->has & ((unsigned)SL_SPE_HAS_LOAD | (unsigned)SL_SPE_HAS_STORE)))
        return false;
    *sample = (struct sl_mem_sample){
        .ip = sl_spe_code_address(record->address[SL_SPE_ADDRESS_PC]),
        .address = sl_spe_data_address(record->address[SL_SPE_ADDRESS_VIRTUAL]),
        .phys_address = sl_spe_physical_address(record->address[SL_SPE_ADDRESS_PHYSICAL]),
        .time = record->timestamp,
        .weight = record->counter[SL_SPE_COUNTER_TOTAL],
        .period = 1,
        .pid = SL_MEM_NO_ID,
        .tid = record->has & SL_SPE_HAS_CONTEXT ? record->context : SL_MEM_NO_ID,
        .cpu = SL_MEM_NO_CPU,
        .issue_cycles = record->counter[SL_SPE_COUNTER_ISSUE],
        .translation_cycles = record->counter[SL_SPE_COUNTER_TRANSLATION],
        .raw_source = record->source,
        .flags = SL_MEM_FLAG_SYNTHESISED,
    };
    sample->source = data_source(record, family, &is_known);
    sample->mode = sample->ip >= kernel_start ? SL_MEM_MODE_KERNEL : SL_MEM_MODE_USER;
    if (!is_known)
        sample->flags |= SL_MEM_FLAG_UNKNOWN_SOURCE;
    return true;
}
