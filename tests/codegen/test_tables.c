/* SPDX-License-Identifier: MIT */
/* The tables of ops and intrinsics: every name is found, every law names what exists, and shapes
 * are inferred and refused as the signatures say.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/ir.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"

static hd_op
op_named(const char *name)
{
   return hd_op_from_name(name, strlen(name));
}

static void
test_op_names(void **state)
{
   (void)state;
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      char longer[80];

      assert_int_equal(info->name_length, strlen(info->name));
      assert_int_equal(op_named(info->name), op);

      /* Neither a name cut short nor one with more behind it is this name. */
      strcpy(longer, info->name);
      strcat(longer, "$");
      assert_int_equal(op_named(longer), HD_OP_NONE);
      assert_int_equal(hd_op_from_name(longer, info->name_length), op);
      assert_int_not_equal(hd_op_from_name(info->name, info->name_length - 1u), op);
   }
   assert_int_equal(op_named(""), HD_OP_NONE);
   assert_int_equal(op_named("IADD"), HD_OP_NONE);
   assert_string_equal(hd_op_get_info(HD_OP_NONE)->name, "");
   assert_string_equal(hd_op_get_info(HD_NUM_OPS)->name, "");
   assert_string_equal(hd_op_get_info((hd_op)60000)->name, "");
}

static void
test_intrinsic_names(void **state)
{
   (void)state;
   for (unsigned id = 1; id < HD_NUM_INTRINSICS; id++) {
      const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)id);

      assert_int_equal(info->name_length, strlen(info->name));
      assert_int_equal(hd_intrinsic_from_name(info->name, info->name_length), id);
      assert_int_not_equal(hd_intrinsic_from_name(info->name, info->name_length - 1u), id);
      for (unsigned i = 0; i < info->num_indices; i++)
         assert_int_equal(info->slots[info->indices[i]], i + 1);
      assert_true(!(info->flags & HD_HAS_RESULT) == (info->divergence == HD_DIVERGENCE_NONE));
      assert_true(info->stages > 0 && info->stages < 1u << HD_NUM_STAGES);
   }
   assert_int_equal(hd_intrinsic_from_name("iadd", 4), HD_INTRINSIC_NONE);
   assert_string_equal(hd_intrinsic_get_info(HD_NUM_INTRINSICS)->name, "");
}

static void
test_indices(void **state)
{
   (void)state;
   for (unsigned i = 0; i < HD_NUM_INDICES; i++) {
      const hd_index_info *info = hd_index_get_info((hd_index)i);

      assert_int_equal(hd_index_from_name(info->name, strlen(info->name)), i);
      assert_true(hd_index_is_valid((hd_index)i, info->default_value));
   }
   assert_int_equal(hd_index_from_name("offse", 5), HD_NUM_INDICES);
   assert_null(hd_index_get_info(HD_NUM_INDICES));

   assert_true(hd_index_is_valid(HD_INDEX_OFFSET, UINT32_MAX));
   assert_true(hd_index_is_valid(HD_INDEX_ARRAY, 1));
   assert_false(hd_index_is_valid(HD_INDEX_ARRAY, 2));
   assert_true(hd_index_is_valid(HD_INDEX_DIM, HD_DIM_BUFFER));
   assert_false(hd_index_is_valid(HD_INDEX_DIM, HD_NUM_IMAGE_DIMS));
   assert_true(hd_index_is_valid(HD_INDEX_ACCESS, HD_ACCESS_ALL));
   assert_false(hd_index_is_valid(HD_INDEX_ACCESS, HD_ACCESS_ALL + 1u));
   assert_false(hd_index_is_valid(HD_NUM_INDICES, 0));

   assert_int_equal(hd_index_get_info(HD_INDEX_REDUCE_OP)->values[HD_REDUCE_UMAX].op, HD_OP_UMAX);
   assert_int_equal(hd_index_get_info(HD_INDEX_ATOMIC_OP)->values[HD_ATOMIC_EXCHANGE].op,
                    HD_OP_NONE);
   assert_string_equal(hd_index_get_info(HD_INDEX_ACCESS)->values[1].name, "coherent");
   assert_int_equal(HD_ACCESS_COHERENT, 1u << 1);
}

#define SHAPES(...) ((const hd_shape[]){ __VA_ARGS__ })

