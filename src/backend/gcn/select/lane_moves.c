/* SPDX-License-Identifier: MIT */
/* lane_moves.c - instruction selection of cross-lane moves, dword by dword: DPP, ds_swizzle, ds_bpermute.
 *
 *    read_first, broadcast         v_readfirstlane, v_readlane
 *    within a quad                 DPP quad_perm; gfx6: ds_swizzle
 *    exclusive-or, shifts, rotations   DPP where there is a pattern, else ds_swizzle within 32 lanes,
 *                                  else ds_bpermute
 *    any lane                      ds_bpermute
 *
 * gfx6 has no ds_bpermute: lower_shuffle has expanded such moves to loops. A boolean is moved as a
 * dword, or its bit is read from the mask. A value from an inactive lane is undefined; a uniform value
 * need not be moved.
 */
#include "backend/gcn/select/alu.h"
#include "backend/gcn/select/lane_masks.h"

#include "analysis/known_bits.h"
#include "backend/gcn/select/stage.h"
#include "heddle/intrinsic_enum.h"

typedef enum way {
   COPY, /* as it is */
   FIRST,
   LANE,     /* `lane` is a scalar */
   DPP,      /* `code` is its control */
   SWIZZLE,  /* `code` is the offset */
   BPERMUTE, /* `lane` times 4 is a vector, `code` is added */
   IMPOSSIBLE,
} way;

typedef struct move {
   way way;
   unsigned code;
   hd_mach_operand lane;
} move;

/* DPP controls */
#define QUAD_PERM(a, b, c, d) ((a) | (b) << 2 | (c) << 4 | (d) << 6)
#define ROW_ROR               0x120u /* plus 1 to 15: from the lane so far below, round 16 */
#define WAVE_SHL_1            0x130u /* from the lane above */
#define WAVE_ROL_1            0x134u
#define WAVE_SHR_1            0x138u
#define WAVE_ROR_1            0x13cu
#define ROW_MIRROR            0x140u
#define ROW_HALF_MIRROR       0x141u

#define SWIZZLE_QUAD   0x8000u
#define SWIZZLE_XOR(n) ((n) << 10 | 0x1fu)

/* Moving one dword */

/* The first source comes from another lane. */
static void
set_dpp(hd_mach_inst *inst, unsigned control)
{
   inst->form = HD_GCN_FORM_DPP;
   inst->bits |= HD_GCN_BOUND_CTRL;
   inst->mods.halves[HD_GCN_MOD_DPP_CTRL] = (uint16_t)control;
   inst->mods.bytes[HD_GCN_MOD_ROW_MASK] = inst->mods.bytes[HD_GCN_MOD_BANK_MASK] = 0xf;
}

static hd_mach_operand
move_dword(hd_gcn_selector *s, const move *m, hd_mach_operand v)
{
   const hd_mach_operand d =
       m->way == FIRST || m->way == LANE ? hd_gcn_new(s, HD_GCN_SGPR, 1) : hd_gcn_new_vector(s);
   hd_mach_inst *inst;

   v = hd_gcn_to_file(s, HD_GCN_VGPR, v);
   switch (m->way) {
   case FIRST:
      hd_gcn_emit1(s, HD_GCN_V_READFIRSTLANE_B32, d, v);
      break;
   case LANE:
      hd_gcn_emit2(s, HD_GCN_V_READLANE_B32, d, v, m->lane);
      break;
   case DPP:
      set_dpp(hd_gcn_emit1(s, HD_GCN_V_MOV_B32, d, v), m->code);
      break;
   case SWIZZLE:
      inst = hd_gcn_emit1(s, HD_GCN_DS_SWIZZLE_B32, d, v);
      inst->imm = (int32_t)m->code;
      break;
   default:
      inst = hd_gcn_emit2(s, HD_GCN_DS_BPERMUTE_B32, d, m->lane, v);
      inst->imm = (int32_t)m->code;
      break;
   }
   return d;
}

/* The bit of one lane as a uniform boolean. */
static hd_mach_operand
bit_of_lane(hd_gcn_selector *s, const move *m, hd_mach_operand mask)
{
   hd_mach_operand lane = m->lane;

   if (m->way == FIRST) {
      lane = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit1(s, HD_GCN_S_FF1_I32_B64, lane, hd_gcn_exec());
   }
   hd_gcn_emit2(s, HD_GCN_S_BITCMP1_B64, (hd_mach_operand){ 0 }, mask, lane);
   return hd_gcn_from_scc(s, false);
}

