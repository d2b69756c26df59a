/* SPDX-License-Identifier: MIT */
/* ir.h - the data: shader, functions, the tree, blocks, instructions, values.
 *
 *    hd_shader
 *      hd_function  (the first is the entry)
 *        body: hd_cf_list = block, node, block, node, ..., block
 *          hd_block: phis, instructions, at most one jump and only at the end
 *          hd_if:    condition, then_list, else_list
 *          hd_loop:  body, continue_list
 *        end block: where `return` and `halt` go; holds nothing
 *
 * The same blocks form a graph: each block knows its successors and predecessors. A structured
 * function's edges follow from the tree; a flat function has blocks only, and its edges are what
 * the jumps at their ends name. Tree, graph and use lists are kept in step by the calls in edit.h
 * and build.h. The fields here are for reading; write only those that are marked free.
 *
 * doc/invariants.md lists every rule by number; hd_validate (check.h) checks them all.
 */
#ifndef HEDDLE_IR_H
#define HEDDLE_IR_H

#include "heddle/value.h"

HD_BEGIN_DECLS

typedef struct hd_shader hd_shader;
typedef struct hd_function hd_function;
typedef struct hd_cf_node hd_cf_node;
typedef struct hd_cf_list hd_cf_list;
typedef struct hd_block hd_block;
typedef struct hd_if hd_if;
typedef struct hd_loop hd_loop;
typedef struct hd_instr hd_instr;
typedef struct hd_def hd_def;
typedef struct hd_src hd_src;
typedef struct hd_var hd_var;

#define HD_MAX_COMPONENTS 16

/* The length of an array at the end of a struct that is as long as it is allocated. */
#ifdef __cplusplus
#define HD_TAIL 1
#else
#define HD_TAIL
#endif

/* Values and uses
 *
 * A definition is embedded in the instruction that makes it; a source is embedded in the
 * instruction (or the if) that reads it. All sources that read one definition form a doubly linked
 * list that starts at def->uses. Where the reader sits is packed into the low bits of the links, so
 * follow a use list only with hd_foreach_use, and write a source only with hd_src_set_def.
 */
struct hd_def {
   hd_src *uses;           /* the newest use, or NULL */
   uint32_t index;         /* unique in the function, below hd_function.num_defs */
   uint8_t num_components; /* 1..16; 0 where the instruction has no result */
   uint8_t bit_size;       /* 1, 8, 16, 32, 64; 0 where the instruction has no result */
   uint8_t flags;          /* hd_def_flags */
   uint8_t mark;           /* borrowed: see hd_function_borrow_marks */
};

typedef enum hd_def_flags {
   HD_DEF_NAMED = 1u << 1, /* the shader's name table has an entry */
} hd_def_flags;

struct hd_src {
   HD_ALIGNED(8) hd_def *def;
   uintptr_t next_link; /* the next use of def; low bits: see hd_src_slot */
   uintptr_t prev_link; /* the previous use, or nothing for the first */
};

/* A source of a phi or a call: these may be many, and phis grow, so they live apart from their
 * instruction and name it.
 */
typedef struct hd_wide_src {
   hd_src src;
   hd_instr *instr;
} hd_wide_src;

/* Where a source sits, from its links: its index in the instruction's own sources, or one of: */
#define HD_SLOT_IF   62u /* the condition of an if */
#define HD_SLOT_WIDE 63u /* an hd_wide_src */

static inline unsigned
hd_src_slot(const hd_src *src)
{
   return (unsigned)((src->next_link & 7) << 3 | (src->prev_link & 7));
}

static inline hd_src *
hd_src_next_use(const hd_src *src)
{
   return (hd_src *)(src->next_link & ~(uintptr_t)7);
}

static inline hd_src *
hd_src_prev_use(const hd_src *src)
{
   return (hd_src *)(src->prev_link & ~(uintptr_t)7);
}

/* Instructions */

