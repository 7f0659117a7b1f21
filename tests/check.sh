#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the parts of `make check` one after the other and sums them up in one closing line.
# usage: check.sh LOG_FOLDER PART...    Each PART is a make target; it closes with "N passed, N failed, N skipped",
# or else counts as one test that its exit status decides.
set -u
logs=$1
shift
# Under `make -n` there is nothing to run: name the parts.
case ${MAKEFLAGS%% *} in *-*) ;; *n*) echo "parts: $*" && exit 0 ;; esac
mkdir -p "$logs"
pass=0 fail=0 skip=0
for part; do
    log=$logs/$part.log
    start=$(date +%s)
    ${MAKE:-make} --no-print-directory "$part" > "$log" 2>&1 < /dev/null
    status=$?
    seconds=$(($(date +%s) - start))
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -1)
    if [ -n "$line" ]; then
        eval "$(echo "$line" | sed 's/\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped/p=\1 f=\2 s=\3/')"
        [ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
    else
        p=0 f=0 s=0
        if [ "$status" -eq 0 ]; then p=1; else f=1; fi
    fi
    verdict=ok
    [ "$f" -eq 0 ] || verdict=FAILED
    printf '%-12s %-6s %6d passed %4d failed %4d skipped %5d s\n' "$part" "$verdict" "$p" "$f" "$s" "$seconds"
    if [ "$f" -ne 0 ]; then
        echo "--- the end of $log:"
        tail -40 "$log"
        echo "---"
    fi
    pass=$((pass + p)) fail=$((fail + f)) skip=$((skip + s))
done
echo "$pass passed, $fail failed, $skip skipped"
[ "$fail" -eq 0 ]
