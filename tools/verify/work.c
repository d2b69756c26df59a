/* SPDX-License-Identifier: MIT */
/* work.c - processes that share a counter of pieces, each some graphs long.
 *
 * What a process did of a piece is one line of the resume file, written in one go when the piece is
 * done: a run that was cut off goes on with the pieces that have no line.
 */
#include "work.h"

#include "heddle/binary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_JOBS 256

/* What all processes see. */
struct shared {
   _Atomic uint64_t next_piece;
   _Atomic uint64_t graphs_done;
   _Atomic uint32_t num_places;
   place places[MAX_PLACES];
   struct process {
      place at;             /* what it is judging */
      bool working;         /* between two programs it is not */
      bool in_piece;        /* it has begun one and not ended it: */
      uint64_t piece, next; /* which, and the graph of the piece that comes next */
      tally tally;
   } process[MAX_JOBS];
};

struct running {
   const work *w;
   struct shared *shared;
   uint64_t num_graphs, piece_size, num_pieces;
   bool *done;  /* by piece */
   int log;     /* the resume file, or -1 */
   pid_t first; /* the process that waits for the others, or 0 */
};

static void
add_place(struct shared *s, const place *at)
{
   const uint32_t n = atomic_fetch_add(&s->num_places, 1);

   if (n < MAX_PLACES)
      s->places[n] = *at;
}

/* The resume file: a line of settings, then a line for each piece with the fields of its tally. */

#define TALLY_WORDS (sizeof(tally) / sizeof(uint64_t))

static void
write_settings(const struct running *r, char *line, size_t size)
{
   const work *w = r->w;

   snprintf(line, size,
            "heddle verify-cfg 1 build %.16s small %d ways %u graphs %" PRIu64
            " blocks %u-%u seed %" PRIu64 " first %" PRIu64 " share %" PRIu64
            " variants %x changes %x\n",
            hd_build_id(), w->source.small, w->source.most, r->num_graphs, w->source.min_blocks,
            w->source.max_blocks, w->source.seed, w->first, w->share, w->variants,
            w->options.chosen);
}

static void
log_piece(const struct running *r, uint64_t piece, const tally *t)
{
   uint64_t words[TALLY_WORDS];
   char line[32 + TALLY_WORDS * 21];
   int length = snprintf(line, sizeof(line), "%" PRIu64, piece);

   if (r->log < 0)
      return;
   memcpy(words, t, sizeof(words));
   for (size_t n = 0; n < TALLY_WORDS; n++)
      length += snprintf(line + length, sizeof(line) - (size_t)length, " %" PRIu64, words[n]);
   line[length++] = '\n';
   if (write(r->log, line, (size_t)length) != length)
      fprintf(stderr, "heddle: '%s' could not be written\n", r->w->resume);
}

/* Lines of pieces that are whole; what was cut off at the end is done again. */
static void
read_pieces(struct running *r, FILE *file, tally *sum)
{
   char line[64 + TALLY_WORDS * 21];

   while (fgets(line, sizeof(line), file) && strchr(line, '\n')) {
      uint64_t words[TALLY_WORDS];
      char *s = line;
      const uint64_t piece = strtoull(s, &s, 10);
      size_t n = 0;
      for (; n < TALLY_WORDS && *s == ' '; n++)
         words[n] = strtoull(s, &s, 10);
      if (n < TALLY_WORDS || *s != '\n' || piece >= r->num_pieces || r->done[piece])
         continue;
      tally t;
      memcpy(&t, words, sizeof(t));
      r->done[piece] = true;
      tally_add(sum, &t);
      r->shared->graphs_done += t.graphs;
   }
}

