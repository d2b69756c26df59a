/* SPDX-License-Identifier: MIT */
/* Copies of lists, functions and shaders: the same but for where they are. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/clone.h"
#include "heddle/ops.h"
#include "heddle/text.h"
#include "naive.h"
#include "samples.h"
#include "support/forms.h"

static hd_blob
function_text(const hd_function *f)
{
   hd_blob text = { 0 };

   assert_int_equal(hd_print_function(f, NULL, &text), HD_OK);
   return text;
}

/* Indices and the order of predecessors are part of the state that passes see. */
static void
assert_same_indices(const hd_function *f, const hd_function *g)
{
   const hd_block *c = hd_function_start(g);

   assert_int_equal(f->num_defs, g->num_defs);
   assert_int_equal(f->num_blocks, g->num_blocks);
   assert_int_equal(f->end.node.index, g->end.node.index);
   hd_foreach_block(b, f) {
      assert_int_equal(b->node.index, c->node.index);
      assert_int_equal(b->num_preds, c->num_preds);
      for (uint32_t n = 0; n < b->num_preds; n++)
         assert_int_equal(b->preds[n].from->node.index, c->preds[n].from->node.index);
      const hd_instr *j = c->first;
      hd_foreach_instr(i, b) {
         assert_int_equal(i->def.index, j->def.index);
         j = j->next;
      }
      assert_null(j);
      c = hd_block_next(c);
   }
   assert_null(c);
}

/* Takes the shader. */
static void
check_shader_clone(hd_shader *shader)
{
   hd_shader *copy = NULL;
   hd_blob text = text_of(shader);

   assert_int_equal(hd_shader_clone(shader, NULL, &copy), HD_OK);
   assert_sound(copy);
   const hd_function *g = copy->first_function;
   hd_foreach_function(f, shader) {
      assert_same_indices(f, g);
      g = g->next;
   }
   hd_shader_destroy(shader);
   hd_blob again = text_of(copy);
   assert_string_equal(text.data, again.data);
   hd_blob_finish(&text);
   hd_blob_finish(&again);
   hd_shader_destroy(copy);
}

static void
test_shader(void **state)
{
   (void)state;
   check_shader_clone(sample_features(NULL));
   for (uint64_t seed = 0; seed < 200; seed++) {
      hd_shader *shader =
          seed & 1 ? sample_tree(NULL, seed, 300) : sample_flat(NULL, seed, 1 + seed % 40);
      if (seed & 2)
         sample_scramble(shader, seed);
      check_shader_clone(shader);
   }
}

/* Functions */

/* What follows the name in the first line, to the end. */
static const char *
after_name(const hd_blob *text)
{
   return strpbrk(text->data, "(-{");
}

static void
check_function_clone(hd_shader *shader, const hd_function *f)
{
   hd_function *copy = hd_function_clone(shader, f, "the copy");

   assert_non_null(copy);
   assert_ptr_equal(hd_shader_find_function(shader, "the copy"), copy);
   assert_null(naive_check(copy));
   assert_same_indices(f, copy);
   hd_blob text = function_text(f), again = function_text(copy);
   assert_string_equal(after_name(&text), after_name(&again));
   hd_blob_finish(&text);
   hd_blob_finish(&again);
   hd_function_remove(copy);
}

static void
test_function(void **state)
{
   (void)state;
   hd_shader *features = sample_features(NULL);
   hd_foreach_function(f, features)
      check_function_clone(features, f);
   assert_sound(features);
   hd_shader_destroy(features);

   for (uint64_t seed = 0; seed < 100; seed++) {
      hd_shader *shader =
          seed & 1 ? sample_tree(NULL, seed, 200) : sample_flat(NULL, seed, 1 + seed % 30);
      if (seed & 2)
         sample_scramble(shader, seed);
      check_function_clone(shader, shader->first_function);
      hd_shader_destroy(shader);
   }
}

/* Into another shader: locations get that one's numbers, calls go to functions of the same name,
 * and where one is missing nothing is made.
 */
