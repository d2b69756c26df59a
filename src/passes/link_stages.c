/* SPDX-License-Identifier: MIT */
/* link_stages.c - outputs of a vertex shader and inputs of a fragment shader made to fit: link.h.
 *
 * A slot is a component of a location; a 64-bit number takes two. All is found in passes over the two shaders. First
 * variables become SSA values, and accesses of 32-bit vectors one for each component that is used, so that each slot is
 * looked at by itself:
 *
 *    store_output %v, %0 location=4          %x = channel %v, 0     store_output %x, %0 location=4
 *                                     =>     %y = channel %v, 1     store_output %y, %0 location=4 component=1
 *
 * What is left is packed: four components to a location, those that are interpolated apart from those that are not,
 * which a machine tells by location. Locations with numbers of other sizes stay together.
 *
 * Tests:     tests/passes/test_link.c
 */
#include "heddle/link.h"

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/pass.h"
#include "passes/link_parts.h"
#include "passes/pass.h"

#define SLOTS (HD_LINK_MAX_LOCATIONS * 4)

/* How a slot is accessed. */
enum { FLAT = 1, INTERPOLATED = 2, WIDE = 4 };

struct slot {
   bool read;
   uint8_t stores; /* of the vertex shader: 0, 1 or 2 for more */
   bool constant;  /* the store is one of 32 bits of a constant: */
   uint32_t number;
   uint8_t kinds;       /* FLAT, INTERPOLATED, WIDE: of all accesses */
   const hd_def *value; /* of the only store, if it is of 32 bits: this component of this value */
   uint32_t component;
   const hd_block *block; /* where it is stored */
   uint32_t place;        /* the slot that takes its place */
};

