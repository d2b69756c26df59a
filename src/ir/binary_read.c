/* SPDX-License-Identifier: MIT */
/* binary_read.c - bytes to a shader; see doc/binary.md.
 *
 * The bytes may be anything. Each count is held against the bytes that are left before anything is
 * allocated for it, each number against what it numbers before it is used, and what has no place
 * where it stands is refused. The tree is built along its own links, so no nest is too deep.
 */
#include "ir/binary_format.h"
#include "ir/private.h"

#include <stdarg.h>

#include "heddle/ops.h"

struct shape {
   hd_instr instr; /* what each instruction of this shape begins as */
   size_t size;
   uint32_t num_srcs;
   unsigned num_indices;
};

/* The loops around the place that is read, innermost first. */
struct open_loop {
   struct open_loop *outer;
   hd_loop *loop;
   bool in_continue_list;
};

struct reader {
   const char *file_name;
   const uint8_t *data, *p, *end;
   const uint8_t *at; /* the item that a diagnostic is about */
   hd_shader *shader;
   hd_heap *heap;
   hd_stack *stack;
   hd_slab slab; /* of instructions */

   const char **strings;
   bool *names_function; /* by string */
   uint32_t *names_var;  /* by string: 1 + the last function that has a variable of this name */
   uint32_t num_strings;
   struct shape *shapes;
   uint32_t num_shapes;
   hd_function **functions;
   uint32_t *num_function_defs, *num_function_blocks;
   uint32_t num_functions;

   hd_function *f;
   hd_def **defs; /* by number */
   uint32_t num_defs, max_defs;
   hd_block **blocks; /* by number */
   uint32_t num_blocks, max_blocks;
   hd_var **vars;
   uint32_t num_vars;
   hd_block *block; /* the one being filled */
   hd_cf_list *list;
   struct open_loop *loop, *spare_loops;
   hd_loop **jump_loops; /* by block number: the loop that its break or continue is about */
   uint32_t loc, name;   /* of what comes next; name is 1 + a string, or 0 */
   hd_src *forward, *last_forward; /* sources to be defined, chained by next_link */
   struct succ_of {
      uint32_t from; /* 1 + the number of the block that was looked at last */
      uint32_t succ; /* which of its successors this is */
   } * succ_of;      /* by block number; for switches */
};

static HD_NORETURN void
stop(struct reader *r, hd_result result, const char *format, va_list args)
{
   const hd_diag_sink *sink = &r->heap->config.diag;
   char message[256];

   vsnprintf(message, sizeof(message), format, args);
   if (sink->report) {
      hd_diag diag = { .severity = HD_ERROR,
                       .file = r->file_name,
                       .offset = (uint64_t)(r->at - r->data),
                       .message = message };
      sink->report(sink->user, &diag);
   }
   r->heap->unwind->result = result;
   longjmp(r->heap->unwind->env, 1);
}

/* The bytes break a rule of the format. */
static HD_NORETURN HD_PRINTF(2, 3) void bad(struct reader *r, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   stop(r, HD_INVALID, format, args);
}

/* The bytes ask for what this library does not have. */
static HD_NORETURN HD_PRINTF(2, 3) void unsupported(struct reader *r, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   stop(r, HD_UNSUPPORTED, format, args);
}

/* Bytes and numbers */

static inline size_t
left(const struct reader *r)
{
   return (size_t)(r->end - r->p);
}

static inline uint8_t
get_byte(struct reader *r)
{
   if (r->p == r->end)
      bad(r, "the data ends here, expected more");
   return *r->p++;
}

static uint64_t
get_long_uint(struct reader *r)
{
   uint64_t value = 0;

   for (unsigned shift = 0;; shift += 7) {
      uint8_t byte = get_byte(r);
      if (shift == 63 && byte > 1)
         bad(r, "a number exceeds 64 bits");
      value |= (uint64_t)(byte & 0x7f) << shift;
      if (byte < 0x80) {
         if (!byte && shift)
            bad(r, "a number has more bytes than it needs");
         return value;
      }
   }
}

static inline uint64_t
get_uint64(struct reader *r)
{
   if (r->p < r->end && *r->p < 0x80)
      return *r->p++;
   return get_long_uint(r);
}

static inline uint32_t
get_uint(struct reader *r)
{
   uint64_t value = get_uint64(r);

   if (value > UINT32_MAX)
      bad(r, "a number exceeds 32 bits");
   return (uint32_t)value;
}

/* A number that counts or names one of `limit` things. */
static inline uint32_t
get_below(struct reader *r, uint32_t limit, const char *what)
{
   uint64_t value = get_uint64(r);

   if (value >= limit)
      bad(r, "%s %llu does not exist, there are %u", what, (unsigned long long)value, limit);
   return (uint32_t)value;
}

/* How many things follow, of `size` bytes each or more. */
static uint32_t
get_count(struct reader *r, size_t size, const char *what)
{
   r->at = r->p;
   uint64_t count = get_uint64(r);

   if (count > left(r) / size || count >= UINT32_MAX)
      bad(r, "%llu %s cannot follow in %zu bytes", (unsigned long long)count, what, left(r));
   return (uint32_t)count;
}

static inline uint32_t
get_step(struct reader *r, uint32_t from)
{
   uint64_t step = get_uint64(r), to;

   to = step & 1 ? from - (step >> 1) - 1 : from + (step >> 1);
   if (step >> 33 || to > UINT32_MAX)
      bad(r, "a step leads out of 32 bits");
   return (uint32_t)to;
}

