/* SPDX-License-Identifier: MIT */
/* test_object.c - code objects: what is written is read back; any bytes give a diagnostic; no
 * memory gives no crash. Machine code: where buffers lie, which lanes start, when it is too long.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/gcn_object.h"
#include "heddle/text.h"
#include "object/elf.h"
#include "object/msgpack.h"
#include "support/heard.h"
#include "support/memory.h"

/* out[lane] = in[lane] + number. */
static const char kernel_text[] = "shader kernel \"sum\" {\n"
                                  "workgroup 64 1 1\n"
                                  "function @sum(%out:64, %in:64, %number:32) {\n"
                                  "b0:\n"
                                  "%id:32x3 = local_invocation_id\n"
                                  "%zero:32 = const 0\n"
                                  "%x:32 = channel %id, %zero\n"
                                  "%four:32 = const 4\n"
                                  "%offset:32 = imul %x, %four\n"
                                  "%wide:64 = u2u %offset\n"
                                  "%from:64 = iadd %in, %wide\n"
                                  "%value:32 = load_global %from\n"
                                  "%sum:32 = iadd %value, %number\n"
                                  "%to:64 = iadd %out, %wide\n"
                                  "store_global %sum, %to\n"
                                  "}\n"
                                  "}\n";

static void
print_diag(void *user, const hd_diag *diag)
{
   (void)user;
   hd_diag_print(stderr, diag, false);
}

static hd_gcn_binary *
compile_kernel(hd_gcn_gen target)
{
   const hd_config config = { .diag = { .report = print_diag } };
   const hd_gcn_options options = { .target = target };
   hd_shader *shader;
   hd_gcn_binary *binary;

   assert_int_equal(hd_parse(&config, "kernel", kernel_text, strlen(kernel_text), &shader), HD_OK);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_OK);
   hd_shader_destroy(shader);
   return binary;
}

/* EI_ABIVERSION: each version that is known, and one to both sides. */
static void
versions(void **state)
{
   (void)state;
   hd_gcn_binary *b = compile_kernel(HD_GCN_GFX900);
   uint8_t *bytes = malloc(b->object_size);

   memcpy(bytes, b->object, b->object_size);
   for (unsigned version = 2; version <= 7; version++) {
      struct heard heard = { 0 };
      const hd_config config = { .diag = { .user = &heard, .report = hear } };
      const bool known = version >= 3 && version <= 6;
      hd_gcn_object *o;
      bytes[8] = (uint8_t)(version - 2);
      assert_int_equal(hd_gcn_object_read(&config, bytes, b->object_size, "o", &o),
                       known ? HD_OK : HD_UNSUPPORTED);
      if (known) {
         assert_int_equal(o->version, version);
         hd_gcn_object_destroy(o);
      } else {
         assert_non_null(strstr(heard.last, "only versions 3 to 6 can be read"));
      }
   }
   free(bytes);
   hd_gcn_binary_destroy(b);
}

static void
written_is_read(void **state)
{
   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_binary *b = compile_kernel((hd_gcn_gen)gen);
      hd_gcn_object *o;
      assert_int_equal(hd_gcn_object_read(NULL, b->object, b->object_size, "o", &o), HD_OK);
      assert_int_equal(o->target, gen);
      assert_int_equal(o->version, 5);
      assert_int_equal(o->num_kernels, 1);
      assert_null(hd_gcn_object_find(o, "none"));
      const hd_gcn_kernel *k = hd_gcn_object_find(o, "sum");
      assert_ptr_equal(k, hd_gcn_object_find(o, NULL));
      assert_string_equal(k->symbol, "sum.kd");
      assert_int_equal(k->pgm_rsrc1, b->pgm_rsrc1);
      assert_int_equal(k->pgm_rsrc2, b->pgm_rsrc2);
      assert_int_equal(k->sgprs, b->stats.sgprs);
      assert_int_equal(k->vgprs, b->stats.vgprs);
      assert_int_equal(k->kernarg_size, 20);
      assert_int_equal(k->kernarg_align, 8);
      assert_int_equal(k->max_workgroup, 64);
      assert_int_equal(k->wavefront_size, 64);
      assert_int_equal(k->num_args, 3);
      assert_int_equal(k->num_explicit_args, 3);
      const hd_gcn_arg_kind kinds[3] = { HD_GCN_ARG_GLOBAL_BUFFER, HD_GCN_ARG_GLOBAL_BUFFER,
                                         HD_GCN_ARG_VALUE };
      const char *const names[3] = { "out", "in", "number" };
      for (unsigned n = 0; n < 3; n++) {
         assert_int_equal(k->args[n].kind, kinds[n]);
         assert_int_equal(k->args[n].offset, 8 * n);
         assert_int_equal(k->args[n].size, n < 2 ? 8 : 4);
         assert_string_equal(k->args[n].name, names[n]);
      }
      /* The code is where the entry says. */
      bool found = false;
      for (uint32_t n = 0; n < o->num_segments; n++) {
         const hd_gcn_segment *s = &o->segments[n];
         if (s->executable && k->entry == s->address) {
            assert_memory_equal(s->data, b->code, b->code_words * 4);
            found = true;
         }
      }
      assert_true(found);
      hd_gcn_object_destroy(o);
      hd_gcn_binary_destroy(b);
   }
}

