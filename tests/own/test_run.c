/* SPDX-License-Identifier: MIT */
/* test_run.c - own intrinsics in the interpreter: what a callback can ask and do, what is checked for
 * it, and what ends the run.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "heddle/heddle.h"
#include "heddle/wave.h"

#include "support/heard.h"
#include "table.h"

#define LANES 64u

static hd_own_intrinsic rows[NUM_OWN];
static int user_word;
static const hd_intrinsic_table table = { .rows = rows, .num_rows = NUM_OWN, .user = &user_word };

static void
begin(void)
{
   memcpy(rows, own_rows, sizeof(rows));
   user_word = 0;
}

/* Parse and run with 64 lanes; results are in `out`, a dword a lane at 0x1000. */
static hd_result
run_text(const char *body, uint32_t out[LANES], struct heard *heard)
{
   const hd_config config = { .diag = { heard, hear }, .intrinsics = &table };
   char text[2000];
   hd_shader *shader = NULL;
   uint8_t undefined[LANES * 4] = { 0 };

   *heard = (struct heard){ 0 };
   memset(out, 0, LANES * 4);
   snprintf(text, sizeof(text),
            "shader compute \"x\" {\n workgroup 64 1 1\n shared 256\n function @main {\n  b0:\n"
            "   %%lane:32 = subgroup_invocation\n   %%four:32 = const 4\n"
            "   %%at:32 = imul %%lane, %%four\n   %%wide:64 = u2u %%at\n   %%base:64 = const 4096\n"
            "   %%to:64 = iadd %%base, %%wide\n%s\n }\n}\n",
            body);
   assert_int_equal(hd_parse(&config, "text", text, strlen(text), &shader), HD_OK);
   const hd_wave_region region = { 0x1000, { out, undefined, LANES * 4 } };
   const hd_wave_launch launch = { .lanes = LANES, .regions = &region, .num_regions = 1 };
   const hd_result result = hd_wave_run(shader, &launch, NULL);
   hd_shader_destroy(shader);
   for (unsigned n = 0; n < LANES; n++) {
      if (undefined[4 * n])
         out[n] = 0xdeadbeef;
   }
   return result;
}

static bool
runs(const hd_own_call *call, unsigned lane)
{
   return hd_own_call_lanes(call).word[lane / 64] >> lane % 64 & 1;
}

static void
square(void *user, hd_own_call *call)
{
   (*(int *)user)++;
   for (unsigned l = 0; l < hd_own_call_width(call); l++) {
      const uint64_t x = hd_own_call_src(call, 0, 0, l, NULL);
      hd_own_call_set(call, 0, l, x * x | UINT64_C(1) << 40); /* the upper bits go */
      hd_own_call_set(call, 1, l, 1);                         /* there is no such component */
      hd_own_call_set(call, 0, 200, 1);
   }
}

static void
test_pure(void **state)
{
   (void)state;
   struct heard heard;
   uint32_t out[LANES];

   begin();
   rows[OWN_PURE - HD_INTRINSIC_OWN].run = square;
   assert_int_equal(
       run_text("   %x:32 = own_pure %lane\n   store_global %x, %to align_mul=4", out, &heard),
       HD_OK);
   assert_int_equal(user_word, 1);
   for (unsigned n = 0; n < LANES; n++)
      assert_int_equal(out[n], n * n);
   /* Only lanes that run it get a result; an undefined operand makes it undefined. */
   assert_int_equal(
       run_text("   %u:32 = undef\n   %k:32 = const 3\n   %c:1 = ult %lane, %k\n"
                "   if %c {\n    b1:\n     %x:32 = own_pure %at\n"
                "     store_global %x, %to align_mul=4\n   } else {\n    b2:\n"
                "     %y:32 = own_pure %u\n     store_global %y, %to align_mul=4\n   }\n  b3:",
                out, &heard),
       HD_OK);
   assert_int_equal(user_word, 3);
   for (unsigned n = 0; n < LANES; n++)
      assert_int_equal(out[n], n < 3 ? 16 * n * n : 0xdeadbeef);
}

/* The sum of all lanes that run it. */
static void
sum(void *user, hd_own_call *call)
{
   uint64_t total = 0;

   (void)user;
   for (unsigned l = 0; l < hd_own_call_width(call); l++)
      total += runs(call, l) ? hd_own_call_src(call, 0, 0, l, NULL) : 0;
   for (unsigned l = 0; l < hd_own_call_width(call); l++)
      hd_own_call_set(call, 0, l, total);
}

static void
test_cross_lane(void **state)
{
   (void)state;
   struct heard heard;
   uint32_t out[LANES];

   begin();
   rows[OWN_CROSS - HD_INTRINSIC_OWN].run = sum;
   assert_int_equal(
       run_text("   %k:32 = const 3\n   %c:1 = ult %lane, %k\n   if %c {\n    b1:\n"
                "     %x:32 = own_cross %lane\n"
                "     store_global %x, %to align_mul=4\n   } else {\n    b2:\n   }\n  b3:",
                out, &heard),
       HD_OK);
   for (unsigned n = 0; n < LANES; n++)
      assert_int_equal(out[n], n < 3 ? 3 : 0);
}

