/* SPDX-License-Identifier: MIT */
/* machine.c - the description of R700 for the machine layer: register files, op tables, hooks. */
#include "backend/r700/program.h"
#include "machine/flow/flow.h"

static const char *
op_name(const hd_mach *mach, unsigned op)
{
   (void)mach;
   return hd_r700_op_infos[op].name;
}

static const hd_mach_latency latencies[] = { { .cycles = 1 } };
static const uint32_t constants[] = { 0 };

const hd_mach hd_r700_mach = {
   .name = "r700",
   .files = { [HD_R700_UNIFORM] = { .name = "uniform",
                                    .flow = HD_MACH_LINEAR,
                                    .first = 0,
                                    .num = HD_R700_NUM_UNIFORM,
                                    .max_align = 1 },
              [HD_R700_VECTOR] = { .name = "vector",
                                   .flow = HD_MACH_LOGICAL,
                                   .first = HD_R700_FIRST_VALUE,
                                   .num = HD_R700_MAX_VALUES,
                                   .max_align = 1,
                                   .slack = 2 } },
   .num_files = HD_R700_NUM_FILES,
   .ops = hd_r700_op_infos,
   .op_size = sizeof(hd_r700_op_info),
   .num_ops = HD_R700_NUM_OPS,
   .file_of = { [HD_MACH_LOGICAL] = HD_R700_VECTOR, [HD_MACH_LINEAR] = HD_R700_UNIFORM },
   .first_const = HD_R700_ZERO,
   .end_const = HD_R700_IMM, /* those of one number differ */
   .constants = constants,
   .literal = HD_R700_IMM,
   .flag = HD_MACH_NO_REG,
   .exec = { HD_MACH_NO_REG, 1 },
   .preferred = { HD_MACH_NO_REG, 1 },
   .latencies = latencies,
   .lanes = HD_R700_LANES,
   .op_name = op_name,
};

static void
register_budget(const hd_mach_program *p, uint16_t budget[HD_MACH_MAX_FILES])
{
   const hd_r700_options *o = hd_r700_of(p)->options;

   budget[HD_R700_UNIFORM] = HD_R700_NUM_UNIFORM;
   budget[HD_R700_VECTOR] = (uint16_t)(o->max_registers ? o->max_registers : HD_R700_MAX_VALUES);
}

static bool
is_move(const hd_mach_inst *inst)
{
   return inst->op == HD_R700_MOV;
}

static bool
can_rematerialize(const hd_mach_inst *inst)
{
   return is_move(inst) && hd_r700_is_constant(hd_mach_src(inst, 0));
}

/* Values are spilled to scratch memory of each lane; there are none of the linear flow. */
static const hd_mach_spilling spilling = { .slack = 0 };

/* Masks of one state of the lanes each are elements of the stack; a loop takes the four of an entry. */
static const hd_mach_control_stack control_stack = {
   .push = HD_R700_P_PUSH,
   .invert = HD_R700_P_INVERT,
   .pop = HD_R700_P_POP,
   .none = HD_R700_P_NONE,
   .loop_begin = HD_R700_P_LOOP_BEGIN,
   .loop_break = HD_R700_P_BREAK,
   .loop_continue = HD_R700_P_CONTINUE,
   .loop_end = HD_R700_P_LOOP_END,
   .if_size = 1,
   .loop_size = 4,
   .limit = HD_R700_MAX_ELEMENTS,
};

const hd_mach_hooks hd_r700_hooks = {
   .spilling = &spilling,
   .control_stack = &control_stack,
   .register_budget = register_budget,
   .can_rematerialize = can_rematerialize,
   .is_move = is_move,
};
