/* SPDX-License-Identifier: MIT */
/* test_programs.c - memory, calls, endings, barriers, several waves and workgroups; what a program
 * may not do, and the message; memory that runs out.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/memory.h"
#include "harness.h"

#define STORE "\nstore_buffer %r, %zero, %at"

static void
expect(const char *body, uint32_t first, uint32_t last)
{
   uint32_t out[4];
   const struct outcome o = run_lanes(body, 4, out);

   if (o.result != HD_OK || out[0] != first || out[3] != last)
      fail_msg("%s: %s, %x %x, wanted %x %x", body, o.message, out[0], out[3], first, last);
}

static void
expect_fault(const char *body, const char *message)
{
   uint32_t out[4];
   const struct outcome o = run_lanes(body, 4, out);

   if (o.result != HD_FAULT || !strstr(o.message, message) || o.num_messages != 1)
      fail_msg("%s: %d '%s', wanted '%s'", body, o.result, o.message, message);
}

static void
local_memory(void **unused)
{
   (void)unused;
   expect("store_shared %lane, %at\n%r:32 = load_shared %at" STORE, 0, 3);
   expect("%r:32 = load_shared %at" STORE, 0xdead, 0xdead);
   expect("%r:32 = load_scratch %zero" STORE, 0xdead, 0xdead);
   expect("store_scratch %lane, %four\n%r:32 = load_scratch %zero offset=4" STORE, 0, 3);
   /* An undefined byte is enough. */
   expect("%b:8 = u2u %lane\nstore_shared %b, %at\n%r:32 = load_shared %at" STORE, 0xdead, 0xdead);
   expect("%b:8 = u2u %lane\nstore_shared %b, %at\n%x:8 = load_shared %at\n%r:32 = u2u %x" STORE, 0,
          3);
   expect("%u:32 = undef\nstore_shared %lane, %at\nstore_shared %u, %at\n%r:32 = load_shared "
          "%at" STORE,
          0xdead, 0xdead);
   /* Vectors are little-endian words, lowest first. */
   expect("%k:32 = const 16\n%a:32 = imul %lane, %k\n%v:32x2 = const (0x01020304, 0x05060708)\n"
          "store_shared %v, %a\n%h:16 = load_shared %a offset=3\n%r:32 = u2u %h" STORE,
          0x0801, 0x0801);
   /* Buffers: past the end it reads 0 and writes nothing, each component on its own. */
   expect("%k:32 = const 12\n%v:32x2 = load_buffer %zero, %k\n%r:32 = channel %v, %one" STORE, 0,
          0);
   expect("%k:32 = const -4\n%r:32 = load_buffer %zero, %k offset=4" STORE, 0, 0);
   /* A position below 0 is no multiple of anything, and in no buffer. */
   expect("%r:32 = load_buffer %zero, %zero offset=-4 align_mul=4" STORE, 0, 0);
   expect("%k:32 = const 12\n%v:32x2 = const (7, 8)\nstore_buffer %v, %zero, %k", 0, 7);
   expect("%r:32 = buffer_size %zero" STORE, 16, 16);
   /* In ascending order of lanes the last one wins. */
   expect("store_buffer %lane, %zero, %zero", 3, 0);
}

