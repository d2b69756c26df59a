/* SPDX-License-Identifier: MIT */
/* test_sem_lds.c - LDS: all instructions, both offsets, bounds, alignment; the crossbar. */
#include "sem_memory.h"

#include <stdio.h>
#include <string.h>

#include "backend/gcn/sim/exec_memory.h"

static void
set_addresses(hd_gcn_wave *wave, unsigned reg, unsigned bits, uint64_t first, unsigned stride)
{
   for (unsigned l = 0; l < HD_GCN_LANES; l++)
      sem_set(wave, reg, l, bits, first + (uint64_t)l * stride, 0);
}

static bool
is_by_m0(hd_gcn_op op)
{
   return op == HD_GCN_DS_APPEND || op == HD_GCN_DS_CONSUME || op == HD_GCN_DS_READ_ADDTID_B32 ||
          op == HD_GCN_DS_WRITE_ADDTID_B32;
}

/* A dword for each lane, a sum for all of them: at m0 and the offset. */
static void
addresses_by_m0(void **state)
{
   const uint64_t exec = UINT64_C(0xf00f0000ffff0081);
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_gcn_decoded d;
   uint32_t *const lds = (uint32_t *)(void *)wave->lds;

   (void)state;
   sem_set_scalar(wave, HD_GCN_EXEC, 64, exec, 0);
   sem_set_scalar(wave, HD_GCN_M0, 32, 0x00050100, 0xffff0000);
   for (unsigned n = 0; n < wave->lds_size / 4; n++)
      lds[n] = 1000 + n;
   hd_mach_inst *inst = sem_inst(&d, HD_GCN_DS_READ_ADDTID_B32);
   sem_registers(inst);
   inst->imm = 0x40;
   sem_run(wave, inst);
   for (unsigned l = 0; l < HD_GCN_LANES; l++)
      assert_int_equal(sem_get(wave, SEM_DEF, l, 32), exec >> l & 1 ? 1000 + 0x140 / 4 + l : 0);

   inst = sem_inst(&d, HD_GCN_DS_WRITE_ADDTID_B32);
   sem_registers(inst);
   for (unsigned l = 0; l < HD_GCN_LANES; l++)
      sem_set(wave, SEM_SRC, l, 32, 7 * l, 0);
   sem_run(wave, inst);
   for (unsigned l = 0; l < HD_GCN_LANES; l++)
      assert_int_equal(lds[0x40 + l], exec >> l & 1 ? 7 * l : 1000 + 0x40 + l);

   for (unsigned n = 0; n < 2; n++) {
      inst = sem_inst(&d, n ? HD_GCN_DS_CONSUME : HD_GCN_DS_APPEND);
      sem_registers(inst);
      inst->imm = 0x200;
      lds[0xc0] = n ? 5 : UINT32_MAX;
      sem_run(wave, inst);
      unsigned lanes = 0;
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         lanes += exec >> l & 1;
         if (exec >> l & 1)
            assert_int_equal(sem_get(wave, SEM_DEF, l, 32), n ? 5 : UINT32_MAX);
      }
      assert_int_equal(lds[0xc0], n ? 5 - lanes : lanes - 1);
   }
   sem_set_scalar(wave, HD_GCN_M0, 32, 0x1000, 0);
   sem_fails(wave, inst, "of LDS, which has");
   sem_set_scalar(wave, HD_GCN_M0, 32, 0x102, 0);
   sem_fails(wave, inst, "");
   sem_set_scalar(wave, HD_GCN_M0, 32, 0x100, 4);
   sem_fails(wave, inst, "an address in m0");
   /* Without lanes nothing is touched. */
   sem_set_scalar(wave, HD_GCN_EXEC, 64, 0, 0);
   sem_run(wave, inst);
   sem_wave_free(wave);
}

