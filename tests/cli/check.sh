#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The gate: baselines beside figures of `slotledger mca` and hand-made changes of them, tolerances, exit statuses.
# usage: check.sh SLOTLEDGER FOLDER   (closes with "N passed, N failed, N skipped")
set -u
tool=$1 dir=$2
mkdir -p "$dir"
suite=check
. "$(dirname "$0")/lib.sh"
need llvm-mc-19
gate() { # gate STATUS NAME OPTIONS...
    want=$1 what=$2
    shift 2
    timeout 20 "$tool" check "$@" > "$dir/out" 2> "$dir/err"
    is=$?
    check "$what: status $is, not $want" test $is -eq "$want"
}

# Two functions with one loop each, in two versions: the second has a longer loop in g, h in the place of f's name.
write() { # write NAME EXTRA
    cat > "$dir/s.s" << S
$1:
    subs x2, x2, #1
    b.ne $1
    ret
g:
    madd x0, x1, x0, x0
    $2
    subs x2, x2, #1
    b.ne g
    ret
.type $1,%function
.type g,%function
.size $1, g-$1
.size g, .-g
S
}
write f ''
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/s.s" -o "$dir/old.o" || exit 1
write h 'madd x0, x1, x0, x0'
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/s.s" -o "$dir/new.o" || exit 1
base=$dir/base

gate 0 'writing' --baseline "$base" --update --loops -mcpu=cortex-a57 "$dir/old.o"
check 'nothing is printed' test ! -s "$dir/out"
# Independent of the gate: totals of the report, by hand for one of 100 iterations and three slots a cycle.
total() { "$tool" mca -mcpu=cortex-a57 --loops --symbol "$1" "$2" | awk '/^Total Cycles/ { print $3 }'; }
hundredth() { # hundredth N: N / 100 with three digits
    printf '%d.%02d0' $(($1 / 100)) $(($1 % 100))
}
share() { # share UOPS CYCLES: of the slots, rounded
    h=$(((100 * $1 * 10000 + 3 * $2 / 2) / (3 * $2)))
    printf '%d.%02d%%' $((h / 100)) $((h % 100))
}
tf=$(total f "$dir/old.o") tg=$(total g "$dir/old.o")
cat > "$dir/want" << L
slotledger-baseline 1
cpu cortex-a57
iterations 100
regions loops
cycles=$(hundredth "$tf") slots=$(hundredth $((3 * tf))) retiring=$(share 2 "$tf") bytes=8 instructions=2 f loop 1
cycles=$(hundredth "$tg") slots=$(hundredth $((3 * tg))) retiring=$(share 3 "$tg") bytes=12 instructions=3 g loop 1
L
check 'the baseline' cmp -s "$dir/want" "$base"

gate 0 'the same build' --baseline "$base" --loops "$dir/old.o"
check 'is the same' line 'no regression: 2 same, 0 better, 0 within tolerance, 0 worse, 0 missing, 0 new' "$dir/out"
gate 2 'another build' --baseline "$base" --loops "$dir/new.o"
check 'is worse' line 'regression: 0 same, 0 better, 0 within tolerance, 1 worse, 1 missing, 1 new' "$dir/out"
check 'names what is worse' line 'WORSE  g loop 1' "$dir/out"
check 'says how much' line '  ! bytes                  12 ->          16   +33.33%  tolerance 0' "$dir/out"
check 'instructions may grow' line '    instructions            3 ->           4   +33.33%' "$dir/out"
check 'names what is missing' grep -q '^MISSING  f loop 1: ' "$dir/out"
check 'names what is new' grep -q '^new  h loop 1: ' "$dir/out"

# Changes of the baseline by hand.
edit() { sed "$1" "$base" > "$dir/edited"; }
edit 's/bytes=12/bytes=10/'
gate 2 'larger code' --baseline "$dir/edited" --loops "$dir/old.o"
gate 0 'within a share' --baseline "$dir/edited" --loops --tolerance bytes=20% "$dir/old.o"
check 'is told of' line 'within tolerance  g loop 1' "$dir/out"
check 'and counted' line 'no regression: 1 same, 0 better, 1 within tolerance, 0 worse, 0 missing, 0 new' "$dir/out"
gate 2 'over a share' --baseline "$dir/edited" --loops --tolerance bytes=19.99% "$dir/old.o"
check 'with the tolerance' line '  ! bytes                  10 ->          12   +20.00%  tolerance 19.99%' "$dir/out"
gate 0 'within units' --baseline "$dir/edited" --loops --tolerance cycles=1%,bytes=2 "$dir/old.o"
gate 2 'over units' --baseline "$dir/edited" --loops --tolerance bytes=1 "$dir/old.o"
edit 's/instructions=3/instructions=2/'
gate 0 'instructions alone' --baseline "$dir/edited" --loops "$dir/old.o"
gate 2 'unless asked for' --baseline "$dir/edited" --loops --tolerance instructions=0 "$dir/old.o"
edit 's/bytes=12/bytes=16/'
gate 0 'smaller code' --baseline "$dir/edited" --loops "$dir/old.o"
check 'is better' line 'better  g loop 1' "$dir/out"
edit '/ f loop/d'
gate 0 'something new' --baseline "$dir/edited" --loops "$dir/old.o"
check 'is no regression' line 'no regression: 1 same, 0 better, 0 within tolerance, 0 worse, 0 missing, 1 new' "$dir/out"

