/* SPDX-License-Identifier: MIT */
/* test_lanes.c - what lanes learn of each other, compiled and run, is what the interpreter says:
 * each intrinsic with each size, in full waves, in a part of a wave and in loops.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "trial.h"

/* Where the code under test runs. */
typedef enum place { ALL_LANES, SOME_LANES, ONE_LANE, NUM_PLACES } place;

static const unsigned sizes[] = { 1, 8, 16, 32, 64 };
#define NUM_SIZES (sizeof(sizes) / sizeof(sizes[0]))

static void
begin(text *t, place where)
{
   hd_blob_init(t, NULL);
   say(t, "shader compute \"t\" {\n workgroup 64 1 1\n subgroup 64\n push 16\n function @main {\n"
          "  b0:\n   %%zero:32 = const 0\n   %%one:32 = const 1\n   %%three:32 = const 3\n"
          "   %%five:32 = const 5\n   %%seven:32 = const 7\n   %%prime:32 = const 16777619\n"
          "   %%full:32 = const 63\n   %%i:32 = subgroup_invocation\n   %%nine:32 = const 9\n"
          "   %%row:32 = ishl %%i, %%nine\n   %%pushed:32 = load_push %%zero align_mul=4\n"
          "   %%low:32 = iand %%pushed, %%seven\n   %%some:32 = iand %%i, %%five\n"
          "   %%few:1 = ine %%some, %%one\n   %%last:1 = ieq %%i, %%full\n");
   if (where != ALL_LANES)
      say(t, "   if %s {\n    b1:\n", where == SOME_LANES ? "%few" : "%last");
}

static const char *
end(text *t, place where)
{
   if (where != ALL_LANES)
      say(t, "   } else {\n    b2:\n   }\n   b3:\n");
   say(t, " }\n}\n");
   return said(t);
}

/* %vN, n components of some size, from memory: differs between lanes. */
static void
make_value(text *t, unsigned n, unsigned bits, unsigned components)
{
   if (bits > 1) {
      say(t, "   %%v%u:%ux%u = load_buffer %%zero, %%row binding=0 offset=%u align_mul=8\n", n,
          bits, components, 8 * n % 128);
      return;
   }
   say(t, "   %%w%u:32x%u = load_buffer %%zero, %%row binding=0 offset=%u align_mul=8\n", n,
       components, 8 * n % 128);
   say(t, "   %%m%u:32x%u = vec %%three", n, components);
   for (unsigned c = 1; c < components; c++)
      say(t, ", %%seven");
   say(t,
       "\n   %%a%u:32x%u = iand %%w%u, %%m%u\n   %%z%u:32x%u = isub %%a%u, %%a%u\n"
       "   %%v%u:1x%u = ine %%a%u, %%z%u\n",
       n, components, n, n, n, components, n, n, n, components, n, n);
}

/* A result goes to the record of the lane. */
static void
keep_value(text *t, const char *name, unsigned n, unsigned bits, unsigned components, unsigned at)
{
   if (bits > 1) {
      say(t, "   store_buffer %s, %%zero, %%row binding=1 offset=%u align_mul=8\n", name, at);
      return;
   }
   say(t,
       "   %%b%u:32x%u = b2i %s\n   store_buffer %%b%u, %%zero, %%row binding=1 offset=%u "
       "align_mul=8\n",
       n, components, name, n, at);
}

