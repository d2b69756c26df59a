/* SPDX-License-Identifier: MIT */
/* test_table.c - tables of a driver's own intrinsics: what they must obey, look-ups, the builder,
 * text, binary form, copies between shaders, and numbers that are registered nowhere.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/heddle.h"

#include "support/heard.h"
#include "support/memory.h"
#include "table.h"

static const hd_intrinsic_table table = { .rows = own_rows, .num_rows = NUM_OWN };

static hd_config
config_for(struct heard *heard, const hd_intrinsic_table *t)
{
   *heard = (struct heard){ 0 };
   return (hd_config){ .diag = { heard, hear }, .intrinsics = t };
}

/* A shader that has each of the rows. */
static hd_shader *
sample(const hd_config *config)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_COMPUTE, "own");
   hd_def *lane = hd_local_invocation_index(&b), *address = hd_imul(&b, lane, hd_imm_u32(&b, 4));
   hd_def *x = hd_build_intrinsic(&b, OWN_PURE, 0, 0, 1, &lane, NULL);
   const uint32_t indices[] = { 16, HD_ACCESS_SPECULATABLE };

   if (b.shader)
      b.shader->shared_size = 1024;
   hd_def *y = hd_build_intrinsic(&b, OWN_READ, 0, 0, 1, &address, indices);
   hd_build_intrinsic(&b, OWN_WRITE, 0, 0, 2, (hd_def *[]){ x, address }, NULL);
   hd_def *z = hd_build_intrinsic(&b, OWN_CROSS, 0, 0, 1, &y, NULL);
   hd_def *w =
       hd_build_intrinsic(&b, OWN_UNIFORM, 0, 0, 2, (hd_def *[]){ z, hd_imm_u32(&b, 3) }, NULL);
   hd_build_intrinsic(&b, OWN_WRITE, 0, 0, 2, (hd_def *[]){ w, address }, NULL);
   hd_shader *shader = NULL;
   return hd_builder_finish(&b, &shader) == HD_OK ? shader : NULL;
}

static char *
text_of(const hd_shader *shader)
{
   hd_blob blob = { 0 };

   assert_int_equal(hd_print_shader(shader, NULL, &blob), HD_OK);
   return blob.data;
}

static void
test_good(void **state)
{
   (void)state;
   struct heard heard = { 0 };

   assert_int_equal(hd_intrinsic_table_check(NULL, (hd_diag_sink){ 0 }), HD_OK);
   assert_int_equal(hd_intrinsic_table_check(&table, (hd_diag_sink){ &heard, hear }), HD_OK);
   assert_int_equal(heard.count, 0);
}

/* Each breaks one row, the first or the named one, and the message must say how. */
struct bad {
   void (*break_it)(hd_own_intrinsic *rows);
   const char *words;
};

static hd_type_info changed_src[2];

static void
change_src(hd_own_intrinsic *rows, unsigned row)
{
   memcpy(changed_src, rows[row].info.src, rows[row].info.num_srcs * sizeof(changed_src[0]));
   rows[row].info.src = changed_src;
}

#define BREAKS(name, statement)                                                                    \
   static void name(hd_own_intrinsic *rows)                                                        \
   {                                                                                               \
      statement;                                                                                   \
   }

BREAKS(no_name, rows[0].info.name = NULL)
BREAKS(empty_name, rows[0].info.name = "")
BREAKS(capital, rows[0].info.name = "Acme")
BREAKS(of_block, (rows[0].info.name = "b12", rows[0].info.name_length = 3))
BREAKS(wrong_length, rows[0].info.name_length--)
BREAKS(of_op, (rows[0].info.name = "iadd", rows[0].info.name_length = 4))
BREAKS(of_library, (rows[0].info.name = "ballot", rows[0].info.name_length = 6))
BREAKS(of_text, (rows[0].info.name = "switch", rows[0].info.name_length = 6))
BREAKS(twice, rows[1].info = rows[0].info)
BREAKS(order, (rows[1].info.name = "aaa", rows[1].info.name_length = 3))
BREAKS(many_srcs, rows[0].info.num_srcs = HD_MAX_INTRINSIC_SRCS + 1)
BREAKS(no_srcs, rows[0].info.src = NULL)
BREAKS(no_size, (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].sizes = 0))
BREAKS(wrong_size, (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].sizes = 1 | 128))
BREAKS(no_components,
       (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].min_components = 0))
