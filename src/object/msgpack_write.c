/* SPDX-License-Identifier: MIT */
/* msgpack_write.c - MessagePack writer: each value in its shortest form. */
#include "object/msgpack.h"

#include <string.h>

/* A head and a number of `size` bytes, the highest first. */
static void
put(hd_blob *out, unsigned head, unsigned size, uint64_t value)
{
   uint8_t bytes[9] = { (uint8_t)head };

   for (unsigned n = 0; n < size; n++)
      bytes[1 + n] = (uint8_t)(value >> 8 * (size - 1 - n));
   hd_blob_append(out, bytes, 1 + size);
}

void
hd_msgpack_map(hd_blob *out, uint32_t num)
{
   if (num < 16)
      put(out, 0x80 | num, 0, 0);
   else if (num <= UINT16_MAX)
      put(out, 0xde, 2, num);
   else
      put(out, 0xdf, 4, num);
}

void
hd_msgpack_array(hd_blob *out, uint32_t num)
{
   if (num < 16)
      put(out, 0x90 | num, 0, 0);
   else if (num <= UINT16_MAX)
      put(out, 0xdc, 2, num);
   else
      put(out, 0xdd, 4, num);
}

void
hd_msgpack_string(hd_blob *out, const char *string)
{
   const size_t size = strlen(string);

   if (size < 32)
      put(out, 0xa0 | (unsigned)size, 0, 0);
   else if (size <= UINT8_MAX)
      put(out, 0xd9, 1, size);
   else if (size <= UINT16_MAX)
      put(out, 0xda, 2, size);
   else
      put(out, 0xdb, 4, size);
   hd_blob_append(out, string, size);
}

void
hd_msgpack_uint(hd_blob *out, uint64_t value)
{
   if (value < 128)
      put(out, (unsigned)value, 0, 0);
   else if (value <= UINT8_MAX)
      put(out, 0xcc, 1, value);
   else if (value <= UINT16_MAX)
      put(out, 0xcd, 2, value);
   else if (value <= UINT32_MAX)
      put(out, 0xce, 4, value);
   else
      put(out, 0xcf, 8, value);
}

void
hd_msgpack_int(hd_blob *out, int64_t value)
{
   if (value >= 0)
      hd_msgpack_uint(out, (uint64_t)value);
   else if (value >= -32)
      put(out, (uint8_t)value, 0, 0);
   else if (value >= INT8_MIN)
      put(out, 0xd0, 1, (uint64_t)value);
   else if (value >= INT16_MIN)
      put(out, 0xd1, 2, (uint64_t)value);
   else if (value >= INT32_MIN)
      put(out, 0xd2, 4, (uint64_t)value);
   else
      put(out, 0xd3, 8, (uint64_t)value);
}

void
hd_msgpack_bool(hd_blob *out, bool value)
{
   put(out, value ? 0xc3 : 0xc2, 0, 0);
}
