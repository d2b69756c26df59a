/* SPDX-License-Identifier: MIT */
/* assemble.c - the assembler: two passes over the lines, the first for labels. */
#include <stdlib.h>
#include <string.h>

#include "backend/gen9/asm/reader.h"
#include "heddle/gen9_asm.h"
#include "util/bytes.h"
#include "util/memory.h"

typedef struct label {
   hd_gen9_name name;
   uint64_t address;
} label;

typedef struct assembler {
   hd_gen9_reader reader;
   hd_stack *stack;
   label *labels;
   size_t num_labels, capacity;
   bool labels_only;
   uint64_t address;
   hd_blob *code;
} assembler;

static int
by_name(const void *a, const void *b)
{
   const label *x = a, *y = b;

   if (x->name.length != y->name.length)
      return x->name.length < y->name.length ? -1 : 1;
   return memcmp(x->name.start, y->name.start, x->name.length);
}

static bool
find_label(void *user, const char *name, size_t length, uint64_t *address)
{
   const assembler *a = user;
   const label wanted = { { name, length }, 0 };
   const label *found = NULL;

   if (a->labels_only) {
      *address = a->address;
      return true;
   }
   if (a->num_labels)
      found = bsearch(&wanted, a->labels, a->num_labels, sizeof(label), by_name);
   if (found)
      *address = found->address;
   return found != NULL;
}

static void
add_label(assembler *a, hd_gen9_name name)
{
   if (!a->labels_only)
      return;
   if (a->num_labels == a->capacity) {
      const size_t capacity = a->capacity ? 2 * a->capacity : 64;
      label *labels = hd_stack_alloc(a->stack, capacity * sizeof(*labels));
      if (a->num_labels)
         memcpy(labels, a->labels, a->num_labels * sizeof(*labels));
      a->labels = labels;
      a->capacity = capacity;
   }
   a->labels[a->num_labels++] = (label){ name, a->address };
}

static void
emit(assembler *a, const unsigned char *bytes, unsigned num)
{
   a->address += num;
   if (!a->labels_only)
      hd_blob_append(a->code, bytes, num);
}

static void
read_inst(assembler *a)
{
   hd_gen9_reader *r = &a->reader;
   unsigned char bytes[16] = { 0 };
   hd_gen9_word word;
   bool good = hd_gen9_read_inst(r, a->address, &word);

   if (good && !a->labels_only) {
      good = hd_gen9_encode(&word, bytes) ||
             hd_gen9_fail(r, "%s does not take such operands", hd_gen9_info_of(&word)->name);
      if (good && word.compacted && !hd_gen9_compact(bytes))
         hd_gen9_fail(r, "the instruction has no short form");
   }
   emit(a, bytes, word.compacted ? HD_GEN9_SHORT_BYTES : HD_GEN9_INST_BYTES);
}

/* Numbers of 64 bits. */
static void
read_quads(assembler *a)
{
   unsigned char bytes[8];
   uint64_t number;

   do {
      if (!hd_gen9_read_number(&a->reader, UINT64_MAX, &number)) {
         hd_gen9_fail(&a->reader, ".quad takes numbers of 64 bits");
         return;
      }
      put_number(bytes, 8, number);
      emit(a, bytes, 8);
   } while (hd_gen9_accept(&a->reader, ","));
   if (!hd_gen9_at_end(&a->reader))
      hd_gen9_fail(&a->reader, "expected the end of the line");
}

static void
read_line(assembler *a)
{
   hd_gen9_reader *r = &a->reader;

   r->failed = false;
   for (;;) {
      const char *before = r->at;
      const hd_gen9_name name = hd_gen9_read_name(r);
      if (!name.length || r->at == r->end || *r->at != ':') {
         r->at = before;
         break;
      }
      r->at++;
      add_label(a, name);
   }
   if (hd_gen9_at_end(r))
      return;
   if (hd_gen9_accept(r, ".quad"))
      read_quads(a);
   else
      read_inst(a);
}

static void
read_lines(assembler *a, const char *text, size_t length)
{
   hd_gen9_reader *r = &a->reader;
   const char *end = text + length;

   r->line = 0;
   a->address = 0;
   while (text < end) {
      const char *stop = memchr(text, '\n', (size_t)(end - text));
      const char *next = stop ? stop + 1 : end;
      r->line++;
      r->start = r->at = r->end = text;
      while (r->end < (stop ? stop : end) &&
             !(*r->end == '/' && end - r->end > 1 && r->end[1] == '/'))
         r->end++;
      read_line(a);
      text = next;
   }
}

hd_result
hd_gen9_assemble(const hd_config *config, const char *file, const char *text, size_t length,
                 hd_blob *code)
{
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   hd_blob bytes;

   hd_heap_init(&heap, config);
   hd_stack_init(&stack, &heap);
   hd_blob_init(&bytes, config);
   assembler a = { .stack = &stack, .code = &bytes };
   a.reader = (hd_gen9_reader){
      .sink = &heap.config.diag, .file = file, .find_label = find_label, .user = &a
   };
   if (HD_TRY(&heap, &u)) {
      a.labels_only = a.reader.quiet = true;
      read_lines(&a, text, length);
      a.labels_only = a.reader.quiet = false;
      if (a.num_labels)
         qsort(a.labels, a.num_labels, sizeof(label), by_name);
      read_lines(&a, text, length);
   }
   hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (result == HD_OK)
      result = bytes.result;
   if (result == HD_OK && a.reader.errors)
      result = HD_INVALID;
   if (result == HD_OK) {
      hd_blob_append(code, bytes.data, bytes.size);
      result = code->result;
   }
   hd_blob_finish(&bytes);
   return result;
}
