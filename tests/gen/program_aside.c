/* SPDX-License-Identifier: MIT */
/* program_aside.c - random programs: work for passes that find little in the rest of a program. */
#include "program.h"

#include "heddle/analysis.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"

void
make_aside(program *p, void (*make)(program *p))
{
   generator *g = &p->g;
   const uint64_t random = g->random;
   const unsigned num_values = g->num_values, slot = p->slot;

   g->random = p->aside_random;
   p->slot = p->aside_slot;
   make(p);
   p->aside_random = g->random;
   p->aside_slot = p->slot;
   g->random = random;
   g->num_values = num_values;
   p->slot = slot;
}

/* Tables */

void
make_table(program *p)
{
   static const uint8_t sizes[] = { 32, 32, 8, 16, 64 };
   hd_builder *b = &p->g.b;
   const unsigned num_components = random_once_in(&p->g, 3) ? 2 + random_below(&p->g, 2) : 1;
   const unsigned bits = sizes[random_below(&p->g, 5)];
   const uint32_t length = 2 + random_below(&p->g, 8), most = 1 + random_below(&p->g, 40);
   const bool wide = random_once_in(&p->g, 4);

   p->table = NULL;
   if (!random_once_in(&p->g, 6))
      return;
   p->table = hd_var_create(b->function, NULL, num_components, bits, length);
   for (uint32_t at = 0; at < length && p->table; at++) {
      hd_const_value values[HD_MAX_COMPONENTS] = { { 0 } };
      for (unsigned n = 0; n < num_components; n++)
         values[n].u64 = random_below(&p->g, wide ? UINT32_MAX : most);
      if (!random_once_in(&p->g, 16)) {
         hd_def *value = hd_imm(b, num_components, bits, values);
         hd_store_var(b, p->table, hd_imm_u32(b, at), value);
      }
   }
}

static void
use_table(program *p)
{
   hd_builder *b = &p->g.b;
   const uint32_t length = p->table->array_length;
   hd_def *size = hd_imm_u32(b, length);
   hd_def *index = hd_urem(b, pick(p, 1, 32, DEFINED), size);

   observe(p, hd_load_var(b, p->table, index));
   if (random_once_in(&p->g, 12)) {
      hd_def *value = pick(p, p->table->num_components, p->table->bit_size, 0);
      hd_store_var(b, p->table, hd_imm_u32(b, random_below(&p->g, length)), value);
   }
}

/* Halves of dwords */

/* What both halves have as an operand: halves of a vector in some order, the same value, constants. */
static void
choose_halves(program *p, hd_def *vector, hd_def *halves[2])
{
   hd_builder *b = &p->g.b;
   const unsigned first = vector->num_components > 2 ? 2 * random_below(&p->g, 2) : 0;
   const unsigned how = random_below(&p->g, 8);

   for (unsigned k = 0; k < 2; k++) {
      if (how < 4)
         halves[k] = hd_build_channel(b, vector, first + k);
      else if (how == 4)
         halves[k] = hd_build_channel(b, vector, first + 1 - k);
      else if (how == 5)
         halves[k] = hd_build_channel(b, vector, first);
      else
         halves[k] = how == 6 ? hd_imm_float(b, 16, (double)random_below(&p->g, 5)) : NULL;
   }
   if (how == 7)
      halves[0] = halves[1] = pick(p, 1, 16, 0);
}

/* The same op twice, on the one half and the other, a few times. */
static void
make_halves(program *p)
{
   static const hd_op ops[] = { HD_OP_FADD, HD_OP_FSUB, HD_OP_FMUL, HD_OP_FFMA,  HD_OP_FMIN,
                                HD_OP_FMAX, HD_OP_FNEG, HD_OP_FSAT, HD_OP_SELECT };
   hd_builder *b = &p->g.b;
   hd_def *halves[2];

   choose_halves(p, pick(p, random_once_in(&p->g, 2) ? 2 : 4, 16, 0), halves);
   for (unsigned n = 1 + random_below(&p->g, 4); n; n--) {
      const hd_op op = ops[random_below(&p->g, 9)];
      hd_def *second[2], *third[2], *condition = pick(p, 1, 1, 0);
      choose_halves(p, pick(p, random_once_in(&p->g, 2) ? 2 : 4, 16, 0), second);
      choose_halves(p, pick(p, 2, 16, 0), third);
      for (unsigned k = 0; k < 2; k++) {
         hd_def *const values[] = { halves[k], second[k], third[k] };
         hd_def *const chosen[] = { condition, halves[k], second[k] };
         b->flags = op == HD_OP_SELECT ? 0 : HD_FP_EXACT;
         halves[k] = hd_build_alu(b, op, hd_op_get_info(op)->num_srcs,
                                  op == HD_OP_SELECT ? chosen : values, 0);
         b->flags = 0;
      }
      if (random_once_in(&p->g, 3))
         observe(p, halves[random_below(&p->g, 2)]);
   }
   observe(p, hd_build_vec(b, 2, halves));
}

