#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Loops found in machine code of every instruction set: where they are and what is in them is known from the labels of the
# assembly text, and their reports are those of llvm-mca-19 on the loop's text.
# usage: loops.sh SLOTLEDGER FOLDER   (closes with "N passed, N failed, N skipped")
set -u
tool=$1 dir=$2
mkdir -p "$dir"
suite=loops
. "$(dirname "$0")/lib.sh"
need llvm-mc-19 llvm-mca-19 llvm-nm-19
mca() { timeout 20 "$tool" mca "$@"; }

# A loop (outer) around another one
# (inner), a loop with a call, and one with a way round.
cat > "$dir/aarch64.s" << 'S'
f:
    mov x5, x0
outer:
    ldr x3, [x0], #8
inner:
    madd x4, x3, x3, x4
    subs x2, x2, #1
    b.ne inner
    cbnz x3, outer
    ret
g:
    add x0, x0, #1
calls:
    add x1, x1, x2
    bl f
    subs x6, x6, #1
    b.gt calls
    b last
round:
    add x0, x0, x1
    tbz x0, #3, skip
    mul x0, x0, x0
skip:
    subs x1, x1, #1
    b.ne round
last:
    ret
S
cat > "$dir/x86_64.s" << 'S'
f:
    movq %rdi, %rax
outer:
    movq (%rdi), %rcx
inner:
    imulq %rcx, %rdx
    decq %rsi
    jne inner
    testq %rcx, %rcx
    jne outer
    ret
g:
    addq $1, %rax
calls:
    addq %rcx, %rax
    call f
    decq %rsi
    jg calls
    jmp last
    .p2align 4
round:
    addq %rax, %rcx
    testb $8, %cl
    je skip
    imulq %rcx, %rcx
skip:
    decq %rsi
    jne round
last:
    ret
S
cat > "$dir/riscv64.s" << 'S'
f:
    mv a5, a0
outer:
    ld a3, 0(a0)
inner:
    mul a4, a4, a3
    addi a2, a2, -1
    bnez a2, inner
    bnez a3, outer
    ret
g:
    addi a0, a0, 1
calls:
    add a1, a1, a2
    jal f
    addi s1, s1, -1
    bgtz s1, calls
    j last
round:
    add a0, a0, a1
    beqz a0, skip
    mul a0, a0, a0
skip:
    addi a1, a1, -1
    bnez a1, round
last:
    ret
S
sed 's/ld a3/lw a3/' "$dir/riscv64.s" > "$dir/riscv32.s"
# What Thumb and A32 write alike
arm_g='    push {r4, lr}
calls:
    add r1, r1, r2
    bl f
    subs r6, r6, #1
    bgt calls
    b last
round:
    adds r0, r0, r1
    beq skip
    mul r0, r0, r0
skip:
    subs r1, r1, #1
    bne round
last:
    pop {r4, pc}'
cat > "$dir/thumb.s" << S
    .syntax unified
    .thumb_func
f:
    mov r5, r0
outer:
    ldr r3, [r0], #4
inner:
    mla r4, r3, r3, r4
    subs r2, r2, #1
    bne inner
    cbz r3, leave
    b outer
leave:
    bx lr
    .thumb_func
g:
$arm_g
S
cat > "$dir/arm.s" << S
f:
    mov r5, r0
outer:
    ldr r3, [r0], #4
inner:
    mla r4, r3, r3, r4
    subs r2, r2, #1
    bne inner
    cmp r3, #0
    bne outer
    bx lr
g:
$arm_g
S

