/* SPDX-License-Identifier: Apache-2.0 */
/* Many regions, functions or files in one process, or shared by several: results in the order of the input, each when it
 * is there; what fails is reported and the rest goes on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../report/json_out.h"
#include "mca_run.h"
#include "quirks.h"

#define MAX_JOBS 256u

/* What became of one region, or of a file that has none because it could not be read. */
struct result {
    char *out, *err;
    size_t out_len, err_len;
    bool ok;
    bool last; /* of its file */
};

/* A result on its way from a worker; the two texts follow. */
struct frame {
    uint64_t out_len, err_len;
    bool ok, last;
};

struct batch {
    const char *program;
    const struct mca_options *options;
    const unsigned *positions;
    const char *const *files;
    size_t n_files;
    FILE *out;
    struct mca_html html;
    bool progress;
    unsigned n_regions, n_failed;
    /* who gets a result: the output, or in a worker the way to it */
    bool (*deliver)(struct batch *batch, struct result *result);
    int pipe;
    /* this process takes every share-th file, or every share-th region of the only file */
    size_t share, mine;
};

bool mca_is_batch(const struct mca_options *options)
{
    return options->batch || options->all_symbols || options->json_lines || options->jobs ||
           (options->symbol && strpbrk(options->symbol, "*?["));
}

bool mca_settle_batch(struct mca_options *options)
{
    if ((options->loops || options->pcs) && !options->symbol && !options->range && !options->raw)
        options->all_symbols = true;
    if (!mca_is_batch(options))
        return false;
    options->json_lines |= options->json;
    return true;
}

static FILE *open_text(char **text, size_t *len)
{
    FILE *memory = open_memstream(text, len);
    if (!memory)
        out_of_memory();
    return memory;
}

/* Without the white space between tokens. */
static void put_compact(FILE *out, const char *json, size_t len)
{
    bool in_text = false;
    for (size_t i = 0; i < len; i++) {
        if (!in_text && (json[i] == ' ' || json[i] == '\n'))
            continue;
        putc(json[i], out);
        if (in_text && json[i] == '\\' && i + 1 < len)
            putc(json[++i], out);
        else if (json[i] == '"')
            in_text = !in_text;
    }
}

/* {"File": ..., "Region": ..., "Report": {...}} on one line. */
static void to_json_line(const char *file, const char *region, struct result *result)
{
    char *line = NULL;
    size_t len = 0;
    FILE *out = open_text(&line, &len);
    fputs("{\"File\":", out);
    json_quote(out, file, strlen(file));
    fputs(",\"Region\":", out);
    json_quote(out, region, strlen(region));
    fputs(result->ok ? ",\"Report\":" : ",\"Error\":", out);
    if (result->ok)
        put_compact(out, result->out, result->out_len);
    else
        json_quote(out, result->err, result->err_len);
    fputs("}\n", out);
    if (fclose(out))
        out_of_memory();
    free(result->out);
    result->out = line;
    result->out_len = len;
}

static bool print_region(struct run *run, const struct block_region *region)
{
    struct mca_report_json_target target;
    bool ok;
    if (!run->options->json)
        return mca_run_region(run, region);
    mca_report_json_begin(&run->json, run->out);
    ok = mca_run_region(run, region);
    target = mca_run_json_target(run);
    mca_report_json_end(&run->json, &target);
    return ok;
}

static bool deliver_region(struct batch *b, struct run *run, const char *file, const struct block_region *region, bool last)
{
    struct result result = { .last = last };
    FILE *err = open_text(&result.err, &result.err_len);
    struct diag diag = { .stream = err };
    bool delivered;
    size_t kept = 0; /* of a region that fails */
    run->out = open_text(&result.out, &result.out_len);
    run->diag = &diag;
    if (b->n_files > 1 && !b->options->json_lines)
        kept = (size_t)fprintf(run->out, "File: %s\n", file);
    if (run->n_reported == 0 && run->input->block.preamble && !b->options->json_lines)
        kept += (size_t)fprintf(run->out, "%s", run->input->block.preamble);
    else
        kept = 0;
    run->quirks = run->input->block.unlocated && block_region_marked(region) ? QUIRK_LOCATION : 0u;
    result.ok = !region->failed && print_region(run, region);
    quirks_note(run->quirks, &diag);
    if (!result.ok || ftell(err) > 0)
        diag_say(&diag, DIAG_NOTE, "%s %s%s%s", result.ok ? "in" : "no report on", *region->name ? region->name : file,
                 *region->name ? " of " : "", *region->name ? file : "");
    if (fclose(run->out) || fclose(err))
        out_of_memory();
    run->diag = NULL; /* gone with this function */
    if (b->options->json_lines)
        to_json_line(file, region->name, &result);
    else if (!result.ok)
        result.out_len = kept;
    delivered = b->deliver(b, &result);
    free(result.out);
    free(result.err);
    return delivered;
}

