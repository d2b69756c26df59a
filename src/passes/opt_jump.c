/* SPDX-License-Identifier: MIT */
/* opt_jump.c - remove redundant jumps, flatten nesting, remove loops that run once.
 *
 *    if c { A  break } else { B }  C              =>   if c { A  break }  B  C
 *    if c { A  continue } else { B  break }       =>   if c { } else { B  break }  A  continue
 *    loop { A  if c { B  continue }  C }          =>   loop { A  if c { B } else { C } }
 *    if c { A  return %x }  B  return %y          =>   if c { A } else { B }  return phi(%x, %y)
 *    loop { A  continue }                         =>   loop { A }
 *    loop { A  if c { B  break }  C  break }      =>   A  if c { B } else { C }
 *
 * Three walks; each moves a node or an instruction at most once:
 *
 *  1. If one arm of an `if` jumps, the code of the other arm moves after the `if` (early exit,
 *     less nesting). If both jump, one of them moves: the one whose jump would then be redundant,
 *     if any, else the else-arm.
 *  2. Backwards: if an arm jumps to where the enclosing list goes anyway, the rest of the list
 *     becomes the other arm, and the jump is removed. A jump that is left at the end of a list is
 *     redundant if it is the end of a loop body, or of the function.
 *  3. A loop without back edge that only the end of its body leaves is replaced by its body.
 *
 * Lanes that leave an arm early wait where the lanes of the other arm arrive, as they do at the end
 * of an `if`. So every block runs with the same lanes. Only to a barrier a lane that waits is
 * different from one that has ended.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    unreachable code to opt_dead_cf; loops that run once but whose breaks are nested too
 *            deeply for an `else`; jumps that become redundant by the removal of an outer loop,
 *            which another run finds.
 * Tests:     tests/passes/opt_jump.hd, tests/passes/test_run.c
 */
#include "passes/ended_lanes.h"
#include "passes/splice.h"

/* node.mark. REACHED, of a block: it is reachable. Of a loop that will be removed, as its body runs once
 * and is left only at its end: BREAKS, by a break; ENDS, by another jump.
 */
#define REACHED 1u
#define BREAKS  2u
#define ENDS    3u

struct state {
   hd_function *f;
   uint32_t max_nest;
   hd_undefs undefs;
   replaced values;
   bool
       *jumps; /* by block index: ends its list, and after the first walk a jump will stand there */
   uint32_t num_jumps;
   uint32_t *nest;        /* by block index: levels of ifs and loops in the list after the block */
   hd_block **goes_to;    /* by block index: where an empty block that ends its list leads */
   uint32_t size;         /* of `nest` and `goes_to` */
   uint32_t num_barriers; /* and calls, which may hold one */
   uint32_t barriers_after; /* those after the node that the walk back is at */
   uint32_t loop_depth;     /* of that node */
   bool has_breaking;       /* some loop is marked BREAKS */
   bool progress;
};

static uint32_t
count_barriers(const hd_block *b)
{
   uint32_t num = 0;

   hd_foreach_instr(i, b)
      num += ends_waits(i);
   return num;
}

/* In the order of the text every path to a block is known when it comes, but that from a loop's
 * latch, which does not count.
 */
static void
mark_reached(struct state *s)
{
   hd_function_start(s->f)->node.mark = REACHED;
   hd_foreach_block(b, s->f) {
      for (uint32_t n = 0; n < b->num_preds; n++)
         b->node.mark |= b->preds[n].from->node.mark & REACHED;
      s->num_barriers += count_barriers(b);
      pass_step(s->f, 1 + b->num_preds);
   }
}

static bool
is_empty_arm(const hd_cf_list *arm)
{
   return arm->first == arm->last && !hd_list_first_block(arm)->first;
}

/* What will leave */

/* Does no lane come from the end of an arm to what follows? What ends in an endless loop does not
 * count: it keeps its edge to the block after the `if`.
 */
