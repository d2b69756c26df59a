/* SPDX-License-Identifier: MIT */
/* undefined_bits.c - partially defined components: which bits of an undefined component are defined all the same.
 *
 * A component is undefined if any of its bits is. Copying memory by words moves undefined bytes
 * together with defined ones: when a load finds both in one number, the frame gets a shadow of its
 * rows, in which an undefined lane has a 1 for each defined bit. Loads, stores, variables, phis and the
 * ops below propagate it. All other rows have zeros there: no bit is known to be defined.
 */
#include "heddle/op_enum.h"
#include "util/sizes.h"
#include "wave/wave.h"

static uint64_t *
part_of(const hd_wave *w, const hd_operand *o, unsigned c, unsigned lane)
{
   return &w->frame->parts[((size_t)o->row + c) * w->run->width + lane];
}

uint64_t
hd_wave_known_bits(const hd_wave *w, const hd_operand *o, unsigned c, unsigned lane)
{
   if (!mask_has(*undef_of(w, o, c), lane))
      return size_mask(o->bits);
   return o->constant || !w->frame->parts ? 0 : *part_of(w, o, c, lane);
}

void
hd_wave_note_parts(hd_wave *w, const hd_operand *dst, unsigned c, unsigned lane, uint64_t known)
{
   hd_frame *f = w->frame;

   if (!f->parts && !known)
      return;
   if (!f->parts)
      f->parts = hd_stack_alloc_zero(
          &w->stack, array_size(f->code->num_rows, w->run->width * sizeof(*f->parts)));
   *part_of(w, dst, c, lane) = known;
}

/* Packing: the known bits of parts of so many bits, side by side. */
static uint64_t
packed(const hd_wave *w, const hd_operand *o, unsigned lane)
{
   uint64_t known = 0;

   for (unsigned c = 0; c < o->num_components; c++)
      known |= hd_wave_known_bits(w, o, c, lane) << c * o->bits;
   return known;
}

static uint64_t
known_of(const hd_wave *w, const hd_code_instr *i, unsigned n, unsigned c, unsigned lane)
{
   return hd_wave_known_bits(w, &i->srcs[n], c, lane);
}

/* A bit of a result is known where the operands' bits are, or where one that is known decides. */
static uint64_t
masked(const hd_wave *w, const hd_code_instr *i, unsigned c, unsigned lane, bool zero_decides)
{
   const uint64_t a = known_of(w, i, 0, c, lane), b = known_of(w, i, 1, c, lane);
   uint64_t x = row_of(w, &i->srcs[0], c)[lane], y = row_of(w, &i->srcs[1], c)[lane];

   if (zero_decides) {
      x = ~x;
      y = ~y;
   }
   return (a & b) | (a & x) | (b & y);
}

static uint64_t
shifted(const hd_wave *w, const hd_code_instr *i, unsigned c, unsigned lane)
{
   const unsigned bits = i->dst.bits;
   const hd_operand *count = &i->srcs[1];
   const unsigned at = count->num_components > c ? c : 0;

   if (known_of(w, i, 1, at, lane) != size_mask(count->bits))
      return 0;
   const unsigned by = (unsigned)row_of(w, count, at)[lane] & (bits - 1);
   const uint64_t known = known_of(w, i, 0, c, lane);
   if (i->instr->op == HD_OP_ISHL)
      return (known << by | ((UINT64_C(1) << by) - 1)) & size_mask(bits);
   return known >> by | (size_mask(bits) & ~(size_mask(bits) >> by));
}

static uint64_t
chosen(const hd_wave *w, const hd_code_instr *i, unsigned c, unsigned lane)
{
   const bool select = i->instr->op == HD_OP_SELECT;
   const hd_operand *choice = &i->srcs[select ? 0 : 1];
   const uint64_t value = row_of(w, choice, select ? c : 0)[lane];

   if (mask_has(*undef_of(w, choice, select ? c : 0), lane))
      return 0;
   if (select)
      return known_of(w, i, value ? 1 : 2, c, lane);
   return value < i->srcs[0].num_components ? known_of(w, i, 0, (unsigned)value, lane) : 0;
}

