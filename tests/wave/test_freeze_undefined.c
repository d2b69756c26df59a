/* SPDX-License-Identifier: MIT */
/* test_freeze_undefined.c - a launch that settles what is undefined: every unknown value is a number, that of
 * an `undef` at all its uses, others from place to place.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define LANES  8u
#define RANDOM UINT64_C(0x123456789abcdef0)

static const uint64_t all_values[] = { 0, UINT64_MAX, 1, RANDOM };

/* What the lanes store at %at, and one more buffer; nothing may be undefined. */
struct settled {
   uint32_t out[LANES];
   uint32_t given[LANES];
};

/* A body as run_lanes has it, in a stage that has helpers: lanes 2 and 5 start as such. */
static struct settled
run(const char *body, uint64_t undef_value)
{
   static const uint8_t helpers[LANES] = { 0, 0, 1, 0, 0, 1, 0, 0 };
   struct settled s = { { 0 }, { 0 } };
   uint8_t undefined[LANES * 4] = { 0 }, given[LANES * 4];
   const hd_wave_buffer buffers[2] = {
      { .memory = { s.out, undefined, sizeof(s.out) } },
      { .binding = 1, .memory = { s.given, given, sizeof(s.given) } },
   };
   const hd_wave_launch launch = {
      .lanes = LANES,
      .workgroup_size = { LANES },
      .buffers = buffers,
      .num_buffers = 2,
      .helpers = helpers,
      .num_helpers = LANES,
      .undef_value = undef_value,
      .freeze_undefined = true,
      .max_steps = 100000,
   };
   const bool fragment = strstr(body, "helper") != NULL;
   char text[4000];

   memset(given, 0, sizeof(given));
   memset(given + 4, 1, 6); /* word 1, and half of word 2 */
   snprintf(text, sizeof(text),
            "shader %s \"t\" {\n%s scratch 16\n function @main {\n  var $b:1\n  var $w:16[3]\n"
            " b0:\n %%lane:32 = subgroup_invocation\n %%zero:32 = const 0\n %%one:32 = const 1\n"
            " %%four:32 = const 4\n %%at:32 = imul %%lane, %%four\n %s\n }\n }\n",
            fragment ? "fragment" : "compute", fragment ? "" : " shared 256\n", body);
   const struct outcome o = run_text(text, &launch);
   if (o.result != HD_OK)
      fail_msg("%s in\n%s", o.message, text);
   for (unsigned n = 0; n < sizeof(undefined); n++)
      assert_true(!undefined[n] && !given[n]);
   return s;
}

#define STORE "\nstore_buffer %r, %zero, %at"

/* Every lane has this, whatever undefined bits are. */
static void
expect(const char *body, uint32_t number)
{
   for (unsigned n = 0; n < sizeof(all_values) / sizeof(all_values[0]); n++) {
      const struct settled s = run(body, all_values[n]);
      for (unsigned l = 0; l < LANES; l++) {
         if (s.out[l] != number)
            fail_msg("%s: lane %u has %x, not %x, with %llx", body, l, s.out[l], number,
                     (unsigned long long)all_values[n]);
      }
   }
}

/* The lanes from `first` on, `step` apart, have some number; is it another one in each? The same
 * run twice leaves the same; where all bits are clear or set, they are.
 */
static void
expect_unknown(const char *body, unsigned first, unsigned step, uint32_t bits, bool differ)
{
   const struct settled some = run(body, RANDOM), again = run(body, RANDOM);
   const struct settled clear = run(body, 0), set = run(body, UINT64_MAX);
   bool other = false;

   assert_memory_equal(&some, &again, sizeof(some));
   for (unsigned l = first; l < LANES; l += step) {
      if (some.out[l] & ~bits || clear.out[l] || set.out[l] != bits)
         fail_msg("%s: lane %u has %x, %x, %x", body, l, some.out[l], clear.out[l], set.out[l]);
      other |= some.out[l] != some.out[first];
   }
   if (other != differ)
      fail_msg("%s: lanes have %s", body, other ? "different numbers" : "one number");
}