typedef enum hd_instr_kind {
   HD_INSTR_ALU,       /* hd_alu: op is an hd_op */
   HD_INSTR_CONST,     /* hd_const */
   HD_INSTR_UNDEF,     /* hd_instr: an unknown value, the same at all its uses and in all lanes */
   HD_INSTR_PHI,       /* hd_phi: the value that came by the edge taken */
   HD_INSTR_INTRINSIC, /* hd_intrinsic: op is an hd_intrinsic_id */
   HD_INSTR_CALL,      /* hd_call */
   HD_INSTR_JUMP,      /* hd_jump: op is an hd_jump_kind */
   HD_INSTR_PARAM,     /* hd_param: a parameter of the function, first in its start block */
   HD_INSTR_LOAD_VAR,  /* hd_var_access: read a local variable */
   HD_INSTR_STORE_VAR, /* hd_var_access: write one */
   HD_NUM_INSTR_KINDS,
} hd_instr_kind;

/* hd_instr.flags. Which apply to which kind is rule OP6. */
typedef enum hd_instr_flags {
   /* alu: what may be assumed of, or must not be done to, float arithmetic */
   HD_FP_EXACT = 1u << 0,          /* no contraction, reassociation or other inexact rewriting */
   HD_FP_NO_NAN = 1u << 1,         /* operands and result are not NaN, or the result is undef */
   HD_FP_NO_INF = 1u << 2,         /* ... not infinite ... */
   HD_FP_NO_SIGNED_ZERO = 1u << 3, /* the sign of a zero result does not matter */
   /* intrinsic */
   HD_ASSUME_UNIFORM = 1u << 4, /* the operands that must be uniform are promised to be */
} hd_instr_flags;

/* hd_instr.num_srcs of a phi or a call, whose sources are counted apart. */
#define HD_NUM_SRCS_WIDE 255u

struct hd_instr {
   hd_instr *prev, *next; /* in the block; NULL at its ends */
   hd_block *block;       /* NULL while not inserted */
   uint8_t kind;          /* hd_instr_kind */
   uint8_t num_srcs;      /* of the sources that follow the hd_instr, or HD_NUM_SRCS_WIDE */
   uint16_t op;           /* hd_op, hd_intrinsic_id or hd_jump_kind, by kind */
   uint32_t loc : 24;     /* into the shader's locations; 0 is unknown */
   uint32_t flags : 8;    /* hd_instr_flags; free */
   hd_def def;            /* the result; bit_size 0 when there is none */
};

/* The narrow sources of an instruction always follow its hd_instr directly: that is how a source
 * finds its instruction.
 */
typedef struct hd_alu {
   hd_instr instr;
   hd_src src[HD_TAIL];
} hd_alu;

typedef struct hd_const {
   hd_instr instr;
   hd_const_value value[HD_TAIL]; /* one a component */
} hd_const;

typedef struct hd_phi {
   hd_instr instr;
   hd_wide_src *srcs; /* srcs[i] comes by the edge from block->preds[i] */
   uint32_t num_srcs; /* as many as the block has predecessors */
   uint32_t capacity;
} hd_phi;

/* An intrinsic's sources are followed by its constant indices: hd_intrinsic_indices(). */
typedef struct hd_intrinsic {
   hd_instr instr;
   hd_src src[HD_TAIL];
} hd_intrinsic;

typedef struct hd_call {
   hd_instr instr;
   hd_function *callee;
   hd_wide_src *args;
   uint32_t num_args;
} hd_call;

typedef enum hd_jump_kind {
   HD_JUMP_BREAK,    /* tree: leave the innermost loop */
   HD_JUMP_CONTINUE, /* tree: to the continue list of the innermost loop */
   HD_JUMP_RETURN,   /* both: to the end block, with the function's value if it has one */
   HD_JUMP_HALT,     /* both: the lane ends, in the callers too */
   HD_JUMP_GOTO,     /* flat: succs[0] */
   HD_JUMP_GOTO_IF,  /* flat: succs[0] where the condition is true, else succs[1] */
   HD_JUMP_SWITCH,   /* flat: the successor of the case that is equal, else succs[0] */
   HD_NUM_JUMP_KINDS,
} hd_jump_kind;

typedef struct hd_switch_case {
   uint64_t value; /* upper bits zero; no two cases of a switch are equal */
   uint32_t succ;  /* index of the target among the block's successors */
} hd_switch_case;

/* Targets are the successors of the block. A switch's successors are the default's target, then
 * those of the cases in the order in which they first appear, each once.
 */
