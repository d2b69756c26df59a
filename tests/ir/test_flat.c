/* SPDX-License-Identifier: MIT */
/* test_flat.c - editing flat functions: each call by itself, then random sequences, with memory
 * running out now and then. HD_SEED and HD_STEPS choose another run; the seed is printed.
 */
#include "support/test.h"

#include <stdlib.h>

#include "heddle/edit.h"
#include "heddle/ops.h"
#include "ir/naive.h"

typedef struct run {
   uint64_t random;
   hd_shader *shader;
   hd_function *f;
   hd_def *x, *cond;
   bool fail;
} run;

static void *
failing_alloc(void *user, size_t size)
{
   return ((run *)user)->fail ? NULL : malloc(size);
}

static void
plain_free(void *user, void *ptr, size_t size)
{
   (void)user;
   (void)size;
   free(ptr);
}

static hd_def *
constant(run *r, hd_block *b, unsigned bits)
{
   hd_const *c = hd_const_create(r->shader, 1, bits, NULL);

   hd_instr_insert(hd_before_block(b), &c->instr);
   return &c->instr.def;
}

static void
begin(run *r, uint64_t seed)
{
   hd_config config = { .allocator = { r, failing_alloc, plain_free } };

   r->random = seed * 0x9e3779b97f4a7c15u | 1;
   r->fail = false;
   r->shader = hd_shader_create(&config, HD_STAGE_KERNEL, NULL);
   r->f = hd_function_create(r->shader, "flat", false);
   r->x = constant(r, hd_function_start(r->f), 32);
   r->cond = constant(r, hd_function_start(r->f), 1);
}

static void
end(run *r)
{
   const char *fault = naive_check(r->f);

   if (fault)
      fail_msg("%s", fault);
   hd_shader_destroy(r->shader);
}

static void
test_switch_lists_each_target_once(void **state)
{
   run r;

   (void)state;
   begin(&r, 1);
   hd_block *start = hd_function_start(r.f), *b[3];
   for (int n = 0; n < 3; n++)
      b[n] = hd_flat_block_create(r.f);
   const uint64_t values[] = { 5, 7, 9, UINT64_MAX };
   hd_block *const targets[] = { b[1], b[0], b[1], b[2] };
   hd_jump *jump = hd_flat_switch(start, r.x, b[0], 4, values, targets);
   assert_int_equal(start->num_succs, 3);
   assert_ptr_equal(start->succs[0].to, b[0]);
   assert_ptr_equal(start->succs[1].to, b[1]);
   assert_ptr_equal(start->succs[2].to, b[2]);
   const uint32_t expected[] = { 1, 0, 1, 2 };
   for (int n = 0; n < 4; n++)
      assert_int_equal(jump->cases[n].succ, expected[n]);
   assert_true(jump->cases[3].value == UINT32_MAX);
   for (int n = 0; n < 3; n++)
      hd_flat_halt(b[n]);
   hd_flat_clear_jump(start);
   assert_int_equal(start->num_succs, 0);
   assert_int_equal(b[1]->num_preds, 0);
   assert_true(hd_def_is_unused(r.x));
   hd_flat_return(start, NULL);
   end(&r);
}

static void
test_edges_bring_and_take_phi_sources(void **state)
{
   run r;

   (void)state;
   begin(&r, 1);
   hd_block *start = hd_function_start(r.f);
   hd_block *a = hd_flat_block_create(r.f), *b = hd_flat_block_create(r.f);
   hd_block *join = hd_flat_block_create(r.f);
   hd_flat_goto_if(start, r.cond, a, b);
   hd_flat_goto(a, join);
   hd_phi *phi = hd_phi_insert(join, 1, 32, (hd_def *[]){ r.x });
   hd_flat_goto(b, join);
   assert_int_equal(phi->num_srcs, 2);
   assert_ptr_equal(hd_phi_src_from(phi, a)->def, r.x);
   assert_int_equal(hd_def_instr(hd_phi_src_from(phi, b)->def)->kind, HD_INSTR_UNDEF);
   hd_phi_set_src(phi, b, r.x);
   hd_flat_return(join, NULL);

   assert_true(hd_flat_redirect(start, 1, join));
   assert_int_equal(phi->num_srcs, 3);
   assert_int_equal(b->num_preds, 0);
   assert_true(hd_flat_block_remove(b));
   assert_int_equal(phi->num_srcs, 2);
   assert_null(hd_node_as_block(join->node.next));
   assert_ptr_equal(join->node.prev, &a->node);
   end(&r);
}

static void
test_removal_hands_on_what_is_inside(void **state)
{
   run r;

   (void)state;
   begin(&r, 1);
   hd_block *header = hd_flat_block_create(r.f), *between = hd_flat_block_create(r.f);
   hd_block *member = hd_flat_block_create(r.f);
   hd_flat_goto(hd_function_start(r.f), header);
   hd_flat_goto_if(header, r.cond, header, member);
   hd_flat_return(between, NULL);
   hd_flat_return(member, NULL);
   between->loop_header = header;
   member->loop_header = between;
   assert_true(hd_flat_block_remove(between));
   assert_ptr_equal(member->loop_header, header);
   end(&r);
}

