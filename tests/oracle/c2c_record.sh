#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `slotledger c2c record` beside the installed perf: events and arguments on machines made of files, where the real one has
# no such PMU; then a recording of a software event, which perf must read as the reader does.
# usage: c2c_record.sh      (as root: in a mount namespace of its own; closes with "N passed, N failed, N skipped")
set -u
ours=${OURS:-build/host/slotledger}
out=${OUT:-build/oracle}
if [ "${1:-}" != inside ]; then
    OURS=$(realpath "$ours") OUT=$(realpath "$out") exec unshare -m sh "$0" inside
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HOME=$work
export HOME
cd "$work" || exit 1
pass=0 fail=0
verdict() { # verdict WHAT: of the files theirs and ours
    if cmp -s theirs ours; then pass=$((pass + 1)); else
        fail=$((fail + 1))
        echo "c2c_record: $1"
        diff theirs ours | head -6
    fi
}
# perf: what it would call, or what it says, and its status where it does not call anything: such a machine has no PMU that
# could be opened.
both() { # both ARGUMENTS...
    perf c2c record "$@" > log 2>&1
    theirs=$?
    sed -n -e '/^calling: /p' -e '/^failed: /p' -e '/: available/p' -e '/^ Error: /p' log > theirs
    grep -q '^calling: ' log && theirs=0
    PATH=$work/bin:$PATH "$ours" c2c record --perf "$@" > log 2>&1
    status=$?
    sed -n -e '/^calling: /p' -e '/^failed: /p' -e '/: available/p' -e '/^ Error: /p' log > ours
    echo "status $theirs" >> theirs
    echo "status $status" >> ours
    verdict "record $*"
}
mkdir bin
printf '#!/bin/sh\nexit 0\n' > bin/perf
chmod +x bin/perf
mount -t tmpfs none /sys/devices || { echo "c2c_record: needs to mount"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
both -v true
mkdir -p /sys/devices/cpu/events
touch /sys/devices/cpu/type /sys/devices/cpu/events/mem-loads /sys/devices/cpu/events/mem-stores
cases() {
    both -e list
    both -v -e list
    both -v true
    both -v -l 50 true
    both -v -l77 -u -- true
    both -v -k -a -- sleep 1
    both -v -e ldlat-loads true
    both -v -e ldlat-st true
    both -v -e loads,stores -F 99 true
    both -v -e foo true
    both -v -e ldlat -e stores --ldlat=40 --all-user -g true
    both -v --all-kernel --frob -c 100 true -x
    both -v -l
    both -v -l abc true
    both -v
}
# AMD's table is perf's for that vendor alone, so only Intel's two rows can be compared here.
if grep -q GenuineIntel /proc/cpuinfo; then
    cases
    mount -t tmpfs none /sys/bus/event_source/devices
    mkdir -p /sys/bus/event_source/devices/cpu/events /sys/bus/event_source/devices/cpu/format
    echo 4 > /sys/bus/event_source/devices/cpu/type
    for event in mem-loads mem-stores mem-loads-aux; do
        echo event=0xcd > /sys/bus/event_source/devices/cpu/events/$event
        touch /sys/devices/cpu/events/$event
    done
    echo config:0-7 > /sys/bus/event_source/devices/cpu/format/event
    cases
    umount /sys/bus/event_source/devices
fi
umount /sys/devices
# A clock instead of memory accesses: all else is as with real events.
"$out/record_clock" "$work/clock.data" sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' || fail=$((fail + 1))
perf script -i clock.data --ns -F comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso,addr,data_src,weight,phys_addr 2> log |
    sed -e 's/|OP.*|LCK [A-Za-z/]*|\(BLK[A-Za-z/ ]*\)\{0,1\}/ /' -e 's/  */ /g' -e 's/^ //' -e 's/ $//' > theirs
"$out/perf_dump" clock.data | sed -e 's/  */ /g' -e 's/^ //' -e 's/ $//' > ours
[ "$(wc -l < theirs)" -gt 20 ] || { echo "only $(wc -l < theirs) samples" >> theirs; }
verdict "samples of a recording"
perf c2c report -i clock.data --stdio --no-source > theirs 2> log
"$ours" c2c report -i clock.data --stdio --no-source > ours 2> log
verdict "report of a recording"
perf report --header-only -i clock.data 2>&1 | grep -E '^# (hostname|os release|arch|nrcpus (online|avail)|node[0-9]* cpu list|cmdline) ?:' |
    sed 's/ *$//' > theirs
{
    echo "# hostname : $(uname -n)"
    echo "# os release : $(uname -r)"
    echo "# arch : $(uname -m)"
    echo "# nrcpus online : $(nproc)"
    echo "# nrcpus avail : $(nproc --all)"
    echo "# cmdline : record_clock"
} > ours
grep -v node theirs > only
mv only theirs
verdict "header of a recording"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
