/* SPDX-License-Identifier: MIT */
/* gcn_compile.c - what compiling to machine code takes, and what it makes.
 *
 *    gcn_compile [--target=CHIP] [--seconds=S] [--passes=LIST] [--without=PASS] [--object=FILE.o]
 *                FILE.hd
 *
 * One line of JSON: CPU nanoseconds of the fastest call of hd_gcn_compile, of passes and back end
 * together, and what the shader and the machine code consist of. Kernels are compiled for HSA,
 * compute shaders for a driver of no special kind.
 */
#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/gcn_sim.h>
#include <heddle/heddle_tools.h>
#include <heddle/pass.h>

static void
stop(const char *what, const char *about)
{
   fprintf(stderr, "gcn_compile: %s: %s\n", about, what);
   exit(1);
}

static void
complain(void *user, const hd_diag *diag)
{
   (void)user;
   hd_diag_print(stderr, diag, false);
}

static hd_shader *
read_shader(const char *path)
{
   const hd_config config = { .diag = { NULL, complain } };
   FILE *file = fopen(path, "rb");
   hd_blob text = { 0 };
   hd_shader *shader = NULL;
   char bytes[65536];
   size_t size;

   if (!file)
      stop("cannot be read", path);
   while ((size = fread(bytes, 1, sizeof(bytes), file)) > 0)
      hd_blob_append(&text, bytes, size);
   fclose(file);
   if (hd_parse(&config, path, text.data, text.size, &shader) != HD_OK ||
       hd_validate(shader, NULL) != HD_OK)
      stop("is no shader", path);
   hd_blob_finish(&text);
   return shader;
}

static uint64_t
count_instrs(const hd_shader *shader)
{
   uint64_t num = 0;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b)
            num++;
      }
   }
   return num;
}

static void
print_result(const char *path, uint64_t instrs, double ns, const hd_gcn_binary *b)
{
   const hd_gcn_stats *s = &b->stats;

   printf("{\"file\": \"%s\", \"instrs\": %" PRIu64 ", \"ns\": %.0f, \"instructions\": %u, "
          "\"exec\": %u, \"exec writes\": %u, \"branches\": %u, \"salu\": %u, \"valu\": %u, "
          "\"code\": %u, \"sgprs\": %u, \"vgprs\": %u, \"spills\": %u, \"waves\": %u}\n",
          path, instrs, ns, s->instructions, s->exec_reads, s->exec_writes, s->branches, s->salu,
          s->valu, s->code_size, s->sgprs, s->vgprs, s->spilled_sgprs + s->spilled_vgprs,
          s->occupancy);
}

static void
process(const char *path, hd_gcn_options *options, double seconds, const char *object)
{
   const double end = cpu_ns() + seconds * 1e9;
   hd_shader *shader = read_shader(path);
   hd_gcn_driver_abi *abi = NULL;
   double best = 0;

   if (shader->stage != HD_STAGE_KERNEL) {
      options->abi = HD_GCN_ABI_DRIVER;
      if (hd_gcn_sim_abi_create(shader, NULL, &abi) != HD_OK)
         stop("has no interface", path);
      options->driver = abi;
   }
   hd_gcn_binary *binary = NULL;
   for (unsigned rounds = 0; rounds < 2 || (rounds < 1000 && cpu_ns() < end); rounds++) {
      hd_gcn_binary_destroy(binary);
      double since = cpu_ns();
      if (hd_gcn_compile(shader, options, &binary) != HD_OK)
         stop("cannot be compiled", path);
      since = cpu_ns() - since;
      if (best == 0 || since < best)
         best = since;
   }
   FILE *file = object && binary->object ? fopen(object, "wb") : NULL;
   if (file) {
      fwrite(binary->object, 1, binary->object_size, file);
      fclose(file);
   }
   print_result(path, count_instrs(shader), best, binary);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
}

/* The steps of a pipeline but for those of one pass; pipelines in it are followed. */
static void
append_without(hd_blob *list, const hd_pipeline *pipeline, const char *pass)
{
   for (unsigned n = 0; pipeline->steps[n]; n++) {
      const char *step = pipeline->steps[n];
      const hd_pipeline *inner = hd_pipeline_find(step);

      if (inner) {
         append_without(list, inner, pass);
      } else if (strncmp(step, pass, strlen(pass)) != 0) {
         hd_blob_append(list, step, strlen(step));
         hd_blob_append(list, ",", 1);
      }
   }
}

int
main(int argc, char **argv)
{
   hd_gcn_options options = { .target = HD_GCN_GFX900, .diag = { NULL, complain } };
   const char *object = NULL;
   hd_blob without = { 0 };
   double seconds = 0;

   for (int n = 1; n < argc; n++) {
      if (!strncmp(argv[n], "--target=", 9))
         options.target = hd_gcn_gen_find(argv[n] + 9);
      else if (!strncmp(argv[n], "--passes=", 9))
         options.passes = argv[n] + 9;
      else if (!strncmp(argv[n], "--without=", 10)) {
         append_without(&without, hd_pipeline_find("gcn"), argv[n] + 10);
         hd_blob_append(&without, "opt_dce", sizeof("opt_dce"));
         options.passes = without.data;
      } else if (!strncmp(argv[n], "--object=", 9))
         object = argv[n] + 9;
      else if (!strncmp(argv[n], "--seconds=", 10))
         seconds = strtod(argv[n] + 10, NULL);
      else
         process(argv[n], &options, seconds, object);
   }
   hd_blob_finish(&without);
   return 0;
}
