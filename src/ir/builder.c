/* SPDX-License-Identifier: MIT */
/* builder.c - the builder: creation, completion, errors, instructions. */
#include "ir/builder.h"
#include "heddle/op_enum.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/float.h"
#include "util/quote.h"

/* Errors */

void
hd_builder_fail(hd_builder *b, hd_result result)
{
   if (b->result == HD_OK)
      b->result = result;
}

void
hd_builder_fail_status(hd_builder *b)
{
   hd_result status = b->shader ? hd_shader_status(b->shader) : HD_OUT_OF_MEMORY;

   hd_builder_fail(b, status == HD_OK ? HD_OUT_OF_MEMORY : status);
}

void
hd_builder_misuse(hd_builder *b, const char *format, ...)
{
   const hd_diag_sink *sink = &hd_shader_config(b->shader)->diag;
   char message[256];
   va_list args;

   if (b->result != HD_OK)
      return;
   b->result = HD_INVALID;
   if (!sink->report)
      return;
   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   hd_diag diag = { .severity = HD_ERROR, .message = message };
   if (b->loc < b->shader->num_locations) {
      diag.file = b->shader->locations[b->loc].file;
      diag.line = b->shader->locations[b->loc].line;
      diag.column = b->shader->locations[b->loc].column;
      diag.length = diag.column != 0;
   }
   hd_diag_send(sink, &diag);
}

static hd_def *
dummy(hd_builder *b)
{
   return &b->dummy.def;
}

/* Begin and end */

static hd_builder
blank(hd_shader *shader, hd_function *f)
{
   hd_builder b;

   memset(&b, 0, sizeof(b));
   b.shader = shader;
   b.function = f;
   b.dummy.kind = HD_INSTR_UNDEF;
   b.dummy.def.index = HD_NO_INDEX;
   b.dummy.def.num_components = 1;
   b.dummy.def.bit_size = 32;
   return b;
}

static hd_builder
create(const hd_config *config, hd_stage stage, const char *name, bool structured)
{
   hd_shader *shader = NULL;
   hd_result made = hd_shader_make(config, stage, name, &shader);
   hd_builder b = blank(shader, NULL);

   b.owns_shader = true;
   if (!shader) {
      hd_builder_fail(&b, made);
      return b;
   }
   hd_function *f = hd_function_create(shader, "main", structured);
   if (!f) {
      hd_builder_fail_status(&b);
      return b;
   }
   hd_builder_enter(&b, f);
   return b;
}

hd_builder
hd_builder_create(const hd_config *config, hd_stage stage, const char *name)
{
   return create(config, stage, name, true);
}

hd_builder
hd_builder_create_flat(const hd_config *config, hd_stage stage, const char *name)
{
   return create(config, stage, name, false);
}

hd_builder
hd_builder_at(hd_cursor cursor)
{
   hd_function *f = hd_block_function(hd_cursor_block(cursor));
   hd_builder b = blank(f->shader, f);

   b.cursor = cursor;
   hd_heap_refill(hd_shader_heap(f->shader));
   return b;
}

hd_builder_state *
hd_builder_need_state(hd_builder *b)
{
   if (b->state)
      return b->state;
   b->state = hd_pool_alloc(hd_shader_pool(b->shader), sizeof(*b->state));
   if (!b->state)
      hd_builder_fail_status(b);
   return b->state;
}

/* Give back what only building needed. Values of dropped code live until here. */
static void
free_state(hd_builder *b)
{
   hd_builder_state *s = b->state;

   if (!s)
      return;
   hd_pool *pool = hd_shader_pool(b->shader);
   for (unsigned n = 0; n < HD_NUM_SHAPES; n++)
      hd_instr_free(b->shader, s->placeless[n]);
   for (hd_ssa_var *v = s->vars, *next; v; v = next) {
      next = v->next;
      hd_pool_free(pool, v, sizeof(*v));
   }
   hd_pool_free(pool, s->frames, s->frame_capacity * sizeof(*s->frames));
   hd_pool_free(pool, s->memos, s->memo_capacity * sizeof(*s->memos));
   hd_pool_free(pool, s->infos, s->info_capacity * sizeof(*s->infos));
   hd_pool_free(pool, s->phis, s->phi_capacity * sizeof(*s->phis));
   hd_pool_free(pool, s, sizeof(*s));
   b->state = NULL;
}