static hd_result
dispatch(const hd_gcn_object *o, const hd_gcn_kernel *k, uint32_t *out, uint32_t *in,
         uint32_t number, hd_gcn_sim_dispatch_info *info, hd_gcn_sim_stats *stats)
{
   const hd_gcn_sim_arg args[3] = {
      { .buffer = { .data = out, .size = 256 } },
      { .buffer = { .data = in, .size = 256 } },
      { .value = &number, .size = 4 },
   };

   info->args = args;
   info->num_args = 3;
   return hd_gcn_sim_dispatch(o, k, info, stats);
}

/* Full waves, a part of the last workgroup, single lanes; results, and lanes that must not run. */
static void
lanes_that_start(void **state)
{
   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_binary *b = compile_kernel((hd_gcn_gen)gen);
      hd_gcn_object *o;
      assert_int_equal(hd_gcn_object_read(NULL, b->object, b->object_size, "o", &o), HD_OK);
      for (uint32_t grid = 1; grid <= 64; grid += 21) {
         for (unsigned which = 0; which < 3; which++) {
            const hd_wave_mask masks[3] = { { { UINT64_MAX } },
                                            { { UINT64_C(1) << 5 } },
                                            { { UINT64_C(0x8421842184218421) } } };
            uint32_t out[64] = { 0 }, in[64];
            hd_gcn_sim_stats stats;
            hd_gcn_sim_dispatch_info info = { .grid = { grid }, .active = &masks[which] };
            for (uint32_t n = 0; n < 64; n++)
               in[n] = n * 3;
            assert_int_equal(dispatch(o, &o->kernels[0], out, in, 1000, &info, &stats), HD_OK);
            bool any = false;
            for (uint32_t n = 0; n < 64; n++) {
               const bool runs = n < grid && masks[which].word[0] >> n & 1;
               assert_int_equal(out[n], runs ? n * 3 + 1000 : 0);
               any |= runs;
            }
            assert_int_equal(stats.waves, any);
            assert_int_equal(stats.instructions != 0, any);
         }
      }
      hd_gcn_object_destroy(o);
      hd_gcn_binary_destroy(b);
   }
}

static void
steps_run_out(void **state)
{
   (void)state;
   hd_gcn_binary *b = compile_kernel(HD_GCN_GFX900);
   hd_gcn_object *o;
   uint32_t out[64] = { 0 }, in[64] = { 0 };
   struct heard heard = { 0 };
   hd_gcn_sim_stats all, some;
   hd_gcn_sim_dispatch_info info = { .grid = { 64 },
                                     .options.diag = { .user = &heard, .report = hear } };

   assert_int_equal(hd_gcn_object_read(NULL, b->object, b->object_size, "o", &o), HD_OK);
   assert_int_equal(dispatch(o, &o->kernels[0], out, in, 1, &info, &all), HD_OK);
   info.options.max_steps = all.instructions;
   assert_int_equal(dispatch(o, &o->kernels[0], out, in, 1, &info, &some), HD_OK);
   assert_memory_equal(&all, &some, sizeof(all));
   info.options.max_steps = all.instructions - 1;
   assert_int_equal(dispatch(o, &o->kernels[0], out, in, 1, &info, &some), HD_BUDGET_EXCEEDED);
   assert_int_equal(some.instructions, all.instructions - 1);
   assert_int_equal(heard.count, 1);
   assert_non_null(strstr(heard.last, "has not ended"));
   hd_gcn_object_destroy(o);
   hd_gcn_binary_destroy(b);
}