static const char *
get_string(struct reader *r)
{
   return r->strings[get_below(r, r->num_strings, "string")];
}

static void
get_type(struct reader *r, uint8_t *num_components, uint8_t *bit_size, bool may_be_none)
{
   uint8_t type = get_byte(r);

   if (!binary_type_decode(type, num_components, bit_size) || (!type && !may_be_none))
      bad(r, "0x%02x is not a type", type);
}

/* Tables */

/* Each string stands in the table once, so that names are equal only where their numbers are. */
static void
read_strings(struct reader *r)
{
   const struct hd_memory *m = r->shader->memory;
   bool had_empty = false; /* the shader itself begins with an empty name */

   r->num_strings = get_count(r, 1, "strings");
   r->strings = hd_stack_alloc(r->stack, r->num_strings * sizeof(*r->strings));
   r->names_function = hd_stack_alloc_zero(r->stack, r->num_strings * sizeof(bool));
   r->names_var = hd_stack_alloc_zero(r->stack, r->num_strings * sizeof(uint32_t));
   for (uint32_t n = 0; n < r->num_strings; n++) {
      r->at = r->p;
      uint64_t length = get_uint64(r);
      if (length > left(r))
         bad(r, "a string of %llu bytes cannot follow in %zu", (unsigned long long)length, left(r));
      if (memchr(r->p, 0, (size_t)length))
         bad(r, "a string has a byte 0 in it");
      hd_heap_step(r->heap, 1);
      uint32_t known = m->num_strings;
      r->strings[n] = hd_shader_intern(r->shader, (const char *)r->p, (size_t)length);
      if (length ? m->num_strings == known : had_empty)
         bad(r, "string %u is there twice", n);
      had_empty |= !length;
      r->p += length;
   }
}

static void
read_properties(struct reader *r)
{
   hd_shader *shader = r->shader;

   r->at = r->p;
   shader->name = get_string(r);
   r->at = r->p;
   shader->stage = (hd_stage)get_below(r, HD_NUM_STAGES, "stage");
   for (unsigned n = 0; n < 3; n++)
      shader->workgroup_size[n] = get_uint(r);
   shader->subgroup_size = get_uint(r);
   r->at = r->p;
   shader->float_controls = get_uint(r);
   if (shader->float_controls & ~(uint32_t)HD_FLOAT_ALL)
      bad(r, "0x%x is not a set of float controls", shader->float_controls);
   shader->shared_size = get_uint(r);
   shader->scratch_size = get_uint(r);
   shader->push_size = get_uint(r);
   shader->kernarg_size = get_uint(r);
}

static void
read_locations(struct reader *r)
{
   uint32_t count = get_count(r, 3, "locations"), line = 0;

   for (uint32_t n = 1; n <= count; n++) {
      r->at = r->p;
      hd_heap_step(r->heap, 1);
      const char *file = get_string(r);
      line = get_step(r, line);
      uint32_t number = hd_shader_location(r->shader, file, line, get_uint(r));
      if (number != n)
         bad(r, number ? "location %u is there twice" : "location %u is one too many", n);
   }
}

/* Shapes */

static uint32_t
flags_of_kind(hd_instr_kind kind)
{
   switch (kind) {
   case HD_INSTR_ALU:
      return HD_FP_EXACT | HD_FP_NO_NAN | HD_FP_NO_INF | HD_FP_NO_SIGNED_ZERO;
   case HD_INSTR_INTRINSIC:
      return HD_ASSUME_UNIFORM;
   default:
      return 0;
   }
}

static void
check_shape_num_srcs(struct reader *r, uint32_t num_srcs, uint32_t least, uint32_t most)
{
   if (num_srcs < least || num_srcs > most)
      bad(r, "an instruction with %u operands, expected %u to %u", num_srcs, least, most);
}

static void
read_alu_shape(struct reader *r, struct shape *shape, const char *name)
{
   hd_instr *i = &shape->instr;
   hd_op op = hd_op_from_name(name, strlen(name));
   const hd_op_info *info = hd_op_get_info(op);

   if (op == HD_OP_NONE)
      unsupported(r, "there is no op '%.100s'", name);
   i->op = (uint16_t)op;
   if (info->flags & HD_OP_VARIADIC)
      check_shape_num_srcs(r, shape->num_srcs, info->num_srcs, HD_MAX_COMPONENTS);
   else
      check_shape_num_srcs(r, shape->num_srcs, info->num_srcs, info->num_srcs);
   shape->size = sizeof(hd_instr) + shape->num_srcs * sizeof(hd_src);
}

static void
read_intrinsic_shape(struct reader *r, struct shape *shape, const char *name)
{
   hd_instr *i = &shape->instr;
   hd_intrinsic_id id = hd_intrinsic_from_name(name, strlen(name));
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   uint32_t digest = 0;

   if (id == HD_INTRINSIC_NONE)
      unsupported(r, "there is no intrinsic '%.100s'", name);
   for (unsigned n = 0; n < 4; n++)
      digest |= (uint32_t)get_byte(r) << 8 * n;
   if (digest != hd_binary_index_digest(id))
      unsupported(r, "intrinsic '%.100s' has other indices in this version", name);
   if (!i->def.bit_size != !(info->flags & HD_HAS_RESULT))
      bad(r, "intrinsic '%.100s' %s", name, i->def.bit_size ? "has no result" : "has a result");
   i->op = (uint16_t)id;
   check_shape_num_srcs(r, shape->num_srcs, info->num_srcs, info->num_srcs);
   shape->num_indices = info->num_indices;
   shape->size =
       sizeof(hd_instr) + shape->num_srcs * sizeof(hd_src) + info->num_indices * sizeof(uint32_t);
}