static void
atomics(void **unused)
{
   static const struct {
      const char *op;
      uint32_t initial, data, after;
   } ops[] = {
      { "iadd", 5, 3, 17 },
      { "imin", 5, 0xfffffff0, 0xfffffff0 },
      { "imax", 5, 0xfffffff0, 5 },
      { "umin", 5, 0xfffffff0, 5 },
      { "umax", 5, 0xfffffff0, 0xfffffff0 },
      { "iand", 13, 7, 5 },
      { "ior", 8, 6, 14 },
      { "ixor", 8, 6, 8 },
      { "exchange", 8, 6, 6 },
      { "inc_wrap", 5, 6, 2 }, /* 6, 0, 1, 2 */
      { "dec_wrap", 1, 6, 4 }, /* 0, 6, 5, 4 */
      { "fadd", 0x3f800000, 0x3f000000, 0x40400000 },
      { "fmin", 0x3f800000, 0x3f000000, 0x3f000000 },
      { "fmax", 0x3f800000, 0x3f000000, 0x3f800000 },
   };

   (void)unused;
   for (unsigned n = 0; n < sizeof(ops) / sizeof(ops[0]); n++) {
      char body[512];
      snprintf(body, sizeof(body),
               "%%i:32 = const 0x%x\n%%d:32 = const 0x%x\nstore_shared %%i, %%zero\n"
               "%%o:32 = shared_atomic %%zero, %%d atomic_op=%s\n%%r:32 = load_shared %%zero\n"
               "store_buffer %%r, %%zero, %%at",
               ops[n].initial, ops[n].data, ops[n].op);
      expect(body, ops[n].after, ops[n].after);
   }
   expect("store_shared %four, %zero\n%r:32 = shared_atomic %zero, %one atomic_op=iadd" STORE, 4,
          7);
   expect("store_shared %zero, %zero\n%n:32 = iadd %lane, %one\n"
          "%r:32 = shared_atomic_swap %zero, %lane, %n" STORE,
          0, 3);
   expect("%r:32 = shared_atomic %zero, %one atomic_op=iadd" STORE, 0xdead, 0xdead);
   /* The buffer begins with zeros; what the last lane found is stored last. */
   expect("%o:32 = buffer_atomic %zero, %four, %one atomic_op=iadd\n"
          "store_buffer %o, %zero, %zero",
          3, 0);
   expect("%n:32 = iadd %lane, %one\n%o:32 = buffer_atomic_swap %zero, %zero, %lane, %n", 4, 0);
   expect("%k:32 = const 16\n%o:32 = buffer_atomic %zero, %k, %one atomic_op=iadd\n"
          "%r:32 = iadd %o, %one" STORE,
          1, 1);
}

static void
faults(void **unused)
{
   (void)unused;
   expect_fault("%u:1 = undef\nif %u { b1: } b2:",
                "a branch on an undefined value, lane 0 of wave 0 of workgroup 0, in block b0 of "
                "@main");
   expect_fault("%k:32 = const 64\n%a:32 = imul %lane, %k\n%b:32 = iadd %a, %k\n"
                "%r:32 = load_shared %b",
                "reads 4 bytes at address 256 of memory of 256 bytes, lane 3");
   expect_fault("%k:32 = const 13\nstore_scratch %lane, %k", "changes 4 bytes at address 13");
   expect_fault("%u:32 = undef\n%r:32 = load_shared %u", "an undefined address, lane 0");
   expect_fault("%u:32 = undef\n%r:32 = load_shared %u", "= load_shared %");
   expect_fault("%a:64 = const 0x1000\nstore_global %lane, %a",
                "at address 0x1000, which is in no");
   expect_fault("%k:32 = const 3\n%r:32 = load_shared %k offset=-4", "address 0x3 with offset -4");
   expect_fault("%r:32 = load_shared %one align_mul=4", "is not 0 modulo 4");
   expect_fault("%u:32 = undef\n%r:32 = shuffle %lane, %u", "an undefined lane number, lane 0");
   expect_fault("%m:32 = iadd %lane, %zero\n%r:32 = broadcast.uniform %one, %m",
                "operand 1 is 1, but in lane 0 0: it must be uniform, lane 1");
   expect_fault("%m:32 = iadd %lane, %zero\n%r:32 = load_buffer.uniform %m, %zero",
                "descriptor index 1, but lane 0 has 0: it must be uniform");
   expect_fault("%r:32 = load_buffer %one, %zero",
                "no buffer is bound to set 0, binding 0, index 1");
   expect_fault("%c:1 = ult %lane, %one\nif %c { b1:\n barrier exec_scope=workgroup } b2:",
                "a barrier without all lanes: without, lane 1");
}

