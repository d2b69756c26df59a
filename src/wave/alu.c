/* SPDX-License-Identifier: MIT */
/* alu.c - ALU ops, local variables, and propagation of undefined bits.
 *
 * The generated loops do the arithmetic. An undefined component holds an arbitrary number, and the op computes
 * with it; the shadow bits record that it is undefined. If a rule says that the result is defined
 * nevertheless, every number gives it.
 */
#include "heddle/op_enum.h"
#include "wave/wave.h"

static hd_wave_alu *
begin(const hd_wave *w, const hd_code_instr *i)
{
   hd_wave_alu *a = i->alu;

   a->count = w->count;
   a->lanes = w->lanes;
   a->all = w->all;
   return a;
}

/* Does the op see all components of the operand at once? */
static bool
reads_whole(const hd_op_info *info, uint32_t n)
{
   return info->src[n].max_components > 1 && !(info->src[n].linked && info->result.linked);
}

void
hd_wave_alu_simple(hd_wave *w, const hd_code_instr *i)
{
   hd_wave_alu *a = begin(w, i);

   for (unsigned c = 0; c < i->dst.num_components; c++) {
      hd_wave_mask undef = mask_none();
      a->c = c;
      a->dst = row_of(w, &i->dst, c);
      for (uint32_t n = 0; n < i->num_srcs; n++) {
         a->src[n] = row_of(w, &i->srcs[n], c);
         undef = mask_or(undef, *undef_of(w, &i->srcs[n], c));
      }
      i->op(a);
      hd_wave_mask *to = undef_of(w, &i->dst, c);
      *to = mask_merge(*to, undef, w->active);
   }
}

/* The undefined lanes of what component c of the result reads of an operand. */
static hd_wave_mask
undef_read(const hd_wave *w, const hd_code_instr *i, const hd_op_info *info, uint32_t n, unsigned c)
{
   const hd_operand *o = &i->srcs[n];
   hd_wave_mask undef = mask_none();

   if (!reads_whole(info, n))
      return *undef_of(w, o, info->src[n].linked ? c : 0);
   for (unsigned k = 0; k < o->num_components; k++)
      undef = mask_or(undef, *undef_of(w, o, k));
   return undef;
}

/* Where this operand is defined and holds the element that makes the other one irrelevant. */
static hd_wave_mask
lanes_with(const hd_wave *w, const hd_code_instr *i, uint32_t n, unsigned c, hd_element element)
{
   const uint64_t *row = row_of(w, &i->srcs[n], c);
   const uint64_t value = hd_element_value(element, i->srcs[n].bits);
   hd_wave_mask found = mask_none();

   if (element == HD_ELEMENT_NONE)
      return found;
   for (unsigned k = 0; k < w->count; k++) {
      if (row[w->lanes[k]] == value)
         mask_add(&found, w->lanes[k]);
   }
   return mask_without(found, *undef_of(w, &i->srcs[n], c));
}

static hd_wave_mask
undef_chosen(const hd_wave *w, const hd_code_instr *i, unsigned c)
{
   const bool select = i->instr->op == HD_OP_SELECT, insert = i->instr->op == HD_OP_INSERT_CHANNEL;
   const hd_operand *choice = &i->srcs[select ? 0 : i->num_srcs - 1];
   const uint64_t *row = row_of(w, choice, select ? c : 0);
   hd_wave_mask undef = *undef_of(w, choice, select ? c : 0);

   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      bool u;
      if (select)
         u = mask_has(*undef_of(w, &i->srcs[row[l] ? 1 : 2], c), l);
      else if (insert)
         u = mask_has(row[l] == c ? *undef_of(w, &i->srcs[1], 0) : *undef_of(w, &i->srcs[0], c), l);
      else
         u = row[l] < i->srcs[0].num_components &&
             mask_has(*undef_of(w, &i->srcs[0], (unsigned)row[l]), l);
      if (u)
         mask_add(&undef, l);
   }
   return undef;
}

