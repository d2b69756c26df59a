/* SPDX-License-Identifier: MIT */
/* pointer_params.c - which parameters of the entry are pointers to global memory.
 *
 * Values have no types, but a loader wants to know which arguments are pointers. Those are the
 * 64-bit parameters that an address of global memory is made from by sums, selections and phis,
 * through local variables and parameters of functions that are called. Of a sum the first operand
 * counts if it comes from a parameter, else the second: so the base is the pointer, and not an
 * offset that is a parameter too. What calls return is not followed.
 */
#include "machine/params.h"

#include <string.h>

#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "util/ptr_map.h"

enum {
   DERIVED = 1u << 0, /* made from a parameter */
   ADDRESS = 1u << 1, /* an address is made from it */
   WRITTEN = 1u << 2, /* of these, one that is written to */
};

/* Values and variables of all functions are numbered one function after the other. */
typedef struct place {
   uint32_t first_def, first_var;
   const hd_def **params;
   const hd_call **calls; /* of this function */
   uint32_t num_calls;
} place;

/* Accesses to variables stand by variable: those of `v` from var_start[v] to var_start[v + 1]. */
struct slice {
   hd_stack *stack;
   const hd_shader *shader;
   hd_ptr_map functions; /* to places */
   place *places;
   uint32_t num_defs, num_vars;
   uint8_t *values, *vars; /* marks */
   uint32_t *var_start;
   const hd_var_access **accesses;
   const hd_def **work; /* values whose marks are new */
   uint32_t num_work;
};

static place *
place_of(const struct slice *s, const hd_function *f)
{
   return &s->places[hd_ptr_map_get(&s->functions, f)];
}

static place *
place_of_def(const struct slice *s, const hd_def *def)
{
   return place_of(s, hd_block_function(hd_def_instr(def)->block));
}

static uint8_t *
marks_of(const struct slice *s, const hd_def *def)
{
   return &s->values[place_of_def(s, def)->first_def + def->index];
}

static uint32_t
number_of_var(const struct slice *s, const hd_var_access *a)
{
   return place_of(s, hd_block_function(a->instr.block))->first_var + a->var->index;
}

static void
mark(struct slice *s, const hd_def *def, uint8_t marks)
{
   uint8_t *old = marks_of(s, def);

   if (def->bit_size != 64 || def->num_components != 1 || (*old | marks) == *old)
      return;
   *old |= marks;
   s->work[s->num_work++] = def;
}

static void
number_functions(struct slice *s)
{
   uint32_t n = 0;

   hd_ptr_map_init(&s->functions, s->stack, s->shader->num_functions);
   s->places = hd_stack_alloc_zero(s->stack, s->shader->num_functions * sizeof(place) + 1);
   hd_foreach_function(f, s->shader) {
      place *p = &s->places[n];
      hd_ptr_map_set(&s->functions, f, n++);
      *p = (place){ .first_def = s->num_defs, .first_var = s->num_vars };
      p->params = hd_stack_alloc_zero(s->stack, (f->num_params + 1) * sizeof(*p->params));
      s->num_defs += f->num_defs;
      s->num_vars += f->num_vars;
      hd_foreach_instr(i, hd_function_start(f)) {
         if (i->kind == HD_INSTR_PARAM)
            p->params[hd_instr_as_param(i)->param_index] = &i->def;
      }
   }
}

/* Instructions that lead from one value to another without using it: counted, then listed. */
static void
collect(struct slice *s)
{
   s->var_start = hd_stack_alloc_zero(s->stack, (s->num_vars + 2) * sizeof(uint32_t));
   for (unsigned pass = 0; pass < 2; pass++) {
      hd_foreach_function(f, s->shader) {
         hd_foreach_block(b, f) {
            hd_foreach_instr(i, b) {
               const hd_var_access *a = hd_instr_as_var_access(i);
               if (a && pass)
                  s->accesses[s->var_start[number_of_var(s, a) + 1]++] = a;
               else if (a)
                  s->var_start[number_of_var(s, a) + 2]++;
               if (i->kind != HD_INSTR_CALL)
                  continue;
               place *callee = place_of(s, hd_instr_as_call(i)->callee);
               if (pass)
                  callee->calls[callee->num_calls] = hd_instr_as_call(i);
               callee->num_calls++;
            }
         }
      }
      if (pass)
         continue;
      for (uint32_t n = 1; n < s->num_vars + 2; n++)
         s->var_start[n] += s->var_start[n - 1];
      s->accesses =
          hd_stack_alloc(s->stack, (s->var_start[s->num_vars + 1] + 1) * sizeof(*s->accesses));
      for (uint32_t n = 0; n < s->shader->num_functions; n++) {
         place *p = &s->places[n];
         p->calls = hd_stack_alloc(s->stack, (p->num_calls + 1) * sizeof(*p->calls));
         p->num_calls = 0;
      }
   }
}

