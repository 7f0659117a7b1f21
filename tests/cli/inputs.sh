#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The inputs that llvm-mca does not have: objects, symbols, ranges, raw bytes, other assemblers; and what happens to output.
# usage: inputs.sh TOOL    (closes with "N passed, N failed, N skipped")
set -u
tool=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
for need in llvm-mc-19 clang-19 llvm-objcopy-19; do
    command -v $need > /dev/null || { echo "cli: no $need"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
done
pass=0 fail=0
ok() { pass=$((pass + 1)); }
bad() {
    fail=$((fail + 1))
    echo "cli: $1"
}
mca() { timeout 20 "$tool" mca "$@"; }
# same NAME FILE FILE
same() { if cmp -s "$2" "$3"; then ok; else bad "$1: $(diff "$2" "$3" | head -4)"; fi; }
# refuses NAME MESSAGE OPTIONS...: exit status 1, nothing on standard output, the message on standard error.
refuses() {
    name=$1 message=$2
    shift 2
    mca "$@" > out 2> err < /dev/null
    status=$?
    if [ $status -eq 1 ] && [ ! -s out ] && grep -qF -- "$message" err; then ok; else bad "$name: exit $status, $(head -2 err)"; fi
}
# numbers OPTIONS...: a report without its instruction texts.
numbers() { mca "$@" 2> /dev/null | sed -n '/^Iterations/,/^Resource pressure by/p' | sed 's/^\(.\{42\}\).*/\1/'; }

cat > x.s << 'END'
f:  movl foo(%rip), %eax
    imull %eax, %ebx
    addl $5, %ebx
    ret
g:  vmulps %xmm0, %xmm1, %xmm2
    vhaddps %xmm2, %xmm2, %xmm3
END
cat > a.s << 'END'
f:  adrp x0, foo
    ldr x1, [x0, :lo12:foo]
    madd x2, x1, x1, x2
    ret
    .quad 0
g:  fadd v0.4s, v1.4s, v0.4s
    ret
END
for isa in x a; do
    case $isa in
    x) triple=x86_64 cpu=skylake as=x86_64-linux-gnu-as name=x86_64 g_range=13-21 g_raw=13 g_len=8 ;;
    a) triple=aarch64 cpu=cortex-a57 as=aarch64-linux-gnu-as name=aarch64 g_range=24-32 g_raw=24 g_len=8 ;;
    esac
    llvm-mc-19 -filetype=obj -triple=$triple $isa.s -o $isa.o
    llvm-objcopy-19 -O binary -j .text $isa.o $isa.bin
    sed -n '/^g:/,$p' $isa.s > g.s

    # The object gives the numbers of its source; a symbol and a range those of its part.
    numbers -mtriple=$triple -mcpu=$cpu $isa.s > want
    numbers -mcpu=$cpu $isa.o > got
    same "$triple: object and source" got want
    numbers -mtriple=$triple -mcpu=$cpu g.s > want
    numbers -mcpu=$cpu --symbol=g $isa.o > got
    same "$triple: --symbol" got want
    numbers -mcpu=$cpu --range=$g_range $isa.o > got
    same "$triple: --range" got want
    dd if=$isa.bin of=g.bin bs=1 skip=$g_raw count=$g_len 2> /dev/null
    numbers -mcpu=$cpu --raw --isa=$name g.bin > got
    same "$triple: --raw" got want
    numbers -mcpu=$cpu --raw -mtriple=$triple --base=0x1000 --range=0x1000-$((4096 + g_len)) g.bin > got
    same "$triple: --raw --base --range" got want
    mca -mcpu=$cpu --symbol=g $isa.o > want 2> /dev/null
    mca -mcpu=$cpu --symbol=g - < $isa.o > got 2> /dev/null
    same "$triple: object from standard input" got want

    # Every assembler leads to the same report.
    mca -mtriple=$triple -mcpu=$cpu --assembler=llvm-mc g.s > want 2> /dev/null
    mca -mtriple=$triple -mcpu=$cpu --assembler=clang g.s > got 2> /dev/null
    same "$triple: clang" got want
    if command -v $as > /dev/null; then
        mca -mtriple=$triple -mcpu=$cpu --assembler=$as g.s > got 2> /dev/null
        same "$triple: $as" got want
    else
        bad "no $as"
    fi

    refuses "$triple: no such symbol" "no function 'nope'" -mcpu=$cpu --symbol=nope $isa.o
    refuses "$triple: no such range" "no executable section holds the range" -mcpu=$cpu --range=0-0x1000 $isa.o
    head -c 200 $isa.o > cut.o
    refuses "$triple: truncated" "cut.o:0x" -mcpu=$cpu cut.o
    mca -mcpu=$cpu --symbol=g $isa.o > want 2> /dev/null
