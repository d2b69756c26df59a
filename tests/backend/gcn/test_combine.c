/* SPDX-License-Identifier: MIT */
/* test_combine.c - reductions and scans by DPP give what the interpreter gives: each op with each
 * cluster, wherever lanes are missing, and nothing of the lanes that wait is lost.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "trial.h"

static const char *const ops[] = { "iadd", "imul", "imin", "imax", "umin", "umax",
                                   "iand", "ior",  "ixor", "fmin", "fmax" };
#define NUM_OPS (sizeof(ops) / sizeof(ops[0]))

/* What is done with a value: the name, and what comes after the op. */
static const char *const kinds[][2] = {
   { "reduce", "" },
   { "reduce", " cluster_size=2" },
   { "reduce", " cluster_size=4" },
   { "reduce", " cluster_size=8" },
   { "reduce", " cluster_size=16" },
   { "reduce", " cluster_size=32" },
   { "reduce", " cluster_size=64" },
   { "inclusive_scan", "" },
   { "exclusive_scan", "" },
};
#define NUM_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Where the code under test runs: the text before it and after it. */
static const struct place {
   const char *before, *after;
} places[] = {
   /* all lanes */
   { "", "" },
   /* some, with the others on their way to the else-list */
   { "if %few {;b1:;", "} else {;b2:;%w:32 = iadd %i, %one;"
                       "store_buffer %w, %zero, %row binding=1 offset=400;};b3:;" },
   /* any lanes, as chance has it */
   { "if %chance {;b1:;", "} else {;b2:;};b3:;" },
   /* fewer with each round */
   { "loop {;b1:;%n:32 = phi b0: %zero, b6: %next;%left:1 = ult %three, %n;"
     "if %left {;b2:;break;} else {;b3:;};b4:;",
     "} continue {;b6:;%more:32 = iand %r0, %three;%step:32 = iadd %more, %one;"
     "%next:32 = iadd %n, %step;};b7:;" },
};
#define NUM_PLACES (sizeof(places) / sizeof(places[0]))

static void
begin(text *t, unsigned lanes)
{
   hd_blob_init(t, NULL);
   say(t,
       "shader compute \"t\" {;workgroup %u 1 1;subgroup 64;function @main {;b0:;"
       "%%zero:32 = const 0;%%one:32 = const 1;%%three:32 = const 3;%%five:32 = const 5;"
       "%%nine:32 = const 9;%%i:32 = local_invocation_index;%%row:32 = ishl %%i, %%nine;"
       "%%some:32 = iand %%i, %%five;%%few:1 = ine %%some, %%one;"
       "%%bits:32 = load_buffer %%zero, %%row binding=0 offset=8 align_mul=8;"
       "%%bit:32 = iand %%bits, %%one;%%chance:1 = ieq %%bit, %%one;"
       "%%r0:32 = ushr %%bits, %%three;",
       lanes);
}

static const char *
end(text *t)
{
   say(t, "};};");
   return said(t);
}

static void
load(text *t, unsigned bits)
{
   if (bits == 1)
      say(t, "%%l:32 = load_buffer %%zero, %%row binding=0 align_mul=8;%%l1:32 = iand %%l, %%one;"
             "%%v:1 = ieq %%l1, %%one;");
   else
      say(t, "%%v:%u = load_buffer %%zero, %%row binding=0 align_mul=8;", bits);
}

static void
combine_all(text *t, const char *op, unsigned bits)
{
   for (unsigned k = 0; k < NUM_KINDS; k++) {
      say(t, "%%x%u:%u = %s %%v reduce_op=%s%s;", k, bits, kinds[k][0], op, kinds[k][1]);
      if (bits == 1)
         say(t, "%%y%u:32 = b2i %%x%u;", k, k);
      say(t, "store_buffer %%%c%u, %%zero, %%row binding=1 offset=%u align_mul=8;",
          bits == 1 ? 'y' : 'x', k, 8 * k + 64);
   }
}

static void
run_everywhere(const char *shader, unsigned kinds_of_launch, uint64_t seed)
{
   const trial_options options = { .seed = seed, .num_launches = kinds_of_launch };

   must_do_the_same(shader, HD_GCN_GFX803, &options);
   must_do_the_same(shader, HD_GCN_GFX900, &options);
}

