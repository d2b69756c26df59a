/* SPDX-License-Identifier: MIT */
/* random_shader.c - random functions: trees, graphs, and what is declared of them. */
#include "random_shader.h"

#include "heddle/analysis.h"
#include "heddle/build.h"

#include <stdio.h>
#include <stdlib.h>

#include "random_code.h"

#define MAX_DEPTH  12
#define MAX_BLOCKS 16

/* An if or loop that is open, and what was known before it. */
typedef struct scope {
   enum { IN_THEN, IN_ELSE, IN_BODY, IN_CONTINUE } place;
   unsigned num_values;
   bool has_node;      /* it is not in code that is dropped */
   hd_def *then_value; /* for a phi after the if; NULL: none */
} scope;

static void
name_block(generator *g)
{
   char buffer[32];
   const char *name = random_name(g, buffer);

   if (name && !g->b.dropped && g->b.result == HD_OK)
      hd_block_set_name(g->b.function, hd_cursor_block(g->b.cursor), name);
}

static void
close_scope(generator *g, scope *s)
{
   hd_builder *b = &g->b;

   switch (s->place) {
   case IN_THEN:
      s->then_value = random_once_in(g, 2) ? random_value(g, 1, 32) : NULL;
      g->num_values = s->num_values;
      hd_push_else(b);
      s->place = IN_ELSE;
      name_block(g);
      break;
   case IN_ELSE: {
      hd_def *else_value = s->then_value ? random_value(g, 1, 32) : NULL;
      g->num_values = s->num_values;
      hd_pop_if(b);
      if (else_value) {
         hd_def *phi = hd_if_phi(b, s->then_value, else_value);
         if (!b->dropped)
            g->values[g->num_values++] = phi;
      }
      break;
   }
   case IN_BODY:
      g->num_values = s->num_values;
      hd_push_continue(b);
      s->place = IN_CONTINUE;
      name_block(g);
      break;
   case IN_CONTINUE:
      g->num_values = s->num_values;
      hd_pop_loop(b);
      break;
   }
   /* Code that nothing reaches may stand in the block after what is not left, and in a continue
    * list without continue. The builder drops it; to have some, it is told otherwise.
    */
   if (s->has_node && b->dropped && random_once_in(g, 2))
      b->dropped = false;
}

static bool
is_closed_by(const scope *s)
{
   return s->place == IN_ELSE || s->place == IN_CONTINUE;
}

/* May a `continue` stand here? Is there a loop at all? */
static bool
find_loop(const scope *scopes, unsigned depth, bool *continue_allowed)
{
   while (depth--) {
      if (scopes[depth].place == IN_BODY || scopes[depth].place == IN_CONTINUE) {
         *continue_allowed = scopes[depth].place == IN_BODY;
         return true;
      }
   }
   *continue_allowed = false;
   return false;
}

static void
random_return(generator *g)
{
   hd_function *f = g->b.function;

   hd_return(&g->b, f->result_bits ? random_value(g, f->result_components, f->result_bits) : NULL);
}

static void
random_jump(generator *g, const scope *scopes, unsigned depth)
{
   bool continue_allowed, in_loop = find_loop(scopes, depth, &continue_allowed);
   bool jump_allowed = !depth || scopes[depth - 1].place != IN_CONTINUE;

   switch (random_below(g, 8)) {
   case 0:
   case 1:
      if (in_loop)
         hd_break_if(&g->b, random_value(g, 1, 1));
      break;
   case 2:
   case 3:
      if (continue_allowed)
         hd_continue_if(&g->b, random_value(g, 1, 1));
      break;
   case 4:
      if (in_loop && jump_allowed && depth)
         hd_break(&g->b);
      break;
   case 5:
      if (continue_allowed && jump_allowed && depth)
         hd_continue(&g->b);
      break;
   case 6:
      if (jump_allowed && depth)
         random_return(g);
      break;
   case 7:
      if (jump_allowed && depth)
         hd_halt(&g->b);
      break;
   }
}

