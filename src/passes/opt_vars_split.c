/* SPDX-License-Identifier: MIT */
/* opt_vars_split.c - scalar replacement of aggregates (SROA): arrays with constant indices, and
 * vectors that are used by component, become variables for their elements and components.
 *
 *    store_var $x, %1, 3                      store_var $x_3, %1
 *    %2 = load_var $x, 3             =>       %2 = load_var $x_3
 *
 *    %3 = load_var $v                         %3 = load_var $v_1
 *    %4 = channel %3, 1                       store_var $v_2, %5
 *    %6 = insert_channel %3, %5, 2   =>       (and $v_0, $v_1, with what they were)
 *    store_var $v, %6
 *
 * An access past the end of an array is undefined behaviour: such a load becomes undef, such a store
 * is removed. An array stays if any of its indices is not constant. A vector stays if a load of it
 * is used as a whole, except to insert components and to store to a vector that is split too; and
 * if nothing that it is copied to or from is used by component.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the variables to opt_vars_to_ssa (mem2reg); constant indices to opt_dce.
 * Tests:     tests/passes/opt_vars_split.hd, tests/passes/test_run.c
 */
#include "heddle/op_enum.h"
#include "passes/pass.h"
#include "passes/vars.h"

#include <stdlib.h>

/* An access of an array, by its element. */
struct element {
   hd_var_access *access;
   uint64_t index;
   uint32_t order; /* of the text, so that equal ones stay in order */
};

struct array {
   struct element *elements;
   uint32_t num, num_accesses;
   bool dynamic;
};

/* Arrays */

static struct array *
find_arrays(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct array *arrays = hd_stack_alloc_zero(stack, (f->num_vars + 1) * sizeof(*arrays));
   uint32_t order = 0;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const hd_var_access *access = hd_instr_as_var_access(i);
         pass_step(f, 1);
         if (access && access->var->array_length) {
            struct array *array = &arrays[access->var->index];
            array->num_accesses++;
            array->dynamic |= !var_const_index(access);
         }
      }
   }
   hd_foreach_var(var, f) {
      struct array *array = &arrays[var->index];
      if (!array->dynamic)
         array->elements =
             hd_stack_alloc(stack, (array->num_accesses + 1) * sizeof(*array->elements));
   }
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         hd_var_access *access = hd_instr_as_var_access(i);
         struct array *array = access ? &arrays[access->var->index] : NULL;
         if (!access || !access->var->array_length || array->dynamic)
            continue;
         const hd_const *index = var_const_index(access);
         array->elements[array->num++] = (struct element){ access, index->value[0].u32, order++ };
      }
   }
   return arrays;
}

static int
compare_elements(const void *a, const void *b)
{
   const struct element *x = a, *y = b;

   if (x->index != y->index)
      return x->index < y->index ? -1 : 1;
   return x->order < y->order ? -1 : x->order > y->order;
}

static void
split_array(struct var_names *names, hd_undefs *undefs, const hd_var *var, struct array *array)
{
   hd_var *element = NULL;

   if (array->num)
      qsort(array->elements, array->num, sizeof(*array->elements), compare_elements);
   for (uint32_t n = 0; n < array->num; n++) {
      const struct element *e = &array->elements[n];
      if (e->index >= var->array_length) {
         hd_var_remove_access(undefs, e->access);
         continue;
      }
      if (n == 0 || e->index != array->elements[n - 1].index)
         element = hd_var_make_part(names, var, var->num_components, e->index);
      hd_var_name_element(e->access, element);
   }
}

static bool
split_arrays(hd_function *f)
{
   uint32_t num_new = 0;
   bool any = false, progress = false;
   struct var_names names = { .f = f };
   hd_undefs undefs;

   hd_foreach_var(var, f)
      any |= var->array_length != 0;
   if (!any)
      return false;
   struct array *arrays = find_arrays(f);
   hd_foreach_var(var, f)
      num_new += arrays[var->index].num;
   hd_var_names_find(&names, num_new);
   hd_undefs_init(&undefs, f);
   hd_var *last = f->last_var;
   for (hd_var *var = f->first_var, *next; var; var = next) {
      next = var == last ? NULL : var->next;
      struct array *array = &arrays[var->index];
      if (!var->array_length || array->dynamic)
         continue;
      split_array(&names, &undefs, var, array);
      hd_var_remove(f, var);
      progress = true;
   }
   return progress;
}