/* Operations that give a value of another lane: `%s` is the operand after the value. */
static const struct move {
   const char *name, *operand, *indices;
   bool lost; /* gfx6 makes a loop of it */
} moves[] = {
   { "read_first", "", "", false },
   { "broadcast", ", %zero", "", false },
   { "broadcast", ", %five", "", false },
   { "broadcast", ", %low", "", false },
   { "shuffle", ", %five", "", false },
   { "shuffle", ", %some", "", true },
   { "shuffle", ", %far", "", true },
   { "shuffle_xor", ", %one", "", false },
   { "shuffle_xor", ", %three", "", false },
   { "shuffle_xor", ", %five", "", false },
   { "shuffle_xor", ", %seven", "", false },
   { "shuffle_xor", ", %x8", "", false },
   { "shuffle_xor", ", %x15", "", false },
   { "shuffle_xor", ", %x21", "", false },
   { "shuffle_xor", ", %x33", "", true },
   { "shuffle_xor", ", %low", "", true },
   { "shuffle_up", ", %zero", "", false },
   { "shuffle_up", ", %one", "", true },
   { "shuffle_up", ", %five", "", true },
   { "shuffle_up", ", %low", "", true },
   { "shuffle_down", ", %one", "", true },
   { "shuffle_down", ", %x33", "", true },
   { "shuffle_down", ", %low", "", true },
   { "rotate", ", %one", " cluster_size=2", false },
   { "rotate", ", %three", " cluster_size=4", false },
   { "rotate", ", %five", " cluster_size=8", true },
   { "rotate", ", %five", " cluster_size=16", true },
   { "rotate", ", %x8", " cluster_size=16", false },
   { "rotate", ", %x21", " cluster_size=32", true },
   { "rotate", ", %one", "", true },
   { "rotate", ", %full", " cluster_size=64", true },
   { "rotate", ", %x33", "", true },
   { "rotate", ", %low", " cluster_size=8", true },
   { "rotate", ", %low", " cluster_size=64", true },
   { "quad_broadcast", ", %zero", "", false },
   { "quad_broadcast", ", %seven", "", false },
   { "quad_broadcast", ", %low", "", true },
   { "quad_swap_horizontal", "", "", false },
   { "quad_swap_vertical", "", "", false },
   { "quad_swap_diagonal", "", "", false },
};
#define NUM_MOVES (sizeof(moves) / sizeof(moves[0]))

static void
distances(text *t)
{
   say(t, "   %%x8:32 = const 8\n   %%x15:32 = const 15\n   %%x21:32 = const 21\n"
          "   %%x33:32 = const 33\n   %%f0:32 = imul %%i, %%prime\n   %%f1:32 = iand %%f0, %%full\n"
          "   %%far:32 = ixor %%f1, %%five\n");
}

static void
moves_of(unsigned bits, unsigned components, place where)
{
   unsigned at = 0;
   text t;

   begin(&t, where);
   distances(&t);
   for (unsigned n = 0; n < NUM_MOVES; n++) {
      const struct move *m = &moves[n];
      char name[16];
      make_value(&t, n, bits, components);
      say(&t, "   %%r%u:%ux%u = %s %%v%u%s%s\n", n, bits, components, m->name, n, m->operand,
          m->indices);
      snprintf(name, sizeof(name), "%%r%u", n);
      keep_value(&t, name, n, bits, components, at);
      at += (bits == 1 ? 4 : bits / 8) * components;
      at = (at + 7) & ~7u;
      if (at > 500 - 8 * components) {
         must_do_the_same_everywhere(end(&t, where), NULL);
         hd_blob_finish(&t);
         begin(&t, where);
         distances(&t);
         at = 0;
      }
   }
   must_do_the_same_everywhere(end(&t, where), NULL);
   hd_blob_finish(&t);
}

static void
test_moves(void **state)
{
   (void)state;
   for (unsigned where = 0; where < NUM_PLACES; where++) {
      for (unsigned n = 0; n < NUM_SIZES; n++)
         moves_of(sizes[n], n == where + 1 ? 3 : 1, (place)where);
   }
   /* Of booleans each component is a mask of its own. */
   moves_of(1, 2, SOME_LANES);
}

/* A uniform value is the same whoever gives it. */
static void
test_uniform_values(void **state)
{
   text t;

   (void)state;
   begin(&t, ALL_LANES);
   distances(&t);
   for (unsigned n = 0; n < NUM_MOVES; n++) {
      say(&t,
          "   %%r%u:32 = %s %%pushed%s%s\n   store_buffer %%r%u, %%zero, %%row binding=1 "
          "offset=%u align_mul=4\n",
          n, moves[n].name, moves[n].operand, moves[n].indices, n, 4 * n);
   }
   must_do_the_same_everywhere(end(&t, ALL_LANES), NULL);
   hd_blob_finish(&t);
}

