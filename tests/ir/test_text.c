/* SPDX-License-Identifier: MIT */
/* The text form: what is printed parses back, and prints the same. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/edit.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "heddle/text.h"
#include "naive.h"
#include "samples.h"

static hd_config
loud(void)
{
   return (hd_config){ .diag = hd_diag_to_file(stderr) };
}

static hd_blob
text_of(const hd_shader *shader, const hd_print_options *options)
{
   hd_blob text = { 0 };

   assert_int_equal(hd_print_shader(shader, options, &text), HD_OK);
   return text;
}

static hd_shader *
parse(const char *text, size_t size)
{
   hd_config config = loud();
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(&config, "test", text, size, &shader), HD_OK);
   hd_foreach_function(f, shader) {
      const char *fault = naive_check(f);
      if (fault)
         fail_msg("@%s: %s", f->name, fault);
   }
   return shader;
}

static void
assert_text(const hd_shader *shader, const char *expected)
{
   hd_blob text = text_of(shader, NULL);

   assert_string_equal(text.data, expected);
   hd_blob_finish(&text);
}

/* Print, parse, print. Takes the shader. */
static void
assert_round_trip(hd_shader *shader)
{
   hd_blob text = text_of(shader, NULL);
   hd_shader *again = parse(text.data, text.size);

   assert_text(again, text.data);
   hd_blob_finish(&text);
   hd_shader_destroy(again);
   hd_shader_destroy(shader);
}

/* A written text becomes this printed one, which stays as it is. */
static void
assert_becomes(const char *written, const char *printed)
{
   hd_shader *shader = parse(written, strlen(written));

   assert_text(shader, printed);
   assert_round_trip(shader);
}

static void
test_features(void **state)
{
   (void)state;
   assert_round_trip(sample_features(NULL));
}

static void
test_random_trees(void **state)
{
   (void)state;
   for (uint64_t seed = 1; seed <= 60; seed++) {
      print_message("seed %u\n", (unsigned)seed);
      assert_round_trip(sample_tree(NULL, seed, 20 * (unsigned)seed));
      assert_round_trip(sample_flat(NULL, seed, 2 * (unsigned)seed));
   }
}

/* Indices, the order of predecessors and use lists are no part of the text. */
static void
test_history_does_not_show(void **state)
{
   (void)state;
   for (uint64_t seed = 1; seed <= 30; seed++) {
      print_message("seed %u\n", (unsigned)seed);
      hd_shader *shaders[3] = { sample_features(NULL), sample_tree(NULL, seed, 300),
                                sample_flat(NULL, seed, 40) };
      for (unsigned n = 0; n < 3; n++) {
         hd_blob before = text_of(shaders[n], NULL);
         sample_scramble(shaders[n], seed);
         assert_text(shaders[n], before.data);
         hd_blob_finish(&before);
         hd_shader_destroy(shaders[n]);
      }
   }
}

/* Parsing gives indices in the order of the text, which is what reindexing would. */
static void
test_indices_are_the_numbers(void **state)
{
   (void)state;
   hd_blob text = { 0 };
   hd_print_options options = { .show_indices = true };
   hd_shader *made = sample_features(NULL);

   assert_int_equal(hd_print_shader(made, NULL, &text), HD_OK);
   hd_shader *shader = parse(text.data, text.size);
   hd_blob indices = text_of(shader, &options);
   assert_string_equal(indices.data, text.data);
   hd_foreach_function(f, shader) {
      uint32_t num_defs = f->num_defs, num_blocks = f->num_blocks, end = f->end.node.index;
      hd_function_reindex(f);
      assert_int_equal(f->num_defs, num_defs);
      assert_int_equal(f->num_blocks, num_blocks);
      assert_int_equal(f->end.node.index, end);
   }
   hd_blob_finish(&indices);
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   hd_shader_destroy(made);
}

/* What a row of the table takes, as text: values of sizes that fit. */
static void
append_type(hd_blob *text, const hd_type_info *type, unsigned linked)
{
   unsigned bits = 64;

   while (!(type->sizes & bits))
      bits /= 2;
   hd_blob_printf(text, "%u", bits);
   unsigned components = type->linked ? linked : type->min_components;
   if (components > 1)
      hd_blob_printf(text, "x%u", components);
}

