/* SPDX-License-Identifier: MIT */
/* stage.c - inputs and outputs of vertex and fragment shaders.
 *
 * They are variables of the function: inputs are loaded at its start, outputs stored at its one end, those parts of
 * them that anything was stored to. So all that is done with locals can be done with them: dynamic indices, matrices,
 * copies. What nobody needs goes with other dead code. A lane that halts (OpKill) stores no outputs.
 *
 * Built-in inputs that are a scalar or a vector are computed where they are read: invocation.c.
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "spirv/body.h"

/* What decorations say of a variable or of a member of its block. */
struct io {
   int32_t builtin; /* or -1 */
   uint32_t location, component, index;
   bool located; /* it has a location */
   bool flat, noperspective, centroid, sample;
};

struct walk {
   const struct spirv_variable *variable;
   struct spirv_local *local;
   /* Called for each leaf: a scalar or vector, `element` counts those of an array around it. */
   void (*leaf)(struct spirv *s, const struct walk *w, const struct spirv_type *t,
                const struct io *io, uint32_t var, uint32_t element);
};

/* Decorations */

static void
check_decorations(struct spirv *s, uint32_t id, int32_t member)
{
   static const struct {
      uint32_t decoration;
      const char *name;
   } refused[] = {
      { SPV_DECORATION_PER_VERTEX_KHR, "PerVertexKHR" },
      { SPV_DECORATION_EXPLICIT_INTERP_AMD, "ExplicitInterpAMD" },
      { SPV_DECORATION_PER_PRIMITIVE_EXT, "PerPrimitiveEXT" },
      { SPV_DECORATION_PATCH, "Patch" },
   };

   for (unsigned n = 0; n < sizeof(refused) / sizeof(refused[0]); n++) {
      if (hd_spirv_decoration(s, id, member, refused[n].decoration))
         hd_spirv_unsupported(s, "an input or output with the decoration %s", refused[n].name);
   }
}

static void
read_number(struct spirv *s, uint32_t id, int32_t member, uint32_t decoration, uint32_t *to,
            bool *found)
{
   const struct spirv_decoration *d = hd_spirv_decoration(s, id, member, decoration);

   if (d)
      *to = s->words[d->word];
   if (d && found)
      *found = true;
}

/* Added to the decorations of the block around it. */
static struct io
decorations_of(struct spirv *s, uint32_t id, int32_t member, struct io io)
{
   uint32_t builtin = 0;
   bool has_builtin = false;

   read_number(s, id, member, SPV_DECORATION_LOCATION, &io.location, &io.located);
   read_number(s, id, member, SPV_DECORATION_COMPONENT, &io.component, NULL);
   read_number(s, id, member, SPV_DECORATION_INDEX, &io.index, NULL);
   read_number(s, id, member, SPV_DECORATION_BUILT_IN, &builtin, &has_builtin);
   if (has_builtin)
      io.builtin = (int32_t)builtin;
   io.flat |= hd_spirv_decoration(s, id, member, SPV_DECORATION_FLAT) != NULL;
   io.noperspective |= hd_spirv_decoration(s, id, member, SPV_DECORATION_NO_PERSPECTIVE) != NULL;
   io.centroid |= hd_spirv_decoration(s, id, member, SPV_DECORATION_CENTROID) != NULL;
   io.sample |= hd_spirv_decoration(s, id, member, SPV_DECORATION_SAMPLE) != NULL;
   return io;
}

