/* SPDX-License-Identifier: MIT */
/* random_program.c - functions and control flow of random programs. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>

#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/structurize.h"

#define MAX_DEPTH  4
#define MAX_ROUNDS 4
#define MAX_BLOCKS 9

static void
statement(program *p)
{
   switch (random_below(&p->g, 41)) {
   case 0:
   case 1:
   case 2:
   case 3:
   case 4:
   case 5:
   case 6:
      make_op(p);
      break;
   case 7:
   case 8:
   case 9:
   case 10:
   case 11:
   case 12:
   case 13:
      make_pattern(p);
      break;
   case 14:
      make_inexact(p);
      break;
   case 15:
   case 16:
   case 17:
      make_again(p);
      break;
   case 18:
   case 19:
   case 20:
   case 21:
   case 22:
      if (p->num_ssa)
         use_ssa(p);
      break;
   case 23:
   case 24:
   case 25:
      if (p->num_locals)
         use_local(p);
      break;
   case 26:
      make_self_value(p);
      if (random_once_in(&p->g, 2))
         make_self_value(p);
      break;
   case 27:
      make_mask_value(p);
      break;
   case 28:
   case 29:
   case 30:
   case 40:
      if (!p->options.no_lanes)
         make_cross_lane(p);
      break;
   case 31:
   case 32:
      make_load(p);
      break;
   case 33:
      make_store(p);
      break;
   case 34:
      make_atomic(p);
      break;
   case 35:
      if (!p->options.no_images)
         make_image_access(p);
      break;
   case 36:
      for (unsigned n = 0; n < (p->options.constant_locations ? 8 : 1); n++)
         make_output(p);
      break;
   case 37:
      if (p->options.constant_locations) {
         make_load(p);
         make_demote(p);
      } else if (random_once_in(&p->g, 4)) {
         make_demote(p);
      }
      break;
   default:
      if (p->g.num_values)
         observe(p, p->g.values[random_below(&p->g, p->g.num_values)]);
      break;
   }
   make_aside(p, make_rare);
}

static void
call(program *p)
{
   generator *g = &p->g;
   hd_def *args[4];

   if (!p->num_callees)
      return;
   const struct callee *c = &p->callees[random_below(g, p->num_callees)];
   for (unsigned n = 0; n < c->num_params; n++)
      args[n] = pick(p, c->params[n].num_components, c->params[n].bit_size,
                     c->param_defined[n] ? DEFINED : 0);
   hd_def *def = hd_build_call(&g->b, c->f, c->num_params, args);
   if (def)
      observe(p, keep(p, def, c->result_defined ? DEFINED : 0));
}

/* Leave the function, by return or halt. */
static void
leave(program *p)
{
   hd_builder *b = &p->g.b;
   const hd_function *f = b->function;

   if (random_once_in(&p->g, 6)) {
      hd_halt(b);
      return;
   }
   if (!f->result_bits) {
      hd_return(b, NULL);
      return;
   }
   hd_return(b,
             pick(p, f->result_components, f->result_bits, p->self->result_defined ? DEFINED : 0));
}

/* Trees */

enum place { IN_THEN, IN_ELSE, IN_BODY, IN_CONTINUE };

struct scope {
   enum place place;
   unsigned num_values; /* known before it */
   hd_ssa_var *rounds;  /* of a loop: how many were run */
   hd_def *limit;       /* after so many it is left */
   bool at_end;         /* by a test in the continue list */
};

struct tree {
   program *p;
   struct scope scopes[MAX_DEPTH];
   unsigned depth;
   unsigned left; /* statements */
   unsigned loops;
   bool waits; /* exchanges may be made at depth 0 */
};

/* The loop is left once the rounds are done: every lane gets here in each of them. */
static void
test_rounds(struct tree *t, const struct scope *s)
{
   hd_builder *b = &t->p->g.b;
   hd_def *rounds = hd_ssa_read(b, s->rounds);

   switch (random_below(&t->p->g, 3)) {
   case 0:
      hd_break_if(b, hd_ule(b, s->limit, rounds));
      break;
   case 1:
      hd_break_if(b, hd_inot(b, hd_ult(b, rounds, s->limit)));
      break;
   default:
      hd_break_if(b, hd_ile(b, s->limit, rounds));
      break;
   }
}

