/* SPDX-License-Identifier: MIT */
/* rows.c - explorer: a shader as lines of text, with what each line shows.
 *
 * Values and blocks have the numbers of their nodes, which stay the same through all steps: what did not
 * change has the same text, and lines are kept once.
 */
#include <string.h>

#include "explore/explore.h"
#include "heddle/ops.h"
#include "heddle/text.h"
#include "heddle/walk.h"
#include "util/mix.h"

/* Rows */

static instr_class
class_of(const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      return CLASS_ALU;
   case HD_INSTR_CONST:
   case HD_INSTR_UNDEF:
      return CLASS_CONST;
   case HD_INSTR_PHI:
      return CLASS_PHI;
   case HD_INSTR_JUMP:
      return CLASS_CONTROL;
   case HD_INSTR_PARAM:
      return CLASS_INPUT;
   case HD_INSTR_INTRINSIC: {
      const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
      if (info->flags & HD_CROSS_LANE)
         return CLASS_LANES;
      if (info->reads || info->writes)
         return CLASS_MEMORY;
      return info->num_srcs ? CLASS_OTHER : CLASS_INPUT;
   }
   default:
      return CLASS_OTHER;
   }
}

static row *
add_row(side *s, rows *r, row_kind kind, unsigned depth, uint32_t function)
{
   if (r->num == r->capacity)
      r->at = hd_explore_grow(s->x, r->at, r->num, &r->capacity, sizeof(*r->at));
   row *made = &r->at[r->num++];
   *made = (row){ .kind = (uint8_t)kind,
                  .depth = (uint16_t)(depth < UINT16_MAX ? depth : UINT16_MAX),
                  .node = NO_NODE,
                  .function = function };
   return made;
}

static void
add_instr(side *s, rows *r, hd_instr *i, unsigned depth, uint32_t function)
{
   row *made = add_row(s, r, ROW_INSTR, depth, function);

   made->object.instr = i;
   made->class = (uint8_t)class_of(i);
   made->op = (uint16_t)(i->kind << 12 ^ i->op);
   made->has_def = hd_instr_def(i) != NULL;
   made->index = i->def.index;
   made->label = hd_explore_label_of(hd_block_function(i->block)->shader, i->loc);
   r->counts[made->class]++;
}

static void
add_block(side *s, rows *r, hd_block *b, unsigned depth, uint32_t function)
{
   row *made = add_row(s, r, ROW_BLOCK, depth, function);

   made->object.cf = &b->node;
   made->index = b->node.index;
   made->label = hd_explore_label_of(hd_block_function(b)->shader, b->node.loc);
   hd_foreach_instr(i, b)
      add_instr(s, r, i, depth + 1, function);
}

/* Does the continue list say nothing, so that the text leaves it out? */
static bool
continue_is_empty(const hd_loop *loop)
{
   const hd_cf_node *first = loop->continue_list.first;
   const hd_block *b = hd_node_as_block(first);

   return !first->next && b && !b->first && !first->named &&
          !hd_instr_as_phi(hd_loop_header(loop)->first);
}

static void
add_function(side *s, rows *r, hd_function *f, uint32_t number)
{
   hd_walk walk = { 0 };
   unsigned depth = 1;
   bool hidden = false; /* inside of a continue list that is left out */

   add_row(s, r, ROW_FUNCTION, 0, number)->object.f = f;
   hd_walk_begin(&walk, f);
   do {
      hd_cf_node *node = walk.node;
      switch (walk.event) {
      case HD_WALK_BLOCK:
         if (!hidden)
            add_block(s, r, hd_node_as_block(node), depth, number);
         break;
      case HD_WALK_IF:
      case HD_WALK_LOOP: {
         row *made = add_row(s, r, walk.event == HD_WALK_IF ? ROW_IF : ROW_LOOP, depth++, number);
         made->object.cf = node;
         made->label = hd_explore_label_of(f->shader, node->loc);
         break;
      }
      case HD_WALK_ELSE:
         add_row(s, r, ROW_ELSE, depth - 1, number)->object.cf = node;
         break;
      case HD_WALK_CONTINUE:
         hidden = continue_is_empty(hd_node_as_loop(node));
         if (!hidden)
            add_row(s, r, ROW_CONTINUE, depth - 1, number)->object.cf = node;
         break;
      case HD_WALK_END_IF:
      case HD_WALK_END_LOOP:
         hidden = false;
         add_row(s, r, ROW_END, --depth, number)->object.cf = node;
         break;
      }
   } while (hd_walk_next(&walk));
}

