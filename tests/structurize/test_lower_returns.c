/* SPDX-License-Identifier: MIT */
/* test_lower_returns.c - one return is left, no block of the input runs with other lanes, halts
 * stay, and what is returned meets in a phi.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/random_shader.h"
#include "gen/random_tree.h"
#include "runs.h"
#include "support/forms.h"
#include "support/memory.h"
#include "uniform.h"

struct jumps {
   unsigned returns, halts;
};

static struct jumps
count_jumps(const hd_function *f)
{
   struct jumps jumps = { 0 };

   hd_foreach_block(b, f) {
      const hd_jump *jump = hd_block_jump(b);
      jumps.returns += jump && jump->instr.op == HD_JUMP_RETURN;
      jumps.halts += jump && jump->instr.op == HD_JUMP_HALT;
   }
   return jumps;
}

/* Several returns in and out of loops, beside halts. */
static void
masks(void **unused)
{
   static struct runs before, after;
   unsigned lowered = 0, halting = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 1500; seed++) {
      const random_tree_options options = { .few_values = seed % 2 };
      hd_shader *flat = random_tree_shader(NULL, seed, &options), *one;
      assert_int_equal(hd_unstructure(flat->first_function), HD_OK);
      assert_int_equal(hd_shader_clone(flat, NULL, &one), HD_OK);
      hd_function *f = one->first_function;
      const struct jumps had = count_jumps(f);
      assert_int_equal(hd_lower_returns(f), HD_OK);
      assert_int_equal(hd_validate(one, NULL), HD_OK);
      const struct jumps has = count_jumps(f);
      assert_int_equal(has.halts, had.halts);
      assert_int_equal(has.returns, had.returns ? 1 : 0);
      lowered += had.returns > 1;
      halting += had.returns > 1 && had.halts;
      uint64_t random = seed;
      for (unsigned set = 0; set < 3 && had.returns > 1; set++) {
         struct lane_words lanes;
         runs_lanes(&lanes, set, &random);
         runs_observe(flat, (hd_wave_launch){ 0 }, &lanes, true, &before);
         runs_observe(one, (hd_wave_launch){ 0 }, &lanes, true, &after);
         /* The new block has an index of its own, and runs once at most. */
         hd_block *last = hd_list_last_block(&f->body);
         unsigned kept = 0, dropped = 0;
         for (unsigned n = 0; n < after.num; n++) {
            if (after.event[n].key == last->node.index)
               dropped++;
            else
               after.event[kept++] = after.event[n];
         }
         after.num = kept;
         assert_in_range(dropped, 0, 1);
         const char *difference = runs_differ(&before, &after);
         if (difference)
            fail_msg("seed %llu: %s in\n%s\nand\n%s", (unsigned long long)seed, difference,
                     runs_text(flat), runs_text(one));
      }
      hd_shader_destroy(one);
      hd_shader_destroy(flat);
   }
   printf("%u lowered, %u of them with halts\n", lowered, halting);
   assert_true(lowered > 300 && halting > 30);
}

/* Of trees: one way to the end is left, and nothing is to be done again. tests/passes compares what
 * lanes do.
 */
static void
trees(void **unused)
{
   unsigned lowered = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 1500; seed++) {
      const random_tree_options options = { .few_values = seed % 2 };
      hd_shader *shader = random_tree_shader(NULL, seed, &options);
      hd_function *f = shader->first_function;
      const struct jumps had = count_jumps(f);
      const hd_block *start = hd_function_start(f);
      assert_int_equal(hd_lower_returns(f), HD_OK);
      assert_int_equal(hd_validate(shader, NULL), HD_OK);
      assert_true(f->structured);
      const struct jumps has = count_jumps(f);
      assert_int_equal(has.halts, had.halts);
      if (hd_function_start(f) != start) {
         assert_int_equal(has.returns, 0);
         lowered++;
      }
      start = hd_function_start(f);
      assert_int_equal(hd_lower_returns(f), HD_OK);
      assert_ptr_equal(hd_function_start(f), start);
      hd_shader_destroy(shader);
   }
   printf("%u trees lowered\n", lowered);
   assert_true(lowered > 300);
}

/* Results, calls, irreducible graphs, unreachable code, declarations. What was uniform stays so. */
static void
random_shaders(void **unused)
{
   unsigned phis = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 300; seed++) {
      hd_shader *shader = random_shader(NULL, seed, NULL);
      hd_foreach_function(f, shader) {
         assert_int_equal(hd_unstructure(f), HD_OK);
         const struct jumps had = count_jumps(f);
         struct uniform uniform = uniform_of(f);
         assert_int_equal(hd_lower_returns(f), HD_OK);
         assert_null(uniform_lost(&uniform, f));
         uniform_free(&uniform);
         const struct jumps has = count_jumps(f);
         assert_int_equal(has.halts, had.halts);
         assert_int_equal(has.returns, had.returns ? 1 : 0);
         const hd_block *last = hd_list_last_block(&f->body);
         const hd_jump *jump = hd_block_jump(last);
         if (had.returns > 1) {
            assert_int_equal(jump->instr.op, HD_JUMP_RETURN);
            assert_int_equal(last->num_preds, had.returns);
            assert_int_equal(jump->instr.num_srcs, f->result_components != 0);
            if (f->result_components)
               assert_non_null(hd_instr_as_phi(hd_def_instr(jump->src[0].def)));
            phis += f->result_components != 0;
         }
      }
      const hd_validate_options options = { .metadata = true };
      assert_int_equal(hd_validate(shader, &options), HD_OK);
      assert_sound(shader);
      hd_shader_destroy(shader);
   }
   printf("%u phis\n", phis);
   assert_true(phis > 10);
}

