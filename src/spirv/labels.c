/* SPDX-License-Identifier: MIT */
/* labels.c - the CFG of a function body: blocks (labels), edges, dominance. All rules that the body
 * must meet to be translated in the order of its words are checked here, once, however often the
 * function is called.
 */
#include "spirv/body.h"

#include <assert.h>

static bool
is_terminator(uint32_t opcode)
{
   switch (opcode) {
   case SPV_OP_BRANCH:
   case SPV_OP_BRANCH_CONDITIONAL:
   case SPV_OP_SWITCH:
   case SPV_OP_RETURN:
   case SPV_OP_RETURN_VALUE:
   case SPV_OP_KILL:
   case SPV_OP_TERMINATE_INVOCATION:
   case SPV_OP_UNREACHABLE:
   case SPV_OP_IGNORE_INTERSECTION_KHR:
   case SPV_OP_TERMINATE_RAY_KHR:
   case SPV_OP_EMIT_MESH_TASKS_EXT:
      return true;
   default:
      return false;
   }
}

static bool
is_merge(uint32_t opcode)
{
   return opcode == SPV_OP_LOOP_MERGE || opcode == SPV_OP_SELECTION_MERGE;
}

unsigned
hd_spirv_case_words(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_type(s, hd_spirv_id(s, i->words[0])->type);

   if (t->kind != TYPE_INT)
      hd_spirv_invalid(s, "expected an integer selector");
   unsigned num = t->bits > 32 ? 2 : 1;
   if ((i->num_words - 2) % (num + 1))
      hd_spirv_invalid(s, "a literal or its label is missing");
   return num;
}

/* Where a terminator goes: `visit` is called for the words that hold labels. */
static uint32_t
count_targets(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_BRANCH:
      return 1;
   case SPV_OP_BRANCH_CONDITIONAL:
      return 2;
   case SPV_OP_SWITCH:
      return 1 + (i->num_words - 2) / (hd_spirv_case_words(s, i) + 1);
   default:
      return 0;
   }
}

/* The id of target n. */
static uint32_t
target_id(struct spirv *s, const struct spirv_instr *i, uint32_t n)
{
   if (i->opcode == SPV_OP_BRANCH)
      return i->words[0];
   if (i->opcode == SPV_OP_BRANCH_CONDITIONAL || !n)
      return i->words[1 + n];
   return i->words[1 + n * (hd_spirv_case_words(s, i) + 1)];
}

uint32_t
hd_spirv_label(struct spirv *s, const struct spirv_body *body, uint32_t id)
{
   const struct spirv_id *record = hd_spirv_id(s, id);
   const struct spirv_label *label = record->kind == ID_LABEL ? record->label : NULL;

   if (!label || label < body->labels || label >= body->labels + body->num_labels)
      hd_spirv_invalid(s, "%%%u is not a label of this function", id);
   return (uint32_t)(label - body->labels);
}

/* What must hold of the instructions of a function: each is in a block, variables are in the first
 * one. Where merge instructions and phis stand in their block does not matter: the former are read
 * here, the latter get to its head.
 */
struct shape {
   struct spirv_body *body;
   struct spirv_label *open;
};

static void
check_place(struct spirv *s, const struct shape *shape, uint32_t opcode, unsigned room)
{
   if (opcode == SPV_OP_LABEL ? shape->open != NULL : !shape->open)
      hd_spirv_invalid(s, shape->open ? "the block before it has no terminator"
                                      : "it must be in a block");
   switch (room) {
   case SPIRV_ROOM_FLOW:
      if (opcode == SPV_OP_PHI && shape->open == shape->body->labels)
         hd_spirv_invalid(s, "it must not be in the first block of a function");
      if (opcode == SPV_OP_FUNCTION_PARAMETER)
         hd_spirv_invalid(s, "it must not be in a block");
      break;
   case SPIRV_ROOM_VARIABLE:
      if (shape->open != shape->body->labels)
         hd_spirv_invalid(s, "it is not in the first block of a function");
      break;
   case SPIRV_ROOM_TYPE:
   case SPIRV_ROOM_CONSTANT:
   case SPIRV_ROOM_MODULE:
      hd_spirv_invalid(s, "it must not be in a block");
   default:
      break;
   }
}

/* Lines may be outside of blocks, and so may instructions of sets that mean nothing. */
static bool
is_anywhere(uint32_t opcode)
{
   return opcode == SPV_OP_EXT_INST || opcode == SPV_OP_LINE || opcode == SPV_OP_NO_LINE ||
          opcode == SPV_OP_NOP;
}

static void
open_label(struct spirv *s, struct shape *shape, const struct spirv_instr *i)
{
   shape->open = &shape->body->labels[shape->body->num_labels++];
   *shape->open = (struct spirv_label){
      .id = i->result,
      .word = hd_spirv_next_word(s, i->word),
      .merge_to = NONE,
      .continue_to = NONE,
      .loop = NONE,
      .trap = true,
   };
   hd_spirv_id(s, i->result)->label = shape->open;
}

static void
end_label(struct spirv *s, struct shape *shape, const struct spirv_instr *i)
{
   shape->open->end = i->word;
   shape->open->returns = i->opcode == SPV_OP_RETURN || i->opcode == SPV_OP_RETURN_VALUE;
   shape->body->num_targets += count_targets(s, i);
   shape->open = NULL;
}

