/* SPDX-License-Identifier: MIT */
/* pipeline.c - the standard pass pipelines.
 *
 * A list is fixed: nothing is repeated until nothing changes, so the time a shader takes follows
 * from its size. Where a pass stands twice, the reason is beside it.
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
   /* The machine wants trees, and most of what follows knows more of them. Nothing is known past a
    * call. A switch is one test for each target then, or a search.
    */
   "lower_switch",
   "lower_structurize",
   "opt_inline(remove=1)",

   /* To values, and everything that is plain from them. Constants first: they decide branches,
    * and what cannot be reached is nobody's work any more. Divisions by what a branch knows wait
    * for the machine: they become longer.
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

   /* Control flow, of which there is now as little as values can tell. Arms are smaller than when
    * they came, so that more of them are worth a select; jumps have gone where they kept an arm
    * from being one.
    */
   "opt_if",
   "opt_dead_cf", /* what a condition has decided is not in the way of a jump */
   "opt_jump",
   "opt_if_convert(uniform_cost=2,divergent_cost=2)",
   "opt_dead_cf",

   /* What two arms did both. Selects that are a minimum wait for the turn of opt_algebraic below:
    * of 374 programs and 260 modules of SPIR-V none is better for one here.
    */
   "opt_phi",
   "opt_cse",

   /* Once more, now that conditions are plain and what was between two ifs has gone. */
   "opt_if",
   "opt_sccp(divide=0)",
   "opt_dead_cf",
   "opt_jump",
   "opt_if_convert(uniform_cost=2,divergent_cost=2)",
   "opt_dead_cf",

   /* Where it costs least. Addresses are next to what they were computed from then, so constants
    * meet again, and operands are found to be the same: once more for that, and for arrays of which
    * an index has become a constant. Where a round finds nothing the runner leaves out the rest.
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

/* What tidies up after any pass. Each makes work for the next, hence rounds: three are enough for
 * most programs, and eight for all that were tried. Once nothing changes any more the runner leaves
 * out the rest, so that further rounds cost only those who need them.
 */
#define ROUND "opt_algebraic", "opt_phi", "opt_dead_cf", "opt_cse", "opt_dce"
static const char *const cleanup[] = {
   "opt_dce", ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, ROUND, NULL,
};
#undef ROUND

static const char *const gcn[] = {
   "O2",

   /* Short loops go: a branch costs as much as four vector instructions, and what counts becomes
    * constants, in addresses above all. What is left of an array that is named by constants is
    * values.
    */
   "opt_unroll(size=90)",
   "opt_jump",
   "opt_vars_split",
   "opt_vars_to_ssa",
   "opt_sccp",
   "opt_dead_cf",
   "opt_algebraic",

   /* Small arrays are chosen from, so that an arm that writes to one is as cheap as any. A mask
    * costs four scalar instructions and a branch: more arms than O2 takes are cheaper as selects.
    */
   "opt_vars_to_constants",
   "lower_vars_to_selects",
   "opt_vars_to_ssa",
   "opt_if_convert(uniform_cost=4,divergent_cost=24)",
   "opt_dead_cf",
   "opt_algebraic",
   "opt_phi",

   /* What the machine does not have, from the outside in: a loop over descriptors holds code that
    * is lowered below it, and a reduction is made of arithmetic. Variables that are no values even
    * now go to memory.
    */
   "lower_vars_to_scratch",
   "lower_nonuniform",
   "lower_subgroup(dwords=0,vote=0,shift=0)",
   "lower_atomics(shared=0)",
   "lower_idiv",
   "lower_int64(add=0,shift=0,compare=0,logic=0)",
   "lower_small_ints",
   "lower_vectors",

   /* Four dwords come for the price of one; turns of a loop that went each made the same address
    * for itself.
    */
   "opt_dce", /* what has only been resized for a reader that lowering took away */
   "opt_cse",
   "opt_merge_access",

   /* Once more what lowering has made plain, of which some arms are small enough only now; then
    * what only this machine has: offsets while sums are sums still.
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

   /* Last: to other passes these phis are copies. */
   "lower_exit_phis",
   NULL,
};

/* The same for the road without a tree: what is a tree becomes flat, and what is flat stays so.
 * Branches reconverge in the end, when nothing adds one any more.
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

static const hd_pipeline pipelines[] = {
   { "O0", "nothing", o0 },
   { "O1", "what makes a shader smaller at little cost", o1 },
   { "O2", "all that makes a shader faster", o2 },
   { "cleanup", "what is left over by other passes", cleanup },
   { "gcn", "O2, and what AMD GCN needs before instructions are selected", gcn },
   { "gcn_flat", "the same for flat functions that reconverge", gcn_flat },
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
