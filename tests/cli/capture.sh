#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# slotledger capture, doctor and topdown record on whole, damaged and hostile input: exit status and messages.
# usage: capture.sh TOOL CAPTURE_MAKE    (closes with "N passed, N failed, N skipped")
set -u
tool=$(realpath "$1")
make=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
"$make" . || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }

pass=0 fail=0
# expect STATUS REGEX ARGUMENT...: the exit status, and an extended regular expression that a line of the output matches ('' = any).
expect() {
    status=$1 regex=$2
    shift 2
    timeout 20 "$tool" "$@" > out 2> err
    got=$?
    if [ $got -eq "$status" ] && { [ -z "$regex" ] || cat out err | grep -qE "$regex"; }; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "capture: $*: exit $got, expected $status and '$regex':"
        cat out err | head -12
    fi
}
# One line for each problem, and no more.
lines() { # lines N WHAT
    n=$(grep -cE '^(slotledger|note): ' err)
    if [ "$n" -eq "$1" ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1)) && echo "capture: $2: $n lines of problems, expected $1:" && cat err
    fi
}

# ---- whole ones
expect 0 '^stream.capture: 11 records in 1 stream, 0 missing \(0 given up by the writer\), 0 problems: complete$' capture verify stream.capture
lines 0 verify
expect 0 '^  sample +inner loop, group 3, 1 times, 2 counts, clock 100 to 1000100$' capture info stream.capture
expect 0 '^  register +MIDR_EL1 +0x00000000410fd493 at probing$' capture info --registers stream.capture
expect 0 '^    0x3e +500000 1 overflows \[wrapped\]$' capture info --counts stream.capture
expect 0 'made room for newer ones in the ring$' capture verify ring.capture
lines 1 ring
expect 0 ': complete$' capture verify - < stream.capture
cat stream.capture ring.capture > both.capture
expect 0 'in 2 streams, .*: complete$' capture verify both.capture

# ---- damaged ones: the 96 bytes of the first record, then 112 of the second
size=$(wc -c < stream.capture)
head -c $((size - 1)) stream.capture > cut.capture
expect 2 'cut.capture:0x[0-9a-f]+: core 0: record 10 \(end\) is cut off: 55 of its 56 bytes are there$' capture verify cut.capture
lines 2 cut # and no end record
head -c $((size - 56)) stream.capture > cut.capture
expect 2 'no end record: the capture is cut off, or was never closed' capture verify cut.capture
{ head -c 96 stream.capture; tail -c +209 stream.capture; } > hole.capture
expect 2 '^slotledger: hole.capture:0x60: core 0: record 1 is missing: lost on the way from the writer$' capture verify hole.capture
lines 1 hole
{ head -c 130 stream.capture; printf 'X'; tail -c +132 stream.capture; } > flip.capture
expect 2 '^slotledger: flip.capture:0x60: core 0: record 1 \(cpu\) is damaged: CRC of its payload differs$' capture verify flip.capture
lines 1 flip
expect 2 '' capture info flip.capture
{ head -c 208 stream.capture; echo 'watchdog: bark'; tail -c +209 stream.capture; } > text.capture
expect 2 '^slotledger: text.capture:0xd0: 15 bytes of no record$' capture verify text.capture
lines 1 text
{ head -c 96 stream.capture; cat stream.capture; } > twice.capture
expect 0 '^note: twice.capture:0x60: core 0: record 0 \(file\) is the same as at 0x0: counted once$' capture verify twice.capture
{ head -c 96 stream.capture; tail -c +209 stream.capture; head -c 208 stream.capture | tail -c 112; } > order.capture
expect 2 'core 0: record 1 \(cpu\) comes after record 10: put into order$' capture verify order.capture
lines 1 order
printf 'no capture at all, however long it may be' > text
expect 1 '^slotledger: text:0x0: no record of a capture$' capture verify text
expect 1 '^slotledger: text:0x0: no record of a capture$' capture info text
: > empty
expect 1 'no record of a capture$' capture verify empty
expect 1 'No such file' capture verify missing
expect 1 'Is a directory' capture info .
expect 1 "a console log\\? 'slotledger capture import' reads those" capture info two.log
expect 1 "Unknown action 'frob'" capture frob x
expect 1 'no action given' capture
expect 1 'Unknown command line argument' capture info --frob stream.capture

