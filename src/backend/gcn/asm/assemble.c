/* SPDX-License-Identifier: MIT */
/* assemble.c - the assembler: labels, directives, instructions.
 *
 * One pass with backpatching: a branch to a label that is not defined yet gets the offset 0 and is
 * listed; at the end the offsets are filled in.
 */
#include "backend/gcn/asm/parse.h"
#include "heddle/gcn_asm.h"
#include "machine/text/labels.h"

#include <string.h>

/* A branch that waits for its label. */
typedef struct fixup {
   uint32_t label;
   uint32_t line;
   uint64_t offset;
   hd_mach_word place;
} fixup;

typedef struct assembler {
   hd_gcn_reader r;
   hd_stack *stack;
   hd_blob code;
   hd_mach_labels labels;
   fixup *fixups;
   uint32_t num_fixups, fixup_capacity;
} assembler;

static void
add_fixup(assembler *a, hd_mach_word target)
{
   a->fixups =
       hd_stack_grow(a->stack, a->fixups, a->num_fixups, &a->fixup_capacity, sizeof(*a->fixups));
   a->fixups[a->num_fixups++] =
       (fixup){ hd_mach_label_number(&a->labels, target), a->r.c.line, a->code.size, target };
}

/* Bytes, the lowest first. */
static void
append(assembler *a, uint64_t value, unsigned size)
{
   unsigned char bytes[8];

   for (unsigned n = 0; n < size; n++)
      bytes[n] = (unsigned char)(value >> 8 * n);
   hd_blob_append(&a->code, bytes, size);
}

static bool
read_data(assembler *a, unsigned size)
{
   int64_t low = size == 8 ? INT64_MIN : -(INT64_C(1) << (8 * size - 1));
   int64_t high = size == 8 ? INT64_MAX : (INT64_C(1) << 8 * size) - 1;
   int64_t value;

   do {
      bool read = size == 8 ? hd_mach_read_integer(&a->r.c, &value)
                            : hd_mach_read_range(&a->r.c, low, high, &value);
      if (!read)
         return false;
      append(a, (uint64_t)value, size);
   } while (hd_mach_accept(&a->r.c, ','));
   return true;
}

static bool
align(assembler *a)
{
   int64_t power;

   if (!hd_mach_read_range(&a->r.c, 0, 12, &power))
      return false;
   while (a->code.size % ((size_t)1 << power)) {
      if (a->code.size % 4 || power < 2)
         append(a, 0, 1);
      else
         append(a, 0xbf800000, 4); /* s_nop 0 */
      if (a->code.result != HD_OK)
         break;
   }
   return true;
}

static bool
check_target(assembler *a)
{
   const char *name = hd_gcn_gen_name(a->r.gen);
   size_t length = strlen(name);

   if (!hd_mach_expect(&a->r.c, '"'))
      return false;
   const char *start = a->r.c.at;
   while (a->r.c.at < a->r.c.end && *a->r.c.at != '"' && *a->r.c.at != '\n')
      a->r.c.at++;
   size_t all = (size_t)(a->r.c.at - start);
   if (!hd_mach_expect(&a->r.c, '"'))
      return false;
   return (all >= length && memcmp(start + all - length, name, length) == 0) ||
          hd_mach_text_error(&a->r.c, start, all, "the target is %s", name);
}

static bool
directive(assembler *a)
{
   static const struct {
      const char *name;
      unsigned size;
   } data[] = {
      { ".byte", 1 }, { ".short", 2 }, { ".2byte", 2 }, { ".long", 4 },
      { ".int", 4 },  { ".4byte", 4 }, { ".quad", 8 },  { ".8byte", 8 },
   };
   hd_mach_word name = hd_mach_read_word(&a->r.c);

   for (unsigned n = 0; n < sizeof(data) / sizeof(data[0]); n++) {
      if (hd_mach_word_is(name, data[n].name))
         return read_data(a, data[n].size);
   }
   if (hd_mach_word_is(name, ".p2align"))
      return align(a);
   if (hd_mach_word_is(name, ".amdgcn_target"))
      return check_target(a);
   if (hd_mach_word_is(name, ".text"))
      return true;
   if (hd_mach_word_is(name, ".globl"))
      return hd_mach_read_word(&a->r.c).length ||
             hd_mach_text_error(&a->r.c, a->r.c.at, 1, "expected a name");
   return hd_mach_text_error(&a->r.c, name.start, name.length, "unknown directive");
}

