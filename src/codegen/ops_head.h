/* SPDX-License-Identifier: MIT */
#ifndef HEDDLE_OPS_H
#define HEDDLE_OPS_H

#include "heddle/value.h"

HD_BEGIN_DECLS

/* An instruction's op is its row's number: HD_OP_NONE and HD_INTRINSIC_NONE name none. The comment
 * at an op is its signature: kind:bits of the operands and the result, u unsigned, i signed,
 * f float, b boolean, x any bits; equal letters are equal sizes. Operands and result have equally
 * many components, n, where no [count] says otherwise. doc/ops.md has the whole reference.
 */
@OPS

@INTRINSICS

@LIMITS

/* Operands and results
 *
 * What a table says of one operand or result of an op or intrinsic.
 */
@KINDS

typedef enum hd_operand_flags {
   /* must have one value in all lanes: proven, or promised by HD_ASSUME_UNIFORM */
   HD_OPERAND_UNIFORM = 1u << 0,
   /* the same, unless the access index says HD_ACCESS_NONUNIFORM */
   HD_OPERAND_DESCRIPTOR = 1u << 1,
   /* an address or a lane: that it is undefined is an error of the program */
   HD_OPERAND_DEFINED = 1u << 2,
} hd_operand_flags;

typedef struct hd_type_info {
   const char *name;       /* "x", "address": for documentation and messages */
   uint8_t kind;           /* hd_value_kind: how the bits are read */
   uint8_t sizes;          /* the sizes allowed, or-ed: 1 | 8 | 16 | 32 | 64 */
   char size_variable;     /* 'N': as large as all others with this letter; 0: free of the others */
   uint8_t min_components; /* 1..16 */
   uint8_t max_components;
   bool linked;   /* [n]: as many components as all others that are linked */
   uint8_t flags; /* hd_operand_flags; ops have none */
} hd_type_info;

/* A value's size, in the terms that ops check. */
typedef struct hd_shape {
   uint8_t num_components, bit_size;
} hd_shape;

typedef enum hd_shape_fault {
   HD_SHAPE_FITS,
   HD_SHAPE_NO_SUCH_OP,
   HD_SHAPE_NUM_SRCS,        /* the op has another number of operands */
   HD_SHAPE_BITS,            /* the op does not allow this size here */
   HD_SHAPE_BITS_DIFFER,     /* the size is not that of the operands before */
   HD_SHAPE_COMPONENTS,      /* the op does not allow so many components here */
   HD_SHAPE_COMPONENTS_DIFFER, /* not as many components as the operands before */
   HD_SHAPE_RESULT_OPEN,     /* the operands leave the size of the result open, and none was given */
} hd_shape_fault;

/* Where a fault is: the number of an operand, or: */
#define HD_SHAPE_AT_RESULT 255u

/* "has a size that the op does not allow", ...: a static string, to follow "operand 1". */
HD_API const char *hd_shape_fault_text(hd_shape_fault fault);

/* Ops */

typedef enum hd_op_flags {
   HD_OP_COMMUTATIVE = 1u << 0,         /* the first two operands may be swapped */
   HD_OP_ASSOCIATIVE = 1u << 1,         /* op(op(x, y), z) = op(x, op(y, z)), always */
   HD_OP_ASSOCIATIVE_INEXACT = 1u << 2, /* ... but for rounding: not with HD_FP_EXACT */
   HD_OP_IDEMPOTENT = 1u << 3,          /* op(op(x)) = op(x) */
   HD_OP_SELF_INVERSE = 1u << 4,        /* op(op(x)) = x */
   HD_OP_COMPARE = 1u << 5,             /* the result is a boolean, the answer to a question */
   HD_OP_INVERSE_SWAPS = 1u << 6,       /* the inverse takes its operands swapped */
   HD_OP_FLOAT = 1u << 7,               /* reads or makes floats: the HD_FP flags have a meaning */
   HD_OP_ROUNDS = 1u << 8,              /* rounds: HD_FP_EXACT forbids to rewrite it inexactly */
   HD_OP_FLUSHES = 1u << 9,             /* obeys HD_FLOAT_FLUSH of the sizes of its floats */
   HD_OP_COMPONENTWISE = 1u << 10,      /* does the same on each component, on its own */
   HD_OP_SIZED = 1u << 11,              /* the instruction chooses the size of the result */
   HD_OP_VARIADIC = 1u << 12,           /* as many operands, all like the first, as the result has
                                           components */
} hd_op_flags;

