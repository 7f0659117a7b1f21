# LLVM-MCA-BEGIN name
	movq	8(%rdi), %rax
	imulq	%rax, %rcx
	addps	%xmm0, %xmm1
	mulsd	%xmm1, %xmm2
	xorl	%edx, %edx
	divl	%ecx
	movl	%eax, (%rdi,%rsi,4)
	cmpq	%rdi, %rsi
	jne	name
# LLVM-MCA-END name