static void
read_jump_shape(struct reader *r, struct shape *shape)
{
   uint32_t least = 0, most = 0;

   if (shape->instr.op == HD_JUMP_GOTO_IF || shape->instr.op == HD_JUMP_SWITCH)
      least = most = 1;
   else if (shape->instr.op == HD_JUMP_RETURN)
      most = 1;
   check_shape_num_srcs(r, shape->num_srcs, least, most);
   shape->size = sizeof(hd_jump);
}

/* What depends on the kind alone. */
static void
read_shape_by_kind(struct reader *r, struct shape *shape, const char *name)
{
   hd_instr *i = &shape->instr;
   uint32_t num_components = i->def.num_components;

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      read_alu_shape(r, shape, name);
      break;
   case HD_INSTR_INTRINSIC:
      read_intrinsic_shape(r, shape, name);
      break;
   case HD_INSTR_JUMP:
      read_jump_shape(r, shape);
      break;
   case HD_INSTR_CONST:
      check_shape_num_srcs(r, shape->num_srcs, 0, 0);
      shape->size = sizeof(hd_instr) + num_components * sizeof(hd_const_value);
      break;
   case HD_INSTR_UNDEF:
      check_shape_num_srcs(r, shape->num_srcs, 0, 0);
      shape->size = sizeof(hd_instr);
      break;
   case HD_INSTR_PARAM:
      check_shape_num_srcs(r, shape->num_srcs, 0, 0);
      shape->size = sizeof(hd_param);
      break;
   case HD_INSTR_PHI:
      shape->size = sizeof(hd_phi);
      break;
   case HD_INSTR_CALL:
      shape->size = sizeof(hd_call);
      break;
   case HD_INSTR_LOAD_VAR:
      check_shape_num_srcs(r, shape->num_srcs, 0, 1);
      shape->size = sizeof(hd_var_access);
      break;
   case HD_INSTR_STORE_VAR:
      check_shape_num_srcs(r, shape->num_srcs, 1, 2);
      shape->size = sizeof(hd_var_access);
      break;
   case HD_NUM_INSTR_KINDS:
      break;
   }
   bool wide = i->kind == HD_INSTR_PHI || i->kind == HD_INSTR_CALL;
   i->num_srcs = wide ? HD_NUM_SRCS_WIDE : (uint8_t)shape->num_srcs;
}

static void
read_shape(struct reader *r, struct shape *shape)
{
   hd_instr *i = &shape->instr;
   const char *name = NULL;

   r->at = r->p;
   hd_heap_step(r->heap, 1);
   memset(shape, 0, sizeof(*shape));
   i->kind = (uint8_t)get_below(r, HD_NUM_INSTR_KINDS, "kind of instruction");
   if (i->kind == HD_INSTR_ALU || i->kind == HD_INSTR_INTRINSIC)
      name = get_string(r);
   if (i->kind == HD_INSTR_JUMP)
      i->op = (uint16_t)get_below(r, HD_NUM_JUMP_KINDS, "kind of jump");
   bool never = i->kind == HD_INSTR_JUMP || i->kind == HD_INSTR_STORE_VAR;
   bool may_be_none = never || i->kind == HD_INSTR_INTRINSIC || i->kind == HD_INSTR_CALL;
   get_type(r, &i->def.num_components, &i->def.bit_size, may_be_none);
   if (never && i->def.bit_size)
      bad(r, "an instruction that has no result has a type");
   uint32_t flags = get_byte(r);
   if (flags & ~flags_of_kind((hd_instr_kind)i->kind))
      bad(r, "flags 0x%02x don't apply to this kind of instruction", flags);
   i->flags = flags & 0xff;
   shape->num_srcs = get_uint(r);
   read_shape_by_kind(r, shape, name);
}

static void
read_shapes(struct reader *r)
{
   r->num_shapes = get_count(r, 4, "shapes");
   r->shapes = hd_stack_alloc(r->stack, r->num_shapes * sizeof(*r->shapes));
   for (uint32_t n = 0; n < r->num_shapes; n++)
      read_shape(r, &r->shapes[n]);
}

/* Functions: their heads, before any body, because calls name them */

static void
read_vars(struct reader *r, hd_function *f, uint32_t number)
{
   uint32_t count = get_count(r, 3, "variables");

   for (uint32_t n = 0; n < count; n++) {
      uint8_t num_components, bit_size;
      r->at = r->p;
      hd_heap_step(r->heap, 1);
      uint32_t name = get_below(r, r->num_strings, "string");
      if (r->names_var[name] == number + 1)
         bad(r, "two variables have the name '%.100s'", r->strings[name]);
      r->names_var[name] = number + 1;
      get_type(r, &num_components, &bit_size, false);
      hd_var_append(f, r->strings[name], num_components, bit_size, get_uint(r));
   }
}