static void
variables_and_calls(void **unused)
{
   static const char text[] =
       "shader compute \"t\" {\n function @main {\n var $a:32[4]\n b0:\n"
       "%lane:32 = subgroup_invocation\n%zero:32 = const 0\n%one:32 = const 1\n%four:32 = const 4\n"
       "%at:32 = imul %lane, %four\n%three:32 = const 3\n%i:32 = iand %lane, %three\n"
       "store_var $a, %at, %i\n%x:32 = load_var $a, %i\n"
       "%p:32 = call @twice(%x, %one)\n%q:32 = call @twice(%p, %zero)\n"
       "store_buffer %q, %zero, %at\n}\n"
       /* Returns early in some lanes, halts in lane 2. */
       "function @twice(%v:32, %w:32) -> 32 {\n b0:\n%z:32 = const 8\n%e:1 = ieq %v, %z\n"
       "%y:32 = const 0\n%s:1 = ult %v, %z\nif %s { b1:\n%a:32 = iadd %v, %w\nreturn %a\n} else {\n"
       "b2:\n if %e { b4:\n halt } b5: } b3:\n%b:32 = iadd %v, %v\nreturn %b\n}\n}\n";
   uint32_t out[8];
   const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
   hd_wave_launch launch = {
      .lanes = 8, .workgroup_size = { 6 }, .buffers = &buffer, .num_buffers = 1
   };

   (void)unused;
   memset(out, 0xff, sizeof(out));
   const struct outcome o = run_text(text, &launch);
   assert_string_equal(o.message, "");
   assert_int_equal(o.result, HD_OK);
   /* Lane 0: 0, 1, 1. Lane 1: 4, 5, 5. Lane 2 halts at 8. Lane 3: 12, 24, 48. */
   const uint32_t want[8] = { 1, 5, UINT32_MAX, 48, 64, 80, UINT32_MAX, UINT32_MAX };
   assert_memory_equal(out, want, sizeof(out));
   expect_fault("%c:1 = ult %lane, %one\nif %c { b1:\n halt } b2:\n%u:1 = undef\n"
                "if %u { b3: } b4:",
                "lane 1 of");
}

/* The phis of a block read before any of them is written: lane n swaps n times. */
static void
swapping_phis(void **unused)
{
   const char *body = "loop { b1:\n%n:32 = phi b0: %zero, b3: %m\n%x:32 = phi b0: %one, b3: %y\n"
                      "%y:32 = phi b0: %four, b3: %x\n%c:1 = ule %lane, %n\n"
                      "if %c { b2:\nbreak } b4: } continue { b3:\n%m:32 = iadd %n, %one\n} b5:\n"
                      "store_buffer %x, %zero, %at";
   uint32_t out[5];

   (void)unused;
   const struct outcome o = run_lanes(body, 5, out);
   assert_int_equal(o.result, HD_OK);
   const uint32_t want[5] = { 1, 4, 1, 4, 1 };
   assert_memory_equal(out, want, sizeof(out));
   /* To copy what is undefined is no error. */
   expect("%u:32 = undef\n%c:1 = ult %zero, %lane\nif %c { b1: } else { b2: } b3:\n"
          "%r:32 = phi b1: %lane, b2: %u" STORE,
          0xdead, 3);
}

/* A lane goes where the case says that is equal to its selector. */
static void
switches(void **unused)
{
   static const char text[] =
       "shader compute \"t\" {\nflat function @main {\n b0:\n%zero:32 = const 0\n"
       "%four:32 = const 4\n%k:32 = const 3\n%lane:32 = subgroup_invocation\n"
       "%at:32 = imul %lane, %four\n%s:32 = isub %lane, %k\n"
       "switch %s, b4 [ 2: b1, -3: b2, 0: b1, 1: b3, -1: b4 ]\n b1:\ngoto b5\n b2:\ngoto b5\n"
       " b3:\ngoto b5\n b4:\ngoto b5\n b5:\n"
       "%v:32 = phi b1: %k, b2: %four, b3: %at, b4: %lane\nstore_buffer %v, %zero, %at\nreturn\n"
       "}\n}\n";
   uint32_t out[8];
   const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
   const hd_wave_launch launch = {
      .lanes = 8, .workgroup_size = { 8 }, .buffers = &buffer, .num_buffers = 1
   };

   (void)unused;
   const struct outcome o = run_text(text, &launch);
   assert_string_equal(o.message, "");
   assert_int_equal(o.stats.blocks, 6);
   const uint32_t want[8] = { 4, 1, 2, 3, 16, 3, 6, 7 };
   assert_memory_equal(out, want, sizeof(out));
}

