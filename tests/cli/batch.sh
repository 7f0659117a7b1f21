#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Many functions and files in one process: each report is the one of the function alone, shared work changes nothing, and
# what fails does not end the rest.
# usage: batch.sh SLOTLEDGER FOLDER   (closes with "N passed, N failed, N skipped")
set -u
tool=$1 dir=$2
mkdir -p "$dir"
suite=batch
. "$(dirname "$0")/lib.sh"
for kernel in bits strings; do
    clang-19 --target=aarch64-none-elf -O2 -c "fixtures/kernels/$kernel.c" -o "$dir/$kernel.o" || exit 1
done
mca="$tool mca -mcpu=cortex-a57"

# The reports of one function after the other, with the headers numbered as the batch numbers them.
one_by_one() {
    n=0
    llvm-nm-19 --numeric-sort --defined-only "$dir/bits.o" | awk '$2 == "T" { print $3 }' | while read -r name; do
        printf '\n[%d] Code Region - %s\n\n' $n "$name"
        $mca --symbol "$name" "$dir/bits.o" 2> "$dir/err" || exit 1
        n=$((n + 1))
    done
}
one_by_one > "$dir/single"
$mca --all-symbols "$dir/bits.o" > "$dir/all" 2> "$dir/all.err"
check 'every function as by itself' cmp -s "$dir/single" "$dir/all"
check 'there are functions' test "$(grep -c 'Code Region' "$dir/all")" -ge 5

$mca --symbol 'bit_[a-r]*' "$dir/bits.o" > "$dir/some" 2> "$dir/err"
check 'a pattern' test "$(grep -c 'Code Region' "$dir/some")" -eq \
    "$(llvm-nm-19 --defined-only "$dir/bits.o" | grep -c ' T bit_[a-r]')"

$mca --all-symbols "$dir/bits.o" "$dir/strings.o" > "$dir/two" 2> "$dir/two.err"
for jobs in 2 3; do
    $mca --all-symbols --jobs $jobs "$dir/bits.o" > "$dir/jobs" 2> "$dir/jobs.err"
    check "regions shared by $jobs" cmp -s "$dir/all" "$dir/jobs"
    check "messages shared by $jobs" cmp -s "$dir/all.err" "$dir/jobs.err"
    $mca --all-symbols --jobs $jobs "$dir/bits.o" "$dir/strings.o" > "$dir/jobs" 2> "$dir/jobs.err"
    check "files shared by $jobs" cmp -s "$dir/two" "$dir/jobs"
done

$mca --all-symbols --json-lines "$dir/bits.o" > "$dir/lines" 2> "$dir/err"
check 'a line a region' test "$(wc -l < "$dir/lines")" -eq "$(grep -c 'Code Region' "$dir/all")"
check 'each line an object' test "$(grep -c '^{"File":".*bits.o","Region":"[a-z0-9_]*","Report":{.*}}$' "$dir/lines")" -eq \
    "$(wc -l < "$dir/lines")"

# A function of no instructions in the middle, and a file that is not there.
cat > "$dir/bad.s" << 'S'
.text
.type one,%function
one: add x0, x0, x1
.size one, .-one
.type broken,%function
broken: .inst 0xffffffff
.size broken, .-broken
.type two,%function
two: add x0, x0, x2
.size two, .-two
S
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/bad.s" -o "$dir/bad.o" || exit 1
$mca --all-symbols "$dir/bad.o" > "$dir/out" 2> "$dir/err"
check 'a failure is told' test $? -eq 1
check 'the rest is there' test "$(grep -c 'Code Region' "$dir/out")" -eq 2
check 'with its name' grep -q 'no report on broken of ' "$dir/err"
check 'and counted' grep -q '^slotledger: 1 of 3 regions failed$' "$dir/err"
$mca --batch "$dir/missing.o" "$dir/bad.o" > "$dir/out" 2> "$dir/err"
check 'a missing file is told' test $? -eq 1
$mca --all-symbols --json-lines --jobs 2 "$dir/missing.o" "$dir/bad.o" > "$dir/out" 2> "$dir/err"
check 'failures are lines, too' test "$(grep -c '"Error":' "$dir/out")" -eq 2
check 'beside reports' test "$(grep -c '"Report":' "$dir/out")" -eq 2
$mca --symbol 'nothing*' "$dir/bits.o" > "$dir/out" 2> "$dir/err"
check 'no match' grep -q "no function matches 'nothing\*'" "$dir/err"
$mca "$dir/bits.o" "$dir/strings.o" > "$dir/out" 2> "$dir/err"
check 'several files need a batch option' grep -q 'Too many positional arguments' "$dir/err"
closing
