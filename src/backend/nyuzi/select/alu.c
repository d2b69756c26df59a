/* SPDX-License-Identifier: MIT */
/* alu.c - instruction selection of the steps of sequences: one instruction each, except on booleans. */
#include <string.h>

#include "backend/nyuzi/select/expr.h"

static const uint16_t ops[HD_MACH_NUM_STEPS] = {
   [HD_MACH_STEP_ADD_I] = HD_NYUZI_ADD_I,
   [HD_MACH_STEP_SUB_I] = HD_NYUZI_SUB_I,
   [HD_MACH_STEP_MULL_I] = HD_NYUZI_MULL_I,
   [HD_MACH_STEP_MULH_U] = HD_NYUZI_MULH_U,
   [HD_MACH_STEP_MULH_I] = HD_NYUZI_MULH_I,
   [HD_MACH_STEP_AND] = HD_NYUZI_AND,
   [HD_MACH_STEP_OR] = HD_NYUZI_OR,
   [HD_MACH_STEP_XOR] = HD_NYUZI_XOR,
   [HD_MACH_STEP_SHL] = HD_NYUZI_SHL,
   [HD_MACH_STEP_SHR] = HD_NYUZI_SHR,
   [HD_MACH_STEP_ASHR] = HD_NYUZI_ASHR,
   [HD_MACH_STEP_CMPEQ_I] = HD_NYUZI_CMPEQ_I,
   [HD_MACH_STEP_CMPNE_I] = HD_NYUZI_CMPNE_I,
   [HD_MACH_STEP_CMPLT_I] = HD_NYUZI_CMPLT_I,
   [HD_MACH_STEP_CMPGT_I] = HD_NYUZI_CMPGT_I,
   [HD_MACH_STEP_CMPLE_I] = HD_NYUZI_CMPLE_I,
   [HD_MACH_STEP_CMPGE_I] = HD_NYUZI_CMPGE_I,
   [HD_MACH_STEP_CMPLT_U] = HD_NYUZI_CMPLT_U,
   [HD_MACH_STEP_CMPGT_U] = HD_NYUZI_CMPGT_U,
   [HD_MACH_STEP_CMPLE_U] = HD_NYUZI_CMPLE_U,
   [HD_MACH_STEP_CMPGE_U] = HD_NYUZI_CMPGE_U,
   [HD_MACH_STEP_CMPEQ_F] = HD_NYUZI_CMPEQ_F,
   [HD_MACH_STEP_CMPNE_F] = HD_NYUZI_CMPNE_F,
   [HD_MACH_STEP_CMPLT_F] = HD_NYUZI_CMPLT_F,
   [HD_MACH_STEP_CMPGT_F] = HD_NYUZI_CMPGT_F,
   [HD_MACH_STEP_CMPLE_F] = HD_NYUZI_CMPLE_F,
   [HD_MACH_STEP_CMPGE_F] = HD_NYUZI_CMPGE_F,
   [HD_MACH_STEP_ADD_F] = HD_NYUZI_ADD_F,
   [HD_MACH_STEP_SUB_F] = HD_NYUZI_SUB_F,
   [HD_MACH_STEP_MUL_F] = HD_NYUZI_MUL_F,
   [HD_MACH_STEP_CLZ] = HD_NYUZI_CLZ,
   [HD_MACH_STEP_CTZ] = HD_NYUZI_CTZ,
   [HD_MACH_STEP_FTOI] = HD_NYUZI_FTOI,
   [HD_MACH_STEP_ITOF] = HD_NYUZI_ITOF,
   [HD_MACH_STEP_SEXT_8] = HD_NYUZI_SEXT_8,
   [HD_MACH_STEP_SEXT_16] = HD_NYUZI_SEXT_16,
   [HD_MACH_STEP_RECIPROCAL] = HD_NYUZI_RECIPROCAL,
   [HD_MACH_STEP_LOGIC_AND] = HD_NYUZI_AND,
   [HD_MACH_STEP_LOGIC_OR] = HD_NYUZI_OR,
   [HD_MACH_STEP_LOGIC_XOR] = HD_NYUZI_XOR,
};

static val
start(void *user, unsigned which)
{
   sel *s = user;

   return hd_nyuzi_of(s->base.p)->start[which];
}