static void
variable_index(void **unused)
{
   static const char text[] = "shader compute \"t\" {\n function @main {\n var $a:32[4]\n b0:\n"
                              "%i:32 = const 4\n%x:32 = load_var $a, %i\n}\n}\n";

   (void)unused;
   const struct outcome o = run_text(text, &(hd_wave_launch){ .lanes = 1 });
   assert_int_equal(o.result, HD_FAULT);
   assert_non_null(strstr(o.message, "index 4 of a variable of 4 elements"));
}

/* Each invocation passes a number to the next one of its workgroup, in another wave for some. */
static const char relay[] =
    "shader compute \"t\" {\n workgroup 6 2 1\n shared 48\n function @main {\n b0:\n"
    "%zero:32 = const 0\n%one:32 = const 1\n%four:32 = const 4\n%n:32 = const 12\n"
    "%i:32 = local_invocation_index\n%at:32 = imul %i, %four\n"
    "%g:32 = global_invocation_index\nstore_shared %g, %at\n"
    "barrier exec_scope=workgroup mem_scope=workgroup memory=shared\n"
    "%j:32 = iadd %i, %one\n%k:32 = urem %j, %n\n%from:32 = imul %k, %four\n"
    "%v:32 = load_shared %from\n"
    "barrier exec_scope=workgroup mem_scope=workgroup memory=shared\nstore_shared %zero, %at\n"
    "%to:32 = imul %g, %four\nstore_buffer %v, %zero, %to\n}\n}\n";

static void
workgroups(void **unused)
{
   (void)unused;
   for (unsigned lanes = 1; lanes <= 16; lanes++) {
      for (uint64_t seed = 0; seed < 4; seed++) {
         uint32_t out[5 * 12];
         const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
         const hd_wave_launch launch = { .lanes = lanes,
                                         .num_workgroups = { 5 },
                                         .buffers = &buffer,
                                         .num_buffers = 1,
                                         .seed = seed };
         memset(out, 0xff, sizeof(out));
         const struct outcome o = run_text(relay, &launch);
         assert_int_equal(o.result, HD_OK);
         for (unsigned n = 0; n < 60; n++)
            assert_int_equal(out[n], n / 12 * 12 + (n % 12 + 1) % 12);
      }
   }
}

/* Two waves write one word: what stays depends on the seed, and 16 seeds show it. */
static void
races(void **unused)
{
   static const char text[] =
       "shader compute \"t\" {\n function @main {\n b0:\n%zero:32 = const 0\n"
       "%s:32 = subgroup_id\nstore_buffer %s, %zero, %zero\n}\n}\n";
   unsigned seen = 0;

   (void)unused;
   for (uint64_t seed = 0; seed <= 16; seed++) {
      uint32_t out = 9;
      const hd_wave_buffer buffer = { .memory = { &out, NULL, 4 } };
      const hd_wave_launch launch = {
         .lanes = 4, .workgroup_size = { 8 }, .buffers = &buffer, .num_buffers = 1, .seed = seed
      };
      assert_int_equal(run_text(text, &launch).result, HD_OK);
      seen |= 1u << out;
      if (seed == 0)
         assert_int_equal(out, 1);
   }
   assert_int_equal(seen, 3);
}

