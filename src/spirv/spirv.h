/* SPDX-License-Identifier: MIT */
/* spirv.h - the SPIR-V reader: state and interface of its files.
 *
 *    read.c        the entry points: header, one pass over the words, what is asked for, unwinding
 *    words.c       instructions cut out of the words and checked against the grammar
 *    report.c      diagnostics, which unwind
 *    ids.c         names and decorations of ids
 *    module.c      the preamble before the functions: extended sets, entry points, modes
 *    types.c       types and their layout
 *    constants.c   which constant an id is; constant_parts.c
 *    fold.c        OpSpecConstantOp; constant_read.c reads constants, specialised
 *    roots.c       which variables need an address
 *    places.c      where variables live, by storage class
 *    interface.c   the entry point and its modes
 *    invocation.c  built-in inputs
 *    arguments.c   arguments of kernels
 *    labels.c      the body of a function as labels and edges; dominators.c
 *    function.c    functions to blocks: calls inlined, phis, jumps
 *    construct.c   structured loops (OpLoopMerge) as loop declarations
 *    make_value.c  values; pointer_bits.c: pointers as numbers; leaves.c: values by their leaves
 *    constant_value.c  values of constants
 *    value.c       ids as values, results
 *    variables.c   variables of the module and of functions
 *    composite.c   instructions on composites
 *    alu.c         instructions that are one op
 *    product.c     products of vectors and matrices, dot products
 *    lanes.c       subgroups, quads, derivatives
 *    group.c       workgroups
 *    barrier.c     scopes, semantics, barriers
 *    pointer.c     access chains, casts of pointers
 *    pointer_access.c  accesses through pointers
 *    memory.c      loads, stores, copies
 *    atomic.c      atomics
 *    image.c       images and samplers as descriptors; texels, queries
 *    sample.c      samples and gathers
 *    stage.c       inputs and outputs of vertex and fragment shaders
 *    ext_*.c       sets of extended instructions, ext.c on top; math.c expands math functions
 *
 * Calls go down only, so that no files form a circle: what a constant expression does is translated through
 * spirv.compute.
 *
 * A module is untrusted. words.c checks each instruction against the grammar before all other files:
 * the number of operands is right, ids are below the bound and not 0, strings are terminated,
 * enumerants are known, so that operands can be indexed without checks. The kind of an id is checked at
 * its use: hd_spirv_type, hd_spirv_ssa, ... either return it or do not return: hd_spirv_invalid and
 * hd_spirv_unsupported send a diagnostic and unwind to read.c. So does running out of memory or
 * budget. There is no recursion on the depth of the input.
 *
 * Everything here is allocated on s->stack until the reader returns; the builder allocates the shader.
 */
#ifndef HEDDLE_SPIRV_SPIRV_H
#define HEDDLE_SPIRV_SPIRV_H

#include "heddle/build.h"
#include "heddle/spirv.h"
#include "ir/private.h"
#include "util/ptr_map.h"

/* What is generated from the grammar: SPV_OP_IADD, SPV_DECORATION_BLOCK, ..., and its tables. */
#include "spirv/grammar.h"

struct spirv;
struct spirv_type;
struct spirv_value;
struct spirv_pointer;
struct spirv_roots;
struct spirv_image;
struct texel;

/* One instruction */

struct spirv_instr {
   uint32_t opcode;
   uint32_t word;         /* offset of its first word in the module */
   uint32_t type;         /* result type id, or 0 */
   uint32_t result;       /* result id, or 0 */
   const uint32_t *words; /* its operands without type and result */
   uint32_t num_words;
};

/* Ids
 *
 * Records exist for ids that something defines. They are found through pages of 64 ids, so that a
 * large bound costs half a bit an id.
 */
enum spirv_id_kind {
   ID_NONE,
   ID_STRING,
   ID_EXT_SET,
   ID_GROUP, /* of decorations */
   ID_TYPE,
   ID_CONSTANT, /* undef of the module included */
   ID_VARIABLE, /* of the module */
   ID_FUNCTION,
   ID_LABEL,
   ID_RESULT, /* in a function: parameters and variables included */
};

struct spirv_id {
   uint8_t kind;        /* spirv_id_kind */
   uint32_t word;       /* of the defining instruction */
   uint32_t type;       /* id of the result type, or 0 */
   uint32_t name;       /* offset of the word where the string of OpName begins, or 0 */
   uint32_t decoration; /* the first: index into s->decorations, 0 is none */
   uint32_t home;       /* result: the label, by position in its function, where it was made */
   union {
      uint32_t ext_set; /* spirv_ext_set */
      struct spirv_type *object_type;
      struct spirv_constant *constant;
      struct spirv_variable *variable;
      struct spirv_function *function;
      struct spirv_label *label;
      struct spirv_value *value; /* NULL until the instruction was translated */
   };
};

