/* SPDX-License-Identifier: MIT */
/* construct.c - structured control flow of a module (OpLoopMerge) as loop declarations.
 *
 * A loop construct, its continue construct included, consists of the blocks that the header
 * dominates and the merge block does not, where merge blocks and continue targets count as
 * successors of the header. Its blocks need not lie on a cycle: code before a `break` or a `return`
 * runs with the lanes that leave in that iteration, which the CFG alone does not express. Blocks of
 * a called function are in the constructs of the call.
 */
#include "spirv/body.h"

/* Dominators with merge edges. */
static void
structural_dominators(struct spirv *s, const struct spirv_body *body, uint32_t *idom)
{
   uint32_t num = body->num_labels, count = 0;
   uint32_t *begin = scratch(s->stack, (size_t)num + 1);
   uint32_t *targets = scratch(s->stack, (size_t)body->num_targets + 2u * num);

   for (uint32_t n = 0; n < num; n++) {
      const struct spirv_label *label = &body->labels[n];
      begin[n] = count;
      for (uint32_t e = 0; e < label->num; e++)
         targets[count++] = body->targets[label->first + e];
      if (label->merge_to != NONE)
         targets[count++] = label->merge_to;
      if (label->continue_to != NONE)
         targets[count++] = label->continue_to;
   }
   begin[num] = count;
   hd_spirv_dominators(s, num, begin, targets, idom);
}

void
hd_spirv_find_loops(struct spirv *s, struct spirv_body *body)
{
   uint32_t num = body->num_labels, *idom = scratch(s->stack, num);
   uint32_t *header = scratch_fill(s->stack, num, 0xff); /* by label: of the loop it is merge of */
   hd_forest tree;
   bool any = false;

   for (uint32_t n = 0; n < num; n++) {
      const struct spirv_label *label = &body->labels[n];
      if (label->continue_to == NONE)
         continue;
      header[label->merge_to] = n;
      any = true;
   }
   if (!any)
      return;
   structural_dominators(s, body, idom);
   hd_forest_build(&tree, s->stack, num, idom, NULL, NULL);
   for (uint32_t at = 0; at < num; at++) {
      uint32_t n = tree.order[at], up = idom[n];
      if (up == NONE)
         continue;
      const struct spirv_label *parent = &body->labels[up];
      uint32_t loop = parent->continue_to != NONE ? up : parent->loop;
      /* Where it is a merge block it is outside of that loop, and so is what it dominates. */
      if (header[n] != NONE && header[n] != n && forest_contains(&tree, header[n], n))
         loop = body->labels[header[n]].loop;
      body->labels[n].loop = loop;
   }
}

static hd_block *
inside_of(const struct spirv_call *call, uint32_t label)
{
   uint32_t loop = call->body->labels[label].loop;

   if (loop == NONE || !call->body->labels[loop].head)
      return call->inside;
   return call->body->labels[loop].head;
}

hd_block *
hd_spirv_inside(const struct spirv *s)
{
   return s->call ? inside_of(s->call, s->call->label) : NULL;
}

void
hd_spirv_declare_members(struct spirv *s)
{
   hd_cf_node *last = s->b.function->body.last;

   if (s->last_block == last)
      return;
   hd_block *inside = hd_spirv_inside(s);
   for (hd_cf_node *n = s->last_block->next; n; n = n->next)
      hd_node_as_block(n)->loop_header = inside;
   s->last_block = last;
}

void
hd_spirv_declare_labels(struct spirv *s)
{
   const struct spirv_call *call = s->call;

   for (uint32_t n = 0; s->structured && n < call->body->num_labels; n++) {
      hd_block *head = call->body->labels[n].head;
      if (n && head)
         head->loop_header = inside_of(call, n);
   }
   s->last_block = s->b.function->body.last;
}

void
hd_spirv_declare_continues(struct spirv *s)
{
   const struct spirv_body *body = s->call->body;

   for (uint32_t n = 0; s->structured && n < body->num_labels; n++) {
      const struct spirv_label *label = &body->labels[n];
      if (label->continue_to == NONE || label->continue_to == n || !label->head)
         continue;
      hd_block *to = body->labels[label->continue_to].head;
      /* A continue target that nothing reaches, or of two loops, says nothing. */
      if (to && !to->continues)
         to->continues = label->head;
   }
}

static void
take_back(void *user, hd_declaration_fault fault, hd_block *block, hd_block *other)
{
   (void)user;
   (void)other;
   if (fault == HD_DECLARED_CIRCLE || fault == HD_DECLARED_CROSSING ||
       fault == HD_DECLARED_REENTERED)
      block->loop_header = NULL;
   else
      block->continues = NULL;
}

static uint32_t
count_faults(struct spirv *s)
{
   uint32_t faults = 0;
   hd_result result = hd_check_declarations(s->b.function, take_back, NULL, &faults);

   if (result != HD_OK)
      hd_heap_fail(s->heap, result);
   return faults;
}

/* In valid modules there is nothing to take back. Elsewhere one thing that is taken back may make
 * another one invalid; after a few rounds all go.
 */
void
hd_spirv_check_declarations(struct spirv *s)
{
   bool any = false;

   hd_foreach_block(b, s->b.function)
      any |= b->loop_header || b->continues;
   for (unsigned round = 0; any && round < 4; round++)
      any = count_faults(s) != 0;
   if (!any || !count_faults(s))
      return;
   hd_foreach_block(b, s->b.function)
      b->loop_header = b->continues = NULL;
}
