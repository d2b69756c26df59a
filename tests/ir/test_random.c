/* SPDX-License-Identifier: MIT */
/* What holds of every valid shader, tried on random ones: the validator is silent; text, bytes and
 * copies of it are the same shader again.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/random_shader.h"
#include "heddle/binary.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "heddle/text.h"
#include "naive.h"
#include "support/forms.h"

#define NUM_SEEDS 400u

static void
expect_equal(uint64_t seed, const char *what, const hd_blob *a, const hd_blob *b)
{
   if (a->size != b->size || memcmp(a->data, b->data, a->size) != 0)
      fail_msg("seed %llu: %s is another shader", (unsigned long long)seed, what);
}

/* Compare a shader that came from another one, and destroy it. */
static void
expect_same(uint64_t seed, const char *what, hd_shader *other, const hd_blob *text,
            const hd_blob *bytes, const hd_hash *hash)
{
   hd_hash other_hash;

   if (hd_validate(other, NULL) != HD_OK)
      fail_msg("seed %llu: %s is not valid", (unsigned long long)seed, what);
   hd_foreach_function(f, other) {
      const char *fault = naive_check(f);
      if (fault)
         fail_msg("seed %llu: %s: %s", (unsigned long long)seed, what, fault);
   }
   hd_blob other_text = text_of(other), other_bytes = bytes_of(other);
   expect_equal(seed, what, text, &other_text);
   expect_equal(seed, what, bytes, &other_bytes);
   assert_int_equal(hd_shader_hash(other, &other_hash), HD_OK);
   assert_memory_equal(hash, &other_hash, sizeof(other_hash));
   hd_blob_finish(&other_text);
   hd_blob_finish(&other_bytes);
   hd_shader_destroy(other);
}

static void
round_trip(uint64_t seed, const random_options *options)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = random_shader(&config, seed, options), *other = NULL;
   hd_hash hash;

   if (!shader)
      fail_msg("seed %llu cannot be built", (unsigned long long)seed);
   if (hd_validate(shader, NULL) != HD_OK) {
      hd_blob broken = text_of(shader);
      fail_msg("seed %llu is not valid:\n%s", (unsigned long long)seed, broken.data);
   }
   hd_blob text = text_of(shader), bytes = bytes_of(shader);
   assert_int_equal(hd_shader_hash(shader, &hash), HD_OK);

   hd_shader *again = random_shader(&config, seed, options);
   expect_same(seed, "the same seed", again, &text, &bytes, &hash);
   if (hd_parse(&config, "random.hd", text.data, text.size, &other) != HD_OK)
      fail_msg("seed %llu: its text is refused", (unsigned long long)seed);
   expect_same(seed, "the parsed text", other, &text, &bytes, &hash);
   if (hd_read_binary(&config, "random", bytes.data, bytes.size, &other) != HD_OK)
      fail_msg("seed %llu: its bytes are refused", (unsigned long long)seed);
   expect_same(seed, "what was read", other, &text, &bytes, &hash);
   assert_int_equal(hd_shader_clone(shader, &config, &other), HD_OK);
   expect_same(seed, "the clone", other, &text, &bytes, &hash);
   hd_foreach_function(f, shader)
      hd_function_reindex(f);
   hd_blob reindexed = text_of(shader);
   expect_equal(seed, "the reindexed shader", &text, &reindexed);
   hd_blob_finish(&reindexed);
   hd_blob_finish(&text);
   hd_blob_finish(&bytes);
   hd_shader_destroy(shader);
}

static void
round_trips(void **state)
{
   (void)state;
   print_message("seeds 0 to %u\n", NUM_SEEDS - 1);
   for (uint64_t seed = 0; seed < NUM_SEEDS; seed++)
      round_trip(seed, NULL);
}

static void
large_ones(void **state)
{
   static const random_options trees = { .size = 3000, .no_flat = true };
   static const random_options graphs = { .size = 3000, .no_structured = true };

   (void)state;
   for (uint64_t seed = 0; seed < 4; seed++) {
      round_trip(seed, &trees);
      round_trip(seed, &graphs);
   }
}

typedef struct seen {
   bool ops[HD_NUM_OPS], intrinsics[HD_NUM_INTRINSICS];
   bool kinds[HD_NUM_INSTR_KINDS], jumps[2][HD_NUM_JUMP_KINDS];
   bool phi_after_if, phi_after_loop, phi_at_header, phi_at_continue, phi_in_flat;
   bool names, locations, unreachable, header, inside, continues, flags;
} seen;

