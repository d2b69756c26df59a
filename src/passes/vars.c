/* SPDX-License-Identifier: MIT */
/* vars.c - helpers of passes that replace local variables. */
#include "passes/vars.h"

#include <stdio.h>

void
hd_var_names_find(struct var_names *names, uint32_t num_new)
{
   uint32_t num = num_new;

   hd_foreach_var(var, names->f)
      num++;
   hd_ptr_map_init(&names->taken, hd_shader_stack(names->f->shader), num);
   hd_foreach_var(var, names->f)
      hd_ptr_map_set(&names->taken, var->name, 1);
}

hd_var *
hd_var_make_part(struct var_names *names, const hd_var *var, unsigned num_components, uint64_t part)
{
   char text[80];
   const char *name = NULL;

   for (uint32_t n = 0; !name || hd_ptr_map_get(&names->taken, name) != HD_PTR_MAP_NONE; n++) {
      if (n)
         snprintf(text, sizeof(text), "%.40s_%llu_%u", var->name, (unsigned long long)part, n);
      else
         snprintf(text, sizeof(text), "%.40s_%llu", var->name, (unsigned long long)part);
      name = hd_shader_intern(names->f->shader, text, strlen(text));
   }
   hd_ptr_map_set(&names->taken, name, 1);
   return hd_var_append(names->f, name, num_components, var->bit_size, 0);
}

void
hd_var_name_element(hd_var_access *access, hd_var *element)
{
   hd_src_unlink(&access->src[var_index_slot(access)]);
   access->instr.num_srcs--;
   access->var = element;
}

void
hd_var_remove_access(hd_undefs *undefs, hd_var_access *access)
{
   hd_def *def = hd_instr_def(&access->instr);

   if (def)
      hd_def_replace_uses(def, hd_undefs_get(undefs, def->num_components, def->bit_size));
   hd_instr_remove(&access->instr);
}
