/* SPDX-License-Identifier: MIT */
/* dead_flat.c - opt_dead_cf for flat functions: branches on constants, blocks that nothing reaches,
 * blocks that are one.
 *
 * What a function declares stays true. Before an edge goes, hd_mark_headers makes the nest of
 * cycles independent of it; a block that is merged or removed hands on to what it was declared to
 * be inside of; a continue block whose cycle can no longer repeat is none. A cycle that lanes
 * enter in several places stays one, though none takes the edges that make it one (entries.h).
 *
 * Two blocks are one if the edge between them is the only one out of the first and into the second,
 * both are in the same innermost cycle, and it does not go back to a header: then the lanes that
 * run the one run the other, right after it.
 */
#include "passes/dead_flat.h"

#include "analysis/nest.h"

/* node.mark of a block */
#define REACHED 1u /* the start block reaches it */
#define JOINS   2u /* it goes to the end of its predecessor */

struct state {
   hd_function *f;
   hd_undefs undefs;
   replaced values;
   hd_cf_list dead; /* blocks that are taken out */
   bool progress;
};

/* The successor that is always taken, or -1. */
static int
sure_successor(const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   const hd_const *c = jump && jump->instr.num_srcs ? hd_src_as_const(&jump->src[0]) : NULL;

   if (!c)
      return -1;
   if (jump->instr.op == HD_JUMP_GOTO_IF)
      return c->value[0].b ? 0 : 1;
   if (jump->instr.op != HD_JUMP_SWITCH)
      return -1;
   for (uint32_t n = 0; n < jump->num_cases; n++) {
      if (jump->cases[n].value == c->value[0].u64)
         return (int)jump->cases[n].succ;
   }
   return 0;
}

/* The branches on constants: the successor that is taken, by block index; -1 for other blocks. */
static int *
find_decisions(hd_function *f, bool *any)
{
   int *succs = hd_stack_alloc(hd_shader_stack(f->shader), (f->num_blocks + 1) * sizeof(*succs));

   *any = false;
   hd_foreach_block(b, f) {
      succs[b->node.index] = sure_successor(b);
      *any |= succs[b->node.index] >= 0;
      pass_step(f, 1);
   }
   return succs;
}

/* A search for ways back to the headers of cycles. */
struct search {
   const int *succs; /* as find_decisions has them */
   uint32_t *seen;   /* by block index: the cycle in which it was seen last, or NO_CYCLE */
   hd_block **ahead; /* scratch */
   uint64_t left;    /* edges that may still be looked at */
};

#define NO_CYCLE UINT32_MAX
/* Irreducible cycles may be nested: so many times all edges are looked at. */
#define MOST_ROUNDS 8u

/* Does a way that is taken lead from the header to itself, within the cycle? */
static bool
still_repeats(struct search *s, const hd_cycle *c)
{
   uint32_t num = 0;

   s->ahead[num++] = c->header;
   while (num) {
      const hd_block *b = s->ahead[--num];
      for (uint32_t n = 0; n < b->num_succs; n++) {
         hd_block *to = b->succs[n].to;
         if (s->succs[b->node.index] >= 0 && (uint32_t)s->succs[b->node.index] != n)
            continue;
         if (to == c->header)
            return true;
         if (!s->left || hd_block_is_end(to) || !hd_cycle_contains(c, to) ||
             s->seen[to->node.index] == c->index)
            continue;
         s->left--;
         s->seen[to->node.index] = c->index;
         s->ahead[num++] = to;
      }
   }
   return false;
}

