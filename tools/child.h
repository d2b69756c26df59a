/* SPDX-License-Identifier: MIT */
/* child.h - work in a child process, where it may crash or never end: for callers that look for
 * what is wrong with a pass.
 */
#ifndef HEDDLE_TOOLS_CHILD_H
#define HEDDLE_TOOLS_CHILD_H

#include "tool.h"

#include "heddle/pass.h"

/* How a child ended, and what it wrote to both outputs (a MiB at most). */
typedef struct ending {
   bool timed_out;
   int signal; /* that ended it, or 0 */
   int status; /* else what it exited with */
   char *output;
   size_t size;
} ending;

void free_ending(ending *e);
/* The same signal, the same exit status, or no end in time. */
bool is_same_ending(const ending *a, const ending *b);
/* "exit status 3", "signal 11", "no end within 10 s". */
void describe_ending(const ending *e, unsigned seconds, char text[64]);

/* Call `work` in a child; it exits with what that returns. Its standard input is `input`, or
 * nothing where that is NULL. After so many seconds it is ended, with all that it started. False:
 * it could not be begun, and a message was printed.
 */
bool run_in_child(int (*work)(void *user), void *user, const char *input, unsigned seconds,
                  ending *e);

/* The same with a program, whose arguments end with NULL; false also where it cannot be run. */
bool run_program(char **argv, const char *input, unsigned seconds, ending *e);

/* Run a program on a candidate, a file: its name takes the place of `{}` in the arguments; where
 * none has it, it is the standard input. `argv` ends with NULL.
 */
bool run_command(char **argv, const char *candidate, unsigned seconds, ending *e);

/* What a list of passes does with a shader, in a child. */
enum verdict { RIGHT = 0, BREAKS_RULES = 101, DIFFERS = 103, NOT_RUN = 104 };

/* Run passes on a copy with every check, then compare (heddle/compare.h). What is wrong is in the
 * output. Where the shader has a race, or does what no program may, only the checks count. A
 * filter, if not NULL, is how many functions the last pass may see.
 */
bool judge_passes(hd_shader *shader, const hd_pass_step *steps, uint32_t num,
                  const uint32_t *filter, unsigned seconds, ending *e);

/* Run passes on a copy in a child, which writes the text of the result to a file. */
bool apply_passes(hd_shader *shader, const hd_pass_step *steps, uint32_t num,
                  const uint32_t *filter, const char *file, unsigned seconds, ending *e);

/* An empty temporary file; its name is in `path`. False: a message was printed. */
bool make_candidate_file(char path[256]);

/* --timeout=SECONDS. False: a message was printed. */
bool read_timeout(const tool *t, unsigned *seconds);

#endif