static void
count_round(program *p, const struct scope *s)
{
   hd_builder *b = &p->g.b;

   hd_def *one = hd_imm_u32(b, 1);
   hd_ssa_write(b, s->rounds, hd_iadd(b, hd_ssa_read(b, s->rounds), one));
}

static void
open_loop(struct tree *t)
{
   program *p = t->p;
   hd_builder *b = &p->g.b;
   struct scope *s = &t->scopes[t->depth++];
   const unsigned rounds = t->loops ? 3 : MAX_ROUNDS;

   *s = (struct scope){ .place = IN_BODY, .num_values = p->g.num_values };
   s->rounds = hd_ssa_var_create(b, 1, 32);
   hd_ssa_write(b, s->rounds, p->zero);
   if (random_once_in(&p->g, 2)) {
      s->limit = hd_imm_u32(b, random_below(&p->g, rounds + 1));
   } else {
      hd_def *most = hd_imm_u32(b, rounds - 1);
      s->limit = hd_umin(b, pick_below(p, 4, 0), most);
   }
   s->at_end = random_once_in(&p->g, 2);
   hd_push_loop(b);
   t->loops++;
   p->in_loops++;
   keep(p, hd_ssa_read(b, s->rounds), DEFINED | UNIFORM);
   if (!s->at_end)
      test_rounds(t, s);
}

static void
open_if(struct tree *t)
{
   program *p = t->p;
   hd_def *cond = pick_condition(p);

   t->scopes[t->depth++] = (struct scope){ .place = IN_THEN, .num_values = p->g.num_values };
   hd_push_if(&p->g.b, cond);
}

static void
enter_continue(struct tree *t)
{
   program *p = t->p;
   struct scope *s = &t->scopes[t->depth - 1];

   p->g.num_values = s->num_values;
   hd_push_continue(&p->g.b);
   s->place = IN_CONTINUE;
   count_round(p, s);
   if (s->at_end)
      test_rounds(t, s);
}

static void
close_scope(struct tree *t)
{
   program *p = t->p;
   struct scope *s = &t->scopes[t->depth - 1];

   if (s->place == IN_BODY) {
      enter_continue(t);
      return;
   }
   p->g.num_values = s->num_values;
   if (s->place == IN_THEN && !random_once_in(&p->g, 3)) {
      hd_push_else(&p->g.b);
      s->place = IN_ELSE;
      return;
   }
   if (s->place == IN_CONTINUE) {
      hd_pop_loop(&p->g.b);
      t->loops--;
      p->in_loops--;
   } else {
      hd_pop_if(&p->g.b);
   }
   t->depth--;
}

/* The innermost loop, and whether the cursor is in its continue list; NULL where there is none. */
static const struct scope *
loop_around(const struct tree *t)
{
   for (unsigned n = t->depth; n-- > 0;) {
      if (t->scopes[n].place == IN_BODY || t->scopes[n].place == IN_CONTINUE)
         return &t->scopes[n];
   }
   return NULL;
}

static void
jump(struct tree *t)
{
   program *p = t->p;
   hd_builder *b = &p->g.b;
   const struct scope *loop = loop_around(t);
   const bool inside = t->depth && t->scopes[t->depth - 1].place != IN_CONTINUE;

   switch (random_below(&p->g, 9)) {
   case 0:
   case 1:
      if (loop)
         hd_break_if(b, pick_condition(p));
      break;
   case 2:
   case 3:
      if (loop && loop->place == IN_BODY)
         hd_continue_if(b, pick_condition(p));
      break;
   case 4:
      if (loop && inside)
         hd_break(b);
      break;
   case 5:
      if (loop && inside && loop->place == IN_BODY)
         hd_continue(b);
      break;
   case 6:
      if (inside && random_once_in(&p->g, 2))
         leave(p);
      break;
   default: {
      hd_def *cond = pick_condition(p);
      const unsigned known = p->g.num_values;
      hd_push_if(b, cond);
      leave(p);
      hd_pop_if(b);
      p->g.num_values = known;
      break;
   }
   }
}