static void
test_split_and_declarations(void **state)
{
   run r;

   (void)state;
   begin(&r, 1);
   hd_block *start = hd_function_start(r.f);
   hd_block *header = hd_flat_block_create(r.f), *latch = hd_flat_block_create(r.f);
   hd_flat_goto(start, header);
   hd_flat_goto_if(header, r.cond, latch, hd_flat_block_create(r.f));
   hd_flat_return(hd_list_last_block(&r.f->body), NULL);
   hd_flat_goto(latch, header);
   latch->continues = header;
   header->node.header = 1;
   hd_phi *phi = hd_phi_insert(header, 1, 32, (hd_def *[]){ r.x, r.x });
   hd_def *inner = constant(&r, latch, 32);
   hd_phi_set_src(phi, latch, inner);

   hd_block *rest = hd_flat_split(hd_before_block(latch));
   assert_ptr_equal(hd_def_instr(inner)->block, rest);
   assert_ptr_equal(latch->succs[0].to, rest);
   assert_ptr_equal(hd_phi_src_from(phi, rest)->def, inner);
   assert_ptr_equal(latch->node.next, &rest->node);
   end(&r);
}

/* Random sequences */

static uint32_t
pick(run *r, uint32_t n)
{
   r->random ^= r->random << 13;
   r->random ^= r->random >> 7;
   r->random ^= r->random << 17;
   return n ? (uint32_t)(r->random >> 33) % n : 0;
}

static hd_block *
pick_block(run *r)
{
   hd_block *chosen = NULL;
   uint32_t n = 0;

   hd_foreach_block(b, r->f) {
      if (!pick(r, ++n))
         chosen = b;
   }
   return chosen;
}

static bool
set_jump(run *r, hd_block *b)
{
   hd_block *t[9], *start = hd_function_start(r->f);
   uint64_t values[8];

   if (!start->node.next)
      return hd_flat_return(b, NULL) != NULL;
   for (int n = 0; n < 9; n++) {
      do {
         t[n] = pick_block(r);
      } while (t[n] == start);
   }
   for (unsigned n = 0; n < 8; n++)
      values[n] = n;
   switch (pick(r, 8)) {
   case 0:
      return hd_flat_return(b, NULL) != NULL;
   case 1:
      return hd_flat_halt(b) != NULL;
   case 2:
   case 3:
      return hd_flat_goto(b, t[0]) != NULL;
   case 4:
      return hd_flat_switch(b, r->x, t[8], pick(r, 9), values, t) != NULL;
   default:
      return t[0] == t[1] || hd_flat_goto_if(b, r->cond, t[0], t[1]) != NULL;
   }
}

static bool
is_succ(const hd_block *b, const hd_block *t)
{
   for (uint32_t n = 0; n < b->num_succs; n++) {
      if (b->succs[n].to == t)
         return true;
   }
   return false;
}

static bool
random_edit(run *r)
{
   hd_block *b = pick_block(r), *t = pick_block(r), *start = hd_function_start(r->f);

   switch (pick(r, 8)) {
   case 0:
   case 1:
      return hd_flat_block_create(r->f) != NULL;
   case 2:
   case 3:
      if (hd_block_jump(b))
         hd_flat_clear_jump(b);
      return set_jump(r, b);
   case 4:
      if (!b->num_succs || hd_block_jump(b)->instr.op < HD_JUMP_GOTO || t == start || is_succ(b, t))
         return true;
      return hd_flat_redirect(b, pick(r, b->num_succs), t);
   case 5:
      /* The values that all use stay in the start block. */
      return hd_flat_split(b == start ? hd_after_block(b) : hd_before_block(b)) != NULL;
   case 6:
      if (b == start || (b->num_preds && !(b->num_preds == 1 && b->preds[0].from == b)))
         return true;
      return hd_flat_block_remove(b);
   default: {
      hd_def *srcs[64];
      if (b == start || b->num_preds > 64)
         return true;
      for (uint32_t n = 0; n < b->num_preds; n++)
         srcs[n] = r->x;
      return hd_phi_insert(b, 1, 32, srcs) != NULL;
   }
   }
}

static void
test_random_edits(void **state)
{
   const char *seed = getenv("HD_SEED"), *steps = getenv("HD_STEPS");
   uint64_t first_seed = seed ? strtoull(seed, NULL, 0) : 20261121;
   int num_steps = steps ? atoi(steps) : 20000, done = 0;

   (void)state;
   printf("seed %llu, %d steps\n", (unsigned long long)first_seed, num_steps);
   for (uint64_t n = 0; done < num_steps; n++) {
      run r;
      begin(&r, first_seed + n);
      hd_flat_block_create(r.f);
      hd_flat_block_create(r.f);
      for (int k = 0; k < 250 && done < num_steps; k++, done++) {
         r.fail = pick(&r, 4) == 0;
         bool ok = random_edit(&r);
         if (!ok)
            assert_true(r.fail);
         r.fail = false;
         hd_shader_clear_status(r.shader);
         const char *fault = naive_check(r.f);
         if (fault)
            fail_msg("step %d: %s", done, fault);
      }
      end(&r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_switch_lists_each_target_once),
      cmocka_unit_test(test_edges_bring_and_take_phi_sources),
      cmocka_unit_test(test_removal_hands_on_what_is_inside),
      cmocka_unit_test(test_split_and_declarations),
      cmocka_unit_test(test_random_edits),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