typedef struct hd_jump {
   hd_instr instr;
   hd_src src[1]; /* goto_if: condition; switch: selector; return: value, if instr.num_srcs is 1 */
   hd_switch_case *cases;
   uint32_t num_cases;
} hd_jump;

typedef struct hd_param {
   hd_instr instr;
   uint32_t param_index; /* parameters come in order at the head of the start block */
} hd_param;

/* load_var: [index]; store_var: value, [index]. An index is there when the variable is an array. */
typedef struct hd_var_access {
   hd_instr instr;
   hd_src src[2];
   hd_var *var;
} hd_var_access;

/* Control flow */

typedef enum hd_cf_kind { HD_CF_BLOCK, HD_CF_IF, HD_CF_LOOP } hd_cf_kind;

struct hd_cf_node {
   HD_ALIGNED(8) hd_cf_node *prev; /* siblings in the list; NULL at its ends */
   hd_cf_node *next;
   hd_cf_list *list;    /* the list this node is in */
   uint32_t index;      /* of a block: unique in the function, below num_blocks; else 0 */
   uint32_t loc : 24;   /* into the shader's locations; 0 is unknown */
   uint32_t kind : 2;   /* hd_cf_kind */
   uint32_t named : 1;  /* the shader's name table has an entry */
   uint32_t header : 1; /* flat block: declared to be a header ("b3 header:"); free */
   uint32_t mark : 4;   /* borrowed: see hd_function_borrow_marks */
};

struct hd_cf_list {
   hd_cf_node *first, *last; /* always blocks; never NULL in a list that is part of a function */
   hd_cf_node *parent;       /* the hd_if or hd_loop whose list this is; NULL for a body, or code
                                that is extracted */
   hd_function *function;
};

/* An edge out of a block, and one into it. Each knows the other's place, so that an edge is
 * redirected or removed in constant time and a phi's source is found without search:
 *
 *    from->succs[pred->succ].to == to           to->preds[edge->pred].from == from
 */
typedef struct hd_edge {
   hd_block *to;
   uint32_t pred;
} hd_edge;

typedef struct hd_pred {
   hd_block *from;
   uint32_t succ;
} hd_pred;

/* What is asked for of a loop; hd_block.unroll of its header. A hint: nothing depends on it, and a pass
 * that makes another block the header may lose it.
 */
typedef enum hd_unroll {
   HD_UNROLL_AUTO,   /* as it pays */
   HD_UNROLL_ALWAYS, /* "b3 unroll:": fully, if it ends after a known number of iterations */
   HD_UNROLL_NEVER,  /* "b3 rolled:" */
} hd_unroll;

struct hd_block {
   hd_cf_node node;
   hd_instr *first, *last; /* NULL when empty */
   hd_edge *succs;         /* succ_store, or an array of its own when there are more than two */
   hd_pred *preds;         /* pred_store, or an array of its own */
   uint32_t num_succs;
   uint32_t num_preds;
   uint32_t succ_capacity;
   uint32_t pred_capacity;
   hd_edge succ_store[2];
   hd_pred pred_store[2];
   hd_block *loop_header; /* flat: declared a member of the cycle of this header, or NULL; free */
   hd_block *continues;   /* flat: the continue block of the cycle of this header, or NULL; free */
   uint8_t unroll;        /* hd_unroll, of the loop whose header it is; free */
};

struct hd_if {
   hd_cf_node node;
   hd_src cond; /* 1 x 1 */
   hd_cf_list then_list, else_list;
};

struct hd_loop {
   hd_cf_node node;
   hd_cf_list body, continue_list;
};

struct hd_var {
   hd_var *prev, *next;
   const char *name; /* never NULL; unique in the function */
   uint32_t index;
   uint32_t array_length; /* 0: not an array, its accesses have no index */
   uint8_t num_components;
   uint8_t bit_size;
};

