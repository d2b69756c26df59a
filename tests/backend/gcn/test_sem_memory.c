/* SPDX-License-Identifier: MIT */
/* test_sem_memory.c - buffers, FLAT, GLOBAL, SCRATCH and scalar memory: all instructions by all
 * their ways to say an address, and bounds to the byte.
 */
#include "sem_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gcn/sim/exec_memory.h"
#include "backend/gcn/sim/machine.h"

#define EXEC UINT64_C(0x8f3700ff0ff10fff)

static hd_mach_inst *
prepare(hd_gcn_decoded *d, hd_gcn_op op)
{
   hd_mach_inst *inst = sem_inst(d, op);

   sem_registers(inst);
   return inst;
}

static void
lane_values(hd_gcn_wave *wave, unsigned reg, unsigned bits, uint64_t first, uint64_t step)
{
   for (unsigned l = 0; l < HD_GCN_LANES; l++)
      sem_set(wave, reg, l, bits, first + l * step, 0);
}

/* Whichever of the three it is. `data` is the register that holds what is stored. */
static void
check(hd_gcn_wave *wave, hd_mach_inst *inst, const sem_way *w, const char *prefix, unsigned data)
{
   const hd_gcn_access *a = &hd_gcn_accesses[inst->op];

   sem_set_scalar(wave, HD_GCN_EXEC, 64, EXEC, 0);
   if (a->kind == HD_GCN_ACCESS_LOAD)
      sem_check_load(wave, inst, w, EXEC);
   else if (a->kind == HD_GCN_ACCESS_STORE)
      sem_check_store(wave, inst, w, EXEC, data);
   else {
      const unsigned data2 = strstr(sem_name((hd_gcn_op)inst->op), "x2") ? data + 2 : data + 1;
      sem_set_scalar(wave, HD_GCN_EXEC, 64, UINT64_MAX, 0);
      const bool compares = strstr(sem_name((hd_gcn_op)inst->op), "cmpswap") != NULL;
      sem_check_atomic(wave, inst, w, prefix, data, compares ? data2 : 200, inst->bits & HD_GCN_GLC,
                       false);
   }
}

static bool
is_memory(hd_gcn_gen gen, hd_gcn_op op, hd_gcn_format format)
{
   const hd_gcn_access *a = &hd_gcn_accesses[op];

   return hd_gcn_op_infos[op].format == format && sem_has(gen, op, HD_GCN_FORM_BASE) &&
          a->kind != HD_GCN_ACCESS_INVALID && a->kind != HD_GCN_ACCESS_NONE && !a->channels;
}

/* Buffers -------------------------------------------------------------------------------------- */

#define RESOURCE 32u

static void
set_resource(hd_gcn_wave *wave, uint64_t base, uint32_t stride, uint32_t records, uint32_t word3)
{
   sem_set_scalar(wave, RESOURCE, 64, base | (uint64_t)stride << 48, 0);
   sem_set_scalar(wave, RESOURCE + 2, 64, records | (uint64_t)word3 << 32, 0);
}

/* Sources of a buffer instruction: [data], vaddr, resource, soffset. */
static void
set_buffer(hd_mach_inst *inst, bool loads, unsigned vaddr_size)
{
   const unsigned first = loads ? 0 : 1;

   *hd_mach_src(inst, first) = vaddr_size ? sem_vgpr(120, vaddr_size) : (hd_mach_operand){ 0 };
   *hd_mach_src(inst, first + 1) = sem_sgpr(RESOURCE, 4);
   *hd_mach_src(inst, first + 2) = sem_sgpr(40, 1);
}

