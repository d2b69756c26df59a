/* SPDX-License-Identifier: MIT */
/* test_sem_forms.c - what forms do: an instruction with parts, signs, other lanes or packed halves
 * computes what its base form computes from sources that the test has changed in that way itself,
 * and the test puts the result where the form says.
 */
#include "sem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gcn/sim/exec.h"

/* Two waves: one runs the form, the other the base form. */
typedef struct pair {
   hd_gcn_wave *with, *plain;
   hd_gcn_gen gen;
   uint64_t seed;
} pair;

static pair
begin(hd_gcn_gen gen, uint64_t seed)
{
   return (pair){ sem_wave(gen), sem_wave(gen), gen, seed };
}

static void
end(pair *p)
{
   sem_wave_free(p->with);
   sem_wave_free(p->plain);
}

static bool
is_float_type(unsigned type)
{
   return type == HD_GCN_F16 || type == HD_GCN_F32 || type == HD_GCN_F64;
}

static unsigned
type_of_source(hd_gcn_op op, unsigned n)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   return info->mach.operands[info->mach.num_defs + n].type;
}

/* The same registers in both waves, before either runs. */
static void
equalize(pair *p, hd_gcn_op op)
{
   for (unsigned v = 0; v < 128; v++) {
      for (unsigned l = 0; l < HD_GCN_LANES; l++)
         p->with->vgpr[v][l] = (uint32_t)sem_corner(&p->seed, 32);
   }
   for (unsigned s = 0; s < 104; s++)
      p->with->sgpr[s] = (uint32_t)sem_random(&p->seed);
   sem_set_scalar(p->with, HD_GCN_VCC, 64, sem_random(&p->seed), 0);
   sem_set_scalar(p->with, HD_GCN_EXEC, 64, UINT64_MAX, 0);
   memcpy(p->plain->vgpr, p->with->vgpr, sizeof p->with->vgpr);
   memcpy(p->plain->sgpr, p->with->sgpr, sizeof p->with->sgpr);
   p->with->mode = p->plain->mode = 0x3f0;
   (void)op;
}

static const char *
name_of(hd_gcn_op op)
{
   for (int gen = HD_GCN_NUM_GENS - 1; gen >= 0; gen--) {
      if (hd_gcn_op_name(&hd_gcn_op_infos[op], gen))
         return hd_gcn_op_name(&hd_gcn_op_infos[op], gen);
   }
   return "?";
}

/* A float with its sign cleared, then turned. */
static uint64_t
with_sign(unsigned bits, uint64_t x, bool abs, bool neg)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   x = abs ? x & ~sign : x;
   return neg ? x ^ sign : x;
}

/* Byte 0 to 3, word 0 or 1, or all of it. */
static uint32_t
part(uint32_t x, unsigned sel, bool sext)
{
   static const unsigned first[] = { 0, 8, 16, 24, 0, 16, 0 }, bits[] = { 8, 8, 8, 8, 16, 16, 32 };
   uint64_t y = (uint64_t)x >> first[sel] & ((UINT64_C(1) << bits[sel]) - 1);

   if (sext && y >> (bits[sel] - 1))
      y |= UINT64_MAX << bits[sel];
   return (uint32_t)y;
}

static uint32_t
put(uint32_t old, uint32_t x, unsigned sel, unsigned unused)
{
   static const unsigned first[] = { 0, 8, 16, 24, 0, 16, 0 }, bits[] = { 8, 8, 8, 8, 16, 16, 32 };
   const uint64_t mask = ((UINT64_C(1) << bits[sel]) - 1) << first[sel];
   const uint64_t y = (uint64_t)x << first[sel] & mask;

   if (unused == HD_GCN_PRESERVE)
      return (uint32_t)((old & ~mask) | y);
   if (unused == HD_GCN_SEXT && y >> (first[sel] + bits[sel] - 1) & 1)
      return (uint32_t)(y | UINT64_MAX << (first[sel] + bits[sel]));
   return (uint32_t)y;
}

