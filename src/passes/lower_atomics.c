/* SPDX-License-Identifier: MIT */
/* lower_atomics.c - expand floating-point atomics to compare-and-swap loops, except those that the
 * machine has.
 *
 *    %r = X_atomic %a, %data op=fadd      =>      %0 = load_X %a
 *                                                 loop {
 *                                                   %r = phi %0, %seen
 *                                                   %seen = X_atomic_swap %a, %r, (fadd %r, %data)
 *                                                   if %seen = %r { break }
 *                                                 }
 *
 * Termination: in each iteration the lowest active lane compares with the value that the last
 * successful lane left, or that other waves stored since. The first load may be stale; then that
 * iteration fails for it. At one address lanes succeed in ascending order, so a sum is added up in
 * the order of a single atomic. Outside of a buffer the load and the swap both give 0, and the loop
 * ends at once.
 *
 * The branch of the loop reads memory: if it is uninitialised, the program now branches on
 * undefined bits. So a machine with float adds in shared memory should use them (option `shared`).
 *
 * Requires:  structured code, because of the loop.
 * Preserves: nothing when it makes a loop.
 * Leaves:    fragment shaders, whose helper lanes get undef of the swap, unless none come there; images.
 * Tests:     tests/passes/lower_atomics.hd, tests/backend/gcn/test_memory.c
 */
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "passes/lower.h"

/* The other instructions on the same memory. */
static const struct twin {
   hd_intrinsic_id atomic, load, swap;
} twins[] = {
   { HD_INTRINSIC_GLOBAL_ATOMIC, HD_INTRINSIC_LOAD_GLOBAL, HD_INTRINSIC_GLOBAL_ATOMIC_SWAP },
   { HD_INTRINSIC_BUFFER_ATOMIC, HD_INTRINSIC_LOAD_BUFFER, HD_INTRINSIC_BUFFER_ATOMIC_SWAP },
   { HD_INTRINSIC_SHARED_ATOMIC, HD_INTRINSIC_LOAD_SHARED, HD_INTRINSIC_SHARED_ATOMIC_SWAP },
};

static const struct twin *
twin_of(const hd_instr *i)
{
   for (size_t n = 0; i->kind == HD_INSTR_INTRINSIC && n < sizeof(twins) / sizeof(twins[0]); n++) {
      if (twins[n].atomic == (hd_intrinsic_id)i->op)
         return &twins[n];
   }
   return NULL;
}

static bool
is_lowered(const hd_instr *i, bool lacks_shared)
{
   const uint32_t op = hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ATOMIC_OP);

   if (op == HD_ATOMIC_FADD && i->op == HD_INTRINSIC_SHARED_ATOMIC && i->def.bit_size == 32)
      return lacks_shared;
   return op == HD_ATOMIC_FADD || op == HD_ATOMIC_FMIN || op == HD_ATOMIC_FMAX;
}

/* An instruction on the same place: indices that both have are the same. */
static hd_def *
build_like(hd_builder *b, const hd_instr *i, hd_intrinsic_id id, unsigned num_srcs,
           hd_def *const *srcs, uint32_t more_access)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   const unsigned bits = i->def.bit_size;
   uint32_t indices[HD_MAX_INDICES] = { 0 };

   for (unsigned n = 0; n < info->num_indices; n++)
      indices[n] = hd_intrinsic_index((const hd_intrinsic *)i, (hd_index)info->indices[n]);
   if (info->slots[HD_INDEX_ALIGN_MUL])
      indices[info->slots[HD_INDEX_ALIGN_MUL] - 1] = bits / 8;
   indices[info->slots[HD_INDEX_ACCESS] - 1] |= more_access;
   hd_def *def = hd_build_intrinsic(b, id, 1, bits, num_srcs, srcs, indices);
   hd_def_instr(def)->flags |= i->flags & HD_ASSUME_UNIFORM;
   return def;
}

static hd_def *
lower_atomic(hd_builder *b, hd_instr *i, const struct twin *twin)
{
   const unsigned last = i->num_srcs - 1u;
   const hd_op op = hd_index_get_info(HD_INDEX_ATOMIC_OP)
                        ->values[hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ATOMIC_OP)]
                        .op;
   hd_def *srcs[HD_MAX_INTRINSIC_SRCS], *data = hd_instr_src(i, last)->def;

   for (unsigned n = 0; n < last; n++)
      srcs[n] = hd_instr_src(i, n)->def;
   /* Others change it while the shader runs. */
   hd_def *before = build_like(b, i, twin->load, last, srcs, HD_ACCESS_COHERENT);
   hd_loop *loop = hd_insert_loop(hd_before_instr(i));
   hd_phi *phi = hd_phi_insert(hd_loop_header(loop), 1, i->def.bit_size, NULL);
   hd_def *old = &phi->instr.def;
   hd_phi_set_src(phi, hd_node_prev_block(&loop->node), before);
   b->cursor = hd_after_block(hd_loop_header(loop));
   b->flags = HD_FP_EXACT;
   hd_def *const both[] = { old, data };
   srcs[last] = old;
   srcs[last + 1] = hd_build_alu(b, op, 2, both, 0);
   hd_def *seen = build_like(b, i, twin->swap, last + 2, srcs, 0);
   hd_if *end = hd_insert_if(b->cursor, hd_ieq(b, seen, old));
   hd_insert_jump(hd_list_end(&end->then_list), HD_JUMP_BREAK, NULL);
   hd_phi_set_src(phi, hd_loop_latch(loop), seen);
   return old;
}

bool
hd_lower_atomics(hd_function *f, const lower_atomics_options *o)
{
   hd_builder b = hd_builder_at(hd_before_block(hd_function_start(f)));
   bool progress = false;

   if (f->shader->stage == HD_STAGE_FRAGMENT && !o->fragment)
      return hd_progress(f, false, LOWER_ATOMICS_KEEPS);
   /* From the end: what follows a loop goes to another block, once. */
   hd_foreach_block_rev(block, f) {
      hd_foreach_instr_rev_safe(i, block) {
         const struct twin *twin = twin_of(i);
         const uint32_t first_new = f->num_defs;
         pass_step(f, 1);
         if (!twin || !is_lowered(i, o->shared))
            continue;
         b.cursor = hd_before_instr(i);
         b.loc = i->loc;
         hd_lower_replace(i, lower_atomic(&b, i, twin), first_new);
         progress = true;
      }
   }
   return hd_progress(f, progress, LOWER_ATOMICS_KEEPS);
}