static void
buffers(void **state)
{
   unsigned tried = 0;

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      sem_fill_memory(wave);
      for (unsigned n = 1; n < HD_GCN_NUM_OPS; n++) {
         const hd_gcn_op op = (hd_gcn_op)n;
         const bool loads = hd_gcn_accesses[op].kind == HD_GCN_ACCESS_LOAD;
         if (!is_memory((hd_gcn_gen)gen, op, HD_GCN_MUBUF))
            continue;
         for (unsigned kind = 0; kind < 4; kind++) {
            hd_gcn_decoded d;
            hd_mach_inst *inst = prepare(&d, op);
            sem_way w = {
               "offset", sem_memory(), sem_memory_undef(), SEM_MEMORY_SIZE, 0, 32, false
            };
            const uint64_t base = SEM_MEMORY_BASE + 0x40;
            set_resource(wave, base, 0, 0x1800, 0);
            sem_set_scalar(wave, 40, 32, 0x100, 0);
            inst->imm = 0x20;
            if (kind == 3) {
               w.name = "addr64";
               if (gen != HD_GCN_GFX600)
                  continue;
            }
            switch (kind) {
            case 0:
               inst->bits |= HD_GCN_OFFEN;
               set_buffer(inst, loads, 1);
               lane_values(wave, 120, 32, 0xe00, 32);
               w.first = 0x40 + 0x100 + 0x20 + 0xe00;
               break;
            case 1:
               w.name = "index";
               inst->bits |= HD_GCN_IDXEN;
               set_buffer(inst, loads, 1);
               set_resource(wave, base, 48, gen == HD_GCN_GFX803 ? 48 * 64 + 0x100 : 64, 0);
               lane_values(wave, 120, 32, 0, 1);
               w.first = 0x40 + 0x100 + 0x20;
               w.stride = 48;
               if (strstr(sem_name(op), "x4") || strstr(sem_name(op), "x3"))
                  inst->imm = 0, w.first -= 0x20;
               break;
            case 2:
               w.name = "index and offset";
               inst->bits |= HD_GCN_IDXEN | HD_GCN_OFFEN;
               set_buffer(inst, loads, 2);
               set_resource(wave, base, 32, gen == HD_GCN_GFX803 ? 0x1000 : 200, 0);
               lane_values(wave, 120, 32, 2, 1);
               lane_values(wave, 121, 32, 8, 0);
               inst->imm = 8;
               w.first = 0x40 + 0x100 + 64 + 16;
               break;
            default:
               inst->bits |= HD_GCN_ADDR64;
               set_buffer(inst, loads, 2);
               set_resource(wave, 0x300, 0, 0, 0);
               lane_values(wave, 120, 64, SEM_MEMORY_BASE + 0xe00, 32);
               w.first = 0x300 + 0x100 + 0x20 + 0xe00;
               break;
            }
            if (hd_gcn_accesses[op].kind == HD_GCN_ACCESS_ATOMIC && n % 2)
               inst->bits |= HD_GCN_GLC;
            const unsigned data = loads ? 0 : hd_mach_src(inst, 0)->reg - HD_GCN_VGPR0;
            check(wave, inst, &w, "buffer_atomic_", data);
            tried++;
         }
      }
      sem_wave_free(wave);
   }
   print_message("%u\n", tried);
   assert_true(tried > 300);
}

