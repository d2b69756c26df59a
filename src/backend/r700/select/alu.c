/* SPDX-License-Identifier: MIT */
/* alu.c - ALU ops: those on components of vectors; all others as the table of sequences says. */
#include "backend/r700/select/select.h"
#include "heddle/op_enum.h"

/* Steps of sequences that are one instruction; `swap`: its operands the other way round. */
static const struct {
   uint16_t op;
   bool swap;
} steps[HD_MACH_NUM_STEPS] = {
   [HD_MACH_STEP_ADD_I] = { HD_R700_ADD_INT, false },
   [HD_MACH_STEP_SUB_I] = { HD_R700_SUB_INT, false },
   [HD_MACH_STEP_MULL_I] = { HD_R700_MULLO_INT, false },
   [HD_MACH_STEP_MULH_U] = { HD_R700_MULHI_UINT, false },
   [HD_MACH_STEP_MULH_I] = { HD_R700_MULHI_INT, false },
   [HD_MACH_STEP_AND] = { HD_R700_AND_INT, false },
   [HD_MACH_STEP_OR] = { HD_R700_OR_INT, false },
   [HD_MACH_STEP_XOR] = { HD_R700_XOR_INT, false },
   [HD_MACH_STEP_SHL] = { HD_R700_LSHL_INT, false },
   [HD_MACH_STEP_SHR] = { HD_R700_LSHR_INT, false },
   [HD_MACH_STEP_ASHR] = { HD_R700_ASHR_INT, false },
   [HD_MACH_STEP_CMPEQ_I] = { HD_R700_SETE_INT, false },
   [HD_MACH_STEP_CMPNE_I] = { HD_R700_SETNE_INT, false },
   [HD_MACH_STEP_CMPLT_I] = { HD_R700_SETGT_INT, true },
   [HD_MACH_STEP_CMPGT_I] = { HD_R700_SETGT_INT, false },
   [HD_MACH_STEP_CMPLE_I] = { HD_R700_SETGE_INT, true },
   [HD_MACH_STEP_CMPGE_I] = { HD_R700_SETGE_INT, false },
   [HD_MACH_STEP_CMPLT_U] = { HD_R700_SETGT_UINT, true },
   [HD_MACH_STEP_CMPGT_U] = { HD_R700_SETGT_UINT, false },
   [HD_MACH_STEP_CMPLE_U] = { HD_R700_SETGE_UINT, true },
   [HD_MACH_STEP_CMPGE_U] = { HD_R700_SETGE_UINT, false },
   [HD_MACH_STEP_CMPEQ_F] = { HD_R700_SETE_DX10, false },
   [HD_MACH_STEP_CMPNE_F] = { HD_R700_SETNE_DX10, false },
   [HD_MACH_STEP_CMPLT_F] = { HD_R700_SETGT_DX10, true },
   [HD_MACH_STEP_CMPGT_F] = { HD_R700_SETGT_DX10, false },
   [HD_MACH_STEP_CMPLE_F] = { HD_R700_SETGE_DX10, true },
   [HD_MACH_STEP_CMPGE_F] = { HD_R700_SETGE_DX10, false },
   [HD_MACH_STEP_ADD_F] = { HD_R700_ADD, false },
   [HD_MACH_STEP_SUB_F] = { HD_R700_ADD, false },
   [HD_MACH_STEP_MUL_F] = { HD_R700_MUL_IEEE, false },
   [HD_MACH_STEP_ITOF] = { HD_R700_INT_TO_FLT, false },
   [HD_MACH_STEP_RECIPROCAL] = { HD_R700_RECIP_IEEE, false },
   [HD_MACH_STEP_NOT] = { HD_R700_NOT_INT, false },
   [HD_MACH_STEP_LOGIC_AND] = { HD_R700_AND_INT, false },
   [HD_MACH_STEP_LOGIC_OR] = { HD_R700_OR_INT, false },
   [HD_MACH_STEP_LOGIC_XOR] = { HD_R700_XOR_INT, false },
};

/* The exponent of a number without its lower ones: 127 and up, 0 of 0. */
static val
exponent(sel *s, val bit)
{
   const val none = { 0 };

   return shr(s, hd_r700_emit(s, HD_R700_UINT_TO_FLT, bit, none, none), K(23));
}

