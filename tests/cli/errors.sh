#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gives the same bad and odd command lines and inputs to slotledger mca and to llvm-mca-19: exit status and standard output
# must be equal, and standard error but for the program's name, repeated messages (llvm-mca parses its input twice)
# and the guess at what a misspelt option meant.
# usage: errors.sh TOOL    (closes with "N passed, N failed, N skipped")
set -u
tool=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
ref=llvm-mca-19
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
command -v $ref > /dev/null || { echo "cli: no $ref"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }

# The messages, without what may differ: hints of one program alone.
plain() {
    sed "s/^slotledger mca:/PROGRAM:/; s/^$ref:/PROGRAM:/; s/slotledger mca --help/PROGRAM --help/g; s/$ref --help/PROGRAM --help/g" "$1" |
        grep -v 'Did you mean\|^note: LLVM has no scheduling model\|^note: .*--no-quirks' | awk '!seen[$0]++'
}

pass=0 fail=0 number=0
# One case: the input as printf makes it, and the options; in.s is the input's name.
one() {
    number=$((number + 1))
    # shellcheck disable=SC2059 # the case holds escapes
    printf "$1" > in.s
    # shellcheck disable=SC2086 # the options are words
    set -- $2
    timeout 20 "$tool" mca "$@" < in.s > our.out 2> our.err
    our=$?
    timeout 20 $ref "$@" < in.s > ref.out 2> ref.err
    theirs=$?
    plain our.err > our.plain
    plain ref.err > ref.plain
    if [ $our -eq $theirs ] && cmp -s our.out ref.out && cmp -s our.plain ref.plain; then
        pass=$((pass + 1))
        return
    fi
    fail=$((fail + 1))
    echo "cli: case $number ($*): exit $our, expected $theirs"
    diff our.plain ref.plain | head -8
    cmp our.out ref.out
}

while IFS='|' read -r input options; do
    case $input in '#' | '# '[!L]*) continue ;; esac
    one "$input" "$options"
done < "$here/errors.txt"
echo "cli: $pass of $number command lines behave as with $ref"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
