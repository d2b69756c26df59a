/* SPDX-License-Identifier: MIT */
/* test_meta.c - asking, keeping, dropping and verifying; values and dominance; no memory, no steps.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ir/samples.h"
#include "analysis/private.h"
#include "heddle/text.h"
#include "naive.h"
#include "support/memory.h"

static hd_shader *
parse(const char *text, const hd_config *config)
{
   hd_config loud = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config ? config : &loud, NULL, text, strlen(text), &shader), HD_OK);
   return shader;
}

static const char loops[] = "shader compute {\n"
                            "  workgroup 64 1 1\n"
                            "  function @main(%n:32, %c:1) -> 32 {\n"
                            "    b0:\n"
                            "      loop {\n"
                            "        b1:\n"
                            "          %i:32 = phi b0: %n, b7: %k\n"
                            "          %j:32 = iadd %i, %n\n"
                            "          if %c {\n"
                            "            b2:\n"
                            "              break\n"
                            "          } else {\n"
                            "            b3:\n"
                            "              %x:32 = imul %i, %j\n"
                            "          }\n"
                            "        b4:\n"
                            "      } continue {\n"
                            "        b7:\n"
                            "          %k:32 = iadd %x, %j\n"
                            "      }\n"
                            "    b8:\n"
                            "      return %j\n"
                            "  }\n"
                            "}\n";

static void
test_keeping(void **unused)
{
   hd_shader *shader = parse(loops, NULL);
   hd_function *f = shader->first_function;

   (void)unused;
   assert_int_equal(f->meta_valid, HD_META_NONE);
   assert_int_equal(hd_require(f, HD_META_NONE), HD_OK);
   assert_int_equal(hd_require(f, HD_META_DOMINANCE), HD_OK);
   assert_int_equal(f->meta_valid, HD_META_DOMINANCE);
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   assert_int_equal(f->meta_valid, HD_META_ALL);

   assert_false(hd_progress(f, false, HD_META_NONE));
   assert_int_equal(f->meta_valid, HD_META_ALL);
   assert_true(hd_progress(f, true, HD_META_GRAPH));
   assert_int_equal(f->meta_valid, HD_META_GRAPH);
   hd_meta_invalidate(f, HD_META_CYCLES | HD_META_INSTR_ORDER);
   assert_int_equal(f->meta_valid, HD_META_CYCLES);

   /* Every change of the graph drops it, and what is asked for then is the new graph's. */
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   hd_insert_loop(hd_after_phis(hd_function_start(f)));
   assert_int_equal(f->meta_valid, HD_META_NONE);
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   assert_int_equal(hd_function_num_cycles(f), 1);
   assert_true(hd_function_cycle(f, 0)->header == hd_block_next(hd_function_start(f)));
   hd_shader_destroy(shader);
}

static void
test_names(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < HD_NUM_META; n++) {
      for (unsigned m = 0; m < n; m++)
         assert_string_not_equal(hd_meta_name(1u << n), hd_meta_name(1u << m));
   }
   assert_string_equal(hd_meta_name(HD_META_DOMINANCE), "dominance");
   assert_string_equal(hd_meta_name(1u << 31), "metadata");
}

/* Verifying: each piece, spoilt in each way that can be told from what is recomputed. */

struct heard {
   uint32_t num, bits;
   const hd_block *block;
   const char *what;
};

static void
hear(void *user, const hd_meta_difference *d)
{
   struct heard *heard = user;

   heard->num++;
   heard->bits |= d->bit;
   heard->block = d->block;
   heard->what = d->what;
}

static void
expect(hd_function *f, uint32_t bit, const hd_block *block, const char *what)
{
   struct heard heard = { 0 };
   uint32_t num = 0;

   assert_int_equal(hd_meta_verify(f, HD_META_ALL, hear, &heard, &num), HD_OK);
   assert_int_equal(num, what ? 1 : 0);
   assert_int_equal(heard.num, num);
   if (!what)
      return;
   assert_int_equal(heard.bits, bit);
   assert_string_equal(heard.what, what);
   if (block)
      assert_ptr_equal(heard.block, block);
}

