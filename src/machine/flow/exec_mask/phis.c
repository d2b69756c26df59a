/* SPDX-License-Identifier: MIT */
/* phis.c - phis of scalars and masks, whose sources come by logical edges, as definitions along linear
 * edges.
 *
 * A mask has a bit for each lane, so the predecessors that lanes come from write it one after the
 * other:
 *
 *    m = phi a, b     =>     m = a                              at the end of the first
 *                            m = (m & ~exec) | (b & exec)       at the end of the second
 *
 * A scalar phi after divergent arms has one defined value, and undefined ones; after uniform arms
 * the pc decides. Both are written at their source, and ssa_repair.c inserts the phis. At a loop
 * header both kinds become phis of the two linear edges at once.
 *
 * A mask that is defined in a loop and read outside is written in every iteration: a second mask
 * collects the bits of the lanes that have left (LCSSA for masks).
 */
#include <assert.h>
#include <string.h>

#include "ir/private.h"
#include "machine/flow/exec_mask/exec_mask.h"

static bool
is_reachable(const hd_mach_block *block)
{
   return !block->ir || hd_block_is_reachable(block->ir);
}

/* Before */

/* The vector temp that all of its sources are, or 0: lanes that have it keep it in its register. */
static uint32_t
only_source(const hd_mach_program *p, const hd_mach_inst *phi)
{
   uint32_t temp = 0;

   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(phi, n);
      if (!hd_mach_is_vector_value(p, src) || (temp && temp != src->value))
         return 0;
      temp = src->value;
   }
   return temp;
}

/* What each temp is to be replaced by, or 0; following them, which ends as each stands for one that
 * was defined before.
 */
static bool
drop_copies(masks *m, uint32_t *same)
{
   hd_mach_program *p = m->p;
   bool any = false;

   hd_mach_foreach_block(block, p)
   {
      if (!is_reachable(block) || block->edges[HD_MACH_LOGICAL].num_preds < 1)
         continue;
      hd_mach_foreach_inst_safe(phi, next, block)
      {
         uint32_t temp = hd_mach_is_phi(phi) ? only_source(p, phi) : 0;
         if (!hd_mach_is_phi(phi))
            break;
         if (!temp || temp == hd_mach_def(phi, 0)->value)
            continue;
         while (same[temp])
            temp = same[temp];
         if (temp == hd_mach_def(phi, 0)->value)
            continue;
         same[hd_mach_def(phi, 0)->value] = temp;
         hd_mach_inst_remove(block, phi);
         any = true;
      }
   }
   return any;
}

static void
replace_copies(masks *m, const uint32_t *same)
{
   hd_mach_foreach_block(block, m->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (uint32_t n = 0; n < inst->num_srcs; n++) {
            hd_mach_operand *src = hd_mach_src(inst, n);
            uint32_t temp = hd_mach_is_temp(src) ? src->value : 0;
            while (same[temp])
               temp = same[temp];
            if (hd_mach_is_temp(src))
               src->value = temp;
         }
      }
   }
}

/* Is every bit of what a scalar instruction makes inside of exec? `inside` knows the sources. */
static bool
makes_inside(const masks *m, const hd_mach_inst *inst, uint32_t block)
{
   bool a = inst->num_srcs > 0 && hd_mach_is_temp(hd_mach_src(inst, 0)) &&
            m->inside[hd_mach_src(inst, 0)->value] == block;
   bool b = inst->num_srcs > 1 && hd_mach_is_temp(hd_mach_src(inst, 1)) &&
            m->inside[hd_mach_src(inst, 1)->value] == block;

   const hd_mach_masks *ops = m->p->hooks->masks;

   if (ops->is_compare && ops->is_compare(inst))
      return true;
   if (inst->op == ops->move || inst->op == ops->and_not)
      return a;
   if (inst->op == ops->and_masks)
      return a || b;
   return (inst->op == ops->or_masks || inst->op == ops->xor_masks) && a && b;
}

