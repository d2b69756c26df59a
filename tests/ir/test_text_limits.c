/* SPDX-License-Identifier: MIT */
/* The text form at its limits: no memory, no budget, numbers, extreme shapes, broken shaders. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/edit.h"
#include "heddle/ops.h"
#include "heddle/text.h"
#include "ir/parse.h"
#include "ir/private.h"
#include "samples.h"
#include "support/forms.h"
#include "support/memory.h"

static void
test_parse_without_memory(void **state)
{
   (void)state;
   hd_shader *sample = sample_features(NULL), *shader = NULL;
   hd_blob text = text_of(sample);
   hd_result result = HD_OUT_OF_MEMORY;
   size_t n = 0;

   for (; result != HD_OK; n++) {
      struct limited l = { .left = n };
      hd_config config = limited_config(&l);
      result = hd_parse(&config, NULL, text.data, text.size, &shader);
      if (result == HD_OK)
         hd_shader_destroy(shader);
      else
         assert_int_equal(result, HD_OUT_OF_MEMORY);
      assert_int_equal(l.held, 0);
   }
   print_message("%zu allocations\n", n - 1);
   assert_true(n > 5);
   hd_blob_finish(&text);
   hd_shader_destroy(sample);
}

static void
test_print_without_memory(void **state)
{
   (void)state;
   struct limited l = { .left = SIZE_MAX };
   hd_config config = limited_config(&l);
   hd_shader *shader = sample_features(&config);
   hd_blob text = text_of(shader);
   size_t held = l.held;
   hd_result result = HD_OUT_OF_MEMORY;

   for (size_t n = 0; result != HD_OK; n++) {
      hd_blob again = { 0 };
      l.left = n;
      result = hd_print_shader(shader, NULL, &again);
      if (result == HD_OK)
         assert_string_equal(again.data, text.data);
      else
         assert_int_equal(result, HD_OUT_OF_MEMORY);
      hd_blob_finish(&again);
      assert_int_equal(l.held, held);
   }
   /* The same where the text has no memory. */
   l.left = SIZE_MAX;
   struct limited blob_limit = { 0 };
   hd_config blob_config = limited_config(&blob_limit);
   result = HD_OUT_OF_MEMORY;
   for (size_t n = 0; result != HD_OK; n++) {
      hd_blob again;
      blob_limit.left = n;
      hd_blob_init(&again, &blob_config);
      result = hd_print_shader(shader, NULL, &again);
      if (result != HD_OK) {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_int_equal(hd_print_function(shader->first_function, NULL, &again), result);
         assert_int_equal(hd_print_instr(NULL, NULL, NULL, &again, NULL), result);
      }
      hd_blob_finish(&again);
      assert_int_equal(l.held, held);
      assert_int_equal(blob_limit.held, 0);
   }
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   assert_int_equal(l.held, 0);
}

static void
test_numbering_without_memory(void **state)
{
   (void)state;
   struct limited l = { .left = SIZE_MAX };
   hd_config config = limited_config(&l);
   hd_shader *shader = sample_features(&config);
   size_t held = l.held;

   hd_foreach_function(f, shader) {
      hd_result result = HD_OUT_OF_MEMORY;
      for (size_t n = 0; result != HD_OK; n++) {
         hd_numbering *numbering = NULL;
         l.left = n;
         result = hd_numbering_create(f, &numbering);
         if (result != HD_OK) {
            assert_int_equal(result, HD_OUT_OF_MEMORY);
            assert_null(numbering);
         }
         /* With a numbering, a phi needs memory to sort its sources. */
         hd_result line_result = result == HD_OK ? HD_OUT_OF_MEMORY : HD_OK;
         for (size_t k = 0; line_result != HD_OK; k++) {
            line_result = HD_OK;
            hd_foreach_block(b, f) {
               hd_blob line = { 0 };
               l.left = k;
               hd_result one = hd_print_instr(b->first, numbering, NULL, &line, NULL);
               line_result = one != HD_OK ? one : line_result;
               hd_blob_finish(&line);
            }
         }
         l.left = SIZE_MAX;
         hd_numbering_destroy(numbering);
         assert_int_equal(l.held, held);
      }
   }
   hd_shader_destroy(shader);
}