/* What an atomic of two places leaves in the first. */
static uint64_t
combined(const char *name, unsigned bits, uint64_t a, uint64_t b)
{
   const uint64_t all = bits == 64 ? UINT64_MAX : UINT32_MAX, sign = UINT64_C(1) << (bits - 1);
   const bool less = (a ^ sign) < (b ^ sign);

   if (strstr(name, "ds_write"))
      return b;
   if (strstr(name, "ds_add"))
      return (a + b) & all;
   if (strstr(name, "ds_sub"))
      return (a - b) & all;
   if (strstr(name, "ds_rsub"))
      return (b - a) & all;
   if (strstr(name, "ds_inc"))
      return a >= b ? 0 : a + 1;
   if (strstr(name, "ds_dec"))
      return a == 0 || a > b ? b : a - 1;
   if (strstr(name, "ds_and"))
      return a & b;
   if (strstr(name, "ds_or"))
      return a | b;
   if (strstr(name, "ds_xor"))
      return a ^ b;
   if (strstr(name, "_u"))
      return strstr(name, "min") ? (a < b ? a : b) : a > b ? a : b;
   return strstr(name, "min") ? (less ? a : b) : less ? b : a;
}

/* The second operand lies in LDS, too, at a distance in dwords: 15 bits of the offset, or those of
 * the address from bit 17 on.
 */
static void
relative_operands(void **state)
{
   uint64_t seed = 77;
   unsigned tried = 0;

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      sem_set_scalar(wave, HD_GCN_M0, 32, wave->lds_size, 0);
      for (unsigned n = 1; n < HD_GCN_NUM_OPS; n++) {
         const hd_gcn_op op = (hd_gcn_op)n;
         const char *name = sem_name(op);
         const unsigned bytes = hd_gcn_accesses[op].bytes;
         hd_gcn_decoded d;
         if (!hd_gcn_accesses[op].relative || !sem_has((hd_gcn_gen)gen, op, 0))
            continue;
         tried++;
         for (unsigned round = 0; round < 24; round++) {
            hd_mach_inst *inst = sem_inst(&d, op);
            const bool in_address = round & 1;
            const int distance = 4 * (int)(sem_random(&seed) % 101) - 200;
            const uint32_t a = 0x800;
            const uint32_t b = a + (uint32_t)(4 * distance);
            uint64_t x = sem_corner(&seed, 8 * bytes),
                     y = round % 5 ? sem_corner(&seed, 8 * bytes) : x;
            if (strstr(name, "_f"))
               x = bytes == 4 ? 0x40400000 : UINT64_C(0x4008000000000000), y = 0;
            sem_registers(inst);
            inst->imm = in_address ? 0x8000 | 0x123 : distance & 0x7fff;
            sem_set_scalar(wave, HD_GCN_EXEC, 64, 1, 0);
            sem_set(wave, SEM_SRC, 0, 32, in_address ? a | (uint32_t)distance << 17 : a, 0);
            memcpy(wave->lds + a, &x, bytes);
            memcpy(wave->lds + b, &y, bytes);
            if (distance == 0)
               x = y;
            sem_run(wave, inst);
            uint64_t got = 0, want = combined(name, 8 * bytes, x, y);
            memcpy(&got, wave->lds + a, bytes);
            if (strstr(name, "_f")) /* of 3 and 0, or of 0 and itself */
               want = strstr(name, "min") ? y : x;
            if (got != want)
               fail_msg("%s of 0x%llx 0x%llx at %d: 0x%llx", name, (unsigned long long)x,
                        (unsigned long long)y, distance, (unsigned long long)got);
         }
      }
      sem_wave_free(wave);
   }
   assert_true(tried > 80);
}

static void
lds_instructions(void **state)
{
   unsigned tried = 0;

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      const sem_way w = { "ds", wave->lds, wave->lds_undef, wave->lds_size, 0x50, 32, false };
      sem_fill_memory(wave);
      sem_set_scalar(wave, HD_GCN_M0, 32, wave->lds_size, gen == HD_GCN_GFX900 ? UINT32_MAX : 0);
      for (unsigned n = 1; n < HD_GCN_NUM_OPS; n++) {
         const hd_gcn_op op = (hd_gcn_op)n;
         const hd_gcn_access *a = &hd_gcn_accesses[op];
         const char *name = sem_name(op);
         hd_gcn_decoded d;
         if (hd_gcn_op_infos[op].format != HD_GCN_DS || !sem_has((hd_gcn_gen)gen, op, 0) ||
             a->kind == HD_GCN_ACCESS_NONE || a->kind == HD_GCN_ACCESS_INVALID || a->two ||
             a->relative || is_by_m0(op) || strstr(name, "_f32") || strstr(name, "_f64"))
            continue;
         hd_mach_inst *inst = sem_inst(&d, op);
         sem_registers(inst);
         inst->imm = 0x40;
         sem_set_scalar(wave, HD_GCN_EXEC, 64, UINT64_MAX, 0);
         set_addresses(wave, SEM_SRC, 32, 0x10, w.stride);
         const uint64_t exec = UINT64_C(0x8f3700ff0ff10fff);
         if (a->kind == HD_GCN_ACCESS_ATOMIC) {
            const bool two = inst->num_srcs > 3;
            sem_check_atomic(wave, inst, &w, "ds_", SEM_SRC + 4, two ? SEM_SRC + 8 : 200,
                             inst->num_defs, two && strstr(name, "cmpst"));
         } else {
            sem_set_scalar(wave, HD_GCN_EXEC, 64, exec, 0);
            if (a->kind == HD_GCN_ACCESS_LOAD)
               sem_check_load(wave, inst, &w, exec);
            else
               sem_check_store(wave, inst, &w, exec, SEM_SRC + 4);
         }
         tried++;
      }
      sem_wave_free(wave);
   }
   print_message("%u\n", tried);
   assert_true(tried > 150);
}

