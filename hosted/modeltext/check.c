/* SPDX-License-Identifier: Apache-2.0 */
/* What loads but cannot be meant: classes that nothing uses, resources that cannot be reached, groups of nothing. */
#include <string.h>

#include "model_text.h"

/* Vector instructions of RISC-V get classes by vector type: there every class may be one of these. */
static bool by_vector_type(const struct sl_isa *isa)
{
    return isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32;
}

void model_used_classes(const struct model *m, unsigned char *used)
{
    memset(used, by_vector_type(m->isa), m->isa->n_classes);
    for (size_t v = 0; v < m->n_variants; v++) {
        for (unsigned i = 0; i < m->variants[v].n_rules; i++)
            used[m->variants[v].rules[i].sched_class] = 1;
    }
    for (unsigned op = 1; op < m->isa->n_ops; op++) {
        if (!m->ops[op].row)
            used[m->isa->ops[op].sched_class] = 1;
    }
}

static bool check_classes(const struct model *m, const char *file, struct diag *diag)
{
    unsigned char used[SL_VARIANT_OF_CLASS];
    bool ok = true;
    model_used_classes(m, used);
    for (unsigned c = 1; c < m->isa->n_classes; c++) {
        if (m->classes[c].line && !used[c]) {
            model_error(diag, file, m->classes[c].line, "no opcode uses class '%.60s'", model_class_name(m->isa, c));
            ok = false;
        }
    }
    return ok;
}

static bool check_resources(const struct model *m, const char *file, struct diag *diag)
{
    bool used[MODEL_MAX_RESOURCES + 1] = { false }, ok = true;
    for (unsigned i = 0; i < m->isa->n_classes + (unsigned)m->isa->n_ops; i++) {
        const struct model_entry *entry = i < m->isa->n_classes ? &m->classes[i] : &m->ops[i - m->isa->n_classes];
        for (unsigned k = 0; entry->row && k < entry->row->n_res; k++)
            used[entry->row->res[k].resource] = true;
    }
    for (unsigned g = 1; g < m->n_resources; g++) {
        for (unsigned k = 0; used[g] && m->resources[g].is_group && k < m->resources[g].n_units; k++)
            used[m->resources[g].members[k]] = true;
    }
    used[m->load_queue] = used[m->store_queue] = true;
    for (unsigned r = 1; r < m->n_resources; r++) {
        if (!m->resources[r].line || used[r])
            continue;
        model_error(diag, file, m->resources[r].line, "no instruction can use resource '%s'", m->resources[r].name);
        ok = false;
    }
    return ok;
}

bool model_check(const struct model *model, const char *file, struct diag *diag)
{
    bool classes = check_classes(model, file, diag);
    return check_resources(model, file, diag) && classes;
}