/* Vectors */

/* A copy: what is loaded from one vector is stored to another. */
struct copy {
   uint32_t from;
   struct copy *next;
};

struct vector {
   bool whole;          /* something uses it as a whole */
   bool by_component;   /* something uses it by component */
   uint32_t parent;     /* of those that are copied to each other */
   struct copy *copies; /* to this one */
   hd_var **parts;
};

/* A component: of what was loaded, or the operand of an insert_channel, which can still change. */
struct component {
   hd_def *loaded; /* once it is asked for */
   const hd_src *inserted;
   struct apart *load; /* whose component of that number it is, if it is not inserted */
};

/* A load or insert_channel that is split. */
struct apart {
   hd_instr *instr;
   struct component *components;
   struct apart *next;
};

struct vectors {
   hd_function *f;
   hd_stack *stack;
   struct vector *of; /* by variable's index */
   uint32_t num;
   struct apart *aparts, **end;
   struct apart **apart_of; /* by def index, below num_defs: all that is split is old */
   uint32_t num_defs;
   hd_undefs undefs;
};

static bool
is_vector(const hd_var *var)
{
   return var->num_components > 1 && !var->array_length;
}

static bool
is_op(const hd_instr *i, hd_op op)
{
   return i && i->kind == HD_INSTR_ALU && i->op == op;
}

/* The constant that names the component which a channel or an insert_channel is about. */
static const hd_const *
component_index(const hd_instr *i)
{
   return hd_src_as_const(hd_instr_src(i, i->op == HD_OP_CHANNEL ? 1 : 2));
}

static uint32_t
group_of(struct vectors *v, uint32_t n)
{
   while (v->of[n].parent != n) {
      v->of[n].parent = v->of[v->of[n].parent].parent;
      n = v->of[n].parent;
   }
   return n;
}

/* Does this use read the vector by component, or hand it on to something that does? */
static bool
follow_use(struct vectors *v, uint32_t var, const hd_src *use, struct apart **work)
{
   hd_instr *i = hd_src_instr(use);
   struct vector *vector = &v->of[var];

   if (is_op(i, HD_OP_CHANNEL) && hd_src_slot(use) == 0 && component_index(i)) {
      vector->by_component = true;
      return true;
   }
   if (is_op(i, HD_OP_INSERT_CHANNEL) && hd_src_slot(use) == 0 && component_index(i)) {
      struct apart *a = hd_stack_alloc(v->stack, sizeof(*a));
      *a = (struct apart){ i, NULL, *work };
      *work = a;
      vector->by_component = true;
      return true;
   }
   const hd_var_access *access = hd_instr_as_var_access(i);
   if (!access || !is_vector(access->var))
      return false;
   struct copy *copy = hd_stack_alloc(v->stack, sizeof(*copy));
   *copy = (struct copy){ var, v->of[access->var->index].copies };
   v->of[access->var->index].copies = copy;
   return true;
}

static void
look_at_load(struct vectors *v, hd_instr *load)
{
   const uint32_t var = hd_instr_as_var_access(load)->var->index;
   struct apart first = { load, NULL, NULL }, *work = &first;

   while (work && !v->of[var].whole) {
      const hd_instr *i = work->instr;
      work = work->next;
      hd_foreach_use(use, &i->def) {
         pass_step(v->f, 1);
         v->of[var].whole |= !follow_use(v, var, use, &work);
      }
   }
}

