#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Extrapolated against full simulation (--no-extrapolate): reports and messages must be equal byte for byte, on the kernels of
# fixtures/kernels and on random blocks for each model, with random options and iteration counts.
# usage: extrapolate.sh sample|full [SEED [CPU...]]
# What never extrapolates proves nothing: the share of regions with a recurrence is printed, and too small a one fails.
set -u
. "$(dirname "$0")/lib.sh"
. "$here/inputs.sh"
: "${KERNELS:=fixtures/kernels}" "${GEN:=$OUT/genblocks}" "${GENOPTIONS:=$OUT/genoptions}"
extent=$1 seed=${2:-1}
shift $(($# < 2 ? $# : 2))
only=" $* "
OUT=$OUT/extrapolate
mkdir -p "$OUT"
rm -rf "$OUT/fail"
regions=0 different=0 found=0
[ -x "$GEN" ] && [ -x "$GENOPTIONS" ] || { echo "extrapolate.sh: no $GEN or $GENOPTIONS" >&2; exit 1; }
batches=1 blocks=4
[ "$extent" = sample ] || batches=6 blocks=65

# both LABEL FILE OPTIONS...: one file each way.
both() {
    label=$1 file=$2
    shift 2
    grep -q LLVM-MCA-BEGIN "$file" || return 0
    timeout 600 $OURS "$@" -show-extrapolation "$file" > "$OUT/some.out" 2> "$OUT/some.notes"
    some=$?
    timeout 600 $OURS "$@" -no-extrapolate "$file" > "$OUT/all.out" 2> "$OUT/all.err"
    all=$?
    grep -v 'note: extrapolation: ' "$OUT/some.notes" > "$OUT/some.err"
    ran=$(grep -c 'note: extrapolation: ' "$OUT/some.notes") hit=$(grep 'note: extrapolation: after' "$OUT/some.notes" | grep -vc ' 0 iterations were not')
    regions=$((regions + ran)) found=$((found + hit))
    case " $* " in
    *" -bottleneck-analysis=0 "*) plain=$((plain + ran)) plain_found=$((plain_found + hit)) ;;
    esac
    [ "$some" -ne "$all" ] || ! cmp -s "$OUT/some.out" "$OUT/all.out" || ! cmp -s "$OUT/some.err" "$OUT/all.err" || return 0
    different=$((different + 1))
    mkdir -p "$OUT/fail"
    cp "$file" "$OUT/fail/$label.s"
    echo "DIFFERENT $label: $OURS $* $OUT/fail/$label.s (exit status $some, all simulated $all)" | sed 's/-mattr=[^ ]*/-mattr=.../'
    { diff -a "$OUT/some.out" "$OUT/all.out"; diff -a "$OUT/some.err" "$OUT/all.err"; } | head -"$SHOWN"
}

# views K: the K-th of the ways to print; the full run takes two of them for each file. The bottleneck analysis looks at the
# order of llvm-mca's arrays, which recurs late or never, so half of the runs go without.
views() {
    case $(($1 % 4)) in
    0) echo -all-views ;;
    1) echo "-all-views -json -bottleneck-analysis=0" ;;
    2) echo "-all-views -bottleneck-analysis=0" ;;
    *) echo "-all-views -json" ;;
    esac
}

# iterations K: odd counts, as no power of two and no period divides them.
iterations() { set -- $(($1 % 5)) 201 363 803 1509 2777; shift "$1"; shift; echo "$1"; }

share() { # share LABEL LEAST: of the regions since the last call; LEAST is for those without bottleneck analysis
    [ "$plain" -gt 0 ] || plain=1
    echo "$1: $((regions - regions_before)) runs of a region, $((found - found_before)) with a recurrence;" \
        "without bottleneck analysis $plain_found of $plain ($((100 * plain_found / plain)) %, at least $2 %)"
    [ $((100 * plain_found)) -ge $(($2 * plain)) ] || { different=$((different + 1)); echo "too few recurrences"; }
    regions_before=$regions found_before=$found plain=0 plain_found=0
}
regions_before=0 found_before=0 plain=0 plain_found=0

selected() { case $only in *" $1 "* | "  ") true ;; *) false ;; esac; }

models > "$OUT/list"
turn=$seed
while read -r isa cpu; do
    selected "$cpu" || continue
    turn=$((turn + 1))
    fit=$(echo "$KERNELS"/*.c)
    # There are no 128-bit integers on 32-bit targets.
    # shellcheck disable=SC2086
    case $isa in riscv32 | arm | thumb) fit=$(printf '%s\n' $fit | grep -v /integer.c) ;; esac
    # shellcheck disable=SC2086
    [ "$extent" = full ] || fit=$(printf '%s\n' $fit | awk -v turn="$turn" '{ line[NR] = $0 } END { print line[turn % NR + 1] }')
    # shellcheck disable=SC2086
    compile "$isa" "$cpu" -O2 block "$OUT/kernels.s" $fit || exit 1
    # shellcheck disable=SC2046
    both "$cpu.kernels" "$OUT/kernels.s" -mtriple="$isa" -mcpu="$cpu" -skip-unsupported-instructions=lack-sched \
        -iterations="$(iterations $((turn + 3)))" $(views "$turn")
done < "$OUT/list"
share kernels 90
while read -r isa cpu; do
    selected "$cpu" || continue
    pool "$(set_of "$isa" "$cpu")"
    k=0
    while [ "$k" -lt "$batches" ]; do
        s=$(($(printf %s "$cpu" | cksum | cut -d' ' -f1) % 100000 * 1000 + seed * 100 + k + 50))
        make_file "$isa" "$cpu" "$s" "$blocks" tame "$OUT/blocks.s"
        options=$("$GENOPTIONS" "$s" all | sed 's/-iterations=[0-9]*//; s/-instruction-tables//; s/-json//; s/-all-views//; s/-bottleneck-analysis//')
        for view in $s $([ "$extent" = sample ] || echo $((s + 1))); do
            # shellcheck disable=SC2046,SC2086
            both "$cpu-$s-$((view % 4))" "$OUT/blocks.s" -mtriple="$isa" -mcpu="$cpu" -mattr="$(attributes "$(set_of "$isa" "$cpu")")" \
                -skip-unsupported-instructions=lack-sched $options -iterations="$(iterations "$s")" $(views "$view")
        done
        k=$((k + 1))
    done
done < "$OUT/list"
share blocks 80
echo "seed $seed: $regions compared, $different different, $found with a recurrence"
echo "$((regions - different)) passed, $different failed, 0 skipped"
[ "$different" -eq 0 ] && [ "$regions" -gt 0 ]
