#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Code and table sizes of core for a board, and the arena of a 64-instruction block, against their limits.
# usage: size.sh LIB_AARCH64_OS.a ARENA_PROGRAM CORTEX_M7_IMAGE.elf   (closes with "N passed, N failed, N skipped")
set -u
objects=$(dirname "$1")/obj/core arena=$2 image=$3
pass=0 fail=0
verdict() { # verdict BYTES LIMIT_KB TEXT
    if [ "$1" -gt 0 ] && [ "$1" -le $(($2 * 1024)) ]; then
        pass=$((pass + 1)) word=ok
    else
        fail=$((fail + 1)) word=over
    fi
    printf '%8d B  limit %4d KB  %-5s %s\n' "$1" "$2" "$word" "$3"
}
sum() { # sum SECTION_REGEX OBJECT...: bytes of these sections
    sections=$1
    shift
    llvm-size-19 -A "$@" 2> /dev/null | awk -v s="$sections" '$1 ~ s { n += $2 } END { print n + 0 }'
}
code='^\.text'
tables='^\.(s?rodata|data\.rel\.ro)'
# What a board links: the decoder of one instruction set, the model room but its CPUs' tables and lists, all of the machine.
isa=$(sum "$code" "$objects"/isa/aarch64*.o)
other=$(sum "$code" "$objects"/isa/*.o)
model=$(sum "$code" $(ls "$objects"/model/*.o | grep -v '/blob\.o'))
blob=$(sum "$code" "$objects"/model/blob.o)
# inspect.o serves observers that explain waits; nothing of the machine refers to it.
mca=$(sum "$code" $(ls "$objects"/mca/*.o | grep -v -e '/inspect\.o$' -e '/recur'))
recur=$(sum "$code" "$objects"/mca/recur*.o)
inspect=$(sum "$code" "$objects"/mca/inspect.o "$objects"/observe/waits*.o "$objects"/observe/slots.o)
printf '%8d B  isa (AArch64 decoder; %d B of others are not in the sum), %d B model, %d B mca\n' "$isa" $((other - isa)) "$model" "$mca"
printf '%8d B  model blobs, linked only by boards that open one (not in the sum)\n' "$blob"
verdict $((isa + model + mca)) 40 'code of isa + model + mca (AArch64, -Os)'
printf '%8d B  beside it, when wait reasons are asked for: mca/inspect, observe/waits*, observe/slots\n' "$inspect"
printf '%8d B  beside it, for constant time in iterations (sl_mca_recur_run): mca/recur*\n' "$recur"
decode=$(sum "$tables" $(ls "$objects"/isa/aarch64*.o | grep -v names))
cpu=$(sum "$tables" "$objects/model/cpu_aarch64_cortex_a53.o")
printf '%8d B  decode tables, %d B cortex-a53\n' "$decode" "$cpu"
verdict $((decode + cpu)) 160 'decode tables + one in-order CPU (cortex-a53)'
# A board records and saves; encoding SPE and merging tables are the host's.
spe=$(sum "$code" $(ls "$objects"/spe/*.o | grep -v encode))
c2c=$(sum "$code" $(ls "$objects"/c2c/*.o | grep -v merge))
printf '%8d B  spe, %d B c2c\n' "$spe" "$c2c"
verdict $((spe + c2c)) 12 'code of spe + c2c (AArch64, -Os)'
needs=$("$arena") || { echo "size: $arena failed"; needs=0; }
printf '%s\n' "$needs" | sed '$d'
verdict "$(printf '%s\n' "$needs" | tail -1)" 96 'arena of a 64-instruction block on that CPU'
# A whole program: core, start file and C library. Flash is what is loaded, RAM what is written, and the stack.
flash=$(sum '^\.(init|text|rodata|data|tdata)|^predicted' "$image")
ram=$(sum '^\.(data|bss|tbss|tdata|stack)' "$image")
verdict "$flash" 64 'flash of the Cortex-M7 image (build/cortex_m7/qemu/mca_self.elf: decoder, model, simulator, printf)'
verdict "$ram" 64 'RAM of the Cortex-M7 image, with a 32-instruction block, its arena and the stack'
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
