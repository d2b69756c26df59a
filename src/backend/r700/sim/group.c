/* SPDX-License-Identifier: MIT */
/* group.c - groups of an ALU clause: all instructions read before one of them writes. */
#include <string.h>

#include <inttypes.h>

#include "backend/r700/sim/sim.h"

typedef struct group {
   hd_r700_inst insts[HD_R700_MAX_GROUP]; /* by slot */
   uint32_t at[HD_R700_MAX_GROUP];        /* the words */
   unsigned taken;                        /* a bit a slot */
   uint32_t literals[4];
   uint32_t next; /* the word behind it */
} group;

static const uint8_t sel_fields[] = { HD_R700_F_SRC0_SEL, HD_R700_F_SRC1_SEL, HD_R700_F_SRC2_SEL };
static const uint8_t chan_fields[] = { HD_R700_F_SRC0_CHAN, HD_R700_F_SRC1_CHAN,
                                       HD_R700_F_SRC2_CHAN };
static const uint8_t neg_fields[] = { HD_R700_F_SRC0_NEG, HD_R700_F_SRC1_NEG, HD_R700_F_SRC2_NEG };
static const uint8_t rel_fields[] = { HD_R700_F_SRC0_REL, HD_R700_F_SRC1_REL, HD_R700_F_SRC2_REL };

/* Reading */

static bool
read_group(r700_sim *s, uint32_t at, uint32_t end, group *g)
{
   unsigned literals = 0;
   bool last = false;

   memset(g, 0, sizeof(*g));
   while (!last) {
      hd_r700_inst inst;
      if (at >= end)
         return hd_r700_sim_fail(
             s, "the clause ends within a group: expected an instruction with LAST");
      if (!hd_r700_sim_decode(s, HD_R700_ALU_WORD, at, &inst))
         return false;
      const int slot = hd_r700_slot(&inst, g->taken);
      if (slot < 0)
         return hd_r700_sim_fail(s, "%s: no slot of the group is free for it",
                                 hd_r700_op_infos[inst.op].name);
      g->taken |= 1u << slot;
      g->insts[slot] = inst;
      g->at[slot] = at++;
      const unsigned need = hd_r700_literals(&inst);
      literals = need > literals ? need : literals;
      last = inst.f[HD_R700_F_LAST];
   }
   if (at + literals > end)
      return hd_r700_sim_fail(
          s, "the clause ends within the literals of a group: expected %u pairs", literals);
   for (unsigned n = 0; n < literals; n++) {
      g->literals[2 * n] = (uint32_t)s->words[at + n];
      g->literals[2 * n + 1] = (uint32_t)(s->words[at + n] >> 32);
   }
   g->next = at + literals;
   return true;
}

/* Ports: in each of three cycles one register of each channel, and two pairs of constants in all. */

typedef struct ports {
   uint16_t gpr[3][4];    /* + 1 */
   uint16_t constants[2]; /* number of the pair + 1 */
} ports;

static bool
reserve_constant(ports *p, unsigned sel, unsigned chan)
{
   const uint16_t pair = (uint16_t)(2 * sel + chan / 2 + 1);

   for (unsigned n = 0; n < 2; n++) {
      if (!p->constants[n])
         p->constants[n] = pair;
      if (p->constants[n] == pair)
         return true;
   }
   return false;
}

static bool
check_ports(r700_sim *s, const group *g)
{
   static const uint8_t vector[HD_R700_NUM_SWIZZLES][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 2, 0 },
                                                            { 1, 0, 2 }, { 2, 0, 1 }, { 2, 1, 0 } };
   static const uint8_t scalar[HD_R700_NUM_SWIZZLES][3] = { { 2, 1, 0 }, { 1, 2, 2 }, { 2, 1, 2 },
                                                            { 2, 2, 1 }, { 0 },       { 0 } };
   ports p = { 0 };

   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++) {
      const hd_r700_inst *inst = &g->insts[slot];
      const unsigned num = g->taken >> slot & 1 ? hd_r700_op_infos[inst->op].srcs : 0;
      unsigned constants = 0;
      s->at = g->at[slot];
      for (unsigned n = 0; n < num; n++) {
         const unsigned sel = inst->f[sel_fields[n]];
         constants += sel >= HD_R700_SRC_KC0 && sel != HD_R700_SRC_PV && sel != HD_R700_SRC_PS;
      }
      if (slot == 4 && constants > 2)
         return hd_r700_sim_fail(
             s, "the transcendental slot reads %u constants, expected at most 2", constants);
      for (unsigned n = 0; n < num; n++) {
         const unsigned sel = inst->f[sel_fields[n]], chan = inst->f[chan_fields[n]];
         const unsigned swizzle = inst->f[HD_R700_F_BANK_SWIZZLE];
         const unsigned cycle = slot == 4 ? scalar[swizzle][n] : vector[swizzle][n];
         const bool constant =
             (sel >= HD_R700_SRC_KC0 && sel < HD_R700_SRC_KC0 + 64) || sel >= HD_R700_SRC_C0;
         if (constant && !reserve_constant(&p, sel, chan))
            return hd_r700_sim_fail(s, "the group reads more than two pairs of constants");
         const bool again =
             slot < 4 && n == 1 && sel == inst->f[sel_fields[0]] && chan == inst->f[chan_fields[0]];
         if (sel >= HD_R700_SRC_KC0 || again)
            continue;
         uint16_t *port = &p.gpr[cycle][chan];
         if ((slot == 4 && cycle < constants) || (*port && *port != sel + 1))
            return hd_r700_sim_fail(s, "operand %u has no port to read by", n);
         *port = (uint16_t)(sel + 1);
      }
   }
   return true;
}

