/* SPDX-License-Identifier: MIT */
/* stage.c - inputs and outputs of graphics stages, draw parameters, rasteriser inputs: all in memory of the
 * launch.
 */
#include <inttypes.h>

#include "heddle/intrinsic_enum.h"
#include "wave/bytes.h"

/* Number in the dispatch. */
static uint64_t
invocation_of(const hd_wave *w, unsigned lane)
{
   const hd_wave_run_state *run = w->run;

   return (uint64_t)run->workgroup_index * run->group_lanes + (uint64_t)w->number * run->width +
          lane;
}

/* Record `number` of inputs or outputs: 16 bytes a location, 4 a component (8 where it has
 * more than 32 bits), the records one after the other.
 */
static struct place
locate_record(hd_wave *w, const hd_code_instr *i, unsigned lane, hd_bytes *bytes, uint64_t number,
              uint32_t num_locations, const hd_operand *index, unsigned c, unsigned bits)
{
   const unsigned step = bits == 64 ? 8 : 4;
   const uint64_t location = intrinsic_index(i, HD_INDEX_LOCATION) + row_of(w, index, 0)[lane];
   const uint64_t at =
       location * 16 + intrinsic_index(i, HD_INDEX_COMPONENT) * 4 + (uint64_t)c * step;
   const uint64_t record = (uint64_t)num_locations * 16;

   if (mask_has(*undef_of(w, index, 0), lane))
      hd_wave_fault(w, i->instr, lane, "an undefined index of a location");
   if (at > record || record - at < step)
      hd_wave_fault(w, i->instr, lane, "location %" PRIu64 ", expected one below %u",
                    location + c * step / 16, num_locations);
   if (bytes->size / record <= number)
      hd_wave_fault(w, i->instr, lane, "there is no record of invocation %" PRIu64,
                    invocation_of(w, lane));
   return (struct place){ bytes, bytes->data + number * record + at, number * record + at };
}

void
hd_wave_load_input(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      for (unsigned c = 0; c < i->dst.num_components; c++) {
         const struct place p =
             locate_record(w, i, l, &w->run->inputs, invocation_of(w, l),
                           w->run->launch->num_input_locations, &i->srcs[0], c, i->dst.bits);
         set_component(w, i, c, l, get_number(p.data, i->dst.bits / 8),
                       is_undefined(&p, i->dst.bits / 8));
      }
   }
}

/* p0 + i (p1 - p0) + j (p2 - p0): differences are rounded, and each product with its sum. */
static uint64_t
interpolate(unsigned bits, const uint64_t corner[3], uint64_t x, uint64_t y)
{
   const hd_round r = HD_ROUND_NEAREST_EVEN;
   uint64_t p[3];

   for (unsigned n = 0; n < 3; n++)
      p[n] = hd_float_convert(bits, 32, corner[n], r);
   const uint64_t first = hd_float_fma(32, x, hd_float_sub(32, p[1], p[0], r), p[0], r);
   const uint64_t sum = hd_float_fma(32, y, hd_float_sub(32, p[2], p[0], r), first, r);
   return hd_float_convert(32, bits, sum, r);
}

void
hd_wave_load_interpolated(hd_wave *w, const hd_code_instr *i)
{
   const hd_operand *barycentric = &i->srcs[0];
   const unsigned bits = i->dst.bits;

   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      const bool known =
          !mask_has(*undef_of(w, barycentric, 0), l) && !mask_has(*undef_of(w, barycentric, 1), l);
      for (unsigned c = 0; c < i->dst.num_components; c++) {
         uint64_t corner[3];
         bool undefined = !known;
         for (unsigned n = 0; n < 3; n++) {
            const struct place p =
                locate_record(w, i, l, &w->run->corners, invocation_of(w, l) * 3 + n,
                              w->run->launch->num_input_locations, &i->srcs[1], c, bits);
            corner[n] = get_number(p.data, bits / 8);
            undefined |= is_undefined(&p, bits / 8);
         }
         set_component(
             w, i, c, l,
             interpolate(bits, corner, row_of(w, barycentric, 0)[l], row_of(w, barycentric, 1)[l]),
             undefined);
      }
   }
}

void
hd_wave_store_output(hd_wave *w, const hd_code_instr *i)
{
   const hd_operand *value = &i->srcs[0];
   hd_bytes *to =
       intrinsic_index(i, HD_INDEX_DUAL_SOURCE) ? &w->run->second_outputs : &w->run->outputs;

   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (mask_has(w->helper, l))
         continue;
      for (unsigned c = 0; c < value->num_components; c++) {
         struct place p =
             locate_record(w, i, l, to, invocation_of(w, l), w->run->launch->num_output_locations,
                           &i->srcs[1], c, value->bits);
         put_number(p.data, value->bits / 8, row_of(w, value, c)[l]);
         set_undefined(w, &p, value->bits / 8, mask_has(*undef_of(w, value, c), l));
         wrote(w, i, l, c, &p, value->bits / 8);
      }
   }
}

