/* SPDX-License-Identifier: MIT */
/* disassemble.c - the disassembler; its text assembles to the same bytes. */
#include "backend/gcn/asm/parse.h"
#include "backend/gcn/isa/encoding.h"
#include "backend/gcn/isa/print.h"
#include "heddle/gcn_asm.h"
#include "util/bytes.h"
#include "util/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct lister {
   hd_gcn_gen gen;
   const hd_gcn_disassemble_options *options;
   const uint8_t *code;
   size_t num_words;
   uint8_t *targets; /* by word: a branch goes there */
   hd_blob line;     /* one instruction, to be assembled again */
   hd_blob *out;
   size_t unknown;
} lister;

static uint32_t
word_at(const lister *l, size_t n)
{
   return (uint32_t)get_number(l->code + 4 * n, 4);
}

static unsigned
decode_at(const lister *l, size_t n, hd_gcn_decoded *decoded, uint32_t words[HD_GCN_MAX_WORDS])
{
   unsigned num = 0;

   for (; num < HD_GCN_MAX_WORDS && n + num < l->num_words; num++)
      words[num] = word_at(l, n + num);
   return hd_gcn_decode(l->gen, words, num, decoded);
}

/* The word that a branch at word `n` goes to, or SIZE_MAX: none of this code. */
static size_t
target_of(const lister *l, size_t n, const hd_mach_inst *inst)
{
   if (hd_gcn_op_info_of(inst)->imm != HD_GCN_IMM_TARGET)
      return SIZE_MAX;
   int64_t to = (int64_t)n + 1 + inst->imm;
   return to >= 0 && to <= (int64_t)l->num_words ? (size_t)to : SIZE_MAX;
}

/* Labels can only stand where lines begin. */
static void
find_targets(lister *l, uint8_t *starts)
{
   hd_gcn_decoded decoded;
   uint32_t words[HD_GCN_MAX_WORDS];

   for (size_t n = 0; n < l->num_words;) {
      unsigned num = decode_at(l, n, &decoded, words);
      size_t to = num ? target_of(l, n, &decoded.inst) : SIZE_MAX;
      starts[n] = 1;
      if (to != SIZE_MAX)
         l->targets[to] = 1;
      n += num ? num : 1;
   }
   starts[l->num_words] = 1;
   for (size_t n = 0; n <= l->num_words; n++)
      l->targets[n] &= starts[n];
}

/* Whether the assembler makes these words of the text. */
static bool
assembles_back(const lister *l, const uint32_t *words, unsigned num)
{
   hd_gcn_reader r;
   hd_gcn_decoded decoded;
   hd_mach_word target;
   uint32_t again[5];

   hd_gcn_reader_init(&r, l->gen, NULL, NULL, l->line.data, l->line.size);
   return hd_gcn_read_inst(&r, &decoded, &target) &&
          hd_gcn_encode(l->gen, &decoded.inst, again, NULL) == num &&
          memcmp(words, again, num * sizeof(words[0])) == 0;
}

static void
print_words(const lister *l, size_t n, const uint32_t *words, unsigned num)
{
   if (!l->options || !l->options->words)
      return;
   hd_blob_printf(l->out, "\t; %" PRIx64 ":", l->options->address + 4 * n);
   for (unsigned i = 0; i < num; i++)
      hd_blob_printf(l->out, " %08x", words[i]);
}

static void
print_data(lister *l, size_t n, const uint32_t *words, unsigned num, const char *why)
{
   hd_blob_printf(l->out, "   .long ");
   for (unsigned i = 0; i < num; i++)
      hd_blob_printf(l->out, "%s0x%08x", i ? ", " : "", words[i]);
   print_words(l, n, words, num);
   hd_blob_printf(l->out, "\t; %s\n", why);
}

static unsigned
print_at(lister *l, size_t n)
{
   hd_gcn_decoded decoded;
   uint32_t words[HD_GCN_MAX_WORDS];
   unsigned num = decode_at(l, n, &decoded, words);
   hd_gcn_printer printer = { .gen = l->gen, .out = &l->line };
   char label[32];

   if (!num) {
      l->unknown++;
      print_data(l, n, words, 1, "no instruction");
      return 1;
   }
   l->line.size = 0;
   hd_gcn_print(&printer, &decoded.inst);
   if (l->line.result != HD_OK)
      return num;
   if (!assembles_back(l, words, num)) {
      print_data(l, n, words, num, l->line.data);
      return num;
   }
   size_t to = target_of(l, n, &decoded.inst);
   if (to != SIZE_MAX && l->targets[to]) {
      snprintf(label, sizeof(label), "L%zx", 4 * to);
      printer.label = label;
   }
   printer.out = l->out;
   hd_blob_printf(l->out, "   ");
   hd_gcn_print(&printer, &decoded.inst);
   print_words(l, n, words, num);
   hd_blob_printf(l->out, "\n");
   return num;
}

static void
list(lister *l, size_t size)
{
   for (size_t n = 0; n < l->num_words;) {
      if (l->targets[n])
         hd_blob_printf(l->out, "L%zx:\n", 4 * n);
      n += print_at(l, n);
   }
   if (l->targets[l->num_words])
      hd_blob_printf(l->out, "L%zx:\n", 4 * l->num_words);
   for (size_t n = 4 * l->num_words; n < size; n++)
      hd_blob_printf(l->out, "   .byte 0x%02x\n", l->code[n]);
}

hd_result
hd_gcn_disassemble(const hd_config *config, hd_gcn_gen target,
                   const hd_gcn_disassemble_options *options, const void *code, size_t size,
                   hd_blob *text, size_t *unknown)
{
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   lister l = {
      .gen = target, .options = options, .code = code, .num_words = size / 4, .out = text
   };

   hd_heap_init(&heap, config);
   hd_stack_init(&stack, &heap);
   hd_blob_init(&l.line, config);
   if (!hd_gcn_has_target(target, &heap.config.diag))
      return HD_INVALID;
   if (HD_TRY(&heap, &u)) {
      uint8_t *starts = hd_stack_alloc_zero(&stack, l.num_words + 1);
      l.targets = hd_stack_alloc_zero(&stack, l.num_words + 1);
      find_targets(&l, starts);
      list(&l, size);
   }
   hd_result result = hd_heap_leave(&heap, &u);
   if (result == HD_OK)
      result = l.line.result != HD_OK ? l.line.result : text->result;
   if (unknown)
      *unknown = l.unknown;
   hd_blob_finish(&l.line);
   hd_stack_finish(&stack);
   return result;
}
