/* SPDX-License-Identifier: MIT */
/* opt_merge_access.c - load/store vectorisation: merge accesses to adjacent memory.
 *
 *    %2 = load_global %1                       %9:32x2 = load_global %1
 *    ...                              =>       %2 = channel %9, 0
 *    %3 = load_global %1 offset=4              %3 = channel %9, 1
 *
 * Within a block, loads move up to the first of the group and stores down to the last, across no
 * access that may alias. All accesses of a group are at constant distances from a common base. A
 * 32-bit address could wrap between two of them, and a buffer reads zeros past its end but data at
 * its beginning: so the alignment of the first access, or an upper bound of the address, must prove
 * that it does not. Components are 32 or 64 bits; `bytes` limits the merged access. Accesses to
 * shared memory are merged only if they are aligned to their full size, as the machine requires.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unused addresses to opt_dce.
 * Tests:     tests/passes/opt_merge_access.hd, tests/passes/test_run.c
 */
#include "analysis/known_bits.h"
#include "heddle/build.h"
#include "ir/fold.h"
#include "passes/pass.h"

#define MAX_GROUPS  16u
#define MAX_MEMBERS 32u

/* An access at `root` + `added`, wrapped, + `offset`. */
struct member {
   hd_intrinsic *i;
   uint64_t added;
   int64_t offset;
   uint32_t bytes;
};

struct group {
   hd_intrinsic_id id;
   bool store;
   unsigned bits; /* of a component */
   hd_def *root;  /* NULL: the address is a constant */
   hd_def *array_index;
   uint32_t set, binding, access;
   uint8_t flags;
   struct member member[MAX_MEMBERS];
   unsigned num;
};

struct state {
   hd_function *f;
   uint32_t max_bytes;
   struct group group[MAX_GROUPS];
   unsigned num;
   struct group *joining; /* what the access at hand is like; NULL: there is none */
   bool progress;
};

static uint32_t
index_or(const hd_intrinsic *i, hd_index index, uint32_t otherwise)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   return info->slots[index] ? hd_intrinsic_indices(i)[info->slots[index] - 1] : otherwise;
}

static void
set_index(hd_intrinsic *i, hd_index index, uint32_t value)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   if (info->slots[index])
      hd_intrinsic_indices(i)[info->slots[index] - 1] = value;
}

/* The place of the value that is stored, of the array index and of the address among the operands;
 * false for what is no plain load or store.
 */
static bool
is_access(hd_intrinsic_id id, bool *store, unsigned *array_index, unsigned *address)
{
   *array_index = UINT32_MAX;
   *store = false;
   switch (id) {
   case HD_INTRINSIC_LOAD_GLOBAL:
   case HD_INTRINSIC_LOAD_SHARED:
   case HD_INTRINSIC_LOAD_PUSH:
   case HD_INTRINSIC_LOAD_KERNARG:
   case HD_INTRINSIC_LOAD_CONSTANT:
      *address = 0;
      return true;
   case HD_INTRINSIC_LOAD_BUFFER:
      *array_index = 0;
      *address = 1;
      return true;
   case HD_INTRINSIC_STORE_GLOBAL:
   case HD_INTRINSIC_STORE_SHARED:
      *store = true;
      *address = 1;
      return true;
   case HD_INTRINSIC_STORE_BUFFER:
      *store = true;
      *array_index = 1;
      *address = 2;
      return true;
   default:
      return false;
   }
}

/* Groups */

/* What is added to the root, as a signed distance that the sum wraps at. */
static int64_t
added_of(const struct group *g, const struct member *m)
{
   return g->root && g->root->bit_size == 32 ? (int32_t)m->added : (int64_t)m->added;
}

static int64_t
place_of(const struct group *g, const struct member *m)
{
   return added_of(g, m) + m->offset;
}

static uint32_t
trailing_zeros(uint64_t known_zeros)
{
   uint64_t others = ~known_zeros;

   return others ? (uint32_t)__builtin_ctzll(others) : 63;
}

