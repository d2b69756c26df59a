/* SPDX-License-Identifier: MIT */
/* host_windows.c - files and terminals of Windows. There is no fork(): what runs a pass, or judges
 * a program, in a child process says that it cannot.
 */
#include "child.h"
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

void
host_prepare(void)
{
   _setmode(_fileno(stdin), _O_BINARY);
   _setmode(_fileno(stdout), _O_BINARY);
   _setmode(_fileno(stderr), _O_BINARY);
}

bool
host_is_terminal(FILE *file)
{
   return _isatty(_fileno(file));
}

uint64_t
host_regular_size(FILE *file)
{
   const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(file));
   LARGE_INTEGER size;

   if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileSizeEx(handle, &size) || size.QuadPart < 0)
      return 0;
   return (uint64_t)size.QuadPart;
}

bool
host_write_output(const void *data, size_t size)
{
   return fwrite(data, 1, size, stdout) == size && !fflush(stdout);
}

/* In errno's words, where the C library has some for it. */
static void
set_errno(void)
{
   switch (GetLastError()) {
   case ERROR_FILE_NOT_FOUND:
   case ERROR_PATH_NOT_FOUND:
      errno = ENOENT;
      break;
   case ERROR_ACCESS_DENIED:
   case ERROR_SHARING_VIOLATION:
      errno = EACCES;
      break;
   case ERROR_DISK_FULL:
      errno = ENOSPC;
      break;
   default:
      errno = EIO;
      break;
   }
}

static bool
write_in_place(const char *path, const void *data, size_t size)
{
   FILE *file = fopen(path, "wb");

   if (!file)
      return false;
   const bool written = fwrite(data, 1, size, file) == size;
   const int error = errno;
   if (fclose(file))
      return false;
   errno = error;
   return written;
}

/* The new file stands beside the old one until it is whole. */
static bool
replace_file(const char *path, const void *data, size_t size)
{
   const size_t length = strlen(path);
   char *temporary = malloc(length + 32);

   if (!temporary)
      return false;
   snprintf(temporary, length + 32, "%s.%lx", path, (unsigned long)GetCurrentProcessId());
   bool ok = write_in_place(temporary, data, size);
   int error = errno;
   if (ok && !MoveFileExA(temporary, path, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
      set_errno();
      error = errno;
      ok = false;
   }
   if (!ok)
      DeleteFileA(temporary);
   free(temporary);
   errno = error;
   return ok;
}

/* Is it a file, or nothing yet? Pipes, devices and links are written to as they are. */
static bool
is_replaceable(const char *path)
{
   const DWORD attributes = GetFileAttributesA(path);
   const DWORD others =
       FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;

   if (!strncmp(path, "\\\\.\\", 4))
      return false;
   return attributes == INVALID_FILE_ATTRIBUTES || !(attributes & others);
}

bool
host_write_file(const char *path, const void *data, size_t size)
{
   return is_replaceable(path) ? replace_file(path, data, size) : write_in_place(path, data, size);
}

bool
host_temporary_file(char path[256])
{
   char folder[MAX_PATH + 1], name[MAX_PATH + 1];

   snprintf(path, 256, "the folder for temporary files");
   if (!GetTempPathA(sizeof(folder), folder) || !GetTempFileNameA(folder, "hd", 0, name)) {
      set_errno();
      return false;
   }
   if (strlen(name) > 255) {
      errno = ENAMETOOLONG;
      return false;
   }
   memcpy(path, name, strlen(name) + 1);
   return true;
}

/* Child processes */

#define NO_CHILD "Windows has no fork(): %s is not there on this host"

bool
run_in_child(int (*work)(void *user), void *user, const char *input, unsigned seconds, ending *e)
{
   (void)work;
   (void)user;
   (void)input;
   (void)seconds;
   *e = (ending){ 0 };
   return trouble(NO_CHILD, "running passes in a child process") == 0;
}

bool
run_program(char **argv, const char *input, unsigned seconds, ending *e)
{
   (void)argv;
   (void)input;
   (void)seconds;
   *e = (ending){ 0 };
   return trouble(NO_CHILD, "running a program with a time limit") == 0;
}

int
run_verify_cfg(tool *t)
{
   (void)t;
   return trouble(NO_CHILD, "`heddle verify-cfg`");
}

/* Many files; one process */

bool
host_list_files(const char *folder, void (*add)(void *user, const char *path), void *user)
{
   const size_t size = strlen(folder) + MAX_PATH + 2;
   char *path = malloc(size);
   WIN32_FIND_DATAA found;
   bool ok = path != NULL;

   if (!path)
      return false;
   snprintf(path, size, "%s/*", folder);
   const HANDLE search = FindFirstFileA(path, &found);
   for (bool more = search != INVALID_HANDLE_VALUE; more && ok;
        more = FindNextFileA(search, &found)) {
      if (!strcmp(found.cFileName, ".") || !strcmp(found.cFileName, ".."))
         continue;
      snprintf(path, size, "%s/%s", folder, found.cFileName);
      if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY))
         add(user, path);
      else if (!(found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
         ok = host_list_files(path, add, user);
   }
   if (search == INVALID_HANDLE_VALUE)
      ok = false;
   else
      FindClose(search);
   free(path);
   return ok;
}

unsigned
host_num_cores(void)
{
   return 1;
}

int
host_run_workers(int (*work)(void *user, unsigned worker), void *user, unsigned num)
{
   int result = 0;

   for (unsigned n = 0; n < num; n++) {
      const int own = work(user, n);
      result = own ? own : result;
   }
   return result;
}
