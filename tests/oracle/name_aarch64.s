# LLVM-MCA-BEGIN name
	ldr	x1, [x0, #8]
	madd	x2, x1, x1, x2
	fadd	d0, d0, d1
	fmla	v2.4s, v3.4s, v4.4s
	udiv	x3, x2, x1
	str	x3, [x0], #16
	cmp	x0, x4
	b.ne	name
# LLVM-MCA-END name
