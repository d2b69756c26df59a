/* SPDX-License-Identifier: MIT */
/* test_memory.c - accesses to memory, compiled and run, do what the interpreter says: every kind of
 * memory, size, number of components and alignment, at uniform addresses and at others; atomics,
 * bounds, order. And what they become, where that matters.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

/* How an address is computed. */
typedef enum addressing {
   BY_LANE,     /* differs; of global memory: an unknown uniform base and 32 bits */
   BY_CONSTANT, /* known; of global memory: uniform */
   BY_UNIFORM,  /* the same for all lanes, but computed */
   BY_WIDE,     /* of global memory: differs in 64 bits */
   NUM_ADDRESSINGS,
} addressing;

typedef struct kind {
   const char *name;
   const char *operands; /* before the address */
   const char *indices;
   const char *addresses[NUM_ADDRESSINGS]; /* values that begin() makes, multiples of 16 */
   bool writable;
} kind;

static const kind kinds[] = {
   { "global", "", "", { "%grow", "%p", "%gany", "%gwide" }, true },
   { "buffer", "%zero, ", " binding=0", { "%row", "%zero", "%any", NULL }, true },
   { "shared", "", "", { "%row", "%zero", "%any", NULL }, true },
   { "scratch", "", "", { "%low", "%zero", "%any", NULL }, true },
   { "push", "", "", { "%low", "%zero", "%any", NULL }, false },
   { "kernarg", "", "", { "%low", "%zero", "%any", NULL }, false },
   { "constant", "", "", { "%low", "%zero", "%any", NULL }, false },
};
enum { GLOBAL, BUFFER, SHARED, SCRATCH, PUSH, KERNARG, CONSTANT, NUM_KINDS };

static const unsigned counts[] = { 1, 2, 3, 4, 5, 7, 8, 16 };
#define NUM_COUNTS (sizeof(counts) / sizeof(counts[0]))

static void
begin(text *t)
{
   hd_blob_init(t, NULL);
   say(t, "shader compute \"t\" {\n workgroup 64 1 1\n subgroup 64\n push 256\n kernarg 256\n"
          " shared 16384\n scratch 512\n constants");
   for (unsigned n = 0; n < 32; n++)
      say(t, " \"%08x %08x\"", (n + 1) * 0x9e3779b9u, (n + 1) * 0x85ebca6bu);
   say(t, "\n function @main(%%p:64) {\n  b0:\n");
   say(t, "   %%zero:32 = const 0\n   %%two:32 = const 2\n   %%four:32 = const 4\n"
          "   %%eight:32 = const 8\n   %%three:32 = const 3\n   %%prime:32 = const 16777619\n"
          "   %%i:32 = local_invocation_index\n   %%word:32 = ishl %%i, %%two\n"
          "   %%row:32 = ishl %%i, %%eight\n   %%quarter:32 = iand %%i, %%three\n"
          "   %%low:32 = ishl %%quarter, %%four\n   %%seven:32 = const 112\n"
          "   %%pushed:32 = load_push %%zero align_mul=4\n   %%any:32 = iand %%pushed, %%seven\n");
   say(t, "   %%row64:64 = u2u %%row\n   %%any64:64 = u2u %%any\n   %%i64:64 = u2u %%i\n"
          "   %%wide:64 = ishl %%i64, %%eight\n   %%grow:64 = iadd %%p, %%row64\n"
          "   %%gany:64 = iadd %%p, %%any64\n   %%gwide:64 = iadd %%p, %%wide\n   %%sum0:32 = iadd "
          "%%i, %%zero\n");
}

static const char *
end(text *t)
{
   say(t, " }\n}\n");
   return said(t);
}

/* %sumN + 1 depends on all bits of a value and on %sumN. */
static void
mix(text *t, unsigned *sums, const char *value, unsigned bits, unsigned components)
{
   for (unsigned c = 0; c < components; c++) {
      const unsigned n = (*sums)++;
      say(t, "   %%k%u:32 = const %u\n   %%c%u:%u = channel %s, %%k%u\n", n, c, n, bits, value, n);
      if (bits == 64)
         say(t,
             "   %%l%u:32x2 = unpack_64_2x32 %%c%u\n   %%x%u:32 = channel %%l%u, %%zero\n"
             "   %%o%u:32 = const 1\n   %%y%u:32 = channel %%l%u, %%o%u\n"
             "   %%e%u:32 = isub %%x%u, %%y%u\n",
             n, n, n, n, n, n, n, n, n, n, n);
      else
         say(t, "   %%e%u:32 = %s %%c%u%s\n", n, bits == 32 ? "iadd" : "u2u", n,
             bits == 32 ? ", %zero" : "");
      say(t, "   %%p%u:32 = imul %%sum%u, %%prime\n   %%sum%u:32 = ixor %%p%u, %%e%u\n", n, n,
          n + 1, n, n);
   }
}

