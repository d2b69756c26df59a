/* SPDX-License-Identifier: MIT */
/* changes.c - the changes that are judged, and what each promises besides the meaning. */
#include "judge.h"

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
   const struct size now = size_of(c->f), then = size_of(c->before->before->f);
   if (now.ifs == then.ifs && now.loops == then.loops && now.phis == then.phis &&
       now.instrs == then.instrs)
      return true;
   snprintf(what, 256, "%u ifs, %u loops, %u phis, %u instructions; the tree had %u, %u, %u and %u",
            now.ifs, now.loops, now.phis, now.instrs, then.ifs, then.loops, then.phis, then.instrs);
   return false;
}

const change changes[] = {
   { "identity", "identity", -1, HD_WAVE_SWEEP, leave_alone, NULL, NULL },
   { "structurize", "structurize", -1, HD_WAVE_SWEEP, structurize, is_tree, NULL },
   { "unstructure", "round-trip", 1, HD_WAVE_SWEEP, unstructure, is_flat, NULL },
   { "structurize again", "round-trip", 2, HD_WAVE_SWEEP, structurize, is_same_tree, NULL },
   { "linearize", "linearize", -1, HD_WAVE_LINEAR, linearize, is_flat, drop_linear },
};

const unsigned num_changes = sizeof(changes) / sizeof(changes[0]);
