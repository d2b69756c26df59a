/* SPDX-License-Identifier: MIT */
/* binary_read.c - reader of the binary form (deserialisation); see doc/binary.md.
 *
 * The input is untrusted. Each count is checked against the remaining bytes before allocation, each
 * index against its range before use, and constructs that are not allowed where they occur are
 * rejected. The tree is built along its own links, without recursion.
 */
#include "ir/binary_read.h"

#include <stdarg.h>

#include "heddle/intrinsic.h"
#include "util/quote.h"

void
hd_binary_stop(struct binary_reader *r, hd_result result, const char *format, ...)
{
   const hd_diag_sink *sink = &r->heap->config.diag;
   char message[256];
   va_list args;

   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   if (sink->report) {
      hd_diag diag = { .severity = HD_ERROR,
                       .file = r->file_name,
                       .offset = (uint64_t)(r->at - r->data),
                       .message = message };
      hd_diag_send(sink, &diag);
   }
   r->heap->unwind->result = result;
   longjmp(r->heap->unwind->env, 1);
}

uint64_t
hd_binary_long_uint(struct binary_reader *r)
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

uint32_t
hd_binary_count(struct binary_reader *r, size_t size, const char *what)
{
   r->at = r->p;
   uint64_t count = get_uint64(r);

   if (count > left(r) / size || count >= UINT32_MAX)
      bad(r, "%llu %s cannot follow in %zu bytes", (unsigned long long)count, what, left(r));
   return (uint32_t)count;
}

static void
get_type(struct binary_reader *r, uint8_t *num_components, uint8_t *bit_size, bool may_be_none)
{
   uint8_t type = get_byte(r);

   if (!binary_type_decode(type, num_components, bit_size) || (!type && !may_be_none))
      bad(r, "0x%02x is not a type", type);
}

/* Tables */

/* Each string stands in the table once, so that names are equal only where their numbers are. */
static void
read_strings(struct binary_reader *r)
{
   const struct hd_memory *m = r->shader->memory;
   bool had_empty = false; /* the shader itself begins with an empty name */

   r->num_strings = hd_binary_count(r, 1, "strings");
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
read_properties(struct binary_reader *r)
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
   r->at = r->p;
   shader->lowered = get_uint(r);
   if (shader->lowered & ~(uint32_t)HD_LOWERED_ALL)
      bad(r, "0x%x is not a set of lowered constructs", shader->lowered);
   r->at = r->p;
   const uint32_t size = hd_binary_count(r, 1, "bytes of constant data");
   if (size > HD_MAX_CONSTANTS)
      bad(r, "%u bytes of constant data, expected at most %u", size, HD_MAX_CONSTANTS);
   hd_shader_add_constants(shader, r->p, size, 1);
   r->p += size;
}

static void
read_locations(struct binary_reader *r)
{
   uint32_t count = hd_binary_count(r, 3, "locations"), line = 0;

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
check_shape_num_srcs(struct binary_reader *r, uint32_t num_srcs, uint32_t least, uint32_t most)
{
   if (num_srcs < least || num_srcs > most)
      bad(r, "an instruction with %u operands, expected %u to %u", num_srcs, least, most);
}

static void
read_alu_shape(struct binary_reader *r, struct binary_shape *shape, const char *name)
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

/* One of the driver's own: only with the table that it was written with. */
static hd_intrinsic_id
find_own(struct binary_reader *r, const char *name)
{
   const hd_intrinsic_table *table = hd_shader_config(r->shader)->intrinsics;
   const hd_hash hash = hd_intrinsic_table_hash(table);
   bool same = true;

   for (unsigned n = 0; n < sizeof(hash.bytes); n++)
      same &= get_byte(r) == hash.bytes[n];
   if (!table)
      unsupported(
          r, "'%.100s' is an intrinsic of the driver's own, and no table of intrinsics is given",
          name);
   if (!same)
      unsupported(r, "'%.100s' was written with another table of intrinsics than this one", name);
   const hd_intrinsic_id id = hd_shader_find_intrinsic(r->shader, name, strlen(name));
   if (id < HD_INTRINSIC_OWN)
      bad(r, "the table of intrinsics has no '%.100s'", name);
   return id;
}

static void
read_intrinsic_shape(struct binary_reader *r, struct binary_shape *shape, const char *name,
                     bool own)
{
   hd_instr *i = &shape->instr;
   hd_intrinsic_id id = own ? find_own(r, name) : hd_intrinsic_from_name(name, strlen(name));
   const hd_intrinsic_info *info = hd_shader_intrinsic_info(r->shader, id);
   uint32_t digest = 0;

   if (id == HD_INTRINSIC_NONE)
      unsupported(r, "there is no intrinsic '%.100s'", name);
   for (unsigned n = 0; n < 4 && !own; n++)
      digest |= (uint32_t)get_byte(r) << 8 * n;
   if (!own && digest != hd_binary_index_digest(info))
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
read_jump_shape(struct binary_reader *r, struct binary_shape *shape)
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
read_shape_by_kind(struct binary_reader *r, struct binary_shape *shape, const char *name, bool own)
{
   hd_instr *i = &shape->instr;
   uint32_t num_components = i->def.num_components;

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      read_alu_shape(r, shape, name);
      break;
   case HD_INSTR_INTRINSIC:
      read_intrinsic_shape(r, shape, name, own);
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
read_shape(struct binary_reader *r, struct binary_shape *shape)
{
   hd_instr *i = &shape->instr;
   const char *name = NULL;

   r->at = r->p;
   hd_heap_step(r->heap, 1);
   memset(shape, 0, sizeof(*shape));
   const bool own = r->p != r->end && *r->p == BINARY_OWN_INTRINSIC;
   i->kind = HD_INSTR_INTRINSIC;
   if (own)
      get_byte(r);
   else
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
   read_shape_by_kind(r, shape, name, own);
}

static void
read_shapes(struct binary_reader *r)
{
   r->num_shapes = hd_binary_count(r, 4, "shapes");
   r->shapes = hd_stack_alloc(r->stack, r->num_shapes * sizeof(*r->shapes));
   for (uint32_t n = 0; n < r->num_shapes; n++)
      read_shape(r, &r->shapes[n]);
}

/* Functions: their heads, before any body, because calls name them */

static void
read_vars(struct binary_reader *r, hd_function *f, uint32_t number)
{
   uint32_t count = hd_binary_count(r, 3, "variables");

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
read_function_head(struct binary_reader *r, uint32_t number, const char *name)
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
read_function_heads(struct binary_reader *r)
{
   uint32_t count = hd_binary_count(r, 6, "functions");

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
read_header(struct binary_reader *r)
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
read_file(struct binary_reader *r)
{
   read_header(r);
   read_strings(r);
   read_properties(r);
   read_locations(r);
   read_shapes(r);
   read_function_heads(r);
   for (uint32_t n = 0; n < r->num_functions; n++)
      hd_binary_read_body(r, n);
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
   hd_shader *shader = NULL;
   hd_result made = hd_shader_make(config, HD_STAGE_COMPUTE, NULL, &shader);

   if (made != HD_OK)
      return made;
   if (!size)
      data = ""; /* no pointer is needed for nothing */
   struct binary_reader r = { .file_name = file_name,
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
