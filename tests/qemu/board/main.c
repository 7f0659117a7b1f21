/* SPDX-License-Identifier: Apache-2.0 */
/* The board program: finds the counters, counts, takes an overflow interrupt, puts everything back, dumps to the host.
 *
 * What it finds is printed as KEY=VALUE lines, which tests/qemu/configs.txt expects for each board; what must hold on
 * every board is checked here, and the failures are the exit status. */
#include "board.h"

#define SHORT_RUNS 10u
#define SHORT_WORK 1000u
#define LONG_RUNS  3u
#define LONG_WORK  10000u
#define EMPTY_RUNS 8u
#define COST_RUNS  1000u

struct board_core board_cores[BOARD_CORES];

static void number(uint64_t value)
{
    char text[21];
    unsigned at = sizeof text - 1;
    text[at] = '\0';
    do {
        /* 64-bit division is a library call on some cores; ten subtractions of a shifted ten are not. */
        uint64_t quotient = 0, rest = value;
        for (int bit = 60; bit >= 0; bit--) {
            if (rest >> bit >= 10) {
                rest -= UINT64_C(10) << bit;
                quotient |= UINT64_C(1) << bit;
            }
        }
        text[--at] = (char)('0' + (char)rest);
        value = quotient;
    } while (value != 0);
    board_put(&text[at]);
}

static void say(const char *key, uint64_t value)
{
    board_put(key);
    board_put("=");
    number(value);
    board_put("\n");
}

static void check(struct board_core *core, bool ok, const char *what)
{
    if (!ok) {
        core->failures++;
        board_put("FAILED: ");
        board_put(what);
        board_put("\n");
    }
}

static void run(struct sl_port *port, struct sl_region *region, unsigned runs, uint32_t work)
{
    for (unsigned i = 0; i < runs; i++) {
        sl_region_begin(port, region);
        board_work(work);
        sl_region_end(port, region);
    }
}

/* Instructions of the two regions differ by their loops alone. Only with -icount are they exact. */
static bool exact(const struct sl_region *few, const struct sl_region *many, unsigned i)
{
    uint64_t each = UINT64_C(2) * (LONG_WORK - SHORT_WORK);
    return many->sums[i] * SHORT_RUNS == few->sums[i] * LONG_RUNS + each * SHORT_RUNS * LONG_RUNS;
}

/* Cost of an empty region in time, over many. */
static uint64_t cost_ticks(struct sl_port *port, struct sl_region *empty)
{
    uint64_t begin = port->ops->now(port);
    for (unsigned i = 0; i < COST_RUNS; i++) {
        sl_region_begin(port, empty);
        sl_region_end(port, empty);
    }
    return port->ops->now(port) - begin;
}

static void count(struct board_core *core, unsigned index)
{
    struct sl_port_event events[SL_PORT_EVENTS];
    int instructions = -1;
    struct sl_port_group group = {.events = events, .id = 1};
    group.count = (uint8_t)board_events(&core->caps, events, &instructions);
    struct sl_region empty = {0}, few = {.id = 1}, many = {.id = 2}, outer = {.id = 3}, cost = {0};
    struct sl_port *port = &core->port;
    struct sl_capture *c = &core->capture;
    uint64_t before = board_fingerprint(core);
    enum sl_status err = sl_region_open(port, core->ops, &core->caps, &group, 0);
    check(core, err == SL_OK, "the group opens");
    if (err) {
        board_put(sl_port_why_text((enum sl_port_why)port->why));
        board_put("\n");
        return;
    }
    sl_region_calibrate(port, &empty, EMPTY_RUNS);
    run(port, &few, SHORT_RUNS, SHORT_WORK);
    run(port, &many, LONG_RUNS, LONG_WORK);
    sl_region_begin(port, &outer);
    run(port, &few, 0, 0);
    board_work(SHORT_WORK);
    sl_region_end(port, &outer);
    uint64_t ticks = cost_ticks(port, &cost);
    sl_dump_group(c, port);
    (void)sl_capture_region(c, 1, SL_REGION_NONE, 0, "short");
    (void)sl_capture_region(c, 2, SL_REGION_NONE, 0, "long");
    (void)sl_capture_region(c, 3, SL_REGION_NONE, 0, "outer");
    sl_dump_region(c, port, &empty, SL_CAPTURE_CALIBRATION);
    sl_dump_region(c, port, &few, SL_CAPTURE_SAMPLE);
    sl_dump_region(c, port, &many, SL_CAPTURE_SAMPLE);
    sl_dump_region(c, port, &outer, SL_CAPTURE_SAMPLE);
    sl_region_close(port);
    check(core, board_fingerprint(core) == before, "the counters are as they were");
    check(core, few.count == SHORT_RUNS && many.count == LONG_RUNS && outer.count == 1, "every run is counted");
    for (unsigned i = 0; i < group.count; i++) {
        check(core,
              (index != 0 && !BOARD_COUNTS_PER_CORE) || events[i].code == 0 || events[i].fixed ||
                  many.sums[i] * SHORT_RUNS >= few.sums[i] * LONG_RUNS,
              "more work is more of each event");
    }
    if (index != 0) {
        return;
    }
    say("events", group.count);
    for (unsigned i = 0; i < group.count; i++) {
        say("code", events[i].code);
        say("  short", few.sums[i]);
        say("  long", many.sums[i]);
        say("  empty", empty.sums[i]);
    }
    if (instructions >= 0) {
        say("exact", exact(&few, &many, (unsigned)instructions));
    }
    say("quality", (uint64_t)few.quality | many.quality);
    if (core->caps.can & SL_PORT_CAN_TIME) {
        say("cost_ticks", ticks);
        check(core, ticks != 0 || core->caps.time_hz == 0, "time passes");
    }
}

