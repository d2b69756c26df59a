/* SPDX-License-Identifier: MIT */
/* exchange.c - recognise XOR swaps of two registers, for their undefined bits:
 *
 *    v_xor a, a, b        v_xor b, b, a        v_xor a, a, b
 *
 * Executed one by one they would spread the undefined bits of either register to both; as a swap they
 * exchange them.
 */
#include "backend/gcn/sim/machine.h"

#include <assert.h>
#include <string.h>

/* The register that is written from itself and this other one; false: it is no such instruction. */
static bool
is_step(const hd_mach_inst *inst, unsigned *to, unsigned *other)
{
   const bool vector = inst->op == HD_GCN_V_XOR_B32;
   unsigned reg[3];

   if ((!vector && inst->op != HD_GCN_S_XOR_B32) ||
       (inst->form != HD_GCN_FORM_BASE && inst->form != HD_GCN_FORM_VOP3))
      return false;
   reg[0] = hd_mach_def(inst, 0)->reg;
   for (unsigned n = 0; n < 2; n++) {
      reg[1 + n] = hd_mach_src(inst, n)->reg;
      if (vector ? reg[1 + n] < HD_GCN_VGPR0 : reg[1 + n] >= HD_GCN_EXEC)
         return false;
   }
   *to = reg[0];
   *other = reg[1] == reg[0] ? reg[2] : reg[1];
   return (reg[1] == reg[0]) != (reg[2] == reg[0]);
}

/* May stand between the steps: stores read registers late. */
static bool
waits(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_S_WAITCNT || inst->op == HD_GCN_S_NOP;
}

static uint32_t *
undef_of(hd_gcn_wave *w, unsigned reg)
{
   if (reg >= HD_GCN_VGPR0)
      return w->vgpr_undef[reg - HD_GCN_VGPR0];
   assert(reg < sizeof(w->sgpr_undef) / sizeof(w->sgpr_undef[0]));
   return &w->sgpr_undef[reg];
}

static void
copy_undef(uint32_t *to, const uint32_t *from, unsigned reg, uint64_t lanes)
{
   if (reg < HD_GCN_VGPR0) {
      *to = *from;
      return;
   }
   for (unsigned l = 0; l < HD_GCN_LANES; l++)
      to[l] = lanes >> l & 1 ? from[l] : to[l];
}

void
hd_gcn_exchange_before(hd_gcn_wave *w, const fetched *f)
{
   hd_gcn_exchange *x = &simulated_of(w)->exchange;
   const bool follows = x->steps && x->next_pc == w->pc;
   unsigned to, other;

   x->next_pc = w->pc + f->num_words * 4u;
   if (follows && x->steps < 3 && waits(&f->decoded.inst))
      return;
   if (!is_step(&f->decoded.inst, &to, &other)) {
      x->steps = 0;
      return;
   }
   /* Each step swaps the roles of the last. */
   if (follows && x->steps < 3 && to == x->reg[x->steps % 2] && other == x->reg[1 - x->steps % 2]) {
      x->steps++;
      return;
   }
   x->steps = 1;
   x->reg[0] = to;
   x->reg[1] = other;
   for (unsigned n = 0; n < 2; n++)
      copy_undef(x->undef[n], undef_of(w, x->reg[n]), x->reg[n], UINT64_MAX);
}

void
hd_gcn_exchange_after(hd_gcn_wave *w)
{
   const hd_gcn_exchange *x = &simulated_of(w)->exchange;
   const uint64_t exec = w->sgpr[HD_GCN_EXEC] | (uint64_t)w->sgpr[HD_GCN_EXEC + 1] << 32;

   for (unsigned n = 0; n < 2 && x->steps == 3; n++)
      copy_undef(undef_of(w, x->reg[n]), x->undef[1 - n], x->reg[n], exec);
}