static bool
leaves(const struct state *s, const hd_cf_list *arm)
{
   const hd_block *last = hd_list_last_block(arm);

   return hd_block_jump(last) || (last->node.index < s->num_jumps && s->jumps[last->node.index]);
}

/* Only the end of its body leaves the loop, and not by a break. */
static bool
only_ends(const struct state *s, hd_loop *loop)
{
   const hd_block *last = hd_list_last_block(&loop->body);
   const hd_block *again = hd_loop_continue(loop);

   return leaves(s, &loop->body) && again == hd_loop_latch(loop) && !again->first &&
          again->num_preds == !hd_block_jump(last) && !hd_node_next_block(&loop->node)->num_preds;
}

/* A node after which nothing stands, and from which nothing comes there: once what leaves inside
 * it stands after it, its list ends in a jump.
 */
static void
find_leaving(struct state *s)
{
   s->num_jumps = s->f->num_blocks;
   s->jumps = hd_stack_alloc_zero(hd_shader_stack(s->f->shader), s->num_jumps);
   for (hd_cf_node *node = s->f->body.last; node; node = hd_cf_node_prev(node)) {
      hd_if *nif = hd_node_as_if(node);
      hd_loop *loop = hd_node_as_loop(node);
      const hd_block *after = nif || loop ? hd_node_next_block(node) : NULL;

      pass_step(s->f, 1);
      if (!after || after->node.next || after->first || hd_splice_is_continue_list(node->list))
         continue;
      if (loop && only_ends(s, loop))
         node->mark = ENDS;
      s->jumps[after->node.index] =
          nif ? leaves(s, &nif->then_list) && leaves(s, &nif->else_list) : node->mark == ENDS;
   }
}

/* The walks forward: arms out of ifs, bodies out of loops */

/* Put an empty block between the block before an `if` and the code that was one of its arms. */
static void
hollow_arm(hd_if *nif, hd_cf_list *arm)
{
   hd_block *before = hd_node_prev_block(&nif->node);
   hd_block *hollow = hd_splice_only_block(arm);
   uint32_t succ = arm == &nif->else_list;
   hd_edge out = before->succs[succ];

   hollow->succs[0] = out;
   hollow->num_succs = 1;
   out.to->preds[out.pred] = (hd_pred){ hollow, 0 };
   before->succs[succ] = (hd_edge){ hollow, 0 };
   hollow->preds[0] = (hd_pred){ before, succ };
   hollow->num_preds = 1;
   hollow->node.mark = REACHED;
}

/* The arm whose code may stand after the `if`, or NULL. The first arm would run after the second
 * then: lanes that end in it would not have ended when others reach a barrier in that.
 */
static hd_cf_list *
outer_arm(const struct state *s, hd_if *nif)
{
   hd_cf_list *then_list = &nif->then_list, *else_list = &nif->else_list;
   const hd_block *after = hd_node_next_block(&nif->node);
   const bool in_order = s->num_barriers && s->f->end.num_preds > 1;

   if (leaves(s, then_list) != leaves(s, else_list)) {
      hd_cf_list *stays = leaves(s, then_list) ? else_list : then_list;
      return is_empty_arm(stays) || (in_order && stays == then_list) ? NULL : stays;
   }
   /* Both leave: nothing must follow, which opt_dead_cf sees to. */
   if (!leaves(s, then_list) || after->node.index >= s->num_jumps || !s->jumps[after->node.index])
      return NULL;
   const hd_block *last = hd_list_last_block(then_list);
   const hd_jump *jump = hd_block_jump(last);
   if (!in_order && jump && jump->instr.op != HD_JUMP_HALT &&
       last->succs[0].to == hd_list_exit(nif->node.list))
      return then_list;
   return else_list;
}

/* An edge that no lane takes, from the end of a list without a jump, goes to another block. */
static void
lead_to(struct state *s, hd_block *from, hd_block *to)
{
   hd_edge_remove(from, 0);
   hd_new_edge_reserve(from, to);
   hd_new_edge_add(&s->undefs, from, to);
}

