/* SPDX-License-Identifier: MIT */
/* test_isa.c - Nyuzi's instruction words: against words written from the layout of the formats, bit
 * by bit; each row in each of its forms from fields to text and back; any word.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/nyuzi/isa/isa.h"
#include "heddle/nyuzi_asm.h"
#include "support/heard.h"

static const struct {
   const char *text;
   uint32_t word;
} words[] = {
   { "nop", 0x00000000u },
   { "add_i s1, s2, s3", 0xc0518022u },
   { "or s31, s0, s16", 0xc00803e0u },
   { "and s2, s1, s0", 0xc0100041u },
   { "xor v1, v2, s3", 0xc4318022u },
   { "sub_i_mask v9, s4, v8, s7", 0xc8639128u },
   { "mull_i v9, v8, v7", 0xd0738128u },
   { "mulh_u_mask v9, s10, v8, v7", 0xd483a928u },
   { "mulh_i v1, v2, v3", 0xd1f18022u },
   { "ashr s1, s2, s3", 0xc0918022u },
   { "shr s1, s2, s3", 0xc0a18022u },
   { "shl s1, s2, s3", 0xc0b18022u },
   { "clz s1, s3", 0xc0c18020u },
   { "shuffle v1, v2, v3", 0xd0d18022u },
   { "shuffle_mask v1, s9, v2, v3", 0xd4d1a422u },
   { "ctz v1, v3", 0xd0e18020u },
   { "move v1, s3", 0xc4f18020u },
   { "move_mask v1, s2, v3", 0xd4f18820u },
   { "cmpeq_i s1, s2, s3", 0xc1018022u },
   { "cmpne_i s1, v2, s3", 0xc5118022u },
   { "cmpgt_i s1, v2, v3", 0xd1218022u },
   { "cmpge_i s1, v2, v3", 0xd1318022u },
   { "cmplt_i s1, v2, v3", 0xd1418022u },
   { "cmple_i s1, v2, v3", 0xd1518022u },
   { "cmpgt_u s1, v2, v3", 0xd1618022u },
   { "cmpge_u s1, v2, v3", 0xd1718022u },
   { "cmplt_u s1, v2, v3", 0xd1818022u },
   { "cmple_u s1, v2, v3", 0xd1918022u },
   { "getlane s1, v2, s3", 0xc5a18022u },
   { "ftoi v1, v3", 0xd1b18020u },
   { "reciprocal v1, v3", 0xd1c18020u },
   { "sext_8 s1, s3", 0xc1d18020u },
   { "sext_16 s1, s3", 0xc1e18020u },
   { "add_f v1, v2, v3", 0xd2018022u },
   { "sub_f_mask v2, s2, v2, v1", 0xd6108842u },
   { "mul_f v2, v0, v0", 0xd2200040u },
   { "itof v1, v3", 0xd2a18020u },
   { "cmpgt_f s1, v0, v1", 0xd2c08020u },
   { "cmpge_f s1, v2, v3", 0xd2d18022u },
   { "cmplt_f s1, v2, v3", 0xd2e18022u },
   { "cmple_f s1, v2, v3", 0xd2f18022u },
   { "cmpeq_f s1, v2, v3", 0xd3018022u },
   { "cmpne_f s1, v2, v3", 0xd3118022u },
   { "syscall", 0xc0200000u },
   { "breakpoint", 0xc3e00000u },
   { "add_i s1, s2, -8192", 0x05800022u },
   { "xor s1, s1, -1", 0x03fffc21u },
   { "add_i v1, v2, 8191", 0x257ffc22u },
   { "shl_mask v1, s30, v2, -256", 0x6b807822u },
   { "move s5, 77", 0x0f0134a0u },
   { "move v5, -2", 0x2ffff8a0u },
   { "cmplt_u s1, v2, 12", 0x38003022u },
   { "getlane s1, v2, 15", 0x3a003c22u },
   { "mulh_i s1, s2, 3", 0x1f000c22u },
   { "movehi s3, 0x7ffff", 0x4ffffc7fu },
   { "movehi s3, 0x1", 0x4f000061u },
   { "load_u8 s1, 3(s2)", 0xa0000c22u },
   { "load_s8 s1, -3(s2)", 0xa3fff422u },
   { "load_u16 s1, (s2)", 0xa4000022u },
   { "load_s16 s1, (s2)", 0xa6000022u },
   { "load_32 s1, 16380(s2)", 0xa8fff022u },
   { "load_sync s1, (s2)", 0xaa000022u },
   { "load_v v1, -64(s2)", 0xafff0022u },
   { "load_v_mask v1, s3, 448(s2)", 0xb0e00c22u },
   { "load_gath v1, 4(v2)", 0xba001022u },
   { "load_gath_mask v0, s1, (v2)", 0xbc000402u },
   { "store_8 s1, (s2)", 0x82000022u },
   { "store_16 s1, (s2)", 0x86000022u },
   { "store_32 s1, -16384(s2)", 0x89000022u },
   { "store_sync s1, (s2)", 0x8a000022u },
   { "store_v v1, 64(s2)", 0x8e010022u },
   { "store_v_mask v1, s3, -512(s2)", 0x91000c22u },
   { "store_scat v1, (v2)", 0x9a000022u },
   { "store_scat_mask v1, s3, 508(v2)", 0x9cfe0c22u },
   { "getcr s1, 0", 0xac000020u },
   { "setcr s1, 20", 0x8c000034u },
   { "bz s1, .-8", 0xf3ffffc1u },
   { "bnz s31, .+2097148", 0xf4ffffffu },
   { "b .+4", 0xf6000001u },
   { "b .-67108864", 0xf7000000u },
   { "call .+16", 0xf8000004u },
   { "b s7", 0xf0000007u },
   { "call s8", 0xfc000008u },
};

#define NUM_WORDS (sizeof(words) / sizeof(words[0]))

static uint64_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return *state >> 32;
}

static uint64_t
first_seed(void)
{
   const char *text = getenv("HD_TEST_SEED");
   const uint64_t seed = text ? strtoull(text, NULL, 0) : 20262;

   printf("# HD_TEST_SEED=%llu\n", (unsigned long long)seed);
   return seed;
}

static uint32_t
assembled(const char *text)
{
   hd_blob code = { 0 };
   uint32_t word;

   if (hd_nyuzi_assemble(NULL, NULL, text, strlen(text), &code) != HD_OK || code.size != 4) {
      print_error("cannot assemble: %s\n", text);
      fail();
   }
   memcpy(&word, code.data, 4);
   hd_blob_finish(&code);
   return word;
}

static void
test_words(void **state)
{
   (void)state;
   bool seen[HD_NYUZI_NUM_OPS] = { false };

   for (size_t n = 0; n < NUM_WORDS; n++) {
      hd_nyuzi_word inst;
      hd_blob text = { 0 };
      uint32_t word;

      if (assembled(words[n].text) != words[n].word) {
         print_error("%s: %08x, not %08x\n", words[n].text, assembled(words[n].text),
                     words[n].word);
         fail();
      }
      assert_null(hd_nyuzi_decode(words[n].word, &inst));
      assert_true(hd_nyuzi_encode(&inst, &word));
      assert_int_equal(word, words[n].word);
      hd_nyuzi_print(&inst, 0, false, &text);
      assert_string_equal(text.data, words[n].text);
      hd_blob_finish(&text);
      seen[inst.op] = true;
   }
   for (unsigned op = HD_NYUZI_FIRST_OP; op < HD_NYUZI_NUM_OPS; op++) {
      if (!seen[op]) {
         print_error("no word of %s\n", hd_nyuzi_op_infos[op].name);
         fail();
      }
   }
}

/* What is printed is assembled to the same word. */
static void
must_come_back(uint32_t word, const hd_nyuzi_word *inst)
{
   hd_blob text = { 0 };

   hd_nyuzi_print(inst, 0, false, &text);
   if (assembled(text.data) != word) {
      print_error("%08x is '%s', which is %08x\n", word, text.data, assembled(text.data));
      fail();
   }
   hd_blob_finish(&text);
}