static hd_mach_operand
move_boolean(hd_gcn_selector *s, const move *m, hd_mach_operand boolean)
{
   hd_mach_operand d, dword;

   if (!hd_gcn_is_mask(s, boolean))
      return boolean;
   if (m->way == FIRST || m->way == LANE)
      return bit_of_lane(s, m, boolean);
   dword = hd_gcn_new_vector(s);
   hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, dword, hd_gcn_imm(s, 0), hd_gcn_imm(s, 1), boolean);
   d = hd_gcn_new_mask(s);
   hd_gcn_emit2(s, HD_GCN_V_CMP_NE_U32, d, hd_gcn_imm(s, 0), move_dword(s, m, dword));
   return d;
}

static hd_mach_operand
move_component(hd_gcn_selector *s, const move *m, const hd_def *value, unsigned c)
{
   const hd_mach_operand v = hd_gcn_component(s, value, c);
   hd_mach_operand parts[2] = { { 0 } }, moved[2] = { { 0 } };

   if (m->way == COPY)
      return v;
   if (value->bit_size == 1)
      return move_boolean(s, m, v);
   if (hd_gcn_file_of(s, v) == HD_GCN_SGPR)
      return v;
   hd_gcn_parts(s, v, 1, parts);
   for (unsigned n = 0; n < v.size; n++)
      moved[n] = move_dword(s, m, parts[n]);
   return hd_gcn_join(s, hd_gcn_file_of(s, moved[0]), v.size, moved);
}

static bool
finish(hd_gcn_selector *s, const hd_intrinsic *i, const move *m)
{
   const hd_def *value = i->src[0].def;
   hd_mach_operand parts[HD_MAX_COMPONENTS];

   if (m->way == IMPOSSIBLE)
      return hd_mach_refuse(s->p, &i->instr, "a shuffle by a variable lane: run lower_shuffle");
   for (unsigned c = 0; c < value->num_components; c++)
      parts[c] = move_component(s, m, value, c);
   hd_gcn_set_parts(s, &i->instr.def, parts);
   return true;
}

/* Which way */

static bool
constant(const hd_src *src, uint32_t *value)
{
   const hd_const *c = hd_src_as_const(src);

   if (c)
      *value = c->value[0].u32;
   return c != NULL;
}

static move
by_quad(const hd_gcn_selector *s, unsigned perm)
{
   if (hd_gcn_target_in(s->p)->has_dpp)
      return (move){ .way = DPP, .code = perm };
   return (move){ .way = SWIZZLE, .code = SWIZZLE_QUAD | perm };
}

static bool
has_bpermute(const hd_gcn_selector *s)
{
   return hd_gcn_target_in(s->p)->gen != HD_GCN_GFX600;
}

/* From the lane with this number. */
static move
by_index(hd_gcn_selector *s, hd_mach_operand lane, unsigned more)
{
   const hd_mach_operand bytes = hd_gcn_new_vector(s);

   if (!has_bpermute(s))
      return (move){ .way = IMPOSSIBLE };
   hd_gcn_emit2(s, HD_GCN_V_LSHLREV_B32, bytes, hd_gcn_imm(s, 2), lane);
   return (move){ .way = BPERMUTE, .lane = bytes, .code = 4 * more };
}

static move
by_xor(hd_gcn_selector *s, const hd_src *distance)
{
   const hd_mach_operand lane = hd_gcn_new_vector(s);
   uint32_t d;

   if (constant(distance, &d)) {
      /* Where there is no such lane anything will do. */
      if (d == 0 || d >= 64)
         return (move){ .way = COPY };
      if (d < 4)
         return by_quad(s, QUAD_PERM(d, 1 ^ d, 2 ^ d, 3 ^ d));
      if (hd_gcn_target_in(s->p)->has_dpp && (d == 7 || d == 8 || d == 15))
         return (move){ .way = DPP,
                        .code = d == 7   ? ROW_HALF_MIRROR
                                : d == 8 ? ROW_ROR + 8
                                         : ROW_MIRROR };
      if (d < 32)
         return (move){ .way = SWIZZLE, .code = SWIZZLE_XOR(d) };
   }
   if (!has_bpermute(s))
      return (move){ .way = IMPOSSIBLE };
   hd_mach_operand own = hd_gcn_lane(s);
   hd_gcn_emit2(s, HD_GCN_V_XOR_B32, lane, hd_gcn_value(s, distance->def), own);
   return by_index(s, lane, 0);
}

