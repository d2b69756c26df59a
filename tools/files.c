/* SPDX-License-Identifier: MIT */
/* files.c - reading inputs whole, writing outputs whole or not at all, loading shaders. */
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_standard(const char *path)
{
   return !path || !strcmp(path, "-");
}

bool
read_file(const char *path, char **data, size_t *size)
{
   FILE *file = is_standard(path) ? stdin : fopen(path, "rb");
   size_t capacity = 1 << 16, used = 0;
   char *buffer = malloc(capacity);
   bool ok = file && buffer;

   while (ok) {
      size_t got = fread(buffer + used, 1, capacity - used, file);
      used += got;
      if (!got)
         break;
      if (used < capacity)
         continue;
      char *grown = capacity <= SIZE_MAX / 2 ? realloc(buffer, capacity * 2) : NULL;
      ok = grown != NULL;
      if (ok) {
         buffer = grown;
         capacity *= 2;
      }
   }
   if (!ok || ferror(file)) {
      trouble("%s: %s", path, strerror(errno));
      ok = false;
   }
   if (file && file != stdin)
      fclose(file);
   if (!ok) {
      free(buffer);
      return false;
   }
   *data = buffer;
   *size = used;
   return true;
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

/* What is no regular file, such as a pipe or /dev/null, cannot be replaced: it is written to. */
static bool
can_be_replaced(const char *path)
{
   struct stat st;

   return lstat(path, &st) || S_ISREG(st.st_mode);
}

bool
write_file(const char *path, const void *data, size_t size)
{
   if (is_standard(path))
      return fwrite(data, 1, size, stdout) == size ||
             (trouble("standard output: %s", strerror(errno)), false);

   bool replace = can_be_replaced(path);
   size_t length = strlen(path);
   char *temporary = malloc(length + 8);
   if (!temporary)
      return trouble("out of memory"), false;
   memcpy(temporary, path, length);
   memcpy(temporary + length, replace ? ".XXXXXX" : "", replace ? 8 : 1);
   int fd = replace ? mkstemp(temporary) : -1;
   FILE *file = !replace ? fopen(path, "wb") : fd >= 0 ? fdopen(fd, "wb") : NULL;
   bool ok = file && fwrite(data, 1, size, file) == size;
   int error = errno;
   if (ok && replace)
      ok = !fchmod(fd, mode_for(path));
   if (file && fclose(file) && ok) {
      ok = false;
      error = errno;
   }
   if (ok && replace && rename(temporary, path)) {
      ok = false;
      error = errno;
   }
   if (!ok) {
      trouble("%s: %s", path, strerror(error));
      if (replace && fd >= 0)
         unlink(temporary);
   }
   free(temporary);
   return ok;
}

hd_shader *
load_shader(tool *t, const char *path, int *status)
{
   const char *name = is_standard(path) ? "<stdin>" : path;
   hd_shader *shader = NULL;
   char *data;
   size_t size;

   *status = EXIT_TROUBLE;
   if (!read_file(path, &data, &size))
      return NULL;
   t->was_binary = hd_is_binary(data, size);
   hd_result result = t->was_binary ? hd_read_binary(&t->config, name, data, size, &shader)
                                    : hd_parse(&t->config, name, data, size, &shader);
   free(data);
   if (result == HD_OK && !option_given(t, "no-validate"))
      result = hd_validate(shader, &(hd_validate_options){ .file = name });
   *status = explain(name, result);
   if (*status) {
      hd_shader_destroy(shader);
      return NULL;
   }
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
