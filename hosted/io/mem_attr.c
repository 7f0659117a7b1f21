/* SPDX-License-Identifier: Apache-2.0 */
/* "pmu/term,term=value/P" to perf_event_attr, by the PMU's files: type, events/NAME, format/TERM (sysfs ABI
 * documentation, "sysfs-bus-event_source-devices-format"). */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "mem_events.h"

#define MAX_TEXT 256u

/* One line of a file of the PMU. false: there is none. */
static bool pmu_line(const char *root, const char *pmu, const char *folder, const char *name, char *line)
{
    struct text path = {0};
    FILE *file;
    bool ok;
    text_printf(&path, "%s/sys/bus/event_source/devices/%s/%s%s", root, pmu, folder, name);
    file = fopen(path.data, "re");
    text_free(&path);
    if (!file)
        return false;
    ok = fgets(line, MAX_TEXT, file) != NULL;
    fclose(file);
    if (ok)
        line[strcspn(line, "\n")] = '\0';
    return ok;
}

static uint64_t *config_of(struct perf_event_attr *attr, const char *name, size_t len)
{
    if (len == 6 && !strncmp(name, "config", 6))
        return (uint64_t *)&attr->config;
    if (len == 7 && !strncmp(name, "config1", 7))
        return (uint64_t *)&attr->config1;
    if (len == 7 && !strncmp(name, "config2", 7))
        return (uint64_t *)&attr->config2;
    return NULL;
}

/* "config1:0-15,32": the value's bits go to these, from low to high. */
static bool put_bits(struct perf_event_attr *attr, const char *format, uint64_t value)
{
    const char *at = strchr(format, ':');
    uint64_t *config = at ? config_of(attr, format, (size_t)(at - format)) : NULL;
    if (!config)
        return false;
    do {
        char *end;
        unsigned long first = strtoul(at + 1, &end, 10), last = first;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (unsigned long bit = first; bit <= last && bit < 64; bit++, value >>= 1)
            *config = (*config & ~((uint64_t)1 << bit)) | (value & 1) << bit;
        at = end;
    } while (*at == ',');
    return true;
}

static bool put_terms(struct perf_event_attr *attr, const char *root, const char *pmu, const char *terms, bool alias);

static bool put_term(struct perf_event_attr *attr, const char *root, const char *pmu, char *term, bool alias)
{
    char line[MAX_TEXT];
    char *value = strchr(term, '=');
    if (value)
        *value++ = '\0';
    if (pmu_line(root, pmu, "format/", term, line))
        return put_bits(attr, line, value ? strtoull(value, NULL, 0) : 1);
    return alias && !value && pmu_line(root, pmu, "events/", term, line) && put_terms(attr, root, pmu, line, false);
}

static bool put_terms(struct perf_event_attr *attr, const char *root, const char *pmu, const char *terms, bool alias)
{
    char copy[MAX_TEXT];
    char *next = copy;
    snprintf(copy, sizeof copy, "%s", terms);
    while (next && *next) {
        char *term = next;
        next = strchr(next, ',');
        if (next)
            *next++ = '\0';
        if (!put_term(attr, root, pmu, term, alias))
            return false;
    }
    return true;
}

/* `text` starts at the PMU's name; *end is behind the second slash. */
static bool read_one(const char *root, const char *text, const char **end, struct perf_event_attr *attr)
{
    char pmu[64], terms[MAX_TEXT], line[MAX_TEXT];
    const char *slash = strchr(text, '/'), *close = slash ? strchr(slash + 1, '/') : NULL;
    if (!close || (size_t)(slash - text) >= sizeof pmu || (size_t)(close - slash) > sizeof terms)
        return false;
    snprintf(pmu, sizeof pmu, "%.*s", (int)(slash - text), text);
    snprintf(terms, sizeof terms, "%.*s", (int)(close - slash - 1), slash + 1);
    memset(attr, 0, sizeof *attr);
    attr->size = PERF_ATTR_SIZE_VER7;
    if (!pmu_line(root, pmu, "", "type", line))
        return false;
    attr->type = (uint32_t)strtoul(line, NULL, 10);
    *end = close + 1;
    return put_terms(attr, root, pmu, terms, true);
}

bool mem_event_attr(const struct mem_events *events, const struct mem_event *event, struct perf_event_attr *first,
                    struct perf_event_attr *second, bool *has_second, struct diag *diag)
{
    const char *at = event->name + (event->name[0] == '{');
    bool ok = read_one(events->root, at, &at, first);
    *has_second = ok && event->name[0] == '{' && *at == ',';
    if (*has_second)
        ok = read_one(events->root, at + 1, &at, second);
    /* P: as precise as the PMU can; the recorder steps down from here. */
    if (ok && strchr(at, 'P')) {
        first->precise_ip = 3;
        second->precise_ip = *has_second ? 3 : 0;
    }
    if (!ok)
        diag_say(diag, DIAG_ERROR, "%s: sysfs does not describe this event", event->name);
    return ok;
}
