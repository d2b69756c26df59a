/* SPDX-License-Identifier: MIT */
/* program_lanes.c - random programs: what a lane is given, and what lanes tell each other. */
#include "program.h"

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"

/* A promise where it has to be made, and sometimes where it is known anyhow. */
static void
promise(program *p, const hd_def *uniform)
{
   if (!(facts_of(p, uniform) & PROVEN) || random_once_in(&p->g, 4))
      p->g.b.flags = HD_ASSUME_UNIFORM;
}

void
make_self_value(program *p)
{
   generator *g = &p->g;
   const hd_intrinsic_info *info;
   uint32_t indices[HD_MAX_INDICES] = { 0 };
   hd_intrinsic_id id;

   do {
      id = draw_intrinsic(g);
      info = hd_intrinsic_get_info(id);
   } while (info->num_srcs || !(info->flags & HD_HAS_RESULT) || info->flags & HD_CROSS_LANE ||
            !(info->stages >> g->b.shader->stage & 1));
   for (unsigned n = 0; n < info->num_indices; n++)
      indices[n] = random_below(g, hd_index_get_info((hd_index)info->indices[n])->num_values);
   hd_def *def = hd_build_intrinsic(&g->b, id, 0, 0, 0, NULL, indices);
   keep(p, def, info->divergence == HD_DIVERGENCE_UNIFORM ? DEFINED | UNIFORM | PROVEN : DEFINED);
   if (random_once_in(g, 3))
      observe(p, def);
   if (def->num_components > 1 && random_once_in(g, 2))
      keep(p, hd_build_channel(&g->b, def, random_below(g, def->num_components)), facts_of(p, def));
}

/* A mask of lanes: 4 x 32 bits, defined, known to be uniform where that is asked. */
static hd_def *
pick_mask(program *p, unsigned facts)
{
   hd_builder *b = &p->g.b;

   if (!p->options.no_lanes && random_once_in(&p->g, 2))
      return keep(p, hd_ballot(b, pick_condition(p)), DEFINED | UNIFORM | PROVEN);
   return pick(p, 4, 32, facts | DEFINED);
}

void
make_mask_value(program *p)
{
   hd_builder *b = &p->g.b;
   const unsigned which = random_below(&p->g, 7);
   hd_def *mask = pick_mask(p, which == 0 ? UNIFORM : 0), *def, *lane;
   const unsigned facts = facts_of(p, mask);

   switch (which) {
   case 0:
      promise(p, mask);
      def = hd_build_intrinsic(b, HD_INTRINSIC_INVERSE_BALLOT, 0, 0, 1, &mask, NULL);
      b->flags = 0;
      keep(p, def, DEFINED);
      break;
   case 1:
      lane = pick_below(p, 128, 0);
      def = keep(p, hd_ballot_bit(b, mask, lane), DEFINED | (facts & facts_of(p, lane)));
      break;
   case 2:
      def = keep(p, hd_ballot_bit_count(b, mask), facts);
      break;
   case 3:
      def = keep(p, hd_ballot_bit_count_inclusive(b, mask), DEFINED);
      break;
   case 4:
      def = keep(p, hd_ballot_bit_count_exclusive(b, mask), DEFINED);
      break;
   case 5:
      def = keep(p, hd_ballot_find_lsb(b, mask), facts);
      break;
   default:
      def = keep(p, hd_ballot_find_msb(b, mask), facts);
      break;
   }
   observe(p, def);
}

/* An op that can combine values of this size; one that rounds the same in any order where lanes
 * are not taken in ascending order.
 */
static uint32_t
reduce_op(program *p, unsigned bits)
{
   const hd_index_info *info = hd_index_get_info(HD_INDEX_REDUCE_OP);

   for (;;) {
      const uint32_t value = random_below(&p->g, info->num_values);
      if (hd_op_get_info(info->values[value].op)->src[0].sizes & bits)
         return value;
   }
}

struct lanes_op {
   hd_intrinsic_id id;
   const hd_intrinsic_info *info;
   hd_def *srcs[HD_MAX_INTRINSIC_SRCS];
   uint32_t indices[HD_MAX_INDICES];
   bool first_active; /* the lane it names is one that is active */
};

static void
choose_value(program *p, struct lanes_op *o, unsigned n)
{
   static const uint8_t sizes[] = { 32, 32, 32, 64, 16, 8, 1 };
   const hd_type_info *type = &o->info->src[n];
   const unsigned components =
       type->max_components > 1 && random_once_in(&p->g, 3) ? 2 + random_below(&p->g, 3) : 1;
   unsigned bits;

   do {
      bits = sizes[random_below(&p->g, 7)];
   } while (!(type->sizes & bits));
   /* Whether lanes are equal can be known though some are undefined: that is more than a machine
    * can be asked for, which compares all with one of them.
    */
   const bool compares = o->id == HD_INTRINSIC_VOTE_IEQ || o->id == HD_INTRINSIC_VOTE_FEQ;
   const bool defined = random_once_in(&p->g, 2) || compares;
   o->srcs[n] = pick(p, components, bits, defined ? DEFINED : 0);
   if (bits == 1 && components == 1 && random_once_in(&p->g, 2))
      o->srcs[n] = pick_condition(p);
   for (unsigned k = 0; k < o->info->num_indices; k++) {
      if (o->info->indices[k] == HD_INDEX_REDUCE_OP)
         o->indices[k] = reduce_op(p, bits);
      else if (o->info->indices[k] == HD_INDEX_CLUSTER_SIZE)
         o->indices[k] = random_once_in(&p->g, 2) ? 0 : 1u << random_below(&p->g, 7);
   }
}

