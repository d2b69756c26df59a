/* SPDX-License-Identifier: MIT */
/* items.c - structural diff: a shader as a list of items, in code order. */
#include "diff/items.h"

#include <string.h>

#include "heddle/ops.h"
#include "heddle/walk.h"
#include "util/mix.h"
#include "util/ptr_map.h"

uint32_t
hd_diff_item_of(const items *s, const void *of)
{
   const hd_ptr_map map = { s->slots, s->mask };

   return of ? hd_ptr_map_get(&map, of) : NO_ITEM;
}

static uint64_t
hash_bytes(uint64_t hash, const char *bytes)
{
   for (; *bytes; bytes++)
      hash = mix_in(hash, (unsigned char)*bytes);
   return hash;
}

/* What the kinds have besides operands. */
static uint64_t
hash_rest(uint64_t h, const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_CONST:
      for (unsigned n = 0; n < i->def.num_components; n++)
         h = mix_in(h, hd_instr_as_const(i)->value[n].u64);
      break;
   case HD_INSTR_INTRINSIC: {
      const uint32_t *indices = hd_intrinsic_indices(hd_instr_as_intrinsic(i));
      for (unsigned n = 0; n < hd_instr_intrinsic_info(i)->num_indices; n++)
         h = mix_in(h, indices[n]);
      break;
   }
   case HD_INSTR_JUMP: {
      const hd_jump *jump = hd_instr_as_jump(i);
      for (uint32_t n = 0; n < jump->num_cases; n++)
         h = mix_in(mix_in(h, jump->cases[n].value), jump->cases[n].succ);
      break;
   }
   case HD_INSTR_PARAM:
      return mix_in(h, hd_instr_as_param(i)->param_index);
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR: {
      const hd_var *var = hd_instr_as_var_access(i)->var;
      return mix_in(h, var->array_length ^ (uint64_t)var->num_components << 32 ^
                           (uint64_t)var->bit_size << 40);
   }
   default:
      break;
   }
   return h;
}

static uint64_t
hash_instr(const hd_instr *i)
{
   uint64_t h = mix_in(i->kind + 1u, (uint64_t)i->op << 32 | i->flags);

   h = mix_in(h, i->def.bit_size * 64u + i->def.num_components);
   return hash_rest(mix_in(h, i->kind == HD_INSTR_PHI ? 0 : hd_instr_num_srcs(i)), i);
}

/* Which of its parent's lists it is in. */
static unsigned
list_number(const hd_cf_node *node)
{
   const hd_cf_node *parent = node->list ? node->list->parent : NULL;
   const hd_if *nif = hd_node_as_if(parent);
   const hd_loop *loop = hd_node_as_loop(parent);

   if (nif)
      return node->list == &nif->then_list ? 1 : 2;
   return !loop ? 0 : node->list == &loop->body ? 3 : 4;
}

static item *
add_item(items *s, hd_ptr_map *map, item_kind kind, const void *of)
{
   item *made = &s->at[s->num];

   *made = (item){ .kind = (uint8_t)kind, .match = NO_ITEM, .function = s->num_functions };
   hd_ptr_map_set(map, of, s->num++);
   return made;
}

static void
add_node(items *s, hd_ptr_map *map, const hd_cf_node *node, uint32_t *block)
{
   const hd_block *b = hd_node_as_block(node);
   item *made = add_item(s, map,
                         b                        ? ITEM_BLOCK
                         : node->kind == HD_CF_IF ? ITEM_IF
                                                  : ITEM_LOOP,
                         node);

   if (b)
      *block = s->num - 1;
   made->of.node = node;
   made->block = *block;
   made->local = mix_in(made->kind + 100u, list_number(node));
   if (b)
      made->local = mix_in(made->local, node->header * 4u + b->unroll);
   if (!b)
      return;
   hd_foreach_instr(i, b) {
      item *instr = add_item(s, map, ITEM_INSTR, i);
      instr->of.instr = i;
      instr->block = *block;
      instr->local = hash_instr(i);
      instr->free = i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF;
   }
}

/* References */

static void
add_ref(items *s, const void *of)
{
   s->refs[s->num_refs++] = hd_diff_item_of(s, of);
}

static void
add_instr_refs(items *s, const hd_instr *i)
{
   const hd_phi *phi = hd_instr_as_phi(i);
   const unsigned num = hd_instr_num_srcs(i);

   for (unsigned n = 0; n < num; n++) {
      add_ref(s, hd_def_instr(hd_instr_src(i, n)->def));
      if (phi)
         add_ref(s, &i->block->preds[n].from->node);
   }
   /* Of a tree it says itself where it goes. */
   const bool flat = i->kind == HD_INSTR_JUMP && !hd_block_function(i->block)->structured;
   for (uint32_t n = 0; flat && n < i->block->num_succs; n++)
      add_ref(s, hd_block_is_end(i->block->succs[n].to) ? NULL : &i->block->succs[n].to->node);
}

