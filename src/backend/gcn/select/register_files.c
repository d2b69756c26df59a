/* SPDX-License-Identifier: MIT */
/* register_files.c - choose scalar or vector registers for each value (SGPR or VGPR).
 *
 * A divergent value needs a VGPR. A uniform value gets an SGPR if a scalar instruction computes it from
 * scalar operands. A uniform value that only a vector instruction can compute (floats) stays in a VGPR,
 * and so do values that are computed from it: v_readfirstlane costs an instruction and a wait, which
 * only a scalar user should pay. So a phi of a loop over floats is a VGPR, and one over integers an
 * SGPR. An integer that was converted from a float, or what a vector instruction loads from a uniform
 * address, is read back at once if scalar instructions can compute much of what follows: so the
 * reciprocal in a division does not make all of it vector code, nor does a buffer that is written.
 *
 * An optimistic data-flow analysis: scalar wherever possible, retracted along the uses; each value
 * changes once. Loads are taken for read back first, and retracted one by one where that saves too little.
 */
#include "backend/gcn/select/alu.h"
#include "backend/gcn/select/smem.h"
#include "heddle/op_enum.h"

typedef struct plan {
   hd_gcn_selector *s;
   const hd_def **queue; /* values that turned out to be vectors, whose users are to be visited */
   uint32_t num, visited;
} plan;

/* It is read where lanes have it from different sweeps. lower_exit_phis leaves only values that
 * reach a declared header by back edges.
 */
static bool
is_late(const hd_def *def)
{
   hd_foreach_use(use, def) {
      if (hd_block_is_reachable(hd_src_block(use)) && !hd_src_is_uniform(use))
         return true;
   }
   return false;
}

/* Only the first sweep of a loop, which all lanes leave together, is without a value: then no lane has one, later all
 * have.
 */
static bool
begins_undefined(const hd_phi *phi)
{
   const hd_block *b = phi->instr.block;
   const hd_cf_node *loop = hd_cf_node_parent(&b->node);

   if (!loop || loop->kind != HD_CF_LOOP || b->node.prev || !loop->prev || !loop->next ||
       !hd_def_is_uniform_at(&phi->instr.def, hd_node_as_block(loop->next)))
      return false;
   const hd_src *first = hd_phi_src_from(phi, hd_node_as_block(loop->prev));
   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      if (hd_def_instr(phi->srcs[n].src.def)->kind == HD_INSTR_UNDEF && &phi->srcs[n].src != first)
         return false;
   }
   return true;
}

/* A uniform phi that lanes reach without a value: they may be taken to have it, but in a VGPR they do
 * not, and one of them could be the lane that is read back later. In an SGPR it is there for all.
 */
static bool
joins_undefined(const hd_instr *instr)
{
   const hd_cf_node *before = instr->block->node.prev;

   if (instr->kind != HD_INSTR_PHI)
      return false;
   /* All lanes come from one arm. */
   if (before && before->kind == HD_CF_IF && hd_src_is_uniform(&hd_node_as_if(before)->cond))
      return false;
   const hd_phi *phi = (const hd_phi *)instr;
   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      if (hd_def_instr(phi->srcs[n].src.def)->kind == HD_INSTR_UNDEF)
         return !begins_undefined(phi);
   }
   return false;
}

/* Bytes of what a vector instruction loads, in another order: one vector instruction makes a dword of them,
 * scalar ones take nine.
 */
static bool
packs_loaded(const hd_gcn_selector *s, const hd_instr *instr)
{
   if ((instr->op != HD_OP_PACK_32_4X8 && instr->op != HD_OP_PACK_32_2X16) ||
       hd_gcn_target_in(s->p)->gen < HD_GCN_GFX803)
      return false;
   const hd_alu *vec = hd_instr_as_alu(hd_def_instr(((const hd_alu *)instr)->src[0].def));
   const hd_def *from = NULL;
   for (unsigned n = 0; vec && vec->instr.op == HD_OP_VEC && n < vec->instr.num_srcs; n++) {
      const hd_alu *part = hd_instr_as_alu(hd_def_instr(vec->src[n].def));
      if (!part || part->instr.op != HD_OP_CHANNEL || (from && part->src[0].def != from))
         return false;
      from = part->src[0].def;
   }
   const hd_intrinsic *load = from ? hd_instr_as_intrinsic(hd_def_instr(from)) : NULL;
   return load && hd_gcn_is_vector_load(load) && !hd_gcn_intrinsic_is_scalar(s, load);
}

static bool
can_be_scalar(const hd_gcn_selector *s, const hd_instr *instr)
{
   if (!hd_def_is_uniform(&instr->def))
      return false;
   if (s->known[instr->def.index].late)
      return false;
   /* A packed phi. */
   if (instr->kind == HD_INSTR_PHI && instr->def.bit_size == 16 && instr->def.num_components == 2 &&
       !joins_undefined(instr))
      return false;
   switch (instr->kind) {
   case HD_INSTR_ALU:
      return hd_gcn_alu_can_be_scalar(s, (const hd_alu *)instr) && !packs_loaded(s, instr);
   case HD_INSTR_INTRINSIC:
      return hd_gcn_intrinsic_is_scalar(s, (const hd_intrinsic *)instr);
   default:
      return true;
   }
}

/* Scalar instructions and phis that a value must lead to, so that it is read back for them. */
#define WORTH_READING 3u

/* An integer that vector instructions make, as a conversion does, on which much depends that could be
 * scalar.
 */
