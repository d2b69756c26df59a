/* SPDX-License-Identifier: MIT */
/* machine.c - R700 as the machine layer sees it: its tables and the hooks that phases call. */
#include "backend/r700/program.h"
#include "machine/flow/flow.h"

static const char *
op_name(const hd_mach *mach, unsigned op)
{
   (void)mach;
   return hd_r700_op_infos[op].name;
}

static const hd_mach_latency latencies[] = { { .cycles = 1 } };

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
   .file_of = { [HD_MACH_LOGICAL] = HD_R700_VECTOR, [HD_MACH_LINEAR] = HD_R700_UNIFORM },
   .first_const = HD_R700_ZERO,
   .end_const = HD_R700_IMM, /* those of one number differ */
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

static bool
likes_preferred(const hd_mach_inst *inst, unsigned def)
{
   (void)inst;
   (void)def;
   return false;
}

static unsigned
demanded_register(const hd_mach_inst *inst, unsigned n)
{
   (void)inst;
   (void)n;
   return HD_MACH_NO_REG;
}

static hd_mach_operand
undefined_source(const hd_mach_inst *inst, const hd_mach_operand *src)
{
   (void)inst;
   (void)src;
   return (hd_mach_operand){ 0 };
}

static hd_mach_inst *
end(hd_mach_program *p)
{
   return hd_mach_inst_create(p, HD_MACH_P_END, 0, 0);
}

/* Values are spilled to scratch memory, lanes by their masks; there are none of the linear flow. */

static uint32_t
most_for_scalars(uint32_t vectors)
{
   return vectors;
}

static uint32_t
place_scalars(hd_mach_program *p, uint32_t dwords, uint32_t vectors, bool scratch)
{
   (void)p;
   (void)dwords;
   (void)vectors;
   (void)scratch;
   return 0;
}

static bool
address(hd_mach_program *p, hd_mach_operand *operands)
{
   (void)p;
   (void)operands;
   return true;
}

static void
place_vectors(hd_mach_program *p)
{
   (void)p;
}

static bool
finish(hd_mach_program *p)
{
   (void)p;
   return true;
}

static const hd_mach_spilling spilling = {
   .most_for_scalars = most_for_scalars,
   .place_scalars = place_scalars,
   .address = address,
   .place_vectors = place_vectors,
   .finish = finish,
};

static hd_mach_inst *
make(hd_mach_program *p, hd_mach_block *block, unsigned op, const hd_mach_condition *condition)
{
   hd_mach_inst *inst = hd_mach_inst_create(p, op, 0, condition != NULL);

   (void)block;
   if (condition) {
      *hd_mach_src(inst, 0) = condition->value;
      inst->bits = condition->negate;
   }
   return inst;
}

/* Masks of one state of the lanes each are elements of the stack; a loop takes the four of an entry. */
static const hd_mach_control_stack control_stack = {
   .jumps = { .make = make },
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

static void *
clean_begin(hd_mach_program *p)
{
   return p;
}

static bool
clean_block(void *state, hd_mach_block *block, bool *fewer_live)
{
   (void)state;
   (void)block;
   *fewer_live = false;
   return false;
}

static void
clean_finish(hd_mach_program *p)
{
   (void)p;
}

const hd_mach_hooks hd_r700_hooks = {
   .spilling = &spilling,
   .control_stack = &control_stack,
   .register_budget = register_budget,
   .can_rematerialize = can_rematerialize,
   .is_move = is_move,
   .likes_preferred = likes_preferred,
   .demanded_register = demanded_register,
   .undefined_source = undefined_source,
   .end = end,
   .clean_begin = clean_begin,
   .clean_block = clean_block,
   .clean_finish = clean_finish,
};
