/* SPDX-License-Identifier: MIT */
/* own.c - a driver's own intrinsics: the interface for their callbacks. */
#include <inttypes.h>

#include "wave/bytes.h"
#include "wave/handlers.h"

struct hd_own_call {
   hd_wave *w;
   const hd_code_instr *i;
   hd_wave_mask lanes;
   hd_wave_mask poisoned; /* what they get and store is undefined */
   bool failed;
   unsigned fault_lane;
   char fault[200];
};

static bool
must_be_uniform(const hd_code_instr *i, unsigned n)
{
   const unsigned flags = i->info->src[n].flags;

   return flags & HD_OPERAND_UNIFORM ||
          (flags & HD_OPERAND_DESCRIPTOR &&
           !(intrinsic_index(i, HD_INDEX_ACCESS) & HD_ACCESS_NONUNIFORM));
}

static void
check_uniform(hd_wave *w, const hd_code_instr *i, unsigned n, unsigned c, hd_wave_mask lanes)
{
   const uint64_t *row = row_of(w, &i->srcs[n], c);
   const hd_wave_mask known = mask_without(lanes, *undef_of(w, &i->srcs[n], c));
   const unsigned first = hd_wave_mask_first(known);

   for (unsigned l = first; l < w->run->width; l++) {
      if (mask_has(known, l) && row[l] != row[first])
         hd_wave_fault(w, i->instr, l,
                       "operand %u is %" PRIu64 ", but in lane %u %" PRIu64 ": it must be uniform",
                       n, row[l], first, row[first]);
   }
}

/* What is asked of the operands. The lanes of which one is undefined. */
static hd_wave_mask
check_operands(hd_wave *w, const hd_code_instr *i, hd_wave_mask lanes)
{
   hd_wave_mask undefined = mask_none();

   for (unsigned n = 0; n < i->num_srcs; n++) {
      for (unsigned c = 0; c < i->srcs[n].num_components; c++) {
         const hd_wave_mask bad = mask_and(*undef_of(w, &i->srcs[n], c), lanes);
         if (mask_any(bad) && i->info->src[n].flags & HD_OPERAND_DEFINED)
            hd_wave_fault(w, i->instr, hd_wave_mask_first(bad), "operand %u is undefined", n);
         if (must_be_uniform(i, n))
            check_uniform(w, i, n, c, lanes);
         undefined = mask_or(undefined, bad);
      }
   }
   return undefined;
}

void
hd_wave_own(hd_wave *w, const hd_code_instr *i)
{
   const hd_own_intrinsic *own = hd_shader_own_intrinsic(w->run->shader, i->instr->op);
   const hd_config *config = hd_shader_config(w->run->shader);
   hd_own_call call = { .w = w, .i = i, .lanes = w->active };

   if (i->info->helpers == HD_HELPER_SKIP)
      call.lanes = mask_without(call.lanes, w->helper);
   const hd_wave_mask undefined = check_operands(w, i, call.lanes);
   if (!(i->info->flags & HD_CROSS_LANE))
      call.poisoned = undefined;
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      for (unsigned k = 0; k < w->count; k++)
         set_component(w, i, c, w->lanes[k], 0, true);
   }
   if (mask_any(call.lanes))
      own->run(config->intrinsics->user, &call);
   if (call.failed)
      hd_wave_fault(w, i->instr, call.fault_lane, "%s: %s", i->info->name, call.fault);
   if (i->info->flags & HD_EFFECT_DEMOTE)
      hd_wave_end_lanes(w, mask_none()); /* all of them, if only helpers are left */
}

/* What callbacks can do */

const hd_intrinsic *
hd_own_call_instr(const hd_own_call *call)
{
   return (const hd_intrinsic *)call->i->instr;
}

uint32_t
hd_own_call_index(const hd_own_call *call, hd_index index)
{
   return (unsigned)index < HD_NUM_INDICES ? intrinsic_index(call->i, index) : 0;
}

unsigned
hd_own_call_width(const hd_own_call *call)
{
   return call->w->run->width;
}

