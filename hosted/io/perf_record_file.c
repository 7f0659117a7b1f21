/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a recording in progress: records as they come, header and features at its end. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "perf_format.h"
#include "perf_record_internal.h"

#define ATTR_BYTES PERF_ATTR_SIZE_VER7
#define ALIGN      64u

/* ---- bytes ---- */

static void put(struct text *text, uint64_t value, unsigned bytes)
{
    /* Records come in the machine's byte order, so all of the file is. */
    uint32_t half = (uint32_t)value;
    uint16_t quarter = (uint16_t)value;
    text_add(text, bytes == 8 ? (char *)&value : bytes == 4 ? (char *)&half : (char *)&quarter, bytes);
}

static void put_string(struct text *text, const char *string)
{
    size_t len = strlen(string) + 1, padded = (len + ALIGN - 1) / ALIGN * ALIGN;
    put(text, padded, 4);
    text_add(text, string, len);
    text_add_char(text, '\0', padded - len);
}

void record_file_write(struct recorder *r, const void *bytes, size_t n)
{
    if (!r->failed && fwrite(bytes, 1, n, r->file) != n) {
        r->failed = true;
        diag_say(r->diag, DIAG_ERROR, "%s: %s", r->path, strerror(errno));
    }
    r->data_bytes += n;
}

void record_file_round(struct recorder *r)
{
    struct perf_event_header header = {.type = PERF_REC_FINISHED_ROUND, .size = sizeof header};
    record_file_write(r, &header, sizeof header);
}

bool record_file_start(struct recorder *r)
{
    size_t n_ids = (size_t)r->options->n_events * r->n_cpus;
    r->data_offset = PERF_HEADER_BYTES + 8 * n_ids + (size_t)r->options->n_events * (ATTR_BYTES + 16);
    r->file = fopen(r->path, "w+be");
    if (!r->file || fseek(r->file, (long)r->data_offset, SEEK_SET)) {
        diag_say(r->diag, DIAG_ERROR, "%s: %s", r->path, strerror(errno));
        return false;
    }
    return true;
}

/* ---- what was there before ---- */

/* A record beside the samples, with an id of 0: made by the recorder. */
static void side_record(struct recorder *r, uint32_t type, uint16_t misc, struct text *body)
{
    struct perf_event_header header = {.type = type, .misc = misc};
    put(body, 0, 8); /* pid and tid */
    put(body, 0, 8); /* time: before all others */
    put(body, 0, 8); /* cpu */
    put(body, 0, 8); /* identifier */
    header.size = (uint16_t)(sizeof header + body->len);
    record_file_write(r, &header, sizeof header);
    record_file_write(r, body->data, body->len);
    body->len = 0;
}

static void put_name(struct text *text, const char *name)
{
    size_t len = strlen(name) + 1;
    text_add(text, name, len);
    text_add_char(text, '\0', (8 - len % 8) % 8);
}

static void side_comm(struct recorder *r, int pid, int tid, const char *name)
{
    struct text body = {0};
    put(&body, (uint32_t)pid, 4);
    put(&body, (uint32_t)tid, 4);
    put_name(&body, name);
    side_record(r, PERF_REC_COMM, 0, &body);
    text_free(&body);
}

static void side_map(struct recorder *r, int pid, uint16_t misc, const uint64_t *place, const char *name)
{
    struct text body = {0};
    put(&body, (uint32_t)pid, 4);
    put(&body, (uint32_t)pid, 4);
    for (unsigned i = 0; i < 3; i++)
        put(&body, place[i], 8);
    put_name(&body, name);
    side_record(r, PERF_REC_MMAP, misc, &body);
    text_free(&body);
}

/* The kernel's text, as /proc/kallsyms shows it; zeros to those without the right. */
static void side_kernel(struct recorder *r)
{
    char line[512], name[256];
    unsigned long long address, start = 0, end = 0;
    char type;
    FILE *file = fopen("/proc/kallsyms", "re");
    while (file && fgets(line, sizeof line, file) && !end) {
        if (sscanf(line, "%llx %c %255s", &address, &type, name) != 3)
            continue;
        if (!strcmp(name, "_text") || (!start && !strcmp(name, "_stext")))
            start = address;
        if (!strcmp(name, "_etext"))
            end = address;
    }
    if (file)
        fclose(file);
    if (start && end > start) {
        uint64_t place[3] = {start, end - start, start};
        side_map(r, -1, PERF_MISC_KERNEL, place, "[kernel.kallsyms]_text");
    }
}

