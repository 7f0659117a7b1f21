/* SPDX-License-Identifier: Apache-2.0 */
/* Resources that are used along with others: a use of a unit is one of every group that holds it and of what it is a part
 * of (simulator specification 1.3). */
#include <string.h>

#include "model_text.h"

/* Does group `whole` hold all that `part` is? */
bool model_includes(const struct model *model, unsigned whole, unsigned part)
{
    const struct model_resource *w = &model->resources[whole], *p = &model->resources[part];
    if (!w->is_group || whole == part)
        return false;
    for (unsigned i = 0; i < (p->is_group ? p->n_units : 1u); i++) {
        unsigned member = p->is_group ? p->members[i] : part;
        if (!memchr(w->members, (int)member, w->n_units))
            return false;
    }
    return true;
}

struct sums {
    uint32_t cycles[MODEL_MAX_RESOURCES + 1];
    uint8_t acquire[MODEL_MAX_RESOURCES + 1];
    bool used[MODEL_MAX_RESOURCES + 1];
};

static void add(struct sums *s, unsigned r, uint32_t cycles, uint8_t acquire)
{
    s->cycles[r] += cycles;
    s->acquire[r] = acquire > s->acquire[r] ? acquire : s->acquire[r];
    s->used[r] = true;
}

/* Calls add for the resource, what it is a part of, and every group around these. */
static void add_all(const struct model *model, struct sums *s, unsigned r, uint32_t cycles, uint8_t acquire)
{
    unsigned at = r, steps = 0;
    add(s, r, cycles, acquire);
    while (model->resources[at].super != 0 && steps++ < MODEL_MAX_RESOURCES) {
        at = model->resources[at].super;
        add(s, at, cycles, acquire);
    }
    for (unsigned g = 1; g < model->n_resources; g++) {
        if (model_includes(model, g, r))
            add(s, g, cycles, acquire);
    }
}

unsigned model_expand(const struct model *model, const struct sl_write_res *given, unsigned n, struct sl_write_res *out)
{
    struct sums s;
    unsigned count = 0;
    memset(&s, 0, sizeof s);
    for (unsigned i = 0; i < n; i++)
        add_all(model, &s, given[i].resource, given[i].release_cycle, given[i].acquire_cycle);
    for (unsigned r = 1; r < model->n_resources; r++) {
        if (s.used[r])
            out[count++] = (struct sl_write_res){ (uint8_t)r, s.acquire[r],
                                                  (uint16_t)(s.cycles[r] < UINT16_MAX ? s.cycles[r] : UINT16_MAX) };
    }
    return count;
}

static unsigned members(const struct model *model, unsigned r)
{
    return model->resources[r].is_group ? model->resources[r].n_units : 0;
}

unsigned model_unexpand(const struct model *model, const struct sl_write_res *list, unsigned n, struct sl_write_res *out)
{
    int32_t left[MODEL_MAX_RESOURCES + 1] = { 0 };
    struct sl_write_res order[UINT8_MAX], again[MODEL_MAX_RESOURCES + 1];
    unsigned count = 0;
    if (n > MODEL_MAX_RESOURCES)
        return 0;
    for (unsigned i = 0; i < n; i++) { /* small ones first, of equal ones parts of others first */
        unsigned at = i;
        for (; at > 0; at--) {
            const struct sl_write_res *before = &order[at - 1];
            unsigned a = members(model, before->resource), b = members(model, list[i].resource);
            bool part = model->resources[list[i].resource].super == before->resource;
            if (a < b || (a == b && !part))
                break;
            order[at] = *before;
        }
        order[at] = list[i];
        left[list[i].resource] = list[i].release_cycle;
    }
    for (unsigned i = 0; i < n; i++) {
        struct sl_write_res e = order[i];
        struct sums s;
        if (left[e.resource] <= 0)
            continue;
        memset(&s, 0, sizeof s);
        e.release_cycle = (uint16_t)left[e.resource];
        add_all(model, &s, e.resource, e.release_cycle, e.acquire_cycle);
        for (unsigned r = 1; r < model->n_resources; r++)
            left[r] -= (int32_t)s.cycles[r];
        out[count++] = e;
    }
    if (model_expand(model, out, count, again) != n)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (memcmp(&again[i], &list[i], sizeof list[i]) != 0)
            return 0;
    }
    return count;
}