BREAKS(many_components,
       (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].max_components = 17))
BREAKS(wrong_kind, (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].kind = 9))
BREAKS(wrong_variable,
       (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].size_variable = 'a'))
BREAKS(src_without_name,
       (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].name = NULL))
BREAKS(src_flags, (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].flags = 128))
BREAKS(descriptor, (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN),
                    changed_src[0].flags = HD_OPERAND_DESCRIPTOR))
BREAKS(same_names,
       (change_src(rows, OWN_WRITE - HD_INTRINSIC_OWN), changed_src[1].name = changed_src[0].name))
BREAKS(variables_differ,
       (change_src(rows, OWN_UNIFORM - HD_INTRINSIC_OWN), changed_src[1].size_variable = 'D'))
BREAKS(result_size, rows[0].info.result.sizes = 0)
BREAKS(result_variable, rows[OWN_UNIFORM - HD_INTRINSIC_OWN].info.result.sizes = 8)
BREAKS(flags, rows[0].info.flags |= 1u << 12)
BREAKS(many_indices, rows[0].info.num_indices = HD_MAX_INDICES + 1)
BREAKS(index_that_is_none, (rows[0].info.num_indices = 1, rows[0].info.indices[0] = HD_NUM_INDICES))
BREAKS(slots, rows[OWN_READ - HD_INTRINSIC_OWN].info.slots[HD_INDEX_OFFSET] = 2)
BREAKS(more_slots, rows[0].info.slots[HD_INDEX_OFFSET] = 1)
BREAKS(divergence, rows[0].info.divergence = 17)
BREAKS(no_divergence, rows[OWN_PURE - HD_INTRINSIC_OWN].info.divergence = HD_DIVERGENCE_NONE)
BREAKS(divergence_of_none,
       rows[OWN_WRITE - HD_INTRINSIC_OWN].info.divergence = HD_DIVERGENCE_UNIFORM)
BREAKS(by_memory, rows[OWN_PURE - HD_INTRINSIC_OWN].info.divergence = HD_DIVERGENCE_MEMORY)
BREAKS(by_cluster, rows[OWN_PURE - HD_INTRINSIC_OWN].info.divergence = HD_DIVERGENCE_CLUSTER)
BREAKS(classes, rows[OWN_READ - HD_INTRINSIC_OWN].info.reads |= 1u << 15)
BREAKS(never_written, rows[OWN_WRITE - HD_INTRINSIC_OWN].info.writes = HD_MEMORY_PUSH)
BREAKS(writes_nothing, rows[OWN_WRITE - HD_INTRINSIC_OWN].info.writes = 0)
BREAKS(no_effect, rows[OWN_WRITE - HD_INTRINSIC_OWN].info.flags = 0)
BREAKS(demotes, rows[OWN_WRITE - HD_INTRINSIC_OWN].info.writes |= HD_MEMORY_HELPER)
BREAKS(eliminates, rows[OWN_WRITE - HD_INTRINSIC_OWN].info.flags |= HD_CAN_ELIMINATE)
BREAKS(stays, rows[OWN_PURE - HD_INTRINSIC_OWN].info.flags &= (uint16_t)~HD_CAN_ELIMINATE)
BREAKS(speculates, rows[OWN_CROSS - HD_INTRINSIC_OWN].info.flags |= HD_CAN_SPECULATE)
BREAKS(speculates_reading, rows[OWN_READ - HD_INTRINSIC_OWN].info.flags |= HD_CAN_SPECULATE)
BREAKS(speculates_by_access,
       rows[OWN_PURE - HD_INTRINSIC_OWN].info.flags |= HD_CAN_SPECULATE_BY_ACCESS)
BREAKS(speculates_undefined,
       (change_src(rows, OWN_PURE - HD_INTRINSIC_OWN), changed_src[0].flags = HD_OPERAND_DEFINED))
BREAKS(helpers, rows[0].info.helpers = 9)
BREAKS(helpers_write, rows[OWN_WRITE - HD_INTRINSIC_OWN].info.helpers = HD_HELPER_RUN)
BREAKS(uncounted, rows[OWN_CROSS - HD_INTRINSIC_OWN].info.helpers = HD_HELPER_UNCOUNTED)
BREAKS(needed, rows[OWN_PURE - HD_INTRINSIC_OWN].info.helpers = HD_HELPER_NEEDED)
BREAKS(no_stage, rows[0].info.stages = 0)
BREAKS(stages, rows[0].info.stages = 0xff)

