# SPDX-License-Identifier: Apache-2.0
# Puts region markers into clang's assembly: one region for each function (by == "function") or basic block.
# Names get `suffix`, so that files can be joined.
function close_region() {
    if (name != "")
        print "# LLVM-MCA-END " name
    name = ""
}
function open_region(text) {
    close_region()
    name = text suffix
    print "# LLVM-MCA-BEGIN " name
}
# Without the comments, in which "#" or "//" may confuse nobody but the reader of a difference.
/^[ \t]*(#|\/\/)/ && !/^[ \t]*#(NO_)?APP/ { next }
/^\.Lfunc_end/ { close_region() }
{ print }
/^\t\.type\t[^,]*,%function/ { # 32-bit Arm: a function's label has no comment
    arm_function = $2
    sub(/,.*/, ":", arm_function)
}
/^[A-Za-z_][A-Za-z0-9_]*:/ && (/@/ || $1 == arm_function) {
    function_name = $1
    sub(/:.*/, "", function_name)
    open_region(function_name)
}
by == "block" && /^\.LBB[0-9_]+:/ {
    label = $1
    sub(/^\.LBB[0-9]+_/, ".", label)
    sub(/:.*/, "", label)
    open_region(function_name label)
}
