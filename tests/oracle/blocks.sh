#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random straight-line blocks for each scheduling model, with random options: slotledger mca against llvm-mca.
# usage: blocks.sh BATCHES BLOCKS [SEED [CPU...]]
# Each CPU gets BATCHES files of BLOCKS blocks; every fifth file is not filtered by what the model supports.
set -u
: "${LIMIT:=4}" # a file of blocks takes well under a second
. "$(dirname "$0")/lib.sh"
. "$here/inputs.sh"
: "${GEN:=$OUT/genblocks}" "${GENOPTIONS:=$OUT/genoptions}" "${VIEWS:=all}"
batches=$1 blocks=$2 seed=${3:-1}
shift $(($# < 3 ? $# : 3))
only=" $* "
mkdir -p "$OUT"
[ -x "$GEN" ] && [ -x "$GENOPTIONS" ] || { echo "blocks.sh: no $GEN or $GENOPTIONS: make check-oracle builds them" >&2; exit 1; }

list=$OUT/blocks.list
models > "$list"
while read -r isa cpu; do
    case $only in *" $cpu "* | "  ") ;; *) continue ;; esac
    pool "$(set_of "$isa" "$cpu")"
    k=0
    while [ "$k" -lt "$batches" ]; do
        s=$(($(printf %s "$cpu" | cksum | cut -d' ' -f1) % 100000 * 1000 + seed * 100 + k))
        kind=tame
        [ $((k % 5)) -ne 4 ] || kind=wild
        label=$cpu-$s
        make_file "$isa" "$cpu" "$s" "$blocks" "$kind" "$OUT/$label.s"
        # shellcheck disable=SC2046 # a list of options
        compare "$label" "$OUT/$label.s" -mtriple="$isa" -mcpu="$cpu" -mattr="$(attributes "$(set_of "$isa" "$cpu")")" \
            -skip-unsupported-instructions=lack-sched $("$GENOPTIONS" "$s" "$VIEWS")
        rm -f "$OUT/$label.s"
        k=$((k + 1))
    done
    echo "$cpu: $compared compared, $different different, $crashes reference crashes so far"
done < "$list"
echo "seed $seed"
closing blocks