void
hd_explore_rows(side *s, hd_shader *shader, rows *out)
{
   uint32_t number = 0;

   out->num = out->num_operands = 0;
   memset(out->counts, 0, sizeof(out->counts));
   hd_foreach_function(f, shader)
      add_function(s, out, f, number++);
}

/* Labels */

uint32_t
hd_explore_label_of(const hd_shader *shader, uint32_t location)
{
   const hd_location *at = location < shader->num_locations ? &shader->locations[location] : NULL;

   return at && at->file && !strcmp(at->file, LABEL_FILE) ? at->line : 0;
}

void
hd_explore_reserve_labels(side *s, uint32_t num)
{
   if (num < s->label_capacity)
      return;
   s->label_capacity = 2 * num + 64;
   s->label_of = hd_stack_alloc(&s->x->stack, s->label_capacity * sizeof(*s->label_of));
   s->num_labels = 0;
}

void
hd_explore_label(side *s, hd_shader *shader)
{
   const rows *r = &s->rows;

   if (shader != s->label_shader)
      s->num_labels = 0;
   s->label_shader = shader;
   for (uint32_t n = s->num_labels; n < r->num; n++)
      s->label_of[n] = hd_shader_location(shader, LABEL_FILE, n + 1, 0) & 0xffffff;
   s->num_labels = s->num_labels > r->num ? s->num_labels : r->num;
   for (uint32_t n = 0; n < r->num; n++) {
      const row *at = &r->at[n];
      if (at->kind == ROW_INSTR)
         at->object.instr->loc = s->label_of[n] & 0xffffff;
      else if (at->kind == ROW_BLOCK || at->kind == ROW_IF || at->kind == ROW_LOOP)
         at->object.cf->loc = s->label_of[n] & 0xffffff;
   }
}

/* Texts */

/* The rows of the values and blocks of a function, by index. */
struct numbers {
   const side *s;
   const rows *r;
   uint32_t *defs, *blocks; /* row + 1, or 0 */
   uint32_t num_defs, num_blocks;
};

static bool
is_word(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
          c == '.' || c == '$' || c == '@' || c == '%';
}

/* The number of the node that an index means, or NO_NODE. */
static uint32_t
number_of(const struct numbers *numbers, char sigil, uint32_t index)
{
   const uint32_t *table = sigil == '%' ? numbers->defs : numbers->blocks;
   const uint32_t num = sigil == '%' ? numbers->num_defs : numbers->num_blocks;
   const uint32_t at = index < num ? table[index] : 0;

   return at ? numbers->s->nodes.at[numbers->r->at[at - 1].node].number : NO_NODE;
}

/* Append a line that names values and blocks by index, with the numbers of their nodes. */
static void
renumber(const struct numbers *numbers, const char *text, size_t length, hd_blob *out)
{
   bool quoted = false;
   size_t from = 0;

   for (size_t n = 0; n < length; n++) {
      const char c = text[n];
      if (quoted && c == '\\')
         n++;
      else if (c == '"')
         quoted = !quoted;
      if (quoted || (c != '%' && (c != 'b' || (n && is_word(text[n - 1])))))
         continue;
      uint32_t index = 0;
      size_t end = n + 1;
      while (end < length && text[end] >= '0' && text[end] <= '9' && index < UINT32_MAX / 16)
         index = index * 10 + (uint32_t)(text[end++] - '0');
      if (end == n + 1 || (end < length && is_word(text[end])))
         continue;
      const uint32_t number = number_of(numbers, c, index);
      hd_blob_append(out, text + from, n + 1 - from);
      if (number == NO_NODE)
         hd_blob_append(out, "?", 1);
      else
         hd_blob_printf(out, "%u", number);
      from = end;
      n = end - 1;
   }
   hd_blob_append(out, text + from, length - from);
}

