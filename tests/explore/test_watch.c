/* SPDX-License-Identifier: MIT */
/* What is told of a shader: where its text has each instruction, what the interpreter ran, each phase of
 * a compilation; and hd_explore when the nth allocation fails, for every n.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/explore.h"
#include "heddle/observe.h"
#include "heddle/target.h"
#include "heddle/text.h"
#include "support/memory.h"

static const char text[] = "shader compute \"t\" {\n"
                           "  workgroup 8 1 1\n"
                           "  function @main {\n"
                           "    b0:\n"
                           "      %zero:32 = const 0\n"
                           "      %three:32 = const 3\n"
                           "      %lane:32 = local_invocation_index @\"other.comp\":9:1\n"
                           "      %low:1 = ult %lane, %three\n"
                           "      if %low {\n"
                           "        b1:\n"
                           "          %sum:32 = iadd %lane, %three\n"
                           "          store_buffer %sum, %zero, %zero align_mul=4\n"
                           "      } else {\n"
                           "        b2:\n"
                           "      }\n"
                           "    b3:\n"
                           "  }\n"
                           "}\n";

/* What every target takes. */
static const char kernel[] = "shader kernel \"k\" {\n"
                             "  workgroup 64 1 1\n"
                             "  function @main(%out:64, %n:32) {\n"
                             "    b0:\n"
                             "      %lane:32 = local_invocation_index\n"
                             "      %two:32 = const 2\n"
                             "      %by:32 = ishl %lane, %two\n"
                             "      %wide:64 = u2u %by\n"
                             "      %p:64 = iadd %out, %wide\n"
                             "      %in:1 = ult %lane, %n\n"
                             "      if %in {\n"
                             "        b1:\n"
                             "          store_global %lane, %p align_mul=4\n"
                             "      } else {\n"
                             "        b2:\n"
                             "      }\n"
                             "    b3:\n"
                             "  }\n"
                             "}\n";

static hd_shader *
parse_text(const hd_config *config, const char *from)
{
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config, NULL, from, strlen(from), &shader), HD_OK);
   return shader;
}

static hd_shader *
parse(const hd_config *config)
{
   return parse_text(config, text);
}

/* Where the text has it */

static unsigned
line_of(const char *word)
{
   const char *at = strstr(text, word);
   unsigned line = 1;

   assert_non_null(at);
   for (const char *c = text; c < at; c++)
      line += *c == '\n';
   return line;
}

static void
check_place(const hd_shader *shader, uint32_t loc, const char *file, unsigned line)
{
   assert_true(loc && loc < shader->num_locations);
   assert_string_equal(shader->locations[loc].file, file);
   assert_int_equal(shader->locations[loc].line, line);
   assert_int_equal(shader->locations[loc].column, 0);
}

static void
lines_are_locations(void **state)
{
   static const char *const files[] = { "name.hd", NULL };

   (void)state;
   for (unsigned n = 0; n < 2; n++) {
      const char *file = files[n] ? files[n] : "";
      hd_shader *shader;
      assert_int_equal(hd_parse_located(NULL, files[n], text, strlen(text), &shader), HD_OK);
      const hd_function *f = shader->first_function;
      unsigned num = 0;
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_def *def = hd_instr_def(i);
            const char *name = def ? hd_def_name(f, def) : NULL;
            char word[32];
            snprintf(word, sizeof(word), name ? "%%%s:" : "store_buffer", name);
            check_place(shader, i->loc, file, line_of(word));
            num++;
         }
      }
      assert_int_equal(num, 6);
      check_place(shader, hd_function_start(f)->node.loc, file, line_of("b0:"));
      check_place(shader, hd_function_start(f)->node.next->loc, file, line_of("if "));
      hd_shader_destroy(shader);
   }
}

/* What the interpreter ran */

struct heard {
   unsigned num, sums;
   uint8_t stored[4];
};

static void
hear_ran(void *user, const hd_wave_ran *ran)
{
   struct heard *h = user;
   const hd_function *f = hd_block_function(ran->instr->block);
   const hd_def *def = hd_instr_def(ran->instr);
   const char *name = def ? hd_def_name(f, def) : NULL;

   h->num++;
   assert_int_equal(ran->workgroup, 0);
   assert_int_equal(ran->num_components, def ? 1 : 0);
   if (!name || strcmp(name, "sum"))
      return;
   /* Lanes 0 to 2 are below three. */
   assert_int_equal(ran->lanes.word[0], 7);
   for (unsigned lane = 0; lane < 3; lane++)
      assert_int_equal(ran->values[lane], lane + 3);
   h->sums++;
}