/* What an atomic leaves and returns is defined only where undefined bits of the memory and of its
 * operands cannot change it.
 */
typedef struct lds_state {
   uint8_t bytes[1024], undef[1024];
   uint32_t old[2][HD_GCN_LANES], old_undef[2][HD_GCN_LANES];
} lds_state;

static void
keep_state(const hd_gcn_wave *wave, lds_state *s)
{
   memcpy(s->bytes, wave->lds, sizeof s->bytes);
   memcpy(s->undef, wave->lds_undef, sizeof s->undef);
   memcpy(s->old, wave->vgpr[SEM_DEF], sizeof s->old);
   memcpy(s->old_undef, wave->vgpr_undef[SEM_DEF], sizeof s->old_undef);
}

/* Bits of `known` that are undefined may be anything. */
static uint64_t
shaken(uint64_t known, uint64_t undef, uint64_t *seed)
{
   return known ^ (undef & sem_random(seed));
}

static void
check_undefined_atomic(hd_gcn_wave *wave, hd_gcn_op op, uint64_t *seed)
{
   const unsigned bits = 8u * hd_gcn_accesses[op].bytes;
   uint64_t x[3][HD_GCN_LANES], u[3][HD_GCN_LANES];
   static lds_state states[2];
   hd_gcn_decoded d;
   hd_mach_inst *inst = sem_inst(&d, op);

   sem_registers(inst);
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      for (unsigned n = 0; n < 3; n++) {
         const uint64_t r = sem_random(seed);
         x[n][l] = n && l % 3 == 0 ? x[0][l] : sem_corner(seed, bits);
         u[n][l] = r & 3 ? 0 : sem_random(seed) & sem_random(seed);
         u[n][l] = (r & 15) == 4 ? UINT64_C(1) << (r >> 8) % bits : u[n][l];
      }
   }
   for (unsigned run = 0; run < 2; run++) {
      sem_set_scalar(wave, HD_GCN_EXEC, 64, UINT64_MAX, 0);
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         const uint64_t old = run ? shaken(x[0][l], u[0][l], seed) : x[0][l];
         sem_set(wave, SEM_SRC, l, 32, 16 * l, 0);
         sem_set(wave, SEM_DEF, l, 64, 0, 0);
         memcpy(wave->lds + 16 * l, &old, 8);
         memcpy(wave->lds_undef + 16 * l, &u[0][l], 8);
         for (unsigned n = 1; n < 3; n++)
            sem_set(wave, SEM_SRC + 4 * n, l, 64, run ? shaken(x[n][l], u[n][l], seed) : x[n][l],
                    u[n][l]);
      }
      sem_run(wave, inst);
      keep_state(wave, &states[run]);
   }
   for (unsigned n = 0; n < sizeof states[0].bytes; n++) {
      const uint8_t differ = states[0].bytes[n] ^ states[1].bytes[n];
      const bool touched = n % 16 < bits / 8;
      if (touched && (differ & ~states[0].undef[n] || differ & ~states[1].undef[n]))
         fail_msg("%s: a bit that is called defined is not, lane %u", sem_name(op), n / 16);
   }
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      const uint32_t differ = states[0].old[0][l] ^ states[1].old[0][l];
      assert_int_equal(differ & ~states[0].old_undef[0][l], 0);
   }
}