static void
test_function_elsewhere(void **state)
{
   (void)state;
   hd_shader *from = sample_features(NULL);
   hd_shader *to = hd_shader_create(NULL, HD_STAGE_COMPUTE, "other");
   const hd_function *helper = hd_shader_find_function(from, "helper");

   hd_shader_location(to, "another file", 1, 1);
   assert_null(hd_function_clone(to, from->first_function, "main"));
   assert_null(to->first_function);
   assert_int_equal(hd_shader_status(to), HD_OK);

   assert_non_null(hd_function_clone(to, helper, "helper"));
   assert_non_null(hd_function_clone(to, from->first_function, "main"));
   hd_blob want[2] = { function_text(from->first_function), function_text(helper) };
   hd_shader_destroy(from);
   assert_sound(to);
   hd_blob got[2] = { function_text(to->last_function), function_text(to->first_function) };
   for (unsigned n = 0; n < 2; n++) {
      assert_string_equal(want[n].data, got[n].data);
      hd_blob_finish(&want[n]);
      hd_blob_finish(&got[n]);
   }
   hd_shader_destroy(to);
}

/* Lists: a copy is compared with the original node by node, by the words of the contract. */

#define ALIKE(x)                                                                                   \
   do {                                                                                            \
      if (!(x))                                                                                    \
         fail_msg("not alike: %s", #x);                                                            \
   } while (0)

static bool
defined_in(const hd_def *def, const hd_cf_list *list)
{
   const hd_block *b = hd_def_instr(def)->block;

   for (const hd_cf_node *n = &b->node; n; n = hd_cf_node_parent(n)) {
      if (n->list == list)
         return b != hd_list_first_block(list) || hd_def_instr(def)->kind != HD_INSTR_PHI;
   }
   return false;
}

static bool
block_in(const hd_block *b, const hd_cf_list *list)
{
   for (const hd_cf_node *n = &b->node; n; n = hd_cf_node_parent(n)) {
      if (n->list == list)
         return true;
   }
   return false;
}

struct pair {
   const hd_cf_list *list, *copy;
   const hd_clone_map *map; /* what outer values become, beside what is in it of the copy */
   hd_def *outer_from, *outer_to;
};

static void
alike_src(const struct pair *p, const hd_src *src, const hd_src *copy)
{
   if (src->def == p->outer_from)
      ALIKE(copy->def == p->outer_to);
   else if (!defined_in(src->def, p->list))
      ALIKE(copy->def == src->def);
   else {
      ALIKE(copy->def == hd_clone_map_def(p->map, src->def));
      ALIKE(defined_in(copy->def, p->copy));
   }
}

static void
alike_instr(const struct pair *p, const hd_instr *i, const hd_instr *copy)
{
   unsigned num = hd_instr_num_srcs(i);

   ALIKE(i->kind == copy->kind && i->op == copy->op && i->flags == copy->flags);
   ALIKE(i->loc == copy->loc && num == hd_instr_num_srcs(copy));
   ALIKE(i->def.num_components == copy->def.num_components);
   ALIKE(i->def.bit_size == copy->def.bit_size);
   if (i->def.bit_size) {
      const char *name = hd_def_name(p->list->function, &i->def);
      const char *copy_name = hd_def_name(p->list->function, &copy->def);
      ALIKE(hd_clone_map_def(p->map, (hd_def *)&i->def) == &copy->def);
      ALIKE(name == copy_name && i->def.index != copy->def.index);
   }
   for (unsigned n = 0; n < num; n++)
      alike_src(p, hd_instr_src(i, n), hd_instr_src(copy, n));
}

static void
alike_block(const struct pair *p, const hd_block *b, const hd_block *copy)
{
   bool first = b == hd_list_first_block(p->list);
   const hd_instr *j = copy->first;

   ALIKE(hd_clone_map_block(p->map, (hd_block *)b) == copy);
   ALIKE(hd_block_name(p->list->function, b) == hd_block_name(p->list->function, copy));
   for (const hd_instr *i = first ? hd_block_first_non_phi(b) : b->first; i; i = i->next) {
      ALIKE(j);
      alike_instr(p, i, j);
      j = j->next;
   }
   ALIKE(!j);
   if (first)
      ALIKE(!copy->num_preds);
   else
      ALIKE(copy->num_preds == b->num_preds);
   if (hd_block_jump(b) || block_in(b->succs[0].to, p->list)) {
      ALIKE(copy->num_succs == b->num_succs);
      for (uint32_t n = 0; n < b->num_succs; n++) {
         const hd_block *to = b->succs[n].to, *copy_to = copy->succs[n].to;
         bool inside = block_in(to, p->list);
         ALIKE(copy_to == (inside ? hd_clone_map_block(p->map, (hd_block *)to) : to));
         hd_foreach_phi(phi, to) {
            /* What an edge out of the list brings to a phi outside. */
            if (!inside)
               alike_src(p, hd_phi_src_from(phi, b), hd_phi_src_from(phi, copy));
         }
      }
   } else {
      ALIKE(!copy->num_succs);
   }
}

static const hd_cf_list *
nth_list(const hd_cf_node *node, unsigned n)
{
   const hd_if *nif = hd_node_as_if(node);
   const hd_loop *loop = hd_node_as_loop(node);

   if (nif)
      return n ? &nif->else_list : &nif->then_list;
   return n ? &loop->continue_list : &loop->body;
}

/* The samples nest a dozen deep, so this may call itself. */
static void
alike_list(const struct pair *p, const hd_cf_list *list, const hd_cf_list *copy)
{
   const hd_cf_node *m = copy->first;

   hd_foreach_node_in_list(n, list) {
      ALIKE(m && m->list == copy && n->kind == m->kind && n->loc == m->loc);
      if (n->kind == HD_CF_BLOCK) {
         alike_block(p, hd_node_as_block(n), hd_node_as_block(m));
      } else {
         if (n->kind == HD_CF_IF)
            alike_src(p, &hd_node_as_if(n)->cond, &hd_node_as_if(m)->cond);
         alike_list(p, nth_list(n, 0), nth_list(m, 0));
         alike_list(p, nth_list(n, 1), nth_list(m, 1));
      }
      m = m->next;
   }
   ALIKE(!m);
}

/* Some list of a function: the body, or one of an if or loop. */
static hd_cf_list *
any_list(hd_function *f, uint64_t *random)
{
   hd_cf_list *list = &f->body;
   unsigned seen = 1;

   hd_foreach_node(n, f) {
      if (n->kind != HD_CF_BLOCK && sample_random(random) % ++seen == 0)
         list = (hd_cf_list *)nth_list(n, sample_random(random) & 1);
   }
   return list;
}

static hd_cursor
any_place_in(hd_cf_list *list, uint64_t *random)
{
   hd_block *b = hd_list_first_block(list);

   for (unsigned n = sample_random(random) % 4; n && b->node.next; n--)
      b = hd_node_as_block(b->node.next->next);
   return sample_random(random) & 1 ? hd_after_phis(b) : hd_before_jump(b);
}

/* Copies of any list, one after the other with one map, put into the same list (so that breaks stay
 * in their loop) or taken away again.
 */
static void
check_list_clones(uint64_t seed)
{
   uint64_t random = seed;
   hd_shader *shader = sample_tree(NULL, seed, 150);
   hd_function *f = shader->first_function;
   hd_def *first = &hd_function_start(f)->first->def, *second = &hd_def_instr(first)->next->def;

   for (unsigned round = 0; round < 6; round++) {
      hd_clone_map *map = hd_clone_map_create(f);
      for (unsigned again = 0; again < 3; again++) {
         hd_cf_list *list = any_list(f, &random);
         hd_cf_range range = { 0 };
         struct pair p = { .list = list, .map = map };
         if (list != &f->body && sample_random(&random) & 1) {
            p.outer_from = first;
            p.outer_to = second;
            assert_true(hd_clone_map_set_def(map, first, second));
         }
         assert_true(hd_cf_clone(&range, list, map));
         p.copy = range.list;
         alike_list(&p, list, range.list);
         if (sample_random(&random) & 1)
            assert_true(hd_cf_reinsert(&range, any_place_in(list, &random)));
         else
            assert_true(hd_cf_delete(&range));
         const char *fault = naive_check(f);
         if (fault)
            fail_msg("seed %llu: %s", (unsigned long long)seed, fault);
         if (p.outer_from) /* the map keeps no entry that the next round does not expect */
            assert_true(hd_clone_map_set_def(map, first, NULL));
         hd_clone_map_destroy(map);
         map = hd_clone_map_create(f);
      }
      hd_clone_map_destroy(map);
      if (f->num_defs > 3000)
         break;
   }
   hd_shader_destroy(shader);
}

static void
test_lists(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 150; seed++)
      check_list_clones(seed);
}

