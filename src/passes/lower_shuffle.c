/* SPDX-License-Identifier: MIT */
/* lower_shuffle.c - expand shuffles by a variable lane to loops over the source lanes.
 *
 *    %r = shuffle %v, %n      =>      %left = true
 *                                     loop {
 *                                       %lane = ballot_find_lsb (ballot %left)
 *                                       if %lane < 0 { break }
 *                                       %from = broadcast %n, %lane
 *                                       %mine = ieq %n, %from
 *                                       %r = select %mine, (broadcast %v, %from), %r
 *                                       %left = %left and not %mine
 *                                     }
 *
 * All lanes stay in the loop until the last one is served, so that each can be read. The loop has as
 * many iterations as there are distinct source lanes. A boolean needs no loop: it is a bit of a
 * ballot. For machines that read one lane, the same for all, and that have fixed patterns within
 * `swizzle` lanes: an exclusive-or with a constant, a lane of each quad, a rotation by a constant in
 * quads, or by half of a cluster.
 *
 * Requires:  structured code, because of the loop.
 * Preserves: nothing when it makes a loop.
 * Leaves:    fragment shaders, where ballots leave out helper lanes, but for a machine whose ballots do not; rotations if
 *            the number of lanes is not known; constant operands to opt_algebraic.
 * Tests:     tests/passes/lower_shuffle.hd, tests/backend/gcn/test_lanes.c
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "passes/lower.h"

static bool
constant_of(const hd_src *src, uint32_t *value)
{
   const hd_const *c = hd_src_as_const(src);

   if (c)
      *value = c->value[0].u32;
   return c != NULL;
}

static uint32_t
cluster_of(const hd_instr *i, uint32_t size)
{
   const uint8_t slot = hd_intrinsic_get_info(HD_INTRINSIC_ROTATE)->slots[HD_INDEX_CLUSTER_SIZE];
   const uint32_t cluster = hd_intrinsic_indices((const hd_intrinsic *)i)[slot - 1];

   return cluster && cluster < size ? cluster : size;
}

/* Does the machine have no instruction for it? */
static bool
must_go(const hd_instr *i, uint32_t size, uint32_t swizzle)
{
   const hd_src *by = i->kind == HD_INSTR_INTRINSIC && i->num_srcs > 1 ? hd_instr_src(i, 1) : NULL;
   uint32_t n = 0, cluster;

   if (!by)
      return false;
   const bool known = constant_of(by, &n);
   switch ((hd_intrinsic_id)i->op) {
   case HD_INTRINSIC_SHUFFLE:
      return i->def.bit_size > 1 && !hd_src_is_uniform(by);
   case HD_INTRINSIC_SHUFFLE_XOR:
      return !known || n >= swizzle;
   case HD_INTRINSIC_SHUFFLE_UP:
   case HD_INTRINSIC_SHUFFLE_DOWN:
      return !known || n;
   case HD_INTRINSIC_QUAD_BROADCAST:
      return !known || swizzle < 4;
   case HD_INTRINSIC_ROTATE:
      if (!size)
         return false;
      cluster = cluster_of(i, size);
      n %= cluster;
      return !known || (n && (cluster > swizzle || (cluster > 4 && 2 * n != cluster)));
   default:
      return false;
   }
}

/* The number of the lane whose value is asked for; any number where there is none. */
static hd_def *
lane_asked(hd_builder *b, const hd_instr *i, uint32_t size)
{
   hd_def *by = hd_instr_src(i, 1)->def, *within;

   if (i->op == HD_INTRINSIC_SHUFFLE)
      return by;
   hd_def *me = hd_subgroup_invocation(b);
   switch ((hd_intrinsic_id)i->op) {
   case HD_INTRINSIC_SHUFFLE_XOR:
      return hd_ixor(b, me, by);
   case HD_INTRINSIC_SHUFFLE_UP:
      return hd_isub(b, me, by);
   case HD_INTRINSIC_SHUFFLE_DOWN:
      return hd_iadd(b, me, by);
   case HD_INTRINSIC_QUAD_BROADCAST:
      within = hd_imm_u32(b, 3);
      return hd_bitselect(b, within, by, me);
   default:
      within = hd_imm_u32(b, cluster_of(i, size) - 1);
      return hd_bitselect(b, within, hd_iadd(b, me, by), me);
   }
}

