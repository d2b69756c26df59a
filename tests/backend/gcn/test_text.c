/* SPDX-License-Identifier: MIT */
/* test_text.c - machine code as text: between all phases, at the end, and from any bytes; what the
 * assembler says of bad text.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_asm.h"
#include "heddle/gcn_sim.h"

#include "backend/gcn/asm/parse.h"
#include "backend/gcn/output.h"
#include "gen/random_program.h"

#define NUM_PROGRAMS 60
#define NUM_BYTES    60000u

static void
hear(void *user, const hd_diag *diag)
{
   hd_blob *out = user;

   hd_blob_printf(out, "%u:%u: %s\n", diag->line, diag->column, diag->message);
}

/* What is printed after each phase is read, and printed as the same text again. */

struct phases {
   const char *name;
   unsigned seen, failed;
};

static void
read_back(void *user, const char *phase, const char *text)
{
   struct phases *state = user;
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   hd_gcn_program gcn = { .mach = { .stack = &stack } };
   hd_blob heard = { 0 }, again = { 0 };
   const hd_config config = { .diag = { &heard, hear } };

   hd_heap_init(&heap, NULL);
   hd_stack_init(&stack, &heap);
   state->seen++;
   bool read = false;
   if (HD_TRY(&heap, &u))
      read = hd_gcn_program_parse(&gcn.mach, &config, "text", text, strlen(text));
   assert_int_equal(hd_heap_leave(&heap, &u), HD_OK);
   if (read)
      hd_gcn_program_print(&gcn.mach, &again);
   if (!read || strcmp(text, again.data) != 0) {
      size_t n = 0;
      while (read && text[n] == again.data[n])
         n++;
      while (read && n > 0 && text[n - 1] != '\n')
         n--;
      if (!state->failed++)
         fprintf(stderr, "after %s:\n%.300s\n%.200s\n%.200s\n", phase, heard.data ? heard.data : "",
                 read ? text + n : "", read ? again.data + n : "");
   }
   hd_blob_finish(&heard);
   hd_blob_finish(&again);
   hd_stack_finish(&stack);
}

/* The text of the whole makes its bytes; the bytes' text, too. */
static void
check_bytes(hd_gcn_gen gen, const void *code, size_t size, const char *text)
{
   hd_blob assembled = { 0 }, listing = { 0 }, again = { 0 }, heard = { 0 };
   const hd_config config = { .diag = { &heard, hear } };

   if (text && hd_gcn_assemble(&config, gen, "text", text, strlen(text), &assembled) != HD_OK)
      fail_msg("%s", heard.data);
   if (text && assembled.size != size) {
      hd_gcn_disassemble_options words = { .words = true };
      hd_blob other = { 0 };
      (void)hd_gcn_disassemble(NULL, gen, &words, code, size, &other, NULL);
      fail_msg("%s\nbut the bytes are\n%s", text, other.data);
   }
   if (text) {
      assert_int_equal(assembled.size, size);
      assert_memory_equal(assembled.data, code, size);
   }
   assert_int_equal(hd_gcn_disassemble(NULL, gen, NULL, code, size, &listing, NULL), HD_OK);
   if (hd_gcn_assemble(&config, gen, "listing", listing.data, listing.size, &again) != HD_OK)
      fail_msg("%s", heard.data);
   assert_int_equal(again.size, size);
   assert_memory_equal(again.data, code, size);
   hd_blob_finish(&assembled);
   hd_blob_finish(&listing);
   hd_blob_finish(&again);
   hd_blob_finish(&heard);
}

static void
test_programs(void **fixture)
{
   struct phases state = { 0 };
   unsigned compiled = 0;

   (void)fixture;
   for (uint64_t seed = 0; seed < NUM_PROGRAMS; seed++) {
      const program_options program = { .size = 6 + seed % 30, .compute = true, .no_images = true };
      hd_shader *shader = random_program(NULL, seed, &program);
      hd_gcn_driver_abi *abi;
      hd_gcn_binary *binary = NULL;
      assert_non_null(shader);
      assert_int_equal(hd_gcn_sim_abi_create(shader, NULL, &abi), HD_OK);
      const hd_gcn_options options = {
         .target = (hd_gcn_gen)(seed % HD_GCN_NUM_GENS),
         .abi = HD_GCN_ABI_DRIVER,
         .driver = abi,
         .lowering = seed / 3 % 2 ? HD_GCN_LOWERING_RECONVERGING : HD_GCN_LOWERING_TREE,
         .max_sgprs = seed / 6 % 2 ? 40 : 0,
         .max_vgprs = seed / 6 % 2 ? 20 : 0,
         .keep_text = true,
         .user = &state,
         .after_phase = read_back,
      };
      if (hd_gcn_compile(shader, &options, &binary) == HD_OK) {
         compiled++;
         check_bytes(options.target, binary->code, 4 * (size_t)binary->code_words, binary->text);
      }
      hd_gcn_binary_destroy(binary);
      hd_gcn_sim_abi_destroy(shader, abi);
      hd_shader_destroy(shader);
   }
   printf("# %u texts of phases, %u programs\n", state.seen, compiled);
   assert_int_equal(state.failed, 0);
   assert_true(state.seen >= 5 * NUM_PROGRAMS && compiled > NUM_PROGRAMS / 2);
}