/* One map for a list and for lists inside it, again and again: an entry of an earlier copy is never
 * taken for one of this. Without a map the copy is the same.
 */
static void
test_one_map(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 60; seed++) {
      uint64_t random = seed;
      hd_shader *shader = sample_tree(NULL, seed, 200);
      hd_function *f = shader->first_function;
      hd_clone_map *map = hd_clone_map_create(f);
      for (unsigned round = 0; round < 8; round++) {
         hd_cf_list *list = any_list(f, &random);
         hd_cf_range range = { 0 };
         struct pair p = { .list = list, .map = map };
         /* What is outside may be mapped to copies of before, which are gone by now. */
         hd_foreach_block(b, f) {
            hd_foreach_instr(i, b) {
               if (i->def.bit_size && !defined_in(&i->def, list))
                  assert_true(hd_clone_map_set_def(map, &i->def, NULL));
            }
         }
         assert_true(hd_cf_clone(&range, list, map));
         p.copy = range.list;
         alike_list(&p, list, range.list);
         assert_true(hd_cf_delete(&range));
         assert_null(naive_check(f));
      }
      hd_clone_map_destroy(map);

      hd_shader *twin = sample_tree(NULL, seed, 200);
      uint64_t one = seed, two = seed;
      hd_cf_list *list = any_list(f, &one), *twin_list = any_list(twin->first_function, &two);
      hd_clone_map *fresh = hd_clone_map_create(f);
      assert_true(hd_cf_clone_and_reinsert(list, hd_list_start(list), fresh));
      assert_true(hd_cf_clone_and_reinsert(twin_list, hd_list_start(twin_list), NULL));
      assert_null(naive_check(twin->first_function));
      hd_blob text = text_of(shader), twin_text = text_of(twin);
      assert_string_equal(text.data, twin_text.data);
      hd_blob_finish(&text);
      hd_blob_finish(&twin_text);
      hd_clone_map_destroy(fresh);
      hd_shader_destroy(shader);
      hd_shader_destroy(twin);
   }
}

