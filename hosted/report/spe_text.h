/* SPDX-License-Identifier: Apache-2.0 */
/* SPE packets and memory samples as text, in the words of perf 6.1. */
#ifndef HOSTED_REPORT_SPE_TEXT_H
#define HOSTED_REPORT_SPE_TEXT_H

#include <stdio.h>

#include <slotledger/spe.h>

/* One line: offset, bytes, meaning; as `perf report -D` prints it. bytes: the packet's own. */
void spe_text_packet(FILE *out, size_t offset, const uint8_t *bytes, const struct sl_spe_packet *packet);
/* All packets of a buffer, with the line that says its size. */
void spe_text_packets(FILE *out, const uint8_t *bytes, size_t len, uint64_t base);

/* One line: what `perf script -F tid,cpu,time,addr,data_src,weight,ip,phys_addr` knows of a memory sample, in columns
 * of this tool's own: CPU, tid, time in ns, ip, address, physical address, data source in hexadecimal, latency. */
void spe_text_sample(FILE *out, const struct sl_mem_sample *sample);

#endif
