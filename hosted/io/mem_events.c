/* SPDX-License-Identifier: Apache-2.0 */
/* The events that sample memory accesses on this machine. */
#include "mem_events.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "file.h"

/* %u: the least latency. */
static const struct {
    enum mem_arch arch;
    bool aux;
    const char *tag, *name, *pmu, *probe;
    bool is_load, is_combined;
} rows[] = {
    {MEM_ARCH_INTEL, false, "ldlat-loads", "cpu/mem-loads,ldlat=%u/P", "cpu", "events/mem-loads", true, false},
    {MEM_ARCH_INTEL, true, "ldlat-loads", "{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=%u/}:P", "cpu", "events/mem-loads",
     true, false},
    {MEM_ARCH_INTEL, false, "ldlat-stores", "cpu/mem-stores/P", "cpu", "events/mem-stores", false, false},
    {MEM_ARCH_INTEL, true, "ldlat-stores", "cpu/mem-stores/P", "cpu", "events/mem-stores", false, false},
    {MEM_ARCH_AMD, false, "mem-ldst", "ibs_op//", "ibs_op", "type", false, true},
    {MEM_ARCH_AMD, true, "mem-ldst", "ibs_op/ldlat=%u/", "ibs_op", "type", false, true},
    {MEM_ARCH_POWERPC, false, "ldlat-loads", "cpu/mem-loads/", "cpu", "events/mem-loads", true, false},
    {MEM_ARCH_POWERPC, false, "ldlat-stores", "cpu/mem-stores/", "cpu", "events/mem-stores", false, false},
    {MEM_ARCH_ARM, false, "spe-load", "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,min_latency=%u/", "arm_spe_0",
     "type", true, false},
    {MEM_ARCH_ARM, false, "spe-store", "arm_spe_0/ts_enable=1,pa_enable=1,store_filter=1/", "arm_spe_0", "type", false,
     false},
    {MEM_ARCH_ARM, false, "spe-ldst", "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=%u/",
     "arm_spe_0", "type", false, true},
};

/* What a word of /proc/cpuinfo's line says; false: no such line. */
static bool cpuinfo(const char *key, char *value, size_t room)
{
    char line[256];
    size_t len = strlen(key);
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, len) != 0 || (line[len] != '\t' && line[len] != ' ' && line[len] != ':') || !colon)
            continue;
        found = true;
        snprintf(value, room, "%s", colon + 1 + strspn(colon + 1, " "));
        value[strcspn(value, "\n")] = '\0';
    }
    if (file)
        fclose(file);
    return found;
}

enum mem_arch mem_arch_here(void)
{
    struct utsname name;
    char vendor[64] = "";
    if (uname(&name))
        return MEM_ARCH_OTHER;
    if (!strncmp(name.machine, "aarch64", 7))
        return MEM_ARCH_ARM;
    if (!strncmp(name.machine, "ppc", 3))
        return MEM_ARCH_POWERPC;
    if (strcmp(name.machine, "x86_64") != 0)
        return MEM_ARCH_OTHER;
    (void)cpuinfo("vendor_id", vendor, sizeof vendor);
    return !strcmp(vendor, "AuthenticAMD") ? MEM_ARCH_AMD : MEM_ARCH_INTEL;
}

/* Family 19h holds Zen 3 and Zen 4; the latter's models are 10h to 1fh and 60h to afh (AMD's revision guides). */
static bool is_zen3(void)
{
    char family[32] = "", model[32] = "";
    unsigned long number;
    if (!cpuinfo("cpu family", family, sizeof family) || !cpuinfo("model", model, sizeof model))
        return false;
    number = strtoul(model, NULL, 10);
    return strtoul(family, NULL, 10) == 0x19 &&
           (number <= 0x0f || (number >= 0x20 && number <= 0x2f) || (number >= 0x40 && number <= 0x5f));
}

/* Kernels name a PMU's folder in two places. */
static bool exists(const char *root, const char *pmu, const char *file)
{
    static const char *const folders[] = {"/sys/bus/event_source/devices", "/sys/devices"};
    bool found = false;
    for (size_t i = 0; i < 2 && !found; i++) {
        struct text path = {0};
        text_printf(&path, "%s%s/%s/%s", root, folders[i], pmu, file);
        found = !access(path.data, F_OK);
        text_free(&path);
    }
    return found;
}

static bool caps_ldlat(const char *root)
{
    struct text path = {0};
    char text[8] = "";
    FILE *file;
    text_printf(&path, "%s/sys/bus/event_source/devices/ibs_op/caps/ldlat", root);
    file = fopen(path.data, "re");
    text_free(&path);
    if (file) {
        (void)!fgets(text, sizeof text, file);
        fclose(file);
    }
    return text[0] == '1';
}

static const char *reason_of(const struct mem_events *events)
{
    switch (events->arch) {
    case MEM_ARCH_OTHER:
        return "this architecture has no events that sample memory accesses";
    case MEM_ARCH_ARM:
        return "there is no PMU arm_spe_0: the processor or its firmware lacks SPE, or the kernel its driver (and "
               "kpti=off may be needed)";
    case MEM_ARCH_AMD:
        return "there is no PMU ibs_op: a virtual machine or container without it, or IBS is off in the firmware";
    default:
        return "the PMU cpu has no mem-loads event: a virtual machine or container without hardware counters, or a "
               "processor without load-latency sampling";
    }
}

void mem_events_find(struct mem_events *events, enum mem_arch arch, const char *root, unsigned latency,
                     struct pool *pool)
{
    bool any = false;
    memset(events, 0, sizeof *events);
    events->arch = arch;
    events->root = root;
    events->aux =
        arch == MEM_ARCH_AMD ? caps_ldlat(root) : arch == MEM_ARCH_INTEL && exists(root, "cpu", "events/mem-loads-aux");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct mem_event *event = &events->items[events->n];
        char name[128];
        const char *number = strstr(rows[i].name, "%u");
        if (rows[i].arch != arch || rows[i].aux != events->aux || events->n == MEM_EVENTS)
            continue;
        if (number)
            snprintf(name, sizeof name, "%.*s%u%s", (int)(number - rows[i].name), rows[i].name, latency, number + 2);
        else
            snprintf(name, sizeof name, "%s", rows[i].name);
        *event = (struct mem_event){
            .tag = rows[i].tag, .pmu = rows[i].pmu, .is_load = rows[i].is_load, .is_combined = rows[i].is_combined};
        event->name = pool_text(pool, name, strlen(name));
        event->supported = exists(root, rows[i].pmu, rows[i].probe);
        any |= event->supported;
        events->n++;
    }
    if (!any)
        events->reason = reason_of(events);
    else if (arch == MEM_ARCH_AMD && !root[0] && is_zen3())
        events->reason = "the IBS of Zen 3 processors does not tell where data came from (perf-c2c(1))";
}

void mem_events_select_default(struct mem_events *events)
{
    bool combined = false;
    for (unsigned i = 0; i < events->n; i++)
        combined |= events->items[i].is_combined;
    for (unsigned i = 0; i < events->n; i++)
        events->items[i].selected = events->items[i].is_combined == combined;
}

bool mem_events_select(struct mem_events *events, const char *text)
{
    bool found = false;
    for (unsigned i = 0; i < events->n; i++) {
        if (!strstr(events->items[i].tag, text))
            continue;
        events->items[i].selected = true;
        found = true;
    }
    return found;
}
