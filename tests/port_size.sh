#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Code and constants of a program that only measures a region and dumps it (port_size.c: probe with its guard, groups,
# begin and end, records, the capture's writer), as linked; and the memory of one core besides its buffer, as the board
# program said when it last ran (make qemu-ports).
# usage: port_size.sh BUILD_FOLDER   (closes with "N passed, N failed, N skipped")
set -u
build=$1
pass=0 fail=0
verdict() { # verdict BYTES LIMIT TEXT
    if [ "$1" -gt 0 ] && [ "$1" -le "$2" ]; then
        pass=$((pass + 1)) word=ok
    else
        fail=$((fail + 1)) word=over
    fi
    printf '%8d B  limit %6d B  %-5s %s\n' "$1" "$2" "$word" "$3"
}
measure() { # measure FOLDER LIMIT
    bytes=$(llvm-size-19 -A "$build/$1/port_size.elf" | awk '$1 ~ /^\.(text|rodata|data\.rel\.ro|data|got)/ { n += $2 } END { print n + 0 }')
    verdict "$bytes" "$2" "code and constants of region, port and capture writer, $1"
}
measure cortex_m33-os 6144
measure aarch64-os 10240
for name in m33 a57-el1; do
    [ -f "$build/qemu/$name/facts.txt" ] || sh tests/qemu/ports.sh tests/qemu/configs.txt "$build/qemu" "$build/host/slotledger" "$name" > /dev/null
    bytes=$(awk -F= '$1 == "port_bytes" || $1 == "capture_bytes" { n += $2 } END { print n + 0 }' "$build/qemu/$name/facts.txt")
    verdict "${bytes:-0}" 512 "memory of one core besides its buffer: struct sl_port and struct sl_capture, $name"
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