/* Texels by the format of the resource, and by that of the instruction. */
static void
texels(void **state)
{
   const uint32_t one = 0x3f800000;

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      for (unsigned typed = 0; typed < 2; typed++) {
         hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
         const unsigned data = 10, number = 4; /* four bytes, integers */
         hd_gcn_decoded d;
         sem_fill_memory(wave);
         /* The resource of the typed one says other things: it is not asked. */
         set_resource(wave, SEM_MEMORY_BASE + 0x40, 4, gen == HD_GCN_GFX803 ? 64 * 4 : 64,
                      typed ? 0x688 : 0xfac | number << 12 | data << 15);
         sem_set_scalar(wave, 40, 32, 0, 0);
         lane_values(wave, 120, 32, 0, 1);
         hd_mach_inst *inst =
             prepare(&d, typed ? HD_GCN_TBUFFER_LOAD_FORMAT_XYZW : HD_GCN_BUFFER_LOAD_FORMAT_XYZW);
         set_buffer(inst, true, 1);
         inst->bits |= HD_GCN_IDXEN;
         inst->mods.bytes[HD_GCN_MOD_FORMAT] = typed ? (uint8_t)(data | number << 4) : 0;
         sem_run(wave, inst);
         for (unsigned l = 0; l < HD_GCN_LANES; l++) {
            for (unsigned c = 0; c < 4; c++)
               assert_int_equal(wave->vgpr[SEM_DEF + c][l], sem_memory()[0x40 + 4 * l + c]);
         }
         /* A store of two fractions of 16 bits, and what a load makes of channels that are not there. */
         inst = prepare(&d, typed ? HD_GCN_TBUFFER_STORE_FORMAT_XY : HD_GCN_BUFFER_STORE_FORMAT_XY);
         set_resource(wave, SEM_MEMORY_BASE + 0x40, 4, gen == HD_GCN_GFX803 ? 64 * 4 : 64,
                      typed ? 0 : 4 | 5 << 3 | 1 << 9 | 5 << 15);
         set_buffer(inst, false, 1);
         inst->bits |= HD_GCN_IDXEN;
         inst->mods.bytes[HD_GCN_MOD_FORMAT] = typed ? 5 : 0;
         for (unsigned l = 0; l < HD_GCN_LANES; l++) {
            sem_set(wave, SEM_SRC, l, 32, one, 0);
            sem_set(wave, SEM_SRC + 1, l, 32, 0x3f000000, 0);
         }
         sem_run(wave, inst);
         assert_int_equal(sem_little_endian(sem_memory() + 0x40, 4), 0x8000ffff);
         inst =
             prepare(&d, typed ? HD_GCN_TBUFFER_LOAD_FORMAT_XYZW : HD_GCN_BUFFER_LOAD_FORMAT_XYZW);
         set_buffer(inst, true, 1);
         inst->bits |= HD_GCN_IDXEN;
         inst->mods.bytes[HD_GCN_MOD_FORMAT] = typed ? 5 : 0;
         /* The last one is outside: 0, and not the 1 that it has for a channel. */
         sem_set(wave, 120, 63, 32, 64, 0);
         sem_run(wave, inst);
         assert_int_equal(wave->vgpr[SEM_DEF][5], one);
         assert_int_equal(wave->vgpr[SEM_DEF + 2][5], 0);
         assert_int_equal(wave->vgpr[SEM_DEF + 3][5], one);
         assert_int_equal(wave->vgpr[SEM_DEF + 3][63], 0);
         sem_wave_free(wave);
      }
   }
}

/* Loads and stores of dwords around the end of a buffer of bytes. */
static void
buffer_bounds(void **state)
{
   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      hd_gcn_decoded d;
      sem_fill_memory(wave);
      sem_set_scalar(wave, HD_GCN_EXEC, 64, 1, 0);
      for (unsigned offset = 0; offset < 40; offset += 4) {
         static uint8_t before[SEM_MEMORY_SIZE];
         hd_mach_inst *inst = prepare(&d, HD_GCN_BUFFER_LOAD_DWORDX4);
         set_resource(wave, SEM_MEMORY_BASE + 0x40, 0, 24, 0);
         set_buffer(inst, true, 1);
         inst->bits |= HD_GCN_OFFEN;
         sem_set_scalar(wave, 40, 32, 0, 0);
         sem_set(wave, 120, 0, 32, offset, 0);
         sem_run(wave, inst);
         for (unsigned k = 0; k < 4; k++) {
            const unsigned at = offset + 4 * k;
            assert_int_equal(wave->vgpr[SEM_DEF + k][0],
                             at + 4 <= 24 ? sem_little_endian(sem_memory() + 0x40 + at, 4) : 0);
         }
         inst = prepare(&d, HD_GCN_BUFFER_STORE_DWORDX4);
         set_buffer(inst, false, 1);
         inst->bits |= HD_GCN_OFFEN;
         memcpy(before, sem_memory(), sizeof before);
         for (unsigned k = 0; k < 4; k++)
            sem_set(wave, SEM_SRC + k, 0, 32, 0x11111111 * (k + 1), 0);
         sem_run(wave, inst);
         for (unsigned at = 0; at < 64; at += 4) {
            const bool stored = at >= offset && at < offset + 16 && at + 4 <= 24;
            assert_int_equal(sem_little_endian(sem_memory() + 0x40 + at, 4),
                             stored ? 0x11111111 * ((at - offset) / 4 + 1)
                                    : sem_little_endian(before + 0x40 + at, 4));
         }
      }
      /* A byte at the last place, and one behind it; an atomic behind it returns 0. */
      hd_mach_inst *inst = prepare(&d, HD_GCN_BUFFER_LOAD_UBYTE);
      set_resource(wave, SEM_MEMORY_BASE + 0x40, 0, 23, 0);
      set_buffer(inst, true, 1);
      inst->bits |= HD_GCN_OFFEN;
      sem_set(wave, 120, 0, 32, 22, 0);
      sem_run(wave, inst);
      assert_int_equal(wave->vgpr[SEM_DEF][0], sem_memory()[0x40 + 22]);
      sem_set(wave, 120, 0, 32, 23, 0);
      sem_run(wave, inst);
      assert_int_equal(wave->vgpr[SEM_DEF][0], 0);
      inst = prepare(&d, HD_GCN_BUFFER_ATOMIC_ADD);
      set_buffer(inst, false, 1);
      inst->bits |= HD_GCN_OFFEN | HD_GCN_GLC;
      sem_set(wave, 120, 0, 32, 24, 0);
      const uint64_t old = sem_little_endian(sem_memory() + 0x40 + 24, 4);
      sem_run(wave, inst);
      assert_int_equal(sem_little_endian(sem_memory() + 0x40 + 24, 4), old);
      assert_int_equal(wave->vgpr[hd_mach_def(inst, 0)->reg - HD_GCN_VGPR0][0], 0);
      sem_wave_free(wave);
   }
}

