/* SPDX-License-Identifier: MIT */
/* module.c - explorer: disassembly of a SPIR-V module, and its embedded sources (OpSource).
 *
 * The reader has checked the module before; instructions with unknown operands are shown as numbers.
 */
#include <inttypes.h>
#include <string.h>

#include "explore/explore.h"

#define HEADER_WORDS 5u

/* An instruction or an enumerant. */
struct item {
   const char *name;
   uint32_t number;
   uint16_t layout; /* where it begins in `layouts` */
   uint8_t flags;
};

enum { HAS_TYPE = 1, HAS_RESULT = 2 };

#include "explore/explore_module.h"

enum {
   OP_SOURCE_CONTINUED = 2,
   OP_SOURCE = 3,
   OP_NAME = 5,
   OP_STRING = 7,
   OP_EXT_INST_IMPORT = 11,
   OP_EXT_INST = 12,
   OP_TYPE_INT = 21,
   OP_TYPE_FLOAT = 22,
   OP_SWITCH = 251,
   DEBUG_SOURCE = 35,
};

/* What is known of an id: words of the module, 0 for none. */
struct id {
   uint32_t at;    /* of its instruction */
   uint32_t name;  /* of the string of its OpName */
   uint32_t width; /* of a type: bits */
   uint32_t type;
};

struct module {
   side *s;
   const uint32_t *words;
   size_t num;
   struct id *ids;
   uint32_t bound;
   hd_blob *out;
};

/* One instruction, and how far it was read. */
struct reading {
   struct module *m;
   const uint32_t *words;
   uint32_t num, at;
   uint32_t opcode, type;
};

static const struct item *
find_item(const struct item *items, unsigned num, uint32_t number)
{
   unsigned low = 0, high = num;

   while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (items[middle].number < number)
         low = middle + 1;
      else
         high = middle;
   }
   return low < num && items[low].number == number ? &items[low] : NULL;
}

/* A string of words, as bytes of the module: its length without NUL. */
static size_t
string_at(const struct module *m, uint32_t at, uint32_t end, char *out)
{
   for (uint32_t n = 0; n < 4 * (end - at); n++) {
      const char c = (char)(m->words[at + n / 4] >> n % 4 * 8);
      if (!c)
         return n;
      if (out)
         out[n] = c;
   }
   return 4 * (size_t)(end - at);
}

/* The same, kept. */
static const char *
keep_string(const struct module *m, uint32_t at, uint32_t end)
{
   const size_t size = string_at(m, at, end, NULL);
   char *kept = hd_stack_alloc(&m->s->x->stack, size + 1);

   string_at(m, at, end, kept);
   kept[size] = 0;
   return kept;
}

static const struct id *
id_of(const struct module *m, uint32_t id)
{
   static const struct id none;

   return id < m->bound ? &m->ids[id] : &none;
}

static uint32_t
end_of(const struct module *m, uint32_t at)
{
   const uint32_t size = m->words[at] >> 16;

   return at + (size && size <= m->num - at ? size : (uint32_t)(m->num - at));
}

/* Types, results and names of all ids. */
static void
find_ids(struct module *m)
{
   for (uint32_t at = HEADER_WORDS; at < m->num; at = end_of(m, at)) {
      const uint32_t opcode = m->words[at] & 0xffff, size = end_of(m, at) - at;
      const struct item *op = find_item(opcodes, NUM_OPCODES, opcode);
      const unsigned flags = op ? op->flags : 0, result = 1 + (flags & HAS_TYPE);
      if (opcode == OP_NAME && size > 2 && m->words[at + 1] < m->bound)
         m->ids[m->words[at + 1]].name = at + 2;
      if (!(flags & HAS_RESULT) || result >= size || m->words[at + result] >= m->bound)
         continue;
      struct id *id = &m->ids[m->words[at + result]];
      id->at = at;
      id->type = flags & HAS_TYPE ? m->words[at + 1] : 0;
      if ((opcode == OP_TYPE_INT || opcode == OP_TYPE_FLOAT) && size > 2)
         id->width = m->words[at + 2];
   }
}

static void print_layout(struct reading *r, unsigned layout);

