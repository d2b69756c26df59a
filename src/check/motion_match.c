/* SPDX-License-Identifier: MIT */
/* motion_match.c - match values, instructions and blocks of two versions of a function.
 *
 * Each instruction has a key: a hash of its name if it has one, else of its op and the keys of its
 * operands. Sorted by key and position, the instructions of the two functions are paired. Stores and
 * the like that became the same as others are paired by their order in their block.
 */
#include "check/motion_match.h"
#include "check/check.h"
#include "heddle/ops.h"
#include "util/digest.h"

/* Operands come first in the order of the numbers, so their keys are there. */
static uint64_t
key_of(const hd_match_side *s, const hd_instr *i)
{
   const hd_def *def = hd_instr_def(i);
   const char *name = def ? hd_def_name(s->f, def) : NULL;
   uint8_t bytes[HD_DIGEST_SIZE];
   uint64_t key;
   hd_digest d;

   hd_digest_init(&d, 0, 0);
   if (name) {
      hd_digest_add_u64(&d, 1);
      hd_digest_add(&d, name, strlen(name));
   } else {
      hd_digest_add_u64(&d, (uint64_t)i->kind << 32 | (uint64_t)i->op << 16 |
                                (uint64_t)i->def.bit_size << 8 | i->def.num_components);
      hd_foreach_src(src, i) {
         uint32_t n = s->of_def[src->def->index];
         /* A phi may read what comes later. */
         hd_digest_add_u64(&d, n == UINT32_MAX || i->kind == HD_INSTR_PHI ? 0 : s->key[n]);
      }
      if (i->kind == HD_INSTR_CONST)
         hd_digest_add(&d, ((const hd_const *)i)->value,
                       i->def.num_components * sizeof(hd_const_value));
      if (i->kind == HD_INSTR_INTRINSIC)
         hd_digest_add(&d, hd_intrinsic_indices((const hd_intrinsic *)i),
                       hd_instr_intrinsic_info(i)->num_indices * sizeof(uint32_t));
   }
   hd_digest_finish(&d, bytes);
   memcpy(&key, bytes, sizeof(key));
   return key;
}

static void
number(hd_match_side *s, hd_stack *stack, hd_function *f)
{
   uint32_t num_blocks = hd_function_num_reachable(f), num = 0, num_others = 0;
   hd_block *const *rpo = hd_function_rpo(f, NULL);

   s->f = f;
   for (uint32_t n = 0; n < num_blocks; n++) {
      hd_foreach_instr(i, rpo[n]) {
         num++;
         num_others += !hd_instr_def(i);
      }
   }
   hd_ptr_map_init(&s->others, stack, num_others);
   s->instr = hd_stack_alloc(stack, (num + 1u) * sizeof(*s->instr));
   s->key = hd_stack_alloc(stack, (num + 1u) * sizeof(*s->key));
   s->partner = hd_stack_alloc_zero(stack, (num + 1u) * sizeof(*s->partner));
   s->block = hd_stack_alloc_zero(stack, (f->num_blocks + 1u) * sizeof(*s->block));
   s->of_def = hd_stack_alloc(stack, (f->num_defs + 1u) * sizeof(*s->of_def));
   memset(s->of_def, 0xff, (f->num_defs + 1u) * sizeof(*s->of_def));
   for (uint32_t n = 0; n < num_blocks; n++) {
      hd_foreach_instr(i, rpo[n]) {
         s->key[s->num] = key_of(s, i);
         if (hd_instr_def(i))
            s->of_def[i->def.index] = s->num;
         else
            hd_ptr_map_set(&s->others, i, s->num);
         s->instr[s->num++] = i;
      }
   }
}

static pair *
sorted(const hd_match_side *s, hd_stack *stack)
{
   pair *pairs = hd_stack_alloc(stack, (s->num + 1u) * sizeof(*pairs));

   for (uint32_t n = 0; n < s->num; n++)
      pairs[n] = (pair){ s->key[n], n };
   hd_check_sort_pairs(pairs, s->num);
   return pairs;
}

/* How many from here on have the same key. */
static uint32_t
num_alike(const pair *sorted, uint32_t num, uint32_t first)
{
   uint32_t n = first;

   while (n < num && sorted[n].key == sorted[first].key)
      n++;
   return n - first;
}

/* In order, where several have one key. But what has no result and became like another one cannot
 * be distinguished from that by its key: if more or fewer have it than before, pair_left_over decides.
 */
static void
pair_off(hd_match_side side[2], hd_stack *stack)
{
   const pair *a = sorted(&side[0], stack), *b = sorted(&side[1], stack);
   uint32_t m = 0, n = 0;

   while (m < side[0].num && n < side[1].num) {
      if (a[m].key < b[n].key) {
         m++;
      } else if (a[m].key > b[n].key) {
         n++;
      } else {
         const uint32_t before = num_alike(a, side[0].num, m), after = num_alike(b, side[1].num, n);
         const bool has_result = hd_instr_def(side[0].instr[a[m].value]);
         for (uint32_t k = 0; k < before && k < after && (has_result || before == after); k++) {
            side[0].partner[a[m + k].value] = side[1].instr[b[n + k].value];
            side[1].partner[b[n + k].value] = side[0].instr[a[m + k].value];
         }
         m += before;
         n += after;
      }
   }
}

static void
pair_blocks(hd_match_side side[2], hd_block *a, hd_block *b)
{
   if (side[0].block[a->node.index] || side[1].block[b->node.index])
      return;
   side[0].block[a->node.index] = b;
   side[1].block[b->node.index] = a;
}