static void
note_insides_and_uses(masks *m)
{
   m->num_inside = m->p->num_temps;
   m->inside = hd_stack_alloc_zero(m->p->stack, (m->num_inside + 1) * sizeof(*m->inside));
   m->uses = hd_stack_alloc_zero(m->p->stack, (m->num_inside + 1) * sizeof(*m->uses));
   hd_mach_foreach_block(block, m->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (uint32_t n = 0; n < inst->num_srcs; n++) {
            if (hd_mach_is_temp(hd_mach_src(inst, n)))
               m->uses[hd_mach_src(inst, n)->value]++;
         }
         for (uint32_t n = 0; n < inst->num_defs; n++) {
            if (hd_mach_is_temp(hd_mach_def(inst, n)))
               m->p->temps[hd_mach_def(inst, n)->value].def = inst;
         }
         if (inst->num_defs && hd_mach_is_temp(hd_mach_def(inst, 0)) &&
             makes_inside(m, inst, block->index + 1))
            m->inside[hd_mach_def(inst, 0)->value] = block->index + 1;
      }
      if (hd_mach_is_temp(&block->condition.value))
         m->uses[block->condition.value.value]++;
   }
}

void
hd_mach_mask_place_edges(masks *m)
{
   m->place = hd_mach_place_edges(m->p);
}

void
hd_mach_mask_prepare(masks *m)
{
   hd_mach_program *p = m->p;
   uint32_t *same = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*same));

   hd_mach_drop_unreachable_preds(p);
   hd_mach_mask_place_edges(m);
   if (drop_copies(m, same))
      replace_copies(m, same);
   hd_mach_read_scalars(m->p);
   note_insides_and_uses(m);
}

/* Masks outside of their loop */

typedef struct keeper {
   masks *m;
   hd_mach_block **block_of; /* by temp: where a mask is defined */
   uint32_t *kept;           /* by temp: the mask that collects it, or 0 */
   const hd_cycle **left;    /* by temp: the outermost that lanes leave on their way to a use */
   bool *apart;              /* by cycle */
} keeper;

/* The outermost loop that lanes leave divergently and the value comes out of, or NULL. One that is
 * entered after its header, which a declared header can be, is left and entered again on the way
 * to a use in it.
 */
static const hd_cycle *
left_loop(const keeper *k, const hd_mach_block *def, const hd_mach_block *use)
{
   if (!use->ir)
      use = use->edges[HD_MACH_LOGICAL].preds[0]; /* it is on the edge of that one */
   const bool structured = k->m->p->function->structured;
   const hd_cycle *cycle = hd_block_cycle(def->ir), *left = NULL;

   for (; cycle && use != def; cycle = cycle->parent) {
      const bool late = !structured && !hd_block_dominates(cycle->header, def->ir);
      if (k->apart[cycle->index] && (late || !hd_cycle_contains(cycle, use->ir)))
         left = cycle;
   }
   return left;
}

static void
keep(keeper *k, hd_mach_operand *src, const hd_mach_block *use)
{
   hd_mach_program *p = k->m->p;
   uint32_t temp = hd_mach_is_temp(src) ? src->value : 0;

   if (!temp || temp >= k->m->num_inside || !k->block_of[temp])
      return;
   const hd_cycle *left = left_loop(k, k->block_of[temp], use);
   if (!left)
      return;
   if (!k->left[temp] || k->left[temp]->depth > left->depth)
      k->left[temp] = left;
   if (!k->kept[temp])
      k->kept[temp] = hd_mach_mask_temp(k->m);
   *src = hd_mach_operand_temp(p, k->kept[temp]);
}

/* The bits of exec in `kept` become those of `temp`. */
static void
collect(keeper *k, uint32_t temp)
{
   hd_mach_program *p = k->m->p;
   hd_mach_block *block = k->block_of[temp];
   hd_mach_inst *after = p->temps[temp].def;
   const hd_mach_masks *ops = p->hooks->masks;
   hd_mach_operand kept = hd_mach_operand_temp(p, k->kept[temp]);
   hd_mach_operand value = hd_mach_operand_temp(p, temp);
   hd_mach_inst *before = after->next;

   while (before && hd_mach_is_phi(after) && hd_mach_is_phi(before))
      before = before->next;
   hd_mach_operand others = hd_mach_operand_temp(p, hd_mach_mask_temp(k->m));
   hd_mach_inst_insert_before(block, ops->make(p, ops->and_not, others, kept, hd_mach_mask_exec(p)),
                              before);
   if (!hd_mach_mask_is_inside(k->m, value, block)) {
      hd_mach_operand own = hd_mach_operand_temp(p, hd_mach_mask_temp(k->m));
      hd_mach_inst_insert_before(
          block, ops->make(p, ops->and_masks, own, value, hd_mach_mask_exec(p)), before);
      value = own;
   }
   hd_mach_inst_insert_before(block, ops->make(p, ops->or_masks, kept, others, value), before);
}

