/* SPDX-License-Identifier: Apache-2.0 */
/* Target triples and processor names. */
#include "target.h"

#include <string.h>

#include "stand_in.h"

#if defined(__aarch64__)
#define HOST_TRIPLE "aarch64-unknown-linux-gnu"
#else
#define HOST_TRIPLE "x86_64-pc-linux-gnu"
#endif

struct arch_name {
    const char *name;
    const struct sl_isa *isa;
};

/* First components of triples. */
static const struct arch_name triple_archs[] = {
    { "x86_64", &sl_isa_x86_64 },   { "amd64", &sl_isa_x86_64 },  { "x86_64h", &sl_isa_x86_64 },
    { "aarch64", &sl_isa_aarch64 }, { "arm64", &sl_isa_aarch64 }, { "arm64e", &sl_isa_aarch64 },
    { "riscv64", &sl_isa_riscv64 }, { "riscv32", &sl_isa_riscv32 },
};

/* LLVM's target names, as -march takes them. */
static const struct arch_name march_names[] = {
    { "x86-64", &sl_isa_x86_64 },
    { "x86_64", &sl_isa_x86_64 },
    { "aarch64", &sl_isa_aarch64 },
    { "arm64", &sl_isa_aarch64 },
    { "riscv64", &sl_isa_riscv64 },
    { "riscv32", &sl_isa_riscv32 },
    { "arm", &sl_isa_arm },
    { "thumb", &sl_isa_thumb },
};

/* Names that LLVM 19 knows although it has no scheduling model for them. */
static const char *const x86_64_without_model[] = {
    "amdfam10", "athlon", "athlon-4", "athlon-fx", "athlon-mp", "athlon-tbird", "athlon-xp", "athlon64",
    "athlon64-sse3", "barcelona", "bdver3", "bdver4", "btver1", "c3", "c3-2", "geode", "i386", "i486", "i586",
    "i686", "k6", "k6-2", "k6-3", "k8", "k8-sse3", "lakemont", "nocona", "opteron", "opteron-sse3", "pentium",
    "pentium-m", "pentium-mmx", "pentium2", "pentium3", "pentium3m", "pentium4", "pentium4m", "pentium_4",
    "pentium_4_sse3", "pentium_ii", "pentium_iii", "pentium_iii_no_xmm_regs", "pentium_m", "pentium_mmx",
    "pentium_pro", "pentiumpro", "prescott", "winchip-c6", "winchip2",
};
static const char *const aarch64_without_model[] = { "carmel" };
static const char *const riscv_without_model[] = { "generic", "generic-rv32", "generic-rv64", "spacemit-x60",
                                                   "veyron-v1" };
/* They have a model, but are neither RV64 nor RV32 to LLVM. */
static const char *const riscv_without_width[] = { "rocket", "sifive-7-series" };

static const char *const arm_without_model[] = {
    "arm1020e", "arm1020t", "arm1022e", "arm10e", "arm10tdmi", "arm1136j-s", "arm1136jf-s", "arm1156t2-s",
    "arm1156t2f-s", "arm1176jz-s", "arm1176jzf-s", "arm710t", "arm720t", "arm7tdmi", "arm7tdmi-s", "arm8", "arm810",
    "arm9", "arm920", "arm920t", "arm922t", "arm926ej-s", "arm940t", "arm946e-s", "arm966e-s", "arm968e-s", "arm9e",
    "arm9tdmi", "cortex-a32", "cortex-a35", "cortex-a5", "cortex-a53", "cortex-a55", "cortex-a7", "cortex-a710",
    "cortex-a73", "cortex-a75", "cortex-a76", "cortex-a76ae", "cortex-a77", "cortex-a78", "cortex-a78ae",
    "cortex-a78c", "cortex-a8", "cortex-m0", "cortex-m0plus", "cortex-m1", "cortex-m23", "cortex-r4", "cortex-r4f",
    "cortex-r5", "cortex-r7", "cortex-r8", "cortex-x1", "cortex-x1c", "ep9312", "exynos-m3", "exynos-m4", "exynos-m5",
    "generic", "iwmmxt", "kryo", "mpcore", "mpcorenovfp", "neoverse-n1", "neoverse-n2", "neoverse-v1", "sc000",
    "strongarm", "strongarm110", "strongarm1100", "strongarm1110", "xscale",
};
/* ... but an itinerary, which llvm-mca cannot use. */
static const char *const arm_itineraries[] = {
    "arm1136j-s", "arm1136jf-s", "arm1156t2-s", "arm1156t2f-s", "arm1176jz-s", "arm1176jzf-s", "cortex-a5", "cortex-a7",
    "cortex-a8", "cortex-m0", "cortex-m0plus", "cortex-m1", "cortex-r4", "cortex-r4f", "cortex-r5", "cortex-r7",
    "cortex-r8", "generic", "mpcore", "mpcorenovfp", "sc000",
};