/* Records: the index counts, and where they are interleaved each lane has its own column. */
static void
buffer_records(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_gcn_decoded d;
   hd_mach_inst *inst = prepare(&d, HD_GCN_BUFFER_LOAD_DWORD);

   (void)state;
   sem_fill_memory(wave);
   sem_set_scalar(wave, HD_GCN_EXEC, 64, 3, 0);
   set_resource(wave, SEM_MEMORY_BASE, 16, 5, 0);
   set_buffer(inst, true, 1);
   inst->bits |= HD_GCN_IDXEN;
   inst->imm = 4;
   sem_set_scalar(wave, 40, 32, 0, 0);
   sem_set(wave, 120, 0, 32, 4, 0);
   sem_set(wave, 120, 1, 32, 5, 0);
   sem_run(wave, inst);
   assert_int_equal(wave->vgpr[SEM_DEF][0], sem_little_endian(sem_memory() + 4 * 16 + 4, 4));
   assert_int_equal(wave->vgpr[SEM_DEF][1], 0);

   /* The scratch of an HSA wave: lanes are added, dwords lie 64 lanes apart. */
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *other = sem_wave((hd_gcn_gen)gen);
      const uint32_t word3 = 1u << 23 | 3u << 21 | (gen == HD_GCN_GFX900 ? 0 : 1u << 19);
      sem_fill_memory(other);
      sem_set_scalar(other, HD_GCN_EXEC, 64, 0xff, 0);
      inst = prepare(&d, HD_GCN_BUFFER_LOAD_DWORDX2);
      set_resource(other, SEM_MEMORY_BASE, 0x8000, UINT32_MAX, word3);
      set_buffer(inst, true, 1);
      inst->bits |= HD_GCN_OFFEN;
      inst->imm = 8;
      sem_set_scalar(other, 40, 32, 0x40, 0);
      lane_values(other, 120, 32, 12, 4);
      sem_run(other, inst);
      for (unsigned l = 0; l < 8; l++) {
         for (unsigned k = 0; k < 2; k++) {
            const unsigned within = 12 + 4 * l + 8 + 4 * k;
            assert_int_equal(other->vgpr[SEM_DEF + k][l],
                             sem_little_endian(sem_memory() + 0x40 + within / 4 * 256 + l * 4, 4));
         }
      }
      sem_wave_free(other);
   }

   /* What the resource must be. */
   set_resource(wave, SEM_MEMORY_BASE, 0, 64, 1u << 30);
   inst = prepare(&d, HD_GCN_BUFFER_LOAD_DWORD);
   set_buffer(inst, true, 1);
   sem_fails(wave, inst, "not a buffer");
   set_resource(wave, SEM_MEMORY_BASE, 0, 64, 0);
   wave->sgpr_undef[RESOURCE + 2] = 1;
   sem_fails(wave, inst, "word 2 of a buffer resource");
   wave->sgpr_undef[RESOURCE + 2] = 0;
   wave->sgpr_undef[40] = 4;
   sem_fails(wave, inst, "the offset of a buffer");
   wave->sgpr_undef[40] = 0;
   inst->bits |= HD_GCN_OFFEN;
   sem_set(wave, 120, 1, 32, 0, 1);
   sem_fails(wave, inst, "reach an address");
   sem_wave_free(wave);
}

/* Flat ----------------------------------------------------------------------------------------- */