static void
random_tree(generator *g, unsigned size)
{
   scope scopes[MAX_DEPTH];
   unsigned depth = 0;

   while ((size || depth) && g->b.result == HD_OK) {
      unsigned what = size ? random_below(g, 24) : 23;
      size -= size != 0;
      if (what < 14) {
         random_statement(g);
      } else if (what < 18) {
         if (depth == MAX_DEPTH)
            continue;
         bool is_if = random_once_in(g, 2);
         hd_def *cond = is_if ? random_value(g, 1, 1) : NULL;
         scopes[depth++] = (scope){ .place = is_if ? IN_THEN : IN_BODY,
                                    .num_values = g->num_values,
                                    .has_node = !g->b.dropped };
         if (is_if)
            hd_push_if(&g->b, cond);
         else
            hd_push_loop(&g->b);
         name_block(g);
      } else if (what < 20) {
         random_jump(g, scopes, depth);
      } else if (depth) {
         bool closed = is_closed_by(&scopes[depth - 1]);
         close_scope(g, &scopes[depth - 1]);
         depth -= closed;
      }
   }
   if (!g->b.dropped && g->b.function->result_bits)
      random_return(g);
}

static bool
is_continued(hd_block *const *blocks, unsigned num, const hd_block *header)
{
   for (unsigned n = 0; n < num; n++) {
      if (blocks[n]->continues == header)
         return true;
   }
   return false;
}

void
random_declarations(generator *g, hd_block *const *blocks, unsigned num)
{
   uint32_t faults;

   for (unsigned n = 1; n < num; n++) {
      hd_block *b = blocks[n], *other = blocks[1 + random_below(g, num - 1)];
      b->node.header = random_once_in(g, 4);
      if (random_once_in(g, 3))
         b->loop_header = other;
      else if (random_once_in(g, 2) && !is_continued(blocks, num, other))
         b->continues = other;
      if (hd_check_declarations(b->node.list->function, NULL, NULL, &faults) != HD_OK || faults) {
         b->node.header = false;
         b->loop_header = b->continues = NULL;
      }
   }
}

static void
random_end(generator *g, hd_block *const *blocks, unsigned num)
{
   hd_builder *b = &g->b;
   hd_block *targets[6];
   uint64_t values[6];

   for (unsigned n = 0; n < 6; n++) {
      targets[n] = blocks[1 + random_below(g, num - 1)];
      values[n] = n * 41 + random_below(g, 40);
   }
   switch (random_below(g, 9)) {
   case 0:
      random_return(g);
      break;
   case 1:
      hd_halt(b);
      break;
   case 2: {
      static const uint8_t bits[] = { 8, 16, 32, 64 };
      hd_def *selector = random_value(g, 1, bits[random_below(g, 4)]);
      hd_switch(b, selector, targets[0], random_below(g, 6), values, targets + 1);
      break;
   }
   case 3:
   case 4:
      hd_goto(b, targets[0]);
      break;
   default:
      hd_goto_if(b, random_value(g, 1, 1), targets[0], targets[1]);
      break;
   }
}

static void
random_graph(generator *g, unsigned size)
{
   hd_block *blocks[MAX_BLOCKS];
   unsigned num = 2 + random_below(g, MAX_BLOCKS - 2), known = 0;

   if (g->b.result != HD_OK)
      return;
   blocks[0] = hd_function_start(g->b.function);
   for (unsigned n = 1; n < num; n++)
      blocks[n] = hd_builder_add_block(&g->b);
   for (unsigned n = 0; n < num && g->b.result == HD_OK; n++) {
      if (n)
         hd_builder_set_block(&g->b, blocks[n]);
      name_block(g);
      for (unsigned k = 1 + random_below(g, 2 * size / num + 1); k; k--)
         random_statement(g);
      random_end(g, blocks, num);
      /* Only what the start block defines is known in all others. */
      if (!n)
         known = g->num_values;
      g->num_values = known;
      if (random_once_in(g, 8))
         g->random ^= n;
   }
   if (g->b.result == HD_OK)
      random_declarations(g, blocks, num);
}

