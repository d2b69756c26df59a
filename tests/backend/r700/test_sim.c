/* SPDX-License-Identifier: MIT */
/* test_sim.c - R700's simulator: the rules of the stack, of loops, of groups and their ports, on code
 * that is written as text.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/r700_asm.h"
#include "heddle/r700_sim.h"
#include "heddle/text.h"
#include "support/heard.h"

#define NUM (128u * 4u * 64u)

static uint32_t registers[NUM], constants[64];
static uint32_t told[NUM]; /* what the registers are by what is told */

static uint32_t *
at(unsigned gpr, unsigned chan)
{
   return &registers[256 * gpr + 64 * chan];
}

static void
wrote(void *user, const hd_wave_register *reg)
{
   unsigned gpr;
   char chan;

   (void)user;
   assert_int_equal(reg->num, 64);
   assert_int_equal(sscanf(reg->name, "T%u.%c", &gpr, &chan), 2);
   assert_non_null(strchr("XYZW", chan));
   const unsigned n = (unsigned)(strchr("XYZW", chan) - "XYZW");
   memcpy(&told[256 * gpr + 64 * n], reg->values, 64 * sizeof(uint32_t));
}

/* T0.X is the number of the lane; all else 0. */
static hd_result
run(const char *text, uint32_t stack_size, struct heard *heard, hd_r700_sim_stats *stats)
{
   const hd_config config = { .diag = { heard, hear } };
   const hd_r700_sim_options options = { .max_steps = 2000, .wrote = wrote };
   hd_blob code = { 0 };

   memset(heard, 0, sizeof(*heard));
   memset(registers, 0, sizeof(registers));
   for (unsigned lane = 0; lane < 64; lane++)
      at(0, 0)[lane] = lane;
   for (unsigned n = 0; n < 64; n++)
      constants[n] = 100 + n;
   if (hd_r700_assemble(&config, NULL, text, strlen(text), &code) != HD_OK)
      fail_msg("%s", heard->all);
   memcpy(told, registers, sizeof(told));
   const hd_r700_sim_bare bare = { .code = code.data,
                                   .code_size = code.size,
                                   .stack_size = stack_size,
                                   .lanes = UINT64_MAX,
                                   .registers = registers,
                                   .constants = { constants },
                                   .num_constants = { 64 } };
   const hd_result result = hd_r700_sim_run_bare(&config, &bare, &options, stats);
   hd_blob_finish(&code);
   if (result == HD_OK)
      assert_memory_equal(told, registers, sizeof(told));
   return result;
}

static void
must_run(const char *text, uint32_t stack_size)
{
   struct heard heard;
   hd_r700_sim_stats stats;

   if (run(text, stack_size, &heard, &stats) != HD_OK)
      fail_msg("%s\n%s", text, heard.all);
}

static void
must_fail(const char *text, uint32_t stack_size, const char *message)
{
   struct heard heard;

   if (run(text, stack_size, &heard, NULL) == HD_OK || !strstr(heard.all, message))
      fail_msg("%s\n'%s', not '%s'", text, heard.all, message);
}

/* All of a group read before one of them writes; what it wrote is in PV and PS. */
static void
test_groups(void **state)
{
   (void)state;
   must_run(
       "ALU 6, @2\nCF_NOP END_OF_PROGRAM\n"
       "MOV T1.X, T0.X\nADD_INT T1.Y, T1.X, 1 BS:VEC_102/SCL_221\nMULLO_INT * T1.Z, T0.X, literal.x\n.literal 3, 0\n"
       "ADD_INT T2.X, PV.X, T1.Y\nMOV * T2.Y, PS\nMOV * T3.X, T2.X\n",
       0);
   assert_int_equal(at(1, 0)[5], 5);
   assert_int_equal(at(1, 1)[5], 1);
   assert_int_equal(at(1, 2)[5], 15);
   assert_int_equal(at(2, 0)[5], 6);
   assert_int_equal(at(2, 1)[5], 15);
   assert_int_equal(at(3, 0)[5], 6);
   must_fail("ALU 1, @2\nCF_NOP END_OF_PROGRAM\nMOV * T1.X, T0.X\nMOV * T2.X, PV.Y\n", 0,
             "which the previous group leaves empty");
   must_fail("ALU 1, @2\nCF_NOP END_OF_PROGRAM\nMOV * T1.X, T0.X\nMOV * T2.X, PS\n", 0,
             "which the previous group leaves empty");
   must_fail("ALU 0, @3\nALU 0, @4\nCF_NOP END_OF_PROGRAM\nMOV * T1.X, T0.X\nMOV * T2.X, PV.X\n", 0,
             "which the previous group leaves empty");
}

