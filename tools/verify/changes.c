/* SPDX-License-Identifier: MIT */
/* changes.c - the transformations under test, and what each promises besides the meaning. */
#include "judge.h"

#include "heddle/structurize.h"
#include "heddle/wave.h"

/* Nothing is changed: what is found here is a fault of the judge or of the interpreter. */
static hd_result
leave_alone(changed *c)
{
   (void)c;
   return HD_OK;
}

static hd_result
structurize(changed *c)
{
   return hd_structurize(c->f, &(hd_structurize_options){ .stats = &c->stats });
}

static hd_result
unstructure(changed *c)
{
   return hd_unstructure(c->f);
}

static hd_result
linearize(changed *c)
{
   return hd_linearize(c->f, &c->linear, NULL, NULL);
}

static hd_result
reconverge(changed *c)
{
   return hd_reconverge(c->f, &(hd_reconverge_options){ .stats = &c->stats });
}

static hd_result
lower_returns(changed *c)
{
   return hd_lower_returns(c->f);
}

static void
drop_linear(changed *c)
{
   if (c->linear)
      hd_linear_destroy(c->f->shader, c->linear);
}

/* What can be added to a function. */
struct size {
   uint32_t ifs, loops, phis, instrs;
};

static struct size
size_of(const hd_function *f)
{
   struct size s = { 0 };

   hd_foreach_node(node, f) {
      s.ifs += node->kind == HD_CF_IF;
      s.loops += node->kind == HD_CF_LOOP;
   }
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         s.phis += i->kind == HD_INSTR_PHI;
         s.instrs += i->kind != HD_INSTR_PHI && i->kind != HD_INSTR_JUMP;
      }
   }
   return s;
}

/* Blocks are not counted: where one is empty is a matter of form. */
static bool
same_but_phis(struct size a, struct size b)
{
   return a.ifs == b.ifs && a.loops == b.loops && a.instrs == b.instrs;
}

static bool
same_size(struct size a, struct size b)
{
   return same_but_phis(a, b) && a.phis == b.phis;
}

static bool
is_tree(const changed *c, char what[256])
{
   if (!c->f->structured)
      snprintf(what, 256, "the result is not structured");
   return c->f->structured;
}

static bool
is_flat(const changed *c, char what[256])
{
   if (c->f->structured)
      snprintf(what, 256, "the result is not flat");
   return !c->f->structured;
}

/* A tree that was made flat and structured again has nothing more than before. */
static bool
is_same_tree(const changed *c, char what[256])
{
   if (!is_tree(c, what))
      return false;
   const struct size now = size_of(c->f), then = size_of(c->before->from);
   /* Of phis that never carry something both there may be one instead of two. */
   if (now.phis <= then.phis && same_but_phis(now, then))
      return true;
   snprintf(what, 256, "%u ifs, %u loops, %u phis, %u instructions; the tree had %u, %u, %u and %u",
            now.ifs, now.loops, now.phis, now.instrs, then.ifs, then.loops, then.phis, then.instrs);
   return false;
}

/* Is a block declared to be inside a cycle? Of such a cycle hd_function_keeps_sweep takes all blocks to lead
 * to all paths out, which members need not: then it says no too often, and the runs must tell.
 */
static bool
has_members(const hd_function *f)
{
   bool any = false;

   hd_foreach_block(b, f)
      any |= b->loop_header != NULL;
   return any;
}

static bool
keeps_masks_on_one_pc(hd_function *f, bool members_too, const char **what)
{
   if (hd_require(f, HD_META_DIVERGENCE | HD_META_POST_DOMINANCE | HD_META_CYCLES) != HD_OK)
      *what = "out of memory";
   else if (!hd_function_is_reconverging(f))
      *what = "the result does not reconverge";
   else if ((members_too || !has_members(f)) && !hd_function_keeps_sweep(f))
      *what = "the result does not keep the sweep";
   else
      return true;
   return false;
}

/* The result has the two properties, and is the input where that has them. */
static bool
reconverges(const changed *c, char what[256])
{
   const char *wrong;

   if (!is_flat(c, what))
      return false;
   if (!keeps_masks_on_one_pc(c->f, false, &wrong)) {
      snprintf(what, 256, "%s", wrong);
      return false;
   }
   if (!keeps_masks_on_one_pc(c->from, true, &wrong) || same_size(size_of(c->from), size_of(c->f)))
      return true;
   snprintf(what, 256, "the input reconverges, and is changed all the same");
   return false;
}

static bool
returns_once(const changed *c, char what[256])
{
   uint32_t returns = 0;

   hd_foreach_block(b, c->f) {
      const hd_jump *jump = hd_block_jump(b);
      returns += jump && jump->instr.op == HD_JUMP_RETURN;
   }
   if (returns > 1)
      snprintf(what, 256, "there are %u returns", returns);
   return returns <= 1;
}

const change changes[] = {
   { "identity", "identity", -1, HD_WAVE_SWEEP, leave_alone, NULL, NULL, true, NULL },
   { "structurize", "structurize", -1, HD_WAVE_SWEEP, structurize, is_tree, NULL, false, NULL },
   { "unstructure", "round-trip", 1, HD_WAVE_SWEEP, unstructure, is_flat, NULL, false, NULL },
   { "structurize again", "round-trip", 2, HD_WAVE_SWEEP, structurize, is_same_tree, NULL, false,
     NULL },
   { "reconverge", "reconverge", -1, HD_WAVE_ONE_PC, reconverge, reconverges, NULL, false, NULL },
   { "reconverge, swept", "reconverge", 4, HD_WAVE_SWEEP, leave_alone, NULL, NULL, false, NULL },
   { "lower returns", "lower-returns", -1, HD_WAVE_SWEEP, lower_returns, returns_once, NULL, false,
     NULL },
   { "linearize", "linearize", -1, HD_WAVE_LINEAR, linearize, is_flat, drop_linear, false, NULL },
};

const unsigned num_changes = sizeof(changes) / sizeof(changes[0]);
