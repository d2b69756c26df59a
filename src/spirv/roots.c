/* SPDX-License-Identifier: MIT */
/* roots.c - escape analysis of variables: which need an address in memory, and their alignment.
 *
 * A variable of a function, a private one or a constant table needs none as long as its pointer is
 * only loaded, stored to, copied from and followed by access chains: then it becomes variables of
 * the IR. One pass over all functions finds the variable (or parameter) behind each pointer and how
 * it is used; what holds for a parameter holds for what calls hand to it.
 *
 * An access can promise that its address is a multiple of more bytes than the type of the variable
 * asks for: then the variable is put where that holds, at least for what is at its beginning.
 */
#include "spirv/ext.h"

struct root {
   uint32_t variable;  /* index of the id of a variable or parameter; UINT32_MAX: not one */
   uint32_t first_arg; /* of a parameter: what was handed to it; 1 + index into `args` */
   bool cast;          /* seen as another type: anything but naming it needs the address */
   bool address;       /* of a variable or parameter: it needs one */
   bool waits;         /* its alignment is still to be passed on to its arguments */
   uint32_t align;     /* of a variable or parameter: what accesses promise; 0: nothing */
};

struct arg {
   uint32_t variable;
   uint32_t next;
};

struct spirv_roots {
   struct root *roots; /* by index of the id's record */
   struct arg *args;
   uint32_t num_args, args_capacity;
   uint32_t *work; /* parameters and variables that were found to need an address */
   uint32_t num_work;
   uint32_t *aligned; /* those that were found to need an alignment */
   uint32_t num_aligned;
};

static uint32_t
index_of(struct spirv *s, uint32_t id)
{
   return (uint32_t)(hd_spirv_id(s, id) - s->ids);
}

static void
need(struct spirv_roots *r, uint32_t variable)
{
   if (variable == UINT32_MAX || r->roots[variable].address)
      return;
   r->roots[variable].address = true;
   r->work[r->num_work++] = variable;
}

static void
promise_align(struct spirv_roots *r, uint32_t variable, uint32_t align)
{
   if (variable == UINT32_MAX || align & (align - 1) || align > SPIRV_MAX_ALIGN)
      return;
   struct root *root = &r->roots[variable];
   if (root->align >= align)
      return;
   root->align = align;
   if (!root->waits)
      r->aligned[r->num_aligned++] = variable;
   root->waits = true;
}

/* The memory operands that begin at words[at] are about what these ids point to. */
static void
see_operands(struct spirv *s, struct spirv_roots *r, const struct spirv_instr *i, uint32_t at,
             uint32_t first, uint32_t last)
{
   if (at + 1 >= i->num_words || !(i->words[at] & SPV_MEMORY_ACCESS_ALIGNED))
      return;
   for (uint32_t n = first; n <= last; n++)
      promise_align(r, r->roots[index_of(s, i->words[n])].variable, i->words[at + 1]);
}

/* Something that no variable of the IR can stand for happens to this pointer. */
static void
escape(struct spirv *s, struct spirv_roots *r, uint32_t id)
{
   need(r, r->roots[index_of(s, id)].variable);
}

/* It is loaded from, stored to or followed: fine as long as its type is its own. */
static void
use(struct spirv *s, struct spirv_roots *r, uint32_t id)
{
   const struct root *root = &r->roots[index_of(s, id)];

   if (root->cast)
      need(r, root->variable);
}

static void
derive(struct spirv *s, struct spirv_roots *r, uint32_t result, uint32_t base, bool cast)
{
   struct root *to = &r->roots[index_of(s, result)], *from = &r->roots[index_of(s, base)];

   to->variable = from->variable;
   to->cast = from->cast || cast;
}

