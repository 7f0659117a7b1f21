#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over one C file; prints the findings and fails if there is one.
# usage: tidy.sh FILE.c STAMP COMPILER_FLAG...
set -u
file=$1 stamp=$2
shift 2
# Left out of bugprone: what the house style decides otherwise (similar parameters, reserved names of attributes,
# narrowing, which -Wconversion already judges).
checks='-*,bugprone-*,clang-analyzer-*,performance-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions'
checks="$checks,-bugprone-reserved-identifier,-bugprone-branch-clone,-bugprone-assignment-in-if-condition,-bugprone-macro-parentheses"
checks="$checks,-bugprone-implicit-widening-of-multiplication-result,-performance-no-int-to-ptr,-bugprone-suspicious-include"
checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-bugprone-switch-missing-default-case"
checks="$checks,-bugprone-multi-level-implicit-pointer-conversion,-clang-analyzer-optin.performance.Padding"
out=$(clang-tidy-19 --quiet --warnings-as-errors='*' --checks="$checks" "$file" -- "$@" 2> /dev/null)
status=$?
if [ "$status" -ne 0 ]; then
    printf '%s\n' "$out" | head -60
    exit 1
fi
mkdir -p "$(dirname "$stamp")"
touch "$stamp"