bool target_is_arm(const struct sl_isa *isa)
{
    return isa == &sl_isa_arm || isa == &sl_isa_thumb || isa == &sl_isa_thumbm;
}

/* "arm", "armv7a", "thumbv8.1m.main" and their like, little-endian. */
static const struct sl_isa *find_arm_arch(const char *name, size_t len)
{
    static const char *const versions[] = {
        "", "v4", "v4t", "v5", "v5t", "v5te", "v5tej", "v5e", "v6", "v6k", "v6t2", "v6kz", "v6z", "v6zk", "v6hl", "v6m",
        "v6-m", "v6sm", "v6s-m", "v7", "v7a", "v7-a", "v7ve", "v7hl", "v7l", "v7r", "v7-r", "v7m", "v7-m", "v7em",
        "v7e-m", "v7k", "v7s", "v8", "v8a", "v8-a", "v8l", "v8.1a", "v8.2a", "v8.3a", "v8.4a", "v8.5a", "v8.6a",
        "v8.7a", "v8.8a", "v8.9a", "v9", "v9a", "v9.1a", "v9.2a", "v9.3a", "v9.4a", "v9.5a", "v8r", "v8-r",
        "v8m.base", "v8-m.base", "v8m.main", "v8-m.main", "v8.1m.main", "v8.1-m.main",
    };
    bool thumb = len >= 5 && !memcmp(name, "thumb", 5);
    size_t skip = thumb ? 5 : 3;
    if (!thumb && (len < 3 || memcmp(name, "arm", 3) != 0))
        return NULL;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        if (strlen(versions[i]) == len - skip && !memcmp(versions[i], name + skip, len - skip))
            return thumb ? &sl_isa_thumb : &sl_isa_arm;
    }
    return NULL;
}

static const struct sl_isa *find_arch(const struct arch_name *names, size_t n, const char *name, size_t len)
{
    for (size_t i = 0; i < n; i++) {
        if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len))
            return names[i].isa;
    }
    return NULL;
}

const struct sl_isa *target_isa_by_name(const char *name)
{
    const struct sl_isa *isa = find_arch(march_names, sizeof march_names / sizeof march_names[0], name, strlen(name));
    if (!isa && !strcmp(name, sl_isa_thumbm.name))
        return &sl_isa_thumbm;
    return isa ? isa : find_arch(triple_archs, sizeof triple_archs / sizeof triple_archs[0], name, strlen(name));
}

/* The triple with its architecture replaced; LLVM writes at least three components then. */
static const char *replace_arch(struct pool *pool, const char *arch, const char *triple)
{
    struct text text = { 0 };
    unsigned dashes = 0;
    const char *result;
    text_printf(&text, "%s%s", arch, triple + strcspn(triple, "-"));
    for (size_t i = 0; i < text.len; i++)
        dashes += text.data[i] == '-';
    for (; dashes < 2; dashes++)
        text_add(&text, "-", 1);
    result = pool_text(pool, text.data, text.len);
    text_free(&text);
    return result;
}

