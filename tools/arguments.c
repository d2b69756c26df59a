/* SPDX-License-Identifier: MIT */
/* arguments.c - options and operands; messages of the tool itself. */
#include "host.h"

#include "heddle/base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Settled when the arguments are read: who reads JSON reads no other message. */
static bool json_messages;

int
trouble(const char *format, ...)
{
   char message[8192];
   va_list args;

   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   if (json_messages) {
      hd_diag_print_json(stderr, &(hd_diag){ .severity = HD_ERROR, .message = message });
   } else {
      fputs("heddle: ", stderr);
      print_escaped(stderr, message);
   }
   fputc('\n', stderr);
   return EXIT_TROUBLE;
}

int
explain(const tool *t, const char *what, hd_result result)
{
   const char *memory = option_value(t, "max-memory"), *steps = option_value(t, "max-steps");

   if (result == HD_OK)
      return 0;
   if (result == HD_INVALID || result == HD_BAD_LAUNCH || result == HD_FAULT)
      return EXIT_BAD_INPUT;
   if (!t->quiet && result == HD_BUDGET_EXCEEDED)
      trouble("%s: budget exceeded (%s%s%s%s%s%s)", what,
              memory || steps ? "" : "the default; --unlimited lifts it",
              memory ? "--max-memory=" : "", memory ? memory : "", memory && steps ? ", " : "",
              steps ? "--max-steps=" : "", steps ? steps : "");
   else if (!t->quiet)
      trouble("%s: %s", what, hd_result_name(result));
   return result == HD_OUT_OF_MEMORY ? EXIT_TROUBLE : EXIT_BAD_INPUT;
}

/* The row of an option by name or letter; sets *values to where its value belongs. */
static const option *
find_option(tool *t, const char *name, size_t length, char letter, const char ***value)
{
   for (int k = 0; k < 2; k++) {
      const option *table = k ? common_options : t->command->options;
      for (int n = 0; table[n].name; n++) {
         const option *o = &table[n];
         if (name ? strlen(o->name) == length && !strncmp(o->name, name, length)
                  : letter && o->letter == letter) {
            *value = k ? &t->common[n] : &t->values[n];
            return o;
         }
      }
   }
   return NULL;
}

static const char *
common_value(const tool *t, const char *name)
{
   for (int n = 0; common_options[n].name; n++) {
      if (!strcmp(common_options[n].name, name))
         return t->common[n];
   }
   return NULL;
}

const char *
option_value(const tool *t, const char *name)
{
   for (int n = 0; t->command->options[n].name; n++) {
      if (!strcmp(t->command->options[n].name, name))
         return t->values[n];
   }
   return common_value(t, name);
}

bool
option_given(const tool *t, const char *name)
{
   return option_value(t, name) != NULL;
}

static bool
parse_count(const char *name, const char *value, uint64_t *count)
{
   char *end;

   if (!value)
      return true;
   errno = 0;
   *count = strtoull(value, &end, 10);
   if (*value < '0' || *value > '9' || *end || errno || !*count || *count > SIZE_MAX) {
      trouble("--%s wants a number from 1, not '%s'", name, value);
      return false;
   }
   return true;
}

static bool
no_option(const tool *t, const char *arg)
{
   trouble("'%s' is no option of `heddle %s`; `heddle help %s` lists them", arg, t->command->name,
           t->command->name);
   return false;
}

/* The value of an option is what was given with it, or the next argument where there must be one.
 */
static bool
take_value(const option *o, const char *given, int argc, char **argv, int *n, const char **value)
{
   if (!given && o->arg[0] == '[')
      given = "";
   if (!given && ++*n < argc)
      given = argv[*n];
   if (!given)
      trouble("--%s wants a value: %s", o->name, o->arg);
   *value = given;
   return given != NULL;
}