static void
equal_masks(pair *p, const hd_mach_inst *with, const hd_mach_inst *plain)
{
   for (unsigned n = 0; n < with->num_defs; n++) {
      if (sem_def_bits((hd_gcn_op)with->op, n) == 1 &&
          sem_get_scalar(p->with, hd_mach_def(with, n)->reg, 64) !=
              sem_get_scalar(p->plain, hd_mach_def(plain, n)->reg, 64))
         fail_msg("%s: masks differ", name_of((hd_gcn_op)with->op));
   }
}

/* SDWA ----------------------------------------------------------------------------------------- */

/* Clamp, and from gfx9 on omod, as the long form has them. */
static void
modify_result(pair *p, hd_mach_inst *with, hd_mach_inst *plain, uint64_t r)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[with->op];
   /* What can be too large for the result. */
   const bool number = info->mach.flags & (HD_GCN_OMOD_CLAMP | HD_GCN_CLAMP_ONLY) ||
                       with->op == HD_GCN_V_MUL_LO_U16;

   if (r & 1 && sem_clamps((hd_gcn_op)with->op)) {
      with->bits |= HD_GCN_CLAMP;
      plain->bits |= number ? HD_GCN_CLAMP : 0;
   }
   if (r & 2 && info->mach.flags & HD_GCN_OMOD_CLAMP && p->gen == HD_GCN_GFX900) {
      p->with->mode = p->plain->mode = 0x100;
      with->bits |= (uint16_t)((r >> 2 & 3) << HD_GCN_OMOD_SHIFT);
      plain->bits |= (uint16_t)((r >> 2 & 3) << HD_GCN_OMOD_SHIFT);
   }
}

static void
try_sdwa(pair *p, hd_gcn_op op)
{
   hd_gcn_decoded d, e;
   hd_mach_inst *with = sem_inst(&d, op), *plain = sem_inst(&e, op);
   const uint64_t r = sem_random(&p->seed);
   const bool floats = hd_gcn_op_infos[op].mach.flags & HD_GCN_NEG_ABS;

   equalize(p, op);
   sem_registers(with);
   sem_registers(plain);
   with->form = HD_GCN_FORM_SDWA;
   plain->form = HD_GCN_FORM_VOP3;
   modify_result(p, with, plain, r >> 40);
   with->mods.bytes[HD_GCN_MOD_DST_SEL] = (uint8_t)(r % 7);
   with->mods.bytes[HD_GCN_MOD_DST_UNUSED] = (uint8_t)((r >> 8) % 3);
   for (unsigned n = 0; n < 2 && n < with->num_srcs; n++) {
      const bool neg = r >> (32 + n) & 1, abs = r >> (34 + n) & 1, sext = r >> (36 + n) & 1;
      const bool is_float = is_float_type(type_of_source(op, n)) && floats;
      const unsigned bits = sem_src_bits(op, n);
      if (bits != 16 && bits != 32)
         continue;
      with->mods.bytes[HD_GCN_MOD_SRC_SEL + n] = (uint8_t)((r >> (16 + 8 * n) & 255) % 7);
      if (is_float)
         hd_mach_src(with, n)->flags |=
             (neg ? HD_GCN_OPERAND_NEG : 0) | (abs ? HD_GCN_OPERAND_ABS : 0);
      else if (sext)
         hd_mach_src(with, n)->flags |= HD_GCN_OPERAND_SEXT;
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         uint32_t x = part(p->plain->vgpr[SEM_SRC + 4 * n][l],
                           with->mods.bytes[HD_GCN_MOD_SRC_SEL + n], !is_float && sext);
         if (is_float)
            x = (uint32_t)with_sign(bits, x, abs, neg);
         p->plain->vgpr[SEM_SRC + 4 * n][l] = x;
      }
   }
   uint32_t old[HD_GCN_LANES];
   memcpy(old, p->with->vgpr[SEM_DEF], sizeof old);
   sem_run(p->with, with);
   sem_run(p->plain, plain);
   equal_masks(p, with, plain);
   with->bits |= HD_GCN_CLAMP;
   if (!sem_clamps(op))
      sem_fails(p->with, with, "clamp on an instruction with a bitwise result");
   if (sem_def_bits(op, 0) == 1)
      return;
   const bool half = sem_def_bits(op, 0) == 16;
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      uint32_t x = p->plain->vgpr[SEM_DEF][l];
      if (half)
         x &= 0xffff;
      const uint32_t got = p->with->vgpr[SEM_DEF][l];
      if (with->mods.bytes[HD_GCN_MOD_DST_SEL] == HD_GCN_SEL_DWORD &&
          (half ? got & 0xffff : got) != x)
         fail_msg("%s sdwa: 0x%" PRIx32 ", it should be 0x%" PRIx32, name_of(op), got, x);
      else if (with->mods.bytes[HD_GCN_MOD_DST_SEL] == HD_GCN_SEL_DWORD)
         continue;
      else if (got != put(old[l], x, with->mods.bytes[HD_GCN_MOD_DST_SEL],
                          with->mods.bytes[HD_GCN_MOD_DST_UNUSED]))
         fail_msg("%s sdwa dst %u %u: 0x%" PRIx32 " from 0x%" PRIx32, name_of(op),
                  with->mods.bytes[HD_GCN_MOD_DST_SEL], with->mods.bytes[HD_GCN_MOD_DST_UNUSED],
                  got, x);
   }
}

