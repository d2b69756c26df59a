/* SPDX-License-Identifier: MIT */
/* Every function of build_ops.h makes the instruction of its name, with operands, constants and
 * result where they belong.
 */
#include "support/test.h"

#include <string.h>

#include "heddle/build.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"

static unsigned calls;

static hd_instr *
last_instr(const hd_builder *b)
{
   return hd_list_last_block(&b->function->body)->last;
}

/* The last instruction is what was asked for; `def` is its result, or NULL. */
static void
expect(hd_builder *b, hd_def *def, hd_instr_kind kind, unsigned op, unsigned num_srcs,
       hd_def *const *srcs, unsigned num_components, unsigned bit_size)
{
   const hd_instr *i = last_instr(b);
   const char *name = kind == HD_INSTR_ALU ? hd_op_get_info((hd_op)op)->name
                                           : hd_intrinsic_get_info((hd_intrinsic_id)op)->name;

   calls++;
   if (b->result != HD_OK || !i || i->kind != kind || i->op != op)
      fail_msg("hd_%s does not make %s", name, name);
   if (hd_instr_def(i) != def)
      fail_msg("hd_%s returns something else than its result", name);
   assert_int_equal(i->def.num_components, num_components);
   assert_int_equal(i->def.bit_size, bit_size);
   assert_int_equal(hd_instr_num_srcs(i), num_srcs);
   for (unsigned k = 0; k < num_srcs; k++)
      if (hd_instr_src(i, k)->def != srcs[k])
         fail_msg("operand %u of hd_%s is not where it belongs", k, name);
}

static void
expect_indices(const hd_builder *b, unsigned count, const uint32_t *values)
{
   const hd_intrinsic *i = hd_instr_as_intrinsic(last_instr(b));
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   assert_int_equal(info->num_indices, count);
   for (unsigned k = 0; k < count; k++)
      if (hd_intrinsic_indices(i)[k] != values[k])
         fail_msg("the %s of hd_%s is not where it belongs",
                  hd_index_get_info((hd_index)info->indices[k])->name, info->name);
}

#include "codegen/builder_calls.h"

static void
finish(hd_builder *b)
{
   hd_shader *shader = NULL;

   assert_int_equal(hd_builder_finish(b, &shader), HD_OK);
   assert_non_null(shader);
   hd_shader_destroy(shader);
}

static void
test_ops(void **state)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "ops");

   (void)state;
   calls = 0;
   call_ops(&b);
   assert_int_equal(calls, HD_NUM_OPS - 2); /* all but HD_OP_NONE and vec */
   finish(&b);
}

static void
test_intrinsics(void **state)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_FRAGMENT, "intrinsics");

   (void)state;
   calls = 0;
   call_intrinsics(&b);
   assert_int_equal(calls, HD_NUM_INTRINSICS - 1);
   finish(&b);
}

static void
test_vec(void **state)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "vec");

   (void)state;
   for (unsigned n = 2; n <= HD_MAX_COMPONENTS; n++) {
      hd_def *srcs[HD_MAX_COMPONENTS];
      for (unsigned i = 0; i < n; i++)
         srcs[i] = hd_undef(&b, 1, 16);
      expect(&b, hd_vec(&b, n, srcs), HD_INSTR_ALU, HD_OP_VEC, n, srcs, n, 16);
   }
   finish(&b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ops),
      cmocka_unit_test(test_intrinsics),
      cmocka_unit_test(test_vec),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
