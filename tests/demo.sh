#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The two-minute tour: an assembly file with its timeline, and one function of a compiled object.
# usage: demo.sh SLOTLEDGER BUILD_FOLDER
set -eu
tool=$1 dir=$2
run() { printf '\n$ %s\n' "$*" && "$@"; }
run "$tool" mca -mtriple=x86_64 -mcpu=btver2 -iterations=300 fixtures/golden/dot-product.s
run "$tool" mca -mtriple=x86_64 -mcpu=btver2 -iterations=3 -timeline fixtures/golden/dot-product.s
mkdir -p "$dir/demo"
run "${CC:-gcc}" -O2 -c fixtures/demo/sum.c -o "$dir/demo/sum.o"
case $(uname -m) in aarch64) cpu=neoverse-n1 ;; *) cpu=skylake ;; esac
run "$tool" mca -mcpu=$cpu --symbol sum_of_squares "$dir/demo/sum.o"