static void
each_instruction_is_told(void **state)
{
   hd_shader *shader = parse(NULL);
   uint8_t data[4] = { 0 };
   struct heard h = { 0 };
   const hd_wave_buffer buffer = { .memory = { data, NULL, sizeof(data) } };
   const hd_wave_launch launch = {
      .user = &h, .ran = hear_ran, .buffers = &buffer, .num_buffers = 1, .lanes = 8
   };

   (void)state;
   assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
   assert_int_equal(h.sums, 1);
   /* Constants have no place where they run. */
   assert_int_equal(h.num, 4);
   assert_int_equal(data[0], 5);
   hd_shader_destroy(shader);
}

/* A compilation */

struct phases {
   unsigned before, ended, after, passes, instructions;
   bool output;
};

static bool
hear_pass(void *user, const hd_pass_run *run)
{
   assert_non_null(run->shader);
   ((struct phases *)user)->passes++;
   return true;
}

static void
hear_before(void *user, const char *name)
{
   assert_non_null(name);
   ((struct phases *)user)->before++;
}

static void
hear_end(void *user, const char *name)
{
   struct phases *h = user;

   assert_non_null(name);
   assert_int_equal(h->ended, h->after);
   h->ended++;
}

static void
hear_after(void *user, const hd_machine_phase *phase)
{
   struct phases *h = user;
   uint32_t num = 0;

   h->after++;
   assert_int_equal(h->ended, h->after);
   h->output = !strcmp(phase->name, "output");
   for (uint32_t n = 0; n < phase->num_blocks; n++) {
      const hd_machine_block *b = &phase->blocks[n];
      assert_int_equal(b->first_inst, num);
      num += b->num_insts;
      for (uint32_t k = 0; k < b->num_succs; k++)
         assert_in_range(b->succs[k], 0, phase->num_blocks - 1);
   }
   assert_int_equal(num, phase->num_insts);
   for (uint32_t n = 0; n < num; n++) {
      assert_true(phase->insts[n].text && *phase->insts[n].text);
      for (uint32_t k = 0; k < phase->insts[n].num_reads; k++)
         assert_in_range(phase->insts[n].reads[k], 0, num - 1);
   }
   h->instructions = num;
}

static void
each_phase_is_told(void **state)
{
   (void)state;
   for (unsigned n = 0; n < hd_num_targets(); n++) {
      const hd_target *target = hd_target_get(n);
      struct phases h = { 0 };
      const hd_observer observer = { .passes = { .user = &h, .before = hear_pass },
                                     .user = &h,
                                     .before_phase = hear_before,
                                     .end_phase = hear_end,
                                     .after_phase = hear_after };
      const hd_compile_options watched = { .observer = &observer }, plain = { 0 };
      hd_target_binary *a, *b;
      hd_shader *shader = parse_text(NULL, kernel);
      assert_int_equal(hd_compile(shader, target, &watched, &a), HD_OK);
      assert_int_equal(hd_compile(shader, target, &plain, &b), HD_OK);
      assert_true(h.passes > 0 && h.output && h.instructions > 2);
      assert_true(h.before >= h.after && h.after > 5);
      assert_int_equal(a->code_size, b->code_size);
      assert_memory_equal(a->code, b->code, a->code_size);
      hd_target_binary_destroy(a);
      hd_target_binary_destroy(b);
      hd_shader_destroy(shader);
   }
}

/* No memory */

/* hd_explore, and hd_explore_lanes where there is a target, when the nth allocation fails, for every n; `inputs` but for their shaders, which are `from`. */
static void
fail_each_allocation(const char *from, const hd_explore_input *inputs, unsigned num)
{
   unsigned failures = 0;

   for (size_t n = 0;; n += 1 + n / 64) {
      struct limited c = { .left = SIZE_MAX };
      hd_config config = limited_config(&c);
      hd_shader *shader = parse_text(&config, from);
      hd_explore_input given[2] = { inputs[0], inputs[num - 1] };
      hd_blob json, page;
      given[0].shader = given[1].shader = shader;
      hd_blob_init(&json, &config);
      hd_blob_init(&page, &config);
      const size_t held = c.held;
      c.left = n;
      hd_result result = hd_explore(given, num, NULL, &json);
      if (result == HD_OK)
         result = hd_explore_page(&json, &page);
      if (result == HD_OK && given[0].target)
         result = hd_explore_lanes(given, num, NULL, &page);
      c.left = SIZE_MAX;
      const bool whole = result == HD_OK;
      if (whole) {
         assert_true(json.size > 1000 && page.size > json.size);
      } else {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         failures++;
      }
      hd_blob_finish(&page);
      hd_blob_finish(&json);
      assert_int_equal(c.held, held);
      hd_shader_destroy(shader);
      assert_int_equal(c.held, 0);
      if (whole)
         break;
   }
   assert_in_range(failures, 10, 1000);
}

