/* SPDX-License-Identifier: MIT */
/* test_sim.c - the simulator on programs in assembly text: what computes, which channels run, what
 * messages do.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gen9/sim/sim.h"
#include "heddle/gen9_asm.h"
#include "support/heard.h"
#include "util/bytes.h"

#define MEMORY 4096u
#define END    "(W) send (8|M0) null r0 0x27 0x02000010 {EOT}\n"

/* Two threads of up to 32 channels. r1 to r4 are the numbers of the channels, r5.0 that of the
 * thread. Surface 0, which is at address 0x100000, too, and shared memory are bytes.
 */
typedef struct run {
   gen9_sim sim;
   uint8_t surface[MEMORY], shared[256], scratch[2048];
   struct heard heard;
   char *told; /* a line for each register and store that is told, or NULL */
   size_t room;
} run;

static void
tell_register(void *user, const hd_wave_register *reg)
{
   run *r = user;
   char line[200];
   size_t used = (size_t)snprintf(line, sizeof(line), "%u %s =", reg->wave, reg->name);

   for (unsigned n = 0; n < reg->num; n++)
      used += (size_t)snprintf(line + used, sizeof(line) - used, " %x", reg->values[n]);
   snprintf(r->told + strlen(r->told), r->room - strlen(r->told), "%s\n", line);
}

static void
tell_store(void *user, const hd_wave_stored *store)
{
   run *r = user;

   assert_int_equal(store->size, 4);
   snprintf(r->told + strlen(r->told), r->room - strlen(r->told), "%u.%d %s %x <- %x\n",
            store->wave, store->lane, store->within ? store->within : "address",
            (unsigned)store->address, (unsigned)get_number(store->data, 4));
}

static hd_result
run_text(run *r, const char *text, unsigned num_threads, uint32_t channels, uint64_t seed)
{
   const hd_config config = { .diag = { &r->heard, hear } };
   const gen9_memory surface = { .address = 0x100000, .data = r->surface, .size = MEMORY };
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   hd_blob code = { 0 };
   uint8_t grf[6 * 32] = { 0 };

   memset(&r->heard, 0, sizeof(r->heard));
   memset(&r->sim, 0, sizeof(r->sim));
   if (hd_gen9_assemble(&config, "text", text, strlen(text), &code) != HD_OK) {
      print_error("%s\n", r->heard.all);
      fail();
   }
   hd_heap_init(&heap, &config);
   hd_stack_init(&stack, &heap);
   r->sim.sink = &config.diag;
   r->sim.surfaces[0] = &surface;
   r->sim.regions = &surface;
   r->sim.num_regions = 1;
   r->sim.shared = (gen9_memory){ .data = r->shared, .size = sizeof(r->shared) };
   r->sim.scratch = (gen9_memory){ .data = r->scratch, .size = sizeof(r->scratch) };
   r->sim.num_threads = num_threads;
   r->sim.max_steps = 100000;
   r->sim.seed = r->sim.random = seed;
   r->sim.channel = -1;
   r->sim.user = r;
   r->sim.wrote = r->told ? tell_register : NULL;
   r->sim.stored = r->told ? tell_store : NULL;
   if (HD_TRY(&heap, &u)) {
      hd_gen9_sim_load(&r->sim, &stack, code.data, (uint32_t)code.size);
      r->sim.threads = hd_stack_alloc_zero(&stack, num_threads * sizeof(gen9_thread));
      for (unsigned n = 0; n < 32; n++)
         put_number(&grf[32 + 4 * n], 4, n);
      for (unsigned n = 0; n < num_threads; n++) {
         const gen9_start start = { grf, 6, channels };
         put_number(&grf[5 * 32], 4, n);
         hd_gen9_sim_start(&r->sim, n, &start);
         r->sim.threads[n].scratch = 1024 * n;
      }
      hd_gen9_sim_run(&r->sim);
   }
   assert_int_equal(hd_heap_leave(&heap, &u), HD_OK);
   hd_stack_finish(&stack);
   hd_blob_finish(&code);
   return r->sim.result;
}

/* Dwords of the surface after a run of one thread. */
static void
must_write(const char *text, uint32_t channels, const uint32_t *expected, unsigned num)
{
   run *r = calloc(1, sizeof(*r));

   assert_non_null(r);
   if (run_text(r, text, 1, channels, 0) != HD_OK) {
      print_error("%s\n%s\n", text, r->heard.all);
      fail();
   }
   for (unsigned n = 0; n < num; n++) {
      const uint32_t got = (uint32_t)get_number(&r->surface[4 * n], 4);
      if (got != expected[n]) {
         print_error("%s\n%u: 0x%x, not 0x%x\n", text, n, got, expected[n]);
         fail();
      }
   }
   free(r);
}

