/* SPDX-License-Identifier: MIT */
/* vectors.c - test-case reduction: vectors to fewer components.
 *
 * Values that must have as many components as each other are a web: the operands and the result of
 * an op that works on each component, a phi and its sources, parameters and what calls hand to
 * them, a variable and what is stored to it. A site is one component of one web; taking it away
 * takes it from every value of the web:
 *
 *    %v:32x3 = vec %a, %b, %c          %v:32x2 = vec %a, %c
 *    %w:32x3 = fadd %v, %v       =>    %w:32x2 = fadd %v, %v          (component 1)
 *    %x:32 = channel %w, 2             %x:32 = channel %w, 1
 *
 * Webs are numbered by the first of their values in the text. A web that has become narrower is
 * still one, with its number, so sites stay what they are while others are taken away.
 */
#include "heddle/op_enum.h"
#include "reduce/reduce.h"

#include <string.h>

#include "heddle/analysis.h"
#include "heddle/ops.h"

/* Where the things of a function begin: its values by index, its variables, what it returns. */
typedef struct span {
   const hd_function *f;
   uint32_t defs, vars, result;
} span;

typedef struct webs {
   hd_blob memory[4];
   span *spans;
   uint32_t *parent;
   uint32_t *is_fixed; /* by root: something in it has as many components as it must */
   uint32_t *number;   /* by root: 1 + its position in the text, 0: none yet */
   uint32_t num_things, num_spans;
} webs;

static uint32_t
root(const webs *w, uint32_t thing)
{
   while (w->parent[thing] != thing) {
      w->parent[thing] = w->parent[w->parent[thing]];
      thing = w->parent[thing];
   }
   return thing;
}

static void
join(webs *w, uint32_t a, uint32_t b)
{
   a = root(w, a);
   b = root(w, b);
   if (a == b)
      return;
   w->parent[b] = a;
   w->is_fixed[a] |= w->is_fixed[b];
}

static void *
allot(hd_blob *blob, const hd_shader *shader, size_t size)
{
   static const char zeros[256];

   hd_blob_init(blob, hd_shader_config(shader));
   while (size) {
      const size_t part = size < sizeof(zeros) ? size : sizeof(zeros);
      hd_blob_append(blob, zeros, part);
      size -= part;
   }
   return blob->result == HD_OK ? blob->data : NULL;
}

static void
finish_webs(webs *w)
{
   for (unsigned n = 0; n < 4; n++)
      hd_blob_finish(&w->memory[n]);
}

/* A value at an operand of this type; *linked is another that has as many components, or NULL. */
static void
see_operand(webs *w, const span *f, const hd_type_info *type, const hd_def *def,
            const hd_def **linked)
{
   const uint32_t thing = f->defs + def->index;

   if (!type->linked) {
      /* Coordinates are as long as the shape of their image says. */
      if (type->max_components > 1 &&
          (type->min_components == type->max_components || !strcmp(type->name, "coord") ||
           !strcmp(type->name, "ddx") || !strcmp(type->name, "ddy")))
         w->is_fixed[root(w, thing)] = true;
   } else if (*linked) {
      join(w, f->defs + (*linked)->index, thing);
   } else {
      *linked = def;
   }
}

static void
see_table(webs *w, const span *f, hd_instr *i)
{
   const bool is_alu = i->kind == HD_INSTR_ALU;
   const hd_op_info *op = hd_op_get_info(is_alu ? (hd_op)i->op : HD_OP_NONE);
   const hd_intrinsic_info *info =
       is_alu ? hd_intrinsic_get_info(HD_INTRINSIC_NONE) : hd_instr_intrinsic_info(i);
   const hd_def *linked = NULL;

   if (is_alu && op->flags & HD_OP_VARIADIC)
      return;
   for (unsigned n = 0; n < i->num_srcs; n++)
      see_operand(w, f, is_alu ? &op->src[n] : &info->src[n], hd_instr_src(i, n)->def, &linked);
   if (hd_instr_def(i))
      see_operand(w, f, is_alu ? &op->result : &info->result, &i->def, &linked);
}

static void
see_call(webs *w, const span *f, const hd_call *call)
{
   const span *callee = w->spans;
   const hd_instr *param = hd_function_start(call->callee)->first;

   while (callee->f != call->callee)
      callee++;
   for (uint32_t n = 0; n < call->num_args; n++, param = param->next)
      join(w, f->defs + call->args[n].src.def->index, callee->defs + param->def.index);
   if (call->callee->result_bits)
      join(w, f->defs + call->instr.def.index, callee->result);
}