/* `kind` says where FLAT leads, and how GLOBAL and SCRATCH say the address. */
static bool
set_flat(hd_gcn_wave *wave, hd_mach_inst *inst, hd_gcn_format format, unsigned kind, sem_way *w)
{
   const bool loads = hd_gcn_accesses[inst->op].kind == HD_GCN_ACCESS_LOAD;
   const bool gfx9 = wave->machine->target->gen == HD_GCN_GFX900;
   const unsigned saddr = loads ? 1 : 2;
   uint64_t base = SEM_MEMORY_BASE;

   *w = (sem_way){ "memory", sem_memory(), sem_memory_undef(), SEM_MEMORY_SIZE, 0xe20, 32, false };
   inst->imm = gfx9 ? 0x20 : 0;
   if (format == HD_GCN_FLAT) {
      if (kind == 1) {
         *w = (sem_way){ "LDS", wave->lds, wave->lds_undef, wave->lds_size, 0x120, 32, false };
         base = (uint64_t)HD_GCN_LDS_APERTURE << 32;
      } else if (kind == 2) {
         *w = (sem_way){ "scratch",
                         sem_memory() + 0x1000,
                         sem_memory_undef() + 0x1000,
                         SEM_MEMORY_SIZE - 0x1000,
                         0x10,
                         0,
                         true };
         base = (uint64_t)HD_GCN_PRIVATE_APERTURE << 32;
      }
      *hd_mach_src(inst, 0) = sem_vgpr(120, 2);
      lane_values(wave, 120, 64, base + w->first - (uint64_t)inst->imm, w->stride);
      return kind < 3;
   }
   inst->imm = kind == 2 ? -0x30 : 0x20;
   if (format == HD_GCN_GLOBAL) {
      *hd_mach_src(inst, 0) = sem_vgpr(120, kind ? 1 : 2);
      *hd_mach_src(inst, saddr) = kind ? sem_sgpr(20, 2) : (hd_mach_operand){ 0 };
      sem_set_scalar(wave, 20, 64, base + 0x700, 0);
      if (kind) {
         lane_values(wave, 120, 32, w->first - 0x700 - (uint64_t)(int64_t)inst->imm, w->stride);
         for (unsigned l = 0; l < HD_GCN_LANES; l++) /* not read */
            sem_set(wave, 121, l, 32, 0x5555, UINT32_MAX);
      } else
         lane_values(wave, 120, 64, base + w->first - (uint64_t)(int64_t)inst->imm, w->stride);
      return kind < 3;
   }
   *w = (sem_way){ "scratch",
                   sem_memory() + 0x1000,
                   sem_memory_undef() + 0x1000,
                   SEM_MEMORY_SIZE - 0x1000,
                   0x10,
                   0,
                   true };
   inst->imm = kind == 2 ? -0x30 : 0x8;
   *hd_mach_src(inst, 0) = kind == 1 ? (hd_mach_operand){ 0 } : sem_vgpr(120, 1);
   *hd_mach_src(inst, saddr) = kind == 1 ? sem_sgpr(20, 1) : (hd_mach_operand){ 0 };
   sem_set_scalar(wave, 20, 32, 0x8, 0);
   lane_values(wave, 120, 32, w->first - (uint64_t)(int64_t)inst->imm, 0);
   return kind < 3;
}

static void
flat(void **state)
{
   unsigned tried = 0;

   (void)state;
   for (unsigned gen = HD_GCN_GFX803; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      sem_fill_memory(wave);
      wave->hidden_private_base = SEM_SCRATCH_BASE - 0x300;
      sem_set_scalar(wave, HD_GCN_FLAT_SCRATCH, 64,
                     gen == HD_GCN_GFX900 ? SEM_SCRATCH_BASE : UINT64_C(3) << 32 | 0x100, 0);
      for (unsigned n = 1; n < HD_GCN_NUM_OPS; n++) {
         const hd_gcn_op op = (hd_gcn_op)n;
         const hd_gcn_format format = (hd_gcn_format)hd_gcn_op_infos[op].format;
         if (!is_memory((hd_gcn_gen)gen, op, HD_GCN_FLAT) &&
             !is_memory((hd_gcn_gen)gen, op, HD_GCN_GLOBAL) &&
             !is_memory((hd_gcn_gen)gen, op, HD_GCN_SCRATCH))
            continue;
         for (unsigned kind = 0; kind < 3; kind++) {
            hd_gcn_decoded d;
            hd_mach_inst *inst = prepare(&d, op);
            sem_way w;
            const bool atomic = hd_gcn_accesses[op].kind == HD_GCN_ACCESS_ATOMIC;
            if (!set_flat(wave, inst, format, kind, &w) ||
                (atomic && w.interleaved && strstr(sem_name(op), "x2")))
               continue;
            if (atomic && n % 2)
               inst->bits |= HD_GCN_GLC;
            check(wave, inst, &w, format == HD_GCN_FLAT ? "flat_atomic_" : "global_atomic_",
                  SEM_SRC + 4);
            tried++;
         }
      }
      sem_wave_free(wave);
   }
   print_message("%u\n", tried);
   assert_true(tried > 400);
}