/* The active lanes in which any part of any operand is undefined. */
static hd_wave_mask
undef_anywhere(const hd_wave *w, const hd_code_instr *i)
{
   hd_wave_mask undef = mask_none();

   for (uint32_t n = 0; n < i->num_srcs; n++) {
      for (unsigned k = 0; k < i->srcs[n].num_components; k++)
         undef = mask_or(undef, *undef_of(w, &i->srcs[n], k));
   }
   return mask_and(undef, w->active);
}

/* Of three operands: those of which a zero beside them, or a mask, lets nothing through. */
static hd_wave_mask
undef_masked(const hd_wave *w, const hd_code_instr *i, const hd_op_info *info, unsigned c)
{
   hd_wave_mask first = undef_read(w, i, info, 0, c), second = undef_read(w, i, info, 1, c);
   hd_wave_mask third = undef_read(w, i, info, 2, c);

   second = mask_without(second, lanes_with(w, i, 0, c, HD_ELEMENT_ZERO));
   if (info->undef == HD_UNDEF_PRODUCT)
      first = mask_without(first, lanes_with(w, i, 1, c, HD_ELEMENT_ZERO));
   else
      third = mask_without(third, lanes_with(w, i, 0, c, HD_ELEMENT_ALL_ONES));
   return mask_or(mask_or(first, second), third);
}

static hd_wave_mask
undef_result(const hd_wave *w, const hd_code_instr *i, const hd_op_info *info, unsigned c)
{
   hd_wave_mask undef = mask_none();

   if (i->same)
      return undef;
   if (info->undef == HD_UNDEF_CHOSEN)
      return undef_chosen(w, i, c);
   if (info->undef == HD_UNDEF_PRODUCT || info->undef == HD_UNDEF_BITS)
      return undef_masked(w, i, info, c);
   for (uint32_t n = 0; n < i->num_srcs; n++)
      undef = mask_or(undef, undef_read(w, i, info, n, c));
   if (info->undef == HD_UNDEF_ABSORBS && mask_any(mask_and(undef, w->active)) &&
       i->num_srcs >= 2) {
      undef = mask_without(undef, lanes_with(w, i, 0, c, (hd_element)info->absorbing_left));
      undef = mask_without(undef, lanes_with(w, i, 1, c, (hd_element)info->absorbing));
   }
   return undef;
}

/* Is this number one that the instruction's flags promise not to meet? */
static bool
is_excluded(uint32_t flags, unsigned bits, uint64_t a)
{
   return (flags & HD_FP_NO_NAN && hd_float_is_nan(bits, a)) ||
          (flags & HD_FP_NO_INF && hd_float_abs(bits, a) == hd_float_inf(bits));
}

/* Lanes in which an operand or the result is a NaN or an infinity that was promised not to be. */
static hd_wave_mask
excluded(const hd_wave *w, const hd_code_instr *i, const hd_op_info *info, unsigned c)
{
   hd_wave_mask found = mask_none();

   for (uint32_t n = 0; n <= i->num_srcs; n++) {
      const bool result = n == i->num_srcs;
      const hd_operand *o = result ? &i->dst : &i->srcs[n];
      const hd_type_info *type = result ? &info->result : &info->src[n];
      if (type->kind != HD_KIND_FLOAT)
         continue;
      const bool whole = !result && reads_whole(info, n);
      const unsigned first = whole || (!result && !type->linked) ? 0 : c;
      const unsigned end = whole ? o->num_components : first + 1;
      for (unsigned k = first; k < end; k++) {
         const uint64_t *row = row_of(w, o, k);
         for (unsigned m = 0; m < w->count; m++) {
            if (is_excluded(i->instr->flags, o->bits, row[w->lanes[m]]))
               mask_add(&found, w->lanes[m]);
         }
      }
   }
   return found;
}

/* Lanes with one number in it get one number again, and instructions that do the same do it again:
 * what is uniform stays so.
 */