static void
look_at_block(seen *s, const hd_function *f, const hd_block *b)
{
   const hd_loop *loop = b->node.list ? hd_node_as_loop(b->node.list->parent) : NULL;

   s->names |= b->node.named;
   s->header |= b->node.header;
   s->inside |= b->loop_header != NULL;
   s->continues |= b->continues != NULL;
   s->unreachable |= !b->num_preds && b->first && b != hd_function_start(f);
   if (hd_instr_as_phi(b->first)) {
      s->phi_in_flat |= !f->structured;
      s->phi_at_header |= loop && b == hd_loop_header(loop);
      s->phi_at_continue |= loop && b == hd_loop_continue(loop);
      s->phi_after_if |= hd_node_as_if(b->node.prev) != NULL;
      s->phi_after_loop |= hd_node_as_loop(b->node.prev) != NULL;
   }
   hd_foreach_instr(i, b) {
      s->kinds[i->kind] = true;
      s->locations |= i->loc != 0;
      s->flags |= i->flags != 0;
      s->names |= (i->def.flags & HD_DEF_NAMED) != 0;
      if (i->kind == HD_INSTR_ALU)
         s->ops[i->op] = true;
      else if (i->kind == HD_INSTR_INTRINSIC)
         s->intrinsics[i->op] = true;
      else if (i->kind == HD_INSTR_JUMP)
         s->jumps[f->structured][i->op] = true;
   }
}

/* The generator does make everything there is; else the other tests mean less than they say. */
static void
everything_occurs(void **state)
{
   seen *s = calloc(1, sizeof(*s));

   (void)state;
   for (uint64_t seed = 0; seed < 4 * NUM_SEEDS; seed++) {
      hd_shader *shader = random_shader(NULL, seed, NULL);
      assert_non_null(shader);
      hd_foreach_function(f, shader) {
         hd_foreach_block(b, f)
            look_at_block(s, f, b);
      }
      hd_shader_destroy(shader);
   }
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      if (!s->ops[op])
         fail_msg("no %s", hd_op_get_info((hd_op)op)->name);
   }
   for (unsigned id = 1; id < HD_NUM_INTRINSICS; id++) {
      if (!s->intrinsics[id])
         fail_msg("no %s", hd_intrinsic_get_info((hd_intrinsic_id)id)->name);
   }
   for (unsigned kind = 0; kind < HD_NUM_INSTR_KINDS; kind++)
      assert_true(s->kinds[kind]);
   for (unsigned kind = 0; kind <= HD_JUMP_HALT; kind++)
      assert_true(s->jumps[true][kind]);
   for (unsigned kind = HD_JUMP_RETURN; kind < HD_NUM_JUMP_KINDS; kind++)
      assert_true(s->jumps[false][kind]);
   assert_true(s->phi_after_if);
   assert_true(s->phi_after_loop);
   assert_true(s->phi_at_header);
   assert_true(s->phi_at_continue);
   assert_true(s->phi_in_flat);
   assert_true(s->names && s->locations && s->flags);
   assert_true(s->unreachable);
   assert_true(s->header && s->inside && s->continues);
   free(s);
}

/* Memory and work run out anywhere in a call on a shader: it says so, and nothing else happens. */
static void
budgets(void **state)
{
   static const random_options options = { .size = 40 };

   (void)state;
   for (uint64_t seed = 0; seed < 4; seed++) {
      hd_shader *shader = random_shader(NULL, seed, &options), *other;
      hd_blob text = text_of(shader), bytes = bytes_of(shader);
      for (unsigned call = 0; call < 6; call++) {
         unsigned refused = 0;
         for (size_t cap = call % 2 ? 1 : 8192;; cap += 1 + cap / 4) {
            hd_config config = { 0 };
            hd_result result;
            if (call % 2)
               config.budget.steps = cap;
            else
               config.budget.memory = cap;
            other = NULL;
            if (call < 2)
               result = hd_parse(&config, "x", text.data, text.size, &other);
            else if (call < 4)
               result = hd_read_binary(&config, "x", bytes.data, bytes.size, &other);
            else
               result = hd_shader_clone(shader, &config, &other);
            if (result == HD_OK) {
               hd_shader_destroy(other);
               break;
            }
            assert_int_equal(result, HD_BUDGET_EXCEEDED);
            assert_null(other);
            refused++;
         }
         assert_true(refused > 2);
      }
      hd_blob_finish(&text);
      hd_blob_finish(&bytes);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_occurs),
      cmocka_unit_test(round_trips),
      cmocka_unit_test(large_ones),
      cmocka_unit_test(budgets),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