/* Each allocation fails once: the answer is that, nothing is leaked. */
static void
no_memory(void **state)
{
   (void)state;
   hd_gcn_binary *b = compile_kernel(HD_GCN_GFX803);
   bool passed = false;

   for (size_t granted = 0; !passed; granted++) {
      struct limited memory = { .left = granted };
      const hd_config config = limited_config(&memory);
      uint32_t out[64] = { 0 }, in[64] = { 0 };
      hd_gcn_object *o;
      hd_result r = hd_gcn_object_read(&config, b->object, b->object_size, "o", &o);
      if (r == HD_OK) {
         hd_gcn_sim_dispatch_info info = { .grid = { 64 } };
         r = dispatch(o, &o->kernels[0], out, in, 7, &info, NULL);
         passed = r == HD_OK;
         assert_int_equal(out[63], passed ? 7 : 0);
      }
      assert_true(r == HD_OK || r == HD_OUT_OF_MEMORY);
      hd_gcn_object_destroy(o);
      assert_int_equal(memory.held, 0);
      assert_true(granted < 1000);
   }
   hd_gcn_binary_destroy(b);
}

/* Launches that do not hold together are refused, with a word. */
static void
refused_launches(void **state)
{
   (void)state;
   static const uint32_t end[1] = { 0xbf810000 };
   uint32_t memory[4] = { 0 };
   const hd_gcn_sim_region regions[2] = {
      { .address = 0x1000, .memory = { .data = memory, .size = 16 } },
      { .address = 0x100c, .memory = { .data = memory, .size = 16 } },
   };
   const hd_gcn_sim_region nothing = { .address = 0x1000, .memory = { .size = 16 } };
   const hd_gcn_sim_region last = { .address = UINT64_MAX - 7,
                                    .memory = { .data = memory, .size = 16 } };
   const hd_gcn_sim_launch good = {
      .target = HD_GCN_GFX900,
      .code = end,
      .code_words = 1,
      .scratch_resource = HD_GCN_NO_SGPR,
      .flat_scratch_init = HD_GCN_NO_SGPR,
   };
   hd_gcn_sim_launch bad[13];
   const char *const why[13] = {
      "no instruction at 4", "no instruction at 2", "17 user SGPRs",
      "bytes of LDS",        "of the 0 user SGPRs", "of the 0 user SGPRs",
      "at most 1024",        "2^32 workgroups",     "overlap",
      "without data",        "past the end",        "bytes of scratch",
      "not a multiple of 4",
   };

   for (unsigned n = 0; n < 13; n++)
      bad[n] = good;
   bad[0].entry = 4;
   bad[1].entry = 2;
   bad[2].pgm_rsrc2 = 17 << 1;
   bad[3].lds_size = 65537;
   bad[4].scratch_resource = 0;
   bad[5].flat_scratch_init = 15;
   bad[6].workgroup_size[0] = 1025;
   bad[7].num_workgroups[0] = bad[7].num_workgroups[1] = 0x10000;
   bad[8].regions = regions;
   bad[8].num_regions = 2;
   bad[9].regions = &nothing;
   bad[9].num_regions = 1;
   bad[10].regions = &last;
   bad[10].num_regions = 1;
   bad[11].scratch_size = 131057;
   bad[12].code_address = 0x1002;
   assert_int_equal(hd_gcn_sim_run(NULL, &good, NULL), HD_OK);
   for (unsigned n = 0; n < 13; n++) {
      struct heard heard = { 0 };
      bad[n].options.diag = (hd_diag_sink){ .user = &heard, .report = hear };
      assert_int_equal(hd_gcn_sim_run(NULL, &bad[n], NULL), HD_BAD_LAUNCH);
      assert_int_equal(heard.count, 1);
      if (!strstr(heard.last, why[n]))
         fail_msg("%u: %s", n, heard.last);
   }
}