static void
read_function_head(struct reader *r, uint32_t number, const char *name)
{
   uint8_t num_components, bit_size;
   uint8_t flags = get_byte(r);

   if (flags & ~BINARY_STRUCTURED)
      bad(r, "0x%02x are not the flags of a function", flags);
   get_type(r, &num_components, &bit_size, true);
   hd_function *f = hd_function_create(r->shader, name, flags & BINARY_STRUCTURED);
   r->functions[number] = f;
   hd_function_set_result(f, num_components, bit_size);
   r->num_function_blocks[number] = get_uint(r);
   r->num_function_defs[number] = get_uint(r);
}

static void
read_function_heads(struct reader *r)
{
   uint32_t count = get_count(r, 6, "functions");

   r->num_functions = count;
   r->functions = hd_stack_alloc(r->stack, count * sizeof(*r->functions));
   r->num_function_defs = hd_stack_alloc(r->stack, count * sizeof(uint32_t));
   r->num_function_blocks = hd_stack_alloc(r->stack, count * sizeof(uint32_t));
   for (uint32_t n = 0; n < count; n++) {
      r->at = r->p;
      hd_heap_step(r->heap, 1);
      uint32_t name = get_below(r, r->num_strings, "string");
      if (r->names_function[name])
         bad(r, "two functions have the name '%.100s'", r->strings[name]);
      r->names_function[name] = true;
      read_function_head(r, n, r->strings[name]);
      read_vars(r, r->functions[n], n);
   }
}

/* Instructions */

/* Enter a source. One that reads what is not yet defined is kept until the function ends. */
static inline void
get_src(struct reader *r, hd_src *src, unsigned slot)
{
   uint64_t back = get_uint64(r);

   if (back > r->num_defs)
      bad(r, "an operand %llu values back, there are %u", (unsigned long long)back, r->num_defs);
   if (back) {
      hd_src_init(src, slot, r->defs[r->num_defs - (uint32_t)back]);
      hd_src_link_new(src);
      return;
   }
   hd_src_init(src, slot, NULL);
   if (r->last_forward)
      r->last_forward->next_link |= (uintptr_t)src;
   else
      r->forward = src;
   r->last_forward = src;
}

static void
get_narrow_srcs(struct reader *r, hd_instr *i)
{
   hd_src *srcs = (hd_src *)(i + 1);

   for (unsigned n = 0; n < i->num_srcs; n++)
      get_src(r, &srcs[n], n);
}

static hd_wide_src *
get_wide_srcs(struct reader *r, hd_instr *i, uint32_t num_srcs)
{
   if (num_srcs > left(r))
      bad(r, "%u operands cannot follow in %zu bytes", num_srcs, left(r));
   if (!num_srcs)
      return NULL;
   hd_heap_step(r->heap, num_srcs);
   hd_wide_src *srcs = hd_slab_alloc(&r->slab, num_srcs * sizeof(*srcs));
   for (uint32_t n = 0; n < num_srcs; n++) {
      srcs[n].instr = i;
      get_src(r, &srcs[n].src, HD_SLOT_WIDE);
   }
   return srcs;
}

static uint64_t
get_value(struct reader *r, unsigned bit_size)
{
   uint64_t mask = bit_size == 64 ? UINT64_MAX : (UINT64_C(1) << bit_size) - 1, value = 0;
   uint8_t first = get_byte(r);

   if (first < CONST_BYTES) {
      int64_t small = (int64_t)first - CONST_BIAS;
      if (bit_size == 1 && small >> 1)
         bad(r, "%d is not a boolean", (int)small);
      return (uint64_t)small & mask;
   }
   unsigned num_bytes = (first & 7) + 1, shift = first >> 3 & 7;
   if (num_bytes + shift > 8)
      bad(r, "a constant exceeds 64 bits");
   for (unsigned n = 0; n < num_bytes; n++)
      value |= (uint64_t)get_byte(r) << 8 * (n + shift);
   if (value & ~mask)
      bad(r, "a constant exceeds %u bits", bit_size);
   return value;
}

static void
get_indices(struct reader *r, hd_intrinsic *i, unsigned num_indices)
{
   uint32_t *indices = hd_intrinsic_indices(i);

   if (!num_indices)
      return;
   uint32_t present = get_uint(r);
   if (present >> num_indices)
      bad(r, "an intrinsic with %u indices has more", num_indices);
   for (unsigned n = 0; n < num_indices; n++) {
      if (present >> n & 1)
         indices[n] = get_uint(r);
   }
}

static void
get_var_access(struct reader *r, hd_var_access *a)
{
   hd_instr *i = &a->instr;
   hd_var *var = r->vars[get_below(r, r->num_vars, "variable")];
   bool stores = i->kind == HD_INSTR_STORE_VAR;

   a->var = var;
   if (i->num_srcs != stores + (var->array_length != 0))
      bad(r, "an access to variable '%.100s' with %u operands", var->name, i->num_srcs);
   if (!stores &&
       (i->def.num_components != var->num_components || i->def.bit_size != var->bit_size))
      bad(r, "a load of variable '%.100s' has another type", var->name);
   get_narrow_srcs(r, i);
}

static void
get_param(struct reader *r, hd_param *param)
{
   const hd_instr *last = r->block->last;

   if (r->num_blocks > 1 && r->block != r->blocks[0])
      bad(r, "a parameter outside the start block");
   if (last && last->kind != HD_INSTR_PARAM)
      bad(r, "a parameter after another instruction");
   param->param_index = r->f->num_params++;
}