/* A file that gives nothing. */
static bool deliver_failure(struct batch *b, const char *file, char *err, size_t err_len)
{
    struct result result = { .err = err, .err_len = err_len, .last = true };
    bool delivered;
    if (b->options->json_lines)
        to_json_line(file, "", &result);
    delivered = b->deliver(b, &result);
    free(result.out);
    return delivered;
}

static size_t last_region(const struct block *block)
{
    size_t last = block->n_regions;
    for (size_t i = 0; i < block->n_regions; i++)
        if (block->regions[i].n_members || block->regions[i].failed)
            last = i;
    return last;
}

/* Is the k-th of them this process's? */
static bool is_mine(const struct batch *b, bool by_file, size_t k)
{
    return by_file == (b->n_files > 1) ? k % b->share == b->mine : true;
}

static bool run_regions(struct batch *b, struct run *run, const char *file)
{
    const struct block *block = &run->input->block;
    size_t last = last_region(block), k = 0;
    for (size_t i = 0; i <= last && i < block->n_regions; i++) {
        const struct block_region *region = &block->regions[i];
        if (!region->n_members && !region->failed)
            continue;
        run->n_reported = (unsigned)k;
        if (is_mine(b, false, k++) && !deliver_region(b, run, file, region, i == last))
            return false;
    }
    return true;
}

static bool run_file(struct batch *b, const char *file)
{
    struct mca_options options = *b->options;
    struct mca_input input;
    struct run run = { .options = &options, .input = &input, .html = &b->html };
    char *err_text = NULL;
    size_t err_len = 0;
    FILE *err = open_text(&err_text, &err_len);
    struct diag diag = { .stream = err };
    bool ok, delivered = true;
    options.json = options.json_lines;
    ok = mca_input_read(&input, b->program, &options, file, &diag);
    if (ok && last_region(&input.block) == input.block.n_regions) {
        diag_say(&diag, DIAG_ERROR, "no assembly instructions found.");
        ok = false;
    }
    if (fclose(err))
        out_of_memory();
    if (ok) {
        if (b->n_files > 1 || b->mine == 0)
            fwrite(err_text, 1, err_len, stderr); /* warnings */
        mca_run_settle(&run, b->positions);
        delivered = run_regions(b, &run, file);
    } else if (b->n_files > 1 || b->mine == 0) {
        delivered = deliver_failure(b, file, err_text, err_len);
    }
    free(err_text);
    mca_input_free(&input);
    text_free(&run.notes);
    return delivered;
}

static bool run_mine(struct batch *b)
{
    for (size_t f = 0; f < b->n_files; f++)
        if (is_mine(b, true, f) && !run_file(b, b->files[f]))
            return false;
    return true;
}

/* ---- the end of the way: printing ------------------------------------------------------------------------------ */

static bool print_result(struct batch *b, struct result *result)
{
    if (b->progress)
        fputs("\r\033[K", stderr);
    fwrite(result->err, 1, result->err_len, stderr);
    if (result->out_len && fwrite(result->out, 1, result->out_len, b->out) != result->out_len)
        return false;
    b->n_regions++;
    b->n_failed += !result->ok;
    if (b->progress)
        fprintf(stderr, "%u regions, %u failed", b->n_regions, b->n_failed);
    return true;
}

/* ---- workers --------------------------------------------------------------------------------------------------- */

