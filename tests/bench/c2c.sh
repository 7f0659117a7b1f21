#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processor time and memory of c2c report beside perf's, on recordings of so many million samples; perf runs on the last.
# usage: c2c.sh MILLIONS...   (OURS, GEN, OUT as below; closes with "N passed, N failed, N skipped")
set -u
: "${OURS:=build/host/slotledger}" "${OUT:=build/bench-c2c}" "${GEN:=build/oracle/genc2c}" "${PERF:=perf}" "${CC:=gcc}"
: "${FASTER:=30}" "${SMALLER:=8}"
here=$(dirname "$0") pass=0 fail=0
rm -rf "$OUT" && mkdir -p "$OUT/home" || exit 1
OUT=$(cd "$OUT" && pwd)
export HOME="$OUT/home"
$CC -g -O1 -o "$OUT/shared" "$here/../oracle/c2c_shared.c" || exit 1
# Seconds of processor time and KB of memory of a command, the better of two runs: $seconds, $memory.
measure() {
    measured=$(for _ in 1 2; do
        /usr/bin/time -f '%U %S %M' "$@" 2>&1 > "$OUT/out" | tail -1
    done | awk '{ t = $1 + $2; if (!n++ || t < best) { best = t; memory = $3 } } END { print best, memory }')
    seconds=${measured% *} memory=${measured#* }
}
verdict() { # verdict CONDITION TEXT
    if awk "BEGIN { exit !($1) }"; then pass=$((pass + 1)) word=ok; else fail=$((fail + 1)) word=over; fi
    printf '%-5s %s\n' "$word" "$2"
}
first=
for millions in "$@"; do
    "$GEN" big 1 "${millions}000000" "$OUT/shared" "$OUT/perf.data" || exit 1
    measure "$OURS" c2c report -i "$OUT/perf.data" --stdio
    mv "$OUT/out" "$OUT/our.out"
    printf '%3d M samples: %s s of processor time, %d MB\n' "$millions" "$seconds" $((memory / 1024))
    each=$(awk "BEGIN { print $seconds / $millions }")
    : "${first:=$each}"
done
verdict "$each < 1.5 * $first" "time for a sample: $first s a million at first, $each at the end"
our_seconds=$seconds our_memory=$memory
measure "$PERF" c2c report -i "$OUT/perf.data" --stdio
printf '%3d M samples: %s s of processor time, %d MB by %s\n' "$millions" "$seconds" $((memory / 1024)) "$("$PERF" --version)"
cmp "$OUT/out" "$OUT/our.out" && pass=$((pass + 1)) || fail=$((fail + 1))
verdict "$seconds >= $FASTER * $our_seconds" "$(awk "BEGIN { printf \"%.1f\", $seconds / $our_seconds }") times less processor time (wanted: $FASTER)"
verdict "$memory >= $SMALLER * $our_memory" "$(awk "BEGIN { printf \"%.1f\", $memory / $our_memory }") times less memory (wanted: $SMALLER)"
rm -f "$OUT/perf.data"
echo "$pass passed, $fail failed, 0 skipped"
[ $fail -eq 0 ]
