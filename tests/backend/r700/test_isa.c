/* SPDX-License-Identifier: MIT */
/* test_isa.c - R700's instructions: against words of LLVM; each row from random fields to text and
 * back; any bytes.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/r700/isa/isa.h"
#include "heddle/r700_asm.h"
#include "support/heard.h"

/* As llc -mcpu=rv770 -show-mc-encoding has them. */
static const struct {
   const char *text;
   uint64_t word;
} words[] = {
   { "ALU 7, @4", 0xa01c000000000004 },
   { "ALU 0, @28, KC0[CB0:0:2]", 0xa00000008000001c },
   { "ALU_PUSH_BEFORE 1, @26", 0xa40400000000001a },
   { "LOOP_START_DX10 @8", 0x8300000000000008 },
   { "JUMP @7 POP_COUNT:1", 0x8500000100000007 },
   { "LOOP_BREAK @7", 0x8480000000000007 },
   { "POP @7 POP_COUNT:1", 0x8700000100000007 },
   { "LOOP_END @2", 0x8280000000000002 },
   { "CF_NOP END_OF_PROGRAM", 0x8020000000000000 },
   { "EXPORT_DONE T1.X___ ELEM_SIZE:3 END_OF_PROGRAM", 0x94200ff8c0008000 },
   { "SETGT_DX10 T1.W, T0.X, T1.Y", 0x6020069000802000 },
   { "MOV * T0.W, literal.x", 0x60000c90800000fd },
   { ".literal 0x1, 0x0", 0x0000000000000001 },
   { "NOT_INT * T1.W, PV.W", 0x6020199080000cfe },
   { "PRED_SETNE_INT * T0.X (MASKED), PV.W, 0.0 UPDATE_PRED", 0x00002288801f0cfe },
   { "MULADD_IEEE T1.X, T1.Y, T1.Y, -T0.X Pred_sel_one", 0x0022900060802401 },
   { "MULADD_IEEE * T1.X, T0.X, T0.X, -T1.Y Pred_sel_zero", 0x00229401c0000000 },
   { "MOV T0.Z, T2.W BS:VEC_120/SCL_212", 0x40080c9000000c02 },
   { "PRED_SETE_INT * T0.X (MASKED), PV.W, 0.0 UPDATE_EXEC_MASK", 0x00002104801f0cfe },
   { "ADD * T0.X, T0.Z, KC0[0].X", 0x0000001080100800 },
   { "LSHL_INT T0.W, PS, literal.x", 0x60003910001fa0ff },
   { "MULLO_INT * T0.X, T1.X, T1.Y", 0x0000399080802001 },
};

#define NUM_WORDS (sizeof(words) / sizeof(words[0]))

static uint64_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return *state >> 24;
}

static hd_r700_kind
kind_of(unsigned op)
{
   return op < HD_R700_ADD      ? HD_R700_CF_WORD
          : op < HD_R700_VFETCH ? HD_R700_ALU_WORD
                                : HD_R700_FETCH_WORDS;
}

static void
test_words(void **state)
{
   (void)state;
   for (size_t n = 0; n < NUM_WORDS; n++) {
      hd_blob code = { 0 };
      assert_int_equal(hd_r700_assemble(NULL, NULL, words[n].text, strlen(words[n].text), &code),
                       HD_OK);
      assert_int_equal(code.size, 8);
      if (hd_r700_word_at(code.data, 0) != words[n].word)
         fail_msg("%s: %016llx", words[n].text, (unsigned long long)hd_r700_word_at(code.data, 0));
      hd_blob_finish(&code);
   }
}

/* Each row with random fields is decoded to the same fields, and its text is assembled to the same
 * words.
 */