static void
see_instr(webs *w, const span *f, hd_instr *i)
{
   const hd_var_access *access = hd_instr_as_var_access(i);
   const hd_def *value = &i->def;

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
   case HD_INSTR_INTRINSIC:
      see_table(w, f, i);
      break;
   case HD_INSTR_PHI:
      hd_foreach_src(src, i)
         join(w, f->defs + i->def.index, f->defs + src->def->index);
      break;
   case HD_INSTR_CALL:
      see_call(w, f, (const hd_call *)i);
      break;
   case HD_INSTR_JUMP:
      if (i->op == HD_JUMP_RETURN && i->num_srcs)
         join(w, f->defs + hd_instr_src(i, 0)->def->index, f->result);
      break;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      if (i->kind == HD_INSTR_STORE_VAR)
         value = hd_instr_src(i, 0)->def;
      join(w, f->vars + access->var->index, f->defs + value->index);
      break;
   default:
      break;
   }
}

/* False where memory ran out. */
static bool
find_webs(webs *w, const hd_shader *shader)
{
   uint32_t num_webs = 0;

   *w = (webs){ 0 };
   w->spans = allot(&w->memory[0], shader, shader->num_functions * sizeof(span));
   hd_foreach_function(f, shader) {
      const uint32_t defs = w->num_things, vars = defs + f->num_defs, result = vars + f->num_vars;
      if (w->spans)
         w->spans[w->num_spans++] = (span){ f, defs, vars, result };
      w->num_things = result + 1;
   }
   w->parent = allot(&w->memory[1], shader, w->num_things * sizeof(uint32_t));
   w->is_fixed = allot(&w->memory[2], shader, w->num_things * sizeof(uint32_t));
   w->number = allot(&w->memory[3], shader, w->num_things * sizeof(uint32_t));
   if (!w->spans || !w->parent || !w->is_fixed || !w->number)
      return false;
   for (uint32_t n = 0; n < w->num_things; n++)
      w->parent[n] = n;
   for (const span *s = w->spans; s < w->spans + w->num_spans; s++) {
      hd_foreach_block(b, s->f) {
         hd_foreach_instr(i, b)
            see_instr(w, s, i);
      }
   }
   for (const span *s = w->spans; s < w->spans + w->num_spans; s++) {
      hd_foreach_block(b, s->f) {
         hd_foreach_instr(i, b) {
            uint32_t *number = hd_instr_def(i) ? &w->number[root(w, s->defs + i->def.index)] : NULL;
            if (number && !*number)
               *number = ++num_webs;
         }
      }
   }
   return true;
}

/* One site for each component of each web of vectors. */
static void
list_components(sites *list, hd_shader *shader)
{
   uint32_t next = 1;
   webs w;

   if (!find_webs(&w, shader))
      list->blob.result = HD_OUT_OF_MEMORY;
   for (const span *s = w.spans; list->blob.result == HD_OK && s < w.spans + w.num_spans; s++) {
      hd_foreach_block(b, s->f) {
         hd_foreach_instr(i, b) {
            const uint32_t r = hd_instr_def(i) ? root(&w, s->defs + i->def.index) : 0;
            const unsigned num = hd_instr_def(i) && w.number[r] == next ? i->def.num_components : 0;
            for (unsigned c = 0; num > 1 && !w.is_fixed[r] && c < num; c++)
               hd_reduce_add_site(list, NULL, NULL, next * HD_MAX_COMPONENTS + c);
            next += num != 0;
         }
      }
   }
   finish_webs(&w);
}

/* The number of a component at which a vector is read or changed, when component c of it goes. */
static bool
renumber(hd_instr *i, unsigned c, unsigned left)
{
   hd_src *src = hd_instr_src(i, i->op == HD_OP_CHANNEL ? 1 : 2);
   const hd_const *index = hd_src_as_const(src);
   hd_const_value value = { .u64 = 0 };

   if (!index || index->value[0].u64 < c || (c == 0 && index->value[0].u64 == 0))
      return true;
   value.u64 = index->value[0].u64 - 1;
   if (value.u64 >= left)
      value.u64 = left - 1;
   hd_const *number =
       hd_const_create(hd_block_function(i->block)->shader, 1, src->def->bit_size, &value);
   if (!number)
      return false;
   hd_instr_insert(hd_before_instr(i), &number->instr);
   hd_src_set_def(src, &number->instr.def);
   return true;
}