/* From EXT_NON_SEMANTIC on sets that mean nothing. */
enum spirv_ext_set {
   EXT_UNKNOWN,
   EXT_GLSL,
   EXT_OPENCL,
   EXT_TRINARY,    /* of AMD: ext_amd.c */
   EXT_GCN_SHADER, /* of AMD */
   EXT_BALLOT,     /* of AMD */
   EXT_NON_SEMANTIC,
   EXT_DEBUG_INFO
};

/* A decoration of an id or of one of its members. Those of groups are already distributed. */
struct spirv_decoration {
   uint32_t next;       /* of the same id; 0 is none */
   int32_t member;      /* -1: the id itself */
   uint32_t decoration; /* SPV_DECORATION_* */
   uint32_t word;       /* offset of its first operand */
   uint32_t num_words;
};

/* Types */

enum spirv_type_kind {
   TYPE_VOID,
   TYPE_BOOL,
   TYPE_INT,
   TYPE_FLOAT,
   TYPE_VECTOR,
   TYPE_MATRIX,
   TYPE_ARRAY,
   TYPE_RUNTIME_ARRAY,
   TYPE_STRUCT,
   TYPE_POINTER,
   TYPE_FUNCTION,
   TYPE_IMAGE, /* these three are descriptors: image.c */
   TYPE_SAMPLER,
   TYPE_SAMPLED_IMAGE,
   TYPE_OPAQUE, /* pipes and the like: they can be named, not used */
};

struct spirv_member {
   const struct spirv_type *type;
   uint32_t offset; /* bytes: as decorated, else as the C of OpenCL lays it out */
   uint32_t matrix_stride;
   bool row_major;
   bool decorated;     /* it has an Offset */
   uint32_t access;    /* HD_ACCESS_*: what Coherent, Volatile, NonWritable, ... say */
   int32_t builtin;    /* SPV_BUILT_IN_*, or -1 */
   uint32_t first_var; /* vars of the members before it */
};

/* How deep types may nest, so that walks over a type may recurse: what the specification says of
 * structs, asked of everything that has parts.
 */
#define SPIRV_MAX_DEPTH 255u

struct spirv_type {
   uint8_t kind;       /* spirv_type_kind */
   uint8_t bits;       /* of a scalar, of a vector's or matrix's component; bool: 1 */
   uint8_t components; /* of a scalar: 1; of a vector; of a matrix's column */
   bool is_signed;     /* integers */
   bool is_float;      /* scalar, vector, matrix */
   bool block;         /* Block or BufferBlock */
   bool buffer_block;
   bool flat; /* void, opaque, or holds them: has no values */
   uint32_t id;
   uint32_t length; /* columns, elements, members, parameters; 0 for a runtime array */
   /* Vector: component. Matrix: column. Array. Pointer: pointee, NULL while only declared.
    * Function: result. Image: what a texel has. Sampled image: image.
    */
   const struct spirv_type *element;
   struct spirv_member *members; /* struct: members; function: parameters (their types alone) */
   struct {
      uint8_t dim, access; /* hd_image_dim, or SPIRV_IMAGE_REFUSED; SPV_ACCESS_QUALIFIER_* */
      uint16_t format;     /* SPV_IMAGE_FORMAT_* */
      bool array, ms, storage, attachment;
   } image;            /* of an image */
   uint32_t storage;   /* pointer: SPV_STORAGE_CLASS_* */
   uint32_t stride;    /* ArrayStride of an array or pointer; else the size of an element */
   uint32_t locations; /* of an interface, that it takes; saturates */
   uint64_t leaves;    /* scalars and vectors in it, columns of matrices counted; saturates */
   uint32_t vars;      /* leaves and pointers, arrays and matrices counted once; saturates */
   uint16_t depth;     /* 0 for leaves and pointers; at most SPIRV_MAX_DEPTH */
   uint64_t size;      /* bytes as laid out; a bool has 1; saturates */
   uint32_t align;
};

#define SPIRV_IMAGE_REFUSED 0xffu

/* Is one hd_def: a boolean, a number, a vector of them. */
static inline bool
hd_spirv_type_is_leaf(const struct spirv_type *t)
{
   return t->kind >= TYPE_BOOL && t->kind <= TYPE_VECTOR;
}

/* An image, a sampler or both. */
static inline bool
hd_spirv_is_image(const struct spirv_type *t)
{
   return t->kind == TYPE_IMAGE || t->kind == TYPE_SAMPLER || t->kind == TYPE_SAMPLED_IMAGE;
}

/* Constants
 *
 * A scalar or a vector of scalars has `bits`; others have elements, which may be shared. NULL
 * elements: all zero. What was specialised has its final value. What depends on an address of the
 * module's variables has none: it is computed at the head of the function.
 */
