#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs slotledger mca on vectors.txt. The expected numbers are the specification's; llvm-mca is not run.
set -u
. "$(dirname "$0")/lib.sh"
mkdir -p "$OUT"
passed=0 failed=0
sed '/^#/d' "$here/vectors.txt" > "$OUT/vectors.list"
while IFS='|' read -r number isa cpu options block texts; do
    echo "$block" | tr ';' '\n' > "$OUT/vector.s"
    # shellcheck disable=SC2086 # the command and the options are lists of words
    $OURS -mtriple="$isa" -mcpu="$cpu" $options "$OUT/vector.s" 2> "$OUT/vector.err" < /dev/null |
        tr -s ' \t\n' '   ' > "$OUT/vector.out"
    echo "$texts" | tr '&' '\n' > "$OUT/vector.texts"
    good=1
    while IFS= read -r text; do
        grep -qF -e "$text" "$OUT/vector.out" && continue
        good=0
        echo "vector $number: no \"$text\""
    done < "$OUT/vector.texts"
    if [ "$good" -eq 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        tail -2 "$OUT/vector.err"
    fi
done < "$OUT/vectors.list"
echo "vectors: $passed of $((passed + failed)) hold"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
