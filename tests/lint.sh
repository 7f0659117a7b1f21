#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The promises that no compiler flag keeps: which room may include which, headers that stand alone, no libc in core.
# usage: lint.sh TIDY_REPORT...    (from the repository's root; closes with "N passed, N failed, N skipped")
set -u
cc=${CC:-gcc}
cxx=${CXX:-g++}
pass=0 fail=0
verdict() { # verdict NAME FINDINGS: passes when there is no finding
    if [ -z "$2" ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "lint: $1:"
        printf '%s\n' "$2" | sed 's/^/    /' | head -40
    fi
}
files() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ -f "$f" ] && echo "$f"; done; }

# --- each file says its licence first ---------------------------------------------------------------------------
verdict 'no SPDX line at the top' "$(files '*.c' '*.h' '*.cpp' '*.inc' '*.sh' '*.mk' '*.ld' '*.S' Makefile .ci/run |
    grep -v '^fixtures/' | while read -r f; do
        head -3 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$f"
    done)"

# --- arrows between the rooms of core (house.md) -------------------------------------------------------------------
allowed() { # allowed ROOM: the rooms it may include
    case $1 in
        base | slots) echo base slots ;;
        isa | flow) echo isa flow base gen ;; # flow.h: a header of the room isa
        model) echo model isa base gen ;;
        mca) echo mca model isa base ;;
        observe) echo observe mca model isa slots base ;;
        topdown) echo topdown slots base ;;
        mem_sample) echo base ;;
        spe) echo spe mem_sample base ;;
        c2c) echo c2c mem_sample base ;;
        capture) echo capture base ;;
        *) ;;
    esac
}
# Headers of a room that has several.
room() { sed -e 's/^arena$/base/' -e 's/^model_blob$/model/' -e 's/^recur$/mca/'; }
room_of_header() { # core/mca/x.h, <slotledger/mca.h>, "x.h" (the includer's own room)
    case $1 in
        core/*/*) echo "$1" | cut -d/ -f2 ;;
        slotledger/*) basename "$1" .h | room ;;
        ports/* | hosted/*) echo outside ;;
        *) echo own ;;
    esac
}
verdict 'an include against the arrows of house.md' "$(files 'core/*.c' 'core/*.h' | while read -r f; do
    case $f in
        core/include/*) room=$(basename "$f" .h | room) ;;
        *) room=$(echo "$f" | cut -d/ -f2) ;;
    esac
    sed -n 's/^[ \t]*#[ \t]*include[ \t]*[<"]\([^>"]*\)[>"].*/\1/p' "$f" | while read -r inc; do
        case $inc in stdint.h | stddef.h | stdbool.h | limits.h) continue ;; esac
        target=$(room_of_header "$inc")
        if [ "$target" = own ] && [ -f "core/$room/$inc" ]; then continue; fi
        case " $(allowed "$room") " in
            *" $target "*) ;;
            *) echo "$f includes $inc" ;;
        esac
    done
done)"
verdict 'ports include outside their arrows' "$(files 'ports/*.c' 'ports/*.h' | xargs -r grep -nE '#[ ]*include[ ]*[<"](hosted|core/(mca|model|isa|observe|c2c))/')"

# --- core is freestanding --------------------------------------------------------------------------------------
verdict 'core calls the C library' "$(files 'core/*.c' 'core/*.h' | xargs -r grep -nE \
    '(^|[^_[:alnum:]])(malloc|calloc|realloc|free|printf|memcpy|memmove|memset|memcmp|strlen|strcmp|abort|assert)[[:space:]]*\(')"
verdict 'core uses floating point' "$(files 'core/*.c' 'core/*.h' | xargs -r grep -nE '(^|[^_[:alnum:]"])(float|double)[[:space:]]+\*?[[:alpha:]]')"
verdict 'unfinished by its own words' "$(files 'core/*.[ch]' 'hosted/*.[ch]' 'hosted/*.cpp' 'tests/*.[ch]' | grep -v '^core/gen/' |
    xargs -r grep -nE '(^|[^[:alnum:]_])(TODO|FIXME|XXX)([^[:alnum:]_]|$)')"

# --- headers stand alone ------------------------------------------------------------------------------------------
verdict 'a header that does not compile alone' "$(
    tmp=$(mktemp -d)
    files 'core/*.h' 'ports/*.h' 'hosted/cli/*.h' 'hosted/io/*.h' 'hosted/report/*.h' | while read -r h; do
        # Included twice: the guard is tested too. A table of macros (X-macro header) says so with "X-macro".
        grep -q 'X-macro' "$h" && continue
        printf '#include "%s"\n#include "%s"\n' "$h" "$h" > "$tmp/alone.c"
        "$cc" -std=c11 -Wall -Wextra -Wpedantic -Wundef -Werror -D_GNU_SOURCE -DSL_PORT_FAKE -Icore/include -Iports/include -I. -fsyntax-only "$tmp/alone.c" \
            > "$tmp/log" 2>&1 || { echo "$h as C11:"; head -3 "$tmp/log"; }
        case $h in
            core/include/* | ports/include/*)
                cp "$tmp/alone.c" "$tmp/alone.cpp"
                "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror -Icore/include -Iports/include -I. -fsyntax-only "$tmp/alone.cpp" \
                    > "$tmp/log" 2>&1 || { echo "$h as C++:"; head -3 "$tmp/log"; } ;;
        esac
    done
    rm -rf "$tmp")"

# --- shell scripts parse; no Python in the repository --------------------------------------------------------------
verdict 'a shell script that does not parse' "$(files '*.sh' | while read -r f; do sh -n "$f" 2>&1; done; bash -n .ci/run 2>&1)"
verdict 'a Python file' "$(files '*.py')"

# --- what clang-tidy found (tidy.sh) ---------------------------------------------------------------------------------
[ $# -gt 0 ] || fail=$((fail + 1))
for report; do
    verdict clang-tidy "$(cat "$report" 2>&1)"
done

echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
