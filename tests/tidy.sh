#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over one C file: writes its findings into a report, one a line.
# usage: tidy.sh FILE.c REPORT COMPILER_FLAG...
set -u
file=$1 report=$2
shift 2
# Left out: what the house style decides otherwise (similar parameters, `if (strcmp(...))`, macros), what -Wconversion judges
# already, and running out of memory, at which the tool ends.
checks='-*,bugprone-*,clang-analyzer-*,performance-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions'
checks="$checks,-bugprone-reserved-identifier,-bugprone-branch-clone,-bugprone-assignment-in-if-condition,-bugprone-macro-parentheses"
checks="$checks,-bugprone-implicit-widening-of-multiplication-result,-performance-no-int-to-ptr,-bugprone-suspicious-include"
checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-bugprone-switch-missing-default-case"
checks="$checks,-bugprone-multi-level-implicit-pointer-conversion,-clang-analyzer-optin.performance.Padding"
checks="$checks,-bugprone-suspicious-string-compare,-bugprone-casting-through-void,-bugprone-misplaced-widening-cast"
checks="$checks,-bugprone-not-null-terminated-result,-bugprone-signed-char-misuse,-bugprone-inc-dec-in-conditions"
# The analyzer does not see that a counting arena hands out nothing, nor that standard streams stay open.
checks="$checks,-bugprone-suspicious-realloc-usage,-clang-analyzer-core.NullDereference,-clang-analyzer-unix.Stream"
# One line a finding; the analyzer's path notes are left out. An empty file is a clean one.
mkdir -p "$(dirname "$report")"
if out=$(clang-tidy-19 --quiet --warnings-as-errors='*' --checks="$checks" "$file" -- "$@" 2> "$report.log"); then
    : > "$report"
else
    printf '%s\n' "$out" | grep -E ': (error|warning): ' > "$report" || tail -5 "$report.log" > "$report"
fi
rm -f "$report.log"
