/* SPDX-License-Identifier: MIT */
/* cmd_help.c - heddle help: the command table as help; man page and completions are made with the
 * tool.
 */
#include "help_pages.h"
#include "targets.h"

#include "heddle/pass.h"

#include <string.h>

/* "=FILE", "[=FILE]" or nothing. */
static void
format_arg(const option *o, char *out, size_t size)
{
   out[0] = 0;
   if (o->arg && o->arg[0] == '[')
      snprintf(out, size, "[=%s", o->arg + 1);
   else if (o->arg)
      snprintf(out, size, "=%s", o->arg);
}

static void
print_options(const option *o)
{
   char left[48];

   for (; o->name; o++) {
      int n = o->letter ? snprintf(left, sizeof(left), "-%c, --%s", o->letter, o->name)
                        : snprintf(left, sizeof(left), "    --%s", o->name);
      format_arg(o, left + n, sizeof(left) - (size_t)n);
      printf("  %-26s %s\n", left, o->meaning);
   }
}

/* A paragraph in lines of at most 78 columns. */
static void
print_wrapped(const char *text)
{
   size_t column = 0;

   while (*text) {
      size_t word = strcspn(text, " ");
      if (column && column + 1 + word > 78) {
         putchar('\n');
         column = 0;
      } else if (column) {
         putchar(' ');
         column++;
      }
      printf("%.*s", (int)word, text);
      column += word;
      text += word + (text[word] == ' ');
   }
   putchar('\n');
}

static int
first_capital(const char *s)
{
   return *s >= 'a' && *s <= 'z' ? *s - 'a' + 'A' : *s;
}

/* A pass by its full name: what `heddle opt --list` says of it, and more. */
static bool
help_on_pass(const char *name)
{
   const hd_pass *pass = hd_pass_find(name);

   if (!pass)
      return false;
   printf("heddle opt --passes=%s\n\n%c%s.\n", name, first_capital(pass->meaning),
          pass->meaning + 1);
   printf("Takes %s.\n", pass->forms == HD_PASS_TREE   ? "structured functions"
                         : pass->forms == HD_PASS_FLAT ? "flat functions"
                                                       : "structured and flat functions");
   for (uint32_t k = 0; k < pass->num_options; k++) {
      const hd_pass_option *o = &pass->options[k];
      printf("  %s=%u  %s (%u to %u)\n", o->name, o->value, o->meaning, o->low, o->high);
   }
   return true;
}

static bool
takes_target(const option *o)
{
   while (o->name && strcmp(o->name, "target"))
      o++;
   return o->name != NULL;
}

static int
help_on(const char *name)
{
   for (const command *const *c = commands; *c; c++) {
      if (strcmp((*c)->name, name))
         continue;
      printf("heddle %s [OPTIONS] %s\n\n%c%s.\n", name, (*c)->operands,
             first_capital((*c)->summary), (*c)->summary + 1);
      if ((*c)->details[0])
         print_wrapped((*c)->details);
      if ((*c)->options[0].name) {
         printf("\n");
         print_options((*c)->options);
      }
      if (takes_target((*c)->options)) {
         printf("\nTargets of this build:\n");
         print_targets();
      }
      printf("\nOptions of every command:\n");
      print_options(common_options);
      return 0;
   }
   if (help_on_pass(name))
      return 0;
   return trouble("there is no command '%s'; `heddle help` lists them", name);
}

static int
help_on_all(void)
{
   printf("heddle %s: IR for shader compilers\n\nheddle COMMAND [OPTIONS] [FILE]\n\n",
          hd_version());
   for (const command *const *c = commands; *c; c++)
      printf("  %-13s %s\n", (*c)->name, (*c)->summary);
   printf("\nOptions of every command:\n");
   print_options(common_options);
   printf(
       "\nText, binary and SPIR-V are recognised by their first bytes; '-' or no file is standard input.\n"
       "Exit codes: 0 done; 1 the input is invalid; 2 the command could not be carried out.\n"
       "`heddle help COMMAND` explains a command.\n");
   return 0;
}

static int
print_lines(const char *const *lines)
{
   for (; *lines; lines++)
      puts(*lines);
   return 0;
}

int
run_help(tool *t)
{
   const char *shell = option_value(t, "completion");

   if (option_given(t, "man"))
      return print_lines(man_page);
   if (shell && !strcmp(shell, "bash"))
      return print_lines(bash_completion);
   if (shell && !strcmp(shell, "zsh"))
      return print_lines(zsh_completion);
   if (shell)
      return trouble("completions are for bash and zsh, not '%s'", shell);
   if (t->num_operands > 1)
      return trouble("`heddle help` explains one command, not %d", t->num_operands);
   return t->num_operands ? help_on(t->operands[0]) : help_on_all();
}
