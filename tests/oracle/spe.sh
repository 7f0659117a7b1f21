#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Arm SPE beside perf: packets as `perf report -D` prints them, memory samples as `perf script` delivers them, on random
# buffers with and without damage, for each family of data sources.
# usage: spe.sh FIRST_SEED SEEDS    (OURS, GEN, OUT as below; closes with "N passed, N failed, N skipped")
set -u
first=$1 seeds=$2
: "${OURS:=build/host/slotledger}" "${OUT:=build/oracle}" "${GEN:=$OUT/genspe}" "${GENDUMP:=$OUT/gendump}" "${PERF:=perf}"
dir=$OUT/spe
rm -rf "$dir" && mkdir -p "$dir/home" || exit 1
export HOME="$dir/home" # no configuration, no cache of symbols
pass=0 fail=0 samples=0 packets=0
command -v "$PERF" > /dev/null || { echo "spe: no $PERF" && echo "0 passed, 1 failed, 0 skipped" && exit 1; }

# Neoverse N1, N2, V1, V2 (generic to perf 6.1), AmpereOne, HiSilicon HIP12, Cortex-A72, not known
midrs='0x413fd0c1 0x410fd490 0x411fd401 0x410fd4f0 0xc00fac30 0x480fd060 0x410fd083 0'
check() { # check WHAT FILE FILE
    if cmp -s "$2" "$3"; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "spe: seed $seed damage $kind midr $midr: $1 differ:"
        diff "$2" "$3" | head -6
    fi
}
seed=$first
while [ "$seed" -lt $((first + seeds)) ]; do
    kind=$((seed % 4)) cores=$((1 + seed / 4 % 4))
    # shellcheck disable=SC2086 # a list of words
    midr=$(set -- $midrs && shift $((seed / 4 % 8)) && echo "$1")
    files=
    for core in $(seq $cores); do files="$files $dir/core$core"; done
    # shellcheck disable=SC2086 # a list of files
    if ! { "$GEN" "$seed" 150 $kind $files && "$OURS" export --spe-raw --midr="$midr" -o "$dir/perf.data" $files 2> "$dir/err" &&
        "$OURS" export --spe-raw --midr="$midr" --samples $files > "$dir/our.samples" 2>> "$dir/err" &&
        "$OURS" export --spe-raw --midr="$midr" --packets $files > "$dir/our.packets" 2>> "$dir/err"; }; then
        fail=$((fail + 1)) && echo "spe: seed $seed: a command failed" && cat "$dir/err"
        seed=$((seed + 1))
        continue
    fi
    # tid [cpu] time: address source |words| latency ip physical-address
    "$PERF" script -f -i "$dir/perf.data" --itrace=M -F tid,cpu,time,ip,addr,phys_addr,data_src,weight --ns 2> "$dir/perf.err" |
        awk '{ gsub(/[][]/, "", $2); sub(/:$/, "", $3); print $2, $1, $3, $(NF-1), $4, $NF, $5, $(NF-2) }' > "$dir/perf.samples"
    check 'samples' "$dir/perf.samples" "$dir/our.samples"
    samples=$((samples + $(wc -l < "$dir/our.samples")))
    if [ $kind -eq 0 ]; then # the same from a board's dump, in pieces; PMBSR: full, collision, data lost
        # shellcheck disable=SC2086 # a list of files
        "$GENDUMP" "$dir/dump" "$midr" 0 0xb0001 $files && "$OURS" export --samples "$dir/dump" > "$dir/dump.samples" 2> "$dir/err"
        check 'samples of a dump' "$dir/perf.samples" "$dir/dump.samples"
        "$OURS" export -o "$dir/dump.data" "$dir/dump" 2>> "$dir/err"
        "$PERF" script -f -i "$dir/dump.data" --itrace=M 2>&1 > /dev/null | grep -cE "AUX data (lost|detected collision ) ?1 times out of $cores!" > "$dir/warnings"
        echo 2 > "$dir/two"
        check "perf's warnings of loss" "$dir/two" "$dir/warnings"
        "$PERF" c2c report -f --stdio -i "$dir/dump.data" > "$dir/perf.c2c" 2> /dev/null
        "$OURS" c2c report --stdio -i "$dir/dump" > "$dir/our.c2c" 2> "$dir/err"
        check "c2c report of the dump and perf's of the export" "$dir/perf.c2c" "$dir/our.c2c"
    fi
    if [ $kind -lt 3 ]; then # else the file has padding that the buffer has not
        "$PERF" report -f -D -i "$dir/perf.data" 2> /dev/null | grep -E '^\.  [0-9a-f]{8}: |ARM SPE data' > "$dir/perf.packets"
        check 'packets' "$dir/perf.packets" "$dir/our.packets"
        packets=$((packets + $(wc -l < "$dir/our.packets")))
    fi
    seed=$((seed + 1))
done
echo "spe: $samples samples and $packets packets equal to $("$PERF" --version)'s, seeds $first to $((first + seeds - 1))"
[ "$samples" -gt 0 ] || fail=$((fail + 1))
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