static void
append_operands(hd_blob *definitions, hd_blob *use, const hd_type_info *types, unsigned num)
{
   for (unsigned n = 0; n < num; n++) {
      hd_blob_printf(definitions, "%%%u:", n);
      append_type(definitions, &types[n], 2);
      hd_blob_printf(definitions, " = undef\n");
      hd_blob_printf(use, "%s%%%u", n ? ", " : " ", n);
   }
}

/* The text of the instruction prints as it was written, but for its numbers. */
static void
assert_instruction(hd_blob *definitions, hd_blob *use)
{
   hd_blob text = { 0 };

   hd_blob_printf(&text, "function @f {\n%s%s\n}\n", definitions->data ? definitions->data : "",
                  use->data);
   hd_shader *shader = parse(text.data, text.size);
   hd_blob printed = text_of(shader, NULL);
   char *found = strstr(printed.data, use->data);
   if (!found || found[use->size] != '\n')
      fail_msg("'%s' printed as\n%s", use->data, printed.data);
   assert_round_trip(shader);
   hd_blob_finish(&printed);
   hd_blob_finish(&text);
   hd_blob_finish(definitions);
   hd_blob_finish(use);
}

static void
test_every_op(void **state)
{
   (void)state;
   for (unsigned op = HD_OP_NONE + 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      unsigned num = info->flags & HD_OP_VARIADIC ? 1 : info->num_srcs;
      hd_blob definitions = { 0 }, use = { 0 };
      hd_blob_printf(&use, "%%%u:", num);
      append_type(&use, &info->result, info->flags & HD_OP_VARIADIC ? 1 : 2);
      hd_blob_printf(&use, " = %s%s", info->name, op % 2 ? ".exact.nnan.ninf.nsz" : "");
      append_operands(&definitions, &use, info->src, num);
      assert_instruction(&definitions, &use);
   }
}

/* A value of an index that is not its default, `variant` of several. */
static void
append_index(hd_blob *use, const hd_index_info *index, unsigned variant)
{
   uint32_t value = index->default_value;

   switch (index->kind) {
   case HD_INDEX_KIND_UINT:
      value = variant ? UINT32_MAX - variant : 7;
      hd_blob_printf(use, " %s=%u", index->name, value);
      return;
   case HD_INDEX_KIND_INT:
      hd_blob_printf(use, " %s=%s", index->name, variant ? "-2147483648" : "2147483647");
      return;
   case HD_INDEX_KIND_BOOL:
      hd_blob_printf(use, " %s=%s", index->name, value ? "false" : "true");
      return;
   case HD_INDEX_KIND_ENUM:
      value = (value + 1 + variant) % index->num_values;
      if (value != index->default_value)
         hd_blob_printf(use, " %s=%s", index->name, index->values[value].name);
      return;
   case HD_INDEX_KIND_FLAGS:
      hd_blob_printf(use, " %s=%s", index->name, index->values[0].name);
      for (unsigned n = 1 + variant; n < index->num_values; n++)
         hd_blob_printf(use, "|%s", index->values[n].name);
      return;
   }
}

static void
test_every_intrinsic(void **state)
{
   (void)state;
   for (unsigned id = HD_INTRINSIC_NONE + 1; id < HD_NUM_INTRINSICS; id++) {
      const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)id);
      for (unsigned variant = 0; variant < 4; variant++) {
         hd_blob definitions = { 0 }, use = { 0 };
         if (info->flags & HD_HAS_RESULT) {
            hd_blob_printf(&use, "%%%u:", info->num_srcs);
            append_type(&use, &info->result, 2);
            hd_blob_printf(&use, " = ");
         }
         hd_blob_printf(&use, "%s%s", info->name, variant == 1 ? ".uniform" : "");
         append_operands(&definitions, &use, info->src, info->num_srcs);
         for (unsigned n = 0; n < info->num_indices && variant; n++)
            append_index(&use, hd_index_get_info((hd_index)info->indices[n]), variant - 1);
         assert_instruction(&definitions, &use);
      }
   }
}

