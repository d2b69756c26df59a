/* SPDX-License-Identifier: MIT */
/* items.h - structural diff: a shader as a list of items: blocks, ifs, loops, instructions.
 *
 *    items.c     the lists, with the op and operands of each item
 *    match.c     which items of the two lists are the same
 *    classify.c  what became of each
 *    diff.c      the entry
 */
#ifndef HEDDLE_DIFF_ITEMS_H
#define HEDDLE_DIFF_ITEMS_H

#include "heddle/diff.h"
#include "util/memory.h"

#define NO_ITEM UINT32_MAX

typedef enum item_kind { ITEM_INSTR, ITEM_BLOCK, ITEM_IF, ITEM_LOOP } item_kind;

typedef struct item {
   uint8_t kind;
   bool free; /* it computes the same wherever it stands: it has no place */
   uint32_t
       block; /* item of the block that it is in; of a block itself; of an if or loop the one before */
   uint32_t function;
   uint32_t first_ref, num_refs;
   union {
      const hd_instr *instr;
      const hd_cf_node *node;
   } of;
   uint64_t local;   /* what it does, without what it names */
   uint64_t whole;   /* with that, and the names of variables */
   uint64_t users;   /* by what it is read, and where */
   uint64_t context; /* the same, and by what that is read, to the end */
   uint32_t match;   /* item of the other list, or NO_ITEM */
} item;

typedef struct function_items {
   const hd_function *f;
   uint32_t first, num; /* items */
   uint32_t match;      /* function of the other list, or NO_ITEM */
} function_items;

/* What an item names: operands, then blocks; of a phi pairs of a value and the block that it comes
 * from. Of a block, if or loop its parent in the tree comes first, which may be NO_ITEM.
 */
typedef struct items {
   const hd_shader *shader;
   item *at;
   uint32_t num;
   uint32_t *refs;
   uint32_t num_refs;
   function_items *functions;
   uint32_t num_functions;
   struct hd_ptr_entry *slots; /* items by instruction and node, functions */
   uint32_t mask;
} items;

typedef struct comparison {
   hd_stack *stack;
   items side[2];
   bool *moved; /* by item of the first side */
} comparison;

/* items.c: all of a shader. Unwinds. */
void hd_diff_list(hd_stack *stack, const hd_shader *shader, items *out);
/* The item of an instruction or node, the number of a function; NULL gives NO_ITEM. */
uint32_t hd_diff_item_of(const items *s, const void *of);

/* match.c: fill in `match` of both sides. Unwinds. */
void hd_diff_match(comparison *c);
/* Are these two references the same, as far as it is matched? */
bool hd_diff_same_ref(const comparison *c, uint32_t a, uint32_t b);

/* classify.c: the entries and their counts, in the stack. Unwinds. */
void hd_diff_classify(comparison *c, hd_diff *out);

static inline uint64_t
mix_in(uint64_t hash, uint64_t x)
{
   return (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
}

#endif