/* Special operands of the algebraic laws; hd_element_value gives their bits. */
@ELEMENTS

/* What op(x, x) is, where it does not depend on the op's work. */
@SAME

/* How undefinedness spreads. */
typedef enum hd_undef_rule {
   HD_UNDEF_ANY,     /* an undefined component that is read makes the result undefined */
   HD_UNDEF_ABSORBS, /* ... unless the other operand is the absorbing element */
   HD_UNDEF_CHOSEN,  /* only the choice and the operand that is chosen count */
   HD_UNDEF_MOVED,   /* each result component is a copy of one operand */
} hd_undef_rule;

/* Laws of floats hold but for the bits of NaNs, and where denormals are kept. */
typedef struct hd_op_info {
   const char *name;      /* "iadd" */
   const char *signature; /* "u:N, u:N -> u:N" */
   const char *meaning;   /* a sentence */
   const char *edges;     /* what happens at the edges, or "" */
   uint32_t flags;        /* hd_op_flags */
   uint8_t num_srcs;      /* 1 for a variadic op, as its least */
   uint8_t name_length;
   uint8_t identity;       /* hd_element e with op(x, e) = x */
   uint8_t identity_left;  /* op(e, x) = x */
   uint8_t absorbing;      /* op(x, e) = e */
   uint8_t absorbing_left; /* op(e, x) = e */
   uint8_t same;           /* hd_same */
   uint8_t undef;          /* hd_undef_rule */
   uint16_t inverse;       /* hd_op of the compare with the opposite answer, or HD_OP_NONE */
   hd_type_info result;
   hd_type_info src[HD_MAX_OP_SRCS];
} hd_op_info;

/* The row of an op: never NULL; that of HD_OP_NONE, named "", for what is no op. */
HD_API const hd_op_info *hd_op_get_info(hd_op op);

/* The op with this name, or HD_OP_NONE. The name need not end in NUL. */
HD_API hd_op hd_op_from_name(const char *name, size_t length);

/* What operand number i is: every operand of a variadic op is like its first. */
static inline const hd_type_info *
hd_op_src_type(const hd_op_info *info, unsigned i)
{
   return &info->src[info->flags & HD_OP_VARIADIC ? 0 : i];
}

/* The bits of a special operand in this size; 0 for HD_ELEMENT_NONE. */
HD_API uint64_t hd_element_value(hd_element element, unsigned bit_size);

/* Check operands of these sizes, and work out the result's. `bit_size` is what the instruction
 * chooses for an op with HD_OP_SIZED; for others it is 0 or what the result must have. On a fault
 * *where, if not NULL, says where, and *result is not written.
 */
HD_API hd_shape_fault hd_op_infer_shape(hd_op op, unsigned num_srcs, const hd_shape *srcs,
                                        unsigned bit_size, hd_shape *result, unsigned *where);

/* Constant folding
 *
 * A constant operand of hd_fold_op.
 */
typedef struct hd_fold_src {
   const hd_const_value *values; /* one a component */
   hd_shape shape;
} hd_fold_src;

/* What the op makes of constants: `result` gets one value a component of the result, canonical,
 * and must not overlap the operands. `bit_size` is as in hd_op_infer_shape, `float_controls` as in
 * hd_shader. False, and nothing is written, if the operands do not fit the op. The result depends
 * on nothing else: not on the host, its rounding mode or its float unit.
 */
HD_API bool hd_fold_op(hd_op op, unsigned num_srcs, const hd_fold_src *srcs, unsigned bit_size,
                       uint32_t float_controls, hd_const_value *result);

/* Indices */

@INDICES

@ENUMS

typedef enum hd_index_kind {
   HD_INDEX_KIND_UINT,  /* a number */
   HD_INDEX_KIND_INT,   /* a signed number, two's complement in its uint32_t */
   HD_INDEX_KIND_BOOL,  /* 0 or 1 */
   HD_INDEX_KIND_ENUM,  /* one value of `values` */
   HD_INDEX_KIND_FLAGS, /* a union of values: bit i is value i */
} hd_index_kind;

typedef struct hd_enum_value {
   const char *name; /* "umin" */
   const char *meaning;
   hd_op op; /* the ALU op that combines two values, or HD_OP_NONE */
} hd_enum_value;

typedef struct hd_index_info {
   const char *name; /* "align_mul" */
   const char *meaning;
   hd_index_kind kind;
   uint32_t default_value; /* what texts that do not say mean */
   uint32_t num_values;    /* of an enumeration or of flags, else 0 */
   const hd_enum_value *values;
} hd_index_info;

