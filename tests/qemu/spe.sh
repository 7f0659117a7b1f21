#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs tests/qemu/spe_fold.c on boards in QEMU and on the host: all print the same table; and `slotledger c2c report`
# counts the same on the same buffers.
# usage: spe.sh BUILD_FOLDER SLOTLEDGER   (closes with "N passed, N failed, N skipped")
set -u
build=$1 tool=$2
dir=$build/host/qemu
pass=0 fail=0
same() { # same NAME EXPECTED_FILE ACTUAL_FILE
    if [ -s "$2" ] && cmp -s "$2" "$3"; then
        pass=$((pass + 1)) && echo "qemu-spe: $1: equal ($(wc -l < "$2") lines)"
    else
        fail=$((fail + 1)) && echo "qemu-spe: $1: differs (host, then this):" && diff "$2" "$3" | head -20
    fi
}
board() { # board NAME COMMAND...: the program's output; semihosting writes to QEMU's standard error
    name=$1
    shift
    timeout 120 "$@" -nographic -nic none -semihosting-config enable=on,target=native > "$dir/$name.raw" 2>&1 < /dev/null
    status=$?
    tr -d '\r' < "$dir/$name.raw" > "$dir/$name.txt"
    [ "$status" -eq 0 ] || { fail=$((fail + 1)) && echo "qemu-spe: $name: status $status (124: it hung)"; }
    same "$name" "$dir/host.txt" "$dir/$name.txt"
}
"$dir/spe_fold" "$dir/core0" "$dir/core1" "$dir/core2" "$dir/core3" > "$dir/host.txt" || fail=$((fail + 1))
board aarch64 qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a53 -m 64 -kernel "$build/aarch64/qemu/spe_fold.elf"
board rv64 qemu-system-riscv64 -M virt -bios none -m 64 -kernel "$build/rv64/qemu/spe_fold.elf"
board rv32 qemu-system-riscv32 -M virt -bios none -m 64 -kernel "$build/rv32/qemu/spe_fold.elf"

# The tool's statistics, by the labels that the program prints, too.
labels='^(Total records|Load Operations|Store Operations|Load HIT Local Peer|Load HIT Remote Peer) '
grep -E "$labels" "$dir/host.txt" | sort -u > "$dir/host.totals"
"$tool" c2c report --stdio --stats --midr 0x413fd0c1 --spe-raw "$dir/core0,$dir/core1,$dir/core2,$dir/core3" 2> "$dir/err" |
    sed -n 's/^  \(.*[^ ]\) *: *\([0-9]*\)$/\1 \2/p' | grep -E "$labels" | sort -u > "$dir/tool.totals"
same 'slotledger c2c report' "$dir/host.totals" "$dir/tool.totals"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
