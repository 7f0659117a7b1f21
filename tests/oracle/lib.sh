# SPDX-License-Identifier: Apache-2.0
# Compares slotledger mca with llvm-mca on files of code regions; sourced by the scripts of this folder.
# REF and OURS are the two commands; OUT the folder for everything written; LIMIT the seconds of processor time for one run.
here=$(dirname "$0")
: "${REF:=llvm-mca-19}" "${OURS:=build/host/slotledger mca}" "${OUT:=build/oracle}" "${LIMIT:=20}"
: "${MC:=llvm-mc-19}" "${CLANG:=clang-19}" "${SHOWN:=12}"
fail=$OUT/fail
compared=0 different=0 crashes=0 unclear=0 patience=$LIMIT

# The decoder of an architecture and a CPU, by slotledger's name: Thumb has two.
set_of() {
    case "$1 $2" in
    "thumb cortex-m"* | "thumb sc"*) echo thumbm ;;
    *) echo "$1" ;;
    esac
}

# All that assembles on these ISAs but APX; both programs get the same list for random blocks.
attributes() {
    case $1 in
    aarch64) echo +all ;;
    thumbm) echo +armv8.1-m.main,+mve.fp,+fp64,+fp-armv8d16,+fullfp16,+dsp,+lob,+pacbti,+ras ;;
    arm | thumb) echo +armv8.6-a,+neon,+crypto,+fullfp16,+fp16fml,+dotprod,+i8mm,+bf16,+sb,+crc,+mp,+trustzone,+virtualization,+hwdiv,+hwdiv-arm,+d32,+ras ;;
    riscv*) sed '/^#/d; s/^/+/' "$here/riscv_features.txt" | paste -sd, ;;
    *) sed '/^#/d; s/^/+/' "$here/x86_features.txt" | paste -sd, ;;
    esac
}

# What clang needs to compile for a CPU.
clang_target() {
    case $1 in
    x86_64) echo "--target=x86_64-linux-gnu -march=$2" ;;
    arm) echo "--target=arm-none-eabihf -marm -mcpu=$2" ;;
    thumb) echo "--target=thumb-none-eabihf -mthumb -mcpu=$2" ;;
    riscv32) echo "--target=riscv32-unknown-elf -mcpu=$2" ;;
    *) echo "--target=$1-linux-gnu -mcpu=$2" ;;
    esac
}

models() { sed '/^#/d' "$here/models.txt"; }

# run PREFIX COMMAND FILE OPTIONS...: output in PREFIX.out and PREFIX.err, exit status in $status.
run() {
    run_prefix=$1 run_command=$2 run_file=$3
    shift 3
    # shellcheck disable=SC2086 # the command may hold words of its own
    (ulimit -t "$patience" && exec timeout -s KILL $((10 * patience)) $run_command "$@" "$run_file") > "$run_prefix.out" 2> "$run_prefix.err"
    status=$?
}

# Both programs on one file. Sets verdict: same, different, crash (of the reference), or hurt (ours crashed or hung).
run_both() {
    both_file=$1
    shift
    run "$OUT/ref" "$REF" "$both_file" "$@" 2> /dev/null
    ref_status=$status
    run "$OUT/our" "$OURS" "$both_file" "$@" 2> /dev/null
    our_status=$status
    if [ "$our_status" -ge 124 ]; then
        verdict=hurt
    elif [ "$ref_status" -ge 124 ]; then
        verdict=crash
    elif [ "$ref_status" -ne "$our_status" ] || ! cmp -s "$OUT/ref.out" "$OUT/our.out"; then
        verdict=different
    elif ! meanings || ! cmp -s "$OUT/ref.meaning" "$OUT/our.meaning"; then
        verdict=different
    else
        verdict=same
    fi
}

# The kinds of messages on standard error, which need not agree in wording.
meanings() {
    awk -f "$here/meaning.awk" "$OUT/our.err" > "$OUT/our.meaning"
    awk -f "$here/meaning.awk" "$OUT/ref.err" > "$OUT/ref.meaning"
}

# select_regions FILE NAMES: the file with only the named regions (a file of names).
select_regions() {
    awk -v names="$2" -f "$here/select.awk" "$1"
}

# save FILE LABEL OPTIONS...: keeps a failing input with its command lines and shows the beginning of the difference.
save() {
    save_file=$1 save_label=$2
    shift 2
    mkdir -p "$fail"
    cp "$save_file" "$fail/$save_label.s"
    {
        echo "$REF $* $fail/$save_label.s"
        echo "$OURS $* $fail/$save_label.s"
    } > "$fail/$save_label.cmd"
    {
        diff -a "$OUT/ref.out" "$OUT/our.out"
        [ "$ref_status" -eq "$our_status" ] || echo "exit status: $ref_status, ours $our_status"
        meanings
        diff "$OUT/ref.meaning" "$OUT/our.meaning" | sed 's/^/stderr: /'
        tail -2 "$OUT/our.err"
    } > "$fail/$save_label.diff"
    echo "DIFFERENT $save_label: $*" | sed "s/-mattr=[^ ]* //"
    grep -av LLVM-MCA "$save_file" | head -14
    head -"$SHOWN" "$fail/$save_label.diff"
}