static const struct bad bads[] = {
   { no_name, "is not lower-case words" },
   { empty_name, "is not lower-case words" },
   { capital, "'Acme': its name is not lower-case words" },
   { of_block, "a word of the text form" },
   { wrong_length, "name_length is not the length" },
   { of_op, "an op has this name" },
   { of_library, "an intrinsic of the library has this name" },
   { of_text, "a word of the text form" },
   { twice, "row 1 of the table of intrinsics" },
   { order, "does not come after that of the row before" },
   { many_srcs, "too many operands" },
   { no_srcs, "its operands are not given" },
   { no_size, "operand 0 has no size" },
   { wrong_size, "operand 0 has no size, or one" },
   { no_components, "a number of components that cannot be" },
   { many_components, "a number of components that cannot be" },
   { wrong_kind, "a kind that is none" },
   { wrong_variable, "no capital letter" },
   { src_without_name, "operand 0 has a name that is not" },
   { src_flags, "flags that do not exist" },
   { descriptor, "needs the index access" },
   { same_names, "operand 1 has the name of another" },
   { variables_differ, "another size than its size variable" },
   { result_size, "the result has no size" },
   { result_variable, "than its size variable has in the result" },
   { flags, "it has flags that do not exist" },
   { many_indices, "too many indices" },
   { index_that_is_none, "an index that does not exist" },
   { slots, "slots does not say where each index is" },
   { more_slots, "slots has what indices does not" },
   { divergence, "its divergence is none" },
   { no_divergence, "exactly if there is a result" },
   { divergence_of_none, "exactly if there is a result" },
   { by_memory, "divergence by memory needs" },
   { by_cluster, "divergence by cluster needs" },
   { classes, "a class of memory that does not exist" },
   { never_written, "memory that is never written" },
   { writes_nothing, "its effects do not fit what it writes" },
   { no_effect, "its effects do not fit what it writes" },
   { demotes, "its effects do not fit what it writes" },
   { eliminates, "exactly if it has no effect" },
   { stays, "exactly if it has no effect" },
   { speculates, "cannot be speculated" },
   { speculates_reading, "reading memory is never safe" },
   { speculates_by_access, "speculation by access needs" },
   { speculates_undefined, "need not be for lanes that did not ask" },
   { helpers, "what helper lanes do is none" },
   { helpers_write, "helper lanes skip what writes" },
   { uncounted, "reads which they are" },
   { needed, "only what reads other lanes" },
   { no_stage, "its stages are none" },
   { stages, "its stages are none" },
};

/* Every way to make a shader refuses a table that is wrong. */
static void
test_bad(void **state)
{
   (void)state;
   for (size_t n = 0; n < sizeof(bads) / sizeof(bads[0]); n++) {
      hd_own_intrinsic rows[NUM_OWN];
      memcpy(rows, own_rows, sizeof(rows));
      bads[n].break_it(rows);
      const hd_intrinsic_table broken = { .rows = rows, .num_rows = NUM_OWN };
      struct heard heard;
      hd_config config = config_for(&heard, &broken);
      hd_shader *shader = NULL;

      assert_null(hd_shader_create(&config, HD_STAGE_COMPUTE, "x"));
      if (heard.count != 1 || !strstr(heard.last, bads[n].words))
         fail_msg("expected '%s', heard '%s'", bads[n].words, heard.last);
      assert_int_equal(hd_parse(&config, NULL, "", 0, &shader), HD_INVALID);
      assert_int_equal(hd_read_binary(&config, NULL, "", 0, &shader), HD_INVALID);
      hd_builder b = hd_builder_create(&config, HD_STAGE_COMPUTE, "x");
      assert_int_equal(hd_builder_finish(&b, &shader), HD_INVALID);
      assert_null(shader);
   }
}

static void
test_sizes(void **state)
{
   (void)state;
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   const hd_intrinsic_table many = { .rows = own_rows, .num_rows = HD_MAX_OWN_INTRINSICS + 1 };
   const hd_intrinsic_table none = { .rows = NULL, .num_rows = 1 };
   const hd_intrinsic_table empty = { .rows = NULL, .num_rows = 0 };

   assert_int_equal(hd_intrinsic_table_check(&many, sink), HD_INVALID);
   assert_non_null(strstr(heard.last, "too many rows"));
   assert_int_equal(hd_intrinsic_table_check(&none, sink), HD_INVALID);
   assert_int_equal(hd_intrinsic_table_check(&empty, sink), HD_OK);
}

