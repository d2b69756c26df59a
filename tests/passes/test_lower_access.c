/* SPDX-License-Identifier: MIT */
/* test_lower_access.c - loads and stores of every size, at every alignment that is known of them or
 * not, in every memory, before and after hd_lower_access with machines that are drawn from a seed;
 * and random programs the same way. The memory of the interpreter says whether they do the same.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/access.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/compare.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#include "gen/random_program.h"
#include "support/heard.h"

#define PROGRAMS 400u

static uint32_t
below(uint64_t *state, uint32_t limit)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return (uint32_t)((z ^ z >> 31) >> 16) % limit;
}

/* A machine: what it has of each kind of access. Bit n of `sizes`: components of 8 << n bits. */
struct machine {
   struct {
      uint8_t sizes, most_components;
      bool unaligned; /* components need no alignment */
      bool vectors_aligned;
   } has[2];         /* loads, stores */
   unsigned longest; /* bytes that are loaded more than asked for, in aligned units */
};

static struct machine
draw_machine(uint64_t seed)
{
   static const uint8_t sizes[] = { 4, 15, 5, 12, 7, 8, 2, 1, 6 };
   uint64_t state = seed;
   struct machine m = { .longest = 4u << below(&state, 3) };

   for (unsigned n = 0; n < 2; n++) {
      m.has[n].sizes = sizes[below(&state, 9)];
      m.has[n].most_components = (uint8_t)(1 + below(&state, 4));
      m.has[n].unaligned = below(&state, 4) == 0;
      m.has[n].vectors_aligned = below(&state, 2);
   }
   return m;
}

static unsigned asked;

/* The widest of what the machine has. What it has not is asked for all the same: of loads the smallest
 * component that it has, of stores by masks.
 */
static hd_access_piece
answer(const hd_access_query *q, void *user)
{
   const struct machine *m = user;
   const uint32_t known = hd_access_known_align(q);
   hd_access_piece best = { .masked = true };
   uint32_t best_size = 0;

   asked++;
   assert_true(q->bytes >= 1 && q->bytes <= 128);
   if (q->access & HD_ACCESS_VOLATILE)
      return (hd_access_piece){ .bits = q->bits, .num_components = q->num_components, .align = 1 };
   for (unsigned n = 4; n--;) {
      const unsigned bits = 8u << n;
      if (!(m->has[q->store].sizes >> n & 1))
         continue;
      if (!best_size && !q->store)
         best = (hd_access_piece){ .bits = (uint8_t)bits,
                                   .num_components = 1,
                                   .align = (uint16_t)(bits / 8) };
      for (unsigned num = m->has[q->store].most_components; num; num--) {
         const uint32_t size = num * bits / 8;
         uint32_t align = m->has[q->store].unaligned ? 1 : bits / 8;
         while (m->has[q->store].vectors_aligned && align < size)
            align *= 2;
         const bool fits = size <= q->bytes || (!q->store && size <= align && size <= m->longest);
         if (fits && align <= known && size > best_size) {
            best_size = size;
            best = (hd_access_piece){ .bits = (uint8_t)bits,
                                      .num_components = (uint8_t)num,
                                      .align = (uint16_t)align };
         }
      }
   }
   return best;
}

static bool
run(hd_function *f, const hd_pass_step *step)
{
   return hd_progress(f, hd_lower_access(f, answer, step->user), HD_META_GRAPH);
}

static const hd_pass own = { .name = "own_access",
                             .forms = HD_PASS_TREE | HD_PASS_FLAT,
                             .preserves_meta = HD_META_GRAPH,
                             .run = run };

static hd_result
lower(hd_shader *shader, struct machine *m, bool *progress)
{
   hd_pass_step step = hd_pass_step_default(&own);
   hd_run_options options = { .validate = true, .verify_meta = true };

   step.user = m;
   return hd_run_passes(shader, &step, 1, &options, progress);
}

/* Has the machine this access? A store of a dword may be the end of a masked one. */
static bool
fits(const struct machine *m, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const bool store = info->writes != 0;
   const hd_def *value = store ? hd_instr_src(&i->instr, 0)->def : &i->instr.def;
   const unsigned bits = value->bit_size, num = value->num_components, size = bits / 8 * num;
   const hd_access_query q = { .align_mul = hd_intrinsic_index(i, HD_INDEX_ALIGN_MUL),
                               .align_offset = hd_intrinsic_index(i, HD_INDEX_ALIGN_OFFSET) };
   const uint32_t known = hd_access_known_align(&q);

   if (hd_intrinsic_index(i, HD_INDEX_ACCESS) & HD_ACCESS_VOLATILE)
      return true;
   if (store && info->writes == HD_MEMORY_SCRATCH && size == 4 && num == 1 && known >= 4)
      return true;
   if (!store && info->reads == HD_MEMORY_SCRATCH && size == 4 && num == 1 && known >= 4)
      return true;
   return m->has[store].sizes & bits / 8 && num <= m->has[store].most_components &&
          (m->has[store].unaligned || known >= bits / 8) &&
          (!m->has[store].vectors_aligned || known >= size);
}

