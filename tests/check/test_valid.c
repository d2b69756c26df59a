/* SPDX-License-Identifier: MIT */
/* test_valid.c - what is unusual and valid must be silent; and the calls themselves: options,
 * limits, memory that runs out, budgets.
 */
#include "support/test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shaders.h"

#include "heddle/analysis.h"
#include "heddle/check.h"
#include "heddle/text.h"

static const char *const valid_texts[] = {
   /* no function at all; a function of nothing */
   "shader compute {\n}\n",
   "shader compute {\n  function @f {\n    b0:\n  }\n}\n",
   /* a loop without a way out: what follows is unreachable, and may use any value */
   "shader compute {\n  function @f {\n    b0:\n      loop {\n        b1:\n          %0:32 = const "
   "1\n"
   "      }\n    b2:\n      %1:32 = iadd %0, %2\n      %2:32 = iadd %1, %1\n  }\n}\n",
   /* both arms jump; a phi without predecessors is undef */
   "shader compute {\n  function @f {\n    b0:\n      %0:1 = const true\n      if %0 {\n        "
   "b1:\n"
   "          return\n      } else {\n        b2:\n          halt\n      }\n    b3:\n      %1:32 = "
   "phi\n"
   "      %2:32 = iadd %1, %1\n  }\n}\n",
   /* a result, and a fall-through that is not reached */
   "shader compute {\n  function @f -> 32 {\n    b0:\n      %0:32 = const 1\n      loop {\n        "
   "b1:\n"
   "          return %0\n      }\n    b2:\n  }\n}\n",
   /* a value of unreachable code as the source for the edge from there; phis in all four places */
   "shader compute {\n  function @f {\n    b0:\n      %0:1 = const true\n      %1:32 = const 1\n"
   "      loop {\n        b1:\n          %2:32 = phi b0: %1, b7: %6\n          if %0 {\n           "
   " b2:\n"
   "              break\n          } else {\n            b3:\n              continue\n          }\n"
   "        b4:\n          %4:32 = phi\n          %5:32 = iadd %4, %4\n      } continue {\n        "
   "b7:\n"
   "          %6:32 = phi b3: %2, b4: %5\n      }\n    b8:\n      %7:32 = phi b2: %2\n      if %0 "
   "{\n"
   "        b9:\n      } else {\n        b10:\n      }\n    b11:\n      %8:32 = phi b9: %7, b10: "
   "%1\n  }\n}\n",
   /* break in an if of the continue list; a loop with its own continue inside a continue list */
   "shader compute {\n  function @f {\n    b0:\n      %0:1 = const true\n      loop {\n        "
   "b1:\n"
   "      } continue {\n        b2:\n          if %0 {\n            b3:\n              break\n"
   "          } else {\n            b4:\n          }\n        b5:\n          loop {\n            "
   "b6:\n"
   "              if %0 {\n                b7:\n                  continue\n              } else "
   "{\n"
   "                b8:\n                  break\n              }\n            b9:\n          }\n"
   "        b10:\n      }\n    b11:\n  }\n}\n",
   /* a value defined in one arm, when the other one has left */
   "shader compute {\n  function @f {\n    b0:\n      %0:1 = const true\n      if %0 {\n        "
   "b1:\n"
   "          return\n      } else {\n        b2:\n          %1:32 = const 1\n      }\n    b3:\n"
   "      %2:32 = iadd %1, %1\n  }\n}\n",
   /* flat: an infinite cycle, an unreachable one, a phi for an edge from there */
   "shader compute {\n  flat function @f {\n    b0:\n      %0:32 = const 1\n      goto b1\n    "
   "b1:\n"
   "      %1:32 = phi b0: %0, b3: %2\n      goto b2\n    b2:\n      goto b2\n    b3:\n"
   "      %2:32 = iadd %2, %1\n      goto_if %3, b1, b4\n    b4:\n      %3:1 = ult %2, %0\n"
   "      goto b3\n  }\n}\n",
   /* flat: irreducible, entered at both blocks; a value that dominates both */
   "shader compute {\n  flat function @f {\n    b0:\n      %0:1 = const true\n      goto_if %0, "
   "b1, b2\n"
   "    b1:\n      goto b2\n    b2:\n      goto_if %0, b1, b3\n    b3:\n      return\n  }\n}\n",
   /* flat: a member chain through a block that heads no cycle; a continue block of no cycle */
   "shader compute {\n  flat function @f {\n    b0:\n      %0:1 = const true\n      goto b1\n    "
   "b1:\n"
   "      goto_if %0, b2, b3\n    b2 in b3:\n      goto b4\n    b3 in b1:\n      goto_if %0, b1, "
   "b4\n"
   "    b4 continues b0:\n      return\n  }\n}\n",
   /* a switch whose cases all go where the default goes */
   "shader compute {\n  flat function @f {\n    b0:\n      %0:64 = const 1\n"
   "      switch %0, b1 [ 0: b1, 18446744073709551615: b1 ]\n    b1:\n      return\n  }\n}\n",
   /* uniform operands: promised, uniform by its source, or nothing to differ */
   "shader compute {\n  workgroup 64 1 1\n  function @f {\n    b0:\n"
   "      %0:32 = global_invocation_index\n      %1:32 = workgroup_index\n"
   "      %2:32 = broadcast.uniform %0, %0\n      %3:32 = broadcast %0, %1\n  }\n}\n",
   "shader compute {\n  workgroup 1 1 1\n  function @f {\n    b0:\n"
   "      %0:32 = global_invocation_index\n      %1:32 = broadcast %0, %0\n  }\n}\n",
   "shader compute {\n  subgroup 1\n  function @f {\n    b0:\n"
   "      %0:32 = global_invocation_index\n      %1:32 = broadcast %0, %0\n  }\n}\n",
};