/* End the current function. A failure keeps the state: only destroying the shader can follow. */
static void
complete(hd_builder *b)
{
   if (b->result != HD_OK || !b->function)
      return;
   if (b->state) {
      if (!hd_builder_close(b))
         return;
      hd_vars_complete(b);
      if (b->result != HD_OK)
         return;
      free_state(b);
   }
}

void
hd_builder_enter(hd_builder *b, hd_function *function)
{
   complete(b);
   if (b->result != HD_OK)
      return;
   if (function->shader != b->shader) {
      hd_builder_misuse(b, "enter: function '%s' is of another shader", function->name);
      return;
   }
   hd_heap_refill(hd_shader_heap(b->shader));
   hd_block *last = hd_list_last_block(&function->body);
   b->function = function;
   b->cursor = hd_after_block(last);
   b->dropped = false;
   if (hd_block_jump(last)) {
      hd_builder_misuse(b, "enter: function '%s' has a jump at its end", function->name);
      return;
   }
   hd_builder_state *s = hd_builder_need_state(b);
   if (s)
      s->whole = last == hd_function_start(function);
}

hd_result
hd_builder_finish(hd_builder *b, hd_shader **shader)
{
   complete(b);
   if (b->result == HD_OK && b->owns_shader)
      hd_builder_close_all(b);
   if (b->shader && hd_shader_status(b->shader) != HD_OK)
      hd_builder_fail_status(b);
   if (shader)
      *shader = b->result == HD_OK ? b->shader : NULL;
   if (b->owns_shader && (b->result != HD_OK || !shader))
      hd_shader_destroy(b->shader);
   hd_result result = b->result;
   *b = blank(NULL, NULL);
   /* Whatever comes after finishing does nothing. */
   b->result = result == HD_OK ? HD_INVALID : result;
   return result;
}

void
hd_set_location(hd_builder *b, const char *file, uint32_t line, uint32_t column)
{
   if (b->result != HD_OK)
      return;
   b->loc = 0;
   if (!file)
      return;
   b->loc = hd_shader_location(b->shader, file, line, column);
   if (!b->loc && hd_shader_status(b->shader) != HD_OK)
      hd_builder_fail_status(b);
}

hd_def *
hd_name_def(hd_builder *b, const char *name, hd_def *def)
{
   if (b->result != HD_OK || !def || hd_def_is_placeless(def))
      return def;
   if (!hd_def_set_name(b->function, def, name))
      hd_builder_fail_status(b);
   return def;
}

/* Operands */

hd_def *
hd_builder_placeless(hd_builder *b, unsigned num_components, unsigned bit_size)
{
   hd_builder_state *s = hd_builder_need_state(b);

   if (!s)
      return dummy(b);
   hd_instr **place = &s->placeless[hd_shape_index(num_components, bit_size)];
   if (!*place)
      *place = hd_undef_create(b->shader, num_components, bit_size);
   if (!*place) {
      hd_builder_fail_status(b);
      return dummy(b);
   }
   return &(*place)->def;
}

bool
hd_builder_check_def(hd_builder *b, const char *who, unsigned operand, const hd_def *def)
{
   if (!def) {
      hd_builder_misuse(b, "%s: operand %u is NULL", who, operand);
      return false;
   }
   if (!b->dropped && hd_def_is_placeless(def)) {
      hd_builder_misuse(b, "%s: operand %u comes from code that is never reached", who, operand);
      return false;
   }
   return true;
}

/* A misuse unless the value has this shape. */
static bool
check_shape(hd_builder *b, const char *who, unsigned operand, const hd_def *def,
            unsigned num_components, unsigned bit_size)
{
   if (!hd_builder_check_def(b, who, operand, def))
      return false;
   if (def->num_components == num_components && def->bit_size == bit_size)
      return true;
   hd_builder_misuse(b, "%s: operand %u is %u x %u bits, expected %u x %u", who, operand,
                     def->num_components, def->bit_size, num_components, bit_size);
   return false;
}

