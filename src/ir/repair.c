/* SPDX-License-Identifier: MIT */
/* repair.c - undefs for lost values, phi sources for new edges, deleting code. */
#include "ir/repair.h"

static unsigned
type_index(unsigned num_components, unsigned bit_size)
{
   unsigned size = bit_size == 1    ? 0
                   : bit_size == 8  ? 1
                   : bit_size == 16 ? 2
                   : bit_size == 32 ? 3
                                    : 4;

   return (num_components - 1) * 5 + size;
}

void
hd_undefs_init(hd_undefs *u, hd_function *f)
{
   u->function = f;
   u->num_needed = 0;
   memset(u->needed, 0, sizeof(u->needed));
   memset(u->has, 0, sizeof(u->has));
}

static void
need(hd_undefs *u, unsigned num_components, unsigned bit_size)
{
   bool *needed = &u->needed[type_index(num_components, bit_size)];

   u->num_needed += !*needed;
   *needed = true;
}

void
hd_undefs_need_def(hd_undefs *u, const hd_def *def)
{
   if (def->uses)
      need(u, def->num_components, def->bit_size);
}

void
hd_undefs_need_instrs(hd_undefs *u, const hd_instr *first)
{
   for (const hd_instr *i = first; i; i = i->next)
      hd_undefs_need_def(u, &i->def);
}

void
hd_undefs_need_nodes(hd_undefs *u, const hd_cf_node *first)
{
   for (const hd_cf_node *n = first; n; n = n->next) {
      const hd_cf_node *end = hd_cf_node_next_outside(n);
      for (const hd_cf_node *m = n; m && m != end; m = hd_cf_node_next(m)) {
         if (m->kind == HD_CF_BLOCK)
            hd_undefs_need_instrs(u, hd_node_as_block(m)->first);
      }
   }
}

void
hd_undefs_need_edge(hd_undefs *u, const hd_block *to)
{
   hd_foreach_phi(phi, to)
      need(u, phi->instr.def.num_components, phi->instr.def.bit_size);
}

bool
hd_undefs_reserve(hd_undefs *u, size_t size)
{
   return hd_pool_reserve(hd_shader_pool(u->function->shader),
                          size + u->num_needed * sizeof(hd_instr));
}

/* Undefs stand right after the parameters, where an earlier edit may have put one. */
hd_def *
hd_undefs_get(hd_undefs *u, unsigned num_components, unsigned bit_size)
{
   const unsigned type = type_index(num_components, bit_size);

   if (u->has[type])
      return u->made[type];
   hd_block *start = hd_function_start(u->function);
   hd_instr *after = NULL;
   for (hd_instr *i = start->first; i && (i->kind == HD_INSTR_PARAM || i->kind == HD_INSTR_UNDEF);
        i = i->next) {
      if (i->kind == HD_INSTR_PARAM) {
         after = i;
      } else if (i->def.num_components == num_components && i->def.bit_size == bit_size) {
         u->has[type] = true;
         return u->made[type] = &i->def;
      }
   }
   hd_instr *undef = hd_undef_create(u->function->shader, num_components, bit_size);
   assert(undef && "not reserved");
   hd_instr_link(start, after, undef);
   u->has[type] = true;
   return u->made[type] = &undef->def;
}

bool
hd_new_edge_reserve(hd_block *from, hd_block *to)
{
   if (!hd_edge_reserve(from, 1, to, 1))
      return false;
   hd_foreach_phi(phi, to) {
      if (!hd_phi_reserve(phi, to->num_preds + 1))
         return false;
   }
   return true;
}

void
hd_new_edge_add(hd_undefs *u, hd_block *from, hd_block *to)
{
   bool ok = hd_edge_add(from, to);

   hd_foreach_phi(phi, to) {
      const hd_def *def = &phi->instr.def;
      ok &= hd_phi_add_src(phi, hd_undefs_get(u, def->num_components, def->bit_size));
   }
   assert(ok && "not reserved");
   (void)ok;
}

static void
remove_edges(hd_block *b)
{
   while (b->num_succs)
      hd_edge_remove(b, b->num_succs - 1);
}

/* First every source leaves its use list; the uses that are left then are those from outside. */
static void
unlink_sources(hd_block *b)
{
   hd_foreach_instr(i, b) {
      hd_foreach_src(src, i) {
         hd_src_unlink(src);
         src->def = NULL;
      }
   }
}

void
hd_undefs_replace(hd_undefs *u, hd_def *def)
{
   if (def->uses)
      hd_def_replace_uses(def, hd_undefs_get(u, def->num_components, def->bit_size));
}

hd_instr *
hd_detach_instrs(hd_block *block, hd_instr *first)
{
   hd_instr *dead = NULL;

   if (!first)
      return NULL;
   if (block->last->kind == HD_INSTR_JUMP)
      remove_edges(block);
   for (hd_instr *i = block->last, *prev; i; i = prev) {
      prev = i == first ? NULL : i->prev;
      hd_instr_unlink(i);
      i->next = dead;
      dead = i;
   }
   return dead;
}

void
hd_delete_instrs(hd_undefs *u, hd_instr *detached)
{
   for (hd_instr *i = detached, *next; i; i = next) {
      next = i->next;
      hd_undefs_replace(u, &i->def);
      hd_instr_free(u->function->shader, i);
   }
}

void
hd_delete_list(hd_undefs *u, hd_cf_list *list)
{
   hd_cf_node *dead = NULL;

   for (hd_cf_node *n = list->first; n; n = hd_cf_node_next(n)) {
      hd_block *b = hd_node_as_block(n);
      if (b) {
         remove_edges(b);
         unlink_sources(b);
      } else if (n->kind == HD_CF_IF) {
         hd_src_unlink(&hd_node_as_if(n)->cond);
      }
   }
   for (hd_cf_node *n = list->first; n; n = hd_cf_node_next(n)) {
      if (n->kind == HD_CF_BLOCK) {
         hd_foreach_instr(i, hd_node_as_block(n))
            hd_undefs_replace(u, &i->def);
      }
      /* From here on only `next` is followed, so `prev` can chain. */
      n->prev = dead;
      dead = n;
   }
   for (hd_cf_node *n = dead, *next; n; n = next) {
      next = n->prev;
      hd_cf_node_free(u->function, n);
   }
   list->first = list->last = NULL;
}
