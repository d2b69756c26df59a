/* SPDX-License-Identifier: MIT */
/* flat.c - the validator's checks of loop declarations: headers, members, continue blocks. */
#include "check.h"
#include "heddle/analysis.h"

static void
check_targets(check *c, uint32_t pos)
{
   const hd_block *b = c->blocks[pos].block;
   const char *what = NULL;

   if (!c->f->structured && pos < c->num_blocks) {
      if (b->loop_header && block_place(c, b->loop_header) == NOT_IN_TABLE)
         what = "it is in a block that is not of the function";
      else if (b->continues && block_place(c, b->continues) == NOT_IN_TABLE)
         what = "it continues a block that is not of the function";
   } else if (b->node.header || b->loop_header || b->continues) {
      what = c->f->structured ? "the function is structured" : "it is the end block";
   }
   if (what)
      block_fault(c, pos, RULE_FL1, at_block(b), "%s", what);
}

/* FL2: every block names at most one other, so each chain is followed until it ends or meets a
 * block that was seen; seen in this chain, it closes a cycle.
 */
static void
check_circles(check *c)
{
   uint32_t *chain = hd_stack_alloc_zero(c->stack, (c->num_blocks + 1) * sizeof(*chain));

   for (uint32_t pos = 0; pos < c->num_blocks; pos++) {
      uint32_t at = pos;
      while (at != NOT_IN_TABLE && !chain[at]) {
         chain[at] = pos + 1;
         at = block_place(c, c->blocks[at].block->loop_header);
      }
      if (at != NOT_IN_TABLE && chain[at] == pos + 1) {
         const hd_block *b = c->blocks[at].block;
         block_fault(c, at, RULE_FL2, at_block(b), "b%u is in b%u, which leads back to it",
                     b->node.index, b->loop_header->node.index);
      }
   }
}

/* FL5 */
static void
check_continue_blocks(check *c)
{
   uint32_t *first = hd_stack_alloc_zero(c->stack, (c->num_blocks + 1) * sizeof(*first));

   for (uint32_t pos = 0; pos < c->num_blocks; pos++) {
      const hd_block *b = c->blocks[pos].block;
      uint32_t header = block_place(c, b->continues);
      if (header == NOT_IN_TABLE)
         continue;
      if (first[header])
         block_fault(c, pos, RULE_FL5, at_block(b), "b%u continues b%u too",
                     c->blocks[first[header] - 1].block->node.index, b->continues->node.index);
      else
         first[header] = pos + 1;
   }
}

/* FL3 and FL4 are the cycle nest's to judge. */
static void
hear_fault(void *user, hd_declaration_fault fault, hd_block *block, hd_block *other)
{
   check *c = user;
   unsigned b = block->node.index, o = other ? other->node.index : 0;

   switch (fault) {
   case HD_DECLARED_CIRCLE:
   case HD_CONTINUE_TWICE:
      break; /* FL2 and FL5, which have been checked */
   case HD_DECLARED_CROSSING:
      hd_check_report(c, RULE_FL3, at_block(block),
                      "b%u is in the cycle of b%u, which crosses another one that contains it", b,
                      o);
      break;
   case HD_DECLARED_REENTERED:
      hd_check_report(c, RULE_FL3, at_block(block),
                      "the cycle of b%u is entered again by way of b%u", b, o);
      break;
   case HD_CONTINUE_OUTSIDE:
      hd_check_report(c, RULE_FL4, at_block(block), "b%u continues b%u, but %s", b, o,
                      block == other ? "is itself the header" : "is not in its cycle");
      break;
   case HD_CONTINUE_BYPASSED:
      hd_check_report(c, RULE_FL4, at_block(block), "b%u goes back to b%u without it", o,
                      block->continues->node.index);
      break;
   case HD_CONTINUE_ENTERED:
      hd_check_report(c, RULE_FL4, at_block(block), "what b%u leads to is entered from b%u as well",
                      b, o);
      break;
   }
}

void
hd_check_flat_declarations(check *c)
{
   const hd_block *end = &c->f->end;

   if (!c->declares && !end->node.header && !end->loop_header && !end->continues)
      return;
   if (c->broken & (TREE_LINKS | RULE_BIT(RULE_CF10) | RULE_BIT(RULE_CF16)))
      return;
   for (uint32_t pos = 0; pos <= c->num_blocks; pos++)
      check_targets(c, pos);
   if (c->f->structured)
      return;
   check_circles(c);
   check_continue_blocks(c);
   if (!c->edges_sound || !can_check(RULE_FL4, c->broken & ~RULE_BIT(RULE_OP1)) ||
       c->broken & RULE_BIT(RULE_FL5))
      return;
   hd_result result = hd_check_declarations(c->f, hear_fault, c, NULL);
   if (result != HD_OK)
      hd_heap_fail(c->heap, result);
}
