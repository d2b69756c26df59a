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
 * Or another access proves it, which is certainly made too and must be inside of its memory: of shared
 * or scratch memory, or of a buffer that is promised to be accessed inside (HD_ACCESS_INBOUNDS). All of
 * these end 65536 bytes below 4 GiB, so from an address in them such sums do not wrap. Of two accesses that
 * both say HD_ACCESS_NOWRAP, the first one need not be inside:
 *
 *    load_buffer %0, %1      access=inbounds           load_buffer %0, %1 ..
 *    %2 = iadd %1, %16                          =>
 *    load_buffer %0, %2 ..                             load_buffer %0, %1 offset=16 ..
 *
 * The options give the largest immediate offset for each kind of memory; 0 leaves that memory
 * alone. The alignment of an access is that of the whole address, and stays.
 *
 * Requires:  valid IR, dominance.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the sums, to opt_dce.
 * Tests:     tests/passes/opt_offsets.hd, tests/passes/test_run.c
 */
#include "analysis/alias.h"
#include "analysis/known_bits.h"
#include "analysis/memory_ssa.h"
#include "heddle/op_enum.h"
#include "ir/fold.h"
#include "passes/pass.h"

/* How far from an address that is inside a sum does not wrap. */
#define MAX_DISTANCE 65536

/* An address that is inside: `root` + `added` for the root whose number it stands at. */
struct anchor {
   hd_def *address;       /* NULL: none is known */
   const hd_block *block; /* where it is accessed */
   int32_t added;
   bool nowrap; /* not proven: for accesses with HD_ACCESS_NOWRAP */
};

struct state {
   hd_function *f;
   const opt_offsets_options *o;
   struct anchor *anchor; /* by def index; NULL: nothing needs one */
};

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

/* x + k = the address, without wrapping, k as a signed number. From an address that is inside it is not far to x above
 * it.
 */
static bool
split_sum(const hd_def *address, bool inside, hd_def **x, int64_t *k)
{
   const unsigned bits = address->bit_size;
   uint64_t value;

   if (!hd_known_sum(address, x, &value))
      return false;
   *k = sext(bits, value);
   if (bits == 64 || hd_def_instr(address)->op == HD_OP_IOR)
      return true;
   if (inside && *k < 0 && *k > -MAX_DISTANCE)
      return true;
   const hd_known_bits known = hd_known_bits_of(*x);
   return *k >= 0 ? hd_known_most(known, bits) <= mask(bits) - (uint64_t)*k
                  : hd_known_least(known) >= (uint64_t) - *k;
}

/* A sum that is proven not to wrap. */
static void
fold_sums(hd_src *address, uint32_t *offset, struct reach reach, bool inside)
{
   hd_def *x;
   int64_t k;

   /* Each turn reads an operand of what was read before. */
   while (split_sum(address->def, inside && (int32_t)*offset >= 0, &x, &k)) {
      const int64_t whole = k + (int32_t)*offset;
      if (whole < reach.least || whole > reach.most)
         break;
      *offset = (uint32_t)whole;
      hd_src_set_def(address, x);
   }
}

/* Must the access be inside of memory that ends well below 4 GiB? A helper's need not be if it is not made. */
static bool
is_inside(const struct state *s, const hd_intrinsic *i, const hd_intrinsic_info *info)
{
   const unsigned memory = info->reads | info->writes;

   if (s->f->shader->stage == HD_STAGE_FRAGMENT && info->helpers == HD_HELPER_SKIP)
      return false;
   return memory == HD_MEMORY_SHARED || memory == HD_MEMORY_SCRATCH ||
          (memory == HD_MEMORY_BUFFER && hd_intrinsic_access(&i->instr, info) & HD_ACCESS_INBOUNDS);
}

/* Whether it can be an anchor, and for all accesses or only for those that say HD_ACCESS_NOWRAP. */
static bool
is_anchor(const struct state *s, const hd_intrinsic *i, const hd_intrinsic_info *info, bool *nowrap)
{
   const bool inside = is_inside(s, i, info);

   *nowrap = !inside;
   return inside || (s->f->shader->stage != HD_STAGE_FRAGMENT &&
                     hd_intrinsic_access(&i->instr, info) & HD_ACCESS_NOWRAP);
}

/* The anchor of a root where one is needed. What is far away is used only if it keeps nothing alive that
 * the sum would not.
 */