static void
print_words(struct reading *r, uint32_t num)
{
   if (num == 2 && r->at + 2 <= r->num) {
      hd_blob_printf(r->m->out, " %" PRIu64, r->words[r->at] | (uint64_t)r->words[r->at + 1] << 32);
      r->at += 2;
      return;
   }
   for (; num && r->at < r->num; num--)
      hd_blob_printf(r->m->out, " %" PRIu32, r->words[r->at++]);
}

static void
print_enum(struct reading *r, const struct enumeration *e)
{
   const uint32_t value = r->words[r->at++];
   const struct item *one = find_item(e->items, e->num, value);
   const char *between = " ";

   if (one || !e->bits) {
      if (one)
         hd_blob_printf(r->m->out, " %s", one->name);
      else
         hd_blob_printf(r->m->out, " %" PRIu32, value);
      if (one)
         print_layout(r, one->layout);
      return;
   }
   for (unsigned n = 0; n < e->num; n++) {
      if (e->items[n].number & value) {
         hd_blob_printf(r->m->out, "%s%s", between, e->items[n].name);
         between = "|";
      }
   }
   for (unsigned n = 0; n < e->num; n++) {
      if (e->items[n].number & value)
         print_layout(r, e->items[n].layout);
   }
}

/* How many words a number of the type of an id has. */
static uint32_t
width_of(const struct module *m, uint32_t type)
{
   return id_of(m, type)->width > 32 ? 2 : 1;
}

static void
print_operand(struct reading *r, unsigned kind)
{
   struct module *m = r->m;

   switch (kind) {
   case OPERAND_ID:
      hd_blob_printf(m->out, " %%%" PRIu32, r->words[r->at++]);
      break;
   case OPERAND_STRING: {
      const uint32_t from = (uint32_t)(r->words - m->words) + r->at;
      const uint32_t end = (uint32_t)(r->words - m->words) + r->num;
      const char *text = keep_string(m, from, end);
      hd_blob_append(m->out, " ", 1);
      hd_blob_quote(m->out, text);
      r->at += (uint32_t)strlen(text) / 4 + 1;
      break;
   }
   case OPERAND_NUMBER:
      print_words(r, width_of(m, r->type));
      break;
   case OPERAND_CASE:
      print_words(r, width_of(m, r->opcode == OP_SWITCH ? id_of(m, r->words[0])->type : 0));
      if (r->at < r->num)
         hd_blob_printf(m->out, " %%%" PRIu32, r->words[r->at++]);
      break;
   case OPERAND_SPEC_OP: {
      const struct item *op = find_item(opcodes, NUM_OPCODES, r->words[r->at++]);
      if (op)
         hd_blob_printf(m->out, " %s", op->name + 2);
      if (op)
         print_layout(r, op->layout);
      break;
   }
   default:
      if (kind >= FIRST_ENUM)
         print_enum(r, &enumerations[kind - FIRST_ENUM]);
      else
         print_words(r, 1);
      break;
   }
}

static void
print_layout(struct reading *r, unsigned layout)
{
   for (const uint16_t *code = &layouts[layout]; *code && r->at < r->num;) {
      const unsigned kind = *code & (OPTIONAL - 1u);
      print_operand(r, kind);
      if (kind == OPERAND_REST)
         continue;
      /* Several that are repeated are so together. */
      if (*code & REPEATED && !(code[1] & REPEATED)) {
         while (code > layouts + layout && code[-1] & REPEATED)
            code--;
         continue;
      }
      code++;
   }
}

/* The instructions of the sets whose names are known. */
static void
print_ext_inst(struct reading *r)
{
   struct module *m = r->m;
   const struct id *set = id_of(m, r->words[0]);
   const char *name = set->at ? keep_string(m, set->at + 2, end_of(m, set->at)) : "";
   const struct item *op = NULL;

   print_operand(r, OPERAND_ID);
   if (!strcmp(name, "GLSL.std.450"))
      op = find_item(set_GLSL, NUM_GLSL, r->words[1]);
   else if (!strcmp(name, "OpenCL.std"))
      op = find_item(set_OPENCL, NUM_OPENCL, r->words[1]);
   if (op)
      hd_blob_printf(m->out, " %s", op->name);
   else
      hd_blob_printf(m->out, " %" PRIu32, r->words[1]);
   r->at = 2;
   while (r->at < r->num)
      print_operand(r, OPERAND_ID);
}