struct hd_function {
   hd_function *prev, *next; /* in the shader */
   hd_shader *shader;
   const char *name; /* unique in the shader */
   bool structured;
   uint8_t result_components; /* 0: returns nothing */
   uint8_t result_bits;
   uint8_t marks_borrowed; /* see hd_function_borrow_marks */
   uint32_t num_params;
   uint32_t num_defs;   /* indices given out so far: the size of an array indexed by def->index */
   uint32_t num_blocks; /* the same for block->node.index */
   uint32_t num_vars;
   uint32_t num_extracted; /* ranges that were extracted and not yet reinserted or deleted */
   hd_cf_list body;        /* a flat function's blocks are its body, the start block first */
   hd_block end; /* the end block; in no list. Its index is only unique once it was read or
                    reindexed */
   hd_var *first_var, *last_var;
   uint32_t meta_valid;  /* HD_META_* bits that hold; see analysis.h */
   struct hd_meta *meta; /* what the analyses computed; NULL before the first */
};

typedef enum hd_stage {
   HD_STAGE_COMPUTE,
   HD_STAGE_KERNEL,
   HD_STAGE_VERTEX,
   HD_STAGE_FRAGMENT,
   HD_NUM_STAGES,
} hd_stage;

typedef struct hd_location {
   const char *file; /* NULL only in location 0, which is "unknown" */
   uint32_t line;
   uint32_t column;
} hd_location;

struct hd_shader {
   const char *name; /* "" if it has none */
   hd_stage stage;
   uint32_t workgroup_size[3]; /* compute and kernel; 0 where the launch decides; free */
   uint32_t subgroup_size;     /* lanes a wave must have; 0: any; free */
   uint32_t float_controls;    /* hd_float_controls; free */
   uint32_t shared_size;       /* bytes of workgroup memory; free */
   uint32_t scratch_size;      /* bytes of memory of each lane; free */
   uint32_t push_size;         /* bytes of push constants; free */
   uint32_t kernarg_size;      /* bytes of kernel arguments; free */
   uint32_t constants_size;    /* bytes of constant data */
   const uint8_t *constants;   /* what load_constant reads, from address 0 on */
   uint32_t lowered;           /* hd_lowered (ops.h): what lowerings removed for good; free */
   uint32_t num_functions;
   hd_function *first_function, *last_function;
   uint32_t num_locations; /* including location 0 */
   const hd_location *locations;
   struct hd_memory *memory; /* the arenas, names, locations: private to the library */
};

/* Shaders and functions */

/* An empty shader. Returns NULL when memory runs out, or when the intrinsics of `config` are wrong
 * (intrinsic.h; a diagnostic went to its sink). `config` may be NULL.
 */
HD_API hd_shader *hd_shader_create(const hd_config *config, hd_stage stage, const char *name);

/* Free everything that belongs to the shader. Allowed in any state, also after a failed call. NULL
 * is allowed.
 */
HD_API void hd_shader_destroy(hd_shader *shader);

HD_API const hd_config *hd_shader_config(const hd_shader *shader);

typedef struct hd_memory_stats {
   size_t live;     /* bytes in objects of the shader */
   size_t reserved; /* bytes held from the allocator */
   size_t peak;     /* the most that was ever reserved */
} hd_memory_stats;

HD_API hd_memory_stats hd_shader_memory(const hd_shader *shader);

/* HD_OK, or the first failure of a call on this shader that could not get memory or ran out of its
 * budget. Such a call did nothing, so the shader is still valid, unless that call was a pass: its
 * shader can only be destroyed.
 */
HD_API hd_result hd_shader_status(const hd_shader *shader);
HD_API void hd_shader_clear_status(hd_shader *shader);

/* Constant data
 *
 * Bytes that every lane can read and nothing writes: tables. They begin at address 0, which is a
 * multiple of HD_CONSTANTS_ALIGN wherever a backend puts it. What was added stays where it is.
 */
#define HD_CONSTANTS_ALIGN 64u
#define HD_MAX_CONSTANTS   (UINT32_C(1) << 26)

/* Add bytes after what is there, at a multiple of `align` (a power of two, at most
 * HD_CONSTANTS_ALIGN), zeros before it; its address. Returns UINT32_MAX and sets the status when
 * memory runs out or it would be more than HD_MAX_CONSTANTS bytes (HD_UNSUPPORTED).
 */
HD_API uint32_t hd_shader_add_constants(hd_shader *shader, const void *bytes, uint32_t size,
                                        uint32_t align);

/* A function with an empty start block, after the others. Returns NULL (and sets the status) when
 * memory runs out. The name must not be taken: it is the caller's error if it is.
 */