done
# A lock elision hint is an instruction of its own, wherever it stands.
printf 'xrelease movl %%eax, (%%rdi)\nxacquire; nop\n' > hint.s
printf 'xrelease\nmovl %%eax, (%%rdi)\nxacquire\nnop\n' > apart.s
mca -mtriple=x86_64 -mcpu=btver2 --assembler=llvm-mc apart.s > want 2> /dev/null
for as in llvm-mc x86_64-linux-gnu-as; do
    if command -v $as > /dev/null || [ $as = llvm-mc ]; then
        mca -mtriple=x86_64 -mcpu=btver2 --assembler=$as hint.s > got 2> /dev/null
        same "lock elision hints: $as" got want
    else
        bad "no $as"
    fi
done
refuses "wrong machine" "x.o:0x12: the file holds x86_64 code" -mtriple=aarch64 -mcpu=cortex-a57 x.o
refuses "wrong processor" "'cortex-a57' is not a recognized processor" -mcpu=cortex-a57 x.o
refuses "no instruction set" "--raw needs --isa" --raw x.bin
refuses "unknown instruction set" "Cannot find option named 'vax'" --raw --isa=vax x.bin
refuses "bad range" "is no range START-END" --range=5-5 x.o
refuses "symbol of assembly" "need machine code" -mcpu=skylake --symbol=f x.s
refuses "binary rubbish" "neither an ELF file nor assembly text" -mcpu=skylake x.bin
refuses "too much work" "are too many" -mcpu=skylake -iterations=4294967295 x.s
refuses "no assembler" "is no executable program" -mcpu=skylake --assembler=/nowhere/as x.s
refuses "silent assembler" "failed without a message" -mcpu=skylake --assembler=/bin/false x.s
PATH=/nowhere "$tool" mca -mcpu=skylake x.s > out 2> err
if [ $? -eq 1 ] && grep -q "no assembler for x86_64" err; then ok; else bad "empty PATH"; fi
printf '\006\220' > bad.bin
refuses "undecodable" "bad.bin:0x0: no instruction of x86_64 at address 0x40: 06 90" -mcpu=skylake --raw --isa=x86_64 --base=0x40 bad.bin
if mca -mcpu=skylake --raw --isa=x86_64 -skip-unsupported-instructions=any bad.bin > out 2> err &&
    grep -q '^Instructions:      100$' out && grep -q 'warning: no instruction at address 0x0' err; then ok; else bad "skipping undecodable bytes"; fi

# Output: a file is complete or absent; JSON is complete or absent; a full device is an error.
printf '# LLVM-MCA-BEGIN a\nnop\n# LLVM-MCA-END\n# LLVM-MCA-BEGIN b\nldraa x0, [x1]\n# LLVM-MCA-END\n' > half.s
half="-mtriple=aarch64 -mattr=+pauth -mcpu=cortex-a53 half.s"
# shellcheck disable=SC2086 # options are words
if ! mca $half -o report 2> err && [ ! -e report ] && grep -q unsupported err; then ok; else bad "-o leaves a file behind"; fi
# shellcheck disable=SC2086
if ! mca $half -json > out 2> err && [ ! -s out ]; then ok; else bad "half a JSON"; fi
if mca -mcpu=skylake x.s -o report 2> err && mca -mcpu=skylake x.s 2> err | cmp -s - report; then ok; else bad "-o differs"; fi
if ! mca -mcpu=skylake x.s > /dev/full 2> err && grep -q 'cannot write' err; then ok; else bad "full device: $(cat err)"; fi
if [ -z "$(find . -name '*.tmp' -o -name 'a.out')" ]; then ok; else bad "temporary files"; fi
if mca --list-cpus | grep -q '^  cortex-a53  *in-order'; then ok; else bad "--list-cpus"; fi
if mca --help | grep -q -- '--symbol=<name>' && "$tool" --help | grep -q mca && "$tool" --version | grep -q '^slotledger '; then ok; else bad "help or version"; fi
"$tool" > out 2> err
if [ $? -eq 1 ] && grep -q 'no command' err; then ok; else bad "no command"; fi
"$tool" nope > out 2> err
if [ $? -eq 1 ] && grep -q "Unknown command 'nope'" err; then ok; else bad "unknown command"; fi
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
