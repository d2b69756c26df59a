/* SPDX-License-Identifier: MIT */
/* opt_offsets.c - fold constant address offsets into memory instructions.
 *
 *    %2 = iadd %1, %16                          =>
 *    %3 = load_shared %2 offset=4 ..                %3 = load_shared %1 offset=20 ..
 *
 * The machine adds the offset without wrapping; the iadd may wrap. A 64-bit address that wraps is
 * invalid in either form. A 32-bit sum is folded only if its known bits prove that it does not
 * wrap: a buffer reads zeros past its end, but data at its beginning.
 *
 * The options give the largest immediate offset for each kind of memory; 0 leaves that memory
 * alone. The alignment of an access is that of the whole address, and stays.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the sums, to opt_dce.
 * Tests:     tests/passes/opt_offsets.hd, tests/passes/test_run.c
 */
#include "analysis/known_bits.h"
#include "passes/pass.h"

#include "ir/fold.h"

struct reach {
   int64_t least, most;
};

/* What the machine can add; {0, 0} for what is no access. */
static struct reach
reach_of(const hd_intrinsic_info *info, const opt_offsets_options *o)
{
   const unsigned memory = info->reads | info->writes;
   uint32_t most = 0;

   if (memory & HD_MEMORY_GLOBAL)
      most = o->global;
   else if (memory & HD_MEMORY_BUFFER)
      most = o->buffer;
   else if (memory & HD_MEMORY_SHARED)
      most = o->shared;
   else if (memory & HD_MEMORY_SCRATCH)
      most = o->scratch;
   else if (memory & (HD_MEMORY_PUSH | HD_MEMORY_KERNARG | HD_MEMORY_CONSTANT))
      most = o->scalar;
   const bool down = (memory & HD_MEMORY_GLOBAL) && o->down && most;
   return (struct reach){ down ? -(int64_t)most - 1 : 0, most };
}

/* The operand that the offset is added to: "address", or "position" in a buffer. */
static hd_src *
address_of(hd_intrinsic *i, const hd_intrinsic_info *info)
{
   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (!strcmp(info->src[n].name, "address") || !strcmp(info->src[n].name, "position"))
         return &i->src[n];
   }
   return NULL;
}

/* x + k = the address, without wrapping, k as a signed number. */
static bool
split_sum(const hd_def *address, hd_def **x, int64_t *k)
{
   const unsigned bits = address->bit_size;
   uint64_t value;

   if (!hd_known_sum(address, x, &value))
      return false;
   *k = sext(bits, value);
   if (bits == 64 || hd_def_instr(address)->op == HD_OP_IOR)
      return true;
   const hd_known_bits known = hd_known_bits_of(*x);
   return *k >= 0 ? hd_known_most(known, bits) <= mask(bits) - (uint64_t)*k
                  : hd_known_least(known) >= (uint64_t) - *k;
}

static bool
fold_offset(hd_intrinsic *i, const opt_offsets_options *o)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const unsigned slot = info->slots[HD_INDEX_OFFSET];
   bool progress = false;
   hd_src *address = slot ? address_of(i, info) : NULL;

   if (!address)
      return false;
   const struct reach reach = reach_of(info, o);
   uint32_t *offset = &hd_intrinsic_indices(i)[slot - 1];
   hd_def *x;
   int64_t k;
   /* Each turn reads an operand of what was read before. */
   while (split_sum(address->def, &x, &k)) {
      const int64_t whole = k + (int32_t)*offset;
      if (whole < reach.least || whole > reach.most)
         break;
      *offset = (uint32_t)whole;
      hd_src_set_def(address, x);
      progress = true;
   }
   return progress;
}

bool
hd_opt_offsets(hd_function *f, const opt_offsets_options *o)
{
   bool progress = false;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         pass_step(f, 1);
         if (i->kind == HD_INSTR_INTRINSIC)
            progress |= fold_offset((hd_intrinsic *)i, o);
      }
   }
   return hd_progress(f, progress, OPT_OFFSETS_KEEPS);
}
