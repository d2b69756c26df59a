/* SPDX-License-Identifier: MIT */
/* uses.c - the validator's report of use lists that do not agree with the sources.
 *
 * operand.c finds out whether they agree. Only if they do not, this file locates the errors, with a
 * table of all sources.
 */
#include "check.h"

typedef struct known_src {
   const hd_src *src;
   const hd_block *block; /* for the condition of an if: NULL */
   const hd_instr *instr;
   const hd_cf_node *node;
   uint32_t n;
   bool in_list;
} known_src;

typedef struct uses {
   check *c;
   known_src *srcs;
   uint32_t num, capacity;
   uint32_t *slots; /* 1 + position in srcs; 0 is free */
   uint32_t mask;
   bool *told; /* by index of the value: its list was reported */
} uses;

static uint32_t
slot_of(const uses *u, const hd_src *src)
{
   uint64_t h = (uint64_t)(uintptr_t)src * UINT64_C(0x9e3779b97f4a7c15);
   uint32_t slot = (uint32_t)(h >> 32) & u->mask;

   while (u->slots[slot] && u->srcs[u->slots[slot] - 1].src != src)
      slot = (slot + 1) & u->mask;
   return slot;
}

static known_src *
find_src(const uses *u, const hd_src *src)
{
   uint32_t at = u->slots[slot_of(u, src)];

   return at ? &u->srcs[at - 1] : NULL;
}

static void
add_src(uses *u, known_src known)
{
   u->srcs = hd_check_grow(u->c, u->srcs, &u->capacity, u->num + 1, sizeof(*u->srcs));
   u->srcs[u->num++] = known;
}

static void
collect(uses *u)
{
   check *c = u->c;

   for (uint32_t pos = 0; pos < c->num_blocks; pos++) {
      const block_info *info = &c->blocks[pos];
      const hd_instr *i = info->block->first;
      for (uint32_t k = 0; k < info->num_instrs; k++, i = i->next) {
         for (uint32_t n = 0; n < hd_instr_num_srcs(i); n++)
            add_src(u, (known_src){
                           .src = hd_instr_src(i, n), .block = info->block, .instr = i, .n = n });
      }
   }
   for (uint32_t n = 0; n < c->num_ifs; n++)
      add_src(u, (known_src){ .src = &c->ifs[n]->cond, .node = &c->ifs[n]->node });

   uint32_t size = 16;
   while (size / 2 < u->num)
      size *= 2;
   u->mask = size - 1;
   u->slots = hd_stack_alloc_zero(c->stack, size * sizeof(*u->slots));
   for (uint32_t n = 0; n < u->num; n++)
      u->slots[slot_of(u, u->srcs[n].src)] = n + 1;
   steps(c, u->num);
}

static place
place_of(const known_src *known)
{
   place where = known->node ? at_node(known->node) : at_instr(known->block, known->instr);

   where.src = (int)known->n;
   return where;
}

static bool
is_told(const uses *u, const hd_def *def)
{
   return !def_entry(u->c, def) || u->told[def->index];
}

static void
tell(uses *u, const hd_def *def, place where, const char *what)
{
   if (!is_told(u, def))
      hd_check_report(u->c, RULE_SSA2, where, what, hd_check_def_text(u->c, def));
   if (def_entry(u->c, def))
      u->told[def->index] = true;
}

/* The list of one value. It ends: see check.h; where a link back is wrong it is left. */
static void
check_list(uses *u, const hd_block *block, const hd_instr *i)
{
   const hd_def *def = &i->def;
   const hd_src *before = NULL;
   place where = at_instr(block, i);

   for (const hd_src *s = def->uses; s; before = s, s = hd_src_next_use(s)) {
      known_src *known = find_src(u, s);
      if (hd_src_prev_use(s) != before) {
         tell(u, def, known ? place_of(known) : where,
              "the links of the use list of %s do not agree");
         return;
      }
      if (!known) {
         if (hd_check_is_foreign(u->c, s) && def_entry(u->c, def))
            u->told[def->index] = true;
         tell(u, def, where, "the use list of %s has a source that nothing in the function reads");
      } else if (s->def == def) {
         known->in_list = true;
      } else {
         /* One fault of a source that says it reads something else; what that is was judged by
          * SSA7 where it is nothing.
          */
         if (s->def && def_entry(u->c, s->def)) {
            tell(u, def, place_of(known), "it is in the use list of %s, which it does not read");
            u->told[s->def->index] = true;
         }
         if (def_entry(u->c, def))
            u->told[def->index] = true;
      }
   }
}

void
hd_check_uses(check *c)
{
   uses u = { .c = c };

   collect(&u);
   u.told = hd_stack_alloc_zero(c->stack, c->defs_capacity + 1);
   for (uint32_t pos = 0; pos < c->num_blocks; pos++) {
      const block_info *info = &c->blocks[pos];
      const hd_instr *i = info->block->first;
      for (uint32_t k = 0; k < info->num_instrs; k++, i = i->next)
         check_list(&u, info->block, i);
   }
   for (uint32_t n = 0; n < u.num; n++) {
      const known_src *known = &u.srcs[n];
      if (!known->in_list && known->src->def && def_entry(c, known->src->def))
         tell(&u, known->src->def, place_of(known), "the use list of %s does not have it");
   }
}
