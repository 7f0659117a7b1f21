# LLVM-MCA-BEGIN name
	lw	a1, 8(a0)
	mul	a2, a1, a1
	add	a2, a2, a3
	divu	a3, a2, a1
	sw	a3, 0(a0)
	addi	a0, a0, 16
	bne	a0, a4, name
# LLVM-MCA-END name
