/* SPDX-License-Identifier: MIT */
/* lowered.c - keep lowered constructs lowered: run lowerings again after later passes.
 *
 * A shader records the constructs that lowerings removed for good. A pass that has a choice asks which
 * ones it may create. If it has none (an `if` over a 64-bit value becomes a 64-bit select, or a phi
 * for each component), the runner lowers the new instructions again.
 */
#include "passes/run.h"

#include "heddle/ops.h"

/* Each makes nothing that one before it lowers, so that once through the list is enough. */
static const char *const order[] = {
   "lower_nonuniform", "lower_subgroup", "lower_idiv",    "lower_int64",
   "lower_small_ints", "lower_bool",     "lower_vectors",
};
#define NUM_ORDER (sizeof(order) / sizeof(order[0]))

static uint32_t
lowers(const hd_pass_step *step)
{
   uint32_t constructs = 0;

   for (uint32_t n = 0; n < step->pass->num_lowers; n++) {
      const hd_pass_lowers *l = &step->pass->lowers[n];
      if (l->option < 0 || step->values[l->option])
         constructs |= l->construct;
   }
   return constructs;
}

/* A function of a form that the pass does not take may still hold some. */
void
hd_remember_lowered(struct run *run)
{
   hd_foreach_function(f, run->shader) {
      if (!takes(run->step->pass, f))
         return;
   }
   run->shader->lowered |= lowers(run->step);
}

/* The pass, doing what was done for good and no more. */
static hd_pass_step
step_again(const hd_pass *pass, uint32_t lowered)
{
   hd_pass_step step = hd_pass_step_default(pass);

   for (uint32_t n = 0; n < pass->num_lowers; n++) {
      const hd_pass_lowers *l = &pass->lowers[n];
      if (l->option >= 0)
         step.values[l->option] = (lowered & l->construct) != 0;
   }
   return step;
}

/* What is there that should not be. */
static uint32_t
find_again(hd_function *f)
{
   uint32_t found = 0;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         found |= hd_instr_constructs(i);
         pass_step(f, 1);
      }
   }
   return found & f->shader->lowered;
}

static void
lower_again(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   uint32_t found = find_again(f);

   for (unsigned n = 0; n < NUM_ORDER && found; n++) {
      const hd_pass *pass = hd_pass_find(order[n]);
      if (!pass || !pass->run || !takes(pass, f))
         continue;
      const hd_pass_step step = step_again(pass, f->shader->lowered);
      if (!(lowers(&step) & found))
         continue;
      hd_stack_mark mark = hd_stack_get_mark(stack);
      hd_require(f, pass->requires_meta);
      pass->run(f, &step);
      hd_stack_release(stack, mark);
      found = find_again(f);
   }
}

void
hd_keep_lowered(struct run *run)
{
   if (!run->shader->lowered)
      return;
   hd_foreach_function(f, run->shader) {
      lower_again(f);
   }
}