/* Walking: recursion is as deep as types are, SPIRV_MAX_DEPTH. */
static void
visit(struct spirv *s, const struct walk *w, const struct spirv_type *t, struct io io, uint32_t var,
      uint32_t element)
{
   hd_heap_step(s->heap, 1);
   if (io.location > SPIRV_MAX_LOCATIONS)
      hd_spirv_unsupported(s, "a location above %u", SPIRV_MAX_LOCATIONS);
   switch (t->kind) {
   case TYPE_MATRIX:
   case TYPE_ARRAY: {
      const uint32_t step = t->element->locations;
      for (uint32_t n = 0; n < t->length; n++) {
         visit(s, w, t->element, io, var, element * t->length + n);
         io.location += step;
      }
      return;
   }
   case TYPE_STRUCT:
      for (uint32_t n = 0; n < t->length; n++) {
         struct io part = decorations_of(s, t->id, (int32_t)n, io);
         check_decorations(s, t->id, (int32_t)n);
         visit(s, w, t->members[n].type, part, var + t->members[n].first_var, element);
         /* Without locations of their own members follow each other. */
         io.location = part.location + t->members[n].type->locations;
         io.located = part.located;
      }
      return;
   default:
      if (!hd_spirv_type_is_leaf(t) || (io.builtin < 0 && (t->bits < 16 || t->components > 4)))
         hd_spirv_unsupported(s, "an input or output of this type");
      if (io.builtin < 0 && !io.located)
         hd_spirv_invalid(s, "an input or output has no location");
      if (io.component > 3)
         hd_spirv_invalid(s, "component %u of a location", io.component);
      w->leaf(s, w, t, &io, var, element);
      return;
   }
}

static void
walk(struct spirv *s, const struct walk *w)
{
   const struct spirv_variable *v = w->variable;
   const struct io io = decorations_of(s, v->id, -1, (struct io){ .builtin = -1 });

   check_decorations(s, v->id, -1);
   visit(s, w, v->type, io, 0, 0);
}

static hd_def *
element_index(struct spirv *s, const struct walk *w, uint32_t var, uint32_t element)
{
   return w->local->vars[var]->array_length ? hd_imm_u32(&s->b, element) : NULL;
}

/* 64-bit vectors of 3 and 4 components go on in the next location. */
static unsigned
fits(const struct spirv_type *t)
{
   return t->bits == 64 && t->components > 2 ? 2 : t->components;
}

/* Inputs */

static bool
is_flat(const struct spirv *s, const struct spirv_type *t, const struct io *io)
{
   return s->shader->stage == HD_STAGE_VERTEX || io->flat || !t->is_float || t->bits == 64;
}

/* Inputs and outputs of 16 bits have 32 between the stages: a float is converted, of an integer the low half counts. */
static unsigned
bits_of(const struct spirv_type *t)
{
   return t->bits == 16 ? 32 : t->bits;
}

static hd_def *
narrowed(struct spirv *s, const struct spirv_type *t, hd_def *def)
{
   if (t->bits != 16)
      return def;
   return t->is_float ? hd_f2f(&s->b, def, 16) : hd_u2u(&s->b, def, 16);
}

static hd_def *
widened(struct spirv *s, const struct spirv_type *t, hd_def *def)
{
   if (t->bits != 16)
      return def;
   return t->is_float    ? hd_f2f(&s->b, def, 32)
          : t->is_signed ? hd_i2i(&s->b, def, 32)
                         : hd_u2u(&s->b, def, 32);
}

static hd_interp_mode
mode_of(const struct io *io)
{
   return io->noperspective ? HD_INTERP_NOPERSPECTIVE : HD_INTERP_SMOOTH;
}

static hd_def *
interpolate(struct spirv *s, const struct spirv_type *t, const struct io *io, hd_def *barycentric,
            hd_def *index)
{
   hd_def *def = hd_load_interpolated(&s->b, barycentric, index, t->components, bits_of(t),
                                      io->location, io->component, HD_ACCESS_SPECULATABLE);

   return narrowed(s, t, def);
}

static hd_def *
load_flat(struct spirv *s, const struct spirv_type *t, const struct io *io, hd_def *index)
{
   hd_builder *b = &s->b;
   const unsigned first = fits(t);
   hd_def *low = hd_load_input(b, index, first, bits_of(t), io->location, io->component,
                               HD_ACCESS_SPECULATABLE);
   hd_def *parts[4];

   if (first == t->components)
      return narrowed(s, t, low);
   hd_def *high = hd_load_input(b, index, t->components - first, t->bits, io->location + 1, 0,
                                HD_ACCESS_SPECULATABLE);
   for (unsigned c = 0; c < t->components; c++)
      parts[c] = hd_build_channel(b, c < first ? low : high, c < first ? c : c - first);
   return hd_build_vec(b, t->components, parts);
}