static void
test_ops(void **state)
{
   (void)state;
   for (unsigned n = 0; n < NUM_OPS; n++) {
      for (unsigned where = 0; where < NUM_PLACES; where++) {
         text t;
         begin(&t, n % 3 ? 64 : 100);
         load(&t, 32);
         say(&t, "%s", places[where].before);
         combine_all(&t, ops[n], 32);
         say(&t, "%s", places[where].after);
         run_everywhere(end(&t), 4, n + 1);
         hd_blob_finish(&t);
      }
   }
}

static void
test_small(void **state)
{
   static const unsigned sizes[] = { 1, 8, 16 };

   (void)state;
   for (unsigned b = 0; b < 3; b++) {
      for (unsigned n = 0; n < NUM_OPS - 2; n++) {
         const bool logic = n >= 6;
         text t;
         if (sizes[b] == 1 && !logic)
            continue;
         begin(&t, 64);
         load(&t, sizes[b]);
         say(&t, "%s", places[n % NUM_PLACES].before);
         combine_all(&t, ops[n], sizes[b]);
         say(&t, "%s", places[n % NUM_PLACES].after);
         run_everywhere(end(&t), 4, n + 1);
         hd_blob_finish(&t);
      }
   }
}

/* Two dwords: some of each op are made of several of one. */
static void
test_wide(void **state)
{
   (void)state;
   for (unsigned n = 0; n < NUM_OPS - 2; n++) {
      for (unsigned where = 0; where < NUM_PLACES; where++) {
         text t;
         begin(&t, n % 3 ? 64 : 100);
         say(&t, "%%v:64 = load_buffer %%zero, %%row binding=0 align_mul=8;%s",
             places[where].before);
         combine_all(&t, ops[n], 64);
         say(&t, "%s", places[where].after);
         run_everywhere(end(&t), 4, n + 1);
         hd_blob_finish(&t);
      }
   }
}

/* Masks of lanes by chance, in a part of the wave and in all of it. */
static void
test_masks(void **state)
{
   (void)state;
   for (unsigned seed = 0; seed < 24; seed++) {
      text t;
      begin(&t, 64);
      load(&t, 32);
      say(&t, "%s", places[2].before);
      combine_all(&t, ops[seed % NUM_OPS], 32);
      say(&t, "%s", places[2].after);
      run_everywhere(end(&t), 1, 100 + seed);
      hd_blob_finish(&t);
   }
}

/* Each lane that waits keeps a value in all vector registers that there are; what swaps lanes stays
 * before the branch.
 */
static void
test_registers(void **state)
{
   (void)state;
   for (unsigned n = 0; n < NUM_OPS; n++) {
      const trial_options options = { .compile = { .max_vgprs = n % 2 ? 24 : 0 }, .seed = n + 1 };
      text t;
      begin(&t, 64);
      load(&t, 32);
      for (unsigned k = 0; k < 20; k++)
         say(&t,
             "%%m%u:32 = load_buffer %%zero, %%row binding=0 offset=%u align_mul=8;"
             "%%k%u:32 = quad_swap_horizontal %%m%u;",
             k, 16 + 8 * k, k, k);
      say(&t, "%s", places[2].before);
      combine_all(&t, ops[n], 32);
      say(&t, "} else {;b2:;");
      for (unsigned k = 0; k < 20; k++)
         say(&t,
             "%%z%u:32 = ixor %%k%u, %%i;store_buffer %%z%u, %%zero, %%row binding=1 offset=%u;", k,
             k, k, 256 + 4 * k);
      say(&t, "};b3:;");
      const char *shader = end(&t);
      must_do_the_same(shader, HD_GCN_GFX803, &options);
      must_do_the_same(shader, HD_GCN_GFX900, &options);
      hd_blob_finish(&t);
   }
}

/* What nobody need ask other lanes for. */
static void
test_uniform(void **state)
{
   (void)state;
   for (unsigned n = 0; n < NUM_OPS; n++) {
      text t;
      begin(&t, 64);
      say(&t, "%%v:32 = load_buffer %%zero, %%zero binding=0 align_mul=8;%s",
          places[1 + n % 2].before);
      combine_all(&t, ops[n], 32);
      say(&t, "%s", places[1 + n % 2].after);
      must_do_the_same_everywhere(end(&t), &(trial_options){ .seed = n + 1 });
      hd_blob_finish(&t);
   }
}