static void
take_arm_out(struct state *s, hd_if *nif, hd_cf_list *arm)
{
   hd_cf_list *other = arm == &nif->then_list ? &nif->else_list : &nif->then_list;
   hd_block *after = hd_node_next_block(&nif->node);
   hd_block *last = hd_list_last_block(arm), *other_last = hd_list_last_block(other);

   if (!hd_block_jump(other_last))
      lead_to(s, other_last, hd_list_first_block(arm));
   if (leaves(s, arm)) {
      if (!hd_block_jump(last))
         lead_to(s, last, hd_list_exit(nif->node.list));
      hd_edge_remove(after, 0);
      hd_splice_delete(&s->undefs, &after->node, &after->node);
   }
   hd_splice_after(&nif->node, arm);
   hollow_arm(nif, arm);
   s->progress = true;
}

/* The body in the place of its loop. */
static void
remove_loop(struct state *s, hd_loop *loop)
{
   hd_block *header = hd_loop_header(loop), *latch = hd_loop_latch(loop);
   hd_block *before = hd_node_prev_block(&loop->node), *after = hd_node_next_block(&loop->node);
   hd_block *last = hd_list_last_block(&loop->body);
   hd_jump *jump = hd_block_jump(last);

   hd_foreach_phi_safe(phi, header) {
      hd_def *def = hd_phi_src_from(phi, before)->def;
      hd_replaced_set(&s->values, &phi->instr, hd_replaced_get(&s->values, def));
   }
   hd_edge_remove(latch, 0);
   if (loop->node.mark == BREAKS) {
      hd_instr_unlink(&jump->instr);
      hd_instr_free(s->f->shader, &jump->instr);
   } else {
      if (!jump)
         lead_to(s, last, hd_list_exit(loop->node.list));
      hd_edge_remove(after, 0);
      hd_splice_delete(&s->undefs, &after->node, &after->node);
   }
   hd_splice_after(&loop->node, &loop->body);
   hd_splice_only_block(&loop->body);
   hd_splice_delete(&s->undefs, &loop->node, &loop->node);
   s->progress = true;
}

/* A block right after another one goes to its end. */
static hd_cf_node *
join(struct state *s, hd_block *b)
{
   hd_block *prev = hd_node_as_block(b->node.prev);

   if (!prev)
      return &b->node;
   hd_foreach_phi_safe(phi, b) {
      hd_def *def = phi->srcs[0].src.def;
      hd_replaced_set(&s->values, &phi->instr, hd_replaced_get(&s->values, def));
   }
   hd_splice_merge(prev, b);
   return &prev->node;
}

static void
walk_forward(struct state *s)
{
   hd_cf_node *left;

   for (hd_cf_node *node = s->f->body.first; node; node = hd_splice_next(node, &left)) {
      hd_if *nif = hd_node_as_if(node);
      hd_cf_list *arm = nif ? outer_arm(s, nif) : NULL;

      pass_step(s->f, 1);
      if (arm) {
         take_arm_out(s, nif, arm);
      } else if (node->kind == HD_CF_LOOP && node->mark) {
         hd_cf_node *before = node->prev;
         remove_loop(s, hd_node_as_loop(node));
         node = before;
      } else if (node->kind == HD_CF_BLOCK) {
         node = join(s, hd_node_as_block(node));
      }
   }
}

/* The walk back: the rest of a list into the other arm */

/* Where lanes that reach this block end up, past blocks that do nothing. */
static hd_block *
find_target(const struct state *s, hd_block *b)
{
   if (hd_block_is_end(b) || b->node.index >= s->size || !s->goes_to[b->node.index])
      return b;
   return s->goes_to[b->node.index];
}

/* A block that ends its list and does nothing, not even choose by phis, may be passed over. Only to
 * targets without phis: each level on the way would need a phi for each of theirs.
 */
