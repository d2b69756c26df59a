/* SPDX-License-Identifier: MIT */
/* mutations_instrs.c - breaking the rules on instructions. */
#include "support/test.h"

#include <stdint.h>

#include "mutations.h"

#include "heddle/edit.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"

static void
set_index(hd_intrinsic *i, hd_index index, uint32_t value)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   assert_true(info->slots[index]);
   hd_intrinsic_indices(i)[info->slots[index] - 1] = value;
}

bool
break_OP1(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_def_instr(s->sum)->op = 60000;
      return true;
   case 1:
      s->load->instr.op = 0;
      return true;
   case 2:
      s->breaks->last->op = HD_NUM_JUMP_KINDS;
      return true;
   case 3:
      s->g_left->last->op = 60000;
      return true;
   case 4:
      hd_def_instr(s->sum)->op = HD_OP_NONE;
      return true;
   case 5:
      hd_instr_append(s->then, hd_undef_create(s->shader, 1, 32));
      s->then->last->kind = HD_NUM_INSTR_KINDS;
      return true;
   default:
      return false;
   }
}

bool
break_OP2(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_def_instr(s->sum)->num_srcs = 1;
      return true;
   case 1:
      s->store->instr.num_srcs = 1;
      return true;
   case 2:
      hd_def_instr(s->pair)->num_srcs = 1;
      return true;
   case 3:
      s->g_head->last->num_srcs = 0;
      return true;
   case 4:
      hd_def_instr(s->sum)->op = HD_OP_INEG;
      return true;
   case 5:
      s->g_left->last->num_srcs = 1;
      return true;
   case 6:
      s->store_table->instr.num_srcs = 3;
      return true;
   case 7:
      s->last_phi->instr.num_srcs = 1;
      return true;
   case 8:
      hd_def_instr(s->one)->num_srcs = 1;
      return true;
   case 9:
      s->call->instr.num_srcs = 2;
      return true;
   case 10:
      s->call->args = NULL;
      return true;
   default:
      return false;
   }
}

bool
break_OP14(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->product->bit_size = 0;
      return true;
   case 1:
      s->flag->bit_size = 0;
      return true;
   case 2:
      s->store->instr.def.bit_size = 32;
      s->store->instr.def.num_components = 1;
      return true;
   case 3:
      s->g_left->last->def.bit_size = 1;
      return true;
   case 4:
      s->store_table->instr.def.num_components = 1;
      return true;
   case 5:
      s->one->bit_size = 0;
      return true;
   case 6:
      s->header_phi->instr.def.bit_size = 0;
      return true;
   default:
      return false;
   }
}

bool
break_OP4(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->product->bit_size = 16;
      return true;
   case 1:
      s->last_phi->instr.def.bit_size = 3;
      return true;
   case 2:
      hd_src_set_def(src_of(s->flag, 0), s->address);
      return true;
   case 3:
      s->loaded->bit_size = 1;
      return true;
   case 4:
      s->flag->bit_size = 8;
      return true;
   case 5:
      s->header_phi->instr.def.bit_size = 33;
      return true;
   case 6:
      hd_src_set_def(src_of(s->loaded, 0), s->index);
      return true;
   case 7:
      s->one->bit_size = 9;
      return true;
   default:
      return false;
   }
}

bool
break_OP3(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->product->num_components = 2;
      return true;
   case 1:
      s->loaded->num_components = 17;
      return true;
   case 2:
      hd_src_set_def(src_of(s->product, 0), s->pair);
      return true;
   case 3:
      s->last_phi->instr.def.num_components = 0;
      return true;
   case 4:
      hd_src_set_def(src_of(&s->reduce->instr.def, 0), s->pair);
      return true;
   default:
      return false;
   }
}

bool
break_OP5(sample *s, unsigned way)
{
   hd_const *k = (hd_const *)hd_def_instr(s->one);

   switch (way) {
   case 0:
      k->value[0].u64 |= UINT64_C(1) << 32;
      return true;
   case 1: {
      hd_const_value values[3] = { { .u64 = 1 }, { .u64 = 0 }, { .u64 = 1 } };
      hd_const *three = hd_const_create(s->shader, 3, 1, values);
      hd_instr_append(s->then, &three->instr);
      three->value[2].u64 = 2;
      return true;
   }
   default:
      return false;
   }
}

