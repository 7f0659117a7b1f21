# SPDX-License-Identifier: Apache-2.0
# Prints a file with only those regions whose names are in the file `names`. In a file of straight-line blocks
# (first line "# blocks") the others vanish; in compiled code only their markers do.
BEGIN {
    while ((getline line < names) > 0)
        wanted[line] = 1
}
NR == 1 && /^# blocks/ { blocks = 1 }
/^# LLVM-MCA-BEGIN/ {
    inside = (($3) in wanted)
    if (!inside)
        skipping = 1
}
/^# LLVM-MCA-(BEGIN|END)/ {
    if (inside)
        print
    if (/-END/)
        inside = skipping = 0
    next
}
!(blocks && skipping) { print }
