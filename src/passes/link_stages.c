/* SPDX-License-Identifier: MIT */
/* link_stages.c - outputs of a vertex shader and inputs of a fragment shader made to fit: link.h.
 *
 * A slot is a component of a location; a 64-bit number takes two. All is found in passes over the two shaders.
 *
 * Tests:     tests/passes/test_link.c
 */
#include "heddle/link.h"

#include "heddle/build.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "ir/intrinsic_index.h"
#include "passes/pass.h"

#define SLOTS (HD_LINK_MAX_LOCATIONS * 4)

struct slot {
   bool read;
   uint8_t stores; /* of the vertex shader: 0, 1 or 2 for more */
   bool constant;  /* the store is one of 32 bits of a constant: */
   uint32_t number;
};

struct link {
   struct slot slots[SLOTS];
   bool unknown; /* an access whose place is not known */
   hd_link_report report;
};

/* An access between the stages: its first slot, and how many. */
struct access {
   hd_intrinsic *i;
   const hd_src *value;
   hd_src *index;
   unsigned first, num;
   bool known;
};

static bool
find_access(hd_instr *instr, struct access *a)
{
   hd_intrinsic *i = hd_instr_as_intrinsic(instr);
   const hd_stage stage =
       instr->block ? hd_block_function(instr->block)->shader->stage : HD_NUM_STAGES;

   *a = (struct access){ .i = i };
   if (!i)
      return false;
   if (stage == HD_STAGE_VERTEX && instr->op == HD_INTRINSIC_STORE_OUTPUT) {
      a->value = &i->src[0];
      a->index = &i->src[1];
   } else if (stage == HD_STAGE_FRAGMENT && instr->op == HD_INTRINSIC_LOAD_INPUT) {
      a->index = &i->src[0];
   } else if (stage == HD_STAGE_FRAGMENT && instr->op == HD_INTRINSIC_LOAD_INTERPOLATED) {
      a->index = &i->src[1];
   } else {
      return false;
   }
   const hd_def *def = a->value ? a->value->def : hd_instr_def(instr);
   const hd_const *index = hd_src_as_const(a->index);
   const uint64_t location =
       (uint64_t)hd_intrinsic_index(i, HD_INDEX_LOCATION) + (index ? index->value[0].u32 : 0);
   const uint32_t component = hd_intrinsic_index(i, HD_INDEX_COMPONENT);
   a->num = def->num_components * (def->bit_size == 64 ? 2u : 1u);
   a->known = index && location < HD_LINK_MAX_LOCATIONS && component + a->num <= 4;
   a->first = a->known ? (unsigned)location * 4 + component : 0;
   return true;
}

/* What is done with each access of a shader. */
static void
each_access(struct link *l, hd_shader *shader, void (*act)(struct link *l, struct access *a))
{
   struct access a;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr_safe(i, b) {
            if (find_access(i, &a))
               act(l, &a);
         }
      }
   }
}

static void
note_read(struct link *l, struct access *a)
{
   l->unknown |= !a->known;
   for (unsigned n = 0; a->known && n < a->num; n++)
      l->slots[a->first + n].read = true;
}

/* Component n of a value of 32 bits, if it is a constant or made of one. */
static bool
is_constant(const hd_src *value, unsigned n, uint32_t *number)
{
   hd_instr *i = hd_def_instr(value->def);

   if (value->def->bit_size != 32)
      return false;
   const bool vector = i->kind == HD_INSTR_ALU && i->op == HD_OP_VEC;
   const hd_const *c = hd_src_as_const(vector ? hd_instr_src(i, n) : value);

   if (!c)
      return false;
   *number = c->value[vector ? 0 : n].u32;
   return true;
}

static void
note_store(struct link *l, struct access *a)
{
   l->unknown |= !a->known;
   for (unsigned n = 0; a->known && n < a->num; n++) {
      struct slot *slot = &l->slots[a->first + n];
      slot->stores += slot->stores < 2;
      slot->constant = slot->stores == 1 && is_constant(a->value, n, &slot->number);
   }
}

/* Between equal vertices nothing else comes out: the number is finite, and a sum with +0 leaves it as it is. */
static bool
interpolates_to_itself(uint32_t number)
{
   return (number >> 23 & 0xff) != 0xff && number != UINT32_C(0x80000000);
}