static void
make_tree(program *p, unsigned size, bool is_entry)
{
   const hd_stage stage = p->g.b.shader->stage;
   struct tree t = { .p = p, .left = size };

   t.waits = is_entry && (stage == HD_STAGE_COMPUTE || stage == HD_STAGE_KERNEL);
   while ((t.left || t.depth) && p->g.b.result == HD_OK) {
      const unsigned what = t.left ? random_below(&p->g, 30) : 29;
      t.left -= t.left != 0;
      if (what < 19)
         statement(p);
      else if (what == 19 && t.waits && !t.depth)
         make_exchange(p);
      else if (what == 20 && p->in_loops < 2)
         call(p);
      else if (what == 21 || what == 22)
         jump(&t);
      else if (what < 25 && t.depth < MAX_DEPTH)
         open_if(&t);
      else if (what == 25 && t.depth < MAX_DEPTH && t.loops < 2)
         open_loop(&t);
      else if (t.depth && what > 25)
         close_scope(&t);
   }
}

/* Graphs */

struct graph {
   program *p;
   hd_block *blocks[MAX_BLOCKS];
   unsigned num, at;
   hd_ssa_var *count; /* of decisions; after `limit` of them every block leads forward */
   hd_def *limit;
};

static hd_block *
forward(const struct graph *g)
{
   return g->blocks[g->at + 1 + random_low(g->p, g->num - g->at - 1)];
}

static hd_block *
anywhere(const struct graph *g)
{
   return g->blocks[1 + random_below(&g->p->g, g->num - 1)];
}

/* May the lane still decide freely? */
static hd_def *
is_free(const struct graph *g)
{
   hd_builder *b = &g->p->g.b;
   hd_def *count = hd_ssa_read(b, g->count);

   hd_ssa_write(b, g->count, hd_iadd(b, count, hd_imm_u32(b, 1)));
   return hd_ult(b, count, g->limit);
}

static void
end_block(const struct graph *g)
{
   program *p = g->p;
   hd_builder *b = &p->g.b;

   if (g->at == g->num - 1 || (g->at && random_once_in(&p->g, 12))) {
      leave(p);
   } else if (random_once_in(&p->g, 4)) {
      hd_goto(b, forward(g));
   } else if (random_once_in(&p->g, 5)) {
      static const uint8_t sizes[] = { 8, 16, 32, 64 };
      const unsigned bits = sizes[random_below(&p->g, 4)], num = 1 + random_below(&p->g, 4);
      hd_block *targets[4], *otherwise = anywhere(g);
      uint64_t values[4];
      for (unsigned n = 0; n < num; n++) {
         targets[n] = anywhere(g);
         values[n] = n * (1 + g->at % 3) + (n > 1 ? g->at : 0);
      }
      targets[0] = forward(g);
      hd_def *first = hd_imm_uint(b, bits, values[0]);
      hd_def *selector = hd_u2u(b, pick_below(p, 8, 0), bits);
      selector = hd_select(b, is_free(g), selector, first);
      hd_switch(b, selector, otherwise, num, values, targets);
   } else {
      hd_block *ahead = forward(g), *other = anywhere(g);
      const bool if_true = random_once_in(&p->g, 2);
      hd_def *cond = pick_condition(p), *free = is_free(g);
      cond = if_true ? hd_ior(b, hd_inot(b, free), cond) : hd_iand(b, free, cond);
      hd_goto_if(b, cond, if_true ? ahead : other, if_true ? other : ahead);
   }
}

static void
make_graph(program *p, unsigned size)
{
   hd_builder *b = &p->g.b;
   struct graph g = { .p = p, .num = 2 + random_below(&p->g, MAX_BLOCKS - 1) };
   unsigned known = 0;

   g.blocks[0] = hd_function_start(b->function);
   for (unsigned n = 1; n < g.num; n++)
      g.blocks[n] = hd_builder_add_block(b);
   g.count = hd_ssa_var_create(b, 1, 32);
   hd_ssa_write(b, g.count, p->zero);
   g.limit = hd_imm_u32(b, 1 + random_below(&p->g, 7));
   p->in_loops += 2;
   for (g.at = 0; g.at < g.num && b->result == HD_OK; g.at++) {
      if (g.at)
         hd_builder_set_block(b, g.blocks[g.at]);
      for (unsigned k = 1 + random_below(&p->g, 2 * size / g.num + 1); k; k--)
         statement(p);
      if (random_once_in(&p->g, 12))
         call(p);
      end_block(&g);
      if (!g.at)
         known = p->g.num_values;
      p->g.num_values = known;
   }
   p->in_loops -= 2;
   if (b->result == HD_OK && !random_once_in(&p->g, 3))
      random_declarations(&p->g, g.blocks, g.num);
}