static hd_shader *
parse(const char *text, const hd_config *config)
{
   hd_config loud = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config ? config : &loud, "text", text, strlen(text), &shader), HD_OK);
   return shader;
}

static void
test_valid(void **state)
{
   (void)state;
   for (size_t n = 0; n < sizeof(valid_texts) / sizeof(valid_texts[0]); n++) {
      hd_shader *shader = parse(valid_texts[n], NULL);
      if (hd_validate(shader, NULL) != HD_OK)
         fail_msg("text %u is valid:\n%s", (unsigned)n, valid_texts[n]);
      hd_shader_destroy(shader);
   }
}

typedef struct heard {
   unsigned errors, notes;
   char rules[16][8];
   char last[512];
} heard;

static void
hear(void *user, const hd_diag *d)
{
   heard *h = user;

   if (d->severity == HD_NOTE) {
      h->notes++;
      return;
   }
   if (h->errors < 16)
      snprintf(h->rules[h->errors], sizeof(h->rules[0]), "%s", d->rule);
   h->errors++;
   snprintf(h->last, sizeof(h->last), "%s|%s|%.*s", d->file ? d->file : "", d->message,
            d->text ? (int)d->length : 0, d->text ? d->text + d->column - 1 : "");
}

/* Faults that have nothing to do with each other are all found in one run. */
static void
test_many(void **state)
{
   sample s = sample_create(NULL);
   heard h = { 0 };
   hd_validate_options options = { .diag = { &h, hear } };

   (void)state;
   ((hd_const *)hd_def_instr(s.one))->value[0].u64 = UINT64_MAX;
   hd_def_instr(s.sum)->flags = 0x40;
   s.product->bit_size = 16;
   s.after_phi->srcs[0].instr = NULL;
   s.g_left->last->loc = 77;
   hd_phi_remove_src(s.g_phi, 0);
   s.shader->subgroup_size = 3;
   assert_int_equal(hd_validate(s.shader, &options), HD_INVALID);
   static const char *const expected[] = { "SH3", "OP5", "OP4", "OP6", "SSA8", "SSA3", "OP15" };
   assert_int_equal(h.errors, 7);
   for (unsigned n = 0; n < 7; n++) {
      bool found = false;
      for (unsigned k = 0; k < 7; k++)
         found |= !strcmp(h.rules[k], expected[n]);
      assert_true(found);
   }
   /* A limit: so many, then a note. */
   h = (heard){ 0 };
   options.max_errors = 3;
   assert_int_equal(hd_validate(s.shader, &options), HD_INVALID);
   assert_int_equal(h.errors, 3);
   assert_int_equal(h.notes, 1);
   /* One function alone, and nobody listening. */
   assert_int_equal(hd_validate_function(s.helper, NULL), HD_OK);
   assert_int_equal(hd_validate_function(s.graph, NULL), HD_INVALID);
   hd_shader_destroy(s.shader);
}

