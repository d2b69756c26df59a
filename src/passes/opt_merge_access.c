/* SPDX-License-Identifier: MIT */
/* opt_merge_access.c - load/store vectorisation: merge accesses to adjacent memory.
 *
 *    %2 = load_global %1                       %9:32x2 = load_global %1
 *    ...                              =>       %2 = channel %9, 0
 *    %3 = load_global %1 offset=4              %3 = channel %9, 1
 *
 * Within a block, loads move up to the first of the group and stores down to the last, across no
 * access that may alias (alias.h). All accesses of a group are at constant distances from a common base, or
 * from a common index that is shifted. A 32-bit address could wrap between two of them, and a buffer reads
 * zeros past its end but data at its beginning: so the alignment of the first access, or an upper bound of
 * the address, must prove that it does not, or a promise that the accesses are in bounds
 * (HD_ACCESS_INBOUNDS) or that it does not matter (HD_ACCESS_NOWRAP).
 * Components of 8 and 16 bits that fill aligned dwords, alone or with some of 32 bits, become parts of
 * these, or with `halves`, those of 16 bits, a vector of more components; two aligned bytes become one access of 16
 * bits. `bytes` limits the merged access. Accesses to shared memory are merged only if they are aligned
 * to their full size, as the machine requires.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unused addresses to opt_dce.
 * Tests:     tests/passes/opt_merge_access.hd, tests/passes/test_run.c
 */
#include "analysis/alias.h"
#include "analysis/known_bits.h"
#include "heddle/build.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "ir/fold.h"
#include "passes/pass.h"

#define MAX_GROUPS  16u
#define MAX_MEMBERS 32u
#define MAX_BETWEEN 8u
#define MAX_PARTS   64u /* the bytes of the widest access */
/* Memory of a lane or a workgroup is smaller than 4 GiB by much more, and so is a buffer that is promised
 * to be accessed inside.
 */
#define MAX_DISTANCE 65536

/* An access at (`root` << `shift`) + `added`, wrapped, + `offset`. */
struct member {
   hd_intrinsic *i;
   hd_memory_ref ref; /* of memory that can change: reads or writes are not 0 */
   uint64_t added;
   int64_t offset;
   uint32_t bytes;
   unsigned bits; /* of a component */
};

/* What all accesses of a group have in common. */
struct likeness {
   hd_intrinsic_id id;
   bool store;
   unsigned bits; /* of a component; of a group, of its first member: see may_mix */
   hd_def *root;  /* NULL: the address is a constant */
   unsigned shift;
   hd_def *array_index;
   uint32_t set, binding, access;
   uint8_t flags;
};

struct group {
   struct likeness like;
   struct member member[MAX_MEMBERS];
   unsigned num;
   /* Of loads: what was written since the first one, and by none of it what they read. */
   hd_memory_ref between[MAX_BETWEEN];
   unsigned num_between;
};