/* Given values: 4 bytes a component; of distances, eight. */

#define NUM_DISTANCES 8u

static bool
is_same_given(const hd_wave_builtin *g, const hd_code_instr *i)
{
   return g->id == (hd_intrinsic_id)i->instr->op &&
          g->interp_mode == intrinsic_index(i, HD_INDEX_INTERP_MODE) &&
          g->interp_location == intrinsic_index(i, HD_INDEX_INTERP_LOCATION);
}

static hd_bytes *
find_given(const hd_wave_run_state *run, const hd_code_instr *i)
{
   for (uint32_t n = 0; n < run->launch->num_given; n++) {
      if (is_same_given(&run->launch->given[n], i))
         return &run->given[n];
   }
   return NULL;
}

bool
hd_wave_is_given(const hd_wave_run_state *run, const hd_code_instr *i)
{
   return find_given(run, i) != NULL;
}

/* `index`: which one of several distances, or NULL. */
static struct place
locate_given(hd_wave *w, const hd_code_instr *i, unsigned lane, unsigned components,
             const hd_operand *index)
{
   hd_bytes *bytes = find_given(w->run, i);
   const uint64_t number = index ? row_of(w, index, 0)[lane] : 0;
   const uint64_t invocation = invocation_of(w, lane);
   const uint64_t record = (uint64_t)(index ? NUM_DISTANCES : components) * 4;
   const uint64_t at = invocation * record + number * 4;

   if (index && mask_has(*undef_of(w, index, 0), lane))
      hd_wave_fault(w, i->instr, lane, "the number of a distance is undefined");
   if (number >= NUM_DISTANCES)
      hd_wave_fault(w, i->instr, lane, "distance %" PRIu64 " of %u", number, NUM_DISTANCES);
   if ((invocation + 1) * record > bytes->size)
      hd_wave_fault(w, i->instr, lane, "there is no value for invocation %" PRIu64, invocation);
   return (struct place){ bytes, bytes->data + at, at };
}

void
hd_wave_load_given(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned k = 0; k < w->count; k++) {
      struct place p =
          locate_given(w, i, w->lanes[k], i->dst.num_components, i->num_srcs ? &i->srcs[0] : NULL);
      for (unsigned c = 0; c < i->dst.num_components; c++, p.data += 4, p.at += 4) {
         const uint64_t value = get_number(p.data, 4);
         set_component(w, i, c, w->lanes[k], i->dst.bits == 1 ? value != 0 : value,
                       is_undefined(&p, 4));
      }
   }
}

void
hd_wave_store_given(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (mask_has(w->helper, l))
         continue;
      const hd_operand *value = &i->srcs[0];
      struct place p =
          locate_given(w, i, l, value->num_components, i->num_srcs > 1 ? &i->srcs[1] : NULL);
      for (unsigned c = 0; c < value->num_components; c++, p.data += 4, p.at += 4) {
         put_number(p.data, 4, row_of(w, value, c)[l]);
         set_undefined(w, &p, 4, mask_has(*undef_of(w, value, c), l));
         wrote(w, i, l, c, &p, 4);
      }
   }
}

/* Barycentric coordinates of another place: the launch is asked. */
void
hd_wave_barycentric_at(hd_wave *w, const hd_code_instr *i)
{
   const hd_operand *place = &i->srcs[0];
   const bool is_sample = i->instr->op == HD_INTRINSIC_BARYCENTRIC_AT_SAMPLE;

   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      hd_wave_barycentric at = {
         .invocation = invocation_of(w, l),
         .interp_mode = (uint32_t)intrinsic_index(i, HD_INDEX_INTERP_MODE),
         .is_sample = is_sample,
      };
      bool undefined = false;
      uint32_t out[2];
      for (unsigned c = 0; c < place->num_components; c++)
         undefined |= mask_has(*undef_of(w, place, c), l);
      if (is_sample && undefined)
         hd_wave_fault(w, i->instr, l, "the number of a sample is undefined");
      if (is_sample)
         at.sample = (uint32_t)row_of(w, place, 0)[l];
      for (unsigned c = 0; c < 2 && !is_sample; c++)
         at.offset[c] = (uint32_t)row_of(w, place, c)[l];
      if (!w->run->launch->barycentric_at(w->run->launch->barycentric_user, &at, out))
         hd_wave_fault(w, i->instr, l, "sample %u does not exist", at.sample);
      for (unsigned c = 0; c < 2; c++)
         set_component(w, i, c, l, out[c], undefined);
   }
}
