// LLVM-MCA-BEGIN labels_aarch64
nop
9: nop
nop
b 9b
adr x0, 9b
ldr x1, 9b
cbz x0, 9b
tbz x0, #3, 9b
bl 9b
 b 9f
9: adrp x1, 9b
add x0, x0, :lo12:9b
// LLVM-MCA-END