/* Spoil a field, see that it is found, and put it right again. */
#define SPOIL(field, value, bit, block, words)                                                     \
   do {                                                                                            \
      unsigned char saved[sizeof(field)];                                                          \
      memcpy(saved, &(field), sizeof(field));                                                      \
      (field) = (value);                                                                           \
      expect(f, bit, block, words);                                                                \
      memcpy(&(field), saved, sizeof(field));                                                      \
      expect(f, 0, NULL, NULL);                                                                    \
   } while (0)

static void
test_verify(void **unused)
{
   hd_shader *shader = parse(loops, NULL);
   hd_function *f = shader->first_function;
   hd_block *start = hd_function_start(f), *header = hd_block_next(start);

   (void)unused;
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   expect(f, 0, NULL, NULL);

   struct order_meta *order = ORDER_META(f);
   SPOIL(order->num_blocks, order->num_blocks - 1, HD_META_BLOCK_ORDER, NULL,
         "the number of blocks");
   SPOIL(order->num_reachable, order->num_reachable - 1, HD_META_BLOCK_ORDER, NULL,
         "the number of reachable blocks");
   SPOIL(order->rpo[1], start, HD_META_BLOCK_ORDER, header, "its place in reverse postorder");
   SPOIL(order->place[header->node.index], 5, HD_META_BLOCK_ORDER, header,
         "its place in reverse postorder");

   struct dom_node *dom = &DOM_META(f)->node[header->node.index];
   SPOIL(dom->idom, header, HD_META_DOMINANCE, header, "its immediate dominator");
   SPOIL(dom->first_child, start, HD_META_DOMINANCE, header, "its children in the dominator tree");
   SPOIL(dom->in, 9, HD_META_DOMINANCE, header, "its place in the dominator tree");
   SPOIL(dom->reach, 9, HD_META_DOMINANCE, header, "its place in the dominator tree");
   SPOIL(DOM_META(f)->node[f->num_blocks].idom, start, HD_META_DOMINANCE, &f->end,
         "its immediate dominator");

   struct pdom_node *pdom = &PDOM_META(f)->node[header->node.index];
   SPOIL(pdom->ipdom, start, HD_META_POST_DOMINANCE, header, "its immediate post-dominator");
   SPOIL(pdom->size, 0, HD_META_POST_DOMINANCE, header, "its place in the post-dominator tree");

   struct cycle_meta *cycles = CYCLE_META(f);
   hd_cycle *c = hd_function_cycle(f, 0);
   SPOIL(cycles->num_cycles, 0, HD_META_CYCLES, NULL, "the number of cycles");
   SPOIL(cycles->sweep[0], header, HD_META_CYCLES, start, "its place in the sweep order");
   SPOIL(cycles->place[header->node.index], 7, HD_META_CYCLES, header,
         "its place in the sweep order");
   SPOIL(cycles->inner[start->node.index], c, HD_META_CYCLES, start, "its innermost cycle");
   SPOIL(c->header, start, HD_META_CYCLES, NULL, "its innermost cycle");
   SPOIL(c->parent, c, HD_META_CYCLES, header, "the cycle around the one that it heads");
   SPOIL(c->num_blocks, 1, HD_META_CYCLES, header, "the extent of the cycle that it heads");
   SPOIL(c->continue_block, NULL, HD_META_CYCLES, header,
         "the continue block of the cycle that it heads");
   SPOIL(c->has_other_entries, true, HD_META_CYCLES, header,
         "the entries of the cycle that it heads");

   SPOIL(INSTR_META(f)->place[header->last->def.index], 0, HD_META_INSTR_ORDER, header,
         "the place of a value in it");

   struct divergence_node *node = &DIVERGENCE_META(f)->node[header->node.index];
   SPOIL(DIVERGENCE_META(f)->divergent[header->last->def.index],
         !DIVERGENCE_META(f)->divergent[header->last->def.index], HD_META_DIVERGENCE, header,
         "whether a value of it is uniform");
   SPOIL(node->branch, !node->branch, HD_META_DIVERGENCE, header,
         "whether its branch is divergent");
   SPOIL(node->left_begin, 77, HD_META_DIVERGENCE, header,
         "whether its values are uniform elsewhere");
   SPOIL(node->late, true, HD_META_DIVERGENCE, header, "whether its values are uniform elsewhere");
   SPOIL(node->keeps, 3, HD_META_DIVERGENCE, header, "whether its branch keeps the sweep");

   /* What is not marked valid, or not asked about, is not looked at. */
   dom->idom = header;
   uint32_t num = 1;
   assert_int_equal(hd_meta_verify(f, HD_META_CYCLES, hear, NULL, &num), HD_OK);
   assert_int_equal(num, 0);
   hd_meta_invalidate(f, HD_META_CYCLES);
   expect(f, 0, NULL, NULL);

   /* A graph that changed without anybody being told. */
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   uint32_t valid = f->meta_valid;
   hd_insert_loop(hd_before_jump(hd_list_last_block(&f->body)));
   f->meta_valid = valid & HD_META_GRAPH;
   assert_int_equal(hd_meta_verify(f, HD_META_ALL, NULL, NULL, &num), HD_OK);
   assert_int_equal(num, 4);
   hd_shader_destroy(shader);
}

