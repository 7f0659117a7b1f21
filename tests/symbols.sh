#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fails if a core library needs an outside symbol other than the four that compilers demand, or has writable data.
# With BESIDE=PATTERNS, the files of that names beside the library may define what is missing.
# usage: [BESIDE=PATTERNS] symbols.sh LIB.a...    (closes with "N passed, N failed, N skipped")
set -u
pass=0 fail=0
for lib; do
    # Linking all members into one object leaves what nobody in core defines.
    undefined=$(llvm-nm-19 --undefined-only --no-sort "$lib" 2>/dev/null | awk 'NF==2 {print $2}' | sort -u)
    defined=$(llvm-nm-19 --defined-only --extern-only "$lib" 2>/dev/null | awk 'NF==3 {print $3}' | sort -u)
    if [ -n "${BESIDE:-}" ]; then
        # shellcheck disable=SC2086 # patterns
        defined="$defined
$(cd "$(dirname "$lib")" && llvm-nm-19 --defined-only --extern-only $BESIDE 2>/dev/null | awk 'NF==3 {print $3}' | sort -u)"
    fi
    [ -n "$defined" ] || { echo "symbols: $lib: no symbols read" >&2; fail=$((fail + 1)); continue; }
    outside=$(printf '%s\n' "$undefined" | grep -vxF "$defined" |
        grep -vxE 'memcpy|memmove|memset|memcmp|_GLOBAL_OFFSET_TABLE_|^$' | tr '\n' ' ')
    # Pointer tables of position-independent code are .data.rel.ro: written by the loader only.
    writable=$(llvm-size-19 -A "$lib" 2>/dev/null |
        awk '$1 ~ /^\.s?(data|bss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 {print $1 "=" $2}' | tr '\n' ' ')
    if [ -n "$outside$writable" ]; then
        echo "symbols: $lib: outside symbols: ${outside:-none}; writable data: ${writable:-none}"
        fail=$((fail + 1))
    else
        pass=$((pass + 1))
    fi
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
