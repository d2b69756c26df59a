/* SPDX-License-Identifier: MIT */
/* tool.h - the frame of the heddle command: one row a subcommand, one file each.
 *
 * Exit codes: 0, it is done; 1, the input is invalid and diagnostics say why; 2, the command could
 * not be carried out: wrong usage, a file that cannot be read or written, no memory.
 */
#ifndef HEDDLE_TOOLS_TOOL_H
#define HEDDLE_TOOLS_TOOL_H

#include "heddle/check.h"
#include "heddle/pass.h"
#include "heddle/spirv.h"

#define EXIT_BAD_INPUT 1
#define EXIT_TROUBLE   2

typedef struct option {
   const char *name; /* "output": --output and, where letter is not 0, -o */
   char letter;
   const char *arg;     /* "FILE"; "[FILE]" where it may be left out; NULL for a switch */
   const char *meaning; /* one line */
} option;

#define MAX_OPTIONS 28
#define END_OF_OPTIONS                                                                             \
   {                                                                                               \
      NULL, 0, NULL, NULL                                                                          \
   }

/* What an input may cost where neither --unlimited nor another number is given: memory, and steps
 * that take some ten seconds.
 */
#define DEFAULT_MEMORY     (UINT64_C(2) << 30)
#define DEFAULT_STEPS      UINT64_C(100000000)
#define DEFAULT_STEPS_TEXT "10^8"

typedef struct tool tool;

typedef struct command {
   const char *name;
   const char *operands; /* "[FILE...]" */
   const char *summary;  /* one line */
   const char *details;  /* paragraphs for its help page, or "" */
   option options[MAX_OPTIONS];
   int (*run)(tool *t);
} command;

struct tool {
   const command *command;
   const char *values[MAX_OPTIONS]; /* by row of command->options; a switch that is set: "" */
   const char *common[MAX_OPTIONS]; /* the same for the options of every command */
   char **operands;                 /* NULL after the last */
   int num_operands;
   int num_before; /* of these, how many stand before a `--` */
   bool json, color_out, color_err;
   hd_validate_options rules; /* what load_shader asks besides the defaults */
   hd_config config;          /* for shaders: budget and diagnostics */
   unsigned num_errors;
   bool was_binary; /* what load_shader read last */
   bool was_spirv;
   hd_spirv_info *spirv_info; /* of it, where the command asked for it with wants_info */
   bool wants_info;
   bool quiet;        /* explain() prints nothing: the command says what was wrong */
   const char *entry; /* of SPIR-V, to read now; NULL: as --entry says */
   uint32_t stages;   /* of SPIR-V, to read now: 1u << hd_stage; 0: as --stage says */
};

extern const command *const commands[];
extern const option common_options[];

/* Options */

/* Fill in `t` from the arguments after the command's name. False: a message was printed. */
bool parse_arguments(tool *t, int argc, char **argv);
/* The value of an option of this command, NULL when it was not given, "" when without a value. */
const char *option_value(const tool *t, const char *name);
bool option_given(const tool *t, const char *name);
/* A message on standard error, "heddle: ...", with a newline. Returns EXIT_TROUBLE. */
int trouble(const char *format, ...) HD_PRINTF(1, 2);
/* The same for a result that is not HD_OK; EXIT_BAD_INPUT if the input is invalid. */
int explain(const tool *t, const char *what, hd_result result);

/* Files */

/* Read a whole file, up to what --max-memory allows; "-" is standard input. 0, or the exit code: a
 * message was printed. free() the data.
 */
int read_file(const tool *t, const char *path, char **data, size_t *size);
/* Write a file whole or not at all: what was there stays until all is written, and what replaces it
 * has its mode. A link stays, the file that it names is replaced. What is no regular file, such as
 * a pipe, is written to. NULL or "-" is standard output. False: a message was printed.
 */
bool write_file(const char *path, const void *data, size_t size);

/* Read text, binary or SPIR-V and validate it, unless --no-validate is given. NULL: diagnostics or
 * a message were printed, and *status is the exit code.
 */
hd_shader *load_shader(tool *t, const char *path, int *status);
/* The same from what was read; `name` is for messages. */
hd_shader *read_shader(tool *t, const char *name, const void *data, size_t size, int *status);

/* What the commands are called with most: one input, standard input when none is named. NULL with
 * *status set when there are more.
 */
hd_shader *load_only_shader(tool *t, int *status);

/* spirv_input.c: modules of SPIR-V, in either order of bytes; --entry and --spec apply. */
bool is_spirv(const void *data, size_t size);
hd_result read_spirv(tool *t, const char *name, const void *data, size_t size, hd_shader **shader);
/* What --entry and --spec ask for. False: a message was printed. */
#define MAX_SPIRV_CONSTANTS 256
bool read_spirv_options(tool *t, const char *name, size_t size,
                        hd_spirv_constant constants[MAX_SPIRV_CONSTANTS],
                        hd_spirv_options *options);
hd_result read_spirv_info(tool *t, const char *name, const void *data, size_t size,
                          hd_spirv_info **info);

/* cmd_opt.c: the list of --passes, or that of -O. 0, or the exit code: a message was printed. */
int read_passes(tool *t, hd_pass_list *list);

/* Strings that come from inputs: a shader's names, names of files. No other way prints them. */
/* As a part of a line: what is not printable is escaped. */
void print_escaped(FILE *file, const char *s);
/* After its sigil, or without one where that is 0, as the text form writes it. */
void print_name(FILE *file, char sigil, const char *name);
void print_json_string(FILE *file, const char *s);

int run_validate(tool *t);
int run_print(tool *t);
int run_convert(tool *t);
int run_diff(tool *t);
int run_link_stages(tool *t);
int run_draw(tool *t);
int run_divergence(tool *t);
int run_explore(tool *t);
int run_check_motion(tool *t);
int run_stats(tool *t);
int run_hash(tool *t);
int run_ops(tool *t);
int run_rules(tool *t);
int run_opt(tool *t);
int run_compile(tool *t);
int run_compare(tool *t);
int run_db(tool *t);
int run_reduce(tool *t);
int run_bisect(tool *t);
int run_run(tool *t);
int run_structurize(tool *t);
int run_unstructure(tool *t);
int run_linearize(tool *t);
int run_reconverge(tool *t);
int run_lower_returns(tool *t);
int run_spirv_info(tool *t);
int run_verify_cfg(tool *t);
int run_as(tool *t);
int run_dis(tool *t);
int run_help(tool *t);

#endif
