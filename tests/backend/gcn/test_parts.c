/* SPDX-License-Identifier: MIT */
/* test_parts.c - each part of a dword, taken out in each way, as each operand of ops that can read
 * it where it is, beside operands of all kinds: the same results as the folder's, and where it is
 * possible for all readers nothing is taken out.
 *
 *    HEDDLE_TEST_SEED
 */
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "sem.h"
#include "straight_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "heddle/build.h"
#include "heddle/pass.h"
#include "ir/private.h"

typedef enum how { BFE, SHIFT, MASK, NUM_HOWS } how;
typedef enum other { DIVERGENT, UNIFORM, INLINE, LITERAL, WHOLE, SAME_PART, NUM_OTHERS } other;

typedef struct trial {
   hd_gcn_gen gen;
   how how;
   bool is_signed;
   unsigned offset, bits;
   hd_op op;
   unsigned at; /* the operand that is the part */
   other other;
   bool read_as_it_is; /* the part is an output, too */
} trial;

static const hd_op ops[] = { HD_OP_IADD, HD_OP_ISUB, HD_OP_IXOR, HD_OP_IOR,        HD_OP_UMAX,
                             HD_OP_IMIN, HD_OP_ISHL, HD_OP_USHR, HD_OP_U2F,        HD_OP_I2F,
                             HD_OP_INOT, HD_OP_IMUL, HD_OP_IAND, HD_OP_BIT_REVERSE };

static uint64_t seed = 1;
static unsigned trials, parts[HD_GCN_NUM_GENS];

static hd_def *
input(hd_builder *b, unsigned n, bool uniform)
{
   hd_def *offset = hd_imm_u32(b, 256 * n);

   return hd_build_intrinsic(b, uniform ? HD_INTRINSIC_LOAD_PUSH : HD_INTRINSIC_LOAD_SCRATCH, 1, 32,
                             1, &offset, NULL);
}

static hd_def *
take_out(hd_builder *b, const trial *t, hd_def *x)
{
   hd_def *offset = hd_imm_u32(b, t->offset), *bits = hd_imm_u32(b, t->bits);

   if (t->how == SHIFT)
      return t->is_signed ? hd_ishr(b, x, offset) : hd_ushr(b, x, offset);
   if (t->how == MASK)
      return hd_iand(b, x, hd_imm_u32(b, (1u << t->bits) - 1));
   return t->is_signed ? hd_ibfe(b, x, offset, bits) : hd_ubfe(b, x, offset, bits);
}

static uint32_t
part_of(const trial *t, uint32_t x)
{
   const uint32_t up = x << (32 - t->offset - t->bits);

   return t->is_signed ? (uint32_t)((int32_t)up >> (32 - t->bits)) : up >> (32 - t->bits);
}

static uint32_t
other_value(const trial *t, uint32_t x, uint32_t y)
{
   switch (t->other) {
   case INLINE:
      return 7;
   case LITERAL:
      return 0x12345;
   case WHOLE:
      return x;
   case SAME_PART:
      return part_of(t, x);
   default:
      return y;
   }
}

static hd_def *
build_other(hd_builder *b, const trial *t, hd_def *x, hd_def *part)
{
   switch (t->other) {
   case DIVERGENT:
   case UNIFORM:
      return input(b, 1, t->other == UNIFORM);
   case WHOLE:
      return x;
   case SAME_PART:
      return part;
   default:
      return hd_imm_u32(b, other_value(t, 0, 0));
   }
}

static hd_shader *
build(const trial *t)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_KERNEL, "parts");
   const hd_op_info *info = hd_op_get_info(t->op);
   hd_shader *shader;
   hd_def *srcs[2];

   hd_def *x = input(&b, 0, false);
   hd_def *part = take_out(&b, t, x);
   srcs[t->at] = part;
   if (info->num_srcs > 1)
      srcs[!t->at] = build_other(&b, t, x, part);
   b.flags = HD_FP_EXACT;
   hd_def *result = hd_build_alu(&b, t->op, info->num_srcs, srcs,
                                 t->op == HD_OP_U2F || t->op == HD_OP_I2F ? 32 : 0);
   b.flags = 0;
   if (t->read_as_it_is)
      result = hd_build_vec(&b, 2, (hd_def *[]){ result, part });
   hd_def *operands[] = { result, hd_imm_u32(&b, 0) };
   hd_build_intrinsic(&b, HD_INTRINSIC_STORE_SCRATCH, 0, 0, 2, operands, NULL);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   shader->scratch_size = shader->push_size = 4096;
   shader->workgroup_size[0] = 64;
   shader->workgroup_size[1] = shader->workgroup_size[2] = 1;
   shader->subgroup_size = 64;
   return shader;
}

