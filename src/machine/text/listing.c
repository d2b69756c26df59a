/* SPDX-License-Identifier: MIT */
/* listing.c - code as text: listing.h. */
#include "machine/text/listing.h"

#include <inttypes.h>

#include "util/bytes.h"

enum { BEGINS = 1, TARGET = 2 };

typedef struct lister {
   const hd_mach_listing *rows;
   const unsigned char *code;
   size_t size;
   const char *indent;
   bool words;
   unsigned char *marks; /* by address: where instructions begin, and where branches go */
   hd_blob *text;
} lister;

static const char *
look(const lister *l, size_t at, hd_mach_listed *listed)
{
   *listed = (hd_mach_listed){ .num_targets = 0 };
   return l->rows->look(l->code + at, l->size - at, at, listed);
}

/* A label within an instruction cannot be written. */
static const char *
look_with_targets(const lister *l, size_t at, hd_mach_listed *listed)
{
   const char *why = look(l, at, listed);

   for (unsigned n = 0; !why && n < listed->num_targets; n++) {
      const uint64_t to = listed->to[n];
      if ((int64_t)to >= 0 && (to > l->size || !(l->marks[to] & BEGINS)))
         why = "a branch to where no instruction begins";
   }
   return why;
}

static void
mark(const lister *l)
{
   hd_mach_listed listed;

   for (size_t at = 0; at < l->size; at += listed.length) {
      l->marks[at] |= BEGINS;
      look(l, at, &listed);
   }
   l->marks[l->size] |= BEGINS;
   for (size_t at = 0; at < l->size; at += listed.length) {
      if (look_with_targets(l, at, &listed))
         continue;
      for (unsigned n = 0; n < listed.num_targets; n++) {
         if (listed.to[n] <= l->size)
            l->marks[listed.to[n]] |= TARGET;
      }
   }
}

static void
print_label(const lister *l, size_t at)
{
   if (l->marks[at] & TARGET)
      hd_blob_printf(l->text, l->rows->hex_labels ? "L%zx:\n" : "L%zu:\n", at);
}

static void
print_data(const lister *l, size_t at, unsigned length)
{
   const unsigned unit = l->rows->unit;

   hd_blob_printf(l->text, "%s ", l->rows->directive);
   for (unsigned n = 0; n < length; n += unit)
      hd_blob_printf(l->text, "%s0x%0*" PRIx64, n ? ", " : "", (int)(2 * unit),
                     get_number(l->code + at + n, unit));
}

static void
print_line(const lister *l, size_t at, unsigned length, const char *why)
{
   hd_blob_printf(l->text, "%s", l->indent);
   if (why)
      print_data(l, at, length);
   else
      l->rows->print(l->code + at, l->size - at, at, l->text);
   if (l->words || why)
      hd_blob_printf(l->text, "%s", l->rows->comment);
   if (l->words) {
      hd_blob_printf(l->text, "%04zx:", at);
      for (unsigned n = 0; n < length; n += 4)
         hd_blob_printf(l->text, " %08" PRIx32, (uint32_t)get_number(l->code + at + n, 4));
      hd_blob_printf(l->text, "%s", why ? ", " : "");
   }
   hd_blob_printf(l->text, "%s\n", why ? why : "");
}

size_t
hd_mach_list(const hd_mach_listing *rows, hd_stack *stack, const unsigned char *code, size_t size,
             const char *indent, bool words, hd_blob *text)
{
   const lister l = { .rows = rows,
                      .code = code,
                      .size = size,
                      .indent = indent,
                      .words = words,
                      .marks = hd_stack_alloc_zero(stack, size + 1),
                      .text = text };
   hd_mach_listed listed;
   size_t unknown = 0;

   mark(&l);
   for (size_t at = 0; at < size; at += listed.length) {
      const char *why = look_with_targets(&l, at, &listed);
      print_label(&l, at);
      if (listed.length % rows->unit) {
         hd_blob_printf(text, "%s%u bytes more, no whole instruction\n", rows->comment,
                        listed.length);
         break;
      }
      print_line(&l, at, listed.length, why);
      unknown += why ? listed.length : 0;
   }
   print_label(&l, size);
   return unknown;
}