/* Built-ins that are arrays, or in blocks: one component of them. */
static hd_def *
load_builtin(struct spirv *s, const struct spirv_type *t, const struct io *io, uint32_t element)
{
   hd_builder *b = &s->b;

   switch (io->builtin) {
   case SPV_BUILT_IN_CLIP_DISTANCE:
      return hd_load_clip_distance(b, hd_imm_u32(b, element), HD_ACCESS_SPECULATABLE);
   case SPV_BUILT_IN_CULL_DISTANCE:
      return hd_load_cull_distance(b, hd_imm_u32(b, element), HD_ACCESS_SPECULATABLE);
   case SPV_BUILT_IN_SAMPLE_MASK:
      return element ? hd_imm_u32(b, 0) : hd_sample_mask_in(b);
   default:
      return hd_spirv_builtin(s, io->builtin, t)->def;
   }
}

static void
load_leaf(struct spirv *s, const struct walk *w, const struct spirv_type *t, const struct io *io,
          uint32_t var, uint32_t element)
{
   hd_builder *b = &s->b;
   hd_def *def;

   if (io->builtin >= 0) {
      def = load_builtin(s, t, io, element);
   } else if (is_flat(s, t, io)) {
      def = load_flat(s, t, io, hd_imm_u32(b, 0));
   } else {
      const hd_interp_location at = io->sample     ? HD_INTERP_AT_SAMPLE
                                    : io->centroid ? HD_INTERP_AT_CENTROID
                                                   : HD_INTERP_AT_CENTER;
      hd_def *zero = hd_imm_u32(b, 0);
      def = interpolate(s, t, io, hd_barycentric(b, mode_of(io), at), zero);
   }
   if (b->result == HD_OK && (def->num_components != t->components || def->bit_size != t->bits))
      hd_spirv_invalid(s, "an input of this built-in cannot have the type %u", t->id);
   hd_store_var(b, w->local->vars[var], element_index(s, w, var, element), def);
}

void
hd_spirv_load_inputs(struct spirv *s)
{
   for (struct spirv_variable *v = s->variables; v; v = v->next) {
      if (v->storage != SPV_STORAGE_CLASS_INPUT || !v->used || !hd_spirv_is_stage_local(s, v))
         continue;
      hd_spirv_variable_value(s, v);
      walk(s, &(struct walk){ v, v->local, load_leaf });
   }
}

/* InterpolateAt...: at the place of an input that a pointer names, with another barycentric. */

struct search {
   struct walk walk;
   uint32_t var, element;
   enum hd_spirv_interpolation how;
   hd_def *operand, *barycentric;
   hd_def *index; /* of the element, if it is dynamic */
   hd_def *found;
};

static hd_def *
other_barycentric(struct spirv *s, const struct search *search, const struct io *io)
{
   switch (search->how) {
   case HD_SPIRV_AT_SAMPLE:
      return hd_barycentric_at_sample(&s->b, search->operand, mode_of(io));
   case HD_SPIRV_AT_OFFSET:
      return hd_barycentric_at_offset(&s->b, search->operand, mode_of(io));
   default:
      return hd_barycentric(&s->b, mode_of(io), HD_INTERP_AT_CENTROID);
   }
}

/* Of a dynamic index all elements are loaded, and one is selected: locations are constants. */
static void
match_leaf(struct spirv *s, const struct walk *w, const struct spirv_type *t, const struct io *io,
           uint32_t var, uint32_t element)
{
   struct search *search = (struct search *)(uintptr_t)w;
   hd_builder *b = &s->b;

   if (io->builtin >= 0 || var != search->var || (!search->index && element != search->element))
      return;
   hd_def *zero = hd_imm_u32(b, 0), *def;
   if (is_flat(s, t, io)) {
      def = load_flat(s, t, io, zero);
   } else {
      if (!search->barycentric)
         search->barycentric = other_barycentric(s, search, io);
      def = interpolate(s, t, io, search->barycentric, zero);
   }
   if (search->found) {
      hd_def *number = hd_imm_u32(b, element), *is_it = hd_ieq(b, search->index, number);
      def = hd_select(b, hd_spirv_splat(s, is_it, t->components), def, search->found);
   }
   search->found = def;
}