static uint32_t
expected(const trial *t, uint32_t x, uint32_t y)
{
   const unsigned num = hd_op_get_info(t->op)->num_srcs;
   hd_const_value values[2] = { { .u64 = 0 }, { .u64 = 0 } }, out[HD_MAX_COMPONENTS];
   hd_fold_src srcs[2];

   values[t->at].u32 = part_of(t, x);
   if (num > 1)
      values[!t->at].u32 = other_value(t, x, y);
   for (unsigned n = 0; n < 2; n++)
      srcs[n] = (hd_fold_src){ &values[n], { 1, 32 } };
   assert_true(
       hd_fold_op(t->op, num, srcs, t->op == HD_OP_U2F || t->op == HD_OP_I2F ? 32 : 0, 0, out));
   return out[0].u32;
}

static void
compare(const trial *t, const straight_code *code)
{
   static uint32_t in[STRAIGHT_INPUTS][8][64];
   uint64_t out[HD_MAX_COMPONENTS][64], undefined[HD_MAX_COMPONENTS][64];

   for (unsigned lane = 0; lane < 64; lane++) {
      in[0][0][lane] = (uint32_t)sem_corner(&seed, 32);
      in[1][0][lane] = t->other == UNIFORM && lane ? in[1][0][0] : (uint32_t)sem_random(&seed);
   }
   const char *why = straight_execute(code, (const uint32_t(*)[8][64])in, out, undefined);
   if (why)
      fail_msg("%s", why);
   for (unsigned lane = 0; lane < 64; lane++) {
      const uint32_t x = in[0][0][lane], want = expected(t, x, in[1][0][lane]);
      if ((uint32_t)out[0][lane] == want && !undefined[0][lane] &&
          (!t->read_as_it_is || (uint32_t)out[1][lane] == part_of(t, x)))
         continue;
      straight_print(code);
      fail_msg("%s of part %u+%u of %" PRIx32 ", gfx %u: %" PRIx64 " instead of %" PRIx32,
               hd_op_get_info(t->op)->name, t->offset, t->bits, x, t->gen, out[0][lane], want);
   }
}

static bool
reads_part(const hd_mach_inst *inst)
{
   const bool two = hd_gcn_op_info_of(inst)->format == HD_GCN_VOP2;

   return inst->form == HD_GCN_FORM_SDWA &&
          (inst->mods.bytes[HD_GCN_MOD_SRC_SEL] != HD_GCN_SEL_DWORD ||
           (two && inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1] != HD_GCN_SEL_DWORD));
}

static void
run_trial(const trial *t)
{
   straight_code code;
   hd_shader *shader = build(t);
   bool found = false;

   trials++;
   /* As it stands: the passes have shorter ways for some. */
   if (!straight_select(&code, shader, t->gen))
      fail_msg("%s is refused", hd_op_get_info(t->op)->name);
   for (const hd_mach_inst *i = code.gcn.mach.first->first; i; i = i->next)
      found |= reads_part(i);
   parts[t->gen] += found;
   /* Somebody needs it by itself: then the others have it, too. */
   assert_false(found && t->read_as_it_is);
   if (t->gen == HD_GCN_GFX900 && t->op == HD_OP_IXOR && t->other != LITERAL && !t->read_as_it_is)
      assert_true(found);
   compare(t, &code);
   hd_shader_destroy(shader);
}

static bool
exists(const trial *t)
{
   if (t->how == SHIFT && t->offset + t->bits != 32)
      return false;
   return t->how != MASK || (!t->offset && !t->is_signed);
}

static void
run_ops(trial *t)
{
   for (unsigned k = 0; k < sizeof(ops) / sizeof(ops[0]); k++) {
      const unsigned num = hd_op_get_info(ops[k])->num_srcs;
      t->op = ops[k];
      for (t->at = 0; t->at < num; t->at++) {
         for (unsigned other = 0; other < (num > 1 ? NUM_OTHERS : 1); other++) {
            t->other = (enum other)other;
            for (unsigned as_it_is = 0; as_it_is < 2; as_it_is++) {
               t->read_as_it_is = as_it_is;
               run_trial(t);
            }
         }
      }
   }
}

static void
test_all(void **unused)
{
   trial t = { .gen = HD_GCN_GFX600 };

   (void)unused;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      t.gen = (hd_gcn_gen)gen;
      for (t.bits = 8; t.bits <= 16; t.bits += 8) {
         for (t.offset = 0; t.offset < 32; t.offset += t.bits) {
            for (unsigned kind = 0; kind < 2 * NUM_HOWS; kind++) {
               t.how = (how)(kind / 2);
               t.is_signed = kind % 2;
               if (exists(&t))
                  run_ops(&t);
            }
         }
      }
   }
   printf("# %u trials, parts in place: %u %u %u\n", trials, parts[0], parts[1], parts[2]);
   assert_int_equal(parts[HD_GCN_GFX600], 0);
   assert_true(parts[HD_GCN_GFX803] > 200 && parts[HD_GCN_GFX900] > parts[HD_GCN_GFX803]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_all) };
   const char *text = getenv("HEDDLE_TEST_SEED");

   seed = text ? strtoull(text, NULL, 0) : 1;
   return cmocka_run_group_tests(tests, NULL, NULL);
}