static void
fold_load(struct link *l, struct access *a)
{
   hd_instr *i = &a->i->instr;
   hd_def *def = hd_instr_def(i);
   const bool interpolated = i->op == HD_INTRINSIC_LOAD_INTERPOLATED;
   hd_const_value values[HD_MAX_COMPONENTS] = { 0 };

   for (unsigned n = 0; n < a->num; n++) {
      const struct slot *slot = &l->slots[a->first + n];
      if (def->bit_size != 32 || slot->stores != 1 || !slot->constant ||
          (interpolated && !interpolates_to_itself(slot->number)))
         return;
      values[n].u32 = slot->number;
   }
   hd_builder b = hd_builder_at(hd_before_instr(i));
   hd_def *constant = hd_imm(&b, def->num_components, 32, values);
   if (b.result != HD_OK)
      return;
   hd_def_replace_uses(def, constant);
   hd_instr_remove(i);
   l->report.inputs_constant++;
}

static void
remove_store(struct link *l, struct access *a)
{
   for (unsigned n = 0; n < a->num; n++) {
      if (l->slots[a->first + n].read)
         return;
   }
   hd_instr_remove(&a->i->instr);
   l->report.outputs_removed++;
}

static void
count_before(struct link *l, struct access *a)
{
   for (unsigned n = 0; n < a->num; n++)
      l->slots[a->first + n].read = true;
}

static uint32_t
used_locations(const struct link *l, uint32_t below)
{
   uint32_t count = 0;

   for (uint32_t n = 0; n < below; n++)
      count += l->slots[4 * n].read || l->slots[4 * n + 1].read || l->slots[4 * n + 2].read ||
               l->slots[4 * n + 3].read;
   return count;
}

static void
set_location(struct access *a, uint32_t location)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&a->i->instr);

   hd_intrinsic_indices(a->i)[info->slots[HD_INDEX_LOCATION] - 1] = location;
}

/* The location says it all. */
static void
fold_index(struct link *l, struct access *a)
{
   if (hd_src_as_const(a->index)->value[0].u32) {
      hd_builder b = hd_builder_at(hd_before_instr(&a->i->instr));
      hd_def *zero = hd_imm_u32(&b, 0);
      l->unknown |= b.result != HD_OK;
      if (b.result != HD_OK)
         return;
      hd_src_set_def(a->index, zero);
      set_location(a, a->first / 4);
   }
}

static void
renumber(struct link *l, struct access *a)
{
   set_location(a, used_locations(l, a->first / 4));
}

static void
pack(struct link *l, hd_shader *vertex, hd_shader *fragment)
{
   memset(l->slots, 0, sizeof(l->slots));
   each_access(l, vertex, count_before);
   each_access(l, fragment, count_before);
   const uint32_t used = used_locations(l, HD_LINK_MAX_LOCATIONS);
   l->report.num_locations = used;
   each_access(l, vertex, fold_index);
   each_access(l, fragment, fold_index);
   if (l->unknown)
      return; /* no memory: they fit as they are */
   each_access(l, vertex, renumber);
   each_access(l, fragment, renumber);
}

hd_result
hd_link_stages(hd_shader *vertex, hd_shader *fragment, hd_link_report *report)
{
   struct link l;

   if (vertex->stage != HD_STAGE_VERTEX || fragment->stage != HD_STAGE_FRAGMENT)
      return HD_INVALID;
   memset(&l, 0, sizeof(l));
   each_access(&l, fragment, note_read);
   each_access(&l, vertex, note_store);
   if (!l.unknown) {
      uint32_t before;
      for (unsigned n = 0; n < SLOTS; n++)
         l.slots[n].read |= l.slots[n].stores != 0;
      before = used_locations(&l, HD_LINK_MAX_LOCATIONS);
      each_access(&l, fragment, fold_load);
      for (unsigned n = 0; n < SLOTS; n++)
         l.slots[n].read = false;
      each_access(&l, fragment, note_read);
      each_access(&l, vertex, remove_store);
      pack(&l, vertex, fragment);
      l.report.linked = true;
      l.report.locations_removed = before - l.report.num_locations;
      hd_foreach_function(f, vertex)
         hd_progress(f, true, HD_META_GRAPH);
      hd_foreach_function(f, fragment)
         hd_progress(f, true, HD_META_GRAPH);
   } else {
      l.unknown = false; /* nothing is changed */
   }
   if (l.unknown)
      return HD_OUT_OF_MEMORY;
   if (report)
      *report = l.report;
   return HD_OK;
}