static bool write_all(int to, const void *data, size_t len)
{
    const char *at = data;
    while (len) {
        ssize_t n = write(to, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static bool read_all(int from, void *data, size_t len)
{
    char *at = data;
    while (len) {
        ssize_t n = read(from, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static bool send_result(struct batch *b, struct result *result)
{
    struct frame frame;
    memset(&frame, 0, sizeof frame);
    frame.out_len = result->out_len;
    frame.err_len = result->err_len;
    frame.ok = result->ok;
    frame.last = result->last;
    return write_all(b->pipe, &frame, sizeof frame) && write_all(b->pipe, result->out, result->out_len) &&
           write_all(b->pipe, result->err, result->err_len);
}

/* false: the worker is gone. */
static bool receive_result(struct batch *b, int from, bool *last)
{
    struct frame frame;
    struct result result = { NULL, NULL, 0, 0, false, false };
    bool ok;
    if (!read_all(from, &frame, sizeof frame))
        return false;
    result.out_len = frame.out_len;
    result.err_len = frame.err_len;
    result.ok = frame.ok;
    *last = frame.last;
    result.out = malloc(result.out_len + 1);
    result.err = malloc(result.err_len + 1);
    if (!result.out || !result.err)
        out_of_memory();
    ok = read_all(from, result.out, result.out_len) && read_all(from, result.err, result.err_len) && print_result(b, &result);
    free(result.out);
    free(result.err);
    return ok;
}

struct worker {
    pid_t pid;
    int from;
};

static bool start_worker(struct batch *b, struct worker *workers, size_t k)
{
    int ends[2];
    if (pipe(ends))
        return false;
    fflush(NULL);
    workers[k].pid = fork();
    if (workers[k].pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    if (workers[k].pid == 0) {
        for (size_t i = 0; i < k; i++)
            close(workers[i].from);
        close(ends[0]);
        b->pipe = ends[1];
        b->deliver = send_result;
        b->mine = k;
        _exit(run_mine(b) ? 0 : 1);
    }
    close(ends[1]);
    workers[k].from = ends[0];
    return true;
}

/* Results in the order of the input: of file f from worker f modulo their number, or of region r of the only file. */
static bool gather(struct batch *b, const struct worker *workers)
{
    for (size_t k = 0; b->n_files == 1 || k < b->n_files; k++) {
        bool last;
        do {
            if (!receive_result(b, workers[k % b->share].from, &last))
                return false;
        } while (b->n_files > 1 && !last);
        if (b->n_files == 1 && last)
            break;
    }
    return true;
}

static bool run_workers(struct batch *b)
{
    struct worker workers[MAX_JOBS];
    size_t n = 0;
    bool ok = true;
    while (n < b->share && (ok = start_worker(b, workers, n)))
        n++;
    ok = ok && gather(b, workers);
    if (!ok)
        fprintf(stderr, "slotledger: a worker process failed: the results end here\n");
    for (size_t k = 0; k < n; k++) {
        close(workers[k].from);
        waitpid(workers[k].pid, NULL, 0);
    }
    return ok;
}

int mca_batch(const char *program, const struct mca_options *options, const unsigned *positions,
              const char *const *files, size_t n_files)
{
    struct batch b = { .program = program, .options = options, .positions = positions, .files = files, .n_files = n_files,
                       .deliver = print_result, .share = options->jobs ? options->jobs : 1 };
    bool to_file = strcmp(options->output, "-") != 0, ok;
    struct diag diag = { .stream = stderr };
    if (b.share > MAX_JOBS) {
        fprintf(stderr, "%s: for the --jobs option: at most %u\n", program, MAX_JOBS);
        return EXIT_FAILURE;
    }
    if (options->html && b.share > 1) {
        fprintf(stderr, "%s: --html and --jobs exclude each other\n", program);
        return EXIT_FAILURE;
    }
    if (!mca_page_open(&b.html, options, files[0], &diag))
        return EXIT_FAILURE;
    b.out = to_file ? fopen(options->output, "w") : stdout;
    if (!b.out) {
        fprintf(stderr, "error: %s\n", strerror(errno));
        return EXIT_FAILURE;
    }
    b.progress = isatty(STDERR_FILENO) && !isatty(fileno(b.out));
    ok = b.share > 1 ? run_workers(&b) : run_mine(&b);
    if (b.progress)
        fputs("\r\033[K", stderr);
    if (b.n_failed)
        fprintf(stderr, "slotledger: %u of %u regions failed\n", b.n_failed, b.n_regions);
    if (ferror(b.out) || fflush(b.out) || (to_file && fclose(b.out))) {
        fprintf(stderr, "error: cannot write the report: %s\n", strerror(errno));
        ok = false;
    }
    ok = mca_page_close(&b.html, options, &diag) && ok;
    return ok && !b.n_failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
