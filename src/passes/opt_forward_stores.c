/* SPDX-License-Identifier: MIT */
/* opt_forward_stores.c - store-to-load forwarding, and loads and stores that repeat what is known.
 *
 *    store_shared %1, %a                       store_shared %1, %a
 *    store_shared %2, %a offset=4      =>      store_shared %2, %a offset=4
 *    %3 = load_shared %a                       ... %1, wherever it was %3
 *    store_shared %3, %a                       (memory holds it already)
 *
 * The walk down the dominator tree keeps the last `window` accesses whose contents are known: what
 * was stored, and what was loaded. alias.h says which of them a write ends. Where control flow meets,
 * what a block inherits from its dominator is what no path in between may write, by the versions of
 * memory_ssa.h. A load that lies in what is known, in components of the same size, is replaced.
 *
 * Within a buffer a store may be out of bounds and have no effect, and the load gives 0 then: so it
 * gives what was stored only if one of them is promised to be inside (HD_ACCESS_INBOUNDS), or the
 * load says that it may (HD_ACCESS_FORWARD). In fragment shaders helpers store nothing that others
 * see. Barriers end all but scratch memory, volatile and coherent accesses are left alone, and a load
 * that is uniform is not replaced by a value that is not known to be.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    stores that nothing reads any more to opt_dead_stores; loads of the same version of
 *            memory at an address that is equal by value numbers to opt_cse.
 * Tests:     tests/passes/opt_forward_stores.hd, tests/passes/test_run.c
 */
#include "analysis/alias.h"
#include "analysis/memory_ssa.h"
#include "heddle/build.h"
#include "passes/pass.h"

#define MAX_WINDOW 64u
#define LEFT_ALONE ((uint32_t)(HD_ACCESS_VOLATILE | HD_ACCESS_COHERENT))

/* An access, and which components of it memory still holds. */
struct known {
   const hd_memory_ref *ref;
   uint32_t live;
   uint32_t version; /* at the end of a block: of the place that it touches */
};

/* What is known at the end of a block, the oldest first. */
struct saved {
   uint32_t num;
   struct known known[];
};

struct state {
   hd_function *f;
   hd_stack *stack;
   hd_versions versions;
   struct saved **saved; /* by block slot */
   struct known known[MAX_WINDOW];
   unsigned num, window;
   uint32_t num_defs; /* before the pass made any */
   bool helpers;      /* lanes may be helpers */
   bool progress;
};

static hd_def *
value_of(const hd_memory_ref *ref)
{
   return ref->kind == HD_REF_STORE ? hd_instr_src(ref->instr, 0)->def : &ref->instr->def;
}

/* What is known */

static void
remember(struct state *s, const hd_memory_ref *ref)
{
   if (s->num == s->window)
      memmove(s->known, s->known + 1, --s->num * sizeof(s->known[0]));
   hd_memory_ref *kept = hd_stack_alloc(s->stack, sizeof(*kept));
   *kept = *ref;
   s->known[s->num++] = (struct known){ kept, (1u << value_of(ref)->num_components) - 1, 0 };
}

/* The components that are left when `writes` has written. */
static uint32_t
still_live(const struct known *k, const hd_memory_ref *writes)
{
   const int64_t size = k->ref->component_bits / 8;
   int64_t distance;
   uint32_t live = 0;

   if (!hd_may_conflict(writes, k->ref))
      return k->live;
   if (!hd_known_distance(k->ref, writes, &distance))
      return 0;
   for (unsigned c = 0; k->live >> c; c++) {
      if ((c + 1) * size <= distance || c * size >= distance + writes->bytes)
         live |= k->live & 1u << c;
   }
   return live;
}

/* Forget what the access may write. One that is left alone may see what others wrote, so what was
 * known before it is forgotten too.
 */
static void
forget(struct state *s, const hd_memory_ref *ref)
{
   hd_memory_ref writes = *ref;
   unsigned num = 0;

   if (ref->access & LEFT_ALONE)
      writes.writes |= ref->reads;
   if (!writes.writes)
      return;
   for (unsigned n = 0; n < s->num; n++) {
      s->known[n].live = still_live(&s->known[n], &writes);
      if (s->known[n].live)
         s->known[num++] = s->known[n];
   }
   s->num = num;
}