static void
keep(text *t, unsigned sums)
{
   say(t, "   store_buffer %%sum%u, %%zero, %%word binding=1 align_mul=4\n", sums);
}

/* What lies in memory that begins undefined: that of buffer 2. */
static void
fill(text *t, const kind *k)
{
   const bool scratch = k == &kinds[SCRATCH];

   if (k != &kinds[SHARED] && !scratch)
      return;
   for (unsigned n = 0; n < (scratch ? 8u : 4u); n++)
      say(t,
          "   %%f%u:32x16 = load_buffer %%zero, %%row binding=2 offset=%u align_mul=16\n"
          "   store_%s %%f%u, %s offset=%u align_mul=16\n",
          n, n % 4 * 64, k->name, n, scratch ? "%zero" : "%row", n * 64);
}

static void
load(text *t, const kind *k, addressing how, unsigned n, unsigned bits, unsigned count,
     unsigned align)
{
   say(t, "   %%v%u:%ux%u = load_%s %s%s%s offset=%u align_mul=%u\n", n, bits, count, k->name,
       k->operands, k->addresses[how], k->indices, align % 16, align);
}

static void
loads_of(const kind *k, addressing how, unsigned bits)
{
   unsigned sums = 0, n = 0;
   text t;

   begin(&t);
   fill(&t, k);
   for (unsigned c = 0; c < NUM_COUNTS; c++) {
      for (unsigned align = 1; align <= 16; align *= 2, n++) {
         char name[16];
         load(&t, k, how, n, bits, counts[c], align);
         snprintf(name, sizeof(name), "%%v%u", n);
         mix(&t, &sums, name, bits, counts[c]);
      }
   }
   keep(&t, sums);
   /* Addresses of global memory are each generation's own; of the others one after the other. */
   if (k == &kinds[GLOBAL])
      must_do_the_same_everywhere(end(&t), NULL);
   else
      must_do_the_same(end(&t), (hd_gcn_gen)((how + bits / 8) % HD_GCN_NUM_GENS), NULL);
   hd_blob_finish(&t);
}

static void
test_loads(void **state)
{
   (void)state;
   for (unsigned k = 0; k < NUM_KINDS; k++) {
      for (unsigned how = 0; how < NUM_ADDRESSINGS; how++) {
         for (unsigned bits = 8; kinds[k].addresses[how] && bits <= 64; bits *= 2)
            loads_of(&kinds[k], (addressing)how, bits);
      }
   }
}

/* Each lane writes its own bytes, or all the same to one place; then they are read again. */
static void
stores_of(const kind *k, addressing how, unsigned bits, unsigned align, hd_gcn_gen gen)
{
   const bool own = how == BY_LANE || how == BY_WIDE;
   unsigned sums = 0;
   text t;

   begin(&t);
   fill(&t, k);
   for (unsigned c = 0; c < NUM_COUNTS; c++) {
      const unsigned count = counts[c];
      say(&t, "   %%d%u:%ux%u = load_buffer %%zero, %s binding=2 offset=%u align_mul=1\n", c, bits,
          count, own ? "%row" : "%zero", 3 * c + 1);
      say(&t, "   store_%s %%d%u, %s%s%s offset=%u align_mul=%u\n", k->name, c, k->operands,
          k->addresses[how], k->indices, align % 16, align);
      if (k == &kinds[SHARED] || k == &kinds[SCRATCH]) {
         char name[16];
         snprintf(name, sizeof(name), "%%r%u", c);
         say(&t, "   %%r%u:32x16 = load_%s %s offset=0 align_mul=16\n", c, k->name,
             k->addresses[how]);
         mix(&t, &sums, name, 32, 16);
      }
   }
   keep(&t, sums);
   must_do_the_same(end(&t), gen, NULL);
   hd_blob_finish(&t);
}

