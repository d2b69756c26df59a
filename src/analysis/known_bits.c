/* SPDX-License-Identifier: MIT */
/* known_bits.c - known bits: which bits of a value are always 0 or 1 (LLVM's computeKnownBits). */
#include "analysis/known_bits.h"

#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "ir/fold.h"

/* The answer for one operand is found by asking again, HD_KNOWN_DEPTH levels at most. */
static hd_known_bits known(const hd_def *def, unsigned depth);

static const hd_known_bits nothing = { 0, 0 };

static bool
is_nothing(hd_known_bits k)
{
   return !(k.zeros | k.ones);
}

static hd_known_bits
of_const(const hd_const *c)
{
   const unsigned bits = c->instr.def.bit_size;
   hd_known_bits k = { mask(bits), mask(bits) };

   for (unsigned n = 0; n < c->instr.def.num_components; n++) {
      const uint64_t value = hd_const_get(&c->value[n], bits);
      k.ones &= value;
      k.zeros &= ~value;
   }
   return k;
}

/* The value of an operand that is one constant for all components. */
static bool
constant_operand(const hd_alu *alu, unsigned n, uint64_t *value)
{
   const hd_const *c = hd_src_as_const(&alu->src[n]);

   if (!c)
      return false;
   *value = hd_const_get(&c->value[0], c->instr.def.bit_size);
   for (unsigned i = 1; i < c->instr.def.num_components; i++) {
      if (hd_const_get(&c->value[i], c->instr.def.bit_size) != *value)
         return false;
   }
   return true;
}

static hd_known_bits
both(hd_known_bits a, hd_known_bits b)
{
   return (hd_known_bits){ a.zeros & b.zeros, a.ones & b.ones };
}

/* Zeros above the highest bit that can be set in a value of at most `most`. */
static hd_known_bits
at_most(uint64_t most, unsigned bits)
{
   const uint64_t may = most ? mask((unsigned)find_msb(most) + 1) : 0;

   return (hd_known_bits){ mask(bits) & ~may, 0 };
}

static unsigned
low_zeros(hd_known_bits k)
{
   unsigned n = 0;

   for (; n < 64 && k.zeros >> n & 1; n++)
      ;
   return n;
}

/* The low bits of a sum are known as long as those of both operands are, carries included. */
static hd_known_bits
of_sum(hd_known_bits a, hd_known_bits b, unsigned bits, bool subtract)
{
   const uint64_t all = (a.zeros | a.ones) & (b.zeros | b.ones);
   const unsigned low = (unsigned)umin((uint64_t)find_lsb(~all), bits);
   const uint64_t sum = subtract ? a.ones - b.ones : a.ones + b.ones;
   hd_known_bits k = { ~sum & ones(low), sum & ones(low) };

   if (!subtract) {
      const uint64_t x = hd_known_most(a, bits), y = hd_known_most(b, bits);
      if (x <= mask(bits) - y)
         k.zeros |= at_most(x + y, bits).zeros;
   }
   return k;
}

/* By the operand `by`. */
static hd_known_bits
of_shift(const hd_alu *alu, unsigned op, hd_known_bits a, unsigned by, unsigned bits)
{
   uint64_t count;

   if (!constant_operand(alu, by, &count)) {
      /* A shift by any count keeps what is zero at the end that it moves away from. */
      if (op == HD_OP_ISHL)
         return (hd_known_bits){ ones(low_zeros(a)) & mask(bits), 0 };
      if (op == HD_OP_USHR || (a.zeros >> (bits - 1) & 1))
         return at_most(hd_known_most(a, bits), bits);
      return nothing;
   }
   count &= bits - 1;
   if (op == HD_OP_ISHL)
      return (hd_known_bits){ (a.zeros << count | ones(count)) & mask(bits),
                              a.ones << count & mask(bits) };
   const uint64_t top = mask(bits) & ~(mask(bits) >> count);
   hd_known_bits k = { a.zeros >> count, a.ones >> count };
   if (op == HD_OP_USHR || (a.zeros >> (bits - 1) & 1))
      k.zeros |= top;
   else if (a.ones >> (bits - 1) & 1)
      k.ones |= top;
   return k;
}

static hd_known_bits
of_product(hd_known_bits a, hd_known_bits b, unsigned bits)
{
   const unsigned low = low_zeros(a) + low_zeros(b);
   const uint64_t x = hd_known_most(a, bits), y = hd_known_most(b, bits);
   hd_known_bits k = { ones(low) & mask(bits), 0 };

   if (!x || y <= mask(bits) / x)
      k.zeros |= at_most(x * y, bits).zeros;
   return k;
}

static hd_known_bits
of_extension(const hd_alu *alu, hd_known_bits a, unsigned bits)
{
   const unsigned from = alu->src[0].def->bit_size;
   const uint64_t new_bits = bits > from ? mask(bits) & ~mask(from) : 0;

   if (alu->instr.op == HD_OP_U2U || (a.zeros >> (from - 1) & 1))
      a.zeros |= new_bits;
   else if (a.ones >> (from - 1) & 1)
      a.ones |= new_bits;
   return (hd_known_bits){ a.zeros & mask(bits), a.ones & mask(bits) };
}

