/* SPDX-License-Identifier: MIT */
/* test_ssa.c - ssa.h: several definitions merged do what a variable does; liveness beside the equations
 * that define it; repair and parallel copies as users call them; no memory.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/random_program.h"
#include "heddle/heddle_tools.h"
#include "support/memory.h"

#define PROGRAMS 400u
#define MAX_DEFS 256u

static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(*state >> 33);
}

static bool
is_store_of_word(hd_instr *i)
{
   const hd_intrinsic *store = hd_instr_as_intrinsic(i);

   return store && !strncmp(hd_intrinsic_get_info((hd_intrinsic_id)i->op)->name, "store_", 6) &&
          hd_instr_src(i, 0)->def->bit_size == 32 && hd_instr_src(i, 0)->def->num_components == 1;
}

/* A value that is defined in the start block and here and there, and mixed into what is stored. As a
 * variable, or as definitions of which a use reads any. Returns how many uses there are.
 */
static unsigned
define(hd_function *f, uint64_t state, hd_def **defs, uint32_t *num)
{
   hd_var *var = defs ? NULL : hd_var_create(f, "v", 1, 32, 0);
   unsigned num_uses = 0;
   uint32_t made = 0;

   hd_foreach_block(b, f) {
      if (b != hd_function_start(f) && (next_random(&state) % 4 || made == MAX_DEFS))
         continue;
      hd_builder at = hd_builder_at(hd_before_block(b));
      hd_def *value = hd_imm_u32(&at, 0x100u + 0x1000u * made);
      if (var)
         hd_store_var(&at, var, NULL, value);
      else
         defs[made] = value;
      made++;
   }
   hd_foreach_block(b, f) {
      hd_foreach_instr_safe(i, b) {
         if (!is_store_of_word(i))
            continue;
         const uint32_t any = next_random(&state);
         if (any % 3 == 0)
            continue;
         hd_builder at = hd_builder_at(hd_before_instr(i));
         hd_def *v = var ? hd_load_var(&at, var, NULL) : defs[any % made];
         hd_src_set_def(hd_instr_src(i, 0), hd_ixor(&at, hd_instr_src(i, 0)->def, v));
         num_uses++;
      }
   }
   if (num)
      *num = made;
   return num_uses;
}

static unsigned
count_phis(const hd_function *f)
{
   unsigned num = 0;

   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b)
         num++;
   }
   return num;
}

static void
test_merge(void **unused)
{
   const hd_diag_sink sink = hd_diag_to_file(stderr);
   unsigned num_uses = 0, num_phis = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
      const program_options options = { .compute = true };
      hd_shader *with_var = random_program(NULL, seed, &options), *merged = NULL;
      hd_def *defs[MAX_DEFS];
      assert_int_equal(hd_shader_clone(with_var, NULL, &merged), HD_OK);
      hd_foreach_function(f, with_var)
         num_uses += define(f, seed, NULL, NULL);
      hd_foreach_function(f, merged) {
         uint32_t num, made = UINT32_MAX;
         define(f, seed, defs, &num);
         const unsigned before = count_phis(f);
         assert_int_equal(hd_ssa_merge(f, defs, num, &made), HD_OK);
         assert_int_equal(count_phis(f), before + made);
         num_phis += made;
      }
      const hd_validate_options validate = { .diag = sink };
      if (hd_validate(merged, &validate) != HD_OK ||
          hd_compare(with_var, merged, NULL, &sink) == HD_INVALID)
         fail_msg("seed %u", (unsigned)seed);
      hd_shader_destroy(with_var);
      hd_shader_destroy(merged);
   }
   assert_true(num_uses > PROGRAMS);
   assert_true(num_phis > PROGRAMS / 4);
}

static hd_shader *
parse(const hd_config *config, const char *text)
{
   hd_shader *shader = NULL;

   return hd_parse(config, NULL, text, strlen(text), &shader) == HD_OK ? shader : NULL;
}

static const char arms[] = "shader compute \"s\" {\n"
                           "  workgroup 64 1 1\n"
                           "  function @main(%p:64, %a:32, %c:1) {\n"
                           "    b0:\n"
                           "      %1:32 = iadd %a, %a\n"
                           "      if %c {\n"
                           "        b1:\n"
                           "          %2:32 = imul %a, %a\n"
                           "      } else {\n"
                           "        b2:\n"
                           "      }\n"
                           "    b3:\n"
                           "      store_global %1, %p align_mul=4\n"
                           "  }\n"
                           "}\n";

static hd_def *
first_alu(hd_function *f, hd_op op)
{
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (i->kind == HD_INSTR_ALU && i->op == op)
            return &i->def;
      }
   }
   return NULL;
}