static int
count(const char *what, const char *value, hd_gcn_gen gen, const char *name)
{
   text t;

   begin(&t, 64);
   say(&t,
       "%%v:32 = load_buffer %%zero, %%row binding=0 align_mul=8;"
       "%%u:32 = load_buffer %%zero, %%zero binding=0;%%c:32 = b2i %%few;%%lanes:32x4 = ballot "
       "%%few;"
       "%%wide:64 = load_buffer %%zero, %%row binding=0 align_mul=8;"
       "%%x:%s = %s;store_buffer %%x, %%zero, %%row binding=1;",
       value, what);
   const int found = count_of(end(&t), gen, name);
   hd_blob_finish(&t);
   return found;
}

static void
test_shapes(void **state)
{
   (void)state;
   /* A wave that may begin with few lanes has all of them for the while. */
   assert_int_equal(count("reduce %v reduce_op=umin", "32", HD_GCN_GFX900, "v_min_u32*"), 6);
   assert_int_equal(count("reduce %v reduce_op=umin", "32", HD_GCN_GFX803, "v_min_u32*"), 6);
   assert_int_equal(count("reduce %v reduce_op=umin", "32", HD_GCN_GFX900, "s_or_saveexec*"), 1);
   assert_int_equal(count("reduce %v reduce_op=umin", "32", HD_GCN_GFX900, "v_readlane*"), 1);
   assert_int_equal(
       count("reduce %v reduce_op=umin cluster_size=4", "32", HD_GCN_GFX900, "v_min_u32*"), 2);
   assert_int_equal(count("inclusive_scan %v reduce_op=ior", "32", HD_GCN_GFX900, "v_or_b32*"), 6);
   /* Three parts of a sum, two halves of all else. */
   assert_int_equal(count("reduce %wide reduce_op=iadd", "64", HD_GCN_GFX900, "v_readlane*"), 3);
   assert_int_equal(count("reduce %wide reduce_op=ixor", "64", HD_GCN_GFX900, "v_readlane*"), 2);
   assert_int_equal(count("reduce %wide reduce_op=umin", "64", HD_GCN_GFX900, "v_readlane*"), 2);
   assert_int_equal(count("inclusive_scan %wide reduce_op=iadd", "64", HD_GCN_GFX900, "ds_*"), 0);
   /* There is no DPP, the order matters, each lane asks for others. */
   assert_int_equal(count("reduce %v reduce_op=umin", "32", HD_GCN_GFX600, "s_or_saveexec*"), 0);
   assert_int_equal(count("reduce %v reduce_op=fadd", "32", HD_GCN_GFX900, "s_or_saveexec*"), 0);
   assert_int_equal(
       count("inclusive_scan %wide reduce_op=umin", "64", HD_GCN_GFX900, "s_or_saveexec*"), 0);
   /* Counted or known, not combined. */
   assert_int_equal(count("reduce %u reduce_op=iadd", "32", HD_GCN_GFX900, "s_or_saveexec*"), 0);
   assert_int_equal(count("reduce %u reduce_op=iadd", "32", HD_GCN_GFX900, "s_bcnt1*"), 1);
   assert_int_equal(count("reduce %c reduce_op=iadd", "32", HD_GCN_GFX900, "s_bcnt1*"), 1);
   assert_int_equal(count("inclusive_scan %c reduce_op=iadd", "32", HD_GCN_GFX900, "v_mbcnt*"), 0);
   assert_int_equal(
       count("ballot_bit_count_inclusive %lanes", "32", HD_GCN_GFX900, "v_addc_co_u32*"), 1);
   assert_int_equal(count("ballot_bit_count_inclusive %lanes", "32", HD_GCN_GFX900, "v_mbcnt*"), 2);
   assert_int_equal(count("reduce %u reduce_op=umax", "32", HD_GCN_GFX900, "s_bcnt1*"), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ops),     cmocka_unit_test(test_small),
      cmocka_unit_test(test_masks),   cmocka_unit_test(test_registers),
      cmocka_unit_test(test_uniform), cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_wide),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
