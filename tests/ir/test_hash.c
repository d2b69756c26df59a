/* SPDX-License-Identifier: MIT */
/* The hash covers all that a shader means and nothing else. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/binary.h"
#include "heddle/clone.h"
#include "heddle/edit.h"
#include "heddle/ops.h"
#include "samples.h"
#include "util/digest.h"

static hd_hash
hash_of(const hd_shader *shader)
{
   hd_hash hash;

   assert_int_equal(hd_shader_hash(shader, &hash), HD_OK);
   return hash;
}

static bool
equal(hd_hash a, hd_hash b)
{
   return !memcmp(&a, &b, sizeof(a));
}

static hd_shader *
copy_of(const hd_shader *shader)
{
   hd_shader *copy = NULL;

   assert_int_equal(hd_shader_clone(shader, NULL, &copy), HD_OK);
   return copy;
}

/* Names and locations of everything, indices, the order of predecessors. */
static void
test_what_is_left_out(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_hash hash = hash_of(shader);

   sample_scramble(shader, 3);
   shader->name = hd_shader_intern(shader, "another", 7);
   hd_foreach_function(f, shader) {
      f->name = hd_shader_intern(shader, f->name, 1);
      hd_foreach_var(v, f)
         v->name = hd_shader_intern(shader, "renamed", 7);
      hd_foreach_node(n, f) {
         n->loc = hd_shader_location(shader, "elsewhere", 5, n->loc) & 0xffffff;
         if (n->kind != HD_CF_BLOCK)
            continue;
         hd_block *b = hd_node_as_block(n);
         assert_true(hd_block_set_name(f, b, b->node.named ? NULL : "block"));
         hd_foreach_instr(i, b) {
            i->loc = !i->loc;
            if (i->def.bit_size)
               assert_true(hd_def_set_name(f, &i->def, i->def.index & 1 ? NULL : "value"));
         }
      }
   }
   assert_true(equal(hash, hash_of(shader)));
   hd_shader_destroy(shader);
}

/* All hashes that were seen: no two may be the same. */
struct seen {
   hd_hash hashes[4096];
   unsigned num;
};

static void
assert_new(struct seen *seen, hd_shader *shader)
{
   hd_hash hash = hash_of(shader);

   for (unsigned n = 0; n < seen->num; n++)
      assert_false(equal(hash, seen->hashes[n]));
   assert_true(seen->num < 4096);
   seen->hashes[seen->num++] = hash;
}

static void
test_properties(void **state)
{
   (void)state;
   struct seen *seen = calloc(1, sizeof(*seen));
   hd_shader *shader = sample_features(NULL);
   uint32_t *fields[] = { &shader->workgroup_size[0], &shader->workgroup_size[1],
                          &shader->workgroup_size[2], &shader->subgroup_size,
                          &shader->float_controls,    &shader->shared_size,
                          &shader->scratch_size,      &shader->push_size,
                          &shader->kernarg_size };

   assert_new(seen, shader);
   shader->stage = HD_STAGE_FRAGMENT;
   assert_new(seen, shader);
   for (unsigned n = 0; n < sizeof(fields) / sizeof(fields[0]); n++) {
      ++*fields[n];
      assert_new(seen, shader);
      --*fields[n];
   }
   /* Swapped, where each alone is as before. */
   hd_shader_add_constants(shader, "", 1, 1);
   assert_new(seen, shader);
   *(uint8_t *)(uintptr_t)shader->constants ^= 1;
   assert_new(seen, shader);
   *(uint8_t *)(uintptr_t)shader->constants ^= 1;
   uint32_t x = shader->workgroup_size[0];
   shader->workgroup_size[0] = shader->workgroup_size[1];
   shader->workgroup_size[1] = x;
   assert_new(seen, shader);
   hd_shader_destroy(shader);
   free(seen);
}

