/* SPDX-License-Identifier: MIT */
/* bytes.h - numbers in memory, and the shadow of undefined bytes. */
#ifndef HEDDLE_WAVE_BYTES_H
#define HEDDLE_WAVE_BYTES_H

#include "util/bytes.h"
#include "wave/wave.h"

/* Some bytes of memory; data is NULL where a buffer or an image has none. */
struct place {
   hd_bytes *bytes;
   uint8_t *data;
   uint64_t at; /* in bytes->undefined */
};

/* Where bytes of a class of memory are that a lane asks for by an address; data is NULL past the end
 * of a buffer. False: there is no such memory. memory.c
 */
bool hd_wave_find_bytes(hd_wave *w, const hd_code_instr *i, hd_memory_class memory, unsigned lane,
                        uint64_t address, uint64_t size, struct place *place);

static inline bool
is_undefined(const struct place *p, unsigned size)
{
   return p->bytes->undefined && get_number(p->bytes->undefined + p->at, size) != 0;
}

/* The undefined bits of a number. Whatever is not 0 in the shadow says a whole byte. */
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

/* Report to the observer. */
static inline void
wrote(const hd_wave *w, const hd_code_instr *i, unsigned lane, unsigned component,
      const struct place *p, unsigned size)
{
   const hd_wave_launch *launch = w->run->launch;

   if (!launch->on_write)
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
   launch->on_write(launch->user, &write);
}

/* memory.c: one lane's part of an atomic, on a place that exists. A swap compares with `compare`.
 */
void hd_wave_change(hd_wave *w, const hd_code_instr *i, struct place *p, unsigned lane,
                    const hd_operand *compare, const hd_operand *data);

#endif