/* ds_bpermute takes numbers modulo 64. */
static move
by_distance(hd_gcn_selector *s, const hd_src *distance, bool up)
{
   uint32_t d;

   if (constant(distance, &d)) {
      if (d == 0 || d >= 64)
         return (move){ .way = COPY };
      if (d == 1 && hd_gcn_target_in(s->p)->has_dpp)
         return (move){ .way = DPP, .code = up ? WAVE_SHR_1 : WAVE_SHL_1 };
      return has_bpermute(s) ? by_index(s, hd_gcn_lane(s), up ? 64 - d : d)
                             : (move){ .way = IMPOSSIBLE };
   }
   if (!has_bpermute(s))
      return (move){ .way = IMPOSSIBLE };
   hd_mach_operand by = hd_gcn_in_sgprs(s, distance->def);
   if (up) {
      const hd_mach_operand down = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit2(s, HD_GCN_S_SUB_U32, down, hd_gcn_imm(s, 0), by);
      by = down;
   }
   return by_index(s, hd_gcn_add(s, hd_gcn_lane(s), by), 0);
}

static unsigned
cluster_of(const hd_intrinsic *i)
{
   const uint32_t cluster = hd_intrinsic_indices(i)[0];

   return cluster && cluster < 64 ? cluster : 64;
}

/* Turns in clusters where the machine has a pattern for them; else way is IMPOSSIBLE. */
static move
turn_pattern(const hd_gcn_selector *s, unsigned cluster, unsigned d)
{
   const bool dpp = hd_gcn_target_in(s->p)->has_dpp;

   if (d == 0)
      return (move){ .way = COPY };
   if (cluster == 2)
      return by_quad(s, QUAD_PERM(1, 0, 3, 2));
   if (cluster == 4)
      return by_quad(s, QUAD_PERM(d, (1 + d) % 4, (2 + d) % 4, (3 + d) % 4));
   if (cluster == 16 && dpp)
      return (move){ .way = DPP, .code = ROW_ROR + 16 - d };
   if (cluster == 64 && dpp && (d == 1 || d == 63))
      return (move){ .way = DPP, .code = d == 1 ? WAVE_ROL_1 : WAVE_ROR_1 };
   /* Half of the cluster round is the same either way. */
   if (2 * d == cluster && cluster <= 32)
      return (move){ .way = SWIZZLE, .code = SWIZZLE_XOR(d) };
   return (move){ .way = IMPOSSIBLE };
}

static move
by_turn(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const unsigned cluster = cluster_of(i);
   uint32_t d;

   if (cluster == 1)
      return (move){ .way = COPY };
   if (constant(&i->src[1], &d)) {
      d %= cluster;
      const move m = turn_pattern(s, cluster, d);
      if (m.way != IMPOSSIBLE || !has_bpermute(s))
         return m;
      if (cluster == 64)
         return by_index(s, hd_gcn_lane(s), d);
   }
   if (!has_bpermute(s))
      return (move){ .way = IMPOSSIBLE };
   hd_mach_operand distance = hd_gcn_value(s, i->src[1].def);
   hd_mach_operand lane = hd_gcn_add(s, hd_gcn_lane(s), distance);
   if (cluster < 64) {
      const hd_mach_operand within = hd_gcn_new_vector(s);
      hd_gcn_emit3(s, HD_GCN_V_BFI_B32, within, hd_gcn_imm(s, cluster - 1), lane, hd_gcn_lane(s));
      lane = within;
   }
   return by_index(s, lane, 0);
}

static move
by_quad_lane(hd_gcn_selector *s, const hd_src *number)
{
   const hd_mach_operand lane = hd_gcn_new_vector(s);
   uint32_t n;

   if (constant(number, &n)) {
      n %= 4;
      return by_quad(s, QUAD_PERM(n, n, n, n));
   }
   if (!has_bpermute(s))
      return (move){ .way = IMPOSSIBLE };
   hd_mach_operand own = hd_gcn_lane(s);
   hd_gcn_emit3(s, HD_GCN_V_BFI_B32, lane, hd_gcn_imm(s, 3),
                hd_gcn_to_file(s, HD_GCN_VGPR, hd_gcn_value(s, number->def)), own);
   return by_index(s, lane, 0);
}