/* Operands */

static bool
read_constant(r700_sim *s, const hd_r700_inst *cf, unsigned n, unsigned chan, uint32_t *value)
{
   const bool second = n >= 32;
   const unsigned mode = cf->f[second ? HD_R700_F_KCACHE_MODE1 : HD_R700_F_KCACHE_MODE0];
   const unsigned bank = cf->f[second ? HD_R700_F_KCACHE_BANK1 : HD_R700_F_KCACHE_BANK0];
   const unsigned line = cf->f[second ? HD_R700_F_KCACHE_ADDR1 : HD_R700_F_KCACHE_ADDR0];
   const size_t dword = 4 * (16 * (size_t)line + n % 32) + chan;

   if (!mode || mode > 2 || n % 32 >= 16 * mode)
      return hd_r700_sim_fail(s, "the clause has not locked constant KC%u[%u]", n / 32, n % 32);
   *value = s->constants[bank] && dword < s->num_constants[bank] ? s->constants[bank][dword] : 0;
   return true;
}

static bool
read_source(r700_sim *s, const hd_r700_inst *cf, const group *g, const hd_r700_inst *inst,
            unsigned n, unsigned lane, uint32_t *value)
{
   static const uint32_t known[] = { 0, 0x3f800000, 1, UINT32_MAX, 0x3f000000 };
   const unsigned sel = inst->f[sel_fields[n]], chan = inst->f[chan_fields[n]];
   const r700_wave *w = s->wave;

   if (inst->f[rel_fields[n]])
      return hd_r700_sim_fail(s, "%s: the simulator has no relative addressing",
                              hd_r700_op_infos[inst->op].name);
   if (sel < HD_R700_SRC_KC0)
      *value = w->gpr[sel][chan][lane];
   else if (sel < HD_R700_SRC_KC0 + 64) {
      if (!read_constant(s, cf, sel - HD_R700_SRC_KC0, chan, value))
         return false;
   } else if (sel >= HD_R700_SRC_0 && sel <= HD_R700_SRC_HALF)
      *value = known[sel - HD_R700_SRC_0];
   else if (sel == HD_R700_SRC_LITERAL)
      *value = g->literals[chan];
   else if (sel == HD_R700_SRC_PV || sel == HD_R700_SRC_PS) {
      const unsigned slot = sel == HD_R700_SRC_PV ? chan : 4;
      if (!(w->previous_taken >> slot & 1))
         return hd_r700_sim_fail(s, "PV or PS reads slot %c, which the previous group leaves empty",
                                 "xyzwt"[slot]);
      *value = w->previous[slot][lane];
   } else
      return hd_r700_sim_fail(s, "operand %u: the simulator does not have source %u", n, sel);
   if (hd_r700_op_infos[inst->op].layout == HD_R700_LAYOUT_OP2 &&
       inst->f[n ? HD_R700_F_SRC1_ABS : HD_R700_F_SRC0_ABS])
      *value &= 0x7fffffff;
   if (inst->f[neg_fields[n]])
      *value ^= UINT32_C(0x80000000);
   return true;
}

/* Running */

/* The lanes in which the instruction writes. */
static uint64_t
lanes_of(const r700_wave *w, const hd_r700_inst *inst)
{
   switch (inst->f[HD_R700_F_PRED_SEL]) {
   case HD_R700_PRED_ZERO:
      return w->active & ~w->predicate;
   case HD_R700_PRED_ONE:
      return w->active & w->predicate;
   default:
      return w->active;
   }
}

static bool
writes_register(const hd_r700_inst *inst)
{
   return hd_r700_op_infos[inst->op].layout == HD_R700_LAYOUT_OP3 || inst->f[HD_R700_F_WRITE_MASK];
}