static void side_process(struct recorder *r, int pid)
{
    char path[64], line[4400], name[64] = "";
    FILE *file;
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    file = fopen(path, "re");
    if (file && fgets(name, sizeof name, file)) {
        name[strcspn(name, "\n")] = '\0';
        side_comm(r, pid, pid, name);
    }
    if (file)
        fclose(file);
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        unsigned long long start, end, offset;
        char rights[8];
        int at = 0;
        uint64_t place[3];
        if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %n", &start, &end, rights, &offset, &at) < 4 || !at)
            continue;
        line[strcspn(line, "\n")] = '\0';
        place[0] = start;
        place[1] = end - start;
        place[2] = offset;
        side_map(r, pid, (uint16_t)(PERF_MISC_USER | (rights[2] == 'x' ? 0 : PERF_MISC_MMAP_DATA)), place,
                 line[at] ? line + at : "//anon");
    }
    if (file)
        fclose(file);
}

void record_file_state(struct recorder *r, int command_pid)
{
    struct dirent *entry;
    DIR *folder;
    side_kernel(r);
    if (command_pid > 0 && !r->options->all_cpus) {
        side_comm(r, command_pid, command_pid, "slotledger");
        return;
    }
    folder = opendir("/proc");
    while (folder && (entry = readdir(folder))) {
        int pid = atoi(entry->d_name);
        if (pid > 0)
            side_process(r, pid);
    }
    if (folder)
        closedir(folder);
}

/* ---- features ---- */

static void file_line(const char *path, char *line, size_t room)
{
    FILE *file = fopen(path, "re");
    line[0] = '\0';
    if (!file)
        return;
    if (fgets(line, (int)room, file))
        line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

static void put_nodes(struct text *numa, struct text *memory)
{
    uint32_t n = 0;
    uint64_t block = 0;
    char path[96], line[1024];
    struct text nodes = {0}, blocks = {0};
    file_line("/sys/devices/system/memory/block_size_bytes", line, sizeof line);
    block = strtoull(line, NULL, 16);
    for (uint32_t id = 0; id < 1024; id++) {
        uint64_t bits[4096] = {0}, last = 0, total = 0;
        struct dirent *entry;
        DIR *folder;
        snprintf(path, sizeof path, "/sys/devices/system/node/node%u", id);
        folder = opendir(path);
        if (!folder)
            continue;
        while ((entry = readdir(folder))) {
            unsigned number;
            if (sscanf(entry->d_name, "memory%u", &number) == 1 && number < 64 * 4096u) {
                bits[number / 64] |= (uint64_t)1 << number % 64;
                last = number + 1 > last ? number + 1 : last;
                total++;
            }
        }
        closedir(folder);
        snprintf(path, sizeof path, "/sys/devices/system/node/node%u/cpulist", id);
        file_line(path, line, sizeof line);
        put(&nodes, id, 4);
        put(&nodes, total * block / 1024, 8);
        put(&nodes, 0, 8);
        put_string(&nodes, line);
        put(&blocks, id, 8);
        put(&blocks, total, 8);
        put(&blocks, last, 8);
        for (uint64_t w = 0; w < (last + 63) / 64; w++)
            put(&blocks, bits[w], 8);
        n++;
    }
    if (!n) { /* a kernel without NUMA is one node */
        snprintf(line, sizeof line, "0-%ld", sysconf(_SC_NPROCESSORS_CONF) - 1);
        put(&nodes, 0, 4);
        put(&nodes, 0, 8);
        put(&nodes, 0, 8);
        put_string(&nodes, line);
    }
    put(numa, n ? n : 1, 4);
    text_add(numa, nodes.data, nodes.len);
    if (n && block) {
        put(memory, 1, 8);
        put(memory, block, 8);
        put(memory, n, 8);
        text_add(memory, blocks.data, blocks.len);
    }
    text_free(&nodes);
    text_free(&blocks);
}

static void put_cpu_names(struct text *desc, struct text *id)
{
    char line[256], name[128] = "unknown", vendor[64] = "";
    unsigned family = 0, model = 0, stepping = 0;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file) && line[0] != '\n') {
        (void)!sscanf(line, "model name : %127[^\n]", name);
        (void)!sscanf(line, "vendor_id : %63s", vendor);
        (void)!sscanf(line, "cpu family : %u", &family);
        (void)!sscanf(line, "model : %u", &model);
        (void)!sscanf(line, "stepping : %u", &stepping);
    }
    if (file)
        fclose(file);
    put_string(desc, name);
    if (vendor[0]) {
        snprintf(line, sizeof line, "%s-%u-%u-%u", vendor, family, model, stepping);
    } else {
        file_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", line, sizeof line);
    }
    put_string(id, line);
}