/* A value for each of 8 channels, in r10, to the surface. */
#define STORE                                                                                      \
   "shl (8|M0) r20.0<1>:d r1.0<8;8,1>:d 2:w\n"                                                     \
   "sends (8|M0) null:ud r20 r10 0x4C 0x02026E00\n"

static void
test_values(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      uint32_t expected[8];
   } rows[] = {
      { "mov (8|M0) r10.0<1>:d r1.0<8;8,1>:d\n", { 0, 1, 2, 3, 4, 5, 6, 7 } },
      { "add (8|M0) r10.0<1>:d r1.0<8;8,1>:d -2:w\n",
        { 0xfffffffe, 0xffffffff, 0, 1, 2, 3, 4, 5 } },
      { "add (8|M0) (sat)r10.0<1>:ud r1.0<8;8,1>:d -2:w\n", { 0, 0, 0, 1, 2, 3, 4, 5 } },
      { "mov (8|M0) r10.0<1>:f r1.0<8;8,1>:d\n",
        { 0, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000, 0x40c00000, 0x40e00000 } },
      { "mov (8|M0) r10.0<1>:d r1.0<0;1,0>:d\n mov (4|M0) r10.0<2>:d r1.4<4;4,1>:d\n",
        { 4, 0, 5, 0, 6, 0, 7, 0 } },
      { "mov (8|M0) r10.0<1>:d r1.0<2;1,0>:d\n", { 0, 2, 4, 6, 8, 10, 12, 14 } },
      { "mov (8|M0) r10.0<1>:d 0x76543210:v\n", { 0, 1, 2, 3, 4, 5, 6, 7 } },
      { "mov (8|M0) r10.0<1>:d 0xFEDCBA98:v\n",
        { 0xfffffff8, 0xfffffff9, 0xfffffffa, 0xfffffffb, 0xfffffffc, 0xfffffffd, 0xfffffffe,
          0xffffffff } },
      { "cmp (8|M0) (gt)f0.1 null<1>:d r1.0<8;8,1>:d 3:w\n"
        "(f0.1) sel (8|M0) r10.0<1>:d r1.0<8;8,1>:d -1:w\n",
        { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 4, 5, 6, 7 } },
      { "cmp (8|M0) (lt)f1.0 r10.0<1>:d r1.0<8;8,1>:d 3:w\n",
        { 0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 0, 0 } },
      { "sel (8|M0) (ge)f0.0 r10.0<1>:d r1.0<8;8,1>:d 3:w\n", { 3, 3, 3, 3, 4, 5, 6, 7 } },
      { "mov (8|M0) r11.0<1>:f r1.0<8;8,1>:d\n"
        "mad (8|M0) r12.0<1>:f r11.0<2;1>:f r11.0<2;1>:f r11.0<1>:f\n"
        "mov (8|M0) r10.0<1>:d r12.0<8;8,1>:f\n",
        { 0, 2, 6, 12, 20, 30, 42, 56 } },
      { "mul (8|M0) acc0.0<1>:ud r1.0<8;8,1>:ud 0xFFFF:uw\n"
        "mach (8|M0) r10.0<1>:ud r1.0<8;8,1>:ud 0xFFFFFFFF:ud {AccWrEn}\n",
        { 0, 0, 1, 2, 3, 4, 5, 6 } },
      { "mov (8|M0) r11.0<1>:d -1:w\n"
        "addc (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud r1.0<8;8,1>:ud {AccWrEn}\n"
        "mov (8|M0) r10.0<1>:ud acc0.0<8;8,1>:ud\n",
        { 0, 1, 1, 1, 1, 1, 1, 1 } },
      { "mov (8|M0) a0.0<1>:uw 0x76543210:uv\n shl (8|M0) a0.0<1>:uw a0.0<8;8,1>:uw 2:w\n"
        "mov (8|M0) r10.0<1>:d r[a0.0,36]<1,0>:d\n",
        { 1, 2, 3, 4, 5, 6, 7, 8 } },
      { "bfe (8|M0) r10.0<1>:ud r1.0<0;0>:ud r1.1<0;0>:ud r1.0<1>:ud\n",
        { 0, 0, 0, 0, 0, 0, 0, 0 } },
      { "mov (1|M0) r11.0<1>:ud 2:w\n mov (1|M0) r11.1<1>:ud 1:w\n"
        "bfe (8|M0) r10.0<1>:ud r11.0<0;0>:ud r11.1<0;0>:ud r1.0<1>:ud\n",
        { 0, 0, 1, 1, 2, 2, 3, 3 } },
      { "math.iqot (8|M0) r10.0<1>:d r1.0<8;8,1>:d 3:d\n", { 0, 0, 0, 1, 1, 1, 2, 2 } },
      { "mul (4|M0) r12.0<1>:q r1.4<4;4,1>:d 0x40000000:ud\n mov (8|M0) r10.0<1>:d r12.0<8;8,1>:d\n",
        { 0, 1, 0x40000000, 1, 0x80000000, 1, 0xc0000000, 1 } },
   };

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      char text[1024];
      snprintf(text, sizeof(text), "%s" STORE END, rows[n].text);
      must_write(text, 0xff, rows[n].expected, 8);
   }
}

