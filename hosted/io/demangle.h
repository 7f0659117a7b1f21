/* SPDX-License-Identifier: Apache-2.0 */
/* C++ and (legacy) Rust names as people write them, without parameters: "foo::bar" for _ZN3foo3barEiPKc. */
#ifndef HOSTED_IO_DEMANGLE_H
#define HOSTED_IO_DEMANGLE_H

#include "pool.h"

/* NULL: the name is not mangled. The text lives in the pool. */
const char *demangle(const char *name, struct pool *pool);

#endif
