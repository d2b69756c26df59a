/* SPDX-License-Identifier: MIT */
/* rewrite.h - the engine that applies rewrite rules.
 *
 * rules.h has the tables; gen_rules.py makes those of the library from the rows of rules.py and
 * late.py.
 */
#ifndef HEDDLE_PASSES_REWRITE_H
#define HEDDLE_PASSES_REWRITE_H

#include "analysis/known_bits.h"
#include "heddle/rules.h"

/* What is known of a value that a condition has asked about. */
#define HD_RULE_NUM_ASKED 2
struct hd_rule_asked {
   const hd_def *def; /* NULL: none */
   hd_known_bits known;
};

/* A pattern laid over instructions. */
struct hd_match {
   const hd_shader *shader;
   const uint32_t *options;
   struct hd_rule_asked *asked; /* HD_RULE_NUM_ASKED, by number of the node */
   hd_def *node[HD_RULE_MAX_NODES];
};

extern const hd_rule_set hd_rules_algebraic, hd_rules_late;

#define HD_ANY_RULE UINT32_MAX

struct hd_rewrite {
   hd_function *f;
   const hd_rule_set *set;
   const uint32_t *options; /* what conditions may ask for, by number; may be NULL */
   uint32_t *fired;         /* how often each rule was applied; may be NULL */
   uint32_t only;           /* the one rule to apply, or HD_ANY_RULE */
};

/* The state of a value from those of its operands. State 0 is left for what has none yet. */
unsigned hd_rewrite_state(const hd_rule_set *set, const hd_instr *i);

/* The value that is to take the place of an instruction whose operands have their states, or NULL.
 * New instructions stand before it; *first is the first of them, or unchanged if there is none. The
 * instruction gets its own state.
 */
hd_def *hd_rewrite_by_rules(struct hd_rewrite *r, hd_alu *alu, hd_instr **first);

/* The same by laws that hold for vectors of any length, of ops that make or take them apart, and by
 * folding constants.
 */
hd_def *hd_rewrite_vector(struct hd_rewrite *r, hd_alu *alu, hd_instr **first);
hd_def *hd_rewrite_fold(struct hd_rewrite *r, hd_alu *alu, hd_instr **first);

/* Rewrite all reachable instructions until nothing applies; whether anything changed. Needs
 * HD_META_BLOCK_ORDER. Borrows marks.
 */
bool hd_rewrite_function(struct hd_rewrite *r);

/* A constant right before an instruction; *first as above. */
hd_def *hd_rewrite_constant(struct hd_rewrite *r, hd_instr *before, unsigned num_components,
                            unsigned bit_size, const hd_const_value *values, hd_instr **first);

#endif
