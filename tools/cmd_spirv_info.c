/* SPDX-License-Identifier: MIT */
/* cmd_spirv_info.c - heddle spirv-info: reflection of a module. */
#include "tool.h"

#include "heddle/ops.h"

#include "heddle/spirv.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const stages[HD_NUM_STAGES + 1] = { "compute", "kernel", "vertex", "fragment",
                                                       "other" };
static const char *const kinds[] = {
   [HD_SPIRV_UNIFORM_BUFFER] = "uniform",
   [HD_SPIRV_STORAGE_BUFFER] = "storage",
   [HD_SPIRV_SAMPLER] = "sampler",
   [HD_SPIRV_SAMPLED_IMAGE] = "sampled image",
   [HD_SPIRV_COMBINED_IMAGE_SAMPLER] = "combined image sampler",
   [HD_SPIRV_STORAGE_IMAGE] = "storage image",
   [HD_SPIRV_UNIFORM_TEXEL_BUFFER] = "uniform texel buffer",
   [HD_SPIRV_STORAGE_TEXEL_BUFFER] = "storage texel buffer",
   [HD_SPIRV_INPUT_ATTACHMENT] = "input attachment",
   [HD_SPIRV_OTHER_RESOURCE] = "other",
};
static const char *const dims[] = {
   [HD_DIM_D1] = "1d",     [HD_DIM_D2] = "2d",         [HD_DIM_D3] = "3d",
   [HD_DIM_CUBE] = "cube", [HD_DIM_BUFFER] = "buffer",
};
/* hd_spirv_entry_mode, from the lowest bit. */
static const char *const entry_modes[] = {
   "origin_upper_left",   "early_fragment_tests", "early_and_late_fragment_tests",
   "post_depth_coverage", "depth_replacing",      "depth_greater",
   "depth_less",          "depth_unchanged",      "stencil_replacing",
   "quad_derivatives",    "full_quads",
};
static const char *const argument_kinds[] = { "value", "global",  "shared",
                                              "image", "sampler", "other" };
static const char *const addressings[] = { "none", "clamp_to_edge", "clamp_to_border", "repeat",
                                           "mirrored_repeat" };

static const char *
addressing_of(const hd_spirv_sampler *s)
{
   return s->addressing < sizeof(addressings) / sizeof(addressings[0]) ? addressings[s->addressing]
                                                                       : "other";
}

/* Its number, written to the buffer, where it has no name that is known here. */
static const char *
capability_name(uint32_t capability, char *buffer, size_t size)
{
   const char *name = hd_spirv_capability_name(capability);

   if (name)
      return name;
   snprintf(buffer, size, "%" PRIu32, capability);
   return buffer;
}

/* Text */

static void
print_capabilities(const hd_spirv_info *info)
{
   printf("version %u.%u\ngenerator 0x%08x\n", info->version >> 16, info->version >> 8 & 0xff,
          info->generator);
   for (uint32_t n = 0; n < info->num_capabilities; n++) {
      char number[16];
      printf("capability %s\n", capability_name(info->capabilities[n], number, sizeof(number)));
   }
}

static bool
is_image(const hd_spirv_resource *r)
{
   return r->kind >= HD_SPIRV_SAMPLED_IMAGE && r->kind <= HD_SPIRV_INPUT_ATTACHMENT;
}

static void
print_built_in(const hd_spirv_interface *v)
{
   if (v->builtin >= 0)
      printf("built-in %d", v->builtin);
   else
      printf("location %u.%u%s", v->location, v->component,
             v->second_source ? " second source" : "");
}

static void
print_interface(const hd_spirv_entry_point *e)
{
   for (uint32_t n = 0; n < sizeof(entry_modes) / sizeof(entry_modes[0]); n++) {
      if (e->modes >> n & 1)
         printf("  mode %s\n", entry_modes[n]);
   }
   for (uint32_t n = 0; n < e->num_interface; n++) {
      const hd_spirv_interface *v = &e->interface_variables[n];
      printf("  %s ", v->output ? "output" : "input");
      print_name(stdout, 0, v->name);
      printf(": ");
      print_built_in(v);
      printf(", %s %u x %u",
             v->is_float    ? "float"
             : v->is_signed ? "int"
                            : "uint",
             v->num_components, v->bits);
      if (v->num_locations > 1)
         printf(", %u locations", v->num_locations);
      printf("%s%s%s%s\n", v->flat ? ", flat" : "", v->noperspective ? ", noperspective" : "",
             v->centroid ? ", centroid" : "", v->sample ? ", sample" : "");
   }
}

