/* SPDX-License-Identifier: MIT */
/* jobs.h - what the hosts of the judges share: lists of jobs, each in a process that may crash.
 *
 * A list of jobs is a text file, a job a line of KEY=VALUE words, for example
 *
 *    name=flow_if file=flow_if.spv groups=2,1,1 buffer=0.0:in.bin:out.bin
 *
 * The answer to each is a line of JSON on standard output: {"name": "flow_if", ...}, with "error"
 * where it did not work.
 */
#ifndef SPIRV_HOST_JOBS_H
#define SPIRV_HOST_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_WORDS = 128 };

struct job {
   char *line;
   const char *keys[MAX_WORDS];
   char *values[MAX_WORDS];
   unsigned num_words;
};

/* Runs jobs one after the other; answers through job_answer, job_error or its own line. */
typedef void (*job_run)(void *state, struct job *job);
/* Made once in each process, before its first job; NULL ends the program with status 2. */
typedef void *(*job_start)(void *options);

/* Each job of the file at `path`, in a child; when one crashes, or takes more than `seconds`, the
 * answer to it says so, and a new child goes on with the next. Returns the program's exit status.
 */
int jobs_run(const char *path, unsigned seconds, job_start start, job_run run, void *options);

/* The value of the first word with this key, or NULL. */
const char *job_value(const struct job *job, const char *key);
/* Up to `count` numbers separated by commas; those that are not given are 1. */
void job_sizes(const struct job *job, const char *key, unsigned count, uint32_t *sizes);

void job_answer(const struct job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void job_error(const struct job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A string in quotes, escaped. */
void job_print_string(const char *text);

/* NULL if it cannot be read. An empty file is one byte long. */
void *file_read(const char *path, size_t *size);
bool file_write(const char *path, const void *data, size_t size);
/* Bytes written as hexadecimal digits; returns how many. */
size_t hex_read(const char *text, uint8_t *bytes, size_t capacity);
/* CPU time of this process. */
double cpu_seconds(void);

#endif
