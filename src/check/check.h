/* SPDX-License-Identifier: MIT */
/* check.h - the validator: state and interface of its files.
 *
 *    validate.c   the entries, the order of the parts, the shader's own rules
 *    tree.c       the tree: links, lists; gives the blocks in order
 *    body.c       the instruction lists; gives the table of values
 *    graph.c      successors, predecessors, the end block
 *    dominance.c  reachability and dominance, in scratch memory
 *    operand.c    the walk over all instructions, and each operand
 *    instr.c      each instruction against its table
 *    intrinsic.c  intrinsics
 *    uses.c       use lists
 *    flat.c       declarations
 *    converge.c   operands that must be uniform, reconvergence
 *    metadata.c   kept results of analyses
 *    report.c     messages
 *    sort.c       sorting in place
 *
 * No part relies on what an earlier part has not established: a block or value is only looked up by
 * its index when the index table says that it is there, and a list is only followed along links
 * that were seen to agree. That ends: if next->prev == this holds at every step from a first
 * element without prev, no element can come twice, because it would have two different ones before
 * it.
 */
#ifndef HEDDLE_CHECK_CHECK_H
#define HEDDLE_CHECK_CHECK_H

#include <stdarg.h>

#include "analysis/private.h"
#include "check/check_rules.h"
#include "heddle/check.h"
#include "ir/private.h"

/* A set of rules. */
#define RULE_BIT(r)  (UINT64_C(1) << (r))
#define TREE_LINKS   (RULE_BIT(RULE_CF1) | RULE_BIT(RULE_CF2) | RULE_BIT(RULE_CF3))
#define NOT_IN_TABLE UINT32_MAX

/* A block in the order of the text, which is how it is known here: by its position in that order. */
typedef struct block_info {
   hd_block *block;
   hd_loop *loop;       /* innermost loop around it */
   hd_instr *last;      /* the last instruction that links lead to */
   uint64_t broken;     /* rules broken in it */
   uint32_t num_instrs; /* that agreeing links lead to */
   uint8_t in_continue; /* in the continue list of that loop */
   uint8_t may_have_phis;
   uint8_t ends_continue; /* the last block of a continue list */
   uint8_t reachable;
} block_info;

/* The dominator tree as intervals: a dominates b if b's number is in a's. Unreachable blocks have
 * the empty interval 0, 0.
 */
typedef struct dom_interval {
   uint32_t begin, end;
} dom_interval;

/* A value, found by its index; and how far its use list has been followed, see operand.c. */
typedef struct def_info {
   const hd_def *def;      /* NULL: no value has this index */
   const hd_src *last_use; /* the one seen last, or NULL */
   const hd_src *next_use; /* the one to be seen next, or NULL */
   uint32_t order;         /* counts the instructions of the function, from 1 */
   uint32_t block : 30;    /* position of its block */
   uint32_t mistyped : 1;  /* its instruction has a fault of types */
   uint32_t unordered : 1; /* its use list is in another order than the text */
} def_info;

/* To sort and look up. */
typedef struct pair {
   uint64_t key;
   uint64_t value;
} pair;

/* A source whose value belongs to another function, or to none. */
typedef struct foreign_src {
   const hd_src *src;
   struct foreign_src *next;
} foreign_src;

/* A function whose use lists are to be looked at later. */
typedef struct deferred {
   struct check *state;
   struct deferred *next;
} deferred;

#define NUM_TEXTS 4
#define TEXT_SIZE 40

typedef struct check {
   hd_shader *shader;
   hd_heap *heap;
   hd_stack *stack;
   hd_diag_sink sink;
   const hd_validate_options *options;
   uint32_t num_errors, max_errors;
   uint64_t num_named;  /* flagged objects that the name table has */
   uint64_t all_broken; /* in any function */
   bool muted;
   hd_function **functions; /* in the shader's order */
   pair *by_address;        /* their numbers */
   uint32_t num_functions;
   pair *calls; /* caller and callee, the call; from the heap */
   uint32_t num_calls, calls_capacity;
   foreign_src *foreign;
   pair *foreign_by_address;
   uint32_t num_foreign;
   deferred *deferred, *last_deferred;
   char texts[NUM_TEXTS][TEXT_SIZE];
   unsigned next_text;

   /* The function at hand */
   hd_function *f;
   uint64_t broken; /* rules broken anywhere in it */
   block_info *blocks;
   uint32_t num_blocks, blocks_capacity;
   hd_if **ifs;
   uint32_t *if_block; /* the position of the block before each */
   uint32_t num_ifs, ifs_capacity;
   hd_loop **loops;
   uint32_t num_loops, loops_capacity;
   uint32_t *block_place; /* by index; NOT_IN_TABLE */
   uint32_t block_table_size;
   def_info *defs; /* by index */
   uint32_t defs_capacity;
   uint64_t num_instrs;
   const hd_var **vars; /* by index */
   uint32_t num_vars;
   dom_interval *dom;     /* by position; NULL when there is no dominance to speak of */
   bool asks_uniform;     /* some operand must be uniform and is not promised to be */
   bool any_asks_uniform; /* in any function */
   struct hd_fresh fresh;
   bool declares; /* some block is declared to be something */
   bool edges_sound;
   bool sources_hidden; /* some operands could not be looked at */
   uint64_t use_sum;    /* of sources seen less those in use lists: 0 when they agree */
   uint32_t num_heads;  /* use lists whose first source has not been seen */
   uint32_t *unordered; /* indices of values whose use lists are in another order */
   uint32_t num_unordered, unordered_capacity;
   bool use_fault;
} check;

