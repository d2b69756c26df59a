/* SPDX-License-Identifier: MIT */
/* lower_combine.c - expand wave reductions and scans by DPP.
 *
 *    s0 = p_reduce v1 (iadd)  =>   s_or_saveexec_b64 s[2:3], -1
 *                                  v_cndmask_b32 v9, 0, v1, s[2:3]
 *                                  v_add_u32_dpp v9, v9, v9 quad_perm:[1,0,3,2]
 *                                  v_add_u32_dpp v9, v9, v9 quad_perm:[2,3,0,1]
 *                                  v_add_u32_dpp v9, v9, v9 row_half_mirror
 *                                  v_add_u32_dpp v9, v9, v9 row_mirror
 *                                  v_add_u32_dpp v9, v9, v9 row_bcast:15 row_mask:0xa
 *                                  v_add_u32_dpp v9, v9, v9 row_bcast:31 row_mask:0xc
 *                                  v_readlane_b32 s0, v9, 63
 *                                  s_mov_b64 exec, s[2:3]
 *
 * Inactive lanes get the identity and take part. Which register may be written in them? If all
 * lanes of the wave are active whenever the block runs (hd_mach_block.exec_full), inactive lanes
 * hold no live value: the result register serves. Elsewhere a waiting lane may have a live value in
 * any allocated register; so registers after all others, `own`, are reserved that hold no value of
 * any lane (as ACO's linear VGPRs). If a wave starts with 64 lanes, exec need not be changed.
 *
 * A reduction to a scalar register may wait for a later one of its block, and both share the masks:
 *
 *    s0 = p_reduce v1 (umin)       v_add_u32 v2, v2, v4
 *    v_add_u32 v2, v2, v4          s_or_saveexec_b64 s[2:3], -1
 *    s1 = p_reduce v2 (umax)   =>  ...
 *                                  v_readlane_b32 s0, v9, 63
 *                                  ...
 *                                  v_readlane_b32 s1, v9, 63
 *                                  s_mov_b64 exec, s[2:3]
 *
 * What is between needs nothing of it and keeps v1, and so runs before with the lanes that it has.
 *
 * In each step a lane combines with its source lane; a lane without one (row_shr) keeps its value,
 * or reads 0 if that is the identity. Ops without a DPP form (v_mul_lo_u32) move first, over the
 * identity.
 *
 * Requires: registers are assigned.
 * Tests:    tests/backend/gcn/test_combine.c
 */
#include "backend/gcn/combine.h"

#include <string.h>

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/program.h"

#define QUAD_PERM(a, b, c, d) ((a) | (b) << 2 | (c) << 4 | (d) << 6)
#define ROW_SHR               0x110u /* plus 1 to 15: from the lane so far below in the row of 16 */
#define WAVE_SHR_1            0x138u
#define ROW_MIRROR            0x140u
#define ROW_HALF_MIRROR       0x141u
#define ROW_BCAST_15          0x142u /* from the last lane of the row before */
#define ROW_BCAST_31          0x143u /* rows 2 and 3: from lane 31 */
#define SWIZZLE_XOR_16        (16u << 10 | 0x1fu)

/* A step: by `ctrl` in the rows of the mask. */
struct step {
   uint16_t ctrl;
   uint8_t rows;
   bool misses; /* lanes of these rows have no source lane */
};

/* Each doubles the cluster; 32 is not made of rows. */
static const struct step of_rows[] = {
   { QUAD_PERM(1, 0, 3, 2), 0xf, false },
   { QUAD_PERM(2, 3, 0, 1), 0xf, false },
   { ROW_HALF_MIRROR, 0xf, false },
   { ROW_MIRROR, 0xf, false },
};
static const struct step scan_of_rows[] = {
   { ROW_SHR + 1, 0xf, true },
   { ROW_SHR + 2, 0xf, true },
   { ROW_SHR + 4, 0xf, true },
   { ROW_SHR + 8, 0xf, true },
};
/* The last lane of each row knows what the row comes to; in the end lane 63 knows all. */
static const struct step across_rows[] = {
   { ROW_BCAST_15, 0xa, false },
   { ROW_BCAST_31, 0xc, false },
};
#define NUM(steps) (sizeof(steps) / sizeof((steps)[0]))

