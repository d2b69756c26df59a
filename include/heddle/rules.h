/* SPDX-License-Identifier: MIT */
/* rules.h - peephole rewriting by rules of a program's own.
 *
 * The rules are rows of a Python file; the program `heddle-rules` makes a C file with an hd_rule_set
 * of them, and a pass of the program applies it (doc/rules.md):
 *
 *    extern const hd_rule_set my_rules;
 *
 *    static bool
 *    my_late(hd_function *f, const hd_pass_step *step)
 *    {
 *       return hd_progress(f, hd_rewrite(f, &my_rules, step->values), HD_META_GRAPH);
 *    }
 *
 * The tables below are for generated files alone. They change with HD_RULES_VERSION.
 *
 * Bottom-up tree pattern matching (Hoffmann and O'Donnell, 1982; Chase, 1987). The automaton state
 * of a value, kept in hd_def.mark, is the set of subpatterns that it could match. The state of an
 * instruction, and the list of the forms of rules that its shape fits, come from one or a few table
 * lookups:
 *
 *    ops[op] -> lookups: for each operand looked at, its class is in some bits of
 *               maps[map + state of the operand];
 *               tables[table + classes as digits] -> entries[]: state, and forms in lists[]
 *
 * A form is one order of operands of a rule. Its path says where the nodes of the pattern are, as
 * `parent << 2 | operand` for each node after the root. The nodes have the same numbers in all
 * forms of a rule, so that conditions and replacements don't know the order.
 */
#ifndef HEDDLE_RULES_H
#define HEDDLE_RULES_H

#include "heddle/ir.h"
#include "heddle/ops.h"

HD_BEGIN_DECLS

#define HD_RULES_VERSION 1

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
   HD_RULE_FREE = 1u << 4,   /* may cost more than what it replaces */
   HD_RULE_FLOAT = 1u << 5,  /* a float instruction is searched */
   HD_RULE_FINITE = 1u << 6, /* only with HD_FLOAT_FINITE, and not where one is exact */
} hd_rule_flags;

typedef struct hd_rule {
   uint16_t inner;     /* the nodes that are instructions, by bit; 0 is the root */
   uint16_t condition; /* 1 + its number, or 0 */
   uint16_t build;     /* where in `code` the replacement is */
   uint16_t equal;     /* where in `paths` the pairs of nodes are that must be equal */
   uint8_t num_nodes;
   uint8_t num_equal;
   uint8_t flags; /* hd_rule_flags */
   uint8_t cost;  /* of the instructions of the replacement */
} hd_rule;

typedef struct hd_rule_form {
   uint16_t rule;
   uint16_t path;
} hd_rule_form;

typedef struct hd_rule_entry {
   uint16_t list;
   uint8_t num;
   uint8_t state;
} hd_rule_entry;

typedef struct hd_rule_op {
   uint16_t lookup; /* the first of num_lookups; only the first one gives the state */
   uint16_t always; /* forms of any operands */
   uint16_t same;   /* forms of any operands of which the first two are equal */
   uint8_t num_lookups;
   uint8_t num_always;
   uint8_t num_same;
} hd_rule_op;

/* The class of one operand: a digit of the index in the table. */
typedef struct hd_rule_digit {
   uint16_t map;
   uint8_t shift, mask; /* which bits of the byte are the class */
   uint8_t operand;
   uint8_t size; /* classes */
} hd_rule_digit;

typedef struct hd_rule_lookup {
   uint32_t table;
   hd_rule_digit digit[4];
   uint8_t num; /* operands */
} hd_rule_lookup;

typedef struct hd_rule_constant {
   uint64_t value;
   uint8_t state;
} hd_rule_constant;

/* A pattern laid over instructions, as conditions see it. */
typedef struct hd_match hd_match;

typedef bool hd_rule_condition(const hd_match *m);
/* Component `c` of a constant of a replacement. */
typedef uint64_t hd_rule_calculation(const hd_match *m, unsigned c);

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