/* NULL for what is no index. */
HD_API const hd_index_info *hd_index_get_info(hd_index index);

/* Whether an index may have this value. */
HD_API bool hd_index_is_valid(hd_index index, uint32_t value);

/* Intrinsics */

typedef enum hd_intrinsic_flags {
   HD_CROSS_LANE = 1u << 0, /* reads other lanes' values: it must keep exactly its lanes */
   HD_EFFECT_WRITE = 1u << 1,   /* effect: writes memory or an output */
   HD_EFFECT_BARRIER = 1u << 2,/* effect: waits, or orders memory */
   HD_EFFECT_DEMOTE = 1u << 3, /* effect: makes lanes helpers */
   /* No effect: may go when its result is unused, unless the access index says volatile. */
   HD_CAN_ELIMINATE = 1u << 4,
   /* May run for more lanes than ask. */
   HD_CAN_SPECULATE = 1u << 5,
   /* ... if the access index says speculatable. */
   HD_CAN_SPECULATE_BY_ACCESS = 1u << 6,
   HD_HAS_RESULT = 1u << 7,
} hd_intrinsic_flags;

/* When all active lanes get the same result. */
typedef enum hd_divergence {
   HD_DIVERGENCE_NONE,      /* there is no result */
   HD_DIVERGENCE_UNIFORM,   /* always */
   HD_DIVERGENCE_DIVERGENT, /* it cannot be told */
   HD_DIVERGENCE_OPERANDS,  /* if all operands are uniform */
   HD_DIVERGENCE_MEMORY,    /* if all operands are and the access is not volatile or coherent */
   HD_DIVERGENCE_CLUSTER,   /* if cluster_size is 0 */
} hd_divergence;

/* What lanes do that are helpers. */
typedef enum hd_helper_rule {
   HD_HELPER_RUN,       /* as the others */
   HD_HELPER_SKIP,      /* nothing; a result is undefined */
   HD_HELPER_UNCOUNTED, /* they get the result, but do not count in it */
   HD_HELPER_NEEDED,    /* the other lanes of the quad read their values */
} hd_helper_rule;

typedef struct hd_intrinsic_info {
   const char *name;
   const char *signature;
   const char *meaning; /* a sentence */
   const char *note;    /* more sentences, or "" */
   uint16_t flags;      /* hd_intrinsic_flags */
   uint16_t reads;      /* hd_memory_class, or-ed */
   uint16_t writes;
   uint8_t divergence; /* hd_divergence */
   uint8_t helpers;    /* hd_helper_rule */
   uint8_t stages;     /* 1u << hd_stage, or-ed */
   uint8_t num_srcs;
   uint8_t num_indices;
   uint8_t name_length;
   uint8_t indices[HD_MAX_INDICES]; /* hd_index of each constant, in order */
   uint8_t slots[HD_NUM_INDICES];   /* by hd_index: 1 + its place in `indices`; 0: it has none */
   hd_type_info result;
   hd_type_info src[HD_MAX_INTRINSIC_SRCS];
} hd_intrinsic_info;

/* The row of an intrinsic: never NULL; that of HD_INTRINSIC_NONE, named "", for what is none. */
HD_API const hd_intrinsic_info *hd_intrinsic_get_info(hd_intrinsic_id id);

/* The intrinsic with this name, or HD_INTRINSIC_NONE. The name need not end in NUL. */
HD_API hd_intrinsic_id hd_intrinsic_from_name(const char *name, size_t length);

/* The index with this name, or HD_NUM_INDICES. */
HD_API hd_index hd_index_from_name(const char *name, size_t length);

/* Check operands of these sizes, and work out the result's; 0 x 0 if the intrinsic has none.
 * `wanted` holds what the instruction chooses where operands leave it open (loads); elsewhere each
 * of its fields is 0 or what the result must have. Faults are as in hd_op_infer_shape.
 */
HD_API hd_shape_fault hd_intrinsic_infer_shape(hd_intrinsic_id id, unsigned num_srcs,
                                               const hd_shape *srcs, hd_shape wanted,
                                               hd_shape *result, unsigned *where);

/* How many components the coordinate of an image of this shape has, layer included: 1 to 4; to
 * sample, a cube takes a direction, else x, y and the face. 0 for what is no shape.
 */
HD_API unsigned hd_image_coord_components(hd_image_dim dim, bool array);

HD_END_DECLS

#endif