/* Ballots, votes and masks. */
static void
test_votes(void **state)
{
   static const char *const masks[] = { "eq", "lt", "le", "gt", "ge" };
   static const char *const conditions[] = { "%v0", "%few", "%all", "%no", "%same", "%last" };

   (void)state;
   for (unsigned where = 0; where < NUM_PLACES; where++) {
      for (unsigned c = 0; c < sizeof(conditions) / sizeof(conditions[0]); c++) {
         text t;
         begin(&t, (place)where);
         make_value(&t, 0, 1, 1);
         say(&t,
             "   %%all:1 = const true\n   %%no:1 = const false\n"
             "   %%same:1 = ilt %%zero, %%low\n"
             "   %%b:32x4 = ballot %s\n   store_buffer %%b, %%zero, %%row binding=1 offset=0\n"
             "   %%e:1 = elect\n   %%any:1 = vote_any %s\n   %%every:1 = vote_all %s\n"
             "   %%agree:1 = vote_ieq %s\n   %%qany:1 = quad_vote_any %s\n"
             "   %%qall:1 = quad_vote_all %s\n"
             "   %%bits:1x6 = vec %%e, %%any, %%every, %%agree, %%qany, %%qall\n"
             "   %%six:32x6 = b2i %%bits\n"
             "   store_buffer %%six, %%zero, %%row binding=1 offset=16\n",
             conditions[c], conditions[c], conditions[c], conditions[c], conditions[c],
             conditions[c]);
         say(&t, "   %%n0:32 = ballot_bit_count %%b\n   %%n1:32 = ballot_bit_count_inclusive %%b\n"
                 "   %%n2:32 = ballot_bit_count_exclusive %%b\n   %%n3:32 = ballot_find_lsb %%b\n"
                 "   %%n4:32 = ballot_find_msb %%b\n   %%ib:1 = inverse_ballot %%b\n"
                 "   %%bb0:1 = ballot_bit %%b, %%low\n   %%bb1:1 = ballot_bit %%b, %%i\n"
                 "   %%over:32 = iadd %%i, %%five\n   %%bb2:1 = ballot_bit %%b, %%over\n"
                 "   %%ivec:1x4 = vec %%ib, %%bb0, %%bb1, %%bb2\n   %%i4:32x4 = b2i %%ivec\n"
                 "   store_buffer %%i4, %%zero, %%row binding=1 offset=48\n"
                 "   %%five5:32x5 = vec %%n0, %%n1, %%n2, %%n3, %%n4\n"
                 "   store_buffer %%five5, %%zero, %%row binding=1 offset=64\n");
         for (unsigned m = 0; m < 5; m++)
            say(&t,
                "   %%s%u:32x4 = subgroup_%s_mask\n"
                "   store_buffer %%s%u, %%zero, %%row binding=1 offset=%u\n"
                "   %%d%u:32 = ballot_bit_count %%s%u\n   %%g%u:32 = ballot_find_lsb %%s%u\n"
                "   %%h%u:32 = ballot_find_msb %%s%u\n   %%j%u:1 = ballot_bit %%s%u, %%some\n"
                "   %%k%u:32 = b2i %%j%u\n   %%o%u:32 = ballot_bit_count_inclusive %%s%u\n"
                "   %%q%u:32 = ballot_bit_count_exclusive %%s%u\n"
                "   %%p%u:32x6 = vec %%d%u, %%g%u, %%h%u, %%k%u, %%o%u, %%q%u\n"
                "   store_buffer %%p%u, %%zero, %%row binding=1 offset=%u\n",
                m, masks[m], m, 96 + 16 * m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m,
                m, m, m, m, 192 + 32 * m);
         must_do_the_same_everywhere(end(&t, (place)where), NULL);
         hd_blob_finish(&t);
      }
   }
}