static void
get_phi(struct reader *r, hd_phi *phi, uint32_t num_srcs)
{
   const hd_instr *last = r->block->last;

   if (last && last->kind != HD_INSTR_PHI)
      bad(r, "a phi after another instruction");
   phi->srcs = get_wide_srcs(r, &phi->instr, num_srcs);
   phi->num_srcs = phi->capacity = num_srcs;
}

static void
get_call(struct reader *r, hd_call *call, uint32_t num_args)
{
   call->callee = r->functions[get_below(r, r->num_functions, "function")];
   if (call->instr.def.num_components != call->callee->result_components ||
       call->instr.def.bit_size != call->callee->result_bits)
      bad(r, "a call has another type than what '@%.100s' returns", call->callee->name);
   call->args = get_wide_srcs(r, &call->instr, num_args);
   call->num_args = num_args;
}

/* Jumps and edges. A block of a flat function first gets its successors, in order; the other ends
 * of the edges are made when the function is complete, so that predecessors stand in the order of
 * their numbers.
 */
static void
add_succ(hd_block *from, hd_block *to)
{
   from->succs[from->num_succs++].to = to;
}

static hd_block *
get_target(struct reader *r)
{
   uint32_t number = get_step(r, r->block->node.index);

   if (number >= r->num_blocks)
      bad(r, "block %u does not exist, there are %u", number, r->num_blocks);
   if (!number)
      bad(r, "nothing may jump to the start block");
   return r->blocks[number];
}

/* Which successor of the switch's block this is; a new one if it is none yet. */
static uint32_t
switch_succ(struct reader *r, hd_block *to)
{
   struct succ_of *known = &r->succ_of[to->node.index];

   if (known->from != r->block->node.index + 1) {
      *known = (struct succ_of){ r->block->node.index + 1, r->block->num_succs };
      add_succ(r->block, to);
   }
   return known->succ;
}

static void
get_switch(struct reader *r, hd_jump *jump)
{
   hd_pool *pool = hd_shader_pool(r->shader);
   hd_block *b = r->block, *otherwise = get_target(r);
   uint32_t count = get_count(r, 2, "cases");

   hd_heap_step(r->heap, count);
   if (!r->succ_of)
      r->succ_of = hd_stack_alloc_zero(r->stack, r->num_blocks * sizeof(*r->succ_of));
   if (count)
      jump->cases = hd_pool_alloc(pool, count * sizeof(*jump->cases));
   jump->num_cases = count;
   if (count > 1) {
      /* Not more than there are cases, and not more than there are blocks. */
      b->succ_capacity = (count < r->num_blocks ? count : r->num_blocks) + 1;
      b->succs = hd_pool_alloc(pool, b->succ_capacity * sizeof(hd_edge));
   }
   switch_succ(r, otherwise);
   for (uint32_t n = 0; n < count; n++) {
      r->at = r->p;
      jump->cases[n].value = get_value(r, 64);
      jump->cases[n].succ = switch_succ(r, get_target(r));
   }
}

/* A jump of a tree: what it goes to follows from where it stands. */
static void
get_tree_jump(struct reader *r, hd_jump_kind kind)
{
   const hd_cf_node *parent = r->list->parent;

   if (parent && parent->kind == HD_CF_LOOP && r->list == &r->loop->loop->continue_list)
      bad(r, "a jump at the end of a continue list");
   r->jump_loops[r->block->node.index] = NULL;
   if (kind == HD_JUMP_RETURN || kind == HD_JUMP_HALT)
      return;
   if (kind != HD_JUMP_BREAK && kind != HD_JUMP_CONTINUE)
      bad(r, "a jump of flat functions in a structured one");
   if (!r->loop)
      bad(r, "a break or continue outside a loop");
   if (kind == HD_JUMP_CONTINUE && r->loop->in_continue_list)
      bad(r, "a continue in a continue list");
   r->jump_loops[r->block->node.index] = r->loop->loop;
}

static void
get_flat_jump(struct reader *r, hd_jump *jump)
{
   hd_block *b = r->block;

   switch ((hd_jump_kind)jump->instr.op) {
   case HD_JUMP_GOTO:
      add_succ(b, get_target(r));
      break;
   case HD_JUMP_GOTO_IF:
      add_succ(b, get_target(r));
      add_succ(b, get_target(r));
      if (b->succs[0].to == b->succs[1].to)
         bad(r, "both targets of a branch are block %u", b->succs[0].to->node.index);
      break;
   case HD_JUMP_SWITCH:
      get_switch(r, jump);
      break;
   case HD_JUMP_RETURN:
   case HD_JUMP_HALT:
      add_succ(b, &r->f->end);
      break;
   default:
      bad(r, "a break or continue in a flat function");
   }
}

static void
get_jump(struct reader *r, hd_jump *jump)
{
   get_narrow_srcs(r, &jump->instr);
   if (r->f->structured)
      get_tree_jump(r, (hd_jump_kind)jump->instr.op);
   else
      get_flat_jump(r, jump);
}

