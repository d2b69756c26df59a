/* SPDX-License-Identifier: MIT */
/* scalars.c - which values can be scalars, with structured instructions or block numbers.
 *
 * A uniform value can if what it is computed from are scalars, and if the pc comes to no use of it
 * without its definition. Block numbers are jumps of the pc, which can be given copies; structured
 * instructions cannot, so with them
 *
 *    a phi       is where only jumps of the pc come together: after an if or in a loop that are uniform
 *    a use       is in the list of the definition, or in one around it that only jumps lead to
 *
 * All that may be scalars are taken for such, until one is seen that is none.
 */
#include "heddle/analysis.h"
#include "heddle/edit.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/ops.h"
#include "machine/flow/flow.h"

/* Rounds after which none is one: programs have few. */
#define MOST_ROUNDS 16

typedef struct finder {
   hd_mach_program *p;
   bool *scalars;            /* by def */
   bool *loops;              /* by index of the header: uniform */
   uint32_t *order, *region; /* by block: its place, and the last one that only jumps lead to */
   bool changed;
} finder;

static bool
is_scalar(const finder *f, const hd_def *def)
{
   return hd_instr_as_const(hd_def_instr(def)) || f->scalars[def->index];
}

/* Nodes */

static bool
is_uniform_node(const finder *f, const hd_cf_node *node)
{
   const hd_if *nif = hd_node_as_if(node);
   const hd_loop *loop = hd_node_as_loop(node);

   if (nif)
      return f->p->by_ir[hd_node_prev_block(node)->node.index]->condition.uniform;
   return loop && f->loops[hd_loop_header(loop)->node.index];
}

/* Do only jumps of the pc come together at the head of the block? */
static bool
joins_jumps(const finder *f, const hd_block *b)
{
   const hd_cf_node *parent = b->node.list->parent;

   if (b->node.prev)
      return is_uniform_node(f, b->node.prev);
   return parent && hd_node_as_loop(parent) && is_uniform_node(f, parent);
}

static void
find_regions(finder *f)
{
   if (!f->p->function->structured)
      return;
   hd_foreach_block(b, f->p->function) {
      const hd_mach_block *block = f->p->by_ir[b->node.index];
      const hd_if *nif = hd_block_next_if(b);
      if (nif && !hd_block_jump(b))
         ((hd_mach_block *)block)->condition.uniform = is_scalar(f, nif->cond.def);
   }
   hd_mach_find_uniform_loops(f->p, f->loops);
   hd_foreach_block(b, f->p->function) {
      const hd_cf_list *list = b->node.list;
      const hd_block *first = hd_list_first_block(list);
      if (b != first)
         f->region[b->node.index] = f->region[first->node.index];
      else if (list->parent && is_uniform_node(f, list->parent))
         f->region[b->node.index] = f->region[hd_node_prev_block(list->parent)->node.index];
      else
         f->region[b->node.index] = f->order[hd_list_last_block(list)->node.index];
   }
}

/* Values */

static bool
reads_scalars(const finder *f, const hd_instr *i)
{
   hd_foreach_src(src, (hd_instr *)i) {
      if (!is_scalar(f, src->def))
         return false;
   }
   return true;
}

/* Its result is a scalar, whatever it reads. */
static bool
makes_scalar(const finder *f, const hd_instr *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);

   switch ((hd_intrinsic_id)i->op) {
   case HD_INTRINSIC_READ_FIRST:
   case HD_INTRINSIC_BALLOT:
      return true;
   case HD_INTRINSIC_BROADCAST:
      return is_scalar(f, ((const hd_intrinsic *)i)->src[1].def);
   default:
      break;
   }
   if (i->op >= HD_INTRINSIC_OWN || info->writes || info->flags & HD_CROSS_LANE ||
       info->reads & HD_MEMORY_SCRATCH)
      return false;
   return reads_scalars(f, i);
}

static bool
can_be_scalar(const finder *f, const hd_block *b, const hd_instr *i)
{
   switch (i->kind) {
   case HD_INSTR_ALU:
      return reads_scalars(f, i);
   case HD_INSTR_PHI:
      return reads_scalars(f, i) && (!f->p->function->structured || joins_jumps(f, b));
   case HD_INSTR_INTRINSIC:
      return makes_scalar(f, i);
   default:
      return false;
   }
}

/* Is it the same for all lanes at each use, and does the pc come there by the definition? */
static bool
reaches_uses(const finder *f, const hd_block *b, const hd_instr *i)
{
   hd_foreach_use(src, &i->def) {
      const hd_block *use = hd_cursor_block(hd_before_use(src));
      if (!hd_src_is_uniform(src) ||
          (f->p->function->structured && f->order[use->node.index] > f->region[b->node.index]))
         return false;
   }
   return true;
}

static void
look(finder *f)
{
   hd_foreach_block(b, f->p->function) {
      hd_foreach_instr(i, b) {
         if (!hd_instr_def(i) || !f->scalars[i->def.index] ||
             (can_be_scalar(f, b, i) && reaches_uses(f, b, i)))
            continue;
         f->scalars[i->def.index] = false;
         f->changed = true;
      }
   }
}

void
hd_mach_find_scalars(hd_mach_program *p)
{
   const hd_function *function = p->function;
   finder f = { .p = p, .changed = true };
   uint32_t order = 0;

   f.scalars = hd_stack_alloc_zero(p->stack, (function->num_defs + (size_t)1) * sizeof(bool));
   f.loops = hd_stack_alloc_zero(p->stack, (function->num_blocks + (size_t)1) * sizeof(bool));
   f.order = hd_stack_alloc_zero(p->stack, (function->num_blocks + (size_t)1) * sizeof(uint32_t));
   f.region = hd_stack_alloc_zero(p->stack, (function->num_blocks + (size_t)1) * sizeof(uint32_t));
   p->scalars = f.scalars;
   if (p->no_scalars)
      return;
   hd_foreach_block(b, function) {
      f.order[b->node.index] = order++;
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i))
            f.scalars[i->def.index] = hd_def_is_uniform(&i->def);
      }
   }
   for (unsigned round = 0; f.changed && round < MOST_ROUNDS; round++) {
      f.changed = false;
      find_regions(&f);
      look(&f);
   }
   for (uint32_t n = 0; f.changed && n < function->num_defs; n++)
      f.scalars[n] = false;
}
