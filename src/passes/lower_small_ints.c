/* SPDX-License-Identifier: MIT */
/* lower_small_ints.c - widen 8-bit and 16-bit integer arithmetic to 32 bits.
 *
 *    %3:16 = iadd %1, %2          =>    %3:16 = u2u (iadd (u2u %1), (u2u %2))
 *    %4:1 = ilt %3, %1            =>    %4:1 = ilt (i2i %3), (i2i %1)
 *
 * Operands are sign- or zero-extended as the op reads them, and the result is truncated. If only
 * the low bits of an operand matter, a truncation before it is skipped. Memory, phis, variables,
 * packing and conversions keep their sizes. Why this is correct: the low N bits of a sum, product,
 * bitwise op or left shift depend only on the low N bits of the operands; all other ops give the
 * same result for the same numbers, which fit in 32 bits, except as noted below.
 *
 * With `int16_single`, ops on vectors of two, as opt_vectorize makes, stay as they are: for machines whose
 * 16-bit arithmetic is packed. So do choices that only float ops read, or what moves them.
 *
 * Requires:  valid IR, nothing more. Division may still be there, and is done in 32 bits.
 * Preserves: all that depends on the graph alone.
 * Leaves:    resizing twice to opt_algebraic.
 * Tests:     tests/passes/lower_small_ints.hd, tests/passes/lower_small_ints.single.hd,
 *            tests/passes/test_lower_ops.c
 */
#include "heddle/build_ops.h"
#include "passes/lower.h"

/* How an operand is made one of 32 bits. */
typedef enum extension { LOW_BITS, ZEROS, SIGNS } extension;

/* An operand that was extended. */
typedef struct extended {
   const hd_def *from;
   extension ext;
   hd_def *to;
} extended;

typedef struct small_op {
   hd_builder *b;
   extended *made; /* by operand: of two equal ones, one is made, as x - x is 0 whatever x is */
   const hd_instr *i;
   unsigned bits; /* 8 or 16: the small size */
   unsigned n;
} small_op;

static hd_def *
imm(const small_op *o, uint32_t value)
{
   return hd_lower_imm(o->b, o->n, 32, value);
}

static hd_def *
extend(const small_op *o, hd_def *def, extension ext)
{
   const hd_instr *from = hd_def_instr(def);

   /* All ones stay all ones, which decide an `or` whatever is not known of the rest. */
   if (ext == SIGNS || (o->i->op == HD_OP_IOR && from->kind == HD_INSTR_CONST))
      return hd_i2i(o->b, def, 32);
   if (ext == LOW_BITS && from->kind == HD_INSTR_ALU && from->op == HD_OP_U2U &&
       hd_instr_src(from, 0)->def->bit_size == 32)
      return hd_instr_src(from, 0)->def;
   return hd_u2u(o->b, def, 32);
}

static hd_def *
operand(const small_op *o, unsigned k, extension ext)
{
   hd_def *def = hd_instr_src(o->i, k)->def;

   if (hd_op_src_type(hd_op_get_info((hd_op)o->i->op), k)->kind == HD_KIND_FLOAT)
      return def;
   if (def->bit_size != 8 && def->bit_size != 16)
      return def;
   for (unsigned n = 0; n < HD_MAX_OP_SRCS; n++) {
      if (o->made[n].from == def && o->made[n].ext == ext)
         return o->made[n].to;
   }
   o->made[k] = (extended){ def, ext, extend(o, def, ext) };
   return o->made[k].to;
}

/* The same op on 32 bits, operands extended alike. */
static hd_def *
same_op(const small_op *o, extension ext)
{
   const hd_op_info *info = hd_op_get_info((hd_op)o->i->op);
   hd_def *srcs[HD_MAX_OP_SRCS];
   unsigned bits = o->i->def.bit_size;

   for (unsigned k = 0; k < o->i->num_srcs; k++)
      srcs[k] = operand(o, k, ext);
   if (info->result.kind != HD_KIND_FLOAT && bits == o->bits)
      bits = 32;
   return hd_build_alu(o->b, (hd_op)o->i->op, o->i->num_srcs, srcs,
                       info->flags & HD_OP_SIZED ? bits : 0);
}

