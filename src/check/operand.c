/* SPDX-License-Identifier: MIT */
/* operand.c - the walk over all instructions, and what holds for any operand: that it is a value of
 * the function, whose definition dominates the use.
 */
#include "instr.h"

/* Sources are compared as sets by a sum over them: of those seen where they stand, less those seen
 * in use lists. Each address is mixed first, so that different sets don't add up to the same by the
 * regularity of addresses.
 */
static inline uint64_t
mix(const hd_src *src)
{
   uint64_t h = (uint64_t)(uintptr_t)src * UINT64_C(0x9e3779b97f4a7c15);

   h ^= h >> 32;
   return h * UINT64_C(0xd6e8feb86659fd93);
}

/* After a fault of types, nobody judges others by the type of the result. */
static void
mark_mistyped(visit *v, rule r)
{
   const uint64_t marking =
       TYPE_RULES | RULE_BIT(RULE_OP14) | RULE_BIT(RULE_OP12) | RULE_BIT(RULE_CALL2);

   if (marking & RULE_BIT(r) && def_entry(v->c, &v->instr->def))
      v->c->defs[v->instr->def.index].mistyped = true;
}

void
fault(visit *v, rule r, int src, const char *format, ...)
{
   place where = at_instr(v->c->blocks[v->pos].block, v->instr);
   va_list args;

   where.src = src;
   v->broken |= RULE_BIT(r);
   mark_mistyped(v, r);
   va_start(args, format);
   vreport(v->c, r, where, format, args);
   va_end(args);
}

static void
check_slot(visit *v, const hd_src *src, unsigned n, unsigned slot)
{
   if (hd_src_slot(src) != slot)
      fault(v, RULE_SSA8, (int)n, "operand %u says that it is number %u", n, hd_src_slot(src));
}

/* The entry of the value that a source reads; reports where there is none. */
static const def_info *
look_up(check *c, const hd_src *src, place where)
{
   const hd_def *def = src->def;

   if (!def) {
      report(c, RULE_SSA7, where, "it is missing");
      return NULL;
   }
   const def_info *e = def_entry(c, def);
   if (!e) {
      foreign_src *foreign = hd_stack_alloc(c->stack, sizeof(*foreign));
      *foreign = (foreign_src){ .src = src, .next = c->foreign };
      c->foreign = foreign;
   }
   if (!e && can_check(RULE_SSA7, c->broken & ~RULE_BIT(RULE_OP2)))
      report(c, RULE_SSA7, where, "%s is not a value of the function", def_text(c, def));
   return e;
}

/* Walk the use list of a value: every link back agrees, and every source reads this value. */
static void
sum_uses(check *c, const hd_def *def)
{
   const hd_src *before = NULL;
   uint64_t sum = 0, n = 0;

   for (const hd_src *s = def->uses; s; before = s, s = hd_src_next_use(s)) {
      if (s->def != def || hd_src_prev_use(s) != before) {
         c->use_fault = true;
         return;
      }
      sum += mix(s);
      n++;
   }
   c->use_sum -= sum;
   if (n > 64)
      steps(c, n);
}

const def_info *
visit_src(visit *v, hd_src *src, unsigned n, unsigned slot)
{
   check *c = v->c;
   place where = at_src(c->blocks[v->pos].block, v->instr, n);

   c->use_sum += mix(src);
   if (hd_src_slot(src) != slot)
      check_slot(v, src, n, slot);
   const def_info *e = look_up(c, src, where);
   if (!e || !c->dom || !v->reachable || v->instr->kind == HD_INSTR_PHI)
      return e;
   bool dominates = e->block == v->pos ? e->order < v->order : block_dominates(c, e->block, v->pos);
   if (dominates)
      return e;
   if (e->block == v->pos)
      report(c, RULE_SSA1, where, "%s is %s", def_text(c, src->def),
             e->order == v->order ? "its own result" : "defined later in the block");
   else
      report(c, RULE_SSA1, where, "%s of b%u does not dominate b%u", def_text(c, src->def),
             c->blocks[e->block].block->node.index, c->blocks[v->pos].block->node.index);
   return e;
}

