/* SPDX-License-Identifier: MIT */
/* test_threads.c - eight threads, each with shaders of its own, doing everything at once; and all
 * of them on one shader, with what takes it as const.
 *
 * The library has no global state, so there is nothing to lock and nothing to race for: the thread
 * sanitizer looks on while `./x test` runs this (build/threads). Without it the test still shows
 * that each thread gets, byte for byte, what one thread alone gets.
 */
#include "support/test.h"

#include <stdint.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../bench/shapes.h"

#define NUM_THREADS 8
#define ROUNDS      6

/* What all work on one program came to. */
typedef struct outcome {
   bool good;
   hd_blob text, bytes, code;
   hd_hash hash;
} outcome;

typedef struct job {
   pthread_t thread;
   unsigned first; /* which shape to begin with: threads differ in what they do at one time */
   outcome outcomes[32];
} job;

/* All threads begin together. */
static pthread_barrier_t start;

static void
heard(void *user, const hd_diag *diag)
{
   (void)diag;
   ++*(unsigned *)user;
}

/* Parsing a text with errors, for the diagnostics' sake. */
static bool
refuse(const char *text)
{
   unsigned messages = 0;
   hd_config config = { .diag = { &messages, heard } };
   hd_shader *shader = NULL;

   return hd_parse(&config, "bad.hd", text, strlen(text), &shader) == HD_INVALID && messages > 0;
}

/* Machine code for one chip, one lowering, many registers or few, as the number says. */
static bool
compile(const hd_shader *shader, unsigned number, hd_blob *code)
{
   static const hd_gcn_binding bindings[] = { { .binding = 0 },
                                              { .binding = 1, .offset = 16 },
                                              { .binding = 2, .offset = 32 } };
   const hd_gcn_driver_abi abi = {
      .num_user_sgprs = 16,
      .push_pointer = 4,
      .push_inline = HD_GCN_NO_SGPR,
      .kernarg_pointer = HD_GCN_NO_SGPR,
      .set_pointer = { 6 },
      .num_workgroups = 8,
      .workgroup_size = 11,
      .scratch_resource = 0,
      .global_offset = HD_GCN_NO_SGPR,
      .work_dim = HD_GCN_NO_SGPR,
      .bindings = bindings,
      .num_bindings = 3,
   };
   const hd_gcn_options options = {
      .target = (hd_gcn_gen)(number % HD_GCN_NUM_GENS),
      .abi = HD_GCN_ABI_DRIVER,
      .driver = &abi,
      .lowering =
          number / HD_GCN_NUM_GENS % 2 ? HD_GCN_LOWERING_RECONVERGING : HD_GCN_LOWERING_TREE,
      .max_sgprs = number % 2 ? 40 : 0,
      .max_vgprs = number % 2 ? 20 : 0,
      .verify_regalloc = true,
   };
   hd_gcn_binary *binary;

   if (hd_gcn_compile(shader, &options, &binary) != HD_OK)
      return false;
   hd_blob_init(code, NULL);
   hd_blob_append(code, binary->code, binary->code_words * sizeof(*binary->code));
   hd_gcn_binary_destroy(binary);
   return code->result == HD_OK;
}

static outcome
work(const shape *s)
{
   outcome o = { .good = false };
   hd_shader *clone = NULL, *parsed = NULL, *read = NULL;
   hd_result result;
   hd_shader *shader = shape_build(s, NULL, 300, &result);

   o.good = result == HD_OK && hd_validate(shader, NULL) == HD_OK &&
            hd_print_shader(shader, NULL, &o.text) == HD_OK &&
            hd_write_binary(shader, &o.bytes) == HD_OK &&
            hd_shader_hash(shader, &o.hash) == HD_OK &&
            hd_shader_clone(shader, NULL, &clone) == HD_OK &&
            hd_parse(NULL, s->name, o.text.data, o.text.size, &parsed) == HD_OK &&
            hd_read_binary(NULL, s->name, o.bytes.data, o.bytes.size, &read) == HD_OK &&
            hd_validate(clone, NULL) == HD_OK && hd_validate(parsed, NULL) == HD_OK &&
            hd_validate(read, NULL) == HD_OK &&
            hd_require(clone->first_function, HD_META_ALL) == HD_OK &&
            compile(shader, (unsigned)(s - shapes), &o.code) &&
            refuse("shader compute \"x\" {\n  function @main {\n    b0:\n      %1:32 = nothing\n");
   hd_shader_destroy(shader);
   hd_shader_destroy(clone);
   hd_shader_destroy(parsed);
   hd_shader_destroy(read);
   return o;
}

static void
release(outcome *o)
{
   hd_blob_finish(&o->text);
   hd_blob_finish(&o->bytes);
   hd_blob_finish(&o->code);
}

static void *
run(void *user)
{
   job *j = user;

   pthread_barrier_wait(&start);
   for (unsigned round = 0; round < ROUNDS; round++) {
      for (unsigned n = 0; n < num_shapes; n++) {
         unsigned i = (j->first + n) % num_shapes;

         release(&j->outcomes[i]);
         j->outcomes[i] = work(&shapes[i]);
      }
   }
   return NULL;
}

