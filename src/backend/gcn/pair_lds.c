/* SPDX-License-Identifier: MIT */
/* pair_lds.c - merge two LDS accesses into one ds_read2 or ds_write2, before scheduling (as LLVM's
 * SILoadStoreOptimizer).
 *
 *    ds_read_b32 v1, v0                            ds_read2_b32 v[4:5], v0 offset0:0 offset1:9
 *    ...                                    =>     p_split v1, v2, v[4:5]
 *    ds_read_b32 v2, v0 offset:36                  ...
 *
 * The two elements need not be adjacent: each has an 8-bit offset of its own, in elements, or in 64 elements
 * (ds_read2st64, ds_write2st64), which rows of a tile are apart. A load
 * moves up to the one before, a store down to the one after, within a block and across no store that
 * may alias, and stores across no load. If offsets are too large and two pairs need the same one, an
 * addition rebases both; before gfx9 an addition writes vcc, and they are not merged.
 *
 * Tests: tests/backend/gcn/phases/pair_lds.s
 */
#include "backend/gcn/program.h"

#define MAX_OPEN     16u
#define MAX_DISTANCE 64u /* instructions that an access moves across: values live longer by it */
#define MAX_PAIRS    64u
#define MAX_ELEMENT  255
#define FAR          64

typedef struct access {
   hd_mach_inst *inst;
   uint32_t position;
} access;

typedef struct pair {
   hd_mach_inst *first, *second;
   uint32_t position; /* where the one instruction will be */
} pair;

typedef struct state {
   hd_mach_program *p;
   hd_mach_block *block;
   access open[MAX_OPEN]; /* all loads or all stores, without a partner yet */
   uint32_t num_open;
   pair pairs[MAX_PAIRS];
   uint32_t num_pairs;
   /* The last address that was brought near: `near` is `base` + `added`. */
   hd_mach_operand base, near;
   int32_t added;
   uint32_t near_position;
} state;

static bool
is_load(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_DS_READ_B32 || inst->op == HD_GCN_DS_READ_B64;
}

static bool
is_store(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_DS_WRITE_B32 || inst->op == HD_GCN_DS_WRITE_B64;
}

static int32_t
element_bytes(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_DS_READ_B64 || inst->op == HD_GCN_DS_WRITE_B64 ? 8 : 4;
}

static bool
can_be_paired(const hd_mach_inst *inst)
{
   return (is_load(inst) || is_store(inst)) &&
          (!inst->memory || inst->memory == HD_MACH_MEMORY_SHARED) && !inst->bits &&
          hd_mach_is_temp(hd_mach_src(inst, 0)) &&
          (is_store(inst) || hd_mach_is_temp(hd_mach_def(inst, 0)));
}

static bool
is_near(const hd_mach_inst *inst)
{
   return inst->imm % element_bytes(inst) == 0 && inst->imm / element_bytes(inst) <= MAX_ELEMENT;
}

static bool
fit_together(const hd_mach_inst *a, const hd_mach_inst *b)
{
   const int32_t distance = a->imm - b->imm, bytes = element_bytes(a);

   return a->op == b->op && hd_mach_src(a, 0)->value == hd_mach_src(b, 0)->value && distance &&
          distance % bytes == 0 && distance / bytes <= MAX_ELEMENT &&
          distance / bytes >= -MAX_ELEMENT;
}

/* The offset counts in so many elements. */
static bool
is_far(const hd_mach_inst *inst)
{
   const int32_t unit = FAR * element_bytes(inst);

   return inst->imm % unit == 0 && inst->imm / unit <= MAX_ELEMENT;
}

static bool
fit_together_far(const hd_mach_inst *a, const hd_mach_inst *b)
{
   return a->op == b->op && hd_mach_src(a, 0)->value == hd_mach_src(b, 0)->value &&
          a->imm != b->imm && is_far(a) && is_far(b);
}

static int32_t
lower_of(const pair *both)
{
   return both->first->imm < both->second->imm ? both->first->imm : both->second->imm;
}