static void
test_slots(void **state)
{
   (void)state;
   /* The second one of a channel takes the transcendental slot, a third one has none. */
   must_run("ALU 1, @2\nCF_NOP END_OF_PROGRAM\nMOV T1.X, T0.X\nMOV * T2.X, 1\n", 0);
   must_fail("ALU 2, @2\nCF_NOP END_OF_PROGRAM\nMOV T1.X, T0.X\nMOV T2.X, 1\nMOV * T3.X, 1\n", 0,
             "no slot of the group is free for it");
   must_fail("ALU 1, @2\nCF_NOP END_OF_PROGRAM\nMULLO_INT T1.X, T0.X, 1\nRECIP_IEEE * T1.Y, T0.X\n",
             0, "no slot of the group is free for it");
   must_fail("ALU 0, @2\nCF_NOP END_OF_PROGRAM\nMOV T1.X, T0.X\n", 0, "ends within a group");
   must_fail("ALU 0, @2\nCF_NOP END_OF_PROGRAM\nMOV * T1.X, literal.x\n.literal 1, 2\n", 0,
             "ends within the literals");
}

/* In each cycle one register of each channel is read. */
static void
test_ports(void **state)
{
   (void)state;
   static const char clash[] = "ALU 1, @2\nCF_NOP END_OF_PROGRAM\n"
                               "ADD T1.X, T2.X, T3.X\nADD * T1.Y, T4.X, T5.X%s\n";
   char text[200];

   snprintf(text, sizeof(text), clash, "");
   must_fail(text, 0, "has no port");
   /* Three cycles are not enough for four registers. */
   snprintf(text, sizeof(text), clash, " BS:VEC_201");
   must_fail(text, 0, "has no port");
   must_run("ALU 1, @2\nCF_NOP END_OF_PROGRAM\n"
            "ADD T1.X, T2.X, T3.X\nADD * T1.Y, T4.X, T3.X BS:VEC_210\n",
            0);
   /* The transcendental slot reads its constants in the first cycles. */
   must_fail("ALU 2, @2\nCF_NOP END_OF_PROGRAM\nMOV T1.X, 0.0\n"
             "MULADD * T2.X, literal.x, literal.y, T3.X\n.literal 5, 6\n",
             0, "operand 2 has no port");
   must_run("ALU 1, @2\nCF_NOP END_OF_PROGRAM\nMULLO_INT * T1.X, T2.X, literal.x\n.literal 5, 0\n",
            0);
   must_fail("ALU 2, @2, KC0[CB0:0:1]\nCF_NOP END_OF_PROGRAM\n"
             "MOV T1.X, KC0[0].X\nMOV T1.Y, KC0[1].X\nMOV * T1.Z, KC0[2].X\n",
             0, "more than two pairs of constants");
}

static void
test_constants(void **state)
{
   (void)state;
   must_run("ALU 1, @2, KC0[CB0:0:1]\nCF_NOP END_OF_PROGRAM\n"
            "MOV * T1.X, KC0[2].Y\nMOV * T1.Y, KC0[15].W\n",
            0);
   assert_int_equal(at(1, 0)[0], 109);
   assert_int_equal(at(1, 1)[0], 163);
   must_fail("ALU 0, @2\nCF_NOP END_OF_PROGRAM\nMOV * T1.X, KC0[2].Y\n", 0, "has not locked");
   must_fail("ALU 0, @2, KC0[CB0:0:1]\nCF_NOP END_OF_PROGRAM\nMOV * T1.X, KC0[16].Y\n", 0,
             "has not locked");
}