static void
too_many_arguments(void **state)
{
   (void)state;
   struct heard heard = { 0 };
   hd_gcn_binary *b = compile_kernel(HD_GCN_GFX900);
   hd_gcn_object *o;

   assert_int_equal(hd_gcn_object_read(NULL, b->object, b->object_size, "o", &o), HD_OK);
   hd_gcn_kernel k = o->kernels[0];
   k.kernarg_size = UINT32_MAX;
   const hd_gcn_sim_dispatch_info info = {
      .grid = { 64 },
      .options.diag = { .user = &heard, .report = hear },
   };
   assert_int_equal(hd_gcn_sim_dispatch(o, &k, &info, NULL), HD_BAD_LAUNCH);
   assert_non_null(strstr(heard.last, "bytes of arguments"));
   hd_gcn_object_destroy(o);
   hd_gcn_binary_destroy(b);
}

/* Several kernels */

#define NUM_LINKED 40u

/* A kernel that stores `number` by this name. */
static hd_gcn_binary *
compile_named(const char *name, unsigned number, hd_gcn_gen target)
{
   const hd_gcn_options options = { .target = target, .kernel_name = name };
   char text[400];
   hd_shader *shader;
   hd_gcn_binary *binary;

   snprintf(text, sizeof(text),
            "shader kernel \"k\" {\nworkgroup 64 1 1\nfunction @k(%%out:64) {\nb0:\n"
            "%%x:32 = const %u\nstore_global %%x, %%out\n}\n}\n",
            number);
   assert_int_equal(hd_parse(NULL, "k", text, strlen(text), &shader), HD_OK);
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_OK);
   hd_shader_destroy(shader);
   return binary;
}

static void
linked_kernels(void **state)
{
   (void)state;
   hd_gcn_binary *binaries[NUM_LINKED];
   char name[20];

   for (uint32_t n = 0; n < NUM_LINKED; n++) {
      snprintf(name, sizeof(name), "kernel_%u", n * n);
      binaries[n] = compile_named(name, 1000 + n, HD_GCN_GFX803);
   }
   for (uint32_t num = 1; num <= NUM_LINKED; num += 13) {
      hd_blob out = { 0 };
      hd_gcn_object *o;
      assert_int_equal(hd_gcn_link(NULL, (const hd_gcn_binary *const *)binaries, num, &out), HD_OK);
      /* One alone is what the compiler made of it. */
      if (num == 1) {
         assert_int_equal(out.size, binaries[0]->object_size);
         assert_memory_equal(out.data, binaries[0]->object, out.size);
      }
      assert_int_equal(hd_gcn_object_read(NULL, out.data, out.size, "o", &o), HD_OK);
      assert_int_equal(o->num_kernels, num);
      for (uint32_t n = 0; n < num; n++) {
         uint32_t result = 0;
         const hd_gcn_sim_arg arg = { .buffer = { .data = &result, .size = 4 } };
         const hd_gcn_sim_dispatch_info info = { .grid = { 64 }, .args = &arg, .num_args = 1 };
         snprintf(name, sizeof(name), "kernel_%u", n * n);
         const hd_gcn_kernel *k = hd_gcn_object_find(o, name);
         assert_ptr_equal(k, &o->kernels[n]);
         assert_int_equal(hd_gcn_kernel_find_arg(k, "out"), 0);
         assert_true(hd_gcn_kernel_find_arg(k, "in") == UINT32_MAX);
         assert_int_equal(hd_gcn_sim_dispatch(o, k, &info, NULL), HD_OK);
         assert_int_equal(result, 1000 + n);
      }
      hd_gcn_object_destroy(o);
      hd_blob_finish(&out);
   }
   for (uint32_t n = 0; n < NUM_LINKED; n++)
      hd_gcn_binary_destroy(binaries[n]);
}

