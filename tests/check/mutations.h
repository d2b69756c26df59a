/* SPDX-License-Identifier: MIT */
/* mutations.h - for each rule a function that breaks it on purpose.
 *
 * The list of rules is the generated one: where a rule has no such function, the test does not
 * link.
 */
#ifndef TESTS_CHECK_MUTATIONS_H
#define TESTS_CHECK_MUTATIONS_H

#include "check/check_rules.h"
#include "shaders.h"

/* Break the rule in the way number `way`; false when there is no such way. */
#define ROW(number, scope, presumes, words) bool break_##number(sample *s, unsigned way);
HD_RULE_ROWS(ROW)
#undef ROW

static inline hd_src *
src_of(hd_def *def, unsigned n)
{
   return hd_instr_src(hd_def_instr(def), n);
}

/* Write a source and keep the use lists right. */
static inline void
relink(hd_src *src, hd_def *def)
{
   hd_src_unlink(src);
   src->def = def;
   if (def)
      hd_src_link(src);
}

static inline hd_instr *
new_const(sample *s, unsigned bits)
{
   return &hd_const_create(s->shader, 1, bits, NULL)->instr;
}

#endif
