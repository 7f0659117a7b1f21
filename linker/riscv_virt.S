# SPDX-License-Identifier: Apache-2.0
# Start and traps of QEMU's riscv `virt` board for picolibc: machine mode, or with BOARD_SUPERVISOR supervisor mode after
# OpenSBI. All harts come here; hart 0 runs main, the others wait for board_release and run board_other.
#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#define WORD 8
#define WORD_SHIFT 3
#else
#define LOAD lw
#define STORE sw
#define WORD 4
#define WORD_SHIFT 2
#endif
#ifdef BOARD_SUPERVISOR
#define CAUSE scause
#define EPC sepc
#define RETURN sret
#else
#define CAUSE mcause
#define EPC mepc
#define RETURN mret
#endif
        .section .text.init.enter, "ax"
        .global _start
_start:
        .option push
        .option norelax
        la gp, __global_pointer$
        .option pop
#ifdef BOARD_SUPERVISOR
        bnez a0, park                   # a0: hart
#else
        csrr a0, mhartid
        bnez a0, other
#endif
        la sp, __stack
        la tp, __tls_base
        la a0, __data_start
        la a1, __data_source
        la a2, __data_size
        call memcpy
        la a0, __bss_start
        li a1, 0
        la a2, __bss_size
        call memset
        li a0, 0
        li a1, 0
        call main
        call exit
park:   wfi
        j park
#ifndef BOARD_SUPERVISOR
        # Hart 0 clears .bss while the others are here already, so what they use is beside the code.
other:  la t0, board_waiting
        li t1, 1
        amoadd.w zero, t1, (t0)
        la t0, board_release
        li t1, 0x600d600d
1:      lw t2, 0(t0)
        fence
        bne t2, t1, 1b
        la sp, stacks
        addi t0, a0, 1
        slli t0, t0, 13
        add sp, sp, t0
        la tp, __tls_base
        call board_other
        j park

        .section .text, "ax"
        .balign 8
        .global board_release
board_release: .skip 8
        .global board_waiting
board_waiting: .skip 8
        .balign 16
stacks: .skip 8192 * 4
#endif

        .text
        .balign 4
        .global board_trap
board_trap:
        addi sp, sp, -16 * WORD
        STORE ra, 0 * WORD(sp)
        STORE t0, 1 * WORD(sp)
        STORE t1, 2 * WORD(sp)
        STORE t2, 3 * WORD(sp)
        STORE a0, 4 * WORD(sp)
        STORE a1, 5 * WORD(sp)
        STORE a2, 6 * WORD(sp)
        STORE a3, 7 * WORD(sp)
        STORE a4, 8 * WORD(sp)
        STORE a5, 9 * WORD(sp)
        STORE a6, 10 * WORD(sp)
        STORE a7, 11 * WORD(sp)
        STORE t3, 12 * WORD(sp)
        STORE t4, 13 * WORD(sp)
        STORE t5, 14 * WORD(sp)
        STORE t6, 15 * WORD(sp)
        csrr a0, CAUSE
        csrr a1, EPC
        call board_trap_c
        LOAD ra, 0 * WORD(sp)
        LOAD t0, 1 * WORD(sp)
        LOAD t1, 2 * WORD(sp)
        LOAD t2, 3 * WORD(sp)
        LOAD a0, 4 * WORD(sp)
        LOAD a1, 5 * WORD(sp)
        LOAD a2, 6 * WORD(sp)
        LOAD a3, 7 * WORD(sp)
        LOAD a4, 8 * WORD(sp)
        LOAD a5, 9 * WORD(sp)
        LOAD a6, 10 * WORD(sp)
        LOAD a7, 11 * WORD(sp)
        LOAD t3, 12 * WORD(sp)
        LOAD t4, 13 * WORD(sp)
        LOAD t5, 14 * WORD(sp)
        LOAD t6, 15 * WORD(sp)
        addi sp, sp, 16 * WORD
        RETURN
