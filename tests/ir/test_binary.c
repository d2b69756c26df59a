/* SPDX-License-Identifier: MIT */
/* The binary form: what is written comes back the same, and what is damaged does not come back. */
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/binary.h"
#include "heddle/check.h"
#include "heddle/edit.h"
#include "heddle/text.h"
#include "ir/binary_format.h"
#include "samples.h"
#include "support/forms.h"
#include "support/heard.h"

/* Write, read, print: the same text; write again: the same bytes. Takes the shader. */
static void
assert_round_trip(hd_shader *shader)
{
   hd_shader *copy = NULL;
   hd_blob text = text_of(shader), bytes = bytes_of(shader);

   assert_int_equal(hd_read_binary(NULL, "x.hdb", bytes.data, bytes.size, &copy), HD_OK);
   assert_sound(copy);
   hd_blob text_again = text_of(copy), bytes_again = bytes_of(copy);
   assert_string_equal(text.data, text_again.data);
   assert_same(&bytes, &bytes_again);
   hd_blob_finish(&text);
   hd_blob_finish(&bytes);
   hd_blob_finish(&text_again);
   hd_blob_finish(&bytes_again);
   hd_shader_destroy(shader);
   hd_shader_destroy(copy);
}

static void
test_features(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);

   assert_sound(shader);
   assert_round_trip(shader);
}

static hd_shader *
sample_of(uint64_t seed)
{
   return seed & 1 ? sample_tree(NULL, seed, 20 + seed % 500)
                   : sample_flat(NULL, seed, 1 + seed % 60);
}

static void
test_random(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 300; seed++)
      assert_round_trip(sample_of(seed));
}

/* Every text of the tests that parses: what people write by hand. */
static unsigned
round_trips_in(const char *folder)
{
   DIR *dir = opendir(folder);
   unsigned num = 0;

   assert_non_null(dir);
   for (const struct dirent *entry; (entry = readdir(dir));) {
      char path[512];
      static char text[1 << 16];
      hd_shader *shader = NULL;
      snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
      FILE *file = strstr(entry->d_name, ".hd") ? fopen(path, "rb") : NULL;
      if (!file)
         continue;
      size_t size = fread(text, 1, sizeof(text), file);
      fclose(file);
      if (hd_parse(NULL, path, text, size, &shader) != HD_OK)
         continue;
      assert_round_trip(shader);
      num++;
   }
   closedir(dir);
   return num;
}

static void
test_texts(void **state)
{
   (void)state;
   assert_true(round_trips_in("tests/text") >= 2);
   assert_true(round_trips_in("tests/passes") >= 2);
   assert_true(round_trips_in("tests/draw/inputs") >= 2);
}

/* An empty shader, an empty flat function, a name that is empty. */
static void
test_small(void **state)
{
   (void)state;
   assert_round_trip(hd_shader_create(NULL, HD_STAGE_FRAGMENT, NULL));
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_VERTEX, "");
   hd_function_create(shader, "", true);
   assert_round_trip(shader);
   shader = hd_shader_create(NULL, HD_STAGE_KERNEL, "k");
   hd_flat_return(hd_function_start(hd_function_create(shader, "k", false)), NULL);
   assert_round_trip(shader);
}

/* Bytes depend on neither indices nor the order of predecessors. */
static void
test_history(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 200; seed++) {
      hd_shader *shader = seed ? sample_of(seed) : sample_features(NULL);
      hd_blob before = bytes_of(shader);
      hd_hash hash, same;
      assert_int_equal(hd_shader_hash(shader, &hash), HD_OK);
      sample_scramble(shader, seed);
      assert_sound(shader);
      hd_blob after = bytes_of(shader);
      assert_same(&before, &after);
      assert_int_equal(hd_shader_hash(shader, &same), HD_OK);
      assert_memory_equal(&hash, &same, sizeof(hash));
      assert_round_trip(shader);
      hd_blob_finish(&before);
      hd_blob_finish(&after);
   }
}

/* Writing appends, and a refused shader appends nothing. */
static void
test_append(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob blob = { 0 };

   hd_blob_append(&blob, "before", 6);
   assert_int_equal(hd_write_binary(shader, &blob), HD_OK);
   assert_memory_equal(blob.data, "before", 6);
   assert_true(hd_is_binary(blob.data + 6, blob.size - 6));
   assert_false(hd_is_binary(blob.data, blob.size));
   assert_false(hd_is_binary(blob.data + 6, 3));
   hd_blob_finish(&blob);
   hd_shader_destroy(shader);
}

