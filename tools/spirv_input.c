/* SPDX-License-Identifier: MIT */
/* spirv_input.c - SPIR-V where the tool reads shaders: entry point and specialisation by option. */
#include "tool.h"

#include "heddle/spirv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
is_spirv(const void *data, size_t size)
{
   static const unsigned char little[4] = { 0x03, 0x02, 0x23, 0x07 };
   static const unsigned char big[4] = { 0x07, 0x23, 0x02, 0x03 };

   return size >= 4 && (!memcmp(data, little, 4) || !memcmp(data, big, 4));
}

/* A number as C writes it; with a point or an f32: before it, the bits of a float. */
static bool
parse_bits(const char **s, uint64_t *bits)
{
   bool half = false;
   char *end;

   if (!strncmp(*s, "f32:", 4) || !strncmp(*s, "f64:", 4)) {
      half = (*s)[1] == '3';
      *s += 4;
      double d = strtod(*s, &end);
      float f = (float)d;
      uint32_t low;
      memcpy(&low, &f, sizeof(low));
      memcpy(bits, &d, sizeof(d));
      if (half)
         *bits = low;
   } else if (!strncmp(*s, "true", 4) || !strncmp(*s, "false", 5)) {
      *bits = **s == 't';
      end = (char *)*s + (*bits ? 4 : 5);
   } else {
      errno = 0;
      *bits = **s == '-' ? (uint64_t)strtoll(*s, &end, 0) : strtoull(*s, &end, 0);
      if (errno)
         return false;
   }
   bool any = end != *s;
   *s = end;
   return any;
}

/* "ID=VALUE,ID=VALUE..." */
static bool
parse_constants(const tool *t, hd_spirv_constant *constants, uint32_t *num)
{
   const char *text = option_value(t, "spec"), *s = text;

   while (s && *s) {
      char *end;
      unsigned long long id = strtoull(s, &end, 0);
      bool ok = end != s && *end == '=' && id <= UINT32_MAX && *num < MAX_SPIRV_CONSTANTS;
      s = end + 1;
      if (!ok || !parse_bits(&s, &constants[*num].bits) || (*s && *s != ',')) {
         trouble("--spec wants ID=VALUE,... with numbers, f32: and f64: before floats, true or "
                 "false, not '%s'",
                 text);
         return false;
      }
      constants[(*num)++].id = (uint32_t)id;
      s += *s == ',';
   }
   return true;
}

static bool
parse_stage(const tool *t, hd_spirv_options *options)
{
   static const char *const stages[HD_NUM_STAGES] = {
      [HD_STAGE_COMPUTE] = "compute",
      [HD_STAGE_KERNEL] = "kernel",
      [HD_STAGE_VERTEX] = "vertex",
      [HD_STAGE_FRAGMENT] = "fragment",
   };
   const char *name = option_value(t, "stage");

   for (unsigned n = 0; name && n < HD_NUM_STAGES; n++) {
      if (!strcmp(name, stages[n]))
         options->stages = 1u << n;
   }
   if (name && !options->stages)
      trouble("--stage is vertex, fragment, compute or kernel, not '%s'", name);
   if (t->stages)
      options->stages = t->stages;
   return !name || options->stages;
}

bool
read_spirv_options(tool *t, const char *name, size_t size,
                   hd_spirv_constant constants[MAX_SPIRV_CONSTANTS], hd_spirv_options *options)
{
   *options = (hd_spirv_options){
      .file_name = name,
      .entry_point = t->entry ? t->entry : option_value(t, "entry"),
      .constants = constants,
      .in_bounds = option_given(t, "in-bounds"),
      .robust = option_given(t, "robust"),
   };
   if (!parse_constants(t, constants, &options->num_constants) || !parse_stage(t, options))
      return false;
   if (size % 4)
      trouble("%s: expected whole words of 4 bytes, found %zu bytes", name, size);
   return size % 4 == 0;
}

hd_result
read_spirv(tool *t, const char *name, const void *data, size_t size, hd_shader **shader)
{
   hd_spirv_constant constants[MAX_SPIRV_CONSTANTS];
   hd_spirv_options options;

   if (!read_spirv_options(t, name, size, constants, &options))
      return HD_INVALID;
   return hd_spirv_to_shader(data, size / 4, &options, &t->config, shader);
}

hd_result
read_spirv_info(tool *t, const char *name, const void *data, size_t size, hd_spirv_info **info)
{
   hd_spirv_constant constants[MAX_SPIRV_CONSTANTS];
   hd_spirv_options options;

   if (!read_spirv_options(t, name, size, constants, &options))
      return HD_INVALID;
   return hd_spirv_get_info(data, size / 4, &options, &t->config, info);
}