symbol() { # symbol OBJECT NAME: its address, without leading zeros
    llvm-nm-19 "$1" | awk -v n="$2" '$3 == n { sub(/^0+/, "", $1); print ($1 == "" ? "0" : $1) }'
}
# text ISA LABEL N: the N instructions behind a label
text() {
    case $1 in thumb | arm) echo '.syntax unified' ;; esac
    awk -v label="$2:" -v n="$3" '$1 == label { on = 1; next } on && n > 0 && /^    [a-z]/ { print; n-- }' "$dir/$1.s"
}
# as_llvm NAME REPORT N TEXT: region N of the report has llvm-mca's summary of the text
as_llvm() {
    llvm-mca-19 -mtriple="$triple" -mcpu="$cpu" -mattr="$features" "$4" > "$dir/llvm" 2> "$dir/llvm.err"
    sed -n '/^Iterations/,/^Block RThroughput/p' "$dir/llvm" > "$dir/want"
    awk -v n="[$3]" '/Code Region/ { on = $1 == n } on' "$2" | sed -n '/^Iterations/,/^Block RThroughput/p' > "$dir/is"
    check "$isa: $1: llvm-mca has a report" test -s "$dir/want"
    check "$isa: $1: the report is llvm-mca's" cmp -s "$dir/want" "$dir/is"
}
at() { # at LABEL
    echo "0x$(symbol "$object" "$1")"
}

# instruction set, triple, features, processor; instructions: of the outer loop, of the loop with a call, of the one with a
# way round, of its straight path
while read -r isa triple features cpu n_outer n_calls n_round; do
    object=$dir/$isa.o
    {
        [ $isa = thumb ] && echo '.thumb'
        awk '/^g:/ { print ".size f, .-f" } { print }' "$dir/$isa.s"
        [ $isa = x86_64 ] && sign=@ || sign=%
        printf '.type f,%sfunction\n.type g,%sfunction\n.size g, .-g\n' $sign $sign
    } > "$dir/typed.s"
    llvm-mc-19 -triple="$triple" -mattr="$features" -filetype=obj "$dir/typed.s" -o "$object" || exit 1

    mca -mcpu="$cpu" --symbol f --loops "$object" > "$dir/f" 2> "$dir/f.err"
    check "$isa: the innermost loop only" test "$(grep -c 'Code Region' "$dir/f")" -eq 1
    check "$isa: its name" line "[0] Code Region - f loop 2 at $(at inner)" "$dir/f"
    check "$isa: its shape" line 'Loop:     1 block, 3 instructions, depth 2 (in loop 1)' "$dir/f"
    check "$isa: the outer one is told of" grep -q 'note: 1 loop with loops inside left out; --outer-loops' "$dir/f.err"
    text $isa inner 3 > "$dir/piece.s"
    as_llvm inner "$dir/f" 0 "$dir/piece.s"

    mca -mcpu="$cpu" --symbol f --loops --outer-loops "$object" > "$dir/f" 2> "$dir/f.err"
    check "$isa: both" test "$(grep -c 'Code Region' "$dir/f")" -eq 2
    check "$isa: the outer one" line "[0] Code Region - f loop 1 at $(at outer)" "$dir/f"
    check "$isa: its shape" line "Loop:     $([ $isa = thumb ] && echo 4 || echo 3) blocks, $n_outer instructions, depth 1" "$dir/f"
    check "$isa: a pass" line 'Inside:   other loops; a pass through this one takes each of them once' "$dir/f"
    text $isa outer "$n_outer" > "$dir/piece.s"
    as_llvm outer "$dir/f" 0 "$dir/piece.s"

    mca -mcpu="$cpu" --symbol g --loops "$object" > "$dir/g" 2> "$dir/g.err"
    check "$isa: two loops one after the other" test "$(grep -c 'Code Region' "$dir/g")" -eq 2
    check "$isa: with a call" line "[0] Code Region - g loop 1 at $(at calls)" "$dir/g"
    check "$isa: the call bounds a block" line "Loop:     2 blocks, $n_calls instructions, depth 1" "$dir/g"
    check "$isa: and is told of" grep -q '^Calls:    1, 1 of them analysed' "$dir/g"
    check "$isa: a way round" line "[1] Code Region - g loop 2 at $(at round)" "$dir/g"
    check "$isa: its blocks" line "Loop:     3 blocks, $n_round instructions, depth 1" "$dir/g"
    text $isa calls "$n_calls" > "$dir/piece.s"
    as_llvm calls "$dir/g" 0 "$dir/piece.s"
    text $isa round "$n_round" > "$dir/piece.s"
    as_llvm round "$dir/g" 1 "$dir/piece.s"

    mca -mcpu="$cpu" --loops --outer-loops --json "$object" 2> /dev/null |
        sed 's/.*"Region":"\([^"]*\)".*/\1/' > "$dir/names"
    printf 'f loop 1 at %s\nf loop 2 at %s\ng loop 1 at %s\ng loop 2 at %s\n' "$(at outer)" "$(at inner)" "$(at calls)" \
        "$(at round)" > "$dir/want"
    check "$isa: all functions, in lines" cmp -s "$dir/want" "$dir/names"
