# SPDX-License-Identifier: Apache-2.0
# Prints the names of the code regions whose reports differ between two outputs of the same file.
FNR == 1 { file++; name = "" }
/^\[[0-9]+\] Code Region - / {
    name = $0
    sub(/^\[[0-9]+\] Code Region - /, "", name)
    if (file == 1)
        order[++n] = name
    next
}
{ text[file, name] = text[file, name] "\n" $0 }
END {
    for (i = 1; i <= n; i++)
        if (text[1, order[i]] != text[2, order[i]])
            print order[i]
}