static void
test_conveniences(void **state)
{
   (void)state;
   assert_becomes("function @f(%x:32) {\r\n\tif %c { break_is_no_word: }\r\n %c:1=const true\r\n}",
                  "shader compute {\n"
                  "  function @f(%0:32 \"x\") {\n"
                  "    b0:\n"
                  "      if %1 {\n"
                  "        b1 \"break_is_no_word\":\n"
                  "      } else {\n"
                  "        b2:\n"
                  "      }\n"
                  "    b3:\n"
                  "      %1:1 \"c\" = const true\n"
                  "  }\n"
                  "}\n");
   assert_becomes("// alone\n"
                  "flat function @f() -> 32x2 { // to the end of the line {\n"
                  "  %007:32x2 \"a\\\"\\\\\\n\\x01\xc3\xa4\xff\" = const (\n 1,\n 2)\n"
                  "  goto bexit\n"
                  "  b99999999999999999999: return %7\n"
                  "  bexit: goto b99999999999999999999 @\"x\":4294967295:0\n"
                  "}\n"
                  "function @\"two words\" { call @f() }\n",
                  "shader compute {\n"
                  "  flat function @f -> 32x2 {\n"
                  "    b0:\n"
                  "      %0:32x2 \"a\\\"\\\\\\x0a\\x01\xc3\xa4\\xff\" = const (1, 2)\n"
                  "      goto b2\n"
                  "    b1:\n"
                  "      return %0\n"
                  "    b2 \"bexit\":\n"
                  "      goto b1 @\"x\":4294967295:0\n"
                  "  }\n"
                  "\n"
                  "  function @\"two words\" {\n"
                  "    b0:\n"
                  "      call @f()\n"
                  "  }\n"
                  "}\n");
}

/* A continue list is left out when it says nothing, and only then. */
static void
test_continue_lists(void **state)
{
   (void)state;
   assert_becomes("function @f(%c:1) {\n"
                  "  loop { if %c { break } } continue { }\n"
                  "  loop { if %c { break } } continue { named: }\n"
                  "  loop { if %c { break } } continue { b1: @\"x\":1:1\n }\n"
                  "  b2: loop { %p:1 = phi b2: %c, b3: %p\n if %c { break } } continue { b3: }\n"
                  "  loop { if %c { b8: continue } b7: } continue { %q:1 = phi b8: %c, b7: %c\n"
                  "  if %q { break } }\n"
                  "}\n",
                  "shader compute {\n"
                  "  function @f(%0:1 \"c\") {\n"
                  "    b0:\n"
                  "      loop {\n"
                  "        b1:\n"
                  "          if %0 {\n"
                  "            b2:\n"
                  "              break\n"
                  "          } else {\n"
                  "            b3:\n"
                  "          }\n"
                  "        b4:\n"
                  "      }\n"
                  "    b5:\n"
                  "      loop {\n"
                  "        b6:\n"
                  "          if %0 {\n"
                  "            b7:\n"
                  "              break\n"
                  "          } else {\n"
                  "            b8:\n"
                  "          }\n"
                  "        b9:\n"
                  "      } continue {\n"
                  "        b10 \"named\":\n"
                  "      }\n"
                  "    b11:\n"
                  "      loop {\n"
                  "        b12:\n"
                  "          if %0 {\n"
                  "            b13:\n"
                  "              break\n"
                  "          } else {\n"
                  "            b14:\n"
                  "          }\n"
                  "        b15:\n"
                  "      } continue {\n"
                  "        b16: @\"x\":1:1\n"
                  "      }\n"
                  "    b17:\n"
                  "      loop {\n"
                  "        b18:\n"
                  "          %1:1 \"p\" = phi b17: %0, b22: %1\n"
                  "          if %0 {\n"
                  "            b19:\n"
                  "              break\n"
                  "          } else {\n"
                  "            b20:\n"
                  "          }\n"
                  "        b21:\n"
                  "      } continue {\n"
                  "        b22:\n"
                  "      }\n"
                  "    b23:\n"
                  "      loop {\n"
                  "        b24:\n"
                  "          if %0 {\n"
                  "            b25:\n"
                  "              continue\n"
                  "          } else {\n"
                  "            b26:\n"
                  "          }\n"
                  "        b27:\n"
                  "      } continue {\n"
                  "        b28:\n"
                  "          %2:1 \"q\" = phi b25: %0, b27: %0\n"
                  "          if %2 {\n"
                  "            b29:\n"
                  "              break\n"
                  "          } else {\n"
                  "            b30:\n"
                  "          }\n"
                  "        b31:\n"
                  "      }\n"
                  "    b32:\n"
                  "  }\n"
                  "}\n");
}

