/* SPDX-License-Identifier: Apache-2.0 */
/* Models as YAML: any text is loaded or refused with a line; what is loaded can be built, written as YAML again, and its
 * blob is accepted. */
#include "tests/fuzz/fuzz.h"

#include <slotledger/model_blob.h>
#include <stdlib.h>

#include "hosted/modeltext/model_text.h"

static void through_blob(const struct model_tables *tables)
{
    struct sl_cpu cpu;
    size_t len;
    uint8_t *blob = model_blob(tables, &len);
    fuzz_require(sl_model_blob_open(&cpu, tables->cpu.isa, blob, len) == SL_OK);
    free(blob);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = { .stream = NULL };
    struct model model, again;
    struct model_tables tables;
    const char *what;
    char *text = NULL;
    size_t len = 0;
    FILE *out;
    if (!model_load(&model, "fuzz.yaml", (const char *)data, size, size % 2, &diag)) {
        fuzz_require(diag.n_errors > 0);
        return 0;
    }
    fuzz_require(diag.n_errors == 0);
    if (model_build(&tables, &model, &what))
        through_blob(&tables);
    model_tables_free(&tables);
    if (model.base && size % 64 != 3) { /* whole CPUs take their time */
        model_free(&model);
        return 0;
    }
    out = open_memstream(&text, &len);
    fuzz_require(out != NULL);
    model_dump(&model, out);
    fclose(out);
    fuzz_require(model_load(&again, "again.yaml", text, len, false, &diag));
    fuzz_require(model_diff(&model, &again, out = fopen("/dev/null", "w")) == 0);
    fclose(out);
    model_free(&again);
    model_free(&model);
    free(text);
    return 0;
}
