/* SPDX-License-Identifier: MIT */
/* dead_flat.c - opt_dead_cf for flat functions: fold branches on constants, remove unreachable blocks,
 * merge straight-line blocks (SimplifyCFG).
 *
 * Declarations stay true. Before an edge is removed, hd_declare_loops makes the loop nest independent
 * of it. A block that is merged or removed hands on the loop that it was declared to be inside of. A
 * continue block whose loop can no longer repeat is not declared any more. A loop with several entries
 * stays a loop, and whole, even if no lane takes the edges that make it one (cycle_entries.h).
 *
 * Two blocks are merged if the edge between them is the only one out of the first and into the second,
 * both have the same innermost loop, and the edge is not a back edge: then the same lanes run both,
 * one right after the other.
 */
#include "passes/dead_flat.h"

#include "analysis/cycle_nest.h"

/* node.mark of a block */
#define REACHED 1u /* the start block reaches it */
#define JOINS   2u /* it goes to the end of its predecessor */
#define APART   4u /* it and the header that it names did not reach each other before edges went */

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

/* Searches from the headers of cycles and from the start. */
struct search {
   hd_function *f;
   int *succs; /* as find_decisions has them */
   /* By block index, the cycle whose header led there last, or NONE: */
   uint32_t *could;     /* within the cycle, by all paths */
   uint32_t *can;       /* within the cycle, by paths that are taken */
   uint32_t *led;       /* within the outermost cycle around it, by paths that are taken */
   uint32_t *outermost; /* by cycle: the outermost one around it */
   bool *reached;       /* by block index: the start leads there, by paths that are taken */
   hd_block **ahead;    /* scratch */
   uint64_t left;       /* edges that may still be looked at */
};

/* Irreducible cycles may be nested: so many times all blocks have edges looked at. */
#define MOST_ROUNDS 32u

static bool
is_taken(const struct search *s, const hd_block *b, uint32_t succ)
{
   const int taken = s->succs[b->node.index];

   return taken < 0 || (uint32_t)taken == succ;
}

/* What the header of a cycle leads to within that cycle, or one around it. Does it lead to itself?
 */
static bool
search_cycle(struct search *s, const hd_cycle *c, const hd_cycle *within, uint32_t *seen,
             bool taken_only)
{
   uint32_t num = 0;
   bool repeats = false;

   seen[c->header->node.index] = c->index;
   s->ahead[num++] = c->header;
   while (num) {
      const hd_block *b = s->ahead[--num];
      for (uint32_t n = 0; n < b->num_succs && s->left; n++) {
         hd_block *to = b->succs[n].to;
         s->left--;
         if (taken_only && !is_taken(s, b, n))
            continue;
         repeats |= to == c->header;
         if (hd_block_is_end(to) || !hd_cycle_contains(within, to) ||
             seen[to->node.index] == c->index)
            continue;
         seen[to->node.index] = c->index;
         s->ahead[num++] = to;
      }
   }
   return repeats;
}

static void
search_function(struct search *s)
{
   uint32_t num = 0;

   memset(s->reached, 0, s->f->num_blocks);
   s->ahead[num++] = hd_function_start(s->f);
   s->reached[s->ahead[0]->node.index] = true;
   while (num) {
      const hd_block *b = s->ahead[--num];
      pass_step(s->f, 1);
      for (uint32_t n = 0; n < b->num_succs; n++) {
         hd_block *to = b->succs[n].to;
         s->left -= s->left != 0;
         if (hd_block_is_end(to) || s->reached[to->node.index] || !is_taken(s, b, n))
            continue;
         s->reached[to->node.index] = true;
         s->ahead[num++] = to;
      }
   }
}

/* Is the cycle still one, whose header leads to all that it led to and that lanes come to? What
 * it no longer leads to, not even by a cycle around it, would run before the header, and not in its
 * sweeps. (What it leads to comes after it, or leads to it.)
 */