static void
load(void *user, hd_own_call *call)
{
   (void)user;
   for (unsigned l = 0; l < hd_own_call_width(call); l++) {
      uint8_t b[4];
      if (runs(call, l) && hd_own_call_load(call, l, HD_MEMORY_SHARED,
                                            hd_own_call_src(call, 0, 0, l, NULL) +
                                                hd_own_call_index(call, HD_INDEX_OFFSET),
                                            b, 4, NULL))
         hd_own_call_set(call, 0, l, b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24);
   }
}

static void
store(void *user, hd_own_call *call)
{
   (void)user;
   for (unsigned l = 0; l < hd_own_call_width(call); l++) {
      const uint64_t x = hd_own_call_src(call, 0, 0, l, NULL);
      const uint8_t b[4] = { (uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16),
                             (uint8_t)(x >> 24) };
      hd_own_call_store(call, l, HD_MEMORY_SHARED, hd_own_call_src(call, 1, 0, l, NULL), b, 4);
   }
}

static void
test_memory(void **state)
{
   (void)state;
   struct heard heard;
   uint32_t out[LANES];

   begin();
   rows[OWN_READ - HD_INTRINSIC_OWN].run = load;
   rows[OWN_WRITE - HD_INTRINSIC_OWN].run = store;
   assert_int_equal(
       run_text("   own_write %at, %at\n   %k:32 = const 60\n   %z:32 = const 0\n"
                "   %c:1 = ult %lane, %k\n   if %c {\n    b1:\n"
                "     %x:32 = own_read %at offset=16\n"
                "     store_global %x, %to align_mul=4\n   } else {\n    b2:\n   }\n  b3:",
                out, &heard),
       HD_OK);
   for (unsigned n = 0; n < LANES; n++)
      assert_int_equal(out[n], n < 60 ? 4 * n + 16 : 0);
   /* What is stored of undefined operands is undefined. */
   assert_int_equal(
       run_text("   %u:32 = undef\n   own_write %u, %at\n   %x:32 = load_shared %at align_mul=4\n"
                "   store_global %x, %to align_mul=4",
                out, &heard),
       HD_OK);
   assert_int_equal(out[5], 0xdeadbeef);
   assert_int_equal(run_text("   %x:32 = own_read %at offset=16", out, &heard), HD_FAULT);
   assert_non_null(
       strstr(heard.all, "own_read: it accesses an address at which there is no memory"));
   assert_non_null(strstr(heard.all, "lane 60"));
}

static void
wrong_class(void *user, hd_own_call *call)
{
   uint8_t bytes[4];

   (void)user;
   assert_false(hd_own_call_load(call, 0, HD_MEMORY_GLOBAL, 0x1000, bytes, 4, NULL));
}

static void
complains(void *user, hd_own_call *call)
{
   (void)user;
   hd_own_call_fault(call, 7, "the first message");
   hd_own_call_fault(call, 8, "the second");
}

static void
test_faults(void **state)
{
   (void)state;
   struct heard heard;
   uint32_t out[LANES];

   begin();
   assert_int_equal(run_text("   %x:32 = own_pure %lane", out, &heard), HD_UNSUPPORTED);
   assert_non_null(strstr(heard.all, "own_pure has no callback that runs it"));
   rows[OWN_READ - HD_INTRINSIC_OWN].run = wrong_class;
   assert_int_equal(run_text("   %x:32 = own_read %at", out, &heard), HD_FAULT);
   assert_non_null(strstr(heard.all, "it accesses memory of a class that its row does not list"));
   assert_int_equal(run_text("   %u:32 = undef\n   %x:32 = own_read %u", out, &heard), HD_FAULT);
   assert_non_null(strstr(heard.all, "operand 0 is undefined"));
   rows[OWN_PURE - HD_INTRINSIC_OWN].run = complains;
   assert_int_equal(run_text("   %x:32 = own_pure %lane", out, &heard), HD_FAULT);
   assert_non_null(strstr(heard.all, "lane 7"));
   assert_non_null(strstr(heard.all, "own_pure: the first message"));
   assert_null(strstr(heard.all, "second"));
   rows[OWN_UNIFORM - HD_INTRINSIC_OWN].run = square;
   assert_int_equal(run_text("   %x:32 = own_uniform.uniform %lane, %lane", out, &heard), HD_FAULT);
   assert_non_null(strstr(heard.all, "it must be uniform"));
}

/* A number that is registered nowhere is refused before anything runs. */
static void
test_unregistered(void **state)
{
   (void)state;
   static const char text[] =
       "shader compute \"x\" {\n workgroup 64 1 1\n function @main {\n  b0:\n"
       "   %x:32 = subgroup_invocation\n   %y:32 = own_pure %x\n }\n}\n";
   static const uint16_t numbers[] = { HD_NUM_INTRINSICS, HD_INTRINSIC_OWN + NUM_OWN, 0xffff };

   begin();
   rows[OWN_PURE - HD_INTRINSIC_OWN].run = square;
   for (unsigned n = 0; n < 3; n++) {
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear }, .intrinsics = &table };
      const hd_wave_launch launch = { .lanes = LANES };
      hd_shader *shader = NULL;
      assert_int_equal(hd_parse(&config, NULL, text, strlen(text), &shader), HD_OK);
      hd_function_start(shader->first_function)->last->op = numbers[n];
      assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_UNSUPPORTED);
      assert_non_null(strstr(heard.all, "unsupported intrinsic ?"));
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pure),         cmocka_unit_test(test_cross_lane),
      cmocka_unit_test(test_memory),       cmocka_unit_test(test_faults),
      cmocka_unit_test(test_unregistered),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