static void
test_stores(void **state)
{
   (void)state;
   for (unsigned k = 0; k < NUM_KINDS; k++) {
      for (unsigned how = 0; kinds[k].writable && how < NUM_ADDRESSINGS; how++) {
         for (unsigned n = 0; kinds[k].addresses[how] && n < 20; n++)
            /* Each size and alignment on each generation, with one of the ways to an address. */
            stores_of(&kinds[k], (addressing)how, 8u << n / 5, 1u << n % 5,
                      (hd_gcn_gen)((n + how) % HD_GCN_NUM_GENS));
      }
   }
}

/* Constant data of small components is packed before it is stored. */
static void
test_stores_of_constants(void **state)
{
   static const char *const shapes[] = { "8x4", "8x3", "16x2", "16x3", "32x3", "64x2", "8x7" };
   static const unsigned sizes[] = { 4, 3, 2, 3, 3, 2, 7 };
   text t;

   (void)state;
   begin(&t);
   for (unsigned n = 0; n < sizeof(shapes) / sizeof(shapes[0]); n++) {
      for (unsigned c = 0; c < sizes[n]; c++)
         say(&t, "   %%q%u_%u:%.*s = const %u\n", n, c, (int)strcspn(shapes[n], "x"), shapes[n],
             17 * c + 3);
      say(&t, "   %%q%u:%s = vec", n, shapes[n]);
      for (unsigned c = 0; c < sizes[n]; c++)
         say(&t, "%s %%q%u_%u", c ? "," : "", n, c);
      say(&t, "\n   store_buffer %%q%u, %%zero, %%row binding=0 offset=%u align_mul=4\n", n,
          32 * n);
   }
   must_do_the_same_everywhere(end(&t), NULL);
   hd_blob_finish(&t);
}

/* Offsets that instructions have, and those that they cannot have. */
static void
test_offsets(void **state)
{
   static const int offsets[] = { 0, 4, 1020, 1024, 4092, 4096, 8188, 12000, -4, -4096, -4100 };
   text t;

   (void)state;
   for (unsigned k = 0; k <= SHARED; k++) {
      for (unsigned how = 0; how < NUM_ADDRESSINGS; how++) {
         unsigned sums = 0;
         if (!kinds[k].addresses[how])
            continue;
         begin(&t);
         fill(&t, &kinds[k]);
         say(&t,
             "   %%far:32 = const 8192\n   %%far64:64 = u2u %%far\n   %%to:%u = iadd %s, %%far%s\n",
             k == GLOBAL ? 64u : 32u, kinds[k].addresses[how], k == GLOBAL ? "64" : "");
         for (unsigned n = 0; n < sizeof(offsets) / sizeof(offsets[0]); n++) {
            char name[16];
            /* Where lanes are apart, the last ones would leave the memory. */
            const bool fits = k == BUFFER || offsets[n] <= 4096;
            if (!fits || (k == SHARED && (how == BY_LANE || offsets[n] > 0)))
               continue;
            say(&t, "   %%v%u:32x2 = load_%s %s%%to%s offset=%d align_mul=4\n", n, kinds[k].name,
                kinds[k].operands, kinds[k].indices, offsets[n]);
            snprintf(name, sizeof(name), "%%v%u", n);
            mix(&t, &sums, name, 32, 2);
         }
         keep(&t, sums);
         must_do_the_same_everywhere(end(&t), NULL);
         hd_blob_finish(&t);
      }
   }
}

/* Components that are not inside of a buffer read 0 and are not written. */
static void
test_bounds(void **state)
{
   static const char *const positions[] = { "32768", "32764",      "32760",      "32752",
                                            "32700", "0xfffffffc", "0xfffffff0", "0x80000000" };
   text t;

   (void)state;
   for (unsigned bits = 8; bits <= 64; bits *= 2) {
      for (unsigned p = 0; p < sizeof(positions) / sizeof(positions[0]); p++) {
         for (unsigned how = 0; how < 2; how++) {
            static const int offsets[] = { 0, 4, 60, 4092, 8192, -8 };
            unsigned sums = 0;
            begin(&t);
            say(&t,
                "   %%at:32 = const %s\n   %%none:32 = const 0\n   %%of:32 = iand %s, %%four\n"
                "   %%pos:32 = ixor %%at, %%of\n",
                positions[p], how ? "%any" : "%i");
            for (unsigned n = 0; n < sizeof(offsets) / sizeof(offsets[0]); n++) {
               char name[16];
               say(&t,
                   "   %%v%u:%ux4 = load_buffer %%zero, %%pos binding=0 offset=%d align_mul=4\n", n,
                   bits, offsets[n]);
               snprintf(name, sizeof(name), "%%v%u", n);
               mix(&t, &sums, name, bits, 4);
               say(&t, "   store_buffer %%v0, %%zero, %%pos binding=3 offset=%d align_mul=4\n",
                   offsets[n]);
            }
            keep(&t, sums);
            must_do_the_same(end(&t), (hd_gcn_gen)((p + how + bits / 16) % HD_GCN_NUM_GENS), NULL);
            hd_blob_finish(&t);
         }
      }
   }
}

