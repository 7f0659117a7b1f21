/* SPDX-License-Identifier: Apache-2.0 */
/* Style and script of the HTML report. The script reads the JSON in front of it and makes elements; it loads nothing. */
#include "mca_html.h"

#include <stddef.h>

const char *const mca_html_head[] = {
    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'\">\n",
    "<style>\n"
    "body{font:13px/1.4 system-ui,sans-serif;margin:1.5em;color:#222;background:#fff}\n"
    "h1{font-size:1.3em}h2{font-size:1.15em;margin:1.5em 0 .3em}h3{font-size:1em;margin:1.2em 0 .3em}\n"
    "pre,code,.m{font-family:ui-monospace,monospace;font-size:12px}pre{margin:.2em 0;color:#555}\n"
    ".sum span{display:inline-block;margin-right:1.6em}.sum b{font-weight:600}\n"
    ".time{overflow-x:auto;border:1px solid #ddd}svg text{font:11px ui-monospace,monospace;fill:#333}\n"
    ".row:hover .bg,.row.on .bg{fill:#fff3c4}.row{cursor:pointer}.bg{fill:#fff}.alt .bg{fill:#f7f7f9}\n"
    ".arrow{fill:none;stroke:#555;stroke-width:1.2;pointer-events:none}.arrow.on{stroke:#c0392b;stroke-width:2}\n"
    ".dim .arrow:not(.on){opacity:.15}\n",
    ".key{margin:.4em 0}.key span{display:inline-block;margin-right:1.1em}.key i{display:inline-block;width:11px;height:11px;"
    "margin-right:4px;vertical-align:-1px;border-radius:2px}\n"
    "table{border-collapse:collapse}td,th{padding:1px 6px;text-align:right;font-weight:400}td:last-child{text-align:left}\n"
    "th{color:#555}tr.all td{border-top:1px solid #999}tr.on td:last-child{background:#fff3c4}\n"
    ".slot{display:flex;align-items:center;gap:8px;height:20px}.slot .n{width:17em;flex:none;box-sizing:border-box}.slot .b{width:220px;flex:none;background:#eee;"
    "height:11px}.slot .b div{height:11px;background:#5b8db8}.slot.hot .b div{background:#c0392b}.slot.no{color:#999}\n"
    "#tip{position:fixed;display:none;background:#222;color:#fff;padding:4px 8px;border-radius:3px;max-width:34em;"
    "pointer-events:none;z-index:9}.info{min-height:3em;margin:.4em 0;white-space:pre-line}\n"
    "</style>\n",
    NULL,
};

