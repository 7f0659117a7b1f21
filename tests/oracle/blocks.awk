# SPDX-License-Identifier: Apache-2.0
# Makes a file of code regions of the disassembler's text of genblocks' output. A prefix that the disassembler
# takes for an instruction is joined with what follows, as a programmer would write it.
BEGIN { print "# blocks" }
function close_region() {
    if (open_)
        print "# LLVM-MCA-END b" block
    open_ = 0
    held = ""
}
/^[ \t]*\./ { next }
{ sub(/[ \t]*(#|@|\/\/) .*$/, "") }
/brk[ \t]+#0x51ed$|movabsq[ \t]+\$5903464766276194797, %r15|lui[ \t]+t6, 335573$|movw[ \t]+r11, #20973$/ {
    close_region()
    block++
    next
}
/^[ \t]*(lock|rep|repe|repne|xacquire|xrelease|notrack|data16|addr32|rex64)[ \t]*$/ {
    held = held $1 " "
    next
}
/[^ \t]/ {
    if (!open_)
        print "# LLVM-MCA-BEGIN b" block
    open_ = 1
    sub(/^[ \t]+/, "")
    print "\t" held $0
    held = ""
}
END { close_region() }
