/* SPDX-License-Identifier: MIT */
/* test_edit_random.c - random editing sequences keep every invariant after every step, and a call
 * that runs out of memory changes nothing.
 *
 * HD_SEED and HD_STEPS choose another run; the seed is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "heddle/edit.h"
#include "heddle/ops.h"
#include "ir/naive.h"

typedef struct run {
   uint64_t random;
   hd_shader *shader;
   hd_function *f;
   bool fail; /* allocations fail while set */
   size_t live;
} run;

static void *
counted_alloc(void *user, size_t size)
{
   run *r = user;

   if (r->fail)
      return NULL;
   r->live += size;
   return malloc(size);
}

static void
counted_free(void *user, void *ptr, size_t size)
{
   run *r = user;

   r->live -= size;
   free(ptr);
}

static uint32_t
pick(run *r, uint32_t n)
{
   r->random ^= r->random << 13;
   r->random ^= r->random >> 7;
   r->random ^= r->random << 17;
   return n ? (uint32_t)(r->random >> 33) % n : 0;
}

/* Random things of the function, each as likely as the others of its kind. */

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

static hd_cf_node *
pick_node(run *r)
{
   hd_cf_node *chosen = NULL;
   uint32_t n = 0;

   hd_foreach_node(c, r->f) {
      if (c->kind != HD_CF_BLOCK && !pick(r, ++n))
         chosen = c;
   }
   return chosen;
}

static hd_def *
pick_def(run *r, unsigned bits)
{
   hd_def *chosen = NULL;
   uint32_t n = 0;

   hd_foreach_block(b, r->f) {
      hd_foreach_instr(i, b) {
         if (i->def.bit_size == bits && i->def.num_components == 1 && !pick(r, ++n))
            chosen = &i->def;
      }
   }
   return chosen;
}

static hd_instr *
pick_instr(run *r, const hd_block *b)
{
   hd_instr *chosen = NULL;
   uint32_t n = 0;

   hd_foreach_instr(i, b) {
      if (!pick(r, ++n))
         chosen = i;
   }
   return chosen;
}

static hd_cursor
pick_cursor_in(run *r, hd_block *b)
{
   hd_instr *i = pick_instr(r, b);

   switch (i ? pick(r, 4) : pick(r, 2)) {
   case 0:
      return hd_before_block(b);
   case 1:
      return hd_after_block(b);
   case 2:
      return hd_before_instr(i);
   default:
      return hd_after_instr(i);
   }
}

static hd_cursor
pick_cursor(run *r)
{
   return pick_cursor_in(r, pick_block(r));
}

/* The edits. Each returns false when it could not do its work for lack of memory. */

static bool
insert_alu(run *r)
{
   bool compare = pick(r, 2);
   hd_alu *alu = hd_alu_create(r->shader, compare ? HD_OP_ULT : HD_OP_IADD, 2, 1, compare ? 1 : 32);

   if (!alu)
      return false;
   hd_src_set(&alu->instr, 0, pick_def(r, 32));
   hd_src_set(&alu->instr, 1, pick_def(r, 32));
   hd_instr_insert(pick_cursor(r), &alu->instr);
   return true;
}

static bool
insert_phi(run *r)
{
   hd_block *b = pick_block(r);
   hd_def *srcs[64];

   if (b == hd_function_start(r->f) || b->num_preds > 64)
      return true;
   for (uint32_t n = 0; n < b->num_preds; n++)
      srcs[n] = pick_def(r, 32);
   return hd_phi_insert(b, 1, 32, srcs) != NULL;
}

static bool
insert_node(run *r)
{
   if (pick(r, 3))
      return hd_insert_if(pick_cursor(r), pick_def(r, 1)) != NULL;
   return hd_insert_loop(pick_cursor(r)) != NULL;
}

/* Is the block in a continue list of its innermost loop? And is it right in such a list? */
static bool
in_continue_list(const hd_block *b, bool *directly)
{
   *directly = true;
   for (const hd_cf_list *list = b->node.list; list->parent; list = list->parent->list) {
      hd_loop *loop = hd_node_as_loop(list->parent);
      if (loop)
         return list == &loop->continue_list;
      *directly = false;
   }
   return false;
}

