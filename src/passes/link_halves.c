/* SPDX-License-Identifier: MIT */
/* link_halves.c - outputs and inputs of 16 bits between two stages are of 32.
 *
 *    store_output %h, 0 location=1         %f = f2f %h                  store_output %f, 0 location=1
 *    %a:16 = load_interpolated %w, 0  =>   %b:32 = load_interpolated    %a:16 = f2f %b
 *
 * The fragment shader says what a component is: one that is interpolated is a float, one that is not is bits. Where it is
 * both, or the stages do not agree on the size, nothing is changed.
 *
 * Tests:     tests/passes/test_link.c
 */
#include "passes/link_parts.h"

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/link.h"
#include "ir/intrinsic_index.h"
#include "passes/pass.h"

#define SLOTS (HD_LINK_MAX_LOCATIONS * 4)

enum { FLAT = 1, INTERPOLATED = 2, STORED = 4, WIDER = 8 };

struct halves {
   uint8_t slots[SLOTS];
   bool any;
   hd_result result;
};

/* The constant index of an access between the stages, whose slots are known; NULL: it is none. */
static const hd_src *
index_of(const hd_instr *instr)
{
   const hd_stage stage = hd_block_function(instr->block)->shader->stage;
   hd_intrinsic *i = hd_instr_as_intrinsic((hd_instr *)instr);

   if (!i)
      return NULL;
   if (stage == HD_STAGE_VERTEX)
      return instr->op == HD_INTRINSIC_STORE_OUTPUT ? &i->src[1] : NULL;
   return instr->op == HD_INTRINSIC_LOAD_INPUT          ? &i->src[0]
          : instr->op == HD_INTRINSIC_LOAD_INTERPOLATED ? &i->src[1]
                                                        : NULL;
}

static unsigned
first_slot(const hd_instr *i, const hd_src *index)
{
   const hd_intrinsic *access = hd_instr_as_intrinsic((hd_instr *)i);

   return (hd_intrinsic_index(access, HD_INDEX_LOCATION) + hd_src_as_const(index)->value[0].u32) *
              4 +
          hd_intrinsic_index(access, HD_INDEX_COMPONENT);
}

static const hd_def *
value_of(const hd_instr *i)
{
   return i->op == HD_INTRINSIC_STORE_OUTPUT ? hd_instr_src((hd_instr *)i, 0)->def : &i->def;
}

static void
note(struct halves *h, const hd_instr *i, const hd_src *index)
{
   const hd_def *value = value_of(i);
   const unsigned first = first_slot(i, index),
                  num = value->num_components * (value->bit_size == 64 ? 2u : 1u);
   const unsigned kind = value->bit_size != 16                     ? WIDER
                         : i->op == HD_INTRINSIC_STORE_OUTPUT      ? STORED
                         : i->op == HD_INTRINSIC_LOAD_INTERPOLATED ? INTERPOLATED
                                                                   : FLAT;

   for (unsigned n = 0; n < num; n++)
      h->slots[first + n] |= (uint8_t)kind;
   h->any |= value->bit_size == 16;
}

static bool
agrees(const struct halves *h)
{
   for (unsigned n = 0; n < SLOTS; n++) {
      const unsigned kinds = h->slots[n];
      if ((kinds & WIDER && kinds != WIDER) || (kinds & FLAT && kinds & INTERPOLATED))
         return false;
   }
   return true;
}

static void
widen_store(struct halves *h, hd_instr *i, const hd_src *index)
{
   hd_builder b = hd_builder_at(hd_before_instr(i));
   hd_def *value = hd_instr_src(i, 0)->def, *parts[HD_MAX_COMPONENTS];
   const unsigned first = first_slot(i, index);

   for (unsigned n = 0; n < value->num_components; n++) {
      hd_def *part = value->num_components > 1 ? hd_build_channel(&b, value, n) : value;
      parts[n] = h->slots[first + n] & INTERPOLATED ? hd_f2f(&b, part, 32) : hd_u2u(&b, part, 32);
   }
   hd_def *wide =
       value->num_components > 1 ? hd_build_vec(&b, value->num_components, parts) : parts[0];
   h->result = b.result;
   if (b.result == HD_OK)
      hd_src_set_def(hd_instr_src(i, 0), wide);
}

static void
widen_load(struct halves *h, hd_instr *i, const hd_src *index)
{
   const hd_intrinsic *load = hd_instr_as_intrinsic(i);
   const uint32_t location = hd_intrinsic_index(load, HD_INDEX_LOCATION),
                  component = hd_intrinsic_index(load, HD_INDEX_COMPONENT),
                  access = hd_intrinsic_index(load, HD_INDEX_ACCESS);
   const unsigned num = i->def.num_components;
   hd_builder b = hd_builder_at(hd_before_instr(i));
   hd_def *half;

   if (i->op == HD_INTRINSIC_LOAD_INPUT) {
      hd_def *wide = hd_load_input(&b, index->def, num, 32, location, component, access);
      half = hd_u2u(&b, wide, 16);
   } else {
      hd_def *wide = hd_load_interpolated(&b, hd_instr_src(i, 0)->def, index->def, num, 32,
                                          location, component, access);
      half = hd_f2f(&b, wide, 16);
   }
   h->result = b.result;
   if (b.result != HD_OK)
      return;
   hd_def_replace_uses(&i->def, half);
   hd_instr_remove(i);
}

static void
each(struct halves *h, hd_shader *shader,
     void (*act)(struct halves *h, hd_instr *i, const hd_src *index))
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr_safe(i, b) {
            const hd_src *index = index_of(i);
            if (index && value_of(i)->bit_size == 16 && h->result == HD_OK)
               act(h, i, index);
         }
      }
      hd_progress(f, true, HD_META_GRAPH);
   }
}

static void
look(struct halves *h, const hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_src *index = index_of(i);
            if (index)
               note(h, i, index);
         }
      }
   }
}

hd_result
hd_link_halves(hd_shader *vertex, hd_shader *fragment)
{
   struct halves h = { .result = HD_OK };

   look(&h, vertex);
   look(&h, fragment);
   if (!h.any || !agrees(&h))
      return HD_OK;
   each(&h, vertex, widen_store);
   if (h.result == HD_OK)
      each(&h, fragment, widen_load);
   return h.result;
}