static void
take_instr(struct spirv *s, struct shape *shape, uint32_t word)
{
   const uint32_t opcode = s->words[word] & 0xffff;
   const unsigned room = hd_spirv_opcode(opcode)->room;

   s->at.opcode = opcode;
   s->at.word = word;
   shape->body->num_instrs++;
   if (!shape->open && is_anywhere(opcode))
      return;
   check_place(s, shape, opcode, room);
   if (opcode == SPV_OP_LABEL) {
      s->at = hd_spirv_fetch(s, word);
      open_label(s, shape, &s->at);
      return;
   }
   assert(shape->open);
   if (room != SPIRV_ROOM_FLOW && room != SPIRV_ROOM_UNSUPPORTED) {
      shape->open->trap &= is_anywhere(opcode);
      return;
   }
   s->at = hd_spirv_fetch(s, word);
   shape->open->trap &= opcode == SPV_OP_UNREACHABLE;
   if (is_merge(opcode))
      shape->open->merge = word;
   if (is_terminator(opcode))
      end_label(s, shape, &s->at);
}

static void
find_labels(struct spirv *s, const struct spirv_function *f, struct spirv_body *body)
{
   struct shape shape = { .body = body };
   uint32_t num = 0;

   for (uint32_t w = f->first; w < f->end; w = hd_spirv_next_word(s, w))
      num += (s->words[w] & 0xffff) == SPV_OP_LABEL;
   body->labels = hd_spirv_alloc(s, (num + 1) * sizeof(*body->labels));
   for (uint32_t w = f->first; w < f->end; w = hd_spirv_next_word(s, w))
      take_instr(s, &shape, w);
   if (shape.open)
      hd_spirv_invalid(s, "the last block of the function has no terminator");
}

/* Each target once, in the order of the words. */
static void
find_targets(struct spirv *s, struct spirv_body *body)
{
   uint32_t num = 0;

   body->targets = hd_spirv_alloc(s, (body->num_targets + 1) * sizeof(*body->targets));
   for (uint32_t n = 0; n < body->num_labels; n++) {
      struct spirv_label *label = &body->labels[n];
      s->at = hd_spirv_fetch(s, label->end);
      label->first = num;
      for (uint32_t t = 0; t < count_targets(s, &s->at); t++) {
         uint32_t to = hd_spirv_label(s, body, target_id(s, &s->at, t));
         if (!to)
            hd_spirv_invalid(s, "it branches to the first block of the function");
         if (body->labels[to].stamp == n + 1 || body->labels[to].trap)
            continue;
         body->labels[to].stamp = n + 1;
         body->targets[num++] = to;
      }
      label->num = num - label->first;
      if (!label->merge)
         continue;
      s->at = hd_spirv_fetch(s, label->merge);
      label->merge_to = hd_spirv_label(s, body, s->at.words[0]);
      if (s->at.opcode == SPV_OP_LOOP_MERGE)
         label->continue_to = hd_spirv_label(s, body, s->at.words[1]);
   }
   body->num_targets = num;
}

/* The order of the words, if blocks stand after those that dominate them, as they should; else one
 * in which they do: some writers of kernels leave blocks in any order.
 */
static void
find_order(struct spirv *s, struct spirv_body *body, const uint32_t *idom)
{
   uint32_t num = body->num_labels;
   bool in_order = true;

   body->order = scratch(s->stack, num);
   for (uint32_t n = 1; n < num; n++)
      in_order &= idom[n] == NONE || idom[n] < n;
   for (uint32_t n = 0; n < num; n++) {
      uint32_t label = in_order ? n : body->dominators.order[n];
      if (body->labels[label].reachable)
         body->order[body->num_reachable++] = label;
   }
}

static void
find_dominators(struct spirv *s, struct spirv_body *body)
{
   uint32_t num = body->num_labels, *idom = scratch(s->stack, num);
   uint32_t *begin = scratch(s->stack, (size_t)num + 1);

   for (uint32_t n = 0; n < num; n++)
      begin[n] = body->labels[n].first;
   begin[num] = body->num_targets;
   hd_spirv_dominators(s, num, begin, body->targets, idom);
   hd_forest_build(&body->dominators, s->stack, num, idom, NULL, NULL);
   for (uint32_t n = 0; n < num; n++) {
      struct spirv_label *label = &body->labels[n];
      label->reachable = !n || idom[n] != NONE;
      label->stamp = 0;
      if (!label->reachable)
         continue;
      body->num_returns += label->returns;
      for (uint32_t e = 0; e < label->num; e++) {
         struct spirv_label *to = &body->labels[body->targets[label->first + e]];
         to->num_preds++;
         to->pred = n;
      }
   }
   find_order(s, body, idom);
}

struct spirv_body *
hd_spirv_body(struct spirv *s, struct spirv_function *f)
{
   struct spirv_instr at = s->at;

   if (f->body)
      return f->body;
   struct spirv_body *body = hd_spirv_alloc(s, sizeof(*body));
   find_labels(s, f, body);
   if (!body->num_labels) {
      const struct spirv_decoration *d =
          hd_spirv_decoration(s, f->id, -1, SPV_DECORATION_LINKAGE_ATTRIBUTES);
      const char *name = d ? hd_spirv_string(s, d->word) : hd_spirv_name(s, f->id);
      s->at = hd_spirv_fetch(s, f->word);
      hd_spirv_unsupported(s, "function \"%.80s\", which another module defines", name ? name : "");
   }
   find_targets(s, body);
   find_dominators(s, body);
   if (s->structured)
      hd_spirv_find_loops(s, body);
   s->at = at;
   f->body = body;
   return body;
}
