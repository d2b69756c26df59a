/* SPDX-License-Identifier: MIT */
/* allocator.c - bring your own memory, cap it, and get out cleanly when it runs out. */
#include <stdio.h>
#include <stdlib.h>

#include "heddle/heddle.h"

typedef struct arena_stats {
   size_t live;
   unsigned calls;
} arena_stats;

static void *
counted_alloc(void *user, size_t size)
{
   arena_stats *stats = user;
   void *ptr = malloc(size);

   stats->calls++;
   if (ptr)
      stats->live += size;
   return ptr;
}

static void
counted_free(void *user, void *ptr, size_t size)
{
   arena_stats *stats = user;

   stats->live -= size;
   free(ptr);
}

/* Build a shader of so many additions. */
static hd_result
build(const hd_config *config, unsigned num, hd_shader **shader)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_COMPUTE, "allocator");
   hd_def *sum = hd_global_invocation_index(&b);

   for (unsigned n = 0; n < num; n++)
      sum = hd_iadd(&b, sum, sum);
   return hd_builder_finish(&b, shader);
}

int
main(void)
{
   arena_stats stats = { 0 };
   hd_config config = { .allocator = { &stats, counted_alloc, counted_free } };
   hd_shader *shader;

   hd_result result = build(&config, 1000, &shader);
   printf("1000 additions: %s\n", hd_result_name(result));
   if (result != HD_OK)
      return 1;
   hd_memory_stats memory = hd_shader_memory(shader);
   printf("all of it is counted: %s\n", memory.reserved == stats.live ? "yes" : "no");
   printf("bytes an addition: %s\n", memory.live < 110 * 1000 ? "less than 110" : "too many");
   hd_shader_destroy(shader);
   printf("left behind: %zu bytes\n", stats.live);

   config.budget.memory = 20000;
   printf("1000 additions in 20000 bytes: %s\n", hd_result_name(build(&config, 1000, &shader)));
   printf("left behind: %zu bytes\n", stats.live);

   config.budget.memory = 0;
   config.budget.steps = 500;
   printf("1000 additions in 500 steps: %s\n", hd_result_name(build(&config, 1000, &shader)));
   printf("left behind: %zu bytes\n", stats.live);
   return stats.live != 0;
}
