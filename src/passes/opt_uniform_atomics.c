/* SPDX-License-Identifier: MIT */
/* opt_uniform_atomics.c - combine the atomics of all lanes at a uniform address into one (NIR's
 * nir_opt_uniform_atomics, LLVM's AMDGPUAtomicOptimizer).
 *
 *    %r = X_atomic %address, %data op      =>      %all = reduce %data op
 *                                                  if (elect) {
 *                                                    %old = X_atomic %address, %all op
 *                                                  }
 *                                                  %first = read_first (phi %old, undef)
 *                                                  %r = op %first, (exclusive_scan %data op)
 *
 * At a uniform address, memory would serialise the operations of the lanes; now there is one per wave.
 * The old values are those that the lanes would have got in ascending order, so each lane gets a value
 * of its own, as for a counter. Only integer ops that are associative and commutative; an unused result
 * needs no scan.
 *
 * Requires:  structured code, because of the if.
 * Preserves: nothing when it makes an if.
 * Leaves:    fragment shaders, whose helper lanes take no part in atomics; volatile accesses; images;
 *            what one elected lane does already.
 * Tests:     tests/passes/opt_uniform_atomics.hd, tests/passes/opt_uniform_atomics.uniform.hd
 */
#include "heddle/build_intrinsics.h"
#include "passes/lower.h"

static bool
is_atomic(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC &&
          (i->op == HD_INTRINSIC_GLOBAL_ATOMIC || i->op == HD_INTRINSIC_BUFFER_ATOMIC ||
           i->op == HD_INTRINSIC_SHARED_ATOMIC);
}

static hd_op
op_of(const hd_instr *i)
{
   return hd_index_get_info(HD_INDEX_ATOMIC_OP)
       ->values[hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ATOMIC_OP)]
       .op;
}

/* The reduction by the op of the atomic; HD_NUM_REDUCE_OPS where there is none that may be used. */
static hd_reduce_op
reduction_of(const hd_instr *i)
{
   const hd_op op = op_of(i);
   const hd_index_info *reductions = hd_index_get_info(HD_INDEX_REDUCE_OP);
   unsigned n = 0;

   if (op == HD_OP_NONE || hd_op_get_info(op)->result.kind == HD_KIND_FLOAT)
      return HD_NUM_REDUCE_OPS;
   while (n < HD_NUM_REDUCE_OPS && reductions->values[n].op != op)
      n++;
   return (hd_reduce_op)n;
}

/* Is it in an arm that one lane is elected for? */
static bool
is_elected(const hd_instr *i)
{
   const hd_cf_list *list = i->block->node.list;

   for (; list->parent; list = list->parent->list) {
      const hd_if *nif = hd_node_as_if(list->parent);
      const hd_instr *cond = nif ? hd_def_instr(nif->cond.def) : NULL;
      if (cond && list == &nif->then_list && cond->kind == HD_INSTR_INTRINSIC &&
          cond->op == HD_INTRINSIC_ELECT)
         return true;
   }
   return false;
}

static bool
is_combined(const hd_instr *i, const opt_uniform_atomics_options *o)
{
   const unsigned last = i->num_srcs - 1u;

   if (reduction_of(i) == HD_NUM_REDUCE_OPS ||
       (hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ACCESS) & HD_ACCESS_VOLATILE) ||
       is_elected(i))
      return false;
   hd_require(hd_block_function(i->block), HD_META_DIVERGENCE);
   for (unsigned n = 0; n < last; n++) {
      if (!hd_src_is_uniform(hd_instr_src(i, n)))
         return false;
   }
   return o->divergent || hd_src_is_uniform(hd_instr_src(i, last));
}

static void
combine(hd_builder *b, hd_instr *i)
{
   const hd_reduce_op op = reduction_of(i);
   hd_src *data = hd_instr_src(i, i->num_srcs - 1u);
   hd_def *own = data->def;
   const bool is_read = !hd_def_is_unused(&i->def);

   b->cursor = hd_before_instr(i);
   b->loc = i->loc;
   hd_src_set_def(data, hd_reduce(b, own, op, 0));
   hd_def *undef = is_read ? hd_undef(b, 1, i->def.bit_size) : NULL;
   hd_if *nif = hd_insert_if(b->cursor, hd_elect(b));
   hd_block *join = hd_node_next_block(&nif->node);
   hd_instr_move(hd_list_end(&nif->then_list), i);
   if (!is_read)
      return;
   /* What reads the old value reads the new one; the phi is made after they were turned to it. */
   hd_phi *phi = hd_phi_insert(join, 1, i->def.bit_size, NULL);
   b->cursor = hd_after_phis(join);
   hd_def *first = hd_read_first(b, &phi->instr.def);
   hd_def *const both[] = { first, hd_exclusive_scan(b, own, op) };
   hd_def_replace_uses(&i->def, hd_build_alu(b, op_of(i), 2, both, 0));
   hd_phi_set_src(phi, hd_list_last_block(&nif->then_list), &i->def);
   hd_phi_set_src(phi, hd_list_last_block(&nif->else_list), undef);
}

bool
hd_opt_uniform_atomics(hd_function *f, const opt_uniform_atomics_options *o)
{
   hd_builder b = hd_builder_at(hd_before_block(hd_function_start(f)));
   hd_instr **atomics = NULL;
   uint32_t num = 0;

   if (f->shader->stage == HD_STAGE_FRAGMENT)
      return hd_progress(f, false, OPT_UNIFORM_ATOMICS_KEEPS);
   hd_foreach_block(block, f) {
      hd_foreach_instr(i, block) {
         pass_step(f, 1);
         num += is_atomic(i);
      }
   }
   /* All are looked at before any is changed: changes drop what is known of divergence. */
   atomics = hd_stack_alloc(hd_shader_stack(f->shader), (num + 1) * sizeof(*atomics));
   const uint32_t num_atomics = num;
   num = 0;
   hd_foreach_block(block, f) {
      if (!num_atomics)
         break;
      hd_foreach_instr(i, block) {
         if (is_atomic(i) && is_combined(i, o))
            atomics[num++] = i;
      }
   }
   /* From the end: what follows an if goes to another block, once. */
   for (uint32_t n = num; n--;)
      combine(&b, atomics[n]);
   return hd_progress(f, num != 0, OPT_UNIFORM_ATOMICS_KEEPS);
}
