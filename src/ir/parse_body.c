/* SPDX-License-Identifier: MIT */
/* parse_body.c - blocks, ifs and loops of a function, and the edges between them.
 *
 * Open ifs and loops are on an explicit stack, without recursion. The blocks that a node's edges go to
 * are created when it is opened: every edge is added at its jump.
 */
#include "ir/parse.h"

/* From here on, instructions go to this block. */
static void
begin_block(struct parser *p, hd_block *block)
{
   p->block = block;
   block->node.index = (uint32_t)p->labels.num;
   *PUSH(&p->scratch, p->labels) = 0;
   p->label_fits = true;
   p->ended = p->block_failed = p->ended_reported = false;
}

static void
append_node(hd_cf_list *list, hd_cf_node *node)
{
   node->list = list;
   node->prev = list->last;
   if (list->last)
      list->last->next = node;
   else
      list->first = node;
   list->last = node;
}

static hd_block *
append_block(struct parser *p, hd_cf_list *list)
{
   hd_block *b = hd_block_alloc(p->f);

   append_node(list, &b->node);
   return b;
}

static struct open_list *
open_top(struct parser *p)
{
   return &p->open.at[p->open.num - 1];
}

/* Labels: `b3 "loop head" header in b1 continues b0: @"file":1:2` */

static bool
is_label(const struct parser *p)
{
   static const char *const words[] = { "header", "in", "continues", "unroll", "rolled" };
   const struct token next = hd_parse_peek(p);

   if (next.first)
      return false;
   for (size_t n = 0; n < sizeof(words) / sizeof(words[0]); n++) {
      if (hd_parse_is_word(&next, words[n]))
         return true;
   }
   return next.kind == ':' || next.kind == TOKEN_STRING;
}

/* A flat function's block, which may have been mentioned before. */
static hd_block *
flat_block(struct parser *p, uint32_t record)
{
   struct record *r = &p->blocks.records[record];

   if (!r->object) {
      hd_block *b = hd_block_alloc(p->f);
      /* Edges ask a block for its function. */
      b->node.list = &p->f->body;
      r->object = b;
   }
   return r->object;
}

static bool
parse_block_mention(struct parser *p, uint32_t *record)
{
   if (p->tok.kind != TOKEN_WORD)
      return hd_parse_expected(p, "a block such as b1");
   *record = hd_parse_block_record(p, &p->tok);
   hd_parse_next(p);
   return true;
}

static bool
parse_declarations(struct parser *p, hd_block *b)
{
   while (p->tok.kind == TOKEN_WORD && !p->tok.first) {
      const struct token word = p->tok;
      uint32_t record;
      bool in = hd_parse_is_word(&word, "in"), header = hd_parse_is_word(&word, "header");
      if (hd_parse_is_word(&word, "unroll") || hd_parse_is_word(&word, "rolled")) {
         if (b->unroll)
            return hd_parse_error(p, word.start, word.length, "this is declared twice");
         b->unroll = hd_parse_is_word(&word, "unroll") ? HD_UNROLL_ALWAYS : HD_UNROLL_NEVER;
         hd_parse_next(p);
         continue;
      }
      if (!in && !header && !hd_parse_is_word(&word, "continues"))
         return hd_parse_expected(p, "':', header, in, continues, unroll or rolled");
      if (p->f->structured)
         return hd_parse_error(p, word.start, word.length,
                               "only blocks of flat functions are declared to be headers, members "
                               "or continue blocks, expected ':'");
      if (header ? b->node.header : in ? b->loop_header != NULL : b->continues != NULL)
         return hd_parse_error(p, word.start, word.length, "this is declared twice");
      hd_parse_next(p);
      if (header) {
         b->node.header = 1;
         continue;
      }
      if (p->tok.first || !parse_block_mention(p, &record))
         return p->tok.first ? hd_parse_expected(p, "a block such as b1") : false;
      if (in)
         b->loop_header = flat_block(p, record);
      else
         b->continues = flat_block(p, record);
   }
   return true;
}

