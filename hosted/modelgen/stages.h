/* SPDX-License-Identifier: Apache-2.0 */
/* The generator's stages: what `modelgen NAME` runs. A writing stage gets the folder for its files. */
#ifndef MODELGEN_STAGES_H
#define MODELGEN_STAGES_H

/* Each returns the exit status: 0 on success. */
int stage_ops(const char *gen_dir);
int stage_regs(const char *gen_dir);
int stage_models(const char *gen_dir);
int stage_models_arm(const char *gen_dir);
int stage_decode_aarch64(const char *gen_dir) __attribute__((weak));
int stage_decode_riscv(const char *gen_dir) __attribute__((weak));
int stage_decode_x86_64(const char *gen_dir) __attribute__((weak));
int stage_decode_thumbm(const char *gen_dir);
int stage_decode_thumbv8m(const char *gen_dir);
int stage_decode_thumb(const char *gen_dir);
int stage_decode_arm(const char *gen_dir);
int stage_text_aarch64(const char *gen_dir);
int stage_text_riscv(const char *gen_dir);
int stage_text_arm(const char *gen_dir);
int stage_text_x86_64(const char *gen_dir);

/* argv[0] is the stage's name. */
int stage_verify_models(int argc, char **argv) __attribute__((weak));
int stage_verify_aarch64(int argc, char **argv) __attribute__((weak));
int stage_verify_riscv64(int argc, char **argv) __attribute__((weak));
int stage_verify_riscv32(int argc, char **argv) __attribute__((weak));
int stage_verify_thumbm(int argc, char **argv) __attribute__((weak));
int stage_verify_thumbv8m(int argc, char **argv) __attribute__((weak));
int stage_verify_thumb(int argc, char **argv) __attribute__((weak));
int stage_verify_arm(int argc, char **argv) __attribute__((weak));
int stage_verify_x86_64(int argc, char **argv) __attribute__((weak));
int stage_verify_text(int argc, char **argv) __attribute__((weak));

#endif
