/* SPDX-License-Identifier: MIT */
/* spirv_compile.c - what it takes to get from SPIR-V to machine code, in process.
 *
 *    spirv_compile [--target=CHIP] [--seconds=S] [--spec=ID:HEX]... [--entry=NAME] [--text=FILE]
 *                  FILE.spv
 *    spirv_compile [...] --vertex=FILE.spv [--colors=FORMAT,...] FILE.spv
 *
 * One line of JSON: words of the module, nanoseconds of CPU time of the fastest round for reading
 * alone and for all of it, and what the machine code consists of. Kernels are compiled for HSA,
 * compute shaders for a driver.
 *
 * With --vertex the other file is a fragment shader, and all of it is both, linked. What each
 * consists of are members `vertex` and `fragment`, the texts are in FILE.vertex and FILE.fragment.
 * Formats are numbers of hd_gcn_color_format.
 */
#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/gcn_sim.h>
#include <heddle/heddle_tools.h>
#include <heddle/link.h>
#include <heddle/spirv.h>

#define MAX_CONSTANTS 64

/* A module, and how it is compiled. */
struct module {
   const char *path;
   uint32_t *words;
   size_t count;
   hd_stage stage;
   hd_gcn_driver_abi *abi; /* NULL: a kernel */
   hd_shader *shader;      /* which the ABI was made for */
   hd_gcn_binary *binary;
};

