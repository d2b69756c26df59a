/* SPDX-License-Identifier: MIT */
/* test_random.c - random shaders run: each ends in a result that its message explains, the same in
 * a copy of the shader, and the same whatever undefined bits are; and divergence analysis is right.
 * What the interpreter refuses is what doc/meaning.md lists.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../analysis/naive.h"
#include "../gen/random_shader.h"
#include "harness.h"
#include "heddle/intrinsic_enum.h"
#include "wave/wave.h"

#define SIZE 512

/* All that a launch can give, the same from the same seed. */
struct world {
   uint8_t data[8 * SIZE], undefined[8 * SIZE];
   uint8_t helpers[512];
   hd_const_value params[256];
   hd_wave_buffer buffers[128];
   hd_wave_image images[128];
   hd_wave_sampler samplers[128];
   hd_wave_builtin given[40];
   hd_wave_region region;
   hd_wave_launch launch;
};

static hd_wave_memory
memory(struct world *w, unsigned n)
{
   return (hd_wave_memory){ w->data + n * SIZE, w->undefined + n * SIZE, SIZE };
}

/* What intrinsics can be given: values, places for what is stored. */
static void
fill_given(struct world *w)
{
   static const hd_intrinsic_id ids[] = {
      HD_INTRINSIC_FRAG_COORD,
      HD_INTRINSIC_FRONT_FACING,
      HD_INTRINSIC_POINT_COORD,
      HD_INTRINSIC_PRIMITIVE_ID,
      HD_INTRINSIC_LAYER,
      HD_INTRINSIC_VIEWPORT_INDEX,
      HD_INTRINSIC_SAMPLE_ID,
      HD_INTRINSIC_SAMPLE_POS,
      HD_INTRINSIC_SAMPLE_MASK_IN,
      HD_INTRINSIC_STORE_DEPTH,
      HD_INTRINSIC_STORE_STENCIL,
      HD_INTRINSIC_STORE_SAMPLE_MASK,
      HD_INTRINSIC_VERTEX_INDEX,
      HD_INTRINSIC_INSTANCE_INDEX,
      HD_INTRINSIC_STORE_POSITION,
      HD_INTRINSIC_STORE_POINT_SIZE,
      HD_INTRINSIC_STORE_CLIP_DISTANCE,
      HD_INTRINSIC_STORE_CULL_DISTANCE,
      HD_INTRINSIC_LOAD_CLIP_DISTANCE,
      HD_INTRINSIC_LOAD_CULL_DISTANCE,
      HD_INTRINSIC_STORE_LAYER,
      HD_INTRINSIC_STORE_VIEWPORT_INDEX,
   };
   unsigned num = 0;

   for (; num < sizeof(ids) / sizeof(ids[0]); num++)
      w->given[num] = (hd_wave_builtin){ .id = ids[num], .memory = memory(w, num % 4) };
   for (unsigned n = 0; n < 6; n++)
      w->given[num++] =
          (hd_wave_builtin){ HD_INTRINSIC_BARYCENTRIC, n / 3, n % 3, memory(w, n % 4) };
   w->launch.given = w->given;
   w->launch.num_given = num;
}

static void
fill(struct world *w, const hd_shader *shader, uint64_t seed)
{
   uint64_t state = seed;

   memset(w, 0, sizeof(*w));
   for (unsigned n = 0; n < sizeof(w->data); n++)
      w->data[n] = (uint8_t)next_random(&state, 256);
   for (unsigned n = 0; n < sizeof(w->undefined); n++)
      w->undefined[n] = next_random(&state, 40) == 0;
   for (unsigned n = 0; n < sizeof(w->helpers); n++)
      w->helpers[n] = next_random(&state, 3) == 0;
   for (unsigned n = 0; n < 256; n++)
      w->params[n].u64 = next_random(&state, 64);
   for (unsigned n = 0; n < 128; n++) {
      w->buffers[n] = (hd_wave_buffer){ n / 8 % 8, n % 8, n / 64, memory(w, n % 4) };
      w->images[n] = (hd_wave_image){
         .set = n / 8 % 8,
         .binding = n % 8,
         .array_index = n / 64,
         .width = 3,
         .height = 2,
         .num_layers = 2,
         .bits = 16u << n % 3,
         .format =
             n % 8 == 7 ? (hd_texel_format)next_random(&state, HD_NUM_TEXEL_FORMATS) : HD_TEXEL_RAW,
         .memory = memory(w, n % 4),
      };
      w->samplers[n] = (hd_wave_sampler){
         .set = n / 8 % 8,
         .binding = n % 8,
         .array_index = n / 64,
         .mag = n % 2 ? HD_FILTER_LINEAR : HD_FILTER_NEAREST,
         .mip = n % 3 ? HD_FILTER_LINEAR : HD_FILTER_NEAREST,
         .max_lod = 4,
         .compare = (hd_compare_op)next_random(&state, HD_NUM_COMPARE_OPS),
      };
      for (unsigned k = 0; k < 3; k++)
         w->samplers[n].address[k] = (hd_address_mode)next_random(&state, HD_NUM_ADDRESS_MODES);
   }
   w->region = (hd_wave_region){ 0, memory(w, 4) };
   w->launch = (hd_wave_launch){
      .lanes = shader->subgroup_size ? 0 : 1 + next_random(&state, 40),
      .num_workgroups = { 1 + next_random(&state, 2) },
      .params = w->params,
      .regions = &w->region,
      .num_regions = 1,
      .buffers = w->buffers,
      .num_buffers = 128,
      .images = w->images,
      .num_images = 128,
      .samplers = w->samplers,
      .num_samplers = 128,
      .push = memory(w, 5),
      .kernarg = memory(w, 6),
      .inputs = memory(w, 7),
      .outputs = memory(w, 3),
      .corners = memory(w, 5),
      .num_input_locations = 1,
      .num_output_locations = 1,
      .helpers = w->helpers,
      .num_helpers = sizeof(w->helpers),
      .seed = next_random(&state, 2) ? seed + 1 : 0,
      .max_steps = 20000,
      .check_uniform = seed % 2,
   };
   fill_given(w);
}

