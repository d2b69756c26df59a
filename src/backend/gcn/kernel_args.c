/* SPDX-License-Identifier: MIT */
/* kernel_args.c - the arguments of a kernel, for those who fill them in.
 *
 * Values have no types, but a loader wants to know which arguments are pointers. Those are the
 * 64-bit parameters that an address of global memory is made from by sums, selections and phis, and
 * through local variables. Of a sum the first operand counts if it comes from a parameter, else the
 * second: so the base is the pointer, and not an offset that is a parameter too. What the entry
 * hands to a function it calls is not followed.
 */
#include "backend/gcn/metadata.h"

#include <string.h>

#include "backend/gcn/params.h"
#include "heddle/ops.h"

enum {
   DERIVED = 1u << 0, /* made from a parameter */
   ADDRESS = 1u << 1, /* an address is made from it */
   WRITTEN = 1u << 2, /* of these, one that is written to */
};

/* Accesses to variables stand by variable: those of `v` from var_start[v] to var_start[v + 1]. */
struct slice {
   hd_stack *stack;
   const hd_function *f;
   uint8_t *values, *vars; /* marks, by index */
   uint32_t *var_start;
   const hd_var_access **accesses;
   const hd_def **work; /* values whose marks are new */
   uint32_t num_work;
};

static void
mark(struct slice *s, const hd_def *def, uint8_t marks)
{
   uint8_t *old = &s->values[def->index];

   if (def->bit_size != 64 || def->num_components != 1 || (*old | marks) == *old)
      return;
   *old |= marks;
   s->work[s->num_work++] = def;
}

static void
collect_accesses(struct slice *s)
{
   const uint32_t num = s->f->num_vars;

   s->var_start = hd_stack_alloc_zero(s->stack, (num + 2) * sizeof(uint32_t));
   for (unsigned pass = 0; pass < 2; pass++) {
      hd_foreach_block(b, s->f) {
         hd_foreach_instr(i, b) {
            const hd_var_access *a = hd_instr_as_var_access(i);
            if (a && pass)
               s->accesses[s->var_start[a->var->index + 1]++] = a;
            else if (a)
               s->var_start[a->var->index + 2]++;
         }
      }
      if (pass)
         continue;
      for (uint32_t n = 1; n < num + 2; n++)
         s->var_start[n] += s->var_start[n - 1];
      s->accesses = hd_stack_alloc(s->stack, (s->var_start[num + 1] + 1) * sizeof(*s->accesses));
   }
}

/* What is loaded from the variable, or what is stored into it. */
static void
mark_accesses(struct slice *s, const hd_var *var, bool loads, uint8_t marks)
{
   uint8_t *old = &s->vars[var->index];

   if ((*old | marks) == *old)
      return;
   *old |= marks;
   for (uint32_t n = s->var_start[var->index]; n < s->var_start[var->index + 1]; n++) {
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

/* From the parameters on. */
static void
find_derived(struct slice *s)
{
   hd_foreach_instr(i, hd_function_start(s->f)) {
      if (i->kind == HD_INSTR_PARAM)
         mark(s, &i->def, DERIVED);
   }
   while (s->num_work) {
      const hd_def *def = s->work[--s->num_work];
      hd_foreach_use(use, def) {
         if (hd_src_slot(use) == HD_SLOT_IF)
            continue;
         const hd_instr *i = hd_src_instr(use);
         if (is_sum(i) || is_choice(i))
            mark(s, &i->def, DERIVED);
         else if (i->kind == HD_INSTR_STORE_VAR)
            mark_accesses(s, hd_instr_as_var_access(i)->var, true, DERIVED);
      }
   }
}

static const hd_src *
global_address(const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)i->instr.op);

   if (!((info->reads | info->writes) & HD_MEMORY_GLOBAL))
      return NULL;
   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (!strcmp(info->src[n].name, "address"))
         return &i->src[n];
   }
   return NULL;
}

/* From the addresses back. */
static void
find_addresses(struct slice *s)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         const hd_intrinsic *access = hd_instr_as_intrinsic(i);
         const hd_src *address = access ? global_address(access) : NULL;
         if (address)
            mark(s, address->def,
                 hd_intrinsic_get_info((hd_intrinsic_id)i->op)->writes ? ADDRESS | WRITTEN
                                                                       : ADDRESS);
      }
   }
   while (s->num_work) {
      const hd_def *def = s->work[--s->num_work];
      const hd_instr *i = hd_def_instr(def);
      const uint8_t marks = s->values[def->index] & (ADDRESS | WRITTEN);
      if (is_sum(i)) {
         const hd_def *first = hd_instr_src(i, 0)->def;
         mark(s, s->values[first->index] & DERIVED ? first : hd_instr_src(i, 1)->def, marks);
      } else if (is_choice(i)) {
         hd_foreach_src(src, i)
            mark(s, src->def, marks);
      } else if (i->kind == HD_INSTR_LOAD_VAR) {
         mark_accesses(s, hd_instr_as_var_access(i)->var, false, marks);
      }
   }
}

static void
find(struct slice *s)
{
   /* A value is put to work at most once for each mark. */
   s->values = hd_stack_alloc_zero(s->stack, s->f->num_defs + 1);
   s->vars = hd_stack_alloc_zero(s->stack, s->f->num_vars + 1);
   s->work = hd_stack_alloc(s->stack, (3 * (size_t)s->f->num_defs + 1) * sizeof(*s->work));
   collect_accesses(s);
   find_derived(s);
   find_addresses(s);
}

static uint32_t
align_of(const hd_def *def)
{
   uint32_t components = 1;

   while (components < def->num_components)
      components *= 2;
   return components * (def->bit_size == 1 ? 1 : def->bit_size / 8u);
}

hd_gcn_kernel_arg *
hd_gcn_kernel_args(const hd_shader *source, hd_stack *stack, uint32_t *num)
{
   struct slice s = { .stack = stack, .f = source->first_function };
   uint32_t end = source->kernarg_size, n = 0;
   hd_gcn_kernel_arg *args = hd_stack_alloc_zero(stack, (s.f->num_params + 1) * sizeof(*args));

   if (end)
      args[n++] = (hd_gcn_kernel_arg){ .size = end, .align = 16 };
   find(&s);
   hd_foreach_instr(i, hd_function_start(s.f)) {
      if (i->kind != HD_INSTR_PARAM)
         continue;
      hd_gcn_kernel_arg *a = &args[n++];
      const uint8_t marks = s.values[i->def.index];
      a->name = hd_def_name(s.f, &i->def);
      a->offset = hd_gcn_param_place(&end, i->def.num_components, i->def.bit_size);
      a->size = end - a->offset;
      a->align = align_of(&i->def);
      a->pointer = marks & ADDRESS;
      a->constant = !(marks & WRITTEN);
   }
   *num = n;
   return args;
}
