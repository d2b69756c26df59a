/* SPDX-License-Identifier: MIT */
/* program_parse.c - Nyuzi's operands from the text of a program between two phases. */
#include "backend/nyuzi/program.h"
#include "machine/text/program.h"

static bool
read_target(void *user, hd_mach_word word)
{
   const hd_mach_program_reader *r = user;

   return hd_mach_word_is(word, r->p->mach->name) ||
          hd_mach_text_error(r->c, word.start, word.length, "expected %s", r->p->mach->name);
}

static bool
read_register(void *user, hd_mach_operand *operand)
{
   const hd_mach_program_reader *r = user;
   const hd_mach_word word = hd_mach_read_word(r->c);
   unsigned number = 0;

   for (size_t n = 1; n < word.length && number < 32; n++)
      number = word.start[n] >= '0' && word.start[n] <= '9'
                   ? number * 10 + (unsigned)(word.start[n] - '0')
                   : 99;
   if (word.length < 2 || number > 31 || (word.start[0] != 's' && word.start[0] != 'v'))
      return hd_mach_text_error(r->c, word.start, word.length, "expected s0 to s31, or v0 to v31");
   *operand = hd_nyuzi_reg(number + (word.start[0] == 'v' ? HD_NYUZI_V0 : 0));
   return true;
}

static bool
read_operand(void *user, unsigned op, hd_mach_operand *operand)
{
   hd_mach_program_reader *r = user;
   const hd_mach_word word = hd_mach_peek_word(r->c);
   const char *start = r->c->at;
   int64_t number;
   char kind;

   (void)op;
   if (hd_mach_accept(r->c, '%')) {
      if (!hd_mach_value_read(r->c, start, read_register, r, operand, &kind))
         return false;
      return hd_mach_value_note(r, operand, kind,
                                (hd_mach_word){ start, (size_t)(r->c->at - start) });
   }
   if (hd_mach_word_is(word, "none") || hd_mach_word_is(word, "undef")) {
      const bool undef = word.length == 5;
      (void)hd_mach_read_word(r->c);
      *operand = (hd_mach_operand){ .reg = HD_MACH_NO_REG,
                                    .size = undef,
                                    .flags = undef ? HD_MACH_OPERAND_UNDEF : 0 };
      return true;
   }
   if (word.length && (word.start[0] == 's' || word.start[0] == 'v'))
      return read_register(r, operand);
   if (!hd_mach_read_range(r->c, INT32_MIN, UINT32_MAX, &number))
      return false;
   *operand = hd_nyuzi_imm((uint32_t)number);
   return true;
}

bool
hd_nyuzi_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                       const char *text, size_t length)
{
   static const hd_mach_parsing rows = { .num_ops = HD_NYUZI_NUM_OPS,
                                         .target = read_target,
                                         .operand = read_operand };
   hd_mach_program_reader reader;
   hd_mach_cursor cursor;

   hd_mach_cursor_init(&cursor, config, file, text, length);
   return hd_mach_program_read(p, &cursor, &rows, &reader, &reader);
}