bool
break_OP6(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_def_instr(s->sum)->flags = HD_FP_EXACT;
      return true;
   case 1:
      hd_def_instr(s->one)->flags = HD_FP_NO_NAN;
      return true;
   case 2:
      hd_def_instr(s->voted)->flags = HD_ASSUME_UNIFORM;
      return true;
   case 3:
      s->broadcast->instr.flags = HD_FP_EXACT;
      return true;
   case 4:
      hd_def_instr(s->product)->flags = HD_ASSUME_UNIFORM;
      return true;
   case 5:
      s->last_phi->instr.flags = 0x80;
      return true;
   default:
      return false;
   }
}

bool
break_OP7(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      set_index(s->load, HD_INDEX_ALIGN_MUL, 3);
      return true;
   case 1:
      set_index(s->load, HD_INDEX_ALIGN_MUL, 0);
      return true;
   case 2:
      set_index(s->load, HD_INDEX_ALIGN_OFFSET, 1);
      return true;
   case 3:
      set_index(s->reduce, HD_INDEX_REDUCE_OP, HD_NUM_REDUCE_OPS);
      return true;
   case 4:
      set_index(s->reduce, HD_INDEX_CLUSTER_SIZE, 6);
      return true;
   case 5:
      set_index(s->store, HD_INDEX_ACCESS, 1u << 30);
      return true;
   case 6:
      set_index(s->image, HD_INDEX_ARRAY, 2);
      return true;
   default:
      return false;
   }
}

bool
break_LOW1(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->shader->lowered = HD_LOWERED_INT64_CONVERT;
      return true;
   case 1:
      s->shader->lowered = HD_LOWERED_SUBGROUP_VOTE | HD_LOWERED_IDIV;
      return true;
   case 2:
      s->shader->lowered = HD_LOWERED_SUBGROUP_DWORDS;
      return true;
   case 3:
      s->shader->lowered = HD_LOWERED_NONUNIFORM;
      set_index(s->image, HD_INDEX_ACCESS, HD_ACCESS_NONUNIFORM);
      return true;
   case 4:
      s->shader->lowered = HD_LOWERED_INDIRECT_VARS;
      relink(&s->store_table->src[1], s->index);
      return true;
   default:
      return false;
   }
}

bool
break_OP8(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      make_intrinsic(hd_after_block(s->then), s->shader, HD_INTRINSIC_FRONT_FACING, 0, NULL, NULL);
      return true;
   case 1:
      make_intrinsic(hd_before_jump(s->g_left), s->shader, HD_INTRINSIC_VERTEX_INDEX, 0, NULL,
                     NULL);
      return true;
   default:
      return false;
   }
}

bool
break_OP9(sample *s, unsigned way)
{
   hd_jump *choice = (hd_jump *)s->g_right->last;

   switch (way) {
   case 0:
      choice->cases[0].value = 9;
      return true;
   case 1:
      choice->cases[2].value = UINT64_C(1) << 32;
      return true;
   case 2:
      choice->cases = NULL;
      return true;
   default:
      return false;
   }
}

bool
break_OP10(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_src_set_def(&s->after_phi->srcs[1].src, s->flag);
      return true;
   case 1:
      hd_src_set_def(&s->header_phi->srcs[0].src, s->pair);
      return true;
   case 2: /* a value that comes later */
      hd_src_set_def(hd_phi_src_from(s->header_phi, s->next),
                     make_const(hd_after_block(s->next), s->shader, 64, 0));
      return true;
   default:
      return false;
   }
}

bool
break_OP11(sample *s, unsigned way)
{
   hd_instr *jump = hd_function_start(s->helper)->last;

   switch (way) {
   case 0:
      hd_src_set_def(hd_instr_src(jump, 0), make_const(hd_before_instr(jump), s->shader, 64, 0));
      return true;
   case 1:
      hd_src_unlink(hd_instr_src(jump, 0));
      jump->num_srcs = 0;
      return true;
   case 2:
      hd_insert_jump(hd_after_block(s->last), HD_JUMP_RETURN, s->one);
      return true;
   default:
      return false;
   }
}

