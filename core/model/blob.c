/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a model blob: all that core/mca relies on is checked here, once. */
#include <slotledger/model_blob.h>

#define MAX_RESOURCES 64u /* bits of a mask, one a resource but the placeholder */
#define MAX_FILES 4u      /* with the placeholder */
#define MAX_UNITS 63u

/* A check keeps its own frame: all of them in one would need more than a frame may have. */
#define APART __attribute__((noinline))

struct reader {
    const uint8_t *bytes;
    const struct sl_isa *isa;
    struct sl_cpu *cpu;
    uint32_t n[SL_MODEL_SECTIONS];
};

static const uint8_t entry_bytes[SL_MODEL_SECTIONS] = {
    1, 1, sizeof(struct sl_proc_resource), 2, sizeof(struct sl_class_row), sizeof(struct sl_write_res),
    sizeof(struct sl_write_lat), sizeof(struct sl_read_adv), sizeof(struct sl_variant), sizeof(struct sl_variant_rule),
    sizeof(struct sl_atom), sizeof(struct sl_imm_set), sizeof(struct sl_idiom), sizeof(struct sl_register_file),
    sizeof(struct sl_register_cost), 2
};
SL_STATIC_ASSERT(sizeof(struct sl_register_file) == 8, sl_register_file_packed);
SL_STATIC_ASSERT(sizeof(struct sl_register_cost) == 4, sl_register_cost_packed);
SL_STATIC_ASSERT(sizeof(struct sl_imm_set) == 32, sl_imm_set_packed);

static uint32_t word(const struct reader *r, unsigned i)
{
    return sl_get_u32le(r->bytes + 4u * i);
}

uint32_t sl_model_blob_isa_mark(const struct sl_isa *isa)
{
    uint32_t h = 2166136261u;

    for (uint32_t i = 0; i < isa->n_ops; i++)
        h = ((h ^ isa->ops[i].sched_class) * 16777619u ^ isa->op_rows[isa->ops[i].row].flags) * 16777619u;
    for (const char *c = isa->name; *c != '\0'; c++)
        h = (h ^ (uint8_t)*c) * 16777619u;
    return (h ^ isa->n_regs) * 16777619u ^ isa->n_classes;
}

/* [first, first + n) in [0, total) */
static bool within(uint32_t first, uint32_t n, uint32_t total)
{
    return first <= total && n <= total - first;
}

static APART enum sl_status check_header(struct reader *r, size_t len)
{
    static const union { uint16_t number; uint8_t bytes[2]; } order = { 1 };
    uint32_t end = 4u * SL_MODEL_BLOB_HEADER_WORDS;

    if (((uintptr_t)r->bytes & 3u) != 0 || order.bytes[0] != 1)
        return SL_E_ARGUMENT;
    if (len < end)
        return SL_E_TRUNCATED;
    if (word(r, 0) != SL_MODEL_BLOB_MAGIC)
        return SL_E_DATA;
    if (word(r, 1) != SL_MODEL_BLOB_VERSION)
        return SL_E_UNSUPPORTED;
    if (word(r, 2) > len)
        return SL_E_TRUNCATED;
    if (word(r, 2) < end || word(r, 3) != sl_crc32c(0, r->bytes + 16, word(r, 2) - 16u))
        return SL_E_DATA;
    if (word(r, 4) != sl_model_blob_isa_mark(r->isa) || (word(r, 5) & 0xffffu) != r->isa->n_ops || word(r, 6) != r->isa->n_regs)
        return SL_E_UNSUPPORTED;
    for (unsigned s = 0; s < SL_MODEL_SECTIONS; s++) {
        uint32_t offset = word(r, 11u + 2u * s), n = word(r, 12u + 2u * s);
        if (n > 0x100000u || (offset & 3u) != 0 || offset < end || !within(offset, n * entry_bytes[s], word(r, 2)))
            return SL_E_DATA;
        r->n[s] = n;
    }
    return SL_OK;
}

static const void *section(const struct reader *r, enum sl_model_section s)
{
    return r->bytes + word(r, 11u + 2u * (unsigned)s);
}