static bool
open_log(struct running *r, tally *sum)
{
   char want[512], have[512] = "";
   const char *name = r->w->resume;

   r->log = -1;
   if (!name)
      return true;
   write_settings(r, want, sizeof(want));
   FILE *file = fopen(name, "r");
   if (file && fgets(have, sizeof(have), file) && strcmp(have, want) != 0) {
      fprintf(stderr, "heddle: '%s' was written by a run with other settings:\n%s", name, have);
      fclose(file);
      return false;
   }
   if (file) {
      read_pieces(r, file, sum);
      fclose(file);
   }
   r->log = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
   if (r->log < 0) {
      fprintf(stderr, "heddle: '%s': %s\n", name, strerror(errno));
      return false;
   }
   const char *start = have[0] ? "\n" : want;
   if (write(r->log, start, strlen(start)) < 0)
      fprintf(stderr, "heddle: '%s' could not be written\n", name);
   return true;
}

/* A process */

static void
print_graph(const work *w, uint64_t number, const graph *g, const tally *t)
{
   fprintf(w->per_graph, "%" PRIu64 " ", number);
   graph_write(g, w->per_graph);
   for (unsigned n = 0; n < w->options.num_changes; n++) {
      if (t->by_change[n].programs)
         fprintf(w->per_graph, "  %s: %" PRIi64 " tests, %" PRIu64 " phis, %" PRIu64 " others",
                 w->options.changes[n].name,
                 (int64_t)(t->by_change[n].branches_after - t->by_change[n].branches_before),
                 t->by_change[n].selector_phis + t->by_change[n].edge_phis +
                     t->by_change[n].value_phis,
                 t->by_change[n].instructions);
   }
   fputc('\n', w->per_graph);
}

static void
judge_graph(const struct running *r, unsigned process, uint64_t number, const graph *g, program *p,
            tally *t)
{
   const work *w = r->w;
   judge_options options = w->options;
   tally own = { .graphs = 1 };

   for (unsigned v = 0; v < NUM_VARIANTS; v++) {
      failure why;
      if (!(w->variants >> v & 1) || !variant_make(p, g, v, w->source.seed, number))
         continue;
      r->shared->process[process].at = (place){ number, v };
      r->shared->process[process].working = true;
      alarm(w->seconds);
      options.count = v == VARIANT_PLAIN;
      if (!judge_program(p, &options, NULL, 0, &own, &why)) {
         add_place(r->shared, &(place){ number, v });
         if (why.by_run)
            crew_free(&why.crew);
      }
      r->shared->process[process].working = false;
   }
   alarm(0);
   if (w->per_graph)
      print_graph(w, number, g, &own);
   tally_add(t, &own);
}

static void
work_alone(const struct running *r, unsigned process)
{
   const work *w = r->w;
   struct process *own = &r->shared->process[process];
   reader reader;
   program p = { 0 };

   reader_begin(&reader, &w->source);
   for (;;) {
      /* What one that is gone has left of its piece is gone on with, and is not the whole piece. */
      const bool whole = !own->in_piece;
      const uint64_t piece = whole ? atomic_fetch_add(&r->shared->next_piece, 1) : own->piece;
      tally t = { 0 };
      if (piece >= r->num_pieces)
         break;
      if (r->done[piece])
         continue;
      own->piece = piece;
      own->in_piece = true;
      for (uint64_t n = whole ? 0 : own->next; n < r->piece_size; n++) {
         const uint64_t number = w->first + (piece * r->piece_size + n) * w->share;
         own->next = n + 1;
         if (number >= r->num_graphs || r->shared->num_places >= MAX_PLACES)
            break;
         /* Who was waiting has been ended: nobody wants to know any more. */
         if (r->first && getppid() != r->first)
            return;
         const graph *g = reader_get(&reader, number);
         if (!g)
            break;
         judge_graph(r, process, number, g, &p, &t);
         r->shared->graphs_done++;
      }
      own->in_piece = false;
      tally_add(&own->tally, &t);
      if (whole && t.failures == 0 && r->shared->num_places < MAX_PLACES)
         log_piece(r, piece, &t);
   }
   graph_free(&p.graph);
   reader_end(&reader);
}

/* The first process */

