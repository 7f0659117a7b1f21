/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas as data: postfix byte strings over exact ratios.
 *
 * A byte below 64 pushes that event of the model's, one below 192 the value of node (byte - 64) in the tree, which must come
 * earlier; the rest are the operations below. All formulas are of degree 0 in the counts of a pass, so that ratios of
 * different passes can be combined. */
#ifndef CORE_TOPDOWN_FORMULA_H
#define CORE_TOPDOWN_FORMULA_H

#include <slotledger/topdown.h>

enum formula_op {
    F_NODE = 64,
    F_WIDTH = 192, /* issue slots per cycle */
    F_PENALTY,     /* cycles of a misprediction */
    F_CONST,       /* the byte that follows */
    F_ADD,
    F_SUB,
    F_MUL,
    F_DIV,
    F_OPT,         /* the event that follows, or 0 if it was not counted */
    F_ALT,         /* E N: event E if it was counted, and N bytes are skipped; planning counts what the N bytes need */
    F_OR,          /* the same, but planning counts E */
    F_END = 255
};

#define NODE(node)   ((int)F_NODE + (int)SL_NODE_##node)
#define K(number)    F_CONST, number
#define ONE          F_CONST, 1
#define FORMULA(...) ((const uint8_t[]){ __VA_ARGS__, F_END })
#define ROWS(array)  { array, sizeof(array) / sizeof((array)[0]) }

#define SLOTS_MEMBER(node, ...)   { SL_NODE_##node, SL_DOMAIN_SLOTS, SL_PART_MEMBER, 0, FORMULA(__VA_ARGS__) }
#define SLOTS_REST(node)          { SL_NODE_##node, SL_DOMAIN_SLOTS, SL_PART_REST, 0, NULL }
#define SLOTS_OVERLAP(node, ...)  { SL_NODE_##node, SL_DOMAIN_SLOTS, SL_PART_OVERLAP, 0, FORMULA(__VA_ARGS__) }
#define CYCLES_MEMBER(node, ...)  { SL_NODE_##node, SL_DOMAIN_CYCLES, SL_PART_MEMBER, 0, FORMULA(__VA_ARGS__) }
#define CYCLES_REST(node)         { SL_NODE_##node, SL_DOMAIN_CYCLES, SL_PART_REST, 0, NULL }
#define CYCLES_OVERLAP(node, ...) { SL_NODE_##node, SL_DOMAIN_CYCLES, SL_PART_OVERLAP, 0, FORMULA(__VA_ARGS__) }
#define STALLS_MEMBER(node, ...)  { SL_NODE_##node, SL_DOMAIN_STALLS, SL_PART_MEMBER, 0, FORMULA(__VA_ARGS__) }
#define STALLS_REST(node)         { SL_NODE_##node, SL_DOMAIN_STALLS, SL_PART_REST, 0, NULL }
#define STALLS_OVERLAP(node, ...) { SL_NODE_##node, SL_DOMAIN_STALLS, SL_PART_OVERLAP, 0, FORMULA(__VA_ARGS__) }
#define COUNT(node, ...)          { SL_NODE_##node, SL_DOMAIN_COUNT, SL_PART_OVERLAP, 0, FORMULA(__VA_ARGS__) }
/* The core's events only approximate the node. */
#define ABOUT_MEMBER(node, domain, ...) \
    { SL_NODE_##node, SL_DOMAIN_##domain, SL_PART_MEMBER, SL_TOPDOWN_ROW_APPROXIMATE, FORMULA(__VA_ARGS__) }
#define ABOUT_REST(node, domain) { SL_NODE_##node, SL_DOMAIN_##domain, SL_PART_REST, SL_TOPDOWN_ROW_APPROXIMATE, NULL }

/* One step of a formula: an operation with its operands taken apart. */
struct formula_step {
    uint8_t op;    /* enum formula_op; events are F_OPT - like: see `event` */
    uint8_t event; /* of an event push, F_OPT, F_ALT and F_OR; else SL_TOPDOWN_EVENTS */
    uint8_t byte;  /* F_CONST: the number; F_ALT, F_OR: bytes to skip; F_NODE: the node */
};
#define F_EVENT 0u /* formula_step.op of an event push */

/* Reads the step at *at and moves on; false at the end. */
static inline bool formula_next(const uint8_t **at, struct formula_step *step)
{
    uint8_t byte = *(*at)++;
    step->op = byte;
    step->event = SL_TOPDOWN_EVENTS;
    step->byte = 0;
    if (byte < F_NODE) {
        step->op = F_EVENT;
        step->event = byte;
    } else if (byte < F_WIDTH) {
        step->op = F_NODE;
        step->byte = (uint8_t)(byte - F_NODE);
    } else if (byte == F_CONST) {
        step->byte = *(*at)++;
    } else if (byte == F_OPT || byte == F_ALT || byte == F_OR) {
        step->event = *(*at)++;
        if (byte != F_OPT)
            step->byte = *(*at)++;
    }
    return byte != F_END;
}

SL_STATIC_ASSERT((int)SL_NODES <= (int)F_WIDTH - (int)F_NODE, nodes_fit_formulas);

#endif