hd_def *
hd_spirv_interpolate_at(struct spirv *s, const struct spirv_pointer *p,
                        enum hd_spirv_interpolation how, hd_def *operand)
{
   hd_builder *b = &s->b;
   const struct spirv_variable *v = p->place == PLACE_LOCAL && p->local ? p->local->input : NULL;
   const struct spirv_type *t = p->component ? p->whole : p->type;

   if (!v || s->shader->stage != HD_STAGE_FRAGMENT)
      hd_spirv_invalid(s, "expected a pointer to an input of a fragment shader");
   if (!hd_spirv_type_is_leaf(t) || !t->is_float || t->bits > 32)
      hd_spirv_invalid(s, "expected a pointer to a float or a vector of them");
   struct search search = {
      .walk = { v, p->local, match_leaf },
      .var = p->first_var,
      .element = p->index_offset,
      .how = how,
      .operand = operand,
   };
   if (p->index) {
      hd_def *offset = hd_imm_u32(b, p->index_offset);
      search.index = hd_iadd(b, p->index, offset);
   }
   walk(s, &search.walk);
   if (!search.found)
      hd_spirv_invalid(s, "expected a pointer to an input with a location");
   return p->component ? hd_spirv_channel(s, search.found, p->component) : search.found;
}

/* Outputs */

static void
store_located(struct spirv *s, const struct spirv_type *t, const struct io *io, hd_def *value)
{
   hd_builder *b = &s->b;
   const unsigned first = fits(t);
   const bool second = s->shader->stage == HD_STAGE_FRAGMENT && io->index == 1;
   hd_def *parts[4], *low = value;

   for (unsigned c = 0; c < t->components && first < t->components; c++)
      parts[c] = hd_build_channel(b, value, c);
   if (first < t->components)
      low = hd_build_vec(b, first, parts);
   low = widened(s, t, low);
   hd_store_output(b, low, hd_imm_u32(b, 0), io->location, io->component, second);
   if (first == t->components)
      return;
   hd_def *high = hd_build_vec(b, t->components - first, parts + first);
   hd_store_output(b, high, hd_imm_u32(b, 0), io->location + 1, 0, second);
}

static const struct built_in_output {
   uint32_t builtin;
   uint8_t stage, components;
   bool is_float;
} built_in_outputs[] = {
   { SPV_BUILT_IN_POSITION, HD_STAGE_VERTEX, 4, true },
   { SPV_BUILT_IN_POINT_SIZE, HD_STAGE_VERTEX, 1, true },
   { SPV_BUILT_IN_CLIP_DISTANCE, HD_STAGE_VERTEX, 1, true },
   { SPV_BUILT_IN_CULL_DISTANCE, HD_STAGE_VERTEX, 1, true },
   { SPV_BUILT_IN_LAYER, HD_STAGE_VERTEX, 1, false },
   { SPV_BUILT_IN_VIEWPORT_INDEX, HD_STAGE_VERTEX, 1, false },
   { SPV_BUILT_IN_FRAG_DEPTH, HD_STAGE_FRAGMENT, 1, true },
   { SPV_BUILT_IN_FRAG_STENCIL_REF_EXT, HD_STAGE_FRAGMENT, 1, false },
   { SPV_BUILT_IN_SAMPLE_MASK, HD_STAGE_FRAGMENT, 1, false },
};

static void
check_built_in_output(struct spirv *s, const struct spirv_type *t, uint32_t builtin)
{
   const struct built_in_output *found = NULL;

   for (unsigned n = 0; n < sizeof(built_in_outputs) / sizeof(built_in_outputs[0]); n++) {
      if (built_in_outputs[n].builtin == builtin && built_in_outputs[n].stage == s->shader->stage)
         found = &built_in_outputs[n];
   }
   if (!found)
      hd_spirv_unsupported(s, "the built-in %s is not supported as an output of this stage",
                           hd_spirv_built_in_name(builtin));
   if (t->components != found->components || t->bits != 32 || t->is_float != found->is_float)
      hd_spirv_invalid(s, "the built-in %s cannot have the type %u",
                       hd_spirv_built_in_name(builtin), t->id);
}

