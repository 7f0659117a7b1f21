/* SPDX-License-Identifier: Apache-2.0 */
/* Packed tables of one scheduling model, and the same as text. */
#ifndef MODELGEN_MODEL_TABLES_H
#define MODELGEN_MODEL_TABLES_H

#include <map>
#include <string>
#include <vector>

#include "classes.h"
#include "cpus.h"
#include "idioms.h"
#include "variants.h"

namespace modelgen
{

class ModelTables
{
  public:
    ModelTables(const Target &target, const ModelGroup &group, const OpSpace &ops, ClassSpace &classes);
    void add_variants(const std::vector<Variant> &variants);
    void add_idioms(const std::vector<Idiom> &idioms);
    /* model_<id>.inc and model_<id>.txt. */
    int write(const std::string &gen_dir) const;

  private:
    void add_resources();
    void add_classes();
    void add_register_files();
    unsigned row_of(unsigned llvm_class);
    unsigned add_rules(const std::vector<OperandRule> &rules);
    size_t add_atoms(const std::vector<Atom> &conjunction);
    std::string condition_text(const std::vector<Atom> &conjunction) const;
    std::string atom_item(const Atom &atom);
    std::string atom_text(const Atom &atom) const;
    std::string reg_list_text(const std::vector<uint16_t> &regs) const;
    size_t add_name(const char *name);
    size_t add_set(const std::vector<uint16_t> &regs);
    std::string class_text(unsigned llvm_class) const;
    std::string op_name(uint16_t op) const;

    const Target &target;
    const ModelGroup &group;
    const OpSpace &ops;
    ClassSpace &classes;
    const llvm::MCSchedModel &model;

    std::vector<std::string> names;
    size_t names_size = 0;
    std::vector<std::string> resources, rows, register_files, costs, variants, rules, atoms, imm_sets, idioms;
    std::vector<std::string> write_res, write_lat, read_adv; /* packed entries, pooled */
    std::vector<unsigned> members, class_row;
    std::vector<uint16_t> sets;
    std::map<std::string, unsigned> row_index, rules_index;
    std::map<unsigned, std::vector<unsigned>> row_classes; /* row -> our class numbers, for the text */
    std::map<unsigned, std::string> row_text;
    std::string head_text, variant_text, idiom_text;
};

} // namespace modelgen

#endif