static void
find_fallthrough(struct state *s, hd_block *b)
{
   const hd_cf_list *list = b->node.list;
   const hd_jump *jump = hd_instr_as_jump(b->first);
   bool nothing = !b->first || (jump && jump->instr.op != HD_JUMP_HALT && !jump->instr.num_srcs);

   if (!nothing || (list->parent && list->parent->kind == HD_CF_LOOP && !b->node.prev))
      return;
   hd_block *target = find_target(s, b->succs[0].to);
   if (!hd_instr_as_phi(target->first))
      s->goes_to[b->node.index] = target;
}

/* Where the end of a list leads. */
static hd_block *
list_target(const struct state *s, const hd_cf_list *list)
{
   const hd_block *last = hd_list_last_block(list);

   return find_target(s, last->succs[0].to);
}

/* Is a jump at the end of a list, or its absence, the same as this jump? Both have one target. */
static bool
same_jump(const hd_jump *jump, const hd_jump *end)
{
   bool halts = jump->instr.op == HD_JUMP_HALT;

   return halts == (end && end->instr.op == HD_JUMP_HALT);
}

/* A barrier waits for all lanes of the wave that have not ended. Where one may still be met, a lane
 * that ends must not wait instead.
 */
static bool
may_wait(const struct state *s, const hd_jump *jump)
{
   if (jump->instr.op != HD_JUMP_RETURN && jump->instr.op != HD_JUMP_HALT)
      return true;
   return !(s->loop_depth ? s->num_barriers : s->barriers_after);
}

/* What uniting two jumps may cost: phis that are new, and phis of the target that are looked at. A
 * loop with many exits that read different values would get a phi for each value at each exit.
 */
#define MAX_NEW_PHIS  8u
#define MAX_SEEN_PHIS 64u

/* Does it pay to let two edges to one target become one? */
static bool
pays(struct state *s, const hd_block *last, const hd_block *end)
{
   const hd_block *target = last->succs[0].to;
   uint32_t num_seen = 0, num_new = 0;

   if (end->succs[0].to != target || hd_block_is_end(target))
      return true;
   hd_foreach_phi(phi, target) {
      hd_def *def = hd_phi_src_from(phi, last)->def, *other = hd_phi_src_from(phi, end)->def;
      num_new += hd_replaced_get(&s->values, def) != hd_replaced_get(&s->values, other);
      if (++num_seen > MAX_SEEN_PHIS || num_new > MAX_NEW_PHIS)
         return false;
   }
   return true;
}

/* The arm that jumps where its list goes anyway, while the other one is empty and falls through. */
static hd_cf_list *
superfluous_arm(struct state *s, hd_if *nif)
{
   const hd_cf_list *list = nif->node.list;
   const hd_block *end = hd_list_last_block(list);

   if (end->node.mark != REACHED || end->num_succs != 1)
      return NULL;
   for (unsigned n = 0; n < 2; n++) {
      hd_cf_list *arm = n ? &nif->else_list : &nif->then_list;
      const hd_cf_list *other = n ? &nif->then_list : &nif->else_list;
      const hd_block *last = hd_list_last_block(arm);
      const hd_jump *jump = hd_block_jump(last);
      if (!jump || !is_empty_arm(other) || !same_jump(jump, hd_block_jump(end)) ||
          !may_wait(s, jump))
         continue;
      if (list_target(s, arm) == list_target(s, list) && pays(s, last, end))
         return arm;
   }
   return NULL;
}

static hd_instr *
insert_phi(hd_block *b, hd_instr *after, const hd_block *from, hd_def *def, hd_def *other)
{
   hd_phi *phi = hd_phi_create(hd_block_function(b)->shader, def->num_components, def->bit_size, 2);
   uint32_t n = b->preds[0].from != from;

   phi->srcs[n].src.def = def;
   phi->srcs[!n].src.def = other;
   hd_instr_link(b, after, &phi->instr);
   return &phi->instr;
}

/* The edge of `last`, with its jump, and that of `end` become one out of `join`, to which both go.
 */