/* Steps: from none to enough, in strides. Memory: likewise. */
static void
test_budgets(void **state)
{
   (void)state;
   hd_shader *sample = sample_tree(NULL, 5, 300), *shader = NULL;
   hd_blob text = text_of(sample);
   hd_result result = HD_BUDGET_EXCEEDED;

   for (uint64_t steps = 1; result != HD_OK; steps += 37) {
      hd_config config = { .budget = { .steps = steps } };
      assert_true(steps < 10000);
      result = hd_parse(&config, NULL, text.data, text.size, &shader);
      if (result != HD_OK) {
         assert_int_equal(result, HD_BUDGET_EXCEEDED);
         continue;
      }
      /* Printing takes a budget of its own, and about as much. */
      hd_blob again = { 0 };
      hd_result printed = hd_print_shader(shader, NULL, &again);
      assert_true(printed == HD_OK || printed == HD_BUDGET_EXCEEDED);
      hd_blob_finish(&again);
      hd_shader_destroy(shader);
   }
   result = HD_BUDGET_EXCEEDED;
   for (size_t memory = 16384; result != HD_OK; memory += 9973) {
      hd_config config = { .budget = { .memory = memory } };
      assert_true(memory < 10000000);
      result = hd_parse(&config, NULL, text.data, text.size, &shader);
      if (result == HD_OK)
         hd_shader_destroy(shader);
      else
         assert_int_equal(result, HD_BUDGET_EXCEEDED);
   }
   hd_blob_finish(&text);
   hd_shader_destroy(sample);
}

/* Numbers */

static uint64_t
float_bits(const char *s, unsigned bit_size)
{
   uint64_t bits = 0;

   assert_int_equal(hd_parse_float(s, strlen(s), bit_size, &bits), HD_NUMBER_FITS);
   return bits;
}

static uint64_t
double_bits(double d)
{
   uint64_t bits;

   memcpy(&bits, &d, sizeof(bits));
   return bits;
}

static uint32_t
single_bits(float f)
{
   uint32_t bits;

   memcpy(&bits, &f, sizeof(bits));
   return bits;
}

/* The host's strtod and strtof are another implementation of the same. */
static void
test_floats_like_the_host(void **state)
{
   (void)state;
   uint64_t seed = 20;
   char s[800];

   print_message("seed %u\n", (unsigned)seed);
   for (unsigned n = 0; n < 20000; n++) {
      uint64_t r = sample_random(&seed);
      unsigned digits = (unsigned)(r % 40) + 1, point = (unsigned)(r >> 8) % 40;
      size_t at = 0;
      for (unsigned k = 0; k < digits; k++) {
         if (k == point)
            s[at++] = '.';
         s[at++] = (char)('0' + sample_random(&seed) % 10);
      }
      if (r >> 20 & 1 || !memchr(s, '.', at))
         at += (size_t)snprintf(s + at, 16, "e%d", (int)(r >> 24 & 1023) - 512 - (int)digits / 2);
      s[at] = 0;
      if (*s == '.')
         continue;
      double d = strtod(s, NULL);
      float f = strtof(s, NULL);
      uint64_t bits;
      if (d > 1.7976931348623157e308)
         assert_int_equal(hd_parse_float(s, at, 64, &bits), HD_NUMBER_TOO_LARGE);
      else if (float_bits(s, 64) != double_bits(d))
         fail_msg("%s at 64 bits", s);
      if (f > 3.40282347e38f)
         assert_int_equal(hd_parse_float(s, at, 32, &bits), HD_NUMBER_TOO_LARGE);
      else if (float_bits(s, 32) != single_bits(f))
         fail_msg("%s at 32 bits", s);
   }
}

/* Random doubles written with all their digits, and the middle between two doubles, which ties to
 * even; a digit more, however far behind, breaks the tie.
 */