static bool
is_worth_reading(const hd_gcn_selector *s, const hd_instr *instr)
{
   const hd_def *seen[WORTH_READING] = { &instr->def };
   unsigned num = 1;

   if (instr->kind != HD_INSTR_ALU ||
       hd_op_get_info((hd_op)instr->op)->result.kind == HD_KIND_FLOAT ||
       instr->def.bit_size != 32 || instr->def.num_components != 1 ||
       !hd_def_is_uniform(&instr->def) || s->known[instr->def.index].late)
      return false;
   for (unsigned n = 0; n < num; n++) {
      hd_foreach_use(use, seen[n]) {
         const hd_instr *user = hd_src_instr(use);
         if (!user || (user->kind != HD_INSTR_ALU && user->kind != HD_INSTR_PHI) ||
             !can_be_scalar(s, user))
            continue;
         if (num == WORTH_READING)
            return true;
         seen[num++] = &user->def;
      }
   }
   return false;
}

/* A load by a vector instruction at a uniform address. In a fragment shader the first lane can be a
 * helper, which does not load.
 */
static bool
is_candidate(const hd_gcn_selector *s, const hd_instr *instr)
{
   const hd_intrinsic *i = hd_instr_as_intrinsic(instr);

   return i && !s->stage && hd_def_is_uniform(&instr->def) && !s->known[instr->def.index].late &&
          hd_gcn_is_vector_load(i);
}

/* What is read back of a load, in instructions. */
static unsigned
dwords_of(const hd_intrinsic *i)
{
   const hd_def *def = &i->instr.def;

   /* Small parts that are loaded one by one. */
   if (def->bit_size < 32 && hd_mach_ir_access_of(i).align_mul < 4)
      return def->num_components;
   return (def->num_components * def->bit_size + 31u) / 32u;
}

/* Scalar instructions for each dword that is read back. */
#define SAVED_PER_DWORD 3u
/* Values that are looked at for a load. */
#define MAX_FOLLOWED 24u

/* Whether enough of what depends on the load is scalar if the load is, other operands considered. */
static bool
saves_enough(const hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_def *seen[MAX_FOLLOWED] = { &i->instr.def };
   const unsigned enough = SAVED_PER_DWORD * dwords_of(i) + 2;
   unsigned num = 1, saved = 0;

   for (unsigned n = 0; n < num; n++) {
      hd_foreach_use(use, seen[n]) {
         const hd_instr *user = hd_src_instr(use);
         bool known = false;
         if (!user || (user->kind != HD_INSTR_ALU && user->kind != HD_INSTR_PHI) ||
             !s->known[user->def.index].scalar || s->known[user->def.index].read_back)
            continue;
         for (unsigned k = 0; k < num; k++)
            known |= seen[k] == &user->def;
         if (known)
            continue;
         saved += user->kind == HD_INSTR_ALU && user->op != HD_OP_CHANNEL && user->op != HD_OP_VEC;
         if (saved >= enough)
            return true;
         if (num == MAX_FOLLOWED)
            return false;
         seen[num++] = &user->def;
      }
   }
   return false;
}

static void
set_vector(plan *p, const hd_def *def)
{
   p->s->known[def->index].scalar = false;
   p->queue[p->num++] = def;
}

static void
begin(plan *p)
{
   hd_foreach_block(b, p->s->p->function) {
      hd_foreach_instr(instr, b) {
         if (!hd_instr_def(instr))
            continue;
         p->s->known[instr->def.index].late =
             hd_def_is_uniform(&instr->def) && is_late(&instr->def);
         if (can_be_scalar(p->s, instr)) {
            p->s->known[instr->def.index].scalar = true;
            p->s->known[instr->def.index].read_back = joins_undefined(instr);
         } else if (is_worth_reading(p->s, instr) || is_candidate(p->s, instr)) {
            p->s->known[instr->def.index].scalar = p->s->known[instr->def.index].read_back = true;
         } else {
            set_vector(p, &instr->def);
         }
      }
   }
}

/* An intrinsic's result is where the instruction leaves it, which its operands do not say. */
static void
tell_users(plan *p, const hd_def *def)
{
   hd_foreach_use(use, def) {
      const hd_instr *user = hd_src_instr(use);
      if (user && (user->kind == HD_INSTR_ALU || user->kind == HD_INSTR_PHI) &&
          p->s->known[user->def.index].scalar && !p->s->known[user->def.index].read_back)
         set_vector(p, &user->def);
   }
}

static void
tell_all(plan *p)
{
   while (p->visited < p->num)
      tell_users(p, p->queue[p->visited++]);
}

void
hd_gcn_plan(hd_gcn_selector *s)
{
   plan p = { .s = s };
   hd_stack_mark mark = hd_stack_get_mark(s->p->stack);

   p.queue = hd_stack_alloc(s->p->stack, (s->p->function->num_defs + 1) * sizeof(*p.queue));
   begin(&p);
   tell_all(&p);
   hd_foreach_block(b, s->p->function) {
      hd_foreach_instr(instr, b) {
         if (instr->kind == HD_INSTR_INTRINSIC && hd_instr_def(instr) &&
             s->known[instr->def.index].read_back &&
             !saves_enough(s, (const hd_intrinsic *)instr)) {
            s->known[instr->def.index].read_back = false;
            set_vector(&p, &instr->def);
            tell_all(&p);
         }
      }
   }
   hd_stack_release(s->p->stack, mark);
}
