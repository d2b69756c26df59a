/* SPDX-License-Identifier: MIT */
/* targets.h - what --target names, and what commands ask of a machine. */
#ifndef HEDDLE_TOOLS_TARGETS_H
#define HEDDLE_TOOLS_TARGETS_H

#include "tool.h"

#include "heddle/explore.h"
#include "heddle/target.h"
#include "heddle/wave.h"

struct program;
struct crew;

/* Counts that not every machine has, and their names. */
enum { NUM_UNIT_FIGURES = 7 };
extern const char *const unit_figure_names[NUM_UNIT_FIGURES];

/* What `compare` and `db` show of a compiled shader. */
typedef struct figures {
   uint32_t instructions;
   uint32_t mask_instructions; /* those that only manage lanes */
   uint32_t branches;
   uint32_t scalars, vectors;        /* registers */
   uint32_t bytes;                   /* of instructions */
   uint32_t units[NUM_UNIT_FIGURES]; /* by unit_figure_names; or NO_FIGURE */
} figures;

#define NO_FIGURE UINT32_MAX

/* What the commands do on a machine. */
typedef struct machine {
   /* compile: the exit code. */
   int (*compile)(tool *t, const hd_target *target, hd_shader *shader);
   /* compile --all-kernels; NULL: this machine has no code objects of several kernels. */
   int (*compile_all)(tool *t, const hd_target *target);
   /* run: 0 with *result, or the exit code if the options do not fit. */
   int (*run)(tool *t, const hd_target *target, const hd_shader *shader,
              const hd_wave_launch *launch, hd_result *result);
   /* run of a code object: the exit code; NULL: there are none. */
   int (*run_object)(tool *t);
   /* as and dis; `name` is for messages. */
   hd_result (*assemble)(const hd_config *config, const char *file, const char *text, size_t length,
                         hd_blob *code);
   hd_result (*disassemble)(const hd_config *config, bool words, const void *code, size_t size,
                            hd_blob *text, size_t *unknown);
   /* Instead of these, where a machine has several targets. */
   hd_result (*assemble_for)(tool *t, const hd_target *target, const char *name, const char *text,
                             size_t size, hd_blob *code);
   hd_result (*disassemble_for)(tool *t, const hd_target *target, const char *name,
                                const void *data, size_t size, hd_blob *text);
   /* explore: hd_compile_options.own for a shader in a launch (which may be NULL), with the lowering of
    * this number, as hd_compile answers; and give it back. NULL: the defaults.
    */
   hd_result (*create_options)(const hd_shader *shader, const hd_wave_launch *launch,
                               unsigned lowering, void **own);
   void (*destroy_options)(const hd_shader *shader, void *own);
   /* explore: run a binary that was compiled with these options, and report it. NULL: this machine is
    * not explored.
    */
   hd_result (*simulate)(void *own, const hd_shader *shader, const hd_target_binary *binary,
                         const hd_wave_launch *launch, hd_explore_trace *trace);
   /* The names of the control-flow lowerings, the default first, NULL after the last: an array whose name
    * ends so, from which the build makes the man page, too.
    */
   const char *const *lowerings;
   /* compare: the figures of what a shader was compiled to. */
   void (*count)(const hd_target_binary *binary, figures *out);
   /* verify-cfg: change.agrees of verify/judge.h; NULL: programs are not run on this machine. */
   bool (*agrees)(const struct program *p, const struct crew *crews, unsigned num_crews,
                  char what[256], unsigned *crew, unsigned *wave);
   /* What --target is where it is not given; NULL: the first target of the machine. */
   const char *default_target;
} machine;

/* Each is in the file of its name, which is built with the backend. */
extern const machine gcn_machine, gen9_machine, nyuzi_machine, r700_machine;

/* What --target asks for; where it is not given, the default of the first machine. NULL: this build
 * has no such target, and a message was printed.
 */
const hd_target *find_target(const tool *t);
/* The one of this name, with the same message. */
const hd_target *find_named_target(const char *name);
/* The targets of this build, a line each, for help. */
void print_targets(void);
/* What the commands do on it. */
const machine *machine_of(const hd_target *target);
/* The figures of a shader that is compiled with the lowering of this number, for this launch, which may be
 * NULL, as hd_compile answers.
 */
hd_result measure_shader(const hd_target *target, unsigned lowering, const hd_shader *shader,
                         const hd_wave_launch *launch, figures *out);
/* hd_explore_input.measure: the same figures under their names. */
unsigned measure_binary(const hd_target_binary *binary,
                        hd_explore_statistic out[HD_EXPLORE_MAX_STATISTICS]);
/* What a simulator is given to tell of its registers and stores; `user` is the hd_explore_trace. */
void tell_register(void *user, const hd_wave_register *reg);
void tell_store(void *user, const hd_wave_stored *store);
/* The machine whose code objects `run` takes. NULL: none in this build. */
const machine *find_object_machine(void);
/* -O of compile: 0 to 2, which is where it is not given. False: a message was printed. */
bool read_level(const tool *t, unsigned *level);
/* A number of an option, up to `most`; without the option *out stays. False: a message was printed. */
bool read_number(const tool *t, const char *name, uint32_t most, uint32_t *out);
/* run --trace=json: a step of a wave and the lanes that run it; `pc` as the machine counts. Spaces that begin
 * the text go.
 */
void print_step_json(uint32_t workgroup, uint32_t wave, uint64_t pc, uint64_t mask,
                     const char *text);
/* after_phase of compile options: prints the program if `user`, the value of --print-after, is its name
 * or empty.
 */
void print_after_phase(void *user, const char *phase, const char *text);
/* The number of the word that an option's value is; `none` where it is not given; -1: it is none of
 * them, and a message was printed.
 */
int choose_word(tool *t, const char *name, const char *const *words, int none);
bool has_suffix(const char *path, const char *suffix);

/* A figure of what was compiled: its name in JSON, and for people. */
typedef struct stat_row {
   const char *key, *words;
   uint32_t value;
} stat_row;

/* `name`: of one kernel among others; NULL: it is alone. */
void print_stat_rows(const tool *t, const char *name, const stat_row *rows, size_t num, FILE *file);
/* compile of a machine that has no code objects: `options` has what is the machine's own. */
int compile_for_target(tool *t, const hd_target *target, const hd_shader *shader,
                       hd_compile_options *options,
                       void (*print_stats)(const tool *t, const hd_target_binary *binary,
                                           FILE *file));
/* Is one of these options given, a list that ends with NULL? Then a message was printed: they are
 * for another machine.
 */
bool refuse_options(const tool *t, const char *const *names, const hd_target *target);

#endif