struct request {
   struct module modules[2]; /* the vertex shader, if there is one, is the second */
   unsigned num;
   const char *text, *colors;
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

/* One round: the shaders are destroyed, the binaries are the caller's. */
static hd_result
go(struct request *r, struct times *best, hd_gcn_binary *binaries[2])
{
   const hd_config config = { .diag = { NULL, keep } };
   hd_shader *shaders[2] = { NULL, NULL };
   hd_result result = HD_OK;

   const double start = cpu_ns();
   for (unsigned n = 0; n < r->num && result == HD_OK; n++)
      result = hd_spirv_to_shader(r->modules[n].words, r->modules[n].count, &r->read, &config,
                                  &shaders[n]);
   if (result == HD_OK && r->num > 1)
      result = hd_link_stages(shaders[1], shaders[0], NULL);
   for (unsigned n = 0; n < r->num && result == HD_OK; n++) {
      const struct module *m = &r->modules[n];
      r->compile.abi = m->abi ? HD_GCN_ABI_DRIVER : HD_GCN_ABI_HSA;
      r->compile.driver = m->abi;
      r->compile.full_subgroups = m->stage == HD_STAGE_COMPUTE;
      result = hd_gcn_compile(shaders[n], &r->compile, &binaries[n]);
   }
   const double end = cpu_ns();
   for (unsigned n = 0; n < r->num; n++)
      hd_shader_destroy(shaders[n]);
   if (best->all == 0 || end - start < best->all)
      best->all = end - start;
   return result;
}

/* Reading alone, again and again, as the validator is measured that it stands beside. */
static double
time_reading(const struct request *r, const struct module *m)
{
   const double until = cpu_ns() + r->seconds * 1e9 / 2;
   double best = 0;

   for (unsigned n = 0; n < 3 || (n < 1000 && cpu_ns() < until); n++) {
      hd_shader *shader = NULL;
      const double start = cpu_ns();
      if (hd_spirv_to_shader(m->words, m->count, &r->read, NULL, &shader) != HD_OK)
         return 0;
      hd_shader_destroy(shader);
      const double taken = cpu_ns() - start;
      if (best == 0 || taken < best)
         best = taken;
   }
   return best;
}

static void
print_code(const struct request *r, const struct module *m, const char *ending)
{
   const hd_gcn_stats *s = &m->binary->stats;
   char path[4096];

   printf("\"code\": %u, \"sgprs\": %u, \"vgprs\": %u, \"spills\": %u, \"scratch\": %u, "
          "\"waves\": %u",
          s->code_size, s->sgprs, s->vgprs, s->spilled_sgprs + s->spilled_vgprs, s->scratch_size,
          s->occupancy);
   if (!r->text)
      return;
   snprintf(path, sizeof(path), "%s%s", r->text, ending);
   FILE *file = fopen(path, "w");
   if (file) {
      fputs(m->binary->text, file);
      fclose(file);
   }
}

static void
print_result(const struct request *r, const struct times *best)
{
   printf("{\"words\": %zu, \"read ns\": %.0f, \"ns\": %.0f, ",
          r->modules[0].count + r->modules[1].count, best->read, best->all);
   if (r->num == 1) {
      print_code(r, &r->modules[0], "");
   } else {
      printf("\"vertex\": {");
      print_code(r, &r->modules[1], ".vertex");
      printf("}, \"fragment\": {");
      print_code(r, &r->modules[0], ".fragment");
      printf("}");
   }
   printf("}\n");
}

/* The module in memory, and the driver's registers for it. */
static hd_result
open_module(const struct request *r, struct module *m)
{
   const hd_config config = { .diag = { NULL, keep } };
   const char *colors = r->colors;

   m->words = read_words(m->path, &m->count);
   hd_result result = hd_spirv_to_shader(m->words, m->count, &r->read, &config, &m->shader);
   if (result != HD_OK)
      return result;
   m->stage = m->shader->stage;
   if (m->stage != HD_STAGE_KERNEL)
      result = hd_gcn_sim_abi_create(m->shader, NULL, &m->abi);
   /* As the other compiler's pipelines: there is one view, and push constants are in the registers that are left. */
   if (m->abi) {
      const unsigned left = HD_GCN_MAX_USER_SGPRS - m->abi->num_user_sgprs,
                     pushed = (unsigned)(m->shader->push_size + 3) / 4;
      m->abi->view_index = HD_GCN_NO_SGPR;
      m->abi->push_inline = m->abi->num_user_sgprs;
      m->abi->push_inline_count = (uint8_t)(pushed < left ? pushed : left);
      m->abi->num_user_sgprs += m->abi->push_inline_count;
   }
   for (unsigned n = 0; m->abi && colors && n < HD_GCN_MAX_COLORS; n++) {
      m->abi->color_format[n] = (uint8_t)strtoul(colors, NULL, 0);
      colors += strcspn(colors, ",");
      colors += *colors == ',';
   }
   return result;
}

static void
close_module(struct module *m)
{
   hd_gcn_binary_destroy(m->binary);
   hd_gcn_sim_abi_destroy(m->shader, m->abi);
   hd_shader_destroy(m->shader);
   free(m->words);
}

static hd_result
measure(struct request *r, struct times *best)
{
   const double until = cpu_ns() + r->seconds * 1e9;
   struct times first = { 0 };
   hd_gcn_binary *binaries[2] = { NULL, NULL };

   r->compile.keep_text = true;
   hd_result result = go(r, &first, binaries);
   for (unsigned n = 0; n < r->num; n++)
      r->modules[n].binary = binaries[n];
   r->compile.keep_text = false;
   for (unsigned n = 0; result == HD_OK && (n < 3 || (n < 1000 && cpu_ns() < until)); n++) {
      hd_gcn_binary *again[2] = { NULL, NULL };
      result = go(r, best, again);
      for (unsigned k = 0; k < r->num; k++)
         hd_gcn_binary_destroy(again[k]);
   }
   for (unsigned n = 0; n < r->num; n++)
      best->read += time_reading(r, &r->modules[n]);
   return result;
}

static int
process(struct request *r)
{
   struct times best = { 0 };
   hd_result result = HD_OK;

   for (unsigned n = 0; n < r->num && result == HD_OK; n++)
      result = open_module(r, &r->modules[n]);
   if (result != HD_OK) {
      fail("cannot be read", result);
   } else {
      result = measure(r, &best);
      if (result == HD_OK)
         print_result(r, &best);
      else
         fail("cannot be compiled", result);
   }
   for (unsigned n = 0; n < r->num; n++)
      close_module(&r->modules[n]);
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
      else if (!strncmp(argv[n], "--colors=", 9))
         r.colors = value + 1;
      else if (!strncmp(argv[n], "--vertex=", 9))
         r.modules[1].path = value + 1;
      else if (!strncmp(argv[n], "--spec=", 7) && r.read.num_constants < MAX_CONSTANTS) {
         hd_spirv_constant *c = &r.constants[r.read.num_constants++];
         const char *hex = strchr(value, ':');
         *c = (hd_spirv_constant){ (uint32_t)strtoul(value + 1, NULL, 0),
                                   hex ? parse_bytes(hex + 1) : 0 };
      } else
         r.modules[0].path = argv[n];
   }
   r.num = r.modules[1].path ? 2 : 1;
   if (!r.modules[0].path || r.compile.target == HD_GCN_NUM_GENS) {
      fprintf(stderr, "usage: spirv_compile [OPTIONS] FILE.spv\n");
      return 2;
   }
   return process(&r);
}
