/* SPDX-License-Identifier: MIT */
/* test_select.c - what pairs of ops become where they are one instruction, and where they are not;
 * in all cases they do what they say.
 */
#include "support/test.h"

#include <stdio.h>

#include "trial.h"

/* %x differs between lanes, %u and %base do not; all may be any number. What is computed is %r. */
#define HEAD                                                                                       \
   "shader compute \"t\" {; workgroup 64 1 1; subgroup 64; function @main() {; b0:;"               \
   " %zero:32 = const 0; %i:32 = local_invocation_index; %three:32 = const 3; %four:32 = const 4;" \
   " %row:32 = ishl %i, %three; %x:32 = load_buffer %zero, %row binding=0 align_mul=8;"            \
   " %u:32 = load_buffer %zero, %zero binding=0 align_mul=4;"                                      \
   " %y2:32x2 = load_buffer %zero, %zero binding=0 offset=8 align_mul=8;"                          \
   " %base:64 = load_buffer %zero, %zero binding=0 offset=8 align_mul=8;"                          \
   " %y:64 = load_buffer %zero, %row binding=0 align_mul=8;"
#define TAIL " store_buffer %r, %zero, %row binding=1 align_mul=8; }; }"

typedef struct example {
   const char *code, *name;
   int num[HD_GCN_NUM_GENS];
} example;

static void
check(const example *examples, size_t num)
{
   for (size_t n = 0; n < num; n++) {
      for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
         const int seen = count_of(examples[n].code, (hd_gcn_gen)gen, examples[n].name);
         if (seen != examples[n].num[gen]) {
            print_error("%d of %s on generation %u:\n%s\n", seen, examples[n].name, gen,
                        examples[n].code);
            fail();
         }
      }
      must_do_the_same_everywhere(examples[n].code, NULL);
   }
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_index(void **state)
{
   static const example examples[] = {
      { HEAD "%e:64 = u2u %x; %s:64 = ishl %e, %three; %r:64 = iadd %base, %s;" TAIL,
        "v_mad_u64_u32",
        { 0, 1, 1 } },
      { HEAD "%e:64 = i2i %x; %s:64 = ishl %e, %three; %r:64 = iadd %s, %base;" TAIL,
        "v_mad_i64_i32",
        { 0, 1, 1 } },
      { HEAD "%e:64 = u2u %x; %r:64 = iadd %base, %e;" TAIL, "v_mad_u64_u32", { 0, 1, 1 } },
      { HEAD "%e:64 = i2i %x; %r:64 = iadd %y, %e;" TAIL, "v_mad_i64_i32", { 0, 1, 1 } },
      { HEAD "%six:32 = const 6; %e:64 = u2u %x; %s:64 = ishl %e, %six; %r:64 = iadd %y, %s;" TAIL,
        "v_mad_u64_u32",
        { 0, 1, 1 } },
      /* 1 << 7 is no inline constant. */
      { HEAD "%n:32 = const 7; %e:64 = u2u %x; %s:64 = ishl %e, %n; %r:64 = iadd %y, %s;" TAIL,
        "v_mad_*",
        { 0, 0, 0 } },
      /* By a count that is not known; of 16 bits; what is subtracted. */
      { HEAD
        "%n:32 = iand %u, %three; %e:64 = u2u %x; %s:64 = ishl %e, %n; %r:64 = iadd %y, %s;" TAIL,
        "v_mad_*",
        { 0, 0, 0 } },
      { HEAD "%h:16 = u2u %x; %e:64 = i2i %h; %r:64 = isub %y, %e;" TAIL, "v_mad_*", { 0, 0, 0 } },
      /* The same for all lanes: scalars. */
      { HEAD "%e:64 = u2u %u; %s:64 = ishl %e, %three; %r:64 = iadd %base, %s;" TAIL,
        "v_mad_*",
        { 0, 0, 0 } },
   };

   (void)state;
   check(examples, COUNT(examples));
}

static void
test_bit(void **state)
{
   static const example examples[] = {
      { HEAD "%m:32 = iand %u, %four; %c:1 = ine %m, %zero; %r:32 = select %c, %i, %u;" TAIL,
        "s_bitcmp1_b32",
        { 1, 1, 1 } },
      { HEAD "%m:32 = iand %u, %four; %c:1 = ieq %m, %zero; %r:32 = select %c, %i, %u;" TAIL,
        "s_bitcmp0_b32",
        { 1, 1, 1 } },
      { HEAD "%n:32 = const 0x80000000; %m:32 = iand %n, %u; %c:1 = ieq %zero, %m;"
             "%r:32 = select %c, %i, %u;" TAIL,
        "s_bitcmp*",
        { 0, 0, 0 } }, /* it is the sign */
      /* Two bits; another number; of each lane. */
      { HEAD "%m:32 = iand %u, %three; %c:1 = ine %m, %zero; %r:32 = select %c, %i, %u;" TAIL,
        "s_bitcmp*",
        { 0, 0, 0 } },
      { HEAD "%m:32 = iand %u, %three; %c:1 = ine %m, %three; %r:32 = select %c, %i, %u;" TAIL,
        "s_bitcmp*",
        { 0, 0, 0 } },
      { HEAD "%m:32 = iand %x, %four; %c:1 = ine %m, %zero; %r:32 = select %c, %i, %u;" TAIL,
        "s_bitcmp*",
        { 0, 0, 0 } },
   };

   (void)state;
   check(examples, COUNT(examples));
}

