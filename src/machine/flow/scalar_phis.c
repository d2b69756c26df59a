/* SPDX-License-Identifier: MIT */
/* scalar_phis.c - scalar phis whose sources are one value, or copies of it: all read the value itself.
 *
 *    %5 = phi undef, %7                 %5 = phi undef, %7
 *    ...                          =>    ...
 *    %7 = phi %5, 1                     %7 = phi 1, 1
 *
 * An undefined source agrees with any other, so divergence analysis calls such phis uniform although
 * lanes diverge before them. But a scalar phi is written where its sources are, and the pc may pass
 * the write of an inner phi with no lanes while others wait that have the value: what it writes then
 * is undefined. As it is there, phis that copy each other are copies: sources are assumed to agree
 * until one is seen that does not. A temp is looked for only where no lanes come back to the phi, as it
 * may be that of another iteration; a constant is the same in all.
 */
#include "heddle/analysis.h"
#include "machine/flow/edges.h"
#include "machine/program.h"

typedef struct scalar_phi {
   hd_mach_inst *inst;
   const hd_mach_block *block;
   hd_mach_operand
       value; /* what it stands for; flags of UNDEF: nothing yet; its own def: no other */
   uint8_t changes;
   bool is_header, waits;
} scalar_phi;

/* A phi whose value changes more often stands for itself. */
#define MOST_CHANGES 8

typedef struct phi_values {
   hd_mach_program *p;
   scalar_phi *phis;
   uint32_t num_phis;
   uint32_t *of_temp;            /* by temp: number of the phi that defines it + 1, or 0 */
   uint32_t *first_user, *users; /* by phi: phis that read it */
   uint32_t *work, num_work;
} phi_values;

static bool
is_undef(const hd_mach_operand *operand)
{
   return operand->flags & HD_MACH_OPERAND_UNDEF;
}

static bool
is_same(const hd_mach_operand *a, const hd_mach_operand *b)
{
   return hd_mach_is_temp(a) == hd_mach_is_temp(b) && a->value == b->value && a->size == b->size &&
          (hd_mach_is_temp(a) || a->reg == b->reg);
}

static bool
is_scalar_phi(const hd_mach_program *p, const hd_mach_inst *inst)
{
   return inst->op == HD_MACH_P_PHI && !hd_mach_is_vector_value(p, hd_mach_def(inst, 0));
}

static bool
has_back_edge(const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   for (uint32_t n = 0; n < edges->num_preds; n++) {
      if (edges->preds[n]->order >= block->order)
         return true;
   }
   return false;
}

/* The phi that defines an operand, or NULL. */
static scalar_phi *
phi_of(const phi_values *v, const hd_mach_operand *operand)
{
   const uint32_t n = hd_mach_is_temp(operand) ? v->of_temp[operand->value] : 0;

   return n ? &v->phis[n - 1] : NULL;
}

static hd_mach_operand
value_of(const phi_values *v, const hd_mach_operand *operand)
{
   const scalar_phi *phi = phi_of(v, operand);

   return phi ? phi->value : *operand;
}

static void
find_phis(phi_values *v)
{
   hd_mach_program *p = v->p;
   uint32_t num = 0;

   for (unsigned round = 0; round < 2; round++) {
      num = 0;
      hd_mach_foreach_block(block, p)
      {
         const bool reachable = !block->ir || hd_block_is_reachable(block->ir);
         const bool is_header = has_back_edge(block);
         for (hd_mach_inst *phi = block->first; reachable && phi && hd_mach_is_phi(phi);
              phi = phi->next) {
            if (!is_scalar_phi(p, phi))
               continue;
            if (round == 1) {
               v->phis[num] = (scalar_phi){ .inst = phi,
                                            .block = block,
                                            .value.flags = HD_MACH_OPERAND_UNDEF,
                                            .is_header = is_header };
               v->of_temp[hd_mach_def(phi, 0)->value] = num + 1;
            }
            num++;
         }
      }
      if (round == 0)
         v->phis = hd_stack_alloc_zero(p->stack, (num + 1) * sizeof(*v->phis));
   }
   v->num_phis = num;
}

