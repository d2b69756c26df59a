/* SPDX-License-Identifier: MIT */
/* test_limits.c - what is at the limit of a machine compiles, what is beyond it is refused. R700's stack is in
 * its own test.
 */
#include "support/test.h"

#include <stdint.h>
#include <string.h>

#include "heddle/gen9.h"
#include "heddle/target.h"
#include "heddle/text.h"
#include "support/heard.h"

static hd_result
compile(const char *text, const hd_target *target, const void *own, struct heard *heard)
{
   const hd_config config = { .diag = { heard, hear } };
   const hd_compile_options options = { .passes = "lower_vectors,opt_dce", .own = own };
   hd_target_binary *binary;
   hd_shader *shader;

   if (hd_parse(&config, NULL, text, strlen(text), &shader) != HD_OK)
      fail_msg("%s\n%s", heard->all, text);
   const hd_result result = hd_compile(shader, target, &options, &binary);
   assert_int_equal(result == HD_OK, binary != NULL);
   hd_target_binary_destroy(binary);
   hd_shader_destroy(shader);
   return result;
}

/* A shader with a line in its head, and so many accesses to different buffers. */
static void
write_shader(hd_blob *text, const char *head, uint32_t number, unsigned buffers)
{
   hd_blob_printf(text, "shader compute {\n workgroup 8 1 1\n ");
   if (head)
      hd_blob_printf(text, "%s %u\n ", head, (unsigned)number);
   hd_blob_printf(text, "function @main {\n b0:\n  %%zero:32 = const 0\n"
                        "  %%lane:32 = local_invocation_index\n");
   for (unsigned n = 0; n < buffers; n++)
      hd_blob_printf(text, "  store_buffer %%lane, %%zero, %%zero binding=%u align_mul=4\n", n);
   hd_blob_printf(text, " }\n}\n");
}

static const struct {
   const char *target, *head;
   uint32_t number;
   unsigned buffers;
   const char *message; /* NULL: it compiles */
} sizes[] = {
   { "gen9", "scratch", 0x0ffffffc, 1, NULL },
   { "gen9", "scratch", 0x10000000, 1, "at most 268435452 bytes of scratch memory for each lane" },
   { "gen9", "scratch", UINT32_MAX, 1, "at most 268435452 bytes of scratch memory for each lane" },
   { "gen9x16", "scratch", 0x07fffffc, 1, NULL },
   { "gen9x16", "scratch", 0x08000000, 1, "at most 134217724 bytes of scratch memory" },
   { "nyuzi", "scratch", 0x07fffffc, 1, NULL },
   { "nyuzi", "scratch", 0x08000000, 1, "at most 134217724 bytes of scratch memory" },
   { "nyuzi", "scratch", UINT32_MAX, 1, "at most 134217724 bytes of scratch memory" },
   { "r700", "scratch", 4 * 4095, 1, NULL },
   { "r700", "scratch", 4 * 4096, 1, "4096 quads of scratch memory are needed" },
   { "r700", "scratch", UINT32_MAX, 1, "at most 33554428 bytes of scratch memory" },
   { "gfx900", "scratch", UINT32_MAX, 1, "bytes of scratch memory" },
   { "gen9", "shared", 65536, 1, NULL },
   { "gen9", "shared", 65537, 1, "a workgroup has 65536 bytes of shared memory" },
   { "gen9x16", "shared", UINT32_MAX, 1, "a workgroup has 65536 bytes of shared memory" },
   { "gen9", NULL, 0, 235, NULL },
   { "gen9", NULL, 0, 236, "at most 235 buffers in the binding table" },
   { "gen9x16", NULL, 0, 236, "at most 235 buffers in the binding table" },
   { "r700", NULL, 0, 159, NULL },
   { "r700", NULL, 0, 160, "at most 159 buffers" },
};

