# LLVM-MCA-BEGIN labels_x86_64
nop
9: nop
nop
jne 9b
lea 9b(%rip), %rax
movq $9b, %rbx
jmp 9b
call 9b
jne 9b+4
jmp *9b(%rip)
# LLVM-MCA-END