/* No recursion, and nothing that is worse than linear: these would take minutes. */
static void
test_extremes(void **state)
{
   (void)state;
   assert_round_trip(sample_wide(NULL, 20000));
   assert_round_trip(sample_deep(NULL, 10000));
   assert_round_trip(sample_tree(NULL, 1, 100000));
   assert_round_trip(sample_flat(NULL, 1, 20000));
}

/* What cannot be written is refused with a word about it, and the blob is as it was. */

static void
extract(hd_function *f)
{
   hd_cf_range range;

   assert_true(hd_cf_extract_list(&range, &hd_block_next_loop(hd_function_start(f))->body));
}

static void
unset_phi(hd_function *f)
{
   hd_loop *loop = hd_block_next_loop(hd_function_start(f));

   hd_phi_insert(hd_loop_header(loop), 1, 32, NULL);
}

static void
short_phi(hd_function *f)
{
   hd_loop *loop = hd_block_next_loop(hd_function_start(f));

   hd_instr_as_phi(hd_loop_header(loop)->first)->num_srcs = 1;
}

static hd_instr *
last_of_start(const hd_function *f)
{
   return hd_function_start(f)->last;
}

static void
orphan_value(hd_function *f)
{
   /* The value is taken out, its uses stay. */
   hd_instr_extract(last_of_start(f));
}

static void
wild_index(hd_function *f)
{
   last_of_start(f)->def.index = 12345678;
}

static void
wild_block(hd_function *f)
{
   hd_function_start(f)->node.index = 12345678;
}

static void
wild_flat_block(hd_function *f)
{
   hd_function_start(f->shader->last_function)->node.index = 12345678;
}

static void
wild_location(hd_function *f)
{
   last_of_start(f)->loc = 0xffffff;
}

static void
wild_var(hd_function *f)
{
   f->shader->last_function->first_var->index = 77;
}

static void
foreign_var(hd_function *f)
{
   hd_function *helper = hd_shader_find_function(f->shader, "helper");

   hd_foreach_instr(i, hd_function_start(helper)) {
      if (hd_instr_as_var_access(i))
         hd_instr_as_var_access(i)->var = NULL;
   }
}

static hd_function stranger;

static void
foreign_callee(hd_function *f)
{
   hd_foreach_instr(i, hd_function_start(f)) {
      if (hd_instr_as_call(i))
         hd_instr_as_call(i)->callee = &stranger;
   }
}

static void
no_target(hd_function *f)
{
   hd_flat_clear_jump(hd_list_last_block(&f->shader->last_function->body));
   hd_jump *jump = hd_block_jump(hd_function_start(f->shader->last_function));
   jump->instr.block->num_succs = 1;
}

static void
side_by_side(hd_function *f)
{
   hd_cf_node *start = f->body.first, *last = f->body.last;

   start->next = last;
   last->prev = start;
}

static void
test_refused(void **state)
{
   (void)state;
   static const struct {
      void (*break_it)(hd_function *f);
      const char *message;
   } cases[] = {
      { extract, "code is extracted" },
      { unset_phi, "it reads a value that is not in it" },
      { short_phi, "a phi has not one source for each predecessor" },
      { orphan_value, "it reads a value that is not in it" },
      { wild_index, "a value has no index" },
      { wild_block, "a block has no index" },
      { wild_flat_block, "a block has no index" },
      { wild_location, "a location is not among the shader's" },
      { wild_var, "a variable has no index" },
      { foreign_var, "it accesses a variable that is not in it" },
      { foreign_callee, "it calls a function that is not in the shader" },
      { no_target, "a jump has no target" },
      { side_by_side, "two blocks stand side by side" },
   };

   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      struct heard heard = { 0 };
      hd_config config = { .diag = { &heard, hear } };
      hd_shader *shader = sample_features(&config);
      hd_blob blob = { 0 };
      hd_hash hash;
      cases[n].break_it(shader->first_function);
      assert_int_equal(hd_write_binary(shader, &blob), HD_INVALID);
      assert_int_equal(blob.size, 0);
      assert_int_equal(heard.count, 1);
      if (!strstr(heard.last, cases[n].message) || !strstr(heard.last, "function '@"))
         fail_msg("case %u: %s", n, heard.last);
      /* A location is no part of the meaning. */
      assert_int_equal(hd_shader_hash(shader, &hash),
                       cases[n].break_it == wild_location ? HD_OK : HD_INVALID);
      hd_blob_finish(&blob);
      hd_shader_destroy(shader);
   }
}