/* Which channels run, where they part. */
static void
test_flow(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      uint32_t expected[8];
   } rows[] = {
      /* if and else */
      { "cmp (8|M0) (lt)f0.0 null<1>:d r1.0<8;8,1>:d 3:w\n"
        "(f0.0) if (8|M0) A E\n"
        "mov (8|M0) r10.0<1>:d 1:w\n"
        "else (8|M0) E E\n"
        "A: mov (8|M0) r10.0<1>:d 2:w\n"
        "E: endif (8|M0) F\nF:\n",
        { 1, 1, 1, 2, 2, 2, 2, 2 } },
      /* nobody takes the first arm */
      { "cmp (8|M0) (lt)f0.0 null<1>:d r1.0<8;8,1>:d -3:w\n"
        "(f0.0) if (8|M0) A E\n"
        "(W) mov (1|M0) r0.0<1>:d 99:w\n"
        "mov (8|M0) r10.0<1>:d 1:w\n"
        "else (8|M0) E E\n"
        "A: mov (8|M0) r10.0<1>:d 2:w\n"
        "E: endif (8|M0) F\nF:\n",
        { 2, 2, 2, 2, 2, 2, 2, 2 } },
      /* a loop that each channel leaves by a break after as many rounds as its number */
      { "mov (8|M0) r10.0<1>:d 0:w\n"
        "H: cmp (8|M0) (eq)f0.0 null<1>:d r10.0<8;8,1>:d r1.0<8;8,1>:d\n"
        "(f0.0) break (8|M0) W W\n"
        "add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w\n"
        "W: while (8|M0) H\n",
        { 0, 1, 2, 3, 4, 5, 6, 7 } },
      /* the same with the condition at the end; r11 counts rounds that were not cut short */
      { "mov (8|M0) r10.0<1>:d 0:w\n mov (8|M0) r11.0<1>:d 0:w\n"
        "H: add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w\n"
        "and (8|M0) (ne)f1.0 null<1>:d r10.0<8;8,1>:d 1:w\n"
        "(f1.0) cont (8|M0) W W\n"
        "add (8|M0) r11.0<1>:d r11.0<8;8,1>:d 1:w\n"
        "W: cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d r1.0<8;8,1>:d\n"
        "(f0.0) while (8|M0) H\n"
        "mov (8|M0) r10.0<1>:d r11.0<8;8,1>:d\n",
        { 0, 0, 1, 1, 2, 2, 3, 3 } },
      /* goto and join: two ways into one place. Those go where the predicate does not hold */
      { "mov (8|M0) r10.0<1>:d 0:w\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r1.0<8;8,1>:d 2:w\n"
        "(~f0.0) goto (8|M0) A B\n"
        "cmp (8|M0) (gt)f0.1 null<1>:d r1.0<8;8,1>:d 5:w\n"
        "(~f0.1) goto (8|M0) A A\n"
        "add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w\n"
        "A: join (8|M0) B\n"
        "add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 10:w\n"
        "B: join (8|M0) C\n"
        "C: add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 100:w\n",
        { 100, 100, 111, 111, 111, 111, 110, 110 } },
      /* goto.b: back with those that are taken */
      { "mov (8|M0) r10.0<1>:d 0:w\n"
        "H: add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d r1.0<8;8,1>:d\n"
        "(f0.0) goto.b (8|M0) E H\n"
        "E: join (8|M0) F\nF:\n",
        { 1, 1, 2, 3, 4, 5, 6, 7 } },
      /* jmpi by one flag, and by any and all of eight */
      { "cmp (8|M0) (eq)f0.0 null<1>:d r1.0<8;8,1>:d 4:w\n mov (8|M0) r10.0<1>:d 0:w\n"
        "(W&f0.0) jmpi A\n add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 1:w\n"
        "A: (W&f0.0.any8h) jmpi B\n add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 2:w\n"
        "B: (W&~f0.0.all8h) jmpi C\n add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 4:w\n"
        "C: (W&~f0.0.any8h) jmpi D\n add (8|M0) r10.0<1>:d r10.0<8;8,1>:d 8:w\nD:\n",
        { 9, 9, 9, 9, 9, 9, 9, 9 } },
   };

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      char text[1024];
      snprintf(text, sizeof(text), "%s" STORE END, rows[n].text);
      must_write(text, 0xff, rows[n].expected, 8);
   }
}

