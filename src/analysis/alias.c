/* SPDX-License-Identifier: MIT */
/* alias.c - alias analysis: may two memory accesses touch the same bytes, and do they? */
#include "analysis/alias.h"
#include "analysis/known_bits.h"
#include "analysis/memory_ssa.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "ir/fold.h"

/* What others may read and write. */
#define SEEN_BY_OTHERS (HD_MEMORY_CHANGING & ~(uint32_t)(HD_MEMORY_SCRATCH | HD_MEMORY_HELPER))
/* No buffer that is promised to be accessed inside, and no shared or scratch memory, is so large
 * that an address of 32 bits wraps from one place in it to another one this far away.
 */
#define MAX_DISTANCE 65536

/* Describing */

static uint32_t
index_or(const hd_intrinsic *i, const hd_intrinsic_info *info, hd_index index, uint32_t otherwise)
{
   return info->slots[index] ? hd_intrinsic_indices(i)[info->slots[index] - 1] : otherwise;
}

/* What is shifted to the left, by how much; false: by no constant. */
static bool
split_shift(const hd_def *def, hd_def **x, unsigned *shift)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
   const hd_const *c = alu && alu->instr.op == HD_OP_ISHL ? hd_src_as_const(&alu->src[1]) : NULL;

   if (!c)
      return false;
   *x = alu->src[0].def;
   *shift = (unsigned)hd_const_get(&c->value[0], 32) & (def->bit_size - 1u);
   return true;
}

void
hd_split_address(hd_def *address, hd_def **root, uint64_t *added, unsigned *shift)
{
   unsigned by = 0;
   hd_def *x;
   uint64_t k;

   *added = 0;
   for (unsigned depth = 0; depth <= HD_KNOWN_DEPTH; depth++) {
      /* What is before an index may be before the memory: that is a root of its own. */
      if (hd_known_sum(address, &x, &k) && (!by || sext(address->bit_size, k) >= 0))
         *added += k << by;
      else if (!shift || by || !split_shift(address, &x, &by))
         break;
      address = x;
   }
   const hd_const *c = hd_instr_as_const(hd_def_instr(address));
   if (c)
      *added += hd_const_get(&c->value[0], address->bit_size) << by;
   if (address->bit_size == 32)
      *added &= UINT32_MAX;
   *root = c ? NULL : address;
   if (shift)
      *shift = c ? 0 : by;
}

hd_known_bits
hd_known_root(const hd_def *root, unsigned shift)
{
   const hd_known_bits known = hd_known_bits_of(root);

   return (hd_known_bits){ (known.zeros << shift | ones(shift)) & mask(root->bit_size),
                           known.ones << shift & mask(root->bit_size) };
}

/* The place of the address among the operands; the value of a store is before it, the index of an
 * array of buffers too.
 */
static hd_ref_kind
kind_of(hd_intrinsic_id id, unsigned *address)
{
   switch (id) {
   case HD_INTRINSIC_LOAD_GLOBAL:
   case HD_INTRINSIC_LOAD_SHARED:
   case HD_INTRINSIC_LOAD_SCRATCH:
      *address = 0;
      return HD_REF_LOAD;
   case HD_INTRINSIC_LOAD_BUFFER:
      *address = 1;
      return HD_REF_LOAD;
   case HD_INTRINSIC_STORE_GLOBAL:
   case HD_INTRINSIC_STORE_SHARED:
   case HD_INTRINSIC_STORE_SCRATCH:
      *address = 1;
      return HD_REF_STORE;
   case HD_INTRINSIC_STORE_BUFFER:
      *address = 2;
      return HD_REF_STORE;
   case HD_INTRINSIC_GLOBAL_ATOMIC:
   case HD_INTRINSIC_GLOBAL_ATOMIC_SWAP:
   case HD_INTRINSIC_SHARED_ATOMIC:
   case HD_INTRINSIC_SHARED_ATOMIC_SWAP:
      *address = 0;
      return HD_REF_ATOMIC;
   case HD_INTRINSIC_BUFFER_ATOMIC:
   case HD_INTRINSIC_BUFFER_ATOMIC_SWAP:
      *address = 1;
      return HD_REF_ATOMIC;
   default:
      return HD_REF_OTHER;
   }
}

static void
find_bounds(hd_memory_ref *ref)
{
   hd_known_bits known = { UINT32_MAX, 0 };

   ref->least = 1;
   if (ref->address_bits != 32)
      return;
   if (ref->root)
      known = hd_known_root(ref->root, ref->shift);
   const uint64_t end = hd_known_most(known, 32) + ref->added;
   if (end > UINT32_MAX)
      return;
   ref->least = (int64_t)(hd_known_least(known) + ref->added) + ref->offset;
   ref->most = (int64_t)end + ref->offset;
}