bool
break_OP12(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->load_counter->var = NULL;
      return true;
   case 1:
      s->load_counter->var = hd_var_create(s->helper, "other", 1, 32, 0);
      return true;
   case 2:
      s->counter->bit_size = 16;
      return true;
   case 3:
      s->table->array_length = 0;
      return true;
   case 4:
      hd_src_set_def(&s->store_table->src[1], s->wide);
      return true;
   case 5:
      hd_src_set_def(&s->store_table->src[0], s->pair);
      return true;
   case 6:
      s->counter->array_length = 4;
      return true;
   default:
      return false;
   }
}

bool
break_OP13(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_src_set_def(&s->if_skip->cond, s->index);
      return true;
   case 1:
      hd_src_set_def(hd_instr_src(s->g_head->last, 0), s->g_index);
      return true;
   case 2:
      hd_src_set_def(hd_instr_src(s->g_right->last, 0), s->g_flag);
      return true;
   default:
      return false;
   }
}

bool
break_OP15(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_def_instr(s->sum)->loc = 999;
      return true;
   case 1:
      s->loop->node.loc = 999;
      return true;
   case 2:
      s->shader->num_locations = 1;
      return true;
   default:
      return false;
   }
}

bool
break_OP16(sample *s, unsigned way)
{
   hd_intrinsic *i;

   switch (way) {
   case 0:
      i = make_intrinsic(hd_after_block(s->then), s->shader, HD_INTRINSIC_REDUCE, 0, &s->flag,
                         NULL);
      set_index(i, HD_INDEX_REDUCE_OP, HD_REDUCE_FADD);
      return true;
   case 1:
      set_index(s->image, HD_INDEX_DIM, HD_DIM_D3);
      return true;
   case 2:
      set_index(s->image, HD_INDEX_ARRAY, 1);
      return true;
   default:
      return false;
   }
}

bool
break_CV1(sample *s, unsigned way)
{
   hd_intrinsic *i;

   switch (way) {
   case 0:
      hd_src_set_def(&s->broadcast->src[1], s->index);
      return true;
   case 1:
      hd_src_set_def(&s->image->src[0], s->index);
      return true;
   case 2:
      i = make_intrinsic(hd_after_block(s->then), s->shader, HD_INTRINSIC_BUFFER_SIZE, 0, &s->index,
                         NULL);
      return i != NULL;
   case 3: /* not from an intrinsic, but from what is made of one */
      hd_src_set_def(&s->image->src[0],
                     make_alu(hd_before_instr(&s->image->instr), s->shader, HD_OP_IADD, 2,
                              (hd_def *[]){ s->index, s->one }, 0));
      return true;
   case 4: /* uniform in its loop, not after it */
      i = make_intrinsic(hd_after_block(s->last), s->shader, HD_INTRINSIC_BUFFER_SIZE, 0,
                         (hd_def *[]){ &s->header_phi->instr.def }, NULL);
      return i != NULL;
   default:
      return false;
   }
}

bool
break_CV2(sample *s, unsigned way)
{
   hd_block *more;

   switch (way) {
   case 0: /* who comes from here is not waited for at the exit */
      hd_flat_clear_jump(s->g_out);
      return hd_flat_halt(s->g_out) != NULL;
   case 1:
      more = hd_flat_block_create(s->graph);
      hd_flat_goto(more, s->g_latch);
      hd_flat_clear_jump(s->g_right);
      return hd_flat_switch(s->g_right, s->g_index, s->g_latch, 2, (uint64_t[]){ 1, 5 },
                            (hd_block *[]){ s->g_out, more }) != NULL;
   default:
      return false;
   }
}

/* Two branches do not keep the sweep: one is made uniform. */
bool
break_CV3(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_src_set_def(&hd_block_jump(s->g_head)->src[0],
                     make_const(hd_before_jump(s->g_head), s->shader, 1, 1));
      return true;
   case 1:
      hd_src_set_def(&hd_block_jump(s->g_right)->src[0], s->g_one);
      return true;
   default:
      return false;
   }
}