/* Where a fault is. What is not known is NULL. */
typedef struct place {
   const hd_block *block;
   const hd_instr *instr;
   const hd_cf_node *node;
   int src; /* the operand at fault, or -1 */
} place;

static inline place
at_function(void)
{
   return (place){ .src = -1 };
}

static inline place
at_block(const hd_block *block)
{
   return (place){ .block = block, .src = -1 };
}

static inline place
at_node(const hd_cf_node *node)
{
   return (place){ .node = node, .src = -1 };
}

static inline place
at_instr(const hd_block *block, const hd_instr *instr)
{
   return (place){ .block = block, .instr = instr, .src = -1 };
}

static inline place
at_src(const hd_block *block, const hd_instr *instr, unsigned src)
{
   return (place){ .block = block, .instr = instr, .src = (int)src };
}

extern const hd_rule_info hd_check_rules[NUM_RULES];

/* Report that a rule is broken, and remember it in c->broken. `format` says what exactly.
 * Unwinds when there are too many messages.
 */
void hd_check_vreport(check *c, rule r, place where, const char *format, va_list args)
    HD_PRINTF(4, 0);
void hd_check_report(check *c, rule r, place where, const char *format, ...) HD_PRINTF(4, 5);
/* The same, remembered at the block at this place too. */
#define block_fault(c, pos, r, ...)                                                                \
   ((c)->blocks[pos].broken |= RULE_BIT(r), hd_check_report((c), (r), __VA_ARGS__))

/* "%4"; good until the next but three. */
const char *hd_check_def_text(check *c, const hd_def *def);
/* "b3", "the end block", "nothing"; likewise. */
const char *hd_check_block_text(check *c, const hd_block *block);

/* Is everything that the rule presumes unbroken in this set? */
static inline bool
can_check(rule r, uint64_t broken)
{
   return !(hd_check_rules[r].presumes & broken);
}

/* The walks over all blocks come back to memory that was left long ago, and each block is found by
 * a pointer that is known well before: ask for what stands a few places further on.
 */
static inline void
fetch_ahead(const check *c, uint32_t pos)
{
   if (c->num_blocks - pos > 16) {
      const char *far = (const char *)c->blocks[pos + 16].block;
      __builtin_prefetch(far);
      __builtin_prefetch(far + 64);
      __builtin_prefetch(far + 128);
      __builtin_prefetch(c->blocks[pos + 8].block->first);
   }
}

/* The index of a block of the function, or NOT_IN_TABLE. */
static inline uint32_t
block_place(const check *c, const hd_block *b)
{
   if (b && b->node.index < c->block_table_size) {
      uint32_t place = c->block_place[b->node.index];
      if (place != NOT_IN_TABLE && c->blocks[place].block == b)
         return place;
   }
   return NOT_IN_TABLE;
}

/* The same of a block that is known to be in the table. */
static inline uint32_t
known_place(const check *c, const hd_block *b)
{
   return c->block_place[b->node.index];
}

/* The same of a block that edges may lead to: the end block comes after the others. */
static inline uint32_t
edge_place(const check *c, const hd_block *b)
{
   return b == &c->f->end ? c->num_blocks : block_place(c, b);
}

/* The entry of a value of the function, or NULL. */
static inline const def_info *
def_entry(const check *c, const hd_def *def)
{
   if (def->index < c->defs_capacity && c->defs[def->index].def == def)
      return &c->defs[def->index];
   return NULL;
}

/* Does each definition made at `def` dominate the end of the block at `use`? */
static inline bool
block_dominates(const check *c, uint32_t def, uint32_t use)
{
   return c->dom[use].begin - c->dom[def].begin < c->dom[def].end - c->dom[def].begin;
}

static inline void
steps(check *c, uint64_t n)
{
   hd_heap_step(c->heap, n);
}

/* The number of a function in the shader's list, or NOT_IN_TABLE. */
uint32_t hd_check_function_number(const check *c, const hd_function *f);
/* Remember a call. */
void hd_check_add_call(check *c, const hd_instr *instr, uint32_t callee);
/* Was this source reported as not a value of its function? */
bool hd_check_is_foreign(const check *c, const hd_src *src);

bool hd_check_is_valid_type(unsigned num_components, unsigned bit_size);

/* A name to print, whatever the function has. */
static inline const char *
name_of(const hd_function *f)
{
   return f->name ? f->name : "?";
}

/* Sort pairs by key, then value: without memory, without recursion, n log n. */
void hd_check_sort_pairs(pair *pairs, size_t n);

void *hd_check_grow(check *c, void *array, uint32_t *capacity, uint32_t needed, size_t size);

void hd_check_tree(check *c);
void hd_check_bodies(check *c);
void hd_check_graph(check *c);
void hd_check_dominance(check *c);
void hd_check_variables(check *c);
void hd_check_instrs(check *c);
void hd_check_uses(check *c);
void hd_check_flat_declarations(check *c);
void hd_check_convergence(check *c);
void hd_check_metadata(check *c);
void hd_check_divergence_metadata(check *c);

#endif
