/* SPDX-License-Identifier: MIT */
/* test_edit.c - what editing a tree promises, one rule a test: the seed's caveats about phis and
 * extraction by name, then cursors, instructions and jumps.
 */
#include "support/test.h"

#include <stdlib.h>

#include "heddle/analysis.h"
#include "heddle/edit.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "ir/naive.h"

typedef struct fixture {
   hd_shader *shader;
   hd_function *f;
   hd_def *cond;  /* 1 bit */
   hd_def *x, *y; /* 32 bits */
} fixture;

static hd_def *
constant(fixture *t, hd_cursor at, unsigned bits, uint64_t value)
{
   hd_const *c = hd_const_create(t->shader, 1, bits, &(hd_const_value){ .u64 = value });

   hd_instr_insert(at, &c->instr);
   return &c->instr.def;
}

static hd_def *
add(fixture *t, hd_cursor at, hd_def *a, hd_def *b)
{
   hd_alu *alu = hd_alu_create(t->shader, HD_OP_IADD, 2, 1, 32);

   hd_instr_set_src(&alu->instr, 0, a);
   hd_instr_set_src(&alu->instr, 1, b);
   hd_instr_insert(at, &alu->instr);
   return &alu->instr.def;
}

static int
setup(void **state)
{
   fixture *t = calloc(1, sizeof(*t));

   t->shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, "edit");
   t->f = hd_function_create(t->shader, "main", true);
   hd_block *start = hd_function_start(t->f);
   t->x = hd_function_add_param(t->f, 1, 32);
   t->y = constant(t, hd_after_block(start), 32, 7);
   t->cond = constant(t, hd_after_block(start), 1, 1);
   *state = t;
   return 0;
}

static int
teardown(void **state)
{
   fixture *t = *state;
   const char *fault = naive_check(t->f);

   if (fault)
      print_error("%s\n", fault);
   hd_shader_destroy(t->shader);
   free(t);
   return fault != NULL;
}

static hd_block *
last_block(fixture *t)
{
   return hd_list_last_block(&t->f->body);
}

static hd_block *
first_of(hd_cf_list *list)
{
   return hd_list_first_block(list);
}

static bool
is_undef(const hd_src *src)
{
   return hd_def_instr(src->def)->kind == HD_INSTR_UNDEF;
}

/* An if at the end of the function with a phi behind it: x from then, y from else. */
static hd_if *
if_with_phi(fixture *t, hd_phi **phi)
{
   hd_if *nif = hd_insert_if(hd_after_block(last_block(t)), t->cond);
   hd_block *after = hd_node_next_block(&nif->node);

   *phi = hd_phi_insert(after, 1, 32, NULL);
   hd_phi_set_src(*phi, first_of(&nif->then_list), t->x);
   hd_phi_set_src(*phi, first_of(&nif->else_list), t->y);
   return nif;
}

/* A loop with one conditional break in an if; the block with the break. */
static hd_loop *
loop_with_break(fixture *t, hd_block **breaking)
{
   hd_loop *loop = hd_insert_loop(hd_after_block(last_block(t)));
   hd_if *nif = hd_insert_if(hd_after_block(hd_loop_header(loop)), t->cond);

   *breaking = first_of(&nif->then_list);
   hd_insert_jump(hd_after_block(*breaking), HD_JUMP_BREAK, NULL);
   return loop;
}

/* The seed: a node inserted anywhere leaves block, node, block, and no critical edge. */

static void
test_insert_if_splits_the_block(void **state)
{
   fixture *t = *state;
   hd_block *start = hd_function_start(t->f);
   hd_if *nif = hd_insert_if(hd_before_instr(hd_def_instr(t->cond)), t->cond);
   hd_block *after = hd_node_next_block(&nif->node);

   assert_ptr_equal(hd_node_prev_block(&nif->node), start);
   assert_ptr_equal(start->last, hd_def_instr(t->y));
   assert_ptr_equal(after->first, hd_def_instr(t->cond));
   assert_int_equal(start->num_succs, 2);
   assert_ptr_equal(start->succs[0].to, first_of(&nif->then_list));
   assert_ptr_equal(start->succs[1].to, first_of(&nif->else_list));
   assert_ptr_equal(after->succs[0].to, &t->f->end);
}

