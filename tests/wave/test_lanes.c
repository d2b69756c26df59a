/* SPDX-License-Identifier: MIT */
/* test_lanes.c - what lanes learn of each other: each intrinsic on every width, with lanes inactive
 * and values undefined, against a few lines that say the same of plain arrays.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define UNDEFINED 0xdeadu

/* The lanes that are active where the intrinsic stands: those whose bit of this pattern is set. */
static bool
active(unsigned lane, unsigned pattern)
{
   static const uint32_t patterns[] = { UINT32_MAX, 0x55555555, 0xfffffffe, 0x00010010,
                                        0x9c3a6d17 };

   return patterns[pattern] >> lane % 32 & 1;
}
#define NUM_PATTERNS 5

static const char *const pattern_text[NUM_PATTERNS] = { "0xffffffff", "0x55555555", "0xfffffffe",
                                                        "0x00010010", "0x9c3a6d17" };

/* The value of a lane: (lane * 37 + 11) % 101. */
static uint32_t
value(unsigned lane)
{
   return (lane * 37 + 11) % 101;
}

static const unsigned widths[] = { 1, 4, 7, 32, 33, 64, 100, 128 };

/* What a lane should get of `words`, an intrinsic on %v:32 whose result is %r:32. */
typedef uint32_t expected(unsigned lane, unsigned width, unsigned pattern);

static void
check(const char *words, expected *want)
{
   for (unsigned w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
      for (unsigned pattern = 0; pattern < NUM_PATTERNS; pattern++) {
         uint32_t out[HD_WAVE_MAX_LANES];
         char body[2048];
         snprintf(body, sizeof(body),
                  "%%p:32 = const %s\n%%s:32 = ushr %%p, %%lane\n%%b:32 = iand %%s, %%one\n"
                  "%%is:1 = ine %%b, %%zero\n%%k37:32 = const 37\n%%k11:32 = const 11\n"
                  "%%k101:32 = const 101\n%%m:32 = imul %%lane, %%k37\n%%a:32 = iadd %%m, %%k11\n"
                  "%%v:32 = urem %%a, %%k101\n%%two:32 = const 2\n%%three:32 = const 3\n"
                  "%%odd32:32 = iand %%v, %%one\n%%odd:1 = ine %%odd32, %%zero\n"
                  "%%nine:32 = const 99\nif %%is { b1:\n%s\n"
                  "store_buffer %%r, %%zero, %%at\n} b2:\n",
                  pattern_text[pattern], words);
         const struct outcome o = run_lanes(body, widths[w], out);
         if (o.result != HD_OK)
            fail_msg("%s in %s", o.message, body);
         for (unsigned l = 0; l < widths[w]; l++) {
            const uint32_t wanted = active(l, pattern) ? want(l, widths[w], pattern) : 0;
            if (out[l] != wanted)
               fail_msg("%s, %u lanes, pattern %u, lane %u: %u, wanted %u", words, widths[w],
                        pattern, l, out[l], wanted);
         }
      }
   }
}

static uint32_t
of_lane(uint64_t from, unsigned width, unsigned pattern)
{
   return from < width && active((unsigned)from, pattern) ? value((unsigned)from) : UNDEFINED;
}

static uint32_t
lowest(unsigned width, unsigned pattern)
{
   for (unsigned l = 0; l < width; l++) {
      if (active(l, pattern))
         return l;
   }
   return width;
}

