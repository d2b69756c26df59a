/* SPDX-License-Identifier: MIT */
/* late_entry_phis.c - header phis for values of blocks that dominate the header of their own loop (loops that
 * are entered late, beside the declared header).
 *
 * Let block A be in a loop and dominate its header H. A use of a value of A that can be reached from
 * H without passing A again can read the value of the previous iteration. A phi at H makes a second
 * definition; where the two meet, in the iterated dominance frontier of H below A, further phis are
 * made, on demand.
 *
 * Outer loops come first: afterwards no use of A's values is beyond their header, and that stays so
 * when inner loops split the value further.
 */
#include "structurize/late_entry_phis.h"

#include "heddle/edit.h"
#include "ir/private.h"

struct late {
   hd_function *f;
   hd_stack *stack;
   hd_block **joins; /* where definitions meet, the header among them */
   uint32_t num_joins;
   bool *is_join; /* by block index */
   hd_phi **phi;  /* by block index: made for the definition at hand */
   hd_phi **made; /* the same, in the order in which they were made */
   uint32_t num_made;
   hd_def *def;
};

/* What the value is at the end of a block. */
static hd_def *
value_at(struct late *l, hd_block *b)
{
   const hd_block *a = hd_def_instr(l->def)->block;

   for (; b != a && !l->is_join[b->node.index]; b = hd_block_idom(b))
      hd_heap_step(hd_shader_heap(l->f->shader), 1);
   if (b == a)
      return l->def;
   hd_phi **phi = &l->phi[b->node.index];
   if (!*phi) {
      *phi = hd_phi_insert(b, l->def->num_components, l->def->bit_size, NULL);
      l->made[l->num_made++] = *phi;
   }
   return &(*phi)->instr.def;
}

/* Where a use reads; NULL in unreachable code, which is left alone. */
static hd_block *
read_at(const hd_src *src)
{
   hd_block *b = hd_src_block(src);

   return hd_block_is_reachable(b) ? b : NULL;
}

static void
split(struct late *l, hd_def *def)
{
   uint32_t num = 0;

   hd_foreach_use(src, def)
      num++;
   hd_src **uses = hd_stack_alloc(l->stack, (num + 1) * sizeof(*uses));
   num = 0;
   hd_foreach_use(src, def)
      uses[num++] = src;
   l->def = def;
   l->num_made = 0;
   for (uint32_t i = 0; i < num; i++) {
      hd_block *b = read_at(uses[i]);
      if (b)
         hd_src_set_def(uses[i], value_at(l, b));
   }
   /* The list grows while it is walked. */
   for (uint32_t i = 0; i < l->num_made; i++) {
      hd_block *b = l->made[i]->instr.block;
      for (uint32_t n = 0; n < b->num_preds; n++) {
         hd_block *from = b->preds[n].from;
         hd_phi_set_src(l->made[i], from, hd_block_is_reachable(from) ? value_at(l, from) : def);
      }
   }
   for (uint32_t i = 0; i < l->num_made; i++)
      l->phi[l->made[i]->instr.block->node.index] = NULL;
}

static void
split_cycle(struct late *l, const hd_cycle *c)
{
   hd_block *header = c->header;

   memset(l->is_join, 0, l->f->num_blocks * sizeof(*l->is_join));
   l->num_joins = hd_iterated_dominance_frontier(l->f, &header, 1, l->joins);
   for (uint32_t i = 0; i < l->num_joins; i++) {
      if (!hd_block_is_end(l->joins[i]))
         l->is_join[l->joins[i]->node.index] = true;
   }
   l->is_join[header->node.index] = true;
   for (hd_block *a = hd_block_idom(header); a && hd_cycle_contains(c, a); a = hd_block_idom(a)) {
      /* Joins above A are none of its uses. */
      bool was_join = l->is_join[a->node.index];
      l->is_join[a->node.index] = false;
      hd_instr *next;
      for (hd_instr *i = a->first; i; i = next) {
         next = i->next;
         if (hd_instr_def(i) && i->def.uses)
            split(l, &i->def);
      }
      l->is_join[a->node.index] = was_join;
   }
}

/* Does a block of the cycle dominate its header? */
static bool
is_entered_late(const hd_cycle *c)
{
   return hd_block_idom(c->header) && hd_cycle_contains(c, hd_block_idom(c->header));
}

bool
hd_has_late_values(const hd_function *f)
{
   for (uint32_t n = 0; n < hd_function_num_cycles(f); n++) {
      if (is_entered_late(hd_function_cycle(f, n)))
         return true;
   }
   return false;
}

void
hd_split_late_values(hd_function *f)
{
   struct late l = { .f = f, .stack = hd_shader_stack(f->shader) };
   size_t num = f->num_blocks + 1;

   hd_require(f, HD_META_CYCLES | HD_META_DOMINANCE | HD_META_BLOCK_ORDER);
   for (uint32_t n = 0; n < hd_function_num_cycles(f); n++) {
      const hd_cycle *c = hd_function_cycle(f, n);
      if (!is_entered_late(c))
         continue;
      if (!l.joins) {
         l.joins = hd_stack_alloc(l.stack, num * sizeof(*l.joins));
         l.is_join = hd_stack_alloc(l.stack, num * sizeof(*l.is_join));
         l.phi = hd_stack_alloc_zero(l.stack, num * sizeof(*l.phi));
         l.made = hd_stack_alloc(l.stack, num * sizeof(*l.made));
      }
      split_cycle(&l, c);
   }
}
