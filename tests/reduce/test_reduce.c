/* SPDX-License-Identifier: MIT */
/* test_reduce.c - reducing: candidates are valid, what is left is small and still interesting, the
 * same answers give the same result, and nothing is lost where memory runs out.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "heddle/reduce.h"
#include "heddle/text.h"

#include "gen/random_program.h"
#include "support/memory.h"

static char *
text_of(const hd_shader *shader)
{
   hd_blob blob = { 0 };

   assert_int_equal(hd_print_shader(shader, NULL, &blob), HD_OK);
   char *text = strdup(blob.data);
   hd_blob_finish(&blob);
   return text;
}

struct question {
   hd_instr_kind kind;
   unsigned op;
   unsigned asked;
   bool check;            /* that candidates are valid, and as they were afterwards */
   uint64_t random;       /* not 0: the answer is yes as often as not */
   uint32_t instructions; /* of the last success */
};

static unsigned
count(const hd_shader *shader, hd_instr_kind kind, unsigned op)
{
   unsigned num = 0;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b)
            num += kind == HD_NUM_INSTR_KINDS || (i->kind == kind && i->op == op);
      }
   }
   return num;
}

static bool
answer(void *user, hd_shader *candidate)
{
   struct question *q = user;

   q->asked++;
   if (q->check) {
      const hd_validate_options options = { .diag = hd_diag_to_file(stderr), .metadata = true };
      hd_shader *again = NULL;
      char *text = text_of(candidate);
      assert_int_equal(hd_validate(candidate, &options), HD_OK);
      assert_int_equal(hd_parse(NULL, NULL, text, strlen(text), &again), HD_OK);
      hd_shader_destroy(again);
      free(text);
   }
   if (q->random) {
      q->random ^= q->random << 13;
      q->random ^= q->random >> 7;
      q->random ^= q->random << 17;
      return q->asked == 1 || q->random >> 32 & 1;
   }
   return count(candidate, q->kind, q->op) > 0;
}

static void
told(void *user, const hd_reduce_state *state)
{
   struct question *q = user;

   assert_true(state->tries >= state->successes && state->what);
   q->instructions = state->instructions;
}

/* One op of each program, in turn, is all that counts. */
static void
test_one_op(void **unused)
{
   unsigned before = 0, after = 0, tries = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 60; seed++) {
      const program_options form = { .size = 40,
                                     .no_flat = seed % 3 == 0,
                                     .no_structured = seed % 3 == 1 };
      hd_shader *shader = random_program(NULL, seed, &form), *small = NULL, *again = NULL;
      struct question q = { .kind = HD_INSTR_ALU,
                            .op = 1 + seed % (HD_NUM_OPS - 1),
                            .check = true };
      const hd_reduce_options options = { &q, answer, told, 0 };
      hd_reduce_state state;
      while (!count(shader, q.kind, q.op))
         q.op = q.op % (HD_NUM_OPS - 1) + 1;
      char *text = text_of(shader);
      assert_int_equal(hd_reduce_shader(shader, &options, &small, &state), HD_OK);
      assert_int_equal(state.tries, q.asked);
      assert_int_equal(state.instructions, count(small, HD_NUM_INSTR_KINDS, 0));
      assert_true(count(small, q.kind, q.op) > 0);
      char *left = text_of(small), *kept = text_of(shader);
      assert_string_equal(text, kept);
      /* The op, its operands, and the return of a graph or of a function with a result. */
      if (state.instructions > 8)
         fail_msg("seed %llu: %s", (unsigned long long)seed, left);
      before += count(shader, HD_NUM_INSTR_KINDS, 0);
      after += state.instructions;
      tries += q.asked;
      q.check = false;
      assert_int_equal(hd_reduce_shader(shader, &options, &again, NULL), HD_OK);
      char *twice = text_of(again);
      assert_string_equal(left, twice);
      free(text);
      free(kept);
      free(left);
      free(twice);
      hd_shader_destroy(shader);
      hd_shader_destroy(small);
      hd_shader_destroy(again);
   }
   printf("%u instructions became %u, with %u tries\n", before, after, tries);
   assert_true(after * 20 < before && tries < 60 * 200);
}

/* Four components go through memory, a variable, a constant, a phi, a call, and are read one by
 * one.
 */
