#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does a single wrong line in the simulator go unnoticed? Each line of faults.txt is put into a copy of the sources; the
# tests that `make check` runs must then fail: unit tests, the specification's vectors, golden reports, and the samples of
# kernels and random blocks beside llvm-mca.
# usage: faults.sh FOLDER [N]   (N: only that fault; closes with "N passed, N failed, N skipped")
set -u
dir=$1 only=${2:-}
make=${MAKE:-make}
pass=0 fail=0 n=0
mkdir -p "$dir"
rm -rf "$dir/tree"
mkdir -p "$dir/tree"
git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$dir/tree" || exit 1

# Which of the tests notices? Prints its name.
noticed() {
    cd "$dir/tree" || exit 1
    if ! $make --no-print-directory TUNE=-fno-lto all > build.log 2>&1; then echo build && return; fi
    for part in unit vectors golden corpus blocks; do
        case $part in
        unit) $make --no-print-directory TUNE=-fno-lto unit ;;
        golden) OUT=build/oracle OURS='build/host/slotledger mca' sh tests/oracle/golden.sh check ;;
        corpus) OUT=build/oracle OURS='build/host/slotledger mca' sh tests/oracle/corpus.sh sample ;;
        blocks) $make --no-print-directory TUNE=-fno-lto build/oracle/genblocks build/oracle/genoptions &&
            OUT=build/oracle OURS='build/host/slotledger mca' sh tests/oracle/blocks.sh 1 15 1 ;;
        *) OUT=build/oracle OURS='build/host/slotledger mca' sh tests/oracle/$part.sh ;;
        esac > "$part.log" 2>&1 || { echo "$part" && return; }
        # the comparisons end with the number of differences
        grep -qE '^[0-9]+ passed, [1-9][0-9]* failed' "$part.log" && echo "$part" && return
    done
}

grep -v '^#' tests/faults.txt > "$dir/list"
while IFS='|' read -r file from to; do
    n=$((n + 1))
    [ -z "$only" ] || [ "$only" = $n ] || continue
    from=$(printf '%s\n' "$from" | sed 's/ OR / | /g')
    F=$from T=$to awk '{ at = index($0, ENVIRON["F"])
        if (at) { found++; $0 = substr($0, 1, at - 1) ENVIRON["T"] substr($0, at + length(ENVIRON["F"])) }
        print } END { exit found != 1 }' "$file" > "$dir/tree/$file" || {
        echo "faults: $n: $file does not hold the line once: $from"
        fail=$((fail + 1))
        cp "$file" "$dir/tree/$file"
        continue
    }
    by=$(noticed)
    cp "$file" "$dir/tree/$file"
    case $by in
    '' | build) fail=$((fail + 1)) && echo "faults: $n: $file: $to: not noticed ${by:+(it does not build)}" ;;
    *) pass=$((pass + 1)) && echo "faults: $n: $file: noticed by $by" ;;
    esac
done < "$dir/list"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
