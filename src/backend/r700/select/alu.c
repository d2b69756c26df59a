/* SPDX-License-Identifier: MIT */
/* alu.c - instruction selection of ALU ops: steps of sequences, and ops that are one instruction. */
#include "backend/r700/select/select.h"
#include "heddle/op_enum.h"

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

/* So many instructions back a product is looked for: from further away its factors would live long. */
#define NEAR 32u

/* The product that the operand is; NULL: none, or not one of shortly before. */
static const hd_mach_inst *
product_of(const sel *s, const val *v)
{
   const hd_mach_inst *def = hd_mach_is_temp(v) ? s->p->temps[v->value].def : NULL;
   const hd_mach_inst *inst = s->block->last;

   if (!def || def->op != HD_R700_MUL_IEEE || def->bits)
      return NULL;
   for (unsigned n = 0; n < NEAR && inst && inst != def; n++)
      inst = inst->prev;
   return inst == def ? def : NULL;
}

/* A sum or difference. MULADD rounds the product, too: it is the same as both. A product that nothing
 * else reads is dead then.
 */
static val
sum(sel *s, val a, val b, bool negate_b)
{
   const hd_mach_inst *first = product_of(s, &a), *product = first ? first : product_of(s, &b);
   val d;

   if (product) {
      const val x = *hd_mach_src(product, 0), y = *hd_mach_src(product, 1);
      d = hd_r700_emit(s, HD_R700_MULADD_IEEE, x, y, first ? b : a);
      s->block->last->bits = !negate_b ? 0 : first ? 4 : 1;
   } else {
      d = hd_r700_emit(s, HD_R700_ADD, a, b, (val){ 0 });
      s->block->last->bits = negate_b ? 2 : 0;
   }
   return d;
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
      return hd_r700_shift(s, hd_r700_steps[op].op, v[0], v[1]);
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
   case HD_MACH_STEP_ADD_F:
   case HD_MACH_STEP_SUB_F:
      return sum(s, v[0], v[1], op == HD_MACH_STEP_SUB_F);
   default:
      break;
   }
   const bool swap = hd_r700_steps[op].swap;
   return hd_r700_emit(s, hd_r700_steps[op].op, v[swap], swap ? v[0] : v[1], none);
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
select_direct(void *user, const hd_alu *alu)
{
   sel *s = user;
   const struct direct *row = NULL;
   val v[2] = { { 0 } };

   for (size_t n = 0; n < sizeof(direct) / sizeof(direct[0]); n++) {
      if (direct[n].op == alu->instr.op)
         row = &direct[n];
   }
   if (!row || alu->instr.def.bit_size != 32 || alu->src[0].def->bit_size != 32)
      return false;
   for (unsigned n = 0; n < alu->instr.num_srcs && n < 2; n++)
      v[n] = hd_mach_part(s, alu->src[n].def, 0);
   hd_mach_set_part(s, &alu->instr.def, hd_r700_emit(s, row->to, v[0], v[1], (val){ 0 }));
   return true;
}

static val
start(void *user, unsigned which)
{
   (void)user;
   return hd_r700_start_value(which);
}

static val
choose(void *user, const hd_def *def, val condition, val a, val b)
{
   (void)def;
   return hd_r700_choose(user, condition, a, b);
}

static val
is_at(void *user, val index, unsigned component)
{
   if (hd_r700_is_number(&index))
      return K(hd_r700_number(&index) == component ? UINT32_MAX : 0);
   return eq(user, index, K(component));
}

const hd_mach_part_rows hd_r700_part_rows = {
   .steps = { .start = start, .constant = hd_r700_imm, .emit = emit },
   .sequences = &hd_r700_sequences,
   .true_bits = UINT32_MAX,
   .choose = choose,
   .is_at = is_at,
   .direct = select_direct,
   .find_own = hd_r700_find_own,
   .emit_own = hd_r700_emit_own,
   .of_launch = hd_r700_of_launch,
};