# Functions, one function, and a target in words of the baseline.
gate 0 'functions' --baseline "$dir/functions" --update -mcpu=cortex-a53 "$dir/old.o"
check 'are in it' grep -q ' bytes=12 instructions=3 f$' "$dir/functions"
gate 0 'one function' --baseline "$dir/functions" --update -mcpu=cortex-a53 --symbol g "$dir/old.o"
check 'is in it alone' test "$(grep -c '^cycles=' "$dir/functions")" -eq 1
gate 0 'compared' --baseline "$dir/functions" --symbol g "$dir/old.o"

# The same figures whatever the order of the functions in the file; two of one name.
cat > "$dir/twice.s" << 'S'
f: add x0, x0, #1
ret
f2: add x0, x0, #1
add x0, x0, #1
ret
.type f,%function
.type f2,%function
.size f, 8
.size f2, 12
S
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/twice.s" -o "$dir/t.o" && llvm-objcopy-19 --redefine-sym f2=f "$dir/t.o" "$dir/twice.o"
gate 0 'two of one name' --baseline "$dir/twice" --update -mcpu=cortex-a57 "$dir/twice.o"
check 'have numbers' test "$(sed -n 's/.*bytes=\([0-9]*\).* \(f.*\)/\1 \2/p' "$dir/twice" | tr '\n' ',')" = '8 f,12 f (2),'
gate 0 'and are compared' --baseline "$dir/twice" "$dir/twice.o"

refuses() { # refuses NAME SED MESSAGE: the baseline, edited
    sed "$2" "$base" > "$dir/bad"
    gate 1 "$1" --baseline "$dir/bad" --loops "$dir/old.o"
    check "$1: no output" test ! -s "$dir/out"
    check "$1" grep -qF -- "slotledger: $dir/bad:$3" "$dir/err"
    check "$1: said once" test "$(wc -l < "$dir/err")" -eq 1
}
refuses 'another version' '1s/1$/2/' "1: expected 'slotledger-baseline 1': 'slotledger-baseline 2'"
refuses 'no number' 's/bytes=12/bytes=x/' '6: expected cycles=N slots=N'
refuses 'a share over one' 's/retiring=[0-9.]*%/retiring=100.01%/' '5: expected cycles=N slots=N'
refuses 'no name' '5s/ f loop 1//' '5: expected cycles=N slots=N'
refuses 'out of order' '5{h;d};6G' '6: entries are not in the order of their names, or a name is there twice'
refuses 'a name twice' '6{p}' '7: entries are not in the order of their names, or a name is there twice'
refuses 'two processors' '2{p}' '3: expected, once each: cpu NAME'
refuses 'no iterations' '3d' '4: an entry in front of cpu, iterations and regions'
refuses 'iterations of nothing' '3s/100/0/' '3: expected, once each'
refuses 'too large a number' 's/cycles=[0-9]*/cycles=1125899906842625/' '5: expected cycles=N'
refuses 'an empty file' 'd' '1: the file ends without cpu, iterations or regions, behind'
refuses 'control characters' '5s/ f loop/ f\x1bloop/' '5: a name with a byte that does not print'
gate 1 'loops and functions' --baseline "$base" "$dir/old.o"
check 'in words' grep -q 'holds loops: compare with --loops' "$dir/err"
gate 1 'another processor' --baseline "$base" --loops -mcpu=cortex-a53 "$dir/old.o"
check 'both named' grep -q 'is of cortex-a57 and 100 iterations, not of cortex-a53 and 100' "$dir/err"
gate 1 'a wrong tolerance' --baseline "$base" --loops --tolerance cycles=101% "$dir/old.o"
gate 1 'an unknown figure' --baseline "$base" --loops --tolerance speed=1% "$dir/old.o"
gate 1 'no baseline' --loops "$dir/old.o"
gate 1 'a baseline that is not there' --baseline "$dir/none" --loops "$dir/old.o"
gate 1 'a binary that is not there' --baseline "$base" --loops "$dir/none.o"
gate 1 'no place to write' --baseline "$dir/none/x" --update --loops -mcpu=cortex-a57 "$dir/old.o"
closing
