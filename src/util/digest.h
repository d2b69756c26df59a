/* SPDX-License-Identifier: MIT */
/* digest.h - a 128-bit digest of bytes: SipHash-2-4 with a fixed key.
 *
 * Caches are keyed by it, so two shaders must not share one by accident, whatever structure they
 * have in common; and it must be the same on every host. It is not collision resistant against an
 * attacker: the key is public.
 */
#ifndef HEDDLE_UTIL_DIGEST_H
#define HEDDLE_UTIL_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define HD_DIGEST_SIZE 16

typedef struct hd_digest {
   uint64_t v[4];
   uint64_t tail;   /* the bytes since the last whole word, from the low end */
   uint64_t length; /* bytes so far */
} hd_digest;

/* The key is two words; 0, 0 wherever the library uses it. */
void hd_digest_init(hd_digest *d, uint64_t key0, uint64_t key1);
/* Pieces count as if they were one: the digest of "ab" is that of "a" and "b". */
void hd_digest_add(hd_digest *d, const void *data, size_t size);
/* A number as eight bytes, the low one first. */
void hd_digest_add_u64(hd_digest *d, uint64_t value);
/* A hash for tables that names from outside are looked up in. `where` is the address of the table's
 * owner and serves as the key: nobody who writes a file can know which names will collide. It must
 * not show in any result.
 */
uint32_t hd_hash_name(const void *where, const void *name, size_t size);
/* The digest, as bytes. `d` cannot be used any more. */
void hd_digest_finish(hd_digest *d, uint8_t out[HD_DIGEST_SIZE]);

#endif