static APART void fill(struct reader *r)
{
    struct sl_cpu *cpu = r->cpu;
    const uint32_t w8 = word(r, 8), w9 = word(r, 9), w10 = word(r, 10);

    /* One by one: as one value it would be made on the stack first. */
    *cpu = (struct sl_cpu){ .isa = r->isa };
    cpu->names = section(r, SL_MODEL_NAMES);
    cpu->resources = section(r, SL_MODEL_RESOURCES);
    cpu->members = section(r, SL_MODEL_MEMBERS);
    cpu->class_row = section(r, SL_MODEL_CLASS_ROW);
    cpu->rows = section(r, SL_MODEL_ROWS);
    cpu->write_res = section(r, SL_MODEL_WRITE_RES);
    cpu->write_lat = section(r, SL_MODEL_WRITE_LAT);
    cpu->read_adv = section(r, SL_MODEL_READ_ADV);
    cpu->variants = section(r, SL_MODEL_VARIANTS);
    cpu->rules = section(r, SL_MODEL_RULES);
    cpu->atoms = section(r, SL_MODEL_ATOMS);
    cpu->imm_sets = section(r, SL_MODEL_IMM_SETS);
    cpu->idioms = section(r, SL_MODEL_IDIOMS);
    cpu->files = section(r, SL_MODEL_FILES);
    cpu->costs = section(r, SL_MODEL_COSTS);
    cpu->sets = section(r, SL_MODEL_SETS);
    cpu->issue_width = (uint16_t)w8;
    cpu->micro_op_buffer_size = (uint16_t)(w8 >> 16);
    cpu->reorder_buffer_size = (uint16_t)w9;
    cpu->max_retire_per_cycle = (uint16_t)(w9 >> 16);
    cpu->n_variants = (uint16_t)r->n[SL_MODEL_VARIANTS];
    cpu->n_idioms = (uint16_t)r->n[SL_MODEL_IDIOMS];
    cpu->n_classes = (uint16_t)(word(r, 5) >> 16);
    cpu->n_resources = (uint8_t)w10;
    cpu->load_queue = (uint8_t)(w10 >> 8);
    cpu->store_queue = (uint8_t)(w10 >> 16);
    cpu->n_files = (uint8_t)(w10 >> 24);
}

static APART bool counts_ok(const struct reader *r)
{
    const struct sl_cpu *cpu = r->cpu;
    uint32_t name = word(r, 7);

    if (r->n[SL_MODEL_NAMES] == 0 || name >= r->n[SL_MODEL_NAMES] || cpu->names[r->n[SL_MODEL_NAMES] - 1u] != '\0')
        return false;
    r->cpu->name = cpu->names + name;
    return cpu->issue_width >= 1 && cpu->issue_width <= 255 && cpu->micro_op_buffer_size <= 4096 &&
           cpu->reorder_buffer_size <= 4096 && r->n[SL_MODEL_RESOURCES] == cpu->n_resources && cpu->n_resources >= 1 &&
           cpu->n_resources <= MAX_RESOURCES + 1u && cpu->load_queue < cpu->n_resources && cpu->store_queue < cpu->n_resources &&
           cpu->n_files <= MAX_FILES && r->n[SL_MODEL_FILES] == cpu->n_files && r->n[SL_MODEL_VARIANTS] <= UINT16_MAX &&
           r->n[SL_MODEL_IDIOMS] <= UINT16_MAX && r->n[SL_MODEL_CLASS_ROW] == cpu->n_classes &&
           cpu->n_classes >= r->isa->n_classes && cpu->n_classes <= SL_VARIANT_OF_CLASS;
}

/* A group's members are units; some models name one more than once. */
static bool group_ok(const struct reader *r, const struct sl_proc_resource *group)
{
    if (!within(group->members, group->n_units, r->n[SL_MODEL_MEMBERS]))
        return false;
    for (unsigned k = 0; k < group->n_units; k++) {
        uint8_t m = r->cpu->members[group->members + k];
        if (m == 0 || m >= r->cpu->n_resources || r->cpu->resources[m].is_group)
            return false;
    }
    return true;
}

static APART bool resources_ok(const struct reader *r)
{
    for (unsigned i = 1; i < r->cpu->n_resources; i++) {
        const struct sl_proc_resource *res = &r->cpu->resources[i];
        if (res->name >= r->n[SL_MODEL_NAMES] || res->buffer_size < -1 || res->n_units == 0 || res->super >= r->cpu->n_resources ||
            res->super == i)
            return false;
        if (res->is_group ? !group_ok(r, res) : res->n_units > MAX_UNITS)
            return false;
    }
    return true;
}

/* Each resource once. */
static bool uses_ok(const struct reader *r, const struct sl_class_row *row)
{
    uint32_t seen[MAX_RESOURCES / 32u + 1u] = { 0 };

    for (unsigned i = 0; i < row->n_res; i++) {
        uint8_t m = r->cpu->write_res[row->res + i].resource;
        if (m == 0 || m >= r->cpu->n_resources || sl_bit_test(seen, m))
            return false;
        sl_bit_set(seen, m);
    }
    return true;
}

