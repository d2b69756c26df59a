/* SPDX-License-Identifier: MIT */
/* words.c - split the words into instructions and check them against the grammar.
 *
 * One pass over all words. It checks each instruction against its layout, and where it may stand;
 * the ids that are defined get their records. From then on words are only read.
 */
#include "spirv/spirv.h"

#define HEADER_WORDS 5u
#define MAX_BOUND    4194304u /* the universal limits allow no more */

/* What is checked: operands from `p` on, which end at `end`. */
struct check {
   struct spirv *s;
   const uint32_t *p, *end;
   bool unknown; /* what stands before `end` was taken without being distinguished */
};

static HD_NORETURN void
not_an_id(struct spirv *s, uint32_t id)
{
   hd_spirv_invalid(s, "operand %u is not an id: ids are from 1 to %u", id, s->bound - 1);
}

static void
check_id(struct check *c)
{
   if (*c->p == 0 || *c->p >= c->s->bound)
      not_an_id(c->s, *c->p);
   c->p++;
}

static void
check_string(struct check *c)
{
   for (; c->p < c->end; c->p++) {
      uint32_t w = *c->p;
      if (!(w & 0xff) || !(w & 0xff00) || !(w & 0xff0000) || !(w >> 24)) {
         c->p++;
         return;
      }
   }
   hd_spirv_invalid(c->s, "a string is not terminated");
}

/* The layout of the parameters of an enumerant; NULL for one that is not known. */
static const uint16_t *
find_enumerant(const struct spirv_enum *e, uint32_t value)
{
   uint32_t low = e->first, high = low + e->count;

   while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (hd_spirv_enumerant_values[middle] == value)
         return hd_spirv_layouts + hd_spirv_enumerant_layouts[middle];
      if (hd_spirv_enumerant_values[middle] < value)
         low = middle + 1;
      else
         high = middle;
   }
   return NULL;
}

static void check_operand(struct check *c, unsigned operand);

/* Parameters are ids, literals, strings and enumerants that have none themselves. */
static void
check_parameters(struct check *c, const uint16_t *layout)
{
   for (; *layout; layout++) {
      if (c->p == c->end && !(*layout & (SPIRV_OPERAND_OPTIONAL | SPIRV_OPERAND_REPEATED)))
         hd_spirv_invalid(c->s, "a parameter of an operand is missing");
      do {
         if (c->p < c->end)
            check_operand(c, *layout & SPIRV_OPERAND_MASK);
      } while (*layout & SPIRV_OPERAND_REPEATED && c->p < c->end);
   }
}

static void
take_rest(struct check *c)
{
   c->p = c->end;
   c->unknown = true;
}

/* The parameters of what is not in the grammar are unknown: refused, or left to its reader. */
static void
check_enumerant(struct check *c, const struct spirv_enum *e, uint32_t value)
{
   const uint16_t *layout = find_enumerant(e, value);

   if (layout)
      check_parameters(c, layout);
   else if (e->open)
      take_rest(c);
   else
      hd_spirv_unsupported(c->s, "%s %u is not known to version " SPV_GRAMMAR_VERSION " of SPIR-V",
                           e->bits ? "the flag of bit" : "the enumerant", value);
}

static void
check_enum(struct check *c, const struct spirv_enum *e)
{
   uint32_t value = *c->p++;

   if (!e->bits) {
      check_enumerant(c, e, value);
      return;
   }
   for (uint32_t bit = 0; value >> bit; bit++) {
      if (value >> bit & 1)
         check_enumerant(c, e, bit);
      if (bit == 31)
         break;
   }
}

static void check_operands(struct check *c, const uint16_t *layout);

/* There is a word at c->p. */
static void
check_operand(struct check *c, unsigned operand)
{
   switch (operand) {
   case SPIRV_OPERAND_ID:
      check_id(c);
      break;
   case SPIRV_OPERAND_LITERAL:
      c->p++;
      break;
   case SPIRV_OPERAND_STRING:
      check_string(c);
      break;
   case SPIRV_OPERAND_NUMBER:
   case SPIRV_OPERAND_CASE:
      /* How long they are depends on a type: those that read them know it. */
      c->p = c->end;
      break;
   case SPIRV_OPERAND_REST:
      take_rest(c);
      break;
   case SPIRV_OPERAND_SPEC_OP: {
      const struct spirv_opcode *op = hd_spirv_opcode(*c->p++);
      if (!(op->flags & SPIRV_HAS_RESULT) || hd_spirv_layouts[op->layout] == SPIRV_OPERAND_SPEC_OP)
         hd_spirv_invalid(c->s, "opcode %u is not allowed in OpSpecConstantOp", c->p[-1]);
      check_operands(c, hd_spirv_layouts + op->layout);
      break;
   }
   default:
      check_enum(c, &hd_spirv_enums[operand - SPIRV_OPERAND_ENUM]);
      break;
   }
}