static void
kernels_that_do_not_fit(void **state)
{
   (void)state;
   static const hd_gcn_driver_abi abi = {
      .num_user_sgprs = 4,
      .push_pointer = HD_GCN_NO_SGPR,
      .push_inline = HD_GCN_NO_SGPR,
      .kernarg_pointer = HD_GCN_NO_SGPR,
      .num_workgroups = HD_GCN_NO_SGPR,
      .workgroup_size = HD_GCN_NO_SGPR,
      .global_offset = HD_GCN_NO_SGPR,
      .work_dim = HD_GCN_NO_SGPR,
   };
   static const char empty[] = "shader compute \"e\" {\nfunction @e {\nb0:\n}\n}\n";
   const hd_gcn_options options = { .target = HD_GCN_GFX900,
                                    .abi = HD_GCN_ABI_DRIVER,
                                    .driver = &abi };
   hd_gcn_binary *f = compile_named("f", 1, HD_GCN_GFX900),
                 *again = compile_named("f", 2, HD_GCN_GFX900);
   hd_gcn_binary *kd = compile_named("f.kd", 3, HD_GCN_GFX900);
   hd_gcn_binary *kd_kd = compile_named("f.kd.kd", 4, HD_GCN_GFX900);
   hd_gcn_binary *g = compile_named("g", 5, HD_GCN_GFX900),
                 *old = compile_named("h", 6, HD_GCN_GFX600);
   hd_gcn_binary *driver;
   hd_shader *shader;

   assert_int_equal(hd_parse(NULL, "e", empty, strlen(empty), &shader), HD_OK);
   assert_int_equal(hd_gcn_compile(shader, &options, &driver), HD_OK);
   hd_shader_destroy(shader);
   const struct {
      const hd_gcn_binary *binaries[3];
      uint32_t num;
      const char *why; /* NULL: they fit */
   } cases[] = {
      { { g }, 0, "expected one kernel or more" },
      { { g, f, again }, 3, "f and f" },
      { { kd, g, f }, 3, "f and f.kd" },
      { { f, kd_kd, g }, 3, NULL },
      { { kd_kd, g, kd }, 3, "f.kd and f.kd.kd" },
      { { g, f, old }, 3, "gfx900 and for gfx600" },
      { { g, driver }, 2, "binary 1" },
   };
   for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      struct heard heard = { 0 };
      const hd_config config = { .diag = { .user = &heard, .report = hear } };
      hd_blob out = { 0 };
      hd_blob_append(&out, "before", 6);
      const hd_result r = hd_gcn_link(&config, cases[n].binaries, cases[n].num, &out);
      assert_int_equal(r, cases[n].why ? HD_INVALID : HD_OK);
      assert_int_equal(heard.count, cases[n].why != NULL);
      if (cases[n].why && !strstr(heard.last, cases[n].why))
         fail_msg("%zu: %s", n, heard.last);
      assert_memory_equal(out.data, "before", 6);
      assert_true(cases[n].why ? out.size == 6 && !out.data[6] : out.size > 6);
      hd_blob_finish(&out);
   }
   /* Each allocation fails once. */
   for (size_t granted = 0;; granted++) {
      struct limited memory = { .left = granted };
      const hd_config config = limited_config(&memory);
      const hd_gcn_binary *const two[2] = { f, g };
      hd_blob out;
      hd_blob_init(&out, &config);
      const hd_result r = hd_gcn_link(&config, two, 2, &out);
      assert_true(r == HD_OK || r == HD_OUT_OF_MEMORY);
      hd_blob_finish(&out);
      assert_int_equal(memory.held, 0);
      assert_true(granted < 100);
      if (r == HD_OK)
         break;
   }
   hd_gcn_binary *const all[] = { f, again, kd, kd_kd, g, old, driver };
   for (size_t n = 0; n < sizeof(all) / sizeof(all[0]); n++)
      hd_gcn_binary_destroy(all[n]);
}

/* Without a note */

/* Where the section of this name begins in the table of sections. */
static uint8_t *
find_section(uint8_t *object, const char *name)
{
   uint8_t *table = object + elf_get(object + 40, 8);
   const uint64_t names = elf_get(table + elf_get(object + 62, 2) * ELF_SECTION_SIZE + 24, 8);

   for (uint64_t n = 0; n < elf_get(object + 60, 2); n++) {
      uint8_t *section = table + n * ELF_SECTION_SIZE;
      if (!strcmp((const char *)object + names + elf_get(section, 4), name))
         return section;
   }
   return NULL;
}

/* The same object, whose section of notes is none. */
static uint8_t *
without_note(const hd_gcn_binary *b)
{
   uint8_t *copy = malloc(b->object_size);

   memcpy(copy, b->object, b->object_size);
   elf_put(find_section(copy, ".note") + 4, 4, ELF_SECTION_PROGBITS);
   return copy;
}

