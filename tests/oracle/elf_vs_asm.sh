#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Assembly input and the object made from it must give the same numbers: each kernel function as a region of an
# assembly file and as a symbol of an object, compared by their JSON reports without names and texts.
# usage: elf_vs_asm.sh sample|full
set -u
. "$(dirname "$0")/lib.sh"
: "${KERNELS:=fixtures/kernels}"
mkdir -p "$OUT/elf"
passed=0 failed=0
options="-json -timeline -iterations=12 -skip-unsupported-instructions=lack-sched"

# One file for each region of a JSON report: its numbers.
split_json() {
    awk -v folder="$2" '
        /^    \{/ { text = ""; name = ""; inside = 1 }
        /^      "Instructions": \[/ { skip = 1 }
        inside && !skip && !/^      "Name"/ { text = text $0 "\n" }
        /^      "Name"/ { name = $2; gsub(/[",]/, "", name) }
        skip && /^      \]/ { skip = 0 }
        /^    \}/ { sub(/},?\n$/, "}\n", text); printf "%s", text > (folder "/" (name == "" ? "one" : name) ".json"); inside = 0
                    close(folder "/" (name == "" ? "one" : name) ".json") }' "$1"
}

list=$OUT/elf.list
case $1 in
full)
    models | grep -E ' (a64fx|cortex-a53|neoverse-v2|bdver2|btver2|sapphirerapids|znver4|sifive-p670|rocket-rv64|sifive-e76|cortex-m7|cortex-m55|cortex-r52|cortex-a9|swift)$' > "$list"
    some="*.c"
    ;;
*)
    models | grep -E ' (neoverse-v1|btver2|sifive-x280|sifive-e76|cortex-m55)$|^arm cortex-r52$' > "$list"
    some="bits.c branches.c memory.c signal.c"
    ;;
esac
while read -r isa cpu; do
    target=$(clang_target "$isa" "$cpu")
    quirks=
    # A branch that the assembler has made longer has another opcode in the object; that llvm-mca then overlooks other
    # operands is a defect and not a difference in reading the code.
    case $isa in riscv*) quirks=--no-quirks ;; esac
    for kernel in $(cd "$KERNELS" && echo $some); do
        # No 128-bit integers there; only Thumb code has tables of odd length that have to be aligned again.
        case $isa/$kernel in riscv32/integer.c | arm/integer.c | thumb/integer.c) continue ;; esac
        aligned=.
        [ "$isa" != thumb ] || aligned='[2-9]'
        kernel=$KERNELS/$kernel
        rm -f "$OUT/elf"/*
        # shellcheck disable=SC2086 # lists of words, here and below
        $CLANG $target -O2 -std=c11 -ffreestanding -Wno-atomic-alignment -fno-asynchronous-unwind-tables -S -o "$OUT/elf/clang.s" "$kernel" || exit 1
        # Without the no-operations that align loops, which only an object has.
        sed "/\.p2align[[:blank:]]*$aligned/d" "$OUT/elf/clang.s" > "$OUT/elf/plain.s"
        awk -v by=function -v suffix= -f "$here/mark.awk" "$OUT/elf/plain.s" > "$OUT/elf/marked.s"
        $MC -triple="$isa-linux-gnu" -mcpu="$cpu" -filetype=obj -o "$OUT/elf/object.o" "$OUT/elf/plain.s" || exit 1
        $OURS -mtriple="$isa" -mcpu="$cpu" $options $quirks "$OUT/elf/marked.s" > "$OUT/elf/asm.out" 2> "$OUT/elf/asm.err" < /dev/null
        split_json "$OUT/elf/asm.out" "$OUT/elf"
        for name in $(sed -n 's/^# LLVM-MCA-BEGIN //p' "$OUT/elf/marked.s"); do
            $OURS -mcpu="$cpu" $options $quirks --symbol "$name" "$OUT/elf/object.o" > "$OUT/elf/elf.out" 2> "$OUT/elf/elf.err" < /dev/null
            mkdir -p "$OUT/elf1"
            rm -f "$OUT/elf1"/*
            split_json "$OUT/elf/elf.out" "$OUT/elf1"
            if [ -s "$OUT/elf/$name.json" ] && cat "$OUT/elf1"/*.json 2> /dev/null | cmp -s "$OUT/elf/$name.json" -; then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                echo "elf_vs_asm $cpu $name: $(tail -1 "$OUT/elf/elf.err")"
                cat "$OUT/elf1"/*.json 2> /dev/null | diff "$OUT/elf/$name.json" - 2>&1 | head -"$SHOWN"
            fi
        done
    done
done < "$list"
echo "elf_vs_asm: $passed functions agree, $failed differ"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