/* Replacing */

/* A component of a value. */
struct part {
   hd_def *value;
   unsigned component;
};

static bool
is_buffer(const hd_memory_ref *ref)
{
   return (ref->reads | ref->writes) == HD_MEMORY_BUFFER;
}

/* The store, if that is what it is, has had its effect where the load has its own. */
static bool
has_happened(const hd_memory_ref *known, const hd_memory_ref *load)
{
   return known->kind == HD_REF_LOAD || !is_buffer(known) || load->kind == HD_REF_STORE ||
          known->access & HD_ACCESS_INBOUNDS ||
          load->access & (HD_ACCESS_INBOUNDS | HD_ACCESS_FORWARD);
}

/* What is at component `c` of the access. */
static bool
find_part(const struct state *s, const hd_memory_ref *ref, unsigned c, struct part *part)
{
   const int64_t size = ref->component_bits / 8;

   for (unsigned n = s->num; n--;) {
      const struct known *k = &s->known[n];
      int64_t distance;
      if (k->ref->component_bits != ref->component_bits ||
          !hd_known_distance(k->ref, ref, &distance) || distance % size)
         continue;
      const int64_t at = distance / size + c;
      if (at < 0 || at >= HD_MAX_COMPONENTS || !(k->live >> at & 1) || !has_happened(k->ref, ref))
         continue;
      *part = (struct part){ value_of(k->ref), (unsigned)at };
      return true;
   }
   return false;
}

static bool
is_as_uniform(struct state *s, const struct part *part, unsigned num, const hd_instr *load)
{
   hd_require(s->f, HD_META_DIVERGENCE);
   if (!hd_def_is_uniform(&load->def))
      return true;
   for (unsigned n = 0; n < num; n++) {
      if (part[n].value->index >= s->num_defs || !hd_def_is_uniform_at(part[n].value, load->block))
         return false;
   }
   return true;
}

/* The parts as one value: often they are one already. */
static hd_def *
join(const struct part *part, unsigned num, hd_instr *load)
{
   hd_builder b = hd_builder_at(hd_before_instr(load));
   hd_def *parts[HD_MAX_COMPONENTS];
   bool whole = part[0].value->num_components == num;

   for (unsigned n = 0; n < num; n++)
      whole &= part[n].value == part[0].value && part[n].component == n;
   if (whole)
      return part[0].value;
   b.loc = load->loc;
   for (unsigned n = 0; n < num; n++)
      parts[n] = hd_build_channel(&b, part[n].value, part[n].component);
   return hd_build_vec(&b, num, parts);
}

static bool
replace_load(struct state *s, const hd_memory_ref *load)
{
   const unsigned num = load->instr->def.num_components;
   struct part part[HD_MAX_COMPONENTS] = { { NULL, 0 } };

   for (unsigned n = 0; n < num; n++) {
      if (!find_part(s, load, n, &part[n]))
         return false;
      pass_step(s->f, s->num);
   }
   if (!is_as_uniform(s, part, num, load->instr))
      return false;
   hd_def_replace_uses(&load->instr->def, join(part, num, load->instr));
   hd_instr_remove(load->instr);
   s->progress = true;
   return true;
}

/* A store of what is there. */
static bool
remove_store(struct state *s, const hd_memory_ref *store)
{
   const hd_def *value = value_of(store);

   for (unsigned n = 0; n < value->num_components; n++) {
      struct part part;
      if (!find_part(s, store, n, &part) || part.value != value || part.component != n)
         return false;
   }
   hd_instr_remove(store->instr);
   s->progress = true;
   return true;
}

/* The walk */

static bool
visit_access(struct state *s, const hd_memory_ref *ref)
{
   if (ref->kind == HD_REF_LOAD)
      return ref->reads && replace_load(s, ref);
   return remove_store(s, ref);
}

