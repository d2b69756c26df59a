/* SPDX-License-Identifier: MIT */
/* memory_ssa.c - memory value numbering (memory SSA): versions of memory at each place.
 *
 *    b0: [1]            at its head a place has the version of the block, where versions meet,
 *      store   -> 7     or that of the end of its dominator
 *     /     \
 *    b1: 7   b2: 7      writes are numbered through
 *    load    store -> 8
 *     \     /
 *    b3: [4]
 *
 * This is memory SSA (Novillo; LLVM's MemorySSA) with one variable a place, but without the phis:
 * only the numbers are kept, and equal numbers mean equal contents.
 */
#include "analysis/memory_ssa.h"

/* Set and binding, if it has them. */
static bool
binding_of(const hd_instr *i, const hd_intrinsic_info *info, uint64_t *binding)
{
   unsigned set = info->slots[HD_INDEX_SET], at = info->slots[HD_INDEX_BINDING];
   const uint32_t *indices = hd_intrinsic_indices((const hd_intrinsic *)i);

   if (!set || !at)
      return false;
   *binding = (uint64_t)indices[set - 1] << 32 | indices[at - 1];
   return true;
}

/* Buffers that only their binding reaches are distinguished. */
static bool
is_apart(const hd_instr *i, const hd_intrinsic_info *info)
{
   return (info->reads | info->writes) == HD_MEMORY_BUFFER &&
          hd_intrinsic_access(i, info) & HD_ACCESS_RESTRICT;
}

static unsigned
place_of_binding(const hd_versions *v, uint64_t binding)
{
   for (unsigned n = HD_FIRST_PLACE; n < v->num_places; n++) {
      if (!v->place[n] && v->binding[n] == binding)
         return n;
   }
   return 0;
}

static uint32_t
place_of_var(const hd_versions *v, const hd_var *var)
{
   uint32_t n = v->var_place[var->index];

   return 1u << (n ? n : HD_VARS_PLACE);
}

uint32_t
hd_places_read(const hd_versions *v, const hd_instr *i)
{
   const hd_intrinsic_info *info;
   uint32_t places;
   uint64_t binding;

   if (i->kind == HD_INSTR_LOAD_VAR)
      return place_of_var(v, ((const hd_var_access *)i)->var);
   if (i->kind != HD_INSTR_INTRINSIC)
      return 0;
   info = hd_instr_intrinsic_info(i);
   places = info->reads;
   if (info->flags & HD_CROSS_LANE)
      places |= HD_MEMORY_HELPER;
   if (!places || hd_intrinsic_access(i, info) & HD_ACCESS_READONLY)
      return places & HD_MEMORY_HELPER;
   if (!info->writes && is_apart(i, info) && binding_of(i, info, &binding)) {
      unsigned n = place_of_binding(v, binding);
      if (n)
         return 1u << n;
   }
   return places;
}

unsigned
hd_place_touched(const hd_versions *v, const hd_instr *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   uint64_t binding;
   unsigned n = 0;

   if (is_apart(i, info) && binding_of(i, info, &binding))
      n = place_of_binding(v, binding);
   return n ? n : (unsigned)__builtin_ctz((unsigned)(info->reads | info->writes));
}

static uint32_t
bindings_written(const hd_versions *v, const hd_instr *i, const hd_intrinsic_info *info)
{
   uint64_t binding;
   bool bound = info && info->writes && binding_of(i, info, &binding);
   uint32_t places = 0;

   for (unsigned n = HD_FIRST_PLACE; n < v->num_places; n++) {
      if (!v->place[n] && (!bound || v->binding[n] == binding))
         places |= 1u << n;
   }
   return places;
}

uint32_t
hd_places_written(const hd_versions *v, const hd_instr *i)
{
   const hd_intrinsic_info *info;
   uint32_t places = 0;

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_STORE_VAR:
      return place_of_var(v, ((const hd_var_access *)i)->var);
   case HD_INSTR_CALL:
      return HD_MEMORY_CHANGING | bindings_written(v, i, NULL);
   case HD_INSTR_INTRINSIC:
      info = hd_instr_intrinsic_info(i);
      if (info->flags & HD_EFFECT_BARRIER)
         return HD_MEMORY_CHANGING | bindings_written(v, i, info);
      if (info->writes & HD_MEMORY_EXTERNAL && !(hd_intrinsic_access(i, info) & HD_ACCESS_RESTRICT))
         places = HD_MEMORY_EXTERNAL;
      if (info->writes & HD_MEMORY_BUFFER)
         places |= bindings_written(v, i, info);
      return places | info->writes;
   default:
      return 0;
   }
}

static void
add_place(hd_versions *v, const hd_var *var, uint64_t binding)
{
   if (v->num_places == HD_NUM_PLACES)
      return;
   if (var)
      v->var_place[var->index] = v->num_places;
   v->place[v->num_places] = var;
   v->binding[v->num_places++] = binding;
}

/* A place of their own for what is read, as far as places go. */
static void
find_places(hd_versions *v, const hd_instr *i)
{
   uint64_t binding;

   if (i->kind == HD_INSTR_LOAD_VAR) {
      const hd_var *var = ((const hd_var_access *)i)->var;
      if (!v->var_place[var->index])
         add_place(v, var, 0);
   } else if (i->kind == HD_INSTR_INTRINSIC) {
      const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
      if (!info->writes && is_apart(i, info) && binding_of(i, info, &binding) &&
          !place_of_binding(v, binding))
         add_place(v, NULL, binding);
   }
}