static void
test_floats_between_two(void **state)
{
   (void)state;
   uint64_t seed = 21;
   char s[1200];

   print_message("seed %u\n", (unsigned)seed);
   for (unsigned n = 0; n < 300; n++) {
      uint64_t bits = sample_random(&seed) >> 1;
      double d;
      if (n % 3 == 0)
         bits &= UINT64_C(0x000fffffffffffff); /* denormal */
      if (bits >= UINT64_C(0x7fe0000000000000))
         continue;
      memcpy(&d, &bits, sizeof(d));
      snprintf(s, sizeof(s), "%.1100f", d);
      if (strlen(s) < sizeof(s) - 1 && float_bits(s, 64) != bits)
         fail_msg("%016llx", (unsigned long long)bits);
   }
   assert_int_equal(float_bits("9007199254740993.0", 64), double_bits(9007199254740992.0));
   assert_int_equal(float_bits("9007199254740995.0", 64), double_bits(9007199254740996.0));
   memset(s, '0', sizeof(s));
   memcpy(s, "9007199254740993.", 17);
   memcpy(s + sizeof(s) - 2, "1", 2);
   assert_int_equal(float_bits(s, 64), double_bits(9007199254740994.0));
   assert_int_equal(float_bits("16777217.0", 32), single_bits(16777216.0f));
   assert_int_equal(float_bits("16777217.00000000000000000000000001", 32),
                    single_bits(16777218.0f));
   assert_int_equal(float_bits("0.0", 64), 0);
   assert_int_equal(float_bits("00.00e99999999999999999999999999", 64), 0);
   assert_int_equal(float_bits("1e-99999999999999999999999999999", 64), 0);
   assert_int_equal(float_bits("4.9e-324", 64), 1);
   assert_int_equal(float_bits("2.5e-324", 64), 1);
   assert_int_equal(float_bits("2.4e-324", 64), 0);
}

/* Every half, in full; the middle between each two; and a little more than the middle. */
static void
test_every_half(void **state)
{
   (void)state;
   char s[64];

   for (unsigned bits = 0; bits < 0x7bff; bits++) {
      /* In units of 2^-25: half the smallest denormal. All are below 2^41: exact as a double. */
      uint64_t units[2];
      for (unsigned k = 0; k < 2; k++) {
         unsigned exponent = (bits + k) >> 10, fraction = (bits + k) & 1023;
         units[k] = 2 * (exponent ? (uint64_t)(1024 + fraction) << (exponent - 1) : fraction);
      }
      double middle = (double)((units[0] + units[1]) / 2) / 33554432.0;
      int length = snprintf(s, sizeof(s), "%.25f", (double)units[0] / 33554432.0);
      assert_true(length < 40);
      assert_int_equal(float_bits(s, 16), bits);
      snprintf(s, sizeof(s), "%.25f", middle);
      assert_int_equal(float_bits(s, 16), bits + (bits & 1));
      strcat(s, "0000001");
      assert_int_equal(float_bits(s, 16), bits + 1);
   }
   uint64_t out;
   assert_int_equal(float_bits("65519.99", 16), 0x7bff);
   assert_int_equal(hd_parse_float("65520.0", 7, 16, &out), HD_NUMBER_TOO_LARGE);
}