static bool
insert_jump(run *r)
{
   hd_cursor c = pick_cursor(r);
   hd_block *b = hd_cursor_block(c);
   hd_jump_kind kind = (hd_jump_kind)pick(r, 4);
   bool directly, in_continue = in_continue_list(b, &directly);

   if (kind <= HD_JUMP_CONTINUE && !hd_node_loop(&b->node))
      return true;
   if (in_continue && (directly || kind == HD_JUMP_CONTINUE))
      return true;
   return hd_insert_jump(c, kind, NULL) != NULL;
}

static bool
remove_jump(run *r)
{
   hd_jump *jump = hd_block_jump(pick_block(r));

   return !jump || hd_jump_remove(jump);
}

static bool
remove_node(run *r)
{
   hd_cf_node *node = pick_node(r);

   return !node || hd_node_remove(node);
}

static bool
move_or_remove_instr(run *r)
{
   hd_instr *i = pick_instr(r, pick_block(r));

   if (!i || i->kind == HD_INSTR_JUMP || i->kind == HD_INSTR_PARAM)
      return true;
   if (i->kind != HD_INSTR_PHI && pick(r, 2)) {
      hd_cursor c = pick_cursor(r);
      bool itself =
          (c.option == HD_CURSOR_BEFORE_INSTR || c.option == HD_CURSOR_AFTER_INSTR) && c.instr == i;
      if (!itself)
         hd_instr_move(c, i);
      return true;
   }
   if (i->def.bit_size) {
      hd_def *other = pick_def(r, i->def.bit_size);
      if (other == &i->def)
         return true;
      hd_def_replace_uses(&i->def, other);
   }
   hd_instr_remove(i);
   return true;
}

static bool
rewrite_src(run *r)
{
   hd_instr *i = pick_instr(r, pick_block(r));

   if (i && hd_instr_num_srcs(i)) {
      hd_src *src = hd_instr_src(i, pick(r, hd_instr_num_srcs(i)));
      hd_src_rewrite(src, pick_def(r, src->def->bit_size));
   }
   return true;
}

/* A place for code that was taken from `from`: the same loop, the same side of its continue list,
 * and not right in a continue list if the code ends in a jump.
 */
static bool
pick_home(run *r, const hd_loop *loop, bool in_continue, bool jumps, hd_cursor *home)
{
   for (int tries = 0; tries < 20; tries++) {
      hd_cursor c = pick_cursor(r);
      bool directly, there = in_continue_list(hd_cursor_block(c), &directly);
      if (hd_node_loop(&hd_cursor_block(c)->node) == loop && there == in_continue &&
          !(there && directly && jumps)) {
         *home = c;
         return true;
      }
   }
   return false;
}

/* Two places of one list, the first not after the second. */
static void
pick_span(run *r, hd_cursor *begin, hd_cursor *end)
{
   hd_block *b1 = pick_block(r), *b2 = b1;

   for (hd_cf_node *n = b1->node.next; n; n = n->next) {
      if (n->kind == HD_CF_BLOCK && pick(r, 2))
         b2 = hd_node_as_block(n);
   }
   *begin = pick_cursor_in(r, b1);
   *end = pick_cursor_in(r, b2);
   if (b1 != b2)
      return;
   /* Within one block: from a place to the end, or all of it. */
   if (pick(r, 2))
      *begin = hd_before_block(b1);
   else
      *end = hd_after_block(b1);
}

static bool
extract(run *r)
{
   hd_cursor begin, end, home;
   hd_cf_range range;

   pick_span(r, &begin, &end);
   hd_block *b = hd_cursor_block(begin);
   const hd_loop *loop = hd_node_loop(&b->node);
   bool directly, in_continue = in_continue_list(b, &directly);
   if (!hd_cf_extract(&range, begin, end))
      return false;
   assert_int_equal(r->f->num_extracted, 1);
   bool jumps = hd_block_jump(hd_list_last_block(range.list)) != NULL;
   bool put_back = pick(r, 4) && pick_home(r, loop, in_continue, jumps, &home);
   bool failing = r->fail;
   if (put_back && !hd_cf_reinsert(&range, home)) {
      assert_true(failing);
      put_back = false;
   }
   /* What is out must not stay out: memory is there again for this. */
   r->fail = false;
   if (!put_back)
      assert_true(hd_cf_delete(&range));
   r->fail = failing;
   assert_null(range.list);
   return true;
}