static hd_known_bits
of_extreme(unsigned op, hd_known_bits a, hd_known_bits b, unsigned bits)
{
   hd_known_bits k = both(a, b);
   const uint64_t x = hd_known_most(a, bits), y = hd_known_most(b, bits);

   if (op == HD_OP_UMIN)
      k.zeros |= at_most(umin(x, y), bits).zeros;
   else if (op == HD_OP_UMAX)
      k.zeros |= at_most(umax(x, y), bits).zeros;
   return k;
}

/* Two ops in one, as opt_late leaves them. */
static hd_known_bits
of_pair(const hd_alu *alu, unsigned depth, unsigned bits)
{
   const hd_known_bits a = known(alu->src[0].def, depth), b = known(alu->src[1].def, depth),
                       c = known(alu->src[2].def, depth);
   hd_known_bits k;

   switch (alu->instr.op) {
   case HD_OP_ISHL_ADD:
      return of_sum(of_shift(alu, HD_OP_ISHL, a, 1, bits), c, bits, false);
   case HD_OP_IADD_SHL:
      return of_shift(alu, HD_OP_ISHL, of_sum(a, b, bits, false), 2, bits);
   case HD_OP_IADD3:
      return of_sum(of_sum(a, b, bits, false), c, bits, false);
   case HD_OP_ISHL_OR:
      k = of_shift(alu, HD_OP_ISHL, a, 1, bits);
      return (hd_known_bits){ k.zeros & c.zeros, k.ones | c.ones };
   case HD_OP_IAND_OR:
      return (hd_known_bits){ (a.zeros | b.zeros) & c.zeros, (a.ones & b.ones) | c.ones };
   default:
      return (hd_known_bits){ a.zeros & b.zeros & c.zeros, a.ones | b.ones | c.ones };
   }
}

static hd_known_bits
low_24(hd_known_bits k)
{
   return (hd_known_bits){ k.zeros | 0xff000000, k.ones & 0xffffff };
}

/* A product of 24 bits, and for one of the two ops a sum. */
static hd_known_bits
of_product_24(const hd_alu *alu, unsigned depth)
{
   const hd_known_bits k =
       of_product(low_24(known(alu->src[0].def, depth)), low_24(known(alu->src[1].def, depth)), 32);

   return alu->instr.op == HD_OP_UMUL24 ? k : of_sum(k, known(alu->src[2].def, depth), 32, false);
}

/* What is past the end is 0. */
static hd_known_bits
of_channel(const hd_alu *alu, unsigned depth)
{
   const hd_instr *vector = hd_def_instr(alu->src[0].def);
   const hd_shader *shader = vector->block ? hd_block_function(vector->block)->shader : NULL;
   hd_known_bits k = known(alu->src[0].def, depth);
   uint64_t n;

   k.ones = 0;
   if (vector->kind == HD_INSTR_INTRINSIC && vector->op == HD_INTRINSIC_LOCAL_INVOCATION_ID &&
       constant_operand(alu, 1, &n) && n < 3 && shader && shader->workgroup_size[n])
      k = at_most(shader->workgroup_size[n] - 1, 32);
   return k;
}

/* Ops whose result needs nothing but its greatest value. */
static hd_known_bits
of_range(const hd_alu *alu, unsigned depth, unsigned bits)
{
   uint64_t k;

   switch (alu->instr.op) {
   case HD_OP_UDIV:
      if (constant_operand(alu, 1, &k) && k)
         return at_most(hd_known_most(known(alu->src[0].def, depth), bits) / k, bits);
      return nothing;
   case HD_OP_UREM:
      if (constant_operand(alu, 1, &k) && k)
         return at_most(umin(k - 1, hd_known_most(known(alu->src[0].def, depth), bits)), bits);
      return nothing;
   case HD_OP_BIT_COUNT:
      return at_most(alu->src[0].def->bit_size, bits);
   case HD_OP_UBITFIELD_EXTRACT:
      return constant_operand(alu, 2, &k) ? at_most(ones(k) & mask(bits), bits) : nothing;
   case HD_OP_UMULHI:
   case HD_OP_USUB_SAT:
      return at_most(hd_known_most(known(alu->src[0].def, depth), bits), bits);
   default:
      return nothing;
   }
}

