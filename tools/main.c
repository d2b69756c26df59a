/* SPDX-License-Identifier: MIT */
/* main.c - find the subcommand, read its options, run it. */
#include "host.h"
#include "own_table.h"

#include "heddle/binary.h"

#include <errno.h>
#include <string.h>

static const command *
find_command(const char *name)
{
   for (const command *const *c = commands; *c; c++) {
      if (!strcmp((*c)->name, name))
         return *c;
   }
   return NULL;
}

static void
report(void *user, const hd_diag *diag)
{
   tool *t = user;

   t->num_errors += diag->severity == HD_ERROR;
   if (t->json) {
      hd_diag_print_json(stderr, diag);
      fputc('\n', stderr);
   } else {
      hd_diag_print(stderr, diag, t->color_err);
   }
}

/* What was printed counts only when it arrived. */
static int
flushed(int status)
{
   errno = 0;
   const bool all = !fflush(stdout) && !ferror(stdout);
   /* The write that failed may be long ago: another one tells why. */
   if (!all && !errno)
      (void)(fputc('\n', stdout) == EOF || fflush(stdout));
   if (!all)
      return trouble("standard output: %s", errno ? strerror(errno) : "not all was written");
   return status;
}

int
main(int argc, char **argv)
{
   tool t = { .config.diag = { &t, report } };
   const char *name = argc > 1 ? argv[1] : "help";

   host_prepare();
   if (!strcmp(name, "--help") || !strcmp(name, "-h"))
      name = "help";
   if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
      printf("heddle %s (build %.16s, binary form %u)\n", hd_version(), hd_build_id(),
             HD_BINARY_VERSION);
      return flushed(0);
   }
   t.command = find_command(name);
   if (!t.command && name[0] == '-')
      return trouble("the command comes first, then '%s'; `heddle help` lists the commands", name);
   if (!t.command)
      return trouble("there is no command '%s'; `heddle help` lists them", name);
   int skip = argc > 1 ? 2 : 1;
   if (!parse_arguments(&t, argc - skip, argv + skip))
      return EXIT_TROUBLE;
   int status = 0;
   const char *path = option_value(&t, "intrinsics");
   own_table *own = path ? own_table_read(&t, path, &status) : NULL;
   if (own)
      t.config.intrinsics = own_table_of(own);
   if (!status)
      status = t.command->run(&t);
   own_table_free(own);
   return flushed(status);
}
