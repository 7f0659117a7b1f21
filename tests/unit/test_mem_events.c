/* SPDX-License-Identifier: Apache-2.0 */
/* The memory events of machines made of files: names by perf-c2c(1)'s table, attributes by the PMU's formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hosted/io/mem_events.h"

/* path below sysfs's root, contents */
struct entry {
    const char *path, *text;
};

#define CPU "/sys/bus/event_source/devices/cpu"
#define IBS "/sys/bus/event_source/devices/ibs_op"
#define SPE "/sys/bus/event_source/devices/arm_spe_0"

static const struct entry intel[] = {
    {CPU "/type", "4\n"},
    {CPU "/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"},
    {CPU "/events/mem-stores", "event=0xd0,umask=0x82\n"},
    {CPU "/format/event", "config:0-7\n"},
    {CPU "/format/umask", "config:8-15\n"},
    {CPU "/format/ldlat", "config1:0-15\n"},
    {NULL, NULL},
};
static const struct entry intel_aux[] = {
    {CPU "/events/mem-loads-aux", "event=0x03,umask=0x82\n"},
    {NULL, NULL},
};
static const struct entry amd[] = {
    {IBS "/type", "11\n"},
    {NULL, NULL},
};
static const struct entry amd_latency[] = {
    {IBS "/caps/ldlat", "1\n"},
    {IBS "/format/ldlat", "config1:0-11\n"},
    {NULL, NULL},
};
static const struct entry arm[] = {
    {SPE "/type", "9\n"},
    {SPE "/format/ts_enable", "config:0\n"},
    {SPE "/format/pa_enable", "config:1\n"},
    {SPE "/format/load_filter", "config:33\n"},
    {SPE "/format/store_filter", "config:34\n"},
    {SPE "/format/min_latency", "config2:0-11\n"},
    {NULL, NULL},
};

static char root[64];

static void make_folders(char *path)
{
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

static void write_entries(const struct entry *entries)
{
    for (; entries->path; entries++) {
        char path[256];
        FILE *file;
        snprintf(path, sizeof path, "%s%s", root, entries->path);
        make_folders(path);
        file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs(entries->text, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
}

static int make_root(void **unused)
{
    (void)unused;
    strcpy(root, "/tmp/slotledger-sysfs-");
    memset(root + strlen(root), 'X', 6);
    return mkdtemp(root) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    (void)st;
    (void)type;
    (void)walk;
    return remove(path);
}

static int remove_root(void **unused)
{
    (void)unused;
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void test_names_follow_the_table(void **unused)
{
    static const struct {
        enum mem_arch arch;
        const struct entry *more;
        unsigned latency;
        const char *names; /* selected by default, in order */
    } cases[] = {
        {MEM_ARCH_INTEL, intel, 30, "cpu/mem-loads,ldlat=30/P cpu/mem-stores/P "},
        {MEM_ARCH_INTEL, intel_aux, 50, "{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=50/}:P cpu/mem-stores/P "},
        {MEM_ARCH_AMD, amd, 30, "ibs_op// "},
        {MEM_ARCH_AMD, amd_latency, 128, "ibs_op/ldlat=128/ "},
        {MEM_ARCH_POWERPC, arm, 30, "cpu/mem-loads/ cpu/mem-stores/ "},
        {MEM_ARCH_ARM, arm, 30, "arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=30/ "},
    };
    struct pool pool = {0};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mem_events events;
        char names[512] = "";
        write_entries(cases[i].more);
        mem_events_find(&events, cases[i].arch, root, cases[i].latency, &pool);
        assert_null(events.reason);
        mem_events_select_default(&events);
        for (unsigned e = 0; e < events.n; e++) {
            if (!events.items[e].selected) {
                continue;
            }
            assert_true(events.items[e].supported);
            strcat(strcat(names, events.items[e].name), " ");
        }
        assert_string_equal(names, cases[i].names);
    }
    pool_free(&pool);
}

static void test_nothing_there_has_a_reason(void **unused)
{
    struct pool pool = {0};
    (void)unused;
    for (int arch = MEM_ARCH_INTEL; arch <= MEM_ARCH_OTHER; arch++) {
        struct mem_events events;
        mem_events_find(&events, (enum mem_arch)arch, root, 30, &pool);
        assert_non_null(events.reason);
    }
    pool_free(&pool);
}

static void test_attributes_follow_the_formats(void **unused)
{
    struct pool pool = {0};
    struct diag diag = {.stream = NULL};
    struct mem_events events;
    struct perf_event_attr first, second;
    bool has_second;
    (void)unused;
    write_entries(intel);
    write_entries(intel_aux);
    mem_events_find(&events, MEM_ARCH_INTEL, root, 30, &pool);
    assert_true(mem_events_select(&events, "loads"));
    assert_false(mem_events_select(&events, "flops"));
    assert_true(events.items[0].selected && !events.items[1].selected);
    assert_true(mem_event_attr(&events, &events.items[0], &first, &second, &has_second, &diag));
    assert_true(has_second);
    assert_int_equal(first.type, 4);
    assert_int_equal(first.config, 0x8203);
    assert_int_equal(second.config, 0x1cd);
    assert_int_equal(second.config1, 30);
    assert_int_equal(second.precise_ip, 3);
    assert_true(mem_event_attr(&events, &events.items[1], &first, &second, &has_second, &diag));
    assert_false(has_second);
    assert_int_equal(first.config, 0x82d0);
    write_entries(arm);
    mem_events_find(&events, MEM_ARCH_ARM, root, 77, &pool);
    assert_true(mem_event_attr(&events, &events.items[2], &first, &second, &has_second, &diag));
    assert_int_equal(first.type, 9);
    assert_int_equal(first.config, UINT64_C(0x600000003));
    assert_int_equal(first.config2, 77);
    assert_int_equal(first.precise_ip, 0);
    /* Nothing describes these terms. */
    mem_events_find(&events, MEM_ARCH_POWERPC, "/nowhere", 30, &pool);
    assert_false(mem_event_attr(&events, &events.items[0], &first, &second, &has_second, &diag));
    assert_int_equal(diag.n_errors, 1);
    pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names_follow_the_table, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_nothing_there_has_a_reason, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_attributes_follow_the_formats, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
