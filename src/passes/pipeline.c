/* SPDX-License-Identifier: MIT */
/* pipeline.c - the standard pass pipelines.
 *
 * A pipeline is a fixed list: no fixpoint iteration, so the compile time follows from the size of
 * the shader. If a pass occurs twice, the reason is beside it.
 */
#include "heddle/pass.h"

#include <string.h>

#include "util/quote.h"

static const char *const o0[] = {
   NULL,
};

/* Flat functions stay flat. */
static const char *const o1[] = {
   "opt_vars_split", /* before opt_vars_to_ssa, which takes what is no array */
   "opt_vars_to_ssa", "opt_dead_cf", "opt_algebraic", "opt_cse", "opt_dce", NULL,
};

#define ROUND "opt_algebraic", "opt_cse", "opt_dce"
static const char *const o2[] = {
   /* The machine needs trees, and most later passes work better on them. Calls hide information. A
    * switch becomes a chain of tests or a binary search.
    */
   "lower_switch",
   "lower_structurize",
   "opt_inline(remove=1)",

   /* SSA form and scalar simplification. Constant propagation first: it decides branches, and later
    * passes skip unreachable code. Division by constants that a branch implies waits for the machine
    * pipeline, as it makes code longer.
    */
   "opt_vars_split",
   "opt_vars_to_ssa",
   "opt_sccp(divide=0)",
   "opt_dead_cf",
   "opt_algebraic",
   "opt_vars_to_constants",
   "opt_phi",
   "opt_cse",
   "opt_dce",

   /* Control flow, with arms as small as scalar simplification makes them, so that more ifs can be
    * converted to selects; redundant jumps must go first, as an arm that jumps cannot be converted.
    */
   "opt_if",
   "opt_dead_cf", /* decided branches must not hide redundant jumps */
   "opt_jump",
   "opt_if_convert(uniform_cost=2,divergent_cost=2)",
   "opt_dead_cf",

   /* Code that two converted arms had in common. Selects that are a minimum wait for opt_algebraic
    * below: of 374 programs and 260 SPIR-V modules none is better with one here.
    */
   "opt_phi",
   "opt_cse",

   /* Again, now that conditions are simplified and code between adjacent ifs has gone. */
   "opt_if",
   "opt_sccp(divide=0)",
   "opt_dead_cf",
   "opt_jump",
   "opt_if_convert(uniform_cost=2,divergent_cost=2)",
   "opt_dead_cf",

   /* Code motion. It moves address computations together, so constants combine again and equal
    * expressions show: further rounds for that, and for arrays with an index that has become
    * constant. The runner skips passes that cannot find anything new.
    */
   "opt_gcm",
   ROUND,
   "opt_vars_split",
   "opt_vars_to_ssa",
   "opt_vars_to_constants",
   ROUND,
   ROUND,
   NULL,
};
#undef ROUND

/* Cleanup after any pass. Each pass enables the next, hence rounds: three are enough for most
 * programs, and eight for all that were tried. At a fixpoint the runner skips the rest, so further
 * rounds cost nothing where they are not needed.
 */
#define ROUND "opt_algebraic", "opt_phi", "opt_dead_cf", "opt_cse", "opt_dce"
static const char *const cleanup[] = {
   "opt_dce", ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, NULL,
};
#undef ROUND

static const char *const gcn[] = {
   "O2",

   /* Unroll short loops: a branch costs as much as four vector instructions, and induction variables
    * become constants, above all in addresses. Then arrays with constant indices become SSA values.
    */
   "opt_unroll(size=90)",
   "opt_jump",
   "opt_vars_split",
   "opt_vars_to_ssa",
   "opt_sccp",
   "opt_dead_cf",
   "opt_algebraic",

   /* Small dynamically indexed arrays become selects, so that an arm that writes to one can be
    * converted. A divergent if costs four scalar instructions and a branch: more ifs than in O2 are
    * cheaper as selects.
    */
   "opt_vars_to_constants",
   "lower_vars_to_selects",
   "opt_vars_to_ssa",
   "opt_if_convert(uniform_cost=4,divergent_cost=24)",
   "opt_dead_cf",
   "opt_algebraic",
   "opt_phi",

   /* Lowering of what the machine lacks, outermost first: a waterfall loop contains code that is
    * lowered below, and a reduction expands to arithmetic. Remaining variables go to scratch memory.
    */
   "lower_vars_to_scratch",
   "lower_nonuniform",
   "lower_subgroup(dwords=0,vote=0,shift=0)",
   "lower_atomics(shared=0)",
   "lower_idiv",
   "lower_int64(add=0,shift=0,compare=0,logic=0)",
   "lower_small_ints",
   "lower_vectors",

   /* Load/store vectorisation: four dwords cost as much as one. CSE first: unrolled iterations have
    * computed the same address each.
    */
   "opt_dce", /* conversions whose users were lowered */
   "opt_cse",
   "opt_merge_access",

   /* Simplification of lowered code, after which some more arms are small enough; then combining for
    * this machine: address offsets before opt_late, which combines sums with other ops.
    */
   "opt_algebraic",
   "opt_if_convert(uniform_cost=4,divergent_cost=24)",
   "opt_dead_cf",
   "opt_algebraic",
   "opt_cse",
   "opt_offsets",
   "opt_late",
   "opt_gcm",
   "opt_dce",

   /* Last: other passes would remove these LCSSA phis as copies. */
   "lower_exit_phis",
   NULL,
};