static void
print_function(const hd_function *f, hd_blob *out)
{
   hd_blob_printf(out, "function ");
   hd_blob_name(out, '@', f->name);
   if (f->result_components)
      hd_blob_printf(out, " -> %ux%u", f->result_bits, f->result_components);
   hd_blob_printf(out, f->structured ? " {" : " { // flat");
}

/* The text of a row. */
static void
print_row(const struct numbers *numbers, const row *at, hd_blob *scratch, hd_blob *out)
{
   hd_text_span span = { 0, 0 };

   scratch->size = 0;
   switch ((row_kind)at->kind) {
   case ROW_FUNCTION:
      print_function(at->object.f, out);
      return;
   case ROW_ELSE:
      hd_blob_printf(out, "} else {");
      return;
   case ROW_CONTINUE:
      hd_blob_printf(out, "} continue {");
      return;
   case ROW_END:
      hd_blob_printf(out, "}");
      return;
   case ROW_INSTR:
      hd_print_instr(at->object.instr, NULL, NULL, scratch, &span);
      break;
   default:
      hd_print_node(at->object.cf, NULL, NULL, scratch, &span);
      break;
   }
   if (scratch->result != HD_OK)
      return;
   renumber(numbers, scratch->data + span.offset, span.length, out);
   hd_blob_printf(out, at->kind == ROW_BLOCK ? ":" : at->kind == ROW_INSTR ? "" : " {");
}

/* The nodes of the successors of a block; the end block has none. */
static void
print_successors(const struct numbers *numbers, const hd_block *b, hd_blob *out)
{
   const char *between = "";

   hd_blob_printf(out, ",[");
   for (uint32_t n = 0; n < b->num_succs; n++) {
      const hd_block *to = b->succs[n].to;
      const uint32_t at = hd_block_is_end(to) || to->node.index >= numbers->num_blocks
                              ? 0
                              : numbers->blocks[to->node.index];
      if (at) {
         hd_blob_printf(out, "%s%u", between, numbers->r->at[at - 1].node);
         between = ",";
      }
   }
   hd_blob_printf(out, "]");
}

static uint32_t
hash_line(const char *data, size_t size)
{
   uint64_t hash = size;

   for (size_t n = 0; n < size; n++)
      hash = (hash ^ (unsigned char)data[n]) * UINT64_C(0x100000001b3);
   return (uint32_t)hd_mix(hash);
}

static struct line_slot *
find_slot(const side *s, const char *data, size_t size)
{
   const uint32_t mask = s->num_slots - 1;

   for (uint32_t h = hash_line(data, size);; h++) {
      struct line_slot *slot = &s->slots[h & mask];
      if (!slot->length ||
          (slot->length == size && !memcmp(s->lines.data + slot->offset, data, size)))
         return slot;
   }
}

static void
grow_slots(side *s)
{
   const struct line_slot *old = s->slots;
   const uint32_t num = s->num_slots;

   s->num_slots = num ? 2 * num : 1024;
   s->slots = hd_stack_alloc_zero(&s->x->stack, s->num_slots * sizeof(*s->slots));
   for (uint32_t n = 0; n < num; n++) {
      if (old[n].length)
         *find_slot(s, s->lines.data + old[n].offset, old[n].length) = old[n];
   }
}

