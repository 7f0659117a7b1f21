/* SPDX-License-Identifier: Apache-2.0 */
/* Names of nodes, domains, qualities and kinds. */
#include <slotledger/slots.h>

struct node {
    const char *name;
    const char *label;
    uint8_t parent;
};

#define ROW(id, above, text, title) {text, title, SL_NODE_##above},
static const struct node nodes[] = {SL_SLOT_NODES(ROW)};

static const struct node *node_at(enum sl_slot_node node)
{
    return &nodes[(unsigned)node < SL_NODES ? node : SL_NODE_TOTAL];
}

const char *sl_slot_node_name(enum sl_slot_node node)
{
    return node_at(node)->name;
}

const char *sl_slot_node_label(enum sl_slot_node node)
{
    return node_at(node)->label;
}

const char *sl_slot_domain_name(enum sl_slot_domain domain)
{
    static const char *const names[SL_DOMAINS] = {"slots", "cycles", "stalls", "count"};
    return (unsigned)domain < SL_DOMAINS ? names[domain] : "none";
}

const char *sl_slot_quality_name(unsigned bit)
{
    static const char *const names[SL_SLOT_QUALITIES] = {
        "clamped",         "adjusted",    "inconsistent", "missing",       "no_denominator",
        "wrapped",         "multiplexed", "split",        "passes_differ", "approximate",
        "below_threshold", "ambiguous",   "rounded",      "parameter",     "interrupted",
        "not_modelled"};
    return bit < SL_SLOT_QUALITIES ? names[bit] : "unknown";
}

const char *sl_slot_kind_name(enum sl_slot_kind kind)
{
    static const char *const names[SL_KINDS] = {"NONE",   "SLOT4",       "SLOT_RESIDUAL", "METRICS8",
                                                "CYCLE3", "RETIRE_ONLY", "DWT_CPI"};
    return (unsigned)kind < SL_KINDS ? names[kind] : "NONE";
}