/* Whether `m` is as far behind `first` as the difference of their places says. */
static bool
keeps_distance(const struct group *g, const struct member *first, const struct member *m)
{
   if (!g->root)
      return first->added <= m->added;
   if (g->root->bit_size == 64 || first->added == m->added)
      return true;
   const uint64_t distance = (uint32_t)m->added - (uint64_t)(uint32_t)first->added;
   if (distance > UINT32_MAX || first->offset != m->offset)
      return false;
   const hd_known_bits known = hd_known_bits_of(g->root);
   if (hd_known_most(known, 32) + (uint32_t)m->added <= UINT32_MAX)
      return true;
   /* Below the alignment of the root nothing is carried. */
   const uint64_t window = UINT64_C(1) << trailing_zeros(known.zeros);
   return ((uint32_t)first->added & (window - 1)) + distance < window;
}

/* The alignment that is known of the first one's place: a power of two, and the place modulo it. */
static void
find_align(const struct group *g, const struct member *const *member, unsigned num, uint32_t *mul,
           uint32_t *offset)
{
   *mul = 1;
   *offset = 0;
   for (unsigned n = 0; n < num; n++) {
      const uint32_t its = index_or(member[n]->i, HD_INDEX_ALIGN_MUL, 1);
      const int64_t ahead = place_of(g, member[n]) - place_of(g, member[0]);
      if (its <= *mul)
         continue;
      *mul = its;
      *offset = (index_or(member[n]->i, HD_INDEX_ALIGN_OFFSET, 0) - (uint32_t)ahead) & (its - 1);
   }
}

static bool
is_aligned(const struct group *g, const struct member *const *member, unsigned num, uint32_t bytes)
{
   uint32_t mul, offset, whole = 4;

   if (g->id != HD_INTRINSIC_LOAD_SHARED && g->id != HD_INTRINSIC_STORE_SHARED)
      return true;
   find_align(g, member, num, &mul, &offset);
   while (whole < bytes)
      whole *= 2;
   return mul >= whole && !(offset & (whole - 1));
}

/* The address operand of the first one's place, made before `at` from what is there. */
static hd_def *
build_address(const struct group *g, const struct member *first, hd_builder *b, unsigned bits)
{
   if (!g->root)
      return hd_imm_uint(b, bits, first->added);
   return first->added ? hd_iadd(b, g->root, hd_imm_uint(b, bits, first->added)) : g->root;
}

static void
follow(struct group *g, hd_def *old, hd_def *by)
{
   g->root = g->root == old ? by : g->root;
   g->array_index = g->array_index == old ? by : g->array_index;
}

/* What is remembered of addresses follows. */
static void
replace(struct state *s, hd_def *old, hd_def *by)
{
   hd_def_replace_uses(old, by);
   for (unsigned n = 0; n < s->num; n++)
      follow(&s->group[n], old, by);
   if (s->joining)
      follow(s->joining, old, by);
}

static void
merge_loads(struct state *s, const struct group *g, const struct member *const *member,
            unsigned num, hd_instr *at, unsigned address, unsigned array_index, unsigned components)
{
   hd_builder b = hd_builder_at(hd_before_instr(at));
   const hd_intrinsic_info *info = hd_intrinsic_get_info(g->id);
   uint32_t indices[HD_MAX_INDICES], mul, offset;
   hd_def *srcs[2] = { NULL, NULL };
   const unsigned bits = member[0]->i->src[address].def->bit_size;

   b.loc = at->loc;
   b.flags = at->flags;
   memcpy(indices, hd_intrinsic_indices(member[0]->i), info->num_indices * sizeof(*indices));
   srcs[address] = build_address(g, member[0], &b, bits);
   if (array_index != UINT32_MAX)
      srcs[array_index] = g->array_index;
   hd_def *all = hd_build_intrinsic(&b, g->id, components, g->bits, info->num_srcs, srcs, indices);
   find_align(g, member, num, &mul, &offset);
   hd_intrinsic *made = (hd_intrinsic *)hd_def_instr(all);
   set_index(made, HD_INDEX_ALIGN_MUL, mul);
   set_index(made, HD_INDEX_ALIGN_OFFSET, offset);

   unsigned next = 0;
   for (unsigned n = 0; n < num; n++) {
      hd_def *old = &member[n]->i->instr.def, *parts[HD_MAX_COMPONENTS];
      for (unsigned c = 0; c < old->num_components; c++)
         parts[c] = hd_build_channel(&b, all, next++);
      replace(s, old, hd_build_vec(&b, old->num_components, parts));
   }
   for (unsigned n = 0; n < num; n++)
      hd_instr_remove(&member[n]->i->instr);
   s->progress = true;
}

