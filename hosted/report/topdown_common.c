/* SPDX-License-Identifier: Apache-2.0 */
/* What the Top-Down renderers share. */
#include "topdown_internal.h"

#include <inttypes.h>
#include <string.h>

void topdown_evaluate_all(struct topdown_report *report)
{
    for (size_t i = 0; i < report->n_entries; i++) {
        struct topdown_entry *e = &report->entries[i];
        e->status = sl_topdown_evaluate(&e->result, e->core->model, &e->config, e->counts, e->n_counts);
    }
}

const char *topdown_quality_text(uint32_t quality, char text[TOPDOWN_TEXT_ROOM])
{
    size_t len = 0;
    text[0] = 0;
    for (unsigned bit = 0; bit < SL_SLOT_QUALITIES; bit++) {
        if (!(quality >> bit & 1u))
            continue;
        len += (size_t)snprintf(text + len, TOPDOWN_TEXT_ROOM - len, "%s%s", len ? "+" : "", sl_slot_quality_name(bit));
    }
    return len ? text : "ok";
}

const char *topdown_decimal(uint64_t value, unsigned decimals, char text[TOPDOWN_TEXT_ROOM])
{
    uint64_t scale = 1;
    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    if (decimals)
        snprintf(text, TOPDOWN_TEXT_ROOM, "%" PRIu64 ".%0*" PRIu64, value / scale, (int)decimals, value % scale);
    else
        snprintf(text, TOPDOWN_TEXT_ROOM, "%" PRIu64, value);
    return text;
}

bool topdown_has_value(const struct sl_slot_value *v)
{
    return !(v->quality & SL_SLOT_NO_VALUE);
}

bool topdown_shown(const struct sl_slot_value *v, const struct topdown_options *options)
{
    return options->level == 0 || sl_slot_node_level((enum sl_slot_node)v->node) <= options->level;
}

const char *topdown_kind_text(enum sl_slot_kind kind)
{
    static const char *const texts[SL_KINDS] = {
        "no usable counts",
        "Top-Down level 1, all classes measured",
        "Top-Down level 1, one class is the rest",
        "Top-Down level 1, divided by the core itself",
        "cycles, not slots: no Top-Down level 1",
        "retired share and the rest: no Top-Down level 1",
        "cycles by cause, not slots: no Top-Down level 1",
    };
    return texts[(unsigned)kind < SL_KINDS ? kind : 0];
}

const char *topdown_raw_text(const struct sl_slot_value *v, char text[TOPDOWN_TEXT_ROOM])
{
    char number[TOPDOWN_TEXT_ROOM];
    uint32_t rest;
    uint64_t value = sl_ratio_scale(&v->raw, 1000000, &rest);
    if (!sl_ratio_is_value(&v->raw))
        return "";
    if (value == UINT64_MAX)
        return "huge";
    snprintf(text, TOPDOWN_TEXT_ROOM, "%s%.60s", v->raw.negative ? "-" : "",
             topdown_decimal(value + (rest >> 31), 4, number));
    return text;
}

unsigned topdown_find(const struct sl_slot_tree *tree, uint8_t node, uint8_t domain)
{
    for (unsigned i = 0; i < tree->n_values; i++) {
        if (tree->values[i].node == node && tree->values[i].domain == domain)
            return i;
    }
    return tree->n_values;
}
