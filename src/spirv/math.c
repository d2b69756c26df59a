/* SPDX-License-Identifier: MIT */
/* math.c - expand math functions from the byte code of src/codegen/math/language.py. */
#include "spirv/math.h"
#include "heddle/build_ops.h"

#include <assert.h>
#include <string.h>

#include "spirv/math_tables.h"

/* A branch in a branch is as deep as it gets; each hands on a few values. */
#define MAX_DEPTH  4
#define MAX_HANDED 8

/* What is open: a branch or a loop. */
struct region {
   bool is_loop;
   unsigned num_vars;
   hd_ssa_var *vars[MAX_HANDED];
   hd_block *header, *after; /* of a flat function */
};

struct machine {
   hd_builder *b;
   const uint8_t *at;
   unsigned bits;       /* what N stands for */
   unsigned components; /* of the operands */
   unsigned depth;
   struct region regions[MAX_DEPTH];
   hd_def *values[256];
};

static const struct math_function *
info_of(enum hd_math function)
{
   assert(function < NUM_MATH);
   return &math_functions[function];
}

unsigned
hd_math_num_params(enum hd_math function)
{
   return info_of(function)->num_params;
}

unsigned
hd_math_num_results(enum hd_math function)
{
   return info_of(function)->num_results;
}

unsigned
hd_math_param_bits(enum hd_math function, unsigned n, unsigned bits)
{
   const unsigned own = info_of(function)->param_bits[n];

   return own ? own : bits;
}

/* Code for this size, or NULL. */
static const struct math_program *
program_for(enum hd_math function, unsigned bits)
{
   const struct math_function *f = info_of(function);

   for (unsigned i = f->first; i < f->first + f->num_programs; i++) {
      if (math_programs[i].bits == bits || !math_programs[i].bits)
         return &math_programs[i];
   }
   return NULL;
}

bool
hd_math_has(enum hd_math function, unsigned bits)
{
   if (bits < (info_of(function)->float_params & 1 ? 16 : 8))
      return false;
   return program_for(function, bits) || (bits == 16 && program_for(function, 32));
}

/* Reading ------------------------------------------------------------------------------------ */

static uint64_t
read_bytes(struct machine *m, unsigned count)
{
   uint64_t value = 0;

   for (unsigned i = 0; i < count; i++)
      value |= (uint64_t)*m->at++ << (8 * i);
   return value;
}

static uint64_t
read_int(struct machine *m)
{
   uint64_t value = 0;
   unsigned shift = 0;
   uint8_t byte;

   do {
      byte = *m->at++;
      value |= (uint64_t)(byte & 0x7f) << shift;
      shift += 7;
   } while (byte & 0x80);
   if (shift < 64 && byte & 0x40)
      value |= ~UINT64_C(0) << shift;
   return value;
}

static unsigned
read_size(struct machine *m)
{
   const unsigned size = *m->at++;

   switch (size) {
   case 0:
      return m->bits;
   case MATH_SIZE_TWICE:
      return 2 * m->bits;
   default:
      return size;
   }
}

static hd_def *
read_value(struct machine *m)
{
   return m->values[*m->at++];
}

/* Values ------------------------------------------------------------------------------------- */

static hd_def *
splat(hd_builder *b, hd_def *scalar, unsigned components)
{
   hd_def *parts[HD_MAX_COMPONENTS];

   if (scalar->num_components == components)
      return scalar;
   assert(scalar->num_components == 1);
   for (unsigned i = 0; i < components; i++)
      parts[i] = scalar;
   return hd_build_vec(b, components, parts);
}

/* Constants are scalars until an op takes them together with a vector: then they become vectors as
 * constants, not by an instruction.
 */
static hd_def *
widen(hd_builder *b, hd_def *def, unsigned components)
{
   const hd_const *c =
       b->result == HD_OK && !b->dropped ? hd_instr_as_const(hd_def_instr(def)) : NULL;
   hd_const_value values[HD_MAX_COMPONENTS];

   if (!c || def->num_components != 1)
      return splat(b, def, components);
   for (unsigned i = 0; i < components; i++)
      values[i] = c->value[0];
   return hd_imm(b, components, def->bit_size, values);
}

static void
build_op(struct machine *m, hd_op op)
{
   const hd_op_info *info = hd_op_get_info(op);
   hd_def *srcs[HD_MAX_OP_SRCS];
   unsigned components = 1;
   const unsigned to = *m->at++;

   for (unsigned i = 0; i < info->num_srcs; i++) {
      srcs[i] = read_value(m);
      if (srcs[i]->num_components > components)
         components = srcs[i]->num_components;
   }
   if (info->flags & HD_OP_COMPONENTWISE && components > 1) {
      for (unsigned i = 0; i < info->num_srcs; i++)
         srcs[i] = widen(m->b, srcs[i], components);
   }
   const unsigned size = info->flags & HD_OP_SIZED ? read_size(m) : 0;
   m->values[to] = hd_build_alu(m->b, op, info->num_srcs, srcs, size);
}