hd_wave_mask
hd_own_call_lanes(const hd_own_call *call)
{
   return call->lanes;
}

hd_wave_mask
hd_own_call_helpers(const hd_own_call *call)
{
   return mask_and(call->lanes, call->w->helper);
}

void
hd_own_call_fault(hd_own_call *call, unsigned lane, const char *message)
{
   if (call->failed)
      return;
   call->failed = true;
   call->fault_lane = lane;
   snprintf(call->fault, sizeof(call->fault), "%s", message);
}

/* Lanes that do not run it have no operands and get nothing. */
static bool
takes_part(hd_own_call *call, unsigned lane)
{
   return lane < call->w->run->width && mask_has(call->lanes, lane);
}

uint64_t
hd_own_call_src(const hd_own_call *call, unsigned operand, unsigned component, unsigned lane,
                bool *defined)
{
   const hd_operand *o = operand < call->i->num_srcs ? &call->i->srcs[operand] : NULL;
   const bool there = o && component < o->num_components && lane < call->w->run->width &&
                      mask_has(call->lanes, lane);

   if (defined)
      *defined = there && !mask_has(*undef_of(call->w, o, component), lane);
   return there ? row_of(call->w, o, component)[lane] : 0;
}

void
hd_own_call_set(hd_own_call *call, unsigned component, unsigned lane, uint64_t value)
{
   const hd_operand *dst = &call->i->dst;

   if (component >= dst->num_components || !takes_part(call, lane) ||
       mask_has(call->poisoned, lane))
      return;
   set_component(call->w, call->i, component, lane, value & size_mask(dst->bits), false);
}

/* The bytes of an access, if the row speaks of it. */
static bool
find(hd_own_call *call, unsigned lane, hd_memory_class memory, uint64_t address, unsigned size,
     unsigned classes, struct place *place)
{
   const bool known = memory == HD_MEMORY_GLOBAL || memory == HD_MEMORY_BUFFER ||
                      memory == HD_MEMORY_SHARED || memory == HD_MEMORY_SCRATCH ||
                      memory == HD_MEMORY_PUSH || memory == HD_MEMORY_KERNARG ||
                      memory == HD_MEMORY_CONSTANT;

   if (!takes_part(call, lane))
      return false;
   if (!known || !(classes & memory)) {
      hd_own_call_fault(call, lane, "it accesses memory of a class that its row does not list");
      return false;
   }
   if (!hd_wave_find_bytes(call->w, call->i, memory, lane, address, size, place)) {
      hd_own_call_fault(call, lane, "it accesses an address at which there is no memory");
      return false;
   }
   return true;
}

bool
hd_own_call_load(hd_own_call *call, unsigned lane, hd_memory_class memory, uint64_t address,
                 void *data, unsigned size, bool *defined)
{
   struct place place;

   memset(data, 0, size);
   if (defined)
      *defined = true;
   if (!find(call, lane, memory, address, size, call->i->info->reads, &place))
      return false;
   for (unsigned n = 0; place.data && n < size; n++) {
      if (defined && place.bytes->undefined && place.bytes->undefined[place.at + n])
         *defined = false;
   }
   if (place.data)
      memcpy(data, place.data, size);
   return true;
}

bool
hd_own_call_store(hd_own_call *call, unsigned lane, hd_memory_class memory, uint64_t address,
                  const void *data, unsigned size)
{
   struct place place;

   if (!find(call, lane, memory, address, size, call->i->info->writes, &place))
      return false;
   if (!place.data)
      return true;
   for (unsigned n = 0; n < size; n++) {
      struct place byte = { place.bytes, place.data + n, place.at + n };
      place.data[n] = ((const uint8_t *)data)[n];
      set_undefined(call->w, &byte, 1, mask_has(call->poisoned, lane));
   }
   wrote(call->w, call->i, lane, 0, &place, size);
   return true;
}

void
hd_own_call_demote(hd_own_call *call, unsigned lane)
{
   if (takes_part(call, lane) && call->i->info->flags & HD_EFFECT_DEMOTE)
      mask_add(&call->w->helper, lane);
}