static void
lds_undefined(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   uint64_t seed = 77;
   unsigned tried = 0;

   (void)state;
   for (unsigned n = 1; n < HD_GCN_NUM_OPS; n++) {
      const hd_gcn_op op = (hd_gcn_op)n;
      if (hd_gcn_op_infos[op].format != HD_GCN_DS || !sem_has(HD_GCN_GFX900, op, 0) ||
          hd_gcn_accesses[op].kind != HD_GCN_ACCESS_ATOMIC || hd_gcn_accesses[op].two)
         continue;
      for (unsigned round = 0; round < 20; round++)
         check_undefined_atomic(wave, op, &seed);
      tried++;
   }
   assert_true(tried > 50);
   sem_wave_free(wave);
}

/* Two elements at offsets in units of their size, or of 64 times that. */
static void
lds_pairs(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX803);
   hd_gcn_decoded d;

   (void)state;
   sem_fill_memory(wave);
   sem_set_scalar(wave, HD_GCN_M0, 32, UINT32_MAX, 0);
   for (unsigned n = 0; n < 4; n++) {
      static const hd_gcn_op reads[] = { HD_GCN_DS_READ2_B32, HD_GCN_DS_READ2ST64_B32,
                                         HD_GCN_DS_READ2_B64, HD_GCN_DS_READ2ST64_B64 };
      static const hd_gcn_op writes[] = { HD_GCN_DS_WRITE2_B32, HD_GCN_DS_WRITE2ST64_B32,
                                          HD_GCN_DS_WRITE2_B64, HD_GCN_DS_WRITE2ST64_B64 };
      const unsigned bytes = n < 2 ? 4 : 8, unit = bytes * (n % 2 ? 64 : 1);
      hd_mach_inst *inst = sem_inst(&d, reads[n]);
      sem_registers(inst);
      inst->imm = 3 | 1 << 8;
      sem_set_scalar(wave, HD_GCN_EXEC, 64, 3, 0);
      set_addresses(wave, SEM_SRC, 32, 0x20, 8);
      sem_run(wave, inst);
      for (unsigned l = 0; l < 2; l++) {
         const unsigned at = 0x20 + 8 * l;
         assert_int_equal(sem_get(wave, SEM_DEF, l, 8 * bytes),
                          sem_little_endian(wave->lds + at + 3 * unit, bytes));
         assert_int_equal(sem_get(wave, SEM_DEF + bytes / 4, l, 8 * bytes),
                          sem_little_endian(wave->lds + at + unit, bytes));
      }
      inst = sem_inst(&d, writes[n]);
      sem_registers(inst);
      inst->imm = 2 | 5 << 8;
      sem_set_scalar(wave, HD_GCN_EXEC, 64, 1, 0);
      sem_set(wave, SEM_SRC + 4, 0, 64, UINT64_C(0x1122334455667788), 0);
      sem_set(wave, SEM_SRC + 8, 0, 64, UINT64_C(0x99aabbccddeeff00), 0);
      sem_run(wave, inst);
      const uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
      assert_int_equal(sem_little_endian(wave->lds + 0x20 + 2 * unit, bytes),
                       UINT64_C(0x1122334455667788) & mask);
      assert_int_equal(sem_little_endian(wave->lds + 0x20 + 5 * unit, bytes),
                       UINT64_C(0x99aabbccddeeff00) & mask);
   }
   /* An exchange of both returns both. */
   hd_mach_inst *inst = sem_inst(&d, HD_GCN_DS_WRXCHG2_RTN_B32);
   sem_registers(inst);
   inst->imm = 1 | 2 << 8;
   const uint64_t first = sem_little_endian(wave->lds + 0x24, 4),
                  second = sem_little_endian(wave->lds + 0x28, 4);
   sem_run(wave, inst);
   assert_int_equal(sem_get(wave, SEM_DEF, 0, 32), first);
   assert_int_equal(sem_get(wave, SEM_DEF + 1, 0, 32), second);
   assert_int_equal(sem_little_endian(wave->lds + 0x24, 4), 0x55667788);
   assert_int_equal(sem_little_endian(wave->lds + 0x28, 4), 0xddeeff00);
   sem_wave_free(wave);
}