static void
build_dot(struct machine *m)
{
   hd_builder *b = m->b;
   const unsigned to = *m->at++;
   hd_def *x = read_value(m), *y = read_value(m);
   const unsigned last = x->num_components - 1;
   hd_def *factor = hd_build_channel(b, y, last);
   hd_def *sum = hd_fmul(b, hd_build_channel(b, x, last), factor);

   for (unsigned i = last; i-- > 0;) {
      hd_def *factor = hd_build_channel(b, y, i);
      sum = hd_ffma(b, hd_build_channel(b, x, i), factor, sum);
   }
   m->values[to] = sum;
}

static void
build_largest(struct machine *m)
{
   const unsigned to = *m->at++;
   hd_def *x = read_value(m), *largest = hd_build_channel(m->b, x, 0);

   for (unsigned i = 1; i < x->num_components; i++)
      largest = hd_fmax(m->b, largest, hd_build_channel(m->b, x, i));
   m->values[to] = largest;
}

/* Control flow ------------------------------------------------------------------------------- */

static struct region *
open_region(struct machine *m, bool is_loop)
{
   assert(m->depth < MAX_DEPTH);
   struct region *r = &m->regions[m->depth++];

   *r = (struct region){ .is_loop = is_loop };
   return r;
}

/* A variable for each value that the region hands on. */
static void
hand_on(struct machine *m, struct region *r, hd_def *value)
{
   assert(r->num_vars < MAX_HANDED);
   hd_ssa_var *var = hd_ssa_var_create(m->b, value->num_components, value->bit_size);

   r->vars[r->num_vars++] = var;
   hd_ssa_write(m->b, var, value);
}

static void
build_branch(struct machine *m)
{
   hd_builder *b = m->b;
   struct region *r = open_region(m, false);
   hd_def *condition = read_value(m);

   for (unsigned count = *m->at++; count; count--)
      hand_on(m, r, read_value(m));
   if (b->function->structured) {
      hd_push_if(b, condition);
      return;
   }
   hd_block *taken = hd_builder_add_block(b);
   r->after = hd_builder_add_block(b);
   hd_goto_if(b, condition, taken, r->after);
   hd_seal_block(b, taken);
   hd_builder_set_block(b, taken);
}

static void
build_join(struct machine *m)
{
   hd_builder *b = m->b;
   struct region *r = &m->regions[--m->depth];
   uint8_t to[MAX_HANDED];

   const unsigned count = *m->at++;
   assert(!r->is_loop && count == r->num_vars);
   for (unsigned i = 0; i < count; i++) {
      to[i] = *m->at++;
      hd_ssa_write(b, r->vars[i], read_value(m));
   }
   if (b->function->structured) {
      hd_pop_if(b);
   } else {
      hd_goto(b, r->after);
      hd_seal_block(b, r->after);
      hd_builder_set_block(b, r->after);
   }
   for (unsigned i = 0; i < count; i++)
      m->values[to[i]] = hd_ssa_read(b, r->vars[i]);
}

static void
build_loop(struct machine *m)
{
   hd_builder *b = m->b;
   struct region *r = open_region(m, true);
   uint8_t to[MAX_HANDED];

   const unsigned count = *m->at++;
   for (unsigned i = 0; i < count; i++) {
      to[i] = *m->at++;
      hand_on(m, r, read_value(m));
   }
   if (b->function->structured) {
      hd_push_loop(b);
   } else {
      r->header = hd_builder_add_block(b);
      r->after = hd_builder_add_block(b);
      hd_goto(b, r->header);
      hd_builder_set_block(b, r->header);
   }
   for (unsigned i = 0; i < count; i++)
      m->values[to[i]] = hd_ssa_read(b, r->vars[i]);
}

static void
build_while(struct machine *m)
{
   hd_builder *b = m->b;
   struct region *r = &m->regions[m->depth - 1];
   hd_def *condition = read_value(m);

   if (b->function->structured) {
      hd_break_if(b, hd_inot(b, condition));
      return;
   }
   hd_block *body = hd_builder_add_block(b);
   hd_goto_if(b, condition, body, r->after);
   hd_seal_block(b, body);
   hd_builder_set_block(b, body);
}

static void
build_again(struct machine *m)
{
   hd_builder *b = m->b;
   struct region *r = &m->regions[--m->depth];

   assert(r->is_loop && *m->at == r->num_vars);
   m->at++;
   for (unsigned i = 0; i < r->num_vars; i++)
      hd_ssa_write(b, r->vars[i], read_value(m));
   if (b->function->structured) {
      hd_pop_loop(b);
      return;
   }
   hd_goto(b, r->header);
   hd_seal_block(b, r->header);
   hd_seal_block(b, r->after);
   hd_builder_set_block(b, r->after);
}

/* Programs ----------------------------------------------------------------------------------- */

static void build_call(struct machine *m);

