/* SPDX-License-Identifier: MIT */
/* link_distances.c - clip and cull distances that a fragment shader reads are outputs with locations besides.
 *
 *    store_clip_distance %d, 1          store_clip_distance %d, 1     store_output %d, 0 location=5 component=1
 *    %v = load_clip_distance 1    =>    %w = barycentric              %v = load_interpolated %w, 0 location=5 component=1
 *
 * No chip hands a fragment shader what it clips with. Locations behind all that the two shaders use are taken, one for four
 * distances. Where the number of a distance is not constant, or there are too few locations, nothing is changed.
 *
 * Tests:     tests/passes/test_link.c
 */
#include "passes/link_parts.h"

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/link.h"
#include "passes/pass.h"

#define MAX_DISTANCES 8u /* of a kind */

enum { CLIP, CULL, NUM_KINDS };

struct distances {
   bool read[NUM_KINDS * MAX_DISTANCES];
   bool unknown;
   uint32_t end;   /* of the locations that are used */
   uint32_t first; /* location */
   hd_result result;
};

static const hd_intrinsic_id loads[] = { HD_INTRINSIC_LOAD_CLIP_DISTANCE,
                                         HD_INTRINSIC_LOAD_CULL_DISTANCE };
static const hd_intrinsic_id stores[] = { HD_INTRINSIC_STORE_CLIP_DISTANCE,
                                          HD_INTRINSIC_STORE_CULL_DISTANCE };

/* The distance that it reads or stores, of all kinds; a number too high: one that is not known. False: none. */
static bool
distance_of(const hd_instr *instr, const hd_intrinsic_id ids[NUM_KINDS], unsigned *n)
{
   const hd_intrinsic *i = hd_instr_as_intrinsic((hd_instr *)instr);

   for (unsigned kind = 0; i && kind < NUM_KINDS; kind++) {
      if (instr->op != ids[kind])
         continue;
      const hd_const *c = hd_src_as_const(&i->src[ids == stores ? 1 : 0]);
      *n = c && c->value[0].u32 < MAX_DISTANCES ? kind * MAX_DISTANCES + c->value[0].u32
                                                : NUM_KINDS * MAX_DISTANCES;
      return true;
   }
   return false;
}

/* The locations that it names; indices that are not constant are seen by linking itself. */
static void
note_location(struct distances *d, const hd_instr *instr)
{
   const hd_intrinsic *i = hd_instr_as_intrinsic((hd_instr *)instr);
   const hd_intrinsic_info *info = i ? hd_instr_intrinsic_info(instr) : NULL;

   if (!info || !info->slots[HD_INDEX_LOCATION])
      return;
   const hd_const *c = hd_src_as_const(&i->src[info->num_srcs - 1]);
   const uint64_t end =
       (uint64_t)hd_intrinsic_index(i, HD_INDEX_LOCATION) + (c ? c->value[0].u32 : 0) + 1;
   d->end = end > d->end ? end > UINT32_MAX ? UINT32_MAX : (uint32_t)end : d->end;
}

static void
look(struct distances *d, const hd_shader *shader, const hd_intrinsic_id ids[NUM_KINDS])
{
   unsigned n;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            note_location(d, i);
            if (!distance_of(i, ids, &n))
               continue;
            d->unknown |= n == NUM_KINDS * MAX_DISTANCES;
            if (ids == loads && !d->unknown)
               d->read[n] = true;
         }
      }
   }
}

static void
change_load(struct distances *d, hd_instr *i, unsigned n)
{
   hd_builder b = hd_builder_at(hd_before_instr(i));
   hd_def *zero = hd_imm_u32(&b, 0);
   hd_def *at = hd_barycentric(&b, HD_INTERP_SMOOTH, HD_INTERP_AT_CENTER);
   hd_def *value =
       hd_load_interpolated(&b, at, zero, 1, 32, d->first + n / 4, n % 4, HD_ACCESS_SPECULATABLE);

   d->result = b.result;
   if (b.result != HD_OK)
      return;
   hd_def_replace_uses(&i->def, value);
   hd_instr_remove(i);
}

static void
repeat_store(struct distances *d, hd_instr *i, unsigned n)
{
   hd_builder b = hd_builder_at(hd_before_instr(i));

   if (!d->read[n])
      return;
   hd_def *zero = hd_imm_u32(&b, 0);
   hd_store_output(&b, hd_instr_src(i, 0)->def, zero, d->first + n / 4, n % 4, false);
   d->result = b.result;
}

static void
change(struct distances *d, hd_shader *shader, const hd_intrinsic_id ids[NUM_KINDS])
{
   unsigned n;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr_safe(i, b) {
            if (d->result != HD_OK || !distance_of(i, ids, &n))
               continue;
            if (ids == loads)
               change_load(d, i, n);
            else
               repeat_store(d, i, n);
         }
      }
      hd_progress(f, true, HD_META_GRAPH);
   }
}

hd_result
hd_link_distances(hd_shader *vertex, hd_shader *fragment)
{
   struct distances d = { .result = HD_OK };
   bool any = false;

   look(&d, fragment, loads);
   look(&d, vertex, stores);
   for (unsigned n = 0; n < NUM_KINDS * MAX_DISTANCES; n++)
      any |= d.read[n];
   d.first = d.end;
   if (!any || d.unknown || d.end + NUM_KINDS * MAX_DISTANCES / 4 > HD_LINK_MAX_LOCATIONS)
      return HD_OK;
   change(&d, vertex, stores);
   if (d.result == HD_OK)
      change(&d, fragment, loads);
   return d.result;
}