/* Floats of LDS: minimum, maximum, sum, and the compare of a swap, for which -0 is 0. */
static void
lds_floats(void **state)
{
   static const struct {
      hd_gcn_op op;
      uint32_t old, x, y, want;
      uint32_t mode; /* lower byte: 0xf0 at the start of most programs */
   } rows[] = {
      { HD_GCN_DS_MIN_RTN_F32, 0x3f800000, 0xbf800000, 0, 0xbf800000, 0xf0 },
      { HD_GCN_DS_MAX_RTN_F32, 0x3f800000, 0xbf800000, 0, 0x3f800000, 0xf0 },
      { HD_GCN_DS_ADD_RTN_F32, 0x3f800000, 0x40000000, 0, 0x40400000, 0xf0 },
      /* A half of the last place: to nearest, whatever the mode. Denormals: as the mode says. */
      { HD_GCN_DS_ADD_RTN_F32, 0x3f800000, 0x33800000, 0, 0x3f800000, 0xf1 },
      { HD_GCN_DS_ADD_RTN_F32, 0x3f800001, 0x33800000, 0, 0x3f800002, 0xf3 },
      { HD_GCN_DS_ADD_RTN_F32, 0x00000003, 0x00000004, 0, 0x00000007, 0xf0 },
      { HD_GCN_DS_ADD_RTN_F32, 0x00000003, 0x00800000, 0, 0x00800000, 0xe0 },
      { HD_GCN_DS_ADD_RTN_F32, 0x80800001, 0x00800000, 0, 0x80000000, 0xd0 },
      { HD_GCN_DS_ADD_RTN_F32, 0x80800001, 0x00800000, 0, 0x80000001, 0xe0 },
      { HD_GCN_DS_CMPST_RTN_F32, 0x80000000, 0x00000000, 0x12345678, 0x12345678, 0xf0 },
      { HD_GCN_DS_CMPST_RTN_F32, 0x3f800000, 0x00000000, 0x12345678, 0x3f800000, 0xf0 },
      { HD_GCN_DS_CMPST_RTN_F32, 0x7fc00000, 0x7fc00000, 0x12345678, 0x7fc00000, 0xf0 },
   };
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_gcn_decoded d;

   (void)state;
   for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
      hd_mach_inst *inst = sem_inst(&d, rows[n].op);
      sem_registers(inst);
      sem_set_scalar(wave, HD_GCN_EXEC, 64, 1, 0);
      memcpy(wave->lds + 16, &rows[n].old, 4);
      sem_set(wave, SEM_SRC, 0, 32, 16, 0);
      sem_set(wave, SEM_SRC + 4, 0, 32, rows[n].x, 0);
      sem_set(wave, SEM_SRC + 8, 0, 32, rows[n].y, 0);
      wave->mode = 3u << 8 | rows[n].mode;
      sem_run(wave, inst);
      assert_int_equal(sem_little_endian(wave->lds + 16, 4), rows[n].want);
      assert_int_equal(sem_get(wave, SEM_DEF, 0, 32), rows[n].old);
   }
   sem_wave_free(wave);
}

/* A base below zero, and an offset that brings it back: from gfx8 on addresses have 32 bits. */
static void
lds_wraps(void **state)
{
   static const hd_gcn_gen gens[] = { HD_GCN_GFX600, HD_GCN_GFX900 };

   (void)state;
   for (unsigned n = 0; n < 2; n++) {
      hd_gcn_wave *wave = sem_wave(gens[n]);
      hd_gcn_decoded d;
      hd_mach_inst *inst = sem_inst(&d, HD_GCN_DS_READ_B32);

      sem_registers(inst);
      sem_set_scalar(wave, HD_GCN_EXEC, 64, 1, 0);
      sem_set_scalar(wave, HD_GCN_M0, 32, UINT32_MAX, 0);
      sem_set(wave, SEM_SRC, 0, 32, 0xffffff00u, 0);
      inst->imm = 256;
      if (gens[n] == HD_GCN_GFX600)
         sem_fails(wave, inst, "0x100000000 of LDS");
      else
         sem_run(wave, inst);
      sem_wave_free(wave);
   }
}