/* Insert at the cursor, and move the cursor after it. */
static hd_def *
insert(hd_builder *b, hd_instr *i)
{
   if (!i || !hd_heap_step(hd_shader_heap(b->shader), 1)) {
      hd_builder_fail_status(b);
      hd_instr_free(b->shader, i);
      return dummy(b);
   }
   i->loc = b->loc;
   if (b->cursor.option == HD_CURSOR_AFTER_BLOCK && !hd_block_jump(b->cursor.block)) {
      hd_instr_append(b->cursor.block, i);
   } else {
      hd_instr_insert(b->cursor, i);
      if (b->cursor.option != HD_CURSOR_BEFORE_INSTR)
         b->cursor = hd_after_instr(i);
   }
   return &i->def;
}

hd_def *
hd_build_instr(hd_builder *b, hd_instr *i)
{
   if (b->result != HD_OK || b->dropped) {
      hd_def *def = NULL;
      if (i && i->def.bit_size && b->result == HD_OK)
         def = hd_builder_placeless(b, i->def.num_components, i->def.bit_size);
      else if (!i || i->def.bit_size)
         def = dummy(b);
      if (i && b->shader)
         hd_instr_free(b->shader, i);
      return def;
   }
   if (i) {
      unsigned n = 0;
      hd_foreach_src(src, i) {
         if (!hd_builder_check_def(b, "instr", n++, src->def)) {
            hd_instr_free(b->shader, i);
            return dummy(b);
         }
      }
   }
   hd_def *def = insert(b, i);
   return b->result != HD_OK || def->bit_size ? def : NULL;
}

hd_def *
hd_build_param(hd_builder *b, unsigned num_components, unsigned bit_size)
{
   if (b->result != HD_OK)
      return dummy(b);
   if (!hd_is_shape(num_components, bit_size)) {
      hd_builder_misuse(b, "param: %u x %u bits is not a size", num_components, bit_size);
      return dummy(b);
   }
   hd_def *def = hd_function_add_param(b->function, num_components, bit_size);
   if (!def) {
      hd_builder_fail_status(b);
      return dummy(b);
   }
   return def;
}

/* Ops */

static void
misfit(hd_builder *b, const char *name, hd_shape_fault fault, unsigned where)
{
   if (fault == HD_SHAPE_NUM_SRCS || fault == HD_SHAPE_NO_SUCH_OP)
      hd_builder_misuse(b, "%s: %s", name[0] ? name : "op", hd_shape_fault_text(fault));
   else if (where == HD_SHAPE_AT_RESULT)
      hd_builder_misuse(b, "%s: the result %s", name, hd_shape_fault_text(fault));
   else
      hd_builder_misuse(b, "%s: operand %u %s", name, where, hd_shape_fault_text(fault));
}

static bool
get_shapes(hd_builder *b, const char *name, unsigned num_srcs, hd_def *const *srcs,
           hd_shape *shapes)
{
   for (unsigned n = 0; n < num_srcs; n++) {
      if (!hd_builder_check_def(b, name, n, srcs[n]))
         return false;
      shapes[n] = (hd_shape){ srcs[n]->num_components, srcs[n]->bit_size };
   }
   return true;
}

#define FP_FLAGS (HD_FP_EXACT | HD_FP_NO_NAN | HD_FP_NO_INF | HD_FP_NO_SIGNED_ZERO)

