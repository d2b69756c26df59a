/* SPDX-License-Identifier: MIT */
/* encode.c - the instruction encoder and decoder. */
#include <string.h>

#include "backend/r700/isa/isa.h"

/* Bit 61 of control flow, bits 47 to 49 of an ALU instruction. */
#define RUNS_ALU  (UINT64_C(1) << 61)
#define OP3_SHIFT 47

static uint64_t
mask_of(unsigned width)
{
   return (UINT64_C(1) << width) - 1;
}

hd_r700_inst
hd_r700_begin(unsigned op)
{
   const hd_r700_op_info *info = &hd_r700_op_infos[op];
   hd_r700_inst inst = { .op = (uint16_t)op };

   if (info->layout != HD_R700_LAYOUT_LITERAL)
      inst.f[HD_R700_F_INST] = info->code;
   if (info->layout == HD_R700_LAYOUT_MEM_RD)
      inst.f[HD_R700_F_MEM_OP] = info->memory;
   return inst;
}

bool
hd_r700_encode(const hd_r700_inst *inst, uint64_t words[2])
{
   const hd_r700_layout_info *layout = hd_r700_layout_of(inst);

   words[0] = words[1] = 0;
   for (unsigned n = 0; n < layout->num_fields; n++) {
      const hd_r700_field_info *f = &layout->fields[n];
      const uint64_t value = inst->f[f->field];
      if (value > mask_of(f->width))
         return false;
      words[f->low / 64] |= value << f->low % 64;
   }
   return true;
}

/* The op that these words are, or HD_MACH_OP_NONE. */
static unsigned
op_of(hd_r700_kind kind, const uint64_t words[2])
{
   const bool alu = words[0] & RUNS_ALU, three = words[0] >> OP3_SHIFT & 7;
   unsigned first = HD_R700_CF_NOP, end = HD_R700_ADD, code, memory = 0;

   switch (kind) {
   case HD_R700_CF_WORD:
      code = alu ? words[0] >> 58 & 15 : words[0] >> 55 & 127;
      break;
   case HD_R700_ALU_WORD:
      first = HD_R700_ADD, end = HD_R700_LITERAL;
      code = three ? words[0] >> 45 & 31 : words[0] >> 39 & 0x7ff;
      break;
   default:
      first = HD_R700_VFETCH, end = HD_R700_NUM_OPS;
      code = words[0] & 31;
      memory = code == 2 ? words[0] >> 8 & 7 : 0;
      break;
   }
   for (unsigned op = first; op < end; op++) {
      const hd_r700_op_info *info = &hd_r700_op_infos[op];
      if (info->code != code || info->memory != memory)
         continue;
      if ((kind != HD_R700_CF_WORD || alu == (info->layout == HD_R700_LAYOUT_CF_ALU)) &&
          (kind != HD_R700_ALU_WORD || three == (info->layout == HD_R700_LAYOUT_OP3)))
         return op;
   }
   return HD_MACH_OP_NONE;
}

static bool
is_source(unsigned sel)
{
   return sel < HD_R700_SRC_KC0 + 64 || sel >= HD_R700_SRC_C0 || hd_r700_source_names[sel];
}

static const char *
check_alu(const hd_r700_inst *inst)
{
   static const uint8_t sels[] = { HD_R700_F_SRC0_SEL, HD_R700_F_SRC1_SEL, HD_R700_F_SRC2_SEL };
   const unsigned num = hd_r700_op_infos[inst->op].layout == HD_R700_LAYOUT_OP3 ? 3 : 2;

   for (unsigned n = 0; n < num; n++) {
      if (!is_source(inst->f[sels[n]]))
         return "invalid source";
   }
   if (inst->f[HD_R700_F_PRED_SEL] == 1)
      return "invalid predicate selector";
   if (inst->f[HD_R700_F_BANK_SWIZZLE] >= HD_R700_NUM_SWIZZLES)
      return "invalid bank swizzle";
   return NULL;
}

const char *
hd_r700_decode(hd_r700_kind kind, const uint64_t words[2], hd_r700_inst *inst)
{
   const unsigned op = op_of(kind, words);
   uint64_t again[2];

   memset(inst, 0, sizeof(*inst));
   if (!op)
      return "invalid opcode";
   inst->op = (uint16_t)op;
   const hd_r700_layout_info *layout = hd_r700_layout_of(inst);
   for (unsigned n = 0; n < layout->num_fields; n++) {
      const hd_r700_field_info *f = &layout->fields[n];
      inst->f[f->field] = (uint32_t)(words[f->low / 64] >> f->low % 64 & mask_of(f->width));
   }
   if (!hd_r700_encode(inst, again) || again[0] != words[0] ||
       (layout->num_words == 2 && again[1] != words[1]))
      return "bits outside of all fields are not 0";
   return kind == HD_R700_ALU_WORD ? check_alu(inst) : NULL;
}

