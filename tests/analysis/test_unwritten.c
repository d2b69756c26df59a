/* SPDX-License-Identifier: MIT */
/* test_unwritten.c - which loads read what nobody has written yet. */
#include "support/test.h"

#include <string.h>

#include "analysis/unwritten.h"
#include "heddle/analysis.h"
#include "heddle/ops.h"
#include "heddle/text.h"

#define BODY(text)                                                                                 \
   "shader compute {\n  workgroup 64 1 1\n  function @main(%z:32, %a:64, %c:1) {\n" text "  }\n}\n"

static const struct {
   const char *text;
   const char *expected; /* a letter for each load, in the order of the text: y or n */
   unsigned written;
} cases[] = {
   /* A store is seen from there on, whatever buffer it goes to; a buffer that is restricted is none of global memory. */
   { BODY("    b0:\n"
          "      %1:32 = load_buffer %z, %z binding=1\n"
          "      store_buffer %1, %z, %z binding=2\n"
          "      %2:32 = load_buffer %z, %z binding=1\n"
          "      %3:32 = load_global %a align_mul=4\n"
          "      %4:32 = load_buffer %z, %z binding=1 access=readonly\n"),
     "ynny", HD_MEMORY_BUFFER },
   { BODY("    b0:\n"
          "      store_buffer %z, %z, %z binding=2 access=restrict\n"
          "      %1:32 = load_buffer %z, %z binding=1\n"
          "      %2:32 = load_global %a align_mul=4\n"),
     "ny", HD_MEMORY_BUFFER },
   /* On its way round a loop, and only on the paths that have it. */
   { BODY("    b0:\n"
          "      %1:32 = load_global %a align_mul=4\n"
          "      loop {\n"
          "        b1:\n"
          "          %2:32 = load_global %a align_mul=4\n"
          "          if %c {\n"
          "            b2:\n"
          "              %3:32 = load_global %a align_mul=4\n"
          "              store_global %2, %a align_mul=4\n"
          "          } else {\n"
          "            b3:\n"
          "              break\n"
          "          }\n"
          "        b4:\n"
          "          %4:32 = load_global %a align_mul=4\n"
          "      }\n"
          "    b5:\n"),
     "ynnn", HD_MEMORY_GLOBAL },
   { BODY("    b0:\n"
          "      if %c {\n"
          "        b1:\n"
          "          store_global %z, %a align_mul=4\n"
          "      } else {\n"
          "        b2:\n"
          "          %1:32 = load_global %a align_mul=4\n"
          "      }\n"
          "    b3:\n"
          "      %2:32 = load_global %a align_mul=4\n"),
     "yn", HD_MEMORY_GLOBAL },
   /* Others are waited for: of the workgroup if it writes at all, of the device always. */
   { BODY(
         "    b0:\n"
         "      barrier exec_scope=workgroup mem_scope=workgroup semantics=acquire|release memory=buffer\n"
         "      %1:32 = load_buffer %z, %z binding=1\n"
         "      barrier exec_scope=workgroup mem_scope=device semantics=acquire|release memory=buffer\n"
         "      %2:32 = load_buffer %z, %z binding=1\n"),
     "yn", 0 },
   { BODY(
         "    b0:\n"
         "      barrier exec_scope=workgroup mem_scope=workgroup semantics=acquire|release memory=buffer\n"
         "      %1:32 = load_buffer %z, %z binding=1\n"
         "      store_buffer %1, %z, %z binding=1\n"),
     "n", HD_MEMORY_BUFFER },
   /* What others may write at any time. */
   { BODY("    b0:\n"
          "      %1:32 = load_buffer %z, %z binding=1 access=coherent\n"
          "      %2:32 = load_buffer %z, %z binding=1 access=volatile\n"),
     "nn", 0 },
};

static void
check(const char *text, const char *expected, unsigned written)
{
   const hd_config loud = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;
   hd_heap heap;
   hd_stack stack;

   assert_int_equal(hd_parse(&loud, NULL, text, strlen(text), &shader), HD_OK);
   hd_function *f = shader->first_function;
   assert_int_equal(hd_require(f, HD_META_BLOCK_ORDER), HD_OK);
   hd_heap_init(&heap, &loud);
   hd_stack_init(&stack, &heap);
   uint8_t *unwritten = hd_stack_alloc_zero(&stack, f->num_defs + 1);
   assert_int_equal(hd_find_unwritten(&stack, f, unwritten), written);
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (i->kind != HD_INSTR_INTRINSIC || !hd_instr_intrinsic_info(i)->reads ||
             !i->def.bit_size)
            continue;
         assert_true(*expected != 0);
         assert_int_equal(unwritten[i->def.index], *expected++ == 'y');
      }
   }
   assert_int_equal(*expected, 0);
   hd_stack_finish(&stack);
   hd_shader_destroy(shader);
}

static void
test_cases(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
      check(cases[n].text, cases[n].expected, cases[n].written);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