/* The same without a tree: structured functions become flat. Explicit reconvergence points are added
 * at the end, when no pass adds branches any more.
 */
static const char *const gcn_flat[] = {
   "lower_unstructure",
   "opt_inline(remove=1)",
   "opt_vars_split",
   "opt_vars_to_ssa",
   "opt_sccp",
   "opt_dead_cf",
   "opt_algebraic",
   "opt_phi",
   "opt_cse",
   "opt_dce",
   "opt_vars_to_constants",
   "lower_vars_to_selects",
   "opt_vars_to_ssa",
   "lower_vars_to_scratch",
   "lower_idiv",
   "lower_int64(add=0,shift=0,compare=0,logic=0)",
   "lower_small_ints",
   "lower_vectors",
   "opt_algebraic",
   "opt_cse",
   "opt_offsets",
   "opt_late",
   "opt_dce",
   "lower_switch",
   "lower_reconverge",
   "lower_exit_phis",
   NULL,
};

/* Nyuzi has lanes of 32 bits and little else: what rules combine it would take apart again. */
static const char *const nyuzi[] = {
   "O2",
   "opt_unroll(size=90)",
   "opt_jump",
   "opt_vars_split",
   "opt_vars_to_ssa",
   "opt_sccp",
   "opt_dead_cf",
   "opt_algebraic",
   "opt_vars_to_constants",
   "lower_vars_to_selects",
   "opt_vars_to_ssa",
   "opt_if_convert(uniform_cost=2,divergent_cost=8)",
   "opt_dead_cf",
   "opt_algebraic",
   "opt_phi",
   "lower_vars_to_scratch",
   "lower_nonuniform",
   "lower_subgroup",
   "lower_atomics",
   "lower_idiv",
   "lower_int64",
   "lower_small_ints",
   "lower_vectors",
   "opt_dce",
   "opt_cse",
   "opt_algebraic",
   "opt_dead_cf",
   "opt_cse",
   "opt_gcm",
   "opt_dce",
   "lower_exit_phis",
   NULL,
};

static const hd_pipeline pipelines[] = {
   { "O0", "no passes", o0 },
   { "O1", "cheap passes that shrink the code: SROA, mem2reg, algebraic simplification, CSE, DCE",
     o1 },
   { "O2", "full optimisation", o2 },
   { "cleanup", "simplification and dead code elimination, to a fixpoint", cleanup },
   { "gcn", "O2, then unrolling, lowering and late optimisation for AMD GCN", gcn },
   { "gcn_flat", "the same for flat functions that reconverge", gcn_flat },
   { "nyuzi", "O2, and what Nyuzi needs before instructions are selected", nyuzi },
};

const hd_pipeline *
hd_pipeline_get(unsigned n)
{
   return n < sizeof(pipelines) / sizeof(pipelines[0]) ? &pipelines[n] : NULL;
}

const hd_pipeline *
hd_pipeline_find(const char *name)
{
   for (unsigned n = 0; hd_pipeline_get(n); n++) {
      if (!strcmp(hd_pipeline_get(n)->name, name))
         return hd_pipeline_get(n);
   }
   return NULL;
}

hd_result
hd_run_pipeline(hd_shader *shader, const char *name, const hd_run_options *options, bool *progress)
{
   const hd_config *config = hd_shader_config(shader);
   hd_pass_list list = { .allocator = config->allocator };
   hd_diag_sink diag = options && options->diag.report ? options->diag : config->diag;
   hd_result result;

   if (hd_pipeline_find(name)) {
      result = hd_pass_list_parse(&list, name, diag);
   } else {
      char message[100];
      snprintf(message, sizeof(message), "there is no pipeline '%.40s'", name);
      hd_diag unknown = { .severity = HD_ERROR, .message = message };
      hd_diag_send(&diag, &unknown);
      result = HD_INVALID;
   }
   if (result == HD_OK)
      result = hd_run_passes(shader, list.steps, list.num_steps, options, progress);
   hd_pass_list_finish(&list);
   return result;
}