static void
test_rows(void **state)
{
   (void)state;
   uint64_t random = first_seed();

   for (unsigned op = HD_NYUZI_FIRST_OP; op < HD_NYUZI_NUM_OPS; op++) {
      unsigned num = 0;
      for (unsigned k = 0; k < 3000; k++) {
         hd_nyuzi_word inst = { .op = (uint16_t)op,
                                .form =
                                    (uint8_t)(next_random(&random) % (HD_NYUZI_FORM_BRANCH + 1)),
                                .dest = next_random(&random) % 32,
                                .src1 = next_random(&random) % 32,
                                .src2 = next_random(&random) % 32,
                                .mask = next_random(&random) % 32 };
         hd_nyuzi_word again;
         uint32_t word;

         inst.imm = (int32_t)(uint32_t)next_random(&random) >> next_random(&random) % 32;
         /* Fields that the form does not have must be 0. */
         if (k % 2)
            inst.imm = 0;
         if (k % 3)
            inst.mask = inst.src2 = 0;
         if (k % 5)
            inst.src1 = 0;
         if (k % 7 == 0)
            inst.dest = 0;
         if (!hd_nyuzi_encode(&inst, &word))
            continue;
         assert_true(hd_nyuzi_op_infos[op].forms >> inst.form & 1);
         assert_true(hd_nyuzi_fits(inst.form, inst.imm));
         assert_null(hd_nyuzi_decode(word, &again));
         assert_int_equal(again.op, op);
         assert_int_equal(again.form, inst.form);
         assert_int_equal(again.imm, inst.imm);
         must_come_back(word, &again);
         num++;
      }
      assert_true(num > 0);
   }
}