/* The number of a lane, or a distance. */
static void
choose_lane(program *p, struct lanes_op *o, unsigned n)
{
   hd_builder *b = &p->g.b;

   if (o->info->src[n].flags & HD_OPERAND_UNIFORM) {
      if (o->id == HD_INTRINSIC_BROADCAST && random_once_in(&p->g, 2)) {
         /* Not for helpers, which are in no ballot. */
         o->first_active = b->shader->stage != HD_STAGE_FRAGMENT;
         hd_def *all = hd_ballot(b, hd_imm_bool(b, true));
         o->srcs[n] = keep(p, hd_ballot_find_lsb(b, all), DEFINED | UNIFORM | PROVEN);
         return;
      }
      o->srcs[n] = pick_below(p, 16, UNIFORM);
      const hd_alu *masked = hd_instr_as_alu(hd_def_instr(o->srcs[n]));
      if (masked)
         keep(p, o->srcs[n], facts_of(p, masked->src[0].def));
   } else if (random_once_in(&p->g, 3)) {
      hd_def *distance = pick_below(p, 8, 0);
      o->srcs[n] = hd_ixor(b, hd_subgroup_invocation(b), distance);
   } else {
      o->srcs[n] = pick_below(p, 64, 0);
   }
}

static unsigned
lanes_facts(const program *p, const struct lanes_op *o)
{
   const unsigned value = o->info->num_srcs ? facts_of(p, o->srcs[0]) & DEFINED : DEFINED;

   switch (o->id) {
   case HD_INTRINSIC_BALLOT:
   case HD_INTRINSIC_VOTE_ANY:
   case HD_INTRINSIC_VOTE_ALL:
   case HD_INTRINSIC_VOTE_IEQ:
   case HD_INTRINSIC_VOTE_FEQ:
   case HD_INTRINSIC_READ_FIRST:
      return value | UNIFORM | PROVEN;
   case HD_INTRINSIC_BROADCAST:
      return (o->first_active ? value : 0) | UNIFORM | PROVEN;
   case HD_INTRINSIC_REDUCE:
      return value | (o->indices[1] == 0 ? UNIFORM | PROVEN : 0);
   case HD_INTRINSIC_ELECT:
   case HD_INTRINSIC_INCLUSIVE_SCAN:
   case HD_INTRINSIC_EXCLUSIVE_SCAN:
   case HD_INTRINSIC_QUAD_VOTE_ANY:
   case HD_INTRINSIC_QUAD_VOTE_ALL:
      return value;
   default:
      return 0;
   }
}

/* One of those that are there, where other lanes may be. */
static bool
cross_lane_again(program *p)
{
   generator *g = &p->g;

   for (unsigned n = 0; n < 8 && g->num_values; n++) {
      const hd_intrinsic *i =
          hd_instr_as_intrinsic(hd_def_instr(g->values[random_below(g, g->num_values)]));
      struct lanes_op o = { .id = HD_INTRINSIC_NONE };
      if (!i || !i->instr.block)
         continue;
      o.id = (hd_intrinsic_id)i->instr.op;
      o.info = hd_intrinsic_get_info(o.id);
      if (!(o.info->flags & HD_CROSS_LANE) || o.info->reads & HD_MEMORY_IMAGE)
         continue;
      for (unsigned k = 0; k < o.info->num_srcs; k++)
         o.srcs[k] = i->src[k].def;
      for (unsigned k = 0; k < o.info->num_indices; k++)
         o.indices[k] = hd_intrinsic_indices(i)[k];
      if (o.info->num_srcs > 1 && o.info->src[1].flags & HD_OPERAND_UNIFORM)
         promise(p, o.srcs[1]);
      hd_def *def = hd_build_intrinsic(&g->b, o.id, i->instr.def.num_components,
                                       i->instr.def.bit_size, o.info->num_srcs, o.srcs, o.indices);
      g->b.flags = 0;
      observe(p, keep(p, def, lanes_facts(p, &o)));
      return true;
   }
   return false;
}

void
make_cross_lane(program *p)
{
   generator *g = &p->g;
   struct lanes_op o = { .id = HD_INTRINSIC_NONE };

   if (random_once_in(g, 5) && cross_lane_again(p))
      return;
   do {
      o.id = draw_intrinsic(g);
      o.info = hd_intrinsic_get_info(o.id);
   } while (!(o.info->flags & HD_CROSS_LANE) || !(o.info->flags & HD_HAS_RESULT) ||
            !(o.info->stages >> g->b.shader->stage & 1) || o.info->reads & HD_MEMORY_IMAGE ||
            o.id == HD_INTRINSIC_CLOCK || o.id == HD_INTRINSIC_BARYCENTRIC_AT_OFFSET ||
            o.id == HD_INTRINSIC_BARYCENTRIC_AT_SAMPLE);
   if (o.info->num_srcs > 0)
      choose_value(p, &o, 0);
   if (o.info->num_srcs > 1) {
      choose_lane(p, &o, 1);
      if (o.info->src[1].flags & HD_OPERAND_UNIFORM)
         promise(p, o.srcs[1]);
   }
   hd_def *def = hd_build_intrinsic(&g->b, o.id, 0, 0, o.info->num_srcs, o.srcs, o.indices);
   g->b.flags = 0;
   observe(p, keep(p, def, lanes_facts(p, &o)));
}

void
make_demote(program *p)
{
   hd_builder *b = &p->g.b;

   if (b->shader->stage != HD_STAGE_FRAGMENT)
      return;
   if (random_once_in(&p->g, 4))
      hd_demote(b);
   else
      hd_demote_if(b, pick_condition(p));
}