int
hd_r700_slot(const hd_r700_inst *inst, unsigned taken)
{
   const unsigned slots = hd_r700_op_infos[inst->op].slots, chan = inst->f[HD_R700_F_DST_CHAN];

   if (slots & HD_R700_SLOT_V && !(taken & (1u << chan | 1u << 4)))
      return (int)chan;
   return slots & HD_R700_SLOT_T && !(taken >> 4) ? 4 : -1;
}

unsigned
hd_r700_literals(const hd_r700_inst *inst)
{
   static const uint8_t fields[3][2] = { { HD_R700_F_SRC0_SEL, HD_R700_F_SRC0_CHAN },
                                         { HD_R700_F_SRC1_SEL, HD_R700_F_SRC1_CHAN },
                                         { HD_R700_F_SRC2_SEL, HD_R700_F_SRC2_CHAN } };
   unsigned most = 0;

   for (unsigned n = 0; n < hd_r700_op_infos[inst->op].srcs; n++) {
      const unsigned need = inst->f[fields[n][1]] / 2 + 1;
      if (inst->f[fields[n][0]] == HD_R700_SRC_LITERAL && need > most)
         most = need;
   }
   return most;
}

/* Places */

/* Returns how many of the words are none. */
static size_t
find_alu(const uint64_t *words, size_t num, size_t at, size_t count, hd_r700_place *places)
{
   unsigned literals = 0;
   size_t bad = 0;

   for (size_t n = at; n < at + count && n < num; n++) {
      hd_r700_inst inst;
      places[n].kind = HD_R700_ALU_WORD + 1;
      places[n].error = hd_r700_decode(HD_R700_ALU_WORD, &words[n], &inst);
      if (places[n].error) {
         bad++;
         continue;
      }
      const unsigned need = hd_r700_literals(&inst);
      literals = need > literals ? need : literals;
      for (; inst.f[HD_R700_F_LAST] && literals; literals--) {
         if (n + 1 < at + count && n + 1 < num) {
            n++;
            places[n] = (hd_r700_place){ .kind = HD_R700_ALU_WORD + 1, .literal = true };
         }
      }
   }
   return bad;
}

static size_t
find_fetches(const uint64_t *words, size_t num, size_t at, size_t count, hd_r700_place *places)
{
   size_t bad = 0;

   for (size_t n = at; n + 1 < at + 2 * count && n + 1 < num; n += 2) {
      hd_r700_inst inst;
      if (places[n].kind || places[n + 1].kind)
         return bad + 1;
      places[n].kind = places[n + 1].kind = HD_R700_FETCH_WORDS + 1;
      places[n].error = hd_r700_decode(HD_R700_FETCH_WORDS, &words[n], &inst);
      places[n + 1].inside = true;
      bad += places[n].error != NULL;
   }
   return bad;
}

size_t
hd_r700_find_places(const uint64_t *words, size_t num, hd_r700_place *places)
{
   hd_r700_inst inst = { 0 };
   size_t end = 0, bad = 0;

   memset(places, 0, num * sizeof(*places));
   /* The control-flow program ends at a word that says so, or that is none. */
   for (bool ends = false; end < num && !ends; end++) {
      places[end].kind = HD_R700_CF_WORD + 1;
      places[end].error = hd_r700_decode(HD_R700_CF_WORD, (uint64_t[2]){ words[end], 0 }, &inst);
      ends = places[end].error || inst.f[HD_R700_F_END_OF_PROGRAM];
      bad += places[end].error != NULL;
   }
   for (size_t n = 0; n < end; n++) {
      if (hd_r700_decode(HD_R700_CF_WORD, (uint64_t[2]){ words[n], 0 }, &inst) ||
          !(hd_r700_op_infos[inst.op].mach.flags & HD_R700_CLAUSE))
         continue;
      const size_t at = inst.f[HD_R700_F_ADDR];
      const bool alu = hd_r700_op_infos[inst.op].layout == HD_R700_LAYOUT_CF_ALU;
      const size_t count = inst.f[HD_R700_F_COUNT] + 8 * inst.f[HD_R700_F_COUNT_3] + 1;
      const size_t size = alu ? count : 2 * count;
      const bool outside = at >= num || size > num - at || (!alu && at % 2);
      if (outside || places[at].kind) {
         /* Two may run one clause. */
         bad += outside || places[at].kind != (alu ? HD_R700_ALU_WORD : HD_R700_FETCH_WORDS) + 1;
         continue;
      }
      size_t room = 0;
      while (room < size && !places[at + room].kind)
         room++;
      bad += room < size;
      bad += alu ? find_alu(words, num, at, room, places)
                 : find_fetches(words, num, at, room / 2, places);
   }
   return bad;
}

size_t
hd_r700_read_words(hd_stack *stack, const void *code, size_t num, uint64_t **words,
                   hd_r700_place **places)
{
   *words = hd_stack_alloc_zero(stack, (num + 1) * sizeof(**words));
   *places = hd_stack_alloc_zero(stack, (num + 1) * sizeof(**places));
   for (size_t n = 0; n < num; n++)
      (*words)[n] = hd_r700_word_at(code, n);
   return hd_r700_find_places(*words, num, *places);
}