static APART bool rows_ok(const struct reader *r)
{
    for (uint32_t i = 0; i < r->n[SL_MODEL_ROWS]; i++) {
        const struct sl_class_row *row = &r->cpu->rows[i];
        if (!within(row->res, row->n_res, r->n[SL_MODEL_WRITE_RES]) || !within(row->lat, row->n_lat, r->n[SL_MODEL_WRITE_LAT]) ||
            !within(row->adv, sl_row_n_adv(row), r->n[SL_MODEL_READ_ADV]) || !uses_ok(r, row))
            return false;
    }
    for (uint32_t c = 0; c < r->cpu->n_classes; c++)
        if (r->cpu->class_row[c] >= r->n[SL_MODEL_ROWS])
            return false;
    return true;
}

/* A list in the register sets. */
static bool set_ok(const struct reader *r, uint32_t at)
{
    return at < r->n[SL_MODEL_SETS] && r->cpu->sets[at] < r->n[SL_MODEL_SETS] - at;
}

static APART bool atoms_ok(const struct reader *r)
{
    for (uint32_t i = 0; i < r->n[SL_MODEL_ATOMS]; i++) {
        const struct sl_atom *atom = &r->cpu->atoms[i];
        unsigned kind = atom->kind & ~SL_ATOM_NOT;
        if (kind == SL_ATOM_REG && !set_ok(r, atom->set))
            return false;
        if ((kind == SL_ATOM_IMM || kind == SL_ATOM_COUNT || kind == SL_ATOM_BITS) && atom->set >= r->n[SL_MODEL_IMM_SETS])
            return false;
    }
    return true;
}

/* The search for a rule ends at the latest behind the last one, which has no conditions. */
static APART bool rules_ok(const struct reader *r)
{
    const struct sl_cpu *cpu = r->cpu;
    uint32_t n = r->n[SL_MODEL_RULES];

    if (n > 0 && cpu->rules[n - 1u].n_atoms != 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct sl_variant_rule *rule = &cpu->rules[i];
        if (rule->sched_class >= cpu->n_classes || !within(rule->atoms, rule->n_atoms, r->n[SL_MODEL_ATOMS]) ||
            (sl_cpu_class(cpu, rule->sched_class)->uops & SL_UOPS_MASK) == SL_UOPS_VARIANT)
            return false;
    }
    for (uint32_t i = 0; i < cpu->n_variants; i++)
        if (cpu->variants[i].rules >= n || (i > 0 && cpu->variants[i - 1u].op >= cpu->variants[i].op))
            return false;
    for (uint32_t i = 0; i < cpu->n_idioms; i++) {
        const struct sl_idiom *idiom = &cpu->idioms[i];
        if (!within(idiom->atoms, idiom->n_atoms, r->n[SL_MODEL_ATOMS]) || idiom->mask_width > 16 ||
            (i > 0 && cpu->idioms[i - 1u].op > idiom->op))
            return false;
    }
    return true;
}

static APART bool files_ok(const struct reader *r)
{
    for (uint32_t i = 0; i < r->n[SL_MODEL_COSTS]; i++) {
        const uint16_t *list;
        if (!set_ok(r, r->cpu->costs[i].regs))
            return false;
        list = r->cpu->sets + r->cpu->costs[i].regs;
        if (list[0] > r->isa->n_regs) /* lists may overlap: without this the time would be quadratic */
            return false;
        for (unsigned k = 1; k <= list[0]; k++)
            if (list[k] >= r->isa->n_regs)
                return false;
    }
    for (unsigned f = 0; f < r->cpu->n_files; f++)
        if (r->cpu->files[f].name >= r->n[SL_MODEL_NAMES] ||
            !within(r->cpu->files[f].costs, r->cpu->files[f].n_costs, r->n[SL_MODEL_COSTS]))
            return false;
    return r->n[SL_MODEL_COSTS] <= UINT8_MAX;
}

enum sl_status sl_model_blob_open(struct sl_cpu *cpu, const struct sl_isa *isa, const void *blob, size_t len)
{
    struct reader r = { .bytes = blob, .isa = isa, .cpu = cpu };
    enum sl_status err = check_header(&r, len);

    if (err)
        return err;
    fill(&r);
    return counts_ok(&r) && resources_ok(&r) && rows_ok(&r) && atoms_ok(&r) && rules_ok(&r) && files_ok(&r) ? SL_OK : SL_E_DATA;
}
