/* SPDX-License-Identifier: MIT */
/* cmd_unstructure.c - heddle unstructure and heddle lower-returns. --explain gives the reason of each
 * declaration; no code is added.
 */
#include "restructure.h"

#include "heddle/structurize.h"

/* Why blocks of what was a tree are declared; of a function that was flat, nothing. */
static void
explain_declarations(tool *t, hd_function *f)
{
   hd_foreach_block(b, f) {
      hd_explanation e = { .function = f, .target = b };
      if (b->loop_header) {
         e.added = "`in`";
         e.why = "it runs in each round of the loop around it, also where it leads out of the loop";
         put_explanation(t, &e);
      }
      if (b->continues) {
         e.added = "`continues`";
         e.from = b;
         e.to = b->continues;
         e.why = "the lanes of a round meet there before the next one begins";
         put_explanation(t, &e);
      }
   }
}

static hd_result
unstructure(tool *t, hd_function *f, hd_structurize_stats *stats)
{
   const bool was_tree = f->structured;
   const hd_result result = hd_unstructure(f);

   (void)stats;
   if (result == HD_OK && was_tree && option_given(t, "explain"))
      explain_declarations(t, f);
   return result;
}

int
run_unstructure(tool *t)
{
   return run_restructure(t, unstructure);
}

static hd_result
lower_returns(tool *t, hd_function *f, hd_structurize_stats *stats)
{
   (void)t;
   (void)stats;
   return hd_lower_returns(f);
}

int
run_lower_returns(tool *t)
{
   return run_restructure(t, lower_returns);
}
