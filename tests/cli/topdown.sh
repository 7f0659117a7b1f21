#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# slotledger topdown: counts files in every form, all renderings, and bad input. Expected shares are the vectors of
# tests/unit/test_topdown_vectors.c, worked out by hand or with Python's fractions.
# usage: topdown.sh TOOL    (closes with "N passed, N failed, N skipped")
set -u
tool=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
pass=0 fail=0
ok() { pass=$((pass + 1)); }
bad() {
    fail=$((fail + 1))
    echo "topdown: $1"
}
topdown() { timeout 20 "$tool" topdown "$@"; }
# prints NAME LINE OPTIONS...: succeeds, and the line is there.
prints() {
    name=$1 line=$2
    shift 2
    topdown "$@" > out 2> err < /dev/null
    status=$?
    if [ $status -eq 0 ] && grep -qxF -- "$line" out; then ok; else bad "$name: exit $status, no '$line': $(head -3 out err)"; fi
}
# refuses NAME MESSAGE OPTIONS...: exit status 1, nothing on standard output, one line with the message on standard error.
refuses() {
    name=$1 message=$2
    shift 2
    topdown "$@" > out 2> err < /dev/null
    status=$?
    if [ $status -eq 1 ] && [ ! -s out ] && grep -qF -- "$message" err && [ "$(wc -l < err)" -eq 1 ]; then
        ok
    else
        bad "$name: exit $status, $(head -3 err)"
    fi
}

# --- the paper's model: vector A -------------------------------------------------------------------------------------
cat > a.csv << 'END'
# vector A
event,count
Clocks,1000000
FetchBubbles,600000
SlotsIssued,2000000
SlotsRetired,1800000
RecoveryBubbles,200000
FetchBubbles[>=4],100000
BrMispredRetired,9000
MachineClears,1000
MsSlotsRetired,80000
OpsExecuted[=0],300000
OpsExecuted[=1],150000
OpsExecuted[=2],100000
MemStalls.AnyLoad,200000
MemStalls.L1miss,150000
MemStalls.L2miss,90000
MemStalls.L3miss,60000
MemStalls.Stores,20000
ExtMemOutstanding[>=1],120000
ExtMemOutstanding[>=T],40000
END
cat > a.want << 'END'
node,domain,percent,quality
frontend_bound,slots,15.0000,ok
bad_speculation,slots,10.0000,ok
retiring,slots,45.0000,ok
backend_bound,slots,30.0000,ok
fetch_latency,slots,10.0000,below_threshold
fetch_bandwidth,slots,5.0000,below_threshold
branch_mispredicts,slots,9.0000,below_threshold
machine_clears,slots,1.0000,below_threshold
microsequencer,slots,2.0000,below_threshold
base,slots,43.0000,below_threshold
memory_bound,slots,12.8155,ok
core_bound,slots,17.1845,ok
memory_bound,cycles,22.0000,ok
core_bound,cycles,33.0000,ok
l1_bound,cycles,5.0000,ok
l2_bound,cycles,6.0000,ok
l3_bound,cycles,3.0000,ok
ext_memory_bound,cycles,6.0000,ok
store_bound,cycles,2.0000,ok
mem_bandwidth,cycles,4.0000,below_threshold
mem_latency,cycles,8.0000,below_threshold
mem_bandwidth_of_busy,stalls,33.3333,below_threshold
END
topdown --core generic-4 --counts a.csv --csv > out 2> err
if cmp -s out a.want; then ok; else bad "vector A: $(diff out a.want | head -6)"; fi
sed 's/^Clocks,1000000/TotalSlots,4000000/' a.csv > slots.csv
topdown --core generic-4 --counts slots.csv --csv > out 2> err
if cmp -s out a.want; then ok; else bad "vector A by slots: $(diff out a.want | head -6)"; fi
tr ',' ';' < a.csv | sed 's/$/\r/' > semicolon.csv
topdown --core=generic-4 --counts=semicolon.csv --csv > out 2> err
if cmp -s out a.want; then ok; else bad "semicolons and carriage returns: $(head -1 err)"; fi
sed 's/>=4/>=8/' a.csv > a8.csv
prints "width of the generic model" frontend_bound,slots,7.5000,ok --core generic-8 --counts a8.csv --csv
prints "--width goes before the name's" frontend_bound,slots,7.5000,ok --core generic-4 --width 8 --counts a8.csv --csv
prints "bottleneck" "  Bottleneck: Backend Bound > Core Bound" --core generic-4 --counts a.csv
prints "down to level 1" "  Bottleneck: Backend Bound" --core generic-4 --counts a.csv --level 1
prints "ambiguous" "  Bottleneck: Backend Bound (its parts are too close to tell apart)" --core generic-4 --counts a.csv --thresholds atom

