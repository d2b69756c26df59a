/* SPDX-License-Identifier: MIT */
/* replay.c - run a fuzz target on each file of some folders, without libFuzzer.
 *
 *    replay FOLDER... [+FOLDER...]
 *
 * Of a folder after a + the text tests, each behind a first byte that chooses, as `./x fuzz` stages
 * them: what tests have need not be kept again. One case for all of them. An input that breaks the target ends the process; its name is the last
 * that was printed.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
by_name(const struct dirent **a, const struct dirent **b)
{
   return strcmp((*a)->d_name, (*b)->d_name);
}

/* The bytes of a file, with room for `before` bytes, in a block of exactly their size, so that the
 * sanitizer sees a read past the end; NULL if it can't be read.
 */
static uint8_t *
read_file(const char *path, size_t before, size_t *size)
{
   FILE *file = fopen(path, "rb");
   uint8_t *data = NULL;
   long end;

   if (!file)
      return NULL;
   if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
      *size = (size_t)end + before;
      data = malloc(*size ? *size : 1);
      if (data && fread(data + before, 1, (size_t)end, file) != (size_t)end) {
         free(data);
         data = NULL;
      }
   }
   fclose(file);
   return data;
}

static bool
is_text_test(const char *name)
{
   const size_t length = strlen(name);

   return length > 3 && !strcmp(name + length - 3, ".hd");
}

static unsigned
replay_folder(const char *folder, unsigned count)
{
   const bool staged = *folder == '+';
   struct dirent **entries;
   int n = scandir(folder += staged, &entries, NULL, by_name);
   unsigned num_staged = 0;

   for (int i = 0; i < n; i++) {
      char path[4096];
      size_t size;
      uint8_t *data;

      snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
      if (entries[i]->d_name[0] != '.' && (!staged || is_text_test(entries[i]->d_name)) &&
          (data = read_file(path, staged, &size))) {
         if (staged)
            *data = (uint8_t)(num_staged++ * 29);
         printf("# %s\n", path);
         fflush(stdout);
         LLVMFuzzerTestOneInput(data, size);
         count++;
         free(data);
      }
      free(entries[i]);
   }
   if (n >= 0)
      free(entries);
   return count;
}

int
main(int argc, char **argv)
{
   unsigned count = 0;

   for (int i = 1; i < argc; i++)
      count = replay_folder(argv[i], count);
   printf("1..1\n%s 1 - %u kept inputs\n", count ? "ok" : "not ok", count);
   return count == 0;
}