static void
print_text(const hd_spirv_info *info)
{
   print_capabilities(info);
   for (uint32_t n = 0; n < info->num_entry_points; n++) {
      const hd_spirv_entry_point *e = &info->entry_points[n];
      fputs("entry ", stdout);
      print_name(stdout, 0, e->name);
      printf(": %s", stages[e->stage]);
      if (e->workgroup_size[0])
         printf(", workgroup %u %u %u", e->workgroup_size[0], e->workgroup_size[1],
                e->workgroup_size[2]);
      puts(e->supported ? "" : ", not supported");
      print_interface(e);
   }
   for (uint32_t n = 0; n < info->num_resources; n++) {
      const hd_spirv_resource *r = &info->resources[n];
      printf("resource %u.%u ", r->set, r->binding);
      print_name(stdout, 0, r->name);
      if (is_image(r))
         printf(": %s, %s%s%s", kinds[r->kind], dims[r->dim], r->array ? ", layers" : "",
                r->multisampled ? ", samples" : "");
      else
         printf(": %s, %" PRIu64 " bytes", kinds[r->kind], r->size);
      if (r->array_size != 1)
         printf(r->array_size ? ", array of %u" : ", array", r->array_size);
      puts(r->readonly ? ", readonly" : "");
   }
   if (info->push_size)
      printf("push %u bytes\n", info->push_size);
   for (uint32_t n = 0; n < info->num_spec_constants; n++) {
      const hd_spirv_spec_constant *c = &info->spec_constants[n];
      printf("spec %u ", c->id);
      print_name(stdout, 0, c->name);
      printf(": %u bits, 0x%" PRIx64 "%s\n", c->bits, c->value,
             c->repeated ? ", repeats the id" : "");
   }
   for (uint32_t n = 0; n < info->num_arguments; n++) {
      const hd_spirv_argument *a = &info->arguments[n];
      printf("argument %u ", n);
      print_name(stdout, 0, a->name);
      printf(": %s, offset %u, %u bytes", argument_kinds[a->kind], a->offset, a->size);
      if (a->kind == HD_SPIRV_ARGUMENT_IMAGE)
         printf(", %s%s%s%s", dims[a->dim], a->array ? ", layers" : "",
                a->multisampled ? ", samples" : "",
                a->readonly    ? ", readonly"
                : a->writeonly ? ", writeonly"
                               : "");
      puts("");
   }
   for (uint32_t n = 0; n < info->num_samplers; n++) {
      const hd_spirv_sampler *s = &info->samplers[n];
      printf("sampler %u.%u: %s, %s%s\n", s->set, s->binding, addressing_of(s),
             s->linear ? "linear" : "nearest", s->normalized ? "" : ", unnormalized");
   }
}

/* JSON */

static void
print_named(uint32_t n, const char *name)
{
   printf(n ? ",{\"name\":" : "{\"name\":");
   print_json_string(stdout, name);
}

static void
print_json_interface(const hd_spirv_entry_point *e)
{
   const char *comma = "";

   printf(",\"modes\":[");
   for (uint32_t n = 0; n < sizeof(entry_modes) / sizeof(entry_modes[0]); n++) {
      if (e->modes >> n & 1) {
         printf("%s\"%s\"", comma, entry_modes[n]);
         comma = ",";
      }
   }
   printf("],\"interface\":[");
   for (uint32_t n = 0; n < e->num_interface; n++) {
      const hd_spirv_interface *v = &e->interface_variables[n];
      print_named(n, v->name);
      printf(",\"output\":%s,\"builtin\":%d,\"location\":%u,\"component\":%u,\"locations\":%u,"
             "\"second_source\":%s,\"components\":%u,\"bits\":%u,\"flat\":%s}",
             v->output ? "true" : "false", v->builtin, v->location, v->component, v->num_locations,
             v->second_source ? "true" : "false", v->num_components, v->bits,
             v->flat ? "true" : "false");
   }
   putchar(']');
}