/* Whose label this is: the block that has just begun, or a new one of a flat function. */
static hd_block *
labelled_block(struct parser *p, uint32_t record)
{
   const struct record *r = &p->blocks.records[record];

   if (p->label_fits && p->labels.at[p->block->node.index] == 0)
      return p->block;
   if (p->f->structured || r->defined)
      return NULL;
   hd_block *b = flat_block(p, record);
   append_node(&p->f->body, &b->node);
   return b;
}

static bool
parse_label(struct parser *p)
{
   const struct token label = p->tok;
   uint32_t record = hd_parse_block_record(p, &label);
   bool defined = p->blocks.records[record].defined;
   const char *name = NULL, *string;
   size_t length;

   hd_parse_next(p);
   bool fits = p->label_fits && p->labels.at[p->block->node.index] == 0;
   if (!p->f->structured && !p->ended && !p->block_failed && !fits && !defined)
      hd_parse_report(p, label.start, label.length,
                      "the block before this one has no jump, expected goto, goto_if, switch, "
                      "return or halt at its end");
   hd_block *b = labelled_block(p, record);
   if (!b && !defined) {
      p->blocks.records[record].defined = true;
      return hd_parse_error(p, label.start, label.length,
                            "a block begins in the middle of a list, expected it at the beginning "
                            "or after an if or a loop");
   }
   if (!hd_parse_define(p, &p->blocks, record, b ? b : p->block, label.start, label.length,
                        "block"))
      return false;
   if (b != p->block)
      begin_block(p, b);
   p->labels.at[b->node.index] = record + 1;

   if (p->tok.kind == TOKEN_STRING) {
      if (!hd_parse_string(p, &string, &length))
         return false;
      name = hd_shader_intern(p->shader, string, length);
   } else if (*label.start != 'b' || label.length == 1 ||
              strspn(label.start + 1, "0123456789") < label.length - 1) {
      name = hd_shader_intern(p->shader, label.start, label.length);
   }
   if (name)
      hd_block_set_name(p->f, b, name);
   uint32_t loc;
   if (!parse_declarations(p, b) || !hd_parse_expect(p, ':', "':' after the block", true) ||
       !hd_parse_location(p, &loc))
      return false;
   b->node.loc = loc;
   return true;
}

/* Ifs and loops */

/* What comes before the opening brace, of an if whose condition may be wrong. True at the brace. */
static bool
skip_to_brace(struct parser *p)
{
   while (p->tok.kind != '{' && p->tok.kind != '}' && p->tok.kind != TOKEN_END && !p->tok.first)
      hd_parse_next(p);
   return p->tok.kind == '{' && !p->tok.first;
}

static void
open_list(struct parser *p, enum open_kind kind, hd_cf_node *node, hd_block *after,
          const struct token *word)
{
   uint32_t loop = open_top(p)->loop, self = (uint32_t)p->open.num + 1;

   *PUSH(&p->scratch, p->open) = (struct open_list){
      .kind = kind,
      .node = node,
      .after = after,
      .loop = kind == OPEN_LOOP ? self : loop,
      .place = word->start,
      .length = word->length,
   };
}

static bool
parse_if(struct parser *p, const struct token *word)
{
   uint32_t record = 0, loc = 0;
   bool good = hd_parse_operand(p, &record) && hd_parse_location(p, &loc);

   if (!good && !skip_to_brace(p))
      return false;
   if (!hd_parse_expect(p, '{', "'{' after the condition", true))
      return false;
   hd_cf_list *list = p->block->node.list;
   hd_if *nif = hd_if_alloc(p->f, NULL);
   nif->node.loc = loc;
   if (good) {
      hd_parse_use(p, &nif->cond, record);
      hd_src_link(&nif->cond);
   }
   append_node(list, &nif->node);
   hd_block *after = append_block(p, list);
   hd_block *then_block = append_block(p, &nif->then_list);
   hd_block *else_block = append_block(p, &nif->else_list);
   hd_edge_add(p->block, then_block);
   hd_edge_add(p->block, else_block);
   open_list(p, OPEN_THEN, &nif->node, after, word);
   begin_block(p, then_block);
   return true;
}

