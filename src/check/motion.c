/* SPDX-License-Identifier: MIT */
/* motion.c - check-motion: were instructions moved and merged legally?
 *
 * For each instruction of interest before: where is it now, or what do its users read instead? That
 * place is looked up in the function before, and motion.c of the analyses decides whether the move is
 * legal. Operands that must be uniform must not have become more divergent. An instruction that is
 * new, and does what removed ones did, must be a legal merge of one of them.
 */
#include "heddle/motion.h"
#include "analysis/control_equivalence.h"
#include "analysis/motion.h"
#include "check/motion_match.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/ops.h"

/* How many that are gone a new one is held against. */
#define MANY_ORIGINS 16

/* One a number of the library's intrinsics; those of a driver's own share some. */
#define OWN_CHAINS 64u
#define NUM_CHAINS (HD_NUM_INTRINSICS + OWN_CHAINS)

struct comparison {
   hd_stack *stack;
   hd_match_side side[2];
   uint32_t *lane_classes; /* of the function after */
   hd_block **runs_like;   /* by number of `lane_classes`: a block that corresponds to one before */
   hd_motion_token *tokens;
   uint32_t num_tokens;
   void *user;
   void (*report)(void *user, const hd_motion_fault *fault);
   hd_motion_count count;
   uint32_t gone[NUM_CHAINS]; /* the number after that of the last one, 0 for none */
   uint32_t *gone_before;     /* by number: likewise, of the one before it */
};

/* The chain of `gone` that an instruction is in. */
static unsigned
chain_of(const hd_instr *i)
{
   return i->op < HD_NUM_INTRINSICS ? i->op : HD_NUM_INTRINSICS + i->op % OWN_CHAINS;
}

static bool
is_of_interest(const hd_instr *i)
{
   if (i->kind != HD_INSTR_INTRINSIC || !hd_instr_def(i))
      return false;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   if (!(info->flags & HD_CAN_ELIMINATE))
      return false;
   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (hd_wants_uniform(i, n))
         return true;
   }
   return info->reads || info->flags & HD_CROSS_LANE;
}

static bool
does_the_same(const hd_instr *a, const hd_instr *b)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(a);

   return a->kind == b->kind && a->op == b->op && a->def.bit_size == b->def.bit_size &&
          a->def.num_components == b->def.num_components &&
          !memcmp(hd_intrinsic_indices((const hd_intrinsic *)a),
                  hd_intrinsic_indices((const hd_intrinsic *)b),
                  info->num_indices * sizeof(uint32_t));
}

/* The one that it still is after, or NULL. */
static hd_instr *
itself(const hd_match_side *side, const hd_instr *i)
{
   hd_instr *other = hd_match_instr(side, i);

   return other && does_the_same(i, other) ? other : NULL;
}

/* Places */

/* A block before in which `b` would run with the lanes that it has after, or NULL. */
static hd_block *
block_before(const struct comparison *c, const hd_block *b)
{
   hd_block *same = hd_match_block(&c->side[1], b);

   if (same)
      return same;
   const hd_block *like = c->runs_like[c->lane_classes[b->node.index]];
   return like ? hd_match_block(&c->side[1], like) : NULL;
}

/* The next one that orders what reads memory, in a direction. */
static const hd_instr *
neighbour(const hd_instr *i, bool forward)
{
   do {
      i = forward ? i->next : i->prev;
   } while (i && i->kind != HD_INSTR_CALL && i->kind != HD_INSTR_INTRINSIC);
   return i;
}

/* A place of that block before: next to what is next to it after. All but calls and intrinsics may
 * be passed by anything. False: what is next to it corresponds to nothing there.
 */
static bool
place_before(const struct comparison *c, const hd_instr *was, const hd_instr *is, hd_block *block,
             hd_cursor *to)
{
   *to = hd_before_jump(block);
   if (hd_match_block(&c->side[1], is->block) != block)
      return false;
   for (unsigned forward = 0; forward < 2; forward++) {
      const hd_instr *i = neighbour(is, forward);
      hd_instr *other = i ? hd_match_instr(&c->side[1], i) : NULL;
      if (!i)
         *to = forward ? hd_before_jump(block) : hd_after_phis(block);
      else if (other && other != was && other->block == block)
         *to = forward ? hd_before_instr(other) : hd_after_instr(other);
      else
         continue;
      return true;
   }
   return false;
}

/* A failure of the shader after ends the call like one of the shader before, where all scratch is.
 */
static void
pass_on(const struct comparison *c, hd_result result)
{
   if (result != HD_OK)
      hd_heap_fail(hd_shader_heap(c->side[0].f->shader), result);
}

/* Tokens */

