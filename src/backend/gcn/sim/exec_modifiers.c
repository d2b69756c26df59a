/* SPDX-License-Identifier: MIT */
/* exec_modifiers.c - what the forms of a vector instruction do to sources and results.
 *
 *    source   register or constant -> other lanes (DPP) -> a part of it (SDWA, op_sel) ->
 *             sign extension, |x|, -x
 *    result   output modifier -> clamp -> into a part of the register (SDWA, op_sel), other bits
 *             zero, extended or as they were
 */
#include "backend/gcn/sim/exec.h"

#include <string.h>

#include "backend/gcn/sim/lane_bits.h"

/* The mode ------------------------------------------------------------------------------------- */

static hd_round
rounding(uint32_t mode, unsigned shift)
{
   static const hd_round rounds[4] = { HD_ROUND_NEAREST_EVEN, HD_ROUND_UP, HD_ROUND_DOWN,
                                       HD_ROUND_ZERO };
   return rounds[mode >> shift & 3];
}

void
hd_gcn_mode_read(const hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v)
{
   const uint32_t mode = wave->mode;
   const uint32_t denorm32 = mode >> HD_GCN_MODE_DENORM32, denorm64 = mode >> HD_GCN_MODE_DENORM64;

   v->mode = (hd_gcn_mode){
      .round32 = rounding(mode, HD_GCN_MODE_ROUND32),
      .round64 = rounding(mode, HD_GCN_MODE_ROUND64),
      .flush_in32 = !(denorm32 & 1),
      .flush_out32 = !(denorm32 & 2),
      .flush_in64 = !(denorm64 & 1),
      .flush_out64 = !(denorm64 & 2),
      .ieee = mode >> HD_GCN_MODE_IEEE & 1,
      .dx10_clamp = mode >> HD_GCN_MODE_DX10_CLAMP & 1,
      .clamp = inst->bits & HD_GCN_CLAMP,
      .old_minmax = hd_gcn_wave_gen(wave) < HD_GCN_GFX900,
   };
   v->plain = (mode & 0xff) == 0xf0;
}

/* Forms ---------------------------------------------------------------------------------------- */

static bool
is_packed(const hd_mach_inst *inst)
{
   return hd_gcn_op_info_of(inst)->format == HD_GCN_VOP3P;
}

static bool
is_mix(const hd_mach_inst *inst)
{
   return hd_gcn_op_info_of(inst)->mach.flags & HD_GCN_MIX;
}

static bool
is_float(hd_gcn_type type)
{
   return type == HD_GCN_F16 || type == HD_GCN_F32 || type == HD_GCN_F64 || type == HD_GCN_V2F16;
}

/* DPP ------------------------------------------------------------------------------------------ */

/* Where lane l reads; -1: beyond the row or the wave. */
static int
dpp_source(unsigned ctrl, unsigned l)
{
   const unsigned row = l & ~15u, place = l & 15, n = ctrl & 15;

   if (ctrl < 0x100)
      return (int)((l & ~3u) | (ctrl >> 2 * (l & 3) & 3));
   switch (ctrl & ~15u) {
   case 0x100:
      return place + n < 16 ? (int)(l + n) : -1;
   case 0x110:
      return place >= n ? (int)(l - n) : -1;
   case 0x120:
      return (int)(row | ((place - n) & 15));
   default:
      break;
   }
   switch (ctrl) {
   case 0x130:
      return l < 63 ? (int)l + 1 : -1;
   case 0x134:
      return (int)((l + 1) & 63);
   case 0x138:
      return (int)l - 1;
   case 0x13c:
      return (int)((l - 1) & 63);
   case 0x140:
      return (int)(row | (15 - place));
   case 0x141:
      return (int)((l & ~7u) | (7 - (l & 7)));
   case 0x142:
      return (int)row - 1;
   default:
      return l >= 32 ? 31 : -1;
   }
}

static bool
is_dpp_control(unsigned ctrl)
{
   if (ctrl < 0x100)
      return true;
   if (ctrl < 0x130)
      return (ctrl & 15) != 0;
   return ctrl == 0x130 || ctrl == 0x134 || ctrl == 0x138 || ctrl == 0x13c ||
          (ctrl >= 0x140 && ctrl <= 0x143);
}

/* A lane that reads beyond, or from a lane that does not run, reads 0 or is not written. */
static int
dpp_from(const hd_gcn_wave *wave, const hd_mach_inst *inst, unsigned l)
{
   const int from = dpp_source(inst->mods.halves[HD_GCN_MOD_DPP_CTRL], l);
   return from >= 0 && hd_gcn_exec(wave) >> from & 1 ? from : -1;
}

