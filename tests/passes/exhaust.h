/* SPDX-License-Identifier: MIT */
/* exhaust.h - rewrite rules as two expressions, evaluated on all there is of small operands.
 *
 * prove.c runs rules as the library does, on samples. Here is every case: the rows come straight
 * from the rule (gen_exhaust.py), both sides are evaluated by the library's folder, and a condition
 * is asked about the values themselves, as if each bit of each was known. What a pass knows of a
 * value is less, and a condition that holds for what it knows holds for each value that this may
 * be: so a rule that is right here is right for all that can be known.
 */
#ifndef HEDDLE_TESTS_PASSES_EXHAUST_H
#define HEDDLE_TESTS_PASSES_EXHAUST_H

#include "heddle/ir.h"
#include "heddle/ops.h"

#define SIDES_MAX_NODES   40
#define SIDES_MAX_CLASSES 8
#define SIDES_MAX_NAMES   8

enum side_kind { SIDE_OP, SIDE_NAME, SIDE_LITERAL, SIDE_CALCULATION };

/* What is known of a pattern that is laid over values: by the numbers of its nodes. */
struct facts {
   const hd_const_value *value[16]; /* components of each */
   uint8_t bits[16];
   uint8_t comps[16];
   uint32_t controls;
};

struct side_node {
   enum side_kind kind;
   unsigned op;
   unsigned num_kids;
   unsigned kids[4];
   unsigned size; /* the class of its size */
   unsigned comps;
   unsigned name;
   unsigned fits;        /* sizes that a literal can have, or-ed */
   uint64_t literals[5]; /* by size */
   uint64_t (*calculate)(const struct facts *m);
};

/* A rule. The search's nodes are before those of the replacement, operands after what uses them. */
struct sides {
   const char *text;
   const struct side_node *nodes;
   unsigned num_nodes;
   unsigned replace; /* the replacement's root */
   unsigned num_names;
   unsigned num_classes;
   unsigned classes[SIDES_MAX_CLASSES]; /* sizes, or-ed */
   unsigned places[16];                 /* of the numbered nodes of the search */
   bool (*when)(const struct facts *m);
   uint64_t asks; /* nodes whose values `when` looks at */
   bool exact;    /* both sides are the same bits, without flags that say what does not matter */
   bool has_float;
};

extern const struct sides sides_algebraic[];
extern const unsigned num_sides_algebraic;
extern const struct sides sides_late[];
extern const unsigned num_sides_late;
extern const struct sides sides_one_wrong[];
extern const unsigned num_sides_one_wrong;

struct exhausted {
   unsigned num_sizes; /* choices of sizes that were gone through; 0: an operand is always larger */
   unsigned operands;  /* of at most 8 bits, with constants */
   uint64_t num_cases; /* operands for which the condition holds: compared */
   uint64_t num_passed; /* for which it does not hold */
   bool left_out;       /* there are more than 2^34 for some sizes, which were not gone through */
   char failure[600];   /* the first, or "" */
};

/* Go through all values of the operands of a rule, in all choices of sizes in which they have at
 * most 8 bits; operands that the ops want larger (counts of shifts) get small numbers and edges.
 * Only one in `share` runs of 256 values of the last operand is looked at, of 0 none: what comes
 * out is how many operands there are.
 */
void exhaust_rule(const struct sides *rule, unsigned share, struct exhausted *result);

#endif
