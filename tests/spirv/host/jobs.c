/* SPDX-License-Identifier: MIT */
/* jobs.c - lists of jobs, each in a process that may crash. */
#include "jobs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *
file_read(const char *path, size_t *size)
{
   FILE *file = fopen(path, "rb");
   if (!file)
      return NULL;
   fseek(file, 0, SEEK_END);
   long length = ftell(file);
   rewind(file);
   void *data = length < 0 ? NULL : calloc(1, (size_t)length + 1);
   if (data && fread(data, 1, (size_t)length, file) != (size_t)length) {
      free(data);
      data = NULL;
   }
   fclose(file);
   *size = data ? (size_t)length : 0;
   return data;
}

bool
file_write(const char *path, const void *data, size_t size)
{
   FILE *file = fopen(path, "wb");
   if (!file)
      return false;
   bool done = fwrite(data, 1, size, file) == size;
   return fclose(file) == 0 && done;
}

size_t
hex_read(const char *text, uint8_t *bytes, size_t capacity)
{
   size_t n = 0;
   unsigned byte;

   while (n < capacity && sscanf(text + 2 * n, "%2x", &byte) == 1)
      bytes[n++] = (uint8_t)byte;
   return n;
}

double
cpu_seconds(void)
{
   struct timespec now;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
   return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

const char *
job_value(const struct job *job, const char *key)
{
   for (unsigned k = 0; k < job->num_words; k++)
      if (!strcmp(job->keys[k], key))
         return job->values[k];
   return NULL;
}

void
job_sizes(const struct job *job, const char *key, unsigned count, uint32_t *sizes)
{
   const char *text = job_value(job, key);

   for (unsigned k = 0; k < count; k++) {
      sizes[k] = 1;
      if (text && *text) {
         char *end;
         sizes[k] = (uint32_t)strtoul(text, &end, 0);
         text = *end == ',' ? end + 1 : end;
      }
   }
}

void
job_print_string(const char *text)
{
   putchar('"');
   for (const char *c = text; *c; c++) {
      if (*c == '"' || *c == '\\')
         printf("\\%c", *c);
      else if ((unsigned char)*c < 0x20)
         printf("\\u%04x", (unsigned)*c);
      else
         putchar(*c);
   }
   putchar('"');
}

void
job_answer(const struct job *job, const char *format, ...)
{
   va_list list;

   printf("{\"name\": ");
   job_print_string(job_value(job, "name") ? job_value(job, "name") : "");
   va_start(list, format);
   vprintf(format, list);
   va_end(list);
   printf("}\n");
   fflush(stdout);
}

void
job_error(const struct job *job, const char *format, ...)
{
   char text[512];
   va_list list;

   va_start(list, format);
   vsnprintf(text, sizeof text, format, list);
   va_end(list);
   printf("{\"name\": ");
   job_print_string(job_value(job, "name") ? job_value(job, "name") : "");
   printf(", \"error\": ");
   job_print_string(text);
   printf("}\n");
   fflush(stdout);
}

/* Cut a line into its words, in place. */
static void
split(struct job *job, char *line)
{
   char *rest = line;

   *job = (struct job){ .line = line };
   for (char *word; (word = strtok_r(rest, " \n", &rest)) && job->num_words < MAX_WORDS;) {
      char *equals = strchr(word, '=');
      job->keys[job->num_words] = word;
      job->values[job->num_words++] = equals ? equals + 1 : word + strlen(word);
      if (equals)
         *equals = 0;
   }
}

/* The lines of a text, cut in place; returns how many. */
static size_t
lines_of(char *text, char ***lines)
{
   size_t count = 0, capacity = 0;

   *lines = NULL;
   for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest));) {
      if (count == capacity) {
         capacity = capacity * 2 + 64;
         char **more = realloc(*lines, capacity * sizeof *more);
         if (!more)
            return count;
         *lines = more;
      }
      (*lines)[count++] = line;
   }
   return count;
}

int
jobs_run(const char *path, unsigned seconds, job_start start, job_run run, void *options)
{
   size_t size, count = 0;
   char **lines;
   char *text = file_read(path, &size);
   /* How far the child is, where the parent can see it. */
   volatile size_t *next =
       mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

   if (!text || next == MAP_FAILED) {
      fprintf(stderr, "cannot read %s\n", path);
      return 2;
   }
   count = lines_of(text, &lines);
   while (*next < count) {
      fflush(stdout);
      pid_t child = fork();
      if (child == 0) {
         void *state = start(options);
         if (!state)
            _exit(2);
         while (*next < count) {
            struct job job;
            split(&job, lines[*next]);
            alarm(seconds);
            run(state, &job);
            alarm(0);
            fflush(stdout);
            ++*next;
         }
         /* Drivers' threads and destructors have nothing to say any more. */
         _exit(0);
      }
      int status = 0;
      if (child < 0 || waitpid(child, &status, 0) < 0)
         return 2;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
         return 2;
      if (*next < count) {
         struct job job;
         split(&job, lines[(*next)++]);
         if (WIFSIGNALED(status) && WTERMSIG(status) == 14)
            job_error(&job, "takes more than %u seconds", seconds);
         else
            job_error(&job, "crashes, status %#x", (unsigned)status);
      }
   }
   free(lines);
   free(text);
   return 0;
}