bool
hd_gcn_valu_dpp(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v)
{
   if (!is_dpp_control(inst->mods.halves[HD_GCN_MOD_DPP_CTRL]))
      return hd_gcn_fault(wave, -1, "invalid DPP control 0x%x",
                          inst->mods.halves[HD_GCN_MOD_DPP_CTRL]);
   for (unsigned l = 0; l < LANES; l++) {
      const bool chosen = inst->mods.bytes[HD_GCN_MOD_ROW_MASK] >> l / 16 & 1 &&
                          inst->mods.bytes[HD_GCN_MOD_BANK_MASK] >> l % 16 / 4 & 1;
      if (!chosen || (!(inst->bits & HD_GCN_BOUND_CTRL) && dpp_from(wave, inst, l) < 0))
         v->lanes &= ~(UINT64_C(1) << l);
   }
   return true;
}

static void
dpp_move(const hd_gcn_wave *wave, const hd_mach_inst *inst, unsigned reg, hd_gcn_valu *v)
{
   for (unsigned l = 0; l < LANES; l++) {
      const int from = dpp_from(wave, inst, l);
      v->copy[0][0][l] = from < 0 ? 0 : wave->vgpr[reg][from];
      v->copy_undef[0][0][l] = from < 0 ? 0 : wave->vgpr_undef[reg][from];
   }
}

/* Parts of sources ----------------------------------------------------------------------------- */

/* Shift of the part, and how many bits it has. */
static void
part_of(hd_gcn_sel sel, unsigned *shift, unsigned *bits)
{
   *bits = sel <= HD_GCN_SEL_BYTE_3 ? 8 : sel <= HD_GCN_SEL_WORD_1 ? 16 : 32;
   *shift = sel <= HD_GCN_SEL_BYTE_3   ? 8 * (unsigned)sel
            : sel <= HD_GCN_SEL_WORD_1 ? 16 * ((unsigned)sel - HD_GCN_SEL_WORD_0)
                                       : 0;
}

static bool
select_part(hd_gcn_wave *wave, const hd_mach_inst *inst, unsigned n, bool extend, uint32_t *x)
{
   unsigned shift, bits;

   if (inst->mods.bytes[HD_GCN_MOD_SRC_SEL + n] > HD_GCN_SEL_DWORD)
      return hd_gcn_fault(wave, -1, "invalid SDWA source select %u",
                          inst->mods.bytes[HD_GCN_MOD_SRC_SEL + n]);
   part_of((hd_gcn_sel)inst->mods.bytes[HD_GCN_MOD_SRC_SEL + n], &shift, &bits);
   for (unsigned l = 0; l < LANES; l++)
      x[l] = extend ? (uint32_t)sign_extend(bits, x[l] >> shift)
                    : x[l] >> shift & (uint32_t)low_bits(bits);
   return true;
}

/* Both halves from where op_sel and op_sel_hi say. */
static void
select_halves(const hd_mach_inst *inst, unsigned n, uint32_t *x)
{
   const unsigned low = (inst->mods.bytes[HD_GCN_MOD_OP_SEL] >> n & 1) * 16u,
                  high = (inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] >> n & 1) * 16u;

   for (unsigned l = 0; l < LANES; l++)
      x[l] = (x[l] >> low & 0xffff) | (x[l] >> high & 0xffff) << 16;
}

/* A source of v_mad_mix: 32 bits as they are, or a half that becomes 32 bits. */
static void
select_mixed(const hd_mach_inst *inst, unsigned n, hd_gcn_valu *v)
{
   uint32_t *x = v->copy[n][0], *u = v->copy_undef[n][0];
   const unsigned shift = (inst->mods.bytes[HD_GCN_MOD_OP_SEL] >> n & 1) * 16u;

   if (!(inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] >> n & 1))
      return;
   for (unsigned l = 0; l < LANES; l++) {
      uint64_t half = x[l] >> shift & 0xffff;
      if (v->mode.flush_in64)
         half = hd_float_flush(16, half);
      x[l] = (uint32_t)hd_float_convert(16, 32, half, HD_ROUND_NEAREST_EVEN);
      u[l] = u[l] >> shift & 0xffff ? UINT32_MAX : 0;
   }
}

/* Signs of sources ----------------------------------------------------------------------------- */

static void
change_signs(uint32_t *x, uint32_t *u, uint32_t keep, uint32_t flip)
{
   for (unsigned l = 0; l < LANES; l++) {
      x[l] = (x[l] & keep) ^ flip;
      u[l] &= keep;
   }
}