static void
test_constants(void **state)
{
   (void)state;
   static const struct {
      const char *written, *printed;
   } values[] = {
      { ":1 = const true", ":1 = const true" },
      { ":1 = const 0", ":1 = const false" },
      { ":1 = const -1", ":1 = const true" },
      { ":8 = const 255", ":8 = const 255" },
      { ":8 = const -128", ":8 = const 128" },
      { ":16 = const 0xffff", ":16 = const -1" },
      { ":16 = const 1.5", ":16 = const 0x3e00" },
      { ":16 = const -inf", ":16 = const -1024" },
      { ":16 = const nan", ":16 = const 0x7e00" },
      { ":32 = const 9999", ":32 = const 9999" },
      { ":32 = const 10000", ":32 = const 0x2710" },
      { ":32 = const -9999", ":32 = const -9999" },
      { ":32 = const -10000", ":32 = const 0xffffd8f0" },
      { ":32 = const -0.0", ":32 = const 0x80000000" },
      { ":32 = const 1e0", ":32 = const 0x3f800000" },
      { ":32 = const inf", ":32 = const 0x7f800000" },
      { ":32 = const -nan", ":32 = const 0xffc00000" },
      { ":64 = const 18446744073709551615", ":64 = const -1" },
      { ":64 = const -9223372036854775808", ":64 = const 0x8000000000000000" },
      { ":64 = const 0XfF", ":64 = const 255" },
      { ":64 = const nan", ":64 = const 0x7ff8000000000000" },
      { ":64x3 = const (0.1, -2, 0x123456789abcdef)",
        ":64x3 = const (0x3fb999999999999a, -2, 0x123456789abcdef)" },
   };

   for (size_t n = 0; n < sizeof(values) / sizeof(values[0]); n++) {
      hd_config config = { .diag = hd_diag_to_file(stderr) };
      hd_blob text = { 0 };
      hd_shader *shader = NULL;
      hd_blob_printf(&text, "function @f {\n%%0%s\n}", values[n].written);
      assert_int_equal(hd_parse(&config, NULL, text.data, text.size, &shader), HD_OK);
      hd_blob line = { 0 };
      hd_print_instr(hd_function_start(shader->first_function)->first, NULL, NULL, &line, NULL);
      assert_string_equal(line.data + 2, values[n].printed);
      hd_blob_finish(&line);
      hd_blob_finish(&text);
      hd_shader_destroy(shader);
   }
}

/* Extreme shapes: linear, and no stack. */

static void
assert_extreme(hd_blob *text)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL, *again = NULL;

   assert_int_equal(text->result, HD_OK);
   assert_int_equal(hd_parse(&config, NULL, text->data, text->size, &shader), HD_OK);
   hd_blob printed = text_of(shader);
   hd_shader_destroy(shader);
   assert_int_equal(hd_parse(&config, NULL, printed.data, printed.size, &again), HD_OK);
   hd_blob second = text_of(again);
   hd_shader_destroy(again);
   assert_int_equal(printed.size, second.size);
   assert_memory_equal(printed.data, second.data, printed.size);
   hd_blob_finish(&printed);
   hd_blob_finish(&second);
   hd_blob_finish(text);
}

#define MANY 50000u

static void
test_deep_nests(void **state)
{
   (void)state;
   hd_blob text = { 0 };

   hd_blob_printf(&text, "function @f(%%c:1) {");
   for (unsigned n = 0; n < MANY; n++)
      hd_blob_printf(&text, n % 2 ? "loop {\n" : "if %%c {\n");
   for (unsigned n = 0; n < MANY; n++)
      hd_blob_printf(&text, n % 3 ? "}\n" : "if %%c { return\n }\n }\n");
   hd_blob_printf(&text, "}");
   assert_extreme(&text);
}

static void
test_long_lists(void **state)
{
   (void)state;
   hd_blob text = { 0 };

   hd_blob_printf(&text, "function @f(%%c:1) {");
   for (unsigned n = 0; n < MANY; n++)
      hd_blob_printf(&text, n % 2 ? "loop { if %%c { break } }\n" : "if %%c { }\n");
   for (unsigned n = 0; n < MANY; n++)
      hd_blob_printf(&text, "%%x%u:1 = iand %%c, %%x%u\n", n, (n + 1) % MANY);
   hd_blob_printf(&text, "}");
   assert_extreme(&text);
}

/* A switch and a phi with so many, and a second phi of the same block. */
static void
test_wide_phis(void **state)
{
   (void)state;
   hd_blob text = { 0 };

   hd_blob_printf(&text, "flat function @f(%%0:32) {\nstart: switch %%0, b0 [ ");
   for (unsigned n = 0; n < MANY; n++)
      hd_blob_printf(&text, "%s%u: b%u", n ? ", " : "", n, n / 2);
   hd_blob_printf(&text, "]\n");
   for (unsigned n = 0; n < MANY / 2; n++)
      hd_blob_printf(&text, "b%u: goto last\n", n);
   hd_blob_printf(&text, "last:");
   for (unsigned k = 1; k < 3; k++) {
      hd_blob_printf(&text, "%%%u:32 = phi ", k);
      for (unsigned n = 0; n < MANY / 2; n++)
         hd_blob_printf(&text, "%sb%u: %%%u", n ? ", " : "", n ^ k, n % 3);
      hd_blob_printf(&text, "\n");
   }
   hd_blob_printf(&text, "return\n}");
   assert_extreme(&text);
}

