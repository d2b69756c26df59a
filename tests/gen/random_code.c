/* SPDX-License-Identifier: MIT */
/* random_code.c - random instructions: what the tables allow, with operands that fit. */
#include "random_code.h"

#include "heddle/build.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"

#include <stdio.h>
#include <string.h>

uint32_t
random_below(generator *g, uint32_t below)
{
   g->random ^= g->random << 13;
   g->random ^= g->random >> 7;
   g->random ^= g->random << 17;
   return (uint32_t)((g->random * UINT64_C(0x2545f4914f6cdd1d) >> 32) % below);
}

bool
random_once_in(generator *g, uint32_t n)
{
   return random_below(g, n) == 0;
}

/* One of the list; where there are newer ones, half of the time one of those. */
static uint16_t
draw(generator *g, const uint16_t *listed, unsigned num_listed, const uint16_t *newer,
     unsigned num_newer)
{
   if (num_newer && random_once_in(g, 2))
      return newer[random_below(g, num_newer)];
   return listed[random_below(g, num_listed)];
}

hd_op
draw_op(generator *g)
{
   const vocabulary *v = &g->vocabulary;

   return draw(g, v->ops, v->num_ops, v->newer_ops, v->num_newer_ops);
}

hd_intrinsic_id
draw_intrinsic(generator *g)
{
   const vocabulary *v = &g->vocabulary;

   return draw(g, v->intrinsics, v->num_intrinsics, v->newer_intrinsics, v->num_newer_intrinsics);
}

/* One of the sizes that are or-ed in a mask. */
static unsigned
random_size(generator *g, unsigned sizes)
{
   static const uint8_t all[] = { 1, 8, 16, 32, 64 };
   unsigned size;

   do {
      size = all[random_below(g, 5)];
   } while (!(sizes & size));
   return size;
}

hd_shape
random_shape(generator *g)
{
   hd_shape shape = { 1, 32 };

   if (random_once_in(g, 3))
      shape.bit_size = (uint8_t)random_size(g, 1 | 8 | 16 | 32 | 64);
   if (random_once_in(g, 4))
      shape.num_components = (uint8_t)(1 + random_below(g, random_once_in(g, 4) ? 16 : 4));
   return shape;
}

const char *
random_name(generator *g, char buffer[32])
{
   static const char *const odd[] = {
      "x", "a b", "quote\"", "back\\slash", "new\nline", "\x01\xff", "\xc3\xa4", "%0", "b1", "if",
   };

   if (!random_once_in(g, 6))
      return NULL;
   if (random_once_in(g, 4))
      return odd[random_below(g, sizeof(odd) / sizeof(odd[0]))];
   snprintf(buffer, 32, "value_%u", (unsigned)random_below(g, 50));
   return buffer;
}

static void
remember(generator *g, hd_def *def)
{
   char buffer[32];

   if (!def || g->b.dropped || g->b.result != HD_OK)
      return;
   const char *name = random_name(g, buffer);
   if (name)
      hd_name_def(&g->b, name, def);
   if (g->num_values < MAX_VALUES)
      g->values[g->num_values++] = def;
}

static hd_def *
random_const(generator *g, unsigned num_components, unsigned bit_size)
{
   hd_const_value values[HD_MAX_COMPONENTS];
   static const uint64_t special[] = {
      0, 1, 2, UINT64_MAX, 0x80000000, 0x7fc00000, 0x3f800000, 0x8000, 0x7c00, 0xff, 1000,
   };

   for (unsigned n = 0; n < num_components; n++) {
      uint64_t any = (uint64_t)random_below(g, UINT32_MAX) << 32 | random_below(g, UINT32_MAX);
      uint64_t value = random_once_in(g, 2) ? any : special[random_below(g, 11)];
      values[n] = (hd_const_value){ .u64 = value };
   }
   return hd_imm(&g->b, num_components, bit_size, values);
}

hd_def *
random_value(generator *g, unsigned num_components, unsigned bit_size)
{
   hd_def *def;

   for (unsigned n = 0; n < 12 && g->num_values; n++) {
      def = g->values[random_below(g, g->num_values)];
      if (def->num_components == num_components && def->bit_size == bit_size)
         return def;
   }
   if (random_once_in(g, 12))
      def = hd_undef(&g->b, num_components, bit_size);
   else
      def = random_const(g, num_components, bit_size);
   remember(g, def);
   return def;
}

/* Sizes that size variables have in one instruction, and the count that [n] stands for. */
typedef struct choice {
   uint8_t sizes[128];
   unsigned n;
} choice;