/* Any bytes: all of them are listed, and the listing is assembled to the same bytes. */
static void
test_any_words(void **state)
{
   (void)state;
   uint64_t random = first_seed();
   enum { NUM = 20000 };
   uint32_t *code = malloc(NUM * 4);
   hd_blob text = { 0 }, again = { 0 };
   size_t unknown = 0;

   assert_non_null(code);
   for (unsigned n = 0; n < NUM; n++) {
      code[n] = (uint32_t)next_random(&random);
      if (n % 3 == 0) /* close to a good one */
         code[n] = words[next_random(&random) % NUM_WORDS].word ^ UINT32_C(1)
                                                                      << next_random(&random) % 32;
   }
   assert_int_equal(hd_nyuzi_disassemble(NULL, true, code, NUM * 4, &text, &unknown), HD_OK);
   assert_in_range(unknown, 1, NUM - NUM / 10);
   assert_int_equal(hd_nyuzi_assemble(NULL, NULL, text.data, text.size, &again), HD_OK);
   assert_int_equal(again.size, NUM * 4);
   assert_memory_equal(again.data, code, NUM * 4);
   hd_blob_finish(&text);
   assert_int_equal(hd_nyuzi_disassemble(NULL, false, code, 7, &text, NULL), HD_OK);
   assert_non_null(strstr(text.data, "3 bytes more"));
   hd_blob_finish(&text);
   hd_blob_finish(&again);
   free(code);
}

static void
test_errors(void **state)
{
   (void)state;
   static const struct {
      const char *text, *message;
   } bad[] = {
      { "add_i s1, s2", "add_i does not take such operands" },
      { "add_i s1, s2, v3", "add_i does not take such operands" },
      { "add_i s32, s2, s3", "add_i does not take such operands" },
      { "add_i s1, s2, 8192", "the immediate does not fit into its field" },
      { "add_i_mask v1, s1, v2, 256", "the immediate does not fit into its field" },
      { "add_f v1, v2, 1", "add_f does not take such operands" },
      { "load_32 s1, (v2)", "load_32 does not take such operands" },
      { "load_32_mask s1, s2, (s3)", "load_32 does not take such operands" },
      { "load_gath v1, 16384(v2)", "the immediate does not fit into its field" },
      { "cmpgt_f_mask s1, s2, v1, v2", "cmpgt_f does not take such operands" },
      { "frob s1", "there is no instruction 'frob'" },
      { "b nowhere", "there is no label 'nowhere'" },
      { "a: nop\nb: a: nop", "the label is defined twice" },
      { "add_i s1 s2, s3", "expected a comma behind operand 1" },
      { "add_i s1, s2, 99999999999", "operand 3: expected a register, an immediate" },
      { "b .+2", "b does not take such operands" },
      { ".long s1", ".long takes a number of 32 bits" },
      { "*", "expected an instruction" },
   };

   for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      hd_blob code = { 0 };
      assert_int_equal(hd_nyuzi_assemble(&config, "bad.s", bad[n].text, strlen(bad[n].text), &code),
                       HD_INVALID);
      assert_int_equal(code.size, 0);
      if (!strstr(heard.all, bad[n].message)) {
         print_error("%s: '%s', not '%s'\n", bad[n].text, heard.all, bad[n].message);
         fail();
      }
      hd_blob_finish(&code);
   }
}

/* What is wrong with an instruction is said where it begins, of an operand where that does. */
static void
test_columns(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      uint32_t column;
   } bad[] = {
      { "  frob s1, s2", 3 },        { "a: add_i s1, s2", 4 },  { "b nowhere", 1 },
      { " add_i s1, s2, 8192 ", 2 }, { "add_i s1, s2, %", 15 },
   };

   for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      hd_blob code = { 0 };
      assert_int_equal(hd_nyuzi_assemble(&config, NULL, bad[n].text, strlen(bad[n].text), &code),
                       HD_INVALID);
      if (heard.count != 1 || heard.column != bad[n].column)
         fail_msg("%s: column %u of %u", bad[n].text, heard.column, heard.count);
   }
}

static void
test_labels(void **state)
{
   (void)state;
   static const char text[] = "start: add_i s1, s1, 1 ; counts\n# nothing\n  bz s1, end\n"
                              "a: b: b start\nend:\n.long 0xffffffff";
   const uint32_t expected[] = { 0x05000421u, 0xf2000041u, 0xf7fffffeu, 0xffffffffu };
   hd_blob code = { 0 };

   assert_int_equal(hd_nyuzi_assemble(NULL, NULL, text, strlen(text), &code), HD_OK);
   assert_int_equal(code.size, sizeof(expected));
   assert_memory_equal(code.data, expected, sizeof(expected));
   hd_blob_finish(&code);
   assert_int_equal(hd_nyuzi_assemble(NULL, NULL, "", 0, &code), HD_OK);
   assert_int_equal(code.size, 0);
   hd_blob_finish(&code);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),     cmocka_unit_test(test_rows),
      cmocka_unit_test(test_any_words), cmocka_unit_test(test_errors),
      cmocka_unit_test(test_columns),   cmocka_unit_test(test_labels),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
