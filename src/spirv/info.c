/* SPDX-License-Identifier: MIT */
/* info.c - reflection of a module for the host: bindings, push constants, specialisation. It is allocated
 * in the pool of the shader, which is kept alive for it.
 */
#include <stdlib.h>

#include "spirv/sampler.h"

/* Inputs and outputs of one entry point. */
#define MAX_INTERFACE 65536u

struct holder {
   hd_spirv_info info;
   hd_shader *shader;
};

static void *
allocate(struct spirv *s, size_t count, size_t size)
{
   hd_heap_step(s->heap, 1 + count * size / 64);
   return hd_pool_alloc(hd_shader_pool(s->shader), count * size + 1);
}

static const char *
copy_string(struct spirv *s, const char *string)
{
   return string ? hd_shader_intern(s->shader, string, strlen(string)) : "";
}

/* Entry points */

/* The variables that the entry point at this offset lists: how many inputs and outputs; `out` may be NULL. */
static uint32_t
list_interface(struct spirv *s, uint32_t word, hd_spirv_interface *out)
{
   const struct spirv_instr i = hd_spirv_fetch(s, word);
   uint32_t num = 0;

   for (uint32_t n = 2 + (uint32_t)strlen(hd_spirv_entry_name(s, word)) / 4 + 1; n < i.num_words;
        n++) {
      const struct spirv_id *id = hd_spirv_id(s, i.words[n]);
      if (id->kind != ID_VARIABLE || (id->variable->storage != SPV_STORAGE_CLASS_INPUT &&
                                      id->variable->storage != SPV_STORAGE_CLASS_OUTPUT))
         continue;
      hd_heap_step(s->heap, 1);
      if (num > MAX_INTERFACE)
         hd_spirv_unsupported(s, "more than %u inputs and outputs", MAX_INTERFACE);
      num += hd_spirv_describe_interface(s, id->variable, out ? out + num : NULL);
   }
   return num;
}

static void
collect_interface(struct spirv *s, uint32_t word, hd_spirv_entry_point *point)
{
   if (point->stage != HD_STAGE_VERTEX && point->stage != HD_STAGE_FRAGMENT)
      return;
   const uint32_t num = list_interface(s, word, NULL);
   hd_spirv_interface *variables = allocate(s, num, sizeof(*variables));
   list_interface(s, word, variables);
   point->num_interface = num;
   point->interface_variables = variables;
}

static void
collect_entry_points(struct spirv *s, hd_spirv_info *info)
{
   hd_spirv_entry_point *points = allocate(s, s->num_entry_points, sizeof(*points));
   uint32_t *size = s->shader->workgroup_size;

   for (uint32_t n = 0; n < s->num_entry_points; n++) {
      const uint32_t word = s->entry_points[n];
      points[n].name = copy_string(s, hd_spirv_entry_name(s, word));
      points[n].stage = hd_spirv_stage(s->words[word + 1]);
      points[n].supported = points[n].stage != HD_NUM_STAGES;
      if (!points[n].supported)
         continue;
      memset(size, 0, sizeof(s->shader->workgroup_size));
      s->entry_modes = 0;
      hd_spirv_read_modes(s, s->words[word + 2]);
      memcpy(points[n].workgroup_size, size, sizeof(points[n].workgroup_size));
      points[n].modes = s->entry_modes;
      collect_interface(s, word, &points[n]);
   }
   info->entry_points = points;
   info->num_entry_points = s->num_entry_points;
}

/* Resources */

static bool
is_resource(const struct spirv *s, const struct spirv_variable *v)
{
   return v->storage == SPV_STORAGE_CLASS_UNIFORM ||
          v->storage == SPV_STORAGE_CLASS_STORAGE_BUFFER ||
          (v->storage == SPV_STORAGE_CLASS_UNIFORM_CONSTANT && !s->kernel);
}

