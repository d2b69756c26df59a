/* SPDX-License-Identifier: MIT */
/* opt_if_convert.c - if-conversion: replace small ifs with selects.
 *
 *    if c { x = a + 1 } else { y = b }  z = phi x, y     =>     x = a + 1  z = select c, x, y
 *
 * If-conversion (Allen, Kennedy, Porterfield and Warren, 1983); NIR calls it peephole_select. Each
 * arm must be a single block of instructions that may be speculated: no side effects, no cross-lane
 * operations, loads only if they are marked speculatable, and operands that must be uniform only if
 * they are proven to be. An arm that becomes a single block by the conversion of inner ifs counts.
 *
 * The cost depends on the branch. A uniform branch skips one arm for the price of a scalar branch,
 * so only a few instructions may be speculated. At a divergent branch the wave mostly executes both
 * arms anyway, and saves, inverts and restores the exec mask around them: more may be speculated.
 *
 * But all lanes may also take the same side of a divergent branch, and of two arms a skip branch
 * then saves the other. The selects must be no worse even then: they and both arms may cost as much
 * as the shorter arm, its constants for phis, and the masks and branches (divergent_masks). If
 * there is only one arm, the case that all lanes skip it is rare, and half as much again may run.
 *
 * Of a divergent branch whose arms are too much, one of few ops (divergent_arm) runs before it: then only the other
 * one has a mask. Code motion would move it back: so that is for the end.
 *
 * A select is divergent if its condition or an operand is: then the phi was, too.
 *
 * Requires:  valid IR; asks for divergence if there is an `if` that is small enough.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    selects of equal or constant operands to opt_algebraic; ifs that hold a jump.
 * Tests:     tests/passes/opt_if_convert.hd, tests/passes/test_cf.c, tests/passes/test_run.c
 */
#include "analysis/private.h"
#include "heddle/op_enum.h"
#include "passes/splice.h"

/* node.mark of an `if`: its condition is uniform. def.mark of an intrinsic: it may not run for more
 * lanes, because of its operands.
 */
#define UNIFORM  1u
#define UNPROVEN 1u

/* However cheap, so many instructions are not looked at: constants cost nothing. */
#define MAX_INSTRS 64

struct state {
   hd_function *f;
   const opt_if_convert_options *options;
   hd_undefs undefs;
   replaced values;
   bool asked; /* of divergence: marks say something */
   bool progress;
};

/* What an instruction costs, in ops of 32 bits; COST_NEVER if it may not run for more lanes. */
#define COST_NEVER UINT32_MAX

static uint32_t
alu_cost(const hd_instr *i, bool divergent)
{
   uint32_t cost = 1;

   switch ((hd_op)i->op) {
   case HD_OP_VEC:
   case HD_OP_CHANNEL:
   case HD_OP_INSERT_CHANNEL:
   case HD_OP_INOT:
      return i->op == HD_OP_INOT;
   case HD_OP_U2U:
      /* What is cut off need not be: who reads it reads low bits. */
      if (i->def.bit_size < hd_instr_src(i, 0)->def->bit_size)
         return 0;
      break;
   case HD_OP_IDIV:
   case HD_OP_UDIV:
   case HD_OP_IREM:
   case HD_OP_UREM:
   case HD_OP_IMOD:
      cost = 24;
      break;
   case HD_OP_FDIV:
      cost = 10;
      break;
   case HD_OP_IMUL:
   case HD_OP_IMULHI:
   case HD_OP_UMULHI:
      cost = divergent ? 4 : 1;
      break;
   case HD_OP_FRCP:
   case HD_OP_FRSQ:
   case HD_OP_FSQRT:
   case HD_OP_FEXP2:
   case HD_OP_FLOG2:
   case HD_OP_FSIN:
   case HD_OP_FCOS:
      cost = 4;
      break;
   default:
      break;
   }
   /* Two registers, and slow ones for floats. */
   if (hd_instr_src(i, i->num_srcs - 1u)->def->bit_size == 64)
      cost *= hd_op_get_info((hd_op)i->op)->flags & HD_OP_FLOAT ? 8 : 2;
   return cost * i->def.num_components;
}

