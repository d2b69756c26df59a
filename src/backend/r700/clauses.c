/* SPDX-License-Identifier: MIT */
/* clauses.c - groups and fetches in clauses, which control-flow instructions run.
 *
 * ALU instructions and fetches are collected until the order between some of them matters, or until
 * control flow follows: so clauses of both kinds are few and long.
 */
#include <string.h>

#include "backend/r700/layout.h"

/* Lists that grow */

static void
append_word(hd_r700_writer *l, hd_r700_words *w, uint64_t word, const hd_mach_inst *from,
            const hd_mach_block *block)
{
   w->words = hd_stack_grow(l->p->stack, w->words, w->num, &w->capacity, sizeof(*w->words));
   w->words[w->num++] = (hd_r700_word){ word, from, block };
}

hd_r700_cf *
hd_r700_append_cf(hd_r700_writer *l, unsigned op)
{
   l->cf = hd_stack_grow(l->p->stack, l->cf, l->num_cf, &l->cf_capacity, sizeof(*l->cf));
   hd_r700_cf *cf = &l->cf[l->num_cf++];
   memset(cf, 0, sizeof(*cf));
   cf->inst = hd_r700_begin(op);
   cf->inst.f[HD_R700_F_BARRIER] = 1;
   /* A clause is of several instructions. */
   cf->from = hd_r700_op_infos[op].mach.flags & HD_R700_CLAUSE ? NULL : l->inst;
   cf->block = l->block;
   return cf;
}

/* ALU clauses */

/* The number of the range in the clause; HD_R700_MAX_RANGES: there is no room. */
static unsigned
range_of(const hd_r700_cf *cf, uint32_t range)
{
   for (unsigned n = 0; n < cf->num_ranges; n++) {
      if (cf->ranges[n] == range)
         return n;
   }
   return cf->num_ranges;
}

/* The ranges of a group can be locked with those of the clause. */
static bool
add_ranges(hd_r700_cf *cf, const hd_r700_group *g)
{
   hd_r700_cf with = *cf;

   for (unsigned n = 0; n < g->num_ranges; n++) {
      const unsigned at = range_of(&with, g->ranges[n]);
      if (at == HD_R700_MAX_RANGES)
         return false;
      with.ranges[at] = g->ranges[n];
      with.num_ranges = at == with.num_ranges ? at + 1 : with.num_ranges;
   }
   *cf = with;
   return true;
}

static void
write_source(const hd_r700_writer *l, hd_r700_inst *inst, unsigned n, const hd_mach_operand *o,
             const hd_r700_cf *cf, const hd_r700_group *g)
{
   static const uint8_t fields[3][2] = { { HD_R700_F_SRC0_SEL, HD_R700_F_SRC0_CHAN },
                                         { HD_R700_F_SRC1_SEL, HD_R700_F_SRC1_CHAN },
                                         { HD_R700_F_SRC2_SEL, HD_R700_F_SRC2_CHAN } };
   uint32_t *sel = &inst->f[fields[n][0]], *chan = &inst->f[fields[n][1]];
   const int slot = hd_r700_forwarding_slot(g, o);

   if (slot >= 0) {
      *sel = slot < 4 ? HD_R700_SRC_PV : HD_R700_SRC_PS;
      *chan = slot < 4 ? (uint32_t)slot : 0;
   } else if (!hd_r700_is_constant(o)) {
      *sel = hd_r700_final_gpr(l, (o->reg - (unsigned)HD_R700_V0) / 4);
      *chan = (o->reg - (unsigned)HD_R700_V0) % 4;
   } else if (!hd_r700_is_number(o)) {
      const uint32_t dword = o->value & 0xffff;
      const uint32_t range = (o->value & 0xffff0000) | dword / HD_R700_RANGE_DWORDS;
      *sel = HD_R700_SRC_KC0 + 32 * range_of(cf, range) + dword % HD_R700_RANGE_DWORDS / 4;
      *chan = dword % 4;
   } else {
      static const uint32_t known[] = { 0, 0x3f800000, 1, UINT32_MAX, 0x3f000000 };
      const uint32_t bits = hd_r700_number(o);
      for (unsigned k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
         if (known[k] == bits) {
            *sel = HD_R700_SRC_0 + k;
            return;
         }
      }
      *sel = HD_R700_SRC_LITERAL;
      while (g->literals[*chan] != bits)
         ++*chan;
   }
}

