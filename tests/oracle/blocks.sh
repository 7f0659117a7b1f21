#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random straight-line blocks for each scheduling model, with random options: slotledger mca against llvm-mca.
# usage: blocks.sh BATCHES BLOCKS [SEED [CPU...]]
# Each CPU gets BATCHES files of BLOCKS blocks; every fifth file is not filtered by what the model supports.
set -u
: "${LIMIT:=4}" # a file of blocks takes well under a second
. "$(dirname "$0")/lib.sh"
: "${GEN:=$OUT/genblocks}" "${GENOPTIONS:=$OUT/genoptions}" "${VIEWS:=all}"
batches=$1 blocks=$2 seed=${3:-1}
shift $(($# < 3 ? $# : 3))
only=" $* "
mkdir -p "$OUT"
[ -x "$GEN" ] && [ -x "$GENOPTIONS" ] || { echo "blocks.sh: no $GEN or $GENOPTIONS: make check-oracle builds them" >&2; exit 1; }

# pool ISA: the encodings to draw from, found once for each decoder.
pool() {
    [ -s "$OUT/pool.$1" ] && [ "$OUT/pool.$1" -nt "$GEN" ] || "$GEN" pool "$1" 7 > "$OUT/pool.$1"
}

# make_file ISA CPU SEED COUNT KIND FILE
make_file() {
    attr=$(attributes "$(set_of "$1" "$2")")
    "$GEN" blocks "$(set_of "$1" "$2")" "$2" "$OUT/pool.$(set_of "$1" "$2")" "$3" "$4" "$5" |
        $MC --disassemble -triple="$1" -mattr="$attr" 2> /dev/null | awk -f "$here/blocks.awk" > "$6"
    # Lines that the assembler refuses (the disassembler prints a few) are dropped.
    while :; do
        $MC -triple="$1" -mattr="$attr" -filetype=obj -o /dev/null "$6" 2>&1 |
            sed -n "s|^$6:\([0-9]*\):.*error:.*|\1d|p" > "$6.drop"
        [ -s "$6.drop" ] || break
        sed -i -f "$6.drop" "$6"
    done
    rm -f "$6.drop"
}

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
