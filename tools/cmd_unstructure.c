/* SPDX-License-Identifier: MIT */
/* cmd_unstructure.c - heddle unstructure and heddle lower-returns: nothing to choose, nothing added
 * that would need a reason.
 */
#include "restructure.h"

static hd_result
unstructure(tool *t, hd_function *f, hd_structurize_stats *stats)
{
   (void)t;
   (void)stats;
   return hd_unstructure(f);
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
   return f->structured ? HD_OK : hd_lower_returns(f);
}

int
run_lower_returns(tool *t)
{
   return run_restructure(t, lower_returns);
}