static void
flat_faults(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_gcn_decoded d;
   hd_mach_inst *inst = prepare(&d, HD_GCN_FLAT_LOAD_DWORD);

   (void)state;
   sem_set_scalar(wave, HD_GCN_EXEC, 64, 2, 0);
   *hd_mach_src(inst, 0) = sem_vgpr(120, 2);
   sem_set(wave, 120, 1, 64, (uint64_t)HD_GCN_PRIVATE_APERTURE << 32, 0);
   sem_set_scalar(wave, HD_GCN_FLAT_SCRATCH, 64, SEM_SCRATCH_BASE, 1);
   sem_fails(wave, inst, "flat_scratch");
   sem_set_scalar(wave, HD_GCN_FLAT_SCRATCH, 64, SEM_SCRATCH_BASE + 4, 0);
   sem_fails(wave, inst, "the wave's scratch is at");
   sem_set(wave, 120, 1, 64, (uint64_t)HD_GCN_LDS_APERTURE << 32 | 4093, 0);
   sem_fails(wave, inst, "of LDS, which has");
   sem_set(wave, 120, 1, 64, SEM_MEMORY_BASE + SEM_MEMORY_SIZE - 3, 0);
   sem_fails(wave, inst, "outside");
   sem_set(wave, 120, 1, 64, SEM_MEMORY_BASE, UINT64_C(1) << 40);
   sem_fails(wave, inst, "reach an address");
   inst = prepare(&d, HD_GCN_GLOBAL_ATOMIC_ADD);
   *hd_mach_src(inst, 0) = sem_vgpr(120, 2);
   *hd_mach_src(inst, 2) = (hd_mach_operand){ 0 };
   sem_set(wave, 120, 1, 64, SEM_MEMORY_BASE + 2, 0);
   sem_fails(wave, inst, "not aligned");
   sem_wave_free(wave);
}

/* Scalar memory -------------------------------------------------------------------------------- */

