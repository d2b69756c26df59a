/* SPDX-License-Identifier: MIT */
/* judge.h - differential test: does a transformation of a flat function preserve its meaning?
 *
 *    program --build--> function --change--> function --change--> ...
 *                          |                    |
 *                       observe              observe         with full waves, single lanes, subsets
 *                          |                    |
 *                          +------ the same? ---+
 */
#ifndef VERIFY_JUDGE_H
#define VERIFY_JUDGE_H

#include "heddle/structurize.h"
#include "observe.h"

/* What a change made, for callers that check it afterwards. */
typedef struct changed changed;
struct changed {
   hd_function *f;
   hd_function *from;     /* what it was made from */
   const changed *before; /* and how that was made; NULL for the input */
   hd_structurize_stats stats;
   hd_linear *linear;
};

/* A way to change a function. */
typedef struct change {
   const char *name;  /* "structurize" */
   const char *group; /* what --only calls it, and those that belong to it */
   int after; /* the number of the change whose result this one starts from; -1: the input */
   hd_wave_mode mode; /* how its result is run */
   /* Change c->f, which is a copy; fill in what the others need. NULL: `agrees` is asked. */
   hd_result (*apply)(changed *c);
   /* What is promised of the result besides its meaning; NULL: nothing. */
   bool (*holds)(const changed *c, char what[256]);
   /* Give back what `apply` made besides; also called where that failed; NULL: nothing. */
   void (*finish)(changed *c);
   bool always_run; /* also if it reads exactly as the input or an earlier result does */
   /* Compile the program, run it, and compare; `crew` and `wave` show what differs. */
   bool (*agrees)(const program *p, const crew *crews, unsigned num_crews, char what[256],
                  unsigned *crew, unsigned *wave);
} change;

#define MAX_CHANGES 20

/* Of the structurizers. */
extern const change changes[];
extern const unsigned num_changes;

/* What was done and added; sums over programs. */
typedef struct tally {
   uint64_t graphs, programs;
   uint64_t runs;  /* launches compared */
   uint64_t waves; /* in them */
   uint64_t failures;
   struct {
      uint64_t programs;
      uint64_t branches_before, branches_after;
      uint64_t selector_phis, edge_phis, value_phis;
      uint64_t instructions, constants, blocks;
   } by_change[MAX_CHANGES];
} tally;

void tally_add(tally *to, const tally *from);

#define CHANGE_UNKNOWN (-2) /* the process is gone */

typedef struct failure {
   int change; /* its number; -1: the input itself is at fault */
   bool by_run;
   crew crew; /* the wave that shows it, where a run does; to be freed */
   char what[520];
} failure;

typedef struct judge_options {
   const change *changes;
   unsigned num_changes;
   uint32_t chosen; /* bit n: change n; those that it comes after are made too, but not run */
   bool count;      /* add what the changes added to the sums */
} judge_options;

/* Judge a program with the crews; `crews` NULL: those that its branches ask for. False: `why` says
 * what is wrong. Declarations must be valid.
 */
bool judge_program(const program *p, const judge_options *options, const crew *crews,
                   unsigned num_crews, tally *t, failure *why);

/* The same in a process of its own, which is given so many seconds. Nothing is counted. */
bool judge_apart(const program *p, const judge_options *options, const crew *crews,
                 unsigned num_crews, unsigned seconds, failure *why);

/* Does the program keep the rules of the IR, those of declarations too? */
bool program_is_valid(const program *p);

/* The crews that a program is run with: at most 3. Returns how many. */
#define MAX_CREWS 3
unsigned crews_for(const program *p, crew crews[MAX_CREWS]);

/* A program, and a wave that runs it (NULL or of no width: those that it asks for), in one line
 * that can be read back. What is wrong with the text, or NULL; `c` is to be freed.
 */
void case_write(const program *p, const crew *c, FILE *file);
const char *case_read(program *p, crew *c, const char *text);

/* Take away from a program that fails, and from the wave at which it does, what can be taken away
 * while the same change still fails; at most `attempts` are made. `why` is written anew.
 */
void reduce_failure(program *p, const judge_options *options, unsigned attempts, failure *why);

#endif
