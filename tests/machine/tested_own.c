/* SPDX-License-Identifier: MIT */
/* tested_own.c - intrinsics of a driver's own, selected by a hook of emit.h: results are those of the
 * callbacks in the interpreter, in uniform and divergent code; each misuse of the emitter is refused.
 */
#include "support/test.h"

#include <string.h>

#include "heddle/text.h"
#include "heddle/wave.h"
#include "machine/tested.h"
#include "support/heard.h"

#define INVOCATIONS 64u

enum { OWN_EITHER, OWN_FIRST, OWN_LESS, OWN_STORE, OWN_SUM, OWN_SWAP, NUM_OWN };

static void
foreach_lane(hd_own_call *call, void (*one)(hd_own_call *call, unsigned lane))
{
   const hd_wave_mask lanes = hd_own_call_lanes(call);

   for (unsigned n = 0; n < hd_own_call_width(call); n++) {
      if (lanes.word[n / 64] >> (n % 64) & 1)
         one(call, n);
   }
}

static uint64_t
src(hd_own_call *call, unsigned operand, unsigned lane)
{
   return hd_own_call_src(call, operand, 0, lane, NULL);
}

#define CALLBACK(name, result)                                                                     \
   static void one_##name(hd_own_call *call, unsigned l)                                           \
   {                                                                                               \
      hd_own_call_set(call, 0, l, result);                                                         \
   }                                                                                               \
   static void name(void *user, hd_own_call *call)                                                 \
   {                                                                                               \
      (void)user;                                                                                  \
      foreach_lane(call, one_##name);                                                              \
   }

static uint64_t
first(hd_own_call *call)
{
   const hd_wave_mask lanes = hd_own_call_lanes(call);
   unsigned n = 0;

   while (!(lanes.word[n / 64] >> (n % 64) & 1))
      n++;
   return src(call, 0, n);
}

CALLBACK(either, src(call, 0, l) ^ src(call, 1, l))
CALLBACK(take_first, first(call))
CALLBACK(less, (int32_t)src(call, 0, l) < (int32_t)src(call, 1, l))
CALLBACK(sum, src(call, 0, l) + src(call, 1, l))
CALLBACK(swap, src(call, 0, l) << 32 | src(call, 0, l) >> 32)

#define X_1(name)  HD_TYPE(name, BOOL, 1, 1, 0)
#define X_32(name) HD_TYPE(name, RAW, 32, 1, 0)
#define X_64(name) HD_TYPE(name, RAW, 64, 1, 0)

static const hd_type_info two_booleans[] = { X_1("a"), X_1("b") };
static const hd_type_info two_numbers[] = { X_32("a"), X_32("b") };
static const hd_type_info wide[] = { X_64("a") };

#define PURE .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CAN_SPECULATE

static const hd_own_intrinsic rows[NUM_OWN] = {
   [OWN_EITHER] = { .info = { HD_INTRINSIC_NAME("own_either"), PURE,
                              .divergence = HD_DIVERGENCE_OPERANDS, .stages = HD_ALL_STAGES,
                              .num_srcs = 2, .src = two_booleans, .result = X_1("result") },
                    .run = either },
   [OWN_FIRST] = { .info = { HD_INTRINSIC_NAME("own_first"),
                             .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CROSS_LANE,
                             .divergence = HD_DIVERGENCE_UNIFORM, .stages = HD_ALL_STAGES,
                             .num_srcs = 1, .src = two_numbers, .result = X_32("result") },
                   .run = take_first },
   [OWN_LESS] = { .info = { HD_INTRINSIC_NAME("own_less"), PURE,
                            .divergence = HD_DIVERGENCE_OPERANDS, .stages = HD_ALL_STAGES,
                            .num_srcs = 2, .src = two_numbers, .result = X_1("result") },
                  .run = less },
   [OWN_STORE] = { .info = { HD_INTRINSIC_NAME("own_store"), .flags = HD_EFFECT_WRITE,
                             .writes = HD_MEMORY_SHARED, .helpers = HD_HELPER_SKIP,
                             .stages = HD_ALL_STAGES, .num_srcs = 1, .src = two_numbers } },
   [OWN_SUM] = { .info = { HD_INTRINSIC_NAME("own_sum"), PURE, .divergence = HD_DIVERGENCE_OPERANDS,
                           .stages = HD_ALL_STAGES, .num_srcs = 2, .src = two_numbers,
                           .result = X_32("result") },
                 .run = sum },
   [OWN_SWAP] = { .info = { HD_INTRINSIC_NAME("own_swap"), PURE,
                            .divergence = HD_DIVERGENCE_OPERANDS, .stages = HD_ALL_STAGES,
                            .num_srcs = 1, .src = wide, .result = X_64("result") },
                  .run = swap },
};
static const hd_intrinsic_table table = { .rows = rows, .num_rows = NUM_OWN };

static hd_shader *
parse(const char *text, const hd_diag_sink *sink)
{
   const hd_config config = { .diag = *sink, .intrinsics = &table };
   hd_shader *shader;

   if (hd_parse(&config, NULL, text, strlen(text), &shader) != HD_OK)
      fail_msg("%s", text);
   return shader;
}

/* Results */

static bool
emit_binary(hd_emitter *e, const char *name)
{
   const hd_emit_value a = hd_emit_src(e, 0, 0), b = hd_emit_src(e, 1, 0);

   return hd_emit_result(e, 0, hd_emit_op(e, name, 2, (hd_emit_value[]){ a, b }));
}

static hd_emit_value
less_than(hd_emitter *e, hd_emit_value a, hd_emit_value b)
{
   const hd_emit_value srcs[2] = { tested_own_ops.greater ? b : a, tested_own_ops.greater ? a : b };

   return hd_emit_op(e, tested_own_ops.less, 2, srcs);
}

static bool
select_all(void *user, hd_emitter *e, const hd_intrinsic *i)
{
   (void)user;
   switch ((unsigned)i->instr.op - HD_INTRINSIC_OWN) {
   case OWN_EITHER:
      return emit_binary(e, tested_own_ops.exclusive_or);
   case OWN_FIRST: {
      const hd_emit_value a = hd_emit_src(e, 0, 0), zero = hd_emit_constant(e, 0);
      const hd_emit_value x = hd_emit_op(e, tested_own_ops.add, 2, (hd_emit_value[]){ a, zero });
      return hd_emit_result(e, 0, x);
   }
   case OWN_LESS: {
      const hd_emit_value a = hd_emit_src(e, 0, 0), b = hd_emit_src(e, 1, 0);
      return hd_emit_result(e, 0, less_than(e, a, b));
   }
   case OWN_SUM:
      return emit_binary(e, tested_own_ops.add);
   case OWN_SWAP: {
      const hd_emit_value low = hd_emit_src(e, 0, 0), high = hd_emit_src(e, 0, 1);
      return hd_emit_result(e, 0, high) && hd_emit_result(e, 1, low);
   }
   default:
      return false;
   }
}

/* Between the two is what %f is. */
static const char program[] =
    "shader compute {\n workgroup 32 1 1\n function @main {\n b0:\n"
    "  %zero:32 = const 0\n  %seven:32 = const 7\n  %four:32 = const 4\n  %one:32 = const 1\n"
    "  %id:32 = global_invocation_index\n  %at:32 = imul %id, %four\n"
    "  %x:32 = load_buffer %zero, %at align_mul=4\n"
    "  %group:32 = workgroup_index\n  %y:32 = own_sum %group, %seven\n" /* uniform */
    "  %less:1 = own_less %x, %y\n  %odd:32 = iand %x, %one\n  %is_odd:1 = ine %odd, %zero\n"
    "  %either:1 = own_either %less, %is_odd\n  %u:1 = own_less %group, %one\n"
    "  %both:1 = own_either %u, %u\n"
    "  if %either {\n  b1:\n   %f:32 = ";
static const char rest[] =
    "\n   %s:32 = own_sum %f, %id\n"
    "   %v:32x2 = vec %s, %y\n   %w:64 = pack_64_2x32 %v\n   %sw:64 = own_swap %w\n"
    "   %back:32x2 = unpack_64_2x32 %sw\n   %p:32 = channel %back, %zero\n   %q:32 = channel %back, %one\n"
    "   %r:32 = own_sum %q, %p\n   store_buffer %r, %zero, %at binding=1 align_mul=4\n"
    "  } else {\n  b2:\n   %t:32 = own_sum %x, %x\n   %k:32 = select %both, %seven, %t\n"
    "   store_buffer %k, %zero, %at binding=1 align_mul=4\n  }\n b3:\n }\n}\n";

static void
test_results(void **state)
{
   (void)state;
   uint32_t in[INVOCATIONS], expected[INVOCATIONS], got[INVOCATIONS];
   const char *f = tested.no_cross_lane ? "own_sum %x, %y" : "own_first %x";
   char text[sizeof(program) + sizeof(rest) + 20];

   for (unsigned n = 0; n < INVOCATIONS; n++)
      in[n] = n * 2654435761u >> (n % 3 ? 28 : 0);
   snprintf(text, sizeof(text), "%s%s%s", program, f, rest);
   tested_select_own = select_all;
   for (uint64_t variant = 0; variant < 12; variant++) {
      struct heard heard = { 0 };
      const hd_diag_sink sink = { &heard, hear };
      hd_shader *shader = parse(text, &sink);
      hd_wave_buffer buffers[2] = {
         { .memory = { in, NULL, sizeof(in) } },
         { .binding = 1, .memory = { expected, NULL, sizeof(expected) } },
      };
      const hd_wave_launch launch = { .lanes = tested.lanes,
                                      .num_workgroups = { INVOCATIONS / 32 },
                                      .buffers = buffers,
                                      .num_buffers = 2 };
      void *binary;
      memset(expected, 0, sizeof(expected));
      memset(got, 0, sizeof(got));
      if (hd_wave_run(shader, &launch, NULL) != HD_OK)
         fail_msg("%s", heard.all);
      buffers[1].memory.data = got;
      if (tested.compile(shader, variant, NULL, &sink, &binary) != HD_OK ||
          tested.run(binary, shader, &launch, variant, 0, &sink) != HD_OK)
         fail_msg("%s", heard.all);
      for (unsigned n = 0; n < INVOCATIONS; n++) {
         if (expected[n] != got[n])
            fail_msg("variant %u, %u: %#x, not %#x", (unsigned)variant, n, got[n], expected[n]);
      }
      tested.destroy(binary);
      hd_shader_destroy(shader);
   }
   tested_select_own = NULL;
}

/* A machine on which nothing reads other lanes does not ask the hook. */
static void
test_cross_lane(void **state)
{
   (void)state;
   static const char text[] = "shader compute {\n workgroup 32 1 1\n function @main {\n"
                              " b0:\n  %a:32 = subgroup_invocation\n  %b:32 = own_first %a\n"
                              "  %z:32 = const 0\n  store_buffer %b, %z, %z align_mul=4\n }\n}\n";
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   hd_shader *shader = parse(text, &sink);
   void *binary;

   tested_select_own = select_all;
   const hd_result result = tested.compile(shader, 0, NULL, &sink, &binary);
   assert_int_equal(result, tested.no_cross_lane ? HD_UNSUPPORTED : HD_OK);
   assert_int_equal(strstr(heard.all, "unsupported intrinsic own_first") != NULL,
                    tested.no_cross_lane);
   tested.destroy(binary);
   hd_shader_destroy(shader);
   tested_select_own = NULL;
}

/* Every instruction that a hook may emit, of operands that differ between lanes, and of constants. */
struct chosen {
   const char *name;
   unsigned num_srcs;
   bool constants;
};

static const struct chosen *chosen;

static bool
select_chosen(void *user, hd_emitter *e, const hd_intrinsic *i)
{
   const hd_emit_value a = hd_emit_src(e, 0, 0), b = hd_emit_src(e, 1, 0);
   const hd_emit_value k = hd_emit_constant(e, 0x3f800001);
   const hd_emit_value srcs[2][3] = { { a, b, a }, { a, k, k } }, constants[3] = { k, k, k };

   (void)user, (void)i;
   const hd_emit_value x = hd_emit_op(e, chosen->name, chosen->num_srcs, srcs[chosen->constants]);
   if (!hd_emit_op(e, chosen->name, chosen->num_srcs, constants).number)
      return false;
   return hd_emit_result(e, 0, x);
}

static void
test_names(void **state)
{
   (void)state;
   static const char text[] =
       "shader compute {\n workgroup 32 1 1\n function @main {\n b0:\n  %z:32 = const 0\n"
       "  %two:32 = const 2\n  %a:32 = subgroup_invocation\n  %b:32 = own_sum %a, %two\n"
       "  %at:32 = ishl %a, %two\n  store_buffer %b, %z, %at align_mul=4\n }\n}\n";
   uint32_t out[INVOCATIONS] = { 0 };
   unsigned num = 0;

   tested_select_own = select_chosen;
   for (unsigned n = 0; n < 6; n++) {
      for (const char *const *name = tested_own_ops.all[n / 2]; *name; name++, num++) {
         const struct chosen one = { *name, n / 2 + 1, n & 1 };
         struct heard heard = { 0 };
         const hd_diag_sink sink = { &heard, hear };
         hd_shader *shader = parse(text, &sink);
         hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
         const hd_wave_launch launch = {
            .lanes = tested.lanes, .num_workgroups = { 1 }, .buffers = &buffer, .num_buffers = 1
         };
         void *binary;
         chosen = &one;
         if (tested.compile(shader, n, NULL, &sink, &binary) != HD_OK ||
             tested.run(binary, shader, &launch, n, 0, &sink) != HD_OK)
            fail_msg("%s: %s", *name, heard.all);
         tested.destroy(binary);
         hd_shader_destroy(shader);
      }
   }
   assert_true(num > 40);
   tested_select_own = NULL;
}

/* Misuse: each by a hook for own_sum. */

static hd_emit_value
add(hd_emitter *e, hd_emit_value a, hd_emit_value b)
{
   return hd_emit_op(e, tested_own_ops.add, 2, (hd_emit_value[]){ a, b });
}

#define MISUSE(name, code)                                                                         \
   static bool name(void *user, hd_emitter *e, const hd_intrinsic *i)                              \
   {                                                                                               \
      const hd_emit_value x = hd_emit_src(e, 0, 0), none = { 0 };                                  \
      (void)user, (void)i, (void)x, (void)none;                                                    \
      code;                                                                                        \
   }

MISUSE(says_no, return false)
MISUSE(says_why, return hd_emit_refuse(e, "the firmware is too old"))
MISUSE(gives_nothing, return true)
MISUSE(gives_twice, return hd_emit_result(e, 0, x) && hd_emit_result(e, 0, x))
MISUSE(gives_another, return hd_emit_result(e, 1, x))
MISUSE(gives_none, return hd_emit_result(e, 0, none))
MISUSE(gives_made_up, return hd_emit_result(e, 0, (hd_emit_value){ 77 }))
MISUSE(gives_boolean,
       const hd_emit_value b = hd_emit_op(e, tested_own_ops.less, 2, (hd_emit_value[]){ x, x });
       return hd_emit_result(e, 0, b))
MISUSE(asks_for_operand, return hd_emit_result(e, 0, hd_emit_src(e, 2, 0)))
MISUSE(asks_for_part, return hd_emit_result(e, 0, hd_emit_src(e, 0, 1)))
MISUSE(no_such, return hd_emit_result(e, 0, hd_emit_op(e, "v_add_f32", 1, &x)))
MISUSE(no_name, return hd_emit_result(e, 0, hd_emit_op(e, "", 1, &x)))
MISUSE(memory, return hd_emit_result(e, 0, hd_emit_op(e, tested_own_ops.refused, 1, &x)))
MISUSE(few_srcs, return hd_emit_result(e, 0, hd_emit_op(e, tested_own_ops.add, 1, &x)))
MISUSE(no_value, return hd_emit_result(e, 0, add(e, x, none)))
MISUSE(adds_boolean,
       const hd_emit_value b = hd_emit_op(e, tested_own_ops.less, 2, (hd_emit_value[]){ x, x });
       return hd_emit_result(e, 0, add(e, b, b)))
MISUSE(mixes,
       const hd_emit_value b = hd_emit_op(e, tested_own_ops.less, 2, (hd_emit_value[]){ x, x });
       return hd_emit_result(e, 0,
                             hd_emit_op(e, tested_own_ops.exclusive_or, 2,
                                        (hd_emit_value[]){ b, x })))
/* The first is told, and nothing that follows does anything. */
MISUSE(goes_on, hd_emit_src(e, 9, 9); hd_emit_refuse(e, "again"); add(e, x, x);
       return hd_emit_result(e, 0, x))
/* More values than there is room for at first. */
MISUSE(grows, hd_emit_value sum = x; for (unsigned n = 0; n < 100; n++) sum = add(e, sum, x);
       return hd_emit_result(e, 0, sum) && hd_emit_result(e, 0, sum))

static const struct {
   hd_select_own *hook;
   const char *words;
} misuses[] = {
   { NULL, "unsupported intrinsic own_sum: it is the driver's own, and no hook selects it" },
   { says_no, "own_sum: the hook does not select it" },
   { says_why, "own_sum: the firmware is too old" },
   { gives_nothing, "does not set all components of the result" },
   { gives_twice, "sets an invalid result component, an invalid value, or one component twice" },
   { gives_another, "sets an invalid result component, an invalid value, or one component twice" },
   { gives_none, "sets an invalid result component, an invalid value, or one component twice" },
   { gives_made_up, "sets an invalid result component, an invalid value, or one component twice" },
   { gives_boolean, "sets a boolean where the intrinsic has a number" },
   { asks_for_operand, "asks for an operand or component that the intrinsic does not have" },
   { asks_for_part, "asks for an operand or component that the intrinsic does not have" },
   { no_such, "emits v_add_f32: expected an instruction of this target that a hook may emit" },
   { no_name, "expected an instruction of this target that a hook may emit" },
   { memory, "expected an instruction of this target that a hook may emit" },
   { few_srcs, "wrong number of operands" },
   { no_value, "an operand does not exist" },
   { adds_boolean, "an operand is a boolean" },
   { mixes, "an operand is a boolean" },
   { goes_on, "asks for an operand or component that the intrinsic does not have" },
   { grows, "sets an invalid result component, an invalid value, or one component twice" },
};

static void
test_misuse(void **state)
{
   (void)state;
   static const char text[] = "shader compute {\n workgroup 32 1 1\n function @main {\n"
                              " b0:\n  %a:32 = subgroup_invocation\n  %b:32 = own_sum %a, %a\n"
                              "  %z:32 = const 0\n  store_buffer %b, %z, %z align_mul=4\n }\n}\n";

   for (size_t n = 0; n < sizeof(misuses) / sizeof(misuses[0]); n++) {
      struct heard heard = { 0 };
      const hd_diag_sink sink = { &heard, hear };
      hd_shader *shader = parse(text, &sink);
      void *binary;
      tested_select_own = misuses[n].hook;
      if (tested.compile(shader, 0, NULL, &sink, &binary) != HD_UNSUPPORTED || binary)
         fail_msg("not refused: %s", misuses[n].words);
      assert_int_equal(heard.count, 1);
      if (!strstr(heard.all, misuses[n].words))
         fail_msg("%s, not %s", heard.all, misuses[n].words);
      hd_shader_destroy(shader);
   }
   tested_select_own = NULL;
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_results),
                                       cmocka_unit_test(test_cross_lane),
                                       cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_misuse) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
