#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The reader of perf.data beside the installed perf: samples of random recordings equal to those of `perf script`, in all
# forms; other byte orders and forms give what the plain file gives; damaged files end with perf's exit status.
# usage: perf_data.sh SEED FILES      (closes with "N passed, N failed, N skipped")
set -u
seed=$1 files=$2
out=${OUT:-build/oracle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HOME=$work
export HOME
pass=0 fail=0
command -v perf > /dev/null || { echo "perf_data: perf is missing"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
fields=comm,pid,tid,cpu,time,period,event,addr,data_src,weight,ip,sym,symoff,dso,phys_addr
bad() { # bad WHAT: counts a failure and shows what differs
    fail=$((fail + 1))
    echo "perf_data: $1"
    diff "$work/theirs" "$work/ours" | head -6
}
squeeze() { sed -e 's/|OP.*|LCK [A-Za-z/]*|\(BLK[A-Za-z/ ]*\)\{0,1\}/ /' -e 's/  */ /g' -e 's/^ //' -e 's/ $//'; }
compare() { # compare FILE WHAT
    perf script -f -i "$1" --ns --itrace=M -F "$fields" 2> "$work/log" > "$work/raw"
    theirs=$?
    squeeze < "$work/raw" > "$work/theirs"
    "$out/perf_dump" "$1" 2> "$work/our-log" > "$work/raw"
    ours=$?
    squeeze < "$work/raw" > "$work/ours"
    if [ "$theirs" -eq "$ours" ] && cmp -s "$work/theirs" "$work/ours" && [ -s "$work/ours" ]; then
        pass=$((pass + 1))
    else
        bad "$2: status $theirs and $ours"
    fi
}
program() { # program ARCH NUMBER: which of the test programs is sampled
    case $1 in
        arm64) echo "$out/perf_target_aarch64" ;;
        *) case $(($2 % 4)) in
            0) echo "$out/perf_target_fixed" ;;
            1) echo "$out/perf_target_nodebug" ;;
            2) echo "$out/perf_target_stripped" ;;
            *) echo "$out/perf_target" ;;
        esac ;;
    esac
}
n=0
while [ $n -lt "$files" ]; do
    for arch in intel amd ppc arm64; do
        [ $n -lt "$files" ] || break
        s=$((seed * 100000 + n))
        elf=$(realpath "$(program $arch $((n / 4)))")
        case $((n / 4 % 5)) in
            0) form='' ;; 1) form=-x ;; 2) form='-x -z' ;; 3) form='-x -b' ;; *) form='-x -b -z' ;;
        esac
        # shellcheck disable=SC2086 # options are words
        "$out/genperf" -a $arch -s $s -e "$elf" $form -o "$work/data" || exit 1
        compare "$work/data" "genperf -a $arch -s $s -e $elf $form"
        n=$((n + 1))
    done
done
# Big-endian and pipe forms of one recording give the same samples; perf mixes up the halves of a big-endian pipe.
for form in -b -z '-b -z' -p '-b -p'; do
    "$out/genperf" -a intel -s "$seed" -e "$(realpath "$out/perf_target")" -o "$work/data"
    # shellcheck disable=SC2086
    "$out/genperf" -a intel -s "$seed" -e "$(realpath "$out/perf_target")" $form -o "$work/form"
    "$out/perf_dump" "$work/data" | sed 's/ cpu[^ ]*: / : /' > "$work/theirs"
    "$out/perf_dump" "$work/form" | sed 's/ \(cpu\|raw \)[^ ]*: / : /' > "$work/ours"
    if cmp -s "$work/theirs" "$work/ours"; then pass=$((pass + 1)); else bad "form $form of seed $seed"; fi
done
# A kernel image (-k), loaded elsewhere than it was linked: symbols of its functions.
kernel=$(realpath "$out/perf_kernel")
for n in 1 2 3 4 5; do
    "$out/genperf" -a intel -s $((seed * 1000 + n)) -k "$kernel" -e "$(realpath "$out/perf_target")" -o "$work/data"
    perf script -f -i "$work/data" -k "$kernel" -F ip,sym,symoff,dso 2> "$work/log" | sed -e 's/  */ /g' -e 's/^ //' > "$work/theirs"
    "$out/perf_dump" "$work/data" "$kernel" | sed 's/.* \([0-9a-f]* [^ ]* ([^)]*)\) [0-9a-f]*$/\1/' > "$work/ours"
    if cmp -s "$work/theirs" "$work/ours" && grep -q kernel_read "$work/ours"; then pass=$((pass + 1)); else bad "-k of seed $n"; fi
done
# A stream through a real pipe.
"$out/genperf" -a ppc -s "$seed" -x -p -e "$(realpath "$out/perf_target")" -o "$work/data"
"$out/perf_dump" "$work/data" > "$work/theirs"
cat "$work/data" | "$out/perf_dump" - > "$work/ours"
if cmp -s "$work/theirs" "$work/ours"; then pass=$((pass + 1)); else bad "a pipe of seed $seed"; fi
# Cut anywhere in the data, or with a damaged word, perf and the reader end alike (a damaged id or size ends both).
"$out/genperf" -a intel -s "$seed" -n 60 -e "$(realpath "$out/perf_target")" -o "$work/data"
for damage in 4:0 8:1 12:0 16:200 40:8 0:88; do
    cp "$work/data" "$work/form"
    # shellcheck disable=SC2059 # the byte is the format
    printf "\\$(printf %o "${damage#*:}")" | dd of="$work/form" bs=1 seek="${damage%:*}" conv=notrunc 2> /dev/null
    perf c2c report -f -i "$work/form" --stdio --no-source > /dev/null 2> "$work/log"
    theirs=$?
    "$out/perf_dump" "$work/form" > /dev/null 2> "$work/our-log"
    ours=$?
    if [ $theirs -eq $ours ]; then pass=$((pass + 1)); else
        echo "perf says $theirs: $(tail -1 "$work/log")" > "$work/theirs"
        echo "the reader says $ours: $(tail -1 "$work/our-log")" > "$work/ours"
        bad "byte ${damage#*:} at ${damage%:*}"
    fi
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
