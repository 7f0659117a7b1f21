#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Wait reasons and slots on blocks whose cycles were counted by hand.
# usage: waits.sh PROGRAM   (closes with "N passed, N failed, N skipped")
set -u
OURS=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
pass=0 fail=0
check() { # check NAME COMMAND...
    name=$1
    shift
    if "$@" > /dev/null 2>&1; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "FAIL: $name"
    fi
}
quiet='-summary-view=0 -instruction-info=0 -resource-pressure=0'
run() { "$OURS" mca $quiet "$@"; }

# The dot product of llvm-mca's manual. Multiplication 2 cycles, horizontal addition 4, both from issue; two micro-ops are
# dispatched a cycle and issue a cycle later at the earliest. By hand: [0] issues in 1, [1] has its operand in 3 (cycles 1 and
# 2 lost), [2] is dispatched in 1 and has its operand in 7 (2 to 6). One unit, JFPA, adds: two additions an iteration are
# what it can do in two cycles.
cat > "$dir/dot.s" << 'S'
vmulps %xmm0, %xmm1, %xmm2
vhaddps %xmm2, %xmm2, %xmm3
vhaddps %xmm3, %xmm3, %xmm4
S
x86='-mtriple=x86_64 -mcpu=btver2'
run $x86 -iterations=3 -timeline --waits "$dir/dot.s" > "$dir/out"
row() { grep -F "$1" "$dir/out" | grep -qF "$2"; }
check 'nothing to wait for' row '[0,0]     DeeER.' 'vmulps'
check 'two cycles of data' row '[0,1]     DddeeeeER' '; d: %xmm2 [0,0]'
check 'no slot, five cycles of data' row '[0,2]     sDdddddeeeeER' '; d: %xmm3 [0,1]'
check 'retires behind the older one' row '[1,0]     .DeeEoooooooR' '; o: [0,2]'
run $x86 -iterations=1 --waits "$dir/dot.s" > "$dir/out"
check 'cycles of [1]: 0 before, 8 after, 2 data, 4 executing' row '1         0.00     8.00     2.00     0.00     4.00     0.00' vhaddps
check 'cycles of [2]: 1 before, 11 after, 5 data, 4 executing' row '2         1.00    11.00     5.00     0.00     4.00     0.00' vhaddps
check 'the slots of 13 cycles' grep -q '^Where slots were lost (23 of 26: 2 a cycle)' "$dir/out"
run $x86 -iterations=300 --bottleneck "$dir/dot.s" > "$dir/out"
check 'the adder is the bound' grep -q '\[1\] vhaddps was ready, but unit JFPA was taken by' "$dir/out"
check 'and data is not' sh -c "! grep -q 'waited for' '$dir/out'"

# The same with one accumulator: each addition waits for the one of the iteration before, 3 cycles.
printf 'vaddss %%xmm1, %%xmm0, %%xmm0\n' > "$dir/chain.s"
run $x86 -iterations=300 --bottleneck --slots "$dir/chain.s" > "$dir/out"
check 'latency is the bound' grep -q '\[0\] vaddss waited for %xmm0 from \[0\] vaddss of the iteration before' "$dir/out"
check 'as a path' grep -q 'Bottleneck: Backend Bound > Core Bound > Data Dependencies > Other Results' "$dir/out"

# Level 1 adds up to width x cycles.
sums() { # sums FILE
    awk '/^Slots/ { total = $NF } /^  (Retiring|Frontend Bound|Backend Bound|Unattributed) / { for (i = NF; i > 0; i--) if ($i ~ /^[0-9]+$/) { sum += $i; break } }
         END { exit !(total > 0 && sum == total) }' "$1"
}
check 'slots add up' sums "$dir/out"

# In order. Cortex-A53: a load's value is there after 4 cycles; the load with write-back is two micro-ops and fills its cycle. By
# hand: [1] is next in cycle 0, has no slot there, and waits for x1 in 1 to 3. [3] executes for 3 cycles from 5 on; a load that
# issued in 6 would write its address back in 7, before it.
cat > "$dir/a53.s" << 'S'
ldr x1, [x0], #8
madd x3, x1, x2, x3
sdiv x4, x5, x6
add x7, x7, #1
S
a53='-mtriple=aarch64 -mcpu=cortex-a53'
run $a53 -iterations=2 -timeline --waits --slots "$dir/a53.s" > "$dir/out"
check 'in order: data' row '[0,1]     sdddDeeeE' '; d: x1 [0,0]'
check 'in order: dual issue' row '[0,2]     .   DeeeE' sdiv
check 'in order: write-back order' row '[1,0]     .    sbbDeeeE' '; b: [0,3]'
check 'in order: slots add up' sums "$dir/out"
run $a53 --bottleneck "$dir/a53.s" > "$dir/out" 2> "$dir/err"
check 'in order: a bottleneck' grep -q '\[1\] madd waited for x1 from \[0\] ldr\.' "$dir/out"
check 'without a warning' test ! -s "$dir/err"
run $a53 -bottleneck-analysis "$dir/a53.s" > "$dir/out" 2> "$dir/err"
check "llvm-mca's spelling declines" grep -q 'bottleneck analysis is not supported' "$dir/err"

# Two divisions in a row: one divider, which the second one finds taken.
printf 'sdiv x4, x5, x6\nsdiv x7, x5, x6\n' > "$dir/div.s"
run $a53 --bottleneck --slots "$dir/div.s" > "$dir/out"
check 'in order: unit' grep -q '\[1\] sdiv was ready, but unit A53UnitDiv was taken by \[0\] sdiv' "$dir/out"
check 'in order: by unit' grep -q '^ *A53UnitDiv ' "$dir/out"

# JSON has its own member, and only when asked for.
run $x86 --json "$dir/dot.s" > "$dir/plain"
run $x86 --json --waits --slots -timeline "$dir/dot.s" > "$dir/json"
check 'JSON without' sh -c "! grep -q slotledger '$dir/plain'"
for member in AfterDispatch BeforeDispatch LostSlots Slots Timeline; do
    check "JSON: $member" grep -q "\"$member\": [[{]" "$dir/json"
done
json_slots() { # used and lost slots are the total
    awk '/"LostSlots"/ { lost = 1 } /"Slots": \{/ { lost = 0 } lost && /"Slots": [0-9]/ { sum += $2 }
         /"Name": "retiring"/ { r = 1 } r && /"Slots"/ { sum += $2; r = 0 } /"Total":/ { total = $2 + 0 }
         END { exit !(total > 0 && sum == total) }' "$1"
}
check 'JSON: slots add up' json_slots "$dir/json"

# The views change nothing else.
"$OURS" mca $x86 -all-views "$dir/dot.s" > "$dir/without"
"$OURS" mca $x86 -all-views --waits --slots "$dir/dot.s" > "$dir/with"
check 'llvm-mca views stay' sh -c "head -n \$(wc -l < '$dir/without') '$dir/with' | cmp - '$dir/without'"
run $x86 -instruction-tables --waits --slots "$dir/dot.s" > "$dir/out"
check 'instruction tables have none' sh -c "! grep -q 'Wait reasons' '$dir/out'"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