HD_API hd_function *hd_function_create(hd_shader *shader, const char *name, bool structured);

/* Remove a function that nothing calls. */
HD_API void hd_function_remove(hd_function *function);

HD_API hd_function *hd_shader_find_function(const hd_shader *shader, const char *name);

/* Append a parameter; its value. To be called while the start block holds nothing but parameters or
 * later: it is placed after the last parameter. The callers must be changed by the caller.
 */
HD_API hd_def *hd_function_add_param(hd_function *f, unsigned num_components, unsigned bit_size);

/* What `return` carries; 0, 0 for nothing. */
HD_API void hd_function_set_result(hd_function *f, unsigned num_components, unsigned bit_size);

/* A local variable. A name that is taken gets a number appended; NULL is "v". */
HD_API hd_var *hd_var_create(hd_function *f, const char *name, unsigned num_components,
                             unsigned bit_size, uint32_t array_length);
/* Remove a variable that nothing accesses. */
HD_API void hd_var_remove(hd_function *f, hd_var *var);

/* Give the values and blocks of a function the indices 0, 1, ... in the order of the tree (of the
 * list, in a flat function), so that num_defs and num_blocks are their exact counts.
 */
HD_API void hd_function_reindex(hd_function *f);

/* Names and locations
 *
 * Names of values and blocks are for readers: they survive text and binary form and change nothing.
 * A name is any bytes without NUL; setting NULL removes it. Setting returns false (and sets the
 * status) when memory runs out.
 */
HD_API bool hd_def_set_name(hd_function *f, hd_def *def, const char *name);
HD_API bool hd_block_set_name(hd_function *f, hd_block *block, const char *name);
HD_API const char *hd_def_name(const hd_function *f, const hd_def *def);
HD_API const char *hd_block_name(const hd_function *f, const hd_block *block);

/* The number of a location, made if it is new; 0 when memory runs out or when 2^24 are in use. */
HD_API uint32_t hd_shader_location(hd_shader *shader, const char *file, uint32_t line,
                                   uint32_t column);

/* Copy a string into the shader, once: equal strings give the same pointer. */
HD_API const char *hd_shader_intern(hd_shader *shader, const char *string, size_t length);

/* Marks
 *
 * hd_def.mark and hd_cf_node.mark are scratch fields for one user at a time. Borrowing asserts that
 * nobody else has them and sets them all to 0, walking the function once. Who needs only those of
 * nodes borrows these alone, which looks at no instruction; what is in hd_def.mark is anything
 * then.
 */
HD_API void hd_function_borrow_marks(hd_function *f);
HD_API void hd_function_borrow_node_marks(hd_function *f);
HD_API void hd_function_release_marks(hd_function *f);

/* From the inside out */

/* The helpers below take pointers to const and give what may be changed, if the caller may. */
#define HD_MUTABLE(type, ptr) ((type *)(uintptr_t)(ptr))
#define HD_CONTAINER_OF(ptr, type, field)                                                          \
   ((type *)(void *)(HD_MUTABLE(char, ptr) - offsetof(type, field)))

static inline hd_instr *
hd_def_instr(const hd_def *def)
{
   return HD_CONTAINER_OF(def, hd_instr, def);
}

/* The if whose condition this source is, or NULL. */
static inline hd_if *
hd_src_if(const hd_src *src)
{
   return hd_src_slot(src) == HD_SLOT_IF ? HD_CONTAINER_OF(src, hd_if, cond) : NULL;
}

/* The instruction that reads this source, or NULL for the condition of an if. */
static inline hd_instr *
hd_src_instr(const hd_src *src)
{
   unsigned slot = hd_src_slot(src);

   if (slot == HD_SLOT_WIDE)
      return ((const hd_wide_src *)src)->instr;
   if (slot == HD_SLOT_IF)
      return NULL;
   return (hd_instr *)(void *)(HD_MUTABLE(char, src - slot) - sizeof(hd_instr));
}

static inline hd_block *
hd_node_as_block(const hd_cf_node *node)
{
   return node && node->kind == HD_CF_BLOCK ? HD_CONTAINER_OF(node, hd_block, node) : NULL;
}

static inline hd_if *
hd_node_as_if(const hd_cf_node *node)
{
   return node && node->kind == HD_CF_IF ? HD_CONTAINER_OF(node, hd_if, node) : NULL;
}

