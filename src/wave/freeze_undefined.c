/* SPDX-License-Identifier: MIT */
/* freeze_undefined.c - arbitrary but fixed values for undefined ones, if the launch sets freeze_undefined. Then
 * no undefined bit is ever set, and readers need not check.
 *
 * Each source of undefinedness gets a value of its own: an `undef`, 8 bytes of memory, a variable of a
 * lane, a lane's component of a result.
 */
#include "util/mix.h"
#include "wave/wave.h"

/* Where places of these sorts begin; those of `undef` begin at 0. */
#define PLACE_RESULT (UINT64_C(1) << 62)
#define PLACE_MEMORY (UINT64_C(1) << 63)

uint64_t
hd_wave_frozen(const hd_wave_run_state *run, uint64_t place)
{
   const uint64_t value = run->launch->undef_value;

   /* The first `undef` is what the launch says, and two numbers are all there is. */
   if (!place || value == 0 || value == UINT64_MAX)
      return value;
   return hd_mix(value + place * HD_MIX_STEP);
}

void
hd_wave_freeze_bytes(hd_wave_run_state *run, uint8_t *data, uint8_t *undefined, uint64_t size)
{
   uint64_t number = 0;

   for (uint64_t n = 0; n < size; n++) {
      if (n % 8 == 0)
         number = hd_wave_frozen(run, PLACE_MEMORY + run->num_settled++);
      if (undefined && !undefined[n])
         continue;
      data[n] = (uint8_t)(number >> n % 8 * 8);
      if (undefined)
         undefined[n] = 0;
   }
}

void
hd_wave_freeze_variables(hd_wave *w, hd_frame *f)
{
   hd_wave_run_state *run = w->run;
   uint64_t *row = f->rows + (size_t)f->code->first_var_row * run->width;

   hd_foreach_var(v, f->code->function) {
      const uint64_t rows = (uint64_t)(v->array_length ? v->array_length : 1) * v->num_components;
      for (uint64_t n = 0; n < rows * run->width; n++)
         *row++ = hd_wave_frozen(run, PLACE_MEMORY + run->num_settled++) & size_mask(v->bit_size);
   }
}

void
hd_wave_freeze_result(hd_wave *w, const hd_code_instr *i, unsigned c, unsigned lane)
{
   const bool uniform = i->info->divergence == HD_DIVERGENCE_UNIFORM;
   const uint64_t place =
       (w->run->stats.instructions << 16 | c << 8 | (uniform ? HD_WAVE_MAX_LANES : lane)) %
       PLACE_RESULT;

   row_of(w, &i->dst, c)[lane] =
       hd_wave_frozen(w->run, PLACE_RESULT + place) & size_mask(i->dst.bits);
}