/* A blob that has failed before stays failed. */
static void
test_failed_blob(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob blob = { .result = HD_OUT_OF_MEMORY };

   assert_int_equal(hd_write_binary(shader, &blob), HD_OUT_OF_MEMORY);
   assert_int_equal(blob.size, 0);
   hd_shader_destroy(shader);
}

/* Damage */

static hd_result
read_bytes(const uint8_t *data, size_t size, struct heard *heard, hd_shader **out)
{
   hd_config config = { .diag = { heard, hear } };

   memset(heard, 0, sizeof(*heard));
   return hd_read_binary(&config, "x.hdb", data, size, out);
}

/* Write the size and the checksum that these bytes should have. */
static void
make_right(uint8_t *data, size_t size)
{
   uint8_t sum[HD_DIGEST_SIZE];
   hd_digest d;

   if (size < BINARY_HEADER_SIZE)
      return;
   for (unsigned n = 0; n < 8; n++)
      data[8 + n] = (uint8_t)((uint64_t)size >> 8 * n);
   hd_digest_init(&d, 0, 0);
   hd_digest_add(&d, data, BINARY_SUMMED);
   hd_digest_add(&d, data + BINARY_HEADER_SIZE, size - BINARY_HEADER_SIZE);
   hd_digest_finish(&d, sum);
   memcpy(data + BINARY_SUMMED, sum, 8);
}

/* As they are, damaged bytes are refused. Made to look right, they are refused, or they are a
 * shader that is sound, that the validator can judge, and that goes both ways again.
 */
static bool
assert_harmless(uint8_t *data, size_t size)
{
   struct heard heard;
   hd_shader *shader = NULL;

   assert_int_not_equal(read_bytes(data, size, &heard, &shader), HD_OK);
   assert_null(shader);
   assert_int_equal(heard.count, 1);
   make_right(data, size);
   if (read_bytes(data, size, &heard, &shader) != HD_OK) {
      assert_null(shader);
      assert_int_equal(heard.count, 1);
      assert_true(heard.offset <= size);
      return false;
   }
   assert_int_equal(heard.count, 0);
   assert_sound(shader);
   hd_result valid = hd_validate(shader, &(hd_validate_options){ .diag = { &heard, hear } });
   assert_true(valid == HD_OK || (valid == HD_INVALID && heard.count));
   if (valid == HD_OK)
      assert_round_trip(shader);
   else
      hd_shader_destroy(shader);
   return valid == HD_OK;
}

static void
test_truncated(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob bytes = bytes_of(shader);

   for (size_t size = 0; size < bytes.size; size++) {
      /* Memory of just this size, so that reading past it is noticed. */
      uint8_t *part = malloc(size ? size : 1);
      memcpy(part, bytes.data, size);
      assert_false(assert_harmless(part, size));
      free(part);
   }
   hd_blob_finish(&bytes);
   hd_shader_destroy(shader);
}

static void
test_flipped(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob bytes = bytes_of(shader);
   uint8_t *data = malloc(bytes.size);
   unsigned harmless = 0;

   for (size_t bit = 0; bit < bytes.size * 8; bit++) {
      memcpy(data, bytes.data, bytes.size);
      data[bit / 8] ^= (uint8_t)(1u << bit % 8);
      harmless += assert_harmless(data, bytes.size);
   }
   /* Many only change a constant or a name: were all refused, the test would say little. */
   assert_true(harmless > 1000);
   free(data);
   hd_blob_finish(&bytes);
   hd_shader_destroy(shader);
}

/* Files made by hand, from the words of doc/binary.md: what is wrong, and where it is said to be.
 */

