/* SPDX-License-Identifier: MIT */
/* builder.h - the builder: interface of builder.c (instructions), builder_cf.c (control flow), variables.c
 * (SSA construction) and collapse.c (removal of trivial phis).
 */
#ifndef HEDDLE_IR_BUILDER_H
#define HEDDLE_IR_BUILDER_H

#include "heddle/build.h"
#include "ir/private.h"

/* An if or loop that is open. One in dropped code has no node and makes none. */
typedef struct hd_frame {
   hd_cf_node *node;
   uint8_t kind;         /* HD_CF_IF or HD_CF_LOOP */
   bool second;          /* in the else-list or the continue list */
   bool first_falls;     /* the then-list's end is reached; a lane gets to the continue list */
   bool left;            /* loop: a break is reached */
   uint32_t outer_loop;  /* 1 + the frame of the loop around; 0: none */
   uint32_t first_write; /* hd_builder_state.num_writes at the push */
} hd_frame;

/* What variables need to know of a block, by its index. */
typedef struct hd_block_info {
   uint32_t first_write; /* of the node before: as in its frame */
   uint32_t waiting;     /* 1 + the newest phi that waits for the block to be sealed */
   bool popped;          /* a node was closed before it: first_write holds */
   bool sealed;          /* hd_seal_block or hd_pop_loop was called */
} hd_block_info;

/* A phi of a variable. It is put into its block when the block is sealed. */
typedef struct hd_var_phi {
   hd_phi *phi;
   hd_block *block;
   hd_ssa_var *var;
   uint32_t next_waiting; /* 1 + the next one that waits for the same block */
   bool waits;            /* for its block to be sealed */
} hd_var_phi;

/* The value of a variable at the end of a block. */
typedef struct hd_memo {
   uint64_t key; /* variable and block; see memo_key */
   hd_def *def;  /* NULL: an empty slot */
} hd_memo;

struct hd_ssa_var {
   hd_ssa_var *next;
   hd_function *function;
   uint32_t index;
   uint32_t last_write; /* hd_builder_state.num_writes after the last one */
   uint8_t num_components, bit_size;
   hd_block *last_block; /* what the memo says of this block, which was used last: */
   hd_def *last_def;
};

#define HD_NUM_SHAPES (HD_MAX_COMPONENTS * 5)

struct hd_builder_state {
   hd_frame *frames;
   uint32_t num_frames, frame_capacity;
   uint32_t loop;    /* 1 + the frame of the innermost loop; 0: none */
   bool whole;       /* the function was begun by this builder, from its empty start block */
   bool end_reached; /* what follows hd_if_phi needs of the if that was popped last: */
   bool popped_falls[2];
   hd_if *popped_if;
   hd_instr *placeless[HD_NUM_SHAPES]; /* by shape: the value of dropped code */
   hd_instr *undefs[HD_NUM_SHAPES];    /* by shape: an undef in the start block, for variables */

   hd_ssa_var *vars;
   uint32_t num_vars;
   uint32_t num_writes;
   hd_memo *memos; /* open addressing, a power of two */
   uint32_t num_memos, memo_capacity;
   hd_block_info *infos; /* by block index */
   uint32_t info_capacity;
   hd_var_phi *phis;
   uint32_t num_phis, phi_capacity;
   uint32_t num_filled; /* phis below this have their sources, or wait */
};

/* The state, made on the first demand. NULL after a failure, which it records. */
hd_builder_state *hd_builder_need_state(hd_builder *b);

/* Record the first failure. */
void hd_builder_fail(hd_builder *b, hd_result result);
/* Record what a call on the shader left in its status. */
void hd_builder_fail_status(hd_builder *b);
/* HD_INVALID, with a diagnostic. */
void hd_builder_misuse(hd_builder *b, const char *format, ...) HD_PRINTF(2, 3);

/* False (and a misuse) if a value cannot be an operand here: NULL, or made in dropped code. */
bool hd_builder_check_def(hd_builder *b, const char *who, unsigned operand, const hd_def *def);

/* A value of this size that is in no block. */
hd_def *hd_builder_placeless(hd_builder *b, unsigned num_components, unsigned bit_size);

/* Is this value of dropped code? */
static inline bool
hd_def_is_placeless(const hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);

   return !i->block && i->kind == HD_INSTR_UNDEF;
}

/* 0, 1, ... HD_NUM_SHAPES - 1; bits must be a size that values can have. */
static inline unsigned
hd_shape_index(unsigned num_components, unsigned bits)
{
   unsigned size = bits == 1 ? 0 : bits == 8 ? 1 : bits == 16 ? 2 : bits == 32 ? 3 : 4;

   return size * HD_MAX_COMPONENTS + num_components - 1;
}

static inline bool
hd_is_shape(unsigned num_components, unsigned bits)
{
   return num_components >= 1 && num_components <= HD_MAX_COMPONENTS &&
          (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

/* Double an array of the pool until it has room for one more, and `need` in all. */
void *hd_builder_grow(hd_builder *b, void *array, size_t element, uint32_t *capacity,
                      uint32_t need);

/* builder_cf.c: everything must be closed; true if so. */
bool hd_builder_close(hd_builder *b);
/* No flat function may have been left without code; true if so. */
bool hd_builder_close_all(hd_builder *b);

/* variables.c: a node was closed before this block, which began at write number `first_write`. */
void hd_vars_popped(hd_builder *b, hd_block *after, uint32_t first_write);
/* The block's predecessors are all there. */
void hd_vars_seal(hd_builder *b, hd_block *block);
/* Seal the rest, collapse, forget the variables. */
void hd_vars_complete(hd_builder *b);
/* The undef of this size. Unwinds. */
hd_def *hd_vars_undef(hd_builder *b, unsigned num_components, unsigned bit_size);

/* collapse.c: remove those phis of variables that merge one value, and those that nothing reads.
 * Unwinds; scratch memory is the caller's to release.
 */
void hd_collapse_phis(hd_builder *b);

#endif