/* A phi reads its source at the end of the predecessor that the source is for. */
static void
visit_phi_src(visit *v, uint32_t n, bool has_preds)
{
   check *c = v->c;
   hd_phi *phi = (hd_phi *)v->instr;
   hd_wide_src *wide = &phi->srcs[n];
   const hd_def *def = &phi->instr.def;
   const def_info *e = visit_src(v, &wide->src, n, HD_SLOT_WIDE);

   if (wide->instr != &phi->instr)
      fault(v, RULE_SSA8, (int)n, "it names another instruction");
   if (!e)
      return;
   const def_info *own = def_entry(c, def);
   if (!e->mistyped && !(own && own->mistyped) &&
       can_check(RULE_OP10, v->broken & ~RULE_BIT(RULE_SSA7)) &&
       (e->def->bit_size != def->bit_size || e->def->num_components != def->num_components))
      fault(v, RULE_OP10, (int)n, "%s is %u x %u, the phi %u x %u", def_text(c, e->def),
            e->def->num_components, e->def->bit_size, def->num_components, def->bit_size);
   if (!has_preds || !c->dom)
      return;
   uint32_t from = block_place(c, c->blocks[v->pos].block->preds[n].from);
   if (c->blocks[from].reachable && e->block != from && !block_dominates(c, e->block, from))
      report(c, RULE_SSA1, at_src(c->blocks[v->pos].block, v->instr, n),
             "%s of b%u does not dominate the predecessor b%u", def_text(c, e->def),
             c->blocks[e->block].block->node.index, c->blocks[from].block->node.index);
}

/* All phis of a block, those too that don't come first, because their sources are uses. */
static void
visit_phis(visit *v)
{
   check *c = v->c;
   const block_info *info = &c->blocks[v->pos];
   hd_instr *i = info->block->first;
   bool misplaced = info->broken & RULE_BIT(RULE_SSA4);

   for (uint32_t k = 0; k < info->num_instrs; k++, i = i->next) {
      hd_phi *phi = (hd_phi *)i;
      if (i->kind != HD_INSTR_PHI && !misplaced)
         break;
      if (i->kind != HD_INSTR_PHI)
         continue;
      v->instr = i;
      v->broken = 0;
      if (i->num_srcs != HD_NUM_SRCS_WIDE || phi->num_srcs > phi->capacity ||
          (phi->num_srcs && !phi->srcs))
         continue;
      steps(c, phi->num_srcs);
      for (uint32_t n = 0; n < phi->num_srcs; n++)
         visit_phi_src(v, n, !misplaced && phi->num_srcs == info->block->num_preds);
   }
}

/* The condition of an if is read at the end of the block before it. */
static void
visit_condition(check *c, hd_if *nif, uint32_t pos)
{
   place where = at_node(&nif->node);

   where.src = 0;
   c->use_sum += mix(&nif->cond);
   if (hd_src_slot(&nif->cond) != HD_SLOT_IF)
      report(c, RULE_SSA8, where, "the condition says that it is operand %u",
             hd_src_slot(&nif->cond));
   const def_info *e = look_up(c, &nif->cond, where);
   if (!e)
      return;
   if (!e->mistyped && (e->def->bit_size != 1 || e->def->num_components != 1))
      report(c, RULE_OP13, where, "%s is %u x %u", def_text(c, e->def), e->def->num_components,
             e->def->bit_size);
   if (c->dom && c->blocks[pos].reachable && e->block != pos && !block_dominates(c, e->block, pos))
      report(c, RULE_SSA1, where, "%s of b%u does not dominate b%u", def_text(c, e->def),
             c->blocks[e->block].block->node.index, c->blocks[pos].block->node.index);
}

/* SH4, the half that can be seen from here: what is flagged has an entry. */
static void
check_name(check *c, const void *object, bool flagged, place where)
{
   if (!flagged)
      return;
   if (hd_name_get(c->shader, object))
      c->num_named++;
   else
      report(c, RULE_SH4, where, "the name table has no entry for it");
}

static void
visit_block(visit *v)
{
   check *c = v->c;
   const block_info *info = &c->blocks[v->pos];
   hd_instr *i = info->block->first;

   v->reachable = info->reachable;
   steps(c, info->num_instrs);
   check_name(c, info->block, info->block->node.named, at_block(info->block));
   for (uint32_t k = 0; k < info->num_instrs; k++, i = i->next) {
      v->instr = i;
      v->broken = 0;
      v->order++;
      check_instr(v);
      if (i->def.uses)
         sum_uses(c, &i->def);
      if (i->def.flags & HD_DEF_NAMED)
         check_name(c, &i->def, true, at_instr(info->block, i));
   }
}

void
check_instrs(check *c)
{
   visit v = { .c = c };

   for (v.pos = 0; v.pos < c->num_blocks; v.pos++)
      visit_block(&v);
   for (v.pos = 0; v.pos < c->num_blocks; v.pos++) {
      v.reachable = c->blocks[v.pos].reachable;
      if (c->blocks[v.pos].may_have_phis || c->blocks[v.pos].broken & RULE_BIT(RULE_SSA4))
         visit_phis(&v);
   }
   for (uint32_t n = 0; n < c->num_ifs; n++)
      visit_condition(c, c->ifs[n], c->if_block[n]);
}
