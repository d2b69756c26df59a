/* SPDX-License-Identifier: MIT */
/* test_images.c - what a launch says of images and samplers comes back from the words of their descriptors;
 * what the simulator does not have is refused by name; a wait that is missing before a sample is used, or
 * before what a store reads is written, is reported.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "backend/gcn/sim/image.h"
#include "heddle/gcn_object.h"
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

/* A kernel of a code object: addresses of descriptors among its arguments, a constant sampler in its code. */

static const char hsa_text[] =
    "shader kernel \"k\" {\n kernarg 28\n workgroup 64 1 1\n function @main {\n  b0:\n"
    "   %zero:32 = const 0\n   %id:32x3 = local_invocation_id\n   %x:32 = channel %id, %zero\n"
    "   %half:32 = const 0x3f000000\n   %f:32 = u2f %x\n   %at:32 = fadd %f, %half\n"
    "   %add:32 = load_kernarg %zero offset=24 align_mul=8\n"
    "   %a:32 = image_load %zero, %x, %zero, %zero dim=d1\n"
    "   %b:32 = image_sample_lod %zero, %zero, %at, %zero sampler_binding=2 dim=d1\n"
    "   %c:32 = image_sample_lod %zero, %zero, %f, %zero sampler_binding=9 dim=d1\n"
    "   %d:32 = fadd %a, %b\n   %e:32 = fadd %d, %c\n   %g:32 = fadd %e, %add\n"
    "   image_store %g, %zero, %x, %zero, %zero dim=d1 binding=1\n }\n}\n";

static hd_gcn_binary *
compile_hsa(hd_gcn_gen gen, struct heard *heard, uint32_t num_samplers)
{
   const hd_config config = { .diag = { .user = heard, .report = hear } };
   const hd_gcn_kernarg args[] = {
      { .kind = HD_GCN_KERNARG_IMAGE, .name = "from", .size = 8, .readonly = true },
      { .kind = HD_GCN_KERNARG_IMAGE, .offset = 8, .size = 8, .binding = 1, .writeonly = true },
      { .kind = HD_GCN_KERNARG_SAMPLER, .offset = 16, .size = 8, .binding = 2 },
      { .kind = HD_GCN_KERNARG_VALUE, .offset = 24, .size = 4 },
   };
   /* Coordinates count texels: half of a texel and half of the one before it. */
   const hd_wave_sampler linear = { .binding = 9,
                                    .address = { HD_ADDRESS_CLAMP_TO_EDGE },
                                    .mag = HD_FILTER_LINEAR,
                                    .min = HD_FILTER_LINEAR,
                                    .unnormalized = true };
   hd_gcn_sampler constant = { .binding = linear.binding };
   const hd_gcn_options options = { .target = gen,
                                    .kernargs = args,
                                    .num_kernargs = 4,
                                    .samplers = &constant,
                                    .num_samplers = num_samplers };
   hd_gcn_binary *binary = NULL;
   hd_shader *shader;

   hd_gcn_sim_sampler(&linear, constant.words);
   assert_int_equal(hd_parse(&config, "hsa", hsa_text, sizeof(hsa_text) - 1, &shader), HD_OK);
   assert_int_equal(hd_gcn_compile(shader, &options, &binary),
                    num_samplers ? HD_OK : HD_UNSUPPORTED);
   hd_shader_destroy(shader);
   return binary;
}

static void
check_hsa_metadata(const hd_gcn_binary *binary)
{
   static const hd_gcn_arg_kind kinds[] = { HD_GCN_ARG_IMAGE, HD_GCN_ARG_IMAGE, HD_GCN_ARG_SAMPLER,
                                            HD_GCN_ARG_VALUE };
   hd_gcn_object *object;

   assert_int_equal(hd_gcn_object_read(NULL, binary->object, binary->object_size, "o", &object),
                    HD_OK);
   const hd_gcn_kernel *k = hd_gcn_object_find(object, NULL);
   assert_int_equal(k->num_args, 4);
   for (unsigned n = 0; n < 4; n++)
      assert_int_equal(k->args[n].kind, kinds[n]);
   assert_string_equal(k->args[0].access, "read_only");
   assert_string_equal(k->args[1].access, "write_only");
   assert_null(k->args[2].access);
   hd_gcn_object_destroy(object);
}