static void
unite_jumps(struct state *s, hd_block *last, hd_block *end, hd_block *join)
{
   hd_jump *jump = hd_block_jump(last), *end_jump = hd_block_jump(end);
   hd_block *target = last->succs[0].to;
   hd_instr *after = NULL;

   if (end_jump)
      hd_move_instrs(&end_jump->instr, &end_jump->instr, join);
   hd_edges_move(end, join);
   /* Edges to `join` come first, so that its phis have their places. The target's phis are read
    * before the edge of `last` goes.
    */
   hd_pred of_last = { last, 0 };
   join->preds[join->num_preds++] = of_last;
   end->succs[0] = (hd_edge){ join, join->num_preds };
   end->num_succs = 1;
   join->preds[join->num_preds++] = (hd_pred){ end, 0 };
   if (join->succs[0].to == target && !hd_block_is_end(target)) {
      hd_foreach_phi(phi, target) {
         hd_src *src = hd_phi_src_from(phi, join);
         hd_def *def = hd_phi_src_from(phi, last)->def;
         if (hd_replaced_get(&s->values, src->def) == hd_replaced_get(&s->values, def))
            continue;
         after = insert_phi(join, after, last, def, src->def);
         hd_src_set_def(src, &after->def);
      }
   }
   if (end_jump && end_jump->instr.num_srcs) {
      hd_src *src = &end_jump->src[0];
      hd_def *def = jump->src[0].def;
      if (hd_replaced_get(&s->values, src->def) != hd_replaced_get(&s->values, def)) {
         after = insert_phi(join, after, last, def, src->def);
         hd_src_set_def(src, &after->def);
      }
   }
   hd_pred_remove(last, 0);
   last->succs[0] = (hd_edge){ join, 0 };
   hd_instr_unlink(&jump->instr);
   hd_instr_free(s->f->shader, &jump->instr);
}

/* All that follows an `if` in its list becomes its other arm. */
static void
take_rest_in(struct state *s, hd_if *nif, hd_cf_list *arm)
{
   hd_cf_list *other = arm == &nif->then_list ? &nif->else_list : &nif->then_list;
   hd_cf_list *list = nif->node.list;
   hd_block *before = hd_node_prev_block(&nif->node), *after = hd_node_next_block(&nif->node);
   hd_block *end = hd_list_last_block(list), *hollow = hd_list_first_block(other);
   uint32_t succ = other == &nif->else_list;

   hd_foreach_phi_safe(phi, after) {
      hd_def *def = phi->srcs[0].src.def;
      hd_replaced_set(&s->values, &phi->instr, hd_replaced_get(&s->values, def));
   }
   /* The rest takes the place of the empty block. */
   hd_edge_remove(hollow, 0);
   hd_edge_remove(before, succ);
   hd_nodes_unlink(&hollow->node, &hollow->node);
   hd_cf_node_free(s->f, &hollow->node);
   hd_nodes_unlink(&after->node, &end->node);
   hd_nodes_link(other, NULL, &after->node, &end->node);
   hd_edge_add(before, after);
   if (!succ) {
      /* The then-arm's edge is the first. */
      hd_edge first = before->succs[1];
      before->succs[1] = before->succs[0];
      before->succs[0] = first;
      for (uint32_t n = 0; n < 2; n++)
         before->succs[n].to->preds[before->succs[n].pred].succ = n;
   }
   hd_block *join = hd_block_alloc(s->f);
   hd_nodes_link(list, &nif->node, &join->node, &join->node);
   join->node.mark = REACHED;
   unite_jumps(s, hd_list_last_block(arm), end, join);
   s->progress = true;
}

/* A jump to where the list goes by itself. */
static void
drop_last_jump(struct state *s, hd_block *b)
{
   hd_jump *jump = hd_block_jump(b);

   if (!jump || b->node.mark != REACHED || jump->instr.op == HD_JUMP_HALT || jump->instr.num_srcs ||
       b->succs[0].to != hd_list_exit(b->node.list) || !may_wait(s, jump))
      return;
   hd_instr_unlink(&jump->instr);
   hd_instr_free(s->f->shader, &jump->instr);
   s->progress = true;
}

/* Nothing goes back, and only the break at the end of the body goes on. Arms that break as well
 * were united with it. Code that nothing reaches is not this pass's to remove.
 */
