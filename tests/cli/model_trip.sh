#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Round trip: a built-in model as YAML, as YAML of that, and as a blob gives the reports of the built-in one.
# usage: model_trip.sh TOOL OUTDIR MODEL|all...   (closes with "N passed, N failed, N skipped")
set -u
tool=$1 out=$2
shift 2
pass=0 fail=0
mkdir -p "$out"
bad() { fail=$((fail + 1)); echo "model trip: $*"; }
[ "$*" = all ] && set -- $("$tool" mca --list-cpus | awk '/names\):$/ { isa = $1 } / model [^,]*/ { n = $0; sub(/.*model /, "", n); sub(/,.*/, "", n); print isa "/" n }' | sort -u)
# Random bytes decode to all sorts of instructions; what does not is left out, and so is what the model lacks.
code() { # code FILE BYTES: the same for every run
    awk -v n="$2" 'BEGIN { s = 12345; for (i = 0; i < n; i++) { s = (s * 1103515245 + 12345) % 2147483648; printf "%03o\n", int(s / 65536) % 256 } }' |
        sed 's/^/\\/' | tr -d '\n' > "$1.esc"
    printf '%b' "$(cat "$1.esc" | sed 's/\\/\\0/g')" > "$1"
}
code "$out/code.bin" 3000
for cpu in "$@"; do
    isa=${cpu%/*} name=${cpu#*/}
    file=$out/$isa-$name
    options="--raw --isa $isa -skip-unsupported-instructions=any -all-views -iterations=5 $out/code.bin"
    # shellcheck disable=SC2086 # options are words
    if ! "$tool" model show "$cpu" > "$file.yaml" || ! "$tool" model show "$file.yaml" > "$file.2.yaml" ||
        ! cmp "$file.yaml" "$file.2.yaml" || ! "$tool" model diff "$cpu" "$file.yaml" > "$file.diff" ||
        ! "$tool" model compile --blob -o "$file.blob" "$file.yaml" ||
        ! "$tool" mca $options -mcpu="$name" > "$file.built-in" 2> "$file.err" ||
        ! "$tool" mca $options --model "$file.yaml" > "$file.report" 2> "$file.err" || ! cmp "$file.built-in" "$file.report" ||
        ! "$tool" mca $options --model "$file.blob" > "$file.report" 2> "$file.err" || ! cmp "$file.built-in" "$file.report"; then
        bad "$cpu: $(tail -1 "$file.err" 2> /dev/null)"
    elif [ "$(wc -l < "$file.built-in")" -lt 60 ]; then
        bad "$cpu: the report is too short to tell anything"
    else
        pass=$((pass + 1))
    fi
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
