/* SPDX-License-Identifier: MIT */
/* kill.c - what discards a fragment ends the lane, or leaves it to its quad as a helper.
 *
 *    if (c) halt                  if (c) demote
 *    dFdx(x)                =>    dFdx(x)
 *
 * Nobody can tell, but that derivatives of the neighbours are defined: shaders rely on it, whatever SPIR-V says of
 * OpKill and OpTerminateInvocation. The helper goes on where the selection construct around it merges, if there is
 * no cycle there or further on: what ends needs no other way out of a loop, and a helper would.
 */
#include "heddle/build_intrinsics.h"
#include "ir/builder.h"
#include "spirv/body.h"

struct spirv_kill {
   struct spirv_kill *next;
   hd_block *block, *merge;
};

/* Where the innermost construct around the label merges, or NULL: it is a loop, or there is none. */
static hd_block *
merge_around(struct spirv *s)
{
   const struct spirv_body *body = s->call->body;
   const uint32_t at = s->call->label;

   for (uint32_t n = at; n != NONE; n = body->dominators.parent[n]) {
      const struct spirv_label *label = &body->labels[n];
      hd_heap_step(s->heap, 1);
      if (n == at || label->merge_to == NONE ||
          forest_contains(&body->dominators, label->merge_to, at))
         continue;
      const struct spirv_label *merge = &body->labels[label->merge_to];
      return label->continue_to == NONE && merge->reachable && !merge->trap ? merge->head : NULL;
   }
   return NULL;
}

void
hd_spirv_kill(struct spirv *s)
{
   hd_block *merge =
       s->structured && s->shader->stage == HD_STAGE_FRAGMENT ? merge_around(s) : NULL;

   if (merge) {
      struct spirv_kill *kill = hd_spirv_alloc(s, sizeof(*kill));
      *kill = (struct spirv_kill){ s->kills, hd_cursor_block(s->b.cursor), merge };
      s->kills = kill;
   }
   hd_halt(&s->b);
}

enum { NEEDS_HELPERS = 1, HAS_CYCLES = 2 };

/* What is in a block, or in one that it leads to: right where there are no cycles. */
static unsigned
find_ahead(const hd_function *f, hd_block *block, const uint8_t *ahead)
{
   unsigned found = hd_block_cycle(block) ? HAS_CYCLES : 0;

   hd_foreach_instr(i, block) {
      if (i->kind == HD_INSTR_INTRINSIC && hd_instr_intrinsic_info(i)->helpers == HD_HELPER_NEEDED)
         found |= NEEDS_HELPERS;
   }
   for (unsigned n = 0; n < block->num_succs; n++)
      found |= ahead[block_slot(f, block->succs[n].to)];
   return found;
}

void
hd_spirv_place_kills(struct spirv *s)
{
   hd_function *f = s->b.function;
   uint32_t num;

   if (!s->kills)
      return;
   const hd_result result = hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES);
   if (result != HD_OK)
      hd_heap_fail(s->heap, result);
   hd_block *const *rpo = hd_function_rpo(f, &num);
   uint8_t *ahead = hd_spirv_alloc(s, (size_t)f->num_blocks + 1);
   for (uint32_t n = num; n-- > 0;)
      ahead[block_slot(f, rpo[n])] = (uint8_t)find_ahead(f, rpo[n], ahead);
   /* A new edge changes no dominator: that of the target is one of the block, too. */
   for (struct spirv_kill *k = s->kills; k; k = k->next) {
      if (hd_block_is_reachable(k->block) && hd_block_is_reachable(k->merge) &&
          ahead[block_slot(f, k->merge)] == NEEDS_HELPERS &&
          hd_block_dominates(hd_block_idom(k->merge), k->block) &&
          k->merge->first == hd_block_first_non_phi(k->merge))
         continue;
      k->merge = NULL;
   }
   for (struct spirv_kill *k = s->kills; k; k = k->next) {
      if (!k->merge)
         continue;
      hd_flat_clear_jump(k->block);
      hd_builder_set_block(&s->b, k->block);
      hd_demote(&s->b);
      hd_goto(&s->b, k->merge);
   }
   hd_meta_invalidate(f, HD_META_NONE);
}
