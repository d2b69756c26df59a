/* SPDX-License-Identifier: MIT */
/* why.c - explorer: explanations: why a value or branch is divergent, why control flow was added, why an
 * instruction was not moved.
 *
 * Analyses run on a copy of the shader with the same indices of values and blocks: within a pass
 * pipeline, their failure would unwind the pipeline.
 */
#include <inttypes.h>
#include <string.h>

#include "explore/explore.h"
#include "heddle/clone.h"
#include "heddle/structurize.h"

/* What motion may cost: each instruction is asked about. */
#define MOTION_STEPS UINT64_C(20000000)
/* Of a reason beside its words, about. */
#define WHY_BYTES 24u

/* The nodes of the values and blocks of a function. */
struct nodes {
   side *s;
   hd_function *f;
   uint32_t *defs, *blocks;
};

static void
find_nodes(side *s, hd_function *f, uint32_t number, struct nodes *nodes)
{
   hd_stack *stack = &s->x->stack;

   *nodes = (struct nodes){
      .s = s,
      .f = f,
      .defs = hd_stack_alloc(stack, (f->num_defs + (size_t)1) * sizeof(uint32_t)),
      .blocks = hd_stack_alloc(stack, (f->num_blocks + (size_t)1) * sizeof(uint32_t)),
   };
   memset(nodes->defs, 0xff, (f->num_defs + (size_t)1) * sizeof(uint32_t));
   memset(nodes->blocks, 0xff, (f->num_blocks + (size_t)1) * sizeof(uint32_t));
   for (uint32_t n = 0; n < s->rows.num; n++) {
      const row *at = &s->rows.at[n];
      if (at->function != number)
         continue;
      if (at->kind == ROW_INSTR && at->has_def && at->index < f->num_defs)
         nodes->defs[at->index] = at->node;
      else if (at->kind == ROW_BLOCK && at->index < f->num_blocks)
         nodes->blocks[at->index] = at->node;
   }
}

static uint32_t
node_of_def(const struct nodes *nodes, const hd_def *def)
{
   return def && def->index < nodes->f->num_defs ? nodes->defs[def->index] : NO_NODE;
}

static uint32_t
node_of_block(const struct nodes *nodes, const hd_block *b)
{
   return b && !hd_block_is_end(b) && b->node.index < nodes->f->num_blocks
              ? nodes->blocks[b->node.index]
              : NO_NODE;
}

static void
say_node(const struct nodes *nodes, char sigil, uint32_t node)
{
   hd_blob *text = &nodes->s->text;
   const uint32_t number = node == NO_NODE ? NO_NODE : nodes->s->nodes.at[node].number;

   if (number == NO_NODE)
      hd_blob_printf(text, sigil == '%' ? "a value" : "a block");
   else
      hd_blob_printf(text, "%c%" PRIu32, sigil, number);
}

static void
say_def(const struct nodes *nodes, const hd_def *def)
{
   say_node(nodes, '%', node_of_def(nodes, def));
}

static void
say_block(const struct nodes *nodes, const hd_block *b)
{
   say_node(nodes, 'b', node_of_block(nodes, b));
}

/* s->text is a reason of this node in the newest step; that of divergence goes on if it is the same. */
static void
add_reason(const struct nodes *nodes, why_kind kind, uint32_t node, uint32_t next)
{
   side *s = nodes->s;
   const uint32_t step = s->steps.num, open = node == NO_NODE ? 0 : s->nodes.at[node].divergent;

   hd_explore_check(s->x, &s->text);
   if (node == NO_NODE)
      return;
   if (kind == WHY_DIVERGENT && open && s->whys.at[open - 1].last == s->last_changed &&
       !strcmp(s->whys.at[open - 1].text, s->text.data)) {
      s->whys.at[open - 1].last = step;
      return;
   }
   s->why_bytes += WHY_BYTES + s->text.size;
   s->whys_cut = s->why_bytes > hd_explore_room(s->x) / 8;
   if (s->whys_cut)
      return;
   *PUSH(s->x, s->whys) = (why){ .node = node,
                                 .first = step,
                                 .last = step,
                                 .kind = kind,
                                 .text = hd_explore_keep(s->x, s->text.data),
                                 .next = next };
   if (kind == WHY_DIVERGENT)
      s->nodes.at[node].divergent = s->whys.num;
}