static void
test_look_up(void **state)
{
   (void)state;
   struct heard heard;
   hd_config config = config_for(&heard, &table);
   hd_shader *shader = hd_shader_create(&config, HD_STAGE_COMPUTE, "x");
   hd_shader *plain = hd_shader_create(NULL, HD_STAGE_COMPUTE, "x");

   for (unsigned n = 0; n < NUM_OWN; n++) {
      const hd_intrinsic_info *info = &own_rows[n].info;
      assert_int_equal(hd_shader_find_intrinsic(shader, info->name, info->name_length),
                       HD_INTRINSIC_OWN + n);
      /* A part of a name, and more than it, is none. */
      assert_int_equal(hd_shader_find_intrinsic(shader, info->name, info->name_length - 1u), 0);
      assert_int_equal(hd_shader_find_intrinsic(plain, info->name, info->name_length), 0);
      assert_ptr_equal(hd_shader_intrinsic_info(shader, HD_INTRINSIC_OWN + n), info);
      assert_ptr_equal(hd_shader_own_intrinsic(shader, HD_INTRINSIC_OWN + n), &own_rows[n]);
      assert_int_equal(hd_shader_intrinsic_info(plain, HD_INTRINSIC_OWN + n)->name_length, 0);
   }
   assert_int_equal(hd_shader_find_intrinsic(shader, "ballot", 6), HD_INTRINSIC_BALLOT);
   assert_null(hd_shader_own_intrinsic(shader, HD_INTRINSIC_OWN + NUM_OWN));
   assert_null(hd_shader_own_intrinsic(shader, HD_INTRINSIC_BALLOT));
   assert_null(hd_shader_own_intrinsic(shader, 0xffff));
   assert_ptr_equal(hd_shader_intrinsic_info(shader, HD_INTRINSIC_BALLOT),
                    hd_intrinsic_get_info(HD_INTRINSIC_BALLOT));
   assert_int_equal(hd_shader_intrinsic_info(shader, HD_NUM_INTRINSICS)->name_length, 0);
   hd_shader_destroy(shader);
   hd_shader_destroy(plain);
}

static void
test_builder_refuses(void **state)
{
   (void)state;
   struct heard heard;
   hd_config config = config_for(&heard, &table);
   hd_shader *shader = NULL;

   for (unsigned n = 0; n < 4; n++) {
      hd_builder b = hd_builder_create(n == 3 ? NULL : &config, HD_STAGE_COMPUTE, "x");
      hd_def *x = hd_imm_uint(&b, 32, 1), *small = hd_imm_uint(&b, 8, 1);
      if (n == 0)
         hd_build_intrinsic(&b, OWN_PURE, 0, 0, 1, &small, NULL);
      else if (n == 1)
         hd_build_intrinsic(&b, OWN_PURE, 0, 0, 0, NULL, NULL);
      else if (n == 2)
         hd_build_intrinsic(&b, (hd_intrinsic_id)(HD_INTRINSIC_OWN + NUM_OWN), 0, 0, 1, &x, NULL);
      else
         hd_build_intrinsic(&b, OWN_PURE, 0, 0, 1, &x, NULL);
      assert_int_equal(hd_builder_finish(&b, &shader), HD_INVALID);
   }
   assert_non_null(strstr(heard.all, "own_pure"));
}

static void
test_text(void **state)
{
   (void)state;
   struct heard heard;
   hd_config config = config_for(&heard, &table), plain = config_for(&heard, NULL);
   hd_shader *shader = sample(&config), *again = NULL;

   assert_non_null(shader);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   char *text = text_of(shader);
   assert_non_null(strstr(text, "own_read %"));
   assert_non_null(strstr(text, "offset=16 access=speculatable"));
   assert_int_equal(hd_parse(&config, NULL, text, strlen(text), &again), HD_OK);
   char *second = text_of(again);
   assert_string_equal(text, second);
   hd_shader_destroy(again);
   again = NULL;
   assert_int_equal(hd_parse(&plain, NULL, text, strlen(text), &again), HD_INVALID);
   assert_non_null(strstr(heard.all, "unknown instruction 'own_"));
   free(text);
   free(second);
   hd_shader_destroy(shader);
}