static void
test_exchanged_arms_keep_their_phi_sources(void **state)
{
   fixture *t = *state;
   hd_block *start = hd_function_start(t->f);
   hd_if *nif = hd_insert_if(hd_after_block(start), t->cond);
   hd_block *then_block = hd_list_first_block(&nif->then_list);
   hd_block *else_block = hd_list_first_block(&nif->else_list);
   hd_block *after = hd_node_next_block(&nif->node);
   hd_def *sum = add(t, hd_after_block(then_block), t->x, t->y);
   hd_phi *phi = hd_phi_insert(after, 1, 32, (hd_def *[]){ t->y, t->y });

   hd_phi_set_src(phi, then_block, sum);
   hd_require(t->f, HD_META_DOMINANCE);
   hd_if_exchange_arms(nif);
   assert_ptr_equal(hd_list_first_block(&nif->then_list), else_block);
   assert_ptr_equal(hd_list_first_block(&nif->else_list), then_block);
   assert_ptr_equal(start->succs[0].to, else_block);
   assert_ptr_equal(start->succs[1].to, then_block);
   assert_ptr_equal(hd_phi_src_from(phi, then_block)->def, sum);
   assert_ptr_equal(hd_phi_src_from(phi, else_block)->def, t->y);
   assert_int_equal(t->f->meta_valid & HD_META_DOMINANCE, 0);
}

static void
test_insert_loop_has_preheader_latch_and_two_edges_in(void **state)
{
   fixture *t = *state;
   hd_loop *loop = hd_insert_loop(hd_after_block(last_block(t)));
   hd_block *header = hd_loop_header(loop), *latch = hd_loop_latch(loop);

   assert_int_equal(header->num_preds, 2);
   assert_ptr_equal(header->preds[0].from, hd_node_prev_block(&loop->node));
   assert_ptr_equal(header->preds[1].from, latch);
   assert_ptr_equal(header->succs[0].to, latch);
   assert_int_equal(hd_node_next_block(&loop->node)->num_preds, 0);
}

static void
test_nodes_in_a_row_keep_padding_blocks(void **state)
{
   fixture *t = *state;
   hd_if *first = hd_insert_if(hd_after_block(last_block(t)), t->cond);
   hd_loop *second = hd_insert_loop(hd_after_node(&first->node));

   assert_ptr_equal(hd_node_next_block(&first->node), hd_node_prev_block(&second->node));
   assert_null(hd_node_next_block(&first->node)->first);
}

/* The seed: phis belong to the piece of control flow that their sources come from. */

static void
test_extracting_an_if_takes_its_phis(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *nif = if_with_phi(t, &phi);
   hd_block *before = hd_node_prev_block(&nif->node);
   hd_def *user = add(t, hd_after_block(last_block(t)), &phi->instr.def, t->x);
   hd_cf_range range;

   assert_true(hd_cf_extract(&range, hd_before_node(&nif->node), hd_after_node(&nif->node)));
   /* The phi went; its user came together with what stood before the if. */
   assert_ptr_equal(last_block(t), before);
   assert_ptr_equal(before->last, hd_def_instr(user));
   assert_ptr_equal(hd_list_last_block(range.list)->first, &phi->instr);
   assert_true(hd_cf_reinsert(&range, hd_before_instr(hd_def_instr(user))));
   assert_ptr_equal(hd_phi_src_from(phi, first_of(&nif->then_list))->def, t->x);
   assert_ptr_equal(hd_phi_src_from(phi, first_of(&nif->else_list))->def, t->y);
   assert_ptr_equal(phi->instr.next, hd_def_instr(user));
}

static void
test_extracting_from_a_blocks_beginning_begins_after_its_phis(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *nif = if_with_phi(t, &phi);
   hd_block *after = hd_node_next_block(&nif->node);
   hd_def *sum = add(t, hd_after_block(after), &phi->instr.def, t->x);
   hd_cf_range range;

   assert_true(hd_cf_extract(&range, hd_before_block(after), hd_after_block(after)));
   assert_ptr_equal(after->first, &phi->instr);
   assert_ptr_equal(after->last, &phi->instr);
   assert_ptr_equal(hd_list_first_block(range.list)->first, hd_def_instr(sum));
   assert_true(hd_cf_delete(&range));
   assert_true(hd_def_is_unused(&phi->instr.def));
}

