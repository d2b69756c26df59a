/* SPDX-License-Identifier: MIT */
/* host_posix.c - files, terminals and child processes, where there is POSIX. */
#include "child.h"
#include "host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void
host_prepare(void)
{
   /* A file that must not grow any more is an error to report, and its beginning is to be removed. */
   signal(SIGXFSZ, SIG_IGN);
}

bool
host_is_terminal(FILE *file)
{
   return isatty(fileno(file));
}

uint64_t
host_regular_size(FILE *file)
{
   struct stat st;

   return !fstat(fileno(file), &st) && S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size
                                                                             : 0;
}

/* Files */

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
host_write_output(const void *data, size_t size)
{
   return write_all(STDOUT_FILENO, data, size);
}

bool
host_write_file(const char *path, const void *data, size_t size)
{
   char *target = replaceable(path);
   const bool ok = target ? replace_file(target, data, size) : write_in_place(path, data, size);
   const int error = errno;

   free(target);
   errno = error;
   return ok;
}

bool
host_temporary_file(char path[256])
{
   const char *folder = getenv("TMPDIR");

   snprintf(path, 256, "%.200s/heddle.XXXXXX", folder && *folder ? folder : "/tmp");
   const int fd = mkstemp(path);
   if (fd < 0)
      return false;
   close(fd);
   return true;
}

/* Child processes */

#define MAX_OUTPUT (1u << 20)

static uint64_t
milliseconds(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Read until the other end is closed or time is up. False: time is up. */
static bool
collect(int fd, uint64_t deadline, ending *e)
{
   char buffer[4096];

   e->output = calloc(1, MAX_OUTPUT + 1);
   for (;;) {
      const uint64_t now = milliseconds();
      struct pollfd wait = { .fd = fd, .events = POLLIN };
      if (now >= deadline)
         return false;
      const int ready = poll(&wait, 1, (int)(deadline - now));
      if (ready < 0 && errno == EINTR)
         continue;
      const ssize_t got = ready > 0 ? read(fd, buffer, sizeof(buffer)) : 0;
      if (ready > 0 && got <= 0)
         return true;
      const size_t room = MAX_OUTPUT - e->size, used = (size_t)got < room ? (size_t)got : room;
      if (e->output)
         memcpy(e->output + e->size, buffer, used);
      e->size += used;
   }
}

static void
be_child(int (*work)(void *user), void *user, const char *input, int out)
{
   const int in = open(input ? input : "/dev/null", O_RDONLY);

   setpgid(0, 0);
   if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
      _exit(126);
   /* Where the parent has no standard input, these may be the numbers wanted. */
   if (in > 2)
      close(in);
   if (out > 2)
      close(out);
   const int status = work(user);
   fflush(NULL);
   _exit(status);
}

bool
run_in_child(int (*work)(void *user), void *user, const char *input, unsigned seconds, ending *e)
{
   int ends[2], status = 0;

   *e = (ending){ 0 };
   fflush(NULL);
   if (pipe(ends) < 0) {
      trouble("no pipe: %s", strerror(errno));
      return false;
   }
   const pid_t child = fork();
   if (child < 0) {
      trouble("no child process: %s", strerror(errno));
      close(ends[0]);
      close(ends[1]);
      return false;
   }
   if (!child) {
      close(ends[0]);
      be_child(work, user, input, ends[1]);
   }
   setpgid(child, child);
   close(ends[1]);
   e->timed_out = !collect(ends[0], milliseconds() + seconds * UINT64_C(1000), e);
   if (e->timed_out)
      kill(-child, SIGKILL);
   close(ends[0]);
   while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
   e->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
   e->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
   return true;
}

#define CANNOT_RUN "heddle cannot run "

static int
execute(void *user)
{
   char **argv = user;

   execvp(argv[0], argv);
   fprintf(stderr, CANNOT_RUN "%s: %s\n", argv[0], strerror(errno));
   return 127;
}

/* A command that does not begin says nothing of the candidate. What a shell cannot find is its own
 * affair: it has the same status, and other words.
 */
static bool
began(const ending *e)
{
   const size_t length = strlen(CANNOT_RUN);

   if (e->status != 127 || !e->output || strncmp(e->output, CANNOT_RUN, length) != 0)
      return true;
   return trouble("cannot run %.*s", (int)strcspn(e->output + length, "\n"), e->output + length) ==
          0;
}

bool
run_program(char **argv, const char *input, unsigned seconds, ending *e)
{
   return run_in_child(execute, argv, input, seconds, e) && began(e);
}

/* Many files, many processes */

bool
host_list_files(const char *folder, void (*add)(void *user, const char *path), void *user)
{
   DIR *dir = opendir(folder);
   bool ok = dir != NULL;

   for (struct dirent *entry; ok && (entry = readdir(dir));) {
      struct stat st;
      if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
         continue;
      const size_t size = strlen(folder) + strlen(entry->d_name) + 2;
      char *path = malloc(size);
      if (!path) {
         ok = false;
         break;
      }
      snprintf(path, size, "%s/%s", folder, entry->d_name);
      if (!lstat(path, &st) && S_ISDIR(st.st_mode))
         ok = host_list_files(path, add, user);
      else if (!stat(path, &st) && S_ISREG(st.st_mode))
         add(user, path);
      free(path);
   }
   if (dir)
      closedir(dir);
   return ok;
}

unsigned
host_num_cores(void)
{
#ifdef _SC_NPROCESSORS_ONLN
   const long num = sysconf(_SC_NPROCESSORS_ONLN);

   return num > 1 ? (unsigned)num : 1;
#else
   return 1;
#endif
}

int
host_run_workers(int (*work)(void *user, unsigned worker), void *user, unsigned num)
{
   int result = 0, status;
   unsigned begun = 0;

   fflush(NULL);
   for (; begun + 1 < num; begun++) {
      const pid_t child = fork();
      if (child < 0)
         break;
      if (!child)
         _exit(work(user, begun));
   }
   /* This process does what is left. */
   for (unsigned n = begun; n < num; n++) {
      const int own = work(user, n);
      result = own ? own : result;
   }
   for (; begun; begun--) {
      if (wait(&status) < 0 || !WIFEXITED(status))
         result = EXIT_TROUBLE;
      else if (WEXITSTATUS(status))
         result = WEXITSTATUS(status);
   }
   return result;
}