static void
merge_stores(struct state *s, const struct group *g, const struct member *const *member,
             unsigned num, hd_instr *at, unsigned address, unsigned array_index)
{
   hd_builder b = hd_builder_at(hd_after_instr(at));
   const hd_intrinsic_info *info = hd_intrinsic_get_info(g->id);
   uint32_t indices[HD_MAX_INDICES], mul, offset;
   hd_def *srcs[3] = { NULL, NULL, NULL }, *parts[HD_MAX_COMPONENTS];
   const unsigned bits = member[0]->i->src[address].def->bit_size;
   unsigned components = 0;

   b.loc = at->loc;
   b.flags = at->flags;
   memcpy(indices, hd_intrinsic_indices(member[0]->i), info->num_indices * sizeof(*indices));
   find_align(g, member, num, &mul, &offset);
   indices[info->slots[HD_INDEX_ALIGN_MUL] - 1] = mul;
   indices[info->slots[HD_INDEX_ALIGN_OFFSET] - 1] = offset;
   for (unsigned n = 0; n < num; n++) {
      hd_def *value = member[n]->i->src[0].def;
      for (unsigned c = 0; c < value->num_components; c++)
         parts[components++] = hd_build_channel(&b, value, c);
   }
   srcs[0] = hd_build_vec(&b, components, parts);
   srcs[address] = build_address(g, member[0], &b, bits);
   if (array_index != UINT32_MAX)
      srcs[array_index] = g->array_index;
   hd_build_intrinsic(&b, g->id, 0, 0, info->num_srcs, srcs, indices);
   for (unsigned n = 0; n < num; n++)
      hd_instr_remove(&member[n]->i->instr);
   s->progress = true;
}

static void
merge(struct state *s, const struct group *g, const struct member *const *member, unsigned num,
      uint32_t bytes)
{
   unsigned array_index, address = 0;
   const struct member *at = member[0];
   bool store;

   is_access(g->id, &store, &array_index, &address);
   /* Members lie in the order of the program. */
   for (unsigned n = 1; n < num; n++) {
      if ((member[n] > at) == store)
         at = member[n];
   }
   if (store)
      merge_stores(s, g, member, num, &at->i->instr, address, array_index);
   else
      merge_loads(s, g, member, num, &at->i->instr, address, array_index, bytes / (g->bits / 8));
}

/* Merge what can be, and forget the group. */
static void
close_group(struct state *s, unsigned n)
{
   struct group *g = &s->group[n];
   const struct member *sorted[MAX_MEMBERS] = { NULL }, *run[MAX_MEMBERS];
   const unsigned members = g->num;

   for (unsigned k = 0; k < members; k++) {
      unsigned at = k;
      for (; at && place_of(g, sorted[at - 1]) > place_of(g, &g->member[k]); at--)
         sorted[at] = sorted[at - 1];
      sorted[at] = &g->member[k];
   }
   for (unsigned first = 0; first < members;) {
      uint32_t bytes = sorted[first]->bytes;
      unsigned num = 1;
      run[0] = sorted[first];
      while (first + num < members) {
         const struct member *m = sorted[first + num];
         run[num] = m;
         if (place_of(g, m) != place_of(g, run[0]) + bytes || bytes + m->bytes > s->max_bytes ||
             !keeps_distance(g, run[0], m))
            break;
         bytes += m->bytes;
         num++;
      }
      while (num > 1 && !is_aligned(g, run, num, bytes))
         bytes -= run[--num]->bytes;
      if (num > 1)
         merge(s, g, run, num, bytes);
      first += num;
   }
   *g = s->group[--s->num];
}

static void
close_all(struct state *s)
{
   while (s->num)
      close_group(s, s->num - 1);
}

static bool
fits(const struct group *g, const struct group *like)
{
   return g->id == like->id && g->bits == like->bits && g->root == like->root &&
          g->array_index == like->array_index && g->set == like->set &&
          g->binding == like->binding && g->access == like->access && g->flags == like->flags;
}

/* What is touched between accesses of a group ends it, if it could be the same memory; `like`: an
 * access that is to join it.
 */
