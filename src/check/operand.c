/* SPDX-License-Identifier: MIT */
/* operand.c - the validator's checks of operands: each is a value of the function, whose definition
 * dominates the use.
 */
#include "instr.h"

/* After a type error, users of the result are not checked against its type. */
static void
mark_mistyped(visit *v, rule r)
{
   const uint64_t marking =
       TYPE_RULES | RULE_BIT(RULE_OP14) | RULE_BIT(RULE_OP12) | RULE_BIT(RULE_CALL2);

   if (marking & RULE_BIT(r) && def_entry(v->c, &v->instr->def))
      v->c->defs[v->instr->def.index].mistyped = true;
}

void
hd_check_fault(visit *v, rule r, int src, const char *format, ...)
{
   place where = at_instr(v->c->blocks[v->pos].block, v->instr);
   va_list args;

   where.src = src;
   v->broken |= RULE_BIT(r);
   mark_mistyped(v, r);
   va_start(args, format);
   hd_check_vreport(v->c, r, where, format, args);
   va_end(args);
}

static void
check_slot(visit *v, const hd_src *src, unsigned n, unsigned slot)
{
   if (hd_src_slot(src) != slot)
      hd_check_fault(v, RULE_SSA8, (int)n, "operand %u has the slot %u", n, hd_src_slot(src));
}

/* A source reads nothing, or no value of the function. */
static void
report_missing(check *c, const hd_src *src, place where)
{
   c->use_fault = true;
   if (!src->def) {
      hd_check_report(c, RULE_SSA7, where, "it is missing");
      return;
   }
   foreign_src *foreign = hd_stack_alloc(c->stack, sizeof(*foreign));
   *foreign = (foreign_src){ .src = src, .next = c->foreign };
   c->foreign = foreign;
   if (can_check(RULE_SSA7, c->broken & ~RULE_BIT(RULE_OP2)))
      hd_check_report(c, RULE_SSA7, where, "%s is not a value of the function",
                      hd_check_def_text(c, src->def));
}

/* SSA2, without following use lists where they are in the order of the text, newest first, as they
 * are when code was built in that order: each source is then the one before the source of the same
 * value that was seen last, and the last one seen is the head of the list. All of that follows
 * from the source at hand and the value's entry, so memory that was long left is not touched again.
 *
 * The sources of a list in another order are compared with it as sets, by a sum over the sources
 * that are seen less one over those in the list. Addresses are mixed first, so that different sets
 * don't add up to the same by the regularity of addresses.
 */
static uint64_t
mix(const hd_src *src)
{
   uint64_t h = (uint64_t)(uintptr_t)src * UINT64_C(0x9e3779b97f4a7c15);

   h ^= h >> 32;
   return h * UINT64_C(0xd6e8feb86659fd93);
}

static void
leave_order(check *c, def_info *e)
{
   bool head_seen = e->last_use && !e->next_use;

   for (const hd_src *s = e->last_use; s; s = hd_src_next_use(s))
      c->use_sum += mix(s);
   c->num_heads -= !head_seen;
   e->unordered = true;
   c->unordered = hd_check_grow(c, c->unordered, &c->unordered_capacity, c->num_unordered + 1,
                                sizeof(*c->unordered));
   c->unordered[c->num_unordered++] = e->def->index;
}

static inline void
follow_use(check *c, const hd_def *def, const hd_src *src)
{
   def_info *e = &c->defs[def->index];
   const hd_src *next = hd_src_next_use(src), *prev = hd_src_prev_use(src);

   if (!e->unordered) {
      if (next == e->last_use && (!next || e->next_use == src) && (prev || def->uses == src)) {
         e->last_use = src;
         e->next_use = prev;
         c->num_heads -= !prev;
         return;
      }
      leave_order(c, e);
   }
   c->use_sum += mix(src);
}

/* Walk a use list: every link back agrees, and every source reads this value. */
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
   steps(c, n);
}

