/* SPDX-License-Identifier: MIT */
/* program_parse.c - parser of machine code between phases (as LLVM's MIR): the assembler's operands and
 * instructions within the syntax of machine/text/program.h.
 */
#include "backend/gcn/asm/parse.h"
#include "machine/text/program.h"

typedef struct parser {
   hd_gcn_reader r;
   hd_mach_program_reader program;
   hd_gcn_decoded decoded;
} parser;

static bool
note_value(hd_gcn_reader *r, const hd_gcn_text_arg *arg)
{
   parser *s = r->user;

   return hd_mach_value_note(&s->program, &arg->operand, arg->value_kind, arg->word);
}

static bool
read_target(void *user, hd_mach_word word)
{
   parser *s = user;

   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      if (hd_mach_word_is(word, hd_gcn_gen_name((hd_gcn_gen)gen))) {
         s->r.gen = (hd_gcn_gen)gen;
         s->program.p->mach = &hd_gcn_target_of(s->r.gen)->mach;
         return true;
      }
   }
   return hd_mach_text_error(&s->r.c, word.start, word.length, "expected gfx600, gfx803 or gfx900");
}

static bool
read_operand(void *user, unsigned op, hd_mach_operand *operand)
{
   hd_gcn_reader *r = &((parser *)user)->r;
   hd_gcn_text_arg arg;

   if (!hd_gcn_read_arg(r, &arg))
      return false;
   *operand = arg.operand;
   if (arg.kind == HD_GCN_TEXT_SYMBOL || arg.kind == HD_GCN_TEXT_IMMEDIATE)
      return hd_mach_text_error(&r->c, arg.word.start, arg.word.length,
                                "expected a value, a register or a number");
   return arg.kind == HD_GCN_TEXT_OPERAND ||
          hd_gcn_text_const(r, &arg, op == HD_MACH_P_MASK_PHI ? HD_GCN_B64 : HD_GCN_B32, operand);
}

static bool
read_inst(void *user, hd_mach_inst *inst, const hd_mach_operand **operands, hd_mach_word *target)
{
   parser *s = user;

   if (!hd_gcn_read_inst(&s->r, &s->decoded, target))
      return false;
   *inst = s->decoded.inst;
   *operands = s->decoded.operands;
   return true;
}

bool
hd_gcn_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                     const char *text, size_t length)
{
   static const hd_mach_parsing rows = { .num_ops = HD_GCN_P_EXCLUSIVE_SCAN + 1,
                                         .target = read_target,
                                         .operand = read_operand,
                                         .inst = read_inst };
   parser s = { .r = { .values = true } };

   if (!p->mach)
      p->mach = &hd_gcn_target_of(HD_GCN_GFX900)->mach;
   hd_gcn_reader_init(&s.r, hd_gcn_target_in(p)->gen, config, file, text, length);
   s.r.values = true;
   s.r.user = &s;
   s.r.value = note_value;
   return hd_mach_program_read(p, &s.r.c, &rows, &s.program, &s);
}