static void
test_undef(void **unused)
{
   (void)unused;
   /* One number at all its uses. */
   expect("%u:32 = undef\n%r:32 = ixor %u, %u" STORE, 0);
   expect("%u:32 = undef\n%a:32 = iadd %u, %one\n%b:32 = isub %a, %u\n%r:32 = imul %b, %four" STORE,
          4);
   expect("%u:32 = undef\n%c:1 = vote_ieq %u\n%r:32 = b2i %c" STORE, 1);
   expect_unknown("%r:32 = undef" STORE, 0, 1, UINT32_MAX, false);
   assert_int_equal(run("%r:32 = undef" STORE, RANDOM).out[3], (uint32_t)RANDOM);
   /* Two of them, or two components, are two. */
   const char two[] = "%u:32 = undef\n%v:32 = undef\n%r:32 = isub %u, %v" STORE;
   const char components[] = "%u:32x2 = undef\n%a:32 = channel %u, %zero\n"
                             "%b:32 = channel %u, %one\n%r:32 = isub %a, %b" STORE;
   assert_int_not_equal(run(two, RANDOM).out[0], 0);
   assert_int_not_equal(run(components, RANDOM).out[0], 0);
   assert_int_equal(run(two, 0).out[0], 0);
}

/* Numbers have their size: booleans are 0 or 1. */
static void
test_sizes(void **unused)
{
   static const struct {
      const char *bits;
      uint32_t mask;
   } sizes[] = { { "1", 1 }, { "8", 0xff }, { "16", 0xffff }, { "32", UINT32_MAX } };
   char body[400];

   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      snprintf(body, sizeof(body), "%%u:%s = undef\n%%r:32 = %s %%u%s", sizes[n].bits,
               n ? "u2u" : "b2i", STORE);
      expect_unknown(body, 0, 1, sizes[n].mask, false);
   }
   expect("%u:1 = undef\n%n:1 = inot %u\n%c:1 = ixor %u, %n\n%r:32 = b2i %c" STORE, 1);
   /* A branch takes one of both ways. */
   expect("%u:1 = undef\nif %u {\n b1:\n} else {\n b2:\n}\nb3:\n%r:32 = iadd %four, %zero" STORE,
          4);
   expect_unknown("%u:1 = undef\n%x:32 = const -1\nif %u {\n b1:\n} else {\n b2:\n}\nb3:\n"
                  "%r:32 = phi b1: %x, b2: %zero" STORE,
                  0, 1, UINT32_MAX, false);
}

static void
test_memory(void **unused)
{
   (void)unused;
   expect_unknown("%r:32 = load_shared %at" STORE, 0, 1, UINT32_MAX, true);
   expect_unknown("%r:32 = load_scratch %zero" STORE, 0, 1, UINT32_MAX, true);
   expect_unknown("%x:16 = load_scratch %zero offset=6\n%r:32 = u2u %x" STORE, 0, 1, 0xffff, true);
   /* It stays what it is, until it is written. */
   expect("%a:32 = load_shared %at\n%b:32 = load_shared %at\n%r:32 = isub %a, %b" STORE, 0);
   expect("store_shared %four, %at\n%r:32 = load_shared %at" STORE, 4);
   expect("%a:32 = load_shared %at\n%b:32 = shared_atomic %at, %one atomic_op=iadd\n"
          "%c:32 = load_shared %at\n%d:32 = isub %c, %a\n%e:32 = isub %b, %a\n"
          "%r:32 = iadd %d, %e" STORE,
          1);
}

static void
test_variables(void **unused)
{
   (void)unused;
   expect_unknown("%x:1 = load_var $b\n%r:32 = b2i %x" STORE, 0, 1, 1, true);
   expect_unknown("%x:16 = load_var $w, %one\n%r:32 = u2u %x" STORE, 0, 1, 0xffff, true);
   expect("%x:16 = load_var $w, %one\n%y:16 = load_var $w, %one\n%z:16 = isub %x, %y\n"
          "%r:32 = u2u %z" STORE,
          0);
}