/* Functions */

static hd_shape
variable_shape(program *p)
{
   static const uint8_t sizes[] = { 32, 32, 32, 1, 64, 16, 8 };
   hd_shape shape = { 1, sizes[random_below(&p->g, 7)] };

   if (random_once_in(&p->g, 4))
      shape.num_components = (uint8_t)(2 + random_below(&p->g, 3));
   return shape;
}

static void
make_variables(program *p)
{
   hd_builder *b = &p->g.b;

   p->num_ssa = 1 + random_below(&p->g, MAX_SSA);
   for (unsigned n = 0; n < p->num_ssa; n++) {
      const hd_shape shape = variable_shape(p);
      p->ssa[n] = (struct ssa_local){
         .var = hd_ssa_var_create(b, shape.num_components, shape.bit_size),
         .shape = shape,
         .defined = !random_once_in(&p->g, 4),
      };
      if (p->ssa[n].defined)
         hd_ssa_write(b, p->ssa[n].var, edge_const(p, shape.num_components, shape.bit_size));
   }
   p->num_locals = random_below(&p->g, MAX_LOCALS + 1);
   for (unsigned n = 0; n < p->num_locals; n++) {
      const hd_shape shape = variable_shape(p);
      const uint32_t length = random_once_in(&p->g, 2) ? 1 + random_below(&p->g, 5) : 0;
      hd_var *var = hd_var_create(b->function, NULL, shape.num_components, shape.bit_size, length);
      if (!var) {
         p->num_locals = n;
         return;
      }
      p->locals[n] = (struct local){ .var = var, .defined = !random_once_in(&p->g, 4) };
      for (uint32_t at = 0; at < (length ? length : 1) && p->locals[n].defined; at++) {
         hd_def *value = pick(p, shape.num_components, shape.bit_size, DEFINED);
         hd_store_var(b, var, length ? hd_imm_u32(b, at) : NULL, value);
      }
   }
}

static void
make_params(program *p)
{
   hd_builder *b = &p->g.b;
   struct callee *c = p->self;

   if (!c) {
      /* What the launch gives is the same for all, and divergence analysis knows it. */
      if (random_once_in(&p->g, 4))
         keep(p, hd_build_param(b, 1, 32), DEFINED | UNIFORM | PROVEN);
      if (random_once_in(&p->g, 4))
         p->pointer = hd_build_param(b, 1, 64);
      return;
   }
   c->num_params = random_below(&p->g, 4);
   for (unsigned n = 0; n < c->num_params; n++) {
      c->params[n] = variable_shape(p);
      c->param_defined[n] = !random_once_in(&p->g, 4);
      keep(p, hd_build_param(b, c->params[n].num_components, c->params[n].bit_size),
           c->param_defined[n] ? DEFINED : 0);
   }
   if (random_once_in(&p->g, 2)) {
      const hd_shape shape = variable_shape(p);
      hd_function_set_result(b->function, shape.num_components, shape.bit_size);
      c->result_defined = !random_once_in(&p->g, 4);
   }
}

static void
make_function(program *p, hd_function *f, unsigned size, bool is_entry)
{
   hd_builder *b = &p->g.b;

   hd_builder_enter(b, f);
   if (b->result != HD_OK)
      return;
   p->g.num_values = 0;
   p->pointer = NULL;
   make_params(p);
   hd_def *pointer = p->pointer;
   begin_memory(p);
   if (pointer)
      p->pointer = pointer;
   make_variables(p);
   make_aside(p, make_table);
   if (!f->structured) {
      make_graph(p, size);
      return;
   }
   make_tree(p, size, is_entry);
   if (b->dropped || b->result != HD_OK)
      return;
   if (f->result_bits)
      hd_return(
          b, pick(p, f->result_components, f->result_bits, p->self->result_defined ? DEFINED : 0));
}