static void
test_merge_refused(void **unused)
{
   hd_shader *shader = parse(NULL, arms);
   hd_shader *other = parse(NULL, arms);
   hd_function *f = shader->first_function;
   hd_def *sum = first_alu(f, HD_OP_IADD), *product = first_alu(f, HD_OP_IMUL);
   hd_def *const of_other[] = { sum, first_alu(other->first_function, HD_OP_IMUL) };
   hd_builder b = hd_builder_at(hd_before_instr(hd_def_instr(sum)));
   hd_def *const sizes[] = { sum, hd_imm_u64(&b, 1) };
   hd_def *const good[] = { sum, product };
   uint32_t num = 0;

   (void)unused;
   assert_int_equal(hd_ssa_merge(f, NULL, 0, &num), HD_INVALID);
   assert_int_equal(hd_ssa_merge(f, of_other, 2, &num), HD_INVALID);
   assert_int_equal(hd_ssa_merge(f, sizes, 2, &num), HD_INVALID);
   assert_int_equal(hd_ssa_merge(f, good, 2, &num), HD_OK);
   assert_int_equal(num, 1);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   hd_shader_destroy(shader);
   hd_shader_destroy(other);
}

/* A definition is moved into an arm: a phi with undef. */
static void
test_repair(void **unused)
{
   hd_shader *shader = parse(NULL, arms);
   hd_function *f = shader->first_function;
   hd_def *sum = first_alu(f, HD_OP_IADD), *product = first_alu(f, HD_OP_IMUL);
   uint32_t num = 0;

   (void)unused;
   hd_instr_move(hd_before_instr(hd_def_instr(product)), hd_def_instr(sum));
   assert_int_equal(hd_validate(shader, NULL), HD_INVALID);
   assert_int_equal(hd_ssa_repair(f, &num), HD_OK);
   assert_int_equal(num, 1);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   assert_int_equal(hd_ssa_repair(f, &num), HD_OK);
   assert_int_equal(num, 0);
   hd_shader_destroy(shader);
}

/* Liveness by its equations */

struct equations {
   hd_function *f;
   bool *in, *out; /* by block index and definition's index */
};

static bool *
bit(const struct equations *e, bool *sets, const hd_block *b, uint32_t def)
{
   return &sets[(size_t)b->node.index * e->f->num_defs + def];
}

static bool
flow_through(struct equations *e, hd_block *b)
{
   bool changed = false;

   for (uint32_t n = 0; n < b->num_succs; n++) {
      hd_block *to = b->succs[n].to;
      for (uint32_t d = 0; d < e->f->num_defs; d++) {
         if (*bit(e, e->in, to, d) && !*bit(e, e->out, b, d))
            changed = *bit(e, e->out, b, d) = true;
      }
      hd_foreach_phi(phi, to) {
         bool *live = bit(e, e->out, b, hd_phi_src_from(phi, b)->def->index);
         changed |= !*live;
         *live = true;
      }
   }
   bool *now = malloc(e->f->num_defs + 1);
   memcpy(now, bit(e, e->out, b, 0), e->f->num_defs);
   if (hd_block_next_if(b))
      now[hd_block_next_if(b)->cond.def->index] = true;
   for (hd_instr *i = b->last; i; i = i->prev) {
      if (hd_instr_def(i))
         now[i->def.index] = false;
      if (i->kind == HD_INSTR_PHI)
         continue;
      hd_foreach_src(src, i)
         now[src->def->index] = true;
   }
   for (uint32_t d = 0; d < e->f->num_defs; d++) {
      changed |= now[d] && !*bit(e, e->in, b, d);
      *bit(e, e->in, b, d) = now[d];
   }
   free(now);
   return changed;
}

static uint32_t
weight(void *user, const hd_def *def)
{
   (void)user;
   return def->num_components * (uint32_t)((def->bit_size + 31) / 32);
}

/* At each point between instructions, and at each instruction with what it makes. */
static uint64_t
pressure_by_points(const struct equations *e, hd_block *b)
{
   uint32_t *weights = calloc(e->f->num_defs + 1, sizeof(*weights));
   bool *now = malloc(e->f->num_defs + 1);
   uint64_t most = 0;

   memcpy(now, bit(e, e->out, b, 0), e->f->num_defs);
   hd_foreach_block(other, e->f) {
      hd_foreach_instr(i, other) {
         if (hd_instr_def(i))
            weights[i->def.index] = weight(NULL, &i->def);
      }
   }
   if (hd_block_next_if(b))
      now[hd_block_next_if(b)->cond.def->index] = true;
   for (hd_instr *i = b->last;; i = i->prev) {
      uint64_t sum = 0;
      for (uint32_t d = 0; d < e->f->num_defs; d++)
         sum += now[d] || (i && hd_instr_def(i) && i->def.index == d) ? weights[d] : 0;
      most = sum > most ? sum : most;
      if (!i)
         break;
      if (hd_instr_def(i))
         now[i->def.index] = false;
      if (i->kind == HD_INSTR_PHI)
         continue;
      hd_foreach_src(src, i)
         now[src->def->index] = true;
   }
   free(now);
   free(weights);
   return most;
}

