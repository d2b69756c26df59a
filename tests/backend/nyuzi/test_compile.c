/* SPDX-License-Identifier: MIT */
/* test_compile.c - what code looks like, and what is refused. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/nyuzi_asm.h"
#include "heddle/nyuzi_sim.h"
#include "heddle/text.h"
#include "support/heard.h"

static hd_result
compile(const char *text, const hd_nyuzi_options *options, struct heard *heard,
        hd_nyuzi_binary **binary)
{
   const hd_config config = { .diag = { heard, hear } };
   hd_shader *shader;

   if (hd_parse(&config, NULL, text, strlen(text), &shader) != HD_OK)
      fail_msg("%s\n%s", heard->all, text);
   const hd_result result = hd_nyuzi_compile(shader, options, binary);
   hd_shader_destroy(shader);
   return result;
}

/* if (a > b) return a * a - b; else return b * b - a; */
static const char fn0[] =
    "shader compute {\n workgroup 16 1 1\n function @fn0 {\n b0:\n"
    "  %1:32 = local_invocation_index\n  %2:32 = const 2\n  %3:32 = ishl %1, %2\n"
    "  %4:32 = const 0\n  %a:32 = load_buffer %4, %3 align_mul=4\n"
    "  %b:32 = load_buffer %4, %3 align_mul=4 offset=64\n  %7:1 = flt %b, %a\n"
    "  if %7 {\n b1:\n   %8:32 = fmul %a, %a\n   %9:32 = fsub %8, %b\n"
    "  } else {\n b2:\n   %10:32 = fmul %b, %b\n   %11:32 = fsub %10, %a\n  }\n b3:\n"
    "  %12:32 = phi b1: %9, b2: %11\n  store_buffer %12, %4, %3 binding=1 align_mul=4\n }\n}\n";

/* The listing of the article that describes the machine, registers aside: multiplications, whose
 * results are read in their arm alone, have no mask, what the arms leave behind has.
 */
static const char *const listing[] = {
   "cmpgt_f s, v, v", "and s, s, s", "mul_f v, v, v", "sub_f_mask v, s, v, v",
   "xor s, s, -1",    "and s, s, s", "mul_f v, v, v", "sub_f_mask v, s, v, v",
};

/* Numbers of registers go. */
static void
without_numbers(const char *line, char out[64])
{
   unsigned num = 0;
   char before = ' ';

   while (*line == ' ')
      line++;
   for (; *line && *line != '\n' && num < 63; line++) {
      if (*line >= '0' && *line <= '9' && (before == 's' || before == 'v'))
         continue;
      out[num++] = before = *line;
   }
   out[num] = 0;
}

static void
test_two_arms(void **state)
{
   (void)state;
   const hd_nyuzi_options options = { .passes = "opt_dce",
                                      .keep_text = true,
                                      .verify_regalloc = true };
   struct heard heard = { 0 };
   hd_nyuzi_binary *binary;

   assert_int_equal(compile(fn0, &options, &heard, &binary), HD_OK);
   const char *line = strstr(binary->text, "cmpgt_f");
   for (size_t n = 0; n < sizeof(listing) / sizeof(listing[0]); n++) {
      char words[64];
      assert_non_null(line);
      without_numbers(line, words);
      assert_string_equal(words, listing[n]);
      line = strchr(line, '\n');
      line = line ? line + 1 : NULL;
   }
   assert_int_equal(binary->stats.branches, 0);
   /* Both masks, of three instructions, and what is active of each of three accesses' lanes. */
   assert_int_equal(binary->stats.masks, 6);
   hd_nyuzi_binary_destroy(binary);

   /* A branch around each arm, if it is asked for. */
   const hd_nyuzi_options always = { .passes = "opt_dce", .skip = HD_NYUZI_SKIP_ALWAYS };
   assert_int_equal(compile(fn0, &always, &heard, &binary), HD_OK);
   assert_int_equal(binary->stats.branches, 2);
   assert_int_equal(binary->stats.masks, 8);
   hd_nyuzi_binary_destroy(binary);
}

/* What is read in its arm alone has no mask, however much of it there is. */
static void
test_masked_writes(void **state)
{
   (void)state;
   static const char shader[] =
       "shader compute {\n workgroup 16 1 1\n function @main {\n b0:\n"
       "  %1:32 = local_invocation_index\n  %2:32 = const 2\n  %3:32 = ishl %1, %2\n"
       "  %4:32 = const 0\n  %5:32 = load_buffer %4, %3 align_mul=4\n  %6:32 = const 100\n"
       "  %7:1 = ult %5, %6\n  if %7 {\n b1:\n   %8:32 = imul %5, %5\n   %9:32 = iadd %8, %5\n"
       "   %10:32 = ixor %9, %8\n   %11:32 = imul %10, %9\n"
       "   store_buffer %11, %4, %3 binding=1 align_mul=4\n  } else {\n b2:\n  }\n b3:\n"
       "  store_buffer %5, %4, %3 binding=2 align_mul=4\n }\n}\n";
   const hd_nyuzi_options options = { .passes = "opt_dce",
                                      .keep_text = true,
                                      .verify_regalloc = true };
   struct heard heard = { 0 };
   hd_nyuzi_binary *binary;

   assert_int_equal(compile(shader, &options, &heard, &binary), HD_OK);
   assert_null(strstr(binary->text, "mull_i_mask"));
   assert_null(strstr(binary->text, "xor_mask"));
   assert_null(strstr(binary->text, "add_i_mask"));
   hd_nyuzi_binary_destroy(binary);
}

