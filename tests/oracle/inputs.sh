# SPDX-License-Identifier: Apache-2.0
# Files of code regions for a scheduling model: compiled kernels, and random blocks (GEN). Sourced after lib.sh.

# compile ISA CPU LEVEL BY FILE KERNEL...: joins the marked assembly of the kernels into FILE.
compile() {
    flags=$(clang_target "$1" "$2") level=$3 by=$4 file=$5
    [ "$1" != x86_64 ] || flags="$flags -mprefer-vector-width=512"
    shift 5
    : > "$file"
    for kernel; do
        # shellcheck disable=SC2086 # a list of flags
        $CLANG $flags "$level" -std=c11 -ffreestanding -Wno-atomic-alignment -fno-asynchronous-unwind-tables -fno-ident -fno-addrsig \
            -fno-stack-protector -S -o "$file.one" "$kernel" || return 1
        awk -v by="$by" -v suffix= -f "$here/mark.awk" "$file.one" |
            sed "s/\.L\([A-Za-z]\)/.L$(basename "$kernel" .c)\1/g" >> "$file"
    done
    rm -f "$file.one"
}

# pool ISA: the encodings to draw from, found once for each decoder.
pool() {
    [ -s "$OUT/pool.$1" ] && [ "$OUT/pool.$1" -nt "$GEN" ] || "$GEN" pool "$1" 7 > "$OUT/pool.$1"
}

# make_file ISA CPU SEED COUNT KIND FILE
make_file() {
    attr=$(attributes "$(set_of "$1" "$2")")
    "$GEN" blocks "$(set_of "$1" "$2")" "$2" "$OUT/pool.$(set_of "$1" "$2")" "$3" "$4" "$5" |
        $MC --disassemble -triple="$1" -mattr="$attr" 2> /dev/null | awk -f "$here/blocks.awk" > "$6"
    # Lines that the assembler refuses (the disassembler prints a few) are dropped.
    while :; do
        $MC -triple="$1" -mattr="$attr" -filetype=obj -o /dev/null "$6" 2>&1 |
            sed -n "s|^$6:\([0-9]*\):.*error:.*|\1d|p" > "$6.drop"
        [ -s "$6.drop" ] || break
        sed -i -f "$6.drop" "$6"
    done
    rm -f "$6.drop"
}
