#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Variables and members by address, out of DWARF: programs that tell by themselves where their members are (offsetof
# and sizeof of their compiler) against what the symbol reader makes of their debug information.
# usage: members.sh MEMBER_AT SCRATCH_FOLDER   (closes with "N passed, N failed, N skipped")
set -u
member_at=$1 dir=$2
src=tests/cli/members
pass=0 fail=0
mkdir -p "$dir"
verdict() { # verdict NAME EXPECTED ACTUAL
    if [ -s "$2" ] && cmp -s "$2" "$3"; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1)) && echo "members: $1: expected, then actual:" && diff "$2" "$3"
    fi
}
program() { # program NAME COMPILER FLAG...: all its members
    name=$1
    shift
    if ! "$@" -o "$dir/$name" 2> "$dir/$name.err"; then
        fail=$((fail + 1)) && echo "members: $name: $*: no program" && cat "$dir/$name.err"
        return
    fi
    "$dir/$name" > "$dir/$name.ask" && "$dir/$name" tell > "$dir/$name.expected" || echo "it failed" > "$dir/$name.expected"
    "$member_at" "$dir/$name" < "$dir/$name.ask" > "$dir/$name.actual"
    verdict "$name" "$dir/$name.expected" "$dir/$name.actual"
}
for dwarf in 4 5; do
    for level in O0 O2; do
        program "gcc-$dwarf-$level" gcc -std=c11 -w -g -gdwarf-$dwarf -$level $src/shapes.c
        program "clang-$dwarf-$level" clang-19 -std=c11 -w -g -gdwarf-$dwarf -$level $src/shapes.c
        program "gxx-$dwarf-$level" g++ -std=c++17 -w -g -gdwarf-$dwarf -$level $src/shapes.cpp
        program "clangxx-$dwarf-$level" clang++-19 -std=c++17 -w -g -gdwarf-$dwarf -$level $src/shapes.cpp
    done
done
# Debug information in other forms: split off, types in units of their own, packed, of an old edition; fixed addresses.
for form in -gsplit-dwarf -fdebug-types-section -gz -gdwarf-3 '-no-pie -fno-pie'; do
    label=$(echo "$form" | tr -d ' ')
    # shellcheck disable=SC2086 # words
    program "gcc$label" gcc -std=c11 -w -g -O2 $form $src/shapes.c
    # shellcheck disable=SC2086
    program "clangxx$label" clang++-19 -std=c++17 -w -g -O2 $form $src/shapes.cpp
done
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
