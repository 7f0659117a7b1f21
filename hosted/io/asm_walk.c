/* SPDX-License-Identifier: Apache-2.0 */
/* The text that llvm-mc or clang printed -> instructions and regions of a block. */
#include "asm_walk.h"

#include <string.h>

#include "asm_output.h"
#include "fixup.h"
#include "riscv_pseudo.h"

/* State of the walk over an assembler's output. */
struct walk {
    struct block *block;
    struct diag *diag;
    const struct source *source;
    const struct marker_scan *scan;
    size_t next_marker;       /* markers in front of it have been met */
    size_t expansion_first;   /* instruction that a statement's expansion begins with, */
    size_t expansion_word;    /* and the source offset of the statement's first word */
    bool probing;             /* the source has ended */
    bool compressed;          /* RISC-V: a no-operation has two bytes there */
    const struct sl_isa *isa; /* 32-bit Arm changes it on the way */
    struct sl_thumb_block thumb;
    struct asm_line latest; /* instruction that fixup lines belong to */
    bool latest_valid;
    enum { LABELS_UNKNOWN, LABELS_NAMED, LABELS_NAMELESS } labels; /* that the assembler made */
};

static void meet_marker(struct walk *walk, size_t index)
{
    const struct marker *marker = &walk->scan->markers[index];
    if (marker->is_instrument)
        block_instrument(walk->block, marker->offset, marker->name);
    else if (marker->is_end)
        block_end(walk->block, walk->diag, walk->source, marker->offset, marker->name);
    else
        block_begin(walk->block, walk->diag, walk->source, marker->offset, marker->name);
}

/* All markers in front of `index` have been passed by the assembler's lexer. */
static void meet_until(struct walk *walk, size_t index)
{
    while (walk->next_marker < index && walk->next_marker < walk->scan->n_markers)
        meet_marker(walk, walk->next_marker++);
}

static void echo(struct walk *walk, size_t index)
{
    if (index >= walk->scan->n_markers)
        return;
    /* What stands in a body counts once where the body is written, and again in each expansion. */
    if (walk->scan->markers[index].in_body) {
        meet_until(walk, walk->scan->markers[index].body_end);
        meet_marker(walk, index);
    } else {
        meet_until(walk, index + 1);
    }
}

static bool is_word_in(const char *text, size_t text_len, const char *word, size_t len)
{
    for (size_t i = 0; i + len <= text_len; i++) {
        if (text[i] == word[0] && !memcmp(text + i, word, len) &&
            (i + len == text_len || text[i + len] < '0' || text[i + len] > '9'))
            return true;
    }
    return false;
}

static bool is_beside_operand(char c)
{
    return strchr(" \t\n\r,()[]+-;", c) != NULL; /* or the end of the text */
}

/* Is there a reference to a numbered label, as `1f` and `2b` are? */
static bool has_numbered(const char *text, size_t len)
{
    for (size_t i = 1, end; i < len; i = end + 1) {
        for (end = i; end < len && text[end] >= '0' && text[end] <= '9'; end++)
            ;
        if (end > i && is_beside_operand(text[i - 1]) && end < len && (text[end] == 'f' || text[end] == 'b') &&
            (end + 1 == len || is_beside_operand(text[end + 1])))
            return true;
    }
    return false;
}

/* Is there an operand that makes a label without a name: a dot for its own address (`b .+8`), a literal (`ldr x1, =8`)?
 */
static bool has_nameless(const char *text, size_t len)
{
    for (size_t i = 1; i < len; i++) {
        if (is_beside_operand(text[i - 1]) &&
            (text[i] == '=' || (text[i] == '.' && (i + 1 == len || is_beside_operand(text[i + 1])))))
            return true;
    }
    return false;
}

/* llvm-mca prints temporary labels as "": they have no name there. Those of numbered labels have one; a source that has
 * both is taken for one without. */