static bool
remove_everything(run *r)
{
   hd_cf_range range;

   if (!hd_cf_extract_list(&range, &r->f->body))
      return false;
   bool failing = r->fail;
   r->fail = false;
   assert_true(hd_cf_delete(&range));
   r->fail = failing;
   return true;
}

typedef bool (*edit)(run *r);

/* As often as they stand here: so that functions grow to a hundred blocks between their losses. */
static const edit edits[] = {
   insert_alu,  insert_alu,  insert_alu,  insert_alu,  insert_alu,  insert_alu,
   insert_alu,  insert_alu,  insert_node, insert_node, insert_node, insert_node,
   insert_node, insert_node, insert_node, insert_phi,  insert_phi,  insert_phi,
   rewrite_src, rewrite_src, remove_jump, remove_node, insert_jump, move_or_remove_instr,
   extract,     extract,
};

static void
reserve_values(run *r)
{
   /* At least one value of each type that the edits look for. */
   if (pick_def(r, 32) && pick_def(r, 1))
      return;
   hd_const *c = hd_const_create(r->shader, 1, 32, NULL),
            *d = hd_const_create(r->shader, 1, 1, NULL);
   hd_instr_insert(hd_before_block(hd_function_start(r->f)), &c->instr);
   hd_instr_insert(hd_before_block(hd_function_start(r->f)), &d->instr);
}

static void
step(run *r, int number)
{
   uint32_t which = pick(r, sizeof(edits) / sizeof(edits[0]));
   edit e = edits[which];

   /* Indices of removed blocks stay given out; what is left after a new count is the true size. */
   if (r->f->num_blocks > 400) {
      hd_function_reindex(r->f);
      if (r->f->num_blocks > 200)
         e = remove_everything;
   }
   reserve_values(r);
   r->fail = pick(r, 4) == 0;
   char *before = r->fail && e != extract ? naive_picture(r->f) : NULL;
   bool done = e(r);
   if (!done) {
      assert_true(r->fail);
      assert_int_equal(hd_shader_status(r->shader), HD_OUT_OF_MEMORY);
      hd_shader_clear_status(r->shader);
      if (before) {
         char *after = naive_picture(r->f);
         assert_string_equal(before, after);
         free(after);
      }
   }
   free(before);
   r->fail = false;
   const char *fault = naive_check(r->f);
   if (fault)
      fail_msg("step %d, edit %u: %s", number, which, fault);
}

static void
test_random_edits(void **state)
{
   const char *seed = getenv("HD_SEED"), *steps = getenv("HD_STEPS");
   uint64_t first_seed = seed ? strtoull(seed, NULL, 0) : 20261121;
   int num_steps = steps ? atoi(steps) : 40000;
   int done = 0;

   (void)state;
   printf("seed %llu, %d steps\n", (unsigned long long)first_seed, num_steps);
   for (uint64_t n = 0; done < num_steps; n++) {
      run r = { .random = (first_seed + n) * 0x9e3779b97f4a7c15u | 1 };
      hd_config config = { .allocator = { &r, counted_alloc, counted_free } };
      r.shader = hd_shader_create(&config, HD_STAGE_COMPUTE, "random");
      r.f = hd_function_create(r.shader, "main", true);
      assert_null(naive_check(r.f));
      hd_function_add_param(r.f, 1, 32);
      for (int k = 0; k < 1000 && done < num_steps; k++)
         step(&r, done++);
      hd_function_remove(r.f);
      size_t left = hd_shader_memory(r.shader).live;
      /* Strings, tables and the shader itself: everything of the function is gone. */
      assert_true(left < 2000);
      hd_shader_destroy(r.shader);
      assert_int_equal(r.live, 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_edits) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
