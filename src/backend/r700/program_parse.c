/* SPDX-License-Identifier: MIT */
/* program_parse.c - parser of R700's operands in the text of a program between two phases. */
#include <string.h>

#include "backend/r700/program.h"
#include "machine/text/program.h"

/* "T12.X", or "u0" of the linear flow. */
static bool
read_register(void *user, hd_mach_operand *operand)
{
   const hd_mach_program_reader *r = user;
   const hd_mach_word word = hd_mach_read_word(r->c);
   const char *const channels = "XYZW";
   const bool uniform = word.length && word.start[0] == 'u';
   const unsigned end = uniform ? HD_R700_NUM_UNIFORM : HD_R700_NUM_GPRS;
   unsigned number = 0;
   size_t at = 1;

   while (at < word.length && word.start[at] >= '0' && word.start[at] <= '9' && number < end)
      number = number * 10 + (unsigned)(word.start[at++] - '0');
   const char *channel =
       !uniform && at + 2 == word.length && word.start[at] == '.' && word.start[0] == 'T'
           ? memchr(channels, word.start[at + 1], 4)
           : NULL;
   if (at == 1 || number >= end || !(uniform ? at == word.length : channel != NULL))
      return hd_mach_text_error(r->c, word.start, word.length, "expected T0.X to T%u.W, or u0",
                                HD_R700_NUM_GPRS - 1u);
   *operand = hd_mach_operand_reg(
       uniform ? number : HD_R700_V0 + 4 * number + (unsigned)(channel - channels), 1);
   return true;
}

/* "CB0[12]": a dword of a constant buffer. */
static bool
read_constant(const hd_mach_program_reader *r, hd_mach_operand *operand)
{
   const hd_mach_word word = hd_mach_read_word(r->c);
   int64_t dword;

   if (word.length != 3 || word.start[2] < '0' || word.start[2] > '9')
      return hd_mach_text_error(r->c, word.start, word.length, "expected CB0 to CB9");
   if (!hd_mach_expect(r->c, '[') ||
       !hd_mach_read_range(r->c, 0, HD_R700_MAX_CONSTANTS - 1, &dword) ||
       !hd_mach_expect(r->c, ']'))
      return false;
   *operand = hd_r700_of_buffer((unsigned)(word.start[2] - '0'), (uint32_t)dword);
   return true;
}

static bool
read_operand(void *user, unsigned op, hd_mach_operand *operand)
{
   hd_mach_program_reader *r = user;
   const hd_mach_word word = hd_mach_peek_word(r->c);

   (void)op;
   return word.length && word.start[0] == 'C' ? read_constant(r, operand)
                                              : hd_mach_operand_read(r, read_register, operand);
}

bool
hd_r700_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                      const char *text, size_t length)
{
   static const hd_mach_parsing rows = { .num_ops = HD_R700_NUM_OPS, .operand = read_operand };
   hd_mach_program_reader reader;
   hd_mach_cursor cursor;

   hd_mach_cursor_init(&cursor, config, file, text, length);
   return hd_mach_program_read(p, &cursor, &rows, &reader, NULL);
}
