#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages whose tools are missing (as root), or says which to install.
# usage: deps.sh build|check|tables|all
set -u
what=${1:-all}

# group  package  probe (a command, or a file with a slash)
list='
build  gcc                        gcc
build  make                       make
build  libc6-dev                  /usr/include/stdio.h
build  libelf-dev                 /usr/include/libelf.h
build  zlib1g-dev                 /usr/include/zlib.h
build  g++                        g++
build  libdw-dev                  /usr/include/elfutils/libdw.h
build  libzstd-dev                /usr/include/zstd.h
build  libncurses-dev             /usr/include/ncurses.h
build  libyaml-dev                /usr/include/yaml.h
check  g++                        g++
check  clang-19                   clang-19
check  llvm-19                    llvm-mca-19
check  libclang-rt-19-dev         /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-x86_64.a
check  clang-tidy-19              clang-tidy-19
check  pkg-config                 pkg-config
check  libcmocka-dev              /usr/include/cmocka.h
check  gcc-aarch64-linux-gnu      aarch64-linux-gnu-gcc
check  gcc-arm-none-eabi          arm-none-eabi-gcc
check  gcc-riscv64-unknown-elf    riscv64-unknown-elf-gcc
check  picolibc-aarch64-linux-gnu /usr/lib/picolibc/aarch64-linux-gnu/picolibc.specs
check  linux-perf                 perf
check  tmux                       tmux
check  chromium                   chromium
check  qemu-system-arm            qemu-system-aarch64
check  qemu-system-misc           qemu-system-riscv64
check  qemu-system-x86            qemu-system-x86_64
check  picolibc-arm-none-eabi     /usr/lib/picolibc/arm-none-eabi
check  picolibc-riscv64-unknown-elf /usr/lib/picolibc/riscv64-unknown-elf
tables g++                        g++
tables llvm-19-dev                /usr/include/llvm-19/llvm/MC/MCInst.h
tables llvm-19                    llvm-config-19
'
missing=$(printf '%s\n' "$list" | while read -r group package probe; do
    [ -n "$group" ] || continue
    # Everything needs the build group; make check regenerates tables, too.
    case $what:$group in all:* | *:build | "$group:$group" | check:tables) ;; *) continue ;; esac
    case $probe in
        */*) [ -e "$probe" ] && continue ;;
        *) command -v "$probe" > /dev/null 2>&1 && continue ;;
    esac
    echo "$package"
done | sort -u | tr '\n' ' ')
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null 2>&1; then
    echo "deps: installing $missing"
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    # shellcheck disable=SC2086 # one word a package
    if apt-get update -q > "$log" 2>&1 &&
        apt-get install -q -y --no-install-recommends $missing >> "$log" 2>&1 < /dev/null; then
        rm -f "$log"
        exit 0
    fi
    tail -20 "$log" >&2
    rm -f "$log"
    echo "deps: apt-get could not install: $missing" >&2
    exit 1
fi
echo "deps: missing; install with: sudo apt-get install $missing" >&2
exit 1