/* Nothing is collected before the loop. */
static void
begin_kept(keeper *k, uint32_t temp)
{
   const hd_cycle *left = k->left[temp];
   const hd_block *from = hd_mach_mask_above(left->header, k->block_of[temp]->ir);

   hd_mach_mask_begin(k->m, hd_mach_mask_beginning(k->m, from, left->parent), k->kept[temp]);
}

static void
note_masks(keeper *k)
{
   hd_mach_program *p = k->m->p;

   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (uint32_t n = 0; n < inst->num_defs; n++) {
            const hd_mach_operand *def = hd_mach_def(inst, n);
            if (hd_mach_is_temp(def) && p->temps[def->value].flags & HD_MACH_TEMP_MASK)
               k->block_of[def->value] = block;
         }
      }
   }
}

static void
note_loops(keeper *k)
{
   const hd_function *f = k->m->p->function;

   for (uint32_t n = 0; n < hd_function_num_cycles(f); n++) {
      if (!f->structured) {
         k->apart[n] = true;
         continue;
      }
      const hd_loop *loop = hd_node_loop(&hd_function_cycle(f, n)->header->node);
      const mask_node *plan = &k->m->nodes[hd_node_prev_block(&loop->node)->node.index];
      k->apart[n] =
          plan->left_apart || (plan->list[0].leaves | plan->list[1].leaves) & LEAVES_RETURN;
   }
}

void
hd_mach_mask_keep_bits(masks *m)
{
   hd_mach_program *p = m->p;
   uint32_t num = hd_function_num_cycles(p->function);
   uint32_t num_temps = p->num_temps;

   if (!num)
      return;
   keeper k = {
      .m = m,
      .block_of = hd_stack_alloc_zero(p->stack, num_temps * sizeof(*k.block_of)),
      .kept = hd_stack_alloc_zero(p->stack, num_temps * sizeof(*k.kept)),
      .left = hd_stack_alloc_zero(p->stack, num_temps * sizeof(*k.left)),
      .apart = hd_stack_alloc_zero(p->stack, num * sizeof(*k.apart)),
   };
   note_masks(&k);
   note_loops(&k);
   hd_mach_foreach_block(block, p)
   {
      if (!is_reachable(block))
         continue;
      const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
      hd_mach_foreach_inst(inst, block)
      {
         for (uint32_t n = 0; n < inst->num_srcs; n++)
            keep(&k, hd_mach_src(inst, n), hd_mach_is_phi(inst) ? edges->preds[n] : block);
      }
      keep(&k, &block->condition.value, block);
   }
   for (uint32_t n = 1; n < num_temps; n++) {
      if (!k.kept[n])
         continue;
      collect(&k, n);
      begin_kept(&k, n);
   }
}

/* At the ends of lists */

void
hd_mach_mask_lift_copies(masks *m, hd_mach_block *before, hd_mach_block *empty)
{
   hd_mach_program *p = m->p;
   const hd_mach_edges *edges = &empty->edges[HD_MACH_LOGICAL];

   if (edges->num_succs != 1)
      return;
   for (hd_mach_inst *phi = edges->succs[0]->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
      hd_mach_operand *src = hd_mach_src(phi, m->place[empty->index]);
      /* A vector stays where it is: most are what the phi was before, and in its place already. */
      if (!hd_mach_is_vector_value(p, hd_mach_def(phi, 0)) || hd_mach_is_vector_value(p, src) ||
          src->flags & HD_MACH_OPERAND_UNDEF)
         continue;
      uint32_t temp = hd_mach_temp_create(p, p->mach->file_of[HD_MACH_LOGICAL], src->size, 0);
      hd_mach_inst *copy = hd_mach_inst_create(p, HD_MACH_P_COPY, 1, 1);
      *hd_mach_def(copy, 0) = hd_mach_operand_temp(p, temp);
      *hd_mach_src(copy, 0) = *src;
      p->temps[temp].def = copy;
      hd_mach_inst_insert_before(before, copy, before->tail);
      *src = hd_mach_operand_temp(p, temp);
   }
}

