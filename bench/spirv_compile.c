/* SPDX-License-Identifier: MIT */
/* spirv_compile.c - what it takes to get from SPIR-V to machine code, in process.
 *
 *    spirv_compile [--target=CHIP] [--seconds=S] [--spec=ID:HEX]... [--entry=NAME] [--text=FILE]
 *                  FILE.spv
 *
 * One line of JSON: words of the module, nanoseconds of CPU time of the fastest round for reading
 * alone and for all of it, and what the machine code consists of. Kernels are compiled for HSA,
 * compute shaders for a driver.
 */
#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/gcn_sim.h>
#include <heddle/heddle_tools.h>
#include <heddle/spirv.h>

#define MAX_CONSTANTS 64

struct request {
   const char *path, *text;
   double seconds;
   hd_spirv_options read;
   hd_gcn_options compile;
   hd_spirv_constant constants[MAX_CONSTANTS];
};

struct times {
   double read, all;
};

static char message[400];

static void
keep(void *user, const hd_diag *diag)
{
   (void)user;
   if (!*message && diag->severity == HD_ERROR)
      snprintf(message, sizeof(message), "%s", diag->message);
}

static int
fail(const char *what, hd_result result)
{
   for (char *c = message; *c; c++)
      if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
         *c = '\'';
   printf("{\"error\": \"%s: %s\"}\n", what, *message ? message : hd_result_name(result));
   return 0;
}

/* Numbers as bytes in hexadecimal, the lowest first. */
static uint64_t
parse_bytes(const char *hex)
{
   uint64_t bits = 0;
   unsigned byte;

   for (unsigned n = 0; n < 8 && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
      bits |= (uint64_t)byte << 8 * n;
   return bits;
}

static uint32_t *
read_words(const char *path, size_t *count)
{
   FILE *file = fopen(path, "rb");
   hd_blob bytes = { 0 };
   char part[65536];
   size_t size;

   if (!file)
      return NULL;
   while ((size = fread(part, 1, sizeof(part), file)) > 0)
      hd_blob_append(&bytes, part, size);
   fclose(file);
   *count = bytes.size / 4;
   uint32_t *words = malloc(*count * 4 + 4);
   if (words && *count)
      memcpy(words, bytes.data, *count * 4);
   hd_blob_finish(&bytes);
   return words;
}

/* One round: the shader is destroyed, the binary is the caller's. */
static hd_result
go(struct request *r, const uint32_t *words, size_t count, const hd_gcn_driver_abi *abi,
   struct times *best, hd_gcn_binary **binary)
{
   const hd_config config = { .diag = { NULL, keep } };
   hd_shader *shader = NULL;

   const double start = cpu_ns();
   hd_result result = hd_spirv_to_shader(words, count, &r->read, &config, &shader);
   if (result != HD_OK)
      return result;
   r->compile.abi = abi ? HD_GCN_ABI_DRIVER : HD_GCN_ABI_HSA;
   r->compile.driver = abi;
   result = hd_gcn_compile(shader, &r->compile, binary);
   const double end = cpu_ns();
   hd_shader_destroy(shader);
   if (best->all == 0 || end - start < best->all)
      best->all = end - start;
   return result;
}

/* Reading alone, again and again, as the validator is measured that it stands beside. */
static double
time_reading(const struct request *r, const uint32_t *words, size_t count)
{
   const double until = cpu_ns() + r->seconds * 1e9 / 2;
   double best = 0;

   for (unsigned n = 0; n < 3 || (n < 1000 && cpu_ns() < until); n++) {
      hd_shader *shader = NULL;
      const double start = cpu_ns();
      if (hd_spirv_to_shader(words, count, &r->read, NULL, &shader) != HD_OK)
         return 0;
      hd_shader_destroy(shader);
      const double taken = cpu_ns() - start;
      if (best == 0 || taken < best)
         best = taken;
   }
   return best;
}

static void
print_result(const struct request *r, size_t words, const struct times *best,
             const hd_gcn_binary *b)
{
   const hd_gcn_stats *s = &b->stats;
   FILE *file = r->text ? fopen(r->text, "w") : NULL;

   printf("{\"words\": %zu, \"read ns\": %.0f, \"ns\": %.0f, \"code\": %u, \"sgprs\": %u, "
          "\"vgprs\": %u, \"spills\": %u, \"scratch\": %u, \"waves\": %u}\n",
          words, best->read, best->all, s->code_size, s->sgprs, s->vgprs,
          s->spilled_sgprs + s->spilled_vgprs, s->scratch_size, s->occupancy);
   if (file) {
      fputs(b->text, file);
      fclose(file);
   }
}

static int
process(struct request *r)
{
   const hd_config config = { .diag = { NULL, keep } };
   const double until = cpu_ns() + r->seconds * 1e9;
   struct times best = { 0 }, first = { 0 };
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;
   hd_shader *shader = NULL;
   size_t count = 0;

   uint32_t *words = read_words(r->path, &count);
   hd_result result = hd_spirv_to_shader(words, count, &r->read, &config, &shader);
   if (result != HD_OK) {
      free(words);
      return fail("cannot be read", result);
   }
   if (shader->stage != HD_STAGE_KERNEL)
      result = hd_gcn_sim_abi_create(shader, NULL, &abi);
   r->compile.full_subgroups = shader->stage != HD_STAGE_KERNEL;
   if (result == HD_OK) {
      r->compile.keep_text = true;
      result = go(r, words, count, abi, &first, &binary);
      r->compile.keep_text = false;
   }
   for (unsigned n = 0; result == HD_OK && (n < 3 || (n < 1000 && cpu_ns() < until)); n++) {
      hd_gcn_binary *again = NULL;
      result = go(r, words, count, abi, &best, &again);
      hd_gcn_binary_destroy(again);
   }
   best.read = time_reading(r, words, count);
   if (result == HD_OK)
      print_result(r, count, &best, binary);
   else
      fail("cannot be compiled", result);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
   free(words);
   return 0;
}

int
main(int argc, char **argv)
{
   struct request r = {
      .read = { .no_names = true, .in_bounds = true },
      .compile = { .target = HD_GCN_GFX900, .diag = { NULL, keep } },
   };

   r.read.constants = r.constants;
   for (int n = 1; n < argc; n++) {
      const char *value = strchr(argv[n], '=');
      if (!strncmp(argv[n], "--target=", 9))
         r.compile.target = hd_gcn_gen_find(value + 1);
      else if (!strncmp(argv[n], "--seconds=", 10))
         r.seconds = strtod(value + 1, NULL);
      else if (!strncmp(argv[n], "--entry=", 8))
         r.read.entry_point = value + 1;
      else if (!strncmp(argv[n], "--text=", 7))
         r.text = value + 1;
      else if (!strncmp(argv[n], "--spec=", 7) && r.read.num_constants < MAX_CONSTANTS) {
         hd_spirv_constant *c = &r.constants[r.read.num_constants++];
         const char *hex = strchr(value, ':');
         *c = (hd_spirv_constant){ (uint32_t)strtoul(value + 1, NULL, 0),
                                   hex ? parse_bytes(hex + 1) : 0 };
      } else
         r.path = argv[n];
   }
   if (!r.path || r.compile.target == HD_GCN_NUM_GENS) {
      fprintf(stderr, "usage: spirv_compile [OPTIONS] FILE.spv\n");
      return 2;
   }
   return process(&r);
}