static void
visit(struct state *s, hd_instr *i)
{
   hd_memory_ref ref;

   if (!hd_memory_ref_of(&ref, i))
      return;
   pass_step(s->f, 1 + s->num);
   const bool plain =
       (ref.kind == HD_REF_LOAD || ref.kind == HD_REF_STORE) && !(ref.access & LEFT_ALONE);
   if (plain && visit_access(s, &ref))
      return;
   forget(s, &ref);
   if (plain && !(ref.kind == HD_REF_STORE && s->helpers && ref.writes != HD_MEMORY_SCRATCH))
      remember(s, &ref);
}

/* Where a place is written but never read, its versions are not computed. */
static bool
has_versions(const struct state *s, unsigned place)
{
   return !(s->versions.written >> place & 1) || s->versions.read >> place & 1;
}

/* What the dominator's end knew, and no path from there writes. */
static void
inherit(struct state *s, const hd_block *b)
{
   const hd_block *idom = hd_block_idom(b);
   const struct saved *from = idom ? s->saved[block_slot(s->f, idom)] : NULL;

   s->num = 0;
   for (unsigned n = 0; from && n < from->num; n++) {
      const unsigned place = hd_place_touched(&s->versions, from->known[n].ref->instr);
      if (has_versions(s, place) &&
          hd_version_at_head(&s->versions, place, b) == from->known[n].version)
         s->known[s->num++] = from->known[n];
   }
   pass_step(s->f, 1 + (from ? from->num : 0));
}

static void
save(struct state *s, const hd_block *b, const hd_version_walk *w)
{
   if (!s->num || !hd_block_dom_first_child(b))
      return;
   struct saved *to = hd_stack_alloc(s->stack, sizeof(*to) + s->num * sizeof(to->known[0]));
   to->num = s->num;
   for (unsigned n = 0; n < s->num; n++) {
      const unsigned place = hd_place_touched(&s->versions, s->known[n].ref->instr);
      to->known[n] = s->known[n];
      to->known[n].version = w ? w->current[place] : hd_version_at_head(&s->versions, place, b);
   }
   s->saved[block_slot(s->f, b)] = to;
}

static void
visit_block(struct state *s, hd_block *b)
{
   hd_version_walk w;

   inherit(s, b);
   if (!hd_versions_touched(&s->versions, b)) {
      save(s, b, NULL);
      return;
   }
   hd_version_walk_begin(&w, &s->versions, b);
   hd_foreach_instr_safe(i, b) {
      if (!hd_may_touch_memory(i))
         continue;
      /* What is removed counts in the versions, as when they were computed. */
      hd_version_walk_step(&w, i);
      visit(s, i);
   }
   save(s, b, &w);
}

/* Something is loaded of memory that is stored to, or stored back. */
static bool
has_work(hd_function *f)
{
   uint32_t loads = 0, stores = 0;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         pass_step(f, 1);
         if (i->kind != HD_INSTR_INTRINSIC)
            continue;
         const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
         if (!(hd_intrinsic_access(i, info) & (LEFT_ALONE | HD_ACCESS_READONLY)))
            loads |= info->reads & ~(uint32_t)info->writes;
         stores |= info->writes & ~(uint32_t)info->reads;
      }
   }
   return loads & stores & (HD_MEMORY_EXTERNAL | HD_MEMORY_SHARED | HD_MEMORY_SCRATCH);
}

bool
hd_opt_forward_stores(hd_function *f, const opt_forward_stores_options *o)
{
   struct state *s;

   if (!has_work(f))
      return hd_progress(f, false, OPT_FORWARD_STORES_KEEPS);
   s = hd_stack_alloc_zero(hd_shader_stack(f->shader), sizeof(*s));
   s->f = f;
   s->stack = hd_shader_stack(f->shader);
   s->window = o->window;
   s->num_defs = f->num_defs;
   s->helpers = f->shader->stage == HD_STAGE_FRAGMENT;
   s->saved = hd_stack_alloc_zero(s->stack, (f->num_blocks + 1u) * sizeof(*s->saved));
   hd_versions_compute(&s->versions, f);
   for (hd_block *b = hd_function_start(f); b; b = hd_block_dom_next(b))
      visit_block(s, b);
   return hd_progress(f, s->progress, OPT_FORWARD_STORES_KEEPS);
}
