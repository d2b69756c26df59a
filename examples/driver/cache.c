/* SPDX-License-Identifier: MIT */
/* cache.c - compiled code on disk.
 *
 * A file a pipeline, named by its key. The key covers what the shader means, the target, everything
 * that changes the code and the build of the compiler, so nothing ever has to be thrown out. A file
 * may be cut short or damaged: what its digest does not fit is a miss, and written anew.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"

typedef struct header {
   char magic[8];
   uint64_t digest; /* of all that follows */
   hd_gcn_stats stats;
   uint32_t pgm_rsrc1, pgm_rsrc2;
   uint32_t workgroup_size[3];
   hd_gcn_graphics graphics;
   uint32_t num_words;
} header;

static const char magic[8] = "hdcode2";

static uint64_t
digest(uint64_t state, const void *data, size_t size)
{
   for (const uint8_t *byte = data; size; byte++, size--)
      state = (state ^ *byte) * UINT64_C(0x100000001b3);
   return state;
}

static uint64_t
digest_of(const header *h, const uint32_t *words)
{
   const size_t skip = offsetof(header, stats);
   uint64_t state = digest(UINT64_C(0xcbf29ce484222325), (const char *)h + skip, sizeof(*h) - skip);

   return digest(state, words, h->num_words * sizeof(uint32_t));
}

static bool
path_of(const device *dev, const hd_hash *key, const char *ending, char *path, size_t size)
{
   char hex[2 * sizeof(key->bytes) + 1];

   for (size_t n = 0; n < sizeof(key->bytes); n++)
      snprintf(hex + 2 * n, 3, "%02x", key->bytes[n]);
   return dev->cache_dir &&
          (size_t)snprintf(path, size, "%s/%s%s", dev->cache_dir, hex, ending) < size;
}

static bool
read_code(FILE *file, code *c)
{
   header h;

   if (fread(&h, sizeof(h), 1, file) != 1 || memcmp(h.magic, magic, sizeof(magic)) ||
       h.num_words > 1u << 24)
      return false;
   uint32_t *words = malloc(h.num_words * sizeof(uint32_t) + 1);
   if (!words || fread(words, sizeof(uint32_t), h.num_words, file) != h.num_words ||
       digest_of(&h, words) != h.digest) {
      free(words);
      return false;
   }
   *c = (code){
      .stats = h.stats,
      .pgm_rsrc1 = h.pgm_rsrc1,
      .pgm_rsrc2 = h.pgm_rsrc2,
      .graphics = h.graphics,
      .num_words = h.num_words,
      .words = words,
   };
   memcpy(c->workgroup_size, h.workgroup_size, sizeof(c->workgroup_size));
   return true;
}

bool
cache_load(device *dev, const hd_hash *key, code *c)
{
   char path[512];

   if (!path_of(dev, key, "", path, sizeof(path)))
      return false;
   FILE *file = fopen(path, "rb");
   if (!file) {
      atomic_fetch_add(&dev->misses, 1);
      return false;
   }
   bool good = read_code(file, c);
   fclose(file);
   atomic_fetch_add(good ? &dev->hits : &dev->damaged, 1);
   return good;
}

/* Written beside and moved into place, so that another thread or process sees all of it or nothing.
 * A disk that is full costs time, not correctness.
 */
void
cache_store(device *dev, const hd_hash *key, const code *c)
{
   static atomic_uint serial;
   char path[512], fresh[512], ending[32];
   header h;

   snprintf(ending, sizeof(ending), ".%ld.%u", (long)getpid(), atomic_fetch_add(&serial, 1));
   if (!path_of(dev, key, "", path, sizeof(path)) ||
       !path_of(dev, key, ending, fresh, sizeof(fresh)))
      return;
   memset(&h, 0, sizeof(h));
   memcpy(h.magic, magic, sizeof(magic));
   h.stats = c->stats;
   h.pgm_rsrc1 = c->pgm_rsrc1;
   h.pgm_rsrc2 = c->pgm_rsrc2;
   memcpy(h.workgroup_size, c->workgroup_size, sizeof(h.workgroup_size));
   h.graphics = c->graphics;
   h.num_words = c->num_words;
   h.digest = digest_of(&h, c->words);
   FILE *file = fopen(fresh, "wb");
   if (!file)
      return;
   bool good = fwrite(&h, sizeof(h), 1, file) == 1 &&
               fwrite(c->words, sizeof(uint32_t), c->num_words, file) == c->num_words;
   good = !fclose(file) && good;
   if (!good || rename(fresh, path))
      remove(fresh);
}