hd_def *
hd_build_alu(hd_builder *b, hd_op op, unsigned num_srcs, hd_def *const *srcs, unsigned dest_bits)
{
   const hd_op_info *info = hd_op_get_info(op);
   hd_shape shapes[HD_MAX_COMPONENTS], shape;
   unsigned where = 0;

   if (b->result != HD_OK)
      return dummy(b);
   if (num_srcs > HD_MAX_COMPONENTS) {
      misfit(b, info->name, HD_SHAPE_NUM_SRCS, 0);
      return dummy(b);
   }
   if (!get_shapes(b, info->name, num_srcs, srcs, shapes))
      return dummy(b);
   hd_shape_fault fault = hd_op_infer_shape(op, num_srcs, shapes, dest_bits, &shape, &where);
   if (fault != HD_SHAPE_FITS) {
      misfit(b, info->name, fault, where);
      return dummy(b);
   }
   if (b->dropped)
      return hd_builder_placeless(b, shape.num_components, shape.bit_size);
   hd_alu *alu = hd_alu_create(b->shader, op, num_srcs, shape.num_components, shape.bit_size);
   if (!alu)
      return insert(b, NULL);
   for (unsigned n = 0; n < num_srcs; n++)
      alu->src[n].def = srcs[n];
   if (info->flags & HD_OP_FLOAT)
      alu->instr.flags = b->flags & FP_FLAGS;
   return insert(b, &alu->instr);
}

/* HD_ASSUME_UNIFORM, if the builder says so and the intrinsic has an operand to promise it of. */
static uint8_t
promise(const hd_builder *b, const hd_intrinsic_info *info)
{
   uint8_t flags = 0;

   for (unsigned n = 0; n < info->num_srcs; n++)
      flags |= info->src[n].flags;
   return flags & (HD_OPERAND_UNIFORM | HD_OPERAND_DESCRIPTOR) ? b->flags & HD_ASSUME_UNIFORM : 0;
}

/* The constants of an intrinsic, checked. */
static bool
get_indices(hd_builder *b, const hd_intrinsic_info *info, const uint32_t *given, uint32_t *indices)
{
   for (unsigned n = 0; n < info->num_indices; n++) {
      hd_index index = (hd_index)info->indices[n];
      const hd_index_info *index_info = hd_index_get_info(index);
      indices[n] = given ? given[n] : index_info->default_value;
      if (!hd_index_is_valid(index, indices[n])) {
         hd_builder_misuse(b, "%s: %s cannot be %u", info->name, index_info->name,
                           (unsigned)indices[n]);
         return false;
      }
   }
   return true;
}

hd_def *
hd_build_intrinsic(hd_builder *b, hd_intrinsic_id id, unsigned num_components, unsigned bits,
                   unsigned num_srcs, hd_def *const *srcs, const uint32_t *indices)
{
   const hd_intrinsic_info *info =
       b->shader ? hd_shader_intrinsic_info(b->shader, id) : hd_intrinsic_get_info(id);
   /* What is none gives something all the same. */
   bool has_result = info->flags & HD_HAS_RESULT || !info->name_length;
   hd_shape shapes[HD_MAX_INTRINSIC_SRCS], shape;
   uint32_t checked[HD_MAX_INDICES];
   unsigned where = 0;

   if (b->result != HD_OK)
      return has_result ? dummy(b) : NULL;
   hd_shape_fault fault = HD_SHAPE_NUM_SRCS;
   if (num_srcs <= HD_MAX_INTRINSIC_SRCS && num_components <= HD_MAX_COMPONENTS && bits <= 64) {
      if (!get_shapes(b, info->name, num_srcs, srcs, shapes))
         return has_result ? dummy(b) : NULL;
      hd_shape wanted = { (uint8_t)num_components, (uint8_t)bits };
      fault = hd_intrinsic_info_infer_shape(info, num_srcs, shapes, wanted, &shape, &where);
   }
   if (fault != HD_SHAPE_FITS) {
      misfit(b, info->name, fault, where);
      return has_result ? dummy(b) : NULL;
   }
   if (!get_indices(b, info, indices, checked))
      return has_result ? dummy(b) : NULL;
   if (b->dropped) {
      return has_result ? hd_builder_placeless(b, shape.num_components, shape.bit_size) : NULL;
   }
   hd_intrinsic *i =
       hd_intrinsic_create(b->shader, id, num_srcs, info->num_indices,
                           has_result ? shape.num_components : 0, has_result ? shape.bit_size : 0);
   hd_def *def = NULL;
   if (i) {
      for (unsigned n = 0; n < num_srcs; n++)
         i->src[n].def = srcs[n];
      if (info->num_indices)
         memcpy(hd_intrinsic_indices(i), checked, info->num_indices * sizeof(*checked));
      i->instr.flags = b->flags & HD_ASSUME_UNIFORM ? promise(b, info) : 0;
      def = insert(b, &i->instr);
   } else {
      def = insert(b, NULL);
   }
   return has_result ? def : NULL;
}