struct spirv_constant {
   const struct spirv_type *type;
   bool undef;
   bool null;
   bool addresses;    /* it is such an address, or a part of it is */
   uint8_t depth;     /* of the expressions that an address is made by */
   uint32_t computed; /* id of a variable, or of an OpSpecConstantOp on addresses; else 0 */
   uint64_t bits[4];  /* of a leaf with up to 4 components; of a sampler its state */
   const struct spirv_constant **elements; /* of the others, vectors above 4 included */
   struct spirv_value *value;              /* built for the current function, or NULL */
};

/* Values in the function that is built */

enum spirv_value_kind {
   VALUE_DEF,       /* a leaf; also a pointer as a number: hd_spirv_pointer_bits */
   VALUE_COMPOSITE, /* columns, elements, members */
   VALUE_POINTER,
   VALUE_IMAGE, /* image, sampler, or both */
};

struct spirv_value {
   uint8_t kind; /* spirv_value_kind */
   const struct spirv_type *type;
   union {
      hd_def *def;
      struct spirv_value *
          *elements; /* type->length; values are never changed, so parts are shared */
      struct spirv_pointer *pointer;
      struct spirv_image *image;
   };
};

/* Where variables of functions, and private ones of the module, live when nothing but loads, stores
 * and access chains sees them: each leaf of the type is a variable of the IR, an array of as many
 * as the arrays around it have together.
 */
struct spirv_local {
   const struct spirv_type *type;
   hd_var **vars; /* type's leaves in order, arrays counted once */
   uint32_t num_vars;
   /* Of an input or output of a graphics stage: what was stored to, by variable; the input. */
   bool *written;
   const struct spirv_variable *input;
};

enum spirv_place {
   PLACE_LOCAL,      /* a spirv_local */
   PLACE_INPUT,      /* a built-in: its value is computed where it is read */
   PLACE_BUFFER,     /* a descriptor's buffer: 32-bit position */
   PLACE_PUSH,       /* 32-bit address */
   PLACE_SHARED,     /* 32-bit address */
   PLACE_SCRATCH,    /* 32-bit address */
   PLACE_KERNARG,    /* 32-bit address */
   PLACE_CONSTANT,   /* 32-bit address: constant data of the shader */
   PLACE_GLOBAL,     /* 64-bit address */
   PLACE_GENERIC,    /* 64-bit address: global, or another place as its upper half says */
   PLACE_DESCRIPTOR, /* an image or a sampler */
   PLACE_TEXEL,      /* of a storage image */
};

/* A place in memory, on its way through access chains. */
struct spirv_pointer {
   const struct spirv_type *type; /* what is there: the pointee */
   uint32_t storage;              /* SPV_STORAGE_CLASS_* of the pointer */
   uint8_t place;                 /* spirv_place */
   uint32_t access;               /* HD_ACCESS_* collected on the way */

   /* local */
   struct spirv_local *local;
   uint32_t first_var;    /* the first leaf */
   hd_def *index;         /* into the arrays of its leaves, so far: 32 bits, NULL is 0 */
   uint32_t index_offset; /* is added to it */

   /* input */
   int32_t builtin;

   struct texel *texel;       /* image.c */
   struct spirv_value **held; /* of a variable of a function that is an image: its only value */

   /* memory, descriptors: the address is `base` + `offset` */
   uint32_t set, binding;
   hd_def *buffer;      /* which variable it is, when only known at run time; else NULL */
   hd_def *array_index; /* of the descriptor; NULL is 0 */
   bool descriptors;    /* what is here is still an array of descriptors */
   hd_def *base;        /* NULL is 0 */
   uint64_t offset;
   uint32_t align; /* of `base`: a power of two that divides it */

   /* matrices, as the member around them says */
   bool row_major;
   uint32_t matrix_stride;
   uint32_t
       column_stride; /* a column of a row-major matrix: bytes between its components; else 0 */

   const struct spirv_type *whole; /* the vector that `component` is of */
   hd_def *component; /* one component of the vector that is at the place above, or NULL */
};

static inline bool
hd_spirv_is_wide(const struct spirv_pointer *p)
{
   return p->place == PLACE_GLOBAL || p->place == PLACE_GENERIC;
}

/* What the upper half of a generic pointer is where it points to shared memory, or to scratch, and
 * that of one to constant memory where it points to constant data of the shader; else the pointer
 * is a global one. Global addresses end below.
 */
#define SPIRV_APERTURE_SHARED   0x00010000u
#define SPIRV_APERTURE_SCRATCH  0x00020000u
#define SPIRV_APERTURE_CONSTANT 0x00030000u

/* Variables of the module */
struct spirv_variable {
   struct spirv_variable *next;   /* of the module, last one first */
   const struct spirv_type *type; /* pointee */
   const struct spirv_type *pointer_type;
   uint32_t id;
   uint32_t storage;
   uint32_t set, binding;
   int32_t builtin;
   uint32_t access;
   uint32_t initializer;      /* id, or 0 */
   bool used;                 /* the entry point lists it */
   uint32_t address;          /* in shared memory, scratch or constant data, when it has one */
   struct spirv_local *local; /* Private: made when first used */
};

