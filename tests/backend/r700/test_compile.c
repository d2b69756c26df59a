/* SPDX-License-Identifier: MIT */
/* test_compile.c - what code looks like, how deep its stack is, and what is refused. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/r700_asm.h"
#include "heddle/r700_sim.h"
#include "heddle/text.h"
#include "support/heard.h"

static hd_result
compile(const char *text, const hd_r700_options *options, struct heard *heard,
        hd_r700_binary **binary)
{
   const hd_config config = { .diag = { heard, hear } };
   hd_shader *shader;

   if (hd_parse(&config, NULL, text, strlen(text), &shader) != HD_OK)
      fail_msg("%s\n%s", heard->all, text);
   const hd_result result = hd_r700_compile(shader, options, binary);
   hd_shader_destroy(shader);
   return result;
}

/* if (a > b) return a * a - b; else return b * b - a; */
static const char fn0[] =
    "shader compute {\n workgroup 64 1 1\n function @fn0 {\n b0:\n"
    "  %1:32 = local_invocation_index\n  %2:32 = const 2\n  %3:32 = ishl %1, %2\n"
    "  %4:32 = const 0\n  %a:32 = load_buffer %4, %3 align_mul=4\n"
    "  %b:32 = load_buffer %4, %3 align_mul=4 offset=256\n  %7:1 = flt %b, %a\n"
    "  if %7 {\n b1:\n   %8:32 = fmul %a, %a\n   %9:32 = fsub %8, %b\n"
    "  } else {\n b2:\n   %10:32 = fmul %b, %b\n   %11:32 = fsub %10, %a\n  }\n b3:\n"
    "  %12:32 = phi b1: %9, b2: %11\n  store_buffer %12, %4, %3 binding=1 align_mul=4\n }\n}\n";

/* Push, else and pop, as the machine was described; a clause for each arm. */
static const char *const listing[] = {
   "ALU ",
   "TEX 1,",
   "ALU_PUSH_BEFORE ",
   "JUMP @5",
   "ALU ",
   "ELSE @7 POP_COUNT:1",
   "ALU_POP_AFTER ",
   "ALU ",
   "MEM_EXPORT ",
   "CF_NOP END_OF_PROGRAM",
};

static void
test_two_arms(void **state)
{
   (void)state;
   const hd_r700_options options = { .passes = "opt_dce",
                                     .keep_text = true,
                                     .verify_regalloc = true };
   struct heard heard = { 0 };
   hd_r700_binary *binary;

   assert_int_equal(compile(fn0, &options, &heard, &binary), HD_OK);
   const char *line = binary->text;
   for (size_t n = 0; n < sizeof(listing) / sizeof(listing[0]); n++) {
      while (*line == ' ')
         line++;
      if (strncmp(line, listing[n], strlen(listing[n])))
         fail_msg("line %zu: '%.40s', not '%s'\n%s", n, line, listing[n], binary->text);
      line = strchr(line, '\n');
      assert_non_null(line);
      line++;
   }
   assert_int_equal(binary->stack_size, 1);
   assert_int_equal(binary->stats.masks, 3);
   hd_r700_binary_destroy(binary);
}

/* Instructions that do not depend on each other are in one group, with any slot for the fifth. */
static void
test_density(void **state)
{
   (void)state;
   static const char shader[] =
       "shader compute {\n workgroup 64 1 1\n function @main {\n b0:\n"
       "  %i:32 = local_invocation_index\n  %two:32 = const 2\n  %at:32 = ishl %i, %two\n"
       "  %zero:32 = const 0\n  %v:32x4 = load_buffer %zero, %at align_mul=16\n"
       "  %1:32 = const 1\n  %3:32 = const 3\n  %a:32 = channel %v, %zero\n"
       "  %b:32 = channel %v, %1\n  %c:32 = channel %v, %two\n  %d:32 = channel %v, %3\n"
       "  %e:32 = iadd %a, %b\n  %f:32 = ixor %b, %c\n  %g:32 = iand %c, %d\n"
       "  %h:32 = ior %d, %a\n  %j:32 = imul %a, %c\n"
       "  %w:32x4 = vec %e, %f, %g, %h\n  store_buffer %w, %zero, %at binding=1 align_mul=16\n"
       "  store_buffer %j, %zero, %at binding=2 align_mul=4\n }\n}\n";
   struct heard heard = { 0 };
   hd_r700_binary *packed, *single;
   const hd_r700_options one = { .passes = "lower_vectors,opt_dce", .one_op_groups = true };
   const hd_r700_options many = { .passes = "lower_vectors,opt_dce", .verify_regalloc = true };

   assert_int_equal(compile(shader, &one, &heard, &single), HD_OK);
   assert_int_equal(compile(shader, &many, &heard, &packed), HD_OK);
   assert_int_equal(single->stats.groups, single->stats.slots);
   assert_int_equal(packed->stats.slots, single->stats.slots);
   assert_true(5 * packed->stats.groups < 3 * single->stats.groups);
   hd_r700_binary_destroy(packed);
   hd_r700_binary_destroy(single);
}