static const char *insn_text(struct walk *walk, const char *text, size_t len)
{
    static const char temporary[] = ".Ltmp";
    struct text out = {0};
    const char *copy;
    size_t at = 0;
    while (at < len) {
        size_t word = sizeof temporary - 1;
        if (len - at > word && !memcmp(text + at, temporary, word) && text[at + word] >= '0' &&
            text[at + word] <= '9') {
            while (at + word < len && text[at + word] >= '0' && text[at + word] <= '9')
                word++;
            if (!walk->labels) {
                const struct source *source = walk->source;
                bool named = has_numbered(source->text, source->len) && !has_nameless(source->text, source->len);
                walk->labels = named ? LABELS_NAMED : LABELS_NAMELESS;
            }
            if (walk->labels == LABELS_NAMELESS &&
                !is_word_in(walk->source->text, walk->source->len, text + at, word)) {
                text_add(&out, "\"\"", 2);
                at += word;
                continue;
            }
        }
        text_add(&out, text + at, 1);
        at++;
    }
    copy = pool_text(&walk->block->pool, out.data ? out.data : "", out.len);
    text_free(&out);
    return copy;
}

/* `rep bsf` has the bytes of tzcnt: llvm-mca keeps to what the text says, an instruction with a prefix. So when the
 * text names a prefix that decoding took for a part of the opcode, decode without it. */
static void keep_prefix(struct block_insn *insn, const struct sl_isa *isa)
{
    static const struct {
        const char *word;
        uint8_t byte;
        uint32_t flag;
    } prefixes[] = {{"rep\t", 0xf3u, SL_INSN_REP}, {"repne\t", 0xf2u, SL_INSN_REPNE}};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const uint8_t *at = memchr(insn->bytes, prefixes[i].byte, insn->len_bytes);
        uint8_t bytes[BLOCK_INSN_BYTES];
        struct sl_insn without;
        size_t before;
        if (strncmp(insn->text, prefixes[i].word, strlen(prefixes[i].word)) || !at || insn->status ||
            (insn->insn.flags & prefixes[i].flag))
            continue;
        before = (size_t)(at - insn->bytes);
        memcpy(bytes, insn->bytes, before);
        memcpy(bytes + before, at + 1, insn->len_bytes - before - 1);
        if (isa->decode(bytes, insn->len_bytes - 1u, &without) || without.len_bytes != insn->len_bytes - 1u)
            continue;
        insn->insn = without;
        insn->insn.flags |= prefixes[i].flag;
        insn->insn.len_bytes = insn->len_bytes;
    }
}

void asm_keep_elision_hint(struct block_insn *insn, const struct sl_isa *isa)
{
    const char *wanted = NULL;
    if (insn->len_bytes != 1)
        return;
    if (!strcmp(insn->text, "xacquire"))
        wanted = "XACQUIRE_PREFIX";
    else if (!strcmp(insn->text, "xrelease"))
        wanted = "XRELEASE_PREFIX";
    for (uint16_t op = 1; wanted && op < isa->n_ops; op++) {
        const char *name = sl_x86_64_op_name(op);
        if (name && !strcmp(name, wanted)) {
            insn->insn.op = op;
            return;
        }
    }
}

/* `xchgw %ax, %ax` has the bytes of a no-operation; llvm-mca keeps to the text. 66 91 is the same opcode with cx, and
 * 66 87 c0 names ax. */
static void keep_exchange(struct block_insn *insn, const struct sl_isa *isa)
{
    static const uint8_t bytes[] = {0x66, 0x90}, with_cx[] = {0x66, 0x91}, with_ax[] = {0x66, 0x87, 0xc0};
    struct sl_insn exchange, names_ax;
    if (insn->len_bytes != sizeof bytes || memcmp(insn->bytes, bytes, sizeof bytes) || strncmp(insn->text, "xchg", 4))
        return;
    if (isa->decode(with_cx, sizeof with_cx, &exchange) || isa->decode(with_ax, sizeof with_ax, &names_ax))
        return;
    for (unsigned i = 0; i < exchange.n_operands; i++)
        exchange.operand[i].reg = names_ax.operand[0].reg;
    insn->insn = exchange;
}

static bool is_riscv(const struct sl_isa *isa)
{
    return isa == &sl_isa_riscv64 || isa == &sl_isa_riscv32;
}

static bool is_thumb(const struct sl_isa *isa)
{
    return isa == &sl_isa_thumb || isa == &sl_isa_thumbm;
}

