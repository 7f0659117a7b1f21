#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: golden.sh check | bless
# check: slotledger mca against fixtures/golden/*.txt; bless: makes these files anew with llvm-mca.
set -u
. "$(dirname "$0")/lib.sh"
golden=fixtures/golden
mkdir -p "$OUT"
passed=0 failed=0
sed '/^#/d' $golden/cases.list > "$OUT/golden.list"
while IFS='|' read -r name options input; do
    if [ "$1" = bless ]; then
        # shellcheck disable=SC2086 # a list of options
        $REF $options "$golden/$input" > "$golden/$name.txt" 2> "$OUT/golden.err" < /dev/null && continue
        echo "golden.sh: $name: $(cat "$OUT/golden.err")" >&2
        exit 1
    fi
    # shellcheck disable=SC2086
    $OURS $options "$golden/$input" > "$OUT/golden.out" 2> "$OUT/golden.err" < /dev/null
    if cmp -s "$golden/$name.txt" "$OUT/golden.out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "golden $name:"
        diff -a "$golden/$name.txt" "$OUT/golden.out" | head -"$SHOWN"
        tail -2 "$OUT/golden.err"
    fi
done < "$OUT/golden.list"
[ "$1" = check ] || exit 0
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