/* What each lane returns from a call is what its own return says. */
static void
values(void **unused)
{
   static const char source[] =
       "shader compute \"t\" {\nworkgroup 8 1 1\nflat function @main {\n b0:\n"
       "%l:32 = subgroup_invocation\n%zero:32 = const 0\n%four:32 = const 4\n"
       "%at:32 = imul %l, %four\n%v:32 = call @f(%l)\nstore_buffer %v, %zero, %at\nreturn\n}\n"
       "flat function @f(%x:32) -> 32 {\n b0:\n%two:32 = const 2\n%five:32 = const 5\n"
       "%nine:32 = const 9\n%c:1 = ult %x, %two\ngoto_if %c, b1, b2\n b1:\nreturn %nine\n b2:\n"
       "%d:1 = ult %x, %five\ngoto_if %d, b3, b4\n b3:\nreturn %x\n b4:\n%y:32 = imul %x, %x\n"
       "return %y\n}\n}\n";
   static const uint32_t want[] = { 9, 9, 2, 3, 4, 25, 36, 49 };
   uint32_t out[8] = { 0 };
   const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
   const hd_wave_launch launch = { .lanes = 8, .buffers = &buffer, .num_buffers = 1 };

   (void)unused;
   for (unsigned tree = 0; tree < 2; tree++) {
      hd_shader *shader = NULL;
      assert_int_equal(hd_parse(NULL, "test", source, sizeof(source) - 1, &shader), HD_OK);
      hd_function *f = hd_shader_find_function(shader, "f");
      if (tree)
         assert_int_equal(hd_structurize(f, NULL), HD_OK);
      assert_int_equal(hd_lower_returns(f), HD_OK);
      assert_int_equal(count_jumps(f).returns, 1);
      assert_int_equal(hd_validate(shader, NULL), HD_OK);
      memset(out, 0, sizeof(out));
      assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
      assert_memory_equal(out, want, sizeof(want));
      hd_shader_destroy(shader);
   }
}

static void
each_failing_allocation(void **unused)
{
   unsigned failures = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 60; seed++) {
      struct limited limited = { .left = SIZE_MAX };
      const hd_config config = limited_config(&limited);
      hd_shader *shader = random_tree_shader(&config, seed, &(random_tree_options){ .nodes = 30 });
      hd_function *f = shader->first_function;
      if (seed % 2)
         assert_int_equal(hd_unstructure(f), HD_OK);
      hd_blob bytes = bytes_of(shader);
      hd_result result = HD_OUT_OF_MEMORY;
      for (size_t n = 0; result != HD_OK; n++) {
         limited.left = n;
         result = hd_lower_returns(f);
         limited.left = SIZE_MAX;
         assert_int_equal(shader->num_functions, 1);
         if (result == HD_OK)
            break;
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         hd_blob now = bytes_of(shader);
         assert_same(&bytes, &now);
         hd_blob_finish(&now);
         failures++;
      }
      assert_int_equal(hd_validate(shader, NULL), HD_OK);
      hd_blob_finish(&bytes);
      hd_shader_destroy(shader);
      assert_int_equal(limited.held, 0);
   }
   printf("%u failures\n", failures);
   assert_true(failures >= 80);
}

/* One return, or none, is left as it is: the same blocks. */
static void
left_alone(void **unused)
{
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   hd_function *tree = hd_function_create(shader, "tree", true);
   hd_function *flat = hd_function_create(shader, "flat", false);
   hd_block *start = hd_function_start(flat);

   (void)unused;
   assert_int_equal(hd_lower_returns(flat), HD_INVALID);
   const hd_block *first = hd_function_start(tree);
   assert_int_equal(hd_lower_returns(tree), HD_OK);
   assert_ptr_equal(hd_function_start(tree), first);
   hd_insert_jump(hd_after_block(hd_function_start(tree)), HD_JUMP_RETURN, NULL);
   assert_int_equal(hd_lower_returns(tree), HD_OK);
   assert_ptr_equal(hd_function_start(tree), first);
   hd_flat_return(start, NULL);
   assert_int_equal(hd_lower_returns(flat), HD_OK);
   assert_ptr_equal(hd_function_start(flat), start);
   hd_flat_clear_jump(start);
   hd_flat_halt(start);
   assert_int_equal(hd_lower_returns(flat), HD_OK);
   assert_ptr_equal(hd_function_start(flat), start);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(masks),
      cmocka_unit_test(trees),
      cmocka_unit_test(random_shaders),
      cmocka_unit_test(values),
      cmocka_unit_test(each_failing_allocation),
      cmocka_unit_test(left_alone),
   };

   return cmocka_run_group_tests_name("structurize/lower_returns", tests, NULL, NULL);
}