struct state {
   hd_function *f;
   uint32_t max_bytes;
   bool small;                      /* components of less than 32 bits too */
   bool halves;                     /* of 16 bits they stay what they are */
   struct group *group[MAX_GROUPS]; /* the first `num` are in use */
   unsigned num;
   struct member *joining; /* the access at hand, and what it is like; NULL: there is none */
   struct likeness *like;
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
   return g->like.root && g->like.root->bit_size == 32 ? (int32_t)m->added : (int64_t)m->added;
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

/* An address of the access is in memory that ends more than MAX_DISTANCE bytes before addresses wrap. */
static bool
is_inside(const struct likeness *like)
{
   return like->access & HD_ACCESS_INBOUNDS ||
          !(hd_intrinsic_get_info(like->id)->reads & HD_MEMORY_BUFFER ||
            hd_intrinsic_get_info(like->id)->writes & HD_MEMORY_BUFFER);
}

static bool
is_shared(hd_intrinsic_id id)
{
   return id == HD_INTRINSIC_LOAD_SHARED || id == HD_INTRINSIC_STORE_SHARED;
}

/* Whether `m` is as far after `first` as the difference of their places says. */
static bool
keeps_distance(const struct group *g, const struct member *first, const struct member *m)
{
   if (!g->like.root)
      return first->added <= m->added;
   if (g->like.root->bit_size == 64 || first->added == m->added)
      return true;
   /* Who accesses what is before an address that they have may be at the beginning of the buffer. */
   if (is_inside(&g->like) || (g->like.access & HD_ACCESS_NOWRAP && added_of(g, first) >= 0))
      return place_of(g, m) - place_of(g, first) <= MAX_DISTANCE;
   const uint64_t distance = (uint32_t)m->added - (uint64_t)(uint32_t)first->added;
   if (distance > UINT32_MAX || first->offset != m->offset)
      return false;
   const hd_known_bits known = hd_known_root(g->like.root, g->like.shift);
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

   if (!is_shared(g->like.id))
      return true;
   find_align(g, member, num, &mul, &offset);
   /* What is small begins a dword. */
   if (mul < 4 && g->like.bits < 32) {
      mul = 4;
      offset = 0;
   }
   while (whole < bytes)
      whole *= 2;
   return mul >= whole && !(offset & (whole - 1));
}

/* Components of an access that is merged of those of so many bits; 0: of different sizes. */
static unsigned
merged_bits(const struct state *s, unsigned bits)
{
   return bits < 32 && !(s->halves && bits == 16) ? 32 : bits;
}

/* Components of 8, 16 and 32 bits become parts of dwords, in memory that an access may read or write past
 * its end.
 */
static bool
may_mix(const struct state *s, const struct likeness *like)
{
   return s->small && like->bits <= 32 && is_inside(like) && !is_shared(like->id);
}

/* Small components: their access becomes one of dwords, all of which they make. So a buffer must not end
 * within one, or the accesses are of whole dwords before, with bounds for each half.
 */
static bool
may_widen(const struct state *s, const struct group *g)
{
   if (g->like.bits >= 32 || (s->small && is_inside(&g->like)))
      return true;
   for (unsigned n = 0; n < g->num; n++) {
      if (g->member[n].bytes % 4)
         return false;
   }
   return s->small && merged_bits(s, g->like.bits) == 16;
}

/* Its place is known to be a multiple of `size`, a power of two. */
static bool
is_multiple(const struct group *g, const struct member *m, uint32_t size)
{
   if (index_or(m->i, HD_INDEX_ALIGN_MUL, 1) >= size)
      return index_or(m->i, HD_INDEX_ALIGN_OFFSET, 0) % size == 0;
   if (g->like.root && ~hd_known_root(g->like.root, g->like.shift).zeros & (size - 1))
      return false;
   return ((uint32_t)m->added + (uint32_t)m->offset) % size == 0;
}

/* Two bytes, of which the first one is at a multiple of 2. */
static bool
is_pair(const struct group *g, const struct member *const *member)
{
   return member[0]->bits == 8 && member[1]->bits == 8 &&
          member[0]->bytes + member[1]->bytes == 2 &&
          place_of(g, member[1]) == place_of(g, member[0]) + 1 && is_multiple(g, member[0], 2) &&
          keeps_distance(g, member[0], member[1]);
}

static void
set_align(const struct group *g, const struct member *const *member, unsigned num, unsigned bits,
          hd_intrinsic *made)
{
   uint32_t mul, offset;

   find_align(g, member, num, &mul, &offset);
   /* What is small begins what it becomes a part of. */
   const uint32_t whole = num == 2 && member[0]->bytes + member[1]->bytes == 2 ? 2 : 4;
   if (mul < whole && bits < 32) {
      mul = whole;
      offset = 0;
   }
   set_index(made, HD_INDEX_ALIGN_MUL, mul);
   set_index(made, HD_INDEX_ALIGN_OFFSET, offset);
}

/* Bits of the components, or 0 if they differ. */
static unsigned
common_bits(const struct member *const *member, unsigned num)
{
   for (unsigned n = 1; n < num; n++) {
      if (member[n]->bits != member[0]->bits)
         return 0;
   }
   return member[0]->bits;
}

/* The component at byte `at` of what was loaded in components of its size or of 32 bits. */
static hd_def *
take_part(hd_builder *b, hd_def *all, unsigned at, unsigned bits)
{
   if (bits == all->bit_size)
      return hd_build_channel(b, all, at / (bits / 8));
   hd_def *dword = hd_build_channel(b, all, at / 4);
   hd_def *place = hd_imm_u32(b, at % 4 * 8);
   return hd_u2u(b, at % 4 ? hd_ushr(b, dword, place) : dword, bits);
}

/* And back: a component at byte `at` behind the `num` that are there; returns how many there are then. The
 * last one of `whole` bytes need not be cut off what it is a part of: what is above is shifted out.
 */
static unsigned
put_part(hd_builder *b, hd_def **parts, unsigned num, unsigned bits, unsigned at, hd_def *part,
         unsigned whole)
{
   const hd_alu *cut = hd_instr_as_alu(hd_def_instr(part));

   if (part->bit_size == bits) {
      parts[num] = part;
      return num + 1;
   }
   part = cut && cut->instr.op == HD_OP_U2U && cut->src[0].def->bit_size == bits &&
                  at % 4 + part->bit_size / 8u == whole
              ? cut->src[0].def
              : hd_u2u(b, part, bits);
   if (at % 4 == 0) {
      parts[num] = part;
      return num + 1;
   }
   hd_def *place = hd_imm_u32(b, at % 4 * 8);
   part = hd_ishl(b, part, place);
   parts[num - 1] = hd_ior(b, parts[num - 1], part);
   return num;
}

/* The address operand of the first one's place, made before the access of `its` address from what is there. */
static hd_def *
build_address(const struct group *g, const struct member *first, hd_builder *b, hd_def *its)
{
   const unsigned bits = its->bit_size;
   hd_def *root = g->like.root;
   uint64_t added;

   if (!root)
      return hd_imm_uint(b, bits, first->added);
   if (g->like.shift) {
      hd_split_address(its, &its, &added, NULL);
      const hd_alu *shifted = (hd_alu *)hd_def_instr(its);
      root = shifted->src[0].def == root ? its : hd_ishl(b, root, hd_imm_u32(b, g->like.shift));
   }
   return first->added ? hd_iadd(b, root, hd_imm_uint(b, bits, first->added)) : root;
}

static hd_def *
follow(hd_def *def, const hd_def *old, hd_def *by)
{
   return def == old ? by : def;
}

static void
follow_ref(hd_memory_ref *ref, const hd_def *old, hd_def *by)
{
   ref->root = follow(ref->root, old, by);
   ref->array_index = follow(ref->array_index, old, by);
}

static void
follow_like(struct likeness *like, const hd_def *old, hd_def *by)
{
   like->root = follow(like->root, old, by);
   like->array_index = follow(like->array_index, old, by);
}

/* What is remembered of addresses follows. */
static void
replace(struct state *s, hd_def *old, hd_def *by)
{
   hd_def_replace_uses(old, by);
   for (unsigned n = 0; n < s->num; n++) {
      follow_like(&s->group[n]->like, old, by);
      for (unsigned k = 0; k < s->group[n]->num_between; k++)
         follow_ref(&s->group[n]->between[k], old, by);
   }
   if (s->joining) {
      follow_like(s->like, old, by);
      follow_ref(&s->joining->ref, old, by);
   }
}

static void
merge_loads(struct state *s, const struct group *g, const struct member *const *member,
            unsigned num, hd_instr *at, unsigned address, unsigned array_index, uint32_t bytes)
{
   hd_builder b = hd_builder_at(hd_before_instr(at));
   const hd_intrinsic_info *info = hd_intrinsic_get_info(g->like.id);
   uint32_t indices[HD_MAX_INDICES];
   hd_def *srcs[2] = { NULL, NULL };
   const unsigned common = common_bits(member, num);
   const unsigned bits = bytes == 2 ? 16 : merged_bits(s, common);

   b.loc = at->loc;
   b.flags = at->flags;
   memcpy(indices, hd_intrinsic_indices(member[0]->i), info->num_indices * sizeof(*indices));
   srcs[address] = build_address(g, member[0], &b, ((hd_intrinsic *)at)->src[address].def);
   if (array_index != UINT32_MAX)
      srcs[array_index] = g->like.array_index;
   hd_def *all =
       hd_build_intrinsic(&b, g->like.id, bytes / (bits / 8), bits, info->num_srcs, srcs, indices);
   set_align(g, member, num, common, (hd_intrinsic *)hd_def_instr(all));
   b.flags = 0;
   if (bytes == 2)
      all = hd_u2u(&b, all, 32);

   unsigned at_byte = 0;
   for (unsigned n = 0; n < num; n++) {
      hd_def *old = &member[n]->i->instr.def, *parts[HD_MAX_COMPONENTS];
      for (unsigned c = 0; c < old->num_components; c++) {
         parts[c] = take_part(&b, all, at_byte, member[n]->bits);
         at_byte += member[n]->bits / 8;
      }
      replace(s, old, hd_build_vec(&b, old->num_components, parts));
   }
   for (unsigned n = 0; n < num; n++)
      hd_instr_remove(&member[n]->i->instr);
   s->progress = true;
}

static void
merge_stores(struct state *s, const struct group *g, const struct member *const *member,
             unsigned num, hd_instr *at, unsigned address, unsigned array_index, uint32_t bytes)
{
   hd_builder b = hd_builder_at(hd_after_instr(at));
   const hd_intrinsic_info *info = hd_intrinsic_get_info(g->like.id);
   uint32_t indices[HD_MAX_INDICES];
   hd_def *srcs[3] = { NULL, NULL, NULL }, *parts[MAX_PARTS];
   const unsigned common = common_bits(member, num), bits = merged_bits(s, common);
   unsigned components = 0, at_byte = 0;

   b.loc = at->loc;
   set_align(g, member, num, common, member[0]->i);
   memcpy(indices, hd_intrinsic_indices(member[0]->i), info->num_indices * sizeof(*indices));
   for (unsigned n = 0; n < num; n++) {
      hd_def *value = member[n]->i->src[0].def;
      for (unsigned c = 0; c < value->num_components; c++) {
         hd_def *part = hd_build_channel(&b, value, c);
         components = put_part(&b, parts, components, bits, at_byte, part, bytes == 2 ? 2 : 4);
         at_byte += value->bit_size / 8u;
      }
   }
   srcs[0] = bytes == 2 ? hd_u2u(&b, parts[0], 16) : hd_build_vec(&b, components, parts);
   srcs[address] = build_address(g, member[0], &b, ((hd_intrinsic *)at)->src[address].def);
   if (array_index != UINT32_MAX)
      srcs[array_index] = g->like.array_index;
   b.flags = at->flags;
   hd_build_intrinsic(&b, g->like.id, 0, 0, info->num_srcs, srcs, indices);
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

   is_access(g->like.id, &store, &array_index, &address);
   /* Members lie in the order of the program. */
   for (unsigned n = 1; n < num; n++) {
      if ((member[n] > at) == store)
         at = member[n];
   }
   if (store)
      merge_stores(s, g, member, num, &at->i->instr, address, array_index, bytes);
   else
      merge_loads(s, g, member, num, &at->i->instr, address, array_index, bytes);
}

/* Merge what can be, and forget the group. */
static void
close_group(struct state *s, unsigned n)
{
   struct group *g = s->group[n];
   const struct member *sorted[MAX_MEMBERS] = { NULL }, *run[MAX_MEMBERS];
   const unsigned members = g->num;

   for (unsigned k = 0; k < members; k++) {
      unsigned at = k;
      for (; at && place_of(g, sorted[at - 1]) > place_of(g, &g->member[k]); at--)
         sorted[at] = sorted[at - 1];
      sorted[at] = &g->member[k];
   }
   for (unsigned first = 0; first < members && may_widen(s, g);) {
      const bool small = sorted[first]->bits < 32, whole = is_multiple(g, sorted[first], 4);
      uint32_t bytes = sorted[first]->bytes;
      unsigned num = 1;
      run[0] = sorted[first];
      while (first + num < members && (whole || !small)) {
         const struct member *m = sorted[first + num];
         run[num] = m;
         if (place_of(g, m) != place_of(g, run[0]) + bytes || bytes + m->bytes > s->max_bytes ||
             (m->bits < 32 && !whole) || bytes % (m->bits < 32 ? m->bits / 8 : 4) ||
             (bytes + m->bytes) / (merged_bits(s, common_bits(run, num + 1)) / 8) >
                 HD_MAX_COMPONENTS ||
             !keeps_distance(g, run[0], m))
            break;
         bytes += m->bytes;
         num++;
      }
      while (num > 1 && (bytes % 4 || !is_aligned(g, run, num, bytes)))
         bytes -= run[--num]->bytes;
      if (num == 1 && first + 1 < members && is_pair(g, &sorted[first])) {
         run[num++] = sorted[first + 1];
         bytes = 2;
      }
      if (num > 1)
         merge(s, g, run, num, bytes);
      first += num;
   }
   s->group[n] = s->group[--s->num];
   s->group[s->num] = g;
}

static void
close_all(struct state *s)
{
   while (s->num)
      close_group(s, s->num - 1);
}

static bool
fits(const struct state *s, const struct group *g, const struct likeness *like)
{
   if (g->like.bits != like->bits && !(may_mix(s, like) && may_mix(s, &g->like)))
      return false;
   return g->like.id == like->id && g->like.root == like->root && g->like.shift == like->shift &&
          g->like.array_index == like->array_index && g->like.set == like->set &&
          g->like.binding == like->binding && g->like.access == like->access &&
          g->like.flags == like->flags;
}

static bool
conflicts(struct state *s, struct group *g, const hd_memory_ref *ref)
{
   pass_step(s->f, g->num);
   for (unsigned n = 0; n < g->num; n++) {
      hd_memory_ref *its = &g->member[n].ref;
      /* The address may have been replaced. */
      its->root = g->like.root;
      its->array_index = g->like.array_index;
      if (its->instr && hd_may_conflict(its, ref))
         return true;
   }
   return false;
}

/* May an access like those of the group, wherever it is, conflict with `ref`? */
static bool
may_touch(const struct group *g, const hd_memory_ref *ref)
{
   hd_memory_ref any = g->member[0].ref;

   any.address_bits = 0;
   any.least = 1;
   any.most = 0;
   return any.instr && hd_may_conflict(&any, ref);
}

/* What touches the memory of a group ends it. Loads that join it later move up over what is written
 * from here on, so that is kept in mind.
 */
static void
close_touched(struct state *s, const hd_memory_ref *ref, const struct likeness *joins)
{
   for (unsigned n = s->num; n--;) {
      struct group *g = s->group[n];
      if (joins && fits(s, g, joins))
         continue;
      const bool kept = !g->like.store && ref->writes && may_touch(g, ref);
      if (conflicts(s, g, ref) || (kept && g->num_between == MAX_BETWEEN))
         close_group(s, n);
      else if (kept)
         g->between[g->num_between++] = *ref;
   }
}

/* May the load move up to the first one of the group? */
static bool
may_join(struct state *s, const struct group *g, const struct member *m)
{
   if (!m->ref.instr)
      return true;
   pass_step(s->f, g->num_between);
   for (unsigned n = 0; n < g->num_between; n++) {
      if (hd_may_conflict(&g->between[n], &m->ref))
         return false;
   }
   return true;
}

static unsigned
index_of(const struct state *s, const struct group *g)
{
   unsigned n = 0;

   while (s->group[n] != g)
      n++;
   return n;
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

static void
add_access(struct state *s, hd_intrinsic *i, bool store, unsigned array_index, unsigned address)
{
   const hd_def *value = store ? i->src[0].def : &i->instr.def;
   struct likeness like = {
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
      .bits = value->bit_size,
   };
   struct group *g = NULL;

   if (!hd_memory_ref_of(&m.ref, &i->instr))
      m.ref.instr = NULL;
   if ((like.access & HD_ACCESS_VOLATILE) || (value->bit_size < 32 && !s->small)) {
      if (m.ref.instr)
         close_touched(s, &m.ref, NULL);
      return;
   }
   hd_split_address(i->src[address].def, &like.root, &m.added, &like.shift);
   s->joining = &m;
   s->like = &like;
   if (m.ref.instr)
      close_touched(s, &m.ref, &like);
   for (unsigned n = 0; n < s->num && !g; n++)
      g = fits(s, s->group[n], &like) ? s->group[n] : NULL;
   /* Twice the same place: the order of stores matters, and loads are for others to merge. */
   if (g && (g->num == MAX_MEMBERS || overlaps(g, &m) || !may_join(s, g, &m))) {
      close_group(s, index_of(s, g));
      g = NULL;
   }
   if (!g) {
      if (s->num == MAX_GROUPS)
         close_group(s, 0);
      g = s->group[s->num++];
      g->like = like;
      g->num = g->num_between = 0;
   }
   s->joining = NULL;
   g->member[g->num++] = m;
}

static void
visit(struct state *s, hd_instr *instr)
{
   bool store;
   unsigned array_index, address = 0;

   hd_memory_ref ref;

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
   else if (info->flags & (HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      close_all(s);
   else if (hd_memory_ref_of(&ref, instr))
      close_touched(s, &ref, NULL);
}

bool
hd_opt_merge_access(hd_function *f, const opt_merge_access_options *o)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct state *s = hd_stack_alloc_zero(stack, sizeof(*s));
   struct group *groups = hd_stack_alloc(stack, MAX_GROUPS * sizeof(*groups));

   s->f = f;
   s->max_bytes = o->bytes;
   s->small = o->small;
   s->halves = o->halves;
   for (unsigned n = 0; n < MAX_GROUPS; n++)
      s->group[n] = &groups[n];
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
