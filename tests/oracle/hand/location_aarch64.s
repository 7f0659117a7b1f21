// LLVM-MCA-BEGIN location_aarch64
nop
b .
b .+8
// LLVM-MCA-END
