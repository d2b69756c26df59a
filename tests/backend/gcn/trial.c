/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/isa/isa.h"
#include "heddle/compare.h"
#include "heddle/gcn_sim.h"
#include "heddle/text.h"

void
say(text *t, const char *format, ...)
{
   char line[1024];
   va_list args;

   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   hd_blob_printf(t, "%s", line);
}

const char *
said(text *t)
{
   hd_blob_append(t, "", 1);
   assert_int_equal(t->result, HD_OK);
   t->size = 0;
   return t->data;
}

/* What the sink heard, one line after the other. */
typedef struct ear {
   char heard[4096];
} ear;

static void
hear(void *user, const hd_diag *d)
{
   ear *e = user;
   size_t used = strlen(e->heard);

   snprintf(e->heard + used, sizeof(e->heard) - used, "%u: %s\n", d->line, d->message);
}

static hd_shader *
parse(const char *shader, ear *e)
{
   const hd_config config = { .diag = { .report = hear, .user = e } };
   char *lines = strdup(shader);
   hd_shader *s;

   for (char *c = lines; *c; c++)
      *c = *c == ';' ? '\n' : *c;
   if (hd_parse(&config, "shader", lines, strlen(lines), &s) != HD_OK) {
      fprintf(stderr, "%s\n%s", shader, e->heard);
      fail();
   }
   free(lines);
   return s;
}

/* A machine that runs what was compiled. */
typedef struct runner {
   hd_shader *shader;
   const trial_options *options;
   hd_gcn_gen gen;
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;
} runner;

/* The interface follows from the launch: a binary for each. */
static hd_result
run(void *user, const hd_wave_launch *launch)
{
   runner *r = user;
   hd_gcn_options options = r->options ? r->options->compile : (hd_gcn_options){ .target = r->gen };

   hd_gcn_binary_destroy(r->binary);
   hd_gcn_sim_abi_destroy(r->shader, r->abi);
   r->binary = NULL;
   r->abi = NULL;
   hd_result result = hd_gcn_sim_abi_create(r->shader, launch, &r->abi);
   if (result != HD_OK)
      return result;
   options.target = r->gen;
   options.abi = HD_GCN_ABI_DRIVER;
   options.driver = r->abi;
   options.full_subgroups = !launch->active;
   options.keep_text = true;
   options.verify_regalloc = true;
   result = hd_gcn_compile(r->shader, &options, &r->binary);
   if (result != HD_OK)
      return result;
   const hd_gcn_sim_options sim = { .diag = launch->diag, .max_steps = 10000000 };
   return hd_gcn_sim_run_wave(r->binary, r->abi, r->shader, launch, &sim, NULL);
}

void
must_do_the_same(const char *shader, hd_gcn_gen gen, const trial_options *options)
{
   ear e = { "" };
   const hd_diag_sink sink = { .report = hear, .user = &e };
   const hd_diff_test_options trial_options = {
      .seed = options ? options->seed : 1,
      .first_launch = options ? options->first_launch : 0,
      .num_launches = options && options->num_launches ? options->num_launches : 1,
   };
   const char *why = NULL;
   hd_shader *before = parse(shader, &e);
   runner r = { .shader = parse(shader, &e), .options = options, .gen = gen };
   hd_diff_test *trial;

   assert_int_equal(hd_diff_test_create(before, &trial_options, &trial), HD_OK);
   if (hd_diff_test_num_runs(trial, &why) != trial_options.num_launches) {
      fprintf(stderr, "%s\nthe interpreter could not run it: %s\n", shader, why ? why : "");
      fail();
   }
   if (hd_diff_test_compare_run(trial, run, &r, &sink) != HD_OK) {
      fprintf(stderr, "%s\n%s\n%s: %s", shader, r.binary && r.binary->text ? r.binary->text : "",
              hd_gcn_gen_name(gen), e.heard);
      fail();
   }
   hd_diff_test_destroy(trial);
   hd_gcn_binary_destroy(r.binary);
   hd_gcn_sim_abi_destroy(r.shader, r.abi);
   hd_shader_destroy(r.shader);
   hd_shader_destroy(before);
}

void
must_do_the_same_everywhere(const char *shader, const trial_options *options)
{
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++)
      must_do_the_same(shader, (hd_gcn_gen)gen, options);
}

void
must_be_refused(const char *shader, hd_gcn_gen gen, const hd_gcn_driver_abi *driver,
                const char *words)
{
   ear e = { "" };
   hd_shader *s = parse(shader, &e);
   const hd_gcn_options options = {
      .target = gen,
      .abi = driver ? HD_GCN_ABI_DRIVER : HD_GCN_ABI_HSA,
      .driver = driver,
   };
   hd_gcn_binary *binary = NULL;
   const hd_result result = hd_gcn_compile(s, &options, &binary);
   char copy[512];

   if (result == HD_OK) {
      fprintf(stderr, "%s\nwas compiled for %s\n", shader, hd_gcn_gen_name(gen));
      fail();
   }
   assert_null(binary);
   snprintf(copy, sizeof(copy), "%s", words);
   for (char *word = strtok(copy, "|"); word; word = strtok(NULL, "|")) {
      if (!strstr(e.heard, word)) {
         fprintf(stderr, "%s\n%s\nshould have said '%s'\n", shader, e.heard, word);
         fail();
      }
   }
   hd_shader_destroy(s);
}

static bool
is_named(const hd_mach_inst *inst, const char *name)
{
   const char *is = hd_gcn_op_name(&hd_gcn_op_infos[inst->op], HD_GCN_GFX900);
   const size_t length = strlen(name);

   for (unsigned gen = HD_GCN_NUM_GENS; !is && gen-- > 0;)
      is = hd_gcn_op_name(&hd_gcn_op_infos[inst->op], gen);
   if (name[length - 1] == '*')
      return !strncmp(is, name, length - 1);
   return !strcmp(is, name);
}

hd_gcn_binary *
must_compile(const char *shader, hd_gcn_gen gen, const hd_gcn_driver_abi *driver)
{
   ear e = { "" };
   hd_shader *s = parse(shader, &e);
   hd_gcn_binary *binary;
   const hd_gcn_options options = {
      .target = gen,
      .abi = driver ? HD_GCN_ABI_DRIVER : HD_GCN_ABI_HSA,
      .driver = driver,
   };

   if (hd_gcn_compile(s, &options, &binary) != HD_OK) {
      fprintf(stderr, "%s\n%s\n", shader, e.heard);
      fail();
   }
   hd_shader_destroy(s);
   return binary;
}

int
count_with(const char *shader, hd_gcn_gen gen, const hd_gcn_driver_abi *driver, const char *name)
{
   hd_gcn_binary *binary = must_compile(shader, gen, driver);
   int num = 0;

   for (uint32_t at = 0; at < binary->stats.code_size / 4;) {
      hd_gcn_decoded decoded;
      const unsigned words =
          hd_gcn_decode(gen, binary->code + at, binary->code_words - at, &decoded);
      assert_true(words);
      num += is_named(&decoded.inst, name);
      at += words;
   }
   hd_gcn_binary_destroy(binary);
   return num;
}

int
count_of(const char *shader, hd_gcn_gen gen, const char *name)
{
   ear e = { "" };
   hd_shader *s = parse(shader, &e);
   hd_gcn_driver_abi *abi;

   assert_int_equal(hd_gcn_sim_abi_create(s, NULL, &abi), HD_OK);
   const int num = count_with(shader, gen, abi, name);
   hd_gcn_sim_abi_destroy(s, abi);
   hd_shader_destroy(s);
   return num;
}