static void
make_properties(program *p)
{
   static const uint8_t sizes[][3] = { { 16, 1, 1 }, { 4, 2, 2 }, { 5, 3, 1 }, { 1, 1, 1 } };
   hd_shader *s = p->g.b.shader;
   const bool grid = s->stage == HD_STAGE_COMPUTE || s->stage == HD_STAGE_KERNEL;

   for (unsigned n = 0; n < 3; n++)
      s->workgroup_size[n] = 0;
   if (grid && random_once_in(&p->g, 4)) {
      const uint8_t *size = sizes[random_below(&p->g, 4)];
      for (unsigned n = 0; n < 3; n++)
         s->workgroup_size[n] = size[n];
   }
   if (random_once_in(&p->g, 6))
      s->subgroup_size = 16u << random_below(&p->g, 3);
   if (random_once_in(&p->g, 4))
      s->float_controls = random_below(&p->g, HD_FLOAT_MODES + 1);
   if (grid)
      s->shared_size = SHARED_SIZE;
   s->scratch_size = SCRATCH_SIZE;
   s->push_size = PUSH_SIZE;
   s->kernarg_size = grid ? KERNARG_SIZE : 0;
   for (unsigned n = 0; n < CONSTANTS_SIZE; n++) {
      const uint8_t byte = (uint8_t)random_below(&p->g, 256);
      hd_shader_add_constants(s, &byte, 1, 1);
   }
}

static bool
is_flat(program *p)
{
   return !p->options.no_flat && random_once_in(&p->g, p->options.no_structured ? 2 : 4);
}

static hd_stage
choose_stage(program *p)
{
   static const hd_stage others[] = { HD_STAGE_KERNEL, HD_STAGE_KERNEL, HD_STAGE_VERTEX,
                                      HD_STAGE_VERTEX, HD_STAGE_FRAGMENT };

   if (p->options.fragment)
      return HD_STAGE_FRAGMENT;
   if (p->options.constant_locations)
      return HD_STAGE_VERTEX;
   if (p->options.compute || !random_once_in(&p->g, 3))
      return HD_STAGE_COMPUTE;
   return others[random_below(&p->g, 5)];
}

/* Phis that are some other value: the builder makes none of these. */

static bool
reads_after(const hd_block *b, const hd_src *use)
{
   const hd_instr *i = hd_src_instr(use);

   return hd_block_dominates(b, hd_src_block(use)) &&
          !(i && i->block == b && i->kind == HD_INSTR_PHI);
}

/* One of the uses of a value below a block reads a phi there instead, all of whose sources are that
 * value.
 */
static void
detour(program *p, hd_block *b, hd_def *def)
{
   hd_src *chosen = NULL;
   unsigned num = 0;

   hd_foreach_use(use, def) {
      if (reads_after(b, use) && random_once_in(&p->g, ++num))
         chosen = use;
   }
   hd_phi *phi = chosen ? hd_phi_insert(b, def->num_components, def->bit_size, NULL) : NULL;
   if (!phi)
      return;
   for (uint32_t n = 0; n < b->num_preds; n++)
      hd_phi_set_src(phi, b->preds[n].from, def);
   hd_src_set_def(chosen, &phi->instr.def);
}

/* A use of a phi reads another one that is the same. */
static void
repeat_phi(hd_phi *old)
{
   hd_block *b = old->instr.block;
   hd_src *use = old->instr.def.uses;

   if (!use || hd_src_slot(use) == HD_SLOT_WIDE)
      return;
   hd_phi *phi = hd_phi_insert(b, old->instr.def.num_components, old->instr.def.bit_size, NULL);
   if (!phi)
      return;
   for (uint32_t n = 0; n < b->num_preds; n++)
      hd_phi_set_src(phi, b->preds[n].from, hd_phi_src_from(old, b->preds[n].from)->def);
   hd_src_set_def(use, &phi->instr.def);
}

/* Divergence analysis may not see through them what was proven before; it is still true. */
static void
promise_uniform(hd_function *f)
{
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const hd_intrinsic_info *info =
             i->kind == HD_INSTR_INTRINSIC ? hd_instr_intrinsic_info(i) : NULL;
         for (unsigned n = 0; info && n < info->num_srcs; n++) {
            if (info->src[n].flags & (HD_OPERAND_UNIFORM | HD_OPERAND_DESCRIPTOR))
               i->flags |= HD_ASSUME_UNIFORM;
         }
      }
   }
}