/* A scalar as the number of a lane: where there is no such lane any will do, but one must be named.
 */
static hd_mach_operand
existing_lane(hd_gcn_selector *s, const hd_def *number)
{
   const hd_mach_operand lane = hd_gcn_in_sgprs(s, number);

   if (hd_known_most(hd_known_bits_of(number), 32) < 64)
      return lane;
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit2(s, HD_GCN_S_AND_B32, d, lane, hd_gcn_imm(s, 63));
   return d;
}

/* Any lane for each: a boolean is looked up in its mask, which gfx6 can too. */
static bool
select_shuffle(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_def *value = i->src[0].def;
   const hd_mach_operand number = hd_gcn_value(s, i->src[1].def);
   hd_mach_operand parts[HD_MAX_COMPONENTS];

   if (hd_gcn_file_of(s, number) == HD_GCN_SGPR) {
      uint64_t known;
      const hd_mach_operand lane = hd_gcn_operand_value(number, HD_GCN_B32, &known)
                                       ? hd_gcn_imm(s, (uint32_t)known & 63)
                                       : existing_lane(s, i->src[1].def);
      return finish(s, i, &(move){ .way = LANE, .lane = lane });
   }
   if (value->bit_size > 1) {
      const move m = by_index(s, number, 0);
      return finish(s, i, &m);
   }
   for (unsigned c = 0; c < value->num_components; c++) {
      const hd_mach_operand boolean = hd_gcn_component(s, value, c);
      parts[c] = hd_gcn_is_mask(s, boolean) ? hd_gcn_bit_at(s, boolean, number) : boolean;
   }
   hd_gcn_set_parts(s, &i->instr.def, parts);
   return true;
}

/* Derivatives: the difference of two lanes of the quad. */

static hd_mach_operand
difference(hd_gcn_selector *s, unsigned bits, hd_mach_operand high, hd_mach_operand low)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, bits == 64 ? 2 : 1);

   if (bits == 64) {
      low.flags |= HD_GCN_OPERAND_NEG;
      hd_gcn_emit2(s, HD_GCN_V_ADD_F64, d, high, low);
   } else if (bits == 32) {
      hd_gcn_emit2(s, HD_GCN_V_SUB_F32, d, high, low);
   } else if (hd_gcn_target_in(s->p)->has_16bit) {
      hd_gcn_emit2(s, HD_GCN_V_SUB_F16, d, high, low);
   } else {
      /* 24 bits are enough to round twice in the same direction and get what rounding once gives. */
      const unsigned mode = hd_gcn_float_mode(s->p->shader->float_controls),
                     as_16 = hd_gcn_float_mode_as_16(mode);
      const hd_mach_operand x = hd_gcn_new_vector(s), y = hd_gcn_new_vector(s),
                            wide = hd_gcn_new_vector(s);
      hd_gcn_emit1(s, HD_GCN_V_CVT_F32_F16, x, high);
      hd_gcn_emit1(s, HD_GCN_V_CVT_F32_F16, y, low);
      hd_gcn_set_float_mode(s, mode, as_16);
      hd_gcn_emit2(s, HD_GCN_V_SUB_F32, wide, x, y);
      hd_gcn_set_float_mode(s, as_16, mode);
      hd_gcn_emit1(s, HD_GCN_V_CVT_F16_F32, d, wide);
   }
   return d;
}

/* What both derivatives of a value are differences to is moved once. */
static hd_mach_operand
lower_lane(hd_gcn_selector *s, const move *m, const hd_def *value, unsigned c)
{
   hd_gcn_quad_lanes *known = s->stage ? &s->stage->quad_lanes : NULL;

   for (unsigned n = 0; known && n < HD_GCN_QUAD_LANES; n++) {
      if (known->lanes[n].value == value && known->lanes[n].component == c &&
          known->lanes[n].code == m->code && known->lanes[n].block == s->block)
         return known->lanes[n].moved;
   }
   const hd_mach_operand moved = move_component(s, m, value, c);
   if (known) {
      known->lanes[known->next].value = value;
      known->lanes[known->next].component = c;
      known->lanes[known->next].code = m->code;
      known->lanes[known->next].block = s->block;
      known->lanes[known->next].moved = moved;
      known->next = (known->next + 1) % HD_GCN_QUAD_LANES;
   }
   return moved;
}