static void
look(hd_shader *shader, const struct machine *m, uint64_t seed)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(block, f) {
         hd_foreach_instr(i, block) {
            const hd_intrinsic_info *info =
                i->kind == HD_INSTR_INTRINSIC ? hd_instr_intrinsic_info(i) : NULL;
            if (info && info->slots[HD_INDEX_ALIGN_MUL] && !fits(m, (const hd_intrinsic *)i))
               fail_msg("machine %llu has no such %s", (unsigned long long)seed, info->name);
         }
      }
   }
}

/* Before and after. */
static bool
try_machine(hd_shader *shader, uint64_t seed, uint64_t program, unsigned num_launches)
{
   struct machine m = draw_machine(seed);
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   const hd_config config = { .diag = sink };
   const hd_diff_test_options launches = { .seed = seed, .num_launches = num_launches };
   hd_diff_test *trial;
   hd_shader *copy;
   bool progress;

   assert_int_equal(hd_shader_clone(shader, &config, &copy), HD_OK);
   assert_int_equal(hd_diff_test_create(shader, &launches, &trial), HD_OK);
   const bool runs = hd_diff_test_num_runs(trial, NULL) != 0;
   hd_result result = lower(copy, &m, &progress);
   if (result == HD_OK && progress)
      result = hd_diff_test_compare(trial, copy, &sink, NULL);
   if (result != HD_OK)
      fail_msg("machine %llu, program %llu: %s", (unsigned long long)seed,
               (unsigned long long)program, heard.last);
   look(copy, &m, seed);
   hd_diff_test_destroy(trial);
   hd_shader_destroy(copy);
   return runs && progress;
}

static hd_shader *
parse(const char *text)
{
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader;

   assert_int_equal(hd_parse(&config, NULL, text, strlen(text), &shader), HD_OK);
   return shader;
}

/* A lane loads `shape` from its part of a memory, and stores it there, `at` bytes into it, of which
 * `mul` and `offset` are known.
 */
static hd_shader *
access_program(const char *place, unsigned bits, unsigned num, unsigned at, unsigned offset,
               unsigned mul)
{
   const bool global = !strcmp(place, "global"), buffer = !strcmp(place, "buffer");
   const bool written = global || buffer || !strcmp(place, "shared") || !strcmp(place, "scratch");
   const unsigned place_of = (at + offset) & (mul - 1);
   char text[4000], shape[20], where[60], known[80], fill[600] = "", store[200] = "";

   if (num > 1)
      snprintf(shape, sizeof(shape), "%ux%u", bits, num);
   else
      snprintf(shape, sizeof(shape), "%u", bits);
   snprintf(where, sizeof(where), "%s%s", buffer ? "%zero, " : "", global ? "%wide" : "%mine");
   snprintf(known, sizeof(known), "%salign_mul=%u align_offset=%u offset=%u",
            buffer ? "set=0 binding=0 " : "", mul, place_of, offset);
   if (!strcmp(place, "shared") || !strcmp(place, "scratch")) {
      for (unsigned n = 0; n < 12; n++)
         snprintf(fill + strlen(fill), sizeof(fill) - strlen(fill),
                  "store_%s %%seen, %%base offset=%u align_mul=4\n", place, 4 * n * 4 % 160);
   }
   if (written)
      snprintf(store, sizeof(store), "store_%s %%value, %s %s\n", place, where, known);
   snprintf(
       text, sizeof(text),
       "shader compute \"access\" {\n workgroup 32 1 1\n shared 8192\n scratch 8192\n push 8192\n"
       "function @main() {\n b0:\n"
       "%%zero:32 = const 0\n%%lane:32 = local_invocation_index\n%%size:32 = const 160\n"
       "%%base:32 = imul %%lane, %%size\n%%at:32 = const %u\n%%mine:32 = iadd %%base, %%at\n"
       "%%begin:64 = const 0x10000\n%%far:64 = u2u %%mine\n%%wide:64 = iadd %%begin, %%far\n"
       "%%seen:32 = load_buffer %%zero, %%base set=0 binding=2 align_mul=4\n%s"
       "%%value:%s = load_%s %s %s\n"
       "store_buffer %%value, %%zero, %%base set=0 binding=1 align_mul=32\n%s"
       "return\n}\n}\n",
       at, fill, shape, place, where, known, store);
   return parse(text);
}

