/* SPDX-License-Identifier: MIT */
/* rest.c - test-case reduction: functions, variables, flags, names and properties. */
#include "reduce/reduce.h"

#include "heddle/ops.h"

static bool
is_called(const hd_shader *shader, const hd_function *callee)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_call *call = hd_instr_as_call(i);
            if (call && call->callee == callee)
               return true;
         }
      }
   }
   return false;
}

/* All but one may go. The first is what is run: without it the next one is. */
static void
list_functions(sites *list, hd_shader *shader)
{
   if (shader->num_functions < 2)
      return;
   hd_foreach_function(f, shader)
      hd_reduce_add_site(list, f, f, 0);
}

/* Calls of it give zeros. */
static bool
remove_function(const site *s, hd_shader *shader)
{
   hd_function *gone = s->object;

   if (shader->num_functions < 2)
      return false;
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr_safe(i, b) {
            const hd_call *call = hd_instr_as_call(i);
            if (!call || call->callee != gone)
               continue;
            if (!hd_reduce_replace_by_zero(f, &i->def))
               return false;
            hd_instr_remove(i);
         }
      }
   }
   if (is_called(shader, gone))
      return false;
   hd_function_remove(gone);
   return true;
}

/* Parameters that nothing reads. */
static void
list_parameters(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_instr(i, hd_function_start(f)) {
         if (i->kind == HD_INSTR_PARAM && !i->def.uses)
            hd_reduce_add_site(list, f, i, ((hd_param *)i)->param_index);
      }
   }
}

/* The same call with one argument less in the place of this one. */
static bool
drop_argument(hd_call *call, uint32_t n)
{
   hd_call *less = hd_call_create(hd_block_function(call->instr.block)->shader, call->callee,
                                  call->num_args - 1);

   if (!less)
      return false;
   for (uint32_t k = 0; k < call->num_args; k++) {
      if (k != n)
         hd_instr_set_src(&less->instr, k - (k > n), call->args[k].src.def);
   }
   hd_instr_insert(hd_before_instr(&call->instr), &less->instr);
   if (hd_instr_def(&call->instr))
      hd_def_replace_uses(&call->instr.def, &less->instr.def);
   hd_instr_remove(&call->instr);
   return true;
}

static bool
remove_parameter(const site *s, hd_shader *shader)
{
   hd_instr *param = s->object;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr_safe(i, b) {
            hd_call *call = hd_instr_as_call(i);
            if (call && call->callee == s->f && !drop_argument(call, s->choice))
               return false;
         }
      }
   }
   for (hd_instr *i = param->next; i && i->kind == HD_INSTR_PARAM; i = i->next)
      ((hd_param *)i)->param_index--;
   hd_instr_remove(param);
   s->f->num_params--;
   return true;
}

static void
list_variables(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_var(v, f)
         hd_reduce_add_site(list, f, v, 0);
   }
}

static bool
remove_variable(const site *s, hd_shader *shader)
{
   hd_var *var = s->object;

   (void)shader;
   hd_foreach_block(b, s->f) {
      hd_foreach_instr_safe(i, b) {
         const hd_var_access *access = hd_instr_as_var_access(i);
         if (!access || access->var != var)
            continue;
         if (!hd_reduce_replace_by_zero(s->f, &i->def))
            return false;
         hd_instr_remove(i);
      }
   }
   hd_var_remove(s->f, var);
   return true;
}

static void
list_flags(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (i->flags)
               hd_reduce_add_site(list, f, i, 0);
         }
      }
   }
}

static bool
clear_flags(const site *s, hd_shader *shader)
{
   (void)shader;
   ((hd_instr *)s->object)->flags = 0;
   return true;
}

static void
list_indices_that(sites *list, hd_shader *shader, bool (*holds)(const hd_index_info *, uint32_t))
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *intrinsic = hd_instr_as_intrinsic(i);
            const hd_intrinsic_info *info = intrinsic ? hd_instr_intrinsic_info(i) : NULL;
            for (unsigned n = 0; info && n < info->num_indices; n++) {
               if (holds(hd_index_get_info((hd_index)info->indices[n]),
                         hd_intrinsic_indices(intrinsic)[n]))
                  hd_reduce_add_site(list, f, i, n);
            }
         }
      }
   }
}