static void
add_phis(program *p, hd_function *f)
{
   if (hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE) != HD_OK)
      return;
   hd_block *blocks[64], *start = hd_function_start(f);
   unsigned num = 0;

   hd_foreach_block(b, f) {
      if (num < 64 && b->num_preds > 1 && hd_block_is_reachable(b) && random_once_in(&p->g, 2))
         blocks[num++] = b;
   }
   for (unsigned n = 0; n < num; n++) {
      hd_phi *old = hd_instr_as_phi(blocks[n]->first);
      if (old && random_once_in(&p->g, 2))
         repeat_phi(old);
      unsigned tries = 0;
      hd_foreach_instr(i, start) {
         if (hd_instr_def(i) && i->kind != HD_INSTR_PARAM && random_once_in(&p->g, 6) &&
             tries++ < 3)
            detour(p, blocks[n], &i->def);
      }
   }
   promise_uniform(f);
}

/* May lanes have ended when others come to a barrier? A tree says so: it runs the arm that ends
 * before what follows the `if`. In a flat function no way leads from an end to the barrier, so
 * nothing orders the two, and the barrier would wait for lanes that have ended or not.
 */
static bool
ends_before_barrier(const hd_function *tree)
{
   bool ends = false;

   hd_foreach_block(b, tree) {
      const hd_jump *jump = hd_block_jump(b);
      hd_foreach_instr(i, b) {
         if (ends && i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_BARRIER)
            return true;
      }
      ends |= jump && (jump->instr.op == HD_JUMP_RETURN || jump->instr.op == HD_JUMP_HALT);
   }
   return false;
}

static void
finish(program *p, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      if (random_once_in(&p->g, 3))
         add_phis(p, f);
      if (f == shader->first_function)
         observe_behind_cycles(p, f);
      /* Some trees become graphs that say all that the tree does. */
      if (f->structured && !p->options.no_flat &&
          (p->options.no_structured || random_once_in(&p->g, 6)) && !ends_before_barrier(f))
         hd_unstructure(f);
   }
}

hd_shader *
random_program(const hd_config *config, uint64_t seed, const program_options *options)
{
   program *p = calloc(1, sizeof(*p));
   hd_function *functions[MAX_CALLEES + 1];
   hd_shader *shader = NULL;

   if (!p)
      return NULL;
   p->options = options ? *options : (program_options){ 0 };
   generator *g = &p->g;
   /* Seeds that follow each other must not give sequences that do. */
   g->random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
   vocabulary_init(&g->vocabulary, seed);
   g->random = (g->random ^ g->random >> 32) * UINT64_C(0xd6e8feb86659fd93) | 1;
   p->aside_random = g->random * UINT64_C(0x9e3779b97f4a7c15);
   p->aside_slot = RECORD_SLOTS / 2;
   const unsigned size = p->options.size ? p->options.size : 24;
   const hd_stage stage = choose_stage(p);
   g->b = is_flat(p) ? hd_builder_create_flat(config, stage, "program")
                     : hd_builder_create(config, stage, "program");
   const unsigned num =
       p->options.one_function || random_once_in(g, 2) ? 1 : 2 + random_below(g, MAX_CALLEES);
   functions[0] = g->b.function;
   if (g->b.result == HD_OK)
      make_properties(p);
   for (unsigned n = 1; n < num && g->b.result == HD_OK; n++) {
      char name[16];
      snprintf(name, sizeof(name), "f%u", n);
      functions[n] = hd_function_create(g->b.shader, name, !is_flat(p));
      if (!functions[n])
         goto out;
   }
   /* Callees first, the entry last. */
   for (unsigned n = num; n-- && g->b.result == HD_OK;) {
      p->self = n ? &p->callees[p->num_callees] : NULL;
      if (n)
         *p->self = (struct callee){ .f = functions[n] };
      make_function(p, functions[n], n ? size / 2 : size, n == 0);
      p->num_callees += n != 0;
   }
out:
   if (hd_builder_finish(&g->b, &shader) == HD_OK)
      finish(p, shader);
   free(p);
   return shader;
}
