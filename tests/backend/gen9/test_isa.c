/* SPDX-License-Identifier: MIT */
/* test_isa.c - Gen9's instructions without another assembler: some bytes that are known, what is refused,
 * labels, and any bytes. test_iga.py compares all rows with Intel's assembler.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gen9/isa/isa.h"
#include "heddle/gen9_asm.h"
#include "support/heard.h"
#include "util/bytes.h"

/* As Intel's assembler makes them. */
static const struct {
   const char *text;
   uint64_t low, high;
} known[] = {
   { "illegal", 0, 0 },
   { "nop", 0x7e, 0 },
   { "add (16|M0) r7.0<1>:d r126.0<0;1,0>:d r1.0<16;16,1>:uw", UINT64_C(0x20e00a2800800040),
     UINT64_C(0x00b1002012000fc0) },
   { "(W&~f0.0.anyv) add (8|M8) (gt)f0.0 (sat)r7.0<1>:f -r126.0<8;8,1>:f (abs)r3.2<0;1,0>:f",
     UINT64_C(0x20e03aec83721040), UINT64_C(0x000020683a8d4fc0) },
   { "(f0.1) mad (8|M8) (gt)f0.1 r7.0<1>:f -r126.0<2;1>:f (abs)r1.0<2;1>:f r3.2<1>:f {NoDDClr}",
     UINT64_C(0x071e00c10361135b), UINT64_C(0x00d720023907e1c8) },
   { "mov (8|M0) r1.0<1>:d -5:w", UINT64_C(0x20201e2800600001), UINT64_C(0xfffbfffb00000000) },
   { "mov (8|M0) r1.0<1>:f r[a0.0,-16]<2,1>:f", UINT64_C(0x20203ae800600001),
     UINT64_C(0x0000000081e581f0) },
   { "math.sin (8|M0) r1.0<1>:f r2.0<8;8,1>:f", UINT64_C(0x20203ae806600038),
     UINT64_C(0x00000000008d0040) },
   { "send (16|M0) r10:w r124 0xC 0x04205E00", UINT64_C(0x214002680c800031),
     UINT64_C(0x04205e0006000f80) },
   { "sends (16|M0) null:w r124 r10 0x8C 0x04025E00", UINT64_C(0x0000a0700c800033),
     UINT64_C(0x04025e0000000f82) },
   { "(W&~f0.0) jmpi -32", UINT64_C(0x3400000400110020), UINT64_C(0xffffffe00e001400) },
   { "(W) wait n0.1<0;1,0>:ud", UINT64_C(0x3204000400000030), UINT64_C(0x0000000000001204) },
};

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

/* One blank where there are several. */
static const char *
without_blanks(char *text)
{
   char *to = text;

   for (const char *c = text; *c; c++) {
      if (*c != '\n' && !(*c == ' ' && (to == text || to[-1] == ' ')))
         *to++ = *c;
   }
   *to = 0;
   return text;
}

static void
test_known(void **state)
{
   (void)state;

   for (size_t n = 0; n < sizeof(known) / sizeof(known[0]); n++) {
      hd_blob code = { 0 }, text = { 0 };
      assert_int_equal(hd_gen9_assemble(NULL, NULL, known[n].text, strlen(known[n].text), &code),
                       HD_OK);
      assert_int_equal(code.size, 16);
      if (get_number((const uint8_t *)code.data, 8) != known[n].low ||
          get_number((const uint8_t *)code.data + 8, 8) != known[n].high) {
         print_error("%s\n", known[n].text);
         fail();
      }
      assert_int_equal(hd_gen9_disassemble(NULL, false, code.data, code.size, &text, NULL), HD_OK);
      assert_string_equal(without_blanks(text.data), known[n].text);
      hd_blob_finish(&code);
      hd_blob_finish(&text);
   }
}