/* The known bits of a result that is undefined; 0 for an op that is not followed. */
static uint64_t
known_result(const hd_wave *w, const hd_code_instr *i, unsigned c, unsigned lane)
{
   switch (i->instr->op) {
   case HD_OP_VEC:
      return known_of(w, i, c, 0, lane);
   case HD_OP_IAND:
      return masked(w, i, c, lane, true);
   case HD_OP_IOR:
      return masked(w, i, c, lane, false);
   case HD_OP_IXOR:
      return known_of(w, i, 0, c, lane) & known_of(w, i, 1, c, lane);
   case HD_OP_INOT:
      return known_of(w, i, 0, c, lane);
   case HD_OP_ISHL:
   case HD_OP_USHR:
      return shifted(w, i, c, lane);
   case HD_OP_U2U:
      return (known_of(w, i, 0, c, lane) | ~size_mask(i->srcs[0].bits)) & size_mask(i->dst.bits);
   case HD_OP_SELECT:
   case HD_OP_CHANNEL:
      return chosen(w, i, c, lane);
   case HD_OP_PACK_64_2X32:
   case HD_OP_PACK_64_4X16:
   case HD_OP_PACK_32_2X16:
   case HD_OP_PACK_32_4X8:
      return packed(w, &i->srcs[0], lane);
   case HD_OP_UNPACK_64_2X32:
   case HD_OP_UNPACK_64_4X16:
   case HD_OP_UNPACK_32_2X16:
   case HD_OP_UNPACK_32_4X8:
      return known_of(w, i, 0, 0, lane) >> c * i->dst.bits & size_mask(i->dst.bits);
   default:
      return 0;
   }
}

static void
follow_alu(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      hd_wave_mask *undef = undef_of(w, &i->dst, c);
      for (unsigned k = 0; k < w->count; k++) {
         const unsigned l = w->lanes[k];
         if (!mask_has(*undef, l))
            continue;
         const uint64_t known = known_result(w, i, c, l);
         *part_of(w, &i->dst, c, l) = known;
         if (known == size_mask(i->dst.bits))
            mask_remove(undef, l);
      }
   }
}

/* Of an access to a variable that was made: its index is defined and in range. */
static void
follow_var(hd_wave *w, const hd_code_instr *i)
{
   const bool load = i->instr->kind == HD_INSTR_LOAD_VAR;
   const hd_operand *value = load ? &i->dst : &i->srcs[0];
   const hd_operand *index = i->num_srcs > (load ? 0u : 1u) ? &i->srcs[i->num_srcs - 1] : NULL;

   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      const uint64_t element = index ? row_of(w, index, 0)[l] : 0;
      const hd_operand var = {
         .row = i->var_row + (uint32_t)element * value->num_components,
         .num_components = value->num_components,
         .bits = value->bits,
      };
      for (unsigned c = 0; c < value->num_components; c++) {
         const hd_operand *from = load ? &var : value, *to = load ? value : &var;
         *part_of(w, to, c, l) = hd_wave_known_bits(w, from, c, l);
      }
   }
}

void
hd_wave_follow_parts(hd_wave *w, const hd_code_instr *i)
{
   if (i->instr->kind == HD_INSTR_ALU)
      follow_alu(w, i);
   else if (i->instr->kind == HD_INSTR_LOAD_VAR || i->instr->kind == HD_INSTR_STORE_VAR)
      follow_var(w, i);
}

/* Phis: what is known of all sources before the first is written. */

uint64_t *
hd_wave_read_parts(hd_wave *w, const hd_code_edge *edge)
{
   const size_t width = w->run->width;
   size_t rows = 0, at = 0;

   for (uint32_t n = 0; n < edge->num_copies; n++)
      rows += edge->copies[n].dst.num_components;
   uint64_t *known = hd_stack_alloc(&w->stack, array_size(rows, width * sizeof(*known)) + 1);
   for (uint32_t n = 0; n < edge->num_copies; n++) {
      for (unsigned c = 0; c < edge->copies[n].dst.num_components; c++) {
         for (unsigned l = 0; l < width; l++)
            known[at++] = hd_wave_known_bits(w, &edge->copies[n].src, c, l);
      }
   }
   return known;
}

void
hd_wave_write_parts(hd_wave *w, const hd_code_edge *edge, hd_wave_mask lanes, const uint64_t *known)
{
   for (uint32_t n = 0; n < edge->num_copies; n++) {
      for (unsigned c = 0; c < edge->copies[n].dst.num_components; c++) {
         for (unsigned l = 0; l < w->run->width; l++, known++) {
            if (mask_has(lanes, l))
               *part_of(w, &edge->copies[n].dst, c, l) = *known;
         }
      }
   }
}