static void
see_call(struct spirv *s, struct spirv_roots *r, const struct spirv_instr *i)
{
   const struct spirv_id *callee = hd_spirv_id(s, i->words[0]);

   for (uint32_t n = 1; n < i->num_words; n++) {
      const uint32_t index = index_of(s, i->words[n]);
      struct root *arg = &r->roots[index];
      if (arg->variable == UINT32_MAX)
         continue;
      if (callee->kind != ID_FUNCTION || n > callee->function->num_params || arg->cast) {
         need(r, arg->variable);
         continue;
      }
      struct root *param = &r->roots[index_of(s, callee->function->params[n - 1])];
      if (r->num_args == r->args_capacity) {
         uint32_t capacity = r->args_capacity ? 2 * r->args_capacity : 64;
         struct arg *args = hd_spirv_alloc(s, capacity * sizeof(*args));
         if (r->num_args)
            memcpy(args, r->args, r->num_args * sizeof(*args));
         r->args = args;
         r->args_capacity = capacity;
      }
      r->args[r->num_args++] = (struct arg){ arg->variable, param->first_arg };
      param->first_arg = r->num_args;
   }
}

static void
see(struct spirv *s, struct spirv_roots *r, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_NAME:
   case SPV_OP_LINE:
   case SPV_OP_NO_LINE:
   case SPV_OP_LIFETIME_START:
   case SPV_OP_LIFETIME_STOP:
   case SPV_OP_FUNCTION:
   case SPV_OP_LABEL:
   case SPV_OP_BRANCH:
   case SPV_OP_LOOP_MERGE:
   case SPV_OP_SELECTION_MERGE:
   case SPV_OP_FUNCTION_END:
      return;
   case SPV_OP_VARIABLE:
   case SPV_OP_FUNCTION_PARAMETER: {
      const struct spirv_type *t = hd_spirv_result_type(s, i);
      if (t->kind == TYPE_POINTER)
         r->roots[index_of(s, i->result)].variable = index_of(s, i->result);
      if (i->opcode == SPV_OP_VARIABLE && i->num_words > 1)
         escape(s, r, i->words[1]);
      return;
   }
   case SPV_OP_LOAD:
      see_operands(s, r, i, 1, 0, 0);
      use(s, r, i->words[0]);
      return;
   case SPV_OP_STORE:
      see_operands(s, r, i, 2, 0, 0);
      use(s, r, i->words[0]);
      escape(s, r, i->words[1]);
      return;
   case SPV_OP_COPY_MEMORY_SIZED:
      see_operands(s, r, i, 3, 0, 1);
      escape(s, r, i->words[0]);
      escape(s, r, i->words[1]);
      return;
   case SPV_OP_COPY_MEMORY:
      use(s, r, i->words[0]);
      use(s, r, i->words[1]);
      return;
   case SPV_OP_ACCESS_CHAIN:
   case SPV_OP_IN_BOUNDS_ACCESS_CHAIN:
   case SPV_OP_PTR_ACCESS_CHAIN:
   case SPV_OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
      use(s, r, i->words[0]);
      derive(s, r, i->result, i->words[0], false);
      return;
   case SPV_OP_COPY_OBJECT:
      derive(s, r, i->result, i->words[0], false);
      return;
   case SPV_OP_PTR_CAST_TO_GENERIC:
   case SPV_OP_GENERIC_CAST_TO_PTR:
   case SPV_OP_GENERIC_CAST_TO_PTR_EXPLICIT:
      escape(s, r, i->words[0]);
      derive(s, r, i->result, i->words[0], true);
      return;
   case SPV_OP_BITCAST:
      derive(s, r, i->result, i->words[0], true);
      return;
   case SPV_OP_FUNCTION_CALL:
      see_call(s, r, i);
      return;
   case SPV_OP_EXT_INST: {
      /* modf, frexp and the like store through their pointers; vload and its kin go by address. */
      const struct spirv_id *set = hd_spirv_id(s, i->words[0]);
      bool glsl = set->kind == ID_EXT_SET && set->ext_set == EXT_GLSL;
      bool none = set->kind == ID_EXT_SET && set->ext_set >= EXT_NON_SEMANTIC;
      for (uint32_t n = 2; n < i->num_words && !none; n++) {
         /* Some operands of sets are literals that may be no id. */
         if (!hd_spirv_is_defined(s, i->words[n]))
            continue;
         if (glsl || !hd_spirv_ext_needs_address(set->ext_set, i->words[1]))
            use(s, r, i->words[n]);
         else
            escape(s, r, i->words[n]);
         uint32_t align = hd_spirv_ext_align(s, set->ext_set, i, n - 2);
         promise_align(r, r->roots[index_of(s, i->words[n])].variable, align);
      }
      return;
   }
   default:
      /* Operands that are literals and look like ids only make a variable live in memory. */
      for (uint32_t n = 0; n < i->num_words; n++) {
         if (hd_spirv_is_defined(s, i->words[n]))
            escape(s, r, i->words[n]);
      }
      return;
   }
}