static bool
have_same_graph(const hd_match_side side[2], hd_stack *stack)
{
   uint32_t *place[2] = { NULL, NULL }, num[2] = { 0, 0 };

   for (unsigned s = 0; s < 2; s++) {
      place[s] = hd_stack_alloc_zero(stack, (side[s].f->num_blocks + 1u) * sizeof(uint32_t));
      hd_foreach_block(b, side[s].f)
         place[s][b->node.index] = num[s]++;
   }
   if (num[0] != num[1])
      return false;
   hd_block *b = hd_function_start(side[1].f);
   hd_foreach_block(a, side[0].f) {
      if (a->num_succs != b->num_succs)
         return false;
      for (uint32_t n = 0; n < a->num_succs; n++) {
         const hd_block *x = a->succs[n].to, *y = b->succs[n].to;
         if (hd_block_is_end(x) != hd_block_is_end(y) ||
             (!hd_block_is_end(x) && place[0][x->node.index] != place[1][y->node.index]))
            return false;
      }
      b = hd_block_next(b);
   }
   return true;
}

/* Blocks of one name: each names itself in a table of the names of the first function. */
static void
pair_named_blocks(hd_match_side side[2], hd_stack *stack)
{
   pair *names[2];
   hd_block **blocks[2];
   uint32_t num[2] = { 0, 0 };

   for (unsigned s = 0; s < 2; s++) {
      names[s] = hd_stack_alloc(stack, (side[s].f->num_blocks + 1u) * sizeof(pair));
      blocks[s] = hd_stack_alloc(stack, (side[s].f->num_blocks + 1u) * sizeof(hd_block *));
      hd_foreach_block(b, side[s].f) {
         const char *name = hd_block_name(side[s].f, b);
         uint8_t bytes[HD_DIGEST_SIZE];
         hd_digest d;
         if (!name)
            continue;
         hd_digest_init(&d, 0, 0);
         hd_digest_add(&d, name, strlen(name));
         hd_digest_finish(&d, bytes);
         memcpy(&names[s][num[s]].key, bytes, sizeof(names[s][num[s]].key));
         names[s][num[s]].value = num[s];
         blocks[s][num[s]++] = b;
      }
      hd_check_sort_pairs(names[s], num[s]);
   }
   for (uint32_t m = 0, n = 0; m < num[0] && n < num[1];) {
      if (names[0][m].key < names[1][n].key)
         m++;
      else if (names[0][m].key > names[1][n].key)
         n++;
      else
         pair_blocks(side, blocks[0][names[0][m++].value], blocks[1][names[1][n++].value]);
   }
}

static void
match_blocks(hd_match_side side[2], hd_stack *stack)
{
   pair_blocks(side, hd_function_start(side[0].f), hd_function_start(side[1].f));
   pair_named_blocks(side, stack);
   if (have_same_graph(side, stack)) {
      hd_block *b = hd_function_start(side[1].f);
      hd_foreach_block(a, side[0].f) {
         if (!hd_block_name(side[0].f, a) && !hd_block_name(side[1].f, b))
            pair_blocks(side, a, b);
         b = hd_block_next(b);
      }
      return;
   }
   hd_foreach_block(b, side[1].f) {
      const hd_instr *phi = b->first;
      if (!phi || phi->kind != HD_INSTR_PHI || !hd_def_name(side[1].f, &phi->def))
         continue;
      hd_instr *other = hd_match_instr(&side[1], phi);
      if (other && other->kind == HD_INSTR_PHI)
         pair_blocks(side, other->block, b);
   }
}

static bool
is_left_over(const hd_match_side *side, const hd_instr *i)
{
   uint32_t n = hd_instr_def(i) ? UINT32_MAX : hd_ptr_map_get(&side->others, i);

   return i->kind != HD_INSTR_JUMP && n != UINT32_MAX && !side->partner[n];
}

static uint32_t
count_left_over(const hd_match_side *side, const hd_block *b)
{
   uint32_t num = 0;

   hd_foreach_instr(i, b)
      num += is_left_over(side, i);
   return num;
}

/* What has no result keeps its order in its block: where as many are left over on both sides, and
 * are of the same kinds, they correspond whatever became of their operands.
 */
static void
pair_left_over(hd_match_side side[2])
{
   hd_foreach_block(b, side[1].f) {
      hd_block *a = side[1].block[b->node.index];
      if (!a || count_left_over(&side[0], a) != count_left_over(&side[1], b))
         continue;
      hd_instr *x = a->first;
      hd_foreach_instr(y, b) {
         if (!is_left_over(&side[1], y))
            continue;
         while (x && !is_left_over(&side[0], x))
            x = x->next;
         if (!x || x->kind != y->kind || x->op != y->op)
            break;
         side[0].partner[hd_ptr_map_get(&side[0].others, x)] = y;
         side[1].partner[hd_ptr_map_get(&side[1].others, y)] = x;
      }
   }
}

void
hd_match_functions(hd_stack *stack, hd_function *before, hd_function *after, hd_match_side side[2])
{
   memset(side, 0, 2 * sizeof(*side));
   number(&side[0], stack, before);
   number(&side[1], stack, after);
   pair_off(side, stack);
   match_blocks(side, stack);
   pair_left_over(side);
}

const hd_def *
hd_match_def(const hd_match_side *side, const hd_def *def)
{
   uint32_t n = side->of_def[def->index];

   return n == UINT32_MAX || !side->partner[n] ? NULL : hd_instr_def(side->partner[n]);
}

hd_instr *
hd_match_instr(const hd_match_side *side, const hd_instr *i)
{
   uint32_t n = hd_instr_def(i) ? side->of_def[i->def.index] : hd_ptr_map_get(&side->others, i);

   return n == UINT32_MAX ? NULL : side->partner[n];
}

hd_block *
hd_match_block(const hd_match_side *side, const hd_block *b)
{
   return side->block[b->node.index];
}