# --- Arm: names, codes, revisions ---------------------------------------------------------------------------------
cat > b.csv << 'END'
CPU_CYCLES,1000000
0x3e,1000000
r3d,2000000
armv8_pmuv3_0/event=0x3f/,3000000
op_spec,2100000
OP_RETIRED:u,2000000
BR_MIS_PRED,0x2710
END
prints "vector B" frontend_bound,slots,19.0000,ok --core neoverse-n2 --counts b.csv --csv
prints "vector B, retiring" retiring,slots,38.0952,ok --core neoverse-n2 --counts b.csv --csv
prints "vector B, the rest of 100" bad_speculation,slots,5.9048,ok --core neoverse-n2 --counts b.csv --csv
prints "by MIDR r0p3" frontend_bound,slots,19.0000,ok --core 0x410fd493 --counts b.csv --csv
sed 's/^0x3e,1000000/0x3e,2000000/; s/3000000/4000000/' b.csv > r0p0.csv
prints "by MIDR r0p0" frontend_bound,slots,19.0000,ok --core 0x410fd490 --counts r0p0.csv --csv
prints "unknown Arm core with a width" frontend_bound,slots,20.0000,ok --core 0x410ffff0 --width 5 --counts b.csv --csv
sed 's/^0x3e,1000000/0x3e,1050000/' b.csv > j.csv
prints "vector J says that it is adjusted" frontend_bound,slots,19.8020,adjusted --core neoverse-n2 --counts j.csv --csv
printf '0x11,1000000\n0x3e,30000\n0x3d,2000000\n0x3f,2030000\n0x3b,3000000\n0x3a,2800000\n0x10,10000\n' > k.csv
topdown --core neoverse-n2 --counts k.csv --csv --level 1 > out
if grep -q '^frontend_bound,slots,0.0000,clamped' out && [ "$(awk -F, 'NR > 1 { n += $3 } END { printf "%.4f", n }' out)" = 100.0000 ]; then
    ok
else
    bad "vector K: $(cat out)"
fi
prints "vector K keeps the raw value" frontend_bound,slots,0.0000,clamped+adjusted,-0.4000,0 --core neoverse-n2 --counts k.csv --csv --raw

printf 'STALL_BACKEND,300000\nSTALL_BACKEND_MEM,200000\n' | cat b.csv - > memory.csv
topdown --core neoverse-n2 --counts memory.csv > out
# 2/3 of 37 %
if grep -q '^    Memory Bound  *66.7 % .* stalls (about 24.7 % of slots)  <==$' out; then ok; else bad "estimate: $(cat out)"; fi

# --- cores without slots say so ----------------------------------------------------------------------------------
printf 'CPU_CYCLES,1000000\nSTALL_FRONTEND,150000\nSTALL_BACKEND,400000\nINST_RETIRED,900000\nINST_SPEC,1000000\n' > q.csv
for core in neoverse-n1 cortex-a55 cortex-a76 cortex-r52 a64fx; do
    prints "vector Q on $core" frontend_bound,cycles,15.0000,ok --core $core --counts q.csv --csv
    prints "vector Q, wasted, on $core" wasted,cycles,4.5000,below_threshold --core $core --counts q.csv --csv