/* A repeated operand that several make up (an id and a literal) stands as several repeated ones in
 * the layout, which are taken in turn.
 */
static void
check_operands(struct check *c, const uint16_t *layout)
{
   const uint16_t *l = layout;

   while (*l && c->p < c->end) {
      check_operand(c, *l & SPIRV_OPERAND_MASK);
      if (!(*l & SPIRV_OPERAND_REPEATED) || l[1])
         l++;
      else
         while (l > layout && l[-1] & SPIRV_OPERAND_REPEATED)
            l--;
   }
   if (c->unknown)
      return;
   if (*l && !(*l & (SPIRV_OPERAND_OPTIONAL | SPIRV_OPERAND_REPEATED)))
      hd_spirv_invalid(c->s, "an operand is missing");
   if (*l & SPIRV_OPERAND_REPEATED && l > layout && l[-1] & SPIRV_OPERAND_REPEATED)
      hd_spirv_invalid(c->s, "half of a pair of operands is missing");
   if (c->p < c->end)
      hd_spirv_invalid(c->s, "%u words too many", (unsigned)(c->end - c->p));
}

static uint32_t
add_page(struct spirv *s)
{
   const uint32_t page = s->num_slots;

   if (page + 64 > s->max_slots) {
      const uint32_t max = 2 * s->max_slots + 64;
      uint32_t *grown = hd_spirv_alloc(s, max * sizeof(*grown));
      if (page)
         memcpy(grown, s->slots, page * sizeof(*grown));
      s->slots = grown;
      s->max_slots = max;
   }
   s->num_slots += 64;
   return page;
}

static void
grow_ids(struct spirv *s)
{
   const uint32_t guess = (uint32_t)s->num_words / 6 + 16; /* a quarter more than most have */
   const uint32_t max = 2 * s->max_ids + (guess < s->bound ? guess : s->bound);
   struct spirv_id *grown = hd_spirv_alloc(s, max * sizeof(*grown));

   if (s->num_ids)
      memcpy(grown, s->ids, s->num_ids * sizeof(*grown));
   s->ids = grown;
   s->max_ids = max;
}

static struct spirv_id *
define(struct spirv *s, uint32_t id)
{
   uint32_t *page = &s->pages[id / 64];

   if (!*page)
      *page = add_page(s);
   uint32_t *slot = &s->slots[*page + id % 64];
   if (*slot)
      hd_spirv_invalid(s, "id %u is defined twice", id);
   if (s->num_ids == s->max_ids)
      grow_ids(s);
   *slot = s->num_ids + 1;
   return &s->ids[s->num_ids++];
}

/* What is after the ids that must be there: nothing, mostly, or ids again. */
static void
check_rest(struct spirv *s, const uint32_t *p, const uint32_t *end, const uint16_t *layout)
{
   struct check c = { s, p, end, false };

   if (p == end && (!*layout || *layout & (SPIRV_OPERAND_OPTIONAL | SPIRV_OPERAND_REPEATED)))
      return;
   if (*layout != (SPIRV_OPERAND_ID | SPIRV_OPERAND_REPEATED) || layout[1]) {
      check_operands(&c, layout);
      return;
   }
   while (c.p < end)
      check_id(&c);
}

/* The length of the instruction at `word`, which is checked; s->at tells where it is. */
static uint32_t
check_instr(struct spirv *s, uint32_t word, const struct spirv_opcode *op)
{
   const uint32_t *p = s->words + word, length = *p >> 16;
   const uint32_t num = (op->flags & SPIRV_HAS_TYPE) + (op->flags & SPIRV_HAS_RESULT) / 2 + op->ids;

   s->at.opcode = *p++ & 0xffff;
   s->at.word = word;
   if (!length || length > s->num_words - word)
      hd_spirv_invalid(s, "its length is %u words, %zu are left", length, s->num_words - word);
   if (op == hd_spirv_opcodes)
      hd_spirv_unsupported(s, "%u is not known to version " SPV_GRAMMAR_VERSION " of SPIR-V",
                           s->at.opcode);
   if (length <= num)
      hd_spirv_invalid(s, "an operand is missing");
   for (const uint32_t *end = p + num; p < end; p++) {
      if (*p == 0 || *p >= s->bound)
         not_an_id(s, *p);
   }
   check_rest(s, p, s->words + word + length, hd_spirv_layouts + op->layout + op->ids);
   return length;
}

/* What is known of the place that the pass is at. */
struct place {
   struct spirv_function *function; /* the one that is open */
};