/* Take back the decisions by which a cycle that lanes enter in several places would be none. */
static bool
keep_cycles(hd_function *f, int *succs)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   const uint32_t num = hd_function_num_cycles(f);
   bool *kept = hd_stack_alloc_zero(stack, num + 1), any = false;
   struct search s = {
      .succs = succs,
      .seen = hd_stack_alloc(stack, (f->num_blocks + 1) * sizeof(*s.seen)),
      .ahead = hd_stack_alloc(stack, (f->num_blocks + 1) * sizeof(*s.ahead)),
      .left = (uint64_t)MOST_ROUNDS * f->num_blocks,
   };

   memset(s.seen, 0xff, (f->num_blocks + 1) * sizeof(*s.seen));
   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *c = hd_function_cycle(f, n);
      kept[n] = c->parent ? kept[c->parent->index] : false;
      if (!kept[n] && c->has_other_entries)
         kept[n] = !still_repeats(&s, c);
   }
   hd_foreach_block(b, f) {
      const int succ = succs[b->node.index];
      const hd_cycle *c = succ >= 0 && hd_block_is_reachable(b) ? hd_block_cycle(b) : NULL;
      for (uint32_t n = 0; c && kept[c->index] && n < b->num_succs; n++) {
         hd_block *to = b->succs[n].to;
         const hd_cycle *d = hd_block_is_end(to) ? NULL : hd_block_cycle(to);
         if (n != (uint32_t)succ && d && kept[d->index])
            succs[b->node.index] = -1;
      }
      any |= succs[b->node.index] >= 0;
   }
   return any;
}

/* Let a block just go to one of its successors. */
static void
decide(struct state *s, hd_block *b, uint32_t succ)
{
   hd_jump *old = hd_block_jump(b);
   hd_jump *jump = hd_jump_create(s->f->shader, HD_JUMP_GOTO, 0, 0);

   jump->instr.loc = old->instr.loc & 0xffffff;
   for (uint32_t n = b->num_succs; n-- > 0;) {
      if (n != succ)
         hd_edge_remove(b, n);
   }
   hd_instr_unlink(&old->instr);
   hd_instr_free(s->f->shader, &old->instr);
   hd_instr_append(b, &jump->instr);
   s->progress = true;
}

/* Mark what the start block reaches. */
static void
mark_reached(struct state *s)
{
   hd_block **work =
       hd_stack_alloc(hd_shader_stack(s->f->shader), s->f->num_blocks * sizeof(*work));
   uint32_t num = 0;

   work[num++] = hd_function_start(s->f);
   work[0]->node.mark = REACHED;
   while (num) {
      hd_block *b = work[--num];
      pass_step(s->f, 1);
      for (uint32_t n = 0; n < b->num_succs; n++) {
         hd_block *to = b->succs[n].to;
         if (hd_block_is_end(to) || to->node.mark)
            continue;
         to->node.mark = REACHED;
         work[num++] = to;
      }
   }
}

/* Take a block out of the function; it is freed at the end. */
static void
take_out(struct state *s, hd_block *b)
{
   hd_nodes_unlink(&b->node, &b->node);
   hd_nodes_link(&s->dead, s->dead.last, &b->node, &b->node);
   s->progress = true;
}

static bool
is_dead(const struct state *s, const hd_block *b)
{
   return b->node.list == &s->dead;
}

/* The nearest block that is left among those that `b` is inside of. Each block that is passed over
 * is passed over once: from then on it names the answer.
 */
static hd_block *
left_inside(struct state *s, hd_block *b)
{
   hd_block *last = b->inside;

   while (last && is_dead(s, last))
      last = last->inside;
   while (b->inside != last) {
      hd_block *next = b->inside;
      b->inside = last;
      b = next;
   }
   return last;
}

/* May the only successor of `a` go to its end? */
static bool
may_join(const hd_block *a)
{
   const hd_block *b = a->num_succs == 1 ? a->succs[0].to : NULL;

   if (!b || hd_block_is_end(b) || b->num_preds != 1 || b == a)
      return false;
   if (hd_block_headed_cycle(b) || hd_block_cycle(a) != hd_block_cycle(b))
      return false;
   return !b->continues || !a->continues;
}

static void
join(struct state *s, hd_block *a, hd_block *b)
{
   hd_jump *jump = hd_block_jump(a);

   hd_foreach_phi_safe(phi, b) {
      replaced_set(&s->values, &phi->instr, replaced_get(&s->values, phi->srcs[0].src.def));
   }
   hd_edge_remove(a, 0);
   hd_instr_unlink(&jump->instr);
   hd_instr_free(s->f->shader, &jump->instr);
   hd_move_tail(b->first, a);
   hd_edges_move(b, a);
   /* A header is never the continue block of its own cycle. */
   if (b->continues && b->continues != a)
      a->continues = b->continues;
   take_out(s, b);
}

