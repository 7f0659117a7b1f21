/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow of machine code: where each instruction may go on, basic blocks, and natural loops. */
#ifndef SLOTLEDGER_FLOW_H
#define SLOTLEDGER_FLOW_H

#include <slotledger/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sl_branch_kind {
    SL_BRANCH_NONE,     /* the next instruction follows */
    SL_BRANCH_NOP,      /* likewise; does nothing (between blocks: padding) */
    SL_BRANCH_DIRECT,   /* a jump or conditional branch to an address that the instruction holds */
    SL_BRANCH_INDIRECT, /* ... to one that a register or memory holds */
    SL_BRANCH_CALL,     /* of a function or the system, direct or not; comes back to the next instruction */
    SL_BRANCH_RETURN,
    SL_BRANCH_TRAP,     /* does not go on */
    SL_BRANCH_KINDS
};

struct sl_branch {
    uint64_t target;  /* address, of SL_BRANCH_DIRECT with has_target */
    uint8_t kind;     /* enum sl_branch_kind */
    bool conditional; /* the next instruction may follow instead */
    bool has_target;  /* false: of another kind, or under a relocation */
};

/* What an instruction of `isa` at `address` does to the program counter. `bytes` are its encoding; on Thumb the
 * instruction has gone through sl_thumb_next. Manuals: the encodings of jumps, NOPs and traps are those of the Arm ARM
 * (DDI 0487, 0406, 0553), the RISC-V unprivileged specification and the Intel SDM, volume 2. */
void sl_branch_of(const struct sl_isa *isa, const struct sl_insn *insn, const uint8_t *bytes, uint64_t address,
                  struct sl_branch *branch);

#define SL_FLOW_NONE UINT32_MAX

/* One instruction of a function, in the order of addresses. */
struct sl_flow_insn {
    uint64_t address;
    struct sl_branch branch;
    uint8_t len_bytes;
};

/* Instructions that are executed one after the other. Ends in front of a branch's target and behind a branch or call. */
struct sl_flow_block {
    uint32_t first, n_insns;
    uint32_t next;    /* block that follows without a jump, or SL_FLOW_NONE */
    uint32_t taken;   /* block that the last instruction jumps to, or SL_FLOW_NONE (none, or outside) */
    uint32_t assumed; /* first of the blocks that the indirect jump at the end is assumed to lead to; */
    uint32_t sibling; /* next of those that the same indirect jump is assumed to lead to */
    uint32_t loop;    /* innermost loop that holds the block, or SL_FLOW_NONE */
    uint8_t ends;     /* enum sl_branch_kind of the last instruction */
};

/* A natural loop: `header`, which each way into the loop passes (it dominates the others), and the blocks from which a
 * jump back to it can be reached without passing it. */
struct sl_flow_loop {
    uint32_t header;        /* block */
    uint32_t parent;        /* next outer loop, or SL_FLOW_NONE */
    uint32_t depth;         /* 1: in no other loop */
    uint32_t n_blocks;      /* of it, with those of the loops inside, */
    uint32_t n_insns;       /* ... and their instructions, */
    uint32_t n_calls;       /* ... calls, */
    uint32_t n_indirect;    /* ... and indirect jumps: the loop may hold blocks that are not known */
    bool has_inner;
};

/* The caller's memory holds it all; loops are in the order of their headers' addresses. */
struct sl_flow {
    const struct sl_flow_insn *insns;
    struct sl_flow_block *blocks;
    struct sl_flow_loop *loops;
    uint32_t n_insns, n_blocks, n_loops;
    uint32_t n_irreducible; /* jumps back to a block that can be gone round: into something that is no natural loop */
    size_t missing_bytes;   /* of SL_E_ROOM */
    uint32_t *order, *cursor; /* working space, [n_blocks] each */
};

/* Bytes that are enough for any code of n_insns instructions: 140 each, and a few for alignment. */
size_t sl_flow_need(size_t n_insns);

/* Finds blocks and loops of one function, entered at its first instruction. Time grows with the code times its
 * logarithm. An indirect jump is assumed to lead to the blocks behind it that nothing else leads to (jump tables);
 * blocks that no jump leads to at all are analysed on their own. SL_E_ARGUMENT: no instructions, addresses that do not
 * rise, or more than 2^31 instructions; SL_E_ROOM (missing_bytes). */
enum sl_status sl_flow_find(struct sl_flow *flow, const struct sl_flow_insn *insns, size_t n_insns, void *mem,
                            size_t mem_bytes) SL_MUST_CHECK;

bool sl_flow_in_loop(const struct sl_flow *flow, uint32_t block, uint32_t loop);

/* The straight path through a loop: from the header on, the block that follows without a jump if it is in the loop and
 * leads back to the header, else the one that is jumped to; no block twice, so that loops inside are passed once.
 * Blocks in the order of execution; path[n_blocks]. Returns their number, at least 1. */
uint32_t sl_flow_straight_path(struct sl_flow *flow, uint32_t loop, uint32_t *path);
/* All blocks of the loop in the order of addresses. */
uint32_t sl_flow_all_blocks(const struct sl_flow *flow, uint32_t loop, uint32_t *path);

/* Block that holds an address; SL_FLOW_NONE: none. */
uint32_t sl_flow_block_at(const struct sl_flow *flow, uint64_t address);

#ifdef __cplusplus
}
#endif
#endif