# compare LABEL FILE OPTIONS...: counts the file's regions; a difference or crash is brought down to single regions.
compare() {
    local label file count part
    label=$1 file=$2
    shift 2
    count=$(grep -c 'LLVM-MCA-BEGIN' "$file")
    [ "$count" -gt 0 ] || return 0
    run_both "$file" "$@"
    case $verdict in
    same)
        # A file that ends in an error has been compared up to there.
        [ "$ref_status" -eq 0 ] || count=$(grep -c '^\[[0-9]*\] Code Region' "$OUT/ref.out")
        compared=$((compared + count))
        return 0
        ;;
    esac
    if [ "$count" -eq 1 ] && [ "$patience" -lt "$LIMIT" ]; then
        # Only a run with all the time there is tells that a single region hangs.
        patience=$LIMIT
        compare "$label" "$file" "$@"
        return 0
    fi
    if [ "$count" -eq 1 ]; then
        compared=$((compared + 1))
        if [ "$verdict" = crash ]; then
            crashes=$((crashes + 1))
            mkdir -p "$OUT/crash"
            cp "$file" "$OUT/crash/$label.s"
            echo "$REF $*" > "$OUT/crash/$label.cmd"
            ends=crashes
            [ "$ref_status" -ne 137 ] || ends="does not end" # killed for its time
            echo "SKIPPED $label ($(sed -n 's/.*LLVM-MCA-BEGIN //p' "$file")): $REF $ends ($ref_status): $*; ours exits with $our_status" | sed "s/-mattr=[^ ]*/-mattr=.../"
            compared=$((compared - 1))
        else
            different=$((different + 1))
            save "$file" "$label" "$@"
        fi
        return 0
    fi
    divide "$label" "$file" "$count" "$@"
}

# Takes the differing regions one by one when the outputs tell which, else halves the file.
divide() {
    local label file count before part half
    label=$1 file=$2 count=$3
    shift 3
    before=$((different + crashes))
    if [ "$verdict" = different ] && [ "$ref_status" -eq 0 ] && [ "$our_status" -eq 0 ]; then
        awk -f "$here/differing.awk" "$OUT/ref.out" "$OUT/our.out" > "$OUT/$label.differing"
        part=$(wc -l < "$OUT/$label.differing")
        if [ "$part" -gt 0 ] && [ "$part" -lt "$count" ]; then
            compared=$((compared + count - part))
            each "$label" "$file" "$OUT/$label.differing" "$@"
            recheck "$label" "$file" "$before" "$@"
            return 0
        fi
    fi
    sed -n 's/.*LLVM-MCA-BEGIN //p' "$file" > "$OUT/$label.all"
    half=$((count / 2))
    [ "$verdict" = different ] || patience=$(((LIMIT + 3) / 4))
    head -"$half" "$OUT/$label.all" > "$OUT/$label.0"
    tail -n +$((half + 1)) "$OUT/$label.all" > "$OUT/$label.1"
    for part in 0 1; do
        select_regions "$file" "$OUT/$label.$part" > "$OUT/$label.$part.s"
        rm -f "$OUT/$label.$part"
        compare "$label.$part" "$OUT/$label.$part.s" "$@"
        rm -f "$OUT/$label.$part.s"
    done
    patience=$LIMIT
    rm -f "$OUT/$label.all"
    recheck "$label" "$file" "$before" "$@"
}

# At most five regions of a file are looked at singly; the others are counted.
each() {
    local label file list name taken
    label=$1 file=$2 list=$3 taken=0
    shift 3
    while read -r name; do
        taken=$((taken + 1))
        if [ "$taken" -gt 5 ]; then
            compared=$((compared + 1)) different=$((different + 1))
            continue
        fi
        echo "$name" > "$OUT/$label.name"
        select_regions "$file" "$OUT/$label.name" > "$OUT/$label.$name.s"
        compare "$label.$name" "$OUT/$label.$name.s" "$@"
        rm -f "$OUT/$label.$name.s"
    done < "$list"
    rm -f "$OUT/$label.name" "$list"
}

# A difference of the whole that no part shows is one difference.
recheck() {
    local label file before
    label=$1 file=$2 before=$3
    shift 3
    [ "$((different + crashes))" -gt "$before" ] && return 0
    run_both "$file" "$@"
    if [ "$verdict" = same ] || [ "$verdict" = crash ]; then
        unclear=$((unclear + 1))
        echo "UNCLEAR $label: the whole fails ($verdict), its parts do not: $*"
        mkdir -p "$OUT/unclear"
        cp "$file" "$OUT/unclear/$label.s"
        echo "$*" > "$OUT/unclear/$label.cmd"
    else
        different=$((different + 1))
        save "$file" "$label" "$@"
    fi
}

# The closing lines of a script: what was counted, then the form that `make check` adds up.
closing() {
    # Having compared nothing is a failure, not a success.
    [ "$compared" -gt 0 ] || different=$((different + 1)) compared=1
    echo "$1: $compared compared, $different different, $crashes reference crashes, $unclear unclear"
    echo "$((compared - different)) passed, $different failed, $crashes skipped"
    [ "$different" -eq 0 ]
}