static void
add_refs(items *s, item *at)
{
   at->first_ref = s->num_refs;
   if (at->kind == ITEM_INSTR) {
      add_instr_refs(s, at->of.instr);
   } else {
      const hd_block *b = hd_node_as_block(at->of.node);
      add_ref(s, at->of.node->list->parent);
      if (at->kind == ITEM_IF)
         add_ref(s, hd_def_instr(hd_node_as_if(at->of.node)->cond.def));
      if (b) {
         add_ref(s, b->loop_header ? &b->loop_header->node : NULL);
         add_ref(s, b->continues ? &b->continues->node : NULL);
      }
   }
   at->num_refs = s->num_refs - at->first_ref;
}

/* Rounds of hashing: what goes round a loop is seen as often. */
#define ROUNDS 3

static void
hash_wholes(items *s)
{
   for (uint32_t n = 0; n < s->num; n++) {
      const hd_var_access *access =
          s->at[n].kind == ITEM_INSTR ? hd_instr_as_var_access(s->at[n].of.instr) : NULL;
      s->at[n].whole = access ? hash_bytes(s->at[n].local, access->var->name) : s->at[n].local;
   }
   for (unsigned round = 0; round < ROUNDS; round++) {
      for (uint32_t n = 0; n < s->num; n++) {
         item *at = &s->at[n];
         const bool phi = at->kind == ITEM_INSTR && at->of.instr->kind == HD_INSTR_PHI;
         uint64_t h = at->local, sum = 0;
         if (at->kind == ITEM_INSTR && hd_instr_as_var_access(at->of.instr))
            h = hash_bytes(h, hd_instr_as_var_access(at->of.instr)->var->name);
         for (uint32_t k = 0; k < at->num_refs; k++) {
            const uint32_t ref = s->refs[at->first_ref + k];
            const bool value = ref != NO_ITEM && s->at[ref].kind == ITEM_INSTR;
            if (phi)
               sum += value ? hd_mix(s->at[ref].whole) : 0;
            else if (value)
               h = mix_in(h, s->at[ref].whole);
         }
         at->whole = mix_in(h, sum);
      }
   }
}

/* Those that compute the same are told apart by what reads them. */
static void
hash_users(items *s)
{
   for (uint32_t n = s->num; n-- > 0;) {
      const item *at = &s->at[n];
      for (uint32_t k = 0; k < at->num_refs; k++) {
         const uint32_t ref = s->refs[at->first_ref + k];
         if (ref == NO_ITEM || s->at[ref].kind != ITEM_INSTR)
            continue;
         const bool phi = at->kind == ITEM_INSTR && at->of.instr->kind == HD_INSTR_PHI;
         const uint64_t slot = phi ? 0 : k;
         s->at[ref].users += hd_mix(mix_in(at->whole, slot));
         s->at[ref].context += hd_mix(mix_in(mix_in(at->local, slot), at->context));
      }
   }
}

static void
count(const hd_shader *shader, uint32_t *num_items, uint32_t *num_refs, uint32_t *num_functions)
{
   hd_foreach_function(f, shader) {
      hd_walk walk = { 0 };
      ++*num_functions;
      hd_walk_begin(&walk, f);
      do {
         const hd_block *b = hd_node_as_block(walk.node);
         *num_items +=
             walk.event == HD_WALK_BLOCK || walk.event == HD_WALK_IF || walk.event == HD_WALK_LOOP;
         *num_refs += 3;
         if (!b || walk.event != HD_WALK_BLOCK)
            continue;
         *num_refs += b->num_succs;
         hd_foreach_instr(i, b) {
            ++*num_items;
            *num_refs += hd_instr_num_srcs(i) * (i->kind == HD_INSTR_PHI ? 2 : 1);
         }
      } while (hd_walk_next(&walk));
   }
}

void
hd_diff_list(hd_stack *stack, const hd_shader *shader, items *out)
{
   uint32_t num_items = 0, num_refs = 0, num_functions = 0;
   hd_ptr_map map;

   count(shader, &num_items, &num_refs, &num_functions);
   hd_heap_step(stack->heap, num_items + (uint64_t)num_refs);
   *out = (items){ .shader = shader };
   out->at = hd_stack_alloc(stack, (num_items + (size_t)1) * sizeof(item));
   out->refs = hd_stack_alloc(stack, (num_refs + (size_t)1) * sizeof(uint32_t));
   out->functions = hd_stack_alloc(stack, (num_functions + (size_t)1) * sizeof(function_items));
   hd_ptr_map_init(&map, stack, num_items + num_functions);
   hd_foreach_function(f, shader) {
      const uint32_t first = out->num;
      uint32_t block = NO_ITEM;
      hd_walk walk = { 0 };
      hd_walk_begin(&walk, f);
      do {
         if (walk.event == HD_WALK_BLOCK || walk.event == HD_WALK_IF || walk.event == HD_WALK_LOOP)
            add_node(out, &map, walk.node, &block);
      } while (hd_walk_next(&walk));
      hd_ptr_map_set(&map, f, out->num_functions);
      out->functions[out->num_functions++] =
          (function_items){ .f = f, .first = first, .num = out->num - first, .match = NO_ITEM };
   }
   out->slots = map.slots;
   out->mask = map.mask;
   for (uint32_t n = 0; n < out->num; n++)
      add_refs(out, &out->at[n]);
   hash_wholes(out);
   hash_users(out);
}