/* Where every number of the grid ends up. */
static void
identities(void **unused)
{
   static const char text[] =
       "shader compute \"t\" {\n workgroup 3 2 2\n function @main {\n b0:\n%zero:32 = const 0\n"
       "%size:32 = const 48\n%g:32 = global_invocation_index\n%at:32 = imul %g, %size\n"
       "%l:32x3 = local_invocation_id\n%i:32x3 = global_invocation_id\n%w:32x3 = workgroup_id\n"
       "%n:32x3 = num_workgroups\nstore_buffer %l, %zero, %at\nstore_buffer %i, %zero, %at "
       "offset=12\n"
       "store_buffer %w, %zero, %at offset=24\nstore_buffer %n, %zero, %at offset=36\n}\n}\n";
   uint32_t out[8 * 12][12];
   const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
   const hd_wave_launch launch = {
      .lanes = 5, .num_workgroups = { 2, 2, 2 }, .buffers = &buffer, .num_buffers = 1
   };
   unsigned n = 0;

   (void)unused;
   assert_int_equal(run_text(text, &launch).result, HD_OK);
   for (unsigned g = 0; g < 8; g++) {
      for (unsigned l = 0; l < 12; l++, n++) {
         const uint32_t id[3] = { l % 3, l / 3 % 2, l / 6 }, w[3] = { g % 2, g / 2 % 2, g / 4 };
         const uint32_t size[3] = { 3, 2, 2 };
         for (unsigned c = 0; c < 3; c++) {
            assert_int_equal(out[n][c], id[c]);
            assert_int_equal(out[n][3 + c], w[c] * size[c] + id[c]);
            assert_int_equal(out[n][6 + c], w[c]);
            assert_int_equal(out[n][9 + c], 2);
         }
      }
   }
}

/* Numbers that are the same for a workgroup, or a wave. */
static void
shared_numbers(void **unused)
{
   static const char text[] =
       "shader kernel \"t\" {\n function @main {\n b0:\n%zero:32 = const 0\n"
       "%size:32 = const 48\n%g:32 = global_invocation_index\n%at:32 = imul %g, %size\n"
       "%o:32x3 = global_offset\n%d:32 = work_dim\n%w:32x3 = workgroup_size\n"
       "%n:32 = num_subgroups\n%s:32 = subgroup_id\n%i:32 = workgroup_index\n"
       "%l:32 = subgroup_invocation\n%x:32 = subgroup_size\n"
       "store_buffer %o, %zero, %at\nstore_buffer %w, %zero, %at offset=12\n"
       "%v:32x6 = vec %d, %n, %s, %i, %l, %x\nstore_buffer %v, %zero, %at offset=24\n}\n}\n";
   uint32_t out[4 * 6][12];
   const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
   hd_wave_launch launch = { .lanes = 4,
                             .num_workgroups = { 2, 2 },
                             .workgroup_size = { 6 },
                             .global_offset = { 100, 200, 300 },
                             .buffers = &buffer,
                             .num_buffers = 1 };

   (void)unused;
   for (unsigned work_dim = 0; work_dim < 4; work_dim++) {
      launch.work_dim = work_dim;
      memset(out, 0xff, sizeof(out));
      assert_int_equal(run_text(text, &launch).result, HD_OK);
      for (unsigned n = 0; n < 24; n++) {
         const uint32_t want[12] = {
            100, 200, 300, 6, 1, 1, work_dim ? work_dim : 2, 2, n % 6 / 4, n / 6, n % 6 % 4, 4,
         };
         assert_memory_equal(out[n], want, sizeof(want));
      }
   }
   launch.num_workgroups[1] = 1;
   launch.workgroup_size[2] = 2;
   launch.work_dim = 0;
   assert_int_equal(run_text(text, &launch).result, HD_OK);
   assert_int_equal(out[0][6], 3);
}

/* A vertex shader: one draw, one instance. */
static void
vertices(void **unused)
{
   static const char text[] =
       "shader vertex \"t\" {\n function @main {\n b0:\n%zero:32 = const 0\n"
       "%v:32 = vertex_index\n%i:32 = instance_index\n%b:32 = base_vertex\n"
       "%c:32 = base_instance\n%d:32 = draw_index\n%w:32 = view_index\n"
       "%x:32 = ior %i, %b\n%y:32 = ior %c, %d\n%z:32 = ior %x, %y\n%r:32 = ior %z, %w\n"
       "%o:32x2 = vec %v, %r\nstore_output %o, %zero location=1 component=2\n}\n}\n";
   uint32_t out[10][8];
   hd_wave_launch launch = { .lanes = 4,
                             .num_workgroups = { 2 },
                             .workgroup_size = { 5 },
                             .outputs = { out, NULL, sizeof(out) },
                             .num_output_locations = 2 };

   (void)unused;
   memset(out, 0xff, sizeof(out));
   const struct outcome o = run_text(text, &launch);
   assert_string_equal(o.message, "");
   for (unsigned n = 0; n < 10; n++) {
      assert_int_equal(out[n][6], n);
      assert_int_equal(out[n][7], 0);
      assert_int_equal(out[n][5], UINT32_MAX);
   }
   launch.num_output_locations = 1;
   launch.outputs.size = 16 * 10;
   assert_non_null(
       strstr(run_text(text, &launch).message, "location 1, expected one below 1, lane 0"));
}