static void
find_vectors(struct vectors *v)
{
   for (uint32_t n = 0; n < v->num; n++)
      v->of[n].parent = n;
   hd_foreach_block(b, v->f) {
      hd_foreach_instr(i, b) {
         const hd_var_access *access = hd_instr_as_var_access(i);
         pass_step(v->f, 1);
         if (!access || !is_vector(access->var))
            continue;
         if (i->kind == HD_INSTR_LOAD_VAR) {
            look_at_load(v, i);
            continue;
         }
         const hd_instr *value = hd_def_instr(access->src[0].def);
         v->of[access->var->index].by_component |=
             is_op(value, HD_OP_VEC) || is_op(value, HD_OP_INSERT_CHANNEL);
      }
   }
   /* What is copied to a vector that stays is used as a whole. */
   uint32_t *work = hd_stack_alloc(v->stack, (v->num + 1) * sizeof(*work)), num_work = 0;
   for (uint32_t n = 0; n < v->num; n++) {
      if (v->of[n].whole)
         work[num_work++] = n;
   }
   while (num_work) {
      for (const struct copy *c = v->of[work[--num_work]].copies; c; c = c->next) {
         if (!v->of[c->from].whole)
            work[num_work++] = c->from;
         v->of[c->from].whole = true;
      }
   }
   for (uint32_t n = 0; n < v->num; n++) {
      for (const struct copy *c = v->of[n].copies; c; c = c->next) {
         if (!v->of[n].whole && !v->of[c->from].whole)
            v->of[group_of(v, c->from)].parent = group_of(v, n);
      }
   }
   for (uint32_t n = 0; n < v->num; n++)
      v->of[group_of(v, n)].by_component |= v->of[n].by_component && !v->of[n].whole;
}

static bool
is_split(struct vectors *v, const hd_var *var)
{
   return is_vector(var) && !v->of[var->index].whole && v->of[group_of(v, var->index)].by_component;
}

static hd_def *
insert_const(struct vectors *v, hd_cursor at, unsigned bit_size, const hd_const_value *value)
{
   hd_const *c = hd_const_create(v->f->shader, 1, bit_size, value);

   hd_instr_insert(at, &c->instr);
   return &c->instr.def;
}

static struct apart *
add_apart(struct vectors *v, hd_instr *i)
{
   struct apart *a = hd_stack_alloc(v->stack, sizeof(*a));
   const unsigned num = i->def.num_components;

   *a = (struct apart){ .instr = i };
   a->components = hd_stack_alloc_zero(v->stack, num * sizeof(*a->components));
   for (unsigned n = 0; n < num; n++)
      a->components[n].load = a;
   v->apart_of[i->def.index] = a;
   *v->end = a;
   v->end = &a->next;
   return a;
}

static hd_def *
component_of(struct vectors *v, const struct apart *a, unsigned n)
{
   struct component *c = &a->components[n];

   if (c->inserted)
      return c->inserted->def;
   struct apart *from = c->load;
   c = &from->components[n];
   if (!c->loaded) {
      hd_var *part = v->of[hd_instr_as_var_access(from->instr)->var->index].parts[n];
      hd_var_access *load = hd_load_var_create(v->f->shader, part);
      load->instr.loc = from->instr->loc;
      hd_instr_insert(hd_before_instr(from->instr), &load->instr);
      c->loaded = &load->instr.def;
   }
   return c->loaded;
}

static void
take_apart(struct vectors *v, struct apart *a)
{
   const unsigned num = a->instr->def.num_components;

   hd_foreach_use_safe(use, &a->instr->def) {
      hd_instr *i = hd_src_instr(use);
      if (i->kind != HD_INSTR_ALU)
         continue;
      uint32_t index = component_index(i)->value[0].u32;
      if (i->op == HD_OP_CHANNEL) {
         /* An index past the end gives 0. */
         hd_def *by = index < num ? component_of(v, a, index)
                                  : insert_const(v, hd_before_instr(i), i->def.bit_size, NULL);
         hd_def_replace_uses(&i->def, by);
         hd_instr_remove(i);
         continue;
      }
      struct apart *into = add_apart(v, i);
      memcpy(into->components, a->components, num * sizeof(*into->components));
      if (index < num)
         into->components[index] = (struct component){ .inserted = hd_instr_src(i, 1) };
   }
}

