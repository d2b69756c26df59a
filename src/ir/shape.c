/* SPDX-License-Identifier: MIT */
/* shape.c - type inference and checks: operand and result sizes from the tables. */
#include "heddle/ops.h"

/* What the types seen so far have settled: the size of each size variable, and the number n. */
typedef struct bindings {
   uint8_t bits[26]; /* by letter; 0 while open */
   uint8_t components;
} bindings;

static hd_shape_fault
bind(bindings *known, const hd_type_info *type, hd_shape shape)
{
   if (!(type->sizes & shape.bit_size) || (shape.bit_size & (shape.bit_size - 1)))
      return HD_SHAPE_BITS;
   if (type->size_variable) {
      uint8_t *bits = &known->bits[type->size_variable - 'A'];
      if (*bits && *bits != shape.bit_size)
         return HD_SHAPE_BITS_DIFFER;
      *bits = shape.bit_size;
   }
   if (shape.num_components < type->min_components || shape.num_components > type->max_components)
      return HD_SHAPE_COMPONENTS;
   if (type->linked) {
      if (known->components && known->components != shape.num_components)
         return HD_SHAPE_COMPONENTS_DIFFER;
      known->components = shape.num_components;
   }
   return HD_SHAPE_FITS;
}

/* Fill in what the type, and the operands before it, say of a shape that is open (0). */
static hd_shape
complete(const bindings *known, const hd_type_info *type, hd_shape shape)
{
   if (!shape.bit_size && type->size_variable)
      shape.bit_size = known->bits[type->size_variable - 'A'];
   if (!shape.bit_size && (type->sizes & (type->sizes - 1)) == 0)
      shape.bit_size = type->sizes;
   if (!shape.num_components && type->linked)
      shape.num_components = known->components;
   if (!shape.num_components && type->min_components == type->max_components)
      shape.num_components = type->min_components;
   return shape;
}

static hd_shape_fault
infer_result(bindings *known, const hd_type_info *type, hd_shape wanted, hd_shape *result,
             unsigned *where)
{
   hd_shape shape = complete(known, type, wanted);
   hd_shape_fault fault = HD_SHAPE_RESULT_OPEN;

   if (shape.bit_size && shape.num_components)
      fault = bind(known, type, shape);
   if (fault == HD_SHAPE_FITS)
      *result = shape;
   else if (where)
      *where = HD_SHAPE_AT_RESULT;
   return fault;
}

static hd_shape_fault
fail(hd_shape_fault fault, unsigned place, unsigned *where)
{
   if (where)
      *where = place;
   return fault;
}

hd_shape_fault
hd_op_infer_shape(hd_op op, unsigned num_srcs, const hd_shape *srcs, unsigned bit_size,
                  hd_shape *result, unsigned *where)
{
   const hd_op_info *info = hd_op_get_info(op);
   const bool variadic = info->flags & HD_OP_VARIADIC;
   bindings known = { .components = 0 };

   if (!info->num_srcs)
      return fail(HD_SHAPE_NO_SUCH_OP, HD_SHAPE_AT_RESULT, where);
   if (variadic ? num_srcs < 1 || num_srcs > info->result.max_components
                : num_srcs != info->num_srcs)
      return fail(HD_SHAPE_NUM_SRCS, HD_SHAPE_AT_RESULT, where);

   for (unsigned i = 0; i < num_srcs; i++) {
      const hd_shape_fault fault = bind(&known, hd_op_src_type(info, i), srcs[i]);
      if (fault != HD_SHAPE_FITS)
         return fail(fault, i, where);
   }
   if (variadic)
      known.components = (uint8_t)num_srcs;
   if (bit_size > 64)
      return fail(HD_SHAPE_BITS, HD_SHAPE_AT_RESULT, where);
   return infer_result(&known, &info->result, (hd_shape){ 0, (uint8_t)bit_size }, result, where);
}

hd_shape_fault
hd_intrinsic_infer_shape(hd_intrinsic_id id, unsigned num_srcs, const hd_shape *srcs,
                         hd_shape wanted, hd_shape *result, unsigned *where)
{
   return hd_intrinsic_info_infer_shape(hd_intrinsic_get_info(id), num_srcs, srcs, wanted, result,
                                        where);
}