/* Rows that differ in one thing give tables with other hashes. */
static void
test_hash(void **state)
{
   (void)state;
   hd_own_intrinsic rows[NUM_OWN];
   const hd_intrinsic_table changed = { .rows = rows, .num_rows = NUM_OWN };
   const hd_hash zero = { { 0 } };
   const hd_hash hash = hd_intrinsic_table_hash(&table), none = hd_intrinsic_table_hash(NULL);

   assert_memory_equal(&none, &zero, sizeof(zero));
   assert_memory_not_equal(&hash, &zero, sizeof(zero));
   memcpy(rows, own_rows, sizeof(rows));
   hd_hash other = hd_intrinsic_table_hash(&changed);
   assert_memory_equal(&hash, &other, sizeof(hash));
   rows[1].run = NULL; /* how it is run is not what it says */
   other = hd_intrinsic_table_hash(&changed);
   assert_memory_equal(&hash, &other, sizeof(hash));
   for (size_t n = 0; n < sizeof(bads) / sizeof(bads[0]); n++) {
      memcpy(rows, own_rows, sizeof(rows));
      bads[n].break_it(rows);
      /* Those that cannot be hashed; and slots follow from indices. */
      if (bads[n].break_it == no_name || bads[n].break_it == many_srcs ||
          bads[n].break_it == no_srcs || bads[n].break_it == many_indices ||
          bads[n].break_it == index_that_is_none || bads[n].break_it == slots ||
          bads[n].break_it == more_slots || bads[n].break_it == wrong_length)
         continue;
      other = hd_intrinsic_table_hash(&changed);
      if (!memcmp(&hash, &other, sizeof(hash)))
         fail_msg("the same hash, though '%s'", bads[n].words);
   }
}

static void
test_binary(void **state)
{
   (void)state;
   struct heard heard;
   hd_config config = config_for(&heard, &table);
   hd_shader *shader = sample(&config), *again = NULL;
   hd_blob bytes = { 0 }, second = { 0 };
   hd_own_intrinsic rows[NUM_OWN];
   const hd_intrinsic_table changed = { .rows = rows, .num_rows = NUM_OWN };
   const hd_intrinsic_table fewer = { .rows = own_rows, .num_rows = NUM_OWN - 1 };

   assert_int_equal(hd_write_binary(shader, &bytes), HD_OK);
   assert_int_equal(hd_read_binary(&config, NULL, bytes.data, bytes.size, &again), HD_OK);
   assert_int_equal(hd_validate(again, NULL), HD_OK);
   assert_int_equal(hd_write_binary(again, &second), HD_OK);
   assert_int_equal(bytes.size, second.size);
   assert_memory_equal(bytes.data, second.data, bytes.size);
   hd_hash hash, same;
   assert_int_equal(hd_shader_hash(shader, &hash), HD_OK);
   assert_int_equal(hd_shader_hash(again, &same), HD_OK);
   assert_memory_equal(&hash, &same, sizeof(hash));
   hd_shader_destroy(again);
   again = NULL;

   config = config_for(&heard, NULL);
   assert_int_equal(hd_read_binary(&config, NULL, bytes.data, bytes.size, &again), HD_UNSUPPORTED);
   assert_non_null(strstr(heard.last, "no table of intrinsics is given"));
   config = config_for(&heard, &fewer);
   assert_int_equal(hd_read_binary(&config, NULL, bytes.data, bytes.size, &again), HD_UNSUPPORTED);
   assert_non_null(strstr(heard.last, "another table of intrinsics"));
   memcpy(rows, own_rows, sizeof(rows));
   rows[OWN_PURE - HD_INTRINSIC_OWN].info.divergence = HD_DIVERGENCE_DIVERGENT;
   config = config_for(&heard, &changed);
   assert_int_equal(hd_read_binary(&config, NULL, bytes.data, bytes.size, &again), HD_UNSUPPORTED);
   /* It says the same, and it is another shader. */
   hd_shader *other = sample(&config);
   hd_hash different;
   assert_int_equal(hd_shader_hash(other, &different), HD_OK);
   assert_memory_not_equal(&hash, &different, sizeof(hash));
   hd_shader_destroy(other);

   /* Damaged anywhere, it is refused or read, with the right checksum or not. */
   config = config_for(&heard, &table);
   for (size_t n = 0; n < bytes.size; n++) {
      bytes.data[n] ^= 0x55;
      if (hd_read_binary(&config, NULL, bytes.data, bytes.size, &again) == HD_OK)
         hd_shader_destroy(again);
      bytes.data[n] ^= 0x55;
   }
   hd_blob_finish(&bytes);
   hd_blob_finish(&second);
   hd_shader_destroy(shader);
}