bool target_find(struct target *target, const char *program, const char *triple, const char *march, struct pool *pool,
                 struct diag *diag)
{
    size_t arch_len;
    target->triple = triple && *triple ? triple : HOST_TRIPLE;
    if (march && *march) {
        target->isa = find_arch(march_names, sizeof march_names / sizeof march_names[0], march, strlen(march));
        if (!target->isa) {
            diag_raw_error(diag, "%s: invalid target '%s'.\n", program, march);
            return false;
        }
        target->triple = replace_arch(pool, target->isa->name, target->triple);
    } else {
        target->isa = find_arch(triple_archs, sizeof triple_archs / sizeof triple_archs[0], target->triple,
                                strcspn(target->triple, "-"));
        if (!target->isa)
            target->isa = find_arm_arch(target->triple, strcspn(target->triple, "-"));
        if (!target->isa) {
            diag_raw_error(diag, "%s: unable to get target for '%s', see --version and --triple.\n", program,
                           target->triple);
            return false;
        }
    }
    arch_len = strcspn(target->triple, "-");
    target->march = pool_text(pool, target->triple, arch_len);
    return true;
}

void target_of_isa(struct target *target, const struct sl_isa *isa)
{
    target->isa = isa;
    target->march = isa->name;
    if (isa == &sl_isa_x86_64)
        target->triple = "x86_64-pc-linux-gnu";
    else if (target_is_arm(isa))
        target->triple = isa == &sl_isa_arm ? "armv8-unknown-linux-gnueabihf" : "thumbv8-unknown-linux-gnueabihf";
    else if (isa == &sl_isa_riscv64)
        target->triple = "riscv64-unknown-linux-gnu";
    else
        target->triple = isa == &sl_isa_riscv32 ? "riscv32-unknown-linux-gnu" : "aarch64-unknown-linux-gnu";
}

struct cpu_table {
    const struct sl_cpu_name *names;
    size_t n;
    const char *const *without_model;
    size_t n_without;
};

static struct cpu_table cpu_table(const struct sl_isa *isa)
{
    struct cpu_table table;
    if (isa == &sl_isa_x86_64) {
        table = (struct cpu_table){ sl_cpus_x86_64, sl_n_cpus_x86_64, x86_64_without_model,
                                    sizeof x86_64_without_model / sizeof x86_64_without_model[0] };
    } else if (isa == &sl_isa_riscv64) {
        table = (struct cpu_table){ sl_cpus_riscv64, sl_n_cpus_riscv64, riscv_without_model,
                                    sizeof riscv_without_model / sizeof riscv_without_model[0] };
    } else if (isa == &sl_isa_riscv32) {
        table = (struct cpu_table){ sl_cpus_riscv32, sl_n_cpus_riscv32, riscv_without_model,
                                    sizeof riscv_without_model / sizeof riscv_without_model[0] };
    } else if (target_is_arm(isa)) {
        table = (struct cpu_table){ sl_cpus_arm, sl_n_cpus_arm, arm_without_model,
                                    sizeof arm_without_model / sizeof arm_without_model[0] };
    } else {
        table = (struct cpu_table){ sl_cpus_aarch64, sl_n_cpus_aarch64, aarch64_without_model,
                                    sizeof aarch64_without_model / sizeof aarch64_without_model[0] };
    }
    return table;
}

