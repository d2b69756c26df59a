/* SPDX-License-Identifier: MIT */
/* flow.c - control flow: which lanes are active, and the stack of masks.
 *
 * A lane is active, or inactive because of a branch, a break or a continue. After a break or a continue
 * it stays inactive until its loop reactivates it; a pop does not.
 */
#include "backend/r700/sim/sim.h"

/* The stack */

static r700_element *
loop_of(r700_wave *w)
{
   for (uint32_t n = w->num_elements; n-- > 0;) {
      if (w->stack[n].loop)
         return &w->stack[n];
   }
   return NULL;
}

/* Lanes that wait for the end or the next iteration of the innermost loop. */
static uint64_t
gone(r700_wave *w)
{
   const r700_element *loop = loop_of(w);

   return loop ? loop->broke | loop->continued : 0;
}

static bool
push(r700_sim *s, bool loop)
{
   r700_wave *w = s->wave;
   const uint32_t size = w->size + (loop ? HD_R700_LOOP_ELEMENTS : 1);
   const uint32_t pushes = w->num_pushes + !loop;
   /* Two more hold the state of the hardware. */
   const uint32_t entries = (size + (pushes ? 2 : 0) + 3) / 4;

   if (entries > s->stack_size || w->num_elements == HD_R700_MAX_STACK)
      return hd_r700_sim_fail(s, "the stack has %u entries, %u are needed", s->stack_size, entries);
   s->stats.stack = entries > s->stats.stack ? entries : s->stats.stack;
   w->stack[w->num_elements++] = (r700_element){ .loop = loop, .active = w->active };
   w->size = size;
   w->num_pushes = pushes;
   return true;
}

static bool
pop(r700_sim *s, unsigned num)
{
   r700_wave *w = s->wave;

   for (unsigned n = 0; n < num; n++) {
      if (!w->num_elements || w->stack[w->num_elements - 1].loop)
         return hd_r700_sim_fail(s, "%u entries are popped here, %u were pushed", num, n);
      w->active = w->stack[--w->num_elements].active & ~gone(w);
      w->size--;
      w->num_pushes--;
   }
   return true;
}

/* Those of the last push that are not active, nor were. */
static bool
invert(r700_sim *s)
{
   r700_wave *w = s->wave;

   if (!w->num_elements || w->stack[w->num_elements - 1].loop)
      return hd_r700_sim_fail(s, "ELSE: expected an entry of a push on the stack, found none");
   w->active = w->stack[w->num_elements - 1].active & ~w->active & ~gone(w);
   return true;
}

/* Loops */

static void
unwind(r700_wave *w)
{
   while (!w->stack[w->num_elements - 1].loop) {
      w->num_elements--;
      w->size--;
      w->num_pushes--;
   }
}

/* The active lanes leave the body. If no lane of the loop is in it any more, the pc goes to the end. */
static bool
leave(r700_sim *s, const hd_r700_inst *cf, uint64_t lanes, bool to_end)
{
   r700_wave *w = s->wave;
   r700_element *loop = loop_of(w);

   if (!loop)
      return hd_r700_sim_fail(s, "expected a loop on the stack, found none");
   *(to_end ? &loop->broke : &loop->continued) |= lanes;
   w->active &= ~lanes;
   if (cf && !(loop->active & ~loop->broke & ~loop->continued)) {
      unwind(w);
      w->pc = cf->f[HD_R700_F_ADDR];
   }
   return true;
}

static bool
end_loop(r700_sim *s, const hd_r700_inst *cf)
{
   r700_wave *w = s->wave;
   r700_element *loop = w->num_elements ? &w->stack[w->num_elements - 1] : NULL;

   if (!loop || !loop->loop)
      return hd_r700_sim_fail(s, "LOOP_END: expected a loop on the stack, found none");
   w->active |= loop->continued;
   loop->continued = 0;
   if (w->active) {
      w->pc = cf->f[HD_R700_F_ADDR];
      return true;
   }
   w->active = loop->active;
   w->num_elements--;
   w->size -= HD_R700_LOOP_ELEMENTS;
   return true;
}

/* Instructions */

