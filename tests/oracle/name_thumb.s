@ LLVM-MCA-BEGIN name
	push	{r4, r5, r6, lr}
	ldr	r4, [r0], #4
	mul	r5, r4, r4
	adds	r6, r5, r6
	itte	eq
	addeq	r1, r1, r5, lsl #2
	ldreq	r2, [r1]
	strne	r6, [r1, #8]
	ldm	r0!, {r3, r4, r5}
	subs	r2, #1
	bne	name
	pop	{r4, r5, r6, pc}
@ LLVM-MCA-END name