static void
test_a_loop_keeps_its_phis_when_its_lists_are_taken(void **state)
{
   fixture *t = *state;
   hd_block *breaking;
   hd_loop *loop = loop_with_break(t, &breaking);
   hd_phi *at_header = hd_phi_insert(hd_loop_header(loop), 1, 32, (hd_def *[]){ t->x, t->y });
   hd_phi *at_continue = hd_phi_insert(hd_loop_continue(loop), 1, 32, (hd_def *[]){ t->x });
   hd_cf_range range;

   assert_true(hd_cf_extract_list(&range, &loop->body));
   assert_ptr_equal(hd_loop_header(loop)->first, &at_header->instr);
   assert_ptr_equal(hd_loop_header(loop), hd_list_last_block(&loop->body));
   assert_int_equal(at_header->num_srcs, 2);
   assert_true(hd_cf_reinsert(&range, hd_list_start(&loop->body)));
   assert_true(hd_cf_extract_list(&range, &loop->continue_list));
   assert_ptr_equal(hd_loop_continue(loop)->first, &at_continue->instr);
   assert_true(hd_cf_delete(&range));
   assert_int_equal(at_header->num_srcs, 2);
}

/* The seed: sources stay one-to-one with predecessors, and the originals are kept. */

static void
test_inserting_before_a_phis_edge_keeps_its_source(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *nif = if_with_phi(t, &phi);
   hd_if *inner = hd_insert_if(hd_list_end(&nif->then_list), t->cond);
   hd_block *now = hd_node_next_block(&inner->node);

   assert_int_equal(phi->num_srcs, 2);
   assert_ptr_equal(hd_phi_src_from(phi, now)->def, t->x);
   assert_null(hd_phi_src_from(phi, hd_node_prev_block(&inner->node)));
}

static void
test_a_deleted_break_takes_its_phi_source_with_it(void **state)
{
   fixture *t = *state;
   hd_block *breaking, *other;
   hd_loop *loop = loop_with_break(t, &breaking);
   hd_if *nif = hd_insert_if(hd_list_start(&loop->body), t->cond);
   other = first_of(&nif->then_list);
   hd_insert_jump(hd_after_block(other), HD_JUMP_BREAK, NULL);
   hd_phi *phi = hd_phi_insert(hd_node_next_block(&loop->node), 1, 32, NULL);
   hd_phi_set_src(phi, breaking, t->x);
   hd_phi_set_src(phi, other, t->y);
   assert_int_equal(phi->num_srcs, 2);

   hd_cf_range range;
   hd_if *first = hd_node_as_if(breaking->node.list->parent);
   assert_true(hd_cf_extract(&range, hd_before_node(&first->node), hd_after_node(&first->node)));
   /* While it is out the edge of the break is kept, and its source with it. */
   assert_int_equal(phi->num_srcs, 2);
   assert_true(hd_cf_delete(&range));
   assert_int_equal(phi->num_srcs, 1);
   assert_ptr_equal(hd_phi_src_from(phi, other)->def, t->y);
}

static void
test_a_new_break_adds_an_undef_source(void **state)
{
   fixture *t = *state;
   hd_block *breaking;
   hd_loop *loop = loop_with_break(t, &breaking);
   hd_phi *phi = hd_phi_insert(hd_node_next_block(&loop->node), 1, 32, (hd_def *[]){ t->x });
   hd_if *nif = hd_insert_if(hd_list_start(&loop->continue_list), t->cond);

   assert_non_null(hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_BREAK, NULL));
   assert_int_equal(phi->num_srcs, 2);
   assert_ptr_equal(hd_phi_src_from(phi, breaking)->def, t->x);
   assert_true(is_undef(hd_phi_src_from(phi, first_of(&nif->then_list))));
}

static void
test_a_continue_waits_at_the_continue_list(void **state)
{
   fixture *t = *state;
   hd_loop *loop = hd_insert_loop(hd_after_block(last_block(t)));
   hd_if *nif = hd_insert_if(hd_list_end(&loop->body), t->cond);
   hd_phi *phi = hd_phi_insert(hd_loop_continue(loop), 1, 32, (hd_def *[]){ t->x });

   hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_CONTINUE, NULL);
   assert_ptr_equal(first_of(&nif->then_list)->succs[0].to, hd_loop_continue(loop));
   assert_int_equal(hd_loop_header(loop)->num_preds, 2);
   assert_int_equal(phi->num_srcs, 2);
}