/* Atomics: lanes take effect in ascending order, eight of them on each word. */
static void
atomics_of(const kind *k, unsigned bits, bool read)
{
   static const char *const ops[] = { "iadd",     "imin", "imax", "umin",     "umax",
                                      "iand",     "ior",  "ixor", "exchange", "inc_wrap",
                                      "dec_wrap", "fadd", "fmin", "fmax" };
   unsigned sums = 0, n = 0;
   text t;

   begin(&t);
   fill(&t, k);
   say(&t, "   %%group:32 = iand %%i, %%seven\n   %%unit:32 = const 1\n"
           "   %%slot:32 = ushr %%group, %%unit\n   %%slot64:64 = u2u %%slot\n"
           "   %%gslot:64 = iadd %%p, %%slot64\n");
   const char *at = k == &kinds[GLOBAL] ? "%gslot" : "%slot";
   for (; n < sizeof(ops) / sizeof(ops[0]); n++) {
      const bool floats = ops[n][0] == 'f';
      char name[16];
      say(&t, "   %%d%u:%u = load_buffer %%zero, %%row binding=2 offset=%u align_mul=8\n", n, bits,
          8 * n);
      /* Numbers, not any bits: which NaN comes of two is not said. */
      if (floats)
         say(&t, "   %%n%u:%u = u2f %%i\n   store_%s %%n%u, %s%s%s offset=%u align_mul=8\n", n,
             bits, k->name, n, k->operands, at, k->indices, 64 * n);
      say(&t, "   %%v%u:%u = %s_atomic %s%s, %s%u%s atomic_op=%s offset=%u\n", n, bits, k->name,
          k->operands, at, floats ? "%n" : "%d", n, k->indices, ops[n], 64 * n);
      snprintf(name, sizeof(name), "%%v%u", n);
      if (read)
         mix(&t, &sums, name, bits, 1);
   }
   say(&t,
       "   %%s0:%u = %s_atomic_swap %s%s, %%d0, %%d1%s offset=%u\n"
       "   %%s1:%u = %s_atomic_swap %s%s, %%s0, %%d2%s offset=%u\n",
       bits, k->name, k->operands, at, k->indices, 64 * n, bits, k->name, k->operands, at,
       k->indices, 64 * n);
   mix(&t, &sums, read ? "%s1" : "%s0", bits, 1);
   if (k == &kinds[SHARED]) {
      say(&t, "   %%again:%ux16 = load_shared %%slot offset=0 align_mul=8\n", bits);
      mix(&t, &sums, "%again", bits, 16);
   }
   keep(&t, sums);
   must_do_the_same_everywhere(end(&t), NULL);
   hd_blob_finish(&t);
}

static void
test_atomics(void **state)
{
   static const unsigned places[] = { GLOBAL, BUFFER, SHARED };

   (void)state;
   for (unsigned n = 0; n < 3; n++) {
      for (unsigned bits = 32; bits <= 64; bits += 32) {
         atomics_of(&kinds[places[n]], bits, true);
         atomics_of(&kinds[places[n]], bits, false);
      }
   }
}

/* Sums of floats in LDS: one instruction where the chip rounds and keeps denormals as the shader
 * asks for, else a loop. The one instruction does not mind that nobody has written what it adds to.
 */