static void
test_sizes(void **state)
{
   (void)state;
   for (size_t n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
      const hd_target *target = hd_target_find(sizes[n].target);
      const char *message = sizes[n].message;
      struct heard heard = { 0 };
      hd_blob text = { 0 };
      if (!target)
         continue;
      write_shader(&text, sizes[n].head, sizes[n].number, sizes[n].buffers);
      const hd_result result = compile(text.data, target, NULL, &heard);
      if (result != (message ? HD_UNSUPPORTED : HD_OK) || (message && !strstr(heard.all, message)))
         fail_msg("%s %s %u, %u buffers: %s", sizes[n].target, sizes[n].head ? sizes[n].head : "",
                  (unsigned)sizes[n].number, sizes[n].buffers, heard.all);
      hd_blob_finish(&text);
   }
}

/* So many atomics in an arm, or in a loop: on Nyuzi each is a loop over lanes. */
static void
write_atomics(hd_blob *text, unsigned num, bool repeats)
{
   hd_blob_printf(text, "shader compute {\n workgroup 16 1 1\n shared 4\n function @main {\n b0:\n"
                        "  %%zero:32 = const 0\n  %%lane:32 = local_invocation_index\n"
                        "  %%c:1 = ine %%lane, %%zero\n");
   hd_blob_printf(text, repeats ? "  loop {\n b1:\n" : "  if %%c {\n b1:\n");
   for (unsigned n = 0; n < num; n++)
      hd_blob_printf(text, "  %%%u:32 = shared_atomic %%zero, %%lane atomic_op=iadd\n", n);
   hd_blob_printf(text, repeats ? "  if %%c {\n b2:\n   break\n  } else {\n b3:\n  }\n b4:\n"
                                  "  } continue {\n b5:\n  }\n b6:\n }\n}\n"
                                : "  } else {\n b2:\n  }\n b3:\n }\n}\n");
}

static void
test_far_branches(void **state)
{
   (void)state;
   const hd_target *target = hd_target_find("nyuzi");

   for (unsigned repeats = 0; target && repeats < 2; repeats++) {
      for (unsigned far = 0; far < 2; far++) {
         struct heard heard = { 0 };
         hd_blob text = { 0 };
         write_atomics(&text, far ? 46000 : 20000, repeats);
         const hd_result result = compile(text.data, target, NULL, &heard);
         if (result != (far ? HD_UNSUPPORTED : HD_OK) ||
             (far && !strstr(heard.all, "the branch is too far")))
            fail_msg("%s: %s", repeats ? "a loop" : "an arm", heard.all);
         hd_blob_finish(&text);
      }
   }
}

/* Lanes that take the other side wait for the last of so many blocks. */
static void
write_chain(hd_blob *text, unsigned num)
{
   hd_blob_printf(text,
                  "shader compute {\n workgroup 8 1 1\n flat function @main {\n b0:\n"
                  "  %%zero:32 = const 0\n  %%three:32 = const 3\n"
                  "  %%lane:32 = local_invocation_index\n  %%c:1 = ult %%lane, %%three\n"
                  "  goto_if %%c, b%u, b1\n",
                  num);
   for (unsigned n = 1; n < num; n++)
      hd_blob_printf(text, " b%u:\n  goto b%u\n", n, n + 1);
   hd_blob_printf(
       text, " b%u:\n  store_buffer %%lane, %%zero, %%zero align_mul=4\n  return\n }\n}\n", num);
}

static void
test_block_numbers(void **state)
{
   (void)state;
   const hd_target *target = hd_target_find("gen9");
   const hd_gen9_options numbers = { .lowering = HD_GEN9_LOWERING_BLOCK_NUMBERS };

   for (unsigned n = 0; target && n < 2; n++) {
      struct heard heard = { 0 };
      hd_blob text = { 0 };
      write_chain(&text, n ? 65540 : 65530);
      const hd_result result = compile(text.data, target, &numbers, &heard);
      if (result != (n ? HD_UNSUPPORTED : HD_OK) ||
          (n && !strstr(heard.all, "block numbers have 16 bits")))
         fail_msg("%s", heard.all);
      hd_blob_finish(&text);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_sizes),
                                       cmocka_unit_test(test_far_branches),
                                       cmocka_unit_test(test_block_numbers) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