static inline hd_loop *
hd_node_as_loop(const hd_cf_node *node)
{
   return node && node->kind == HD_CF_LOOP ? HD_CONTAINER_OF(node, hd_loop, node) : NULL;
}

/* The instruction as what it is, or NULL when it (or NULL) is something else. */
static inline hd_alu *
hd_instr_as_alu(const hd_instr *i)
{
   return i && i->kind == HD_INSTR_ALU ? HD_MUTABLE(hd_alu, i) : NULL;
}

static inline hd_const *
hd_instr_as_const(const hd_instr *i)
{
   return i && i->kind == HD_INSTR_CONST ? HD_MUTABLE(hd_const, i) : NULL;
}

static inline hd_phi *
hd_instr_as_phi(const hd_instr *i)
{
   return i && i->kind == HD_INSTR_PHI ? HD_MUTABLE(hd_phi, i) : NULL;
}

static inline hd_intrinsic *
hd_instr_as_intrinsic(const hd_instr *i)
{
   return i && i->kind == HD_INSTR_INTRINSIC ? HD_MUTABLE(hd_intrinsic, i) : NULL;
}

static inline hd_call *
hd_instr_as_call(const hd_instr *i)
{
   return i && i->kind == HD_INSTR_CALL ? HD_MUTABLE(hd_call, i) : NULL;
}

static inline hd_jump *
hd_instr_as_jump(const hd_instr *i)
{
   return i && i->kind == HD_INSTR_JUMP ? HD_MUTABLE(hd_jump, i) : NULL;
}

static inline hd_param *
hd_instr_as_param(const hd_instr *i)
{
   return i && i->kind == HD_INSTR_PARAM ? HD_MUTABLE(hd_param, i) : NULL;
}

static inline hd_var_access *
hd_instr_as_var_access(const hd_instr *i)
{
   return i && (i->kind == HD_INSTR_LOAD_VAR || i->kind == HD_INSTR_STORE_VAR)
              ? HD_MUTABLE(hd_var_access, i)
              : NULL;
}

static inline hd_const *
hd_src_as_const(const hd_src *src)
{
   return hd_instr_as_const(hd_def_instr(src->def));
}

/* The generic view of any instruction: its operands and its result */

static inline unsigned
hd_instr_num_srcs(const hd_instr *i)
{
   if (i->num_srcs != HD_NUM_SRCS_WIDE)
      return i->num_srcs;
   return i->kind == HD_INSTR_PHI ? ((const hd_phi *)i)->num_srcs : ((const hd_call *)i)->num_args;
}

static inline hd_src *
hd_instr_src(const hd_instr *i, unsigned n)
{
   if (i->num_srcs != HD_NUM_SRCS_WIDE)
      return HD_MUTABLE(hd_src, i + 1) + n;
   if (i->kind == HD_INSTR_PHI)
      return &((const hd_phi *)i)->srcs[n].src;
   return &((const hd_call *)i)->args[n].src;
}

/* Its first operand, and the one after `src`; NULL after the last. */
static inline hd_src *
hd_instr_first_src(const hd_instr *i)
{
   return hd_instr_num_srcs(i) ? hd_instr_src(i, 0) : NULL;
}

static inline hd_src *
hd_instr_next_src(const hd_instr *i, const hd_src *src)
{
   if (i->num_srcs != HD_NUM_SRCS_WIDE) {
      const hd_src *end = (const hd_src *)(i + 1) + i->num_srcs;
      return src + 1 < end ? HD_MUTABLE(hd_src, src + 1) : NULL;
   }
   const hd_wide_src *next = (const hd_wide_src *)src + 1;
   const hd_wide_src *end = (const hd_wide_src *)hd_instr_src(i, 0) + hd_instr_num_srcs(i);
   return next < end ? HD_MUTABLE(hd_src, &next->src) : NULL;
}

/* The result, or NULL. */
static inline hd_def *
hd_instr_def(const hd_instr *i)
{
   return i->def.bit_size ? HD_MUTABLE(hd_def, &i->def) : NULL;
}

static inline uint32_t *
hd_intrinsic_indices(const hd_intrinsic *i)
{
   return HD_MUTABLE(uint32_t, i->src + i->instr.num_srcs);
}