/* Global memory, kernel arguments, push constants, parameters. */
static void
kernel_memory(void **unused)
{
   static const char text[] =
       "shader kernel \"t\" {\n push 4\n kernarg 16\n function @main(%x:32, %y:16x2) {\n b0:\n"
       "%zero:32 = const 0\n%p:64 = load_kernarg %zero offset=8\n%q:32 = load_push %zero\n"
       "%c:16 = channel %y, %q\n%w:32 = u2u %c\n%s:32 = iadd %x, %w\nstore_global %s, %p offset=4\n"
       "%o:32 = global_atomic %p, %s atomic_op=iadd offset=4\n}\n}\n";
   uint32_t out[2] = { 1, 2 }, push = 1;
   const uint64_t args[2] = { 0, 0x123456789000 };
   const hd_const_value params[3] = { { .u64 = 100 }, { .u64 = 7 }, { .u64 = 9 } };
   const hd_wave_region region = { 0x123456789000, { out, NULL, sizeof(out) } };
   hd_wave_launch launch = { .params = params,
                             .num_params = 3,
                             .regions = &region,
                             .num_regions = 1,
                             .push = { &push, NULL, 4 },
                             .kernarg = { (void *)(uintptr_t)args, NULL, 16 },
                             .lanes = 2,
                             .workgroup_size = { 2 } };

   (void)unused;
   struct outcome o = run_text(text, &launch);
   assert_string_equal(o.message, "");
   assert_int_equal(out[0], 1);
   assert_int_equal(out[1], 109 * 3);
   launch.num_params = 2;
   o = run_text(text, &launch);
   assert_int_equal(o.result, HD_BAD_LAUNCH);
   assert_string_equal(o.message, "@main has 3 components of parameters, 2 are given");
   launch.num_params = 3;
   launch.kernarg.size = 8;
   o = run_text(text, &launch);
   assert_string_equal(o.message, "8 bytes of kernel arguments, but the shader wants 16");
}

/* Addresses do not wrap: what would be read after the last byte of memory is not at 0. */
static void
end_of_memory(void **unused)
{
   static const char text[] =
       "shader kernel \"t\" {\n function @main {\n b0:\n%a:64 = const 0xfffffffffffffffd\n"
       "%v:8x4 = load_global %a\n}\n}\n";
   uint32_t low = 1, high = 2;
   const hd_wave_region regions[2] = { { 0, { &low, NULL, 4 } },
                                       { UINT64_MAX - 4, { &high, NULL, 4 } } };
   const hd_wave_launch launch = { .lanes = 1, .regions = regions, .num_regions = 2 };

   (void)unused;
   const struct outcome o = run_text(text, &launch);
   assert_int_equal(o.result, HD_FAULT);
   assert_non_null(strstr(o.message, "at address 0xffffffffffffffff, which is in no region"));
}

/* Lanes with descriptors of their own. */
static void
nonuniform_buffers(void **unused)
{
   static const char text[] =
       "shader compute \"t\" {\n function @main {\n b0:\n%zero:32 = const 0\n%one:32 = const 1\n"
       "%four:32 = const 4\n%l:32 = subgroup_invocation\n%b:32 = iand %l, %one\n"
       "%at:32 = imul %l, %four\n"
       "%v:32 = load_buffer.uniform %b, %zero set=0 binding=1 access=nonuniform\n"
       "store_buffer %v, %zero, %at\n}\n}\n";
   uint32_t out[4], even = 20, odd = 30;
   const hd_wave_buffer buffers[3] = {
      { 0, 0, 0, { out, NULL, 16 } },
      { 0, 1, 0, { &even, NULL, 4 } },
      { 0, 1, 1, { &odd, NULL, 4 } },
   };
   const hd_wave_launch launch = {
      .lanes = 4, .workgroup_size = { 4 }, .buffers = buffers, .num_buffers = 3
   };
   static const uint32_t want[4] = { 20, 30, 20, 30 };

   (void)unused;
   assert_string_equal(run_text(text, &launch).message, "");
   assert_memory_equal(out, want, sizeof(want));
}