static void
add_token(struct comparison *c, const hd_def *source, const hd_block *branch)
{
   c->tokens[c->num_tokens++] = (hd_motion_token){ source, branch };
}

struct tokens {
   bool *source, *branch;
};

static struct tokens
tokens_of(const struct comparison *c, const hd_src *operand, unsigned s)
{
   hd_function *f = c->side[s].f;
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   const struct tokens t = {
      hd_stack_alloc_zero(c->stack, f->num_defs + 1u),
      hd_stack_alloc_zero(c->stack, f->num_blocks + 2u),
   };
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_unwind u;

   if (HD_TRY(heap, &u))
      hd_divergence_tokens(f, operand, t.source, t.branch);
   hd_stack_release(stack, mark);
   pass_on(c, hd_heap_leave(heap, &u));
   return t;
}

/* What makes the operand differ after, and did not make it before. A source of which nothing is
 * known is taken to be new.
 */
static void
find_growth(struct comparison *c, const hd_src *was, const hd_src *is)
{
   hd_stack_mark mark = hd_stack_get_mark(c->stack);
   struct tokens before = tokens_of(c, was, 0), after = tokens_of(c, is, 1);
   const hd_match_side *side = &c->side[1];

   c->num_tokens = 0;
   hd_foreach_block(b, side->f) {
      hd_foreach_instr(i, b) {
         if (!hd_instr_def(i) || !after.source[i->def.index])
            continue;
         const hd_def *other = hd_match_def(side, &i->def);
         if (!other || !before.source[other->index])
            add_token(c, &i->def, NULL);
      }
      /* A branch only adds what its condition is made of; it is named where that is new. */
      const hd_block *other = hd_match_block(side, b);
      if (after.branch[b->node.index] && c->num_tokens &&
          (!other || !before.branch[other->node.index]))
         add_token(c, NULL, b);
   }
   hd_stack_release(c->stack, mark);
}

/* Other lanes come by the branch of a block before. */
static void
find_branch_tokens(struct comparison *c, const hd_block *branch)
{
   hd_stack_mark mark = hd_stack_get_mark(c->stack);
   const hd_if *nif = hd_block_next_if(branch);
   const hd_jump *jump = hd_block_jump(branch);
   const hd_src *condition = jump ? jump->src : nif ? &nif->cond : NULL;

   c->num_tokens = 0;
   add_token(c, NULL, branch);
   if (!condition || branch->num_succs < 2)
      return;
   struct tokens t = tokens_of(c, condition, 0);
   hd_foreach_block(b, c->side[0].f) {
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i) && t.source[i->def.index])
            add_token(c, &i->def, NULL);
      }
   }
   hd_stack_release(c->stack, mark);
}

/* Judging */

static void
complain(struct comparison *c, const hd_motion_fault *fault)
{
   hd_motion_fault told = *fault;

   c->count.illegal++;
   told.tokens = c->tokens;
   told.num_tokens = c->num_tokens;
   if (c->report)
      c->report(c->user, &told);
}

/* The operand of the one before is the value that this one has after. */
static bool
is_same_operand(const struct comparison *c, const hd_src *was, const hd_src *is)
{
   const hd_def *other = hd_match_def(&c->side[1], is->def);

   if (other == was->def)
      return true;
   const hd_const *x = hd_src_as_const(was), *y = hd_src_as_const(is);
   return x && y && x->instr.def.bit_size == y->instr.def.bit_size &&
          x->instr.def.num_components == y->instr.def.num_components &&
          !memcmp(x->value, y->value, x->instr.def.num_components * sizeof(*x->value));
}

/* What must be uniform is proven so, or the same value with no more tokens, or, if it only moved,
 * another one with no more.
 */
static bool
check_operands(struct comparison *c, hd_motion_fault *fault)
{
   const hd_instr *was = fault->was, *is = fault->is;

   for (unsigned n = 0; n < hd_instr_num_srcs(is); n++) {
      const hd_src *x = hd_instr_src(was, n), *y = hd_instr_src(is, n);
      if (!hd_wants_uniform(is, n) || hd_src_is_uniform(y))
         continue;
      fault->operand = y;
      find_growth(c, x, y);
      if (fault->merged && !is_same_operand(c, x, y)) {
         fault->reason = (hd_motion_reason){ HD_MOTION_OPERAND, x, NULL, NULL };
         return false;
      }
      if (c->num_tokens) {
         fault->reason = (hd_motion_reason){ HD_MOTION_GROWS, x, NULL, NULL };
         return false;
      }
   }
   fault->operand = NULL;
   return true;
}