const def_info *
hd_check_visit_src(visit *v, hd_src *src, unsigned n, unsigned slot)
{
   check *c = v->c;
   const hd_def *def = src->def;

   if (hd_src_slot(src) != slot)
      check_slot(v, src, n, slot);
   const def_info *e = def ? def_entry(c, def) : NULL;
   if (!e) {
      report_missing(c, src, at_src(c->blocks[v->pos].block, v->instr, n));
      return NULL;
   }
   follow_use(c, def, src);
   if (!c->dom || !v->reachable || v->instr->kind == HD_INSTR_PHI)
      return e;
   if (e->block == v->pos ? e->order < v->order : block_dominates(c, e->block, v->pos))
      return e;
   place where = at_src(c->blocks[v->pos].block, v->instr, n);
   if (e->block == v->pos)
      hd_check_report(c, RULE_SSA1, where, "%s is %s", hd_check_def_text(c, src->def),
                      e->order == v->order ? "its own result" : "defined later in the block");
   else
      hd_check_report(c, RULE_SSA1, where, "%s of b%u does not dominate b%u",
                      hd_check_def_text(c, src->def), c->blocks[e->block].block->node.index,
                      c->blocks[v->pos].block->node.index);
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
   const def_info *e = hd_check_visit_src(v, &wide->src, n, HD_SLOT_WIDE);

   if (wide->instr != &phi->instr)
      hd_check_fault(v, RULE_SSA8, (int)n, "its instruction is another one");
   if (!e)
      return;
   const def_info *own = def_entry(c, def);
   if (!e->mistyped && !(own && own->mistyped) &&
       can_check(RULE_OP10, v->broken & ~RULE_BIT(RULE_SSA7)) &&
       (e->def->bit_size != def->bit_size || e->def->num_components != def->num_components))
      hd_check_fault(v, RULE_OP10, (int)n, "%s is %u x %u, the phi %u x %u",
                     hd_check_def_text(c, e->def), e->def->num_components, e->def->bit_size,
                     def->num_components, def->bit_size);
   if (!has_preds || !c->dom)
      return;
   uint32_t from = block_place(c, c->blocks[v->pos].block->preds[n].from);
   if (c->blocks[from].reachable && e->block != from && !block_dominates(c, e->block, from))
      hd_check_report(c, RULE_SSA1, at_src(c->blocks[v->pos].block, v->instr, n),
                      "%s of b%u does not dominate the predecessor b%u",
                      hd_check_def_text(c, e->def), c->blocks[e->block].block->node.index,
                      c->blocks[from].block->node.index);
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
   if (hd_src_slot(&nif->cond) != HD_SLOT_IF)
      hd_check_report(c, RULE_SSA8, where, "the condition says that it is operand %u",
                      hd_src_slot(&nif->cond));
   const def_info *e = nif->cond.def ? def_entry(c, nif->cond.def) : NULL;
   if (!e) {
      report_missing(c, &nif->cond, where);
      return;
   }
   follow_use(c, nif->cond.def, &nif->cond);
   if (!e->mistyped && (e->def->bit_size != 1 || e->def->num_components != 1))
      hd_check_report(c, RULE_OP13, where, "%s is %u x %u", hd_check_def_text(c, e->def),
                      e->def->num_components, e->def->bit_size);
   if (c->dom && c->blocks[pos].reachable && e->block != pos && !block_dominates(c, e->block, pos))
      hd_check_report(c, RULE_SSA1, where, "%s of b%u does not dominate b%u",
                      hd_check_def_text(c, e->def), c->blocks[e->block].block->node.index,
                      c->blocks[pos].block->node.index);
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
      hd_check_report(c, RULE_SH4, where, "the name table has no entry for it");
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
      hd_check_instr(v);
      c->num_heads += i->def.uses != NULL;
      if (i->def.flags & HD_DEF_NAMED)
         check_name(c, &i->def, true, at_instr(info->block, i));
   }
}

void
hd_check_instrs(check *c)
{
   visit v = { .c = c };
   uint32_t next_if = 0;

   for (v.pos = 0; v.pos < c->num_blocks; v.pos++) {
      fetch_ahead(c, v.pos);
      visit_block(&v);
      for (; next_if < c->num_ifs && c->if_block[next_if] == v.pos; next_if++)
         visit_condition(c, c->ifs[next_if], v.pos);
   }
   for (v.pos = 0; v.pos < c->num_blocks; v.pos++) {
      fetch_ahead(c, v.pos);
      v.reachable = c->blocks[v.pos].reachable;
      if (c->blocks[v.pos].may_have_phis || c->blocks[v.pos].broken & RULE_BIT(RULE_SSA4))
         visit_phis(&v);
   }
   for (uint32_t n = 0; n < c->num_unordered; n++)
      sum_uses(c, c->defs[c->unordered[n]].def);
}