static void
only_descriptors(void **state)
{
   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_binary *b = compile_kernel((hd_gcn_gen)gen);
      uint8_t *bytes = without_note(b);
      uint32_t out[64] = { 0 }, in[64] = { 5, 6, 7 };
      struct heard heard = { 0 };
      hd_gcn_sim_dispatch_info info = { .grid = { 3 },
                                        .options.diag = { .user = &heard, .report = hear } };
      hd_gcn_object *o;
      assert_int_equal(hd_gcn_object_read(NULL, bytes, b->object_size, "o", &o), HD_OK);
      assert_int_equal(o->num_kernels, 1);
      const hd_gcn_kernel *k = hd_gcn_object_find(o, "sum");
      assert_non_null(k);
      assert_false(k->described);
      assert_int_equal(k->kernarg_size, 20);
      assert_int_equal(k->num_args, 0);
      assert_int_equal(dispatch(o, k, out, in, 1000, &info, NULL), HD_OK);
      assert_int_equal(out[0], 1005);
      assert_int_equal(out[2], 1007);
      assert_int_equal(out[3], 0);
      /* The third ends at byte 24 of 20. */
      const uint64_t wide = 0;
      const hd_gcn_sim_arg args[3] = { { .buffer = { .data = out, .size = 256 } },
                                       { .buffer = { .data = in, .size = 256 } },
                                       { .value = &wide, .size = 8 } };
      info.args = args;
      assert_int_equal(hd_gcn_sim_dispatch(o, k, &info, NULL), HD_BAD_LAUNCH);
      assert_non_null(strstr(heard.last, "argument 2 ends at byte 24, kernel sum takes 20 bytes"));
      hd_gcn_object_destroy(o);
      free(bytes);
      hd_gcn_binary_destroy(b);
   }
}

static void
refused_descriptors(void **state)
{
   (void)state;
   hd_gcn_binary *b = compile_kernel(HD_GCN_GFX900);

   for (unsigned n = 0; n < 3; n++) {
      static const char *const why[] = { "must be aligned to 64 bytes", "where nothing is loaded",
                                         "NAME.kd, found neither" };
      struct heard heard = { 0 };
      const hd_config config = { .diag = { .user = &heard, .report = hear } };
      uint8_t *bytes = without_note(b);
      uint8_t *symbols = bytes + elf_get(find_section(bytes, ".symtab") + 24, 8);
      uint8_t *descriptor = symbols + 2 * (size_t)ELF_SYMBOL_SIZE;
      hd_gcn_object *o;
      const uint8_t *last = find_section(bytes, ".dynamic");
      const uint64_t end = elf_get(last + 16, 8) + elf_get(last + 32, 8);
      if (n < 2)
         elf_put(descriptor + 8, 8, n ? end & ~UINT64_C(63) : elf_get(descriptor + 8, 8) + 8);
      else
         descriptor[4] = ELF_GLOBAL << 4 | ELF_SYMBOL_FUNC;
      assert_int_equal(hd_gcn_object_read(&config, bytes, b->object_size, "o", &o), HD_INVALID);
      if (!strstr(heard.last, why[n]))
         fail_msg("%u: %s", n, heard.last);
      free(bytes);
   }
   hd_gcn_binary_destroy(b);
}

/* Hostile bytes */