static val
emit(void *user, hd_mach_step_op op, const val v[3])
{
   sel *s = user;

   switch (op) {
   case HD_MACH_STEP_CHOOSE:
      return hd_nyuzi_choose(s, v[0], v[1], v[2]);
   case HD_MACH_STEP_NOT:
      return hd_nyuzi_not(s, v[0]);
   case HD_MACH_STEP_LOGIC_AND:
   case HD_MACH_STEP_LOGIC_OR:
   case HD_MACH_STEP_LOGIC_XOR:
      return hd_nyuzi_logic(s, ops[op], v[0], v[1]);
   default:
      return v[1].size ? hd_nyuzi_emit(s, ops[op], v[0], v[1])
                       : hd_nyuzi_emit(s, ops[op], v[1], v[0]);
   }
}

/* a where the condition is true, else b; these may be booleans. */
static val
choose(void *s, const hd_def *def, val condition, val a, val b)
{
   if (def->bit_size != 1)
      return pick(s, condition, a, b);
   const val differ = hd_nyuzi_logic(s, HD_NYUZI_XOR, a, b);
   const val taken = hd_nyuzi_logic(s, HD_NYUZI_AND, condition, differ);
   return hd_nyuzi_logic(s, HD_NYUZI_XOR, b, taken);
}

/* Whether the index is this component. */
static val
is_at(void *s, val index, unsigned component)
{
   if (hd_nyuzi_is_constant(&index))
      return K(hd_nyuzi_constant(&index) == component ? HD_NYUZI_TRUE : 0);
   return eq(s, index, K(component));
}

/* What a driver's hook may append: ops on registers that touch nothing else. */
static hd_mach_own_op
find_own(const char *name)
{
   unsigned op = 1;

   while (op < HD_NYUZI_NUM_OPS &&
          (!hd_nyuzi_op_infos[op].name || strcmp(hd_nyuzi_op_infos[op].name, name) != 0))
      op++;
   if (op == HD_NYUZI_NUM_OPS)
      return (hd_mach_own_op){ .num_srcs = 0 };
   hd_mach_own_op own = { .op = op, .num_srcs = 2 };
   switch (hd_nyuzi_op_infos[op].shape) {
   case HD_NYUZI_SHAPE_UNARY:
      own.num_srcs = 1;
      break;
   case HD_NYUZI_SHAPE_COMPARE:
      own.compares = true;
      break;
   case HD_NYUZI_SHAPE_BINARY:
      own.logic = op == HD_NYUZI_AND || op == HD_NYUZI_OR || op == HD_NYUZI_XOR;
      break;
   case HD_NYUZI_SHAPE_SHUFFLE:
   case HD_NYUZI_SHAPE_GETLANE:
      break;
   default:
      own.num_srcs = 0;
   }
   return own;
}

static val
emit_own(void *user, const hd_mach_own_op *own, bool booleans, const val v[3])
{
   sel *s = user;

   if (booleans)
      return hd_nyuzi_logic(s, own->op, v[0], v[1]);
   if (own->num_srcs == 1)
      return hd_nyuzi_emit(s, own->op, v[1], v[0]);
   if (own->op != HD_NYUZI_GETLANE && own->op != HD_NYUZI_SHUFFLE)
      return hd_nyuzi_emit(s, own->op, v[0], v[1]);
   const bool one = own->op == HD_NYUZI_GETLANE;
   const val from = hd_nyuzi_in_vector(s, v[0]);
   const val lane =
       one ? hd_nyuzi_in_scalar(s, hd_nyuzi_of_first_lane(s, v[1])) : hd_nyuzi_in_vector(s, v[1]);
   const val d = hd_nyuzi_new(s, one ? HD_NYUZI_SCALAR : HD_NYUZI_VECTOR);
   hd_mach_selector_emit(&s->base, own->op, 1, &d, 2, (val[]){ from, lane });
   return d;
}

const hd_mach_part_rows hd_nyuzi_part_rows = {
   .steps = { .start = start, .constant = hd_nyuzi_imm, .emit = emit },
   .sequences = &hd_nyuzi_sequences,
   .true_bits = HD_NYUZI_TRUE,
   .set = hd_nyuzi_set_parts,
   .choose = choose,
   .is_at = is_at,
   .find_own = find_own,
   .emit_own = emit_own,
   .of_launch = hd_nyuzi_of_launch,
};
