/* SPDX-License-Identifier: Apache-2.0 */
/* YAML nodes with their lines, as the loader asks for them. The first error ends the loading. */
#ifndef HOSTED_MODELTEXT_NODE_H
#define HOSTED_MODELTEXT_NODE_H

#include <yaml.h>

#include "model_text.h"

struct load {
    struct model *m;
    yaml_document_t doc;
    const char *file;
    struct diag *diag;
    struct model_note note; /* of entries that say nothing themselves */
    char **write_names;     /* names of writes but wN, [n_write_names] */
    size_t n_write_names, write_names_capacity;
    uint16_t first_write_id;
    unsigned n_lookups; /* of names: what bounds the time */
};

static inline unsigned node_line(const yaml_node_t *node)
{
    return (unsigned)node->start_mark.line + 1u;
}

bool node_fail(struct load *l, const yaml_node_t *at, const char *format, ...) DIAG_PRINTF(3, 4);
/* Pairs of a mapping; items of a sequence. */
size_t node_count(const yaml_node_t *node);
yaml_node_t *node_key(struct load *l, const yaml_node_t *mapping, size_t i);
yaml_node_t *node_value(struct load *l, const yaml_node_t *mapping, size_t i);
yaml_node_t *node_item(struct load *l, const yaml_node_t *sequence, size_t i);
/* Value of a key, or NULL. */
yaml_node_t *node_get(struct load *l, const yaml_node_t *mapping, const char *key);
const char *node_text(const yaml_node_t *node); /* of a scalar; else NULL */

/* A mapping with no other keys than these, each once. keys ends with NULL. */
bool node_mapping(struct load *l, const yaml_node_t *node, const char *const *keys);
bool node_sequence(struct load *l, const yaml_node_t *node, const char *what);
bool node_scalar(struct load *l, const yaml_node_t *node, const char *what, const char **text);
bool node_number(struct load *l, const yaml_node_t *node, const char *what, long min, long max, long *value);
bool node_bool(struct load *l, const yaml_node_t *node, const char *what, bool *value);
/* The same by key; a key that is not there leaves *value as it is. */
bool get_number(struct load *l, const yaml_node_t *mapping, const char *key, long min, long max, long *value);
bool get_bool(struct load *l, const yaml_node_t *mapping, const char *key, bool *value);
bool text_number(const char *text, size_t len, long min, long max, long *value);

/* false: reported. */
bool find_resource(struct load *l, const yaml_node_t *node, const char *name, uint8_t *index);
bool find_class(struct load *l, const yaml_node_t *node, const char *name, unsigned *sched_class);
bool find_reg_list(struct load *l, const yaml_node_t *node, const uint16_t **list);
bool load_note(struct load *l, const yaml_node_t *mapping, struct model_note *note);

/* load_*.c: each for one section */
bool load_resources(struct load *l, const yaml_node_t *node);
bool load_files(struct load *l, const yaml_node_t *node);
bool load_classes(struct load *l, const yaml_node_t *node);
bool load_variants(struct load *l, const yaml_node_t *node);
bool load_idioms(struct load *l, const yaml_node_t *node);
/* Counts a look-up of a name; false: reported. */
bool look_up(struct load *l, const yaml_node_t *at);
/* Opcodes that an item names, patterns with * and ? too: calls take for each. */
typedef bool take_op(struct load *l, const yaml_node_t *node, unsigned op, void *context);
bool each_op(struct load *l, const yaml_node_t *node, take_op *take, void *context);

#endif