static uint64_t
next_random(uint64_t *state)
{
   *state += UINT64_C(0x9e3779b97f4a7c15);
   uint64_t z = *state;
   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

/* Read it; if that works run each kernel for a while, with whatever it asks for. Who refuses says
 * why.
 */
static void
try_object(const uint8_t *data, size_t size, unsigned counts[2])
{
   struct heard heard = { 0 };
   const hd_config config = { .budget.memory = 1 << 26,
                              .diag = { .user = &heard, .report = hear } };
   hd_gcn_object *o;
   hd_result r = hd_gcn_object_read(&config, data, size, "hostile", &o);

   counts[r == HD_OK]++;
   if (r != HD_OK) {
      assert_null(o);
      assert_true(heard.count == 1 || r == HD_BUDGET_EXCEEDED);
      return;
   }
   for (uint32_t n = 0; n < o->num_kernels && n < 4; n++) {
      const hd_gcn_kernel *k = &o->kernels[n];
      static const uint8_t zeroes[64];
      uint8_t memory[512] = { 0 };
      hd_gcn_sim_arg args[16] = { { 0 } };
      if (k->num_explicit_args > 16)
         continue;
      for (uint32_t a = 0; a < k->num_explicit_args; a++) {
         if (k->args[a].kind == HD_GCN_ARG_VALUE && k->args[a].size <= 64)
            args[a] = (hd_gcn_sim_arg){ .value = zeroes, .size = k->args[a].size };
         else
            args[a].buffer = (hd_wave_memory){ .data = memory, .size = sizeof(memory) };
      }
      const hd_gcn_sim_dispatch_info info = {
         .grid = { 65 },
         .args = args,
         .num_args = k->num_explicit_args,
         .options.max_steps = 300,
      };
      heard.count = 0;
      r = hd_gcn_sim_dispatch(o, k, &info, NULL);
      assert_true(r == HD_OK || heard.count == 1 || r == HD_BUDGET_EXCEEDED);
   }
   hd_gcn_object_destroy(o);
}

static void
cut_objects(void **state)
{
   (void)state;
   hd_gcn_binary *b = compile_kernel(HD_GCN_GFX900);
   unsigned counts[2] = { 0 };

   for (size_t size = 0; size < b->object_size; size++) {
      /* A copy of its own, so that reading past its end is seen. */
      uint8_t *copy = malloc(size + !size);
      memcpy(copy, b->object, size);
      try_object(copy, size, counts);
      free(copy);
   }
   assert_int_equal(counts[1], 0);
   hd_gcn_binary_destroy(b);
}

/* A few bytes are others: bits, small numbers, the largest. */
static void
smashed_objects(void **state)
{
   (void)state;
   const char *env = getenv("HEDDLE_SEED");
   uint64_t seed = env ? strtoull(env, NULL, 0) : 1;
   unsigned counts[2] = { 0 };

   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_binary *b = compile_kernel((hd_gcn_gen)gen);
      uint8_t *copy = malloc(b->object_size);
      for (unsigned n = 0; n < 4000; n++, seed++) {
         uint64_t random = seed;
         memcpy(copy, b->object, b->object_size);
         for (unsigned k = (unsigned)(next_random(&random) % 4) + 1; k--;) {
            uint8_t *p = &copy[next_random(&random) % b->object_size];
            switch (next_random(&random) % 4) {
            case 0:
               *p ^= (uint8_t)(1u << next_random(&random) % 8);
               break;
            case 1:
               *p = (uint8_t)(next_random(&random) % 8);
               break;
            case 2:
               *p = 0xff;
               break;
            default:
               *p = (uint8_t)next_random(&random);
               break;
            }
         }
         try_object(copy, b->object_size, counts);
      }
      free(copy);
      hd_gcn_binary_destroy(b);
   }
   printf("last seed %llu: %u refused, %u run\n", (unsigned long long)seed - 1, counts[0],
          counts[1]);
   assert_true(counts[0] > 500 && counts[1] > 500);
}

/* MessagePack */

/* What was written, as the reader must see it. */
static void
write_value(hd_blob *out, uint64_t *random, hd_msgpack_value *v, char *string)
{
   *v = (hd_msgpack_value){ .kind = HD_MSGPACK_UINT };
   v->number = next_random(random) >> next_random(random) % 64;
   switch (next_random(random) % 6) {
   case 0:
      hd_msgpack_uint(out, v->number);
      break;
   case 1:
      v->number = ~(v->number >> 1);
      v->kind = HD_MSGPACK_INT;
      hd_msgpack_int(out, (int64_t)v->number);
      break;
   case 2:
      v->kind = HD_MSGPACK_BOOL;
      v->number &= 1;
      hd_msgpack_bool(out, v->number);
      break;
   case 3:
      v->kind = HD_MSGPACK_ARRAY;
      v->number &= UINT32_MAX;
      hd_msgpack_array(out, (uint32_t)v->number);
      break;
   case 4:
      v->kind = HD_MSGPACK_MAP;
      v->number &= UINT32_MAX;
      hd_msgpack_map(out, (uint32_t)v->number);
      break;
   default:
      v->kind = HD_MSGPACK_STRING;
      v->size = (uint32_t)(v->number % 70000);
      v->number = 0;
      memset(string, 'x', v->size);
      string[v->size] = 0;
      hd_msgpack_string(out, string);
      break;
   }
}