static void
test_clone(void **state)
{
   (void)state;
   struct heard heard, from_heard;
   hd_config config = config_for(&from_heard, &table);
   hd_own_intrinsic rows[NUM_OWN];
   const hd_intrinsic_table same = { .rows = rows, .num_rows = NUM_OWN };
   hd_shader *shader = sample(&config), *copy = NULL;

   memcpy(rows, own_rows, sizeof(rows));
   assert_int_equal(hd_shader_clone(shader, NULL, &copy), HD_OK);
   hd_shader_destroy(copy);
   copy = NULL;
   /* A table that says the same at another place serves. */
   config = config_for(&heard, &same);
   assert_int_equal(hd_shader_clone(shader, &config, &copy), HD_OK);
   char *a = text_of(shader), *b = text_of(copy);
   assert_string_equal(a, b);
   free(a);
   free(b);
   hd_shader_destroy(copy);
   copy = NULL;
   for (unsigned n = 0; n < 2; n++) {
      rows[0].info.stages = 1;
      config = config_for(&heard, n ? &same : NULL);
      assert_int_equal(hd_shader_clone(shader, &config, &copy), HD_INVALID);
      assert_null(copy);
      assert_non_null(strstr(heard.last, "different tables of intrinsics"));
      hd_shader *to = hd_shader_create(&config, HD_STAGE_COMPUTE, "to");
      assert_null(hd_function_clone(to, shader->first_function, "f"));
      assert_int_equal(to->num_functions, 0);
      assert_int_equal(hd_shader_status(to), HD_OK);
      hd_shader_destroy(to);
   }
   /* What has none of them goes anywhere. */
   hd_shader *plain = hd_shader_create(NULL, HD_STAGE_COMPUTE, "plain");
   hd_function *f = hd_function_create(plain, "f", true);
   hd_function *g = hd_function_clone(shader, f, "g");
   assert_non_null(g);
   hd_shader_destroy(plain);
   hd_shader_destroy(shader);
}

static hd_instr *
first_own(const hd_shader *shader)
{
   hd_foreach_block(b, shader->first_function) {
      hd_foreach_instr(i, b) {
         if (i->kind == HD_INSTR_INTRINSIC && i->op >= HD_INTRINSIC_OWN)
            return i;
      }
   }
   return NULL;
}

/* A number that is registered nowhere, as who writes hd_instr.op can make. */
static void
test_unregistered(void **state)
{
   (void)state;
   static const uint16_t numbers[] = { HD_INTRINSIC_NONE, HD_NUM_INTRINSICS, 0x7fff,
                                       HD_INTRINSIC_OWN + NUM_OWN, 0xffff };

   for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
      struct heard heard;
      hd_config config = config_for(&heard, &table);
      hd_shader *shader = sample(&config), *copy = NULL;
      hd_instr *i = first_own(shader);
      hd_blob bytes = { 0 };
      hd_hash hash;
      bool progress = false;

      assert_null(hd_intrinsic_create(shader, numbers[n], 1, 0, 1, 32));
      assert_int_equal(hd_shader_status(shader), HD_INVALID);
      hd_shader_clear_status(shader);
      i->op = numbers[n];
      assert_int_equal(hd_validate(shader, NULL), HD_INVALID);
      assert_non_null(strstr(heard.all, "[OP1]"));
      assert_int_equal(hd_write_binary(shader, &bytes), HD_INVALID);
      assert_non_null(strstr(heard.last, "registered nowhere"));
      assert_int_equal(bytes.size, 0);
      assert_int_equal(hd_shader_hash(shader, &hash), HD_INVALID);
      assert_int_equal(hd_shader_clone(shader, NULL, &copy), HD_INVALID);
      assert_non_null(strstr(heard.last, "no intrinsic has the number"));
      assert_null(hd_function_clone(shader, shader->first_function, "copy"));
      assert_null(hd_instr_clone(shader, i));
      hd_shader_clear_status(shader);
      for (unsigned k = 0; k < hd_num_passes(); k++) {
         heard = (struct heard){ 0 };
         assert_int_equal(hd_run_pass(shader, hd_pass_get(k), NULL, &progress), HD_INVALID);
         assert_int_equal(heard.count, 1);
      }
      assert_int_equal(hd_run_pipeline(shader, "O2", NULL, NULL), HD_INVALID);
      char *text = text_of(shader);
      assert_non_null(strstr(text, "= ? "));
      assert_int_equal(hd_parse(&config, NULL, text, strlen(text), &copy), HD_INVALID);
      free(text);
      hd_blob_finish(&bytes);
      hd_shader_destroy(shader);
   }
}

