/* SPDX-License-Identifier: Apache-2.0 */
/* A scheduling model as one block of bytes (`slotledger model compile --blob`), for boards that get theirs at run time. */
#ifndef SLOTLEDGER_MODEL_BLOB_H
#define SLOTLEDGER_MODEL_BLOB_H

#include <slotledger/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Everything little-endian, in 32-bit words:
 *   0 magic   1 version   2 length in bytes   3 CRC-32C of the bytes from word 4 on   4 sl_model_blob_isa_mark()
 *   5 n_ops, n_classes << 16   6 n_regs   7 offset of the CPU's name in the names
 *   8 issue width, micro-op buffer << 16   9 reorder buffer, retire width << 16
 *   10 n_resources, load queue << 8, store queue << 16, n_files << 24
 *   11.. for each enum sl_model_section: offset in bytes (a multiple of 4), number of entries
 * Entries are the structs of model.h. */
#define SL_MODEL_BLOB_MAGIC 0x424d4c53u /* "SLMB" */
#define SL_MODEL_BLOB_VERSION 1u
enum sl_model_section {
    SL_MODEL_NAMES, SL_MODEL_MEMBERS, SL_MODEL_RESOURCES, SL_MODEL_CLASS_ROW, SL_MODEL_ROWS, SL_MODEL_WRITE_RES,
    SL_MODEL_WRITE_LAT, SL_MODEL_READ_ADV, SL_MODEL_VARIANTS, SL_MODEL_RULES, SL_MODEL_ATOMS, SL_MODEL_IMM_SETS,
    SL_MODEL_IDIOMS, SL_MODEL_FILES, SL_MODEL_COSTS, SL_MODEL_SETS, SL_MODEL_SECTIONS
};
#define SL_MODEL_BLOB_HEADER_WORDS (11u + 2u * SL_MODEL_SECTIONS)

/* Tells the numbering of opcodes and classes: a blob fits the tables it was made for, and no others. */
uint32_t sl_model_blob_isa_mark(const struct sl_isa *isa);

/* Fills *cpu with pointers into the blob, which must stay, after checking every length, offset and index in it once: time
 * is linear in `len` and the instruction set's size, whatever the bytes are. Afterwards core reads nothing outside of the
 * blob through *cpu. SL_E_ARGUMENT: blob not aligned to 4 bytes, or a big-endian core. SL_E_TRUNCATED: shorter than it says.
 * SL_E_UNSUPPORTED: another version, or made for other tables. SL_E_DATA: it contradicts itself. */
enum sl_status sl_model_blob_open(struct sl_cpu *cpu, const struct sl_isa *isa, const void *blob, size_t len) SL_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