const char *const mca_html_script[] = {
    "'use strict';\n"
    "const D=JSON.parse(document.getElementById('data').textContent),W=11,H=18,\n"
    "COLOR={executing:'#5aa469',pipeline:'#d5d8dc',register:'#e67e22',memory:'#c0392b',unit:'#8e44ad',\n"
    "retire_order:'#a9cce3',retire_width:'#7fb3d5'};\n"
    "document.querySelector('h1').textContent=document.title;\n"
    "const tip=document.createElement('div');tip.id='tip';document.body.append(tip);\n"
    "function el(parent,tag,attributes,text){\n"
    " const e=parent instanceof SVGElement||tag=='svg'?document.createElementNS('http://www.w3.org/2000/svg',tag)\n"
    "  :document.createElement(tag);\n"
    " for(const k in attributes)e.setAttribute(k,attributes[k]);\n"
    " if(text!==undefined)e.textContent=text;\n"
    " parent.append(e);return e}\n",
    "const hues={};let hue=40;\n"
    "function color(cause){return COLOR[cause]||(hues[cause]=hues[cause]||'hsl('+(hue+=67)%360+' 45% 60%)')}\n"
    "function hover(e,text){\n"
    " e.addEventListener('mousemove',m=>{tip.textContent=text;tip.style.display='block';\n"
    "  tip.style.left=Math.min(m.clientX+14,innerWidth-tip.offsetWidth-8)+'px';\n"
    "  tip.style.top=(m.clientY+18+tip.offsetHeight>innerHeight?m.clientY-tip.offsetHeight-10:m.clientY+18)+'px'});\n"
    " e.addEventListener('mouseleave',()=>tip.style.display='none')}\n"
    "const plain=t=>t.replace(/\\t/g,' ');\n"
    "const cycles=(from,n)=>n==1?'cycle '+from:'cycles '+from+'\\u2013'+(from+n-1)+' ('+n+')';\n"
    "const stage=s=>s?'':'before its dispatch: ';\n",
    /* One row for each instruction, a cell for each cycle; what it waits for as coloured bars. */
    "function timeline(box,r){\n"
    " const n=r.insns.length,label=i=>'['+Math.floor(i/n)+','+i%n+']';\n"
    " const left=Math.min(360,Math.max(...r.insns.map(t=>plain(t).length))*6.7+70);\n"
    " const last=Math.max(r.last,...r.rows.map(x=>x[4]))+1,width=left+last*W+12,height=(r.rows.length+1)*H;\n"
    " const key=el(box,'div',{class:'key'}),info=el(box,'div',{class:'info m'},'Click a row for all of its waits.');\n"
    " const svg=el(el(box,'div',{class:'time'}),'svg',{width,height,class:'timeline'}),rows=[],seen={};\n"
    " for(let c=0;c<last;c+=5)el(svg,'text',{x:left+c*W,y:12},c);\n"
    " r.rows.forEach((t,i)=>{\n"
    "  const y=(i+1)*H,g=el(svg,'g',{class:'row'+(Math.floor(i/n)%2?' alt':''),'data-row':i});\n"
    "  el(g,'rect',{class:'bg',x:0,y,width,height:H});\n"
    "  el(g,'text',{x:4,y:y+13},label(i)+' '+plain(r.insns[i%n]).slice(0,Math.floor((left-70)/6.7)));\n"
    "  rows.push(g)});\n",
    " const mine=i=>r.waits.filter(w=>w[0]==i);\n"
    " r.waits.forEach(w=>{\n"
    "  if(w[0]>=r.rows.length||w[1]>=last)return;\n"
    "  const y=(w[0]+1)*H,n=Math.min(w[2],last-w[1]),thin=!w[4],c=color(w[3]);seen[w[3]]=c;\n"
    "  const e=el(rows[w[0]],'rect',{class:'wait',x:left+w[1]*W,y:y+(thin?13:3),width:n*W-1,height:thin?3:H-6,fill:c,\n"
    "   'data-cause':w[3]});\n"
    "  hover(e,label(w[0])+' '+plain(r.insns[w[0]%r.insns.length])+', '+cycles(w[1],w[2])+': '+stage(w[4])+w[6])});\n"
    " r.rows.forEach((t,i)=>[[t[0],'D'],[t[3],'E'],[t[4],'R']].forEach(([c,letter])=>{\n"
    "  if(c>=0&&c<last&&(c||letter=='D'))el(rows[i],'text',{x:left+c*W+2,y:(i+1)*H+13,'pointer-events':'none'},letter)}));\n",
    /* From where the producer's result is there to where the wait for it ends. */
    " const arrows=el(svg,'g',{class:'arrows'});\n"
    " r.waits.forEach(w=>{\n"
    "  const p=r.rows[w[5]],to=w[1]+w[2];\n"
    "  if((w[3]!='register'&&w[3]!='memory')||!p||w[0]>=r.rows.length||to>last)return;\n"
    "  const x1=left+Math.min(p[3],to)*W,y1=(w[5]+1.5)*H,x2=left+to*W,y2=(w[0]+1.5)*H;\n"
    "  el(arrows,'path',{class:'arrow','data-from':w[5],'data-to':w[0],\n"
    "   d:'M'+x1+' '+y1+' C'+(x1+8)+' '+y2+' '+(x2-14)+' '+y1+' '+x2+' '+y2+' m-4 -3 l4 3 l-4 3'})});\n"
    " for(const c in seen){const s=el(key,'span',{},c);const i=document.createElement('i');i.style.background=seen[c];s.prepend(i)}\n"
    " el(key,'span',{},'D dispatched, E executed, R retired; thin: before dispatch; arrows: results and memory order');\n",
    " let on=-1;\n"
    " rows.forEach((g,i)=>g.addEventListener('click',()=>{\n"
    "  on=on==i?-1:i;\n"
    "  rows.forEach((x,k)=>x.classList.toggle('on',k==on));\n"
    "  svg.classList.toggle('dim',on>=0);\n"
    "  arrows.childNodes.forEach(a=>a.classList.toggle('on',a.dataset.to==on||a.dataset.from==on));\n"
    "  document.querySelectorAll('tr[data-insn]').forEach(t=>t.classList.toggle('on',\n"
    "   on>=0&&t.closest('section')==box.closest('section')&&t.dataset.insn==on%n));\n"
    "  info.textContent=on<0?'Click a row for all of its waits.':label(on)+' '+plain(r.insns[on%n])+'\\n'+\n"
    "   mine(on).map(w=>'  '+cycles(w[1],w[2])+': '+stage(w[4])+w[6]).join('\\n')}))}\n",
    /* A column for each unit, a row for each instruction; the stronger the colour, the fuller the busiest unit. */
    "function pressure(box,r){\n"
    " const t=el(box,'table',{class:'m heat'}),head=el(t,'tr'),all=r.insns.length;\n"
    " const most=Math.max(...r.units.map(u=>u[all+1]),.01);\n"
    " r.units.forEach(u=>el(head,'th',{},u[0]));el(head,'th',{},'cycles an iteration');\n"
    " for(let i=0;i<=all;i++){\n"
    "  const row=el(t,'tr',i<all?{'data-insn':i}:{class:'all'});\n"
    "  r.units.forEach(u=>{\n"
    "   const c=el(row,'td',{},u[i+1]?u[i+1].toFixed(2):'');\n"
    "   c.style.background='rgba(192,57,43,'+(u[i+1]/most*.8).toFixed(3)+')';\n"
    "   hover(c,u[0]+': '+u[i+1].toFixed(2)+' cycles an iteration'+(i<all?' of '+plain(r.insns[i]):''))});\n"
    "  el(row,'td',{},i<all?plain(r.insns[i]):'all')}}\n",
    "function slots(box,r){\n"
    " r.slots.forEach(([level,label,share,n,hot])=>{\n"
    "  const e=el(box,'div',{class:'slot'+(hot?' hot':'')+(share===null?' no':'')});\n"
    "  el(e,'div',{class:'n',style:'padding-left:'+(level-1)*1.3+'em'},label);\n"
    "  if(share===null){el(e,'div',{},'not modelled');return}\n"
    "  el(el(e,'div',{class:'b'}),'div',{style:'width:'+share/100+'%'});\n"
    "  el(e,'div',{class:'m'},(share/100).toFixed(2)+' % = '+n+' slots')})}\n"
    "D.forEach(r=>{\n"
    " const s=el(document.body,'section');\n"
    " if(r.name)el(s,'h2',{},r.name);\n"
    " if(r.note)el(s,'pre',{},r.note);\n"
    " const sum=el(s,'div',{class:'sum'});\n"
    " for(const k in r.summary){const x=el(sum,'span',{},k+' ');el(x,'b',{},r.summary[k])}\n"
    " [['Timeline',timeline],['Slots',slots],['Pressure of units',pressure]].forEach(([title,draw])=>{\n"
    "  el(s,'h3',{},title);draw(el(s,'div'),r)})});\n",
    NULL,
};
