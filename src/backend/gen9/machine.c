/* SPDX-License-Identifier: MIT */
/* machine.c - the description of Gen9 for the machine layer: register files, op tables, hooks. */
#include "backend/gen9/program.h"
#include "machine/flow/flow.h"

static const char *
op_name(const hd_mach *mach, unsigned op)
{
   (void)mach;
   return hd_gen9_op_infos[op].name;
}

static const hd_mach_latency latencies[] = { { .cycles = 1 } };
static const uint32_t constants[] = { 0 };

/* From r9 up to r111, or r104. */
#define NUM_VALUES_8  103
#define NUM_VALUES_16 48

const hd_gen9_width hd_gen9_widths[HD_GEN9_NUM_WIDTHS] = {
   { .lanes = 8,
     .exec = 3,
     .grfs = 1,
     .values = NUM_VALUES_8,
     .any = 8,
     .all = 9,
     .scratch = 3,
     .temp = 124,
     .data = 120,
     .copy = HD_GEN9_V0 + 123 },
   { .lanes = 16,
     .exec = 4,
     .grfs = 2,
     .values = NUM_VALUES_16,
     .any = 10,
     .all = 11,
     .scratch = 120,
     .temp = 122,
     .data = 107,
     .copy = HD_GEN9_V0 + HD_GEN9_FIRST_GRF + NUM_VALUES_16 },
};

/* Literals of one number differ: they are no constants by number. */
#define MACH(num_lanes, num_values)                                                                \
   {                                                                                               \
      .name = "gen9",                                                                              \
      .files = { [HD_GEN9_UNIFORM] = { .name = "uniform",                                          \
                                       .flow = HD_MACH_LINEAR,                                     \
                                       .first = 0,                                                 \
                                       .num = HD_GEN9_NUM_UNIFORM,                                 \
                                       .max_align = 1,                                             \
                                       .slack = 1,                                                 \
                                       .letter = 'u',                                              \
                                       .named = HD_GEN9_ZERO },                                    \
                 [HD_GEN9_VECTOR] = { .name = "vector",                                            \
                                      .flow = HD_MACH_LOGICAL,                                     \
                                      .first = HD_GEN9_V0 + HD_GEN9_FIRST_GRF,                     \
                                      .num = num_values,                                           \
                                      .max_align = 1,                                              \
                                      .slack = 2,                                                  \
                                      .letter = 'r',                                               \
                                      .named = HD_GEN9_GRF_END + 1,                                \
                                      .name_0 = HD_GEN9_V0 } },                                    \
      .num_files = HD_GEN9_NUM_FILES, .ops = hd_gen9_op_infos, .op_size = sizeof(hd_gen9_op_info), \
      .num_ops = HD_GEN9_NUM_OPS,                                                                  \
      .file_of = { [HD_MACH_LOGICAL] = HD_GEN9_VECTOR, [HD_MACH_LINEAR] = HD_GEN9_UNIFORM },       \
      .first_const = HD_GEN9_ZERO, .end_const = HD_GEN9_LITERAL, .constants = constants,           \
      .literal = HD_GEN9_LITERAL, .flag = HD_MACH_NO_REG, .exec = { HD_MACH_NO_REG, 1 },           \
      .preferred = { HD_MACH_NO_REG, 1 }, .transients = { { HD_GEN9_CONDITION, false } },          \
      .num_transients = 1, .latencies = latencies, .lanes = num_lanes, .max_shared = 65536,        \
      .op_name = op_name,                                                                          \
   }

const hd_mach hd_gen9_machs[HD_GEN9_NUM_WIDTHS] = { MACH(8, NUM_VALUES_8),
                                                    MACH(16, NUM_VALUES_16) };
#undef MACH

static void
register_budget(const hd_mach_program *p, uint16_t budget[HD_MACH_MAX_FILES])
{
   const hd_gen9_options *o = hd_gen9_of(p)->options;
   const hd_gen9_width *width = hd_gen9_of(p)->width;

   budget[HD_GEN9_UNIFORM] = (uint16_t)(o->max_scalars ? o->max_scalars : HD_GEN9_NUM_UNIFORM);
   budget[HD_GEN9_VECTOR] =
       (uint16_t)(o->max_registers ? o->max_registers / width->grfs : width->values);
}

static bool
is_move(const hd_mach_inst *inst)
{
   return inst->op == HD_GEN9_MOV;
}

static bool
can_rematerialize(const hd_mach_inst *inst)
{
   return is_move(inst) && hd_gen9_is_constant(hd_mach_src(inst, 0));
}

/* All values are spilled to scratch memory, those of lanes by their masks. */
static uint32_t
place_scalars(hd_mach_program *p, uint32_t dwords, uint32_t vectors, bool scratch)
{
   (void)vectors;
   (void)scratch;
   hd_gen9_of(p)->scalar_slots = dwords;
   return 0;
}

static const hd_mach_spilling spilling = { .slack = 1, .place_scalars = place_scalars };

/* Of a uniform branch: the condition is where p_test wrote it. */
static hd_mach_inst *
make_jump(hd_mach_program *p, hd_mach_block *block, unsigned op, const hd_mach_condition *condition)
{
   const bool tests = op == HD_GEN9_P_ZERO || op == HD_GEN9_P_NONZERO;
   hd_mach_inst *inst = hd_mach_inst_create(p, op, 0, tests || condition);

   (void)block;
   if (tests)
      *hd_mach_src(inst, 0) = hd_mach_operand_reg(HD_GEN9_CONDITION, 1);
   else if (condition)
      *hd_mach_src(inst, 0) = condition->value;
   inst->bits = condition && condition->negate;
   return inst;
}

#define JUMPS                                                                                      \
   {                                                                                               \
      .flag = { HD_GEN9_P_ZERO, HD_GEN9_P_NONZERO }, .make = make_jump                             \
   }

static const hd_mach_structured structured = {
   .jumps = JUMPS,
   .begin_if = HD_GEN9_IF,
   .begin_else = HD_GEN9_ELSE,
   .end_if = HD_GEN9_ENDIF,
   .begin_loop = HD_GEN9_P_LOOP,
   .break_loop = HD_GEN9_BREAK,
   .continue_loop = HD_GEN9_CONT,
   .end_loop = HD_GEN9_WHILE,
   .end_lanes = HD_GEN9_HALT,
   .none = HD_GEN9_JOIN,
   .fixed_edges = true,
};

static const hd_mach_block_numbers numbers = {
   .jumps = JUMPS,
   .enter = HD_GEN9_P_ENTER,
   .none = HD_GEN9_P_NONE,
   .send = HD_GEN9_P_SEND,
   .send_if = HD_GEN9_P_SEND_IF,
   .all_from = HD_GEN9_P_ALL_FROM,
   .any = HD_GEN9_P_ANY,
};

const hd_mach_hooks hd_gen9_hooks = {
   .spilling = &spilling,
   .structured = &structured,
   .numbers = &numbers,
   .register_budget = register_budget,
   .can_rematerialize = can_rematerialize,
   .is_move = is_move,
};