# ---- console logs
expect 0 '^two.log: [0-9]+ lines \(0 repeated\), 2 streams, 2304 bytes, 0 problems$' capture import two.log -o two.capture
expect 0 '^two.capture: 22 records in 2 streams, .*: complete$' capture verify two.capture
awk '{ printf "[%8.3f] %s\r\n", NR / 7, $0 } NR % 5 == 0 { print "uart: overrun" }' two.log > noisy.log
expect 0 ': complete$' capture import noisy.log -o noisy.capture
if cmp -s two.capture noisy.capture; then pass=$((pass + 1)); else fail=$((fail + 1)) && echo 'capture: a noisy log differs'; fi
sort -r two.log > sorted.log
expect 0 ': complete$' capture import sorted.log -o sorted.capture
cat two.log two.log > again.log
expect 0 '72 lines|\([0-9]+ repeated\), 2 streams' capture import again.log -o again.capture
sed 7d two.log > hole.log
expect 2 '^slotledger: hole.log:0x[0-9a-f]+: line 7: core 0: bytes 0xc0 to 0xdf before it are in no line \(32\)$' capture import hole.log -o filled.capture
{ sed 7d two.log; cat two.log; } > healed.log
expect 0 ': complete$' capture import healed.log -o healed.capture
sed '9s/\*/0*/' two.log > bad.log
expect 2 ': line 9: damaged: left out$' capture import bad.log -o bad.capture
head -c 3000 two.log > short.log
expect 2 'the log ends inside it$' capture import short.log -o short.capture
expect 1 'no whole line of a capture' capture import text -o none.capture
expect 1 'No such file or directory' capture import two.log -o /nonexistent/x
"$tool" capture import two.log > piped.capture 2> err
if cmp -s two.capture piped.capture; then pass=$((pass + 1)); else fail=$((fail + 1)) && echo 'capture: import to standard output differs'; fi

# ---- hostile ones end quickly: a megabyte of headers, of one byte, of lines
i=0
head -c 32 stream.capture > header
: > headers
while [ $i -lt 15 ]; do cat header header headers > more && mv more headers && i=$((i + 1)); done
cat headers headers > more && mv more headers
expect 1 '' capture verify headers
head -c 1000000 /dev/zero | tr '\0' 'S' > letters
expect 1 '1000000 bytes of no record' capture verify letters
head -c 1000000 /dev/zero > zeros
expect 1 'no record of a capture' capture verify zeros
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "$SL%04x%08x:00*00000000\n", i % 65536, i * 4096 }' > lines.log
expect 1 'no whole line' capture import lines.log -o x

# ---- doctor
expect 3 '^  PROBLEM: spe-collisions$' doctor stream.capture
expect 0 '^0 problems, ' doctor ring.capture
expect 1 'no record of a capture' doctor text
expect 3 'record 1 is missing' doctor hole.capture
expect 0 'USAGE: slotledger doctor' doctor --help

# ---- topdown record: with counters it works, without it says so; either is looked at
if [ -e /sys/bus/event_source/devices/cpu ] || ls -d /sys/bus/event_source/devices/armv8* > /dev/null 2>&1; then
    expect 5 '' topdown record -o own.capture -- sh -c 'exit 5'
    expect 0 ': complete$' capture verify own.capture
else
    expect 1 '^slotledger: perf_event_open: .*this machine offers no hardware counters' topdown record -o own.capture -- sh -c 'exit 5'
    [ ! -e own.capture ] && pass=$((pass + 1)) || { fail=$((fail + 1)) && echo 'capture: a file of nothing'; }
fi
expect 1 'no command given' topdown record

echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