static hd_blob *
begin(const struct nodes *nodes)
{
   nodes->s->text.size = 0;
   return &nodes->s->text;
}

/* Divergence */

/* What was heard, kept: nothing may be unwound through the analysis. */
struct reasons {
   hd_divergence_reason *at;
   uint32_t num, capacity;
};

static void
hear_divergence(void *user, const hd_divergence_reason *reason)
{
   struct reasons *r = user;

   if (r->num < r->capacity)
      r->at[r->num++] = *reason;
}

static void
say_source(hd_blob *out, const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_PARAM:
      hd_blob_printf(out, "a caller may give each lane its own");
      break;
   case HD_INSTR_CALL:
      hd_blob_printf(out, "a call may return anything");
      break;
   case HD_INSTR_LOAD_VAR:
      hd_blob_printf(out, "a variable may hold anything");
      break;
   default:
      hd_blob_printf(out, "%s may differ between lanes", hd_instr_intrinsic_info(i)->name);
      break;
   }
}

/* The node that the chain goes on with. */
static uint32_t
say_divergence(const struct nodes *nodes, const hd_divergence_reason *reason)
{
   hd_blob *out = begin(nodes);

   switch (reason->why) {
   case HD_DIVERGENT_SOURCE:
      say_source(out, hd_def_instr(reason->def));
      return NO_NODE;
   case HD_DIVERGENT_OPERAND:
      say_def(nodes, reason->src->def);
      hd_blob_printf(out, " is divergent");
      return node_of_def(nodes, reason->src->def);
   case HD_DIVERGENT_TEMPORAL:
      hd_blob_printf(out, "lanes that diverge at ");
      say_block(nodes, reason->diverged_at);
      hd_blob_printf(out, " leave the loop of ");
      say_block(nodes, reason->header);
      hd_blob_printf(out, " in different iterations, with different ");
      say_def(nodes, reason->src->def);
      return node_of_block(nodes, reason->diverged_at);
   case HD_DIVERGENT_LATE:
      say_def(nodes, reason->src->def);
      hd_blob_printf(out, " may come from an earlier iteration");
      return node_of_def(nodes, reason->src->def);
   case HD_DIVERGENT_JOIN:
      hd_blob_printf(out, "lanes that diverge at ");
      say_block(nodes, reason->diverged_at);
      hd_blob_printf(out, " reconverge here from several edges");
      return node_of_block(nodes, reason->diverged_at);
   }
   return NO_NODE;
}

static void
explain_divergence(side *s, hd_function *f, uint32_t number)
{
   struct reasons r = { .capacity = f->num_defs + f->num_blocks };
   struct nodes nodes;

   find_nodes(s, f, number, &nodes);
   r.at = hd_stack_alloc(&s->x->stack, (r.capacity + (size_t)1) * sizeof(*r.at));
   const hd_result result = hd_explain_divergence(f, &r, hear_divergence);
   if (result != HD_OK)
      hd_heap_fail(&s->x->heap, result);
   for (uint32_t n = 0; n < r.num; n++) {
      const hd_divergence_reason *reason = &r.at[n];
      const uint32_t next = say_divergence(&nodes, reason);
      add_reason(&nodes, WHY_DIVERGENT,
                 reason->def ? node_of_def(&nodes, reason->def)
                             : node_of_block(&nodes, reason->block),
                 next);
   }
}

/* A copy that analyses may keep things with. */
static hd_shader *
copy_of(side *s, const hd_shader *shader, uint64_t steps)
{
   const hd_config config = { .allocator = s->x->heap.config.allocator, .budget = { 0, steps } };
   hd_result result;

   hd_shader_destroy(s->copy);
   s->copy = NULL;
   result = hd_shader_clone(shader, &config, &s->copy);
   if (result != HD_OK)
      hd_heap_fail(&s->x->heap, result);
   return s->copy;
}