done
topdown --core neoverse-n1 --counts q.csv > out
if head -1 out | grep -q 'CYCLE3 (cycles, not slots: no Top-Down level 1)'; then ok; else bad "kind: $(head -1 out)"; fi
prints "N2 with stall cycles only falls back" backend_bound,cycles,40.0000,ok --core neoverse-n2 --counts q.csv --csv
topdown --core neoverse-n2 --counts q.csv > out
if grep -q "Note: events or width for neoverse-n2's own formulas are missing" out; then ok; else bad "no word of the fallback"; fi
printf 'CPU_CYCLES,1000\nINST_RETIRED,1200\nINST_SPEC,1500\n' > a72.csv
prints "Cortex-A72" retiring,slots,40.0000,approximate --core cortex-a72 --counts a72.csv --csv
prints "Cortex-A72, the rest" unattributed,slots,50.0000,approximate --core cortex-a72 --counts a72.csv --csv
printf 'cycles,1000\ninstructions,600\n' > r.csv
prints "any RISC-V core" retiring,slots,60.0000,approximate --core riscv-generic --counts r.csv --csv
printf 'cycles,1000\n0x801,100\n0x61701,300\n0x6001,10\n' > u74.csv
prints "U74" frontend_bound,cycles,10.0000,approximate --core sifive-u74 --counts u74.csv --csv
prints "U74 with a penalty" bad_speculation,cycles,5.0000,approximate --core sifive-u74 --penalty 5 --counts u74.csv --csv
printf 'DWT_CYCCNT,200\nDWT_CPICNT,40\nDWT_LSUCNT,60\nDWT_EXCCNT,0\nDWT_SLEEPCNT,20\nDWT_FOLDCNT,5\n' > dwt.csv
prints "DWT" load_store,cycles,30.0000,ok --core cortex-m4 --counts dwt.csv --csv
prints "DWT, instructions" instruction_base,cycles,40.0000,ok --core cortex-m4 --counts dwt.csv --csv
topdown --core cortex-m7 --counts dwt.csv --raw > out
if head -1 out | grep -q NONE && grep -q 'DWT_LSUCNT  *60' out && ! grep -q '%' out; then ok; else bad "dual-issue DWT: $(head -3 out)"; fi

# --- Intel, AMD -----------------------------------------------------------------------------------------------------
printf 'PERF_METRICS,0x331a140a4d331966\nSLOTS,6000000\n' > m.csv
for core in icelake sapphirerapids alderlake lunarlake; do
    prints "vector M on $core" retiring,slots,40.0000,ok --core $core --counts m.csv --csv
    prints "vector M, the fourth, on $core" backend_bound,slots,30.1961,ok --core $core --counts m.csv --csv
done
prints "vector M, level 2" fetch_latency,slots,10.1961,ok --core sapphirerapids --counts m.csv --csv
topdown --core sapphirerapids --counts m.csv --csv --raw --level 1 > out
if grep -q ',1811765$' out && [ "$(awk -F, 'NR > 1 { n += $6 } END { print n }' out)" = 6000000 ]; then ok; else bad "vector M in slots"; fi
printf 'PERF_METRICS_START,0x331a140a4d331966\nSLOTS_START,6000000\nPERF_METRICS_END,0x59401a4c\nSLOTS_END,12000000\n' > n.csv
prints "vector N" bad_speculation,slots,10.5882,ok --core icelake --counts n.csv --csv
# 19.60784 + 10.58823 + 30.19608 + 39.60784: two of the last digits go up, so that the column adds up to 100.
prints "vector N, by the largest remainder" retiring,slots,19.6079,ok --core icelake --counts n.csv --csv
prints "vector N, the fourth" backend_bound,slots,39.6078,ok --core icelake --counts n.csv --csv
printf 'cycles,1000000\ntopdown-fe-bound,1000000\ntopdown-be-bound,1500000\ntopdown-retiring,2000000\n' > p.csv
prints "vector P" bad_speculation,slots,10.0000,ok --core gracemont --counts p.csv --csv
cat > l.csv << 'END'
ls_not_halted_cyc,1000000
de_no_dispatch_per_slot.no_ops_from_frontend,1200000
cpu/event=0x1a0,umask=0x1e/,1800000
de_no_dispatch_per_slot.smt_contention,0
de_src_op_disp.all,3000000
0xc1,2700000
END
prints "vector L" frontend_bound,slots,20.0000,ok --core zen4 --counts l.csv --csv
prints "vector L, backend by event and umask" backend_bound,slots,30.0000,ok --core zen4 --counts l.csv --csv

