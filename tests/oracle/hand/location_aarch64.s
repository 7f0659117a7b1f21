nop
b .
b .+8