static struct anchor *
anchor_at(struct state *s, const hd_def *root, const hd_block *b)
{
   struct anchor *a = &s->anchor[root->index];

   if (a->address && a->block != b && (a->added || !hd_block_dominates(a->block, b)))
      a->address = NULL;
   return a;
}

static void
fold_from_anchor(struct state *s, hd_intrinsic *i, hd_src *address, uint32_t *offset,
                 struct reach reach, bool nowrap)
{
   hd_def *root;
   uint64_t added;

   hd_split_address(address->def, &root, &added, NULL);
   if (!root || root->bit_size != 32)
      return;
   struct anchor *a = anchor_at(s, root, i->instr.block);
   const int64_t distance = (int64_t)(int32_t)added - a->added;
   const int64_t whole = distance + (int32_t)*offset;
   const bool says_so =
       hd_intrinsic_access(&i->instr, hd_instr_intrinsic_info(&i->instr)) & HD_ACCESS_NOWRAP;
   if (a->address && (!a->nowrap || says_so) && distance > 0 && distance < MAX_DISTANCE &&
       whole >= 0 && whole <= reach.most) {
      *offset = (uint32_t)whole;
      hd_src_set_def(address, a->address);
      return;
   }
   /* An address below one that programs have may be before the buffer: no anchor without a proof. */
   if ((int32_t)*offset >= 0 && !(nowrap && (int32_t)added < 0) &&
       (!a->address || (distance < 0 && nowrap == a->nowrap) || nowrap < a->nowrap))
      *a = (struct anchor){ address->def, i->instr.block, (int32_t)added, nowrap };
}

static bool
fold_offset(struct state *s, hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const unsigned slot = info->slots[HD_INDEX_OFFSET];
   hd_src *address = slot ? address_of(i, info) : NULL;

   if (!address)
      return false;
   const struct reach reach = reach_of(info, s->o);
   const hd_def *was = address->def;
   bool nowrap;
   fold_sums(address, &hd_intrinsic_indices(i)[slot - 1], reach, is_inside(s, i, info));
   if (reach.most && is_anchor(s, i, info, &nowrap))
      fold_from_anchor(s, i, address, &hd_intrinsic_indices(i)[slot - 1], reach, nowrap);
   /* A sum that was taken apart may be the anchor. */
   return address->def != was;
}

/* Roots that are accessed themselves somewhere in the block: all of it is run, unless a callee ends the
 * lane.
 */
static void
anchor_roots(struct state *s, const hd_block *b)
{
   hd_foreach_instr(instr, b) {
      const hd_intrinsic *i = hd_instr_as_intrinsic(instr);
      if (instr->kind == HD_INSTR_CALL)
         return;
      if (!i)
         continue;
      const hd_intrinsic_info *info = hd_instr_intrinsic_info(instr);
      const unsigned slot = info->slots[HD_INDEX_OFFSET];
      bool nowrap;
      if (!slot || !is_anchor(s, i, info, &nowrap) ||
          (int32_t)hd_intrinsic_indices(i)[slot - 1] < 0)
         continue;
      hd_def *def = address_of((hd_intrinsic *)instr, info)->def;
      hd_def *root;
      uint64_t added;
      hd_split_address(def, &root, &added, NULL);
      struct anchor *a = &s->anchor[root == def ? root->index : 0];
      if (root == def && root->bit_size == 32 &&
          !(nowrap && a->address && a->block == b && !a->nowrap))
         *a = (struct anchor){ root, b, 0, nowrap };
   }
}

bool
hd_opt_offsets(hd_function *f, const opt_offsets_options *o)
{
   struct state s = { .f = f, .o = o };
   bool progress = false;
   uint32_t num;
   hd_block *const *rpo = hd_function_rpo(f, &num);

   s.anchor = hd_stack_alloc_zero(hd_shader_stack(f->shader), f->num_defs * sizeof(*s.anchor));
   for (uint32_t n = 0; n < num; n++) {
      anchor_roots(&s, rpo[n]);
      hd_foreach_instr(i, rpo[n]) {
         pass_step(f, 2);
         if (i->kind == HD_INSTR_INTRINSIC)
            progress |= fold_offset(&s, (hd_intrinsic *)i);
      }
   }
   return hd_progress(f, progress, OPT_OFFSETS_KEEPS);
}
