/* SPDX-License-Identifier: MIT */
/* lower_outputs.c - bring stores to outputs to the end of the entry, each component once.
 *
 *    if %c {                                   if %c {
 *       store_output %x, 0 location=1             store_var $o, %x
 *    }                                    =>   }
 *    store_output %y, 0 location=1             store_var $o, %y
 *    ...                                       ...
 *                                              %1 = load_var $o
 *                                              store_output %1, 0 location=1
 *
 * For machines that send outputs away, rather than keep them in memory. A component that may not have been
 * stored is stored under a condition; if no component is stored in several places nothing is done. With `final` what is not stored is undefined, and what a lane has
 * stored that ends early, or becomes a helper, is lost: as pipelines do it. Without, functions where lanes
 * do so are left alone.
 *
 * Requires:  one return; no calls.
 * Preserves: nothing when it fires.
 * Leaves:    variables, to opt_vars_to_ssa; where a location is no constant, or numbers of different sizes
 *            overlap, all.
 * Tests:     tests/passes/lower_outputs.hd
 */
#include <stdlib.h>

#include "heddle/intrinsic_enum.h"
#include "passes/lower.h"

/* A component of an output. */
struct slot {
   uint32_t id, location, dual_source, component, bits;
   hd_var *value, *stored;
};

/* A store, the number of its first slot among all that were collected. */
struct store {
   hd_intrinsic *i;
   uint32_t location;
};

struct state {
   hd_function *f;
   hd_stack *stack;
   struct store *stores;
   struct slot *slots; /* sorted, each once */
   uint32_t num_stores, num_slots;
   bool final;
};

static bool
is_output(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC && i->op < HD_INTRINSIC_OWN &&
          hd_instr_intrinsic_info(i)->writes == HD_MEMORY_OUTPUT;
}

static int
by_place(const void *a, const void *b)
{
   const struct slot *x = a, *y = b;
   const uint32_t keys[][2] = { { x->id, y->id },
                                { x->dual_source, y->dual_source },
                                { x->location, y->location },
                                { x->component, y->component },
                                { x->bits, y->bits } };

   for (size_t n = 0; n < sizeof(keys) / sizeof(keys[0]); n++) {
      if (keys[n][0] != keys[n][1])
         return keys[n][0] < keys[n][1] ? -1 : 1;
   }
   return 0;
}

static struct slot
slot_of(const struct store *store, unsigned c)
{
   const hd_intrinsic *i = store->i;
   const unsigned bits = i->src[0].def->bit_size;

   return (struct slot){ .id = i->instr.op,
                         .location = store->location,
                         .dual_source = hd_intrinsic_index(i, HD_INDEX_DUAL_SOURCE),
                         .component =
                             hd_intrinsic_index(i, HD_INDEX_COMPONENT) + c * (bits == 64 ? 2u : 1u),
                         .bits = bits };
}

static struct slot *
find_slot(const struct state *s, const struct slot *like)
{
   return bsearch(like, s->slots, s->num_slots, sizeof(*like), by_place);
}

/* Can all of it be lowered? */
static bool
is_eligible(const struct state *s)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         const hd_jump *jump = i->kind == HD_INSTR_JUMP ? (const hd_jump *)i : NULL;
         const bool demotes =
             i->kind == HD_INSTR_INTRINSIC && hd_instr_intrinsic_info(i)->flags & HD_EFFECT_DEMOTE;
         if (i->kind == HD_INSTR_CALL ||
             (!s->final && (demotes || (jump && jump->instr.op == HD_JUMP_HALT))))
            return false;
         /* Several returns. */
         if (jump && jump->instr.op == HD_JUMP_RETURN && b != hd_list_last_block(&s->f->body))
            return false;
      }
   }
   return true;
}

/* False: a location is no constant. */
static bool
collect(struct state *s)
{
   uint32_t num = 0;

   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b)
         num += is_output(i);
   }
   s->stores = hd_stack_alloc(s->stack, (num + 1) * sizeof(*s->stores));
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         if (!is_output(i))
            continue;
         hd_intrinsic *store = (hd_intrinsic *)i;
         const hd_const *c = i->num_srcs > 1 ? hd_src_as_const(&store->src[1]) : NULL;
         if (i->num_srcs > 1 && !c)
            return false;
         s->stores[s->num_stores++] =
             (struct store){ store, hd_intrinsic_index(store, HD_INDEX_LOCATION) +
                                        (c ? c->value[0].u32 : 0) };
      }
   }
   return true;
}

/* Sort the slots. Was one named twice? */
static bool
sort_slots(struct state *s)
{
   uint32_t num = 0, kept = 0;

   for (uint32_t n = 0; n < s->num_stores; n++)
      num += s->stores[n].i->src[0].def->num_components;
   s->slots = hd_stack_alloc(s->stack, (num + 1) * sizeof(*s->slots));
   for (uint32_t n = 0; n < s->num_stores; n++) {
      for (unsigned c = 0; c < s->stores[n].i->src[0].def->num_components; c++)
         s->slots[s->num_slots++] = slot_of(&s->stores[n], c);
   }
   if (num)
      qsort(s->slots, num, sizeof(*s->slots), by_place);
   for (uint32_t n = 0; n < num; n++) {
      if (!kept || by_place(&s->slots[kept - 1], &s->slots[n]))
         s->slots[kept++] = s->slots[n];
   }
   s->num_slots = kept;
   return kept < num;
}