/* What stays of the register, for one instruction and all parts. */
static void
sdwa_preserves(void **state)
{
   pair p = begin(HD_GCN_GFX900, 1);

   (void)state;
   for (unsigned sel = 0; sel < 7; sel++) {
      hd_gcn_decoded d;
      hd_mach_inst *inst = sem_inst(&d, HD_GCN_V_MOV_B32);
      equalize(&p, HD_GCN_V_MOV_B32);
      sem_registers(inst);
      inst->form = HD_GCN_FORM_SDWA;
      inst->mods.bytes[HD_GCN_MOD_DST_SEL] = (uint8_t)sel;
      inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] = HD_GCN_PRESERVE;
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL] = HD_GCN_SEL_DWORD;
      for (unsigned l = 0; l < HD_GCN_LANES; l++)
         p.with->vgpr_undef[SEM_DEF][l] = 0x80808080;
      sem_run(p.with, inst);
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         assert_int_equal(
             p.with->vgpr[SEM_DEF][l],
             put(p.plain->vgpr[SEM_DEF][l], p.plain->vgpr[SEM_SRC][l], sel, HD_GCN_PRESERVE));
         assert_int_equal(p.with->vgpr_undef[SEM_DEF][l], put(0x80808080, 0, sel, HD_GCN_PRESERVE));
      }
   }
   end(&p);
}

/* VOP3 ----------------------------------------------------------------------------------------- */

static void
try_signs(pair *p, hd_gcn_op op, hd_gcn_form form)
{
   hd_gcn_decoded d, e;
   hd_mach_inst *with = sem_inst(&d, op), *plain = sem_inst(&e, op);
   const uint64_t r = sem_random(&p->seed);

   equalize(p, op);
   sem_registers(with);
   sem_registers(plain);
   with->form = plain->form = (uint8_t)form;
   for (unsigned n = 0; n < with->num_srcs && n < 3; n++) {
      const unsigned bits = sem_src_bits(op, n), reg = SEM_SRC + 4 * n;
      const bool neg = r >> n & 1, abs = r >> (4 + n) & 1;
      if (!is_float_type(type_of_source(op, n)) || bits == 1 ||
          hd_mach_src(with, n)->reg != HD_GCN_VGPR0 + reg)
         continue;
      hd_mach_src(with, n)->flags |=
          (neg ? HD_GCN_OPERAND_NEG : 0) | (abs ? HD_GCN_OPERAND_ABS : 0);
      const bool upper = bits == 16 && hd_gcn_op_infos[op].mach.flags & HD_GCN_OP_SEL &&
                         p->gen == HD_GCN_GFX900 && r >> (8 + n) & 1;
      if (upper)
         with->mods.bytes[HD_GCN_MOD_OP_SEL] |= (uint8_t)(1u << n);
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         uint64_t x = sem_get(p->plain, reg, l, bits == 16 ? 32 : bits);
         if (upper)
            x >>= 16;
         sem_set(p->plain, reg, l, bits, with_sign(bits, x, abs, neg), 0);
      }
   }
   sem_run(p->with, with);
   sem_run(p->plain, plain);
   equal_masks(p, with, plain);
   const unsigned bits = sem_def_bits(op, 0);
   for (unsigned l = 0; l < HD_GCN_LANES && bits != 1; l++) {
      if (sem_get(p->with, SEM_DEF, l, bits) != sem_get(p->plain, SEM_DEF, l, bits))
         fail_msg("%s with signs 0x%" PRIx64 ": lane %u", name_of(op), r, l);
   }
}

