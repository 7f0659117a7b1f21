#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs libFuzzer programs for a bounded number of executions each.
# usage: run.sh RUNS PROGRAM...   (closes with "N passed, N failed, N skipped")
set -u
runs=$1
shift
pass=0 fail=0
for program; do
    name=$(basename "$program")
    corpus=$(dirname "$program")/corpus-$name
    mkdir -p "$corpus"
    seeds=
    [ -d "fixtures/fuzz/$name" ] && seeds=fixtures/fuzz/$name
    # shellcheck disable=SC2086 # no seeds is no word
    if "$program" -runs="$runs" -seed=1 -rss_limit_mb=2048 -timeout=20 -max_len=2048 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$corpus-" "$corpus" $seeds > "$corpus.log" 2>&1; then
        pass=$((pass + 1))
        echo "fuzz: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$corpus.log") executions, nothing found"
    else
        fail=$((fail + 1))
        echo "fuzz: $name failed:"
        tail -40 "$corpus.log"
    fi
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