static void
print_instruction(struct module *m, uint32_t at)
{
   const uint32_t opcode = m->words[at] & 0xffff;
   const struct item *op = find_item(opcodes, NUM_OPCODES, opcode);
   struct reading r = {
      .m = m, .words = m->words + at + 1, .num = end_of(m, at) - at - 1, .opcode = opcode
   };
   const unsigned flags = op ? op->flags : 0;
   uint32_t result = 0;

   if (flags & HAS_TYPE && r.num)
      r.type = *r.words++, r.num--;
   if (flags & HAS_RESULT && r.num)
      result = *r.words++, r.num--;
   if (result)
      hd_blob_printf(m->out, "%%%" PRIu32 " = ", result);
   if (op)
      hd_blob_printf(m->out, "%s", op->name);
   else
      hd_blob_printf(m->out, "Op%" PRIu32, opcode);
   if (flags & HAS_TYPE)
      hd_blob_printf(m->out, " %%%" PRIu32, r.type);
   if (opcode == OP_EXT_INST && r.num > 1)
      print_ext_inst(&r);
   else if (op)
      print_layout(&r, op->layout);
   while (r.at < r.num)
      print_words(&r, 1);
   if (id_of(m, result)->name) {
      const uint32_t name = id_of(m, result)->name;
      hd_blob_printf(m->out, " // ");
      hd_blob_quote(m->out, keep_string(m, name, end_of(m, name - 2)));
   }
}

/* Sources */

static void
add_source(struct module *m, uint32_t file, const char *text)
{
   const struct id *id = id_of(m, file);

   if (!id->at || (m->words[id->at] & 0xffff) != OP_STRING)
      return;
   *PUSH(m->s->x, m->s->own_sources) = (hd_explore_source){
      .name = keep_string(m, id->at + 2, end_of(m, id->at)),
      .text = text,
      .size = strlen(text),
   };
}

/* A text that goes on in the instructions after it. */
static const char *
whole_text(struct module *m, uint32_t at, uint32_t from)
{
   hd_blob *text = &m->s->text;

   text->size = 0;
   hd_blob_printf(text, "%s", keep_string(m, from, end_of(m, at)));
   for (at = end_of(m, at); at < m->num && (m->words[at] & 0xffff) == OP_SOURCE_CONTINUED;
        at = end_of(m, at))
      hd_blob_printf(text, "%s", keep_string(m, at + 1, end_of(m, at)));
   hd_explore_check(m->s->x, text);
   return hd_explore_keep(m->s->x, text->data);
}

static void
find_sources(struct module *m)
{
   for (uint32_t at = HEADER_WORDS; at < m->num; at = end_of(m, at)) {
      const uint32_t opcode = m->words[at] & 0xffff, size = end_of(m, at) - at;
      if (opcode == OP_SOURCE && size > 4)
         add_source(m, m->words[at + 3], whole_text(m, at, at + 4));
      if (opcode == OP_EXT_INST && size > 6 && m->words[at + 4] == DEBUG_SOURCE) {
         const struct id *text = id_of(m, m->words[at + 6]);
         if (text->at && (m->words[text->at] & 0xffff) == OP_STRING)
            add_source(m, m->words[at + 5], keep_string(m, text->at + 2, end_of(m, text->at)));
      }
   }
}

void
hd_explore_module(side *s, const uint32_t *words, size_t num)
{
   struct module m = { .s = s, .words = words, .num = num, .out = &s->line };

   if (num < HEADER_WORDS)
      return;
   m.bound = words[3] < num * 4 ? words[3] : (uint32_t)num * 4;
   m.ids = hd_stack_alloc_zero(&s->x->stack, (m.bound + (size_t)1) * sizeof(*m.ids));
   find_ids(&m);
   find_sources(&m);
   for (uint32_t at = HEADER_WORDS; at < num; at = end_of(&m, at)) {
      s->input_cut = s->input_lines.size > hd_explore_room(s->x) / 8;
      if (s->input_cut)
         break;
      s->line.size = 0;
      print_instruction(&m, at);
      hd_explore_check(s->x, &s->line);
      if (s->input_lines.size)
         hd_blob_append(&s->input_lines, ",\n", 2);
      hd_blob_json(&s->input_lines, s->line.data, s->line.size);
      hd_blob_printf(&s->input_words, "%s%" PRIu32, s->input_words.size ? "," : "", at);
   }
   hd_explore_check(s->x, &s->input_lines);
   hd_explore_check(s->x, &s->input_words);
}