/* Numbers that are far apart, in descending order, then in a row: all kinds of lookup. */
static void
test_odd_numbers(void **state)
{
   (void)state;
   hd_blob text = { 0 };

   hd_blob_printf(&text, "function @f {\n");
   for (unsigned n = MANY; n > 0; n--)
      hd_blob_printf(&text, "%%%u:32 = iadd %%%u, %%%u\n", n * 80000u, n % 100, n * 80000u);
   for (unsigned n = 0; n < MANY; n++)
      hd_blob_printf(&text, "%%%u:32 = iadd %%%u, %%080000\n", n, n);
   hd_blob_printf(&text, "}");
   assert_extreme(&text);
}

static void
test_many_functions(void **state)
{
   (void)state;
   hd_blob text = { 0 };

   for (unsigned n = 0; n < 2000; n++)
      hd_blob_printf(&text, "function @f%u { call @f%u()\n }\n", n, (n + 1) % 2000);
   assert_extreme(&text);
}

/* A long comment, a long line, a long name, a long number. */
static void
test_long_tokens(void **state)
{
   (void)state;
   hd_blob text = { 0 };

   hd_blob_printf(&text, "// %*s\nfunction @f%0*d {%*s", 100000, "x", 100000, 0, 100000, " ");
   hd_blob_printf(&text, "%%0:32 \"%*s\" = const 0.%0*d\n}", 100000, "x", 100000, 1);
   assert_extreme(&text);
}

/* Broken shaders: what can be shown is shown, and it ends. */

static hd_shader *
broken_sample(void)
{
   const char *text = "function @f(%c:1) {\n"
                      "  if %c { b1: %x:32 = const 1\n } else { b2: %y:32 = const 2\n }\n"
                      "  b3: %z:32 = phi b1: %x, b2: %y\n"
                      "  %w:32 = iadd %z, %z\n"
                      "  %g:64 = undef\n"
                      "  %l:32 = load_global %g align_mul=4\n"
                      "  loop { if %c { break } }\n"
                      "}";
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(NULL, NULL, text, strlen(text), &shader), HD_OK);
   return shader;
}

static void
assert_shows(hd_shader *shader, const char *part)
{
   hd_blob text = text_of(shader);

   if (!strstr(text.data, part))
      fail_msg("no '%s' in\n%s", part, text.data);
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
}

static void
test_broken_values(void **state)
{
   (void)state;
   hd_shader *s = broken_sample();
   hd_block *b3 = hd_node_as_block(s->first_function->body.first->next->next);
   hd_instr *phi = b3->first, *add = phi->next, *load = add->next->next;

   ((hd_alu *)add)->src[1].def = NULL;
   assert_shows(s, "= iadd %3, %?\n");

   s = broken_sample();
   b3 = hd_node_as_block(s->first_function->body.first->next->next);
   phi = b3->first;
   ((hd_phi *)phi)->num_srcs = 1;
   b3->preds[0].from = NULL;
   assert_shows(s, "= phi b2: ?, b?: %1\n");

   s = broken_sample();
   b3 = hd_node_as_block(s->first_function->body.first->next->next);
   b3->num_preds = 0;
   assert_shows(s, "= phi b?: %1, b?: %2\n");

   s = broken_sample();
   add = hd_node_as_block(s->first_function->body.first->next->next)->first->next;
   add->op = 60000;
   add->flags = 0xff;
   assert_shows(s, "= ?60000.exact.nnan.ninf.nsz.uniform.?5.?6.?7 %3, %3\n");

   s = broken_sample();
   add = hd_node_as_block(s->first_function->body.first->next->next)->first->next;
   add->kind = 200;
   add->loc = 77;
   assert_shows(s, "%4:32 \"w\" = ? @?\n");

   s = broken_sample();
   load = hd_node_as_block(s->first_function->body.first->next->next)->last;
   load->num_srcs = 0;
   assert_shows(s, "= load_global\n");

   /* One index for two values, and one far past the end. */
   s = broken_sample();
   add = hd_node_as_block(s->first_function->body.first->next->next)->first->next;
   add->def.index = add->next->def.index;
   add->prev->def.index = 4000000000u;
   s->first_function->num_defs = 4000000000u;
   assert_shows(s, "%4:32 \"w\" = iadd %3, %3\n");

   s = broken_sample();
   hd_node_as_if(s->first_function->body.first->next)->cond.def = NULL;
   assert_shows(s, "if %? {");

   s = broken_sample();
   add = hd_node_as_block(s->first_function->body.first->next->next)->first->next;
   add->def.num_components = 0;
   assert_shows(s, "%4:32x0 \"w\" = iadd");
}