static bool
parse_loop(struct parser *p, const struct token *word)
{
   uint32_t loc = 0;

   if (!hd_parse_location(p, &loc) && !skip_to_brace(p))
      return false;
   if (!hd_parse_expect(p, '{', "'{' after loop", true))
      return false;
   hd_cf_list *list = p->block->node.list;
   hd_loop *loop = hd_loop_alloc(p->f);
   loop->node.loc = loc;
   append_node(list, &loop->node);
   hd_block *after = append_block(p, list);
   hd_block *header = append_block(p, &loop->body);
   append_block(p, &loop->continue_list);
   hd_edge_add(p->block, header);
   open_list(p, OPEN_LOOP, &loop->node, after, word);
   begin_block(p, header);
   return true;
}

static void
fall_through(struct parser *p, hd_block *to)
{
   if (!p->ended)
      hd_edge_add(p->block, to);
}

static void
close_node(struct parser *p)
{
   hd_block *after = open_top(p)->after;

   p->open.num--;
   begin_block(p, after);
}

/* The closing brace of a list. */
static void
close_list(struct parser *p)
{
   struct open_list *top = open_top(p);
   const struct token brace = p->tok;
   hd_if *nif = hd_node_as_if(top->node);
   hd_loop *loop = hd_node_as_loop(top->node);

   hd_parse_next(p);
   switch (top->kind) {
   case OPEN_BODY:
      if (!p->f->structured && !p->ended && !p->block_failed)
         hd_parse_report(p, brace.start, brace.length,
                         "the last block has no jump, expected goto, goto_if, switch, return or "
                         "halt at its end");
      if (p->f->structured)
         fall_through(p, &p->f->end);
      p->open.num--;
      return;
   case OPEN_THEN:
      fall_through(p, top->after);
      top->kind = OPEN_ELSE;
      begin_block(p, hd_list_first_block(&nif->else_list));
      if (!hd_parse_is_word(&p->tok, "else")) {
         fall_through(p, top->after);
         close_node(p);
         return;
      }
      break;
   case OPEN_LOOP:
      fall_through(p, hd_loop_continue(loop));
      top->kind = OPEN_CONTINUE;
      begin_block(p, hd_loop_continue(loop));
      if (!hd_parse_is_word(&p->tok, "continue") || hd_parse_peek(p).kind != '{') {
         fall_through(p, hd_loop_header(loop));
         close_node(p);
         return;
      }
      break;
   case OPEN_ELSE:
      fall_through(p, top->after);
      close_node(p);
      return;
   case OPEN_CONTINUE:
      if (p->ended && !p->block_failed)
         hd_parse_report(p, brace.start, brace.length,
                         "a continue list ends in a jump, expected it to go back to the loop");
      fall_through(p, hd_loop_header(loop));
      close_node(p);
      return;
   }
   /* The word else or continue. */
   const struct token word = p->tok;
   hd_parse_next(p);
   top->place = word.start;
   top->length = word.length;
   if (hd_parse_expect(p, '{', "'{'", true))
      return;
   if (skip_to_brace(p))
      hd_parse_next(p);
   else
      close_node(p);
}

/* Jumps */

static bool
parse_loop_jump(struct parser *p, hd_jump_kind kind, const struct token *m)
{
   uint32_t at = open_top(p)->loop;

   if (!at)
      return hd_parse_error(p, m->start, m->length,
                            "there is no loop around this, expected one to %.*s", (int)m->length,
                            m->start);
   const struct open_list *open = &p->open.at[at - 1];
   if (kind == HD_JUMP_CONTINUE && open->kind == OPEN_CONTINUE)
      return hd_parse_error(p, m->start, m->length,
                            "continue stands in the continue list of its loop, expected it in the "
                            "body");
   hd_edge_add(p->block,
               kind == HD_JUMP_BREAK ? open->after : hd_loop_continue(hd_node_as_loop(open->node)));
   return true;
}

