/* SPDX-License-Identifier: MIT */
/* cmd_help.c - heddle help: the command table as help, man page and completions. */
#include "tool.h"

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
   printf("\nA file is read as text or as binary by what is in it; '-' or none is standard input.\n"
          "Exit codes: 0 done; 1 the input is bad; 2 the command could not be carried out.\n"
          "`heddle help COMMAND` explains a command.\n");
   return 0;
}

/* Text of a man page: a line that begins with a dot or a quote would be a request. */
static void
man_text(const char *s)
{
   for (; *s; s++) {
      if (*s == '-' || *s == '\\')
         putchar('\\');
      putchar(*s);
   }
}

static void
man_options(const option *o)
{
   for (; o->name; o++) {
      printf(".TP\n.B ");
      if (o->letter)
         printf("\\-%c, ", o->letter);
      man_text("--");
      man_text(o->name);
      char arg[32];
      format_arg(o, arg, sizeof(arg));
      printf("%s\n", arg);
      man_text(o->meaning);
      printf("\n");
   }
}

/* The passes and the standard lists. */
static void
man_passes(void)
{
   printf(".SH PASSES\n");
   for (unsigned n = 0; n < hd_num_passes(); n++) {
      const hd_pass *pass = hd_pass_get(n);
      printf(".TP\n.B %s\n", pass->name);
      putchar(first_capital(pass->meaning));
      man_text(pass->meaning + 1);
      printf(".\n");
      for (uint32_t k = 0; k < pass->num_options; k++) {
         printf(".br\n.I %s=%u\n: ", pass->options[k].name, pass->options[k].value);
         man_text(pass->options[k].meaning);
         printf(" (%u to %u).\n", pass->options[k].low, pass->options[k].high);
      }
   }
   printf(".SH STANDARD LISTS\n");
   for (unsigned n = 0; hd_pipeline_get(n); n++) {
      const hd_pipeline *pipeline = hd_pipeline_get(n);
      printf(".TP\n.B %s\n", pipeline->name);
      putchar(first_capital(pipeline->meaning));
      man_text(pipeline->meaning + 1);
      for (const char *const *step = pipeline->steps; *step; step++)
         printf("%s\n.I %s", step == pipeline->steps ? ":" : ",", *step);
      printf("\n");
   }
}

static int
man_page(void)
{
   printf(".TH HEDDLE 1 \"\" \"heddle %s\"\n.SH NAME\nheddle \\- IR for shader compilers\n"
          ".SH SYNOPSIS\n.B heddle\n.I command\n[options] [file]\n.SH DESCRIPTION\n"
          "Parses, validates, transforms and draws Heddle IR.\n"
          "A file is read as text or as binary by what is in it;\n\\- or none is standard input.\n"
          ".SH COMMANDS\n",
          hd_version());
   for (const command *const *c = commands; *c; c++) {
      printf(".SS heddle %s %s\n", (*c)->name, (*c)->operands);
      putchar(first_capital((*c)->summary));
      man_text((*c)->summary + 1);
      printf(".\n");
      man_text((*c)->details);
      printf((*c)->details[0] ? "\n" : "");
      man_options((*c)->options);
   }
   printf(".SH OPTIONS OF EVERY COMMAND\n");
   man_options(common_options);
   man_passes();
   printf(".SH EXIT STATUS\n.TP\n.B 0\nDone.\n.TP\n.B 1\nThe input is bad; diagnostics say how.\n"
          ".TP\n.B 2\nThe command could not be carried out.\n"
          ".SH ENVIRONMENT\n.TP\n.B HD_VALIDATE\nWhen 1, check everything after each pass.\n"
          ".TP\n.B HD_DEBUG\nWords that switch on what heddle opt checks, prints and leaves out;\n"
          "HD_DEBUG=help lists them.\n.TP\n.B NO_COLOR\nWhen set, no colors unless "
          "\\-\\-color=always.\n");
   return 0;
}

static void
option_words(const option *o)
{
   for (; o->name; o++)
      printf(" --%s%s", o->name, o->arg && o->arg[0] != '[' ? "=" : "");
}

static void
command_words(void)
{
   for (const command *const *c = commands; *c; c++)
      printf("%s%s", c == commands ? "" : " ", (*c)->name);
}

/* Bash splits words at '=' too, so a value that is being written is a word of its own. */
static int
bash_completion(void)
{
   printf("_heddle() {\n  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
          "  if [ \"$COMP_CWORD\" = 1 ]; then\n    words='");
   command_words();
   printf("'\n  elif [[ $word == -* ]]; then\n    case ${COMP_WORDS[1]} in\n");
   for (const command *const *c = commands; *c; c++) {
      printf("    %s) words='", (*c)->name);
      option_words((*c)->options);
      option_words(common_options);
      printf("' ;;\n");
   }
   printf("    esac\n  elif [ \"${COMP_WORDS[1]}\" = help ]; then\n    words='");
   command_words();
   printf("'\n  fi\n  [ \"$word\" = = ] && word=\n"
          "  if [ -n \"$words\" ]; then\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "    if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi\n"
          "  else\n"
          "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
          "    compopt -o filenames 2>/dev/null\n"
          "  fi\n}\ncomplete -F _heddle heddle\n");
   return 0;
}

/* In single quotes, in a specification in which brackets and colons have a meaning. */
static void
zsh_text(const char *s)
{
   for (; *s; s++) {
      if (*s == '\'')
         printf("'\\'");
      else if (strchr("[]:\\", *s))
         putchar('\\');
      putchar(*s);
   }
}

static void
zsh_options(const option *o)
{
   for (; o->name; o++) {
      const bool optional = o->arg && o->arg[0] == '[';
      printf(" '--%s%s[", o->name, optional ? "=-" : o->arg ? "=" : "");
      zsh_text(o->meaning);
      if (optional)
         printf("]::%.*s:_files'", (int)strlen(o->arg) - 2, o->arg + 1);
      else if (o->arg)
         printf("]:%s:_files'", o->arg);
      else
         printf("]'");
   }
}

static int
zsh_completion(void)
{
   printf("#compdef heddle\nif (( CURRENT == 2 )); then\n  local -a names=(");
   for (const command *const *c = commands; *c; c++) {
      printf(" '%s:", (*c)->name);
      zsh_text((*c)->summary);
      putchar('\'');
   }
   printf(" )\n  _describe command names\nelse\n  case $words[2] in\n");
   for (const command *const *c = commands; *c; c++) {
      printf("  %s) _arguments -S", (*c)->name);
      zsh_options((*c)->options);
      zsh_options(common_options);
      printf(" '*:file:_files' ;;\n");
   }
   printf("  esac\nfi\n");
   return 0;
}

int
run_help(tool *t)
{
   const char *shell = option_value(t, "completion");

   if (option_given(t, "man"))
      return man_page();
   if (shell && !strcmp(shell, "bash"))
      return bash_completion();
   if (shell && !strcmp(shell, "zsh"))
      return zsh_completion();
   if (shell)
      return trouble("completions are for bash and zsh, not '%s'", shell);
   if (t->num_operands > 1)
      return trouble("`heddle help` explains one command, not %d", t->num_operands);
   return t->num_operands ? help_on(t->operands[0]) : help_on_all();
}