static bool
instruction(assembler *a)
{
   hd_gcn_decoded decoded;
   hd_mach_word target, name = hd_mach_peek_word(&a->r.c);
   uint32_t words[HD_GCN_MAX_WORDS];
   const char *why = NULL;

   if (!name.length)
      return hd_mach_text_error(&a->r.c, a->r.c.at, 1,
                                "expected an instruction, a label or a directive");
   if (!hd_gcn_read_inst(&a->r, &decoded, &target))
      return false;
   if (a->code.size % 4)
      return hd_mach_text_error(&a->r.c, name.start, name.length,
                                "an instruction must stand at a multiple of 4 bytes");
   unsigned num = hd_gcn_encode(a->r.gen, &decoded.inst, words, &why);
   if (!num)
      return hd_mach_text_error(&a->r.c, name.start, name.length, "%s",
                                why ? why : "cannot be encoded");
   if (target.length)
      add_fixup(a, target);
   for (unsigned n = 0; n < num; n++)
      append(a, words[n], 4);
   return true;
}

/* Labels, then one instruction or directive, or nothing. */
static bool
read_statement(assembler *a)
{
   while (!hd_mach_at_end(&a->r.c)) {
      hd_mach_word word = hd_mach_peek_word(&a->r.c);
      const char *after = word.start + word.length;
      if (!word.length || after == a->r.c.end || *after != ':')
         break;
      hd_mach_read_word(&a->r.c);
      (void)hd_mach_accept(&a->r.c, ':');
      hd_mach_label *label = hd_mach_label_of(&a->labels, word);
      if (label->defined)
         return hd_mach_text_error(&a->r.c, word.start, word.length, "the label is defined twice");
      label->defined = true;
      label->address = a->code.size;
   }
   if (hd_mach_at_end(&a->r.c))
      return true;
   if (!(*a->r.c.at == '.' ? directive(a) : instruction(a)))
      return false;
   return hd_mach_at_end(&a->r.c) ||
          hd_mach_text_error(&a->r.c, a->r.c.at, 1, "expected the end of the line");
}

static void
fix_branches(assembler *a)
{
   for (uint32_t n = 0; n < a->num_fixups && a->r.c.errors < HD_MACH_MAX_TEXT_ERRORS; n++) {
      fixup f = a->fixups[n];
      const hd_mach_label *to = &a->labels.rows[f.label];
      int64_t distance = (int64_t)to->address - (int64_t)f.offset - 4;
      a->r.c.line = f.line;
      a->r.c.line_start = f.place.start;
      if (!to->defined)
         hd_mach_text_error(&a->r.c, f.place.start, f.place.length,
                            "expected a label of this text");
      else if (distance % 4)
         hd_mach_text_error(&a->r.c, f.place.start, f.place.length,
                            "a branch must go to a multiple of 4 bytes");
      else if (distance / 4 < -32768 || distance / 4 > 32767)
         hd_mach_text_error(&a->r.c, f.place.start, f.place.length,
                            "the label is too far away for a branch");
      else if (a->code.result == HD_OK) {
         a->code.data[f.offset] = (char)(distance / 4 & 0xff);
         a->code.data[f.offset + 1] = (char)(distance / 4 >> 8 & 0xff);
      }
   }
}

hd_result
hd_gcn_assemble(const hd_config *config, hd_gcn_gen target, const char *file, const char *text,
                size_t length, hd_blob *code)
{
   hd_heap heap;
   hd_stack stack;
   assembler a = { .stack = &stack, .labels = { .stack = &stack } };
   hd_unwind u;

   hd_heap_init(&heap, config);
   if (!hd_gcn_has_target(target, &heap.config.diag))
      return HD_INVALID;
   hd_stack_init(&stack, &heap);
   hd_blob_init(&a.code, config);
   hd_gcn_reader_init(&a.r, target, config, file, text, length);
   if (HD_TRY(&heap, &u)) {
      if (!hd_mach_at_end(&a.r.c))
         read_statement(&a);
      while (hd_mach_next_statement(&a.r.c))
         read_statement(&a);
      fix_branches(&a);
   }
   hd_result result = hd_heap_leave(&heap, &u);
   if (result == HD_OK)
      result = a.r.c.errors ? HD_INVALID : a.code.result;
   if (result == HD_OK) {
      hd_blob_append(code, a.code.data, a.code.size);
      result = code->result;
   }
   hd_blob_finish(&a.code);
   hd_stack_finish(&stack);
   return result;
}
