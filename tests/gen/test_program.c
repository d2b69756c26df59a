/* SPDX-License-Identifier: MIT */
/* test_program.c - random programs are what random_program.h says: valid, they end, they do nothing
 * that no program may, neither the scheduler nor the order of blocks that no way connects changes
 * what they do, and they have everything.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build_ops.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/compare.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/text.h"

#include "gen/vocabulary.h"
#include "random_program.h"
#include "util/digest.h"

#define NUM_SEEDS 400

/* How often each thing is in the programs. */
static struct {
   unsigned op[HD_NUM_OPS], op_size[HD_NUM_OPS][65], intrinsic[HD_NUM_INTRINSICS];
   unsigned kind[HD_NUM_INSTR_KINDS], jump[HD_NUM_JUMP_KINDS];
   unsigned trees, graphs, ifs, loops, irreducible, declared;
   unsigned undef_phis, constant_ifs, turned;
   uint64_t instructions, run, lane_ops;
} seen;

static void
fail_with(hd_shader *shader, hd_diff_test *trial, uint64_t seed, const char *what)
{
   hd_blob text = { 0 };

   hd_print_shader(shader, NULL, &text);
   fprintf(stderr, "seed %llu: %s\n%s", (unsigned long long)seed, what, text.data);
   hd_blob_finish(&text);
   hd_diff_test_destroy(trial);
   hd_shader_destroy(shader);
   fail();
}

static void
count_instr(const hd_instr *i, uint64_t seed)
{
   /* Programs of other seeds stay as they are when the tables grow. */
   if (seed % 8) {
      assert_true(i->kind != HD_INSTR_ALU || is_listed_op((hd_op)i->op));
      assert_true(i->kind != HD_INSTR_INTRINSIC || is_listed_intrinsic((hd_intrinsic_id)i->op));
   }
   seen.instructions++;
   seen.kind[i->kind]++;
   if (i->kind == HD_INSTR_ALU) {
      const hd_op_info *info = hd_op_get_info((hd_op)i->op);
      seen.op[i->op]++;
      /* The size is that of the first operand; a conversion has it free of the result's. */
      seen.op_size[i->op][hd_instr_src(i, info->flags & HD_OP_VARIADIC
                                              ? 0
                                              : info->num_srcs > 1 && info->src[0].sizes == 1)
                              ->def->bit_size]++;
   } else if (i->kind == HD_INSTR_INTRINSIC) {
      seen.intrinsic[i->op]++;
   } else if (i->kind == HD_INSTR_JUMP) {
      seen.jump[i->op]++;
   } else if (i->kind == HD_INSTR_PHI) {
      hd_foreach_src(src, i)
         seen.undef_phis += hd_def_instr(src->def)->kind == HD_INSTR_UNDEF;
   }
}

static void
count(hd_shader *shader, uint64_t seed)
{
   hd_foreach_function(f, shader) {
      seen.trees += f->structured;
      seen.graphs += !f->structured;
      hd_foreach_node(n, f) {
         const hd_if *nif = hd_node_as_if(n);
         seen.ifs += nif != NULL;
         seen.constant_ifs += nif && hd_src_as_const(&nif->cond);
         seen.loops += hd_node_as_loop(n) != NULL;
      }
      hd_foreach_block(b, f) {
         seen.declared += b->loop_header || b->continues || b->node.header;
         hd_foreach_instr(i, b)
            count_instr(i, seed);
      }
      assert_int_equal(hd_require(f, HD_META_CYCLES), HD_OK);
      for (uint32_t n = 0; n < hd_function_num_cycles(f); n++)
         seen.irreducible += hd_function_cycle(f, n)->has_other_entries;
   }
}

/* The targets trade places, and each keeps what its phis take from here. */
static void
turn_branch(hd_block *block)
{
   hd_block *targets[2] = { block->succs[1].to, block->succs[0].to };
   hd_def *sources[2][64], *cond = hd_block_jump(block)->src[0].def;
   hd_builder b = hd_builder_at(hd_before_instr(&hd_block_jump(block)->instr));
   hd_def *opposite = hd_inot(&b, cond);

   for (unsigned n = 0; n < 2; n++) {
      unsigned num = 0;
      hd_foreach_phi(phi, targets[n]) {
         assert_true(num < 64);
         sources[n][num++] = hd_phi_src_from(phi, block)->def;
      }
   }
   hd_flat_clear_jump(block);
   assert_non_null(hd_flat_goto_if(block, opposite, targets[0], targets[1]));
   for (unsigned n = 0; n < 2; n++) {
      unsigned num = 0;
      hd_foreach_phi(phi, targets[n])
         hd_phi_set_src(phi, block, sources[n][num++]);
   }
}