/* So many ifs in each other. */
static char *
nested_ifs(unsigned depth)
{
   hd_blob text = { 0 };
   unsigned block = 1;

   hd_blob_printf(&text, "shader compute {\n workgroup 64 1 1\n function @main {\n b0:\n"
                         "  %%i:32 = local_invocation_index\n  %%zero:32 = const 0\n"
                         "  %%c:1 = ine %%i, %%zero\n");
   for (unsigned n = 0; n < depth; n++)
      hd_blob_printf(&text, "  if %%c {\n b%u:\n", block++);
   hd_blob_printf(&text, "  store_buffer %%i, %%zero, %%zero align_mul=4\n");
   for (unsigned n = 0; n < depth; n++, block += 2)
      hd_blob_printf(&text, "  } else {\n b%u:\n  }\n b%u:\n", block, block + 1);
   hd_blob_printf(&text, " }\n}\n");
   assert_int_equal(text.result, HD_OK);
   return text.data;
}

/* A push is an element, a loop four, and an entry has four; two more are the hardware's. */
static void
test_stack(void **state)
{
   (void)state;
   static const struct {
      unsigned depth;
      uint32_t entries;
   } rows[] = { { 1, 1 }, { 2, 1 }, { 3, 2 }, { 6, 2 }, { 7, 3 }, { 1018, 255 } };
   const hd_r700_options options = { .passes = "opt_dce" };

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      struct heard heard = { 0 };
      char *text = nested_ifs(rows[n].depth);
      hd_r700_binary *binary;
      if (compile(text, &options, &heard, &binary) != HD_OK)
         fail_msg("%s", heard.all);
      assert_int_equal(binary->stack_size, rows[n].entries);
      hd_r700_binary_destroy(binary);
      free(text);
   }
   struct heard heard = { 0 };
   char *text = nested_ifs(1019);
   hd_r700_binary *binary;
   assert_int_equal(compile(text, &options, &heard, &binary), HD_UNSUPPORTED);
   assert_null(binary);
   assert_non_null(
       strstr(heard.all, "control flow takes 1019 entries of the stack, which has 1018"));
   free(text);
}

#define BODY(code) "shader compute {\n function @main {\n b0:\n  %0:32 = const 0\n" code " }\n}\n"

static void
test_refused(void **state)
{
   (void)state;
   static const struct {
      const char *text, *message;
   } rows[] = {
      { BODY("  %1:32 = load_buffer %0, %0 align_mul=4\n  %2:1 = ine %1, %0\n"
             "  %3:32x4 = ballot %2\n  store_buffer %3, %0, %0 align_mul=4\n"),
        "unsupported intrinsic ballot" },
      { BODY("  %1:32 = buffer_atomic %0, %0, %0 atomic_op=iadd\n"), "memory has no atomics" },
      { BODY("  %1:8 = u2u %0\n  store_buffer %1, %0, %0 align_mul=4\n"),
        "expected a store of whole dwords" },
      { BODY("  store_buffer %0, %0, %0 align_mul=2\n"), "expected a store of whole dwords" },
      { BODY("  barrier exec_scope=workgroup mem_scope=workgroup semantics=acquire|release "
             "memory=buffer|shared\n"),
        "a barrier of a workgroup that may have more than 64 lanes" },
      { BODY("  %1:64 = load_buffer %0, %0 align_mul=8\n  %2:64 = fmul %1, %1\n"
             "  store_buffer %2, %0, %0 align_mul=8\n"),
        "of 64 bits" },
   };

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      struct heard heard = { 0 };
      hd_r700_binary *binary;
      assert_int_equal(compile(rows[n].text, NULL, &heard, &binary), HD_UNSUPPORTED);
      assert_null(binary);
      if (!strstr(heard.all, rows[n].message))
         fail_msg("'%s', not '%s'", heard.all, rows[n].message);
   }
   /* Who knows that workgroups are of one wave says so. */
   const hd_r700_options one = { .one_wave = true };
   struct heard heard = { 0 };
   hd_r700_binary *binary;
   assert_int_equal(compile(rows[4].text, &one, &heard, &binary), HD_OK);
   assert_true(binary->one_wave);
   hd_r700_binary_destroy(binary);
}