/* The reason speaks of an operand that after is proven uniform. */
static bool
is_proven_after(const hd_motion_fault *fault)
{
   const hd_src *src = fault->reason.src;

   return src && hd_src_is_uniform(hd_instr_src(fault->is, hd_src_slot(src)));
}

static bool
has_effect(const hd_instr *i)
{
   return i->kind == HD_INSTR_CALL || (i->kind == HD_INSTR_INTRINSIC &&
                                       !(hd_instr_intrinsic_info(i)->flags & HD_CAN_ELIMINATE));
}

/* Between the two places is nothing that has an effect: what was there may be gone. */
static bool
is_beside(const hd_instr *was, hd_cursor to)
{
   const hd_instr *cut = hd_cursor_cut(to), *i = cut;

   if (hd_cursor_block(to) != was->block)
      return false;
   while (i && i != was && !has_effect(i))
      i = i->next;
   if (i == was)
      return true;
   for (i = was->next; i && i != cut && !has_effect(i);)
      i = i->next;
   return i == cut;
}

/* May `was` be run where `is` is? */
static bool
judge(struct comparison *c, hd_instr *was, hd_instr *is, unsigned rules, hd_motion_fault *fault)
{
   *fault = (hd_motion_fault){
      .was = was,
      .is = is,
      .merged = itself(&c->side[0], was) != is,
      .place = block_before(c, is->block),
   };
   c->num_tokens = 0;
   hd_cursor to;
   if (!place_before(c, was, is, (hd_block *)fault->place, &to)) {
      rules &= ~(unsigned)HD_ASK_MEMORY;
      c->count.unordered++;
   }
   if (!is_beside(was, to))
      pass_on(c, hd_ask_motion(was, to, rules, &fault->reason));
   if (fault->reason.why == HD_MOTION_LEGAL || is_proven_after(fault))
      return !(rules & HD_ASK_UNIFORM) || check_operands(c, fault);
   if (fault->reason.src) {
      fault->operand = hd_instr_src(is, hd_src_slot(fault->reason.src));
      find_growth(c, fault->reason.src, fault->operand);
   }
   if (fault->reason.why == HD_MOTION_LANES && fault->reason.block && !c->num_tokens)
      find_branch_tokens(c, fault->reason.block);
   return false;
}

/* What a reader of a value reads after instead of it, or NULL. */
static hd_instr *
read_instead(const struct comparison *c, const hd_src *use)
{
   const hd_if *nif = hd_src_if(use);

   if (nif) {
      const hd_block *b = hd_match_block(&c->side[0], hd_node_prev_block(&nif->node));
      const hd_if *other = b ? hd_block_next_if(b) : NULL;
      return other ? hd_def_instr(other->cond.def) : NULL;
   }
   const hd_instr *reader = hd_src_instr(use);
   const hd_instr *other = hd_match_instr(&c->side[0], reader);
   if (!other || other->kind != reader->kind || other->op != reader->op ||
       hd_instr_num_srcs(other) != hd_instr_num_srcs(reader))
      return NULL;
   if (reader->kind == HD_INSTR_PHI) {
      const hd_block *pred = hd_match_block(&c->side[0], hd_src_block(use));
      const hd_src *src = pred ? hd_phi_src_from((const hd_phi *)other, pred) : NULL;
      return src ? hd_def_instr(src->def) : NULL;
   }
   unsigned n = reader->kind == HD_INSTR_CALL
                    ? (unsigned)((const hd_wide_src *)use - ((const hd_call *)reader)->args)
                    : hd_src_slot(use);
   return hd_def_instr(hd_instr_src(other, n)->def);
}

/* One that is gone: whatever its readers read instead must do for it. */
static void
check_gone(struct comparison *c, hd_instr *was)
{
   const hd_instr *last = NULL;

   hd_foreach_use(use, &was->def) {
      hd_instr *is = read_instead(c, use);
      hd_motion_fault fault;
      if (!is || is == last || !is_of_interest(is) || !does_the_same(was, is))
         continue;
      last = is;
      if (!block_before(c, is->block)) {
         c->count.unknown++;
         continue;
      }
      /* One that was there before stands by its own promise. */
      bool stood = itself(&c->side[1], is) && is_of_interest(itself(&c->side[1], is));
      c->count.merged++;
      if (!judge(c, was, is, stood ? HD_ASK_OF_GIVING_WAY : HD_ASK_ALL, &fault))
         complain(c, &fault);
   }
}