static hd_shape
choose_shape(generator *g, choice *c, const hd_type_info *type)
{
   unsigned components = type->min_components, bits;

   if (type->linked)
      components = c->n;
   else if (type->max_components > type->min_components)
      components += random_below(g, type->max_components - type->min_components + 1u);
   if (!type->size_variable)
      bits = random_size(g, type->sizes);
   else if (c->sizes[(unsigned char)type->size_variable])
      bits = c->sizes[(unsigned char)type->size_variable];
   else
      bits = c->sizes[(unsigned char)type->size_variable] = (uint8_t)random_size(g, type->sizes);
   return (hd_shape){ (uint8_t)components, (uint8_t)bits };
}

static choice
new_choice(generator *g)
{
   choice c = { .n = random_once_in(g, 3) ? 1 + random_below(g, 4) : 1 };

   if (random_once_in(g, 40))
      c.n = 1 + random_below(g, HD_MAX_COMPONENTS);
   return c;
}

bool
random_fit(generator *g, hd_op op, op_fit *fit)
{
   const hd_op_info *info = hd_op_get_info(op);
   choice c = new_choice(g);
   hd_shape result;

   fit->num = info->flags & HD_OP_VARIADIC ? 1 + random_below(g, 6) : info->num_srcs;
   for (unsigned n = 0; n < fit->num; n++)
      fit->shapes[n] = choose_shape(g, &c, hd_op_src_type(info, n));
   fit->bits = info->flags & HD_OP_SIZED ? random_size(g, info->result.sizes) : 0;
   return hd_op_infer_shape(op, fit->num, fit->shapes, fit->bits, &result, NULL) == HD_SHAPE_FITS;
}

static void
random_op(generator *g)
{
   hd_op op = draw_op(g);
   hd_def *srcs[HD_MAX_COMPONENTS];
   op_fit fit;

   if (!random_fit(g, op, &fit))
      return;
   for (unsigned n = 0; n < fit.num; n++)
      srcs[n] = random_value(g, fit.shapes[n].num_components, fit.shapes[n].bit_size);
   g->b.flags = random_once_in(g, 3) ? (uint8_t)random_below(g, 16) : 0;
   remember(g, hd_build_alu(&g->b, op, fit.num, srcs, fit.bits));
}

/* Constants of an intrinsic: any that are in range, and fit each other. */
static void
choose_indices(generator *g, const hd_intrinsic_info *info, uint32_t *values)
{
   for (unsigned n = 0; n < info->num_indices; n++) {
      hd_index index = (hd_index)info->indices[n];
      const hd_index_info *index_info = hd_index_get_info(index);
      values[n] = index_info->default_value;
      if (random_once_in(g, 2))
         continue;
      switch (index_info->kind) {
      case HD_INDEX_KIND_BOOL:
         values[n] = random_below(g, 2);
         break;
      case HD_INDEX_KIND_ENUM:
         values[n] = random_below(g, index_info->num_values);
         break;
      case HD_INDEX_KIND_FLAGS:
         values[n] = random_below(g, 1u << index_info->num_values);
         break;
      case HD_INDEX_KIND_INT:
         values[n] = random_below(g, 200) - 100u;
         break;
      case HD_INDEX_KIND_UINT:
         values[n] = random_below(g, 8);
         break;
      }
      if (index == HD_INDEX_ALIGN_MUL || index == HD_INDEX_CLUSTER_SIZE)
         values[n] = 1u << random_below(g, 5);
   }
   unsigned mul = info->slots[HD_INDEX_ALIGN_MUL], offset = info->slots[HD_INDEX_ALIGN_OFFSET];
   if (mul && offset)
      values[offset - 1] %= values[mul - 1];
   unsigned dim = info->slots[HD_INDEX_DIM], array = info->slots[HD_INDEX_ARRAY];
   if (dim && array && !hd_image_coord_components((hd_image_dim)values[dim - 1], values[array - 1]))
      values[array - 1] = 0;
}

/* An op that can work on this size, where the instruction combines values by one. */
static void
choose_combining(generator *g, const hd_intrinsic_info *info, hd_index index, unsigned bits,
                 uint32_t *values)
{
   unsigned slot = info->slots[index];
   const hd_index_info *index_info = hd_index_get_info(index);

   if (!slot)
      return;
   for (;;) {
      hd_op op = index_info->values[values[slot - 1]].op;
      if (op == HD_OP_NONE || hd_op_get_info(op)->src[0].sizes & bits)
         return;
      values[slot - 1] = random_below(g, index_info->num_values);
   }
}

