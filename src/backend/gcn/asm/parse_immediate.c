/* SPDX-License-Identifier: MIT */
/* parse_immediate.c - parser of immediates with a syntax of their own: hwreg(...), sendmsg(...), s_waitcnt. */
#include "backend/gcn/asm/parse.h"
#include "backend/gcn/isa/names.h"
#include "backend/gcn/isa/swizzle.h"
#include "backend/gcn/isa/wait_fields.h"

static bool
is_digit(hd_mach_word word)
{
   return word.length && word.start[0] >= '0' && word.start[0] <= '9';
}

/* A number below `count`, or the name that `name_of` gives for it. */
static bool
read_named(hd_gcn_reader *r, unsigned count, const char *what,
           const char *(*name_of)(const hd_gcn_reader *r, unsigned n, unsigned of), unsigned of,
           int64_t *value)
{
   hd_mach_word word = hd_mach_peek_word(&r->c);

   if (is_digit(word))
      return hd_mach_read_range(&r->c, 0, (int64_t)count - 1, value);
   hd_mach_read_word(&r->c);
   for (unsigned n = 0; n < count; n++) {
      const char *name = name_of(r, n, of);
      if (name && hd_mach_word_is(word, name)) {
         *value = n;
         return true;
      }
   }
   return hd_mach_text_error(&r->c, word.start, word.length, "expected %s of %s", what,
                             hd_gcn_gen_name(r->gen));
}

static const char *
hwreg_name(const hd_gcn_reader *r, unsigned n, unsigned of)
{
   (void)of;
   return hd_gcn_hwreg_name(r->gen, n);
}

static const char *
message_name(const hd_gcn_reader *r, unsigned n, unsigned of)
{
   (void)of;
   return hd_gcn_message_name(r->gen, n);
}

static const char *
message_op_name(const hd_gcn_reader *r, unsigned n, unsigned of)
{
   return hd_gcn_message_op_name(r->gen, of, n);
}

bool
hd_gcn_read_hwreg(hd_gcn_reader *r, int64_t *value)
{
   int64_t id, offset = 0, width = 32;

   if (!read_named(r, 64, "a hardware register", hwreg_name, 0, &id))
      return false;
   if (hd_mach_accept(&r->c, ',')) {
      if (!hd_mach_read_range(&r->c, 0, 31, &offset) || !hd_mach_expect(&r->c, ',') ||
          !hd_mach_read_range(&r->c, 1, 32, &width))
         return false;
   }
   *value = id | offset << 6 | (width - 1) << 11;
   return hd_mach_expect(&r->c, ')');
}

bool
hd_gcn_read_sendmsg(hd_gcn_reader *r, int64_t *value)
{
   int64_t id, op = 0, stream = 0;

   if (!read_named(r, 16, "a message", message_name, 0, &id))
      return false;
   if (hd_mach_accept(&r->c, ',')) {
      if (!read_named(r, 8, "an operation of the message", message_op_name, (unsigned)id, &op))
         return false;
      if (hd_mach_accept(&r->c, ',') && !hd_mach_read_range(&r->c, 0, 3, &stream))
         return false;
   }
   *value = id | op << 4 | stream << 8;
   return hd_mach_expect(&r->c, ')');
}

bool
hd_gcn_read_gpr_idx(hd_gcn_reader *r, int64_t *value)
{
   static const char *const names[] = { "SRC0", "SRC1", "SRC2", "DST" };

   *value = 0;
   if (hd_mach_accept(&r->c, ')'))
      return true;
   do {
      hd_mach_word word = hd_mach_read_word(&r->c);
      unsigned n = 0;
      while (n < 4 && !hd_mach_word_is(word, names[n]))
         n++;
      if (n == 4 || *value >> n & 1)
         return hd_mach_text_error(&r->c, word.start, word.length,
                                   "expected SRC0, SRC1, SRC2 or DST, once");
      *value |= 1 << n;
   } while (hd_mach_accept(&r->c, ','));
   return hd_mach_expect(&r->c, ')');
}