static void
test_messages(void **state)
{
   (void)state;
   static const uint32_t bytes[] = { 0x03020100, 0x07060504 };
   static const uint32_t sum[] = { 28, 0 };
   static const uint32_t wide[] = { 7, 6, 5, 4, 3, 2, 1, 0 };

   /* byte scattered: each channel its number as a byte */
   must_write("mov (8|M0) r10.0<1>:d r1.0<8;8,1>:d\n"
              "sends (8|M0) null:ud r10 r1 0x4A 0x02030000\n" END,
              0xff, bytes, 2);
   /* an atomic of all channels on one dword */
   must_write("mov (8|M0) r10.0<1>:d 0:w\n"
              "sends (8|M0) null:ud r10 r1 0x4C 0x02009700\n" END,
              0xff, sum, 2);
   /* by 64-bit addresses, in reverse */
   must_write("mul (8|M0) r12.0<1>:d r1.0<8;8,1>:d -4:w\n"
              "add (8|M0) r12.0<1>:d r12.0<8;8,1>:d 0x10001C:d\n"
              "mov (4|M0) r10.0<1>:uq r12.0<4;4,1>:ud\n"
              "mov (4|M4) r11.0<1>:uq r12.4<4;4,1>:ud\n"
              "sends (8|M0) null:ud r10 r1 0x4C 0x04066EFF\n" END,
              0xff, wide, 8);
   /* through scratch memory */
   must_write("(W) send (8|M0) null r0 0xA 0x040E0003\n"
              "(W) send (8|M0) r30 r0 0xA 0x021C0003\n"
              "mov (8|M0) r10.0<1>:d r30.0<8;8,1>:d\n" STORE END,
              0xff, (uint32_t[]){ 0, 1, 2, 3, 4, 5, 6, 7 }, 8);
}

/* Registers that an instruction changed, and what it stored. */
static void
test_told(void **state)
{
   (void)state;
   static const struct {
      const char *text, *told;
      uint32_t channels;
   } rows[] = {
      { "add (8|M0) r10.0<1>:d r1.0<8;8,1>:d 16:w\n", "0 r10 = 10 11 12 13 14 15 16 17\n", 0xff },
      { "mov (8|M0) r1.0<1>:d r1.0<8;8,1>:d\n", "", 0xff },
      { "mov (2|M0) r1.0<1>:d 9:w\n", "0 r1 = 9 1 2 3 4 5 6 7\n", 1 },
      { "cmp (8|M0) (gt)f0.0 null<1>:d r1.0<8;8,1>:d 3:w\n", "0 f0.0 = f0\n", 0xff },
      { "(W) mov (1|M0) f1.1<1>:uw 0x21:uw\n", "0 f1.1 = 21\n", 0xff },
      { "(W) mov (1|M0) a0.0<1>:ud 0x210021:ud\n", "0 a0.0 = 21\n0 a0.1 = 21\n", 0xff },
      { "sends (8|M0) null:ud r1 r1 0x4C 0x02026E00\n",
        "0.1 surface 0 1 <- 1\n0.2 surface 0 2 <- 2\n", 6 },
      { "sends (8|M0) null:ud r1 r1 0x4C 0x02026EFE\n", "0.7 shared memory 7 <- 7\n", 0x80 },
      /* An atomic stores, too, and an answer is a register. */
      { "sends (8|M0) r6 r1 r1 0x4C 0x0210A700\n",
        "0.0 surface 0 0 <- 0\n0.5 surface 0 5 <- 5\n"
        "0 r6 = 0 a5a5a5a5 a5a5a5a5 a5a5a5a5 a5a5a5a5 0 a5a5a5a5 a5a5a5a5\n",
        0x21 },
      { "send (8|M0) null r1 0xA 0x040E0003\n", "0.-1 scratch memory 68 <- a\n", 4 },
   };

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      char text[400], told[1000] = "";
      run *r = calloc(1, sizeof(*r));
      assert_non_null(r);
      r->told = told;
      r->room = sizeof(told);
      snprintf(text, sizeof(text), "%s" END, rows[n].text);
      if (run_text(r, text, 1, rows[n].channels, 0) != HD_OK)
         print_error("%s\n", r->heard.all);
      assert_string_equal(told, rows[n].told);
      free(r);
   }
}