static uint32_t
num_params(const hd_function *f)
{
   uint32_t components = 0;

   hd_foreach_instr(i, hd_function_start(f))
      components += i->kind == HD_INSTR_PARAM ? i->def.num_components : 0;
   return components;
}

static hd_result
run(hd_shader *shader, struct world *w, struct outcome *o)
{
   w->launch.num_params = num_params(shader->first_function);
   o->num_messages = 0;
   o->message[0] = 0;
   return o->result = hd_wave_run(shader, &w->launch, &o->stats);
}

/* Defined bytes of the first are the same in the other. */
static void
expect_same(const struct world *a, const struct world *b, uint64_t seed)
{
   for (unsigned n = 0; n < sizeof(a->data); n++) {
      if (a->undefined[n])
         continue;
      if (b->undefined[n] || a->data[n] != b->data[n])
         fail_msg("seed %llu: byte %u of memory %u", (unsigned long long)seed, n % SIZE, n / SIZE);
   }
}

static void
keep(void *user, const hd_diag *diag)
{
   struct outcome *o = user;

   if (o->num_messages++ == 0)
      snprintf(o->message, sizeof(o->message), "%s", diag->message);
}

static void
random_programs(void **unused)
{
   unsigned results[HD_FAULT + 1] = { 0 };
   uint64_t instructions = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 600; seed++) {
      static struct world first, again;
      struct outcome o = { 0 }, p = { 0 };
      const hd_config config = { .diag = { &o, keep } };
      const random_options options = { .size = 4 + seed % 40 };
      hd_shader *shader = random_shader(&config, seed, &options), *copy;
      assert_non_null(shader);
      /* A workgroup has up to 17 x 17 x 17 lanes, each of which has scratch memory to be filled. */
      shader->scratch_size %= 1024;
      const hd_config other = { .diag = { &p, keep } };
      assert_int_equal(hd_shader_clone(shader, &other, &copy), HD_OK);
      fill(&first, shader, seed);
      run(shader, &first, &o);
      results[o.result]++;
      instructions += o.stats.instructions;
      if (strstr(o.message, "called uniform") || strstr(o.message, "calls uniform"))
         fail_msg("seed %llu: %s", (unsigned long long)seed, o.message);
      if ((o.result == HD_OK) != (o.num_messages == 0) || o.num_messages > 1)
         fail_msg("seed %llu: %s, %u messages, '%s'", (unsigned long long)seed,
                  hd_result_name(o.result), o.num_messages, o.message);
      /* Other undefined bits change nothing that is defined. */
      fill(&again, copy, seed);
      for (unsigned n = 0; n < sizeof(again.data); n++)
         again.data[n] ^= again.undefined[n] ? 0x5a : 0;
      again.launch.undef_value = UINT64_C(0x9e3779b97f4a7c15);
      const hd_result result = run(copy, &again, &p);
      if (result != o.result || p.stats.instructions != o.stats.instructions ||
          p.stats.lane_ops != o.stats.lane_ops)
         fail_msg("seed %llu: %s '%s', then %s", (unsigned long long)seed, hd_result_name(o.result),
                  o.message, hd_result_name(result));
      expect_same(&first, &again, seed);
      expect_same(&again, &first, seed);
      hd_shader_destroy(copy);
      hd_shader_destroy(shader);
   }
   printf("%u ended, %u did what none may, %u were too long, %u refused; %llu instructions\n",
          results[HD_OK], results[HD_FAULT], results[HD_BUDGET_EXCEEDED], results[HD_UNSUPPORTED],
          (unsigned long long)instructions);
   assert_true(results[HD_OK] > 100);
}

/* The names under "What it does not run" in the document. */
static void
refused_are_listed(void **unused)
{
   static char page[1 << 17];
   char word[64];
   FILE *file = fopen("doc/meaning.md", "r");
   unsigned num = 0;

   (void)unused;
   assert_non_null(file);
   page[fread(page, 1, sizeof(page) - 1, file)] = 0;
   fclose(file);
   char *list = strstr(page, "\n## What the interpreter does not run\n");
   assert_non_null(list);
   char *end = strstr(list + 4, "\n## ");
   if (end)
      *end = 0;
   for (unsigned id = 1; id < HD_NUM_INTRINSICS; id++) {
      const char *name = hd_intrinsic_get_info((hd_intrinsic_id)id)->name;
      const bool runs = hd_wave_find_handler((hd_intrinsic_id)id) != NULL;
      snprintf(word, sizeof(word), "`%s`", name);
      if (runs == (strstr(list, word) != NULL))
         fail_msg("%s is %s, but the document says something else", name, runs ? "run" : "refused");
      num += runs;
   }
   printf("%u of %u intrinsics\n", num, HD_NUM_INTRINSICS - 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs),
      cmocka_unit_test(refused_are_listed),
   };

   return cmocka_run_group_tests_name("wave/random", tests, NULL, NULL);
}
