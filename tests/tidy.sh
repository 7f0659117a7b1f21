#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over one C file: writes its findings into a report, one a line.
# usage: tidy.sh FILE.c REPORT COMPILER_FLAG...
set -u
file=$1 report=$2
shift 2
# Left out of bugprone: what the house style decides otherwise (similar parameters, reserved names of attributes,
# narrowing, which -Wconversion already judges).
checks='-*,bugprone-*,clang-analyzer-*,performance-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions'
checks="$checks,-bugprone-reserved-identifier,-bugprone-branch-clone,-bugprone-assignment-in-if-condition,-bugprone-macro-parentheses"
checks="$checks,-bugprone-implicit-widening-of-multiplication-result,-performance-no-int-to-ptr,-bugprone-suspicious-include"
checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-bugprone-switch-missing-default-case"
checks="$checks,-bugprone-multi-level-implicit-pointer-conversion,-clang-analyzer-optin.performance.Padding"
# One line a finding; the analyzer's path notes are left out. An empty file is a clean one.
mkdir -p "$(dirname "$report")"
if out=$(clang-tidy-19 --quiet --warnings-as-errors='*' --checks="$checks" "$file" -- "$@" 2> "$report.log"); then
    : > "$report"
else
    printf '%s
' "$out" | grep -E ': (error|warning): ' > "$report" || tail -5 "$report.log" > "$report"
fi
rm -f "$report.log"