hd_shape_fault
hd_intrinsic_info_infer_shape(const hd_intrinsic_info *info, unsigned num_srcs,
                              const hd_shape *srcs, hd_shape wanted, hd_shape *result,
                              unsigned *where)
{
   bindings known = { .components = 0 };

   if (!info->name_length)
      return fail(HD_SHAPE_NO_SUCH_OP, HD_SHAPE_AT_RESULT, where);
   if (num_srcs != info->num_srcs)
      return fail(HD_SHAPE_NUM_SRCS, HD_SHAPE_AT_RESULT, where);

   for (unsigned i = 0; i < num_srcs; i++) {
      const hd_shape_fault fault = bind(&known, &info->src[i], srcs[i]);
      if (fault != HD_SHAPE_FITS)
         return fail(fault, i, where);
   }
   if (info->flags & HD_HAS_RESULT)
      return infer_result(&known, &info->result, wanted, result, where);
   if (wanted.bit_size || wanted.num_components)
      return fail(HD_SHAPE_COMPONENTS, HD_SHAPE_AT_RESULT, where);
   *result = wanted;
   return HD_SHAPE_FITS;
}

const char *
hd_shape_fault_text(hd_shape_fault fault)
{
   switch (fault) {
   case HD_SHAPE_FITS:
      return "fits";
   case HD_SHAPE_NO_SUCH_OP:
      return "belongs to no op";
   case HD_SHAPE_NUM_SRCS:
      return "has another number of operands than the op";
   case HD_SHAPE_BITS:
      return "has a size that the op does not allow";
   case HD_SHAPE_BITS_DIFFER:
      return "has another size than the operands before it";
   case HD_SHAPE_COMPONENTS:
      return "has a number of components that the op does not allow";
   case HD_SHAPE_COMPONENTS_DIFFER:
      return "has another number of components than the operands before it";
   case HD_SHAPE_RESULT_OPEN:
      return "has a size that must be given";
   }
   return "has no such fault";
}

uint64_t
hd_element_value(hd_element element, unsigned bit_size)
{
   const uint64_t top = UINT64_C(1) << (bit_size - 1);
   const unsigned fraction = bit_size == 16 ? 10 : bit_size == 32 ? 23 : 52;
   const uint64_t inf = (top - 1) >> fraction << fraction;

   switch (element) {
   case HD_ELEMENT_NONE:
   case HD_ELEMENT_ZERO:
   case HD_ELEMENT_FLOAT_ZERO:
      return 0;
   case HD_ELEMENT_ONE:
      return 1;
   case HD_ELEMENT_ALL_ONES:
      return top | (top - 1);
   case HD_ELEMENT_INT_MIN:
   case HD_ELEMENT_FLOAT_NEG_ZERO:
      return top;
   case HD_ELEMENT_INT_MAX:
      return top - 1;
   case HD_ELEMENT_FLOAT_ONE:
      /* The exponent of 1 is the bias, which is all ones below the exponent's top bit. */
      return inf >> 1 >> fraction << fraction;
   case HD_ELEMENT_FLOAT_INF:
      return inf;
   case HD_ELEMENT_FLOAT_NEG_INF:
      return top | inf;
   case HD_ELEMENT_FLOAT_NAN:
      return inf | UINT64_C(1) << (fraction - 1);
   }
   return 0;
}

bool
hd_index_is_valid(hd_index index, uint32_t value)
{
   const hd_index_info *info = hd_index_get_info(index);

   if (!info)
      return false;
   switch (info->kind) {
   case HD_INDEX_KIND_UINT:
   case HD_INDEX_KIND_INT:
      return true;
   case HD_INDEX_KIND_BOOL:
      return value <= 1;
   case HD_INDEX_KIND_ENUM:
      return value < info->num_values;
   case HD_INDEX_KIND_FLAGS:
      return value < UINT64_C(1) << info->num_values;
   }
   return false;
}

unsigned
hd_image_coord_components(hd_image_dim dim, bool array)
{
   switch (dim) {
   case HD_DIM_D1:
   case HD_DIM_BUFFER:
      return 1 + array;
   case HD_DIM_D2:
      return 2 + array;
   case HD_DIM_D3:
   case HD_DIM_CUBE:
      return 3 + array;
   case HD_NUM_IMAGE_DIMS:
      break;
   }
   return 0;
}
