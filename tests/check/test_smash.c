/* SPDX-License-Identifier: MIT */
/* test_smash.c - random fields of a valid shader are overwritten with NULL, with another live
 * object, or with a number; the validator must end, without touching what it must not, whatever it
 * says.
 *
 * The seed of each round is printed where the sanitizers or a signal would end the test: give it as
 * the first argument to see one round again, and the number of rounds as the second.
 */
#include "support/test.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shaders.h"

#include "heddle/check.h"
#include "heddle/ops.h"

static uint64_t current_seed;

static uint64_t
next_random(uint64_t *state)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

/* The live objects of the sample, by type. */
#define MOST 512
typedef struct objects {
   hd_function *functions[4];
   hd_block *blocks[MOST];
   hd_if *ifs[MOST];
   hd_loop *loops[MOST];
   hd_cf_node *nodes[MOST];
   hd_cf_list *lists[MOST];
   hd_instr *instrs[MOST];
   hd_src *srcs[MOST];
   hd_var *vars[8];
   unsigned num_functions, num_blocks, num_ifs, num_loops, num_nodes, num_lists, num_instrs,
       num_srcs, num_vars;
} objects;

static void
add_list(objects *o, hd_cf_list *list)
{
   o->lists[o->num_lists++] = list;
}

static void
collect(objects *o, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      o->functions[o->num_functions++] = f;
      add_list(o, &f->body);
      hd_foreach_var(v, f)
         o->vars[o->num_vars++] = v;
      hd_foreach_node(n, f) {
         o->nodes[o->num_nodes++] = n;
         if (n->kind == HD_CF_IF) {
            hd_if *nif = hd_node_as_if(n);
            o->ifs[o->num_ifs++] = nif;
            o->srcs[o->num_srcs++] = &nif->cond;
            add_list(o, &nif->then_list);
            add_list(o, &nif->else_list);
         } else if (n->kind == HD_CF_LOOP) {
            hd_loop *loop = hd_node_as_loop(n);
            o->loops[o->num_loops++] = loop;
            add_list(o, &loop->body);
            add_list(o, &loop->continue_list);
         } else {
            hd_block *b = hd_node_as_block(n);
            o->blocks[o->num_blocks++] = b;
            hd_foreach_instr(i, b) {
               o->instrs[o->num_instrs++] = i;
               hd_foreach_src(s, i)
                  o->srcs[o->num_srcs++] = s;
            }
         }
      }
      o->blocks[o->num_blocks++] = &f->end;
   }
}

static uint32_t
number(uint64_t *seed)
{
   static const uint32_t numbers[] = { 0,  1,  2,    3,        5,        8,         16,
                                       32, 64, 1000, 0xffffff, 1u << 31, UINT32_MAX };
   uint64_t r = next_random(seed);

   return r & 1 ? (uint32_t)(r >> 8 & 31) : numbers[(r >> 8) % 13];
}

/* NULL, or one of the objects. */
#define PICK(array) (next_random(seed) % 4 ? o->array[next_random(seed) % o->num_##array] : NULL)
#define ANY(array)  (o->array[next_random(seed) % o->num_##array])

static void
smash_function(objects *o, uint64_t *seed)
{
   hd_function *f = ANY(functions);

   switch (next_random(seed) % 14) {
   case 0:
      f->prev = PICK(functions);
      break;
   case 1:
      f->next = PICK(functions);
      break;
   case 2:
      f->shader = NULL;
      break;
   case 3:
      f->name = NULL;
      break;
   case 4:
      f->structured ^= 1;
      break;
   case 5:
      f->result_components = (uint8_t)number(seed);
      break;
   case 6:
      f->result_bits = (uint8_t)number(seed);
      break;
   case 7:
      f->num_params = number(seed);
      break;
   case 8:
      f->num_defs = number(seed) & 0xfff;
      break;
   case 9:
      f->num_blocks = number(seed) & 0xfff; /* tables are as long */
      break;
   case 10:
      f->num_vars = number(seed);
      break;
   case 11:
      f->first_var = PICK(vars);
      break;
   case 12:
      f->last_var = PICK(vars);
      break;
   case 13:
      f->num_extracted = number(seed);
      break;
   }
}