static hd_spirv_resource_kind
image_kind(const struct spirv_type *t)
{
   const struct spirv_type *image = t->kind == TYPE_SAMPLED_IMAGE ? t->element : t;

   if (t->kind == TYPE_SAMPLER)
      return HD_SPIRV_SAMPLER;
   if (image->kind != TYPE_IMAGE || image->image.dim == SPIRV_IMAGE_REFUSED)
      return HD_SPIRV_OTHER_RESOURCE;
   if (image->image.attachment)
      return HD_SPIRV_INPUT_ATTACHMENT;
   if (image->image.dim == HD_DIM_BUFFER)
      return image->image.storage ? HD_SPIRV_STORAGE_TEXEL_BUFFER : HD_SPIRV_UNIFORM_TEXEL_BUFFER;
   if (t->kind == TYPE_SAMPLED_IMAGE)
      return HD_SPIRV_COMBINED_IMAGE_SAMPLER;
   return image->image.storage ? HD_SPIRV_STORAGE_IMAGE : HD_SPIRV_SAMPLED_IMAGE;
}

static void
collect_resource(struct spirv *s, const struct spirv_variable *v, hd_spirv_resource *r)
{
   const struct spirv_type *t = v->type;

   r->array_size = 1;
   for (; t->kind == TYPE_ARRAY || t->kind == TYPE_RUNTIME_ARRAY; t = t->element) {
      const uint64_t size = (uint64_t)r->array_size * t->length;
      r->array_size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
   }
   const char *name = hd_spirv_name(s, v->id);
   r->name = copy_string(s, name ? name : hd_spirv_name(s, t->id));
   r->set = v->set;
   r->binding = v->binding;
   r->size = t->size;
   r->kind = v->storage == SPV_STORAGE_CLASS_UNIFORM_CONSTANT ? image_kind(t)
             : v->storage == SPV_STORAGE_CLASS_UNIFORM && !t->buffer_block
                 ? HD_SPIRV_UNIFORM_BUFFER
                 : HD_SPIRV_STORAGE_BUFFER;
   r->readonly = hd_spirv_is_readonly(v);
   if (t->kind == TYPE_SAMPLED_IMAGE)
      t = t->element;
   if (t->kind != TYPE_IMAGE)
      return;
   const struct spirv_decoration *d =
       hd_spirv_decoration(s, v->id, -1, SPV_DECORATION_INPUT_ATTACHMENT_INDEX);
   r->dim = t->image.dim == SPIRV_IMAGE_REFUSED ? HD_DIM_D2 : (hd_image_dim)t->image.dim;
   r->array = t->image.array;
   r->multisampled = t->image.ms;
   r->format = t->image.format;
   r->attachment = d ? s->words[d->word] : 0;
   r->readonly |= !t->image.storage;
}

/* In the order of the module; its list of variables is reversed. */
static void
collect_resources(struct spirv *s, hd_spirv_info *info)
{
   uint32_t count = 0;

   for (const struct spirv_variable *v = s->variables; v; v = v->next)
      count += is_resource(s, v);
   hd_spirv_resource *resources = allocate(s, count, sizeof(*resources));
   info->resources = resources;
   info->num_resources = count;
   for (const struct spirv_variable *v = s->variables; v; v = v->next) {
      if (is_resource(s, v))
         collect_resource(s, v, &resources[--count]);
   }
   info->push_size = s->shader->push_size;
}

/* Specialisation */

static const struct spirv_decoration *
spec_id(struct spirv *s, const struct spirv_id *id)
{
   const struct spirv_type *t = id->kind == ID_CONSTANT ? id->constant->type : NULL;

   if (!t || !hd_spirv_type_is_leaf(t) || t->components != 1 || !id->decoration)
      return NULL;
   const struct spirv_instr i = hd_spirv_fetch(s, id->word);
   return hd_spirv_decoration(s, i.result, -1, SPV_DECORATION_SPEC_ID);
}

struct by_spec_id {
   uint32_t id, place;
};

static int
compare_spec_ids(const void *x, const void *y)
{
   const struct by_spec_id *a = x, *b = y;

   if (a->id != b->id)
      return a->id < b->id ? -1 : 1;
   return a->place < b->place ? -1 : a->place > b->place;
}

/* Which of them have the id of one before. */
static void
find_repeated(struct spirv *s, hd_spirv_spec_constant *constants, uint32_t num)
{
   struct by_spec_id *sorted = hd_spirv_alloc(s, (num + 1u) * sizeof(*sorted));

   for (uint32_t n = 0; n < num; n++)
      sorted[n] = (struct by_spec_id){ constants[n].id, n };
   if (num)
      qsort(sorted, num, sizeof(*sorted), compare_spec_ids);
   for (uint32_t n = 1; n < num; n++)
      constants[sorted[n].place].repeated = sorted[n].id == sorted[n - 1].id;
}