done << 'LIST'
aarch64 aarch64 +neon cortex-a57 5 4 5
x86_64 x86_64 +sse2 skylake 6 4 6
riscv64 riscv64 +m,+c,+relax sifive-p450 5 4 5
riscv32 riscv32 +m,+c sifive-e76 5 4 5
thumb thumbv7m +hwdiv cortex-m7 6 4 5
thumb thumbv7a +neon cortex-a57 6 4 5
arm armv7a +neon cortex-a57 6 4 5
LIST

# The straight path is the way without jumps; all blocks come in the order of addresses.
cat > "$dir/path.s" << 'S'
f:
    cbz x0, second
    add x1, x1, x2
    b third
second:
    madd x1, x1, x1, x1
    madd x1, x1, x1, x1
third:
    subs x3, x3, #1
    b.ne f
    ret
.type f,%function
.size f, .-f
S
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/path.s" -o "$dir/path.o"
isa=aarch64 triple=aarch64 cpu=cortex-a57 features=+neon
mca -mcpu=$cpu --symbol f --loops "$dir/path.o" > "$dir/f" 2>&1
check 'the straight path' line 'Analysed: the straight path, 3 of the blocks, 5 instructions, 0x0-0xb 0x14-0x1b' "$dir/f"
printf 'cbz x0, second\nadd x1, x1, x2\nb third\nsubs x3, x3, #1\nb.ne f\n' > "$dir/piece.s"
as_llvm 'straight path' "$dir/f" 0 "$dir/piece.s"
mca -mcpu=$cpu --symbol f --loops --loop-path=all "$dir/path.o" > "$dir/f" 2>&1
check 'all blocks' line 'Analysed: all of it, 0x0-0x1b' "$dir/f"
grep '^    ' "$dir/path.s" | grep -v ret > "$dir/piece.s"
as_llvm 'all blocks' "$dir/f" 0 "$dir/piece.s"

# A switch in a loop: where the indirect jump leads is assumed, and said to be.
cat > "$dir/switch.s" << 'S'
f:
    ldrb w1, [x0], #1
    ldr x2, [x3, x1, lsl #3]
    br x2
    add x4, x4, #1
    b next
    mul x4, x4, x4
    b next
    sub x4, x4, #1
next:
    subs x5, x5, #1
    b.ne f
    ret
.type f,%function
.size f, .-f
S
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/switch.s" -o "$dir/switch.o"
mca -mcpu=$cpu --symbol f --loops "$dir/switch.o" > "$dir/f" 2>&1
check 'cases belong to the loop' line 'Loop:     5 blocks, 10 instructions, depth 1' "$dir/f"
check 'an indirect jump is told of' grep -q '^Indirect: 1 jump, 1 of them analysed: each ends a block' "$dir/f"

# Code that is entered in its middle is no loop; neither is straight code.
printf 'f:\ncbz x0, middle\nback: add x1, x1, #1\nmiddle: subs x2, x2, #1\nb.ne back\nret\n.type f,%%function\n.size f, .-f\n' > "$dir/two.s"
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/two.s" -o "$dir/two.o"
mca -mcpu=$cpu --symbol f --loops "$dir/two.o" > "$dir/f" 2> "$dir/err"
check 'no loop is an error' test $? -eq 1
check 'and said so' line 'error: no loops found' "$dir/err"
check 'with the reason' line 'note: 1 jump back into code that is entered elsewhere, too: not a loop' "$dir/err"
mca -mcpu=$cpu -mtriple=aarch64 --loops "$dir/two.s" > "$dir/f" 2> "$dir/err"
check 'assembly text is refused' test $? -eq 1
check 'in words' grep -q '^error: --loops needs machine code' "$dir/err"
closing
