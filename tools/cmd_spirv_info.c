/* SPDX-License-Identifier: MIT */
/* cmd_spirv_info.c - heddle spirv-info: reflection of a module. */
#include "tool.h"

#include "heddle/spirv.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const stages[HD_NUM_STAGES + 1] = { "compute", "kernel", "vertex", "fragment",
                                                       "other" };
static const char *const kinds[] = { "uniform", "storage", "other" };
static const char *const argument_kinds[] = { "value", "global", "shared", "other" };

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
   }
   for (uint32_t n = 0; n < info->num_resources; n++) {
      const hd_spirv_resource *r = &info->resources[n];
      printf("resource %u.%u ", r->set, r->binding);
      print_name(stdout, 0, r->name);
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
      printf(": %s, offset %u, %u bytes\n", argument_kinds[a->kind], a->offset, a->size);
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
      printf(",\"stage\":\"%s\",\"supported\":%s,\"workgroup\":[%u,%u,%u]}", stages[e->stage],
             e->supported ? "true" : "false", e->workgroup_size[0], e->workgroup_size[1],
             e->workgroup_size[2]);
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
      printf(",\"kind\":\"%s\",\"offset\":%u,\"size\":%u}", argument_kinds[a->kind], a->offset,
             a->size);
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