#define EXPECT(name)                                                                               \
   static uint32_t name(unsigned lane, unsigned width, unsigned pattern)                           \
   {                                                                                               \
      (void)lane;                                                                                  \
      (void)width;                                                                                 \
      (void)pattern;
#define END }

EXPECT(first) return value(lowest(width, pattern));
END EXPECT(broadcast) return of_lane(3, width, pattern);
END EXPECT(shuffle) return of_lane(value(lane), width, pattern);
END EXPECT(xor) return of_lane(lane ^ 3, width, pattern);
END EXPECT(up) return lane < 2 ? UNDEFINED : of_lane(lane - 2, width, pattern);
END EXPECT(down) return of_lane(lane + 2, width, pattern);
END EXPECT(rotate) return of_lane((lane + 3) % width, width, pattern);
END EXPECT(rotate4) const unsigned size = width < 4 ? width : 4;
return of_lane(lane - lane % size + (lane % size + 3) % size, width, pattern);
END EXPECT(elect) return lane == lowest(width, pattern);
END EXPECT(quad) return of_lane(lane / 4 * 4 + 3, width, pattern);
END EXPECT(horizontal) return of_lane(lane ^ 1, width, pattern);
END EXPECT(vertical) return of_lane(lane ^ 2, width, pattern);
END EXPECT(diagonal) return of_lane(lane ^ 3, width, pattern);
END

    static void
    moves(void **unused)
{
   (void)unused;
   check("%r:32 = read_first %v", first);
   check("%r:32 = broadcast %v, %three", broadcast);
   check("%r:32 = shuffle %v, %v", shuffle);
   check("%r:32 = shuffle_xor %v, %three", xor);
   check("%r:32 = shuffle_up %v, %two", up);
   check("%r:32 = shuffle_down %v, %two", down);
   check("%r:32 = rotate %v, %three", rotate);
   check("%r:32 = rotate %v, %three cluster_size=4", rotate4);
   check("%e:1 = elect\n%r:32 = b2i %e", elect);
   check("%r:32 = quad_broadcast %v, %three", quad);
   check("%r:32 = quad_swap_horizontal %v", horizontal);
   check("%r:32 = quad_swap_vertical %v", vertical);
   check("%r:32 = quad_swap_diagonal %v", diagonal);
}

/* How many of lanes begin to end - 1 are active and, where `odd`, have an odd value. */
static uint32_t
count(unsigned begin, unsigned end, unsigned pattern, bool odd)
{
   uint32_t n = 0;

   for (unsigned l = begin; l < end; l++)
      n += active(l, pattern) && (!odd || value(l) % 2);
   return n;
}

static uint32_t
ballot_word(unsigned word, unsigned width, unsigned pattern)
{
   uint32_t bits = 0;

   for (unsigned l = word * 32; l < width && l < word * 32 + 32; l++)
      bits |= (uint32_t)(active(l, pattern) && value(l) % 2) << (l - word * 32);
   return bits;
}

EXPECT(ballot) return ballot_word(lane % 4, width, pattern);
END EXPECT(bits) return count(0, width, pattern, true);
END EXPECT(bits_through) return count(0, lane + 1, pattern, true);
END EXPECT(bits_below) return count(0, lane, pattern, true);
END EXPECT(inverse) return value(lane) % 2;
END EXPECT(bit3) return width > 3 && active(3, pattern) && value(3) % 2;
END
EXPECT(lsb) for (unsigned l = 0; l < width; l++)
{
   if (active(l, pattern) && value(l) % 2)
      return l;
}
return UINT32_MAX;
END
EXPECT(msb) for (unsigned l = width; l-- > 0;)
{
   if (active(l, pattern) && value(l) % 2)
      return l;
}
return UINT32_MAX;
END EXPECT(some) return count(0, width, pattern, true) > 0;
END EXPECT(all) return count(0, width, pattern, true) == count(0, width, pattern, false);
END EXPECT(equal) return count(0, width, pattern, false) == 1;
END EXPECT(quad_some) const unsigned q = lane & ~3u;
return count(q, q + 4 < width ? q + 4 : width, pattern, true) > 0;
END EXPECT(quad_all) const unsigned q = lane & ~3u, end = q + 4 < width ? q + 4 : width;
return count(q, end, pattern, true) == count(q, end, pattern, false);
END
    /* The word of the mask in which the lane itself is, of lanes from..to - 1. */
    static uint32_t
    mask_word(unsigned lane, unsigned from, unsigned to)
{
   uint32_t mask = 0;

   for (unsigned l = from; l < to; l++)
      mask |= (uint32_t)(l / 32 == lane / 32) << l % 32;
   return mask;
}

EXPECT(mask_eq) return mask_word(lane, lane, lane + 1);
END EXPECT(mask_lt) return mask_word(lane, 0, lane);
END EXPECT(mask_le) return mask_word(lane, 0, lane + 1);
END EXPECT(mask_gt) return mask_word(lane, lane + 1, width);
END EXPECT(mask_ge) return mask_word(lane, lane, width);
END EXPECT(size) return width;
END EXPECT(number) return lane;
END

    static void
    ballots(void **unused)
{
   (void)unused;
   check("%w:32x4 = ballot %odd\n%i:32 = iand %lane, %three\n%r:32 = channel %w, %i", ballot);
   check("%w:32x4 = ballot %odd\n%r:32 = ballot_bit_count %w", bits);
   check("%w:32x4 = ballot %odd\n%r:32 = ballot_bit_count_inclusive %w", bits_through);
   check("%w:32x4 = ballot %odd\n%r:32 = ballot_bit_count_exclusive %w", bits_below);
   check("%w:32x4 = ballot %odd\n%r:32 = ballot_find_lsb %w", lsb);
   check("%w:32x4 = ballot %odd\n%r:32 = ballot_find_msb %w", msb);
   check("%w:32x4 = ballot %odd\n%x:1 = inverse_ballot %w\n%r:32 = b2i %x", inverse);
   check("%w:32x4 = ballot %odd\n%x:1 = ballot_bit %w, %three\n%r:32 = b2i %x", bit3);
   check("%x:1 = vote_any %odd\n%r:32 = b2i %x", some);
   check("%x:1 = vote_all %odd\n%r:32 = b2i %x", all);
   check("%x:1 = vote_ieq %v\n%r:32 = b2i %x", equal);
   check("%f:32 = u2f %v\n%x:1 = vote_feq %f\n%r:32 = b2i %x", equal);
   check("%x:1 = quad_vote_any %odd\n%r:32 = b2i %x", quad_some);
   check("%x:1 = quad_vote_all %odd\n%r:32 = b2i %x", quad_all);
   check("%r:32 = subgroup_size", size);
   check("%r:32 = subgroup_invocation", number);
#define MASK(relation)                                                                             \
   "%w:32x4 = subgroup_" #relation "_mask\n%h:32 = const 5\n%i:32 = ushr %lane, %h\n"              \
   "%r:32 = channel %w, %i"
   check(MASK(eq), mask_eq);
   check(MASK(lt), mask_lt);
   check(MASK(le), mask_le);
   check(MASK(gt), mask_gt);
   check(MASK(ge), mask_ge);
}

static uint32_t
float_bits(float f)
{
   uint32_t u;

   memcpy(&u, &f, sizeof(u));
   return u;
}

static float
bits_float(uint32_t u)
{
   float f;

   memcpy(&f, &u, sizeof(f));
   return f;
}

/* The reductions: what two values become, and what none are. */
#define COMBINE(name, result)                                                                      \
   static uint32_t name(uint32_t a, uint32_t b)                                                    \
   {                                                                                               \
      return result;                                                                               \
   }
COMBINE(iadd, a + b)
COMBINE(imul, a *b)
COMBINE(imin, (int32_t)a < (int32_t)b ? a : b)
COMBINE(imax, (int32_t)a > (int32_t)b ? a : b)
COMBINE(umin, a < b ? a : b)
COMBINE(umax, a > b ? a : b)
COMBINE(iand, a &b)
COMBINE(ior, a | b)
COMBINE(ixor, a ^ b)
COMBINE(fadd, float_bits(bits_float(a) + bits_float(b)))
COMBINE(fmul, float_bits(bits_float(a) * bits_float(b)))
COMBINE(float_min, bits_float(a) < bits_float(b) ? a : b)
COMBINE(float_max, bits_float(a) > bits_float(b) ? a : b)

static const struct reduction {
   const char *name;
   uint32_t (*combine)(uint32_t a, uint32_t b);
   uint32_t identity;
} reductions_of[] = {
   { "iadd", iadd, 0 },
   { "imul", imul, 1 },
   { "imin", imin, 0x7fffffff },
   { "imax", imax, 0x80000000 },
   { "umin", umin, UINT32_MAX },
   { "umax", umax, 0 },
   { "iand", iand, UINT32_MAX },
   { "ior", ior, 0 },
   { "ixor", ixor, 0 },
   { "fadd", fadd, 0x80000000 }, /* -0: the one that leaves every number as it is */
   { "fmul", fmul, 0x3f800000 },
   { "fmin", float_min, 0x7fc00000 },
   { "fmax", float_max, 0x7fc00000 },
};

static const struct reduction *current;

/* A value whose sign and low bits differ from lane to lane; for floats, one above 0. */
static uint32_t
term(unsigned lane)
{
   if (current->name[0] == 'f')
      return float_bits(1.0f / (float)(value(lane) + 1));
   return (value(lane) - 50) * 0x10001;
}

static uint32_t
fold(unsigned begin, unsigned end, unsigned pattern)
{
   uint32_t result = current->identity;
   bool any = false;

   for (unsigned l = begin; l < end; l++) {
      if (active(l, pattern)) {
         result = any ? current->combine(result, term(l)) : term(l);
         any = true;
      }
   }
   return result;
}

EXPECT(of_all) return fold(0, width, pattern);
END EXPECT(of_cluster) const unsigned begin = lane & ~7u;
return fold(begin, begin + 8 < width ? begin + 8 : width, pattern);
END EXPECT(through) return fold(0, lane + 1, pattern);
END EXPECT(below) return fold(0, lane, pattern);
END

    static void
    reductions(void **unused)
{
   static const char integer[] = "%k50:32 = const 50\n%k:32 = const 0x10001\n"
                                 "%d:32 = isub %v, %k50\n%t:32 = imul %d, %k\n";
   static const char real[] = "%u:32 = iadd %v, %one\n%f:32 = u2f %u\n%o:32 = const 1.0\n"
                              "%t:32 = fdiv %o, %f\n";

   (void)unused;
   for (unsigned n = 0; n < sizeof(reductions_of) / sizeof(reductions_of[0]); n++) {
      static const struct {
         const char *name, *cluster;
         expected *want;
      } kinds[] = { { "reduce", "", of_all },
                    { "reduce", " cluster_size=8", of_cluster },
                    { "inclusive_scan", "", through },
                    { "exclusive_scan", "", below } };
      current = &reductions_of[n];
      for (unsigned k = 0; k < 4; k++) {
         char words[512];
         snprintf(words, sizeof(words), "%s%%r:32 = %s %%t reduce_op=%s%s",
                  current->name[0] == 'f' ? real : integer, kinds[k].name, current->name,
                  kinds[k].cluster);
         check(words, kinds[k].want);
      }
   }
}

/* Other sizes, and vectors. The high half of a sum of 64 bits, the low byte of one of 8. */
EXPECT(wide_sum)
uint64_t sum = 0;
for (unsigned l = 0; l < width; l++)
   sum += active(l, pattern) ? (uint64_t)value(l) << 30 : 0;
return (uint32_t)(sum >> 32);
END
EXPECT(byte_sum)
uint8_t sum = 0;
for (unsigned l = 0; l < width; l++)
   sum = (uint8_t)(sum + (active(l, pattern) ? value(l) : 0));
return sum;
END EXPECT(parity) return count(0, width, pattern, true) % 2;
END EXPECT(first_odd) return value(lowest(width, pattern)) % 2;
END EXPECT(second) return value(lowest(width, pattern)) + 1;
END

    static void
    sizes(void **unused)
{
   (void)unused;
   check("%w:64 = u2u %v\n%h:32 = const 30\n%x:64 = ishl %w, %h\n"
         "%y:64 = reduce %x reduce_op=iadd\n%z:32x2 = unpack_64_2x32 %y\n%r:32 = channel %z, %one",
         wide_sum);
   check("%t:8 = u2u %v\n%y:8 = reduce %t reduce_op=iadd\n%r:32 = u2u %y", byte_sum);
   check("%y:1 = reduce %odd reduce_op=ixor\n%r:32 = b2i %y", parity);
   check("%y:1 = reduce %odd reduce_op=iand\n%r:32 = b2i %y", all);
   check("%y:1 = reduce %odd reduce_op=ior\n%r:32 = b2i %y", some);
   check("%n:32 = iadd %v, %one\n%t:32x3 = vec %v, %n, %zero\n%q:32x3 = read_first %t\n"
         "%r:32 = channel %q, %one",
         second);
   check("%x:1 = read_first %odd\n%r:32 = b2i %x", first_odd);
   check("%w:64 = u2u %v\n%y:64 = shuffle_xor %w, %three\n%r:32 = u2u %y", xor);
   check("%n:32 = iadd %v, %one\n%t:32x2 = vec %v, %v\n%x:1 = vote_ieq %t\n%r:32 = b2i %x", equal);
}

static uint32_t
difference(unsigned high, unsigned low, unsigned width, unsigned pattern)
{
   if (high >= width || !active(high, pattern) || !active(low, pattern))
      return UNDEFINED;
   return float_bits((float)value(high) - (float)value(low));
}

EXPECT(dx) return difference(lane / 4 * 4 + 1, lane / 4 * 4, width, pattern);
END EXPECT(dx_fine) return difference(lane / 2 * 2 + 1, lane / 2 * 2, width, pattern);
END EXPECT(dy) return difference(lane / 4 * 4 + 2, lane / 4 * 4, width, pattern);
END EXPECT(dy_fine) const unsigned low = lane / 4 * 4 + lane % 2;
return difference(low + 2, low, width, pattern);
END

    static void
    derivatives(void **unused)
{
   (void)unused;
   check("%f:32 = u2f %v\n%r:32 = ddx %f", dx);
   check("%f:32 = u2f %v\n%r:32 = ddx_coarse %f", dx);
   check("%f:32 = u2f %v\n%r:32 = ddx_fine %f", dx_fine);
   check("%f:32 = u2f %v\n%r:32 = ddy %f", dy);
   check("%f:32 = u2f %v\n%r:32 = ddy_coarse %f", dy);
   check("%f:32 = u2f %v\n%r:32 = ddy_fine %f", dy_fine);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(moves), cmocka_unit_test(ballots),     cmocka_unit_test(reductions),
      cmocka_unit_test(sizes), cmocka_unit_test(derivatives),
   };

   return cmocka_run_group_tests_name("wave/lanes", tests, NULL, NULL);
}