/* An address for a pair whose offsets are too large. */
static void
bring_near(state *s, const pair *both)
{
   hd_mach_program *p = s->p;
   hd_mach_inst *before = is_load(both->first) ? both->first : both->second;

   s->base = *hd_mach_src(both->first, 0);
   s->added = lower_of(both);
   s->near = hd_mach_operand_temp(p, hd_mach_temp_create(p, HD_GCN_VGPR, 1, 0));
   s->near_position = both->position;
   const hd_mach_operand added =
       hd_gcn_operand_const(hd_gcn_target_in(p)->gen, HD_GCN_U32, (uint32_t)s->added);
   hd_mach_inst *add = hd_gcn_make_op(p, HD_GCN_V_ADD_U32, s->near, added, s->base);
   add->loc = before->loc;
   p->temps[s->near.value].def = add;
   hd_mach_inst_insert_before(s->block, add, before);
}

/* By whether it loads, of how many bytes, and in what its offsets count. */
static hd_gcn_op
op_of_pair(bool loads, bool wide, bool far)
{
   static const hd_gcn_op ops[2][2][2] = {
      { { HD_GCN_DS_WRITE2_B32, HD_GCN_DS_WRITE2ST64_B32 },
        { HD_GCN_DS_WRITE2_B64, HD_GCN_DS_WRITE2ST64_B64 } },
      { { HD_GCN_DS_READ2_B32, HD_GCN_DS_READ2ST64_B32 },
        { HD_GCN_DS_READ2_B64, HD_GCN_DS_READ2ST64_B64 } },
   };

   return ops[loads][wide][far];
}

static void
merge(state *s, const pair *both, hd_mach_operand base, int32_t added, bool far)
{
   hd_mach_program *p = s->p;
   const bool swapped = both->second->imm < both->first->imm;
   hd_mach_inst *low = swapped ? both->second : both->first,
                *high = swapped ? both->first : both->second, *inst;
   const int32_t bytes = element_bytes(low);
   const bool wide = bytes == 8, loads = is_load(low);
   hd_mach_inst *at = loads ? both->first : both->second;

   if (loads) {
      const hd_mach_operand all =
          hd_mach_operand_temp(p, hd_mach_temp_create(p, HD_GCN_VGPR, (unsigned)bytes / 2, 0));
      inst = hd_gcn_make_op(p, op_of_pair(true, wide, far), all, base, (hd_mach_operand){ 0 });
      hd_mach_inst *split = hd_mach_inst_create(p, HD_MACH_P_SPLIT, 2, 1);
      *hd_mach_def(split, 0) = *hd_mach_def(low, 0);
      *hd_mach_def(split, 1) = *hd_mach_def(high, 0);
      *hd_mach_src(split, 0) = all;
      split->loc = at->loc;
      p->temps[all.value].def = inst;
      p->temps[hd_mach_def(low, 0)->value].def = split;
      p->temps[hd_mach_def(high, 0)->value].def = split;
      hd_mach_inst_insert_before(s->block, inst, at);
      hd_mach_inst_insert_before(s->block, split, at);
   } else {
      inst = hd_gcn_make_op(p, op_of_pair(false, wide, far), (hd_mach_operand){ 0 }, base,
                            *hd_mach_src(low, 1));
      *hd_mach_src(inst, 2) = *hd_mach_src(high, 1);
      hd_mach_inst_insert_before(s->block, inst, at);
   }
   const int32_t unit = far ? FAR * bytes : bytes;
   inst->imm = (low->imm - added) / unit | (high->imm - added) / unit << 8;
   inst->memory = HD_MACH_MEMORY_SHARED;
   inst->loc = at->loc;
   hd_mach_inst_remove(s->block, low);
   hd_mach_inst_remove(s->block, high);
}

/* Can the pair use the address that is near? */
static bool
reaches(const state *s, const pair *both)
{
   const int32_t bytes = element_bytes(both->first);
   const int32_t a = both->first->imm - s->added, b = both->second->imm - s->added;

   return s->near.size && both->position >= s->near_position &&
          s->base.value == hd_mach_src(both->first, 0)->value && a >= 0 && b >= 0 &&
          a % bytes == 0 && a / bytes <= MAX_ELEMENT && b / bytes <= MAX_ELEMENT;
}

