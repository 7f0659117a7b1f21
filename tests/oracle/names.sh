#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every CPU name that llvm-mca knows a model for, on one small block each: slotledger mca against llvm-mca.
set -u
. "$(dirname "$0")/lib.sh"
mkdir -p "$OUT"
sed '/^#/d' "$here/names.txt" > "$OUT/names.list"
while read -r isa cpu; do
    compare "name-$cpu" "$here/name_$isa.s" -mtriple="$isa" -mcpu="$cpu" -timeline -iterations=12 \
        -skip-unsupported-instructions=lack-sched
done < "$OUT/names.list"
closing names
