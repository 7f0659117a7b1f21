/* SPDX-License-Identifier: Apache-2.0 */
/* What one sample counts for. */
#include <slotledger/c2c.h>

#define BIT(counter) ((uint32_t)1 << (counter))

static struct sl_c2c_class count(struct sl_c2c_class c, enum sl_c2c_counter counter)
{
    c.twice |= c.once & BIT(counter);
    c.once |= BIT(counter);
    return c;
}

static struct sl_c2c_class count_if(struct sl_c2c_class c, uint64_t condition, enum sl_c2c_counter counter)
{
    return condition ? count(c, counter) : c;
}

/* DRAM, of either side: the line came clean from memory, shared with others or not. */
static struct sl_c2c_class dram(struct sl_c2c_class c, uint64_t source, enum sl_c2c_counter counter)
{
    c = count(c, counter);
    return count(c, source & SL_MEM_SNOOP_HIT ? SL_C2C_LOAD_SHARED : SL_C2C_LOAD_EXCLUSIVE);
}

static struct sl_c2c_class load_hit(struct sl_c2c_class c, uint64_t source, bool remote)
{
    uint64_t peer = source & SL_MEM_SNOOPX_PEER;

    c = count_if(c, source & SL_MEM_LVL_UNCACHED, SL_C2C_LOAD_UNCACHED);
    c = count_if(c, source & SL_MEM_LVL_IO, SL_C2C_LOAD_IO);
    c = count_if(c, source & SL_MEM_LVL_LFB, SL_C2C_LOAD_FILL_BUFFER);
    c = count_if(c, source & SL_MEM_LVL_L1, SL_C2C_LOAD_L1);
    if (source & SL_MEM_LVL_L2) {
        c = count(c, SL_C2C_LOAD_L2);
        c = count_if(c, peer, SL_C2C_LOCAL_PEER);
    }
    if (source & SL_MEM_LVL_L3) {
        c = count(c, source & SL_MEM_SNOOP_HITM ? SL_C2C_LOCAL_HITM : SL_C2C_LOAD_LLC);
        c = count_if(c, peer, SL_C2C_LOCAL_PEER);
    }
    if (source & SL_MEM_LVL_LOCAL_RAM)
        c = dram(c, source, SL_C2C_LOCAL_DRAM);
    if ((source & (SL_MEM_LVL_REMOTE_RAM1 | SL_MEM_LVL_REMOTE_RAM2)) || remote)
        c = dram(c, source, SL_C2C_REMOTE_DRAM);
    return c;
}

static struct sl_c2c_class load(struct sl_c2c_class c, uint64_t source)
{
    bool remote = (source & SL_MEM_REMOTE) && !(source & SL_MEM_HOPS_MASK);

    if (source & SL_MEM_LVL_HIT)
        c = load_hit(c, source, remote);
    /* A remote cache counts even where the level says neither hit nor miss. */
    if ((source & (SL_MEM_LVL_REMOTE_CACHE1 | SL_MEM_LVL_REMOTE_CACHE2)) || remote) {
        if (source & SL_MEM_SNOOP_HIT) {
            c = count(c, SL_C2C_REMOTE_HIT);
        } else if (source & SL_MEM_SNOOP_HITM) {
            c = count(c, SL_C2C_REMOTE_HITM);
        } else if (source & SL_MEM_SNOOPX_PEER) {
            c = count(c, SL_C2C_REMOTE_HIT);
            c = count(c, SL_C2C_REMOTE_PEER);
        }
    }
    return count_if(c, source & SL_MEM_LVL_MISS, SL_C2C_LOAD_MISS);
}

static struct sl_c2c_class store(struct sl_c2c_class c, uint64_t source)
{
    uint64_t l1 = source & SL_MEM_LVL_L1;

    if (source & SL_MEM_LVL_HIT) {
        c = count_if(c, source & SL_MEM_LVL_UNCACHED, SL_C2C_STORE_UNCACHED);
        c = count_if(c, l1, SL_C2C_STORE_L1_HIT);
    }
    c = count_if(c, l1 && (source & SL_MEM_LVL_MISS), SL_C2C_STORE_L1_MISS);
    return count_if(c, source & SL_MEM_LVL_NA, SL_C2C_STORE_NA);
}

struct sl_c2c_class sl_c2c_classify(uint64_t source, bool has_address, bool mapped)
{
    struct sl_c2c_class c = {BIT(SL_C2C_SAMPLES), 0};

    c = count_if(c, source & SL_MEM_LOCK_LOCKED, SL_C2C_LOCKED);
    c = count_if(c, source & SL_MEM_BLOCK_DATA, SL_C2C_BLOCKED_DATA);
    c = count_if(c, source & SL_MEM_BLOCK_ADDRESS, SL_C2C_BLOCKED_ADDRESS);
    if (source & SL_MEM_OP_LOAD) {
        c = count(c, SL_C2C_LOAD);
        if (!has_address)
            return count(c, SL_C2C_LOAD_NO_ADDRESS);
        c = load(c, source);
    } else if (source & SL_MEM_OP_STORE) {
        c = count(c, SL_C2C_STORE);
        if (!has_address)
            return count(c, SL_C2C_STORE_NO_ADDRESS);
        c = store(c, source);
    } else {
        return count(c, SL_C2C_NOT_PARSED);
    }
    return count_if(c, !mapped, SL_C2C_NO_MAP);
}

static uint32_t sum(const struct sl_c2c_stats *stats, uint32_t counters)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < SL_C2C_COUNTERS; i++)
        total += counters & BIT(i) ? stats->n[i] : 0;
    return total;
}

#define LLC_MISSES (BIT(SL_C2C_LOCAL_DRAM) | BIT(SL_C2C_REMOTE_DRAM) | BIT(SL_C2C_REMOTE_HITM) | BIT(SL_C2C_REMOTE_HIT))

uint32_t sl_c2c_llc_misses(const struct sl_c2c_stats *stats)
{
    return sum(stats, LLC_MISSES);
}

uint32_t sl_c2c_loads(const struct sl_c2c_stats *stats)
{
    return sum(stats, LLC_MISSES | BIT(SL_C2C_LOAD_FILL_BUFFER) | BIT(SL_C2C_LOAD_L1) | BIT(SL_C2C_LOAD_L2) |
                          BIT(SL_C2C_LOAD_LLC) | BIT(SL_C2C_LOCAL_HITM));
}

uint32_t sl_c2c_records(const struct sl_c2c_stats *stats)
{
    return sl_c2c_loads(stats) + stats->n[SL_C2C_STORE_L1_HIT] + stats->n[SL_C2C_STORE_L1_MISS] +
           stats->n[SL_C2C_STORE_NA];
}
