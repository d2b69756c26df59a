/* SPDX-License-Identifier: MIT */
/* rewrite.h - peephole rewriting by rules: the tables of a rule set, and the engine that applies them.
 *
 * Bottom-up tree pattern matching (Hoffmann and O'Donnell, 1982; Chase, 1987). gen_rules.py makes a
 * rule set from the rows of rules.py and late.py. The automaton state of a value, kept in
 * hd_def.mark, is the set of subpatterns that it could match. The state of an instruction, and the
 * list of the forms of rules that its shape fits, come from one or a few table lookups:
 *
 *    ops[op] -> lookups: for each operand looked at, its class is in some bits of
 *               maps[map + state of the operand];
 *               tables[table + classes as digits] -> entries[]: state, and forms in lists[]
 *
 * A form is one order of operands of a rule. Its path says where the nodes of the pattern are, as
 * `parent << 2 | operand` for each node after the root. The nodes have the same numbers in all
 * forms of a rule, so that conditions and replacements don't know the order.
 */
#ifndef HEDDLE_PASSES_REWRITE_H
#define HEDDLE_PASSES_REWRITE_H

#include "heddle/ir.h"
#include "heddle/ops.h"
#include "passes/known_bits.h"

/* Nodes of a pattern, and values that a replacement is made of: checked when tables are made. */
#define HD_RULE_MAX_NODES 16
#define HD_RULE_MAX_BUILT 16
/* Lists of forms that one instruction can fit: checked likewise. */
#define HD_RULE_MAX_LISTS 10

typedef enum hd_rule_flags {
   HD_RULE_INEXACT = 1u << 0, /* not where a float instruction is exact */
   HD_RULE_NNAN = 1u << 1,    /* only where all float instructions have HD_FP_NO_NAN */
   HD_RULE_NINF = 1u << 2,
   HD_RULE_NSZ = 1u << 3,
   HD_RULE_FREE = 1u << 4,  /* may cost more than what it replaces */
   HD_RULE_FLOAT = 1u << 5, /* a float instruction is searched */
} hd_rule_flags;

struct hd_rule {
   uint16_t inner;     /* the nodes that are instructions, by bit; 0 is the root */
   uint16_t condition; /* 1 + its number, or 0 */
   uint16_t build;     /* where in `code` the replacement is */
   uint16_t equal;     /* where in `paths` the pairs of nodes are that must be equal */
   uint8_t num_nodes;
   uint8_t num_equal;
   uint8_t flags; /* hd_rule_flags */
   uint8_t cost;  /* of the instructions of the replacement */
};

struct hd_rule_form {
   uint16_t rule;
   uint16_t path;
};

struct hd_rule_entry {
   uint16_t list;
   uint8_t num;
   uint8_t state;
};

struct hd_rule_op {
   uint16_t lookup; /* the first of num_lookups; only the first one gives the state */
   uint16_t always; /* forms of any operands */
   uint16_t same;   /* forms of any operands of which the first two are equal */
   uint8_t num_lookups;
   uint8_t num_always;
   uint8_t num_same;
};

/* The class of one operand: a digit of the place in the table. */
struct hd_rule_digit {
   uint16_t map;
   uint8_t shift, mask; /* which bits of the byte are the class */
   uint8_t operand;
   uint8_t size; /* classes */
};

struct hd_rule_lookup {
   uint32_t table;
   struct hd_rule_digit digit[4];
   uint8_t num; /* operands */
};

struct hd_rule_constant {
   uint64_t value;
   uint8_t state;
};

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

typedef bool hd_rule_condition(const struct hd_match *m);
/* Component `c` of a constant of a replacement. */
typedef uint64_t hd_rule_calculation(const struct hd_match *m, unsigned c);

/* Code: runs of words that end in HD_RULE_END and the reference of the result.
 *
 *    op | operands << 10, sizes, references 0 and 1, references 2 and 3 where there are so many
 *    HD_RULE_LITERAL | number, sizes
 *    HD_RULE_CALCULATION | number, sizes
 *
 * Sizes are `bits << 8 | components`: each a node's number, or HD_RULE_FIXED and the number of the
 * size (1, 8, 16, 32, 64) or of components. A reference is a node, or HD_RULE_BUILT and a number.
 */
#define HD_RULE_END         0u
#define HD_RULE_LITERAL     0x8000u
#define HD_RULE_CALCULATION 0xc000u
#define HD_RULE_FIXED       0x80u
#define HD_RULE_BUILT       0x40u

struct hd_rule_set {
   const struct hd_rule *rules;
   const struct hd_rule_form *forms;
   const uint16_t *lists;
   const struct hd_rule_entry *entries;
   const uint16_t *tables;
   const uint8_t *maps;
   const struct hd_rule_op *ops; /* by hd_op; then by HD_NUM_OPS + operands of a vector */
   const struct hd_rule_lookup *lookups;
   const struct hd_rule_constant *constants; /* literals, by size, ascending */
   const uint16_t *first_constant;           /* of each size; one more for the end */
   hd_rule_condition *const *conditions;
   hd_rule_calculation *const *calculations;
   const uint64_t *literals; /* five each, by size */
   const uint16_t *code;
   const uint8_t *paths;
   const uint8_t *costs; /* by hd_op */
   uint16_t num_rules;
   uint8_t num_states;
   uint32_t bytes; /* of all tables */
};

extern const struct hd_rule_set hd_rules_algebraic, hd_rules_late;

#define HD_ANY_RULE UINT32_MAX

struct hd_rewrite {
   hd_function *f;
   const struct hd_rule_set *set;
   const uint32_t *options; /* what conditions may ask for, by number; may be NULL */
   uint32_t *fired;         /* how often each rule was applied; may be NULL */
   uint32_t only;           /* the one rule to apply, or HD_ANY_RULE */
};

/* The state of a value from those of its operands. State 0 is left for what has none yet. */
unsigned hd_rewrite_state(const struct hd_rule_set *set, const hd_instr *i);

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
