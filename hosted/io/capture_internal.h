/* SPDX-License-Identifier: Apache-2.0 */
/* What the files behind capture_read share. */
#ifndef HOSTED_IO_CAPTURE_INTERNAL_H
#define HOSTED_IO_CAPTURE_INTERNAL_H

#include "capture_file.h"

struct capture_record {
    struct sl_capture_item item;
    uint32_t stream;
    bool used; /* intact, and not the second one of its number */
};

/* While reading: the result, and how much room its arrays have. */
struct capture_reading {
    struct capture *capture;
    struct capture_record *records; /* at first in the file's order, then by stream and number */
    size_t n_records;
    size_t records_room, streams_room, registers_room, clocks_room, groups_room, regions_room, samples_room, spes_room,
        notes_room, problems_room;
};

/* One more element, zero-filled, at the end of an array of the capture. */
#define CAPTURE_APPEND(reading, member)                                                                                \
    ((reading)->capture->member = array_grow((reading)->capture->member, (reading)->capture->n_##member,               \
                                             &(reading)->member##_room, sizeof *(reading)->capture->member),           \
     memset(&(reading)->capture->member[(reading)->capture->n_##member], 0, sizeof *(reading)->capture->member),       \
     &(reading)->capture->member[(reading)->capture->n_##member++])

struct capture_problem *capture_add_problem(struct capture_reading *reading, enum capture_problem_kind kind,
                                            size_t offset);
/* ... about a record. */
struct capture_problem *capture_add_record_problem(struct capture_reading *reading, enum capture_problem_kind kind,
                                                   const struct capture_record *record);

/* Sorts records into streams; finds what is missing, repeated, out of order. */
void capture_make_streams(struct capture_reading *reading);
/* Fills the arrays of the capture from the used records. */
void capture_fill(struct capture_reading *reading);
/* Finds the groups, regions and clocks of samples, and holes in SPE drains. */
void capture_link(struct capture_reading *reading);

#endif