/* Constants and what is put together have as much room as they need: others take their place. */
static hd_instr *
narrower(hd_function *f, hd_instr *i, unsigned c)
{
   const unsigned left = i->def.num_components - 1u;
   const hd_const *constant = hd_instr_as_const(i);

   if (constant) {
      hd_const_value values[HD_MAX_COMPONENTS];
      for (unsigned n = 0; n < left; n++)
         values[n] = constant->value[n + (n >= c)];
      hd_const *less = hd_const_create(f->shader, left, i->def.bit_size, values);
      return less ? &less->instr : NULL;
   }
   hd_alu *less = hd_alu_create(f->shader, i->op, left, left, i->def.bit_size);
   for (unsigned n = 0; less && n < left; n++)
      hd_instr_set_src(&less->instr, n, hd_instr_src(i, n + (n >= c))->def);
   return less ? &less->instr : NULL;
}

static bool
narrow_instr(hd_function *f, hd_instr *i, unsigned c)
{
   if (i->kind != HD_INSTR_CONST && !(i->kind == HD_INSTR_ALU && i->op == HD_OP_VEC)) {
      i->def.num_components--;
      return true;
   }
   hd_instr *less = narrower(f, i, c);
   if (!less)
      return false;
   less->loc = i->loc;
   hd_instr_insert(hd_before_instr(i), less);
   hd_def_replace_uses(&i->def, &less->def);
   hd_instr_remove(i);
   return true;
}

static bool
is_in(const webs *w, uint32_t thing, uint32_t number)
{
   return w->number[root(w, thing)] == number;
}

/* Where components are read and changed by number; nothing is narrower yet. */
static bool
renumber_all(const webs *w, const span *s, uint32_t number, unsigned c)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_instr_safe(i, b) {
         const bool reads =
             i->kind == HD_INSTR_ALU && (i->op == HD_OP_CHANNEL || i->op == HD_OP_INSERT_CHANNEL);
         const hd_def *vector = reads ? hd_instr_src(i, 0)->def : NULL;
         if (vector && is_in(w, s->defs + vector->index, number) &&
             (vector->num_components < 2 || !renumber(i, c, vector->num_components - 1u)))
            return false;
      }
   }
   return true;
}

static bool
narrow_all(const webs *w, const span *s, uint32_t number, unsigned c)
{
   hd_function *f = (hd_function *)s->f;
   const uint32_t num_defs = s->vars - s->defs;

   hd_foreach_block(b, f) {
      hd_foreach_instr_safe(i, b) {
         /* What is new has a number above those that were there. */
         if (hd_instr_def(i) && i->def.index < num_defs &&
             is_in(w, s->defs + i->def.index, number) && !narrow_instr(f, i, c))
            return false;
      }
   }
   hd_foreach_var(v, f)
      v->num_components -= is_in(w, s->vars + v->index, number);
   f->result_components -= f->result_bits && is_in(w, s->result, number);
   hd_meta_invalidate(f, HD_META_GRAPH);
   return true;
}

/* How many components the values of a web have. */
static unsigned
width(const webs *w, uint32_t number)
{
   for (const span *s = w->spans; s < w->spans + w->num_spans; s++) {
      hd_foreach_block(b, s->f) {
         hd_foreach_instr(i, b) {
            if (hd_instr_def(i) && is_in(w, s->defs + i->def.index, number))
               return i->def.num_components;
         }
      }
   }
   return 0;
}

static bool
drop_component(const site *s, hd_shader *shader)
{
   const uint32_t number = s->choice / HD_MAX_COMPONENTS, c = s->choice % HD_MAX_COMPONENTS;
   webs w;
   bool done = find_webs(&w, shader);
   const unsigned num = done ? width(&w, number) : 0;

   done = num > 1 && c < num;
   for (uint32_t n = 0; done && n < w.num_spans; n++)
      done = renumber_all(&w, &w.spans[n], number, c);
   for (uint32_t n = 0; done && n < w.num_spans; n++)
      done = narrow_all(&w, &w.spans[n], number, c);
   finish_webs(&w);
   return done;
}

const kind hd_reduce_vector_kinds[] = {
   { "components", list_components, drop_component, false },
};
const unsigned hd_reduce_num_vector_kinds =
    sizeof(hd_reduce_vector_kinds) / sizeof(hd_reduce_vector_kinds[0]);