/* A copy of an extracted list. */
static void
test_extracted(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_function *f = shader->first_function;
   hd_loop *loop = hd_block_next_loop(hd_function_start(f));
   hd_cf_range range = { 0 }, copy = { 0 };
   hd_clone_map *map = hd_clone_map_create(f);

   assert_true(hd_cf_extract_list(&range, &loop->body));
   assert_true(hd_cf_clone(&copy, range.list, map));
   struct pair p = { .list = range.list, .copy = copy.list, .map = map };
   alike_list(&p, range.list, copy.list);
   assert_int_equal(f->num_extracted, 2);
   assert_true(hd_cf_delete(&copy));
   assert_true(hd_cf_reinsert(&range, hd_list_start(&loop->body)));
   assert_sound(shader);
   hd_clone_map_destroy(map);
   hd_shader_destroy(shader);
}

/* No recursion, and nothing that is worse than linear: these would take minutes. */
static void
test_extremes(void **state)
{
   (void)state;
   check_shader_clone(sample_wide(NULL, 20000));
   check_shader_clone(sample_deep(NULL, 10000));
   check_shader_clone(sample_tree(NULL, 1, 100000));

   hd_shader *shader = sample_wide(NULL, 5000);
   hd_foreach_function(f, shader) {
      check_function_clone(shader, f);
   }
   hd_shader_destroy(shader);
   shader = sample_deep(NULL, 10000);
   hd_function *f = shader->first_function;
   assert_true(hd_cf_clone_and_reinsert(&f->body, hd_list_start(&f->body), NULL));
   assert_sound(shader);
   /* A small list in a large function, many times: the cost is that of the list. */
   hd_cf_list *small = &hd_node_as_if(f->body.first->next)->else_list;
   small = small->first == small->last ? small : &hd_node_as_if(f->body.first->next)->then_list;
   for (unsigned n = 0; n < 20000; n++) {
      hd_cf_range range = { 0 };
      assert_true(hd_cf_clone(&range, small, NULL));
      assert_true(hd_cf_delete(&range));
   }
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shader),
      cmocka_unit_test(test_function),
      cmocka_unit_test(test_function_elsewhere),
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_one_map),
      cmocka_unit_test(test_extracted),
      cmocka_unit_test(test_extremes),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
