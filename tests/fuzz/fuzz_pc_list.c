/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of sampled addresses: any text gives a sorted list or one error. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "hosted/io/pc_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = {.stream = NULL};
    struct pc_list list = {0};
    char *text = malloc(size + 1); /* of the very size, so that each read behind it is seen */
    struct source source = {"fuzz", text, size};
    fuzz_require(text != NULL);
    memcpy(text, data, size);
    text = realloc(text, size ? size : 1);
    source.text = text;
    if (pc_list_parse(&list, &source, &diag)) {
        uint64_t sum = 0;
        fuzz_require(list.n_items > 0 && diag.n_errors == 0);
        for (size_t i = 0; i < list.n_items; i++) {
            fuzz_require(list.items[i].count > 0 && (i == 0 || list.items[i - 1].address < list.items[i].address));
            fuzz_require(pc_list_at(&list, list.items[i].address) == i);
            sum += list.items[i].count;
        }
        fuzz_require(sum == list.total);
    } else {
        fuzz_require(diag.n_errors == 1);
    }
    pc_list_free(&list);
    free(text);
    return 0;
}
