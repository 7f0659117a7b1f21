#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of --html: what it is made of, and in headless Chromium what it draws and does when it is clicked and pointed at.
# usage: html.sh SLOTLEDGER FOLDER   (closes with "N passed, N failed, N skipped")
set -u
tool=$1 dir=$2
mkdir -p "$dir"
suite=html
. "$(dirname "$0")/lib.sh"
need chromium llvm-mc-19
# drive PAGE SCRIPT: what the script says, a line each, after it has run behind the page's own
drive() {
    {
        sed '/^<\/body>/,$d' "$1"
        printf '<pre id="said"></pre><script>\n%s\n' "const say=t=>document.getElementById('said').append(t+'\n');"
        printf 'addEventListener("error",e=>say("error "+e.message));\ntry{\n%s\n}catch(e){say("error "+e)}\n</script></body></html>\n' "$2"
    } > "$dir/driven.html"
    timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$dir/profile" --dump-dom \
        "file://$(realpath "$dir/driven.html")" 2> "$dir/chromium.err" > "$dir/dom"
    sed -n '/<pre id="said">/,/<\/pre>/p' "$dir/dom" | sed 's/.*<pre id="said">//; s/<\/pre>.*//' | grep -v '^$'
}

# Worked by hand from the seed manual's dot product: three instructions, each needs the one before.
cat > "$dir/dot.s" << 'S'
vmulps %xmm0, %xmm1, %xmm2
vhaddps %xmm2, %xmm2, %xmm3
vhaddps %xmm3, %xmm3, %xmm4
S
page=$dir/dot.html
"$tool" mca -mtriple=x86_64 -mcpu=btver2 -iterations=3 "$dir/dot.s" > "$dir/plain" 2>&1
"$tool" mca -mtriple=x86_64 -mcpu=btver2 -iterations=3 --html "$page" "$dir/dot.s" > "$dir/out" 2>&1
check 'the report stays what it is' cmp -s "$dir/plain" "$dir/out"
check 'no address of a network but the name of SVG' test "$(grep -oE '(https?:)?//[a-z][a-z0-9.]+' "$page" | sort -u)" = 'http://www.w3.org'
check 'nothing is loaded' test "$(grep -ciE '<(link|img|iframe)|src=|@import|fetch\(|XMLHttp' "$page")" -eq 0
size=$(sed -n '/^<script>/,/^<\/script>/p' "$page" | wc -c)
check "the script has $size bytes" test "$size" -gt 1000 -a "$size" -lt 10240