static uint32_t
cost_of(const struct state *s, const hd_instr *i, bool divergent)
{
   const hd_intrinsic_info *info;

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      return alu_cost(i, divergent);
   case HD_INSTR_CONST:
   case HD_INSTR_UNDEF:
      return 0;
   case HD_INSTR_INTRINSIC:
      info = hd_instr_intrinsic_info(i);
      if (!(info->flags & HD_CAN_ELIMINATE) || info->flags & HD_CROSS_LANE || info->writes ||
          !hd_instr_def(i) || (s->asked && i->def.mark == UNPROVEN))
         return COST_NEVER;
      /* What a fragment shader has as a parameter is at hand; any other load waits. */
      if (info->reads == HD_MEMORY_INPUT && s->f->shader->stage == HD_STAGE_FRAGMENT)
         return info->num_srcs * i->def.num_components;
      /* What is the same for all lanes was loaded before they began, or with what was. */
      if (info->reads && !(info->reads & ~(HD_MEMORY_PUSH | HD_MEMORY_KERNARG)) &&
          hd_src_as_const(hd_instr_src(i, 0)))
         return 1;
      return info->reads ? 8 : 1;
   default:
      return COST_NEVER;
   }
}

/* Is it the same for all lanes that reach the `if`? A promise is about those of the arm, so it
 * does not count; what is uniform is so wherever no lane has left a cycle around it.
 */
static bool
is_uniform_before(const hd_instr *i, const hd_src *src)
{
   const hd_cycle *cycle = hd_block_cycle(hd_def_instr(src->def)->block);

   return hd_def_is_uniform(src->def) && (!cycle || hd_cycle_contains(cycle, i->block));
}

/* May it run for lanes that did not ask, and with any that did not? */
static bool
is_proven(const hd_instr *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   const uint32_t access = hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ACCESS);

   if (access & HD_ACCESS_VOLATILE)
      return false;
   if (!(info->flags & HD_CAN_SPECULATE) &&
       !(info->flags & HD_CAN_SPECULATE_BY_ACCESS && access & HD_ACCESS_SPECULATABLE))
      return false;
   for (unsigned n = 0; n < i->num_srcs; n++) {
      bool uniform =
          info->src[n].flags & HD_OPERAND_UNIFORM ||
          (info->src[n].flags & HD_OPERAND_DESCRIPTOR && !(access & HD_ACCESS_NONUNIFORM));
      if (uniform && !is_uniform_before(i, hd_instr_src(i, n)))
         return false;
   }
   return true;
}

/* Everything that divergence says, before it is gone. */
static void
ask_divergence(struct state *s)
{
   hd_function *f = s->f;

   hd_require(f, HD_META_DIVERGENCE);
   hd_function_borrow_marks(f);
   s->asked = true;
   hd_foreach_node(n, f) {
      hd_if *nif = hd_node_as_if(n);
      pass_step(f, 1);
      if (nif && !hd_block_is_divergent_branch(hd_node_prev_block(n)))
         n->mark = UNIFORM;
      if (n->kind != HD_CF_BLOCK)
         continue;
      hd_foreach_instr(i, hd_node_as_block(n)) {
         if (i->kind == HD_INSTR_INTRINSIC && hd_instr_def(i) && !is_proven(i))
            i->def.mark = UNPROVEN;
      }
   }
}

/* The cost of a list, added to `cost`; false if it is more than `limit`, or if the list has to stay
 * an arm. It looks no further than that, so that the time for an arm is limited too.
 */
static bool
add_cost(const struct state *s, const hd_cf_list *list, uint32_t limit, bool divergent,
         uint32_t *cost)
{
   unsigned num = 0;

   if (list->first != list->last)
      return false;
   hd_foreach_instr(i, hd_list_first_block(list)) {
      uint32_t more = cost_of(s, i, divergent);
      if (more == COST_NEVER || *cost + more > limit || ++num > MAX_INSTRS)
         return false;
      *cost += more;
   }
   return true;
}