static inline void
append(struct reader *r, hd_instr *i)
{
   hd_block *b = r->block;

   i->block = b;
   i->prev = b->last;
   if (b->last)
      b->last->next = i;
   else
      b->first = i;
   b->last = i;
   i->loc = r->loc & 0xffffff;
   if (i->def.bit_size) {
      if (r->num_defs == r->max_defs)
         bad(r, "more values than the %u that the function has", r->max_defs);
      i->def.index = r->num_defs;
      r->defs[r->num_defs++] = &i->def;
   }
   if (r->name) {
      if (!i->def.bit_size)
         bad(r, "a name for the result of an instruction without result");
      hd_def_set_name(r->f, &i->def, r->strings[r->name - 1]);
      r->name = 0;
   }
}

static void
read_instr(struct reader *r, const struct shape *shape)
{
   hd_instr *i = hd_slab_alloc(&r->slab, shape->size);

   hd_heap_step(r->heap, 1);
   if (hd_block_jump(r->block))
      bad(r, "an instruction after a jump");
   *i = shape->instr;
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      get_narrow_srcs(r, i);
      break;
   case HD_INSTR_CONST:
      for (unsigned n = 0; n < i->def.num_components; n++)
         ((hd_const *)i)->value[n].u64 = get_value(r, i->def.bit_size);
      break;
   case HD_INSTR_PHI:
      get_phi(r, (hd_phi *)i, shape->num_srcs);
      break;
   case HD_INSTR_INTRINSIC:
      get_narrow_srcs(r, i);
      get_indices(r, (hd_intrinsic *)i, shape->num_indices);
      break;
   case HD_INSTR_CALL:
      get_call(r, (hd_call *)i, shape->num_srcs);
      break;
   case HD_INSTR_JUMP:
      get_jump(r, (hd_jump *)i);
      break;
   case HD_INSTR_PARAM:
      get_param(r, (hd_param *)i);
      break;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      get_var_access(r, (hd_var_access *)i);
      break;
   case HD_INSTR_UNDEF:
   case HD_NUM_INSTR_KINDS:
      break;
   }
   append(r, i);
}

/* Control flow */

static void
append_node(struct reader *r, hd_cf_node *node)
{
   node->list = r->list;
   node->prev = r->list->last;
   if (node->prev)
      node->prev->next = node;
   else
      r->list->first = node;
   r->list->last = node;
}

static void
begin_block(struct reader *r)
{
   if (r->num_blocks == r->max_blocks)
      bad(r, "more blocks than the %u that the function has", r->max_blocks);
   hd_block *b = hd_block_alloc(r->f);
   append_node(r, &b->node);
   r->blocks[r->num_blocks++] = b;
   r->block = b;
}

static void
check_may_go_on(struct reader *r)
{
   if (hd_block_jump(r->block))
      bad(r, "code after a jump");
   if (!r->f->structured)
      bad(r, "an if or loop in a flat function");
}

static void
read_if(struct reader *r)
{
   check_may_go_on(r);
   hd_if *nif = hd_if_alloc(r->f, NULL);
   get_src(r, &nif->cond, HD_SLOT_IF);
   nif->node.loc = r->loc & 0xffffff;
   append_node(r, &nif->node);
   r->list = &nif->then_list;
   begin_block(r);
}

static void
read_loop(struct reader *r)
{
   struct open_loop *open = r->spare_loops;

   check_may_go_on(r);
   if (open)
      r->spare_loops = open->outer;
   else
      open = hd_stack_alloc(r->stack, sizeof(*open));
   hd_loop *loop = hd_loop_alloc(r->f);
   loop->node.loc = r->loc & 0xffffff;
   append_node(r, &loop->node);
   *open = (struct open_loop){ r->loop, loop, false };
   r->loop = open;
   r->list = &loop->body;
   begin_block(r);
}

/* The end of a list; false at that of the function. */
static bool
read_end(struct reader *r)
{
   hd_if *nif = hd_node_as_if(r->list->parent);
   hd_loop *loop = hd_node_as_loop(r->list->parent);

   if (nif && r->list == &nif->then_list) {
      r->list = &nif->else_list;
   } else if (loop && r->list == &loop->body) {
      r->list = &loop->continue_list;
      r->loop->in_continue_list = true;
   } else if (r->list->parent) {
      if (loop) {
         struct open_loop *open = r->loop;
         r->loop = open->outer;
         open->outer = r->spare_loops;
         r->spare_loops = open;
      }
      r->list = r->list->parent->list;
   } else {
      return false;
   }
   begin_block(r);
   return true;
}

/* Flat blocks all exist from the beginning, as targets. */
static void
begin_flat(struct reader *r)
{
   while (r->num_blocks < r->max_blocks) {
      hd_heap_step(r->heap, 1);
      begin_block(r);
   }
   r->block = r->blocks[0];
}

static void
next_flat_block(struct reader *r)
{
   if (r->f->structured)
      bad(r, "a block of a flat function in a structured one");
   if (!hd_block_jump(r->block))
      bad(r, "block %u has no jump at its end", r->block->node.index);
   if (!r->block->node.next)
      bad(r, "more blocks than the %u that the function has", r->max_blocks);
   r->block = hd_node_as_block(r->block->node.next);
}

/* What is said of a block, before its instructions. */
static void
read_block_note(struct reader *r, uint64_t code)
{
   hd_block *b = r->block;

   if (b->first)
      bad(r, "what belongs to the head of a block stands after an instruction");
   if (code == BINARY_BLOCK_NAME) {
      hd_block_set_name(r->f, b, get_string(r));
      return;
   }
   if (code == BINARY_BLOCK_LOC) {
      b->node.loc = get_below(r, r->shader->num_locations, "location") & 0xffffff;
      return;
   }
   if (r->f->structured)
      bad(r, "a declaration of flat functions in a structured one");
   if (code == BINARY_HEADER) {
      b->node.header = 1;
      return;
   }
   uint32_t number = get_step(r, b->node.index);
   if (number >= r->num_blocks)
      bad(r, "block %u does not exist, there are %u", number, r->num_blocks);
   if (code == BINARY_INSIDE)
      b->inside = r->blocks[number];
   else
      b->continues = r->blocks[number];
}