/* A block that names another one of its cycle is not the header, though it is marked. What it names
 * may be no more after the blocks are joined; so all name headers, and those don't join.
 */
static void
name_headers(struct state *s)
{
   hd_foreach_block(b, s->f) {
      if (b->inside && b->inside->node.mark & JOINS) {
         hd_mark_headers(s->f);
         return;
      }
   }
}

/* Chains are joined from their first block on, so that each instruction moves once. */
static void
join_chains(struct state *s)
{
   hd_require(s->f, HD_META_CYCLES);
   hd_foreach_block(b, s->f) {
      hd_cycle *cycle = b->continues ? hd_block_headed_cycle(b->continues) : NULL;
      if (b->continues && (!cycle || !hd_cycle_contains(cycle, b))) {
         b->continues = NULL;
         s->progress = true;
      }
   }
   hd_foreach_block(b, s->f) {
      if (may_join(b))
         b->succs[0].to->node.mark |= JOINS;
   }
   name_headers(s);
   /* What joins is taken out, so the next in the list must be asked for afterwards. */
   for (hd_block *b = hd_function_start(s->f); b; b = hd_block_next(b)) {
      if (b->node.mark & JOINS)
         continue;
      while (b->num_succs == 1 && b->succs[0].to->node.mark & JOINS)
         join(s, b, b->succs[0].to);
   }
}

/* No block that is left may be declared by one that is taken out. */
static void
forget_dead(struct state *s)
{
   hd_foreach_block(b, s->f) {
      b->inside = left_inside(s, b);
      if (b->continues && is_dead(s, b->continues))
         b->continues = NULL;
   }
}

/* By index of the block: a number that blocks share that can reach each other, or NONE. */
static const uint32_t *
find_connected(struct state *s)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);
   uint32_t *part = scratch_fill(stack, s->f->num_blocks, 0xff);
   hd_graph g;
   hd_nest nest;

   hd_graph_build(&g, s->f);
   const hd_declared nothing = {
      .inside = scratch_fill(stack, g.num, 0xff),
      .marked = hd_stack_alloc_zero(stack, g.num),
   };
   hd_nest_build(&nest, &g, &nothing);
   /* Numbers have no order: a cycle may come before the one around it. Who passes by others lets
    * them name who is further out.
    */
   uint32_t *up = hd_stack_alloc(stack, (nest.num + 1) * sizeof(*up));
   for (uint32_t c = 0; c < nest.num; c++)
      up[c] = nest.outer[c] == NONE ? c : nest.outer[c];
   hd_foreach_block(b, s->f) {
      uint32_t c = nest.natural[g.node[block_slot(s->f, b)]];
      while (c != NONE && up[c] != c)
         c = up[c] = up[up[c]];
      part[b->node.index] = c;
   }
   return part;
}

/* What runs before all of a cycle needs no place in it, and must not have one: where the cycle
 * around both is gone, the way from there to the header would leave the cycle and enter it again.
 * A block that comes first in this order is not reached from the header, or is in the cycle anyway;
 * then what it says keeps it from being taken for the header.
 */
static void
leave_later_cycles(struct state *s)
{
   hd_require(s->f, HD_META_BLOCK_ORDER);
   const uint32_t *part = find_connected(s);
   hd_foreach_block(b, s->f) {
      while (b->inside && hd_block_rpo_index(b) < hd_block_rpo_index(b->inside) &&
             (part[b->node.index] == NONE || part[b->node.index] != part[b->inside->node.index])) {
         b->inside = b->inside->inside;
         pass_step(s->f, 1);
      }
   }
}

/* Faults of what is declared, see hd_check_declarations: the first few, for that is enough to go on
 * with. Memory that is taken while it checks is gone when it returns.
 */