static hd_def *
header_phi(hd_loop *loop, unsigned bits, hd_def *from_outside)
{
   hd_phi *phi = hd_phi_insert(hd_loop_header(loop), 1, bits, NULL);

   hd_phi_set_src(phi, hd_node_prev_block(&loop->node), from_outside);
   return &phi->instr.def;
}

static void
close_phi(hd_loop *loop, hd_def *phi, hd_def *next)
{
   hd_phi_set_src((hd_phi *)hd_def_instr(phi), hd_loop_latch(loop), next);
}

static hd_def *
value_asked(hd_builder *b, hd_instr *i, hd_def *value, hd_def *lane)
{
   const unsigned num = value->num_components;
   hd_def *parts[HD_MAX_COMPONENTS], *results[HD_MAX_COMPONENTS];
   hd_def *all = hd_imm_bool(b, true), *zero = hd_lower_imm(b, 1, value->bit_size, 0);
   hd_def *least = hd_imm_u32(b, 0);

   for (unsigned n = 0; n < num; n++)
      parts[n] = hd_build_channel(b, value, n);
   hd_loop *loop = hd_insert_loop(hd_before_instr(i));
   hd_def *left = header_phi(loop, 1, all);
   for (unsigned n = 0; n < num; n++)
      results[n] = header_phi(loop, value->bit_size, zero);
   b->cursor = hd_after_block(hd_loop_header(loop));
   hd_def *first = hd_ballot_find_lsb(b, hd_ballot(b, left));
   hd_if *end = hd_insert_if(b->cursor, hd_ilt(b, first, least));
   hd_insert_jump(hd_list_end(&end->then_list), HD_JUMP_BREAK, NULL);
   b->cursor = hd_after_node(&end->node);
   hd_def *from = hd_broadcast(b, lane, first), *mine = hd_ieq(b, lane, from);
   for (unsigned n = 0; n < num; n++) {
      hd_def *there = hd_broadcast(b, parts[n], from);
      close_phi(loop, results[n], hd_select(b, mine, there, results[n]));
   }
   hd_def *others = hd_inot(b, mine);
   close_phi(loop, left, hd_iand(b, left, others));
   b->cursor = hd_before_instr(i);
   return hd_build_vec(b, num, results);
}

static void
lower_instr(hd_builder *b, hd_instr *i, uint32_t size)
{
   hd_def *value = hd_instr_src(i, 0)->def;
   const uint32_t first_new = hd_block_function(i->block)->num_defs;

   b->cursor = hd_before_instr(i);
   b->loc = i->loc;
   hd_def *lane = lane_asked(b, i, size);
   hd_def *by = value->bit_size == 1 ? hd_shuffle(b, value, lane) : value_asked(b, i, value, lane);
   hd_lower_replace(i, by, first_new);
}

bool
hd_lower_shuffle(hd_function *f, const lower_shuffle_options *o)
{
   const hd_shader *shader = f->shader;
   hd_stack *stack = hd_shader_stack(shader);
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   uint32_t num = 0, capacity = 0;

   if (shader->stage == HD_STAGE_FRAGMENT && !o->fragment)
      return hd_progress(f, false, LOWER_SHUFFLE_KEEPS);
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         capacity += i->kind == HD_INSTR_INTRINSIC && i->num_srcs > 1;
         pass_step(f, 1);
      }
   }
   /* Which indices are uniform is known before the graph changes. */
   hd_require(f, HD_META_DIVERGENCE);
   hd_instr **found = hd_stack_alloc(stack, (capacity + 1) * sizeof(hd_instr *));
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (must_go(i, shader->subgroup_size, o->swizzle))
            found[num++] = i;
      }
   }
   hd_builder b = hd_builder_at(hd_before_block(hd_function_start(f)));
   /* From the end: what follows a loop goes to another block, once. */
   for (uint32_t n = num; n-- > 0;)
      lower_instr(&b, found[n], shader->subgroup_size);
   hd_stack_release(stack, mark);
   return hd_progress(f, num != 0, LOWER_SHUFFLE_KEEPS);
}
