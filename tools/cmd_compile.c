/* SPDX-License-Identifier: MIT */
/* cmd_compile.c - heddle compile: a shader as machine code. */
#include "targets.h"

#include "heddle/spirv.h"
#include "heddle/target.h"

int
run_compile(tool *t)
{
   const hd_target *target = find_target(t);
   int status;

   if (!target)
      return EXIT_TROUBLE;
   const machine *machine = machine_of(target);
   t->wants_info = true;
   if (option_given(t, "all-kernels"))
      return machine->compile_all
                 ? machine->compile_all(t, target)
                 : trouble("--all-kernels is for targets with code objects, not for %s",
                           hd_target_get_name(target));
   hd_shader *shader = load_only_shader(t, &status);
   if (!shader)
      return status;
   status = machine->compile(t, target, shader);
   hd_spirv_info_destroy(t->spirv_info);
   hd_shader_destroy(shader);
   return status;
}