static const char *arm_op_name(const struct sl_isa *isa, uint16_t op)
{
    return isa == &sl_isa_thumbm ? sl_thumbm_op_name(op) : sl_arm_op_name(op);
}

/* "ldr.w r0, [pc, #4]" has the bytes of a load of a literal, "ldr.w r0, label"; llvm-mca keeps to the text: a load with
 * PC for a base, which is another opcode (t2LDRpci, t2LDRi12). */
static void keep_pc_base(struct block_insn *insn, const struct sl_isa *isa)
{
    static const uint16_t pc = 15; /* its place in the register list */
    const char *name = arm_op_name(isa, insn->insn.op);
    size_t len = strlen(name);
    char wanted[32];
    unsigned at = 0;
    if (!strstr(insn->text, "[pc, #") || strstr(insn->text, "[pc, #-") || len < 6 || len + 1 >= sizeof wanted ||
        strncmp(name, "t2", 2) != 0 || strcmp(name + len - 3, "pci") != 0 || insn->insn.n_operands == SL_INSN_OPERANDS)
        return;
    memcpy(wanted, name, len - 3);
    memcpy(wanted + len - 3, "i12", 4);
    while (at < insn->insn.n_operands && insn->insn.operand[at].kind == SL_OPERAND_REG)
        at++;
    for (uint16_t op = 1; op < isa->n_ops; op++) {
        if (strcmp(arm_op_name(isa, op), wanted) != 0)
            continue;
        memmove(&insn->insn.operand[at + 1], &insn->insn.operand[at],
                (insn->insn.n_operands - at) * sizeof insn->insn.operand[0]);
        insn->insn.operand[at] = (struct sl_operand){.reg = isa->list_regs[pc], .kind = SL_OPERAND_REG};
        insn->insn.n_operands++;
        insn->insn.op = op;
        return;
    }
}

static void take_insn(struct walk *walk, const struct asm_line *line)
{
    struct block_insn *insn = block_add(walk->block);
    insn->text = insn_text(walk, line->text, line->text_len);
    insn->len_bytes = insn->encoding_len = (uint8_t)line->n_bytes;
    memcpy(insn->bytes, line->bytes, sizeof insn->bytes);
    memcpy(insn->encoding, line->bytes, sizeof insn->encoding);
    if (!line->n_bytes)
        insn->status = SL_E_UNRESOLVED; /* .tlsdesccall: an instruction without bytes, of no scheduling class */
    else
        block_insn_decode(insn, walk->isa);
    if (is_thumb(walk->isa) && insn->status == SL_OK) {
        keep_pc_base(insn, walk->isa);
        sl_thumb_next(walk->isa, &walk->thumb, &insn->insn);
        fixup_relax_thumb(insn, false);
    }
    if (walk->block->isa == &sl_isa_x86_64) {
        keep_prefix(insn, walk->block->isa);
        asm_keep_elision_hint(insn, walk->block->isa);
        keep_exchange(insn, walk->block->isa);
    }
    if (is_riscv(walk->block->isa))
        riscv_pseudo(insn, walk->block->isa);
    walk->latest = *line;
    walk->latest_valid = true;
}

/* A32: whether an address is added to PC or subtracted is part of the fixup; with neither it would be an AND. */
static void complete_adr(struct walk *walk, const struct asm_line *line, struct block_insn *insn)
{
    static const char kind[] = "fixup_arm_adr_pcrel_12";
    if (walk->isa != &sl_isa_arm || line->text_len != sizeof kind - 1 || memcmp(line->text, kind, sizeof kind - 1) != 0)
        return;
    insn->bytes[2] |= 0x80u;
    block_insn_decode(insn, walk->isa);
}

static void take_fixup(struct walk *walk, const struct asm_line *line)
{
    struct block_insn *insn;
    unsigned first = walk->latest.n_bytes, count = 0;
    bool x86 = walk->block->isa == &sl_isa_x86_64;
    if (!walk->latest_valid)
        return;
    insn = &walk->block->insns[walk->block->n_insns - 1];
    for (unsigned i = 0; i < walk->latest.n_bytes; i++) {
        if (walk->latest.letters[i] != line->letter)
            continue;
        first = count ? first : i;
        count++;
    }
    if (!count)
        return;
    complete_adr(walk, line, insn);
    fixup_mark(insn, walk->isa, first, count);
    if (is_thumb(walk->isa))
        fixup_relax_thumb(insn, true);
    if (x86 && count == 1)
        fixup_relax_x86(insn, first, line->text_len >= 8 && !memcmp(line->text, "FK_PCRel", 8));
}