/* Random words --------------------------------------------------------------------------------*/

static uint64_t random_state;

static uint32_t
random_word(void)
{
   random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(random_state >> 32);
}

/* Mostly instructions: the first word of one, with few bits changed, and small operands. */
static uint32_t
likely_word(hd_gcn_gen gen)
{
   static const uint32_t heads[] = { 0x80000000, 0xb0000000, 0xbe800000, 0xbf000000, 0xbf800000,
                                     0xc0000000, 0x00000000, 0x7c000000, 0x7e000000, 0xd0000000,
                                     0xd2000000, 0xd3800000, 0xd8000000, 0xdc000000, 0xe0000000 };
   uint32_t word = random_word();

   (void)gen;
   if (word & 7)
      word =
          heads[random_word() % (sizeof(heads) / sizeof(heads[0]))] | (random_word() & 0x03ffffff);
   return word;
}

static void
test_random_words(void **fixture)
{
   unsigned long decoded = 0;
   const char *seed = getenv("HD_TEST_SEED");

   (void)fixture;
   random_state = seed ? strtoull(seed, NULL, 0) : 7;
   printf("# HD_TEST_SEED=%llu\n", (unsigned long long)random_state);
   for (unsigned n = 0; n < 600000; n++) {
      hd_gcn_gen gen = (hd_gcn_gen)(n % HD_GCN_NUM_GENS);
      uint32_t words[3] = { likely_word(gen), random_word(), random_word() }, again[5];
      const char *why = "";
      hd_gcn_decoded d;
      /* Operands beyond these are rare. */
      if (n & 8)
         words[1] &= 0x1f1f1f1f;
      unsigned num = hd_gcn_decode(gen, words, 3, &d);
      if (!num)
         continue;
      decoded++;
      unsigned same = hd_gcn_encode(gen, &d.inst, again, &why);
      if (same != num || memcmp(words, again, num * sizeof(words[0])) != 0)
         fail_msg("%s: %08x %08x %08x decodes to something else: %s", hd_gcn_gen_name(gen),
                  words[0], words[1], words[2], why);
   }
   printf("# %lu of 600000 are instructions\n", decoded);
   assert_true(decoded > 50000);
}

static void
test_random_bytes(void **fixture)
{
   uint32_t *words = malloc(NUM_BYTES);

   (void)fixture;
   assert_non_null(words);
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      for (unsigned n = 0; n < NUM_BYTES / 4; n++)
         words[n] = likely_word((hd_gcn_gen)gen);
      check_bytes((hd_gcn_gen)gen, words, NUM_BYTES - gen, NULL);
   }
   free(words);
}

/* Messages -------------------------------------------------------------------------------------*/

