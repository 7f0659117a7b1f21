#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# From a board to the member of a struct: two cores in QEMU share a line without sharing data; the tool reads their dump
# and names the members, in README's words. After the verdict's advice (spe_apart.c) the false sharing is gone.
# usage: share.sh BUILD_FOLDER SLOTLEDGER   (closes with "N passed, N failed, N skipped")
set -u
build=$1 tool=$2
dir=$build/host/qemu
pass=0 fail=0
mkdir -p "$dir"
verdict() { # verdict WHAT EXPECTED_FILE ACTUAL_FILE
    if [ -s "$2" ] && cmp -s "$2" "$3"; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1)) && echo "qemu-share: $1: expected, then actual:" && diff "$2" "$3"
    fi
}
# Where the linker puts the lines is not told.
addresses() { sed 's/0x[0-9a-f][0-9a-f]*/0xN/g'; }
# What README shows below a command.
readme() { awk -v command="\$ $1" '$0 == command { shown = 1; next } /^(\$ |```)/ { shown = 0 } shown' README.md | addresses; }
board() { # board NAME: its console becomes NAME.capture
    elf=$build/aarch64/qemu/$1.elf
    timeout 120 qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a53 -smp 2 -m 64 -nographic -nic none \
        -semihosting-config enable=on,userspace=on,target=native -kernel "$elf" > "$dir/$1.console" 2>&1 < /dev/null
    status=$?
    if [ "$status" -ne 0 ] || ! "$tool" capture import -o "$dir/$1.capture" "$dir/$1.console" 2> "$dir/$1.err"; then
        fail=$((fail + 1)) && echo "qemu-share: $1: status $status (124: it hung)" && head -3 "$dir/$1.console"
    fi
}
report() { # report NAME OPTION
    "$tool" c2c report -i "$dir/$1.capture" --elf "$build/aarch64/qemu/$1.elf" "$2"
}
board spe_share
board spe_apart
for option in --verdict --functions; do
    readme "slotledger c2c report -i board.capture --elf spe_share.elf $option" > "$dir/share.expected"
    report spe_share $option 2>&1 | addresses > "$dir/share.actual"
    verdict "README, $option" "$dir/share.expected" "$dir/share.actual"
done

# Places by hand: offsetof(struct server, traffic) is 8, two counters of 8 bytes; 200 rounds of two cores.
cat > "$dir/share.expected" << 'END'
server.traffic.received uint64_t 8 8
server.traffic.sent uint64_t 16 8
queue.lock uint32_t 0 4
END
report spe_share --json | tr -d '\n' | grep -oE '"places": *\[[^]]*\]' | grep -oE '"member": *\{[^}]*\}' |
    sed -E 's/.*"path": *"([^"]*)", *"type": *"([^"]*)", *"offset": *([0-9]+), *"bytes": *([0-9]+).*/\1 \2 \3 \4/' > "$dir/share.actual"
verdict '--json' "$dir/share.expected" "$dir/share.actual"

# The same out of a partial table, where neither dump nor image are at hand.
"$tool" c2c fold -i "$dir/spe_share.capture" --elf "$build/aarch64/qemu/spe_share.elf" -o "$dir/share.part"
report spe_share --verdict | grep -v samples > "$dir/share.expected"
"$tool" c2c report -i "$dir/share.part" --verdict | grep -v samples > "$dir/share.actual"
verdict 'fold' "$dir/share.expected" "$dir/share.actual"

echo 'sharing: true' > "$dir/share.expected"
report spe_apart --verdict | grep -o 'sharing: .*' > "$dir/share.actual"
verdict 'after the advice' "$dir/share.expected" "$dir/share.actual"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
