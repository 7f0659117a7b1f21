/* SPDX-License-Identifier: Apache-2.0 */
/* Call chains: -g's words, and the tree that shares common beginnings. */
#include "c2c_chain.h"

#include <stdlib.h>
#include <string.h>

/* ---- -g ---------------------------------------------------------------------------------------------------------- */

enum part { PART_MODE, PART_ORDER, PART_KEY, PART_VALUE, PART_BRANCH };

struct word {
    const char *name;
    enum part part;
    int value;
};

/* A word may be abbreviated: the first that fits wins. */
static const struct word words[] = {
    {"none", PART_MODE, C2C_CHAIN_NONE},
    {"graph", PART_MODE, C2C_CHAIN_GRAPH},
    {"flat", PART_MODE, C2C_CHAIN_FLAT},
    {"fractal", PART_MODE, C2C_CHAIN_FRACTAL},
    {"folded", PART_MODE, C2C_CHAIN_FOLDED},
    {"caller", PART_ORDER, C2C_CHAIN_CALLER},
    {"callee", PART_ORDER, C2C_CHAIN_CALLEE},
    {"function", PART_KEY, C2C_CHAIN_FUNCTION},
    {"address", PART_KEY, C2C_CHAIN_ADDRESS},
    {"srcline", PART_KEY, C2C_CHAIN_SRCLINE},
    {"branch", PART_BRANCH, 0},
    {"percent", PART_VALUE, C2C_CHAIN_PERCENT},
    {"period", PART_VALUE, C2C_CHAIN_PERIOD},
    {"count", PART_VALUE, C2C_CHAIN_COUNT},
};

static bool set_word(struct c2c_chain_view *view, const char *token, size_t len)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(words[i].name, token, len))
            continue;
        switch (words[i].part) {
        case PART_MODE:
            view->mode = (enum c2c_chain_mode)words[i].value;
            break;
        case PART_ORDER:
            view->order = (enum c2c_chain_order)words[i].value;
            break;
        case PART_KEY:
            view->key = (enum c2c_chain_key)words[i].value;
            break;
        case PART_VALUE:
            view->value = (enum c2c_chain_value)words[i].value;
            break;
        case PART_BRANCH:
            break;
        }
        return true;
    }
    return false;
}

bool c2c_chain_parse(struct c2c_chain_view *view, const char *text)
{
    bool threshold_seen = false;

    for (;;) {
        size_t len;
        char *end;
        text += strspn(text, ",");
        len = strcspn(text, ",");
        if (len == 0)
            return true;
        if (set_word(view, text, len)) {
            if (view->mode == C2C_CHAIN_NONE)
                return true;
        } else if (!threshold_seen) {
            /* The threshold is read and not used: chains are shown whole. */
            (void)strtod(text, &end);
            if (end == text)
                return false;
            threshold_seen = true;
        } else {
            view->print_limit = (uint32_t)strtoul(text, &end, 0);
            if (end == text)
                return false;
        }
        text += len;
    }
}

/* ---- the tree ------------------------------------------------------------------------------------------------------
 */

static int by_address(uintptr_t a_image, uint64_t a, uintptr_t b_image, uint64_t b)
{
    if (a_image != b_image)
        return a_image < b_image ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* < 0: `frame` belongs before `other`, which is where larger ones are. */
static int compare(const struct c2c_chain_view *view, const struct c2c_frame *frame, const struct c2c_frame *other)
{
    if (view->key == C2C_CHAIN_SRCLINE && frame->source && other->source) {
        int order = strcmp(other->source, frame->source);
        return order < 0 ? -1 : order > 0;
    }
    if (view->key != C2C_CHAIN_ADDRESS && frame->symbol && other->symbol)
        return by_address((uintptr_t)other->image, other->symbol_start, (uintptr_t)frame->image, frame->symbol_start);
    return by_address((uintptr_t)other->image, other->ip, (uintptr_t)frame->image, frame->ip);
}

struct insertion {
    struct pool *pool;
    const struct c2c_chain_view *view;
    uint64_t period;
};

static struct c2c_chain_node *new_node(const struct insertion *in, struct c2c_chain_node *parent,
                                       const struct c2c_frame *frames, uint32_t n)
{
    struct c2c_chain_node *node = (struct c2c_chain_node *)pool_take(in->pool, sizeof *node);
    node->frames = (struct c2c_frame *)pool_take(in->pool, n * sizeof *frames);
    memcpy(node->frames, frames, n * sizeof *frames);
    node->n_frames = n;
    node->hit = in->period;
    node->count = 1;
    node->parent = parent;
    return node;
}

/* The node's frames from `at` on become a child of their own. */
static struct c2c_chain_node *split(const struct insertion *in, struct c2c_chain_node *node, uint32_t at)
{
    struct c2c_chain_node *lower = (struct c2c_chain_node *)pool_take(in->pool, sizeof *lower);
    *lower = *node;
    lower->frames = node->frames + at;
    lower->n_frames = node->n_frames - at;
    lower->parent = node;
    lower->next = NULL;
    for (struct c2c_chain_node *child = lower->first_child; child; child = child->next)
        child->parent = lower;
    node->n_frames = at;
    node->first_child = lower;
    node->children_hit = lower->hit + lower->children_hit;
    node->children_count = lower->count + lower->children_count;
    node->hit = 0;
    node->count = 0;
    return lower;
}

static uint32_t common_frames(const struct insertion *in, const struct c2c_chain_node *node,
                              const struct c2c_frame *frames, uint32_t n)
{
    uint32_t same = 0;
    while (same < n && same < node->n_frames && compare(in->view, &frames[same], &node->frames[same]) == 0)
        same++;
    return same;
}

/* A child for all the frames, or the child that begins like them (*found). */
static void enter_child(const struct insertion *in, struct c2c_chain_node *parent, const struct c2c_frame *frames,
                        uint32_t n, struct c2c_chain_node **found)
{
    struct c2c_chain_node **at = &parent->first_child, *child;

    *found = NULL;
    parent->children_hit += in->period;
    parent->children_count++;
    while (*at) {
        int order = compare(in->view, &frames[0], &(*at)->frames[0]);
        if (order == 0) {
            *found = *at;
            return;
        }
        if (order < 0)
            break;
        at = &(*at)->next;
    }
    child = new_node(in, parent, frames, n);
    child->next = *at;
    *at = child;
}

void c2c_chain_add(struct c2c_chain *chain, struct pool *pool, const struct c2c_chain_view *view,
                   const struct c2c_frame *frames, uint32_t n, uint64_t period)
{
    struct insertion in = {pool, view, period};
    struct c2c_chain_node *node = &chain->root, *child;

    if (n == 0)
        return;
    for (;;) {
        uint32_t same;
        enter_child(&in, node, frames, n, &child);
        if (!child)
            return;
        node = child;
        same = common_frames(&in, node, frames, n);
        frames += same;
        n -= same;
        if (same < node->n_frames)
            (void)split(&in, node, same);
        if (n == 0) {
            node->hit += period;
            node->count++;
            return;
        }
    }
}