static void
test_alignments(void **unused)
{
   static const char *const places[] = { "global", "buffer", "shared", "scratch", "push" };
   uint64_t state = 77;
   unsigned compared = 0, tried = 0;

   (void)unused;
   for (unsigned place = 0; place < 5; place++) {
      for (unsigned bits = 8; bits <= 64; bits *= 2) {
         for (unsigned at = 0; at < 8; at++) {
            for (unsigned mul = 1; mul <= 16; mul *= 2) {
               const unsigned num = 1 + below(&state, bits == 64 ? 6 : 8);
               const unsigned offset = below(&state, 3) ? 0 : below(&state, 9);
               hd_shader *shader = access_program(places[place], bits, num, at, offset, mul);
               for (unsigned n = 0; n < 4; n++, tried++)
                  compared += try_machine(shader, below(&state, 100000), tried, 1);
               hd_shader_destroy(shader);
            }
         }
      }
   }
   print_message("%u of %u changed and compared\n", compared, tried);
   assert_true(compared > tried / 2);
}

/* The pass of the library, with options that are drawn: 0 the sizes of loads, 1 of stores, 2 components,
 * 3 alignment, 4 masked, 5 memory.
 */
static bool
has(const hd_pass_step *step, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const bool store = info->writes != 0;
   const hd_def *value = store ? hd_instr_src(&i->instr, 0)->def : &i->instr.def;
   const uint32_t bytes = value->bit_size / 8u, size = bytes * value->num_components;
   const hd_access_query q = { .align_mul = hd_intrinsic_index(i, HD_INDEX_ALIGN_MUL),
                               .align_offset = hd_intrinsic_index(i, HD_INDEX_ALIGN_OFFSET) };
   const uint32_t known = hd_access_known_align(&q);

   if (info->reads == HD_MEMORY_SCRATCH || info->writes == HD_MEMORY_SCRATCH) {
      /* What masks are made of. */
      if (size == 4 && value->num_components == 1 && known >= 4)
         return true;
   }
   return (step->values[store] & bytes) && value->num_components <= step->values[2] &&
          known >= (size < step->values[3] ? bytes : step->values[3]);
}

static bool
try_options(hd_shader *shader, uint64_t *state, unsigned place)
{
   const hd_diff_test_options launches = { .seed = place, .num_launches = 1 };
   const hd_run_options options = { .validate = true, .verify_meta = true };
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   const hd_config config = { .diag = sink };
   hd_pass_step step = hd_pass_step_default(hd_pass_find("lower_access_sizes"));
   hd_diff_test *trial;
   hd_shader *copy;
   bool progress;

   step.values[0] = 1 + below(state, 15);
   step.values[1] = 1 + below(state, 15);
   step.values[2] = 1 + below(state, 16);
   step.values[3] = 1u << below(state, 8);
   step.values[4] = 1;
   assert_int_equal(hd_shader_clone(shader, &config, &copy), HD_OK);
   assert_int_equal(hd_diff_test_create(shader, &launches, &trial), HD_OK);
   const bool runs = hd_diff_test_num_runs(trial, NULL) != 0;
   hd_result result = hd_run_passes(copy, &step, 1, &options, &progress);
   if (result == HD_OK && progress)
      result = hd_diff_test_compare(trial, copy, &sink, NULL);
   if (result != HD_OK)
      fail_msg("(%u,%u,%u,%u), program %u: %s", step.values[0], step.values[1], step.values[2],
               step.values[3], place, heard.last);
   hd_foreach_function(f, copy) {
      hd_foreach_block(block, f) {
         hd_foreach_instr(i, block) {
            const hd_intrinsic_info *info =
                i->kind == HD_INSTR_INTRINSIC ? hd_instr_intrinsic_info(i) : NULL;
            if (info && info->slots[HD_INDEX_ALIGN_MUL] && !has(&step, (const hd_intrinsic *)i))
               fail_msg("(%u,%u,%u,%u) has no such %s", step.values[0], step.values[1],
                        step.values[2], step.values[3], info->name);
         }
      }
   }
   hd_diff_test_destroy(trial);
   hd_shader_destroy(copy);
   return runs && progress;
}