static void take_note(struct walk *walk, const struct asm_line *line)
{
    struct text out = {0};
    struct block_insn *insn;
    if (!walk->latest_valid)
        return;
    insn = &walk->block->insns[walk->block->n_insns - 1];
    text_add(&out, insn->text, strlen(insn->text));
    text_add(&out, " ", 1);
    text_add(&out, line->text, line->text_len);
    insn->text = pool_text(&walk->block->pool, out.data, out.len);
    text_free(&out);
}

/* The statement became one instruction of its own name. */
static bool is_itself(const struct walk *walk)
{
    const char *word = walk->source->text + walk->expansion_word, *text;
    size_t left = walk->source->len - walk->expansion_word, len = 0;
    if (walk->block->n_insns != walk->expansion_first + 1)
        return false;
    text = walk->block->insns[walk->expansion_first].text;
    while (len < left && word[len] != ' ' && word[len] != '\t')
        len++;
    return !strncmp(text, word, len) && (text[len] == '\t' || text[len] == '\0');
}

static void end_expansion(struct walk *walk)
{
    if (walk->expansion_word < walk->source->len && walk->block->n_insns > walk->expansion_first && !is_itself(walk))
        block_unlocate(walk->block, walk->expansion_first);
}

/* .code 16 and .code 32. The M profile has no A32. */
static void take_mode(struct walk *walk, const struct asm_line *line)
{
    if (walk->isa != &sl_isa_arm && walk->isa != &sl_isa_thumb)
        return;
    walk->isa = line->number == 16 ? &sl_isa_thumb : &sl_isa_arm;
    walk->thumb = (struct sl_thumb_block){0};
}

static bool walk_line(struct walk *walk, const char *at, size_t len, const char *comment)
{
    struct asm_line line;
    asm_output_line(at, len, comment, walk->scan->prefix, &line);
    if (walk->probing) {
        walk->compressed |= line.kind == ASM_LINE_INSN && line.n_bytes == 2;
        return true;
    }
    switch (line.kind) {
    case ASM_LINE_INSN:
        take_insn(walk, &line);
        break;
    case ASM_LINE_EXPANSION:
        walk->expansion_first = walk->block->n_insns;
        walk->expansion_word = line.number;
        break;
    case ASM_LINE_EXPANSION_END:
        end_expansion(walk);
        break;
    case ASM_LINE_PROBE:
        walk->probing = true;
        break;
    case ASM_LINE_FIXUP:
        take_fixup(walk, &line);
        break;
    case ASM_LINE_NOTE:
        take_note(walk, &line);
        break;
    case ASM_LINE_MARKER:
        echo(walk, line.number);
        break;
    case ASM_LINE_FENCE:
        meet_until(walk, line.number);
        break;
    case ASM_LINE_MODE:
        take_mode(walk, &line);
        break;
    case ASM_LINE_BROKEN:
        diag_say(walk->diag, DIAG_ERROR, "cannot understand the assembler's output: %.*s", (int)len, at);
        return false;
    case ASM_LINE_OTHER:
        break;
    }
    return true;
}

bool asm_walk(struct block *block, const struct source *source, const struct marker_scan *scan, const char *comment,
              const char *output, size_t len, struct diag *diag)
{
    struct walk walk = {.block = block, .diag = diag, .source = source, .scan = scan, .isa = block->isa};
    const char *at = output;
    const char *end = at + len;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t line_len = newline ? (size_t)(newline - at) : (size_t)(end - at);
        if (!walk_line(&walk, at, line_len, comment))
            return false;
        at += line_len + 1;
    }
    meet_until(&walk, scan->n_markers);
    for (size_t i = 0; is_riscv(block->isa) && i < block->n_insns; i++)
        riscv_relax(&block->insns[i], walk.compressed);
    return true;
}
