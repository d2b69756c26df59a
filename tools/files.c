/* SPDX-License-Identifier: MIT */
/* files.c - reading inputs whole, writing outputs whole or not at all, loading shaders. */
#include "host.h"

#include "heddle/binary.h"
#include "heddle/check.h"
#include "heddle/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool
is_standard(const char *path)
{
   return !path || !strcmp(path, "-");
}

/* What to begin with: a regular file whole with a byte more, at which its end is seen. */
static size_t
first_capacity(FILE *file, size_t limit)
{
   const uint64_t size = host_regular_size(file);
   size_t capacity = 1 << 16;

   if (size)
      capacity = size < limit ? (size_t)size + 1 : limit;
   return capacity < limit ? capacity : limit;
}

/* All that can be read, up to `limit` bytes: *used == limit where there is more. False: errno
 * tells.
 */
static bool
read_all(FILE *file, size_t limit, char **data, size_t *used)
{
   size_t capacity = first_capacity(file, limit);
   char *buffer = malloc(capacity);

   *used = 0;
   while (buffer) {
      size_t got = fread(buffer + *used, 1, capacity - *used, file);
      *used += got;
      if (!got || *used == limit)
         break;
      if (*used < capacity)
         continue;
      capacity = capacity <= limit / 2 ? capacity * 2 : limit;
      char *grown = realloc(buffer, capacity);
      if (!grown)
         free(buffer);
      buffer = grown;
   }
   *data = buffer;
   return buffer && !ferror(file);
}

int
read_file(const tool *t, const char *path, char **data, size_t *size)
{
   const size_t most = t->config.budget.memory;
   const size_t limit = most && most < SIZE_MAX / 2 ? most + 1 : SIZE_MAX / 2;
   const char *name = is_standard(path) ? "standard input" : path;
   FILE *file = is_standard(path) ? stdin : fopen(path, "rb");
   int status = 0;

   *data = NULL;
   if (!file || !read_all(file, limit, data, size))
      status = trouble("%s: %s", name, strerror(errno));
   else if (*size == limit)
      status = explain(t, name, HD_BUDGET_EXCEEDED);
   if (file && file != stdin)
      fclose(file);
   if (status) {
      free(*data);
      *data = NULL;
   }
   return status;
}

bool
write_file(const char *path, const void *data, size_t size)
{
   const bool standard = is_standard(path);
   const bool ok = standard ? !fflush(stdout) && host_write_output(data, size)
                            : host_write_file(path, data, size);

   if (!ok)
      trouble("%s: %s", standard ? "standard output" : path, strerror(errno));
   return ok;
}

hd_shader *
read_shader(tool *t, const char *name, const void *data, size_t size, int *status)
{
   hd_shader *shader = NULL;

   t->was_binary = hd_is_binary(data, size);
   t->was_spirv = is_spirv(data, size);
   hd_result result = t->was_spirv    ? read_spirv(t, name, data, size, &shader)
                      : t->was_binary ? hd_read_binary(&t->config, name, data, size, &shader)
                                      : hd_parse(&t->config, name, data, size, &shader);
   if (result == HD_OK && t->was_spirv && t->wants_info)
      result = read_spirv_info(t, name, data, size, &t->spirv_info);
   if (result == HD_OK && !option_given(t, "no-validate")) {
      hd_validate_options options = t->rules;
      options.file = name;
      result = hd_validate(shader, &options);
   }
   *status = explain(t, name, result);
   if (*status) {
      hd_shader_destroy(shader);
      return NULL;
   }
   return shader;
}

hd_shader *
load_shader(tool *t, const char *path, int *status)
{
   char *data;
   size_t size;

   *status = read_file(t, path, &data, &size);
   if (*status)
      return NULL;
   hd_shader *shader = read_shader(t, is_standard(path) ? "<stdin>" : path, data, size, status);
   free(data);
   return shader;
}

hd_shader *
load_only_shader(tool *t, int *status)
{
   if (t->num_operands > 1) {
      *status = trouble("`heddle %s` takes one file, not %d", t->command->name, t->num_operands);
      return NULL;
   }
   return load_shader(t, t->num_operands ? t->operands[0] : "-", status);
}