#define MAX_FAULTS 16

struct faults {
   uint32_t num;
   struct {
      hd_declaration_fault fault;
      hd_block *block, *other;
   } at[MAX_FAULTS];
};

static void
note_fault(void *user, hd_declaration_fault fault, hd_block *block, hd_block *other)
{
   struct faults *faults = user;

   if (faults->num == MAX_FAULTS)
      return;
   faults->at[faults->num].fault = fault;
   faults->at[faults->num].block = block;
   faults->at[faults->num++].other = other;
}

static bool
is_inside(const hd_block *b, const hd_block *header)
{
   for (b = b->inside; b && b != header;)
      b = b->inside;
   return b != NULL;
}

/* What is declared to be inside the cycle of `header` and comes after `way`, which is outside. */
static void
leave_cycle(struct state *s, hd_block *header, hd_block *way)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);
   bool *seen = hd_stack_alloc_zero(stack, s->f->num_blocks);
   hd_block **work = hd_stack_alloc(stack, s->f->num_blocks * sizeof(*work));
   uint32_t num = 0;

   seen[header->node.index] = seen[way->node.index] = true;
   work[num++] = way;
   while (num) {
      hd_block *b = work[--num];
      pass_step(s->f, 1);
      if (is_inside(b, header))
         b->inside = header->inside;
      for (uint32_t n = 0; n < b->num_succs; n++) {
         hd_block *to = b->succs[n].to;
         if (hd_block_is_end(to) || seen[to->node.index])
            continue;
         seen[to->node.index] = true;
         work[num++] = to;
      }
   }
}

/* Where a cycle is gone that was around another one, what lay between the parts of the inner one is
 * outside of it now: then the later part no longer belongs to it. Each fault that is found takes a
 * declaration away, so this ends.
 */
static void
settle_declarations(struct state *s)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);
   struct faults faults;
   uint32_t num = 0;

   do {
      hd_stack_mark mark = hd_stack_get_mark(stack);
      faults.num = 0;
      hd_check_declarations(s->f, note_fault, &faults, &num);
      for (uint32_t n = 0; n < faults.num; n++) {
         if (faults.at[n].fault == HD_DECLARED_REENTERED)
            leave_cycle(s, faults.at[n].block, faults.at[n].other);
         else if (faults.at[n].fault == HD_DECLARED_CIRCLE ||
                  faults.at[n].fault == HD_DECLARED_CROSSING)
            faults.at[n].block->inside = NULL;
         else
            faults.at[n].block->continues = NULL;
      }
      hd_stack_release(stack, mark);
   } while (num);
}

bool
dead_flat(hd_function *f)
{
   struct state s = { .f = f, .dead.function = f };
   bool decides;
   int *succs = find_decisions(f, &decides);

   if (decides) {
      hd_require(f, HD_META_BLOCK_ORDER | HD_META_CYCLES);
      decides = keep_cycles(f, succs);
   }
   if (decides)
      hd_mark_headers(f);
   hd_undefs_init(&s.undefs, f);
   replaced_init(&s.values, f);
   hd_function_borrow_node_marks(f);
   hd_foreach_block(b, f) {
      int succ = succs[b->node.index];
      if (succ >= 0)
         decide(&s, b, (uint32_t)succ);
   }
   if (decides)
      f->meta_valid = 0;
   mark_reached(&s);
   hd_foreach_block_safe(b, f) {
      if (b->node.mark)
         continue;
      while (b->num_succs)
         hd_edge_remove(b, b->num_succs - 1);
      take_out(&s, b);
   }
   if (s.progress)
      f->meta_valid = 0;
   forget_dead(&s);
   if (decides)
      leave_later_cycles(&s);
   if (decides)
      settle_declarations(&s);
   join_chains(&s);
   forget_dead(&s);
   if (s.dead.first)
      hd_delete_list(&s.undefs, &s.dead);
   if (s.progress)
      f->meta_valid = 0;
   hd_function_return_marks(f);
   replaced_finish(&s.values);
   return s.progress;
}