/* With a constant. */
static hd_def *
with(const small_op *o, hd_op op, hd_def *x, uint32_t value)
{
   hd_def *const srcs[] = { x, imm(o, value) };

   return hd_build_alu(o->b, op, 2, srcs, 0);
}

/* An op of 32 bits on the first two operands. */
static hd_def *
pair(const small_op *o, hd_op op, extension ext)
{
   hd_def *srcs[2];

   srcs[0] = operand(o, 0, ext);
   srcs[1] = operand(o, 1, ext);
   return hd_build_alu(o->b, op, 2, srcs, 0);
}

/* A shift of x by operand k, which is taken modulo the small size. */
static hd_def *
shift(const small_op *o, hd_op op, hd_def *x, unsigned k)
{
   hd_def *const srcs[] = { x, with(o, HD_OP_IAND, operand(o, k, LOW_BITS), o->bits - 1) };

   return hd_build_alu(o->b, op, 2, srcs, 0);
}

/* A number twice, one above the other, shifted right: what goes out below comes in above. */
static hd_def *
rotate(const small_op *o)
{
   hd_builder *b = o->b;
   hd_def *x = operand(o, 0, ZEROS), *by = operand(o, 1, LOW_BITS);

   if (o->i->op == HD_OP_ROTL)
      by = hd_ineg(b, by);
   x = hd_ior(b, x, with(o, HD_OP_ISHL, x, o->bits));
   return hd_ushr(b, x, with(o, HD_OP_IAND, by, o->bits - 1));
}

static hd_def *
funnel(const small_op *o)
{
   hd_def *high = with(o, HD_OP_ISHL, operand(o, 0, LOW_BITS), o->bits);
   hd_def *both = hd_ior(o->b, high, operand(o, 1, ZEROS));

   return shift(o, HD_OP_USHR, both, 2);
}

static hd_def *
clamp(const small_op *o, hd_def *x)
{
   const uint32_t most = (UINT32_C(1) << (o->bits - 1)) - 1;
   hd_def *low = imm(o, ~most), *high = imm(o, most);

   return hd_imed3(o->b, x, low, high);
}

/* A result of more than one op, or one of other sizes. */
static hd_def *
special(const small_op *o)
{
   const uint32_t all = (UINT32_C(1) << o->bits) - 1;
   hd_def *limit;

   switch (o->i->op) {
   case HD_OP_ISHL:
      return shift(o, HD_OP_ISHL, operand(o, 0, LOW_BITS), 1);
   case HD_OP_USHR:
      return shift(o, HD_OP_USHR, operand(o, 0, ZEROS), 1);
   case HD_OP_ISHR:
      return shift(o, HD_OP_ISHR, operand(o, 0, SIGNS), 1);
   case HD_OP_ROTL:
   case HD_OP_ROTR:
      return rotate(o);
   case HD_OP_FUNNEL_SHR:
      return funnel(o);
   case HD_OP_UMULHI:
      return with(o, HD_OP_USHR, pair(o, HD_OP_IMUL, ZEROS), o->bits);
   case HD_OP_IMULHI:
      return with(o, HD_OP_ISHR, pair(o, HD_OP_IMUL, SIGNS), o->bits);
   case HD_OP_UADD_CARRY:
      limit = imm(o, all);
      return hd_ult(o->b, limit, pair(o, HD_OP_IADD, ZEROS));
   case HD_OP_UADD_SAT:
      return with(o, HD_OP_UMIN, pair(o, HD_OP_IADD, ZEROS), all);
   case HD_OP_IADD_SAT:
      return clamp(o, pair(o, HD_OP_IADD, SIGNS));
   case HD_OP_ISUB_SAT:
      return clamp(o, pair(o, HD_OP_ISUB, SIGNS));
   case HD_OP_BIT_REVERSE:
      return with(o, HD_OP_USHR, hd_bit_reverse(o->b, operand(o, 0, LOW_BITS)), 32 - o->bits);
   case HD_OP_F2U:
   case HD_OP_F2U_RNE:
   case HD_OP_F2U_RU:
   case HD_OP_F2U_RD:
      return with(o, HD_OP_UMIN, same_op(o, ZEROS), all);
   case HD_OP_F2I:
   case HD_OP_F2I_RNE:
   case HD_OP_F2I_RU:
   case HD_OP_F2I_RD:
      return clamp(o, same_op(o, ZEROS));
   default:
      return NULL;
   }
}