cat > skl.csv << 'END'
cycles,1000000
9C/01,600000
0E/01,2000000
C2/02,1800000
0D/01,50000
9C/01c4,100000
C5/00,9000
C3/01c1e1,1000
A3/14c20,200000
A6/40,20000
A3/04c4,300000
a6/02,150000
a6/04,100000
END
prints "vector A on Skylake" memory_bound,slots,12.8155,ok --core SKL --counts skl.csv --csv
prints "vector A on Skylake, clears" machine_clears,slots,1.0000,below_threshold --core skylake --counts skl.csv --csv
printf '0011,1000000\n003E,1000000\n003D,2000000\n003B,2100000\n003A,2000000\n0010,10000\n' > bare.csv
prints "codes alone" frontend_bound,slots,19.0000,ok --core Neoverse_N2 --counts bare.csv --csv

# --- perf stat -x, --------------------------------------------------------------------------------------------------
cat > perf.csv << 'END'
# started on Mon Nov 30 02:02:02 2026

6000000,,slots,1000000,100.00,,
2400000,,topdown-retiring,1000000,100.00,40.0,% Retiring
588235,,topdown-bad-spec,1000000,100.00,,
1200000,,topdown-fe-bound,1000000,100.00,,
1811765,,topdown-be-bound,1000000,100.00,,
1.52,msec,task-clock,1517777,100.00,0.178,CPUs utilized
<not counted>,,cpu/event=0x47,umask=0x3,cmask=3/,0,100.00,,
END
prints "perf stat" retiring,slots,40.0000,ok --core icelake --counts perf.csv --csv
if grep -q '1 line of events that icelake has none of' err; then ok; else bad "perf's foreign events: $(cat err)"; fi
# Intervals add up; multiplexed counts say so.
printf '1.0,500000,,cpu_cycles,9,50.00,,\n1.0,75000,,stall_frontend,9,50.00,,\n1.0,200000,,stall_backend,9,50.00,,\n' > i.csv
printf '2.0,500000,,cpu_cycles,9,50.00,,\n2.0,75000,,stall_frontend,9,50.00,,\n2.0,200000,,stall_backend,9,50.00,,\n' >> i.csv
prints "perf stat -I, multiplexed" frontend_bound,cycles,15.0000,multiplexed --core neoverse-n1 --counts i.csv --csv
for cpu in 0 1; do
    printf 'CPU%d,1000,,cycles,9,100.00,,\nCPU%d,%d,,stalled-cycles-frontend,9,100.00,,\nCPU%d,0,,stalled-cycles-backend,9,100.00,,\n' \
        $cpu $cpu $((cpu * 100 + 100)) $cpu
done > cpus.csv
prints "perf stat -A" ,CPU1,frontend_bound,cycles,20.0000,ok --core neoverse-n1 --counts cpus.csv --csv
printf 'S0-D0-C0,1,1000,,cycles,9,100.00,,\nS0-D0-C0,1,300,,stall_frontend,9,100.00,,\nS0-D0-C0,1,0,,stall_backend,9,100.00,,\n' > cores.csv
prints "perf stat --per-core" ,S0-D0-C0,frontend_bound,cycles,30.0000,ok --core neoverse-n1 --counts cores.csv --csv
if command -v perf > /dev/null; then
    perf stat -x, -e task-clock,cycles,instructions true 2> real.csv
    topdown --core intel --counts real.csv > out 2> err
    status=$?
    if [ $status -eq 0 ] || { [ $status -eq 1 ] && [ "$(wc -l < err)" -eq 1 ]; }; then ok; else bad "real perf stat: $status $(cat err)"; fi
else
    bad "no perf"
fi