/* The row of an intrinsic (ops.h), the library's or one of the driver's own (intrinsic.h): by its
 * number in a shader, and of an instruction. Never NULL; that of HD_INTRINSIC_NONE for what is none,
 * and for one of the driver's own in an instruction that is not inserted.
 */
struct hd_intrinsic_info;
HD_API const struct hd_intrinsic_info *hd_shader_intrinsic_info(const hd_shader *shader,
                                                                unsigned id);
HD_API const struct hd_intrinsic_info *hd_instr_intrinsic_info(const hd_instr *instr);
/* An index of an intrinsic by its name, an hd_index (ops.h): HD_INDEX_OFFSET of a load. 0 where it
 * has none.
 */
HD_API uint32_t hd_intrinsic_index(const hd_intrinsic *i, unsigned index);

/* The constructs that an instruction of a valid shader is, of those that lowerings can remove:
 * hd_lowered (ops.h), or-ed. What is in hd_shader.lowered must not be among them.
 */
HD_API uint32_t hd_instr_constructs(const hd_instr *i);

/* Around a block */

static inline hd_function *
hd_block_function(const hd_block *b)
{
   return b->node.list ? b->node.list->function : HD_CONTAINER_OF(b, hd_function, end);
}

static inline bool
hd_block_is_end(const hd_block *b)
{
   return !b->node.list;
}

/* The jump that ends the block, or NULL. */
static inline hd_jump *
hd_block_jump(const hd_block *b)
{
   return hd_instr_as_jump(b->last);
}

/* The first instruction that is neither a phi nor a parameter, or NULL. Linear in their number. */
HD_API hd_instr *hd_block_first_non_phi(const hd_block *block);

static inline hd_block *
hd_list_first_block(const hd_cf_list *list)
{
   return HD_CONTAINER_OF(list->first, hd_block, node);
}

static inline hd_block *
hd_list_last_block(const hd_cf_list *list)
{
   return HD_CONTAINER_OF(list->last, hd_block, node);
}

static inline hd_block *
hd_function_start(const hd_function *f)
{
   return hd_list_first_block(&f->body);
}

/* The blocks before and after an if or a loop: a list alternates, so they exist. */
static inline hd_block *
hd_node_prev_block(const hd_cf_node *node)
{
   return HD_CONTAINER_OF(node->prev, hd_block, node);
}

static inline hd_block *
hd_node_next_block(const hd_cf_node *node)
{
   return HD_CONTAINER_OF(node->next, hd_block, node);
}

static inline hd_block *
hd_loop_header(const hd_loop *loop)
{
   return hd_list_first_block(&loop->body);
}

/* The head of the continue list, where all that continue wait. */
static inline hd_block *
hd_loop_continue(const hd_loop *loop)
{
   return hd_list_first_block(&loop->continue_list);
}

/* The block with the edge back to the header. */
static inline hd_block *
hd_loop_latch(const hd_loop *loop)
{
   return hd_list_last_block(&loop->continue_list);
}

/* The if after this block, or NULL. */
static inline hd_if *
hd_block_next_if(const hd_block *b)
{
   return hd_node_as_if(b->node.next);
}

static inline hd_loop *
hd_block_next_loop(const hd_block *b)
{
   return hd_node_as_loop(b->node.next);
}

/* The innermost loop around a node, or NULL: linear in the depth. */
HD_API hd_loop *hd_node_loop(const hd_cf_node *node);

/* The phi's source for the edge from this predecessor; NULL when it is none. Constant time for a
 * predecessor with one successor or two.
 */
HD_API hd_src *hd_phi_src_from(const hd_phi *phi, const hd_block *pred);

/* Walks
 *
 * The tree is walked along its links, without recursion and without memory: a nest of any depth is
 * safe. "Next" visits a node before its lists, then-list before else-list, body before continue
 * list; that is the order of the text form.
 */