#define IF_ELSE                                                                                    \
   "ALU_PUSH_BEFORE 1, @6\nJUMP @3\nALU 0, @9\nELSE @5 POP_COUNT:1\nALU_POP_AFTER 1, @10\n"        \
   "CF_NOP END_OF_PROGRAM\n"                                                                       \
   "PRED_SETGT_INT * T0.X (MASKED), T0.X, literal.x UPDATE_EXEC_MASK\n.literal 40, 0\n"            \
   ".long 0, 0\nMOV * T1.X, 1\nMOV * T1.X, literal.x\n.literal 2, 0\n"

static void
test_branches(void **state)
{
   (void)state;
   struct heard heard;
   hd_r700_sim_stats stats;
   const char *text = IF_ELSE;

   must_run(text, 1);
   for (unsigned lane = 0; lane < 64; lane++)
      assert_int_equal(at(1, 0)[lane], lane > 40 ? 1 : 2);
   assert_int_equal(run(text, 1, &heard, &stats), HD_OK);
   assert_int_equal(stats.stack, 1);
   must_fail(text, 0, "the stack has 0 entries, 1 are needed");
   must_fail("POP @1 POP_COUNT:1\nCF_NOP END_OF_PROGRAM\n", 1,
             "1 entries are popped here, 0 were pushed");
   must_fail("ELSE @1\nCF_NOP END_OF_PROGRAM\n", 1,
             "ELSE: expected an entry of a push on the stack, found none");
   must_fail("LOOP_END @0\nCF_NOP END_OF_PROGRAM\n", 1,
             "LOOP_END: expected a loop on the stack, found none");
   must_fail("LOOP_BREAK @0\nCF_NOP END_OF_PROGRAM\n", 1, "expected a loop on the stack");
   must_fail("LOOP_START_DX10 @2\nPOP @2 POP_COUNT:1\nCF_NOP END_OF_PROGRAM\n", 4,
             "entries are popped here, 0 were pushed");
}

/* Lanes count to their number; those that broke wait whatever is popped. */
static void
test_counting(void **state)
{
   (void)state;
   must_run("LOOP_START_DX10 @7\n"
            "ALU_PUSH_BEFORE 0, @8\n"
            "JUMP @5 POP_COUNT:1\n"
            "LOOP_BREAK @6\n"
            "POP @5 POP_COUNT:1\n"
            "ALU 0, @9\n"
            "LOOP_END @1\n"
            "CF_NOP END_OF_PROGRAM\n"
            "PRED_SETGE_INT * T0.X (MASKED), T1.X, T0.X UPDATE_EXEC_MASK\n"
            "ADD_INT * T1.X, T1.X, 1\n",
            2);
   for (unsigned lane = 0; lane < 64; lane++)
      assert_int_equal(at(1, 0)[lane], lane);
   must_fail("LOOP_START_DX10 @2\nLOOP_END @1\nCF_NOP END_OF_PROGRAM\n", 1, "more than 2000 steps");
}

/* A clause breaks, or continues, with the lanes that its test excludes. It needs an element of the stack. */
static void
test_leaving_clauses(void **state)
{
   (void)state;
   static const char text[] =
       "LOOP_START_DX10 @6\n"
       "ALU_BREAK 0, @7\n"
       "ALU 0, @8\n"
       "ALU_CONTINUE 1, @9\n"
       "ALU 0, @11\n"
       "LOOP_END @1\n"
       "CF_NOP END_OF_PROGRAM\n"
       "PRED_SETGT_INT * T0.X (MASKED), T0.X, T1.X UPDATE_EXEC_MASK\n"
       "ADD_INT * T1.X, T1.X, 1\n"
       "PRED_SETGE_INT * T0.X (MASKED), literal.x, T1.X UPDATE_EXEC_MASK\n.literal 7, 0\n"
       "ADD_INT * T1.Y, T1.Y, 1\n";

   must_run(text, 2);
   for (unsigned lane = 0; lane < 64; lane++) {
      assert_int_equal(at(1, 0)[lane], lane);
      assert_int_equal(at(1, 1)[lane], lane < 7 ? lane : 7);
   }
   must_fail(text, 1, "the stack has 1 entries, 2 are needed");
}