/* Bytes that are given as undefined are written, others are what they were. */
static void
test_given(void **unused)
{
   const char copy[] = "%r:32 = load_buffer %zero, %at binding=1" STORE;
   const struct settled some = run(copy, RANDOM), set = run(copy, UINT64_MAX);

   (void)unused;
   assert_memory_equal(some.given, some.out, sizeof(some.out));
   assert_int_not_equal(some.out[1], 0);
   assert_int_equal(set.out[1], UINT32_MAX);
   assert_int_equal(set.out[2], 0xffff);
   for (unsigned l = 0; l < LANES; l++)
      assert_true(l == 1 || l == 2 || !some.out[l]);
}

static void
test_other_lanes(void **unused)
{
   /* Odd lanes are not active where even ones read them. */
#define ODD "%p:32 = iand %lane, %one\n%odd:1 = ine %p, %zero\nif %odd {\n b1:\n} else {\n b2:\n"

   (void)unused;
   expect_unknown(ODD "%r:32 = shuffle_xor %lane, %one" STORE "\n}\nb3:\n", 0, 2, UINT32_MAX, true);
   expect_unknown(ODD "%x:1 = quad_swap_horizontal %odd\n%r:32 = b2i %x" STORE "\n}\nb3:\n", 0, 2,
                  1, true);
   /* What is always uniform stays so. */
   expect_unknown(ODD "%r:32 = broadcast %lane, %one" STORE "\n}\nb3:\n", 0, 2, UINT32_MAX, false);
   expect_unknown(ODD "%f:32 = u2f %lane\n%r:32 = ddx_fine %f" STORE "\n}\nb3:\n", 0, 2, UINT32_MAX,
                  true);
}

static void
test_helpers(void **unused)
{
   const char body[] = "%h:1 = is_helper\n%r:32 = buffer_atomic %zero, %at, %four atomic_op=imax "
                       "binding=1\n%w:32 = load_buffer %zero, %at binding=1\n"
                       "%s:32 = shuffle_xor %r, %one\nstore_buffer %s, %zero, %at";
   const struct settled clear = run(body, 0), set = run(body, UINT64_MAX);

   (void)unused;
   /* The lanes beside helpers have what these got; they wrote nothing. */
   assert_true(clear.out[3] == 0 && clear.out[4] == 0);
   assert_true(set.out[3] == UINT32_MAX && set.out[4] == UINT32_MAX);
   assert_true(set.given[5] == 0 && set.given[4] == 4);
   assert_int_not_equal(run(body, RANDOM).out[3], run(body, RANDOM).out[4]);
}

/* Numbers that flags exclude are no longer what arithmetic makes of them. */
static void
test_excluded(void **unused)
{
   const char sum[] = "%n:32 = const 0x7fc00000\n%r:32 = fadd.nnan %n, %n" STORE;
   const char same[] = "%n:32 = const 0x7fc00000\n%a:32 = fadd.nnan %n, %n\n"
                       "%b:32 = fadd.nnan %n, %n\n%r:32 = ixor %a, %b" STORE;

   (void)unused;
   expect_unknown(sum, 0, 1, UINT32_MAX, false);
   expect(same, 0);
   expect("%n:32 = const 0x3f800000\n%r:32 = fadd.nnan %n, %n" STORE, 0x40000000);
}

/* Other launches are what they were, and who wants both is told. */
static void
test_refused(void **unused)
{
   const hd_wave_launch both = { .freeze_undefined = true, .check_uniform = true };
   const struct outcome o =
       run_text("shader compute \"t\" {\n function @main {\n b0:\n }\n}\n", &both);

   (void)unused;
   assert_int_equal(o.result, HD_BAD_LAUNCH);
   assert_non_null(strstr(o.message, "expected at most one"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_undef),   cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_memory),  cmocka_unit_test(test_variables),
      cmocka_unit_test(test_given),   cmocka_unit_test(test_other_lanes),
      cmocka_unit_test(test_helpers), cmocka_unit_test(test_excluded),
      cmocka_unit_test(test_refused),
   };

   return cmocka_run_group_tests_name("wave/settle", tests, NULL, NULL);
}
