#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stack of core from the compilers' own notes (-fstack-usage, -fcallgraph-info): no frame over the limit, none whose
# size nothing bounds, no recursion. Indirect calls are not in the graph: the only ones are decoders and observers, leaves by contract.
# ROOM=ports looks at these instead of core.
# usage: [ROOM=ports] stack.sh LIMIT_BYTES BUILD_FOLDER...   (closes with "N passed, N failed, N skipped")
set -u
ROOM=${ROOM:-core}
limit=$1
shift
pass=0 fail=0
for dir; do
    found=$(find "$dir/obj/$ROOM" -name '*.su' 2> /dev/null | wc -l)
    if [ "$found" -eq 0 ]; then
        echo "stack: $dir: no .su file" && fail=$((fail + 1)) && continue
    fi
    # FILE:LINE:COL:FUNCTION <tab> BYTES <tab> QUALIFIERS
    bad=$(find "$dir/obj/$ROOM" -name '*.su' -exec cat {} + | awk -F '\t' -v limit="$limit" '$2 > limit || $3 !~ /^(static|dynamic,bounded)$/' | sort -u)
    largest=$(find "$dir/obj/$ROOM" -name '*.su' -exec cat {} + | sort -t "$(printf '\t')" -k2,2nr | head -1 |
        awk -F '\t' '{sub(/.*:/, "", $1); print $2 " B in " $1}')
    # edge: { sourcename: "A" targetname: "B" ...}: a file-local function is "FILE:NAME". tsort names the members of a loop.
    loops=$(find "$dir/obj/$ROOM" -name '*.ci' -exec cat {} + |
        sed -n 's/^edge: { sourcename: "\([^"]*\)" targetname: "\([^"]*\)".*/\1 \2/p' | grep -v '__indirect_call' |
        awk '$1 == $2 {print $1 " calls itself" > "/dev/stderr"; next} {print}' 2> "$dir/self" | tsort 2>&1 > /dev/null | grep -v 'input contains a loop'; cat "$dir/self")
    if [ -n "$bad$loops" ]; then
        fail=$((fail + 1))
        echo "stack: $dir: over $limit B, or not static:"
        printf '%s\n' "${bad:-    none}" "recursion:" "${loops:-    none}"
    else
        pass=$((pass + 1))
        # clang writes no call graph; the same sources have gcc's.
        graph=$(find "$dir/obj/$ROOM" -name '*.ci' | head -1)
        echo "stack: $dir: largest frame $largest (limit $limit B)${graph:+, no recursion}"
    fi
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