static void
expect_op(const char *name, unsigned num_srcs, const hd_shape *srcs, unsigned bits,
          unsigned components, unsigned result_bits)
{
   hd_shape result = { 0, 0 };
   unsigned where = 1000;

   assert_int_equal(hd_op_infer_shape(op_named(name), num_srcs, srcs, bits, &result, &where),
                    HD_SHAPE_FITS);
   assert_int_equal(result.num_components, components);
   assert_int_equal(result.bit_size, result_bits);
   assert_int_equal(where, 1000);
}

static void
refuse_op(const char *name, unsigned num_srcs, const hd_shape *srcs, unsigned bits,
          hd_shape_fault fault, unsigned place)
{
   hd_shape result = { 99, 99 };
   unsigned where = 1000;

   assert_int_equal(hd_op_infer_shape(op_named(name), num_srcs, srcs, bits, &result, &where),
                    fault);
   assert_int_equal(where, place);
   assert_int_equal(result.num_components, 99);
   assert_int_equal(hd_op_infer_shape(op_named(name), num_srcs, srcs, bits, &result, NULL), fault);
}

static void
test_op_shapes(void **state)
{
   (void)state;
   expect_op("iadd", 2, SHAPES({ 4, 32 }, { 4, 32 }), 0, 4, 32);
   expect_op("iadd", 2, SHAPES({ 16, 8 }, { 16, 8 }), 8, 16, 8);
   expect_op("iand", 2, SHAPES({ 1, 1 }, { 1, 1 }), 0, 1, 1);
   expect_op("ult", 2, SHAPES({ 3, 64 }, { 3, 64 }), 0, 3, 1);
   expect_op("ishl", 2, SHAPES({ 2, 64 }, { 2, 32 }), 0, 2, 64);
   expect_op("f2f", 1, SHAPES({ 3, 32 }), 16, 3, 16);
   expect_op("vec", 3, SHAPES({ 1, 16 }, { 1, 16 }, { 1, 16 }), 0, 3, 16);
   expect_op("channel", 2, SHAPES({ 7, 8 }, { 1, 32 }), 0, 1, 8);
   expect_op("insert_channel", 3, SHAPES({ 7, 8 }, { 1, 8 }, { 1, 32 }), 0, 7, 8);
   expect_op("pack_64_4x16", 1, SHAPES({ 4, 16 }), 0, 1, 64);
   expect_op("unpack_32_4x8", 1, SHAPES({ 1, 32 }), 0, 4, 8);

   refuse_op("nothing", 0, NULL, 0, HD_SHAPE_NO_SUCH_OP, HD_SHAPE_AT_RESULT);
   refuse_op("iadd", 1, SHAPES({ 1, 32 }), 0, HD_SHAPE_NUM_SRCS, HD_SHAPE_AT_RESULT);
   refuse_op("iadd", 2, SHAPES({ 1, 1 }, { 1, 1 }), 0, HD_SHAPE_BITS, 0);
   refuse_op("iadd", 2, SHAPES({ 1, 32 }, { 1, 24 }), 0, HD_SHAPE_BITS, 1);
   refuse_op("iadd", 2, SHAPES({ 1, 32 }, { 1, 0 }), 0, HD_SHAPE_BITS, 1);
   refuse_op("iadd", 2, SHAPES({ 1, 32 }, { 1, 64 }), 0, HD_SHAPE_BITS_DIFFER, 1);
   refuse_op("iadd", 2, SHAPES({ 4, 32 }, { 1, 32 }), 0, HD_SHAPE_COMPONENTS_DIFFER, 1);
   refuse_op("iadd", 2, SHAPES({ 17, 32 }, { 17, 32 }), 0, HD_SHAPE_COMPONENTS, 0);
   refuse_op("iadd", 2, SHAPES({ 0, 32 }, { 0, 32 }), 0, HD_SHAPE_COMPONENTS, 0);
   refuse_op("iadd", 2, SHAPES({ 1, 32 }, { 1, 32 }), 64, HD_SHAPE_BITS_DIFFER, HD_SHAPE_AT_RESULT);
   refuse_op("f2f", 1, SHAPES({ 1, 32 }), 0, HD_SHAPE_RESULT_OPEN, HD_SHAPE_AT_RESULT);
   refuse_op("f2f", 1, SHAPES({ 1, 32 }), 8, HD_SHAPE_BITS, HD_SHAPE_AT_RESULT);
   refuse_op("f2f", 1, SHAPES({ 1, 32 }), 256 + 32, HD_SHAPE_BITS, HD_SHAPE_AT_RESULT);
   refuse_op("vec", 0, NULL, 0, HD_SHAPE_NUM_SRCS, HD_SHAPE_AT_RESULT);
   refuse_op("vec", 2, SHAPES({ 1, 32 }, { 2, 32 }), 0, HD_SHAPE_COMPONENTS, 1);
   refuse_op("vec", 2, SHAPES({ 1, 32 }, { 1, 8 }), 0, HD_SHAPE_BITS_DIFFER, 1);
   refuse_op("channel", 2, SHAPES({ 7, 8 }, { 7, 32 }), 0, HD_SHAPE_COMPONENTS, 1);
}