static void
test_broken_links(void **state)
{
   (void)state;
   hd_shader *s = broken_sample();
   hd_block *b3 = hd_node_as_block(s->first_function->body.first->next->next);

   /* Instructions in a circle. */
   b3->last->next = b3->first;
   assert_shows(s, "\n      ?\n");

   /* Nodes in a circle, in two lists, and inside themselves. */
   s = broken_sample();
   s->first_function->body.last->next = s->first_function->body.first;
   assert_shows(s, "\n    ?\n");
   s = broken_sample();
   hd_if *nif = hd_node_as_if(s->first_function->body.first->next);
   nif->else_list.first = nif->then_list.first;
   assert_shows(s, "} else {\n        ?\n");
   s = broken_sample();
   nif = hd_node_as_if(s->first_function->body.first->next);
   nif->then_list.first = &nif->node;
   assert_shows(s, "if %0 {\n        ?\n");

   /* Lists without anything, nodes of no kind, an unknown stage. */
   s = broken_sample();
   s->first_function->body.first = NULL;
   assert_shows(s, "function @f {\n  }");
   s = broken_sample();
   s->first_function->body.first->next->kind = 3;
   assert_shows(s, "\n    ?\n");
   s = broken_sample();
   s->stage = (hd_stage)9;
   s->float_controls = 1u << 9;
   s->first_function->name = NULL;
   assert_shows(s, "shader ? {\n  floats ?\n  function @\"?\"");

   /* A block that names blocks which are no longer there. */
   s = broken_sample();
   b3 = hd_node_as_block(s->first_function->body.first->next->next);
   b3->loop_header = &s->first_function->end;
   b3->continues = hd_function_start(s->first_function);
   assert_shows(s, "b3 in b? continues b0:");

   /* Instructions without a result in a circle. */
   s = broken_sample();
   hd_instr *loop[2];
   for (unsigned n = 0; n < 2; n++)
      loop[n] = &hd_jump_create(s, HD_JUMP_SWITCH, 0, 0)->instr;
   loop[0]->next = loop[1];
   loop[1]->next = loop[0];
   hd_node_as_block(s->first_function->body.last)->first = loop[0];
   assert_shows(s, "switch, b? [ ]\n      switch, b? [ ]\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parse_without_memory),
      cmocka_unit_test(test_print_without_memory),
      cmocka_unit_test(test_numbering_without_memory),
      cmocka_unit_test(test_budgets),
      cmocka_unit_test(test_floats_like_the_host),
      cmocka_unit_test(test_floats_between_two),
      cmocka_unit_test(test_every_half),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_deep_nests),
      cmocka_unit_test(test_long_lists),
      cmocka_unit_test(test_wide_phis),
      cmocka_unit_test(test_odd_numbers),
      cmocka_unit_test(test_many_functions),
      cmocka_unit_test(test_long_tokens),
      cmocka_unit_test(test_broken_values),
      cmocka_unit_test(test_broken_links),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