/* The number of a line in the table, which gets it if it is new. */
static uint32_t
line_number(side *s, const hd_blob *line)
{
   if (s->num_lines >= s->num_slots / 2)
      grow_slots(s);
   struct line_slot *slot = find_slot(s, line->data, line->size);
   if (slot->length)
      return slot->number;
   if (s->num_lines)
      hd_blob_append(&s->lines, ",\n", 2);
   *slot = (struct line_slot){ s->lines.size, (uint32_t)line->size, s->num_lines };
   hd_blob_append(&s->lines, line->data, line->size);
   hd_explore_check(s->x, &s->lines);
   return s->num_lines++;
}

void
hd_explore_add_line(side *s, uint32_t first_run)
{
   const uint32_t num = s->runs.num, line = line_number(s, &s->line);

   hd_explore_check(s->x, &s->line);
   if (num > first_run && s->runs.at[num - 2] + s->runs.at[num - 1] == line) {
      s->runs.at[num - 1]++;
      return;
   }
   *PUSH(s->x, s->runs) = line;
   *PUSH(s->x, s->runs) = 1;
}

size_t
hd_explore_room(const struct explorer *x)
{
   const size_t all = x->options->max_bytes ? x->options->max_bytes : MAX_BYTES;

   return x->num_inputs > 1 ? all / 4 * 3 : all;
}

/* The tables for the rows of a function, which begin at `first`. */
static void
find_numbers(side *s, const rows *r, uint32_t first, struct numbers *numbers)
{
   const hd_function *f = r->at[first].object.f;

   *numbers = (struct numbers){
      .s = s,
      .r = r,
      .num_defs = f->num_defs,
      .num_blocks = f->num_blocks,
      .defs = hd_stack_alloc_zero(&s->x->stack, (f->num_defs + (size_t)1) * sizeof(uint32_t)),
      .blocks = hd_stack_alloc_zero(&s->x->stack, (f->num_blocks + (size_t)1) * sizeof(uint32_t)),
   };
   for (uint32_t n = first + 1; n < r->num && r->at[n].kind != ROW_FUNCTION; n++) {
      const row *at = &r->at[n];
      if (at->kind == ROW_INSTR && at->has_def && at->index < numbers->num_defs)
         numbers->defs[at->index] = n + 1;
      else if (at->kind == ROW_BLOCK && at->index < numbers->num_blocks)
         numbers->blocks[at->index] = n + 1;
   }
}

/* A line as a member of an array: kind, depth, text, node, and the successors of a block. */
static void
write_line(side *s, const struct numbers *numbers, const row *at)
{
   hd_blob *text = &s->text, *line = &s->line;

   text->size = line->size = 0;
   print_row(numbers, at, &s->scratch, text);
   hd_explore_check(s->x, &s->scratch);
   hd_explore_check(s->x, text);
   hd_blob_printf(line, "[%u,%u,", at->kind, at->depth);
   hd_blob_json(line, text->data, text->size);
   hd_blob_printf(line, ",%d", at->node == NO_NODE ? -1 : (int)at->node);
   if (at->kind == ROW_BLOCK)
      print_successors(numbers, hd_node_as_block(at->object.cf), line);
   hd_blob_append(line, "]", 1);
}

void
hd_explore_lines(side *s, rows *r, step *step)
{
   const size_t most = hd_explore_room(s->x) / 2;
   struct numbers numbers = { 0 };

   step->first_run = s->runs.num;
   for (uint32_t n = 0; n < r->num; n++) {
      if (s->lines.size + RUN_BYTES * (size_t)s->runs.num > most) {
         step->cut = s->left_out = true;
         break;
      }
      if (r->at[n].kind == ROW_FUNCTION)
         find_numbers(s, r, n, &numbers);
      write_line(s, &numbers, &r->at[n]);
      hd_explore_add_line(s, step->first_run);
   }
   step->num_runs = (s->runs.num - step->first_run) / 2;
}
