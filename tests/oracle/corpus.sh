#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The kernels of fixtures/kernels, compiled for each scheduling model: slotledger mca against llvm-mca.
# usage: corpus.sh sample|full [CPU...]
# full: -O2 by function (plain, and with timeline) and -O3 by basic block (all views); sample: one file a model, with timeline.
set -u
. "$(dirname "$0")/lib.sh"
. "$here/inputs.sh"
: "${KERNELS:=fixtures/kernels}"
: "${VIEWS:=all}"
extent=$1
shift
only=" $* "
mkdir -p "$OUT"

kernels=$(echo "$KERNELS"/*.c)
list=$OUT/corpus.list
models > "$list"
turn=0
while read -r isa cpu; do
    case $only in *" $cpu "* | "  ") ;; *) continue ;; esac
    turn=$((turn + 1))
    common="-mtriple=$isa -mcpu=$cpu"
    # There are no 128-bit integers on 32-bit targets.
    fit=$kernels
    # shellcheck disable=SC2086
    case $isa in riscv32 | arm | thumb) fit=$(printf '%s\n' $kernels | grep -v /integer.c) ;; esac
    if [ "$extent" = sample ]; then
        # shellcheck disable=SC2086
        some=$(printf '%s\n' $fit | awk -v turn="$turn" '{ line[NR] = $0 } END { print line[(turn - 1) % NR + 1] }')
    else
        some=$fit
    fi
    # shellcheck disable=SC2086
    compile "$isa" "$cpu" -O2 function "$OUT/$cpu.O2.s" $some || exit 1
    more=
    [ "$VIEWS" = basic ] || more=-all-views
    # shellcheck disable=SC2086
    {
        [ "$extent" = sample ] || compare "$cpu.O2" "$OUT/$cpu.O2.s" $common
        compare "$cpu.O2.timeline" "$OUT/$cpu.O2.s" $common -timeline -skip-unsupported-instructions=lack-sched
        if [ "$extent" = full ]; then
            compile "$isa" "$cpu" -O3 block "$OUT/$cpu.O3.s" $some || exit 1
            compare "$cpu.O3.blocks" "$OUT/$cpu.O3.s" $common -timeline $more -iterations=20 -show-encoding -show-barriers \
                -skip-unsupported-instructions=lack-sched
        fi
    }
    rm -f "$OUT/$cpu.O2.s" "$OUT/$cpu.O3.s"
    echo "$cpu: $compared compared, $different different, $crashes reference crashes so far"
done < "$list"
closing corpus
