#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the board program on each configuration. It judges itself (exit status); here its facts are held against those
# expected, and what the host tool reads from its dump against what the board printed.
# usage: ports.sh CONFIGS BUILD_FOLDER SLOTLEDGER [NAME]   (closes with "N passed, N failed, N skipped")
set -u
configs=$1 build=$2 only=${4:-}
tool=$(realpath "$3")
pass=0 fail=0

# run NAME IMAGE MACHINE ARGUMENT...: the console goes to console.txt, the dump to dump.bin; QEMU's exit status
run() {
    image=$(realpath "$build/$2.elf") machine=$3
    shift 3
    icount='-icount shift=0' semihosting=enable=on,target=native words=
    for word; do
        case $word in
            icount=no) icount= ;;
            arg=*) semihosting="$semihosting,$word" ;;
            *) words="$words $word" ;;
        esac
    done
    case $machine in
        # No semihosting on x86: serial port, a debug console for the dump, a device to exit by (status VALUE << 1 | 1).
        # shellcheck disable=SC2086 # words
        x86_64)
            timeout 120 qemu-system-x86_64 $words $icount -nic none -vga none -display none -m 64 -serial stdio -monitor none \
                -no-reboot -device isa-debug-exit,iobase=0xf4,iosize=4 -device isa-debugcon,iobase=0xe9,chardev=dump \
                -chardev file,id=dump,path=dump.bin -kernel "$image" > console.txt 2>&1 < /dev/null
            status=$?
            [ $((status & 1)) -eq 1 ] || return 1
            return $((status >> 1)) ;;
        # shellcheck disable=SC2086
        *)
            timeout 120 "qemu-system-$machine" $words $icount -nographic -nic none \
                -semihosting-config "$semihosting" -kernel "$image" > console.txt 2>&1 < /dev/null ;;
    esac
}

# fact EXPECTED: true if the console has it
fact() {
    case $1 in
        why~*) grep -q "^why=.*${1#why~}" facts.txt ;;
        doctor~*) grep -qE "^  (PROBLEM|limit|hint): ${1#doctor~}\$" doctor.txt ;;
        # Instructions of an empty region, begin and end, under icount (1 ns each), with the loop around it.
        pair\<=*)
            awk -F= -v limit="${1#pair<=}" '$1 == "cost_ticks" { t = $2 } $1 == "time_hz" { hz = $2 }
                END { n = hz ? t * 1000000000 / hz / 1000 : 0; printf "begin and end: %d instructions\n", n
                      exit !(n > 0 && n <= limit) }' facts.txt ;;
        *) grep -qx "$1" facts.txt ;;
    esac
}

# The values of region NAME on core 0: of the board's lines, and of the tool's.
board_counts() { awk -F= -v key="  $1" '$1 == key { print $2 }' facts.txt; }
host_counts() {
    "$tool" capture info --counts dump.bin | awk -v name="$1," '
        /^session .* core / { core0 = / core 0:/ }
        $1 == "sample" || $1 == "calibration" { inside = core0 && $1 == "sample" && $2 == name; next }
        inside && NF == 2 && $1 ~ /^0x/ { print $2; next }
        { inside = 0 }'
}

problem() { problems="$problems
    $*"; }

one() { # one NAME IMAGE QEMU FACTS
    name=$1 facts=$4
    problems=
    mkdir -p "$build/$name" && cd "$build/$name" || return 1
    rm -f dump.bin console.txt imported.bin
    # shellcheck disable=SC2086 # words
    (build=.. && run "$name" "$2" $3)
    status=$?
    # Carriage returns of serial ports; OpenSBI's banner has no line like ours.
    tr -d '\r' < console.txt | grep -v '^\$SL' > facts.txt
    [ "$status" -eq 0 ] || problem "exit status $status (124: it hung)"
    if [ "$(echo $facts)" = shared ]; then
        line=$(grep -E '^[0-9]+ passed, 0 failed, 0 skipped$' facts.txt) || problem 'no closing line without failures'
        [ -n "$problems" ] || { echo "qemu: $name: ok, $line" && return 0; }
        echo "qemu: $name: FAILED$problems" && grep -v ' OK ' facts.txt
        return 1
    fi
    "$tool" doctor dump.bin > doctor.txt 2>&1
    case $? in 0 | 3) ;; *) problem "doctor: $(tail -1 doctor.txt)" ;; esac
    : > pair.txt
    for expected in $facts; do
        fact "$expected" >> pair.txt || problem "not printed: $expected"
    done
    "$tool" capture verify dump.bin > verify.txt 2>&1 || problem "capture verify: $(tail -1 verify.txt)"
    "$tool" capture import -o imported.bin console.txt > import.txt 2>&1 || problem "capture import: $(tail -1 import.txt)"
    cmp -s dump.bin imported.bin || problem 'the dump and the console log hold different captures'
    for region in short long; do
        board_counts "$region" > board.counts
        host_counts "$region" > host.counts
        cmp -s board.counts host.counts || problem "$region: board $(tr '\n' ' ' < board.counts), host $(tr '\n' ' ' < host.counts)"
    done
    "$tool" topdown dump.bin > topdown.txt 2>&1
    [ $? -le 1 ] || problem "topdown: $(tail -1 topdown.txt)"
    grep -q '^short, core 0' topdown.txt || problem "topdown does not show region short: $(head -1 topdown.txt)"
    if [ -z "$problems" ]; then
        echo "qemu: $name: ok ($(wc -c < dump.bin) bytes, $(cut -d: -f2 < verify.txt | cut -d, -f1))$(sed 's/^/, /' pair.txt)"
    else
        echo "qemu: $name: FAILED$problems"
        head -30 facts.txt
        return 1
    fi
}

while IFS=: read -r name image qemu facts; do
    name=$(echo $name)
    case $name in '' | '#'*) continue ;; esac
    [ -z "$only" ] || [ "$only" = "$name" ] || continue
    if (one "$name" "$(echo $image)" "$qemu" "$facts"); then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
    fi
done < "$configs"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