static void
smash_node(objects *o, uint64_t *seed)
{
   hd_cf_node *n = ANY(nodes);

   switch (next_random(seed) % 7) {
   case 0:
      n->prev = PICK(nodes);
      break;
   case 1:
      n->next = PICK(nodes);
      break;
   case 2:
      n->list = PICK(lists);
      break;
   case 3:
      n->index = number(seed);
      break;
   case 4:
      n->loc = number(seed) & 0xffffff;
      break;
   case 5:
      n->named ^= 1;
      break;
   case 6:
      n->header ^= 1;
      break;
   }
}

static void
smash_list(objects *o, uint64_t *seed)
{
   hd_cf_list *list = ANY(lists);

   switch (next_random(seed) % 4) {
   case 0:
      list->first = PICK(nodes);
      break;
   case 1:
      list->last = PICK(nodes);
      break;
   case 2:
      list->parent = PICK(nodes);
      break;
   case 3:
      list->function = PICK(functions);
      break;
   }
}

static void
smash_block(objects *o, uint64_t *seed)
{
   hd_block *b = ANY(blocks);

   switch (next_random(seed) % 11) {
   case 0:
      b->first = PICK(instrs);
      break;
   case 1:
      b->last = PICK(instrs);
      break;
   case 2:
      b->succs = NULL;
      break;
   case 3:
      b->preds = NULL;
      break;
   case 4:
      b->num_succs = number(seed);
      break;
   case 5:
      b->num_preds = number(seed);
      break;
   case 6:
      b->loop_header = PICK(blocks);
      break;
   case 7:
      b->continues = PICK(blocks);
      break;
   case 8:
      if (b->succs && b->succ_capacity)
         b->succs[next_random(seed) % b->succ_capacity] = (hd_edge){ PICK(blocks), number(seed) };
      break;
   case 9:
      if (b->preds && b->pred_capacity)
         b->preds[next_random(seed) % b->pred_capacity] = (hd_pred){ PICK(blocks), number(seed) };
      break;
   case 10:
      if (b->succs && b->num_succs <= b->succ_capacity && b->num_succs)
         b->succs[next_random(seed) % b->num_succs].pred = number(seed);
      break;
   }
}

static void
smash_kind(objects *o, hd_instr *i, uint64_t *seed)
{
   switch (i->kind) {
   case HD_INSTR_CONST:
      ((hd_const *)i)->value[0].u64 = next_random(seed);
      break;
   case HD_INSTR_PHI: {
      hd_phi *phi = (hd_phi *)i;
      if (next_random(seed) & 1)
         phi->num_srcs = number(seed);
      else
         phi->srcs = NULL;
      break;
   }
   case HD_INSTR_INTRINSIC: {
      const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
      if (info->num_indices && i->num_srcs == info->num_srcs)
         hd_intrinsic_indices((hd_intrinsic *)i)[next_random(seed) % info->num_indices] =
             number(seed);
      break;
   }
   case HD_INSTR_CALL: {
      hd_call *call = (hd_call *)i;
      if (next_random(seed) & 1)
         call->callee = PICK(functions);
      else
         call->args = NULL;
      break;
   }
   case HD_INSTR_JUMP: {
      hd_jump *jump = (hd_jump *)i;
      i->op = (uint16_t)number(seed);
      if (jump->num_cases && !(next_random(seed) & 7))
         jump->cases = NULL;
      else if (jump->num_cases && jump->cases)
         jump->cases[next_random(seed) % jump->num_cases] =
             (hd_switch_case){ next_random(seed) & 7, number(seed) };
      break;
   }
   case HD_INSTR_PARAM:
      ((hd_param *)i)->param_index = number(seed);
      break;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      ((hd_var_access *)i)->var = PICK(vars);
      break;
   default:
      i->op = (uint16_t)number(seed);
      break;
   }
}

