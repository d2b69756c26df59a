/* SPDX-License-Identifier: MIT */
/* test_vectorize.c - opt_vectorize packs each op of its options where the machine has it, and only there, and the
 * vector op computes what the two did, on random operands.
 *
 * Which bit is which op is read from the options' own words: "..., added: 1 fadd, 2 fsub".
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/pass.h"

#include "support/straight.h"

#define ROUNDS 400u

typedef hd_const_value values[HD_MAX_COMPONENTS];

static hd_op
op_of(const char *name, size_t length)
{
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const char *known = hd_op_get_info((hd_op)op)->name;
      if (strlen(known) == length && !memcmp(known, name, length))
         return (hd_op)op;
   }
   fail_msg("no op is called %.*s", (int)length, name);
   return 0;
}

/* The op on both halves of three vectors, stored. */
static hd_shader *
pair_of(hd_op op)
{
   const hd_op_info *info = hd_op_get_info(op);
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "pair");
   hd_def *vectors[3], *halves[2];
   hd_shader *shader;

   for (unsigned n = 0; n < 3; n++)
      vectors[n] = hd_build_param(&b, 2, 16);
   hd_def *condition = hd_build_param(&b, 1, 1);
   hd_def *address = hd_imm_u64(&b, 64);
   for (unsigned k = 0; k < 2; k++) {
      hd_def *srcs[HD_MAX_OP_SRCS];
      for (unsigned n = 0; n < info->num_srcs; n++) {
         hd_def *at = hd_imm_u32(&b, k);
         srcs[n] = info->src[n].sizes == 1 ? condition : hd_channel(&b, vectors[n], at);
         if (info->src[n].sizes == 32)
            srcs[n] = hd_u2u(&b, srcs[n], 32);
      }
      halves[k] = hd_build_alu(&b, op, info->num_srcs, srcs, 0);
   }
   hd_def *both = hd_build_vec(&b, 2, halves);
   hd_store_global(&b, both, address, 0, 1, 0, 0);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   return shader;
}

static unsigned
count(const hd_shader *shader, hd_op op, unsigned components)
{
   unsigned found = 0;

   hd_foreach_block(block, shader->first_function) {
      hd_foreach_instr(i, block)
         found += i->kind == HD_INSTR_ALU && i->op == op && i->def.num_components == components;
   }
   return found;
}

static void
run(hd_shader *shader, unsigned option, uint32_t ops)
{
   hd_pass_step step = hd_pass_step_default(hd_pass_find("opt_vectorize"));
   hd_run_options checks = { .validate = true, .verify_meta = true };

   step.values[0] = step.values[1] = step.values[2] = 0;
   step.values[option] = ops;
   assert_int_equal(hd_run_passes(shader, &step, 1, &checks, NULL), HD_OK);
}

static void
compare(const hd_shader *apart, const hd_shader *packed, const char *name)
{
   const straight_options options = { 0 };
   values args[4], before[1], after[1];
   uint64_t state = 29;

   for (unsigned r = 0; r < ROUNDS; r++) {
      for (unsigned n = 0; n < 3; n++) {
         for (unsigned c = 0; c < 2; c++)
            args[n][c] = straight_value(16, straight_edge(&state, 16));
      }
      args[3][0] = straight_value(1, r & 1);
      assert_int_equal(
          straight_run(apart->first_function, (const values *)args, &options, before, 1), 1);
      assert_int_equal(
          straight_run(packed->first_function, (const values *)args, &options, after, 1), 1);
      for (unsigned c = 0; c < 2; c++) {
         if (before[0][c].u16 != after[0][c].u16)
            fail_msg("%s, round %u, component %u: 0x%x, not 0x%x", name, r, c, after[0][c].u16,
                     before[0][c].u16);
      }
   }
}

static void
try_op(unsigned option, uint32_t bit, uint32_t all, hd_op op)
{
   hd_shader *apart = pair_of(op), *packed = pair_of(op);

   run(apart, option, all & ~bit);
   assert_int_equal(count(apart, op, 1), 2);
   assert_int_equal(count(apart, op, 2), 0);
   run(packed, option, bit);
   assert_int_equal(count(packed, op, 1), 0);
   assert_int_equal(count(packed, op, 2), 1);
   compare(apart, packed, hd_op_get_info(op)->name);
   hd_shader_destroy(apart);
   hd_shader_destroy(packed);
}

static void
test_each_op(void **unused)
{
   const hd_pass *pass = hd_pass_find("opt_vectorize");
   unsigned tried = 0;

   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      const hd_pass_option *o = &pass->options[n];
      uint32_t seen = 0;
      for (const char *at = strstr(o->meaning, "added: "); at; at = strchr(at, ',')) {
         char *name;
         at += strcspn(at, "0123456789");
         const uint32_t bit = (uint32_t)strtoul(at, &name, 10);
         assert_false(seen & bit);
         seen |= bit;
         try_op(n, bit, o->high, op_of(name + 1, strcspn(name + 1, ",")));
         tried++;
      }
      assert_int_equal(seen, o->high);
   }
   assert_int_equal(tried, 29);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_each_op) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
