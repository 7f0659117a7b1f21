#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Speed, start-up time and memory beside llvm-mca-19 in one run, on the blocks of fixtures/bench.
# usage: bench.sh SLOTLEDGER FOLDER_OF_BENCH_PROGRAMS   (BENCH_ITERATIONS: default 1000000)
set -eu
tool=$1 bin=$2
iterations=${BENCH_ITERATIONS:-1000000}
reference=${LLVM_MCA:-llvm-mca-19}
dir=$bin/objects
mkdir -p "$dir"

options_of() { sed -n '1s/^# *//p' "$1"; }
assemble() { # assemble FILE.s: prints the path of its object
    # shellcheck disable=SC2046 # the options are words
    llvm-mc-19 -filetype=obj $(options_of "$1" | sed s/-mtriple/-triple/) "$1" -o "$dir/$(basename "$1" .s).o" && echo "$dir/$(basename "$1" .s).o"
}
insns_of() { sed '1d; s/#.*//; /^[ \t]*$/d' "$1" | wc -l; }

# Processor time, which other work on the machine disturbs least.
echo "every cycle of $iterations iterations, default views, M instructions per second of processor time:"
printf '  %-20s %12s %12s %8s\n' block slotledger "$reference" ratio
for block in fixtures/bench/*.s; do
    object=$(assemble "$block")
    # shellcheck disable=SC2046
    ours=$("$bin/run_child" 1 "$tool" mca $(options_of "$block") -no-extrapolate -iterations="$iterations" "$object")
    # shellcheck disable=SC2046
    theirs=$("$bin/run_child" 1 "$reference" $(options_of "$block") -iterations="$iterations" "$block")
    echo "$ours $theirs $(($(insns_of "$block") * iterations)) $(basename "$block" .s)"
done > "$dir/speed"
awk '{ r = $5 / $2; printf "  %-20s %12.2f %12.2f %7.1fx\n", $8, $7 / $2, $7 / $5, r
       log_sum += log(r); if (NR == 1 || r < least) least = r }
     END { printf "  geometric mean %.1fx, least %.1fx (limit 10x, aim 20x: %s)\n", exp(log_sum / NR), least, (least >= 10 ? "ok" : "under") }' "$dir/speed"

# Whole processes; those without a recurrence do not count.
echo "extrapolated, ms of processor time, least of 21 runs: 10000000 iterations against 1000:"
for block in fixtures/bench/*.s; do
    object=$dir/$(basename "$block" .s).o
    # shellcheck disable=SC2046
    few=$("$bin/run_child" 21 "$tool" mca $(options_of "$block") -iterations=1000 "$object")
    # shellcheck disable=SC2046
    many=$("$bin/run_child" 21 "$tool" mca $(options_of "$block") -iterations=10000000 "$object")
    # shellcheck disable=SC2046
    note=$("$tool" mca $(options_of "$block") -iterations=10000000 -show-extrapolation "$object" 2>&1 > /dev/null | sed -n 's/^note: extrapolation: //p')
    echo "$few $many $(basename "$block" .s) $note"
done | awk '{ printf "  %-20s %8.2f %8.2f %5.2fx  ", $7, $2 / 1000, $5 / 1000, $5 / $2; most = $5 / $2 > most ? $5 / $2 : most
              for (i = 8; i <= NF; i++) printf " %s", $i; print "" }
            END { printf "  most %.2fx (limit 2x: %s)\n", most, (most <= 2 ? "ok" : "over") }'

block=fixtures/bench/hash_znver4.s
object=$dir/$(basename "$block" .s).o
echo "whole process on an object of $(insns_of "$block") instructions, least of 51 runs:"
# shellcheck disable=SC2046
ours=$("$bin/run_child" 51 "$tool" mca $(options_of "$block") "$object")
# shellcheck disable=SC2046
theirs=$("$bin/run_child" 51 "$reference" $(options_of "$block") "$block")
echo "$ours $theirs" | awk '{
    printf "  %-12s %8.2f ms wall %8.2f ms processor %8d KB\n", "slotledger", $1 / 1000, $2 / 1000, $3
    printf "  %-12s %8.2f ms wall %8.2f ms processor %8d KB\n", "llvm-mca-19", $4 / 1000, $5 / 1000, $6
    printf "  processor time 1/%.1f (limit 1/20: %s), memory 1/%.1f (limit 1/10: %s)\n", $5 / $2, ($5 >= 20 * $2 ? "ok" : "over"), $6 / $3, ($6 >= 10 * $3 ? "ok" : "over") }'