typedef struct hd_rule_set {
   uint32_t version; /* HD_RULES_VERSION */
   uint32_t num_ops; /* HD_NUM_OPS */
   const hd_rule *rules;
   const hd_rule_form *forms;
   const uint16_t *lists;
   const hd_rule_entry *entries;
   const uint16_t *tables;
   const uint8_t *maps;
   const hd_rule_op *ops; /* by hd_op; then by HD_NUM_OPS + operands of a vector */
   const hd_rule_lookup *lookups;
   const hd_rule_constant *constants; /* literals, by size, ascending */
   const uint16_t *first_constant;    /* of each size; one more for the end */
   hd_rule_condition *const *conditions;
   hd_rule_calculation *const *calculations;
   const uint64_t *literals; /* five each, by size */
   const uint16_t *code;
   const uint8_t *paths;
   const uint8_t *costs; /* by hd_op */
   uint16_t num_rules;
   uint8_t num_states;
   uint32_t bytes; /* of all tables */
} hd_rule_set;

/* For passes: rewrite all reachable instructions until no rule applies; constants are folded on the
 * way. Whether anything changed. `options` are what conditions ask for with option(n), or NULL. Needs
 * HD_META_BLOCK_ORDER, keeps all metadata of the graph, and borrows marks. A set that was made for
 * another version of the library fails with HD_UNSUPPORTED, as running out of memory or steps does
 * (pass.h); a diagnostic goes to the shader's sink.
 */
HD_API bool hd_rewrite(hd_function *f, const hd_rule_set *set, const uint32_t *options);

/* What conditions and calculations are written with: doc/rules.md has the list, without the prefix.
 * `n` is the number of a node of the pattern, `c` of a component of a constant; sizes are in bits.
 */
HD_API unsigned hd_rule_bits(const hd_match *m, unsigned n);
HD_API unsigned hd_rule_comps(const hd_match *m, unsigned n);
HD_API uint64_t hd_rule_value(const hd_match *m, unsigned n, unsigned c);
HD_API bool hd_rule_once(const hd_match *m, unsigned n);
HD_API bool hd_rule_not_const(const hd_match *m, unsigned n);
HD_API bool hd_rule_known_zero(const hd_match *m, unsigned n, uint64_t which);
HD_API bool hd_rule_known_one(const hd_match *m, unsigned n, uint64_t which);
HD_API bool hd_rule_nonneg(const hd_match *m, unsigned n);
HD_API bool hd_rule_negative(const hd_match *m, unsigned n);
HD_API bool hd_rule_nonzero(const hd_match *m, unsigned n);
HD_API uint64_t hd_rule_most(const hd_match *m, unsigned n);
HD_API uint64_t hd_rule_least(const hd_match *m, unsigned n);
HD_API bool hd_rule_differ(const hd_match *m, unsigned a, unsigned b);
HD_API bool hd_rule_canonical(const hd_match *m, unsigned n);
HD_API bool hd_rule_never_nan(const hd_match *m, unsigned n);
HD_API bool hd_rule_flushes(const hd_match *m, unsigned size);
HD_API bool hd_rule_rtz(const hd_match *m, unsigned size);
HD_API uint32_t hd_rule_option(const hd_match *m, uint64_t n);
HD_API bool hd_rule_is_pow2(uint64_t a);
HD_API bool hd_rule_is_low_mask(uint64_t a);
HD_API uint64_t hd_rule_mask(unsigned bits);
HD_API uint64_t hd_rule_ones(uint64_t count);
HD_API int64_t hd_rule_sext(unsigned bits, uint64_t a);
HD_API uint64_t hd_rule_shl(uint64_t a, uint64_t count);
HD_API unsigned hd_rule_bit_count(uint64_t a);
HD_API int64_t hd_rule_find_lsb(uint64_t a);
HD_API int64_t hd_rule_find_msb(uint64_t a);
HD_API bool hd_rule_float_is_nan(unsigned size, uint64_t a);
HD_API bool hd_rule_float_is_inf(unsigned size, uint64_t a);
HD_API bool hd_rule_float_is_zero(unsigned size, uint64_t a);
HD_API bool hd_rule_float_is_negative(unsigned size, uint64_t a);
HD_API bool hd_rule_float_is_normal(unsigned size, uint64_t a);
HD_API bool hd_rule_float_is_moderate(unsigned size, uint64_t a);
HD_API bool hd_rule_float_less(unsigned size, uint64_t a, uint64_t b);
HD_API bool hd_rule_exact_reciprocal(unsigned size, uint64_t a);
HD_API bool hd_rule_exact_int(unsigned size, unsigned float_size);

HD_END_DECLS

#endif