/* Functions */
struct spirv_function {
   uint32_t id;
   uint32_t word;       /* of its OpFunction */
   uint32_t first, end; /* offset after its parameters; of its OpFunctionEnd */
   const struct spirv_type *type;
   uint32_t num_params;
   uint32_t *params;        /* ids */
   bool open;               /* a call of it is being translated: calling it again is recursion */
   struct spirv_body *body; /* its labels, when it was looked at: see body.h */
   struct spirv_function *next; /* in the order of the module */
};

/* An argument of a kernel */
struct spirv_argument {
   hd_spirv_argument_kind kind;
   const struct spirv_type *type; /* of what lies there */
   uint32_t offset, size, align;
   bool by_value; /* a struct: the parameter is a pointer to a copy */
};

struct spirv {
   const uint32_t *words; /* in the byte order of this machine */
   size_t num_words;
   uint32_t bound;
   bool needs_entry; /* one entry point is chosen; else what is there is only listed */
   uint32_t version; /* 0x00010600 */
   const hd_spirv_options *options;

   hd_shader *shader;
   hd_heap *heap;
   hd_stack *stack;
   hd_diag_sink sink; /* the host's */

   bool told;             /* a fault was reported */
   struct spirv_instr at; /* what is looked at: for diagnostics */

   /* ids */
   uint32_t *pages; /* where the slots of 64 ids begin; 0: none of them is defined */
   uint32_t *slots; /* 1 + the number of an id's record, in the order of definitions; 0: none */
   uint32_t num_slots, max_slots;
   struct spirv_id *ids;
   uint32_t num_ids, max_ids;
   struct spirv_decoration *decorations; /* [0] is none */
   uint32_t num_decorations, max_decorations;
   struct spirv_function *functions, *last_function;

   /* the module */
   bool structured;         /* the Shader capability: merges mean what they say */
   bool kernel;             /* the Kernel capability */
   bool physical;           /* physical addressing: pointers are 64-bit numbers */
   bool aliased;            /* the memory model says that what is not Restrict may alias */
   bool variable_pointers;  /* pointers to buffers and shared memory may be values */
   uint32_t entry;          /* id of the function of the entry point */
   uint32_t entry_word;     /* of its OpEntryPoint */
   uint32_t first_function; /* offset of the first OpFunction */
   struct spirv_variable *variables;
   struct spirv_roots *roots; /* which variables need an address: made when first asked */
   uint32_t num_entry_points;
   uint32_t *entry_points; /* offsets of OpEntryPoint */
   uint32_t num_modes;
   uint32_t *modes; /* offsets of OpExecutionMode */
   uint32_t num_capabilities;
   uint32_t *capabilities;
   uint32_t num_module_instrs;     /* in the module room: how long the three lists can be */
   struct spirv_argument argument; /* of the kernel: the last that was placed */
   uint32_t workgroup_size;        /* id of the constant that is the built-in, or 0 */
   uint8_t float_flags;            /* HD_FP_* that apply to everything: ContractionOff */
   bool keeps_zeros;               /* signs of zeros matter: SignedZeroInfNanPreserve */
   bool keeps_denormals, quads_2d; /* DenormPreserve; DerivativeGroupQuads: see invocation.c */
   bool quads_in_row;              /* DerivativeGroupLinear */
   uint32_t subgroups;             /* SubgroupsPerWorkgroup, or 0 */
   uint32_t entry_modes;           /* hd_spirv_entry_mode, or-ed */

   /* the function that is built */

   /* Translates an instruction of a constant expression: function.c. */
   void (*compute)(struct spirv *s, const struct spirv_instr *i);
   hd_builder b; /* where code goes; hd_builder_add_block makes a label's further blocks */
   struct spirv_call *call;  /* the innermost that is being translated: see body.h */
   struct spirv_kill *kills; /* that may make helpers: see kill.c */
   uint64_t num_instrs;      /* of all functions that were entered so far */
   hd_instr *last_constant;  /* constants stand at the head of the start block, up to this one */
   hd_cf_node *last_block;   /* the last that got its declarations */
   hd_instr *last_phi;       /* that was put in its block */
   struct spirv_pred_place { /* where a block stands among the predecessors of another, by index */
      uint32_t stamp, place;
   } * places;
   uint32_t num_places, place_stamp;
   bool has_group_memory; /* group.c's part of the workgroup's memory, and where it begins */
   uint32_t group_memory;
   hd_ptr_map var_names;   /* see variables.c */
   uint32_t max_var_names; /* how many that has room for; 0 before the first */
   uint32_t num_live;      /* values made so far, against runaway composites */
};

/* report.c: a diagnostic is sent, with the location, the instruction's name and what was wrong;
 * unwind.
 */