/* A pair whose offsets are too large, if there is an address near it or a later pair wants one. */
static void
merge_far(state *s, uint32_t n)
{
   const pair *both = &s->pairs[n];
   const int32_t from = lower_of(both);

   for (uint32_t later = n + 1; later < s->num_pairs && !reaches(s, both); later++) {
      const pair *other = &s->pairs[later];
      if (hd_mach_src(other->first, 0)->value == hd_mach_src(both->first, 0)->value &&
          other->position >= both->position && lower_of(other) >= from &&
          lower_of(other) - from <= MAX_ELEMENT * 2)
         bring_near(s, both);
   }
   if (reaches(s, both))
      merge(s, both, s->near, s->added, false);
}

static void
merge_all(state *s)
{
   const bool can_add = hd_gcn_target_in(s->p)->gen == HD_GCN_GFX900;

   for (uint32_t n = 0; n < s->num_pairs; n++) {
      const pair *both = &s->pairs[n];
      if (is_near(both->first) && is_near(both->second))
         merge(s, both, *hd_mach_src(both->first, 0), 0, false);
      else if (is_far(both->first) && is_far(both->second))
         merge(s, both, *hd_mach_src(both->first, 0), 0, true);
      else if (can_add)
         merge_far(s, n);
   }
   s->num_pairs = 0;
}

static void
forget(state *s, uint32_t n)
{
   for (s->num_open--; n < s->num_open; n++)
      s->open[n] = s->open[n + 1];
}

/* A store may move down past this one if they have a base and differ in the bytes. */
static void
forget_aliases(state *s, const hd_mach_inst *store)
{
   const int32_t end = store->imm + element_bytes(store);

   for (uint32_t n = s->num_open; n--;) {
      const hd_mach_inst *other = s->open[n].inst;
      if (hd_mach_src(other, 0)->value != hd_mach_src(store, 0)->value ||
          (other->imm < end && store->imm < other->imm + element_bytes(other)))
         forget(s, n);
   }
}

typedef bool fitting(const hd_mach_inst *a, const hd_mach_inst *b);

static bool
find_partner_that(fitting *fits, state *s, hd_mach_inst *inst, uint32_t position)
{
   for (uint32_t n = 0; n < s->num_open; n++) {
      if (!fits(s->open[n].inst, inst) || position - s->open[n].position > MAX_DISTANCE ||
          s->num_pairs == MAX_PAIRS)
         continue;
      s->pairs[s->num_pairs++] =
          (pair){ s->open[n].inst, inst, is_load(inst) ? s->open[n].position : position };
      forget(s, n);
      return true;
   }
   return false;
}

static void
find_partner(state *s, hd_mach_inst *inst, uint32_t position)
{
   if (find_partner_that(fit_together, s, inst, position) ||
       find_partner_that(fit_together_far, s, inst, position))
      return;
   if (s->num_open == MAX_OPEN)
      forget(s, 0);
   s->open[s->num_open++] = (access){ inst, position };
}

bool
hd_gcn_pair_lds(hd_mach_program *p)
{
   state *s = hd_stack_alloc_zero(p->stack, sizeof(*s));

   s->p = p;
   hd_mach_foreach_block(block, p)
   {
      uint32_t position = 0;
      s->block = block;
      s->num_open = 0;
      s->near.size = 0;
      hd_mach_foreach_inst(inst, block)
      {
         const uint32_t flags = hd_mach_op_of(p->mach, inst)->flags;
         position++;
         if (!(flags & (HD_MACH_LOADS | HD_MACH_STORES | HD_MACH_SIDE_EFFECT)))
            continue;
         const bool paired = can_be_paired(inst);
         if (!paired && !(flags & HD_MACH_SIDE_EFFECT) &&
             !(p->hooks->memory_of(inst) & HD_MACH_MEMORY_SHARED))
            continue;
         if (!paired || (s->num_open && is_load(s->open[0].inst) != is_load(inst)))
            s->num_open = 0;
         else if (is_store(inst))
            forget_aliases(s, inst);
         if (paired)
            find_partner(s, inst, position);
      }
      merge_all(s);
   }
   return true;
}