/* How the operands of all other ops are extended. Bits of fields past the top: 32 bits hold zeros,
 * or signs, where the small size ends, as the op wants it.
 */
static extension
extension_of(const hd_instr *i)
{
   switch (i->op) {
   case HD_OP_IADD:
   case HD_OP_ISUB:
   case HD_OP_IMUL:
   case HD_OP_INEG:
   case HD_OP_IAND:
   case HD_OP_IOR:
   case HD_OP_IXOR:
   case HD_OP_INOT:
   case HD_OP_BITSELECT:
   case HD_OP_SELECT:
   case HD_OP_BITFIELD_INSERT:
      return LOW_BITS;
   default:
      return hd_op_get_info((hd_op)i->op)->src[0].kind == HD_KIND_INT ? SIGNS : ZEROS;
   }
}

/* So many readers of choices, and of choices between them, are looked at. */
#define MAX_READERS 64

/* Does nothing that reads it have to know the rest of its register? `left` are the readers to look at. */
static bool
is_only_moved(const hd_def *def, unsigned *left)
{
   hd_foreach_use(use, def) {
      const hd_instr *i = hd_src_instr(use);
      if (!i || !*left)
         return false;
      --*left;
      switch (i->kind == HD_INSTR_ALU ? i->op : (unsigned)HD_OP_VEC) {
      case HD_OP_SELECT:
         if (!is_only_moved(&i->def, left))
            return false;
         break;
      case HD_OP_U2U:
      case HD_OP_I2I:
      case HD_OP_U2F:
      case HD_OP_I2F:
         return false;
      default:
         if (hd_instr_constructs(i) & HD_LOWERED_INT16)
            return false;
      }
   }
   return true;
}

static hd_def *
lower_small(hd_builder *b, hd_instr *i, void *data)
{
   const lower_small_ints_options *options = data;
   uint32_t lowered = options->int8 ? HD_LOWERED_INT8 : 0;
   unsigned left = MAX_READERS;

   if (i->kind != HD_INSTR_ALU)
      return NULL;
   if (options->int16 || (options->int16_single && i->def.num_components != 2))
      lowered |= HD_LOWERED_INT16;
   const uint32_t constructs = hd_instr_constructs(i) & lowered;
   if (!constructs || (i->op == HD_OP_SELECT && !options->int16 && constructs == HD_LOWERED_INT16 &&
                       is_only_moved(&i->def, &left)))
      return NULL;
   extended made[HD_MAX_OP_SRCS] = { { NULL, LOW_BITS, NULL } };
   const small_op o = { b, made, i, constructs & HD_LOWERED_INT8 ? 8 : 16, i->def.num_components };
   b->flags = i->flags;
   hd_def *result = special(&o);
   if (!result)
      result = same_op(&o, extension_of(i));
   /* Floats and booleans are what they should be; so are positions and other results of 32 bits. */
   return result->bit_size == i->def.bit_size ? result : hd_u2u(b, result, i->def.bit_size);
}

bool
hd_lower_small_ints(hd_function *f, const lower_small_ints_options *o)
{
   lower_small_ints_options options = *o;

   return hd_progress(f, hd_lower_instrs(f, lower_small, &options), LOWER_SMALL_INTS_KEEPS);
}