HD_NORETURN void hd_spirv_invalid(struct spirv *s, const char *format, ...) HD_PRINTF(2, 3);
HD_NORETURN void hd_spirv_unsupported(struct spirv *s, const char *format, ...) HD_PRINTF(2, 3);
/* The same, without unwinding. */
void hd_spirv_say(struct spirv *s, const char *format, ...) HD_PRINTF(2, 3);
/* "OpIAdd", for messages. */
const char *hd_spirv_opcode_name(uint32_t opcode);
/* Zeroed memory that lives until the reader returns; counts a step for each 64 bytes. */
void *hd_spirv_alloc(struct spirv *s, size_t size);

/* words.c */

/* The first pass: header, every instruction, which ids are defined. */
void hd_spirv_scan(struct spirv *s);

/* The offset after an instruction. */
static inline uint32_t
hd_spirv_next_word(const struct spirv *s, uint32_t word)
{
   return word + (s->words[word] >> 16);
}

/* The instruction at an offset; checked against the grammar by the first pass over the module. */
static inline struct spirv_instr
hd_spirv_fetch(const struct spirv *s, uint32_t word)
{
   const uint32_t *p = s->words + word, first = *p++;
   const unsigned flags = hd_spirv_opcode(first & 0xffff)->flags;
   struct spirv_instr i = { .opcode = first & 0xffff, .word = word };

   if (flags & SPIRV_HAS_TYPE)
      i.type = *p++;
   if (flags & SPIRV_HAS_RESULT)
      i.result = *p++;
   i.words = p;
   i.num_words = (uint32_t)(s->words + word + (first >> 16) - p);
   return i;
}

/* module.c */

/* 1 + the number of an id's record, or 0. */
static inline uint32_t
hd_spirv_slot(const struct spirv *s, uint32_t id)
{
   return id < s->bound ? s->slots[s->pages[id / 64] + id % 64] : 0;
}

HD_NORETURN void hd_spirv_undefined(struct spirv *s, uint32_t id);

/* The record of an id that is defined; what is not is invalid. */
static inline struct spirv_id *
hd_spirv_id(struct spirv *s, uint32_t id)
{
   const uint32_t slot = hd_spirv_slot(s, id);

   if (!slot)
      hd_spirv_undefined(s, id);
   return &s->ids[slot - 1];
}

/* module.c: everything before the functions; the entry point is chosen, functions are known by id. */
void hd_spirv_read_module(struct spirv *s);

/* ids.c */

/* The decoration of this kind of an id (member -1) or of a member; NULL. Of those that may stand
 * several times, and say something else each time, this is one: hd_spirv_next_decoration has the
 * others. Of another kind, two that differ are invalid.
 */
const struct spirv_decoration *hd_spirv_decoration(struct spirv *s, uint32_t id, int32_t member,
                                                   uint32_t decoration);
/* The next one of the same kind and the same id or member; NULL. */
const struct spirv_decoration *hd_spirv_next_decoration(struct spirv *s,
                                                        const struct spirv_decoration *d);
/* Whether one of the FuncParamAttr of a parameter is this one. */
bool hd_spirv_has_attribute(struct spirv *s, uint32_t id, uint32_t attribute);
/* HD_ACCESS_* of an id's or a member's decorations. HD_ACCESS_READONLY is NonWritable: nothing
 * writes by this way; that nothing writes at all is known with HD_ACCESS_RESTRICT only.
 */
uint32_t hd_spirv_access(struct spirv *s, uint32_t id, int32_t member);
/* The same of one decoration. */
uint32_t hd_spirv_access_of(const struct spirv *s, const struct spirv_decoration *d);
/* Nothing is written by this variable: by what it and its members are declared as. In variables.c. */
bool hd_spirv_is_readonly(const struct spirv_variable *v);
bool hd_spirv_is_defined(const struct spirv *s, uint32_t id);
/* The name that OpName gives to an id, or NULL. */
const char *hd_spirv_name(struct spirv *s, uint32_t id);
/* The string whose first word is this one. */
const char *hd_spirv_string(struct spirv *s, uint32_t word);
/* OpLine and OpNoLine in a function: where what is built next comes from. */
void hd_spirv_debug(struct spirv *s, const struct spirv_instr *i);
/* The same of NonSemantic.Shader.DebugInfo.100. What is wrong with it is no matter. */
void hd_spirv_debug_info(struct spirv *s, const struct spirv_instr *i);
/* "WorkgroupId", for messages. */
const char *hd_spirv_built_in_name(uint32_t built_in);
/* OpDecorate and those like it; of groups. */
void hd_spirv_read_decorate(struct spirv *s, const struct spirv_instr *i);
void hd_spirv_read_group_decorate(struct spirv *s, const struct spirv_instr *i);

/* types.c */
void hd_spirv_read_type(struct spirv *s, const struct spirv_instr *i);
const struct spirv_type *hd_spirv_type(struct spirv *s, uint32_t id);
/* "OpTypeRayQueryKHR", for messages. */
const char *hd_spirv_type_name(struct spirv *s, const struct spirv_type *t);
/* The type of the result of this instruction. */
const struct spirv_type *hd_spirv_result_type(struct spirv *s, const struct spirv_instr *i);
/* The type of component, column, element or member n; out of range is invalid. */
const struct spirv_type *hd_spirv_part_type(struct spirv *s, const struct spirv_type *t,
                                            uint32_t n);
