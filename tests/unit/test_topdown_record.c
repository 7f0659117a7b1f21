/* SPDX-License-Identifier: Apache-2.0 */
/* `slotledger topdown record` over a perf_event_open that this test plays: what is asked of it, and what the capture
 * holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hosted/cli/commands.h"
#include "hosted/cli/host_registers.h"
#include "hosted/cli/topdown_record.h"
#include "hosted/io/capture_file.h"
#include "hosted/io/file.h"

#define OUTPUT "test_topdown_record.capture"
#define MARK   "test_topdown_record.mark"

struct value {
    uint64_t config, value;
};

/* What the player does: refuse everything, or with the kernel, or one event; and when a group had its turn. */
static struct {
    int error;
    bool refuse_kernel;
    uint64_t missing; /* config of an event that does not exist; 0: none */
    unsigned n_open;
    unsigned n_leaders;
    bool odd;                   /* something was asked for that should not be */
    const struct value *values; /* other values than config times 1000; ends with a config of 0 */
} play;

/* Every counter's value is its config times 1000; the second group ran a quarter of the time, the third never. */
static int played_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
    uint64_t data[3] = {attr->config * 1000, 4000, 4000};
    bool leader = group_fd < 0;
    int fd;

    play.odd |= pid <= 0 || cpu != -1 || flags != PERF_FLAG_FD_CLOEXEC || !attr->inherit;
    play.odd |= attr->enable_on_exec != leader || attr->disabled != leader;
    play.odd |= attr->read_format != (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
    if (play.error || (play.refuse_kernel && !attr->exclude_kernel) || (play.missing && attr->config == play.missing)) {
        errno = play.error ? play.error : play.missing ? ENOENT : EACCES;
        return -1;
    }
    for (const struct value *v = play.values; v && v->config; v++) {
        if (v->config == attr->config)
            data[0] = v->value;
    }
    play.n_open++;
    play.n_leaders += leader;
    if (play.n_leaders == 2)
        data[2] = 1000;
    if (play.n_leaders == 3)
        data[0] = data[2] = 0;
    fd = memfd_create("counter", MFD_CLOEXEC);
    assert_true(fd >= 0 && write(fd, data, sizeof data) == (ssize_t)sizeof data && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

#define ARGUMENTS 12

static int saved_stderr;

static int record(const char *const *arguments)
{
    char *argv[ARGUMENTS + 1] = {NULL};
    int argc = 0;

    for (; arguments[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)arguments[argc];
    (void)unlink(OUTPUT);
    (void)unlink(MARK);
    return topdown_record("slotledger topdown", argc, argv, played_open);
}

/* The messages are not looked at. */
static int quiet(void **state)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    (void)state;
    saved_stderr = dup(STDERR_FILENO);
    return saved_stderr >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0 ? close(nowhere) : -1;
}

static void a_capture_holds_what_the_kernel_counted(void **state)
{
    static const char *const arguments[] = {"-o", OUTPUT, "--counters=4", "--", "sh", "-c", "exit 7", NULL};
    struct diag diag = {.stream = NULL};
    struct host_registers host;
    struct capture capture;
    struct file file;
    size_t counts = 0;

    (void)state;
    memset(&play, 0, sizeof play);
    assert_int_equal(record(arguments), 7);
    assert_false(play.odd);
    assert_true(file_read(&file, OUTPUT, &diag));
    assert_true(capture_read(&capture, OUTPUT, file.data, file.size));
    assert_int_equal(capture.n_problems, 0);
    assert_int_equal(capture.n_streams, 1);
    assert_int_equal(capture.streams[0].cpu.pmu, SL_PMU_LINUX);
    assert_int_equal(capture.n_samples, play.n_leaders);
    assert_int_equal(capture.n_groups, play.n_leaders);
    assert_string_equal(capture.regions[0].label, "sh -c exit 7");
    host_registers_read(&host);
    assert_int_equal(capture.streams[0].file.arch, host.arch);
    assert_int_equal(capture.n_registers, host.n_registers);
    for (size_t s = 0; s < capture.n_samples; s++) {
        const struct capture_sample *sample = &capture.samples[s];
        assert_int_equal(sample->group, s);
        assert_int_equal(sample->sample.enabled, s == 2 ? 0 : 4000);
        assert_int_equal(sample->sample.running, s == 1 ? 1000 : s == 2 ? 0 : 4000);
        for (size_t i = 0; i < sample->sample.n_counts; i++) {
            const struct sl_capture_counter *counter = &capture.groups[s].counters[i];
            counts++;
            assert_int_equal(sample->counts[i].quality, s == 1   ? SL_QUALITY_MULTIPLEXED
                                                        : s == 2 ? SL_QUALITY_UNAVAILABLE
                                                                 : 0);
            if (s != 2 && !(counter->counter & SL_COUNTER_FIXED) && counter->kind == SL_EVENT_NATIVE &&
                counter->event >> 60 == 0)
                assert_int_equal(sample->counts[i].value, counter->event * 1000);
        }
    }
    assert_int_equal(counts, play.n_open);
    capture_free(&capture);
    file_free(&file);
}

static void an_event_that_does_not_exist_is_noted(void **state)
{
    static const char *const arguments[] = {"-o", OUTPUT, "--counters=4", "--", "true", NULL};
    struct diag diag = {.stream = NULL};
    struct capture capture;
    struct file file;

    (void)state;
    memset(&play, 0, sizeof play);
    assert_int_equal(record(arguments), 0);
    assert_true(file_read(&file, OUTPUT, &diag) && capture_read(&capture, OUTPUT, file.data, file.size));
    /* The last programmable counter's event of the first group. */
    play.missing = capture.groups[0].counters[capture.groups[0].group.n_counters - 1].event;
    assert_int_equal(capture.n_notes, 0);
    capture_free(&capture);
    file_free(&file);
    play.n_leaders = 0;
    assert_int_equal(record(arguments), 0);
    assert_true(file_read(&file, OUTPUT, &diag) && capture_read(&capture, OUTPUT, file.data, file.size));
    assert_true(capture.n_notes >= 1);
    assert_int_equal(capture.notes[0].note.code, SL_NOTE_NO_EVENT);
    assert_int_equal(capture.notes[0].note.a, play.missing);
    assert_int_equal(capture.samples[0].counts[capture.samples[0].sample.n_counts - 1].quality, SL_QUALITY_UNAVAILABLE);
    capture_free(&capture);
    file_free(&file);
}

static void without_counters_the_command_does_not_run(void **state)
{
    static const char *const arguments[] = {"-o", OUTPUT, "--", "touch", MARK, NULL};
    static const int errors[] = {ENOENT, EACCES, EPERM, ENOSYS, EINVAL, EMFILE};

    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        memset(&play, 0, sizeof play);
        play.error = errors[i];
        assert_int_equal(record(arguments), 1);
        assert_int_not_equal(access(MARK, F_OK), 0);
        assert_int_not_equal(access(OUTPUT, F_OK), 0);
    }
}

static void without_permission_for_the_kernel_user_code_is_counted(void **state)
{
    static const char *const arguments[] = {"-o", OUTPUT, "--", "touch", MARK, NULL};
    struct diag diag = {.stream = NULL};
    struct capture capture;
    struct file file;

    (void)state;
    memset(&play, 0, sizeof play);
    play.refuse_kernel = true;
    assert_int_equal(record(arguments), 0);
    assert_int_equal(access(MARK, F_OK), 0);
    assert_true(file_read(&file, OUTPUT, &diag) && capture_read(&capture, OUTPUT, file.data, file.size));
    assert_int_equal(capture.groups[0].group.filter, SL_FILTER_NO_KERNEL);
    assert_int_equal(capture.n_notes, 0);
    capture_free(&capture);
    file_free(&file);
    (void)unlink(MARK);
}

/* From the command to the tree: vectors A (Skylake) and B (Neoverse N2) of the method's specification. */
static void what_was_recorded_is_what_topdown_shows(void **state)
{
    static const struct value skylake[] = {{0x3c, 1000000},   {0x019c, 600000}, {0x010e, 2000000},
                                           {0x02c2, 1800000}, {0x010d, 50000},  {0, 0}};
    static const struct value n2[] = {{0x11, 1000000}, {0x3e, 1000000}, {0x3d, 2000000}, {0x3b, 2100000},
                                      {0x3a, 2000000}, {0x10, 10000},   {0, 0}};
    static const char *const lines[2][4] = {
        {"frontend_bound,slots,15.0000,", "bad_speculation,slots,10.0000,", "retiring,slots,45.0000,",
         "backend_bound,slots,30.0000,"},
        {"frontend_bound,slots,19.0000,", "bad_speculation,slots,5.9048,", "retiring,slots,38.0952,",
         "backend_bound,slots,37.0000,"},
    };
    struct host_registers host;
    char text[4096] = "", file[] = OUTPUT, csv[] = "--csv";
    int arm, status, saved = dup(STDOUT_FILENO), out = memfd_create("out", MFD_CLOEXEC);

    (void)state;
    host_registers_read(&host);
    arm = host.arch == SL_ARCH_AARCH64;
    assert_true(arm || host.arch == SL_ARCH_X86_64);
    {
        char core[32];
        const char *const arguments[] = {"-o", OUTPUT, core, "--level=1", "--counters=6", "--", "true", NULL};
        char *show[] = {core, csv, file, NULL};

        snprintf(core, sizeof core, "--core=%s", arm ? "neoverse-n2" : "skylake");
        memset(&play, 0, sizeof play);
        play.values = arm ? n2 : skylake;
        assert_int_equal(record(arguments), 0);
        fflush(stdout);
        assert_true(saved >= 0 && out >= 0 && dup2(out, STDOUT_FILENO) >= 0);
        status = command_topdown("slotledger topdown", 3, show);
        fflush(stdout);
        assert_true(dup2(saved, STDOUT_FILENO) >= 0);
    }
    assert_int_equal(status, 0);
    assert_true(pread(out, text, sizeof text - 1, 0) > 0);
    for (unsigned i = 0; i < 4; i++)
        assert_non_null(strstr(text, lines[arm][i]));
    close(saved);
    close(out);
}

static void bad_command_lines_end_in_an_error(void **state)
{
    static const char *const cases[][ARGUMENTS] = {
        {NULL},
        {"-o", OUTPUT, NULL},
        {"-o", OUTPUT, "--", "/nonexistent/command", NULL},
        {"-o", "/nonexistent/folder/file", "--", "true", NULL},
        {"--core=none", "--", "true", NULL},
        {"--counters=65", "--", "true", NULL},
        {"--bogus", "--", "true", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&play, 0, sizeof play);
        assert_int_equal(record(cases[i]), 1);
        assert_int_not_equal(access(OUTPUT, F_OK), 0);
    }
}

static int clean(void **state)
{
    (void)state;
    (void)unlink(OUTPUT);
    return dup2(saved_stderr, STDERR_FILENO) >= 0 ? close(saved_stderr) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capture_holds_what_the_kernel_counted),
        cmocka_unit_test(an_event_that_does_not_exist_is_noted),
        cmocka_unit_test(without_counters_the_command_does_not_run),
        cmocka_unit_test(without_permission_for_the_kernel_user_code_is_counted),
        cmocka_unit_test(what_was_recorded_is_what_topdown_shows),
        cmocka_unit_test(bad_command_lines_end_in_an_error),
    };

    return cmocka_run_group_tests(tests, quiet, clean);
}
