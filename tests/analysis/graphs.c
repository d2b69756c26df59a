/* SPDX-License-Identifier: MIT */
/* graphs.c - functions made from lists of successors, and random ones. */
#include "naive.h"

#include <assert.h>

static bool
is_breadth_first(int num, const struct succ_list *list)
{
   int next = 2;

   for (int n = 1; n <= num; n++) {
      if (n >= next)
         return false;
      for (int k = 0; k < list[n].num; k++) {
         const int to = list[n].succ[k];
         if (to <= num && to > next)
            return false;
         next += to == next && to <= num;
      }
   }
   return next == num + 1;
}

bool
next_small_graph(int num, unsigned long *code, struct succ_list *list)
{
   const unsigned targets = (unsigned)num + 1, ways = targets + targets * (targets - 1);
   unsigned long total = 1;

   for (int n = 0; n < num; n++)
      total *= ways;
   while (*code < total) {
      unsigned long rest = (*code)++;
      for (int n = 1; n <= num; n++, rest /= ways) {
         const int way = (int)(rest % ways), pair = way - (int)targets;
         if (way <= num) {
            list[n] = (struct succ_list){ 1, { way + 1 } };
         } else {
            const int first = pair / num, second = pair % num;
            list[n] = (struct succ_list){ 2, { first + 1, second + (second >= first) + 1 } };
         }
      }
      if (is_breadth_first(num, list))
         return true;
   }
   return false;
}

uint32_t
next_random(uint64_t *state, uint32_t limit)
{
   uint64_t z = *state += 0x9e3779b97f4a7c15u;

   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
   z = (z ^ z >> 27) * 0x94d049bb133111ebu;
   return (uint32_t)((z ^ z >> 31) % limit);
}

hd_function *
graph_build(hd_shader *shader, int num, const struct succ_list *list, hd_block **block)
{
   hd_function *f = hd_function_create(shader, "main", false);

   block[0] = hd_function_start(f);
   for (int n = 1; n < num; n++)
      block[n] = hd_flat_block_create(f);
   hd_instr *cond = hd_undef_create(shader, 1, 1), *selector = hd_undef_create(shader, 1, 32);
   hd_instr_insert(hd_after_phis(block[0]), cond);
   hd_instr_insert(hd_after_phis(block[0]), selector);
   for (int n = 0; n < num; n++) {
      const struct succ_list *l = &list[n];

      if (l->num == 0) {
         hd_flat_halt(block[n]);
      } else if (l->num == 1 && l->succ[0] == num) {
         hd_flat_return(block[n], NULL);
      } else if (l->num == 1) {
         hd_flat_goto(block[n], block[l->succ[0]]);
      } else if (l->num == 2) {
         hd_flat_goto_if(block[n], &cond->def, block[l->succ[0]], block[l->succ[1]]);
      } else {
         uint64_t value[NAIVE_MAX];
         hd_block *target[NAIVE_MAX];
         for (int s = 1; s < l->num; s++) {
            value[s - 1] = (uint64_t)s;
            target[s - 1] = block[l->succ[s]];
         }
         hd_flat_switch(block[n], &selector->def, block[l->succ[0]], (unsigned)l->num - 1, value,
                        target);
      }
   }
   return f;
}

/* A random place: the end of a block without jump, or the place before the jump. */
static hd_block *
random_block(hd_function *f, uint64_t *state)
{
   uint32_t num = 0;
   hd_foreach_block(b, f)
      num++;
   uint32_t n = next_random(state, num);
   hd_foreach_block(b, f) {
      if (n-- == 0)
         return b;
   }
   return NULL;
}

hd_function *
random_tree(hd_shader *shader, uint64_t *state, unsigned size)
{
   hd_function *f = hd_function_create(shader, "main", true);
   hd_instr *cond = hd_undef_create(shader, 1, 1);

   hd_instr_insert(hd_after_phis(hd_function_start(f)), cond);
   for (unsigned n = 0; n < size; n++) {
      hd_block *b = random_block(f, state);
      hd_cursor at = hd_before_jump(b);
      hd_loop *loop = hd_node_loop(&b->node);
      bool in_continue = false;
      for (hd_cf_list *l = b->node.list; loop && l; l = l->parent ? l->parent->list : NULL) {
         in_continue |= l == &loop->continue_list;
         if (l->parent == &loop->node)
            break;
      }
      bool ends_continue = loop && b->node.list == &loop->continue_list;

      switch (next_random(state, 9)) {
      case 0:
      case 1:
      case 2:
         hd_insert_if(at, &cond->def);
         break;
      case 3:
      case 4:
         hd_insert_loop(at);
         break;
      case 5:
      case 6:
         if (loop && !ends_continue)
            hd_insert_jump(at, HD_JUMP_BREAK, NULL);
         break;
      case 7:
         if (loop && !in_continue && !ends_continue)
            hd_insert_jump(at, HD_JUMP_CONTINUE, NULL);
         break;
      default:
         if (b->node.list->parent && !ends_continue)
            hd_insert_jump(at, next_random(state, 2) ? HD_JUMP_RETURN : HD_JUMP_HALT, NULL);
         break;
      }
   }
   return f;
}