/* Lanes 0 and 1 of a quad are demoted: they go on for the derivatives, but write nothing. */
static void
helpers(void **unused)
{
   static const char text[] =
       "shader fragment \"t\" {\n function @main {\n b0:\n%zero:32 = const 0\n%two:32 = const 2\n"
       "%l:32 = subgroup_invocation\n%f:32 = load_input %zero location=0\n%d:1 = ult %l, %two\n"
       "demote_if %d\n%x:32 = ddx %f\nstore_output %x, %zero location=0\n%h:1 = is_helper\n"
       "%t:1 = const true\n%a:1 = vote_all %h\n%b:32 = b2i %a\nstore_output %b, %zero location=0 "
       "component=1\n%w:32x4 = ballot %t\nstore_output %w, %zero location=1\n}\n}\n";
   float in[4][4] = { { 1 }, { 5 }, { 20 }, { 30 } };
   uint32_t out[4][8];
   const uint8_t starts[4] = { 0, 0, 0, 1 };
   const hd_wave_launch launch = { .lanes = 4,
                                   .workgroup_size = { 4 },
                                   .inputs = { in, NULL, sizeof(in) },
                                   .outputs = { out, NULL, sizeof(out) },
                                   .num_input_locations = 1,
                                   .num_output_locations = 2,
                                   .helpers = starts,
                                   .num_helpers = 4 };

   (void)unused;
   memset(out, 0xff, sizeof(out));
   const struct outcome o = run_text(text, &launch);
   assert_string_equal(o.message, "");
   assert_int_equal(out[0][0], UINT32_MAX);
   assert_int_equal(out[1][0], UINT32_MAX);
   assert_int_equal(out[3][0], UINT32_MAX);
   float x;
   memcpy(&x, &out[2][0], 4);
   assert_true(x == 4.0f);
   assert_int_equal(out[2][1], 0);
   assert_int_equal(out[2][4], 4); /* only lane 2 counts */
}

/* A wave with only helpers left ends: the loop would not. */
static void
only_helpers(void **unused)
{
   static const char text[] =
       "shader fragment \"t\" {\n function @main {\n b0:\n%one:32 = const 1\n"
       "%l:32 = subgroup_invocation\n%d:1 = ult %l, %one\ndemote_if %d\nif %d { b1:\n"
       "loop { b2: } } else { b3: } b4:\n}\n}\n";
   const hd_wave_launch launch = { .lanes = 2, .workgroup_size = { 2 }, .max_steps = 1000 };

   (void)unused;
   /* The loop of the helper comes first, while the other lane has not ended. */
   const struct outcome o = run_text(text, &launch);
   assert_int_equal(o.result, HD_BUDGET_EXCEEDED);
   assert_non_null(strstr(o.message, "the launch ran 1000 steps and has not ended: wave 0"));
   static const char reordered[] =
       "shader fragment \"t\" {\n function @main {\n b0:\n%one:32 = const 1\n"
       "%l:32 = subgroup_invocation\n%d:1 = ult %l, %one\ndemote_if %d\nif %d { b1: } else { b3:\n"
       "return } b4: loop { b2: } b5:\n}\n}\n";
   assert_int_equal(run_text(reordered, &launch).result, HD_OK);
}