/* What one way through a divergent `if` takes in vector instructions: its arm, and the constants
 * that phis get from there.
 */
typedef struct way {
   uint32_t arm, copies;
} way;

/* Branches take no less, whichever way lanes go? */
static bool
is_no_loss(const struct state *s, const way ways[2], uint32_t selects)
{
   const uint32_t masks = s->options->divergent_masks;
   const uint32_t all = ways[0].arm + ways[1].arm + selects;

   if (!ways[0].arm + !ways[1].arm == 1)
      return all <= masks + masks / 2;
   return all <= ways[0].arm + ways[0].copies + masks &&
          all <= ways[1].arm + ways[1].copies + masks;
}

static bool
is_worth_it(struct state *s, const hd_if *nif, bool divergent)
{
   const uint32_t limit = divergent ? s->options->divergent_cost : s->options->uniform_cost;
   uint32_t cost = 0, selects = 0;
   way ways[2] = { { 0 } };

   if (!limit || !add_cost(s, &nif->then_list, limit, divergent, &cost))
      return false;
   ways[0].arm = cost;
   if (!add_cost(s, &nif->else_list, limit, divergent, &cost))
      return false;
   ways[1].arm = cost - ways[0].arm;
   hd_foreach_phi(phi, hd_node_next_block(&nif->node)) {
      const uint32_t first =
          phi->instr.block->preds[0].from != hd_list_first_block(&nif->then_list);
      const hd_def *def = &phi->instr.def;
      const hd_def *from[2] = { hd_replaced_get(&s->values, phi->srcs[first].src.def),
                                hd_replaced_get(&s->values, phi->srcs[!first].src.def) };
      const uint32_t size = def->num_components * (def->bit_size == 64 ? 2u : 1u);
      pass_step(s->f, 1);
      /* Only unreachable code has a phi of itself: no value could take its place. */
      if (from[0] == def || from[1] == def)
         return false;
      if (from[0] != from[1])
         selects += size;
      for (unsigned n = 0; n < 2; n++)
         ways[n].copies += hd_def_instr(from[n])->kind == HD_INSTR_CONST ? size : 0;
      if (cost + selects > limit)
         return false;
   }
   return !divergent || is_no_loss(s, ways, selects);
}

/* The arm of a divergent `if` that may run before it, so that one mask is less; NULL if there is none. Both have
 * code, besides constants, and the other one no `if`: what ends there at once would need copies.
 */
static hd_cf_list *
arm_to_hoist(const struct state *s, hd_if *nif)
{
   hd_cf_list *lists[2] = { &nif->then_list, &nif->else_list };

   for (unsigned n = 0; n < 2; n++) {
      const hd_cf_list *other = lists[!n];
      uint32_t cost = 0, none = 0;
      if (other->first == other->last && !add_cost(s, other, 0, true, &none) &&
          add_cost(s, lists[n], s->options->divergent_arm, true, &cost) && cost)
         return lists[n];
   }
   return NULL;
}

/* Is there an `if` that is worth it if lanes diverge there, or if they do not where they may not, and
 * if all that is in it may run? Of those, one without others in it is converted first: where there
 * is none, nothing has to be known of divergence.
 */
static bool
has_candidate(struct state *s)
{
   hd_foreach_node(n, s->f) {
      hd_if *nif = hd_node_as_if(n);

      pass_step(s->f, 1);
      if (nif && s->options->divergent_arm && arm_to_hoist(s, nif))
         return true;
      if (nif && nif->then_list.first == nif->then_list.last &&
          nif->else_list.first == nif->else_list.last &&
          (is_worth_it(s, nif, true) ||
           (is_worth_it(s, nif, false) && !hd_is_surely_divergent(nif->cond.def))))
         return true;
   }
   return false;
}