/* Without the bit below the highest one the conversion does not round up to the next power of two. */
static val
leading_zeros(sel *s, val a)
{
   const val none = { 0 };
   const val below = hd_r700_emit(s, HD_R700_NOT_INT, shr(s, a, K(1)), none, none);
   const val high = exponent(s, and(s, a, below));

   return hd_r700_emit(s, HD_R700_MIN_UINT, sub(s, K(158), high), K(32), none);
}

static val
trailing_zeros(sel *s, val a)
{
   const val low = exponent(s, and(s, a, sub(s, K(0), a)));

   return hd_r700_emit(s, HD_R700_MIN_UINT, sub(s, low, K(127)), K(32), (val){ 0 });
}

static val
sign_extended(sel *s, val a, unsigned above)
{
   return hd_r700_shift(s, HD_R700_ASHR_INT, shl(s, a, K(above)), K(above));
}

static val
emit(void *user, hd_mach_step_op op, const val v[3])
{
   sel *s = user;
   const val none = { 0 };

   switch (op) {
   case HD_MACH_STEP_CHOOSE:
      return hd_r700_choose(s, v[0], v[1], v[2]);
   case HD_MACH_STEP_SHL:
   case HD_MACH_STEP_SHR:
   case HD_MACH_STEP_ASHR:
      return hd_r700_shift(s, steps[op].op, v[0], v[1]);
   case HD_MACH_STEP_CLZ:
      return leading_zeros(s, v[0]);
   case HD_MACH_STEP_CTZ:
      return trailing_zeros(s, v[0]);
   case HD_MACH_STEP_SEXT_8:
      return sign_extended(s, v[0], 24);
   case HD_MACH_STEP_SEXT_16:
      return sign_extended(s, v[0], 16);
   case HD_MACH_STEP_FTOI:
      /* How the conversion rounds is a mode: of what is integral it does not. */
      return hd_r700_emit(s, HD_R700_FLT_TO_INT, hd_r700_emit(s, HD_R700_TRUNC, v[0], none, none),
                          none, none);
   default:
      break;
   }
   const bool swap = steps[op].swap;
   const val d = hd_r700_emit(s, steps[op].op, v[swap], swap ? v[0] : v[1], none);
   if (op == HD_MACH_STEP_SUB_F)
      s->block->last->bits = 2;
   return d;
}

/* Ops that are one instruction, on 32 bits. */
static const struct direct {
   uint16_t op, to;
} direct[] = {
   { HD_OP_FFLOOR, HD_R700_FLOOR },    { HD_OP_FCEIL, HD_R700_CEIL },
   { HD_OP_FTRUNC, HD_R700_TRUNC },    { HD_OP_FRINT, HD_R700_RNDNE },
   { HD_OP_U2F, HD_R700_UINT_TO_FLT }, { HD_OP_UMIN, HD_R700_MIN_UINT },
   { HD_OP_UMAX, HD_R700_MAX_UINT },   { HD_OP_IMIN, HD_R700_MIN_INT },
   { HD_OP_IMAX, HD_R700_MAX_INT },
};

/* False: it is several. */
static bool
select_direct(sel *s, const hd_alu *alu)
{
   const struct direct *row = NULL;
   val v[2] = { { 0 } };

   for (size_t n = 0; n < sizeof(direct) / sizeof(direct[0]); n++) {
      if (direct[n].op == alu->instr.op)
         row = &direct[n];
   }
   if (!row || alu->instr.def.bit_size != 32 || alu->src[0].def->bit_size != 32)
      return false;
   for (unsigned n = 0; n < alu->instr.num_srcs && n < 2; n++)
      v[n] = hd_r700_value(s, alu->src[n].def, 0);
   hd_r700_set(s, &alu->instr.def, hd_r700_emit(s, row->to, v[0], v[1], (val){ 0 }));
   return true;
}

static val
part(void *user, const hd_def *def, unsigned n)
{
   return hd_r700_value(user, def, n);
}

static val
start(void *user, unsigned which)
{
   (void)user;
   return hd_r700_start_value(which);
}

static bool
run_sequence(sel *s, unsigned op, unsigned from, unsigned to, const hd_src *srcs,
             val results[HD_MACH_MAX_RESULTS])
{
   static const hd_mach_stepper stepper = { part, start, hd_r700_imm, emit };

   return hd_mach_run_sequence(&hd_r700_sequences, &stepper, s, op, from, to, srcs, results);
}

bool
hd_r700_run_intrinsic(sel *s, const hd_intrinsic *i, val results[HD_MACH_MAX_RESULTS])
{
   return run_sequence(s, HD_NUM_OPS + i->instr.op, 0, 0, i->src, results) ||
          hd_r700_refuse_intrinsic(s, i);
}