/* ACTIVE: the test is whether a lane is; FALSE: none is. */
static bool
test(r700_sim *s, const hd_r700_inst *cf, bool *some)
{
   if (cf->f[HD_R700_F_COND] > 1)
      return hd_r700_sim_fail(s, "%s: the simulator has no boolean constants (condition %u)",
                              hd_r700_op_infos[cf->op].name, (unsigned)cf->f[HD_R700_F_COND]);
   *some = !cf->f[HD_R700_F_COND] && s->wave->active;
   return true;
}

static bool
run_alu_clause(r700_sim *s, const hd_r700_inst *cf)
{
   const uint64_t before = s->wave->active;
   const bool leaves = cf->op == HD_R700_ALU_BREAK || cf->op == HD_R700_ALU_CONTINUE;

   if (cf->op == HD_R700_ALU_PUSH_BEFORE && !push(s, false))
      return false;
   /* These are a push, an else, a break or continue, and a pop: they need the room. */
   if (leaves && !(push(s, false) && pop(s, 1)))
      return false;
   if (!hd_r700_sim_run_alu(s, cf))
      return false;
   const uint64_t dropped = before & ~s->wave->active;
   switch (cf->op) {
   case HD_R700_ALU_POP_AFTER:
      return pop(s, 1);
   case HD_R700_ALU_POP2_AFTER:
      return pop(s, 2);
   case HD_R700_ALU_ELSE_AFTER:
      return invert(s);
   case HD_R700_ALU_BREAK:
      return leave(s, NULL, dropped, true);
   case HD_R700_ALU_CONTINUE:
      return leave(s, NULL, dropped, false);
   default:
      return true;
   }
}

static bool
jump_if_none(r700_sim *s, const hd_r700_inst *cf)
{
   bool some = false;

   if (!test(s, cf, &some))
      return false;
   if (some)
      return true;
   s->wave->pc = cf->f[HD_R700_F_ADDR];
   return pop(s, cf->f[HD_R700_F_POP_COUNT]);
}

static bool
begin_loop(r700_sim *s, const hd_r700_inst *cf)
{
   if (s->wave->active)
      return push(s, true);
   s->wave->pc = cf->f[HD_R700_F_ADDR];
   return true;
}

static bool
run_control(r700_sim *s, const hd_r700_inst *cf)
{
   switch (cf->op) {
   case HD_R700_CF_NOP:
      return true;
   case HD_R700_TEX:
   case HD_R700_VTX:
   case HD_R700_VTX_TC:
      return hd_r700_sim_run_fetches(s, cf);
   case HD_R700_LOOP_START_DX10:
   case HD_R700_LOOP_START_NO_AL:
      return begin_loop(s, cf);
   case HD_R700_LOOP_END:
      return end_loop(s, cf);
   case HD_R700_LOOP_BREAK:
      return leave(s, cf, s->wave->active, true);
   case HD_R700_LOOP_CONTINUE:
      return leave(s, cf, s->wave->active, false);
   case HD_R700_JUMP:
      return jump_if_none(s, cf);
   case HD_R700_PUSH:
      /* Nothing is pushed where it jumps. */
      return s->wave->active && !cf->f[HD_R700_F_COND] ? push(s, false) : jump_if_none(s, cf);
   case HD_R700_ELSE:
      return invert(s) && jump_if_none(s, cf);
   case HD_R700_POP:
      return pop(s, cf->f[HD_R700_F_POP_COUNT]);
   case HD_R700_MEM_SCRATCH:
   case HD_R700_MEM_EXPORT:
   case HD_R700_EXPORT:
   case HD_R700_EXPORT_DONE:
      return hd_r700_sim_export(s, cf);
   default:
      if (hd_r700_op_infos[cf->op].layout == HD_R700_LAYOUT_CF_ALU)
         return run_alu_clause(s, cf);
      return hd_r700_sim_fail(s, "the simulator does not run %s", hd_r700_op_infos[cf->op].name);
   }
}

bool
hd_r700_sim_control(r700_sim *s)
{
   hd_r700_inst cf;
   r700_wave *w = s->wave;

   if (!hd_r700_sim_decode(s, HD_R700_CF_WORD, w->pc, &cf) || !hd_r700_sim_count(s, &cf, true))
      return false;
   s->stats.control++;
   w->pc++;
   if (!run_control(s, &cf))
      return false;
   w->done =
       hd_r700_op_infos[cf.op].layout != HD_R700_LAYOUT_CF_ALU && cf.f[HD_R700_F_END_OF_PROGRAM];
   return true;
}