/* Only lanes whose predicate is as the instruction wants write. */
static void
test_predicates(void **state)
{
   (void)state;
   must_run("ALU 3, @2\nCF_NOP END_OF_PROGRAM\n"
            "PRED_SETGT_INT * T0.X (MASKED), T0.X, literal.x UPDATE_PRED\n.literal 9, 0\n"
            "MOV T1.X, 1 Pred_sel_one\nMOV * T1.Y, 1 Pred_sel_zero\n",
            0);
   for (unsigned lane = 0; lane < 64; lane++) {
      assert_int_equal(at(1, 0)[lane], lane > 9);
      assert_int_equal(at(1, 1)[lane], lane <= 9);
   }
}

/* Two of a group write the same channel, in other lanes. */
static void
test_told_predicates(void **state)
{
   (void)state;
   must_run("ALU 4, @2\nCF_NOP END_OF_PROGRAM\n"
            "PRED_SETGT_INT * T0.X (MASKED), T0.X, literal.x UPDATE_PRED\n.literal 9, 0\n"
            "MOV T1.X, 1 Pred_sel_one\nMOV * T1.X, literal.x Pred_sel_zero\n.literal 7, 0\n",
            0);
   for (unsigned lane = 0; lane < 64; lane++)
      assert_int_equal(told[256 + lane], lane > 9 ? 1 : 7);
}

struct stores {
   uint32_t scratch[64], buffer[64];
   const uint8_t *memory;
};

static void
stored(void *user, const hd_wave_stored *store)
{
   struct stores *s = user;
   const uint8_t *bytes = store->data;
   uint32_t value = 0;

   assert_int_equal(store->size, 4);
   for (unsigned n = 0; n < 4; n++)
      value |= (uint32_t)bytes[n] << (8 * n);
   assert_in_range(store->lane, 0, 63);
   if (store->within) {
      assert_string_equal(store->within, "scratch");
      assert_int_equal(store->address, 16);
      s->scratch[store->lane] = value;
   } else {
      assert_ptr_equal(bytes, s->memory + 4 * store->lane);
      s->buffer[store->lane] = value;
   }
}

/* Each dword of scratch memory is a quad. */
static void
test_told_stores(void **state)
{
   (void)state;
   static const char text[] =
       "shader compute {\n workgroup 64 1 1\n scratch 8\n function @main {\n b0:\n"
       "  %i:32 = local_invocation_index\n  %two:32 = const 2\n  %four:32 = const 4\n"
       "  %zero:32 = const 0\n  %at:32 = ishl %i, %two\n  %square:32 = imul %i, %i\n"
       "  store_scratch %square, %four align_mul=4\n"
       "  %back:32 = load_scratch %four align_mul=4\n  %sum:32 = iadd %back, %i\n"
       "  store_buffer %sum, %zero, %at align_mul=4\n }\n}\n";
   struct heard heard = { 0 };
   const hd_config config = { .diag = { &heard, hear } };
   const hd_r700_options options = { .passes = "opt_dce" };
   uint8_t memory[256];
   struct stores stores = { .memory = memory };
   const hd_r700_sim_options sim = { .user = &stores, .stored = stored };
   hd_wave_buffer buffer = { .memory = { memory, NULL, sizeof(memory) } };
   const hd_wave_launch launch = { .buffers = &buffer, .num_buffers = 1 };
   hd_r700_binary *binary;
   hd_shader *shader;

   if (hd_parse(&config, NULL, text, strlen(text), &shader) != HD_OK ||
       hd_r700_compile(shader, &options, &binary) != HD_OK)
      fail_msg("%s", heard.all);
   assert_int_equal(hd_r700_sim_run_wave(binary, shader, &launch, &sim, NULL), HD_OK);
   for (unsigned lane = 0; lane < 64; lane++) {
      assert_int_equal(stores.scratch[lane], lane * lane);
      assert_int_equal(stores.buffer[lane], lane * lane + lane);
   }
   hd_r700_binary_destroy(binary);
   hd_shader_destroy(shader);
}

