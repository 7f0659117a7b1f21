# LLVM-MCA-BEGIN vector-types
# LLVM-MCA-RISCV-LMUL M2
	vadd.vv	v8, v8, v8
# LLVM-MCA-RISCV-SEW E16
	vdiv.vv	v8, v8, v8
	vle8.v	v8, (a0)
	vlse32.v	v8, (a0), a1
	vsetvli	t0, a0, e64, m1, ta, ma
	vdiv.vv	v8, v8, v8
	vadd.vv	v8, v8, v8 # LLVM-MCA-RISCV-LMUL M8
	vadd.vv	v8, v8, v8
	vsetvl	t0, a0, a1
	vadd.vv	v8, v8, v8
	vsetivli	t0, 4, e8, mf8, ta, ma
	vlse8.v	v8, (a0), zero
	vlse8.v	v8, (a0), a1
# LLVM-MCA-END vector-types
# LLVM-MCA-BEGIN dropped
	vsetvli	t0, a0, e16, m2, ta, ma
	hfence.vvma	zero, sp
	vadd.vv	v8, v8, v16
	hfence.vvma	zero, sp
	vsetvli	t0, a0, e16, m4, ta, ma
	vadd.vv	v8, v8, v16
	.insn r 0x33, 0, 0, a0, a1, a2
	vadd.vv	v8, v8, v16
	add	a0, a0, tp, %tprel_add(foo)
# LLVM-MCA-END dropped
# LLVM-MCA-BEGIN calls
	call	foo
	tail	foo
	jump	foo, t0
	call	t0, foo
	jalr	t0, 0(a0), %tlsdesc_call(.Lx)
.Lx:
	auipc	a1, %pcrel_hi(foo)
	jal	foo
	jal	a0, foo
# LLVM-MCA-END calls
# LLVM-MCA-BEGIN branches
	beqz	a0, 16
	beqz	a0, 2000
	bnez	a6, 2000
	beq	zero, s1, -3172
	bne	zero, s0, 1162
	beqz	a0, .Lx
	bltu	a0, a1, .Lx
	bge	a0, zero, 12
	j	.Lx
	j	100
# LLVM-MCA-END branches
# LLVM-MCA-BEGIN expanded
	add	a0, a0, a1
	li	a0, 5
	li	a1, 0x12345 # with a comment
/* one */ li a1, 0x12345 // and another
	nop; li a1, 0x12345; nop
	li	a2, 4096
	la	a3, foo
label:	lla	a4, foo
	lw	a5, foo
	lw	a5, 4(a5)
	sw	a6, foo, t0
	sext.b	a7, t1
	vmsge.vx	v8, v9, s6
	call	foo
# LLVM-MCA-END expanded
