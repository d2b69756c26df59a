/* SPDX-License-Identifier: MIT */
/* run_tool.c - runs Gen9 code that others compiled, as a plan on stdin says, a line each:
 *
 *    code FILE
 *    surface INDEX ADDRESS FILE         bytes, at an address, too; what they are in the end is written back
 *    private ADDRESS SIZE               memory that is at an address alone
 *    shared SIZE
 *    channels MASK...                   of each thread of a group
 *    payload FILE REGISTERS             those of each thread from r0 on, group after group
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gen9/sim/sim.h"

#define MAX_MEMORIES 40u
#define MAX_THREADS  64u

typedef struct bytes {
   uint8_t *data;
   size_t size;
} bytes;

static bytes
read_file(const char *path)
{
   FILE *file = fopen(path, "rb");
   bytes b = { NULL, 0 };

   if (!file) {
      fprintf(stderr, "cannot read %s\n", path);
      exit(2);
   }
   fseek(file, 0, SEEK_END);
   b.size = (size_t)ftell(file);
   rewind(file);
   b.data = calloc(b.size + 1, 1);
   if (!b.data || fread(b.data, 1, b.size, file) != b.size)
      exit(2);
   fclose(file);
   return b;
}

static int
by_address(const void *a, const void *b)
{
   const gen9_memory *x = a, *y = b;

   return x->address < y->address ? -1 : x->address > y->address;
}

static void
print(void *user, const hd_diag *diag)
{
   (void)user;
   fprintf(stderr, "%s\n", diag->message);
}

static void
trace(void *user, const hd_gen9_sim_step *step)
{
   (void)user;
   fprintf(stderr, "%" PRIu32 " %5" PRIx32 " %08" PRIx32 " %s\n", step->wave, step->ip,
           step->channels, step->text);
}

int
main(int argc, char **argv)
{
   static gen9_memory memories[MAX_MEMORIES], sorted[MAX_MEMORIES];
   static char paths[MAX_MEMORIES][256];
   const hd_config config = { .diag = { NULL, print } };
   gen9_sim sim = { .sink = &config.diag, .max_steps = 20000000, .channel = -1 };
   bytes code = { 0 }, payload = { 0 };
   uint32_t channels[MAX_THREADS] = { 0 }, num_grfs = 0;
   char line[2048], path[256];
   static unsigned num;
   unsigned index;
   uint64_t address, size;
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;

   sim.trace = argc > 1 && !strcmp(argv[1], "trace") ? trace : NULL;
   while (fgets(line, sizeof(line), stdin)) {
      gen9_memory *m = &memories[num < MAX_MEMORIES ? num : 0];
      if (sscanf(line, "code %255s", path) == 1) {
         code = read_file(path);
      } else if (sscanf(line, "surface %u %" SCNx64 " %255s", &index, &address, paths[num]) == 3) {
         const bytes b = read_file(paths[num]);
         *m = (gen9_memory){ .address = address, .data = b.data, .size = b.size };
         sim.surfaces[index % GEN9_SURFACES] = m;
         num++;
      } else if (sscanf(line, "private %" SCNx64 " %" SCNu64, &address, &size) == 2) {
         *m = (gen9_memory){ .address = address, .data = calloc(size + 1, 1), .size = size };
         num++;
      } else if (sscanf(line, "shared %" SCNu64, &size) == 1) {
         sim.shared = (gen9_memory){ .data = calloc(size + 1, 1), .size = size };
      } else if (!strncmp(line, "channels", 8)) {
         for (char *at = strtok(line + 8, " \n"); at && sim.num_threads < MAX_THREADS;
              at = strtok(NULL, " \n"))
            channels[sim.num_threads++] = (uint32_t)strtoul(at, NULL, 16);
      } else if (sscanf(line, "payload %255s %" SCNu32, path, &num_grfs) == 2) {
         payload = read_file(path);
      }
   }
   memcpy(sorted, memories, sizeof(sorted));
   qsort(sorted, num, sizeof(sorted[0]), by_address);
   sim.regions = sorted;
   sim.num_regions = num;
   hd_heap_init(&heap, &config);
   hd_stack_init(&stack, &heap);
   if (HD_TRY(&heap, &u)) {
      const size_t of_thread = (size_t)num_grfs * HD_GEN9_GRF_BYTES;
      hd_gen9_sim_load(&sim, &stack, code.data, (uint32_t)code.size);
      sim.threads = hd_stack_alloc_zero(&stack, (sim.num_threads + 1) * sizeof(gen9_thread));
      for (size_t at = 0; of_thread && at + of_thread * sim.num_threads <= payload.size;
           at += of_thread * sim.num_threads) {
         for (uint32_t n = 0; n < sim.num_threads; n++) {
            const gen9_start start = { payload.data + at + n * of_thread, num_grfs, channels[n] };
            hd_gen9_sim_start(&sim, n, &start);
         }
         if (sim.shared.data)
            memset(sim.shared.data, 0, sim.shared.size);
         if (!hd_gen9_sim_run(&sim))
            break;
      }
   }
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   for (unsigned n = 0; n < num; n++) {
      FILE *file = *paths[n] ? fopen(paths[n], "wb") : NULL;
      if (file) {
         fwrite(memories[n].data, 1, memories[n].size, file);
         fclose(file);
      }
      free(memories[n].data);
   }
   free(code.data);
   free(payload.data);
   free(sim.shared.data);
   printf("%" PRIu64 " instructions\n", sim.stats.instructions);
   return result == HD_OK && sim.result == HD_OK ? 0 : 1;
}
