/* SPDX-License-Identifier: MIT */
/* isolate.c - run a test in a process of its own: it may crash, or not terminate. */
#include "judge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child tells, followed by the words of the crew. */
struct verdict {
   bool good;
   int change;
   bool by_run;
   uint32_t width, wave_word;
   char what[520];
};

static bool
send_all(int fd, const void *data, size_t size)
{
   const char *bytes = data;

   while (size) {
      const ssize_t n = write(fd, bytes, size);
      if (n < 0 && errno != EINTR)
         return false;
      bytes += n > 0 ? n : 0;
      size -= n > 0 ? (size_t)n : 0;
   }
   return true;
}

static bool
receive_all(int fd, void *data, size_t size)
{
   char *bytes = data;

   while (size) {
      const ssize_t n = read(fd, bytes, size);
      if (n == 0 || (n < 0 && errno != EINTR))
         return false;
      bytes += n > 0 ? n : 0;
      size -= n > 0 ? (size_t)n : 0;
   }
   return true;
}

static void
run_child(int fd, const program *p, const judge_options *options, const crew *crews,
          unsigned num_crews, unsigned seconds)
{
   tally t = { 0 };
   failure why = { 0 };
   const int nowhere = open("/dev/null", O_WRONLY);

   /* The last output of what crashes would be printed for every program that is tried. */
   if (nowhere >= 0)
      dup2(nowhere, STDERR_FILENO);
   setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
   signal(SIGALRM, SIG_DFL);
   alarm(seconds);
   struct verdict v = { .good = judge_program(p, options, crews, num_crews, &t, &why) };
   v.change = why.change;
   v.by_run = why.by_run;
   memcpy(v.what, why.what, sizeof(v.what));
   if (v.by_run) {
      v.width = why.crew.width;
      v.wave_word = why.crew.wave_words[0];
   }
   const bool sent = send_all(fd, &v, sizeof(v)) &&
                     (!v.by_run || send_all(fd, why.crew.words, v.width * sizeof(uint32_t)));
   _exit(sent ? 0 : 1);
}

static void
receive(int fd, struct verdict *v, failure *why)
{
   if (!receive_all(fd, v, sizeof(*v)))
      return;
   why->change = v->change;
   memcpy(why->what, v->what, sizeof(why->what));
   if (!v->by_run)
      return;
   why->crew = crew_make(v->width, 1);
   why->crew.wave_words[0] = v->wave_word;
   why->by_run = receive_all(fd, why->crew.words, v->width * sizeof(uint32_t));
}

bool
judge_apart(const program *p, const judge_options *options, const crew *crews, unsigned num_crews,
            unsigned seconds, failure *why)
{
   struct verdict v = { 0 };
   int ends[2], status = 0;

   *why = (failure){ .change = CHANGE_UNKNOWN };
   snprintf(why->what, sizeof(why->what), "no process could be started");
   if (pipe(ends) != 0)
      return false;
   fflush(NULL);
   const pid_t child = fork();
   if (child == 0) {
      close(ends[0]);
      run_child(ends[1], p, options, crews, num_crews, seconds);
   }
   close(ends[1]);
   if (child > 0) {
      receive(ends[0], &v, why);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR)
         ;
      if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
         snprintf(why->what, sizeof(why->what), "it did not come back in %u seconds", seconds);
      else if (WIFSIGNALED(status))
         snprintf(why->what, sizeof(why->what), "it crashed with signal %d", WTERMSIG(status));
      else if (WEXITSTATUS(status) != 0)
         snprintf(why->what, sizeof(why->what), "it ended the process with %d",
                  WEXITSTATUS(status));
   }
   close(ends[0]);
   return child > 0 && v.good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