/* Results between 0 and 1; a NaN is 0, or stays if the mode says so. */
static uint64_t
clamped(unsigned bits, uint64_t x, bool dx10)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   const uint64_t inf = bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
   const uint64_t one = bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : UINT64_C(0x3ff) << 52;

   if ((x & ~sign) > inf)
      return dx10 ? 0 : x;
   return x & sign ? 0 : x > one ? one : x;
}

/* The exponent moves; zeros and what would be denormal are zero. */
static uint64_t
scaled(unsigned bits, uint64_t x, unsigned omod, bool *open)
{
   static const int steps[] = { 0, 1, 2, -1 };
   const unsigned fraction_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   const uint64_t all = (UINT64_C(1) << (bits - 1 - fraction_bits)) - 1;
   const uint64_t exponent = x >> fraction_bits & all;

   *open = false;
   if (exponent == all) /* there is one NaN */
      return x << (64 - fraction_bits) ? all << fraction_bits | UINT64_C(1) << (fraction_bits - 1)
                                       : x;
   if (exponent == 0 || (int64_t)exponent + steps[omod] <= 0) {
      /* What is denormal may round up to the smallest normal number before it is flushed. */
      *open = exponent + (uint64_t)steps[omod] == 0;
      return x & 0;
   }
   if (exponent + (uint64_t)(int64_t)steps[omod] >= all)
      return (x & sign) | all << fraction_bits;
   return x + ((uint64_t)(int64_t)steps[omod] << fraction_bits);
}

static void
try_results(pair *p, hd_gcn_op op, hd_gcn_form form)
{
   hd_gcn_decoded d, e;
   hd_mach_inst *with = sem_inst(&d, op), *plain = sem_inst(&e, op);
   const uint64_t r = sem_random(&p->seed);
   const unsigned bits = sem_def_bits(op, 0), omod = r & 3;
   const bool clamp = r >> 2 & 1, dx10 = r >> 3 & 1;

   equalize(p, op);
   /* Denormals are flushed, and it is not the mode of the IEEE: else there is no omod. */
   p->with->mode = p->plain->mode = dx10 ? 0x100 : 0;
   sem_registers(with);
   sem_registers(plain);
   with->form = plain->form = (uint8_t)form;
   with->bits |= (uint16_t)((clamp ? HD_GCN_CLAMP : 0) | omod << HD_GCN_OMOD_SHIFT);
   sem_run(p->with, with);
   sem_run(p->plain, plain);
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      uint64_t x = sem_get(p->plain, SEM_DEF, l, bits);
      bool open = false;
      if (omod)
         x = scaled(bits, x, omod, &open);
      if (clamp)
         x = clamped(bits, x, dx10);
      if (!open && sem_get(p->with, SEM_DEF, l, bits) != x)
         fail_msg("%s omod %u clamp %d lane %u: 0x%" PRIx64 ", it should be 0x%" PRIx64,
                  name_of(op), omod, clamp, l, sem_get(p->with, SEM_DEF, l, bits), x);
   }
}

/* DPP ------------------------------------------------------------------------------------------ */

