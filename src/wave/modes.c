/* SPDX-License-Identifier: MIT */
/* modes.c - the one-pc and the linear execution mode: analysis before the run. */
#include "heddle/analysis.h"
#include "wave/wave.h"

/* One pc */

void
hd_wave_decode_flow(hd_wave_run_state *run, hd_code *code, const uint32_t *places)
{
   code->flow = hd_stack_alloc_zero(&run->stack, code->num_blocks * sizeof(hd_code_flow));
   for (uint32_t n = 0; n < code->num_blocks; n++) {
      const hd_block *b = code->blocks[n].block;
      const hd_block *post_idom = hd_block_post_idom(b);
      hd_code_flow *flow = &code->flow[n];
      const hd_block *primary = b->num_succs > 1 ? hd_block_primary_succ(b) : NULL;
      flow->primary = primary ? places[primary->node.index] : HD_CODE_END;
      if (!hd_block_reconverges(b))
         hd_wave_refuse(run, HD_BAD_LAUNCH, b->last,
                        "@%s does not reconverge: a divergent branch does not have two "
                        "successors of which one post-dominates it",
                        code->function->name);
      flow->post_idom =
          post_idom && !hd_block_is_end(post_idom) ? places[post_idom->node.index] : HD_CODE_END;
   }
}

/* Linear */

static void
refuse_step(hd_wave_run_state *run, uint32_t n, const char *what)
{
   hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "step %u of the linear order %s", n, what);
}

static void
decode_step(hd_wave_run_state *run, hd_code *code, uint32_t n, uint32_t *places)
{
   const hd_linear *linear = run->launch->linear;
   const hd_linear_step *s = &linear->steps[n];
   hd_code_step *out = &code->steps[n];

   *out = (hd_code_step){ HD_CODE_END, HD_CODE_END, s->join, s->may_be_empty };
   if (s->block) {
      const uint32_t index = s->block->node.index;
      if (hd_block_function(s->block) != code->function || hd_block_is_end(s->block))
         refuse_step(run, n, "is not a block of the function");
      if (linear->step_of_block[index] != n)
         refuse_step(run, n, "is a block whose step is another one");
      places[index] = n;
      code->blocks[n].block = s->block;
      if (s->join == HD_LINEAR_END)
         out->join = code->num_blocks;
      else if (s->join <= n || s->join >= code->num_blocks)
         refuse_step(run, n, "joins at none of the steps after it");
      return;
   }
   if (s->header >= n || !linear->steps[s->header].block)
      refuse_step(run, n, "is a latch, but leads to no block before it");
   if (code->steps[s->header].latch != HD_CODE_END)
      refuse_step(run, n, "is a latch that leads where another one does");
   out->header = s->header;
   code->steps[s->header].latch = n;
}

void
hd_wave_decode_linear(hd_wave_run_state *run, hd_code *code, uint32_t *places)
{
   const hd_linear *linear = run->launch->linear;

   if (!linear)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                     "@%s: expected a linear order in the launch, found none",
                     code->function->name);
   if (linear->num_blocks != code->function->num_blocks || !linear->num_steps ||
       linear->steps[0].block != hd_function_start(code->function))
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "the linear order is not that of @%s",
                     code->function->name);
   code->num_blocks = linear->num_steps;
   code->blocks = hd_stack_alloc_zero(&run->stack, linear->num_steps * sizeof(hd_code_block));
   code->steps = hd_stack_alloc_zero(&run->stack, linear->num_steps * sizeof(hd_code_step));
   for (uint32_t n = 0; n < linear->num_steps; n++)
      decode_step(run, code, n, places);
   hd_foreach_block(b, code->function) {
      const uint32_t n = linear->step_of_block[b->node.index];
      if (hd_block_is_reachable(b) && (n >= linear->num_steps || linear->steps[n].block != b))
         hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "a block of @%s has no step in the linear order",
                        code->function->name);
   }
}
