/* SPDX-License-Identifier: Apache-2.0 */
/* What users call events: architectural names, Linux' generic names, codes, PMU terms. */
#include "counts.h"

#include <ctype.h>
#include <string.h>

#define NAME_ROOM 128u

/* Lower case, '-' and blanks as '_'; false: too long. */
static bool plain_name(char out[NAME_ROOM], const char *name, size_t len)
{
    if (len == 0 || len >= NAME_ROOM)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)name[i];
        out[i] = (char)(c == '-' || c == ' ' ? '_' : tolower(c));
    }
    out[len] = 0;
    return true;
}

static bool same_name(const char *plain, const char *name)
{
    char other[NAME_ROOM];
    return plain_name(other, name, strlen(name)) && !strcmp(plain, other);
}

/* Events in any formula of the model. */
static uint64_t used_events(const struct sl_topdown_model *model)
{
    const struct sl_topdown_row *row;
    uint64_t used = 0;
    for (unsigned i = 0; (row = sl_topdown_row_at(model, i)) != NULL; i++)
        used |= sl_topdown_row_events(row);
    return used;
}

/* Some names stand for different codes on different cores of a family: the model's own go first. */
static bool by_name(const struct sl_topdown_model *model, const char *plain, uint64_t *code)
{
    unsigned found = SL_TOPDOWN_EVENTS;
    for (const struct sl_topdown_model *m = model; m; m = m->fallback) {
        uint64_t used = used_events(m);
        for (unsigned i = 0; i < m->n_events; i++) {
            if (!same_name(plain, sl_topdown_event_name(m, i)))
                continue;
            if (used >> i & 1u) {
                *code = sl_topdown_event_code(m, i);
                return true;
            }
            found = found < SL_TOPDOWN_EVENTS ? found : i;
        }
    }
    if (found == SL_TOPDOWN_EVENTS)
        return false;
    *code = sl_topdown_event_code(model, found);
    return true;
}

/* Other names: Linux' generic events, perf's for Intel's classes, shorter forms of the paper's, TRM names of
 * Cortex-A53. */
static const struct {
    const char *alias;
    const char *name;
} aliases[] = {
    {"totalslots", "TotalSlots"},
    {"cycles", "Clocks"},
    {"clk", "Clocks"},
    {"fetchbubbles[>=threshold]", "FetchBubbles[>=MIW]"},
    {"fetchbubbles[>=#miw]", "FetchBubbles[>=MIW]"},
    {"fetchbubbles[>=w]", "FetchBubbles[>=MIW]"},
    {"brmispred", "BrMispredRetired"},
    {"clears", "MachineClears"},
    {"msslots", "MsSlotsRetired"},
    {"exec=0", "OpsExecuted[=0]"},
    {"exec=1", "OpsExecuted[=1]"},
    {"exec=2", "OpsExecuted[=2]"},
    {"opsexecuted=0", "OpsExecuted[=0]"},
    {"opsexecuted=1", "OpsExecuted[=1]"},
    {"opsexecuted=2", "OpsExecuted[=2]"},
    {"exec[=0]", "OpsExecuted[=0]"},
    {"exec[=1]", "OpsExecuted[=1]"},
    {"exec[=2]", "OpsExecuted[=2]"},
    {"anyload", "MemStalls.AnyLoad"},
    {"l1miss", "MemStalls.L1miss"},
    {"l2miss", "MemStalls.L2miss"},
    {"l3miss", "MemStalls.L3miss"},
    {"stores", "MemStalls.Stores"},
    {"emo[>=1]", "ExtMemOutstanding[>=1]"},
    {"emo[>=t]", "ExtMemOutstanding[>=THRESHOLD]"},
    {"extmemoutstanding[>=t]", "ExtMemOutstanding[>=THRESHOLD]"},
    {"slots", "TOPDOWN.SLOTS"},
    {"topdown.slots_p", "TOPDOWN.SLOTS"},
    {"topdown_retiring", "PERF_METRICS.RETIRING"},
    {"topdown_bad_spec", "PERF_METRICS.BAD_SPECULATION"},
    {"topdown_fe_bound", "PERF_METRICS.FRONTEND_BOUND"},
    {"topdown_be_bound", "PERF_METRICS.BACKEND_BOUND"},
    {"topdown_heavy_ops", "PERF_METRICS.HEAVY_OPERATIONS"},
    {"topdown_br_mispredict", "PERF_METRICS.BRANCH_MISPREDICTS"},
    {"topdown_fetch_lat", "PERF_METRICS.FETCH_LATENCY"},
    {"topdown_mem_bound", "PERF_METRICS.MEMORY_BOUND"},
    {"topdown_fe_bound", "TOPDOWN_FE_BOUND.ALL"},
    {"topdown_be_bound", "TOPDOWN_BE_BOUND.ALL"},
    {"topdown_bad_spec", "TOPDOWN_BAD_SPECULATION.ALL"},
    {"topdown_retiring", "TOPDOWN_RETIRING.ALL"},
    {"idq_bubbles.core", "IDQ_UOPS_NOT_DELIVERED.CORE"},
    {"ic_dep_stall", "STALL_FRONTEND_CACHE"},
    {"iutlb_dep_stall", "STALL_FRONTEND_TLB"},
    {"decode_dep_stall", "STALL_FRONTEND_PDERR"},
    {"other_interlock_stall", "STALL_BACKEND_ILOCK"},
    {"agu_dep_stall", "STALL_BACKEND_ILOCK_AGU"},
    {"simd_dep_stall", "STALL_BACKEND_ILOCK_FPU"},
    {"ld_dep_stall", "STALL_BACKEND_LD"},
    {"st_dep_stall", "STALL_BACKEND_ST"},
    {"stalled_cycles_frontend", "STALL_FRONTEND"},
    {"stalled_cycles_backend", "STALL_BACKEND"},
    {"stalled_cycles_frontend", "SBI_STALLED_CYCLES_FRONTEND"},
    {"stalled_cycles_backend", "SBI_STALLED_CYCLES_BACKEND"},
    {"cyccnt", "DWT_CYCCNT"},
    {"cpicnt", "DWT_CPICNT"},
    {"exccnt", "DWT_EXCCNT"},
    {"sleepcnt", "DWT_SLEEPCNT"},
    {"lsucnt", "DWT_LSUCNT"},
    {"foldcnt", "DWT_FOLDCNT"},
};

