#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs into a scratch folder and uses what is there as a stranger would: pkg-config, a program in C and in C++, man pages.
# usage: install.sh VERSION    (closes with "N passed, N failed, N skipped")
set -u
version=$1
pass=0 fail=0
expect() { # expect NAME COMMAND...
    name=$1
    shift
    if "$@" > "$root/log" 2>&1; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1)) && echo "install: $name:" && head -20 "$root/log"
    fi
}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
expect 'make install' ${MAKE:-make} --no-print-directory install PREFIX="$root/usr"
export PKG_CONFIG_PATH="$root/usr/lib/pkgconfig"
flags=$(pkg-config --cflags --libs slotledger)
# What a program of ten lines does with the library: decode, simulate, print the cycles.
cat > "$root/user.c" << 'END'
#include <slotledger/mca.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    static const uint8_t code[] = {0x48, 0x01, 0xd8, 0x48, 0x0f, 0xaf, 0xc3}; /* addq %rbx, %rax; imulq %rbx, %rax */
    struct sl_insn insn[2];
    struct sl_mca_config config = {0};
    struct sl_mca m;
    if (sl_decode_x86_64(code, sizeof code, &insn[0]) || sl_decode_x86_64(code + 3, sizeof code - 3, &insn[1])) {
        return 1;
    }
    const struct sl_cpu *cpu = sl_cpus_x86_64[0].cpu;
    size_t need = sl_mca_need(cpu, &config, 2);
    void *mem = malloc(need);
    if (!mem || sl_mca_init(&m, cpu, &config, insn, 2, mem, need) || sl_mca_run(&m)) {
        return 1;
    }
    printf("%u cycles\n", (unsigned)m.cycles);
    free(mem);
    return m.cycles < 100;
}
END
# The compiler's own defaults, position-independent executables included.
# shellcheck disable=SC2086 # flags are words
expect 'a C program that uses the library' gcc -Wall -Werror "$root/user.c" $flags -o "$root/user"
expect 'it runs' "$root/user"
sed 's/struct sl_mca_config config = {0}/struct sl_mca_config config = {}/; s/<stdlib.h>/<cstdlib>/' "$root/user.c" > "$root/user.cpp"
# shellcheck disable=SC2086
expect 'a C++ program that uses the library' g++ -Wall -Werror "$root/user.cpp" $flags -o "$root/user++"
expect 'the tool runs and says its version' sh -c "'$root/usr/bin/slotledger' --version | grep -F '$version'"
expect 'man page slotledger' test -s "$root/usr/share/man/man1/slotledger.1"
# Each command has a man page, which knows every option that --help lists.
commands=$("$root/usr/bin/slotledger" --help | sed -n '/^COMMANDS:/,/^$/s/^  \([a-z0-9]*\) .*/\1/p')
expect 'slotledger --help lists commands' test -n "$commands"
for command in $commands; do
    page=hosted/man/slotledger-$command.1
    "$root/usr/bin/slotledger" "$command" --help-hidden > "$root/help" 2> /dev/null ||
        "$root/usr/bin/slotledger" "$command" --help > "$root/help" 2>&1 # c2c's, as perf's, goes to standard error
    grep -oE '(^|[ ,])--?[a-z][a-z-]+' "$root/help" | tr -d ' ,' | sed 's/^-*//' | sort -u > "$root/options"
    expect "$command --help lists options" test -s "$root/options"
    sed 's/\\-/-/g; s/\\f.//g' "$page" > "$root/page"
    undocumented=$(while read -r option; do
        grep -qE -- "-$option([^a-z-]|\$)" "$root/page" || echo "$option"
    done < "$root/options" | tr '\n' ' ')
    expect "man page of $command: nothing about $undocumented" test -z "$undocumented"
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
