/* SPDX-License-Identifier: MIT */
/* options.h - which options of passes a random choice may set. */
#ifndef HEDDLE_TESTS_OPTIONS_H
#define HEDDLE_TESTS_OPTIONS_H

#include <string.h>

#include "heddle/pass.h"

/* With these, results may be the next floats, or outputs that are stored before a lane ends are lost, or helper lanes get what they must not: tests of their
 * own compare them.
 */
static inline bool
is_approximate(const hd_pass *pass, const hd_pass_option *o)
{
   return (!strcmp(pass->name, "lower_float_functions") && !o->value) ||
          !strcmp(pass->name, "lower_outputs") || !strcmp(o->name, "fragment");
}

#endif