/* Variables whose address is in a constant, or in what a variable holds at the start. */
static void
see_constants(struct spirv *s, struct spirv_roots *r)
{
   for (uint32_t n = 0; n < s->num_ids; n++) {
      const struct spirv_id *record = &s->ids[n];
      const bool constant = record->kind == ID_CONSTANT && record->constant->addresses;
      if (!constant && record->kind != ID_VARIABLE)
         continue;
      const struct spirv_instr i = hd_spirv_fetch(s, record->word);
      hd_heap_step(s->heap, i.num_words);
      /* A storage class and an opcode are no ids. */
      for (uint32_t k = constant && record->constant->elements ? 0 : 1; k < i.num_words; k++) {
         const uint32_t slot = hd_spirv_slot(s, i.words[k]);
         if (slot && s->ids[slot - 1].kind == ID_VARIABLE)
            need(r, slot - 1);
      }
   }
}

static struct spirv_roots *
find_roots(struct spirv *s)
{
   struct spirv_roots *r = hd_spirv_alloc(s, sizeof(*r));
   struct spirv_instr i;

   r->roots = hd_spirv_alloc(s, (s->num_ids + 1) * sizeof(*r->roots));
   r->work = hd_spirv_alloc(s, (s->num_ids + 1) * sizeof(*r->work));
   r->aligned = hd_spirv_alloc(s, (s->num_ids + 1) * sizeof(*r->aligned));
   for (uint32_t n = 0; n < s->num_ids; n++) {
      const struct spirv_id *record = &s->ids[n];
      r->roots[n].variable = record->kind == ID_VARIABLE ? n : UINT32_MAX;
   }
   const struct spirv_instr at = s->at;
   see_constants(s, r);
   for (uint32_t word = s->first_function; word < s->num_words; word += s->words[word] >> 16) {
      i = hd_spirv_fetch(s, word);
      s->at = i;
      see(s, r, &i);
   }
   while (r->num_work) {
      const struct root *root = &r->roots[r->work[--r->num_work]];
      for (uint32_t n = root->first_arg; n; n = r->args[n - 1].next)
         need(r, r->args[n - 1].variable);
   }
   /* Each comes here as often as its alignment doubles, at most. */
   while (r->num_aligned) {
      struct root *root = &r->roots[r->aligned[--r->num_aligned]];
      root->waits = false;
      for (uint32_t n = root->first_arg; n; n = r->args[n - 1].next) {
         hd_heap_step(s->heap, 1);
         promise_align(r, r->args[n - 1].variable, root->align);
      }
   }
   s->at = at;
   return r;
}

uint32_t
hd_spirv_promised_align(struct spirv *s, uint32_t id)
{
   if (!s->kernel)
      return 1;
   if (!s->roots)
      s->roots = find_roots(s);
   const uint32_t align = s->roots->roots[index_of(s, id)].align;
   return align ? align : 1;
}

bool
hd_spirv_needs_address(struct spirv *s, uint32_t id)
{
   /* Outside of kernels pointers to these variables are no values. */
   if (!s->kernel)
      return false;
   if (!s->roots)
      s->roots = find_roots(s);
   return s->roots->roots[index_of(s, id)].address;
}