static const struct {
   const char *bytes; /* from byte 24 on */
   size_t size;
   hd_result result;
   const char *message;
   unsigned offset; /* from byte 24 on */
} handmade[] = {
#define FILE_OF(bytes) bytes, sizeof(bytes) - 1
/* one string, "", and nothing but the properties, locations and shapes before it */
#define HEAD                                                                                       \
   "\x01\x00"                                                                                      \
   "\x00"                                                                                          \
   "\x00\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00"                                              \
   "\x00"
   { FILE_OF(HEAD "\x00"
                  "\x00"),
     HD_OK, "", 0 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x01\x00\x00"
                  "\x00"),
     HD_OK, "", 0 },
   { FILE_OF(HEAD "\x00"
                  "\x00"
                  "\x07"),
     HD_INVALID, "1 bytes after the last function", 18 },
   { FILE_OF("\x81\x00"), HD_INVALID, "a number has more bytes than it needs", 0 },
   { FILE_OF("\x81\x81\x81\x81\x81\x81\x81\x81\x81\x02"), HD_INVALID, "a number exceeds 64 bits",
     0 },
   { FILE_OF("\x81"), HD_INVALID, "the data ends here", 0 },
   { FILE_OF("\x05\x00"), HD_INVALID, "5 strings cannot follow in 1 bytes", 0 },
   { FILE_OF("\x01\x02\x61"), HD_INVALID, "a string of 2 bytes cannot follow in 1", 1 },
   { FILE_OF("\x01\x01\x00"), HD_INVALID, "a string has a byte 0 in it", 1 },
   { FILE_OF("\x02\x01\x61\x01\x61"), HD_INVALID, "string 1 is there twice", 3 },
   { FILE_OF("\x02\x00\x00"), HD_INVALID, "string 1 is there twice", 2 },
   { FILE_OF("\x01\x00\x01"), HD_INVALID, "string 1 does not exist, there are 1", 2 },
   { FILE_OF("\x01\x00\x00\x04"), HD_INVALID, "stage 4 does not exist, there are 4", 3 },
   { FILE_OF("\x01\x00\x00\x00\x81\x80\x80\x80\x10"), HD_INVALID, "a number exceeds 32 bits", 3 },
   { FILE_OF("\x01\x00\x00\x00\x01\x01\x01\x00\x80\x01\x00\x00\x00\x00\x00"), HD_INVALID,
     "0x80 is not a set of float controls", 8 },
   { FILE_OF("\x01\x00\x00\x00\x01\x01\x01\x00\x00\x00\x00\x00\x00\x80\x80\x80\x80\x08"),
     HD_INVALID, "0x80000000 is not a set of lowered constructs", 13 },
   { FILE_OF("\x01\x00\x00\x00\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00"), HD_INVALID,
     "3 bytes of constant data cannot follow in 2", 14 },
