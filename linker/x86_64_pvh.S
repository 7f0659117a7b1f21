# SPDX-License-Identifier: Apache-2.0
# Start of a bare-metal x86-64 program that QEMU loads with -kernel: a PVH note names a 32-bit entry, which maps the first
# GiB one to one and goes to long mode. An exception ends the program with status 99.
        .section .note.pvh, "a", @note
        .balign 4
        .long 4, 4, 18                  # name and descriptor lengths; XEN_ELFNOTE_PHYS32_ENTRY
        .asciz "Xen"
        .long pvh_start

        .section .text.boot, "ax"
        .code32
        .global pvh_start
pvh_start:
        cli
        mov $stack_top, %esp
        mov $pml4, %eax
        mov %eax, %cr3
        mov $pdpt, %eax
        or $3, %eax                     # present, writable
        mov %eax, pml4
        mov $pd, %eax
        or $3, %eax
        mov %eax, pdpt
        xor %ecx, %ecx
1:      mov %ecx, %eax
        shl $21, %eax
        or $0x83, %eax                  # present, writable, 2 MiB
        mov %eax, pd(, %ecx, 8)
        inc %ecx
        cmp $512, %ecx
        jne 1b
        mov %cr4, %eax
        or $(1 << 5 | 1 << 9 | 1 << 10), %eax   # PAE, OSFXSR, OSXMMEXCPT
        mov %eax, %cr4
        mov $0xc0000080, %ecx           # EFER
        rdmsr
        or $(1 << 8), %eax              # LME
        wrmsr
        mov %cr0, %eax
        and $~(1 << 2), %eax            # no EM
        or $(1 << 31 | 1 << 1), %eax    # PG, MP
        mov %eax, %cr0
        lgdt gdt_pointer
        ljmp $8, $long_mode
        .code64
long_mode:
        mov $16, %eax
        mov %eax, %ds
        mov %eax, %es
        mov %eax, %ss
        mov $stack_top, %rsp
        lea idt(%rip), %rdi
        xor %ecx, %ecx
2:      lea exception(%rip), %rax
        mov %ax, (%rdi)
        movw $8, 2(%rdi)
        movw $0x8e00, 4(%rdi)
        shr $16, %rax
        mov %ax, 6(%rdi)
        shr $16, %rax
        mov %eax, 8(%rdi)
        movl $0, 12(%rdi)
        add $16, %rdi
        inc %ecx
        cmp $32, %ecx
        jne 2b
        lidt idt_pointer
        call main
        mov %eax, %edi
        call board_exit
exception:
        mov $99, %edi
        call board_exit

        .data
        .balign 16
gdt:    .quad 0, 0x00af9a000000ffff, 0x00cf92000000ffff
gdt_pointer:
        .word 23
        .long gdt
        .balign 8
idt_pointer:
        .word 511
        .quad idt

        .bss
        .balign 4096
pml4:   .skip 4096
pdpt:   .skip 4096
pd:     .skip 4096
idt:    .skip 512
        .balign 16
stack:  .skip 16384
stack_top:
