/* SPDX-License-Identifier: MIT */
/* test_gcn.c - own intrinsics on GCN: code that a hook emits does in the simulator what the callbacks
 * do in the interpreter, for each generation; and each misuse of the emitter is refused.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "heddle/gcn_sim.h"
#include "heddle/heddle.h"
#include "heddle/wave.h"

#include "support/heard.h"
#include "support/memory.h"

#define LANES 64u

enum { ADD_WIDE = HD_INTRINSIC_OWN, LESS, PICK, READ_LANE, REVERSE, TO_DOUBLE, END };
#define NUM_ROWS (END - HD_INTRINSIC_OWN)

#define U32(name, flags) HD_TYPE(name, UINT, 32, 1, flags)
#define BOOL(name)       HD_TYPE(name, BOOL, 1, 1, 0)
#define PURE             (HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CAN_SPECULATE)
#define FOREACH_LANE(l, call)                                                                      \
   for (unsigned l = 0; l < hd_own_call_width(call); l++)                                          \
      if (hd_own_call_lanes(call).word[l / 64] >> l % 64 & 1)

static uint64_t
src(const hd_own_call *call, unsigned n, unsigned lane)
{
   return hd_own_call_src(call, n, 0, lane, NULL);
}

static void
run_add_wide(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   {
      const uint64_t sum = src(call, 0, l) + src(call, 1, l);
      hd_own_call_set(call, 0, l, sum);
      hd_own_call_set(call, 1, l, sum >> 32);
   }
}

static void
run_less(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   hd_own_call_set(call, 0, l, src(call, 0, l) < src(call, 1, l));
}

static void
run_pick(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   hd_own_call_set(call, 0, l, src(call, 0, l) ? src(call, 1, l) : src(call, 2, l));
}

static void
run_read_lane(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   {
      bool defined;
      const uint64_t x = hd_own_call_src(call, 0, 0, (unsigned)src(call, 1, l), &defined);
      if (defined)
         hd_own_call_set(call, 0, l, x);
   }
}

static void
run_reverse(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   {
      uint64_t x = 0;
      for (unsigned n = 0; n < 32; n++)
         x |= (src(call, 0, l) >> n & 1) << (31 - n);
      hd_own_call_set(call, 0, l, x);
   }
}

static void
run_to_double(void *user, hd_own_call *call)
{
   (void)user;
   FOREACH_LANE(l, call)
   {
      const double number = (double)(uint32_t)src(call, 0, l);
      uint64_t bits;
      memcpy(&bits, &number, sizeof(bits));
      hd_own_call_set(call, 0, l, bits);
   }
}

static const hd_type_info two[] = { U32("x", 0), U32("y", 0) };
static const hd_type_info choice[] = { BOOL("which"), U32("x", 0), U32("y", 0) };
static const hd_type_info of_lane[] = { U32("x", 0),
                                        U32("lane", HD_OPERAND_UNIFORM | HD_OPERAND_DEFINED) };

static const hd_own_intrinsic rows[NUM_ROWS] = {
   { { HD_INTRINSIC_NAME("gpu_add_wide"), .flags = PURE, .divergence = HD_DIVERGENCE_OPERANDS,
       .stages = HD_ALL_STAGES, .num_srcs = 2, .result = HD_TYPE("r", UINT, 32, 2, 0), .src = two },
     run_add_wide },
   { { HD_INTRINSIC_NAME("gpu_less"), .flags = PURE, .divergence = HD_DIVERGENCE_OPERANDS,
       .stages = HD_ALL_STAGES, .num_srcs = 2, .result = BOOL("r"), .src = two },
     run_less },
   { { HD_INTRINSIC_NAME("gpu_pick"), .flags = PURE, .divergence = HD_DIVERGENCE_OPERANDS,
       .stages = HD_ALL_STAGES, .num_srcs = 3, .result = U32("r", 0), .src = choice },
     run_pick },
   { { HD_INTRINSIC_NAME("gpu_read_lane"),
       .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CROSS_LANE,
       .divergence = HD_DIVERGENCE_UNIFORM, .stages = HD_ALL_STAGES, .num_srcs = 2,
       .result = U32("r", 0), .src = of_lane },
     run_read_lane },
   { { HD_INTRINSIC_NAME("gpu_reverse"), .flags = PURE, .divergence = HD_DIVERGENCE_OPERANDS,
       .stages = HD_ALL_STAGES, .num_srcs = 1, .result = U32("r", 0), .src = two },
     run_reverse },
   { { HD_INTRINSIC_NAME("gpu_to_double"), .flags = PURE, .divergence = HD_DIVERGENCE_OPERANDS,
       .stages = HD_ALL_STAGES, .num_srcs = 1, .result = HD_TYPE("r", FLOAT, 64, 1, 0),
       .src = two },
     run_to_double },
};
static const hd_intrinsic_table table = { .rows = rows, .num_rows = NUM_ROWS };

/* The hook: scalar instructions where the operands are scalar. */

static bool
emit(hd_gcn_emitter *e, const char *name, unsigned num, const hd_gcn_emit_value *srcs,
     hd_gcn_emit_value *result)
{
   return hd_gcn_emit_op(e, hd_gcn_op_number(hd_gcn_emit_target(e), name), num, srcs, 0, result);
}

static bool
emit_add_wide(hd_gcn_emitter *e, const hd_gcn_emit_value *s)
{
   hd_gcn_emit_value low, high,
       zero[2] = { hd_gcn_emit_constant(e, 0), hd_gcn_emit_constant(e, 0) };

   if (hd_gcn_emit_is_scalar(e, s[0]) && hd_gcn_emit_is_scalar(e, s[1])) {
      emit(e, "s_add_u32", 2, s, &low);
      emit(e, "s_addc_u32", 2, zero, &high);
   } else {
      /* The carry is that the sum is less than what was added. */
      hd_gcn_emit_value sum[2], carry[3] = { zero[0], hd_gcn_emit_constant(e, 1), { 0 } };
      const hd_gcn_emit_value v[2] = { s[0], hd_gcn_emit_to_vgpr(e, s[1]) };
      emit(e, hd_gcn_emit_target(e) == HD_GCN_GFX600 ? "v_add_i32" : "v_add_u32", 2, v, &low);
      sum[0] = low;
      sum[1] = v[1];
      emit(e, "v_cmp_lt_u32", 2, sum, &carry[2]);
      emit(e, "v_cndmask_b32", 3, carry, &high);
   }
   return hd_gcn_emit_result(e, 0, low) && hd_gcn_emit_result(e, 1, high);
}

static bool
select_gpu(void *user, hd_gcn_emitter *e, const hd_intrinsic *i)
{
   hd_gcn_emit_value s[3], r = { 0 };

   (void)user;
   for (unsigned n = 0; n < i->instr.num_srcs; n++)
      s[n] = hd_gcn_emit_src(e, n, 0);
   switch ((unsigned)i->instr.op) {
   case ADD_WIDE:
      return emit_add_wide(e, s);
   case LESS:
      s[1] = hd_gcn_emit_to_vgpr(e, s[1]);
      emit(e, "v_cmp_lt_u32", 2, s, &r);
      break;
   case PICK: {
      const hd_gcn_emit_value in_order[3] = { s[2], s[1], s[0] };
      emit(e, "v_cndmask_b32", 3, in_order, &r);
      break;
   }
   case READ_LANE:
      s[0] = hd_gcn_emit_to_vgpr(e, s[0]);
      s[1] = hd_gcn_emit_to_sgpr(e, s[1]);
      emit(e, "v_readlane_b32", 2, s, &r);
      break;
   case REVERSE:
      emit(e, hd_gcn_emit_is_scalar(e, s[0]) ? "s_brev_b32" : "v_bfrev_b32", 1, s, &r);
      break;
   case TO_DOUBLE:
      emit(e, "v_cvt_f64_u32", 1, s, &r);
      break;
   default:
      return false;
   }
   return hd_gcn_emit_result(e, 0, r);
}

static const char *const program =
    "shader compute \"own\" {\n workgroup 64 1 1\n subgroup 64\n push 16\n function @main {\n  b0:\n"
    "   %zero:32 = const 0\n   %seven:32 = const 7\n   %big:32 = const 0xfffffff0\n"
    "   %lane:32 = subgroup_invocation\n   %six:32 = const 6\n   %row:32 = ishl %lane, %six\n"
    "   %p:32 = load_push %zero align_mul=4\n"
    /* Divergent, uniform and constant operands of each. */
    "   %r1:32 = gpu_reverse %lane\n   %r2:32 = gpu_reverse %p\n   %r3:32 = gpu_reverse %seven\n"
    "   %w1:32x2 = gpu_add_wide %lane, %big\n   %w2:32x2 = gpu_add_wide %p, %big\n"
    "   %w3:32x2 = gpu_add_wide %lane, %p\n"
    "   %l1:1 = gpu_less %lane, %seven\n   %l2:1 = gpu_less %p, %seven\n"
    "   %k1:32 = gpu_pick %l1, %lane, %p\n   %k2:32 = gpu_pick %l2, %lane, %seven\n"
    "   %f:1 = const false\n   %k3:32 = gpu_pick %f, %lane, %r1\n"
    "   %low:32 = iand %p, %seven\n   %a1:32 = gpu_read_lane %row, %low\n"
    "   %d1:64 = gpu_to_double %r1\n   %d2:64 = gpu_to_double %p\n"
    "   %sum:32 = iadd %r2, %a1\n"
    "   store_buffer %r1, %zero, %row binding=0 offset=0 align_mul=4\n"
    "   store_buffer %r2, %zero, %row binding=0 offset=4 align_mul=4\n"
    "   store_buffer %r3, %zero, %row binding=0 offset=8 align_mul=4\n"
    "   store_buffer %w1, %zero, %row binding=0 offset=12 align_mul=4\n"
    "   store_buffer %w2, %zero, %row binding=0 offset=20 align_mul=4\n"
    "   store_buffer %w3, %zero, %row binding=0 offset=28 align_mul=4\n"
    "   store_buffer %k1, %zero, %row binding=0 offset=36 align_mul=4\n"
    "   store_buffer %k2, %zero, %row binding=0 offset=40 align_mul=4\n"
    "   store_buffer %d2, %zero, %row binding=0 offset=44 align_mul=4\n"
    "   store_buffer %sum, %zero, %row binding=0 offset=52 align_mul=4\n"
    "   if %l1 {\n    b1:\n     %a2:32 = gpu_reverse %d3\n"
    "     store_buffer %a2, %zero, %row binding=0 offset=56 align_mul=4\n   } else {\n    b2:\n   }\n"
    "  b3:\n   if %l2 {\n    b4:\n     store_buffer %k3, %zero, %row binding=0 offset=60 align_mul=4\n"
    "   } else {\n    b5:\n   }\n  b6:\n }\n}\n";

static hd_shader *
parse(const char *text, struct heard *heard)
{
   const hd_config config = { .diag = { heard, hear }, .intrinsics = &table };
   hd_shader *shader = NULL;

   *heard = (struct heard){ 0 };
   if (hd_parse(&config, "text", text, strlen(text), &shader) != HD_OK)
      fail_msg("%s", heard->all);
   return shader;
}

static void
compare_on(hd_gcn_gen gen, hd_gcn_lowering lowering, uint32_t pushed, bool no_schedule)
{
   struct heard heard;
   static uint32_t expected[LANES * 16], found[LANES * 16];
   uint32_t push[4] = { pushed };
   char text[4000];

   snprintf(text, sizeof(text), "%s", program);
   /* The value of %d1 as two dwords, of which the upper one is reversed in an arm. */
   const char *at = strstr(program, "   %sum:32");
   snprintf(text, sizeof(text),
            "%.*s   %%h:64 = const 32\n   %%hi:64 = ushr %%d1, %%six\n"
            "   %%d3:32 = u2u %%hi\n%s",
            (int)(at - program), program, at);
   hd_shader *shader = parse(text, &heard);
   hd_wave_buffer buffer = { .memory = { expected, NULL, sizeof(expected) } };
   hd_wave_launch launch = {
      .lanes = LANES, .buffers = &buffer, .num_buffers = 1, .push = { push, NULL, sizeof(push) }
   };
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;

   memset(expected, 0, sizeof(expected));
   memset(found, 0, sizeof(found));
   if (hd_validate(shader, NULL) != HD_OK || hd_wave_run(shader, &launch, NULL) != HD_OK)
      fail_msg("%s", heard.all);
   assert_int_equal(hd_gcn_sim_abi_create(shader, &launch, &abi), HD_OK);
   const hd_gcn_options options = { .target = gen,
                                    .abi = HD_GCN_ABI_DRIVER,
                                    .driver = abi,
                                    .lowering = lowering,
                                    .verify_regalloc = true,
                                    .no_schedule = no_schedule,
                                    .select_own = select_gpu };
   if (hd_gcn_compile(shader, &options, &binary) != HD_OK)
      fail_msg("%s: %s", hd_gcn_gen_name(gen), heard.all);
   buffer.memory.data = found;
   if (hd_gcn_sim_run_wave(binary, abi, shader, &launch, NULL, NULL) != HD_OK)
      fail_msg("%s: %s", hd_gcn_gen_name(gen), heard.all);
   for (unsigned n = 0; n < LANES * 16; n++) {
      if (expected[n] != found[n])
         fail_msg("%s, lane %u, dword %u: %#x, expected %#x", hd_gcn_gen_name(gen), n / 16, n % 16,
                  found[n], expected[n]);
   }
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
}

static void
test_results(void **state)
{
   (void)state;
   static const uint32_t pushed[] = { 3, 0x80000005, 0xffffffff };

   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      for (unsigned n = 0; n < 12; n++)
         compare_on((hd_gcn_gen)gen, n & 1 ? HD_GCN_LOWERING_RECONVERGING : HD_GCN_LOWERING_TREE,
                    pushed[n % 3], n & 2);
   }
}

/* Misuse */

typedef bool misuse(hd_gcn_emitter *e, const hd_intrinsic *i);

static bool
gives(hd_gcn_emitter *e, hd_gcn_emit_value value)
{
   return hd_gcn_emit_result(e, 0, value);
}

static bool
says_no(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   (void)e;
   (void)i;
   return false;
}

static bool
says_why(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   (void)i;
   return hd_gcn_emit_refuse(e, "the firmware is too old");
}

static bool
gives_nothing(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   (void)e;
   (void)i;
   return true;
}

static bool
gives_twice(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   (void)i;
   return gives(e, hd_gcn_emit_constant(e, 1)) && gives(e, hd_gcn_emit_constant(e, 1));
}

static bool
gives_another_component(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   (void)i;
   return hd_gcn_emit_result(e, 1, hd_gcn_emit_constant(e, 1));
}

static bool
gives_none(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   (void)i;
   return gives(e, (hd_gcn_emit_value){ 0 });
}

static bool
gives_made_up(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   (void)i;
   return gives(e, (hd_gcn_emit_value){ 1000 });
}

static bool
gives_mask(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   const hd_gcn_emit_value s[2] = { hd_gcn_emit_src(e, 0, 0), hd_gcn_emit_src(e, 0, 0) };
   hd_gcn_emit_value r;

   (void)i;
   return emit(e, "v_cmp_lt_u32", 2, s, &r) && gives(e, r);
}

static bool
asks_for_operand(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   return gives(e, hd_gcn_emit_src(e, i->instr.num_srcs, 0));
}

static bool
asks_for_component(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   (void)i;
   return gives(e, hd_gcn_emit_src(e, 0, 1));
}

static bool
emits(hd_gcn_emitter *e, const char *name, unsigned num)
{
   const hd_gcn_emit_value v = hd_gcn_emit_to_vgpr(e, hd_gcn_emit_src(e, 0, 0));
   const hd_gcn_emit_value s[4] = { v, v, v, v };
   hd_gcn_emit_value r;

   return emit(e, name, num, s, &r) && gives(e, r);
}

#define EMITS(function, name, num)                                                                 \
   static bool function(hd_gcn_emitter *e, const hd_intrinsic *i)                                  \
   {                                                                                               \
      (void)i;                                                                                     \
      return emits(e, name, num);                                                                  \
   }

EMITS(no_such, "v_conjure_b32", 1)
EMITS(few_srcs, "v_add_f32", 1)
EMITS(many_srcs, "v_add_f32", 3)
EMITS(vector_to_scalar, "s_brev_b32", 1)
EMITS(wrong_size, "v_cvt_f32_f64", 1)
EMITS(no_mask, "v_cndmask_b32", 3)
EMITS(branches, "s_branch", 0)
EMITS(ends, "s_endpgm", 0)
EMITS(waits, "s_waitcnt", 0)
EMITS(barrier, "s_barrier", 0)
EMITS(reads_memory, "ds_read_b32", 1)
EMITS(jumps, "s_setpc_b64", 1)
EMITS(writes_exec, "s_and_saveexec_b64", 1)
EMITS(moves_by_m0, "v_movrels_b32", 1)
EMITS(pseudo, "p_copy", 1)

static bool
reads_scc(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   const hd_gcn_emit_value s[2] = { hd_gcn_emit_constant(e, 1), hd_gcn_emit_constant(e, 2) };
   hd_gcn_emit_value r;

   (void)i;
   return emit(e, "s_cselect_b32", 2, s, &r) && gives(e, r);
}

static bool
has_a_number(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   const hd_gcn_emit_value v = hd_gcn_emit_src(e, 0, 0);
   hd_gcn_emit_value r;

   (void)i;
   return hd_gcn_emit_op(e, hd_gcn_op_number(hd_gcn_emit_target(e), "v_bfrev_b32"), 1, &v, 1, &r);
}

static bool
has_a_large_number(hd_gcn_emitter *e, const hd_intrinsic *i)
{
   const hd_gcn_emit_value v = hd_gcn_emit_to_vgpr(e, hd_gcn_emit_src(e, 0, 0));
   hd_gcn_emit_value r;

   (void)i;
   return hd_gcn_emit_op(e, hd_gcn_op_number(hd_gcn_emit_target(e), "ds_swizzle_b32"), 1, &v,
                         0x10000, &r);
}

static const struct {
   misuse *hook;
   const char *words;
} misuses[] = {
   { says_no, "gpu_reverse: the hook does not select it" },
   { says_why, "gpu_reverse: the firmware is too old" },
   { gives_nothing, "does not set all components of the result" },
   { gives_twice, "sets an invalid result component, an invalid value, or one component twice" },
   { gives_another_component, "sets an invalid result component, an invalid value" },
   { gives_none, "sets an invalid result component, an invalid value" },
   { gives_made_up, "sets an invalid result component, an invalid value" },
   { gives_mask, "the size of a result component" },
   { asks_for_operand, "an operand or component that the intrinsic does not have" },
   { asks_for_component, "an operand or component that the intrinsic does not have" },
   { no_such, "an instruction that this target does not have" },
   { few_srcs, "v_add_f32: wrong number of operands" },
   { many_srcs, "v_add_f32: wrong number of operands" },
   { vector_to_scalar, "s_brev_b32: operand 0 must be scalar" },
   { wrong_size, "v_cvt_f32_f64: operand 0 has another number of registers" },
   { no_mask, "v_cndmask_b32: operand 2 is no mask" },
   { branches, "s_branch: no instruction of the scalar or vector ALU" },
   { ends, "s_endpgm: no instruction of" },
   { waits, "s_waitcnt: no instruction of" },
   { barrier, "s_barrier: no instruction of" },
   { reads_memory, "ds_read_b32: no instruction of" },
   { jumps, "s_setpc_b64: no instruction of" },
   { writes_exec, "s_and_saveexec_b64: it touches a register that no hook may" },
   { moves_by_m0, "v_movrels_b32: " },
   { pseudo, "an instruction that this target does not have" },
   { has_a_number, "v_bfrev_b32: invalid immediate" },
   { has_a_large_number, "ds_swizzle_b32: invalid immediate" },
   { reads_scc, "s_cselect_b32: it reads scc, which nothing before it has written" },
};

static bool
misused(void *user, hd_gcn_emitter *e, const hd_intrinsic *i)
{
   return (*(misuse *const *)user)(e, i);
}

static const char *const small_program =
    "shader compute \"own\" {\n workgroup 64 1 1\n function @main {\n  b0:\n"
    "   %zero:32 = const 0\n   %lane:32 = subgroup_invocation\n   %r:32 = gpu_reverse %lane\n"
    "   store_buffer %r, %zero, %lane binding=0 align_mul=1\n }\n}\n";

static hd_result
compile(bool (*hook)(void *, hd_gcn_emitter *, const hd_intrinsic *), void *user, hd_gcn_gen gen,
        struct heard *heard)
{
   hd_shader *shader = parse(small_program, heard);
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;

   assert_int_equal(hd_gcn_sim_abi_create(shader, NULL, &abi), HD_OK);
   const hd_gcn_options options = {
      .target = gen, .abi = HD_GCN_ABI_DRIVER, .driver = abi, .select_own = hook, .user = user
   };
   const hd_result result = hd_gcn_compile(shader, &options, &binary);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
   return result;
}

static void
test_misuse(void **state)
{
   (void)state;
   struct heard heard;

   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      for (size_t n = 0; n < sizeof(misuses) / sizeof(misuses[0]); n++) {
         misuse *hook = misuses[n].hook;
         if (hook == moves_by_m0 && gen == HD_GCN_GFX900)
            continue;
         assert_int_equal(compile(misused, &hook, (hd_gcn_gen)gen, &heard), HD_UNSUPPORTED);
         if (!strstr(heard.all, misuses[n].words) || heard.count != 1)
            fail_msg("expected '%s', heard '%s'", misuses[n].words, heard.all);
      }
      assert_int_equal(compile(NULL, NULL, (hd_gcn_gen)gen, &heard), HD_UNSUPPORTED);
      assert_non_null(
          strstr(heard.all, "gpu_reverse: it is the driver's own, and no hook selects it"));
      assert_int_equal(compile(select_gpu, NULL, (hd_gcn_gen)gen, &heard), HD_OK);
   }
}

/* Every instruction of the table, with operands of any kind: it is taken or refused, and what is
 * taken compiles.
 */
static bool
tries(void *user, hd_gcn_emitter *e, const hd_intrinsic *i)
{
   const unsigned *choice = user;
   hd_gcn_emit_value pool[6], srcs[5], r = { 0 };

   (void)i;
   pool[0] = hd_gcn_emit_src(e, 0, 0);
   pool[1] = hd_gcn_emit_constant(e, choice[1] & 4 ? 0x12345678 : 5);
   pool[2] = hd_gcn_emit_to_sgpr(e, pool[0]);
   const hd_gcn_emit_value compared[2] = { pool[0], pool[0] };
   emit(e, "v_cmp_lt_u32", 2, compared, &pool[3]);
   emit(e, "v_cvt_f64_u32", 1, pool, &pool[4]);
   emit(e, "s_mov_b64", 1, &pool[3], &pool[5]);
   for (unsigned n = 0; n < 5; n++)
      srcs[n] = pool[(choice[1] >> 3 * n) % 6];
   if (!hd_gcn_emit_op(e, choice[0], choice[2], srcs, 0, &r))
      return false;
   return gives(e, pool[0]);
}

static void
test_all_instructions(void **state)
{
   (void)state;
   unsigned taken = 0, refused = 0;
   uint64_t random = 1;

   for (unsigned op = 0; op < 1200; op++) {
      for (unsigned n = 0; n < 24; n++) {
         struct heard heard;
         random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
         unsigned choice[3] = { op, (unsigned)(random >> 33), n % 5 };
         const hd_result result = compile(tries, choice, (hd_gcn_gen)(n % HD_GCN_NUM_GENS), &heard);
         if (result != HD_OK)
            assert_int_equal(result, HD_UNSUPPORTED);
         taken += result == HD_OK;
         refused += result != HD_OK;
      }
   }
   printf("%u taken, %u refused\n", taken, refused);
   assert_true(taken > 300 && refused > 300);
}

/* Every allocation of a compilation with a hook fails once. */
static void
test_memory(void **state)
{
   (void)state;
   struct limited l = { .left = SIZE_MAX };
   hd_config config = limited_config(&l);
   config.intrinsics = &table;
   hd_shader *shader = NULL;
   hd_gcn_driver_abi *abi = NULL;
   hd_result result = HD_OUT_OF_MEMORY;
   unsigned failures = 0;

   assert_int_equal(hd_parse(&config, NULL, small_program, strlen(small_program), &shader), HD_OK);
   assert_int_equal(hd_gcn_sim_abi_create(shader, NULL, &abi), HD_OK);
   const hd_gcn_options options = { .abi = HD_GCN_ABI_DRIVER,
                                    .driver = abi,
                                    .select_own = select_gpu };
   const size_t held = l.held;
   for (size_t n = 0; result != HD_OK && n < 10000; n++) {
      hd_gcn_binary *binary = NULL;
      l.left = n;
      result = hd_gcn_compile(shader, &options, &binary);
      assert_true(result == HD_OK || result == HD_OUT_OF_MEMORY);
      failures += result != HD_OK;
      hd_gcn_binary_destroy(binary);
      assert_int_equal(l.held, held);
   }
   assert_int_equal(result, HD_OK);
   assert_true(failures > 5);
   l.left = SIZE_MAX;
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
   assert_int_equal(l.held, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_results),
      cmocka_unit_test(test_misuse),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_all_instructions),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
