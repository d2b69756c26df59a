/* SPDX-License-Identifier: MIT */
/* bytes.h - numbers in memory, and which bytes of it are undefined. */
#ifndef HEDDLE_WAVE_BYTES_H
#define HEDDLE_WAVE_BYTES_H

#include "wave/wave.h"

/* Some bytes of memory; data is NULL where a buffer or an image has none. */
struct place {
   hd_bytes *bytes;
   uint8_t *data;
   uint64_t at; /* in bytes->undefined */
};

/* Little-endian numbers; the sizes are apart so that each is one access of the host. */

static inline uint64_t
get_number(const uint8_t *p, unsigned size)
{
   const uint32_t low = p[0];

   if (size == 1)
      return low;
   if (size == 2)
      return low | (uint32_t)p[1] << 8;
   const uint32_t word = low | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
   if (size == 4)
      return word;
   return word | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
          (uint64_t)p[7] << 56;
}

static inline void
put_number(uint8_t *p, unsigned size, uint64_t value)
{
   p[0] = (uint8_t)value;
   if (size >= 2)
      p[1] = (uint8_t)(value >> 8);
   if (size >= 4) {
      p[2] = (uint8_t)(value >> 16);
      p[3] = (uint8_t)(value >> 24);
   }
   for (unsigned n = 4; n < size; n++)
      p[n] = (uint8_t)(value >> 8 * n);
}

static inline bool
is_undefined(const struct place *p, unsigned size)
{
   return p->bytes->undefined && get_number(p->bytes->undefined + p->at, size) != 0;
}

/* The bits of a number that nobody wrote. Whatever is not 0 in the shadow says a whole byte. */
static inline uint64_t
undefined_bits(const struct place *p, unsigned size)
{
   uint64_t bits = 0;

   for (unsigned n = 0; is_undefined(p, size) && n < size; n++) {
      if (p->bytes->undefined[p->at + n])
         bits |= UINT64_C(0xff) << 8 * n;
   }
   return bits;
}

/* The shadow of what was given without one is made when it is first needed. */
static inline void
set_undefined_bits(hd_wave *w, struct place *p, unsigned size, uint64_t undefined)
{
   if (!p->bytes->undefined) {
      if (!undefined)
         return;
      p->bytes->undefined = hd_stack_alloc_zero(&w->run->stack, p->bytes->size);
   }
   put_number(p->bytes->undefined + p->at, size, undefined);
}

static inline void
set_undefined(hd_wave *w, struct place *p, unsigned size, bool undefined)
{
   set_undefined_bits(w, p, size, undefined ? UINT64_MAX : 0);
}

/* Tell who listens. */
static inline void
wrote(const hd_wave *w, const hd_code_instr *i, unsigned lane, unsigned component,
      const struct place *p, unsigned size)
{
   const hd_wave_launch *launch = w->run->launch;

   if (!launch->wrote)
      return;
   const hd_wave_write write = {
      .workgroup = w->run->workgroup_index,
      .wave = w->number,
      .lane = lane,
      .instr = i->instr,
      .component = component,
      .data = p->data,
      .size = size,
   };
   launch->wrote(launch->user, &write);
}

/* memory.c: one lane's part of an atomic, on a place that exists. A swap compares with `compare`.
 */
void hd_wave_change(hd_wave *w, const hd_code_instr *i, struct place *p, unsigned lane,
                    const hd_operand *compare, const hd_operand *data);

#endif