void
hd_explore_divergence(side *s, const hd_shader *shader)
{
   uint32_t number = 0;

   hd_foreach_function(f, copy_of(s, shader, 0))
      explain_divergence(s, f, number++);
}

/* Motion: may it go up to the end of the block that dominates its own? */

static void
say_motion(const struct nodes *nodes, const hd_block *to, const hd_motion_reason *reason)
{
   hd_blob *out = begin(nodes);

   hd_blob_printf(out, "it may not go to the end of ");
   say_block(nodes, to);
   hd_blob_printf(out, ": %s", hd_motion_name(reason->why));
   if (reason->src) {
      hd_blob_printf(out, ", for ");
      say_def(nodes, reason->src->def);
   }
   if (reason->block) {
      hd_blob_printf(out,
                     reason->why == HD_MOTION_LANES ? ", by the branch of " : ", by the loop of ");
      say_block(nodes, reason->block);
   }
   if (reason->instr && hd_instr_def(reason->instr)) {
      hd_blob_printf(out, ", by ");
      say_def(nodes, &reason->instr->def);
   } else if (reason->instr && reason->instr->kind == HD_INSTR_INTRINSIC) {
      hd_blob_printf(out, ", by a %s", hd_instr_intrinsic_info(reason->instr)->name);
   }
}

/* Only what has a reason of its own to stay: what reads lanes, memory, or needs something uniform. */
static bool
is_bound(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC && hd_instr_intrinsic_info(i)->num_srcs;
}

/* Do the operands exist there? Else that is why. */
static const hd_src *
missing_operand(const hd_instr *i, const hd_block *to)
{
   hd_foreach_src(src, i) {
      if (!hd_block_dominates(hd_def_instr(src->def)->block, to))
         return src;
   }
   return NULL;
}

static hd_result
explain_instr(const struct nodes *nodes, const row *at, hd_instr *i)
{
   hd_block *to = hd_block_idom(i->block);
   hd_motion_reason reason;

   if (!to || !is_bound(i))
      return HD_OK;
   const hd_src *missing = missing_operand(i, to);
   hd_result result = HD_OK;
   if (missing) {
      hd_blob *out = begin(nodes);
      hd_blob_printf(out, "it may not go to the end of ");
      say_block(nodes, to);
      hd_blob_printf(out, ": there is no ");
      say_def(nodes, missing->def);
      hd_blob_printf(out, " yet");
   } else {
      result = hd_may_move(i, hd_before_jump(to), &reason);
      if (result != HD_OK || reason.why == HD_MOTION_LEGAL)
         return result;
      say_motion(nodes, to, &reason);
   }
   add_reason(nodes, WHY_STAYS, at->node, missing ? node_of_def(nodes, missing->def) : NO_NODE);
   return result;
}

/* The rows of the step are in the order of the copy's instructions. */
void
hd_explore_motion(side *s, const hd_shader *shader)
{
   uint32_t number = 0, at = 0;
   hd_result result = HD_OK;

   hd_foreach_function(f, copy_of(s, shader, MOTION_STEPS)) {
      struct nodes nodes;
      find_nodes(s, f, number++, &nodes);
      result = hd_require(f, HD_META_DOMINANCE);
      while (at < s->rows.num && s->rows.at[at].kind != ROW_FUNCTION)
         at++;
      at++;
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            while (at < s->rows.num && s->rows.at[at].kind != ROW_INSTR)
               at++;
            if (at == s->rows.num || result != HD_OK)
               break;
            result = explain_instr(&nodes, &s->rows.at[at++], i);
         }
      }
   }
   if (result == HD_OUT_OF_MEMORY)
      hd_heap_fail(&s->x->heap, result);
   s->motion_cut = result == HD_BUDGET_EXCEEDED;
}

/* Control flow that is added */

/* Blocks and strings are there during the call alone. */
struct addition {
   uint32_t at, target, from, to; /* nodes */
   bool is_at, has_target, has_edge;
   size_t added, why; /* in the text */
};