static const char vectors[] = "shader compute \"v\" {\n"
                              "workgroup 64 1 1\n"
                              "function @main {\n"
                              "var $t: 32x4\n"
                              "b0:\n"
                              "%z:32 = const 0\n"
                              "%i:32 = local_invocation_index\n"
                              "%k:32 = const 4\n"
                              "%sixteen:32 = const 16\n"
                              "%at:32 = imul %i, %sixteen\n"
                              "%c4:32x4 = const (1, 2, 3, 4)\n"
                              "%c:1 = ult %i, %k\n"
                              "%v:32x4 = load_buffer %z, %at\n"
                              "store_var $t, %v\n"
                              "if %c {\n"
                              "b1:\n"
                              "%w:32x4 = fadd %v, %c4\n"
                              "} else {\n"
                              "b2:\n"
                              "%x:32x4 = call @f(%v)\n"
                              "}\n"
                              "b3:\n"
                              "%p:32x4 = phi b1: %w, b2: %x\n"
                              "%u:32x4 = load_var $t\n"
                              "%q:32x4 = fmul %p, %u\n"
                              "%a2:32 = const 2\n"
                              "%e:32 = channel %q, %a2\n"
                              "%r:32x4 = insert_channel %q, %e, %k\n"
                              "%i2:32 = const 1\n"
                              "%f:32 = channel %r, %i2\n"
                              "%g:32x3 = vec %e, %f, %e\n"
                              "store_buffer %q, %z, %at\n"
                              "store_buffer %g, %z, %at offset=2048\n"
                              "}\n"
                              "function @f(%0:32x4) -> 32x4 {\n"
                              "b0:\n"
                              "%1:32x4 = fmul %0, %0\n"
                              "return %1\n"
                              "}\n"
                              "}\n";

/* Which is of interest: an op whose value, or first operand, has so many components. */
struct wide {
   hd_instr_kind kind;
   unsigned op, components;
   unsigned widest; /* that is left of it */
};

static unsigned
components_of(hd_instr *i)
{
   return hd_instr_def(i) ? i->def.num_components : hd_instr_src(i, 0)->def->num_components;
}

static bool
is_wide(void *user, hd_shader *candidate)
{
   const struct wide *w = user;

   hd_foreach_function(f, candidate) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (i->kind == w->kind && i->op == w->op && components_of(i) >= w->components)
               return true;
         }
      }
   }
   return false;
}

/* Vectors are as wide as they must be for what is looked for, and all others are scalars. */
static void
test_vectors(void **unused)
{
   static const struct wide wanted[] = {
      { HD_INSTR_ALU, HD_OP_FADD, 1, 1 },
      { HD_INSTR_ALU, HD_OP_FADD, 2, 2 },
      { HD_INSTR_ALU, HD_OP_FMUL, 3, 3 },
      { HD_INSTR_ALU, HD_OP_INSERT_CHANNEL, 1, 1 },
      { HD_INSTR_ALU, HD_OP_INSERT_CHANNEL, 2, 2 },
      { HD_INSTR_ALU, HD_OP_VEC, 2, 2 },
      { HD_INSTR_ALU, HD_OP_CHANNEL, 1, 1 },
      { HD_INSTR_PHI, 0, 1, 1 },
      { HD_INSTR_PHI, 0, 2, 2 },
      { HD_INSTR_CALL, 0, 1, 1 },
      { HD_INSTR_CALL, 0, 3, 3 },
      { HD_INSTR_LOAD_VAR, 0, 1, 1 },
      { HD_INSTR_STORE_VAR, 0, 2, 2 },
      { HD_INSTR_INTRINSIC, HD_INTRINSIC_LOAD_BUFFER, 1, 1 },
      { HD_INSTR_INTRINSIC, HD_INTRINSIC_LOAD_BUFFER, 3, 3 },
      { HD_INSTR_INTRINSIC, HD_INTRINSIC_STORE_BUFFER, 1, 1 },
      { HD_INSTR_INTRINSIC, HD_INTRINSIC_STORE_BUFFER, 4, 4 },
   };

   (void)unused;
   for (unsigned n = 0; n < sizeof(wanted) / sizeof(wanted[0]); n++) {
      struct wide w = wanted[n];
      const hd_reduce_options options = { &w, is_wide, NULL, 0 };
      hd_shader *shader = NULL, *small = NULL;
      unsigned widest = 1;
      assert_int_equal(hd_parse(NULL, "v", vectors, strlen(vectors), &shader), HD_OK);
      assert_int_equal(hd_reduce_shader(shader, &options, &small, NULL), HD_OK);
      char *left = text_of(small);
      hd_foreach_function(f, small) {
         hd_foreach_var(v, f)
            widest = v->num_components > widest ? v->num_components : widest;
         hd_foreach_block(b, f) {
            hd_foreach_instr(i, b) {
               if (hd_instr_def(i) && i->def.num_components > widest)
                  widest = i->def.num_components;
            }
         }
      }
      if (widest != w.widest || count(small, HD_NUM_INSTR_KINDS, 0) > 5)
         fail_msg("%u: %u components\n%s", n, widest, left);
      free(left);
      hd_shader_destroy(shader);
      hd_shader_destroy(small);
   }
}

/* The component that matters is kept, and those before it go. */
static bool
has_seven_twice(void *user, hd_shader *candidate)
{
   (void)user;
   hd_foreach_function(f, candidate) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_const *c = hd_instr_as_const(i);
            for (unsigned n = 1; c && n < i->def.num_components; n++) {
               if (c->value[n - 1].u32 == 7 && c->value[n].u32 == 7)
                  return true;
            }
         }
      }
   }
   return false;
}