/* Constants */

hd_def *
hd_imm(hd_builder *b, unsigned num_components, unsigned bit_size, const hd_const_value *values)
{
   if (b->result != HD_OK)
      return dummy(b);
   if (!hd_is_shape(num_components, bit_size)) {
      hd_builder_misuse(b, "const: %u x %u bits is not a size", num_components, bit_size);
      return dummy(b);
   }
   if (b->dropped)
      return hd_builder_placeless(b, num_components, bit_size);
   hd_const *c = hd_const_create(b->shader, num_components, bit_size, values);
   return insert(b, c ? &c->instr : NULL);
}

hd_def *
hd_imm_uint(hd_builder *b, unsigned bit_size, uint64_t value)
{
   hd_const_value v = { .u64 = value };

   return hd_imm(b, 1, bit_size, &v);
}

hd_def *
hd_imm_float(hd_builder *b, unsigned bit_size, double value)
{
   hd_const_value v = { .f64 = value };

   if (b->result == HD_OK && bit_size != 16 && bit_size != 32 && bit_size != 64) {
      hd_builder_misuse(b, "const: a float cannot have %u bits", bit_size);
      return dummy(b);
   }
   if (bit_size == 16 || bit_size == 32)
      v.u64 = hd_float_convert(64, bit_size, v.u64, HD_ROUND_NEAREST_EVEN);
   return hd_imm(b, 1, bit_size, &v);
}

hd_def *
hd_imm_bool(hd_builder *b, bool value)
{
   return hd_imm_uint(b, 1, value);
}

hd_def *
hd_imm_u32(hd_builder *b, uint32_t value)
{
   return hd_imm_uint(b, 32, value);
}

hd_def *
hd_imm_i32(hd_builder *b, int32_t value)
{
   return hd_imm_uint(b, 32, (uint32_t)value);
}

hd_def *
hd_imm_u64(hd_builder *b, uint64_t value)
{
   return hd_imm_uint(b, 64, value);
}

hd_def *
hd_imm_f32(hd_builder *b, float value)
{
   return hd_imm_vec_f32(b, 1, &value);
}

hd_def *
hd_imm_f64(hd_builder *b, double value)
{
   return hd_imm_float(b, 64, value);
}

hd_def *
hd_imm_vec_u32(hd_builder *b, unsigned num_components, const uint32_t *values)
{
   hd_const_value v[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num_components && n < HD_MAX_COMPONENTS; n++)
      v[n] = (hd_const_value){ .u64 = values[n] };
   return hd_imm(b, num_components, 32, v);
}

hd_def *
hd_imm_vec_f32(hd_builder *b, unsigned num_components, const float *values)
{
   hd_const_value v[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num_components && n < HD_MAX_COMPONENTS; n++) {
      v[n] = (hd_const_value){ .u64 = 0 };
      memcpy(&v[n].u32, &values[n], sizeof(v[n].u32));
   }
   return hd_imm(b, num_components, 32, v);
}

hd_def *
hd_undef(hd_builder *b, unsigned num_components, unsigned bit_size)
{
   if (b->result != HD_OK)
      return dummy(b);
   if (!hd_is_shape(num_components, bit_size)) {
      hd_builder_misuse(b, "undef: %u x %u bits is not a size", num_components, bit_size);
      return dummy(b);
   }
   if (b->dropped)
      return hd_builder_placeless(b, num_components, bit_size);
   return insert(b, hd_undef_create(b->shader, num_components, bit_size));
}