/* Where lane l reads, from the words of the manual; -1: from no lane. */
static int
source_lane(unsigned ctrl, int l)
{
   const int row = l / 16, n = (int)(ctrl & 15);
   int to;

   if (ctrl <= 0xff)
      return l / 4 * 4 + (int)(ctrl >> l % 4 * 2 & 3);
   if (ctrl >= 0x101 && ctrl <= 0x10f) /* a row moves to lower lanes */
      return (l + n) / 16 == row ? l + n : -1;
   if (ctrl >= 0x111 && ctrl <= 0x11f)
      return l - n >= row * 16 ? l - n : -1;
   if (ctrl >= 0x121 && ctrl <= 0x12f) {
      to = l - n;
      return to < row * 16 ? to + 16 : to;
   }
   if (ctrl == 0x130)
      return l + 1 <= 63 ? l + 1 : -1;
   if (ctrl == 0x134)
      return l + 1 <= 63 ? l + 1 : 0;
   if (ctrl == 0x138)
      return l - 1;
   if (ctrl == 0x13c)
      return l >= 1 ? l - 1 : 63;
   if (ctrl == 0x140)
      return row * 16 + 15 - l % 16;
   if (ctrl == 0x141)
      return l / 8 * 8 + 7 - l % 8;
   if (ctrl == 0x142)
      return row ? row * 16 - 1 : -1;
   return row >= 2 ? 31 : -1;
}

static unsigned
some_control(uint64_t r)
{
   static const unsigned single[] = { 0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143 };
   static const unsigned rows[] = { 0x100, 0x110, 0x120 };

   switch (r & 3) {
   case 0:
      return r >> 8 & 255;
   case 1:
      return rows[(r >> 8 & 255) % 3] + 1 + (r >> 16 & 255) % 15;
   default:
      return single[r >> 8 & 7];
   }
}

static void
try_dpp(pair *p, hd_gcn_op op)
{
   hd_gcn_decoded d, e;
   hd_mach_inst *with = sem_inst(&d, op), *plain = sem_inst(&e, op);
   const uint64_t r = sem_random(&p->seed);
   const uint64_t exec = r >> 40 & 1 ? UINT64_MAX : sem_random(&p->seed);
   const bool zeros = r >> 41 & 1;
   uint32_t old[HD_GCN_LANES];
   uint64_t written = 0;

   equalize(p, op);
   sem_registers(with);
   sem_registers(plain);
   sem_set_scalar(p->with, HD_GCN_EXEC, 64, exec, 0);
   with->form = HD_GCN_FORM_DPP;
   with->mods.halves[HD_GCN_MOD_DPP_CTRL] = (uint16_t)some_control(r);
   with->mods.bytes[HD_GCN_MOD_ROW_MASK] = r >> 32 & 1 ? 15 : r >> 33 & 15;
   with->mods.bytes[HD_GCN_MOD_BANK_MASK] = r >> 37 & 1 ? 15 : r >> 44 & 15;
   with->bits |= zeros ? HD_GCN_BOUND_CTRL : 0;
   memcpy(old, p->with->vgpr[SEM_DEF], sizeof old);
   for (int l = 0; l < HD_GCN_LANES; l++) {
      int from = source_lane(with->mods.halves[HD_GCN_MOD_DPP_CTRL], l);
      if (from >= 0 && !(exec >> from & 1))
         from = -1;
      p->plain->vgpr[SEM_SRC][l] = from < 0 ? 0 : p->with->vgpr[SEM_SRC][from];
      if (exec >> l & 1 && with->mods.bytes[HD_GCN_MOD_ROW_MASK] >> l / 16 & 1 &&
          with->mods.bytes[HD_GCN_MOD_BANK_MASK] >> l % 16 / 4 & 1 && (from >= 0 || zeros))
         written |= UINT64_C(1) << l;
   }
   sem_run(p->with, with);
   sem_run(p->plain, plain);
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      const uint32_t want = written >> l & 1 ? p->plain->vgpr[SEM_DEF][l] : old[l];
      if (p->with->vgpr[SEM_DEF][l] != want)
         fail_msg("%s dpp 0x%x lane %u: 0x%" PRIx32 ", it should be 0x%" PRIx32, name_of(op),
                  with->mods.halves[HD_GCN_MOD_DPP_CTRL], l, p->with->vgpr[SEM_DEF][l], want);
   }
}

