#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The hottest blocks by sampled addresses: shares by hand, and of a program that perf has sampled.
# usage: pcs.sh SLOTLEDGER FOLDER   (closes with "N passed, N failed, N skipped")
set -u
tool=$1 dir=$2
mkdir -p "$dir"
suite=pcs
. "$(dirname "$0")/lib.sh"
need llvm-mc-19 gcc perf
mca() { timeout 20 "$tool" mca -mcpu=cortex-a57 "$@"; }

# f: 0x0 | 0x4-0xb loop | 0xc call | 0x10-0x17 | 0x18 indirect; g: 0x1c-0x23
cat > "$dir/f.s" << 'S'
f:
    mov x5, x0
loop:
    subs x2, x2, #1
    b.ne loop
    bl g
    mul x0, x0, x0
    add x0, x0, #1
    br x0
g:
    add x0, x0, #2
    ret
.type f,%function
.type g,%function
.size f, g-f
.size g, .-g
S
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/f.s" -o "$dir/f.o" || exit 1
cat > "$dir/list" << 'L'
# address count
0x4 30
8	20   # the same block
000000000000000c
0xC 9
10 15
0x18 5

14
  1c 10
0x1000 9
L
mca --pcs "$dir/list" "$dir/f.o" > "$dir/out" 2> "$dir/err"
check 'exit status' test $? -eq 0
cat > "$dir/want" << 'L'

Samples: 100, of these 91 in 4 blocks of the code

  Share     Samples  Block
 50.00%          50  f 0x4-0xb, 2 instructions, all of loop 1; ends with a conditional branch
 21.00%          21  f 0x10-0x1b, 3 instructions, in no loop; ends with an indirect jump
 10.00%          10  f 0xc-0xf, 1 instruction, in no loop; ends with a call
 10.00%          10  g 0x1c-0x23, 2 instructions, in no loop; ends with a return
  9.00%           9  outside of the code that was looked at
L
sed '/Code Region/,$d' "$dir/out" | sed '$d' > "$dir/is"
check 'the table' cmp -s "$dir/want" "$dir/is"
check 'four reports' test "$(grep -c 'Code Region' "$dir/out")" -eq 4
check 'in the order of the table' line '[0] Code Region - f block at 0x4' "$dir/out"
check 'a whole loop' line 'Block:    50.00% of the samples; all of loop 1' "$dir/out"
check 'no loop' line 'Block:    21.00% of the samples; in no loop: repeated here as if it were a loop' "$dir/out"
check 'an indirect jump' line 'Ends:     with an indirect jump: where it leads is not known' "$dir/out"
check 'a call' line 'Ends:     with a call: what is called is not in the report' "$dir/out"

mca --pcs "$dir/list" --hottest 1 "$dir/f.o" > "$dir/out" 2> "$dir/err"
check 'one report' test "$(grep -c 'Code Region' "$dir/out")" -eq 1
check 'the others are counted' line ' 41.00%          41  in 3 more' "$dir/out"
mca --range 4-12 "$dir/f.o" 2> /dev/null | sed -n '/^Iterations/,$p' > "$dir/want"
sed -n '/^Iterations/,$p' "$dir/out" > "$dir/is"
check 'the report of the block is that of its range' cmp -s "$dir/want" "$dir/is"

mca --pcs "$dir/list" --symbol g "$dir/f.o" > "$dir/out" 2> "$dir/err"
check 'of one function only' line 'Samples: 100, of these 10 in 1 block of the code' "$dir/out"
printf '55550004 7\n55550010 3\n' > "$dir/moved"
mca --pcs "$dir/moved" --pcs-base 0x55550000 "$dir/f.o" > "$dir/out" 2> "$dir/err"
check 'loaded elsewhere' line ' 70.00%           7  f 0x4-0xb, 2 instructions, all of loop 1; ends with a conditional branch' "$dir/out"
mca --pcs "$dir/moved" "$dir/f.o" > "$dir/out" 2> "$dir/err"
check 'no sample in the code: status' test $? -eq 1
check 'no sample in the code' grep -q '^error: none of the 10 samples is in the code' "$dir/err"

refuses() { # refuses NAME TEXT MESSAGE
    printf "$2" > "$dir/bad"
    mca --pcs "$dir/bad" "$dir/f.o" > "$dir/out" 2> "$dir/err"
    check "$1: status" test $? -eq 1
    check "$1: no output" test ! -s "$dir/out"
    check "$1" grep -qF -- "slotledger: $dir/bad:$3" "$dir/err"
    check "$1: said once" test "$(grep -c "$dir/bad:" "$dir/err")" -eq 1
}
refuses 'a word' '4 1\nfoo 2\n' "2: no address: 'foo'; expected"
refuses 'an address of 65 bits' '10000000000000000\n' "1: no address: '10000000000000000'"
refuses 'a count of nothing' '4 0\n' "1: no count: '0'"
refuses 'a hexadecimal count' '4 a\n' "1: no count: 'a'"
refuses 'three words' '4\n\n4 1 f+0x4\n' "3: more than an address and a count: 'f+0x4'"
refuses 'too many' '4 4611686018427387905\n' "1: too many samples"
refuses 'nothing' '# no\n' '1: no addresses'
refuses 'control characters' '4 \033[31m\n' "1: no count: '?[31m'"

# A board's dump of SPE records: program counters 4, 4, 8, 0x10.
pc() { # pc ADDRESS_BYTE: address packet of index 0 (EL1, non-secure), end packet
    printf '\\260\\%03o\\000\\000\\000\\000\\000\\000\\240\\001' "$1"
}
printf "$(pc 4)$(pc 4)$(pc 8)$(pc 16)" > "$dir/core0"
if [ -n "${GENDUMP:-}" ]; then
    "$GENDUMP" "$dir/dump" 0x410fd490 0 0 "$dir/core0" || exit 1
    mca --pcs "$dir/dump" "$dir/f.o" > "$dir/out" 2> "$dir/err"
    check 'a dump' line ' 75.00%           3  f 0x4-0xb, 2 instructions, all of loop 1; ends with a conditional branch' "$dir/out"
else
    check 'GENDUMP is set' false
fi

# A program of one hot loop, sampled by perf.
cat > "$dir/hot.c" << 'S'
__attribute__((noinline)) unsigned long hot(unsigned long x, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}
int main(int argc, char **argv)
{
    (void)argv;
    return (int)(hot((unsigned long)argc, 200000000u) & 1);
}
S
gcc -O2 -fno-pie -no-pie -o "$dir/hot" "$dir/hot.c" || exit 1
perf record -q -e cpu-clock:u -o "$dir/perf.data" "$dir/hot" > "$dir/perf.out" 2>&1
perf script -i "$dir/perf.data" -F ip 2> /dev/null > "$dir/pcs"
check 'perf has samples' test "$(wc -l < "$dir/pcs")" -ge 20
"$tool" mca -mcpu=znver3 --pcs "$dir/pcs" "$dir/hot" > "$dir/out" 2> "$dir/err"
check 'the hot loop of a sampled program' sh -c "sed -n 5p '$dir/out' | grep -Eq '^ *(9[0-9]|100)\.[0-9][0-9]% +[0-9]+  hot 0x.*, all of loop 1; ends with a conditional branch'"
closing