static bool by_alias(const struct sl_topdown_model *model, const char *plain, uint64_t *code)
{
    static const char *const cycles[] = {"cycles", "cpu_cycles", "clocks", "cycle", "mcycle"};
    static const char *const instructions[] = {"instructions", "inst_retired", "instret", "minstret"};
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        char name[NAME_ROOM];
        if (!strcmp(aliases[i].alias, plain) && plain_name(name, aliases[i].name, strlen(aliases[i].name)) &&
            by_name(model, name, code))
            return true;
    }
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++) {
        if (!strcmp(cycles[i], plain) && model->cycles < model->n_events) {
            *code = sl_topdown_event_code(model, model->cycles);
            return true;
        }
    }
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        if (!strcmp(instructions[i], plain) && model->instructions < model->n_events) {
            *code = sl_topdown_event_code(model, model->instructions);
            return true;
        }
    }
    return false;
}

/* All of the text is a number of that base. */
static bool number(const char *text, size_t len, unsigned base, uint64_t *value)
{
    *value = 0;
    if (len == 0)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        unsigned digit = isdigit(c) ? (unsigned)c - '0' : isxdigit(c) ? (unsigned)tolower(c) - 'a' + 10u : 16u;
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

/* "9c/01", "a3/14c20", "c3/01c1e1": event and umask with cmask and edge, as Intel's and AMD's manuals abbreviate them.
 */
static bool event_and_umask(const char *plain, size_t len, uint64_t *code)
{
    const char *slash = strchr(plain, '/'), *at;
    uint64_t event, umask, cmask = 0, edge = 0;
    size_t digits;
    if (!slash || slash - plain > 3 || len < (size_t)(slash - plain) + 3 ||
        !number(plain, (size_t)(slash - plain), 16, &event) || !number(slash + 1, 2, 16, &umask))
        return false;
    at = slash + 3;
    if (*at == 'c') {
        digits = strspn(at + 1, "0123456789");
        if (!number(at + 1, digits, 10, &cmask) || cmask > 0xff)
            return false;
        at += 1 + digits;
    }
    if (!strcmp(at, "e1")) {
        edge = 1;
        at += 2;
    }
    *code = (event & 0xf00) << 24 | cmask << 24 | edge << 18 | umask << 8 | (event & 0xff);
    return *at == 0;
}

/* "0x3e", "003e" or perf's "r3e". Linux' numbers for Intel's slots and classes, which the core itself has none for. */
static bool by_code(const struct sl_topdown_model *model, const char *plain, uint64_t *code)
{
    size_t len = strlen(plain);
    bool hex = len > 2 && plain[0] == '0' && plain[1] == 'x';
    bool known = hex ? number(plain + 2, len - 2, 16, code) : plain[0] == 'r' && number(plain + 1, len - 1, 16, code);
    if (!known && !(len >= 4 && number(plain, len, 16, code)) && !event_and_umask(plain, len, code))
        return false;
    if (*code >> 40) /* no architecture has longer ones; larger numbers have meanings of their own inside */
        return false;
    if (model->family == SL_FAMILY_INTEL_METRICS && *code == 0x0400)
        *code = SL_TOPDOWN_FIXED(3);
    else if (model->family == SL_FAMILY_INTEL_METRICS && (*code & 0xf8ffu) == 0x8000u && *code < 0x10000u)
        *code = SL_TOPDOWN_CLASS(*code >> 8 & 7u);
    return true;
}

/* One term of "event=0x9c,umask=1,cmask=4". */
static bool add_term(const char *term, size_t len, uint64_t *code)
{
    static const struct {
        const char *name;
        unsigned shift;
        uint64_t max;
    } terms[] = {
        {"config", 0, 0xffffffffffu}, {"event", 0, 0xffff}, {"umask", 8, 0xff}, {"edge", 18, 1}, {"inv", 23, 1},
        {"cmask", 24, 0xff}};
    const char *equals = memchr(term, '=', len);
    size_t name_len = equals ? (size_t)(equals - term) : len;
    uint64_t value = 1;
    if (equals) {
        const char *text = equals + 1;
        size_t text_len = len - name_len - 1;
        bool hex = text_len > 2 && text[0] == '0' && text[1] == 'x';
        if (!number(text + 2 * hex, text_len - 2 * hex, hex ? 16 : 10, &value))
            return false;
    }
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        if (strlen(terms[i].name) != name_len || memcmp(terms[i].name, term, name_len) || value > terms[i].max)
            continue;
        /* AMD: the event's upper bits are apart; Arm has 16-bit events and no umask. */
        if (!strcmp(terms[i].name, "event") && value > 0xff && value <= 0xfff)
            *code |= (value & 0xf00) << 24 | (value & 0xff);
        else
            *code |= value << terms[i].shift;
        return true;
    }
    return false;
}