/* Vectors, calls, memory of variables */

hd_def *
hd_build_vec(hd_builder *b, unsigned num_components, hd_def *const *scalars)
{
   if (b->result == HD_OK && num_components == 1 && scalars[0] && scalars[0]->num_components == 1)
      return scalars[0];
   return hd_build_alu(b, HD_OP_VEC, num_components, scalars, 0);
}

hd_def *
hd_build_channel(hd_builder *b, hd_def *vector, unsigned component)
{
   if (b->result != HD_OK || !hd_builder_check_def(b, "channel", 0, vector))
      return dummy(b);
   if (component >= vector->num_components) {
      hd_builder_misuse(b, "channel: no component %u in a vector of %u", component,
                        vector->num_components);
      return dummy(b);
   }
   if (vector->num_components == 1)
      return vector;
   hd_def *srcs[2] = { vector, hd_imm_u32(b, component) };
   return hd_build_alu(b, HD_OP_CHANNEL, 2, srcs, 0);
}

/* The arguments must be the callee's parameters one by one. */
static bool
check_args(hd_builder *b, const hd_function *callee, unsigned num_args, hd_def *const *args)
{
   if (callee->shader != b->shader) {
      hd_builder_misuse(b, "call: function '%s' is of another shader", callee->name);
      return false;
   }
   if (num_args != callee->num_params) {
      hd_builder_misuse(b, "call: '%s' has %u parameters, %u arguments are given", callee->name,
                        (unsigned)callee->num_params, num_args);
      return false;
   }
   const hd_instr *param = hd_function_start(callee)->first;
   for (unsigned n = 0; n < num_args; n++, param = param->next) {
      if (!check_shape(b, "call", n, args[n], param->def.num_components, param->def.bit_size))
         return false;
   }
   return true;
}

hd_def *
hd_build_call(hd_builder *b, hd_function *callee, unsigned num_args, hd_def *const *args)
{
   if (b->result != HD_OK || !check_args(b, callee, num_args, args))
      return callee && callee->result_bits ? dummy(b) : NULL;
   hd_def *def;
   if (b->dropped) {
      return callee->result_bits
                 ? hd_builder_placeless(b, callee->result_components, callee->result_bits)
                 : NULL;
   }
   hd_call *call = hd_call_create(b->shader, callee, num_args);
   if (call) {
      for (unsigned n = 0; n < num_args; n++)
         call->args[n].src.def = args[n];
      def = insert(b, &call->instr);
   } else {
      def = insert(b, NULL);
   }
   return callee->result_bits ? def : NULL;
}

static bool
check_var(hd_builder *b, const char *who, const hd_var *var, const hd_def *index)
{
   if (!var->array_length) {
      if (index)
         hd_builder_misuse(b, "%s: '%s' is not an array, but an index is given", who, var->name);
   } else if (!index) {
      hd_builder_misuse(b, "%s: '%s' is an array, but no index is given", who, var->name);
   } else {
      check_shape(b, who, 0, index, 1, 32);
   }
   return b->result == HD_OK;
}

hd_def *
hd_load_var(hd_builder *b, hd_var *var, hd_def *index)
{
   if (b->result != HD_OK || !check_var(b, "load_var", var, index))
      return dummy(b);
   if (b->dropped)
      return hd_builder_placeless(b, var->num_components, var->bit_size);
   hd_var_access *load = hd_load_var_create(b->shader, var);
   if (load && index)
      load->src[0].def = index;
   return insert(b, load ? &load->instr : NULL);
}

void
hd_store_var(hd_builder *b, hd_var *var, hd_def *index, hd_def *value)
{
   if (b->result != HD_OK || !check_var(b, "store_var", var, index) ||
       !check_shape(b, "store_var", 0, value, var->num_components, var->bit_size) || b->dropped)
      return;
   hd_var_access *store = hd_store_var_create(b->shader, var);
   if (store) {
      store->src[0].def = value;
      if (index)
         store->src[1].def = index;
   }
   insert(b, store ? &store->instr : NULL);
}
