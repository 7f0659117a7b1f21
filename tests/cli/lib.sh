# SPDX-License-Identifier: Apache-2.0
# Checks of the suites of this folder; sourced after $suite is set.
pass=0 fail=0
need() { # need PROGRAM...: without one of them the suite has failed
    for program; do
        command -v "$program" > /dev/null && continue
        echo "$suite: no $program"
        echo "0 passed, 1 failed, 0 skipped"
        exit 1
    done
}
check() { # check NAME COMMAND...
    name=$1
    shift
    if "$@"; then pass=$((pass + 1)); else
        fail=$((fail + 1))
        echo "$suite: $name failed"
    fi
}
line() { grep -qxF -- "$1" "$2" || { echo "$suite: no line '$1' in $2"; return 1; }; } # line TEXT FILE
closing() {
    echo "$pass passed, $fail failed, 0 skipped"
    [ "$fail" -eq 0 ]
}