static void
lds_faults(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX600);
   hd_gcn_decoded d;
   hd_mach_inst *inst = sem_inst(&d, HD_GCN_DS_READ_B32);

   (void)state;
   sem_registers(inst);
   sem_set_scalar(wave, HD_GCN_EXEC, 64, 1, 0);
   sem_set(wave, SEM_SRC, 0, 32, 4092, 0);
   sem_set_scalar(wave, HD_GCN_M0, 32, 4096, 1);
   sem_fails(wave, inst, "undefined m0 (its bound)");
   sem_set_scalar(wave, HD_GCN_M0, 32, 4096, 0);
   sem_run(wave, inst);
   sem_set_scalar(wave, HD_GCN_M0, 32, 4095, 0);
   sem_fails(wave, inst, "m0 allows");
   sem_set_scalar(wave, HD_GCN_M0, 32, UINT32_MAX, 0);
   inst->imm = 4;
   sem_fails(wave, inst, "of LDS, which has");
   inst->imm = 0;
   sem_set(wave, SEM_SRC, 0, 32, 2, 0);
   sem_fails(wave, inst, "not aligned");
   sem_set(wave, SEM_SRC, 0, 32, 4, 8);
   sem_fails(wave, inst, "reach an address");
   inst->bits = HD_GCN_GDS;
   sem_fails(wave, inst, "global data share");
   /* 32 bits of address do not wrap here. */
   inst->bits = 0;
   inst->imm = 8;
   sem_set(wave, SEM_SRC, 0, 32, 0xfffffffc, 0);
   sem_fails(wave, inst, "0x100000004");
   sem_wave_free(wave);
}

/* Lanes ---------------------------------------------------------------------------------------- */

static void
crossbar(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_gcn_decoded d;
   hd_mach_inst *inst = sem_inst(&d, HD_GCN_DS_BPERMUTE_B32);
   const uint64_t exec = UINT64_C(0xfffffffffffffff7);

   (void)state;
   sem_registers(inst);
   sem_set_scalar(wave, HD_GCN_EXEC, 64, exec, 0);
   for (unsigned l = 0; l < 64; l++) {
      sem_set(wave, SEM_SRC, l, 32, (l * 5 + 1) % 64 * 4 + 256 * (l % 3), 0);
      sem_set(wave, SEM_SRC + 4, l, 32, 1000 + l, l == 6);
   }
   sem_run(wave, inst);
   for (unsigned l = 0; l < 64; l++) {
      const unsigned from = (l * 5 + 1) % 64;
      if (l == 3)
         continue;
      assert_int_equal(sem_get(wave, SEM_DEF, l, 32), from == 3 ? 0 : 1000 + from);
      assert_int_equal(sem_get_undef(wave, SEM_DEF, l, 32), from == 6);
   }
   /* The other way: lane l sends to that one; of two, the higher is heard. */
   inst = sem_inst(&d, HD_GCN_DS_PERMUTE_B32);
   sem_registers(inst);
   for (unsigned l = 0; l < 64; l++)
      sem_set(wave, SEM_SRC, l, 32, l / 2 * 4, 0);
   sem_run(wave, inst);
   for (unsigned l = 0; l < 64; l++) {
      if (l == 3)
         continue;
      const unsigned heard = l == 1 ? 2 : 2 * l + 1;
      assert_int_equal(sem_get(wave, SEM_DEF, l, 32), l < 32 ? 1000 + heard : 0);
   }
   /* Swizzles: quads, and and-or-xor of 32 lanes. */
   inst = sem_inst(&d, HD_GCN_DS_SWIZZLE_B32);
   sem_registers(inst);
   sem_set_scalar(wave, HD_GCN_EXEC, 64, UINT64_MAX, 0);
   for (unsigned l = 0; l < 64; l++)
      sem_set(wave, SEM_SRC, l, 32, 1000 + l, 0);
   inst->imm = 0x8000 | 3 | 2 << 2 | 1 << 4 | 0 << 6;
   sem_run(wave, inst);
   for (unsigned l = 0; l < 64; l++)
      assert_int_equal(sem_get(wave, SEM_DEF, l, 32), 1000 + (l / 4 * 4 + 3 - l % 4));
   inst->imm = 0x1c | 1 << 5 | 2 << 10;
   sem_run(wave, inst);
   for (unsigned l = 0; l < 64; l++)
      assert_int_equal(sem_get(wave, SEM_DEF, l, 32), 1000 + l / 32 * 32 + (((l & 0x1c) | 1) ^ 2));
   sem_wave_free(wave);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses_by_m0),  cmocka_unit_test(relative_operands),
      cmocka_unit_test(lds_instructions), cmocka_unit_test(lds_undefined),
      cmocka_unit_test(lds_pairs),        cmocka_unit_test(lds_floats),
      cmocka_unit_test(lds_faults),       cmocka_unit_test(lds_wraps),
      cmocka_unit_test(crossbar),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