/* Packed halves -------------------------------------------------------------------------------- */

static void
try_packed(pair *p, hd_gcn_op op)
{
   hd_gcn_decoded d, e;
   hd_mach_inst *with = sem_inst(&d, op), *plain = sem_inst(&e, op);
   const uint64_t r = sem_random(&p->seed);
   const bool floats = hd_gcn_op_infos[op].mach.operands[0].type == HD_GCN_V2F16;

   equalize(p, op);
   sem_registers(with);
   sem_registers(plain);
   plain->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = 7;
   with->mods.bytes[HD_GCN_MOD_OP_SEL] = r & 7;
   with->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = r >> 3 & 7;
   for (unsigned n = 0; n < with->num_srcs; n++) {
      const bool neg = floats && r >> (8 + n) & 1, neg_hi = floats && r >> (12 + n) & 1;
      hd_mach_src(with, n)->flags |=
          (neg ? HD_GCN_OPERAND_NEG : 0) | (neg_hi ? HD_GCN_OPERAND_ABS : 0);
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         const uint32_t x = p->plain->vgpr[SEM_SRC + 4 * n][l];
         uint32_t low = with->mods.bytes[HD_GCN_MOD_OP_SEL] >> n & 1 ? x >> 16 : x & 0xffff;
         uint32_t high = with->mods.bytes[HD_GCN_MOD_OP_SEL_HI] >> n & 1 ? x >> 16 : x & 0xffff;
         low = neg ? low ^ 0x8000 : low;
         high = neg_hi ? high ^ 0x8000 : high;
         p->plain->vgpr[SEM_SRC + 4 * n][l] = low | high << 16;
      }
   }
   sem_run(p->with, with);
   sem_run(p->plain, plain);
   for (unsigned l = 0; l < HD_GCN_LANES; l++)
      assert_int_equal(p->with->vgpr[SEM_DEF][l], p->plain->vgpr[SEM_DEF][l]);
}

/* All ------------------------------------------------------------------------------------------ */

static void
each_form(void **state)
{
   unsigned tried[5] = { 0 };

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      pair p = begin((hd_gcn_gen)gen, 100 + gen);
      for (unsigned n = 1; n < HD_GCN_NUM_OPS; n++) {
         const hd_gcn_op op = (hd_gcn_op)n;
         const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
         const bool wide = sem_has(p.gen, op, HD_GCN_FORM_VOP3) ||
                           (info->format == HD_GCN_VOP3 && sem_has(p.gen, op, HD_GCN_FORM_BASE));
         const hd_gcn_form form = info->format == HD_GCN_VOP3 ? HD_GCN_FORM_BASE : HD_GCN_FORM_VOP3;
         const bool mix = info->mach.flags & HD_GCN_MIX;
         if (!sem_is_vector(op))
            continue;
         for (unsigned round = 0; round < 6; round++) {
            if (sem_has(p.gen, op, HD_GCN_FORM_SDWA))
               try_sdwa(&p, op), tried[0]++;
            if (wide && info->mach.flags & HD_GCN_NEG_ABS)
               try_signs(&p, op, form), tried[1]++;
            if (wide && info->mach.flags & HD_GCN_OMOD_CLAMP &&
                is_float_type(info->mach.operands[0].type))
               try_results(&p, op, form), tried[2]++;
            if (sem_has(p.gen, op, HD_GCN_FORM_DPP))
               try_dpp(&p, op), tried[3]++;
            if (info->format == HD_GCN_VOP3P && sem_has(p.gen, op, HD_GCN_FORM_BASE) && !mix)
               try_packed(&p, op), tried[4]++;
         }
      }
      end(&p);
   }
   print_message("sdwa %u, signs %u, results %u, dpp %u, packed %u\n", tried[0], tried[1], tried[2],
                 tried[3], tried[4]);
   for (unsigned n = 0; n < 5; n++)
      assert_true(tried[n] >= 100);
}