/* Names and locations can be left out; predecessors can be shown: the text still parses. */
static void
test_options(void **state)
{
   (void)state;
   const char *written = "function @f(%c:1 @\"p\":1:1) {\n"
                         "  first: @\"x\":1:2\n"
                         "  if %c @\"x\":2:2 { b1: } else { b2: }\n"
                         "  b3: %v:1 = phi b1: %c, b2: %c @\"x\":3:3\n"
                         "}\n";
   hd_print_options options = { .hide_names = true, .hide_locations = true, .show_preds = true };
   hd_shader *shader = parse(written, strlen(written));
   hd_blob text = text_of(shader, &options);

   assert_string_equal(text.data, "shader compute {\n"
                                  "  function @f(%0:1) {\n"
                                  "    b0:  // preds:\n"
                                  "      if %0 {\n"
                                  "        b1:  // preds: b0\n"
                                  "      } else {\n"
                                  "        b2:  // preds: b0\n"
                                  "      }\n"
                                  "    b3:  // preds: b1 b2\n"
                                  "      %1:1 = phi b1: %0, b2: %0\n"
                                  "  }\n"
                                  "}\n");
   assert_round_trip(parse(text.data, text.size));
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
}

static void
test_properties(void **state)
{
   (void)state;
   assert_becomes("shader kernel \"\\x7f\" {\n kernarg 64\n push 4294967295\n scratch 16\n"
                  " shared 1024\n floats rtz64 flush16 flush16\n subgroup 32\n workgroup 0 8 1\n}",
                  "shader kernel \"\\x7f\" {\n"
                  "  workgroup 0 8 1\n"
                  "  subgroup 32\n"
                  "  floats flush16 rtz64\n"
                  "  shared 1024\n"
                  "  scratch 16\n"
                  "  push 4294967295\n"
                  "  kernarg 64\n"
                  "}\n");
   assert_becomes("shader vertex { }", "shader vertex {\n}\n");
   assert_becomes("shader fragment{function @f{}}", "shader fragment {\n"
                                                    "  function @f {\n"
                                                    "    b0:\n"
                                                    "  }\n"
                                                    "}\n");
}

/* One function alone, of several: its text is one that parses. */
static void
test_one_function(void **state)
{
   (void)state;
   const char *written = "function @\"\\xed\\xa0\\x80 \xe2\x82\xac\" { }\n"
                         "function @g(%0:16) {\n%1:16 = const 1.5e+2\n}\n";
   hd_shader *shader = parse(written, strlen(written));
   hd_blob text = { 0 };

   assert_int_equal(hd_print_function(shader->last_function, NULL, &text), HD_OK);
   assert_string_equal(text.data, "function @g(%0:16) {\n"
                                  "  b0:\n"
                                  "    %1:16 = const 0x58b0\n"
                                  "}\n");
   assert_round_trip(parse(text.data, text.size));
   text.size = 0;
   /* What is no UTF-8 is escaped. */
   assert_int_equal(hd_print_function(shader->first_function, NULL, &text), HD_OK);
   assert_string_equal(text.data, "function @\"\\xed\\xa0\\x80 \xe2\x82\xac\" {\n  b0:\n}\n");
   hd_blob_finish(&text);
   assert_round_trip(shader);
}

/* The instruction of a block with this number, from 0. */
static hd_instr *
nth_instr(hd_block *b, unsigned n)
{
   hd_instr *i = b->first;

   while (n--)
      i = i->next;
   return i;
}

static void
assert_line(hd_result result, hd_blob *line, hd_text_span span, const char *expected,
            const char *marked)
{
   assert_int_equal(result, HD_OK);
   assert_string_equal(line->data, expected);
   assert_int_equal(span.length, strlen(marked));
   assert_memory_equal(line->data + span.offset, marked, span.length);
   hd_blob_finish(line);
}

