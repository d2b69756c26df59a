/* SPDX-License-Identifier: MIT */
/* digest.c - SipHash-2-4 with 128-bit output (Aumasson and Bernstein, 2012), incremental. */
#include "util/digest.h"

static uint64_t
rotate(uint64_t x, unsigned n)
{
   return x << n | x >> (64 - n);
}

static void
rounds(uint64_t v[4], unsigned n)
{
   while (n--) {
      v[0] += v[1];
      v[2] += v[3];
      v[1] = rotate(v[1], 13) ^ v[0];
      v[3] = rotate(v[3], 16) ^ v[2];
      v[0] = rotate(v[0], 32);
      v[2] += v[1];
      v[0] += v[3];
      v[1] = rotate(v[1], 17) ^ v[2];
      v[3] = rotate(v[3], 21) ^ v[0];
      v[2] = rotate(v[2], 32);
   }
}

static void
add_word(uint64_t v[4], uint64_t word)
{
   v[3] ^= word;
   rounds(v, 2);
   v[0] ^= word;
}

/* Eight bytes, the low one first, on any host. */
static uint64_t
load_word(const uint8_t *p)
{
   uint64_t word = 0;

   for (unsigned n = 0; n < 8; n++)
      word |= (uint64_t)p[n] << 8 * n;
   return word;
}

void
hd_digest_init(hd_digest *d, uint64_t key0, uint64_t key1)
{
   d->v[0] = key0 ^ UINT64_C(0x736f6d6570736575);
   d->v[1] = key1 ^ UINT64_C(0x646f72616e646f6d) ^ 0xee; /* 0xee: the 128-bit form */
   d->v[2] = key0 ^ UINT64_C(0x6c7967656e657261);
   d->v[3] = key1 ^ UINT64_C(0x7465646279746573);
   d->tail = 0;
   d->length = 0;
}

void
hd_digest_add(hd_digest *d, const void *data, size_t size)
{
   if (!size)
      return; /* no pointer is needed for nothing */
   const uint8_t *p = data, *end = p + size;
   unsigned used = d->length & 7;
   uint64_t v[4] = { d->v[0], d->v[1], d->v[2], d->v[3] };

   d->length += size;
   if (used) {
      for (; used < 8 && p < end; used++)
         d->tail |= (uint64_t)*p++ << 8 * used;
      if (used < 8)
         return;
      add_word(v, d->tail);
      d->tail = 0;
   }
   for (; end - p >= 8; p += 8)
      add_word(v, load_word(p));
   for (used = 0; p < end; used++)
      d->tail |= (uint64_t)*p++ << 8 * used;
   for (unsigned n = 0; n < 4; n++)
      d->v[n] = v[n];
}

void
hd_digest_add_u64(hd_digest *d, uint64_t value)
{
   uint8_t bytes[8];

   for (unsigned n = 0; n < 8; n++)
      bytes[n] = (uint8_t)(value >> 8 * n);
   hd_digest_add(d, bytes, sizeof(bytes));
}

void
hd_digest_finish(hd_digest *d, uint8_t out[HD_DIGEST_SIZE])
{
   add_word(d->v, d->tail | d->length << 56);
   d->v[2] ^= 0xee;
   for (unsigned half = 0; half < 2; half++) {
      rounds(d->v, 4);
      uint64_t word = d->v[0] ^ d->v[1] ^ d->v[2] ^ d->v[3];
      for (unsigned n = 0; n < 8; n++)
         out[8 * half + n] = (uint8_t)(word >> 8 * n);
      d->v[1] ^= 0xdd;
   }
}

uint32_t
hd_hash_name(const void *where, const void *name, size_t size)
{
   hd_digest d;

   hd_digest_init(&d, (uint64_t)(uintptr_t)where, 0);
   hd_digest_add(&d, name, size);
   add_word(d.v, d.tail | d.length << 56);
   rounds(d.v, 2);
   return (uint32_t)(d.v[0] ^ d.v[1] ^ d.v[2] ^ d.v[3]);
}
