#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the bare-metal program in QEMU and holds its numbers against those of the tool on the same bytes.
# usage: run.sh mca_self.elf SLOTLEDGER   (closes with "N passed, N failed, N skipped")
set -u
elf=$1 tool=$2
dir=$(dirname "$elf")
pass=0 fail=0
same() { # same NAME EXPECTED_FILE ACTUAL_FILE
    if [ -s "$2" ] && cmp -s "$2" "$3"; then
        pass=$((pass + 1)) && echo "qemu: $1: equal"
    else
        fail=$((fail + 1)) && echo "qemu: $1: differs (board, host):" && cat "$2" "$3"
    fi
}
numbers='^(Iterations|Instructions|Total Cycles|Total uOps):'

# Semihosting writes to QEMU's standard error; main's value is QEMU's exit status.
timeout 60 qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a53 -nographic -nic none -m 64 \
    -semihosting-config enable=on,target=native -kernel "$elf" > "$dir/board.txt" 2>&1 < /dev/null
status=$?
cat "$dir/board.txt"
if [ "$status" -eq 0 ]; then
    pass=$((pass + 1))
else
    fail=$((fail + 1)) && echo "qemu: status $status (124: it hung)"
fi
tr -d '\r' < "$dir/board.txt" | grep -E "$numbers" > "$dir/board.numbers"

"$tool" mca -mcpu=cortex-a53 -iterations=100 --symbol dot_product "$elf" > "$dir/host.txt" 2>&1
grep -E "$numbers" "$dir/host.txt" > "$dir/host.numbers" || cat "$dir/host.txt"
same 'host, --symbol' "$dir/board.numbers" "$dir/host.numbers"

llvm-objcopy-19 -O binary --only-section=predicted "$elf" "$dir/predicted.bin"
"$tool" mca -mtriple=aarch64 -mcpu=cortex-a53 -iterations=100 --raw "$dir/predicted.bin" > "$dir/raw.txt" 2>&1
grep -E "$numbers" "$dir/raw.txt" > "$dir/raw.numbers" || cat "$dir/raw.txt"
same 'host, --raw' "$dir/board.numbers" "$dir/raw.numbers"

echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