static hd_r700_inst
instruction_of(const hd_r700_writer *l, const hd_r700_alu *alu, unsigned slot, const hd_r700_cf *cf,
               const hd_r700_group *g)
{
   static const uint8_t negated[] = { HD_R700_F_SRC0_NEG, HD_R700_F_SRC1_NEG, HD_R700_F_SRC2_NEG };
   hd_r700_inst inst = hd_r700_begin(alu->op);
   const unsigned dst = alu->dst < 0 ? slot : (unsigned)alu->dst;

   inst.f[HD_R700_F_DST_GPR] = hd_r700_final_gpr(l, dst / 4);
   inst.f[HD_R700_F_DST_CHAN] = dst % 4;
   inst.f[HD_R700_F_BANK_SWIZZLE] = g->swizzles[slot];
   if (hd_r700_op_infos[alu->op].layout == HD_R700_LAYOUT_OP2)
      inst.f[HD_R700_F_WRITE_MASK] = alu->dst >= 0;
   inst.f[HD_R700_F_UPDATE_EXEC_MASK] = inst.f[HD_R700_F_UPDATE_PRED] = alu->sets_mask;
   for (unsigned n = 0; n < alu->num_srcs; n++) {
      write_source(l, &inst, n, &alu->srcs[n], cf, g);
      inst.f[negated[n]] = alu->negated >> n & 1;
   }
   return inst;
}

static bool
reads_group_before(const hd_r700_group *g)
{
   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++) {
      for (unsigned n = 0; g->slots[slot] && n < g->slots[slot]->num_srcs; n++) {
         if (hd_r700_forwarding_slot(g, &g->slots[slot]->srcs[n]) >= 0)
            return true;
      }
   }
   return false;
}

static bool
put_group(void *user, const hd_r700_group *g)
{
   hd_r700_writer *l = user;
   hd_r700_cf *cf = l->num_cf ? &l->cf[l->num_cf - 1] : NULL;
   const uint32_t literal_words = (g->num_literals + 1) / 2;
   unsigned last = 0, num = 0;

   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++) {
      num += g->slots[slot] != NULL;
      last = g->slots[slot] ? slot : last;
   }
   if (!cf || cf->inst.op != HD_R700_ALU || cf->block != l->block ||
       cf->num + num + literal_words > HD_R700_CLAUSE_WORDS || !add_ranges(cf, g)) {
      if (reads_group_before(g))
         return false;
      cf = hd_r700_append_cf(l, HD_R700_ALU);
      cf->first = l->alu.num;
      add_ranges(cf, g);
      l->stats->clauses++;
   }
   for (unsigned slot = 0; slot <= last; slot++) {
      const hd_r700_alu *alu = g->slots[slot];
      uint64_t words[2];
      if (!alu)
         continue;
      hd_r700_inst inst = instruction_of(l, alu, slot, cf, g);
      inst.f[HD_R700_F_LAST] = slot == last;
      if (alu->sets_mask)
         cf->test = l->alu.num;
      hd_r700_encode(&inst, words);
      append_word(l, &l->alu, words[0], alu->from, alu->block);
   }
   for (unsigned n = 0; n < g->num_literals; n += 2)
      append_word(l, &l->alu, g->literals[n] | (uint64_t)g->literals[n + 1] << 32,
                  g->readers[n]->from, g->readers[n]->block);
   cf->num += num + literal_words;
   l->stats->groups++;
   l->stats->slots += num;
   return true;
}

static void
flush_alu(hd_r700_writer *l)
{
   hd_r700_rename(l);
   hd_r700_pack(l->p, l->pending, l->num_pending, hd_r700_of(l->p)->options->one_op_groups,
                put_group, l);
   l->num_pending = 0;
}

/* Fetches that wait */