static void
messages(void **state)
{
   (void)state;
   char *string = malloc(70001);
   uint64_t random = 5;

   for (unsigned n = 0; n < 2000; n++) {
      hd_blob out = { 0 };
      hd_msgpack_value written, read;
      write_value(&out, &random, &written, string);
      assert_int_equal(out.result, HD_OK);
      hd_msgpack_reader r = { (const uint8_t *)out.data, (const uint8_t *)out.data + out.size };
      assert_true(hd_msgpack_read(&r, &read));
      assert_ptr_equal(r.at, r.end);
      assert_int_equal(read.kind, written.kind);
      assert_true(read.number == written.number);
      assert_int_equal(read.size, written.size);
      if (read.kind == HD_MSGPACK_STRING)
         assert_true(hd_msgpack_is(&read, string));
      /* Cut anywhere it is no value. */
      for (size_t size = 0; size < out.size && size < 8; size++) {
         r = (hd_msgpack_reader){ (const uint8_t *)out.data, (const uint8_t *)out.data + size };
         assert_false(hd_msgpack_read(&r, &read));
      }
      hd_blob_finish(&out);
   }
   free(string);
}

/* The shortest form that there is, by the format's own limits. */
static void
shortest_messages(void **state)
{
   (void)state;
   static const struct {
      int64_t value;
      size_t size;
   } numbers[] = {
      { 0, 1 },
      { 127, 1 },
      { 128, 2 },
      { 255, 2 },
      { 256, 3 },
      { 65535, 3 },
      { 65536, 5 },
      { INT64_C(0xffffffff), 5 },
      { INT64_C(0x100000000), 9 },
      { INT64_MAX, 9 },
      { -1, 1 },
      { -32, 1 },
      { -33, 2 },
      { -128, 2 },
      { -129, 3 },
      { -32768, 3 },
      { -32769, 5 },
      { INT32_MIN, 5 },
      { INT64_C(-0x80000001), 9 },
      { INT64_MIN, 9 },
   };

   for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
      hd_blob out = { 0 };
      hd_msgpack_value v;
      hd_msgpack_int(&out, numbers[n].value);
      assert_int_equal(out.size, numbers[n].size);
      hd_msgpack_reader r = { (const uint8_t *)out.data, (const uint8_t *)out.data + out.size };
      assert_true(hd_msgpack_read(&r, &v));
      assert_true((int64_t)v.number == numbers[n].value);
      hd_blob_finish(&out);
   }
}

/* Values in values, a million deep: skipped without recursion; an array that says it has more than
 * there is, is none.
 */
static void
deep_messages(void **state)
{
   (void)state;
   const size_t depth = 1000000;
   uint8_t *bytes = malloc(depth + 1);

   memset(bytes, 0x91, depth);
   bytes[depth] = 0xc0;
   hd_msgpack_reader r = { bytes, bytes + depth + 1 };
   assert_true(hd_msgpack_skip(&r));
   assert_ptr_equal(r.at, r.end);
   r = (hd_msgpack_reader){ bytes, bytes + depth };
   assert_false(hd_msgpack_skip(&r));
   static const uint8_t huge[] = { 0xdf, 0xff, 0xff, 0xff, 0xff, 0x00 };
   r = (hd_msgpack_reader){ huge, huge + sizeof(huge) };
   assert_false(hd_msgpack_skip(&r));
   free(bytes);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_is_read),  cmocka_unit_test(lanes_that_start),
      cmocka_unit_test(steps_run_out),    cmocka_unit_test(no_memory),
      cmocka_unit_test(refused_launches), cmocka_unit_test(too_many_arguments),
      cmocka_unit_test(linked_kernels),   cmocka_unit_test(kernels_that_do_not_fit),
      cmocka_unit_test(only_descriptors), cmocka_unit_test(refused_descriptors),
      cmocka_unit_test(cut_objects),      cmocka_unit_test(smashed_objects),
      cmocka_unit_test(messages),         cmocka_unit_test(shortest_messages),
      cmocka_unit_test(deep_messages),    cmocka_unit_test(versions),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
