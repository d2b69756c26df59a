/* SPDX-License-Identifier: MIT */
/* stage.c - instruction selection of vertex and fragment shaders: which of their intrinsics goes where, and
 * which parameters there are.
 */
#include "backend/gcn/select/stage.h"

#include <stdlib.h>

#include "heddle/intrinsic_enum.h"

static bool
is_output(hd_intrinsic_id id)
{
   switch (id) {
   case HD_INTRINSIC_STORE_OUTPUT:
   case HD_INTRINSIC_STORE_POSITION:
   case HD_INTRINSIC_STORE_POINT_SIZE:
   case HD_INTRINSIC_STORE_CLIP_DISTANCE:
   case HD_INTRINSIC_STORE_CULL_DISTANCE:
   case HD_INTRINSIC_STORE_LAYER:
   case HD_INTRINSIC_STORE_VIEWPORT_INDEX:
   case HD_INTRINSIC_STORE_DEPTH:
   case HD_INTRINSIC_STORE_STENCIL:
   case HD_INTRINSIC_STORE_SAMPLE_MASK:
      return true;
   default:
      return false;
   }
}

bool
hd_gcn_is_stage(const hd_intrinsic *i)
{
   return i->instr.op >= HD_INTRINSIC_LOAD_INPUT && i->instr.op <= HD_INTRINSIC_DEMOTE_IF;
}

/* Parameters */

static bool
add_parameter(hd_gcn_selector *s, const hd_intrinsic *i, uint32_t location, bool flat)
{
   hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;
   const unsigned n = hd_gcn_parameter_of(s, location);

   if (n == HD_GCN_MAX_PARAMETERS)
      return hd_mach_refuse(s->p, &i->instr, "expected at most %u parameters, found more",
                            HD_GCN_MAX_PARAMETERS);
   if (n == g->num_parameters)
      g->parameters[g->num_parameters++] = (hd_gcn_parameter){ location, 0, true };
   g->parameters[n].flat &= flat;
   return true;
}

/* The location, or what takes the place of one, of an input of a fragment shader. */
static bool
input_of(hd_gcn_selector *s, const hd_intrinsic *i, uint32_t *location, bool *flat)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr.op;

   *flat = id != HD_INTRINSIC_LOAD_INTERPOLATED && id != HD_INTRINSIC_POINT_COORD;
   switch (id) {
   case HD_INTRINSIC_LOAD_INPUT:
      return hd_gcn_location_of(s, i, &i->src[0], location);
   case HD_INTRINSIC_LOAD_INTERPOLATED:
      return hd_gcn_location_of(s, i, &i->src[1], location);
   case HD_INTRINSIC_PRIMITIVE_ID:
      *location = HD_GCN_PARAMETER_PRIMITIVE_ID;
      return true;
   case HD_INTRINSIC_POINT_COORD:
      *location = HD_GCN_PARAMETER_POINT_COORD;
      return true;
   case HD_INTRINSIC_VIEWPORT_INDEX:
      *location = HD_GCN_PARAMETER_VIEWPORT_INDEX;
      return true;
   default:
      *location = UINT32_MAX;
      return true;
   }
}

/* Of 64 bits a location more is named where the value does not end in the first. */
static bool
find_parameter(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const bool store = i->instr.op == HD_INTRINSIC_STORE_OUTPUT;
   const hd_def *value = store ? i->src[0].def : &i->instr.def;
   bool flat = false;
   uint32_t location = UINT32_MAX;

   if (store ? !hd_gcn_location_of(s, i, &i->src[1], &location) : !input_of(s, i, &location, &flat))
      return false;
   if (location == UINT32_MAX)
      return true;
   const unsigned end = (store || i->instr.op == HD_INTRINSIC_LOAD_INPUT ||
                                 i->instr.op == HD_INTRINSIC_LOAD_INTERPOLATED
                             ? hd_intrinsic_index(i, HD_INDEX_COMPONENT)
                             : 0) +
                        value->num_components * (value->bit_size == 64 ? 2u : 1u);
   for (unsigned n = 0; n * 4 < end; n++) {
      if (!add_parameter(s, i, location + n, flat))
         return false;
   }
   return true;
}

static int
by_location(const void *a, const void *b)
{
   const hd_gcn_parameter *x = a, *y = b;

   return x->location < y->location ? -1 : x->location > y->location;
}

/* Outputs, all in one block, and how many they are. */
static bool
count_output(hd_gcn_selector *s, const hd_intrinsic *i, const hd_block *b)
{
   hd_gcn_stage_state *state = s->stage;

   if (state->last && state->last != b)
      return hd_mach_refuse(
          s->p, &i->instr,
          "expected all outputs in one block, found them in several: run lower_outputs");
   state->last = b;
   state->outputs.left++;
   return true;
}

/* Do lanes end without a colour? */
static bool
kills(const hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_jump *jump = hd_instr_as_jump(i);
            if ((jump && jump->instr.op == HD_JUMP_HALT) ||
                (i->kind == HD_INSTR_INTRINSIC &&
                 hd_instr_intrinsic_info(i)->flags & HD_EFFECT_DEMOTE))
               return true;
         }
      }
   }
   return false;
}

bool
hd_gcn_stage_start(hd_gcn_selector *s)
{
   const bool vertex = s->p->shader->stage == HD_STAGE_VERTEX;
   hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;

   g->uses_discard = !vertex && kills(hd_gcn_of(s->p)->source);
   s->stage = hd_stack_alloc_zero(s->p->stack, sizeof(*s->stage));
   hd_foreach_block(b, s->p->function) {
      hd_foreach_instr(instr, b) {
         const hd_intrinsic *i = hd_instr_as_intrinsic(instr);
         if (!i || i->instr.op >= HD_INTRINSIC_OWN || !hd_block_is_reachable(b))
            continue;
         s->instr = instr;
         if (is_output((hd_intrinsic_id)i->instr.op) && !count_output(s, i, b))
            return false;
         const bool parameter = vertex ? i->instr.op == HD_INTRINSIC_STORE_OUTPUT
                                       : hd_gcn_is_stage(i) && instr->def.uses;
         if (parameter && !find_parameter(s, i))
            return false;
      }
   }
   if (g->num_parameters)
      qsort(g->parameters, g->num_parameters, sizeof(g->parameters[0]), by_location);
   return true;
}

bool
hd_gcn_select_stage(hd_gcn_selector *s, const hd_intrinsic *i)
{
   if (is_output((hd_intrinsic_id)i->instr.op))
      return hd_gcn_select_output(s, i);
   return s->p->shader->stage == HD_STAGE_VERTEX ? hd_gcn_select_vertex(s, i)
                                                 : hd_gcn_select_fragment(s, i);
}