static const uint16_t machine_ops[] = {
   [HD_REDUCE_IADD] = HD_GCN_V_ADD_U32, [HD_REDUCE_IMUL] = HD_GCN_V_MUL_LO_U32,
   [HD_REDUCE_IMIN] = HD_GCN_V_MIN_I32, [HD_REDUCE_IMAX] = HD_GCN_V_MAX_I32,
   [HD_REDUCE_UMIN] = HD_GCN_V_MIN_U32, [HD_REDUCE_UMAX] = HD_GCN_V_MAX_U32,
   [HD_REDUCE_IAND] = HD_GCN_V_AND_B32, [HD_REDUCE_IOR] = HD_GCN_V_OR_B32,
   [HD_REDUCE_IXOR] = HD_GCN_V_XOR_B32, [HD_REDUCE_FMIN] = HD_GCN_V_MIN_F32,
   [HD_REDUCE_FMAX] = HD_GCN_V_MAX_F32,
};

#define MAX_DISTANCE 32u /* instructions that a reduction waits for */

typedef struct combining {
   hd_mach_program *p;
   hd_mach_block *block;
   hd_mach_inst *inst;
   hd_mach_inst *before; /* what steps are put before */
   hd_gcn_op op;
   bool has_dpp;
   uint32_t identity;
   unsigned value;  /* the register that holds what has been combined */
   unsigned sum;    /* where it is combined: becomes `value` with the first step */
   unsigned helper; /* another one */
} combining;

static hd_gcn_op
machine_op(const hd_mach_program *p, hd_reduce_op op)
{
   if (op == HD_REDUCE_IADD && !hd_gcn_target_in(p)->add_no_carry)
      return HD_GCN_V_ADD_CO_U32;
   return (hd_gcn_op)machine_ops[op];
}

static uint32_t
identity_of(hd_reduce_op value)
{
   const hd_op op = hd_index_get_info(HD_INDEX_REDUCE_OP)->values[value].op;

   return (uint32_t)hd_element_value((hd_element)hd_op_get_info(op)->identity, 32);
}

static hd_mach_operand
constant(const combining *c, uint32_t bits)
{
   return hd_gcn_operand_const(hd_gcn_target_in(c->p)->gen, HD_GCN_B32, bits);
}

static bool
is_inline(const combining *c, uint32_t bits)
{
   return constant(c, bits).reg != HD_GCN_LITERAL;
}

static hd_mach_operand
vector(unsigned reg)
{
   return hd_mach_operand_reg(reg, 1);
}

static hd_mach_operand
exec(void)
{
   return hd_mach_operand_reg(HD_GCN_EXEC, 2);
}

static hd_mach_inst *
emit(const combining *c, hd_gcn_op op, hd_mach_operand def, hd_mach_operand a, hd_mach_operand b)
{
   hd_mach_inst *inst = hd_gcn_make_op(c->p, op, def, a, b);

   if (hd_gcn_op_infos[op].opcode[hd_gcn_target_in(c->p)->gen] < 0)
      inst->form = HD_GCN_FORM_VOP3;
   inst->loc = c->inst->loc;
   hd_mach_inst_insert_before(c->block, inst, c->before);
   return inst;
}

static void
move(const combining *c, unsigned to, hd_mach_operand from)
{
   if (to != from.reg)
      emit(c, HD_GCN_V_MOV_B32, vector(to), from, (hd_mach_operand){ 0 });
}

/* What it leaves in some lanes it reads: one source more. */
static void
add_old(const combining *c, hd_mach_inst *inst)
{
   const unsigned num = (unsigned)inst->num_defs + inst->num_srcs;
   hd_mach_operand *operands = hd_stack_alloc(c->p->stack, (num + 1) * sizeof(*operands));

   memcpy(operands, inst->operands, num * sizeof(*operands));
   operands[num] = *hd_mach_def(inst, 0);
   inst->operands = operands;
   inst->num_srcs++;
}

