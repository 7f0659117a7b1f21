/* SPDX-License-Identifier: Apache-2.0 */
/* A model's tables as C source and as a blob. */
#include <slotledger/model_blob.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model_text.h"

struct c_out {
    FILE *out;
    const char *prefix;
};

/* static const TYPE PREFIX_NAME[] = {...} of structs that hold nothing but words: written by `item`. */
typedef void write_item(FILE *out, const void *item);

static void write_array(const struct c_out *c, const char *type, const char *name, const void *items, size_t n, size_t size,
                        write_item *item)
{
    fprintf(c->out, "static const %s %s_%s[] = {", type, c->prefix, name);
    for (size_t i = 0; i < (n ? n : 1); i++) {
        fputs(i % 8 ? " " : "\n    ", c->out);
        item(c->out, (const unsigned char *)items + i * size); /* of an empty table: the zeros behind it */
        fputc(',', c->out);
    }
    fputs("\n};\n", c->out);
}

static void item_u8(FILE *out, const void *item)
{
    fprintf(out, "%u", *(const uint8_t *)item);
}

static void item_u16(FILE *out, const void *item)
{
    fprintf(out, "%u", *(const uint16_t *)item);
}

static void item_resource(FILE *out, const void *item)
{
    const struct sl_proc_resource *r = item;
    fprintf(out, "{ %u, %d, %u, %u, %u, %u }", r->name, r->buffer_size, r->n_units, r->super, r->is_group, r->members);
}

static void item_row(FILE *out, const void *item)
{
    const struct sl_class_row *r = item;
    fprintf(out, "{ %u, %u, %u, %u, %u, %u, %u, %u }", r->uops, r->n_res, r->n_lat, r->n_adv, r->n_adv_high, r->res, r->lat, r->adv);
}

static void item_write_res(FILE *out, const void *item)
{
    const struct sl_write_res *r = item;
    fprintf(out, "{ %u, %u, %u }", r->resource, r->acquire_cycle, r->release_cycle);
}

static void item_write_lat(FILE *out, const void *item)
{
    const struct sl_write_lat *r = item;
    fprintf(out, "{ %d, %u }", r->cycles, r->write_id);
}

static void item_read_adv(FILE *out, const void *item)
{
    const struct sl_read_adv *r = item;
    fprintf(out, "{ %u, %d, %u }", r->use, r->cycles, r->write_id);
}

static void item_variant(FILE *out, const void *item)
{
    const struct sl_variant *r = item;
    fprintf(out, "{ %u, %u }", r->op, r->rules);
}

static void item_rule(FILE *out, const void *item)
{
    const struct sl_variant_rule *r = item;
    fprintf(out, "{ %u, %u, %u }", r->sched_class, r->atoms, r->n_atoms);
}

static void item_atom(FILE *out, const void *item)
{
    const struct sl_atom *r = item;
    fprintf(out, "{ %u, %u, %u, %u }", r->kind, r->a, r->b, r->set);
}

static void item_imm_set(FILE *out, const void *item)
{
    const struct sl_imm_set *r = item;
    fputs("{ {", out);
    for (unsigned i = 0; i < 8; i++)
        fprintf(out, " 0x%" PRIx32 "u,", r->words[i]);
    fputs(" } }", out);
}

static void item_idiom(FILE *out, const void *item)
{
    const struct sl_idiom *r = item;
    fprintf(out, "{ %u, %u, %u, %u, %u, %u }", r->op, r->kind, r->atoms, r->n_atoms, r->mask_width, r->mask);
}

static void item_file(FILE *out, const void *item)
{
    const struct sl_register_file *r = item;
    fprintf(out, "{ %u, %u, %u, %u, %u, %u }", r->name, r->n_physical, r->max_moves, r->zero_moves_only, r->costs, r->n_costs);
}

static void item_cost(FILE *out, const void *item)
{
    const struct sl_register_cost *r = item;
    fprintf(out, "{ %u, %u, %u }", r->regs, r->cost, r->move_elimination);
}

struct part {
    enum sl_model_section section;
    const char *type, *name;
    const void *items;
    size_t n, size;
    write_item *item;
};

#define N_PARTS ((size_t)SL_MODEL_SECTIONS)

