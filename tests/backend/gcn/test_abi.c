/* SPDX-License-Identifier: MIT */
/* test_abi.c - what a wave is given at the start: ids, sizes, arguments, push constants; what is
 * asked for and not supported is refused by name; the words that a dispatch tells the chip.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/abi/abi.h"
#include "heddle/text.h"
#include "trial.h"

static const struct asked {
   const char *name;
   unsigned components;
} ids[] = {
   { "local_invocation_id", 3 },  { "local_invocation_index", 1 },
   { "global_invocation_id", 3 }, { "global_invocation_index", 1 },
   { "workgroup_id", 3 },         { "workgroup_index", 1 },
   { "num_workgroups", 3 },       { "workgroup_size", 3 },
   { "num_subgroups", 1 },        { "subgroup_id", 1 },
   { "subgroup_size", 1 },        { "subgroup_invocation", 1 },
   { "global_offset", 3 },        { "work_dim", 1 },
};
#define NUM_IDS (sizeof(ids) / sizeof(ids[0]))

/* Each lane writes what it was told. `only`: of a vector this component alone. */
static void
ask(text *t, const char *stage, const char *workgroup, unsigned from, unsigned to, int only)
{
   hd_blob_init(t, NULL);
   say(t,
       "shader %s \"t\" {\n %s\n subgroup 64\n function @main {\n  b0:\n   %%zero:32 = const 0\n"
       "   %%six:32 = const 6\n   %%me:32 = global_invocation_index\n"
       "   %%row:32 = ishl %%me, %%six\n",
       stage, workgroup);
   for (unsigned n = from, at = 0; n < to; n++) {
      say(t, "   %%v%u:32x%u = %s\n", n, ids[n].components, ids[n].name);
      if (only >= 0 && ids[n].components > 1) {
         say(t, "   %%k%u:32 = const %d\n   %%c%u:32 = channel %%v%u, %%k%u\n", n, only, n, n, n);
         say(t, "   store_buffer %%c%u, %%zero, %%row binding=1 offset=%u align_mul=4\n", n, at);
      } else {
         say(t, "   store_buffer %%v%u, %%zero, %%row binding=1 offset=%u align_mul=4\n", n, at);
      }
      at += 4 * ids[n].components;
   }
   say(t, " }\n}\n");
}

/* Sizes that the shader says, in one dimension and three, partly and not at all; each launch kind
 * has several workgroups, some of them partial.
 */
static void
test_ids(void **state)
{
   static const char *const sizes[] = { "workgroup 64 1 1", "workgroup 8 4 2",  "workgroup 100 1 1",
                                        "workgroup 1 64 2", "workgroup 16 0 1", "",
                                        "workgroup 3 5 0" };

   (void)state;
   for (unsigned n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
      for (unsigned from = 0; from < NUM_IDS; from += 7) {
         const trial_options options = { .num_launches = 2, .first_launch = n % 3, .seed = n + 1 };
         text t;
         ask(&t, "kernel", sizes[n], from, from + 7, (int)(n % 4) - 1);
         must_do_the_same(said(&t), (hd_gcn_gen)(n % HD_GCN_NUM_GENS), &options);
         hd_blob_finish(&t);
      }
   }
}

/* A shader that wants nothing but to be started. */
#define PLAIN "shader compute \"t\" {; workgroup 64 1 1; subgroup 64; function @main {; b0:; }; }"

static hd_gcn_driver_abi
no_driver(void)
{
   hd_gcn_driver_abi abi;

   memset(&abi, HD_GCN_NO_SGPR, sizeof(abi));
   abi.num_user_sgprs = 0;
   abi.push_inline_count = 0;
   abi.push_inline_first = 0;
   abi.bindings = NULL;
   abi.num_bindings = 0;
   return abi;
}

/* What the driver does not give is refused, and the message says what it was. */
static void
test_not_given(void **state)
{
   static const struct {
      const char *code, *words;
   } cases[] = {
      { "%1:32x3 = num_workgroups", "num_workgroups" },
      { "%1:32x3 = workgroup_size", "workgroup_size" },
      { "%1:32 = workgroup_index", "workgroup_index" },
      { "%1:32x3 = global_offset", "global_offset" },
      { "%1:32 = work_dim", "work_dim" },
      { "%1:32 = load_push %0 align_mul=4", "push constants|load_push" },
      { "%1:32 = load_kernarg %0 align_mul=4", "arguments|load_kernarg" },
      { "%1:32 = load_scratch %0 align_mul=4", "scratch|load_scratch" },
      { "%1:32 = load_buffer %0, %0 set=1 binding=7 align_mul=4", "set 1, binding 7|load_buffer" },
      { "%1:32 = buffer_size %0 set=9 binding=0", "set 9|buffer_size" },
   };
   const hd_gcn_driver_abi abi = no_driver();

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      text t;
      hd_blob_init(&t, NULL);
      say(&t,
          "shader kernel \"t\" {\n subgroup 64\n push 16\n kernarg 16\n scratch 16\n"
          " function @main {\n  b0:\n   %%0:32 = const 0\n   %s\n   %%a:64 = const 65536\n"
          "   store_global %%1, %%a align_mul=4\n }\n}\n",
          cases[n].code);
      const char *shader = said(&t);
      for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++)
         must_be_refused(shader, (hd_gcn_gen)gen, &abi, cases[n].words);
      hd_blob_finish(&t);
   }
}