static void
smash_instr(objects *o, uint64_t *seed)
{
   hd_instr *i = ANY(instrs);

   switch (next_random(seed) % 12) {
   case 11:
      i->num_srcs = i->num_srcs ? 0 : HD_NUM_SRCS_WIDE;
      break;
   case 0:
      i->prev = PICK(instrs);
      break;
   case 1:
      i->next = PICK(instrs);
      break;
   case 2:
      i->block = PICK(blocks);
      break;
   case 3:
      i->loc = number(seed) & 0xffffff;
      break;
   case 4:
      i->flags = number(seed) & 0xff;
      break;
   case 5:
      i->def.uses = PICK(srcs);
      break;
   case 6:
      i->def.index = number(seed);
      break;
   case 7:
      /* A constant is as long as it was made. */
      if (i->kind != HD_INSTR_CONST)
         i->def.num_components = (uint8_t)number(seed);
      break;
   case 8:
      i->def.bit_size = (uint8_t)number(seed);
      break;
   case 9:
      i->def.flags = (uint8_t)number(seed);
      break;
   case 10:
      smash_kind(o, i, seed);
      break;
   }
}

static void
smash_src(objects *o, uint64_t *seed)
{
   hd_src *s = ANY(srcs);

   switch (next_random(seed) % 4) {
   case 0:
      s->def = next_random(seed) % 4 ? &ANY(instrs)->def : NULL;
      break;
   case 1:
      s->next_link = (uintptr_t)PICK(srcs) | (s->next_link & 7);
      break;
   case 2:
      s->prev_link = (uintptr_t)PICK(srcs) | (s->prev_link & 7);
      break;
   case 3:
      s->next_link ^= next_random(seed) & 7;
      s->prev_link ^= next_random(seed) & 7;
      break;
   }
}

static void
smash_var(objects *o, uint64_t *seed)
{
   hd_var *v = ANY(vars);

   switch (next_random(seed) % 6) {
   case 0:
      v->prev = PICK(vars);
      break;
   case 1:
      v->next = PICK(vars);
      break;
   case 2:
      v->name = NULL;
      break;
   case 3:
      v->index = number(seed);
      break;
   case 4:
      v->array_length = number(seed);
      break;
   case 5:
      v->bit_size = (uint8_t)number(seed);
      break;
   }
}

static void
ignore(void *user, const hd_diag *d)
{
   assert_non_null(d->message);
   ++*(unsigned *)user;
}

static void
smash_round(uint64_t round_seed)
{
   static void (*const kinds[])(objects *, uint64_t *) = {
      smash_function, smash_node,  smash_list, smash_block, smash_block, smash_instr,
      smash_instr,    smash_instr, smash_src,  smash_src,   smash_var,
   };
   uint64_t state = round_seed, *seed = &state;
   unsigned messages = 0;
   hd_validate_options options = { .diag = { &messages, ignore } };
   sample s = sample_create(NULL);
   objects o = { .num_functions = 0 };

   collect(&o, s.shader);
   for (uint64_t n = 1 + next_random(seed) % 3; n; n--)
      kinds[next_random(seed) % 11](&o, seed);

   hd_result result = hd_validate(s.shader, &options);
   assert_true(result == HD_OK ? !messages : result == HD_INVALID && messages);
   /* Saying it again gives the same. */
   unsigned before = messages;
   assert_int_equal(hd_validate(s.shader, &options), result);
   assert_int_equal(messages, 2 * before);
   /* To destroy a shader the list of its functions must be one. */
   s.shader->first_function = s.main;
   s.main->next = s.helper;
   s.helper->next = s.graph;
   s.graph->next = NULL;
   hd_shader_destroy(s.shader);
}

/* Tell the seed from within a signal: only what is safe there. */
static void
tell_seed(int signal_number)
{
   char text[] = "test_smash: seed 0x0000000000000000\n";

   for (unsigned n = 0; n < 16; n++)
      text[19 + n] = "0123456789abcdef"[current_seed >> (60 - 4 * n) & 15];
   ssize_t written = write(2, text, sizeof(text) - 1);
   (void)written;
   signal(signal_number, SIG_DFL);
   raise(signal_number);
}

static uint64_t first_seed, num_rounds = 5000;

static void
test_smash(void **state)
{
   (void)state;
   print_message("first seed 0x%llx, %llu rounds\n", (unsigned long long)first_seed,
                 (unsigned long long)num_rounds);
   for (uint64_t n = 0; n < num_rounds; n++) {
      current_seed = first_seed + n;
      alarm(20);
      smash_round(current_seed);
   }
   alarm(0);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_smash) };

   first_seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL) << 20;
   if (argc > 1)
      num_rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
   signal(SIGALRM, tell_seed);
   signal(SIGABRT, tell_seed);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