/* What is loaded from the variable, or what is stored into it. */
static void
mark_accesses(struct slice *s, const hd_var_access *access, bool loads, uint8_t marks)
{
   const uint32_t var = number_of_var(s, access);

   if ((s->vars[var] | marks) == s->vars[var])
      return;
   s->vars[var] |= marks;
   for (uint32_t n = s->var_start[var]; n < s->var_start[var + 1]; n++) {
      const hd_var_access *a = s->accesses[n];
      if (loads && a->instr.kind == HD_INSTR_LOAD_VAR)
         mark(s, &a->instr.def, marks);
      else if (!loads && a->instr.kind == HD_INSTR_STORE_VAR)
         mark(s, a->src[0].def, marks);
   }
}

static bool
is_sum(const hd_instr *i)
{
   return i->kind == HD_INSTR_ALU && i->op == HD_OP_IADD;
}

static bool
is_choice(const hd_instr *i)
{
   return i->kind == HD_INSTR_PHI || (i->kind == HD_INSTR_ALU && i->op == HD_OP_SELECT);
}

static void
pass_derived(struct slice *s, const hd_src *use)
{
   const hd_instr *i = hd_src_instr(use);

   if (is_sum(i) || is_choice(i)) {
      mark(s, &i->def, DERIVED);
   } else if (i->kind == HD_INSTR_STORE_VAR) {
      mark_accesses(s, hd_instr_as_var_access(i), true, DERIVED);
   } else if (i->kind == HD_INSTR_CALL) {
      const hd_call *call = hd_instr_as_call(i);
      mark(s, place_of(s, call->callee)->params[(const hd_wide_src *)use - call->args], DERIVED);
   }
}

/* From the parameters on. */
static void
find_derived(struct slice *s)
{
   const hd_function *entry = s->shader->first_function;

   for (uint32_t n = 0; n < entry->num_params; n++)
      mark(s, place_of(s, entry)->params[n], DERIVED);
   while (s->num_work) {
      const hd_def *def = s->work[--s->num_work];
      hd_foreach_use(use, def) {
         if (hd_src_slot(use) != HD_SLOT_IF)
            pass_derived(s, use);
      }
   }
}

static const hd_src *
global_address(const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   if (!((info->reads | info->writes) & HD_MEMORY_GLOBAL))
      return NULL;
   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (!strcmp(info->src[n].name, "address"))
         return &i->src[n];
   }
   return NULL;
}

static void
pass_address(struct slice *s, const hd_instr *i, uint8_t marks)
{
   if (is_sum(i)) {
      const hd_def *first = hd_instr_src(i, 0)->def;
      mark(s, *marks_of(s, first) & DERIVED ? first : hd_instr_src(i, 1)->def, marks);
   } else if (is_choice(i)) {
      hd_foreach_src(src, i)
         mark(s, src->def, marks);
   } else if (i->kind == HD_INSTR_LOAD_VAR) {
      mark_accesses(s, hd_instr_as_var_access(i), false, marks);
   } else if (i->kind == HD_INSTR_PARAM) {
      const place *p = place_of_def(s, &i->def);
      for (uint32_t n = 0; n < p->num_calls; n++)
         mark(s, p->calls[n]->args[hd_instr_as_param(i)->param_index].src.def, marks);
   }
}

/* From the addresses back. */
static void
find_addresses(struct slice *s)
{
   hd_foreach_function(f, s->shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *access = hd_instr_as_intrinsic(i);
            const hd_src *address = access ? global_address(access) : NULL;
            if (address)
               mark(s, address->def,
                    hd_instr_intrinsic_info(i)->writes ? ADDRESS | WRITTEN : ADDRESS);
         }
      }
   }
   while (s->num_work) {
      const hd_def *def = s->work[--s->num_work];
      pass_address(s, hd_def_instr(def), *marks_of(s, def) & (ADDRESS | WRITTEN));
   }
}

static void
find(struct slice *s)
{
   number_functions(s);
   collect(s);
   /* A value is put to work at most once for each mark. */
   s->values = hd_stack_alloc_zero(s->stack, s->num_defs + 1);
   s->vars = hd_stack_alloc_zero(s->stack, s->num_vars + 1);
   s->work = hd_stack_alloc(s->stack, (3 * (size_t)s->num_defs + 1) * sizeof(*s->work));
   find_derived(s);
   find_addresses(s);
}

uint8_t *
hd_mach_pointer_params(hd_stack *stack, const hd_shader *shader)
{
   struct slice s = { .stack = stack, .shader = shader };
   const hd_function *entry = shader->first_function;
   uint8_t *out = hd_stack_alloc_zero(stack, entry->num_params + (size_t)1);

   find(&s);
   for (uint32_t n = 0; n < entry->num_params; n++) {
      const hd_def *param = place_of(&s, entry)->params[n];
      const uint8_t marks = param ? *marks_of(&s, param) : 0;
      out[n] = (uint8_t)((marks & ADDRESS ? HD_MACH_PARAM_POINTER : 0) |
                         (marks & WRITTEN ? HD_MACH_PARAM_WRITTEN : 0));
   }
   return out;
}