static void
close_touched(struct state *s, uint32_t reads, uint32_t writes, const struct group *like)
{
   for (unsigned n = s->num; n--;) {
      const struct group *g = &s->group[n];
      const hd_intrinsic_info *info = hd_intrinsic_get_info(g->id);
      const uint32_t read = g->access & HD_ACCESS_READONLY ? 0 : info->reads;
      if (((read & writes) || (info->writes & (reads | writes))) && !(like && fits(g, like)))
         close_group(s, n);
   }
}

static bool
overlaps(const struct group *g, const struct member *m)
{
   for (unsigned n = 0; n < g->num; n++) {
      const struct member *other = &g->member[n];
      if (place_of(g, m) < place_of(g, other) + other->bytes &&
          place_of(g, other) < place_of(g, m) + m->bytes)
         return true;
   }
   return false;
}

/* root + added = the address. */
static void
split_address(hd_def *address, hd_def **root, uint64_t *added)
{
   *added = 0;
   uint64_t k;
   for (unsigned depth = 0; depth < HD_KNOWN_DEPTH && hd_known_sum(address, &address, &k); depth++)
      *added += k;
   const hd_const *c = hd_instr_as_const(hd_def_instr(address));
   if (c)
      *added += hd_const_get(&c->value[0], address->bit_size);
   if (address->bit_size == 32)
      *added &= UINT32_MAX;
   *root = c ? NULL : address;
}

static void
add_access(struct state *s, hd_intrinsic *i, bool store, unsigned array_index, unsigned address)
{
   const hd_def *value = store ? i->src[0].def : &i->instr.def;
   struct group like = {
      .id = (hd_intrinsic_id)i->instr.op,
      .store = store,
      .bits = value->bit_size,
      .flags = i->instr.flags,
      .array_index = array_index == UINT32_MAX ? NULL : i->src[array_index].def,
      .set = index_or(i, HD_INDEX_SET, 0),
      .binding = index_or(i, HD_INDEX_BINDING, 0),
      .access = index_or(i, HD_INDEX_ACCESS, 0),
   };
   struct member m = {
      .i = i,
      .offset = (int32_t)index_or(i, HD_INDEX_OFFSET, 0),
      .bytes = value->num_components * (value->bit_size / 8u),
   };
   const hd_intrinsic_info *info = hd_intrinsic_get_info(like.id);
   struct group *g = NULL;

   if ((like.access & HD_ACCESS_VOLATILE) || value->bit_size < 32) {
      close_touched(s, info->reads, info->writes, NULL);
      return;
   }
   split_address(i->src[address].def, &like.root, &m.added);
   s->joining = &like;
   close_touched(s, info->reads, info->writes, &like);
   for (unsigned n = 0; n < s->num && !g; n++)
      g = fits(&s->group[n], &like) ? &s->group[n] : NULL;
   /* Twice the same place: the order of stores matters, and loads are for others to merge. */
   if (g && (g->num == MAX_MEMBERS || overlaps(g, &m))) {
      close_group(s, (unsigned)(g - s->group));
      g = NULL;
   }
   if (!g) {
      if (s->num == MAX_GROUPS)
         close_group(s, 0);
      g = &s->group[s->num++];
      *g = like;
   }
   s->joining = NULL;
   g->member[g->num++] = m;
}

static void
visit(struct state *s, hd_instr *instr)
{
   bool store;
   unsigned array_index, address = 0;

   if (instr->kind == HD_INSTR_CALL) {
      close_all(s);
      return;
   }
   if (instr->kind != HD_INSTR_INTRINSIC)
      return;
   hd_intrinsic *i = (hd_intrinsic *)instr;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(instr);
   if (is_access((hd_intrinsic_id)instr->op, &store, &array_index, &address))
      add_access(s, i, store, array_index, address);
   else if (info->flags & (HD_EFFECT_WRITE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      close_all(s);
   else
      close_touched(s, info->reads, info->writes, NULL);
}

bool
hd_opt_merge_access(hd_function *f, const opt_merge_access_options *o)
{
   struct state *s = hd_stack_alloc_zero(hd_shader_stack(f->shader), sizeof(*s));

   s->f = f;
   s->max_bytes = o->bytes;
   hd_foreach_block(b, f) {
      /* What is merged goes, or comes, where the walk has been. */
      hd_foreach_instr(i, b) {
         pass_step(f, 1);
         visit(s, i);
      }
      close_all(s);
   }
   return hd_progress(f, s->progress, OPT_MERGE_ACCESS_KEEPS);
}