static bool
is_whole(struct search *s, const hd_cycle *c)
{
   hd_block *const *sweep = hd_function_sweep(s->f, NULL);

   search_cycle(s, c, c, s->could, false);
   if (!search_cycle(s, c, c, s->can, true))
      return false;
   search_cycle(s, c, hd_function_cycle(s->f, s->outermost[c->index]), s->led, true);
   if (!s->left)
      return false;
   for (uint32_t n = c->first; n < c->first + c->num_blocks; n++) {
      const uint32_t b = sweep[n]->node.index;
      if (s->reached[b] && s->could[b] == c->index && s->led[b] != c->index)
         return false;
   }
   return true;
}

/* Take back the decisions within a cycle. */
static void
keep_cycle(struct search *s, const hd_cycle *c)
{
   hd_block *const *sweep = hd_function_sweep(s->f, NULL);

   for (uint32_t n = c->first; n < c->first + c->num_blocks; n++) {
      const hd_block *b = sweep[n];
      s->left -= s->left != 0;
      for (uint32_t k = 0; k < b->num_succs; k++) {
         const hd_block *to = b->succs[k].to;
         if (!is_taken(s, b, k) && !hd_block_is_end(to) && hd_cycle_contains(c, to))
            s->succs[b->node.index] = -1;
      }
   }
}

/* Take back the decisions by which a cycle that lanes enter in several places would be none, or
 * fall apart. Inner cycles first: outer ones are looked at with what is left of theirs.
 */