static bool
parse_goto_if(struct parser *p, hd_jump **jump)
{
   uint32_t cond, target[2];

   if (!hd_parse_operand(p, &cond))
      return false;
   for (unsigned n = 0; n < 2; n++) {
      if (!hd_parse_expect(p, ',', "',' and a block", true))
         return false;
      const struct token t = p->tok;
      if (!parse_block_mention(p, &target[n]))
         return false;
      if (n && target[0] == target[1])
         return hd_parse_error(p, t.start, t.length,
                               "both targets are the same block, expected two");
   }
   *jump = hd_jump_create(p->shader, HD_JUMP_GOTO_IF, 1, 0);
   hd_parse_use(p, &(*jump)->src[0], cond);
   hd_edge_add(p->block, flat_block(p, target[0]));
   hd_edge_add(p->block, flat_block(p, target[1]));
   return true;
}

/* The place of a target among the successors of the block; an edge where it is new. */
static uint32_t
switch_target(struct parser *p, uint32_t record)
{
   struct record *r = &p->blocks.records[record];

   if (r->stamp != p->num_switches) {
      r->stamp = p->num_switches;
      r->slot = p->block->num_succs;
      hd_edge_add(p->block, flat_block(p, record));
   }
   return r->slot;
}

/* `7: b2, 9: b1 ]` */
static bool
parse_cases(struct parser *p, unsigned bit_size)
{
   p->cases.num = 0;
   while (p->tok.kind != ']') {
      hd_switch_case c;
      uint32_t record;
      if (p->cases.num && !hd_parse_expect(p, ',', "',' or ']' after the case", false))
         return false;
      if (!hd_parse_component(p, bit_size, &c.value) ||
          !hd_parse_expect(p, ':', "':' and the block of the case", false) ||
          !parse_block_mention(p, &record))
         return false;
      c.succ = switch_target(p, record);
      *PUSH(&p->scratch, p->cases) = c;
   }
   hd_parse_next(p);
   return true;
}

static bool
parse_switch(struct parser *p, hd_jump **jump)
{
   uint32_t selector, otherwise;

   if (!hd_parse_operand(p, &selector) ||
       !hd_parse_expect(p, ',', "',' and the block for all other values", true) ||
       !parse_block_mention(p, &otherwise) || !hd_parse_expect(p, '[', "'[' and the cases", true))
      return false;
   p->num_switches++;
   switch_target(p, otherwise);
   const hd_def *def = p->values.records[selector].object;
   if (!parse_cases(p, def ? def->bit_size : 64))
      return false;
   if (p->cases.num >= UINT32_MAX)
      return hd_parse_error(p, p->tok.start, p->tok.length, "too many cases");
   hd_heap_step(p->heap, p->cases.num);
   *jump = hd_jump_create(p->shader, HD_JUMP_SWITCH, 1, (unsigned)p->cases.num);
   if (p->cases.num)
      memcpy((*jump)->cases, p->cases.at, p->cases.num * sizeof(hd_switch_case));
   hd_parse_use(p, &(*jump)->src[0], selector);
   return true;
}