said=$(drive "$page" '
const rows=[...document.querySelectorAll(".row")],tip=document.getElementById("tip");
say("title "+document.querySelector("h1").textContent);
say("rows "+rows.length+" arrows "+document.querySelectorAll(".arrow").length);
say("cycles "+document.querySelector(".sum").textContent.match(/Total Cycles (\d+)/)[1]);
const wait=rows[1].querySelector(".wait[data-cause=register]");
wait.dispatchEvent(new MouseEvent("mousemove",{clientX:50,clientY:50}));
say("tip "+tip.style.display+" "+tip.textContent);
wait.dispatchEvent(new MouseEvent("mouseleave"));
say("tip "+tip.style.display);
rows[1].dispatchEvent(new MouseEvent("click",{bubbles:true}));
say("on "+document.querySelectorAll(".row.on").length+" arrows "+[...document.querySelectorAll(".arrow.on")].map(a=>a.dataset.from+">"+a.dataset.to));
document.querySelector(".info").textContent.split("\n").forEach(say);
say("table "+[...document.querySelectorAll("tr.on")].map(t=>t.dataset.insn));
rows[1].dispatchEvent(new MouseEvent("click",{bubbles:true}));
say("off "+document.querySelectorAll(".on").length);
const slots=[...document.querySelectorAll(".slot")];
say("slot "+slots[0].textContent);
say("sum "+slots.filter(s=>!parseFloat(s.firstChild.style.paddingLeft)).map(s=>+(s.textContent.match(/= (\d+) slots/)||[0,0])[1]).reduce((a,b)=>a+b));
say("units "+[...document.querySelectorAll(".heat th")].map(t=>t.textContent));
say("heat "+[...document.querySelectorAll(".heat tr.all td")].map(t=>t.textContent));
')
printf '%s\n' "$said" > "$dir/said"
# Figures: the timeline of llvm-mca -timeline; 16 cycles x 2 slots, 9 of them used; vmulps JFPM, vhaddps JFPA.
cat > "$dir/want" << W
title $dir/dot.s on btver2
rows 9 arrows 6
cycles 16
tip block [0,1] vhaddps %xmm2, %xmm2, %xmm3, cycles 1–2 (2): waiting for %xmm2 from [0] vmulps
tip none
on 1 arrows 0&gt;1,1&gt;2
[0,1] vhaddps %xmm2, %xmm2, %xmm3
  cycle 0: steps of the pipeline
  cycles 1–2 (2): waiting for %xmm2 from [0] vmulps
  cycles 3–6 (4): executing
  cycle 7: steps of the pipeline
table 1
off 0
slot Retiring28.13 % = 9 slots
sum 32
units JFPA,JFPM,JFPU0,JFPU1,cycles an iteration
heat 2.00,1.00,2.00,1.00,all
W
check 'Chromium draws, explains and follows clicks' cmp -s "$dir/want" "$dir/said"
cmp -s "$dir/want" "$dir/said" || diff "$dir/want" "$dir/said" | head -20

# Loops of a binary, each a section; a hostile name ends no element.
cat > "$dir/f.s" << 'S'
f: subs x2, x2, #1
b.ne f
mul x0, x0, x0
g: madd x0, x0, x1, x2
subs x2, x2, #1
b.ne g
ret
.type f,%function
.size f, .-f
S
llvm-mc-19 -triple=aarch64 -filetype=obj "$dir/f.s" -o "$dir/f.o" || exit 1
llvm-objcopy-19 --redefine-sym 'f=</script><script>document.title="gone"</script>' "$dir/f.o" "$dir/hostile.o"
"$tool" mca -mcpu=cortex-a53 --loops --html "$dir/loops.html" "$dir/hostile.o" > "$dir/out" 2>&1
check 'both loops are reported' test "$(grep -c 'Code Region' "$dir/out")" -eq 2
drive "$dir/loops.html" '
say("sections "+document.querySelectorAll("section").length);
say("name "+document.querySelector("h2").textContent.slice(0,9));
say("title "+(document.title!="gone"));
say("note "+document.querySelector("pre").textContent.split("\n")[0]);
document.querySelectorAll("section")[1].querySelector(".row").dispatchEvent(new MouseEvent("click",{bubbles:true}));
say("tables "+[...document.querySelectorAll("section")].map(s=>s.querySelectorAll("tr.on").length));
' > "$dir/said"
cat > "$dir/want" << 'W'
sections 2
name &lt;/script&gt;
title true
note Loop:     1 block, 2 instructions, depth 1
tables 0,1
W
check 'loops in sections' cmp -s "$dir/want" "$dir/said"
cmp -s "$dir/want" "$dir/said" || diff "$dir/want" "$dir/said" | head -20

refuses() { # refuses NAME MESSAGE OPTIONS...
    what=$1 message=$2
    shift 2
    "$tool" mca -mtriple=x86_64 -mcpu=btver2 "$@" "$dir/dot.s" > "$dir/out" 2> "$dir/err"
    check "$what: status" test $? -eq 1
    check "$what" grep -qF -- "$message" "$dir/err"
}
refuses 'no place' 'error: cannot write the page' --html "$dir/none/x.html"
refuses 'no simulation' '--html draws a simulation' --html "$dir/x.html" -instruction-tables
refuses 'shared work' '--html and --jobs exclude each other' --html "$dir/x.html" --jobs 2
refuses 'a full disk' 'error: cannot write the page /dev/full' --html /dev/full
closing
