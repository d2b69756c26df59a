/* SPDX-License-Identifier: MIT */
/* alu_exact.h - floats that integers compute: rounded once, to nearest even, as the ops are defined.
 */
#ifndef HEDDLE_BACKEND_NYUZI_SELECT_ALU_EXACT_H
#define HEDDLE_BACKEND_NYUZI_SELECT_ALU_EXACT_H

#include "backend/nyuzi/select/expr.h"

val hd_nyuzi_divide(sel *s, val a, val b);
val hd_nyuzi_square_root(sel *s, val a);
val hd_nyuzi_inverse_root(sel *s, val a);
val hd_nyuzi_fma(sel *s, val a, val b, val c);
val hd_nyuzi_ldexp(sel *s, val a, val exponent);
val hd_nyuzi_frexp_sig(sel *s, val a);
val hd_nyuzi_frexp_exp(sel *s, val a);

#endif