static const struct sl_cpu_name *find_cpu(const struct cpu_table *table, const char *name)
{
    size_t low = 0, high = table->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, table->names[middle].name);
        if (!order)
            return &table->names[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* A RISC-V processor of the other register width, at which llvm-mca stops. */
static bool wrong_width(const struct sl_isa *isa, const char *name)
{
    bool is_64 = isa == &sl_isa_riscv64;
    struct cpu_table other;
    if (!is_64 && isa != &sl_isa_riscv32)
        return false;
    for (size_t i = 0; i < sizeof riscv_without_width / sizeof riscv_without_width[0]; i++) {
        if (!strcmp(riscv_without_width[i], name))
            return true;
    }
    other = cpu_table(is_64 ? &sl_isa_riscv32 : &sl_isa_riscv64);
    return find_cpu(&other, name) != NULL;
}

/* LLVM writes a missing vendor as "unknown". */
static void print_triple(const char *triple, char *out, size_t size)
{
    const char *rest = strchr(triple, '-');
    if (rest && (!strncmp(rest, "-none", 5) || !strncmp(rest, "-linux", 6)) && strchr(rest + 1, '-'))
        snprintf(out, size, "%.*s-unknown%s", (int)(rest - triple), triple, rest);
    else
        snprintf(out, size, "%s", triple);
}

static void report_no_model(const struct target *target, const char *name, struct diag *diag)
{
    char triple[256];
    print_triple(target->triple, triple, sizeof triple);
    diag_say(diag, DIAG_ERROR, "unable to find instruction-level scheduling information for target triple '%s' "
             "and cpu '%s'.", target_is_arm(target->isa) ? triple : target->triple, name);
    for (size_t i = 0; i < sizeof arm_itineraries / sizeof arm_itineraries[0] && target_is_arm(target->isa); i++) {
        if (!strcmp(arm_itineraries[i], name))
            diag_say(diag, DIAG_NOTE, "cpu '%s' provides itineraries. However, instruction itineraries are currently "
                     "unsupported.", name);
    }
}

const struct sl_cpu *target_cpu(struct target *target, const char *name, struct diag *diag)
{
    struct cpu_table table = { NULL, 0, NULL, 0 };
    const struct sl_cpu_name *entry = NULL;
    const char *core;
    if (target_is_arm(target->isa)) {
        table.names = sl_cpus_thumbm;
        table.n = sl_n_cpus_thumbm;
        entry = find_cpu(&table, name);
        target->isa = entry ? &sl_isa_thumbm : target->isa;
    }
    table = cpu_table(target->isa);
    entry = entry ? entry : find_cpu(&table, name);
    core = entry ? stand_in_for(entry) : NULL;
    if (core)
        diag_say(diag, DIAG_NOTE, "LLVM has no scheduling model of '%s': the one of %s is a stand-in for it.", name, core);
    if (entry)
        return entry->cpu;
    for (size_t i = 0; i < table.n_without; i++) {
        if (strcmp(table.without_model[i], name))
            continue;
        report_no_model(target, name, diag);
        return NULL;
    }
    if (wrong_width(target->isa, name)) {
        const char *width = target->isa == &sl_isa_riscv64 ? "RV64" : "RV32";
        diag_say(diag, DIAG_ERROR, "%s target requires an %s CPU", width, width);
        return NULL;
    }
    diag_raw_error(diag, "'%s' is not a recognized processor for this target (ignoring processor)\n", name);
    return NULL;
}

void target_list_cpus(FILE *out)
{
    static const struct sl_isa *const isas[] = { &sl_isa_aarch64, &sl_isa_x86_64, &sl_isa_riscv64, &sl_isa_riscv32,
                                                 &sl_isa_arm, &sl_isa_thumbm };
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        struct cpu_table table = cpu_table(isas[i]);
        if (isas[i] == &sl_isa_thumbm) {
            table.names = sl_cpus_thumbm;
            table.n = sl_n_cpus_thumbm;
        }
        fprintf(out, "%s%s (%zu names):\n", i ? "\n" : "", isas[i]->name, table.n);
        for (size_t k = 0; k < table.n; k++) {
            const struct sl_cpu *cpu = table.names[k].cpu;
            const char *core = stand_in_for(&table.names[k]);
            fprintf(out, "  %-28s %s, issue width %u, model %s", table.names[k].name,
                    cpu->micro_op_buffer_size > 1 ? "out-of-order" : "in-order", cpu->issue_width, cpu->name);
            if (core)
                fprintf(out, ", made for %s: stand-in for %s", core, table.names[k].name);
            fputc('\n', out);
        }
        for (size_t k = 0; k < table.n_without; k++)
            fprintf(out, "%s%s%s", k ? " " : "  without a model: ", table.without_model[k],
                    k + 1 == table.n_without ? "\n" : "");
    }
}
