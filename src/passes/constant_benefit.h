/* SPDX-License-Identifier: MIT */
/* constant_benefit.h - does an instruction become simpler if an operand is a constant? For passes that learn
 * values from branches: if nothing is gained, the constant is one instruction more.
 */
#ifndef HEDDLE_PASSES_CONSTANT_BENEFIT_H
#define HEDDLE_PASSES_CONSTANT_BENEFIT_H

#include "heddle/ir.h"

/* Does the op with this operand, or a component of it, become simpler if that is `value`? It does
 * if `others`, its other operands, are constants; if the number has a law of its own, or decides a
 * comparison; if it chooses a component; and if it divides, where `divide` says so, as that makes
 * of one op several cheaper ones. By any other number it only becomes the same op of a constant.
 */
bool hd_benefits_from_constant(const hd_src *src, const hd_const_value *value, bool others,
                               bool divide);

#endif