static void
print_json_head(const hd_spirv_info *info)
{
   printf("{\"version\":\"%u.%u\",\"generator\":%u,\"capabilities\":[", info->version >> 16,
          info->version >> 8 & 0xff, info->generator);
   for (uint32_t n = 0; n < info->num_capabilities; n++) {
      char number[16];
      printf(n ? ",\"%s\"" : "\"%s\"",
             capability_name(info->capabilities[n], number, sizeof(number)));
   }
   printf("],\"entries\":[");
   for (uint32_t n = 0; n < info->num_entry_points; n++) {
      const hd_spirv_entry_point *e = &info->entry_points[n];
      print_named(n, e->name);
      printf(",\"stage\":\"%s\",\"supported\":%s,\"workgroup\":[%u,%u,%u]", stages[e->stage],
             e->supported ? "true" : "false", e->workgroup_size[0], e->workgroup_size[1],
             e->workgroup_size[2]);
      print_json_interface(e);
      putchar('}');
   }
}

static void
print_json(const hd_spirv_info *info)
{
   print_json_head(info);
   printf("],\"resources\":[");
   for (uint32_t n = 0; n < info->num_resources; n++) {
      const hd_spirv_resource *r = &info->resources[n];
      print_named(n, r->name);
      printf(",\"kind\":\"%s\",\"set\":%u,\"binding\":%u,\"array\":%u,\"size\":%" PRIu64
             ",\"readonly\":%s}",
             kinds[r->kind], r->set, r->binding, r->array_size, r->size,
             r->readonly ? "true" : "false");
   }
   printf("],\"push\":%u,\"spec\":[", info->push_size);
   for (uint32_t n = 0; n < info->num_spec_constants; n++) {
      const hd_spirv_spec_constant *c = &info->spec_constants[n];
      print_named(n, c->name);
      printf(",\"id\":%u,\"bits\":%u,\"value\":%" PRIu64 ",\"repeated\":%s}", c->id, c->bits,
             c->value, c->repeated ? "true" : "false");
   }
   printf("],\"arguments\":[");
   for (uint32_t n = 0; n < info->num_arguments; n++) {
      const hd_spirv_argument *a = &info->arguments[n];
      print_named(n, a->name);
      printf(",\"kind\":\"%s\",\"offset\":%u,\"size\":%u,\"readonly\":%s,\"writeonly\":%s",
             argument_kinds[a->kind], a->offset, a->size, a->readonly ? "true" : "false",
             a->writeonly ? "true" : "false");
      if (a->kind == HD_SPIRV_ARGUMENT_IMAGE)
         printf(",\"dim\":\"%s\",\"layers\":%s,\"samples\":%s", dims[a->dim],
                a->array ? "true" : "false", a->multisampled ? "true" : "false");
      putchar('}');
   }
   printf("],\"samplers\":[");
   for (uint32_t n = 0; n < info->num_samplers; n++) {
      const hd_spirv_sampler *s = &info->samplers[n];
      printf("%s{\"set\":%u,\"binding\":%u,\"addressing\":\"%s\",\"linear\":%s,"
             "\"normalized\":%s}",
             n ? "," : "", s->set, s->binding, addressing_of(s), s->linear ? "true" : "false",
             s->normalized ? "true" : "false");
   }
   puts("]}");
}

int
run_spirv_info(tool *t)
{
   const char *path = t->num_operands ? t->operands[0] : "-";
   hd_spirv_info *info = NULL;
   char *data;
   size_t size;

   if (t->num_operands > 1)
      return trouble("`heddle spirv-info` takes one file, not %d", t->num_operands);
   const int status = read_file(t, path, &data, &size);
   if (status)
      return status;
   const hd_result result = read_spirv_info(t, path, data, size, &info);
   free(data);
   if (result == HD_OK && t->json)
      print_json(info);
   else if (result == HD_OK)
      print_text(info);
   hd_spirv_info_destroy(info);
   return explain(t, path, result);
}