/* Values */

/* Is the definition made on every way to the use? In one block: by counting. */
static bool
naive_def_dominates(const struct naive *g, const hd_def *def, const hd_src *src)
{
   const hd_instr *d = hd_def_instr(def), *reader = hd_src_instr(src);
   const hd_block *at = NULL;

   if (reader && reader->kind == HD_INSTR_PHI) {
      const hd_phi *phi = (const hd_phi *)reader;
      for (uint32_t n = 0; n < phi->num_srcs; n++) {
         if (&phi->srcs[n].src == src)
            at = reader->block->preds[n].from;
      }
   } else {
      at = reader ? reader->block : hd_node_prev_block(&hd_src_if(src)->node);
   }
   assert_ptr_equal(hd_src_block(src), at);
   if (d->block != at || !(g->reachable >> naive_index(g, at) & 1))
      return naive_dominates(g, naive_index(g, d->block), naive_index(g, at));
   if (!reader || reader->kind == HD_INSTR_PHI)
      return true;
   for (const hd_instr *i = d->next; i; i = i->next) {
      if (i == reader)
         return true;
   }
   return false;
}

static unsigned
check_values(hd_function *f)
{
   struct naive g;
   unsigned num = 0;

   naive_read(&g, f);
   hd_foreach_block(def_block, f) {
      hd_foreach_instr(d, def_block) {
         if (!hd_instr_def(d))
            continue;
         hd_foreach_node(n, f) {
            hd_if *nif = hd_node_as_if(n);
            hd_block *b = hd_node_as_block(n);
            if (nif)
               assert_int_equal(hd_def_dominates_src(&d->def, &nif->cond),
                                naive_def_dominates(&g, &d->def, &nif->cond));
            hd_foreach_instr(i, b ? b : def_block) {
               hd_foreach_src(src, i) {
                  num++;
                  assert_int_equal(hd_def_dominates_src(&d->def, src),
                                   naive_def_dominates(&g, &d->def, src));
               }
               if (b == def_block && i != d)
                  assert_int_not_equal(hd_instr_is_before(d, i), hd_instr_is_before(i, d));
            }
         }
         assert_false(hd_instr_is_before(d, d));
      }
   }
   return num;
}