static void
test_print(void **state)
{
   (void)state;
   hd_blob blob = { 0 };
   hd_own_intrinsic broken[NUM_OWN];
   const hd_intrinsic_table wrong = { .rows = broken, .num_rows = NUM_OWN };

   assert_int_equal(hd_intrinsic_table_print(&table, &blob), HD_OK);
   assert_string_equal(
       blob.data,
       "own_cross(x:32[1] value) -> x:32[1] cross_lane divergence=divergent helpers=run "
       "stages=compute|kernel|vertex|fragment\n"
       "own_pure(x:32[1] value) -> x:32[1] divergence=operands speculate=always helpers=run "
       "stages=compute|kernel|vertex|fragment\n"
       "own_read(x:32[1] address !defined) -> x:32[1] divergence=memory reads=shared "
       "speculate=access helpers=run indices=offset|access "
       "stages=compute|kernel|vertex|fragment\n"
       "own_uniform(x:D[n] value, x:32[1] lane !uniform !defined) -> x:D[n] D=16|32 cross_lane "
       "divergence=uniform helpers=run stages=compute|kernel|vertex|fragment\n"
       "own_write(x:32[1] value, x:32[1] address !defined) writes=shared helpers=skip "
       "stages=compute|kernel|vertex|fragment\n");
   hd_blob_finish(&blob);
   memcpy(broken, own_rows, sizeof(broken));
   broken[0].info.name = NULL;
   assert_int_equal(hd_intrinsic_table_print(&wrong, &blob), HD_INVALID);
   assert_int_equal(blob.size, 0);
   assert_int_equal(hd_intrinsic_table_print(NULL, &blob), HD_OK);
}

#define ENDLESS 100000u

static void
test_memory(void **state)
{
   (void)state;
   struct limited l = { .left = SIZE_MAX };
   hd_config config = limited_config(&l);
   config.intrinsics = &table;
   hd_shader *shader = sample(&config);
   hd_blob bytes = { 0 };
   unsigned failures = 0;

   assert_int_equal(hd_write_binary(shader, &bytes), HD_OK);
   char *text = text_of(shader);
   hd_shader_destroy(shader);
   assert_int_equal(l.held, 0);
   for (unsigned way = 0; way < 4; way++) {
      hd_result result = HD_OUT_OF_MEMORY;
      for (size_t n = 0; result != HD_OK && n < ENDLESS; n++) {
         hd_shader *made = NULL;
         l.left = n;
         if (way == 0)
            result = hd_read_binary(&config, NULL, bytes.data, bytes.size, &made);
         else if (way == 1)
            result = hd_parse(&config, NULL, text, strlen(text), &made);
         else
            made = sample(&config);
         if (way >= 2)
            result = made ? HD_OK : HD_OUT_OF_MEMORY;
         if (way == 3 && made)
            result = hd_run_pipeline(made, "O2", NULL, NULL);
         assert_true(result == HD_OK || result == HD_OUT_OF_MEMORY);
         failures += result != HD_OK;
         hd_shader_destroy(made);
         assert_int_equal(l.held, 0);
      }
      assert_int_equal(result, HD_OK);
   }
   assert_true(failures > 8);
   free(text);
   hd_blob_finish(&bytes);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good),   cmocka_unit_test(test_bad),
      cmocka_unit_test(test_sizes),  cmocka_unit_test(test_look_up),
      cmocka_unit_test(test_text),   cmocka_unit_test(test_builder_refuses),
      cmocka_unit_test(test_hash),   cmocka_unit_test(test_binary),
      cmocka_unit_test(test_clone),  cmocka_unit_test(test_unregistered),
      cmocka_unit_test(test_memory), cmocka_unit_test(test_print),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
