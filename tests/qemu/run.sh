#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the bare-metal program in QEMU, once for each instruction set, and holds its numbers against those of the tool on the
# same bytes.
# usage: run.sh SLOTLEDGER build/TARGET/qemu/mca_self.elf...   (closes with "N passed, N failed, N skipped")
set -u
tool=$1
shift
pass=0 fail=0
same() { # same NAME EXPECTED_FILE ACTUAL_FILE
    if [ -s "$2" ] && cmp -s "$2" "$3"; then
        pass=$((pass + 1)) && echo "qemu: $1: equal"
    else
        fail=$((fail + 1)) && echo "qemu: $1: differs (board, host):" && cat "$2" "$3"
    fi
}
numbers='^(Iterations|Instructions|Total Cycles|Total uOps):'

for elf; do
    dir=$(dirname "$elf")
    case $elf in
        */aarch64/*) machine='aarch64 -M virt,gic-version=3 -cpu cortex-a53 -m 64' triple=aarch64 cpu=cortex-a53 ;;
        */rv64/*) machine='riscv64 -M virt -bios none -cpu rv64 -m 64' triple=riscv64 cpu=rocket-rv64 ;;
        */cortex_m7/*) machine='arm -M mps2-an500' triple=thumbv7em cpu=cortex-m7 ;;
        */armv81m/*) machine='arm -M mps3-an547' triple=thumbv8.1m.main cpu=cortex-m55 ;;
        *) echo "qemu: no machine for $elf" && fail=$((fail + 1)) && continue ;;
    esac
    # Semihosting writes to QEMU's standard error; main's value is QEMU's exit status.
    # shellcheck disable=SC2086 # words
    timeout 60 qemu-system-$machine -nographic -nic none \
        -semihosting-config enable=on,target=native -kernel "$elf" > "$dir/board.txt" 2>&1 < /dev/null
    status=$?
    cat "$dir/board.txt"
    if [ "$status" -eq 0 ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1)) && echo "qemu: $triple: status $status (124: it hung)"
    fi
    tr -d '\r' < "$dir/board.txt" | grep -E "$numbers" > "$dir/board.numbers"

    "$tool" mca -mcpu=$cpu -iterations=100 --symbol dot_product "$elf" > "$dir/host.txt" 2>&1
    grep -E "$numbers" "$dir/host.txt" > "$dir/host.numbers" || cat "$dir/host.txt"
    same "$triple, --symbol" "$dir/board.numbers" "$dir/host.numbers"

    llvm-objcopy-19 -O binary --only-section=predicted "$elf" "$dir/predicted.bin"
    "$tool" mca -mtriple=$triple -mcpu=$cpu -iterations=100 --raw "$dir/predicted.bin" > "$dir/raw.txt" 2>&1
    grep -E "$numbers" "$dir/raw.txt" > "$dir/raw.numbers" || cat "$dir/raw.txt"
    same "$triple, --raw" "$dir/board.numbers" "$dir/raw.numbers"
done

echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