static void parts_of(const struct model_tables *t, struct part *parts)
{
    const struct sl_cpu *cpu = &t->cpu;
    const struct part all[] = {
        { SL_MODEL_NAMES, "char", "names", cpu->names, t->n_names, 1, item_u8 },
        { SL_MODEL_MEMBERS, "uint8_t", "members", cpu->members, t->n_members, 1, item_u8 },
        { SL_MODEL_RESOURCES, "struct sl_proc_resource", "resources", cpu->resources, cpu->n_resources, 8, item_resource },
        { SL_MODEL_CLASS_ROW, "uint16_t", "class_row", cpu->class_row, cpu->n_classes, 2, item_u16 },
        { SL_MODEL_ROWS, "struct sl_class_row", "rows", cpu->rows, t->n_rows, sizeof *cpu->rows, item_row },
        { SL_MODEL_WRITE_RES, "struct sl_write_res", "write_res", cpu->write_res, t->n_write_res, 4, item_write_res },
        { SL_MODEL_WRITE_LAT, "struct sl_write_lat", "write_lat", cpu->write_lat, t->n_write_lat, 4, item_write_lat },
        { SL_MODEL_READ_ADV, "struct sl_read_adv", "read_adv", cpu->read_adv, t->n_read_adv, 4, item_read_adv },
        { SL_MODEL_VARIANTS, "struct sl_variant", "variants", cpu->variants, cpu->n_variants, 4, item_variant },
        { SL_MODEL_RULES, "struct sl_variant_rule", "rules", cpu->rules, t->n_rules, 4, item_rule },
        { SL_MODEL_ATOMS, "struct sl_atom", "atoms", cpu->atoms, t->n_atoms, 4, item_atom },
        { SL_MODEL_IMM_SETS, "struct sl_imm_set", "imm_sets", cpu->imm_sets, t->n_imm_sets, 32, item_imm_set },
        { SL_MODEL_IDIOMS, "struct sl_idiom", "idioms", cpu->idioms, cpu->n_idioms, 8, item_idiom },
        { SL_MODEL_FILES, "struct sl_register_file", "files", cpu->files, cpu->n_files, 8, item_file },
        { SL_MODEL_COSTS, "struct sl_register_cost", "costs", cpu->costs, t->n_costs, 4, item_cost },
        { SL_MODEL_SETS, "uint16_t", "sets", cpu->sets, t->n_sets, 2, item_u16 },
    };
    memcpy(parts, all, sizeof all);
}

void model_write_c(const struct model_tables *t, const char *symbol, FILE *out)
{
    struct c_out c = { out, symbol };
    struct part parts[N_PARTS];
    const struct sl_cpu *cpu = &t->cpu;
    parts_of(t, parts);
    fprintf(out, "/* Scheduling model %s, written by slotledger model compile. */\n#include <slotledger/model.h>\n\n"
            "extern const struct sl_cpu %s;\n", cpu->name, symbol);
    for (size_t i = 0; i < N_PARTS; i++)
        write_array(&c, parts[i].type, parts[i].name, parts[i].items, parts[i].n, parts[i].size, parts[i].item);
    fprintf(out, "const struct sl_cpu %s = {\n    .name = \"%s\",\n    .isa = &sl_isa_%s,\n", symbol, cpu->name, cpu->isa->name);
    for (size_t i = 0; i < N_PARTS; i++)
        fprintf(out, "    .%s = %s_%s,\n", parts[i].name, symbol, parts[i].name);
    fprintf(out, "    .issue_width = %u,\n    .micro_op_buffer_size = %u,\n    .reorder_buffer_size = %u,\n"
            "    .max_retire_per_cycle = %u,\n    .n_variants = %u,\n    .n_idioms = %u,\n    .n_classes = %u,\n"
            "    .n_resources = %u,\n    .load_queue = %u,\n    .store_queue = %u,\n    .n_files = %u,\n};\n",
            cpu->issue_width, cpu->micro_op_buffer_size, cpu->reorder_buffer_size, cpu->max_retire_per_cycle, cpu->n_variants,
            cpu->n_idioms, cpu->n_classes, cpu->n_resources, cpu->load_queue, cpu->store_queue, cpu->n_files);
}

static void put(uint8_t *blob, unsigned word, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        blob[4 * word + i] = (uint8_t)(value >> 8 * i);
}

uint8_t *model_blob(const struct model_tables *t, size_t *len)
{
    const struct sl_cpu *cpu = &t->cpu;
    struct part parts[N_PARTS];
    size_t name_len = strlen(cpu->name) + 1, at = 4u * SL_MODEL_BLOB_HEADER_WORDS, total = at;
    uint8_t *blob;
    parts_of(t, parts);
    for (size_t i = 0; i < N_PARTS; i++)
        total += (parts[i].n * parts[i].size + (i ? 0 : name_len) + 3u) & ~(size_t)3;
    blob = calloc(1, total);
    if (!blob)
        out_of_memory();
    for (size_t i = 0; i < N_PARTS; i++) {
        size_t bytes = parts[i].n * parts[i].size;
        memcpy(blob + at, parts[i].items, bytes);
        if (i == 0) /* the CPU's own name follows the others */
            memcpy(blob + at + bytes, cpu->name, name_len);
        put(blob, 11u + 2u * (unsigned)i, (uint32_t)at);
        put(blob, 12u + 2u * (unsigned)i, (uint32_t)(parts[i].n + (i ? 0 : name_len)));
        at += (bytes + (i ? 0 : name_len) + 3u) & ~(size_t)3;
    }
    put(blob, 0, SL_MODEL_BLOB_MAGIC);
    put(blob, 1, SL_MODEL_BLOB_VERSION);
    put(blob, 2, (uint32_t)total);
    put(blob, 4, sl_model_blob_isa_mark(cpu->isa));
    put(blob, 5, cpu->isa->n_ops | (uint32_t)cpu->n_classes << 16);
    put(blob, 6, cpu->isa->n_regs);
    put(blob, 7, (uint32_t)t->n_names);
    put(blob, 8, cpu->issue_width | (uint32_t)cpu->micro_op_buffer_size << 16);
    put(blob, 9, cpu->reorder_buffer_size | (uint32_t)cpu->max_retire_per_cycle << 16);
    put(blob, 10, cpu->n_resources | (uint32_t)cpu->load_queue << 8 | (uint32_t)cpu->store_queue << 16 | (uint32_t)cpu->n_files << 24);
    put(blob, 3, sl_crc32c(0, blob + 16, total - 16));
    *len = total;
    return blob;
}