static hd_known_bits
of_alu(const hd_alu *alu, unsigned depth)
{
   const unsigned bits = alu->instr.def.bit_size;
   hd_known_bits a, b;

   switch (alu->instr.op) {
   case HD_OP_B2I:
      return at_most(1, bits);
   case HD_OP_INOT:
      a = known(alu->src[0].def, depth);
      return (hd_known_bits){ a.ones, a.zeros };
   case HD_OP_U2U:
   case HD_OP_I2I:
      return of_extension(alu, known(alu->src[0].def, depth), bits);
   case HD_OP_ISHL:
   case HD_OP_USHR:
   case HD_OP_ISHR:
      return of_shift(alu, alu->instr.op, known(alu->src[0].def, depth), 1, bits);
   case HD_OP_ISHL_ADD:
   case HD_OP_IADD_SHL:
   case HD_OP_IADD3:
   case HD_OP_ISHL_OR:
   case HD_OP_IAND_OR:
   case HD_OP_IOR3:
      return of_pair(alu, depth, bits);
   case HD_OP_UMUL24:
   case HD_OP_UMAD24:
      return of_product_24(alu, depth);
   case HD_OP_CHANNEL:
      return of_channel(alu, depth);
   case HD_OP_SELECT:
      b = known(alu->src[2].def, depth);
      return is_nothing(b) ? nothing : both(known(alu->src[1].def, depth), b);
   /* Where nothing is known of one operand, nothing is of the result. */
   case HD_OP_IXOR:
   case HD_OP_IADD:
   case HD_OP_ISUB:
   case HD_OP_UMAX:
   case HD_OP_IMIN:
   case HD_OP_IMAX:
      b = known(alu->src[1].def, depth);
      if (is_nothing(b))
         return nothing;
      a = known(alu->src[0].def, depth);
      break;
   case HD_OP_IAND:
   case HD_OP_IOR:
   case HD_OP_IMUL:
   case HD_OP_UMIN:
      a = known(alu->src[0].def, depth);
      b = known(alu->src[1].def, depth);
      break;
   default:
      return of_range(alu, depth, bits);
   }

   switch (alu->instr.op) {
   case HD_OP_IAND:
      return (hd_known_bits){ a.zeros | b.zeros, a.ones & b.ones };
   case HD_OP_IOR:
      return (hd_known_bits){ a.zeros & b.zeros, a.ones | b.ones };
   case HD_OP_IXOR:
      return (hd_known_bits){ (a.zeros & b.zeros) | (a.ones & b.ones),
                              (a.zeros & b.ones) | (a.ones & b.zeros) };
   case HD_OP_IADD:
   case HD_OP_ISUB:
      return of_sum(a, b, bits, alu->instr.op == HD_OP_ISUB);
   case HD_OP_IMUL:
      return of_product(a, b, bits);
   default:
      return of_extreme(alu->instr.op, a, b, bits);
   }
}

/* What the launch says of the position of a lane. */
static hd_known_bits
of_intrinsic(const hd_intrinsic *i)
{
   const hd_block *b = i->instr.block;

   if (i->instr.op != HD_INTRINSIC_LOCAL_INVOCATION_INDEX &&
       i->instr.op != HD_INTRINSIC_LOCAL_INVOCATION_ID)
      return nothing;
   const hd_shader *shader = b ? hd_block_function(b)->shader : NULL;
   if (!shader || !shader->workgroup_size[0])
      return nothing;
   const uint32_t *size = shader->workgroup_size;
   const uint64_t lanes = (uint64_t)size[0] * size[1] * size[2];
   if (i->instr.op == HD_INTRINSIC_LOCAL_INVOCATION_ID)
      return at_most(umax(umax(size[0], size[1]), umax(size[2], 1)) - 1, 32);
   return lanes ? at_most(lanes - 1, 32) : nothing;
}

static hd_known_bits
known(const hd_def *def, unsigned depth)
{
   const hd_instr *i = hd_def_instr(def);

   switch (i->kind) {
   case HD_INSTR_CONST:
      return of_const((const hd_const *)i);
   case HD_INSTR_INTRINSIC:
      return of_intrinsic((const hd_intrinsic *)i);
   case HD_INSTR_ALU:
      return depth ? of_alu((const hd_alu *)i, depth - 1) : nothing;
   default:
      return nothing;
   }
}

hd_known_bits
hd_known_bits_within(const hd_def *def, unsigned levels)
{
   return known(def, levels);
}

hd_known_bits
hd_known_bits_of(const hd_def *def)
{
   return known(def, HD_KNOWN_DEPTH);
}

bool
hd_known_sum(const hd_def *def, hd_def **x, uint64_t *k)
{
   const hd_alu *sum = hd_instr_as_alu(hd_def_instr(def));

   if (!sum || (sum->instr.op != HD_OP_IADD && sum->instr.op != HD_OP_IOR))
      return false;
   const unsigned side = hd_src_as_const(&sum->src[1]) ? 1 : 0;
   const hd_const *c = hd_src_as_const(&sum->src[side]);
   if (!c)
      return false;
   *x = sum->src[1 - side].def;
   *k = hd_const_get(&c->value[0], def->bit_size);
   return sum->instr.op == HD_OP_IADD || !(*k & ~hd_known_bits_of(*x).zeros);
}
