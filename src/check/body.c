/* SPDX-License-Identifier: MIT */
/* body.c - the validator's checks of instruction lists: links, phis first and jumps last, the table of
 * values.
 */
#include "check.h"
#include "heddle/ops.h"

static void
grow_defs(check *c, uint32_t index)
{
   uint32_t old = c->defs_capacity;

   c->defs = hd_check_grow(c, c->defs, &c->defs_capacity, index + 1, sizeof(*c->defs));
   memset(c->defs + old, 0, (size_t)(c->defs_capacity - old) * sizeof(*c->defs));
}

/* Does an instruction of this kind make a value? Where it doesn't, but has the fields of one, OP14
 * reports it.
 */
static bool
makes_value(const hd_instr *i)
{
   if (i->kind == HD_INSTR_INTRINSIC)
      return hd_instr_intrinsic_info(i)->flags & HD_HAS_RESULT;
   return i->kind != HD_INSTR_JUMP && i->kind != HD_INSTR_STORE_VAR;
}

/* Enter a value into the table. */
static void
add_def(check *c, uint32_t block, hd_instr *i, uint32_t order)
{
   hd_def *def = &i->def;
   uint32_t index = def->index;

   if (!makes_value(i))
      return;
   if (index >= c->f->num_defs) {
      block_fault(c, block, RULE_SSA6, at_instr(c->blocks[block].block, i), "%%%u is not below %u",
                  index, c->f->num_defs);
      return;
   }
   if (index >= c->defs_capacity)
      grow_defs(c, index);
   if (c->defs[index].def) {
      block_fault(c, block, RULE_SSA6, at_instr(c->blocks[block].block, i),
                  "two values have the index %u", index);
      return;
   }
   c->defs[index] = (def_info){ .def = def, .order = order, .block = block };
}

/* Phis first, then nothing of the kind; parameters in the start block only; a jump at the end. What
 * has stood before is in `state`.
 */
enum { AT_HEAD, AFTER_PARAMS, AFTER_PHIS, AFTER_ORDINARY, AFTER_JUMP };

typedef struct body {
   int state;
   uint32_t num_params;
} body;

static void
check_order(check *c, uint32_t pos, body *s, hd_instr *i)
{
   block_info *info = &c->blocks[pos];
   place where = at_instr(info->block, i);

   if (s->state == AFTER_JUMP) {
      block_fault(c, pos, RULE_CF8, where, "it follows a jump");
      s->state = AFTER_ORDINARY;
      return;
   }
   switch (i->kind) {
   case HD_INSTR_PHI:
      if (s->state == AFTER_ORDINARY)
         block_fault(c, pos, RULE_SSA4, where, "it follows another instruction");
      else if (!info->may_have_phis)
         block_fault(c, pos, RULE_SSA4, where, "b%u never has several predecessors",
                     info->block->node.index);
      else
         s->state = AFTER_PHIS;
      break;
   case HD_INSTR_PARAM: {
      uint32_t index = ((const hd_param *)i)->param_index;
      if (pos || s->state > AFTER_PARAMS)
         block_fault(c, pos, RULE_SSA5, where,
                     pos ? "it is in b%u" : "it follows another instruction",
                     info->block->node.index);
      else if (index != s->num_params)
         block_fault(c, pos, RULE_SSA5, where, "parameter %u is at position %u", index,
                     s->num_params);
      s->num_params++;
      break;
   }
   case HD_INSTR_JUMP:
      s->state = AFTER_JUMP;
      break;
   default:
      s->state = AFTER_ORDINARY;
      break;
   }
}

static void
check_body(check *c, uint32_t pos, body *s)
{
   block_info *info = &c->blocks[pos];
   hd_block *b = info->block;
   hd_instr *before = NULL;

   s->state = AT_HEAD;
   for (hd_instr *i = b->first; i; before = i, i = i->next) {
      if (i->prev != before || i->block != b) {
         block_fault(c, pos, RULE_CF17, before ? at_instr(b, before) : at_block(b),
                     i->block != b ? "what follows says that it is in another block"
                                   : "what follows does not point back");
         break;
      }
      info->num_instrs++;
      check_order(c, pos, s, i);
      if (i->def.bit_size || i->def.num_components)
         add_def(c, pos, i, (uint32_t)++c->num_instrs);
      else
         c->num_instrs++;
   }
   if (b->last != before && !(info->broken & RULE_BIT(RULE_CF17)))
      block_fault(c, pos, RULE_CF17, at_block(b),
                  "its last instruction is not the end of the list");
   info->last = before;
   steps(c, info->num_instrs);

   if (before && before->kind == HD_INSTR_JUMP && c->f->structured && b->node.next &&
       !(c->broken & TREE_LINKS))
      block_fault(c, pos, RULE_CF8, at_instr(b, before), "its list goes on");
}

void
hd_check_bodies(check *c)
{
   hd_function *f = c->f;
   body s = { 0 };
   uint32_t expected = f->num_params;

   grow_defs(c, f->num_defs < 1u << 16 ? f->num_defs : 1u << 16);
   for (uint32_t pos = 0; pos < c->num_blocks; pos++) {
      fetch_ahead(c, pos);
      s.num_params = 0;
      check_body(c, pos, &s);
      if (!pos && s.num_params != expected &&
          !(c->broken & (RULE_BIT(RULE_CF17) | RULE_BIT(RULE_SSA5))))
         hd_check_report(c, RULE_SSA5, at_block(c->blocks[0].block), "%u parameters of %u",
                         s.num_params, expected);
   }
}