/* Each branch of flat functions asks the opposite and has its targets the other way round. */
static unsigned
turn_branches(hd_shader *shader)
{
   unsigned num = 0;

   hd_foreach_function(f, shader) {
      if (f->structured)
         continue;
      assert_int_equal(hd_declare_loops(f), HD_OK);
      hd_foreach_block(b, f) {
         if (hd_block_jump(b)->instr.op == HD_JUMP_GOTO_IF) {
            turn_branch(b);
            num++;
         }
      }
   }
   return num;
}

static void
check_program(uint64_t seed)
{
   const program_options options = { .size = 8 + seed % 40 };
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = random_program(&config, seed, &options);
   hd_diff_test *trial;
   const char *why;
   const hd_diag_sink sink = hd_diag_to_file(stderr);

   assert_non_null(shader);
   if (hd_validate(shader, NULL) != HD_OK)
      fail_with(shader, NULL, seed, "not valid");
   const hd_diff_test_options in_turns = { .seed = seed, .schedule = seed * 7 + 1 };
   assert_int_equal(hd_diff_test_create(shader, &in_turns, &trial), HD_OK);
   if (hd_diff_test_num_runs(trial, &why) != HD_DIFF_TEST_KINDS)
      fail_with(shader, trial, seed, why);
   seen.run += hd_diff_test_stats(trial).instructions;
   seen.lane_ops += hd_diff_test_stats(trial).lane_ops;
   if (hd_diff_test_compare(trial, shader, &sink, NULL) != HD_OK)
      fail_with(shader, trial, seed, "a race");
   /* Nor may what a pass can do to a graph be seen, as long as every block keeps its lanes. */
   hd_shader *turned;
   assert_int_equal(hd_shader_clone(shader, &config, &turned), HD_OK);
   seen.turned += turn_branches(turned);
   if (hd_diff_test_compare(trial, turned, &sink, NULL) != HD_OK)
      fail_with(shader, trial, seed, "it depends on the order of blocks that no way connects");
   hd_shader_destroy(turned);
   hd_diff_test_destroy(trial);
   count(shader, seed);
   hd_shader_destroy(shader);
}

static void
test_programs(void **unused)
{
   const char *only = getenv("SEED");

   (void)unused;
   if (only) {
      check_program(strtoull(only, NULL, 0));
      return;
   }
   for (uint64_t seed = 1; seed <= NUM_SEEDS; seed++)
      check_program(seed);
}

/* Whatever the options, and whatever the tables have got since the vocabulary was listed. */
static void
test_options(void **unused)
{
   static const program_options all[] = {
      { .size = 60, .compute = true },
      { .no_flat = true },
      { .no_structured = true },
      { .one_function = true },
      { .no_lanes = true },
      { .whole_dwords = true },
      { .no_images = true },
      { .machine_images = true },
      { .no_shared_floats = true },
      { .compute = true },
   };
   const hd_config config = { .diag = hd_diag_to_file(stderr) };

   (void)unused;
   for (uint64_t seed = 0; seed < 8 * NUM_SEEDS / 2; seed += 8) {
      for (size_t n = 0; n < sizeof(all) / sizeof(all[0]); n++) {
         hd_shader *shader = random_program(&config, seed, &all[n]);
         if (!shader)
            fail_msg("seed %llu, options %zu: no program", (unsigned long long)seed, n);
         assert_int_equal(hd_validate(shader, NULL), HD_OK);
         hd_shader_destroy(shader);
      }
   }
}

/* What no program may do: nothing orders the lane that ends and the barrier that the others come
 * to. As it stands it has ended by then; with its branch the other way round it has not.
 */
static void
test_open_order(void **unused)
{
   static const char text[] = "shader compute \"open\" {\nflat function @main {\nb0:\n"
                              "%zero:32 = const 0\n%lane:32 = local_invocation_index\n"
                              "%first:1 = ieq %lane, %zero\ngoto_if %first, b1, b2\nb1:\n"
                              "return\nb2:\nbarrier exec_scope=workgroup\nreturn\n}\n}\n";
   const hd_diff_test_options one_wave = { .num_launches = 1 };
   hd_shader *shader;
   hd_diff_test *trial;

   (void)unused;
   assert_int_equal(hd_parse(NULL, "open", text, strlen(text), &shader), HD_OK);
   assert_int_equal(hd_diff_test_create(shader, &one_wave, &trial), HD_OK);
   assert_int_equal(hd_diff_test_num_runs(trial, NULL), 1);
   assert_int_equal(turn_branches(shader), 1);
   assert_int_equal(hd_diff_test_compare(trial, shader, NULL, NULL), HD_INVALID);
   hd_diff_test_destroy(trial);
   hd_shader_destroy(shader);
}