/* Of any bytes there is a text; what is an instruction is assembled to the same bytes. */
static void
test_any_bytes(void **state)
{
   (void)state;
   uint64_t random = first_seed();
   unsigned instructions = 0, shorts = 0;

   for (unsigned n = 0; n < 300000; n++) {
      unsigned char bytes[16], again[16];
      hd_gen9_word word;
      unsigned length;
      for (unsigned k = 0; k < 16; k += 4)
         put_number(bytes + k, 4, next_random(&random));
      if (n % 4) { /* close to a good one */
         const size_t of = next_random(&random) % (sizeof(known) / sizeof(known[0]));
         put_number(bytes, 8, known[of].low);
         put_number(bytes + 8, 8, known[of].high);
         for (unsigned k = 0; k < n % 4; k++) {
            const unsigned bit = next_random(&random) % 128;
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
         }
      }
      const size_t size = n % 7 == 0 ? next_random(&random) % 16 : 16;
      const char *why = hd_gen9_decode(bytes, size, &word, &length);
      assert_in_range(length, size ? 1 : 0, size);
      if (why)
         continue;
      assert_true(hd_gen9_encode(&word, again));
      instructions++;
      if (word.compacted) {
         shorts++;
         /* Two short forms may be of one long form. */
         assert_true(hd_gen9_compact(again));
         continue;
      }
      assert_memory_equal(bytes, again, 16);
   }
   assert_true(instructions > 20000);
   assert_true(shorts > 10);
}

/* A list of bytes is assembled to what it lists, whatever they are. */
static void
test_any_list(void **state)
{
   (void)state;
   uint64_t random = first_seed();
   enum { NUM = 40000 };
   unsigned char *code = malloc(NUM);
   hd_blob text = { 0 }, again = { 0 };
   size_t unknown = 0;

   assert_non_null(code);
   for (size_t n = 0; n < NUM; n += 16) {
      const size_t of = next_random(&random) % (sizeof(known) / sizeof(known[0]));
      put_number(code + n, 8, known[of].low);
      put_number(code + n + 8, 8, known[of].high);
      const unsigned bit = next_random(&random) % 128;
      if (n % 3 && bit != 29) /* else it would be a short one */
         code[n + bit / 8] ^= (unsigned char)(1u << bit % 8);
   }
   assert_int_equal(hd_gen9_disassemble(NULL, true, code, NUM, &text, &unknown), HD_OK);
   assert_in_range(unknown, 1, NUM - NUM / 4);
   assert_int_equal(hd_gen9_assemble(NULL, NULL, text.data, text.size, &again), HD_OK);
   assert_int_equal(again.size, NUM);
   assert_memory_equal(again.data, code, NUM);
   hd_blob_finish(&text);
   assert_int_equal(hd_gen9_disassemble(NULL, false, code, 7, &text, NULL), HD_OK);
   assert_non_null(strstr(text.data, "7 bytes more"));
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
      { "frob (8|M0) r1.0<1>:f", "there is no instruction 'frob'" },
      { "mov (8|M0) r1.0<1>:f", "expected a register" },
      { "mov (3|M0) r1.0<1>:f r2.0<8;8,1>:f", "expected how many channels" },
      { "mov (8|M2) r1.0<1>:f r2.0<8;8,1>:f", "expected the first channel" },
      { "mov (8|M0) r128.0<1>:f r2.0<8;8,1>:f", "expected a register" },
      { "mov (8|M0) r1.9<1>:f r2.0<8;8,1>:f", "mov does not take such operands" },
      { "mov (8|M0) r1.0<1>:x r2.0<8;8,1>:f", "expected a type" },
      { "mov (8|M0) r1.0<3>:f r2.0<8;8,1>:f", "expected a power of two up to 4" },
      { "mov (8|M0) r1.0<1>:f r2.0<8;0,1>:f", "expected a width in the region" },
      { "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", "expected the end of the line" },
      { "mov (8|M0) r1.0<1>:w 65536:w", "expected a number of 16 bits" },
      { "mov (8|M0) r1.0<1>:f 1.0.0:f", "expected a float" },
      { "add (8|M0) r1.0<1>:q r2.0<4;4,1>:q 1:q", "add does not take such operands" },
      { "add (8|M0) r1.0<1>:d 1:d r2.0<8;8,1>:d", "add does not take such operands" },
      { "(f0.0) cmp (8|M0) (gt)f0.1 null<1>:d r2.0<8;8,1>:d 1:d",
        "expected the flag of the predicate, f0.0" },
      { "(f2.0) mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f", "expected a flag" },
      { "(f0.0.any9h) mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f", "expected a predicate: any2h" },
      { "mov (8|M0) r1.0<1>:f r[a0.16]<8;8,1>:f", "expected an address register" },
      { "mov (8|M0) r1.0<1>:f r[a0.0,512]<8;8,1>:f", "expected an offset from -512 to 511" },
      { "while (8|M0) nowhere", "there is no label 'nowhere'" },
      { "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {EOT}", "no option 'EOT'" },
      { "mov (8|M4) r1.0<1>:hf r2.0<4;8,1>:f {Compacted}",
        "expected an instruction with a compacted form" },
      { "send (8|M0) r10 r20 0xA 0x80000000", "expected a descriptor of 31 bits" },
      { ".quad r1", ".quad takes numbers of 64 bits" },
      { "*", "expected an instruction" },
   };

   for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      hd_blob code = { 0 };
      assert_int_equal(
          hd_gen9_assemble(&config, "bad.asm", bad[n].text, strlen(bad[n].text), &code),
          HD_INVALID);
      assert_int_equal(code.size, 0);
      if (!strstr(heard.all, bad[n].message)) {
         print_error("%s: '%s', not '%s'\n", bad[n].text, heard.all, bad[n].message);
         fail();
      }
      hd_blob_finish(&code);
   }
}