static void
set_dpp(const combining *c, hd_mach_inst *inst, const struct step *step, bool zero)
{
   inst->form = HD_GCN_FORM_DPP;
   inst->bits = zero ? HD_GCN_BOUND_CTRL : 0;
   inst->mods.halves[HD_GCN_MOD_DPP_CTRL] = step->ctrl;
   inst->mods.bytes[HD_GCN_MOD_ROW_MASK] = step->rows;
   inst->mods.bytes[HD_GCN_MOD_BANK_MASK] = 0xf;
   if (hd_gcn_keeps_old(hd_gcn_target_in(c->p)->gen, inst))
      add_old(c, inst);
}

static void
take_step(combining *c, const struct step *step)
{
   const bool all = step->rows == 0xf && !step->misses;
   const bool zero = all || (step->misses && c->identity == 0);

   if (!c->has_dpp) {
      if (!all)
         move(c, c->helper, constant(c, c->identity));
      set_dpp(
          c, emit(c, HD_GCN_V_MOV_B32, vector(c->helper), vector(c->value), (hd_mach_operand){ 0 }),
          step, all);
      emit(c, c->op, vector(c->sum), vector(c->value), vector(c->helper));
   } else {
      if (!zero) {
         move(c, c->sum, vector(c->value));
         c->value = c->sum;
      }
      set_dpp(c, emit(c, c->op, vector(c->sum), vector(c->value), vector(c->value)), step, zero);
   }
   c->value = c->sum;
}

static void
take_steps(combining *c, const struct step *steps, unsigned num)
{
   for (unsigned n = 0; n < num; n++)
      take_step(c, &steps[n]);
}

/* Halves of 32 lanes. */
static void
swap_rows(combining *c)
{
   emit(c, HD_GCN_DS_SWIZZLE_B32, vector(c->helper), vector(c->value), (hd_mach_operand){ 0 })
       ->imm = SWIZZLE_XOR_16;
   emit(c, c->op, vector(c->sum), vector(c->value), vector(c->helper));
   c->value = c->sum;
}

/* In `to`: the value of the active lanes, and the identity in all others. */
static void
fill(combining *c, unsigned to, hd_mach_operand active)
{
   hd_mach_operand identity = constant(c, c->identity);

   if (!is_inline(c, c->identity)) {
      move(c, c->helper, identity);
      identity = vector(c->helper);
   }
   hd_mach_inst *choice = emit(c, HD_GCN_V_CNDMASK_B32, vector(to), identity, vector(c->value));
   choice->form = HD_GCN_FORM_VOP3;
   *hd_mach_src(choice, 2) = active;
   c->value = to;
}

/* Each lane takes what the lane below it has; the first has the identity. */
static void
shift(combining *c)
{
   static const struct step from_below = { WAVE_SHR_1, 0xf, true };
   const bool zero = c->identity == 0;

   if (c->value == c->sum) {
      move(c, c->helper, vector(c->value));
      c->value = c->helper;
   }
   if (!zero)
      move(c, c->sum, constant(c, c->identity));
   set_dpp(c, emit(c, HD_GCN_V_MOV_B32, vector(c->sum), vector(c->value), (hd_mach_operand){ 0 }),
           &from_below, zero);
   c->value = c->sum;
}

static void
combine(combining *c, unsigned cluster)
{
   unsigned steps = 0;

   if (c->inst->op != HD_GCN_P_REDUCE) {
      take_steps(c, scan_of_rows, NUM(scan_of_rows));
   } else {
      while (steps < NUM(of_rows) && 2u << steps <= cluster)
         steps++;
      take_steps(c, of_rows, steps);
   }
   if (cluster == 64)
      take_steps(c, across_rows, NUM(across_rows));
   else if (cluster == 32)
      swap_rows(c);
}

static bool
starts_full(const hd_mach_program *p)
{
   const uint32_t lanes = hd_gcn_workgroup_lanes(p->shader);

   return hd_gcn_of(p)->options->full_subgroups && lanes && lanes % 64 == 0;
}