static void
random_function(generator *g, hd_function *f, unsigned size, bool is_entry)
{
   hd_builder *b = &g->b;
   bool dropped;

   hd_builder_enter(b, f);
   if (b->result != HD_OK)
      return;
   g->num_values = 0;
   if (!is_entry) {
      for (unsigned n = random_below(g, 4); n; n--) {
         hd_shape shape = random_shape(g);
         g->values[g->num_values++] = hd_build_param(b, shape.num_components, shape.bit_size);
      }
      if (random_once_in(g, 2)) {
         hd_shape shape = random_shape(g);
         hd_function_set_result(f, shape.num_components, shape.bit_size);
      }
   }
   for (unsigned n = 0; n < NUM_VARS && b->result == HD_OK; n++) {
      hd_shape shape = random_shape(g);
      g->vars[n] = hd_var_create(f, n == 1 ? "w" : NULL, shape.num_components, shape.bit_size,
                                 n == 2 ? 1 + random_below(g, 9) : 0);
   }
   for (unsigned n = 0; n < NUM_SSA_VARS; n++)
      g->ssa_vars[n] = hd_ssa_var_create(b, 1 + n % 2, n < 2 ? 32 : 1);
   dropped = b->dropped;
   if (f->structured)
      random_tree(g, size);
   else
      random_graph(g, size);
   b->dropped |= dropped;
}

static void
random_properties(generator *g)
{
   hd_shader *s = g->b.shader;

   if ((s->stage == HD_STAGE_COMPUTE || s->stage == HD_STAGE_KERNEL) && random_once_in(g, 2)) {
      for (unsigned n = 0; n < 3; n++)
         s->workgroup_size[n] = 2 + random_below(g, 16);
   }
   if (random_once_in(g, 3))
      s->subgroup_size = 2u << random_below(g, 7);
   if (random_once_in(g, 2))
      s->float_controls = random_below(g, HD_FLOAT_ALL + 1);
   if (random_once_in(g, 2))
      s->shared_size = random_below(g, 65536);
   if (random_once_in(g, 2))
      s->scratch_size = random_below(g, 65536);
   if (random_once_in(g, 2))
      s->push_size = random_below(g, 256);
   if (s->stage == HD_STAGE_KERNEL)
      s->kernarg_size = random_below(g, 256);
   for (unsigned n = random_once_in(g, 3) ? random_below(g, 100) : 0; n; n--) {
      const uint8_t byte = (uint8_t)random_below(g, 256);
      hd_shader_add_constants(s, &byte, 1, 1);
   }
}

hd_shader *
random_shader(const hd_config *config, uint64_t seed, const random_options *options)
{
   static const random_options defaults;
   static const char *const names[] = { "random", "", "sp ace", "quo\"te" };
   const random_options *o = options ? options : &defaults;
   generator *g = calloc(1, sizeof(*g));
   unsigned size = o->size ? o->size : 60;
   hd_function *functions[MAX_FUNCTIONS];
   hd_shader *shader = NULL;

   if (!g)
      return NULL;
   /* Seeds that follow each other must not give sequences that do. */
   g->random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
   vocabulary_init(&g->vocabulary, seed);
   g->random = (g->random ^ g->random >> 32) * UINT64_C(0xd6e8feb86659fd93) | 1;
   hd_stage stage = o->fixed_stage ? o->stage : (hd_stage)random_below(g, HD_NUM_STAGES);
   bool flat = o->no_structured || (!o->no_flat && random_once_in(g, 3));
   const char *name = names[random_below(g, 4)];
   g->b =
       flat ? hd_builder_create_flat(config, stage, name) : hd_builder_create(config, stage, name);
   unsigned num = o->one_function ? 1 : 1 + random_below(g, MAX_FUNCTIONS);
   functions[0] = g->b.function;
   for (unsigned n = 1; n < num && g->b.result == HD_OK; n++) {
      char function_name[16];
      snprintf(function_name, sizeof(function_name), "f%u", n);
      flat = o->no_structured || (!o->no_flat && random_once_in(g, 3));
      functions[n] = hd_function_create(g->b.shader, function_name, !flat);
      if (!functions[n])
         goto out;
   }
   if (g->b.result == HD_OK)
      random_properties(g);
   /* Callees first, the entry last. */
   for (unsigned n = num; n-- && g->b.result == HD_OK;) {
      random_function(g, functions[n], size, n == 0);
      g->callees[g->num_callees++] = functions[n];
   }
out:
   hd_builder_finish(&g->b, &shader);
   free(g);
   return shader;
}