/* Components of 32 bits that a slot takes, from the first of all locations on. */
static uint64_t
begin_of(const struct slot *slot)
{
   return slot->location * UINT64_C(4) + slot->component;
}

/* Are there numbers of different sizes in one place? */
static bool
overlap(const struct state *s)
{
   for (uint32_t n = 0; n + 1 < s->num_slots; n++) {
      const struct slot *a = &s->slots[n], *b = a + 1;
      if (a->id == b->id && a->dual_source == b->dual_source &&
          begin_of(b) < begin_of(a) + (a->bits == 64 ? 2u : 1u))
         return true;
   }
   return false;
}

static bool
are_at_end(const struct state *s)
{
   for (uint32_t n = 0; n < s->num_stores; n++) {
      if (s->stores[n].i->instr.block != hd_list_last_block(&s->f->body))
         return false;
   }
   return true;
}

static void
make_variables(struct state *s)
{
   hd_builder b = hd_builder_at(hd_after_phis(hd_function_start(s->f)));

   for (uint32_t n = 0; n < s->num_slots; n++) {
      struct slot *slot = &s->slots[n];
      slot->value = hd_var_create(s->f, "output", 1, slot->bits, 0);
      if (s->final)
         continue;
      slot->stored = hd_var_create(s->f, "stored", 1, 1, 0);
      hd_store_var(&b, slot->stored, NULL, hd_imm_bool(&b, false));
   }
}

static void
keep(struct state *s, const struct store *store)
{
   hd_builder b = hd_builder_at(hd_before_instr(&store->i->instr));
   hd_def *value = store->i->src[0].def;

   b.loc = store->i->instr.loc;
   for (unsigned c = 0; c < value->num_components; c++) {
      const struct slot like = slot_of(store, c), *slot = find_slot(s, &like);
      hd_store_var(&b, slot->value, NULL, hd_build_channel(&b, value, c));
      if (slot->stored)
         hd_store_var(&b, slot->stored, NULL, hd_imm_bool(&b, true));
   }
   hd_instr_remove(&store->i->instr);
}

/* The components from `first` on that one store can have. */
static uint32_t
run_from(const struct state *s, uint32_t first)
{
   const struct slot *a = &s->slots[first];
   const unsigned step = a->bits == 64 ? 2 : 1;
   uint32_t num = 1;

   while (s->final && first + num < s->num_slots && num < 4) {
      const struct slot *next = &a[num];
      if (next->id != a->id || next->location != a->location ||
          next->dual_source != a->dual_source || next->bits != a->bits ||
          next->component != a->component + num * step)
         break;
      num++;
   }
   return num;
}

/* The size that the intrinsic's first operand has where the table leaves no choice; 0: any. */
static unsigned
fixed_components(const struct slot *slot)
{
   return slot->id == HD_INTRINSIC_STORE_POSITION ? 4 : 0;
}

static void
store_run(hd_builder *b, const struct slot *slots, uint32_t num)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)slots->id);
   uint32_t indices[HD_MAX_INDICES] = { 0 };
   hd_def *parts[4], *srcs[2];

   for (uint32_t n = 0; n < num; n++)
      parts[n] = hd_load_var(b, slots[n].value, NULL);
   srcs[0] = hd_build_vec(b, num, parts);
   if (info->num_srcs > 1)
      srcs[1] = hd_imm_u32(b, info->slots[HD_INDEX_LOCATION] ? 0 : slots->location);
   if (info->slots[HD_INDEX_LOCATION]) {
      indices[info->slots[HD_INDEX_LOCATION] - 1] = slots->location;
      indices[info->slots[HD_INDEX_COMPONENT] - 1] = slots->component;
      indices[info->slots[HD_INDEX_DUAL_SOURCE] - 1] = slots->dual_source;
   }
   hd_build_intrinsic(b, (hd_intrinsic_id)slots->id, 0, 0, info->num_srcs, srcs, indices);
}

/* Vectors whose size is fixed are stored by all of their components together. */
static void
store_all(struct state *s)
{
   for (uint32_t n = 0, num; n < s->num_slots; n += num) {
      const unsigned fixed = fixed_components(&s->slots[n]);
      hd_builder b = hd_builder_at(hd_before_jump(hd_list_last_block(&s->f->body)));
      num = fixed ? fixed : run_from(s, n);
      if (!s->final) {
         hd_def *stored = hd_load_var(&b, s->slots[n].stored, NULL);
         hd_if *nif = hd_insert_if(b.cursor, stored);
         b = hd_builder_at(hd_list_end(&nif->then_list));
      }
      store_run(&b, &s->slots[n], num);
   }
}

bool
hd_lower_outputs(hd_function *f, const lower_outputs_options *o)
{
   struct state s = { .f = f, .stack = hd_shader_stack(f->shader), .final = o->final };

   if (f != f->shader->first_function || !is_eligible(&s) || !collect(&s) || !s.num_stores)
      return hd_progress(f, false, LOWER_OUTPUTS_KEEPS);
   const bool twice = sort_slots(&s);
   if (overlap(&s))
      return hd_progress(f, false, LOWER_OUTPUTS_KEEPS);
   if (!twice && (!s.final || are_at_end(&s)))
      return hd_progress(f, false, LOWER_OUTPUTS_KEEPS);
   make_variables(&s);
   for (uint32_t n = 0; n < s.num_stores; n++)
      keep(&s, &s.stores[n]);
   store_all(&s);
   return hd_progress(f, true, LOWER_OUTPUTS_KEEPS);
}