static void
test_components(void **unused)
{
   static const char text[] = "shader compute \"c\" {\nfunction @main {\nb0:\n"
                              "%z:32 = const 0\n%c:32x6 = const (1, 2, 7, 7, 3, 9)\n"
                              "store_buffer %c, %z, %z offset=1000\n}\n}\n";
   const hd_reduce_options options = { NULL, has_seven_twice, NULL, 0 };
   hd_shader *shader = NULL, *small = NULL;

   (void)unused;
   assert_int_equal(hd_parse(NULL, "c", text, strlen(text), &shader), HD_OK);
   assert_int_equal(hd_reduce_shader(shader, &options, &small, NULL), HD_OK);
   char *left = text_of(small);
   if (!strstr(left, ":32x2 = const (7, 7)") || count(small, HD_NUM_INSTR_KINDS, 0) > 3)
      fail_msg("%s", left);
   free(left);
   hd_shader_destroy(shader);
   hd_shader_destroy(small);
}

/* What must not be nothing is as little as it may be. */
static bool
is_far(void *user, hd_shader *candidate)
{
   (void)user;
   hd_foreach_block(b, candidate->first_function) {
      hd_foreach_instr(i, b) {
         const hd_intrinsic *store = hd_instr_as_intrinsic(i);
         const unsigned slot = store ? hd_instr_intrinsic_info(i)->slots[HD_INDEX_BINDING] : 0;
         if (slot && hd_intrinsic_indices(store)[slot - 1] >= 20)
            return candidate->push_size >= 16;
      }
   }
   return false;
}

static void
test_numbers(void **unused)
{
   static const char text[] = "shader compute \"n\" {\npush 4096\nworkgroup 64 2 1\n"
                              "function @main {\nb0:\n%z:32 = const 0\n"
                              "store_buffer %z, %z, %z set=3 binding=1000 offset=4\n}\n}\n";
   const hd_reduce_options options = { NULL, is_far, NULL, 0 };
   hd_shader *shader = NULL, *small = NULL;

   (void)unused;
   assert_int_equal(hd_parse(NULL, "n", text, strlen(text), &shader), HD_OK);
   assert_int_equal(hd_reduce_shader(shader, &options, &small, NULL), HD_OK);
   char *left = text_of(small);
   if (!strstr(left, "push 16\n") || !strstr(left, "%0 binding=31\n") || strstr(left, "workgroup"))
      fail_msg("%s", left);
   free(left);
   hd_shader_destroy(shader);
   hd_shader_destroy(small);
}

/* Whatever is answered, each candidate is valid, and it ends. */
static void
test_any_answer(void **unused)
{
   unsigned asked = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 120; seed++) {
      const program_options form = { .size = 8 + seed % 30,
                                     .no_flat = seed % 3 == 0,
                                     .no_structured = seed % 3 == 1 };
      hd_shader *shader = random_program(NULL, seed + 1000, &form), *small = NULL;
      struct question q = { .check = true, .random = seed * UINT64_C(0x9e3779b97f4a7c15) };
      const hd_reduce_options options = { &q, answer, told, 400 };
      assert_int_equal(hd_reduce_shader(shader, &options, &small, NULL), HD_OK);
      assert_int_equal(hd_validate(small, NULL), HD_OK);
      assert_true(q.asked <= 400);
      asked += q.asked;
      hd_shader_destroy(shader);
      hd_shader_destroy(small);
   }
   printf("%u candidates\n", asked);
}

static void
test_refused(void **unused)
{
   hd_shader *shader = random_program(NULL, 5, NULL), *small = NULL;
   struct question q = { .kind = HD_INSTR_ALU, .op = HD_NUM_OPS };
   const hd_reduce_options options = { &q, answer, NULL, 0 };
   hd_reduce_state state;

   (void)unused;
   assert_int_equal(hd_reduce_shader(shader, &options, &small, &state), HD_INVALID);
   assert_null(small);
   assert_int_equal(state.tries, 1);
   hd_shader_destroy(shader);
}

static void
test_out_of_memory(void **unused)
{
   struct limited l = { .left = SIZE_MAX };
   const hd_config config = limited_config(&l);
   const program_options form = { .size = 6, .one_function = true };
   hd_shader *shader = random_program(&config, 9, &form);
   bool done = false;
   unsigned failures = 0;

   (void)unused;
   assert_non_null(shader);
   for (size_t n = 0; !done; n += 1 + n / 8) {
      struct question q = { .kind = HD_INSTR_ALU, .op = HD_OP_IMUL };
      const hd_reduce_options options = { &q, answer, NULL, 0 };
      hd_shader *small = NULL;
      const size_t held = l.held;
      l.left = n;
      const hd_result result = hd_reduce_shader(shader, &options, &small, NULL);
      l.left = SIZE_MAX;
      done = result == HD_OK;
      if (!done) {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_null(small);
         assert_int_equal(l.held, held);
         failures++;
      }
      hd_shader_destroy(small);
   }
   assert_true(failures > 10);
   hd_shader_destroy(shader);
   assert_int_equal(l.held, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_op),        cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_components),    cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_any_answer),    cmocka_unit_test(test_refused),
      cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests_name("reduce/reduce", tests, NULL, NULL);
}