static void overflow(struct board_core *core, unsigned index)
{
    struct sl_port_event event;
    struct sl_port_group group = {.events = &event, .id = 2};
    struct sl_region region = {.id = 4};
    group.count = (uint8_t)board_overflow_event(&core->caps, &event);
    if (group.count == 0) {
        return;
    }
    enum sl_status err = sl_region_open(&core->port, core->ops, &core->caps, &group, 0);
    check(core, err == SL_OK, "the sampling group opens");
    if (err) {
        return;
    }
    sl_region_begin(&core->port, &region);
    uint64_t happened = board_overflow_work();
    sl_region_end(&core->port, &region);
    sl_dump_group(&core->capture, &core->port);
    (void)sl_capture_region(&core->capture, 4, SL_REGION_NONE, 0, "overflow");
    sl_dump_region(&core->capture, &core->port, &region, SL_CAPTURE_SAMPLE);
    sl_region_close(&core->port);
    check(core, core->hits == core->interrupts, "each interrupt had one overflow");
    if (happened != 0) {
        check(core, region.sums[0] == happened, "counts are exact over overflows");
    }
    if (index == 0) {
        say("overflows", core->hits);
        say("overflow_count", region.sums[0]);
    }
}

unsigned board_plan(const struct sl_port_ops *ops, const struct sl_port_caps *caps, struct sl_port_event *events)
{
    static struct sl_topdown_plan plans[BOARD_CORES];
    struct sl_topdown_plan *plan = &plans[caps->affinity % BOARD_CORES];
    for (const struct sl_topdown_model *model = sl_plan_core(ops, caps)->model; model != NULL;
         model = model->fallback) {
        struct sl_topdown_budget budget;
        uint8_t n = 0;
        sl_plan_budget(ops, caps, model, &budget);
        if (sl_topdown_plan(model, &budget, 1, SL_NODE_TOTAL, plan) == SL_OK && plan->n_passes != 0 &&
            sl_plan_events(ops, model, &plan->passes[0], events, &n) == SL_OK) {
            return n;
        }
    }
    return 0;
}

static void measure(struct board_core *core, unsigned index)
{
    struct sl_capture_config config = {.sink = SL_SINK_LINEAR,
                                       .core = (uint16_t)index,
                                       .session = 1,
                                       .mem = core->dump,
                                       .mem_bytes = BOARD_DUMP_BYTES};
    core->probed = sl_port_probe(&core->ops, &core->caps, SL_PORT_GUARD);
    check(core, sl_capture_init(&core->capture, &config) == SL_OK, "the writer starts");
    sl_dump_core(&core->capture, core->ops, &core->caps, core->probed, 0);
    count(core, index);
    if (core->caps.can & SL_PORT_CAN_INTERRUPT) {
        overflow(core, index);
    }
    check(core, sl_capture_finish(&core->capture) == SL_OK, "the capture has room");
}

void board_other(unsigned core)
{
    board_start(core);
    measure(&board_cores[core], core);
    __atomic_store_n(&board_cores[core].done, 1u, __ATOMIC_RELEASE);
}

static bool put_hex(void *context, const void *bytes, uint32_t len_bytes)
{
    (void)context;
    const char *text = bytes;
    char line[2] = {0, 0};
    for (uint32_t i = 0; i < len_bytes; i++) {
        line[0] = text[i];
        board_put(line);
    }
    return true;
}

static void report(const struct board_core *core)
{
    board_put("port=");
    board_put(core->ops->name);
    board_put("\nprobe=");
    board_put(core->probed == SL_OK ? "ok" : core->probed == SL_E_DENIED ? "denied" : "absent");
    board_put("\nwhy=");
    board_put(sl_port_why_text((enum sl_port_why)core->caps.why));
    board_put("\n");
    say("level", core->caps.level);
    say("counters", sl_popcount64(core->caps.counters));
    say("width", core->caps.width);
    say("interrupt", (core->caps.can & SL_PORT_CAN_INTERRUPT) != 0);
    say("stop", (core->caps.can & SL_PORT_CAN_STOP) != 0);
    say("time_hz", core->caps.time_hz);
    say("port_bytes", sizeof core->port);
    say("capture_bytes", sizeof core->capture);
    say("region_bytes", sizeof(struct sl_region));
}

int main(void)
{
    board_start(0);
    unsigned cores = board_start_others();
    measure(&board_cores[0], 0);
    uint32_t failures = board_cores[0].failures;
    report(&board_cores[0]);
    for (unsigned i = 1; i < cores; i++) {
        while (__atomic_load_n(&board_cores[i].done, __ATOMIC_ACQUIRE) == 0) {
        }
        failures += board_cores[i].failures;
        say("core", board_cores[i].caps.affinity);
    }
    say("cores", cores);
    for (unsigned i = 0; i < cores; i++) {
        struct board_core *core = &board_cores[i];
        struct sl_capture_hex hex;
        uint32_t bytes = sl_capture_used_bytes(&core->capture);
        check(core, board_save(core->dump, bytes), "the dump is saved");
        sl_capture_hex_init(&hex, (uint16_t)i, put_hex, NULL);
        check(core, sl_capture_hex_emit(&hex, core->dump, bytes) && sl_capture_hex_flush(&hex), "the dump is printed");
    }
    say("failures", failures);
    board_exit(failures > 100 ? 100 : (int)failures);
}