/* What all lanes share stays in scalar registers. */
static void
test_uniform(void **state)
{
   static const example examples[] = {
      /* A division: its reciprocal is read back once, or the quotient that is then corrected. gfx900
       * alone has the scalar product's half. */
      { HEAD "%v:32 = channel %y2, %zero; %r:32 = udiv %u, %v;" TAIL, "v_mul_hi_u32", { 2, 2, 0 } },
      { HEAD "%v:32 = channel %y2, %zero; %r:32 = udiv %u, %v;" TAIL,
        "v_readfirstlane_b32",
        { 1, 1, 1 } },
      /* Of a dividend that differs the reciprocal alone. */
      { HEAD "%r:32 = udiv %x, %u;" TAIL, "v_mul_hi_u32", { 2, 2, 1 } },
      /* One conversion for one reader is not worth it. */
      { HEAD "%f:32 = u2f %u; %h:32 = fmul %f, %f; %n:32 = f2u %h; %r:32 = iadd %n, %u;" TAIL,
        "v_readfirstlane_b32",
        { 0, 0, 0 } },
      /* A scalar that several vector instructions read beside another. */
      { HEAD "%v:32 = channel %y2, %zero; %a:32 = fadd %u, %v; %b:32 = fmul %u, %v;"
             "%c:32 = fsub %u, %v; %d:32 = fmul %a, %b; %r:32 = fadd %d, %c;" TAIL,
        "v_mov_b32",
        { 1, 1, 1 } },
      /* Where it is stored. */
      { HEAD "%at:32 = ishl %u, %three; store_buffer %x, %zero, %at binding=1 offset=4 align_mul=4;"
             "%r:32 = iadd %x, %u;" TAIL,
        "v_mov_b32",
        { 1, 0, 0 } },
      { HEAD
        "%at:32 = ishl %u, %three; store_buffer %x, %zero, %at binding=1 offset=8192 align_mul=4;"
        "%r:32 = iadd %x, %u;" TAIL,
        "v_cndmask_b32",
        { 1, 1, 1 } },
   };

   (void)state;
   check(examples, COUNT(examples));
}

/* Parts of dwords in another order, and zero-extensions of what is loaded. */
static void
test_parts(void **state)
{
#define BYTES                                                                                      \
   HEAD "%eight:32 = const 8; %sixteen:32 = const 16; %most:32 = const 24;"                        \
        "%x1:32 = ushr %x, %eight; %x2:32 = ushr %x, %sixteen; %x3:32 = ushr %x, %most;"           \
        "%a:8 = u2u %x; %b:8 = u2u %x1; %c:8 = u2u %x2; %d:8 = u2u %x3; %o:8 = u2u %i;"
   static const example examples[] = {
      { BYTES "%v:8x4 = vec %d, %c, %b, %a; %r:32 = pack_32_4x8 %v;" TAIL,
        "v_perm_b32",
        { 0, 1, 1 } },
      { BYTES "%v:8x4 = vec %d, %c, %b, %a; %r:32 = pack_32_4x8 %v;" TAIL,
        "v_bfi_b32",
        { 3, 0, 0 } },
      { BYTES "%v:8x4 = vec %o, %c, %c, %a; %r:32 = pack_32_4x8 %v;" TAIL,
        "v_perm_b32",
        { 0, 1, 1 } },
      /* Of three dwords. */
      { BYTES "%n:8 = iadd %o, %a; %v:8x4 = vec %o, %n, %c, %a; %r:32 = pack_32_4x8 %v;" TAIL,
        "v_perm_b32",
        { 0, 3, 3 } },
      { BYTES
        "%h:16 = u2u %x2; %l:16 = u2u %i; %v:16x2 = vec %h, %l; %r:32 = pack_32_2x16 %v;" TAIL,
        "v_perm_b32",
        { 0, 1, 1 } },
      /* A word does not begin in the last byte. */
      { BYTES "%h:16 = u2u %x3; %v:16x2 = vec %h, %h; %r:32 = pack_32_2x16 %v;" TAIL,
        "v_perm_b32",
        { 0, 1, 1 } },
      { HEAD "%b:8 = load_buffer %zero, %i binding=0 align_mul=1; %r:32 = u2u %b;" TAIL,
        "v_and_b32",
        { 0, 0, 0 } },
      { HEAD
        "%b:8 = load_buffer %zero, %i binding=0 align_mul=1; %n:8 = iadd %b, %b; %r:32 = u2u %n;" TAIL,
        "v_and_b32",
        { 1, 1, 1 } },
   };

   (void)state;
   check(examples, COUNT(examples));
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_index), cmocka_unit_test(test_bit),
                                       cmocka_unit_test(test_uniform),
                                       cmocka_unit_test(test_parts) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
