#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every CPU name that llvm-mca knows a model for, on one small block each, and what compilers do not write
# (hand/riscv.s on three CPUs, all views; labels without names, dots): slotledger mca against llvm-mca.
set -u
. "$(dirname "$0")/lib.sh"
mkdir -p "$OUT"
sed '/^#/d' "$here/names.txt" > "$OUT/names.list"
while read -r isa cpu; do
    compare "name-$cpu" "$here/name_$isa.s" -mtriple="$isa" -mcpu="$cpu" -timeline -iterations=12 \
        -skip-unsupported-instructions=lack-sched
done < "$OUT/names.list"
for name in riscv32-sifive-e76 riscv64-sifive-p670 riscv64-sifive-x280; do
    for more in "-all-views -show-encoding" "-json -timeline" -disable-im; do
        # shellcheck disable=SC2086 # words
        compare "hand-$name" "$here/hand/riscv.s" -mtriple="${name%%-*}" -mcpu="${name#*-}" -mattr="$(attributes "${name%%-*}")" \
            -iterations=7 -skip-unsupported-instructions=lack-sched $more
    done
done
compare hand-labels "$here/hand/labels_aarch64.s" -mtriple=aarch64 -mcpu=cortex-a53
compare hand-labels "$here/hand/labels_x86_64.s" -mtriple=x86_64 -mcpu=znver4
compare hand-location "$here/hand/location_aarch64.s" -mtriple=aarch64 -mcpu=cortex-a53
closing names