static void
store_builtin(struct spirv *s, const struct spirv_type *t, const struct io *io, uint32_t element,
              hd_def *value)
{
   hd_builder *b = &s->b;

   check_built_in_output(s, t, (uint32_t)io->builtin);
   switch (io->builtin) {
   case SPV_BUILT_IN_POSITION:
      hd_store_position(b, value);
      break;
   case SPV_BUILT_IN_POINT_SIZE:
      hd_store_point_size(b, value);
      break;
   case SPV_BUILT_IN_CLIP_DISTANCE:
      hd_store_clip_distance(b, value, hd_imm_u32(b, element));
      break;
   case SPV_BUILT_IN_CULL_DISTANCE:
      hd_store_cull_distance(b, value, hd_imm_u32(b, element));
      break;
   case SPV_BUILT_IN_LAYER:
      hd_store_layer(b, value);
      break;
   case SPV_BUILT_IN_VIEWPORT_INDEX:
      hd_store_viewport_index(b, value);
      break;
   case SPV_BUILT_IN_FRAG_DEPTH:
      hd_store_depth(b, value);
      break;
   case SPV_BUILT_IN_FRAG_STENCIL_REF_EXT:
      hd_store_stencil(b, value);
      break;
   default: /* sample mask: more than 32 samples are none */
      if (!element)
         hd_store_sample_mask(b, value);
      break;
   }
}

static void
store_leaf(struct spirv *s, const struct walk *w, const struct spirv_type *t, const struct io *io,
           uint32_t var, uint32_t element)
{
   if (!w->local->written[var])
      return;
   if (io->builtin >= 0 && element >= 8)
      hd_spirv_invalid(s, "element %u of the built-in %s", element,
                       hd_spirv_built_in_name((uint32_t)io->builtin));
   hd_def *value = hd_load_var(&s->b, w->local->vars[var], element_index(s, w, var, element));
   if (io->builtin >= 0)
      store_builtin(s, t, io, element, value);
   else
      store_located(s, t, io, value);
}

bool
hd_spirv_has_outputs(const struct spirv *s)
{
   return s->shader->stage == HD_STAGE_VERTEX || s->shader->stage == HD_STAGE_FRAGMENT;
}

void
hd_spirv_store_outputs(struct spirv *s)
{
   s->at = (struct spirv_instr){ 0 };
   for (struct spirv_variable *v = s->variables; v; v = v->next) {
      if (v->storage == SPV_STORAGE_CLASS_OUTPUT && v->local)
         walk(s, &(struct walk){ v, v->local, store_leaf });
   }
}

/* What a host must know of them */

static void
describe(struct spirv *s, const struct spirv_variable *v, const struct spirv_type *t,
         const struct io *io, const char *name, hd_spirv_interface *out)
{
   const struct spirv_type *leaf = t;

   while (leaf->kind == TYPE_ARRAY || leaf->kind == TYPE_MATRIX)
      leaf = leaf->element;
   *out = (hd_spirv_interface){
      .name = name ? hd_shader_intern(s->shader, name, strlen(name)) : "",
      .output = v->storage == SPV_STORAGE_CLASS_OUTPUT,
      .builtin = io->builtin,
      .location = io->location,
      .component = io->component,
      .second_source = io->index == 1,
      .num_locations = io->builtin < 0 ? t->locations : 0,
      .num_components = leaf->components,
      .bits = leaf->bits,
      .is_float = leaf->is_float,
      .is_signed = leaf->is_signed,
      .flat = io->flat,
      .noperspective = io->noperspective,
      .centroid = io->centroid,
      .sample = io->sample,
   };
}

uint32_t
hd_spirv_describe_interface(struct spirv *s, const struct spirv_variable *v,
                            hd_spirv_interface *out)
{
   const struct spirv_type *t = v->type;
   struct io io = decorations_of(s, v->id, -1, (struct io){ .builtin = -1 });

   if (t->kind != TYPE_STRUCT) {
      if (out)
         describe(s, v, t, &io, hd_spirv_name(s, v->id), out);
      return 1;
   }
   for (uint32_t n = 0; out && n < t->length; n++) {
      const struct io part = decorations_of(s, t->id, (int32_t)n, io);
      describe(s, v, t->members[n].type, &part, hd_spirv_name(s, v->id), &out[n]);
      io.location = part.location + t->members[n].type->locations;
   }
   return t->length;
}