static void
find_users(phi_values *v)
{
   v->first_user = hd_stack_alloc_zero(v->p->stack, (v->num_phis + 2) * sizeof(*v->first_user));
   for (uint32_t n = 0; n < v->num_phis; n++) {
      for (uint32_t s = 0; s < v->phis[n].inst->num_srcs; s++) {
         const scalar_phi *phi = phi_of(v, hd_mach_src(v->phis[n].inst, s));
         if (phi)
            v->first_user[phi - v->phis + 2]++;
      }
   }
   for (uint32_t n = 1; n <= v->num_phis; n++)
      v->first_user[n + 1] += v->first_user[n];
   v->users =
       hd_stack_alloc_zero(v->p->stack, (v->first_user[v->num_phis + 1] + 1) * sizeof(*v->users));
   for (uint32_t n = 0; n < v->num_phis; n++) {
      for (uint32_t s = 0; s < v->phis[n].inst->num_srcs; s++) {
         const scalar_phi *phi = phi_of(v, hd_mach_src(v->phis[n].inst, s));
         if (phi)
            v->users[v->first_user[phi - v->phis + 1]++] = n;
      }
   }
}

/* What its sources are, as far as they are known. */
static hd_mach_operand
meet(const phi_values *v, const scalar_phi *phi)
{
   const hd_mach_operand itself = *hd_mach_def(phi->inst, 0);
   hd_mach_operand found = { .flags = HD_MACH_OPERAND_UNDEF };

   for (uint32_t n = 0; n < phi->inst->num_srcs; n++) {
      const hd_mach_operand value = value_of(v, hd_mach_src(phi->inst, n));
      if (is_undef(&value))
         continue;
      if (phi->is_header && hd_mach_is_temp(&value))
         return itself;
      if (is_undef(&found))
         found = value;
      else if (!is_same(&found, &value))
         return itself;
   }
   return found;
}

static void
find_values(phi_values *v)
{
   v->work = hd_stack_alloc(v->p->stack, (v->num_phis + 1) * sizeof(*v->work));
   for (uint32_t n = v->num_phis; n--;) {
      v->work[v->num_work++] = n;
      v->phis[n].waits = true;
   }
   while (v->num_work) {
      const uint32_t n = v->work[--v->num_work];
      scalar_phi *phi = &v->phis[n];
      const hd_mach_operand value =
          phi->changes < MOST_CHANGES ? meet(v, phi) : *hd_mach_def(phi->inst, 0);
      phi->waits = false;
      if (is_same(&phi->value, &value) && is_undef(&phi->value) == is_undef(&value))
         continue;
      phi->value = value;
      phi->changes += phi->changes < MOST_CHANGES;
      for (uint32_t user = v->first_user[n]; user < v->first_user[n + 1]; user++) {
         if (v->phis[v->users[user]].waits)
            continue;
         v->phis[v->users[user]].waits = true;
         v->work[v->num_work++] = v->users[user];
      }
   }
}

/* A source that is a copy of what another edge brings, too, is that itself. */
static void
replace_sources(const phi_values *v, const scalar_phi *phi, uint32_t *edges)
{
   const bool one = !is_undef(&phi->value) && !hd_mach_is_temp(&phi->value);
   uint32_t defined = 0;

   for (uint32_t n = 0; n < phi->inst->num_srcs; n++) {
      const hd_mach_operand value = value_of(v, hd_mach_src(phi->inst, n));
      defined += !is_undef(&value);
      if (hd_mach_is_temp(&value))
         edges[value.value]++;
   }
   for (uint32_t n = 0; n < phi->inst->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(phi->inst, n);
      const hd_mach_operand value = value_of(v, src);
      if (is_undef(&value))
         continue;
      if (hd_mach_is_temp(&value) ? edges[value.value] > 1 : one && defined > 1)
         *src = value;
   }
   for (uint32_t n = 0; n < phi->inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(phi->inst, n);
      const hd_mach_operand value = value_of(v, src);
      if (hd_mach_is_temp(&value))
         edges[value.value] = 0;
   }
}

void
hd_mach_read_scalars(hd_mach_program *p)
{
   phi_values v = { .p = p };
   uint32_t *edges = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*edges));

   v.of_temp = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*v.of_temp));
   hd_mach_program_number(p);
   find_phis(&v);
   find_users(&v);
   find_values(&v);
   for (uint32_t n = 0; n < v.num_phis; n++)
      replace_sources(&v, &v.phis[n], edges);
}
