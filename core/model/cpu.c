/* SPDX-License-Identifier: Apache-2.0 */
/* One scheduling model as a struct sl_cpu; compiled once per model with -DSL_CPU_ID=<isa>_<model>. */
#include <slotledger/model.h>

#define SL_TEXT_(x)    #x
#define SL_TEXT(x)     SL_TEXT_(x)
#define SL_JOIN_(a, b) a##b
#define SL_JOIN(a, b)  SL_JOIN_(a, b)

/* Spaces would become part of the file name. */
/* clang-format off */
#include SL_TEXT(../gen/SL_JOIN(model_, SL_CPU_ID).inc)
/* clang-format on */

SL_STATIC_ASSERT(sizeof(struct sl_proc_resource) == 8, sl_proc_resource_packed);
SL_STATIC_ASSERT(sizeof(struct sl_class_row) == 12, sl_class_row_packed);
SL_STATIC_ASSERT(sizeof(struct sl_write_res) == 4, sl_write_res_packed);
SL_STATIC_ASSERT(sizeof(struct sl_write_lat) == 4, sl_write_lat_packed);
SL_STATIC_ASSERT(sizeof(struct sl_read_adv) == 4, sl_read_adv_packed);
SL_STATIC_ASSERT(sizeof(struct sl_atom) == 4, sl_atom_packed);
SL_STATIC_ASSERT(sizeof(struct sl_variant_rule) == 4, sl_variant_rule_packed);
SL_STATIC_ASSERT(sizeof(struct sl_variant) == 4, sl_variant_packed);
SL_STATIC_ASSERT(sizeof(struct sl_idiom) == 8, sl_idiom_packed);

extern const struct sl_cpu SL_JOIN(sl_cpu_, SL_CPU_ID);

const struct sl_cpu SL_JOIN(sl_cpu_, SL_CPU_ID) = {
    .name = SL_CPU_NAME,
    .isa = &SL_CPU_ISA,
    .names = names,
    .resources = resources,
    .members = members,
    .class_row = class_row,
    .rows = rows,
    .write_res = write_res,
    .write_lat = write_lat,
    .read_adv = read_adv,
    .variants = variants,
    .rules = rules,
    .atoms = atoms,
    .imm_sets = imm_sets,
    .idioms = idioms,
    .files = files,
    .costs = costs,
    .sets = sets,
    .issue_width = SL_ISSUE_WIDTH,
    .micro_op_buffer_size = SL_MICRO_OP_BUFFER,
    .reorder_buffer_size = SL_REORDER_BUFFER,
    .max_retire_per_cycle = SL_RETIRE_WIDTH,
    .n_variants = SL_N_VARIANTS,
    .n_idioms = SL_N_IDIOMS,
    .n_classes = sizeof class_row / sizeof class_row[0],
    .n_resources = SL_N_RESOURCES,
    .load_queue = SL_LOAD_QUEUE,
    .store_queue = SL_STORE_QUEUE,
    .n_files = SL_N_FILES,
};