/* "PMU/name/" or "PMU/term,term/", perhaps with ":u" behind it. */
static bool by_pmu(const struct sl_topdown_model *model, char *plain, uint64_t *code)
{
    char *inner = strchr(plain, '/'), *end;
    if (!inner)
        return false;
    inner++;
    end = strchr(inner, '/');
    if (!end)
        return false;
    *end = 0;
    if (!strchr(inner, '=')) {
        return by_name(model, inner, code) || by_alias(model, inner, code) || by_code(model, inner, code);
    }
    *code = 0;
    if (model->family == SL_FAMILY_ARM || model->family == SL_FAMILY_TSV110) {
        size_t at = strncmp(inner, "event=0x", 8) ? strncmp(inner, "config=0x", 9) ? 0 : 9 : 8;
        return at && number(inner + at, strlen(inner + at), 16, code) && *code <= 0xffff;
    }
    for (char *term = inner; term < end; term += strlen(term) + 1) {
        char *comma = strchr(term, ',');
        if (comma)
            *comma = 0;
        if (!add_term(term, strlen(term), code))
            return false;
    }
    return true;
}

/* "FetchBubbles[>=4]" is the paper's FetchBubbles[>= machine issue width] only if that is 4. */
static bool all_bubbles(const char *plain, unsigned width)
{
    static const char start[] = "fetchbubbles[>=";
    size_t len = strlen(plain);
    uint64_t count;
    return !strncmp(plain, start, sizeof start - 1) && plain[len - 1] == ']' &&
           number(plain + sizeof start - 1, len - sizeof start, 10, &count) && count == width;
}

bool counts_event_code(const struct sl_topdown_model *model, unsigned width, const char *name, size_t len,
                       uint64_t *code)
{
    char plain[NAME_ROOM] = "";
    char *modifier;
    if (!plain_name(plain, name, len))
        return false;
    if (model->family == SL_FAMILY_PAPER && all_bubbles(plain, width))
        strcpy(plain, "fetchbubbles[>=miw]");
    if (by_name(model, plain, code) || by_alias(model, plain, code) || by_code(model, plain, code))
        return true;
    if (strchr(plain, '/'))
        return by_pmu(model, plain, code);
    modifier = strrchr(plain, ':'); /* perf's ":u" and the like */
    if (!modifier || modifier == plain || strspn(modifier + 1, "ukhgpsdiew") != strlen(modifier + 1))
        return false;
    *modifier = 0;
    return by_name(model, plain, code) || by_alias(model, plain, code) || by_code(model, plain, code);
}
