// SPDX-License-Identifier: Apache-2.0
// Exception vectors, the start of secondary cores, and the way from EL2 down to EL1. C code is built with general
// registers only, so these are all that an exception can clobber.
        .section .text.board_vectors, "ax"
        .macro entry kind
        .balign 128
        sub sp, sp, #192
        stp x0, x1, [sp]
        mov x0, #\kind
        b save_and_call
        .endm
        .balign 2048
        .global board_vectors
board_vectors:
        .rept 4                         // current level with SP_EL0, with SP_ELx; lower level AArch64, AArch32
        entry 0
        entry 1
        entry 1                         // FIQ: secure group 1 interrupts at EL3
        entry 0
        .endr
save_and_call:
        stp x2, x3, [sp, #16]
        stp x4, x5, [sp, #32]
        stp x6, x7, [sp, #48]
        stp x8, x9, [sp, #64]
        stp x10, x11, [sp, #80]
        stp x12, x13, [sp, #96]
        stp x14, x15, [sp, #112]
        stp x16, x17, [sp, #128]
        stp x18, x29, [sp, #144]
        str x30, [sp, #160]
        bl board_exception
        ldp x2, x3, [sp, #16]
        ldp x4, x5, [sp, #32]
        ldp x6, x7, [sp, #48]
        ldp x8, x9, [sp, #64]
        ldp x10, x11, [sp, #80]
        ldp x12, x13, [sp, #96]
        ldp x14, x15, [sp, #112]
        ldp x16, x17, [sp, #128]
        ldp x18, x29, [sp, #144]
        ldr x30, [sp, #160]
        ldp x0, x1, [sp]
        add sp, sp, #192
        eret

        .text
        .global board_secondary
board_secondary:                        // x0: number of the core
        adrp x1, stacks
        add x1, x1, :lo12:stacks
        add x2, x0, #1
        lsl x2, x2, #13
        add sp, x1, x2
        mov x2, #0x300000               // CPACR_EL1.FPEN: floating point does not trap
        msr cpacr_el1, x2
        isb
        bl board_other
1:      wfe
        b 1b

        .global board_drop_to_el1
board_drop_to_el1:                      // x0: where to go on, x1: stack there
        msr elr_el2, x0
        msr sp_el1, x1
        mov x2, #0x3c5                  // EL1h, interrupts masked
        msr spsr_el2, x2
        isb
        eret

        .bss
        .balign 16
stacks: .skip 8192 * 4