static void
apply_signs(const hd_mach_inst *inst, hd_mach_operand operand, unsigned n, unsigned bits,
            hd_gcn_valu *v)
{
   const bool neg = operand.flags & HD_GCN_OPERAND_NEG, abs = operand.flags & HD_GCN_OPERAND_ABS;
   const unsigned word = bits == 64;
   uint32_t *x = v->copy[n][word], *u = v->copy_undef[n][word];

   if (!neg && !abs)
      return;
   if (is_packed(inst) && !is_mix(inst)) {
      change_signs(x, u, UINT32_MAX, (neg ? 0x8000u : 0) | (abs ? 0x80000000u : 0));
      return;
   }
   const uint32_t sign = bits == 16 ? 0x8000u : 0x80000000u;
   change_signs(x, u, abs ? ~sign : UINT32_MAX, neg ? sign : 0);
}

/* Sources -------------------------------------------------------------------------------------- */

static unsigned
words_of(unsigned bits)
{
   return bits <= 32 ? 1 : bits / 32;
}

static bool
broadcast(hd_gcn_wave *wave, const hd_mach_inst *inst, unsigned n, unsigned bits, hd_gcn_valu *v)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   hd_gcn_type type = (hd_gcn_type)info->mach.operands[info->mach.num_defs + n].type;
   hd_gcn_scalar s;

   if (is_mix(inst) && inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] >> n & 1)
      type = HD_GCN_F16;
   if (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, n), type, &s))
      return false;
   for (unsigned w = 0; w < words_of(bits) && w < 2; w++) {
      for (unsigned l = 0; l < LANES; l++) {
         v->copy[n][w][l] = (uint32_t)(s.value >> 32 * w);
         v->copy_undef[n][w][l] = (uint32_t)(s.undef >> 32 * w);
      }
   }
   return true;
}

/* Nothing is done to the register on its way. */
static bool
is_direct(const hd_mach_inst *inst, hd_mach_operand operand, unsigned n)
{
   return inst->form != HD_GCN_FORM_SDWA && !(inst->form == HD_GCN_FORM_DPP && n == 0) &&
          !(operand.flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS)) && !is_packed(inst) &&
          !(inst->mods.bytes[HD_GCN_MOD_OP_SEL] >> n & 1);
}

bool
hd_gcn_valu_source(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v, unsigned n)
{
   const hd_mach_operand operand = *hd_mach_src(inst, n);
   const unsigned bits = hd_gcn_valu_ops[inst->op].src[n];

   if (bits == 1) {
      hd_gcn_scalar mask;
      if (!hd_gcn_read_scalar(wave, operand, HD_GCN_B64, &mask))
         return false;
      v->mask = mask.value;
      v->mask_undef = mask.undef;
      return true;
   }
   if (inst->mods.bytes[HD_GCN_MOD_OP_SEL] >> n & 1 && bits != 16 && !is_packed(inst))
      return hd_gcn_fault(wave, -1, "op_sel selects the upper half of a source of %u bits", bits);
   const bool vector = hd_gcn_is_vgpr(operand);
   if (vector && is_direct(inst, operand, n)) {
      v->src[n] = wave->vgpr[hd_gcn_vgpr_of(operand)];
      v->src_undef[n] = wave->vgpr_undef[hd_gcn_vgpr_of(operand)];
      return true;
   }
   v->src[n] = v->copy[n][0];
   v->src_undef[n] = v->copy_undef[n][0];
   if (!vector) {
      if (!broadcast(wave, inst, n, bits, v))
         return false;
   } else if (inst->form == HD_GCN_FORM_DPP && n == 0) {
      dpp_move(wave, inst, hd_gcn_vgpr_of(operand), v);
   } else {
      const size_t size = words_of(bits) * sizeof v->copy[n][0];
      memcpy(v->copy[n], wave->vgpr[hd_gcn_vgpr_of(operand)], size);
      memcpy(v->copy_undef[n], wave->vgpr_undef[hd_gcn_vgpr_of(operand)], size);
   }

   uint32_t *x = v->copy[n][0], *u = v->copy_undef[n][0];
   if (inst->form == HD_GCN_FORM_SDWA && n < 2) {
      const bool extend = operand.flags & HD_GCN_OPERAND_SEXT;
      if (!select_part(wave, inst, n, extend, x) || !select_part(wave, inst, n, extend, u))
         return false;
   } else if (is_mix(inst)) {
      select_mixed(inst, n, v);
   } else if (is_packed(inst)) {
      select_halves(inst, n, x);
      select_halves(inst, n, u);
   } else if (inst->mods.bytes[HD_GCN_MOD_OP_SEL] >> n & 1) {
      for (unsigned l = 0; l < LANES; l++) {
         x[l] >>= 16;
         u[l] >>= 16;
      }
   }
   apply_signs(inst, operand, n, bits, v);
   return true;
}