struct additions {
   const struct nodes *nodes;
   struct addition *at;
   uint32_t num, capacity;
   hd_blob *text;
};

static size_t
keep_text(hd_blob *text, const char *string)
{
   const size_t at = text->size;

   hd_blob_append(text, string, strlen(string) + 1);
   return at;
}

static void
hear_addition(void *user, const hd_explanation *e)
{
   struct additions *a = user;

   if (a->num == a->capacity)
      return;
   struct addition *made = &a->at[a->num++];
   *made = (struct addition){
      .at = node_of_block(a->nodes, e->at),
      .target = node_of_block(a->nodes, e->target),
      .from = node_of_block(a->nodes, e->from),
      .to = node_of_block(a->nodes, e->to),
      .is_at = e->at != NULL,
      .has_target = e->target != NULL,
      .has_edge = e->from && e->to,
   };
   made->added = keep_text(a->text, e->added);
   made->why = keep_text(a->text, e->why);
}

static void
say_addition(const struct nodes *nodes, const struct additions *a, const struct addition *e)
{
   hd_blob *out = begin(nodes);

   hd_blob_printf(out, "%s", a->text->data + e->added);
   if (e->is_at) {
      hd_blob_printf(out, " after ");
      say_node(nodes, 'b', e->at);
   }
   if (e->has_target) {
      hd_blob_printf(out, " for ");
      say_node(nodes, 'b', e->target);
   }
   if (e->has_edge) {
      hd_blob_printf(out, ", for the edge ");
      say_node(nodes, 'b', e->from);
      hd_blob_printf(out, " to ");
      say_node(nodes, 'b', e->to);
   }
   hd_blob_printf(out, ": %s", a->text->data + e->why);
}

static void
explain_additions(side *s, hd_function *f, uint32_t number, const hd_pass_step *step,
                  bool structurize)
{
   struct nodes nodes;
   struct additions a = { .nodes = &nodes,
                          .capacity = 4 * f->num_blocks + 16,
                          .text = &s->scratch };
   hd_result result;

   if (f->structured)
      return;
   find_nodes(s, f, number, &nodes);
   a.at = hd_stack_alloc(&s->x->stack, a.capacity * sizeof(*a.at));
   s->scratch.size = 0;
   if (structurize) {
      result = hd_structurize(f, &(hd_structurize_options){ .user = &a, .explain = hear_addition });
   } else {
      const hd_reconverge_options options = { .order = (hd_reconverge_order)step->values[0],
                                              .keep_reconverging = step->values[1],
                                              .user = &a,
                                              .explain = hear_addition };
      result = hd_reconverge(f, &options);
   }
   if (result == HD_OUT_OF_MEMORY)
      hd_heap_fail(&s->x->heap, result);
   hd_explore_check(s->x, &s->scratch);
   for (uint32_t n = 0; result == HD_OK && n < a.num; n++) {
      const struct addition *e = &a.at[n];
      say_addition(&nodes, &a, e);
      add_reason(&nodes, WHY_ADDED, e->at != NO_NODE ? e->at : e->from, e->target);
   }
}

void
hd_explore_additions(side *s, const hd_shader *shader, const hd_pass_step *step)
{
   const bool structurize = !strcmp(step->pass->name, "lower_structurize");
   uint32_t number = 0;

   if (!structurize && strcmp(step->pass->name, "lower_reconverge"))
      return;
   hd_foreach_function(f, copy_of(s, shader, 0))
      explain_additions(s, f, number++, step, structurize);
}

/* Node, first and last step, kind, text, and the node that the chain goes on with or -1. */
void
hd_explore_write_whys(const side *s, hd_blob *out)
{
   hd_blob_printf(out, "\"why\":[");
   for (uint32_t n = 0; n < s->whys.num; n++) {
      const why *w = &s->whys.at[n];
      hd_blob_printf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%u,", n ? ",\n" : "", w->node,
                     w->first, w->last, w->kind);
      hd_explore_string(out, w->text);
      hd_blob_printf(out, ",%d]", w->next == NO_NODE ? -1 : (int)w->next);
   }
   hd_blob_printf(out, "]");
}