/* Change one thing about an instruction; false when there is no such thing about it. */
static bool
change_instr(hd_instr *i, unsigned what)
{
   hd_def *first = &hd_function_start(hd_block_function(i->block))->first->def;

   switch (what) {
   case 0:
      i->flags ^= 1;
      return true;
   case 1:
      if (i->kind != HD_INSTR_ALU)
         return false;
      i->op++;
      return true;
   case 2:
      if (i->kind != HD_INSTR_CONST)
         return false;
      ((hd_const *)i)->value[0].u64 ^= 1;
      return true;
   case 3:
      if (i->kind != HD_INSTR_INTRINSIC || !hd_instr_intrinsic_info(i)->num_indices)
         return false;
      hd_intrinsic_indices((hd_intrinsic *)i)[0]++;
      return true;
   case 4:
      if (!i->def.bit_size || i->kind == HD_INSTR_CONST)
         return false;
      i->def.num_components ^= 16;
      return true;
   default:
      if (what - 5 >= hd_instr_num_srcs(i) || hd_instr_src(i, what - 5)->def == first)
         return false;
      hd_src_set_def(hd_instr_src(i, what - 5), first);
      return true;
   }
}

static hd_instr *
nth_instr(const hd_shader *shader, unsigned n)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (!n--)
               return i;
         }
      }
   }
   return NULL;
}

static void
test_instructions(void **state)
{
   (void)state;
   struct seen *seen = calloc(1, sizeof(*seen));
   hd_shader *shader = sample_features(NULL);

   assert_new(seen, shader);
   for (unsigned n = 0; nth_instr(shader, n); n++) {
      for (unsigned what = 0; what < 9; what++) {
         hd_shader *copy = copy_of(shader);
         if (change_instr(nth_instr(copy, n), what))
            assert_new(seen, copy);
         hd_shader_destroy(copy);
      }
   }
   assert_true(seen->num > 100);
   hd_shader_destroy(shader);
   free(seen);
}

static void
test_control_flow(void **state)
{
   (void)state;
   struct seen *seen = calloc(1, sizeof(*seen));
   hd_shader *shader = sample_features(NULL);
   hd_function *flat = shader->last_function;
   hd_block *b2 = hd_block_next(hd_block_next(hd_function_start(flat)));
   hd_block *b3 = hd_block_next(b2), *b4 = hd_block_next(b3);

   assert_new(seen, shader);
   b2->node.header = 0;
   assert_new(seen, shader);
   b3->loop_header = NULL;
   assert_new(seen, shader);
   b3->loop_header = b4;
   assert_new(seen, shader);
   b4->continues = NULL;
   assert_new(seen, shader);
   hd_jump *jump = hd_block_jump(b2);
   jump->cases[0].value++;
   assert_new(seen, shader);
   jump->cases[0].succ = jump->cases[1].succ;
   assert_new(seen, shader);

   hd_function *f = shader->first_function;
   hd_cf_range range;
   hd_loop *loop = hd_block_next_loop(hd_function_start(f));
   assert_true(hd_cf_extract_list(&range, &loop->continue_list));
   assert_true(hd_cf_delete(&range));
   assert_new(seen, shader);
   hd_insert_if(hd_before_block(hd_function_start(f)), &nth_instr(shader, 1)->def);
   assert_new(seen, shader);
   hd_foreach_var(v, flat) {
      v->array_length++;
      assert_new(seen, shader);
      v->bit_size = 16;
      assert_new(seen, shader);
   }
   hd_function_set_result(flat, 2, 16);
   assert_new(seen, shader);
   hd_function_create(shader, "more", true);
   assert_new(seen, shader);
   hd_shader_destroy(shader);
   free(seen);
}