/* Invocation ids */

/* One component of the global id: what is given, and what it is by definition. Only in programs that
 * change with the tables.
 */
static void
make_ids(program *p)
{
   hd_builder *b = &p->g.b;
   const hd_stage stage = b->shader->stage;
   const unsigned n = random_below(&p->g, 3);

   if (stage != HD_STAGE_COMPUTE && stage != HD_STAGE_KERNEL)
      return;
   hd_def *group = hd_build_channel(b, hd_workgroup_id(b), n);
   hd_def *size = hd_build_channel(b, hd_workgroup_size(b), n);
   hd_def *local = hd_build_channel(b, hd_local_invocation_id(b), n);
   observe(p, hd_iadd(b, hd_imul(b, group, size), local));
   if (random_once_in(&p->g, 2))
      observe(p, hd_build_channel(b, hd_global_invocation_id(b), n));
}

void
make_rare(program *p)
{
   const uint32_t what = random_below(&p->g, 150);

   if (what == 0)
      make_neighbours(p);
   else if (what > 145)
      make_rewrites(p);
   else if (what < 14 && p->table)
      use_table(p);
   else if (what >= 14 && what < 18)
      make_halves(p);
   else if (what >= 18 && what < 28 && p->g.vocabulary.num_newer_intrinsics)
      make_ids(p);
}

/* Values of cycles */

/* Not a step of inexact arithmetic, nor what an atomic found. */
static bool
may_be_observed(hd_instr *i)
{
   if (!hd_instr_def(i) || i->def.num_components > 1)
      return false;
   if (i->kind == HD_INSTR_INTRINSIC)
      return hd_instr_intrinsic_info(i)->flags & HD_CROSS_LANE;
   if (i->kind != HD_INSTR_ALU)
      return i->kind == HD_INSTR_PHI;
   const hd_op_info *info = hd_op_get_info((hd_op)i->op);
   for (unsigned n = 0; n < info->num_srcs; n++) {
      const hd_value_kind kind = info->src[n].kind;
      if (kind != HD_KIND_INT && kind != HD_KIND_UINT && kind != HD_KIND_BOOL)
         return false;
   }
   return true;
}

/* A value of the cycle that is known in a block behind it, or NULL. */
static hd_def *
choose_from_cycle(program *p, const hd_cycle *c, const hd_block *behind)
{
   hd_def *chosen = NULL;
   unsigned num = 0;

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      hd_block *b = c->blocks[n];
      if (!hd_block_dominates(b, behind))
         continue;
      hd_foreach_instr(i, b) {
         /* Booleans more often. */
         if (may_be_observed(i) && random_once_in(&p->g, ++num * (i->def.bit_size == 1 ? 1 : 4)))
            chosen = &i->def;
      }
   }
   return chosen;
}

static bool
is_behind(const hd_cycle *c, const hd_block *b)
{
   if (hd_block_is_end(b) || hd_cycle_contains(c, b))
      return false;
   for (uint32_t n = 0; n < b->num_preds; n++) {
      if (hd_cycle_contains(c, b->preds[n].from))
         return true;
   }
   return false;
}

static void
observe_cycles(program *p)
{
   hd_function *f = p->g.b.function;

   for (uint32_t n = 0; n < hd_function_num_cycles(f); n++) {
      const hd_cycle *c = hd_function_cycle(f, n);
      hd_foreach_block(b, f) {
         if (!hd_block_is_reachable(b) || !is_behind(c, b))
            continue;
         p->g.b = hd_builder_at(hd_after_phis(b));
         observe(p, choose_from_cycle(p, c, b));
      }
   }
}

void
observe_behind_cycles(program *p, hd_function *entry)
{
   if (hd_require(entry, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES) != HD_OK)
      return;
   p->g.num_values = 0;
   p->in_loops = 0;
   p->g.b = hd_builder_at(hd_after_phis(hd_function_start(entry)));
   make_aside(p, observe_cycles);
}