static void
random_intrinsic(generator *g)
{
   hd_intrinsic_id id = draw_intrinsic(g);
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   choice c = new_choice(g);
   hd_def *srcs[HD_MAX_INTRINSIC_SRCS];
   hd_shape shapes[HD_MAX_INTRINSIC_SRCS], wanted = { 0, 0 }, result = { 0, 0 };
   uint32_t indices[HD_MAX_INDICES];

   if (!(info->stages >> g->b.shader->stage & 1))
      return;
   choose_indices(g, info, indices);
   unsigned dim = info->slots[HD_INDEX_DIM] ? indices[info->slots[HD_INDEX_DIM] - 1] : 0;
   bool array = info->slots[HD_INDEX_ARRAY] && indices[info->slots[HD_INDEX_ARRAY] - 1];
   for (unsigned n = 0; n < info->num_srcs; n++) {
      shapes[n] = choose_shape(g, &c, &info->src[n]);
      if (!info->slots[HD_INDEX_DIM])
         continue;
      if (!strcmp(info->src[n].name, "coord"))
         shapes[n].num_components = (uint8_t)hd_image_coord_components((hd_image_dim)dim, array);
      else if (!strcmp(info->src[n].name, "ddx") || !strcmp(info->src[n].name, "ddy"))
         shapes[n].num_components = (uint8_t)hd_image_coord_components((hd_image_dim)dim, false);
   }
   if (hd_intrinsic_infer_shape(id, info->num_srcs, shapes, wanted, &result, NULL) !=
       HD_SHAPE_FITS) {
      wanted = choose_shape(g, &c, &info->result);
      if (hd_intrinsic_infer_shape(id, info->num_srcs, shapes, wanted, &result, NULL) !=
          HD_SHAPE_FITS)
         return;
   }
   unsigned bits = result.bit_size ? result.bit_size : 32;
   choose_combining(g, info, HD_INDEX_REDUCE_OP, bits, indices);
   choose_combining(g, info, HD_INDEX_ATOMIC_OP, bits, indices);

   /* What must be uniform is promised to be, or is a constant. */
   bool promised = random_once_in(g, 2);
   for (unsigned n = 0; n < info->num_srcs; n++) {
      bool uniform = info->src[n].flags & (HD_OPERAND_UNIFORM | HD_OPERAND_DESCRIPTOR);
      if (uniform && !promised)
         srcs[n] = random_const(g, shapes[n].num_components, shapes[n].bit_size);
      else
         srcs[n] = random_value(g, shapes[n].num_components, shapes[n].bit_size);
   }
   g->b.flags = promised ? HD_ASSUME_UNIFORM : 0;
   remember(g, hd_build_intrinsic(&g->b, id, wanted.num_components, wanted.bit_size, info->num_srcs,
                                  srcs, indices));
   g->b.flags = 0;
}

static void
random_call(generator *g)
{
   hd_def *args[8];

   if (!g->num_callees)
      return;
   hd_function *f = g->callees[random_below(g, g->num_callees)];
   const hd_instr *param = hd_function_start(f)->first;
   for (unsigned n = 0; n < f->num_params; n++, param = param->next)
      args[n] = random_value(g, param->def.num_components, param->def.bit_size);
   remember(g, hd_build_call(&g->b, f, f->num_params, args));
}

static void
random_access(generator *g)
{
   hd_var *var = g->vars[random_below(g, NUM_VARS)];
   hd_def *index = var && var->array_length ? random_value(g, 1, 32) : NULL;

   if (!var)
      return;
   if (random_once_in(g, 2))
      remember(g, hd_load_var(&g->b, var, index));
   else
      hd_store_var(&g->b, var, index, random_value(g, var->num_components, var->bit_size));
}

void
random_statement(generator *g)
{
   uint32_t what = random_below(g, 26), v = random_below(g, NUM_SSA_VARS);

   if (random_once_in(g, 8)) {
      static const char *const files[] = { "a.c", "dir/b \"c\".glsl", "\xc3\xbc.hlsl" };
      const uint32_t column = random_below(g, 80), line = random_below(g, 100);
      hd_set_location(&g->b, random_once_in(g, 3) ? NULL : files[random_below(g, 3)], line, column);
   }
   if (what < 8)
      random_op(g);
   else if (what < 13)
      random_intrinsic(g);
   else if (what < 14)
      random_call(g);
   else if (what < 16)
      random_access(g);
   else if (what < 22)
      hd_ssa_write(&g->b, g->ssa_vars[v], random_value(g, 1 + v % 2, v < 2 ? 32 : 1));
   else
      remember(g, hd_ssa_read(&g->b, g->ssa_vars[v]));
}