static void
test_too_much(void **state)
{
   hd_gcn_driver_abi abi = no_driver();

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      const hd_gcn_gen g = (hd_gcn_gen)gen;
      must_be_refused("shader compute \"t\" {; workgroup 1025 1 1; function @main {; b0:; }; }", g,
                      NULL, "1024|1025");
      must_be_refused(
          "shader compute \"t\" {; workgroup 65536 65536 1; function @main {; b0:; }; }", g, NULL,
          "1024");
      must_be_refused(
          "shader compute \"t\" {; workgroup 64 1 1; shared 65540; function @main {; b0:; }; }", g,
          NULL, "65540|shared memory");
      must_be_refused(
          "shader compute \"t\" {; workgroup 64 1 1; subgroup 32; function @main {; b0:; }; }", g,
          NULL, "64 lanes|32");
      abi.num_user_sgprs = 17;
      must_be_refused(PLAIN, g, &abi, "17 user SGPRs|16");
      abi.num_user_sgprs = 4;
      abi.push_pointer = 3;
      must_be_refused(PLAIN, g, &abi, "user SGPRs 3 to 4");
      abi.push_pointer = HD_GCN_NO_SGPR;
   }
   must_be_refused(
       "shader compute \"t\" {; workgroup 64 1 1; shared 32772; function @main {; b0:; }; }",
       HD_GCN_GFX600, NULL, "32768|32772");
}

/* Push constants in registers, from a pointer at an odd register. */
static void
test_registers_of_the_driver(void **state)
{
   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_driver_abi abi = no_driver();
      const char *code = "shader compute \"t\" {\n workgroup 64 1 1\n subgroup 64\n push 32\n"
                         " function @main {\n  b0:\n   %0:32 = const 0\n"
                         "   %1:32x3 = load_push %0 offset=4 align_mul=4\n   %2:64 = const 65536\n"
                         "   store_global %1, %2 align_mul=4\n }\n}\n";
      abi.num_user_sgprs = 9;
      abi.push_inline = 2;
      abi.push_inline_count = 4;
      assert_int_equal(count_with(code, (hd_gcn_gen)gen, &abi, "s_load*"), 0);
      /* One more than there are. */
      abi.push_inline_count = 3;
      must_be_refused(code, (hd_gcn_gen)gen, &abi, "push constants");
      /* The second dword is the first of them. */
      abi.push_inline_first = 1;
      assert_int_equal(count_with(code, (hd_gcn_gen)gen, &abi, "s_load*"), 0);
      abi.push_inline_first = 2;
      must_be_refused(code, (hd_gcn_gen)gen, &abi, "push constants");
      abi.push_inline_first = 0;
      abi.push_pointer = 7;
      assert_true(count_with(code, (hd_gcn_gen)gen, &abi, "s_load*") > 0);
   }
}

/* Without a register for the view there is one: what is read at its number is read at a constant. */
static void
test_one_view(void **state)
{
   const char *code = "shader vertex \"t\" {\n function @main {\n  b0:\n   %0:32 = const 0\n"
                      "   %1:32 = view_index\n   %2:32 = const 4\n   %3:32 = ishl %1, %2\n"
                      "   %4:32x4 = load_buffer %0, %3 set=0 binding=0 align_mul=16\n"
                      "   store_position %4\n }\n}\n";
   const hd_gcn_binding binding = { .stride = 16 };

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_driver_abi abi = no_driver();
      abi.num_attributes = 0;
      abi.num_user_sgprs = 3;
      abi.set_pointer[0] = 0;
      abi.bindings = &binding;
      abi.num_bindings = 1;
      assert_int_equal(count_with(code, (hd_gcn_gen)gen, &abi, "s_lshl*"), 0);
      abi.view_index = 2;
      assert_int_equal(count_with(code, (hd_gcn_gen)gen, &abi, "s_lshl*"), 1);
   }
}

/* What the manuals say of waves that fit on a SIMD: 256 VGPRs in portions of 4, 512 or 800 SGPRs in
 * portions of 8 or 16, 64 KiB of LDS for the four SIMDs.
 */