bool
hd_gcn_read_waitcnt(hd_gcn_reader *r, int64_t *value)
{
   const hd_gcn_target *target = hd_gcn_target_of(r->gen);
   uint8_t counts[HD_GCN_NUM_COUNTERS];
   unsigned seen = 0;

   if (is_digit(hd_mach_peek_word(&r->c)))
      return hd_mach_read_range(&r->c, 0, 65535, value);
   for (unsigned c = 0; c < HD_GCN_NUM_COUNTERS; c++)
      counts[c] = (uint8_t)hd_gcn_no_wait(target, (hd_gcn_counter)c);
   do {
      hd_mach_word word = hd_mach_read_word(&r->c);
      unsigned n = 0;
      int64_t count;
      while (n < HD_GCN_NUM_COUNTERS && !hd_mach_word_is(word, hd_gcn_counter_names[n]))
         n++;
      if (n == HD_GCN_NUM_COUNTERS || seen >> n & 1)
         return hd_mach_text_error(&r->c, word.start, word.length,
                                   "expected vmcnt, expcnt or lgkmcnt, each once");
      seen |= 1u << n;
      if (!hd_mach_expect(&r->c, '(') ||
          !hd_mach_read_range(&r->c, 0, hd_gcn_no_wait(target, (hd_gcn_counter)n), &count) ||
          !hd_mach_expect(&r->c, ')'))
         return false;
      counts[n] = (uint8_t)count;
   } while (hd_mach_accept(&r->c, '&') || hd_mach_accept(&r->c, ',') || !hd_mach_at_end(&r->c));
   *value = hd_gcn_wait_pack(target, counts);
   return true;
}

/* A power of two from `low` to `high`. */
static bool
read_group(hd_gcn_reader *r, unsigned low, unsigned high, int64_t *value)
{
   if (!hd_mach_expect(&r->c, ','))
      return false;
   hd_mach_skip_blanks(&r->c);
   const char *start = r->c.at;
   if (!hd_mach_read_range(&r->c, low, high, value))
      return false;
   return !(*value & (*value - 1)) ||
          hd_mach_text_error(&r->c, start, (size_t)(r->c.at - start), "expected a power of two");
}

static bool
read_bitmask(hd_gcn_reader *r, unsigned *and, unsigned * or, unsigned * xor)
{
   if (!hd_mach_expect(&r->c, ',') || !hd_mach_expect(&r->c, '"'))
      return false;
   for (unsigned n = 0; n < 5; n++) {
      unsigned bit = 16u >> n;
      char c = r->c.at < r->c.end ? *r->c.at : 0;
      switch (c) {
      case '0':
         break;
      case '1':
         * or |= bit;
         break;
      case 'p':
         *and |= bit;
         break;
      case 'i':
         *and |= bit;
         *xor |= bit;
         break;
      default:
         return hd_mach_text_error(&r->c, r->c.at, 1, "expected five of 0, 1, p and i");
      }
      r->c.at++;
   }
   return hd_mach_expect(&r->c, '"');
}

bool
hd_gcn_read_swizzle(hd_gcn_reader *r, int64_t *value)
{
   hd_mach_word mode = hd_mach_read_word(&r->c);
   unsigned and = 0, or = 0, xor = 0;
   int64_t n, lane;

   if (hd_mach_word_is(mode, "QUAD_PERM")) {
      *value = HD_GCN_SWIZZLE_QUAD;
      for (unsigned i = 0; i < 4; i++) {
         if (!hd_mach_expect(&r->c, ',') || !hd_mach_read_range(&r->c, 0, 3, &n))
            return false;
         *value |= n << 2 * i;
      }
      return hd_mach_expect(&r->c, ')');
   }
   if (hd_mach_word_is(mode, "BROADCAST")) {
      if (!read_group(r, 2, 32, &n) || !hd_mach_expect(&r->c, ',') ||
          !hd_mach_read_range(&r->c, 0, n - 1, &lane))
         return false;
      and = 32u - (unsigned)n;
      or = (unsigned)lane;
   } else if (hd_mach_word_is(mode, "SWAP")) {
      if (!read_group(r, 1, 16, &n))
         return false;
      and = 31;
      xor = (unsigned)n;
   } else if (hd_mach_word_is(mode, "REVERSE")) {
      if (!read_group(r, 2, 32, &n))
         return false;
      and = 31;
      xor = (unsigned)n - 1;
   } else if (hd_mach_word_is(mode, "BITMASK_PERM")) {
      if (!read_bitmask(r, &and, & or, &xor))
         return false;
   } else {
      return hd_mach_text_error(&r->c, mode.start, mode.length,
                                "expected QUAD_PERM, BITMASK_PERM, BROADCAST, SWAP or REVERSE");
   }
   *value = and | or << 5 | xor << 10;
   return hd_mach_expect(&r->c, ')');
}