static void
test_options(void **unused)
{
   static const char *const places[] = { "global", "buffer", "shared", "scratch", "push" };
   uint64_t state = 78;
   unsigned compared = 0;

   (void)unused;
   for (unsigned n = 0; n < 1000; n++) {
      const unsigned bits = 8u << below(&state, 4), num = 1 + below(&state, bits == 64 ? 6 : 8);
      const unsigned at = below(&state, 8), mul = 1u << below(&state, 5);
      const unsigned offset = below(&state, 3) ? 0 : below(&state, 9);
      hd_shader *shader = access_program(places[n % 5], bits, num, at, offset, mul);
      compared += try_options(shader, &state, n);
      hd_shader_destroy(shader);
   }
   print_message("%u of 1000 changed and compared\n", compared);
   assert_true(compared > 500);
}

static void
test_programs(void **unused)
{
   unsigned compared = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
      hd_shader *shader = random_program(NULL, seed, NULL);
      assert_non_null(shader);
      compared += try_machine(shader, 5000 + seed, seed, 2);
      hd_shader_destroy(shader);
   }
   print_message("%u of %u changed and compared\n", compared, PROGRAMS);
   assert_true(compared > PROGRAMS / 2);
}

/* Memory of the shader's own that ends with a part of a unit. */
static void
test_rounded_up(void **unused)
{
   static const char text[] = "shader compute {\n workgroup 32 1 1\n shared 4\n scratch 12\n"
                              " function @main {\n b0:\n  %z:32 = const 0\n  %e:32 = const 8\n"
                              "  %x:32 = load_scratch %e align_mul=4\n"
                              "  %y:32 = load_shared %z align_mul=8\n  %s:32 = iadd %x, %y\n"
                              "  store_buffer %s, %z, %z align_mul=4\n }\n}\n";
   hd_pass_step step = hd_pass_step_default(hd_pass_find("lower_access_sizes"));
   hd_shader *shader = parse(text);
   bool progress;

   (void)unused;
   step.values[0] = 8;
   step.values[5] = HD_MEMORY_SCRATCH | HD_MEMORY_SHARED;
   assert_int_equal(hd_run_passes(shader, &step, 1, NULL, &progress), HD_OK);
   assert_true(progress);
   assert_int_equal(shader->scratch_size, 16);
   assert_int_equal(shader->shared_size, 8);
   hd_shader_destroy(shader);
}

/* What is refused, and how that is told. */

static hd_access_piece
bad_answer(const hd_access_query *q, void *user)
{
   hd_access_piece p = *(const hd_access_piece *)user;

   (void)q;
   return p;
}

static bool
run_bad(hd_function *f, const hd_pass_step *step)
{
   return hd_progress(f, hd_lower_access(f, bad_answer, step->user), HD_META_GRAPH);
}

static void
refuses(const char *code, hd_access_piece piece, const char *why)
{
   hd_pass pass = own;
   char text[1000];
   bool progress;

   pass.run = run_bad;
   snprintf(text, sizeof(text),
            "shader compute \"x\" {\n workgroup 32 1 1\n function @main(%%p:64) {\n b0:\n"
            "%%v:16 = const 7\n%s\nreturn\n}\n}\n",
            code);
   for (unsigned checked = 0; checked < 2; checked++) {
      hd_shader *shader = parse(text), *copy;
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      assert_int_equal(hd_shader_clone(shader, &config, &copy), HD_OK);
      pass.checked = checked;
      hd_pass_step step = hd_pass_step_default(&pass);
      step.user = &piece;
      assert_int_equal(hd_run_passes(copy, &step, 1, NULL, &progress), HD_UNSUPPORTED);
      if (!strstr(heard.last, why))
         fail_msg("'%s' has no '%s'", heard.last, why);
      hd_shader_destroy(copy);
      hd_shader_destroy(shader);
   }
}

static void
test_refused(void **unused)
{
   const hd_access_piece dword = { .bits = 32, .num_components = 1, .align = 4 };
   hd_access_piece masked = dword, four = dword;

   (void)unused;
   masked.masked = true;
   four.num_components = 4;
   four.align = 8;
   refuses("store_global %v, %p align_mul=2", dword, "the machine has no store");
   refuses("store_global %v, %p align_mul=2 access=volatile", masked, "volatile");
   refuses("%x:64 = load_global %p align_mul=8 access=volatile", dword, "volatile");
   refuses("%x:16 = load_global %p align_mul=2", four, "cannot load");
   refuses("%x:16 = load_global %p align_mul=2", (hd_access_piece){ 0 }, "cannot load");
   refuses("%x:64 = load_global %p align_mul=8 offset=2147483640", dword, "no room");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alignments), cmocka_unit_test(test_options),
      cmocka_unit_test(test_programs),   cmocka_unit_test(test_rounded_up),
      cmocka_unit_test(test_refused),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