/* It is not what it is where nothing is specified. */
static bool
is_said(const hd_index_info *index, uint32_t value)
{
   return value != index->default_value;
}

static void
list_indices(sites *list, hd_shader *shader)
{
   list_indices_that(list, shader, is_said);
}

static bool
reset_index(const site *s, hd_shader *shader)
{
   hd_intrinsic *i = s->object;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   (void)shader;
   hd_intrinsic_indices(i)[s->choice] =
       hd_index_get_info((hd_index)info->indices[s->choice])->default_value;
   return true;
}

/* Of what must be something there can be less. Enums and flags are not more or less. */
static bool
is_large(const hd_index_info *index, uint32_t value)
{
   return index->kind == HD_INDEX_KIND_UINT && value > 1;
}

static void
list_large_indices(sites *list, hd_shader *shader)
{
   list_indices_that(list, shader, is_large);
}

static bool
halve_index(const site *s, hd_shader *shader)
{
   (void)shader;
   hd_intrinsic_indices(s->object)[s->choice] /= 2;
   return true;
}

/* Names and locations: of a function all at once, they hardly ever matter. */
static bool
says_more(const hd_function *f)
{
   hd_foreach_node(n, f) {
      const hd_block *b = hd_node_as_block(n);
      if (n->loc || (b && hd_block_name(f, b)))
         return true;
      for (const hd_instr *i = b ? b->first : NULL; i; i = i->next) {
         if (i->loc || i->def.flags & HD_DEF_NAMED)
            return true;
      }
   }
   return false;
}

static void
list_names(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      if (says_more(f))
         hd_reduce_add_site(list, f, f, 0);
   }
}

static bool
remove_names(const site *s, hd_shader *shader)
{
   (void)shader;
   hd_foreach_node(n, s->f) {
      hd_block *b = hd_node_as_block(n);
      n->loc = 0;
      if (b)
         hd_block_set_name(s->f, b, NULL);
      for (hd_instr *i = b ? b->first : NULL; i; i = i->next) {
         i->loc = 0;
         if (i->def.flags & HD_DEF_NAMED)
            hd_def_set_name(s->f, &i->def, NULL);
      }
   }
   return true;
}

static uint32_t *
property(hd_shader *shader, uint32_t n)
{
   uint32_t *const all[] = {
      &shader->float_controls,    &shader->subgroup_size,     &shader->shared_size,
      &shader->scratch_size,      &shader->push_size,         &shader->kernarg_size,
      &shader->workgroup_size[0], &shader->workgroup_size[1], &shader->workgroup_size[2],
      &shader->constants_size,
   };

   return n < sizeof(all) / sizeof(all[0]) ? all[n] : NULL;
}

static void
list_properties(sites *list, hd_shader *shader)
{
   for (uint32_t n = 0; property(shader, n); n++) {
      if (*property(shader, n))
         hd_reduce_add_site(list, NULL, NULL, n);
   }
}

static bool
clear_property(const site *s, hd_shader *shader)
{
   *property(shader, s->choice) = 0;
   return true;
}

static void
list_large_properties(sites *list, hd_shader *shader)
{
   /* The first are flags. */
   for (uint32_t n = 1; property(shader, n); n++) {
      if (*property(shader, n) > 1)
         hd_reduce_add_site(list, NULL, NULL, n);
   }
}

static bool
halve_property(const site *s, hd_shader *shader)
{
   *property(shader, s->choice) /= 2;
   return true;
}

const kind hd_reduce_rest_kinds[] = {
   { "functions", list_functions, remove_function, false }, /* reduce.c tries it first */
   { "parameters", list_parameters, remove_parameter, false },
   { "variables", list_variables, remove_variable, false },
   { "flags", list_flags, clear_flags, false },
   { "indices", list_indices, reset_index, false },
   { "large indices", list_large_indices, halve_index, true },
   { "names and locations", list_names, remove_names, false },
   { "properties", list_properties, clear_property, false },
   { "large properties", list_large_properties, halve_property, true },
};
const unsigned hd_reduce_num_rest_kinds =
    sizeof(hd_reduce_rest_kinds) / sizeof(hd_reduce_rest_kinds[0]);