static void
settle_excluded(hd_wave *w, const hd_operand *dst, unsigned c, hd_wave_mask lanes)
{
   uint64_t *row = row_of(w, dst, c);

   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (mask_has(lanes, l))
         row[l] = hd_wave_frozen(w->run, row[l]) & size_mask(dst->bits);
   }
}

void
hd_wave_alu_general(hd_wave *w, const hd_code_instr *i)
{
   const bool defined = !mask_any(undef_anywhere(w, i));

   /* Where nothing is undefined, how that would spread does not matter. */
   if (defined && i->componentwise) {
      hd_wave_alu_simple(w, i);
      return;
   }
   const hd_op_info *info = hd_op_get_info((hd_op)i->instr->op);
   hd_wave_alu *a = begin(w, i);
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      a->c = c;
      a->dst = row_of(w, &i->dst, c);
      for (uint32_t n = 0; n < i->num_srcs; n++) {
         const bool componentwise = info->src[n].linked && !reads_whole(info, n);
         a->src[n] = row_of(w, &i->srcs[n], componentwise ? c : 0);
      }
      i->op(a);
      hd_wave_mask undef = defined ? mask_none() : undef_result(w, i, info, c);
      if (i->instr->flags & (HD_FP_NO_NAN | HD_FP_NO_INF)) {
         const hd_wave_mask numbers = excluded(w, i, info, c);
         if (freezes_undefined(w))
            settle_excluded(w, &i->dst, c, numbers);
         else
            undef = mask_or(undef, numbers);
      }
      hd_wave_mask *to = undef_of(w, &i->dst, c);
      *to = mask_merge(*to, undef, w->active);
   }
}

/* One component, as most have. Where nothing is undefined that is all there is to it. */
void
hd_wave_alu_scalar(hd_wave *w, const hd_code_instr *i)
{
   const hd_frame *f = w->frame;
   const hd_code *code = f->code;
   hd_wave_alu *a = begin(w, i);
   hd_wave_mask undef = mask_none();

   for (uint32_t n = 0; n < i->num_srcs; n++) {
      const hd_operand *o = &i->srcs[n];
      a->src[n] = (o->constant ? code->constants : f->rows) + (size_t)o->row * a->width;
      undef = mask_or(undef, (o->constant ? code->constants_undef : f->undef)[o->row]);
   }
   undef = mask_and(undef, w->active);
   if (mask_any(undef) && !i->simple) {
      hd_wave_alu_general(w, i);
      return;
   }
   a->c = 0;
   a->dst = f->rows + (size_t)i->dst.row * a->width;
   i->op(a);
   hd_wave_mask *to = &f->undef[i->dst.row];
   *to = mask_or(mask_without(*to, w->active), undef);
}

void
hd_wave_vec(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      uint64_t *dst = row_of(w, &i->dst, c);
      const uint64_t *src = row_of(w, &i->srcs[c], 0);
      hd_wave_mask *to = undef_of(w, &i->dst, c);
      copy_lanes(w, dst, src);
      *to = mask_merge(*to, *undef_of(w, &i->srcs[c], 0), w->active);
   }
}

/* One lane, one component. */
static uint64_t
combine(const hd_wave *w, hd_op op, unsigned bits, unsigned result_bits, uint64_t a, uint64_t b)
{
   static const uint8_t lane_0[1] = { 0 };
   uint64_t result = 0;
   const hd_wave_alu alu = {
      .count = 1,
      .lanes = lane_0,
      .width = 1,
      .n = 1,
      .bits = result_bits,
      .src_bits = { bits, bits },
      .float_controls = w->run->shader->float_controls,
      .dst = &result,
      .src = { &a, &b },
   };

   hd_wave_ops[op](&alu);
   return result;
}