static const struct {
   const char *text, *messages;
} bad_texts[] = {
   { "v_add_f33 v0, v1, v2", "1:1: expected an instruction\n" },
   { "v_add3_u32 v0, v1, v2, v3", "1:1: gfx803 does not have this instruction\n" },
   { "v_add_f32 v0, v1", "1:1: expected 3 operands, not 2\n" },
   { "\n  v_add_f32 v0, v256, v2 ; why", "2:17: gfx803 has no such register\n" },
   { "v_add_f32 v0, s1, s2",
     "1:1: two scalar operands on the constant bus, expected at most one\n" },
   { "v_add_f32_e32 v0, v1, s2", "1:23: a scalar register where a vector one must be\n" },
   { "v_add_f32 v0, v1, v2 mul:3", "1:22: expected mul:2, mul:4 or div:2, once\n" },
   { "v_add_f32 v0, v1, v2 glc", "1:1: a modifier that the instruction does not have\n" },
   { "v_and_b32 v0, -v1, v2", "1:1: neg and abs are for sources that are floats\n" },
   { "v_mov_b32 v0, 0x123456789", "1:15: the operand cannot be this constant\n" },
   { "v_add_f16 v0, 0x12345, v1", "1:15: the operand cannot be this constant\n" },
   { "s_mov_b64 s[1:2], 0", "1:11: invalid or misaligned scalar registers\n" },
   { "s_mov_b64 s0, 0", "1:11: an operand has the wrong size\n" },
   { "s_add_u32 s0, 0x1234, 0x1235", "1:1: two different literals, expected at most one\n" },
   { "s_waitcnt vmcnt(16)", "1:17: expected a number from 0 to 15\n" },
   { "s_waitcnt vmcnt(0) vmcnt(1)", "1:20: expected vmcnt, expcnt or lgkmcnt, each once\n" },
   { "s_getreg_b32 s0, hwreg(HW_REG_TBA_LO)", "1:24: expected a hardware register of gfx803\n" },
   { "s_branch nowhere", "1:10: expected a label of this text\n" },
   { "a: a: s_nop 0", "1:4: the label is defined twice\n" },
   { ".byte 1\ns_nop 0", "2:1: an instruction must stand at a multiple of 4 bytes\n" },
   { ".long 0x100000000", "1:7: expected a number from -2147483648 to 4294967295\n" },
   { ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"", "1:17: the target is gfx803\n" },
   { ".section x", "1:1: unknown directive\n" },
   { "s_load_dword s0, s[2:3], -4", "1:1: an offset or number out of range\n" },
   { "ds_read2_b32 v[0:1], v2 offset:4", "1:1: the instruction takes offset0 and offset1\n" },
   { "ds_read_b32 v0, v1 offset0:4", "1:1: the instruction takes one offset\n" },
   { "ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,3)", "1:43: expected a power of two\n" },
   { "buffer_load_dword v0, v1, s[4:7], 0", "1:23: an operand has the wrong size\n" },
   { "v_mov_b32_dpp v0, v1", "1:1: expected a DPP control\n" },
   { "v_mov_b32_dpp v0, v1 row_shl:16", "1:22: no such DPP control\n" },
   { "v_mov_b32_sdwa v0, v1 dst_sel:BYTE_4", "1:31: expected BYTE_0, ... or DWORD\n" },
   { "v_bfe_u32_sdwa v0, v1, v2, v3", "1:1: the instruction has one form only\n" },
   { "s_nop 0 s_nop 0", "1:9: unknown modifier\n" },
   { "v_add_f32 v0, ||v1||, v2", "1:15: the same modifier twice\n" },
   { "s_nop 0x\nv_nop v0\n/* open\n s_nop 1",
     "1:7: expected a whole number\n2:7: unknown modifier\n" },
};

static void
test_messages(void **fixture)
{
   unsigned wrong = 0;

   (void)fixture;
   for (unsigned n = 0; n < sizeof(bad_texts) / sizeof(bad_texts[0]); n++) {
      hd_blob heard = { 0 }, code = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      hd_result result = hd_gcn_assemble(&config, HD_GCN_GFX803, "bad.s", bad_texts[n].text,
                                         strlen(bad_texts[n].text), &code);
      if (result != HD_INVALID || !heard.data || strcmp(heard.data, bad_texts[n].messages) != 0) {
         fprintf(stderr, "%s\n  wanted %s  heard %s", bad_texts[n].text, bad_texts[n].messages,
                 heard.data ? heard.data : "nothing\n");
         wrong++;
      }
      assert_int_equal(code.size, 0);
      hd_blob_finish(&heard);
      hd_blob_finish(&code);
   }
   assert_int_equal(wrong, 0);
}

/* A branch reaches 32768 words back, and no further. */
static void
test_far_labels(void **fixture)
{
   (void)fixture;
   for (unsigned more = 0; more < 2; more++) {
      hd_blob text = { 0 }, code = { 0 }, heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      hd_blob_printf(&text, "back:\n");
      for (unsigned n = 0; n < 32767 + more; n++)
         hd_blob_printf(&text, "s_nop 0\n");
      hd_blob_printf(&text, "s_branch back\n");
      hd_result result = hd_gcn_assemble(&config, HD_GCN_GFX900, NULL, text.data, text.size, &code);
      assert_int_equal(result, more ? HD_INVALID : HD_OK);
      if (more)
         assert_non_null(strstr(heard.data, "too far away"));
      hd_blob_finish(&text);
      hd_blob_finish(&code);
      hd_blob_finish(&heard);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs),     cmocka_unit_test(test_random_words),
      cmocka_unit_test(test_random_bytes), cmocka_unit_test(test_messages),
      cmocka_unit_test(test_far_labels),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
