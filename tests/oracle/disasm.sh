#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The bytes of compiled kernels as text: slotledger disasm against llvm-mc-19 --disassemble, decimal and hexadecimal,
# both x86 syntaxes. At most one line of a thousand may be printed as its encoding; none may be wrong.
# usage: disasm.sh sample|full     (closes with "N passed, N failed, N skipped")
set -u
: "${OURS:=build/host/slotledger}" "${OUT:=build/oracle}" "${MC:=llvm-mc-19}" "${CLANG:=clang-19}" "${KERNELS:=fixtures/kernels}"
: "${OBJCOPY:=llvm-objcopy-19}" "${NM:=llvm-nm-19}" "${SHOWN:=12}"
out=$OUT/disasm
mkdir -p "$out"
lines=0 unknown=0 wrong=0

# LLVM's lines without comments and directives. It prints lock on a line of its own, our lines are what mca prints.
theirs() {
    sed 's/[[:blank:]]*\/\/ .*//; s/[[:blank:]]*[#@] .*//; /^\t\./d' |
        awk '/^\tlock$/ { prefix = $0 "\t"; next } { print prefix $0; prefix = "" }'
}

# compare ISA ATTRIBUTES SYNTAX OPTION: $out/code.bin
compare() {
    # shellcheck disable=SC2086 # words
    $MC -triple="$triple" $2 -output-asm-variant="$3" $4 --disassemble "$out/code.hex" 2> "$out/mc.err" | theirs > "$out/ref"
    # shellcheck disable=SC2086
    $OURS disasm --raw --isa="$1" --no-addresses -output-asm-variant="$3" $4 "$out/code.bin" > "$out/our" 2> "$out/our.err"
    diff "$out/ref" "$out/our" > "$out/diff"
    new_unknown=$(grep -c '^> 	\.\(byte\|insn\|inst\|inst\.[nw]\)	' "$out/diff")
    new=$(grep -c '^[<]' "$out/diff")
    lines=$((lines + $(wc -l < "$out/ref")))
    unknown=$((unknown + new_unknown))
    if [ "$new" -gt "$new_unknown" ]; then
        wrong=$((wrong + new - new_unknown))
        echo "disasm $1 $cpu $kernel syntax $3 $4:"
        head -"$SHOWN" "$out/diff"
    elif [ "$new" -gt 0 ]; then
        grep '^<' "$out/diff" | sort | uniq -c | head -"$SHOWN"
    fi
}

# Takes the literals out of $out/code.bin: what lies between $d and the next $a or $t.
without_data() {
    $NM --special-syms --numeric-sort "$out/code.o" | sed -n 's/^\([0-9a-f]*\) . \$\([adt]\).*/\1 \2/p' > "$out/maps"
    od -An -v -to1 -w1 "$out/code.bin" | awk -v maps="$out/maps" '
        function value(hex, i, n) { for (n = i = 0; i++ < length(hex);) n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1; return n }
        BEGIN { while ((getline < maps) > 0) kind[value($1)] = $2 }
        NR - 1 in kind { data = kind[NR - 1] == "d" }
        !data { printf "\\%s", $1 }' > "$out/escapes"
    # shellcheck disable=SC2059 # octal escapes alone
    printf "$(cat "$out/escapes")" > "$out/code.bin"
}

case $1 in
full)
    cpus="aarch64/cortex-a53 aarch64/neoverse-v2 aarch64/a64fx aarch64/apple-m1 x86_64/x86-64 x86_64/bdver2 x86_64/znver4
          x86_64/sapphirerapids x86_64/alderlake riscv64/sifive-p670 riscv64/sifive-u74 riscv64/rocket-rv64
          riscv32/sifive-e76 riscv32/sifive-e31 thumbm/cortex-m4 thumbm/cortex-m7 thumbm/cortex-m55 thumbm/cortex-m85
          thumb/cortex-a9 thumb/cortex-a72 arm/cortex-a9 arm/cortex-a72 arm/cortex-r52"
    levels="-O1 -O3"
    ;;
*)
    cpus="aarch64/neoverse-v2 x86_64/znver4 riscv64/sifive-p670 riscv32/sifive-e76 thumbm/cortex-m55 thumb/cortex-a72 arm/cortex-a72"
    levels=-O2
    ;;
esac
for target in $cpus; do
    isa=${target%/*} cpu=${target#*/} system=linux-gnu
    triple=$isa clang=$isa-$system
    [ "$isa" != riscv32 ] || clang=$isa-unknown-elf
    case $isa in
    aarch64) select="-mcpu=$cpu" attributes=-mattr=+all syntaxes=0 ;;
    thumbm) select="-mcpu=$cpu -mfloat-abi=hard" clang=thumb-none-eabihf triple=thumbv8.1m.main-none-eabi syntaxes=0
        attributes=-mattr=+mve.fp,+fp64,+fp-armv8d16,+fullfp16,+dsp,+lob,+pacbti,+ras ;;
    thumb | arm) select="-mcpu=$cpu -m$isa" clang=$isa-none-eabihf triple=${isa}v8 syntaxes=0
        attributes=-mattr=+armv8.6-a,+neon,+crypto,+fullfp16,+fp16fml,+dotprod,+i8mm,+bf16,+sb,+crc,+mp,+trustzone,+virtualization,+hwdiv,+hwdiv-arm,+d32,+ras ;;
    riscv*) select="-mcpu=$cpu" syntaxes=0
        attributes=-mattr=$(sed '/^#/d; s/^/+/' "$(dirname "$0")/riscv_features.txt" | paste -sd,) ;;
    *) select="-march=$cpu" attributes="" syntaxes="0 1" ;;
    esac
    for level in $levels; do
        for kernel in "$KERNELS"/*.c; do
            # There are no 128-bit integers on 32-bit targets.
            case $isa/$(basename "$kernel") in riscv32/integer.c | arm/integer.c | thumb*/integer.c) continue ;; esac
            # shellcheck disable=SC2086
            $CLANG --target="$clang" $select "$level" -std=c11 -ffreestanding -Wno-atomic-alignment -c -o "$out/code.o" "$kernel" || exit 1
            $OBJCOPY -O binary --only-section=.text "$out/code.o" "$out/code.bin" || exit 1
            case $isa in arm | thumb*) without_data ;; esac
            od -An -v -tx1 "$out/code.bin" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1 /g' > "$out/code.hex"
            for syntax in $syntaxes; do
                compare "$isa" "$attributes" "$syntax" ""
                compare "$isa" "$attributes" "$syntax" -print-imm-hex
            done
        done
    done
done
echo "disasm: $lines lines, $unknown printed as their encoding, $wrong wrong"
if [ "$wrong" -eq 0 ] && [ $((unknown * 1000)) -le "$lines" ] && [ "$lines" -gt 0 ]; then
    echo "1 passed, 0 failed, 0 skipped"
else
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
