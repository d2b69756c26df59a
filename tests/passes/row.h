/* SPDX-License-Identifier: MIT */
/* row.h - the searches of rewrite rules as data, from gen_rules.py, and the proof of a rule set. */
#ifndef HEDDLE_TESTS_PASSES_ROW_H
#define HEDDLE_TESTS_PASSES_ROW_H

#include "passes/rewrite.h"

enum row_kind { ROW_OP, ROW_VAR, ROW_CONST, ROW_LITERAL };

struct row_node {
   enum row_kind kind;
   unsigned op;
   unsigned num_kids;
   unsigned kids[4];
   unsigned size;        /* the class of its size */
   unsigned components;  /* 0: as many as the vector at hand */
   unsigned name;        /* of what has a name: equal names are equal values */
   uint64_t literals[5]; /* by size */
};

struct row {
   const char *text;
   const struct row_node *nodes; /* the root first */
   unsigned num_nodes;
   unsigned num_sizes;
   unsigned sizes[6];  /* of each class, or-ed */
   unsigned asked;     /* names that the condition wants to know bits of */
   unsigned canonical; /* names that it wants to be canonical, or no NaN */
   unsigned flags;     /* hd_rule_flags */
   bool has_float;
   bool has_options;
};

extern const struct row rows_algebraic[];
extern const unsigned num_rows_algebraic;
extern const struct row rows_late[];
extern const unsigned num_rows_late;
extern const struct row rows_broken[];
extern const unsigned num_rows_broken;
extern const hd_rule_set hd_rules_broken;

/* What came of a rule. */
struct proof {
   unsigned num_fired;   /* how often it applied */
   uint64_t num_values;  /* compared */
   unsigned sizes_fired; /* sizes of the root, or-ed */
   char failure[600];    /* the first, or "" */
};

/* Lay one rule over its own search, with many constants in all sizes and modes, and evaluate what
 * it makes of it beside what was there. `seed` makes the random part.
 */
void prove_rule(const hd_rule_set *set, const struct row *row, unsigned rule, uint64_t seed,
                struct proof *proof);

/* Run the whole set on searches of the rule; whether the rule itself is applied at least once.
 * `fired`, zeros for as many as the set has, counts how often each rule was up to then.
 */
bool rule_is_reached(const hd_rule_set *set, const struct row *row, unsigned rule, uint64_t seed,
                     uint32_t *fired);

/* Take away each flag that a rule wants from each float instruction: it must not apply then. */
bool rule_obeys_flags(const hd_rule_set *set, const struct row *row, unsigned rule, uint64_t seed);

#endif