static void
test_float_sums(void **state)
{
   static const struct {
      const char *floats;
      bool written;
      unsigned gens; /* with the instruction */
   } cases[] = { { "", true, 6 },
                 { "", false, 6 },
                 { "floats rtz32", true, 0 },
                 { "floats flush32", true, 0 },
                 { "floats flush64 rtz16", true, 6 } };

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      text t;
      hd_blob_init(&t, NULL);
      say(&t,
          "shader compute \"t\" {\n workgroup 64 1 1\n subgroup 64\n shared 64\n %s\n"
          " function @main {\n  b0:\n   %%zero:32 = const 0\n   %%i:32 = local_invocation_index\n"
          "   %%x:32 = u2f %%i\n   %%tiny:32 = const 0x3\n   %%y:32 = fmul %%x, %%tiny\n",
          cases[n].floats);
      if (cases[n].written)
         say(&t, "   store_shared %%tiny, %%zero align_mul=4\n"
                 "   barrier exec_scope=workgroup mem_scope=workgroup semantics=acquire|release "
                 "memory=shared\n");
      say(&t, "   %%old:32 = shared_atomic %%zero, %%y atomic_op=fadd\n"
              "   %%gone:32 = shared_atomic %%zero, %%x atomic_op=fadd\n"
              "   %%two:32 = const 2\n   %%at:32 = ishl %%i, %%two\n"
              "   %%new:32 = load_shared %%zero align_mul=4\n"
              "   store_buffer %%i, %%zero, %%at align_mul=4\n"
              "   store_buffer %%old, %%zero, %%at offset=256 align_mul=4\n"
              "   store_buffer %%new, %%zero, %%at offset=512 align_mul=4\n }\n}\n");
      const char *shader = said(&t);
      for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
         const bool has = cases[n].gens >> gen & 1;
         for (unsigned lowering = 0; lowering < 2; lowering++) {
            const trial_options options = { .compile.lowering = (hd_gcn_lowering)lowering };
            if (has || cases[n].written)
               must_do_the_same(shader, (hd_gcn_gen)gen, &options);
         }
         assert_int_equal(count_of(shader, (hd_gcn_gen)gen, "ds_add_*"), has ? 2 : 0);
         assert_int_equal(count_of(shader, (hd_gcn_gen)gen, "ds_cmpst*"), has ? 0 : 2);
      }
      hd_blob_finish(&t);
   }
}

/* Lanes of two waves hand each other numbers, by LDS and by memory. */
static void
test_barriers(void **state)
{
   static const char *const barriers[] = {
      "barrier exec_scope=workgroup mem_scope=workgroup semantics=acquire|release "
      "memory=shared|global|buffer",
      "barrier exec_scope=workgroup mem_scope=device semantics=acquire|release "
      "memory=shared|global|buffer",
      "barrier exec_scope=workgroup mem_scope=system semantics=acquire|release "
      "memory=shared|global|buffer|image",
   };
   static const char *const workgroups[] = { "128 1 1", "64 1 1", "100 1 1", "1024 1 1" };

   (void)state;
   for (unsigned n = 0; n < sizeof(workgroups) / sizeof(workgroups[0]) * 3; n++) {
      text t;
      hd_blob_init(&t, NULL);
      say(&t,
          "shader compute \"t\" {\n workgroup %s\n subgroup 64\n shared 8192\n"
          " function @main {\n  b0:\n   %%zero:32 = const 0\n   %%two:32 = const 2\n"
          "   %%one:32 = const 1\n   %%i:32 = local_invocation_index\n"
          "   %%last:32 = const %u\n   %%word:32 = ishl %%i, %%two\n"
          "   %%j:32 = isub %%last, %%i\n   %%other:32 = ishl %%j, %%two\n",
          workgroups[n / 3], (unsigned)strtoul(workgroups[n / 3], NULL, 10) - 1);
      say(&t,
          "   store_shared %%i, %%word align_mul=4\n"
          "   store_buffer %%j, %%zero, %%word binding=0 align_mul=4\n   %s\n"
          "   %%a:32 = load_shared %%other align_mul=4\n"
          "   %%b:32 = load_buffer %%zero, %%other binding=0 align_mul=4\n"
          "   %%u:32 = load_buffer %%zero, %%zero binding=0 align_mul=4\n",
          barriers[n % 3]);
      say(&t,
          "   %s\n   %%c:32 = isub %%a, %%b\n   %%d:32 = iadd %%c, %%u\n"
          "   store_shared %%d, %%word align_mul=4\n   %s\n"
          "   %%e:32 = load_shared %%other align_mul=4\n"
          "   store_buffer %%e, %%zero, %%word binding=1 align_mul=4\n }\n}\n",
          barriers[n % 3], barriers[n % 3]);
      must_do_the_same_everywhere(said(&t), NULL);
      hd_blob_finish(&t);
   }
}