static void
collect_spec_constants(struct spirv *s, hd_spirv_info *info)
{
   uint32_t count = 0;

   for (uint32_t n = 0; n < s->num_ids; n++)
      count += spec_id(s, &s->ids[n]) != NULL;
   hd_spirv_spec_constant *constants = allocate(s, count, sizeof(*constants));
   info->spec_constants = constants;
   for (uint32_t n = 0; n < s->num_ids; n++) {
      const struct spirv_id *id = &s->ids[n];
      const struct spirv_decoration *d = spec_id(s, id);
      if (!d)
         continue;
      hd_spirv_spec_constant *c = &constants[info->num_spec_constants++];
      c->name = copy_string(s, id->name ? hd_spirv_string(s, id->name) : NULL);
      c->id = s->words[d->word];
      c->bits = id->constant->type->bits;
      c->value = id->constant->bits[0];
      c->repeated = false;
   }
   find_repeated(s, constants, info->num_spec_constants);
}

/* Arguments */

static void
collect_arguments(struct spirv *s, hd_spirv_info *info)
{
   if (!s->entry || s->shader->stage != HD_STAGE_KERNEL)
      return;
   const struct spirv_function *f = hd_spirv_id(s, s->entry)->function;
   hd_spirv_argument *arguments = allocate(s, f->num_params, sizeof(*arguments));
   struct spirv_argument a = { 0 };
   info->arguments = arguments;
   info->num_arguments = f->num_params;
   for (uint32_t n = 0; n < f->num_params; n++) {
      const struct spirv_instr i = hd_spirv_fetch(s, hd_spirv_id(s, f->params[n])->word);
      s->at = i;
      hd_spirv_next_argument(s, i.result, hd_spirv_result_type(s, &i), &a);
      hd_spirv_describe_argument(s, i.result, &a, &arguments[n]);
      arguments[n].name = copy_string(s, hd_spirv_name(s, i.result));
   }
}

/* Constant samplers by their states, each once. */
static void
collect_samplers(struct spirv *s, hd_spirv_info *info)
{
   bool found[SPIRV_SAMPLER_STATES] = { false };
   hd_spirv_sampler *samplers = allocate(s, SPIRV_SAMPLER_STATES, sizeof(*samplers));

   if (!s->entry || s->shader->stage != HD_STAGE_KERNEL)
      return;
   for (uint32_t n = 0; n < s->num_ids; n++) {
      const struct spirv_constant *c = s->ids[n].kind == ID_CONSTANT ? s->ids[n].constant : NULL;
      if (c && c->type->kind == TYPE_SAMPLER && !c->null && !c->undef)
         found[c->bits[0]] = true;
   }
   info->samplers = samplers;
   for (uint32_t n = 0; n < SPIRV_SAMPLER_STATES; n++) {
      if (found[n])
         samplers[info->num_samplers++] =
             (hd_spirv_sampler){ .binding = hd_spirv_sampler_binding(s, n),
                                 .addressing = n & SPIRV_SAMPLER_ADDRESSING,
                                 .normalized = n & SPIRV_SAMPLER_NORMALIZED,
                                 .linear = n & SPIRV_SAMPLER_LINEAR };
   }
}

void
hd_spirv_collect_info(struct spirv *s, void *user)
{
   struct holder *holder = allocate(s, 1, sizeof(*holder));
   hd_spirv_info *info = &holder->info;
   uint32_t *capabilities = allocate(s, s->num_capabilities, sizeof(uint32_t));

   holder->shader = s->shader;
   info->version = s->version;
   info->generator = s->words[2];
   if (s->num_capabilities)
      memcpy(capabilities, s->capabilities, s->num_capabilities * sizeof(uint32_t));
   info->capabilities = capabilities;
   info->num_capabilities = s->num_capabilities;
   collect_resources(s, info);
   collect_spec_constants(s, info);
   collect_arguments(s, info);
   collect_samplers(s, info);
   collect_entry_points(s, info);
   s->at = (struct spirv_instr){ 0 };
   *(hd_spirv_info **)user = info;
}

void
hd_spirv_info_destroy(hd_spirv_info *info)
{
   /* The info is the first member of what holds it. */
   if (info)
      hd_shader_destroy(((struct holder *)info)->shader);
}