static double
seconds_now(void)
{
   struct timespec t;

   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
show_progress(const struct running *r, double begun, uint64_t done_before)
{
   const uint64_t done = r->shared->graphs_done;
   const uint64_t rest = r->num_graphs > r->w->first ? r->num_graphs - r->w->first : 0;
   const uint64_t all = (rest + r->w->share - 1) / r->w->share;
   const double spent = seconds_now() - begun;
   const double rate = spent > 0 ? (double)(done - done_before) / spent : 0;
   const unsigned width = 30, full = all ? (unsigned)(done * width / all) : width;
   const uint64_t left = rate > 0 ? (uint64_t)((double)(all - done) / rate) : 0;

   fprintf(stderr,
           "\r[%.*s%.*s] %" PRIu64 "/%" PRIu64 " graphs, %.0f a second, %" PRIu64 ":%02" PRIu64
           " left, %u failed  ",
           (int)(full < width ? full : width), "##############################",
           (int)(full < width ? width - full : 0), "..............................", done, all,
           rate, left / 60, left % 60, (unsigned)r->shared->num_places);
   fflush(stderr);
}

static pid_t
start_process(const struct running *r, unsigned n)
{
   const pid_t child = fork();

   if (child == 0) {
      setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
      work_alone(r, n);
      fflush(NULL);
      _exit(0);
   }
   return child;
}

/* A process that is gone before its work is done has met what it cannot live with: another one goes
 * on after that. False if there is one less.
 */
static bool
replace(const struct running *r, pid_t *children, pid_t child, int status)
{
   unsigned n = 0;

   while (n < r->w->jobs && children[n] != child)
      n++;
   if (n == r->w->jobs || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
      return false;
   struct process *p = &r->shared->process[n];
   if (!p->working) {
      fprintf(stderr, "heddle: a process ended with status %d\n", status);
      add_place(r->shared, &(place){ r->w->first, VARIANT_PLAIN });
      return false;
   }
   add_place(r->shared, &p->at);
   p->tally.failures++;
   p->working = false;
   children[n] = start_process(r, n);
   return children[n] > 0;
}

static void
work_together(struct running *r)
{
   pid_t children[MAX_JOBS];
   unsigned left = 0;
   const double begun = seconds_now();
   const uint64_t done_before = r->shared->graphs_done;

   fflush(NULL);
   r->first = getpid();
   for (unsigned n = 0; n < r->w->jobs; n++) {
      children[n] = start_process(r, n);
      left += children[n] > 0;
   }
   if (!left)
      fputs("heddle: no process could be started\n", stderr);
   while (left) {
      int status;
      const pid_t child = waitpid(-1, &status, r->w->progress ? WNOHANG : 0);
      if (child > 0) {
         left -= !replace(r, children, child, status);
      } else if (child == 0) {
         show_progress(r, begun, done_before);
         nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
      } else if (errno != EINTR) {
         break;
      }
   }
   if (r->w->progress) {
      show_progress(r, begun, done_before);
      fputc('\n', stderr);
   }
}

bool
work_run(const work *w, tally *t, place *places, unsigned *num_places)
{
   struct running r = { .w = w, .log = -1, .num_graphs = source_count(&w->source) };
   const uint64_t rest = r.num_graphs > w->first ? r.num_graphs - w->first : 0;

   r.piece_size = w->source.small || w->source.graphs ? 32 : 1;
   r.num_pieces = (rest + w->share * r.piece_size - 1) / (w->share * r.piece_size);
   r.shared =
       mmap(NULL, sizeof(*r.shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   if (r.shared == MAP_FAILED) {
      fputs("heddle: out of memory\n", stderr);
      return false;
   }
   r.done = must_alloc(r.num_pieces + 1);
   *t = (tally){ 0 };
   const bool good = open_log(&r, t);
   if (good && w->jobs == 1 && w->per_graph)
      work_alone(&r, 0);
   else if (good)
      work_together(&r);
   for (unsigned n = 0; n < MAX_JOBS; n++)
      tally_add(t, &r.shared->process[n].tally);
   const uint32_t failed = r.shared->num_places;
   *num_places = failed < MAX_PLACES ? failed : MAX_PLACES;
   memcpy(places, r.shared->places, *num_places * sizeof(*places));
   if (r.log >= 0)
      close(r.log);
   free(r.done);
   munmap(r.shared, sizeof(*r.shared));
   return good;
}