/* A condition for each component of a vector; `repeated` remembers those that were made. */
static hd_def *
repeat_condition(struct state *s, hd_if *nif, unsigned num_components, hd_def **repeated)
{
   if (num_components == 1)
      return nif->cond.def;
   if (repeated[num_components - 1])
      return repeated[num_components - 1];
   hd_alu *vec = hd_alu_create(s->f->shader, HD_OP_VEC, num_components, num_components, 1);
   for (unsigned n = 0; n < num_components; n++)
      hd_instr_set_src(&vec->instr, n, nif->cond.def);
   hd_instr_insert(hd_before_node(&nif->node), &vec->instr);
   return repeated[num_components - 1] = &vec->instr.def;
}

static void
replace_phi(struct state *s, hd_if *nif, hd_phi *phi, hd_def **repeated)
{
   const hd_block *then_block = hd_list_first_block(&nif->then_list);
   uint32_t n = phi->instr.block->preds[0].from != then_block;
   hd_def *a = hd_replaced_get(&s->values, phi->srcs[n].src.def);
   hd_def *b = hd_replaced_get(&s->values, phi->srcs[!n].src.def);
   const hd_def *def = &phi->instr.def;

   if (a != b) {
      hd_alu *select =
          hd_alu_create(s->f->shader, HD_OP_SELECT, 3, def->num_components, def->bit_size);
      select->instr.loc = phi->instr.loc & 0xffffff;
      hd_instr_set_src(&select->instr, 0, repeat_condition(s, nif, def->num_components, repeated));
      hd_instr_set_src(&select->instr, 1, a);
      hd_instr_set_src(&select->instr, 2, b);
      hd_instr_insert(hd_before_node(&nif->node), &select->instr);
      a = &select->instr.def;
   }
   hd_replaced_set(&s->values, &phi->instr, a);
}

static void
convert(struct state *s, hd_if *nif)
{
   hd_block *before = hd_node_prev_block(&nif->node), *after = hd_node_next_block(&nif->node);
   hd_cf_list *lists[2] = { &nif->then_list, &nif->else_list };
   hd_def *repeated[HD_MAX_COMPONENTS] = { NULL };

   for (unsigned n = 0; n < 2; n++)
      hd_move_tail(hd_list_first_block(lists[n])->first, before);
   hd_foreach_phi_safe(phi, after)
      replace_phi(s, nif, phi, repeated);
   hd_edge_remove(before, 1);
   hd_edge_remove(before, 0);
   hd_splice_delete(&s->undefs, &nif->node, &nif->node);
   hd_splice_edge(before, after);
   s->progress = true;
}

/* An `if` is looked at when the walk leaves it: then what was inside is done. */
bool
hd_opt_if_convert(hd_function *f, const opt_if_convert_options *o)
{
   struct state s = { .f = f, .options = o };
   hd_cf_node *left;

   hd_replaced_init(&s.values, f);
   if (!has_candidate(&s))
      return false;
   hd_undefs_init(&s.undefs, f);
   ask_divergence(&s);
   for (hd_cf_node *node = f->body.first; node;) {
      hd_block *b = hd_node_as_block(node);
      pass_step(f, 1);
      if (b && b->node.prev && b->node.prev->kind == HD_CF_BLOCK) {
         node = b->node.prev;
         hd_splice_merge(hd_node_as_block(node), b);
      }
      node = hd_splice_next(node, &left);
      hd_if *nif = left && left->kind == HD_CF_IF ? hd_node_as_if(left) : NULL;
      if (nif && is_worth_it(&s, nif, left->mark != UNIFORM)) {
         convert(&s, nif);
      } else if (nif && o->divergent_arm && left->mark != UNIFORM) {
         hd_cf_list *arm = arm_to_hoist(&s, nif);
         if (arm) {
            hd_move_tail(hd_list_first_block(arm)->first, hd_node_prev_block(left));
            s.progress = true;
         }
      }
   }
   hd_function_release_marks(f);
   hd_replaced_finish(&s.values);
   return hd_progress(f, s.progress, OPT_IF_CONVERT_KEEPS);
}
