/* SPDX-License-Identifier: MIT */
/* lower_float_parts.c - floats of 32 bits as integers, and back. */
#include "heddle/build_ops.h"
#include "passes/lower_float.h"

float_split
hd_lower_float_split(const float_code *c, hd_def *a)
{
   hd_builder *b = c->b;
   hd_def *size = and_imm(c, a, MAGNITUDE), *small = hd_ult(b, size, imm(c, HIDDEN));
   hd_def *top = hd_ufind_msb(b, size), *most = imm(c, 23), *up = hd_isub(b, most, top);
   hd_def *normal = or_imm(c, and_imm(c, a, HIDDEN - 1), HIDDEN);
   hd_def *exponent = hd_ushr(b, size, most), *e = add_imm(c, exponent, -127u);
   hd_def *least = imm(c, -126u);
   hd_def *moved = hd_ishl(b, size, up), *lower = hd_isub(b, least, up);

   hd_def *m = hd_select(b, small, moved, normal);
   return (float_split){ .m = m, .e = hd_select(b, small, lower, e) };
}

hd_def *
hd_lower_float_flushed(const float_code *c, hd_def *x)
{
   if (!c->flush)
      return x;
   hd_def *sign = and_imm(c, x, SIGN), *size = and_imm(c, x, MAGNITUDE);
   return hd_select(c->b, hd_ult(c->b, size, imm(c, HIDDEN)), sign, x);
}

hd_def *
hd_lower_float_join(const float_code *c, hd_def *sign, hd_def *e, hd_def *m, hd_def *sticky)
{
   hd_builder *b = c->b;
   hd_def *low = hd_ult(b, m, imm(c, 1u << 26)), *zero = imm(c, 0);

   set_if(c, low, shl_imm(c, m, 1), &m);
   set_if(c, low, add_imm(c, e, -1u), &e);
   m = hd_ior(b, m, sticky);
   /* Below the least exponent bits go out at the right. */
   hd_def *least = imm(c, -126u), *over = hd_isub(b, least, e), *positive = hd_imax(b, over, zero);
   hd_def *down = hd_imin(b, positive, imm(c, 31)), *kept = hd_ushr(b, m, down);
   hd_def *again = hd_ishl(b, kept, down), *lost = differs(c, again, m);
   m = hd_ior(b, kept, lost);
   /* Three bits more than a float has: guard, round and sticky. */
   hd_def *three = imm(c, 3);
   if (c->to_odd) {
      m = hd_ior(b, m, shl_imm(c, differs(c, and_imm(c, m, 7), zero), 3));
   } else if (!c->to_zero) {
      hd_def *odd = and_imm(c, hd_ushr(b, m, three), 1), *up = add_imm(c, odd, 3);
      m = hd_iadd(b, m, up);
   }
   hd_def *rounded = hd_ushr(b, m, three), *biased = hd_imax(b, add_imm(c, e, 126), zero);
   /* The hidden bit, and a carry of rounding, count the exponent up. */
   hd_def *r = hd_iadd(b, shl_imm(c, biased, 23), rounded), *most = imm(c, 127);
   hd_def *limit = imm(c, c->to_zero ? INFINITE - 1 : INFINITE);
   set_if(c, hd_ilt(b, most, e), limit, &r);
   return hd_lower_float_flushed(c, hd_ior(b, r, sign));
}
