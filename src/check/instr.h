/* SPDX-License-Identifier: MIT */
/* instr.h - the validator's checks of instructions: interface between its files. */
#ifndef HEDDLE_CHECK_INSTR_H
#define HEDDLE_CHECK_INSTR_H

#include <stdio.h>

#include "check.h"
#include "heddle/ops.h"

/* The instruction at hand. */
typedef struct visit {
   check *c;
   hd_instr *instr;
   uint64_t broken; /* rules broken at it */
   uint32_t pos;    /* position of its block */
   uint32_t order;  /* its number in the function */
   bool reachable;
} visit;

#define FLOAT_FLAGS (HD_FP_EXACT | HD_FP_NO_NAN | HD_FP_NO_INF | HD_FP_NO_SIGNED_ZERO)
#define TYPE_RULES  (RULE_BIT(RULE_OP3) | RULE_BIT(RULE_OP4))
#define VAR_RULES   (RULE_BIT(RULE_FN2) | RULE_BIT(RULE_FN3))
#define EDGE_RULES  (RULE_BIT(RULE_CF5) | RULE_BIT(RULE_CF6) | RULE_BIT(RULE_CF12))

/* Report at this instruction, at an operand if src is not negative. */
void hd_check_fault(visit *v, rule r, int src, const char *format, ...) HD_PRINTF(4, 5);

/* Types of operands against a table. Sizes that share a letter are equal, and so are the component
 * counts that are linked; the first operand that can be judged says what they are.
 */
typedef struct shape {
   uint8_t bits[32]; /* by the low bits of the letter; 0: none seen */
   uint8_t linked;
} shape;

/* Some operands can't be looked at, so use lists can't be judged. */
static inline void
hide_sources(visit *v)
{
   v->c->sources_hidden = true;
}

/* The rules on one operand: that it is a value of the function, dominates its use, and knows its
 * place. Returns the value's entry, or NULL.
 */
const def_info *hd_check_visit_src(visit *v, hd_src *src, unsigned n, unsigned slot);

void hd_check_type(visit *v, shape *s, const hd_type_info *t, int src, unsigned num_components,
                   unsigned bit_size);
void hd_check_instr(visit *v);
void hd_check_has_result(visit *v, bool makes);
void hd_check_intrinsic(visit *v);
void hd_check_cases(visit *v, const hd_jump *j, unsigned bit_size);

#endif
