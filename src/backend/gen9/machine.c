/* SPDX-License-Identifier: MIT */
/* machine.c - Gen9 as the machine layer sees it: its tables and the hooks that phases call. */
#include "backend/gen9/program.h"
#include "machine/flow/flow.h"

static const char *
op_name(const hd_mach *mach, unsigned op)
{
   (void)mach;
   return hd_gen9_op_infos[op].name;
}

static const hd_mach_latency latencies[] = { { .cycles = 1 } };

const hd_mach hd_gen9_mach = {
   .name = "gen9",
   .files = { [HD_GEN9_UNIFORM] = { .name = "uniform",
                                    .flow = HD_MACH_LINEAR,
                                    .first = 0,
                                    .num = HD_GEN9_NUM_UNIFORM,
                                    .max_align = 1 },
              [HD_GEN9_VECTOR] = { .name = "vector",
                                   .flow = HD_MACH_LOGICAL,
                                   .first = HD_GEN9_V0 + HD_GEN9_FIRST_GRF,
                                   .num = HD_GEN9_MAX_VALUES,
                                   .max_align = 1,
                                   .slack = 2 } },
   .num_files = HD_GEN9_NUM_FILES,
   .ops = hd_gen9_op_infos,
   .op_size = sizeof(hd_gen9_op_info),
   .file_of = { [HD_MACH_LOGICAL] = HD_GEN9_VECTOR, [HD_MACH_LINEAR] = HD_GEN9_UNIFORM },
   .first_const = HD_GEN9_ZERO,
   .end_const = HD_GEN9_LITERAL, /* literals of one number differ */
   .flag = HD_MACH_NO_REG,
   .exec = { HD_MACH_NO_REG, 1 },
   .preferred = { HD_MACH_NO_REG, 1 },
   .latencies = latencies,
   .lanes = HD_GEN9_LANES,
   .op_name = op_name,
};

static void
register_budget(const hd_mach_program *p, uint16_t budget[HD_MACH_MAX_FILES])
{
   const hd_gen9_options *o = hd_gen9_of(p)->options;

   budget[HD_GEN9_UNIFORM] = HD_GEN9_NUM_UNIFORM;
   budget[HD_GEN9_VECTOR] = (uint16_t)(o->max_registers ? o->max_registers : HD_GEN9_MAX_VALUES);
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

static const hd_mach_structured structured = {
   .jumps = { .make = make },
   .begin_if = HD_GEN9_IF,
   .begin_else = HD_GEN9_ELSE,
   .end_if = HD_GEN9_ENDIF,
   .begin_loop = HD_GEN9_P_LOOP,
   .break_loop = HD_GEN9_BREAK,
   .continue_loop = HD_GEN9_CONT,
   .end_loop = HD_GEN9_WHILE,
   .end_lanes = HD_GEN9_HALT,
   .none = HD_GEN9_JOIN,
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

const hd_mach_hooks hd_gen9_hooks = {
   .spilling = &spilling,
   .structured = &structured,
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