static void
test_eight_threads_on_eight_shaders(void **state)
{
   static job jobs[NUM_THREADS];
   outcome alone[32];

   (void)state;
   assert_true(num_shapes <= 32);
   assert_int_equal(pthread_barrier_init(&start, NULL, NUM_THREADS), 0);
   for (unsigned t = 0; t < NUM_THREADS; t++) {
      jobs[t].first = t;
      assert_int_equal(pthread_create(&jobs[t].thread, NULL, run, &jobs[t]), 0);
   }
   for (unsigned t = 0; t < NUM_THREADS; t++)
      assert_int_equal(pthread_join(jobs[t].thread, NULL), 0);
   pthread_barrier_destroy(&start);

   for (unsigned i = 0; i < num_shapes; i++) {
      alone[i] = work(&shapes[i]);
      if (!alone[i].good)
         print_error("%s\n", shapes[i].name);
      assert_true(alone[i].good);
      for (unsigned t = 0; t < NUM_THREADS; t++) {
         const outcome *o = &jobs[t].outcomes[i];

         assert_true(o->good);
         assert_int_equal(o->text.size, alone[i].text.size);
         assert_memory_equal(o->text.data, alone[i].text.data, o->text.size);
         assert_int_equal(o->bytes.size, alone[i].bytes.size);
         assert_memory_equal(o->bytes.data, alone[i].bytes.data, o->bytes.size);
         assert_memory_equal(&o->hash, &alone[i].hash, sizeof(o->hash));
         assert_int_equal(o->code.size, alone[i].code.size);
         assert_memory_equal(o->code.data, alone[i].code.data, o->code.size);
         release(&jobs[t].outcomes[i]);
      }
      release(&alone[i]);
   }
}

/* What does not change a shader, done to one that others have, too. */
static outcome
look(const hd_shader *shader, unsigned number)
{
   const hd_function *f = shader->first_function;
   const hd_instr *first = hd_function_start(f)->first;
   outcome o = { .good = false };
   hd_numbering *numbering = NULL;
   hd_shader *clone = NULL;
   hd_blob line = { 0 };
   hd_hash key;

   o.good = hd_print_shader(shader, NULL, &o.text) == HD_OK &&
            hd_print_function(f, NULL, &o.text) == HD_OK &&
            hd_write_binary(shader, &o.bytes) == HD_OK &&
            hd_shader_hash(shader, &o.hash) == HD_OK &&
            hd_cache_key(shader, "t", "", 0, &key) == HD_OK &&
            hd_shader_clone(shader, NULL, &clone) == HD_OK &&
            hd_numbering_create(f, &numbering) == HD_OK &&
            hd_print_instr(first, numbering, NULL, &line, NULL) == HD_OK &&
            compile(shader, number, &o.code) && hd_shader_find_function(shader, f->name) == f &&
            hd_shader_memory(shader).live;
   hd_blob_append(&o.text, line.data, line.size);
   hd_numbering_destroy(numbering);
   hd_shader_destroy(clone);
   hd_blob_finish(&line);
   return o;
}

typedef struct onlooker {
   pthread_t thread;
   const hd_shader *shader;
   const hd_numbering *numbering; /* shared as well */
   unsigned number;
   outcome outcome;
   bool good;
} onlooker;

static void *
look_on(void *user)
{
   onlooker *o = user;

   pthread_barrier_wait(&start);
   o->good = true;
   for (unsigned round = 0; round < ROUNDS; round++) {
      release(&o->outcome);
      o->outcome = look(o->shader, o->number);
      o->good &= o->outcome.good;
      hd_foreach_block(b, o->shader->first_function) {
         hd_blob line = { 0 };
         o->good &= hd_print_node(&b->node, o->numbering, NULL, &line, NULL) == HD_OK;
         hd_blob_finish(&line);
      }
   }
   return NULL;
}

static void
test_eight_threads_on_one_shader(void **state)
{
   (void)state;
   for (unsigned i = 0; i < num_shapes; i++) {
      static onlooker all[NUM_THREADS];
      /* With a budget: what each call may take is its own. */
      const hd_config config = { .budget = { (size_t)1 << 30, 1000000000 } };
      hd_numbering *numbering = NULL;
      hd_result result;
      hd_shader *shader = shape_build(&shapes[i], &config, 300, &result);

      assert_int_equal(result, HD_OK);
      assert_int_equal(hd_numbering_create(shader->first_function, &numbering), HD_OK);
      assert_int_equal(pthread_barrier_init(&start, NULL, NUM_THREADS), 0);
      for (unsigned t = 0; t < NUM_THREADS; t++) {
         all[t] = (onlooker){ .shader = shader, .numbering = numbering, .number = i };
         assert_int_equal(pthread_create(&all[t].thread, NULL, look_on, &all[t]), 0);
      }
      for (unsigned t = 0; t < NUM_THREADS; t++)
         assert_int_equal(pthread_join(all[t].thread, NULL), 0);
      pthread_barrier_destroy(&start);
      for (unsigned t = 0; t < NUM_THREADS; t++) {
         const outcome *o = &all[t].outcome, *first = &all[0].outcome;

         assert_true(all[t].good);
         assert_int_equal(o->text.size, first->text.size);
         assert_memory_equal(o->text.data, first->text.data, o->text.size);
         assert_memory_equal(o->bytes.data, first->bytes.data, first->bytes.size);
         assert_memory_equal(&o->hash, &first->hash, sizeof(o->hash));
         assert_int_equal(o->code.size, first->code.size);
         assert_memory_equal(o->code.data, first->code.data, o->code.size);
      }
      for (unsigned t = 0; t < NUM_THREADS; t++)
         release(&all[t].outcome);
      hd_numbering_destroy(numbering);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_eight_threads_on_eight_shaders),
      cmocka_unit_test(test_eight_threads_on_one_shader),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