static void
test_intrinsic_shapes(void **state)
{
   hd_shape result;
   unsigned where;

   (void)state;
   assert_int_equal(hd_intrinsic_infer_shape(HD_INTRINSIC_LOAD_GLOBAL, 1, SHAPES({ 1, 64 }),
                                             (hd_shape){ 4, 32 }, &result, &where),
                    HD_SHAPE_FITS);
   assert_int_equal(result.num_components, 4);
   assert_int_equal(result.bit_size, 32);
   assert_int_equal(hd_intrinsic_infer_shape(HD_INTRINSIC_LOAD_GLOBAL, 1, SHAPES({ 1, 64 }),
                                             (hd_shape){ 0, 32 }, &result, &where),
                    HD_SHAPE_RESULT_OPEN);
   assert_int_equal(where, HD_SHAPE_AT_RESULT);
   assert_int_equal(hd_intrinsic_infer_shape(HD_INTRINSIC_LOAD_GLOBAL, 1, SHAPES({ 1, 32 }),
                                             (hd_shape){ 1, 32 }, &result, &where),
                    HD_SHAPE_BITS);
   assert_int_equal(where, 0);
   assert_int_equal(hd_intrinsic_infer_shape(HD_INTRINSIC_SHUFFLE, 2, SHAPES({ 3, 1 }, { 1, 32 }),
                                             (hd_shape){ 0, 0 }, &result, &where),
                    HD_SHAPE_FITS);
   assert_int_equal(result.num_components, 3);
   assert_int_equal(result.bit_size, 1);
   assert_int_equal(hd_intrinsic_infer_shape(HD_INTRINSIC_BALLOT, 1, SHAPES({ 1, 1 }),
                                             (hd_shape){ 0, 0 }, &result, &where),
                    HD_SHAPE_FITS);
   assert_int_equal(result.num_components, 4);
   assert_int_equal(result.bit_size, 32);
   assert_int_equal(
       hd_intrinsic_infer_shape(HD_INTRINSIC_BARRIER, 0, NULL, (hd_shape){ 0, 0 }, &result, &where),
       HD_SHAPE_FITS);
   assert_int_equal(result.num_components, 0);
   assert_int_equal(hd_intrinsic_infer_shape(HD_INTRINSIC_BARRIER, 0, NULL, (hd_shape){ 1, 32 },
                                             &result, &where),
                    HD_SHAPE_COMPONENTS);
   assert_int_equal(
       hd_intrinsic_infer_shape(HD_INTRINSIC_NONE, 0, NULL, (hd_shape){ 0, 0 }, &result, NULL),
       HD_SHAPE_NO_SUCH_OP);
   for (unsigned fault = HD_SHAPE_FITS; fault <= HD_SHAPE_RESULT_OPEN; fault++)
      for (unsigned other = 0; other < fault; other++)
         assert_string_not_equal(hd_shape_fault_text((hd_shape_fault)fault),
                                 hd_shape_fault_text((hd_shape_fault)other));
}

static void
test_coord_components(void **state)
{
   (void)state;
   assert_int_equal(hd_image_coord_components(HD_DIM_D1, false), 1);
   assert_int_equal(hd_image_coord_components(HD_DIM_D2, true), 3);
   assert_int_equal(hd_image_coord_components(HD_DIM_CUBE, true), 4);
   assert_int_equal(hd_image_coord_components(HD_NUM_IMAGE_DIMS, false), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_op_names),         cmocka_unit_test(test_intrinsic_names),
      cmocka_unit_test(test_indices),          cmocka_unit_test(test_op_shapes),
      cmocka_unit_test(test_intrinsic_shapes), cmocka_unit_test(test_coord_components),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