/* A binary that says that it has fewer registers than it uses. */
static void
test_registers(void **state)
{
   (void)state;
   static const char text[] = "shader compute {\n workgroup 64 1 1\n function @main {\n b0:\n"
                              "  %i:32 = local_invocation_index\n  %zero:32 = const 0\n"
                              "  store_buffer %i, %zero, %zero align_mul=4\n }\n}\n";
   struct heard heard = { 0 };
   const hd_config config = { .diag = { &heard, hear } };
   const hd_wave_launch launch = { 0 };
   hd_r700_binary *binary = NULL;
   hd_shader *shader;

   if (hd_parse(&config, NULL, text, strlen(text), &shader) != HD_OK ||
       hd_r700_compile(shader, NULL, &binary) != HD_OK)
      fail_msg("%s", heard.all);
   assert_int_equal(hd_r700_sim_run_wave(binary, shader, &launch, NULL, NULL), HD_OK);
   hd_r700_binary fewer = *binary;
   fewer.num_gprs = 2;
   assert_int_equal(hd_r700_sim_run_wave(&fewer, shader, &launch, NULL, NULL), HD_INVALID);
   assert_non_null(strstr(heard.all, "is none of the 2 registers"));
   hd_r700_binary_destroy(binary);
   hd_shader_destroy(shader);
}

static void
test_faults(void **state)
{
   (void)state;
   must_fail("CF_NOP\n", 0, "runs out of its code");
   must_fail("ALU 0, @9\nCF_NOP END_OF_PROGRAM\n", 0, "the clause ends at word 10, the code has 2");
   must_fail("TEX 0, @1\nCF_NOP END_OF_PROGRAM\n", 0, "expected an even word");
   must_fail("CALL @0\nCF_NOP END_OF_PROGRAM\n", 0, "does not run CALL");
   must_fail(".long 0, 0x0f800000\n", 0, "invalid opcode");
   must_fail("ALU 0, @2\nCF_NOP END_OF_PROGRAM\nCUBE * T1.X, T0.X, T0.X\n", 0, "does not run CUBE");
   must_fail("ALU 0, @2\nCF_NOP END_OF_PROGRAM\nMOV * T1.X, T[0+AR].X\n", 0, "relative addressing");
   must_fail("TEX 0, @2\nCF_NOP END_OF_PROGRAM\n"
             "VFETCH T1.X___, T0.X DATA_FORMAT:13 NUM_FORMAT_ALL:1\n",
             0, "there is no memory at address");
   must_fail("ALU 1, @4\nTEX 1, @6\nCF_NOP END_OF_PROGRAM\n.long 0, 0\n"
             "PRED_SETGT_INT * T0.X (MASKED), T0.X, literal.x UPDATE_EXEC_MASK\n.literal 100, 0\n"
             "VFETCH T1._X__, T0.X\nVFETCH T2.X___, T1.Y\n",
             0, "is written by an earlier fetch of the same clause");
   must_fail("MEM_EXPORT T0.X___ TYPE:1\nCF_NOP END_OF_PROGRAM\n", 0, "there is no memory");
   must_fail("MEM_SCRATCH T0.X___ ELEM_SIZE:3\nCF_NOP END_OF_PROGRAM\n", 0,
             "of scratch memory is not allocated");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groups),          cmocka_unit_test(test_slots),
      cmocka_unit_test(test_ports),           cmocka_unit_test(test_constants),
      cmocka_unit_test(test_branches),        cmocka_unit_test(test_counting),
      cmocka_unit_test(test_leaving_clauses), cmocka_unit_test(test_predicates),
      cmocka_unit_test(test_told_predicates), cmocka_unit_test(test_told_stores),
      cmocka_unit_test(test_registers),       cmocka_unit_test(test_faults),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