struct link {
   struct slot slots[SLOTS];
   bool unknown; /* an access whose place is not known */
   bool failed;  /* no memory */
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

/* What is done with each access of a shader, backwards: users, which may be removed, come first. */
static void
each_access(struct link *l, hd_shader *shader, void (*act)(struct link *l, struct access *a))
{
   struct access a;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr_rev_safe(i, b) {
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
   const hd_def *def = hd_instr_def(&a->i->instr);
   const unsigned kind = (a->i->instr.op == HD_INTRINSIC_LOAD_INPUT ? FLAT : INTERPOLATED) |
                         (a->num > 1 || def->bit_size != 32 ? WIDE : 0);
   for (unsigned n = 0; a->known && n < a->num; n++) {
      l->slots[a->first + n].read = true;
      l->slots[a->first + n].kinds |= (uint8_t)kind;
   }
}

/* Components apart */

static bool
is_part(const hd_instr *i, uint32_t *component)
{
   const hd_const *index = i->kind == HD_INSTR_ALU && i->op == HD_OP_CHANNEL
                               ? hd_src_as_const(hd_instr_src((hd_instr *)i, 1))
                               : NULL;

   if (index)
      *component = index->value[0].u32;
   return index && *component < hd_instr_src((hd_instr *)i, 0)->def->num_components;
}

static bool
is_split(const struct access *a)
{
   const hd_def *def = a->value ? a->value->def : hd_instr_def(&a->i->instr);

   return a->known && def->bit_size == 32 && def->num_components > 1;
}

static void
split_store(struct link *l, struct access *a)
{
   hd_builder b = hd_builder_at(hd_before_instr(&a->i->instr));
   hd_def *vector = a->value->def;
   hd_instr *made = hd_def_instr(vector);
   const hd_const *constant = hd_src_as_const(a->value);

   if (!is_split(a))
      return;
   for (unsigned n = 0; n < a->num; n++) {
      hd_def *part;
      if (constant) {
         part = hd_imm_u32(&b, constant->value[n].u32);
      } else if (made->kind == HD_INSTR_ALU && made->op == HD_OP_VEC) {
         part = hd_instr_src(made, n)->def;
      } else {
         hd_def *index = hd_imm_u32(&b, n);
         part = hd_channel(&b, vector, index);
      }
      hd_store_output(&b, part, a->index->def, hd_intrinsic_index(a->i, HD_INDEX_LOCATION),
                      hd_intrinsic_index(a->i, HD_INDEX_COMPONENT) + n, false);
   }
   l->failed |= b.result != HD_OK;
   if (b.result == HD_OK)
      hd_instr_remove(&a->i->instr);
}

static hd_def *
load_part(hd_builder *b, const struct access *a, unsigned n)
{
   const uint32_t location = hd_intrinsic_index(a->i, HD_INDEX_LOCATION),
                  component = hd_intrinsic_index(a->i, HD_INDEX_COMPONENT) + n,
                  access = hd_intrinsic_index(a->i, HD_INDEX_ACCESS);

   if (a->i->instr.op == HD_INTRINSIC_LOAD_INPUT)
      return hd_load_input(b, a->index->def, 1, 32, location, component, access);
   return hd_load_interpolated(b, a->i->src[0].def, a->index->def, 1, 32, location, component,
                               access);
}

static void
split_load(struct link *l, struct access *a)
{
   hd_builder b = hd_builder_at(hd_before_instr(&a->i->instr));
   hd_def *def = hd_instr_def(&a->i->instr), *parts[4] = { NULL };
   bool whole = false;
   uint32_t c;

   if (!is_split(a))
      return;
   hd_foreach_use(use, def)
      whole |= !is_part(hd_src_instr(use), &c);
   hd_foreach_use_safe(use, def) {
      hd_instr *user = hd_src_instr(use);
      if (!is_part(user, &c))
         continue;
      parts[c] = parts[c] ? parts[c] : load_part(&b, a, c);
      if (b.result != HD_OK)
         break;
      hd_def_replace_uses(hd_instr_def(user), parts[c]);
      hd_instr_remove(user);
   }
   for (c = 0; whole && c < def->num_components && b.result == HD_OK; c++)
      parts[c] = parts[c] ? parts[c] : load_part(&b, a, c);
   if (whole && b.result == HD_OK) {
      hd_def *vector = hd_vec(&b, def->num_components, parts);
      if (b.result == HD_OK)
         hd_def_replace_uses(def, vector);
   }
   l->failed |= b.result != HD_OK;
   if (b.result == HD_OK)
      hd_instr_remove(&a->i->instr);
}

static void
split(struct link *l, struct access *a)
{
   if (a->value)
      split_store(l, a);
   else
      split_load(l, a);
}

/* What is read and stored */

/* Whose component a value's component is, as far as that is seen. */
static const hd_def *
find_origin(const hd_def *def, uint32_t *component)
{
   const hd_instr *i = hd_def_instr(def);
   uint32_t c;

   /* Each step goes to an instruction before. */
   for (; i->kind == HD_INSTR_ALU; i = hd_def_instr(def)) {
      if (i->op == HD_OP_VEC) {
         def = hd_instr_src((hd_instr *)i, *component)->def;
         *component = 0;
      } else if (is_part(i, &c)) {
         def = hd_instr_src((hd_instr *)i, 0)->def;
         *component = c;
      } else {
         break;
      }
   }
   return def;
}

/* Phis in a row that are looked through, and the ways of each. */
#define MOST_PHIS 4u

/* Component n of a value of 32 bits, if it is a constant, on all ways the same. */
static bool
is_constant(const hd_def *def, uint32_t n, unsigned phis, uint32_t *number)
{
   if (def->bit_size != 32)
      return false;
   def = find_origin(def, &n);
   hd_instr *i = hd_def_instr(def);
   if (i->kind == HD_INSTR_CONST) {
      *number = ((const hd_const *)i)->value[n].u32;
      return true;
   }
   const uint32_t ways = hd_instr_num_srcs(i);
   if (i->kind != HD_INSTR_PHI || phis == MOST_PHIS || !ways || ways > MOST_PHIS)
      return false;
   for (uint32_t k = 0; k < ways; k++) {
      uint32_t other;
      if (!is_constant(hd_instr_src(i, k)->def, n, phis + 1, &other) || (k && other != *number))
         return false;
      *number = other;
   }
   return true;
}

static void
note_store(struct link *l, struct access *a)
{
   const bool wide = a->num > 1 || a->value->def->bit_size != 32;

   l->unknown |= !a->known;
   if (a->known && !wide) {
      struct slot *slot = &l->slots[a->first];
      slot->block = a->i->instr.block;
      slot->component = 0;
      slot->value = find_origin(a->value->def, &slot->component);
   }
   for (unsigned n = 0; a->known && n < a->num; n++) {
      struct slot *slot = &l->slots[a->first + n];
      slot->stores += slot->stores < 2;
      slot->kinds |= wide ? WIDE : 0;
      slot->constant = slot->stores == 1 && is_constant(a->value->def, n, 0, &slot->number);
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

/* Slots with the same value become one */

static bool
holds_same(const struct slot *a, const struct slot *b)
{
   return a->stores == 1 && b->stores == 1 && a->kinds == b->kinds && !(a->kinds & WIDE) &&
          a->kinds != (FLAT | INTERPOLATED) && a->value == b->value &&
          a->component == b->component && a->block == b->block;
}

static void
find_same(struct link *l)
{
   for (unsigned n = 0; n < SLOTS; n++) {
      struct slot *slot = &l->slots[n];
      slot->place = n;
      for (unsigned k = 0; slot->read && k < n; k++) {
         if (l->slots[k].read && l->slots[k].place == k && holds_same(slot, &l->slots[k])) {
            slot->place = k;
            break;
         }
      }
   }
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
      l->failed |= b.result != HD_OK;
      if (b.result != HD_OK)
         return;
      hd_src_set_def(a->index, zero);
      set_location(a, a->first / 4);
   }
}

static void
move(struct link *l, struct access *a)
{
   const uint32_t place = l->slots[a->first].place;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&a->i->instr);

   set_location(a, place / 4);
   hd_intrinsic_indices(a->i)[info->slots[HD_INDEX_COMPONENT] - 1] = place % 4;
}

/* FLAT or INTERPOLATED, where components of the location may go elsewhere; else 0. */
static unsigned
kind_of_location(const struct link *l, uint32_t location)
{
   unsigned kinds = 0;

   for (unsigned n = 0; n < 4; n++)
      kinds |= l->slots[4 * location + n].kinds;
   return kinds == FLAT || kinds == INTERPOLATED ? kinds : 0;
}

/* Whole locations first, then components of either kind. Returns how many locations there are. */
static uint32_t
find_places(struct link *l)
{
   uint32_t location = 0;

   for (uint32_t n = 0; n < HD_LINK_MAX_LOCATIONS; n++) {
      struct slot *slots = &l->slots[4 * n];
      if (kind_of_location(l, n) ||
          !(slots[0].read || slots[1].read || slots[2].read || slots[3].read))
         continue;
      for (unsigned c = 0; c < 4; c++)
         slots[c].place = 4 * location + c;
      location++;
   }
   for (unsigned kind = FLAT; kind <= INTERPOLATED; kind++) {
      uint32_t num = 0;
      for (uint32_t n = 0; n < SLOTS; n++) {
         if (l->slots[n].read && kind_of_location(l, n / 4) == kind)
            l->slots[n].place = 4 * location + num++;
      }
      location += (num + 3) / 4;
   }
   return location;
}

static void
forget(struct link *l)
{
   memset(l->slots, 0, sizeof(l->slots));
}

static void
pack(struct link *l, hd_shader *vertex, hd_shader *fragment)
{
   each_access(l, vertex, fold_index);
   each_access(l, fragment, fold_index);
   if (l->failed)
      return;
   forget(l);
   each_access(l, fragment, note_read);
   each_access(l, vertex, note_store);
   find_same(l);
   each_access(l, fragment, move);
   forget(l);
   each_access(l, fragment, note_read);
   each_access(l, vertex, note_store);
   each_access(l, vertex, remove_store);
   /* What is only stored is no more; what is only read is undefined, but has a place. */
   l->report.num_locations = find_places(l);
   each_access(l, vertex, move);
   each_access(l, fragment, move);
}

/* Variables are values, and what nothing uses is gone, unreachable code with it: it may be all that reads an input.
 * Components are apart, so that equal ones are found; products of matrices are only seen before.
 */
static hd_result
prepare(hd_shader *shader)
{
   hd_pass_list list = { .allocator = hd_shader_config(shader)->allocator };
   const hd_diag_sink *diag = &hd_shader_config(shader)->diag;

   hd_result result = hd_pass_list_parse(
       &list,
       "opt_vars_split,opt_vars_to_ssa,opt_sccp(divide=0),opt_dead_cf,opt_matrix_chain,"
       "lower_vectors(pairs=0),opt_algebraic,opt_cse,opt_dce",
       *diag);
   if (result == HD_OK)
      result = hd_run_passes(shader, list.steps, list.num_steps, NULL, NULL);
   hd_pass_list_finish(&list);
   return result;
}

static void
finish(hd_shader *shader)
{
   hd_foreach_function(f, shader)
      hd_progress(f, true, HD_META_GRAPH);
}

/* Accesses are known, the shaders prepared. */
static void
link_known(struct link *l, hd_shader *vertex, hd_shader *fragment)
{
   uint32_t before;

   forget(l);
   each_access(l, fragment, count_before);
   each_access(l, vertex, count_before);
   before = used_locations(l, HD_LINK_MAX_LOCATIONS);
   each_access(l, fragment, split);
   each_access(l, vertex, split);
   forget(l);
   each_access(l, fragment, note_read);
   each_access(l, vertex, note_store);
   if (!l->failed)
      each_access(l, fragment, fold_load);
   forget(l);
   each_access(l, fragment, note_read);
   each_access(l, vertex, note_store);
   each_access(l, vertex, remove_store);
   if (!l->failed)
      pack(l, vertex, fragment);
   l->report.linked = true;
   l->report.locations_removed =
       before > l->report.num_locations ? before - l->report.num_locations : 0;
   finish(vertex);
   finish(fragment);
}

hd_result
hd_link_stages(hd_shader *vertex, hd_shader *fragment, hd_link_report *report)
{
   struct link l;
   hd_result result = HD_OK;

   if (vertex->stage != HD_STAGE_VERTEX || fragment->stage != HD_STAGE_FRAGMENT)
      return HD_INVALID;
   memset(&l, 0, sizeof(l));
   each_access(&l, fragment, note_read);
   each_access(&l, vertex, note_store);
   if (!l.unknown) {
      result = prepare(vertex);
      if (result == HD_OK)
         result = prepare(fragment);
      if (result == HD_OK)
         result = hd_link_distances(vertex, fragment);
      if (result == HD_OK)
         link_known(&l, vertex, fragment);
      if (l.failed)
         result = HD_OUT_OF_MEMORY;
   }
   if (report && result == HD_OK)
      *report = l.report;
   return result;
}