/* One item that is no instruction; false after the last of the function. */
static bool
read_item(struct reader *r, uint64_t code)
{
   switch (code) {
   case BINARY_LOC:
      r->loc = get_step(r, r->loc);
      if (r->loc >= r->shader->num_locations)
         bad(r, "location %u does not exist, there are %u", r->loc, r->shader->num_locations);
      return true;
   case BINARY_DEF_NAME:
      if (r->name)
         bad(r, "two names for one value");
      r->name = 1 + get_below(r, r->num_strings, "string");
      return true;
   }
   if (r->name)
      bad(r, "a name that no instruction follows");
   switch (code) {
   case BINARY_END:
      return read_end(r);
   case BINARY_BLOCK:
      next_flat_block(r);
      return true;
   case BINARY_IF:
      read_if(r);
      return true;
   case BINARY_LOOP:
      read_loop(r);
      return true;
   default:
      read_block_note(r, code);
      return true;
   }
}

static inline void
add_pred(hd_block *from, uint32_t succ)
{
   hd_block *to = from->succs[succ].to;

   if (to->num_preds == to->pred_capacity)
      hd_edge_reserve(NULL, 0, to, 1);
   from->succs[succ].pred = to->num_preds;
   to->preds[to->num_preds++] = (hd_pred){ from, succ };
}

/* Where control goes from a block of a tree: to one block, or to the arms of the if after it. */
static void
add_tree_edges(const struct reader *r, hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   const hd_cf_list *list = b->node.list;
   const hd_cf_node *next = b->node.next;
   hd_loop *loop = jump ? r->jump_loops[b->node.index] : hd_node_as_loop(next);
   hd_block *to;

   if (jump && loop) {
      to = jump->instr.op == HD_JUMP_BREAK ? hd_node_block_after(&loop->node)
                                           : hd_loop_continue(loop);
   } else if (jump || (!next && !list->parent)) {
      to = &r->f->end;
   } else if (loop) {
      to = hd_loop_header(loop);
   } else if (next) {
      to = hd_list_first_block(&hd_node_as_if(next)->then_list);
      add_succ(b, to);
      add_pred(b, 0);
      to = hd_list_first_block(&hd_node_as_if(next)->else_list);
   } else if (list->parent->kind == HD_CF_IF) {
      to = hd_node_block_after(list->parent);
   } else {
      loop = hd_node_as_loop(list->parent);
      to = list == &loop->body ? hd_loop_continue(loop) : hd_loop_header(loop);
   }
   add_succ(b, to);
   add_pred(b, b->num_succs - 1);
}

static void
connect(const struct reader *r)
{
   for (uint32_t n = 0; n < r->num_blocks; n++) {
      hd_block *b = r->blocks[n];
      if (r->f->structured)
         add_tree_edges(r, b);
      for (uint32_t i = 0; !r->f->structured && i < b->num_succs; i++)
         add_pred(b, i);
   }
}

static void
check_phis(struct reader *r)
{
   for (uint32_t n = 0; n < r->num_blocks; n++) {
      const hd_block *b = r->blocks[n];
      hd_foreach_phi(phi, b)
      {
         if (phi->num_srcs != b->num_preds)
            bad(r, "a phi in block %u has %u sources, the block has %u predecessors", n,
                phi->num_srcs, b->num_preds);
      }
   }
}

/* What sources read that come before their definitions. */
static void
read_forward(struct reader *r)
{
   uint32_t number = 0;

   for (hd_src *src = r->forward, *next; src; src = next) {
      next = (hd_src *)(src->next_link & ~(uintptr_t)7);
      r->at = r->p;
      number = get_step(r, number);
      if (number >= r->num_defs)
         bad(r, "value %u does not exist, there are %u", number, r->num_defs);
      src->def = r->defs[number];
      hd_src_link(src);
   }
}

/* Tables of one function, as long as it says; each entry takes a byte of its body. */
static void
begin_function(struct reader *r, uint32_t number)
{
   hd_function *f = r->functions[number];
   hd_stack *stack = r->stack;

   r->at = r->p;
   r->f = f;
   r->max_defs = r->num_function_defs[number];
   r->max_blocks = r->num_function_blocks[number];
   if (r->max_defs > left(r) || r->max_blocks > left(r) || !r->max_blocks)
      bad(r, "'@%.100s' cannot have %u values and %u blocks in %zu bytes", f->name, r->max_defs,
          r->max_blocks, left(r));
   r->defs = hd_stack_alloc(stack, r->max_defs * sizeof(*r->defs));
   r->blocks = hd_stack_alloc(stack, r->max_blocks * sizeof(*r->blocks));
   r->jump_loops = hd_stack_alloc(stack, r->max_blocks * sizeof(*r->jump_loops));
   r->vars = hd_stack_alloc(stack, f->num_vars * sizeof(*r->vars));
   r->num_vars = 0;
   hd_foreach_var(v, f) r->vars[r->num_vars++] = v;
   r->succ_of = NULL;
   r->loop = r->spare_loops = NULL;
   r->forward = r->last_forward = NULL;
   r->num_defs = 0;
   r->loc = r->name = 0;

   /* The start block exists; the edge it was made with goes. */
   r->list = &f->body;
   r->block = r->blocks[0] = hd_function_start(f);
   r->num_blocks = 1;
   r->block->num_succs = 0;
   f->end.num_preds = 0;
}

