#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Code of what a board links to measure: the port, regions and their records, the capture's writer; and the memory of one
# core besides its buffer. SPE, the guard and the texts of reasons are told apart: a program links them only if it names them.
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
code() { # code OBJECT...: code and constants
    llvm-size-19 -A "$@" 2> /dev/null | awk '$1 ~ /^\.(text|rodata|data\.rel\.ro)/ { n += $2 } END { print n + 0 }'
}
measure() { # measure FOLDER ARCHITECTURE LIMIT
    objects=$build/$1/obj
    # What the writer needs of capture and base: records, placing, the checksum.
    writer=$(code "$objects"/core/capture/write.o "$objects"/core/capture/records.o "$objects"/core/capture/place.o "$objects"/core/base/crc*.o)
    apart=$(code $(ls "$objects"/ports/*/guard.o "$objects"/ports/*/spe.o "$objects"/ports/common/why.o 2> /dev/null))
    all=$(code "$objects"/ports/common/*.o "$objects"/ports/"$2"/*.o)
    printf '%8d B  ports (%d B of guard, SPE and texts are not in the sum), %d B capture writer\n' $((all - apart)) "$apart" "$writer"
    verdict $((all - apart + writer)) "$3" "code and constants of a measuring program's library, $1"
}
measure cortex_m33-os cortexm 6144
measure aarch64-os aarch64 10240
# A port and a writer are all the state there is; the board program says how large they are.
for name in m33 a57-el1; do
    facts=$build/qemu/$name/facts.txt
    bytes=$(awk -F= '$1 == "port_bytes" || $1 == "capture_bytes" { n += $2 } END { print n + 0 }' "$facts" 2> /dev/null)
    verdict "${bytes:-0}" 512 "memory of one core besides its buffer, $name (from its run)"
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