static uint8_t
kind_of(const struct place *at, uint32_t opcode, uint8_t room)
{
   switch (room) {
   case SPIRV_ROOM_TYPE:
      return ID_TYPE;
   case SPIRV_ROOM_DEBUG:
      return ID_STRING;
   case SPIRV_ROOM_MODULE:
      return opcode == SPV_OP_DECORATION_GROUP ? ID_GROUP : ID_EXT_SET;
   case SPIRV_ROOM_FLOW:
      if (opcode == SPV_OP_LABEL)
         return ID_LABEL;
      return opcode == SPV_OP_FUNCTION ? ID_FUNCTION : ID_RESULT;
   default:
      break;
   }
   if (at->function)
      return ID_RESULT;
   if (room == SPIRV_ROOM_VARIABLE)
      return ID_VARIABLE;
   return room == SPIRV_ROOM_CONSTANT || opcode == SPV_OP_UNDEF ? ID_CONSTANT : ID_RESULT;
}

/* Types, constants and the like stand before the functions, or nowhere. */
static bool
stands_early(const struct spirv *s, const struct place *at, uint32_t opcode, uint8_t room)
{
   switch (room) {
   case SPIRV_ROOM_MODULE:
   case SPIRV_ROOM_TYPE:
   case SPIRV_ROOM_CONSTANT:
      return true;
   case SPIRV_ROOM_FLOW:
      return opcode != SPV_OP_FUNCTION && !at->function;
   case SPIRV_ROOM_IGNORE:
   case SPIRV_ROOM_DEBUG:
   case SPIRV_ROOM_EXT:
      return false;
   default:
      return s->functions && !at->function;
   }
}

/* Functions are not nested, and each ends. */
static void
follow_functions(struct spirv *s, struct place *at, uint32_t word)
{
   const uint32_t opcode = s->words[word] & 0xffff;

   if (opcode == SPV_OP_FUNCTION) {
      if (at->function)
         hd_spirv_invalid(s, "the function before it has no OpFunctionEnd");
      struct spirv_function *f = hd_spirv_alloc(s, sizeof(*f));
      f->id = s->words[word + 2];
      f->word = word;
      hd_spirv_id(s, f->id)->function = f;
      if (s->last_function)
         s->last_function->next = f;
      else
         s->functions = f;
      s->last_function = f;
      at->function = f;
   } else if (opcode == SPV_OP_FUNCTION_END) {
      if (!at->function)
         hd_spirv_invalid(s, "there is no open function");
      at->function->end = word;
      at->function = NULL;
   }
}

/* An instruction that was checked: where it stands, and what it defines. */
static void
take_instr(struct spirv *s, struct place *at, uint32_t word, const struct spirv_opcode *op)
{
   const uint32_t opcode = s->words[word] & 0xffff;

   if ((s->functions || op->room == SPIRV_ROOM_FLOW) && stands_early(s, at, opcode, op->room))
      hd_spirv_invalid(s, "it is in the wrong section of the module");
   if (op->flags & SPIRV_HAS_RESULT) {
      const uint32_t *p = s->words + word + 1, type = op->flags & SPIRV_HAS_TYPE ? *p++ : 0;
      struct spirv_id *id = define(s, *p);
      id->kind = kind_of(at, opcode, op->room);
      id->word = word;
      id->type = type;
   }
   if (op->room == SPIRV_ROOM_FLOW)
      follow_functions(s, at, word);
   else if (op->room == SPIRV_ROOM_MODULE)
      s->num_module_instrs++;
}

void
hd_spirv_scan(struct spirv *s)
{
   s->version = s->words[1];
   s->bound = s->words[3];
   if (s->version >> 16 != 1 || s->version & 0xff0000ff)
      hd_spirv_unsupported(s, "the version is 0x%08x, expected 1.x", s->version);
   if (!s->bound || s->bound > MAX_BOUND)
      hd_spirv_unsupported(s, "the bound of ids is %u, expected 1 to %u", s->bound, MAX_BOUND);
   if (s->words[4])
      hd_spirv_unsupported(s, "the schema is %u, expected 0", s->words[4]);
   if (s->num_words > UINT32_MAX)
      hd_spirv_unsupported(s, "the module has more than 2^32 words");

   s->pages = hd_spirv_alloc(s, (s->bound / 64 + 1) * sizeof(*s->pages));
   add_page(s); /* of undefined ids */
   hd_heap_step(s->heap, s->num_words / 2);
   struct place at = { NULL };
   for (uint32_t word = HEADER_WORDS, length; word < s->num_words; word += length) {
      const struct spirv_opcode *op = hd_spirv_opcode(s->words[word] & 0xffff);
      length = check_instr(s, word, op);
      take_instr(s, &at, word, op);
   }
   s->at = (struct spirv_instr){ 0 };
   if (at.function)
      hd_spirv_invalid(s, "the module ends inside of a function");
}