static void
test_values(void **unused)
{
   unsigned num = 0;

   (void)unused;
   for (uint64_t seed = 1; seed < 40; seed++) {
      hd_shader *shader = seed % 2 ? sample_tree(NULL, seed, 10 + (unsigned)seed)
                                   : sample_flat(NULL, seed, 4 + (unsigned)seed / 4);
      hd_function *f = shader->first_function;
      uint32_t num_blocks = 0;
      hd_foreach_block(b, f)
         num_blocks++;
      if (num_blocks < NAIVE_MAX - 1) {
         assert_int_equal(hd_require(f, HD_META_DOMINANCE), HD_OK);
         num += check_values(f);
         assert_int_equal(hd_require(f, HD_META_INSTR_ORDER), HD_OK);
         num += check_values(f);
      }
      hd_shader_destroy(shader);
   }
   assert_true(num > 10000);
}

/* No memory */

static void
ignore_fault(void *user, hd_declaration_fault fault, hd_block *block, hd_block *other)
{
   (void)user;
   (void)fault;
   (void)block;
   (void)other;
}

static hd_result
call(hd_function *f, int entry)
{
   uint32_t num;

   switch (entry) {
   case 0:
      return hd_require(f, HD_META_ALL);
   case 1:
      return hd_meta_verify(f, HD_META_ALL, NULL, NULL, &num);
   case 2:
      return hd_check_declarations(f, ignore_fault, NULL, &num);
   default:
      return hd_declare_loops(f);
   }
}

static void
run_out(uint64_t seed, int entry)
{
   bool failed = false;

   for (unsigned n = 0;; n++) {
      struct limited l = { .left = SIZE_MAX };
      hd_config config = limited_config(&l);
      hd_shader *shader =
          seed % 2 ? sample_tree(&config, seed, 300) : sample_flat(&config, seed, 120);
      hd_function *f = shader->first_function;

      if (!f->structured)
         hd_foreach_block(b, f)
            b->loop_header = b->num_preds ? NULL : hd_function_start(f);
      if (entry == 1)
         assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
      uint32_t valid = f->meta_valid;
      l.left = n;
      hd_result result = call(f, entry);
      l.left = SIZE_MAX;
      if (result != HD_OK) {
         failed = true;
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_int_equal(f->meta_valid & valid, valid);
         /* What it left is good to go on with. */
         assert_int_equal(call(f, entry), HD_OK);
      }
      hd_shader_destroy(shader);
      assert_int_equal(l.held, 0);
      if (result == HD_OK)
         break;
   }
   /* A function that declares nothing needs no memory to be checked, and a tree has no marks. */
   assert_true(failed || seed % 2);
}

static void
test_out_of_memory(void **unused)
{
   (void)unused;
   for (int entry = 0; entry < 4; entry++) {
      run_out(1, entry);
      run_out(2, entry);
   }
}

static void
test_budget(void **unused)
{
   unsigned num_stopped = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 2; seed++) {
      for (int entry = 0; entry < 4; entry++) {
         for (uint64_t steps = 1; steps < 1 << 20; steps *= 2) {
            hd_config config = { .budget = { .steps = UINT64_MAX / 2 } };
            hd_shader *shader =
                seed % 2 ? sample_tree(&config, seed, 300) : sample_flat(&config, seed, 120);
            hd_function *f = shader->first_function;
            if (!f->structured)
               hd_foreach_block(b, f)
                  b->loop_header = b->num_preds ? NULL : hd_function_start(f);
            if (entry == 1)
               assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
            hd_shader_heap(shader)->config.budget.steps = steps;
            hd_result result = call(f, entry);
            assert_true(result == HD_OK || result == HD_BUDGET_EXCEEDED);
            num_stopped += result != HD_OK;
            hd_shader_destroy(shader);
         }
      }
   }
   assert_true(num_stopped > 20);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keeping),       cmocka_unit_test(test_names),
      cmocka_unit_test(test_verify),        cmocka_unit_test(test_values),
      cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_budget),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
