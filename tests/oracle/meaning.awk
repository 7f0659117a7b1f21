# SPDX-License-Identifier: Apache-2.0
# Names the kinds of messages on standard error of llvm-mca or slotledger mca, one line each, sorted by kind.
/found a call/ { n["call"] = 1 }
/found a return/ { n["return"] = 1 }
/found an unsupported instruction/ { n["unsupported"] = 1 }
/unable to resolve scheduling class/ { n["unresolved"] = 1 }
/zero micro|zero opcode/ { n["zero"] = 1 }
/bottleneck analysis is not supported/ { n["bottleneck"] = 1 }
/no assembly instructions found/ { n["empty"] = 1 }
END {
    split("bottleneck call empty return unresolved unsupported zero", kinds, " ")
    for (i = 1; i in kinds; i++)
        if (kinds[i] in n)
            print kinds[i]
}