static bool
only_breaks(hd_loop *loop)
{
   const hd_block *last = hd_list_last_block(&loop->body);
   const hd_jump *jump = hd_block_jump(last);

   return jump && jump->instr.op == HD_JUMP_BREAK && last->node.mark == REACHED &&
          !hd_loop_continue(loop)->num_preds && !hd_loop_latch(loop)->first &&
          loop->continue_list.first == loop->continue_list.last &&
          hd_node_next_block(&loop->node)->num_preds == 1;
}

static uint32_t
nest_after(const struct state *s, const hd_block *b)
{
   return b->node.index < s->size ? s->nest[b->node.index] : 0;
}

/* What is inside was visited, and what follows too. */
static void
visit_node_back(struct state *s, hd_cf_node *node)
{
   hd_if *nif = hd_node_as_if(node);
   hd_loop *loop = hd_node_as_loop(node);
   const hd_block *a = nif ? hd_list_first_block(&nif->then_list) : hd_loop_header(loop);
   const hd_block *b = nif ? hd_list_first_block(&nif->else_list) : hd_loop_continue(loop);
   uint32_t rest = nest_after(s, hd_node_next_block(node)), inner = nest_after(s, a);
   hd_cf_list *arm = nif && rest < s->max_nest ? superfluous_arm(s, nif) : NULL;

   if (nest_after(s, b) > inner)
      inner = nest_after(s, b);
   if (arm) {
      take_rest_in(s, nif, arm);
      inner = rest > inner ? rest : inner;
      rest = 0;
   }
   if (loop && only_breaks(loop)) {
      node->mark = BREAKS;
      s->has_breaking = true;
   }
   const hd_block *before = hd_node_prev_block(node);
   if (before->node.index < s->size)
      s->nest[before->node.index] = inner + 1 > rest ? inner + 1 : rest;
}

static void
walk_back(struct state *s)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);

   s->size = s->f->num_blocks;
   s->nest = hd_stack_alloc_zero(stack, s->size * sizeof(*s->nest));
   s->goes_to = hd_stack_alloc_zero(stack, s->size * sizeof(hd_block *));
   /* What is put in while a node is looked at stands after it. */
   for (hd_cf_node *node = s->f->body.last; node; node = hd_cf_node_prev(node)) {
      pass_step(s->f, 1);
      /* Backwards a node comes after what is inside it. */
      hd_block *b = hd_node_as_block(node);
      if (!b) {
         s->loop_depth -= node->kind == HD_CF_LOOP;
         visit_node_back(s, node);
         continue;
      }
      s->loop_depth += b->node.prev && b->node.prev->kind == HD_CF_LOOP;
      const bool is_last = !node->next && node->index < s->size;
      if (is_last)
         drop_last_jump(s, b);
      s->barriers_after += s->num_barriers ? count_barriers(b) : 0;
      if (is_last)
         find_fallthrough(s, b);
   }
}

/* Without a jump or a loop each list goes where it would go. */
static bool
is_any_jump_or_loop(hd_function *f)
{
   hd_foreach_block(b, f) {
      pass_step(f, 1);
      if (hd_block_jump(b) || hd_block_next_loop(b))
         return true;
   }
   return false;
}

/* The third walk does what the second one made possible. */
bool
hd_opt_jump(hd_function *f, const opt_jump_options *o)
{
   struct state s = { .f = f, .max_nest = o->nest };

   if (!is_any_jump_or_loop(f))
      return hd_progress(f, false, OPT_JUMP_KEEPS);
   hd_undefs_init(&s.undefs, f);
   hd_replaced_init(&s.values, f);
   hd_function_borrow_node_marks(f);
   mark_reached(&s);
   find_leaving(&s);
   walk_forward(&s);
   walk_back(&s);
   if (s.progress || s.has_breaking)
      walk_forward(&s);
   hd_function_release_marks(f);
   hd_replaced_finish(&s.values);
   return hd_progress(f, s.progress, OPT_JUMP_KEEPS);
}