/* A new one: of one that is gone it must have come. */
static void
check_new(struct comparison *c, hd_instr *is)
{
   hd_motion_fault fault;
   hd_instr *first = NULL;
   unsigned looked = 0;

   if (!block_before(c, is->block)) {
      c->count.unknown++;
      return;
   }
   for (uint32_t n = c->gone[chain_of(is)]; n && looked++ < MANY_ORIGINS;
        n = c->gone_before[n - 1]) {
      hd_instr *was = c->side[0].instr[n - 1];
      if (!does_the_same(was, is))
         continue;
      if (judge(c, was, is, HD_ASK_ALL, &fault)) {
         c->count.merged++;
         return;
      }
      first = first ? first : was;
   }
   if (!first) {
      c->count.unknown++;
      return;
   }
   c->count.merged++;
   /* Its tokens, again. */
   if (!judge(c, first, is, HD_ASK_ALL, &fault))
      complain(c, &fault);
}

static void
check_kept(struct comparison *c, hd_instr *was, hd_instr *is)
{
   const hd_block *place = block_before(c, is->block);
   hd_motion_fault fault;

   if (!place) {
      c->count.unknown++;
      return;
   }
   c->count.kept += place == was->block;
   c->count.moved += place != was->block;
   if (!judge(c, was, is, HD_ASK_ALL, &fault))
      complain(c, &fault);
}

static void
find_places(struct comparison *c)
{
   hd_function *f = c->side[1].f;
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_heap *heap = hd_shader_heap(f->shader);
   const uint32_t slots = f->num_blocks + 1u + hd_function_num_cycles(f);
   hd_unwind u;

   c->runs_like = hd_stack_alloc_zero(c->stack, slots * sizeof(hd_block *));
   c->lane_classes = hd_stack_alloc(c->stack, slots * sizeof(uint32_t));
   hd_stack_mark mark = hd_stack_get_mark(stack);
   if (HD_TRY(heap, &u))
      memcpy(c->lane_classes, hd_control_equivalent_blocks(f), slots * sizeof(uint32_t));
   hd_stack_release(stack, mark);
   pass_on(c, hd_heap_leave(heap, &u));
   hd_foreach_block(b, f) {
      if (hd_match_block(&c->side[1], b) && !c->runs_like[c->lane_classes[b->node.index]])
         c->runs_like[c->lane_classes[b->node.index]] = b;
   }
}

static void
compare(struct comparison *c, hd_function *before, hd_function *after)
{
   uint32_t room = after->num_defs + after->num_blocks + before->num_defs + 1u;

   hd_match_functions(c->stack, before, after, c->side);
   find_places(c);
   c->tokens = hd_stack_alloc(c->stack, room * sizeof(*c->tokens));
   c->gone_before = hd_stack_alloc(c->stack, (c->side[0].num + 1u) * sizeof(uint32_t));
   memset(c->gone, 0, sizeof(c->gone));
   for (uint32_t n = 0; n < c->side[0].num; n++) {
      hd_instr *was = c->side[0].instr[n];
      if (!is_of_interest(was))
         continue;
      hd_instr *is = itself(&c->side[0], was);
      if (is) {
         check_kept(c, was, is);
         continue;
      }
      check_gone(c, was);
      c->gone_before[n] = c->gone[chain_of(was)];
      c->gone[chain_of(was)] = n + 1;
   }
   for (uint32_t n = 0; n < c->side[1].num; n++) {
      hd_instr *is = c->side[1].instr[n];
      if (is_of_interest(is) && !itself(&c->side[1], is))
         check_new(c, is);
   }
}

#define NEEDED                                                                                     \
   (HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_POST_DOMINANCE | HD_META_CYCLES |            \
    HD_META_DIVERGENCE)

static hd_result
compare_functions(struct comparison *c, hd_function *before, hd_function *after)
{
   hd_heap *heap = hd_shader_heap(before->shader);
   hd_stack_mark mark = hd_stack_get_mark(c->stack);
   hd_result result = hd_require(before, NEEDED);
   hd_unwind u;

   if (result == HD_OK)
      result = hd_require(after, NEEDED);
   if (result != HD_OK)
      return result;
   if (HD_TRY(heap, &u))
      compare(c, before, after);
   hd_stack_release(c->stack, mark);
   return hd_heap_leave(heap, &u);
}

hd_result
hd_check_motion(hd_shader *before, hd_shader *after, void *user,
                void (*report)(void *user, const hd_motion_fault *fault), hd_motion_count *count)
{
   struct comparison c = { .stack = hd_shader_stack(before), .user = user, .report = report };
   hd_result result = HD_OK;

   assert(before != after && "two shaders are compared");
   hd_foreach_function(f, before) {
      hd_function *other = hd_shader_find_function(after, f->name);
      if (other && result == HD_OK)
         result = compare_functions(&c, f, other);
   }
   if (count)
      *count = c.count;
   return result == HD_OK && c.count.illegal ? HD_INVALID : result;
}
