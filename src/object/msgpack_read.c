/* SPDX-License-Identifier: MIT */
/* msgpack_read.c - MessagePack reader, for untrusted bytes. */
#include "object/msgpack.h"

#include <string.h>

static bool
get(hd_msgpack_reader *r, unsigned size, uint64_t *value)
{
   if ((size_t)(r->end - r->at) < size)
      return false;
   *value = 0;
   while (size--)
      *value = *value << 8 | *r->at++;
   return true;
}

static bool
get_bytes(hd_msgpack_reader *r, hd_msgpack_value *v, hd_msgpack_kind kind, uint64_t size)
{
   if ((size_t)(r->end - r->at) < size || size > UINT32_MAX)
      return false;
   v->kind = kind;
   v->bytes = (const char *)r->at;
   v->size = (uint32_t)size;
   r->at += size;
   return true;
}

/* A string or bytes whose length is a number of `size` bytes; extensions have a type besides. */
static bool
get_long_bytes(hd_msgpack_reader *r, hd_msgpack_value *v, hd_msgpack_kind kind, unsigned size,
               unsigned more)
{
   uint64_t length;

   return get(r, size, &length) && get_bytes(r, v, kind, length + more);
}

static bool
get_number(hd_msgpack_reader *r, hd_msgpack_value *v, hd_msgpack_kind kind, unsigned size)
{
   v->kind = kind;
   return get(r, size, &v->number);
}

static bool
get_signed(hd_msgpack_reader *r, hd_msgpack_value *v, unsigned size)
{
   const unsigned shift = 64 - 8 * size;

   if (!get(r, size, &v->number))
      return false;
   v->number = (uint64_t)((int64_t)(v->number << shift) >> shift);
   v->kind = (int64_t)v->number < 0 ? HD_MSGPACK_INT : HD_MSGPACK_UINT;
   return true;
}

bool
hd_msgpack_read(hd_msgpack_reader *r, hd_msgpack_value *v)
{
   *v = (hd_msgpack_value){ .kind = HD_MSGPACK_NIL };
   if (r->at == r->end)
      return false;
   const uint8_t head = *r->at++;
   if (head < 0x80 || head >= 0xe0) {
      v->kind = head < 0x80 ? HD_MSGPACK_UINT : HD_MSGPACK_INT;
      v->number = (uint64_t)(int64_t)(int8_t)head;
      return true;
   }
   if (head < 0xa0) {
      v->kind = head < 0x90 ? HD_MSGPACK_MAP : HD_MSGPACK_ARRAY;
      v->number = head & 15;
      return true;
   }
   if (head < 0xc0)
      return get_bytes(r, v, HD_MSGPACK_STRING, head & 31);
   switch (head) {
   case 0xc0:
      return true;
   case 0xc2:
   case 0xc3:
      v->kind = HD_MSGPACK_BOOL;
      v->number = head & 1;
      return true;
   case 0xc4:
   case 0xc5:
   case 0xc6:
      return get_long_bytes(r, v, HD_MSGPACK_BYTES, 1u << (head - 0xc4), 0);
   case 0xc7:
   case 0xc8:
   case 0xc9:
      return get_long_bytes(r, v, HD_MSGPACK_BYTES, 1u << (head - 0xc7), 1);
   case 0xca:
   case 0xcb:
      return get_number(r, v, HD_MSGPACK_FLOAT, head == 0xca ? 4 : 8);
   case 0xcc:
   case 0xcd:
   case 0xce:
   case 0xcf:
      return get_number(r, v, HD_MSGPACK_UINT, 1u << (head - 0xcc));
   case 0xd0:
   case 0xd1:
   case 0xd2:
   case 0xd3:
      return get_signed(r, v, 1u << (head - 0xd0));
   case 0xd4:
   case 0xd5:
   case 0xd6:
   case 0xd7:
   case 0xd8:
      return get_bytes(r, v, HD_MSGPACK_BYTES, (1u << (head - 0xd4)) + 1);
   case 0xd9:
   case 0xda:
   case 0xdb:
      return get_long_bytes(r, v, HD_MSGPACK_STRING, 1u << (head - 0xd9), 0);
   case 0xdc:
   case 0xdd:
      return get_number(r, v, HD_MSGPACK_ARRAY, 1u << (head - 0xdb));
   case 0xde:
   case 0xdf:
      return get_number(r, v, HD_MSGPACK_MAP, 1u << (head - 0xdd));
   default: /* 0xc1 is nothing */
      return false;
   }
}

bool
hd_msgpack_skip(hd_msgpack_reader *r)
{
   uint64_t left = 1; /* values; each takes a byte at least, so that this is bounded by the bytes */

   while (left) {
      hd_msgpack_value v;
      if (left > (uint64_t)(r->end - r->at) || !hd_msgpack_read(r, &v))
         return false;
      left--;
      if (v.kind == HD_MSGPACK_ARRAY)
         left += v.number;
      else if (v.kind == HD_MSGPACK_MAP)
         left += 2 * v.number;
   }
   return true;
}

bool
hd_msgpack_is(const hd_msgpack_value *v, const char *string)
{
   return v->kind == HD_MSGPACK_STRING && v->size == strlen(string) &&
          !memcmp(v->bytes, string, v->size);
}