/* v_mad_mix: each source is 32 bits or a half. */
static void
mixed_sources(void **state)
{
   pair p = begin(HD_GCN_GFX900, 7);

   (void)state;
   for (unsigned round = 0; round < 64; round++) {
      static const uint32_t halves[][2] = { { 0x3c00, 0x3f800000 }, { 0xc000, 0xc0000000 },
                                            { 0x4248, 0x40490000 }, { 0x0001, 0x33800000 },
                                            { 0x7c00, 0x7f800000 }, { 0x8000, 0x80000000 } };
      hd_gcn_decoded d, e;
      hd_mach_inst *with = sem_inst(&d, HD_GCN_V_MAD_MIX_F32);
      hd_mach_inst *plain = sem_inst(&e, HD_GCN_V_MAD_F32);
      const uint64_t r = sem_random(&p.seed);
      equalize(&p, HD_GCN_V_MAD_F32);
      sem_registers(with);
      sem_registers(plain);
      with->mods.bytes[HD_GCN_MOD_OP_SEL] = r & 7;
      with->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = r >> 3 & 7;
      for (unsigned n = 0; n < 3; n++) {
         const bool neg = r >> (8 + n) & 1, abs = r >> (12 + n) & 1;
         hd_mach_src(with, n)->flags |=
             (neg ? HD_GCN_OPERAND_NEG : 0) | (abs ? HD_GCN_OPERAND_ABS : 0);
         for (unsigned l = 0; l < HD_GCN_LANES; l++) {
            const unsigned h = (unsigned)(sem_random(&p.seed) % 6);
            uint32_t *x = &p.with->vgpr[SEM_SRC + 4 * n][l];
            uint32_t wide = *x;
            if (with->mods.bytes[HD_GCN_MOD_OP_SEL_HI] >> n & 1) {
               wide = halves[h][1];
               *x = with->mods.bytes[HD_GCN_MOD_OP_SEL] >> n & 1 ? halves[h][0] << 16 | 0x1234
                                                                 : halves[h][0] | 0x12340000;
            }
            p.plain->vgpr[SEM_SRC + 4 * n][l] = (uint32_t)with_sign(32, wide, abs, neg);
         }
      }
      sem_run(p.with, with);
      sem_run(p.plain, plain);
      for (unsigned l = 0; l < HD_GCN_LANES; l++)
         assert_int_equal(p.with->vgpr[SEM_DEF][l], p.plain->vgpr[SEM_DEF][l]);
   }
   end(&p);
}

/* Scalars and constants: all inline ones and literals, as each type reads them. */
static void
constants(void **state)
{
   static const struct {
      unsigned reg;
      uint32_t as32, as16;
      uint64_t as64;
   } rows[] = {
      { 128, 0, 0, 0 },
      { 129, 1, 1, 1 },
      { 192, 64, 64, 64 },
      { 193, 0xffffffff, 0xffff, UINT64_MAX },
      { 208, 0xfffffff0, 0xfff0, UINT64_C(0xfffffffffffffff0) },
      { 240, 0x3f000000, 0x3800, UINT64_C(0x3fe0000000000000) },
      { 241, 0xbf000000, 0xb800, UINT64_C(0xbfe0000000000000) },
      { 242, 0x3f800000, 0x3c00, UINT64_C(0x3ff0000000000000) },
      { 243, 0xbf800000, 0xbc00, UINT64_C(0xbff0000000000000) },
      { 244, 0x40000000, 0x4000, UINT64_C(0x4000000000000000) },
      { 245, 0xc0000000, 0xc000, UINT64_C(0xc000000000000000) },
      { 246, 0x40800000, 0x4400, UINT64_C(0x4010000000000000) },
      { 247, 0xc0800000, 0xc400, UINT64_C(0xc010000000000000) },
      { 248, 0x3e22f983, 0x3118, UINT64_C(0x3fc45f306dc9c882) },
   };
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_gcn_decoded d;

   (void)state;
   for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
      hd_mach_inst *inst = sem_inst(&d, HD_GCN_V_MOV_B32);
      sem_registers(inst);
      *hd_mach_src(inst, 0) = sem_sgpr(rows[n].reg, 1);
      sem_run(wave, inst);
      assert_int_equal(wave->vgpr[SEM_DEF][17], rows[n].as32);

      inst = sem_inst(&d, HD_GCN_S_MOV_B64);
      sem_registers(inst);
      *hd_mach_src(inst, 0) = sem_sgpr(rows[n].reg, 2);
      sem_run(wave, inst);
      assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), rows[n].as64);

      inst = sem_inst(&d, HD_GCN_V_MAX_F16);
      sem_registers(inst);
      inst->form = HD_GCN_FORM_VOP3;
      *hd_mach_src(inst, 0) = *hd_mach_src(inst, 1) = sem_sgpr(rows[n].reg, 1);
      wave->mode = 0xf0;
      sem_run(wave, inst);
      if (rows[n].as16 != 0xffff && rows[n].as16 != 0xfff0) /* these are NaNs */
         assert_int_equal(wave->vgpr[SEM_DEF][17], rows[n].as16);
   }
   /* A literal of 64 bits: the upper half of a double, or a number with its sign. */
   hd_mach_inst *inst = sem_inst(&d, HD_GCN_S_ASHR_I64);
   sem_registers(inst);
   *hd_mach_src(inst, 0) = sem_literal(0x80000000);
   *hd_mach_src(inst, 1) = sem_int(4);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), UINT64_C(0xfffffffff8000000));
   sem_wave_free(wave);

   /* gfx6 has no 1 / (2 pi). */
   wave = sem_wave(HD_GCN_GFX600);
   inst = sem_inst(&d, HD_GCN_V_MOV_B32);
   sem_registers(inst);
   *hd_mach_src(inst, 0) = sem_sgpr(248, 1);
   sem_fails(wave, inst, "gfx6 does not have");
   sem_wave_free(wave);
}