static bool
writes(const hd_r700_inst *inst, unsigned channel)
{
   return channel / 4 == inst->f[HD_R700_F_DST_GPR] &&
          inst->f[HD_R700_F_DST_SEL_X + channel % 4] != HD_R700_SEL_MASK;
}

/* The order of both matters. */
static bool
is_alu_of(const hd_r700_inst *fetch, const hd_r700_alu *alu)
{
   if (alu->dst >= 0 &&
       (hd_r700_fetch_reads(fetch, (unsigned)alu->dst) || writes(fetch, (unsigned)alu->dst)))
      return true;
   for (unsigned s = 0; s < alu->num_srcs; s++) {
      if (!hd_r700_is_constant(&alu->srcs[s]) &&
          writes(fetch, alu->srcs[s].reg - (unsigned)HD_R700_V0))
         return true;
   }
   return false;
}

static bool
is_fetch_of(const hd_r700_inst *fetch, const hd_r700_inst *other)
{
   for (unsigned c = 0; c < 4; c++) {
      const unsigned own = 4 * fetch->f[HD_R700_F_DST_GPR] + c;
      const unsigned others = 4 * other->f[HD_R700_F_DST_GPR] + c;
      if ((writes(other, others) &&
           (hd_r700_fetch_reads(fetch, others) || writes(fetch, others))) ||
          (writes(fetch, own) && hd_r700_fetch_reads(other, own)))
         return true;
   }
   return false;
}

static void
put_fetch(hd_r700_writer *l, const hd_r700_waiting *fetch)
{
   hd_r700_inst final = fetch->inst;
   uint64_t words[2];

   final.f[HD_R700_F_SRC_GPR] = hd_r700_final_gpr(l, fetch->inst.f[HD_R700_F_SRC_GPR]);
   final.f[HD_R700_F_DST_GPR] = hd_r700_final_gpr(l, fetch->inst.f[HD_R700_F_DST_GPR]);
   hd_r700_encode(&final, words);
   for (unsigned n = 0; n < 2; n++)
      append_word(l, &l->fetches, words[n], fetch->from, fetch->block);
   l->stats->fetches++;
}

void
hd_r700_flush_fetches(hd_r700_writer *l)
{
   bool before = true;

   if (!l->num_waiting)
      return;
   for (unsigned n = 0; n < l->num_waiting; n++) {
      for (uint32_t k = 0; k < l->num_pending && before; k++)
         before = !is_alu_of(&l->waiting[n].inst, &l->pending[k]);
   }
   if (!before)
      flush_alu(l);
   hd_r700_cf *cf = hd_r700_append_cf(l, HD_R700_TEX);
   cf->first = l->fetches.num;
   cf->num = l->num_waiting;
   l->stats->clauses++;
   for (unsigned n = 0; n < l->num_waiting; n++)
      put_fetch(l, &l->waiting[n]);
   l->num_waiting = 0;
}

void
hd_r700_append_fetch(hd_r700_writer *l, const hd_r700_inst *inst)
{
   bool alone = l->num_waiting == HD_R700_CLAUSE_FETCHES;

   for (unsigned n = 0; n < l->num_waiting; n++)
      alone |= is_fetch_of(inst, &l->waiting[n].inst);
   if (alone)
      hd_r700_flush_fetches(l);
   l->waiting[l->num_waiting++] = (hd_r700_waiting){ *inst, l->inst, l->block };
}

void
hd_r700_append_alu(hd_r700_writer *l, const hd_r700_alu *alu)
{
   if (l->num_pending == HD_R700_MAX_PENDING)
      hd_r700_flush(l);
   for (unsigned n = 0; n < l->num_waiting; n++) {
      if (is_alu_of(&l->waiting[n].inst, alu))
         hd_r700_flush_fetches(l);
   }
   l->pending = hd_stack_grow(l->p->stack, l->pending, l->num_pending, &l->pending_capacity,
                              sizeof(*l->pending));
   l->pending[l->num_pending] = *alu;
   l->pending[l->num_pending].from = l->inst;
   l->pending[l->num_pending++].block = l->block;
}

void
hd_r700_flush(hd_r700_writer *l)
{
   hd_r700_flush_fetches(l);
   flush_alu(l);
}