unsigned
hd_gcn_combine_needs(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const hd_reduce_op op = hd_gcn_combine_op(inst);
   const combining c = { .p = (hd_mach_program *)p, .identity = identity_of(op) };
   const bool has_dpp = hd_gcn_op_infos[machine_op(p, op)].mach.flags & HD_GCN_HAS_DPP;

   return has_dpp && is_inline(&c, c.identity) && hd_gcn_combine_cluster(inst) != 32 &&
                  inst->op != HD_GCN_P_EXCLUSIVE_SCAN
              ? 1
              : 2;
}

static bool
overlap(const hd_mach_operand *a, const hd_mach_operand *b)
{
   return a->reg < b->reg + b->size && b->reg < a->reg + a->size;
}

/* Can the reduction come after the other instruction? No lowered one reads what it saves exec in or
 * scc from it, and what comes later writes both.
 */
static bool
can_pass(const hd_mach_inst *inst, const hd_mach_inst *other)
{
   const hd_mach_operand exec_mask = exec();

   if (other->op == HD_GCN_S_SETREG_IMM32_B32)
      return false;
   for (unsigned n = 0; n < (unsigned)other->num_defs + other->num_srcs; n++) {
      const hd_mach_operand *operand = &other->operands[n];
      const bool written = n < other->num_defs;
      if (overlap(operand, hd_mach_def(inst, 0)) ||
          (inst->num_defs > 3 && overlap(operand, hd_mach_def(inst, 3))) ||
          (written && (overlap(operand, hd_mach_src(inst, 0)) || overlap(operand, &exec_mask))))
         return false;
   }
   return true;
}

/* The last one's s_or_saveexec, if the reduction can wait for it. */
static hd_mach_inst *
shared_window(const hd_mach_inst *inst, hd_mach_inst *last)
{
   hd_mach_inst *other = inst->next;

   if (!last || hd_mach_def(inst, 0)->reg >= HD_GCN_VGPR0 ||
       overlap(hd_mach_def(inst, 0), hd_mach_def(last, 0)))
      return NULL;
   for (unsigned n = 0; other && other != last; n++, other = other->next) {
      if (n == MAX_DISTANCE || !can_pass(inst, other))
         return NULL;
   }
   return other;
}

void
hd_gcn_lower_combine(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *inst, unsigned own,
                     hd_mach_inst **last)
{
   const hd_reduce_op op = hd_gcn_combine_op(inst);
   const hd_mach_operand *def = hd_mach_def(inst, 0), *save = hd_mach_def(inst, 1);
   const bool in_vector = def->reg >= HD_GCN_VGPR0, full = block->exec_full;
   const bool switches = !full || !starts_full(p);
   hd_mach_inst *window = shared_window(inst, *last);
   combining c = { .p = p, .block = block, .inst = inst, .before = inst };

   c.op = machine_op(p, op);
   c.has_dpp = hd_gcn_op_infos[c.op].mach.flags & HD_GCN_HAS_DPP;
   c.identity = identity_of(op);
   c.value = hd_mach_src(inst, 0)->reg;
   c.sum = in_vector && full ? def->reg : own;
   c.helper = own + 1;
   if (window) {
      c.before = window->next;
      save = hd_mach_def(window, 0);
   } else if (switches) {
      *last = emit(&c, HD_GCN_S_OR_SAVEEXEC_B64, *save,
                   hd_gcn_operand_const(hd_gcn_target_in(p)->gen, HD_GCN_B64, UINT64_MAX),
                   (hd_mach_operand){ 0 });
   }
   if (switches)
      fill(&c, inst->op == HD_GCN_P_EXCLUSIVE_SCAN ? c.helper : c.sum, *save);
   if (inst->op == HD_GCN_P_EXCLUSIVE_SCAN)
      shift(&c);
   combine(&c, hd_gcn_combine_cluster(inst));
   if (!in_vector)
      emit(&c, HD_GCN_V_READLANE_B32, *def, vector(c.value), constant(&c, 63));
   if (switches && !window)
      emit(&c, HD_GCN_S_MOV_B64, exec(), *save, (hd_mach_operand){ 0 });
   if (in_vector)
      move(&c, def->reg, vector(c.value));
}