# --- passes ---------------------------------------------------------------------------------------------------------
# The ratio of each pass comes from that pass alone, however long it was.
cat > passes.csv << 'END'
group,0
CPU_CYCLES,1000000
STALL_SLOT_FRONTEND,1000000
STALL_SLOT_BACKEND,2000000
BR_MIS_PRED,10000
group,1
CPU_CYCLES,1005000
OP_SPEC,2110500
OP_RETIRED,2010000
STALL_SLOT_FRONTEND,1005000
STALL_SLOT_BACKEND,2010000
END
prints "passes" retiring,slots,38.0952,ok --core neoverse-n2 --counts passes.csv --csv
prints "split over passes" bad_speculation,slots,5.9048,split --core neoverse-n2 --counts passes.csv --csv
sed 's/1005000/1100000/; s/2110500/2310000/; s/2010000$/2200000/' passes.csv > differ.csv
topdown --core neoverse-n2 --counts differ.csv > out
if grep -q 'Note: passes differ by 9.0 %' out && grep -q passes_differ out; then ok; else bad "passes that differ: $(cat out)"; fi
topdown --core neoverse-n2 --plan 6 --level 1 > out
if grep -q '^SLOT4: 1 pass$' out && [ "$(grep -c 'counter [0-5]' out)" -eq 6 ]; then ok; else bad "plan of 6: $(cat out)"; fi
topdown --core neoverse-n2 --plan 4 --level 1 > out
if grep -q '^SLOT4: 2 passes' out; then ok; else bad "plan of 4: $(cat out)"; fi
topdown --core neoverse-n2 --plan 1 > out
if [ $? -eq 1 ] && grep -q 'level 1 does not fit 1 counter' out && grep -q '^CYCLE3' out; then ok; else bad "plan of 1: $(cat out)"; fi

# --- differences, JSON -----------------------------------------------------------------------------------------------
sed 's/BR_MIS_PRED,0x2710/BR_MIS_PRED,20000/' b.csv > b2.csv
prints "--diff" frontend_bound,slots,19.0000,18.0000,-1.0000,ok,ok --diff --core neoverse-n2 b.csv b2.csv --csv
topdown --diff --core neoverse-n2 b.csv b2.csv > out
if grep -q '^  Backend Bound  *37.0  *34.0  *-3.0  slots$' out; then ok; else bad "--diff as text: $(cat out)"; fi
for options in "--core neoverse-n2 --counts b.csv --json --raw" "--diff --core neoverse-n2 b.csv b2.csv --json"; do
    # shellcheck disable=SC2086 # options are words
    if topdown $options | awk '{ gsub(/"[^"]*"/, "\"\""); n += gsub(/[{[]/, ""); n -= gsub(/[]}]/, "") } END { exit n != 0 }'; then ok; else bad "JSON brackets: $options"; fi
done
topdown --core neoverse-n2 --counts b.csv --json > out
if grep -q '"value": "8/21"' out && grep -q '"kind": "SLOT4"' out; then ok; else bad "JSON values"; fi
topdown --list-cores > out
for core in generic-W neoverse-n2 neoverse-v3ae c1-ultra cortex-a53 cortex-x4 cortex-r82 ampereone tsv110 a64fx cortex-m55 \
    cortex-m4 sandybridge skylake icelake sapphirerapids lunarlake skymont gracemont zen3 zen5 sifive-u74 thead-c910 dubhe-80 \
    andes-ax45 cva6; do
    if grep -q "^$core " out; then ok; else bad "--list-cores: no $core"; fi
done