static void
describe_address(hd_memory_ref *ref, hd_intrinsic *i, const hd_intrinsic_info *info,
                 unsigned address)
{
   const hd_def *value = ref->kind == HD_REF_STORE ? i->src[0].def : &i->instr.def;

   ref->set = index_or(i, info, HD_INDEX_SET, 0);
   ref->binding = index_or(i, info, HD_INDEX_BINDING, 0);
   ref->offset = (int32_t)index_or(i, info, HD_INDEX_OFFSET, 0);
   if ((info->reads | info->writes) & HD_MEMORY_BUFFER)
      ref->array_index = i->src[address - 1].def;
   ref->bytes = value->num_components * (value->bit_size / 8u);
   ref->component_bits = value->bit_size;
   ref->address_bits = i->src[address].def->bit_size;
   hd_split_address(i->src[address].def, &ref->root, &ref->added, &ref->shift);
   find_bounds(ref);
}

bool
hd_memory_ref_of(hd_memory_ref *ref, hd_instr *i)
{
   unsigned address = 0;

   memset(ref, 0, sizeof(*ref));
   ref->instr = i;
   if (i->kind == HD_INSTR_CALL) {
      ref->reads = ref->writes = HD_MEMORY_CHANGING;
      return true;
   }
   if (i->kind != HD_INSTR_INTRINSIC)
      return false;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   if (info->flags & (HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE)) {
      ref->reads = ref->writes = SEEN_BY_OTHERS;
      return true;
   }
   ref->access = hd_intrinsic_access(i, info);
   ref->reads = ref->access & HD_ACCESS_READONLY ? 0 : info->reads & HD_MEMORY_CHANGING;
   ref->writes = info->writes & HD_MEMORY_CHANGING;
   if (!(ref->reads | ref->writes))
      return false;
   ref->kind = kind_of((hd_intrinsic_id)i->op, &address);
   if (ref->kind != HD_REF_OTHER)
      describe_address(ref, (hd_intrinsic *)i, info, address);
   return true;
}

/* Comparing */

static uint64_t
distance_of(const hd_memory_ref *a, const hd_memory_ref *b)
{
   return (b->added - a->added + (uint64_t)b->offset - (uint64_t)a->offset) & mask(a->address_bits);
}

/* Whether no byte is in both, which are in the same memory. */
static bool
is_apart(const hd_memory_ref *a, const hd_memory_ref *b)
{
   if (a->root == b->root && a->shift == b->shift && a->address_bits == b->address_bits) {
      const uint64_t d = distance_of(a, b);
      return d >= a->bytes && (-d & mask(a->address_bits)) >= b->bytes;
   }
   return a->least <= a->most && b->least <= b->most &&
          (a->most + (int64_t)a->bytes <= b->least || b->most + (int64_t)b->bytes <= a->least);
}

bool
hd_may_conflict(const hd_memory_ref *a, const hd_memory_ref *b)
{
   const bool restricted = (a->access | b->access) & HD_ACCESS_RESTRICT;
   uint32_t by_a = a->writes, by_b = b->writes;

   if (!restricted) {
      by_a |= by_a & HD_MEMORY_EXTERNAL ? HD_MEMORY_EXTERNAL : 0;
      by_b |= by_b & HD_MEMORY_EXTERNAL ? HD_MEMORY_EXTERNAL : 0;
   }
   if (!(by_a & (b->reads | b->writes)) && !(by_b & (a->reads | a->writes)))
      return false;
   if (a->kind == HD_REF_OTHER || b->kind == HD_REF_OTHER)
      return true;
   if ((a->reads | a->writes) != (b->reads | b->writes))
      return true;
   if ((a->reads | a->writes) == HD_MEMORY_BUFFER) {
      if (a->set != b->set || a->binding != b->binding)
         return !restricted;
      if (a->array_index != b->array_index)
         return true;
   }
   return !is_apart(a, b);
}

bool
hd_known_distance(const hd_memory_ref *a, const hd_memory_ref *b, int64_t *distance)
{
   const uint32_t memory = a->reads | a->writes;

   if (a->kind == HD_REF_OTHER || b->kind == HD_REF_OTHER || memory != (b->reads | b->writes) ||
       a->set != b->set || a->binding != b->binding || a->array_index != b->array_index ||
       a->root != b->root || a->shift != b->shift || a->address_bits != b->address_bits)
      return false;
   if (a->added == b->added || !a->root) {
      *distance = (int64_t)(b->added - a->added) + b->offset - a->offset;
      return true;
   }
   *distance = sext(a->address_bits, distance_of(a, b));
   if (a->address_bits == 64)
      return true;
   return *distance<MAX_DISTANCE && * distance> - MAX_DISTANCE &&
          (memory != HD_MEMORY_BUFFER || (a->access & b->access & HD_ACCESS_INBOUNDS));
}
