/* SPDX-License-Identifier: MIT */
/* test_images.c - what a launch says of images and samplers comes back from the words of their descriptors;
 * what the simulator does not have is refused by name; a wait that is missing before a sample is used, or
 * before what a store reads is written, is reported.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_sim.h"
#include "heddle/text.h"
#include "heddle/wave.h"
#include "support/heard.h"

#define S_NOP 0xbf800000u

static const char shader_text[] =
    "shader compute \"t\" {\n"
    "  workgroup 64 1 1\n"
    "  function @main {\n"
    "    b0:\n"
    "      %zero:32 = const 0\n"
    "      %four:32 = const 4\n"
    "      %seven:32 = const 7\n"
    "      %id:32 = local_invocation_index\n"
    "      %x:32 = iand %id, %seven\n"
    "      %y:32 = ushr %id, %four\n"
    "      %fx:32 = u2f %x\n"
    "      %at:32x2 = vec %fx, %fx\n"
    "      %place:32x2 = vec %x, %y\n"
    "      %a:32x4 = image_sample_lod %zero, %zero, %at, %zero dim=d2\n"
    "      image_store %a, %zero, %place, %zero, %zero binding=1 dim=d2\n"
    "      %b:32x4 = image_load %zero, %place, %zero, %zero binding=1 dim=d2\n"
    "      %e:32x4 = fadd %b, %b\n"
    "      image_store %e, %zero, %place, %zero, %zero binding=1 dim=d2\n"
    "  }\n"
    "}\n";

struct run {
   hd_shader *shader;
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;
   float pixels[64 * 4], target[64 * 4];
   hd_wave_image images[2];
   hd_wave_sampler sampler;
   hd_wave_launch launch;
};

static void
set_up(struct run *r, hd_gcn_gen gen)
{
   memset(r, 0, sizeof(*r));
   for (unsigned n = 0; n < 64 * 4; n++)
      r->pixels[n] = (float)n;
   for (unsigned n = 0; n < 2; n++)
      r->images[n] = (hd_wave_image){ .binding = n,
                                      .width = 8,
                                      .height = 8,
                                      .format = HD_TEXEL_RGBA32_FLOAT,
                                      .memory = { .data = n ? r->target : r->pixels,
                                                  .size = sizeof(r->pixels) } };
   r->launch = (hd_wave_launch){
      .images = r->images, .num_images = 2, .samplers = &r->sampler, .num_samplers = 1
   };
   assert_int_equal(hd_parse(NULL, "t", shader_text, strlen(shader_text), &r->shader), HD_OK);
   assert_int_equal(hd_gcn_sim_abi_create(r->shader, &r->launch, &r->abi), HD_OK);
   const hd_gcn_options options = { .target = gen, .abi = HD_GCN_ABI_DRIVER, .driver = r->abi };
   assert_int_equal(hd_gcn_compile(r->shader, &options, &r->binary), HD_OK);
}

static void
clean_up(struct run *r)
{
   hd_gcn_binary_destroy(r->binary);
   hd_gcn_sim_abi_destroy(r->shader, r->abi);
   hd_shader_destroy(r->shader);
}

/* With these words of code in place of its own. */
static hd_result
run_code(struct run *r, const uint32_t *code, struct heard *heard)
{
   hd_gcn_binary other = *r->binary;

   *heard = (struct heard){ 0 };
   other.code = code;
   r->launch.diag = (hd_diag_sink){ heard, hear };
   return hd_gcn_sim_run_wave(&other, r->abi, r->shader, &r->launch, NULL, NULL);
}

static bool
is_wait(uint32_t word)
{
   return word >> 16 == 0xbf8c;
}

/* Each wait is needed: without it the run ends with a fault that names a counter. */
static void
test_waits(void **state)
{
   (void)state;
   for (hd_gcn_gen gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      struct run r;
      struct heard heard;
      unsigned waits = 0, of_vectors = 0;

      set_up(&r, gen);
      uint32_t *code = malloc(r.binary->code_words * sizeof(*code));
      memcpy(code, r.binary->code, r.binary->code_words * sizeof(*code));
      assert_int_equal(run_code(&r, code, &heard), HD_OK);
      for (uint32_t n = 0; n < r.binary->code_words; n++) {
         const uint32_t word = code[n];
         if (!is_wait(word))
            continue;
         code[n] = S_NOP;
         assert_int_equal(run_code(&r, code, &heard), HD_FAULT);
         assert_non_null(strstr(heard.all, "cnt"));
         of_vectors += strstr(heard.all, "vmcnt") != NULL;
         code[n] = word;
         waits++;
      }
      assert_true(waits >= 3 && of_vectors >= 2);
      free(code);
      clean_up(&r);
   }
}

/* Texels of 12 bytes: the fourth component is 1. */
static void
test_three_components(void **state)
{
   (void)state;
   for (hd_gcn_gen gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      static const float texel[3] = { 3, 5, 7 }, doubled[4] = { 6, 10, 14, 2 };
      struct run r;
      struct heard heard;

      set_up(&r, gen);
      memcpy(r.pixels, texel, sizeof(texel));
      r.images[0].format = HD_TEXEL_RGB32_FLOAT;
      assert_int_equal(run_code(&r, r.binary->code, &heard), HD_OK);
      assert_memory_equal(r.target, doubled, sizeof(doubled));
      clean_up(&r);
   }
}

/* Formats that the machine has not are refused, not read as others. */
static void
test_refused(void **state)
{
   struct run r;
   struct heard heard;

   (void)state;
   set_up(&r, HD_GCN_GFX900);
   r.images[0].format = HD_TEXEL_R64_UINT;
   assert_int_equal(run_code(&r, r.binary->code, &heard), HD_UNSUPPORTED);
   assert_non_null(strstr(heard.all, "texels of a format that the machine does not have"));
   r.images[0].format = HD_TEXEL_RGBA32_FLOAT;
   r.images[0].width = 100000;
   assert_int_equal(run_code(&r, r.binary->code, &heard), HD_UNSUPPORTED);
   r.images[0].width = 8;
   /* Integers are not filtered. */
   r.images[0].format = HD_TEXEL_RGBA32_UINT;
   r.sampler.mag = HD_FILTER_LINEAR;
   assert_int_equal(run_code(&r, r.binary->code, &heard), HD_FAULT);
   assert_non_null(strstr(heard.all, "expected the filter nearest for an integer format"));
   clean_up(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_waits),
      cmocka_unit_test(test_three_components),
      cmocka_unit_test(test_refused),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