static void
scalar_memory(void **state)
{
   static const hd_gcn_op loads[][2] = {
      { HD_GCN_S_LOAD_DWORD, HD_GCN_S_BUFFER_LOAD_DWORD },
      { HD_GCN_S_LOAD_DWORDX2, HD_GCN_S_BUFFER_LOAD_DWORDX2 },
      { HD_GCN_S_LOAD_DWORDX4, HD_GCN_S_BUFFER_LOAD_DWORDX4 },
      { HD_GCN_S_LOAD_DWORDX8, HD_GCN_S_BUFFER_LOAD_DWORDX8 },
      { HD_GCN_S_LOAD_DWORDX16, HD_GCN_S_BUFFER_LOAD_DWORDX16 },
   };

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      sem_fill_memory(wave);
      for (unsigned n = 0; n < 20; n++) {
         const unsigned dwords = 1u << n / 4, buffer = n & 1, by_register = n >> 1 & 1;
         hd_gcn_decoded d;
         hd_mach_inst *inst = prepare(&d, loads[n / 4][buffer]);
         *hd_mach_def(inst, 0) = sem_sgpr(64, dwords);
         *hd_mach_src(inst, 0) = sem_sgpr(RESOURCE, buffer ? 4 : 2);
         set_resource(wave, SEM_MEMORY_BASE + 0xfe0, 0, 0x40, 0);
         sem_set_scalar(wave, 41, 32, 0x24, 0);
         if (by_register)
            *hd_mach_src(inst, 1) = sem_sgpr(41, 1);
         else {
            *hd_mach_src(inst, 1) = (hd_mach_operand){ 0 };
            inst->bits |= HD_GCN_SOFFSET_IMM;
            inst->imm = gen == HD_GCN_GFX600 ? 9 : 0x24;
         }
         wave->sgpr_undef[64] = UINT32_MAX;
         sem_memory_undef()[0xfe0 + 0x24] = 0x10;
         sem_run(wave, inst);
         sem_memory_undef()[0xfe0 + 0x24] = 0;
         assert_int_equal(wave->sgpr_undef[64], 0x10);
         for (unsigned k = 0; k < dwords; k++) {
            const unsigned at = 0x24 + 4 * k;
            assert_int_equal(
                wave->sgpr[64 + k],
                buffer && at + 4 > 0x40 ? 0 : sem_little_endian(sem_memory() + 0xfe0 + at, 4));
         }
      }
      sem_wave_free(wave);
   }

   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_gcn_decoded d;
   hd_mach_inst *inst = prepare(&d, HD_GCN_S_LOAD_DWORD);
   sem_fill_memory(wave);
   *hd_mach_src(inst, 0) = sem_sgpr(RESOURCE, 2);
   *hd_mach_src(inst, 1) = (hd_mach_operand){ 0 };
   inst->bits |= HD_GCN_SOFFSET_IMM;
   inst->imm = -8;
   set_resource(wave, SEM_MEMORY_BASE + 16, 0, 0, 0);
   sem_run(wave, inst);
   assert_int_equal(wave->sgpr[SEM_DEF], sem_little_endian(sem_memory() + 8, 4));
   inst->imm = 2;
   sem_fails(wave, inst, "not aligned to 4");
   inst->imm = 0;
   wave->sgpr_undef[RESOURCE + 1] = 1;
   sem_fails(wave, inst, "an address of scalar memory");
   wave->sgpr_undef[RESOURCE + 1] = 0;
   *hd_mach_def(inst, 0) = sem_sgpr(66, 1);
   inst->op = HD_GCN_S_LOAD_DWORDX4;
   sem_fails(wave, inst, "invalid operand: 4 scalar registers from s66 on");
   inst = prepare(&d, HD_GCN_S_MEMTIME);
   sem_run(wave, inst);
   assert_true(sem_get_scalar(wave, SEM_DEF, 64) > UINT32_MAX);

   /* Stores and atomics of scalars. */
   inst = prepare(&d, HD_GCN_S_STORE_DWORDX2);
   *hd_mach_src(inst, 0) = sem_sgpr(48, 2);
   *hd_mach_src(inst, 1) = sem_sgpr(RESOURCE, 2);
   *hd_mach_src(inst, 2) = (hd_mach_operand){ 0 };
   inst->bits |= HD_GCN_SOFFSET_IMM;
   inst->imm = 4;
   sem_set_scalar(wave, 48, 64, UINT64_C(0x0123456789abcdef), 0x80);
   sem_run(wave, inst);
   assert_int_equal(sem_little_endian(sem_memory() + 20, 8), UINT64_C(0x0123456789abcdef));
   assert_int_equal(sem_little_endian(sem_memory_undef() + 20, 8), 0x80);
   inst = prepare(&d, HD_GCN_S_ATOMIC_CMPSWAP);
   *hd_mach_def(inst, 0) = *hd_mach_src(inst, 0) = sem_sgpr(48, 2);
   *hd_mach_src(inst, 1) = sem_sgpr(RESOURCE, 2);
   *hd_mach_src(inst, 2) = (hd_mach_operand){ 0 };
   inst->bits |= HD_GCN_SOFFSET_IMM | HD_GCN_GLC;
   inst->imm = 24;
   const uint64_t old = sem_little_endian(sem_memory() + 40, 4);
   sem_set_scalar(wave, 48, 64, 77 | old << 32, 0);
   sem_run(wave, inst);
   assert_int_equal(sem_little_endian(sem_memory() + 40, 4), 77);
   assert_int_equal(wave->sgpr[48], old);
   sem_wave_free(wave);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers),        cmocka_unit_test(texels), cmocka_unit_test(buffer_bounds),
      cmocka_unit_test(buffer_records), cmocka_unit_test(flat),   cmocka_unit_test(flat_faults),
      cmocka_unit_test(scalar_memory),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