/* What no program may say. */
static void
reserved(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_gcn_decoded d;
   hd_mach_inst *inst = sem_inst(&d, HD_GCN_V_MOV_B32);

   (void)state;
   sem_registers(inst);
   inst->form = HD_GCN_FORM_SDWA;
   inst->mods.bytes[HD_GCN_MOD_SRC_SEL] = 7;
   sem_fails(wave, inst, "SDWA source select 7");
   inst->form = HD_GCN_FORM_DPP;
   inst->mods.halves[HD_GCN_MOD_DPP_CTRL] = 0x131;
   sem_fails(wave, inst, "DPP control");
   inst->mods.halves[HD_GCN_MOD_DPP_CTRL] = 0x100;
   sem_fails(wave, inst, "DPP control");

   inst = sem_inst(&d, HD_GCN_V_ADD_F32);
   sem_registers(inst);
   inst->form = HD_GCN_FORM_VOP3;
   inst->bits = 1 << HD_GCN_OMOD_SHIFT;
   wave->mode = 0x200;
   sem_fails(wave, inst, "IEEE");
   wave->mode = 0x20;
   sem_fails(wave, inst, "denormals");

   inst = sem_inst(&d, HD_GCN_V_MAD_U32_U16);
   sem_registers(inst);
   inst->mods.bytes[HD_GCN_MOD_OP_SEL] = 3;
   sem_run(wave, inst);
   inst->mods.bytes[HD_GCN_MOD_OP_SEL] = 4;
   sem_fails(wave, inst, "the upper half of a source of 32 bits");
   inst->mods.bytes[HD_GCN_MOD_OP_SEL] = 8;
   sem_fails(wave, inst, "the upper half of a result of 32 bits");

   inst = sem_inst(&d, HD_GCN_S_MOV_B64);
   *hd_mach_def(inst, 0) = sem_sgpr(4, 2);
   *hd_mach_src(inst, 0) = sem_sgpr(7, 2);
   sem_fails(wave, inst, "pair");
   *hd_mach_src(inst, 0) = sem_sgpr(6, 2);
   *hd_mach_def(inst, 0) = sem_sgpr(5, 2);
   sem_fails(wave, inst, "invalid operand");
   sem_wave_free(wave);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_form),     cmocka_unit_test(sdwa_preserves),
      cmocka_unit_test(mixed_sources), cmocka_unit_test(constants),
      cmocka_unit_test(reserved),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