/* Have the values of both the same shape: for OpCopyLogical and where ids may differ. */
bool hd_spirv_types_match(const struct spirv_type *a, const struct spirv_type *b);
/* Invalid if they do not: `what` is what has the first one. */
void hd_spirv_expect_type(struct spirv *s, const char *what, const struct spirv_type *found,
                          const struct spirv_type *expected);

/* constants.c, constant_read.c, constant_value.c */
void hd_spirv_read_constant(struct spirv *s, const struct spirv_instr *i);
const struct spirv_constant *hd_spirv_get_constant(struct spirv *s, uint32_t id);
/* A scalar integer constant's value, zero extended (sign extended for signed types). */
uint64_t hd_spirv_constant_uint(struct spirv *s, uint32_t id);
/* The same if it is one. */
bool hd_spirv_is_constant(struct spirv *s, uint32_t id, uint64_t *value);
/* A value for it: constants stand at the head of the function, made when first used. */
struct spirv_value *hd_spirv_constant_value(struct spirv *s, const struct spirv_constant *c);

/* value.c: ids; make_value.c, leaves.c: values; composite.c: instructions. */

/* What an id stands for here: constants, undefs, variables (as pointers) and results. A result that
 * no instruction before this one made is invalid.
 */
struct spirv_value *hd_spirv_value(struct spirv *s, uint32_t id);
/* The same where it must be a leaf: a number, boolean, vector, or a pointer that is a number. */
hd_def *hd_spirv_ssa(struct spirv *s, uint32_t id);
/* Where it must be a scalar integer: as 32 bits. */
hd_def *hd_spirv_index32(struct spirv *s, uint32_t id);
/* The result of an instruction; its type must have the shape that the instruction says. */
void hd_spirv_set(struct spirv *s, const struct spirv_instr *i, struct spirv_value *value);
void hd_spirv_set_def(struct spirv *s, const struct spirv_instr *i, hd_def *def);
/* A leaf; a composite whose elements the caller fills in; a pointer. */
struct spirv_value *hd_spirv_make_def(struct spirv *s, const struct spirv_type *t, hd_def *def);
struct spirv_value *hd_spirv_make_composite(struct spirv *s, const struct spirv_type *t);
struct spirv_value *hd_spirv_make_pointer(struct spirv *s, const struct spirv_type *pointer_type,
                                          const struct spirv_pointer *pointer);
/* The same one, of whose descriptors this is true, too: HD_ACCESS_*. */
struct spirv_value *hd_spirv_add_image_access(struct spirv *s, const struct spirv_value *value,
                                              uint32_t access);
/* The same one, of another type with the same shape. */
struct spirv_value *hd_spirv_with_type(struct spirv *s, const struct spirv_value *value,
                                       const struct spirv_type *t);
struct spirv_value *hd_spirv_make_undef(struct spirv *s, const struct spirv_type *t);
struct spirv_value *hd_spirv_make_zero(struct spirv *s, const struct spirv_type *t);
/* Component, column, element or member n of a value. */
struct spirv_value *hd_spirv_part(struct spirv *s, struct spirv_value *v, uint32_t n);
/* OpComposite*, OpVector*, OpTranspose, OpCopyObject, OpCopyLogical, OpSelect, OpUndef. */
void hd_spirv_composite(struct spirv *s, const struct spirv_instr *i);

/* alu.c */

/* Instructions with a row in spirv/opcodes.py that says which op they are; matrices, dot products
 * and those that need several ops too.
 */
void hd_spirv_alu(struct spirv *s, const struct spirv_instr *i);
/* HD_FP_* for the instruction that makes this id: NoContraction, FPFastMathMode. */
uint8_t hd_spirv_float_flags(struct spirv *s, uint32_t id);

/* lanes.c */
void hd_spirv_lanes(struct spirv *s, const struct spirv_instr *i);
/* Scope and semantics, given by id, as a barrier intrinsic's indices; emits a barrier. exec_scope
 * HD_SCOPE_NONE only orders memory. Semantics without acquire and release emit nothing then.
 */
void hd_spirv_fence(struct spirv *s, unsigned exec_scope, uint32_t scope_id, uint32_t semantics_id);

/* function.c */

/* Build the entry function, all that it calls inlined. */
void hd_spirv_build(struct spirv *s);