/* What is printed is assembled to the code. */
static void
test_text(void **state)
{
   (void)state;
   const hd_nyuzi_options options = { .keep_text = true, .skip = HD_NYUZI_SKIP_ALWAYS };
   struct heard heard = { 0 };
   hd_nyuzi_binary *binary;
   hd_blob code = { 0 };

   assert_int_equal(compile(fn0, &options, &heard, &binary), HD_OK);
   assert_int_equal(hd_nyuzi_assemble(NULL, NULL, binary->text, strlen(binary->text), &code),
                    HD_OK);
   assert_int_equal(code.size, binary->code_words * 4);
   assert_memory_equal(code.data, binary->code, code.size);
   hd_blob_finish(&code);
   hd_nyuzi_binary_destroy(binary);
}

static void
test_refused(void **state)
{
   (void)state;
   static const struct {
      const char *head, *body, *message;
   } bad[] = {
      { "", "%1:32 = const 1\n %2:32 = fexp2 %1\n store_shared %2, %1",
        "unsupported op fexp2 of 32 bits" },
      { "", "%1:64 = const 1\n %2:64 = fadd %1, %1\n %3:32 = const 0\n store_shared %2, %3",
        "unsupported op fadd of 64 bits" },
      { "floats flush16\n",
        "%1:16 = const 1\n %2:16 = fmul %1, %1\n %3:32 = const 0\n store_shared %2, %3",
        "unsupported float controls: this target rounds to nearest and keeps denormals" },
      { "", "%1:64 = const 64\n %2:64 = global_atomic %1, %1",
        "expected an atomic of 32 bits, found 64" },
      { "", "%1:32 = const 0\n %2:32x4 = image_load %1, %1, %1, %1 dim=d1\n store_shared %2, %1",
        "unsupported intrinsic image_load" },
      { "", "barrier exec_scope=device", "unsupported barrier of more than a workgroup" },
      { "floats flush32\n", "%1:32 = const 1\n %2:32 = fadd %1, %1\n store_shared %2, %1",
        "unsupported float controls: this target rounds to nearest and keeps denormals" },
      { "subgroup 32\n", "%1:32 = const 1", "a wave has 16 lanes, the shader requires 32" },
   };

   for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
      const hd_nyuzi_options options = { .passes = "opt_copy" };
      struct heard heard = { 0 };
      hd_nyuzi_binary *binary;
      char text[512];
      snprintf(text, sizeof(text),
               "shader compute {\n workgroup 64 1 1\n shared 256\n %s function @main {\n b0:\n %s\n"
               " }\n}\n",
               bad[n].head, bad[n].body);
      assert_int_equal(compile(text, &options, &heard, &binary), HD_UNSUPPORTED);
      assert_null(binary);
      if (!strstr(heard.all, bad[n].message))
         fail_msg("%s, not %s", heard.all, bad[n].message);
   }
}

static void
test_options(void **state)
{
   (void)state;
   static const hd_nyuzi_options bad[] = { { .max_scalars = 28 },
                                           { .max_vectors = 40 },
                                           { .max_scalars = 3 },
                                           { .skip = (hd_nyuzi_skip)7 } };

   for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
      struct heard heard = { 0 };
      hd_nyuzi_binary *binary;
      assert_int_equal(compile(fn0, &bad[n], &heard, &binary), HD_INVALID);
      assert_int_equal(heard.count, 1);
   }
}

/* Words that do what no program may. */
static void
test_wrong_code(void **state)
{
   (void)state;
   static const struct {
      const char *text, *message;
   } wrong[] = {
      { "move s2, 64\n load_32 s3, (s2)",
        "at 0x4 load_32 s3, (s2): address 0x00000040 is in no memory" },
      { "load_32 s3, 2(s1)", "is no multiple of 4" },
      { "store_32 s3, (s1)", "may only be read" },
      { "move v2, 2\n load_gath v3, (v2)",
        "wave 0, lane 0, at 0x4 load_gath v3, (v2): address 0x00000002" },
      { "load_v v1, 4(s30)", "of a block is no multiple of 64" },
      { "add_i s2, s1, 56\n load_32 s3, (s2)", "is in no memory" },
      { ".long 0xe0000000", "expected an instruction, found another word" },
      { "nop", "the thread runs out of its code" },
      { "getcr s1, 7", "there is no control register 7 to read" },
      { "syscall", "unsupported syscall" },
      { "L: b L", "the run takes more than 1000 instructions" },
   };
   struct heard nothing = { 0 };
   hd_shader *shader;

   const hd_config config = { .diag = { &nothing, hear } };
   assert_int_equal(hd_parse(&config, NULL, fn0, strlen(fn0), &shader), HD_OK);
   for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
      struct heard heard = { 0 };
      hd_blob code = { 0 };
      assert_int_equal(hd_nyuzi_assemble(NULL, NULL, wrong[n].text, strlen(wrong[n].text), &code),
                       HD_OK);
      const hd_nyuzi_binary binary = { .code = (const uint32_t *)(const void *)code.data,
                                       .code_words = (uint32_t)(code.size / 4),
                                       .scratch_size = 64 };
      const hd_wave_launch launch = { .lanes = 16 };
      const hd_nyuzi_sim_options options = { .max_steps = 1000, .diag = { &heard, hear } };
      const hd_result result = hd_nyuzi_sim_run_wave(&binary, shader, &launch, &options, NULL);
      assert_true(result == HD_INVALID || result == HD_BUDGET_EXCEEDED);
      if (!strstr(heard.all, wrong[n].message))
         fail_msg("%s: %s, not %s", wrong[n].text, heard.all, wrong[n].message);
      hd_blob_finish(&code);
   }
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_arms), cmocka_unit_test(test_masked_writes),
      cmocka_unit_test(test_text),     cmocka_unit_test(test_refused),
      cmocka_unit_test(test_options),  cmocka_unit_test(test_wrong_code),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