static void
test_an_arm_that_jumps_leaves_the_phi_after_the_if(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *nif = if_with_phi(t, &phi);
   hd_block *arm = first_of(&nif->then_list);
   hd_jump *jump = hd_insert_jump(hd_after_block(arm), HD_JUMP_RETURN, NULL);

   assert_int_equal(phi->num_srcs, 1);
   assert_ptr_equal(phi->srcs[0].src.def, t->y);
   assert_true(hd_jump_remove(jump));
   assert_int_equal(phi->num_srcs, 2);
   assert_true(is_undef(hd_phi_src_from(phi, arm)));
}

/* The seed: SSA dominance is not maintained; uses of what was deleted are undef here. */

static void
test_extracted_values_keep_their_uses(void **state)
{
   fixture *t = *state;
   hd_def *sum = add(t, hd_after_block(last_block(t)), t->x, t->y);
   hd_def *user = add(t, hd_after_block(last_block(t)), sum, sum);
   hd_cf_range range;

   assert_true(hd_cf_extract(&range, hd_before_instr(hd_def_instr(sum)),
                             hd_after_instr(hd_def_instr(sum))));
   assert_ptr_equal(hd_instr_src(hd_def_instr(user), 0)->def, sum);
   assert_true(hd_cf_delete(&range));
   assert_true(is_undef(hd_instr_src(hd_def_instr(user), 0)));
   assert_true(is_undef(hd_instr_src(hd_def_instr(user), 1)));
}

static void
test_code_after_a_new_jump_is_deleted(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *outer = hd_insert_if(hd_after_block(last_block(t)), t->cond);
   hd_block *arm = first_of(&outer->then_list);
   hd_def *lost = add(t, hd_after_block(arm), t->x, t->x);
   hd_if *inner = hd_insert_if(hd_after_block(arm), t->cond);
   add(t, hd_list_end(&inner->else_list), lost, t->x);
   phi = hd_phi_insert(hd_node_next_block(&outer->node), 1, 32, NULL);
   hd_phi_set_src(phi, hd_list_last_block(&outer->then_list), lost);
   hd_phi_set_src(phi, first_of(&outer->else_list), t->y);
   hd_def *kept = add(t, hd_after_block(last_block(t)), lost, t->y);

   assert_non_null(hd_insert_jump(hd_before_instr(hd_def_instr(lost)), HD_JUMP_HALT, NULL));
   assert_ptr_equal(outer->then_list.first, outer->then_list.last);
   assert_int_equal(arm->first->kind, HD_INSTR_JUMP);
   assert_int_equal(phi->num_srcs, 1);
   assert_true(is_undef(hd_instr_src(hd_def_instr(kept), 0)));
}

static void
test_taking_a_jump_lets_control_fall_through(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *nif = if_with_phi(t, &phi);
   hd_block *arm = first_of(&nif->then_list);
   hd_insert_jump(hd_after_block(arm), HD_JUMP_RETURN, NULL);
   hd_cf_range range;

   assert_true(hd_cf_extract_list(&range, &nif->then_list));
   assert_int_equal(phi->num_srcs, 2);
   assert_ptr_equal(arm->succs[0].to, phi->instr.block);
   /* Put back at the end of the function: what is behind it goes. */
   hd_def *gone = add(t, hd_after_block(last_block(t)), t->x, t->y);
   assert_true(hd_cf_reinsert(&range, hd_before_instr(hd_def_instr(gone))));
   assert_null(range.list);
   assert_int_equal(last_block(t)->last->kind, HD_INSTR_JUMP);
   assert_ptr_equal(last_block(t)->first, &phi->instr);
}