static void
each_allocation_fails_once(void **state)
{
   uint8_t data[4] = { 0 };
   const hd_wave_buffer buffer = { .memory = { data, NULL, sizeof(data) } };
   const hd_wave_launch launch = { .buffers = &buffer, .num_buffers = 1, .lanes = 8 };
   const hd_explore_input inputs[2] = {
      { .title = "a", .passes = "opt_cse,opt_dce", .launch = &launch },
      { .title = "b", .passes = "opt_dce" }
   };

   (void)state;
   fail_each_allocation(text, inputs, 1);
   fail_each_allocation(text, inputs, 2);
}

/* What a simulator may tell: of two waves, an instruction that is none, for the wave, of values that are not
 * known, and stores to memory of the launch and elsewhere.
 */
static hd_result
tell(void *user, const hd_shader *shader, const hd_target_binary *binary,
     const hd_wave_launch *launch, hd_explore_trace *trace)
{
   uint32_t values[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, undefined[8] = { 0, ~0u };
   const hd_wave_mask lanes = { { 0x55, 0 } };

   assert_non_null(shader);
   assert_true(binary->code_size > 0);
   for (uint32_t wave = 0; wave < 2; wave++) {
      const hd_wave_register reg = { 0, wave, "v1", values, undefined, 8 };
      const hd_wave_stored stores[] = {
         { .wave = wave,
           .lane = 3,
           .address = 64,
           .data = launch->buffers->memory.data,
           .size = 4 },
         { .wave = wave, .lane = -1, .within = "scratch memory", .data = values, .size = 4 },
      };
      hd_explore_trace_step(trace, 0, wave, 0, &lanes, 17);
      hd_explore_trace_register(trace, &reg);
      hd_explore_trace_step(trace, 0, wave, UINT64_MAX, NULL, 0);
      hd_explore_trace_store(trace, &stores[0]);
      hd_explore_trace_store(trace, &stores[1]);
   }
   ++*(unsigned *)user;
   return HD_OK;
}

static void
each_allocation_of_a_target_fails_once(void **state)
{
   uint8_t data[4] = { 0 };
   const hd_wave_buffer buffer = { .memory = { data, NULL, sizeof(data) } };
   const hd_const_value params[2] = { { 0 } };
   const hd_wave_launch launch = {
      .buffers = &buffer, .num_buffers = 1, .params = params, .num_params = 2
   };

   (void)state;
   for (unsigned n = 0; n < hd_num_targets(); n++) {
      unsigned told = 0;
      const hd_explore_input input = { .title = "kernel",
                                       .target = hd_target_get(n),
                                       .launch = &launch,
                                       .user = &told,
                                       .simulate = tell };
      fail_each_allocation(kernel, &input, 1);
      assert_true(told > 0);
   }
}

/* What `tell` tells, drawn: two waves of half of the first eight lanes, and one instruction for the wave each. */
static void
lanes_are_drawn(void **state)
{
   uint8_t data[4] = { 0 };
   const hd_wave_buffer buffer = { .memory = { data, NULL, sizeof(data) } };
   const hd_const_value params[2] = { { 0 } };
   const hd_wave_launch launch = {
      .buffers = &buffer, .num_buffers = 1, .params = params, .num_params = 2
   };
   hd_shader *shader = parse_text(NULL, kernel);

   (void)state;
   assert_int_equal(hd_explore_lanes(NULL, 0, NULL, NULL), HD_INVALID);
   assert_int_equal(hd_explore_lanes(&(hd_explore_input){ .shader = shader }, 1, NULL, NULL),
                    HD_INVALID);
   for (unsigned n = 0; n < hd_num_targets(); n++) {
      const hd_target *target = hd_target_get(n);
      unsigned told = 0;
      const hd_explore_input inputs[2] = { { .title = "<a & b>",
                                             .shader = shader,
                                             .target = target,
                                             .launch = &launch,
                                             .user = &told,
                                             .simulate = tell },
                                           { .shader = shader, .target = target } };
      hd_explore_lane_use uses[2];
      hd_blob svg = { 0 };
      assert_int_equal(hd_explore_lanes(inputs, 2, uses, &svg), HD_OK);
      assert_int_equal(told, 1);
      assert_true(uses[0].issued == 4 && uses[0].lanes == 8);
      assert_true(uses[0].room == 2 * hd_target_get_lanes(target));
      assert_true(uses[1].issued == 0 && uses[1].room == 0);
      assert_non_null(strstr(svg.data, "&lt;a &amp; b&gt;"));
      assert_non_null(strstr(svg.data, hd_target_get_name(target)));
      /* Lanes 0, 2, 4, 6, each apart. */
      assert_non_null(strstr(svg.data, ",33h8v3h-8zM"));
      hd_blob_finish(&svg);
   }
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_locations),
      cmocka_unit_test(each_instruction_is_told),
      cmocka_unit_test(each_phase_is_told),
      cmocka_unit_test(each_allocation_fails_once),
      cmocka_unit_test(each_allocation_of_a_target_fails_once),
      cmocka_unit_test(lanes_are_drawn),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