static hd_def *
stored_component(struct vectors *v, hd_instr *store, unsigned n)
{
   hd_def *value = hd_instr_src(store, 0)->def;
   const hd_instr *i = hd_def_instr(value);
   const hd_cursor at = hd_before_instr(store);

   if (value->index < v->num_defs && v->apart_of[value->index])
      return component_of(v, v->apart_of[value->index], n);
   if (is_op(i, HD_OP_VEC))
      return hd_instr_src(i, n)->def;
   if (i->kind == HD_INSTR_CONST)
      return insert_const(v, at, value->bit_size, &((const hd_const *)i)->value[n]);
   if (i->kind == HD_INSTR_UNDEF)
      return hd_undefs_get(&v->undefs, 1, value->bit_size);
   hd_alu *channel = hd_alu_create(v->f->shader, HD_OP_CHANNEL, 2, 1, value->bit_size);
   hd_instr_set_src(&channel->instr, 0, value);
   hd_instr_set_src(&channel->instr, 1, insert_const(v, at, 32, &(hd_const_value){ .u64 = n }));
   hd_instr_insert(at, &channel->instr);
   return &channel->instr.def;
}

static void
split_store(struct vectors *v, hd_instr *store)
{
   const hd_var *var = hd_instr_as_var_access(store)->var;

   for (unsigned n = 0; n < var->num_components; n++) {
      hd_def *component = stored_component(v, store, n);
      hd_var_access *part = hd_store_var_create(v->f->shader, v->of[var->index].parts[n]);
      part->instr.loc = store->loc;
      hd_instr_set_src(&part->instr, 0, component);
      hd_instr_insert(hd_before_instr(store), &part->instr);
   }
}

/* What was split is removed, its readers first. */
static void
remove_aparts(struct vectors *v)
{
   struct apart *rev = NULL;

   for (struct apart *a = v->aparts, *next; a; a = next) {
      next = a->next;
      a->next = rev;
      rev = a;
   }
   for (; rev; rev = rev->next)
      hd_instr_remove(rev->instr);
}

static void
split_accesses(struct vectors *v)
{
   hd_foreach_block(b, v->f) {
      hd_foreach_instr(i, b) {
         if (i->kind == HD_INSTR_LOAD_VAR && is_split(v, hd_instr_as_var_access(i)->var))
            add_apart(v, i);
      }
   }
   /* The list grows by what is inserted into what is in it. */
   for (struct apart *a = v->aparts; a; a = a->next)
      take_apart(v, a);
   hd_foreach_block(b, v->f) {
      hd_foreach_instr_safe(i, b) {
         if (i->kind != HD_INSTR_STORE_VAR || !is_split(v, hd_instr_as_var_access(i)->var))
            continue;
         split_store(v, i);
         hd_instr_remove(i);
      }
   }
   remove_aparts(v);
}

static bool
split_vectors(hd_function *f)
{
   struct vectors v = { .f = f, .stack = hd_shader_stack(f->shader), .num = f->num_vars };
   uint32_t num_new = 0;
   struct var_names names = { .f = f };

   hd_foreach_var(var, f)
      num_new += is_vector(var);
   if (!num_new)
      return false;
   v.of = hd_stack_alloc_zero(v.stack, (v.num + 1) * sizeof(*v.of));
   v.end = &v.aparts;
   find_vectors(&v);
   num_new = 0;
   hd_foreach_var(var, f)
      num_new += is_split(&v, var) ? var->num_components : 0;
   if (!num_new)
      return false;
   hd_var_names_find(&names, num_new);
   hd_undefs_init(&v.undefs, f);
   hd_var *last = f->last_var;
   for (hd_var *var = f->first_var;; var = var->next) {
      if (is_split(&v, var)) {
         hd_var **parts = hd_stack_alloc(v.stack, var->num_components * sizeof(hd_var *));
         for (unsigned n = 0; n < var->num_components; n++)
            parts[n] = hd_var_make_part(&names, var, 1, n);
         v.of[var->index].parts = parts;
      }
      if (var == last)
         break;
   }
   v.num_defs = f->num_defs;
   v.apart_of = hd_stack_alloc_zero(v.stack, (f->num_defs + 1) * sizeof(*v.apart_of));
   split_accesses(&v);
   for (hd_var *var = f->first_var, *next; var; var = next) {
      next = var->next;
      if (var->index < v.num && v.of[var->index].parts)
         hd_var_remove(f, var);
   }
   return true;
}

bool
hd_opt_vars_split(hd_function *f)
{
   bool progress = split_arrays(f);

   progress |= split_vectors(f);
   return hd_progress(f, progress, OPT_VARS_SPLIT_KEEPS);
}