static void
refused(void **unused)
{
   struct outcome o;

   (void)unused;
   o = run_text("shader fragment \"t\" {\n function @main {\n b0:\n%f:32x4 = frag_coord\n}\n}\n",
                &(hd_wave_launch){ 0 });
   assert_int_equal(o.result, HD_UNSUPPORTED);
   assert_non_null(strstr(o.message, "frag_coord is not given by the launch"));
   o = run_text("shader fragment \"t\" {\n function @main {\n b0:\n%s:32 = const 0\n"
                "%f:32x2 = barycentric_at_sample %s\n}\n}\n",
                &(hd_wave_launch){ 0 });
   assert_int_equal(o.result, HD_UNSUPPORTED);
   assert_non_null(strstr(o.message, "barycentric_at_sample is not given by the launch"));
   o = run_text("shader compute \"t\" {\n subgroup 32\n function @main {\n b0:\n}\n}\n",
                &(hd_wave_launch){ .lanes = 64 });
   assert_int_equal(o.result, HD_BAD_LAUNCH);
   assert_string_equal(o.message, "waves of 64 lanes, but the shader wants 32");
   o = run_text("shader compute \"t\" {\n function @main {\n b0:\n}\n}\n",
                &(hd_wave_launch){ .lanes = 129 });
   assert_int_equal(o.result, HD_BAD_LAUNCH);
   /* Before anything runs: nothing is counted. */
   o = run_text("shader compute \"t\" {\n function @main {\n b0:\n%l:32 = subgroup_invocation\n"
                "barrier exec_scope=device\n}\n}\n",
                &(hd_wave_launch){ 0 });
   assert_int_equal(o.result, HD_UNSUPPORTED);
   assert_non_null(strstr(o.message, "barrier exec_scope=device"));
   assert_int_equal(o.stats.instructions, 0);
   o = run_text("shader fragment \"t\" {\n function @main {\n b0:\n%z:32 = const 0\n"
                "%h:1 = is_helper\nstore_output %z, %z location=0 dual_source=true\n}\n}\n",
                &(hd_wave_launch){ 0 });
   assert_int_equal(o.result, HD_UNSUPPORTED);
   assert_non_null(strstr(o.message, "store_output"));
   assert_int_equal(o.stats.instructions, 0);
   uint8_t bytes[8];
   const hd_wave_region regions[2] = { { 16, { bytes, NULL, 8 } }, { 20, { bytes, NULL, 8 } } };
   o = run_text("shader compute \"t\" {\n function @main {\n b0:\n}\n}\n",
                &(hd_wave_launch){ .regions = regions, .num_regions = 2 });
   assert_string_equal(o.message, "two regions overlap at 0x14");
}

/* The nth allocation fails, for every n. */
static void
out_of_memory(void **unused)
{
   (void)unused;
   for (unsigned n = 1;; n++) {
      struct limited limited = { SIZE_MAX, 0 };
      uint32_t out[12];
      const hd_config config = limited_config(&limited);
      const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
      const hd_wave_launch launch = { .lanes = 8, .buffers = &buffer, .num_buffers = 1 };
      hd_shader *shader;
      assert_int_equal(hd_parse(&config, "t", relay, strlen(relay), &shader), HD_OK);
      limited.left = n - 1;
      const hd_result result = hd_wave_run(shader, &launch, NULL);
      limited.left = SIZE_MAX;
      if (result != HD_OK) {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
      }
      hd_shader_destroy(shader);
      assert_int_equal(limited.held, 0);
      if (result == HD_OK) {
         assert_true(n > 5);
         return;
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_memory),
      cmocka_unit_test(atomics),
      cmocka_unit_test(faults),
      cmocka_unit_test(variables_and_calls),
      cmocka_unit_test(variable_index),
      cmocka_unit_test(workgroups),
      cmocka_unit_test(races),
      cmocka_unit_test(identities),
      cmocka_unit_test(shared_numbers),
      cmocka_unit_test(vertices),
      cmocka_unit_test(kernel_memory),
      cmocka_unit_test(end_of_memory),
      cmocka_unit_test(nonuniform_buffers),
      cmocka_unit_test(helpers),
      cmocka_unit_test(only_helpers),
      cmocka_unit_test(refused),
      cmocka_unit_test(swapping_phis),
      cmocka_unit_test(switches),
      cmocka_unit_test(out_of_memory),
   };

   return cmocka_run_group_tests_name("wave/programs", tests, NULL, NULL);
}