/* Two threads: each writes its place in shared memory and reads the other's, after a barrier. */
static void
test_barrier(void **state)
{
   (void)state;
   static const char text[] = "(W) shl (1|M0) r10.0<1>:d r5.0<0;1,0>:d 2:w\n"
                              "(W) add (1|M0) r11.0<1>:d r5.0<0;1,0>:d 70:w\n"
                              "(W) sends (1|M0) null:ud r10 r11 0x4C 0x02026EFE\n"
                              "(W) mov (8|M0) r12.0<1>:ud 0:w\n"
                              "(W) send (1|M0) null r12 0x3 0x02000004\n"
                              "(W) wait n0.0<0;1,0>:ud\n"
                              "(W) xor (1|M0) r13.0<1>:d r10.0<0;1,0>:d 4:w\n"
                              "(W) send (1|M0) r14 r13 0xC 0x02106EFE\n"
                              "(W) sends (1|M0) null:ud r10 r14 0x4C 0x02026E00\n" END;

   for (uint64_t seed = 0; seed < 20; seed++) {
      run *r = calloc(1, sizeof(*r));
      assert_non_null(r);
      assert_int_equal(run_text(r, text, 2, 0xff, seed), HD_OK);
      assert_int_equal(get_number(&r->surface[0], 4), 71);
      assert_int_equal(get_number(&r->surface[4], 4), 70);
      free(r);
   }
}

static void
test_faults(void **state)
{
   (void)state;
   static const struct {
      const char *text, *message;
   } bad[] = {
      { "nop\n", "runs out of its code" },
      { "illegal\n", "an illegal instruction" },
      { ".quad 0x7f, 0\n", "no instruction begins here" },
      { "H: while (8|M0) H\n",
        "thread 0, at 0x0 while (8|M0) L0: the run takes more than 100000 instructions" },
      { "mov (8|M0) r127.4<1>:d r1.0<8;8,1>:d\n" END, "of the register file, which has 4096" },
      { "mov (8|M0) r10.0<1>:d r127.4<8;8,1>:d\n" END, "of the register file, which has 4096" },
      { "mov (8|M0) r10.0<1>:ud 0x7777:uw\nsends (8|M0) null:ud r10 r1 0x4C 0x02026EFE\n" END,
        "shared memory has no byte 0x7777" },
      { "mov (8|M0) r10.0<1>:ud 4:w\nsends (8|M0) null:ud r10 r1 0x4C 0x02026E07\n" END,
        "there is no surface 7" },
      { "mov (8|M0) r10.0<1>:uq 16:w\nsends (8|M0) null:ud r10 r1 0x4C 0x04066EFF\n" END,
        "4 bytes at address 0x10 are in no memory" },
      { "send (8|M0) r10 r1 0xC 0x02006E00\n" END, "but the message says 0 bytes" },
      { "send (8|M0) null r1 0xC 0x02026E00\n" END, "of its payload, which has" },
      { "(W) wait n0.0<0;1,0>:ud\n" END, "deadlock: all threads wait" },
      { "send (8|M0) r10 r1 0x5 0x02106E00\n" END, "does not run messages to shared function 5" },
   };

   for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
      run *r = calloc(1, sizeof(*r));
      assert_non_null(r);
      assert_int_not_equal(run_text(r, bad[n].text, 1, 0xff, 0), HD_OK);
      if (!strstr(r->heard.all, bad[n].message)) {
         print_error("%s: '%s', not '%s'\n", bad[n].text, r->heard.all, bad[n].message);
         fail();
      }
      free(r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),   cmocka_unit_test(test_flow),
      cmocka_unit_test(test_messages), cmocka_unit_test(test_told),
      cmocka_unit_test(test_barrier),  cmocka_unit_test(test_faults),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