/* What the register of a slot will hold, by this slot and those before. */
static void
tell_result(r700_sim *s, const group *g, unsigned slot,
            uint32_t results[HD_R700_MAX_GROUP][HD_R700_LANES])
{
   const unsigned gpr = g->insts[slot].f[HD_R700_F_DST_GPR];
   const unsigned chan = g->insts[slot].f[HD_R700_F_DST_CHAN];
   uint32_t values[HD_R700_LANES];

   if (!s->options->wrote || !writes_register(&g->insts[slot]))
      return;
   memcpy(values, s->wave->gpr[gpr][chan], sizeof(values));
   for (unsigned n = 0; n <= slot; n++) {
      const hd_r700_inst *inst = &g->insts[n];
      if (!(g->taken >> n & 1) || !writes_register(inst) || inst->f[HD_R700_F_DST_GPR] != gpr ||
          inst->f[HD_R700_F_DST_CHAN] != chan)
         continue;
      for (unsigned lane = 0; lane < HD_R700_LANES; lane++) {
         if (lanes_of(s->wave, inst) >> lane & 1)
            values[lane] = results[n][lane];
      }
   }
   hd_r700_sim_tell(s, gpr, chan, values);
}

static bool
check_registers(r700_sim *s, const hd_r700_inst *inst)
{
   for (unsigned n = 0; n < hd_r700_op_infos[inst->op].srcs; n++) {
      if (inst->f[sel_fields[n]] < HD_R700_SRC_KC0 &&
          !hd_r700_sim_check_gpr(s, inst->f[sel_fields[n]]))
         return false;
   }
   return !writes_register(inst) || hd_r700_sim_check_gpr(s, inst->f[HD_R700_F_DST_GPR]);
}

static bool
compute(r700_sim *s, const hd_r700_inst *cf, const group *g,
        uint32_t results[HD_R700_MAX_GROUP][HD_R700_LANES])
{
   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++) {
      const hd_r700_inst *inst = &g->insts[slot];
      if (!(g->taken >> slot & 1))
         continue;
      s->at = g->at[slot];
      if (inst->f[HD_R700_F_DST_REL] || inst->f[HD_R700_F_INDEX_MODE])
         return hd_r700_sim_fail(s, "%s: the simulator has no relative addressing",
                                 hd_r700_op_infos[inst->op].name);
      if (!check_registers(s, inst) || !hd_r700_sim_count(s, inst, false))
         return false;
      for (unsigned lane = 0; lane < HD_R700_LANES; lane++) {
         uint32_t src[3] = { 0 };
         if (!(s->wave->active >> lane & 1))
            continue;
         for (unsigned n = 0; n < hd_r700_op_infos[inst->op].srcs; n++) {
            if (!read_source(s, cf, g, inst, n, lane, &src[n]))
               return false;
         }
         if (!hd_r700_sim_compute(inst, src, &results[slot][lane]))
            return hd_r700_sim_fail(s, "the simulator does not run %s",
                                    hd_r700_op_infos[inst->op].name);
      }
      tell_result(s, g, slot, results);
   }
   return true;
}

static void
write_results(r700_wave *w, const group *g, uint32_t results[HD_R700_MAX_GROUP][HD_R700_LANES])
{
   uint64_t active = w->active, predicate = w->predicate;

   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++) {
      const hd_r700_inst *inst = &g->insts[slot];
      if (!(g->taken >> slot & 1))
         continue;
      const uint64_t lanes = lanes_of(w, inst);
      const bool writes = writes_register(inst);
      uint64_t holds = 0;
      for (unsigned lane = 0; lane < HD_R700_LANES; lane++) {
         if (!(lanes >> lane & 1))
            continue;
         holds |= (uint64_t)!results[slot][lane] << lane;
         w->previous[slot][lane] = results[slot][lane];
         if (writes)
            w->gpr[inst->f[HD_R700_F_DST_GPR]][inst->f[HD_R700_F_DST_CHAN]][lane] =
                results[slot][lane];
      }
      if (inst->f[HD_R700_F_UPDATE_PRED])
         predicate = (predicate & ~lanes) | holds;
      if (inst->f[HD_R700_F_UPDATE_EXEC_MASK])
         active &= holds;
   }
   w->active = active;
   w->predicate = predicate;
   w->previous_taken = g->taken;
}

bool
hd_r700_sim_run_alu(r700_sim *s, const hd_r700_inst *cf)
{
   const uint64_t end = (uint64_t)cf->f[HD_R700_F_ADDR] + cf->f[HD_R700_F_COUNT] + 1;
   uint32_t results[HD_R700_MAX_GROUP][HD_R700_LANES];
   group g;

   if (end > s->num_words)
      return hd_r700_sim_fail(s, "the clause ends at word %" PRIu64 ", the code has %u", end,
                              (unsigned)s->num_words);
   if (!s->wave->active)
      return true; /* no lane of it would do anything */
   s->wave->previous_taken = 0;
   for (uint32_t at = cf->f[HD_R700_F_ADDR]; at < end; at = g.next) {
      if (!read_group(s, at, (uint32_t)end, &g) || !check_ports(s, &g) ||
          !compute(s, cf, &g, results))
         return false;
      write_results(s->wave, &g, results);
      s->stats.groups++;
      for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++)
         s->stats.slots += g.taken >> slot & 1;
      s->steps++;
   }
   return true;
}
