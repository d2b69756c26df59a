/* SPDX-License-Identifier: MIT */
/* msgpack.h - MessagePack, the format of a code object's note.
 *
 * The writer uses the shortest form of each value. The reader accepts any form, from untrusted bytes.
 */
#ifndef HEDDLE_OBJECT_MSGPACK_H
#define HEDDLE_OBJECT_MSGPACK_H

#include "heddle/base.h"

/* Writing: a map of n is followed by n keys, each with its value; an array of n by n values. */
void hd_msgpack_map(hd_blob *out, uint32_t num);
void hd_msgpack_array(hd_blob *out, uint32_t num);
void hd_msgpack_string(hd_blob *out, const char *string);
void hd_msgpack_uint(hd_blob *out, uint64_t value);
void hd_msgpack_int(hd_blob *out, int64_t value);
void hd_msgpack_bool(hd_blob *out, bool value);

/* Reading */

typedef enum hd_msgpack_kind {
   HD_MSGPACK_NIL,
   HD_MSGPACK_BOOL,
   HD_MSGPACK_UINT,
   HD_MSGPACK_INT, /* below 0 */
   HD_MSGPACK_FLOAT,
   HD_MSGPACK_STRING,
   HD_MSGPACK_BYTES, /* and extensions */
   HD_MSGPACK_ARRAY,
   HD_MSGPACK_MAP,
} hd_msgpack_kind;

typedef struct hd_msgpack_value {
   hd_msgpack_kind kind;
   uint64_t number;   /* bool, int (as two's complement), bits of a float; elements, pairs */
   const char *bytes; /* string, bytes: not terminated */
   uint32_t size;
} hd_msgpack_value;

typedef struct hd_msgpack_reader {
   const uint8_t *at, *end;
} hd_msgpack_reader;

/* The next value, or the beginning of an array or a map. False: the bytes end, or are none. */
bool hd_msgpack_read(hd_msgpack_reader *r, hd_msgpack_value *value);
/* Go past a value with all that it contains. */
bool hd_msgpack_skip(hd_msgpack_reader *r);
bool hd_msgpack_is(const hd_msgpack_value *value, const char *string);

#endif