/* locations, with line 1, and lines out of range */
#define PROPERTIES                                                                                 \
   "\x01\x00"                                                                                      \
   "\x00"                                                                                          \
   "\x00\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00"
   { FILE_OF(PROPERTIES "\x01\x00\x02\x00"
                        "\x00\x00"),
     HD_OK, "", 0 },
   { FILE_OF(PROPERTIES "\x02\x00\x02\x00\x00\x00\x00"
                        "\x00\x00"),
     HD_INVALID, "location 2 is there twice", 19 },
   { FILE_OF(PROPERTIES "\x01\x00\x01\x00"
                        "\x00\x00"),
     HD_INVALID, "a step leads out of 32 bits", 16 },
   /* shapes */
   { FILE_OF(HEAD "\x01\x0a\x00\x00\x00"
                  "\x00"),
     HD_INVALID, "kind of instruction 10 does not exist", 17 },
   { FILE_OF(HEAD "\x01\x00\x00\x81\x00\x02"
                  "\x00"),
     HD_UNSUPPORTED, "there is no op ''", 17 },
   { FILE_OF(HEAD "\x01\x04\x00\x81\x00\x02\x00\x00\x00\x00"
                  "\x00"),
     HD_UNSUPPORTED, "there is no intrinsic ''", 17 },
   { FILE_OF(HEAD "\x01\x01\x80\x00\x00"
                  "\x00"),
     HD_INVALID, "0x80 is not a type", 17 },
   { FILE_OF(HEAD "\x01\x01\x91\x00\x00"
                  "\x00"),
     HD_INVALID, "0x91 is not a type", 17 },
   { FILE_OF(HEAD "\x01\x01\xc1\x00\x00"
                  "\x00"),
     HD_INVALID, "0xc1 is not a type", 17 },
   { FILE_OF(HEAD "\x01\x01\x00\x00\x00"
                  "\x00"),
     HD_INVALID, "0x00 is not a type", 17 },
   { FILE_OF(HEAD "\x01\x01\x81\x01\x00"
                  "\x00"),
     HD_INVALID, "flags 0x01 don't apply", 17 },
   { FILE_OF(HEAD "\x01\x01\x81\x00\x01"
                  "\x00"),
     HD_INVALID, "an instruction with 1 operands, expected 0 to 0", 17 },
   { FILE_OF(HEAD "\x01\x06\x07\x00\x00\x00"
                  "\x00"),
     HD_INVALID, "kind of jump 7 does not exist", 17 },
   { FILE_OF(HEAD "\x01\x06\x00\x81\x00\x00"
                  "\x00"),
     HD_INVALID, "an instruction that has no result has a type", 17 },
   /* functions: a flag, too many values, a body that ends early, two of one name */
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x02\x00\x01\x00\x00"
                  "\x00"),
     HD_INVALID, "0x02 are not the flags of a function", 18 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x01\x02\x00"
                  "\x00"),
     HD_INVALID, "'@' cannot have 2 values and 1 blocks in 1 bytes", 24 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x00\x00\x00"
                  "\x00"),
     HD_INVALID, "'@' cannot have 0 values and 0 blocks in 1 bytes", 24 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x01\x01\x00"
                  "\x00"),
     HD_INVALID, "'@' has fewer values than the 1 it says", 25 },
   { FILE_OF(HEAD "\x00"
                  "\x02\x00\x01\x00\x01\x00\x00\x00\x01\x00\x01\x00\x00"
                  "\x00"),
     HD_INVALID, "two functions have the name ''", 24 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x00\x00\x01\x00\x00"
                  "\x00"),
     HD_INVALID, "block 0 has no jump at its end", 25 },
   /* 2 is an if, 3 a loop, 12 the first shape */
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x01\x00\x00"
                  "\x02\x00\x00\x00\x00"),
     HD_INVALID, "more blocks than the 1 that the function has", 24 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x04\x00\x00"
                  "\x02\x00\x00\x00\x00\x00"),
     HD_INVALID, "value 0 does not exist, there are 0", 29 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x04\x00\x00"
                  "\x03\x00\x00\x00"),
     HD_OK, "", 0 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x04\x00\x00"
                  "\x03\x00\x00\x0c"),
     HD_INVALID, "shape 0 does not exist, there are 0", 27 },
   { FILE_OF(HEAD "\x00"
                  "\x01\x00\x01\x00\x05\x00\x00"
                  "\x03\x00\x00\x00\x00"),
     HD_INVALID, "'@' has fewer blocks than the 5 it says", 28 },
   { FILE_OF(HEAD "\x01\x06\x00\x00\x00\x00"
                  "\x01\x00\x01\x00\x01\x00\x00"
                  "\x0c\x00"),
     HD_INVALID, "a break or continue outside a loop", 29 },
   { FILE_OF(HEAD "\x01\x06\x02\x00\x00\x00"
                  "\x01\x00\x01\x00\x01\x00\x00"
                  "\x0c\x0c\x00"),
     HD_INVALID, "an instruction after a jump", 30 },
   { FILE_OF(HEAD "\x01\x06\x02\x00\x00\x00"
                  "\x01\x00\x01\x00\x04\x00\x00"
                  "\x03\x00\x0c\x00\x00"),
     HD_INVALID, "a jump at the end of a continue list", 31 },
   { FILE_OF(HEAD "\x01\x06\x04\x00\x00\x00"
                  "\x01\x00\x01\x00\x01\x00\x00"
                  "\x0c\x00"),
     HD_INVALID, "a jump of flat functions in a structured one", 29 },
   { FILE_OF(HEAD "\x01\x06\x04\x00\x00\x00"
                  "\x01\x00\x00\x00\x01\x00\x00"
                  "\x0c\x00\x00"),
     HD_INVALID, "nothing may jump to the start block", 29 },
   { FILE_OF(HEAD "\x01\x06\x04\x00\x00\x00"
                  "\x01\x00\x00\x00\x01\x00\x00"
                  "\x0c\x02\x00"),
     HD_INVALID, "block 1 does not exist, there are 1", 29 },
   { FILE_OF(HEAD "\x01\x01\x81\x00\x00"
                  "\x01\x00\x01\x00\x01\x01\x00"
                  "\x0c\xc7"),
     HD_INVALID, "the data ends here", 28 },
   { FILE_OF(HEAD "\x01\x01\x41\x00\x00"
                  "\x01\x00\x01\x00\x01\x01\x00"
                  "\x0c\xc1\x00\x01\x00"),
     HD_INVALID, "a constant exceeds 8 bits", 28 },
   { FILE_OF(HEAD "\x01\x01\x81\x00\x00"
                  "\x01\x00\x01\x00\x01\x01\x00"
                  "\x0c\xd1\x80\x3f\x00"),
     HD_OK, "", 0 },
};