static void
end_function(struct reader *r)
{
   hd_function *f = r->f;

   r->at = r->p;
   if (r->num_blocks < r->max_blocks || (!f->structured && r->block->node.next))
      bad(r, "'@%.100s' has fewer blocks than the %u it says", f->name, r->max_blocks);
   if (r->num_defs < r->max_defs)
      bad(r, "'@%.100s' has fewer values than the %u it says", f->name, r->max_defs);
   if (!f->structured && !hd_block_jump(r->block))
      bad(r, "block %u has no jump at its end", r->block->node.index);
   f->num_defs = r->num_defs;
   read_forward(r);
   connect(r);
   check_phis(r);
   f->end.node.index = f->num_blocks++;
}

static void
read_body(struct reader *r, uint32_t number)
{
   hd_stack_mark mark = hd_stack_get_mark(r->stack);
   uint64_t code;

   begin_function(r, number);
   if (!r->f->structured)
      begin_flat(r);
   do {
      r->at = r->p;
      code = get_uint64(r);
      if (code >= BINARY_SHAPES) {
         if (code - BINARY_SHAPES >= r->num_shapes)
            bad(r, "shape %llu does not exist, there are %u",
                (unsigned long long)(code - BINARY_SHAPES), r->num_shapes);
         read_instr(r, &r->shapes[code - BINARY_SHAPES]);
      }
   } while (code >= BINARY_SHAPES || read_item(r, code));
   end_function(r);
   hd_stack_release(r->stack, mark);
}

/* The file */

static uint64_t
load_word(const uint8_t *p, unsigned num_bytes)
{
   uint64_t word = 0;

   for (unsigned n = 0; n < num_bytes; n++)
      word |= (uint64_t)p[n] << 8 * n;
   return word;
}

static void
read_header(struct reader *r)
{
   size_t size = left(r);
   uint8_t sum[HD_DIGEST_SIZE];
   hd_digest digest;

   if (!hd_is_binary(r->data, size))
      bad(r, "this is not the binary form of a shader");
   if (size < BINARY_HEADER_SIZE)
      bad(r, "the header has %u bytes, the data %zu", BINARY_HEADER_SIZE, size);
   r->at = r->data + 8;
   if (load_word(r->at, 8) != size)
      bad(r, "the header says %llu bytes, the data has %zu",
          (unsigned long long)load_word(r->at, 8), size);
   r->at = r->data + BINARY_SUMMED;
   hd_digest_init(&digest, 0, 0);
   hd_digest_add(&digest, r->data, BINARY_SUMMED);
   hd_digest_add(&digest, r->data + BINARY_HEADER_SIZE, size - BINARY_HEADER_SIZE);
   hd_digest_finish(&digest, sum);
   if (memcmp(sum, r->at, BINARY_HEADER_SIZE - BINARY_SUMMED) != 0)
      bad(r, "the data is damaged: its checksum does not match");
   r->at = r->data + 4;
   if (load_word(r->at, 4) != HD_BINARY_VERSION)
      unsupported(r, "version %u of the format, expected %u", (unsigned)load_word(r->at, 4),
                  HD_BINARY_VERSION);
   r->p += BINARY_HEADER_SIZE;
}

static void
read_file(struct reader *r)
{
   read_header(r);
   read_strings(r);
   read_properties(r);
   read_locations(r);
   read_shapes(r);
   read_function_heads(r);
   for (uint32_t n = 0; n < r->num_functions; n++)
      read_body(r, n);
   hd_slab_finish(&r->slab);
   r->at = r->p;
   if (r->p != r->end)
      bad(r, "%zu bytes after the last function", left(r));
}

bool
hd_is_binary(const void *data, size_t size)
{
   return size >= BINARY_MAGIC_SIZE && !memcmp(data, BINARY_MAGIC, BINARY_MAGIC_SIZE);
}

hd_result
hd_read_binary(const hd_config *config, const char *file_name, const void *data, size_t size,
               hd_shader **out)
{
   hd_shader *shader = hd_shader_create(config, HD_STAGE_COMPUTE, NULL);

   if (!shader)
      return HD_OUT_OF_MEMORY;
   struct reader r = { .file_name = file_name,
                       .data = data,
                       .p = data,
                       .end = (const uint8_t *)data + size,
                       .at = data,
                       .shader = shader,
                       .heap = hd_shader_heap(shader),
                       .stack = hd_shader_stack(shader),
                       .slab = { .pool = hd_shader_pool(shader) } };
   hd_stack_mark mark = hd_stack_get_mark(r.stack);
   hd_unwind u;

   hd_heap_refill(r.heap);
   if (HD_TRY(r.heap, &u))
      read_file(&r);
   hd_result result = hd_heap_leave(r.heap, &u);
   hd_stack_release(r.stack, mark);
   if (result != HD_OK) {
      hd_shader_destroy(shader);
      return result;
   }
   *out = shader;
   return HD_OK;
}