static void
expect_set(const struct equations *e, bool *sets, const hd_block *b, hd_def *const *defs,
           uint32_t num)
{
   uint32_t found = 0;

   for (uint32_t d = 0; d < e->f->num_defs; d++) {
      if (!*bit(e, sets, b, d))
         continue;
      assert_true(found < num);
      assert_int_equal(defs[found]->index, d);
      found++;
   }
   assert_int_equal(found, num);
}

static void
check_liveness(hd_function *f)
{
   struct equations e = { .f = f };
   const size_t size = (size_t)f->num_blocks * f->num_defs + 1;
   hd_liveness *l;
   uint32_t num;

   e.in = calloc(size, 1);
   e.out = calloc(size, 1);
   for (bool changed = true; changed;) {
      changed = false;
      hd_foreach_block(b, f)
         changed |= flow_through(&e, b);
   }
   assert_int_equal(hd_liveness_create(f, &l), HD_OK);
   hd_foreach_block(b, f) {
      hd_def *const *in = hd_liveness_in(l, b, &num);
      expect_set(&e, e.in, b, in, num);
      hd_def *const *out = hd_liveness_out(l, b, &num);
      expect_set(&e, e.out, b, out, num);
      hd_foreach_instr(i, b) {
         if (!hd_instr_def(i))
            continue;
         assert_int_equal(hd_liveness_is_out(l, b, &i->def), *bit(&e, e.out, b, i->def.index));
         assert_false(hd_liveness_is_in(l, hd_function_start(f), &i->def));
      }
      if (hd_block_is_reachable(b))
         assert_int_equal(hd_liveness_pressure(l, b, weight, NULL), pressure_by_points(&e, b));
   }
   hd_liveness_destroy(l);
   free(e.in);
   free(e.out);
}

static void
test_liveness(void **unused)
{
   (void)unused;
   for (uint64_t seed = 1; seed <= PROGRAMS / 2; seed++) {
      hd_shader *shader = random_program(NULL, seed, NULL);
      hd_foreach_function(f, shader) {
         assert_int_equal(hd_require(f, HD_META_BLOCK_ORDER), HD_OK);
         check_liveness(f);
      }
      hd_shader_destroy(shader);
   }
}

static void
test_copies(void **unused)
{
   static const hd_copy cycle[] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
   static const hd_copy twice[] = { { 0, 1 }, { 0, 2 } };
   hd_copy_step steps[6];
   uint32_t num = 0;

   (void)unused;
   assert_int_equal(hd_sequence_copies(NULL, cycle, 3, 3, true, steps, &num), HD_OK);
   assert_int_equal(num, 2);
   assert_int_equal(hd_sequence_copies(NULL, cycle, 3, 3, false, steps, &num), HD_OK);
   assert_int_equal(num, 4);
   assert_int_equal(steps[0].to, HD_COPY_TEMPORARY);
   assert_int_equal(hd_sequence_copies(NULL, NULL, 0, 0, false, steps, &num), HD_OK);
   assert_int_equal(num, 0);
   assert_int_equal(hd_sequence_copies(NULL, cycle, 3, 2, false, steps, &num), HD_INVALID);
   assert_int_equal(hd_sequence_copies(NULL, twice, 2, 3, false, steps, &num), HD_INVALID);
   const hd_config poor = { .budget = { .steps = 3 } };
   assert_int_equal(hd_sequence_copies(&poor, cycle, 3, 3, false, steps, &num), HD_BUDGET_EXCEEDED);
}

/* Each allocation fails once; what was taken is given back. */
static void
test_no_memory(void **unused)
{
   (void)unused;
   for (unsigned which = 0; which < 4; which++) {
      hd_result result = HD_OUT_OF_MEMORY;
      for (unsigned n = 0; result != HD_OK; n++) {
         struct limited l = { .left = SIZE_MAX };
         const hd_config config = limited_config(&l);
         const hd_copy copies[] = { { 0, 1 }, { 1, 0 } };
         hd_shader *shader = random_program(&config, 7, NULL);
         hd_function *f = shader->first_function;
         hd_def *defs[MAX_DEFS];
         hd_copy_step steps[4];
         hd_liveness *live = NULL;
         uint32_t num = 0, num_steps;

         if (which == 0)
            define(f, 7, defs, &num);
         l.left = n;
         if (which == 0)
            result = hd_ssa_merge(f, defs, num, NULL);
         else if (which == 1)
            result = hd_liveness_create(f, &live);
         else if (which == 2)
            result = hd_ssa_repair(f, NULL);
         else
            result = hd_sequence_copies(&config, copies, 2, 2, false, steps, &num_steps);
         l.left = SIZE_MAX;
         assert_true(result == HD_OK || result == HD_OUT_OF_MEMORY);
         assert_int_equal(live != NULL, which == 1 && result == HD_OK);
         hd_liveness_destroy(live);
         hd_shader_destroy(shader);
         assert_int_equal(l.held, 0);
         assert_true(n < 1000);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_merge),  cmocka_unit_test(test_merge_refused),
      cmocka_unit_test(test_repair), cmocka_unit_test(test_liveness),
      cmocka_unit_test(test_copies), cmocka_unit_test(test_no_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