bool
hd_parse_jump(struct parser *p, hd_jump_kind kind, const struct token *m, hd_instr **instr)
{
   bool of_tree = kind == HD_JUMP_BREAK || kind == HD_JUMP_CONTINUE;
   bool of_flat = kind == HD_JUMP_GOTO || kind == HD_JUMP_GOTO_IF || kind == HD_JUMP_SWITCH;
   bool has_value = p->tok.kind == TOKEN_VALUE && !p->tok.first;
   hd_jump *jump = NULL;
   uint32_t record;

   if (p->f->structured ? of_flat : of_tree)
      return hd_parse_error(p, m->start, m->length, "%.*s is a jump of %s functions only",
                            (int)m->length, m->start, of_flat ? "flat" : "structured");
   switch (kind) {
   case HD_JUMP_BREAK:
   case HD_JUMP_CONTINUE:
      if (!parse_loop_jump(p, kind, m))
         return false;
      break;
   case HD_JUMP_RETURN:
      if (has_value && !hd_parse_operand(p, &record))
         return false;
      jump = hd_jump_create(p->shader, kind, has_value, 0);
      if (has_value)
         hd_parse_use(p, &jump->src[0], record);
      hd_edge_add(p->block, &p->f->end);
      break;
   case HD_JUMP_HALT:
      hd_edge_add(p->block, &p->f->end);
      break;
   case HD_JUMP_GOTO:
      if (p->tok.first || !parse_block_mention(p, &record))
         return p->tok.first ? hd_parse_expected(p, "a block such as b1") : false;
      hd_edge_add(p->block, flat_block(p, record));
      break;
   case HD_JUMP_GOTO_IF:
      if (!parse_goto_if(p, &jump))
         return false;
      break;
   case HD_JUMP_SWITCH:
      if (!parse_switch(p, &jump))
         return false;
      break;
   case HD_NUM_JUMP_KINDS:
      return false;
   }
   if (!jump)
      jump = hd_jump_create(p->shader, kind, 0, 0);
   *instr = &jump->instr;
   return true;
}

/* The whole */

/* After a jump nothing may come but the end of the list, or a label in a flat function. */
static bool
report_ended(struct parser *p)
{
   if (!p->ended_reported && !p->block_failed)
      hd_parse_report(p, p->tok.start, p->tok.length, "something follows a jump, expected %s",
                      p->f->structured ? "'}'" : "a block such as b1: or '}'");
   p->ended_reported = true;
   p->skipped = true;
   return false;
}

static bool
parse_node(struct parser *p)
{
   const struct token word = p->tok;

   if (!p->f->structured)
      return hd_parse_error(p, word.start, word.length,
                            "%.*s stands in a flat function, expected jumps only", (int)word.length,
                            word.start);
   hd_parse_next(p);
   return hd_parse_is_word(&word, "if") ? parse_if(p, &word) : parse_loop(p, &word);
}

static bool
parse_item(struct parser *p)
{
   bool word = p->tok.kind == TOKEN_WORD;

   if (word && is_label(p)) {
      if (p->ended && p->f->structured)
         return report_ended(p);
      return parse_label(p);
   }
   if (!word && p->tok.kind != TOKEN_VALUE)
      return hd_parse_unexpected(p, "an instruction, a block or '}'");
   if (word && hd_parse_is_word(&p->tok, "var")) {
      hd_parse_report(p, p->tok.start, p->tok.length,
                      "a variable is declared among instructions, expected it before the first "
                      "block of the function");
      return hd_parse_var(p);
   }
   if (p->ended)
      return report_ended(p);
   if (!word)
      return hd_parse_definition(p);
   if (hd_parse_is_word(&p->tok, "if") || hd_parse_is_word(&p->tok, "loop"))
      return parse_node(p);
   return hd_parse_statement(p);
}

void
hd_parse_body(struct parser *p, const struct token *brace)
{
   *PUSH(&p->scratch, p->open) = (struct open_list){
      .kind = OPEN_BODY,
      .place = brace->start,
      .length = brace->length,
   };
   begin_block(p, hd_function_start(p->f));
   while (p->open.num) {
      const char *start = p->tok.start;
      hd_heap_step(p->heap, 1);
      if (p->tok.kind == '}') {
         close_list(p);
      } else if (p->tok.kind == TOKEN_END) {
         const struct open_list *top = open_top(p);
         hd_parse_report_expected(p, "'}'");
         hd_parse_note(p, top->place, top->length, "what it would close begins here");
         p->skipped = true;
         break;
      } else if (!parse_item(p)) {
         p->block_failed = true;
         hd_parse_recover(p, start);
      }
   }
   /* The end block comes last, as hd_function_reindex has it. */
   p->f->num_blocks = (uint32_t)p->labels.num;
   p->f->end.node.index = p->f->num_blocks++;
}