/* Each input of the key, alone. */
static void
test_key(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_hash keys[10];
   unsigned num = 0;

   assert_int_equal(hd_cache_key(shader, "gfx900", NULL, 0, &keys[num++]), HD_OK);
   assert_int_equal(hd_cache_key(shader, "gfx90", NULL, 0, &keys[num++]), HD_OK);
   assert_int_equal(hd_cache_key(shader, "gfx90", "0", 1, &keys[num++]), HD_OK);
   assert_int_equal(hd_cache_key(shader, "gfx900", "0", 1, &keys[num++]), HD_OK);
   assert_int_equal(hd_cache_key(shader, "gfx900", "1", 1, &keys[num++]), HD_OK);
   assert_int_equal(hd_cache_key(shader, "", "1", 1, &keys[num++]), HD_OK);
   shader->name = hd_shader_intern(shader, "b", 1);
   assert_int_equal(hd_cache_key(shader, "gfx900", NULL, 0, &keys[num++]), HD_OK);
   shader->first_function->name = hd_shader_intern(shader, "kernel", 6);
   assert_int_equal(hd_cache_key(shader, "gfx900", NULL, 0, &keys[num++]), HD_OK);
   shader->shared_size++;
   assert_int_equal(hd_cache_key(shader, "gfx900", NULL, 0, &keys[num++]), HD_OK);
   /* What is lowered means nothing, but passes make something else of it. */
   hd_hash meaning, lowered;
   assert_int_equal(hd_shader_hash(shader, &meaning), HD_OK);
   shader->lowered ^= HD_LOWERED_BOOL;
   assert_int_equal(hd_shader_hash(shader, &lowered), HD_OK);
   assert_true(equal(meaning, lowered));
   assert_int_equal(hd_cache_key(shader, "gfx900", NULL, 0, &keys[num++]), HD_OK);
   for (unsigned n = 0; n < num; n++) {
      for (unsigned m = 0; m < n; m++)
         assert_false(equal(keys[n], keys[m]));
   }

   /* What names and locations do not change. */
   hd_hash again;
   shader->first_function->body.first->loc = 1;
   sample_scramble(shader, 9);
   assert_int_equal(hd_cache_key(shader, "gfx900", NULL, 0, &again), HD_OK);
   assert_true(equal(keys[num - 1], again));
   hd_shader_destroy(shader);
}

static void
test_build_id(void **state)
{
   (void)state;
   const char *id = hd_build_id();

   assert_int_equal(strlen(id), 40);
   assert_int_equal(strspn(id, "0123456789abcdef"), 40);
}

/* The test vectors of SipHash-2-4 with 128 bits: key 00 .. 0f, the input 00 01 02 ... */
static void
test_digest(void **state)
{
   (void)state;
   static const uint8_t want[3][HD_DIGEST_SIZE] = {
      { 0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02,
        0x93 },
      { 0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc,
        0x45 },
      { 0x81, 0x77, 0x22, 0x8d, 0xa4, 0xa4, 0x5d, 0xc7, 0xfc, 0xa3, 0x8b, 0xde, 0xf6, 0x0a, 0xff,
        0xe4 },
   };
   uint8_t input[64], out[HD_DIGEST_SIZE];
   hd_digest d;

   for (unsigned n = 0; n < 64; n++)
      input[n] = (uint8_t)n;
   for (unsigned n = 0; n < 3; n++) {
      hd_digest_init(&d, UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908));
      hd_digest_add(&d, input, n);
      hd_digest_finish(&d, out);
      assert_memory_equal(out, want[n], sizeof(out));
   }
   /* In pieces of any size the same as at once. */
   for (unsigned size = 0; size <= 64; size++) {
      uint8_t whole[HD_DIGEST_SIZE];
      hd_digest_init(&d, 1, 2);
      hd_digest_add(&d, input, size);
      hd_digest_finish(&d, whole);
      for (unsigned piece = 1; piece < 20; piece++) {
         hd_digest_init(&d, 1, 2);
         for (unsigned at = 0; at < size; at += piece)
            hd_digest_add(&d, input + at, size - at < piece ? size - at : piece);
         hd_digest_finish(&d, out);
         assert_memory_equal(out, whole, sizeof(out));
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_left_out),
      cmocka_unit_test(test_properties),
      cmocka_unit_test(test_instructions),
      cmocka_unit_test(test_control_flow),
      cmocka_unit_test(test_key),
      cmocka_unit_test(test_build_id),
      cmocka_unit_test(test_digest),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