static void
test_single_lines(void **state)
{
   (void)state;
   const char *written = "flat function @f(%c:1) {\n"
                         "  b0: goto_if %c, b2, b1\n"
                         "  b1 \"one\" header: @\"x\":1:2\n"
                         "  goto b2\n"
                         "  b2: %v:1 = phi b1: %c, b0: %v @\"x\":3:3\n"
                         "  return\n"
                         "}\n"
                         "function @g(%c:1) { if %c { } \n loop @\"y\":1:1 { } }\n";
   hd_shader *shader = parse(written, strlen(written));
   hd_function *f = shader->first_function, *g = f->next;
   hd_block *b1 = hd_node_as_block(f->body.first->next), *b2 = hd_node_as_block(f->body.last);
   hd_phi *phi = hd_instr_as_phi(nth_instr(b2, 0));
   hd_numbering *numbering;
   hd_blob line = { 0 };
   hd_text_span span;

   assert_int_equal(hd_numbering_create(f, &numbering), HD_OK);
   assert_int_equal(hd_numbering_def(numbering, &phi->instr.def), 1);
   assert_int_equal(hd_numbering_block(numbering, b2), 2);
   assert_int_equal(hd_numbering_block(numbering, &f->end), HD_NO_NUMBER);
   assert_int_equal(hd_numbering_block(numbering, NULL), HD_NO_NUMBER);
   assert_int_equal(hd_numbering_def(numbering, NULL), HD_NO_NUMBER);
   assert_int_equal(hd_numbering_def(numbering, &hd_function_start(g)->first->def), HD_NO_NUMBER);

   hd_src *from_b0 = hd_phi_src_from(phi, hd_function_start(f));
   hd_result result = hd_print_instr(&phi->instr, numbering, from_b0, &line, &span);
   assert_line(result, &line, span, "%1:1 \"v\" = phi b0: %1, b1: %0 @\"x\":3:3", "%1");
   assert_int_equal(span.offset, strlen("%1:1 \"v\" = phi b0: "));
   result = hd_print_instr(&phi->instr, numbering, NULL, &line, &span);
   assert_line(result, &line, span, "%1:1 \"v\" = phi b0: %1, b1: %0 @\"x\":3:3",
               "%1:1 \"v\" = phi b0: %1, b1: %0");
   result = hd_print_node(&b1->node, numbering, NULL, &line, &span);
   assert_line(result, &line, span, "b1 \"one\" header: @\"x\":1:2", "b1 \"one\" header");
   hd_numbering_destroy(numbering);
   hd_numbering_destroy(NULL);

   /* Without a numbering: by index, appended to what is there. */
   hd_blob_printf(&line, "at ");
   result = hd_print_instr(nth_instr(hd_function_start(f), 1), NULL, NULL, &line, &span);
   assert_line(result, &line, span, "at goto_if %0, b2, b1", "goto_if %0, b2, b1");
   hd_if *nif = hd_block_next_if(hd_function_start(g));
   result = hd_print_node(&nif->node, NULL, &nif->cond, &line, &span);
   assert_line(result, &line, span, "if %0 {", "%0");
   result = hd_print_node(nif->node.next->next, NULL, &nif->cond, &line, &span);
   assert_line(result, &line, span, "loop @\"y\":1:1 {", "loop");
   result = hd_print_instr(NULL, NULL, NULL, &line, &span);
   assert_line(result, &line, span, "?", "?");
   result = hd_print_node(NULL, NULL, NULL, &line, NULL);
   assert_int_equal(result, HD_OK);
   assert_string_equal(line.data, "?");
   hd_blob_finish(&line);

   /* Not inserted. */
   hd_const *c = hd_const_create(shader, 2, 16, NULL);
   result = hd_print_instr(&c->instr, NULL, NULL, &line, &span);
   assert_line(result, &line, span, "%?:16x2 = const (0, 0)", "%?:16x2 = const (0, 0)");
   hd_instr_free(shader, &c->instr);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_features),
      cmocka_unit_test(test_random_trees),
      cmocka_unit_test(test_history_does_not_show),
      cmocka_unit_test(test_indices_are_the_numbers),
      cmocka_unit_test(test_every_op),
      cmocka_unit_test(test_every_intrinsic),
      cmocka_unit_test(test_conveniences),
      cmocka_unit_test(test_continue_lists),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_properties),
      cmocka_unit_test(test_one_function),
      cmocka_unit_test(test_single_lines),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