static void put_events(const struct recorder *r, struct text *text)
{
    put(text, r->options->n_events, 4);
    put(text, ATTR_BYTES, 4);
    for (unsigned i = 0; i < r->options->n_events; i++) {
        text_add(text, (const char *)&r->attrs[i], ATTR_BYTES);
        put(text, r->n_cpus, 4);
        put_string(text, r->options->events[i].name);
        text_add(text, (const char *)(r->ids + i * r->n_cpus), 8u * r->n_cpus);
    }
}

static void put_features(const struct recorder *r, struct text *features)
{
    struct utsname name;
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES), page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (!uname(&name)) {
        put_string(&features[PERF_FEAT_HOSTNAME], name.nodename);
        put_string(&features[PERF_FEAT_OSRELEASE], name.release);
        put_string(&features[PERF_FEAT_ARCH], name.machine);
    }
    put_string(&features[PERF_FEAT_VERSION], "slotledger " SL_VERSION);
    put(&features[PERF_FEAT_NRCPUS], (uint64_t)sysconf(_SC_NPROCESSORS_CONF), 4);
    put(&features[PERF_FEAT_NRCPUS], r->n_cpus, 4);
    put_cpu_names(&features[PERF_FEAT_CPUDESC], &features[PERF_FEAT_CPUID]);
    put(&features[PERF_FEAT_TOTAL_MEM], pages * page / 1024, 8);
    put(&features[PERF_FEAT_CMDLINE], r->options->n_command_line, 4);
    for (unsigned i = 0; i < r->options->n_command_line; i++)
        put_string(&features[PERF_FEAT_CMDLINE], r->options->command_line[i]);
    put_events(r, &features[PERF_FEAT_EVENT_DESC]);
    put_nodes(&features[PERF_FEAT_NUMA_TOPOLOGY], &features[PERF_FEAT_MEM_TOPOLOGY]);
    put(&features[PERF_FEAT_SAMPLE_TIME], r->first_time, 8);
    put(&features[PERF_FEAT_SAMPLE_TIME], r->last_time, 8);
}

static void put_head(const struct recorder *r, struct text *head, uint64_t feature_bits)
{
    unsigned n = r->options->n_events;
    uint64_t attrs_offset = PERF_HEADER_BYTES + (uint64_t)8 * n * r->n_cpus;
    uint64_t magic;
    memcpy(&magic, "PERFILE2", 8);
    /* The magic number is a number, too: swapped on machines of the other order. */
    put(head, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? magic : __builtin_bswap64(magic), 8);
    put(head, PERF_HEADER_BYTES, 8);
    put(head, ATTR_BYTES + 16, 8);
    put(head, attrs_offset, 8);
    put(head, (uint64_t)n * (ATTR_BYTES + 16), 8);
    put(head, r->data_offset, 8);
    put(head, r->data_bytes, 8);
    text_add_char(head, '\0', 16);
    put(head, feature_bits, 8);
    text_add_char(head, '\0', 24);
    text_add(head, (const char *)r->ids, (size_t)8 * n * r->n_cpus);
    for (unsigned i = 0; i < n; i++) {
        text_add(head, (const char *)&r->attrs[i], ATTR_BYTES);
        put(head, PERF_HEADER_BYTES + (uint64_t)8 * i * r->n_cpus, 8);
        put(head, (uint64_t)8 * r->n_cpus, 8);
    }
}

bool record_file_end(struct recorder *r)
{
    struct text features[32] = {{0}}, table = {0}, head = {0};
    uint64_t bits = 0, offset = r->data_offset + r->data_bytes;
    bool ok;
    put_features(r, features);
    for (unsigned i = 0; i < 32; i++) {
        bits |= (uint64_t)(features[i].len != 0) << i;
        offset += features[i].len ? 16 : 0;
    }
    for (unsigned i = 0; i < 32; i++) {
        if (!features[i].len)
            continue;
        put(&table, offset, 8);
        put(&table, features[i].len, 8);
        offset += features[i].len;
    }
    ok = fwrite(table.data, 1, table.len, r->file) == table.len;
    for (unsigned i = 0; i < 32; i++) {
        ok = ok && (!features[i].len || fwrite(features[i].data, 1, features[i].len, r->file) == features[i].len);
        text_free(&features[i]);
    }
    put_head(r, &head, bits);
    ok = ok && !fseek(r->file, 0, SEEK_SET) && fwrite(head.data, 1, head.len, r->file) == head.len;
    ok = !fclose(r->file) && ok;
    if (!ok)
        diag_say(r->diag, DIAG_ERROR, "%s: %s", r->path, strerror(errno));
    text_free(&table);
    text_free(&head);
    return ok;
}