# --- bad input ---------------------------------------------------------------------------------------------------------
refuses "no input" "needs a capture"
refuses "no core" "--counts needs --core" --counts a.csv
refuses "unknown core" "no core 'vax'" --core vax --counts a.csv
refuses "generic-0" "no core 'generic-0'" --core generic-0 --counts a.csv
refuses "generic-65" "no core 'generic-65'" --core generic-65 --counts a.csv
refuses "two forms" "exclude each other" --core generic-4 --counts a.csv --csv --json
refuses "width" "at most 64" --core generic-4 --counts a.csv --width 65
refuses "both inputs" "either --counts or a capture" --core generic-4 --counts a.csv a.csv
refuses "--diff of one" "needs two inputs" --diff --core generic-4 a.csv
refuses "--diff with --counts" "takes two files" --diff --core generic-4 --counts a.csv a.csv
refuses "--plan without a core" "--plan needs --core" --plan 4
refuses "absent file" "nowhere.csv" --core generic-4 --counts nowhere.csv
input() { # input NAME MESSAGE TEXT [CORE]
    # shellcheck disable=SC2059 # the case holds escapes
    printf "$3" > x.csv
    refuses "$1" "slotledger: x.csv:0x$2" --core "${4:-neoverse-n2}" --counts x.csv
}
input "empty" "0: no counts" ""
input "comments only" "0: no counts" "# nothing\n\n"
input "unknown event" "8: no event of this core: 'NOPE'" "0x11,10\nNOPE,5\n"
input "no number" "b: no whole number below 2^64: 'many'" "CPU_CYCLES,many\n"
input "negative" "b: no whole number" "CPU_CYCLES,-5\n"
input "fraction" "b: no whole number" "CPU_CYCLES,5.5\n"
input "2^64" "b: no whole number" "CPU_CYCLES,18446744073709551616\n"
input "no count" "0: expected EVENT,COUNT" "CPU_CYCLES\n"
input "empty count" "b: no whole number" "CPU_CYCLES,\n"
input "five fields" "0: expected EVENT,COUNT" "CPU_CYCLES,1,2,3,4\n"
input "twice" "d: this event was given before" "CPU_CYCLES,1\n0x11,2\n"
input "ran too long" "f: ran longer" "CPU_CYCLES,1,2,3\n"
input "windows" "11: ran in more windows" "CPU_CYCLES,1,3,2,9,8,7\n"
input "bubbles of another width" "0: no event" "FetchBubbles[>=1],5\n" generic-4
input "group" "6: no group number" "group,65536\n"
input "binary" "0: no text" "CPU\000CYCLES,1\n"
input "too many slots" "0: 2^60 slots or more" "CPU_CYCLES,0x4000000000000000\nSTALL_SLOT_FRONTEND,1\n"
input "metrics without slots" "0: PERF_METRICS needs SLOTS" "PERF_METRICS,1\n" icelake
input "slots backwards" "0: slots run backwards" "PERF_METRICS_END,1\nSLOTS_END,5\nSLOTS_START,6\n" icelake
input "both metrics" "0: both PERF_METRICS" "PERF_METRICS,1\nPERF_METRICS_END,1\nSLOTS,4\n" icelake
input "percentage" "28: no percentage" "10,,cycles,100,100,120.00,,\n5,,cycles,9,300.00,,\n"
head -c 100000 /dev/zero | tr '\0' 'x' > x.csv
refuses "one long line" "slotledger: x.csv:0x0: expected EVENT,COUNT" --core neoverse-n2 --counts x.csv
i=0
while [ $i -lt 600 ]; do printf 'group,%d\n0x11,1\n' $i && i=$((i + 1)); done > x.csv
refuses "too many events" "too many events" --core neoverse-n2 --counts x.csv
# Zeros are no error: nothing can be divided, and nothing is made up.
printf 'CPU_CYCLES,0\nSTALL_SLOT_FRONTEND,0\nSTALL_SLOT_BACKEND,0\nOP_SPEC,0\nOP_RETIRED,0\nBR_MIS_PRED,0\n' > z.csv
topdown --core neoverse-n2 --counts z.csv --csv > out
if [ $? -eq 0 ] && ! grep -qE '[0-9]\.[0-9]' out; then ok; else bad "zeros: $(cat out)"; fi
if ! topdown --core generic-4 --counts a.csv > /dev/full 2> err && grep -q 'cannot write' err; then ok; else bad "full device"; fi
if topdown --help | grep -q -- '--counts=<file>'; then ok; else bad "--help"; fi

echo "$pass passed, $fail failed, 0 skipped"
[ "$fail" -eq 0 ]
