/* SPDX-License-Identifier: MIT */
/* Interned strings, names and locations against lists that are searched from end to end. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/edit.h"
#include "ir/private.h"

static uint64_t
random_next(uint64_t *state)
{
   *state = *state * 6364136223846793005u + 1442695040888963407u;
   return *state >> 33;
}

static void
equal_strings_are_one(void **state)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, "t");
   const char *kept[3000];
   char text[32];

   (void)state;
   for (unsigned n = 0; n < 3000; n++) {
      int length = snprintf(text, sizeof(text), "name %u", n);
      kept[n] = hd_shader_intern(s, text, (size_t)length);
      assert_string_equal(kept[n], text);
      assert_ptr_not_equal(kept[n], text);
   }
   for (unsigned n = 0; n < 3000; n++) {
      int length = snprintf(text, sizeof(text), "name %u and more", n);
      assert_ptr_equal(hd_shader_intern(s, text, (size_t)length - 9), kept[n]);
   }
   /* A string ends at its first 0; the empty one is a string too. */
   assert_ptr_equal(hd_shader_intern(s, "name 7\0x", 8), kept[7]);
   assert_string_equal(hd_shader_intern(s, "", 0), "");
   assert_ptr_equal(hd_shader_intern(s, "\0abc", 4), hd_shader_intern(s, "", 0));
   assert_ptr_not_equal(hd_shader_intern(s, "name", 4), hd_shader_intern(s, "nam", 3));
   hd_shader_destroy(s);
}

#define NUM_VALUES 500

/* Setting, changing and removing in any order: what has a name has the one that it was given last.
 */
static void
names_come_and_go(void **state)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, "t");
   hd_function *f = hd_function_create(s, "f", false);
   hd_def *defs[NUM_VALUES];
   hd_block *blocks[NUM_VALUES];
   int def_names[NUM_VALUES], block_names[NUM_VALUES];
   uint64_t seed = 5;
   char text[32];

   (void)state;
   for (unsigned n = 0; n < NUM_VALUES; n++) {
      defs[n] = hd_function_add_param(f, 1, 32);
      blocks[n] = hd_flat_block_create(f);
      def_names[n] = block_names[n] = -1;
   }
   for (unsigned step = 0; step < 30000; step++) {
      unsigned n = (unsigned)(random_next(&seed) % NUM_VALUES);
      int name = (int)(random_next(&seed) % 40) - (step < 15000 ? 10 : 30);
      snprintf(text, sizeof(text), "%d", name);
      if (random_next(&seed) % 2) {
         def_names[n] = name < 0 ? -1 : name;
         assert_true(hd_def_set_name(f, defs[n], name < 0 ? NULL : text));
      } else {
         block_names[n] = name < 0 ? -1 : name;
         assert_true(hd_block_set_name(f, blocks[n], name < 0 ? NULL : text));
      }
      if (step % 500)
         continue;
      for (unsigned k = 0; k < NUM_VALUES; k++) {
         const char *def_name = hd_def_name(f, defs[k]), *block_name = hd_block_name(f, blocks[k]);
         assert_int_equal(def_name ? atoi(def_name) : -1, def_names[k]);
         assert_int_equal(block_name ? atoi(block_name) : -1, block_names[k]);
      }
   }
   hd_shader_destroy(s);
}

/* An instruction that is freed takes its name along: the next one at its address has none. */
static void
names_go_with_their_values(void **state)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, "t");
   hd_function *f = hd_function_create(s, "f", true);

   (void)state;
   for (unsigned n = 0; n < 1000; n++) {
      hd_instr *i = hd_undef_create(s, 1, 32);
      hd_instr_insert(hd_after_block(hd_function_start(f)), i);
      assert_null(hd_def_name(f, &i->def));
      assert_true(hd_def_set_name(f, &i->def, "u"));
      assert_string_equal(hd_def_name(f, &i->def), "u");
      hd_instr_remove(i);
   }
   hd_shader_destroy(s);
}

static void
locations_are_kept_once(void **state)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, "t");
   static const char *const files[] = { "a", "b", "" };
   uint32_t ids[3][20][20], next = 1;

   (void)state;
   assert_int_equal(s->num_locations, 1);
   assert_null(s->locations[0].file);
   for (unsigned again = 0; again < 2; again++) {
      for (unsigned k = 0; k < 3; k++) {
         for (uint32_t line = 0; line < 20; line++) {
            for (uint32_t column = 0; column < 20; column++) {
               uint32_t id = hd_shader_location(s, files[k], line, column);
               if (!again) {
                  assert_int_equal(id, next);
                  next++;
                  ids[k][line][column] = id;
               }
               assert_int_equal(id, ids[k][line][column]);
               assert_string_equal(s->locations[id].file, files[k]);
               assert_int_equal(s->locations[id].line, line);
               assert_int_equal(s->locations[id].column, column);
            }
         }
      }
   }
   assert_int_equal(s->num_locations, next);
   hd_shader_destroy(s);
}

/* hd_instr.loc has 24 bits: when they are used up, what is new has no location, what is known has.
 */
static void
locations_run_out(void **state)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, "t");

   (void)state;
   assert_int_equal(hd_shader_location(s, "f", 77, 0), 1);
   /* As if all had been given out: making 16 million takes too long for a test. */
   uint32_t num = s->num_locations, capacity = s->memory->locations_capacity;
   s->num_locations = s->memory->locations_capacity = 1u << 24;
   assert_int_equal(hd_shader_location(s, "f", 78, 0), 0);
   assert_int_equal(hd_shader_location(s, "f", 77, 0), 1);
   assert_int_equal(s->num_locations, 1u << 24);
   assert_int_equal(hd_shader_status(s), HD_OK);
   s->num_locations = num;
   s->memory->locations_capacity = capacity;
   assert_int_equal(hd_shader_location(s, "f", 78, 0), 2);
   hd_shader_destroy(s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_strings_are_one),      cmocka_unit_test(names_come_and_go),
      cmocka_unit_test(names_go_with_their_values), cmocka_unit_test(locations_are_kept_once),
      cmocka_unit_test(locations_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
