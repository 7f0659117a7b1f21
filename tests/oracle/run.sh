#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything of this folder. usage: run.sh --sample | --full [SEED]
# --sample: part of `make check`, about a minute. --full: the whole corpus and more than 20000 random blocks over
# all models (`make check-oracle`). Closes with the sums; needs build/host/slotledger, genblocks and genoptions.
set -u
. "$(dirname "$0")/lib.sh"
mkdir -p "$OUT"
extent=${1#--} seed=${2:-1}
rm -rf "$OUT/fail" "$OUT/crash" "$OUT/unclear"
case $extent in
full) batches=12 blocks=60 ;;
*) batches=1 blocks=15 ;;
esac

part() {
    name=$1
    shift
    echo "== $name"
    sh "$here/$name.sh" "$@" 2>&1 | tee "$OUT/$name.log" | grep -v 'so far$'
    tail -1 "$OUT/$name.log" >> "$OUT/sums"
    grep -h ' compared, ' "$OUT/$name.log" | tail -1 >> "$OUT/comparisons"
}

rm -f "$OUT/sums" "$OUT/comparisons"
part selftest
part vectors
part golden check
part names
part corpus "$extent"
part blocks "$batches" "$blocks" "$seed"
part elf_vs_asm "$extent"
echo "== sum"
sed 's/^[a-z_]*: //' "$OUT/comparisons" |
    awk '{ c += $1; d += $3; k += $5; u += $8 } END { printf "%d compared, %d different, %d reference crashes, %d unclear\n", c, d, k, u }'
awk '/passed/ { p += $1; f += $3; s += $5 } !/passed/ { f++ }
    END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }' "$OUT/sums"