static void
test_occupancy(void **state)
{
   static const struct {
      hd_gcn_gen gen;
      unsigned sgprs, vgprs;
      uint32_t lds, lanes;
      unsigned waves;
   } cases[] = {
      { HD_GCN_GFX900, 16, 24, 0, 64, 10 },    { HD_GCN_GFX900, 16, 25, 0, 64, 9 },
      { HD_GCN_GFX900, 16, 128, 0, 64, 2 },    { HD_GCN_GFX900, 16, 129, 0, 64, 1 },
      { HD_GCN_GFX900, 80, 8, 0, 64, 10 },     { HD_GCN_GFX900, 81, 8, 0, 64, 8 },
      { HD_GCN_GFX900, 102, 8, 0, 64, 7 },     { HD_GCN_GFX600, 48, 8, 0, 64, 10 },
      { HD_GCN_GFX600, 49, 8, 0, 64, 9 },      { HD_GCN_GFX600, 104, 8, 0, 64, 4 },
      { HD_GCN_GFX803, 16, 64, 0, 64, 4 },     { HD_GCN_GFX900, 16, 8, 65536, 256, 1 },
      { HD_GCN_GFX900, 16, 8, 32768, 256, 2 }, { HD_GCN_GFX900, 16, 8, 32768, 1024, 8 },
      { HD_GCN_GFX900, 16, 8, 1, 64, 10 },     { HD_GCN_GFX900, 16, 8, 4096, 64, 4 },
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
      assert_int_equal(hd_gcn_occupancy(hd_gcn_target_of(cases[n].gen), cases[n].sgprs,
                                        cases[n].vgprs, cases[n].lds, cases[n].lanes),
                       cases[n].waves);
}

/* The words of a kernel and of a driver's shader: fields by their place in the manuals. */
static void
check_words(const char *shader, hd_gcn_gen gen, const hd_gcn_driver_abi *driver, uint32_t rsrc1,
            uint32_t mask1, uint32_t rsrc2)
{
   hd_gcn_binary *binary = must_compile(shader, gen, driver);

   if ((binary->pgm_rsrc1 & mask1) != rsrc1 || binary->pgm_rsrc2 != rsrc2) {
      fprintf(stderr, "%s\n%s: rsrc1 0x%x, rsrc2 0x%x\n", shader, hd_gcn_gen_name(gen),
              binary->pgm_rsrc1, binary->pgm_rsrc2);
      fail();
   }
   hd_gcn_binary_destroy(binary);
}

static void
test_words(void **state)
{
   const uint32_t modes = 0xff000 | 1u << 21 | 1u << 23; /* rounding, denormals, clamp, IEEE */
   hd_gcn_driver_abi abi = no_driver();

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      const hd_gcn_gen g = (hd_gcn_gen)gen;
      /* A kernel has the id of its workgroup, and no user SGPR that it does not want. */
      check_words(PLAIN, g, NULL, 0xf0000 | 1u << 21, modes, 1u << 7);
      check_words("shader compute \"t\" {; workgroup 64 1 1; floats flush32 rtz16 rtz64; "
                  "function @main {; b0:; }; }",
                  g, NULL, 0xcc000 | 1u << 21, modes, 1u << 7);
      check_words("shader kernel \"t\" {; workgroup 8 8 1; function @main(%0:64) {; b0:; "
                  "%1:32x3 = local_invocation_id; store_global %1, %0 align_mul=4; }; }",
                  g, NULL, 0, 0, 2u << 1 | 1u << 7 | 1u << 11);
      /* Scratch: its resource before the arguments, and the offset of the wave. */
      check_words(
          "shader kernel \"t\" {; workgroup 64 1 1; scratch 16; function @main(%0:64) {; b0:; "
          "%1:32 = const 0; %2:32 = load_scratch %1 align_mul=4; "
          "store_global %2, %0 align_mul=4; }; }",
          g, NULL, 0, 0, 1u | 6u << 1 | 1u << 7);
      /* A driver gets what is used, LDS in portions of the chip. */
      abi.num_user_sgprs = 5;
      check_words(
          "shader compute \"t\" {; workgroup 4 4 4; shared 516; function @main {; b0:; "
          "%0:32x3 = workgroup_id; %1:32 = const 2; %2:32 = channel %0, %1; "
          "%3:32 = local_invocation_index; store_shared %2, %3 align_mul=4 access=volatile; }; }",
          g, &abi, 0, 0, 5u << 1 | 1u << 9 | 2u << 11 | (gen == HD_GCN_GFX600 ? 3u : 2u) << 15);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ids),       cmocka_unit_test(test_not_given),
      cmocka_unit_test(test_too_much),  cmocka_unit_test(test_registers_of_the_driver),
      cmocka_unit_test(test_occupancy), cmocka_unit_test(test_words),
      cmocka_unit_test(test_one_view),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