/* Whether all have the same: a value that differs, one that does not, one that a lane has alone. */
static void
test_agreement(void **state)
{
   (void)state;
   for (unsigned n = 1; n < NUM_SIZES; n++) {
      for (unsigned where = 0; where < NUM_PLACES; where++) {
         const unsigned bits = sizes[n];
         text t;
         begin(&t, (place)where);
         say(&t,
             "   %%same:%ux3 = load_buffer %%zero, %%zero binding=0 offset=64 align_mul=8\n"
             "   %%k0:32 = const 0\n   %%s0:%u = channel %%same, %%k0\n"
             "   %%other:%ux3 = load_buffer %%zero, %%row binding=0 align_mul=8\n"
             "   %%o0:%u = channel %%other, %%k0\n   %%mix:%u = select %%few, %%s0, %%o0\n",
             bits, bits, bits, bits, bits);
         for (unsigned f = 0; f < (bits == 8 ? 1u : 2u); f++) {
            const char *op = f ? "vote_feq" : "vote_ieq";
            say(&t,
                "   %%a%u:1 = %s %%same\n   %%b%u:1 = %s %%other\n   %%c%u:1 = %s %%mix\n"
                "   %%d%u:1x3 = vec %%a%u, %%b%u, %%c%u\n   %%e%u:32x3 = b2i %%d%u\n"
                "   store_buffer %%e%u, %%zero, %%row binding=1 offset=%u\n",
                f, op, f, op, f, op, f, f, f, f, f, f, f, 16 * f);
         }
         must_do_the_same_everywhere(end(&t, (place)where), NULL);
         hd_blob_finish(&t);
      }
   }
}

static void
test_derivatives(void **state)
{
   static const char *const names[] = { "ddx",      "ddy",        "ddx_fine",
                                        "ddy_fine", "ddx_coarse", "ddy_coarse" };

   (void)state;
   for (unsigned bits = 16; bits <= 64; bits *= 2) {
      text t;
      begin(&t, ALL_LANES);
      for (unsigned n = 0; n < 6; n++)
         say(&t,
             "   %%v%u:%ux2 = load_buffer %%zero, %%row binding=0 offset=%u align_mul=8\n"
             "   %%r%u:%ux2 = %s %%v%u\n"
             "   store_buffer %%r%u, %%zero, %%row binding=1 offset=%u align_mul=4\n",
             n, bits, 16 * n, n, bits, names[n], n, n, 16 * n);
      must_do_the_same_everywhere(end(&t, ALL_LANES), NULL);
      hd_blob_finish(&t);
   }
}

/* Reductions and scans are made of these. */
static void
test_reductions(void **state)
{
   static const char *const ops[] = {
      "iadd", "imul", "imin", "umax", "iand", "ixor", "fadd", "fmin"
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(ops) / sizeof(ops[0]); n++) {
      for (unsigned where = 0; where < NUM_PLACES; where++) {
         text t;
         begin(&t, (place)where);
         make_value(&t, 0, n % 3 == 2 ? 64 : 32, 1);
         say(&t,
             "   %%a:%u = reduce %%v0 reduce_op=%s\n   %%b:%u = reduce %%v0 reduce_op=%s "
             "cluster_size=8\n   %%c:%u = inclusive_scan %%v0 reduce_op=%s\n"
             "   %%d:%u = exclusive_scan %%v0 reduce_op=%s\n   %%e:%ux4 = vec %%a, %%b, %%c, %%d\n"
             "   store_buffer %%e, %%zero, %%row binding=1\n",
             n % 3 == 2 ? 64 : 32, ops[n], n % 3 == 2 ? 64 : 32, ops[n], n % 3 == 2 ? 64 : 32,
             ops[n], n % 3 == 2 ? 64 : 32, ops[n], n % 3 == 2 ? 64 : 32);
         must_do_the_same_everywhere(end(&t, (place)where), NULL);
         hd_blob_finish(&t);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_votes),          cmocka_unit_test(test_agreement),
      cmocka_unit_test(test_derivatives),    cmocka_unit_test(test_moves),
      cmocka_unit_test(test_uniform_values), cmocka_unit_test(test_reductions),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