/* The same seed makes the same program. */
static void
test_repeatable(void **unused)
{
   (void)unused;
   for (uint64_t seed = 1; seed <= 20; seed++) {
      hd_shader *a = random_program(NULL, seed, NULL), *b = random_program(NULL, seed, NULL);
      hd_blob x = { 0 }, y = { 0 };
      assert_int_equal(hd_print_shader(a, NULL, &x), HD_OK);
      assert_int_equal(hd_print_shader(b, NULL, &y), HD_OK);
      assert_string_equal(x.data, y.data);
      hd_blob_finish(&x);
      hd_blob_finish(&y);
      hd_shader_destroy(a);
      hd_shader_destroy(b);
   }
}

/* Intrinsics that the interpreter does not run, and what no two runs agree on. */
static bool
is_refused(hd_intrinsic_id id)
{
   const char *name = hd_intrinsic_get_info(id)->name;

   return !strncmp(name, "barycentric_at", 14) || !strcmp(name, "clock");
}

/* Seeds of failures, and what other tests expect of a seed, outlast a new op or intrinsic: most
 * programs draw from the list alone, whatever the tables have. Renew the digest when the generator
 * itself is changed.
 */
static void
test_new_rows(void **unused)
{
   static const uint8_t expected[HD_DIGEST_SIZE] = {
      0x5a, 0x7c, 0xba, 0xbb, 0xb1, 0x80, 0xe5, 0x9a, 0x7f, 0x31, 0x06, 0xf4, 0x60, 0x11, 0xc7, 0x89
   };
   uint8_t found[HD_DIGEST_SIZE];
   hd_digest digest;

   (void)unused;
   hd_digest_init(&digest, 0, 0);
   for (uint64_t seed = 1; seed < 64; seed++) {
      if (seed % 8 == 0)
         continue;
      hd_shader *shader = random_program(NULL, seed, NULL);
      hd_blob text = { 0 };
      assert_non_null(shader);
      assert_int_equal(hd_print_shader(shader, NULL, &text), HD_OK);
      hd_digest_add(&digest, text.data, text.size);
      hd_blob_finish(&text);
      hd_shader_destroy(shader);
   }
   hd_digest_finish(&digest, found);
   if (memcmp(found, expected, sizeof(found)) != 0) {
      for (unsigned n = 0; n < sizeof(found); n++)
         fprintf(stderr, "0x%02x, ", found[n]);
      fail_msg("programs of seeds below 64 are not what they were");
   }
}

static void
test_cover(void **unused)
{
   unsigned ops = 0, sizes = 0, op_sizes = 0, intrinsics = 0, wanted = 0;

   (void)unused;
   if (getenv("SEED"))
      return;
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      const hd_type_info *type = &info->src[info->num_srcs > 1 && info->src[0].sizes == 1];
      ops += seen.op[op] != 0;
      if (!seen.op[op])
         printf("no %s\n", info->name);
      for (unsigned size = 1; size <= 64; size = size == 1 ? 8 : 2 * size) {
         sizes += (type->sizes & size) != 0;
         op_sizes += (type->sizes & size) && seen.op_size[op][size];
      }
   }
   for (unsigned id = 1; id < HD_NUM_INTRINSICS; id++) {
      if (is_refused((hd_intrinsic_id)id))
         continue;
      wanted++;
      intrinsics += seen.intrinsic[id] != 0;
      if (!seen.intrinsic[id])
         printf("no %s\n", hd_intrinsic_get_info((hd_intrinsic_id)id)->name);
   }
   printf("%u of %u ops, %u of %u ops and sizes, %u of %u intrinsics\n", ops, HD_NUM_OPS - 1,
          op_sizes, sizes, intrinsics, wanted);
   printf("%u trees with %u ifs (%u constant) and %u loops; %u graphs, %u irreducible cycles, %u "
          "declarations, %u branches turned round; %u undef sources of phis\n",
          seen.trees, seen.ifs, seen.constant_ifs, seen.loops, seen.graphs, seen.irreducible,
          seen.declared, seen.turned, seen.undef_phis);
   printf("%llu instructions, %llu run, %llu for lanes\n", (unsigned long long)seen.instructions,
          (unsigned long long)seen.run, (unsigned long long)seen.lane_ops);
   assert_int_equal(ops, HD_NUM_OPS - 1);
   assert_true(op_sizes * 100 >= sizes * 95);
   assert_true(intrinsics * 100 >= wanted * 97);
   for (unsigned n = 0; n < HD_NUM_INSTR_KINDS; n++)
      assert_true(seen.kind[n] > 50);
   for (unsigned n = 0; n < HD_NUM_JUMP_KINDS; n++)
      assert_true(seen.jump[n] > 20);
   assert_true(seen.irreducible > 20 && seen.declared > 50 && seen.loops > 100 && seen.ifs > 300);
   assert_true(seen.turned > 500);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_repeatable), cmocka_unit_test(test_new_rows),
      cmocka_unit_test(test_open_order), cmocka_unit_test(test_programs),
      cmocka_unit_test(test_options),    cmocka_unit_test(test_cover),
   };

   return cmocka_run_group_tests_name("gen/program", tests, NULL, NULL);
}