static bool
keep_cycles(hd_function *f, int *succs)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct search s = {
      .f = f,
      .succs = succs,
      .could = scratch_fill(stack, f->num_blocks, 0xff),
      .can = scratch_fill(stack, f->num_blocks, 0xff),
      .led = scratch_fill(stack, f->num_blocks, 0xff),
      .reached = hd_stack_alloc(stack, f->num_blocks + 1),
      .ahead = hd_stack_alloc(stack, (f->num_blocks + 1) * sizeof(*s.ahead)),
      .left = (uint64_t)MOST_ROUNDS * f->num_blocks,
   };
   const uint32_t num = hd_function_num_cycles(f);
   bool searched = false, any = false;

   s.outermost = hd_stack_alloc(stack, (num + 1) * sizeof(*s.outermost));
   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *parent = hd_function_cycle(f, n)->parent;
      s.outermost[n] = parent ? s.outermost[parent->index] : n;
   }
   for (uint32_t n = num; n-- > 0 && s.left;) {
      const hd_cycle *c = hd_function_cycle(f, n);
      if (!c->has_other_entries)
         continue;
      if (!searched)
         search_function(&s);
      searched = true;
      if (!is_whole(&s, c)) {
         keep_cycle(&s, c);
         searched = false;
      }
   }
   hd_foreach_block(b, f) {
      /* What was not looked at to the end stays as it is. */
      if (!s.left)
         succs[b->node.index] = -1;
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
   work[0]->node.mark |= REACHED;
   while (num) {
      hd_block *b = work[--num];
      pass_step(s->f, 1);
      for (uint32_t n = 0; n < b->num_succs; n++) {
         hd_block *to = b->succs[n].to;
         if (hd_block_is_end(to) || to->node.mark & REACHED)
            continue;
         to->node.mark |= REACHED;
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
   hd_block *last = b->loop_header;

   while (last && is_dead(s, last))
      last = last->loop_header;
   while (b->loop_header != last) {
      hd_block *next = b->loop_header;
      b->loop_header = last;
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
      hd_replaced_set(&s->values, &phi->instr, hd_replaced_get(&s->values, phi->srcs[0].src.def));
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
      if (b->loop_header && b->loop_header->node.mark & JOINS) {
         hd_declare_loops(s->f);
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
      b->loop_header = left_inside(s, b);
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

static bool
is_apart(const uint32_t *part, const hd_block *b)
{
   return part[b->node.index] == NONE || part[b->node.index] != part[b->loop_header->node.index];
}

static void
mark_apart(struct state *s)
{
   hd_require(s->f, HD_META_BLOCK_ORDER);
   const uint32_t *part = find_connected(s);
   hd_foreach_block(b, s->f) {
      if (b->loop_header && is_apart(part, b))
         b->node.mark |= APART;
   }
}

/* What runs before all of a cycle needs no place in it, and must not have one: where the cycle
 * around both is gone, the path from there to the header would leave the cycle and enter it again.
 * A block that comes first in this order is not reached from the header, or is in the cycle anyway;
 * then what it says keeps it from being taken for the header. What was a member only because it says
 * so ran after the header, and still does.
 */
static void
leave_later_cycles(struct state *s)
{
   hd_require(s->f, HD_META_BLOCK_ORDER);
   const uint32_t *part = find_connected(s);
   hd_foreach_block(b, s->f) {
      if (b->node.mark & APART)
         continue;
      while (b->loop_header && hd_block_rpo_index(b) < hd_block_rpo_index(b->loop_header) &&
             is_apart(part, b)) {
         b->loop_header = b->loop_header->loop_header;
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
   for (b = b->loop_header; b && b != header;)
      b = b->loop_header;
   return b != NULL;
}

/* What is declared to be inside the cycle of `header` and comes after `way`, which is outside, is
 * so no longer. Is there any?
 */
static bool
leave_cycle(struct state *s, hd_block *header, hd_block *way)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);
   bool *seen = hd_stack_alloc_zero(stack, s->f->num_blocks);
   hd_block **work = hd_stack_alloc(stack, s->f->num_blocks * sizeof(*work));
   uint32_t num = 0;
   bool any = false;

   seen[header->node.index] = seen[way->node.index] = true;
   work[num++] = way;
   while (num) {
      hd_block *b = work[--num];
      pass_step(s->f, 1);
      if (is_inside(b, header)) {
         b->loop_header = header->loop_header;
         any = true;
      }
      for (uint32_t n = 0; n < b->num_succs; n++) {
         hd_block *to = b->succs[n].to;
         if (hd_block_is_end(to) || seen[to->node.index])
            continue;
         seen[to->node.index] = true;
         work[num++] = to;
      }
   }
   return any;
}

/* Where a cycle is gone that was around another one, what lay between the parts of the inner one is
 * outside of it now: then the later part no longer belongs to it. Where each of two cycles is left
 * for the other one, that has a later part which is named as the way. Each iteration takes a
 * declaration away, so this ends.
 */
static void
settle_declarations(struct state *s)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);
   struct faults faults;
   uint32_t num = 0;
   bool any;

   do {
      any = false;
      hd_stack_mark mark = hd_stack_get_mark(stack);
      faults.num = 0;
      hd_check_declarations(s->f, note_fault, &faults, &num);
      for (uint32_t n = 0; n < faults.num; n++) {
         hd_block *b = faults.at[n].block, *other = faults.at[n].other;
         if (faults.at[n].fault == HD_DECLARED_REENTERED) {
            any |= leave_cycle(s, b, other) || leave_cycle(s, other, b);
         } else if (faults.at[n].fault == HD_DECLARED_CIRCLE ||
                    faults.at[n].fault == HD_DECLARED_CROSSING) {
            any |= b->loop_header != NULL;
            b->loop_header = NULL;
         } else {
            any |= b->continues != NULL;
            b->continues = NULL;
         }
      }
      hd_stack_release(stack, mark);
   } while (num && any);
}

bool
hd_remove_dead_flat(hd_function *f)
{
   struct state s = { .f = f, .dead.function = f };
   bool decides;
   int *succs = find_decisions(f, &decides);

   if (decides) {
      hd_require(f, HD_META_BLOCK_ORDER | HD_META_CYCLES);
      decides = keep_cycles(f, succs);
   }
   if (decides)
      hd_declare_loops(f);
   hd_undefs_init(&s.undefs, f);
   hd_replaced_init(&s.values, f);
   hd_function_borrow_node_marks(f);
   if (decides)
      mark_apart(&s);
   hd_foreach_block(b, f) {
      int succ = succs[b->node.index];
      if (succ >= 0)
         decide(&s, b, (uint32_t)succ);
   }
   if (decides)
      f->meta_valid = 0;
   mark_reached(&s);
   hd_foreach_block_safe(b, f) {
      if (b->node.mark & REACHED)
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
   hd_function_release_marks(f);
   hd_replaced_finish(&s.values);
   return s.progress;
}
