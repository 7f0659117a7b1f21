#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Models from files, and loads by level of memory. Expected figures: the llvm-mca manual's printed example, llvm-mca-19's own
# reports, and sums done by hand.
# usage: model.sh TOOL OUTDIR LIBRARY CC   (closes with "N passed, N failed, N skipped")
set -u
tool=$1 out=$2 library=$3 cc=$4
pass=0 fail=0
mkdir -p "$out"
verdict() { if [ "$1" = 0 ]; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "model: $2"; fi; }
same() { [ "$1" = "$2" ]; verdict $? "$3: '$1', expected '$2'"; }
cycles() { "$tool" mca "$@" 2> "$out/err" | sed -n 's/^Total Cycles: *//p'; }
models=fixtures/models dot=fixtures/golden/dot-product.s

# The manual: 300 iterations take 610 cycles, IPC 1.48, and these timeline lines.
set -- --model $models/btver2-haddps3.yaml -mtriple=x86_64-unknown-unknown
same "$(cycles "$@" -iterations=300 $dot)" 610 'dot product of the manual'
same "$("$tool" mca "$@" -iterations=300 $dot | sed -n 's/^IPC: *//p')" 1.48 'its IPC'
same "$("$tool" mca "$@" -iterations=3 -timeline $dot | grep '^\[' | sed -n 's/ *v.*//; /^\[2,2\]/p')" '[2,2]     .   D======eeeER' 'its last line'
same "$(cycles -mtriple=x86_64-unknown-unknown -mcpu=btver2 -iterations=300 $dot)" \
    "$(llvm-mca-19 -mtriple=x86_64-unknown-unknown -mcpu=btver2 -iterations=300 $dot | sed -n 's/^Total Cycles: *//p')" 'without the file'
"$tool" model diff btver2 $models/btver2-haddps3.yaml > "$out/diff"
same "$?,$(grep -c 'latency 4.*latency 3' "$out/diff")" 3,4 'what the file changes'
same "$("$tool" model diff btver2 btver2)" 'no differences' 'btver2 and btver2'

# The invented core. An iteration by hand: ld at 0, ld at 1, mul at 4 (three cycles behind the second load), add at 8, then
# one instruction a cycle up to 11; the next one starts at 12. The last instruction ends the run in cycle 1200.
set -- --model $models/tiny-rv64.yaml -mattr=+m
same "$(cycles "$@" $models/dot-rv64.s)" 1201 'the invented core'
same "$("$tool" mca "$@" $models/dot-rv64.s | head -1)" \
    'Model tiny-rv64: latency cycles that are guesses 11 of 14 (78.6%), unit cycles that are guesses 4 of 7 (57.1%)' 'guesses'
"$tool" model check $models/tiny-rv64.yaml > "$out/checked"
verdict $? 'the invented core is not accepted'
"$tool" model compile --blob -o "$out/tiny.blob" $models/tiny-rv64.yaml &&
    same "$(cycles --model "$out/tiny.blob" -mattr=+m $models/dot-rv64.s)" 1201 'its blob'
"$tool" model compile -o "$out/tiny.c" $models/tiny-rv64.yaml &&
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -Icore/include tests/cli/model_run.c "$out/tiny.c" "$library" -o "$out/run"
same "$("$out/run")" 1201 'its C table'

# Loads. A chain of 1000 loads takes the sum of their latencies, and one cycle to retire.
printf '\tldr\tx0, [x0]\n' > "$out/chase.s"
set -- -mtriple=aarch64 -mcpu=cortex-a55 -iterations=1000
same "$(cycles "$@" --load-latency l1=4:0.9,l2=14:0.08,mem=120:0.02 "$out/chase.s")" $((900 * 4 + 80 * 14 + 20 * 120 + 1)) 'a chain of loads'
same "$(cycles "$@" --load-latency mem=120 "$out/chase.s")" 120001 'a chain of misses'
# Each load has its shares: the chain takes 150 * 4 + 50 * 60 cycles whatever the load beside it does, and the start.
printf '\tldr\tx1, [x0], #8\n\tldr\tx3, [x3]\n' > "$out/two.s"
got=$(cycles -mtriple=aarch64 -mcpu=neoverse-n1 -iterations=200 --load-latency l1=4:0.75,mem=60:0.25 "$out/two.s")
[ "$got" -ge 3600 ] && [ "$got" -le 3610 ]
verdict $? "two loads with shares of their own: $got cycles"
for target in 'aarch64 -mcpu=cortex-a57' 'aarch64 -mcpu=cortex-a55' 'riscv64 -mcpu=sifive-u74'; do
    case $target in aarch64*) asm='\tldr\tx1, [x0], #8\n\tadd\tx2, x2, x1\n' ;; *) asm='\tld\ta1, 0(a0)\n\tadd\ta2, a2, a1\n' ;; esac
    # shellcheck disable=SC2059 # the text is the format
    printf "$asm" > "$out/sum.s"
    # With the model's own latency everywhere nothing but the note changes.
    # shellcheck disable=SC2086 # words
    own=$("$tool" mca -mtriple=$target --load-latency l1=9 "$out/sum.s" | sed -n "s/.*model's \([0-9]*\) cycles.*/\1/p")
    # shellcheck disable=SC2086
    "$tool" mca -mtriple=$target --load-latency "l1=$own" -all-views "$out/sum.s" 2> "$out/err" | sed 1,2d > "$out/own"
    # shellcheck disable=SC2086
    llvm-mca-19 -mtriple=$target -all-views "$out/sum.s" 2> "$out/err" | cmp - "$out/own"
    verdict $? "loads of the model's own latency: $target"
done

# Mistakes: one line, exit status 1.
wrong() { # wrong WORD COMMAND...
    word=$1
    shift
    "$tool" "$@" > "$out/out" 2> "$out/err"
    same "$?,$(wc -l < "$out/err"),$(grep -c -- "$word" "$out/err")" 1,1,1 "$*"
}
wrong 'add up to less' mca --load-latency l1=4:0.5 $dot
wrong 'no built-in CPU' model show nosuch
wrong 'two CPUs' model diff btver2
wrong 'is expected' model frobnicate
wrong 'instruction-tables' mca -mtriple=x86_64 -mcpu=btver2 --load-latency l1=4 -instruction-tables $dot
printf 'cpu: x\ninherit: btver2\nclasses:\n  - {op: VADDPSrr, latency: fast}\n' > "$out/bad.yaml"
wrong "bad.yaml:4: latency" model check "$out/bad.yaml"
wrong "bad.yaml:4: latency" mca --model "$out/bad.yaml" $dot
head -c 300 "$out/tiny.blob" > "$out/short.blob"
wrong 'cannot be used' mca --model "$out/short.blob" $models/dot-rv64.s
wrong 'a model of riscv64' mca --model $models/tiny-rv64.yaml -mtriple=aarch64 "$out/chase.s"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
