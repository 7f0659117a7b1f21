/* SPDX-License-Identifier: Apache-2.0 */
/* Packing of one scheduling model: resources, class rows, register files, variants, idioms. */
#include "model_tables.h"

#include <slotledger/model.h>

#include "writer.h"

namespace modelgen
{

ModelTables::ModelTables(const Target &which, const ModelGroup &model_group, const OpSpace &op_space,
                         ClassSpace &class_space)
    : target(which), group(model_group), ops(op_space), classes(class_space), model(model_group.sti->getSchedModel())
{
    add_name("");
    sets.push_back(0);
    head_text = strf("model %s\ncpus", group.name.c_str());
    for (const auto &cpu : group.cpus)
        head_text += " " + cpu;
    head_text += strf("\nissue_width %u\nmicro_op_buffer %u\n", model.IssueWidth, model.MicroOpBufferSize);
    add_resources();
    add_register_files();
    add_classes();
}

size_t ModelTables::add_name(const char *name)
{
    const size_t offset = names_size;
    names.push_back(name);
    names_size += names.back().size() + 1;
    return fit("resource names", offset, 0xffff);
}

size_t ModelTables::add_set(const std::vector<uint16_t> &regs)
{
    std::vector<uint16_t> counted(1, static_cast<uint16_t>(regs.size()));
    counted.insert(counted.end(), regs.begin(), regs.end());
    return fit("register sets", pool_list(sets, counted), 0xffff);
}

void ModelTables::add_resources()
{
    resources.push_back("{0,0,0,0,0,0}");
    for (unsigned i = 1; i < model.getNumProcResourceKinds(); i++) {
        const auto &res = *model.getProcResource(i);
        size_t first = 0;
        head_text += strf("resource %s units %u buffer %d", res.Name, res.NumUnits, res.BufferSize);
        if (res.SuperIdx)
            head_text += strf(" super %s", model.getProcResource(res.SuperIdx)->Name);
        if (res.SubUnitsIdxBegin) {
            const std::vector<unsigned> list(res.SubUnitsIdxBegin, res.SubUnitsIdxBegin + res.NumUnits);
            first = pool_list(members, list);
            head_text += " of";
            for (unsigned member : list)
                head_text += std::string(" ") + model.getProcResource(member)->Name;
        }
        head_text += "\n";
        resources.push_back(strf("{%zu,%d,%lu,%u,%d,%lu}", add_name(res.Name), res.BufferSize,
                                 fit("units of a resource", res.NumUnits, 0xff), res.SuperIdx,
                                 res.SubUnitsIdxBegin != nullptr, fit("group members", first, 0xff)));
    }
    fit("resources", resources.size(), 64); /* the simulator's masks have 64 bits */
}

void ModelTables::add_register_files()
{
    if (!model.hasExtraProcessorInfo())
        return;
    const auto &extra = model.getExtraProcessorInfo();
    head_text += strf("reorder_buffer %u\nretire_width %u\n", extra.ReorderBufferSize, extra.MaxRetirePerCycle);
    if (extra.LoadQueueID)
        head_text += strf("load_queue %s\n", model.getProcResource(extra.LoadQueueID)->Name);
    if (extra.StoreQueueID)
        head_text += strf("store_queue %s\n", model.getProcResource(extra.StoreQueueID)->Name);
    for (unsigned i = 0; i < extra.NumRegisterFiles; i++) {
        const auto &file = extra.RegisterFiles[i];
        const size_t first = costs.size();
        if (i == 0) {
            register_files.push_back("{0,0,0,0,0,0}");
            continue;
        }
        head_text += strf("register_file %s size %u max_moves %u%s\n", file.Name, file.NumPhysRegs,
                          file.MaxMovesEliminatedPerCycle, file.AllowZeroMoveEliminationOnly ? " zero_only" : "");
        for (unsigned j = 0; j < file.NumRegisterCostEntries; j++) {
            const auto &cost = extra.RegisterCostTable[file.RegisterCostEntryIdx + j];
            const auto &reg_class = target.mri->getRegClass(cost.RegisterClassID);
            costs.push_back(strf("{%zu,%lu,%d}", add_set(std::vector<uint16_t>(reg_class.begin(), reg_class.end())),
                                 fit("register cost", cost.Cost, 0xff), cost.AllowMoveElimination));
            head_text += strf("  class %s cost %u%s\n", target.mri->getRegClassName(&reg_class), cost.Cost,
                              cost.AllowMoveElimination ? " move" : "");
        }
        register_files.push_back(strf("{%zu,%u,%lu,%d,%lu,%zu}", add_name(file.Name), file.NumPhysRegs,
                                      fit("moves", file.MaxMovesEliminatedPerCycle, 0xff),
                                      file.AllowZeroMoveEliminationOnly, fit("costs", first, 0xff),
                                      costs.size() - first));
    }
}

void ModelTables::add_classes()
{
    for (unsigned llvm_class : classes.to_llvm)
        class_row.push_back(row_of(llvm_class));
}

/* The row of a class. Class 0 and unsupported classes get a row that says so; it is never simulated. */
unsigned ModelTables::row_of(unsigned llvm_class)
{
    const auto &desc = *model.getSchedClassDesc(llvm_class);
    std::vector<std::string> res, lat, adv;
    std::string text;
    unsigned uops = desc.NumMicroOps;
    const bool real = llvm_class != 0 && desc.isValid() && !desc.isVariant();
    if (llvm_class == 0)
        uops = SL_UOPS_INVALID;
    if (real) {
        text = strf("uops %u%s%s%s", uops, desc.BeginGroup ? " begin_group" : "", desc.EndGroup ? " end_group" : "",
                    desc.RetireOOO ? " retire_ooo" : "");
        for (auto *e = group.sti->getWriteProcResBegin(&desc); e != group.sti->getWriteProcResEnd(&desc); e++) {
            res.push_back(strf("{%u,%lu,%u}", e->ProcResourceIdx, fit("acquire cycle", e->AcquireAtCycle, 0xff),
                               e->ReleaseAtCycle));
            text += strf(" %s:%u", model.getProcResource(e->ProcResourceIdx)->Name, e->ReleaseAtCycle);
            if (e->AcquireAtCycle)
                text += strf("@%u", e->AcquireAtCycle);
        }
        for (unsigned k = 0; k < desc.NumWriteLatencyEntries; k++) {
            const auto &e = *group.sti->getWriteLatencyEntry(&desc, k);
            lat.push_back(strf("{%d,%u}", e.Cycles, e.WriteResourceID));
            text += strf(" lat %d", e.Cycles);
            if (e.WriteResourceID)
                text += strf("#%u", e.WriteResourceID);
        }
        for (const auto &e : group.sti->getReadAdvanceEntries(desc)) {
            if (e.Cycles < INT8_MIN || e.Cycles > INT8_MAX)
                overflow("read-advance cycles", static_cast<unsigned long>(e.Cycles));
            adv.push_back(strf("{%lu,%d,%lu}", fit("use index", e.UseIdx, 0xff), e.Cycles,
                               fit("write id", e.WriteResourceID, 0xffff)));
            text += strf(" adv %u:%d", e.UseIdx, e.Cycles);
            if (e.WriteResourceID)
                text += strf("#%u", e.WriteResourceID);
        }
        uops |= (desc.BeginGroup ? SL_ROW_BEGIN_GROUP : 0) | (desc.EndGroup ? SL_ROW_END_GROUP : 0) |
                (desc.RetireOOO ? SL_ROW_RETIRE_OOO : 0);
    }
    const size_t at_res = fit("write resources", pool_list(write_res, res), 0xffff);
    const size_t at_lat = fit("write latencies", pool_list(write_lat, lat), 0xffff);
    const size_t at_adv = fit("read advances", pool_list(read_adv, adv), 0xffff);
    const std::string row =
        strf("{0x%x,%lu,%lu,%lu,%lu,%zu,%zu,%zu}", uops, fit("resources of a class", res.size(), 0xff),
             fit("latencies of a class", lat.size(), 0xff), fit("advances of a class", adv.size(), 0xffff) & 0xff,
             adv.size() >> 8, at_res, at_lat, at_adv);
    auto found = row_index.emplace(row, static_cast<unsigned>(rows.size()));
    if (found.second)
        rows.push_back(row);
    if (real) {
        row_text[found.first->second] = text;
        row_classes[found.first->second].push_back(classes.add(llvm_class));
    }
    return found.first->second;
}

/* Ascending numbers as " 3-7 9". */
static std::string ranges_text(const std::vector<unsigned> &numbers)
{
    std::string text;
    for (size_t i = 0, next; i < numbers.size(); i = next) {
        for (next = i + 1; next < numbers.size() && numbers[next] == numbers[next - 1] + 1;)
            next++;
        text += next - i > 1 ? strf(" %u-%u", numbers[i], numbers[next - 1]) : strf(" %u", numbers[i]);
    }
    return text;
}

std::string ModelTables::class_text(unsigned llvm_class) const
{
    return llvm_class ? model.getSchedClassDesc(llvm_class)->Name : "none";
}

std::string ModelTables::op_name(uint16_t op) const
{
    return target.mcii->getName(ops.to_llvm[op]).str();
}

std::string ModelTables::atom_item(const Atom &atom)
{
    size_t set = 0;
    const unsigned kind = atom.kind & ~SL_ATOM_NOT;
    if (kind == SL_ATOM_REG)
        set = add_set(atom.regs);
    if (kind == SL_ATOM_IMM || kind == SL_ATOM_COUNT || kind == SL_ATOM_BITS) {
        std::string item = "{{";
        for (uint32_t word : atom.imms)
            item += strf("0x%x,", word);
        item += "}}";
        std::vector<std::string> one(1, item);
        set = pool_list(imm_sets, one);
    }
    return strf("{0x%x,%u,%u,%lu}", atom.kind, atom.a, atom.b, fit("sets", set, 0xff));
}

std::string ModelTables::reg_list_text(const std::vector<uint16_t> &regs) const
{
    std::string text;
    for (uint16_t reg : regs)
        text += std::string(text.empty() ? "" : ",") + (reg ? target.mri->getName(reg) : "none");
    return text;
}

std::string ModelTables::atom_text(const Atom &atom) const
{
    const bool negated = atom.kind & SL_ATOM_NOT;
    const char *relation = negated ? "!=" : "==", *in = negated ? " not in " : " in ";
    switch (atom.kind & ~SL_ATOM_NOT) {
    case SL_ATOM_EQ:
        return strf("op%u%sop%u", atom.a, relation, atom.b);
    case SL_ATOM_REG:
        return strf("op%u%s{", atom.a, in) + reg_list_text(atom.regs) + "}";
    case SL_ATOM_IMMZ:
        return strf("op%u%s0", atom.a, relation);
    case SL_ATOM_ANY_IMM:
        return strf("op%u is %s", atom.a, negated ? "symbol" : "number");
    case SL_ATOM_IN_LIST:
        return strf("op%u%slist", atom.a, in);
    case SL_ATOM_FLAG:
        return strf("%sflag 0x%x", negated ? "no " : "", atom.a);
    default:
        break;
    }
    std::string list;
    for (unsigned from = 0; from < 256; from++) {
        unsigned to = from;
        while (to < 256 && (atom.imms[to / 32] >> (to % 32) & 1))
            to++;
        if (to == from)
            continue;
        list += std::string(list.empty() ? "" : ",") + (to - from > 1 ? strf("%u-%u", from, to - 1) : strf("%u", from));
        from = to;
    }
    const bool count = (atom.kind & ~SL_ATOM_NOT) == SL_ATOM_COUNT;
    if ((atom.kind & ~SL_ATOM_NOT) == SL_ATOM_BITS)
        return strf("op%u bits %u up%s{", atom.a, atom.b, in) + list + "}";
    return (count ? strf("operands%s{", in) : strf("op%u%s{", atom.a, in)) + list + "}";
}

size_t ModelTables::add_atoms(const std::vector<Atom> &conjunction)
{
    std::vector<std::string> items;
    for (const auto &atom : conjunction)
        items.push_back(atom_item(atom));
    return fit("atoms", pool_list(atoms, items), 0xff);
}

std::string ModelTables::condition_text(const std::vector<Atom> &conjunction) const
{
    std::string text;
    for (const auto &atom : conjunction)
        text += (text.empty() ? "" : " and ") + atom_text(atom);
    return text;
}

/* A rule list ends with its unconditional rule, so no length is stored. */
unsigned ModelTables::add_rules(const std::vector<OperandRule> &list)
{
    std::vector<std::string> items;
    std::string key;
    for (const auto &rule : list) {
        items.push_back(strf("{%u,%zu,%zu}", classes.add(rule.label), add_atoms(rule.atoms), rule.atoms.size()));
        key += items.back();
    }
    auto found = rules_index.emplace(key, static_cast<unsigned>(rules.size()));
    if (found.second)
        rules.insert(rules.end(), items.begin(), items.end());
    return found.first->second;
}

void ModelTables::add_variants(const std::vector<Variant> &list)
{
    std::map<unsigned, std::string> items; /* by key, as sl_cpu_resolve searches */
    for (const auto &variant : list) {
        const unsigned key = variant.of_class ? SL_VARIANT_OF_CLASS | classes.add(variant.of_class) : variant.op;
        items[key] = strf("{%u,%lu}", key, fit("rules", add_rules(variant.rules), 0xffff));
        variant_text += "variant " + op_name(variant.op);
        variant_text += variant.of_class ? " as " + class_text(variant.of_class) + ":" : ":";
        for (const auto &rule : variant.rules)
            variant_text += rule.atoms.empty()
                                ? " " + class_text(rule.label)
                                : " " + condition_text(rule.atoms) + " -> " + class_text(rule.label) + ";";
        variant_text += "\n";
    }
    for (const auto &item : items)
        variants.push_back(item.second);
}

void ModelTables::add_idioms(const std::vector<Idiom> &list)
{
    for (const auto &idiom : list) {
        const IdiomAnswer &answer = idiom.answer;
        idioms.push_back(strf("{%u,0x%x,%zu,%zu,%u,0x%x}", idiom.op, idiom_kind(answer), add_atoms(idiom.atoms),
                              idiom.atoms.size(), answer.mask_width, answer.mask));
        idiom_text += "idiom " + op_name(idiom.op) + ":";
        idiom_text += idiom_kind(answer) ? "" : " none";
        idiom_text += answer.zero ? " zero" : "";
        idiom_text += answer.breaks && !answer.zero ? " breaks" : "";
        idiom_text += answer.move ? " move" : "";
        if (answer.mask_width > 1 || answer.mask)
            idiom_text += strf(" mask 0x%x/%u", answer.mask, answer.mask_width);
        idiom_text += (idiom.atoms.empty() ? "" : " if ") + condition_text(idiom.atoms) + "\n";
    }
}

int ModelTables::write(const std::string &gen_dir) const
{
    const std::string id = model_id(target, group);
    GenFile file(gen_dir, "model_" + id + ".inc", "Scheduling model of " + group.name + ".");
    const bool has_extra = model.hasExtraProcessorInfo();
    const llvm::MCExtraProcessorInfo none = {};
    const auto &extra = has_extra ? model.getExtraProcessorInfo() : none;
    file.format("#define SL_CPU_NAME \"%s\"\n#define SL_CPU_ISA sl_isa_%s\n", group.name.c_str(), isa_name(target.isa));
    file.format("#define SL_ISSUE_WIDTH %u\n#define SL_MICRO_OP_BUFFER %u\n", model.IssueWidth,
                model.MicroOpBufferSize);
    file.format("#define SL_REORDER_BUFFER %u\n#define SL_RETIRE_WIDTH %u\n", extra.ReorderBufferSize,
                extra.MaxRetirePerCycle);
    file.format("#define SL_LOAD_QUEUE %u\n#define SL_STORE_QUEUE %u\n", extra.LoadQueueID, extra.StoreQueueID);
    file.format("#define SL_N_RESOURCES %zu\n#define SL_N_FILES %zu\n", resources.size(), register_files.size());
    file.format("#define SL_N_VARIANTS %zu\n#define SL_N_IDIOMS %zu\n", variants.size(), idioms.size());
    file.text("static const char names[] =\n");
    for (size_t i = 0; i < names.size(); i++)
        file.format("    \"%s\\0\"%s\n", names[i].c_str(), i + 1 == names.size() ? ";" : "");
    file.array("struct sl_proc_resource", "resources", resources);
    file.numbers("uint8_t", "members", members);
    file.numbers("uint16_t", "class_row", class_row);
    file.array("struct sl_class_row", "rows", rows);
    file.array("struct sl_write_res", "write_res", write_res);
    file.array("struct sl_write_lat", "write_lat", write_lat);
    file.array("struct sl_read_adv", "read_adv", read_adv);
    file.array("struct sl_variant", "variants", variants);
    file.array("struct sl_variant_rule", "rules", rules);
    file.array("struct sl_atom", "atoms", atoms);
    file.array("struct sl_imm_set", "imm_sets", imm_sets, "{{0}}");
    file.array("struct sl_idiom", "idioms", idioms);
    file.array("struct sl_register_file", "files", register_files);
    file.array("struct sl_register_cost", "costs", costs);
    file.numbers("uint16_t", "sets", sets);

    GenFile text(gen_dir, "model_" + id + ".txt",
                 "Scheduling model of " + group.name + "; class numbers as in " + isa_name(target.isa) +
                     "_classes.txt.");
    text.text(head_text);
    for (const auto &row : row_text) {
        text.text("row " + row.second + "\n  classes" + ranges_text(row_classes.at(row.first)) + "\n");
    }
    text.text(variant_text);
    text.text(idiom_text);
    return file.write() | text.write();
}

} // namespace modelgen