static bool
parse_long_option(tool *t, int argc, char **argv, int *n)
{
   const char *name = argv[*n] + 2, *equals = strchr(name, '='), **value;
   size_t length = equals ? (size_t)(equals - name) : strlen(name);
   const option *o = find_option(t, name, length, 0, &value);

   if (!o)
      return no_option(t, argv[*n]);
   if (o->arg)
      return take_value(o, equals ? equals + 1 : NULL, argc, argv, n, value);
   if (equals) {
      trouble("--%s takes no value", o->name);
      return false;
   }
   *value = "";
   json_messages |= !strcmp(o->name, "json");
   return true;
}

/* -a, -abc for switches, -aVALUE or -a VALUE. */
static bool
parse_short_options(tool *t, int argc, char **argv, int *n)
{
   const char *arg = argv[*n], **value;

   for (const char *letter = arg + 1; *letter; letter++) {
      const option *o = find_option(t, NULL, 0, *letter, &value);
      if (!o)
         return no_option(t, arg);
      if (o->arg)
         return take_value(o, letter[1] ? letter + 1 : NULL, argc, argv, n, value);
      *value = "";
   }
   return true;
}

static bool
common_settings(tool *t)
{
   const char *color = option_value(t, "color");
   const bool unlimited = option_given(t, "unlimited");
   uint64_t memory = unlimited ? 0 : DEFAULT_MEMORY;
   uint64_t steps = unlimited ? 0 : DEFAULT_STEPS;
   bool always = color && !strcmp(color, "always");
   bool never = (color && !strcmp(color, "never")) || (!color && getenv("NO_COLOR"));

   if (color && !always && !never && strcmp(color, "auto")) {
      trouble("--color is auto, always or never, not '%s'", color);
      return false;
   }
   t->color_out = always || (!never && host_is_terminal(stdout));
   t->color_err = always || (!never && host_is_terminal(stderr));
   t->json = option_given(t, "json");
   if (!parse_count("max-memory", option_value(t, "max-memory"), &memory) ||
       !parse_count("max-steps", option_value(t, "max-steps"), &steps))
      return false;
   t->config.budget = (hd_budget){ memory < SIZE_MAX ? (size_t)memory : SIZE_MAX, steps };
   return true;
}

bool
parse_arguments(tool *t, int argc, char **argv)
{
   bool only_operands = false;

   /* Operands move to the front of the array as options are taken out of it. */
   t->operands = argv;
   for (int n = 0; n < argc; n++) {
      if (only_operands || argv[n][0] != '-' || !argv[n][1]) {
         argv[t->num_operands++] = argv[n];
      } else if (!strcmp(argv[n], "--")) {
         only_operands = true;
         t->num_before = t->num_operands;
      } else if (!(argv[n][1] == '-' ? parse_long_option : parse_short_options)(t, argc, argv,
                                                                                &n)) {
         return false;
      }
   }
   if (!only_operands)
      t->num_before = t->num_operands;
   argv[t->num_operands] = NULL;
   if (!common_settings(t))
      return false;
   if (option_given(t, "help")) {
      static char *name[1];
      name[0] = (char *)(uintptr_t)t->command->name;
      t->operands = name;
      t->num_operands = 1;
      memset(t->values, 0, sizeof(t->values));
      for (const command *const *c = commands; *c; c++) {
         if ((*c)->run == run_help)
            t->command = *c;
      }
   }
   return true;
}

/* Write what was made of a string. Where there is no memory for it the string is left out. */
static void
put(FILE *file, hd_blob *blob)
{
   if (blob->result == HD_OK && blob->data)
      fwrite(blob->data, 1, blob->size, file);
   hd_blob_finish(blob);
}

void
print_escaped(FILE *file, const char *s)
{
   hd_blob blob = { 0 };

   hd_blob_escape(&blob, s);
   put(file, &blob);
}

void
print_name(FILE *file, char sigil, const char *name)
{
   hd_blob blob = { 0 };

   hd_blob_name(&blob, sigil, name);
   put(file, &blob);
}

void
print_json_string(FILE *file, const char *s)
{
   hd_blob blob = { 0 };

   hd_blob_json(&blob, s, strlen(s));
   if (blob.result != HD_OK)
      fputs("null", file);
   put(file, &blob);
}
