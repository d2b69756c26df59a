/* SPDX-License-Identifier: MIT */
/* test_misuse.c - calls that no host should make: each is told that it is wrong, and nothing is read
 * that is not there.
 *
 * Counts without an array, numbers of targets that do not exist, shaders without a function.
 */
#include "support/test.h"

#include <stdint.h>
#include <string.h>

#include "heddle/heddle_tools.h"

static void
hear(void *user, const hd_diag *diag)
{
   assert_true(diag->message && *diag->message);
   assert_null(strpbrk(diag->message, "\n\r\033"));
   ++*(unsigned *)user;
}

static hd_shader *
parse(const hd_config *config, const char *text)
{
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config, "t", text, strlen(text), &shader), HD_OK);
   return shader;
}

static const char small[] =
    "shader compute \"t\" {\n  workgroup 64 1 1\n  function @main {\n    b0:\n"
    "      %0:32 = const 0\n"
    "      store_buffer %0, %0, %0 align_mul=4\n  }\n}\n";

/* Each is refused, and with a message each. */
static void
test_targets(void **state)
{
   (void)state;
   static const unsigned wrong[] = { HD_GCN_NUM_GENS, HD_GCN_NUM_GENS + 1, 1000, UINT32_MAX };
   static const uint32_t words[] = { 0xbf810000 };
   unsigned heard = 0, told = 0;
   const hd_config config = { .diag = { &heard, hear } };
   hd_shader *shader = parse(&config, small);

   for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
      const hd_gcn_gen gen = (hd_gcn_gen)wrong[n];
      const hd_gcn_options options = { .target = gen };
      const hd_gcn_sim_launch launch = { .target = gen, .code = words, .code_words = 1 };
      hd_gcn_sim_code *decoded = NULL;
      hd_gcn_binary *binary = NULL;
      hd_blob text = { 0 };

      assert_int_equal(hd_gcn_disassemble(&config, gen, NULL, words, 4, &text, NULL), HD_INVALID);
      assert_int_equal(hd_gcn_disassemble(NULL, gen, NULL, words, 4, &text, NULL), HD_INVALID);
      assert_int_equal(hd_gcn_assemble(&config, gen, "t", "s_endpgm", 8, &text), HD_INVALID);
      assert_int_equal(hd_gcn_sim_code_create(&config, gen, words, 1, &decoded), HD_INVALID);
      assert_int_equal(hd_gcn_sim_run(&config, &launch, NULL), HD_BAD_LAUNCH);
      assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_INVALID);
      assert_string_equal(hd_gcn_gen_name(gen), "?");
      assert_null(binary);
      assert_null(decoded);
      assert_int_equal(text.size, 0);
      assert_int_equal(heard - told, 5);
      told = heard;
   }
   hd_shader_destroy(shader);
}

static void
test_counts_of_compiling(void **state)
{
   (void)state;
   unsigned heard = 0;
   const hd_config config = { .diag = { &heard, hear } };
   hd_shader *shader = parse(&config, small);
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;

   assert_int_equal(hd_gcn_sim_abi_create(shader, NULL, &abi), HD_OK);
   hd_gcn_driver_abi broken = *abi;
   broken.bindings = NULL;
   const hd_gcn_options options = { .abi = HD_GCN_ABI_DRIVER, .driver = &broken };
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_INVALID);
   assert_int_equal(heard, 1);
   assert_null(binary);
   /* Registers past what there are, and no interface at all. */
   broken = *abi;
   broken.num_user_sgprs = 200;
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_INVALID);
   const hd_gcn_options none = { .abi = HD_GCN_ABI_DRIVER };
   assert_int_equal(hd_gcn_compile(shader, &none, &binary), HD_INVALID);
   assert_int_equal(heard, 3);
   assert_int_equal(hd_run_passes(shader, NULL, 3, NULL, NULL), HD_INVALID);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
}

static void
test_counts_of_launches(void **state)
{
   (void)state;
   unsigned heard = 0;
   const hd_config config = { .diag = { &heard, hear } };
   hd_shader *shader = parse(&config, small);
   const hd_wave_launch launches[] = {
      { .num_buffers = 1 }, { .num_regions = 1 }, { .num_images = 1 },
      { .num_given = 1 },   { .num_params = 1 },  { .num_helpers = 1 },
   };
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;

   assert_int_equal(hd_gcn_sim_abi_create(shader, NULL, &abi), HD_OK);
   const hd_gcn_options options = { .abi = HD_GCN_ABI_DRIVER,
                                    .driver = abi,
                                    .full_subgroups = true };
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_OK);
   for (size_t n = 0; n < sizeof(launches) / sizeof(launches[0]); n++) {
      hd_gcn_driver_abi *other = NULL;
      unsigned before = heard;

      assert_int_equal(hd_wave_run(shader, &launches[n], NULL), HD_BAD_LAUNCH);
      assert_int_equal(heard, before + 1);
      assert_int_not_equal(hd_gcn_sim_run_wave(binary, abi, shader, &launches[n], NULL, NULL),
                           HD_OK);
      assert_int_equal(heard, before + 2);
      assert_int_equal(hd_gcn_sim_abi_create(shader, &launches[n], &other), HD_OK);
      hd_gcn_sim_abi_destroy(shader, other);
   }
   const hd_gcn_sim_launch regions = { .code = binary->code,
                                       .code_words = binary->code_words,
                                       .num_regions = 2 };
   const hd_gcn_sim_launch code = { .code_words = 5 };
   assert_int_equal(hd_gcn_sim_run(&config, &regions, NULL), HD_BAD_LAUNCH);
   assert_int_equal(hd_gcn_sim_run(&config, &code, NULL), HD_BAD_LAUNCH);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
}

/* Valid, with nothing to run: who would run or compile it says that it cannot. */
static void
test_no_function(void **state)
{
   (void)state;
   unsigned heard = 0;
   const hd_config config = { .diag = { &heard, hear } };
   hd_shader *shader = parse(&config, "shader compute \"t\" {\n  workgroup 1 1 1\n}\n");
   const hd_wave_launch launch = { 0 };
   const hd_gcn_options options = { 0 };
   hd_gcn_binary *binary = NULL;

   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   assert_int_equal(heard, 0);
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_UNSUPPORTED);
   assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_UNSUPPORTED);
   assert_int_equal(heard, 2);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_targets),
      cmocka_unit_test(test_counts_of_compiling),
      cmocka_unit_test(test_counts_of_launches),
      cmocka_unit_test(test_no_function),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
