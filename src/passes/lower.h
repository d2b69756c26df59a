/* SPDX-License-Identifier: MIT */
/* lower.h - helpers of lowering passes: replace an instruction by a sequence. */
#ifndef HEDDLE_PASSES_LOWER_H
#define HEDDLE_PASSES_LOWER_H

#include "heddle/build.h"
#include "passes/pass.h"

/* Build what takes the place of an instruction's result; the builder stands before it and has its
 * location. NULL leaves the instruction alone, and then nothing may have been built.
 */
typedef hd_def *hd_lower_function(hd_builder *b, hd_instr *i, void *data);

/* Offer each instruction of the function once, in the order of the text, but not what was built
 * for others. One that was replaced is removed, and its value's name goes to the replacement.
 */
bool hd_lower_instrs(hd_function *f, hd_lower_function *lower, void *data);

/* The end of that for one instruction. Values with an index below `first_new` were there before,
 * and keep their names or the lack of them.
 */
void hd_lower_replace(hd_instr *i, hd_def *by, uint32_t first_new);

/* A constant, the same in all components; upper bits are cleared. */
hd_def *hd_lower_imm(hd_builder *b, unsigned num_components, unsigned bits, uint64_t value);

/* A constant of the shape of a value. */
static inline hd_def *
hd_lower_imm_like(hd_builder *b, const hd_def *like, uint64_t value)
{
   return hd_lower_imm(b, like->num_components, like->bit_size, value);
}

/* Does a constant have one value in all components? */
bool hd_lower_is_splat(const hd_const *c);

/* The value of a component, zero above its size. */
static inline uint64_t
hd_lower_const(const hd_const *c, unsigned component)
{
   const hd_const_value *v = &c->value[component];

   switch (c->instr.def.bit_size) {
   case 1:
      return v->b;
   case 8:
      return v->u8;
   case 16:
      return v->u16;
   case 32:
      return v->u32;
   default:
      return v->u64;
   }
}

#endif