static void
test_message(void **state)
{
   heard h = { 0 };
   hd_config config = { .diag = { &h, hear } };
   sample s = sample_create(&config);
   hd_validate_options options = { .file = "a.hd" };

   (void)state;
   hd_src_set_def(&s.if_skip->cond, s.index);
   assert_int_equal(hd_validate(s.shader, &options), HD_INVALID);
   assert_int_equal(h.errors, 1);
   assert_string_equal(h.rules[0], "OP13");
   assert_string_equal(h.last, "a.hd|a condition is one 1-bit value, a selector one of at least 8 "
                               "bits: %0 is 1 x 32 (@main)|%0");
   hd_src_set_def(&s.if_skip->cond, s.voted);
   hd_src_set_def(hd_instr_src(hd_def_instr(s.sum), 1), s.sum);
   assert_int_equal(hd_validate(s.shader, &options), HD_INVALID);
   assert_string_equal(h.last, "a.hd|a definition dominates its uses: %18 is its own result "
                               "(a.comp:12:3, b7 of @main)|%18");
   hd_shader_destroy(s.shader);
}

static void
test_rules(void **state)
{
   (void)state;
   assert_true(hd_num_rules() > 50);
   assert_null(hd_rule_get_info(hd_num_rules()));
   for (unsigned n = 0; n < hd_num_rules(); n++) {
      const hd_rule_info *info = hd_rule_get_info(n);
      assert_true(strlen(info->number) >= 3 && strlen(info->words) > 10);
      assert_false(info->presumes >> n & 1);
   }
}

/* An allocator that fails from its nth call on. */
typedef struct failing {
   unsigned left, live;
} failing;

static void *
fail_alloc(void *user, size_t size)
{
   failing *f = user;

   if (!f->left)
      return NULL;
   f->left--;
   f->live++;
   return malloc(size);
}

static void
fail_free(void *user, void *ptr, size_t size)
{
   (void)size;
   ((failing *)user)->live--;
   free(ptr);
}

static void
run_out_of_memory(bool broken)
{
   hd_result result = HD_OUT_OF_MEMORY;
   unsigned n = 0;

   for (; result == HD_OUT_OF_MEMORY && n < 10000; n++) {
      failing f = { UINT32_MAX, 0 };
      heard h = { 0 };
      hd_config config = { .allocator = { &f, fail_alloc, fail_free }, .diag = { &h, hear } };
      sample s = sample_create(&config);
      hd_validate_options options = { .metadata = true };

      assert_int_equal(hd_require(s.main, HD_META_ALL), HD_OK);
      if (broken) {
         hd_src_unlink(hd_instr_src(hd_def_instr(s.sum), 0));
         hd_def_instr(s.product)->flags = 0xff;
      }
      /* Only what is new comes from the allocator: let the chunks be full. */
      for (unsigned k = 0; k < 64; k++)
         hd_stack_alloc(hd_shader_stack(s.shader), 500);
      f.left = n;
      result = hd_validate(s.shader, &options);
      f.left = UINT32_MAX;
      assert_int_equal(hd_shader_status(s.shader), HD_OK);
      /* A failure leaves everything as it was. */
      assert_int_equal(hd_validate(s.shader, &options), broken ? HD_INVALID : HD_OK);
      hd_shader_destroy(s.shader);
      assert_int_equal(f.live, 0);
   }
   assert_int_equal(result, broken ? HD_INVALID : HD_OK);
   assert_true(n > 3);
}

static void
test_memory(void **state)
{
   (void)state;
   run_out_of_memory(false);
   run_out_of_memory(true);
}

static void
test_budget(void **state)
{
   hd_result result = HD_BUDGET_EXCEEDED;
   uint64_t steps = 1;

   (void)state;
   for (; result == HD_BUDGET_EXCEEDED && steps < 1u << 20; steps += steps / 2 + 1) {
      sample s = sample_create(NULL);
      hd_shader_heap(s.shader)->config.budget.steps = steps;
      result = hd_validate(s.shader, NULL);
      hd_shader_destroy(s.shader);
   }
   assert_int_equal(result, HD_OK);
   assert_true(steps > 50);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_valid), cmocka_unit_test(test_many),   cmocka_unit_test(test_message),
      cmocka_unit_test(test_rules), cmocka_unit_test(test_memory), cmocka_unit_test(test_budget),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
