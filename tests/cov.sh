#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Line coverage of core from gcov notes under a build folder; fails below the limit.
# usage: cov.sh LIMIT_PERCENT BUILD_FOLDER   (closes with "N passed, N failed, N skipped")
set -u
limit=$1 dir=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# A file compiled several times (one object a model) has several notes: a line is covered when any of them ran it.
find "$dir/obj/core" -name '*.gcda' | while read -r note; do
    gcov -t "$note" -o "$(dirname "$note")" 2> /dev/null
done | awk -F: '
    $2 + 0 == 0 && $3 == "Source" { file = $4; next }
    { count = $1; gsub(/[ \t*]/, "", count); line = $2 + 0 }
    line > 0 && count != "-" && file ~ /^core\// && file !~ /^core\/gen\// {
        key = file ":" line
        if (!(key in seen)) { seen[key] = 1; total[file]++ }
        if (count !~ /^[#=]/ && !(key in hit)) { hit[key] = 1; covered[file]++ }
    }
    END { for (f in total) printf "%s %d %d\n", f, covered[f], total[f]
          for (k in seen) if (!(k in hit)) print k > "'"$out/missed"'" }' | sort > "$out/files"
sort -t: -k1,1 -k2,2n "$out/missed" > "$dir/missed-lines.txt" 2> /dev/null
awk -v limit="$limit" '
    { printf "%6.1f %%  %5d of %5d lines  %s\n", 100 * $2 / $3, $2, $3, $1; c += $2; t += $3 }
    END {
        if (t == 0) { print "cov: nothing was measured"; print "0 passed, 1 failed, 0 skipped"; exit 1 }
        ok = 100 * c >= limit * t
        printf "%6.1f %%  %5d of %5d lines  core (limit %d %%: %s)\n", 100 * c / t, c, t, limit, ok ? "ok" : "under"
        print (ok ? "1 passed, 0 failed, 0 skipped" : "0 passed, 1 failed, 0 skipped")
        exit !ok
    }' "$out/files"
