/* SPDX-License-Identifier: MIT */
/* usage.c - which inputs, outputs and features a shader of a draw uses. */
#include "heddle/intrinsic_enum.h"
#include "raster/raster.h"

_Static_assert(HD_NUM_INTRINSICS <= MAX_INTRINSICS, "struct usage has each");

/* The locations of an access: the first, and the one after the last. */
static void
find_locations(const hd_intrinsic *i, const hd_src *index, const hd_def *value, uint32_t *first,
               uint32_t *end)
{
   const hd_const *c = hd_src_as_const(index);
   const uint32_t component = hd_intrinsic_index(i, HD_INDEX_COMPONENT);
   const uint32_t words = component + value->num_components * (value->bit_size == 64 ? 2u : 1u);
   const uint64_t at =
       (uint64_t)hd_intrinsic_index(i, HD_INDEX_LOCATION) + (c ? c->value[0].u32 : 0);
   const uint64_t past = c ? at + (words + 3) / 4 : HD_RASTER_MAX_LOCATIONS;

   *first = at < HD_RASTER_MAX_LOCATIONS ? (uint32_t)at : HD_RASTER_MAX_LOCATIONS;
   *end = past < HD_RASTER_MAX_LOCATIONS ? (uint32_t)past : HD_RASTER_MAX_LOCATIONS;
}

static void
note_output(struct usage *u, const hd_intrinsic *i)
{
   const bool second = hd_intrinsic_index(i, HD_INDEX_DUAL_SOURCE);
   uint32_t first, end;

   find_locations(i, &i->src[1], i->src[0].def, &first, &end);
   u->second |= second;
   if (end > u->num_outputs)
      u->num_outputs = end;
   for (uint32_t n = first; n < end; n++) {
      (second ? u->stored_second : u->stored)[n] = true;
      u->bits[n] = i->src[0].def->bit_size;
   }
}

static void
note_input(struct usage *u, const hd_intrinsic *i, const hd_src *index)
{
   uint32_t first, end;

   find_locations(i, index, &i->instr.def, &first, &end);
   if (end > u->num_inputs)
      u->num_inputs = end;
}

static void
note_intrinsic(struct usage *u, const hd_intrinsic *i)
{
   u->ids[i->instr.op] = true;
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_STORE_OUTPUT:
      note_output(u, i);
      break;
   case HD_INTRINSIC_LOAD_INPUT:
      note_input(u, i, &i->src[0]);
      break;
   case HD_INTRINSIC_LOAD_INTERPOLATED:
      note_input(u, i, &i->src[1]);
      break;
   case HD_INTRINSIC_BARYCENTRIC: {
      const uint32_t mode = hd_intrinsic_index(i, HD_INDEX_INTERP_MODE) & 1;
      const uint32_t location = hd_intrinsic_index(i, HD_INDEX_INTERP_LOCATION) % 3;
      u->barycentric[mode][location] = true;
      u->per_sample |= location == HD_INTERP_AT_SAMPLE;
      break;
   }
   case HD_INTRINSIC_BARYCENTRIC_AT_OFFSET:
   case HD_INTRINSIC_BARYCENTRIC_AT_SAMPLE:
      u->elsewhere[hd_intrinsic_index(i, HD_INDEX_INTERP_MODE) & 1] = true;
      break;
   case HD_INTRINSIC_SAMPLE_ID:
   case HD_INTRINSIC_SAMPLE_POS:
      u->per_sample = true;
      break;
   default:
      break;
   }
}

void
hd_raster_find_usage(struct raster *r, hd_shader *shader, struct usage *u)
{
   *u = (struct usage){ 0 };
   if (!shader)
      return;
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            hd_heap_step(&r->heap, 1);
            if (i->kind == HD_INSTR_INTRINSIC && i->op < HD_NUM_INTRINSICS)
               note_intrinsic(u, (const hd_intrinsic *)i);
         }
      }
   }
}
