#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# slotledger c2c report beside perf c2c report: the same bytes on random recordings, over the options of both.
# usage: c2c.sh FIRST_SEED SEEDS    (OURS, GEN, OUT as below; closes with "N passed, N failed, N skipped")
set -u
first=$1 seeds=$2
: "${OURS:=build/host/slotledger}" "${OUT:=build/oracle}" "${GEN:=$OUT/genc2c}" "${PERF:=perf}" "${CC:=gcc}"
here=$(dirname "$0") dir=$OUT/c2c
rm -rf "$dir" && mkdir -p "$dir/home" || exit 1
dir=$(cd "$dir" && pwd)
export HOME="$dir/home" # no configuration, no cache of symbols
pass=0 fail=0 rows=0
give_up() { echo "c2c: $1" && echo "0 passed, 1 failed, 0 skipped" && exit 1; }
command -v "$PERF" > /dev/null || give_up "no $PERF"
$CC -g -O1 -o "$dir/shared" "$here/c2c_shared.c" || give_up "no program to map"
strip -o "$dir/stripped" "$dir/shared" || give_up "no strip"

kinds='intel odd amd chain power arm intel odd big'
displays='- - tot lcl rmt peer'
coalesces='- - pid tid dso iaddr pid,tid tid,iaddr,dso offset pid,iaddr,dso,tid ,,pid iaddr,iaddr'
nodes='- - -N -NN'
flags='- - --show-all --full-symbols --no-source --stats -v --show-all'
graphs='- - - -g -gflat -gfolded,caller,count -gfractal,0.5,callee -ggraph,0.5,3,caller,address,period -gaddress,callee --no-call-graph -gfractal,count,caller -gflat,period,callee'
pick() { # pick N WORD...: word N modulo their number; "-" is none
    n=$1
    shift
    shift $((n % $#))
    [ "$1" = - ] || echo "$1"
}

# perf 6.1 prints "(inlined)" behind what is left of a fractal graph when the memory it takes for that line happens to say
# so: the same recording is printed with and without.
compare() { # compare FILE OPTION...
    file=$1
    shift
    "$PERF" c2c report -i "$file" --stdio "$@" > "$dir/perf.raw" 2> "$dir/perf.err"
    expected=$?
    sed 's/\[\.\.\.\] (inlined)$/[...]/' "$dir/perf.raw" > "$dir/perf.out"
    "$OURS" c2c report -i "$file" --stdio $passes "$@" > "$dir/our.out" 2> "$dir/our.err"
    status=$?
    if [ $status -eq $expected ] && cmp -s "$dir/perf.out" "$dir/our.out"; then
        pass=$((pass + 1)) rows=$((rows + $(wc -l < "$dir/perf.out")))
        return
    fi
    fail=$((fail + 1))
    [ $fail -le 10 ] || return
    echo "c2c: seed $seed kind $kind: $* (exit $status, expected $expected)"
    diff "$dir/perf.out" "$dir/our.out" | head -6
    head -3 "$dir/our.err"
}

# The function view: a reader's stores are those of its writers, a writer's those of its lines, and the shares add up.
functions() {
    "$OURS" c2c report -i "$dir/perf.data" --functions "$@" > "$dir/functions" 2> "$dir/our.err" && awk '
        function close_writer() { if (writer != lines) bad++; lines = 0 }
        function close_reader() { close_writer(); if (reader != writers) bad++; writers = writer = 0 }
        NR < 6 { next }
        /^-/ { close_reader(); reader = $3; share += $2; readers++; next }
        / - \[/ { close_writer(); writer = $1; writers += $1; next }
        { lines += $1 }
        END { close_reader(); exit bad || (readers && (share < 100 - 0.01 * readers || share > 100 + 0.01 * readers)) }
    ' "$dir/functions" && pass=$((pass + 1)) && return
    fail=$((fail + 1))
    echo "c2c: seed $seed kind $kind: --functions $*: the parts do not add up"
}

seed=$first
while [ "$seed" -lt $((first + seeds)) ]; do
    # shellcheck disable=SC2086 # lists of words
    {
        kind=$(pick "$seed" $kinds)
        options="$(pick $((seed / 2)) $displays | sed 's/^/-d /') $(pick $((seed / 3)) $coalesces | sed 's/^/-c /')"
        options="$options $(pick $((seed / 5)) $nodes) $(pick $((seed / 7)) $flags) $(pick $((seed / 11)) $graphs)"
        passes=--passes=$((1 + seed % 2))
        program=$(pick $((seed / 4)) shared shared shared stripped)
        "$GEN" "$kind" "$seed" $((60 + seed * 37 % 700)) "$dir/$program" "$dir/perf.data" || give_up "no recording"
        compare "$dir/perf.data" $options
        [ $((seed % 6)) -ne 0 ] || functions
    }
    seed=$((seed + 1))
done
[ "$rows" -gt $((seeds * 60)) ] || fail=$((fail + 1))
echo "c2c: $pass reports of $rows lines equal to $("$PERF" --version)'s, seeds $first to $((first + seeds - 1))"

# Partial tables: a folded recording gives the recording's report; parts merge in any order to the same bytes.
fold_same() { # fold_same KIND SEED OPTION...
    kind=$1 seed=$2
    shift 2
    "$GEN" "$kind" "$seed" 400 "$dir/shared" "$dir/perf.data" && "$OURS" c2c fold -i "$dir/perf.data" -o "$dir/part" 2> /dev/null
    "$OURS" c2c report -i "$dir/perf.data" --stdio --no-call-graph "$@" > "$dir/our.out" 2> /dev/null
    "$OURS" c2c report -i "$dir/part" --stdio "$@" > "$dir/part.out" 2> "$dir/our.err"
    if [ -s "$dir/part.out" ] && cmp -s "$dir/our.out" "$dir/part.out"; then pass=$((pass + 1)); else
        fail=$((fail + 1))
        echo "c2c: fold: kind $kind seed $seed $*" && diff "$dir/our.out" "$dir/part.out" | head -4
    fi
}
for kind in $kinds; do
    fold_same "$kind" 3 && fold_same "$kind" 4 -NN --show-all && fold_same "$kind" 5 --stats
done
parts=
for seed in $(seq 1 12); do
    "$GEN" arm "$seed" 300 "$dir/shared" "$dir/perf.data" && "$OURS" c2c fold -i "$dir/perf.data" -o "$dir/part.$seed" 2> /dev/null
    # Those of one machine.
    # shellcheck disable=SC2086 # a list of files
    ! "$OURS" c2c merge -o "$dir/all.1" $parts "$dir/part.$seed" 2> /dev/null || parts="$parts $dir/part.$seed"
done
# shellcheck disable=SC2086
set -- $parts
"$OURS" c2c merge -o "$dir/all.1" "$@"
reversed=
for part in "$@"; do reversed="$part $reversed"; done
# shellcheck disable=SC2086
"$OURS" c2c merge -o "$dir/all.2" $reversed
tree=$1
shift
for part in "$@"; do
    "$OURS" c2c merge -o "$dir/tree" "$part" "$tree" && mv "$dir/tree" "$dir/tree.now"
    tree=$dir/tree.now
done
if [ $# -ge 2 ] && cmp "$dir/all.1" "$dir/all.2" && cmp "$dir/all.1" "$dir/tree.now"; then
    pass=$((pass + 1))
else
    fail=$((fail + 1)) && echo "c2c: merging depends on the order of the parts"
fi
total=$("$OURS" c2c report -i "$dir/all.1" --stats | awk '/Total records/ { print $NF }')
sum=$(for part in $parts; do "$OURS" c2c report -i "$part" --stats; done | awk '/Total records/ { n += $NF } END { print n }')
if [ "$total" = "$sum" ] && [ "$sum" -gt 0 ]; then pass=$((pass + 1)); else
    fail=$((fail + 1)) && echo "c2c: $total samples merged of $sum"
fi

# Refusals.
"$GEN" intel 1 100 "$dir/shared" "$dir/FILE" || give_up "no recording"
cd "$dir" || exit 1
case $OURS in /*) ;; *) OURS=$OLDPWD/$OURS ;; esac
case $here in /*) ;; *) here=$OLDPWD/$here ;; esac
first_line() { grep -m 1 . "$1" | sed "s/Usage: .* c2c report/Usage: c2c report/"; }
while read -r line; do
    case $line in '#'* | '') continue ;; esac
    # shellcheck disable=SC2086 # a list of words
    "$PERF" c2c report $line > /dev/null 2> perf.err
    expected=$?
    # shellcheck disable=SC2086
    "$OURS" c2c report $line > /dev/null 2> our.err
    status=$?
    if [ $status -eq $expected ] && [ "$(first_line perf.err)" = "$(first_line our.err)" ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "c2c: $line: exit $status, expected $expected: $(first_line our.err) / $(first_line perf.err)"
    fi
done < "$here/c2c_errors.txt"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