static void
build_step(struct machine *m)
{
   hd_builder *b = m->b;
   const unsigned code = *m->at++;
   unsigned to, size;

   switch (code) {
   case MATH_CODE_INT:
      to = *m->at++;
      size = read_size(m);
      m->values[to] = hd_imm_uint(b, size, read_int(m));
      break;
   case MATH_CODE_FLOAT32:
      to = *m->at++;
      m->values[to] = hd_imm_uint(b, 32, read_bytes(m, 4));
      break;
   case MATH_CODE_FLOAT64:
      to = *m->at++;
      m->values[to] = hd_imm_uint(b, 64, read_bytes(m, 8));
      break;
   case MATH_CODE_FLOAT: {
      const uint64_t encoding = (to = *m->at++, read_bytes(m, 8));
      double value;
      memcpy(&value, &encoding, sizeof value);
      m->values[to] = hd_imm_float(b, m->bits, value);
      break;
   }
   case MATH_CODE_DOT:
      build_dot(m);
      break;
   case MATH_CODE_LARGEST:
      build_largest(m);
      break;
   case MATH_CODE_BRANCH:
      build_branch(m);
      break;
   case MATH_CODE_JOIN:
      build_join(m);
      break;
   case MATH_CODE_LOOP:
      build_loop(m);
      break;
   case MATH_CODE_WHILE:
      build_while(m);
      break;
   case MATH_CODE_AGAIN:
      build_again(m);
      break;
   case MATH_CODE_CALL:
      build_call(m);
      break;
   default:
      build_op(m, code);
   }
}

/* The results' places follow the code. */
static void
run_code(struct machine *m, uint32_t offset, uint32_t length, unsigned num_results,
         hd_def **results)
{
   const uint8_t *end = math_code + offset + length;

   m->at = math_code + offset;
   while (m->at < end)
      build_step(m);
   for (unsigned i = 0; i < num_results; i++)
      results[i] = read_value(m);
}

/* Parts call parts, as deep as the functions were written. */
static void
build_call(struct machine *m)
{
   const struct math_part *part = &math_parts[read_bytes(m, 2)];
   struct machine inner = { .b = m->b, .bits = m->bits };
   hd_def *results[MAX_HANDED];
   const uint8_t *places = m->at;

   assert(part->num_results <= MAX_HANDED);
   m->at += part->num_results;
   for (unsigned i = 0; i < part->num_params; i++)
      inner.values[i] = read_value(m);
   run_code(&inner, part->offset, part->length, part->num_results, results);
   for (unsigned i = 0; i < part->num_results; i++)
      m->values[places[i]] = results[i];
}

static void
run(hd_builder *b, const struct math_function *f, const struct math_program *p, unsigned bits,
    hd_def *const *params, hd_def **results)
{
   struct machine m = { .b = b, .bits = bits };

   for (unsigned i = 0; i < f->num_params; i++)
      m.values[i] = params[i];
   run_code(&m, p->offset, p->length, f->num_results, results);
}

/* Lanes go their own ways in each component. */
static void
run_components(hd_builder *b, const struct math_function *f, const struct math_program *p,
               unsigned bits, unsigned components, hd_def *const *params, hd_def **results)
{
   hd_def *parts[HD_MATH_MAX_RESULTS][HD_MAX_COMPONENTS];
   const unsigned num = f->num_params;

   for (unsigned c = 0; c < components; c++) {
      hd_def *scalars[HD_MATH_MAX_PARAMS] = { NULL }, *made[HD_MATH_MAX_RESULTS] = { NULL };
      for (unsigned i = 0; i < num; i++)
         scalars[i] = params[i]->num_components > 1 ? hd_build_channel(b, params[i], c) : params[i];
      run(b, f, p, bits, scalars, made);
      for (unsigned i = 0; i < f->num_results; i++)
         parts[i][c] = made[i];
   }
   for (unsigned i = 0; i < f->num_results; i++)
      results[i] = hd_build_vec(b, components, parts[i]);
}

void
hd_math_build(hd_builder *b, enum hd_math function, hd_def *const *params, hd_def **results)
{
   const struct math_function *f = info_of(function);
   const unsigned bits = params[0]->bit_size;
   const struct math_program *p = program_for(function, bits);
   const uint8_t flags = b->flags;
   const bool narrow = !p;
   hd_def *used[HD_MATH_MAX_PARAMS];
   unsigned components = 1;

   if (narrow)
      p = program_for(function, 32);
   assert(p && (!narrow || bits == 16));
   for (unsigned i = 0; i < f->num_params; i++) {
      used[i] = narrow && f->float_params >> i & 1 ? hd_f2f(b, params[i], 32) : params[i];
      if (used[i]->num_components > components)
         components = used[i]->num_components;
   }
   /* What users promise holds for what they see, not for what is computed on the way. */
   b->flags = f->exact ? HD_FP_EXACT : flags & HD_FP_EXACT;
   if (p->branchy && components > 1)
      run_components(b, f, p, narrow ? 32 : bits, components, used, results);
   else
      run(b, f, p, narrow ? 32 : bits, used, results);
   for (unsigned i = 0; i < f->num_results && narrow; i++) {
      if (f->float_results >> i & 1)
         results[i] = hd_f2f(b, results[i], 16);
   }
   b->flags = flags;
}