#define HEAD                                                                                       \
   "shader compute \"t\" {; workgroup 64 1 1; subgroup 64; function @main(%p:64) {; b0:;"          \
   " %zero:32 = const 0; %one:32 = const 1; %i:32 = local_invocation_index;"                       \
   " %two:32 = const 2; %word:32 = ishl %i, %two; %w64:64 = u2u %word; %own:64 = iadd %p, %w64;"
#define TAIL "; }; }"

/* A scalar load does not see what vector stores wrote: which loads may be one. */
static void
test_scalar_loads(void **state)
{
   static const struct {
      const char *code;
      bool scalar; /* the load of %p that is looked at */
   } cases[] = {
      { HEAD
        "%v:32 = load_global %p align_mul=4; store_global %v, %own offset=256 align_mul=4" TAIL,
        true },
      { HEAD "store_global %i, %own offset=256 align_mul=4; %v:32 = load_global %p align_mul=4;"
             "store_global %v, %own offset=512 align_mul=4" TAIL,
        false },
      /* Nothing writes it: the access says so. */
      { HEAD "store_global %i, %own offset=256 align_mul=4;"
             "%v:32 = load_global %p align_mul=4 access=readonly;"
             "store_global %v, %own offset=512 align_mul=4" TAIL,
        true },
      { HEAD "%v:32 = load_global %p align_mul=4 access=volatile;"
             "store_global %v, %own offset=256 align_mul=4" TAIL,
        false },
      { HEAD
        "%v:32 = load_global %p align_mul=2; store_global %v, %own offset=256 align_mul=4" TAIL,
        false },
      /* A store that comes round a loop. */
      { HEAD "loop {; b1:; %n:32 = phi b0: %zero, b5: %m; %v:32 = load_global %p align_mul=4;"
             "%s:32 = iadd %v, %n; store_global %s, %own offset=256 align_mul=4;"
             "%m:32 = iadd %n, %one; %most:32 = const 40; %end:1 = ult %most, %m; if %end {; b2:; "
             "break; } else {; b3:; };"
             "b4:; } continue {; b5:; }; b6:" TAIL,
        false },
      /* Others' stores are seen behind a barrier. */
      { HEAD
        "barrier exec_scope=workgroup mem_scope=device semantics=acquire memory=global;"
        "%v:32 = load_global %p align_mul=4; store_global %v, %own offset=256 align_mul=4" TAIL,
        false },
   };

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
         /* One for the argument. */
         assert_int_equal(count_of(cases[n].code, (hd_gcn_gen)gen, "s_load*"), 1 + cases[n].scalar);
         must_do_the_same(cases[n].code, (hd_gcn_gen)gen, NULL);
      }
   }
}

/* What comes of one access, where there is something to lose. */
static void
test_instructions(void **state)
{
   static const struct {
      hd_gcn_gen gen;
      const char *code, *name;
      int num;
   } cases[] = {
      /* A uniform base and 32 bits of each lane: nothing is added up. */
      { HD_GCN_GFX900,
        HEAD "%v:32 = load_global %own align_mul=4;"
             "store_global %v, %own offset=256 align_mul=4" TAIL,
        "v_add*", 0 },
      { HD_GCN_GFX600,
        HEAD "%v:32 = load_global %own align_mul=4;"
             "store_global %v, %own offset=256 align_mul=4" TAIL,
        "v_add*", 0 },
      { HD_GCN_GFX900,
        HEAD "%v:8x16 = load_global %own align_mul=4;"
             "store_global %v, %own offset=256 align_mul=4" TAIL,
        "global_load*", 1 },
      { HD_GCN_GFX900,
        HEAD "%v:16x8 = load_global %own align_mul=4;"
             "store_global %v, %own offset=256 align_mul=4" TAIL,
        "global_store*", 1 },
      { HD_GCN_GFX600,
        HEAD "%v:32x3 = load_global %own align_mul=4;"
             "store_global %v, %own offset=256 align_mul=4" TAIL,
        "buffer_load*", 2 },
      /* Nobody reads the old value. */
      { HD_GCN_GFX900, HEAD "%v:32 = global_atomic %own, %i atomic_op=iadd" TAIL, "s_waitcnt", 1 },
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
      assert_int_equal(count_of(cases[n].code, cases[n].gen, cases[n].name), cases[n].num);
}

/* Arguments side by side come with one load, wherever they are used. */
static void
test_arguments(void **state)
{
   static const char code[] =
       "shader kernel \"t\" {; workgroup 64 1 1; subgroup 64; kernarg 40; function @main {; b0:;"
       " %0:32 = const 0; %1:64 = load_kernarg %0 align_mul=8;"
       " %2:64 = load_kernarg %0 offset=8 align_mul=8; %3:32 = load_kernarg %0 offset=16 "
       "align_mul=4;"
       " %4:16 = load_kernarg %0 offset=22 align_mul=2; %5:32 = load_kernarg %0 offset=24 "
       "align_mul=4;"
       " %6:32 = u2u %4; %7:32 = iadd %3, %6; %8:32 = iadd %7, %5; %9:64 = iadd %1, %2;"
       " %10:32 = local_invocation_index; %11:1 = ult %10, %8; if %11 {; b1:;"
       " %12:32 = load_kernarg %0 offset=32 align_mul=4; store_global %12, %9 align_mul=4;"
       " } else {; b2:; }; b3:; }; }";

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++)
      assert_int_equal(count_with(code, (hd_gcn_gen)gen, NULL, "s_load*"), 2);
}