static void
test_handmade(void **state)
{
   (void)state;
   for (unsigned n = 0; n < sizeof(handmade) / sizeof(handmade[0]); n++) {
      uint8_t data[256] = { 0x89, 'H', 'D', 'L', HD_BINARY_VERSION };
      size_t size = 24 + handmade[n].size;
      struct heard heard;
      hd_shader *shader = NULL;
      memcpy(data + 24, handmade[n].bytes, handmade[n].size);
      make_right(data, size);
      hd_result result = read_bytes(data, size, &heard, &shader);
      if (result != handmade[n].result || !strstr(heard.last, handmade[n].message) ||
          (result != HD_OK && heard.offset != 24 + handmade[n].offset))
         fail_msg("case %u: %s, byte %u: %s", n, hd_result_name(result),
                  (unsigned)heard.offset - 24, heard.last);
      if (result == HD_OK)
         assert_round_trip(shader);
   }
}

/* The header's own rules. */
static void
test_header(void **state)
{
   (void)state;
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, "");
   hd_blob bytes = bytes_of(shader);
   struct heard heard;
   hd_shader *none = NULL;

   assert_int_equal(read_bytes(NULL, 0, &heard, &none), HD_INVALID);
   assert_string_equal(heard.last, "this is not the binary form of a shader");
   assert_int_equal(read_bytes((uint8_t *)bytes.data, 23, &heard, &none), HD_INVALID);
   assert_string_equal(heard.last, "the header has 24 bytes, the data 23");
   hd_blob_append(&bytes, "", 1);
   assert_int_equal(read_bytes((uint8_t *)bytes.data, bytes.size, &heard, &none), HD_INVALID);
   assert_string_equal(heard.last, "the header says 42 bytes, the data has 43");
   bytes.data[4] = 9;
   assert_int_equal(read_bytes((uint8_t *)bytes.data, 42, &heard, &none), HD_INVALID);
   assert_string_equal(heard.last, "the data is damaged: its checksum does not match");
   make_right((uint8_t *)bytes.data, 42);
   assert_int_equal(read_bytes((uint8_t *)bytes.data, 42, &heard, &none), HD_UNSUPPORTED);
   assert_string_equal(heard.last, "version 9 of the format, expected 4");
   hd_blob_finish(&bytes);
   hd_shader_destroy(shader);
}

/* Both at random, several at once, on larger shaders. */
static void
test_garbled(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 2000; seed++) {
      uint64_t random = seed;
      hd_shader *shader = seed & 2 ? sample_features(NULL) : sample_of(seed);
      hd_blob bytes = bytes_of(shader);
      uint8_t *data = (uint8_t *)bytes.data + BINARY_HEADER_SIZE;
      size_t size = bytes.size - BINARY_HEADER_SIZE;

      for (uint64_t n = 1 + sample_random(&random) % 4; n; n--) {
         size_t at = sample_random(&random) % size, length = sample_random(&random) % 6;
         switch (sample_random(&random) % 3) {
         case 0:
            data[at] = (uint8_t)sample_random(&random);
            break;
         case 1: /* some bytes again, over others */
            if (at + length <= size)
               memmove(data + sample_random(&random) % (size - length + 1), data + at, length);
            break;
         default:
            data[at] = (uint8_t)(data[at] + 1);
         }
      }
      hd_blob original = bytes_of(shader);
      if (memcmp(original.data, bytes.data, bytes.size) != 0)
         assert_harmless((uint8_t *)bytes.data, bytes.size);
      hd_blob_finish(&original);
      hd_blob_finish(&bytes);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_features),  cmocka_unit_test(test_random),
      cmocka_unit_test(test_texts),     cmocka_unit_test(test_small),
      cmocka_unit_test(test_history),   cmocka_unit_test(test_append),
      cmocka_unit_test(test_truncated), cmocka_unit_test(test_extremes),
      cmocka_unit_test(test_refused),   cmocka_unit_test(test_failed_blob),
      cmocka_unit_test(test_handmade),  cmocka_unit_test(test_header),
      cmocka_unit_test(test_flipped),   cmocka_unit_test(test_garbled),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