/* The undef at the head of the function is itself behind the place, so another one is needed. */
static void
test_an_undef_that_is_deleted_replaces_nothing(void **state)
{
   fixture *t = *state;
   hd_instr *undef = hd_undef_create(t->shader, 1, 32);
   hd_instr_insert(hd_before_block(hd_function_start(t->f)), undef);
   hd_if *nif = hd_insert_if(hd_after_block(last_block(t)), t->cond);
   hd_def *lost = add(t, hd_before_node(&nif->node), t->x, t->y);
   hd_def *also_lost = add(t, hd_after_node(&nif->node), t->x, t->y);
   hd_def *sum = add(t, hd_after_block(last_block(t)), lost, also_lost);
   hd_insert_jump(hd_after_block(last_block(t)), HD_JUMP_RETURN, NULL);
   hd_cf_range range;

   assert_true(
       hd_cf_extract(&range, hd_before_instr(hd_def_instr(sum)), hd_after_block(last_block(t))));
   assert_true(hd_cf_reinsert(&range, hd_before_instr(undef)));
   assert_ptr_equal(hd_instr_src(hd_def_instr(sum), 0)->def,
                    hd_instr_src(hd_def_instr(sum), 1)->def);
   assert_true(is_undef(hd_instr_src(hd_def_instr(sum), 0)));
   assert_ptr_equal(t->f->body.first, t->f->body.last);
}

static void
test_removing_a_node_joins_its_neighbours(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *nif = if_with_phi(t, &phi);
   hd_block *before = hd_node_prev_block(&nif->node);
   hd_def *user = add(t, hd_after_block(last_block(t)), &phi->instr.def, t->x);

   assert_true(hd_node_remove(&nif->node));
   assert_ptr_equal(last_block(t), before);
   assert_ptr_equal(hd_def_instr(user)->block, before);
   assert_true(is_undef(hd_instr_src(hd_def_instr(user), 0)));
   assert_ptr_equal(before->succs[0].to, &t->f->end);
}

static void
test_a_range_moves_between_lists(void **state)
{
   fixture *t = *state;
   hd_if *from = hd_insert_if(hd_after_block(last_block(t)), t->cond);
   hd_loop *to = hd_insert_loop(hd_after_block(last_block(t)));
   hd_if *moved = hd_insert_if(hd_list_end(&from->then_list), t->cond);
   hd_def *sum = add(t, hd_after_node(&moved->node), t->x, t->y);
   hd_cf_range range;

   assert_true(hd_cf_extract_list(&range, &from->then_list));
   assert_true(hd_cf_reinsert(&range, hd_list_start(&to->continue_list)));
   assert_ptr_equal(moved->node.list, &to->continue_list);
   assert_ptr_equal(hd_def_instr(sum)->block, hd_loop_latch(to));
   assert_ptr_equal(from->then_list.first, from->then_list.last);
}

static void
test_an_empty_range(void **state)
{
   fixture *t = *state;
   hd_if *nif = hd_insert_if(hd_after_block(last_block(t)), t->cond);
   hd_jump *jump = hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_RETURN, NULL);
   hd_cf_range range;

   assert_true(hd_cf_extract(&range, hd_list_end(&nif->then_list), hd_list_end(&nif->then_list)));
   assert_ptr_equal(hd_block_jump(first_of(&nif->then_list)), jump);
   assert_null(hd_list_first_block(range.list)->first);
   assert_true(hd_cf_reinsert(&range, hd_list_start(&nif->else_list)));
   assert_null(first_of(&nif->else_list)->first);
}

/* Cursors */

static void
test_cursors_stay_off_phis_and_jumps(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *nif = if_with_phi(t, &phi);
   hd_block *after = hd_node_next_block(&nif->node);
   hd_jump *jump = hd_insert_jump(hd_after_block(after), HD_JUMP_RETURN, NULL);

   hd_def *a = constant(t, hd_after_block(after), 32, 1);
   assert_ptr_equal(hd_def_instr(a)->next, &jump->instr);
   hd_def *b = constant(t, hd_after_instr(&jump->instr), 32, 2);
   assert_ptr_equal(hd_def_instr(b)->next, &jump->instr);
   hd_def *c = constant(t, hd_before_block(after), 32, 3);
   assert_ptr_equal(hd_def_instr(c)->prev, &phi->instr);
   hd_def *d = constant(t, hd_before_instr(&phi->instr), 32, 4);
   assert_ptr_equal(hd_def_instr(d)->prev, &phi->instr);
   hd_def *e = constant(t, hd_after_instr(&phi->instr), 32, 5);
   assert_ptr_equal(hd_def_instr(e)->prev, &phi->instr);
   hd_def *g = constant(t, hd_before_block(hd_function_start(t->f)), 32, 6);
   assert_ptr_equal(hd_def_instr(g)->prev, hd_def_instr(t->x));

   assert_true(hd_cursor_equal(hd_before_block(after), hd_after_phis(after)));
   assert_true(hd_cursor_equal(hd_before_block(after), hd_before_instr(hd_def_instr(e))));
   assert_true(hd_cursor_equal(hd_after_block(after), hd_before_jump(after)));
   assert_true(hd_cursor_equal(hd_after_node(&nif->node), hd_after_phis(after)));
   assert_true(hd_cursor_equal(hd_after_node(&after->node), hd_after_block(after)));
   assert_true(hd_cursor_equal(hd_before_node(&after->node), hd_before_block(after)));
   assert_false(hd_cursor_equal(hd_before_block(after), hd_after_block(after)));
}