#define HSA_WIDTH 64

static void
run_hsa(const hd_gcn_binary *binary)
{
   static uint8_t texels[2][4 * HSA_WIDTH];
   static const hd_wave_sampler nearest = { .unnormalized = true };
   uint32_t descriptors[3][8] = { { 0 } }, arguments[16] = { 0 };
   hd_gcn_sim_region regions[6];
   const float add = 100;

   for (unsigned n = 0; n < 2; n++) {
      const hd_gcn_image image = { .type = HD_GCN_IMAGE_1D,
                                   .base = 0x100000 * (n + 1),
                                   .width = HSA_WIDTH,
                                   .height = 1,
                                   .depth = 1,
                                   .pitch = HSA_WIDTH,
                                   .samples = 1,
                                   .format = HD_TEXEL_R32_FLOAT,
                                   .bytes = 4 };
      hd_gcn_image_write(binary->target, &image, descriptors[n]);
      regions[n] = (hd_gcn_sim_region){
         image.base, { texels[n], NULL, sizeof(texels[n]) }, false, "texels"
      };
   }
   hd_gcn_sim_sampler(&nearest, descriptors[2]);
   for (unsigned n = 0; n < 3; n++) {
      regions[2 + n] = (hd_gcn_sim_region){
         0x500000000 + 0x1000 * n, { descriptors[n], NULL, 32 }, true, "a descriptor"
      };
      arguments[2 * n] = 0x1000 * n;
      arguments[2 * n + 1] = 5;
   }
   memcpy(&arguments[6], &add, 4);
   regions[5] = (hd_gcn_sim_region){
      0x600000000, { arguments, NULL, sizeof(arguments) }, true, "arguments"
   };
   for (unsigned n = 0; n < HSA_WIDTH; n++) {
      const float value = (float)(n * n);
      memcpy(texels[0] + 4 * n, &value, 4);
   }
   const hd_gcn_sim_launch launch = { .target = binary->target,
                                      .code = binary->code,
                                      .code_words = binary->code_words,
                                      .regions = regions,
                                      .num_regions = 6,
                                      .workgroup_size = { 64, 1, 1 },
                                      .pgm_rsrc1 = binary->pgm_rsrc1,
                                      .pgm_rsrc2 = binary->pgm_rsrc2,
                                      .user_sgprs = { 0, 6 },
                                      .scratch_resource = HD_GCN_NO_SGPR,
                                      .flat_scratch_init = HD_GCN_NO_SGPR };
   assert_int_equal(hd_gcn_sim_run(NULL, &launch, NULL), HD_OK);
   for (unsigned n = 0; n < HSA_WIDTH; n++) {
      const unsigned before = n ? (n - 1) * (n - 1) : 0;
      float value;
      memcpy(&value, texels[1] + 4 * n, 4);
      assert_true(value == (float)(2 * n * n) + (float)(n * n + before) / 2 + add);
   }
}

static void
test_hsa_arguments(void **state)
{
   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      struct heard heard = { 0 };
      hd_gcn_binary *binary = compile_hsa((hd_gcn_gen)gen, &heard, 1);
      check_hsa_metadata(binary);
      run_hsa(binary);
      hd_gcn_binary_destroy(binary);
      assert_null(compile_hsa((hd_gcn_gen)gen, &heard, 0));
      assert_non_null(strstr(heard.last, "does not provide the descriptor of set 0, binding 9"));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_waits),
      cmocka_unit_test(test_three_components),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_hsa_arguments),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