/* The version of a place at the head of each block: that of its dominator's end, or its own. */
static void
number_heads(hd_versions *v, unsigned place, const uint32_t *at_end, hd_block **blocks,
             uint32_t num_blocks)
{
   hd_function *f = v->f;
   hd_stack *stack = hd_shader_stack(f->shader);
   const struct dom_meta *dom = DOM_META(f);
   const struct order_meta *order = ORDER_META(f);
   uint32_t *head = scratch_fill(stack, f->num_blocks + 1u, 0);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_block **meet = hd_stack_alloc(stack, (f->num_blocks + 1u) * sizeof(*meet));
   uint32_t num = hd_iterated_dominance_frontier(f, blocks, num_blocks, meet);

   for (uint32_t n = 0; n < num; n++)
      head[block_slot(f, meet[n])] = block_slot(f, meet[n]) + 1;
   for (uint32_t n = 0; n < order->num_reachable; n++) {
      uint32_t slot = block_slot(f, order->rpo[n]);
      const hd_block *idom = dom->node[slot].idom;
      if (!idom) {
         head[slot] = slot + 1;
      } else if (!head[slot]) {
         uint32_t above = block_slot(f, idom);
         head[slot] = at_end[above] ? at_end[above] : head[above];
      }
   }
   hd_stack_release(stack, mark);
   v->at_head[place] = head;
}

/* A write: to which places, in which block. */
struct write {
   uint32_t places;
   hd_block *block;
};

static void
number_place(hd_versions *v, unsigned place, const struct write *writes, uint32_t num_writes)
{
   hd_function *f = v->f;
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_block **blocks = hd_stack_alloc(stack, (f->num_blocks + 1u) * sizeof(*blocks));
   uint32_t *at_end = scratch_fill(stack, f->num_blocks + 1u, 0);
   uint32_t num_blocks = 0;

   for (uint32_t n = 0; n < num_writes; n++) {
      if (!(writes[n].places >> place & 1))
         continue;
      uint32_t *end = &at_end[block_slot(f, writes[n].block)];
      if (!*end)
         blocks[num_blocks++] = writes[n].block;
      *end = f->num_blocks + 2u + n;
   }
   number_heads(v, place, at_end, blocks, num_blocks);
}

void
hd_versions_compute(hd_versions *v, hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   const struct order_meta *order = ORDER_META(f);
   hd_block **touched = hd_stack_alloc(stack, order->num_reachable * sizeof(*touched));
   uint32_t num_touched = 0, num_touching = 0, num_writes = 0;

   memset(v, 0, sizeof(*v));
   v->f = f;
   v->num_places = HD_FIRST_PLACE;
   v->var_place = scratch_fill(stack, f->num_vars, 0);
   v->writes_before = scratch_fill(stack, f->num_blocks + 1u, 0xff);
   for (uint32_t n = 0; n < order->num_reachable; n++) {
      hd_block *b = order->rpo[n];
      uint32_t num_before = num_touching;
      hd_foreach_instr(i, b) {
         v->num_instrs++;
         v->num_srcs += hd_instr_num_srcs(i);
         if (!hd_may_touch_memory(i))
            continue;
         num_touching++;
         find_places(v, i);
      }
      if (num_touching != num_before)
         touched[num_touched++] = b;
   }
   if (!num_touching)
      return;
   struct write *writes = hd_stack_alloc(stack, num_touching * sizeof(*writes));
   for (uint32_t n = 0; n < num_touched; n++) {
      hd_block *b = touched[n];
      v->writes_before[block_slot(f, b)] = num_writes;
      hd_foreach_instr(i, b) {
         if (!hd_may_touch_memory(i))
            continue;
         uint32_t places = hd_places_written(v, i);
         v->read |= hd_places_read(v, i);
         v->written |= places;
         if (places)
            writes[num_writes++] = (struct write){ places, b };
      }
   }
   for (unsigned n = 0; n < v->num_places; n++) {
      if (v->read & v->written & 1u << n)
         number_place(v, n, writes, num_writes);
   }
}

void
hd_version_walk_begin(hd_version_walk *w, const hd_versions *v, const hd_block *b)
{
   assert(hd_versions_touched(v, b));
   w->v = v;
   w->num_writes = v->f->num_blocks + 2u + v->writes_before[block_slot(v->f, b)];
   memset(w->current, 0, v->num_places * sizeof(w->current[0]));
   for (uint32_t left = v->read & v->written; left; left &= left - 1) {
      const unsigned n = (unsigned)__builtin_ctz(left);
      w->current[n] = v->at_head[n][block_slot(v->f, b)];
   }
}

void
hd_version_walk_step(hd_version_walk *w, const hd_instr *i)
{
   uint32_t places = hd_places_written(w->v, i);

   if (!places)
      return;
   for (unsigned n = 0; n < w->v->num_places; n++) {
      if (places >> n & 1 && w->v->at_head[n])
         w->current[n] = w->num_writes;
   }
   w->num_writes++;
}