/* The next node in the order of the text; NULL at the end. `node` may be NULL for none. */
HD_API hd_cf_node *hd_cf_node_next(const hd_cf_node *node);
/* The one before. */
HD_API hd_cf_node *hd_cf_node_prev(const hd_cf_node *node);
/* The next node after this one and everything inside it. */
HD_API hd_cf_node *hd_cf_node_next_outside(const hd_cf_node *node);
/* The next and previous block in the order of the text; NULL at the end. */
HD_API hd_block *hd_block_next(const hd_block *block);
HD_API hd_block *hd_block_prev(const hd_block *block);
/* The if or loop around a node, or NULL. */
static inline hd_cf_node *
hd_cf_node_parent(const hd_cf_node *node)
{
   return node->list ? node->list->parent : NULL;
}

/* Inner nodes before the ones around them, for passes that remove what they visit. The first such
 * node of the function, and the one after a node; NULL at the end.
 */
HD_API hd_cf_node *hd_first_inner(const hd_function *f);
HD_API hd_cf_node *hd_next_inner(const hd_cf_node *node);

#define hd_foreach_function(f, shader)                                                             \
   for (hd_function *f = (shader)->first_function; f; f = f->next)

#define hd_foreach_block(b, f) for (hd_block *b = hd_function_start(f); b; b = hd_block_next(b))

/* `b` may be removed by the body, but not the block after it. */
#define hd_foreach_block_safe(b, f)                                                                \
   for (hd_block *b = hd_function_start(f), *b##_next = hd_block_next(b); b;                       \
        b = b##_next, b##_next = b ? hd_block_next(b) : NULL)

#define hd_foreach_block_rev(b, f)                                                                 \
   for (hd_block *b = hd_list_last_block(&(f)->body); b; b = hd_block_prev(b))

/* Every block, if and loop, in the order of the text. */
#define hd_foreach_node(n, f) for (hd_cf_node *n = (f)->body.first; n; n = hd_cf_node_next(n))

/* Every node of one list, without what is inside them. */
#define hd_foreach_node_in_list(n, list) for (hd_cf_node *n = (list)->first; n; n = n->next)

/* Every if / loop, inner ones first; the one visited may be removed. */
#define hd_foreach_inner_first_safe(n, f)                                                          \
   for (hd_cf_node *n = hd_first_inner(f), *n##_next = n ? hd_next_inner(n) : NULL; n;             \
        n = n##_next, n##_next = n ? hd_next_inner(n) : NULL)

#define hd_foreach_instr(i, b) for (hd_instr *i = (b)->first; i; i = i->next)

#define hd_foreach_instr_rev(i, b) for (hd_instr *i = (b)->last; i; i = i->prev)

/* `i` may be removed by the body, but not the one after it. */
#define hd_foreach_instr_safe(i, b)                                                                \
   for (hd_instr *i = (b)->first, *i##_next = i ? i->next : NULL; i;                               \
        i = i##_next, i##_next = i ? i->next : NULL)

#define hd_foreach_instr_rev_safe(i, b)                                                            \
   for (hd_instr *i = (b)->last, *i##_prev = i ? i->prev : NULL; i;                                \
        i = i##_prev, i##_prev = i ? i->prev : NULL)

#define hd_foreach_phi(p, b)                                                                       \
   for (hd_phi *p = hd_instr_as_phi((b)->first); p; p = hd_instr_as_phi(p->instr.next))

#define hd_foreach_phi_safe(p, b)                                                                  \
   for (hd_phi *p = hd_instr_as_phi((b)->first),                                                   \
               *p##_next = p ? hd_instr_as_phi(p->instr.next) : NULL;                              \
        p; p = p##_next, p##_next = p ? hd_instr_as_phi(p->instr.next) : NULL)

/* Every operand of an instruction. */
#define hd_foreach_src(s, i) for (hd_src *s = hd_instr_first_src(i); s; s = hd_instr_next_src(i, s))

#define hd_foreach_use(s, d) for (hd_src *s = (d)->uses; s; s = hd_src_next_use(s))

/* `s` may be rewritten or removed by the body, but not the use after it. */
#define hd_foreach_use_safe(s, d)                                                                  \
   for (hd_src *s = (d)->uses, *s##_next = s ? hd_src_next_use(s) : NULL; s;                       \
        s = s##_next, s##_next = s ? hd_src_next_use(s) : NULL)

#define hd_foreach_var(v, f) for (hd_var *v = (f)->first_var; v; v = v->next)

HD_END_DECLS

#endif
