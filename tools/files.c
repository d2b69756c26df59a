/* SPDX-License-Identifier: MIT */
/* files.c - reading inputs whole, writing outputs whole or not at all, loading shaders. */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_standard(const char *path)
{
   return !path || !strcmp(path, "-");
}

/* What to begin with: a regular file whole with a byte more, at which its end is seen. */
static size_t
first_capacity(FILE *file, size_t limit)
{
   struct stat st;
   size_t capacity = 1 << 16;

   if (!fstat(fileno(file), &st) && S_ISREG(st.st_mode) && st.st_size > 0)
      capacity = (uintmax_t)st.st_size < limit ? (size_t)st.st_size + 1 : limit;
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

/* The new file gets the mode of the old one, or what the umask leaves. */
static mode_t
mode_for(const char *path)
{
   struct stat st;

   if (!stat(path, &st))
      return st.st_mode & 07777;
   mode_t mask = umask(0);
   umask(mask);
   return 0666 & ~mask;
}

/* The file to replace: `path`, or what a link there names in the end. NULL where nothing can be
 * replaced: a pipe, a device, a link that names nothing yet. To be freed.
 */
static char *
replaceable(const char *path)
{
   struct stat st;

   if (stat(path, &st)) {
      bool missing = lstat(path, &st) != 0;
      return missing ? strdup(path) : NULL;
   }
   return S_ISREG(st.st_mode) ? realpath(path, NULL) : NULL;
}

/* True, or false with errno set. */
static bool
write_all(int fd, const char *data, size_t size)
{
   while (size) {
      ssize_t n = write(fd, data, size);
      if (n < 0 && errno == EINTR)
         continue;
      if (n < 0)
         return false;
      data += n;
      size -= (size_t)n;
   }
   return true;
}

/* The new file stands beside the old one until it is whole. */
static bool
replace_file(const char *path, const void *data, size_t size)
{
   size_t length = strlen(path);
   char *temporary = malloc(length + 8);

   if (!temporary)
      return false;
   memcpy(temporary, path, length);
   memcpy(temporary + length, ".XXXXXX", 8);
   int fd = mkstemp(temporary);
   bool ok = fd >= 0 && write_all(fd, data, size) && !fchmod(fd, mode_for(path)) && !fsync(fd);
   int error = errno;
   if (fd >= 0 && close(fd) && ok) {
      error = errno;
      ok = false;
   }
   if (ok && rename(temporary, path)) {
      error = errno;
      ok = false;
   }
   if (!ok && fd >= 0)
      unlink(temporary);
   free(temporary);
   errno = error;
   return ok;
}

static bool
write_in_place(const char *path, const void *data, size_t size)
{
   int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

   if (fd < 0)
      return false;
   bool ok = write_all(fd, data, size);
   int error = errno;
   if (close(fd) && ok)
      return false;
   errno = error;
   return ok;
}

bool
write_file(const char *path, const void *data, size_t size)
{
   bool standard = is_standard(path), ok;

   if (standard) {
      ok = !fflush(stdout) && write_all(STDOUT_FILENO, data, size);
   } else {
      char *target = replaceable(path);
      ok = target ? replace_file(target, data, size) : write_in_place(path, data, size);
      int error = errno;
      free(target);
      errno = error;
   }
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