/* Components */

static val
is_at(sel *s, val index, unsigned component)
{
   if (hd_r700_is_number(&index))
      return K(hd_r700_number(&index) == component ? UINT32_MAX : 0);
   return eq(s, index, K(component));
}

static void
select_channel(sel *s, const hd_alu *alu)
{
   const hd_def *vector = alu->src[0].def;
   const unsigned num = vector->bit_size == 64 ? 2 : 1;
   const val index = hd_r700_value(s, alu->src[1].def, 0);
   val parts[2];

   for (unsigned n = 0; n < num; n++) {
      parts[n] = K(0);
      for (unsigned k = 0; k < vector->num_components; k++) {
         const val is = is_at(s, index, k);
         parts[n] = hd_r700_choose(s, is, hd_r700_value(s, vector, k * num + n), parts[n]);
      }
   }
   hd_r700_set_parts(s, &alu->instr.def, parts);
}

static void
select_insert(sel *s, const hd_alu *alu)
{
   const hd_def *vector = alu->src[0].def;
   const unsigned num = vector->bit_size == 64 ? 2 : 1;
   const val index = hd_r700_value(s, alu->src[2].def, 0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < vector->num_components * num; n++) {
      const val is = is_at(s, index, n / num), old = hd_r700_value(s, vector, n);
      parts[n] = hd_r700_choose(s, is, hd_r700_value(s, alu->src[1].def, n % num), old);
   }
   hd_r700_set_parts(s, &alu->instr.def, parts);
}

static void
select_choice(sel *s, const hd_alu *alu)
{
   const val condition = hd_r700_value(s, alu->src[0].def, 0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_r700_num_parts(&alu->instr.def); n++) {
      const val a = hd_r700_value(s, alu->src[1].def, n), b = hd_r700_value(s, alu->src[2].def, n);
      parts[n] = hd_r700_choose(s, condition, a, b);
   }
   hd_r700_set_parts(s, &alu->instr.def, parts);
}

static void
select_vec(sel *s, const hd_alu *alu)
{
   const unsigned step = alu->instr.def.bit_size == 64 ? 2 : 1;
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_r700_num_parts(&alu->instr.def); n++)
      parts[n] = hd_r700_value(s, alu->src[n / step].def, n % step);
   hd_r700_set_parts(s, &alu->instr.def, parts);
}

static bool
moves_components(sel *s, const hd_alu *alu)
{
   switch ((hd_op)alu->instr.op) {
   case HD_OP_VEC:
      select_vec(s, alu);
      return true;
   case HD_OP_CHANNEL:
      select_channel(s, alu);
      return true;
   case HD_OP_INSERT_CHANNEL:
      select_insert(s, alu);
      return true;
   case HD_OP_SELECT:
      select_choice(s, alu);
      return true;
   default:
      return false;
   }
}

/* Floats of 32 bits are read or written as numbers. */
static bool
is_float(const hd_alu *alu)
{
   const hd_op_info *info = hd_op_get_info((hd_op)alu->instr.op);
   bool found = info->result.kind == HD_KIND_FLOAT && alu->instr.def.bit_size == 32;

   for (unsigned n = 0; n < alu->instr.num_srcs && n < info->num_srcs; n++)
      found |= info->src[n].kind == HD_KIND_FLOAT && alu->src[n].def->bit_size == 32;
   return found;
}

bool
hd_r700_select_alu(sel *s, const hd_alu *alu)
{
   const hd_op op = (hd_op)alu->instr.op;
   const unsigned from = alu->src[0].def->bit_size, to = alu->instr.def.bit_size;
   val parts[HD_MACH_MAX_RESULTS];

   if (moves_components(s, alu))
      return true;
   if (is_float(alu) && s->p->shader->float_controls & (HD_FLOAT_RTZ_32 | HD_FLOAT_FLUSH_32))
      return hd_mach_refuse(s->p, &alu->instr, "floats round to nearest and keep denormals");
   if (select_direct(s, alu))
      return true;
   if (!run_sequence(s, op, from, to, alu->src, parts))
      return hd_mach_refuse(s->p, &alu->instr, "unsupported op %s of %u bits",
                            hd_op_get_info(op)->name, from == 1 ? to : from);
   hd_r700_set_parts(s, &alu->instr.def, parts);
   return true;
}