static void
test_the_place_before_a_use(void **state)
{
   fixture *t = *state;
   hd_phi *phi;
   hd_if *nif = if_with_phi(t, &phi);
   hd_def *sum = add(t, hd_after_block(last_block(t)), t->x, t->y);
   hd_block *arm = first_of(&nif->then_list);

   assert_true(hd_cursor_equal(hd_before_use(hd_instr_src(hd_def_instr(sum), 1)),
                               hd_before_instr(hd_def_instr(sum))));
   assert_true(hd_cursor_equal(hd_before_use(hd_phi_src_from(phi, arm)), hd_after_block(arm)));
   assert_true(
       hd_cursor_equal(hd_before_use(&nif->cond), hd_after_block(hd_node_prev_block(&nif->node))));
}

/* Instructions and uses */

static void
test_replacing_all_uses(void **state)
{
   fixture *t = *state;
   hd_def *sum = add(t, hd_after_block(last_block(t)), t->y, t->y);
   hd_def *other = add(t, hd_after_block(last_block(t)), t->x, sum);
   unsigned n = 0;

   hd_def_replace_uses(t->y, t->x);
   assert_true(hd_def_is_unused(t->y));
   hd_foreach_use(src, t->x)
      n += src->def == t->x;
   assert_int_equal(n, 3);
   hd_def_replace_uses(t->x, t->x);
   hd_def_replace_uses(other, t->x);
   hd_instr_remove(hd_def_instr(other));
   assert_true(hd_def_is_unused(sum));
}

static void
test_moving_and_cloning_an_instruction(void **state)
{
   fixture *t = *state;
   hd_def *first = add(t, hd_after_block(last_block(t)), t->x, t->y);
   hd_def *second = add(t, hd_after_block(last_block(t)), t->y, t->y);

   hd_instr_move(hd_before_instr(hd_def_instr(first)), hd_def_instr(second));
   assert_ptr_equal(hd_def_instr(second)->next, hd_def_instr(first));
   hd_instr_move(hd_before_instr(hd_def_instr(first)), hd_def_instr(first));
   assert_ptr_equal(hd_def_instr(second)->next, hd_def_instr(first));
   hd_instr_move(hd_after_instr(hd_def_instr(first)), hd_def_instr(first));
   assert_ptr_equal(last_block(t)->last, hd_def_instr(first));

   hd_def_instr(first)->flags = HD_FP_EXACT;
   hd_instr *copy = hd_instr_clone(t->shader, hd_def_instr(first));
   hd_instr_insert(hd_after_block(last_block(t)), copy);
   assert_int_equal(copy->op, HD_OP_IADD);
   assert_int_equal(copy->flags, HD_FP_EXACT);
   assert_ptr_equal(hd_instr_src(copy, 0)->def, t->x);
   assert_int_not_equal(copy->def.index, first->index);

   hd_const_value vec[4] = { { .u32 = 1 }, { .u32 = 2 }, { .u32 = 3 }, { .u64 = UINT64_MAX } };
   hd_const *c = hd_const_create(t->shader, 4, 32, vec);
   assert_true(c->value[3].u64 == UINT32_MAX);
   hd_instr *d = hd_instr_clone(t->shader, &c->instr);
   assert_memory_equal(hd_instr_as_const(d)->value, c->value, sizeof(vec));
   hd_instr_free(t->shader, &c->instr);
   hd_instr_free(t->shader, d);
   assert_null(hd_instr_clone(t->shader, hd_def_instr(t->x)));
}