/* Results -------------------------------------------------------------------------------------- */

static uint64_t
modified(const hd_gcn_mode *m, unsigned bits, uint64_t x, unsigned omod, bool clamp)
{
   static const int scale[4] = { 0, 1, 2, -1 };

   if (omod) {
      x = hd_float_ldexp(bits, hd_float_flush(bits, x), scale[omod]);
      x = hd_float_flush(bits, x);
      if (hd_float_abs(bits, x) == 0)
         x = 0;
   }
   if (clamp && (m->dx10_clamp || !hd_float_is_nan(bits, x)))
      x = hd_float_saturate(bits, x);
   return x;
}

/* A number of which any bit is undefined may become any number. */
static void
modify_undef(hd_gcn_valu *v, hd_gcn_type type)
{
   hd_gcn_foreach_lane(l, v->lanes)
   {
      uint32_t *x = &v->dst_undef[0][0][l], *y = &v->dst_undef[0][1][l];
      if (type == HD_GCN_F64)
         *x = *y = *x | *y ? UINT32_MAX : 0;
      else if (type == HD_GCN_V2F16)
         *x = (*x & 0xffff ? 0xffffu : 0) | (*x >> 16 ? 0xffff0000u : 0);
      else
         *x = *x ? UINT32_MAX : 0;
   }
}

static bool
modify_floats(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v, hd_gcn_type type)
{
   const unsigned omod = (inst->bits & HD_GCN_OMOD_MASK) >> HD_GCN_OMOD_SHIFT;
   const bool clamp = inst->bits & HD_GCN_CLAMP;
   const bool denormals = type == HD_GCN_F32 ? !v->mode.flush_out32 : !v->mode.flush_out64;

   if (!omod && !clamp)
      return true;
   if (omod && (v->mode.ieee || denormals))
      return hd_gcn_fault(wave, -1, "an output modifier where the mode %s, which ignores it",
                          v->mode.ieee ? "is that of the IEEE" : "keeps denormals");
   if (v->undefined)
      modify_undef(v, type);
   for (unsigned l = 0; l < LANES; l++) {
      uint32_t *x = &v->dst[0][0][l], *y = &v->dst[0][1][l];
      uint64_t wide;
      switch (type) {
      case HD_GCN_F64:
         wide = modified(&v->mode, 64, *x | (uint64_t)*y << 32, omod, clamp);
         *x = (uint32_t)wide;
         *y = (uint32_t)(wide >> 32);
         break;
      case HD_GCN_V2F16:
         *x = (uint32_t)modified(&v->mode, 16, *x & 0xffff, omod, clamp) |
              (uint32_t)modified(&v->mode, 16, *x >> 16, omod, clamp) << 16;
         break;
      default:
         *x = (uint32_t)modified(&v->mode, type == HD_GCN_F16 ? 16 : 32, *x, omod, clamp);
      }
   }
   return true;
}

/* Which bits of the register an instruction writes with its result, at which place, and what it
 * leaves in the others.
 */
typedef struct placement {
   unsigned shift;
   uint32_t result;  /* bits that are the result's */
   uint32_t keep;    /* bits that stay */
   uint32_t unknown; /* undefined bits */
   bool extend;
} placement;

static void
place_half(const hd_gcn_wave *wave, const hd_mach_inst *inst, placement *p)
{
   p->result = 0xffff;
   if (hd_gcn_wave_gen(wave) < HD_GCN_GFX900)
      return;
   if (inst->mods.bytes[HD_GCN_MOD_OP_SEL] & 8 || inst->op == HD_GCN_V_MAD_MIXHI_F16) {
      p->shift = 16;
      p->result = 0xffff0000;
      p->keep = 0xffff;
      return;
   }
   switch ((hd_gcn_upper_half)hd_gcn_valu_ops[inst->op].upper) {
   case HD_GCN_UPPER_KEPT:
      p->keep = 0xffff0000;
      break;
   case HD_GCN_UPPER_UNKNOWN:
      p->unknown = 0xffff0000;
      break;
   case HD_GCN_UPPER_ZERO:
      break;
   }
}

