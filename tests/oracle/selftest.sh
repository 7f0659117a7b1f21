#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests the comparing machinery with llvm-mca in both roles: the same program is the same, a changed option, a
# changed exit status, a hanging and a crashing reference are found and brought down to their region.
set -u
. "$(dirname "$0")/lib.sh"
OUT=$OUT/selftest
fail=$OUT/fail
LIMIT=1
rm -rf "$OUT"
mkdir -p "$OUT"
passed=0 failed=0

cat > "$OUT/program" <<'X'
#!/bin/sh
# llvm-mca with a fault: FAULT is none, queue, status, hang or crash; the latter three strike at sdiv x9.
for file; do :; done
if grep -q 'sdiv.*x9' "$file"; then
    case $FAULT in
    status) exit 1 ;;
    hang) while :; do :; done ;;
    crash) kill -SEGV $$ ;;
    esac
fi
[ "$FAULT" != queue ] || exec llvm-mca-19 "$@" -lqueue=1
exec llvm-mca-19 "$@"
X
chmod +x "$OUT/program"
{
    echo '# blocks'
    for i in 1 2 3 4 5 6 7; do
        echo "# LLVM-MCA-BEGIN b$i"
        [ $i -ne 5 ] || echo ' ldr x1, [x0]'
        [ $i -ne 6 ] || echo ' sdiv x9, x9, x1'
        echo " add x1, x1, #$i"
        echo "# LLVM-MCA-END b$i"
    done
} > "$OUT/blocks.s"

# expect ROLE FAULT COMPARED DIFFERENT CRASHES
expect() {
    compared=0 different=0 crashes=0 unclear=0
    REF=llvm-mca-19 OURS=llvm-mca-19
    if [ "$1" = ref ]; then REF="env FAULT=$2 $OUT/program"; else OURS="env FAULT=$2 $OUT/program"; fi
    compare "self-$2" "$OUT/blocks.s" -mtriple=aarch64 -mcpu=cortex-a57 > "$OUT/log" 2>&1
    if [ "$compared $different $crashes $unclear" = "$3 $4 $5 0" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "selftest $1 $2: $compared compared, $different different, $crashes crashes, $unclear unclear; expected $3 $4 $5 0"
        cat "$OUT/log"
    fi
}
expect ours none 7 0 0
expect ours queue 7 1 0
expect ours status 7 1 0
expect ours crash 7 1 0
expect ours hang 7 1 0
expect ref crash 6 0 1
expect ref hang 6 0 1
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