static void
test_labels(void **state)
{
   (void)state;
   static const char text[] = "start: // the first\n\n"
                              "(W) mul (1|M0) r126.0<1>:d r6.0<0;1,0>:d r2.1<0;1,0>:d {Compacted}\n"
                              "(f0.1) if (16|M0) a: b\n"
                              "(f0.1) if (16|M0) a b\n"
                              "a: b: else (16|M0) end end\n"
                              "end: endif (16|M0) end\n"
                              "(W) jmpi start\n";
   static const char good[] = "start: // the first\n\n"
                              "(W) mul (1|M0) r126.0<1>:d r6.0<0;1,0>:d r2.1<0;1,0>:d {Compacted}\n"
                              "(f0.1) if (16|M0) a b\n"
                              "a: b: else (16|M0) end end\n"
                              "end: endif (16|M0) end\n"
                              "(W) jmpi start\n.quad 0x1,0x2 // two\n";
   hd_blob code = { 0 };
   hd_gen9_word word;
   unsigned length;
   static const int32_t jips[] = { 0, 16, 16, 0, -72 };

   assert_int_equal(hd_gen9_assemble(NULL, NULL, text, strlen(text), &code), HD_INVALID);
   assert_int_equal(hd_gen9_assemble(NULL, NULL, good, strlen(good), &code), HD_OK);
   assert_int_equal(code.size, 8 + 4 * 16 + 16);
   const unsigned char *at = (const unsigned char *)code.data;
   for (unsigned n = 0; n < 5; n++) {
      assert_null(hd_gen9_decode(at, code.size - (size_t)(at - (const unsigned char *)code.data),
                                 &word, &length));
      assert_int_equal(length, n ? 16 : 8);
      assert_int_equal(word.jip, jips[n]);
      at += length;
   }
   assert_int_equal(get_number(at + 8, 8), 2);
   hd_blob_finish(&code);
   assert_int_equal(hd_gen9_assemble(NULL, NULL, "", 0, &code), HD_OK);
   assert_int_equal(code.size, 0);
   hd_blob_finish(&code);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known),    cmocka_unit_test(test_any_bytes),
      cmocka_unit_test(test_any_list), cmocka_unit_test(test_errors),
      cmocka_unit_test(test_labels),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
