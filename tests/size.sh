#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Code and table sizes of core for a board, and the arena of a 64-instruction block, against their limits.
# usage: size.sh LIB_AARCH64_OS.a ARENA_PROGRAM   (closes with "N passed, N failed, N skipped")
set -u
lib=$1 arena=$2
pass=0 fail=0
verdict() { # verdict BYTES LIMIT_KB TEXT
    if [ "$1" -gt 0 ] && [ "$1" -le $(($2 * 1024)) ]; then
        pass=$((pass + 1)) word=ok
    else
        fail=$((fail + 1)) word=over
    fi
    printf '%8d B  limit %4d KB  %-5s %s\n' "$1" "$2" "$word" "$3"
}
# section bytes of the library's members: MEMBER SECTION BYTES
sections=$(llvm-size-19 -A "$lib" | awk '
    / : *$|\(ex / || /:$/ { member = $1; sub(/:$/, "", member) }
    NF == 3 && $2 ~ /^[0-9]+$/ { print member, $1, $2 }')
sum() { # sum MEMBER_REGEX SECTION_REGEX
    printf '%s\n' "$sections" | awk -v m="$1" -v s="$2" '$1 ~ m && $2 ~ s { n += $3 } END { print n + 0 }'
}
members() { # members ROOM: the object names of a room, as a regular expression
    find "$(dirname "$lib")/obj/core/$1" -name '*.o' -exec basename {} \; | sort | tr '\n' '|' | sed 's/|$//; s/\./\\./g; s/^/^(/; s/$/)$/'
}
code='^\.text'
tables='^\.(s?rodata|data\.rel\.ro)'
mca=$(sum "$(members mca)" "$code")
model=$(sum "$(members model)" "$code")
isa=$(sum '^aarch64.*\.o$' "$code")
x86=$(sum '^x86_64.*\.o$' "$code")
printf '%8d B  isa (AArch64 decoder), %d B model, %d B mca; a board links one decoder: x86-64'"'"'s %d B are not in the sum\n' "$isa" "$model" "$mca" "$x86"
verdict $((isa + model + mca)) 40 'code of isa + model + mca (AArch64, -Os)'
names='names?\.o$'
decode=$(printf '%s\n' "$sections" | awk -v s="$tables" -v n="$names" '$1 ~ /aarch64/ && $1 !~ /^cpu/ && $1 !~ n && $2 ~ s { n_ += $3 } END { print n_ + 0 }')
cpu=$(sum '^cpu_aarch64_cortex_a53\.o$' "$tables")
printf '%8d B  decode tables, %d B cortex-a53\n' "$decode" "$cpu"
[ "$cpu" -gt 0 ] || { echo 'size: no cortex-a53 object'; fail=$((fail + 1)); }
verdict $((decode + cpu)) 160 'decode tables + one in-order CPU (cortex-a53)'
largest=$("$arena") || { echo "size: $arena failed"; largest=0; }
printf '%s\n' "$largest" | sed '$d'
verdict "$(printf '%s\n' "$largest" | tail -1)" 96 'arena of a 64-instruction block, default options, largest AArch64 model'
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
