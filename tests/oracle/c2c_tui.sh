#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The terminal view of slotledger c2c report beside perf's own, in tmux: the same keys have to lead to the same screens.
# usage: c2c_tui.sh SEED...    (OURS, GEN, OUT as below; closes with "N passed, N failed, N skipped")
set -u
: "${OURS:=build/host/slotledger}" "${OUT:=build/oracle}" "${GEN:=$OUT/genc2c}" "${PERF:=perf}" "${CC:=gcc}"
here=$(dirname "$0") dir=$OUT/c2c_tui
rm -rf "$dir" && mkdir -p "$dir/home" || exit 1
dir=$(cd "$dir" && pwd) ours=$(realpath "$OURS")
export HOME="$dir/home" TMUX_TMPDIR="$dir" TERM=screen
unset TMUX
pass=0 fail=0
for tool in "$PERF" tmux; do
    command -v "$tool" > /dev/null || { echo "c2c-tui: no $tool" && echo "0 passed, 1 failed, 0 skipped" && exit 1; }
done
# A terminal whose cursor keys both programs know.
echo 'set -g default-terminal linux' > "$dir/tmux.conf"
tm() { tmux -L c2c -f "$dir/tmux.conf" "$@"; }
trap 'tm kill-server 2> /dev/null' EXIT
$CC -g -O1 -o "$dir/shared" "$here/c2c_shared.c" || exit 1

# Without perf's scroll bar, which is all that is not ASCII.
screen() { tm capture-pane -p -t "$1" | LC_ALL=C sed 's/[^ -~]*$//; s/ *$//' > "$dir/$1.screen" 2> /dev/null; }
# Waits for both screens to be equal and not empty: perf may be slow.
same() { # same WHAT
    tries=40
    while [ $tries -gt 0 ]; do
        screen perf
        screen ours
        # Whole lines have no call chains here.
        case $expected in *Shared*) sed -i 's/^+/ /' "$dir/perf.screen" ;; esac
        grep -q "$expected" "$dir/perf.screen" && cmp -s "$dir/perf.screen" "$dir/ours.screen" && pass=$((pass + 1)) && return
        tries=$((tries - 1))
        sleep 0.1
    done
    fail=$((fail + 1))
    echo "c2c-tui: seed $seed kind $kind: $1: screens differ:"
    diff "$dir/perf.screen" "$dir/ours.screen" | cut -c1-160 | head -10
    [ $fail -lt 4 ] || { echo "$pass passed, $fail failed, 0 skipped" && exit 1; }
}
wait_for() { # wait_for PATTERN WHAT: our screen shows it
    tries=40
    while screen ours && ! grep -q "$1" "$dir/ours.screen" && [ $tries -gt 0 ]; do
        tries=$((tries - 1))
        sleep 0.1
    done
    if [ $tries -gt 0 ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "c2c-tui: seed $seed kind $kind: after $2: no $1 on the screen:" && head -4 "$dir/ours.screen" | cut -c1-100
    fi
}
press() { # press KEY PATTERN: in both; PATTERN has to be on the screen then
    expected=$2
    tm send-keys -t perf "$1"
    tm send-keys -t ours "$1"
    same "after $1"
}
for seed; do
    # shellcheck disable=SC2086 # a list of words
    kind=$(set -- intel chain arm amd && shift $((seed % 4)) && echo "$1")
    "$GEN" "$kind" "$seed" 400 "$dir/shared" "$dir/perf.data" || exit 1
    tm new-session -d -s perf -x 230 -y 20 "$PERF c2c report -f -i $dir/perf.data"
    tm new-session -d -s ours -x 230 -y 20 "$ours c2c report -f -i $dir/perf.data"
    expected='^Shared Data Cache Line Table'
    same 'the list'
    press d '^Cacheline 0x'
    press n 'Node{cpus'
    press n 'Node{cpu list}'
    press n '^Cacheline 0x'
    press s '^Cacheline 0x'
    press q '^Shared Data'
    # Ctrl-C is no way out of the list; q is.
    tm send-keys -t ours C-c
    same 'after Ctrl-C'
    # The cursor (perf does not know the cursor keys of this terminal): the second line's entries, the last one's.
    for keys in 'Down 2' 'End 0' 'Home 1'; do
        tm send-keys -t ours "${keys% *}"
        screen ours
        tm send-keys -t ours d
        row=$("$ours" c2c report --stdio -f -i "$dir/perf.data" | grep -E '^ +[0-9]+ +0x[0-9a-f]+ +[N0-9]' |
            { if [ "${keys#* }" = 0 ]; then tail -1; else sed -n "${keys#* }p"; fi; } | awk '{print $2}')
        wait_for "^Cacheline $row\$" "${keys% *}, then d"
        tm send-keys -t ours q
        wait_for '^Shared Data' "q"
    done
    # The function view: the same rows as --functions, once all are open.
    "$ours" c2c report --functions -f -i "$dir/perf.data" 2> /dev/null | sed -n '/^- /,$p' | LC_ALL=C sed 's/ *$//' > "$dir/functions"
    tm send-keys -t ours Tab
    wait_for '^Shared Data Functions Table' TAB
    tm send-keys -t ours e Down e Down
    wait_for '^ .*0x' 'e, Down, e'
    sed -n '4,6p' "$dir/ours.screen" | sed 's/^\(.\{20\}\)- /\1/; s/^\(.\{22\}\)- /\1/' > "$dir/seen"
    sed -n '1,3p' "$dir/functions" | sed 's/^\(.\{20\}\)- /\1/; s/^\(.\{22\}\)- /\1/' > "$dir/wanted"
    if [ -s "$dir/wanted" ] && [ "$(tr -d ' ' < "$dir/wanted")" = "$(tr -d ' ' < "$dir/seen")" ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1)) && echo "c2c-tui: seed $seed: functions on the screen and in the text differ:" && diff "$dir/wanted" "$dir/seen"
    fi
    tm send-keys -t ours d
    wait_for '^Cacheline 0x' 'd on a line'
    tm send-keys -t ours q
    wait_for '^Shared Data Functions' 'q'
    tm send-keys -t ours Tab
    wait_for '^Shared Data Cache' 'TAB again'
    tm send-keys -t ours '?'
    wait_for '^d  *Display cacheline details' '?'
    tm send-keys -t ours x
    wait_for '^Shared Data' 'a key after ?'
    # Call chains open and close; they show as in the stdio report.
    if [ "$kind" = chain ]; then
        tm send-keys -t ours d
        tm send-keys -t ours Enter
        wait_for '^- ' 'ENTER'
        tm send-keys -t ours q
    fi
    tm send-keys -t perf q
    tm send-keys -t ours q
    tries=50
    while tm has-session -t ours 2> /dev/null && [ $tries -gt 0 ]; do
        tries=$((tries - 1))
        sleep 0.1
    done
    if [ $tries -gt 0 ]; then pass=$((pass + 1)); else fail=$((fail + 1)) && echo "c2c-tui: seed $seed: q does not quit"; fi
    tm kill-server 2> /dev/null
done
echo "c2c-tui: screens beside $("$PERF" --version)'s"
echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