static bool
place_part(hd_gcn_wave *wave, const hd_mach_inst *inst, placement *p)
{
   unsigned bits;

   if (inst->mods.bytes[HD_GCN_MOD_DST_SEL] > HD_GCN_SEL_DWORD ||
       inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] > HD_GCN_PRESERVE)
      return hd_gcn_fault(wave, -1, "invalid SDWA destination select %u or dst_unused %u",
                          inst->mods.bytes[HD_GCN_MOD_DST_SEL],
                          inst->mods.bytes[HD_GCN_MOD_DST_UNUSED]);
   part_of((hd_gcn_sel)inst->mods.bytes[HD_GCN_MOD_DST_SEL], &p->shift, &bits);
   p->result = (uint32_t)low_bits(bits) << p->shift;
   p->keep = inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] == HD_GCN_PRESERVE ? ~p->result : 0;
   p->extend = inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] == HD_GCN_SEXT;
   return true;
}

/* The signs above the part are copies of its highest bit. */
static uint32_t
placed(const placement *p, uint32_t x, uint32_t old)
{
   uint32_t y = (x << p->shift & p->result) | (old & p->keep);

   if (p->extend) {
      const uint32_t sign = p->result & ~(p->result >> 1);
      if (y & sign)
         y |= ~(sign | (sign - 1));
   }
   return y;
}

static void
store_lanes(const hd_gcn_valu *v, const placement *p, const uint32_t *x, const uint32_t *u,
            uint32_t *to, uint32_t *to_undef)
{
   hd_gcn_foreach_lane(l, v->lanes)
   {
      to[l] = placed(p, x[l], to[l]);
      to_undef[l] = placed(p, u[l], to_undef[l]) | p->unknown;
   }
}

static void
store_whole(const hd_gcn_valu *v, const uint32_t *x, const uint32_t *u, uint32_t *to,
            uint32_t *to_undef)
{
   if (v->lanes == UINT64_MAX) {
      memcpy(to, x, LANES * sizeof *to);
      if (v->undefined)
         memcpy(to_undef, u, LANES * sizeof *to);
      else
         memset(to_undef, 0, LANES * sizeof *to);
      return;
   }
   hd_gcn_foreach_lane(l, v->lanes)
   {
      to[l] = x[l];
      to_undef[l] = v->undefined ? u[l] : 0;
   }
}

/* A mask: 0 for inactive lanes; undefined for lanes that DPP leaves out. */
static bool
store_mask(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_valu *v, unsigned n)
{
   const uint64_t left_out = hd_gcn_exec(wave) & ~v->lanes;
   const hd_gcn_scalar mask = { v->mask_out & v->lanes,
                                ((v->undefined ? v->mask_out_undef : 0) & v->lanes) | left_out };

   if (!hd_gcn_write_scalar(wave, *hd_mach_def(inst, n), mask))
      return false;
   /* v_cmpx names exec after the mask. */
   return n + 1 >= inst->num_defs || hd_mach_def(inst, n + 1)->reg != HD_GCN_EXEC ||
          hd_gcn_write_scalar(wave, *hd_mach_def(inst, n + 1), mask);
}

bool
hd_gcn_valu_result(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v, unsigned n)
{
   const unsigned bits = hd_gcn_valu_ops[inst->op].dst[n];
   const hd_gcn_type type = (hd_gcn_type)hd_gcn_op_info_of(inst)->mach.operands[n].type;
   placement p = { .result = UINT32_MAX };

   if (bits == 1)
      return store_mask(wave, inst, v, n);
   if (inst->mods.bytes[HD_GCN_MOD_OP_SEL] & 8 && bits != 16 && !is_packed(inst))
      return hd_gcn_fault(wave, -1, "op_sel selects the upper half of a result of %u bits", bits);
   if (n == 0 && is_float(type) && !modify_floats(wave, inst, v, type))
      return false;

   const unsigned reg = hd_gcn_vgpr_of(*hd_mach_def(inst, n));
   if (inst->form == HD_GCN_FORM_SDWA && inst->mods.bytes[HD_GCN_MOD_DST_SEL] != HD_GCN_SEL_DWORD) {
      if (!place_part(wave, inst, &p))
         return false;
   } else if (bits == 16) {
      place_half(wave, inst, &p);
   } else {
      for (unsigned w = 0; w < words_of(bits); w++)
         store_whole(v, v->dst[n][w], v->dst_undef[n][w], wave->vgpr[reg + w],
                     wave->vgpr_undef[reg + w]);
      return true;
   }
   if (!v->undefined)
      memset(v->dst_undef[n][0], 0, sizeof v->dst_undef[n][0]);
   store_lanes(v, &p, v->dst[n][0], v->dst_undef[n][0], wave->vgpr[reg], wave->vgpr_undef[reg]);
   return true;
}