static bool
select_derivative(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_def *value = i->src[0].def;
   hd_mach_operand parts[HD_MAX_COMPONENTS];
   unsigned high, low;

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_DDX_FINE:
      high = QUAD_PERM(1, 1, 3, 3), low = QUAD_PERM(0, 0, 2, 2);
      break;
   case HD_INTRINSIC_DDY_FINE:
      high = QUAD_PERM(2, 3, 2, 3), low = QUAD_PERM(0, 1, 0, 1);
      break;
   case HD_INTRINSIC_DDX:
   case HD_INTRINSIC_DDX_COARSE:
      high = QUAD_PERM(1, 1, 1, 1), low = QUAD_PERM(0, 0, 0, 0);
      break;
   default:
      high = QUAD_PERM(2, 2, 2, 2), low = QUAD_PERM(0, 0, 0, 0);
      break;
   }
   const move from_high = by_quad(s, high), from_low = by_quad(s, low);
   for (unsigned c = 0; c < value->num_components; c++) {
      const hd_mach_operand y = lower_lane(s, &from_low, value, c);
      if (from_high.way == DPP && value->bit_size == 32) {
         const hd_mach_operand x = hd_gcn_to_file(s, HD_GCN_VGPR, hd_gcn_component(s, value, c));
         const hd_mach_operand least = hd_gcn_to_file(s, HD_GCN_VGPR, y);
         parts[c] = hd_gcn_new(s, HD_GCN_VGPR, 1);
         set_dpp(hd_gcn_emit2(s, HD_GCN_V_SUB_F32, parts[c], x, least), high);
         continue;
      }
      parts[c] = difference(s, value->bit_size, move_component(s, &from_high, value, c), y);
   }
   hd_gcn_set_parts(s, &i->instr.def, parts);
   return true;
}

static move
choose(hd_gcn_selector *s, const hd_intrinsic *i)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_READ_FIRST:
      return (move){ .way = FIRST };
   case HD_INTRINSIC_BROADCAST: {
      uint32_t known;
      if (constant(&i->src[1], &known))
         return (move){ .way = LANE, .lane = hd_gcn_imm(s, known & 63) };
      return (move){ .way = LANE, .lane = existing_lane(s, i->src[1].def) };
   }
   case HD_INTRINSIC_SHUFFLE_XOR:
      return by_xor(s, &i->src[1]);
   case HD_INTRINSIC_SHUFFLE_UP:
      return by_distance(s, &i->src[1], true);
   case HD_INTRINSIC_SHUFFLE_DOWN:
      return by_distance(s, &i->src[1], false);
   case HD_INTRINSIC_ROTATE:
      return by_turn(s, i);
   case HD_INTRINSIC_QUAD_BROADCAST:
      return by_quad_lane(s, &i->src[1]);
   case HD_INTRINSIC_QUAD_SWAP_HORIZONTAL:
      return by_quad(s, QUAD_PERM(1, 0, 3, 2));
   case HD_INTRINSIC_QUAD_SWAP_VERTICAL:
      return by_quad(s, QUAD_PERM(2, 3, 0, 1));
   default: /* quad_swap_diagonal */
      return by_quad(s, QUAD_PERM(3, 2, 1, 0));
   }
}

bool
hd_gcn_select_move(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr.op;

   if (id >= HD_INTRINSIC_DDX && id <= HD_INTRINSIC_DDY_COARSE)
      return select_derivative(s, i);
   if (id == HD_INTRINSIC_SHUFFLE)
      return select_shuffle(s, i);
   if (id < HD_INTRINSIC_READ_FIRST || id > HD_INTRINSIC_QUAD_SWAP_DIAGONAL)
      return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s",
                            hd_intrinsic_get_info(id)->name);
   if (id >= HD_INTRINSIC_REDUCE && id <= HD_INTRINSIC_EXCLUSIVE_SCAN)
      return hd_gcn_select_combine(s, i);
   const move m = choose(s, i);
   return finish(s, i, &m);
}
