/* SPDX-License-Identifier: Apache-2.0 */
/* --load-latency: levels of memory with cycles and shares. */
#include <string.h>

#include "load_latency.h"

static const char *const names[LOAD_LEVELS] = { "l1", "l2", "l3", "llc", "mem", "remote" };

struct place {
    const char *program, *text, *at;
    struct diag *diag;
};

static bool wrong(const struct place *p, const char *what)
{
    diag_raw_error(p->diag, "%s: for the --load-latency option: at character %zu of '%.80s': %s\n", p->program,
                   (size_t)(p->at - p->text) + 1, p->text, what);
    return false;
}

static bool read_name(struct place *p, struct load_levels *levels)
{
    size_t len = strcspn(p->at, "=:,");
    for (unsigned i = 0; i < LOAD_LEVELS; i++) {
        if (strlen(names[i]) != len || memcmp(names[i], p->at, len) != 0)
            continue;
        for (unsigned k = 0; k < levels->n; k++) {
            if (levels->level[k].name == names[i])
                return wrong(p, "this level occurs twice");
        }
        levels->level[levels->n].name = names[i];
        p->at += len;
        return true;
    }
    return wrong(p, "a level is expected: l1, l2, l3, llc, mem or remote");
}

static bool read_cycles(struct place *p, uint32_t *cycles)
{
    const char *start;
    if (*p->at != '=')
        return wrong(p, "=CYCLES is expected");
    start = ++p->at;
    for (*cycles = 0; *p->at >= '0' && *p->at <= '9' && *cycles <= 32767; p->at++)
        *cycles = *cycles * 10 + (uint32_t)(*p->at - '0');
    if (p->at == start || *cycles == 0 || *cycles > 32767) {
        p->at = start;
        return wrong(p, "cycles from 1 to 32767 are expected");
    }
    return true;
}

/* 0.08 or 1, of at most six digits behind the point. */
static bool read_share(struct place *p, uint32_t *share)
{
    const char *start = ++p->at;
    uint32_t unit = LOAD_SHARE_ALL;
    if (*p->at != '0' && *p->at != '1')
        return wrong(p, "a share from 0 to 1 is expected, such as 0.08");
    *share = *p->at++ == '1' ? unit : 0;
    if (*p->at == '.') {
        p->at++;
        while (*p->at >= '0' && *p->at <= '9') {
            unit /= 10;
            if (unit == 0 && *p->at != '0')
                return wrong(p, "a share has at most six digits behind the point");
            *share += unit * (uint32_t)(*p->at++ - '0');
        }
    }
    if (*share > LOAD_SHARE_ALL) {
        p->at = start;
        return wrong(p, "a share is at most 1");
    }
    return true;
}

bool load_levels_parse(struct load_levels *levels, const char *program, const char *text, struct diag *diag)
{
    struct place p = { program, text, text, diag };
    uint32_t total = 0;
    bool any = false;
    memset(levels, 0, sizeof *levels);
    for (;;) {
        struct load_level *level = &levels->level[levels->n];
        if (!read_name(&p, levels) || !read_cycles(&p, &level->cycles))
            return false;
        if (*p.at == ':') {
            if (!read_share(&p, &level->share))
                return false;
            any = true;
        } else if (any || *p.at == ',') {
            return wrong(&p, ":SHARE is expected: with several levels each has one");
        } else {
            level->share = LOAD_SHARE_ALL;
        }
        total += level->share;
        levels->n++;
        if (*p.at != ',')
            break;
        p.at++;
    }
    if (*p.at)
        return wrong(&p, "a comma or the end is expected");
    return total == LOAD_SHARE_ALL || wrong(&p, total > LOAD_SHARE_ALL ? "the shares add up to more than 1" : "the shares add up to less than 1");
}

unsigned load_levels_next(const struct load_levels *levels, int64_t *credit)
{
    unsigned best = 0;
    for (unsigned i = 0; i < levels->n; i++) {
        credit[i] += levels->level[i].share;
        best = credit[i] > credit[best] ? i : best;
    }
    credit[best] -= LOAD_SHARE_ALL;
    return best;
}