/* A table behind code of every length, near and far: where it is, and that it is found. */
static void
table_behind(unsigned num, hd_gcn_gen gen)
{
   text t;

   hd_blob_init(&t, NULL);
   say(&t, "shader kernel \"t\" {; workgroup 64 1 1; subgroup 64;"
           " constants \"11111111 22222222 33333333 44444444 55\"; function @main(%%p:64) {; b0:;"
           " %%i:32 = local_invocation_index; %%three:32 = const 3; %%two:32 = const 2;"
           " %%a:32 = iand %%i, %%three; %%s:32 = ishl %%a, %%two; %%w:32 = ishl %%i, %%two;"
           " %%v0:32 = load_constant %%s align_mul=4;");
   for (unsigned n = 0; n < num; n++)
      say(&t, " %%k%u:32 = const %u; %%m%u:32 = imul %%v%u, %%k%u; %%v%u:32 = ixor %%m%u, %%i;", n,
          n * 74565 + 12345, n, n, n, n + 1, n);
   say(&t, " %%o:64 = u2u %%w; %%to:64 = iadd %%p, %%o; store_global %%v%u, %%to align_mul=4; }; }",
       num);
   const char *code = said(&t);
   must_do_the_same(code, gen, NULL);
   hd_gcn_binary *binary = must_compile(code, gen, NULL);
   const uint8_t *bytes = (const uint8_t *)binary->code;
   assert_int_equal(binary->data_offset % HD_CONSTANTS_ALIGN, 0);
   assert_true(binary->data_offset >= binary->stats.code_size);
   assert_int_equal(binary->stats.data_size, 17);
   assert_int_equal(binary->code_words * 4, binary->data_offset + 20);
   for (unsigned n = 0; n < 20; n++)
      assert_int_equal(bytes[binary->data_offset + n], n < 17 ? n / 4 * 0x11 + 0x11 : 0);
   hd_gcn_binary_destroy(binary);
   hd_blob_finish(&t);
}

static void
test_tables(void **state)
{
   (void)state;
   for (unsigned num = 0; num < 24; num++)
      table_behind(num, (hd_gcn_gen)(num % HD_GCN_NUM_GENS));
   table_behind(8000, HD_GCN_GFX900);
   /* What nothing reads is not there. */
   hd_gcn_binary *binary = must_compile("shader kernel \"t\" {; workgroup 64 1 1; constants "
                                        "\"11\"; function @main {; b0:; }; }",
                                        HD_GCN_GFX900, NULL);
   assert_int_equal(binary->data_offset, 0);
   assert_int_equal(binary->stats.code_size, binary->code_words * 4);
   hd_gcn_binary_destroy(binary);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loads),
      cmocka_unit_test(test_stores),
      cmocka_unit_test(test_stores_of_constants),
      cmocka_unit_test(test_offsets),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_float_sums),
      cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_scalar_loads),
      cmocka_unit_test(test_instructions),
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_tables),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