static void
test_options(void **state)
{
   (void)state;
   struct heard heard = { 0 };
   hd_r700_binary *binary;
   const hd_r700_options few = { .max_registers = 7 }, more = { .max_registers = 473 };

   assert_int_equal(compile(fn0, &few, &heard, &binary), HD_INVALID);
   assert_int_equal(compile(fn0, &more, &heard, &binary), HD_INVALID);
   hd_r700_binary_destroy(NULL);
}

/* Four dwords are stored behind this position, of a buffer of every size: what is outside is not, nor is
 * what a sum that wraps would be inside.
 */
static void
test_bounds(void **state)
{
   (void)state;
   static const uint32_t positions[] = { 0, 4, 16, 0xfffffff0, 0xfffffffc };
   static const struct {
      unsigned align, offset;
   } rows[] = { { 4, 0 }, { 16, 0 }, { 4, 8 }, { 16, 16 } };

   for (size_t n = 0; n < 5 * 4 * 40; n++) {
      const uint32_t position = positions[n % 5], size = (uint32_t)(n / 20);
      const unsigned align = rows[n / 5 % 4].align, offset = rows[n / 5 % 4].offset;
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      uint8_t memory[48];
      hd_blob text = { 0 };
      hd_wave_buffer buffer = { .memory = { memory, NULL, size } };
      const hd_wave_launch launch = { .buffers = &buffer, .num_buffers = 1 };
      const hd_r700_options options = { .passes = "lower_vectors,opt_dce" };
      hd_r700_binary *binary;
      hd_shader *shader;
      if (position % align)
         continue;
      hd_blob_printf(&text,
                     "shader compute {\n workgroup 1 1 1\n function @main {\n b0:\n"
                     "  %%zero:32 = const 0\n  %%at:32 = const 0x%x\n"
                     "  %%some:32 = local_invocation_index\n  %%p:32 = ior %%at, %%some\n"
                     "  %%ones:32 = const 0xffffffff\n"
                     "  %%v:32x4 = vec %%ones, %%ones, %%ones, %%ones\n"
                     "  store_buffer %%v, %%zero, %%p offset=%u align_mul=%u\n }\n}\n",
                     position, offset, align);
      if (hd_parse(&config, NULL, text.data, text.size, &shader) != HD_OK ||
          hd_r700_compile(shader, &options, &binary) != HD_OK)
         fail_msg("%s\n%s", heard.all, text.data);
      memset(memory, 0, sizeof(memory));
      assert_int_equal(hd_r700_sim_run_wave(binary, shader, &launch, NULL, NULL), HD_OK);
      for (uint32_t byte = 0; byte < sizeof(memory); byte++) {
         const uint64_t first = (uint64_t)position + offset, dword = byte / 4 * 4;
         const bool stored = dword >= first && dword < first + 16 && dword + 4 <= size;
         if (memory[byte] != (stored ? 0xff : 0))
            fail_msg("byte %u of %u, %s", byte, size, text.data);
      }
      hd_r700_binary_destroy(binary);
      hd_shader_destroy(shader);
      hd_blob_finish(&text);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_arms), cmocka_unit_test(test_density),
      cmocka_unit_test(test_stack),    cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_refused),  cmocka_unit_test(test_options),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