void
hd_wave_combine_rows(const hd_wave *w, hd_op op, unsigned bits, uint64_t *a, const uint64_t *b,
                     unsigned count)
{
   uint64_t result[HD_WAVE_MAX_LANES];
   uint8_t lanes[HD_WAVE_MAX_LANES];
   hd_wave_alu alu = {
      .count = count,
      .lanes = lanes,
      .all = true,
      .width = count,
      .n = 1,
      .bits = bits,
      .src_bits = { bits, bits },
      .float_controls = w->run->shader->float_controls,
      .src = { a, b },
   };

   alu.dst = result;
   for (unsigned k = 0; k < count; k++)
      lanes[k] = (uint8_t)k;
   hd_wave_ops[op](&alu);
   memcpy(a, result, count * sizeof(*a));
}

uint64_t
hd_wave_combine(const hd_wave *w, hd_op op, unsigned bits, uint64_t a, uint64_t b)
{
   return combine(w, op, bits, bits, a, b);
}

bool
hd_wave_compare(const hd_wave *w, hd_op op, unsigned bits, uint64_t a, uint64_t b)
{
   return combine(w, op, bits, 1, a, b) != 0;
}

/* Variables: the rows of element 0, then those of element 1, ... in the frame. */

static size_t
element_row(hd_wave *w, const hd_code_instr *i, const hd_operand *index, unsigned components,
            unsigned lane)
{
   const uint64_t element = row_of(w, index, 0)[lane];

   if (mask_has(*undef_of(w, index, 0), lane))
      hd_wave_fault(w, i->instr, lane, "the index of a variable is undefined");
   if (element >= i->var_count)
      hd_wave_fault(w, i->instr, lane, "index %llu of a variable of %u elements",
                    (unsigned long long)element, i->var_count);
   return i->var_row + (size_t)element * components;
}

/* Without an index there is one element: whole rows move. */

void
hd_wave_load_var(hd_wave *w, const hd_code_instr *i)
{
   const hd_operand *index = i->num_srcs ? &i->srcs[0] : NULL;
   const hd_frame *f = w->frame;
   const unsigned components = i->dst.num_components;

   for (unsigned c = 0; c < components && !index; c++) {
      hd_wave_mask *undef = undef_of(w, &i->dst, c);
      const size_t from = (size_t)i->var_row + c;
      copy_lanes(w, row_of(w, &i->dst, c), f->rows + from * w->run->width);
      *undef = mask_merge(*undef, f->undef[from], w->active);
   }
   for (unsigned k = 0; k < w->count && index; k++) {
      const unsigned l = w->lanes[k];
      const size_t from = element_row(w, i, index, components, l);
      for (unsigned c = 0; c < components; c++) {
         hd_wave_mask *undef = undef_of(w, &i->dst, c);
         row_of(w, &i->dst, c)[l] = f->rows[(from + c) * w->run->width + l];
         if (mask_has(f->undef[from + c], l))
            mask_add(undef, l);
         else
            mask_remove(undef, l);
      }
   }
}

void
hd_wave_store_var(hd_wave *w, const hd_code_instr *i)
{
   const hd_operand *value = &i->srcs[0], *index = i->num_srcs > 1 ? &i->srcs[1] : NULL;
   const hd_frame *f = w->frame;
   const unsigned components = value->num_components;

   for (unsigned c = 0; c < components && !index; c++) {
      const size_t to = (size_t)i->var_row + c;
      copy_lanes(w, f->rows + to * w->run->width, row_of(w, value, c));
      f->undef[to] = mask_merge(f->undef[to], *undef_of(w, value, c), w->active);
   }
   for (unsigned k = 0; k < w->count && index; k++) {
      const unsigned l = w->lanes[k];
      const size_t to = element_row(w, i, index, components, l);
      for (unsigned c = 0; c < components; c++) {
         f->rows[(to + c) * w->run->width + l] = row_of(w, value, c)[l];
         if (mask_has(*undef_of(w, value, c), l))
            mask_add(&f->undef[to + c], l);
         else
            mask_remove(&f->undef[to + c], l);
      }
   }
}