bool
hd_mach_mask_has_mask_phi(const hd_mach_block *block)
{
   for (const hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
      if (phi->op == HD_MACH_P_MASK_PHI)
         return true;
   }
   return false;
}

/* The bits of `lanes` in `to` become those of `value`. */
static void
merge_mask(masks *m, hd_mach_operand to, hd_mach_operand value, hd_mach_operand lanes,
           const hd_mach_block *from)
{
   bool constant = !hd_mach_is_temp(&value);

   if (constant && value.reg != m->p->hooks->masks->zero) {
      hd_mach_mask_op(m, m->p->hooks->masks->or_masks, to, to, lanes);
      return;
   }
   if (constant) {
      hd_mach_mask_narrow(m, to, to, lanes, true);
      return;
   }
   hd_mach_operand others = hd_mach_operand_temp(m->p, hd_mach_mask_temp(m));
   bool inside = lanes.reg == m->p->mach->exec.reg && hd_mach_mask_is_inside(m, value, from);
   hd_mach_mask_narrow(m, others, to, lanes, true);
   if (!inside) {
      hd_mach_operand own = hd_mach_operand_temp(m->p, hd_mach_mask_temp(m));
      hd_mach_mask_narrow(m, own, value, lanes, false);
      value = own;
   }
   hd_mach_mask_op(m, m->p->hooks->masks->or_masks, to, others, value);
}

void
hd_mach_mask_send(masks *m, hd_mach_block *from, hd_mach_block *to, hd_mach_operand lanes,
                  bool keep)
{
   uint32_t place = m->place[from->index];

   for (hd_mach_inst *phi = to->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
      hd_mach_operand def = *hd_mach_def(phi, 0), src = *hd_mach_src(phi, place);
      if (hd_mach_is_vector_value(m->p, &def) || src.flags & HD_MACH_OPERAND_UNDEF)
         continue;
      if (phi->op == HD_MACH_P_MASK_PHI && keep)
         merge_mask(m, def, src, lanes, from);
      else
         hd_mach_linear_def_add(m->p, &m->defs, m->block, def.value, src);
   }
}

/* At the end */

/* The edges of a header: one comes in, and one goes back. */
static void
finish_header_phi(hd_mach_block *header, hd_mach_inst *phi)
{
   const hd_mach_edges *linear = &header->edges[HD_MACH_LINEAR];
   const hd_mach_edges *logical = &header->edges[HD_MACH_LOGICAL];
   hd_mach_operand in = { 0 }, back = { 0 };

   for (uint32_t n = 0; n < logical->num_preds; n++) {
      if (logical->preds[n]->order >= header->order)
         back = *hd_mach_src(phi, n);
      else
         in = *hd_mach_src(phi, n);
   }
   assert(linear->num_preds == logical->num_preds);
   phi->op = HD_MACH_P_PHI;
   for (uint32_t n = 0; n < linear->num_preds; n++)
      *hd_mach_src(phi, n) = linear->preds[n]->order >= header->order ? back : in;
}

void
hd_mach_mask_finish_phis(masks *m)
{
   hd_mach_foreach_block(block, m->p)
   {
      hd_mach_foreach_inst_safe(phi, next, block)
      {
         if (!hd_mach_is_phi(phi))
            break;
         if (hd_mach_is_vector_value(m->p, hd_mach_def(phi, 0)))
            continue;
         if (block->loop_header) {
            finish_header_phi(block, phi);
         } else {
            hd_mach_inst_remove(block, phi);
            m->p->temps[hd_mach_def(phi, 0)->value].def = NULL;
         }
      }
   }
}
