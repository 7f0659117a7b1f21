#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs every cmocka program given and adds up their counts.
# usage: run.sh PROGRAM...    (closes with "N passed, N failed, N skipped")
set -u
pass=0 fail=0 skip=0
count() { # count WORD FILE: the number cmocka prints beside WORD
    sed -n "s/^\[ *$1 *\] \([0-9][0-9]*\) test(s).*/\1/p" "$2" | head -1
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for program; do
    timeout 300 "$program" > "$log" 2>&1
    status=$?
    p=$(count PASSED "$log") f=$(count FAILED "$log") s=$(count SKIPPED "$log")
    p=${p:-0} f=${f:-0} s=${s:-0}
    # A crash, or a program that counted nothing, is a failure of its own.
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ] || [ $((p + f + s)) -eq 0 ]; then
        f=$((f + 1))
    fi
    if [ "$f" -ne 0 ]; then
        echo "unit: $program: status $status"
        grep -vE '^\[ +(RUN|OK) +\]' "$log" | tail -40
    fi
    pass=$((pass + p)) fail=$((fail + f)) skip=$((skip + s))
done
echo "$pass passed, $fail failed, $skip skipped"
[ "$fail" -eq 0 ]