/* places.c, variables.c */
/* Variables of the IR for a type, with the name of an id. */
struct spirv_local *hd_spirv_make_local(struct spirv *s, uint32_t id, const struct spirv_type *t);
/* It is constant data of the shader. */
bool hd_spirv_is_table(struct spirv *s, const struct spirv_variable *v);
/* An input or output of a stage that is one of the function's variables, and not computed where it is read. */
bool hd_spirv_is_stage_local(const struct spirv *s, const struct spirv_variable *v);
#define SPIRV_MAX_LOCATIONS 4096u
void hd_spirv_read_variable(struct spirv *s, const struct spirv_instr *i);
/* The pointer that a variable of the module, or of the function, is. */
struct spirv_value *hd_spirv_variable_value(struct spirv *s, struct spirv_variable *v);
/* OpVariable in a function: at the head of the function; its initializer is stored where it stands.
 */
void hd_spirv_function_variable(struct spirv *s, const struct spirv_instr *i);
/* At the start of the entry: initializers of private and shared variables. Addresses of shared
 * memory are given out, shader->shared_size is set.
 */
void hd_spirv_begin_variables(struct spirv *s);
/* A variable of a function: for OpVariable, and for a parameter that is a struct by value. It is a
 * local, or has an address in scratch where hd_spirv_needs_address says so.
 */
struct spirv_value *hd_spirv_make_variable(struct spirv *s, uint32_t id,
                                           const struct spirv_type *pointer_type);

/* interface.c */

/* The stage of an execution model, or HD_NUM_STAGES. */
hd_stage hd_spirv_stage(uint32_t model);

/* The entry point is chosen, and its modes become properties of the shader. */
void hd_spirv_read_entry(struct spirv *s);
/* The modes of an entry point's function become properties of s->shader. */
void hd_spirv_read_modes(struct spirv *s, uint32_t function);
/* The name in the OpEntryPoint at this offset. */
const char *hd_spirv_entry_name(struct spirv *s, uint32_t word);

/* invocation.c: the value of a built-in input here, with the shape of `t`. */
struct spirv_value *hd_spirv_builtin(struct spirv *s, int32_t builtin, const struct spirv_type *t);
/* The argument that follows the one in *a, which is all zero before the first. */
void hd_spirv_next_argument(struct spirv *s, uint32_t id, const struct spirv_type *t,
                            struct spirv_argument *a);
/* What a host must know of it. */
void hd_spirv_describe_argument(struct spirv *s, uint32_t id, const struct spirv_argument *a,
                                hd_spirv_argument *out);
/* The parameter n of the entry point of a kernel; to be asked in their order. */
struct spirv_value *hd_spirv_kernel_argument(struct spirv *s, uint32_t n,
                                             const struct spirv_type *t);

/* pointer.c, pointer_bits.c */

/* OpAccessChain and its kin, OpPtrAccessChain, OpPtrEqual, OpPtrDiff, OpConvertPtrToU,
 * OpConvertUToPtr, OpBitcast of pointers, OpPtrCastToGeneric, OpGenericCastToPtr, OpArrayLength.
 */
void hd_spirv_pointer_instr(struct spirv *s, const struct spirv_instr *i);
/* An integer in another size, sign extended. */
hd_def *hd_spirv_resize(struct spirv *s, hd_def *def, unsigned bits);
/* Move a pointer to memory by `count` (any integer, signed) times `stride` bytes. */
void hd_spirv_advance(struct spirv *s, struct spirv_pointer *p, hd_def *count, uint32_t stride);
/* What an id points to; it must be a pointer. */
struct spirv_pointer *hd_spirv_pointer(struct spirv *s, uint32_t id);
/* A pointer as a number, for phis, selects, calls, stores: 64 bits for global and generic ones, 32
 * for shared memory and scratch, 32x3 for buffers (which variable, array index, position). Back
 * again. Pointers to what is no memory cannot be numbers: unsupported.
 */
hd_def *hd_spirv_pointer_bits(struct spirv *s, struct spirv_value *v);
hd_def *hd_spirv_place_bits(struct spirv *s, const struct spirv_pointer *p);
struct spirv_value *hd_spirv_pointer_from_bits(struct spirv *s, const struct spirv_type *t,
                                               hd_def *bits);
/* Components and bits of that number for a pointer type. */
void hd_spirv_pointer_shape(struct spirv *s, const struct spirv_type *t, unsigned *components,
                            unsigned *bits);

/* roots.c: whether a variable (or a parameter that is a struct by value) needs an address: it is in
 * scratch then, else in variables of the IR.
 */
bool hd_spirv_needs_address(struct spirv *s, uint32_t id);
/* The largest alignment that accesses promise of it, up to SPIRV_MAX_ALIGN; at least 1. */
#define SPIRV_MAX_ALIGN 4096u
uint32_t hd_spirv_promised_align(struct spirv *s, uint32_t id);

/* pointer_access.c */

/* The place where something is done: memory with one kind of address. A generic pointer, or one to
 * a buffer that is only known at run time, is tried for each place that it can be, in blocks of its
 * own: `act` is called once for each of them, and builds there. The result, if it has one, is the
 * same leaf in all; the answers are merged. Not for locals and inputs.
 */