static void
test_rows(void **state)
{
   (void)state;
   uint64_t random = 1;
   unsigned good = 0, tries = 0;

   for (unsigned op = HD_R700_FIRST_OP; op < HD_R700_NUM_OPS; op++) {
      unsigned of_op = 0;
      for (unsigned t = 0; t < 400 && op != HD_R700_LITERAL; t++, tries++) {
         hd_r700_inst inst = hd_r700_begin(op), again;
         const hd_r700_layout_info *layout = hd_r700_layout_of(&inst);
         uint64_t code[2], back[2] = { 0 };
         hd_blob text = { 0 }, bytes = { 0 };
         for (unsigned n = 0; n < layout->num_fields; n++) {
            const hd_r700_field_info *f = &layout->fields[n];
            if (f->field != HD_R700_F_INST && f->field != HD_R700_F_MEM_OP &&
                next_random(&random) % 3)
               inst.f[f->field] =
                   (uint32_t)(next_random(&random) & ((UINT64_C(1) << f->width) - 1));
         }
         assert_true(hd_r700_encode(&inst, code));
         if (hd_r700_decode(kind_of(op), code, &again))
            continue; /* a source that is none, and the like */
         assert_memory_equal(&inst, &again, sizeof(inst));
         hd_r700_print(&inst, &text);
         if (hd_r700_assemble(NULL, NULL, text.data, text.size, &bytes) != HD_OK ||
             bytes.size != 8u * layout->num_words)
            fail_msg("%s is not assembled", text.data);
         for (unsigned n = 0; n < layout->num_words; n++)
            back[n] = hd_r700_word_at(bytes.data, n);
         if (back[0] != code[0] || (layout->num_words == 2 && back[1] != code[1]))
            fail_msg("%s: %016llx, not %016llx", text.data, (unsigned long long)back[0],
                     (unsigned long long)code[0]);
         hd_blob_finish(&text);
         hd_blob_finish(&bytes);
         of_op++;
         good++;
      }
      assert_true(of_op > 10 || op == HD_R700_LITERAL);
   }
   assert_true(good > tries / 4);
}

/* A field that does not fit is no word. */
static void
test_too_wide(void **state)
{
   (void)state;
   hd_r700_inst inst = hd_r700_begin(HD_R700_ADD);
   uint64_t code[2];

   inst.f[HD_R700_F_DST_GPR] = 128;
   assert_false(hd_r700_encode(&inst, code));
   inst.f[HD_R700_F_DST_GPR] = 127;
   assert_true(hd_r700_encode(&inst, code));
}

/* Any bytes, and such that are close to a program, are listed, and the listing is assembled to the
 * same bytes.
 */
static void
test_any_bytes(void **state)
{
   (void)state;
   uint64_t random = 7;

   for (unsigned round = 0; round < 3000; round++) {
      uint64_t code[48];
      const unsigned num = 1 + (unsigned)(next_random(&random) % 48);
      unsigned char bytes[sizeof(code) + 8] = { 0 };
      hd_blob text = { 0 }, again = { 0 };
      for (unsigned n = 0; n < num; n++) {
         code[n] = next_random(&random) << 32 ^ next_random(&random);
         if (next_random(&random) % 4)
            code[n] = words[next_random(&random) % NUM_WORDS].word;
         if (n < 8 && next_random(&random) % 2) /* a clause somewhere */
            code[n] = UINT64_C(0xa000000000000000) | (next_random(&random) % 8) << 50 |
                      next_random(&random) % (num + 1);
         if (n < 8 && next_random(&random) % 4 == 0)
            code[n] = UINT64_C(0x8080000000000000) | (next_random(&random) % 4) << 42 |
                      next_random(&random) % (num + 1);
         if (next_random(&random) % 6 == 0)
            code[n] ^= UINT64_C(1) << next_random(&random) % 64;
         for (unsigned k = 0; k < 8; k++)
            bytes[8 * n + k] = (unsigned char)(code[n] >> (8 * k));
      }
      assert_int_equal(hd_r700_disassemble(NULL, round % 2, bytes, 8 * num, &text, NULL), HD_OK);
      if (hd_r700_assemble(NULL, NULL, text.data, text.size, &again) != HD_OK ||
          again.size != 8 * num || memcmp(again.data, bytes, again.size))
         fail_msg("round %u:\n%s", round, text.data);
      hd_blob_finish(&text);
      hd_blob_finish(&again);
   }
}