static void
test_variables_and_calls(void **state)
{
   fixture *t = *state;
   hd_function *callee = hd_function_create(t->shader, "callee", true);
   hd_function_add_param(callee, 1, 32);
   hd_def *second = hd_function_add_param(callee, 1, 32);
   assert_int_equal(hd_instr_as_param(hd_def_instr(second))->param_index, 1);
   hd_function_set_result(callee, 2, 16);
   hd_var *scalar = hd_var_create(t->f, NULL, 4, 32, 0),
          *array = hd_var_create(t->f, "v", 1, 32, 8);
   assert_string_equal(scalar->name, "v");
   assert_string_equal(array->name, "v1");

   hd_call *call = hd_call_create(t->shader, callee, 2);
   hd_instr_set_src(&call->instr, 0, t->x);
   hd_instr_set_src(&call->instr, 1, t->y);
   hd_instr_insert(hd_after_block(last_block(t)), &call->instr);
   hd_instr *copy = hd_instr_clone(t->shader, &call->instr);
   hd_instr_insert(hd_after_block(last_block(t)), copy);
   assert_int_equal(copy->def.num_components, 2);
   assert_int_equal(copy->def.bit_size, 16);
   assert_ptr_equal(hd_instr_src(copy, 1)->def, t->y);

   hd_var_access *load = hd_load_var_create(t->shader, scalar);
   assert_int_equal(load->instr.num_srcs, 0);
   hd_instr_insert(hd_after_block(last_block(t)), &load->instr);
   hd_var_access *store = hd_store_var_create(t->shader, array);
   assert_int_equal(store->instr.num_srcs, 2);
   hd_instr_set_src(&store->instr, 0, t->y);
   hd_instr_set_src(&store->instr, 1, t->x);
   hd_instr_insert(hd_after_block(last_block(t)), &store->instr);
   copy = hd_instr_clone(t->shader, &store->instr);
   assert_ptr_equal(hd_instr_as_var_access(copy)->var, array);
   hd_instr_free(t->shader, copy);
   hd_instr_remove(&store->instr);
   hd_var_remove(t->f, array);
   assert_null(scalar->next);
}

static void
test_marks_are_lent_once(void **state)
{
   fixture *t = *state;

   hd_function_borrow_marks(t->f);
   t->x->mark = 3;
   hd_function_release_marks(t->f);
   hd_function_borrow_marks(t->f);
   assert_int_equal(t->x->mark, 0);
   hd_function_start(t->f)->node.mark = 3;
   hd_function_release_marks(t->f);
   hd_function_borrow_node_marks(t->f);
   assert_int_equal(hd_function_start(t->f)->node.mark, 0);
   hd_function_release_marks(t->f);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
   const struct CMUnitTest tests[] = {
      TEST(test_insert_if_splits_the_block),
      TEST(test_exchanged_arms_keep_their_phi_sources),
      TEST(test_insert_loop_has_preheader_latch_and_two_edges_in),
      TEST(test_nodes_in_a_row_keep_padding_blocks),
      TEST(test_extracting_an_if_takes_its_phis),
      TEST(test_extracting_from_a_blocks_beginning_begins_after_its_phis),
      TEST(test_a_loop_keeps_its_phis_when_its_lists_are_taken),
      TEST(test_inserting_before_a_phis_edge_keeps_its_source),
      TEST(test_a_deleted_break_takes_its_phi_source_with_it),
      TEST(test_a_new_break_adds_an_undef_source),
      TEST(test_a_continue_waits_at_the_continue_list),
      TEST(test_an_arm_that_jumps_leaves_the_phi_after_the_if),
      TEST(test_extracted_values_keep_their_uses),
      TEST(test_code_after_a_new_jump_is_deleted),
      TEST(test_taking_a_jump_lets_control_fall_through),
      TEST(test_an_undef_that_is_deleted_replaces_nothing),
      TEST(test_removing_a_node_joins_its_neighbours),
      TEST(test_a_range_moves_between_lists),
      TEST(test_an_empty_range),
      TEST(test_cursors_stay_off_phis_and_jumps),
      TEST(test_the_place_before_a_use),
      TEST(test_replacing_all_uses),
      TEST(test_moving_and_cloning_an_instruction),
      TEST(test_variables_and_calls),
      TEST(test_marks_are_lent_once),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