hd_def *hd_spirv_at_place(struct spirv *s, const struct spirv_pointer *p,
                          hd_def *(*act)(struct spirv *s, const struct spirv_pointer *p,
                                         void *user),
                          void *user);
/* What an intrinsic wants of a pointer that `act` was given: its address operands (one, or two for
 * a buffer), and all indices: defaults, and offset, set, binding, access, alignment, where it has
 * them. `align` is a power of two that the address is known to be a multiple of, or 0.
 */
unsigned hd_spirv_address(struct spirv *s, const struct spirv_pointer *p, hd_def *srcs[2]);
void hd_spirv_indices(const struct spirv_pointer *p, hd_intrinsic_id id, uint32_t align,
                      uint32_t access, uint32_t indices[HD_MAX_INDICES]);
/* The intrinsic itself. */
hd_def *hd_spirv_build_at(struct spirv *s, const struct spirv_pointer *p, hd_intrinsic_id id,
                          unsigned components, unsigned bits, unsigned num_srcs,
                          hd_def *const *srcs, const uint32_t *indices);
/* base + offset, in the bits that addresses of the place have. */
hd_def *hd_spirv_flat_address(struct spirv *s, const struct spirv_pointer *p);

/* memory.c */
void hd_spirv_memory(struct spirv *s,
                     const struct spirv_instr *i); /* OpLoad, OpStore, OpCopyMemory* */
struct spirv_value *hd_spirv_load(struct spirv *s, const struct spirv_pointer *p, uint32_t access);
void hd_spirv_store(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v,
                    uint32_t access);
/* The same where the instruction says of how many bytes the address is a multiple; 0: unspecified. */
struct spirv_value *hd_spirv_load_aligned(struct spirv *s, const struct spirv_pointer *p,
                                          uint32_t align, uint32_t access);
void hd_spirv_store_aligned(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v,
                            uint32_t align, uint32_t access);
/* A leaf of so many components and bits at a place in memory, past `offset` bytes: for vload and
 * vstore. Only for places that are memory.
 */
hd_def *hd_spirv_load_bytes(struct spirv *s, const struct spirv_pointer *p, hd_def *offset,
                            unsigned components, unsigned bits, uint32_t align, uint32_t access);
void hd_spirv_store_bytes(struct spirv *s, const struct spirv_pointer *p, hd_def *offset,
                          hd_def *value, uint32_t align, uint32_t access);

/* atomic.c */
void hd_spirv_atomic(struct spirv *s, const struct spirv_instr *i);

/* image.c: what is done with images, samplers, texels. */
void hd_spirv_image_instr(struct spirv *s, const struct spirv_instr *i);
/* OpLoad of one. */
struct spirv_value *hd_spirv_load_image(struct spirv *s, const struct spirv_pointer *p);
/* At a pointer that is a texel. */
hd_def *hd_spirv_texel_atomic(struct spirv *s, const struct spirv_pointer *p, bool swap,
                              hd_atomic_op op, hd_def *compare, hd_def *data);
struct spirv_value *hd_spirv_load_texel(struct spirv *s, const struct spirv_pointer *p,
                                        uint32_t access);
void hd_spirv_store_texel(struct spirv *s, const struct spirv_pointer *p, hd_def *value,
                          uint32_t access);

/* stage.c: inputs and outputs of vertex and fragment shaders. */

/* At the start, and where the entry function returns. */
void hd_spirv_load_inputs(struct spirv *s);
void hd_spirv_store_outputs(struct spirv *s);
/* Whether the entry has such an end. */
bool hd_spirv_has_outputs(const struct spirv *s);

/* What a host must know of an input or output, or of each member of its block: how many; `out` may be NULL. */
uint32_t hd_spirv_describe_interface(struct spirv *s, const struct spirv_variable *v,
                                     hd_spirv_interface *out);

/* InterpolateAtCentroid, ...Sample, ...Offset: which has an operand. */
enum hd_spirv_interpolation { HD_SPIRV_AT_CENTROID, HD_SPIRV_AT_SAMPLE, HD_SPIRV_AT_OFFSET };
hd_def *hd_spirv_interpolate_at(struct spirv *s, const struct spirv_pointer *p,
                                enum hd_spirv_interpolation how, hd_def *operand);

/* info.c: what is known of the module as an hd_spirv_info, which `user` points to. */
void hd_spirv_collect_info(struct spirv *s, void *user);

/* ext.c: OpExtInst */
void hd_spirv_ext_glsl(struct spirv *s, const struct spirv_instr *i, uint32_t number,
                       const uint32_t *operands, uint32_t num_operands);
void hd_spirv_ext_opencl(struct spirv *s, const struct spirv_instr *i, uint32_t number,
                         const uint32_t *operands, uint32_t num_operands);
/* ext_amd.c: those of the sets of AMD. */
void hd_spirv_ext_amd(struct spirv *s, uint32_t ext_set, const struct spirv_instr *i,
                      uint32_t number, const uint32_t *operands, uint32_t num_operands);

#endif