static void
test_tail(void **state)
{
   (void)state;
   static const unsigned char bytes[11] = { 0, 0, 0, 0, 0, 0, 0x20, 0x80, 1, 2, 3 };
   hd_blob text = { 0 };
   size_t unknown;

   assert_int_equal(hd_r700_disassemble(NULL, false, bytes, 11, &text, &unknown), HD_OK);
   assert_string_equal(text.data, "  CF_NOP END_OF_PROGRAM\n  ; 3 bytes more, no whole word\n");
   assert_int_equal(unknown, 0);
   hd_blob_finish(&text);
}

static void
test_errors(void **state)
{
   (void)state;
   static const struct {
      const char *text, *message;
   } bad[] = {
      { "FROB T0.X", "1:1: expected an instruction, found 'FROB'" },
      { "ADD T0.X, T1.X", "1:15: expected ',', found the end of the line" },
      { "ADD T0.Q, T1.X, T1.X", "1:8: expected a channel: X, Y, Z or W, found 'Q'" },
      { "ADD T128.X, T1.X, T1.X", "a field of the instruction is too large for its bits" },
      { "ADD T0.X, T128.X, T1.X", "1:11: expected T0 to T127, found 'T128.X'" },
      { "ADD T0.X, KC2[0].X, T1.X", "1:11: expected KC0[0] to KC1[31], found 'KC2[0].X'" },
      { "ADD T0.X, KC0[32].X, T1.X", "expected KC0[0] to KC1[31], found 'KC0[32].X'" },
      { "ADD T0.X, C256.X, T1.X", "1:11: expected C0 to C255, found 'C256.X'" },
      { "ADD T0.X, 2.0, T1.X",
        "1:11: expected a source: a register, a constant, literal, PV or PS, found '2.0'" },
      { "ADD T0.X, T1.X, T1.X BS:VEC_999",
        "expected a bank swizzle, as VEC_012/SCL_210, found 'VEC_999'" },
      { "ADD T0.X, T1.X, T1.X POP_COUNT:1",
        "expected a field of the instruction, found 'POP_COUNT:1'" },
      { "ADD T0.X, T1.X, T1.X OMOD:4", "a field of the instruction is too large for its bits" },
      { "MULADD T0.X, |T1.X|, T1.X, T1.X", "1:14: expected a source without |...|" },
      { "ALU 200, @4", "a field of the instruction is too large for its bits" },
      { "TEX 16, @4",
        "1:5: expected at most 15: one less than the fetches of the clause, found '16'" },
      { "ALU 0, @4, KC0[CB0:0]", "1:21: expected ':', found ']'" },
      { "ALU 0, @4, KC2[CB0:0:1]",
        "expected 0 or 1, then [CB<bank>:<address>:<mode>], found '2[CB0:0:1]'" },
      { "JUMP 5", "1:6: expected '@', found '5'" },
      { "VFETCH T0.XY, T1.X",
        "1:11: expected four channels, each X, Y, Z, W, 0, 1, ? or _, found 'XY'" },
      { "CF_NOP\nVFETCH T0.XY__, T1.X", "a fetch must begin at an even word" },
      { "MEM_EXPORT T0.YX__ ",
        "expected XYZW, with _ for a channel that is not written, found 'YX__'" },
      { ".literal 1", "expected ',', found the end of the line" },
      { ".long 0x100000000, 0", "1:9: expected a number of 32 bits, found '100000000'" },
   };

   for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      hd_blob code = { 0 };
      assert_int_equal(hd_r700_assemble(&config, "bad.s", bad[n].text, strlen(bad[n].text), &code),
                       HD_INVALID);
      assert_int_equal(code.size, 0);
      char said[sizeof(heard.all) + 32];
      snprintf(said, sizeof(said), "%u:%u: %s", heard.line, heard.column, heard.all);
      if (!strstr(said, bad[n].message))
         fail_msg("%s: '%s', not '%s'", bad[n].text, said, bad[n].message);
      hd_blob_finish(&code);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),    cmocka_unit_test(test_rows),
      cmocka_unit_test(test_too_wide), cmocka_unit_test(test_any_bytes),
      cmocka_unit_test(test_tail),     cmocka_unit_test(test_errors),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
